//! The lazy SMT solver: Boolean combinations of constraints over real variables [002 §6, Algorithm 5].
//!
//! **In:** a formula over constraints, and a [`Theory`] that
//! decides conjunctions of constraints. **Out:** an [`Outcome`]: satisfied, unsatisfiable or unknown.
//!
//! | paper 002                    | here                                    |
//! |------------------------------|-----------------------------------------|
//! | φ, a formula                 | [`Formula`]                             |
//! | φ', its Boolean abstraction  | clauses of the SAT solver (`sat.rs`)    |
//! | ν, an assignment             | an implicant of the clauses             |
//! | τ, a set of constraints      | `&[`[`AtomId`]`]`                       |
//! | *ConstraintSolver*(τ)        | [`Theory::decide`]                      |
//! | *Conflicts*(ν), C_ν          | [`Decision::Infeasible`]`::core`        |
//!
//! The algorithm itself is [`Solver::satisfy`] (`satisfy.rs`). The contractor, for theories over real variables, stands alone: [`contract()`].
//!
//! # What a constraint without a value means
//! At a point at which its expression is undefined, a constraint does not hold. Nor does its opposite, which is a constraint of its own: both false is the papers' "indeterminate".
//!
//! # Guarantee
//! Rigorous, if the theory is: `Unsatisfiable` only if every assignment was refuted; `Satisfied` only with the
//! theory's witness. A theory that does not know, and every limit, ends in `Unknown`. Deterministic. No IO,
//! clock or threads.
//!
//! # Example
//! a ∧ (b ∨ c), with a theory of the points 0 to 9 in which a is x > 5, b is x < 3 and c is x > 7:
//! ```
//! use dyverse_smt::{AtomId, Decision, Formula, Outcome, Solver, Theory};
//!
//! struct Points;
//! impl Theory for Points {
//!     type Witness = u32;
//!     fn decide(&mut self, constraints: &[AtomId]) -> Decision<u32> {
//!         let holds = |x: u32, c: &AtomId| [x > 5, x < 3, x > 7][c.0 as usize];
//!         match (0..10).find(|x| constraints.iter().all(|c| holds(*x, c))) {
//!             Some(x) => Decision::Feasible(x),
//!             None => Decision::Infeasible { core: (0..constraints.len()).collect() },
//!         }
//!     }
//! }
//!
//! let [a, b, c] = [0, 1, 2].map(|number| Formula::from(AtomId(number)));
//! let mut solver = Solver::default();
//! let formula = Formula::all([a.clone(), Formula::any([b.clone(), c])]);
//! assert_eq!(solver.satisfy(&formula, &mut Points, None), Outcome::Satisfied(8));
//! assert_eq!(solver.satisfy(&Formula::all([a, b]), &mut Points, None), Outcome::Unsatisfiable);
//! ```
#![forbid(unsafe_code)]

mod cnf;
mod contract;
mod formula;
mod implicant;
mod sat;
mod satisfy;
mod statistics;
mod theory;

pub use contract::{Contracted, Contractor, InvalidConstraint, VariableBox, contract};
pub use formula::{AtomId, Formula};
pub use satisfy::{Outcome, SmtOptions, Solver};
pub use statistics::{CallRecord, Statistics};
pub use theory::{Decision, Theory, UnknownReason};
