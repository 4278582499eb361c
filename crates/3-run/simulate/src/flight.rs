//! Flight: the motion of what nothing touches, under constant loads, with equal moments of inertia.
//!
//! There M⁻¹h is the same at every moment: ω × Iω = 0, and I does not depend on how the body is turned. So it is found once a step. Which loads are constant is read from their formulas.
//!
//! # Method
//! u̇ = a, with a from the beginning of the step; the work of loads is h · (u₀ + u₁)/2 · Δt, since u is linear in t.
//!
//! # Guarantee
//! As exact as the integrator of the general case: the same equations, fewer evaluations of the same numbers.

use crate::island::{Evaluation, Fault, Island};
use crate::loads::{STATE, pack_rate, unpack};
use crate::system::System;
use dyverse_flow::NODES;
use dyverse_mech::GeneralizedVelocity;
use dyverse_model::EntityId;

impl System<'_> {
    /// Whether the island flies.
    pub(crate) fn flies(&self, island: &Island) -> bool {
        let is_free = |e: &EntityId| {
            let body = &self.bodies[*e];
            body.is_isotropic && body.group.is_some_and(|group| self.loads[group].is_constant())
        };
        island.active.is_empty() && island.entities.iter().all(is_free)
    }
}

impl Evaluation {
    /// M⁻¹h of the entities of an island that flies, in the state x.
    pub(crate) fn accelerations_in_flight(
        &mut self,
        system: &System<'_>,
        entities: &[EntityId],
        t: f64,
        x: &[f64],
    ) -> Result<Vec<GeneralizedVelocity<f64>>, Fault> {
        self.pulse.beat(NODES)?;
        self.kinematics_of(system, entities, std::iter::empty(), t, x)?;
        self.free_motion(system, entities);
        Ok(self.accelerations.clone())
    }

    /// The work of loads on an island that flies, between two times of its step.
    pub(crate) fn work_in_flight(
        &mut self,
        system: &System<'_>,
        island: &Island,
        (from, to): (f64, f64),
    ) -> Result<f64, Fault> {
        let step = island.step();
        let mut x = vec![0.0; step.dimension()];
        let mut power = |t: f64| {
            step.evaluate(t, &mut x);
            self.kinematics_of(system, &island.entities, std::iter::empty(), t, &x)?;
            Ok(self.power(0).0)
        };
        Ok(0.5 * (to - from) * (power(from)? + power(to)?))
    }
}

/// The right-hand side in flight.
pub(crate) fn rates_in_flight(accelerations: &[GeneralizedVelocity<f64>], x: &[f64], dx: &mut [f64]) {
    let parts = x.chunks_exact(STATE).zip(dx.chunks_exact_mut(STATE));
    for ((x, dx), acceleration) in parts.zip(accelerations) {
        pack_rate(&unpack(x).derivative(acceleration), dx);
    }
}
