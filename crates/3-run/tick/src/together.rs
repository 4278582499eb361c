//! What happens at the same time: crossings, guards, contacts, clocks, delays, inputs and the end of a run [SPEC §10, Simultaneity].
//!
//! # The rule
//! Moments that are predicted are at the same time if they are closer than 1e-12 of max(1, t) ([`simultaneous_until`]), or than what rounding leaves open: a crossing of a quantity that was added up from
//! numbers of size s and passes its level at rate ρ is known to 64 ε s / ρ, taken as 1e-9 of max(1, t) at the most. All that are at the same time as the first happen in one instant, at the
//! last of their moments, so that everything has really happened there: a guard holds, a clock is due. In that instant their order is that of microsteps: all of them are seen at microstep 1.
//!
//! The planned moments (clocks, `at`, delays, inputs that jump or bend, times that components ask for, the end of the run) bound a step of the solver. What is watched is looked at a little beyond
//! them, on the extended polynomial of the step; before there is an instant the flow goes on smoothly.

use crate::cut::Searched;
use crate::flow::Flow;
use crate::locate::off_level;
use crate::solver::Solver;
use crate::work::Passage;
use dyverse_flow::{Beginning, Crossing, simultaneous_until};

/// What rounding leaves open of a value, part of the largest number that it was added up from.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;
/// What it leaves open of a time at the most, part of max(1, t).
pub(crate) const MOST: f64 = 1e-9;
/// A step reaches so many times the simultaneity tolerance, or more: its polynomial can then be extended by it.
const SHORTEST: f64 = 16.0;

/// What is ahead when a step is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    /// Where the step ends at the latest: the last of the planned moments that are at the same time, or the end asked for.
    pub(crate) end: f64,
    /// The first of those moments, if there is one.
    pub(crate) first: Option<f64>,
    /// What is not passed in any case.
    pub(crate) limit: f64,
}

impl Ahead {
    /// A step to an end at which nothing is planned.
    pub(crate) fn until(end: f64) -> Self {
        Ahead {
            end,
            first: None,
            limit: end,
        }
    }

    /// Planned moments after `t0`, and the first of them.
    pub(crate) fn planned(first: f64, moments: impl Iterator<Item = f64>, limit: f64) -> Self {
        let until = simultaneous_until(first);
        let end = moments.filter(|t| *t <= until).fold(first, f64::max);
        Ahead {
            end: end.min(limit),
            first: Some(first),
            limit,
        }
    }

    /// Where a step from `t` is to end: further than it ends, if it is too short to be extended.
    pub(crate) fn target(&self, t: f64) -> f64 {
        if self.first.is_none() {
            return self.end;
        }
        let shortest = SHORTEST * (simultaneous_until(self.end) - self.end);
        self.end.max((t + shortest).min(self.limit))
    }
}

/// What happens in one instant.
pub(crate) struct Group {
    /// When; `None`: nothing that was located, or before the end of the step.
    pub(crate) cut: Option<f64>,
    /// Sides that were located.
    pub(crate) members: Vec<usize>,
}

/// A moment and what is left open of it.
#[derive(Clone, Copy)]
struct Span {
    t: f64,
    slack: f64,
}

impl Solver {
    /// What belongs to the first instant in the last step, or right after it; what is found beyond the step is added.
    pub(crate) fn group(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        searched: &mut Searched,
        ahead: &Ahead,
    ) -> Group {
        (self.open, self.is_beyond) = (0.0, false);
        let step = self.integrator.last_step();
        let (a, b) = (step.t0(), step.t1());
        let planned = ahead.first.filter(|_| b >= ahead.end);
        let earliest = searched.found.iter().map(|f| f.0).chain(planned).reduce(f64::min);
        let Some(earliest) = earliest else {
            return Group {
                cut: None,
                members: Vec::new(),
            };
        };
        let blur = MOST * earliest.abs().max(1.0);
        let mut spans: Vec<(Span, usize)> = Vec::new();
        for (t, side) in &searched.found {
            let slack = if *t <= earliest + 4.0 * blur {
                self.slack(passage, *t, *side)
            } else {
                0.0
            };
            spans.push((Span { t: *t, slack }, *side));
        }
        if earliest + 2.0 * blur >= b {
            for (t, side) in self.right_after(passage, (a, b), ahead.limit, blur) {
                let slack = self.slack(passage, t, side);
                spans.push((Span { t, slack }, side));
                searched.found.push((t, side));
            }
        }
        let fixed = |t: f64| Span { t, slack: 0.0 };
        let all = || {
            let planned = planned.into_iter().flat_map(|first| [fixed(first), fixed(b)]);
            spans.iter().map(|(span, _)| *span).chain(planned)
        };
        let Some(first) = all().min_by(|x, y| x.t.total_cmp(&y.t)) else {
            return Group {
                cut: None,
                members: Vec::new(),
            };
        };
        let until = simultaneous_until(first.t) + first.slack;
        let belongs = |span: &Span| span.t - span.slack <= until;
        let members: Vec<usize> = spans
            .iter()
            .filter(|(span, _)| belongs(span))
            .map(|f| f.1)
            .collect();
        let last = all().filter(belongs).map(|span| span.t).reduce(f64::max);
        // A slack that is bounded says only that it is not known.
        let slacks = all().filter(belongs).map(|span| span.slack);
        self.open = slacks.filter(|slack| *slack < blur).fold(0.0, f64::max);
        Group {
            cut: last.filter(|_| !members.is_empty()),
            members,
        }
    }

    /// What rounding leaves open of the time of an event.
    fn slack(&mut self, passage: &mut Passage<'_, '_, '_>, t: f64, side: usize) -> f64 {
        let step = self.integrator.last_step();
        let size = t.abs().max(1.0);
        let apart = (1e-7 * size).min(0.5 * (t - step.t0()));
        let quantity = self.sides[side].quantity;
        if apart.is_nan() || apart <= 0.0 {
            return 0.0;
        }
        let mut value = |t: f64| {
            self.work.watch(passage, step, t);
            self.work.quantity(passage.flow, quantity)
        };
        let change = (value(t - apart) - value(t)).abs();
        let summed = added_up(passage.flow, &self.work.registers, quantity).max(self.sides[side].level.abs());
        let rounding = ROUNDINGS * summed;
        if rounding == 0.0 {
            return 0.0;
        }
        let slack = rounding * apart / change;
        if slack.is_nan() {
            0.0
        } else {
            slack.min(MOST * size)
        }
    }

    /// Whether something that is watched, other than what was located last, is on its other side at `t`, if the last step goes on as at its end.
    pub(crate) fn turns_before(&mut self, passage: &mut Passage<'_, '_, '_>, t: f64) -> bool {
        let Solver {
            integrator,
            work,
            sides,
            arrival,
            ..
        } = self;
        let (now, mut x) = (integrator.t(), integrator.x().to_vec());
        let mut slopes = vec![0.0; x.len()];
        integrator.last_step().derivative(now, &mut slopes);
        x.iter_mut()
            .zip(&slopes)
            .for_each(|(x, slope)| *x += slope * (t - now));
        work.watch_state(passage, (t, &x));
        let flow = passage.flow;
        sides.iter().any(|side| {
            let of = |value: f64| side.sign * (value - side.level);
            let is_switch = side.is_switch && !side.meets;
            let before = arrival.get(side.quantity).map_or(f64::NAN, |value| of(*value));
            is_switch && before > 0.0 && of(work.quantity(flow, side.quantity)) <= 0.0
        })
    }

    /// Sides that are still to be passed at the end of the step, and are right after it.
    fn right_after(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        (a, b): (f64, f64),
        limit: f64,
        blur: f64,
    ) -> Vec<(f64, usize)> {
        let Solver {
            integrator,
            search,
            work,
            table,
            start,
            sides,
            ..
        } = self;
        let step = integrator.last_step();
        let to = (b + 2.0 * blur).min(b + step.span() / 16.0).min(limit);
        let mut found = Vec::new();
        if to <= b || sides.is_empty() {
            return found;
        }
        work.watch(passage, step, to);
        let flow = passage.flow;
        let then: Vec<f64> = sides
            .iter()
            .map(|side| side.sign * (work.quantity(flow, side.quantity) - side.level))
            .collect();
        for (place, (side, then)) in sides.iter().zip(then).enumerate() {
            let of = |value: f64| side.sign * (value - side.level);
            let now = of(table[side.quantity][4]);
            let has_left =
                !side.is_on || now > of(start[side.quantity]).abs().max(side.rounding) * (1.0 + 1e-6);
            if !(side.tolerance <= 0.0 && now > 0.0 && then <= 0.0 && has_left) {
                continue;
            }
            let mut value = |t: f64| {
                work.watch(passage, step, t);
                work.quantity(flow, side.quantity)
            };
            let mut g = |t: f64| side.sign * (value(t) - side.level);
            if let Crossing::At { t, .. } = search.first(&mut g, b, to, Beginning::Above) {
                let t = if side.is_strict {
                    off_level(side, t, &mut value).min(limit)
                } else {
                    t
                };
                let is_start = side.is_fresh && !side.is_switch && t <= simultaneous_until(a);
                if !is_start {
                    found.push((t, place));
                }
            }
        }
        found
    }
}

/// The largest number that a watched quantity was added up from.
fn added_up(flow: &Flow, registers: &[f64], quantity: usize) -> f64 {
    let watch = flow.watches.get(quantity);
    watch.map_or(0.0, |watch| {
        flow.program.sizes(registers)[watch.register as usize]
    })
}
