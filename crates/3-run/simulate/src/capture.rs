//! When contacts are followed by steps (stepping.rs), and when by events again.
//!
//! # Capture
//! Entities are captured, with all that they touch, where following them by events fails (no forces or modes are found, a crossing cannot be isolated, steps become too small, an instant has too many
//! transitions), and where it costs too much: each entity has an account of evaluations of contacts, its share of those of its island, which time pays back at [`RATE`] for each unit τ = √(ℓ/a), ℓ the size of the smallest body, a the largest
//! acceleration that loads give; who owes more than [`CREDIT`] is captured, and so is what one event is about that takes more than [`EVENT`]. A step takes some ten evaluations of an entity's contacts and there are a hundred steps in τ: so events may cost some ten times what steps do, and far more for a while; those of a body alone a hundred times. Impacts with e = 1 of two bodies that have one contact are charged to nobody.
//!
//! # Release
//! What is out of reach of all contacts of a step flies on by events at once. What has kept the same loaded contacts without being struck for some steps is given to the contact node, with gaps and
//! velocities of these contacts put to zero; if that fails it goes on by steps, and is left alone for twice as many. The same holds for what is captured again.
//!
//! # Steps
//! h₀ = τ/100. Without strikes a step grows until its error estimate is [`STEP_ERROR`] of ℓ; what rests has long ones.
//!
//! # Guarantee
//! The trace tells each phase: its span, its steps, the largest error estimate, the deepest penetration, and why it began. With `exact` contacts none begins.

use crate::couples::Turning;
use crate::impact::Cluster;
use crate::index::{ContactIx, IndexVec, IslandIx};
use crate::island::{Active, Island, Pace, pack_all};
use crate::loads::STATE;
use crate::log::Taken;
use crate::options::Contacts;
use crate::projection::project;
use crate::queue::{Coming, Entry};
use crate::reach::Candidate;
use crate::rest::Rest;
use crate::run::{Halt, Run};
use crate::stepping::{DEPTH, Stepping};
use dyverse_machine::Stage;
use dyverse_mech::{EntityState, Triple};
use dyverse_model::EntityId;
use dyverse_trace::{SteppingPhase, StopReason, TransitionKind};
use std::collections::{BTreeMap, BTreeSet};

/// Evaluations of an entity's contacts that τ pays back, and those that an entity may owe.
const RATE: f64 = 1e4;
const CREDIT: f64 = 2e5;
/// Evaluations that one event may take, whatever it is about, and those that the start may take for each entity.
const EVENT: u64 = 2_000_000;
const START: u64 = 1_000;
/// What one body alone is charged, as a part of what its island is: its events are cheap.
const ALONE: f64 = 0.1;
/// The way of the fastest entity in a step, as a part of the size of the smallest body.
const LONGEST_WAY: f64 = 0.2;
/// h₀ as a part of τ.
const FIRST_STEP: f64 = 1e-2;
/// The longest step, in h₀.
const LONGEST: f64 = 64.0;
/// The error estimate of a step without strikes, as a part of the size of the smallest body.
const STEP_ERROR: f64 = 1e-4;
/// What leads deeper into others, as a part of the size of the smallest body, is tried again in a quarter of the step, so many times.
const DEEP: f64 = 1e-6;
const MOST_QUARTERED: u32 = 6;
/// What changes of loads in a step may put a point off, as a part of the size of the smallest body; else it is tried again in the same way.
const LOAD_ERROR: f64 = 1e-5;
/// Steps with the same loaded contacts before a release is tried.
const CALM: u32 = 10;
/// How often they are doubled at the most.
const MOST_DOUBLED: u32 = 10;
/// Contacts of what is released at the most: the contact node over more takes longer than the steps that it saves.
const MOST_RELEASED: usize = 40;
/// Impulses above this part of those of the weight over a step load a contact.
const LOADED: f64 = 1e-6;

/// Why most are captured.
const TOO_MANY: &str = "events became too many";

/// What is known about an entity.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// Evaluations owed, and when that was.
    owed: f64,
    at: f64,
    /// The length of its next step, s; 0 where nobody knows.
    step: f64,
    /// Steps with the same loaded contacts.
    calm: u32,
    /// Releases that did not last.
    failures: u32,
}

/// What the capture of contacts remembers.
#[derive(Debug)]
pub(crate) struct Capture {
    accounts: IndexVec<EntityId, Account>,
    /// Impulses of the steps before by contact, over their lengths.
    forces: BTreeMap<ContactIx, Triple>,
    /// Loaded contacts by entity.
    loaded: BTreeMap<EntityId, Vec<ContactIx>>,
    /// Entities that are followed by steps.
    stepping: BTreeSet<EntityId>,
    /// ℓ, m.
    pub(crate) size: f64,
    /// a, m/s²; 0 until it is known.
    pub(crate) acceleration: f64,
    /// The impulse of the lightest weight over a step, N s.
    pub(crate) impulse: f64,
    /// τ, s.
    tau: f64,
    phase: Option<SteppingPhase>,
    pub(crate) phases: Vec<SteppingPhase>,
    /// Where evaluations were counted to.
    counted: u64,
    /// Whether what happens is charged to nobody.
    pub(crate) is_free: bool,
}

impl Capture {
    /// Whether an entity is followed by steps.
    pub(crate) fn follows(&self, entity: EntityId) -> bool {
        self.stepping.contains(&entity)
    }

    pub(crate) fn new(entities: usize, size: f64) -> Self {
        Capture {
            accounts: vec![Account::default(); entities].into(),
            forces: BTreeMap::new(),
            loaded: BTreeMap::new(),
            stepping: BTreeSet::new(),
            size,
            acceleration: 0.0,
            impulse: 0.0,
            tau: 0.0,
            phase: None,
            phases: Vec::new(),
            counted: 0,
            is_free: false,
        }
    }

    /// The impulse of a contact over a step, as the step before has it.
    pub(crate) fn warm(&self, contact: ContactIx, h: f64) -> Triple {
        self.forces
            .get(&contact)
            .map_or([0.0; 3], |force| force.map(|f| h * f))
    }

    /// The phases, with the one that is under way until `t`.
    pub(crate) fn told(&mut self, t: f64) -> Vec<SteppingPhase> {
        self.end_phase(t);
        std::mem::take(&mut self.phases)
    }

    fn end_phase(&mut self, t: f64) {
        if let Some(mut phase) = self.phase.take() {
            phase.to = t;
            self.phases.push(phase);
        }
    }
}

/// Whether following by steps may help where a run would stop.
fn may_help(reason: &StopReason) -> bool {
    matches!(
        reason,
        StopReason::NoFittingMode { .. }
            | StopReason::ForcesNotFound { .. }
            | StopReason::CrossingNotIsolated { .. }
            | StopReason::StepTooSmall { .. }
            | StopReason::MicrostepLimit { .. }
    )
}

impl Run<'_> {
    /// Whether contacts may be followed by steps at all. Steps know Newton's law of impact only.
    pub(crate) fn captures(&self) -> bool {
        self.options.contacts != Contacts::Exact && self.system.is_newton
    }

    /// What is evaluated from now on belongs to one event.
    pub(crate) fn limit_effort(&mut self) {
        let is_limited = self.captures() && self.options.contacts == Contacts::Auto;
        let entities = self.capture.accounts.len() as u64;
        self.evaluation.most = is_limited.then(|| self.evaluation.work + EVENT + START * entities);
    }

    /// Charges what was evaluated since the last time to the entities of an island.
    pub(crate) fn charge(&mut self, id: IslandIx, t: f64) {
        let work = self.evaluation.work - self.capture.counted;
        self.capture.counted = self.evaluation.work;
        let Some(island) = &self.islands[id] else { return };
        if self.capture.is_free || island.stepping.is_some() || self.options.contacts == Contacts::Exact {
            return;
        }
        let share = match island.entities.len() {
            1 => ALONE,
            many => 1.0 / many as f64,
        };
        let each = share * work as f64;
        let tau = if self.capture.tau > 0.0 {
            self.capture.tau
        } else {
            self.system.scales.time
        };
        for entity in &island.entities {
            let account = &mut self.capture.accounts[*entity];
            let paid = RATE * (t - account.at).max(0.0) / tau;
            account.owed = (account.owed - paid).max(0.0) + each;
            account.at = t;
        }
    }

    /// The islands that something to come is about.
    fn islands_of(&self, entry: &Entry) -> BTreeSet<IslandIx> {
        match entry.coming {
            Coming::Crossing { contact } => {
                let (a, b) = self.system.contact(contact).entities();
                [a, b].into_iter().filter_map(|e| self.island_of[e]).collect()
            }
            Coming::Guard { island, .. }
            | Coming::Piece { island }
            | Coming::Zeno { island, .. }
            | Coming::Switch { island }
            | Coming::End { island } => BTreeSet::from([island]),
        }
    }

    /// Whether what is to happen is rather followed by steps.
    pub(crate) fn is_to_be_captured(&self, entry: &Entry) -> bool {
        if !self.captures() {
            return false;
        }
        let touches = |island: &&Island| {
            island.stepping.is_none()
                && (!island.active.is_empty() || matches!(entry.coming, Coming::Crossing { .. }))
        };
        let islands = self.islands_of(entry);
        let mut own = islands.iter().filter_map(|id| self.islands[*id].as_ref());
        match self.options.contacts {
            Contacts::Exact => false,
            Contacts::Stepping => own.any(|island| touches(&island)),
            Contacts::Auto => own.filter(touches).any(|island| {
                let mut accounts = island.entities.iter().map(|e| &self.capture.accounts[*e]);
                accounts.any(|a| a.owed > CREDIT / f64::from(1 << a.failures.min(6)))
            }),
        }
    }

    /// Follows what was to happen by steps.
    pub(crate) fn capture_instead(&mut self, entry: &Entry) -> Result<(), Halt> {
        let islands = self.islands_of(entry);
        let mut cluster = self.gather(entry.time, islands, 0.0)?;
        cluster.is_stepping = true;
        let reason = match self.options.contacts {
            Contacts::Stepping => "asked for".to_owned(),
            _ => TOO_MANY.to_owned(),
        };
        self.advance(entry.time, cluster, &reason)
    }

    /// Goes on by steps where events led to a stop, if that may help; gives the reason to stop otherwise.
    pub(crate) fn recover(&mut self, entry: Option<&Entry>, t: f64, halt: Halt) -> Result<(), Halt> {
        if !self.captures() || !may_help(&halt) {
            return Err(halt);
        }
        let is_exhausted = self.evaluation.is_exhausted();
        self.evaluation.most = None;
        self.recorder.roll_back(&self.system);
        // What was taken apart and not put together again, or has no step; what it was about.
        let mut islands = entry.map_or_else(BTreeSet::new, |entry| self.islands_of(entry));
        if let StopReason::MicrostepLimit { .. } = halt {
            let about = self.recorder.log.iter().rev().take(64).flat_map(|e| &e.contacts);
            let about: Vec<ContactIx> = about.copied().collect();
            for contact in about {
                let (a, b) = self.system.contact(contact).entities();
                islands.extend([a, b].into_iter().filter_map(|e| self.island_of[e]));
            }
        }
        for id in self.islands.numbers() {
            let island = self.islands[id].as_ref();
            if island.is_some_and(|i| {
                i.integrator
                    .present_step()
                    .is_none_or(|s| s.t1() <= t && t < self.horizon)
            }) {
                islands.insert(id);
            }
        }
        let mut states: BTreeMap<EntityId, EntityState<f64>> = BTreeMap::new();
        for entity in self.system.free() {
            if self.island_of[entity].is_none() {
                states.insert(entity, self.known[entity]);
            }
        }
        for id in islands {
            let Some(island) = &self.islands[id] else { continue };
            let own: Vec<_> = (0..island.entities.len())
                .map(|place| island.state(place, t))
                .collect();
            states.extend(island.entities.iter().copied().zip(own));
            if self.islands[id]
                .as_ref()
                .is_some_and(|i| i.integrator.present_step().is_some())
            {
                self.account(id, t)?;
                self.keep_piece(id, t);
            }
            if let Some(island) = self.dissolve(id) {
                self.keep_integrator(island.integrator);
            }
        }
        for entity in states.keys() {
            let account = &mut self.capture.accounts[*entity];
            account.failures += 1;
        }
        let (entities, states) = states.into_iter().unzip();
        let mut cluster = Cluster::at(entities, states);
        cluster.is_stepping = true;
        let reason = if is_exhausted {
            TOO_MANY.to_owned()
        } else {
            halt.to_string()
        };
        self.advance(t, cluster, &reason).map_err(|_| halt)
    }

    /// What steps are measured by, from the loads in a state.
    fn measure(&mut self, t: f64, cluster: &Cluster) -> Result<(), Halt> {
        let x = pack_all(&cluster.states);
        self.evaluation
            .kinematics_of(&self.system, &cluster.entities, std::iter::empty(), t, &x)
            .map_err(|fault| self.fault(fault, t))?;
        let mut largest = self.capture.acceleration;
        let (mut fastest, mut lightest) = (0.0_f64, f64::INFINITY);
        for ((entity, state), load) in cluster
            .entities
            .iter()
            .zip(&cluster.states)
            .zip(&self.evaluation.loads)
        {
            let mass = *self.system.bodies[*entity].inertia.mass();
            largest = largest.max(load.force.norm() / mass);
            fastest = fastest.max(state.velocity.norm());
            lightest = lightest.min(mass);
        }
        let capture = &mut self.capture;
        if largest <= 0.0 {
            largest = fastest * fastest / capture.size;
        }
        if !(largest > 0.0 && largest.is_finite()) {
            largest = self.system.scales.acceleration;
        }
        capture.acceleration = largest;
        capture.tau = (capture.size / largest).sqrt();
        let weight = lightest * largest * FIRST_STEP * capture.tau;
        capture.impulse = if capture.impulse > 0.0 {
            capture.impulse.min(weight)
        } else {
            weight
        };
        Ok(())
    }

    /// The length of steps that is asked for, or h₀; no longer than any step.
    fn first_step(&self) -> f64 {
        let own = FIRST_STEP * self.capture.tau;
        self.options.contact_step.unwrap_or(own).min(LONGEST * own)
    }

    /// The longest step that may be made from `t` by a cluster.
    fn step_of(&mut self, t: f64, cluster: &Cluster) -> Result<f64, Halt> {
        let first = self.first_step();
        let known = cluster.entities.iter().map(|e| self.capture.accounts[*e].step);
        let mut own = known
            .map(|h| if h > 0.0 { h } else { first })
            .fold(f64::INFINITY, f64::min);
        let all = cluster.entities.iter().zip(&cluster.states);
        let fastest = all.map(|(e, state)| self.speed(*e, state)).fold(0.0, f64::max);
        if fastest > 0.0 {
            own = own.min(LONGEST_WAY * self.capture.size / fastest);
        }
        let end = self.step_end(&cluster.entities, &pack_all(&cluster.states), t)?;
        Ok(own
            .min(self.options.max_step.unwrap_or(f64::INFINITY))
            .min(end - t))
    }

    /// The next steps of a cluster that is followed by steps; what is out of reach of contacts flies on by events.
    pub(crate) fn advance(&mut self, t: f64, mut cluster: Cluster, reason: &str) -> Result<(), Halt> {
        self.measure(t, &cluster)?;
        let joining: Vec<EntityId> = cluster
            .entities
            .iter()
            .copied()
            .filter(|e| !self.capture.stepping.contains(e))
            .collect();
        for entity in &joining {
            let account = &mut self.capture.accounts[*entity];
            (account.step, account.calm) = (0.0, 0);
        }
        self.settle(t, &cluster, &[])?;
        let longest = self.step_of(t, &cluster)?;
        if longest <= 0.0 {
            return self.rebuild(t, cluster, Vec::new());
        }
        let mut candidates = self.candidates(t, &cluster, longest)?;
        let depth = self.move_apart(t, &mut cluster, &mut candidates, longest)?;
        let parts = self
            .system
            .parts(&cluster.entities, candidates.iter().map(|c| c.contact));
        for (entity, state) in cluster.entities.iter().zip(&cluster.states) {
            self.known[*entity] = *state;
        }
        let mut made = Vec::new();
        for part in parts {
            let entities: Vec<EntityId> = part.iter().map(|p| cluster.entities[*p]).collect();
            let states: Vec<_> = part.iter().map(|p| cluster.states[*p]).collect();
            let of = |c: &&Candidate| {
                let (a, b) = self.system.contact(c.contact).entities();
                [a, b].iter().any(|e| entities.binary_search(e).is_ok())
            };
            let contacts: Vec<ContactIx> = candidates.iter().filter(of).map(|c| c.contact).collect();
            let own = Cluster::at(entities, states);
            made.push(self.next_of(t, own, &contacts, (depth, reason))?);
        }
        for id in made {
            self.step_and_predict(id)?;
        }
        self.capture.counted = self.evaluation.work;
        Ok(())
    }

    /// The island of a part: by steps where contacts are within reach, else by events.
    fn next_of(
        &mut self,
        t: f64,
        cluster: Cluster,
        contacts: &[ContactIx],
        (depth, reason): (f64, &str),
    ) -> Result<IslandIx, Halt> {
        let mut states = cluster.states.clone();
        let mut stepping = None;
        if contacts.is_empty() {
            self.leave(t, &cluster);
        } else {
            self.begin_phase(t, &cluster, reason);
            let mut h = self.step_of(t, &cluster)?;
            let (deep, varied) = (DEEP * self.capture.size, LOAD_ERROR * self.capture.size);
            let mut stepped = None;
            for left in (0..=MOST_QUARTERED).rev() {
                let candidates = self.candidates(t, &cluster, h)?;
                match self.solve_step(t, &cluster, candidates, h) {
                    Ok(tried) if tried.depth <= deep && tried.varied <= varied || left == 0 => {
                        stepped = Some(tried);
                        break;
                    }
                    // Where it leads surfaces lie too deep in each other to tell how deep.
                    Err(StopReason::NotFinite { .. }) if left > 0 => {}
                    Ok(_) => {}
                    Err(halt) => return Err(halt),
                }
                h *= 0.25;
            }
            let Some(stepped) = stepped else {
                unreachable!("bug: no step was tried");
            };
            self.book(&stepped);
            let depth = stepped.depth.max(depth).max(stepped.sharp);
            self.remember(
                &cluster.entities,
                &stepped.stepping,
                (stepped.error, depth),
                stepped.strikes,
            );
            states = stepped.states;
            stepping = Some(stepped.stepping);
        }
        let x = pack_all(&states);
        let mut integrator = self.integrator(x.len());
        integrator.restart(t, &x);
        debug_assert_eq!(x.len(), STATE * cluster.entities.len());
        Ok(self.add_island(Island {
            entities: cluster.entities,
            active: Vec::new(),
            integrator,
            version: 0,
            accounted: t,
            asks_node: false,
            turning: None,
            rest: Rest::Moves,
            crawling: (t, 0),
            stepping,
        }))
    }

    /// What a step says about those to come.
    fn remember(
        &mut self,
        entities: &[EntityId],
        step: &Stepping,
        (error, depth): (f64, f64),
        strikes: bool,
    ) {
        let first = self.first_step();
        let capture = &mut self.capture;
        let mut loaded: BTreeMap<EntityId, Vec<ContactIx>> = BTreeMap::new();
        for (contact, impulse) in &step.impulses {
            let is_loaded = impulse[0] > LOADED * capture.impulse;
            if is_loaded {
                capture.forces.insert(*contact, impulse.map(|p| p / step.h));
                let (a, b) = self.system.contact(*contact).entities();
                for entity in [a, b] {
                    loaded.entry(entity).or_default().push(*contact);
                }
            } else {
                capture.forces.remove(contact);
            }
        }
        let allowed = STEP_ERROR * capture.size;
        for entity in entities {
            let own = loaded.remove(entity).unwrap_or_default();
            let is_same = capture.loaded.get(entity).is_some_and(|before| *before == own);
            let account = &mut capture.accounts[*entity];
            account.calm = if is_same && !strikes { account.calm + 1 } else { 0 };
            capture.loaded.insert(*entity, own);
            account.step = if self.options.contact_step.is_some() || strikes {
                first
            } else {
                let grown = if error > 0.0 {
                    (allowed / error).sqrt().min(2.0)
                } else {
                    2.0
                };
                (step.h * grown).min(LONGEST * first)
            };
        }
        if let Some(phase) = &mut capture.phase {
            phase.steps += 1;
            phase.shortest = phase.shortest.min(step.h);
            phase.longest = phase.longest.max(step.h);
            phase.error = phase.error.max(error);
            phase.penetration = phase.penetration.max(depth);
        }
    }

    /// Some entities are followed by steps from `t` on.
    fn begin_phase(&mut self, t: f64, cluster: &Cluster, reason: &str) {
        let is_new = |e: &EntityId| !self.capture.stepping.contains(e);
        let joining: Vec<EntityId> = cluster.entities.iter().copied().filter(is_new).collect();
        if joining.is_empty() {
            return;
        }
        self.recorder.at(t);
        self.sample_now(cluster, t);
        let names = joining.iter().map(|e| self.system.model.entity(*e).name.clone());
        let names: Vec<String> = names.collect();
        self.capture.stepping.extend(&joining);
        let phase = self.capture.phase.get_or_insert_with(|| SteppingPhase {
            from: t,
            to: t,
            entities: Vec::new(),
            steps: 0,
            shortest: f64::INFINITY,
            longest: 0.0,
            error: 0.0,
            penetration: 0.0,
            reason: reason.to_owned(),
        });
        for name in names {
            if !phase.entities.contains(&name) {
                phase.entities.push(name);
            }
        }
        self.recorder
            .open_all(&self.system, TransitionKind::Capture, &joining);
    }

    /// Some entities are followed by events from `t` on.
    fn leave(&mut self, t: f64, cluster: &Cluster) {
        let entities = &cluster.entities;
        self.recorder.at(t);
        let mut any = false;
        for entity in entities {
            any |= self.capture.stepping.remove(entity);
            self.capture.loaded.remove(entity);
        }
        if any || !self.recorder.closed.among(entities).is_empty() {
            self.sample_now(cluster, t);
            self.recorder
                .open_all(&self.system, TransitionKind::Release, entities);
        }
        if self.capture.stepping.is_empty() {
            self.capture.end_phase(t);
        }
    }

    /// The step of an island that is followed by steps is over.
    pub(crate) fn end_stepping(&mut self, t: f64, island: IslandIx) -> Result<(), Halt> {
        if t >= self.horizon {
            return Ok(());
        }
        let impulses = self.islands[island].as_ref().and_then(|i| i.stepping.as_ref());
        let impulses = impulses.map_or_else(Vec::new, |s| s.impulses.clone());
        let cluster = self.gather(t, BTreeSet::from([island]), 0.0)?;
        if self.options.contacts == Contacts::Auto && self.is_calm(&cluster) {
            if self.release(t, &cluster, &impulses)? {
                return Ok(());
            }
            for entity in &cluster.entities {
                let account = &mut self.capture.accounts[*entity];
                (account.calm, account.failures) = (0, account.failures + 1);
            }
        }
        self.advance(t, cluster, "")
    }

    fn is_calm(&self, cluster: &Cluster) -> bool {
        cluster.entities.iter().all(|e| {
            let account = &self.capture.accounts[*e];
            account.calm >= CALM << account.failures.min(MOST_DOUBLED)
        })
    }

    /// Gives a calm cluster to the contact node; whether it goes on by events.
    fn release(&mut self, t: f64, cluster: &Cluster, impulses: &[(ContactIx, Triple)]) -> Result<bool, Halt> {
        let least = LOADED * self.capture.impulse;
        let ids: Vec<ContactIx> = impulses
            .iter()
            .filter(|(_, p)| p[0] > least)
            .map(|(id, _)| *id)
            .collect();
        let is_sharp = |id: &ContactIx| self.system.contact(*id).rounded.is_some();
        if ids.is_empty() || ids.len() > MOST_RELEASED || ids.iter().any(is_sharp) {
            return Ok(false);
        }
        if self.evaluate_cluster(t, cluster, &ids).is_err() {
            return Ok(false);
        }
        let slow = self
            .system
            .slow()
            .max(1e-9 * self.capture.acceleration * self.capture.tau);
        let active: Vec<Active> = ids
            .iter()
            .zip(&self.evaluation.kinematics)
            .enumerate()
            .map(|(place, (id, k))| {
                let [x, y] = k.tangential_velocity;
                let turning = self
                    .evaluation
                    .couple(place)
                    .map_or(Turning::NONE, |(_, couple)| {
                        Turning::of_rates(&couple.data, couple.rates, slow)
                    });
                let speed = x.hypot(y);
                let slides = speed > slow || self.system.contact(*id).is_frictionless();
                Active {
                    contact: *id,
                    slides: slides.then(|| {
                        if speed > 0.0 {
                            [x / speed, y / speed]
                        } else {
                            [1.0, 0.0]
                        }
                    }),
                    reference: k.reference,
                    turning,
                    pace: Pace::Fast,
                    prior: [0.0; 3],
                    zeno_until: None,
                }
            })
            .collect();
        let mut states = cluster.states.clone();
        let Ok(made) = project(&self.system, &cluster.entities, &active, &mut states) else {
            return Ok(false);
        };
        let far = 10.0 * DEPTH * self.capture.size;
        let moved = states
            .iter()
            .zip(&cluster.states)
            .map(|(a, b)| (a.position - b.position).norm());
        if moved.fold(0.0, f64::max) > far {
            return Ok(false);
        }
        let mark = self.recorder.place();
        let phase = (
            self.capture.phase.clone(),
            self.capture.phases.len(),
            self.capture.stepping.clone(),
        );
        self.leave(t, cluster);
        for entity in &cluster.entities {
            let account = &mut self.capture.accounts[*entity];
            (account.owed, account.at) = (0.0, t);
        }
        let before = self.recorder.balance;
        self.recorder.balance.work_of_projection += made.work;
        let tried = Cluster::at(cluster.entities.clone(), states);
        match self.resolve_cluster(t, tried, false) {
            Ok(()) => Ok(true),
            Err(halt) if may_help(&halt) => {
                // Back to before it.
                self.recorder.roll_back_to(&self.system, mark);
                self.recorder.balance = before;
                (self.capture.phase, self.capture.stepping) = (phase.0, phase.2);
                self.capture.phases.truncate(phase.1);
                let islands: BTreeSet<IslandIx> = cluster
                    .entities
                    .iter()
                    .filter_map(|e| self.island_of[*e])
                    .collect();
                for id in islands {
                    if let Some(island) = self.dissolve(id) {
                        self.keep_integrator(island.integrator);
                    }
                }
                for (entity, state) in cluster.entities.iter().zip(&cluster.states) {
                    self.known[*entity] = *state;
                }
                Ok(false)
            }
            Err(halt) => Err(halt),
        }
    }
}

impl crate::recorder::Recorder {
    /// The contacts of some entities are named open: nobody says how they stand while they are followed by steps.
    fn open_all(&mut self, system: &crate::system::System<'_>, kind: TransitionKind, entities: &[EntityId]) {
        let contacts: Vec<ContactIx> = self.closed.among(entities).keys().copied().collect();
        let moved = contacts.iter().filter_map(|id| self.opened(*id)).collect();
        for id in &contacts {
            self.closed.set(system, *id, None);
        }
        self.push(Taken {
            moved,
            contacts,
            ..Taken::new(kind, self.now, (Stage::Location, Stage::Location))
        });
    }
}
