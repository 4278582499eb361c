//! Superdense time, and the trace of a run: the data that simulators make and everything downstream reads.
//!
//! **In:** nothing. **Out:** [`SuperdenseTime`], [`Trace`] and its parts, and what drives a run from outside ([`InputSignal`]).
//!
//! A trace knows signals by name, samples of them, and every discrete transition. It does not know what made it: a rigid-body run and an
//! actor run have the same trace.

mod input;
mod keep;
mod stop;
mod superdense;
mod told;
mod trace;

pub use input::{InputBreaks, InputSignal};
pub use keep::{ABSENT, Keep, Tally, is_absent};
pub use stop::{ChangingSignal, Stop, StopReason};
pub use superdense::{Microstep, SuperdenseTime, shown_number};
pub use trace::{
    Balance, Change, ContactForce, ImpactGain, Piece, Sample, Signal, SignalId, Statistics, SteppingPhase,
    Trace, Transition, TransitionKind,
};
