//! Numbers of about 32 digits, for the tables of Gauss rules only.
//!
//! # Method
//! A value is an unevaluated sum hi + lo with |lo| ≤ ulp(hi)/2 (T. J. Dekker, 1971). Sums use the error-free
//! two-sum, products the fused multiply-add, which IEEE 754 rounds once on every platform.
//!
//! # Guarantee
//! To tolerance: each operation is right to about 1e-31 relative. No overflow handling: the tables hold
//! numbers between 1e-20 and 1e10.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// hi + lo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DoubleDouble {
    hi: f64,
    lo: f64,
}

/// The rounded sum and its exact rounding error.
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    let from_a = sum - from_b;
    (sum, (a - from_a) + (b - from_b))
}

impl DoubleDouble {
    pub(crate) const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    pub(crate) const ONE: Self = Self { hi: 1.0, lo: 0.0 };

    /// Rounded to one double.
    pub(crate) fn round(self) -> f64 {
        self.hi + self.lo
    }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self { hi: value, lo: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (hi, error) = two_sum(self.hi, other.hi);
        let (low, low_error) = two_sum(self.lo, other.lo);
        let (hi, error) = two_sum(hi, error + low);
        let (hi, lo) = two_sum(hi, error + low_error);
        Self { hi, lo }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            hi: -self.hi,
            lo: -self.lo,
        }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = self.hi * other.hi;
        let error = self.hi.mul_add(other.hi, -product) + (self.hi * other.lo + self.lo * other.hi);
        let (hi, lo) = two_sum(product, error);
        Self { hi, lo }
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = Self::from(self.hi / other.hi);
        let rest = self - first * other;
        let second = Self::from(rest.hi / other.hi);
        let rest = rest - second * other;
        first + second + Self::from(rest.hi / other.hi)
    }
}
