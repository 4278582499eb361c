//! Contraction against points that are known to be solutions, for every operator.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use std::f64::consts::PI;

use dyverse_expr::{
    BinaryFunction, Constraint, NodeId, Pool, Program, Relation, SymbolId, UnaryFunction, Value,
};
use dyverse_num::{Interval, Tri};
use dyverse_smt::{Contracted, Contractor, InvalidConstraint, VariableBox, contract};
use support::Random;

fn constraint(node: NodeId, relation: Relation) -> Constraint {
    Constraint { node, relation }
}

fn number(random: &mut Random) -> f64 {
    const SPECIAL: [f64; 12] = [
        0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 1e-300, -1e-300, 1e12, -1e12, 3.0,
    ];
    match random.below(6) {
        0 => SPECIAL[random.below(SPECIAL.len())],
        1 => random.within(-40.0, 40.0),
        2 => random.within(-1e4, 1e4),
        _ => random.within(-3.0, 3.0),
    }
}

/// An interval around a number: narrow, wide, one-sided, unbounded.
fn around(random: &mut Random, x: f64) -> Interval {
    let mut reach = || match random.below(6) {
        0 => 0.0,
        1 => f64::INFINITY,
        2 => random.within(0.0, 1e-6),
        3 => random.within(0.0, 100.0),
        _ => random.within(0.0, 4.0),
    };
    Interval::new(x - reach(), x + reach()).unwrap()
}

/// Builds f over two symbols; at random points (x, y) with f(x, y) ∈ [lo, hi] by interval arithmetic, asks for
/// lo ≤ f ≤ hi in a box around: the point must stay. Returns how many points were tried, how often a side got
/// narrower, and how often a far interval was refuted.
fn check(seed: u64, cases: usize, build: impl Fn(&mut Pool, NodeId, NodeId) -> NodeId) -> [usize; 3] {
    let mut random = Random(seed);
    let mut counts = [0; 3];
    for _ in 0..cases {
        let (x, y) = (number(&mut random), number(&mut random));
        let mut pool = Pool::new();
        let symbols = [pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1))];
        let f = build(&mut pool, symbols[0], symbols[1]);
        let at = |id: SymbolId| Interval::point(if id.0 == 0 { x } else { y });
        let Value::Number(value) = Program::new(&pool, &[f]).evaluate(at)[0] else {
            panic!("a number");
        };
        let on_doubles = Program::new(&pool, &[f]).numbers(|id: SymbolId| if id.0 == 0 { x } else { y })[0];
        if value.is_empty() || !value.is_bounded() || !on_doubles.is_finite() {
            continue;
        }
        // A point that rounding alone puts into the domain of f is no solution: asin(−1 − 1e-300).
        let point = VariableBox::from([
            (SymbolId(0), Interval::point(x)),
            (SymbolId(1), Interval::point(y)),
        ]);
        let lower = pool.number(value.lo() - value.magnitude().max(1.0));
        let certain = pool.subtract(f, lower);
        let certain = constraint(certain, Relation::Greater);
        if Contractor::new(&pool, &[certain]).unwrap().check(&point) != [Tri::True] {
            continue;
        }
        counts[0] += 1;
        let extra = [0.0, 0.0, 0.1, 1.0][random.below(4)];
        let [lo, hi] = [value.lo() - extra, value.hi() + extra].map(|end| pool.number(end));
        let (above, below) = (pool.subtract(f, lo), pool.subtract(f, hi));
        let constraints = [
            constraint(above, Relation::GreaterEqual),
            constraint(below, Relation::LessEqual),
        ];
        let region = VariableBox::from([
            (SymbolId(0), around(&mut random, x)),
            (SymbolId(1), around(&mut random, y)),
        ]);
        let Contracted::Box(left) = contract(&pool, &constraints, &region).unwrap() else {
            panic!("({x}, {y}) lost from {region:?}: f = {value:?}");
        };
        for (id, value) in [(SymbolId(0), x), (SymbolId(1), y)] {
            assert!(
                left[&id].contains(value),
                "{value} of ({x}, {y}) lost: {region:?} to {left:?}"
            );
            assert!(left[&id].is_subset(&region[&id]));
        }
        counts[1] += usize::from(left != region);
        // The same constraints the other way round: what holds at the point is never said to fail.
        let answers = Contractor::new(&pool, &constraints).unwrap().check(&left);
        assert!(answers.iter().all(|answer| *answer != Tri::False));
        // One of them negated: the box at the point alone holds no solution unless the value is at the end.
        let far = [constraint(above, Relation::Less)];
        if extra > 0.0 && extra > 1e-9 * value.magnitude() {
            assert_eq!(
                contract(&pool, &far, &point).unwrap(),
                Contracted::Empty,
                "({x}, {y})"
            );
            counts[2] += 1;
        }
    }
    counts
}

#[test]
fn no_solution_is_lost_by_any_function_of_one_number() {
    for (place, function) in [UnaryFunction::Negate]
        .iter()
        .chain(UnaryFunction::NAMED)
        .enumerate()
    {
        let counts = check(100 + place as u64, 4000, |pool, x, _| pool.unary(*function, x));
        assert!(
            counts[0] > 300 && counts[1] > 100 && counts[2] > 50,
            "{function:?}: {counts:?}"
        );
        // Of a sum, so that the argument is not a variable.
        check(200 + place as u64, 1000, |pool, x, y| {
            let sum = pool.add(x, y);
            pool.unary(*function, sum)
        });
    }
}

#[test]
fn no_solution_is_lost_by_any_function_of_two_numbers() {
    use BinaryFunction as F;
    let all = [
        F::Add,
        F::Subtract,
        F::Multiply,
        F::Divide,
        F::Power,
        F::Min,
        F::Max,
        F::Atan2,
    ];
    for (place, function) in all.into_iter().enumerate() {
        let counts = check(300 + place as u64, 6000, |pool, x, y| pool.binary(function, x, y));
        assert!(counts[0] > 500 && counts[1] > 100, "{function:?}: {counts:?}");
        check(400 + place as u64, 2000, |pool, x, _| pool.binary(function, x, x));
        for constant in [0.3, -1.7, 0.0, 2.5] {
            check(500 + place as u64, 800, |pool, x, _| {
                let constant = pool.literal(dyverse_expr::Literal::nearest(constant));
                pool.binary(function, x, constant)
            });
            check(600 + place as u64, 800, |pool, x, _| {
                let constant = pool.number(constant);
                pool.binary(function, constant, x)
            });
        }
    }
}

#[test]
fn no_solution_is_lost_by_integer_powers() {
    for n in [-7, -4, -3, -2, -1, 2, 3, 4, 5, 8, 31] {
        let counts = check((1000 + n) as u64, 3000, |pool, x, _| pool.integer_power(x, n));
        assert!(counts[0] > 300 && counts[1] > 100, "{n}: {counts:?}");
    }
}

/// A random expression; branches may be undefined where they are not taken.
fn random_expression(random: &mut Random, pool: &mut Pool, leaves: &[NodeId], depth: usize) -> NodeId {
    if depth == 0 {
        return if random.below(4) == 0 {
            pool.number(random.within(-2.0, 2.0))
        } else {
            leaves[random.below(leaves.len())]
        };
    }
    let a = random_expression(random, pool, leaves, depth - 1);
    let b = random_expression(random, pool, leaves, depth - 1);
    use BinaryFunction as F;
    match random.below(10) {
        0..=3 => {
            let all = [
                F::Add,
                F::Subtract,
                F::Multiply,
                F::Divide,
                F::Power,
                F::Min,
                F::Max,
                F::Atan2,
            ];
            pool.binary(all[random.below(all.len())], a, b)
        }
        4..=6 => {
            let function = UnaryFunction::NAMED[random.below(UnaryFunction::NAMED.len())];
            pool.unary(function, a)
        }
        7 => pool.integer_power(a, [2, 3, -1, -2][random.below(4)]),
        _ => {
            let c = random_condition(random, pool, leaves, depth - 1);
            pool.select(c, a, b)
        }
    }
}

fn random_condition(random: &mut Random, pool: &mut Pool, leaves: &[NodeId], depth: usize) -> NodeId {
    const ALL: [Relation; 6] = [
        Relation::Less,
        Relation::LessEqual,
        Relation::Greater,
        Relation::GreaterEqual,
        Relation::Equal,
        Relation::NotEqual,
    ];
    if depth == 0 || random.below(3) == 0 {
        let a = random_expression(random, pool, leaves, depth.min(1));
        let b = random_expression(random, pool, leaves, depth.min(1));
        return pool.compare(ALL[random.below(6)], a, b);
    }
    let a = random_condition(random, pool, leaves, depth - 1);
    let b = random_condition(random, pool, leaves, depth - 1);
    match random.below(3) {
        0 => pool.not(a),
        1 => pool.and(a, b),
        _ => pool.or(a, b),
    }
}

#[test]
fn no_solution_is_lost_by_random_expressions() {
    let mut totals = [0; 3];
    for seed in 0..1500 {
        let counts = check(7000 + seed, 12, |pool, x, y| {
            random_expression(&mut Random(seed), pool, &[x, y], 3)
        });
        (0..3).for_each(|k| totals[k] += counts[k]);
    }
    assert!(
        totals[0] > 5000 && totals[1] > 2000 && totals[2] > 1000,
        "{totals:?}"
    );
}

/// Conditions as they are: at a point where one is true, it is never contracted away, nor said to be false.
#[test]
fn no_solution_is_lost_by_random_conditions() {
    let mut random = Random(9);
    let mut held = 0;
    for _ in 0..8000 {
        let mut pool = Pool::new();
        let leaves = [pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1))];
        let c = random_condition(&mut random, &mut pool, &leaves, 3);
        let (x, y) = (number(&mut random), number(&mut random));
        let at = |id: SymbolId| Interval::point(if id.0 == 0 { x } else { y });
        let Value::Boolean(truth) = Program::new(&pool, &[c]).evaluate(at)[0] else {
            panic!("a truth value");
        };
        let region = VariableBox::from([
            (SymbolId(0), around(&mut random, x)),
            (SymbolId(1), around(&mut random, y)),
        ]);
        // A condition as a number: 1 where it holds, −1 where it does not.
        let ends = [pool.number(1.0), pool.number(-1.0)];
        let sign = pool.select(c, ends[0], ends[1]);
        let own = match truth {
            Tri::True => constraint(sign, Relation::Greater),
            Tri::False => constraint(sign, Relation::Less),
            Tri::Unknown => continue,
        };
        let opposite = constraint(sign, own.relation.negated());
        held += 1;
        let Contracted::Box(left) = contract(&pool, &[own], &region).unwrap() else {
            panic!("lost");
        };
        assert!(left[&SymbolId(0)].contains(x) && left[&SymbolId(1)].contains(y));
        assert_ne!(
            Contractor::new(&pool, &[own]).unwrap().check(&left)[0],
            Tri::False
        );
        assert_ne!(
            Contractor::new(&pool, &[opposite]).unwrap().check(&left)[0],
            Tri::True
        );
    }
    assert!(held > 4000, "{held}");
}

/// One constraint on x ∈ [lo, hi]; the box expected, to 1e-9.
fn narrows(
    build: impl Fn(&mut Pool, NodeId) -> NodeId,
    relation: Relation,
    side: [f64; 2],
    expected: [f64; 2],
) {
    let mut pool = Pool::new();
    let x = pool.symbol(SymbolId(0));
    let f = build(&mut pool, x);
    let region = VariableBox::from([(SymbolId(0), Interval::new(side[0], side[1]).unwrap())]);
    let Contracted::Box(left) = contract(&pool, &[constraint(f, relation)], &region).unwrap() else {
        panic!("empty");
    };
    let found = left[&SymbolId(0)];
    let is_close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(
        is_close(found.lo(), expected[0]) && is_close(found.hi(), expected[1]),
        "{found:?}"
    );
}

#[test]
fn contraction_is_as_sharp_as_the_inverse() {
    use Relation::{Equal, GreaterEqual, LessEqual};
    use UnaryFunction as F;
    let minus = |pool: &mut Pool, f, value: f64| {
        let value = pool.number(value);
        pool.subtract(f, value)
    };
    let unary = |function, value| {
        move |pool: &mut Pool, x| {
            let f = pool.unary(function, x);
            minus(pool, f, value)
        }
    };
    let inf = f64::INFINITY;
    let square = |pool: &mut Pool, x| {
        let f = pool.integer_power(x, 2);
        minus(pool, f, 4.0)
    };
    narrows(square, LessEqual, [-inf, inf], [-2.0, 2.0]);
    narrows(square, GreaterEqual, [-1.0, 5.0], [2.0, 5.0]);
    narrows(
        unary(F::Sin, 0.5),
        GreaterEqual,
        [0.0, PI],
        [PI / 6.0, 5.0 * PI / 6.0],
    );
    narrows(
        unary(F::Cos, 0.5),
        Equal,
        [10.0, 100.0],
        [11.0 * PI / 3.0, 95.0 * PI / 3.0],
    );
    narrows(
        unary(F::Tan, 1.0),
        Equal,
        [1.0, 9.0],
        [5.0 * PI / 4.0, 9.0 * PI / 4.0],
    );
    narrows(
        unary(F::Exp, 2.0),
        Equal,
        [-9.0, 9.0],
        [2.0_f64.ln(), 2.0_f64.ln()],
    );
    narrows(unary(F::Ln, 2.0), LessEqual, [-9.0, 9.0], [0.0, 2.0_f64.exp()]);
    narrows(unary(F::Sqrt, 2.0), LessEqual, [-9.0, 9.0], [0.0, 4.0]);
    narrows(
        unary(F::Sinh, -2.0),
        Equal,
        [-9.0, 9.0],
        [(-2.0_f64).asinh(), (-2.0_f64).asinh()],
    );
    narrows(
        unary(F::Cosh, 2.0),
        Equal,
        [-9.0, 9.0],
        [-2.0_f64.acosh(), 2.0_f64.acosh()],
    );
    narrows(
        unary(F::Tanh, 0.5),
        Equal,
        [-9.0, 9.0],
        [0.5_f64.atanh(), 0.5_f64.atanh()],
    );
    narrows(unary(F::Abs, 2.0), GreaterEqual, [-1.0, 9.0], [2.0, 9.0]);
    narrows(unary(F::Floor, 2.0), Equal, [-9.0, 9.0], [2.0, 3.0]);
    narrows(unary(F::Sign, 1.0), Equal, [-9.0, 9.0], [0.0, 9.0]);
}

/// `if x > 0 then ln(x) else 5` at negative x: the logarithm is undefined and does not matter.
#[test]
fn a_branch_that_is_not_taken_may_be_undefined() {
    let mut pool = Pool::new();
    let (x, zero, five) = (pool.symbol(SymbolId(0)), pool.number(0.0), pool.number(5.0));
    let above = pool.compare(Relation::Greater, x, zero);
    let ln = pool.unary(UnaryFunction::Ln, x);
    let f = pool.select(above, ln, five);
    let f = pool.subtract(f, five);
    let equals = constraint(f, Relation::Equal);
    let negative = VariableBox::from([(SymbolId(0), Interval::new(-2.0, -1.0).unwrap())]);
    assert_eq!(
        contract(&pool, &[equals], &negative).unwrap(),
        Contracted::Box(negative.clone())
    );
    assert_eq!(
        Contractor::new(&pool, &[equals]).unwrap().check(&negative),
        [Tri::True]
    );
    // Where the logarithm matters, neither ln x ≤ 0 nor ln x > 0 holds at negative x.
    for relation in [Relation::LessEqual, Relation::Greater] {
        let constraint = constraint(ln, relation);
        assert_eq!(
            contract(&pool, &[constraint], &negative).unwrap(),
            Contracted::Empty
        );
        assert_eq!(
            Contractor::new(&pool, &[constraint]).unwrap().check(&negative),
            [Tri::False]
        );
    }
}

#[test]
fn what_means_nothing_is_an_error() {
    let mut pool = Pool::new();
    let x = pool.symbol(SymbolId(0));
    let truth = pool.compare(Relation::Less, x, x);
    let nonsense = pool.unary(UnaryFunction::Sin, truth);
    let one = pool.number(1.0);
    let branching = pool.select(x, x, one);
    let region = VariableBox::new();
    let error = |constraint| contract(&pool, &[constraint], &region).unwrap_err();
    assert_eq!(
        error(constraint(truth, Relation::Less)),
        InvalidConstraint::NotANumber(truth)
    );
    assert_eq!(
        error(constraint(branching, Relation::Less)),
        InvalidConstraint::NotATruthValue(x)
    );
    assert_eq!(
        error(constraint(nonsense, Relation::Less)),
        InvalidConstraint::NotANumber(truth)
    );
    let small = Pool::new();
    let foreign = contract(&small, &[constraint(truth, Relation::Less)], &region).unwrap_err();
    assert_eq!(foreign, InvalidConstraint::NotInPool(truth));
    let empty = VariableBox::from([(SymbolId(9), Interval::EMPTY)]);
    assert_eq!(contract(&pool, &[], &empty).unwrap(), Contracted::Empty);
}
