//! Solves the collocation equations of one step by Newton's method, for right-hand sides that are stiff.
//!
//! | mathematics       | here                     |
//! |-------------------|--------------------------|
//! | k_i               | `Collocation::slopes`    |
//! | J = ∂f/∂x         | `jacobian`, row by row   |
//! | I − h A ⊗ J       | `nodes`, factored        |
//! | I − h J           | `end`, factored          |
//!
//! # Method
//! Picard's iteration contracts like h∣J∣/k, so it keeps steps as short as the fastest motion that there could be, though nothing moves so. Newton's, with J from differences at the beginning of the step,
//!
//! (I − h A ⊗ J) Δk = f(x₀ + h A k) − k,
//!
//! contracts like the change of J in the step. The rounding of x is multiplied by J in f and divided by it again in Δk, so the slopes are as smooth as the motion. For the same reason a slope that is called at an end of the
//! step is compared with the polynomial's by (I − h J)⁻¹ of their difference: what it does to the state. Steps and their errors are otherwise those of `integrator.rs`; Gauss' methods are A-stable, and a fast motion that is in the way is not
//! damped, but as small as the tolerance.
//!
//! Measured on x′ = −1000 (x − cos t) − sin t until t = 10: 439,855 evaluations by Picard's iteration alone, 3,054 with this; with 10⁷ for 1000, 3,644.
//!
//! # When
//! When the iteration, not the error, kept [`PATIENCE`] steps short. Where steps do not become [`WORTH`] times as long with it, or Picard's iteration would do (h ∣J∣ small), that takes over again; the
//! former with more patience the next time.
//!
//! # Guarantee
//! As `collocation.rs`.

use crate::collocation::{Collocation, Ended, FASTEST, GOAL, Limits, NOISE, SLOWEST, Start, scale_of};
use crate::dense::DenseStep;
use crate::gauss::{NODES, rule};
use crate::integrator::SMALL_STATE;
use crate::options::{FlowCounters, RightHandSide};

/// States of a system at the most: its linear systems have [`NODES`] times as many unknowns.
pub(crate) const MOST_STATES: usize = 40;
/// Steps that are kept short before Newton's method is tried, at first and at the most.
const PATIENCE: usize = 4;
const MOST_PATIENCE: usize = 1 << 14;
/// Steps in a row that are neither kept short by the iteration nor by the error, where it is still in the way.
const MOST_EASY: usize = 3;
/// How much longer its steps must be, after so many of them.
const WORTH: f64 = 8.0;
const TRIED: usize = 6;
/// h ∣J∣ with which Picard's iteration converges well.
const MILD: f64 = 1.0;
/// Iterations before the step is halved, and those above which it is not made longer.
const MOST_ITERATIONS: usize = 24;
pub(crate) const MANY_ITERATIONS: usize = 12;
/// A difference for a derivative: the root of the rounding, of a component's size or of its scale times this.
const DIFFERENCE: f64 = 1.49e-8;
/// Products with J that tell its size.
const PRODUCTS: usize = 6;

/// The method that solves the next steps, and its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    jacobian: Vec<f64>,
    nodes: Factored,
    end: Factored,
    change: Vec<f64>,
    /// Steps that Picard's iteration kept short, and those since the last of them that it did not.
    kept_short: (usize, usize),
    /// Times [`PATIENCE`].
    patience: usize,
    /// Since when it solves: how long the last step without it was, and how many it made.
    solves: Option<(f64, usize)>,
}

impl Newton {
    /// Another problem.
    pub(crate) fn forget(&mut self) {
        (self.kept_short, self.patience, self.solves) = ((0, 0), 1, None);
    }

    /// Whether it is to solve the next step.
    pub(crate) fn solves(&self) -> bool {
        self.solves.is_some()
    }

    /// A step of Picard's iteration was made: whether its error kept it short, or else the iteration. What is stiff alternates: a step that converges well is followed by one too long.
    pub(crate) fn note_plain(&mut self, span: f64, states: usize, by_error: bool, was_hard: bool) {
        let (short, easy) = self.kept_short;
        self.kept_short = match (by_error, was_hard) {
            (false, true) => (short + 1, 0),
            (false, false) if easy < MOST_EASY => (short, easy + 1),
            _ => (0, 0),
        };
        if self.kept_short.0 >= PATIENCE * self.patience.max(1) && states <= MOST_STATES {
            (self.kept_short, self.solves) = ((0, 0), Some((span, 0)));
        }
    }

    /// A step was made by it. Gives the length of step to go on with, where Picard's iteration takes over.
    pub(crate) fn note_own(&mut self, span: f64) -> Option<f64> {
        let (before, made) = self.solves.as_mut()?;
        *made += 1;
        let (before, made) = (*before, *made);
        if span * self.size_of_jacobian() < MILD && made > 1 {
            self.forget();
            return Some(span);
        }
        (made >= TRIED && span < WORTH * before).then(|| self.give_up(before))
    }

    /// A step of a length could not be made by it. Gives the length to go on with, if it is not worth more tries.
    pub(crate) fn note_failure(&mut self, span: f64) -> Option<f64> {
        let (before, _) = self.solves?;
        (span < before).then(|| self.give_up(before))
    }

    /// Picard's iteration takes over, if this one solves. Gives the length to go on with.
    pub(crate) fn yields(&mut self) -> Option<f64> {
        let (before, _) = self.solves?;
        Some(self.give_up(before))
    }

    fn give_up(&mut self, before: f64) -> f64 {
        let patience = (4 * self.patience.max(1)).min(MOST_PATIENCE);
        self.forget();
        self.patience = patience;
        before
    }

    /// About the largest ∣eigenvalue∣ of J, by products with a generic vector.
    fn size_of_jacobian(&self) -> f64 {
        let n = self.end.size;
        let mut v: Vec<f64> = (0..n).map(|i| 1.0 + 0.1 * (i % 7) as f64).collect();
        let size = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let mut found = 0.0;
        for _ in 0..PRODUCTS {
            let before = size(&v);
            let rows = self.jacobian.chunks_exact(n.max(1));
            let next: Vec<f64> = rows
                .map(|row| row.iter().zip(&v).map(|(j, v)| j * v).sum())
                .collect();
            let after = size(&next);
            if !(after > 0.0 && before > 0.0) {
                return 0.0;
            }
            found = after / before;
            v = next.into_iter().map(|v| v / after).collect();
        }
        found
    }

    /// (I − h J)⁻¹ of what a slope at an end of the step is off by.
    pub(crate) fn filter(&self, surprise: &mut [f64]) {
        self.end.solve(surprise);
    }

    /// J at the beginning of a step, the slope there being known, and the factors for its length.
    fn prepare<E>(
        &mut self,
        collocation: &mut Collocation,
        start: Start<'_>,
        (h, slope): (f64, &[f64]),
        limits: Limits<'_>,
        (counters, rhs): (&mut FlowCounters, &mut RightHandSide<'_, E>),
    ) -> Result<bool, Ended<E>> {
        let n = start.x.len();
        self.jacobian.resize(n * n, 0.0);
        let (x, fresh) = collocation.scratch();
        x.copy_from_slice(start.x);
        for c in 0..n {
            let size = start.x[c].abs().max(SMALL_STATE * scale_of(limits.scales, c));
            x[c] = start.x[c] + DIFFERENCE * size;
            let difference = x[c] - start.x[c];
            counters.evaluations += 1;
            rhs(start.t, x, fresh).map_err(|source| Ended::Failed { t: start.t, source })?;
            for (row, (f, f0)) in fresh.iter().zip(slope).enumerate() {
                self.jacobian[row * n + c] = (f - f0) / difference;
            }
            x[c] = start.x[c];
        }
        if let Some(place) = self.jacobian.iter().position(|j| !j.is_finite()) {
            let component = place / n.max(1);
            return Err(Ended::NotFinite {
                t: start.t,
                component,
            });
        }
        let j = &self.jacobian;
        let delta = |a: usize, b: usize| f64::from(u8::from(a == b));
        let at_nodes = |row: usize, column: usize| {
            let (i, r, k, c) = (row / n, row % n, column / n, column % n);
            delta(row, column) - h * rule().collocation[i][k] * j[r * n + c]
        };
        let is_nodes = self.nodes.factor(NODES * n, at_nodes);
        let is_end = self.end.factor(n, |r, c| delta(r, c) - h * j[r * n + c]);
        Ok(is_nodes && is_end)
    }

    /// Iterates on [start.t, start.t + h]; `slope` is f at the start.
    pub(crate) fn solve<E>(
        &mut self,
        collocation: &mut Collocation,
        start: Start<'_>,
        (h, slope): (f64, &[f64]),
        before: Option<&DenseStep>,
        limits: Limits<'_>,
        (counters, rhs): (&mut FlowCounters, &mut RightHandSide<'_, E>),
    ) -> Ended<E> {
        let n = start.x.len();
        match self.prepare(
            collocation,
            start,
            (h, slope),
            limits,
            (&mut *counters, &mut *rhs),
        ) {
            Ok(true) => {}
            Ok(false) => return Ended::Slow,
            Err(ended) => return ended,
        }
        // A polynomial that is extended far is no guess.
        let before = before.filter(|step| h <= 1.5 * step.span());
        collocation.guess(start, h, before);
        if before.is_none() {
            let nodes = collocation.slopes.chunks_exact_mut(n.max(1));
            nodes.for_each(|node| node.copy_from_slice(slope));
        }
        let (mut last, mut theta, mut slow) = (f64::INFINITY, 1.0, 0);
        for iteration in 1..=MOST_ITERATIONS {
            counters.sweeps += 1;
            self.change.clear();
            collocation.begin_sweep(start);
            for i in 0..NODES {
                collocation.place_node(start, h, i);
                let t = start.t + h * rule().nodes[i];
                counters.evaluations += 1;
                let called = collocation.call(t, rhs);
                if let Err(source) = called {
                    return Ended::Failed { t, source };
                }
                if let Some(component) = collocation.fresh.iter().position(|f| !f.is_finite()) {
                    return Ended::NotFinite { t, component };
                }
                let slopes = &collocation.slopes[i * n..(i + 1) * n];
                let off = collocation.fresh.iter().zip(slopes).map(|(f, k)| f - k);
                self.change.extend(off);
            }
            self.nodes.solve(&mut self.change);
            let mut delta = 0.0_f64;
            for (place, (k, change)) in collocation.slopes.iter_mut().zip(&self.change).enumerate() {
                *k += change;
                let c = place % n;
                delta = delta.max(h * change.abs() / limits.tolerance(c, collocation.sizes[c]));
            }
            if iteration > 1 {
                theta = (delta / last).clamp(FASTEST, 1.0);
                slow = if theta > SLOWEST { slow + 1 } else { 0 };
            }
            if delta * theta <= GOAL || (slow > 0 && delta <= NOISE) {
                return Ended::Converged { sweeps: iteration };
            }
            if slow > 1 || !delta.is_finite() {
                return Ended::Slow;
            }
            last = delta;
        }
        Ended::Slow
    }
}

/// The factors of a square matrix, rows exchanged.
#[derive(Clone, Debug, Default)]
struct Factored {
    size: usize,
    entries: Vec<f64>,
    order: Vec<usize>,
}

impl Factored {
    /// Gauss' elimination with the largest pivot of each column; false if there is none.
    fn factor(&mut self, size: usize, entry: impl Fn(usize, usize) -> f64) -> bool {
        self.size = size;
        self.entries.clear();
        self.entries
            .extend((0..size * size).map(|place| entry(place / size, place % size)));
        self.order.clear();
        self.order.extend(0..size);
        for k in 0..size {
            let below = (k..size).map(|row| self.entries[row * size + k].abs());
            let (mut largest, mut pivot) = (0.0, k);
            for (row, value) in (k..size).zip(below) {
                if value > largest {
                    (largest, pivot) = (value, row);
                }
            }
            if !(largest > 0.0 && largest.is_finite()) {
                return false;
            }
            if pivot != k {
                let (low, high) = self.entries.split_at_mut(pivot * size);
                low[k * size..(k + 1) * size].swap_with_slice(&mut high[..size]);
                self.order.swap(k, pivot);
            }
            let (above, rest) = self.entries.split_at_mut((k + 1) * size);
            let upper = &above[k * size..];
            for row in rest.chunks_exact_mut(size) {
                let factor = row[k] / upper[k];
                if factor != 0.0 {
                    let own = row[k + 1..].iter_mut().zip(&upper[k + 1..]);
                    own.for_each(|(a, u)| *a -= factor * u);
                }
                row[k] = factor;
            }
        }
        true
    }

    /// Replaces b by the solution.
    fn solve(&self, b: &mut [f64]) {
        let n = self.size;
        let mut x: Vec<f64> = self.order.iter().map(|place| b[*place]).collect();
        for i in 0..n {
            let row = &self.entries[i * n..i * n + i];
            x[i] -= row.iter().zip(&x).map(|(l, x)| l * x).sum::<f64>();
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n + i + 1..(i + 1) * n];
            let sum: f64 = row.iter().zip(&x[i + 1..]).map(|(u, x)| u * x).sum();
            x[i] = (x[i] - sum) / self.entries[i * n + i];
        }
        b.copy_from_slice(&x);
    }
}
