//! Proof and refutation of safety properties.
#![forbid(unsafe_code)]

mod boxes;
mod create_roots;
mod depth_first_search;
mod explore_comp_node;
mod explore_dynamical_location;
mod explorer;
mod impulses;
mod interrupt;
mod outcome;
mod queries;
mod record;
mod refine;
mod unique;
mod watch;

pub use boxes::UnknownBox;
pub use explorer::Explorer;
pub use interrupt::Interrupt;
pub use outcome::{Figures, Limits, Outcome, Questions, Reason, TimeBin};
pub use record::{RecordedStep, RecordedTube, record};
pub use refine::{Decided, RefineOptions, Refined, explore_point, refine};
