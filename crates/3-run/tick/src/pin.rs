//! States on the levels that were located.
//!
//! Where a step is cut because x came down to 0, x is 0: that is what `x <= 0` waited for, and what `sign(x)`, `floor`, `x < 0` and what sets states see in that instant [SPEC §10, Functions]. The dense
//! output leaves a rounding there. So the state is moved along the flow by the rounding of the time of the event, δ = −d/ḋ, if that puts the located difference d to exactly zero and nothing else happens in that instant. A strict guard
//! (`x < 0`) waits for more than its level, so that its state stays beyond it; a difference that no such move makes zero stays as it is.

use crate::flow::Flow;
use crate::locate::Side;
use crate::met::compared;
use crate::solver::Solver;
use crate::work::Passage;

/// What counts as rounding of a time, part of it.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;
/// Moves that are tried.
const TRIES: usize = 4;
/// States up to which the one is sought that takes what is left: an event must not cost more than the flow.
const MOST_STATES: usize = 64;

impl Solver {
    /// Puts the state at the end of the step that was just cut onto the level of a difference that was located, if that can be done exactly: then a strict guard of it is not met yet. `is_planned`:
    /// something else happens in that instant.
    pub(crate) fn pin(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        found: &[(f64, usize)],
        is_planned: bool,
    ) -> bool {
        let flow = passage.flow;
        let (t, x0) = (self.integrator.t(), self.integrator.x().to_vec());
        self.work.watch_state(passage, (t, &x0));
        let distance = |side: &Side| (self.work.quantity(flow, side.quantity) - side.level).abs();
        let own: Vec<&Side> = found.iter().map(|(_, side)| &self.sides[*side]).collect();
        let is_guard = |side: &&Side| flow.watches.get(side.quantity).is_some() && side.tolerance <= 0.0;
        // A function that switches (sign, floor) has no other way to see its level; a comparison has (`met.rs`).
        let pool = passage.plan.graph.pool();
        let is_compared = |side: &&&Side| {
            let watch = flow.watches.get(side.quantity);
            watch
                .and_then(|watch| watch.node)
                .is_some_and(|node| compared(pool, node).is_some())
        };
        let weak = || own.iter().filter(|side| !side.is_strict);
        let wanted = weak().find(|side| !is_compared(side)).or_else(|| weak().next());
        let Some(wanted) = wanted else {
            return false;
        };
        // A strict guard of something else is a rounding beside it for reasons of its own.
        let is_one = own
            .iter()
            .all(|side| is_guard(side) && (!side.is_strict || distance(side) == distance(wanted)));
        let wanted = (wanted.quantity, wanted.level);
        if !is_one || is_planned {
            return false;
        }
        let mut rates = vec![0.0; x0.len()];
        if self.work.slope(passage, (t, &x0), &mut rates).is_err() {
            return false;
        }
        let Some(x) = self.moved(passage, t, &x0, &rates, wanted) else {
            return false;
        };
        self.work.watch_state(passage, (t, &x));
        self.integrator.correct(&x);
        true
    }

    /// Whether the side of a strict guard is on its level, or not even there, in the state that was last looked at.
    pub(crate) fn still_waits(&self, flow: &Flow, side: usize) -> bool {
        let own = &self.sides[side];
        own.is_strict && own.sign * (self.work.quantity(flow, own.quantity) - own.level) >= 0.0
    }

    /// The state moved along the flow so that a quantity is exactly on its level.
    fn moved(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        t: f64,
        x0: &[f64],
        rates: &[f64],
        (quantity, level): (usize, f64),
    ) -> Option<Vec<f64>> {
        let flow = passage.flow;
        let along = |by: f64| -> Vec<f64> { x0.iter().zip(rates).map(|(x, rate)| x + by * rate).collect() };
        let mut off = |solver: &mut Solver, x: &[f64]| {
            solver.work.watch_state(passage, (t, x));
            solver.work.quantity(flow, quantity) - level
        };
        let mut d = off(self, x0);
        if d == 0.0 {
            return Some(x0.to_vec());
        }
        let far = 1e-6 * t.abs().max(1.0);
        let rate = (off(self, &along(far)) - d) / far;
        let step = self.integrator.last_step();
        // The time of the event is known to rounding.
        let known = ROUNDINGS * (t.abs() + (step.t1() - step.t0()));
        let late = (d / rate).abs();
        if late.is_nan() || late > known {
            return None;
        }
        let mut x = along(-d / rate);
        d = off(self, &x);
        // What is left is taken by the state that the quantity depends on most.
        let slope = |solver: &mut Solver,
                     x: &[f64],
                     d: f64,
                     i: usize,
                     off: &mut dyn FnMut(&mut Solver, &[f64]) -> f64| {
            let by = 1e-6 * (1.0 + x[i].abs());
            let mut beside = x.to_vec();
            beside[i] += by;
            let found = (off(solver, &beside) - d) / by;
            // A state itself, or its opposite, is the rule.
            if (found.abs() - 1.0).abs() < 1e-6 {
                found.signum()
            } else {
                found
            }
        };
        for _ in 0..TRIES {
            if d == 0.0 {
                return Some(x);
            }
            if x.len() > MOST_STATES {
                return None;
            }
            let mut best: Option<(usize, f64)> = None;
            for i in (0..x.len()).filter(|i| rates[*i] != 0.0) {
                let found = slope(self, &x, d, i, &mut off);
                if found.is_finite() && best.is_none_or(|(_, most)| found.abs() > f64::abs(most)) {
                    best = Some((i, found));
                }
            }
            let (i, found) = best.filter(|(_, found)| *found != 0.0)?;
            x[i] -= d / found;
            d = off(self, &x);
        }
        None
    }
}
