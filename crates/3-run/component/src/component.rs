//! The one interface of what has continuous states and is run by somebody else, in the spirit of FMI's model exchange: an importer, an actor model, the driver of this crate.
//!
//! # Contract
//! - `rates`, `outputs` and `indicators` are functions of their point and of the last microstep: a step may be tried, rejected and tried again.
//! - Between events everything is smooth. An event is where an indicator goes from positive to zero or below, where [`Component::next_time`] is reached, or where an input jumps.
//! - An instant is a sequence of microsteps, the first of which sees inputs from the left if nobody told of them before ([`Component::enter`]).

use crate::{Description, Slot, Value};
use dyverse_flow::DenseStep;
use dyverse_trace::{StopReason, SuperdenseTime, Transition};
use std::fmt;

/// Where something is asked.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// Time, s.
    pub t: f64,
    /// The states.
    pub x: &'a [f64],
    /// The inputs; NaN where one is absent or was never set. Of outputs that are asked for before inputs are known it is empty: those of the last event count.
    pub u: &'a [f64],
}

/// What was found at a point, for whoever asks about the same again.
#[derive(Clone, Debug)]
pub struct Seen<T> {
    t: f64,
    x: Vec<f64>,
    u: Vec<f64>,
    found: T,
}

impl<T> Seen<T> {
    /// Found here.
    pub fn new(at: Point<'_>, found: T) -> Self {
        Seen {
            t: at.t,
            x: at.x.to_vec(),
            u: at.u.to_vec(),
            found,
        }
    }

    /// What was found, if that was here.
    pub fn at(&self, at: Point<'_>) -> Option<&T> {
        let is_here = self.t == at.t && has_same_bits(&self.x, at.x) && has_same_bits(&self.u, at.u);
        is_here.then_some(&self.found)
    }
}

/// How much there is of everything; may change at an event only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Continuous states.
    pub states: usize,
    /// Inputs.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
    /// Event indicators.
    pub indicators: usize,
}

/// What a tolerance is to be multiplied by.
#[derive(Clone, Debug, PartialEq)]
pub struct Scales {
    /// Of the states, taken over and over.
    pub states: Vec<f64>,
    /// Of time, s.
    pub time: f64,
}

/// Why a component is called at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The run begins.
    Start,
    /// This indicator went from positive to zero or below; the first of several.
    Indicator(usize),
    /// The time it asked for is there.
    Time,
    /// An input jumped, the last microstep was not the final one, or whoever calls does not know why.
    Input,
}

/// What happened inside a component at a microstep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Happening {
    /// Event outputs that are present at the next microstep: place among them, value.
    pub events: Vec<(u32, f64)>,
    /// What the trace shows.
    pub transitions: Vec<Transition>,
    /// Whether it wants another call at the next microstep.
    pub is_unfinished: bool,
    /// Why nothing can follow, if so.
    pub stop: Option<StopReason>,
}

impl Happening {
    /// These transitions; whether another call is wanted.
    pub fn new(transitions: impl IntoIterator<Item = Transition>, is_unfinished: bool) -> Self {
        Happening {
            transitions: transitions.into_iter().collect(),
            is_unfinished,
            ..Happening::default()
        }
    }
}

/// How far time has passed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passed {
    /// The time reached, s.
    pub t: f64,
    /// The event that is due there, none of whose microsteps is executed.
    pub event: Option<Cause>,
    /// Why the run ends here, if it does.
    pub stop: Option<StopReason>,
}

impl Passed {
    /// Until here.
    pub fn new(t: f64, event: Option<Cause>, stop: Option<StopReason>) -> Self {
        Passed { t, event, stop }
    }
}

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The model cannot go on.
    Stopped(StopReason),
    /// What was asked makes no sense, or has no value here: text for people.
    Refused(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Stopped(reason) => reason.fmt(f),
            Fault::Refused(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Fault {}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Fault::Refused(text)
    }
}

impl From<&str> for Fault {
    fn from(text: &str) -> Self {
        Fault::Refused(text.to_owned())
    }
}

impl From<StopReason> for Fault {
    fn from(reason: StopReason) -> Self {
        Fault::Stopped(reason)
    }
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.to_string()
    }
}

/// Something with continuous states that somebody else runs.
pub trait Component {
    /// How much there is of everything.
    fn shape(&self) -> Shape;
    /// Begins at `t`, before the first microstep: the initial states.
    ///
    /// # Errors
    /// Why it cannot begin.
    fn start(&mut self, t: f64, x: &mut Vec<f64>) -> Result<(), Fault>;
    /// Writes x′.
    ///
    /// # Errors
    /// Where it has no value; a step is then tried shorter.
    fn rates(&mut self, at: Point<'_>, dx: &mut [f64]) -> Result<(), Fault>;
    /// Writes the outputs; NaN where one is absent or has no value.
    fn outputs(&mut self, at: Point<'_>, y: &mut [f64]);
    /// Writes the event indicators; NaN where one has no value.
    fn indicators(&mut self, at: Point<'_>, z: &mut [f64]);
    /// The name of a state, such as `ball.x`.
    fn state_name(&self, state: usize) -> String {
        format!("x{state}")
    }
    /// The longest step from here in which the rates can be believed, s.
    fn longest_step(&mut self, _at: Point<'_>) -> f64 {
        f64::INFINITY
    }
    /// The next moment at which it wants a microstep whatever happens, if any.
    fn next_time(&self) -> Option<f64> {
        None
    }
    /// An instant begins here, with the inputs from the left: those of its microsteps may differ. A component that makes no difference between them does nothing.
    ///
    /// # Errors
    /// If no instant can be here.
    fn enter(&mut self, _at: Point<'_>) -> Result<(), Fault> {
        Ok(())
    }
    /// Executes a microstep: may change `x`, also its length to a new number of states. `time` names its transitions.
    ///
    /// # Errors
    /// Why it cannot go on.
    fn microstep(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, Fault>;
    /// Lets time pass with a solver of its own until `until` or the first event, from where the last microstep or the last call of this left it; `None` if it has no such solver.
    fn pass(&mut self, _until: f64, _x: &mut Vec<f64>, _u: &[f64]) -> Option<Result<Passed, Fault>> {
        None
    }
    /// The first place in a step at which something is not as its nodes show it, and the place looked at before it.
    fn surprise(&mut self, _step: &DenseStep, _u: &[f64]) -> Option<(f64, f64)> {
        None
    }
    /// What tolerances are to be multiplied by.
    fn scales(&self) -> Scales {
        Scales {
            states: vec![1.0],
            time: 1.0,
        }
    }
    /// Everything that decides what it does next, except `x`, as bytes of its own format.
    ///
    /// # Errors
    /// A component that does not say how cannot be kept.
    fn snapshot(&self) -> Result<Vec<u8>, Fault> {
        Err("its state cannot be kept: this kind of component has no snapshots".into())
    }
    /// Goes back to a snapshot of the same component.
    ///
    /// # Errors
    /// For bytes that are no snapshot of it; it is then as before the call.
    fn restore(&mut self, _snapshot: &[u8]) -> Result<(), Fault> {
        Err("its state cannot be set: this kind of component has no snapshots".into())
    }
}

/// A component that says what it shows to the outside.
pub trait Described: Component {
    /// Its variables.
    fn description(&self) -> Description;
    /// The value of anything but time, states, rates and indicators; of an input that is not set, the value that it has then.
    ///
    /// # Errors
    /// Where it has none.
    fn observe(&mut self, at: Point<'_>, slot: Slot) -> Result<Value, Fault>;
    /// The state that an output is, if it is one.
    fn state_of(&self, _output: usize) -> Option<usize> {
        None
    }
}

/// What is borrowed is as good as what is owned.
impl<C: Component + ?Sized> Component for &mut C {
    fn shape(&self) -> Shape {
        (**self).shape()
    }
    fn start(&mut self, t: f64, x: &mut Vec<f64>) -> Result<(), Fault> {
        (**self).start(t, x)
    }
    fn rates(&mut self, at: Point<'_>, dx: &mut [f64]) -> Result<(), Fault> {
        (**self).rates(at, dx)
    }
    fn outputs(&mut self, at: Point<'_>, y: &mut [f64]) {
        (**self).outputs(at, y);
    }
    fn indicators(&mut self, at: Point<'_>, z: &mut [f64]) {
        (**self).indicators(at, z);
    }
    fn state_name(&self, state: usize) -> String {
        (**self).state_name(state)
    }
    fn longest_step(&mut self, at: Point<'_>) -> f64 {
        (**self).longest_step(at)
    }
    fn next_time(&self) -> Option<f64> {
        (**self).next_time()
    }
    fn enter(&mut self, at: Point<'_>) -> Result<(), Fault> {
        (**self).enter(at)
    }
    fn microstep(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, Fault> {
        (**self).microstep(time, cause, x, u)
    }
    fn pass(&mut self, until: f64, x: &mut Vec<f64>, u: &[f64]) -> Option<Result<Passed, Fault>> {
        (**self).pass(until, x, u)
    }
    fn surprise(&mut self, step: &DenseStep, u: &[f64]) -> Option<(f64, f64)> {
        (**self).surprise(step, u)
    }
    fn scales(&self) -> Scales {
        (**self).scales()
    }
    fn snapshot(&self) -> Result<Vec<u8>, Fault> {
        (**self).snapshot()
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), Fault> {
        (**self).restore(snapshot)
    }
}

/// Whether two lists of numbers are the same to the bit; so NaN is itself.
pub fn has_same_bits(a: &[f64], b: &[f64]) -> bool {
    a.iter().map(|v| v.to_bits()).eq(b.iter().map(|v| v.to_bits()))
}
