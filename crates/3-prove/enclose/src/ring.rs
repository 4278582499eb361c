//! What a coefficient of a series must offer: intervals and Taylor models do.
//!
//! # Undefined is an error
//! Other than the set-based functions of [`Interval`], these refuse an argument on which the function is not defined and smooth everywhere: existence proofs rest on
//! that. Nothing that is lost may look like nothing that is there.

use dyverse_expr::UnaryFunction;
use dyverse_num::Interval;

/// Why a value cannot be enclosed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Undefined {
    /// A divisor may be zero.
    Division,
    /// A function is not defined, or not smooth, on all of its argument.
    Domain(UnaryFunction),
    /// A decision (`if`, `min`, `max`, `abs`, …) may go either way.
    Undecided,
    /// A number became too large.
    Unbounded,
    /// An operation that has no enclosure here.
    Unsupported(&'static str),
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Undefined::Division => f.write_str("a divisor may be zero"),
            Undefined::Domain(function) => {
                write!(f, "{} may leave its domain", function.name())
            }
            Undefined::Undecided => {
                f.write_str("a choice (if, min, max, abs, sign or floor) may go either way")
            }
            Undefined::Unbounded => f.write_str("a bound became infinite"),
            Undefined::Unsupported(what) => write!(f, "{what} has no validated enclosure"),
        }
    }
}

/// A coefficient of a series.
pub(crate) trait Ring: Clone + std::fmt::Debug {
    /// A sum of products being built.
    type Sum;

    /// A constant of the same kind as `self`.
    fn constant(&self, value: Interval) -> Self;
    fn is_zero(&self) -> bool;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn negated(&self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn scaled(&self, factor: Interval) -> Self;
    fn squared(&self) -> Self {
        self.times(self)
    }
    /// All values.
    fn range(&self) -> Interval;
    /// An elementary function, smooth on the whole argument.
    fn apply(&self, function: UnaryFunction) -> Result<Self, Undefined>;
    fn reciprocal(&self) -> Result<Self, Undefined>;

    fn sum(&self) -> Self::Sum;
    /// sum += weight · a · b; the weight is a small whole number.
    fn add_product(sum: &mut Self::Sum, weight: f64, a: &Self, b: &Self);
    fn add_to(sum: &mut Self::Sum, weight: f64, a: &Self);
    fn finish(sum: Self::Sum) -> Self;
}

/// Refuses what is empty or unbounded.
pub(crate) fn bounded(value: Interval) -> Result<Interval, Undefined> {
    if value.is_empty() || !value.is_bounded() {
        Err(Undefined::Unbounded)
    } else {
        Ok(value)
    }
}

impl Ring for Interval {
    type Sum = Interval;

    fn constant(&self, value: Interval) -> Self {
        value
    }
    fn is_zero(&self) -> bool {
        *self == Interval::ZERO
    }
    fn plus(&self, other: &Self) -> Self {
        *self + *other
    }
    fn minus(&self, other: &Self) -> Self {
        *self - *other
    }
    fn negated(&self) -> Self {
        -*self
    }
    fn times(&self, other: &Self) -> Self {
        *self * *other
    }
    fn scaled(&self, factor: Interval) -> Self {
        *self * factor
    }
    fn squared(&self) -> Self {
        Interval::squared(self)
    }
    fn range(&self) -> Interval {
        *self
    }
    fn apply(&self, function: UnaryFunction) -> Result<Self, Undefined> {
        let outside = Undefined::Domain(function);
        let value = match function {
            UnaryFunction::Negate => -*self,
            UnaryFunction::Sqrt if self.lo() > 0.0 => self.sqrt(),
            UnaryFunction::Ln if self.lo() > 0.0 => self.ln(),
            UnaryFunction::Sin => self.sin(),
            UnaryFunction::Cos => self.cos(),
            UnaryFunction::Tan if self.cos().mignitude() > 0.0 && self.width() < 3.0 => self.tan(),
            UnaryFunction::Asin if self.magnitude() < 1.0 => self.asin(),
            UnaryFunction::Acos if self.magnitude() < 1.0 => self.acos(),
            UnaryFunction::Atan => self.atan(),
            UnaryFunction::Sinh => self.sinh(),
            UnaryFunction::Cosh => self.cosh(),
            UnaryFunction::Tanh => self.tanh(),
            UnaryFunction::Exp => self.exp(),
            UnaryFunction::Abs | UnaryFunction::Sign | UnaryFunction::Floor => {
                return Err(Undefined::Undecided);
            }
            UnaryFunction::Sqrt
            | UnaryFunction::Ln
            | UnaryFunction::Tan
            | UnaryFunction::Asin
            | UnaryFunction::Acos => {
                return Err(outside);
            }
        };
        bounded(value)
    }
    fn reciprocal(&self) -> Result<Self, Undefined> {
        if self.is_empty() || self.contains(0.0) {
            return Err(Undefined::Division);
        }
        bounded(Interval::ONE / *self)
    }

    fn sum(&self) -> Interval {
        Interval::ZERO
    }
    fn add_product(sum: &mut Interval, weight: f64, a: &Self, b: &Self) {
        *sum = *sum + Interval::point(weight) * *a * *b;
    }
    fn add_to(sum: &mut Interval, weight: f64, a: &Self) {
        *sum = *sum + Interval::point(weight) * *a;
    }
    fn finish(sum: Interval) -> Self {
        sum
    }
}
