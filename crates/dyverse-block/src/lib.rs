//! A model as a block that another tool runs: what an FMU, a C program or an actor model needs of it.
//!
//! **In:** the texts of a model ([`Source`]). **Out:** a [`Description`] of its variables, and [`Instance`]s: values in and out, derivatives, event indicators,
//! microsteps (model exchange), steps (co-simulation), saved states.
//!
//! | file | what it holds |
//! |---|---|
//! | `source.rs` | the texts of a model as one pack |
//! | `description.rs` | variables |
//! | `instance.rs` | a block that runs |
//! | `engine.rs` | what runs inside: one interface for both kinds of model |
//! | `bodies.rs`, `actors.rs` | rigid-body systems, actor models |
//! | `rigid_body.rs` | a rigid-body system as an actor of an actor model |
//! | `stepping.rs` | steps cut at the first event |
//!
//! # Never here
//! Files, foreign interfaces, formats of other tools.

mod actors;
mod bodies;
mod description;
mod engine;
mod instance;
mod rigid_body;
mod source;
mod stepping;

pub use description::{Causality, Description, Enumeration, Kind, Slot, Value, Variability, Variable};
pub use engine::{Advanced, Microstep};
pub use instance::Instance;
pub use rigid_body::components;
pub use source::{AnyModel, INDEX, Pack, Source};
