//! Exact fractions: what is folded is not rounded.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A fraction in lowest terms, its denominator positive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rational {
    numerator: BigInt,
    denominator: BigInt,
}

fn greatest_divisor(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (
        BigInt::from(a.magnitude().clone()),
        BigInt::from(b.magnitude().clone()),
    );
    while b.sign() != Sign::NoSign {
        let rest = &a % &b;
        a = b;
        b = rest;
    }
    a
}

impl Rational {
    fn new(numerator: BigInt, denominator: BigInt) -> Self {
        if numerator.sign() == Sign::NoSign || denominator.sign() == Sign::NoSign {
            return Self::from(0);
        }
        let divisor = greatest_divisor(&numerator, &denominator);
        let (mut n, mut d) = (numerator / &divisor, denominator / divisor);
        if d.sign() == Sign::Minus {
            (n, d) = (-n, -d);
        }
        Rational {
            numerator: n,
            denominator: d,
        }
    }
    /// The shortest decimal that reads as this double: what was written, where it was written with at most fifteen digits. `None` for infinities.
    pub(crate) fn decimal(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e')?;
        let exponent: i64 = exponent.parse().ok()?;
        let after = digits.split_once('.').map_or(0, |(_, after)| after.len()) as i64;
        let whole: BigInt = digits.replace('.', "").parse().ok()?;
        let power = BigInt::from(10).pow((exponent - after).unsigned_abs() as u32);
        Some(if exponent >= after {
            Self::new(whole * power, BigInt::from(1))
        } else {
            Self::new(whole, power)
        })
    }
    pub(crate) fn is_zero(&self) -> bool {
        self.numerator.sign() == Sign::NoSign
    }
    pub(crate) fn is_one(&self) -> bool {
        *self == Self::from(1)
    }
    /// −1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        match self.numerator.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }
    pub(crate) fn magnitude(&self) -> Self {
        if self.sign() < 0 {
            -self.clone()
        } else {
            self.clone()
        }
    }
    /// Its root, if that is a fraction.
    pub(crate) fn root(&self) -> Option<Self> {
        if self.sign() < 0 {
            return None;
        }
        let (n, d) = (self.numerator.sqrt(), self.denominator.sqrt());
        (&n * &n == self.numerator && &d * &d == self.denominator).then(|| Self::new(n, d))
    }
    /// Numerator and denominator.
    pub(crate) fn parts(&self) -> (Self, Self) {
        let whole = |n: &BigInt| Self::new(n.clone(), BigInt::from(1));
        (whole(&self.numerator), whole(&self.denominator))
    }
    /// Whether its denominator is a power of two.
    pub(crate) fn is_dyadic(&self) -> bool {
        self.denominator.magnitude().count_ones() == 1
    }
    /// The nearest double, or one beside it.
    pub(crate) fn to_f64(&self) -> f64 {
        // Long division to forty digits, and the decimal is read.
        let shift = BigInt::from(10).pow(40);
        let digits = |n: &BigInt| n.to_string().trim_start_matches('-').len() as i64;
        let scale = digits(&self.denominator) - digits(&self.numerator);
        let (mut n, mut d) = (self.numerator.clone(), self.denominator.clone());
        if scale >= 0 {
            n *= BigInt::from(10).pow(scale as u32);
        } else {
            d *= BigInt::from(10).pow(scale.unsigned_abs() as u32);
        }
        let quotient = n * shift / d;
        format!("{quotient}e{}", -40 - scale).parse().unwrap_or(f64::NAN)
    }
    /// Its decimal, and whether that is exact.
    pub(crate) fn text(&self) -> (String, bool) {
        let near = self.to_f64();
        let is_exact = Self::decimal(near).is_some_and(|back| back == *self);
        // As many digits as tell the double from all others, never an exponent: not every reader takes one.
        (format!("{near}"), is_exact)
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Rational {
            numerator: BigInt::from(value),
            denominator: BigInt::from(1),
        }
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        Rational::new(
            &self.numerator * &other.denominator + &other.numerator * &self.denominator,
            &self.denominator * &other.denominator,
        )
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: &Rational) -> Rational {
        self + &-other.clone()
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: &Rational) -> Rational {
        Rational::new(
            &self.numerator * &other.numerator,
            &self.denominator * &other.denominator,
        )
    }
}

/// Zero for a division by zero: nobody asks for it.
impl Div for &Rational {
    type Output = Rational;
    fn div(self, other: &Rational) -> Rational {
        Rational::new(
            &self.numerator * &other.denominator,
            &self.denominator * &other.numerator,
        )
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        Rational {
            numerator: -self.numerator,
            denominator: self.denominator,
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_what_was_written() {
        for (value, n, d) in [(9.81, 981, 100), (-0.5, -1, 2), (1e-9, 1, 1_000_000_000), (3e4, 30_000, 1)] {
            let found = Rational::decimal(value);
            assert_eq!(found, Some(&Rational::from(n) / &Rational::from(d)), "{value}");
        }
        assert_eq!(Rational::decimal(f64::INFINITY), None);
    }

    #[test]
    fn texts_say_whether_they_are_exact() {
        let third = &Rational::from(1) / &Rational::from(3);
        assert_eq!(third.text(), ("0.3333333333333333".to_owned(), false));
        let g = Rational::decimal(-9.81).unwrap_or_else(|| Rational::from(0));
        assert_eq!(g.text(), ("-9.81".to_owned(), true));
        assert_eq!((&third * &Rational::from(3)).text(), ("1".to_owned(), true));
        assert_eq!((&(&third * &third) / &Rational::from(4)).root(), Some(&third / &Rational::from(2)));
        assert_eq!(third.root(), None);
    }
}
