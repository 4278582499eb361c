//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod actor_limits;
mod actors_at_scale;
mod actors_of_the_paper;
mod campaign;
mod checks;
mod coupled_impacts;
mod guards;
mod instants;
mod lazy_equals_eager;
mod mechanisms;
mod moments;
mod names;
mod pages;
mod partitions;
mod plots;
mod proofs;
mod random_modes_in_c;
mod roundings;
#[path = "../../../3-run/block/tests/same.rs"]
mod same;
mod soundness;
mod tubes;
