//! What runs inside a block: one interface for rigid-body systems and actor models.
//!
//! Everything is a function of time, states, inputs and the last event. An input that was never set is NaN: it then has the value it has when nothing drives it.

use crate::{Slot, Value};

/// A point at which something is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'a> {
    pub(crate) t: f64,
    pub(crate) x: &'a [f64],
    pub(crate) u: &'a [f64],
}

/// What one microstep did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Microstep {
    /// Whether another is wanted at this instant.
    pub is_more: bool,
    /// Whether a continuous state jumped.
    pub has_changed_states: bool,
    /// Why the run ends here, if it does.
    pub stop: Option<String>,
}

/// How far time has passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Advanced {
    /// The time reached, s.
    pub t: f64,
    /// Whether an event is due there.
    pub is_event: bool,
    /// Why the run ends here, if it does.
    pub stop: Option<String>,
}

/// What runs inside a block.
pub(crate) trait Engine {
    /// The states with which a run begins.
    fn initial(&mut self, x: &mut Vec<f64>);
    /// Writes x′.
    fn derivative(&mut self, at: At<'_>, dx: &mut [f64]) -> Result<(), String>;
    /// Writes the event indicators: an event is where one goes from positive to zero or below.
    fn indicators(&mut self, at: At<'_>, z: &mut [f64]) -> Result<(), String>;
    /// An instant begins: something crossed, a time is there, an input jumped, or the run begins.
    fn begin_instant(&mut self, at: At<'_>, is_start: bool) -> Result<(), String>;
    /// One microstep of the instant.
    fn microstep(&mut self, t: f64, x: &mut [f64], u: &[f64]) -> Result<Microstep, String>;
    /// When it wants an event whatever happens.
    fn next_time(&self) -> Option<f64>;
    /// Lets time pass until `until`, or to the first event, none of whose microsteps is executed. An input that changed since the last instant jumps: that instant is
    /// executed here.
    fn advance(&mut self, t: f64, until: f64, x: &mut [f64], u: &[f64]) -> Result<Advanced, String>;
    /// The value of anything but time, parameters, states and derivatives.
    fn observe(&mut self, at: At<'_>, slot: Slot) -> Result<Value, String>;
    /// The value of an input that was never set.
    fn input_default(&self, input: usize, t: f64) -> f64;
    /// The value of a parameter.
    fn parameter(&self, place: usize) -> f64;
    /// Everything that is remembered besides the states.
    fn snapshot(&self) -> Result<Vec<u64>, String>;
    /// Goes back to a snapshot.
    fn restore(&mut self, words: &[u64]) -> Result<(), String>;
}
