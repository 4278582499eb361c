//! Excursions that rounding hides.
//!
//! A `cross` that is on its level and is moved off it (a ball that bounces) is above until it comes back. How high it gets may be less than the rounding of its value: a ball over a floor at 0.3 m is not seen to leave
//! it when it bounces lower than 1e-15 m, and would fall through. So the excursion is not read off the value q but added up from its rate: q(t) − q(a) = ∫ q′, which is exact to rounding of itself
//! however large q is (`rates.rs`). It is above while that is positive, and its event is where it is 0 again.
//!
//! What ends within [`ROUNDINGS`] roundings of the time cannot be told from none: where the events of this `cross` came closer and closer before, they accumulate here (`zeno.rs`); else it started on its level.
//!
//! # Guarantee
//! To tolerance, for values whose rate is known: not for those of components and tables.

use crate::flow::state_register;
use crate::locate::Side;
use crate::program::TIME;
use crate::solver::Solver;
use crate::work::Passage;
use dyverse_flow::{Beginning, Crossing, CrossingSearch, simultaneous_until};

/// Roundings of a time that cannot be told apart.
pub(crate) const ROUNDINGS: f64 = 64.0 * f64::EPSILON;
/// An excursion that is higher than so many roundings is seen well enough.
const HIGH: f64 = 1e4;

/// Where an excursion ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Back {
    At(f64),
    /// After so short a time that it cannot be told apart.
    AtOnce(f64),
}

impl Side {
    /// Whether it stands on its level and an instant has just moved it.
    pub(crate) fn may_be_off(&self) -> bool {
        self.is_on && self.is_fresh && !self.is_switch && self.tolerance <= 0.0
    }
}

/// Times after `t` in a step to `b` that cannot be told from it.
pub(crate) fn told_from(t: f64, b: f64) -> f64 {
    ROUNDINGS * t.abs().max(b - t)
}

impl Solver {
    /// Where a side that is on its level at the start of the last step, and leaves it upwards, is back; `found` is where its value shows that. Nothing if it leaves downwards, or that is seen
    /// well enough.
    pub(crate) fn back_from_excursion(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        side: &Side,
        (a, b): (f64, f64),
        found: Option<f64>,
    ) -> Option<Back> {
        let flow = passage.flow;
        if let Some(t) = found {
            let step = self.integrator.last_step();
            self.work.watch(passage, step, a + 0.5 * (t - a));
            let value = self.work.quantity(flow, side.quantity);
            let height = side.sign * (value - side.level);
            let rounding = side.rounding.max((self.start[side.quantity] - side.level).abs());
            if height > HIGH * rounding {
                return None;
            }
        }
        let register = flow.watches.get(side.quantity)?.register as usize;
        let mut rates: Vec<f64> = Vec::new();
        let mut slope: Vec<f64> = Vec::new();
        let step = self.integrator.last_step().clone();
        let mut x = vec![0.0; step.dimension()];
        let mut rate = |solver: &mut Solver, t: f64| {
            step.evaluate(t, &mut x);
            slope.clear();
            slope.resize(x.len(), 0.0);
            if solver.work.slope(passage, (t, &x), &mut slope).is_err() {
                return f64::NAN;
            }
            solver.work.watch_state(passage, (t, &x));
            rates.clear();
            rates.resize(solver.work.registers.len(), 0.0);
            rates[TIME as usize] = 1.0;
            for (i, slope) in slope.iter().enumerate().take(flow.integrators.len()) {
                rates[state_register(i) as usize] = *slope;
            }
            for (output, _) in flow.components.iter().flat_map(|c| &c.outputs) {
                rates[*output as usize] = f64::NAN;
            }
            flow.program
                .rates(0..flow.watching, &solver.work.registers, &mut rates);
            side.sign * rates[register]
        };
        let begins = rate(self, a);
        if begins.is_nan() || begins <= 0.0 {
            return None;
        }
        let mut search = CrossingSearch::default();
        let turn = search.first(&mut |t| rate(self, t), a, b, Beginning::Above);
        let Crossing::At { t: turn, .. } = turn else {
            return None;
        };
        if turn - a <= told_from(a, b) {
            let soon = simultaneous_until(a).min(b);
            let fall = (begins - rate(self, soon)) / (soon - a);
            return (fall > 0.0).then_some(Back::AtOnce(2.0 * begins / fall));
        }
        let mut above = |t: f64| step.integrate(a, t, |t| rate(self, t));
        match search.first(&mut above, turn, b, Beginning::Above) {
            Crossing::At { t, .. } => Some(Back::At(t)),
            _ => None,
        }
    }
}
