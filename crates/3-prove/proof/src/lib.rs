//! Proofs of safety: what was shown, box by box, along every discrete evolution; and a checker of them that shares no search, no integrator and no crossing with whoever
//! found them.
#![forbid(unsafe_code)]

mod cover;
mod definite;
mod frame;
mod impulses;
mod json;
mod location;
mod matrix;
mod meeting;
mod obvious;
mod path;
mod picard;
mod proof;
mod rejected;
mod verify;
mod walk;

pub use json::{ProofFormatError, read_proof, write_proof};
pub use proof::{Branch, Proof, ProvedBox, Stay, StayEnd, StayId, Way, claim};
pub use rejected::{Accepted, Rejected, Why};
pub use verify::{Ends, Question, verify, verify_parallel};
