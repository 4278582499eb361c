//! Where the closest point of a closed contact goes from one part of a surface to the next.
//!
//! There its bias jumps, and with it the forces: the step ends. Where faces lie on each other it is there, too, that the polygon that they share gets other vertices: a corner leaves the
//! other's face and two edges begin to cross, or cease to. All of these touch at that instant and move without closing or opening; the contact node tells which of them go on.
//!
//! # Method
//! A step is made on one piece of each contact ([`Piece`]): its closest points go on smoothly beyond the border, so that the flow does not see the jump, and what comes after it is thrown away. The
//! functions that tell the piece are searched for a change of their sign along the step. A contact on a border has the piece that it goes to; at rest there, that inside.
//!
//! # Guarantee
//! That of the search for crossings; a border that is met and left on the same side is no event.

use crate::crossing::{Found, first_downward};
use crate::impact::Cluster;
use crate::index::{ContactIx, IslandIx};
use crate::island::{Evaluation, Island};
use crate::loads::{STATE, unpack};
use crate::queue::{Coming, Entry};
use crate::run::{Halt, Run};
use crate::system::System;
use dyverse_mech::{MOST_PIECES, Piece, SustainedOutcome};
use dyverse_model::EntityId;
use dyverse_trace::StopReason;
use std::collections::BTreeSet;

/// Roundings of the coordinates that a function is known to.
const ROUNDINGS: f64 = 8.0;

/// What counts as on a border of two pieces, m, and as at rest there, m/s.
pub(crate) fn near_borders(system: &System<'_>) -> (f64, f64) {
    Piece::near(system.scales.length, system.tolerances.velocity)
}

impl Evaluation {
    pub(crate) fn piece(&self, contact: ContactIx) -> Option<Piece> {
        self.pieces.get(contact).copied().flatten()
    }

    pub(crate) fn set_piece(&mut self, contact: ContactIx, piece: Option<Piece>) {
        self.pieces.set(contact, piece);
    }
}

impl Run<'_> {
    /// Holds the pieces of an island's closed contacts for the step that it begins.
    pub(crate) fn hold_pieces(&mut self, island: &Island) {
        let states: Vec<_> = island.integrator.x().chunks_exact(STATE).map(unpack).collect();
        for active in &island.active {
            let (a, b) = self.system.contact(active.contact).entities();
            let state = |e: EntityId| self.system.state_among(&island.entities, &states, e);
            let pair = &self.system.contact(active.contact).pair;
            let near = near_borders(&self.system);
            let piece = (pair.pieces() > 0).then(|| pair.piece(&state(a), &state(b), near));
            self.evaluation.set_piece(active.contact, piece);
        }
    }

    /// The next border that a closed contact of the island comes to.
    pub(crate) fn predict_pieces(&mut self, id: IslandIx) -> Result<(), Halt> {
        let Some(island) = &self.islands[id] else {
            return Ok(());
        };
        let version = island.version;
        if let Some(time) = self.first_border(island)? {
            self.queue.push(Entry {
                time,
                coming: Coming::Piece { island: id },
                versions: (version, 0),
            });
        }
        Ok(())
    }

    fn first_border(&self, island: &Island) -> Result<Option<f64>, Halt> {
        let (from, mut to) = (island.step().t0(), island.step().t1());
        let (border, _) = near_borders(&self.system);
        let mut found = None;
        for active in &island.active {
            let data = self.system.contact(active.contact);
            let count = data.pair.pieces();
            if count == 0 {
                continue;
            }
            let (a, b) = data.entities();
            let (first, second) = (self.motion(a), self.motion(b));
            let Some(piece) = self.evaluation.piece(active.contact) else {
                continue;
            };
            let at = |t: f64| {
                data.pair
                    .piece_functions(&first.placement(t), &second.placement(t), &piece)
            };
            let size = first.position(from).norm() + second.position(from).norm();
            let noise = ROUNDINGS * f64::EPSILON * (size + self.system.scales.length);
            for number in 0..count.min(MOST_PIECES) {
                match first_downward(&mut |t| at(t)[number], (from, to), border, noise) {
                    Found::None => {}
                    Found::At(t) => {
                        to = t;
                        found = Some(t);
                    }
                    Found::NotIsolated => {
                        return Err(StopReason::CrossingNotIsolated {
                            of: format!("where the closest point of {} goes", data.label),
                        });
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether the place of a contact of a cluster is its own, and stays so.
    fn is_own(&self, contact: ContactIx, cluster: &Cluster) -> bool {
        let data = self.system.contact(contact);
        let (a, b) = data.entities();
        let state = |e: EntityId| self.system.state_among(&cluster.entities, &cluster.states, e);
        data.pair.is_own(&state(a), &state(b), near_borders(&self.system))
    }

    /// Those of some contacts whose places are their own; none if that is all of them. Where it is nobody, all but sharp ones.
    pub(crate) fn own_among(&self, cluster: &Cluster, contacts: &[ContactIx]) -> Option<Vec<ContactIx>> {
        let own = contacts.iter().copied().filter(|id| self.is_own(*id, cluster));
        let mut own: Vec<ContactIx> = own.collect();
        if own.is_empty() {
            // Somebody must bear; but a sharp feature bears nothing beyond its end.
            let is_sharp = |id: &ContactIx| self.system.contact(*id).pair.is_sharp();
            own = contacts.iter().copied().filter(|id| !is_sharp(id)).collect();
        }
        (own.len() < contacts.len()).then_some(own)
    }

    /// The contact node over contacts of which some have places that become another's: the others bear, and these open.
    pub(crate) fn sustained_by_own(
        &mut self,
        t: f64,
        cluster: &Cluster,
        staying: &[ContactIx],
        own: &[ContactIx],
    ) -> Result<Option<SustainedOutcome>, Halt> {
        let found = self.sustained(t, cluster, own)?;
        self.evaluate_cluster(t, cluster, staying)?;
        Ok(found.map(|mut outcome| {
            let rest = |of: &usize| staying.get(*of).is_some_and(|id| !own.contains(id));
            // Those that open are put in their places, ascending.
            for (place, _) in staying.iter().enumerate().filter(|(_, id)| !own.contains(*id)) {
                outcome.forces.insert(place, [0.0; 3]);
                outcome.accelerations.insert(place, [0.0; 3]);
                outcome.opens.insert(place, true);
            }
            for (number, couple) in self.evaluation.couples.iter().enumerate() {
                if rest(&couple.of) {
                    let place = staying.len() + number;
                    outcome.forces.insert(place, [0.0; 3]);
                    outcome.accelerations.insert(place, [0.0; 3]);
                }
            }
            outcome
        }))
    }

    /// A closed contact comes to a border: what touches is found anew, and the contact node tells how it goes on.
    pub(crate) fn end_piece(&mut self, t: f64, island: IslandIx) -> Result<(), Halt> {
        let cluster = self.gather(t, BTreeSet::from([island]), 0.0)?;
        self.resolve_cluster(t, cluster, false)
    }
}
