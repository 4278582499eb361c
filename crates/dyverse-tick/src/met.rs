//! Equality of signals that change while time passes is a crossing.
//!
//! # The rule
//! Two signals *meet* where their difference d passes 0, or touches it: comes within [`TOUCH`] of the larger of the two (or half the tolerance of the guard) and goes away again. Rounding
//! leaves d = r there, not 0; so what met is remembered with its r, and counts as equal while d stays between 0 and r, up to rounding: through all microsteps of the instant at which nothing
//! moves them apart, and while time passes until d has left by more than twice [`TOUCH`] (an event). Starting there is no meeting: they must part before they can meet again.

use dyverse_expr::NodeId;

/// How near two numbers must come for a touch, part of the larger.
pub(crate) const TOUCH: f64 = 1e-12;
/// Rounding of a difference, part of the larger number.
const ROUNDINGS: f64 = 4.0 * f64::EPSILON;

/// Two sides of an equality that met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Met {
    /// The equality.
    pub(crate) node: NodeId,
    /// How far the first came to lie beyond the second.
    pub(crate) beyond: f64,
}

impl Met {
    /// Whether these two count as equal in this equality.
    pub(crate) fn holds(&self, node: NodeId, a: f64, b: f64) -> bool {
        self.node == node && self.is_there(a - b, a.abs().max(b.abs()))
    }

    /// Whether a difference of numbers of this size is still where they met.
    pub(crate) fn is_there(&self, d: f64, size: f64) -> bool {
        let [low, high] = self.bounds(size);
        low <= d && d <= high
    }

    /// Where the difference of numbers of this size then is.
    pub(crate) fn bounds(&self, size: f64) -> [f64; 2] {
        let margin = ROUNDINGS * size;
        [self.beyond.min(0.0) - margin, self.beyond.max(0.0) + margin]
    }
}

/// How far two numbers must part to have left: twice what is a touch, and farther than they are.
pub(crate) fn leaving(d: f64, size: f64) -> f64 {
    (d.abs() * (1.0 + 1e-6)).max(2.0 * TOUCH * size) + f64::MIN_POSITIVE
}
