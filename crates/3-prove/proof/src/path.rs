//! Conditions along a part of a step: from its beginning to an end that depends on the unknowns.
//!
//! A path is s = u E(p), u ∈ [0, 1]. So "before the event" is u < 1 for all unknowns at once, however much the time of the event depends on them.
//!
//! # Guarantee
//! `True` and `False` hold for every state and every time asked about: formulas are evaluated on Taylor models of p and of a piece of u, and pieces are halved
//! until they decide.

use std::collections::BTreeMap;

use dyverse_enclose::{Formulas, TaylorModel};
use dyverse_expr::{NodeId, Pool};
use dyverse_formulas::{Condition, Constraint, Relation};
use dyverse_num::{Interval, Tri};

use crate::picard::{Clock, Lost, Step};

/// A formula, with the states it needs.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(crate) formulas: Formulas,
    symbols: Vec<usize>,
}

impl Watched {
    pub(crate) fn new(pool: &Pool, node: NodeId) -> Self {
        Watched {
            formulas: Formulas::new(pool, &[node]),
            symbols: pool.symbols(&[node]).iter().map(|s| s.0 as usize).collect(),
        }
    }

    /// On a step's states at a local time; only the states that it needs are looked at.
    pub(crate) fn at(
        &self,
        clock: &Clock,
        states: &[TaylorModel],
        unknowns: &[TaylorModel],
        time: &TaylorModel,
    ) -> Result<TaylorModel, Lost> {
        let here = self.needed(clock, states, |x| clock.at(x, time))?;
        self.on(&here, unknowns)
    }

    /// As [`at`](Self::at) for polynomials, which have a value everywhere.
    pub(crate) fn beyond(
        &self,
        clock: &Clock,
        states: &[TaylorModel],
        unknowns: &[TaylorModel],
        time: &TaylorModel,
    ) -> Result<TaylorModel, Lost> {
        let here = self.needed(clock, states, |x| Ok(clock.extrapolated(x, time)))?;
        self.on(&here, unknowns)
    }

    fn needed(
        &self,
        clock: &Clock,
        states: &[TaylorModel],
        value: impl Fn(&TaylorModel) -> Result<TaylorModel, Lost>,
    ) -> Result<Vec<TaylorModel>, Lost> {
        let blank = clock.constant(0.0);
        let mut here = vec![blank; states.len()];
        for symbol in &self.symbols {
            if let Some(x) = states.get(*symbol) {
                here[*symbol] = value(x)?;
            }
        }
        Ok(here)
    }

    pub(crate) fn on(&self, states: &[TaylorModel], unknowns: &[TaylorModel]) -> Result<TaylorModel, Lost> {
        let values = self.formulas.on(states, unknowns)?;
        values.into_iter().next().ok_or(Lost::Outside)
    }
}

/// Formulas of constraints by their nodes.
pub(crate) type Atoms = BTreeMap<NodeId, Watched>;

/// How a range of values compares with zero.
pub(crate) fn sign(relation: Relation, range: Interval) -> Tri {
    if range.is_empty() {
        return Tri::Unknown;
    }
    let (above, not_below) = (
        Tri::from_bounds(range, |x| x > 0.0),
        Tri::from_bounds(range, |x| x >= 0.0),
    );
    match relation {
        Relation::Greater => above,
        Relation::LessEqual => above.not(),
        Relation::GreaterEqual => not_below,
        Relation::Less => not_below.not(),
        Relation::Equal | Relation::NotEqual => {
            let is_zero = if !range.contains(0.0) {
                Tri::False
            } else if range.is_point() {
                Tri::True
            } else {
                Tri::Unknown
            };
            if relation == Relation::Equal {
                is_zero
            } else {
                is_zero.not()
            }
        }
    }
}

/// A range of values of a formula, of which a relation is known.
fn restricted(range: Interval, known: Relation) -> Interval {
    let allowed = match known {
        Relation::Equal => Interval::ZERO,
        Relation::Greater | Relation::GreaterEqual => Interval::NOT_NEGATIVE,
        Relation::Less | Relation::LessEqual => Interval::NOT_POSITIVE,
        Relation::NotEqual => return range,
    };
    range.intersect(&allowed)
}

/// A monotone predicate on both ends of a range.
trait FromBounds {
    fn from_bounds(range: Interval, holds: impl Fn(f64) -> bool) -> Tri;
}

impl FromBounds for Tri {
    fn from_bounds(range: Interval, holds: impl Fn(f64) -> bool) -> Tri {
        match (holds(range.lo()), holds(range.hi())) {
            (true, _) => Tri::True,
            (false, true) => Tri::Unknown,
            (false, false) => Tri::False,
        }
    }
}

/// A condition from what is known of its constraints.
pub(crate) fn truth(condition: &Condition, of: &mut dyn FnMut(&Constraint) -> Tri) -> Tri {
    match condition {
        Condition::Constant(value) => Tri::from(*value),
        Condition::Atom(atom) => of(atom),
        Condition::And(parts) => {
            let mut found = Tri::True;
            for part in parts {
                if found != Tri::False {
                    found = found.and(truth(part, of));
                }
            }
            found
        }
        Condition::Or(parts) => {
            let mut found = Tri::False;
            for part in parts {
                if found != Tri::True {
                    found = found.or(truth(part, of));
                }
            }
            found
        }
    }
}

/// What a condition is of a set of states.
pub(crate) fn judge(
    pool: &Pool,
    states: &[TaylorModel],
    unknowns: &[TaylorModel],
    facts: &[Constraint],
    condition: &Condition,
) -> Tri {
    truth(condition, &mut |atom| {
        let Ok(values) = Formulas::new(pool, &[atom.node]).on(states, unknowns) else {
            return Tri::Unknown;
        };
        let [value] = values.as_slice() else {
            unreachable!("bug: one formula has one value");
        };
        let found = value.bound();
        let told = facts.iter().filter_map(|fact| fact.about(pool, atom.node));
        sign(atom.relation, told.fold(found, restricted))
    })
}

/// Pieces of a path at the most, for one condition.
const MOST_PIECES: usize = 600;
/// The shortest piece.
const SHORTEST: f64 = 1e-10;

/// Parts of a path on which states are bounded, at first.
const PARTS: usize = 16;

/// A part of a step.
pub(crate) struct Path<'a> {
    pub(crate) clock: &'a Clock,
    pub(crate) step: &'a Step,
    pub(crate) rates: &'a Formulas,
    pub(crate) atoms: &'a Atoms,
    pub(crate) unknowns: &'a [TaylorModel],
    pub(crate) end: &'a TaylorModel,
    /// Where it begins, 0 as a rule.
    pub(crate) start: f64,
    /// What is known where the step begins.
    pub(crate) known: &'a [Known],
    /// Whether the beginning itself was looked at before, so that a path from there is about what comes after it.
    pub(crate) is_after: bool,
    /// What holds as long as no event has happened, for questions about motions that are still there.
    pub(crate) held: &'a [Constraint],
}

/// A constraint that holds of every motion when a location is entered, and the first two rates of its formula along the flow.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) constraint: Constraint,
    pub(crate) rate: Watched,
    pub(crate) second: Watched,
    /// The rate where the location is entered.
    pub(crate) begin: Interval,
}

impl Known {
    /// The rate on a piece that begins with the step. A rate that is not below zero at the beginning and does not fall is not below zero: enclosures of motions that
    /// leave a border tangentially reach a rounding beyond it.
    fn rate_on(&self, path: &Path<'_>, piece: &TaylorModel) -> Option<Interval> {
        let on = |watched: &Watched| {
            let found = watched.at(path.clock, &path.step.whole, path.unknowns, piece);
            found.ok().map(|r| r.bound()).filter(|r| !r.is_empty())
        };
        let rate = on(&self.rate)?;
        let undecided = rate.lo() < 0.0 && rate.hi() > 0.0;
        let (rises, falls) = (self.begin.lo() >= 0.0, self.begin.hi() <= 0.0);
        if !undecided || self.begin.is_empty() || !(rises || falls) {
            return Some(rate);
        }
        let second = on(&self.second)?;
        Some(if rises && second.lo() >= 0.0 {
            restricted(rate, Relation::GreaterEqual)
        } else if falls && second.hi() <= 0.0 {
            restricted(rate, Relation::LessEqual)
        } else {
            rate
        })
    }
}

impl Path<'_> {
    /// The same where the beginning itself was looked at before.
    pub(crate) fn after(&self) -> Self {
        Path {
            is_after: true,
            ..*self
        }
    }

    /// The same for motions to which none of the events has happened.
    pub(crate) fn before_events<'b>(&'b self, held: &'b [Constraint]) -> Path<'b> {
        Path { held, ..*self }
    }

    fn local(&self, from: f64, until: f64) -> TaylorModel {
        let piece = self.clock.piece(from, until);
        if self.start == 0.0 {
            return self.end * &piece;
        }
        let start = self.clock.constant(self.start);
        &start + &(&(self.end - &start) * &piece)
    }

    /// Whether a condition holds at all local times of a model.
    pub(crate) fn truth_at(&self, condition: &Condition, time: &TaylorModel) -> Tri {
        let mut states: BTreeMap<NodeId, Option<Interval>> = BTreeMap::new();
        truth(condition, &mut |atom| {
            let range = states.entry(atom.node).or_insert_with(|| {
                let watched = self.atoms.get(&atom.node)?;
                let value = watched.at(self.clock, &self.step.whole, self.unknowns, time);
                value.ok().map(|v| v.bound())
            });
            let held = self.held.iter().filter(|c| c.node == atom.node);
            let range = range.map(|r| held.fold(r, |r, c| restricted(r, c.relation)));
            range.map_or(Tri::Unknown, |r| sign(atom.relation, r))
        })
    }

    /// As [`truth_at`](Self::truth_at) on the piece of the path up to u, where it begins with the step: what is known not to be below zero at the beginning and does not
    /// fall is not below zero, and if it rises it is above zero after the beginning; the same the other way round.
    fn truth_up_to(&self, condition: &Condition, until: f64) -> Tri {
        let piece = self.local(0.0, until);
        if self.known.is_empty() || self.start != 0.0 || self.end.bound().lo() < 0.0 {
            return self.truth_at(condition, &piece);
        }
        truth(condition, &mut |atom| {
            let found = self.truth_at(&Condition::Atom(*atom), &piece);
            if found != Tri::Unknown {
                return found;
            }
            let own = |k: &&Known| k.constraint.node == atom.node;
            for known in self.known.iter().filter(own) {
                let Some(rate) = known.rate_on(self, &piece) else {
                    continue;
                };
                let begins = known.constraint.relation;
                let not_below =
                    matches!(begins, Relation::Equal | Relation::GreaterEqual) && rate.lo() >= 0.0;
                let not_above = matches!(begins, Relation::Equal | Relation::LessEqual) && rate.hi() <= 0.0;
                let found = if not_below && self.is_after && rate.lo() > 0.0 {
                    sign(atom.relation, Interval::ONE)
                } else if not_above && self.is_after && rate.hi() < 0.0 {
                    sign(atom.relation, -Interval::ONE)
                } else if not_below {
                    sign(
                        atom.relation,
                        restricted(Interval::ENTIRE, Relation::GreaterEqual),
                    )
                } else if not_above {
                    sign(atom.relation, restricted(Interval::ENTIRE, Relation::LessEqual))
                } else {
                    Tri::Unknown
                };
                if found != Tri::Unknown {
                    return found;
                }
            }
            Tri::Unknown
        })
    }

    /// The first u up to which a condition is not shown to be `wanted`; `None`: it is, all along.
    pub(crate) fn doubt(&self, condition: &Condition, wanted: Tri) -> Option<f64> {
        if let Condition::Constant(value) = condition {
            return (Tri::from(*value) != wanted).then_some(0.0);
        }
        let mut waiting = vec![(0.0, 1.0)];
        let mut pieces = 0;
        while let Some((from, until)) = waiting.pop() {
            pieces += 1;
            let found = if from == 0.0 {
                self.truth_up_to(condition, until)
            } else {
                self.truth_at(condition, &self.local(from, until))
            };
            if found == wanted {
                continue;
            }
            if until - from <= SHORTEST || pieces > MOST_PIECES {
                return Some(from);
            }
            let middle = 0.5 * (from + until);
            waiting.push((middle, until));
            waiting.push((from, middle));
        }
        None
    }

    /// Bounds of all states on equal parts of the path, together; on shorter parts where a claim is not met.
    pub(crate) fn hull(&self, claimed: &[(f64, f64)]) -> Result<Vec<Interval>, Lost> {
        let mut found = Vec::with_capacity(claimed.len());
        for (x, claim) in self.step.whole.iter().zip(claimed) {
            let mut bound = self.bound(x, PARTS)?;
            if bound.lo() < claim.0 || bound.hi() > claim.1 {
                bound = bound.intersect(&self.bound(x, 16 * PARTS)?);
            }
            found.push(bound);
        }
        Ok(found)
    }

    /// About the same where the path leaves the step: of the polynomials alone.
    pub(crate) fn extrapolated(&self) -> Vec<Interval> {
        let mut hull = vec![Interval::EMPTY; self.step.nominal.len()];
        for part in 0..PARTS {
            let time = self.local(part as f64 / PARTS as f64, (part + 1) as f64 / PARTS as f64);
            for (own, x) in hull.iter_mut().zip(&self.step.nominal) {
                *own = own.hull(&self.clock.extrapolated(x, &time).bound());
            }
        }
        hull
    }

    fn bound(&self, state: &TaylorModel, parts: usize) -> Result<Interval, Lost> {
        let mut hull = Interval::EMPTY;
        for part in 0..parts {
            let time = self.local(part as f64 / parts as f64, (part + 1) as f64 / parts as f64);
            hull = hull.hull(&self.clock.at(state, &time)?.bound());
        }
        Ok(hull)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oracle: what holds of all numbers of a range, of none, of some.
    #[test]
    fn comparisons_with_zero() {
        use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        use Tri::{False, True, Unknown};
        let all = [Greater, GreaterEqual, Less, LessEqual, Equal, NotEqual];
        for (lo, hi, expected) in [
            (0.0, 0.0, [False, True, False, True, True, False]),
            (0.0, 1.0, [Unknown, True, False, Unknown, Unknown, Unknown]),
            (-1.0, 0.0, [False, Unknown, Unknown, True, Unknown, Unknown]),
            (1e-300, 1.0, [True, True, False, False, False, True]),
            (-1.0, -1e-300, [False, False, True, True, False, True]),
            (-1.0, 1.0, [Unknown; 6]),
        ] {
            let range = Interval::new(lo, hi).unwrap_or(Interval::EMPTY);
            assert_eq!(
                all.map(|relation| sign(relation, range)),
                expected,
                "[{lo}, {hi}]"
            );
        }
        assert_eq!(sign(Greater, Interval::EMPTY), Unknown);
    }
}
