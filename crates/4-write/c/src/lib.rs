//! Models as self-contained C99: what the papers' generator made of a model file, "one C-function" for a simulation block [000 §1.2].
//!
//! **In:** a rigid-body model ([`write_bodies`]) or an actor model ([`write_actors`]). **Out:** [`CFiles`]: a header with the interface, one source that needs the standard library
//! only, a small program that runs the model, a Makefile; or an [`Obstacle`] that names what cannot be written.
//!
//! | file | what it holds |
//! |---|---|
//! | `expression.rs` | expressions of a pool as straight-line assignments |
//! | `interface.rs` | the header, the parts every model has, the program, the Makefile |
//! | `names.rs` | C identifiers |
//! | `text.rs` | a writer of indented lines |
//! | `actors/` | actor models: tables and functions of one model |
//! | `bodies/` | rigid-body models: tables and functions of one model |
//! | `runtime/` | what is the same in all models, in C: flow, crossings, contacts, nodes |
//!
//! # Guarantee
//! The C has no undefined behaviour that compilers or valgrind know of, allocates nothing, and compiles without a warning under
//! `-std=c99 -Wall -Wextra -Wpedantic`. It takes the same steps as a run of dyverse: same integrator, same search for crossings, same nodes. So its event
//! times and states are those of a run up to rounding, and to how the machine's `sin`, `exp`, … round.
//!
//! # Never here
//! Files: texts are returned.

mod actors;
mod bodies;
mod expression;
mod interface;
mod names;
mod text;

pub use actors::write_actors;
pub use bodies::write_bodies;
pub use interface::CFiles;

use dyverse_diag::Origin;
use std::fmt;

/// A construct that cannot be written in C.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// The construct in the way, why, and a way out; for people.
    pub what: String,
    /// Where it is written, if it is.
    pub origin: Option<Origin>,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Obstacle {}
