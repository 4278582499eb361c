//! Formulas over a finite theory, against tables of all cases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use std::collections::{BTreeMap, BTreeSet};

use dyverse_smt::{AtomId, Decision, Formula, Outcome, SmtOptions, Solver, Theory, UnknownReason};
use support::Random;

/// A theory over finitely many points: each constraint holds at some.
struct Table {
    points: usize,
    /// By constraint and point.
    values: Vec<Vec<bool>>,
    /// Constraints about which the theory says that it does not know.
    silent: BTreeSet<AtomId>,
    /// Whether conflicts are short: else all that was asked about.
    is_short: bool,
    calls: u64,
}

impl Table {
    fn of(values: Vec<Vec<bool>>, is_short: bool) -> Self {
        Table {
            points: values[0].len(),
            values,
            silent: BTreeSet::new(),
            is_short,
            calls: 0,
        }
    }
    fn random(random: &mut Random, constraints: usize, points: usize) -> Self {
        let row = |random: &mut Random| (0..points).map(|_| random.flip()).collect();
        let values = (0..constraints).map(|_| row(random)).collect();
        Table::of(values, random.flip())
    }
    fn point(&self, constraints: &[AtomId]) -> Option<usize> {
        (0..self.points).find(|point| constraints.iter().all(|c| self.values[c.0 as usize][*point]))
    }
}

impl Theory for Table {
    type Witness = usize;
    fn decide(&mut self, constraints: &[AtomId]) -> Decision<usize> {
        self.calls += 1;
        if constraints.iter().any(|c| self.silent.contains(c)) {
            return Decision::Unknown {
                reason: "silent".to_owned(),
            };
        }
        if let Some(point) = self.point(constraints) {
            return Decision::Feasible(point);
        }
        let mut core: Vec<usize> = (0..constraints.len()).collect();
        for place in (0..constraints.len()).rev().filter(|_| self.is_short) {
            let part: Vec<usize> = core.iter().copied().filter(|p| *p != place).collect();
            let kept: Vec<AtomId> = part.iter().map(|p| constraints[*p]).collect();
            if self.point(&kept).is_none() {
                core = part;
            }
        }
        Decision::Infeasible { core }
    }
}

fn constraint(id: usize) -> Formula {
    AtomId(id as u32).into()
}

/// A random formula and its value at a point, at which some constraints hold.
type Meaning = Box<dyn Fn(&dyn Fn(usize) -> bool) -> bool>;
fn random_formula(random: &mut Random, constraints: usize, depth: usize) -> (Formula, Meaning) {
    if depth == 0 || random.below(5) == 0 {
        let pick = random.below(constraints);
        return (constraint(pick), Box::new(move |holds| holds(pick)));
    }
    let count = 1 + random.below(4);
    let (formulas, meanings): (Vec<Formula>, Vec<Meaning>) = (0..count)
        .map(|_| random_formula(random, constraints, depth - 1))
        .unzip();
    if random.flip() {
        let meaning: Meaning = Box::new(move |holds| meanings.iter().all(|m| m(holds)));
        (Formula::all(formulas), meaning)
    } else {
        let meaning: Meaning = Box::new(move |holds| meanings.iter().any(|m| m(holds)));
        (Formula::any(formulas), meaning)
    }
}

fn holds_at(meaning: &Meaning, table: &Table, point: usize) -> bool {
    meaning(&|id| table.values[id][point])
}

fn holds_somewhere(meaning: &Meaning, table: &Table) -> bool {
    (0..table.points).any(|point| holds_at(meaning, table, point))
}

/// Conflicts short and long; named parts and distributed ones.
#[test]
fn random_formulas_over_a_finite_theory_against_all_cases() {
    let mut random = Random(2);
    let mut counts = [0, 0];
    for case in 0..3000 {
        let (constraints, points) = (2 + random.below(8), 1 + random.below(4));
        let mut table = Table::random(&mut random, constraints, points);
        let mut solver = Solver::new(SmtOptions {
            most_distributed: [1, 4, 64][random.below(3)],
            ..SmtOptions::default()
        });
        let parts: Vec<(Formula, Meaning)> = (0..1 + random.below(6))
            .map(|_| random_formula(&mut random, constraints, 4))
            .collect();
        let (formulas, meanings): (Vec<Formula>, Vec<Meaning>) = parts.into_iter().unzip();
        let formula = Formula::all(formulas);
        let meaning: Meaning = Box::new(move |holds| meanings.iter().all(|m| m(holds)));
        let expected = holds_somewhere(&meaning, &table);
        match solver.satisfy(&formula, &mut table, None) {
            Outcome::Satisfied(point) => assert!(holds_at(&meaning, &table, point), "case {case}"),
            Outcome::Unsatisfiable => assert!(!expected, "case {case}: {formula:?}"),
            Outcome::Unknown { reasons } => panic!("case {case}: {reasons:?}"),
        }
        counts[usize::from(expected)] += 1;
    }
    assert!(counts[0] > 200 && counts[1] > 200, "{counts:?}");
}

#[test]
fn unknown_is_never_unsatisfiable() {
    let mut random = Random(3);
    let (mut unknown, mut decided) = (0, 0);
    for case in 0..800 {
        let (constraints, points) = (2 + random.below(4), 1 + random.below(3));
        let mut table = Table::random(&mut random, constraints, points);
        table.silent.insert(AtomId(random.below(constraints) as u32));
        let (formula, meaning) = random_formula(&mut random, constraints, 4);
        let expected = holds_somewhere(&meaning, &table);
        match Solver::default().satisfy(&formula, &mut table, None) {
            Outcome::Satisfied(_) => assert!(expected, "case {case}"),
            Outcome::Unsatisfiable => {
                assert!(!expected, "case {case}");
                decided += 1;
            }
            Outcome::Unknown { reasons } => {
                unknown += 1;
                let silent = UnknownReason::Theory("silent".to_owned());
                assert_eq!(reasons, BTreeSet::from([silent]));
            }
        }
    }
    assert!(
        unknown > 50 && decided > 20,
        "{unknown} unknown, {decided} refuted"
    );
}

#[test]
fn one_unknown_way_does_not_hide_another_that_is_feasible() {
    let mut table = Table::of(vec![vec![true], vec![true]], false);
    table.silent.insert(AtomId(0));
    for order in [[0, 1], [1, 0]] {
        let either = Formula::any(order.map(constraint));
        let found = Solver::default().satisfy(&either, &mut table, None);
        assert_eq!(found, Outcome::Satisfied(0));
    }
    let Outcome::Unknown { reasons } = Solver::default().satisfy(&constraint(0), &mut table, None) else {
        panic!("nothing else to try");
    };
    assert_eq!(reasons.len(), 1);
}

#[test]
fn limits_end_in_unknown() {
    let mut table = Table::of(vec![vec![false]; 6], false);
    let any = Formula::any((0..6).map(constraint));
    let mut solver = Solver::new(SmtOptions {
        most_iterations: 3,
        ..SmtOptions::default()
    });
    let reasons = BTreeSet::from([UnknownReason::IterationLimit(3)]);
    assert_eq!(
        solver.satisfy(&any, &mut table, None),
        Outcome::Unknown { reasons }
    );
    let found = Solver::default().satisfy(&any, &mut table, None);
    assert_eq!(found, Outcome::Unsatisfiable);
}

#[test]
fn figures_and_their_cap() {
    let mut table = Table::of(vec![vec![true], vec![false], vec![true]], true);
    let mut solver = Solver::new(SmtOptions {
        most_records: 8,
        ..SmtOptions::default()
    });
    let formula = Formula::all([constraint(0), Formula::any([constraint(1), constraint(2)])]);
    for call in 0..100 {
        solver.satisfy(&formula, &mut table, Some(f64::from(call) * 0.1));
    }
    let figures = solver.statistics();
    let sum = |of: fn(&dyverse_smt::CallRecord) -> u64| figures.calls.iter().map(of).sum::<u64>();
    assert!(figures.calls.len() <= 8);
    assert_eq!(sum(|c| c.calls), 100);
    assert_eq!(sum(|c| c.iterations), figures.iterations);
    assert_eq!(
        sum(|c| c.learnt),
        figures.conflicts_by_length.values().sum::<u64>()
    );
    assert_eq!(figures.calls[0].time.unwrap().0, 0.0);
    assert_eq!(figures.calls.last().unwrap().time.unwrap().1, 99.0 * 0.1);
    assert_eq!(
        figures.calls[0].clauses_by_length,
        BTreeMap::from([(1, 1), (2, 1)])
    );
    assert_eq!(figures.sat_calls, figures.iterations);
    assert_eq!(figures.theory_calls, table.calls);
}

/// What a theory refuted in one question it may allow in the next.
#[test]
fn the_same_questions_get_the_same_answers_and_figures() {
    let run = || {
        let mut random = Random(5);
        let mut solver = Solver::default();
        let mut outcomes = Vec::new();
        for _ in 0..8 {
            let mut table = Table::random(&mut random, 8, 4);
            let (formula, meaning) = random_formula(&mut random, 8, 4);
            let found = solver.satisfy(&formula, &mut table, Some(1.0));
            assert_eq!(
                found == Outcome::Unsatisfiable,
                !holds_somewhere(&meaning, &table)
            );
            outcomes.push(format!("{found:?}"));
        }
        (outcomes, solver.statistics().clone())
    };
    assert_eq!(run(), run());
}
