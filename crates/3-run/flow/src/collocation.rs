//! Solves the collocation equations of one step: x_i = x₀ + h Σ_j A_ij f(t_j, x_j).
//!
//! # Method
//! Picard iteration in Gauss–Seidel order: node after node the state is formed from the newest slopes and
//! the slope there is renewed. The first guess of the slopes is the previous step's polynomial, extended; without one,
//! the slope of each node is handed on to the nodes after it.
//!
//! δ = max h |f_new − f_old| / (absolute + relative |x|) measures a sweep, θ = δ / δ_before its contraction. θ
//! falls from sweep to sweep (for small h like h/k), so δ·θ bounds what is left. It ends when
//! - δ·θ ≤ [`GOAL`]: converged to rounding for the default tolerances; or
//! - δ ≤ [`NOISE`] and falls no more: converged to the right-hand side's own rounding.
//!
//! It gives up (the caller shortens the step) when θ > [`SLOWEST`] twice, or after `max_sweeps`.
//!
//! # Guarantee
//! To tolerance: on `Converged` the equations hold to about [`NOISE`] tolerances, normally [`GOAL`].

use crate::dense::DenseStep;
use crate::gauss::{NODES, rule};
use crate::options::{FlowCounters, FlowOptions, RightHandSide};

/// Left over at the end, in tolerances: 1e-3 · 1e-13 is below one ulp.
pub(crate) const GOAL: f64 = 1e-3;
/// Largest stagnation taken for rounding, in tolerances.
pub(crate) const NOISE: f64 = 0.1;
/// Contraction above which a sweep is called slow.
pub(crate) const SLOWEST: f64 = 0.7;
/// Contraction that is believed at most: one sweep may be lucky.
pub(crate) const FASTEST: f64 = 0.02;

/// Where a step begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<'a> {
    pub(crate) t: f64,
    pub(crate) x: &'a [f64],
    pub(crate) carry: &'a [f64],
}

/// What counts as accurate enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    pub(crate) options: &'a FlowOptions,
    /// See `Integrator::set_scales`.
    pub(crate) scales: &'a [f64],
    /// See `Integrator::set_floors`.
    pub(crate) floors: &'a [f64],
}

/// How far the absolute tolerance follows a small state down: part of its size.
const FOLLOWING: f64 = 1e-6;
/// Down to what at the least: below about a hundred million of these a number has no digits to follow.
const LEAST: f64 = 1e-300;

impl Limits<'_> {
    /// The tolerance of component i where it is this large.
    pub(crate) fn tolerance(&self, i: usize, size: f64) -> f64 {
        let mut absolute = self.options.absolute * scale_of(self.scales, i);
        if let Some(floor) = self.floors.get(i) {
            absolute = absolute.min(floor.max(FOLLOWING * size).max(LEAST));
        }
        absolute + self.options.relative * size
    }
}

/// The scale of component i.
pub(crate) fn scale_of(scales: &[f64], i: usize) -> f64 {
    if scales.is_empty() {
        1.0
    } else {
        scales[i % scales.len()]
    }
}

/// How the iteration ended.
#[derive(Debug)]
pub(crate) enum Ended<E> {
    Converged { sweeps: usize },
    Slow,
    NotFinite { t: f64, component: usize },
    Failed { t: f64, source: E },
}

/// Memory of the iteration, reused from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collocation {
    /// f at the nodes, node by node.
    pub(crate) slopes: Vec<f64>,
    node: Vec<f64>,
    pub(crate) fresh: Vec<f64>,
    /// Largest |x| seen in the last sweep, per component.
    pub(crate) sizes: Vec<f64>,
    /// Largest h |f_new − f_old| of the last sweep, per component.
    moved: Vec<f64>,
    /// Contraction of the second sweep per unit of time, in the last step that had one.
    rate: Option<f64>,
}

impl Collocation {
    pub(crate) fn resize(&mut self, n: usize) {
        self.slopes.resize(n * NODES, 0.0);
        for list in [&mut self.node, &mut self.fresh, &mut self.sizes, &mut self.moved] {
            list.resize(n, 0.0);
        }
    }

    pub(crate) fn forget(&mut self) {
        self.rate = None;
    }

    /// The state called last, and the largest of each component in the step.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (&f64, &f64)> {
        self.node.iter().zip(&self.sizes)
    }

    /// Room for one state and one slope.
    pub(crate) fn scratch(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.node, &mut self.fresh)
    }

    /// What earlier sweeps saw does not count: a first guess may be anywhere, and tolerances that go with it would accept anything.
    pub(crate) fn begin_sweep(&mut self, start: Start<'_>) {
        for (size, x) in self.sizes.iter_mut().zip(start.x) {
            *size = x.abs();
        }
    }

    /// f of the node placed last, into `fresh`.
    pub(crate) fn call<E>(&mut self, t: f64, rhs: &mut RightHandSide<'_, E>) -> Result<(), E> {
        rhs(t, &self.node, &mut self.fresh)
    }

    pub(crate) fn guess(&mut self, start: Start<'_>, h: f64, before: Option<&DenseStep>) {
        let n = start.x.len();
        match before {
            Some(step) => {
                for (j, slope) in self.slopes.chunks_exact_mut(n.max(1)).enumerate() {
                    step.extend_slope(start.t + h * rule().nodes[j], slope);
                }
            }
            None => self.slopes.fill(0.0),
        }
    }

    /// Iterates on [start.t, start.t + h].
    pub(crate) fn solve<E>(
        &mut self,
        start: Start<'_>,
        h: f64,
        before: Option<&DenseStep>,
        limits: Limits<'_>,
        counters: &mut FlowCounters,
        rhs: &mut RightHandSide<'_, E>,
    ) -> Ended<E> {
        self.guess(start, h, before);
        let mut theta = match (before, self.rate) {
            (Some(_), Some(rate)) => (rate * h).min(1.0),
            _ => 1.0,
        };
        let (mut last, mut slow) = (f64::INFINITY, 0);
        for sweep in 1..=limits.options.max_sweeps {
            counters.sweeps += 1;
            let hand_on = sweep == 1 && before.is_none();
            let delta = match self.sweep(start, h, hand_on, limits, counters, rhs) {
                Ok(delta) => delta,
                Err(ended) => return ended,
            };
            if sweep > 1 {
                theta = (delta / last).clamp(FASTEST, 1.0);
                slow = if theta > SLOWEST { slow + 1 } else { 0 };
            }
            if sweep == 2 {
                self.rate = Some(theta / h);
            }
            if delta * theta <= GOAL || (slow > 0 && delta <= NOISE) {
                return Ended::Converged { sweeps: sweep };
            }
            if slow > 1 {
                return Ended::Slow;
            }
            last = delta;
        }
        Ended::Slow
    }

    /// One sweep over the nodes; the largest change in tolerances.
    fn sweep<E>(
        &mut self,
        start: Start<'_>,
        h: f64,
        hand_on: bool,
        limits: Limits<'_>,
        counters: &mut FlowCounters,
        rhs: &mut RightHandSide<'_, E>,
    ) -> Result<f64, Ended<E>> {
        let n = start.x.len();
        self.begin_sweep(start);
        self.moved.fill(0.0);
        for i in 0..NODES {
            self.place_node(start, h, i);
            let t = start.t + h * rule().nodes[i];
            counters.evaluations += 1;
            self.call(t, rhs).map_err(|source| Ended::Failed { t, source })?;
            if let Some(component) = self.fresh.iter().position(|f| !f.is_finite()) {
                return Err(Ended::NotFinite { t, component });
            }
            for (c, old) in self.slopes[i * n..(i + 1) * n].iter_mut().enumerate() {
                self.moved[c] = self.moved[c].max(h * (self.fresh[c] - *old).abs());
                *old = self.fresh[c];
            }
            if hand_on {
                for later in self.slopes[(i + 1) * n..].chunks_exact_mut(n.max(1)) {
                    later.copy_from_slice(&self.fresh);
                }
            }
        }
        let all = self.moved.iter().zip(&self.sizes).enumerate();
        let delta = all.map(|(c, (moved, size))| moved / limits.tolerance(c, *size));
        Ok(delta.fold(0.0, f64::max))
    }

    /// The state at node i from the present slopes.
    pub(crate) fn place_node(&mut self, start: Start<'_>, h: f64, i: usize) {
        let n = start.x.len();
        self.node.fill(0.0);
        for (j, slope) in self.slopes.chunks_exact(n.max(1)).enumerate() {
            let a = rule().collocation[i][j];
            for (x, f) in self.node.iter_mut().zip(slope) {
                *x += a * f;
            }
        }
        for c in 0..n {
            self.node[c] = start.x[c] + (start.carry[c] + h * self.node[c]);
            self.sizes[c] = self.sizes[c].max(self.node[c].abs());
        }
    }
}
