//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

mod common;
mod connections;
mod files;
mod guard;
mod jobs;
