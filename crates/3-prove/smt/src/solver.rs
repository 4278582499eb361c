//! The formula φ that *Satisfy* is asked about: it grows and shrinks, and the SAT solver's copy of it with it.
//!
//! # Method
//! The Boolean abstraction of the clauses goes to a SAT solver, which is kept between calls. A scope's clauses are `¬s ∨ clause` with s assumed while the scope is open, and ¬s afterwards.
//! Learnt clauses are facts about the theory and outlive scopes.
//!
//! A constraint and its negation are two variables, at most one of them true (see the crate's header).

use std::collections::{BTreeMap, BTreeSet};

use batsat::{Lit, Var};

use crate::cnf::ClauseBuilder;
use crate::sat::Sat;
use crate::{Atom, AtomId, Clause, Formula, Literal, Statistics, TheoryLiteral};

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

pub(crate) struct Stored {
    clause: Clause,
    pub(crate) abstraction: Vec<Lit>,
}

pub(crate) struct Scope {
    pub(crate) activation: Var,
    clauses: Vec<Stored>,
}

/// A formula that grows and shrinks, and *Satisfy* on it.
pub struct Solver {
    pub(crate) options: SmtOptions,
    builder: ClauseBuilder,
    pub(crate) sat: Sat,
    pub(crate) atoms: BTreeMap<Atom, Var>,
    pub(crate) constraints: BTreeMap<TheoryLiteral, Var>,
    root: Vec<Stored>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) conflict_activation: Var,
    pub(crate) conflicts: Vec<Vec<TheoryLiteral>>,
    pub(crate) statistics: Statistics,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(SmtOptions::default())
    }
}

impl Solver {
    /// The formula `true`.
    pub fn new(options: SmtOptions) -> Self {
        let mut sat = Sat::default();
        let conflict_activation = sat.new_variable();
        Solver {
            options,
            builder: ClauseBuilder::new(options.most_distributed),
            sat,
            atoms: BTreeMap::new(),
            constraints: BTreeMap::new(),
            root: Vec::new(),
            scopes: Vec::new(),
            conflict_activation,
            conflicts: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// φ ← φ ∧ formula, until the innermost open scope is closed; for good if none is open.
    pub fn assert(&mut self, formula: &Formula) {
        let scope = self.scopes.len();
        self.assert_at(formula, scope);
    }
    /// φ ← φ ∧ formula for good, whatever scopes are open: the root formula of a path.
    pub fn assert_root(&mut self, formula: &Formula) {
        self.assert_at(formula, 0);
    }
    fn assert_at(&mut self, formula: &Formula, depth: usize) {
        for clause in self.builder.clauses(formula) {
            let abstraction: Vec<Lit> = clause.literals().iter().map(|l| self.abstraction(l)).collect();
            let scope = depth.checked_sub(1).and_then(|place| self.scopes.get_mut(place));
            let guard = scope.as_ref().map(|scope| Lit::new(scope.activation, false));
            self.sat.add(guard.into_iter().chain(abstraction.iter().copied()));
            self.statistics.count_clause(clause.literals().len());
            let stored = Stored { clause, abstraction };
            match scope {
                Some(scope) => scope.clauses.push(stored),
                None => self.root.push(stored),
            }
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        let activation = self.sat.new_variable();
        self.scopes.push(Scope {
            activation,
            clauses: Vec::new(),
        });
    }
    /// Closes the innermost scope and withdraws what was asserted in it; `false` if none is open.
    pub fn pop(&mut self) -> bool {
        let Some(scope) = self.scopes.pop() else {
            return false;
        };
        self.sat.add([Lit::new(scope.activation, false)]);
        for stored in scope.clauses {
            self.statistics.withdraw_clause(stored.clause.literals().len());
        }
        true
    }
    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// The clauses of φ, those of the root first.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> {
        let scoped = self.scopes.iter().flat_map(|scope| &scope.clauses);
        self.root.iter().chain(scoped).map(|stored| &stored.clause)
    }
    /// The sets of constraints that the theory refuted: for each, the clause of their negations was learnt.
    pub fn conflicts(&self) -> &[Vec<TheoryLiteral>] {
        &self.conflicts
    }
    /// Forgets what was learnt: needed if the theory has come to allow more than before.
    pub fn forget_conflicts(&mut self) {
        self.sat.add([Lit::new(self.conflict_activation, false)]);
        self.conflict_activation = self.sat.new_variable();
        self.conflicts.clear();
    }
    /// Figures up to now.
    pub fn statistics(&self) -> Statistics {
        let atoms: BTreeSet<AtomId> = self.constraints.keys().map(|literal| literal.atom).collect();
        let booleans = self.atoms.keys().filter(|a| matches!(a, Atom::Boolean(_)));
        Statistics {
            sat_calls: self.sat.calls(),
            atoms: (atoms.len() + booleans.count()) as u64,
            variables: u64::from(self.sat.variables()),
            ..self.statistics.clone()
        }
    }

    /// The literal of the Boolean abstraction.
    fn abstraction(&mut self, literal: &Literal) -> Lit {
        let Atom::Constraint(id) = &literal.atom else {
            let sat = &mut self.sat;
            let var = self.atoms.entry(literal.atom.clone());
            return Lit::new(*var.or_insert_with(|| sat.new_variable()), literal.is_positive);
        };
        let key = TheoryLiteral {
            atom: *id,
            is_positive: literal.is_positive,
        };
        if let Some(var) = self.constraints.get(&key) {
            return Lit::new(*var, true);
        }
        let var = self.sat.new_variable();
        self.constraints.insert(key, var);
        let opposite = TheoryLiteral {
            is_positive: !key.is_positive,
            ..key
        };
        if let Some(opposite) = self.constraints.get(&opposite) {
            // Not both; but neither, where the constraint is undefined or does not matter.
            let both = [Lit::new(var, false), Lit::new(*opposite, false)];
            self.sat.add(both);
        }
        Lit::new(var, true)
    }

    pub(crate) fn stored(&self) -> impl Iterator<Item = &Stored> {
        self.root
            .iter()
            .chain(self.scopes.iter().flat_map(|scope| &scope.clauses))
    }
}
