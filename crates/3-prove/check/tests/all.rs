//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod implicit_impacts;
mod known_truth;
mod support;
