//! Gauss–Legendre nodes, weights and collocation matrices on [0, 1], computed once.
//!
//! | mathematics                 | here                | meaning                                        |
//! |-----------------------------|---------------------|------------------------------------------------|
//! | s                           | [`NODES`]           | number of nodes                                |
//! | c_j, w_j                    | `nodes`, `weights`  | nodes in (0, 1), weights with Σ w_j = 1        |
//! | P_k(2τ−1)                   | [`legendre`]        | shifted Legendre polynomial                    |
//! | Q_k(τ) = ∫₀^τ P_k           | [`primitives`]      | −2τ(1−τ) P_k′ / (k(k+1)), Q_0 = τ              |
//! | A_ij = ∫₀^{c_i} ℓ_j         | `collocation`       | ℓ_j: Lagrange polynomial of node j             |
//! | V_kj = (2k+1) w_j P_k(c_j)  | `to_legendre`       | values at the nodes → coefficients             |
//!
//! # Method
//! Roots of P_s are bracketed on a grid, bisected, and polished by Newton's method in 32 digits; the tables
//! are formed in 32 digits and rounded once. V is exact for degree < s by discrete orthogonality, and
//! A = Σ_k Q_k(c_i) V_kj (Hairer, Nørsett, Wanner: Solving ordinary differential equations I, II.7).
//!
//! # Guarantee
//! To tolerance: every table entry is a correctly rounded double up to one ulp, the same on every platform
//! (only +, −, ×, ÷ and fused multiply-add are used).

use crate::double_double::DoubleDouble;
use std::sync::OnceLock;

/// Number of collocation nodes, s: the dense output has degree s, the step's end order 2s.
///
/// Chosen by measurement, see the header of `integrator.rs`.
pub const NODES: usize = 12;

/// Grid cells on which the roots of P_s are bracketed; their distance is above 1/s².
const BRACKETS: usize = 400;
/// Grid cells on which the peak of Q_s is looked for.
const GRID: usize = 4000;

/// The tables of one Gauss rule.
#[derive(Debug)]
pub(crate) struct GaussRule {
    pub(crate) nodes: [f64; NODES],
    pub(crate) weights: [f64; NODES],
    pub(crate) collocation: [[f64; NODES]; NODES],
    pub(crate) to_legendre: [[f64; NODES]; NODES],
    /// max over [0, 1] of |Q_s|: what a unit coefficient left out does to the state.
    pub(crate) peak: f64,
}

/// The rule, computed at the first call.
pub(crate) fn rule() -> &'static GaussRule {
    static RULE: OnceLock<GaussRule> = OnceLock::new();
    RULE.get_or_init(GaussRule::compute)
}

/// P_0 … P_{N−1} at u = 2τ − 1, by the three-term recurrence.
#[must_use]
pub fn legendre<const N: usize>(u: f64) -> [f64; N] {
    let mut p = [1.0; N];
    if N > 1 {
        p[1] = u;
    }
    for k in 2..N {
        let (m, n) = ((k - 1) as f64, k as f64);
        p[k] = ((m + n) * u * p[k - 1] - m * p[k - 2]) / n;
    }
    p
}

/// Q_0 … Q_{s−1} at τ: Q_k = −2 τ (1 − τ) P_k′(2τ − 1) / (k (k + 1)). The differences (P_{k+1} − P_{k−1}) / (4k + 2) are the same, but wrong by a rounding of 1 near τ = 0,
/// where what happens right after the start of a long step is looked for.
pub(crate) fn primitives(tau: f64) -> [f64; NODES] {
    let p = legendre::<NODES>(2.0 * tau - 1.0);
    let both = -2.0 * tau * (1.0 - tau);
    let mut slopes = [0.0; NODES + 1];
    slopes[1] = 1.0;
    let mut q = [tau; NODES];
    for k in 1..NODES {
        slopes[k + 1] = slopes[k - 1] + (2 * k + 1) as f64 * p[k];
        q[k] = both * slopes[k] / (k * (k + 1)) as f64;
    }
    q
}

/// P_0 … P_s at u in 32 digits.
fn legendre_exact(u: DoubleDouble) -> [DoubleDouble; NODES + 1] {
    let mut p = [DoubleDouble::ONE; NODES + 1];
    p[1] = u;
    for k in 2..=NODES {
        let (m, n) = (DoubleDouble::from((k - 1) as f64), DoubleDouble::from(k as f64));
        p[k] = ((m + n) * u * p[k - 1] - m * p[k - 2]) / n;
    }
    p
}

/// P_s′(u) = s (P_{s−1} − u P_s) / (1 − u²).
fn slope_of_last(u: DoubleDouble, p: &[DoubleDouble; NODES + 1]) -> DoubleDouble {
    DoubleDouble::from(NODES as f64) * (p[NODES - 1] - u * p[NODES]) / (DoubleDouble::ONE - u * u)
}

/// The root of P_s between two doubles where it changes sign.
fn polish_root(mut lo: f64, mut hi: f64) -> DoubleDouble {
    let last = |u: f64| legendre::<{ NODES + 1 }>(u)[NODES];
    let rising = last(lo) < 0.0;
    for _ in 0..50 {
        let mid = 0.5 * (lo + hi);
        if (last(mid) < 0.0) == rising {
            lo = mid
        } else {
            hi = mid
        }
    }
    let mut u = DoubleDouble::from(lo);
    for _ in 0..3 {
        let p = legendre_exact(u);
        u = u - p[NODES] / slope_of_last(u, &p);
    }
    u
}

/// The roots of P_s, ascending.
fn roots() -> [DoubleDouble; NODES] {
    let mut roots = [DoubleDouble::ZERO; NODES];
    let at = |i: usize| (2 * i) as f64 / BRACKETS as f64 - 1.0 + 1.0 / (3.0 * BRACKETS as f64);
    let last = |u: f64| legendre::<{ NODES + 1 }>(u)[NODES];
    let changes = (0..BRACKETS - 1).filter(|&i| (last(at(i)) < 0.0) != (last(at(i + 1)) < 0.0));
    for (root, i) in roots.iter_mut().zip(changes) {
        *root = polish_root(at(i), at(i + 1));
    }
    roots
}

impl GaussRule {
    #[expect(
        clippy::needless_range_loop,
        reason = "i, j, k are the indices of the formulas above"
    )]
    fn compute() -> Self {
        let mut rule = Self {
            nodes: [0.0; NODES],
            weights: [0.0; NODES],
            collocation: [[0.0; NODES]; NODES],
            to_legendre: [[0.0; NODES]; NODES],
            peak: 0.0,
        };
        let half = DoubleDouble::from(0.5);
        let roots = roots();
        let values = roots.map(legendre_exact);
        let mut exact = [[DoubleDouble::ZERO; NODES]; NODES];
        for j in 0..NODES {
            let slope = slope_of_last(roots[j], &values[j]);
            let weight = DoubleDouble::ONE / ((DoubleDouble::ONE - roots[j] * roots[j]) * slope * slope);
            rule.nodes[j] = ((roots[j] + DoubleDouble::ONE) * half).round();
            rule.weights[j] = weight.round();
            for k in 0..NODES {
                exact[k][j] = DoubleDouble::from((2 * k + 1) as f64) * weight * values[j][k];
                rule.to_legendre[k][j] = exact[k][j].round();
            }
        }
        for i in 0..NODES {
            for j in 0..NODES {
                let mut sum = (roots[i] + DoubleDouble::ONE) * half * exact[0][j];
                for k in 1..NODES {
                    let twice = DoubleDouble::from(2.0 * (2 * k + 1) as f64);
                    sum = sum + (values[i][k + 1] - values[i][k - 1]) / twice * exact[k][j];
                }
                rule.collocation[i][j] = sum.round();
            }
        }
        rule.peak = peak_of_next_primitive();
        rule
    }
}

/// max |Q_s| over [0, 1], on a grid.
fn peak_of_next_primitive() -> f64 {
    let size = |i: usize| {
        let p = legendre::<{ NODES + 2 }>(2.0 * i as f64 / GRID as f64 - 1.0);
        (p[NODES + 1] - p[NODES - 1]).abs() / (2.0 * (2 * NODES + 1) as f64)
    };
    (0..=GRID).map(size).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oracle: Σ w_j c_j^m = 1/(m+1) up to degree 2s − 1, and Σ_j A_ij c_j^m = c_i^{m+1}/(m+1) below degree s.
    #[test]
    fn the_tables_integrate_powers() {
        let rule = rule();
        assert!(rule.nodes.is_sorted() && rule.nodes[0] > 0.0);
        for m in 0..2 * NODES {
            let sum: f64 = (0..NODES)
                .map(|j| rule.weights[j] * rule.nodes[j].powi(m as i32))
                .sum();
            assert!((sum - 1.0 / (m + 1) as f64).abs() < 3e-16, "degree {m}: {sum}");
        }
        for m in 0..NODES {
            for i in 0..NODES {
                let sum: f64 = (0..NODES)
                    .map(|j| rule.collocation[i][j] * rule.nodes[j].powi(m as i32))
                    .sum();
                let expected = rule.nodes[i].powi(m as i32 + 1) / (m + 1) as f64;
                assert!((sum - expected).abs() < 3e-16, "degree {m}, node {i}");
            }
        }
    }

    /// Oracle: the differences of Legendre polynomials in 32 digits.
    #[test]
    fn primitives_are_right_to_rounding_wherever_they_are() {
        for exponent in 0..60 {
            let tau = 0.7 * 0.5_f64.powi(exponent);
            let u = DoubleDouble::from(2.0) * DoubleDouble::from(tau) - DoubleDouble::ONE;
            let p = legendre_exact(u);
            let found = primitives(tau);
            for k in 1..NODES {
                let exact = (p[k + 1] - p[k - 1]) / DoubleDouble::from(2.0 * (2 * k + 1) as f64);
                let error = (found[k] - exact.round()).abs();
                assert!(error <= 4e-15 * tau, "Q_{k} at {tau}: {error}");
            }
        }
    }

    #[test]
    fn primitives_vanish_at_the_ends() {
        let (start, end) = (primitives(0.0), primitives(1.0));
        assert_eq!(end[0], 1.0);
        assert!(start.iter().all(|&q| q == 0.0) && end[1..].iter().all(|&q| q == 0.0));
    }
}
