//! What a run is asked to do.

use dyverse_actors::SignalId;
use dyverse_flow::FlowOptions;
use dyverse_trace::{InputSignal, Keep, StopReason};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Is told the model time again and again, and may end the run.
#[derive(Clone)]
pub struct TickWatch(Arc<dyn Fn(f64, usize) -> ControlFlow<StopReason> + Send + Sync>);

impl TickWatch {
    /// Calls this; a run ends as cancelled where it breaks.
    pub fn new(call: impl Fn(f64) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Self::with_reason(move |t| match call(t) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(StopReason::Cancelled),
        })
    }

    /// Calls this; a run ends where it breaks, with that reason.
    pub fn with_reason(call: impl Fn(f64) -> ControlFlow<StopReason> + Send + Sync + 'static) -> Self {
        Self::weighing(move |t, _| call(t))
    }

    /// The same, told besides what the trace so far needs in memory, bytes; 0 within a step.
    pub fn weighing(call: impl Fn(f64, usize) -> ControlFlow<StopReason> + Send + Sync + 'static) -> Self {
        TickWatch(Arc::new(call))
    }

    /// Tells the model time, and what the trace so far needs in memory.
    pub fn call(&self, t: f64, bytes: usize) -> ControlFlow<StopReason> {
        (self.0)(t, bytes)
    }
}

impl fmt::Debug for TickWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TickWatch")
    }
}

/// What a run is asked to do. What is `None` is taken from the model, else from the default said.
#[derive(Clone, Debug)]
pub struct TickOptions {
    /// When to stop, s; the model's own horizon if `None`.
    pub until: Option<f64>,
    /// Is told how far the run is.
    pub watch: Option<TickWatch>,
    /// Parameters with values other than the model's.
    pub parameters: Vec<(String, f64)>,
    /// Inputs that something drives.
    pub inputs: Vec<(String, InputSignal)>,
    /// Time between samples, s; a five hundredth of the run if `None`.
    pub sample_every: Option<f64>,
    /// Signals to record besides those that the model says.
    pub record: Vec<SignalId>,
    /// Whether motion between events is kept as polynomials.
    pub keep_pieces: bool,
    /// What is kept, and in how much memory.
    pub keep: Keep,
    /// Events at the most: transitions, jumps of states, crossings, switches, ticks of clocks, `at` and delays, events of components, other microsteps at which something changes.
    pub event_limit: usize,
    /// Microsteps at one instant at the most; the model's, else 1000.
    pub microstep_limit: Option<usize>,
    /// Longest step of the solver, s; the model's, else a fiftieth of the run.
    pub max_step: Option<f64>,
    /// How far beyond a level an event may be; the model's, else rounding.
    pub crossing_tolerance: Option<f64>,
    /// Accuracy of the solver, unless the model states its own. `max_step` in it is not read.
    pub flow: FlowOptions,
    /// Whether a mistake of the model that shows during the run ends it like any other reason, with the run so far; else the run is refused.
    pub keep_refused: bool,
    /// Whether events that accumulate before a finite time end the run, where nothing is found that would end them.
    pub detect_zeno: bool,
    /// For transitions marked as a choice.
    pub seed: u64,
    /// Evaluates primitives in a random order with this seed instead of the schedule: for tests that the order does not matter.
    #[doc(hidden)]
    pub shuffle: Option<u64>,
}

impl Default for TickOptions {
    fn default() -> Self {
        TickOptions {
            until: None,
            watch: None,
            parameters: Vec::new(),
            inputs: Vec::new(),
            sample_every: None,
            record: Vec::new(),
            keep_pieces: false,
            keep: Keep::default(),
            event_limit: 1_000_000,
            microstep_limit: None,
            max_step: None,
            crossing_tolerance: None,
            flow: FlowOptions::default(),
            keep_refused: false,
            detect_zeno: true,
            seed: 0,
            shuffle: None,
        }
    }
}
