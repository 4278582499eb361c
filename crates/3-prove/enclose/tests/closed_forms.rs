//! Enclosures against motions that are known exactly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse_enclose::{
    Basis, FlowProgram, FlowSettings, Formulas, StateSet, Stepper, TaylorModel, VariableId,
};
use dyverse_expr::{NodeId, Pool, SymbolId, UnaryFunction};
use dyverse_num::Interval;

fn interval(a: f64, b: f64) -> Interval {
    Interval::new(a, b).unwrap()
}

/// The value of a model at a point of the cube.
fn at(model: &TaylorModel, p: f64) -> Interval {
    let basis = model.basis().variables();
    model.at(&vec![Interval::point(p); basis])
}

/// x″ = −k x with k in [0.8, 1.2]: states x, v, time; unknown k.
#[test]
fn an_oscillator_with_an_unknown_stiffness() {
    let mut pool = Pool::new();
    let [x, v, k] = [0, 1, 3].map(|i| pool.symbol(SymbolId(i)));
    let product = pool.multiply(k, x);
    let force = pool.negate(product);
    let one = pool.number(1.0);
    let program = FlowProgram::new(&pool, &[v, force, one], &[]);
    let basis = Basis::new(1, 8);
    let stiffness = TaylorModel::variable(&basis, VariableId(0), interval(0.8, 1.2));
    let constant = |c: f64| TaylorModel::constant(&basis, Interval::point(c));
    let mut set = StateSet::new(&[constant(1.0), constant(0.0), constant(0.0)]);
    let stepper = Stepper::new(
        &program,
        std::slice::from_ref(&stiffness),
        FlowSettings::default(),
    );
    let (mut t, mut steps) = (0.0, 0);
    while t < 20.0 {
        let tube = stepper.step(&set, 0.0, 20.0 - t).unwrap();
        let h = tube.span.hi();
        // Between the ends too.
        for part in [0.25, 0.5, 0.9] {
            let s = part * h;
            for p in [-1.0, 0.3, 1.0] {
                let omega = (1.0f64 + 0.2 * p).sqrt();
                let found = at(&tube.state(0).at(Interval::point(s)), p);
                let exact = (omega * (t + s)).cos();
                assert!(
                    (found + interval(-1e-14, 1e-14)).contains(exact),
                    "t = {}: {found:?} {exact}",
                    t + s
                );
            }
        }
        set = tube.set_at(&set, h).unwrap();
        t += h;
        steps += 1;
    }
    assert!(steps < 40, "{steps}");
    let whole = set.whole();
    for p in [-1.0, -0.4, 0.0, 0.7, 1.0] {
        let omega = (1.0f64 + 0.2 * p).sqrt();
        for (state, exact) in [(0, (omega * 20.0).cos()), (1, -omega * (omega * 20.0).sin())] {
            let found = at(&whole[state], p);
            assert!(
                (found + interval(-1e-13, 1e-13)).contains(exact),
                "{found:?} {exact}"
            );
            assert!(found.width() < 3e-2, "{found:?}");
        }
    }
}

/// One trajectory (no unknowns) of a pendulum for a long time: the rest must not explode.
#[test]
fn a_long_oscillation_is_not_wrapped() {
    let mut pool = Pool::new();
    let [x, v] = [0, 1].map(|i| pool.symbol(SymbolId(i)));
    let sine = pool.unary(UnaryFunction::Sin, x);
    let force = pool.negate(sine);
    let program = FlowProgram::new(&pool, &[v, force], &[]);
    let basis = Basis::new(0, 4);
    let constant = |c: f64| TaylorModel::constant(&basis, Interval::point(c));
    let mut set = StateSet::new(&[constant(1.0), constant(0.0)]);
    let stepper = Stepper::new(&program, &[], FlowSettings::default());
    let mut t = 0.0;
    while t < 100.0 {
        let tube = stepper.step(&set, 0.0, 100.0 - t).unwrap();
        set = tube.set_at(&set, tube.span.hi()).unwrap();
        t += tube.span.hi();
    }
    let hull = set.hull();
    assert!(hull[0].width() < 1e-9, "{hull:?}");
    // Energy is conserved.
    let energy = hull[1].squared() * Interval::point(0.5) - hull[0].cos();
    assert!(energy.contains(-(1.0f64.cos())), "{energy:?}");
}

fn ball(pool: &mut Pool) -> (Vec<NodeId>, NodeId) {
    let [x, v] = [0, 1].map(|i| pool.symbol(SymbolId(i)));
    let (g, one) = (pool.number(-10.0), pool.number(1.0));
    (vec![v, g, one], x)
}

/// A ball from h in [0.9, 1.1] with restitution e in [0.7, 0.9]: height of the apex after n bounces is h e^(2n), times are known.
#[test]
fn bounces_keep_their_dependence_on_the_unknowns() {
    let mut pool = Pool::new();
    let (rates, x) = ball(&mut pool);
    let program = FlowProgram::new(&pool, &rates, &[x]);
    let guard = Formulas::new(&pool, &[x]);
    let [v, t, e] = [1, 2, 4].map(|i| pool.symbol(SymbolId(i)));
    let product = pool.multiply(e, v);
    let after = pool.negate(product);
    let zero = pool.number(0.0);
    let reset = Formulas::new(&pool, &[zero, after, t]);
    let basis = Basis::new(2, 5);
    let width = 0.01;
    let unknowns = [
        TaylorModel::variable(&basis, VariableId(0), interval(1.0 - width, 1.0 + width)),
        TaylorModel::variable(&basis, VariableId(1), interval(0.8 - width, 0.8 + width)),
    ];
    let zero = TaylorModel::constant(&basis, Interval::ZERO);
    let mut set = StateSet::new(&[unknowns[0].clone(), zero.clone(), zero]);
    let stepper = Stepper::new(&program, &unknowns, FlowSettings::default());
    for bounce in 1..=6 {
        let tube = stepper.step(&set, 0.0, 10.0).unwrap();
        // Where the closed form says it is, with room for the unknowns.
        let flight = |h: f64, e: f64| {
            let fall = (2.0 * h / 10.0f64).sqrt();
            if bounce == 1 {
                fall
            } else {
                2.0 * fall * e.powi(bounce - 1)
            }
        };
        let window = interval(
            flight(1.0 - width, 0.8 - width) - 1e-3,
            flight(1.0 + width, 0.8 + width) + 1e-3,
        );
        let crossed = tube
            .crossed(&set, &guard, tube.watched(0), window, &unknowns)
            .unwrap();
        set = reset.reset(&crossed.set, &unknowns).unwrap();
        for (p, q) in [(0.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-0.3, 0.6)] {
            let (h, e) = (1.0 + width * p, 0.8 + width * q);
            let fall = (2.0 * h / 10.0f64).sqrt();
            let speed = 10.0 * fall * e.powi(bounce);
            let time = fall * (1.0 + 2.0 * (1..bounce).map(|k| e.powi(k)).sum::<f64>());
            let point = [Interval::point(p), Interval::point(q)];
            let whole = set.whole();
            let (found, when) = (whole[1].at(&point), whole[2].at(&point));
            assert!(
                (found + interval(-1e-13, 1e-13)).contains(speed),
                "{bounce}: {found:?} {speed}"
            );
            assert!(
                (when + interval(-1e-13, 1e-13)).contains(time),
                "{bounce}: {when:?} {time}"
            );
            assert!(
                found.width() < 1e-9 && when.width() < 1e-9,
                "{bounce}: {found:?} {when:?}"
            );
        }
    }
}
