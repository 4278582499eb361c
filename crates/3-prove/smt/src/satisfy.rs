//! *Satisfy*: the lazy SMT method [002, Algorithm 5].
//!
//! | Algorithm 5 | here |
//! |---|---|
//! | φ′ = BooleanAbstraction(φ) | kept by [`Solver`] as φ grows |
//! | (sat, ν) ← SATSolver(φ′) | `sat.rs`; ν is cut down to an implicant of the clauses (`implicant.rs`) |
//! | τ ← CreateConstraints(ν, φ) | the constraints that ν needs |
//! | ConstraintSolver(τ) | [`Theory::decide`] |
//! | φ′ ← φ′ ∧ Conflicts(ν) | the core of the theory's refutation |
//!
//! # Done differently
//! The paper's constraint solver is a local minimisation, so its *infeasible* depends on where it starts. Here a theory refutes, finds a witness, or does not know. An assignment of
//! which it does not know is excluded by a clause `¬u ∨ ¬ν` for this call only; if a refutation needs u, the outcome is unknown and not unsatisfiable.
//!
//! The paper guesses which constraints are to blame: each that is outside the maximal feasible set, with those that share a variable with it [002 §6.3]. A theory that refutes knows what its
//! refutation used, and says so.
//!
//! # Guarantee
//! As in the crate's header. Ends: each iteration excludes at least the implicant it looked at, and iterations are
//! limited.

use std::collections::BTreeSet;

use batsat::{Lit, Var};

use crate::implicant::needed_constraints;
use crate::sat::SatAnswer;
use crate::{Atom, CallRecord, Decision, Literal, Solver, Theory, TheoryLiteral, UnknownReason, Verdicts};

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

/// One constraint or its negation, as chosen.
struct Chosen {
    literal: TheoryLiteral,
    var: Var,
}

impl Solver {
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
        let constraints = self.constraints.values().copied();
        let constraints: Vec<Var> = constraints.filter(|var| self.sat.is_true(*var)).collect();
        let is_true = |literal: Lit| self.sat.is_true(literal.var()) == literal.sign();
        let needed: BTreeSet<Var> = needed_constraints(&clauses, is_true, &names, &constraints)
            .into_iter()
            .collect();
        self.constraints
            .iter()
            .filter(|(_, var)| needed.contains(var))
            .map(|(literal, var)| Chosen {
                literal: *literal,
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
                Decision::Infeasible { core } => self.learn(&chosen, &core),
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

    /// φ′ ← φ′ ∧ Conflicts(ν).
    fn learn(&mut self, chosen: &[Chosen], core: &[usize]) {
        self.exclude(self.conflict_activation, core.iter().map(|place| &chosen[*place]));
        self.statistics.count_conflict(core.len());
        self.conflicts
            .push(core.iter().map(|place| chosen[*place].literal).collect());
    }

    /// Not all of these, as long as `activation` is assumed.
    fn exclude<'a>(&mut self, activation: Var, chosen: impl IntoIterator<Item = &'a Chosen>) {
        let negated = chosen.into_iter().map(|chosen| Lit::new(chosen.var, false));
        let clause: Vec<Lit> = [Lit::new(activation, false)].into_iter().chain(negated).collect();
        self.sat.add(clause);
    }

    /// ν as literals: the constraints chosen, and the Boolean variables of the formula.
    fn assignment(&self, chosen: &[TheoryLiteral]) -> Vec<Literal> {
        let constraints = chosen.iter().map(|literal| Literal {
            atom: Atom::constraint(literal.atom),
            is_positive: literal.is_positive,
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
