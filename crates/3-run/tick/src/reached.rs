//! What is reached in the instant that is about to end [SPEC §10, Simultaneity].
//!
//! What is predicted before an instant is gathered into it (`together.rs`). What is compared only from that instant on was not predicted: guards of modes that are entered in it, comparisons of states that it sets. Ideally
//! such a difference d may be 0 then; rounding leaves it beside 0, and a condition that holds on its level (`y >= 1.82`, `p == q`) would hold a rounding of time later, in an instant of its own.
//!
//! # The rule
//! In an instant in which a mode was entered or a state was set, the d of a guard counts as 0 (`met.rs`) if it is no more than rounding and goes to 0 within what that leaves open of a time, 1e-9 of max(1, t) at the most. A
//! state has the rounding of the largest number that it was, and one that was set in this instant a few of its own; besides, the time of the instant is known to rounding. What is small and stays small (a decay) does not go to 0 so soon, and what goes away from 0 was there
//! before: an equality holds then too, if d is rounding of what is compared. A strict condition (`y > 1.82`) does not hold at 0: it waits until its value is beyond; in an instant for
//! which one has waited nothing is asked.
//!
//! That is asked at each microstep at which numbers are compared that are nearly the same, as time would pass if it was the last; then the microstep is made anew. It is asked of all that is watched when none is left to do;
//! then there is another. What is beside its level by the accuracy of the solver has an instant of its own.

use crate::cut::blur_of;
use crate::flow::{Owner, Watched, state_register};
use crate::met::{Met, compared};
use crate::program::TIME;
use crate::solver::{ROUNDINGS, Solver};
use crate::together::MOST;
use crate::work::Passage;

/// Roundings of a number that was set: what it was computed from is a few times as large, or as many.
const SET: f64 = 8.0;

impl Solver {
    /// Comparisons of guards at the beginning of a flow that count as met from now on, and are not decided so yet. `left` are the cells of all signals where the instant began.
    pub(crate) fn reached(&mut self, passage: &mut Passage<'_, '_, '_>, left: &[f64]) -> Vec<Met> {
        let flow = passage.flow;
        let pool = passage.plan.graph.pool();
        let Solver {
            integrator,
            work,
            largest,
            start,
            open,
            ..
        } = self;
        let t = integrator.t();
        let candidates = flow.watches.iter().zip(start.iter()).filter_map(|(watch, d)| {
            let (Watched::Switch(k), Owner::Modal(_), Some(node)) = (watch.of, watch.owner, watch.node)
            else {
                return None;
            };
            let is_undecided = flow.program.switches[k as usize].of(0.0) != work.frozen[k as usize];
            let is_compared = is_undecided && *d != 0.0 && compared(pool, node).is_some();
            is_compared.then_some((watch, node, *d))
        });
        let candidates: Vec<_> = candidates.collect();
        if candidates.is_empty() {
            return Vec::new();
        }
        let x = integrator.x().to_vec();
        let mut slopes = vec![0.0; x.len()];
        if work.slope(passage, (t, &x), &mut slopes).is_err() {
            return Vec::new();
        }
        let mut rates = vec![0.0; work.registers.len()];
        rates[TIME as usize] = 1.0;
        for (i, _) in flow.integrators.iter().enumerate() {
            rates[state_register(i) as usize] = slopes[i];
        }
        work.watch_state(passage, (t, &x));
        flow.program.rates(0..flow.watching, &work.registers, &mut rates);
        let size_of = |(x, signal): (&f64, &u32)| {
            let before = left.get(*signal as usize).copied();
            let kept = largest.get(*signal as usize).copied();
            match kept.filter(|_| before == Some(*x)) {
                Some(size) => size.max(x.abs()),
                None => SET * x.abs(),
            }
        };
        let own = x.iter().zip(&flow.integrators).map(size_of);
        let blur = blur_of(flow, work, own, ROUNDINGS * t.abs());
        let sizes = flow.program.sizes(&work.registers);
        let soon = MOST * t.abs().max(1.0);
        let reached = candidates.into_iter().filter(|(watch, _, d)| {
            let register = watch.register as usize;
            let rate = rates[register];
            let rounding = blur[register] + *open * rate.abs();
            let is_ahead = d.abs() <= rounding && d * rate < 0.0;
            let is_same = watch.equality.is_some() && d.abs() <= ROUNDINGS * sizes[register];
            (is_ahead || is_same) && d.abs() <= soon * rate.abs()
        });
        reached.map(|(_, node, beyond)| Met { node, beyond }).collect()
    }
}
