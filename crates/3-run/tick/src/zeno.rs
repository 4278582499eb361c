//! Recognises runs that would never end: chattering at one instant, and events that accumulate in finite time [004 §3.2, §5.5].
//!
//! # Chattering
//! What a tick at one instant gives depends only on what the model remembers. If that comes a second time, everything repeats for ever. If it does
//! not within the limit of microsteps, what still changes is reported with its last values.
//!
//! # Accumulation
//! Distances d_k of one kind of event that fall geometrically, d_{k+1} = r d_k with r < 1, end at t + d r / (1 − r). Seen: eight distances in a row whose ratios agree to 1e-3 (four, if they fall
//! below a third each time; three below a fiftieth), and a limit nearer than [`CLOSE`] of max(1, t). Also two that fall to what is close, and a third that cannot be told from none. Such a sequence need not be infinite. It is taken for infinite, and the run stops, if nothing is found that would end it:
//! - nothing that a guard or another decision reads *moves on*: changes from event to event by more than the distances fall (a counter does);
//! - no quantity that is watched tends to the other side of its level (a threshold does);
//! - nothing is planned before the limit.
//!
//! Else the run goes on, event by event. What falls below the rounding of time is bounded by [`LONGEST`] events without progress.
//!
//! Crossings may also accumulate where a function has no value (sin(1/(1 − t)) before 1): 1/(L − t) of the events then goes up by equal amounts. Every [`MANY`] events L is predicted; if it is the same
//! twice, near, nothing moves on and no switch turns before, they accumulate there.

use crate::bytes::{Reader, Writer};
use crate::excursion::ROUNDINGS;
use crate::frame::Frame;
use crate::plan::{Formula, Op, Plan};
use crate::state::State;
use dyverse_actors::RegionKind;
use dyverse_expr::{BinaryFunction, Node, UnaryFunction};
use dyverse_trace::{ChangingSignal, StopReason};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Limits nearer than this part of max(1, t) are close, unless the model says otherwise.
pub(crate) const CLOSE: f64 = 1e-7;
/// Distances that must agree.
const DISTANCES: usize = 8;
/// The same, if they fall fast.
const FEW: usize = 4;
/// What is fast.
const FAST: f64 = 0.34;
/// The same, if they fall so fast that there are no more before they are a rounding of the time.
const FEWEST: usize = 3;
/// What is that fast.
const FASTEST: f64 = 0.02;
/// How well their ratios must agree, part of them.
const ALIKE: f64 = 0.05;
/// Events of which values are remembered.
const REMEMBERED: usize = 4;
/// Events without progress in a sequence that something will end.
pub(crate) const LONGEST: usize = 10_000;
/// Events after which a pole ahead is looked for.
const MANY: usize = 500;
/// Below this a quantity may be rounding, or what the solver leaves open, in its unit.
const NOISE: f64 = 1e-13;
/// How near the moment of such an accumulation must be, part of max(1, t).
const AHEAD: f64 = 1e-2;
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
    /// Whether modes were entered in it, or states set.
    pub(crate) has_moved: bool,
}

impl Instant {
    /// A new instant.
    pub(crate) fn clear(&mut self) {
        self.seen.clear();
        self.last.clear();
        self.has_chosen = false;
        self.has_moved = false;
    }

    /// For a snapshot.
    pub(crate) fn write(&self, w: &mut Writer) {
        w.list(self.seen.iter(), |w, (bits, n)| {
            w.list(bits.iter(), |w, bits| w.long(*bits));
            w.count(*n);
        });
        w.list(self.last.iter(), |w, values| w.numbers(values));
        w.flag(self.has_chosen);
        w.flag(self.has_moved);
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
            has_moved: r.flag()?,
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

/// What an event of a sequence looked like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Look {
    /// What decisions read.
    pub(crate) values: Vec<f64>,
    /// Watched quantities where time began to pass before it and where they were then, and in which modes.
    pub(crate) watched: Vec<f64>,
    pub(crate) modes: Vec<u32>,
}

/// Watches the times of events.
#[derive(Debug)]
pub(crate) struct Accumulation {
    /// What is close, part of max(1, t).
    close: f64,
    times: BTreeMap<EventKey, VecDeque<f64>>,
    /// What the last events of a kind whose distances fall looked like.
    looks: BTreeMap<EventKey, VecDeque<Look>>,
    /// Kinds that are close, and in which something moves on.
    moving: BTreeSet<EventKey>,
    paces: BTreeMap<EventKey, Pace>,
}

/// Events of a kind since their distances last grew, and where they seemed to accumulate: the limit and the time then.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    count: usize,
    aim: Option<(f64, f64)>,
}

impl EventKey {
    fn write(self, w: &mut Writer) {
        let (kind, a, b) = match self {
            EventKey::Cross(signal) => (0, signal, 0),
            EventKey::Transition(modal, transition) => (1, modal, transition),
            EventKey::Jump(signal) => (2, signal, 0),
        };
        w.byte(kind);
        w.word(a);
        w.word(b);
    }

    fn read(r: &mut Reader<'_>, plan: &Plan<'_>) -> Result<Self, String> {
        let (kind, a, b) = (r.byte()?, r.word()?, r.word()?);
        let is_signal = (a as usize) < plan.signal_count();
        let rules = plan.rules.get(a as usize);
        let is_transition = rules.is_some_and(|rules| (b as usize) < rules.len());
        match kind {
            0 if is_signal => Ok(EventKey::Cross(a)),
            1 if is_transition => Ok(EventKey::Transition(a, b)),
            2 if is_signal => Ok(EventKey::Jump(a)),
            _ => Err(format!("({kind}, {a}, {b}) is no kind of event")),
        }
    }
}

impl Accumulation {
    /// Distances below `close` of max(1, t) are close.
    pub(crate) fn new(close: f64) -> Self {
        Accumulation {
            close,
            times: BTreeMap::new(),
            looks: BTreeMap::new(),
            moving: BTreeSet::new(),
            paces: BTreeMap::new(),
        }
    }

    /// What is close, part of max(1, t).
    pub(crate) fn close(&self) -> f64 {
        self.close
    }

    /// Whether something moves on in a sequence that is close.
    pub(crate) fn is_moving(&self) -> bool {
        !self.moving.is_empty()
    }

    /// For a snapshot.
    pub(crate) fn write(&self, w: &mut Writer) {
        w.list(self.times.iter(), |w, (key, times)| {
            key.write(w);
            w.list(times.iter(), |w, t| w.number(*t));
        });
        w.list(self.looks.iter(), |w, (key, looks)| {
            key.write(w);
            w.list(looks.iter(), |w, look| {
                w.numbers(&look.values);
                w.numbers(&look.watched);
                w.list(look.modes.iter(), |w, mode| w.word(*mode));
            });
        });
        w.list(self.moving.iter(), |w, key| key.write(w));
        w.list(self.paces.iter(), |w, (key, pace)| {
            key.write(w);
            w.count(pace.count);
            let aim = pace.aim.map(|(limit, then)| [limit, then]);
            w.numbers(aim.as_ref().map_or(&[], |aim| &aim[..]));
        });
    }

    /// From a snapshot of a model with so many signals, and so many transitions of each modal model.
    pub(crate) fn read(r: &mut Reader<'_>, plan: &Plan<'_>, close: f64) -> Result<Self, String> {
        let times = r.list(|r| Ok((EventKey::read(r, plan)?, VecDeque::from(r.numbers()?))))?;
        let looks = r.list(|r| {
            let key = EventKey::read(r, plan)?;
            let looks = r.list(|r| {
                Ok(Look {
                    values: r.numbers()?,
                    watched: r.numbers()?,
                    modes: r.list(Reader::word)?,
                })
            })?;
            Ok((key, VecDeque::from(looks)))
        })?;
        Ok(Accumulation {
            close,
            times: times.into_iter().collect(),
            looks: looks.into_iter().collect(),
            moving: r.list(|r| EventKey::read(r, plan))?.into_iter().collect(),
            paces: paces(r, plan)?,
        })
    }

    /// An event at `t`: the limit and ratio if its kind accumulates and nothing ends that. `look` says what it looks like.
    pub(crate) fn note(&mut self, key: EventKey, t: f64, look: impl FnOnce() -> Look) -> Option<(f64, f64)> {
        let times = self.times.entry(key).or_default();
        if times.back() == Some(&t) {
            return None;
        }
        if times.len() > DISTANCES {
            times.pop_front();
        }
        times.push_back(t);
        let distances: Vec<f64> = times
            .iter()
            .zip(times.iter().skip(1))
            .map(|(a, b)| b - a)
            .collect();
        let looks = self.looks.entry(key).or_default();
        let [.., before, last] = distances[..] else {
            looks.push_back(look());
            return None;
        };
        let fall = falling(&distances, t);
        let ratio = fall.unwrap_or(last / before);
        let is_close = ratio >= 1.0 || last * ratio / (1.0 - ratio) < self.close * t.abs().max(1.0);
        let is_close = is_close && last < self.close * t.abs().max(1.0);
        if last >= before && !is_close {
            // This one may be the first of others.
            looks.clear();
            looks.push_back(look());
            self.moving.remove(&key);
            return None;
        }
        if looks.len() == REMEMBERED {
            looks.pop_front();
        }
        looks.push_back(look());
        if !is_close {
            self.moving.remove(&key);
            return None;
        }
        let is_moving = moves_on(looks, ratio);
        if is_moving {
            self.moving.insert(key);
        } else {
            self.moving.remove(&key);
        }
        let ratio = fall.or_else(|| collapsing(&distances, t, self.close))?;
        let goes_on = is_moving || looks.len() < REMEMBERED || will_cross(looks);
        (!goes_on).then(|| (t + last * ratio / (1.0 - ratio), ratio))
    }

    /// After an event at `t` its quantity is back on its level after a time that cannot be told from none: the limit and ratio if that is the end of an accumulation.
    pub(crate) fn vanishes(&self, key: EventKey, t: f64, after: f64) -> Option<(f64, f64)> {
        let times = self.times.get(&key)?;
        let (last, before) = (times.back()?, times.iter().rev().nth(1)?);
        let (distance, ratio) = (last - before, after / (last - before));
        let is_close = *last == t && distance < self.close * t.abs().max(1.0) && ratio < 0.999;
        let is_moving = self.looks.get(&key).is_some_and(|looks| moves_on(looks, ratio));
        (is_close && !is_moving).then(|| (t + after / (1.0 - ratio), ratio))
    }

    /// After an event that is no geometric accumulation: the limit and ratio if 1/(limit − t) goes up by equal amounts, and nothing moves on.
    pub(crate) fn note_pole(&mut self, key: EventKey) -> Option<(f64, f64)> {
        let times: Vec<f64> = self.times.get(&key)?.iter().copied().collect();
        let has_grown = match times[..] {
            [.., a, b, c] => c - b > 1.5 * (b - a),
            _ => true,
        };
        let pace = self.paces.entry(key).or_default();
        if has_grown {
            *pace = Pace::default();
            return None;
        }
        pace.count += 1;
        if !pace.count.is_multiple_of(MANY) || times.len() <= DISTANCES {
            return None;
        }
        let (first, middle, last) = (times[0], times[DISTANCES / 2], times[DISTANCES]);
        let (d1, d2) = (middle - first, last - middle);
        let limit = middle + 2.0 * d1 * d2 / (d1 - d2);
        if !(limit > last && limit.is_finite()) {
            pace.aim = None;
            return None;
        }
        let aim = pace.aim.replace((limit, last));
        let is_same = aim.is_some_and(|(aim, then)| (limit - aim).abs() <= 0.2 * (aim - then));
        let is_near = limit - last <= AHEAD * limit.abs().max(1.0);
        let before = times[DISTANCES - 1];
        let ratio = (last - before) / (before - times[DISTANCES - 2]);
        let is_moving = self.looks.get(&key).is_some_and(|looks| moves_on(looks, ratio));
        (is_same && is_near && !is_moving && ratio < 1.0).then_some((limit, ratio))
    }
}

fn paces(r: &mut Reader<'_>, plan: &Plan<'_>) -> Result<BTreeMap<EventKey, Pace>, String> {
    let paces = r.list(|r| {
        let (key, count) = (EventKey::read(r, plan)?, r.count()?);
        let aim = match r.numbers()?[..] {
            [limit, then] => Some((limit, then)),
            _ => None,
        };
        Ok((key, Pace { count, aim }))
    })?;
    Ok(paces.into_iter().collect())
}

/// Signals that decisions read: guards, what enables regions, `cross`, and expressions with `if`, comparisons and the like in them.
pub(crate) fn deciding(plan: &Plan<'_>) -> Vec<u32> {
    let pool = plan.graph.pool();
    let decides = |formula: &&Formula| {
        let nodes = pool.reachable(&[formula.node]);
        nodes.iter().any(|id| match pool.node(*id) {
            Node::Compare(..) | Node::Select(..) => true,
            Node::Unary(f, _) => matches!(f, UnaryFunction::Abs | UnaryFunction::Sign | UnaryFunction::Floor),
            Node::Binary(f, ..) => matches!(f, BinaryFunction::Min | BinaryFunction::Max),
            _ => false,
        })
    };
    let rules = || plan.rules.iter().flatten();
    let actions = rules().flat_map(|rule| rule.sets.iter().chain(&rule.outputs).map(|(_, f)| f));
    let expressions = plan.ops.iter().filter_map(|op| match op {
        Op::Expression(formula) => Some(formula),
        _ => None,
    });
    let deciding = actions.chain(expressions).filter(decides);
    let guards = rules().map(|rule| &rule.guard);
    let mut signals: Vec<u32> = guards.chain(deciding).flat_map(|f| f.signals.clone()).collect();
    signals.extend(plan.ops.iter().filter_map(|op| match op {
        Op::Cross(op) => Some(op.value),
        _ => None,
    }));
    signals.extend(
        plan.graph
            .regions()
            .iter()
            .filter_map(|region| match region.kind {
                RegionKind::Enabled(signal) => Some(signal.0),
                _ => None,
            }),
    );
    signals.sort_unstable();
    signals.dedup();
    signals
}

/// The common ratio of distances that fall geometrically, up to the rounding of their times.
fn falling(distances: &[f64], t: f64) -> Option<f64> {
    let of = |count: usize| {
        let last = distances.get(distances.len().checked_sub(count)?..)?;
        let ratios = || last.windows(2).map(|w| w[1] / w[0]);
        let (least, most) = ratios().fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(r), b.max(r)));
        let noise = 8.0 * f64::EPSILON * t.abs() / last.last().copied()?;
        (most < 0.999 && noise < 0.1 * (1.0 - most)).then_some((least, most, noise))
    };
    let agreed = |count: usize| {
        let (least, most, noise) = of(count)?;
        (most - least < 1e-3 + noise).then_some(most)
    };
    let alike = || {
        let (least, most, noise) = of(FEWEST)?;
        (most < FASTEST && most - least < (ALIKE + 4.0 * noise) * most).then_some(most)
    };
    let fast = || agreed(FEW).filter(|ratio| *ratio < FAST);
    agreed(DISTANCES).or_else(fast).or_else(alike)
}

/// The ratio of distances of which the last one that can be told from a rounding of the time is close, and the next cannot: a sequence so steep that it has no more.
fn collapsing(distances: &[f64], t: f64, close: f64) -> Option<f64> {
    let [.., first, last, none] = distances[..] else {
        return None;
    };
    let rounding = ROUNDINGS * t.abs();
    let is_close = last < close * t.abs().max(1.0) && last > rounding && none <= rounding;
    let falls = last < FASTEST * first && none < FASTEST * last;
    (is_close && falls).then(|| last / first)
}

/// Whether something that decisions read changes by more than the distances fall.
fn moves_on(looks: &VecDeque<Look>, ratio: f64) -> bool {
    let count = looks.iter().map(|look| look.values.len()).min().unwrap_or(0);
    // Distances that do not fall any more are rounding.
    let least = (0.5 * (1.0 + ratio.max(0.0))).min(0.9995);
    (0..count).any(|place| {
        let values: Vec<f64> = looks.iter().map(|look| look.values[place]).collect();
        let changes: Vec<f64> = values.windows(2).map(|w| w[1] - w[0]).collect();
        changes.len() >= 2 && changes.windows(2).all(|w| w[1] / w[0] > least)
    })
}

/// Whether a watched quantity tends to the other side of its level, by more than two predictions of its limit differ.
fn will_cross(looks: &VecDeque<Look>) -> bool {
    let last: Vec<&Look> = looks.iter().collect();
    let [a, .., d] = last[..] else {
        return false;
    };
    let is_same = |look: &&Look| look.modes == d.modes && look.watched.len() == d.watched.len();
    let count = if last.iter().all(is_same) {
        a.watched.len()
    } else {
        0
    };
    let limit = |[a, b, c]: [f64; 3]| {
        let (before, change) = (b - a, c - b);
        let ratio = change / before;
        (ratio.abs() < 1.0).then(|| c + change * ratio / (1.0 - ratio))
    };
    (0..count).any(|place| {
        let values: Vec<f64> = last.iter().map(|look| look.watched[place]).collect();
        let limits: Vec<Option<f64>> = values.windows(3).map(|w| limit([w[0], w[1], w[2]])).collect();
        let [.., Some(before), Some(after)] = limits[..] else {
            return false;
        };
        let now = values[values.len() - 1];
        let error = 4.0 * (after - before).abs() + 1e-6 * (now - after).abs() + NOISE;
        now * after < 0.0 && after.abs() > error
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(values: &[f64]) -> Look {
        Look {
            values: values.to_vec(),
            watched: Vec::new(),
            modes: Vec::new(),
        }
    }

    fn series(ratio: f64, look: impl Fn(usize, f64) -> Look) -> Option<(usize, f64, f64)> {
        let mut watch = Accumulation::new(CLOSE);
        let (mut t, mut d) = (0.0, 1.0);
        for k in 0..4000 {
            t += d;
            d *= ratio;
            if let Some((limit, ratio)) = watch.note(EventKey::Cross(0), t, || look(k, d)) {
                return Some((k, limit, ratio));
            }
        }
        None
    }

    #[test]
    fn a_geometric_series_is_recognised_near_its_limit() {
        for ratio in [0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 0.99] {
            let found = series(ratio, |_, d| look(&[d, 3.0]));
            let (_, limit, found) = found.unwrap_or_else(|| panic!("{ratio}"));
            let expected = 1.0 / (1.0 - ratio);
            assert!((limit - expected).abs() < 1e-8 * expected, "{limit} {ratio}");
            assert!((found - ratio).abs() < 2e-2, "{found} {ratio}");
        }
    }

    #[test]
    fn what_moves_on_may_end_it() {
        for ratio in [0.1, 0.5, 0.8, 0.95] {
            assert_eq!(series(ratio, |k, d| look(&[d, k as f64])), None, "{ratio}");
            let threshold = |_: usize, d: f64| Look {
                watched: vec![d - 1e-10],
                ..look(&[d])
            };
            let (k, _, _) = series(ratio, threshold).unwrap_or((4000, 0.0, 0.0));
            assert!(ratio.powi(k as i32 + 1) < 1.001e-10, "{ratio} {k}");
        }
    }

    #[test]
    fn a_clock_does_not_accumulate() {
        let mut watch = Accumulation::new(CLOSE);
        for k in 0..1000 {
            let note = watch.note(EventKey::Jump(3), f64::from(k) * 1e-9, || look(&[]));
            assert!(note.is_none());
        }
    }
}
