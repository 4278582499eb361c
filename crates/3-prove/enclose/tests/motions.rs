//! Series, crossings and resets against motions that are known in closed form.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_enclose::{
    Along, Basis, FlowProgram, FlowSettings, Formulas, StateSet, Stepper, TaylorModel, VariableId,
};
use dyverse_expr::{Pool, SymbolId, UnaryFunction};
use dyverse_num::Interval;
use support::Random;

fn interval(a: f64, b: f64) -> Interval {
    Interval::new(a, b).unwrap()
}

/// What a guard does in a step.
enum Crossing {
    Never,
    /// All states cross it once, downwards.
    Certain(Interval),
    Possible(f64),
}

/// The first crossing, found on a grid.
fn first_crossing(guard: &Along, until: f64) -> Crossing {
    const PARTS: u32 = 300;
    let time = |k: u32| until * f64::from(k) / f64::from(PARTS);
    let Some(first) = (0..PARTS).find(|k| guard.range_on(interval(time(*k), time(k + 1))).lo() <= 0.0) else {
        return Crossing::Never;
    };
    let is_past = |k: &u32| guard.at(Interval::point(time(*k))).bound().hi() < 0.0;
    let Some(last) = (first + 1..=PARTS).find(is_past) else {
        return Crossing::Possible(time(first));
    };
    let rate = guard.derivative();
    let falls = (first..last).all(|k| rate.range_on(interval(time(k), time(k + 1))).hi() < 0.0);
    if falls {
        Crossing::Certain(interval(time(first), time(last)))
    } else {
        Crossing::Possible(time(first))
    }
}

/// The Taylor coefficients of f(t) at `at`, from the flow t′ = 1.
fn coefficients(function: UnaryFunction, at: f64) -> Vec<f64> {
    let mut pool = Pool::new();
    let (t, one) = (pool.symbol(SymbolId(0)), pool.number(1.0));
    let node = pool.unary(function, t);
    let program = FlowProgram::new(&pool, &[one], &[node]);
    let basis = Basis::new(1, 2);
    let set = StateSet::new(&[TaylorModel::constant(&basis, Interval::point(at))]);
    let tube = Stepper::new(&program, &[], FlowSettings::default())
        .step(&set, 0.0, 0.05)
        .unwrap();
    let all = tube.watched(0).coefficients();
    all.iter().map(|c| c.bound().mid().unwrap()).collect()
}

#[test]
fn series_of_functions_have_their_closed_coefficients() {
    use std::f64::consts::FRAC_PI_2;
    let factorial = |k: usize| (1..=k).map(|i| i as f64).product::<f64>();
    let half = |k: usize| (0..k).map(|i| (0.5 - i as f64) / (i + 1) as f64).product::<f64>();
    type Closed<'a> = Box<dyn Fn(f64, usize) -> f64 + 'a>;
    let known: Vec<(UnaryFunction, Closed<'_>)> = vec![
        (UnaryFunction::Exp, Box::new(|t, k| t.exp() / factorial(k))),
        (
            UnaryFunction::Sin,
            Box::new(|t, k| (t + k as f64 * FRAC_PI_2).sin() / factorial(k)),
        ),
        (
            UnaryFunction::Cos,
            Box::new(|t, k| (t + k as f64 * FRAC_PI_2).cos() / factorial(k)),
        ),
        (
            UnaryFunction::Sinh,
            Box::new(|t, k| if k % 2 == 0 { t.sinh() } else { t.cosh() } / factorial(k)),
        ),
        (
            UnaryFunction::Cosh,
            Box::new(|t, k| if k % 2 == 0 { t.cosh() } else { t.sinh() } / factorial(k)),
        ),
        (
            UnaryFunction::Sqrt,
            Box::new(|t, k| half(k) * t.powf(0.5 - k as f64)),
        ),
        (
            UnaryFunction::Ln,
            Box::new(|t, k| match k {
                0 => t.ln(),
                _ => -(-1.0_f64).powi(k as i32) / (k as f64 * t.powi(k as i32)),
            }),
        ),
        (
            UnaryFunction::Atan,
            Box::new(|t, k| match k {
                0 => t.atan(),
                _ => {
                    let angle = (1.0 / t).atan();
                    -(-1.0_f64).powi(k as i32) / k as f64 * (k as f64 * angle).sin()
                        / (1.0 + t * t).powf(0.5 * k as f64)
                }
            }),
        ),
    ];
    for (function, closed) in known {
        for at in [0.6, 0.93, 1.7, 2.9] {
            let found = coefficients(function, at);
            assert!(found.len() >= 10, "{function:?}");
            for (k, c) in found.iter().enumerate() {
                let truth = closed(at, k);
                // Relative to the largest: some are zero.
                let size = truth.abs() + 1e-3 * (1.0 / at).powi(k as i32).max(1.0 / factorial(k));
                assert!(
                    (c - truth).abs() <= 1e-10 * size,
                    "{function:?} at {at}, {k}: {c} {truth}"
                );
            }
        }
    }
    // tan′ = 1 + tan², tanh′ = 1 − tanh², asin′ = 1/√(1 − t²): first three coefficients.
    let [t, s] = [0.4_f64.tan(), 0.4_f64.tanh()];
    let w = (1.0 - 0.16_f64).sqrt();
    let firsts = [
        (UnaryFunction::Tan, [t, 1.0 + t * t, t * (1.0 + t * t)]),
        (UnaryFunction::Tanh, [s, 1.0 - s * s, -s * (1.0 - s * s)]),
        (UnaryFunction::Asin, [0.4_f64.asin(), 1.0 / w, 0.2 / w.powi(3)]),
        (UnaryFunction::Acos, [0.4_f64.acos(), -1.0 / w, -0.2 / w.powi(3)]),
    ];
    for (function, expected) in firsts {
        let found = coefficients(function, 0.4);
        for (c, e) in found.iter().zip(expected) {
            assert!((c - e).abs() < 1e-12, "{function:?}: {c} {e}");
        }
    }
}

/// A throw y = h + v t − 5 t², h in a box, v in a box: states y, v, time; crosses y = 0 at (v + √(v² + 20 h))/10, and bounces with −0.7.
#[test]
fn throws_cross_and_bounce_where_they_must() {
    let mut random = Random(8);
    for _ in 0..60 {
        let (h, v) = (random.between(0.5, 2.0), random.between(-2.0, 3.0));
        let (dh, dv) = (random.between(0.0, 0.1), random.between(0.0, 0.1));
        let mut pool = Pool::new();
        let [y, speed] = [0, 1].map(|i| pool.symbol(SymbolId(i)));
        let (one, g) = (pool.number(1.0), pool.number(-10.0));
        let program = FlowProgram::new(&pool, &[speed, g, one], &[y]);
        let basis = Basis::new(2, 5);
        let zero = TaylorModel::constant(&basis, Interval::ZERO);
        let unknowns = [
            TaylorModel::variable(&basis, VariableId(0), interval(h - dh, h + dh)),
            TaylorModel::variable(&basis, VariableId(1), interval(v - dv, v + dv)),
        ];
        let set = StateSet::new(&[unknowns[0].clone(), unknowns[1].clone(), zero]);
        let tube = Stepper::new(&program, &unknowns, FlowSettings::default())
            .step(&set, 0.0, 5.0)
            .unwrap();
        let along = tube.watched(0);
        let Crossing::Certain(window) = first_crossing(along, tube.span.hi()) else {
            panic!("no crossing");
        };
        let guard = Formulas::new(&pool, &[y]);
        let crossed = tube.crossed(&set, &guard, along, window, &unknowns).unwrap();
        let factor = pool.number(-0.7);
        let back = pool.multiply(factor, speed);
        let time = pool.symbol(SymbolId(2));
        let after = Formulas::new(&pool, &[y, back, time])
            .reset(&crossed.set, &unknowns)
            .unwrap();
        for _ in 0..40 {
            let at = |r: &mut Random| [-1.0, 1.0, r.between(-1.0, 1.0)][r.below(3)];
            let cube = [at(&mut random), at(&mut random)].map(Interval::point);
            let [h, v] = [0, 1].map(|i| unknowns[i].at(&cube).mid().unwrap());
            let t = (v + (v * v + 20.0 * h).sqrt()) / 10.0;
            let slack = interval(-1e-13, 1e-13);
            assert!(
                (crossed.time.at(&cube) + slack).contains(t),
                "{:?} {t}",
                crossed.time.at(&cube)
            );
            assert!(window.contains(t));
            let whole = after.whole();
            let expected = [0.0, -0.7 * (v - 10.0 * t), t];
            for (model, x) in whole.iter().zip(expected) {
                let held = model.at(&cube);
                assert!((held + slack).contains(x), "{held:?} {x}");
                assert!(held.width() < 1e-3, "{held:?}");
            }
        }
    }
}

/// x″ = −k x, x(0) = 1: x = c where cos ωt = c.
#[test]
fn oscillators_cross_where_they_must() {
    let mut random = Random(9);
    for round in 0..40 {
        let (k, level) = (random.between(0.5, 4.0), random.between(-0.8, 0.8));
        let half = [0.3, 0.05, 1e-6][round % 3] * k * 0.5;
        let mut pool = Pool::new();
        let [x, v, stiffness] = [0, 1, 3].map(|i| pool.symbol(SymbolId(i)));
        let product = pool.multiply(stiffness, x);
        let force = pool.negate(product);
        let (one, c) = (pool.number(1.0), pool.number(level));
        let guard = pool.subtract(x, c);
        let program = FlowProgram::new(&pool, &[v, force, one], &[guard]);
        let basis = Basis::new(1, 6);
        let unknowns = [TaylorModel::variable(
            &basis,
            VariableId(0),
            interval(k - half, k + half),
        )];
        let constant = |value: f64| TaylorModel::constant(&basis, Interval::point(value));
        let mut set = StateSet::new(&[constant(1.0), constant(0.0), constant(0.0)]);
        let stepper = Stepper::new(&program, &unknowns, FlowSettings::default());
        let formula = Formulas::new(&pool, &[guard]);
        let mut found = None;
        for _ in 0..20 {
            let tube = stepper.step(&set, 0.0, 5.0).unwrap();
            match first_crossing(tube.watched(0), tube.span.hi()) {
                Crossing::Never => set = tube.set_at(&set, tube.span.hi()).unwrap(),
                Crossing::Possible(from) if from > 0.02 * tube.span.hi() => {
                    set = tube.set_at(&set, 0.9 * from).unwrap();
                }
                Crossing::Possible(_) => break,
                Crossing::Certain(window) => {
                    found = Some(
                        tube.crossed(&set, &formula, tube.watched(0), window, &unknowns)
                            .unwrap(),
                    );
                    break;
                }
            }
        }
        // Wide boxes may be lost, narrow ones may not.
        let Some(crossed) = found else {
            assert!(round % 3 == 0, "k = {k} ± {half}, c = {level}");
            continue;
        };
        for p in [-1.0, -0.6, 0.0, 0.37, 1.0] {
            let cube = [Interval::point(p)];
            let omega = unknowns[0].at(&cube).mid().unwrap().sqrt();
            let t = level.acos() / omega;
            let expected = [level, -omega * (omega * t).sin(), t];
            for (model, x) in crossed.set.whole().iter().zip(expected) {
                let held = model.at(&cube) + interval(-1e-12, 1e-12);
                assert!(held.contains(x), "k = {k} ± {half}, c = {level}: {held:?} {x}");
            }
        }
    }
}
