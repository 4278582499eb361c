//! A model as a component: whoever integrates it asks for rates and event indicators, and tells it of events (model exchange, as in FMI).
//!
//! The state is that of all moving entities together, in one location of the automaton at a time. An event runs the same impact and contact nodes as a
//! run does (impact.rs, sustained.rs), so both give the same motion.
//!
//! | indicator of a contact | open | closed |
//! |---|---|---|
//! | 1 | its gap | λ_N + ε |
//! | 2, 3 | 1 | the guards of friction (guards.rs) |
//!
//! After those of the contacts comes one for every switch of the loads that does not hang on time alone: the distance of d from turning it, lifted by its rounding; for motion along its
//! surface the distance of α from 0 and 1. Switches that hang on time alone are events at times ([`Mechanism::next_time`]).
//!
//! An event is where an indicator goes from positive to zero or below. Every contact has its three, so this is for mechanisms of a few dozen entities; a run of its
//! own takes thousands.
//!
//! # Guarantee
//! Between events everything is smooth. Derivatives, outputs and indicators are functions of time, state, inputs and the last event only.

use crate::couples::COUPLE_GUARDS;
use crate::guards::{GUARDS, guards};
use crate::impact::Cluster;
use crate::index::{ContactIx, IndexVec};
use crate::island::{Active, Pace};
use crate::loads::{STATE, Stand, Stands, pack, unpack};
use crate::predict::guard_scale;
use crate::projection::project;
use crate::run::Run;
use crate::sliding::SurfaceId;
use crate::snapshot::MechanismSnapshot;
use crate::switches::{Hint, watched};
use crate::system::System;
use crate::timeline::is_timed;
use crate::{RunError, RunOptions};
use dyverse_component::{Cause, Component, Fault, Happening, Point, Scales, Seen, Shape};
use dyverse_flow::DenseStep;
use dyverse_machine::FrictionMode;
use dyverse_mech::EntityState;
use dyverse_model::{EntityId, InputId, Model, StateComponent};
use dyverse_trace::{StopReason, SuperdenseTime};
use std::collections::BTreeMap;

/// How far beyond its surface a switch turns at the least, in the unit of its quantity: the absolute accuracy of the solver.
const LIFT: f64 = 1e-14;

/// A contact at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactView {
    /// How it is, if it is closed.
    pub(crate) mode: Option<FrictionMode>,
    /// Its gap, m; NaN where it has none.
    pub(crate) gap: f64,
    /// λ_N, N; 0 if it is open.
    pub(crate) normal_force: f64,
    /// |λ_T|, N; 0 if it is open.
    pub(crate) friction_force: f64,
}

/// A model that something else integrates.
pub struct Mechanism<'m> {
    pub(crate) run: Run<'m>,
    /// Entities that move.
    free: Vec<EntityId>,
    contacts: Vec<ContactIx>,
    /// Those of them that have rolling or spinning friction.
    coupled: Vec<ContactIx>,
    active: Vec<Active>,
    /// For each contact: its gap at the last event if that was below zero, by a rounding. It starts there.
    lowest: Vec<f64>,
    /// Switches of loads that do not hang on time alone.
    switches: Vec<SurfaceId>,
    names: Vec<String>,
    /// Contacts at the point that was asked about last.
    pub(crate) seen: Option<Seen<Vec<ContactView>>>,
}

impl std::fmt::Debug for Mechanism<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mechanism")
            .field("states", &self.names)
            .finish_non_exhaustive()
    }
}

impl<'m> Mechanism<'m> {
    /// A model with the parameters of these options; its inputs are all driven from outside.
    ///
    /// # Errors
    /// As [`simulate`](crate::simulate()).
    pub fn new(model: &'m Model, options: &RunOptions) -> Result<Self, RunError> {
        let mut run = Run::new(System::with_live_inputs(model, options)?, options, f64::MAX)?;
        let free = run.system.free();
        let mut contacts = Vec::new();
        for a in run.system.bodies.numbers() {
            for b in run.system.bodies.numbers().filter(|b| *b > a) {
                contacts.extend(run.system.contacts_between(a, b)?);
            }
        }
        let names = run.recorder.signals.iter().map(|s| s.name.clone()).collect();
        let mut switches = Vec::new();
        for (group, loads) in run.system.loads.iter_enumerated() {
            let moving = |s: &usize| loads.surfaces()[*s].moves && !is_timed(loads, *s);
            let own = (0..loads.surfaces().len()).filter(moving);
            switches.extend(own.map(|surface| SurfaceId::Load(group, surface)));
        }
        let has_edges = |contact: &&ContactIx| run.system.contact(**contact).curve().is_some();
        let slips = contacts.iter().filter(has_edges);
        switches.extend(slips.map(|contact| SurfaceId::Slip(*contact)));
        let has_couple = |contact: &&ContactIx| run.system.contact(**contact).couple.is_some();
        let coupled = contacts.iter().filter(has_couple).copied().collect();
        Ok(Mechanism {
            free,
            coupled,
            switches,
            lowest: vec![0.0; contacts.len()],
            contacts,
            active: Vec::new(),
            names,
            seen: None,
            run,
        })
    }

    /// The names of the outputs, such as `ball.x`.
    pub fn output_names(&self) -> &[String] {
        &self.names
    }

    /// The names of the continuous states, in the order of the state vector.
    pub(crate) fn state_names(&self) -> Vec<String> {
        let mut names = vec![String::new(); STATE * self.free.len()];
        for (number, name) in self.names.iter().enumerate() {
            names[self.state_place(number)].clone_from(name);
        }
        names
    }

    /// Where in the state vector an output is.
    pub(crate) fn state_place(&self, output: usize) -> usize {
        STATE * (output / STATE) + StateComponent::ALL[output % STATE].place()
    }

    /// The names of the inputs.
    pub fn input_names(&self) -> impl Iterator<Item = &str> {
        self.run
            .system
            .model
            .inputs()
            .iter()
            .map(|input| input.name.as_str())
    }

    /// What an input is when nothing drives it.
    pub(crate) fn input_default(&self, input: InputId, t: f64) -> f64 {
        self.run.system.inputs.default(input, t)
    }

    /// The labels of the contacts, in the order of the indicators.
    pub(crate) fn contact_labels(&self) -> impl Iterator<Item = &str> {
        self.contacts
            .iter()
            .map(|id| self.run.system.contact(*id).label.as_str())
    }

    /// Writes the indicators of the switches; derivatives were evaluated last.
    fn switch_indicators(&mut self, t: f64, x: &[f64], has_forces: bool, z: &mut [f64]) {
        let run = &self.run;
        let mut values = Vec::new();
        for (z, id) in z.iter_mut().zip(&self.switches) {
            let (group, surface) = match id {
                SurfaceId::Load(group, surface) => (group, surface),
                SurfaceId::Slip(contact) => {
                    *z = self.slip_indicator(*contact, has_forces);
                    continue;
                }
            };
            let loads = &run.system.loads[*group];
            let Some(Some(stands)) = run.evaluation.stands.get(*group) else {
                *z = 1.0;
                continue;
            };
            let stand = stands.stands[*surface];
            *z = match stand {
                _ if !stands.live[*surface] => 1.0,
                Stand::Along { .. } if !has_forces => f64::NAN,
                Stand::Along { part, .. } => part.min(1.0 - part) + LIFT,
                Stand::On(side) => {
                    let at = run.evaluation.moment(&run.system, &self.free, t, x);
                    loads.evaluate(|id| at.value(id), stands, 0, |d| *d, &mut values);
                    let d = *loads.tape().quantity(&values, *surface);
                    let noise = run.system.noise(*group, t, &at.state)[*surface].max(LIFT);
                    if side == 0.0 && !loads.surfaces()[*surface].is_floor {
                        16.0 * noise - d.abs()
                    } else {
                        let sides = watched(loads.surfaces()[*surface].is_floor, stand).into_iter();
                        sides
                            .map(|(sign, level)| sign * (d - level) + noise)
                            .fold(f64::INFINITY, f64::min)
                    }
                }
            };
        }
    }

    /// How far the slip speed of a contact is from where its friction switches; derivatives were evaluated last.
    fn slip_indicator(&self, contact: ContactIx, has_forces: bool) -> f64 {
        let run = &self.run;
        let is_it = |a: &Active| a.contact == contact && a.slides.is_some();
        let (Some(number), Some(grip), Some(curve)) = (
            self.active.iter().position(is_it),
            run.evaluation.grip(contact),
            run.system.contact(contact).curve(),
        ) else {
            return 1.0;
        };
        match (grip, run.evaluation.slip(contact)) {
            _ if !has_forces => f64::NAN,
            (Stand::Along { part, .. }, _) => part.min(1.0 - part) + LIFT,
            (Stand::On(band), Some([speed, ..])) => {
                let (below, above) = curve.ends(band as usize);
                let noise = run.evaluation.slip_noise(&run.system, &self.free, number);
                let room = below.map_or(f64::INFINITY, |below| speed - below);
                room.min(above - speed) + noise.max(LIFT)
            }
            (Stand::On(_), None) => 1.0,
        }
    }

    /// The indicators of closed contacts and of their couples, which stand before those of switches.
    fn guard_count(&self) -> usize {
        GUARDS * self.contacts.len() + COUPLE_GUARDS * self.coupled.len()
    }

    /// Writes the indicators of couples; derivatives were evaluated last.
    fn couple_indicators(&self, has_forces: bool, z: &mut [f64]) {
        let system = &self.run.system;
        for (z, contact) in z.chunks_exact_mut(COUPLE_GUARDS).zip(&self.coupled) {
            z.fill(1.0);
            let Some(number) = self.active.iter().position(|a| a.contact == *contact) else {
                continue;
            };
            if !has_forces {
                z.fill(f64::NAN);
                continue;
            }
            let values = self.run.evaluation.couple_guards(system, &self.active, number);
            for (guard, (z, value)) in z.iter_mut().zip(values).enumerate() {
                *z = value / guard_scale(&system.scales, &self.active[number], GUARDS + guard);
            }
            // What rolls stops where it is as slow as what counts as rest.
            let turning = &self.active[number].turning;
            let couple = self
                .run
                .evaluation
                .couple(number)
                .map(|(_, couple)| couple.rolling());
            if let Some(speed) = couple.filter(|_| turning.roll.is_some() && turning.pace == Pace::Fast) {
                z[COUPLE_GUARDS - 1] = (speed - system.tolerances.velocity) / system.scales.velocity;
            }
        }
    }

    /// The switches whose indicators are crossed.
    fn crossed_switches(&mut self, t: f64, x: &[f64], u: &[f64]) -> Vec<Hint> {
        if self.switches.is_empty() {
            return Vec::new();
        }
        let mut z = vec![0.0; self.shape().indicators];
        self.indicators(Point { t, x, u }, &mut z);
        let first = self.guard_count();
        let crossed = self.switches.iter().zip(&z[first..]).filter(|(_, z)| **z <= 0.0);
        crossed
            .map(|(id, _)| Hint {
                id: *id,
                leaves_to: match self.run.evaluation.stand(*id) {
                    Some(Stand::Along { low, high, part, .. }) => Some(if part < 0.5 { low } else { high }),
                    _ => None,
                },
            })
            .collect()
    }

    /// How much faster than the velocity tolerance the contact at a place slips; one that sticks: 1.
    fn slip_above_rest(&self, place: usize) -> f64 {
        match self.active[place].slides {
            None => 1.0,
            Some(_) => {
                let [u, v] = self.run.evaluation.kinematics[place].tangential_velocity;
                (u.hypot(v) - self.run.system.tolerances.velocity) / self.run.system.scales.velocity
            }
        }
    }

    /// All contacts, in the order of their labels.
    ///
    /// # Errors
    /// Text for people, where forces have no value.
    pub(crate) fn contacts(&mut self, at: Point<'_>) -> Result<Vec<ContactView>, Fault> {
        self.rates(at, &mut vec![0.0; at.x.len()])?;
        let states: Vec<EntityState<f64>> = at.x.chunks_exact(STATE).map(unpack).collect();
        let view = |contact: &ContactIx| {
            let mut view = ContactView {
                mode: None,
                gap: self.gap(*contact, &states).unwrap_or(f64::NAN),
                normal_force: 0.0,
                friction_force: 0.0,
            };
            if let Some(number) = self.active.iter().position(|a| a.contact == *contact) {
                let [normal, x, y] = self.run.evaluation.forces[number];
                view.normal_force = normal;
                view.friction_force = x.hypot(y);
                view.mode = Some(self.active[number].friction_mode());
            }
            view
        };
        Ok(self.contacts.iter().map(view).collect())
    }

    fn gap(&self, contact: ContactIx, states: &[EntityState<f64>]) -> Option<f64> {
        let (a, b) = self.run.system.contact(contact).entities();
        let state = |e: EntityId| self.run.system.state_among(&self.free, states, e).placement();
        self.run.gap(contact, &state(a), &state(b))
    }

    /// The states at the beginning.
    pub(crate) fn initial(&self) -> Vec<f64> {
        let mut x = vec![0.0; STATE * self.free.len()];
        for (entity, part) in self.free.iter().zip(x.chunks_exact_mut(STATE)) {
            pack(&self.run.system.bodies[*entity].initial, part);
        }
        x
    }

    fn resolve(&mut self, t: f64, x: &mut [f64], is_start: bool) -> Result<(), StopReason> {
        let states: Vec<EntityState<f64>> = x.chunks_exact(STATE).map(unpack).collect();
        let free = &self.free;
        self.run
            .place_all(|body, entity| match free.binary_search(&entity) {
                Ok(place) => states[place],
                Err(_) => body.initial,
            });
        let pending = self
            .active
            .iter()
            .filter_map(|a| a.zeno_until.map(|until| (a.contact, until)));
        let mut cluster = Cluster {
            entities: self.free.clone(),
            states,
            left: self.active.clone(),
            accumulating: pending.collect(),
            rests: BTreeMap::new(),
            asks_node: false,
            is_stepping: false,
        };
        // What comes may jump: friction is decided anew.
        self.run.evaluation.grips = IndexVec::default();
        self.active = self.run.pass_nodes(t, &mut cluster, is_start)?;
        let run = &mut self.run;
        project(&run.system, &self.free, &self.active, &mut cluster.states)
            .map_err(|fault| run.fault(fault, t))?;
        for (state, part) in cluster.states.iter().zip(x.chunks_exact_mut(STATE)) {
            pack(state, part);
        }
        let gaps = self.contacts.iter().map(|c| self.gap(*c, &cluster.states));
        self.lowest = gaps.map(|gap| gap.unwrap_or(0.0).min(0.0)).collect();
        Ok(())
    }
}

impl Component for Mechanism<'_> {
    /// Thirteen states for each entity that moves; outputs are the states in the order of their names.
    fn shape(&self) -> Shape {
        let states = STATE * self.free.len();
        Shape {
            states,
            inputs: self.run.system.model.inputs().len(),
            outputs: states,
            indicators: self.guard_count() + self.switches.len(),
        }
    }

    fn start(&mut self, _t: f64, x: &mut Vec<f64>) -> Result<(), Fault> {
        *x = self.initial();
        Ok(())
    }

    fn rates(&mut self, at: Point<'_>, dx: &mut [f64]) -> Result<(), Fault> {
        self.run.system.inputs.set_live(at.u);
        let run = &mut self.run;
        run.evaluation
            .right_hand_side(&run.system, &self.free, &self.active, at.t, at.x, dx)
            .map_err(|fault| Fault::Refused(fault.to_string()))
    }

    fn outputs(&mut self, at: Point<'_>, y: &mut [f64]) {
        let parts = at.x.chunks_exact(STATE).zip(y.chunks_exact_mut(STATE));
        for (x, y) in parts {
            // Orientations of unit length, as everywhere else.
            let mut unit = [0.0; STATE];
            pack(&unpack(x), &mut unit);
            for (y, component) in y.iter_mut().zip(StateComponent::ALL) {
                *y = unit[component.place()];
            }
        }
    }

    /// In units of their scales.
    fn indicators(&mut self, at: Point<'_>, z: &mut [f64]) {
        let Point { t, x, u: _ } = at;
        let mut dx = vec![0.0; x.len()];
        let has_forces = self.rates(at, &mut dx).is_ok();
        let first = self.guard_count();
        if let Some(z) = z.get_mut(first..) {
            self.switch_indicators(t, x, has_forces, z);
        }
        if let Some(z) = z.get_mut(GUARDS * self.contacts.len()..first) {
            self.couple_indicators(has_forces, z);
        }
        let states: Vec<EntityState<f64>> = x.chunks_exact(STATE).map(unpack).collect();
        let all = z.chunks_exact_mut(GUARDS).zip(&self.contacts).zip(&self.lowest);
        for ((z, contact), lowest) in all {
            if let Some(number) = self.active.iter().position(|a| a.contact == *contact) {
                let values = if has_forces {
                    guards(&self.run.system, &self.run.evaluation, &self.active, number)
                } else {
                    [f64::NAN; GUARDS]
                };
                z.copy_from_slice(&values);
                let scales = &self.run.system.scales;
                for (guard, z) in z.iter_mut().enumerate() {
                    *z /= guard_scale(scales, &self.active[number], guard);
                }
                let is_frictionless = self.run.system.contact(*contact).is_frictionless();
                if is_frictionless {
                    z[1] = 1.0;
                    if self.active[number].pace == Pace::Fast {
                        z[2] = 1.0;
                    }
                } else if self.active[number].pace == Pace::Fast {
                    z[2] = self.slip_above_rest(number);
                }
                continue;
            }
            z.fill(1.0);
            z[0] = self
                .gap(*contact, &states)
                .map_or(f64::NAN, |gap| (gap - lowest) / self.run.system.scales.length);
        }
    }

    fn state_name(&self, state: usize) -> String {
        self.state_names().into_iter().nth(state).unwrap_or_default()
    }

    /// A slipping contact may stop in a step; loads may switch.
    fn longest_step(&mut self, at: Point<'_>) -> f64 {
        let mut dx = vec![0.0; at.x.len()];
        if self.rates(at, &mut dx).is_err() {
            return f64::INFINITY;
        }
        let lasts = self.run.slip_lasts(&self.active);
        let is_plain = !self.run.has_features(&self.free);
        let longest = self.run.options.flow.max_step;
        lasts.min(longest).min(if is_plain {
            f64::INFINITY
        } else {
            self.run.switching.stretch
        })
    }

    /// An accumulation of impacts ends, or a load switches that hangs on time alone.
    fn next_time(&self) -> Option<f64> {
        let times = self.active.iter().filter_map(|a| a.zeno_until);
        let ahead = self.run.switching.ahead.iter().flatten().map(|ahead| ahead.until);
        times
            .chain(ahead.filter(|t| t.is_finite()))
            .min_by(f64::total_cmp)
    }

    /// A whole event, with its nodes: its transitions have the microsteps from `time` on.
    fn microstep(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, Fault> {
        self.seen = None;
        let t = time.t();
        self.run.system.inputs.set_live(u);
        self.run.recorder.now = time;
        let ended: Vec<(ContactIx, FrictionMode)> = self
            .active
            .iter_mut()
            .filter(|a| a.zeno_until.is_some_and(|until| until <= t))
            .map(|a| {
                a.zeno_until = None;
                (a.contact, a.friction_mode())
            })
            .collect();
        for (contact, mode) in ended {
            self.run.name_closed(t, contact, mode);
        }
        let groups = self.run.switching.ahead.numbers();
        let is_due = groups.clone().any(|group| self.run.is_known_until(group, t));
        if cause != Cause::Time || is_due {
            self.run.switching.hints = self.crossed_switches(t, x, u);
            if is_due || !self.run.switching.hints.is_empty() {
                self.run.note_switch(t);
            }
            self.resolve(t, x, cause == Cause::Start)?;
        }
        if self.run.system.has_switches {
            self.run.switching.end = t + self.run.switching.span;
            for group in groups {
                if !self.run.system.loads[group].surfaces().is_empty() {
                    self.run.ahead(group, t)?;
                }
            }
        }
        Ok(Happening::new(self.run.recorder.take(&self.run.system), false))
    }

    fn surprise(&mut self, step: &DenseStep, u: &[f64]) -> Option<(f64, f64)> {
        self.run.system.inputs.set_live(u);
        self.run.surprise_of(step, &self.free)
    }

    fn scales(&self) -> Scales {
        Scales {
            states: self.run.system.state_scales().to_vec(),
            time: self.run.system.scales.time,
        }
    }

    fn snapshot(&self) -> Result<Vec<u8>, Fault> {
        let snapshot = MechanismSnapshot {
            active: self.active.clone(),
            lowest: self.lowest.clone(),
            closed: self.run.recorder.closed.all().clone(),
            now: self.run.recorder.now,
            impacts: self.run.recorder.statistics.impacts,
            empty_closings: self.run.empty_closings,
            creeps: self.run.creeps,
            stands: self.run.evaluation.stands.clone(),
            grips: self.run.evaluation.grips.clone(),
            ahead: self.run.switching.ahead.clone(),
        };
        Ok(snapshot.to_bytes())
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let snapshot = MechanismSnapshot::from_bytes(bytes, self.contacts.len());
        let snapshot = snapshot.ok_or("these are no saved states of this mechanism")?;
        let loads = &self.run.system.loads;
        let fits = |(stands, loads): (&Option<Stands>, &crate::loads::GroupLoads)| {
            stands.as_ref().is_none_or(|stands| {
                let count = loads.surfaces().len();
                stands.stands.len() == count && stands.live.len() == count
            })
        };
        if [snapshot.stands.len(), snapshot.ahead.len()] != [loads.len(); 2]
            || !snapshot.stands.iter().zip(loads).all(fits)
        {
            return Err("these are saved states of another mechanism".into());
        }
        self.seen = None;
        self.active = snapshot.active;
        self.lowest = snapshot.lowest;
        self.run.recorder.set_closed(&self.run.system, &snapshot.closed);
        self.run.recorder.now = snapshot.now;
        self.run.recorder.statistics.impacts = snapshot.impacts;
        self.run.empty_closings = snapshot.empty_closings;
        self.run.creeps = snapshot.creeps;
        for (contact, grip) in snapshot.grips.iter_enumerated() {
            if let Some(Stand::On(band) | Stand::Along { high: band, .. }) = grip {
                self.run.system.find_bands(contact, *band as usize);
            }
        }
        self.run.evaluation.grips = snapshot.grips;
        self.run.evaluation.stands = snapshot.stands;
        self.run.switching.ahead = snapshot.ahead;
        Ok(())
    }
}
