//! Cyclic circuits of `and`, `or`, `not`, `if`: those that are constructive run, others are refused; judged by three-valued logic.

use super::random::Random;
use dyverse_tick::{TickError, TickOptions, simulate};
use std::fmt::Write;

enum Gate {
    /// A digit of time, which is known.
    Bit(usize),
    Signal(usize),
    Not(Box<Gate>),
    And(Box<Gate>, Box<Gate>),
    Or(Box<Gate>, Box<Gate>),
    If(Box<Gate>, Box<Gate>, Box<Gate>),
}

const SIGNALS: usize = 5;
const BITS: usize = 3;

fn random_gate(random: &mut Random, depth: usize) -> Gate {
    let mut operand = || Box::new(random_gate(random, depth - 1));
    if depth == 0 {
        return match random.below(3) {
            0 | 1 => Gate::Bit(random.below(BITS)),
            _ => Gate::Signal(random.below(SIGNALS)),
        };
    }
    let (a, b, c) = (operand(), operand(), operand());
    match random.below(5) {
        0 => Gate::And(a, b),
        1 => Gate::Or(a, b),
        2 => Gate::Not(a),
        _ => Gate::If(a, b, c),
    }
}

fn text(gate: &Gate) -> String {
    match gate {
        Gate::Bit(k) => format!("(c{k} > 0)"),
        Gate::Signal(k) => format!("(x{k} > 0)"),
        Gate::Not(a) => format!("(not {})", text(a)),
        Gate::And(a, b) => format!("({} and {})", text(a), text(b)),
        Gate::Or(a, b) => format!("({} or {})", text(a), text(b)),
        // Numbers, so that it is an `if` of numbers.
        Gate::If(a, b, c) => {
            let number = |g: &Gate| match g {
                Gate::Bit(k) => format!("c{k}"),
                Gate::Signal(k) => format!("x{k}"),
                other => format!("(if {} then 1 else 0)", text(other)),
            };
            format!("((if {} then {} else {}) > 0)", text(a), number(b), number(c))
        }
    }
}

/// `None` while it is not known.
fn value(gate: &Gate, bits: usize, known: &[Option<bool>]) -> Option<bool> {
    let of = |g: &Gate| value(g, bits, known);
    match gate {
        Gate::Bit(k) => Some(bits >> k & 1 == 1),
        Gate::Signal(k) => known[*k],
        Gate::Not(a) => of(a).map(|a| !a),
        Gate::And(a, b) => match (of(a), of(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Gate::Or(a, b) => match (of(a), of(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        // The same on both sides is no choice.
        Gate::If(_, b, c) if text(b) == text(c) => of(b),
        Gate::If(a, b, c) => of(a).and_then(|a| if a { of(b) } else { of(c) }),
    }
}

#[test]
fn constructive_circuits_run() {
    let (mut ran, mut refused) = (0, 0);
    for seed in 0..400 {
        let mut random = Random(seed);
        let gates: Vec<Gate> = (0..SIGNALS)
            .map(|_| {
                let depth = 1 + random.below(2);
                random_gate(&mut random, depth)
            })
            .collect();
        let mut model = String::new();
        for k in 0..BITS {
            let (one, two) = (1 << k, 2 << k);
            writeln!(model, "c{k} = floor(time / {one}) - 2 * floor(time / {two})").unwrap();
        }
        for (k, gate) in gates.iter().enumerate() {
            writeln!(model, "x{k} = if {} then 1 else 0", text(gate)).unwrap();
        }
        model.push_str("horizon = 8\nrecord x0, x1, x2, x3, x4\n");
        let solve = |bits: usize| {
            let mut known = vec![None; SIGNALS];
            for _ in 0..=SIGNALS {
                known = gates.iter().map(|g| value(g, bits, &known)).collect();
            }
            known
        };
        let rows: Vec<Vec<Option<bool>>> = (0..1 << BITS).map(solve).collect();
        let is_constructive = rows.iter().flatten().all(Option::is_some);
        // A loop that is there whatever the conditions are is refused before it runs.
        let outcome = crate::shipped::try_read(&model, "A060")
            .map(|graph| simulate(&graph, &mut [], &TickOptions::default()));
        match outcome {
            None | Some(Err(TickError::Nonconstructive { .. })) => {
                assert!(!is_constructive, "refused\n{model}");
                refused += 1;
            }
            Some(Err(error)) => panic!("{error}\n{model}"),
            Some(Ok(trace)) => {
                assert!(is_constructive, "runs\n{model}");
                for (bits, row) in rows.iter().enumerate() {
                    let inside = |t: f64| (bits as f64 + 0.2..bits as f64 + 0.8).contains(&t);
                    let mut samples = trace.samples.iter().filter(|s| inside(s.time.t()));
                    assert!(samples.clone().count() > 0);
                    let expected: Vec<f64> = row
                        .iter()
                        .map(|v| f64::from(u8::from(*v == Some(true))))
                        .collect();
                    assert!(
                        samples.all(|s| s.values == expected),
                        "{bits}: {expected:?}\n{model}"
                    );
                }
                ran += 1;
            }
        }
    }
    assert!(ran > 60 && refused > 60, "{ran} ran, {refused} were refused");
}
