//! Proof and refutation of safety properties.
#![forbid(unsafe_code)]

mod actors;
mod bodies;
mod boxes;
mod evolution;
mod explore;
mod places;
mod refine;
mod requirement;
mod sustained;
mod watch;

pub use actors::Actors;
pub use bodies::Bodies;
pub use boxes::UnknownBox;
pub use evolution::Evolution;
pub use places::{BodyPlace, Closed, Mode, Node};
pub use refine::{Decided, RefineOptions, Refined, refine};
pub use requirement::Requirement;
pub use explore::{Explorer, Figures, Limits, Outcome, Reason};
