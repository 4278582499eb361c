//! A contact that others can do without.
//!
//! Forces of redundant contacts are one choice of many. While contacts slip, the choice along the flow may take a normal force below zero where the contact node still finds forces that
//! press all of them: the guard of that contact is then crossed again and again, and the node changes nothing. If the law of contact has a solution in which that contact has no force and is not
//! pressed, it may as well be open: the others hold what it would, and it touches without a force.
//!
//! # Method
//! The contact node over the others; under its forces the acceleration g̈_N of the one left out must not be below zero.
//!
//! # Guarantee
//! To tolerance: what is left is a solution of the law for all of them (λ_N = 0, g̈_N ≥ 0). A contact that was left out is found again wherever something happens to its bodies, and closes
//! where the others let it sink.

use crate::impact::Cluster;
use crate::index::{ContactIx, IslandIx};
use crate::run::Run;
use dyverse_model::EntityId;

impl Run<'_> {
    /// The contact of the island whose guard is crossed at `t`, if what is crossed is its normal force and its forces are one choice of many.
    pub(crate) fn let_go_of(&mut self, t: f64, island: IslandIx, contact: ContactIx) -> Option<ContactIx> {
        let own = self.islands.get(island)?.as_ref()?;
        let mut x = vec![0.0; own.step().dimension()];
        own.step().evaluate(t, &mut x);
        let mut dx = vec![0.0; x.len()];
        let place = own.active.iter().position(|active| active.contact == contact)?;
        self.evaluation.anchor = own.step().t0();
        let made = self
            .evaluation
            .right_hand_side(&self.system, &own.entities, &own.active, t, &x, &mut dx);
        let is_unpressed = made.is_ok() && self.evaluation.forces[place][0] <= self.system.tolerances.force;
        (is_unpressed && self.evaluation.are_forces_redundant()).then_some(contact)
    }

    /// The contacts that stay without the one that is to be spared, if the others can do without it.
    pub(crate) fn without_spare(
        &mut self,
        t: f64,
        cluster: &Cluster,
        staying: Vec<ContactIx>,
    ) -> Vec<ContactIx> {
        let Some(spare) = self.spared.take() else {
            return staying;
        };
        let others: Vec<ContactIx> = staying.iter().copied().filter(|id| *id != spare).collect();
        if others.len() < staying.len() && self.can_do_without(t, cluster, &others, spare) {
            others
        } else {
            staying
        }
    }

    fn can_do_without(&mut self, t: f64, cluster: &Cluster, others: &[ContactIx], spare: ContactIx) -> bool {
        let found = self.accelerations_beside(t, cluster, others, &[spare]);
        found.is_some_and(|g| g.iter().all(|g| *g >= -self.system.still()))
    }

    /// g̈_N of some contacts, with the forces of the contact node over others; none where it finds none.
    pub(crate) fn accelerations_beside(
        &mut self,
        t: f64,
        cluster: &Cluster,
        held: &[ContactIx],
        beside: &[ContactIx],
    ) -> Option<Vec<f64>> {
        let outcome = self.sustained(t, cluster, held).ok()?;
        self.evaluation.forces = match outcome {
            Some(outcome) => outcome.forces,
            None if held.is_empty() => Vec::new(),
            None => return None,
        };
        self.evaluation.add_contact_forces();
        let accelerations = &self.evaluation.accelerations;
        let near = crate::pieces::near_borders(&self.system);
        let moving = |e: EntityId| cluster.entities.binary_search(&e).ok();
        let zero = dyverse_mech::GeneralizedVelocity::zero();
        let of = |e: EntityId| moving(e).map_or(zero, |place| accelerations[place]);
        let state = |e: EntityId| self.system.state_among(&cluster.entities, &cluster.states, e);
        let all = beside.iter().map(|id| {
            let data = self.system.contact(*id);
            let (a, b) = data.entities();
            let k = data
                .pair
                .kinematics_ahead(&state(a), &state(b), None, near)
                .ok()?;
            Some(k.acceleration(&of(a), &of(b)).0)
        });
        all.collect()
    }
}
