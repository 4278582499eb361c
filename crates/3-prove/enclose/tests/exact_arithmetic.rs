//! Taylor models against exact numbers: the true value is always inside, and nothing that is lost looks like a number.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_enclose::{Basis, Formulas, StateSet, TaylorModel, VariableId};
use dyverse_expr::{Pool, SymbolId, UnaryFunction};
use dyverse_num::Interval;
use support::{Dyadic, Random, polynomial};

/// Unknowns in boxes, and a point of the cube with their values there.
struct Place {
    models: Vec<TaylorModel>,
    cube: Vec<Interval>,
    values: Vec<f64>,
    sizes: Vec<f64>,
}

/// Points of the cube are such that the variable's value there is a double: the ends, or the middle.
fn place(random: &mut Random, count: usize, degree: usize, centres: &dyn Fn(&mut Random) -> f64) -> Place {
    let basis = Basis::new(count, degree);
    let mut place = Place {
        models: Vec::new(),
        cube: Vec::new(),
        values: Vec::new(),
        sizes: Vec::new(),
    };
    for i in 0..count {
        let (centre, part) = (centres(random), random.between(0.0, 0.3));
        let half = [0.0, part, 1e-9, 2.0][random.below(4)] * centre.abs();
        let range = Interval::new(centre - half, centre + half).unwrap();
        let model = TaylorModel::variable(&basis, VariableId(i), range);
        // A variable's value at the cube's point p is centre + radius p: at 0 and ±1 exact enough to be named.
        let coefficients = model.coefficients();
        let radius = coefficients
            .get(1..)
            .and_then(|c| c.last())
            .copied()
            .unwrap_or(0.0);
        let at = [0.0, 1.0, -1.0][random.below(3)];
        place.values.push(model.centre());
        place.sizes.push(model.centre().abs() + radius);
        place.cube.push(Interval::point(at));
        place.models.push(model);
    }
    place
}

/// The exact value of a variable at its point.
fn exact(place: &Place, i: usize) -> Dyadic {
    let model = &place.models[i];
    let radius = if model.spread() > 0.0 {
        model.coefficients().iter().copied().rfind(|c| *c != 0.0).unwrap()
    } else {
        0.0
    };
    Dyadic::of(place.values[i]).plus(&Dyadic::of(radius).times(&Dyadic::of(place.cube[i].lo())))
}

#[test]
fn random_polynomials_hold_their_exact_values() {
    let mut random = Random(11);
    let mut narrow = 0;
    for round in 0..3000 {
        let count = 1 + random.below(3);
        let degree = 1 + random.below(6);
        let place = place(&mut random, count, degree, &|r| r.between(-3.0, 3.0));
        let point: Vec<Dyadic> = (0..count).map(|i| exact(&place, i)).collect();
        let mut pool = Pool::new();
        let made = polynomial(
            &mut pool,
            &mut random,
            &point,
            &place.sizes,
            &|r| r.between(-2.0, 2.0),
            4,
        );
        let found = Formulas::new(&pool, &[made.node]).on(&[], &place.models).unwrap();
        let value = found[0].at(&place.cube);
        assert!(
            made.exact.is_in(value.lo(), value.hi()),
            "round {round}: {value:?}"
        );
        let bound = found[0].bound();
        assert!(
            made.exact.is_in(bound.lo(), bound.hi()),
            "round {round}: {bound:?}"
        );
        // Not absurd: never wider than the sum of all sizes; nearly exact where nothing is cut off.
        assert!(
            bound.magnitude() <= 4.0 * made.size + 1e-9,
            "round {round}: {bound:?} {}",
            made.size
        );
        narrow += usize::from(value.width() <= 1e-12 * made.size.max(1e-300));
    }
    assert!(narrow > 1000, "{narrow} are narrow");
}

#[test]
fn huge_and_tiny_numbers_are_enclosed_or_refused() {
    let strange = |r: &mut Random| -> f64 {
        let sizes = [
            0.0, 5e-324, 1e-310, 2.2e-308, 1e-200, 1e-160, 1.0, 1e160, 1e200, 1e300, 1.7e308,
        ];
        let sign = [1.0, -1.0][r.below(2)];
        sign * sizes[r.below(sizes.len())] * r.between(0.5, 1.0)
    };
    let mut random = Random(5);
    let (mut enclosed, mut refused) = (0, 0);
    for round in 0..3000 {
        let count = 1 + random.below(2);
        let centres = |r: &mut Random| 0.2 * strange(r);
        let place = place(&mut random, count, 3, &centres);
        let point: Vec<Dyadic> = (0..count).map(|i| exact(&place, i)).collect();
        let mut pool = Pool::new();
        let made = polynomial(&mut pool, &mut random, &point, &place.sizes, &strange, 3);
        match Formulas::new(&pool, &[made.node]).on(&[], &place.models) {
            Ok(found) => {
                enclosed += 1;
                let (value, bound) = (found[0].at(&place.cube), found[0].bound());
                for held in [value, bound] {
                    assert!(!held.is_empty() && !held.lo().is_nan() && !held.hi().is_nan());
                    assert!(made.exact.is_in(held.lo(), held.hi()), "round {round}: {held:?}");
                }
            }
            Err(_) => refused += 1,
        }
    }
    assert!(enclosed > 1000 && refused > 100, "{enclosed} {refused}");
}

/// A function, where it is asked, and its value.
type Known = (UnaryFunction, f64, f64, fn(f64) -> f64);

const FUNCTIONS: [Known; 12] = [
    (UnaryFunction::Sqrt, 0.1, 50.0, f64::sqrt),
    (UnaryFunction::Sin, -20.0, 20.0, f64::sin),
    (UnaryFunction::Cos, -20.0, 20.0, f64::cos),
    (UnaryFunction::Tan, -1.2, 1.2, f64::tan),
    (UnaryFunction::Asin, -0.9, 0.9, f64::asin),
    (UnaryFunction::Acos, -0.9, 0.9, f64::acos),
    (UnaryFunction::Atan, -10.0, 10.0, f64::atan),
    (UnaryFunction::Sinh, -5.0, 5.0, f64::sinh),
    (UnaryFunction::Cosh, -5.0, 5.0, f64::cosh),
    (UnaryFunction::Tanh, -5.0, 5.0, f64::tanh),
    (UnaryFunction::Exp, -10.0, 10.0, f64::exp),
    (UnaryFunction::Ln, 0.1, 50.0, f64::ln),
];

#[test]
fn functions_of_models_hold_their_values() {
    let mut random = Random(3);
    for (function, low, high, truth) in FUNCTIONS {
        let mut refused = 0;
        for _ in 0..400 {
            let degree = 1 + random.below(7);
            let basis = Basis::new(2, degree);
            let centre = random.between(low, high);
            let most = (centre - low).min(high - centre);
            let half = [1e-6, 0.05, 0.5][random.below(3)] * most;
            let a = TaylorModel::variable(
                &basis,
                VariableId(0),
                Interval::new(centre - half, centre + half).unwrap(),
            );
            let b = TaylorModel::variable(
                &basis,
                VariableId(1),
                Interval::new(-0.4 * half, 0.4 * half).unwrap(),
            );
            let mut pool = Pool::new();
            let [x, y] = [0, 1].map(|i| pool.symbol(SymbolId(i)));
            let sum = pool.add(x, y);
            let node = pool.unary(function, sum);
            let Ok(found) = Formulas::new(&pool, &[node]).on(&[], &[a.clone(), b.clone()]) else {
                refused += 1;
                continue;
            };
            for _ in 0..10 {
                let cube = [0, 1].map(|_| Interval::point(random.between(-1.0, 1.0)));
                let argument = a.at(&cube).mid().unwrap() + b.at(&cube).mid().unwrap();
                let value = truth(argument);
                // The argument is rounded, and so is the library's value.
                let slope = (truth(argument + 1e-7) - truth(argument - 1e-7)).abs() / 2e-7;
                let error = 4e-16 * (value.abs() + slope * argument.abs() + slope + 1e-3) * 4.0;
                let held = found[0].at(&cube) + Interval::new(-error, error).unwrap();
                assert!(held.contains(value), "{function:?} {argument}: {held:?} {value}");
            }
            // As good as Taylor's formula of this degree: at most what the first order leaves, for small boxes.
            if half <= 1e-6 * most {
                let size = truth(centre).abs().max(1.0);
                assert!(
                    found[0].remainder().width() <= 1e-6 * size,
                    "{function:?}: {:?}",
                    found[0].remainder()
                );
            }
        }
        assert!(refused < 200, "{function:?}: {refused}");
    }
}

#[test]
fn outside_its_domain_a_function_is_refused() {
    let cases = [
        (UnaryFunction::Sqrt, -1.0, 1.0),
        (UnaryFunction::Sqrt, 0.0, 1.0),
        (UnaryFunction::Ln, 0.0, 1.0),
        (UnaryFunction::Ln, -2.0, -1.0),
        (UnaryFunction::Tan, 1.0, 2.0),
        (UnaryFunction::Tan, -50.0, 50.0),
        (UnaryFunction::Asin, 0.5, 1.0),
        (UnaryFunction::Acos, -1.5, 0.0),
        (UnaryFunction::Exp, 0.0, 1e4),
        (UnaryFunction::Cosh, 0.0, 1e4),
        (UnaryFunction::Abs, -1.0, 1.0),
        (UnaryFunction::Floor, 0.5, 1.5),
        (UnaryFunction::Sign, -1.0, 1.0),
    ];
    for (function, low, high) in cases {
        let basis = Basis::new(1, 4);
        let x = TaylorModel::variable(&basis, VariableId(0), Interval::new(low, high).unwrap());
        let mut pool = Pool::new();
        let symbol = pool.symbol(SymbolId(0));
        let node = pool.unary(function, symbol);
        let found = Formulas::new(&pool, &[node]).on(&[], &[x]);
        assert!(found.is_err(), "{function:?} on [{low}, {high}]: {found:?}");
    }
    // A divisor that may be zero, and one that is a very small number.
    let basis = Basis::new(1, 4);
    let mut pool = Pool::new();
    let (one, x) = (pool.number(1.0), pool.symbol(SymbolId(0)));
    let node = pool.divide(one, x);
    for (low, high) in [
        (-1.0, 1.0),
        (0.0, 0.0),
        (0.0, 5e-324),
        (-5e-324, 1.0),
        (5e-324, 1e-310),
    ] {
        let model = TaylorModel::variable(&basis, VariableId(0), Interval::new(low, high).unwrap());
        let found = Formulas::new(&pool, &[node]).on(&[], &[model]);
        assert!(found.is_err(), "1/[{low}, {high}]: {found:?}");
    }
}

#[test]
fn points_of_a_set_stay_in_it_under_linear_maps() {
    let mut random = Random(21);
    for _ in 0..60 {
        let n = 2 + random.below(3);
        let basis = Basis::new(2, 3);
        let models: Vec<TaylorModel> = (0..n)
            .map(|_| {
                let coefficients: Vec<f64> = (0..basis.len()).map(|_| random.between(-1.0, 1.0)).collect();
                let rest = Interval::new(-random.between(0.0, 0.1), random.between(0.0, 0.1)).unwrap();
                TaylorModel::from_parts(&basis, coefficients, rest)
            })
            .collect();
        let mut set = StateSet::new(&models);
        // Points: the polynomial at a point of the cube, and something of the rest.
        let cubes: Vec<[Interval; 2]> = (0..6)
            .map(|_| [0, 1].map(|_| Interval::point(random.between(-1.0, 1.0))))
            .collect();
        let mut points: Vec<Vec<f64>> = cubes
            .iter()
            .map(|cube| {
                let of = |m: &TaylorModel| {
                    let rest = m.remainder();
                    m.polynomial().at(cube).mid().unwrap() + [rest.lo(), rest.hi(), 0.0][random.below(3)]
                };
                models.iter().map(of).collect()
            })
            .collect();
        let (mut growth, before) = (1.0, set.rest().iter().map(Interval::width).fold(0.0, f64::max));
        for _ in 0..12 {
            let matrix: Vec<Vec<f64>> = (0..n)
                .map(|_| (0..n).map(|_| random.between(-0.9, 0.9)).collect())
                .collect();
            let mut pool = Pool::new();
            let rows: Vec<_> = matrix
                .iter()
                .map(|row| {
                    let mut sum = pool.number(0.0);
                    for (j, c) in row.iter().enumerate() {
                        let (c, x) = (pool.number(*c), pool.symbol(SymbolId(j as u32)));
                        let term = pool.multiply(c, x);
                        sum = pool.add(sum, term);
                    }
                    sum
                })
                .collect();
            set = Formulas::new(&pool, &rows).reset(&set, &[]).unwrap();
            for point in &mut points {
                *point = matrix
                    .iter()
                    .map(|row| row.iter().zip(point.iter()).map(|(c, x)| c * x).sum())
                    .collect();
            }
            growth *= matrix
                .iter()
                .map(|row| row.iter().map(|c| c * c).sum::<f64>())
                .sum::<f64>()
                .sqrt()
                .max(1.0);
            let whole = set.whole();
            for (point, cube) in points.iter().zip(&cubes) {
                for (model, x) in whole.iter().zip(point) {
                    let held = model.at(cube) + Interval::new(-1e-12, 1e-12).unwrap();
                    assert!(held.contains(*x), "{held:?} {x}");
                }
            }
        }
        // Frobenius' norm bounds every growth; the frame may cost a factor.
        let after = set.rest().iter().map(Interval::width).fold(0.0, f64::max);
        assert!(
            after <= 50.0 * growth * (before + 1e-9),
            "{after} {growth} {before}"
        );
    }
}
