//! The machine behind a run and a session: one microstep at a time, and one step of time at a time [004 §4; SPEC §6].
//!
//! At each tick (t, n) the least fixed point is found, then primitives change state and transitions are taken. While anything that is remembered changes, the next tick is (t, n + 1); the
//! microstep at which nothing does is the final one, and its values are where the solver starts ([`Engine::settle`]). Time then passes to the next event: a crossing, a switch, a
//! clock, the end. The tick there is (t, 0): the left limit, at which no event is present and no transition is taken.
//!
//! Who drives it decides what is done between: `run.rs` samples a trace, `session.rs` lets somebody else ask.

use crate::compile::compile;
use crate::finite;
use crate::flow::{Flow, Owner, Watched};
use crate::frame::Frame;
use crate::met::{Met, TOUCH};
use crate::plan::{Op, Plan};
use crate::postfire::{Happened, begin_passed, call_components, failure, postfire, take_transitions};
use crate::recorder::Recorder;
use crate::sliding::Streak;
use crate::solver::{Beginning, Located, Passed, Solver, is_equal};
use crate::state::{Moment, State};
use crate::together::Ahead;
use crate::work::Passage;
use crate::zeno::{Accumulation, CLOSE, EventKey, Instant, LONGEST, Look, deciding};
use crate::{TickError, TickOptions, modal, nonconstructive, nonstrict};
use dyverse_component::{Component, Point};
use dyverse_flow::FlowOptions;
use dyverse_trace::{StopReason, SuperdenseTime};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Microsteps at one instant at the most, unless something else is said.
const MICROSTEPS: usize = 1000;
/// Steps of a run at the least, unless something else is said: what only depends on time is looked at this often.
const STEPS: f64 = 50.0;
/// Instructions, registers and bytes of keys of all flows that are kept.
const LARGEST_FLOWS: usize = 4_000_000;
/// Cuts in a row without progress before a crossing counts as one that cannot be passed.
const STUCK: usize = 100;
/// Kinks of inputs that are looked at for what happens at the same time.
const KINKS: usize = 8;
/// Time that counts as progress, part of max(1, t).
const PROGRESS: f64 = 1e-11;

/// A plan being executed.
pub(crate) struct Engine<'g, 'c> {
    pub(crate) plan: Plan<'g>,
    pub(crate) components: Vec<Box<dyn Component + 'c>>,
    pub(crate) state: State,
    pub(crate) frame: Frame,
    pub(crate) recorder: Recorder,
    pub(crate) solver: Solver,
    /// Looks at the middle of an instant.
    probe: Solver,
    flows: BTreeMap<Vec<u8>, Rc<Flow>>,
    /// Their instructions and keys, all together.
    flows_size: usize,
    /// The flow since the last final microstep.
    pub(crate) flow: Option<Rc<Flow>>,
    pub(crate) instant: Instant,
    /// What all signals had remembered when the instant began.
    left: Vec<f64>,
    pub(crate) accumulation: Accumulation,
    pub(crate) until: f64,
    microsteps: usize,
    pub(crate) events: usize,
    event_limit: usize,
    shuffle: Option<u64>,
    seed: u64,
    pub(crate) ticks: u64,
    pub(crate) jumps: usize,
    /// Crossings whose level was passed right before the present instant, and whether that is their event; indicators that were located.
    pub(crate) crossings: Vec<(u32, bool)>,
    pub(crate) indicators: Vec<(u32, usize)>,
    pub(crate) stuck: usize,
    pub(crate) streak: Streak,
    /// Whether accumulations of events end the run.
    is_zeno_looked_for: bool,
    /// Signals that decisions read.
    deciding: Vec<u32>,
    work: Vec<f64>,
}

/// What a microstep came to.
#[derive(Debug)]
pub(crate) struct Ticked {
    /// Whether another microstep follows at this instant.
    pub(crate) is_open: bool,
    pub(crate) stop: Option<StopReason>,
}

/// What a step of time came to.
#[derive(Debug)]
pub(crate) enum Stepped {
    /// Nothing happened in it.
    Quiet,
    /// It was cut: these were located where it ends.
    Cut(Vec<Located>),
    Stopped(StopReason),
}

impl<'g, 'c> Engine<'g, 'c> {
    /// At the beginning. `until` is when the run ends, `scale` the time of which steps are a fiftieth at the most.
    pub(crate) fn new(
        plan: Plan<'g>,
        mut components: Vec<Box<dyn Component + 'c>>,
        options: &TickOptions,
        (until, scale): (f64, f64),
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
            max_step: scale / STEPS,
            relative: numerics.relative.unwrap_or(options.flow.relative),
            absolute: numerics.absolute.unwrap_or(options.flow.absolute),
            ..options.flow
        };
        let mut state = State::new(&plan);
        for (place, used) in plan.graph.components().iter().enumerate() {
            let Some(component) = components.get_mut(used.handle as usize) else {
                return Err(TickError::BadComponent {
                    component: used.name.clone(),
                    detail: format!("there is no component number {}", used.handle),
                });
            };
            let x = &mut state.components[place].x;
            let started = component.start(0.0, x);
            started.map_err(|detail| failure(zero, &used.name, detail))?;
        }
        Ok(Engine {
            frame: Frame::new(&plan, zero),
            recorder: Recorder::new(&plan, options.keep),
            solver: Solver::new(flow, longest, (scale, options.watch.clone())),
            probe: Solver::new(flow, longest, (scale, None)),
            flows: BTreeMap::new(),
            flows_size: 0,
            flow: None,
            instant: Instant::default(),
            left: Vec::new(),
            accumulation: Accumulation::new(numerics.accumulation.unwrap_or(CLOSE)),
            until,
            microsteps: options
                .microstep_limit
                .or(numerics.microsteps)
                .unwrap_or(MICROSTEPS),
            events: 0,
            event_limit: options.event_limit,
            shuffle: options.shuffle,
            seed: options.seed,
            ticks: 0,
            jumps: 0,
            crossings: Vec::new(),
            indicators: Vec::new(),
            stuck: 0,
            streak: Streak::default(),
            is_zeno_looked_for: options.detect_zeno,
            deciding: deciding(&plan),
            work: Vec::new(),
            plan,
            components,
            state,
        })
    }

    /// Lets the beginning be at `t`.
    pub(crate) fn start_at(&mut self, t: f64) -> Result<(), TickError> {
        let time = SuperdenseTime::at(t).ok_or(TickError::BadHorizon(t))?;
        self.frame.time = time;
        self.frame.before = t;
        if t == 0.0 {
            return Ok(());
        }
        self.state.start_at(&self.plan, t);
        for (place, used) in self.plan.graph.components().iter().enumerate() {
            let component = &mut self.components[used.handle as usize];
            let started = component.start(t, &mut self.state.components[place].x);
            started.map_err(|detail| failure(time, &used.name, detail))?;
        }
        Ok(())
    }

    /// A component by its place in the graph.
    pub(crate) fn component(&self, place: usize) -> &(dyn Component + 'c) {
        self.components[self.plan.graph.components()[place].handle as usize].as_ref()
    }

    /// One tick, and what changes after it. `has_jumped`: an input differs from its left limit.
    pub(crate) fn microstep(&mut self, time: SuperdenseTime, has_jumped: bool) -> Result<Ticked, TickError> {
        let stopped = |reason| Ticked {
            is_open: false,
            stop: Some(reason),
        };
        let t = time.t();
        self.ticks += 1;
        if self.instant.has_moved {
            let kept = self.state.cells.iter().map(|cell| cell.value.abs());
            let sizes = self.solver.largest.iter().copied().chain(kept).chain([t.abs()]);
            self.frame.near = TOUCH * sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
        }
        self.tick(time)?;
        if self.may_reach() && self.frame.is_near() && self.reach() {
            self.tick(time)?;
        }
        if let Some(reason) = finite::check_tick(&self.plan, &self.frame) {
            return Ok(stopped(reason));
        }
        let is_end = time.n() == 0 && (t == 0.0 || t >= self.until);
        let happened = self.change_state()?;
        let is_move = |event: &Happened| !matches!(event, Happened::Crossing { .. });
        self.instant.has_moved |= self.ticks == 1 || happened.iter().any(is_move);
        let is_open = self.state.is_changed
            || (time.n() == 0
                && (has_jumped
                    || self.is_something_due()
                    || self.plan.numbers.breaks.has_jumped(self.frame.before, t)
                    || modal::wants_to_move(&self.plan, &self.state, &self.frame, &mut self.work)));
        self.recorder.tick(&self.frame, is_end);
        self.recorder
            .events(&self.plan, &self.state, &self.frame, &happened);
        let queued: usize = self.state.queues.iter().map(VecDeque::len).sum();
        let counted = self.count(&happened);
        if let Some(reason) = counted.or_else(|| self.recorder.check(queued * size_of::<(f64, f64)>())) {
            return Ok(stopped(reason));
        }
        if !is_open {
            if time.n() == 0 {
                self.recorder.forget();
            } else {
                self.stuck = 0;
            }
            return Ok(Ticked {
                is_open: false,
                stop: None,
            });
        }
        let stop = self
            .instant
            .check(&self.plan, &self.state, &self.frame, self.microsteps);
        Ok(Ticked { is_open: true, stop })
    }

    fn change_state(&mut self) -> Result<Vec<Happened>, TickError> {
        let mut happened = Vec::new();
        let (plan, frame) = (&self.plan, &self.frame);
        self.state.is_changed = false;
        begin_passed(plan, &mut self.state, frame);
        postfire(plan, &mut self.state, frame, &self.crossings, &mut happened)?;
        call_components(
            plan,
            &mut self.state,
            frame,
            &mut self.components,
            &self.indicators,
            &mut happened,
        )?;
        take_transitions(plan, &mut self.state, frame, &mut happened)?;
        self.crossings.clear();
        self.indicators.clear();
        Ok(happened)
    }

    fn tick(&mut self, time: SuperdenseTime) -> Result<(), TickError> {
        for (place, used) in self.plan.graph.components().iter().enumerate() {
            let component = &mut self.components[used.handle as usize];
            let x = &self.state.components[place].x;
            let at = Point {
                t: time.t(),
                x,
                u: &[],
            };
            component.outputs(at, &mut self.frame.outputs[place]);
        }
        self.frame.salt = crate::frame::mix(self.seed ^ self.ticks);
        self.frame.solve(&self.plan, &self.state, time, self.shuffle)?;
        nonconstructive::check(&self.plan, &self.state, &self.frame)
    }

    /// Whether a clock, `at` or delay of an active region is due.
    fn is_something_due(&self) -> bool {
        let t = self.frame.time.t();
        self.due_times().any(|due| due.t <= t)
    }

    /// When timed signals of active regions are due.
    fn due_times(&self) -> impl Iterator<Item = Moment> + '_ {
        let is_active = |s: &&u32| {
            let region = self.plan.region_of(**s);
            self.frame.is_present(self.plan.region_unit(region))
        };
        let timed = self.plan.timed.iter().filter(is_active);
        timed.filter_map(|s| self.state.due(&self.plan, *s))
    }

    /// Counts events; a reason to stop if there are too many, or if they accumulate.
    fn count(&mut self, happened: &[Happened]) -> Option<StopReason> {
        let t = self.frame.time.t();
        let is_there = |s: &&u32| self.frame.is_present(**s as usize);
        let ticks = self.plan.timed.iter().filter(is_there).count();
        let changes = usize::from(self.frame.time.n() > 0 && self.state.is_changed);
        self.events += (happened.len() + ticks).max(changes);
        for event in happened {
            let key = match event {
                Happened::Transition { modal, transition } => EventKey::Transition(*modal, *transition),
                Happened::Jump { signal, .. } => EventKey::Jump(*signal),
                Happened::Crossing { signal } => EventKey::Cross(*signal),
                Happened::Component { .. } => continue,
            };
            self.jumps += usize::from(matches!(event, Happened::Jump { .. }));
            let look = || Look {
                values: self
                    .deciding
                    .iter()
                    .map(|s| self.frame.value[*s as usize])
                    .collect(),
                watched: [self.solver.start_values(), &self.solver.arrival].concat(),
                modes: self.state.modes.clone(),
            };
            let mut found = self.accumulation.note(key, t, look);
            if found.is_none() && matches!(key, EventKey::Cross(_) | EventKey::Transition(..)) {
                let pole = self.accumulation.note_pole(key);
                found = pole.filter(|(limit, _)| !self.turns_before(t + 0.99 * (limit - t)));
            }
            if let Some((limit, ratio)) = found
                && self.is_zeno_looked_for
                && limit < self.until
                && !self.due_times().any(|due| due.t > t && due.t < limit)
            {
                return Some(StopReason::ZenoSuspected {
                    limit,
                    ratio,
                    events: vec![self.name(key)],
                });
            }
        }
        self.too_many()
    }

    /// Whether a switch is predicted to turn before `t`.
    fn turns_before(&mut self, t: f64) -> bool {
        let Some(flow) = self.flow.clone() else {
            return false;
        };
        let mut passage = Passage {
            plan: &self.plan,
            flow: &flow,
            components: &mut self.components,
        };
        self.solver.turns_before(&mut passage, t)
    }

    fn too_many(&self) -> Option<StopReason> {
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

    /// Whether something may be reached in this instant that was not predicted.
    fn may_reach(&self) -> bool {
        self.instant.has_moved && !self.solver.is_beyond
    }

    /// Keeps what is reached at this tick (`reached.rs`), in the middle of an instant or at its end: as time would pass if this was the last. Whether there is anything.
    fn reach(&mut self) -> bool {
        let Ok(flow) = self.flow_of(false) else {
            return false;
        };
        let mut passage = Passage {
            plan: &self.plan,
            flow: &flow,
            components: &mut self.components,
        };
        self.probe.largest.clone_from(&self.solver.largest);
        self.probe.open = self.solver.open;
        self.probe.drive(self.frame.live());
        let at = (self.frame.time.t(), &self.frame.value[..]);
        self.probe.begin(&mut passage, &self.state, at, &self.frame.met);
        let reached = self.probe.reached(&mut passage, &self.left);
        let is_any = !reached.is_empty();
        reached.into_iter().for_each(|met| self.meet(met));
        is_any
    }

    /// The flow of the present configuration.
    fn flow(&mut self) -> Result<Rc<Flow>, TickError> {
        self.flow_of(true)
    }

    /// The flow of the present configuration, compiled at most once. One that time follows must not delay what is present while it passes.
    fn flow_of(&mut self, is_followed: bool) -> Result<Rc<Flow>, TickError> {
        let statuses = self.frame.status.iter().map(|s| *s as u8);
        let modes = self.state.modes.iter().flat_map(|m| m.to_le_bytes());
        let mut key: Vec<u8> = statuses.chain(modes).collect();
        key.extend(nonstrict::choices(&self.plan, &self.frame));
        key.push(u8::from(is_followed));
        if let Some(flow) = self.flows.get(&key) {
            return Ok(flow.clone());
        }
        if is_followed {
            self.check_discrete()?;
        }
        let flow = Rc::new(compile(&self.plan, &self.state, &self.frame));
        if let Some((post, value)) = flow.continuous_post.filter(|_| is_followed) {
            return Err(self.not_discrete(value as usize, post as usize));
        }
        // A model with many parts has more configurations than memory.
        let size = key.len() + flow.program.code.len() + flow.program.registers.len();
        if self.flows_size + size > LARGEST_FLOWS {
            self.flows.clear();
            self.flows_size = 0;
        }
        self.flows_size += size;
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

    /// Makes ready for time to pass: the flow of this final microstep, its decisions, and what is watched. Whether it is not the final one after all: what was reached decides something otherwise (`reached.rs`).
    pub(crate) fn settle(&mut self) -> Result<bool, TickError> {
        let flow = self.flow()?;
        let may_reach = self.may_reach();
        let mut passage = Passage {
            plan: &self.plan,
            flow: &flow,
            components: &mut self.components,
        };
        let at = (self.frame.time.t(), &self.frame.value[..]);
        self.solver.begin(&mut passage, &self.state, at, &self.frame.met);
        let reached = if may_reach {
            self.solver.reached(&mut passage, &self.left)
        } else {
            Vec::new()
        };
        if !reached.is_empty() {
            reached.into_iter().for_each(|met| self.meet(met));
            return Ok(true);
        }
        // What is not watched now may part unseen.
        let pool = self.plan.graph.pool();
        let is_watched = |met: &Met| {
            let is_own = |node| met.sign_in(pool, node).is_some();
            let mut watches = flow.watches.iter();
            let watch = watches.find(|w| w.equality.is_some_and(is_own));
            watch.is_some_and(
                |w| matches!(w.of, Watched::Switch(k) if is_equal(&flow, k, &self.solver.work.frozen)),
            )
        };
        self.frame.met.retain(is_watched);
        self.flow = Some(flow);
        Ok(false)
    }

    /// Goes on where a snapshot was made: with the flow there, if it has one, and the step to try next.
    pub(crate) fn resettle(&mut self, from: Option<Beginning>, proposed: Option<f64>) -> Result<(), String> {
        self.flow = None;
        match from {
            None => self.solver.integrator.start(self.frame.time.t(), &[]),
            Some(from) => {
                let flow = self.flow().map_err(|error| error.to_string())?;
                let mut passage = Passage {
                    plan: &self.plan,
                    flow: &flow,
                    components: &mut self.components,
                };
                self.solver.begin_from(
                    &mut passage,
                    &self.state,
                    &self.frame.value,
                    (from, &self.frame.met),
                )?;
                self.flow = Some(flow);
            }
        }
        let t = self.now();
        if let Some(step) = proposed.filter(|step| t + step > t) {
            self.solver.integrator.propose_step(step);
        }
        Ok(())
    }

    /// The next moment after the last instant at which something is due whatever happens.
    pub(crate) fn next_time(&self) -> Option<f64> {
        self.planned().min_by(f64::total_cmp)
    }

    /// Moments after the last instant at which something is due whatever happens; of the inputs the first few.
    fn planned(&self) -> impl Iterator<Item = f64> + '_ {
        let t0 = self.frame.time.t();
        let flow = self.flow.as_ref();
        let used = flow.into_iter().flat_map(|flow| &flow.components);
        let asked = used.filter_map(|used| {
            let handle = self.plan.graph.components()[used.component as usize].handle;
            self.components[handle as usize].next_time()
        });
        let is_flowing = flow.is_some();
        let due = self.due_times().filter(move |_| is_flowing).map(|due| due.t);
        let breaks = &self.plan.numbers.breaks;
        let kinks = std::iter::successors(breaks.next(t0), |t| breaks.next(*t)).take(KINKS);
        let kinks = kinks.filter(move |_| is_flowing);
        asked.chain(due).chain(kinks).filter(move |t| *t > t0)
    }

    /// What is ahead of the solver, not beyond `until`; `is_planned`: what happens there belongs to the run, also if it is predicted a little later.
    pub(crate) fn ahead(&self, until: f64, is_planned: bool) -> Ahead {
        let own = is_planned.then_some(until);
        let first = self.planned().chain(own).min_by(f64::total_cmp);
        match first.filter(|first| *first <= until) {
            None => Ahead::until(until),
            Some(first) => {
                let limit = if is_planned { f64::INFINITY } else { until };
                Ahead::planned(first, self.planned().chain(own), limit)
            }
        }
    }

    /// One step of the solver, to what is ahead or less far.
    pub(crate) fn step(&mut self, ahead: &Ahead) -> Result<Stepped, TickError> {
        let Some(flow) = self.flow.clone() else {
            return Ok(Stepped::Quiet);
        };
        let mut passage = Passage {
            plan: &self.plan,
            flow: &flow,
            components: &mut self.components,
        };
        let passed = self.solver.step(&mut passage, &self.state, ahead);
        if let Some(reason) = self.vanishing() {
            return Ok(Stepped::Stopped(reason));
        }
        match passed {
            Passed::Stopped(reason) => Ok(Stepped::Stopped(reason)),
            Passed::Failed { component, detail } => {
                let time = SuperdenseTime::at(self.now()).unwrap_or(self.frame.time);
                let name = &self.plan.graph.components()[component as usize].name;
                Err(failure(time, name, detail.into()))
            }
            Passed::Reached => {
                self.solver.keep_sides(&self.plan, &flow, &mut self.state);
                Ok(Stepped::Quiet)
            }
            Passed::Located(events) => Ok(Stepped::Cut(events)),
        }
    }

    /// Whether a `cross` whose events accumulate goes off its level and back faster than time can tell, at the instant before the last step; that is then taken back.
    fn vanishing(&mut self) -> Option<StopReason> {
        let t = self.frame.time.t();
        let ends = self.solver.vanished.iter().find_map(|(signal, after)| {
            let key = EventKey::Cross(*signal);
            let (limit, ratio) = self.accumulation.vanishes(key, t, *after)?;
            Some((key, limit, ratio))
        });
        let (key, limit, ratio) = ends.filter(|_| self.is_zeno_looked_for)?;
        self.solver.integrator.truncate(t);
        Some(StopReason::ZenoSuspected {
            limit,
            ratio,
            events: vec![self.name(key)],
        })
    }

    /// The time to which it has passed.
    pub(crate) fn now(&self) -> f64 {
        self.solver.integrator.t()
    }

    /// Keeps what was located for the next microstep; a reason to stop if that leads nowhere.
    pub(crate) fn note_located(&mut self, events: Vec<Located>) -> Option<StopReason> {
        let switch = events.iter().find_map(|e| match e {
            Located::Switch(quantity) => Some(*quantity),
            _ => None,
        });
        let t = self.now();
        if let Some(flow) = self.flow.clone() {
            let passage = Passage {
                plan: &self.plan,
                flow: &flow,
                components: &mut self.components,
            };
            let keys = events.iter().map(|event| Solver::key(&passage, event));
            if self.streak.note(keys, t, &self.solver.cuts) && !self.may_end() {
                return Some(self.sliding(t));
            }
        }
        if self.is_stuck(t) {
            return Some(self.not_isolated(switch));
        }
        for met in std::mem::take(&mut self.solver.met) {
            self.meet(met);
        }
        let is_switch = |event: &&Located| matches!(event, Located::Switch(_));
        self.events += events.iter().filter(is_switch).count();
        for event in events {
            match event {
                Located::Cross(signal) => self.crossings.push((signal, true)),
                Located::Passed(signal) => self.crossings.push((signal, false)),
                Located::Indicator { component, indicator } => self.indicators.push((component, indicator)),
                Located::Switch(_) => {}
            }
        }
        self.too_many()
    }

    /// Keeps that the sides of an equality met.
    pub(crate) fn meet(&mut self, met: Met) {
        self.frame.met.retain(|before| before.node != met.node);
        self.frame.met.push(met);
    }

    /// That switches turn each other back.
    fn sliding(&self, t: f64) -> StopReason {
        let graph = self.plan.graph;
        let place = |owner: Owner| match owner {
            Owner::Signal(s) => format!("`{}`", graph.signals()[s as usize].label()),
            Owner::Modal(m) => format!("a guard of `{}`", graph.modals()[m as usize].name),
            Owner::Component(c) => format!("`{}`", graph.components()[c as usize].name),
        };
        let names = self.streak.keys().map(|(owner, part)| {
            let node = graph.pool().nodes_from(part as usize).next();
            match (owner, node) {
                (Owner::Component(_), _) | (_, None) => place(owner),
                (_, Some((node, _))) => format!("`{}` ({})", graph.print(node), place(owner)),
            }
        });
        StopReason::Sliding {
            switches: names.collect(),
            events: self.streak.events,
            within: self.streak.length(t),
        }
    }

    /// Counts instants at the same time, up to rounding; whether there are too many.
    pub(crate) fn is_stuck(&mut self, t: f64) -> bool {
        self.stuck = if t - self.frame.time.t() > PROGRESS * t.abs().max(1.0) {
            0
        } else {
            self.stuck + 1
        };
        self.has_stuck()
    }

    /// Whether there were too many.
    pub(crate) fn has_stuck(&self) -> bool {
        self.stuck > if self.may_end() { LONGEST } else { STUCK }
    }

    /// Whether events that hardly let time pass have something in them that may end it.
    fn may_end(&self) -> bool {
        self.accumulation.is_moving() && self.streak.events < LONGEST
    }

    /// That a watched quantity cannot be passed.
    pub(crate) fn not_isolated(&mut self, quantity: Option<usize>) -> StopReason {
        let of = quantity.zip(self.flow.clone()).map(|(quantity, flow)| {
            let passage = Passage {
                plan: &self.plan,
                flow: &flow,
                components: &mut self.components,
            };
            Solver::describe(&passage, quantity)
        });
        StopReason::CrossingNotIsolated {
            of: of.unwrap_or_else(|| "a guard".to_owned()),
        }
    }

    /// Values of what is recorded at a moment of the last step, `ABSENT` where absent.
    pub(crate) fn sample(&mut self, t: f64) -> Vec<f64> {
        let Some(flow) = self.flow.clone() else {
            return Vec::new();
        };
        let mut passage = Passage {
            plan: &self.plan,
            flow: &flow,
            components: &mut self.components,
        };
        self.solver.sample(&mut passage, t)
    }

    /// Records the last step as polynomials.
    pub(crate) fn keep_piece(&mut self) {
        if let Some(flow) = self.flow.clone() {
            let mut passage = Passage {
                plan: &self.plan,
                flow: &flow,
                components: &mut self.components,
            };
            self.recorder.piece(&mut self.solver, &mut passage);
        }
    }

    /// Writes the states at the time to which it has passed back.
    pub(crate) fn store(&mut self) {
        if let Some(flow) = &self.flow {
            self.solver.store(flow, &mut self.state);
        }
    }

    /// Enters the instant at `t`, at its left limit; whether `t` is a time.
    pub(crate) fn arrive(&mut self, t: f64) -> bool {
        let t0 = self.frame.time.t();
        // Where a clock or delay is why there is an instant, its own time is more exact than the rounded one.
        let exact = self.due_times().filter(|due| due.t <= t && due.t > t0);
        let exact = exact
            .min_by(|a, b| a.t.total_cmp(&b.t))
            .map(|due| due.minus(Moment::at(t)));
        let (plan, frame) = (&self.plan, &self.frame);
        self.state
            .pass_time(t0, t, |region| frame.is_present(plan.region_unit(region as u32)));
        self.left.clear();
        self.left.extend(self.state.cells.iter().map(|cell| cell.value));
        match SuperdenseTime::at(t) {
            Some(time) => {
                self.frame.time = time;
                self.frame.before = t0;
                self.frame.carry = exact.map_or(0.0, |rest| rest.t);
                true
            }
            None => false,
        }
    }
}
