//! What a model remembers from one tick to the next.
//!
//! One cell for each signal: a number and whether it is there. What they mean depends on the primitive:
//!
//! | primitive | number | there |
//! |---|---|---|
//! | integrator | its state | it has been initialised |
//! | `hold`, `post` | what it outputs next | it outputs something |
//! | `cross` | side of the level, see `level.rs` | the event is due |
//! | clock, `at` | number of events so far | |
//!
//! Beside them: the current modes, the times at which local times began, the queues of delays and the states of components.

use crate::level::Standing;
use crate::plan::{Op, Plan};
use dyverse_actors::{Mode, ModeId, RegionId};
use std::collections::VecDeque;

/// A time, and what rounding took from it: chains of delays and clocks do not drift.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moment {
    pub(crate) t: f64,
    pub(crate) carry: f64,
}

impl Moment {
    pub(crate) fn at(t: f64) -> Self {
        Moment { t, carry: 0.0 }
    }

    /// The sum, to some 1e-32 of the larger.
    pub(crate) fn plus(self, other: Moment) -> Self {
        let sum = self.t + other.t;
        let part = sum - self.t;
        let error = (self.t - (sum - part)) + (other.t - part) + (self.carry + other.carry);
        let t = sum + error;
        if t.is_finite() {
            Moment {
                t,
                carry: (sum - t) + error,
            }
        } else {
            Moment::at(sum)
        }
    }

    pub(crate) fn minus(self, other: Moment) -> Self {
        self.plus(Moment {
            t: -other.t,
            carry: -other.carry,
        })
    }

    /// count · period, exactly.
    fn multiple(count: f64, period: f64) -> Self {
        let t = count * period;
        let carry = count.mul_add(period, -t);
        Moment {
            t,
            carry: if carry.is_finite() { carry } else { 0.0 },
        }
    }
}

/// A cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) value: f64,
    pub(crate) is_there: bool,
}

/// What a model remembers.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) cells: Vec<Cell>,
    pub(crate) modes: Vec<u32>,
    /// Global time at which a region's local time is 0.
    pub(crate) begins: Vec<Moment>,
    /// Due local times and values of delays, earliest first; empty for other signals.
    pub(crate) queues: Vec<VecDeque<(Moment, f64)>>,
    pub(crate) components: Vec<ComponentState>,
    /// Whether anything changed since it was last cleared.
    pub(crate) is_changed: bool,
}

/// What is remembered of a component.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComponentState {
    pub(crate) x: Vec<f64>,
    /// Inputs at the last instant it was told about.
    pub(crate) inputs: Vec<f64>,
    /// Event outputs that are present at the next tick.
    pub(crate) events: Vec<(u32, f64)>,
    pub(crate) is_unfinished: bool,
    pub(crate) is_started: bool,
}

impl State {
    pub(crate) fn new(plan: &Plan<'_>) -> Self {
        let empty = Cell {
            value: 0.0,
            is_there: false,
        };
        let mut state = State {
            cells: vec![empty; plan.signal_count()],
            modes: plan.graph.modals().iter().map(|m| m.initial.0).collect(),
            begins: vec![Moment::default(); plan.graph.regions().len()],
            queues: vec![VecDeque::new(); plan.signal_count()],
            components: vec![ComponentState::default(); plan.graph.components().len()],
            is_changed: false,
        };
        for signal in 0..plan.signal_count() {
            state.initialise(plan, signal);
        }
        state
    }

    /// The cell of a signal before its first tick.
    pub(crate) fn first(plan: &Plan<'_>, signal: usize) -> Cell {
        let (value, is_there) = match &plan.ops[signal] {
            Op::Post { init, .. } => (init.unwrap_or(0.0), init.is_some()),
            Op::Cross(_) => (Standing::New.number(), false),
            _ => (0.0, false),
        };
        Cell { value, is_there }
    }

    fn initialise(&mut self, plan: &Plan<'_>, signal: usize) {
        self.queues[signal].clear();
        self.cells[signal] = State::first(plan, signal);
    }

    /// Begins at another time than 0: what the whole model had planned before is left out, and local times begin now.
    pub(crate) fn start_at(&mut self, plan: &Plan<'_>, t: f64) {
        for (begin, region) in self.begins.iter_mut().zip(plan.graph.regions()) {
            *begin = Moment::at(if region.parent.is_some() { t } else { 0.0 });
        }
        for signal in &plan.timed {
            if plan.region_of(*signal) != RegionId::ROOT.0 {
                continue;
            }
            let past = match &plan.ops[*signal as usize] {
                Op::Clock { period, offset, .. } => ((t - offset) / period).ceil().max(0.0),
                Op::At(list) => list.partition_point(|(at, _)| *at < t) as f64,
                _ => 0.0,
            };
            self.cells[*signal as usize].value = past;
        }
    }

    /// Writes a cell; remembers whether that changed it.
    pub(crate) fn set(&mut self, signal: usize, value: f64, is_there: bool) {
        let cell = &mut self.cells[signal];
        let is_same = cell.is_there == is_there && cell.value.to_bits() == value.to_bits();
        self.is_changed |= !is_same;
        *cell = Cell { value, is_there };
    }

    /// Begins a mode anew: everything in its region, and what its guards are made of, forgets; local time begins now.
    pub(crate) fn enter(&mut self, plan: &Plan<'_>, mode: &Mode, now: Moment) {
        let graph = plan.graph;
        let is_inside = |region: RegionId| {
            let mut own = std::iter::once(mode.region).chain(mode.leaving);
            own.any(|outer| graph.is_within(region, outer))
        };
        for (place, begin) in self.begins.iter_mut().enumerate() {
            if is_inside(RegionId(place as u32)) {
                *begin = now;
            }
        }
        for signal in 0..plan.signal_count() {
            if is_inside(RegionId(plan.region_of(signal as u32))) {
                self.initialise(plan, signal);
            }
        }
        for (modal, mode) in graph.modals().iter().zip(&mut self.modes) {
            if is_inside(modal.region) {
                *mode = modal.initial.0;
            }
        }
        self.is_changed = true;
    }

    /// The mode a modal model is in.
    pub(crate) fn mode(&self, modal: u32) -> ModeId {
        ModeId(self.modes[modal as usize])
    }

    /// When a timed signal is due next.
    pub(crate) fn due(&self, plan: &Plan<'_>, signal: u32) -> Option<Moment> {
        let begin = self.begins[plan.region_of(signal) as usize];
        let events = self.cells[signal as usize].value;
        let local = match &plan.ops[signal as usize] {
            Op::Clock { period, offset, .. } => {
                Some(Moment::at(*offset).plus(Moment::multiple(events, *period)))
            }
            Op::At(list) => list.get(events as usize).map(|(t, _)| Moment::at(*t)),
            Op::Delay { .. } => self.queues[signal as usize].front().map(|(t, _)| *t),
            _ => None,
        };
        local.map(|local| begin.plus(local))
    }

    /// Lets local time stand still in regions that are not active, from t0 to t1.
    pub(crate) fn pass_time(&mut self, t0: f64, t1: f64, is_active: impl Fn(usize) -> bool) {
        for (region, begin) in self.begins.iter_mut().enumerate() {
            if !is_active(region) {
                *begin = begin.plus(Moment::at(t1).minus(Moment::at(t0)));
            }
        }
    }

    /// Everything that decides what comes next at this instant, as bits.
    pub(crate) fn fingerprint(&self, bits: &mut Vec<u64>) {
        bits.clear();
        for cell in &self.cells {
            bits.push(cell.value.to_bits());
            bits.push(u64::from(cell.is_there));
        }
        bits.extend(self.modes.iter().map(|m| u64::from(*m)));
        bits.extend(self.queues.iter().map(|q| q.len() as u64));
        for component in &self.components {
            bits.extend(component.x.iter().map(|x| x.to_bits()));
            bits.extend(component.events.iter().map(|(e, _)| u64::from(*e)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_thousand_delays_do_not_drift() {
        for by in [0.1, 1e-3, 0.7, 1.0 / 3.0] {
            let mut now = Moment::default();
            for _ in 0..100_000 {
                now = now.plus(Moment::at(by));
            }
            assert_eq!(now.t, 1e5 * by, "{by}");
            assert_eq!(Moment::multiple(1e5, by), now, "{by}");
        }
    }
}
