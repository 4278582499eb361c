//! The lazy SMT solver: Boolean combinations of constraints over real variables [002 §6, Algorithm 5].
//!
//! **In:** a formula in conjunctive normal form over Boolean variables and constraints, and a [`Theory`] that
//! decides conjunctions of constraints. **Out:** an [`Outcome`]: satisfied, unsatisfiable or unknown.
//!
//! | paper 002                    | here                                    |
//! |------------------------------|-----------------------------------------|
//! | φ, a formula in CNF          | what was asserted in a [`Solver`]       |
//! | φ', its Boolean abstraction  | clauses of the SAT solver (`sat.rs`)    |
//! | ν, an assignment             | an implicant of the clauses             |
//! | τ, a set of constraints      | `&[`[`TheoryLiteral`]`]`                |
//! | *ConstraintSolver*(τ)        | [`Theory::decide`]                      |
//! | *Conflicts*(ν), C_ν          | [`Decision::Infeasible`]`::core`        |
//!
//! The algorithm itself is [`Solver::satisfy`] (`satisfy.rs`). The contractor, for theories over real variables, stands alone: [`contract()`].
//!
//! # What a constraint without a value means
//! At a point at which its expression is undefined, neither a constraint nor its negation holds. So the two
//! are two Boolean variables here, of which at most one is true; both false is the papers' "indeterminate".
//!
//! # Guarantee
//! Rigorous, if the theory is: `Unsatisfiable` only if every assignment was refuted; `Satisfied` only with the
//! theory's witness. A theory that does not know, and every limit, ends in `Unknown`. Deterministic. No IO,
//! clock or threads.
//!
//! # Example
//! a ∧ (b ∨ c), with a theory of the points 0 to 9 in which a is x > 5, b is x < 3 and c is x > 7:
//! ```
//! use dyverse_smt::{Atom, AtomId, Decision, Formula, Literal, Outcome, Solver, Theory, TheoryLiteral};
//!
//! struct Points;
//! impl Theory for Points {
//!     type Witness = u32;
//!     fn decide(&mut self, literals: &[TheoryLiteral]) -> Decision<u32> {
//!         let holds = |x: u32, l: &TheoryLiteral| [x > 5, x < 3, x > 7][l.atom.0 as usize] == l.is_positive;
//!         match (0..10).find(|x| literals.iter().all(|l| holds(*x, l))) {
//!             Some(x) => Decision::Feasible(x),
//!             None => Decision::Infeasible { core: (0..literals.len()).collect() },
//!         }
//!     }
//! }
//!
//! let atom = |number| Formula::from(Literal::positive(Atom::constraint(AtomId(number))));
//! let mut solver = Solver::default();
//! solver.assert(&Formula::all([atom(0), Formula::any([atom(1), atom(2)])]));
//! assert!(matches!(solver.satisfy(&mut Points, None), Outcome::Satisfied { witness: 8, .. }));
//! solver.push();
//! solver.assert(&atom(2).not());
//! assert!(matches!(solver.satisfy(&mut Points, None), Outcome::Unsatisfiable));
//! solver.pop();
//! ```
#![forbid(unsafe_code)]

mod cnf;
mod contract;
mod formula;
mod implicant;
mod sat;
mod satisfy;
mod solver;
mod statistics;
mod theory;

pub use cnf::Clause;
pub use contract::{Constraint, Contracted, Contractor, InvalidConstraint, VariableBox, contract};
pub use formula::{Atom, AtomId, Formula, Literal};
pub use satisfy::Outcome;
pub use solver::{SmtOptions, Solver};
pub use statistics::{CallRecord, Statistics, Verdicts};
pub use theory::{Decision, Theory, TheoryLiteral, UnknownReason};
