//! Robustness of properties along traces, and a robustness-guided search for counterexamples by simulation.
//!
//! **In:** an [`Experiment`]: a rigid-body model ([`ModelExperiment`]) or an actor model ([`GraphExperiment`]), one of its properties, and what it leaves open. **Out:** a [`SearchOutcome`]: a
//! counterexample that was simulated twice, or nothing found. It never says "safe".
//!
//! | file | what it holds |
//! |---|---|
//! | `robustness.rs`, `violation.rs` | what a property's robustness is, and when it is broken |
//! | `signal.rs`, `operators.rs` | robustness over superdense time, and the operators of the logic on it |
//! | `atom.rs`, `monotone.rs` | comparisons, their kinks and extrema |
//! | `course.rs`, `bodies.rs`, `actors.rs` | what a run shows |
//! | `experiment.rs`, `inputs.rs` | choose, simulate, measure |
//! | `search.rs`, `cmaes.rs`, `random.rs` | the search |
//!
//! # Example
//! ```
//! use dyverse_falsify::{ModelExperiment, SearchOptions, search};
//! use std::ops::ControlFlow;
//!
//! let text = "
//!     system throw
//!     param v in [1, 5]
//!     entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 1, 0)  velocity = (0, v, 0) }
//!     gravity (0, -10, 0)
//!     property low: always [0, 1] ball.y <= 2
//! ";
//! let main = dyverse_lang::Loaded::named("throw", text);
//! let model = dyverse_lang::read(main, &mut dyverse_lang::NoImports).model.ok_or("a model")?;
//! let experiment = ModelExperiment::new(&model, "low", Default::default())?;
//! let outcome = search(&experiment, &SearchOptions::default(), &mut |_| ControlFlow::Continue(()));
//! // 1 + v²/20 > 2 for v > √20.
//! let witness = outcome.found.ok_or("a counterexample")?;
//! assert!(witness.values[0].1 > 20_f64.sqrt());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Never here
//! Text, files, clocks.

mod actors;
mod atom;
mod bodies;
mod cmaes;
mod course;
mod exact;
mod experiment;
mod grid;
mod inputs;
mod monotone;
mod operators;
mod random;
mod robustness;
mod search;
mod signal;
mod violation;

pub use actors::ActorProperty;
pub use bodies::robustness;
pub use experiment::{Experiment, Failure, GraphExperiment, Measured, ModelExperiment, Unknown};
pub use inputs::{InputRange, Steps};
pub use robustness::{Robustness, Unmeasurable};
pub use search::{SearchEnd, SearchOptions, SearchOutcome, SearchProgress, Witness, search};
