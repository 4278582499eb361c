//! What a run is asked to do.

use dyverse_flow::FlowOptions;
use std::fmt;

/// An external input during a run.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSignal {
    /// Values at times, straight lines between, constant outside. Times ascend.
    Table {
        /// Times, s.
        times: Vec<f64>,
        /// Values.
        values: Vec<f64>,
    },
    /// One value.
    Constant(f64),
}

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// When to stop, s; the model's own horizon if `None`.
    pub until: Option<f64>,
    /// Parameters with values other than the model's.
    pub parameters: Vec<(String, f64)>,
    /// Inputs that something drives.
    pub inputs: Vec<(String, InputSignal)>,
    /// Time between samples, s; a five hundredth of the run if `None`.
    pub sample_every: Option<f64>,
    /// Whether motion between transitions is kept as polynomials.
    pub keep_pieces: bool,
    /// Whether every inner step of a computation node is in the trace.
    pub show_nodes: bool,
    /// Discrete transitions at the most.
    pub event_limit: usize,
    /// Discrete transitions at one instant at the most.
    pub microstep_limit: usize,
    /// Accuracy of the flow.
    pub flow: FlowOptions,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            until: None,
            parameters: Vec::new(),
            inputs: Vec::new(),
            sample_every: None,
            keep_pieces: false,
            show_nodes: false,
            event_limit: 10_000_000,
            microstep_limit: 10_000,
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
    /// No parameter has this name.
    UnknownParameter(String),
    /// A parameter is given something that is no finite number.
    BadParameter(String, f64),
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
            RunError::UnknownParameter(name) => write!(f, "the model has no parameter `{name}`"),
            RunError::BadParameter(name, value) => write!(f, "`{name}` cannot be {value}"),
            RunError::UnknownInput(name) => write!(f, "the model has no input `{name}`"),
            RunError::BadInput(name) => {
                write!(
                    f,
                    "the table of input `{name}` must have finite values at ascending times"
                )
            }
            RunError::BadNumber { what, value } => write!(f, "with these parameters {what} is {value}"),
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
