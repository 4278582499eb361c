//! Validated enclosures: sets of states as functions of unknowns, carried along flows, to guards and through resets.
//!
//! **In:** formulas (an expression pool and roots), a box of unknowns. **Out:** [`StateSet`]s and [`Tube`]s that hold every trajectory, between the ends of steps too.
//!
//! | file | what it holds |
//! |---|---|
//! | `basis.rs`, `taylor_model.rs` | polynomials in the unknowns with a remainder |
//! | `ring.rs`, `series.rs` | Taylor coefficients of formulas, over intervals and Taylor models |
//! | `gradient.rs`, `matrix.rs` | slopes over boxes; interval matrices; fundamental matrices |
//! | `state_set.rs` | P(p) + Q r |
//! | `flow.rs`, `along.rs` | one step of the flow, and quantities along it |
//! | `crossing.rs` | sets at a guard and after a reset |
//! | `implicit.rs` | numbers that equations determine |
//!
//! # Guarantee
//! Rigorous: outward-rounded throughout, and every function is proved to be defined and smooth where it is used. What cannot be enclosed is an error.
#![forbid(unsafe_code)]

mod along;
mod arithmetic;
mod basis;
mod crossing;
mod flow;
mod gradient;
mod implicit;
mod matrix;
mod ring;
mod series;
mod state_set;
mod taylor_model;

pub use along::Along;
pub use basis::{Basis, Ends, VariableId};
pub use crossing::{Crossed, Formulas};
pub use flow::{Failure, FlowProgram, FlowSettings, Stepper, Tube};
pub use implicit::{Branch, Equations, NoRoot};
pub use ring::Undefined;
pub use state_set::StateSet;
pub use taylor_model::TaylorModel;
