//! Exact fractions: what is folded is not rounded.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A fraction in lowest terms, its denominator positive. Small ones, which most are, need no memory of their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rational(Form);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    Small(i64, i64),
    /// Only what is not small.
    Large(Box<(BigInt, BigInt)>),
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
        match (i64::try_from(&n), i64::try_from(&d)) {
            (Ok(n), Ok(d)) if n != i64::MIN => Rational(Form::Small(n, d)),
            _ => Rational(Form::Large(Box::new((n, d)))),
        }
    }
    /// From products of numbers that were small: nothing overflows.
    fn of_products(numerator: i128, denominator: i128) -> Self {
        if numerator == 0 || denominator == 0 {
            return Self::from(0);
        }
        let (mut a, mut b) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        while b != 0 {
            // Two words take much longer to divide than one.
            if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
                (a, b) = (u128::from(y), u128::from(x % y));
            } else {
                (a, b) = (b, a % b);
            }
        }
        let divisor = a as i128;
        let (mut n, mut d) = (numerator / divisor, denominator / divisor);
        if d < 0 {
            (n, d) = (-n, -d);
        }
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) if n != i64::MIN => Rational(Form::Small(n, d)),
            _ => Rational(Form::Large(Box::new((BigInt::from(n), BigInt::from(d))))),
        }
    }
    fn numerator(&self) -> BigInt {
        match &self.0 {
            Form::Small(n, _) => BigInt::from(*n),
            Form::Large(parts) => parts.0.clone(),
        }
    }
    fn denominator(&self) -> BigInt {
        match &self.0 {
            Form::Small(_, d) => BigInt::from(*d),
            Form::Large(parts) => parts.1.clone(),
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
        self.0 == Form::Small(0, 1)
    }
    pub(crate) fn is_one(&self) -> bool {
        self.0 == Form::Small(1, 1)
    }
    /// −1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        match &self.0 {
            Form::Small(n, _) => n.signum() as i32,
            Form::Large(parts) if parts.0.sign() == Sign::Minus => -1,
            Form::Large(_) => 1,
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
        let (numerator, denominator) = (self.numerator(), self.denominator());
        let (n, d) = (numerator.sqrt(), denominator.sqrt());
        (&n * &n == numerator && &d * &d == denominator).then(|| Self::new(n, d))
    }
    /// Numerator and denominator.
    pub(crate) fn parts(&self) -> (Self, Self) {
        let whole = |n: &BigInt| Self::new(n.clone(), BigInt::from(1));
        (whole(&self.numerator()), whole(&self.denominator()))
    }
    /// Whether its denominator is a power of two.
    pub(crate) fn is_dyadic(&self) -> bool {
        self.denominator().magnitude().count_ones() == 1
    }
    /// The nearest double, or one beside it.
    pub(crate) fn to_f64(&self) -> f64 {
        // Long division to forty digits, and the decimal is read.
        let shift = BigInt::from(10).pow(40);
        let digits = |n: &BigInt| n.to_string().trim_start_matches('-').len() as i64;
        let (mut n, mut d) = (self.numerator(), self.denominator());
        let scale = digits(&d) - digits(&n);
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
        Rational(Form::Small(value, 1))
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        if let (Form::Small(a, b), Form::Small(c, d)) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            return Rational::of_products(a * d + c * b, b * d);
        }
        let (b, d) = (self.denominator(), other.denominator());
        Rational::new(self.numerator() * &d + other.numerator() * &b, b * d)
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
        if let (Form::Small(a, b), Form::Small(c, d)) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            return Rational::of_products(a * c, b * d);
        }
        Rational::new(
            self.numerator() * other.numerator(),
            self.denominator() * other.denominator(),
        )
    }
}

/// Zero for a division by zero: nobody asks for it.
impl Div for &Rational {
    type Output = Rational;
    fn div(self, other: &Rational) -> Rational {
        if let (Form::Small(a, b), Form::Small(c, d)) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            return Rational::of_products(a * d, b * c);
        }
        Rational::new(
            self.numerator() * other.denominator(),
            self.denominator() * other.numerator(),
        )
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match self.0 {
            // The least integer is never small.
            Form::Small(n, d) => Rational(Form::Small(n.saturating_neg(), d)),
            Form::Large(parts) => Rational::new(-parts.0, parts.1),
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
        if let (Form::Small(a, b), Form::Small(c, d)) = (&self.0, &other.0) {
            let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
            return (a * d).cmp(&(c * b));
        }
        (self.numerator() * other.denominator()).cmp(&(other.numerator() * self.denominator()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_what_was_written() {
        for (value, n, d) in [
            (9.81, 981, 100),
            (-0.5, -1, 2),
            (1e-9, 1, 1_000_000_000),
            (3e4, 30_000, 1),
        ] {
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
        assert_eq!(
            (&(&third * &third) / &Rational::from(4)).root(),
            Some(&third / &Rational::from(2))
        );
        assert_eq!(third.root(), None);
    }
}
