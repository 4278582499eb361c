//! Clatter: impacts of a set of contacts that accumulate together, closed as a whole.
//!
//! A body that comes to rest on several contacts does not bounce at one of them: an impact at one edge throws the other up, each time by a part of what it was before, whatever the restitution is. No
//! contact alone tells that this ends, and its sequence of impacts has no closed form. So the touching set is judged after every impact:
//!
//! > K: all contacts with g_N ≤ ε, ε the gap tolerance. C ⊂ K: those that do not rise (ġ_N ≤ the velocity tolerance), and those that rise slowly and have e < 1.
//! > u' = u + M⁻¹W ν with ġ_N(C) = 0, and with ġ_T = 0 for those of C that have friction and do not slip: the nearest such velocity in the metric of M, so that ½u'ᵀMu' ≤ ½uᵀMu.
//! > λ: the forces of the contact node over C at u'. A rising contact is low if it is pressed there, A_jj λ_N,j > 0, falls back while those of C that do not rise hold, −g̈_N,j > 0, and would with the smaller of both, a_j,
//! > rise no higher than ε: g_N + ġ_N²/(2 a_j) ≤ ε. (What is light between others is pressed hard, and falls no faster for it.)
//!
//! Those that are not low leave C, and so do others that the node opens, until all that are left are low. Then, if all others of K rise at u' too, the set is closed: velocities become u', and the trace has it as an accumulation
//! (`zeno`) at this instant, whose jump and impulses ν are those of all bounces that are left out, taken together. Impulses of what is held down are negative: on average a bounce left out pulls.
//!
//! In an impact restitution is judged by the set too: it is left out at all contacts of a group that share moving entities, or at none. Some corners of one body with restitution and some without ask for
//! velocities that no rigid body has.
//!
//! # Guarantee
//! To tolerance: no point of what is closed is farther from where its bounces would have it than ε while they last. Energy is never added: what u' has less is booked as work of impacts.
//! With e = 1 nothing is closed.

use crate::guards::ContactAt;
use crate::impact::{Cluster, SLOW_IMPACT};
use crate::index::ContactIx;
use crate::island::Active;
use crate::loads::{components, join};
use crate::projection::{add_twist, kinetic, resting};
use crate::run::{Halt, Run};
use dyverse_machine::{Move, Phase, Standing};
use dyverse_mech::{ContactKinematics, Delassus, EntityState, Triple};
use dyverse_trace::TransitionKind;
use std::collections::BTreeMap;

/// A set of contacts that is closed.
struct Clatter {
    contacts: Vec<ContactIx>,
    impulses: Vec<Triple>,
    states: Vec<EntityState<f64>>,
}

impl Run<'_> {
    /// After an impact: closes the set of contacts that clatters, if one does. Gives the contacts that stay closed then; `active` if none.
    pub(crate) fn close_clatter(
        &mut self,
        t: f64,
        cluster: &mut Cluster,
        active: Vec<Active>,
    ) -> Result<Vec<Active>, Halt> {
        let Some(Clatter {
            contacts,
            impulses,
            states,
        }) = self.clatter(t, cluster)?
        else {
            return Ok(active);
        };
        self.sample_now(cluster, t);
        let exit = self.recorder.enter_impact(TransitionKind::Zeno, &contacts);
        let before = std::mem::replace(&mut cluster.states, states);
        self.recorder.balance.work_of_impacts += kinetic(&self.system, &cluster.entities, &cluster.states)
            - kinetic(&self.system, &cluster.entities, &before);
        let changes = self.recorder.changes(&cluster.entities, &before, &cluster.states);
        if let Some(last) = self.recorder.log.last_mut() {
            last.changes = changes;
            last.forces = contacts.iter().copied().zip(impulses).collect();
        }
        // They are closed in name too.
        contacts.iter().for_each(|id| {
            cluster.accumulating.remove(id);
        });
        self.contact_node(t, cluster, &contacts, exit, TransitionKind::AfterImpact, false)
    }

    fn clatter(&mut self, t: f64, cluster: &Cluster) -> Result<Option<Clatter>, Halt> {
        let near = self.near(cluster, t)?;
        let mut ids = near.clone();
        let slow = SLOW_IMPACT * self.system.scales.velocity;
        // Each round leaves one out at the least.
        for _ in 0..=ids.len() {
            self.evaluate_cluster(t, cluster, &ids)?;
            let at = &self.evaluation;
            let rises: Vec<bool> = at.kinematics.iter().map(|k| self.rises(k)).collect();
            let speeds: Vec<(f64, f64)> = at.kinematics.iter().map(|k| (k.gap, k.normal_velocity)).collect();
            let is_fast =
                |n: usize| rises[n] && (speeds[n].1 > slow || self.system.contact(ids[n]).restitution >= 1.0);
            let count = ids.len();
            let slower: Vec<ContactIx> = (0..count).filter(|n| !is_fast(*n)).map(|n| ids[n]).collect();
            if slower.len() < count {
                ids = slower;
                continue;
            }
            if !rises.contains(&true) {
                return Ok(None);
            }
            // Bounces have no couples.
            let (impulses, twists) = resting(&self.system, at, self.system.tolerances.velocity, false)
                .map_err(|fault| self.fault(fault, t))?;
            let mut states = cluster.states.clone();
            for (state, twist) in states.iter_mut().zip(twists) {
                add_twist(state, &twist);
            }
            let rested = Cluster::at(cluster.entities.clone(), states);
            let Ok(Some(outcome)) = self.sustained(t, &rested, &ids) else {
                return Ok(None);
            };
            let own = &self.evaluation.directions[..self.evaluation.ids.len()];
            let Ok(delassus) = Delassus::from_contacts(&self.evaluation.masses, own) else {
                return Ok(None);
            };
            let (rising, held): (Vec<usize>, Vec<usize>) = (0..count).partition(|n| rises[*n]);
            let [rising, held] = [rising, held].map(|all| all.iter().map(|n| ids[*n]).collect::<Vec<_>>());
            let falls = self.accelerations_beside(t, &rested, &held, &rising).into_iter();
            let falls: BTreeMap<ContactIx, f64> = rising.into_iter().zip(falls.flatten()).collect();
            let stays = |n: &usize| {
                let (gap, speed) = speeds[*n];
                let block = delassus.block(*n, *n).map_or(0.0, |block| block[0][0]);
                let fall = falls.get(&ids[*n]).map_or(f64::INFINITY, |g| -g);
                let pressing = (block * outcome.forces[*n][0]).min(fall);
                !outcome.opens[*n] && (!rises[*n] || self.is_low(gap, speed, pressing))
            };
            let staying: Vec<ContactIx> = (0..count).filter(stays).map(|n| ids[n]).collect();
            if staying.len() == count {
                let others: Vec<ContactIx> = near.iter().copied().filter(|id| !ids.contains(id)).collect();
                if !self.all_rise(t, &rested, &others)? {
                    return Ok(None);
                }
                return Ok(Some(Clatter {
                    contacts: ids,
                    impulses,
                    states: rested.states,
                }));
            }
            ids = staying;
        }
        Ok(None)
    }

    /// Whether contacts rise in a state: what is closed must not press others together.
    fn all_rise(&mut self, t: f64, cluster: &Cluster, ids: &[ContactIx]) -> Result<bool, Halt> {
        self.evaluate_cluster(t, cluster, ids)?;
        Ok(self.evaluation.kinematics.iter().all(|k| self.rises(k)))
    }

    /// Whether a contact leaves after an impact.
    pub(crate) fn rises(&self, k: &ContactKinematics<f64>) -> bool {
        let limits = &self.system.thresholds;
        ContactAt::moving(k).does(Phase::ImpactExit, Standing::Held, limits) == Some(Move::Leaves)
    }

    /// The groups of some contacts that share moving entities, directly or through others.
    pub(crate) fn groups_of(&self, ids: &[ContactIx]) -> Vec<Vec<usize>> {
        let mut parent: Vec<usize> = (0..ids.len()).collect();
        let mut first = BTreeMap::new();
        for (number, id) in ids.iter().enumerate() {
            let (a, b) = self.system.contact(*id).entities();
            for entity in [a, b].into_iter().filter(|e| !self.system.bodies[*e].is_fixed) {
                let other = *first.entry(entity).or_insert(number);
                join(&mut parent, number, other);
            }
        }
        components(&mut parent, |_| true)
    }
}
