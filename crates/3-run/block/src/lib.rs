//! A model as a block that another tool runs: what an FMU, a C program or an actor model needs of it.
//!
//! **In:** the texts of a model ([`Source`]). **Out:** a [`Description`] of its variables, and [`Instance`]s: values in and out, derivatives, event indicators,
//! microsteps (model exchange), steps (co-simulation), saved states.
//!
//! | file | what it holds |
//! |---|---|
//! | `source.rs` | the texts of a model as one pack |
//! | `instance.rs` | a block that runs |
//! | `shown.rs` | an event shown one microstep at a time |
//! | `rigid_body.rs` | a rigid-body system as an actor of an actor model |
//!
//! What runs inside is a [`Component`](dyverse_component::Component), which says itself what it shows.
//!
//! # Never here
//! Files, foreign interfaces, formats of other tools.

mod instance;
mod rigid_body;
mod shown;
mod source;

pub use dyverse_component::{
    Causality, Description, Enumeration, Fault, Kind, Passed, Slot, Value, Variability, Variable,
};
pub use instance::{Instance, Microstep};
pub use rigid_body::components;
pub use source::{AnyModel, INDEX, Pack, Source};
