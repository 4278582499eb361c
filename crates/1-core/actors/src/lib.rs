//! Actor models as data [004; SPEC §6]: a flat, instantiated graph of primitives, and what can be said about its causality before it runs.
//!
//! **In:** [`GraphBuilder`]: declare signals, define each by one primitive, add regions, modal models and components. **Out:** an
//! immutable, checked [`Graph`]; [`find_loops`]: every causality loop that some choice of modes makes possible, port by port.
//!
//! Hierarchy is gone: port `v` of instance `left` is the signal `left.v`. What is left of it is the tree of [`Region`]s, because a region
//! that is not active makes everything in it absent.
//!
//! | word | meaning |
//! |---|---|
//! | signal | a function of superdense time; at a tick it is unknown, absent, or a number (truth values are 0 and 1) |
//! | definition | the primitive whose output the signal is; each signal has exactly one |
//! | region | the root, an enabled composite, or a mode of a modal model |
//! | strict | an output that cannot be known before this input is |
//!
//! # Never here
//! Execution: that is `dyverse-tick`. Text: that is `dyverse-lang`.

mod builder;
mod causality;
mod check;
mod definition;
mod dependency;
mod graph;
mod guards;
mod modal;
mod nonstrict;

pub use builder::GraphBuilder;
pub use causality::{CausalityLoop, Certainty, LoopStep, find_loops, strongly_connected};
pub use check::GraphError;
pub use definition::{Definition, Direction};
pub use dependency::{Dependency, Role, strict_dependencies};
pub use graph::{
    ComponentId, ComponentUse, Graph, Numerics, Region, RegionId, RegionKind, Signal, SignalId, SignalKind,
    Symbol,
};
pub use guards::guard_operands;
pub use modal::{ModalId, ModalModel, Mode, ModeId, ModeTransition};
pub use nonstrict::{always_needed, loop_operands};
