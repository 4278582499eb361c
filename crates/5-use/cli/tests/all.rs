//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used
)]

mod actors;
mod check;
mod command;
mod export;
mod fmu;
mod golden;
mod kept;
mod output;
mod replay;
mod signals;
mod simulate;
mod studio;
mod support;
mod time;
mod view;
