//! What is reached in the instant that is about to end [SPEC §10, Simultaneity].
//!
//! What is predicted before an instant is gathered into it (`together.rs`). What is compared only from that instant on was not predicted: guards of modes that are entered in it, comparisons of states that it sets. Ideally
//! such a difference d may be 0 then; rounding leaves it beside 0, and a condition that holds on its level (`y >= 1.82`, `p == q`) would hold a rounding of time later, in an instant of its own.
//!
//! # The rule
//! In an instant in which a mode was entered or a state was set, the d of a guard counts as 0 (`met.rs`) if it goes to 0 at the same time: within 1e-12 of max(1, t); or, if d is no more than rounding, within what that
//! leaves open of a time, 1e-9 of max(1, t) at the most. What is small and stays small (a decay) does not go to 0 so soon, and what goes away from 0 was there before: an equality holds then too, if d is rounding of what is
//! compared. A strict condition (`y > 1.82`) does not hold at 0: it waits until its value is beyond.
//!
//! That is asked at each microstep at which numbers are compared that are nearly the same, as time would pass if it was the last; then the microstep is made anew. It is asked of all that is watched when none is left to do;
//! then there is another.

use crate::cut::blur_of;
use crate::flow::{Owner, Watched, state_register};
use crate::met::{Met, compared};
use crate::program::TIME;
use crate::solver::{ROUNDINGS, Solver};
use crate::together::MOST;
use crate::work::Passage;
use dyverse_flow::simultaneous_until;

impl Solver {
    /// Comparisons of guards at the beginning of a flow that count as met from now on, and are not decided so yet.
    pub(crate) fn reached(&mut self, passage: &mut Passage<'_, '_, '_>) -> Vec<Met> {
        let flow = passage.flow;
        self.keep_largest(flow);
        let pool = passage.plan.graph.pool();
        let Solver {
            integrator,
            work,
            largest,
            start,
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
        let blur = blur_of(flow, work, largest, ROUNDINGS * t.abs());
        let sizes = flow.program.sizes(&work.registers);
        let (at_once, soon) = (simultaneous_until(t) - t, MOST * t.abs().max(1.0));
        let reached = candidates.into_iter().filter(|(watch, _, d)| {
            let register = watch.register as usize;
            let (rate, is_rounding) = (rates[register], d.abs() <= blur[register]);
            let within = if is_rounding { soon } else { at_once };
            let is_ahead = d * rate < 0.0;
            let is_same = watch.equality.is_some() && d.abs() <= ROUNDINGS * sizes[register];
            (is_ahead || is_same) && d.abs() <= within * rate.abs()
        });
        reached.map(|(_, node, beyond)| Met { node, beyond }).collect()
    }
}
