//! What happens at an instant: gaps that close, accumulated impacts, and how a cluster of entities goes on after it.
//!
//! A cluster is made of the islands that the closing contacts touch, and of those they touch in turn at this instant. All of its closed contacts go
//! through the impact node together, then through the contact node (sustained.rs); then the cluster falls apart into islands again.
//!
//! # Accumulation of impacts (Zeno)
//! A contact that would bounce no higher than the gap tolerance with a restitution below one is closed at once: the bounces left out follow each other
//! like a geometric series and end at t + 2 v⁺ / (a (1 − e)), v⁺ the speed after this impact and a the acceleration that presses the contact
//! together [METHODS 6]. Until then the contact moves as if it were closed, which is its motion on average, and is named so from then on.

use crate::couples::Turning;
use crate::guards::ContactAt;
use crate::index::{ContactIx, IndexVec, IslandIx};
use crate::island::{Active, Fault, Island, Pace, pack_all};
use crate::loads::STATE;
use crate::log::{Closed, Taken};
use crate::options::Contacts;
use crate::projection::{PRESSES, add_twist, kinetic, project, project_positions};
use crate::queue::{Coming, Entry};
use crate::recorder::Settling;
use crate::rest::Rest;
use crate::run::{Halt, Run};
use crate::sustained::flat_on_each_other;
use dyverse_machine::{FrictionMode, Move, NodeKind, Phase, Stage, Standing};
use dyverse_mech::{
    Collision, ContactKinematics, Delassus, EntityState, ImpactContact, ImpactLaw, SustainedOptions,
    solve_sustained,
};
use dyverse_model::EntityId;
use dyverse_num::Vec3;
use dyverse_trace::{StopReason, TransitionKind};
use std::collections::{BTreeMap, BTreeSet};

/// Impacts slower than this may be the last of an accumulation, m/s, times the scale of velocities.
pub(crate) const SLOW_IMPACT: f64 = 1e-2;

/// Gaps that close one after the other without any impact, at the most.
const MOST_EMPTY_CLOSINGS: usize = 500;

/// A cluster at an instant: entities ascending, their states, and contacts whose impacts accumulate, with until when.
pub(crate) struct Cluster {
    pub(crate) entities: Vec<EntityId>,
    pub(crate) states: Vec<EntityState<f64>>,
    /// The closed contacts with which its islands came here.
    pub(crate) left: Vec<Active>,
    pub(crate) accumulating: BTreeMap<ContactIx, f64>,
    /// What rounding took from positions, where it is known.
    pub(crate) rests: BTreeMap<EntityId, Vec3<f64>>,
    /// Whether its islands' guards ask the contact node.
    pub(crate) asks_node: bool,
    /// Whether some of it is followed by steps.
    pub(crate) is_stepping: bool,
}

impl Cluster {
    /// Entities in some states, and nothing else about them.
    pub(crate) fn at(entities: Vec<EntityId>, states: Vec<EntityState<f64>>) -> Self {
        Cluster {
            entities,
            states,
            left: Vec::new(),
            accumulating: BTreeMap::new(),
            rests: BTreeMap::new(),
            asks_node: false,
            is_stepping: false,
        }
    }
}

impl Run<'_> {
    /// Gaps close.
    pub(crate) fn close(&mut self, t: f64, contacts: &[ContactIx]) -> Result<(), Halt> {
        let seeds = contacts.iter().flat_map(|c| {
            let (a, b) = self.system.contact(*c).entities();
            [a, b]
        });
        let islands: BTreeSet<IslandIx> = seeds.filter_map(|e| self.island_of[e]).collect();
        // What bounces for ever is not to be followed by steps, which lose energy, unless it rattles on several corners.
        let mut is_free = true;
        for contact in contacts {
            let data = self.system.contact(*contact);
            let (is_elastic, (a, b)) = (data.restitution >= 1.0, data.entities());
            is_free &= is_elastic && self.contacts(a, b)?.len() == 1;
        }
        self.capture.is_free = is_free;
        let rest = if let [contact] = contacts {
            self.rest_of_time(t, *contact)
        } else {
            0.0
        };
        let cluster = self.gather(t, islands, rest)?;
        let done = |run: &Self| run.recorder.taken() + run.recorder.passed_by;
        let before = done(self);
        self.resolve_cluster(t, cluster, false)?;
        self.check_closings(contacts, done(self) > before)
    }

    /// A gap that closes although its closest points move apart belongs to flat parts of two surfaces that are parallel to rounding: the points are those of one
    /// end of them, and the other closes. If that does not end soon, the run does.
    fn check_closings(&mut self, contacts: &[ContactIx], came_to_something: bool) -> Result<(), Halt> {
        self.empty_closings = if came_to_something {
            0
        } else {
            self.empty_closings + 1
        };
        if self.empty_closings <= MOST_EMPTY_CLOSINGS {
            return Ok(());
        }
        let labels = contacts.iter().map(|c| self.system.contact(*c).label.clone());
        Err(flat_on_each_other(labels.collect()))
    }

    /// What rounding took from the time of a crossing, s: the gap is zero at t + δ. Left out, each bounce of a ball would begin a little too late, always in
    /// the same sense, and with it the speed that falling on adds.
    fn rest_of_time(&self, t: f64, contact: ContactIx) -> f64 {
        let data = self.system.contact(contact);
        let (a, b) = data.entities();
        let rest_of = |e: EntityId| {
            let island = self.island_of[e].and_then(|i| self.islands[i].as_ref());
            let placed = island.and_then(|island| island.place(e).map(|place| (island, place)));
            placed.map_or(Vec3::zero(), |(island, place)| island.rest_of_position(place, t))
        };
        match data.pair.kinematics(&self.state(a, t), &self.state(b, t)) {
            Ok(k) if k.normal_velocity < -self.system.tolerances.velocity => {
                let gap = k.gap + k.normal.dot(&(rest_of(b) - rest_of(a)));
                let rest = -gap / k.normal_velocity;
                let size = self.state(a, t).position.norm() + self.state(b, t).position.norm();
                let arms = k.arms[0].norm() + k.arms[1].norm();
                let is_rounding = rest.abs() <= 8.0 * f64::EPSILON * t.abs().max(self.system.scales.time)
                    || gap.abs() <= 8.0 * f64::EPSILON * (size + arms);
                // Where it closes so slowly that its velocity is another by then, the gap says nothing about the time.
                let goes_on = |by: f64| {
                    let later = data
                        .pair
                        .kinematics(&self.state(a, t + by), &self.state(b, t + by));
                    later.is_ok_and(|later| later.normal_velocity <= 0.5 * k.normal_velocity)
                };
                if is_rounding && (t + rest == t || goes_on(rest)) {
                    rest
                } else {
                    0.0
                }
            }
            _ => 0.0,
        }
    }

    /// Takes islands apart at `t`, with those that they touch at that instant; their states are those `rest` later.
    pub(crate) fn gather(&mut self, t: f64, islands: BTreeSet<IslandIx>, rest: f64) -> Result<Cluster, Halt> {
        let mut waiting: Vec<IslandIx> = islands.iter().copied().collect();
        let mut known = islands;
        let mut parts: BTreeMap<EntityId, EntityState<f64>> = BTreeMap::new();
        let (mut left, mut accumulating) = (Vec::new(), BTreeMap::new());
        let mut rests = BTreeMap::new();
        let mut is_stepping = false;
        while let Some(id) = waiting.pop() {
            let Some(island) = &self.islands[id] else { continue };
            let entities = island.entities.clone();
            for entity in &entities {
                for other in self.broad.near(*entity) {
                    let Some(next) = self.island_of[other].filter(|i| !known.contains(i)) else {
                        continue;
                    };
                    if self.touch_now(*entity, other, t)? {
                        known.insert(next);
                        waiting.push(next);
                    }
                }
            }
        }
        for id in known {
            self.account(id, t)?;
            self.keep_piece(id, t);
            let Some(island) = self.dissolve(id) else { continue };
            let (mut states, carry) = island.states_after(t, rest);
            if rest != 0.0 {
                let before = kinetic(&self.system, &island.entities, &island.states_after(t, 0.0).0);
                let after = kinetic(&self.system, &island.entities, &states);
                self.recorder.balance.work_of_loads += after - before;
            }
            if island.stepping.is_some() {
                is_stepping = true;
                self.turn_in_step(&island, &mut states);
            }
            for (entity, carry) in island.entities.iter().zip(carry.chunks_exact(STATE)) {
                rests.insert(*entity, Vec3::new(carry[0], carry[1], carry[2]));
            }
            for (entity, state) in island.entities.iter().zip(states) {
                self.known[*entity] = state;
                parts.insert(*entity, state);
            }
            left.extend_from_slice(&island.active);
            accumulating.extend(
                island
                    .active
                    .iter()
                    .filter_map(|a| a.zeno_until.map(|until| (a.contact, until))),
            );
            // What comes may jump: friction is decided anew.
            for active in &island.active {
                self.evaluation.set_grip(active.contact, None);
                self.evaluation.set_piece(active.contact, None);
            }
            self.keep_integrator(island.integrator);
        }
        let (entities, states) = parts.into_iter().unzip();
        Ok(Cluster {
            entities,
            states,
            left,
            accumulating,
            rests,
            asks_node: false,
            is_stepping,
        })
    }

    /// Gaps of an island that close within the simultaneity tolerance of the end of the run: they close at the end, or rounding would say whether they do.
    pub(crate) fn closing_at_the_end(&mut self, t: f64, island: IslandIx) -> Result<Vec<ContactIx>, Halt> {
        let Some(own) = &self.islands[island] else {
            return Ok(Vec::new());
        };
        let (entities, active) = (own.entities.clone(), own.active.clone());
        let mut closing = BTreeSet::new();
        for entity in entities {
            for other in self.broad.near(entity) {
                // Steps look after their own.
                if self.capture.follows(other) {
                    continue;
                }
                for id in self.contacts(entity, other)? {
                    if active.iter().any(|a| a.contact == id) {
                        continue;
                    }
                    let k = self.kinematics_now(id, t)?;
                    let speed = -k.normal_velocity;
                    let tolerances = &self.system.tolerances;
                    if speed > tolerances.velocity && k.closing_gap() <= speed * tolerances.simultaneity {
                        closing.insert(id);
                    }
                }
            }
        }
        Ok(closing.into_iter().collect())
    }

    fn kinematics_now(&self, contact: ContactIx, t: f64) -> Result<ContactKinematics<f64>, Halt> {
        let data = self.system.contact(contact);
        let (first, second) = data.entities();
        let k = data
            .pair
            .kinematics(&self.state(first, t), &self.state(second, t));
        k.map_err(|error| self.fault(Fault::Kinematics(error), t))
    }

    /// Whether two entities touch at `t` without moving apart.
    fn touch_now(&mut self, a: EntityId, b: EntityId, t: f64) -> Result<bool, Halt> {
        let ids = self.contacts(a, b)?;
        for id in ids {
            if self.is_touching(&self.kinematics_now(id, t)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(crate) fn contacts(&mut self, a: EntityId, b: EntityId) -> Result<Vec<ContactIx>, Halt> {
        self.system
            .contacts_between(a, b)
            .map_err(|error| StopReason::NotFinite {
                what: error.to_string(),
            })
    }

    /// Closed within the tolerances, or about to be, and not opening.
    fn is_touching(&self, k: &ContactKinematics<f64>) -> bool {
        let does = ContactAt::moving(k).does(Phase::Flow, Standing::Open, &self.system.thresholds);
        does == Some(Move::Closes)
    }

    /// More than the gap of two entities that touch.
    fn margin(&self, first: &EntityState<f64>, second: &EntityState<f64>, reach: f64) -> f64 {
        let speed = |s: &EntityState<f64>| s.velocity.norm() + reach * s.angular_velocity.norm();
        let tolerances = &self.system.tolerances;
        self.system.scales.length + tolerances.gap + (speed(first) + speed(second)) * tolerances.simultaneity
    }

    /// The contacts of a cluster whose gaps, as far as touching goes, are within the tolerance, however they move.
    pub(crate) fn near(&mut self, cluster: &Cluster, t: f64) -> Result<Vec<ContactIx>, Halt> {
        let gap = self.system.tolerances.gap;
        let found = self.contacts_of(cluster, t, |_, k| k.closing_gap() <= gap)?;
        Ok(found.into_iter().map(|(id, _)| id).collect())
    }

    /// The contacts of a cluster that touch, in the order of the contact list, with their kinematics.
    pub(crate) fn touching(
        &mut self,
        cluster: &Cluster,
        t: f64,
    ) -> Result<Vec<(ContactIx, ContactKinematics<f64>)>, Halt> {
        let found = self.contacts_of(cluster, t, |run, k| run.is_touching(k))?;
        let deepest = found.iter().map(|(_, k)| -k.gap);
        let statistics = &mut self.recorder.statistics;
        statistics.largest_penetration = deepest.fold(statistics.largest_penetration, f64::max);
        Ok(found)
    }

    /// The contacts of a cluster of which something holds, in the order of the contact list, with their kinematics.
    fn contacts_of(
        &mut self,
        cluster: &Cluster,
        t: f64,
        holds: impl Fn(&Self, &ContactKinematics<f64>) -> bool,
    ) -> Result<Vec<(ContactIx, ContactKinematics<f64>)>, Halt> {
        let mut ids: BTreeSet<ContactIx> = BTreeSet::new();
        for entity in &cluster.entities {
            for other in self.broad.near(*entity) {
                if cluster.entities.binary_search(&other).is_ok() || self.system.bodies[other].is_fixed {
                    ids.extend(self.contacts(*entity, other)?);
                }
            }
        }
        let mut found = Vec::new();
        for id in ids {
            let (a, b) = self.system.contact(id).entities();
            let state = |e: EntityId| self.system.state_among(&cluster.entities, &cluster.states, e);
            let (first, second) = (state(a), state(b));
            // Far apart: no need for the exact gap.
            let reach = self.system.bodies[a].reach + self.system.bodies[b].reach;
            if (first.position - second.position).norm() > reach + self.margin(&first, &second, reach) {
                continue;
            }
            let k = self.system.contact(id).pair.kinematics(&first, &second);
            let k = k.map_err(|error| self.fault(Fault::Kinematics(error), t))?;
            if holds(self, &k) {
                found.push((id, k));
            }
        }
        // Numbers of contacts tell in which order they were first asked for.
        found.sort_by_key(|(id, _)| (self.system.contact(*id).entities(), *id));
        Ok(found)
    }

    /// Impact node, contact node, and islands again.
    pub(crate) fn resolve_cluster(
        &mut self,
        t: f64,
        mut cluster: Cluster,
        is_start: bool,
    ) -> Result<(), Halt> {
        let is_asked = is_start && self.options.contacts == Contacts::Stepping;
        if cluster.is_stepping || is_asked && self.captures() {
            return self.advance(t, cluster, "asked for");
        }
        let active = self.pass_nodes(t, &mut cluster, is_start);
        if active.is_err() && self.captures() {
            // Steps go on from before it.
            return active.map(|_| ());
        }
        self.recorder.mark();
        // Wherever the run may stop from here on, this is the state there.
        for (entity, state) in cluster.entities.iter().zip(&cluster.states) {
            self.known[*entity] = *state;
        }
        self.rebuild(t, cluster, active?)
    }

    /// Through impact node and contact node: gives the contacts that stay closed.
    pub(crate) fn pass_nodes(
        &mut self,
        t: f64,
        cluster: &mut Cluster,
        is_start: bool,
    ) -> Result<Vec<Active>, Halt> {
        let touching = self.touching(cluster, t)?;
        let ids: Vec<ContactIx> = touching.iter().map(|(id, _)| *id).collect();
        let is_impact = touching.iter().any(|(_, k)| self.strikes(k));
        self.sample_now(cluster, t);
        let mut from = Stage::Location;
        let mut kind = TransitionKind::Contact;
        if is_impact {
            from = self.impact(t, cluster, &touching)?;
            kind = TransitionKind::AfterImpact;
        }
        let mut active = self.contact_node(t, cluster, &ids, from, kind, is_start && !is_impact)?;
        if is_impact {
            active = self.close_clatter(t, cluster, active)?;
        }
        self.sample_now(cluster, t);
        Ok(active)
    }

    /// Whether what touches is an impact.
    pub(crate) fn strikes(&self, k: &ContactKinematics<f64>) -> bool {
        let limits = &self.system.thresholds;
        ContactAt::moving(k).does(Phase::ImpactEntrance, Standing::Held, limits) == Some(Move::Strikes)
    }

    /// Samples all states at the present microstep, with those of the cluster as they are.
    pub(crate) fn sample_now(&mut self, cluster: &Cluster, t: f64) {
        if !self.recorder.samples_jumps() {
            return;
        }
        let all = self.system.bodies.numbers();
        let all = all.map(|e| match cluster.entities.binary_search(&e) {
            Ok(place) => cluster.states[place],
            Err(_) if self.island_of[e].is_none() => self.known[e],
            Err(_) => self.state(e, t),
        });
        let all: IndexVec<EntityId, _> = all.collect();
        self.recorder.sample(self.recorder.now, |e| all[e]);
    }

    /// Through the impact node: velocities jump. Gives the stage it leaves from.
    fn impact(
        &mut self,
        t: f64,
        cluster: &mut Cluster,
        touching: &[(ContactIx, ContactKinematics<f64>)],
    ) -> Result<Stage, Halt> {
        let ids: Vec<ContactIx> = touching.iter().map(|(id, _)| *id).collect();
        self.evaluate_cluster(t, cluster, &ids)?;
        let delassus =
            Delassus::from_contacts(&self.evaluation.masses, &self.evaluation.directions[..ids.len()])
                .map_err(|error| StopReason::NotFinite {
                    what: error.to_string(),
                })?;
        let pressing = self.pressing(&delassus, &ids);
        let mut contacts: Vec<ImpactContact> =
            (0..ids.len()).map(|n| self.impact_contact(ids[n], n)).collect();
        self.leave_out_bounces(t, &ids, &pressing, &mut contacts, &mut cluster.accumulating);
        let exit = self.recorder.enter_impact(TransitionKind::Impact, &ids);
        let (outcome, together, collisions) = loop {
            let found = self.impulses(&delassus, &contacts, &ids)?;
            // What came slowly, or rested, may be struck hard in the course of a sequence: that bounce is not too low to follow.
            let is_hard = |c: &&Collision| {
                let e = self.system.contact(ids[c.contact]).restitution;
                let left_out = contacts[c.contact].restitution_normal < e;
                left_out && !self.is_low(0.0, e * -c.velocity_before[0], pressing[c.contact])
            };
            let Some(hard) = found.2.iter().find(is_hard).map(|c| c.contact) else {
                break found;
            };
            contacts[hard].restitution_normal = self.system.contact(ids[hard]).restitution;
            cluster.accumulating.remove(&ids[hard]);
        };
        for gain in &outcome.gains {
            let contact = ids[gain.most_at];
            self.recorder.gain(&self.system, contact, gain.added, gain.share);
            gain.contacts
                .iter()
                .for_each(|j| contacts[*j] = contacts[*j].with_share(gain.share));
        }
        if !collisions.is_empty() {
            self.recorder.balance.work_of_impacts += outcome.energy_change;
            self.collide(t, cluster, &delassus, &ids, (&together, &collisions));
            return Ok(exit);
        }
        let is_newton = contacts.iter().all(|contact| contact.law == ImpactLaw::Newton);
        if self.options.show_nodes && is_newton && self.system.model.impacts().order().is_none() {
            let laws = contacts.iter().map(ImpactContact::law).collect();
            let steps = self.node_steps(NodeKind::Impact, &ids, &delassus, laws);
            steps.into_iter().for_each(|step| self.recorder.push(step));
        }
        let before = cluster.states.clone();
        for (entity, twist) in delassus.touched_entities().iter().zip(&outcome.twist_changes) {
            add_twist(&mut cluster.states[entity.0], twist);
        }
        self.recorder.statistics.impacts += 1;
        self.recorder.balance.work_of_impacts += outcome.energy_change;
        let changes = self.recorder.changes(&cluster.entities, &before, &cluster.states);
        // The reset of the node's last edge.
        if let Some(last) = self.recorder.log.last_mut() {
            last.changes = changes;
            last.forces = ids.into_iter().zip(outcome.impulses).collect();
        }
        Ok(exit)
    }

    /// One collision after the other, each at its microstep: states between two of them are moments of the run [SPEC §5, §10]. What collides together does so first.
    fn collide(
        &mut self,
        t: f64,
        cluster: &mut Cluster,
        delassus: &Delassus,
        ids: &[ContactIx],
        (together, collisions): (&[(usize, [f64; 3])], &[Collision]),
    ) {
        let start = cluster.states.clone();
        let mut impulses = vec![[0.0; 3]; ids.len()];
        let first = (!together.is_empty()).then(|| together.to_vec());
        let others = collisions.iter().map(|c| vec![(c.contact, c.impulse)]);
        for (number, pushed) in first.into_iter().chain(others).enumerate() {
            let forces: Vec<_> = pushed
                .iter()
                .map(|(place, impulse)| (ids[*place], *impulse))
                .collect();
            match (number, &forces[..]) {
                (0, _) => {
                    if let Some(first) = self.recorder.log.last_mut() {
                        first.contacts = forces.iter().map(|(contact, _)| *contact).collect();
                    }
                }
                (_, [(contact, _), ..]) => {
                    self.sample_now(cluster, t);
                    self.recorder.push(self.next_collision(number, *contact));
                }
                _ => {}
            }
            for (place, impulse) in &pushed {
                let own = &mut impulses[*place];
                *own = [0, 1, 2].map(|k| own[k] + impulse[k]);
            }
            let before = std::mem::replace(&mut cluster.states, start.clone());
            for (entity, twist) in delassus.touched_entities().iter().zip(delassus.twists(&impulses)) {
                add_twist(&mut cluster.states[entity.0], &twist);
            }
            let changes = self.recorder.changes(&cluster.entities, &before, &cluster.states);
            if let Some(last) = self.recorder.log.last_mut() {
                last.changes = changes;
                last.forces = forces;
            }
        }
        self.recorder.statistics.impacts += 1;
    }

    /// A collision after the first of an instant: a step inside the impact node, from I_k,n to I_k,n+1 after n of them, and no further impact in counts.
    fn next_collision(&self, made: usize, contact: ContactIx) -> Taken {
        let stage = |made: usize| Stage::Step(NodeKind::Impact, made);
        Taken {
            contacts: vec![contact],
            inner: Some(("ġ_N < 0", "u := u + M⁻¹ W Λ")),
            ..Taken::new(
                TransitionKind::Impact,
                self.recorder.now,
                (stage(made), stage(made + 1)),
            )
        }
    }

    /// The acceleration that presses each contact together: A_jj λ_N,j with the forces it would have if all stayed closed, because
    /// what presses one may be what another bears. Only slow impacts need it; others get that without contact forces.
    fn pressing(&self, delassus: &Delassus, ids: &[ContactIx]) -> Vec<f64> {
        let at = &self.evaluation;
        let scales = &self.system.scales;
        let is_slow = at
            .kinematics
            .iter()
            .any(|k| k.normal_velocity < 0.0 && k.normal_velocity > -SLOW_IMPACT * scales.velocity);
        let alone = || at.free.iter().map(|free| -free[0]).collect();
        if !is_slow || ids.len() == 1 {
            return alone();
        }
        let contacts = at.sustained_contacts();
        let usual = SustainedOptions::default();
        let options = SustainedOptions {
            slip_speed: usual.slip_speed * scales.velocity,
            acceleration: usual.acceleration * scales.acceleration,
            solver: self.system.force_options(),
        };
        match solve_sustained(delassus, &contacts, &options, None) {
            Ok(outcome) => (0..ids.len())
                .map(|n| delassus.block(n, n).map_or(0.0, |block| block[0][0]) * outcome.forces[n][0])
                .collect(),
            Err(_) => alone(),
        }
    }

    /// Whether a bounce gets no higher than the gap tolerance from where it is, with what presses the contact together.
    pub(crate) fn is_low(&self, gap: f64, speed: f64, pressing: f64) -> bool {
        let left = self.system.tolerances.gap - gap.max(0.0);
        pressing > 0.0 && speed * speed <= 2.0 * pressing * left
    }

    /// Bounces too low to follow get no restitution: those of a whole group, or none of it. One contact alone is closed in name when its bounces would have ended, a set of them at once.
    fn leave_out_bounces(
        &self,
        t: f64,
        ids: &[ContactIx],
        pressing: &[f64],
        contacts: &mut [ImpactContact],
        accumulating: &mut BTreeMap<ContactIx, f64>,
    ) {
        for group in self.groups_of(ids) {
            let bounce = |n: usize| contacts[n].restitution_normal * (-contacts[n].velocity[0]).max(0.0);
            let is_low = |n: &usize| {
                let e = contacts[*n].restitution_normal;
                bounce(*n) <= 0.0 || e < 1.0 && self.is_low(0.0, bounce(*n), pressing[*n])
            };
            if !group.iter().all(is_low) {
                continue;
            }
            if let [n] = group[..]
                && bounce(n) > 0.0
                && contacts[n].velocity[0] < -self.system.tolerances.velocity
            {
                let e = contacts[n].restitution_normal;
                let until = t + 2.0 * bounce(n) / (pressing[n] * (1.0 - e));
                accumulating.entry(ids[n]).or_insert(until);
            }
            // One that is not closing has nothing to give back.
            for n in group {
                if contacts[n].velocity[0] < 0.0 {
                    contacts[n].restitution_normal = 0.0;
                }
            }
        }
    }

    /// Kinematics, masses and free accelerations of some contacts of a cluster.
    pub(crate) fn evaluate_cluster(
        &mut self,
        t: f64,
        cluster: &Cluster,
        ids: &[ContactIx],
    ) -> Result<(), Halt> {
        let x = pack_all(&cluster.states);
        let contacts = ids.iter().map(|id| (*id, None));
        self.evaluation.anchor = t;
        self.evaluation
            .kinematics_of(&self.system, &cluster.entities, contacts, t, &x)
            .map_err(|fault| self.fault(fault, t))?;
        self.evaluation.free_motion(&self.system, &cluster.entities);
        Ok(())
    }

    /// The cluster falls apart into islands, which get their next steps.
    pub(crate) fn rebuild(&mut self, t: f64, cluster: Cluster, active: Vec<Active>) -> Result<(), Halt> {
        let contacts = active.iter().map(|a| a.contact);
        let mut made = Vec::new();
        for part in self.system.parts(&cluster.entities, contacts) {
            let entities: Vec<EntityId> = part.iter().map(|p| cluster.entities[*p]).collect();
            let mut states: Vec<_> = part.iter().map(|p| cluster.states[*p]).collect();
            let own: Vec<Active> = active
                .iter()
                .filter(|a| {
                    let (first, second) = self.system.contact(a.contact).entities();
                    [first, second].iter().any(|e| entities.binary_search(e).is_ok())
                })
                .copied()
                .collect();
            let moved = project(&self.system, &entities, &own, &mut states).map_err(|f| self.fault(f, t))?;
            self.recorder.balance.work_of_projection += moved.work;
            if moved.gap > PRESSES * self.system.scales.length {
                self.keep_apart(t, &entities, &own, &mut states)?;
            }
            let x = pack_all(&states);
            let mut integrator = self.integrator(x.len());
            integrator.restart(t, &x);
            if own.is_empty() {
                // Else they were projected.
                let carry = entities.iter().flat_map(|e| {
                    let rest = cluster.rests.get(e).copied().unwrap_or(Vec3::zero());
                    let mut carry = [0.0; STATE];
                    [carry[0], carry[1], carry[2]] = [rest.x, rest.y, rest.z];
                    carry
                });
                integrator.set_carry(&carry.collect::<Vec<_>>());
            }
            let asks_node = cluster.asks_node;
            let island = Island {
                entities,
                active: own,
                integrator,
                version: 0,
                accounted: t,
                asks_node,
                turning: None,
                stepping: None,
                rest: Rest::Moves,
                crawling: (t, 0),
            };
            made.push(self.add_island(island));
        }
        for id in made {
            self.step_and_predict(id)?;
        }
        Ok(())
    }

    /// Where closed contacts were brought to gaps of zero, others that touch may have been pressed together: they get gaps of zero too, and go on to open from there.
    fn keep_apart(
        &mut self,
        t: f64,
        entities: &[EntityId],
        own: &[Active],
        states: &mut [EntityState<f64>],
    ) -> Result<(), Halt> {
        let cluster = Cluster::at(entities.to_vec(), states.to_vec());
        let least = -PRESSES * self.system.scales.length;
        let pressed = self.contacts_of(&cluster, t, |_, k| k.closing_gap() < least)?;
        let is_new = |id: &ContactIx| own.iter().all(|active| active.contact != *id);
        let beside = pressed.into_iter().filter(|(id, _)| is_new(id));
        let beside = beside.map(|(contact, k)| Active {
            contact,
            slides: None,
            reference: k.reference,
            pace: Pace::Fast,
            turning: Turning::NONE,
            prior: [0.0; 3],
            zeno_until: None,
        });
        let all: Vec<Active> = own.iter().copied().chain(beside).collect();
        if all.len() > own.len() {
            project_positions(&self.system, entities, &all, states).map_err(|f| self.fault(f, t))?;
        }
        Ok(())
    }

    /// The ends of accumulations; they may lie several steps ahead.
    pub(crate) fn predict_accumulations(&mut self, id: IslandIx) {
        let Some(island) = &self.islands[id] else { return };
        let version = island.version;
        let pending: Vec<(ContactIx, f64)> = island
            .active
            .iter()
            .filter_map(|a| a.zeno_until.map(|until| (a.contact, until)))
            .collect();
        for (contact, time) in pending {
            self.queue.push(Entry {
                time,
                coming: Coming::Zeno { island: id, contact },
                versions: (version, 0),
            });
        }
    }

    /// Impacts have accumulated: from now on the contact is closed in name too.
    pub(crate) fn end_accumulation(
        &mut self,
        t: f64,
        island: IslandIx,
        contact: ContactIx,
    ) -> Result<(), Halt> {
        let Some(own) = self.islands[island].as_mut() else {
            return Ok(());
        };
        let Some(active) = own.active.iter_mut().find(|a| a.contact == contact) else {
            return Ok(());
        };
        active.zeno_until = None;
        let mode = active.friction_mode();
        self.name_closed(t, contact, mode);
        Ok(())
    }

    /// Names a contact closed whose impacts have accumulated.
    pub(crate) fn name_closed(&mut self, t: f64, contact: ContactIx, mode: FrictionMode) {
        self.recorder.at(t);
        if self.recorder.samples_jumps() {
            let all = self.system.bodies.numbers().map(|e| self.state(e, t));
            let all: IndexVec<EntityId, _> = all.collect();
            self.recorder.sample(self.recorder.now, |e| all[e]);
        }
        let exit = self.recorder.enter_impact(TransitionKind::Zeno, &[contact]);
        let settling = Settling {
            kind: TransitionKind::AfterImpact,
            from: exit,
            inside: &Closed::new(),
            modes: &Closed::from([(contact, mode)]),
            contacts: &[contact],
            forces: &[],
        };
        self.recorder.settle(&self.system, &settling);
    }
}
