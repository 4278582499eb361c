//! Equality of signals that change while time passes is a crossing.
//!
//! # The rule
//! Two signals *meet* where their difference d passes 0, or touches it: comes within [`TOUCH`] of the larger of the two (or half the tolerance of the guard) and goes away again. Rounding
//! leaves d = r there, not 0; so what met is remembered with its r, and counts as equal while d stays between 0 and r, up to rounding: through all microsteps of the instant at which nothing
//! moves them apart, and while time passes until d has left by more than twice [`TOUCH`] (an event). Starting there is no meeting: they must part before they can meet again.
//!
//! What met is the two, not how that is written: `x == 0`, `0 == x`, `x - 0 == 0` hold together, `x != 0` and `x < 0` do not hold then ([`compared`]). The same is kept of `x <= 0` where it was located and rounding
//! leaves x beside 0 on its old side (|t − 1| at 1): it holds in that instant.

use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, UnaryFunction};

/// How near two numbers must come for a touch, part of the larger.
pub(crate) const TOUCH: f64 = 1e-12;
/// Rounding of a difference, part of the larger number.
const ROUNDINGS: f64 = 4.0 * f64::EPSILON;

/// Two sides of an equality that met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Met {
    /// The equality, or another comparison.
    pub(crate) node: NodeId,
    /// How far the first came to lie beyond the second.
    pub(crate) beyond: f64,
}

impl Met {
    /// Whether these two count as equal in this comparison.
    pub(crate) fn holds(&self, pool: &Pool, node: NodeId, a: f64, b: f64) -> bool {
        self.sign_in(pool, node)
            .is_some_and(|sign| self.is_there(sign * (a - b), a.abs().max(b.abs())))
    }

    /// The sign of the difference that met in a comparison of the same two.
    pub(crate) fn sign_in(&self, pool: &Pool, node: NodeId) -> Option<f64> {
        let ((first, second), (a, b)) = (compared(pool, self.node)?, compared(pool, node)?);
        if (first, second) == (a, b) {
            Some(1.0)
        } else if (first, second) == (b, a) {
            Some(-1.0)
        } else {
            None
        }
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

/// One of two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    Zero,
    Node(NodeId),
}

/// The two that a comparison is about: p and q in `p - q == 0`.
pub(crate) fn compared(pool: &Pool, node: NodeId) -> Option<(Compared, Compared)> {
    let Node::Compare(_, a, b) = pool.node(node) else {
        return None;
    };
    let of = |id: NodeId| match pool.node(id) {
        Node::Number(literal) if literal.value() == 0.0 => Compared::Zero,
        _ => Compared::Node(id),
    };
    let (mut first, mut second) = (of(a), of(b));
    loop {
        let (id, is_first) = match (first, second) {
            (Compared::Node(id), Compared::Zero) => (id, true),
            (Compared::Zero, Compared::Node(id)) => (id, false),
            _ => return Some((first, second)),
        };
        let (p, q) = match pool.node(id) {
            Node::Binary(BinaryFunction::Subtract, p, q) => (of(p), of(q)),
            Node::Unary(UnaryFunction::Negate, p) => (Compared::Zero, of(p)),
            _ => return Some((first, second)),
        };
        (first, second) = if is_first { (p, q) } else { (q, p) };
    }
}

/// How far two numbers must part to have left: twice what is a touch, and farther than they are.
pub(crate) fn leaving(d: f64, size: f64) -> f64 {
    (d.abs() * (1.0 + 1e-6)).max(2.0 * TOUCH * size) + f64::MIN_POSITIVE
}
