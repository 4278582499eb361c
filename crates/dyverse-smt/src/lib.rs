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
//! | *Conflicts*(ν), C_ν          | `conflict.rs`                           |
//! | maximal feasible set         | [`Decision::Infeasible`]`::feasible`    |
//!
//! [`BoxTheory`] is a theory: constraints `expression ∘ 0` over a box, refuted by interval contraction and
//! bisection. Its contractor stands alone: [`contract()`].
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
//! x² + y² ≤ 1 and (x + y ≥ 2 or x − y ≥ 1):
//! ```
//! use dyverse_expr::{Pool, Relation, SymbolId};
//! use dyverse_num::Interval;
//! use dyverse_smt::{BoxTheory, Formula, Outcome, Solver, VariableBox};
//!
//! let mut pool = Pool::new();
//! let (x, y) = (pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1)));
//! let (one, two) = (pool.number(1.0), pool.number(2.0));
//! let (xx, yy) = (pool.integer_power(x, 2), pool.integer_power(y, 2));
//! let disc = pool.add(xx, yy);
//! let disc = pool.subtract(disc, one);
//! let (sum, difference) = (pool.add(x, y), pool.subtract(x, y));
//! let (far, right) = (pool.subtract(sum, two), pool.subtract(difference, one));
//!
//! let side = Interval::new(-3.0, 3.0).unwrap();
//! let region = VariableBox::from([(SymbolId(0), side), (SymbolId(1), side)]);
//! let mut theory = BoxTheory::new(pool, region);
//! let disc = theory.constraint(disc, Relation::LessEqual).unwrap();
//! let far = theory.constraint(far, Relation::GreaterEqual).unwrap();
//! let right = theory.constraint(right, Relation::GreaterEqual).unwrap();
//!
//! let mut solver = Solver::default();
//! solver.assert(&Formula::all([disc, Formula::any([far.clone(), right.clone()])]));
//! assert!(matches!(solver.satisfy(&mut theory, Some(0.0)), Outcome::Satisfied { .. }));
//! solver.push();
//! solver.assert(&right.not());
//! assert!(matches!(solver.satisfy(&mut theory, Some(0.0)), Outcome::Unsatisfiable));
//! solver.pop();
//! ```
#![forbid(unsafe_code)]

mod box_theory;
mod cnf;
mod conflict;
mod contract;
mod formula;
mod implicant;
mod sat;
mod solver;
mod statistics;
mod theory;

pub use box_theory::{BoxOptions, BoxTheory};
pub use cnf::Clause;
pub use contract::{Constraint, Contracted, Contractor, InvalidConstraint, VariableBox, contract};
pub use formula::{Atom, AtomId, Formula, Literal};
pub use solver::{Outcome, SmtOptions, Solver};
pub use statistics::{CallRecord, Statistics, Verdicts};
pub use theory::{Decision, Theory, TheoryLiteral, UnknownReason};
