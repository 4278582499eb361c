//! Scans an interval from left to right for the first place where a function is zero or below.
//!
//! # Method
//! Depth first over polynomial pieces in Bernstein form, left before right. A piece
//! - above the grazing tolerance by more than its error is left behind;
//! - with a certain shape is decided: increasing, there is nothing; decreasing or with one maximum, the value at
//!   its right end tells; with one minimum, the value at the minimum tells. Every value is one of the function
//!   itself, and the change of sign is closed on the function itself;
//! - that is flat (within four times its error of zero) is interpolated anew on its short interval, where the error is
//!   far smaller: this is how two roots 1e-7 apart are told from none;
//! - flat although it is fresh is rounding: 17 values decide;
//! - of unknown shape is halved.
//!
//! An interpolant that does not resolve the function is halved too, and made anew on both halves. What four
//! halvings in a row do not improve, and is below [`WIGGLE`] of the function's size, is rounding.
//!
//! # Guarantee
//! Everything before what is reported was decided. The loop ends: halving stops at four ulps of time, and the
//! pieces made and the halvings are counted; at the limit the answer is `NotIsolated`.

use super::bernstein::{Piece, Shape};
use super::bracket::{Point, close_bracket};
use super::chebyshev::POINTS;
use super::source::Shifted;

/// Resolved: the last coefficients are this part of the function's size in the piece.
const RESOLVED: f64 = 1e-7;
/// Rounding in any case: part of the function's size in the whole interval.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// May be rounding, if halving does not help.
const WIGGLE: f64 = 1e-10;
/// Halvings without improvement that are tried.
const PATIENCE: u8 = 4;
/// Halvings for each piece that may be made.
const HALVINGS: usize = 16;

/// What a scan found first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scanned {
    Clear,
    Reached { before: f64, t: f64, value: f64 },
    Grazed { t: f64, minimum: f64 },
    NotIsolated { from: f64, to: f64 },
    NotFinite { t: f64 },
}

/// How much a search may still do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Pieces to be made.
    pub(super) pieces: usize,
    /// Pieces to be halved: where rounding hides a shape, each halving may lead to two more.
    halvings: usize,
}

impl Effort {
    pub(super) fn new(pieces: usize) -> Self {
        Self {
            pieces,
            halvings: HALVINGS * pieces,
        }
    }
}

/// What is left to do, the next on top.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "the stack is short and keeps its memory"
)]
pub(super) enum Task {
    /// Interpolate here; the parent's tail, and how often it did not get smaller.
    Make {
        l: f64,
        r: f64,
        tail: f64,
        stuck: u8,
    },
    Decide(Piece),
}

/// One scan under way.
pub(super) struct Scan<'a, 'b, 'c> {
    pub(super) f: Shifted<'a, 'b>,
    pub(super) stack: &'c mut Vec<Task>,
    /// What may still be done.
    pub(super) left: &'c mut Effort,
    /// Minima up to here graze; 0 for none.
    pub(super) grazing: f64,
    /// Lowest point of the present excursion below `grazing`.
    pub(super) lowest: Option<Point>,
    /// The function has been above `grazing`, so an excursion can begin.
    pub(super) has_been_clear: bool,
    /// Largest value seen.
    pub(super) size: f64,
    /// Rounding of the function in any case.
    pub(super) noise: f64,
}

/// Ends the scan.
type Found = Result<(), Scanned>;

impl Scan<'_, '_, '_> {
    /// Scans (from, to]; the function is positive at `from`.
    pub(super) fn run(&mut self, from: f64, to: f64) -> Scanned {
        self.stack.clear();
        self.stack.push(Task::Make {
            l: from,
            r: to,
            tail: f64::INFINITY,
            stuck: 0,
        });
        while let Some(task) = self.stack.pop() {
            let found = match task {
                Task::Make { l, r, tail, stuck } => self.make(l, r, tail, stuck),
                Task::Decide(piece) => self.decide(&piece),
            };
            if let Err(scanned) = found {
                return scanned;
            }
        }
        Scanned::Clear
    }

    fn make(&mut self, l: f64, r: f64, parent: f64, stuck: u8) -> Found {
        if self.left.pieces == 0 {
            return Err(Scanned::NotIsolated { from: l, to: r });
        }
        self.left.pieces -= 1;
        let mut made = self
            .f
            .piece(l, r, self.grazing)
            .map_err(|t| Scanned::NotFinite { t })?;
        made.piece.error += self.noise;
        self.size = self.size.max(made.size);
        let is_clear = made.piece.range().0 - 4.0 * made.tail > self.grazing && made.tail < 0.02 * made.size;
        if is_clear || made.tail <= (RESOLVED * made.size).max(ROUNDING * self.size).max(self.noise) {
            return self.decide(&made.piece);
        }
        let stuck = if made.tail > 0.5 * parent {
            stuck.saturating_add(1)
        } else {
            0
        };
        if is_narrow(l, r) || (stuck >= PATIENCE && made.tail <= (WIGGLE * self.size).max(64.0 * self.noise))
        {
            return self.decide_by_values(l, r);
        }
        let mid = 0.5 * (l + r);
        self.stack.push(Task::Make {
            l: mid,
            r,
            tail: made.tail,
            stuck,
        });
        self.stack.push(Task::Make {
            l,
            r: mid,
            tail: made.tail,
            stuck,
        });
        Ok(())
    }

    fn decide(&mut self, piece: &Piece) -> Found {
        let (lowest, highest) = piece.range();
        let (l, r) = (piece.l, piece.r);
        if lowest - piece.error > self.grazing {
            return self.leave();
        }
        // Above zero for certain, and all below the grazing tolerance, or so flat near it that no halving tells.
        let is_flat = highest - lowest <= 4.0 * piece.error;
        if lowest - piece.error > 0.0 && (highest + piece.error <= self.grazing || is_flat) {
            return self.decide_by_values(l, r);
        }
        if is_narrow(l, r) {
            return self.look_at(l, r);
        }
        if highest.max(-lowest) <= 4.0 * piece.error {
            if piece.is_fresh {
                return self.decide_by_values(l, r);
            }
            self.stack.push(Task::Make {
                l,
                r,
                tail: f64::INFINITY,
                stuck: 0,
            });
            return Ok(());
        }
        match piece.shape() {
            Shape::Increasing => self.leave_if_above(r),
            Shape::Decreasing => self.look_at(l, r),
            Shape::OneMaximum if self.lowest.is_none() => self.look_at(l, r),
            Shape::OneMinimum => self.decide_minimum(piece),
            Shape::OneMaximum | Shape::Unknown => self.halve(piece),
        }
    }

    fn halve(&mut self, piece: &Piece) -> Found {
        if self.left.halvings == 0 {
            return Err(Scanned::NotIsolated {
                from: piece.l,
                to: piece.r,
            });
        }
        self.left.halvings -= 1;
        let (left, right) = piece.halves();
        self.stack.push(Task::Decide(right));
        self.stack.push(Task::Decide(left));
        Ok(())
    }

    fn decide_minimum(&mut self, piece: &Piece) -> Found {
        let place = piece.lowest_place();
        let value = self.value(place)?;
        if value <= 0.0 {
            return self.close(piece.l, (place, value));
        }
        if value <= 8.0 * piece.error {
            return self.halve(piece);
        }
        self.visit((place, value));
        self.leave_if_above(piece.r)
    }

    fn value(&mut self, t: f64) -> Result<f64, Scanned> {
        let value = self.f.value(t);
        if value.is_finite() {
            Ok(value)
        } else {
            Err(Scanned::NotFinite { t })
        }
    }

    /// Decides by the right end alone.
    fn look_at(&mut self, l: f64, r: f64) -> Found {
        let value = self.value(r)?;
        if value <= 0.0 {
            return self.close(l, (r, value));
        }
        self.visit((r, value));
        Ok(())
    }

    /// Decides by values at evenly spread places.
    fn decide_by_values(&mut self, l: f64, r: f64) -> Found {
        let mut before = l;
        for i in 1..POINTS {
            let part = i as f64 / (POINTS - 1) as f64;
            let t = if i == POINTS - 1 { r } else { l + part * (r - l) };
            let value = self.value(t)?;
            if value <= 0.0 {
                return self.close(before, (t, value));
            }
            self.visit((t, value));
            before = t;
        }
        self.leave_if_above(r)
    }

    /// Closes the bracket (l, hi]; everything up to l is above.
    fn close(&mut self, l: f64, hi: Point) -> Found {
        let at_l = self.value(l)?;
        if at_l <= 0.0 || l >= hi.0 {
            return Err(Scanned::Reached {
                before: l,
                t: l,
                value: at_l.min(0.0),
            });
        }
        let closed = close_bracket(&mut |t| self.f.value(t), (l, at_l), hi);
        let (lo, hi) = closed.map_err(|t| Scanned::NotFinite { t })?;
        Err(Scanned::Reached {
            before: lo.0,
            t: hi.0,
            value: hi.1,
        })
    }

    /// Takes note of a low value.
    fn visit(&mut self, point: Point) {
        if self.has_been_clear && point.1 <= self.grazing && self.lowest.is_none_or(|low| point.1 < low.1) {
            self.lowest = Some(point);
        }
    }

    /// The function is above `grazing` again: an excursion is over.
    fn leave(&mut self) -> Found {
        self.has_been_clear = true;
        match self.lowest {
            Some((t, minimum)) => Err(Scanned::Grazed { t, minimum }),
            None => Ok(()),
        }
    }

    fn leave_if_above(&mut self, t: f64) -> Found {
        if self.grazing > 0.0 && self.value(t)? > self.grazing {
            self.leave()
        } else {
            Ok(())
        }
    }
}

/// At most four ulps of time wide.
fn is_narrow(l: f64, r: f64) -> bool {
    r - l <= (4.0 * f64::EPSILON * l.abs().max(r.abs())).max(f64::MIN_POSITIVE)
}
