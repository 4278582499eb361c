//! Conditions along a step and on a set: true, false, or open.
//!
//! # Guarantee
//! `True` and `False` hold for every state of the set at every time asked about. An event is `Certain` only if every state meets it exactly once in the window, by one
//! constraint that goes through zero with a rate that is never zero.

use std::collections::BTreeMap;

use dyverse_enclose::{Along, TaylorModel, Tube};
use dyverse_equations::{Condition, Constraint, Relation};
use dyverse_expr::NodeId;
use dyverse_num::{Interval, Tri};

/// Where the formulas of constraints are among what a tube watches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    pub(crate) nodes: Vec<NodeId>,
    places: BTreeMap<NodeId, usize>,
}

impl Watched {
    pub(crate) fn add(&mut self, condition: &Condition) {
        for atom in condition.atoms() {
            if !self.places.contains_key(&atom.node) {
                self.places.insert(atom.node, self.nodes.len());
                self.nodes.push(atom.node);
            }
        }
    }
    pub(crate) fn place(&self, node: NodeId) -> usize {
        self.places.get(&node).copied().unwrap_or(usize::MAX)
    }
}

/// How a range of values compares with zero.
pub(crate) fn compare(relation: Relation, range: Interval) -> Tri {
    if range.is_empty() {
        return Tri::Unknown;
    }
    let (lo, hi) = (range.lo(), range.hi());
    let decide = |always: bool, never: bool| match (always, never) {
        (true, _) => Tri::True,
        (_, true) => Tri::False,
        _ => Tri::Unknown,
    };
    match relation {
        Relation::Positive => decide(lo > 0.0, hi <= 0.0),
        Relation::NotNegative => decide(lo >= 0.0, hi < 0.0),
        Relation::Negative => decide(hi < 0.0, lo >= 0.0),
        Relation::NotPositive => decide(hi <= 0.0, lo > 0.0),
        Relation::Zero => decide(range == Interval::ZERO, !range.contains(0.0)),
        Relation::NotZero => decide(!range.contains(0.0), range == Interval::ZERO),
    }
}

/// A condition from the truth of its constraints.
pub(crate) fn evaluate(condition: &Condition, truth: &dyn Fn(&Constraint) -> Tri) -> Tri {
    match condition {
        Condition::Constant(value) => Tri::from(*value),
        Condition::Atom(atom) => truth(atom),
        Condition::And(parts) => {
            let mut all = Tri::True;
            for part in parts {
                all = all.and(evaluate(part, truth));
                if all == Tri::False {
                    break;
                }
            }
            all
        }
        Condition::Or(parts) => {
            let mut any = Tri::False;
            for part in parts {
                any = any.or(evaluate(part, truth));
                if any == Tri::True {
                    break;
                }
            }
            any
        }
    }
}

/// What a step makes of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Occurrence {
    /// It stays false.
    Never,
    /// Every state makes it true, once, within the window, when this formula goes through zero.
    Certain { window: Interval, node: NodeId },
    /// It is true from the beginning, for every state.
    AtOnce,
    /// It may become true from this time on; nothing more is known.
    Possible(f64),
}

/// Pieces of a step that are looked at, at the most.
const MOST_PIECES: usize = 300;

/// The formulas of a step with their rates, computed when asked for.
pub(crate) struct Course<'a> {
    tube: &'a Tube,
    watched: &'a Watched,
    /// What is known to hold at the beginning of the step.
    known: &'a [Constraint],
}

impl<'a> Course<'a> {
    pub(crate) fn new(tube: &'a Tube, watched: &'a Watched, known: &'a [Constraint]) -> Self {
        Course { tube, watched, known }
    }

    pub(crate) fn along(&self, node: NodeId) -> Option<&Along> {
        let place = self.watched.place(node);
        (place != usize::MAX).then(|| self.tube.watched(place))
    }

    /// Whether a condition holds over an interval of times.
    pub(crate) fn truth(&self, condition: &Condition, times: Interval) -> Tri {
        evaluate(condition, &|atom| self.truth_of(atom, times))
    }

    /// Whether a constraint holds over an interval of times.
    pub(crate) fn truth_of(&self, atom: &Constraint, times: Interval) -> Tri {
        let Some(along) = self.along(atom.node) else {
            return Tri::Unknown;
        };
        let truth = compare(atom.relation, along.range_on(times));
        if truth == Tri::Unknown && times.lo() == 0.0 && self.leaves_zero(atom, along, times) {
            return Tri::False;
        }
        truth
    }

    /// Whether something that is known not to be below zero at the beginning (or not above) only moves away from it, so that it is not beyond zero.
    fn leaves_zero(&self, atom: &Constraint, along: &Along, times: Interval) -> bool {
        self.known
            .iter()
            .filter(|k| k.node == atom.node)
            .any(|known| match (known.relation, atom.relation) {
                (Relation::NotNegative, Relation::Negative) => along.derivative().range_on(times).lo() > 0.0,
                (Relation::NotPositive, Relation::Positive) => along.derivative().range_on(times).hi() < 0.0,
                _ => false,
            })
    }

    /// The first time at which a condition may be true, and how.
    pub(crate) fn occurrence(&self, condition: &Condition, until: f64) -> Occurrence {
        let smallest = 1e-6 * until;
        let mut waiting = vec![(0.0, until)];
        let mut pieces = 0;
        let mut first = None;
        while let Some((a, b)) = waiting.pop() {
            let Ok(times) = Interval::new(a, b) else {
                return Occurrence::Possible(0.0);
            };
            pieces += 1;
            if self.truth(condition, times) == Tri::False {
                continue;
            }
            if b - a > smallest && pieces < MOST_PIECES {
                let middle = 0.5 * (a + b);
                waiting.push((middle, b));
                waiting.push((a, middle));
            } else {
                first = Some(a);
                break;
            }
        }
        let Some(first) = first else {
            return Occurrence::Never;
        };
        if first == 0.0 && self.truth(condition, Interval::ZERO) == Tri::True {
            return Occurrence::AtOnce;
        }
        let mut length = smallest;
        let last = loop {
            let t = (first + length).min(until);
            if self.truth(condition, Interval::point(t)) == Tri::True {
                break t;
            }
            if t >= until {
                return Occurrence::Possible(first);
            }
            length *= 1.5;
        };
        match Interval::new(first, last) {
            Ok(window) => match self.switch(condition, window) {
                Some(node) => Occurrence::Certain { window, node },
                None => Occurrence::Possible(first),
            },
            Err(_) => Occurrence::Possible(first),
        }
    }

    /// The one formula by which a condition becomes true in a window.
    fn switch(&self, condition: &Condition, window: Interval) -> Option<NodeId> {
        let mut open: Vec<Constraint> = Vec::new();
        for atom in condition.atoms() {
            let range = self.along(atom.node)?.range_on(window);
            if compare(atom.relation, range) == Tri::Unknown && !open.contains(&atom) {
                open.push(atom);
            }
        }
        let node = match open.as_slice() {
            [one] => one.node,
            _ => return None,
        };
        let with = |value: Tri| {
            evaluate(condition, &|atom| {
                if atom.node == node {
                    value
                } else {
                    self.along(atom.node).map_or(Tri::Unknown, |along| {
                        compare(atom.relation, along.range_on(window))
                    })
                }
            })
        };
        if with(Tri::True) != Tri::True || with(Tri::False) != Tri::False {
            return None;
        }
        let falls = match open[0].relation {
            Relation::NotPositive | Relation::Negative => true,
            Relation::NotNegative | Relation::Positive => false,
            Relation::Zero | Relation::NotZero => return None,
        };
        let rate = self.along(node)?.derivative();
        self.keeps_sign(rate, window, falls).then_some(node)
    }

    fn keeps_sign(&self, rate: &Along, window: Interval, falls: bool) -> bool {
        let mut waiting = vec![window];
        let mut pieces = 0;
        while let Some(piece) = waiting.pop() {
            pieces += 1;
            let range = rate.range_on(piece);
            let holds = !range.is_empty() && if falls { range.hi() < 0.0 } else { range.lo() > 0.0 };
            if holds {
                continue;
            }
            if pieces > 60 {
                return false;
            }
            let (left, right) = piece.bisect();
            waiting.push(right);
            waiting.push(left);
        }
        true
    }

    /// Whether a condition holds from `from` to `until`.
    pub(crate) fn holds(&self, condition: &Condition, from: f64, until: f64) -> Holds {
        let mut waiting = vec![(from, until)];
        let mut pieces = 0;
        let smallest = 1e-7 * (until - from);
        while let Some((a, b)) = waiting.pop() {
            let Ok(times) = Interval::new(a, b) else {
                return Holds::Open(from);
            };
            pieces += 1;
            if self.truth(condition, times) == Tri::True {
                continue;
            }
            let middle = 0.5 * (a + b);
            if self.truth(condition, Interval::point(middle)) == Tri::False {
                return Holds::Broken(middle);
            }
            if b - a <= smallest || pieces > MOST_PIECES {
                return self.broken_later(condition, a, until);
            }
            waiting.push((middle, b));
            waiting.push((a, middle));
        }
        Holds::Always
    }

    /// Whether a condition holds from `from` until each state's own time of crossing.
    pub(crate) fn holds_until(&self, condition: &Condition, from: f64, end: &TaylorModel) -> Holds {
        let start = Interval::point(from);
        let length = end.shifted(-start);
        let truth = |share: Interval| {
            let time = length.times_interval(share).shifted(start);
            evaluate(condition, &|atom| match self.along(atom.node) {
                Some(along) => compare(atom.relation, along.at_model(&time).bound()),
                None => Tri::Unknown,
            })
        };
        let mut waiting = vec![Interval::new(0.0, 1.0).unwrap_or(Interval::ONE)];
        let mut pieces = 0;
        while let Some(piece) = waiting.pop() {
            pieces += 1;
            if truth(piece) == Tri::True {
                continue;
            }
            let middle = piece.mid().unwrap_or(0.0);
            if truth(Interval::point(middle)) == Tri::False {
                return Holds::Broken(middle);
            }
            if piece.width() < 1e-6 || pieces > MOST_PIECES {
                return Holds::Open(from);
            }
            let (left, right) = piece.bisect();
            waiting.push(right);
            waiting.push(left);
        }
        Holds::Always
    }

    /// The corner of the cube of unknowns (or its middle) at which a condition is closest to breaking, or breaks most: the polynomials know how states depend on the
    /// unknowns, through flow and jumps. A guess; nothing is proved.
    pub(crate) fn suspect(&self, condition: &Condition, from: f64, until: f64) -> Option<(f64, Vec<f64>)> {
        const TIMES: u32 = 6;
        let mut worst: Option<(f64, Vec<f64>)> = None;
        for k in 0..=TIMES {
            let time = Interval::point(from + (until - from) * f64::from(k) / f64::from(TIMES));
            let values: BTreeMap<NodeId, TaylorModel> = condition
                .atoms()
                .iter()
                .filter_map(|atom| Some((atom.node, self.along(atom.node)?.at(time))))
                .collect();
            let variables = values.values().next()?.basis().variables();
            for corner in corners(variables) {
                let point: Vec<Interval> = corner.iter().map(|p| Interval::point(*p)).collect();
                let value = |node: NodeId| values.get(&node).and_then(|v| v.at(&point).mid());
                let margin = margin(condition, &value);
                if worst.as_ref().is_none_or(|(least, _)| margin < *least) {
                    worst = Some((margin, corner));
                }
            }
        }
        worst
    }

    /// Open at `from`; but perhaps no state is left for which it holds a little later.
    fn broken_later(&self, condition: &Condition, from: f64, until: f64) -> Holds {
        const POINTS: u32 = 8;
        let at = |k: u32| from + (until - from) * f64::from(k) / f64::from(POINTS);
        let is_broken = |t: &f64| self.truth(condition, Interval::point(*t)) == Tri::False;
        (1..=POINTS)
            .map(at)
            .find(is_broken)
            .map_or(Holds::Open(from), Holds::Broken)
    }
}

/// The middle and the corners of a cube; of a cube of many sides, the middle and the ends of its axes.
fn corners(variables: usize) -> Vec<Vec<f64>> {
    let mut all = vec![vec![0.0; variables]];
    if variables > 5 {
        for i in 0..variables {
            for end in [-1.0, 1.0] {
                let mut point = vec![0.0; variables];
                point[i] = end;
                all.push(point);
            }
        }
        return all;
    }
    for choice in 0..1u32 << variables {
        let side = |i: usize| if choice >> i & 1 == 1 { 1.0 } else { -1.0 };
        all.push((0..variables).map(side).collect());
    }
    all
}

/// How far a condition is from breaking: below zero where it is broken.
fn margin(condition: &Condition, value: &dyn Fn(NodeId) -> Option<f64>) -> f64 {
    match condition {
        Condition::Constant(true) => f64::INFINITY,
        Condition::Constant(false) => f64::NEG_INFINITY,
        Condition::Atom(atom) => {
            let Some(v) = value(atom.node) else {
                return f64::INFINITY;
            };
            match atom.relation {
                Relation::Positive | Relation::NotNegative => v,
                Relation::Negative | Relation::NotPositive => -v,
                Relation::Zero => -v.abs(),
                Relation::NotZero => v.abs(),
            }
        }
        Condition::And(parts) => parts
            .iter()
            .map(|p| margin(p, value))
            .fold(f64::INFINITY, f64::min),
        Condition::Or(parts) => parts
            .iter()
            .map(|p| margin(p, value))
            .fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Whether a condition holds over a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Holds {
    /// For every state, at every time.
    Always,
    /// For no state at this time.
    Broken(f64),
    /// Not known, from this time on.
    Open(f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oracle: what holds of all numbers of a range, of none, of some.
    #[test]
    fn comparisons_with_zero() {
        use Relation::{Negative, NotNegative, NotPositive, NotZero, Positive, Zero};
        use Tri::{False, True, Unknown};
        let all = [Positive, NotNegative, Negative, NotPositive, Zero, NotZero];
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
                all.map(|relation| compare(relation, range)),
                expected,
                "[{lo}, {hi}]"
            );
        }
        assert_eq!(compare(Positive, Interval::EMPTY), Unknown);
    }
}
