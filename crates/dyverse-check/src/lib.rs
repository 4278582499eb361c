//! Proof and refutation of safety properties.
#![forbid(unsafe_code)]

mod bodies;
mod evolution;
mod explore;
mod places;
mod requirement;
mod sustained;
mod watch;

pub use bodies::Bodies;
pub use evolution::Evolution;
pub use places::{BodyPlace, Closed, Mode, Node};
pub use requirement::Requirement;
pub use explore::{Explorer, Figures, Limits, Outcome, Reason};
