//! The impulses of an impact: by the model's policy, and by the law of each contact.
//!
//! | contacts that share moving entities, directly or through others | collide |
//! |---|---|
//! | under `impacts sequential` | one after another, in its order |
//! | of one law, Newton's or Poisson's; one contact alone, by whatever law | together |
//! | of different laws, or several with the energetic law | one after another, the first of the contact list first, each by its own law |
//!
//! # Guarantee
//! To tolerance, as the laws of `dyverse-mech`. Where no impulses are found the run stops and says why.

use crate::index::ContactIx;
use crate::run::{Halt, Run};
use dyverse_mech::{
    Collision, CollisionOrder, Delassus, ImpactContact, ImpactOptions, ImpactOutcome, SequentialOptions,
    SolveReport, is_joint, solve_impact_apart, solve_impact_by, solve_impact_sequential_by,
};
use dyverse_model::ImpactOrder;
use dyverse_trace::StopReason;

impl Run<'_> {
    /// The law of a contact in an impact.
    pub(crate) fn impact_contact(&self, id: ContactIx, place: usize) -> ImpactContact {
        let data = self.system.contact(id);
        let k = &self.evaluation.kinematics[place];
        ImpactContact {
            velocity: [
                k.normal_velocity,
                k.tangential_velocity[0],
                k.tangential_velocity[1],
            ],
            restitution_normal: data.restitution,
            restitution_tangential: data.tangential_restitution,
            friction: self.evaluation.friction[place],
            law: data.impact,
        }
    }

    /// Impulses by the model's impact policy and the contacts' laws, those of what collides together before a sequence, and the collisions of the sequence.
    #[allow(clippy::type_complexity)]
    pub(crate) fn impulses(
        &mut self,
        delassus: &Delassus,
        contacts: &[ImpactContact],
        ids: &[ContactIx],
    ) -> Result<(ImpactOutcome, Vec<(usize, [f64; 3])>, Vec<Collision>), Halt> {
        let energy = self.system.model.impact_energy();
        let options = ImpactOptions {
            energy,
            opening_speed: self.system.tolerances.velocity,
            solver: self.system.impulse_options(),
        };
        let sequential = SequentialOptions {
            closing_speed: self.system.tolerances.velocity,
            energy,
            solver: self.system.impulse_options(),
            ..Default::default()
        };
        let not_found = |what: String| StopReason::ForcesNotFound {
            contacts: ids
                .iter()
                .map(|c| self.system.contact(*c).label.clone())
                .collect(),
            detail: what,
        };
        let mut made = Vec::new();
        let mut together = Vec::new();
        let friction = |j: usize, rate: &[f64; 3]| {
            if self.system.contact(ids[j]).is_friction_constant() {
                return contacts[j].friction;
            }
            self.system
                .friction_in_state(ids[j], rate[1].hypot(rate[2]), None)
        };
        let is_joint = |group: &Vec<usize>| is_joint(group, |j| contacts[j].law);
        let outcome = match self.system.model.impacts().order() {
            // Compression and restitution are phases of one impact: there is no moment between them.
            None if delassus.groups().iter().all(is_joint) => {
                solve_impact_by(delassus, contacts, &options).map_err(|error| not_found(error.to_string()))
            }
            None => solve_impact_apart(delassus, contacts, &friction, &sequential)
                .map(|(outcome, first, collisions)| {
                    (together, made) = (first, collisions);
                    outcome
                })
                .map_err(|error| not_found(error.to_string())),
            Some(order) => {
                let order = match order {
                    ImpactOrder::Random(seed) => CollisionOrder::Random {
                        seed: seed
                            .wrapping_add(self.impacts_before)
                            .wrapping_add(self.recorder.statistics.impacts as u64),
                    },
                    ImpactOrder::First | ImpactOrder::Any => CollisionOrder::First,
                };
                solve_impact_sequential_by(delassus, contacts, order, &friction, &sequential)
                    .map(|(mut outcome, collisions)| {
                        outcome.reports = collisions.iter().map(|c| c.report).collect();
                        made = collisions;
                        outcome
                    })
                    .map_err(|error| not_found(error.to_string()))
            }
        }?;
        outcome.reports.iter().for_each(|report| self.note_report(report));
        Ok((outcome, together, made))
    }

    pub(crate) fn note_report(&mut self, report: &SolveReport) {
        let statistics = &mut self.recorder.statistics;
        statistics.sweeps += report.sweeps;
        statistics.largest_residual = statistics.largest_residual.max(report.residual);
        let asked = self.system.force_options().residual_tolerance;
        statistics.rough_forces += usize::from(report.residual > asked);
    }
}
