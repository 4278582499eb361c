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
/// use dyverse_time::SuperdenseTime;
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
        write!(f, "({}, {})", self.t, self.n)
    }
}

#[cfg(test)]
mod tests {
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
