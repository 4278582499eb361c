//! What a property says of a course, moment by moment: always, never, eventually, until and what is nested in them [SPEC §10].
//!
//! A formula is a *line*: stops with a truth value for each of their moments, and one for everything between two stops. All microsteps at t + a and t + b belong to the window
//! [a, b] of a moment (t, n); of those at t itself, the moment's own and the later ones.

use super::course::{Course, Moment, Span, cuts};
use super::formula::{Truth, Window, and, or};
use super::real::{Real, ZERO, Zones};
use std::cmp::Ordering;

/// Stretches shorter than this are not looked into, s: tolerances of the model are of this size.
const SHORTEST: f64 = 1e-7;

#[derive(Clone, Debug)]
struct Stop {
    t: Real,
    moments: Vec<Option<bool>>,
}

#[derive(Clone, Debug)]
struct Line {
    stops: Vec<Stop>,
    /// After each stop but the last.
    between: Vec<Option<bool>>,
}

/// What a property says of a course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Judged {
    /// `None`: it cannot be told.
    pub(crate) holds: Option<bool>,
    /// When it is first seen to be broken, of `always` and `never`.
    pub(crate) broken_at: Option<Real>,
}

/// A place of a line in order: a moment of a stop, or between stops.
#[derive(Clone, Copy)]
struct Step {
    t: Real,
    value: Option<bool>,
    /// Of another line, if there are two.
    other: Option<bool>,
    is_in: bool,
    /// Whether it is between stops.
    is_stretch: bool,
}

fn is_same(a: Real, b: Real) -> bool {
    (a - b).abs().f64() < 1e-18
}

impl Line {
    /// Of a formula without temporal operators.
    fn of_now(truth: &Truth, course: &Course, zones: &Zones) -> Line {
        let at = |moment: &Moment| truth.now(moment, zones);
        let (mut stops, mut between) = (Vec::new(), Vec::new());
        for (number, instant) in course.instants.iter().enumerate() {
            stops.push(Stop {
                t: instant.t,
                moments: instant.moments.iter().map(at).collect(),
            });
            let Some(span) = course.spans.get(number) else {
                continue;
            };
            let end = course.instants[number + 1].t;
            let mut places: Vec<Real> = vec![instant.t];
            match span {
                Span::Poly(leaves) => {
                    let inner = cuts(truth, leaves, end - instant.t);
                    places.extend(inner.into_iter().map(|tau| instant.t + tau));
                    places.push(end);
                    for (place, pair) in places.windows(2).enumerate() {
                        if place > 0 {
                            let here = course.between(number, pair[0]);
                            stops.push(Stop {
                                t: pair[0],
                                moments: vec![here.as_ref().and_then(at)],
                            });
                        }
                        let is_long = (pair[1] - pair[0]).f64() > SHORTEST;
                        let middle = (pair[0] + pair[1]) * Real::from(0.5);
                        let there = course.between(number, middle).filter(|_| is_long);
                        between.push(there.as_ref().and_then(at));
                    }
                }
                Span::Samples(samples) => {
                    for (t, moment) in samples {
                        between.push(None);
                        stops.push(Stop {
                            t: *t,
                            moments: vec![at(moment)],
                        });
                    }
                    between.push(None);
                }
            }
        }
        Line { stops, between }
    }

    fn of(truth: &Truth, course: &Course, zones: &Zones) -> Line {
        let line = |t: &Truth| Line::of(t, course, zones);
        match truth {
            _ if !truth.is_temporal() => Line::of_now(truth, course, zones),
            Truth::Not(a) => line(a).map(|v| v.map(|v| !v)),
            Truth::And(a, b) => line(a).joined(&line(b), and),
            Truth::Or(a, b) => line(a).joined(&line(b), or),
            Truth::Implies(a, b) => line(a).joined(&line(b), |a, b| or(a.map(|a| !a), b)),
            Truth::Always(w, a) => line(a).windowed(w, &always),
            Truth::Never(w, a) => line(a).map(|v| v.map(|v| !v)).windowed(w, &always),
            Truth::Eventually(w, a) => line(a).windowed(w, &eventually),
            Truth::Until(w, a, b) => {
                let (a, b) = (line(a), line(b));
                let times = a.times(&b);
                let (a, b) = (a.at_times(&times), b.at_times(&times));
                a.window(&b, &Some(w.clone()), &until)
            }
            Truth::Compare(..) | Truth::Touching(..) => Line::of_now(truth, course, zones),
        }
    }

    fn map(mut self, f: impl Fn(Option<bool>) -> Option<bool>) -> Line {
        for stop in &mut self.stops {
            stop.moments.iter_mut().for_each(|v| *v = f(*v));
        }
        self.between.iter_mut().for_each(|v| *v = f(*v));
        self
    }

    /// The times of two lines, each once, with how many moments they have.
    fn times(&self, other: &Line) -> Vec<(Real, usize)> {
        let each =
            |l: &Line| -> Vec<(Real, usize)> { l.stops.iter().map(|s| (s.t, s.moments.len())).collect() };
        merged([each(self), each(other)].concat())
    }

    /// The same line with these stops, which are its own and more.
    fn at_times(&self, times: &[(Real, usize)]) -> Line {
        let (mut stops, mut between) = (Vec::new(), Vec::new());
        for (number, (t, count)) in times.iter().enumerate() {
            let own = self.stops.iter().find(|s| is_same(s.t, *t));
            let moments = match own {
                Some(stop) => {
                    let last = stop.moments.len() - 1;
                    (0..*count).map(|n| stop.moments[n.min(last)]).collect()
                }
                None => vec![self.inside(*t); *count],
            };
            stops.push(Stop { t: *t, moments });
            if let Some((next, _)) = times.get(number + 1) {
                between.push(self.inside((*t + *next) * Real::from(0.5)));
            }
        }
        Line { stops, between }
    }

    /// Its value at a time that is none of its stops.
    fn inside(&self, t: Real) -> Option<bool> {
        let after = self.stops.iter().position(|s| s.t > t)?;
        self.between.get(after.checked_sub(1)?).copied().flatten()
    }

    fn joined(&self, other: &Line, f: impl Fn(Option<bool>, Option<bool>) -> Option<bool>) -> Line {
        let times = self.times(other);
        let (mut a, b) = (self.at_times(&times), other.at_times(&times));
        for (stop, with) in a.stops.iter_mut().zip(&b.stops) {
            for (value, with) in stop.moments.iter_mut().zip(&with.moments) {
                *value = f(*value, *with);
            }
        }
        for (value, with) in a.between.iter_mut().zip(&b.between) {
            *value = f(*value, *with);
        }
        a
    }

    fn windowed(&self, window: &Option<Window>, f: &dyn Fn(&[Step]) -> Option<bool>) -> Line {
        self.window(self, window, f)
    }

    /// A function of what lies in the window of each moment. `self` and `other` have the same stops.
    fn window(&self, other: &Line, window: &Option<Window>, f: &dyn Fn(&[Step]) -> Option<bool>) -> Line {
        let shifts = match window {
            Some((from, to)) => vec![from.value, to.value],
            None => vec![],
        };
        let end = self.stops.last().map_or(ZERO, |s| s.t);
        let mut times: Vec<(Real, usize)> = self.stops.iter().map(|s| (s.t, s.moments.len())).collect();
        for shift in shifts {
            for stop in &self.stops {
                let t = stop.t - shift;
                if t > ZERO && t < end {
                    times.push((t, 1));
                }
            }
        }
        let times = merged(times);
        let (mut stops, mut between) = (Vec::new(), Vec::new());
        for (number, (t, count)) in times.iter().enumerate() {
            let moments = (0..*count).map(|n| f(&self.steps(other, *t, n, window)));
            stops.push(Stop {
                t: *t,
                moments: moments.collect(),
            });
            if let Some((next, _)) = times.get(number + 1) {
                let middle = (*t + *next) * Real::from(0.5);
                between.push(f(&self.steps(other, middle, 0, window)));
            }
        }
        Line { stops, between }
    }

    /// Everything from a moment (t, n) on to the end of its window, marked where it is in the window. What lies beyond the end of the course is not known.
    fn steps(&self, other: &Line, t: Real, n: usize, window: &Option<Window>) -> Vec<Step> {
        let end = self.stops.last().map_or(ZERO, |s| s.t);
        let (from, to) = match window {
            Some((from, to)) => (t + from.value, t + to.value),
            None => (t, end),
        };
        let before = |a: Real, b: Real| !is_same(a, b) && a < b;
        let is_in = |at: Real| !before(at, from) && !before(to, at);
        let mut steps = Vec::new();
        let mut push =
            |t: Real, (value, other): (Option<bool>, Option<bool>), is_in: bool, is_stretch: bool| {
                steps.push(Step {
                    t,
                    value,
                    other,
                    is_in,
                    is_stretch,
                });
            };
        for (number, stop) in self.stops.iter().enumerate() {
            if before(to, stop.t) {
                break;
            }
            if !before(stop.t, t) {
                let first = if is_same(stop.t, t) { n } else { 0 };
                for (moment, value) in stop.moments.iter().enumerate().skip(first) {
                    let with = other.stops[number].moments[moment];
                    push(stop.t, (*value, with), is_in(stop.t), false);
                }
            }
            let Some(next) = self.stops.get(number + 1).filter(|next| before(t, next.t)) else {
                continue;
            };
            let values = (self.between[number], other.between[number]);
            if before(stop.t, t) {
                push(t, values, is_in(t), false);
            }
            // What of the stretch lies before the window, and in it.
            let (low, high) = (stop.t.max(t), next.t.min(to));
            if before(low, from) {
                push(low, values, false, true);
            }
            if before(low.max(from), high) {
                push(low.max(from), values, true, true);
            } else if is_same(from, to) && before(low, from) && before(from, next.t) {
                push(from, values, true, false);
            }
        }
        if before(end, to) {
            push(to, (None, None), true, false);
        }
        steps
    }
}

/// Ascending, each time once with its most moments.
fn merged(mut times: Vec<(Real, usize)>) -> Vec<(Real, usize)> {
    times.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal));
    let mut all: Vec<(Real, usize)> = Vec::new();
    for (t, count) in times {
        match all.last_mut() {
            Some(last) if is_same(last.0, t) => last.1 = last.1.max(count),
            _ => all.push((t, count)),
        }
    }
    all
}

fn always(steps: &[Step]) -> Option<bool> {
    let each = steps.iter().filter(|s| s.is_in);
    each.fold(Some(true), |all, step| and(all, step.value))
}

fn eventually(steps: &[Step]) -> Option<bool> {
    let each = steps.iter().filter(|s| s.is_in);
    each.fold(Some(false), |any, step| or(any, step.value))
}

/// `value` until `other`: between stops, what must hold before a time is also what holds on its own stretch.
fn until(steps: &[Step]) -> Option<bool> {
    let (mut held, mut found) = (Some(true), Some(false));
    for step in steps {
        let before = if step.is_stretch {
            and(held, step.value)
        } else {
            held
        };
        if step.is_in {
            found = or(found, and(step.other, before));
        }
        held = and(held, step.value);
    }
    found
}

/// What a property says of a course. One without temporal operators must hold at all times.
pub(crate) fn judge(property: &Truth, course: &Course, zones: &Zones) -> Judged {
    if !property.is_temporal() {
        return at_start(&Truth::Always(None, Box::new(property.clone())), course, zones);
    }
    at_start(property, course, zones)
}

fn at_start(truth: &Truth, course: &Course, zones: &Zones) -> Judged {
    let of = |t: &Truth| at_start(t, course, zones);
    let earliest = |a: Judged, b: Judged| match (a.broken_at, b.broken_at) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let over = |w: &Option<Window>, line: Line| {
        let steps = line.steps(&line, ZERO, 0, w);
        let broken = steps.iter().find(|s| s.is_in && s.value == Some(false));
        Judged {
            holds: always(&steps),
            broken_at: broken.map(|s| s.t),
        }
    };
    match truth {
        Truth::And(a, b) => {
            let (a, b) = (of(a), of(b));
            Judged {
                holds: and(a.holds, b.holds),
                broken_at: earliest(a, b),
            }
        }
        Truth::Always(w, a) => over(w, Line::of(a, course, zones)),
        Truth::Never(w, a) => over(w, Line::of(a, course, zones).map(|v| v.map(|v| !v))),
        _ => Judged {
            holds: Line::of(truth, course, zones).stops[0].moments[0],
            broken_at: None,
        },
    }
}
