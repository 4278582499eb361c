//! The polynomial of one accepted step: the state at every moment in it.
//!
//! | mathematics | here                            | meaning                                   |
//! |-------------|---------------------------------|-------------------------------------------|
//! | τ           | (t − t₀)/h                      | place in the step                         |
//! | h b_k       | [`DenseStep::slope_coefficients`] | h x′ = Σ_k h b_k P_k(2τ−1), k < s       |
//! | x(τ)        | [`DenseStep::evaluate`]         | x₀ + Σ_k h b_k Q_k(τ), Q_k = ∫₀^τ P_k      |
//!
//! # Guarantee
//! To tolerance: inside [t₀, t₁] the state is within about the integrator's tolerance of the flow that
//! starts at x₀. `evaluate(t0)` is the start bit for bit, `evaluate(t1)` the start of the next step. The
//! derivative is one order less accurate. Outside [t₀, t₁] the polynomial is merely extended.

use crate::double_double::two_sum;
use crate::gauss::{NODES, legendre, primitives, rule};

/// One step's dense output; owns its polynomial, so it can be cloned and kept.
#[derive(Debug, Default, PartialEq)]
pub struct DenseStep {
    t0: f64,
    t1: f64,
    /// Length the polynomial was made for; t1 − t0 until the step is cut.
    h: f64,
    x0: Vec<f64>,
    /// What rounding took from `x0`.
    carry: Vec<f64>,
    /// h b_k, component by component: s numbers each.
    slopes: Vec<f64>,
}

impl Clone for DenseStep {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Copies without allocating when there is room already.
    fn clone_from(&mut self, source: &Self) {
        (self.t0, self.t1, self.h) = (source.t0, source.t1, source.h);
        self.x0.clone_from(&source.x0);
        self.carry.clone_from(&source.carry);
        self.slopes.clone_from(&source.slopes);
    }
}

impl DenseStep {
    /// Takes over the values of the slope at the nodes (node by node) as a polynomial.
    pub(crate) fn fill(&mut self, (t0, t1): (f64, f64), x0: &[f64], carry: &[f64], slopes_at_nodes: &[f64]) {
        let n = x0.len();
        (self.t0, self.t1, self.h) = (t0, t1, t1 - t0);
        self.x0.clear();
        self.x0.extend_from_slice(x0);
        self.carry.clear();
        self.carry.extend_from_slice(carry);
        self.slopes.clear();
        self.slopes.resize(n * NODES, 0.0);
        let transform = &rule().to_legendre;
        for (i, out) in self.slopes.chunks_exact_mut(NODES).enumerate() {
            for (k, coefficient) in out.iter_mut().enumerate() {
                let at_nodes = slopes_at_nodes.iter().skip(i).step_by(n);
                let sum: f64 = transform[k].iter().zip(at_nodes).map(|(v, f)| v * f).sum();
                *coefficient = self.h * sum;
            }
        }
    }

    /// Number of components of the state.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.x0.len()
    }

    /// Start of the step.
    #[must_use]
    pub fn t0(&self) -> f64 {
        self.t0
    }

    /// End of the step, or where it was cut.
    #[must_use]
    pub fn t1(&self) -> f64 {
        self.t1
    }

    /// State at the start.
    #[must_use]
    pub fn x0(&self) -> &[f64] {
        &self.x0
    }

    fn tau(&self, t: f64) -> f64 {
        if self.h > 0.0 { (t - self.t0) / self.h } else { 0.0 }
    }

    fn coefficients_of(&self, i: usize) -> &[f64] {
        &self.slopes[i * NODES..(i + 1) * NODES]
    }

    /// Writes x(t) into `x`, which must have the step's dimension (surplus places are left alone).
    pub fn evaluate(&self, t: f64, x: &mut [f64]) {
        let q = primitives(self.tau(t));
        for (i, value) in x.iter_mut().take(self.dimension()).enumerate() {
            *value = self.x0[i] + (self.carry[i] + increment(&q, self.coefficients_of(i)));
        }
    }

    /// x(t) as a rounded value and what rounding took from it; both must have the step's dimension.
    ///
    /// # Panics
    /// If they are shorter, like indexing a slice.
    pub fn evaluate_with_carry(&self, t: f64, x: &mut [f64], carry: &mut [f64]) {
        let q = primitives(self.tau(t));
        for i in 0..self.dimension() {
            (x[i], carry[i]) = two_sum(self.x0[i], self.carry[i] + increment(&q, self.coefficients_of(i)));
        }
    }

    /// x_i(t).
    ///
    /// # Panics
    /// If `i` is not below [`dimension`](Self::dimension), like indexing a slice.
    #[must_use]
    pub fn component(&self, i: usize, t: f64) -> f64 {
        let [value] = self.components(i, t);
        value
    }

    /// N components in a row, from `first` on, at t: the polynomials Q_k are evaluated once for all of them.
    ///
    /// # Panics
    /// If there are not so many, like indexing a slice.
    #[must_use]
    pub fn components<const N: usize>(&self, first: usize, t: f64) -> [f64; N] {
        let q = primitives(self.tau(t));
        std::array::from_fn(|n| {
            let i = first + n;
            self.x0[i] + (self.carry[i] + increment(&q, self.coefficients_of(i)))
        })
    }

    /// Writes x′(t) into `dx`: the derivative of the polynomial, no call of the right-hand side.
    pub fn derivative(&self, t: f64, dx: &mut [f64]) {
        let p = legendre::<NODES>(2.0 * self.tau(t) - 1.0);
        for (i, value) in dx.iter_mut().take(self.dimension()).enumerate() {
            *value = increment(&p, self.coefficients_of(i)) / self.h;
        }
    }

    /// h b_k of component `i` for k < s: the slope times the step's full length, in shifted Legendre
    /// polynomials over [t₀, t₀ + [`span`](Self::span)].
    ///
    /// # Panics
    /// If `i` is not below [`dimension`](Self::dimension).
    #[must_use]
    pub fn slope_coefficients(&self, i: usize) -> &[f64] {
        self.coefficients_of(i)
    }

    /// Coefficients of x_i itself in shifted Legendre polynomials of degree 0 … s over
    /// [t₀, t₀ + [`span`](Self::span)].
    ///
    /// # Panics
    /// If `i` is not below [`dimension`](Self::dimension).
    #[must_use]
    pub fn state_coefficients(&self, i: usize) -> [f64; NODES + 1] {
        let b = self.coefficients_of(i);
        let mut a = [0.0; NODES + 1];
        a[0] = self.x0[i] + (self.carry[i] + 0.5 * b[0]);
        a[1] = 0.5 * b[0];
        for k in 1..NODES {
            let part = b[k] / (2.0 * (2 * k + 1) as f64);
            a[k + 1] += part;
            a[k - 1] -= part;
        }
        a
    }

    /// Length of time the polynomial was made for: t₁ − t₀, or more after a cut.
    #[must_use]
    pub fn span(&self) -> f64 {
        self.h
    }

    /// Gives up what lies after `t` (kept inside [t₀, t₁]); the polynomial stays the same.
    pub fn cut(&mut self, t: f64) {
        self.t1 = t.clamp(self.t0, self.t1);
    }

    /// Lets the step end at `t`, an eighth of its length after the end it was made for at the latest: there the polynomial is merely extended.
    pub(crate) fn end_at(&mut self, t: f64) {
        self.t1 = t.clamp(self.t0, self.t0 + 1.125 * self.h);
    }

    /// The same motion as a polynomial over [t₀, t] alone, for t inside the step.
    #[must_use]
    pub fn restricted(&self, t: f64) -> DenseStep {
        let n = self.dimension();
        let mut slopes = vec![0.0; n * NODES];
        for (node, slope) in rule().nodes.iter().zip(slopes.chunks_exact_mut(n.max(1))) {
            self.derivative(self.t0 + (t - self.t0) * node, slope);
        }
        let mut part = DenseStep::default();
        part.fill((self.t0, t), &self.x0, &self.carry, &slopes);
        part
    }

    /// ∫_a^b y(t) dt by Gauss's rule with s nodes, exact for polynomials of degree 2s − 1.
    ///
    /// Meant for a smooth `y` that uses this step, with a and b inside it.
    pub fn integrate(&self, a: f64, b: f64, mut y: impl FnMut(f64) -> f64) -> f64 {
        let rule = rule();
        let sum: f64 = (0..NODES)
            .map(|j| rule.weights[j] * y(a + (b - a) * rule.nodes[j]))
            .sum();
        (b - a) * sum
    }

    /// Writes the extended slope at `t` into `dx`, leaving out coefficients that are only rounding.
    pub(crate) fn extend_slope(&self, t: f64, dx: &mut [f64]) {
        let p = legendre::<NODES>(2.0 * self.tau(t) - 1.0);
        for (i, value) in dx.iter_mut().enumerate() {
            let b = self.coefficients_of(i);
            let floor = ROUNDING * size_of_slope(b);
            let terms = p
                .iter()
                .zip(b)
                .filter(|(_, b)| b.abs() > floor)
                .map(|(p, b)| p * b);
            *value = terms.sum::<f64>() / self.h;
        }
    }
}

/// Legendre coefficients below this part of the largest are rounding: four ulps, measured on constant slopes.
pub(crate) const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The largest coefficient.
pub(crate) fn size_of_slope(b: &[f64]) -> f64 {
    b.iter().fold(0.0, |size: f64, b| size.max(b.abs()))
}

/// Σ_k q_k b_k, small terms first.
fn increment(q: &[f64; NODES], b: &[f64]) -> f64 {
    q.iter().zip(b).rev().map(|(q, b)| q * b).sum()
}
