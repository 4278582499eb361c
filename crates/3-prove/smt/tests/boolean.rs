//! Formulas without and with a finite theory, against tables of all cases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use std::collections::{BTreeMap, BTreeSet};

use dyverse_smt::{
    Atom, AtomId, Decision, Formula, Literal, Outcome, SmtOptions, Solver, Theory, TheoryLiteral,
    UnknownReason,
};
use support::Random;

/// A theory over finitely many points: each constraint holds at some, fails at some, is undefined at others.
struct Table {
    points: usize,
    /// By constraint and point: 0 fails, 1 holds, 2 undefined.
    values: Vec<Vec<u8>>,
    /// Constraints about which the theory says that it does not know.
    silent: BTreeSet<AtomId>,
    /// Whether conflicts are short: else all that was asked about.
    is_short: bool,
    calls: u64,
}

impl Table {
    fn random(random: &mut Random, constraints: usize, points: usize, undefined: bool) -> Self {
        let kinds = if undefined { 3 } else { 2 };
        let row = |random: &mut Random| (0..points).map(|_| random.below(kinds) as u8).collect();
        Table {
            points,
            values: (0..constraints).map(|_| row(random)).collect(),
            silent: BTreeSet::new(),
            is_short: random.flip(),
            calls: 0,
        }
    }
    fn holds(&self, literal: TheoryLiteral, point: usize) -> bool {
        self.values[literal.atom.0 as usize][point] == u8::from(literal.is_positive)
    }
    fn point(&self, literals: &[TheoryLiteral]) -> Option<usize> {
        (0..self.points).find(|point| literals.iter().all(|l| self.holds(*l, *point)))
    }
}

impl Theory for Table {
    type Witness = usize;
    fn decide(&mut self, literals: &[TheoryLiteral]) -> Decision<usize> {
        self.calls += 1;
        if literals.iter().any(|l| self.silent.contains(&l.atom)) {
            return Decision::Unknown {
                reason: "silent".to_owned(),
            };
        }
        if let Some(point) = self.point(literals) {
            return Decision::Feasible(point);
        }
        let mut core: Vec<usize> = (0..literals.len()).collect();
        for place in (0..literals.len()).rev().filter(|_| self.is_short) {
            let part: Vec<usize> = core.iter().copied().filter(|p| *p != place).collect();
            let kept: Vec<TheoryLiteral> = part.iter().map(|p| literals[*p]).collect();
            if self.point(&kept).is_none() {
                core = part;
            }
        }
        Decision::Infeasible { core }
    }
}

fn constraint(id: usize) -> Formula {
    Literal::positive(Atom::constraint(AtomId(id as u32))).into()
}

/// A random formula and its value as a function of Booleans and a point.
type Meaning = Box<dyn Fn(&[bool], &dyn Fn(usize, bool) -> bool) -> bool>;
fn random_formula(
    random: &mut Random,
    booleans: usize,
    constraints: usize,
    depth: usize,
) -> (Formula, Meaning) {
    if depth == 0 || random.below(5) == 0 {
        let sign = random.flip();
        let pick = random.below(booleans + constraints);
        let formula = if pick < booleans {
            Formula::boolean(&format!("b{pick}"))
        } else {
            constraint(pick - booleans)
        };
        let formula = if sign { formula } else { formula.not() };
        let meaning: Meaning = if pick < booleans {
            Box::new(move |b, _| b[pick] == sign)
        } else {
            Box::new(move |_, holds| holds(pick - booleans, sign))
        };
        return (formula, meaning);
    }
    let count = 1 + random.below(4);
    let (formulas, meanings): (Vec<Formula>, Vec<Meaning>) = (0..count)
        .map(|_| random_formula(random, booleans, constraints, depth - 1))
        .unzip();
    if random.flip() {
        (
            Formula::all(formulas),
            Box::new(move |b, h| meanings.iter().all(|m| m(b, h))),
        )
    } else {
        (
            Formula::any(formulas),
            Box::new(move |b, h| meanings.iter().any(|m| m(b, h))),
        )
    }
}

fn brute_force<'a>(meanings: impl IntoIterator<Item = &'a Meaning>, booleans: usize, table: &Table) -> bool {
    let meanings: Vec<&Meaning> = meanings.into_iter().collect();
    (0..1_usize << booleans).any(|mask| {
        let values: Vec<bool> = (0..booleans).map(|k| mask >> k & 1 == 1).collect();
        (0..table.points).any(|point| {
            let holds = |id: usize, is_positive: bool| {
                let atom = AtomId(id as u32);
                table.holds(TheoryLiteral { atom, is_positive }, point)
            };
            meanings.iter().all(|m| m(&values, &holds))
        })
    })
}

fn is_satisfied(outcome: &Outcome<usize>) -> bool {
    match outcome {
        Outcome::Satisfied { .. } => true,
        Outcome::Unsatisfiable => false,
        Outcome::Unknown { reasons } => panic!("{reasons:?}"),
    }
}

#[test]
fn random_clauses_without_theory_against_truth_tables() {
    let mut random = Random(1);
    let (mut satisfiable, cases) = (0, 600);
    for _ in 0..cases {
        let variables = 3 + random.below(6);
        let clauses: Vec<Vec<(usize, bool)>> = (0..4 * variables + random.below(12))
            .map(|_| (0..3).map(|_| (random.below(variables), random.flip())).collect())
            .collect();
        let expected = (0..1_usize << variables).any(|mask| {
            let holds = |(v, sign): &(usize, bool)| (mask >> v & 1 == 1) == *sign;
            clauses.iter().all(|clause| clause.iter().any(holds))
        });
        let mut solver = Solver::default();
        for clause in &clauses {
            let literals = clause.iter().map(|(v, sign)| {
                let b = Formula::boolean(&format!("b{v}"));
                if *sign { b } else { b.not() }
            });
            solver.assert(&Formula::any(literals));
        }
        let outcome = solver.satisfy(&mut Table::random(&mut random, 0, 1, false), None);
        assert_eq!(is_satisfied(&outcome), expected);
        if let Outcome::Satisfied { literals, .. } = outcome {
            satisfiable += 1;
            let values: BTreeMap<Atom, bool> =
                literals.into_iter().map(|l| (l.atom, l.is_positive)).collect();
            for clause in &clauses {
                let holds = |(v, sign): &(usize, bool)| {
                    values
                        .get(&Atom::boolean(&format!("b{v}")))
                        .is_none_or(|value| value == sign)
                };
                assert!(clause.iter().any(holds));
            }
        }
    }
    assert!(
        satisfiable > cases / 10 && satisfiable < cases * 9 / 10,
        "{satisfiable}"
    );
}

/// With undefined constraints as well; conflicts short and long; named parts and distributed ones.
#[test]
fn random_formulas_over_a_finite_theory_against_all_cases() {
    let mut random = Random(2);
    let mut counts = [0, 0];
    for case in 0..1500 {
        let (booleans, constraints) = (random.below(4), 1 + random.below(6));
        let points = 1 + random.below(4);
        let mut table = Table::random(&mut random, constraints, points, case % 2 == 0);
        let mut solver = Solver::new(SmtOptions {
            most_distributed: [1, 4, 64][random.below(3)],
            ..SmtOptions::default()
        });
        let (mut formulas, mut meanings) = (Vec::new(), Vec::new());
        for _ in 0..1 + random.below(6) {
            let (formula, meaning) = random_formula(&mut random, booleans, constraints, 4);
            solver.assert(&formula);
            formulas.push(formula);
            meanings.push(meaning);
        }
        let expected = brute_force(&meanings, booleans, &table);
        let outcome = solver.satisfy(&mut table, None);
        assert_eq!(is_satisfied(&outcome), expected, "case {case}: {formulas:?}");
        counts[usize::from(expected)] += 1;
        if let Outcome::Satisfied { literals, witness } = outcome {
            let value = |name: String| {
                let found = literals.iter().find(|l| l.atom == Atom::boolean(&name));
                found.is_some_and(|l| l.is_positive)
            };
            let values: Vec<bool> = (0..booleans).map(|k| value(format!("b{k}"))).collect();
            let holds = |id: usize, is_positive: bool| {
                let atom = AtomId(id as u32);
                table.holds(TheoryLiteral { atom, is_positive }, witness)
            };
            assert!(meanings.iter().all(|m| m(&values, &holds)), "case {case}");
        }
        // Every learnt conflict is one.
        for core in solver.conflicts() {
            assert!(table.point(core).is_none(), "case {case}: {core:?}");
        }
    }
    assert!(counts[0] > 200 && counts[1] > 200, "{counts:?}");
}

/// A constraint that is nowhere defined: both it and its negation are refuted, and the rest still holds.
#[test]
fn an_undefined_constraint_refutes_only_itself() {
    let mut table = Table {
        points: 1,
        values: vec![vec![2], vec![1], vec![1]],
        silent: BTreeSet::new(),
        is_short: true,
        calls: 0,
    };
    let [c, b, d] = [0, 1, 2].map(constraint);
    let mut solver = Solver::default();
    solver.assert(&Formula::any([c.clone(), b]));
    solver.assert(&Formula::any([c.clone().not(), d]));
    assert!(is_satisfied(&solver.satisfy(&mut table, None)));
    solver.assert(&Formula::any([c.clone(), c.not()]));
    assert!(!is_satisfied(&solver.satisfy(&mut table, None)));
}

#[test]
fn unknown_is_never_unsatisfiable() {
    let mut random = Random(3);
    let mut unknown = 0;
    for case in 0..800 {
        let constraints = 2 + random.below(4);
        let points = 1 + random.below(3);
        let mut table = Table::random(&mut random, constraints, points, false);
        table.silent.insert(AtomId(random.below(constraints) as u32));
        let mut solver = Solver::default();
        let mut meanings = Vec::new();
        for _ in 0..1 + random.below(5) {
            let (formula, meaning) = random_formula(&mut random, 2, constraints, 3);
            solver.assert(&formula);
            meanings.push(meaning);
        }
        let expected = brute_force(&meanings, 2, &table);
        for _ in 0..2 {
            match solver.satisfy(&mut table, None) {
                Outcome::Satisfied { .. } => assert!(expected, "case {case}"),
                Outcome::Unsatisfiable => assert!(!expected, "case {case}"),
                Outcome::Unknown { reasons } => {
                    unknown += 1;
                    assert_eq!(
                        reasons,
                        BTreeSet::from([UnknownReason::Theory("silent".to_owned())])
                    );
                }
            }
        }
        // When the theory comes to know, so does the solver: nothing unknown was learnt.
        table.silent.clear();
        assert_eq!(
            is_satisfied(&solver.satisfy(&mut table, None)),
            expected,
            "case {case}"
        );
    }
    assert!(unknown > 50, "{unknown}");
}

#[test]
fn one_unknown_way_does_not_hide_another_that_is_feasible() {
    let mut table = Table {
        points: 1,
        values: vec![vec![1], vec![1]],
        silent: BTreeSet::from([AtomId(0)]),
        is_short: false,
        calls: 0,
    };
    for order in [[0, 1], [1, 0]] {
        let mut solver = Solver::default();
        solver.assert(&Formula::any(order.map(constraint)));
        assert!(is_satisfied(&solver.satisfy(&mut table, None)));
    }
    let mut solver = Solver::default();
    solver.assert(&constraint(0));
    let Outcome::Unknown { reasons } = solver.satisfy(&mut table, None) else {
        panic!("nothing else to try");
    };
    assert_eq!(reasons.len(), 1);
}

#[test]
fn scopes_withdraw_what_was_asserted_in_them() {
    let mut random = Random(4);
    for case in 0..150 {
        let mut table = Table::random(&mut random, 4, 3, true);
        let mut solver = Solver::default();
        let mut levels: Vec<Vec<Meaning>> = vec![Vec::new()];
        for _ in 0..12 {
            match random.below(5) {
                0 => {
                    solver.push();
                    levels.push(Vec::new());
                }
                1 if levels.len() > 1 => {
                    assert!(solver.pop());
                    levels.pop();
                }
                2 if random.below(4) == 0 => {
                    let (formula, meaning) = random_formula(&mut random, 2, 4, 2);
                    solver.assert_root(&formula);
                    levels[0].push(meaning);
                }
                3 => {
                    let (formula, meaning) = random_formula(&mut random, 2, 4, 3);
                    solver.assert(&formula);
                    levels.last_mut().unwrap().push(meaning);
                }
                _ => {}
            }
            assert_eq!(solver.depth() + 1, levels.len());
            let expected = brute_force(levels.iter().flatten(), 2, &table);
            assert_eq!(
                is_satisfied(&solver.satisfy(&mut table, None)),
                expected,
                "case {case}"
            );
        }
    }
    assert!(!Solver::default().pop());
}

#[test]
fn limits_end_in_unknown() {
    let mut table = Table {
        points: 1,
        values: vec![vec![0]; 6],
        silent: BTreeSet::new(),
        is_short: false,
        calls: 0,
    };
    let mut solver = Solver::new(SmtOptions {
        most_iterations: 3,
        ..SmtOptions::default()
    });
    solver.assert(&Formula::any((0..6).map(constraint)));
    let limit = BTreeSet::from([UnknownReason::IterationLimit(3)]);
    assert_eq!(
        solver.satisfy(&mut table, None),
        Outcome::Unknown {
            reasons: limit.clone()
        }
    );
    // What was learnt is kept: the next call goes on from there, and the third ends.
    assert_eq!(
        solver.satisfy(&mut table, None),
        Outcome::Unknown { reasons: limit }
    );
    assert_eq!(solver.satisfy(&mut table, None), Outcome::Unsatisfiable);
}

#[test]
fn figures_and_their_cap() {
    let mut table = Table {
        points: 1,
        values: vec![vec![1], vec![0], vec![1]],
        silent: BTreeSet::new(),
        is_short: true,
        calls: 0,
    };
    let mut solver = Solver::new(SmtOptions {
        most_records: 8,
        ..SmtOptions::default()
    });
    solver.assert(&Formula::all([
        constraint(0),
        Formula::any([constraint(1), constraint(2), Formula::boolean("b")]),
    ]));
    for call in 0..100 {
        solver.push();
        solver.assert(&Formula::boolean("b").not());
        solver.satisfy(&mut table, Some(f64::from(call) * 0.1));
        solver.pop();
    }
    let figures = solver.statistics();
    assert!(figures.calls.len() <= 8);
    assert_eq!(figures.calls.iter().map(|c| c.calls).sum::<u64>(), 100);
    assert_eq!(
        figures.calls.iter().map(|c| c.iterations).sum::<u64>(),
        figures.iterations
    );
    assert_eq!(
        figures.calls.iter().map(|c| c.outcome.satisfied).sum::<u64>(),
        100
    );
    assert_eq!(
        figures.calls.iter().map(|c| c.learnt).sum::<u64>(),
        figures.conflicts
    );
    assert_eq!(figures.calls[0].time.unwrap().0, 0.0);
    assert_eq!(figures.calls.last().unwrap().time.unwrap().1, 99.0 * 0.1);
    assert_eq!(
        figures.calls[0].clauses_by_length,
        BTreeMap::from([(1, 2), (3, 1)])
    );
    assert_eq!(figures.clauses_by_length, BTreeMap::from([(1, 1), (3, 1)]));
    assert_eq!(figures.sat_calls, figures.iterations);
    assert_eq!(figures.theory_calls, table.calls);
    assert_eq!(figures.atoms, 4);
    assert!(figures.conflicts <= 1, "learnt once, kept for all calls");
}

#[test]
fn forgotten_conflicts_are_found_again() {
    let mut table = Table {
        points: 1,
        values: vec![vec![0]],
        silent: BTreeSet::new(),
        is_short: true,
        calls: 0,
    };
    let mut solver = Solver::default();
    solver.assert(&constraint(0));
    assert!(!is_satisfied(&solver.satisfy(&mut table, None)));
    table.values = vec![vec![1]];
    solver.forget_conflicts();
    assert!(is_satisfied(&solver.satisfy(&mut table, None)));
}

#[test]
fn the_same_questions_get_the_same_answers_and_figures() {
    let run = || {
        let mut random = Random(5);
        let mut table = Table::random(&mut random, 8, 4, true);
        let mut solver = Solver::default();
        let mut outcomes = Vec::new();
        for _ in 0..8 {
            let (formula, _) = random_formula(&mut random, 3, 8, 4);
            solver.assert(&formula);
            outcomes.push(solver.satisfy(&mut table, Some(1.0)));
        }
        (
            format!("{outcomes:?}"),
            solver.statistics(),
            solver.conflicts().to_vec(),
        )
    };
    assert_eq!(run(), run());
}
