//! Events inside a step: which functions are worth a search, the first crossing that counts, and what happens together.
//!
//! Five values of a function tell whether a root is near enough to search for. A crossing that does not count (a grazing, or a sinking from the level) is followed by a search from there.

use crate::{Beginning, Crossing, CrossingSearch};

/// The points at which a function is evaluated, on [0, 1]: the Chebyshev points with both ends.
pub const CLEAR_POINTS: [f64; 5] = [0.0, 0.146_446_609_406_726_24, 0.5, 0.853_553_390_593_273_8, 1.0];

/// Whether a smooth function with these values at [`CLEAR_POINTS`] stays positive: its interpolant stays clear of zero by more than four times its last two
/// coefficients.
pub fn is_clear(v: [f64; 5]) -> bool {
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let (e0, e1, e2) = (v[0] + v[4], v[1] + v[3], v[2]);
    let (o0, o1) = (v[0] - v[4], v[1] - v[3]);
    let c0 = (0.5 * e0 + e1 + e2) / 4.0;
    let c1 = (0.5 * o0 + h * o1) / 2.0;
    let c2 = (0.5 * e0 - e2) / 2.0;
    let c3 = (0.5 * o0 - h * o1) / 2.0;
    let c4 = (0.5 * e0 - e1 + e2) / 4.0;
    c0 - c1.abs() - c2.abs() - 5.0 * (c3.abs() + c4.abs()) > 0.0
}

/// Events closer than this part of max(1, t) happen together.
const TOGETHER: f64 = 1e-12;

/// Until when something happens together with what happens at `t`.
pub fn simultaneous_until(t: f64) -> f64 {
    t + TOGETHER * t.abs().max(1.0)
}

/// The moment of the first of these events and of all that happen together with it: the last of them.
pub fn together(events: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let first = events.clone().reduce(f64::min)?;
    let until = simultaneous_until(first);
    Some(events.filter(|t| *t <= until).fold(first, f64::max))
}

impl CrossingSearch {
    /// The first crossing on [a, b] that counts: [`Crossing::At`], and [`Crossing::Sinks`] if sinkings do. Never a grazing.
    pub fn first_event(
        &mut self,
        g: &mut dyn FnMut(f64) -> f64,
        (a, b): (f64, f64),
        mut beginning: Beginning,
        do_sinkings_count: bool,
    ) -> Crossing {
        let mut from = a;
        // After each the search begins from below, which cannot sink again.
        for _ in 0..3 {
            let found = self.first(g, from, b, beginning);
            match found {
                Crossing::Sinks { t } if !do_sinkings_count => from = t,
                Crossing::Grazing { t, .. } => from = t,
                _ => return found,
            }
            beginning = Beginning::Fresh;
        }
        Crossing::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_root_gets_through() {
        for root in [0.01, 0.3, 0.77, 1.0] {
            assert!(!is_clear(CLEAR_POINTS.map(|t| root - t)));
            assert!(!is_clear(CLEAR_POINTS.map(|t| (t - root) * (t - root) - 1e-9)));
        }
        assert!(is_clear(CLEAR_POINTS.map(|t| 1.1 - t)));
        assert!(is_clear(CLEAR_POINTS.map(|t| 2.0 + (t * 0.3).sin())));
    }

    #[test]
    fn only_what_counts_is_an_event() {
        let mut search = CrossingSearch::new(crate::CrossingOptions::default());
        // On the level at 0, below, above from 1 to 2.
        let mut wave = |t: f64| -t * (t - 1.0) * (t - 2.0);
        let mut event = |counts| search.first_event(&mut wave, (0.0, 3.0), Beginning::Fresh, counts);
        assert!(matches!(event(true), Crossing::Sinks { t } if t < 0.5));
        assert!(matches!(event(false), Crossing::At { t, .. } if (t - 2.0).abs() < 1e-12));
    }

    #[test]
    fn events_within_rounding_happen_together() {
        assert_eq!(together([2.0, 1.0 + 5e-13, 1.0].into_iter()), Some(1.0 + 5e-13));
        assert_eq!(together([2.0, 1.0 + 5e-12, 1.0].into_iter()), Some(1.0));
        assert_eq!(together(std::iter::empty()), None);
    }
}
