//! Where a value stops being a finite number while time passes: the run ends there, and says which signal it is.
//!
//! # Method
//! All signals are evaluated at the five points of a step (`locate.rs`). Where one is no finite number there, the first such moment is found by bisection.
//!
//! A value may be none only for a moment, between the points, or even only at one time that no double hits: 0/0, a pole. So the ends of functions are watched (`compile.rs` lists them):
//!
//! | function | its argument | located | judged by |
//! |---|---|---|---|
//! | √a, ln a, aᵇ | a ≥ 0 | where a is [`BEYOND`] below, so that rounding is none | the values there |
//! | asin a, acos a | \|a\| ≤ 1 | likewise | the values there |
//! | a/b, b⁻ⁿ, aᵇ | each factor of the divisor is not 0 | where it is 0 or changes its sign, or comes as near as rounding | the values with that factor 0 |
//! | tan a | cos a is not 0 | likewise | the values with no number for it |
//!
//! An end counts if a signal, a derivative or a watched quantity is no finite number there with all decisions taken anew: `if x > 0 then sin(x)/x else 1` has none. If a decision turns at
//! the same moment (to the simultaneity tolerance), that comes first.
//!
//! A watched quantity counts where it is used (`used.rs`). An operand that its operator does not take (`a on e` where e is absent) need not be a number: nobody sees it ([`is_idle`]).
//!
//! # Guarantee
//! To tolerance, as crossings are. What is not listed (overflow, tables, components) is seen at the points of steps.

use crate::flow::{Bound, Domain, Flow, Forced, Owner};
use crate::frame::Frame;
use crate::plan::{Op, Plan};
use crate::solver::{ROUNDINGS, Solver};
use crate::used;
use crate::work::{Passage, Work};
use dyverse_flow::{
    Beginning, CLEAR_POINTS, Crossing, CrossingOptions, CrossingSearch, is_clear, simultaneous_until,
};
use dyverse_trace::StopReason;

/// How far beyond its bound an argument must be, in its unit: the accuracy of a state.
const BEYOND: f64 = 1e-12;
/// What ends within so much of max(1, t) after the first is named with it.
const NAMED_WITH_IT: f64 = 1e-9;
/// Names in a message.
const MOST_NAMED: usize = 8;

/// What is no finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Culprit {
    Signal(u32),
    /// The derivative of an integrator.
    Derivative(u32),
    /// A watched quantity of a guard.
    Guard(u32),
}

/// Where something ends.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) t: f64,
    /// What is 0 there.
    pub(crate) forced: Option<Forced>,
    pub(crate) culprits: Vec<Culprit>,
}

impl Solver {
    /// The first moment of the last step at which something is no finite number; `ends` is the first of the step's points at which that is seen.
    pub(crate) fn first_end(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        ends: Option<usize>,
    ) -> Option<End> {
        let step = self.integrator.last_step().clone();
        let (a, b) = (step.t0(), step.t1());
        let mut found: Vec<End> = Vec::new();
        if let Some(place) = ends {
            let point = |place: usize| {
                if place == 4 {
                    b
                } else {
                    a + CLEAR_POINTS[place] * (b - a)
                }
            };
            found.extend(self.bisect(passage, point(place - 1), point(place)));
        }
        for place in 0..self.domains.len() {
            let domain = passage.flow.domains[place];
            let points = self.domains[place];
            let until = found.iter().fold(b, |until, end| until.min(end.t));
            let Some(t) = self.first_beyond(passage, domain, points, (a, until)) else {
                continue;
            };
            let forced = match domain.bound {
                Bound::NotZero(forced) => Some(forced),
                _ => None,
            };
            let culprits = self.culprits(passage, t, forced);
            if !culprits.is_empty() {
                found.push(End { t, forced, culprits });
            }
        }
        let mut first = found.iter().min_by(|x, y| x.t.total_cmp(&y.t))?.clone();
        let until = first.t + NAMED_WITH_IT * first.t.abs().max(1.0);
        let together = found.iter().filter(|end| end.t <= until);
        first.culprits = together.flat_map(|end| end.culprits.iter().copied()).collect();
        // What ends right after it, without having been searched that far.
        first
            .culprits
            .extend(self.culprits(passage, simultaneous_until(first.t).min(b), None));
        first.culprits.sort_unstable();
        first.culprits.dedup();
        Some(first)
    }

    /// The first moment in (from, to] at which something is no finite number, if it is not at the first and is at the last.
    fn bisect(&mut self, passage: &mut Passage<'_, '_, '_>, from: f64, to: f64) -> Option<End> {
        let mut last = self.culprits(passage, to, None);
        if last.is_empty() {
            return None;
        }
        let (mut low, mut high) = (from, to);
        loop {
            let middle = 0.5 * (low + high);
            if !(low < middle && middle < high) {
                break;
            }
            let culprits = self.culprits(passage, middle, None);
            if culprits.is_empty() {
                low = middle;
            } else {
                (high, last) = (middle, culprits);
            }
        }
        Some(End {
            t: high,
            forced: None,
            culprits: last,
        })
    }

    /// Where an argument leaves its bound.
    fn first_beyond(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        domain: Domain,
        points: [f64; 5],
        (a, b): (f64, f64),
    ) -> Option<f64> {
        let (sign, level) = match domain.bound {
            Bound::AtLeast(level) => (1.0, level),
            Bound::AtMost(level) => (-1.0, level),
            Bound::NotZero(_) => (if points[0] < 0.0 { -1.0 } else { 1.0 }, 0.0),
        };
        let inside = points.map(|v| sign * (v - level));
        if is_clear(inside) {
            return None;
        }
        let is_zero = matches!(domain.bound, Bound::NotZero(_));
        let rounding = ROUNDINGS * self.sizes(passage.flow)[domain.register as usize];
        let lift = if is_zero { 0.0 } else { BEYOND.max(rounding) };
        if inside[0] + lift <= 0.0 {
            // It is beyond already, and the tick found nothing wrong.
            return None;
        }
        let mut search = CrossingSearch::new(CrossingOptions {
            grazing: is_zero.then_some(rounding),
            ..CrossingOptions::default()
        });
        let Solver { integrator, work, .. } = self;
        let step = integrator.last_step();
        let mut value = |t: f64| {
            work.look(passage, step, t);
            sign * (work.registers[domain.register as usize] - level) + lift
        };
        match search.first(&mut value, a, b, Beginning::Above) {
            Crossing::At { t, .. } | Crossing::Grazing { t, .. } => Some(t),
            _ => None,
        }
    }

    /// What is no finite number at a moment of the last step, with all decisions taken anew.
    pub(crate) fn culprits(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        t: f64,
        forced: Option<Forced>,
    ) -> Vec<Culprit> {
        let Solver { integrator, work, .. } = self;
        let step = integrator.last_step();
        let mut x = std::mem::take(&mut work.x);
        x.resize(step.dimension(), 0.0);
        step.evaluate(t, &mut x);
        work.evaluate_anew(passage, (t, &x), forced);
        work.x = x;
        culprits_of(passage, work)
    }

    /// Why the solver cannot go on from where it is, if a pole is right ahead.
    pub(crate) fn limit_ahead(&mut self, passage: &mut Passage<'_, '_, '_>) -> Option<StopReason> {
        let flow = passage.flow;
        let (t, x) = (self.integrator.t(), self.integrator.x().to_vec());
        let soon = NAMED_WITH_IT * t.abs().max(1.0);
        let step = self.integrator.last_step().clone();
        if step.t1() == t && step.t0() < t && step.dimension() == x.len() {
            let arguments = |work: &Work| -> Vec<f64> {
                let domains = flow.domains.iter();
                domains.map(|d| work.registers[d.register as usize]).collect()
            };
            self.work.look(passage, &step, step.t0());
            let before = arguments(&self.work);
            self.work.look(passage, &step, t);
            let now = arguments(&self.work);
            for ((domain, before), now) in flow.domains.iter().zip(before).zip(now) {
                let Bound::NotZero(forced) = domain.bound else {
                    continue;
                };
                let ahead = now * (t - step.t0()) / (before - now);
                if (0.0..=soon).contains(&ahead) {
                    self.work.evaluate_anew(passage, (t, &x), Some(forced));
                    let culprits = culprits_of(passage, &self.work);
                    if !culprits.is_empty() {
                        return Some(not_finite(passage.plan, &culprits));
                    }
                }
            }
        }
        None
    }
}

/// What is no finite number in the registers, where it begins: what only reads such signals is left out.
fn culprits_of(passage: &Passage<'_, '_, '_>, work: &Work) -> Vec<Culprit> {
    let flow = passage.flow;
    let is_bad = |r: u32| !work.registers[r as usize].is_finite();
    let bad: Vec<u32> = flow
        .signals
        .iter()
        .filter(|(_, r)| is_bad(*r))
        .map(|(s, _)| *s)
        .collect();
    let mut culprits: Vec<Culprit> = begins(passage.plan, &bad)
        .into_iter()
        .map(Culprit::Signal)
        .collect();
    if !culprits.is_empty() {
        return culprits;
    }
    let derivatives = flow.integrators.iter().zip(&flow.derivatives);
    let bad = derivatives.filter(|(_, r)| r.is_some_and(is_bad));
    culprits.extend(bad.map(|(s, _)| Culprit::Derivative(*s)));
    for place in used::not_finite(flow, &work.registers) {
        match flow.watches[place].owner {
            Owner::Signal(s) => culprits.push(Culprit::Signal(s)),
            Owner::Modal(m) => culprits.push(Culprit::Guard(m)),
            Owner::Component(_) => {}
        }
    }
    culprits
}

/// Those of the signals that read none of the others.
fn begins(plan: &Plan<'_>, bad: &[u32]) -> Vec<u32> {
    let is_bad = |s: &u32| bad.binary_search(s).is_ok();
    let reads_bad = |s: &&u32| match &plan.ops[**s as usize] {
        Op::Expression(formula) => formula.signals.iter().any(is_bad),
        Op::Default(x, y) => is_bad(x) || is_bad(y),
        Op::Inhibit { value, .. } | Op::Sample { value, .. } | Op::Hold { value, .. } => is_bad(value),
        Op::Merge(of) => of.iter().any(is_bad),
        _ => false,
    };
    let first: Vec<u32> = bad.iter().filter(|s| !reads_bad(s)).copied().collect();
    if first.is_empty() { bad.to_vec() } else { first }
}

/// The reason to stop.
pub(crate) fn not_finite(plan: &Plan<'_>, culprits: &[Culprit]) -> StopReason {
    let signals = plan.graph.signals();
    let is_named = |culprit: &&Culprit| match culprit {
        Culprit::Signal(s) | Culprit::Derivative(s) => signals[*s as usize].is_named(),
        Culprit::Guard(_) => true,
    };
    let has_named = culprits.iter().any(|c| is_named(&c));
    let mut names: Vec<String> = culprits
        .iter()
        .filter(|c| !has_named || is_named(c))
        .map(|culprit| match culprit {
            Culprit::Signal(s) => format!("`{}`", signals[*s as usize].label()),
            Culprit::Derivative(s) => format!("the derivative of `{}`", signals[*s as usize].label()),
            Culprit::Guard(m) => format!(
                "what a guard of `{}` reads",
                plan.graph.modals()[*m as usize].name
            ),
        })
        .collect();
    names.dedup();
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    let what = match names.as_slice() {
        [one] => one.clone(),
        several => format!("each of {}", several.join(", ")),
    };
    StopReason::NotFinite { what }
}

/// A reason to stop if a signal is present at a tick and no finite number.
pub(crate) fn check_tick(plan: &Plan<'_>, frame: &Frame) -> Option<StopReason> {
    let is_bad = |s: &u32| {
        frame.is_present(*s as usize) && !frame.value[*s as usize].is_finite() && !is_idle(plan, frame, *s)
    };
    let bad: Vec<u32> = (0..plan.signal_count() as u32).filter(is_bad).collect();
    if bad.is_empty() {
        return None;
    }
    let culprits: Vec<Culprit> = begins(plan, &bad).into_iter().map(Culprit::Signal).collect();
    Some(not_finite(plan, &culprits))
}

/// Whether a signal is only the operand of an operator that does not take it at this moment, or whose own value is not taken.
pub(crate) fn is_idle(plan: &Plan<'_>, frame: &Frame, signal: u32) -> bool {
    let mut operand = signal;
    while let Some(gate) = plan.gates[operand as usize] {
        let is_taken = match plan.ops[gate as usize] {
            Op::Sample { trigger, .. } => frame.is_present(trigger as usize),
            Op::Inhibit { inhibit, .. } => !frame.is_present(inhibit as usize),
            Op::Default(first, _) => !frame.is_present(first as usize),
            _ => true,
        };
        if !is_taken {
            return true;
        }
        operand = gate;
    }
    false
}

/// Whether all signals and watched quantities in the registers are finite numbers.
pub(crate) fn is_all_finite(flow: &Flow, work: &Work) -> bool {
    let is_finite = |r: u32| work.registers[r as usize].is_finite();
    flow.signals.iter().all(|(_, r)| is_finite(*r)) && used::not_finite(flow, &work.registers).is_empty()
}
