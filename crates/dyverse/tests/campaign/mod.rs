//! The soundness campaign: random models with random properties, what is decided of them, and what could contradict it.
//!
//! | file | |
//! |---|---|
//! | `draft.rs`, `bodies.rs`, `modes.rs` | random models as text |
//! | `property.rs` | random properties, with thresholds from a few simulations |
//! | `subject.rs` | a model of either kind: decided, simulated |
//! | `trial.rs` | one model: decided, then simulated thousands of times |
//! | `proofs.rs` | its proof, as the command makes it, judged by the independent checker |
//! | `damage.rs` | the same with something wrong in it |
//! | `tally.rs` | what a campaign has found |
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

pub(crate) mod bodies;
pub(crate) mod claims;
pub(crate) mod closed;
pub(crate) mod damage;
pub(crate) mod draft;
pub(crate) mod modes;
pub(crate) mod proofs;
pub(crate) mod property;
pub(crate) mod random;
pub(crate) mod subject;
pub(crate) mod tally;
pub(crate) mod trial;
