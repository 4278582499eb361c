//! A block as an FMU: its `modelDescription.xml` for FMI 2.0 and 3.0, and the archive with model and library.
//!
//! **In:** a [`Source`](dyverse_block::Source) and the bytes of the library (crate `dyverse-fmi`). **Out:** an archive, written to anything. Same model, same bytes.
//!
//! | file | what it holds |
//! |---|---|
//! | `archive.rs` | the archive |
//! | `fmi2.rs`, `fmi3.rs` | the model descriptions |
//! | `units.rs`, `xml.rs` | SI units; XML text |
//!
//! # Never here
//! Files; the functions of FMI.

mod archive;
mod fmi2;
mod fmi3;
mod units;
mod xml;

pub use archive::{FmuError, Version, identifier, library_name, write_fmu};
pub use fmi2::describe as describe_fmi2;
pub use fmi3::describe as describe_fmi3;
