//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used
)]

mod actor_support;
mod actors;
mod actors_against_runs;
mod contacts;
mod flow;
mod impacts;
mod properties;
mod support;
mod symbolic;
