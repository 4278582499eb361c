//! Rest: what sticks everywhere under constant loads that its contacts bear does not move until something touches it.
//!
//! # Method
//! With u = 0, all closed contacts sticking and forces that balance constant loads, u̇ = 0: the state, and with it the forces and every guard, stay as they are. So the step lasts to the horizon, and nothing
//! is looked for in it. What comes from elsewhere finds the gap to it as to anything else.
//!
//! # Guarantee
//! What counts as rest moves by no more than [`WAY`] of the gap tolerance until the horizon with the velocities it has, which are put to zero, and its loads are balanced to [`BALANCE`] of themselves, or to the rounding of the forces that do.

use crate::island::{Fault, Island};
use crate::loads::{STATE, unpack};
use crate::run::{Halt, Run};
use dyverse_flow::FlowError;
use dyverse_trace::StopReason;

/// The way that is left out, in gap tolerances.
const WAY: f64 = 1e-3;
/// What accelerations may be left, as a part of those that loads give.
const BALANCE: f64 = 1e-12;
/// What forces are known to, in roundings of all of them. Contacts see how bodies accelerate beside each other, so the lightest body makes it acceleration.
const ROUNDINGS: f64 = 16.0;

impl Run<'_> {
    /// Whether an island rests from the beginning of its next step on.
    pub(crate) fn is_resting(&mut self, island: &Island) -> Result<bool, Halt> {
        let t = island.integrator.t();
        let sticks = |a: &crate::island::Active| {
            a.slides.is_none() && !a.turning.is_turning() && a.zeno_until.is_none()
        };
        if self.horizon >= f64::MAX || island.active.is_empty() || !island.active.iter().all(sticks) {
            return Ok(false);
        }
        let x = island.integrator.x();
        let still = WAY * self.system.tolerances.gap / (self.horizon - t);
        for (entity, x) in island.entities.iter().zip(x.chunks_exact(STATE)) {
            let (body, state) = (&self.system.bodies[*entity], unpack(x));
            let is_constant = body
                .group
                .is_none_or(|group| self.system.loads[group].is_constant());
            let speed = state.velocity.norm() + body.reach * state.angular_velocity.norm();
            if !is_constant || speed > still {
                return Ok(false);
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
        Ok(island.entities.iter().enumerate().all(|(place, entity)| {
            let reach = self.system.bodies[*entity].reach;
            let made = &self.evaluation.accelerations[place];
            let left = made.linear.norm() + reach * made.angular.norm();
            left <= BALANCE * given + rounding
        }))
    }

    /// Makes the step of an island that rests.
    pub(crate) fn step_at_rest(&mut self, island: &mut Island) -> Result<(), Halt> {
        let t = island.integrator.t();
        let mut x = island.integrator.x().to_vec();
        x.chunks_exact_mut(STATE).for_each(|x| x[7..].fill(0.0));
        island.integrator.restart(t, &x);
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
