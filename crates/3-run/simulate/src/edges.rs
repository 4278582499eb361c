//! How the friction of slipping contacts stands after an event: in which band of its curve (curve.rs) the slip speed is, or on which edge.

use crate::impact::Cluster;
use crate::index::ContactIx;
use crate::loads::Stand;
use crate::run::{Halt, Run};
use crate::sliding::SurfaceId;
use crate::switches::Open;
use std::collections::BTreeMap;

/// A speed that is said to be on an edge of friction is within this part of it.
const NEAR_EDGE: f64 = 1e-6;

/// The slip speed of a contact whose friction switches.
pub(crate) struct Slip {
    pub(crate) contact: ContactIx,
    speed: f64,
    noise: f64,
}

impl Run<'_> {
    /// The slip speeds of contacts whose friction switches, with their edges.
    pub(crate) fn slips(
        &mut self,
        t: f64,
        cluster: &Cluster,
        staying: &[ContactIx],
        contacts: Vec<ContactIx>,
    ) -> Result<Vec<Slip>, Halt> {
        if contacts.is_empty() {
            return Ok(Vec::new());
        }
        self.evaluate_cluster(t, cluster, staying)?;
        let mut slips = Vec::with_capacity(contacts.len());
        for contact in contacts {
            let Some(number) = staying.iter().position(|id| *id == contact) else {
                continue;
            };
            let [u, v] = self.evaluation.kinematics[number].tangential_velocity;
            let noise = self
                .evaluation
                .slip_noise(&self.system, &cluster.entities, number);
            let speed = u.hypot(v);
            self.system.find_edges(contact, speed)?;
            slips.push(Slip {
                contact,
                speed,
                noise,
            });
        }
        Ok(slips)
    }

    /// How the friction of a contact stands, if that is clear; gives the edge that its speed is on.
    pub(crate) fn stand_of_slip(
        &mut self,
        slip: &Slip,
        chosen: &BTreeMap<SurfaceId, Stand>,
        rushed: &[SurfaceId],
    ) -> Option<Open> {
        let id = SurfaceId::Slip(slip.contact);
        let hint = self.switching.hints.iter().find(|hint| hint.id == id);
        if let Some(stand) = chosen.get(&id) {
            self.evaluation.set_stand(id, *stand);
            return None;
        }
        let curve = self.system.contact(slip.contact).curve()?;
        // What is at rest begins to slip in the lowest band.
        let mut band = 0.0;
        let mut open = None;
        if slip.speed > self.system.tolerances.velocity {
            band = curve.band(slip.speed) as f64;
            if let Some(to) = hint.and_then(|hint| hint.leaves_to) {
                band = to;
            } else if let Some((number, edge)) = curve.nearest(slip.speed) {
                let is_rushed = rushed.contains(&id);
                let is_hinted = hint.is_some() || is_rushed;
                let near = if is_hinted { NEAR_EDGE * edge } else { 0.0 };
                let (low, high) = (number as f64, number as f64 + 1.0);
                if (slip.speed - edge).abs() <= near.max(slip.noise) {
                    band = low;
                    open = Some(Open {
                        id,
                        low,
                        high,
                        from: None,
                        is_rushed,
                    });
                }
            }
        }
        self.evaluation.set_stand(id, Stand::On(band));
        open
    }
}
