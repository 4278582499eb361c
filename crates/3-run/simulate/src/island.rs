//! An island: entities that are integrated together, because they touch or because their loads read each other.
//!
//! # The right-hand side
//! M u̇ = h + W λ with the forces of the location, modes given [SPEC §2]; q̇ from u. A slipping contact's friction acts against
//! dg_T. Where dg_T has turned against the direction e with which the step began, e is kept instead: the motion then goes on
//! smoothly through dg_T = 0, so that the crossing can be found on the step's polynomial, and what comes after it is thrown away.
//!
//! Where a contact slips slowly, its direction is that of the slow motion: starting.rs. One that comes to rest may spiral into it: steps get shorter until it is slower than the velocity tolerance.

use crate::couples::{CoupleAt, Turning};
use crate::friction::checked;
use crate::index::{ContactIx, GroupIx, IndexVec};
use crate::loads::{At, STATE, Stand, Stands, pack, pack_rate, unpack};
use crate::pieces::near_borders;
use crate::rest::Rest;
use crate::stepping::Stepping;
use crate::switches::Hint;
use crate::system::System;
use crate::{Progress, Watch};
use dyverse_flow::{DenseStep, Integrator};
use dyverse_machine::FrictionMode;
use dyverse_mech::law::{CoupleRow, FrozenLaw, LawError, Operator, Row, Terms, Turn, Work};
use dyverse_mech::{
    ContactDirections, ContactError, ContactKinematics, EntityId, EntityState, GeneralizedForce,
    GeneralizedVelocity, InverseMass, MassId, Piece, ReferenceAxis, SustainedContact, Triple,
};
use dyverse_num::Vec3;
use dyverse_trace::StopReason;
use std::fmt;
use std::ops::ControlFlow;

/// How fast a contact slips, if it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    Fast,
    /// Slowly: it begins to.
    Starting,
}

/// A closed contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active {
    pub(crate) contact: ContactIx,
    /// The direction in which it slides, in the contact's frame; none if it sticks.
    pub(crate) slides: Option<[f64; 2]>,
    pub(crate) reference: ReferenceAxis,
    pub(crate) pace: Pace,
    /// Whether it rolls and spins (couples.rs).
    pub(crate) turning: Turning,
    /// λ⁰: the forces that those of redundant contacts stay near to (selection.rs).
    pub(crate) prior: Triple,
    /// Until when its impacts accumulate: it is closed on average, not yet in name.
    pub(crate) zeno_until: Option<f64>,
}

impl Active {
    /// The mode of the location that it is part of, once it has begun.
    pub(crate) fn friction_mode(&self) -> FrictionMode {
        match self.slides {
            None => FrictionMode::Stick,
            Some(_) => FrictionMode::Slip,
        }
    }

    /// Whether it slips, and fast enough for dg_T to tell the direction.
    pub(crate) fn slips_fast(&self) -> bool {
        self.slides.is_some() && self.pace == Pace::Fast
    }

    /// Whether it begins to slip, and moves against where it goes.
    pub(crate) fn is_turning(&self, k: &ContactKinematics<f64>) -> bool {
        let [x, y] = k.tangential_velocity;
        matches!(self.slides, Some([u, v]) if self.pace == Pace::Starting && x * u + y * v < 0.0)
    }
}

/// Why a right-hand side has no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    Kinematics(ContactError),
    Forces(LawError),
    /// Something that is no finite number.
    NotFinite {
        what: String,
        value: f64,
    },
    /// No mix of the sides of some switches keeps the motion on their surfaces.
    NotAlong {
        switches: Vec<String>,
    },
    /// Whoever watches the run ended it; why is in [`Pulse`].
    Interrupted,
    /// One event takes more than [`Evaluation::most`].
    Exhausted,
}

/// Lets whoever watches a run end it between two evaluations of forces: a step of many contacts may take long.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    pub(crate) watch: Option<Watch>,
    /// What was last told.
    pub(crate) progress: Progress,
    evaluations: usize,
    /// Why the run is to end.
    pub(crate) reason: Option<StopReason>,
}

impl Pulse {
    /// An evaluation with so many contacts begins.
    pub(crate) fn beat(&mut self, contacts: usize) -> Result<(), Fault> {
        // An evaluation of many contacts takes longer than looking at a clock.
        self.evaluations += 1 + contacts;
        if self.evaluations >= TELL_EVERY {
            self.evaluations = 0;
            if let Some(ControlFlow::Break(reason)) =
                self.watch.as_ref().map(|watch| watch.call(self.progress))
            {
                self.reason = Some(reason);
            }
        }
        match self.reason {
            Some(_) => Err(Fault::Interrupted),
            None => Ok(()),
        }
    }
}

/// Evaluations, and contacts in them, after which whoever watches is asked.
const TELL_EVERY: usize = 32;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Kinematics(error) => error.fmt(f),
            Fault::Forces(error) => error.fmt(f),
            Fault::NotFinite { what, value } => write!(f, "{what} is {value}"),
            Fault::NotAlong { switches } => {
                write!(f, "no motion goes along the surface of {}", switches.join(", "))
            }
            Fault::Interrupted => f.write_str("it was interrupted"),
            Fault::Exhausted => f.write_str("it takes too many evaluations"),
        }
    }
}

/// Entities that are integrated together.
#[derive(Debug)]
pub(crate) struct Island {
    /// Ascending.
    pub(crate) entities: Vec<EntityId>,
    pub(crate) active: Vec<Active>,
    pub(crate) integrator: Integrator,
    /// Changes whenever the island's motion does.
    pub(crate) version: u64,
    /// Until when its work is accounted for.
    pub(crate) accounted: f64,
    /// Whether guards ask the contact node: the forces of redundant contacts are not unique, and those of the right-hand side have crossed a
    /// guard while others have not.
    pub(crate) asks_node: bool,
    /// When the first of the switches of its loads turn in the present step, and which.
    pub(crate) turning: Option<(f64, Vec<Hint>)>,
    /// Its present step, if it is followed by steps (stepping.rs).
    pub(crate) stepping: Option<Stepping>,
    /// Whether it moves in its present step.
    pub(crate) rest: Rest,
    /// Since when its steps get nowhere, and how many they are.
    pub(crate) crawling: (f64, usize),
}

/// Everything about the contacts of an island in one state.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    pub(crate) states: Vec<EntityState<f64>>,
    pub(crate) loads: Vec<GeneralizedForce<f64>>,
    pub(crate) masses: Vec<InverseMass<f64>>,
    pub(crate) kinematics: Vec<ContactKinematics<f64>>,
    pub(crate) directions: Vec<ContactDirections<f64>>,
    pub(crate) friction: Vec<f64>,
    /// The couples of contacts: their directions, free accelerations and forces follow on those of all contacts.
    pub(crate) couples: Vec<CoupleAt>,
    /// WᵀM⁻¹h + w_a.
    pub(crate) free: Vec<Triple>,
    pub(crate) forces: Vec<Triple>,
    /// When the step began in which something is evaluated: inputs that jump have two values.
    pub(crate) anchor: f64,
    /// How the switches of each group of loads stand; none: they are decided from the values.
    pub(crate) stands: IndexVec<GroupIx, Option<Stands>>,
    /// How the friction of closed contacts that slip stands, by contact (curve.rs); none: it is decided from the speed.
    pub(crate) grips: IndexVec<ContactIx, Option<Stand>>,
    /// The piece of its surfaces on which a closed contact is during its step, by contact (pieces.rs); none: it is decided from the state.
    pub(crate) pieces: IndexVec<ContactIx, Option<Piece>>,
    /// Contacts evaluated so far, and gaps looked at.
    pub(crate) work: u64,
    /// Where [`Evaluation::work`] is too much for one event; none: nothing is.
    pub(crate) most: Option<u64>,
    /// The contacts evaluated last.
    pub(crate) ids: Vec<ContactIx>,
    pub(crate) pulse: Pulse,
    pub(crate) accelerations: Vec<GeneralizedVelocity<f64>>,
    terms: Vec<Terms<f64>>,
    pub(crate) rows: Vec<Row<[f64; 2]>>,
    pub(crate) turns: Vec<CoupleRow<f64>>,
    priors: Vec<Triple>,
    solver: Work<f64>,
    pub(crate) scratch: Vec<f64>,
}

impl Island {
    pub(crate) fn step(&self) -> &DenseStep {
        self.integrator.last_step()
    }

    /// Its closed contacts, with the axes that their frames are made from.
    pub(crate) fn contacts(&self) -> impl Iterator<Item = (ContactIx, Option<ReferenceAxis>)> {
        self.active.iter().map(|a| (a.contact, Some(a.reference)))
    }

    /// The place of an entity among those of the island.
    pub(crate) fn place(&self, entity: EntityId) -> Option<usize> {
        self.entities.binary_search(&entity).ok()
    }

    /// The state of the entity at a place, at a time of the present step; if none was made yet, where it would begin.
    pub(crate) fn state(&self, place: usize, t: f64) -> EntityState<f64> {
        let Some(step) = self.integrator.present_step() else {
            return unpack(&self.integrator.x()[STATE * place..]);
        };
        unpack(&step.components::<STATE>(STATE * place, t))
    }
}

impl Island {
    /// The states of all entities at t + rest, for a rest far below the step, and what rounding takes from them.
    pub(crate) fn states_after(&self, t: f64, rest: f64) -> (Vec<EntityState<f64>>, Vec<f64>) {
        let step = self.step();
        let dimension = step.dimension();
        let (mut x, mut carry) = (vec![0.0; dimension], vec![0.0; dimension]);
        step.evaluate_with_carry(t, &mut x, &mut carry);
        if rest != 0.0 {
            let mut dx = vec![0.0; dimension];
            step.derivative(t, &mut dx);
            for ((x, carry), dx) in x.iter_mut().zip(&mut carry).zip(&dx) {
                let before = *x;
                *x += *carry + rest * dx;
                *carry += rest * dx - (*x - before);
            }
        }
        (x.chunks_exact(STATE).map(unpack).collect(), carry)
    }

    /// What rounding takes from the position of the entity at a place.
    pub(crate) fn rest_of_position(&self, place: usize, t: f64) -> Vec3<f64> {
        let (_, carry) = self.states_after(t, 0.0);
        let at = STATE * place;
        Vec3::new(carry[at], carry[at + 1], carry[at + 2])
    }
}

/// The state vector of some entities.
pub(crate) fn pack_all(states: &[EntityState<f64>]) -> Vec<f64> {
    let mut x = vec![0.0; STATE * states.len()];
    for (state, part) in states.iter().zip(x.chunks_exact_mut(STATE)) {
        pack(state, part);
    }
    x
}

impl Evaluation {
    /// For loads in so many groups, none of whose switches stands yet.
    pub(crate) fn of_groups(groups: usize) -> Self {
        Evaluation {
            stands: vec![None; groups].into(),
            ..Evaluation::default()
        }
    }

    /// States, loads, masses and the kinematics of `contacts` between `entities`.
    pub(crate) fn kinematics_of(
        &mut self,
        system: &System<'_>,
        entities: &[EntityId],
        contacts: impl Iterator<Item = (ContactIx, Option<ReferenceAxis>)>,
        t: f64,
        x: &[f64],
    ) -> Result<(), Fault> {
        self.unloaded(system, entities, contacts, x)?;
        self.add_loads(system, entities, t, x)?;
        self.frictions_over_states(system, entities, t, x)
    }

    /// The same with loads, and frictions over states, left out: they are 0.
    pub(crate) fn unloaded(
        &mut self,
        system: &System<'_>,
        entities: &[EntityId],
        contacts: impl Iterator<Item = (ContactIx, Option<ReferenceAxis>)>,
        x: &[f64],
    ) -> Result<(), Fault> {
        if self.is_exhausted() {
            return Err(Fault::Exhausted);
        }
        self.states.clear();
        self.states.extend(x.chunks_exact(STATE).map(unpack));
        self.loads.clear();
        self.loads.resize(entities.len(), GeneralizedForce::zero());
        self.kinematics.clear();
        self.directions.clear();
        self.friction.clear();
        self.ids.clear();
        self.couples.clear();
        let mut turns = Vec::new();
        for (id, reference) in contacts {
            self.work += 1;
            let data = system.contact(id);
            let (a, b) = data.entities();
            let place = |e: EntityId| entities.binary_search(&e).ok();
            let state = |e: EntityId| system.state_among(entities, &self.states, e);
            let (first, second) = (state(a), state(b));
            let found = match self.piece(id) {
                Some(piece) => data.pair.kinematics_on(&first, &second, reference, &piece),
                None => data
                    .pair
                    .kinematics_ahead(&first, &second, reference, near_borders(system)),
            };
            let k = found.map_err(Fault::Kinematics)?;
            let end = |e: EntityId, arm: Vec3<f64>| place(e).map(|p| (MassId(p), arm));
            let frame = [k.normal, k.tangents[0], k.tangents[1]];
            self.directions.push(ContactDirections::from_arms(
                &frame,
                end(a, k.arms[0]),
                end(b, k.arms[1]),
            ));
            let [x, y] = k.tangential_velocity;
            let friction = match data.friction_of_states() {
                Some(_) => 0.0,
                None => system.friction_in_state(id, x.hypot(y), self.grip(id)),
            };
            let what = || {
                format!(
                    "the friction of {} at a slip speed of {} m/s",
                    data.label,
                    x.hypot(y)
                )
            };
            self.friction.push(checked(friction, what)?);
            if let Some(couple) = data.couple {
                let ends = [a, b].map(|e| place(e).map(MassId));
                turns.push(CoupleAt::directions(&couple, &frame, ends));
                self.couples
                    .push(CoupleAt::new(self.ids.len(), couple, &k, (&first, &second)));
            }
            self.kinematics.push(k);
            self.ids.push(id);
        }
        self.directions.extend(turns);
        Ok(())
    }

    /// The same for the closed contacts of an island, at a time of its present step.
    pub(crate) fn kinematics_during(
        &mut self,
        system: &System<'_>,
        island: &Island,
        t: f64,
    ) -> Result<(), Fault> {
        let mut x = vec![0.0; island.step().dimension()];
        island.step().evaluate(t, &mut x);
        self.kinematics_of(system, &island.entities, island.contacts(), t, &x)
    }

    /// Adds the loads on `entities` in the state x.
    fn add_loads(
        &mut self,
        system: &System<'_>,
        entities: &[EntityId],
        t: f64,
        x: &[f64],
    ) -> Result<(), Fault> {
        for entity in entities {
            let Some(group) = system.group_led_by(*entity) else {
                continue;
            };
            let at = self.moment(system, entities, t, x);
            let loads = &mut self.loads;
            system.loads[group].add(
                system.model,
                &at,
                self.stands.get(group).and_then(Option::as_ref),
                &mut self.scratch,
                |e, load| {
                    if let Ok(place) = entities.binary_search(&e) {
                        let sum = &mut loads[place];
                        sum.force = sum.force + load.force;
                        sum.moment = sum.moment + load.moment;
                    }
                },
            )?;
        }
        Ok(())
    }

    /// What loads read in the state x of some entities.
    pub(crate) fn moment<'a>(
        &self,
        system: &'a System<'_>,
        entities: &'a [EntityId],
        t: f64,
        x: &'a [f64],
    ) -> At<'a, impl Fn(EntityId, usize) -> f64 + use<'a>> {
        At {
            sources: &system.sources,
            inputs: &system.inputs,
            time: t,
            anchor: self.anchor,
            state: move |e: EntityId, component: usize| match entities.binary_search(&e) {
                Ok(place) => x[STATE * place + component],
                Err(_) => fixed_component(&system.bodies[e].initial, component),
            },
        }
    }

    /// The power of loads and of friction, of couples too, in the state evaluated last, with so many closed contacts.
    pub(crate) fn power(&self, closed: usize) -> (f64, f64) {
        let loads = self.states.iter().zip(&self.loads);
        let loads = loads
            .map(|(state, load)| load.dot(&state.generalized_velocity()))
            .sum();
        let contacts = self.kinematics.iter().zip(&self.forces).take(closed);
        let friction = contacts
            .map(|(k, force)| force[1] * k.tangential_velocity[0] + force[2] * k.tangential_velocity[1])
            .sum::<f64>();
        let couples = self.couples.iter().zip(self.forces.iter().skip(closed));
        let turning = couples
            .map(|(couple, force)| force.iter().zip(couple.rates).map(|(f, u)| f * u).sum::<f64>())
            .sum::<f64>();
        (loads, friction + turning)
    }

    /// M⁻¹h of every entity, and the contacts' accelerations without contact forces.
    pub(crate) fn free_motion(&mut self, system: &System<'_>, entities: &[EntityId]) {
        self.masses.clear();
        self.accelerations.clear();
        for ((entity, state), load) in entities.iter().zip(&self.states).zip(&self.loads) {
            self.masses.push(system.inverse_mass(*entity, state));
            self.accelerations
                .push(system.bodies[*entity].inertia.acceleration(state, load));
        }
        self.free.clear();
        let contacts = self.kinematics.iter();
        let contacts = contacts.map(|k| [k.normal_bias, k.tangential_bias[0], k.tangential_bias[1]]);
        let biases = contacts.chain(self.couples.iter().map(|couple| couple.bias));
        for (bias, directions) in biases.zip(&self.directions) {
            let mut free = bias;
            for side in [&directions.first, &directions.second].into_iter().flatten() {
                let a = &self.accelerations[side.entity.0];
                let twist = [
                    a.linear.x,
                    a.linear.y,
                    a.linear.z,
                    a.angular.x,
                    a.angular.y,
                    a.angular.z,
                ];
                for (sum, column) in free.iter_mut().zip(&side.columns) {
                    *sum += column.iter().zip(&twist).map(|(c, u)| c * u).sum::<f64>();
                }
            }
            self.free.push(free);
        }
    }

    /// The contacts evaluated last, as a contact node takes them.
    pub(crate) fn sustained_contacts(&self) -> Vec<SustainedContact> {
        let contacts = self.free.iter().zip(&self.kinematics).zip(&self.friction);
        contacts
            .map(|((free, k), friction)| SustainedContact {
                free_acceleration: *free,
                sliding_velocity: k.tangential_velocity,
                friction: *friction,
            })
            .collect()
    }

    /// The forces of a location, modes given.
    pub(crate) fn location_forces(&mut self, active: &[Active]) -> Result<(), Fault> {
        self.terms.clear();
        self.rows.clear();
        self.priors.clear();
        self.priors.extend(active.iter().map(|a| a.prior));
        self.turns.clear();
        let free = self.free.iter().skip(active.len());
        for (couple, free) in self.couples.iter().zip(free) {
            let turning = &active[couple.of].turning;
            self.priors.push(turning.prior);
            self.turns.push(couple.row_of(turning, *free));
        }
        for (number, contact) in active.iter().enumerate() {
            self.rows.push(match contact.slides {
                None => Row::Stick,
                Some(start) => Row::Along(sliding_direction(&self.kinematics[number], start, contact.pace)),
            });
            self.terms.push(Terms {
                bias: self.free[number],
                friction: self.friction[number],
            });
        }
        self.solve_location()?;
        self.turn_starting(active)
    }

    /// Whether the forces of the location evaluated last are one choice of many.
    pub(crate) fn are_forces_redundant(&self) -> bool {
        self.solver.is_redundant()
    }

    /// An elimination takes as long as the evaluation of twice its contacts and of their cube over 27, or of some times them where they are many.
    pub(crate) fn count_eliminations(&mut self, contacts: usize, times: usize) {
        let contacts = contacts as u64;
        self.work += times as u64 * (contacts.pow(3) / 27 + 2 * contacts).min(20 * contacts);
    }

    /// Whether an event has taken too much.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.most.is_some_and(|most| self.work > most)
    }

    pub(crate) fn solve_location(&mut self) -> Result<(), Fault> {
        self.count_eliminations(self.rows.len() + self.turns.len(), 1);
        let law = FrozenLaw {
            operator: Operator::Columns {
                masses: &self.masses,
                directions: &self.directions,
            },
            terms: &self.terms,
            rows: &self.rows,
            couples: &self.turns,
        };
        let forces = law
            .nearest(&self.priors, &mut self.solver)
            .map_err(Fault::Forces)?;
        self.forces.clear();
        self.forces.extend_from_slice(forces);
        Ok(())
    }

    /// The direction in which the contact at a place of those evaluated last rolls.
    pub(crate) fn rolling_direction(&self, place: usize) -> Option<[f64; 2]> {
        let number = self.couples.iter().position(|couple| couple.of == place)?;
        match self.turns.get(number)?.roll {
            Turn::Along(edge) => Some(edge.map(|e| e / self.couples[number].data.roll)),
            Turn::Free | Turn::Held => None,
        }
    }

    /// The direction in which the contact at a place of those evaluated last slips.
    pub(crate) fn direction(&self, place: usize) -> Option<[f64; 2]> {
        match self.rows.get(place) {
            Some(Row::Along(direction)) => Some(*direction),
            _ => None,
        }
    }

    /// The tangential acceleration of a contact under the present forces.
    pub(crate) fn tangential_acceleration(&self, place: usize) -> [f64; 2] {
        let own = &self.directions[place];
        let mut a = [self.free[place][1], self.free[place][2]];
        for side in [&own.first, &own.second].into_iter().flatten() {
            let mut total = [0.0; 6];
            for (directions, force) in self.directions.iter().zip(&self.forces) {
                let others = [&directions.first, &directions.second].into_iter().flatten();
                for other in others.filter(|other| other.entity == side.entity) {
                    for (column, size) in other.columns.iter().zip(force) {
                        for (sum, c) in total.iter_mut().zip(column) {
                            *sum += c * size;
                        }
                    }
                }
            }
            let twist = self.masses[side.entity.0].apply(&total);
            for (a, column) in a.iter_mut().zip(&side.columns[1..]) {
                *a += column.iter().zip(&twist).map(|(c, u)| c * u).sum::<f64>();
            }
        }
        a
    }

    /// The largest eigenvalue of C_jj.
    pub(crate) fn tangential_mobility(&self, place: usize) -> f64 {
        let own = &self.directions[place];
        let mut c = [[0.0; 2]; 2];
        for side in [&own.first, &own.second].into_iter().flatten() {
            for (i, column) in side.columns[1..].iter().enumerate() {
                let twist = self.masses[side.entity.0].apply(column);
                for (j, other) in side.columns[1..].iter().enumerate() {
                    c[i][j] += other.iter().zip(&twist).map(|(c, u)| c * u).sum::<f64>();
                }
            }
        }
        let (mean, half) = (0.5 * (c[0][0] + c[1][1]), 0.5 * (c[0][0] - c[1][1]));
        mean + half.hypot(c[0][1])
    }

    /// A_jj.
    pub(crate) fn normal_mobility(&self, place: usize) -> f64 {
        let own = &self.directions[place];
        let sides = [&own.first, &own.second].into_iter().flatten();
        let of = sides.map(|side| {
            let twist = self.masses[side.entity.0].apply(&side.columns[0]);
            side.columns[0]
                .iter()
                .zip(&twist)
                .map(|(c, u)| c * u)
                .sum::<f64>()
        });
        of.sum()
    }

    /// Adds M⁻¹Wλ to the accelerations.
    pub(crate) fn add_contact_forces(&mut self) {
        for (directions, force) in self.directions.iter().zip(&self.forces) {
            for side in [&directions.first, &directions.second].into_iter().flatten() {
                let mut total = [0.0; 6];
                for (column, size) in side.columns.iter().zip(force) {
                    for (sum, c) in total.iter_mut().zip(column) {
                        *sum += c * size;
                    }
                }
                let twist = self.masses[side.entity.0].apply(&total);
                let a = &mut self.accelerations[side.entity.0];
                a.linear = a.linear + Vec3::new(twist[0], twist[1], twist[2]);
                a.angular = a.angular + Vec3::new(twist[3], twist[4], twist[5]);
            }
        }
    }

    /// That whoever watches the run may end it.
    pub(crate) fn watched(mut self, watch: Option<Watch>, horizon: f64) -> Self {
        self.pulse.watch = watch;
        self.pulse.progress.horizon = horizon;
        self
    }

    /// The right-hand side of an island with its switches as they stand.
    pub(crate) fn side(
        &mut self,
        system: &System<'_>,
        entities: &[EntityId],
        active: &[Active],
        t: f64,
        x: &[f64],
        dx: &mut [f64],
    ) -> Result<(), Fault> {
        self.pulse.beat(active.len())?;
        let contacts = active.iter().map(|a| (a.contact, Some(a.reference)));
        self.kinematics_of(system, entities, contacts, t, x)?;
        self.free_motion(system, entities);
        if !active.is_empty() {
            self.friction_by_mode(system, active);
            self.location_forces(active)?;
            self.add_contact_forces();
        }
        for ((state, acceleration), part) in self
            .states
            .iter()
            .zip(&self.accelerations)
            .zip(dx.chunks_exact_mut(STATE))
        {
            pack_rate(&state.derivative(acceleration), part);
        }
        Ok(())
    }
}

/// The direction of dg_T, or `start` where dg_T has turned against it or is too slow to tell: see the module header.
pub(crate) fn sliding_direction(k: &ContactKinematics<f64>, start: [f64; 2], pace: Pace) -> [f64; 2] {
    sliding_direction_of(k.tangential_velocity, start, pace)
}

/// The same of a velocity.
pub(crate) fn sliding_direction_of([x, y]: [f64; 2], start: [f64; 2], pace: Pace) -> [f64; 2] {
    let speed = x.hypot(y);
    let goes_on = x * start[0] + y * start[1] > 0.0 && speed > 0.0;
    if goes_on && pace == Pace::Fast {
        [x / speed, y / speed]
    } else {
        start
    }
}

fn fixed_component(state: &EntityState<f64>, component: usize) -> f64 {
    let mut x = [0.0; STATE];
    pack(state, &mut x);
    x[component]
}
