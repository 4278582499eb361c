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
const HARDLY: f64 = 1e-6;

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
    /// See the rule.
    pub(crate) fn is_shallow(&self) -> bool {
        let (from, to) = self.times;
        let length = to - from;
        let [first, middle, last] = self.distances.map(f64::abs);
        let ends = first.max(last);
        let is_straight = middle <= 1.5 * ends && ends <= NEAR.max(ROUNDINGS * self.size);
        length <= ULPS * f64::EPSILON * to.abs() || (is_straight && length <= HARDLY * self.scale)
    }
}

/// Shallow events in a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streak {
    /// The first of them.
    since: f64,
    pub(crate) events: usize,
    counts: BTreeMap<Key, usize>,
}

impl Streak {
    /// Notes an event of these quantities at `t`; whether it is sliding.
    pub(crate) fn note(&mut self, keys: impl Iterator<Item = Key>, t: f64, is_shallow: bool) -> bool {
        if !is_shallow {
            *self = Streak::default();
            return false;
        }
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
        let (since, events) = (r.number()?, r.count()?);
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
        assert!(cut((1.0, 1.0 + 1e-12), [1e-17, 5e-13, 1e-12]).is_shallow());
        assert!(cut((1.0, 1.0 + 2e-6), [1e-12, 1e-14, 1e-12]).is_shallow(), "slow");
        assert!(
            !cut((1.0, 1.0 + 1e-6), [1e-17, 1e-12, 1e-17]).is_shallow(),
            "a bounce"
        );
        assert!(
            !cut((1.0, 2.0), [1e-13, 1e-14, 1e-13]).is_shallow(),
            "a small model"
        );
        assert!(!cut((1.0, 1.1), [0.1, 0.05, 1e-17]).is_shallow());
        assert!(
            cut((100.0, 100.0 + 3e-14), [1e-8, 0.0, 1e-8]).is_shallow(),
            "fast"
        );
    }

    #[test]
    fn many_different_switches_at_one_time_are_no_sliding() {
        let mut streak = Streak::default();
        for k in 0..1000 {
            assert!(!streak.note(std::iter::once((Owner::Signal(k), 0)), 1.0, true));
        }
        let mut streak = Streak::default();
        let twice = (0..2 * MOST).map(|k| (Owner::Modal(0), k as u32 % 2));
        let found = twice
            .map(|key| streak.note(std::iter::once(key), 1.0, true))
            .filter(|is| *is);
        assert_eq!(found.count(), 3);
        assert_eq!(streak.keys().count(), 2);
        assert!(!streak.note(std::iter::empty(), 2.0, false) && streak.events == 0);
    }
}
