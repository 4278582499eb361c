//! What the tests share: random numbers, random models, models from text, boxes decided and contradicted.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs
)]

pub(crate) mod bodies;
pub(crate) mod campaign;
pub(crate) mod draft;
pub(crate) mod modes;
pub(crate) mod random;
pub(crate) mod read;
pub(crate) mod verdicts;
