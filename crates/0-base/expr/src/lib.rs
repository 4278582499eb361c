//! Expressions over the symbols of a model: numbers and truth values.
//!
//! **In:** nodes, built bottom-up in a [`Pool`]. **Out:** values on any [`Scalar`](dyverse_num::Scalar)
//! ([`Program`]; [`Frozen`] with frozen decisions), derivatives ([`Pool::derive`]), text ([`Printer`]).
//!
//! All expressions of a model lie in one pool, children before parents, and equal nodes are one node. So a
//! walk is a loop over a vector: nothing recurses, a chain of definitions costs what its text costs, and all
//! loads of a system are evaluated in one pass.
//!
//! # Not here
//! What a symbol means: a [`SymbolId`] is a number, the model has the table. Vectors: they are three nodes.

mod constraint;
mod decision;
mod derivative;
mod doubles;
mod expand;
mod freeze;
mod frozen;
mod node;
mod pool;
mod print;
mod program;
#[cfg(test)]
mod random;
mod scalar;
mod substitute;

pub use constraint::Constraint;
pub use decision::Decision;
pub use dyverse_num::Relation;
pub use frozen::{Change, Frozen, Surface};
pub use node::{BinaryFunction, Literal, Node, NodeId, Sort, SymbolId, UnaryFunction};
pub use pool::Pool;
pub use print::Printer;
pub use program::{Op, Program, Reg};
pub use scalar::{Valuation, Value, binary, compare, unary};
