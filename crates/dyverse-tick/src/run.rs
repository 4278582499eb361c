//! The loop of a run [004 §4; SPEC §6].
//!
//! At each tick (t, n) the least fixed point is found, then primitives change state and transitions are taken. While anything that is remembered changes, the next tick is (t, n + 1); the
//! microstep at which nothing does is the final one, and its values are where the solver starts. Time then passes to the next event: a crossing, a switch, a
//! clock, the end. The tick there is (t, 0): the left limit, at which no event is present and no transition is taken.

use crate::compile::compile;
use crate::flow::Flow;
use crate::frame::Frame;
use crate::plan::{Op, Plan};
use crate::postfire::{Happened, call_components, failure, postfire, take_transitions};
use crate::recorder::Recorder;
use crate::solver::{Located, Passed, Solver};
use crate::state::State;
use crate::work::Passage;
use crate::zeno::{Accumulation, EventKey, Instant};
use crate::{Component, TickError, TickOptions, modal, nonconstructive};
use dyverse_actors::Graph;
use dyverse_flow::FlowOptions;
use dyverse_time::{Balance, Statistics, Stop, StopReason, SuperdenseTime, Trace};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Microsteps at one instant at the most, unless something else is said.
const MICROSTEPS: usize = 1000;
/// Samples of a run, unless something else is said.
const SAMPLES: f64 = 500.0;
/// Steps of a run at the least, unless something else is said: what only depends on time is looked at this often.
const STEPS: f64 = 50.0;
/// Cuts in a row without progress before a crossing counts as one that cannot be passed.
const STUCK: usize = 100;
/// Time that counts as progress, part of max(1, t).
const PROGRESS: f64 = 1e-11;

/// Executes an actor model.
///
/// `components` are what [`ComponentUse::handle`](dyverse_actors::ComponentUse::handle) counts.
///
/// # Errors
/// What is wrong with the model or the call, see [`TickError`]. A run that stops early for another reason is a trace with that reason.
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
    let mut run = Run::new(&plan, components, options, until)?;
    let reason = run.execute(progress)?;
    Ok(run.finish(graph, options, reason))
}

struct Run<'a, 'g, 'c> {
    plan: &'a Plan<'g>,
    components: &'a mut [Box<dyn Component + 'c>],
    state: State,
    frame: Frame,
    recorder: Recorder,
    solver: Solver,
    flows: BTreeMap<Vec<u8>, Rc<Flow>>,
    instant: Instant,
    accumulation: Accumulation,
    until: f64,
    every: f64,
    next_sample: u64,
    microsteps: usize,
    events: usize,
    event_limit: usize,
    keep_pieces: bool,
    shuffle: Option<u64>,
    seed: u64,
    ticks: u64,
    jumps: usize,
    /// What was located at the present instant.
    crossings: Vec<u32>,
    indicators: Vec<(u32, usize)>,
    stuck: usize,
    work: Vec<f64>,
}

impl<'a, 'g, 'c> Run<'a, 'g, 'c> {
    fn new(
        plan: &'a Plan<'g>,
        components: &'a mut [Box<dyn Component + 'c>],
        options: &TickOptions,
        until: f64,
    ) -> Result<Self, TickError> {
        let zero = SuperdenseTime::at(0.0).ok_or(TickError::BadHorizon(until))?;
        let numerics = plan.graph.numerics();
        let longest = options.max_step.or(numerics.max_step);
        if let Some(value) = longest.filter(|h| h.is_nan() || *h <= 0.0) {
            return Err(TickError::BadNumber {
                what: "the longest step".into(),
                value,
            });
        }
        let flow = FlowOptions {
            max_step: until / STEPS,
            relative: numerics.relative.unwrap_or(options.flow.relative),
            absolute: numerics.absolute.unwrap_or(options.flow.absolute),
            ..options.flow
        };
        let mut state = State::new(plan);
        for (place, used) in plan.graph.components().iter().enumerate() {
            let Some(component) = components.get_mut(used.handle as usize) else {
                return Err(TickError::BadComponent {
                    component: used.name.clone(),
                    detail: format!("there is no component number {}", used.handle),
                });
            };
            let x = &mut state.components[place].x;
            x.resize(component.dimension(), 0.0);
            let started = component.start(0.0, x);
            started.map_err(|detail| failure(zero, &used.name, detail))?;
        }
        let every = options.sample_every.unwrap_or(until / SAMPLES);
        if every.is_nan() || every <= 0.0 {
            return Err(TickError::BadNumber {
                what: "the time between samples".into(),
                value: every,
            });
        }
        Ok(Run {
            frame: Frame::new(plan, zero),
            recorder: Recorder::new(plan),
            solver: Solver::new(flow, longest),
            flows: BTreeMap::new(),
            instant: Instant::default(),
            accumulation: Accumulation::default(),
            until,
            every,
            next_sample: 1,
            microsteps: options
                .microstep_limit
                .or(numerics.microsteps)
                .unwrap_or(MICROSTEPS),
            events: 0,
            event_limit: options.event_limit,
            keep_pieces: options.keep_pieces,
            shuffle: options.shuffle,
            seed: options.seed,
            ticks: 0,
            jumps: 0,
            crossings: Vec::new(),
            indicators: Vec::new(),
            stuck: 0,
            work: Vec::new(),
            plan,
            components,
            state,
        })
    }

    fn execute(&mut self, progress: &mut dyn FnMut(f64)) -> Result<StopReason, TickError> {
        loop {
            if let Some(reason) = self.instant()? {
                return Ok(reason);
            }
            if self.frame.time.t() >= self.until {
                return Ok(StopReason::HorizonReached);
            }
            if let Some(reason) = self.pass_time(progress)? {
                return Ok(reason);
            }
        }
    }

    /// All ticks of one instant, from microstep 0 to the final one.
    fn instant(&mut self) -> Result<Option<StopReason>, TickError> {
        self.instant.clear();
        let t = self.frame.time.t();
        let mut time = self.frame.time;
        loop {
            self.tick(time)?;
            if let Some(reason) = self.find_infinite() {
                return Ok(Some(reason));
            }
            let is_end = time.n() == 0 && (t == 0.0 || t >= self.until);
            let mut happened = Vec::new();
            self.state.is_changed = false;
            postfire(
                self.plan,
                &mut self.state,
                &self.frame,
                &self.crossings,
                &mut happened,
            )?;
            call_components(
                self.plan,
                &mut self.state,
                &self.frame,
                self.components,
                &self.indicators,
                &mut happened,
            )?;
            take_transitions(self.plan, &mut self.state, &self.frame, &mut happened)?;
            self.crossings.clear();
            self.indicators.clear();
            let is_open = self.state.is_changed
                || (time.n() == 0
                    && (self.is_something_due()
                        || self.plan.numbers.breaks.is_jump(t)
                        || modal::wants_to_move(self.plan, &self.state, &self.frame, &mut self.work)));
            self.recorder.tick(&self.frame, is_end);
            self.recorder
                .events(self.plan, &self.state, &self.frame, &happened);
            if let Some(reason) = self.count(&happened) {
                return Ok(Some(reason));
            }
            if !is_open {
                if time.n() == 0 {
                    self.recorder.forget();
                } else {
                    self.stuck = 0;
                }
                return Ok(None);
            }
            if let Some(reason) = self
                .instant
                .check(self.plan, &self.state, &self.frame, self.microsteps)
            {
                return Ok(Some(reason));
            }
            time = time.next_microstep();
        }
    }

    fn tick(&mut self, time: SuperdenseTime) -> Result<(), TickError> {
        for (place, used) in self.plan.graph.components().iter().enumerate() {
            let component = &mut self.components[used.handle as usize];
            let x = &self.state.components[place].x;
            component.outputs(time.t(), x, &mut self.frame.outputs[place]);
        }
        self.ticks += 1;
        self.frame.salt = crate::frame::mix(self.seed ^ self.ticks);
        self.frame.solve(self.plan, &self.state, time, self.shuffle)?;
        nonconstructive::check(self.plan, &self.state, &self.frame)
    }

    /// A signal that is present and no finite number.
    fn find_infinite(&self) -> Option<StopReason> {
        let frame = &self.frame;
        let found =
            (0..self.plan.signal_count()).find(|s| frame.is_present(*s) && !frame.value[*s].is_finite())?;
        let name = self.plan.graph.signals()[found].label();
        Some(StopReason::NotFinite {
            what: format!("`{name}`"),
        })
    }

    /// Whether a clock, `at` or delay of an active region is due.
    fn is_something_due(&self) -> bool {
        let t = self.frame.time.t();
        self.due_times().any(|due| due <= t)
    }

    /// When timed signals of active regions are due.
    fn due_times(&self) -> impl Iterator<Item = f64> + '_ {
        let is_active = |s: &&u32| {
            let region = self.plan.region_of(**s);
            self.frame.is_present(self.plan.region_unit(region))
        };
        let timed = self.plan.timed.iter().filter(is_active);
        timed.filter_map(|s| self.state.due(self.plan, *s))
    }

    /// Counts events; a reason to stop if there are too many, or if they accumulate.
    fn count(&mut self, happened: &[Happened]) -> Option<StopReason> {
        let t = self.frame.time.t();
        for event in happened {
            let key = match event {
                Happened::Transition { modal, transition } => EventKey::Transition(*modal, *transition),
                Happened::Jump { signal, .. } => EventKey::Jump(*signal),
                Happened::Crossing { signal } => EventKey::Cross(*signal),
                Happened::Component { .. } => {
                    self.events += 1;
                    continue;
                }
            };
            self.events += 1;
            self.jumps += usize::from(matches!(event, Happened::Jump { .. }));
            if let Some((limit, ratio)) = self.accumulation.note(key, t)
                && limit < self.until
            {
                return Some(StopReason::ZenoSuspected {
                    limit,
                    ratio,
                    events: vec![self.name(key)],
                });
            }
        }
        (self.events > self.event_limit).then_some(StopReason::EventLimit {
            limit: self.event_limit,
        })
    }

    fn name(&self, key: EventKey) -> String {
        let graph = self.plan.graph;
        match key {
            EventKey::Cross(s) | EventKey::Jump(s) => format!("`{}`", graph.signals()[s as usize].label()),
            EventKey::Transition(m, t) => modal::describe(&graph.modals()[m as usize], t as usize),
        }
    }

    /// The flow of the present configuration, compiled at most once.
    fn flow(&mut self) -> Result<Rc<Flow>, TickError> {
        let statuses = self.frame.status.iter().map(|s| *s as u8);
        let modes = self.state.modes.iter().flat_map(|m| m.to_le_bytes());
        let key: Vec<u8> = statuses.chain(modes).collect();
        if let Some(flow) = self.flows.get(&key) {
            return Ok(flow.clone());
        }
        self.check_discrete()?;
        let flow = Rc::new(compile(self.plan, &self.state, &self.frame));
        if let Some((post, value)) = flow.continuous_post {
            return Err(self.not_discrete(value as usize, post as usize));
        }
        self.flows.insert(key, flow.clone());
        Ok(flow)
    }

    /// Delays are for discrete signals: what they delay must not be present while time passes.
    fn check_discrete(&self) -> Result<(), TickError> {
        for (signal, op) in self.plan.ops.iter().enumerate() {
            if let Op::Delay { value, .. } = op
                && self.frame.is_present(*value as usize)
                && self
                    .frame
                    .is_present(self.plan.region_unit(self.plan.region_of(signal as u32)))
            {
                return Err(self.not_discrete(*value as usize, signal));
            }
        }
        Ok(())
    }

    fn not_discrete(&self, signal: usize, needed_by: usize) -> TickError {
        let name = |s: usize| self.plan.graph.signals()[s].label();
        TickError::NotDiscrete {
            time: self.frame.time,
            signal: name(signal),
            needed_by: name(needed_by),
        }
    }

    /// Lets time pass to the next event.
    fn pass_time(&mut self, progress: &mut dyn FnMut(f64)) -> Result<Option<StopReason>, TickError> {
        let flow = self.flow()?;
        let t0 = self.frame.time.t();
        let component_times = flow.components.iter().filter_map(|used| {
            let handle = self.plan.graph.components()[used.component as usize].handle;
            self.components[handle as usize].next_time()
        });
        let planned = self.due_times().chain(component_times);
        let end = planned
            .chain(self.plan.numbers.breaks.next(t0))
            .filter(|t| *t > t0)
            .fold(self.until, f64::min);
        let mut passage = Passage {
            plan: self.plan,
            flow: &flow,
            components: self.components,
        };
        self.solver
            .begin(&mut passage, &self.state, t0, &self.frame.value);
        loop {
            let passed = self.solver.step(&mut passage, &self.state, end);
            let t = self.solver.integrator.t();
            match passed {
                Passed::Stopped(reason) => return self.stop_between(t, reason),
                Passed::Failed { component, detail } => {
                    let time = SuperdenseTime::at(t).unwrap_or(self.frame.time);
                    let name = &self.plan.graph.components()[component as usize].name;
                    return Err(failure(time, name, detail));
                }
                Passed::Reached | Passed::Located(_) => {}
            }
            loop {
                let at = self.next_sample as f64 * self.every;
                if at > t {
                    break;
                }
                self.next_sample += 1;
                if let Some(time) = SuperdenseTime::at(at) {
                    let values = self.solver.sample(&mut passage, at);
                    self.recorder.sample(time, values);
                }
            }
            if self.keep_pieces {
                self.recorder.piece(&mut self.solver, &mut passage);
            }
            progress(t);
            if let Passed::Located(events) = passed {
                self.stuck = if t - t0 > PROGRESS * t.abs().max(1.0) {
                    0
                } else {
                    self.stuck + 1
                };
                if self.stuck > STUCK {
                    let of = events.iter().find_map(|e| match e {
                        Located::Switch(quantity) => Some(Solver::describe(&passage, *quantity)),
                        _ => None,
                    });
                    let of = of.unwrap_or_else(|| "a guard".to_owned());
                    return self.stop_between(t, StopReason::CrossingNotIsolated { of });
                }
                for event in events {
                    match event {
                        Located::Cross(signal) => self.crossings.push(signal),
                        Located::Indicator { component, indicator } => {
                            self.indicators.push((component, indicator));
                        }
                        Located::Switch(_) => {}
                    }
                }
                break;
            }
            self.solver.keep_sides(self.plan, &flow, &mut self.state);
            if t >= end {
                break;
            }
        }
        self.solver.store(&flow, &mut self.state);
        let t = self.solver.integrator.t();
        let (plan, frame) = (self.plan, &self.frame);
        self.state
            .pass_time(t0, t, |region| frame.is_present(plan.region_unit(region as u32)));
        match SuperdenseTime::at(t) {
            Some(time) => self.frame.time = time,
            None => {
                return Ok(Some(StopReason::NotFinite { what: "time".into() }));
            }
        }
        Ok(None)
    }

    fn stop_between(&mut self, t: f64, reason: StopReason) -> Result<Option<StopReason>, TickError> {
        if let Some(time) = SuperdenseTime::at(t) {
            self.frame.time = time;
        }
        Ok(Some(reason))
    }

    fn finish(self, graph: &Graph, options: &TickOptions, reason: StopReason) -> Trace {
        let counters = self.solver.integrator.counters();
        let parameters = graph.parameters().iter().zip(&self.plan.numbers.parameters);
        Trace {
            system: graph.name().to_owned(),
            parameters: parameters.map(|(p, v)| (p.name.clone(), *v)).collect(),
            seed: options.seed,
            signals: self.recorder.signals,
            samples: self.recorder.samples,
            pieces: self.recorder.pieces,
            transitions: self.recorder.transitions,
            stop: Stop {
                reason,
                time: self.frame.time,
            },
            balance: Balance::default(),
            statistics: Statistics {
                steps: counters.steps as usize,
                rejected_steps: (counters.rejected + counters.slow + counters.failed) as usize,
                evaluations: counters.evaluations as usize,
                impacts: self.jumps,
                ..Statistics::default()
            },
        }
    }
}
