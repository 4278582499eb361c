//! What the tests share: models from text, and what is to be found of their boxes.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs
)]

pub(crate) mod read;
pub(crate) mod verdicts;
