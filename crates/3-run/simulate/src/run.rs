//! The loop of a run.
//!
//! ```text
//! while something is to come until the horizon:
//!     take the earliest                               (queue.rs)
//!     sample what lies before it
//!     a gap closes          → impact node, contact node       (impact.rs)
//!     a guard is crossed    → contact node                    (sustained.rs)
//!     a closest point goes from one part of a surface to the next → contact node (pieces.rs)
//!     a load switches       → contact node                    (watch.rs)
//!     impacts accumulated   → the contact is closed in name   (impact.rs)
//!     a step ends           → drift is taken out, next step   (steps.rs)
//!     the islands it touched get new steps and new predictions (predict.rs)
//! ```
//! Islands that nothing happened to are left alone: the cost of an event grows with the contacts involved, not with the number of entities.

use crate::broad_phase::{Bounds, BroadPhase};
use crate::capture::Capture;
use crate::impact::Cluster;
use crate::index::{ContactIx, IndexVec, IslandIx, Number};
use crate::island::{Evaluation, Fault, Island, Pulse};
use crate::observe::ClosedContacts;
use crate::projection::kinetic;
use crate::queue::{Coming, Entry, Queue};
use crate::recorder::Recorder;
use crate::switches::Switching;
use crate::system::{System, initial_gap};
use crate::{Progress, RunError, RunOptions};
use dyverse_flow::Integrator;
use dyverse_mech::EntityState;
use dyverse_mech::law::LawError;
use dyverse_model::{EntityId, Model};
use dyverse_trace::{Stop, StopReason, SuperdenseTime, Trace};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Old predictions in the queue for each new one, before it is cleaned.
const CLEAN_AT: usize = 8;
/// A step of loads that are no polynomials of time and states is no longer than this part of the run.
const STRETCHES: f64 = 50.0;
/// The shortest step of contacts that may be asked for, as a part of the run.
const SHORTEST_STEP: f64 = 1e-9;
/// The length of a run that nobody tells, s.
const UNKNOWN_SPAN: f64 = 10.0;
/// Entries of the queue between two reports of progress.
const TELL_EVERY: u32 = 64;

/// Numbers of islands below this are given to others when they are free.
const MOST_REUSED: usize = 4096;

/// A run under way.
pub(crate) struct Run<'m> {
    pub(crate) system: System<'m>,
    pub(crate) options: RunOptions,
    pub(crate) horizon: f64,
    pub(crate) islands: IndexVec<IslandIx, Option<Island>>,
    /// The island of each entity; none for fixed ones.
    pub(crate) island_of: IndexVec<EntityId, Option<IslandIx>>,
    pub(crate) broad: BroadPhase,
    pub(crate) queue: Queue,
    pub(crate) recorder: Recorder,
    pub(crate) evaluation: Evaluation,
    pub(crate) switching: Switching,
    pub(crate) next_version: u64,
    pub(crate) capture: Capture,
    /// Where each entity was when its island was last taken apart; what a run that ends in the middle of an instant has to show.
    pub(crate) known: IndexVec<EntityId, EntityState<f64>>,
    /// How often a closed contact crept away from zero (sustained.rs).
    pub(crate) creeps: usize,
    /// A contact whose force along the flow went below zero, until the contact node is passed (spare.rs).
    pub(crate) spared: Option<ContactIx>,
    /// Gaps in a row that closed without any impact (impact.rs).
    pub(crate) empty_closings: usize,
    spare: BTreeMap<usize, Vec<Integrator>>,
    sample_every: f64,
    samples_made: u64,
    instant: (f64, usize),
    /// When the run began, s.
    begun: f64,
    queue_target: usize,
    /// Impacts before this run, if it goes on from another.
    pub(crate) impacts_before: u64,
    entries_since_told: u32,
    /// Events that made no transition.
    silent: usize,
}

/// What ends a run before its horizon.
pub(crate) type Halt = StopReason;

/// Executes a model from its initial state.
///
/// # Errors
/// [`RunError`] if the run cannot begin. Whatever ends it later is in the trace.
pub fn simulate(model: &Model, options: &RunOptions) -> Result<Trace, RunError> {
    simulate_with_contacts(model, options).map(|(trace, _)| trace)
}

/// The same, with the closed contacts during each of the trace's pieces: what an [`Observer`](crate::Observer) needs to find contact forces along them.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_with_contacts(
    model: &Model,
    options: &RunOptions,
) -> Result<(Trace, Vec<ClosedContacts>), RunError> {
    let horizon = options.until.or(model.horizon()).ok_or(RunError::NoHorizon)?;
    if !(horizon > 0.0 && horizon.is_finite()) {
        return Err(RunError::BadHorizon(horizon));
    }
    if let Some(start) = options.start.as_ref().map(|s| s.time.t())
        && start >= horizon
    {
        return Err(RunError::NothingToRun {
            start,
            until: horizon,
        });
    }
    let mut run = Run::new(System::new(model, options)?, options, horizon)?;
    run.limit_effort();
    let reason = match run.begin() {
        Ok(()) => run.go_on(),
        Err(halt) => {
            let t = run.recorder.now.t();
            match run.recover(None, t, halt) {
                Ok(()) => run.go_on(),
                Err(halt) => halt,
            }
        }
    };
    Ok(run.finish(reason))
}

impl<'m> Run<'m> {
    pub(crate) fn new(mut system: System<'m>, options: &RunOptions, horizon: f64) -> Result<Self, RunError> {
        let entities = system.bodies.len();
        let sample_every = options.sample_every.unwrap_or(horizon / 500.0);
        if !(sample_every > 0.0 && sample_every.is_finite()) {
            return Err(RunError::BadSampling(sample_every));
        }
        check_start(&mut system)?;
        let finite = system.bodies.iter().filter(|b| !b.is_fixed).map(|b| b.reach);
        let cell = 3.0 * finite.clone().fold(0.0, f64::max);
        let smallest = finite.filter(|r| *r > 0.0).fold(f64::INFINITY, f64::min);
        let size = if smallest.is_finite() {
            smallest
        } else {
            system.scales.length
        };
        let zero = SuperdenseTime::at(0.0).ok_or(RunError::BadHorizon(0.0))?;
        let start = options.start.as_ref().map_or(zero, |s| s.time);
        let recorder = Recorder::new(&system, start, options.keep);
        let groups = system.groups.len();
        // Something that is run from outside has no end of its own.
        let span = if horizon < f64::MAX {
            horizon - start.t()
        } else {
            system.model.horizon().unwrap_or(UNKNOWN_SPAN)
        };
        let longest = options.max_step.or(system.model.max_step());
        if let Some(longest) = longest.filter(|h| !(*h > 0.0 && h.is_finite())) {
            return Err(RunError::BadStep(longest));
        }
        // Steps that do not get anywhere never end.
        let shortest = SHORTEST_STEP * if horizon < f64::MAX { horizon } else { span };
        if let Some(step) = options
            .contact_step
            .filter(|h| !(*h >= shortest && h.is_finite()))
        {
            return Err(RunError::BadContactStep(step, shortest));
        }
        let stretch = longest.unwrap_or(span / STRETCHES);
        let mut options = options.clone();
        options.flow.max_step = options.flow.max_step.min(longest.unwrap_or(f64::INFINITY));
        Ok(Run {
            switching: Switching::new(groups, (start.t(), start.t() + span), stretch),
            evaluation: Evaluation::of_groups(groups).watched(options.watch.clone(), horizon),
            impacts_before: options.start.as_ref().map_or(0, |s| s.impacts),
            options,
            horizon,
            islands: IndexVec::default(),
            island_of: vec![None; entities].into(),
            broad: BroadPhase::new(entities, cell),
            queue: Queue::default(),
            recorder,
            next_version: 1,
            capture: Capture::new(entities, size),
            known: system.bodies.iter().map(|b| b.initial).collect(),
            creeps: 0,
            spared: None,
            empty_closings: 0,
            spare: BTreeMap::new(),
            sample_every,
            samples_made: (start.t() / sample_every) as u64,
            instant: (f64::NEG_INFINITY, 0),
            begun: start.t(),
            queue_target: 1024,
            entries_since_told: 0,
            silent: 0,
            system,
        })
    }

    /// The state of an entity at a time of its island's present step.
    pub(crate) fn state(&self, entity: EntityId, t: f64) -> EntityState<f64> {
        let island = self.island_of[entity].and_then(|i| self.islands[i].as_ref());
        match island.and_then(|island| island.place(entity).map(|place| (island, place))) {
            Some((island, place)) => island.state(place, t),
            None => self.system.bodies[entity].initial,
        }
    }

    /// Tells the broad phase where all entities are.
    pub(crate) fn place_all(&mut self, state: impl Fn(&crate::system::Body, EntityId) -> EntityState<f64>) {
        let margin = 2.0 * self.system.tolerances.gap;
        for (entity, body) in self.system.bodies.iter_enumerated() {
            let p = state(body, entity).position;
            let around = |x: f64| (x - body.reach - margin, x + body.reach + margin);
            let (x, y, z) = (around(p.x), around(p.y), around(p.z));
            let bounds = Bounds {
                low: [x.0, y.0, z.0],
                high: [x.1, y.1, z.1],
            };
            self.broad.update(entity, bounds);
        }
    }

    /// Puts entities into islands and finds the location that fits.
    fn begin(&mut self) -> Result<(), Halt> {
        self.place_all(|body, _| body.initial);
        let free = self.system.free();
        let states: Vec<_> = free.iter().map(|e| self.system.bodies[*e].initial).collect();
        self.recorder.balance.kinetic_at_start = kinetic(&self.system, &free, &states);
        let bodies = &self.system.bodies;
        self.recorder.sample(self.recorder.now, |e| bodies[e].initial);
        let t = self.recorder.now.t();
        let accumulating = match self.options.start.take() {
            Some(start) => self.contacts_named(&start.accumulating)?,
            None => BTreeMap::new(),
        };
        let cluster = Cluster {
            entities: free,
            states,
            left: Vec::new(),
            accumulating,
            rests: BTreeMap::new(),
            asks_node: false,
            is_stepping: false,
        };
        self.recorder.mark();
        self.resolve_cluster(t, cluster, true)
    }

    /// Contacts by their labels, among those that may touch at the start.
    fn contacts_named(&mut self, labels: &[(String, f64)]) -> Result<BTreeMap<ContactIx, f64>, Halt> {
        let mut found = BTreeMap::new();
        if labels.is_empty() {
            return Ok(found);
        }
        for entity in self.system.bodies.numbers() {
            for other in self.broad.near(entity) {
                for id in self.contacts(entity, other)? {
                    let label = &self.system.contact(id).label;
                    if let Some((_, until)) = labels.iter().find(|(name, _)| name == label) {
                        found.insert(id, *until);
                    }
                }
            }
        }
        Ok(found)
    }

    fn go_on(&mut self) -> StopReason {
        loop {
            if let Some(reason) = self.too_many() {
                return reason;
            }
            let Some(entry) = self.next_entry() else {
                return StopReason::HorizonReached;
            };
            self.sample_until(entry.time.min(self.horizon));
            // All that happens at the horizon is part of the run.
            if entry.time > self.horizon {
                return StopReason::HorizonReached;
            }
            let before = (self.recorder.taken(), self.recorder.statistics.switches);
            let counted = self.count(entry.time);
            self.recorder.mark();
            self.capture.is_free = false;
            self.limit_effort();
            let happened = counted.and_then(|()| {
                if self.is_to_be_captured(&entry) {
                    self.capture_instead(&entry)
                } else {
                    self.happen(entry)
                }
            });
            if let Err(halt) = happened
                && let Err(halt) = self.recover(Some(&entry), entry.time, halt)
            {
                return halt;
            }
            // A step ends where a switch of time turns.
            let turned = self.recorder.statistics.switches > before.1;
            let is_event = turned || !matches!(entry.coming, Coming::End { .. });
            self.silent += usize::from(is_event && self.recorder.taken() == before.0);
            if let ControlFlow::Break(reason) = self.tell(entry.time) {
                return reason;
            }
        }
    }

    /// Says how far the run is, now and then.
    fn tell(&mut self, t: f64) -> ControlFlow<StopReason> {
        let Some(watch) = &self.options.watch else {
            return ControlFlow::Continue(());
        };
        let progress = Progress {
            t,
            horizon: self.horizon,
            transitions: self.recorder.taken(),
            impacts: self.recorder.statistics.impacts,
            bytes: self.recorder.bytes(),
        };
        self.evaluation.pulse.progress = progress;
        self.entries_since_told += 1;
        if self.entries_since_told < TELL_EVERY {
            return ControlFlow::Continue(());
        }
        self.entries_since_told = 0;
        watch.call(progress)
    }

    fn holds(
        islands: &IndexVec<IslandIx, Option<Island>>,
        island_of: &IndexVec<EntityId, Option<IslandIx>>,
        system: &System<'_>,
        entry: &Entry,
    ) -> bool {
        let version = |island: IslandIx| {
            islands
                .get(island)
                .and_then(Option::as_ref)
                .map_or(0, |i| i.version)
        };
        match entry.coming {
            Coming::Crossing { contact } => {
                let (a, b) = system.contact(contact).entities();
                let of = |e: EntityId| island_of[e].map_or(0, version);
                (of(a), of(b)) == entry.versions
            }
            Coming::Guard { island, .. }
            | Coming::Piece { island }
            | Coming::Zeno { island, .. }
            | Coming::Switch { island }
            | Coming::End { island } => version(island) == entry.versions.0,
        }
    }

    fn next_entry(&mut self) -> Option<Entry> {
        let (islands, island_of, system) = (&self.islands, &self.island_of, &self.system);
        if self.queue.len() > CLEAN_AT * self.queue_target {
            self.queue.clean(|e| Self::holds(islands, island_of, system, e));
            self.queue_target = self.queue.len().max(1024);
        }
        self.queue.pop(|e| Self::holds(islands, island_of, system, e))
    }

    /// Gaps that close within the simultaneity tolerance of a time.
    pub(crate) fn closing_together(&mut self, t: f64, first: ContactIx) -> Vec<ContactIx> {
        let mut contacts = vec![first];
        let limit = t + self.system.tolerances.simultaneity;
        loop {
            let (islands, island_of, system) = (&self.islands, &self.island_of, &self.system);
            let holds = |e: &Entry| Self::holds(islands, island_of, system, e);
            match self.queue.peek(holds) {
                Some(Entry {
                    time,
                    coming: Coming::Crossing { contact },
                    ..
                }) if time <= limit => {
                    self.queue.pop(holds);
                    contacts.push(contact);
                }
                _ => return contacts,
            }
        }
    }

    /// Transitions, and what was located and made none: a switch is one event, whatever it changes.
    fn too_many(&self) -> Option<StopReason> {
        let limit = self.options.event_limit;
        let events = self.recorder.taken() + self.silent;
        (events > limit).then_some(StopReason::EventLimit { limit })
    }

    /// Counts what happens at one instant.
    fn count(&mut self, t: f64) -> Result<(), Halt> {
        self.recorder.at(t);
        if let Some(full) = self.recorder.check() {
            return Err(full);
        }
        if t > self.instant.0 {
            self.instant = (t, 0);
        }
        self.instant.1 += 1;
        if self.instant.1 > self.options.microstep_limit {
            let last = self.recorder.log.iter().rev().take(8);
            let mut changing: Vec<String> = last
                .flat_map(|entry| &entry.contacts)
                .map(|contact| self.system.contact(*contact).label.clone())
                .collect();
            changing.sort();
            changing.dedup();
            return Err(StopReason::MicrostepLimit {
                limit: self.options.microstep_limit,
                changing,
            });
        }
        Ok(())
    }

    fn happen(&mut self, entry: Entry) -> Result<(), Halt> {
        match entry.coming {
            Coming::Crossing { contact } => {
                let contacts = self.closing_together(entry.time, contact);
                self.close(entry.time, &contacts)
            }
            Coming::Guard { island, contact } => self.cross_guard(entry.time, island, contact),
            Coming::Piece { island } => self.end_piece(entry.time, island),
            Coming::Zeno { island, contact } => self.end_accumulation(entry.time, island, contact),
            Coming::Switch { island } => self.turn(entry.time, island),
            Coming::End { island } => self.end_step(entry.time, island),
        }
    }

    /// Samples on the grid of times, up to and including `t`.
    fn sample_until(&mut self, t: f64) {
        if !self.recorder.keeps_samples() {
            return;
        }
        loop {
            let next = (self.samples_made + 1) as f64 * self.sample_every;
            if next > t * (1.0 + 1e-15) {
                return;
            }
            self.samples_made += 1;
            let Some(time) = SuperdenseTime::at(next.min(t)) else {
                return;
            };
            let (islands, island_of, known) = (&self.islands, &self.island_of, &self.known);
            self.recorder
                .sample(time, |e| state_of(islands, island_of, known, e, time.t()));
        }
    }

    /// What a fault of the right-hand side comes to.
    pub(crate) fn fault(&self, fault: Fault, t: f64) -> Halt {
        if let (Fault::Interrupted, Some(reason)) = (&fault, &self.evaluation.pulse.reason) {
            return reason.clone();
        }
        match fault {
            Fault::NotFinite { what, value } => StopReason::NotFinite {
                what: format!("{what} at t = {t} ({value})"),
            },
            Fault::NotAlong { switches } => StopReason::Switching {
                switches,
                detail: format!(
                    "at t = {t} no mix of their sides keeps the motion on their surfaces any more"
                ),
            },
            Fault::Exhausted | Fault::Forces(LawError::TooMany { .. }) => StopReason::CrossingNotIsolated {
                of: "what happens to many contacts, with the effort that is allowed for one event,".into(),
            },
            fault => StopReason::NotFinite {
                what: format!("the motion at t = {t} ({fault})"),
            },
        }
    }

    /// An integrator for a state of some size, used before or new.
    pub(crate) fn integrator(&mut self, dimension: usize) -> Integrator {
        let used = self.spare.get_mut(&dimension).and_then(Vec::pop);
        used.unwrap_or_else(|| {
            let mut made = Integrator::new(self.options.flow);
            made.set_scales(&self.system.state_scales());
            made
        })
    }

    /// Takes an island apart; its integrator is kept for later.
    pub(crate) fn dissolve(&mut self, island: IslandIx) -> Option<Island> {
        let island = self.islands[island].take()?;
        for entity in &island.entities {
            self.island_of[*entity] = None;
        }
        Some(island)
    }

    pub(crate) fn keep_integrator(&mut self, integrator: Integrator) {
        let dimension = integrator.x().len();
        let list = self.spare.entry(dimension).or_default();
        if list.len() < 64 {
            list.push(integrator);
        }
    }

    /// Adds an island in a free place.
    pub(crate) fn add_island(&mut self, island: Island) -> IslandIx {
        let free = self.islands.numbers().find(|id| self.islands[*id].is_none());
        let free = free.filter(|id| id.number() < MOST_REUSED);
        let id = free.unwrap_or_else(|| self.islands.push(None));
        for entity in &island.entities {
            self.island_of[*entity] = Some(id);
        }
        self.islands[id] = Some(island);
        id
    }

    fn finish(mut self, reason: StopReason) -> (Trace, Vec<ClosedContacts>) {
        let end = if reason.is_complete() {
            // After what happened there, if something did.
            let end = SuperdenseTime::at(self.horizon).filter(|end| *end > self.recorder.now);
            end.unwrap_or(self.recorder.now)
        } else {
            self.recorder.now
        };
        let t = end.t();
        // What is left to do is little.
        self.evaluation.pulse = Pulse::default();
        for id in self.islands.numbers() {
            // One that was stopped before its next step has no motion to tell of.
            if self.islands[id]
                .as_ref()
                .is_some_and(|island| island.integrator.present_step().is_some())
            {
                let _ = self.account(id, t);
                self.keep_piece(id, t);
            }
        }
        let stepping = self.capture.told(t);
        let lasted = t - self.begun;
        if lasted > 0.0 {
            let spans = stepping.iter().map(|phase| phase.to - phase.from);
            // A sum of nothing is -0.
            let stepped = spans.fold(0.0, |all, span| all + span);
            self.recorder.statistics.stepped = (stepped / lasted).min(1.0);
        }
        let (islands, island_of, known) = (&self.islands, &self.island_of, &self.known);
        let state = |e: EntityId| state_of(islands, island_of, known, e, t);
        let free = self.system.free();
        let states: Vec<_> = free.iter().map(|e| state(*e)).collect();
        self.recorder.balance.kinetic_at_end = kinetic(&self.system, &free, &states);
        self.recorder.sample(end, state);
        let transitions = self.recorder.named(&self.system);
        let Recorder {
            signals,
            samples,
            pieces,
            closed_during,
            dropped,
            balance,
            impact_gains,
            statistics,
            ..
        } = self.recorder;
        let names = self.system.model.parameters().iter().map(|p| p.name.clone());
        let trace = Trace {
            system: self.system.model.name().to_owned(),
            parameters: names.zip(self.system.parameters.iter().copied()).collect(),
            seed: seed(self.system.model),
            signals,
            samples,
            pieces,
            transitions,
            dropped,
            stop: Stop { reason, time: end },
            balance,
            impact_gains,
            stepping,
            statistics,
        };
        (trace, closed_during)
    }
}

fn seed(model: &Model) -> u64 {
    match model.impacts() {
        dyverse_model::ImpactPolicy::Sequential(dyverse_model::ImpactOrder::Random(seed)) => seed,
        _ => 0,
    }
}

fn state_of(
    islands: &IndexVec<IslandIx, Option<Island>>,
    island_of: &IndexVec<EntityId, Option<IslandIx>>,
    known: &IndexVec<EntityId, EntityState<f64>>,
    entity: EntityId,
    t: f64,
) -> EntityState<f64> {
    let island = island_of[entity].and_then(|i| islands[i].as_ref());
    match island.and_then(|island| island.place(entity).map(|place| (island, place))) {
        Some((island, place)) => island.state(place, t),
        None => known[entity],
    }
}

/// Refuses a start with overlapping entities: parameters may have changed since the model was checked.
fn check_start(system: &mut System<'_>) -> Result<(), RunError> {
    let mut order: Vec<EntityId> = system.bodies.numbers().collect();
    let low = |s: &System<'_>, e: EntityId| s.bodies[e].initial.position.x - s.bodies[e].reach;
    order.sort_by(|a, b| low(system, *a).total_cmp(&low(system, *b)));
    for (i, a) in order.iter().enumerate() {
        let high = system.bodies[*a].initial.position.x + system.bodies[*a].reach;
        for b in &order[i + 1..] {
            if low(system, *b) > high {
                break;
            }
            let (first, second) = (&system.bodies[*a], &system.bodies[*b]);
            let apart = (first.initial.position - second.initial.position).norm();
            if apart > first.reach + second.reach {
                continue;
            }
            for contact in system.contacts_between(*a, *b)? {
                if let Some(gap) = initial_gap(system, contact).filter(|g| *g < -system.tolerances.gap) {
                    return Err(RunError::Overlap {
                        contact: system.contact(contact).label.clone(),
                        gap,
                    });
                }
            }
        }
    }
    Ok(())
}
