//! *Satisfy*: the lazy SMT method [002 Algorithm 5].
//!
//! # Method
//! The Boolean abstraction of the clauses goes to a SAT solver, which is kept between calls. Its assignment is
//! cut down to an implicant ν; the constraints τ in it go to the theory. If they are infeasible, conflict
//! clauses are learnt (`conflict.rs`) and the SAT solver is asked again.
//!
//! A scope's clauses are `¬s ∨ clause` with s assumed while the scope is open, and ¬s afterwards. Learnt clauses are
//! facts about the theory and outlive scopes. An assignment of which the theory does not know is excluded by a
//! clause `¬u ∨ ¬ν` for this call only; if a refutation needs u, the outcome is unknown and not unsatisfiable.
//!
//! A constraint and its negation are two variables, at most one of them true (see the crate's header).
//!
//! # Guarantee
//! As in the crate's header. Ends: each iteration excludes at least the implicant it looked at, and iterations are
//! limited.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use batsat::{Lit, Var};
use dyverse_expr::SymbolId;

use crate::cnf::ClauseBuilder;
use crate::conflict::{Questions, Refuted, conflicts};
use crate::implicant::needed_constraints;
use crate::sat::{Sat, SatAnswer};
use crate::{
    Atom, AtomId, CallRecord, Clause, Decision, Formula, Literal, Statistics, Theory, TheoryLiteral,
    UnknownReason, Verdicts,
};

/// Limits of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmtOptions {
    /// Iterations of one call; then the outcome is unknown.
    pub most_iterations: u64,
    /// Questions to the theory to find and shorten the conflicts of one assignment.
    pub most_conflict_calls: u64,
    /// Clauses up to which a disjunction is distributed; beyond, parts get names.
    pub most_distributed: usize,
    /// Records of calls that are kept; more are merged.
    pub most_records: usize,
}

impl Default for SmtOptions {
    fn default() -> Self {
        SmtOptions {
            most_iterations: 100_000,
            most_conflict_calls: 32,
            most_distributed: 8,
            most_records: 4096,
        }
    }
}

/// The answer of *Satisfy*.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<W> {
    /// The formula holds somewhere.
    Satisfied {
        /// ν: the constraints chosen, and the value of every Boolean variable of the formula.
        literals: Vec<Literal>,
        /// The theory's evidence for the constraints.
        witness: W,
    },
    /// The formula holds nowhere.
    Unsatisfiable,
    /// Neither was proved.
    Unknown {
        /// Why, in ascending order.
        reasons: BTreeSet<UnknownReason>,
    },
}

struct Stored {
    clause: Clause,
    abstraction: Vec<Lit>,
}

struct Scope {
    activation: Var,
    clauses: Vec<Stored>,
}

/// One constraint or its negation, as chosen.
struct Chosen {
    literal: TheoryLiteral,
    variables: Arc<[SymbolId]>,
    var: Var,
}

/// A formula that grows and shrinks, and *Satisfy* on it.
pub struct Solver {
    options: SmtOptions,
    builder: ClauseBuilder,
    sat: Sat,
    atoms: BTreeMap<Atom, Var>,
    constraints: BTreeMap<TheoryLiteral, (Var, Arc<[SymbolId]>)>,
    root: Vec<Stored>,
    scopes: Vec<Scope>,
    conflict_activation: Var,
    conflicts: Vec<Vec<TheoryLiteral>>,
    statistics: Statistics,
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
        let Atom::Constraint { id, variables } = &literal.atom else {
            let sat = &mut self.sat;
            let var = self.atoms.entry(literal.atom.clone());
            return Lit::new(*var.or_insert_with(|| sat.new_variable()), literal.is_positive);
        };
        let key = TheoryLiteral {
            atom: *id,
            is_positive: literal.is_positive,
        };
        if let Some((var, _)) = self.constraints.get(&key) {
            return Lit::new(*var, true);
        }
        let var = self.sat.new_variable();
        self.constraints.insert(key, (var, variables.clone()));
        let opposite = TheoryLiteral {
            is_positive: !key.is_positive,
            ..key
        };
        if let Some((opposite, _)) = self.constraints.get(&opposite) {
            // Not both; but neither, where the constraint is undefined or does not matter.
            let both = [Lit::new(var, false), Lit::new(*opposite, false)];
            self.sat.add(both);
        }
        Lit::new(var, true)
    }

    fn stored(&self) -> impl Iterator<Item = &Stored> {
        self.root
            .iter()
            .chain(self.scopes.iter().flat_map(|scope| &scope.clauses))
    }

    /// τ: the constraints of the assignment that the clauses need.
    fn chosen(&self) -> Vec<Chosen> {
        let clauses: Vec<&[Lit]> = self
            .stored()
            .map(|stored| stored.abstraction.as_slice())
            .collect();
        let is_name = |atom: &Atom| matches!(atom, Atom::Definition(_));
        // Outer parts are named after inner ones.
        let names: Vec<Var> = self
            .atoms
            .iter()
            .rev()
            .filter(|(atom, var)| is_name(atom) && self.sat.is_true(**var))
            .map(|(_, var)| *var)
            .collect();
        let constraints = self.constraints.values().map(|(var, _)| *var);
        let constraints: Vec<Var> = constraints.filter(|var| self.sat.is_true(*var)).collect();
        let is_true = |literal: Lit| self.sat.is_true(literal.var()) == literal.sign();
        let needed: BTreeSet<Var> = needed_constraints(&clauses, is_true, &names, &constraints)
            .into_iter()
            .collect();
        self.constraints
            .iter()
            .filter(|(_, (var, _))| needed.contains(var))
            .map(|(literal, (var, variables))| Chosen {
                literal: *literal,
                variables: variables.clone(),
                var: *var,
            })
            .collect()
    }

    /// Does φ hold anywhere? `time` is the simulated time that the question is about, for the figures.
    pub fn satisfy<T: Theory>(&mut self, theory: &mut T, time: Option<f64>) -> Outcome<T::Witness> {
        let (mut call, mut iterations) = (None, 0);
        let learnt_before = self.statistics.conflicts;
        let outcome = self.search(theory, &mut call, &mut iterations);
        if let Some(call) = call {
            self.sat.add([Lit::new(call, false)]);
        }
        let ended = |is: bool| u64::from(is);
        let record = CallRecord {
            calls: 1,
            time: time.map(|t| (t, t)),
            iterations,
            most_iterations: iterations,
            clauses_by_length: self.statistics.clauses_by_length.clone(),
            learnt: self.statistics.conflicts - learnt_before,
            outcome: Verdicts {
                satisfied: ended(matches!(outcome, Outcome::Satisfied { .. })),
                unsatisfiable: ended(matches!(outcome, Outcome::Unsatisfiable)),
                unknown: ended(matches!(outcome, Outcome::Unknown { .. })),
            },
        };
        self.statistics.record(record, self.options.most_records);
        outcome
    }

    /// The loop of Algorithm 5. `call` gets the variable u of this call when one is needed.
    fn search<T: Theory>(
        &mut self,
        theory: &mut T,
        call: &mut Option<Var>,
        iterations: &mut u64,
    ) -> Outcome<T::Witness> {
        let mut reasons: BTreeSet<UnknownReason> = BTreeSet::new();
        let scopes = self.scopes.iter().map(|scope| scope.activation);
        let mut assumptions: Vec<Lit> = scopes
            .chain([self.conflict_activation])
            .map(|var| Lit::new(var, true))
            .collect();
        loop {
            if *iterations >= self.options.most_iterations {
                reasons.insert(UnknownReason::IterationLimit(*iterations));
                return Outcome::Unknown { reasons };
            }
            *iterations += 1;
            match self.sat.solve(&assumptions) {
                SatAnswer::Satisfiable => {}
                SatAnswer::Unsatisfiable if !call.is_some_and(|call| self.sat.was_used(call)) => {
                    return Outcome::Unsatisfiable;
                }
                SatAnswer::Unsatisfiable => return Outcome::Unknown { reasons },
                SatAnswer::GaveUp => {
                    reasons.insert(UnknownReason::Sat);
                    return Outcome::Unknown { reasons };
                }
            }
            let chosen = self.chosen();
            let literals: Vec<TheoryLiteral> = chosen.iter().map(|chosen| chosen.literal).collect();
            self.statistics.theory_calls += 1;
            match theory.decide(&literals) {
                Decision::Feasible(witness) => {
                    return Outcome::Satisfied {
                        literals: self.assignment(&literals),
                        witness,
                    };
                }
                Decision::Infeasible {
                    cores,
                    cores_are_proved,
                    feasible,
                } => {
                    let refuted = Refuted {
                        cores,
                        cores_are_proved,
                        feasible,
                    };
                    self.learn(theory, refuted, &chosen, &literals);
                }
                Decision::Unknown { reason } => {
                    reasons.insert(UnknownReason::Theory(reason));
                    let call = *call.get_or_insert_with(|| {
                        let call = self.sat.new_variable();
                        assumptions.push(Lit::new(call, true));
                        call
                    });
                    self.exclude(call, &chosen);
                }
            }
        }
    }

    /// φ' ← φ' ∧ Conflicts(ν).
    fn learn<T: Theory>(
        &mut self,
        theory: &mut T,
        refuted: Refuted,
        chosen: &[Chosen],
        literals: &[TheoryLiteral],
    ) {
        let variables: Vec<Arc<[SymbolId]>> = chosen.iter().map(|c| c.variables.clone()).collect();
        let mut questions = Questions {
            theory,
            literals,
            left: self.options.most_conflict_calls,
            asked: 0,
        };
        let found = conflicts(refuted, &variables, &mut questions);
        self.statistics.conflict_calls += questions.asked;
        for core in found {
            self.exclude(self.conflict_activation, core.iter().map(|place| &chosen[*place]));
            self.statistics.count_conflict(core.len());
            self.conflicts
                .push(core.iter().map(|place| literals[*place]).collect());
        }
    }

    /// Not all of these, as long as `activation` is assumed.
    fn exclude<'a>(&mut self, activation: Var, chosen: impl IntoIterator<Item = &'a Chosen>) {
        let negated = chosen.into_iter().map(|chosen| Lit::new(chosen.var, false));
        let clause: Vec<Lit> = [Lit::new(activation, false)].into_iter().chain(negated).collect();
        self.sat.add(clause);
    }

    /// ν as literals: the constraints chosen, and the Boolean variables of the formula.
    fn assignment(&self, chosen: &[TheoryLiteral]) -> Vec<Literal> {
        let constraints = chosen.iter().filter_map(|literal| {
            let (_, variables) = self.constraints.get(literal)?;
            let atom = Atom::constraint(literal.atom, variables);
            Some(Literal {
                atom,
                is_positive: literal.is_positive,
            })
        });
        let present: BTreeSet<Var> = self
            .stored()
            .flat_map(|stored| stored.abstraction.iter().map(|literal| literal.var()))
            .collect();
        let booleans = self
            .atoms
            .iter()
            .filter(|(atom, var)| matches!(atom, Atom::Boolean(_)) && present.contains(*var))
            .map(|(atom, var)| Literal {
                atom: atom.clone(),
                is_positive: self.sat.is_true(*var),
            });
        constraints.chain(booleans).collect()
    }
}
