//! Recognises runs that would never end: chattering at one instant, and events that accumulate in finite time [004 §3.2, §5.5].
//!
//! # Chattering
//! What a tick at one instant gives depends only on what the model remembers. If that comes a second time, everything repeats for ever. If it does
//! not within the limit of microsteps, what still changes is reported with its last values.
//!
//! # Accumulation
//! Distances d_k of one kind of event that fall geometrically, d_{k+1} = r d_k with r < 1, end at t + d r / (1 − r). Heuristic: eight distances in a row whose
//! ratios agree to 1e-3, and a limit nearer than [`NEAR`] of max(1, t).

use crate::bytes::{Reader, Writer};
use crate::frame::Frame;
use crate::plan::Plan;
use crate::state::State;
use dyverse_time::{ChangingSignal, StopReason};
use std::collections::{BTreeMap, VecDeque};

/// How near the limit must be, part of max(1, t).
const NEAR: f64 = 1e-7;
/// Distances that must agree.
const DISTANCES: usize = 8;
/// Microsteps before states are compared: most instants end long before.
const PATIENCE: usize = 16;
/// Values of each changing signal that are shown.
const SHOWN: usize = 8;

/// Watches the microsteps of one instant.
#[derive(Debug, Default)]
pub(crate) struct Instant {
    seen: BTreeMap<Vec<u64>, usize>,
    bits: Vec<u64>,
    last: VecDeque<Vec<f64>>,
    has_chosen: bool,
}

impl Instant {
    /// A new instant.
    pub(crate) fn clear(&mut self) {
        self.seen.clear();
        self.last.clear();
        self.has_chosen = false;
    }

    /// For a snapshot.
    pub(crate) fn write(&self, w: &mut Writer) {
        w.list(self.seen.iter(), |w, (bits, n)| {
            w.list(bits.iter(), |w, bits| w.long(*bits));
            w.count(*n);
        });
        w.list(self.last.iter(), |w, values| w.numbers(values));
        w.flag(self.has_chosen);
    }

    /// From a snapshot of a model with so many signals.
    pub(crate) fn read(r: &mut Reader<'_>, signals: usize) -> Result<Self, String> {
        let seen = r.list(|r| Ok((r.list(Reader::long)?, r.count()?)))?;
        let last = r.list(|r| r.list_of((signals, "signals"), Reader::number))?;
        Ok(Instant {
            seen: seen.into_iter().collect(),
            bits: Vec::new(),
            last: VecDeque::from(last),
            has_chosen: r.flag()?,
        })
    }

    /// After a microstep that is not the last: whether the instant has no end.
    pub(crate) fn check(
        &mut self,
        plan: &Plan<'_>,
        state: &State,
        frame: &Frame,
        limit: usize,
    ) -> Option<StopReason> {
        let n = frame.time.n() as usize;
        self.has_chosen |= frame.has_chosen;
        if n < PATIENCE.min(limit.saturating_sub(SHOWN)) {
            return None;
        }
        if self.last.len() == SHOWN {
            self.last.pop_front();
        }
        self.last.push_back(frame.value[..plan.signal_count()].to_vec());
        if n + 1 >= limit {
            return Some(self.report(plan, n + 1, None));
        }
        // Random choices break the argument: the same state may go on otherwise.
        if self.has_chosen {
            return None;
        }
        state.fingerprint(&mut self.bits);
        let before = self.seen.insert(self.bits.clone(), n)?;
        Some(self.report(plan, n + 1, Some(n - before)))
    }

    fn report(&self, plan: &Plan<'_>, microsteps: usize, period: Option<usize>) -> StopReason {
        let of = |signal: usize| -> Vec<f64> { self.last.iter().map(|values| values[signal]).collect() };
        let is_changing = |signal: &usize| {
            let values = of(*signal);
            values.windows(2).any(|w| w[0].to_bits() != w[1].to_bits())
        };
        let changing: Vec<usize> = (0..plan.signal_count()).filter(is_changing).collect();
        let name = |signal: usize| plan.graph.signals()[signal].name.clone();
        let is_named = |signal: &usize| plan.graph.signals()[*signal].is_named();
        let has_named = changing.iter().any(is_named);
        StopReason::Chattering {
            microsteps,
            period,
            changing: changing
                .into_iter()
                .filter(|signal| !has_named || is_named(signal))
                .map(|signal| ChangingSignal {
                    name: name(signal),
                    values: of(signal),
                })
                .collect(),
        }
    }
}

/// A kind of event, for accumulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EventKey {
    Cross(u32),
    Transition(u32, u32),
    Jump(u32),
}

/// Watches the times of events.
#[derive(Debug, Default)]
pub(crate) struct Accumulation {
    times: BTreeMap<EventKey, VecDeque<f64>>,
}

impl Accumulation {
    /// For a snapshot.
    pub(crate) fn write(&self, w: &mut Writer) {
        w.list(self.times.iter(), |w, (key, times)| {
            let (kind, a, b) = match *key {
                EventKey::Cross(signal) => (0, signal, 0),
                EventKey::Transition(modal, transition) => (1, modal, transition),
                EventKey::Jump(signal) => (2, signal, 0),
            };
            w.byte(kind);
            w.word(a);
            w.word(b);
            w.list(times.iter(), |w, t| w.number(*t));
        });
    }

    /// From a snapshot of a model with so many signals, and so many transitions of each modal model.
    pub(crate) fn read(r: &mut Reader<'_>, plan: &Plan<'_>) -> Result<Self, String> {
        let times = r.list(|r| {
            let (kind, a, b) = (r.byte()?, r.word()?, r.word()?);
            let is_signal = (a as usize) < plan.signal_count();
            let is_transition = plan
                .rules
                .get(a as usize)
                .is_some_and(|rules| (b as usize) < rules.len());
            let key = match kind {
                0 if is_signal => EventKey::Cross(a),
                1 if is_transition => EventKey::Transition(a, b),
                2 if is_signal => EventKey::Jump(a),
                _ => return Err(format!("({kind}, {a}, {b}) is no kind of event")),
            };
            Ok((key, VecDeque::from(r.numbers()?)))
        })?;
        Ok(Accumulation {
            times: times.into_iter().collect(),
        })
    }

    /// An event at `t`: the limit and ratio if its kind accumulates.
    pub(crate) fn note(&mut self, key: EventKey, t: f64) -> Option<(f64, f64)> {
        let times = self.times.entry(key).or_default();
        if times.back() == Some(&t) {
            return None;
        }
        if times.len() > DISTANCES {
            times.pop_front();
        }
        times.push_back(t);
        if times.len() <= DISTANCES {
            return None;
        }
        let distances: Vec<f64> = times
            .iter()
            .zip(times.iter().skip(1))
            .map(|(a, b)| b - a)
            .collect();
        let ratios = || distances.windows(2).map(|w| w[1] / w[0]);
        let (least, most) = ratios().fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(r), b.max(r)));
        let last = distances.last().copied().unwrap_or(0.0);
        if !(most < 0.999 && most - least < 1e-3) {
            return None;
        }
        let rest = last * most / (1.0 - most);
        (rest < NEAR * t.abs().max(1.0)).then_some((t + rest, most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_geometric_series_is_recognised_near_its_limit() {
        let mut watch = Accumulation::default();
        let (mut t, mut d, mut found) = (0.0, 1.0, None);
        for _ in 0..200 {
            t += d;
            d *= 0.8;
            found = watch.note(EventKey::Cross(0), t);
            if found.is_some() {
                break;
            }
        }
        let (limit, ratio) = found.expect("the series 0.8^k accumulates at 5");
        assert!((limit - 5.0).abs() < 1e-9 && (ratio - 0.8).abs() < 1e-3);
    }

    #[test]
    fn a_clock_does_not_accumulate() {
        let mut watch = Accumulation::default();
        for k in 0..1000 {
            assert!(watch.note(EventKey::Jump(3), f64::from(k) * 1e-9).is_none());
        }
    }
}
