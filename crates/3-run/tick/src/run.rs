//! A run from beginning to end: instants, and time passing between them, into a trace. What is done at each is in `engine.rs`.

use crate::engine::{Engine, Stepped};
use crate::plan::Plan;
use crate::{TickError, TickOptions, TickWatch};
use dyverse_actors::Graph;
use dyverse_component::Component;
use dyverse_trace::{Balance, Statistics, Stop, StopReason, SuperdenseTime, Trace};
use std::ops::ControlFlow;

/// Samples of a run, unless something else is said.
const SAMPLES: f64 = 500.0;

/// Executes an actor model.
///
/// `components` are what [`ComponentUse::handle`](dyverse_actors::ComponentUse::handle) counts.
///
/// # Errors
/// What is wrong with the model or the call, see [`TickError`]; what shows only during the run is a reason to stop if [`TickOptions::keep_refused`] says so and
/// there is something to keep. A run that stops early for another reason is a trace with that reason.
pub fn simulate(
    graph: &Graph,
    components: &mut [Box<dyn Component + '_>],
    options: &TickOptions,
) -> Result<Trace, TickError> {
    simulate_with_progress(graph, components, options, &mut |_| {})
}

/// The same; `progress` is told the model time whenever it has advanced.
///
/// # Errors
/// See [`simulate`].
pub fn simulate_with_progress(
    graph: &Graph,
    components: &mut [Box<dyn Component + '_>],
    options: &TickOptions,
    progress: &mut dyn FnMut(f64),
) -> Result<Trace, TickError> {
    let until = options.until.or(graph.horizon()).ok_or(TickError::NoHorizon)?;
    if !(until.is_finite() && until > 0.0) {
        return Err(TickError::BadHorizon(until));
    }
    let plan = Plan::new(graph, options)?;
    let borrowed = components
        .iter_mut()
        .map(|c| Box::new(c.as_mut()) as Box<dyn Component + '_>);
    let mut run = Run::new(plan, borrowed.collect(), options, until)?;
    match run.execute(progress) {
        Ok(reason) => Ok(run.finish(graph, options, reason)),
        Err(error) if options.keep_refused && run.refuse(&error) => {
            let detail = error.to_string();
            Ok(run.finish(graph, options, StopReason::ModelError { detail }))
        }
        Err(error) => Err(error),
    }
}

struct Run<'g, 'c> {
    engine: Engine<'g, 'c>,
    every: f64,
    next_sample: u64,
    keep_pieces: bool,
    watch: Option<TickWatch>,
    /// Whether it stopped while time passed, so that its state is not that of a tick.
    is_between: bool,
    /// Whether its last tick is not whole.
    is_refused: bool,
}

impl<'g, 'c> Run<'g, 'c> {
    fn new(
        plan: Plan<'g>,
        components: Vec<Box<dyn Component + 'c>>,
        options: &TickOptions,
        until: f64,
    ) -> Result<Self, TickError> {
        let engine = Engine::new(plan, components, options, (until, until))?;
        let every = options.sample_every.unwrap_or(until / SAMPLES);
        if every.is_nan() || every <= 0.0 {
            return Err(TickError::BadNumber {
                what: "the time between samples".into(),
                value: every,
            });
        }
        Ok(Run {
            engine,
            every,
            next_sample: 1,
            keep_pieces: options.keep_pieces,
            watch: options.watch.clone(),
            is_between: false,
            is_refused: false,
        })
    }

    fn execute(&mut self, progress: &mut dyn FnMut(f64)) -> Result<StopReason, TickError> {
        loop {
            if let Some(reason) = self.instant()? {
                return Ok(reason);
            }
            if self.engine.frame.time.t() >= self.engine.until {
                return Ok(StopReason::HorizonReached);
            }
            if let Some(reason) = self.pass_time(progress)? {
                return Ok(reason);
            }
        }
    }

    /// All ticks of one instant, from microstep 0 to the final one.
    fn instant(&mut self) -> Result<Option<StopReason>, TickError> {
        self.engine.instant.clear();
        let mut time = self.engine.frame.time;
        loop {
            let ticked = self.engine.microstep(time, false)?;
            if ticked.stop.is_some() {
                return Ok(ticked.stop);
            }
            if !ticked.is_open {
                // At the end of the run no flow is needed: what is wrong with it is no matter.
                let is_end = time.t() >= self.engine.until;
                match self.engine.settle() {
                    Ok(true) => {}
                    Err(error) if !is_end => return Err(error),
                    _ => return Ok(None),
                }
            }
            if let Some(reason) = self.interrupted(time.t()) {
                return Ok(Some(reason));
            }
            time = time.next_microstep();
        }
    }

    /// Lets time pass to the next event.
    fn pass_time(&mut self, progress: &mut dyn FnMut(f64)) -> Result<Option<StopReason>, TickError> {
        let ahead = self.engine.ahead(self.engine.until, true);
        loop {
            let stepped = self.engine.step(&ahead)?;
            let t = self.engine.now();
            if let Stepped::Stopped(reason) = stepped {
                return Ok(self.stop_between(t, reason));
            }
            self.sample_until(t);
            if self.keep_pieces {
                self.engine.keep_piece();
            }
            progress(t);
            let full = self.engine.recorder.check(0);
            if let Some(reason) = full.or_else(|| self.interrupted(t)) {
                return Ok(self.stop_between(t, reason));
            }
            if let Stepped::Cut(events) = stepped {
                if let Some(reason) = self.engine.note_located(events) {
                    return Ok(self.stop_between(t, reason));
                }
                break;
            }
            if t >= ahead.end {
                break;
            }
        }
        self.engine.store();
        let is_time = self.engine.arrive(self.engine.now());
        Ok((!is_time).then(|| StopReason::NotFinite { what: "time".into() }))
    }

    /// Why whoever watches ends the run.
    fn interrupted(&self, t: f64) -> Option<StopReason> {
        match self.watch.as_ref()?.call(t, self.engine.recorder.bytes()) {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(reason) => Some(reason),
        }
    }

    fn sample_until(&mut self, t: f64) {
        if !self.engine.recorder.keeps_samples() {
            return;
        }
        loop {
            let at = self.next_sample as f64 * self.every;
            if at > t {
                break;
            }
            self.next_sample += 1;
            if let Some(time) = SuperdenseTime::at(at) {
                let values = self.engine.sample(at);
                self.engine.recorder.sample(time, values);
            }
        }
    }

    fn stop_between(&mut self, t: f64, reason: StopReason) -> Option<StopReason> {
        // Where no time has passed, the state is that of the last tick.
        if let Some(time) = SuperdenseTime::at(t).filter(|_| t > self.engine.frame.time.t()) {
            self.engine.frame.time = time;
            self.is_between = true;
        }
        Some(reason)
    }

    /// Ends at a mistake of the model. Whether there is anything to keep: ticks that are whole.
    fn refuse(&mut self, error: &TickError) -> bool {
        let Some(time) = error.time() else {
            return false;
        };
        self.is_refused = true;
        self.engine.frame.time = time.max(self.engine.frame.time);
        self.engine.recorder.end_before();
        !self.engine.recorder.samples.is_empty()
    }

    fn finish(self, graph: &Graph, options: &TickOptions, reason: StopReason) -> Trace {
        let mut engine = self.engine;
        let t = engine.frame.time.t();
        let values = self.is_between.then(|| engine.sample(t));
        if !self.is_refused {
            engine.recorder.end(&engine.frame, values);
        }
        let counters = engine.solver.integrator.counters();
        let parameters = graph.parameters().iter().zip(&engine.plan.numbers.parameters);
        Trace {
            system: graph.name().to_owned(),
            parameters: parameters.map(|(p, v)| (p.name.clone(), *v)).collect(),
            seed: options.seed,
            signals: engine.recorder.signals,
            samples: engine.recorder.samples,
            pieces: engine.recorder.pieces,
            transitions: engine.recorder.transitions,
            dropped: engine.recorder.dropped,
            stop: Stop {
                reason,
                time: engine.frame.time,
            },
            balance: Balance::default(),
            impact_gains: Vec::new(),
            stepping: Vec::new(),
            statistics: Statistics {
                steps: counters.steps as usize,
                rejected_steps: (counters.rejected + counters.slow + counters.failed) as usize,
                evaluations: counters.evaluations as usize,
                impacts: engine.jumps,
                ..Statistics::default()
            },
        }
    }
}
