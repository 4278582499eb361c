//! What a run of a model told, whoever ran it, and when two of them told the same.
//!
//! Not everybody tells everything: a program in C names places but no guards, an FMU says when it had an event but not what happened. Two are compared in what both tell; that there
//! is something of that kind is part of the comparison.
#![allow(dead_code, reason = "each crate that includes it uses a part of it")]

use dyverse_trace::{StopReason, Trace, Transition, is_absent};
use std::collections::BTreeMap;

/// How close two must be.
#[derive(Clone, Copy)]
struct Closeness {
    /// Times of events, part of max(1, t).
    moments: f64,
    /// Values, part of max(1, size).
    values: f64,
    /// Whether values at the last moment are compared also if it has an event.
    has_end: bool,
}

/// Of those with solvers of their own.
const ALIKE: Closeness = Closeness {
    moments: 1e-9,
    values: 1e-8,
    has_end: false,
};
/// Of those that do the same at the last moment, also if it has an event.
const ALIKE_AT_THE_END: Closeness = Closeness {
    has_end: true,
    ..ALIKE
};
/// Of those with one solver, whose steps begin elsewhere.
const ALMOST_EQUAL: Closeness = Closeness {
    moments: 1e-12,
    values: 1e-10,
    has_end: true,
};
/// Else values are not compared closer to an event: they jump there.
const NEAR: f64 = 1e-6;

/// An event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    pub(crate) t: f64,
    pub(crate) n: Option<u32>,
    /// The place that it leads to.
    pub(crate) to: Option<String>,
    /// What it is, in the words of a trace.
    pub(crate) what: Option<String>,
}

/// The events that were told.
#[derive(Clone, Debug)]
pub(crate) enum Events {
    /// All, in order.
    All(Vec<Event>),
    /// Moments of events; some of them may be none of the model.
    Moments(Vec<f64>),
    /// None: nobody said.
    Untold,
}

/// What a run told.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) who: String,
    pub(crate) events: Events,
    /// Values at moments, in order of time.
    pub(crate) looks: Vec<(f64, BTreeMap<String, f64>)>,
    /// How it ended: the reason, or the message.
    pub(crate) end: String,
    /// From when on events are not compared.
    pub(crate) open_from: f64,
}

/// The end of a run that was refused, before or on its way.
pub(crate) const REFUSED: &str = "Refused";

/// The end for a reason to stop.
pub(crate) fn end_of(reason: &StopReason) -> String {
    format!("{reason:?}")
}

/// The end for a refusal.
pub(crate) fn refused(why: impl std::fmt::Display) -> String {
    format!("{REFUSED}: {why}")
}

impl Told {
    pub(crate) fn new(who: impl Into<String>) -> Self {
        Told {
            who: who.into(),
            events: Events::All(Vec::new()),
            looks: Vec::new(),
            end: end_of(&StopReason::HorizonReached),
            open_from: f64::INFINITY,
        }
    }

    /// What a trace tells at these moments and at its end.
    pub(crate) fn by(who: &str, trace: &Trace, moments: &[f64]) -> Self {
        let mut told = Told::new(who);
        told.add(&trace.transitions);
        told.end = end_of(&trace.stop.reason);
        let names = trace.signals.iter().map(|signal| signal.name.clone());
        let look = |values: &[f64]| names.clone().zip(values.iter().copied()).collect();
        for moment in moments {
            let there = trace.samples.iter().rev().find(|s| s.time.t() == *moment);
            told.looks
                .extend(there.map(|sample| (*moment, look(&sample.values))));
        }
        if let Some(last) = trace.samples.last().filter(|s| !moments.contains(&s.time.t())) {
            told.looks.push((last.time.t(), look(&last.values)));
        }
        told
    }

    /// Adds transitions.
    pub(crate) fn add(&mut self, taken: &[Transition]) {
        if let Events::All(events) = &mut self.events {
            events.extend(taken.iter().map(|t| Event {
                t: t.time.t(),
                n: Some(t.time.n()),
                to: Some(t.to.clone()),
                what: Some(format!("{:?} {} {} {}", t.kind, t.from, t.guard, t.reset)),
            }));
        }
    }

    /// Only when its events are: for one whose events are called otherwise.
    #[must_use]
    pub(crate) fn moments(mut self) -> Self {
        if let Events::All(events) = &self.events {
            self.events = Events::Moments(events.iter().map(|event| event.t).collect());
        }
        self
    }

    /// One event for each tick, without names.
    #[must_use]
    pub(crate) fn ticks(mut self) -> Self {
        if let Events::All(events) = &mut self.events {
            events.dedup_by_key(|event| (event.t.to_bits(), event.n));
            for event in events {
                (event.to, event.what) = (None, None);
            }
        }
        self
    }

    /// Only the first events: for one whose end hangs on the steps.
    #[must_use]
    pub(crate) fn first(mut self, count: usize) -> Self {
        if let Events::All(events) = &mut self.events {
            events.truncate(count);
        }
        self.looks.clear();
        self.end.clear();
        self
    }

    /// Only its events before a moment are compared.
    #[must_use]
    pub(crate) fn before(mut self, t: f64) -> Self {
        self.open_from = t;
        self
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.end.starts_with(REFUSED)
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.end == end_of(&StopReason::HorizonReached) || self.end == "0"
    }

    pub(crate) fn times(&self) -> Vec<f64> {
        match &self.events {
            Events::All(events) => events.iter().map(|event| event.t).collect(),
            Events::Moments(moments) => moments.clone(),
            Events::Untold => Vec::new(),
        }
    }
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(1.0)
}

/// Whether two names are of the same place. Beyond 64 contacts a run names those that an edge is about, the C all that are closed: then only the kind of place is compared.
fn is_same_place(a: &str, b: &str) -> bool {
    let kind = |name: &str| name.chars().next().map(|c| c.to_ascii_lowercase());
    a == b || (a.contains('{') || b.contains('{')) && kind(a) == kind(b)
}

fn is_same_event(a: &Event, b: &Event, closeness: Closeness) -> bool {
    let both = |a: &Option<String>, b: &Option<String>, same: fn(&str, &str) -> bool| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        _ => true,
    };
    near(a.t, b.t, closeness.moments)
        && (a.n == b.n || a.n.is_none() || b.n.is_none())
        && both(&a.to, &b.to, is_same_place)
        && both(&a.what, &b.what, |a, b| a == b)
}

/// Asserts that two told the same: how the run ended, its events, and the values at all moments at which both looked.
#[track_caller]
pub(crate) fn same(model: &str, a: &Told, b: &Told) {
    compare(model, (a, b), ALIKE);
}

/// The same, with the values at the end whatever happens there.
#[track_caller]
pub(crate) fn same_at_the_end(model: &str, a: &Told, b: &Told) {
    compare(model, (a, b), ALIKE_AT_THE_END);
}

/// The same of two with one solver, with the values at the end whatever happens there.
#[track_caller]
pub(crate) fn almost_equal(model: &str, a: &Told, b: &Told) {
    compare(model, (a, b), ALMOST_EQUAL);
}

#[track_caller]
fn compare(model: &str, (a, b): (&Told, &Told), closeness: Closeness) {
    let title = format!("{} and {} of {model}", a.who, b.who);
    assert_eq!(a.end, b.end, "{title}");
    match (&a.events, &b.events) {
        (Events::All(first), Events::All(second)) => {
            let until = a.open_from.min(b.open_from);
            let early = |all: &[Event]| all.iter().filter(|e| e.t < until).cloned().collect::<Vec<_>>();
            let (a, b) = (early(first), early(second));
            for (place, (a, b)) in a.iter().zip(&b).enumerate() {
                let is_same = is_same_event(a, b, closeness);
                assert!(is_same, "{title}: event {place} is {a:?} and {b:?}");
            }
            assert_eq!(a.len(), b.len(), "{title}: number of events\n{a:?}\n{b:?}");
        }
        (Events::All(all), Events::Moments(moments)) | (Events::Moments(moments), Events::All(all)) => {
            for event in all.iter().filter(|e| e.t < a.open_from.min(b.open_from)) {
                let is_there = moments.iter().any(|t| near(event.t, *t, closeness.moments));
                assert!(is_there, "{title}: only one has an event at {}", event.t);
            }
        }
        _ => {}
    }
    if !a.is_complete() {
        return;
    }
    let events = [a.times(), b.times()].concat();
    let mut compared = 0;
    for (t, first) in &a.looks {
        let Some((_, second)) = b.looks.iter().find(|(other, _)| near(*t, *other, 1e-12)) else {
            continue;
        };
        let is_end = closeness.has_end && a.looks.last().is_some_and(|(last, _)| last == t);
        if !is_end && events.iter().any(|event| (event - t).abs() < NEAR) {
            continue;
        }
        for (name, x) in first {
            let Some(y) = second.get(name) else { continue };
            let is_same =
                is_absent(*x) && y.is_nan() || x.is_nan() && y.is_nan() || near(*x, *y, closeness.values);
            assert!(is_same, "{title}: {name} at {t} is {x} and {y}");
            compared += 1;
        }
    }
    let is_there = |told: &Told| told.looks.iter().any(|(_, values)| !values.is_empty());
    assert!(
        compared > 0 || !(is_there(a) && is_there(b)),
        "{title}: nothing is compared"
    );
}
