//! The loop of a run.
//!
//! ```text
//! while something is to come before the horizon:
//!     take the earliest                               (queue.rs)
//!     sample what lies before it
//!     a gap closes          → impact node, contact node       (impact.rs)
//!     a guard is crossed    → contact node                    (sustained.rs)
//!     impacts accumulated   → the contact is closed in name   (impact.rs)
//!     a step ends           → drift is taken out, next step
//!     the islands it touched get new steps and new predictions (predict.rs)
//! ```
//! Islands that nothing happened to are left alone: the cost of an event grows with the contacts involved, not with the number of entities.

use crate::broad_phase::{Bounds, BroadPhase};
use crate::island::{Evaluation, Fault, Island, Mode, SLOW, pack_all};
use crate::loads::STATE;
use crate::projection::{kinetic, project};
use crate::queue::{Coming, Entry, Queue};
use crate::recorder::Recorder;
use crate::system::{System, initial_gap};
use crate::{RunError, RunOptions};
use dyverse_flow::{FlowError, Integrator};
use dyverse_mech::EntityState;
use dyverse_model::Model;
use dyverse_time::{Piece, SignalId, Stop, StopReason, SuperdenseTime, Trace};
use std::collections::BTreeMap;

/// Entities up to which the length of steps is not limited by the grid.
const FEW_ENTITIES: usize = 32;
/// Old predictions in the queue for each new one, before it is cleaned.
const CLEAN_AT: usize = 8;

/// A run under way.
pub(crate) struct Run<'m> {
    pub(crate) system: System<'m>,
    pub(crate) options: RunOptions,
    pub(crate) horizon: f64,
    pub(crate) islands: Vec<Option<Island>>,
    /// The island of each entity; none for fixed ones.
    pub(crate) island_of: Vec<Option<usize>>,
    pub(crate) broad: BroadPhase,
    pub(crate) queue: Queue,
    pub(crate) recorder: Recorder,
    pub(crate) evaluation: Evaluation,
    pub(crate) next_version: u64,
    /// What the impact under way changed, and its impulses.
    pub(crate) pending_changes: Vec<dyverse_time::Change>,
    pub(crate) pending_impulses: Vec<dyverse_mech::Triple>,
    /// Where each entity was when its island was last taken apart; what a run that ends in the middle of an instant has to show.
    pub(crate) known: Vec<EntityState<f64>>,
    /// How often a closed contact crept away from zero (sustained.rs).
    pub(crate) creeps: usize,
    spare: BTreeMap<usize, Vec<Integrator>>,
    sample_every: f64,
    samples_made: u64,
    instant: (f64, usize),
    queue_target: usize,
}

/// What ends a run before its horizon.
pub(crate) type Halt = StopReason;

/// Executes a model from its initial state.
///
/// # Errors
/// [`RunError`] if the run cannot begin. Whatever ends it later is in the trace.
pub fn simulate(model: &Model, options: &RunOptions) -> Result<Trace, RunError> {
    let horizon = options.until.or(model.horizon()).ok_or(RunError::NoHorizon)?;
    if !(horizon > 0.0 && horizon.is_finite()) {
        return Err(RunError::BadHorizon(horizon));
    }
    let mut run = Run::new(model, options, horizon)?;
    let reason = match run.begin() {
        Ok(()) => run.go_on(),
        Err(halt) => halt,
    };
    Ok(run.finish(reason))
}

impl<'m> Run<'m> {
    fn new(model: &'m Model, options: &RunOptions, horizon: f64) -> Result<Self, RunError> {
        let mut system = System::new(model, options)?;
        let entities = system.bodies.len();
        check_start(&mut system)?;
        let finite = system.bodies.iter().filter(|b| !b.is_fixed).map(|b| b.reach);
        let cell = 3.0 * finite.fold(0.0, f64::max);
        let start = SuperdenseTime::at(0.0).ok_or(RunError::BadHorizon(0.0))?;
        let recorder = Recorder::new(&system, start);
        Ok(Run {
            options: options.clone(),
            horizon,
            islands: Vec::new(),
            island_of: vec![None; entities],
            broad: BroadPhase::new(entities, cell),
            queue: Queue::default(),
            recorder,
            evaluation: Evaluation::default(),
            next_version: 1,
            pending_changes: Vec::new(),
            pending_impulses: Vec::new(),
            known: system.bodies.iter().map(|b| b.initial).collect(),
            creeps: 0,
            spare: BTreeMap::new(),
            sample_every: options
                .sample_every
                .filter(|s| *s > 0.0)
                .unwrap_or(horizon / 500.0),
            samples_made: 0,
            instant: (f64::NEG_INFINITY, 0),
            queue_target: 1024,
            system,
        })
    }

    /// The state of an entity at a time of its island's present step.
    pub(crate) fn state(&self, entity: usize, t: f64) -> EntityState<f64> {
        let island = self.island_of[entity].and_then(|i| self.islands[i].as_ref());
        match island.and_then(|island| island.place(entity).map(|place| (island, place))) {
            Some((island, place)) => island.state(place, t),
            None => self.system.bodies[entity].initial,
        }
    }

    /// Puts entities into islands and finds the location that fits.
    fn begin(&mut self) -> Result<(), Halt> {
        for entity in 0..self.system.bodies.len() {
            let body = &self.system.bodies[entity];
            let p = body.initial.position;
            let around = |x: f64| (x - body.reach, x + body.reach);
            let (x, y, z) = (around(p.x), around(p.y), around(p.z));
            self.broad.update(
                entity,
                Bounds {
                    low: [x.0, y.0, z.0],
                    high: [x.1, y.1, z.1],
                },
            );
        }
        let free: Vec<usize> = (0..self.system.bodies.len())
            .filter(|e| !self.system.bodies[*e].is_fixed)
            .collect();
        let states: Vec<_> = free.iter().map(|e| self.system.bodies[*e].initial).collect();
        self.recorder.balance.kinetic_at_start = kinetic(&self.system, &free, &states);
        let bodies = &self.system.bodies;
        self.recorder.sample(self.recorder.now, |e| bodies[e].initial);
        self.resolve(0.0, free, states, true)
    }

    fn go_on(&mut self) -> StopReason {
        loop {
            let Some(entry) = self.next_entry() else {
                return StopReason::HorizonReached;
            };
            self.sample_until(entry.time.min(self.horizon));
            if entry.time >= self.horizon {
                return StopReason::HorizonReached;
            }
            if let Err(halt) = self.count(entry.time).and_then(|()| self.happen(entry)) {
                return halt;
            }
        }
    }

    fn holds(
        islands: &[Option<Island>],
        island_of: &[Option<usize>],
        system: &System<'_>,
        entry: &Entry,
    ) -> bool {
        let version = |island: usize| {
            islands
                .get(island)
                .and_then(Option::as_ref)
                .map_or(0, |i| i.version)
        };
        match entry.coming {
            Coming::Crossing { contact } => {
                let (a, b) = system.contact(contact).entities();
                let of = |e: usize| island_of[e].map_or(0, version);
                (of(a), of(b)) == entry.versions
            }
            Coming::Guard { island, .. } | Coming::Zeno { island, .. } | Coming::End { island } => {
                version(island) == entry.versions.0
            }
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
    pub(crate) fn closing_together(&mut self, t: f64, first: usize) -> Vec<usize> {
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

    /// Counts what happens in all and at one instant.
    fn count(&mut self, t: f64) -> Result<(), Halt> {
        self.recorder.at(t);
        if self.recorder.transitions.len() > self.options.event_limit {
            return Err(StopReason::EventLimit {
                limit: self.options.event_limit,
            });
        }
        if t > self.instant.0 {
            self.instant = (t, 0);
        }
        self.instant.1 += 1;
        if self.instant.1 > self.options.microstep_limit {
            let last = self.recorder.transitions.iter().rev().take(8);
            let mut changing: Vec<String> = last.flat_map(|t| t.contacts.clone()).collect();
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
            Coming::Zeno { island, contact } => self.end_accumulation(entry.time, island, contact),
            Coming::End { island } => self.end_step(entry.time, island),
        }
    }

    /// Samples on the grid of times, up to and including `t`.
    fn sample_until(&mut self, t: f64) {
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

    fn end_step(&mut self, t: f64, island: usize) -> Result<(), Halt> {
        self.account(island, t)?;
        self.keep_piece(island, t);
        let Some(mut taken) = self.islands[island].take() else {
            return Ok(());
        };
        let result = self.restart_projected(&mut taken, t);
        self.islands[island] = Some(taken);
        result?;
        self.step_and_predict(island)
    }

    /// Takes drift out of an island with closed contacts, and goes on from there.
    fn restart_projected(&mut self, island: &mut Island, t: f64) -> Result<(), Halt> {
        if island.active.is_empty() {
            return Ok(());
        }
        let mut states: Vec<_> = (0..island.entities.len())
            .map(|place| island.state(place, t))
            .collect();
        let work = project(&self.system, &island.entities, &island.active, t, &mut states)
            .map_err(|fault| self.fault(fault, t))?;
        self.recorder.balance.work_of_projection += work;
        let x = pack_all(&states);
        island.integrator.restart(t, &x);
        self.turn_directions(island, t, &x)
    }

    /// The directions of slipping contacts, for the step to come.
    fn turn_directions(&mut self, island: &mut Island, t: f64, x: &[f64]) -> Result<(), Halt> {
        let contacts = island.active.iter().map(|a| (a.contact, Some(a.reference)));
        self.evaluation
            .kinematics_of(&self.system, &island.entities, contacts, t, x)
            .map_err(|fault| self.fault(fault, t))?;
        for (active, k) in island.active.iter_mut().zip(&self.evaluation.kinematics) {
            let [x, y] = k.tangential_velocity;
            let speed = x.hypot(y);
            // One that has become slow keeps its direction until it stops: see island.rs.
            if matches!(active.mode, Mode::Slip(_)) && speed > 0.0 && !(active.is_slow && speed <= SLOW) {
                active.mode = Mode::Slip([x / speed, y / speed]);
                active.is_slow = speed <= SLOW;
                active.begins = false;
            }
        }
        Ok(())
    }

    /// What a fault of the right-hand side comes to.
    pub(crate) fn fault(&self, fault: Fault, t: f64) -> Halt {
        StopReason::NotFinite {
            what: format!("the motion at t = {t} ({fault})"),
        }
    }

    /// An integrator for a state of some size, used before or new.
    pub(crate) fn integrator(&mut self, dimension: usize) -> Integrator {
        let used = self.spare.get_mut(&dimension).and_then(Vec::pop);
        used.unwrap_or_else(|| Integrator::new(self.options.flow))
    }

    /// Takes an island apart; its integrator is kept for later.
    pub(crate) fn dissolve(&mut self, island: usize) -> Option<Island> {
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
    pub(crate) fn add_island(&mut self, island: Island) -> usize {
        let place = match self.islands.iter().position(Option::is_none) {
            Some(place) if place < 4096 => place,
            _ => {
                self.islands.push(None);
                self.islands.len() - 1
            }
        };
        for entity in &island.entities {
            self.island_of[*entity] = Some(place);
        }
        self.islands[place] = Some(island);
        place
    }

    /// Makes the next step of an island and predicts what comes of it.
    pub(crate) fn step_and_predict(&mut self, id: usize) -> Result<(), Halt> {
        let Some(mut island) = self.islands[id].take() else {
            return Ok(());
        };
        let stepped = self.step(&mut island);
        island.version = self.next_version;
        self.next_version += 1;
        self.islands[id] = Some(island);
        stepped?;
        self.predict_accumulations(id);
        self.predict(id)
    }

    fn step(&mut self, island: &mut Island) -> Result<(), Halt> {
        let t = island.integrator.t();
        let end = self.step_end(island, t);
        let (system, evaluation) = (&self.system, &mut self.evaluation);
        let (entities, active) = (&island.entities, &island.active);
        let before = island.integrator.counters();
        let mut rhs = |t: f64, x: &[f64], dx: &mut [f64]| {
            evaluation.right_hand_side(system, entities, active, t, x, dx)
        };
        let made = island.integrator.step(end, &mut rhs).map(|_| ());
        let after = island.integrator.counters();
        let statistics = &mut self.recorder.statistics;
        statistics.steps += (after.steps - before.steps) as usize;
        statistics.rejected_steps +=
            (after.rejected + after.slow + after.failed - before.rejected - before.slow - before.failed)
                as usize;
        statistics.evaluations += (after.evaluations - before.evaluations) as usize;
        island.accounted = t;
        made.map_err(|error| match error {
            FlowError::RightHandSide { t, source } => self.fault(source, t),
            FlowError::NotFinite { component, .. } => {
                let entity = entities.get(component / STATE).copied().unwrap_or(0);
                StopReason::NotFinite {
                    what: format!("the state of `{}`", system.model.entities()[entity].name),
                }
            }
            FlowError::StepTooSmall { step, .. } => StopReason::StepTooSmall { step },
            FlowError::NoTimeAhead { .. } => StopReason::HorizonReached,
        })
    }

    /// The end of a step at the latest: the horizon, an input's kink, or a few cells of the grid.
    fn step_end(&self, island: &Island, t: f64) -> f64 {
        let mut end = self.horizon;
        if let Some(kink) = self.system.inputs.next_break(t) {
            end = end.min(kink);
        }
        if self.system.bodies.len() > FEW_ENTITIES {
            let x = island.integrator.x();
            let fastest = x
                .chunks_exact(STATE)
                .map(|part| (part[7] * part[7] + part[8] * part[8] + part[9] * part[9]).sqrt())
                .fold(0.0, f64::max);
            if fastest > 0.0 {
                end = end.min(t + (self.broad.cell_size() / fastest).max(1e-9));
            }
        }
        end
    }

    /// Adds the work of loads and friction since it was last added.
    pub(crate) fn account(&mut self, id: usize, t: f64) -> Result<(), Halt> {
        let Some(mut island) = self.islands[id].take() else {
            return Ok(());
        };
        if t > island.accounted {
            let (system, evaluation) = (&self.system, &mut self.evaluation);
            let mut friction = 0.0;
            let mut fault = None;
            let step = island.step();
            let mut x = vec![0.0; step.dimension()];
            let loads = step.integrate(island.accounted, t, |at| {
                step.evaluate(at, &mut x);
                match power(system, evaluation, &island, at, &x) {
                    Ok((loads, _)) => loads,
                    Err(error) => {
                        fault = Some(error);
                        0.0
                    }
                }
            });
            if !island.active.is_empty() {
                friction = step.integrate(island.accounted, t, |at| {
                    step.evaluate(at, &mut x);
                    power(system, evaluation, &island, at, &x).map_or(0.0, |(_, friction)| friction)
                });
            }
            self.recorder.balance.work_of_loads += loads;
            self.recorder.balance.work_of_friction += friction;
            island.accounted = t;
            if let Some(fault) = fault {
                self.islands[id] = Some(island);
                return Err(self.fault(fault, t));
            }
        }
        self.islands[id] = Some(island);
        Ok(())
    }

    /// Keeps the motion of an island up to `t`, if asked to.
    pub(crate) fn keep_piece(&mut self, id: usize, t: f64) {
        if !self.options.keep_pieces {
            return;
        }
        let Some(island) = &self.islands[id] else { return };
        let step = island.step();
        if step.dimension() == 0 || t <= step.t0() {
            return;
        }
        let mut cut = step.clone();
        cut.cut(t);
        let mut signals = Vec::new();
        for (place, entity) in island.entities.iter().enumerate() {
            for component in dyverse_model::StateComponent::ALL {
                if let Some(signal) = self.recorder.signal(*entity, component) {
                    let index = STATE * place + crate::loads::place(component);
                    signals.push((signal, cut.state_coefficients(index).to_vec()));
                }
            }
        }
        signals.sort_by_key(|(SignalId(id), _)| *id);
        self.recorder.pieces.push(Piece {
            from: step.t0(),
            to: t,
            signals,
        });
    }

    fn finish(mut self, reason: StopReason) -> Trace {
        let end = if reason.is_complete() {
            SuperdenseTime::at(self.horizon).unwrap_or(self.recorder.now)
        } else {
            self.recorder.now
        };
        let t = end.t();
        for id in 0..self.islands.len() {
            let _ = self.account(id, t);
            self.keep_piece(id, t);
        }
        let (islands, island_of, bodies) = (&self.islands, &self.island_of, &self.system.bodies);
        let known = &self.known;
        let state = |e: usize| state_of(islands, island_of, known, e, t);
        let free: Vec<usize> = (0..bodies.len()).filter(|e| !bodies[*e].is_fixed).collect();
        let states: Vec<_> = free.iter().map(|e| state(*e)).collect();
        self.recorder.balance.kinetic_at_end = kinetic(&self.system, &free, &states);
        self.recorder.sample(end, state);
        let Recorder {
            signals,
            samples,
            pieces,
            transitions,
            balance,
            statistics,
            ..
        } = self.recorder;
        let names = self.system.model.parameters().iter().map(|p| p.name.clone());
        Trace {
            system: self.system.model.name().to_owned(),
            parameters: names.zip(self.system.parameters.iter().copied()).collect(),
            seed: seed(self.system.model),
            signals,
            samples,
            pieces,
            transitions,
            stop: Stop { reason, time: end },
            balance,
            statistics,
        }
    }
}

fn seed(model: &Model) -> u64 {
    match model.impacts() {
        dyverse_model::ImpactPolicy::Sequential(dyverse_model::ImpactOrder::Random(seed)) => seed,
        _ => 0,
    }
}

fn state_of(
    islands: &[Option<Island>],
    island_of: &[Option<usize>],
    known: &[EntityState<f64>],
    entity: usize,
    t: f64,
) -> EntityState<f64> {
    let island = island_of[entity].and_then(|i| islands[i].as_ref());
    match island.and_then(|island| island.place(entity).map(|place| (island, place))) {
        Some((island, place)) => island.state(place, t),
        None => known[entity],
    }
}

/// The power of loads and of friction in an island.
fn power(
    system: &System<'_>,
    evaluation: &mut Evaluation,
    island: &Island,
    t: f64,
    x: &[f64],
) -> Result<(f64, f64), Fault> {
    let mut dx = vec![0.0; x.len()];
    evaluation.right_hand_side(system, &island.entities, &island.active, t, x, &mut dx)?;
    let loads = evaluation.states.iter().zip(&evaluation.loads);
    let loads = loads
        .map(|(state, load)| load.dot(&state.generalized_velocity()))
        .sum();
    let contacts = evaluation.kinematics.iter().zip(&evaluation.forces);
    let friction = if island.active.is_empty() {
        0.0
    } else {
        contacts
            .map(|(k, force)| force[1] * k.tangential_velocity[0] + force[2] * k.tangential_velocity[1])
            .sum()
    };
    Ok((loads, friction))
}

/// Refuses a start with overlapping entities: parameters may have changed since the model was checked.
fn check_start(system: &mut System<'_>) -> Result<(), RunError> {
    let count = system.bodies.len();
    let mut order: Vec<usize> = (0..count).collect();
    let low = |s: &System<'_>, e: usize| s.bodies[e].initial.position.x - s.bodies[e].reach;
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
