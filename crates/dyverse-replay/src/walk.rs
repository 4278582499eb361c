//! Through a trace, from its first sample to its last.

use crate::bodies::{Bodies, States, pack};
use crate::flow::follow;
use crate::forces::{Stand, forces};
use crate::impact::{Struck, judge};
use crate::moment::{Moment, SLOW};
use crate::{Finding, Replay, ReplayError, ReplayOptions};
use dyverse_automaton::{
    Contact, ContactId, ContactList, DynamicalLocation, FrictionMode, GraphKind, HybridAutomaton,
    InnerLocation, Location, NamedPlace, NodeKind,
};
use dyverse_model::{ImpactPolicy, Model};
use dyverse_time::{SuperdenseTime, Trace, Transition, TransitionKind};

/// Findings that are kept, at the most.
const MOST_FINDINGS: usize = 100;

struct Walk<'m> {
    bodies: Bodies<'m>,
    automaton: HybridAutomaton,
    trace: &'m Trace,
    options: &'m ReplayOptions,
    replay: Replay,
    /// Where the run is; `None` while a name could not be read.
    place: Option<NamedPlace>,
    states: States,
}

pub(crate) fn walk(model: &Model, trace: &Trace, options: &ReplayOptions) -> Result<Replay, ReplayError> {
    if trace.dropped != dyverse_time::Tally::default() {
        return Err(ReplayError::NotWhole(
            "the trace does not hold all transitions of its run".into(),
        ));
    }
    let bodies = Bodies::new(model, trace, options)?;
    let list = model.contacts().map(|c| {
        let name = |id| model.entity(id).name.clone();
        Contact::new(model.contact_label(&c), name(c.entities.0), name(c.entities.1))
    });
    let automaton = HybridAutomaton::new(ContactList::new(list.collect()), GraphKind::Complete, Vec::new())
        .map_err(|error| ReplayError::TooLarge(error.to_string()))?;
    let states = trace
        .samples
        .first()
        .map(|s| bodies.states(s))
        .unwrap_or_default();
    let mut walk = Walk {
        bodies,
        automaton,
        trace,
        options,
        replay: Replay::default(),
        place: None,
        states,
    };
    walk.begin();
    walk.go();
    Ok(walk.replay)
}

impl Walk<'_> {
    fn wrong(&mut self, time: SuperdenseTime, what: String) {
        if self.replay.wrong.len() < MOST_FINDINGS {
            self.replay.wrong.push(Finding { time, what });
        }
    }

    fn open(&mut self, time: SuperdenseTime, what: String) {
        let is_new = !self.replay.open.iter().any(|f| f.what == what);
        if is_new && self.replay.open.len() < MOST_FINDINGS {
            self.replay.open.push(Finding { time, what });
        }
    }

    /// The first location: that which the first transition leaves, or that which the state itself tells.
    fn begin(&mut self) {
        if let Some(first) = self.trace.transitions.first() {
            self.place = self.automaton.named(&first.from);
            if self.place.is_none() {
                let what = format!("`{}` is no location of the automaton", first.from);
                self.wrong(first.time, what);
            }
            return;
        }
        let model = self.bodies.model;
        let (mut stick, mut slip) = (Vec::new(), Vec::new());
        for touch in 0..self.bodies.touches.len() {
            let Some(k) = self.bodies.kinematics(touch, &self.states) else {
                continue;
            };
            let is_closed = k.gap.abs() <= 10.0 * model.tolerances().gap
                && k.normal_velocity.abs() <= 10.0 * model.tolerances().velocity;
            if is_closed {
                let [x, y] = k.tangential_velocity;
                let id = ContactId::new(touch as u32);
                let into = if x.hypot(y) > SLOW * model.scales().velocity {
                    &mut slip
                } else {
                    &mut stick
                };
                into.push(id);
            }
        }
        let location = DynamicalLocation::from_modes(
            &stick.into_iter().collect(),
            std::iter::empty::<ContactId>().collect(),
            slip.into_iter().collect(),
        );
        self.place = location.map(NamedPlace::Dynamical);
    }

    fn go(&mut self) {
        let trace = self.trace;
        let mut transitions = trace.transitions.iter().peekable();
        for (number, sample) in trace.samples.iter().enumerate() {
            let before = number.checked_sub(1).map(|n| trace.samples[n].time);
            // Transitions from the sample before on, up to this one.
            while let Some(next) = transitions.next_if(|t| t.time < sample.time) {
                self.transition(next);
            }
            let states = self.bodies.states(sample);
            if let Some(before) = before {
                if before.t() < sample.time.t() {
                    let zeno = transitions.peek().filter(|t| t.kind == TransitionKind::Zeno);
                    self.stretch(
                        (before, sample.time),
                        &states,
                        zeno.map_or(&[][..], |t| &t.contacts),
                    );
                } else {
                    self.same(sample.time, &states);
                }
            }
            self.states = states;
        }
        for last in transitions {
            self.transition(last);
        }
    }

    /// A sample in the middle of an instant shows what transitions made.
    fn same(&mut self, time: SuperdenseTime, states: &States) {
        let (mut worst, mut name) = (0.0_f64, String::new());
        for (entity, (own, shown)) in self.states.iter().zip(states).enumerate() {
            for (a, b) in pack(own).iter().zip(pack(shown)) {
                let off = (a - b).abs() / (1.0 + b.abs());
                // Also where one of them is no number.
                if off > worst || off.is_nan() {
                    (worst, name) = (off, self.bodies.model.entities()[entity].name.clone());
                }
            }
        }
        if worst > self.options.precision || worst.is_nan() {
            self.wrong(
                time,
                format!("the state of `{name}` is {worst:.3e} beside what the transitions make of it"),
            );
        }
    }

    /// The closed contacts of a location, with how they stand.
    fn stands(&self, location: &DynamicalLocation, next: &States) -> Vec<Stand> {
        // Of a slip that begins or ends, the end at which it is faster tells the direction.
        let direction = |touch: usize| {
            let at = |states: &States| Some(self.bodies.kinematics(touch, states)?.tangential_velocity);
            let all = [at(&self.states)?, at(next)?];
            let [x, y] = all
                .into_iter()
                .max_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])))?;
            let speed = x.hypot(y);
            (speed > 0.0).then(|| [x / speed, y / speed])
        };
        let stand = |(contact, mode): (ContactId, FrictionMode)| Stand {
            touch: contact.index(),
            mode,
            direction: direction(contact.index()),
        };
        location.modes().map(stand).collect()
    }

    /// A stretch of motion.
    fn stretch(&mut self, (from, to): (SuperdenseTime, SuperdenseTime), end: &States, zeno: &[String]) {
        self.replay.stretches += 1;
        let location = match &self.place {
            Some(NamedPlace::Dynamical(location)) => location.clone(),
            Some(NamedPlace::Inner(..)) => {
                self.wrong(from, "time goes on inside a computation node".into());
                return;
            }
            None => return,
        };
        let mut closed = self.stands(&location, end);
        // Impacts that accumulate: the contact moves as if it were closed, and is named so later.
        for label in zeno {
            let Some(touch) = self.bodies.touches.iter().position(|t| t.label == *label) else {
                continue;
            };
            if closed.iter().any(|s| s.touch == touch) {
                continue;
            }
            let k = self.bodies.kinematics(touch, &self.states);
            let tolerances = self.bodies.model.tolerances();
            let is_held = k.is_some_and(|k| {
                k.gap.abs() <= 100.0 * tolerances.gap
                    && k.normal_velocity.abs() <= 100.0 * tolerances.velocity
            });
            if is_held {
                let speed = k.map_or(0.0, |k| k.tangential_velocity[0].hypot(k.tangential_velocity[1]));
                let is_fast = speed > SLOW * self.bodies.model.scales().velocity;
                closed.push(Stand {
                    touch,
                    mode: if is_fast {
                        FrictionMode::Slip
                    } else {
                        FrictionMode::Stick
                    },
                    direction: None,
                });
            }
        }
        self.domain((from.t(), from.t()), &location, &closed, from);
        let scales = self.bodies.model.scales();
        let slow = SLOW * scales.velocity;
        let scale = |i: usize| match i % 13 {
            0..3 => scales.length,
            3..7 => 1.0,
            7..10 => scales.velocity,
            _ => 1.0 / scales.time,
        };
        let bodies = &self.bodies;
        let mut rate = |t: f64, x: &[f64]| {
            let states = bodies.of_numbers(x);
            let found = forces(bodies, (t, from.t()), &states, &closed, slow)?;
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
        };
        let begin = bodies.numbers(&self.states);
        let Some(found) = follow(&mut rate, &begin, (from.t(), to.t()), &scale) else {
            self.open(from, "the motion could not be followed by a method without events (a load that switches, a slip that turns)".into());
            return;
        };
        let shown = bodies.numbers(end);
        let (mut worst, mut place) = (0.0_f64, 0);
        for (i, (a, b)) in found.iter().zip(&shown).enumerate() {
            // The same orientation has two quaternions.
            let off = (a - b).abs() / (scale(i) + b.abs().max(a.abs()));
            if off > worst || off.is_nan() {
                (worst, place) = (off, i);
            }
        }
        self.replay.largest_difference = self.replay.largest_difference.max(worst);
        if worst > self.options.precision || worst.is_nan() {
            let name = self.moving(place / 13);
            self.wrong(
                to,
                format!(
                    "the motion of `{name}` since t = {} s is not that of {}: {:.3e} beside it",
                    from.t(),
                    self.automaton.notation().dynamical_location(&location),
                    worst
                ),
            );
        }
    }

    /// The name of the n-th entity that moves.
    fn moving(&self, n: usize) -> String {
        let mut moving = self.bodies.model.entities().iter().filter(|e| !e.is_fixed);
        moving.nth(n).map(|e| e.name.clone()).unwrap_or_default()
    }

    fn domain(
        &mut self,
        at: (f64, f64),
        location: &DynamicalLocation,
        closed: &[Stand],
        time: SuperdenseTime,
    ) {
        let domain = self.automaton.domain(location);
        let holds = domain.evaluate(&Moment::new(&self.bodies, at, &self.states, closed));
        if !holds {
            let notation = self.automaton.notation();
            let what = format!(
                "the domain of {} does not hold: {}",
                notation.dynamical_location(location),
                notation.condition(&domain)
            );
            self.wrong(time, what);
        }
    }

    fn transition(&mut self, taken: &Transition) {
        self.replay.transitions += 1;
        let named = |name: &str| self.automaton.named(name);
        let (from, to) = (named(&taken.from), named(&taken.to));
        let (Some(from), Some(to)) = (from, to) else {
            let bad = if named(&taken.from).is_none() {
                &taken.from
            } else {
                &taken.to
            };
            let what = format!("`{bad}` is no location of the automaton");
            self.wrong(taken.time, what);
            self.place = None;
            self.apply(taken);
            return;
        };
        self.follows(taken, &from);
        let inside = matches!((&from, &to), (NamedPlace::Inner(a, _), NamedPlace::Inner(b, _)) if a == b);
        let is_impact = matches!(&to, NamedPlace::Inner(node, InnerLocation::Entrance) if node.kind() == NodeKind::Impact);
        if inside {
            // One collision after another, in the node; or a step of SORPROX.
            let is_sequence = matches!(self.bodies.model.impacts(), ImpactPolicy::Sequential(_)) && is_impact;
            if !is_sequence {
                self.open(taken.time, "steps inside computation nodes are not judged".into());
            }
        } else {
            self.edge(taken, &from, &to);
        }
        let before = self.states.clone();
        self.apply(taken);
        if is_impact && (!taken.forces.is_empty() || !taken.changes.is_empty()) {
            self.impact(taken, &before);
        } else if !taken.changes.is_empty() {
            self.wrong(
                taken.time,
                "a state jumps on an edge whose reset is the identity".into(),
            );
        }
        self.place = Some(to);
    }

    /// Transitions follow on each other: a node that was entered is left.
    fn follows(&mut self, taken: &Transition, from: &NamedPlace) {
        let follows = match (&self.place, from) {
            (None, _) => true,
            (
                Some(NamedPlace::Inner(a, InnerLocation::Entrance | InnerLocation::Step(_))),
                NamedPlace::Inner(b, _),
            ) => a == b,
            (Some(place), from) => place == from,
        };
        if !follows {
            self.wrong(
                taken.time,
                format!("the run is not in {} when it leaves it", taken.from),
            );
        }
    }

    /// The edge exists, by its rule, and its guard holds.
    fn edge(&mut self, taken: &Transition, from: &NamedPlace, to: &NamedPlace) {
        let (Some(start), Some(end)) = (from.location(), to.location()) else {
            self.wrong(
                taken.time,
                format!("{} → {} joins steps of two nodes", taken.from, taken.to),
            );
            return;
        };
        let Some(edge) = self.automaton.edge(&start, &end) else {
            self.wrong(
                taken.time,
                format!("no rule has the edge {} → {}", taken.from, taken.to),
            );
            return;
        };
        if edge.rule().number() != taken.rule {
            self.wrong(
                taken.time,
                format!(
                    "{} → {} is by rule {}, not `{}`",
                    taken.from,
                    taken.to,
                    edge.rule().number(),
                    taken.rule
                ),
            );
        }
        // Forces are those of the location that is left, or found for the one that is entered.
        let stands = match (&start, &end) {
            (Location::Dynamical(location), _) => self.stands(location, &self.states),
            (_, Location::Dynamical(location)) => self.stands(location, &self.states),
            _ => Vec::new(),
        };
        let t = taken.time.t();
        let guard = self.automaton.guard(&edge);
        // Where impacts have accumulated the contact is closed in name only now.
        let is_settled = taken.kind == TransitionKind::Zeno;
        if !is_settled && !guard.evaluate(&Moment::new(&self.bodies, (t, t), &self.states, &stands)) {
            let text = self.automaton.notation().condition(&guard);
            self.wrong(
                taken.time,
                format!("the guard of {} → {} does not hold: {text}", taken.from, taken.to),
            );
        }
    }

    /// What the transition says that it changes.
    fn apply(&mut self, taken: &Transition) {
        for change in &taken.changes {
            let Some((entity, place)) = self.bodies.component_of(change.signal.0 as usize) else {
                continue;
            };
            let mut x = pack(&self.states[entity]);
            if (x[place] - change.before).abs() > self.options.precision * (1.0 + change.before.abs()) {
                let name = self.bodies.model.entities()[entity].name.clone();
                self.wrong(
                    taken.time,
                    format!(
                        "`{name}` is said to jump from {}, and was at {}",
                        change.before, x[place]
                    ),
                );
            }
            x[place] = change.after;
            let numbers: Vec<f64> = (0..self.states.len())
                .filter(|e| self.bodies.inertia[*e].is_some())
                .flat_map(|e| if e == entity { x } else { pack(&self.states[e]) })
                .collect();
            self.states = self.bodies.of_numbers(&numbers);
        }
    }

    fn impact(&mut self, taken: &Transition, before: &States) {
        let mut struck = Vec::new();
        for force in &taken.forces {
            let Some(touch) = self.bodies.touches.iter().position(|t| t.label == force.contact) else {
                self.wrong(
                    taken.time,
                    format!("`{}` is no contact of the model", force.contact),
                );
                return;
            };
            let [x, y] = force.tangential;
            struck.push(Struck {
                touch,
                impulse: [force.normal, x, y],
            });
        }
        for what in judge(&self.bodies, before, &self.states, &struck) {
            self.wrong(taken.time, what);
        }
    }
}
