//! Proof and refutation of safety properties.
#![forbid(unsafe_code)]

mod boxes;
mod explore;
mod impulses;
mod interrupt;
mod outcome;
mod queries;
mod record;
mod refine;
mod stay;
mod unique;
mod watch;

pub use boxes::UnknownBox;
pub use explore::Explorer;
pub use interrupt::Interrupt;
pub use outcome::{Figures, Limits, Outcome, Questions, Reason, TimeBin};
pub use record::{RecordedStep, RecordedTube, record};
pub use refine::{Decided, RefineOptions, Refined, explore_point, refine};
