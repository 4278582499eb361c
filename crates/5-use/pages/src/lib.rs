//! Pages: what a run or a check looks like, as data for [`dyverse_view`].
//!
//! **In:** a model and how it is run, or a trace that someone kept. **Out:** a [`Page`].
//!
//! | file | what it makes |
//! |---|---|
//! | `recorded.rs` | what every trace has: samples, signals, transitions |
//! | `bodies.rs` | a run of rigid bodies: gaps, contact forces, energies |
//! | `beginning.rs` | the beginning of a run that is too long to look at |
//! | `scene.rs` | what bodies look like |
//! | `drawn.rs` | the automaton, and where in its drawing a run is |
//! | `actors.rs` | a run of an actor model: where its modal models are |
//! | `check.rs` | verdicts with their evidence; counterexamples as runs, enclosures as tubes |
//! | `traces.rs` | a trace without its model |
//!
//! # Guarantee
//! Numbers are those of the trace, bit by bit. What is left out because it is too much is said in the page's notes.

mod actors;
mod beginning;
mod bodies;
mod check;
mod drawn;
mod recorded;
mod scene;
mod traces;

pub use actors::{actors_page, actors_run};
pub use bodies::{bodies_page, bodies_run};
pub use check::{CheckAnswer, check_page};
pub use dyverse_view::{Page, write_page, write_page_json};
pub use traces::{OtherModel, bodies_trace_page, trace_page};

/// The text of a model, to show beside it.
pub use dyverse_view::Source as SourceText;
