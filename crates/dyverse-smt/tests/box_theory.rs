//! The solver with constraints over boxes: sampled truth, witnesses checked, conflicts proved again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use std::collections::BTreeSet;

use dyverse_expr::{NodeId, Pool, Program, Relation, SymbolId, UnaryFunction};
use dyverse_num::{Interval, Tri};
use dyverse_smt::{
    BoxOptions, BoxTheory, Constraint, Contractor, Decision, Formula, Outcome, SmtOptions, Solver, Theory,
    VariableBox,
};
use support::Random;

const RELATIONS: [Relation; 6] = [
    Relation::Less,
    Relation::LessEqual,
    Relation::Greater,
    Relation::GreaterEqual,
    Relation::Equal,
    Relation::NotEqual,
];

fn cube(variables: usize, lo: f64, hi: f64) -> VariableBox {
    let side = Interval::new(lo, hi).unwrap();
    (0..variables).map(|k| (SymbolId(k as u32), side)).collect()
}

/// A polynomial with small whole coefficients, so that doubles at small whole points are exact.
fn polynomial(random: &mut Random, pool: &mut Pool, variables: usize, degree: usize) -> NodeId {
    let mut sum = pool.number(random.below(9) as f64 - 4.0);
    for _ in 0..2 + random.below(3) {
        let mut term = pool.number(random.below(7) as f64 - 3.0);
        for _ in 0..1 + random.below(degree) {
            let symbol = pool.symbol(SymbolId(random.below(variables) as u32));
            term = pool.multiply(term, symbol);
        }
        sum = pool.add(sum, term);
    }
    sum
}

/// Clauses of `expression ∘ 0`.
type Problem = Vec<Vec<(NodeId, Relation)>>;

fn random_problem(random: &mut Random, pool: &mut Pool, variables: usize, degree: usize) -> Problem {
    let expressions: Vec<NodeId> = (0..2 + random.below(3))
        .map(|_| polynomial(random, pool, variables, degree))
        .collect();
    (0..2 + random.below(4))
        .map(|_| {
            (0..1 + random.below(3))
                .map(|_| {
                    (
                        expressions[random.below(expressions.len())],
                        RELATIONS[random.below(6)],
                    )
                })
                .collect()
        })
        .collect()
}

fn as_formula(theory: &mut BoxTheory, problem: &Problem) -> Formula {
    let clauses: Vec<Formula> = problem
        .iter()
        .map(|clause| {
            let literals = clause.iter().map(|(e, r)| theory.constraint(*e, *r).unwrap());
            Formula::any(literals.collect::<Vec<_>>())
        })
        .collect();
    Formula::all(clauses)
}

fn holds(relation: Relation, value: f64) -> bool {
    match relation {
        Relation::Less => value < 0.0,
        Relation::LessEqual => value <= 0.0,
        Relation::Greater => value > 0.0,
        Relation::GreaterEqual => value >= 0.0,
        Relation::Equal => value == 0.0,
        Relation::NotEqual => value != 0.0,
    }
}

/// Does the problem hold at this point, by exact arithmetic on whole numbers?
fn holds_at(pool: &Pool, problem: &Problem, point: &[f64]) -> bool {
    problem.iter().all(|clause| {
        clause.iter().any(|(e, r)| {
            let value = Program::new(pool, &[*e]).numbers(|id: SymbolId| point[id.0 as usize])[0];
            holds(*r, value)
        })
    })
}

/// An equation has a zero in the box if its values at two corners have different signs; the rest is checked directly.
fn is_witness(theory: &BoxTheory, literals: &[dyverse_smt::Literal], witness: &VariableBox) -> bool {
    literals.iter().all(|literal| {
        let dyverse_smt::Atom::Constraint { id, variables } = &literal.atom else {
            return true;
        };
        let constraint = theory
            .constraint_of(dyverse_smt::TheoryLiteral {
                atom: *id,
                is_positive: literal.is_positive,
            })
            .unwrap();
        let answer = Contractor::new(theory.pool(), &[constraint])
            .unwrap()
            .check(witness)[0];
        let is_equation = matches!(
            constraint,
            Constraint::Number {
                relation: Relation::Equal,
                ..
            }
        );
        let is_inside = witness
            .iter()
            .all(|(id, side)| side.is_subset(&theory.region()[id]));
        let widest = variables.iter().map(|v| witness[v].width()).fold(0.0, f64::max);
        let is_narrow = !is_equation || answer == Tri::True || widest < 1e-6;
        is_inside && is_narrow && (answer == Tri::True || (is_equation && answer == Tri::Unknown))
    })
}

/// All points of the cube with coordinates that are quarters: values are exact in doubles.
fn grid(variables: usize) -> impl Iterator<Item = Vec<f64>> {
    const STEPS: usize = 33;
    (0..STEPS.pow(variables as u32)).map(move |number| {
        let coordinate = |k: usize| number / STEPS.pow(k as u32) % STEPS;
        (0..variables).map(|k| coordinate(k) as f64 / 4.0 - 4.0).collect()
    })
}

fn random_problems(seed: u64, cases: usize, degree: usize, variables: usize) -> [usize; 3] {
    let mut random = Random(seed);
    let mut counts = [0; 3];
    for case in 0..cases {
        let mut pool = Pool::new();
        let problem = random_problem(&mut random, &mut pool, variables, degree);
        let mut theory = BoxTheory::with_options(
            pool.clone(),
            cube(variables, -4.0, 4.0),
            BoxOptions {
                most_boxes: 600,
                ..BoxOptions::default()
            },
        );
        let mut solver = Solver::default();
        let formula = as_formula(&mut theory, &problem);
        solver.assert(&formula);
        let outcome = solver.satisfy(&mut theory, None);
        match &outcome {
            Outcome::Satisfied { literals, witness } => {
                counts[0] += 1;
                assert!(is_witness(&theory, literals, witness), "case {case}: {witness:?}");
            }
            Outcome::Unsatisfiable => {
                counts[1] += 1;
                let mut grid = grid(variables);
                assert!(
                    grid.all(|point| !holds_at(&pool, &problem, &point)),
                    "case {case}"
                );
            }
            Outcome::Unknown { reasons } => {
                counts[2] += 1;
                assert!(!reasons.is_empty());
            }
        }
        // Each conflict is refuted when asked about alone, and by all samples.
        for core in solver.conflicts() {
            let constraints = core.iter().map(|l| theory.constraint_of(*l).unwrap());
            let alone: Problem = constraints
                .map(|constraint| match constraint {
                    Constraint::Number { expression, relation } => vec![(expression, relation)],
                    Constraint::Truth { .. } => panic!("only numbers here"),
                })
                .collect();
            assert!(
                grid(variables).all(|point| !holds_at(&pool, &alone, &point)),
                "case {case}"
            );
            let decision = theory.decide(core);
            assert!(
                matches!(decision, Decision::Infeasible { .. }),
                "case {case}: {core:?}"
            );
        }
    }
    counts
}

#[test]
fn random_linear_problems_against_samples() {
    let counts = random_problems(11, 300, 1, 2);
    assert!(counts[0] > 100 && counts[1] > 20 && counts[2] < 30, "{counts:?}");
}

#[test]
fn random_polynomial_problems_against_samples() {
    let counts = random_problems(12, 250, 3, 2);
    assert!(counts[0] > 100 && counts[1] > 15 && counts[2] < 50, "{counts:?}");
    let counts = random_problems(13, 80, 2, 3);
    assert!(counts[0] > 40, "{counts:?}");
}

/// n + 1 numbers in n unit cells, no two in the same cell: impossible; with n numbers possible.
fn pigeons(count: usize, cells: usize) -> (Outcome<VariableBox>, Solver) {
    let mut pool = Pool::new();
    let (mut solver, mut in_cell) = (Solver::default(), Vec::new());
    let bounds: Vec<NodeId> = (0..=cells).map(|cell| pool.number(cell as f64)).collect();
    for pigeon in 0..count {
        let x = pool.symbol(SymbolId(pigeon as u32));
        let edges: Vec<NodeId> = bounds.iter().map(|bound| pool.subtract(x, *bound)).collect();
        in_cell.push(edges);
    }
    let mut theory = BoxTheory::new(pool, cube(count, 0.0, cells as f64 - 1e-3));
    let cell_of = |theory: &mut BoxTheory, pigeon: usize, cell: usize| {
        let from = theory
            .constraint(in_cell[pigeon][cell], Relation::GreaterEqual)
            .unwrap();
        let to = theory
            .constraint(in_cell[pigeon][cell + 1], Relation::Less)
            .unwrap();
        Formula::all([from, to])
    };
    for cell in 0..cells {
        for one in 0..count {
            for other in 0..one {
                let both = [cell_of(&mut theory, one, cell), cell_of(&mut theory, other, cell)];
                solver.assert(&Formula::all(both).not());
            }
        }
    }
    let outcome = solver.satisfy(&mut theory, Some(0.0));
    (outcome, solver)
}

#[test]
fn pigeons_in_cells_of_a_line() {
    assert!(matches!(pigeons(3, 3).0, Outcome::Satisfied { .. }));
    let (outcome, solver) = pigeons(4, 3);
    assert_eq!(outcome, Outcome::Unsatisfiable);
    let figures = solver.statistics();
    // Conflicts are about one number each, hence short.
    assert!(
        figures.conflicts_by_length.keys().all(|length| *length <= 3),
        "{figures:?}"
    );
}

#[test]
fn cores_are_the_constraints_to_blame() {
    let mut pool = Pool::new();
    let [x, y, z] = [0, 1, 2].map(|k| pool.symbol(SymbolId(k)));
    let one = pool.number(1.0);
    let (left, sum) = (pool.add(x, one), pool.add(x, y));
    let above = pool.subtract(x, one);
    let mut theory = BoxTheory::new(pool, cube(3, -10.0, 10.0));
    let mut solver = Solver::default();
    let mut add = |e, r| solver.assert(&theory.constraint(e, r).unwrap());
    add(left, Relation::LessEqual); // x ≤ −1
    add(sum, Relation::LessEqual);
    add(z, Relation::Greater);
    add(above, Relation::GreaterEqual); // x ≥ 1
    assert_eq!(solver.satisfy(&mut theory, None), Outcome::Unsatisfiable);
    assert_eq!(solver.conflicts().len(), 1);
    let core: BTreeSet<NodeId> = solver.conflicts()[0]
        .iter()
        .map(|l| theory.constraint_of(*l).unwrap().node())
        .collect();
    assert_eq!(core, BTreeSet::from([left, above]));
}

#[test]
fn limits_on_boxes_end_in_unknown() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1)));
    // sin(x) y + cos(y) x ≥ 19.5: not decided without halving.
    let sine = pool.unary(UnaryFunction::Sin, x);
    let cosine = pool.unary(UnaryFunction::Cos, y);
    let (p, q) = (pool.multiply(sine, y), pool.multiply(cosine, x));
    let (sum, bound) = (pool.add(p, q), pool.number(19.5));
    let f = pool.subtract(sum, bound);
    let options = BoxOptions {
        most_boxes: 2,
        ..BoxOptions::default()
    };
    let mut theory = BoxTheory::with_options(pool, cube(2, -10.0, 10.0), options);
    let mut solver = Solver::new(SmtOptions::default());
    solver.assert(&theory.constraint(f, Relation::GreaterEqual).unwrap());
    assert!(matches!(
        solver.satisfy(&mut theory, None),
        Outcome::Unknown { .. }
    ));
}

#[test]
fn conditions_of_a_pool_become_formulas() {
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1)));
    let less = pool.compare(Relation::Less, x, y);
    let equal = pool.compare(Relation::Equal, x, y);
    let either = pool.or(less, equal);
    let neither = pool.not(either);
    let mut theory = BoxTheory::new(pool, cube(2, 0.0, 1.0));
    let (either, neither) = (
        theory.condition(either).unwrap(),
        theory.condition(neither).unwrap(),
    );
    assert!(theory.condition(x).is_err());
    let mut solver = Solver::default();
    solver.assert(&neither);
    assert!(matches!(
        solver.satisfy(&mut theory, None),
        Outcome::Satisfied { .. }
    ));
    solver.assert(&either);
    assert_eq!(solver.satisfy(&mut theory, None), Outcome::Unsatisfiable);
}

/// φ ∧ Dom tested and withdrawn, as in bounded model checking; the path's formula stays.
#[test]
fn a_path_grows_step_by_step() {
    let mut pool = Pool::new();
    let half = pool.number(0.5);
    let x: Vec<NodeId> = (0..8).map(|k| pool.symbol(SymbolId(k))).collect();
    // x' = x/2, from x ∈ [1, 2]; the domain is x ≥ 0.1.
    let steps: Vec<NodeId> = (1..8)
        .map(|k| {
            let next = pool.multiply(half, x[k - 1]);
            pool.subtract(x[k], next)
        })
        .collect();
    let tenth = pool.number(0.1);
    let domains: Vec<NodeId> = x.iter().map(|x| pool.subtract(*x, tenth)).collect();
    let mut region = cube(8, -10.0, 10.0);
    region.insert(SymbolId(0), Interval::new(1.0, 2.0).unwrap());
    let mut theory = BoxTheory::new(pool, region);
    let mut solver = Solver::default();
    let mut left = Vec::new();
    for k in 1..8 {
        solver.assert(&theory.constraint(steps[k - 1], Relation::Equal).unwrap());
        solver.push();
        solver.assert(&theory.constraint(domains[k], Relation::GreaterEqual).unwrap());
        let outcome = solver.satisfy(&mut theory, Some(k as f64));
        assert!(!matches!(outcome, Outcome::Unknown { .. }), "{k}: {outcome:?}");
        left.push(matches!(outcome, Outcome::Satisfied { .. }));
        assert!(solver.pop());
    }
    // 2/2^k ≥ 0.1 up to k = 4.
    assert_eq!(left, [true, true, true, true, false, false, false]);
    assert_eq!(solver.statistics().calls.len(), 7);
}

#[test]
fn the_same_problem_gives_the_same_witness_and_figures() {
    let run = || {
        let mut random = Random(21);
        let mut pool = Pool::new();
        let problem = random_problem(&mut random, &mut pool, 3, 2);
        let mut theory = BoxTheory::new(pool, cube(3, -4.0, 4.0));
        let mut solver = Solver::default();
        let formula = as_formula(&mut theory, &problem);
        solver.assert(&formula);
        let outcome = solver.satisfy(&mut theory, Some(0.5));
        (
            format!("{outcome:?}"),
            solver.statistics(),
            solver.conflicts().to_vec(),
        )
    };
    assert_eq!(run(), run());
}
