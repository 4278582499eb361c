//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod actor_pictures;
mod actor_trace;
mod hostile;
mod json;
mod partition;
mod pictures;
mod png;
mod support;
mod text;
mod trace;
mod trace_read;
