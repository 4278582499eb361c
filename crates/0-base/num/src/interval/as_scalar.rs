//! Intervals as scalars: mechanics and expressions evaluated on them enclose what doubles approximate.
//!
//! # Guarantee
//! Rigorous: `True` and `False` hold for all members; an unknown condition selects the hull of both branches.

use super::Interval;
use crate::{Scalar, Tri};

macro_rules! delegate {
    ($($function:ident $(($argument:ident: $type:ty))?)+) => {$(
        fn $function(&self $(, $argument: $type)?) -> Self {
            Interval::$function(self $(, $argument)?)
        }
    )+};
}

/// `True` if `always`, `False` if `never`; nothing is known of empty intervals.
fn decide(a: &Interval, b: &Interval, always: bool, never: bool) -> Tri {
    match (a.is_empty() || b.is_empty(), always, never) {
        (false, true, _) => Tri::True,
        (false, _, true) => Tri::False,
        _ => Tri::Unknown,
    }
}

impl Scalar for Interval {
    delegate!(sqrt sin cos tan asin acos atan sinh cosh tanh exp ln abs sign floor squared);
    delegate!(atan2(x: &Self) min(other: &Self) max(other: &Self) powi(exponent: i32) powf(exponent: &Self));

    fn from_f64(value: f64) -> Self {
        Self::point(value)
    }

    fn from_literal(value: f64, exact: bool) -> Self {
        Interval::from_literal(value, exact)
    }

    fn pi() -> Self {
        Self::PI
    }

    fn lt(&self, other: &Self) -> Tri {
        decide(self, other, self.hi < other.lo, self.lo >= other.hi)
    }

    fn le(&self, other: &Self) -> Tri {
        decide(self, other, self.hi <= other.lo, self.lo > other.hi)
    }

    fn eq_tri(&self, other: &Self) -> Tri {
        decide(
            self,
            other,
            self.is_point() && self == other,
            self.is_disjoint(other),
        )
    }

    fn select(condition: Tri, if_true: Self, if_false: Self) -> Self {
        match condition {
            Tri::True => if_true,
            Tri::False => if_false,
            Tri::Unknown => if_true.hull(&if_false),
        }
    }
}
