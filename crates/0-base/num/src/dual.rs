//! First-order dual numbers: a value with its derivative.
//!
//! | printed  | here                             |
//! |----------|----------------------------------|
//! | a + a′ ε | `Dual { value, derivative }`     |
//!
//! # Method
//! ε² = 0, so f(a + a′ε) = f(a) + f′(a) a′ ε for every differentiable f [Clifford 1873; Griewank and Walther
//! 2008, ch. 3]. Evaluating a formula on duals evaluates its derivative along a′ by the chain rule, without
//! differences. A dual over a dual holds second derivatives.
//!
//! # Where f is not differentiable
//! Comparisons, `select`, `min` and `max` look at the values alone and take the derivative of the branch they
//! choose, the first of two equals. `|x|` and `sign` have derivative 0 at 0, `floor` everywhere. Where a
//! derivative is infinite (`√0`, `asin 1`), so is the result, or NaN on doubles.
//!
//! # Guarantee
//! That of the scalar underneath: exact derivatives up to rounding on doubles. On intervals rigorous: the
//! derivative part encloses the derivatives over all arguments at which f is differentiable, and where a
//! choice is open it covers both branches.

use crate::{Scalar, Tri};

/// A value and its derivative along some direction, usually time.
///
/// ```
/// use dyverse_num::{Dual, Scalar};
/// let t = Dual::variable(3.0);
/// let square = t.powi(2);
/// assert_eq!((square.value, square.derivative), (9.0, 6.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<S> {
    /// The value.
    pub value: S,
    /// The derivative.
    pub derivative: S,
}

impl<S> Dual<S> {
    /// A value with its derivative.
    pub const fn new(value: S, derivative: S) -> Self {
        Self { value, derivative }
    }
}

impl<S: Scalar> Dual<S> {
    /// A value that does not change.
    #[must_use]
    pub fn constant(value: S) -> Self {
        Self::new(value, S::zero())
    }

    /// The variable itself: derivative one.
    #[must_use]
    pub fn variable(value: S) -> Self {
        Self::new(value, S::one())
    }

    /// f(a) + f′(a) a′ ε from f(a) and f′(a).
    fn chain(&self, value: S, slope: S) -> Self {
        Self::new(value, slope * self.derivative.clone())
    }
}

operators! { [S: Scalar] Dual<S>:
    Add add (a, other) {
        Self::new(a.value + other.value, a.derivative + other.derivative)
    }
    Sub sub (a, other) {
        Self::new(a.value - other.value, a.derivative - other.derivative)
    }
    Mul mul (a, other) {
        Self::new(
            a.value.clone() * other.value.clone(),
            a.derivative * other.value + a.value * other.derivative,
        )
    }
    Div div (a, other) {
        let quotient = a.value / other.value.clone();
        let derivative = (a.derivative - quotient.clone() * other.derivative) / other.value;
        Self::new(quotient, derivative)
    }
    Neg neg (a) {
        Self::new(-a.value, -a.derivative)
    }
}

impl<S: Scalar> Scalar for Dual<S> {
    fn from_f64(value: f64) -> Self {
        Self::constant(S::from_f64(value))
    }

    fn from_literal(value: f64, exact: bool) -> Self {
        Self::constant(S::from_literal(value, exact))
    }

    fn pi() -> Self {
        Self::constant(S::pi())
    }

    fn sqrt(&self) -> Self {
        let root = self.value.sqrt();
        let derivative = self.derivative.clone() / (S::from_f64(2.0) * root.clone());
        Self::new(root, derivative)
    }

    fn sin(&self) -> Self {
        self.chain(self.value.sin(), self.value.cos())
    }

    fn cos(&self) -> Self {
        self.chain(self.value.cos(), -self.value.sin())
    }

    fn tan(&self) -> Self {
        let tan = self.value.tan();
        let slope = S::one() + tan.squared();
        self.chain(tan, slope)
    }

    fn asin(&self) -> Self {
        let slope = S::one() / (S::one() - self.value.squared()).sqrt();
        self.chain(self.value.asin(), slope)
    }

    fn acos(&self) -> Self {
        let slope = S::one() / (S::one() - self.value.squared()).sqrt();
        self.chain(self.value.acos(), -slope)
    }

    fn atan(&self) -> Self {
        let slope = S::one() / (S::one() + self.value.squared());
        self.chain(self.value.atan(), slope)
    }

    fn atan2(&self, x: &Self) -> Self {
        let across = x.value.clone() * self.derivative.clone() - self.value.clone() * x.derivative.clone();
        let distance_squared = self.value.squared() + x.value.squared();
        Self::new(self.value.atan2(&x.value), across / distance_squared)
    }

    fn sinh(&self) -> Self {
        self.chain(self.value.sinh(), self.value.cosh())
    }

    fn cosh(&self) -> Self {
        self.chain(self.value.cosh(), self.value.sinh())
    }

    fn tanh(&self) -> Self {
        // 1/cosh², not 1 − tanh², which cancels for large arguments.
        let slope = S::one() / self.value.cosh().squared();
        self.chain(self.value.tanh(), slope)
    }

    fn exp(&self) -> Self {
        let exp = self.value.exp();
        self.chain(exp.clone(), exp)
    }

    fn ln(&self) -> Self {
        Self::new(self.value.ln(), self.derivative.clone() / self.value.clone())
    }

    fn abs(&self) -> Self {
        self.chain(self.value.abs(), self.value.sign())
    }

    fn sign(&self) -> Self {
        Self::constant(self.value.sign())
    }

    fn floor(&self) -> Self {
        Self::constant(self.value.floor())
    }

    fn min(&self, other: &Self) -> Self {
        let first = self.value.le(&other.value);
        let derivative = S::select(first, self.derivative.clone(), other.derivative.clone());
        Self::new(self.value.min(&other.value), derivative)
    }

    fn max(&self, other: &Self) -> Self {
        let first = self.value.ge(&other.value);
        let derivative = S::select(first, self.derivative.clone(), other.derivative.clone());
        Self::new(self.value.max(&other.value), derivative)
    }

    fn powi(&self, exponent: i32) -> Self {
        if exponent == 0 {
            return Self::one();
        }
        // At the least integer the exponent below does not exist; x^n/x serves there.
        let below = match exponent.checked_sub(1) {
            Some(below) => self.value.powi(below),
            None => self.value.powi(exponent) / self.value.clone(),
        };
        self.chain(
            self.value.powi(exponent),
            S::from_f64(f64::from(exponent)) * below,
        )
    }

    fn powf(&self, exponent: &Self) -> Self {
        let (x, y) = (&self.value, &exponent.value);
        let power = x.powf(y);
        // A term with a vanishing factor is left out: x may be negative, where ln x is undefined, or zero.
        let zero = S::zero();
        let by_base = if *y == zero || self.derivative == zero {
            zero.clone()
        } else {
            y.clone() * x.powf(&(y.clone() - S::one())) * self.derivative.clone()
        };
        let by_exponent = if exponent.derivative == zero {
            zero
        } else {
            power.clone() * x.ln() * exponent.derivative.clone()
        };
        Self::new(power, by_base + by_exponent)
    }

    fn lt(&self, other: &Self) -> Tri {
        self.value.lt(&other.value)
    }

    fn le(&self, other: &Self) -> Tri {
        self.value.le(&other.value)
    }

    fn eq_tri(&self, other: &Self) -> Tri {
        self.value.eq_tri(&other.value)
    }

    fn select(condition: Tri, if_true: Self, if_false: Self) -> Self {
        Self::new(
            S::select(condition, if_true.value, if_false.value),
            S::select(condition, if_true.derivative, if_false.derivative),
        )
    }

    fn squared(&self) -> Self {
        self.chain(self.value.squared(), S::from_f64(2.0) * self.value.clone())
    }
}

#[cfg(test)]
mod tests;
