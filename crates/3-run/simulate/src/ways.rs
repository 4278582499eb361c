//! The edges by which a run gets from a location to what the contact node finds [SPEC §3 "Guards"].
//!
//! The node knows at once which contacts stay closed, and how. The automaton gets there by edges, and the guard of each asks the state and the forces of the location that is left:
//!
//! | there | way |
//! |---|---|
//! | contacts close | through the impact node, which holds all of them (rules 6, 8) |
//! | some λ_N < 0, and the node opens these | without them (rules 7, 8) |
//! | some λ_N < 0, and the node keeps some of these, because others change their modes as well | without them (7, 8); then they close again, too slowly to strike (6, 8) |
//! | no λ_N < 0: one breaks away, or stops | all stay (rule 3) |
//!
//! A contact that the node leaves without a force goes after it (rules 7, 8). Forces of redundant contacts are one choice of many: there those are negative that the node opens.

use crate::impact::Cluster;
use crate::index::ContactIx;
use crate::island::{Active, pack_all};
use crate::log::Closed;
use crate::recorder::Settling;
use crate::run::{Halt, Run};
use dyverse_machine::Stage;
use dyverse_mech::Triple;
use dyverse_trace::TransitionKind;
use std::collections::BTreeMap;

/// What a contact node makes of its contacts.
pub(crate) struct Made<'a> {
    /// As it leaves them.
    pub(crate) at_first: &'a Closed,
    /// Without those that have no force, and open.
    pub(crate) at_last: &'a Closed,
    /// The contacts in it, with their forces.
    pub(crate) contacts: &'a [ContactIx],
    pub(crate) forces: &'a [Triple],
}

/// Normal forces in the location that is left.
#[derive(Default)]
pub(crate) struct Pulled {
    normal: BTreeMap<ContactIx, f64>,
    is_redundant: bool,
}

impl Run<'_> {
    /// The normal forces of the location with which a cluster came here; none where it has none.
    pub(crate) fn pulled(&mut self, t: f64, cluster: &Cluster) -> Pulled {
        let left: &[Active] = &cluster.left;
        if left.is_empty() {
            return Pulled::default();
        }
        let x = pack_all(&cluster.states);
        let mut dx = vec![0.0; x.len()];
        self.evaluation.anchor = t;
        let found = self
            .evaluation
            .right_hand_side(&self.system, &cluster.entities, left, t, &x, &mut dx);
        if found.is_err() {
            return Pulled::default();
        }
        let normal = left.iter().zip(&self.evaluation.forces);
        Pulled {
            normal: normal.map(|(active, force)| (active.contact, force[0])).collect(),
            is_redundant: self.evaluation.are_forces_redundant(),
        }
    }

    /// The transitions through the contact node, and out of it again where contacts open there.
    pub(crate) fn record_node(
        &mut self,
        t: f64,
        cluster: &Cluster,
        (mut from, mut kind): (Stage, TransitionKind),
        made: &Made<'_>,
        pulled: &Pulled,
    ) -> Result<(), Halt> {
        let Made {
            at_first, at_last, ..
        } = *made;
        let opens = at_first.len() > at_last.len();
        let inside = self.recorder.closed.among(&cluster.entities);
        if kind == TransitionKind::Contact && *at_last == inside {
            // Nothing changed but the direction of a slip that did not stop; or what came to touch does not press, and goes. A slip that stops and goes on the other way is trans for an instant.
            self.recorder.passed_by += usize::from(opens);
            return Ok(());
        }
        let is_closing = |id: &&ContactIx| !inside.contains_key(*id);
        let mut closing: Vec<ContactIx> = at_first.keys().filter(is_closing).copied().collect();
        // Those that go at once.
        let mut going = Closed::new();
        if kind == TransitionKind::Contact && closing.is_empty() {
            going = self.going(&inside, at_last, pulled);
            if going.keys().any(|id| at_last.contains_key(id)) {
                self.let_go(t, cluster, &inside, &going)?;
                closing = going
                    .keys()
                    .filter(|id| at_first.contains_key(id))
                    .copied()
                    .collect();
                going.clear();
            }
        }
        if kind == TransitionKind::Contact && !closing.is_empty() {
            // They close too slowly to strike.
            from = self.recorder.enter_impact(TransitionKind::Impact, &closing);
            kind = TransitionKind::AfterImpact;
        }
        let mut modes = at_first.clone();
        modes.retain(|id, _| !going.contains_key(id));
        let inside = self.recorder.closed.among(&cluster.entities);
        let settling = Settling {
            kind,
            from,
            inside: &inside,
            modes: &modes,
            contacts: made.contacts,
            forces: made.forces,
        };
        self.recorder.settle(&self.system, &settling);
        if modes.len() > at_last.len() {
            let inside = self.recorder.closed.among(&cluster.entities);
            let opening = Settling {
                kind: TransitionKind::Open,
                from: Stage::Location,
                inside: &inside,
                modes: at_last,
                ..settling
            };
            self.recorder.settle(&self.system, &opening);
        }
        Ok(())
    }

    /// The named contacts whose normal force is negative in the location that is left. One that the node opens counts where its force is 0 within the tolerance.
    fn going(&self, inside: &Closed, at_last: &Closed, pulled: &Pulled) -> Closed {
        let tolerance = self.system.tolerances.force;
        let goes = |id: &ContactIx| {
            let Some(normal) = pulled.normal.get(id) else {
                return false;
            };
            if at_last.contains_key(id) {
                !pulled.is_redundant && *normal < -2.0 * tolerance
            } else {
                pulled.is_redundant || *normal <= tolerance
            }
        };
        let own = inside.iter().filter(|(id, _)| goes(id));
        own.map(|(id, mode)| (*id, *mode)).collect()
    }

    /// Contacts whose forces are negative go, and the others get modes without them.
    fn let_go(&mut self, t: f64, cluster: &Cluster, inside: &Closed, going: &Closed) -> Result<(), Halt> {
        let is_here = |id: &ContactIx| !going.contains_key(id);
        let rest: Vec<ContactIx> = inside.keys().copied().filter(is_here).collect();
        let outcome = self.sustained(t, cluster, &rest)?;
        let limits = self.system.thresholds;
        let mut modes = Closed::new();
        for (number, id) in rest.iter().enumerate() {
            let mode = outcome.as_ref().and_then(|o| self.mode_of(o, number, &limits));
            modes.insert(*id, self.named_mode(mode, outcome.as_ref(), number));
        }
        // The inner steps at hand are those of the node to come.
        let steps = std::mem::take(&mut self.recorder.inside_node);
        let settling = Settling {
            kind: TransitionKind::Contact,
            from: Stage::Location,
            inside,
            modes: &modes,
            contacts: &rest,
            forces: outcome.as_ref().map_or(&[][..], |o| &o.forces),
        };
        self.recorder.settle(&self.system, &settling);
        self.recorder.inside_node = steps;
        Ok(())
    }
}
