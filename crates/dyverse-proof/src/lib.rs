//! Proofs of safety: what was shown, box by box, along every discrete evolution.
#![forbid(unsafe_code)]

mod proof;

pub use proof::{Branch, Proof, ProvedBox, Stay, StayEnd, Way, claim};
