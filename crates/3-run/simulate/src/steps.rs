//! The steps of islands: how long they may be, what ends them, what is accounted for, and the next one.
//!
//! # Drift
//! At the end of a step the states of an island with closed contacts are projected onto its constraints (projection.rs), and directions of slip turned.

use crate::flight::rates_in_flight;
use crate::index::{GroupIx, IslandIx};
use crate::island::{Active, Evaluation, Fault, Island, Pace, pack_all};
use crate::loads::{STATE, Stand};
use crate::observe::ClosedContacts;
use crate::projection::project;
use crate::rest::{Rest, stop};
use crate::run::{Halt, Run};
use crate::system::System;
use dyverse_flow::{DenseStep, FlowError};
use dyverse_mech::ContactKinematics;
use dyverse_model::{EntityId, StateComponent};
use dyverse_trace::{Piece, SignalId, StopReason};
use std::collections::BTreeSet;

/// Entities up to which the length of steps is not limited by the grid.
const FEW_ENTITIES: usize = 32;
/// Steps in a row of one island that get no further than a part of the run, and that part.
const MOST_CRAWLED: usize = 2000;
const CRAWLING: f64 = 1e-10;
/// Tries of one step.
const MOST_TRIES: usize = 8;
/// A switch that turns within this part of a step is found again in a shorter one.
const EARLY: f64 = 0.1;
/// Places of a step at which loads are looked at that are no polynomials.
pub(crate) const LOOKS: u32 = 64;
/// What a load may do between nodes, in the solver's tolerances of velocities over the step: what an accepted step leaves of its slope, and some more.
const SURPRISE: f64 = 1e4;
/// How often a slipping contact could stop within a step, at its acceleration at the start.
const STOPS_IN_A_STEP: f64 = 4.0;

impl Run<'_> {
    pub(crate) fn end_step(&mut self, t: f64, island: IslandIx) -> Result<(), Halt> {
        if self.islands[island]
            .as_ref()
            .is_some_and(|i| i.stepping.is_some())
        {
            return self.end_stepping(t, island);
        }
        let touches = self.islands[island]
            .as_ref()
            .is_some_and(|i| !i.active.is_empty());
        let turns = self.turns_in_time(island, t);
        // Forces jump with a switch or an input, so the location may fit no more; and what has come to rest may stick.
        let jumps = || self.system.inputs.breaks.has_jumped(t, t);
        if turns || touches && (jumps() || self.has_stopped(island, t)?) {
            let cluster = self.gather(t, BTreeSet::from([island]), 0.0)?;
            return self.resolve_cluster(t, cluster, false);
        }
        if t >= self.horizon {
            let closing = self.closing_at_the_end(t, island)?;
            return if closing.is_empty() {
                Ok(())
            } else {
                self.close(t, &closing)
            };
        }
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

    /// Whether a contact of an island has stopped slipping, or slips slowly against the direction that its friction has.
    fn has_stopped(&mut self, island: IslandIx, t: f64) -> Result<bool, Halt> {
        let Some(island) = &self.islands[island] else {
            return Ok(false);
        };
        let slips = |active: &Active| active.slides.is_some() || active.turning.is_turning();
        if !island.active.iter().any(slips) {
            return Ok(false);
        }
        let found = self.evaluation.kinematics_during(&self.system, island, t);
        found.map_err(|fault| self.fault(fault, t))?;
        let stopped = |(active, k): (&Active, &ContactKinematics<f64>)| {
            let [x, y] = k.tangential_velocity;
            let is_rough = !self.system.contact(active.contact).is_frictionless();
            let is_still = x.hypot(y) <= self.system.tolerances.velocity;
            is_rough && (active.slips_fast() && is_still || active.is_turning(k) && !is_still)
        };
        let at = &self.evaluation;
        let turned = |(place, active): (usize, &Active)| at.has_stopped_turning(&self.system, active, place);
        Ok(island.active.iter().zip(&at.kinematics).any(stopped)
            || island.active.iter().enumerate().any(turned))
    }

    /// Takes drift out of an island with closed contacts, and goes on from there.
    fn restart_projected(&mut self, island: &mut Island, t: f64) -> Result<(), Halt> {
        if island.active.is_empty() {
            return Ok(());
        }
        let mut states: Vec<_> = (0..island.entities.len())
            .map(|place| island.state(place, t))
            .collect();
        let made = project(&self.system, &island.entities, &island.active, &mut states)
            .map_err(|fault| self.fault(fault, t))?;
        self.recorder.balance.work_of_projection += made.work;
        let x = pack_all(&states);
        island.integrator.restart(t, &x);
        self.turn_directions(island, t, &x)
    }

    /// The directions of slipping contacts, for the step to come.
    fn turn_directions(&mut self, island: &mut Island, t: f64, x: &[f64]) -> Result<(), Halt> {
        self.evaluation
            .kinematics_of(&self.system, &island.entities, island.contacts(), t, x)
            .map_err(|fault| self.fault(fault, t))?;
        // One that slips slowly goes where the slow motion has turned to by now.
        let is_starting =
            |a: &Active| a.pace == Pace::Starting && !self.system.contact(a.contact).is_frictionless();
        let follows: Vec<bool> = island.active.iter().map(is_starting).collect();
        let rolls = |a: &Active| a.turning.roll.is_some() && a.turning.pace == Pace::Starting;
        if follows.contains(&true) || island.active.iter().any(rolls) {
            let mut dx = vec![0.0; x.len()];
            self.evaluation
                .right_hand_side(&self.system, &island.entities, &island.active, t, x, &mut dx)
                .map_err(|fault| self.fault(fault, t))?;
            for (number, active) in island.active.iter_mut().enumerate().filter(|(n, _)| follows[*n]) {
                if let (Some(_), Some(direction)) = (active.slides, self.evaluation.direction(number)) {
                    active.slides = Some(direction);
                }
            }
            for (number, active) in island.active.iter_mut().enumerate().filter(|(_, a)| rolls(a)) {
                active.turning.roll = self.evaluation.rolling_direction(number).or(active.turning.roll);
            }
        }
        for couple in &self.evaluation.couples {
            let turning = &mut island.active[couple.of].turning;
            let speed = couple.rolling();
            let tells = speed > self.system.slow() || speed > 0.0 && turning.pace == Pace::Fast;
            if turning.roll.is_some() && tells {
                turning.roll = Some([couple.rates[1] / speed, couple.rates[2] / speed]);
                turning.pace = Pace::Fast;
            }
        }
        for (active, k) in island.active.iter_mut().zip(&self.evaluation.kinematics) {
            let [x, y] = k.tangential_velocity;
            let speed = x.hypot(y);
            let is_frictionless = self.system.contact(active.contact).is_frictionless();
            let ends_by_guard = is_frictionless && active.pace == Pace::Starting;
            if active.slides.is_some()
                && !ends_by_guard
                && (speed > self.system.slow() || speed > 0.0 && active.pace == Pace::Fast)
            {
                active.slides = Some([x / speed, y / speed]);
                active.pace = Pace::Fast;
            }
        }
        Ok(())
    }

    /// Makes the next step of an island and predicts what comes of it; a shorter one where it is too long to tell gaps.
    pub(crate) fn step_and_predict(&mut self, id: IslandIx) -> Result<(), Halt> {
        for left in (0..MOST_TRIES).rev() {
            let Some(mut island) = self.islands[id].take() else {
                return Ok(());
            };
            // At the horizon there is no next step.
            let begin = island.integrator.t();
            let is_over = begin >= self.horizon;
            let stepped = if is_over {
                Ok(())
            } else if island.stepping.is_some() {
                self.step_straight(&mut island)
            } else {
                self.step(&mut island)
            };
            island.version = self.next_version;
            self.next_version += 1;
            self.islands[id] = Some(island);
            stepped?;
            if is_over {
                return Ok(());
            }
            let is_free = |i: &Island| i.stepping.is_none();
            let may_be_shorter = left > 0 && self.islands[id].as_ref().is_some_and(is_free);
            let worth = self.predict(id, may_be_shorter)?;
            match &mut self.islands[id] {
                Some(island) if may_be_shorter && worth < 0.5 * island.step().span() => {
                    if begin + worth > begin {
                        island.integrator.truncate(begin);
                        island.integrator.propose_step(worth);
                        continue;
                    }
                    // None is shorter: what hides a crossing ends the run.
                    self.predict(id, false)?;
                }
                _ => {}
            }
            break;
        }
        self.predict_accumulations(id);
        let t = self.islands[id].as_ref().map_or(0.0, |i| i.step().t0());
        self.charge(id, t);
        Ok(())
    }

    /// Makes the next step of an island. What its nodes could not see ends it: a surface of a switch that it was to stay on and leaves, a feature of its loads between two nodes.
    fn step(&mut self, island: &mut Island) -> Result<(), Halt> {
        let t = island.integrator.t();
        island.accounted = t;
        self.check_progress(island, t)?;
        island.rest = self.rest_of(island)?;
        if island.rest == Rest::Forever {
            return self.step_at_rest(island);
        }
        if island.rest == Rest::Held {
            stop(island);
        }
        for _ in 0..MOST_TRIES {
            self.try_step(island, t)?;
            if let Some((surface, side)) = self.leaves_surface(island) {
                self.evaluation.set_stand(surface, Stand::On(side));
                island.integrator.truncate(t);
                continue;
            }
            if let Some((before, at)) = self.surprise_of(island.step(), &island.entities) {
                island.integrator.truncate(before);
                island.integrator.propose_step(2.0 * (at - before));
                if before <= t {
                    continue;
                }
            }
            island.turning = self.first_switch(island)?;
            match &island.turning {
                // Beyond its turn the motion goes on as if there were none, perhaps very far: polynomials over that are not exact enough.
                Some((turn, _)) if turn - t < EARLY * (island.step().t1() - t) => {
                    let lasts = turn - t;
                    if t + lasts <= t {
                        return Ok(());
                    }
                    island.integrator.truncate(t);
                    island.integrator.propose_step(2.0 * lasts);
                }
                _ => return Ok(()),
            }
        }
        // No step is short enough: what there is of it counts.
        if island.integrator.t() <= t {
            self.try_step(island, t)?;
        }
        island.turning = self.first_switch(island)?;
        Ok(())
    }

    /// Steps that do not get anywhere end the run.
    fn check_progress(&self, island: &mut Island, t: f64) -> Result<(), Halt> {
        let (begun, count) = &mut island.crawling;
        if t - *begun > CRAWLING * self.switching.span {
            (*begun, *count) = (t, 0);
        }
        *count += 1;
        if *count > MOST_CRAWLED {
            return Err(StopReason::StepTooSmall {
                step: (t - *begun) / MOST_CRAWLED as f64,
            });
        }
        Ok(())
    }

    fn try_step(&mut self, island: &mut Island, t: f64) -> Result<(), Halt> {
        self.evaluation.anchor = t;
        self.hold_pieces(island);
        let end = self
            .step_end(&island.entities, island.integrator.x(), t)?
            .min(self.slip_end(island, t)?)
            .max(t.next_up());
        let (system, evaluation) = (&self.system, &mut self.evaluation);
        let flight = if system.flies(island) {
            evaluation.accelerations_in_flight(system, &island.entities, t, island.integrator.x())
        } else {
            Ok(Vec::new())
        };
        let (entities, active) = (&island.entities, &island.active);
        let holds = island.rest == Rest::Held;
        let before = island.integrator.counters();
        let mut rhs = |t: f64, x: &[f64], dx: &mut [f64]| match &flight {
            _ if holds => {
                dx.fill(0.0);
                Ok(())
            }
            Ok(accelerations) if !accelerations.is_empty() => {
                rates_in_flight(accelerations, x, dx);
                Ok(())
            }
            _ => evaluation.right_hand_side(system, entities, active, t, x, dx),
        };
        let made = island.integrator.step(end, &mut rhs).map(|_| ());
        let after = island.integrator.counters();
        let statistics = &mut self.recorder.statistics;
        statistics.steps += (after.steps - before.steps) as usize;
        statistics.rejected_steps +=
            (after.rejected + after.slow + after.failed - before.rejected - before.slow - before.failed)
                as usize;
        statistics.evaluations += (after.evaluations - before.evaluations) as usize;
        made.map_err(|error| match error {
            FlowError::RightHandSide { t, source } => self.fault(source, t),
            FlowError::NotFinite { t, component } => {
                let entity = entities.get(component / STATE).copied().unwrap_or(EntityId(0));
                let place = component % STATE;
                let name = StateComponent::ALL.into_iter().find(|c| c.place() == place);
                StopReason::NotFinite {
                    what: format!(
                        "`{}.{}` or its rate at t = {t}",
                        system.model.entity(entity).name,
                        name.map_or("", StateComponent::name)
                    ),
                }
            }
            FlowError::StepTooSmall { step, .. } => StopReason::StepTooSmall { step },
            FlowError::NoTimeAhead { .. } => StopReason::HorizonReached,
        })
    }

    /// Looks between the nodes of the step just made, if its loads may have features there: the first place at which their accelerations are not as the nodes show them, and the
    /// place looked at before it.
    pub(crate) fn surprise_of(&mut self, step: &DenseStep, entities: &[EntityId]) -> Option<(f64, f64)> {
        if !self.has_features(entities) {
            return None;
        }
        let flow = &self.options.flow;
        let h = step.span();
        let mut tolerances = Vec::with_capacity(6 * entities.len());
        for place in 0..entities.len() {
            for component in 7..STATE {
                let size: f64 = step
                    .state_coefficients(STATE * place + component)
                    .iter()
                    .map(|c| c.abs())
                    .sum();
                tolerances.push(SURPRISE * (flow.absolute + flow.relative * size) / h);
            }
        }
        let mut x = vec![0.0; step.dimension()];
        step.first_surprise(LOOKS, &tolerances, &mut |t, out| {
            step.evaluate(t, &mut x);
            let none = std::iter::empty();
            let made = self.evaluation.kinematics_of(&self.system, entities, none, t, &x);
            if made.is_err() {
                out.fill(f64::NAN);
                return;
            }
            self.evaluation.free_motion(&self.system, entities);
            for (part, a) in out.chunks_exact_mut(6).zip(&self.evaluation.accelerations) {
                let (v, w) = (&a.linear, &a.angular);
                part.copy_from_slice(&[v.x, v.y, v.z, w.x, w.y, w.z]);
            }
        })
    }

    /// Whether loads on some entities may have features that the motion does not have: they are no polynomials of time and states.
    pub(crate) fn has_features(&self, entities: &[EntityId]) -> bool {
        let mut groups = entities.iter().filter_map(|e| self.system.bodies[*e].group);
        groups.any(|group| !self.system.loads[group].is_plain())
    }

    /// The end of a step of slipping contacts at the latest: beyond dg_T = 0 their motion is only made up, so nodes must lie before it.
    fn slip_end(&mut self, island: &Island, t: f64) -> Result<f64, Halt> {
        let turns = |active: &Active| active.slips_fast() || active.turning.is_turning();
        if !island.active.iter().any(turns) {
            return Ok(f64::INFINITY);
        }
        let x = island.integrator.x().to_vec();
        let mut dx = vec![0.0; x.len()];
        let (entities, active) = (&island.entities, &island.active);
        self.evaluation
            .right_hand_side(&self.system, entities, active, t, &x, &mut dx)
            .map_err(|fault| self.fault(fault, t))?;
        Ok(t + self
            .slip_lasts(&island.active)
            .max(1e-12 * self.system.scales.time))
    }

    /// How long a step may be at most for contacts that slip, in the state evaluated last.
    pub(crate) fn slip_lasts(&self, active: &[Active]) -> f64 {
        let mut shortest = f64::INFINITY;
        for (number, contact) in active.iter().enumerate() {
            shortest = shortest.min(STOPS_IN_A_STEP * self.evaluation.turning_lasts(contact, number));
            if !contact.slips_fast() || self.system.contact(contact.contact).is_frictionless() {
                continue;
            }
            let [u, v] = self.evaluation.kinematics[number].tangential_velocity;
            let [a, b] = self.evaluation.tangential_acceleration(number);
            let lasts = STOPS_IN_A_STEP * u.hypot(v) / a.hypot(b);
            if lasts > 0.0 {
                shortest = shortest.min(lasts);
            }
        }
        shortest
    }

    /// The end of a step at the latest: the horizon, an input's kink, a switch's turn, a stretch of loads with features, or a few cells of the grid.
    pub(crate) fn step_end(&mut self, entities: &[EntityId], x: &[f64], t: f64) -> Result<f64, Halt> {
        let mut end = self.horizon;
        if self.system.has_switches {
            let groups: Vec<GroupIx> = self.system.switching(entities).collect();
            for group in groups {
                end = end.min(self.ahead(group, t)?.until);
            }
        }
        if self.has_features(entities) {
            end = end.min(t + self.switching.stretch);
        }
        if let Some(kink) = self.system.inputs.breaks.next(t) {
            end = end.min(kink);
        }
        if self.system.bodies.len() > FEW_ENTITIES {
            let fastest = x
                .chunks_exact(STATE)
                .map(|part| (part[7] * part[7] + part[8] * part[8] + part[9] * part[9]).sqrt())
                .fold(0.0, f64::max);
            if fastest > 0.0 {
                end = end.min(t + (self.broad.cell_size() / fastest).max(1e-9 * self.system.scales.time));
            }
        }
        Ok(end)
    }

    /// Adds the work of loads and friction since it was last added.
    pub(crate) fn account(&mut self, id: IslandIx, t: f64) -> Result<(), Halt> {
        let Some(mut island) = self.islands[id].take() else {
            return Ok(());
        };
        if t > island.accounted && island.stepping.is_none() && island.rest == Rest::Moves {
            let (system, evaluation) = (&self.system, &mut self.evaluation);
            let mut friction = 0.0;
            let mut fault = None;
            let step = island.step();
            evaluation.anchor = step.t0();
            let mut x = vec![0.0; step.dimension()];
            let mut told = |work: Result<f64, Fault>| {
                work.unwrap_or_else(|error| {
                    fault = Some(error);
                    0.0
                })
            };
            let loads = if system.flies(&island) {
                told(evaluation.work_in_flight(system, &island, (island.accounted, t)))
            } else {
                step.integrate(island.accounted, t, |at| {
                    step.evaluate(at, &mut x);
                    told(power(system, evaluation, &island, at, &x).map(|(loads, _)| loads))
                })
            };
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
    pub(crate) fn keep_piece(&mut self, id: IslandIx, t: f64) {
        if !self.options.keep_pieces {
            return;
        }
        let Some(island) = &self.islands[id] else { return };
        let step = island.step();
        if step.dimension() == 0 || t <= step.t0() {
            return;
        }
        let cut = step.restricted(t);
        let mut signals = Vec::new();
        for (place, entity) in island.entities.iter().enumerate() {
            for component in dyverse_model::StateComponent::ALL {
                if let Some(signal) = self.recorder.signal(*entity, component) {
                    let index = STATE * place + component.place();
                    signals.push((signal, cut.state_coefficients(index).to_vec()));
                }
            }
        }
        signals.sort_by_key(|(SignalId(id), _)| *id);
        let closed = ClosedContacts::of(&self.system, island, &self.evaluation);
        let piece = Piece {
            from: step.t0(),
            to: t,
            signals,
        };
        self.recorder.piece(piece, closed);
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
    Ok(evaluation.power(island.active.len()))
}
