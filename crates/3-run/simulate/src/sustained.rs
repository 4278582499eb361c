//! The contact node: which closed contacts stay closed, and how each of them stays.
//!
//! # Contacts that stop together
//! A body stops sliding and turning at one instant, so all of its contacts come to rest at once; rounding makes one of them the first. If that one sticks while the others keep the directions in which they
//! last slipped, these are singular: friction turns within |ġ_T|/(μ g) of nothing. So where a contact node is passed, contacts with friction that slip slowly
//! ([`Scales::slow_in_runs`](dyverse_model::Scales::slow_in_runs)) are brought to rest together if friction is about to do that:
//!
//! > u' = u + M⁻¹W ν, the nearest velocity in the metric of M at which they rest; w = u − u' is the last of their slip. With the accelerations a of the node at u and a' of the node at u',
//! > it is gone after τ = wᵀMw/(−wᵀM(a − a')) = −νᵀġ/(νᵀ(g̈ − g̈')), on a way of |ġ_T| τ at the most.
//!
//! That way must be less than a hundredth of the gap tolerance. From rest the node finds what each of them does: it sticks, or begins to slip anew. A slip that no friction ends (no load, a slope that is just
//! as steep as friction bears, a push along it) has no such τ, and goes on. What is taken is told with the transition.

use crate::couples::Turning;
use crate::guards::ContactAt;
use crate::impact::Cluster;
use crate::index::{ContactIx, IslandIx};
use crate::island::{Active, Pace};
use crate::log::{Closed, Taken, lasting, settled};
use crate::predict::departure;
use crate::projection::{add_twist, kinetic, resting};
use crate::run::{Halt, Run};
use crate::ways::{Made, Pulled};
use dyverse_machine::{FrictionMode, NodeKind, Stage, Thresholds};
use dyverse_mech::{
    ContactKinematics, Delassus, SustainedError, SustainedOptions, SustainedOutcome, Triple,
    solve_sustained_with,
};
use dyverse_trace::{StopReason, TransitionKind};
use std::collections::BTreeSet;

/// How often in a run a contact may creep away from zero and be caught again.
const MOST_CREEPS: usize = 1000;
/// How far the last of a slip may go that is left out, as a part of the gap tolerance.
const LAST_WAY: f64 = 1e-2;

impl Run<'_> {
    /// A guard of a closed contact is crossed: forces and modes are found anew.
    pub(crate) fn cross_guard(&mut self, t: f64, island: IslandIx, contact: ContactIx) -> Result<(), Halt> {
        self.check_departures(t, island)?;
        let spare = self.let_go_of(t, island, contact);
        let before = self.islands[island]
            .as_ref()
            .map(|i| i.active.iter().map(named).collect::<Vec<_>>());
        let mut cluster = self.gather(t, BTreeSet::from([island]), 0.0)?;
        let touching = self.touching(&cluster, t)?;
        let ids: Vec<ContactIx> = touching.iter().map(|(id, _)| *id).collect();
        // The same modes again: another choice of the forces of redundant contacts crosses no guard. What begins to slip slips, and what opens is in no mode. Where something strikes at this time there are other velocities first.
        let after = if touching.iter().any(|(_, k)| self.strikes(k)) {
            None
        } else {
            let mut tried = Cluster::at(cluster.entities.clone(), cluster.states.clone());
            let (mut outcome, _) = self.node(t, &mut tried, &ids)?;
            let limits = self.system.thresholds;
            if let Some(outcome) = &mut outcome {
                self.select(t, outcome, &limits)?;
            }
            outcome.map(|o| {
                let modes = (0..ids.len()).map(|n| self.mode_of(&o, n, &limits).map(lasting));
                let all = ids.iter().copied().zip(modes);
                all.filter(|(_, mode)| mode.is_some()).collect::<Vec<_>>()
            })
        };
        cluster.asks_node = before.is_some()
            && before == after
            && after.is_some_and(|a| a.iter().any(|(_, m)| *m == Some(FrictionMode::Stick)));
        self.spared = spare.filter(|_| !cluster.asks_node);
        self.resolve_cluster(t, cluster, false)
    }

    /// A contact whose velocity creeps away from zero is one that its force cannot hold: flat parts of two surfaces lie on each other, and the closest
    /// points go to and fro between their ends. If that does not end soon, the run does. One that jumps away closes or opens anew.
    fn check_departures(&mut self, t: f64, island: IslandIx) -> Result<(), Halt> {
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
        ids: &[ContactIx],
        from: Stage,
        kind: TransitionKind,
        is_silent: bool,
    ) -> Result<Vec<Active>, Halt> {
        self.evaluate_cluster(t, cluster, ids)?;
        let limits = self.system.thresholds;
        let staying: Vec<ContactIx> = ids
            .iter()
            .zip(&self.evaluation.kinematics)
            .filter(|(_, k)| !self.rises(k))
            .map(|(id, _)| *id)
            .collect();
        let staying = self.without_spare(t, cluster, staying);
        self.settle(t, cluster, &staying)?;
        let pulled = if kind == TransitionKind::Contact && !is_silent {
            self.pulled(t, cluster)
        } else {
            Pulled::default()
        };
        let before = cluster.states.clone();
        // A run begins with the velocities that it is given.
        let (mut outcome, stops) = if is_silent {
            (self.sustained(t, cluster, &staying)?, false)
        } else {
            self.node(t, cluster, &staying)?
        };
        let selected = match &mut outcome {
            Some(outcome) => Some(self.select(t, outcome, &limits)?),
            None => None,
        };
        // Other forces cross no guard.
        cluster.asks_node &= !selected.as_ref().is_some_and(|s| s.has_room);
        let mut active = Vec::new();
        let (mut at_first, mut at_last) = (Closed::new(), Closed::new());
        for (number, id) in staying.iter().enumerate() {
            let k = &self.evaluation.kinematics[number];
            let [x, y] = k.tangential_velocity;
            let is_frictionless = self.system.contact(*id).is_frictionless();
            let mode = outcome.as_ref().and_then(|o| self.mode_of(o, number, &limits));
            let starts = mode == Some(FrictionMode::Trans);
            let direction = match (mode, &outcome) {
                (Some(FrictionMode::Trans), Some(o)) => {
                    unit([o.accelerations[number][1], o.accelerations[number][2]])
                }
                _ => unit([x, y]),
            };
            let named = self.named_mode(mode, outcome.as_ref(), number);
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
            let sticks = mode == FrictionMode::Stick && !is_frictionless;
            let slides = (!sticks).then_some(direction);
            active.push(Active {
                contact: *id,
                slides,
                reference: k.reference,
                // One without friction that is at rest is named so until it moves.
                pace: if !sticks && (starts || is_frictionless && named == FrictionMode::Stick) {
                    Pace::Starting
                } else {
                    Pace::Fast
                },
                turning: outcome.as_ref().map_or(Turning::NONE, |o| {
                    let place = self.evaluation.couple(number).map(|(place, _)| place);
                    let prior = selected.as_ref().zip(place).map(|(s, place)| s.priors[place]);
                    Turning {
                        prior: prior.unwrap_or_default(),
                        ..self.evaluation.turning_of(&self.system, o, number)
                    }
                }),
                prior: selected.as_ref().map_or([0.0; 3], |s| s.priors[number]),
                zeno_until: pending,
            });
        }
        if stops {
            let kinetic = |states: &[_]| kinetic(&self.system, &cluster.entities, states);
            self.recorder.balance.work_of_projection += kinetic(&cluster.states) - kinetic(&before);
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
            if stops {
                let changes = self.recorder.changes(&cluster.entities, &before, &cluster.states);
                let mut log = self.recorder.log.iter_mut().rev();
                if let Some(settle) = log.find(|entry| entry.kind == TransitionKind::Settle) {
                    settle.changes = changes;
                }
            }
        }
        Ok(active)
    }

    /// The inner steps of the contact node over `staying`, whose contacts were evaluated last.
    fn contact_node_steps(&self, staying: &[ContactIx]) -> Vec<Taken> {
        let at = &self.evaluation;
        let Ok(delassus) = Delassus::from_contacts(&at.masses, &at.directions) else {
            return Vec::new();
        };
        let slip_speed = self.system.tolerances.velocity;
        let contacts = at.sustained_contacts();
        let couples = at.sustained_couples();
        let couples = couples.iter().map(|couple| couple.law(slip_speed));
        let contacts = contacts.iter().map(|contact| contact.law(slip_speed));
        let laws = contacts.chain(couples).collect();
        self.node_steps(NodeKind::Contact, staying, &delassus, laws)
    }

    /// How the contact at a place of those evaluated last is named in the location that the node leads to. One that opens is named by how it moves and begins to move.
    pub(crate) fn named_mode(
        &self,
        mode: Option<FrictionMode>,
        outcome: Option<&SustainedOutcome>,
        place: usize,
    ) -> FrictionMode {
        let moving = ContactAt {
            acceleration: outcome.map_or([0.0; 3], |o| o.accelerations[place]),
            ..ContactAt::moving(&self.evaluation.kinematics[place])
        };
        mode.or_else(|| moving.mode(&self.system.thresholds))
            .unwrap_or(FrictionMode::Stick)
    }

    /// The mode that the contact node gives the contact at a place of those evaluated last; none if it opens.
    pub(crate) fn mode_of(
        &self,
        outcome: &SustainedOutcome,
        place: usize,
        limits: &Thresholds,
    ) -> Option<FrictionMode> {
        if outcome.opens[place] {
            return None;
        }
        let contact = ContactAt {
            acceleration: outcome.accelerations[place],
            ..ContactAt::moving(&self.evaluation.kinematics[place])
        };
        contact.mode(limits)
    }

    /// The contact node over `staying`, with slow slips brought to rest that are about to end; whether some were.
    pub(crate) fn node(
        &mut self,
        t: f64,
        cluster: &mut Cluster,
        staying: &[ContactIx],
    ) -> Result<(Option<SustainedOutcome>, bool), Halt> {
        let moving = self.sustained(t, cluster, staying);
        let (still, slow) = (self.system.tolerances.velocity, self.system.slow());
        let slips = self.evaluation.kinematics.iter().zip(staying);
        let rough = slips.filter(|(_, id)| !self.system.contact(**id).is_frictionless());
        let fastest = rough
            .map(|(k, _)| k.tangential_velocity[0].hypot(k.tangential_velocity[1]))
            .filter(|speed| *speed <= slow)
            .fold(0.0, f64::max);
        if fastest <= still {
            return Ok((moving?, false));
        }
        let (pushes, twists) =
            resting(&self.system, &self.evaluation, slow, true).map_err(|fault| self.fault(fault, t))?;
        let turns = self.evaluation.couples.iter().map(|couple| couple.rates);
        let rates: Vec<Triple> = self
            .evaluation
            .kinematics
            .iter()
            .map(rates)
            .chain(turns)
            .collect();
        let before = cluster.states.clone();
        for (state, twist) in cluster.states.iter_mut().zip(twists) {
            add_twist(state, &twist);
        }
        if let Ok(Some(rested)) = self.sustained(t, cluster, staying) {
            let ends = match &moving {
                Ok(Some(moving)) => {
                    let along = |a: &[Triple]| pushes.iter().zip(a).map(|(p, a)| dot(p, a)).sum::<f64>();
                    let (square, loss) = (
                        -along(&rates),
                        along(&moving.accelerations) - along(&rested.accelerations),
                    );
                    // The way is at most `fastest` × square / loss.
                    loss > 0.0 && fastest * square <= LAST_WAY * self.system.tolerances.gap * loss
                }
                // No forces go with such a slip: it has ended.
                _ => true,
            };
            if ends {
                return Ok((Some(rested), true));
            }
        }
        cluster.states = before;
        let moving = moving?;
        self.evaluate_cluster(t, cluster, staying)?;
        Ok((moving, false))
    }

    /// The contact node over `staying` as they are.
    pub(crate) fn sustained(
        &mut self,
        t: f64,
        cluster: &Cluster,
        staying: &[ContactIx],
    ) -> Result<Option<SustainedOutcome>, Halt> {
        if let Some(own) = self.own_among(cluster, staying) {
            return self.sustained_by_own(t, cluster, staying, &own);
        }
        self.evaluate_cluster(t, cluster, staying)?;
        if staying.is_empty() {
            return Ok(None);
        }
        let delassus = Delassus::from_contacts(&self.evaluation.masses, &self.evaluation.directions)
            .map_err(|error| StopReason::NotFinite {
                what: error.to_string(),
            })?;
        let contacts = self.evaluation.sustained_contacts();
        let couples = self.evaluation.sustained_couples();
        let options = SustainedOptions {
            acceleration: self.system.still(),
            slip_speed: self.system.tolerances.velocity,
            solver: self.system.force_options(),
        };
        let outcome =
            solve_sustained_with(&delassus, (&contacts, &couples), &options, None).map_err(|error| {
                let label = |n: usize| self.system.contact(staying[n]).label.clone();
                match &error {
                    SustainedError::NoModeFits { contacts, .. } => StopReason::NoFittingMode {
                        contacts: contacts.iter().map(|c| label(c.contact)).collect(),
                        detail: error.to_string(),
                    },
                    SustainedError::NotConverged(_) | SustainedError::Problem(_) => {
                        StopReason::ForcesNotFound {
                            contacts: (0..staying.len()).map(label).collect(),
                            detail: error.to_string(),
                        }
                    }
                }
            })?;
        self.note_report(&outcome.report);
        let systems = outcome.report.newton_steps + outcome.report.pivots;
        self.evaluation.count_eliminations(staying.len(), systems);
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

fn named(active: &Active) -> (ContactIx, Option<FrictionMode>) {
    (active.contact, Some(active.friction_mode()))
}

/// (ġ_N, ġ_Tx, ġ_Ty).
fn rates(k: &ContactKinematics<f64>) -> Triple {
    let [x, y] = k.tangential_velocity;
    [k.normal_velocity, x, y]
}

fn dot(a: &Triple, b: &Triple) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn unit([x, y]: [f64; 2]) -> [f64; 2] {
    let length = x.hypot(y);
    if length > 0.0 {
        [x / length, y / length]
    } else {
        [1.0, 0.0]
    }
}
