//! What a number must offer so that mechanics and expressions can be written once.
//!
//! Floating point simulates, [`Interval`](crate::Interval) encloses; a symbolic scalar can record.
//!
//! # Conventions shared by all implementations
//! - `sign(0) = 0`; `atan2(0, x) = π` for `x < 0`, whatever the sign of the zero; `x⁰ = 1`, also for `x = 0`.
//! - Comparisons answer with [`Tri`]. Between doubles only NaN makes them `Unknown`.
//! - `select` with an unknown condition gives a value that covers both branches (NaN for doubles).
//!
//! # Guarantee
//! For `f64`: elementary functions are correctly rounded (core-math), hence the same on every platform,
//! and each lies inside what [`Interval`](crate::Interval) returns for the same argument.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::Tri;

/// A number that expressions and mechanics can be evaluated on.
///
/// ```
/// use dyverse_num::{Interval, Scalar};
/// fn kinetic_energy<S: Scalar>(mass: S, speed: S) -> S {
///     S::from_f64(0.5) * mass * speed.powi(2)
/// }
/// assert_eq!(kinetic_energy(2.0, 3.0), 9.0);
/// assert!(kinetic_energy(Interval::from(2.0), Interval::from(3.0)).contains(9.0));
/// ```
pub trait Scalar:
    Clone
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Exactly this double. NaN becomes the implementation's "no value".
    fn from_f64(value: f64) -> Self;

    /// A decimal from a source text whose nearest double is `value`; `exact` if it equals that double.
    /// Rigorous scalars enclose an inexact one.
    fn from_literal(value: f64, exact: bool) -> Self;

    /// The ratio of a circle's circumference to its diameter.
    fn pi() -> Self;

    /// Zero.
    #[must_use]
    fn zero() -> Self {
        Self::from_f64(0.0)
    }

    /// One.
    #[must_use]
    fn one() -> Self {
        Self::from_f64(1.0)
    }

    /// Square root; undefined below zero.
    #[must_use]
    fn sqrt(&self) -> Self;
    /// Sine of an angle in radians.
    #[must_use]
    fn sin(&self) -> Self;
    /// Cosine of an angle in radians.
    #[must_use]
    fn cos(&self) -> Self;
    /// Tangent of an angle in radians; undefined at odd multiples of π/2.
    #[must_use]
    fn tan(&self) -> Self;
    /// Arcsine in [−π/2, π/2]; undefined outside [−1, 1].
    #[must_use]
    fn asin(&self) -> Self;
    /// Arccosine in [0, π]; undefined outside [−1, 1].
    #[must_use]
    fn acos(&self) -> Self;
    /// Arctangent in (−π/2, π/2).
    #[must_use]
    fn atan(&self) -> Self;
    /// Angle in (−π, π] of the point (`x`, `self`) as seen from the origin.
    #[must_use]
    fn atan2(&self, x: &Self) -> Self;
    /// Hyperbolic sine.
    #[must_use]
    fn sinh(&self) -> Self;
    /// Hyperbolic cosine.
    #[must_use]
    fn cosh(&self) -> Self;
    /// Hyperbolic tangent.
    #[must_use]
    fn tanh(&self) -> Self;
    /// Exponential function.
    #[must_use]
    fn exp(&self) -> Self;
    /// Natural logarithm; undefined at and below zero.
    #[must_use]
    fn ln(&self) -> Self;
    /// Absolute value.
    #[must_use]
    fn abs(&self) -> Self;
    /// −1, 0 or 1.
    #[must_use]
    fn sign(&self) -> Self;
    /// Greatest integer not above.
    #[must_use]
    fn floor(&self) -> Self;
    /// The smaller of two.
    #[must_use]
    fn min(&self, other: &Self) -> Self;
    /// The larger of two.
    #[must_use]
    fn max(&self, other: &Self) -> Self;
    /// Integer power; `x⁰ = 1`.
    #[must_use]
    fn powi(&self, exponent: i32) -> Self;
    /// Real power: for a base above zero, for zero with an exponent not below zero, and for a negative base
    /// with an integer exponent; undefined elsewhere.
    #[must_use]
    fn powf(&self, exponent: &Self) -> Self;

    /// Is `self < other`?
    fn lt(&self, other: &Self) -> Tri;
    /// Is `self ≤ other`?
    fn le(&self, other: &Self) -> Tri;
    /// Is `self = other`?
    fn eq_tri(&self, other: &Self) -> Tri;

    /// Is `self > other`?
    fn gt(&self, other: &Self) -> Tri {
        other.lt(self)
    }

    /// Is `self ≥ other`?
    fn ge(&self, other: &Self) -> Tri {
        other.le(self)
    }

    /// `if_true` or `if_false` as `condition` says; a value covering both when it is unknown.
    #[must_use]
    fn select(condition: Tri, if_true: Self, if_false: Self) -> Self;

    /// `self · self`; never below zero, even for an interval around zero.
    #[must_use]
    fn squared(&self) -> Self {
        self.powi(2)
    }
}

/// Compares doubles; NaN leaves the answer open.
fn compare(a: f64, b: f64, holds: bool) -> Tri {
    if a.is_nan() || b.is_nan() {
        Tri::Unknown
    } else {
        Tri::from(holds)
    }
}

/// Functions of one number, each by another.
macro_rules! by {
    ($($function:ident $of:path;)*) => {$(
        fn $function(&self) -> Self {
            $of(*self)
        }
    )*};
}

impl Scalar for f64 {
    by! {
        sqrt f64::sqrt;
        sin core_math::sin;
        cos core_math::cos;
        tan core_math::tan;
        asin core_math::asin;
        acos core_math::acos;
        atan core_math::atan;
        sinh core_math::sinh;
        cosh core_math::cosh;
        tanh core_math::tanh;
        exp core_math::exp;
        ln core_math::log;
        abs f64::abs;
        floor f64::floor;
    }

    fn from_f64(value: f64) -> Self {
        value
    }

    fn from_literal(value: f64, _exact: bool) -> Self {
        value
    }

    fn pi() -> Self {
        std::f64::consts::PI
    }

    fn atan2(&self, x: &Self) -> Self {
        core_math::atan2(*self + 0.0, *x + 0.0) // Adding +0 forgets the sign of a zero.
    }

    fn sign(&self) -> Self {
        if *self == 0.0 { 0.0 } else { self.signum() }
    }

    fn min(&self, other: &Self) -> Self {
        if self.is_nan() || other.is_nan() {
            f64::NAN
        } else {
            f64::min(*self, *other)
        }
    }

    fn max(&self, other: &Self) -> Self {
        if self.is_nan() || other.is_nan() {
            f64::NAN
        } else {
            f64::max(*self, *other)
        }
    }

    fn powi(&self, exponent: i32) -> Self {
        match exponent {
            0 => 1.0,
            1 => *self,
            2 => self * self,
            _ => core_math::pow(*self, f64::from(exponent)),
        }
    }

    fn powf(&self, exponent: &Self) -> Self {
        core_math::pow(*self, *exponent)
    }

    fn lt(&self, other: &Self) -> Tri {
        compare(*self, *other, *self < *other)
    }

    fn le(&self, other: &Self) -> Tri {
        compare(*self, *other, *self <= *other)
    }

    fn eq_tri(&self, other: &Self) -> Tri {
        compare(*self, *other, *self == *other)
    }

    fn select(condition: Tri, if_true: Self, if_false: Self) -> Self {
        match condition {
            Tri::True => if_true,
            Tri::False => if_false,
            Tri::Unknown => f64::NAN,
        }
    }
}
