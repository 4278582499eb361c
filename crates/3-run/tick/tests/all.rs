//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod accumulations;
mod closed_forms;
mod common;
mod decays;
mod found;
mod guards;
mod levels;
mod meetings;
mod modal;
mod properties;
mod pulses;
mod session_states;
mod shipped;
mod simultaneity;
mod touches;
mod unused;
