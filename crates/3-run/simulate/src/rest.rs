//! Rest: what sticks everywhere under loads that its contacts bear does not move until something touches it, or until loads that change are too much.
//!
//! # Method
//! With u = 0, all closed contacts sticking and forces that balance constant loads, u̇ = 0: the state, and with it the forces and every guard, stay as they are. So the step lasts to the horizon, and nothing
//! is looked for in it. What comes from elsewhere finds the gap to it as to anything else.
//!
//! Under loads that change only forces change as long as contacts leave no direction free (Wᵀu = 0 for u = 0 alone: a generic u keeps nothing of itself if it is brought to rest). No motion is integrated there; guards are watched as ever.
//!
//! # Guarantee
//! What counts as rest moves by no more than [`WAY`] of the gap tolerance until the horizon with the velocities it has, which are put to zero, and its loads are balanced to [`BALANCE`] of themselves, or to the rounding of the forces that do.

use crate::island::{Fault, Island};
use crate::loads::{STATE, unpack};
use crate::projection::stopped;
use crate::run::{Halt, Run};
use dyverse_flow::FlowError;
use dyverse_trace::StopReason;

/// The way that is left out, in gap tolerances.
const WAY: f64 = 1e-3;
/// What accelerations may be left, as a part of those that loads give.
const BALANCE: f64 = 1e-12;
/// What forces are known to, in roundings of all of them. Contacts see how bodies accelerate beside each other, so the lightest body makes it acceleration.
const ROUNDINGS: f64 = 16.0;

/// What of a velocity that is brought to rest may be left where contacts hold all of it.
const FREE: f64 = 1e-6;

/// Whether an island moves in its present step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Moves,
    /// Contacts hold it while its loads change.
    Held,
    /// Nothing changes until it is touched.
    Forever,
}

impl Run<'_> {
    /// Whether an island rests from the beginning of its next step on.
    pub(crate) fn rest_of(&mut self, island: &Island) -> Result<Rest, Halt> {
        let t = island.integrator.t();
        let sticks = |a: &crate::island::Active| {
            a.slides.is_none() && !a.turning.is_turning() && a.zeno_until.is_none()
        };
        if self.horizon >= f64::MAX || island.active.is_empty() || !island.active.iter().all(sticks) {
            return Ok(Rest::Moves);
        }
        let x = island.integrator.x();
        let still = WAY * self.system.tolerances.gap / (self.horizon - t);
        let mut changes = false;
        for (entity, x) in island.entities.iter().zip(x.chunks_exact(STATE)) {
            let (body, state) = (&self.system.bodies[*entity], unpack(x));
            let is_constant = body
                .group
                .is_none_or(|group| self.system.loads[group].is_constant());
            let speed = state.velocity.norm() + body.reach * state.angular_velocity.norm();
            changes |= !is_constant;
            if speed > still {
                return Ok(Rest::Moves);
            }
        }
        let mut dx = vec![0.0; x.len()];
        let evaluated =
            self.evaluation
                .right_hand_side(&self.system, &island.entities, &island.active, t, x, &mut dx);
        evaluated.map_err(|fault| self.fault(fault, t))?;
        let forces = self.evaluation.forces.iter();
        let pressed: f64 = forces.flatten().map(|f| f.abs()).sum();
        let loads = self.evaluation.loads.iter().zip(&island.entities);
        let given = loads.map(|(load, e)| load.force.norm() / self.system.bodies[*e].inertia.mass());
        let given = given.fold(0.0, f64::max);
        let masses = island
            .entities
            .iter()
            .map(|e| *self.system.bodies[*e].inertia.mass());
        let rounding = ROUNDINGS * f64::EPSILON * pressed / masses.fold(f64::INFINITY, f64::min);
        let is_balanced = island.entities.iter().enumerate().all(|(place, entity)| {
            let reach = self.system.bodies[*entity].reach;
            let made = &self.evaluation.accelerations[place];
            let left = made.linear.norm() + reach * made.angular.norm();
            left <= BALANCE * given + rounding
        });
        Ok(if !is_balanced || changes && !self.is_held() {
            Rest::Moves
        } else if changes {
            Rest::Held
        } else {
            Rest::Forever
        })
    }

    /// Whether the contacts evaluated last, all sticking, leave no direction free.
    fn is_held(&self) -> bool {
        let at = &self.evaluation;
        let mut number = 0.0;
        let mut generic = || {
            number += 1.0;
            (number * std::f64::consts::SQRT_2).fract() - 0.5
        };
        let twists = at
            .masses
            .iter()
            .map(|mass| mass.apply(&std::array::from_fn(|_| generic())));
        let twists: Vec<[f64; 6]> = twists.collect();
        match stopped(at, &twists) {
            Ok(changes) => {
                let size = |twists: &mut dyn Iterator<Item = f64>| twists.map(|u| u * u).sum::<f64>();
                let moved = size(&mut twists.iter().flatten().copied());
                let both = twists.iter().flatten().zip(changes.iter().flatten());
                let left = size(&mut both.map(|(u, change)| u + change));
                left <= FREE * FREE * moved
            }
            Err(_) => false,
        }
    }

    /// Makes the step of an island that rests.
    pub(crate) fn step_at_rest(&mut self, island: &mut Island) -> Result<(), Halt> {
        stop(island);
        self.step_given(island, self.horizon, &mut |_, _, dx| {
            dx.fill(0.0);
            Ok(())
        })
    }

    /// Makes a step whose rates are given, up to a time.
    pub(crate) fn step_given(
        &mut self,
        island: &mut Island,
        end: f64,
        rates: &mut impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), Fault>,
    ) -> Result<(), Halt> {
        let t = island.integrator.t();
        (island.accounted, island.turning) = (t, None);
        island.integrator.propose_step(end - t);
        let made = island.integrator.step(end, rates);
        made.map(|_| ()).map_err(|error| match error {
            FlowError::StepTooSmall { step, .. } => StopReason::StepTooSmall { step },
            FlowError::NoTimeAhead { .. } => StopReason::HorizonReached,
            _ => StopReason::NotFinite {
                what: format!("the motion at t = {t}"),
            },
        })
    }
}

/// Puts the velocities of an island to zero.
pub(crate) fn stop(island: &mut Island) {
    let (t, mut x) = (island.integrator.t(), island.integrator.x().to_vec());
    x.chunks_exact_mut(STATE).for_each(|x| x[7..].fill(0.0));
    island.integrator.restart(t, &x);
}
