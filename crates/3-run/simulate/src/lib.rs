//! Event-driven execution of the MRB hybrid automaton on superdense time [SPEC §5].
//!
//! **In:** a [`Model`](dyverse_model::Model) and [`RunOptions`]. **Out:** a [`Trace`](dyverse_trace::Trace): every discrete transition with its superdense
//! time, samples, the balance of energy, and why the run ended.
//!
//! | file | what it holds |
//! |---|---|
//! | `run.rs`, `steps.rs` | the loop, and the steps of islands |
//! | `queue.rs` | what is to come, earliest first |
//! | `island.rs` | entities integrated together, and their right-hand side |
//! | `predict.rs`, `crossing.rs`, `guards.rs` | gaps and guards along a step |
//! | `impact.rs` | impact nodes, accumulations of impacts, clusters and islands |
//! | `capture.rs`, `stepping.rs` | when contacts are followed by steps instead of events, and how |
//! | `clatter.rs` | impacts of a set of contacts that accumulate together |
//! | `sustained.rs`, `selection.rs` | contact nodes; which forces redundant contacts have |
//! | `switches.rs`, `sliding.rs`, `timeline.rs`, `watch.rs`, `curve.rs`, `edges.rs` | switches of loads and of friction: how they stand, motion along their surfaces, those known in advance, where they turn, those over the slip speed |
//! | `node_steps.rs` | nodes location by location, for the trace |
//! | `projection.rs` | closed contacts stay closed |
//! | `broad_phase.rs` | which entities can meet |
//! | `system.rs`, `loads.rs`, `inputs.rs` | the model's numbers |
//! | `index.rs` | types of the numbers of contacts, islands, groups |
//! | `log.rs`, `recorder.rs`, `naming.rs` | the trace: typed moves of contacts, and their names when it is made |
//! | `start.rs` | going on from the trace of another run |
//! | `observe.rs` | what a property can ask at a moment of a trace: contact quantities, inputs, masses |
//! | `along.rs` | what is seen along a run: contact forces, energies |
//! | `exchange.rs`, `described.rs`, `snapshot.rs` | a model as a component: rates, indicators, microsteps; what it shows; what it remembers |
//!
//! # Guarantee
//! To tolerance: motion to that of the flow (1e-13 a step), crossings to rounding. No crossing of a smooth gap is missed; where that cannot be said the run stops
//! and says so. Same input, same bytes out.
//!
//! # Never here
//! Text, files, clocks, threads.

mod along;
mod broad_phase;
mod capture;
mod clatter;
mod couples;
mod courses;
mod crossing;
mod curve;
mod described;
mod edges;
mod exchange;
mod flight;
mod friction;
mod guards;
mod impact;
mod impulses;
mod index;
mod inputs;
mod island;
mod isolate;
mod loads;
mod log;
mod naming;
mod near;
mod node_steps;
mod observe;
mod options;
mod pieces;
mod predict;
mod projection;
mod queue;
mod reach;
mod recorder;
mod rest;
mod rounded;
mod run;
mod selection;
mod sliding;
mod snapshot;
mod spare;
mod start;
mod starting;
mod stepping;
mod steps;
mod sustained;
mod switches;
mod system;
mod timeline;
mod watch;
mod ways;

pub use along::{Along, Seen};
pub use dyverse_trace::InputSignal;
pub use exchange::Mechanism;
pub use observe::{ClosedContacts, Moment, Observer, SeenForce};
pub use options::{Contacts, Progress, RunError, RunOptions, Watch};
pub use run::{simulate, simulate_with_contacts};
pub use start::{NoStart, Start};
