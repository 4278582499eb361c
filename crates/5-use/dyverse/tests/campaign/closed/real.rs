//! Numbers of about 31 digits: pairs of doubles whose sum they are [Dekker 1971; Hida, Li, Bailey 2001].
//!
//! Closed forms in them are wrong by about 1e-29. What is equal by construction (an impact at the end of a window) differs by no more than that; what is not
//! differs by far more, because all inputs are decimals of few digits. [`Zones`] tells the two apart, and says nothing about what lies between.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// hi + lo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Real {
    hi: f64,
    lo: f64,
}

pub(crate) const ZERO: Real = Real { hi: 0.0, lo: 0.0 };
pub(crate) const ONE: Real = Real { hi: 1.0, lo: 0.0 };
pub(crate) const PI: Real = Real {
    hi: std::f64::consts::PI,
    lo: 1.224_646_799_147_353_2e-16,
};

/// a + b and its error, |a| ≥ |b|.
fn quick_sum(a: f64, b: f64) -> Real {
    let hi = a + b;
    Real { hi, lo: b - (hi - a) }
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let b_in_s = s - a;
    (s, (a - (s - b_in_s)) + (b - b_in_s))
}

impl Real {
    /// A decimal such as `-1.25` or `1e-6`.
    pub(crate) fn decimal(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let mut power: i32 = exponent.parse().expect("an exponent");
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        power -= part.len() as i32;
        let mut value = ZERO;
        for digit in whole.chars().chain(part.chars()).filter(char::is_ascii_digit) {
            value = value * Real::from(10.0) + Real::from(f64::from(digit.to_digit(10).expect("a digit")));
        }
        let mut scale = ONE;
        for _ in 0..power.abs() {
            scale = scale * Real::from(10.0);
        }
        let value = if power < 0 { value / scale } else { value * scale };
        if whole.starts_with('-') { -value } else { value }
    }

    pub(crate) fn f64(self) -> f64 {
        self.hi
    }

    pub(crate) fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    pub(crate) fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// Of a number that is not negative.
    pub(crate) fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return ZERO;
        }
        let guess = Real::from(self.hi.sqrt());
        let better = (guess + self / guess) / Real::from(2.0);
        (better + self / better) / Real::from(2.0)
    }

    /// The nearest whole number.
    pub(crate) fn round(self) -> Self {
        let near = self.hi.round();
        if near == self.hi {
            return quick_sum(near, self.lo.round());
        }
        Real::from(near)
    }

    /// sin and cos.
    pub(crate) fn sin_cos(self) -> (Self, Self) {
        // Reduced by quarter turns, then by halves; series; then doubled.
        let turns = (self / (PI / Real::from(2.0))).round();
        let halvings = 6;
        let rest = (self - turns * (PI / Real::from(2.0))) / Real::from(f64::from(1 << halvings));
        let (mut sin, mut cos) = (ZERO, ZERO);
        let mut term = ONE;
        for k in 0..24 {
            match k % 4 {
                0 => cos = cos + term,
                1 => sin = sin + term,
                2 => cos = cos - term,
                _ => sin = sin - term,
            }
            term = term * rest / Real::from(f64::from(k + 1));
        }
        for _ in 0..halvings {
            (sin, cos) = (Real::from(2.0) * sin * cos, cos * cos - sin * sin);
        }
        match (turns.hi as i64).rem_euclid(4) {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }

    /// The number as it can be written in a model, if it can: a decimal, a fraction, a fraction of π.
    pub(crate) fn written(self) -> Option<String> {
        if let Some(text) = self.as_decimal() {
            return Some(text);
        }
        let fraction = |(n, d): (i64, i64), of: &str| match d {
            1 => format!("({n}{of})"),
            _ => format!("({n}{of} / {d})"),
        };
        if let Some(found) = self.as_fraction() {
            return Some(fraction(found, ""));
        }
        (self / PI).as_fraction().map(|found| fraction(found, " * pi"))
    }

    fn as_decimal(self) -> Option<String> {
        let mut scaled = self;
        for digits in 0..=10 {
            let near = scaled.round();
            if (scaled - near).abs().hi < 1e-17 && near.abs().hi < 1e15 {
                let text = format!("{:.digits$}", near.hi / 10_f64.powi(digits as i32));
                // The double printed with so many digits may be another number.
                let is_same = (Real::decimal(&text) - self).abs().hi < 1e-25;
                return is_same.then_some(text);
            }
            scaled = scaled * Real::from(10.0);
        }
        None
    }

    /// n/d with a small d, by its continued fraction.
    fn as_fraction(self) -> Option<(i64, i64)> {
        let (mut before, mut now) = ((0.0, 1.0), (1.0, 0.0));
        let mut rest = self;
        for _ in 0..24 {
            let whole = {
                let near = rest.round();
                if near > rest { near - ONE } else { near }
            };
            let next = (whole.hi * now.0 + before.0, whole.hi * now.1 + before.1);
            (before, now) = (now, next);
            if now.1 > 1e6 || now.0.abs() > 1e9 {
                return None;
            }
            let is_same = (Real::from(now.0) / Real::from(now.1) - self).abs().hi < 1e-24;
            if is_same {
                return Some((now.0 as i64, now.1 as i64));
            }
            if (rest - whole).abs().hi < 1e-12 {
                return None;
            }
            rest = ONE / (rest - whole);
        }
        None
    }
}

impl From<f64> for Real {
    fn from(hi: f64) -> Self {
        Real { hi, lo: 0.0 }
    }
}

impl Add for Real {
    type Output = Real;
    fn add(self, other: Real) -> Real {
        let (s, e) = two_sum(self.hi, other.hi);
        let (t, f) = two_sum(self.lo, other.lo);
        let first = quick_sum(s, e + t);
        quick_sum(first.hi, first.lo + f)
    }
}

impl Neg for Real {
    type Output = Real;
    fn neg(self) -> Real {
        Real {
            hi: -self.hi,
            lo: -self.lo,
        }
    }
}

impl Sub for Real {
    type Output = Real;
    fn sub(self, other: Real) -> Real {
        self + -other
    }
}

impl Mul for Real {
    type Output = Real;
    fn mul(self, other: Real) -> Real {
        let p = self.hi * other.hi;
        let e = self.hi.mul_add(other.hi, -p);
        quick_sum(p, e + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Real {
    type Output = Real;
    fn div(self, other: Real) -> Real {
        let first = self.hi / other.hi;
        let rest = self - other * Real::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Real::from(second);
        quick_sum(first, second) + Real::from(rest.hi / other.hi)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        match self.hi.partial_cmp(&other.hi) {
            Some(Ordering::Equal) => self.lo.partial_cmp(&other.lo),
            order => order,
        }
    }
}

/// When two numbers are the same, and when they are surely not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zones {
    /// Equal up to this.
    pub(crate) same: f64,
    /// Different from this on.
    pub(crate) clear: f64,
}

/// For closed forms.
pub(crate) const EXACT: Zones = Zones {
    same: 1e-19,
    clear: 1e-12,
};

impl Zones {
    /// How two numbers compare; `None` if they are too close to say and not the same.
    pub(crate) fn compare(&self, a: Real, b: Real) -> Option<Ordering> {
        let difference = (a - b).hi;
        let size = 1.0_f64.max(a.hi.abs()).max(b.hi.abs());
        if difference.is_nan() {
            None
        } else if difference.abs() <= self.same * size {
            Some(Ordering::Equal)
        } else if difference.abs() < self.clear * size {
            None
        } else {
            difference.partial_cmp(&0.0)
        }
    }

    pub(crate) fn sign(&self, a: Real) -> Option<Ordering> {
        self.compare(a, ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Real, b: Real) -> bool {
        (a - b).abs().hi < 1e-28
    }

    #[test]
    fn thirty_digits() {
        let third = ONE / Real::from(3.0);
        assert!(close(third + third + third, ONE));
        assert!(close(Real::decimal("0.1") * Real::from(10.0), ONE));
        assert!(close(
            Real::decimal("-1.25e-2"),
            Real::from(-1.0) / Real::from(80.0)
        ));
        let root = Real::from(2.0).sqrt();
        assert!(close(root * root, Real::from(2.0)));
        let (sin, cos) = (PI / Real::from(6.0)).sin_cos();
        assert!(close(sin, Real::from(0.5)) && close(cos * cos, Real::from(0.75)));
        let (sin, cos) = (PI * Real::from(1.5)).sin_cos();
        assert!(close(sin, -ONE) && close(cos, ZERO));
        let (sin, cos) = Real::from(7.3).sin_cos();
        assert!(close(sin * sin + cos * cos, ONE) && (sin.f64() - 7.3_f64.sin()).abs() < 1e-15);
    }

    #[test]
    fn what_can_be_written() {
        for (value, text) in [
            (Real::decimal("0.0337"), Some("0.0337")),
            (Real::from(-2.0), Some("-2")),
            (Real::from(4.0) / Real::from(3.0), Some("(4 / 3)")),
            (PI * Real::from(3.0) / Real::from(4.0), Some("(3 * pi / 4)")),
            (Real::from(2.0).sqrt(), None),
        ] {
            assert_eq!(value.written().as_deref(), text);
        }
    }

    #[test]
    fn zones() {
        let (a, b) = (Real::decimal("0.3"), Real::from(0.3));
        assert_eq!(EXACT.compare(a, b), None, "a decimal and its double");
        let sum = Real::decimal("0.1") + Real::decimal("0.2");
        assert_eq!(EXACT.compare(a, sum), Some(Ordering::Equal));
        assert_eq!(EXACT.compare(a, Real::from(0.31)), Some(Ordering::Less));
    }
}
