//! The library inside an FMU: the functions of FMI 2.0 and 3.0 over a [`dyverse_block::Instance`].
//!
//! One library serves every model: it reads the model from the `resources` of the archive it came in. Both versions of the standard share one state machine
//! (`machine.rs`); `fmi2.rs` and `fmi3.rs` only translate.
//!
//! | file | what it holds |
//! |---|---|
//! | `table.rs` | instances behind handles: one that was freed, or never was, is refused |
//! | `machine.rs` | the states of an instance and what may be called in each |
//! | `logger.rs` | messages to the importer |
//! | `memory.rs` | arrays and texts of the importer |
//! | `resources.rs` | the model in the archive |
//! | `fmi2.rs`, `fmi3.rs` | the functions of the standard |
//! | `both.rs` | those that both versions have |
//!
//! # Guarantee
//! No call crashes the importer: pointers that are null, handles that are not live, wrong order, values that are no numbers give a status and a message. What cannot be checked is
//! whether an array is as long as the importer says. A panic inside is caught and is a fatal status of that instance alone.

#![allow(non_snake_case, reason = "the functions are named by the standard")]
// The model is read from the archive's resources.
#![allow(clippy::disallowed_methods)]

mod both;
mod fmi2;
mod fmi3;
mod logger;
mod machine;
mod memory;
mod resources;
mod table;

pub use both::*;
pub use fmi2::*;
pub use fmi3::*;
