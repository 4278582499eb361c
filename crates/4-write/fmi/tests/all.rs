//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::undocumented_unsafe_blocks,
    clippy::unwrap_used
)]

mod hostile;
mod runs;
mod support;
