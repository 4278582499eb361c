//! The first downward crossing of a quantity that may have features far narrower than the step: interval arithmetic says where there is nothing to look for, the search on
//! polynomials (crossing.rs) looks at the rest.
//!
//! # Method
//! The stretch is halved again and again; a piece on which the range of the quantity is above zero is left out. What is left is searched at some of the levels, from pieces of an eighth (or the
//! whole stretch, for a polynomial) down to [`LEVELS`] halvings, so that an earlier crossing replaces one that was found before. A transversal crossing leaves two pieces a level; what keeps more of them
//! doubtful, because ranges are wider than values, ends the halving at [`MOST`] ranges.
//!
//! # What is a crossing
//! A quantity that goes no farther than its [`Quantity::margin`] beyond zero and comes back has touched zero; it has not crossed it. The margin is [`MORE`] times what its values
//! may be wrong by there (rounding, and what the solver of motion may leave), so that rounding does not make a crossing of a touch: a force that would act for that instant does nothing. What goes farther crosses where it is zero: the crossing is
//! searched for at the margin, and then followed back to zero. This is the only place that says so, for switches that hang on time and on states.
//!
//! # Guarantee
//! To tolerance, and as good as the ranges: if they are outward, and the limit is not reached, what lasts longer than 2⁻²⁴ of the stretch is not missed, however suddenly it comes.

use crate::crossing::{Found, first_below, first_downward};
use dyverse_num::Interval;

/// Halvings at the most.
const LEVELS: u32 = 24;
/// Ranges at the most.
const MOST: usize = 300;
/// Pieces that are searched again at a deeper level, at the most.
const FEW: usize = 12;
/// Between such levels.
const EACH: u32 = 5;
/// A crossing replaces another one if it is earlier by this part of the stretch.
const EARLIER: f64 = 1e-9;

/// Something whose crossing is searched for.
pub(crate) trait Quantity {
    /// Its values between two times, or more.
    fn range(&mut self, from: f64, to: f64) -> Interval;
    /// Its value at a time.
    fn at(&mut self, t: f64) -> f64;
    /// The rounding of its values between two times.
    fn noise(&mut self, from: f64, to: f64) -> f64;
    /// What its values may be wrong by, in roundings.
    fn wrong(&self) -> f64;
    /// How far beyond zero it has crossed.
    fn margin(&mut self, from: f64, to: f64) -> f64 {
        MORE * self.wrong() * self.noise(from, to)
    }
}

/// How many times what values may be wrong by is more than that.
pub(crate) const MORE: f64 = 4.0;
/// The first way back from the margin towards zero, part of the time; each further one is four times as long.
const BACK: f64 = 4.0 * f64::EPSILON;

/// The first downward crossing in (from, to]; `is_plain`: the quantity is a polynomial, so that the first search is one of the whole.
pub(crate) fn first_isolated(quantity: &mut dyn Quantity, (from, to): (f64, f64), is_plain: bool) -> Found {
    let mut best: Option<f64> = None;
    let mut is_lost = false;
    let mut pieces = vec![(from, to)];
    let mut ranges = 0;
    let first_search = if is_plain { 0 } else { 3 };
    for level in 0..=LEVELS {
        ranges += pieces.len();
        pieces.retain(|(a, b)| {
            let range = quantity.range(*a, *b);
            // Not by its margin, which on a long piece is that of its worst place.
            range.is_empty() || range.lo() <= 0.0
        });
        if pieces.is_empty() {
            is_lost = false;
            break;
        }
        let is_last = ranges + 2 * pieces.len() > MOST;
        let is_due = level >= first_search && (level - first_search).is_multiple_of(EACH);
        if (is_due || is_last && level < first_search) && (level == first_search || pieces.len() <= FEW) {
            is_lost = false;
            for (a, b) in &pieces {
                match first_through(quantity, *a, *b) {
                    Found::None => continue,
                    Found::At(t) => {
                        let is_earlier = |best: f64| t < best - EARLIER * (to - from);
                        if best.is_none_or(is_earlier) {
                            best = Some(t);
                        }
                    }
                    Found::NotIsolated => is_lost = true,
                }
                break;
            }
        }
        if is_last {
            break;
        }
        let halves = pieces.into_iter().flat_map(|(a, b)| {
            let middle = a + 0.5 * (b - a);
            [(a, middle), (middle, b)]
        });
        let until = best.unwrap_or(f64::INFINITY);
        pieces = halves.filter(|(a, b)| a < b && *a < until).collect();
    }
    match best {
        Some(t) => Found::At(t),
        None if is_lost => Found::NotIsolated,
        None => Found::None,
    }
}

/// The first crossing there, as far as polynomials show it.
pub(crate) fn first_through(quantity: &mut dyn Quantity, from: f64, to: f64) -> Found {
    let (margin, noise) = (quantity.margin(from, to), quantity.noise(from, to));
    match first_downward(&mut |t| quantity.at(t) + margin, (from, to), 0.0, noise) {
        Found::At(t) => Found::At(followed_back(quantity, from, t)),
        other => other,
    }
}

/// Where a quantity that is beyond its margin at `t` became zero; `t` if it was not positive before.
fn followed_back(quantity: &mut dyn Quantity, from: f64, t: f64) -> f64 {
    let mut back = BACK * t.abs().max(t - from);
    while back > 0.0 {
        let before = (t - back).max(from);
        if quantity.at(before) > 0.0 {
            return first_below(&mut |t| quantity.at(t), before, t);
        }
        if before <= from {
            break;
        }
        back *= 4.0;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_num::Scalar;

    /// A function with its extension to intervals.
    struct Both<F, G>(F, G, usize);

    impl<F: Fn(f64) -> f64, G: Fn(Interval) -> Interval> Quantity for Both<F, G> {
        fn range(&mut self, from: f64, to: f64) -> Interval {
            self.2 += 1;
            (self.1)(Interval::new(from, to).unwrap())
        }
        fn at(&mut self, t: f64) -> f64 {
            (self.0)(t)
        }
        fn noise(&mut self, _: f64, _: f64) -> f64 {
            1e-15
        }
        fn wrong(&self) -> f64 {
            1.0
        }
    }

    /// Bumps e^{-((t - c)/w)²} against a level, wherever they are and however narrow.
    #[test]
    fn narrow_bumps_are_found() {
        for width in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            for k in 0..40 {
                let at = 0.07 + 0.023_456_789 * f64::from(k);
                let value = |t: f64| (-1.0_f64).exp() - (-((t - at) / width).powi(2)).exp();
                let range = |t: Interval| {
                    let u = (t - Interval::point(at)) / Interval::point(width);
                    Interval::point((-1.0_f64).exp()) - Scalar::exp(&-u.squared())
                };
                let mut both = Both(value, range, 0);
                let found = first_isolated(&mut both, (0.0, 1.0), false);
                let Found::At(t) = found else {
                    panic!("{found:?} {width} {at}");
                };
                // Where it begins inside the bump that is no crossing.
                assert!((t - (at - width).max(0.0)).abs() < 1e-9, "{t} {at} {width}");
                assert!(both.2 <= 2 * MOST, "{} ranges", both.2);
            }
        }
    }

    /// A later crossing that is easily seen does not hide an earlier one that is not.
    #[test]
    fn the_first_of_two_is_found() {
        let value = |t: f64| if (t - 0.3123).abs() < 1e-5 { -1.0 } else { 0.9 - t };
        let range = |t: Interval| {
            let line = Interval::point(0.9) - t;
            let near = t - Interval::point(0.3123);
            if near.lo() < 1e-5 && near.hi() > -1e-5 {
                line.hull(&Interval::point(-1.0))
            } else {
                line
            }
        };
        for is_plain in [true, false] {
            let found = first_isolated(&mut Both(value, range, 0), (0.0, 1.0), is_plain);
            assert!(
                matches!(found, Found::At(t) if (t - 0.31229).abs() < 1e-7),
                "{found:?}"
            );
        }
    }

    /// Where the range says at once that nothing happens, nothing is searched; a minimum above zero costs little.
    #[test]
    fn nothing_is_found_where_nothing_is() {
        let mut away = Both(|t: f64| 1.0 + t, |t: Interval| Interval::ONE + t, 0);
        assert_eq!(first_isolated(&mut away, (0.0, 1.0), false), Found::None);
        assert_eq!(away.2, 1);
        let mut near = Both(
            |t: f64| (t - 0.4) * (t - 0.4) + 1e-9,
            |t: Interval| (t - Interval::point(0.4)).squared() + Interval::point(1e-9),
            0,
        );
        assert_eq!(first_isolated(&mut near, (0.0, 1.0), false), Found::None);
        assert!(near.2 < 10, "{} ranges", near.2);
    }

    /// What touches zero, within rounding, has not crossed it, and hides no crossing after it; what goes through by more has.
    #[test]
    fn a_touch_is_no_crossing() {
        for k in 1..50 {
            let (at, later) = (0.01 * f64::from(k), 0.51 + 0.0077 * f64::from(k));
            for off in [0.0, 1e-15, -1e-15, 3e-15, -3e-15] {
                let value = |t: f64| (t - at) * (t - at) - off;
                let range = |t: Interval| (t - Interval::point(at)).squared() - Interval::point(off);
                for is_plain in [true, false] {
                    let found = first_isolated(&mut Both(value, range, 0), (0.0, 1.0), is_plain);
                    assert_eq!(found, Found::None, "{at} {off}");
                    let value = |t: f64| value(t) * (later - t);
                    let range = |t: Interval| range(t) * (Interval::point(later) - t);
                    let found = first_isolated(&mut Both(value, range, 0), (0.0, 1.0), is_plain);
                    let near = |t: f64| (t - later).abs() < 1e-9;
                    assert!(matches!(found, Found::At(t) if near(t)), "{found:?} {at} {off}");
                }
            }
            let value = |t: f64| (t - at) * (t - at) - 1e-13;
            let range = |t: Interval| (t - Interval::point(at)).squared() - Interval::point(1e-13);
            let found = first_isolated(&mut Both(value, range, 0), (0.0, 1.0), true);
            let near = |t: f64| (t - at + 1e-13_f64.sqrt()).abs() < 1e-11;
            assert!(matches!(found, Found::At(t) if near(t)), "{found:?} {at}");
        }
    }
}
