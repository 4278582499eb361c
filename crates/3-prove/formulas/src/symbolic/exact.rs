//! Operations on doubles that make no error; `None` where they would.
//!
//! a + b is exact if Knuth's error term vanishes, a b and a/b if a fused multiply-add finds no rest. Results near the least doubles are not
//! folded: there the rest itself may be rounded away.

use dyverse_expr::{BinaryFunction, UnaryFunction};

/// Below this a rest may underflow.
const SMALL: f64 = 1e-290;

fn sum(a: f64, b: f64) -> Option<f64> {
    let s = a + b;
    let back = s - a;
    let error = (a - (s - back)) + (b - back);
    (s.is_finite() && error == 0.0).then_some(s)
}

fn product(a: f64, b: f64) -> Option<f64> {
    if a == 0.0 || b == 0.0 {
        return Some(0.0);
    }
    let p = a * b;
    (p.is_finite() && p.abs() >= SMALL && a.mul_add(b, -p) == 0.0).then_some(p)
}

fn quotient(a: f64, b: f64) -> Option<f64> {
    if b == 0.0 {
        return None;
    }
    let q = a / b;
    let is_large = a == 0.0 || (a.abs() >= SMALL && q.abs() >= SMALL);
    (q.is_finite() && is_large && q.mul_add(b, -a) == 0.0).then_some(q)
}

fn root(a: f64) -> Option<f64> {
    let r = a.sqrt();
    ((a == 0.0 || a >= SMALL) && r.is_finite() && r.mul_add(r, -a) == 0.0).then_some(r)
}

/// The value of a function, if the double is exactly it.
pub(super) fn unary(function: UnaryFunction, a: f64) -> Option<f64> {
    use UnaryFunction as F;
    let found = match function {
        F::Negate => -a,
        F::Abs => a.abs(),
        F::Floor => a.floor(),
        F::Sign if a == 0.0 => 0.0,
        F::Sign => a.signum(),
        F::Sqrt => root(a)?,
        F::Sin | F::Tan | F::Asin | F::Atan | F::Sinh | F::Tanh if a == 0.0 => 0.0,
        F::Cos | F::Cosh | F::Exp if a == 0.0 => 1.0,
        _ => return None,
    };
    Some(found + 0.0)
}

/// The value of a function, if the double is exactly it.
pub(super) fn binary(function: BinaryFunction, a: f64, b: f64) -> Option<f64> {
    use BinaryFunction as F;
    let found = match function {
        F::Add => sum(a, b)?,
        F::Subtract => sum(a, -b)?,
        F::Multiply => product(a, b)?,
        F::Divide => quotient(a, b)?,
        F::Min => a.min(b),
        F::Max => a.max(b),
        F::Power | F::Atan2 => return None,
    };
    Some(found + 0.0)
}

/// aⁿ for a small n, if no product rounds.
pub(super) fn integer_power(a: f64, n: i32) -> Option<f64> {
    const MOST: i32 = 64;
    if !(0..=MOST).contains(&n) {
        return None;
    }
    (0..n).try_fold(1.0, |power, _| product(power, a))
}
