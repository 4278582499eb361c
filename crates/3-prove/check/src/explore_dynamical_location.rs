//! ExploreDynamicalLocation: all trajectories of a root while they stay in a dynamical location, and how they leave it [002, Algorithm 2].
//!
//! | Algorithm 2 | here |
//! |---|---|
//! | x⁽ⁱ⁺¹⁾ = ODE(f_s, x⁽ⁱ⁾, dt) | one validated step: [`Tube`] |
//! | Satisfy(φ ∧ G_j) for each guard | `queries.rs`, and where it is not refuted an [`Occurrence`] |
//! | Ω_j = {e, i, φ, t⁻, t⁺} | [`LastStep`], with a `CrossingPeriod` for each event |
//! | Satisfy(φ ∧ Dom ∧ ¬ϕ) | `queries.rs`; what is not refuted is looked at along the step |
//! | no state left in the domain: end | a guard that every state enters ends the stay |
//! | dt grows while nothing happens | the step is as long as its enclosure is good |
//!
//! # Done differently
//! - Guards and the unsafe set are asked about *all* times of a step, not at its ends: a thin strip or a grazed guard between two steps is not missed, whatever their length [002 §8 names
//!   that as a limit of the method].
//! - A guard that some trajectories of the set enter and others do not is not followed with both: the step is cut short before it, and the next one tells more; if it does not,
//!   the box is undecided, and halved.
//!
//! # Guarantee
//! Rigorous: a stay that ends by the horizon has no event before it; one that is left is left by every trajectory, by one of the events in the last step, and is safe until then unless
//! `open` says why not. Ends: steps are counted.

use dyverse_enclose::{Stepper, TaylorModel, Tube};
use dyverse_formulas::{Condition, Constraint, Event, Evolution};
use dyverse_num::Interval;
use dyverse_proof::{Stay, StayEnd};

use crate::create_roots::{CrossingPeriod, LastStep, RootFormula, Roots};
use crate::depth_first_search::{End, Left, Passed, Together, Violation, stay, with_open};
use crate::explorer::{Explorer, PreparedLocation, lost, time_of};
use crate::outcome::Reason;
use crate::queries::{Queries, StepTheory};
use crate::watch::{Course, Holds, Occurrence, between};

/// Times in a row that a step is cut short before something that may happen.
const MOST_CUTS: usize = 10;

/// Points at which events may turn out either way that are remembered of a box.
const MOST_TURNING: usize = 2;

/// Steps below a ten thousandth of the horizon in one stay.
const MOST_SHORT_STEPS: usize = 200;

impl<E: Evolution> Explorer<E> {
    /// Algorithm 2.
    pub(crate) fn explore_dynamical_location(
        &mut self,
        root: RootFormula<E::Place>,
    ) -> Result<Passed<E::Place>, Reason> {
        let mut open = None;
        match self.stay(&root, &mut open) {
            Ok(Passed::Ended(end)) => with_open(open, Ok(end)).map(Passed::Ended),
            Ok(Passed::Left(left)) => Ok(Passed::Left(Box::new(Left { open, ..*left }))),
            Err(reason) => Err(open.unwrap_or(reason)),
        }
    }

    fn stay(
        &mut self,
        root: &RootFormula<E::Place>,
        open: &mut Option<Reason>,
    ) -> Result<Passed<E::Place>, Reason> {
        let place = &root.location;
        let prepared = self.prepared(place)?;
        let at_start = self.evolution.with_pool(|pool| {
            prepared
                .watched
                .told(pool, prepared.known.iter().chain(&root.facts))
        });
        let mut set = root.set.clone();
        let mut before = 0.0;
        let (mut cuts, mut short) = (0, 0);
        // Whether the step begins where the location was entered.
        let mut is_fresh = true;
        let mut hull: Vec<Interval> = set.hull();
        let to_horizon =
            |hull: &[Interval]| Passed::Ended(End::Safe(stay(place.to_string(), hull, StayEnd::Horizon)));
        let leave = |hull: Vec<Interval>, roots: Roots<E::Place>| {
            Passed::Left(Box::new(Left {
                place: place.to_string(),
                hull,
                open: None,
                roots,
                found: Together::none(),
            }))
        };
        loop {
            let now = time_of(&set);
            let left = self.horizon - now.lo();
            // All that happens at the horizon still counts.
            if left < 0.0 {
                self.figures.evolutions += 1;
                return Ok(to_horizon(&hull));
            }
            if self.figures.steps - self.steps_before > self.limits.steps {
                return Err(Reason::Limit(format!("more than {} steps", self.limits.steps)));
            }
            self.go_on()?;
            self.figures.steps += 1;
            // Beyond the horizon a little, so that an event near it happens to all states or to none.
            let longest = left + now.width() + 0.1 * self.scale;
            let tube = Stepper::new(&prepared.program, &self.unknowns, self.limits.flow)
                .step(&set, before, longest)
                .map_err(|f| lost(&f, now.lo()))?;
            let known: &[_] = if is_fresh { &at_start } else { &[] };
            let course = Course::new(&tube, &prepared.watched, known);
            let until = tube.span.hi();
            short += usize::from(until < 1e-4 * self.scale);
            if until < 1e-9 * self.scale || short > MOST_SHORT_STEPS || now.width() > 0.2 * self.scale {
                return Err(Reason::Enclosure {
                    what: "the set has become too wide to follow".into(),
                    time: now.lo(),
                });
            }
            let found = self.occurrences(place, &prepared, &tube, known, now);
            let next = next(&found, until, before);
            let looked_at = match &next {
                Next::Nothing => until,
                Next::Cut(at, _) | Next::Events(_, at) => *at,
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
                self.note_suspect(&course, &prepared.safe, looked_at);
            }
            match next {
                Next::Nothing => {
                    cuts = 0;
                    if !is_safe && let Some(end) = property(&course, &prepared.safe, until, now, place, open)
                    {
                        return Ok(Passed::Ended(end));
                    }
                    // What lies beyond the horizon is no part of the claim.
                    grow(&mut hull, &tube, until.min(left));
                    set = tube.set_at(&set, until).map_err(|f| lost(&f, now.lo()))?;
                    is_fresh = false;
                    before = 0.0;
                }
                Next::Cut(at, _) if now.lo() + at > self.horizon => {
                    if !is_safe && let Some(end) = property(&course, &prepared.safe, at, now, place, open) {
                        return Ok(Passed::Ended(end));
                    }
                    grow(&mut hull, &tube, at.min(left));
                    self.figures.evolutions += 1;
                    return Ok(to_horizon(&hull));
                }
                Next::Cut(at, event) => {
                    cuts += 1;
                    if cuts > MOST_CUTS {
                        self.note_turning(&course, &prepared.events, until);
                        return Err(Reason::Event {
                            label: prepared.events[event].label.clone(),
                            time: now.lo(),
                        });
                    }
                    if !is_safe && let Some(end) = property(&course, &prepared.safe, at, now, place, open) {
                        return Ok(Passed::Ended(end));
                    }
                    grow(&mut hull, &tube, at);
                    set = tube.set_at(&set, at).map_err(|f| lost(&f, now.lo()))?;
                    is_fresh = false;
                    before = 0.0;
                }
                Next::Back(by) => before = by,
                Next::Unclear(event) => {
                    self.note_turning(&course, &prepared.events[event..=event], until);
                    return Err(Reason::Event {
                        label: prepared.events[event].label.clone(),
                        time: now.lo(),
                    });
                }
                Next::AtOnce(event) => {
                    let label = prepared.events[event].label.clone();
                    let facts = if is_fresh { root.facts.clone() } else { Vec::new() };
                    let at_once = RootFormula {
                        location: place.clone(),
                        event: Some(event),
                        transitions: root.transitions,
                        set,
                        facts,
                    };
                    return Ok(leave(hull, Roots::one(label, at_once)));
                }
                Next::Events(events, last) => {
                    let known = known.to_vec();
                    let step = LastStep {
                        location: place.clone(),
                        transitions: root.transitions,
                        prepared: prepared.clone(),
                        set,
                        known,
                        tube,
                        occurrences: found,
                        events,
                        is_safe,
                    };
                    let (course, first) = (step.course(), step.earliest());
                    if !is_safe && let Some(end) = property(&course, &prepared.safe, first, now, place, open)
                    {
                        return Ok(Passed::Ended(end));
                    }
                    grow(&mut hull, &step.tube, last);
                    let step = Box::new(step);
                    return Ok(leave(hull, Roots::Crossings { step, next: 0 }));
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
        prepared: &PreparedLocation,
        tube: &Tube,
        known: &[Constraint],
        now: Interval,
    ) -> Vec<Occurrence> {
        let until = tube.span.hi();
        let (evolution, ranges) = (&self.evolution, &self.ranges);
        let queries = self
            .queries
            .entry(place.clone())
            .or_insert_with(|| Queries::new(&prepared.events, &prepared.safe));
        evolution.with_pool(|pool| {
            let mut step = StepTheory::new(
                Course::new(tube, &prepared.watched, known),
                tube,
                pool,
                ranges,
                until,
            );
            let course = Course::new(tube, &prepared.watched, known);
            let of = |(number, event): (usize, &Event)| {
                if event.when == Condition::Constant(false)
                    || queries.never_enters(&mut step, number, now.lo())
                {
                    Occurrence::Never
                } else {
                    course.occurrence(&event.when, until)
                }
            };
            prepared.events.iter().enumerate().map(of).collect()
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
            unreachable!("bug: the property is asked about before the guards");
        };
        evolution.with_pool(|pool| {
            let mut step = StepTheory::new(course, tube, pool, ranges, until);
            queries.never_unsafe(&mut step, now.lo())
        })
    }
}

/// Parts of a step on which states are bounded.
const PARTS: usize = 16;

/// The hull of a stay, with what a step adds up to a time.
fn grow(hull: &mut [Interval], tube: &Tube, until: f64) {
    // In parts: a claim should say where the states are, not where a polynomial is bounded.
    for part in 0..PARTS {
        let at = |number: usize| until * (number as f64 / PARTS as f64);
        let times = between(at(part), at(part + 1));
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
) -> Option<End<Stay>> {
    let broken = |at: Interval| {
        End::Unsafe(Violation {
            time: (now.lo() + at.lo(), now.hi() + at.hi()),
            place: place.to_string(),
        })
    };
    match course.holds(safe, 0.0, until) {
        Holds::Always => None,
        Holds::Broken(at) => Some(broken(at)),
        Holds::Open(at) => {
            if let Some(zero) = course.broken_at_zero(safe, until) {
                return Some(broken(zero));
            }
            open.get_or_insert(Reason::Property { time: now.lo() + at });
            None
        }
    }
}

/// What to do after a step.
enum Next {
    /// Nothing happened.
    Nothing,
    /// End the step here, before this event may happen.
    Cut(f64, usize),
    /// Begin the step a little before the states: an event may have been there already.
    Back(f64),
    /// These events, of which each may be the first; the last time one of them may be.
    Events(Vec<(usize, CrossingPeriod)>, f64),
    AtOnce(usize),
    Unclear(usize),
}

fn next(found: &[Occurrence], until: f64, before: f64) -> Next {
    let mut first_past = f64::INFINITY;
    for occurrence in found {
        if let Occurrence::Certain(period) = occurrence {
            first_past = first_past.min(period.window.hi());
        }
    }
    if let Some(event) = found.iter().position(|o| *o == Occurrence::AtOnce) {
        return Next::AtOnce(event);
    }
    let begins = |o: &Occurrence| match o {
        Occurrence::Certain(period) => period.window.lo(),
        Occurrence::Possible(from) => *from,
        Occurrence::Never | Occurrence::AtOnce => f64::INFINITY,
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
            Next::Cut(0.9 * earliest, *event)
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
    let certain = rivals.into_iter().map(|event| match &found[event] {
        Occurrence::Certain(period) => (event, *period),
        other => unreachable!("bug: {other:?} is no event that happens"),
    });
    Next::Events(certain.collect(), first_past)
}
