//! On which side of its level a `cross` stands, and when it has seen a crossing.
//!
//! # The rule
//! *Starting on the level is no crossing.* What was located as a crossing is on the level, although rounding (or a tolerance) puts its value a little beyond: it has to leave the
//! level before it can cross it again. So a ball that is thrown back at the moment at which it crosses crosses once, whatever the rounding of its height.
//!
//! | a `cross` | number in its cell |
//! |---|---|
//! | has not been looked at | NaN |
//! | is above, below | ∞, −∞ |
//! | is on the level; where it came to lie is r beyond | r |
//!
//! It comes onto the level where a crossing is located, and where its value passes the level without being an event (the other direction) within the simultaneity tolerance
//! before an instant; where a value is the level up to rounding; and, of one with a tolerance τ, where it passed the level and is within τ/2. It leaves the level when its value is
//! outside the span of 0 and r by more than rounding, and by more than τ/2.
//!
//! Crossings are located while time passes (`locate.rs`). At a tick one is seen where a value that stood above is at or below the level, or the reverse: it jumped. A
//! crossing within the simultaneity tolerance right after an instant is none: it started on the level.

use crate::plan::CrossOp;
use dyverse_actors::Direction;

/// Rounding of a value, part of the larger of it and its level.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;
/// How far beyond its level an event of model exchange is at the least (`exchange.rs`), in the unit of its quantity: the absolute accuracy of the solver.
pub(crate) const LIFT: f64 = 1e-14;
/// Where half of a tolerance is located is wrong by less than this part of it.
const NEARLY: f64 = 1.0 + 1e-6;

/// Where a `cross` stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Standing {
    /// Not looked at yet.
    New,
    Above,
    Below,
    /// On the level; its value came to lie so far beyond.
    On(f64),
}

/// What happened to its value since it was looked at last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Time passed: this is the left limit.
    pub(crate) is_left_limit: bool,
    /// A crossing was located here.
    pub(crate) is_located: bool,
    /// It went through its level right before this moment, in whatever direction.
    pub(crate) has_passed: bool,
}

impl Standing {
    /// From the number in a cell.
    pub(crate) fn of(number: f64) -> Self {
        match number {
            r if r.is_nan() => Standing::New,
            f64::INFINITY => Standing::Above,
            f64::NEG_INFINITY => Standing::Below,
            r => Standing::On(r),
        }
    }

    /// The number for a cell.
    pub(crate) fn number(self) -> f64 {
        match self {
            Standing::New => f64::NAN,
            Standing::Above => f64::INFINITY,
            Standing::Below => f64::NEG_INFINITY,
            Standing::On(r) => r,
        }
    }

    /// Clear of the level.
    fn beside(beyond: f64) -> Self {
        if beyond > 0.0 {
            Standing::Above
        } else {
            Standing::Below
        }
    }

    /// Whether it is on the side from which this sign falls: 1 above, −1 below.
    pub(crate) fn is_at_side(self, sign: f64) -> bool {
        match self {
            Standing::Above => sign > 0.0,
            Standing::Below => sign < 0.0,
            _ => false,
        }
    }

    /// Whether a value is still on the level.
    fn holds(self, op: &CrossOp, value: f64) -> bool {
        match self {
            Standing::On(r) => {
                let margin = rounding(op, value).max(0.5 * op.tolerance * NEARLY);
                let beyond = value - op.level;
                r.min(0.0) - margin <= beyond && beyond <= r.max(0.0) + margin
            }
            _ => false,
        }
    }

    /// After a tick with this value: where it stands now, and whether that is a crossing.
    pub(crate) fn look(self, op: &CrossOp, value: f64, passage: Passage) -> (Self, bool) {
        let beyond = value - op.level;
        let is_there = beyond.abs() <= rounding(op, value);
        let falls = self == Standing::Above && (beyond <= 0.0 || is_there);
        let rises = self == Standing::Below && (beyond >= 0.0 || is_there);
        let counts = match op.direction {
            Direction::Falling => falls,
            Direction::Rising => rises,
            Direction::Both => falls || rises,
        };
        let is_crossed = counts || passage.is_located;
        // Half a tolerance beyond, or where an importer puts it.
        let near = (0.5 * op.tolerance * NEARLY).max(if passage.is_left_limit { 2.0 * LIFT } else { 0.0 });
        let is_near =
            beyond.abs() <= near && (self == Standing::New || (passage.is_left_limit && (falls || rises)));
        let comes = passage.is_located
            || passage.has_passed
            || is_there
            || is_near
            || (is_crossed && passage.is_left_limit);
        let next = if self.holds(op, value) && !is_crossed {
            self
        } else if comes {
            Standing::On(beyond)
        } else {
            Standing::beside(beyond)
        };
        (next, is_crossed)
    }

    /// After time passed without an event, to this value.
    pub(crate) fn pass(self, op: &CrossOp, value: f64) -> Self {
        let beyond = value - op.level;
        if self.holds(op, value) || beyond.abs() <= 0.5 * op.tolerance {
            // Inside the tolerance it may still be seen as a crossing later.
            self
        } else {
            Standing::beside(beyond)
        }
    }
}

/// Rounding of a value near its level.
fn rounding(op: &CrossOp, value: f64) -> f64 {
    if op.level == 0.0 {
        0.0
    } else {
        ROUNDINGS * value.abs().max(op.level.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(direction: Direction, level: f64, tolerance: f64) -> CrossOp {
        CrossOp {
            value: 0,
            level,
            direction,
            tolerance,
        }
    }

    const ARRIVED: Passage = Passage {
        is_left_limit: true,
        is_located: true,
        has_passed: false,
    };
    const TICK: Passage = Passage {
        is_left_limit: false,
        is_located: false,
        has_passed: false,
    };

    #[test]
    fn a_located_crossing_is_on_the_level_until_it_leaves() {
        for (level, rest, tolerance) in [
            (0.0, -3e-17, 0.0),
            (1e6, -1.2e-10, 0.0),
            (0.3, -5e-4, 1e-3),
            (0.0, 0.0, 0.0),
        ] {
            let op = op(Direction::Both, level, tolerance);
            let at = level + rest;
            let (standing, is_crossed) = Standing::Above.look(&op, at, ARRIVED);
            assert!(is_crossed && matches!(standing, Standing::On(_)), "{standing:?}");
            // Microsteps at which it does not move change nothing; a jump off the level is no crossing.
            assert_eq!(standing.look(&op, at, TICK), (standing, false));
            assert_eq!(standing.look(&op, level - 0.5, TICK), (Standing::Below, false));
            assert_eq!(standing.look(&op, level + 0.5, TICK), (Standing::Above, false));
            assert_eq!(standing.pass(&op, at), standing);
            assert_eq!(standing.pass(&op, level + 0.1), Standing::Above);
            assert_eq!(Standing::of(standing.number()), standing);
        }
    }

    #[test]
    fn a_jump_over_the_level_is_a_crossing_and_one_onto_it_too() {
        let both = op(Direction::Both, 0.3, 0.0);
        assert_eq!(Standing::Above.look(&both, 0.1, TICK), (Standing::Below, true));
        assert_eq!(Standing::Below.look(&both, 0.4, TICK), (Standing::Above, true));
        let (on, is_crossed) = Standing::Above.look(&both, 0.1 + 0.2, TICK);
        assert!(is_crossed && matches!(on, Standing::On(_)));
        let rising = op(Direction::Rising, 0.3, 0.0);
        assert_eq!(Standing::Above.look(&rising, 0.1, TICK), (Standing::Below, false));
    }

    #[test]
    fn a_start_on_the_level_is_no_crossing() {
        let both = op(Direction::Both, 0.3, 0.0);
        let start = Passage {
            is_left_limit: true,
            ..TICK
        };
        assert!(matches!(
            Standing::New.look(&both, 0.1 + 0.2, start),
            (Standing::On(_), false)
        ));
        assert_eq!(Standing::New.look(&both, 0.31, start), (Standing::Above, false));
        let passed = Passage {
            has_passed: true,
            ..start
        };
        let falling = op(Direction::Falling, 0.0, 0.0);
        assert!(matches!(
            Standing::Below.look(&falling, 1e-9, passed),
            (Standing::On(_), false)
        ));
    }
}
