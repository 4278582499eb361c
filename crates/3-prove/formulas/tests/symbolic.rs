//! What is recorded has the value of what was evaluated, whatever was simplified on the way.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_expr::{Program, SymbolId};
use dyverse_formulas::{Recorder, Symbolic};
use dyverse_num::{Dual, Interval, Scalar, Tri};
use support::Dice;

/// A random program of a few operations on the inputs and constants.
fn program<S: Scalar>(seed: u64, inputs: &[S]) -> Vec<S> {
    let mut dice = Dice(seed);
    let mut values: Vec<S> = inputs.to_vec();
    for constant in [0.0, 1.0, -1.0, 2.0, 0.5, 3.0, -0.25] {
        values.push(S::from_f64(constant));
    }
    values.push(S::from_literal(0.1, false));
    values.push(S::from_literal(-2.7, false));
    values.push(S::pi());
    for _ in 0..25 {
        let (a, b) = (dice.below(values.len()), dice.below(values.len()));
        let (a, b) = (values[a].clone(), values[b].clone());
        let new = match dice.below(16) {
            0 | 1 => a + b,
            2 | 3 => a - b,
            4..=6 => a * b,
            7 => a / b,
            8 => -a,
            9 => a.squared(),
            10 => a.abs().sqrt(),
            11 => a.min(&b),
            12 => a.max(&b),
            13 => (a.clone() + b) - a,
            14 => a.clone() * b.clone() / b,
            _ => a.sin() + b.abs() * b.sign(),
        };
        values.push(new);
    }
    values
}

#[test]
fn random_programs_have_the_same_values() {
    let mut narrow = 0;
    let mut dice = Dice(1);
    for seed in 0..400 {
        let point: Vec<f64> = (0..3).map(|_| dice.between(-2.0, 2.0)).collect();
        let recorder = Recorder::new();
        recorder.set_samples(point.clone());
        let symbols: Vec<Symbolic> = (0..3).map(|i| recorder.symbol(SymbolId(i))).collect();
        let recorded = program(seed, &symbols);
        let inputs: Vec<Interval> = point.iter().map(|x| Interval::point(*x)).collect();
        let evaluated = program(seed, &inputs);
        for (formula, value) in recorded.iter().zip(&evaluated) {
            // 0/0 and x/0: the program has no value.
            if value.is_empty() || !value.is_bounded() {
                continue;
            }
            let node = recorder.node(formula).unwrap();
            let tape = Program::new(&recorder.pool(), &[node]);
            let found = tape.numbers(|id| inputs[id.0 as usize])[0];
            assert!(!found.is_disjoint(value), "{seed}: {found:?} and {value:?}");
            let sample = formula.sample();
            assert!(sample.is_nan() || (sample - found.mid().unwrap()).abs() <= 1e-6 * (1.0 + sample.abs()));
            narrow += usize::from(found.width() < 1e-9 * (1.0 + found.magnitude()));
        }
    }
    assert!(narrow > 10_000, "only {narrow} values say anything");
}

#[test]
fn exact_operations_fold_and_others_stay() {
    let number = Symbolic::from_f64;
    assert_eq!((number(0.5) + number(0.25)).exactly(), Some(0.75));
    assert_eq!((number(3.0) / number(8.0)).exactly(), Some(0.375));
    assert_eq!(number(2.25).sqrt().exactly(), Some(1.5));
    assert_eq!((number(1.0) / number(3.0)).exactly(), None);
    assert_eq!((number(1e16) + number(1.0)).exactly(), None);
    assert_eq!(
        (number(0.1) * number(0.1)).exactly(),
        None,
        "0.1 as a double, squared, rounds"
    );
    assert_eq!(number(2.0).sqrt().exactly(), None);
    let decimal = Symbolic::from_literal(0.1, false);
    assert_eq!(decimal.exactly(), None);
    assert_eq!((decimal.clone() - decimal).exactly(), Some(0.0));
    let recorder = Recorder::new();
    let (x, y) = (recorder.symbol(SymbolId(0)), recorder.symbol(SymbolId(1)));
    assert_eq!((x.clone() + y.clone()) - x.clone(), y);
    assert_eq!(x.clone() * y.clone() / y.clone(), x);
    assert_eq!(-x.clone() * (-y.clone()), x * y);
}

#[test]
fn what_cannot_be_decided_is_not_recorded() {
    let recorder = Recorder::new();
    recorder.set_samples(vec![2.0, 3.0]);
    let (x, y) = (recorder.symbol(SymbolId(0)), recorder.symbol(SymbolId(1)));
    assert_eq!(x.lt(&y), Tri::Unknown);
    assert_eq!(x.le(&x), Tri::True);
    assert_eq!(
        x.eq_tri(&Symbolic::zero()),
        Tri::False,
        "by the sample: a divisor"
    );
    assert_eq!(x.eq_tri(&y), Tri::Unknown);
    assert_eq!(
        Symbolic::from_f64(1.0).lt(&Symbolic::from_literal(1.1, false)),
        Tri::True
    );
    let chosen = Symbolic::select(x.lt(&y), x.clone(), y.clone());
    assert!(recorder.node(&chosen).is_none());
    let spread = (chosen + x.clone()) * Symbolic::zero();
    assert!(!spread.is_recordable(), "not even times zero");
    // A dual number of min has a value, and a derivative that no formula of it says.
    let least = Dual::variable(x.clone()).min(&Dual::constant(y));
    assert!(least.value.is_recordable() && !least.derivative.is_recordable());
    assert!(
        recorder.node(&Recorder::new().symbol(SymbolId(0))).is_none(),
        "of another pool"
    );
}
