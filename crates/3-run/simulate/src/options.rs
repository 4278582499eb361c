//! What a run is asked to do.

use crate::Start;
use dyverse_flow::FlowOptions;
use dyverse_trace::{InputSignal, Keep, StopReason};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The time reached, s.
    pub t: f64,
    /// Where it ends, s.
    pub horizon: f64,
    /// Discrete transitions so far.
    pub transitions: usize,
    /// Impacts so far.
    pub impacts: usize,
    /// What the trace so far needs in memory, bytes.
    pub bytes: usize,
}

/// Is told now and then how far a run is, and may end it.
#[derive(Clone)]
pub struct Watch(Arc<dyn Fn(Progress) -> ControlFlow<StopReason> + Send + Sync>);

impl Watch {
    /// Calls this; a run ends as cancelled where it breaks.
    pub fn new(call: impl Fn(Progress) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Self::with_reason(move |progress| match call(progress) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(StopReason::Cancelled),
        })
    }

    /// Calls this; a run ends where it breaks, with that reason.
    pub fn with_reason(call: impl Fn(Progress) -> ControlFlow<StopReason> + Send + Sync + 'static) -> Self {
        Watch(Arc::new(call))
    }

    pub(crate) fn call(&self, progress: Progress) -> ControlFlow<StopReason> {
        (self.0)(progress)
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// How contacts are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contacts {
    /// By events alone: where that fails the run stops.
    #[default]
    Exact,
    /// By events, and by steps where events fail or cost too much.
    Auto,
    /// By steps wherever anything touches.
    Stepping,
}

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// When to stop, s; the model's own horizon if `None`.
    pub until: Option<f64>,
    /// Where to begin, if not at the model's initial state. Parameters and inputs are those of these options all the same.
    pub start: Option<Start>,
    /// Is told how far the run is.
    pub watch: Option<Watch>,
    /// Parameters with values other than the model's.
    pub parameters: Vec<(String, f64)>,
    /// Components of the state the run begins with that are other than the model's (or than those of `start`), such as `ball.x`.
    pub initial: Vec<(String, f64)>,
    /// Inputs that something drives.
    pub inputs: Vec<(String, InputSignal)>,
    /// Time between samples, s; a five hundredth of the run if `None`.
    pub sample_every: Option<f64>,
    /// Whether motion between transitions is kept as polynomials.
    pub keep_pieces: bool,
    /// Whether every inner step of a computation node is in the trace.
    pub show_nodes: bool,
    /// What is kept, and in how much memory.
    pub keep: Keep,
    /// Events at the most: discrete transitions, switches of loads, and whatever else was located and made none.
    pub event_limit: usize,
    /// Discrete transitions at one instant at the most.
    pub microstep_limit: usize,
    /// The longest step, s; the model's own limit if `None`.
    pub max_step: Option<f64>,
    /// How contacts are followed.
    pub contacts: Contacts,
    /// The length of steps that follow contacts, s; found from the model if `None`.
    pub contact_step: Option<f64>,
    /// Accuracy of the flow.
    pub flow: FlowOptions,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            until: None,
            start: None,
            watch: None,
            parameters: Vec::new(),
            initial: Vec::new(),
            inputs: Vec::new(),
            sample_every: None,
            keep_pieces: false,
            show_nodes: false,
            keep: Keep::default(),
            event_limit: 10_000_000,
            microstep_limit: 10_000,
            max_step: None,
            contacts: Contacts::Exact,
            contact_step: None,
            flow: FlowOptions::default(),
        }
    }
}

/// Why a run cannot begin.
#[derive(Clone, Debug, PartialEq)]
pub enum RunError {
    /// Neither the model nor the call says how long to run.
    NoHorizon,
    /// The time to stop is not a number above 0.
    BadHorizon(f64),
    /// The time to stop is not after the time to begin.
    NothingToRun {
        /// When it begins, s.
        start: f64,
        /// When it would stop, s.
        until: f64,
    },
    /// The state to begin with lacks a value, or it is no finite number.
    NoStartValue(String),
    /// The time between samples is not a number above 0.
    BadSampling(f64),
    /// The longest step is not a number above 0.
    BadStep(f64),
    /// The length of the steps that follow contacts is no number, or below the shortest.
    BadContactStep(f64, f64),
    /// No parameter has this name.
    UnknownParameter(String),
    /// A parameter is given something that is no finite number.
    BadParameter(String, f64),
    /// No component of a state has this name, or it is the velocity of something fixed.
    UnknownState(String),
    /// A component of a state is given something that is no finite number.
    BadState(String, f64),
    /// No input has this name.
    UnknownInput(String),
    /// An input's table is empty, out of order or not finite.
    BadInput(String),
    /// A mass, size or law is out of range for these parameters.
    BadNumber {
        /// Of what.
        what: String,
        /// The number.
        value: f64,
    },
    /// A tolerance that the model was given by its scales is too coarse for values that it does not declare.
    Coarse {
        /// Which.
        name: &'static str,
        /// What it is.
        tolerance: f64,
        /// What it would be with these values in the model.
        wanted: f64,
    },
    /// Entities overlap at the start for these parameters.
    Overlap {
        /// The contact.
        contact: String,
        /// Its gap, m.
        gap: f64,
    },
    /// A pair of surfaces has no gap function.
    NoGap(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::NoHorizon => write!(
                f,
                "how long to run? write `horizon 10` in the model, or give --until 10"
            ),
            RunError::BadHorizon(t) => write!(f, "the time to stop must be a number above 0, not {t}"),
            RunError::NothingToRun { start, until } => {
                write!(f, "the run begins at {start} s, so it cannot stop at {until} s")
            }
            RunError::NoStartValue(name) => write!(f, "the state to begin with has no finite `{name}`"),
            RunError::BadSampling(dt) => {
                write!(f, "the time between samples must be a number above 0, not {dt}")
            }
            RunError::BadContactStep(h, shortest) => {
                write!(
                    f,
                    "the steps that follow contacts must be a number from {shortest} s on, not {h}"
                )
            }
            RunError::BadStep(h) => write!(f, "the longest step must be a number above 0, not {h}"),
            RunError::UnknownParameter(name) => write!(f, "the model has no parameter `{name}`"),
            RunError::BadParameter(name, value) => write!(f, "`{name}` cannot be {value}"),
            RunError::UnknownState(name) => {
                write!(
                    f,
                    "the model has no initial value `{name}`: write for example `ball.x`"
                )
            }
            RunError::BadState(name, value) => write!(f, "`{name}` cannot be {value}"),
            RunError::UnknownInput(name) => write!(f, "the model has no input `{name}`"),
            RunError::BadInput(name) => {
                write!(
                    f,
                    "the table of input `{name}` must have finite values at ascending times (two at one time are a jump)"
                )
            }
            RunError::BadNumber { what, value } => write!(f, "with these parameters {what} is {value}"),
            RunError::Coarse {
                name,
                tolerance,
                wanted,
            } => write!(
                f,
                "with these parameters the tolerance `{name}` of the model, {tolerance:e}, is too coarse (it would be {wanted:e}): write the values into the model, or ranges that hold them (`param m in [1e-10, 1] = 1`)"
            ),
            RunError::Overlap { contact, gap } => {
                write!(
                    f,
                    "with these parameters {contact} overlap at the start: their gap is {gap}"
                )
            }
            RunError::NoGap(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for RunError {}
