//! Decisions inside expressions, and how they are frozen.
//!
//! An expression with `if`, `abs`, `min` or a comparison is smooth only while the decisions in it stay. So decisions are *switches*: they are taken where a step begins and frozen
//! during it, and their surfaces are watched. A solver then sees a smooth function also at trial points beyond a surface, and the step is cut where the first switch would turn.
//!
//! | decision | switching quantity d | decided by |
//! |---|---|---|
//! | a < b and the like | a − b | its sign |
//! | \|a\|, sign a | a | its sign |
//! | min(a, b), max(a, b) | a − b | its sign |
//! | floor a | a | the integer below |

use crate::Relation;

/// What a switch decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A comparison of d with 0: 1 or 0.
    Compare(Relation),
    /// The sign of d: −1, 0, 1.
    Sign,
    /// 1 if d > 0 or d = 0, else 0: for absolute values, minima and maxima.
    Side,
    /// The integer below d.
    Floor,
}

impl Decision {
    /// The decision for a value of d.
    pub fn of(self, d: f64) -> f64 {
        let truth = |holds: bool| f64::from(u8::from(holds));
        match self {
            Decision::Compare(relation) => truth(match relation {
                Relation::Less => d < 0.0,
                Relation::LessEqual => d <= 0.0,
                Relation::Greater => d > 0.0,
                Relation::GreaterEqual => d >= 0.0,
                Relation::Equal => d == 0.0,
                Relation::NotEqual => d != 0.0,
            }),
            Decision::Sign if d > 0.0 => 1.0,
            Decision::Sign if d < 0.0 => -1.0,
            Decision::Sign => 0.0,
            Decision::Side => truth(d >= 0.0),
            Decision::Floor => d.floor(),
        }
    }

    /// The sides on which d must stay for the decision to stay as it is `now`: sign and level, so that sign · (d − level) is positive. `value` is d at the start.
    pub fn sides(self, now: f64, value: f64) -> [Option<(f64, f64)>; 2] {
        if self == Decision::Floor {
            return [Some((1.0, now)), Some((-1.0, now + 1.0))];
        }
        let falls = self.of(-1.0) != now || self.of(0.0) != now && value > 0.0;
        let rises = self.of(1.0) != now || self.of(0.0) != now && value < 0.0;
        [falls.then_some((1.0, 0.0)), rises.then_some((-1.0, 0.0))]
    }
}
