//! FMUs of other tools as components: FMI 2.0 and 3.0, model exchange and co-simulation.
//!
//! **In:** an `.fmu` file. **Out:** its [`Description`], a [`Component`](dyverse_component::Component) of an actor model, or a [`Trace`](dyverse_trace::Trace) of it alone.
//!
//! | file | what it holds |
//! |---|---|
//! | `archive.rs` | the archive, unpacked to a folder that is removed at the end |
//! | `description.rs` | `modelDescription.xml` |
//! | `binary.rs` | whether a library is whole |
//! | `library.rs`, `machine.rs` | the library of this platform; one interface for both versions |
//! | `fmi2.rs`, `fmi3.rs` | the functions of the standard |
//! | `messages.rs`, `logger.c` | what an FMU says |
//! | `wiring.rs` | parameters, inputs, outputs |
//! | `exchange.rs` | model exchange |
//! | `steps.rs` | co-simulation |
//! | `standalone.rs` | a run of an FMU alone |
//!
//! # Guarantee
//! A damaged or foreign file gives an error, never a panic. A status that is neither OK nor a warning is an error with the FMU's own messages. What cannot be guaranteed is
//! what the code of an FMU does: it runs in this process. [`describe`] runs none of it.
//!
//! # Never here
//! Text of models; the terminal.

// The archive is a file, and is unpacked to a temporary folder.
#![allow(clippy::disallowed_methods)]

#[macro_use]
mod error;
mod archive;
mod binary;
mod description;
mod exchange;
mod fmi2;
mod fmi3;
mod library;
mod machine;
mod messages;
mod standalone;
mod steps;
mod wiring;

pub use archive::{describe, remove_unpacked};
pub use description::{Causality, Description, Interface, Kind, Offer, Variable, Version};
pub use error::ImportError;
pub use library::Fmu;
pub use standalone::{recorded, simulate};
pub use wiring::{Trouble, Wiring};
