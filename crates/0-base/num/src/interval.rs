//! Closed intervals of doubles, rounded outwards: the type and its set operations.
//!
//! | file               | family                                                         |
//! |--------------------|----------------------------------------------------------------|
//! | `rounding.rs`      | + − × ÷ √ of doubles, rounded down or up, exactly              |
//! | `arithmetic.rs`    | + − × ÷ √ |x| min max of intervals                             |
//! | `elementary.rs`    | exp, ln, hyperbolic functions, powers                          |
//! | `trigonometric.rs` | sin, cos, tan and their inverses                               |
//! | `as_scalar.rs`     | the [`Scalar`](crate::Scalar) face                             |
//!
//! # Convention for undefined parts
//! Set-based, as in IEEE 1788: `f(X)` encloses `{ f(x) : x ∈ X, f defined at x }`. So `√[−1, 4] = [0, 2]`,
//! and `√[−2, −1]` and `1/[0, 0]` are [`Interval::EMPTY`]. Whoever needs to know that nothing was left out
//! asks first: [`Interval::is_sqrt_defined`] and its sisters answer with a [`Tri`]. An empty operand
//! gives an empty result, and every comparison with it is `Unknown`, so it never proves anything.
//!
//! # Guarantee
//! Rigorous: every result contains every exact value over the reals (the endpoints ±∞ stand for
//! unboundedness, not for members). Tight: `+ − × ÷ √` of points and of intervals return the smallest
//! enclosing pair of doubles, so exact results stay exact; elementary functions are at most one further ulp
//! wide on each side. NaN never gets inside. Zeros are stored as `+0`.

mod arithmetic;
mod as_scalar;
mod elementary;
mod rounding;
mod trigonometric;

use std::fmt;

use crate::Tri;

/// A closed interval `[lo, hi]` of real numbers with double endpoints, possibly unbounded or empty.
///
/// # Invariant
/// Either `lo ≤ hi`, `lo < +∞`, `hi > −∞`, no NaN; or empty, stored as `lo = +∞`, `hi = −∞`.
///
/// ```
/// use dyverse_num::Interval;
/// let third = Interval::from(1.0) / Interval::from(3.0);
/// assert!(third.lo() < third.hi());
/// assert!((third * Interval::from(3.0)).contains(1.0));
/// assert_eq!(Interval::from(1.0) + Interval::from(2.0), Interval::from(3.0));
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Interval {
    lo: f64,
    hi: f64,
}

/// Two numbers that are not the ends of an interval: reversed, NaN, or both the same infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InvalidInterval {
    /// The lower end asked for.
    pub lo: f64,
    /// The upper end asked for.
    pub hi: f64,
}

impl fmt::Display for InvalidInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "[{}, {}] is not an interval: its ends must be numbers in ascending order",
            self.lo, self.hi
        )
    }
}

impl std::error::Error for InvalidInterval {}

impl Interval {
    /// No number at all.
    pub const EMPTY: Self = Self {
        lo: f64::INFINITY,
        hi: f64::NEG_INFINITY,
    };
    /// Every real number.
    pub const ENTIRE: Self = Self {
        lo: f64::NEG_INFINITY,
        hi: f64::INFINITY,
    };
    /// Zero.
    pub const ZERO: Self = Self { lo: 0.0, hi: 0.0 };
    /// One.
    pub const ONE: Self = Self { lo: 1.0, hi: 1.0 };
    /// Zero and all numbers above it.
    pub const NOT_NEGATIVE: Self = Self {
        lo: 0.0,
        hi: f64::INFINITY,
    };
    /// Zero and all numbers below it.
    pub const NOT_POSITIVE: Self = Self {
        lo: f64::NEG_INFINITY,
        hi: 0.0,
    };
    /// The two doubles around π (`std::f64::consts::PI` lies below π).
    pub const PI: Self = Self {
        lo: std::f64::consts::PI,
        hi: std::f64::consts::PI.next_up(),
    };

    /// The interval `[lo, hi]`.
    ///
    /// # Errors
    /// [`InvalidInterval`] if an end is NaN, if `lo > hi`, or if both ends are the same infinity.
    pub fn new(lo: f64, hi: f64) -> Result<Self, InvalidInterval> {
        if lo <= hi && lo < f64::INFINITY && hi > f64::NEG_INFINITY {
            Ok(Self::from_ends(lo, hi))
        } else {
            Err(InvalidInterval { lo, hi })
        }
    }

    /// `[lo, hi]` from ends that some computation has already ordered; empty if they are not ends.
    ///
    /// Adding `+0` turns `−0` into `+0`.
    fn from_ends(lo: f64, hi: f64) -> Self {
        if lo <= hi && lo < f64::INFINITY && hi > f64::NEG_INFINITY {
            Self {
                lo: lo + 0.0,
                hi: hi + 0.0,
            }
        } else {
            Self::EMPTY
        }
    }

    /// The single number `value`; empty for NaN and for infinities, which are not numbers.
    #[must_use]
    pub fn point(value: f64) -> Self {
        Self::from_ends(value, value)
    }

    /// A decimal whose nearest double is `value`: that double if `exact`, else its two neighbours.
    ///
    /// A decimal too big for doubles (nearest "double" ±∞) gives a half line.
    #[must_use]
    pub fn from_literal(value: f64, exact: bool) -> Self {
        if exact && value.is_finite() {
            Self::point(value)
        } else if value.is_nan() {
            Self::EMPTY
        } else {
            Self::from_ends(value.next_down(), value.next_up())
        }
    }

    /// The lower end; `+∞` if empty.
    #[must_use]
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// The upper end; `−∞` if empty.
    #[must_use]
    pub fn hi(&self) -> f64 {
        self.hi
    }

    /// Does it hold no number?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    /// Is it a single number?
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.lo == self.hi
    }

    /// Are both ends finite? (The empty interval is bounded.)
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.is_empty() || (self.lo.is_finite() && self.hi.is_finite())
    }

    /// A finite double inside, close to the middle; `None` if empty.
    ///
    /// Half lines give their end pushed far out: the largest finite double of that side.
    #[must_use]
    pub fn mid(&self) -> Option<f64> {
        if self.is_empty() {
            return None;
        }
        if self.lo == f64::NEG_INFINITY && self.hi == f64::INFINITY {
            return Some(0.0);
        }
        let (lo, hi) = (self.lo.max(-f64::MAX), self.hi.min(f64::MAX));
        let sum = lo + hi;
        let middle = if sum.is_finite() {
            0.5 * sum
        } else {
            0.5 * lo + 0.5 * hi
        };
        Some(if self.is_bounded() {
            middle.clamp(lo, hi)
        } else {
            self.far_end()
        })
    }

    /// The finite double farthest out on a half line.
    fn far_end(&self) -> f64 {
        if self.lo == f64::NEG_INFINITY {
            -f64::MAX
        } else {
            f64::MAX
        }
    }

    /// `hi − lo` rounded up; zero if empty.
    #[must_use]
    pub fn width(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            rounding::sub_up(self.hi, self.lo)
        }
    }

    /// Half the width, rounded up: every member is within this of some centre. Zero if empty.
    #[must_use]
    pub fn radius(&self) -> f64 {
        rounding::mul_up(0.5, self.width())
    }

    /// The largest absolute value of a member; zero if empty.
    #[must_use]
    pub fn magnitude(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            self.lo.abs().max(self.hi.abs())
        }
    }

    /// The smallest absolute value of a member; `+∞` if empty.
    #[must_use]
    pub fn mignitude(&self) -> f64 {
        if self.is_empty() {
            f64::INFINITY
        } else if self.contains(0.0) {
            0.0
        } else {
            self.lo.abs().min(self.hi.abs())
        }
    }

    /// Is the real number `value` a member? (Never for NaN or infinities.)
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        value.is_finite() && self.lo <= value && value <= self.hi
    }

    /// Is every member also a member of `other`?
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.is_empty() || (other.lo <= self.lo && self.hi <= other.hi)
    }

    /// Is every member in the interior of `other` (unbounded sides count as interior)?
    #[must_use]
    pub fn is_interior_to(&self, other: &Self) -> bool {
        let below = other.lo < self.lo || other.lo == f64::NEG_INFINITY;
        let above = self.hi < other.hi || other.hi == f64::INFINITY;
        self.is_empty() || (below && above)
    }

    /// Have they no member in common?
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.intersect(other).is_empty()
    }

    /// The smallest interval that holds both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        // The empty interval's ends (+∞, −∞) are neutral here.
        Self {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// The members common to both; may be empty.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return Self::EMPTY;
        }
        Self::from_ends(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// The two halves, sharing the middle; two empty ones if empty.
    #[must_use]
    pub fn bisect(&self) -> (Self, Self) {
        match self.mid() {
            Some(middle) => (Self { hi: middle, ..*self }, Self { lo: middle, ..*self }),
            None => (Self::EMPTY, Self::EMPTY),
        }
    }

    /// Moves both ends outwards by one double.
    #[must_use]
    pub fn widened(&self) -> Self {
        if self.is_empty() {
            *self
        } else {
            Self::from_ends(self.lo.next_down(), self.hi.next_up())
        }
    }

    /// Is the square root defined on all of it (`True`), on none (`False`), or on part or none known?
    #[must_use]
    pub fn is_sqrt_defined(&self) -> Tri {
        self.is_within(&Self {
            lo: 0.0,
            hi: f64::INFINITY,
        })
    }

    /// Is the logarithm defined on all of it?
    #[must_use]
    pub fn is_ln_defined(&self) -> Tri {
        self.is_within(&Self {
            lo: 0.0_f64.next_up(),
            hi: f64::INFINITY,
        })
    }

    /// Are arcsine and arccosine defined on all of it?
    #[must_use]
    pub fn is_arcsine_defined(&self) -> Tri {
        self.is_within(&Self { lo: -1.0, hi: 1.0 })
    }

    /// Is it free of zero, so that dividing by it is defined everywhere?
    #[must_use]
    pub fn is_nonzero(&self) -> Tri {
        if self.is_empty() {
            Tri::Unknown
        } else if *self == Self::ZERO {
            Tri::False
        } else {
            Tri::from(!self.contains(0.0)).or(Tri::Unknown)
        }
    }

    /// Is it inside `domain` (`True`), apart from it (`False`), or neither?
    #[must_use]
    pub fn is_within(&self, domain: &Self) -> Tri {
        if self.is_empty() {
            Tri::Unknown
        } else if self.is_subset(domain) {
            Tri::True
        } else if self.is_disjoint(domain) {
            Tri::False
        } else {
            Tri::Unknown
        }
    }
}

impl From<f64> for Interval {
    /// The single number; empty for NaN and infinities.
    fn from(value: f64) -> Self {
        Self::point(value)
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            write!(f, "[empty]")
        } else {
            write!(f, "[{:?}, {:?}]", self.lo, self.hi)
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            write!(f, "[empty]")
        } else {
            write!(f, "[{}, {}]", self.lo, self.hi)
        }
    }
}
