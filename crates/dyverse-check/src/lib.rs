//! Proof and refutation of safety properties.
#![forbid(unsafe_code)]

mod boxes;
mod explore;
mod refine;
mod watch;

pub use boxes::UnknownBox;
pub use explore::{Explorer, Figures, Limits, Outcome, Reason};
pub use refine::{Decided, RefineOptions, Refined, refine};
