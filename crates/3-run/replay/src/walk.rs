//! Through a trace, from its first sample to its last.

use crate::bodies::{Bodies, States, When, pack};
use crate::clatter;
use crate::finding::{Compared, FoundEdge, MOST_COMPARED};
use crate::forces::Stand;
use crate::impact::{Struck, is_left_out, judge};
use crate::moment::SLOW;
use crate::partial::Partial;
use crate::settled::{self, Pressed};
use crate::{Finding, Replay, ReplayError, ReplayOptions};
use dyverse_machine::{
    ComputationNode, ContactId, ContactSet, DynamicalLocation, FrictionMode, GraphKind, HybridAutomaton,
    InnerEdge, InnerLocation, Location, NamedPlace, NodeKind, Rule,
};
use dyverse_mech::ContactKinematics;
use dyverse_model::{ImpactLaw, Model};
use dyverse_trace::{SuperdenseTime, Trace, Transition, TransitionKind};
use std::collections::{BTreeMap, BTreeSet};

/// Contacts up to which a trace has the numbers of locations.
const MOST_NUMBERED: usize = 64;

/// Contacts at rest of which each is tried apart, at the most; others go with the last.
const MOST_AT_REST: usize = 6;

/// Motions that differ by no more, relative, are the same.
const SAME_MOTION: f64 = 1e-10;

/// Findings that are kept, at the most.
const MOST_FINDINGS: usize = 100;

pub(crate) struct Walk<'m> {
    pub(crate) bodies: Bodies<'m>,
    pub(crate) automaton: HybridAutomaton,
    pub(crate) trace: &'m Trace,
    pub(crate) options: &'m ReplayOptions,
    pub(crate) replay: Replay,
    /// All contacts along a trace that names only those that a transition is about.
    partial: Option<Partial>,
    /// Where the run is; `None` while a name could not be read.
    pub(crate) place: Option<NamedPlace>,
    pub(crate) states: States,
    /// Those with which the last stretch began: a slip that has just stopped had its direction there.
    before: States,
    /// The transition that is judged.
    pub(crate) edge: Option<FoundEdge>,
    /// The forces that a contact node has just set; none once time goes on.
    pub(crate) set: BTreeMap<usize, [f64; 3]>,
    /// The forces that contact nodes found last.
    pub(crate) found: BTreeMap<usize, [f64; 3]>,
    /// Contacts whose last bounce was left out as too low to follow: they move as if closed, and are named so later.
    pub(crate) accumulating: BTreeSet<usize>,
    /// Whether time went on since the last transition.
    pub(crate) is_staying: bool,
    /// Entities whose contacts the trace says it followed by steps, at the moment that is judged.
    pub(crate) stepped: BTreeSet<usize>,
}

pub(crate) fn walk(model: &Model, trace: &Trace, options: &ReplayOptions) -> Result<Replay, ReplayError> {
    if trace.dropped != dyverse_trace::Tally::default() {
        return Err(ReplayError::NotWhole(
            "the trace does not hold all transitions of its run".into(),
        ));
    }
    let bodies = Bodies::new(model, trace, options)?;
    let Some((_, list)) = model.contact_list(usize::MAX) else {
        unreachable!("bug: no model has more contacts than can be counted");
    };
    let automaton = HybridAutomaton::new(list, GraphKind::Complete, Vec::new())
        .map_err(|error| ReplayError::TooLarge(error.to_string()))?;
    let states = trace
        .samples
        .first()
        .map(|s| bodies.states(s))
        .unwrap_or_default();
    let labels = bodies.touches.iter().map(|t| t.label.clone());
    let partial = (bodies.touches.len() > MOST_NUMBERED).then(|| Partial::new(labels));
    let mut walk = Walk {
        partial,
        bodies,
        automaton,
        trace,
        options,
        replay: Replay::default(),
        place: None,
        before: states.clone(),
        states,
        edge: None,
        set: BTreeMap::new(),
        found: BTreeMap::new(),
        accumulating: BTreeSet::new(),
        is_staying: false,
        stepped: BTreeSet::new(),
    };
    walk.times();
    walk.begin();
    walk.go();
    Ok(walk.replay)
}

impl Walk<'_> {
    pub(crate) fn wrong(&mut self, time: SuperdenseTime, what: String) {
        self.wrong_by(time, what, Vec::new());
    }

    pub(crate) fn wrong_by(&mut self, time: SuperdenseTime, what: String, compared: Vec<Compared>) {
        if self.replay.wrong.len() < MOST_FINDINGS {
            let edge = self.edge.clone();
            self.replay.wrong.push(Finding {
                time,
                edge,
                what,
                compared,
            });
        }
    }

    pub(crate) fn open(&mut self, time: SuperdenseTime, what: String) {
        let is_new = !self.replay.open.iter().any(|f| f.what == what);
        if is_new && self.replay.open.len() < MOST_FINDINGS {
            self.replay.open.push(Finding {
                time,
                edge: self.edge.clone(),
                what,
                compared: Vec::new(),
            });
        }
    }

    /// Times ascend, and the trace ends where it says that the run stopped.
    fn times(&mut self) {
        let trace = self.trace;
        let samples = trace.samples.windows(2).map(|w| (w[0].time, w[1].time));
        let transitions = trace.transitions.windows(2).map(|w| (w[0].time, w[1].time));
        let falling = samples.chain(transitions).find(|(a, b)| a >= b);
        if let Some((before, after)) = falling {
            self.wrong(
                after,
                format!("it comes after t = {} s, microstep {}", before.t(), before.n()),
            );
        }
        let stop = trace.stop.time;
        if let Some(last) = trace.samples.last().filter(|last| last.time.t() != stop.t()) {
            let compared = vec![Compared::equal(
                "the time of the last sample",
                last.time.t(),
                stop.t(),
                0.0,
            )];
            self.wrong_by(
                stop,
                "the run is said to stop where no sample is".into(),
                compared,
            );
        }
        let first = trace.samples.first().map(|s| s.time);
        if let Some(time) = first.filter(|_| !self.bodies.starts_as_modelled(&self.states)) {
            self.open(
                time,
                "the start is taken as it is: it is not the one that the model gives".into(),
            );
        }
    }

    /// The first location: that which the first transition leaves, or that which the state itself tells.
    fn begin(&mut self) {
        if let Some(first) = self.trace.transitions.first().filter(|_| self.partial.is_none()) {
            self.place = self.automaton.named(&first.from);
            if self.place.is_none() {
                let what = format!("`{}` is no location of the automaton", first.from);
                self.wrong(first.time, what);
            }
            return;
        }
        let begin = self.trace.samples.first().map(|s| s.time.t());
        let first = self.trace.transitions.first();
        let at_once = first.filter(|first| Some(first.time.t()) == begin);
        let location = self.at_start(at_once.is_some());
        self.place = match (&mut self.partial, location) {
            (Some(partial), Some(location)) => partial.begin(&location, at_once.map(|t| t.from.as_str())),
            (_, location) => location.map(NamedPlace::Dynamical),
        };
    }

    /// The location that a state with which nothing happens is in: what is at rest sticks, or begins to slip where it cannot; what touches is open where it cannot stay.
    /// Where something happens at once, all that touches is closed.
    fn at_start(&self, at_once: bool) -> Option<DynamicalLocation> {
        let model = self.bodies.model;
        let (mut rest, mut slip) = (Vec::new(), Vec::new());
        let next = self.trace.samples.get(1).map(|s| self.bodies.states(s));
        let next = next.unwrap_or_else(|| self.states.clone());
        // What sticks and what slips as far as the next sample shows.
        let (mut sticking, mut slipping) = (Vec::new(), Vec::new());
        for touch in 0..self.bodies.touches.len() {
            let Some(k) = self.bodies.kinematics(touch, &self.states) else {
                continue;
            };
            let is_closed = |k: &ContactKinematics<f64>| {
                k.closing_gap().abs() <= 10.0 * model.tolerances().gap
                    && k.normal_velocity.abs() <= 10.0 * model.tolerances().velocity
            };
            if is_closed(&k) {
                let [x, y] = k.tangential_velocity;
                let id = ContactId::new(touch as u32);
                let into = if x.hypot(y) > SLOW * model.scales().velocity {
                    &mut slip
                } else {
                    &mut rest
                };
                into.push(id);
                if let Some(then) = self.bodies.kinematics(touch, &next) {
                    let [x, y] = then.tangential_velocity;
                    if is_closed(&then) {
                        let slips = x.hypot(y) > SLOW * model.scales().velocity;
                        let into = if slips { &mut slipping } else { &mut sticking };
                        into.push(id);
                    }
                }
            }
        }
        let ways = 1_usize << rest.len().min(MOST_AT_REST);
        let touching = rest.len() + slip.len();
        let parts = 1_usize << touching.min(MOST_AT_REST);
        let made = |(part, way): (usize, usize)| {
            let stays = |n: usize| part >> n.min(MOST_AT_REST - 1) & 1 == 0;
            let sticks = |n: usize| way >> n.min(MOST_AT_REST - 1) & 1 == 0;
            let of = |is: bool| {
                let own = rest.iter().enumerate();
                let own = own.filter(move |(n, _)| stays(*n) && sticks(*n) == is);
                own.map(|(_, id)| *id)
            };
            let sliding = slip.iter().enumerate();
            let sliding = sliding.filter(|(n, _)| stays(rest.len() + n)).map(|(_, id)| *id);
            let slips = sliding.chain(of(false)).collect();
            DynamicalLocation::from_modes(&of(true).collect(), ContactSet::empty(), slips)
        };
        if at_once {
            return made((0, 0));
        }
        let fits = |location: &DynamicalLocation| {
            let stands = self.stands(location, &next);
            let node = ComputationNode::new(NodeKind::Contact, location.closed().clone());
            let edge = node.and_then(|node| {
                let to = Location::Dynamical(location.clone());
                self.automaton.edge(&Location::Exit(node), &to)
            });
            let time = self.trace.samples.first().map_or(0.0, |s| s.time.t());
            let holds = |condition| self.failed(When::at(time), &stands, &condition).is_none();
            holds(self.automaton.domain(location))
                && edge.is_none_or(|edge| holds(self.automaton.guard(&edge)))
        };
        // Forces of redundant contacts tell no mode: the motion does.
        let span = |n: usize| self.trace.samples.get(n).map_or(0.0, |s| s.time.t());
        let moves = |location: &DynamicalLocation| {
            self.leads_to((span(0), span(1)), &next, location, &self.stands(location, &next))
        };
        let [sticking, slipping] = [sticking, slipping].map(|all| all.into_iter().collect());
        let seen = DynamicalLocation::from_modes(&sticking, ContactSet::empty(), slipping);
        let choices = (0..parts).flat_map(|part| (0..ways).map(move |way| (part, way)));
        let mut all = std::iter::once(seen).chain(choices.map(made));
        // The first that leads there, or the one that leads nearest.
        let mut best: Option<(f64, DynamicalLocation)> = None;
        while let Some(location) = all.find_map(|location| location.filter(fits)) {
            let off = moves(&location).unwrap_or(f64::INFINITY);
            if off <= SAME_MOTION {
                return Some(location);
            }
            if best.as_ref().is_none_or(|(least, _)| off < *least) {
                best = Some((off, location));
            }
        }
        best.map(|(_, location)| location).or_else(|| made((0, 0)))
    }

    fn go(&mut self) {
        let trace = self.trace;
        let mut transitions = trace.transitions.iter().enumerate().peekable();
        let mut shown = SuperdenseTime::at(f64::MIN);
        for (number, sample) in trace.samples.iter().enumerate() {
            let before = number.checked_sub(1).map(|n| trace.samples[n].time);
            // Transitions from the sample before on, up to this one.
            while let Some(next) = transitions.next_if(|(_, t)| t.time < sample.time) {
                self.transition(next, shown);
            }
            let states = self.bodies.states(sample);
            if let Some(before) = before {
                if before.t() < sample.time.t() {
                    let zeno = transitions.peek().filter(|(_, t)| t.kind == TransitionKind::Zeno);
                    self.stretch(
                        (before, sample.time),
                        &states,
                        zeno.map_or(&[][..], |(_, t)| &t.contacts),
                    );
                } else {
                    self.same(sample.time, &states);
                }
            }
            let last = std::mem::replace(&mut self.states, states);
            if before.is_some_and(|before| before.t() < sample.time.t()) {
                self.before = last;
            }
            shown = Some(sample.time);
        }
        for last in transitions {
            self.transition(last, shown);
        }
    }

    /// A sample in the middle of an instant shows what transitions made.
    fn same(&mut self, time: SuperdenseTime, states: &States) {
        let (mut worst, mut found) = (0.0_f64, None);
        let stepped = self.stepped_in((time.t(), time.t()));
        let judged = self.states.iter().zip(states).enumerate();
        for (entity, (own, shown)) in judged.filter(|(entity, _)| !stepped.contains(entity)) {
            for (component, (a, b)) in pack(own).into_iter().zip(pack(shown)).enumerate() {
                let off = (a - b).abs() / (1.0 + b.abs());
                // Also where one of them is no number.
                if off > worst || off.is_nan() {
                    (worst, found) = (off, Some((entity, component, a, b)));
                }
            }
        }
        let Some((entity, component, made, shown)) = found else {
            return;
        };
        if worst > self.options.precision || worst.is_nan() {
            let name = self.bodies.signal_name(entity, component);
            let slack = self.options.precision * (1.0 + shown.abs());
            self.wrong_by(
                time,
                format!(
                    "the state of `{}` is not what the transitions make of it",
                    self.bodies.model.entities()[entity].name
                ),
                vec![Compared::equal(name, shown, made, slack)],
            );
        }
    }

    fn transition(&mut self, (number, taken): (usize, &Transition), shown: Option<SuperdenseTime>) {
        self.replay.transitions += 1;
        self.is_staying = false;
        self.edge = Some(FoundEdge::new(number, taken));
        if shown.is_none_or(|shown| shown.t() != taken.time.t()) {
            let at = shown.map_or(f64::NAN, SuperdenseTime::t);
            let compared = vec![Compared::equal("its time", taken.time.t(), at, 0.0)];
            self.wrong_by(
                taken.time,
                "no sample shows the state in which it is taken".into(),
                compared,
            );
        }
        let named = |name: &str| self.automaton.named(name);
        let places = match &mut self.partial {
            Some(partial) => partial.read(&taken.from, &taken.to),
            None => named(&taken.from).zip(named(&taken.to)),
        };
        let Some((from, to)) = places else {
            let what = if self.partial.is_some() {
                "its ends do not fit the contacts that are closed".into()
            } else if named(&taken.from).is_none() {
                format!("`{}` is no location of the automaton", taken.from)
            } else {
                format!("`{}` is no location of the automaton", taken.to)
            };
            self.wrong(taken.time, what);
            self.place = None;
            self.apply(taken);
            return;
        };
        self.follows(taken, &from);
        self.stepped = self.stepped_in((taken.time.t(), taken.time.t()));
        if taken.rule == Transition::BY_STEPS {
            self.by_steps(taken, &from, &to);
            self.apply(taken);
            self.place = Some(to);
            return;
        }
        let inside = matches!((&from, &to), (NamedPlace::Inner(a, _), NamedPlace::Inner(b, _)) if a == b);
        if inside {
            self.inner(taken, &from, &to);
        } else {
            self.edge(taken, &from, &to);
        }
        let is_collision = inside && taken.kind == TransitionKind::Impact;
        // The reset of a node is that of its last edge; where its steps are not shown, of the one that enters it.
        let is_impact = matches!(&to, NamedPlace::Inner(node, at) if node.kind() == NodeKind::Impact
            && (*at == InnerLocation::Entrance || inside && *at == InnerLocation::Exit || is_collision));
        let before = self.states.clone();
        self.apply(taken);
        let is_settled =
            matches!(&from, NamedPlace::Inner(node, InnerLocation::Exit) if node.kind() == NodeKind::Contact);
        if is_impact && (!taken.forces.is_empty() || !taken.changes.is_empty()) {
            self.impact(taken, &before);
        } else if is_settled {
            self.stopped(taken, &to, &before);
            self.settled(taken, &to);
        } else if !inside && !taken.forces.is_empty() {
            self.wrong(taken.time, "forces are found on an edge that finds none".into());
        }
        if !is_impact && !is_settled && !taken.changes.is_empty() {
            self.wrong(
                taken.time,
                "a state jumps on an edge whose reset is the identity".into(),
            );
        }
        if let NamedPlace::Dynamical(location) = &to {
            let is_named = |touch: &usize| location.mode(ContactId::new(*touch as u32)).is_some();
            self.accumulating.retain(|touch| !is_named(touch));
        }
        self.place = Some(to);
    }

    /// A step inside a node: one collision after another, or one of SORPROX.
    fn inner(&mut self, taken: &Transition, from: &NamedPlace, to: &NamedPlace) {
        let (NamedPlace::Inner(node, from), NamedPlace::Inner(_, to)) = (from, to) else {
            return;
        };
        let model = self.bodies.model;
        // Contacts of different laws, or of the energetic one, collide one after another too.
        let laws = model.impact_laws();
        let may_part = laws.len() > 1 || laws.contains(&ImpactLaw::Energetic);
        let is_collision =
            model.impacts().order().is_some() || may_part && taken.kind == TransitionKind::Impact;
        let is_sequence = is_collision && node.kind() == NodeKind::Impact;
        if taken.rule != InnerEdge::RULE {
            self.wrong(
                taken.time,
                format!(
                    "an edge inside a node is by rule `{}`, not `{}`",
                    InnerEdge::RULE,
                    taken.rule
                ),
            );
        }
        if is_sequence {
            // The first collision is that of the edge into the node.
            let follows = match (from, to) {
                (InnerLocation::Step(n), InnerLocation::Step(next)) => {
                    let is_next = match &self.place {
                        Some(NamedPlace::Inner(_, InnerLocation::Entrance)) => *n == 1,
                        Some(NamedPlace::Inner(_, InnerLocation::Step(made))) => n == made,
                        _ => false,
                    };
                    is_next && *next == n + 1 && taken.forces.len() == 1
                }
                _ => false,
            };
            if !follows {
                self.wrong(
                    taken.time,
                    "the collisions of a sequence are counted wrongly".into(),
                );
            }
            return;
        }
        // G is block diagonal over contacts that share no moving entity: what is shown are the steps of the part that something happens to.
        let Some(part) = self.pressed(taken) else { return };
        let part: ContactSet = part
            .iter()
            .map(|(touch, _)| ContactId::new(*touch as u32))
            .collect();
        let part = ComputationNode::new(node.kind(), part);
        if (*from, *to) == (InnerLocation::Step(1), InnerLocation::Exit) {
            self.open(
                taken.time,
                "sweeps that a fall-back finishes are not judged".into(),
            );
        } else if !part.is_some_and(|part| part.inner_edges().any(|e| (e.from(), e.to()) == (*from, *to))) {
            self.wrong(taken.time, "the node has no such edge inside".into());
        } else {
            self.open(
                taken.time,
                "estimates inside computation nodes are not judged".into(),
            );
        }
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
        let (stands, next) = match (&start, &end) {
            (Location::Dynamical(location), _) => (self.stands(location, &self.before), &self.before),
            (_, Location::Dynamical(location)) => (self.stands(location, &self.states), &self.states),
            _ => (Vec::new(), &self.states),
        };
        // Where impacts have accumulated the contact is closed in name only now. A contact that comes to the end of its place asks its node, whatever its force was.
        let leaves = |stand: &Stand| !self.bodies.is_own(stand.touch, &self.states);
        let ends = edge.rule() == Rule::R3 && stands.iter().any(leaves);
        if taken.kind == TransitionKind::Zeno || ends {
            return;
        }
        let guard = self.automaton.guard(&edge);
        let mut first = None;
        for way in self.ways(stands, &[], next) {
            let Some(compared) = self.failed(When::at(taken.time.t()), &way, &guard) else {
                return;
            };
            first.get_or_insert(compared);
        }
        let text = self.automaton.notation().condition(&guard);
        self.wrong_by(
            taken.time,
            format!("its guard does not hold: {text}"),
            first.unwrap_or_default(),
        );
    }

    /// What the transition says that it changes.
    fn apply(&mut self, taken: &Transition) {
        for change in &taken.changes {
            let Some((entity, place)) = self.bodies.component_of(change.signal.0 as usize) else {
                continue;
            };
            let mut x = pack(&self.states[entity]);
            if (x[place] - change.before).abs() > self.options.precision * (1.0 + change.before.abs()) {
                let name = self.bodies.signal_name(entity, place);
                let slack = self.options.precision * (1.0 + change.before.abs());
                self.wrong_by(
                    taken.time,
                    format!("`{name}` jumps from a value that it does not have"),
                    vec![Compared::equal(name, change.before, x[place], slack)],
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

    /// The places of the contacts that forces are given for.
    fn pressed(&mut self, taken: &Transition) -> Option<Vec<(usize, [f64; 3])>> {
        let mut found = Vec::new();
        for force in &taken.forces {
            let Some(touch) = self.bodies.touches.iter().position(|t| t.label == force.contact) else {
                let what = format!("`{}` is no contact of the model", force.contact);
                self.wrong(taken.time, what);
                return None;
            };
            let [x, y] = force.tangential;
            found.push((touch, [force.normal, x, y]));
        }
        Some(found)
    }

    fn impact(&mut self, taken: &Transition, before: &States) {
        let Some(pressed) = self.pressed(taken) else {
            return;
        };
        self.replay.impacts += 1;
        self.set.clear();
        let struck: Vec<Struck> = pressed
            .into_iter()
            .map(|(touch, impulse)| Struck { touch, impulse })
            .collect();
        let when = When::at(taken.time.t());
        let jump = (before, &self.states);
        if taken.kind == TransitionKind::Zeno {
            for (what, compared) in clatter::judge(&self.bodies, when, jump, &struck) {
                self.wrong_by(taken.time, what, compared);
            }
            struck.iter().for_each(|own| {
                self.accumulating.remove(&own.touch);
            });
            return;
        }
        for (what, compared) in judge(&self.bodies, when, jump, &struck) {
            self.wrong_by(taken.time, what, compared);
        }
        for own in &struck {
            if is_left_out(&self.bodies, when, (before, &self.states), own) {
                self.accumulating.insert(own.touch);
            } else {
                self.accumulating.remove(&own.touch);
            }
        }
    }

    /// What contacts that stop together lose with the last of their slip.
    fn stopped(&mut self, taken: &Transition, to: &NamedPlace, before: &States) {
        let NamedPlace::Dynamical(location) = to else {
            return;
        };
        if taken.changes.is_empty() {
            return;
        }
        let sticks = location.modes().filter(|(_, mode)| *mode == FrictionMode::Stick);
        let touches: Vec<usize> = sticks.map(|(contact, _)| contact.index()).collect();
        let pressed = self.pressed(taken).unwrap_or_default();
        for (what, compared) in settled::stopped(
            &self.bodies,
            When::at(taken.time.t()),
            (before, &self.states),
            &touches,
            &pressed,
        ) {
            self.wrong_by(taken.time, what, compared);
        }
    }

    /// The forces that a contact node found.
    fn settled(&mut self, taken: &Transition, to: &NamedPlace) {
        let (Some(pressed), NamedPlace::Dynamical(location)) = (self.pressed(taken), to) else {
            return;
        };
        self.replay.forces += pressed.len();
        self.set = pressed.iter().copied().collect();
        self.found.extend(pressed.iter().copied());
        let pressed: Vec<Pressed> = pressed
            .into_iter()
            .map(|(touch, force)| Pressed {
                touch,
                mode: location.mode(ContactId::new(touch as u32)),
                force,
            })
            .collect();
        let sides = self.bodies.sides(When::at(taken.time.t()), &self.states);
        let is_beside = sides.len() > 1;
        let judged = sides
            .into_iter()
            .map(|when| settled::judge(&self.bodies, when, &self.states, &pressed));
        let mut judged = judged.collect::<Vec<_>>().into_iter();
        let mut found = judged.next().unwrap_or_default();
        // On the surface of a switch the force may lie between those of its sides; what is wrong by the same on all of them, the switch has no part in.
        if is_beside && !found.is_empty() {
            let others: Vec<_> = judged.collect();
            if others.iter().any(Vec::is_empty) {
                return;
            }
            found.retain(|wrong| {
                others
                    .iter()
                    .all(|other| other.iter().any(|o| settled::is_same(wrong, o)))
            });
            if found.is_empty() {
                self.open(
                    taken.time,
                    "forces at the surface of a switch are not judged".into(),
                );
            }
        }
        for (what, mut compared) in found {
            compared.truncate(MOST_COMPARED);
            self.wrong_by(taken.time, what, compared);
        }
    }
}
