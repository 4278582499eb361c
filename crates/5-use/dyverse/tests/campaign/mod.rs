//! The soundness campaign: random models with random properties, what is decided of them, and what could contradict it.
//!
//! | file | |
//! |---|---|
//! | `closed/` | scenes in closed form, properties, and what is true of them |
//! | `asked.rs` | such a scene with a property |
//! | `claims.rs`, `runs.rs` | what `check` claims of it; what `simulate` does beside it |
//! | `commands.rs` | the command itself on such scenes |
//! | `draft.rs`, `bodies.rs`, `modes.rs` | other random models, as text |
//! | `property.rs` | random properties of them, from a simulation |
//! | `traces.rs` | a run as a course, for the campaign's own evaluator |
//! | `subject.rs` | a model of either kind: decided, simulated |
//! | `trial.rs` | one model: decided, then simulated many times |
//! | `proofs.rs` | its proof, as the command makes it, judged by the independent checker |
//! | `damage.rs` | the same with something wrong in it |
//! | `tally.rs` | what was found about random scenes |
//! | `runner.rs` | many trials on all cores, and their report |
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::needless_range_loop, reason = "rows and columns are numbers there")]
#![allow(
    clippy::manual_try_fold,
    reason = "of three truth values `None` is not the end"
)]

pub(crate) mod asked;
pub(crate) mod bodies;
pub(crate) mod claims;
pub(crate) mod closed;
pub(crate) mod commands;
pub(crate) mod damage;
pub(crate) mod draft;
pub(crate) mod modes;
pub(crate) mod proofs;
pub(crate) mod property;
pub(crate) mod random;
pub(crate) mod runner;
pub(crate) mod runs;
pub(crate) mod subject;
pub(crate) mod tally;
pub(crate) mod traces;
pub(crate) mod trial;
