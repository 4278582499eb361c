//! An actor model as a block that somebody else runs: what FMI calls model exchange and co-simulation.
//!
//! Two ways to let time pass, which may be mixed:
//! - **Model exchange.** Whoever integrates asks for derivatives, outputs and event indicators (`exchange.rs`), and enters an instant where an indicator was crossed, where
//!   [`Component::next_time`] is there, or where an input jumps: [`Session::begin_instant`], then [`Session::microstep`] until no more is wanted.
//! - **Co-simulation.** [`Component::pass`] integrates and locates events with the engine's own solver, as [`simulate`](crate::simulate()) does.
//!
//! # Phases
//! ```text
//!  new ──begin_instant(t0)──▶ instant ──microstep … (no more is wanted)──▶ time passes ──begin_instant, advance to an event──▶ instant
//! ```
//! An instant is a sequence of ticks (t, 0), (t, 1), …: superdense time, one microstep a call. (t, 0) is the left limit. An instant that is entered again at the same t goes on
//! counting: it has no left limit a second time.
//!
//! # Inputs
//! All external inputs are driven from outside: `u` has one value for each, in the order of [`Session::input_names`]. NaN means that it is not set; it then has the value that the options
//! give it, else its own expression of time and parameters. An input may change while time passes, so a `post` or `delay` of a signal that follows one is refused as
//! not discrete.
//!
//! # Guarantee
//! The same ticks, flows and tolerances as a run: both are driven by `engine.rs`. What comes next is decided by the last snapshot and the calls after it, to the bit.

use crate::engine::{Engine, Stepped};
use crate::exchange::Threshold;
use crate::frame::input_at;
use crate::layout::Layout;
use crate::plan::Plan;
use crate::snapshot::fingerprint_of;
use crate::{TickError, TickOptions};
use dyverse_actors::Graph;
use dyverse_component::{Cause, Component, Happening, Passed, Seen, Stand};
use dyverse_trace::{StopReason, SuperdenseTime};

/// An actor model that somebody else runs. See the module's text.
pub struct Session<'g> {
    pub(crate) engine: Engine<'g, 'g>,
    pub(crate) layout: Layout,
    pub(crate) phase: Phase,
    /// Inputs since the last final microstep.
    pub(crate) inputs: Vec<f64>,
    /// Inputs before the present instant.
    pub(crate) left: Vec<f64>,
    /// Where watched quantities were at the last final microstep.
    pub(crate) thresholds: Vec<Threshold>,
    /// Of the model and its parameters, for snapshots.
    pub(crate) fingerprint: u64,
    /// The outputs where they were asked for last.
    pub(crate) seen: Option<Seen<Vec<f64>>>,
}

/// Where a session stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Phase {
    /// Nothing happened yet.
    New,
    /// In an instant: the next tick, and whether there was one.
    Instant { next: SuperdenseTime, has_ticked: bool },
    /// Time passes.
    Flowing,
    /// It stopped or failed, and why.
    Ended(String),
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("model", &self.engine.plan.graph.name())
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}

impl<'g> Session<'g> {
    /// A graph with its components, before its first instant. `components` are what [`ComponentUse::handle`](dyverse_actors::ComponentUse::handle) counts.
    ///
    /// No horizon is needed. If the options or the model state one, a step of [`Component::pass`] is a fiftieth of it at the most, as in a run; else
    /// steps are only bounded by how far it is told to go, and by `max_step`.
    ///
    /// # Errors
    /// As [`simulate`](crate::simulate()).
    pub fn new(
        graph: &'g Graph,
        components: Vec<Box<dyn Component + 'g>>,
        options: &TickOptions,
    ) -> Result<Self, TickError> {
        let scale = options.until.or(graph.horizon()).unwrap_or(f64::INFINITY);
        if scale.is_nan() || scale <= 0.0 {
            return Err(TickError::BadHorizon(scale));
        }
        let mut plan = Plan::new(graph, options)?;
        plan.numbers.is_live = true;
        let mut engine = Engine::new(plan, components, options, (f64::MAX, scale))?;
        engine.solver.is_forgetful = true;
        let layout = Layout::new(&engine);
        let inputs = vec![f64::NAN; graph.inputs().len()];
        let fingerprint = fingerprint_of(graph, &engine.plan.numbers.parameters);
        Ok(Session {
            engine,
            layout,
            phase: Phase::New,
            left: inputs.clone(),
            inputs,
            thresholds: Vec::new(),
            fingerprint,
            seen: None,
        })
    }

    /// The names of the states: every integrator, active or not, then the states of components, such as `mech.ball.x`.
    pub fn state_names(&self) -> Vec<String> {
        self.layout.state_names(&self.engine)
    }

    /// The names of the outputs.
    pub fn output_names(&self) -> Vec<String> {
        let recorded = self.engine.recorder.signals.iter();
        recorded.map(|signal| signal.name.clone()).collect()
    }

    /// The current mode of each modal model, by its place. A model that is not active has the mode in which it was, or will begin.
    pub fn modes(&self) -> Vec<usize> {
        self.engine
            .state
            .modes
            .iter()
            .map(|mode| *mode as usize)
            .collect()
    }

    /// The names of the inputs.
    pub fn input_names(&self) -> Vec<String> {
        let inputs = self.engine.plan.graph.inputs().iter();
        inputs.map(|input| input.name.clone()).collect()
    }

    /// What an input is at `t` when nobody sets it; NaN if there is no such input.
    pub(crate) fn input_default(&self, input: usize, t: f64) -> f64 {
        input_at(&self.engine.plan, input, (t, t), &mut Vec::new())
    }

    /// How many states there are, active or not.
    pub fn dimension(&self) -> usize {
        self.layout.dimension
    }

    /// Writes the states: after the last microstep, or where [`Component::pass`] came to. One that was never initialised is 0.
    pub fn states(&self, x: &mut [f64]) {
        self.layout.gather(&self.engine.state, x);
    }

    /// The time of the last tick, or the one to which [`Component::pass`] came.
    pub fn time(&self) -> f64 {
        let last = self.engine.frame.time.t();
        match self.phase {
            Phase::Flowing => self.engine.now().max(last),
            Phase::Instant { next, .. } => next.t(),
            _ => last,
        }
    }

    /// Where it is, for a driver.
    pub fn stand(&self) -> Stand {
        let mut x = vec![0.0; self.dimension()];
        self.states(&mut x);
        Stand {
            t: self.time(),
            x,
            now: Some(self.engine.frame.time.next_microstep()),
            told: self.inputs.clone(),
        }
    }

    /// Whether an instant is open, so that a microstep is wanted.
    pub fn is_in_instant(&self) -> bool {
        matches!(self.phase, Phase::Instant { .. })
    }

    /// Enters an instant at `t`: the start, an indicator was crossed, [`Component::next_time`] is there, or an input is about to jump. `x` and `u` are the states and inputs from the left;
    /// inputs that jump come with the microsteps. Which crossings happened is found from the indicators at (t, x, u).
    ///
    /// The first instant may be at any `t`: clocks and `at` of the whole model count from time 0 and what is past is left out, local times of modes begin at `t`. Its `x` is not read: the
    /// model says where its states begin. Later, states that are not active are not read.
    ///
    /// # Errors
    /// If an instant is open, if it has ended, or if `t` lies before the last instant. A component that fails.
    pub fn begin_instant(&mut self, t: f64, x: &[f64], u: &[f64]) -> Result<(), TickError> {
        let Some(time) = SuperdenseTime::at(t) else {
            return Err(misused(format!("an instant cannot be at time {t}")));
        };
        self.check_inputs(u)?;
        match &self.phase {
            Phase::New => {
                self.engine.start_at(t)?;
                self.left = u.to_vec();
                self.enter(time);
                return Ok(());
            }
            Phase::Instant { next, .. } => {
                return Err(misused(format!(
                    "an instant is open at {next}: call `microstep` until no more is wanted"
                )));
            }
            Phase::Ended(why) => return Err(ended(why)),
            Phase::Flowing => {}
        }
        if x.len() != self.layout.dimension {
            let (given, wanted) = (x.len(), self.layout.dimension);
            return Err(misused(format!(
                "{given} states are given, the model has {wanted}"
            )));
        }
        let last = self.engine.frame.time;
        if t < last.t() {
            return Err(misused(format!(
                "an instant at {t} lies before the last one, at {last}; restore a snapshot to go back"
            )));
        }
        self.engine.is_stuck(t);
        (self.engine.solver.open, self.engine.solver.is_beyond) = (0.0, false);
        self.note_indicators(t, x, u);
        let flow = self.engine.flow.clone();
        if let Some(flow) = flow {
            self.layout.scatter(&flow, x, &mut self.engine.state);
        }
        self.left = u.to_vec();
        self.arrive(t);
        Ok(())
    }

    /// Begins the instant at `t`, with states and crossings known.
    fn arrive(&mut self, t: f64) {
        let last = self.engine.frame.time;
        if t == last.t() {
            self.enter(last.next_microstep());
        } else {
            self.engine.arrive(t);
            self.enter(self.engine.frame.time);
        }
    }

    fn enter(&mut self, next: SuperdenseTime) {
        self.engine.instant.clear();
        self.phase = Phase::Instant {
            next,
            has_ticked: false,
        };
    }

    /// One superdense microstep: the tick (t, n), and what changes after it. `u` are the inputs at this microstep; the left limit (t, 0) has those from the left, and an
    /// input that differs from them is a jump, which makes a microstep (t, 1).
    ///
    /// Limits are reasons to stop: chattering, an accumulation of events, values that are not finite. After one the session is at its end; a snapshot can still
    /// be restored.
    ///
    /// # Errors
    /// If no instant is open; mistakes of the model, as in [`simulate`](crate::simulate()). The session is then at its end.
    pub fn microstep(&mut self, u: &[f64]) -> Result<Happening, TickError> {
        let time = match &self.phase {
            Phase::Instant { next, .. } => *next,
            Phase::Ended(why) => return Err(ended(why)),
            _ => return Err(misused("no instant is open: call `begin_instant`".into())),
        };
        self.check_inputs(u)?;
        self.seen = None;
        let outcome = self.tick(time, u);
        let (is_more, stop) = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                self.phase = Phase::Ended(error.to_string());
                return Err(error);
            }
        };
        if let Some(reason) = &stop {
            self.phase = Phase::Ended(reason.to_string());
        }
        let recorder = &mut self.engine.recorder;
        recorder.samples.clear();
        recorder.forget();
        let mut happening = Happening::new(std::mem::take(&mut recorder.transitions), is_more);
        happening.stop = stop;
        Ok(happening)
    }

    /// The tick, and what follows if it was the final one.
    fn tick(&mut self, time: SuperdenseTime, u: &[f64]) -> Result<(bool, Option<StopReason>), TickError> {
        if time.n() == 0 && self.engine.has_stuck() {
            return Ok((false, Some(self.engine.not_isolated(None))));
        }
        let is_left = time.n() == 0;
        let driving = if is_left { &self.left[..] } else { u };
        self.engine.frame.drive(driving);
        let has_jumped = is_left && differs(&self.left, u);
        let ticked = self.engine.microstep(time, has_jumped)?;
        if ticked.stop.is_some() {
            return Ok((false, ticked.stop));
        }
        self.layout.check(&self.engine, time)?;
        if !ticked.is_open {
            self.inputs = u.to_vec();
            self.engine.solver.drive(u);
        }
        if ticked.is_open || self.engine.settle()? {
            self.phase = Phase::Instant {
                next: time.next_microstep(),
                has_ticked: true,
            };
            return Ok((true, None));
        }
        self.thresholds = self.engine.thresholds();
        self.phase = Phase::Flowing;
        Ok((false, None))
    }

    /// Lets time pass to `until` or to the first event with the engine's own solver, with inputs that are constant on the way. Where there is an event its instant has begun, and none of
    /// its microsteps is executed.
    pub(crate) fn advance(&mut self, until: f64, u: &[f64]) -> Result<Passed, TickError> {
        match &self.phase {
            Phase::New => {
                return Err(misused(
                    "nothing has begun: call `begin_instant` and `microstep` at the start".into(),
                ));
            }
            Phase::Instant { next, .. } => {
                return Err(misused(format!(
                    "an instant is open at {next}: call `microstep` until no more is wanted"
                )));
            }
            Phase::Ended(why) => return Err(ended(why)),
            Phase::Flowing => {}
        }
        self.check_inputs(u)?;
        let now = self.time();
        if !(until >= now && until.is_finite()) {
            return Err(misused(format!(
                "it cannot go to {until}: the present is {now}; restore a snapshot to go back"
            )));
        }
        self.seen = None;
        let outcome = self.pass_to(until, u);
        match &outcome {
            Err(error) => self.phase = Phase::Ended(error.to_string()),
            Ok(passed) => {
                if let Some(reason) = &passed.stop {
                    self.phase = Phase::Ended(reason.to_string());
                }
            }
        }
        outcome
    }

    fn pass_to(&mut self, until: f64, u: &[f64]) -> Result<Passed, TickError> {
        self.engine.solver.resume(u);
        let mut passed = Passed::new(self.time(), None, None);
        if passed.t >= until {
            return Ok(passed);
        }
        let ahead = self.engine.ahead(until, false);
        let mut is_event = false;
        while !is_event && self.engine.now() < ahead.end {
            match self.engine.step(&ahead)? {
                Stepped::Quiet => {}
                Stepped::Cut(events) => {
                    passed.stop = self.engine.note_located(events);
                    is_event = true;
                }
                Stepped::Stopped(reason) => {
                    passed.stop = Some(reason);
                    is_event = true;
                }
            }
        }
        self.engine.store();
        passed.t = self.engine.now();
        let is_due = is_event || ahead.first.is_some_and(|due| passed.t >= due);
        if passed.stop.is_none() && is_due {
            self.left = u.to_vec();
            self.arrive(passed.t);
            passed.event = Some(Cause::Input);
        }
        Ok(passed)
    }

    fn check_inputs(&self, u: &[f64]) -> Result<(), TickError> {
        let wanted = self.inputs.len();
        if u.len() != wanted {
            return Err(misused(format!(
                "{} inputs are given, the model has {wanted}",
                u.len()
            )));
        }
        match u.iter().position(|u| u.is_infinite()) {
            Some(place) => {
                let name = &self.engine.plan.graph.inputs()[place].name;
                Err(misused(format!("input `{name}` cannot be {}", u[place])))
            }
            None => Ok(()),
        }
    }
}

/// Whether two lists of numbers differ; all NaN are the same.
pub(crate) fn differs(a: &[f64], b: &[f64]) -> bool {
    a.iter()
        .zip(b)
        .any(|(a, b)| a != b && !(a.is_nan() && b.is_nan()))
}

pub(crate) fn misused(detail: String) -> TickError {
    TickError::Misused { detail }
}

fn ended(why: &str) -> TickError {
    misused(format!("it has ended: {why}"))
}
