//! Recognises switches that turn each other back: sliding.
//!
//! On both sides of a switching surface the motion leads onto it (x′ = −1 above 0, +1 below): what follows is a motion along the surface, which the frozen decisions of a flow
//! cannot make. They switch to and fro instead, and time passes only by what locating an event leaves: a rounding of the time, or the width of the level.
//!
//! # Rule
//! An event is *shallow* if the watched quantity went straight back through its level: right after the instant before it was as near to the level as an event is located, it
//! passed it without having gone away in between, and hardly any time passed. Or the times are the same up to [`ULPS`] roundings. [`MOST`] shallow events of one quantity,
//! with no event that is not shallow in between, are sliding. A ball that bounces less and less is none: it goes away from its level and comes back.

use crate::bytes::{Reader, Writer};
use crate::flow::Owner;
use std::collections::BTreeMap;

/// Shallow events of one quantity in a row.
const MOST: usize = 64;
/// Roundings of a time that cannot be told apart.
const ULPS: f64 = 32.0;
/// As near to a level as an event is located, in the unit of its quantity.
const NEAR: f64 = 4e-12;
/// The same, in roundings of what the quantity was added up from.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;
/// What is hardly any time, part of the run.
const HARDLY: f64 = 1e-4;

/// What switches: a comparison or the like of a signal or guard, an indicator of a component.
pub(crate) type Key = (Owner, u32);

/// An event that was located: the times of the instant before and of it, and the distance of its quantity from its level at the first, the middle and the last moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) times: (f64, f64),
    pub(crate) distances: [f64; 3],
    /// The largest number that the quantity was added up from.
    pub(crate) size: f64,
    /// The length of the run.
    pub(crate) scale: f64,
}

impl Cut {
    /// How fast the quantity went.
    fn rate(&self) -> f64 {
        let length = self.times.1 - self.times.0;
        let way = self.distances[2] - self.distances[0];
        if length > 0.0 { (way / length).abs() } else { 0.0 }
    }

    /// See the rule; `rate` is the largest of the events before.
    fn is_shallow(&self, rate: f64) -> bool {
        let (from, to) = self.times;
        let length = to - from;
        let [first, middle, last] = self.distances.map(f64::abs);
        let ends = first.max(last);
        let moment = ULPS * f64::EPSILON * to.abs();
        let near = NEAR.max(ROUNDINGS * self.size).max(rate * moment);
        length <= moment || (middle <= 1.5 * ends && ends <= near && length <= HARDLY * self.scale)
    }
}

/// Shallow events in a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streak {
    /// The first of them.
    since: f64,
    pub(crate) events: usize,
    counts: BTreeMap<Key, usize>,
    /// How fast a quantity went at the most: a rounding of the time is so much of it.
    rate: f64,
}

impl Streak {
    /// Notes an event of these quantities at `t`; whether it is sliding. No cuts: it is not shallow.
    pub(crate) fn note(&mut self, keys: impl Iterator<Item = Key>, t: f64, cuts: &[Cut]) -> bool {
        let rate = cuts.iter().map(Cut::rate).fold(0.0, f64::max);
        if cuts.is_empty() || !cuts.iter().all(|cut| cut.is_shallow(self.rate)) {
            *self = Streak {
                rate,
                ..Streak::default()
            };
            return false;
        }
        self.rate = self.rate.max(rate);
        if self.events == 0 {
            self.since = t;
        }
        self.events += 1;
        let mut is_sliding = false;
        for key in keys {
            let count = self.counts.entry(key).or_default();
            *count += 1;
            is_sliding |= *count >= MOST;
        }
        is_sliding
    }

    /// What switches, again and again.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        self.counts
            .iter()
            .filter(|(_, count)| **count >= MOST / 4)
            .map(|(key, _)| *key)
    }

    /// In how little time, until `t`.
    pub(crate) fn length(&self, t: f64) -> f64 {
        t - self.since
    }

    /// For a snapshot.
    pub(crate) fn write(&self, w: &mut Writer) {
        w.number(self.since);
        w.number(self.rate);
        w.count(self.events);
        w.list(self.counts.iter(), |w, ((owner, part), count)| {
            let (kind, number) = match owner {
                Owner::Signal(s) => (0, *s),
                Owner::Modal(m) => (1, *m),
                Owner::Component(c) => (2, *c),
            };
            w.byte(kind);
            w.word(number);
            w.word(*part);
            w.count(*count);
        });
    }

    pub(crate) fn read(r: &mut Reader<'_>) -> Result<Self, String> {
        let (since, rate, events) = (r.number()?, r.number()?, r.count()?);
        let counts = r.list(|r| {
            let owner = match (r.byte()?, r.word()?) {
                (0, s) => Owner::Signal(s),
                (1, m) => Owner::Modal(m),
                (2, c) => Owner::Component(c),
                (other, _) => return Err(format!("{other} is nothing that switches")),
            };
            Ok(((owner, r.word()?), r.count()?))
        })?;
        Ok(Streak {
            since,
            events,
            counts: counts.into_iter().collect(),
            rate,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(times: (f64, f64), distances: [f64; 3]) -> Cut {
        Cut {
            times,
            distances,
            size: 1e-3,
            scale: 10.0,
        }
    }

    #[test]
    fn only_what_goes_straight_back_is_shallow() {
        assert!(cut((1.0, 1.0 + 1e-12), [1e-17, 5e-13, 1e-12]).is_shallow(1.0));
        assert!(
            cut((1.0, 1.0 + 2e-6), [1e-12, 1e-14, 1e-12]).is_shallow(1.0),
            "slow"
        );
        assert!(
            !cut((1.0, 1.0 + 1e-6), [1e-17, 1e-12, 1e-17]).is_shallow(1.0),
            "a bounce"
        );
        assert!(
            !cut((1.0, 2.0), [1e-13, 1e-14, 1e-13]).is_shallow(1.0),
            "a small model"
        );
        assert!(!cut((1.0, 1.1), [0.1, 0.05, 1e-17]).is_shallow(1.0));
        assert!(
            cut((100.0, 100.0 + 3e-14), [1e-8, 0.0, 1e-8]).is_shallow(1.0),
            "fast"
        );
    }

    #[test]
    fn many_different_switches_at_one_time_are_no_sliding() {
        let shallow = [cut((1.0, 1.0 + 1e-12), [1e-17, 5e-13, 1e-12])];
        let mut streak = Streak::default();
        for k in 0..1000 {
            assert!(!streak.note(std::iter::once((Owner::Signal(k), 0)), 1.0, &shallow));
        }
        let mut streak = Streak::default();
        let twice = (0..2 * MOST).map(|k| (Owner::Modal(0), k as u32 % 2));
        let found = twice
            .map(|key| streak.note(std::iter::once(key), 1.0, &shallow))
            .filter(|is| *is);
        assert_eq!(found.count(), 2);
        assert_eq!(streak.keys().count(), 2);
        assert!(!streak.note(std::iter::empty(), 2.0, &[]) && streak.events == 0);
    }
}
