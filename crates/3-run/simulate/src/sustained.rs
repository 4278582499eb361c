//! The contact node: which closed contacts stay closed, and how each of them stays.

use crate::guards::ContactAt;
use crate::impact::Cluster;
use crate::island::{Active, Mode, Pace};
use crate::log::{Closed, Taken, settled};
use crate::predict::departure;
use crate::run::{Halt, Run};
use crate::ways::{Made, Pulled};
use dyverse_machine::{FrictionMode, Move, NodeKind, Phase, Stage, Standing, Thresholds};
use dyverse_mech::{
    ContactKinematics, ContactMode, Delassus, SustainedError, SustainedOptions, SustainedOutcome,
    solve_sustained,
};
use dyverse_trace::{StopReason, TransitionKind};
use std::collections::BTreeSet;

/// How often in a run a contact may creep away from zero and be caught again.
const MOST_CREEPS: usize = 1000;

impl Run<'_> {
    /// A guard of a closed contact is crossed: forces and modes are found anew.
    pub(crate) fn cross_guard(&mut self, t: f64, island: usize, _contact: usize) -> Result<(), Halt> {
        self.check_departures(t, island)?;
        let before = self.islands[island]
            .as_ref()
            .map(|i| i.active.iter().map(named).collect::<Vec<_>>());
        let mut cluster = self.gather(t, BTreeSet::from([island]), 0.0)?;
        let touching = self.touching(&cluster, t)?;
        let ids: Vec<usize> = touching.iter().map(|(id, _)| *id).collect();
        // The same modes again: another choice of the forces of redundant contacts crosses no guard.
        let outcome = self.sustained(t, &cluster, &ids)?;
        let after = outcome.map(|o| {
            let modes = (0..ids.len()).map(|n| self.mode_of(&o, n, &self.system.thresholds));
            ids.iter().copied().zip(modes).collect::<Vec<_>>()
        });
        cluster.asks_node = before.is_some()
            && before == after
            && after.is_some_and(|a| a.iter().any(|(_, m)| *m == Some(FrictionMode::Stick)));
        self.resolve_cluster(t, cluster, false)
    }

    /// A contact whose velocity creeps away from zero is one that its force cannot hold: flat parts of two surfaces lie on each other, and the closest
    /// points go to and fro between their ends. If that does not end soon, the run does. One that jumps away closes or opens anew.
    fn check_departures(&mut self, t: f64, island: usize) -> Result<(), Halt> {
        let Some(own) = &self.islands[island] else {
            return Ok(());
        };
        let found = self.evaluation.kinematics_during(&self.system, own, t);
        found.map_err(|fault| self.fault(fault, t))?;
        let limit = self.departs_at();
        let creeping = |speed: f64| speed > limit && speed < 2.0 * limit;
        let found = own.active.iter().zip(&self.evaluation.kinematics);
        let contacts: Vec<String> = found
            .filter(|(active, k)| creeping(departure(active, k)))
            .map(|(active, _)| self.system.contact(active.contact).label.clone())
            .collect();
        self.creeps += usize::from(!contacts.is_empty());
        if contacts.is_empty() || self.creeps <= MOST_CREEPS {
            return Ok(());
        }
        Err(flat_on_each_other(contacts))
    }

    /// Through the contact node over the contacts of `ids` that do not open: gives those that stay closed.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn contact_node(
        &mut self,
        t: f64,
        cluster: &mut Cluster,
        ids: &[usize],
        from: Stage,
        kind: TransitionKind,
        is_silent: bool,
    ) -> Result<Vec<Active>, Halt> {
        self.evaluate_cluster(t, cluster, ids)?;
        let limits = self.system.thresholds;
        let leaves = |k: &ContactKinematics<f64>| {
            ContactAt::moving(k).does(Phase::ImpactExit, Standing::Held, &limits) == Some(Move::Leaves)
        };
        let staying: Vec<usize> = ids
            .iter()
            .zip(&self.evaluation.kinematics)
            .filter(|(_, k)| !leaves(k))
            .map(|(id, _)| *id)
            .collect();
        self.settle(t, cluster, &staying)?;
        let pulled = if kind == TransitionKind::Contact && !is_silent {
            self.pulled(t, cluster)
        } else {
            Pulled::default()
        };
        let starting = self.starting(t, cluster, &staying);
        let outcome = self.sustained(t, cluster, &staying)?;
        let mut active = Vec::new();
        let (mut at_first, mut at_last) = (Closed::new(), Closed::new());
        for (number, id) in staying.iter().enumerate() {
            let k = &self.evaluation.kinematics[number];
            let [x, y] = k.tangential_velocity;
            let mode = outcome.as_ref().and_then(|o| self.mode_of(o, number, &limits));
            let direction = match (mode, &outcome) {
                (Some(FrictionMode::Trans), Some(o)) => {
                    unit([o.accelerations[number][1], o.accelerations[number][2]])
                }
                _ => unit([x, y]),
            };
            let named = self.named_mode(mode, number);
            let pending = cluster.accumulating.get(id).copied().filter(|until| *until > t);
            if pending.is_none() {
                at_first.insert(*id, named);
            }
            let Some(mode) = mode else {
                self.evaluation.set_grip(*id, None);
                continue;
            };
            if pending.is_none() {
                at_last.insert(*id, named);
            }
            let is_frictionless = self.system.contact(*id).is_frictionless();
            let mode = if mode == FrictionMode::Stick && !is_frictionless {
                Mode::Stick
            } else {
                Mode::Slip(direction)
            };
            active.push(Active {
                contact: *id,
                mode,
                reference: k.reference,
                // One without friction that is at rest is named so until it moves.
                pace: if mode != Mode::Stick
                    && (starting[number] || is_frictionless && named == FrictionMode::Stick)
                {
                    Pace::Starting
                } else {
                    Pace::Fast
                },
                zeno_until: pending,
            });
        }
        if is_silent {
            self.recorder.set_closed(&self.system, &settled(&at_last));
        } else {
            if self.options.show_nodes && !staying.is_empty() {
                self.recorder.inside_node = self.contact_node_steps(&staying);
            }
            let forces = outcome.as_ref().map_or(&[][..], |o| &o.forces);
            let made = Made {
                at_first: &at_first,
                at_last: &at_last,
                contacts: &staying,
                forces,
            };
            self.record_node(t, cluster, (from, kind), &made, &pulled)?;
            // Where the node was not entered after all, its steps are nobody's.
            self.recorder.inside_node.clear();
        }
        Ok(active)
    }

    /// The inner steps of the contact node over `staying`, whose contacts were evaluated last.
    fn contact_node_steps(&self, staying: &[usize]) -> Vec<Taken> {
        let at = &self.evaluation;
        let Ok(delassus) = Delassus::from_contacts(&at.masses, &at.directions) else {
            return Vec::new();
        };
        let slip_speed = self.system.tolerances.velocity;
        let contacts = at.sustained_contacts();
        let laws = contacts.iter().map(|contact| contact.law(slip_speed)).collect();
        self.node_steps(NodeKind::Contact, staying, &delassus, laws)
    }

    /// How a contact that was evaluated last is named in the location that the node leads to. One that opens has no acceleration to start with: how it moves tells its mode.
    pub(crate) fn named_mode(&self, mode: Option<FrictionMode>, number: usize) -> FrictionMode {
        let moving = ContactAt::moving(&self.evaluation.kinematics[number]);
        mode.or_else(|| moving.mode(&self.system.thresholds))
            .unwrap_or(FrictionMode::Stick)
    }

    /// The mode that the contact node gives a contact that was evaluated last; none if it opens.
    pub(crate) fn mode_of(
        &self,
        outcome: &SustainedOutcome,
        number: usize,
        limits: &Thresholds,
    ) -> Option<FrictionMode> {
        if outcome.modes[number] == ContactMode::Open {
            return None;
        }
        let contact = ContactAt {
            acceleration: outcome.accelerations[number],
            ..ContactAt::moving(&self.evaluation.kinematics[number])
        };
        contact.mode(limits)
    }

    pub(crate) fn sustained(
        &mut self,
        t: f64,
        cluster: &Cluster,
        staying: &[usize],
    ) -> Result<Option<SustainedOutcome>, Halt> {
        self.sustained_at(t, cluster, staying, self.system.tolerances.velocity)
    }

    /// Which contacts slip no faster than slowly and could not stick.
    fn starting(&mut self, t: f64, cluster: &Cluster, staying: &[usize]) -> Vec<bool> {
        let slip = |k: &dyverse_mech::ContactKinematics<f64>| {
            let [x, y] = k.tangential_velocity;
            x.hypot(y)
        };
        let limit = self.system.slow();
        let is_any_slow = self.evaluation.kinematics.iter().any(|k| slip(k) <= limit);
        // Where no mode fits, the node itself will say so.
        let slow = is_any_slow.then(|| self.sustained_at(t, cluster, staying, limit));
        match slow {
            Some(Ok(Some(outcome))) => {
                let limits = Thresholds {
                    velocity: limit,
                    ..self.system.thresholds
                };
                let modes = (0..staying.len()).map(|n| self.mode_of(&outcome, n, &limits));
                modes.map(|mode| mode == Some(FrictionMode::Trans)).collect()
            }
            _ => vec![false; staying.len()],
        }
    }

    /// The contact node, where contacts that slip no faster than `slip_speed` are at rest.
    fn sustained_at(
        &mut self,
        t: f64,
        cluster: &Cluster,
        staying: &[usize],
        slip_speed: f64,
    ) -> Result<Option<SustainedOutcome>, Halt> {
        self.evaluate_cluster(t, cluster, staying)?;
        if staying.is_empty() {
            return Ok(None);
        }
        let delassus = Delassus::from_contacts(&self.evaluation.masses, &self.evaluation.directions)
            .map_err(|error| StopReason::NotFinite {
                what: error.to_string(),
            })?;
        let contacts = self.evaluation.sustained_contacts();
        let options = SustainedOptions {
            acceleration: self.system.still(),
            slip_speed,
            solver: self.system.force_options(),
        };
        let outcome = solve_sustained(&delassus, &contacts, &options, None).map_err(|error| {
            let label = |n: usize| self.system.contact(staying[n]).label.clone();
            match &error {
                SustainedError::NoModeFits { contacts, .. } => StopReason::NoFittingMode {
                    contacts: contacts.iter().map(|c| label(c.contact)).collect(),
                    detail: error.to_string(),
                },
                SustainedError::NotConverged(_) | SustainedError::Problem(_) => StopReason::ForcesNotFound {
                    contacts: (0..staying.len()).map(label).collect(),
                    detail: error.to_string(),
                },
            }
        })?;
        self.note_report(&outcome.report);
        Ok(Some(outcome))
    }
}

/// Why a run cannot go on where one contact stands for a line or a face.
pub(crate) fn flat_on_each_other(contacts: Vec<String>) -> Halt {
    StopReason::NoFittingMode {
        contacts,
        detail: "flat parts of the surfaces lie on each other, which one contact cannot hold".into(),
    }
}

fn named(active: &Active) -> (usize, Option<FrictionMode>) {
    let mode = match active.mode {
        Mode::Stick => FrictionMode::Stick,
        Mode::Slip(_) => FrictionMode::Slip,
    };
    (active.contact, Some(mode))
}

fn unit([x, y]: [f64; 2]) -> [f64; 2] {
    let length = x.hypot(y);
    if length > 0.0 {
        [x / length, y / length]
    } else {
        [1.0, 0.0]
    }
}
