//! Polynomials of low degree, and their roots.

use super::real::{EXACT, ONE, Real, ZERO};
use std::cmp::Ordering;

/// Σ c_k τ^k.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Poly(pub(crate) Vec<Real>);

impl Poly {
    pub(crate) fn constant(value: Real) -> Self {
        Poly(vec![value])
    }

    pub(crate) fn at(&self, tau: Real) -> Real {
        self.0.iter().rev().fold(ZERO, |sum, c| sum * tau + *c)
    }

    pub(crate) fn plus(&self, other: &Poly) -> Poly {
        let count = self.0.len().max(other.0.len());
        let part = |of: &Poly, k: usize| of.0.get(k).copied().unwrap_or(ZERO);
        Poly((0..count).map(|k| part(self, k) + part(other, k)).collect())
    }

    pub(crate) fn times(&self, other: &Poly) -> Poly {
        let mut product = vec![ZERO; (self.0.len() + other.0.len()).saturating_sub(1)];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] = product[i + j] + *a * *b;
            }
        }
        Poly(product)
    }

    pub(crate) fn scaled(&self, by: Real) -> Poly {
        Poly(self.0.iter().map(|c| *c * by).collect())
    }

    pub(crate) fn minus(&self, other: &Poly) -> Poly {
        self.plus(&other.scaled(-ONE))
    }

    fn derivative(&self) -> Poly {
        let each = self.0.iter().enumerate().skip(1);
        Poly(each.map(|(k, c)| *c * Real::from(k as f64)).collect())
    }

    /// The integral that begins with `start`.
    pub(crate) fn integral(&self, start: Real) -> Poly {
        let each = self.0.iter().enumerate();
        let mut all = vec![start];
        all.extend(each.map(|(k, c)| *c / Real::from((k + 1) as f64)));
        Poly(all)
    }

    /// The same polynomial counted from a later τ.
    pub(crate) fn shifted(&self, by: Real) -> Poly {
        let mut shifted = Poly(vec![]);
        for c in self.0.iter().rev() {
            shifted = shifted.times(&Poly(vec![by, ONE])).plus(&Poly::constant(*c));
        }
        shifted
    }

    /// Whether it is zero everywhere.
    pub(crate) fn is_zero(&self) -> bool {
        let is_nothing = |c: &Real| EXACT.sign(*c) == Some(Ordering::Equal);
        self.0.iter().all(is_nothing)
    }

    /// All τ in [0, end] at which it is zero, ascending; those that touch zero too. Nothing if it is zero everywhere.
    pub(crate) fn roots(&self, end: Real) -> Vec<Real> {
        let mut own = self.clone();
        while own.0.last().is_some_and(|c| c.abs().f64() < 1e-24) {
            own.0.pop();
        }
        if own.0.len() <= 1 {
            return Vec::new();
        }
        if own.0.len() == 2 {
            let root = -own.0[0] / own.0[1];
            let is_in = root.f64() > -1e-20 && (root - end).f64() < 1e-20;
            return if is_in {
                vec![root.max(ZERO).min(end)]
            } else {
                vec![]
            };
        }
        // Between its turning points it is monotone.
        let mut turns = vec![ZERO];
        turns.extend(own.derivative().roots(end));
        turns.push(end);
        let mut found: Vec<Real> = Vec::new();
        let mut add = |root: Real| {
            if found.last().is_none_or(|last| (root - *last).f64() > 1e-15) {
                found.push(root);
            }
        };
        let is_nothing = |value: Real| value.abs().f64() < 1e-22;
        for pair in turns.windows(2) {
            let (low, high) = (own.at(pair[0]), own.at(pair[1]));
            if is_nothing(low) {
                add(pair[0]);
            } else if is_nothing(high) {
                add(pair[1]);
            } else if (low.f64() > 0.0) != (high.f64() > 0.0) {
                add(own.bisected(pair[0], pair[1]));
            }
        }
        if is_nothing(own.at(end)) {
            add(end);
        }
        found
    }

    /// The root between two places with different signs.
    fn bisected(&self, mut low: Real, mut high: Real) -> Real {
        let rises = self.at(high).f64() > 0.0;
        let half = Real::from(0.5);
        for _ in 0..60 {
            let middle = (low + high) * half;
            if (self.at(middle).f64() > 0.0) == rises {
                high = middle;
            } else {
                low = middle;
            }
        }
        let slope = self.derivative();
        let mut root = (low + high) * half;
        for _ in 0..4 {
            let rate = slope.at(root);
            if rate.f64() == 0.0 {
                break;
            }
            let next = root - self.at(root) / rate;
            if (next - root).abs().f64() > 1e-6 {
                break;
            }
            root = next;
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(coefficients: &[f64]) -> Poly {
        Poly(coefficients.iter().map(|c| Real::from(*c)).collect())
    }

    #[test]
    fn roots_are_found_touching_ones_too() {
        let cubic = poly(&[-6.0, 11.0, -6.0, 1.0]);
        let roots: Vec<f64> = cubic.roots(Real::from(5.0)).iter().map(|r| r.f64()).collect();
        assert_eq!(roots, [1.0, 2.0, 3.0]);
        let touching = poly(&[1.0, -2.0, 1.0]);
        assert_eq!(touching.roots(Real::from(2.0)), [ONE]);
        let irrational = poly(&[-2.0, 0.0, 1.0]).roots(Real::from(2.0));
        assert!((irrational[0] - Real::from(2.0).sqrt()).abs().f64() < 1e-28);
        assert!(poly(&[1.0, 0.0, 1.0]).roots(Real::from(2.0)).is_empty());
        assert!(poly(&[0.0, 0.0]).roots(Real::from(2.0)).is_empty());
        let shifted = cubic.shifted(Real::from(1.0));
        let roots: Vec<f64> = shifted.roots(Real::from(2.0)).iter().map(|r| r.f64()).collect();
        assert_eq!(roots, [0.0, 1.0, 2.0]);
    }
}
