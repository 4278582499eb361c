//! What comes of an island's step: gaps that close, guards that are crossed, its end.
//!
//! # Gaps
//! For every entity whose box overlaps that of one of the island's over their present steps, the gap of each of their contacts is searched for its first
//! downward crossing while both steps last. When one of the steps ends, the search goes on with the next: no time is left out.
//!
//! The guards of closed contacts are in guards.rs.

use crate::broad_phase::Bounds;
use crate::couples::COUPLE_GUARDS;
use crate::crossing::{Found, first_downward};
use crate::guards::{GUARDS, guards};
use crate::impact::Cluster;
use crate::index::{ContactIx, IslandIx};
use crate::island::{Active, Evaluation, Fault, Island, Pace, Pulse};
use crate::loads::STATE;
use crate::near::{NearSpans, first_of};
use crate::queue::{Coming, Entry};
use crate::rest::Rest;
use crate::run::{Halt, Run};
use crate::system::System;
use dyverse_flow::DenseStep;
use dyverse_mech::{ContactKinematics, ContactPair, Placement, Shape, Surface, separation};
use dyverse_model::{EntityId, Scales};
use dyverse_num::{Quaternion, Vec3};
use dyverse_trace::StopReason;
use std::collections::BTreeMap;

/// What a gap is known to, in roundings of the coordinates that it is a difference of. One that starts within this of zero starts on the level: a level above rounding would let an edge that falls sink by
/// it unseen, strike with what it gained on the way and be lifted again, for ever.
const GAP_ROUNDINGS: f64 = 8.0;
/// A guard that starts within this of zero starts on the level, in its unit and times its scale.
const GUARD_LEVEL: f64 = 1e-12;
/// A step in which a crossing cannot be isolated is made so much shorter.
const SHORTER: f64 = 0.1;
/// A gap that closes within this part of a step ...
const EARLY: f64 = 0.1;
/// ... is told better by a shorter one, if the rounding of the step is beyond this part of the gap tolerance.
const TOLD: f64 = 1e-3;
/// Guards of a closed contact and of its couple.
const ALL_GUARDS: usize = GUARDS + COUPLE_GUARDS;
/// Places of a step at which the contact node is asked.
const LOOKS: u32 = 32;
/// An acceleration that shows beyond doubt that a contact moves, in those that count as zero.
const MOVES: f64 = 10.0;

impl Run<'_> {
    /// Predicts everything that comes of an island's present step. Gives how long a step is worth making from where this one begins: a longer one says too little of gaps, or, if it may be `shorter`, hides a crossing
    /// from the search.
    pub(crate) fn predict(&mut self, id: IslandIx, may_be_shorter: bool) -> Result<f64, Halt> {
        let mut worth = f64::INFINITY;
        let Some(island) = &self.islands[id] else {
            return Ok(worth);
        };
        let (version, end) = (island.version, island.step().t1());
        let entities = island.entities.clone();
        let (is_stepping, rest) = (island.stepping.is_some(), island.rest);
        let rests = rest != Rest::Moves;
        self.queue.push(Entry {
            time: end,
            coming: Coming::End { island: id },
            versions: (version, 0),
        });
        for (place, entity) in entities.iter().enumerate() {
            let bounds = self.bounds(id, place, *entity);
            self.broad.update(*entity, bounds);
        }
        for entity in &entities {
            for other in self.broad.near(*entity) {
                let within = self.island_of[other] == Some(id);
                // Steps look after their own contacts, and what rests keeps them.
                let is_own = (is_stepping || rests) && (within || self.system.bodies[other].is_fixed);
                if is_own || within && other < *entity {
                    continue;
                }
                worth = worth.min(self.predict_pair(*entity, other, may_be_shorter)?);
            }
        }
        if rest != Rest::Forever {
            worth = worth.min(self.predict_guards(id, may_be_shorter)?);
            self.predict_pieces(id)?;
            self.predict_switches(id);
        }
        Ok(worth)
    }

    /// A box that holds an entity during its island's step: each coordinate's polynomial stays within the sum of its coefficients.
    fn bounds(&self, id: IslandIx, place: usize, entity: EntityId) -> Bounds {
        let reach = self.system.bodies[entity].reach;
        let Some(island) = &self.islands[id] else {
            return Bounds::EVERYWHERE;
        };
        let step = island.step();
        let mut bounds = Bounds {
            low: [0.0; 3],
            high: [0.0; 3],
        };
        for axis in 0..3 {
            let coefficients = step.state_coefficients(STATE * place + axis);
            let (middle, spread) = (
                coefficients[0],
                coefficients[1..].iter().map(|c| c.abs()).sum::<f64>(),
            );
            let margin = spread + reach + self.system.tolerances.gap + 1e-12 * middle.abs();
            bounds.low[axis] = middle - margin;
            bounds.high[axis] = middle + margin;
        }
        bounds
    }

    /// Gives how long a step of the first is worth making.
    ///
    /// The rounding of a polynomial is that of how far it goes. Where that is beyond the gap tolerance, the gap cannot be told; where a gap closes early in a step that goes far, it is told better
    /// by a shorter one.
    fn predict_pair(&mut self, a: EntityId, b: EntityId, may_be_shorter: bool) -> Result<f64, Halt> {
        let mut pulse = std::mem::take(&mut self.evaluation.pulse);
        let worth = self.predict_pair_watched((a, b), may_be_shorter, &mut pulse);
        self.evaluation.pulse = pulse;
        match &self.evaluation.pulse.reason {
            Some(reason) => Err(reason.clone()),
            None => worth,
        }
    }

    fn predict_pair_watched(
        &mut self,
        (a, b): (EntityId, EntityId),
        may_be_shorter: bool,
        pulse: &mut Pulse,
    ) -> Result<f64, Halt> {
        let ids = self.contacts(a, b)?;
        let mut worth = f64::INFINITY;
        let of = self.motion(a);
        let (begin, lasts) = of.step().map_or((0.0, 0.0), |step| (step.t0(), step.span()));
        let rounding = of.rounding().max(self.motion(b).rounding());
        let gap = self.system.tolerances.gap;
        let mut near = NearSpans::default();
        for contact in ids {
            let (a, b) = self.system.contact(contact).entities();
            if self.is_active(a, contact) || self.is_active(b, contact) {
                continue;
            }
            let (first, second) = (self.motion(a), self.motion(b));
            let (Some(from), Some(to)) = (
                span(&first, &second, |s| s.t0(), f64::max),
                span(&first, &second, |s| s.t1(), f64::min),
            ) else {
                continue;
            };
            let from = from.max(self.recorder.now.t());
            if to <= from {
                continue;
            }
            let pair = &self.system.contact(contact).pair;
            let (mut fault, mut looks) = (None, 0);
            let noise = {
                let size = first.position(from).norm() + second.position(from).norm();
                let reach = |e: EntityId| self.system.bodies[e].reach;
                let reach = [a, b]
                    .map(reach)
                    .into_iter()
                    .filter(|r| r.is_finite())
                    .sum::<f64>();
                GAP_ROUNDINGS * f64::EPSILON * (size + reach)
            };
            let quick = quick_spheres(&self.system, contact);
            let balls = (is_ball(pair.surfaces().0), is_ball(pair.surfaces().1));
            // How a ball is turned does not matter.
            let place = |motion: &Motion<'_>, is_ball: bool, t: f64| match motion {
                Motion::Moving(..) if is_ball => Placement::at(motion.position(t)),
                _ => motion.placement(t),
            };
            let spans = near.of(&self.system, contact, (&first, &second), (from, to));
            let found = first_of(
                &spans,
                &mut |t| {
                    looks += 1;
                    if pulse.beat(0).is_err() {
                        return f64::NAN;
                    }
                    if let Some(radii) = quick {
                        return (second.position(t) - first.position(t)).norm() - radii;
                    }
                    let (first_at, second_at) = (place(&first, balls.0, t), place(&second, balls.1, t));
                    match pair.closest_points(&first_at, &second_at) {
                        Ok(points) => points.closing_gap(),
                        // After a crossing the polynomials go on, and the surfaces overlap deeply: any negative gap will do.
                        Err(error) => overlap(pair, &first_at, &second_at).unwrap_or_else(|| {
                            fault = Some(error);
                            f64::NAN
                        }),
                    }
                },
                noise,
                noise,
            );
            self.evaluation.work += looks;
            if let Some(error) = fault {
                return Err(self.fault(Fault::Kinematics(error), from));
            }
            // How far a body goes grows with the square of the time at the least.
            if rounding > gap && found != Found::NotIsolated {
                worth = worth.min(0.5 * lasts * (gap / rounding).sqrt());
            }
            match found {
                Found::None => {}
                Found::At(time) => {
                    if rounding > TOLD * gap && time - begin < EARLY * lasts {
                        worth = worth.min(2.0 * (time - begin));
                    }
                    let version = |e: EntityId| {
                        self.island_of[e]
                            .and_then(|i| self.islands[i].as_ref())
                            .map_or(0, |i| i.version)
                    };
                    let versions = (version(a), version(b));
                    self.queue.push(Entry {
                        time,
                        coming: Coming::Crossing { contact },
                        versions,
                    });
                }
                Found::NotIsolated if rounding > gap => {
                    worth = worth.min(0.5 * lasts * (gap / rounding).sqrt())
                }
                Found::NotIsolated if may_be_shorter => worth = worth.min(SHORTER * lasts),
                Found::NotIsolated => {
                    let label = &self.system.contact(contact).label;
                    return Err(StopReason::CrossingNotIsolated {
                        of: format!("the gap of {label}"),
                    });
                }
            }
        }
        Ok(worth)
    }

    /// The gap of a contact as far as touching goes; none where there is no way to it.
    pub(crate) fn gap(
        &self,
        contact: ContactIx,
        first: &Placement<f64>,
        second: &Placement<f64>,
    ) -> Option<f64> {
        let pair = &self.system.contact(contact).pair;
        match pair.closest_points(first, second) {
            Ok(points) => Some(points.closing_gap()),
            Err(_) => overlap(pair, first, second),
        }
    }

    fn is_active(&self, entity: EntityId, contact: ContactIx) -> bool {
        let island = self.island_of[entity].and_then(|i| self.islands[i].as_ref());
        island.is_some_and(|island| island.active.iter().any(|a| a.contact == contact))
    }

    pub(crate) fn motion(&self, entity: EntityId) -> Motion<'_> {
        let island = self.island_of[entity].and_then(|i| self.islands[i].as_ref());
        match island.and_then(|island| island.place(entity).map(|place| (island.step(), place))) {
            Some((step, place)) => Motion::Moving(step, place),
            None => Motion::Fixed(self.system.bodies[entity].initial.placement()),
        }
    }

    /// Gives how long a step is worth making.
    fn predict_guards(&mut self, id: IslandIx, may_be_shorter: bool) -> Result<f64, Halt> {
        let Some(island) = self.islands[id].take() else {
            return Ok(f64::INFINITY);
        };
        let found = self.first_guard(&island);
        let (version, lasts) = (island.version, island.step().span());
        self.islands[id] = Some(island);
        if may_be_shorter && matches!(found, Err(StopReason::CrossingNotIsolated { .. })) {
            return Ok(SHORTER * lasts);
        }
        if let Some((time, contact)) = found? {
            self.queue.push(Entry {
                time,
                coming: Coming::Guard { island: id, contact },
                versions: (version, 0),
            });
        }
        Ok(f64::INFINITY)
    }

    fn first_guard(&mut self, island: &Island) -> Result<Option<(f64, ContactIx)>, Halt> {
        if island.active.is_empty() {
            return Ok(None);
        }
        let (from, to) = (island.step().t0(), island.step().t1());
        self.evaluation.anchor = from;
        let jump = self.first_jump(island, from, to)?;
        let to = jump.map_or(to, |(t, _)| t);
        let mut best = jump;
        if island.asks_node {
            best = self.first_change_of_mode(island, from, to)?.or(jump);
        }
        let mut values = GuardValues {
            system: &self.system,
            evaluation: &mut self.evaluation,
            island,
            known: BTreeMap::new(),
            fault: None,
        };
        let noise = values.noise(from);
        let scales = values.system.scales;
        let mut failed = None;
        'search: for (number, active) in island.active.iter().enumerate() {
            for guard in 0..ALL_GUARDS {
                let data = values.system.contact(active.contact);
                // What the node was asked are forces; how a contact slips does not hang on which of many they are.
                let is_held = match guard {
                    0 => true,
                    3 => active.turning.roll.is_none(),
                    4 => active.turning.spin.is_none(),
                    _ => active.slides.is_none(),
                };
                if island.asks_node && is_held {
                    continue;
                }
                if guard == 1 && data.is_frictionless() || guard == 2 && active.pace == Pace::Fast {
                    continue;
                }
                if guard >= GUARDS && data.couple.is_none() || guard == 5 && active.turning.pace == Pace::Fast
                {
                    continue;
                }
                let until = best.map_or(to, |(t, _)| t);
                match first_downward(
                    &mut |t| values.at(t, ALL_GUARDS * number + guard),
                    (from, until),
                    GUARD_LEVEL * guard_scale(&scales, active, guard),
                    noise[ALL_GUARDS * number + guard],
                ) {
                    Found::None => {}
                    Found::At(t) => best = Some((t, active.contact)),
                    Found::NotIsolated => {
                        let what = match guard {
                            0 => "normal force",
                            1 | 2 => "friction",
                            _ => "rolling or spinning friction",
                        };
                        failed = Some(StopReason::CrossingNotIsolated {
                            of: format!("the {what} of {}", data.label),
                        });
                        break 'search;
                    }
                }
            }
        }
        let fault = values.fault.take();
        if let Some(fault) = fault {
            return Err(self.fault(fault, from));
        }
        failed.map_or(Ok(best), Err)
    }
}

/// The scale of a guard.
pub(crate) fn guard_scale(scales: &Scales, active: &Active, guard: usize) -> f64 {
    match (guard, active.slides) {
        (0, _) => scales.force,
        (1, None) => scales.force * scales.force,
        (1, Some(_)) => scales.velocity,
        (3, _) if active.turning.roll.is_none() => scales.force * scales.force,
        (4, _) if active.turning.spin.is_none() => scales.force * scales.force,
        (3 | 4, _) => scales.velocity,
        _ => 1.0,
    }
}

/// How fast a closed contact moves in a direction in which it must not, m/s.
pub(crate) fn departure(active: &Active, k: &ContactKinematics<f64>) -> f64 {
    let [u, v] = k.tangential_velocity;
    let across = if active.slides.is_none() { u.hypot(v) } else { 0.0 };
    k.normal_velocity.abs().max(across)
}

impl Run<'_> {
    /// The departure of a closed contact that is no drift of the flow, m/s.
    pub(crate) fn departs_at(&self) -> f64 {
        10.0 * self.system.tolerances.velocity
    }

    /// When the velocity of a closed contact first leaves zero: where flat parts of two surfaces come to lie on each other, the closest points jump from
    /// one end of them to the other, and the contact closes or opens there anew.
    fn first_jump(&mut self, island: &Island, from: f64, to: f64) -> Result<Option<(f64, ContactIx)>, Halt> {
        let limit = self.departs_at();
        let mut fault = None;
        let mut jumped = |t: f64| {
            if let Err(error) = self.evaluation.kinematics_during(&self.system, island, t) {
                fault = Some(error);
            }
            let mut contacts = island.active.iter().zip(&self.evaluation.kinematics);
            contacts
                .find(|(active, k)| departure(active, k) > limit)
                .map(|(active, _)| active.contact)
        };
        let mut found = jumped(to).map(|contact| (to, contact));
        let mut low = from;
        while let Some((high, _)) = found {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            match jumped(middle) {
                Some(contact) => found = Some((middle, contact)),
                None => low = middle,
            }
        }
        fault.map_or(Ok(found), |fault| Err(self.fault(fault, from)))
    }

    /// For redundant contacts: when the contact node would first move a contact that must not move.
    fn first_change_of_mode(
        &mut self,
        island: &Island,
        from: f64,
        to: f64,
    ) -> Result<Option<(f64, ContactIx)>, Halt> {
        let ids: Vec<ContactIx> = island.active.iter().map(|a| a.contact).collect();
        let mut halt = None;
        let moves = MOVES * self.system.still();
        let shortest = 1e-3 * self.system.scales.time;
        let mut moved = |t: f64| {
            let states = (0..island.entities.len())
                .map(|place| island.state(place, t))
                .collect();
            let cluster = Cluster::at(island.entities.clone(), states);
            match self.sustained(t, &cluster, &ids) {
                Ok(Some(outcome)) => {
                    let worst = island
                        .active
                        .iter()
                        .zip(&outcome.accelerations)
                        .map(|(active, a)| match active.slides {
                            None => a[0].max(a[1].hypot(a[2])),
                            Some(_) => a[0],
                        });
                    let couples = self.evaluation.couples.iter();
                    let turns = couples.zip(outcome.accelerations.iter().skip(ids.len()));
                    let turns = turns.map(|(couple, [s, x, y])| {
                        let turning = &island.active[couple.of].turning;
                        let part = |counts: bool, size: f64| if counts { size } else { 0.0 };
                        part(couple.data.roll > 0.0 && turning.roll.is_none(), x.hypot(*y))
                            .max(part(couple.data.spin > 0.0 && turning.spin.is_none(), s.abs()))
                    });
                    moves - worst.chain(turns).fold(0.0, f64::max)
                }
                Ok(None) => moves,
                Err(reason) => {
                    halt = Some(reason);
                    f64::NAN
                }
            }
        };
        // Zero and then rising: looks and a bisection, because what is flat and then bends is no polynomial.
        let mut found = None;
        let look = |n: u32| from + (to - from) * f64::from(n) / f64::from(LOOKS);
        if let Some(n) = (1..=LOOKS).find(|n| moved(look(*n)) <= 0.0) {
            let (mut low, mut high) = (look(n - 1), look(n));
            while high - low > 4.0 * f64::EPSILON * high.abs().max(shortest) {
                let middle = 0.5 * (low + high);
                if moved(middle) > 0.0 {
                    low = middle
                } else {
                    high = middle
                }
            }
            found = ids.first().map(|id| (high, *id));
        }
        halt.map_or(Ok(found), Err)
    }
}

/// How an entity moves during a step.
pub(crate) enum Motion<'a> {
    Moving(&'a DenseStep, usize),
    Fixed(Placement<f64>),
}

impl Motion<'_> {
    pub(crate) fn step(&self) -> Option<&DenseStep> {
        match self {
            Motion::Moving(step, _) => Some(step),
            Motion::Fixed(_) => None,
        }
    }

    /// The rounding of positions along the step, m: that of how far it goes.
    fn rounding(&self) -> f64 {
        match self {
            // Another island may have no step yet.
            Motion::Moving(step, place) if step.dimension() >= STATE * (place + 1) => {
                let far = |axis: usize| step.slope_coefficients(STATE * place + axis).iter();
                let far: f64 = (0..3).flat_map(far).map(|c| c.abs()).sum();
                f64::EPSILON * far
            }
            Motion::Moving(..) | Motion::Fixed(_) => 0.0,
        }
    }

    pub(crate) fn position(&self, t: f64) -> Vec3<f64> {
        match self {
            Motion::Moving(step, place) => {
                let [x, y, z] = step.components(STATE * place, t);
                Vec3::new(x, y, z)
            }
            Motion::Fixed(placement) => placement.position,
        }
    }

    pub(crate) fn placement(&self, t: f64) -> Placement<f64> {
        match self {
            Motion::Moving(step, place) => {
                let [x, y, z, w, i, j, k] = step.components(STATE * place, t);
                Placement {
                    position: Vec3::new(x, y, z),
                    orientation: Quaternion { w, x: i, y: j, z: k }.normalized(),
                }
            }
            Motion::Fixed(placement) => *placement,
        }
    }
}

fn span(
    a: &Motion<'_>,
    b: &Motion<'_>,
    of: impl Fn(&DenseStep) -> f64,
    join: impl Fn(f64, f64) -> f64,
) -> Option<f64> {
    match (a.step().map(&of), b.step().map(&of)) {
        (Some(x), Some(y)) => Some(join(x, y)),
        (x, y) => x.or(y),
    }
}

/// The gap of surfaces that overlap too deeply for closest points; none if they do not.
pub(crate) fn overlap(
    pair: &ContactPair<f64>,
    first_at: &Placement<f64>,
    second_at: &Placement<f64>,
) -> Option<f64> {
    distance(pair, first_at, second_at).filter(|gap| *gap < 0.0)
}

/// The distance of surfaces that are apart; none if they are not.
pub(crate) fn apart(
    pair: &ContactPair<f64>,
    first_at: &Placement<f64>,
    second_at: &Placement<f64>,
) -> Option<f64> {
    distance(pair, first_at, second_at).filter(|gap| *gap > 0.0)
}

fn distance(pair: &ContactPair<f64>, first_at: &Placement<f64>, second_at: &Placement<f64>) -> Option<f64> {
    let (first, second) = pair.surfaces();
    let (a, b) = (
        first_at.compose(&first.placement),
        second_at.compose(&second.placement),
    );
    let found = separation(&first.shape, &a, &second.shape, &b).ok()?;
    Some(found.gap)
}

/// The sum of the radii of two spheres at their entities' centres: their gap needs positions only.
fn quick_spheres(system: &System<'_>, contact: ContactIx) -> Option<f64> {
    let (first, second) = system.contact(contact).pair.surfaces();
    let (Shape::Sphere { radius: r }, Shape::Sphere { radius: s }) = (&first.shape, &second.shape) else {
        return None;
    };
    (is_ball(first) && is_ball(second)).then_some(r + s)
}

/// Whether a surface is a sphere about the centre of its entity.
fn is_ball(surface: &Surface<f64>) -> bool {
    matches!(surface.shape, Shape::Sphere { .. }) && surface.placement.position == Vec3::zero()
}

/// The guards of an island's closed contacts along its step; each moment is evaluated once.
struct GuardValues<'r, 'm> {
    system: &'r System<'m>,
    evaluation: &'r mut Evaluation,
    island: &'r Island,
    known: BTreeMap<u64, Vec<f64>>,
    fault: Option<Fault>,
}

impl GuardValues<'_, '_> {
    fn at(&mut self, t: f64, guard: usize) -> f64 {
        let key = t.to_bits();
        if let Some(values) = self.known.get(&key) {
            return values[guard];
        }
        let values = self.evaluate(t).unwrap_or_else(|fault| {
            self.fault = Some(fault);
            vec![f64::NAN; ALL_GUARDS * self.island.active.len()]
        });
        let value = values[guard];
        self.known.insert(key, values);
        value
    }

    /// How well each guard is known: to some roundings of what it is a difference of.
    fn noise(&mut self, t: f64) -> Vec<f64> {
        let active = &self.island.active;
        self.at(t, 0);
        if self.fault.is_some() {
            return vec![0.0; ALL_GUARDS * active.len()];
        }
        let at = &self.evaluation;
        let mut noise = Vec::with_capacity(ALL_GUARDS * active.len());
        for (number, contact) in active.iter().enumerate() {
            let [normal, x, y] = at.forces[number];
            let force = normal.abs() + x.abs() + y.abs();
            let arms = &at.kinematics[number].arms;
            let arm = arms[0].norm().max(arms[1].norm());
            let speeds = at
                .states
                .iter()
                .map(|s| s.velocity.norm() + arm * s.angular_velocity.norm());
            let speed = speeds.fold(0.0, f64::max);
            let of = |moves: bool| if moves { speed } else { force * force };
            let (roll, spin) = (contact.turning.roll.is_some(), contact.turning.spin.is_some());
            let all = [force, of(contact.slides.is_some()), 1.0, of(roll), of(spin), 1.0];
            noise.extend(all.map(|size| 16.0 * f64::EPSILON * size));
        }
        noise
    }

    fn evaluate(&mut self, t: f64) -> Result<Vec<f64>, Fault> {
        let step = self.island.step();
        let mut x = vec![0.0; step.dimension()];
        step.evaluate(t, &mut x);
        let mut dx = vec![0.0; x.len()];
        let (entities, active) = (&self.island.entities, &self.island.active);
        self.evaluation
            .right_hand_side(self.system, entities, active, t, &x, &mut dx)?;
        let mut values = Vec::with_capacity(ALL_GUARDS * active.len());
        for number in 0..active.len() {
            values.extend(guards(self.system, self.evaluation, active, number));
            values.extend(self.evaluation.couple_guards(self.system, active, number));
        }
        Ok(values)
    }
}
