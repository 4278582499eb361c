//! Equations and borders: zeros with proof, jumps and near misses that are none, corners.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse_expr::{NodeId, Pool, Relation, SymbolId, UnaryFunction};
use dyverse_num::Interval;
use dyverse_smt::{BoxTheory, Outcome, Solver, VariableBox};

fn cube(variables: usize, lo: f64, hi: f64) -> VariableBox {
    let side = Interval::new(lo, hi).unwrap();
    (0..variables).map(|k| (SymbolId(k as u32), side)).collect()
}

/// One constraint set, decided by itself.
fn decide(
    build: impl Fn(&mut Pool, NodeId, NodeId) -> Vec<(NodeId, Relation)>,
    side: [f64; 2],
) -> Outcome<VariableBox> {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1)));
    let constraints = build(&mut pool, x, y);
    let mut theory = BoxTheory::new(pool, cube(2, side[0], side[1]));
    let mut solver = Solver::default();
    for (e, r) in constraints {
        solver.assert(&theory.constraint(e, r).unwrap());
    }
    solver.satisfy(&mut theory, None)
}

#[test]
fn equations_are_solved_with_proof() {
    // x² + y² = 1 and y = x: (√½, √½) or its negative.
    let circle = |pool: &mut Pool, x, y| {
        let (xx, yy, one) = (
            pool.integer_power(x, 2),
            pool.integer_power(y, 2),
            pool.number(1.0),
        );
        let sum = pool.add(xx, yy);
        pool.subtract(sum, one)
    };
    let outcome = decide(
        |pool, x, y| {
            let circle = circle(pool, x, y);
            let line = pool.subtract(x, y);
            vec![
                (circle, Relation::Equal),
                (line, Relation::Equal),
                (x, Relation::Greater),
            ]
        },
        [-2.0, 2.0],
    );
    let Outcome::Satisfied { witness, .. } = outcome else {
        panic!("{outcome:?}");
    };
    let root = 0.5_f64.sqrt();
    assert!((witness[&SymbolId(0)].mid().unwrap() - root).abs() < 1e-9);
    assert!((witness[&SymbolId(1)].mid().unwrap() - root).abs() < 1e-9);
    // cos x = x alone: 0.739085133215160642.
    let outcome = decide(
        |pool, x, _| {
            let cosine = pool.unary(UnaryFunction::Cos, x);
            vec![(pool.subtract(cosine, x), Relation::Equal)]
        },
        [-2.0, 2.0],
    );
    let Outcome::Satisfied { witness, .. } = outcome else {
        panic!("{outcome:?}");
    };
    assert!((witness[&SymbolId(0)].mid().unwrap() - 0.739_085_133_215_160_6).abs() < 1e-12);
    // A circle and a line that miss each other.
    let outcome = decide(
        |pool, x, y| {
            let circle = circle(pool, x, y);
            let (sum, two) = (pool.add(x, y), pool.number(2.0));
            vec![
                (circle, Relation::Equal),
                (pool.subtract(sum, two), Relation::Equal),
            ]
        },
        [-2.0, 2.0],
    );
    assert_eq!(outcome, Outcome::Unsatisfiable);
}

/// sign jumps over ½, and 1/x over 0: a change of sign is no zero there.
#[test]
fn a_jump_is_not_a_zero() {
    let sign = decide(
        |pool, x, _| {
            let (sign, half) = (pool.unary(UnaryFunction::Sign, x), pool.number(0.5));
            vec![(pool.subtract(sign, half), Relation::Equal)]
        },
        [-2.0, 3.0],
    );
    assert!(!matches!(sign, Outcome::Satisfied { .. }), "{sign:?}");
    let pole = decide(
        |pool, x, _| {
            let one = pool.number(1.0);
            vec![(pool.divide(one, x), Relation::Equal)]
        },
        [-2.0, 3.0],
    );
    assert!(!matches!(pole, Outcome::Satisfied { .. }), "{pole:?}");
    // x ± 1e-14 with the sign of x: a jump narrower than the box in which a zero is looked for.
    let tiny = decide(
        |pool, x, _| {
            let (zero, up, down) = (pool.number(0.0), pool.number(1e-14), pool.number(-1e-14));
            let above = pool.compare(Relation::Greater, x, zero);
            let jump = pool.select(above, up, down);
            vec![(pool.add(x, jump), Relation::Equal)]
        },
        [-2.0, 3.0],
    );
    assert!(!matches!(tiny, Outcome::Satisfied { .. }), "{tiny:?}");
}

/// x² + 1e-18 = 0 has no solution, however close x² comes; nor has (x − y)·(x − y) + 1e-18 = 0.
#[test]
fn a_near_miss_is_not_a_zero() {
    for offset in [1e-18, 1e-12, 1e-6] {
        let square = decide(
            |pool, x, _| {
                let (square, offset) = (pool.integer_power(x, 2), pool.number(offset));
                vec![(pool.add(square, offset), Relation::Equal)]
            },
            [-2.0, 3.0],
        );
        assert_eq!(square, Outcome::Unsatisfiable);
        let product = decide(
            |pool, x, y| {
                let d = pool.subtract(x, y);
                let (square, offset) = (pool.multiply(d, d), pool.number(offset));
                vec![(pool.add(square, offset), Relation::Equal)]
            },
            [-2.0, 3.0],
        );
        assert!(!matches!(product, Outcome::Satisfied { .. }), "{product:?}");
    }
}

/// x² ≤ 0 holds at 0 only; (x − ⅓)² ≤ 0 at no double. Neither may be refuted.
#[test]
fn what_touches_is_not_refuted() {
    for (numerator, denominator) in [(0.0, 1.0), (1.0, 3.0)] {
        let outcome = decide(
            |pool, x, _| {
                let (n, d) = (pool.number(numerator), pool.number(denominator));
                let third = pool.divide(n, d);
                let distance = pool.subtract(x, third);
                vec![(pool.integer_power(distance, 2), Relation::LessEqual)]
            },
            [-2.0, 3.0],
        );
        assert_ne!(outcome, Outcome::Unsatisfiable);
    }
}

#[test]
fn concave_constraints_are_found_in_corners() {
    // x² + y² ≥ 18 − 1e-9 in [−3, 3]²: near the corners only [002 §6.4].
    let outcome = decide(
        |pool, x, y| {
            let (xx, yy, bound) = (
                pool.integer_power(x, 2),
                pool.integer_power(y, 2),
                pool.number(18.0 - 1e-9),
            );
            let sum = pool.add(xx, yy);
            vec![(pool.subtract(sum, bound), Relation::GreaterEqual)]
        },
        [-3.0, 3.0],
    );
    assert!(matches!(outcome, Outcome::Satisfied { .. }));
}
