//! A stay in a location: the flow from one sample to the next, and the domain at its beginning.
//!
//! A contact whose impacts accumulate moves as if it were closed and is named so later: nothing in a trace says how it stands until then, so a stretch fits if it does in one of the ways.
//! Beside a switch of loads a condition holds if it does on one of its sides.

use crate::bodies::{States, When};
use crate::couples::{Turns, mobility, rates, turns};
use crate::finding::Compared;
use crate::flow::follow;
use crate::forces::{Stand, forces};
use crate::moment::{FORCE, Moment, SLOW};
use crate::walk::Walk;
use dyverse_machine::{Condition, ContactId, DynamicalLocation, FrictionMode, NamedPlace};
use dyverse_num::Vec3;
use dyverse_trace::SuperdenseTime;
use std::collections::BTreeSet;

/// Ways in which contacts whose impacts accumulate may stand, at the most.
const MOST_WAYS: usize = 81;

/// Friction that differs by more, at nearly the same slip speed, jumps.
const FRICTION_JUMP: f64 = 1e-4;

/// Speeds from which positions tell times, m/s times the scale of velocities.
const SLOW_EVENT: f64 = 1e-2;

/// How far states are moved to see what loads read them, m times the scale of lengths.
const NUDGE: f64 = 1e-3;

const ALONG: &str = "a slip along a jump of its friction is not judged";

/// What a motion is beside the flow of its location.
enum Motion {
    /// The same, with this difference.
    Fits(f64),
    Off(String, Compared),
    /// It could not be followed.
    Lost,
}

impl Walk<'_> {
    /// The direction of a slip that begins or ends: the end at which it is faster tells it.
    fn direction(&self, touch: usize, next: &States) -> Option<[f64; 2]> {
        let at = |states: &States| Some(self.bodies.kinematics(touch, states)?.tangential_velocity);
        let all = [at(&self.states)?, at(next)?];
        let [x, y] = all
            .into_iter()
            .max_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])))?;
        let speed = x.hypot(y);
        (speed > 0.0).then(|| [x / speed, y / speed])
    }

    /// How a contact rolls and spins until then.
    fn turns(&self, touch: usize, next: &States) -> Turns {
        let resting = self.bodies.model.tolerances().velocity;
        turns(&self.bodies, touch, (&self.states, next), resting)
    }

    /// The closed contacts of a location, with how they stand.
    pub(crate) fn stands(&self, location: &DynamicalLocation, next: &States) -> Vec<Stand> {
        let stand = |(contact, mode): (ContactId, FrictionMode)| Stand {
            touch: contact.index(),
            mode,
            direction: self.direction(contact.index(), next),
            near: [0.0; 3],
            turns: self.turns(contact.index(), next),
        };
        location.modes().map(stand).collect()
    }

    /// The ways in which contacts may stand. A contact whose impacts accumulate moves as if it were closed, and is named so later: nothing in a trace says how it stands until then.
    pub(crate) fn ways(&self, closed: Vec<Stand>, zeno: &[String], next: &States) -> Vec<Vec<Stand>> {
        let named = zeno
            .iter()
            .filter_map(|label| self.bodies.touches.iter().position(|t| t.label == *label));
        let tolerances = self.bodies.model.tolerances();
        let is_held = |touch: &usize| {
            let k = self.bodies.kinematics(*touch, &self.states);
            let is_named = closed.iter().any(|s| s.touch == *touch);
            !is_named
                && k.is_some_and(|k| {
                    k.gap.abs() <= 100.0 * tolerances.gap
                        && k.normal_velocity.abs() <= 100.0 * tolerances.velocity
                })
        };
        let accumulating: BTreeSet<usize> = named
            .chain(self.accumulating.iter().copied())
            .filter(is_held)
            .collect();
        let mut ways = vec![closed.clone()];
        // A slip as slow as that may have any direction: that of its velocity, or that with which it was faster.
        for (number, stand) in closed.iter().enumerate() {
            let k = self.bodies.kinematics(stand.touch, &self.states);
            let [x, y] = k.map_or([0.0; 2], |k| k.tangential_velocity);
            let speed = x.hypot(y);
            let is_slow = speed > 0.0 && speed <= SLOW * self.bodies.model.scales().velocity;
            if stand.mode != FrictionMode::Stick && is_slow && ways.len() <= MOST_WAYS / 3 {
                let mut turned = ways.clone();
                turned
                    .iter_mut()
                    .for_each(|way| way[number].direction = Some([x / speed, y / speed]));
                ways.extend(turned);
            }
        }
        for touch in accumulating {
            let k = self.bodies.kinematics(touch, &self.states);
            let speed = k.map_or(0.0, |k| k.tangential_velocity[0].hypot(k.tangential_velocity[1]));
            let is_fast = speed > SLOW * self.bodies.model.scales().velocity;
            let stand = |mode: FrictionMode| Stand {
                touch,
                mode,
                direction: self.direction(touch, next),
                near: [0.0; 3],
                turns: self.turns(touch, next),
            };
            let (slip, stick) = (stand(FrictionMode::Slip), stand(FrictionMode::Stick));
            let mut options = vec![Some(slip), Some(stick), None];
            if !is_fast {
                options.swap(0, 1);
            }
            // Of many the likely ones.
            options.truncate(if ways.len() < MOST_WAYS / 3 { 3 } else { 1 });
            let with = |way: &Vec<Stand>, option: &Option<Stand>| {
                way.iter().copied().chain(*option).collect::<Vec<_>>()
            };
            ways = options
                .iter()
                .flat_map(|option| ways.iter().map(|way| with(way, option)))
                .collect();
        }
        // Where something slips, which of many forces there are is told by the last contact node, if they are not the shortest.
        let slips = closed.iter().any(|s| s.mode != FrictionMode::Stick);
        if closed.len() > 1 && slips {
            let told = |stand: &Stand| Stand {
                near: self.found.get(&stand.touch).copied().unwrap_or([0.0; 3]),
                ..*stand
            };
            let near: Vec<_> = ways.iter().map(|way| way.iter().map(told).collect()).collect();
            ways.extend(near);
        }
        ways
    }

    /// The entities whose forces are one choice of many, and whose friction moves something, with those that loads or contacts tie to them: nothing in the trace says which, where a node chose anew and no mode
    /// changed.
    fn chosen_for(&self, when: When, closed: &[Stand]) -> BTreeSet<usize> {
        let bodies = &self.bodies;
        let slow = SLOW * bodies.model.scales().velocity;
        let groups = bodies.groups(closed, |s| s.touch);
        let is_free = |group: &[&Stand]| {
            let stands: Vec<Stand> = group.iter().map(|s| **s).collect();
            stands.iter().any(|s| s.mode != FrictionMode::Stick)
                && forces(bodies, when, &self.states, &stands, slow).is_some_and(|f| f.is_redundant)
        };
        let free = groups.iter().filter(|(_, group)| is_free(group));
        let free = free.flat_map(|(entities, _)| entities.iter().copied()).collect();
        self.with_tied(when, free, closed)
    }

    /// Some entities, with those that loads or contacts tie to them.
    pub(crate) fn with_tied(
        &self,
        when: When,
        mut free: BTreeSet<usize>,
        closed: &[Stand],
    ) -> BTreeSet<usize> {
        let bodies = &self.bodies;
        let groups = bodies.groups(closed, |s| s.touch);
        // Each round adds one at the least.
        for _ in 0..self.states.len() {
            let mut moved = self.states.clone();
            for entity in &free {
                let state = &mut moved[*entity];
                let by = Vec3::new(1.1, 1.3, 1.7).scale(&(NUDGE * bodies.model.scales().length));
                (state.position, state.velocity) = (state.position + by, state.velocity + by);
                state.angular_velocity = state.angular_velocity + by;
            }
            let (here, there) = (
                bodies.free_accelerations(when, &self.states),
                bodies.free_accelerations(when, &moved),
            );
            let more: Vec<usize> = (0..here.len())
                .filter(|e| !free.contains(e) && here[*e] != there[*e])
                .collect();
            if more.is_empty() {
                break;
            }
            let tied = groups
                .iter()
                .filter(|(all, _)| more.iter().any(|e| all.contains(e)));
            free.extend(
                tied.flat_map(|(all, _)| all.iter().copied())
                    .chain(more.iter().copied()),
            );
        }
        free
    }

    /// Whether an entity moves as far as its velocities say, whatever moves it: each component of the velocity goes from what it was to what it is.
    fn moves_by_its_velocities(&self, (from, to): (f64, f64), end: &States, entity: usize) -> bool {
        let (old, new) = (&self.states[entity], &end[entity]);
        let h = to - from;
        let way = new.position - old.position - (old.velocity + new.velocity).scale(&(0.5 * h));
        let slack = self.options.precision * (self.bodies.model.scales().length + new.position.norm());
        way.norm() <= 0.5 * h * (new.velocity - old.velocity).norm() + slack
    }

    /// A stretch of motion.
    pub(crate) fn stretch(
        &mut self,
        (from, to): (SuperdenseTime, SuperdenseTime),
        end: &States,
        zeno: &[String],
    ) {
        self.edge = None;
        self.set.clear();
        self.replay.stretches += 1;
        self.replay.stays += usize::from(!self.is_staying);
        self.is_staying = true;
        self.stepped = self.stepped_in((from.t(), to.t()));
        let location = match &self.place {
            Some(NamedPlace::Dynamical(location)) => location.clone(),
            Some(NamedPlace::Inner(..)) => {
                self.wrong(from, "time goes on inside a computation node".into());
                return;
            }
            None => return,
        };
        let stands = self.stands(&location, end);
        if !self.stepped.is_empty() {
            self.step_by_step((from, to), end);
            self.stepped = self.with_tied(When::at(from.t()), self.stepped.clone(), &stands);
        }
        let but_for = self.stepped.clone();
        let is_along = |stand: &Stand| self.at_jump(stand, from.t(), end) == [true; 2];
        if self.bodies.has_friction_switches && stands.iter().any(is_along) {
            self.open(from, ALONG.into());
            return;
        }
        let mut first = None;
        for way in self.ways(stands, zeno, end) {
            let domain = self
                .domain(from, &location, &way)
                .or_else(|| self.couples_beyond((from, to), &way));
            if first.is_some() && domain.is_some() {
                continue;
            }
            let motion = self.motion((from.t(), to.t()), end, &location, &way, &but_for);
            if domain.is_none()
                && let Motion::Fits(difference) = motion
            {
                self.replay.largest_difference = self.replay.largest_difference.max(difference);
                return;
            }
            first.get_or_insert((domain, motion, way));
        }
        let Some((domain, motion, way)) = first else {
            return;
        };
        if let Some((what, compared)) = domain {
            self.wrong_by(from, what, compared);
        }
        let is_along = |stand: &Stand| self.at_jump(stand, from.t(), end).contains(&true);
        if self.bodies.has_friction_switches && !matches!(motion, Motion::Fits(_)) && way.iter().any(is_along)
        {
            self.open(from, ALONG.into());
            return;
        }
        let mut motion = motion;
        if matches!(motion, Motion::Off(..)) {
            let mut free = self.chosen_for(When::at(from.t()), &way);
            let span = (from.t(), to.t());
            let slides = |entity: &usize| self.moves_by_its_velocities(span, end, *entity);
            if !free.is_empty() && free.iter().all(slides) {
                free.extend(&but_for);
                motion = self.motion(span, end, &location, &way, &free);
                if matches!(motion, Motion::Fits(_)) {
                    self.open(
                        from,
                        "which of many forces of contacts that slip there are is not told".into(),
                    );
                }
            }
        }
        match motion {
            Motion::Fits(_) => {}
            Motion::Off(what, compared) => self.wrong_by(to, what, vec![compared]),
            Motion::Lost => self.open(
                from,
                "the motion could not be followed by a method without events (a load that switches, a slip that turns)".into(),
            ),
        }
    }

    /// Whether a contact slips, at the beginning and at the end of a stretch, as fast as its friction jumps: a motion may go along the jump, with a friction between.
    fn at_jump(&self, stand: &Stand, from: f64, end: &States) -> [bool; 2] {
        let beside = SLOW * self.bodies.model.scales().velocity;
        [&self.states, end].map(|states| {
            let at = (When::at(from), states);
            let k = self.bodies.kinematics(stand.touch, states);
            let speed = k.map_or(0.0, |k| k.tangential_velocity[0].hypot(k.tangential_velocity[1]));
            let mu = |speed: f64| self.bodies.friction_of_slip(stand.touch, speed, at);
            stand.mode != FrictionMode::Stick
                && (mu(speed + beside) - mu(speed - beside)).abs() > FRICTION_JUMP
        })
    }

    /// How far the flow of a location, with contacts that stand so, ends from a state; none if it is another motion.
    pub(crate) fn leads_to(
        &self,
        span: (f64, f64),
        end: &States,
        location: &DynamicalLocation,
        closed: &[Stand],
    ) -> Option<f64> {
        match self.motion(span, end, location, closed, &BTreeSet::new()) {
            Motion::Fits(off) => Some(off),
            _ => None,
        }
    }

    /// Whether the flow of a location, with contacts that stand so, leads to a state, and how far from it; but for some entities.
    fn motion(
        &self,
        (from, to): (f64, f64),
        end: &States,
        location: &DynamicalLocation,
        closed: &[Stand],
        but_for: &BTreeSet<usize>,
    ) -> Motion {
        let bodies = &self.bodies;
        let scales = bodies.model.scales();
        let slow = SLOW * scales.velocity;
        let scale = |i: usize| self.scale(i);
        let begin = bodies.numbers(&self.states);
        // Of entities that are all left out nothing is asked.
        if (0..begin.len())
            .step_by(13)
            .all(|i| but_for.contains(&bodies.moving(i / 13)))
        {
            return Motion::Fits(0.0);
        }
        let mut rate = |t: f64, x: &[f64]| self.rate(t, (from, to), x, closed);
        let Some(found) = follow(&mut rate, &begin, (from, to), &scale) else {
            return Motion::Lost;
        };
        let shown = bodies.numbers(end);
        // What happens between two samples begins and ends when positions say so, which are rounded.
        let blurred = self.blur(to, end);
        let rates = rate(to, &shown).unwrap_or_default();
        let (mut worst, mut place) = (0.0_f64, 0);
        let all = found.iter().zip(&shown).enumerate();
        for (i, (a, b)) in all.filter(|(i, _)| !but_for.contains(&bodies.moving(i / 13))) {
            // The same orientation has two quaternions.
            let late = rates.get(i).map_or(0.0, |rate| rate.abs() * blurred);
            let off = ((a - b).abs() - late) / (scale(i) + b.abs().max(a.abs()));
            if off > worst || off.is_nan() {
                (worst, place) = (off, i);
            }
        }
        // The direction of a slip as slow as that is not known to more than its size.
        let is_slow = |states: &States, s: &Stand| {
            let k = bodies.kinematics(s.touch, states);
            k.is_some_and(|k| k.tangential_velocity[0].hypot(k.tangential_velocity[1]) <= 10.0 * slow)
        };
        let mut slips = closed.iter().filter(|s| s.mode != FrictionMode::Stick);
        let is_loose = slips.any(|s| is_slow(&self.states, s) || is_slow(end, s));
        let precision = self.options.precision * if is_loose { 10.0 } else { 1.0 };
        if worst <= precision {
            return Motion::Fits(worst);
        }
        let (entity, component) = (bodies.moving(place / 13), place % 13);
        let (gives, shows) = (found[place], shown[place]);
        let slack = precision * (scale(place) + gives.abs().max(shows.abs()));
        let what = format!(
            "the motion of `{}` since t = {} s is not that of {}",
            bodies.model.entities()[entity].name,
            from,
            self.automaton.notation().dynamical_location(location),
        );
        let name = bodies.signal_name(entity, component);
        Motion::Off(what, Compared::equal(name, shows, gives, slack))
    }

    /// What a component of the state is measured by.
    fn scale(&self, place: usize) -> f64 {
        let scales = self.bodies.model.scales();
        match place % 13 {
            0..3 => scales.length,
            3..7 => 1.0,
            7..10 => scales.velocity,
            _ => 1.0 / scales.time,
        }
    }

    /// The rate of the state at a moment of a stretch.
    fn rate(&self, t: f64, stretch: (f64, f64), x: &[f64], closed: &[Stand]) -> Option<Vec<f64>> {
        let bodies = &self.bodies;
        let states = bodies.of_numbers(x);
        // A slip that turns comes as near to rest as its curve lets it: its own direction counts down to what is rest.
        let still = bodies.model.tolerances().velocity;
        let found = forces(bodies, bodies.inside(t, stretch), &states, closed, still)?;
        let mut dx = Vec::with_capacity(x.len());
        for (entity, state) in states.iter().enumerate() {
            if bodies.inertia[entity].is_some() {
                let d = state.derivative(&found.accelerations[entity]);
                let q = d.orientation;
                dx.extend([d.position.x, d.position.y, d.position.z, q.w, q.x, q.y, q.z]);
                dx.extend([d.velocity.x, d.velocity.y, d.velocity.z]);
                dx.extend([d.angular_velocity.x, d.angular_velocity.y, d.angular_velocity.z]);
            }
        }
        Some(dx)
    }

    /// What a moment is known to, s: the rounding of times, and of positions beside how fast things move.
    fn blur(&self, t: f64, states: &States) -> f64 {
        let slowest = SLOW_EVENT * self.bodies.model.scales().velocity;
        let each = states
            .iter()
            .zip(&self.bodies.inertia)
            .filter(|(_, inertia)| inertia.is_some());
        let of = each.map(|(state, _)| state.position.norm() / state.velocity.norm().max(slowest));
        8.0 * f64::EPSILON * (t.abs() + of.fold(0.0, f64::max))
    }

    /// Why the domain of a location does not hold, with contacts that stand so.
    fn domain(
        &self,
        time: SuperdenseTime,
        location: &DynamicalLocation,
        closed: &[Stand],
    ) -> Option<(String, Vec<Compared>)> {
        let domain = self.automaton.domain(location);
        let compared = self.failed(When::at(time.t()), closed, &domain)?;
        let notation = self.automaton.notation();
        let what = format!(
            "the domain of {} does not hold: {}",
            notation.dynamical_location(location),
            notation.condition(&domain)
        );
        Some((what, compared))
    }

    /// What is held and does not turn over a stretch, with more than the bounds of its couple.
    fn couples_beyond(
        &self,
        (time, to): (SuperdenseTime, SuperdenseTime),
        closed: &[Stand],
    ) -> Option<(String, Vec<Compared>)> {
        let bodies = &self.bodies;
        if bodies.touches.iter().all(|touch| touch.couple.is_none()) {
            return None;
        }
        let beyond = |when: When| {
            let slow = SLOW * bodies.model.scales().velocity;
            let found = forces(bodies, when, &self.states, closed, slow)?;
            if found.is_redundant {
                return None;
            }
            let all = found.forces.iter().flatten().map(|f| f.abs());
            let largest = all.fold(bodies.size_of_loads(when, &self.states), f64::max);
            let slack = crate::SLACK * bodies.model.tolerances().force + FORCE * largest;
            let each = closed.iter().zip(&found.forces).zip(&found.couples);
            let mut wrong = each.filter_map(|((stand, force), [s, x, y])| {
                let touch = &bodies.touches[stand.touch];
                let (lengths, k) = (touch.couple?, bodies.kinematics(stand.touch, &self.states)?);
                let length = rates(bodies, stand.touch, &self.states, &k).1;
                let parts = [
                    ("|M_r|", stand.turns.roll.is_none(), x.hypot(*y), lengths.roll),
                    ("|M_s|", stand.turns.spin.is_none(), s.abs(), lengths.spin),
                ];
                // What should turn, and could not be seen to in such a time, may as well be held.
                let seen = bodies.model.tolerances().velocity;
                let mobility = mobility(bodies, stand.touch, &self.states, &k) * length;
                let unseen = seen / (mobility * (to.t() - time.t()));
                let part = parts.into_iter().find(|(_, held, size, rho)| {
                    let over = size - rho * force[0];
                    *held && *rho > 0.0 && over > slack * (length + rho) && over > 10.0 * unseen
                });
                part.map(|(name, _, size, rho)| Compared {
                    of: format!("{name} of {}", touch.label),
                    found: size,
                    relation: "≤",
                    bound: rho * force[0],
                    slack: slack * (length + rho),
                })
            });
            wrong.next()
        };
        let sides = bodies.sides(When::at(time.t()), &self.states);
        let found: Vec<Option<Compared>> = sides.into_iter().map(beyond).collect();
        let first = found
            .into_iter()
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .next()?;
        let what = "what neither rolls nor spins would need more than its friction".to_owned();
        Some((what, vec![first]))
    }

    /// The comparisons because of which a condition does not hold in the present state; beside a switch it holds if it does on one side.
    pub(crate) fn failed(
        &self,
        when: When,
        closed: &[Stand],
        condition: &Condition,
    ) -> Option<Vec<Compared>> {
        let mut first = None;
        for when in self.bodies.sides(when, &self.states) {
            let moment = Moment::new(&self.bodies, when, &self.states, closed, &self.set, &self.stepped);
            if condition.evaluate(&moment) {
                return None;
            }
            first.get_or_insert_with(|| moment.failed(condition));
        }
        first
    }
}
