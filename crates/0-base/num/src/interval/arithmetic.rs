//! `+ − × ÷ √`, absolute value, minimum and maximum of intervals.
//!
//! # Method
//! Endpoint formulas [Moore, Kearfott, Cloud 2009, ch. 2]. A product takes the two endpoint products that the
//! signs of the factors select; four only when both straddle zero. A divisor that touches zero gives a half
//! line, one with zero inside gives the whole line (the hull of two half lines), and `[0, 0]` gives nothing.
//!
//! # Guarantee
//! Rigorous and optimal: the smallest interval of doubles around the exact set.

use super::Interval;
use super::rounding::{
    add_down, add_up, div_down, div_up, mul_down, mul_up, sqrt_down, sqrt_up, sub_down, sub_up,
};

operators! { [] Interval:
    Add add (a, b) {
        if a.is_empty() || b.is_empty() {
            return Self::EMPTY;
        }
        Self::from_ends(add_down(a.lo, b.lo), add_up(a.hi, b.hi))
    }
    Sub sub (a, b) {
        if a.is_empty() || b.is_empty() {
            return Self::EMPTY;
        }
        Self::from_ends(sub_down(a.lo, b.hi), sub_up(a.hi, b.lo))
    }
    Neg neg (a) {
        Self::from_ends(-a.hi, -a.lo)
    }
    Mul mul (a, b) {
        if a.is_empty() || b.is_empty() {
            return Self::EMPTY;
        }
        if a.hi <= 0.0 && a.lo < 0.0 {
            return -((-a) * b);
        }
        if b.hi <= 0.0 && b.lo < 0.0 {
            return -(a * (-b));
        }
        // Each factor is now non-negative or straddles zero.
        match (a.lo >= 0.0, b.lo >= 0.0) {
            (true, true) => Self::from_ends(mul_down(a.lo, b.lo), mul_up(a.hi, b.hi)),
            (true, false) => Self::from_ends(mul_down(a.hi, b.lo), mul_up(a.hi, b.hi)),
            (false, true) => Self::from_ends(mul_down(a.lo, b.hi), mul_up(a.hi, b.hi)),
            (false, false) => Self::from_ends(
                mul_down(a.lo, b.hi).min(mul_down(a.hi, b.lo)),
                mul_up(a.lo, b.lo).max(mul_up(a.hi, b.hi)),
            ),
        }
    }
    Div div (a, b) {
        if a.is_empty() || b.is_empty() || b == Self::ZERO {
            Self::EMPTY
        } else if a == Self::ZERO {
            Self::ZERO
        } else if b.hi <= 0.0 {
            -(a / -b)
        } else if b.lo < 0.0 {
            Self::ENTIRE // Zero is inside: both half lines, or all of a ∋ 0.
        } else {
            a.over_positive(&b)
        }
    }
}

impl Interval {
    /// a / b for `b.lo ≥ 0`, `b.hi > 0`, leaving out b = 0.
    fn over_positive(&self, b: &Self) -> Self {
        let lo = if self.lo >= 0.0 {
            quotient_down(self.lo, b.hi)
        } else {
            quotient_down(self.lo, b.lo)
        };
        let hi = if self.hi <= 0.0 {
            -quotient_down(-self.hi, b.hi)
        } else {
            quotient_up(self.hi, b.lo)
        };
        Self::from_ends(lo, hi)
    }

    /// Square root of the non-negative part.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        if self.is_empty() || self.hi < 0.0 {
            return Self::EMPTY;
        }
        Self::from_ends(sqrt_down(self.lo.max(0.0)), sqrt_up(self.hi))
    }

    /// Absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_empty() {
            *self
        } else {
            Self::from_ends(self.mignitude(), self.magnitude())
        }
    }

    /// Square: like `self * self`, but without forgetting that both factors are the same.
    #[must_use]
    pub fn squared(&self) -> Self {
        let a = self.abs();
        a * a
    }

    /// The set of minima of a member of each.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        self.endwise(other, f64::min)
    }

    /// The set of maxima of a member of each.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        self.endwise(other, f64::max)
    }

    /// Applies an operation that grows with both operands and is exact on doubles.
    fn endwise(&self, other: &Self, operation: fn(f64, f64) -> f64) -> Self {
        if self.is_empty() || other.is_empty() {
            return Self::EMPTY;
        }
        Self::from_ends(operation(self.lo, other.lo), operation(self.hi, other.hi))
    }
}

/// Lower end of a/b with `b ≥ 0`; a zero divisor stands for the limit from above, a quotient of
/// infinities for the infimum over finite numbers.
fn quotient_down(a: f64, b: f64) -> f64 {
    if a >= 0.0 && b == f64::INFINITY {
        0.0
    } else if a < 0.0 && (b == 0.0 || a == f64::NEG_INFINITY) {
        f64::NEG_INFINITY
    } else {
        div_down(a, b)
    }
}

/// Upper end of a/b with `a > 0`, `b ≥ 0`.
fn quotient_up(a: f64, b: f64) -> f64 {
    if b == 0.0 || a == f64::INFINITY {
        f64::INFINITY
    } else {
        div_up(a, b)
    }
}
