//! Exponential, logarithm, hyperbolic functions, powers and floor of intervals.
//!
//! # Method
//! Each function is monotone, or made of monotone pieces split at zero, so its range is found at the ends.
//! At an end, core-math gives the correctly rounded value y = RN(f(x)), so f(x) lies between the
//! neighbours of y; the few arguments where f(x) is itself a double (exp 0 = 1, ln 1 = 0, …; by
//! Lindemann–Weierstrass there are no others for doubles) are kept exact. Results are cut to the function's
//! range.
//!
//! # Guarantee
//! Rigorous, given that core-math is within one ulp (it claims to be correctly rounded, half an ulp);
//! at most one double wider per side than the smallest enclosure.

use super::Interval;
use crate::Tri;

/// All non-negative numbers.
const NON_NEGATIVE: Interval = Interval {
    lo: 0.0,
    hi: f64::INFINITY,
};

/// f(x) between doubles, for x an end (perhaps infinite): exact at `known.0`, where f is `known.1`.
pub(super) fn enclose_end(f: fn(f64) -> f64, x: f64, known: (f64, f64)) -> Interval {
    if x == known.0 {
        return Interval::point(known.1);
    }
    let y = f(x);
    Interval {
        lo: y.next_down(),
        hi: y.next_up(),
    }
}

impl Interval {
    /// The range of a growing function, cut to `range`.
    pub(super) fn image_of_growing(&self, f: fn(f64) -> f64, known: (f64, f64), range: &Self) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let ends = Self {
            lo: enclose_end(f, self.lo, known).lo,
            hi: enclose_end(f, self.hi, known).hi,
        };
        ends.intersect(range)
    }

    /// Exponential function.
    #[must_use]
    pub fn exp(&self) -> Self {
        self.image_of_growing(core_math::exp, (0.0, 1.0), &NON_NEGATIVE)
    }

    /// Natural logarithm of the positive part.
    #[must_use]
    pub fn ln(&self) -> Self {
        if self.hi <= 0.0 {
            return Self::EMPTY;
        }
        self.intersect(&NON_NEGATIVE)
            .image_of_growing(core_math::log, (1.0, 0.0), &Self::ENTIRE)
    }

    /// Hyperbolic sine.
    #[must_use]
    pub fn sinh(&self) -> Self {
        self.image_of_growing(core_math::sinh, (0.0, 0.0), &Self::ENTIRE)
    }

    /// Hyperbolic cosine.
    #[must_use]
    pub fn cosh(&self) -> Self {
        self.abs().image_of_growing(
            core_math::cosh,
            (0.0, 1.0),
            &Self {
                lo: 1.0,
                hi: f64::INFINITY,
            },
        )
    }

    /// Hyperbolic tangent.
    #[must_use]
    pub fn tanh(&self) -> Self {
        self.image_of_growing(core_math::tanh, (0.0, 0.0), &Self { lo: -1.0, hi: 1.0 })
    }

    /// Greatest integer not above; exact on doubles.
    #[must_use]
    pub fn floor(&self) -> Self {
        if self.is_empty() {
            *self
        } else {
            Self::from_ends(self.lo.floor(), self.hi.floor())
        }
    }

    /// −1, 0 or 1; the hull where several occur.
    #[must_use]
    pub fn sign(&self) -> Self {
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        if self.is_empty() {
            *self
        } else {
            Self::from_ends(sign(self.lo), sign(self.hi))
        }
    }

    /// Integer power; `x⁰ = 1`, and negative powers leave out `x = 0`.
    #[must_use]
    pub fn powi(&self, exponent: i32) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let power = self.power(exponent.unsigned_abs());
        if exponent < 0 { Self::ONE / power } else { power }
    }

    /// xⁿ for n ≥ 0: growing for odd n, and for even n growing in |x|.
    fn power(&self, n: u32) -> Self {
        match n {
            0 => Self::ONE,
            1 => *self,
            2 => self.squared(),
            _ => {
                let base = if n.is_multiple_of(2) { self.abs() } else { *self };
                Self {
                    lo: end_power(base.lo, n).lo,
                    hi: end_power(base.hi, n).hi,
                }
            }
        }
    }

    /// Real power, where defined: base above zero; base zero with exponent ≥ 0; any base with an integer
    /// exponent (then like [`powi`](Self::powi)).
    ///
    /// x^y is monotone in x for fixed y and in y for fixed x, so on a box with x ≥ 0 its range is
    /// spanned by the four corners.
    #[must_use]
    pub fn powf(&self, exponent: &Self) -> Self {
        if self.is_empty() || exponent.is_empty() {
            return Self::EMPTY;
        }
        if let Some(n) = exponent.as_integer() {
            return self.powi(n);
        }
        if self.lo < 0.0 && exponent.lo.ceil() <= exponent.hi {
            return Self::ENTIRE; // Negative bases with an integer exponent: defined at single points.
        }
        let base = self.intersect(&NON_NEGATIVE);
        if base.is_empty() || (base == Self::ZERO && exponent.hi < 0.0) {
            return Self::EMPTY;
        }
        let corners = [
            (base.lo, exponent.lo),
            (base.lo, exponent.hi),
            (base.hi, exponent.lo),
            (base.hi, exponent.hi),
        ];
        let range = corners
            .iter()
            .fold(Self::EMPTY, |range, (x, y)| range.hull(&corner_power(*x, *y)));
        range.intersect(&NON_NEGATIVE)
    }

    /// Is the real power defined for every base here and every exponent there?
    #[must_use]
    pub fn is_powf_defined(&self, exponent: &Self) -> Tri {
        if self.is_empty() || exponent.is_empty() {
            return Tri::Unknown;
        }
        let integer = exponent.as_integer().is_some();
        let zero_allowed = exponent.lo >= 0.0;
        let defined = (self.lo >= 0.0 || integer) && (!self.contains(0.0) || zero_allowed);
        let nowhere =
            (self.hi < 0.0 && exponent.lo.ceil() > exponent.hi) || (*self == Self::ZERO && exponent.hi < 0.0);
        if defined {
            Tri::True
        } else if nowhere {
            Tri::False
        } else {
            Tri::Unknown
        }
    }

    /// The integer it is, if it is a single one that fits.
    fn as_integer(&self) -> Option<i32> {
        let fits = self.is_point() && self.lo.fract() == 0.0 && self.lo.abs() <= f64::from(i32::MAX);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "checked to be an integer in range"
        )]
        fits.then_some(self.lo as i32)
    }
}

/// xⁿ for an end x and n ≥ 3: repeated squaring keeps exact powers exact, core-math keeps the rest tight.
fn end_power(x: f64, n: u32) -> Interval {
    let y = core_math::pow(x, f64::from(n));
    if x.is_infinite() {
        return Interval { lo: y, hi: y };
    }
    let (mut product, mut square, mut rest) = (Interval::ONE, Interval::point(x), n);
    while rest > 0 {
        if rest % 2 == 1 {
            product = product * square;
        }
        square = square.squared();
        rest /= 2;
    }
    product.intersect(&Interval {
        lo: y.next_down(),
        hi: y.next_up(),
    })
}

/// x^y at a corner (x ≥ 0) or its limit there.
fn corner_power(x: f64, y: f64) -> Interval {
    let power = core_math::pow(x, y);
    if x == 0.0 || x == 1.0 || y == 0.0 || x.is_infinite() || y.is_infinite() {
        return Interval {
            lo: power.min(f64::MAX),
            hi: power,
        };
    }
    Interval {
        lo: power.next_down(),
        hi: power.next_up(),
    }
}
