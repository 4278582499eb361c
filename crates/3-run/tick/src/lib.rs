//! Execution of actor models on superdense time [004; SPEC §6].
//!
//! **In:** a [`Graph`](dyverse_actors::Graph), its [`Component`](dyverse_component::Component)s and [`TickOptions`]. **Out:** a [`Trace`](dyverse_trace::Trace), or the
//! [`TickError`] for which the model was refused.
//!
//! | file | what it holds |
//! |---|---|
//! | `run.rs` | a run from beginning to end |
//! | `session.rs`, `exchange.rs`, `described.rs`, `layout.rs` | a model as a component that somebody else runs: instants; rates and indicators; what it shows; places of states |
//! | `snapshot.rs`, `bytes.rs` | its whole state as bytes |
//! | `engine.rs` | what both are made of: microsteps, and time passing between instants |
//! | `plan.rs` | a graph made ready; the schedule |
//! | `frame.rs`, `modal.rs` | one tick: the least fixed point; which transitions are taken |
//! | `state.rs`, `postfire.rs` | what is remembered, and how it changes after a tick |
//! | `compile.rs`, `flow.rs`, `program.rs` | the continuous part between two events as a straight-line program with frozen switches |
//! | `solver.rs`, `work.rs`, `cut.rs`, `locate.rs` | steps of the flow, cut at the first event |
//! | `together.rs`, `reached.rs`, `met.rs`, `pin.rs` | what happens in one instant, and where it counts as being on its level |
//! | `level.rs` | on which side of its level a `cross` stands |
//! | `finite.rs` | where a value is no finite number |
//! | `nonconstructive.rs`, `zeno.rs`, `sliding.rs` | causality loops, chattering, accumulations of events, switches that turn each other back |
//! | `recorder.rs`, `options.rs`, `numbers.rs`, `error.rs` | the trace, what is asked, what is refused |
//!
//! # Microsteps
//! Microstep 0 of an instant is the left limit: events of clocks, `at`, delays, crossings and components are present at microstep 1 or later,
//! and transitions are taken at microstep 1 or later. The solver starts from the final microstep. So it never sees a value from
//! the middle of an instant, and every integrator is continuous from the left at microstep 0.
//!
//! # Guarantee
//! The fixed point is the least one and does not depend on the order of evaluation. Continuous values are to the solver's tolerance, crossings as `locate.rs` says. Every run ends: with
//! the horizon, or with a reason. Same input, same bytes out.
//!
//! # Never here
//! Text, files, clocks, threads, mechanics.
#![forbid(unsafe_code)]

mod bytes;
mod compile;
mod cut;
mod described;
mod engine;
mod error;
mod exchange;
mod excursion;
mod finite;
mod flow;
mod frame;
mod layout;
mod level;
mod locate;
mod merge;
mod met;
mod modal;
#[cfg(test)]
mod monotonic;
mod narrow;
mod nonconstructive;
mod nonstrict;
mod numbers;
mod options;
mod pin;
mod plan;
mod postfire;
mod program;
mod rates;
mod reached;
mod recorder;
mod run;
mod session;
mod sliding;
mod snapshot;
mod solver;
mod state;
mod together;
mod used;
mod work;
mod zeno;

pub use dyverse_trace::InputSignal;
pub use error::TickError;
pub use numbers::parameter_values;
pub use options::{TickOptions, TickWatch};
pub use run::{simulate, simulate_with_progress};
pub use session::Session;
