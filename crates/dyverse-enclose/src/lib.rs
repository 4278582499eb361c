//! Validated enclosures of states, flows, crossings and jumps.
#![forbid(unsafe_code)]

mod along;
mod arithmetic;
mod basis;
mod crossing;
mod flow;
mod gradient;
mod matrix;
mod program;
mod ring;
mod series;
mod state_set;
mod taylor_model;

pub use along::Along;
pub use basis::Basis;
pub use crossing::{Crossed, Crossing, Formulas, first_crossing};
pub use flow::{Failure, FlowProgram, FlowSettings, Stepper, Tube};
pub use program::Program;
pub use ring::Undefined;
pub use state_set::StateSet;
pub use taylor_model::TaylorModel;
