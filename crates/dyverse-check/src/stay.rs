//! A stay in a dynamical location, and how it ends [002, algorithms 2 and 3].
//!
//! The tube grows by steps. After each: which guards may be entered, is the domain left by every state, is the unsafe set reached (`queries.rs`)? A guard that every state
//! crosses ends the stay: the last step is elastic, it reaches each state's own crossing. A step in which something may happen, but not to all states, is cut short
//! before it, and the next one tells more; if not, the box is undecided.

use dyverse_enclose::{Formulas, StateSet, Stepper, TaylorModel, Tube};
use dyverse_equations::{Condition, Constraint, Event, Evolution, Relation};
use dyverse_num::{Interval, Tri};
use dyverse_proof::{Branch, Stay, StayEnd, claim};

use crate::explore::{End, Explored, Explorer, Found, Moment, Room, branch, lost, time_of, verdict};
use crate::outcome::Reason;
use crate::queries::{Queries, StepTheory};
use crate::watch::{Course, Holds, Occurrence};

/// Times in a row that a step is cut short before something that may happen.
const MOST_CUTS: usize = 10;

/// Points at which events may turn out either way that are remembered of a box.
const MOST_TURNING: usize = 2;

/// Steps below a ten thousandth of the horizon in one stay.
const MOST_SHORT_STEPS: usize = 200;

impl<E: Evolution> Explorer<E> {
    /// Algorithm 2.
    pub(crate) fn location(&mut self, place: &E::Place, at: Moment, depth: usize) -> Explored {
        // Where the property may be violated, exploration goes on: perhaps it is, for every state, a little later.
        let mut open = None;
        let end = self.stay(place, at, depth, &mut open);
        match (open, end) {
            (None, end) => end,
            (Some(_), Ok(End::Unsafe { time, place })) => Ok(End::Unsafe { time, place }),
            (Some(reason), _) => Err(reason),
        }
    }

    fn stay(&mut self, place: &E::Place, at: Moment, depth: usize, open: &mut Option<Reason>) -> Explored {
        let room = self.room(place)?;
        let at_start = self
            .evolution
            .with_pool(|pool| room.watched.told(pool, room.known.iter().chain(&at.facts)));
        let Moment { mut set, facts } = at;
        let mut before = 0.0;
        let (mut cuts, mut short) = (0, 0);
        // Whether the step begins where the location was entered.
        let mut is_fresh = true;
        let mut hull: Vec<Interval> = set.hull();
        let stay = |hull: &[Interval], end: StayEnd| Stay {
            place: place.to_string(),
            hull: hull.iter().map(|x| claim(*x)).collect(),
            end,
        };
        loop {
            let now = time_of(&set);
            let left = self.horizon - now.lo();
            // All that happens at the horizon still counts.
            if left < 0.0 {
                self.figures.evolutions += 1;
                return Ok(End::Safe(stay(&hull, StayEnd::Horizon)));
            }
            if self.figures.steps - self.steps_before > self.limits.steps {
                return Err(Reason::Limit(format!("more than {} steps", self.limits.steps)));
            }
            self.go_on()?;
            self.figures.steps += 1;
            // Beyond the horizon a little, so that an event near it happens to all states or to none.
            let longest = left + now.width() + 0.1 * self.scale;
            let tube = Stepper::new(&room.program, &self.unknowns, self.limits.flow)
                .step(&set, before, longest)
                .map_err(|f| lost(&f, now.lo()))?;
            let known: &[_] = if is_fresh { &at_start } else { &[] };
            let course = Course::new(&tube, &room.watched, known);
            let until = tube.span.hi();
            short += usize::from(until < 1e-4 * self.scale);
            if until < 1e-9 * self.scale || short > MOST_SHORT_STEPS || now.width() > 0.2 * self.scale {
                return Err(Reason::Enclosure {
                    what: "the set has become too wide to follow".into(),
                    time: now.lo(),
                });
            }
            let found = self.occurrences(place, &room, &tube, known, now);
            let next = next(&found, until, before);
            let looked_at = match &next {
                Next::Nothing => until,
                Next::Cut(at) | Next::Events(_, at) => *at,
                Next::Back(_) | Next::AtOnce(_) | Next::Unclear(_) => 0.0,
            };
            if let Some(record) = &mut self.record {
                // What lies beyond the horizon is no part of the claim.
                let until = looked_at.min(left);
                if until > 0.0 {
                    record.step(place, &set, &tube, until);
                } else {
                    record.instant(place, &set);
                }
            }
            // The beginning was looked at on the way in.
            let course = course.after();
            let is_safe = looked_at > 0.0 && self.never_unsafe(place, course, &tube, looked_at, now);
            if !is_safe && looked_at > 0.0 {
                self.note_suspect(&course, &room.safe, looked_at);
            }
            match next {
                Next::Nothing => {
                    cuts = 0;
                    if !is_safe && let Some(end) = property(&course, &room.safe, until, now, place, open) {
                        return Ok(end);
                    }
                    // What lies beyond the horizon is no part of the claim.
                    grow(&mut hull, &tube, until.min(left));
                    set = tube.set_at(&set, until).map_err(|f| lost(&f, now.lo()))?;
                    is_fresh = false;
                    before = 0.0;
                }
                Next::Cut(at) if now.lo() + at > self.horizon => {
                    if !is_safe && let Some(end) = property(&course, &room.safe, at, now, place, open) {
                        return Ok(end);
                    }
                    grow(&mut hull, &tube, at.min(left));
                    self.figures.evolutions += 1;
                    return Ok(End::Safe(stay(&hull, StayEnd::Horizon)));
                }
                Next::Cut(at) => {
                    cuts += 1;
                    if cuts > MOST_CUTS {
                        self.note_turning(&course, &room.events, until);
                        return Err(Reason::Event {
                            label: room.events.first().map_or(String::new(), |e| e.label.clone()),
                            time: now.lo(),
                        });
                    }
                    if !is_safe && let Some(end) = property(&course, &room.safe, at, now, place, open) {
                        return Ok(end);
                    }
                    grow(&mut hull, &tube, at);
                    set = tube.set_at(&set, at).map_err(|f| lost(&f, now.lo()))?;
                    is_fresh = false;
                    before = 0.0;
                }
                Next::Back(by) => before = by,
                Next::Unclear(event) => {
                    self.note_turning(&course, &room.events[event..=event], until);
                    return Err(Reason::Event {
                        label: room.events[event].label.clone(),
                        time: now.lo(),
                    });
                }
                Next::AtOnce(event) => {
                    let facts = if is_fresh { facts } else { Vec::new() };
                    let found = self.jump(place, Some(event), &Moment { set, facts }, depth)?;
                    let label = room.events[event].label.clone();
                    return Ok(
                        found.map(|ways| stay(&hull, StayEnd::Branches(vec![branch(label, now, ways)])))
                    );
                }
                Next::Events(events, last) => {
                    let first = earliest(&found, &events).max(0.0);
                    if !is_safe && let Some(end) = property(&course, &room.safe, first, now, place, open) {
                        return Ok(end);
                    }
                    grow(&mut hull, &tube, last);
                    let tube = (&tube, course);
                    let found =
                        self.cross(place, &room, (tube, &set), &found, &events, depth, is_safe, open)?;
                    return Ok(found.map(|all| stay(&hull, StayEnd::Branches(all))));
                }
            }
        }
    }

    /// Remembers where the property is closest to breaking.
    fn note_suspect(&mut self, course: &Course<'_>, safe: &Condition, until: f64) {
        let Some((margin, corner)) = course.suspect(safe, 0.0, until) else {
            return;
        };
        if self.suspect.as_ref().is_none_or(|(least, _)| margin < *least) {
            self.suspect = Some((margin, self.values_at(&corner)));
        }
    }

    /// Remembers where in the box events that cannot be told are most likely to happen.
    fn note_turning(&mut self, course: &Course<'_>, events: &[Event], until: f64) {
        for event in events {
            let point = course
                .likeliest(&event.when, until)
                .map(|point| self.values_at(&point));
            if let Some(point) = point.filter(|p| !self.turning.contains(p))
                && self.turning.len() < MOST_TURNING
            {
                self.turning.push(point);
            }
        }
    }

    /// The unknowns at a point of the cube.
    fn values_at(&self, point: &[f64]) -> Vec<f64> {
        let point: Vec<Interval> = point.iter().map(|p| Interval::point(*p)).collect();
        // Inside its range, whatever rounding says.
        let value = |u: &TaylorModel| u.at(&point).mid().unwrap_or(u.centre());
        let inside = self.unknowns.iter().zip(&self.sides);
        inside
            .map(|(u, side)| value(u).clamp(side.lo(), side.hi()))
            .collect()
    }

    /// What the step makes of every guard.
    fn occurrences(
        &mut self,
        place: &E::Place,
        room: &Room,
        tube: &Tube,
        known: &[Constraint],
        now: Interval,
    ) -> Vec<Occurrence> {
        let until = tube.span.hi();
        let (evolution, ranges) = (&self.evolution, &self.ranges);
        let queries = self
            .queries
            .entry(place.clone())
            .or_insert_with(|| evolution.with_pool(|pool| Queries::new(pool, &room.events, &room.safe)));
        evolution.with_pool(|pool| {
            let mut step =
                StepTheory::new(Course::new(tube, &room.watched, known), tube, pool, ranges, until);
            let course = Course::new(tube, &room.watched, known);
            let of = |(number, event): (usize, &Event)| {
                if event.when == Condition::Constant(false)
                    || queries.never_enters(&mut step, number, now.lo())
                {
                    Occurrence::Never
                } else {
                    course.occurrence(&event.when, until)
                }
            };
            room.events.iter().enumerate().map(of).collect()
        })
    }

    /// Whether no state of the step is unsafe before it leaves the domain.
    fn never_unsafe(
        &mut self,
        place: &E::Place,
        course: Course<'_>,
        tube: &Tube,
        until: f64,
        now: Interval,
    ) -> bool {
        let (evolution, ranges) = (&self.evolution, &self.ranges);
        let Some(queries) = self.queries.get_mut(place) else {
            return false;
        };
        evolution.with_pool(|pool| {
            let mut step = StepTheory::new(course, tube, pool, ranges, until);
            queries.never_unsafe(&mut step, now.lo())
        })
    }

    /// Algorithm 3: each event that may be the first, at its boundary.
    #[allow(clippy::too_many_arguments)]
    fn cross(
        &mut self,
        place: &E::Place,
        room: &Room,
        ((tube, course), set): ((&Tube, Course<'_>), &StateSet),
        found: &[Occurrence],
        events: &[usize],
        depth: usize,
        is_safe: bool,
        open: &mut Option<Reason>,
    ) -> Result<Found<Vec<Branch>>, Reason> {
        let now = time_of(set);
        let first = earliest(found, events).max(0.0);
        let mut unsafe_end = None;
        let mut safe = Vec::new();
        for event in events {
            let Occurrence::Certain { window, constraint } = &found[*event] else {
                continue;
            };
            let node = constraint.node;
            let guard = self
                .formulas
                .entry(node)
                .or_insert_with(|| self.evolution.with_pool(|pool| Formulas::new(pool, &[node])))
                .clone();
            let Some(along) = course.along(node) else {
                return Err(Reason::Limit("a guard that is not watched".into()));
            };
            let crossed = tube
                .crossed(set, &guard, along, *window, &self.unknowns)
                .map_err(|f| lost(&f, now.lo() + window.lo()))?;
            self.figures.crossings += 1;
            let there = at_boundary(tube, &course, crossed.set, &crossed.time, found, *event);
            // Is another event certainly over by then? Then this one is not the first.
            let is_late = events
                .iter()
                .filter(|other| *other != event)
                .any(|other| self.judge(&there, &strictly(&room.events[*other].when)) == Tri::True);
            if is_late {
                continue;
            }
            // On the boundary itself formulas may have values that they have nowhere beside it.
            if self.judge(&there, &room.safe) == Tri::False {
                let time = time_of(&there.set);
                unsafe_end = Some(((time.lo(), time.hi()), place.to_string()));
                continue;
            }
            let holds = if is_safe {
                Holds::Always
            } else {
                course.holds_until(&room.safe, first, &crossed.time)
            };
            match holds {
                Holds::Always => {}
                Holds::Broken(_) if events.len() == 1 => {
                    let time = time_of(&there.set);
                    return Ok(Found::Unsafe((time.lo(), time.hi()), place.to_string()));
                }
                Holds::Broken(_) | Holds::Open(_) => {
                    open.get_or_insert(Reason::Property {
                        time: now.lo() + first,
                    });
                }
            }
            match self.jump(place, Some(*event), &there, depth)? {
                Found::Safe(ways) => {
                    let label = room.events[*event].label.clone();
                    safe.push(branch(label, time_of(&there.set), ways));
                }
                Found::Unsafe(time, place) => unsafe_end = Some((time, place)),
            }
        }
        verdict(safe, unsafe_end, now.lo())
    }
}

/// The states with which an event happens, and what is known of them.
///
/// An event whose window begins with the step may have been true before: then it happens at the beginning, with a state that the flow takes to it from where its guard was
/// crossed. Unless it is known that it was not: of two events that cannot be told apart, the second has not happened when the first does.
fn at_boundary(
    tube: &Tube,
    course: &Course<'_>,
    crossed: StateSet,
    time: &TaylorModel,
    found: &[Occurrence],
    event: usize,
) -> Moment {
    let Occurrence::Certain { window, constraint } = &found[event] else {
        return Moment::new(crossed);
    };
    let earliest = time.bound().lo();
    let is_first = earliest >= 0.0 || window.lo() > 0.0 || course.is_not_past(constraint);
    if !is_first {
        let wait = Interval::new(0.0, -earliest).unwrap_or(Interval::ENTIRE);
        let times =
            Interval::new(earliest.max(tube.span.lo()), time.bound().hi().max(0.0)).unwrap_or(tube.span);
        let waited = |(number, x): (usize, TaylorModel)| {
            x.widened(tube.state(number).derivative().range_on(times) * wait)
        };
        let states: Vec<TaylorModel> = crossed.whole().into_iter().enumerate().map(waited).collect();
        return Moment::new(StateSet::new(&states));
    }
    let mut facts = vec![Constraint {
        node: constraint.node,
        relation: Relation::Zero,
    }];
    let others = found.iter().enumerate().filter(|(number, _)| *number != event);
    for (_, other) in others {
        if let Occurrence::Certain {
            window: theirs,
            constraint: other,
        } = other
            && let Some(relation) = not_yet(other.relation)
            && course.is_false_between(other, window.lo(), theirs.lo())
        {
            facts.push(Constraint {
                node: other.node,
                relation,
            });
        }
    }
    Moment { set: crossed, facts }
}

/// What holds of a formula until a constraint on it is met.
pub(crate) fn not_yet(relation: Relation) -> Option<Relation> {
    match relation {
        Relation::Positive | Relation::NotNegative => Some(Relation::NotPositive),
        Relation::Negative | Relation::NotPositive => Some(Relation::NotNegative),
        Relation::Zero | Relation::NotZero => None,
    }
}

/// True only well past the boundary: every constraint strictly.
fn strictly(condition: &Condition) -> Condition {
    condition.map(&mut |atom| {
        Condition::Atom(Constraint {
            node: atom.node,
            relation: match atom.relation {
                Relation::NotNegative => Relation::Positive,
                Relation::NotPositive => Relation::Negative,
                other => other,
            },
        })
    })
}

/// Parts of a step on which states are bounded.
const PARTS: usize = 16;

/// The hull of a stay, with what a step adds up to a time.
fn grow(hull: &mut [Interval], tube: &Tube, until: f64) {
    // In parts: a claim should say where the states are, not where a polynomial is bounded.
    for part in 0..PARTS {
        let at = |number: usize| until * (number as f64 / PARTS as f64);
        let times = Interval::new(at(part), at(part + 1)).unwrap_or(tube.span);
        for (place, own) in hull.iter_mut().enumerate() {
            *own = own.hull(&tube.state(place).range_on(times));
        }
    }
}

/// What the property is up to a time at which no event has happened yet.
fn property(
    course: &Course<'_>,
    safe: &Condition,
    until: f64,
    now: Interval,
    place: &impl std::fmt::Display,
    open: &mut Option<Reason>,
) -> Option<End> {
    let broken = |at: Interval| End::Unsafe {
        time: (now.lo() + at.lo(), now.hi() + at.hi()),
        place: place.to_string(),
    };
    match course.holds(safe, 0.0, until) {
        Holds::Always => None,
        Holds::Broken(at) => Some(broken(Interval::point(at))),
        Holds::Open(at) => {
            if let Some(zero) = course.broken_at_zero(safe, until) {
                return Some(broken(zero));
            }
            open.get_or_insert(Reason::Property { time: now.lo() + at });
            None
        }
    }
}

/// When the first of some events may happen.
fn earliest(found: &[Occurrence], events: &[usize]) -> f64 {
    let begins = |event: &usize| match &found[*event] {
        Occurrence::Certain { window, .. } => window.lo(),
        _ => 0.0,
    };
    events.iter().map(begins).fold(f64::INFINITY, f64::min)
}

/// What to do after a step.
enum Next {
    /// Nothing happened.
    Nothing,
    /// End the step here, before something may happen.
    Cut(f64),
    /// Begin the step a little before the states: an event may have been there already.
    Back(f64),
    /// These events, of which each may be the first; the last time one of them may be.
    Events(Vec<usize>, f64),
    AtOnce(usize),
    Unclear(usize),
}

fn next(found: &[Occurrence], until: f64, before: f64) -> Next {
    let mut first_past = f64::INFINITY;
    for occurrence in found {
        if let Occurrence::Certain { window, .. } = occurrence {
            first_past = first_past.min(window.hi());
        }
    }
    if let Some(event) = found.iter().position(|o| *o == Occurrence::AtOnce) {
        return Next::AtOnce(event);
    }
    let begins = |o: &Occurrence| match o {
        Occurrence::Certain { window, .. } => window.lo(),
        Occurrence::Possible(from) => *from,
        _ => f64::INFINITY,
    };
    let rivals: Vec<usize> = (0..found.len())
        .filter(|i| begins(&found[*i]) <= first_past.min(until))
        .collect();
    if rivals.is_empty() {
        return Next::Nothing;
    }
    let unclear = rivals
        .iter()
        .find(|i| matches!(found[**i], Occurrence::Possible(_)));
    if let Some(event) = unclear {
        let earliest = rivals
            .iter()
            .map(|i| begins(&found[*i]))
            .fold(f64::INFINITY, f64::min);
        // A fresh, shorter step may tell more.
        return if earliest > 0.02 * until {
            Next::Cut(0.9 * earliest)
        } else {
            Next::Unclear(*event)
        };
    }
    if first_past.is_infinite() {
        return Next::Nothing;
    }
    if before == 0.0 && rivals.iter().any(|i| begins(&found[*i]) <= 0.0) {
        return Next::Back(2.0 * first_past);
    }
    Next::Events(rivals, first_past)
}
