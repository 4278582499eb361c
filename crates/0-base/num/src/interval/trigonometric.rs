//! Sine, cosine, tangent and their inverses on intervals.
//!
//! # Method
//! The turning points of sine and cosine, and the poles of tangent, lie at integer multiples m·π/2. The
//! quotient X / [π/2] in interval arithmetic holds every m with m·π/2 ∈ X, perhaps a few more; a turning
//! point that is *possibly* in X stretches the range to ±1, a possible pole to the whole line. Without
//! one, the extreme values are at the ends, where core-math's correctly rounded values are widened to
//! their neighbours. A single double is never a turning point or a pole (π is irrational), so points skip
//! the search.
//!
//! `atan2` of a box that avoids the origin and the cut (the negative x-axis approached from below) takes its
//! extreme values at corners, because along each edge the angle is monotone.
//!
//! # Guarantee
//! Rigorous, given that core-math is within one ulp. Beyond 2⁵⁰ quarter turns, intervals that are not points
//! get the full range.

use super::Interval;
use super::elementary::enclose_end;

/// The two doubles around π/2.
const HALF_PI: Interval = Interval {
    lo: std::f64::consts::FRAC_PI_2,
    hi: std::f64::consts::FRAC_PI_2.next_up(),
};
/// The range of sine and cosine, and the domain of their inverses.
const UNIT: Interval = Interval { lo: -1.0, hi: 1.0 };
/// 2⁵⁰: multiples of π/2 above this are not told apart.
const MOST_QUARTER_TURNS: f64 = 1_125_899_906_842_624.0;
/// A value no end ever has: for functions without an exact value.
const NOWHERE: (f64, f64) = (f64::NAN, f64::NAN);

/// A range of integers that holds every m with m·π/2 in some interval.
struct QuarterTurns {
    first: i64,
    last: i64,
}

impl QuarterTurns {
    /// The quarter turns in a bounded interval of moderate size; `None` if they cannot be told.
    fn of(angles: &Interval) -> Option<Self> {
        let quotient = *angles / HALF_PI;
        if !quotient.is_bounded() || quotient.magnitude() > MOST_QUARTER_TURNS {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "integers below 2⁵⁰ in size")]
        Some(Self {
            first: quotient.lo.ceil() as i64,
            last: quotient.hi.floor() as i64,
        })
    }

    /// Is there an m ≡ `residue` modulo `modulus` among them?
    fn holds(&self, residue: i64, modulus: i64) -> bool {
        self.first + (residue - self.first).rem_euclid(modulus) <= self.last
    }
}

impl Interval {
    /// Range of sine or cosine, whose peaks and troughs are at quarter turns ≡ `peak`, `trough` (mod 4).
    fn wave(&self, f: fn(f64) -> f64, known: (f64, f64), peak: i64, trough: i64) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        if !self.is_bounded() {
            return UNIT;
        }
        let mut range = enclose_end(f, self.lo, known).hull(&enclose_end(f, self.hi, known));
        if !self.is_point() {
            let Some(turns) = QuarterTurns::of(self) else {
                return UNIT;
            };
            if turns.holds(peak, 4) {
                range.hi = 1.0;
            }
            if turns.holds(trough, 4) {
                range.lo = -1.0;
            }
        }
        range.intersect(&UNIT)
    }

    /// Sine.
    #[must_use]
    pub fn sin(&self) -> Self {
        self.wave(core_math::sin, (0.0, 0.0), 1, 3)
    }

    /// Cosine.
    #[must_use]
    pub fn cos(&self) -> Self {
        self.wave(core_math::cos, (0.0, 1.0), 0, 2)
    }

    /// Tangent; the whole line if a pole may be inside.
    #[must_use]
    pub fn tan(&self) -> Self {
        let crosses_pole = || QuarterTurns::of(self).is_none_or(|turns| turns.holds(1, 2));
        if !self.is_bounded() || (!self.is_point() && !self.is_empty() && crosses_pole()) {
            return Self::ENTIRE;
        }
        self.image_of_growing(core_math::tan, (0.0, 0.0), &Self::ENTIRE)
    }

    /// Arcsine of the part inside [−1, 1].
    #[must_use]
    pub fn asin(&self) -> Self {
        let range = Self {
            lo: -HALF_PI.hi,
            hi: HALF_PI.hi,
        };
        self.intersect(&UNIT)
            .image_of_growing(core_math::asin, (0.0, 0.0), &range)
    }

    /// Arccosine of the part inside [−1, 1].
    #[must_use]
    pub fn acos(&self) -> Self {
        let x = self.intersect(&UNIT);
        if x.is_empty() {
            return Self::EMPTY;
        }
        let ends = Self {
            lo: enclose_end(core_math::acos, x.hi, (1.0, 0.0)).lo,
            hi: enclose_end(core_math::acos, x.lo, (1.0, 0.0)).hi,
        };
        ends.intersect(&Self {
            lo: 0.0,
            hi: Self::PI.hi,
        })
    }

    /// Arctangent.
    #[must_use]
    pub fn atan(&self) -> Self {
        let range = Self {
            lo: -HALF_PI.hi,
            hi: HALF_PI.hi,
        };
        self.image_of_growing(core_math::atan, (0.0, 0.0), &range)
    }

    /// Angle of the points (`x`, `self`), in [−π, π]; all angles if the origin or the cut is inside.
    #[must_use]
    pub fn atan2(&self, x: &Self) -> Self {
        let y = self;
        if y.is_empty() || x.is_empty() || (*y == Self::ZERO && *x == Self::ZERO) {
            return Self::EMPTY;
        }
        let turn = Self {
            lo: -Self::PI.hi,
            hi: Self::PI.hi,
        };
        let has_origin = y.contains(0.0) && x.contains(0.0);
        let crosses_cut = y.lo < 0.0 && y.hi >= 0.0 && x.lo < 0.0;
        if has_origin || crosses_cut {
            return turn;
        }
        let corners = [(y.lo, x.lo), (y.lo, x.hi), (y.hi, x.lo), (y.hi, x.hi)];
        let range = corners
            .iter()
            .fold(Self::EMPTY, |range, (y, x)| range.hull(&corner_angle(*y, *x)));
        range.intersect(&turn)
    }
}

/// The angle of a corner of a box, or its limit for an infinite corner.
fn corner_angle(y: f64, x: f64) -> Interval {
    if y == 0.0 && x > 0.0 {
        return Interval::ZERO;
    }
    let angle = core_math::atan2(y, x);
    enclose_end(|angle| angle, angle, NOWHERE)
}
