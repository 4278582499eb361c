//! The first downward crossing of a gap or guard along a step.
//!
//! A force may jump inside a step, where the closest points of two surfaces go from one face or edge to the next. There is no polynomial for that, and the search ends at a short stretch
//! that it cannot resolve. One no longer than [`SHORT`] of the step is decided by its ends.

use dyverse_flow::{Beginning, Crossing, CrossingOptions, CrossingSearch};

/// The longest part of a step that is decided by its ends.
const SHORT: f64 = 1e-6;
/// Such stretches in a step, at the most.
const MOST_JUMPS: usize = 8;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Found {
    None,
    At(f64),
    /// A limit was reached, or the function has no value: not the same as none.
    NotIsolated,
}

/// Searches for the first time in (from, to] at which `f` goes below zero, or, if it starts at or below zero, sinks from there by `level`; `noise` is
/// how well its values are known.
pub(crate) fn first_downward(
    f: &mut dyn FnMut(f64) -> f64,
    (from, to): (f64, f64),
    level: f64,
    noise: f64,
) -> Found {
    let mut search = CrossingSearch::new(CrossingOptions {
        level,
        noise,
        ..CrossingOptions::default()
    });
    // A gap that starts a rounding below zero must not go unseen when it does not rise: what it starts with is its zero.
    let start = f(from).min(0.0);
    let mut f = |t: f64| f(t) - start;
    let (mut begun, mut beginning) = (from, Beginning::Fresh);
    for _ in 0..MOST_JUMPS {
        match search.first(&mut f, begun, to, beginning) {
            Crossing::None | Crossing::Grazing { .. } => return Found::None,
            Crossing::At { t, .. } | Crossing::Sinks { t } => return Found::At(t),
            Crossing::NotIsolated { from: l, to: r } if r - l <= SHORT * (to - from) => {
                let (at_l, at_r) = (f(l), f(r));
                if at_l > 0.0 && at_r <= 0.0 {
                    return Found::At(first_below(&mut f, l, r));
                }
                if !(at_l > 0.0 && at_r > 0.0) || r >= to {
                    return Found::NotIsolated;
                }
                (begun, beginning) = (r, Beginning::Above);
            }
            Crossing::NotIsolated { .. } | Crossing::NotFinite { .. } => return Found::NotIsolated,
        }
    }
    Found::NotIsolated
}

/// A place in (l, r] at which `f` is not positive and just before which it is, to rounding.
pub(crate) fn first_below(f: &mut dyn FnMut(f64) -> f64, mut l: f64, mut r: f64) -> f64 {
    loop {
        let middle = 0.5 * (l + r);
        if middle <= l || middle >= r {
            return r;
        }
        if f(middle) > 0.0 { l = middle } else { r = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_crossings_in_one_step_are_not_missed() {
        let found = first_downward(&mut |t| (t - 0.5) * (t - 0.5) - 1e-12, (0.0, 1.0), 1e-9, 0.0);
        assert!(
            matches!(found, Found::At(t) if (t - (0.5 - 1e-6)).abs() < 1e-9),
            "{found:?}"
        );
    }

    /// A gap of bodies a metre from the origin over a microsecond: it changes by less than RESOLVED can see through rounding.
    #[test]
    fn a_crossing_among_rounding_is_found() {
        let mut count = 0;
        let mut gap = |t: f64| {
            count += 1;
            (1.0 + (1.1e-11 - 2.3e-5 * t)) - 1.0
        };
        let found = first_downward(&mut gap, (0.0, 1.7e-6), 1e-12, 4e-15);
        assert!(
            matches!(found, Found::At(t) if (t - 1.1e-11 / 2.3e-5).abs() < 1e-10),
            "{found:?}"
        );
        assert!(count < 2000, "{count} calls");
    }

    #[test]
    fn a_jump_through_zero_is_a_crossing_and_one_above_it_is_none() {
        let place = 0.3 + 1e-9 * std::f64::consts::PI;
        let down = first_downward(
            &mut |t| if t < place { 2.0 + t.sin() } else { -1.0 - t },
            (0.0, 1.0),
            1e-12,
            0.0,
        );
        assert!(
            matches!(down, Found::At(t) if (t - place).abs() < 1e-15),
            "{down:?}"
        );
        let above = first_downward(
            &mut |t| if t < place { 2.0 } else { 0.5 + t },
            (0.0, 1.0),
            1e-12,
            0.0,
        );
        assert_eq!(above, Found::None);
    }

    /// Values that are rounding alone, of any size beside the noise that is told and beside a slope: no search may go on for ever.
    #[test]
    fn a_search_among_noise_ends() {
        for seed in 0..400_u64 {
            let (size, slope) = (
                10_f64.powi(-(seed as i32 % 17)),
                10_f64.powi(-(seed as i32 % 13)) - 1e-6,
            );
            let noise = if seed % 3 == 0 { 0.3 * size } else { 0.0 };
            let mut count = 0_usize;
            let mut value = |t: f64| {
                count += 1;
                let mixed = (t.to_bits() ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                slope * t + size * ((mixed >> 33) as f64 / f64::from(1_u32 << 30) - 0.8)
            };
            let found = first_downward(&mut value, (0.0, 1.0), 1e-12, noise);
            // Interpolants of 25 values at the most, and some to close in.
            let most = MOST_JUMPS * CrossingOptions::default().pieces * 32;
            assert!(count < most, "{seed}: {count} values, {found:?}");
        }
    }

    #[test]
    fn what_starts_below_and_sinks_is_seen() {
        let found = first_downward(&mut |t| -1e-10 - t, (0.0, 1.0), 1e-14, 0.0);
        assert!(matches!(found, Found::At(t) if t < 1e-12), "{found:?}");
        assert_eq!(
            first_downward(&mut |t| t - 1e-10, (0.0, 1.0), 1e-14, 0.0),
            Found::None
        );
    }

    #[test]
    fn what_starts_on_the_level_and_rises_has_not_crossed() {
        assert_eq!(first_downward(&mut |t| t, (0.0, 1.0), 1e-9, 0.0), Found::None);
        assert_eq!(
            first_downward(&mut |_| f64::NAN, (0.0, 1.0), 1e-9, 0.0),
            Found::NotIsolated
        );
    }
}
