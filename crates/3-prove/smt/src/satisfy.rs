//! *Satisfy*: the lazy SMT method [002, Algorithm 5].
//!
//! | Algorithm 5 | here |
//! |---|---|
//! | φ′ = BooleanAbstraction(φ) | `cnf.rs`: a variable for each constraint |
//! | (sat, ν) ← SATSolver(φ′) | `sat.rs`; ν is cut down to an implicant of the clauses (`implicant.rs`) |
//! | τ ← CreateConstraints(ν, φ) | the constraints that ν needs |
//! | ConstraintSolver(τ) | [`Theory::decide`] |
//! | φ′ ← φ′ ∧ Conflicts(ν) | the core of the theory's refutation |
//!
//! # Done differently
//! The paper's constraint solver is a local minimisation, so its *infeasible* depends on where it starts. Here a theory refutes, finds a witness, or does not know. An assignment of
//! which it does not know is excluded by a clause `¬u ∨ ¬ν`; if a refutation needs u, the outcome is unknown and not unsatisfiable.
//!
//! The paper guesses which constraints are to blame: each that is outside the maximal feasible set, with those that share a variable with it [002 §6.3]. A theory that refutes knows what its
//! refutation used, and says so.
//!
//! # Guarantee
//! As in the crate's header. Ends: each iteration excludes at least the implicant it looked at, and iterations are
//! limited.

use std::collections::{BTreeMap, BTreeSet};

use batsat::{Lit, Var};

use crate::cnf::{ClauseBuilder, Literal};
use crate::implicant::needed_constraints;
use crate::sat::{Sat, SatAnswer};
use crate::{AtomId, CallRecord, Decision, Formula, Statistics, Theory, UnknownReason};

/// Limits of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmtOptions {
    /// Iterations of one call; then the outcome is unknown.
    pub most_iterations: u64,
    /// Clauses up to which a disjunction is distributed; beyond, parts get names.
    pub most_distributed: usize,
    /// Records of calls that are kept; more are merged.
    pub most_records: usize,
}

impl Default for SmtOptions {
    fn default() -> Self {
        SmtOptions {
            most_iterations: 100_000,
            most_distributed: 8,
            most_records: 4096,
        }
    }
}

/// The answer of *Satisfy*.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<W> {
    /// The formula holds somewhere: the theory's evidence.
    Satisfied(W),
    /// The formula holds nowhere.
    Unsatisfiable,
    /// Neither was proved.
    Unknown {
        /// Why, in ascending order.
        reasons: BTreeSet<UnknownReason>,
    },
}

/// *Satisfy*, and its figures. What a theory refutes is known for one question only.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    options: SmtOptions,
    statistics: Statistics,
}

impl Solver {
    /// With these limits.
    pub fn new(options: SmtOptions) -> Self {
        Solver {
            options,
            statistics: Statistics::default(),
        }
    }

    /// Figures up to now.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Does φ hold anywhere? `time` is the simulated time that the question is about, for the figures.
    pub fn satisfy<T: Theory>(
        &mut self,
        formula: &Formula,
        theory: &mut T,
        time: Option<f64>,
    ) -> Outcome<T::Witness> {
        let mut question = Question::new(formula, self.options.most_distributed);
        let (mut iterations, mut learnt) = (0, 0);
        let mut reasons: BTreeSet<UnknownReason> = BTreeSet::new();
        let outcome = loop {
            if iterations >= self.options.most_iterations {
                reasons.insert(UnknownReason::IterationLimit(iterations));
                break Outcome::Unknown { reasons };
            }
            iterations += 1;
            let assumed = question.undecided.map(|var| Lit::new(var, true));
            match question.sat.solve(assumed.as_slice()) {
                SatAnswer::Satisfiable => {}
                SatAnswer::Unsatisfiable if !question.undecided.is_some_and(|u| question.sat.was_used(u)) => {
                    break Outcome::Unsatisfiable;
                }
                SatAnswer::Unsatisfiable => break Outcome::Unknown { reasons },
                SatAnswer::GaveUp => {
                    reasons.insert(UnknownReason::Sat);
                    break Outcome::Unknown { reasons };
                }
            }
            let chosen = question.chosen();
            let constraints: Vec<AtomId> = chosen.iter().map(|(atom, _)| *atom).collect();
            self.statistics.theory_calls += 1;
            match theory.decide(&constraints) {
                Decision::Feasible(witness) => break Outcome::Satisfied(witness),
                Decision::Infeasible { core } => {
                    question.learn(&chosen, &core);
                    learnt += 1;
                    *self.statistics.conflicts_by_length.entry(core.len()).or_default() += 1;
                }
                Decision::Unknown { reason } => {
                    reasons.insert(UnknownReason::Theory(reason));
                    let sat = &mut question.sat;
                    let undecided = *question.undecided.get_or_insert_with(|| sat.new_variable());
                    question.exclude(Some(undecided), chosen.iter().map(|(_, var)| *var));
                }
            }
        };
        self.statistics.sat_calls += question.sat.calls();
        let mut clauses_by_length = BTreeMap::new();
        for clause in &question.clauses {
            *clauses_by_length.entry(clause.len()).or_default() += 1;
        }
        let record = CallRecord {
            calls: 1,
            time: time.map(|t| (t, t)),
            iterations,
            clauses_by_length,
            learnt,
        };
        self.statistics.record(record, self.options.most_records);
        outcome
    }
}

/// φ′, and what was learnt of it.
struct Question {
    sat: Sat,
    clauses: Vec<Vec<Lit>>,
    constraints: BTreeMap<AtomId, Var>,
    /// Those of outer parts come after those of inner ones.
    names: BTreeMap<u32, Var>,
    /// u, if there is something of which the theory does not know.
    undecided: Option<Var>,
}

impl Question {
    fn new(formula: &Formula, most_distributed: usize) -> Self {
        let mut question = Question {
            sat: Sat::default(),
            clauses: Vec::new(),
            constraints: BTreeMap::new(),
            names: BTreeMap::new(),
            undecided: None,
        };
        for clause in ClauseBuilder::new(most_distributed).clauses(formula) {
            let clause: Vec<Lit> = clause.iter().map(|l| question.abstraction(*l)).collect();
            question.sat.add(clause.iter().copied());
            question.clauses.push(clause);
        }
        question
    }

    fn abstraction(&mut self, literal: Literal) -> Lit {
        let sat = &mut self.sat;
        let (var, is_positive) = match literal {
            Literal::Constraint(atom) => (
                self.constraints.entry(atom).or_insert_with(|| sat.new_variable()),
                true,
            ),
            Literal::Name(name) => (self.names.entry(name).or_insert_with(|| sat.new_variable()), true),
            Literal::NotName(name) => (
                self.names.entry(name).or_insert_with(|| sat.new_variable()),
                false,
            ),
        };
        Lit::new(*var, is_positive)
    }

    /// τ: the constraints of the assignment that the clauses need.
    fn chosen(&self) -> Vec<(AtomId, Var)> {
        let clauses: Vec<&[Lit]> = self.clauses.iter().map(Vec::as_slice).collect();
        let true_of = |vars: &mut dyn Iterator<Item = &Var>| -> Vec<Var> {
            vars.copied().filter(|var| self.sat.is_true(*var)).collect()
        };
        let names = true_of(&mut self.names.values().rev());
        let constraints = true_of(&mut self.constraints.values());
        let is_true = |literal: Lit| self.sat.is_true(literal.var()) == literal.sign();
        let needed: BTreeSet<Var> = needed_constraints(&clauses, is_true, &names, &constraints)
            .into_iter()
            .collect();
        let all = self.constraints.iter().map(|(atom, var)| (*atom, *var));
        all.filter(|(_, var)| needed.contains(var)).collect()
    }

    /// φ′ ← φ′ ∧ Conflicts(ν).
    fn learn(&mut self, chosen: &[(AtomId, Var)], core: &[usize]) {
        self.exclude(None, core.iter().map(|place| chosen[*place].1));
    }

    /// Not all of these; if there is an activation, as long as it is assumed.
    fn exclude(&mut self, activation: Option<Var>, chosen: impl Iterator<Item = Var>) {
        let clause = activation.into_iter().chain(chosen);
        self.sat.add(clause.map(|var| Lit::new(var, false)));
    }
}
