//! Superdense time (t, n) [004 §2; SPEC §5].

use std::cmp::Ordering;
use std::fmt;

/// The index of a discrete step at one instant.
pub type Microstep = u32;

/// A moment of a run: model time `t` in seconds, and the microstep `n` at that time.
///
/// Written (t, n) and ordered by `t`, then `n`: everything that happens at one instant happens before time moves on.
///
/// # Invariant
/// `t` is finite. The fields are private, so it cannot be broken from outside.
///
/// # Example
/// ```
/// use dyverse_trace::SuperdenseTime;
/// let touch = SuperdenseTime::at(0.5).expect("0.5 is finite");
/// assert!(touch < touch.next_microstep());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuperdenseTime {
    t: f64,
    n: Microstep,
}

impl SuperdenseTime {
    /// (t, 0); `None` if `t` is not finite.
    pub fn at(t: f64) -> Option<Self> {
        // −0 is 0, so that equal times are equal bits.
        t.is_finite().then_some(SuperdenseTime { t: t + 0.0, n: 0 })
    }
    /// (t, n); `None` if `t` is not finite.
    pub fn new(t: f64, n: Microstep) -> Option<Self> {
        Self::at(t).map(|time| SuperdenseTime { n, ..time })
    }
    /// Model time, s.
    pub fn t(self) -> f64 {
        self.t
    }
    /// The microstep.
    pub fn n(self) -> Microstep {
        self.n
    }
    /// (t, n + 1).
    #[must_use]
    pub fn next_microstep(self) -> Self {
        SuperdenseTime {
            t: self.t,
            n: self.n.saturating_add(1),
        }
    }
}

impl Eq for SuperdenseTime {}

impl Ord for SuperdenseTime {
    fn cmp(&self, other: &Self) -> Ordering {
        self.t.total_cmp(&other.t).then(self.n.cmp(&other.n))
    }
}

impl PartialOrd for SuperdenseTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for SuperdenseTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", shown_number(self.t), self.n)
    }
}

/// A number for people: with twelve digits at the most, and an exponent where it is very small or large.
pub fn shown_number(x: f64) -> String {
    let rounded: f64 = format!("{x:.11e}").parse().unwrap_or(x);
    if rounded == 0.0 || (1e-4..1e15).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_for_people_are_short() {
        let mut bits = 7_u64;
        for _ in 0..2000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let x = f64::from_bits(bits);
            if x.is_finite() {
                let text = super::shown_number(x);
                assert!(text.len() <= 22, "{text}");
                let read: f64 = text.parse().unwrap();
                assert!(
                    (read - x).abs() <= 1e-11 * x.abs() + f64::MIN_POSITIVE,
                    "{text} {x:e}"
                );
            }
        }
        assert_eq!(super::shown_number(5e-324), "5e-324");
        assert_eq!(super::shown_number(0.1 + 0.2), "0.3");
    }

    use super::*;

    #[test]
    fn time_is_ordered_lexicographically_and_finite() {
        let time = |t, n| SuperdenseTime::new(t, n).unwrap();
        assert!(time(1.0, 5) < time(1.5, 0));
        assert!(time(1.0, 5) < time(1.0, 6));
        assert_eq!(time(-0.0, 0), time(0.0, 0));
        assert!(SuperdenseTime::at(f64::NAN).is_none() && SuperdenseTime::at(f64::INFINITY).is_none());
        assert_eq!(time(2.0, 1).next_microstep().to_string(), "(2, 2)");
    }
}
