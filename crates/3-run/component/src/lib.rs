//! Something with continuous states that somebody else runs: a rigid-body system, an actor model, an FMU.
//!
//! **In:** nothing: a trait, and data. **Out:** [`Component`], what it shows to the outside ([`Described`], [`Description`]), and the [`Driver`] that lets time pass for any of them.
//!
//! | file | what it holds |
//! |---|---|
//! | `component.rs` | the interface: rates, outputs, event indicators, microsteps, snapshots |
//! | `description.rs` | variables with their kinds, units and ranges |
//! | `driver.rs` | a component from one time to another: steps cut at the first event, instants |
//!
//! # Never here
//! Models, mechanics, files, formats of other tools.
#![forbid(unsafe_code)]

mod component;
mod description;
mod driver;

pub use component::{
    Cause, Component, Described, Fault, Happening, Passed, Point, Scales, Seen, Shape, has_same_bits,
};
pub use description::{
    Causality, Description, Enumeration, Kind, Slot, Value, Variability, Variable, parameter_variable,
};
pub use driver::{Driver, Note, Stand};
