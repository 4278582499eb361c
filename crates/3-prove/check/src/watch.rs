//! Conditions along a step and on a set: true, false, or open.
//!
//! # Guarantee
//! `True` and `False` hold for every state of the set at every time asked about. An event is `Certain` only if every state meets it exactly once in the window, by one
//! constraint that goes through zero with a rate that is never zero.

use std::collections::BTreeMap;

use dyverse_enclose::{Along, TaylorModel, Tube};
use dyverse_expr::{NodeId, Pool};
use dyverse_formulas::{Condition, Constraint, Relation};
use dyverse_num::{Interval, Tri};

use crate::create_roots::{CrossingPeriod, not_yet};

/// Where the formulas of constraints are among what a tube watches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    pub(crate) nodes: Vec<NodeId>,
    places: BTreeMap<NodeId, usize>,
    /// Formulas that are watched and the opposite of each other.
    opposite: BTreeMap<NodeId, NodeId>,
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
    /// Finds formulas that are the opposite of each other.
    pub(crate) fn pair(&mut self, pool: &Pool) {
        for node in &self.nodes {
            let own = Constraint {
                node: *node,
                relation: Relation::Greater,
            };
            let is_opposite = |other: &&NodeId| own.about(pool, **other) == Some(Relation::Less);
            if let Some(other) = self.nodes.iter().find(is_opposite) {
                self.opposite.insert(*node, *other);
            }
        }
    }
    /// Where a formula is among those that are watched: all formulas of a location's events and of its property.
    fn place(&self, node: NodeId) -> usize {
        match self.places.get(&node) {
            Some(place) => *place,
            None => unreachable!("bug: a formula that is not watched"),
        }
    }
    /// What facts say of the formulas that are watched.
    pub(crate) fn told<'a>(
        &self,
        pool: &Pool,
        facts: impl Iterator<Item = &'a Constraint> + Clone,
    ) -> Vec<Constraint> {
        let about = |node: NodeId| {
            let relations = facts.clone().filter_map(move |fact| fact.about(pool, node));
            relations.map(move |relation| Constraint { node, relation })
        };
        self.nodes.iter().flat_map(|node| about(*node)).collect()
    }
}

/// The times between two, the first of which is not later.
pub(crate) fn between(from: f64, until: f64) -> Interval {
    match Interval::new(from, until) {
        Ok(times) => times,
        Err(_) => unreachable!("bug: no times between {from} and {until}"),
    }
}

/// How a number compares with zero that is above (`Greater`) or below.
fn side(relation: Relation, of: Relation) -> Tri {
    let number = if of == Relation::Greater { 1.0 } else { -1.0 };
    compare(relation, Interval::point(number))
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
        Relation::Greater => decide(lo > 0.0, hi <= 0.0),
        Relation::GreaterEqual => decide(lo >= 0.0, hi < 0.0),
        Relation::Less => decide(hi < 0.0, lo >= 0.0),
        Relation::LessEqual => decide(hi <= 0.0, lo > 0.0),
        Relation::Equal => decide(range == Interval::ZERO, !range.contains(0.0)),
        Relation::NotEqual => decide(!range.contains(0.0), range == Interval::ZERO),
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

/// A range of values of a formula, with what facts say of it.
pub(crate) fn told(pool: &Pool, facts: &[Constraint], node: NodeId, range: Interval) -> Interval {
    let about = facts.iter().filter_map(|fact| fact.about(pool, node));
    about.fold(range, restricted)
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
    /// Every state makes it true, once.
    Certain(CrossingPeriod),
    /// It is true from the beginning, for every state.
    AtOnce,
    /// It may become true from this time on; nothing more is known.
    Possible(f64),
}

/// Pieces of a step that are looked at, at the most.
const MOST_PIECES: usize = 300;

/// Steps of a search on the cube of unknowns: no shorter ones.
const SMALLEST_STEP: f64 = 1e-12;

/// Formulas of a condition that are looked at where they are zero, at the most.
const MOST_ZEROS: usize = 8;

/// The range of a rate from the beginning of a step on. A motion that leaves a border tangentially has no rate there, and enclosures reach a rounding to its other side: a rate that is not below
/// zero at the beginning and does not fall is not below zero.
fn rate_from_start(rate: &Along, times: Interval) -> Interval {
    let found = rate.range_on(times);
    if !(found.lo() < 0.0 && found.hi() > 0.0) {
        return found;
    }
    let (begin, second) = (rate.range_on(Interval::ZERO), rate.derivative().range_on(times));
    if begin.is_empty() || second.is_empty() {
        found
    } else if begin.lo() >= 0.0 && second.lo() >= 0.0 {
        restricted(found, Relation::GreaterEqual)
    } else if begin.hi() <= 0.0 && second.hi() <= 0.0 {
        restricted(found, Relation::LessEqual)
    } else {
        found
    }
}

/// The formulas of a step with their rates, computed when asked for.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    tube: &'a Tube,
    watched: &'a Watched,
    /// What is known to hold at the beginning of the step, of formulas that are watched.
    known: &'a [Constraint],
    /// Whether the beginning itself was looked at before, so that a stretch that begins there is about what comes after it.
    is_after: bool,
}

impl<'a> Course<'a> {
    pub(crate) fn new(tube: &'a Tube, watched: &'a Watched, known: &'a [Constraint]) -> Self {
        Course {
            tube,
            watched,
            known,
            is_after: false,
        }
    }

    /// Where the beginning itself was looked at before.
    pub(crate) fn after(self) -> Self {
        Course {
            is_after: true,
            ..self
        }
    }

    pub(crate) fn along(&self, node: NodeId) -> &Along {
        self.tube.watched(self.watched.place(node))
    }

    /// Whether a condition holds over an interval of times.
    pub(crate) fn truth(&self, condition: &Condition, times: Interval) -> Tri {
        evaluate(condition, &|atom| self.truth_of(atom, times))
    }

    /// Whether a constraint holds over an interval of times.
    pub(crate) fn truth_of(&self, atom: &Constraint, times: Interval) -> Tri {
        let along = self.along(atom.node);
        let mut range = along.range_on(times);
        let truth = compare(atom.relation, range);
        if truth != Tri::Unknown || times.lo() != 0.0 {
            return truth;
        }
        for known in self.known.iter().filter(|k| k.node == atom.node) {
            if times.is_point() {
                range = restricted(range, known.relation);
                continue;
            }
            let rate = rate_from_start(along.derivative(), times);
            if rate.is_empty() {
                continue;
            }
            let (is_zero, relation) = (known.relation == Relation::Equal, known.relation);
            if (is_zero || relation == Relation::GreaterEqual) && rate.lo() >= 0.0 {
                if self.is_after && rate.lo() > 0.0 {
                    return side(atom.relation, Relation::Greater);
                }
                range = restricted(range, Relation::GreaterEqual);
            }
            if (is_zero || relation == Relation::LessEqual) && rate.hi() <= 0.0 {
                if self.is_after && rate.hi() < 0.0 {
                    return side(atom.relation, Relation::Less);
                }
                range = restricted(range, Relation::LessEqual);
            }
        }
        compare(atom.relation, range)
    }

    /// The first time at which a condition may be true, and how.
    pub(crate) fn occurrence(&self, condition: &Condition, until: f64) -> Occurrence {
        let smallest = 1e-6 * until;
        let mut waiting = vec![(0.0, until)];
        let mut pieces = 0;
        let mut first = None;
        while let Some((a, b)) = waiting.pop() {
            let times = between(a, b);
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
        let window = between(first, last);
        match self.switch(condition, window) {
            Some(boundary) => Occurrence::Certain(CrossingPeriod { window, boundary }),
            None => Occurrence::Possible(first),
        }
    }

    /// The one constraint by which a condition becomes true in a window.
    fn switch(&self, condition: &Condition, window: Interval) -> Option<Constraint> {
        let mut open: Vec<Constraint> = Vec::new();
        for atom in condition.atoms() {
            let range = self.along(atom.node).range_on(window);
            if compare(atom.relation, range) == Tri::Unknown && !open.contains(&atom) {
                open.push(atom);
            }
        }
        let [constraint] = *open.as_slice() else {
            return None;
        };
        let node = constraint.node;
        let with = |value: Tri| {
            evaluate(condition, &|atom| {
                if atom.node == node {
                    value
                } else {
                    compare(atom.relation, self.along(atom.node).range_on(window))
                }
            })
        };
        if with(Tri::True) != Tri::True || with(Tri::False) != Tri::False {
            return None;
        }
        let falls = match constraint.relation {
            Relation::LessEqual | Relation::Less => true,
            Relation::GreaterEqual | Relation::Greater => false,
            Relation::Equal | Relation::NotEqual => return None,
        };
        let rate = self.along(node).derivative();
        self.keeps_sign(rate, window, falls).then_some(constraint)
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
            let times = between(a, b);
            pieces += 1;
            if self.truth(condition, times) == Tri::True {
                continue;
            }
            let middle = 0.5 * (a + b);
            if self.truth(condition, Interval::point(middle)) == Tri::False {
                return Holds::Broken(Interval::point(middle));
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
        let time_of = |share: Interval| length.times_interval(share).shifted(start);
        let truth = |share: Interval| {
            let time = time_of(share);
            evaluate(condition, &|atom| {
                compare(atom.relation, self.along(atom.node).at_model(&time).bound())
            })
        };
        let mut waiting = vec![between(0.0, 1.0)];
        let mut pieces = 0;
        while let Some(piece) = waiting.pop() {
            pieces += 1;
            if truth(piece) == Tri::True {
                continue;
            }
            let middle = 0.5 * (piece.lo() + piece.hi());
            if truth(Interval::point(middle)) == Tri::False {
                return Holds::Broken(time_of(Interval::point(middle)).bound());
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

    /// Whether it is known that nobody is past a constraint at the beginning.
    pub(crate) fn is_not_past(&self, constraint: &Constraint) -> bool {
        let wanted = not_yet(constraint.relation);
        let own = self.known.iter().filter(|k| k.node == constraint.node);
        wanted.is_some()
            && own
                .map(|k| k.relation)
                .any(|r| r == Relation::Equal || Some(r) == wanted)
    }

    /// Whether a constraint holds nowhere between two times.
    pub(crate) fn is_false_between(&self, constraint: &Constraint, from: f64, until: f64) -> bool {
        let atom = Condition::Atom(Constraint {
            node: constraint.node,
            relation: constraint.relation.negated(),
        });
        from >= until || self.holds(&atom, from, until) == Holds::Always
    }

    /// The point of the cube of unknowns at which a condition is nearest to being true at the beginning or a little later: by halving steps along the axes, on the polynomials. A
    /// guess; nothing is proved.
    pub(crate) fn likeliest(&self, condition: &Condition, until: f64) -> Option<Vec<f64>> {
        let mut best: Option<(f64, Vec<f64>)> = None;
        for time in [0.0, 0.5 * until, until] {
            let values: BTreeMap<NodeId, TaylorModel> = condition
                .atoms()
                .iter()
                .map(|atom| (atom.node, self.along(atom.node).at(Interval::point(time))))
                .collect();
            let variables = values.values().next()?.basis().variables();
            let margin_at = |at: &[f64]| {
                let at: Vec<Interval> = at.iter().map(|p| Interval::point(*p)).collect();
                margin(condition, &|node| values.get(&node).and_then(|v| v.at(&at).mid()))
            };
            let mut point = vec![0.0; variables];
            let mut most = margin_at(&point);
            let mut step = 0.5;
            while step > SMALLEST_STEP {
                let mut is_better = false;
                for axis in 0..variables {
                    for by in [-step, step] {
                        let mut beside = point.clone();
                        beside[axis] = (beside[axis] + by).clamp(-1.0, 1.0);
                        let found = margin_at(&beside);
                        if found > most {
                            (point, most, is_better) = (beside, found, true);
                        }
                    }
                }
                if !is_better {
                    step *= 0.5;
                }
            }
            if best.as_ref().is_none_or(|(least, _)| most > *least) {
                best = Some((most, point));
            }
        }
        best.map(|(_, point)| point)
    }

    /// Times up to `until` among which is one, for every state its own, at which a condition is broken because a formula in it goes through zero: x ≠ c where x passes c, or what must hold at the last
    /// time of a window. When that is depends on the state; that it is zero then does not.
    pub(crate) fn broken_at_zero(&self, condition: &Condition, until: f64) -> Option<Interval> {
        let mut nodes: Vec<NodeId> = condition.atoms().iter().map(|atom| atom.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes.into_iter().take(MOST_ZEROS) {
            for relation in [Relation::GreaterEqual, Relation::LessEqual] {
                let meets = Condition::Atom(Constraint { node, relation });
                let Occurrence::Certain(CrossingPeriod { window, .. }) = self.occurrence(&meets, until)
                else {
                    continue;
                };
                // Nobody is past it at the beginning.
                if window.lo() == 0.0 && self.truth(&meets, Interval::ZERO) != Tri::False {
                    continue;
                }
                if self.truth_at_zero(condition, node, window) == Tri::False {
                    return Some(window);
                }
            }
        }
        None
    }

    /// Whether a condition holds at the moments of a window at which a formula is exactly zero.
    fn truth_at_zero(&self, condition: &Condition, node: NodeId, window: Interval) -> Tri {
        evaluate(condition, &|atom| {
            if atom.node == node || self.watched.opposite.get(&atom.node) == Some(&node) {
                compare(atom.relation, Interval::ZERO)
            } else {
                self.truth_of(atom, window)
            }
        })
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
                .map(|atom| (atom.node, self.along(atom.node).at(time)))
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
            .map_or(Holds::Open(from), |at| Holds::Broken(Interval::point(at)))
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
                Relation::Greater | Relation::GreaterEqual => v,
                Relation::Less | Relation::LessEqual => -v,
                Relation::Equal => -v.abs(),
                Relation::NotEqual => v.abs(),
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
    /// For no state at a time of its own between these.
    Broken(Interval),
    /// Not known, from this time on.
    Open(f64),
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
                all.map(|relation| compare(relation, range)),
                expected,
                "[{lo}, {hi}]"
            );
        }
        assert_eq!(compare(Greater, Interval::EMPTY), Unknown);
    }
}
