//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod along;
mod closed_forms;
mod continued;
mod convergence;
mod convex;
mod crowds;
mod energy;
mod flat;
mod friction;
mod friction_of_states;
mod hard_cases;
mod impact_laws;
mod invariance;
mod judged;
mod large;
mod lasting;
mod mechanics;
mod observe;
mod random_scenes;
mod replayed;
mod rolling;
mod scales;
mod scenes;
mod sharp;
mod siconos;
mod stepped;
mod support;
mod switched_loads;
mod touches;
