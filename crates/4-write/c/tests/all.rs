//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod actors;
mod actors_constructs;
mod actors_support;
mod examples;
mod interface;
mod random_models;
#[path = "../../../3-run/block/tests/same.rs"]
mod same;
mod support;
mod tables;
