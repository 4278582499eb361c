//! Inverse functions on intervals: for y = f(x) with x ∈ X and y ∈ Y, the part of X that may be meant.
//!
//! # Method
//! Monotone functions by their ends; others piece by piece, each piece cut with X before the hull is taken. The
//! periodic ones try the pieces at both ends of X; the hull holds those between.
//!
//! # Guarantee
//! Rigorous: no x ∈ X with f(x) ∈ Y is lost.

use dyverse_num::Interval;

/// Half turns above this size are not told apart: the next double may be far away.
const MOST_HALF_TURNS: f64 = 1_099_511_627_776.0; // 2⁴⁰
/// Pieces tried at each end of a wide interval: two neighbouring ones that lie wholly inside hold a solution.
const PIECES: f64 = 5.0;

/// All numbers from this one on.
pub(super) fn at_least(lo: f64) -> Interval {
    Interval::new(lo, f64::INFINITY).unwrap_or(Interval::ENTIRE)
}
/// All numbers up to this one.
pub(super) fn at_most(hi: f64) -> Interval {
    Interval::new(f64::NEG_INFINITY, hi).unwrap_or(Interval::ENTIRE)
}
pub(super) fn non_negative() -> Interval {
    at_least(0.0)
}

/// x ∈ X with x ∈ Y or −x ∈ Y, for Y without negative numbers.
pub(super) fn either_sign(x: Interval, y: Interval) -> Interval {
    x.intersect(&y).hull(&x.intersect(&-y))
}

/// a ∈ A with a · b = y for some b ∈ B, y ∈ Y.
pub(super) fn factor(a: Interval, b: Interval, y: Interval) -> Interval {
    if b.contains(0.0) && y.contains(0.0) {
        return a;
    }
    let negative = y / b.intersect(&at_most(0.0));
    let positive = y / b.intersect(&non_negative());
    a.intersect(&negative).hull(&a.intersect(&positive))
}

/// The image of Y under a growing function that encloses its value at a double.
fn growing(y: Interval, f: impl Fn(f64) -> Interval) -> Interval {
    let end = |v: f64| {
        if v.is_infinite() {
            (v, v)
        } else {
            let value = f(v);
            (value.lo(), value.hi())
        }
    };
    if y.is_empty() {
        return y;
    }
    Interval::new(end(y.lo()).0, end(y.hi()).1).unwrap_or(Interval::ENTIRE)
}

/// x with sinh x ∈ Y: ln(y + √(y² + 1)), odd.
pub(super) fn asinh(y: Interval) -> Interval {
    let positive = |v: f64| {
        let v = Interval::point(v);
        (v + (v.squared() + Interval::ONE).sqrt()).ln()
    };
    growing(y, |v| if v >= 0.0 { positive(v) } else { -positive(-v) })
}

/// x ≥ 0 with cosh x ∈ Y: ln(y + √(y² − 1)).
pub(super) fn acosh(y: Interval) -> Interval {
    let image = growing(y.intersect(&at_least(1.0)), |v| {
        let v = Interval::point(v);
        (v + (v.squared() - Interval::ONE).sqrt()).ln()
    });
    image.intersect(&non_negative())
}

/// x with tanh x ∈ Y: ½ ln((1 + y) / (1 − y)).
pub(super) fn atanh(y: Interval) -> Interval {
    let half = Interval::point(0.5);
    growing(y, |v| {
        if v <= -1.0 {
            return at_most(-f64::MAX);
        }
        if v >= 1.0 {
            return at_least(f64::MAX);
        }
        let v = Interval::point(v);
        half * ((Interval::ONE + v) / (Interval::ONE - v)).ln()
    })
}

/// x ∈ X with xⁿ ∈ Y, n ≠ 0.
pub(super) fn integer_root(x: Interval, n: i32, y: Interval) -> Interval {
    let y = if n < 0 { reciprocal(y) } else { y };
    let n = n.unsigned_abs();
    let root = |v: f64| match n {
        1 => Interval::point(v),
        2 => Interval::point(v).sqrt(),
        _ => Interval::point(v).powf(&(Interval::ONE / Interval::point(f64::from(n)))),
    };
    if n.is_multiple_of(2) {
        either_sign(x, growing(y.intersect(&non_negative()), root))
    } else {
        x.intersect(&growing(y, |v| if v >= 0.0 { root(v) } else { -root(-v) }))
    }
}

/// 1/y without y = 0, as one interval.
fn reciprocal(y: Interval) -> Interval {
    Interval::ONE / y
}

/// x ∈ X with x = mπ + s or, for odd m, mπ − s (`alternates`), where s ∈ S ⊂ [−π/2, π/2] and m is whole.
fn periodic(x: Interval, s: Interval, alternates: bool) -> Interval {
    let turns = x / Interval::PI;
    if s.is_empty() {
        return s;
    }
    if !x.is_bounded() || turns.magnitude() > MOST_HALF_TURNS {
        return x;
    }
    let first = (turns.lo() - 0.5).floor() - 1.0;
    let last = (turns.hi() + 0.5).ceil() + 1.0;
    let pieces = |from: f64, to: f64| {
        let (mut hull, mut m) = (Interval::EMPTY, from);
        while m <= to {
            let s = if alternates && m.rem_euclid(2.0) == 1.0 {
                -s
            } else {
                s
            };
            hull = hull.hull(&x.intersect(&(Interval::PI * Interval::point(m) + s)));
            m += 1.0;
        }
        hull
    };
    if last - first <= 4.0 * PIECES {
        return pieces(first, last);
    }
    let (low, high) = (pieces(first, first + PIECES), pieces(last - PIECES, last));
    if low.is_empty() || high.is_empty() {
        x
    } else {
        low.hull(&high)
    }
}

/// x ∈ X with sin x ∈ Y.
pub(super) fn sine(x: Interval, y: Interval) -> Interval {
    periodic(x, y.asin(), true)
}
/// x ∈ X with cos x ∈ Y: cos x = sin(x + π/2).
pub(super) fn cosine(x: Interval, y: Interval) -> Interval {
    let quarter = Interval::PI * Interval::point(0.5);
    x.intersect(&(sine(x + quarter, y) - quarter))
}
/// x ∈ X with tan x ∈ Y.
pub(super) fn tangent(x: Interval, y: Interval) -> Interval {
    periodic(x, y.atan(), false)
}
