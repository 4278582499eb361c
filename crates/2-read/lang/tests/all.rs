//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

mod format;
mod imports;
mod loads;
mod right_dam;
mod right_files;
mod robust;
mod robust_dam;
mod support;
mod wrong_files;
