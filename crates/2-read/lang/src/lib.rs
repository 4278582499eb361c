//! The languages of models: `.drbt` text to a rigid-body [`Model`](dyverse_model::Model), `.dam` text to an actor
//! [`Graph`](dyverse_actors::Graph), and both back to tidy text.
//!
//! **In:** bytes of a file, and a [`Loader`] for those it imports. **Out:** a [`Reading`]: the model, or everything
//! that is wrong with it, each finding with its place ([`dyverse_diag`]).
//!
//! docs/LANGUAGE.md and docs/ACTOR_LANGUAGE.md describe the languages. They share lexer, expressions, types, parameters and
//! properties. The stages, each in its folder: `syntax` (tokens, tree), `lower` (names, types, ranges, then mechanics),
//! `actors` (instances, modes, signals), `format`.
//!
//! # Guarantee
//! No input makes it panic, hang or overflow the stack: nesting is bounded, expressions lie flat, passes are linear
//! or nearly so. No IO.

mod actors;
mod externals;
mod format;
mod lower;
mod source;
mod syntax;

pub use actors::{ActorModel, Fmu, Mechanism};
pub use format::{FormatError, format};
pub use source::{FmuInterface, LARGEST_FILE, Loaded, Loader, NoImports, Reading, read, read_actors};
