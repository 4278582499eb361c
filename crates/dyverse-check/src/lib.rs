//! Proof and refutation of safety properties.
#![forbid(unsafe_code)]

mod evolution;
mod explore;
mod bodies;
mod places;
mod requirement;
mod sustained;
mod watch;

pub use evolution::Evolution;
pub use explore::{Explorer, Figures, Limits, Outcome, Reason};
