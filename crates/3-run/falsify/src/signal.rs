//! Robustness as a function of superdense time: points, between which it is continuous and monotone.
//!
//! Every operator of the logic keeps that form, so extrema over windows are extrema over points and the two ends, and nothing between samples is missed:
//!
//! | signal | between its points |
//! |---|---|
//! | atom | smooth; its extrema are points |
//! | −φ | monotone where φ is |
//! | min(φ, ψ), max(φ, ψ) | monotone where both go the same way; else they cross at most once, and that is a point |
//! | min or max of φ over [t + a, t + b] | the extreme of φ(t + a), φ(t + b) and a constant: the same |
//! | φ until ψ | max(ψ, min(φ, w)) with a constant w (operators.rs): the same |
//!
//! At an instant a signal has its limits from both sides and the values of the microsteps. What lies after the end of the trace, and what has no value, is `beyond`: +∞ where an
//! upper bound of the robustness is sought, −∞ for a lower bound.

use crate::atom::Atom;
use crate::course::Course;
use crate::grid::{Boundary, Grid, Zero};
use crate::monotone::{bisect, extrema};

/// Rounding of times.
const SNAP: f64 = 8.0 * f64::EPSILON;

/// The value of a signal at and around a time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) t: f64,
    /// The limit from the left.
    pub(crate) left: f64,
    /// Of the moments at this time, at least one.
    pub(crate) values: Vec<f64>,
    /// The limit from the right.
    pub(crate) right: f64,
}

impl Point {
    /// Where a signal is continuous.
    pub(crate) fn flat(t: f64, value: f64) -> Self {
        Point {
            t,
            left: value,
            values: vec![value],
            right: value,
        }
    }
    pub(crate) fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Point {
            t: self.t,
            left: f(self.left),
            values: self.values.iter().map(|v| f(*v)).collect(),
            right: f(self.right),
        }
    }
    /// The value at a moment; one value stands for all moments.
    pub(crate) fn value(&self, moment: usize) -> f64 {
        let last = self.values.len().saturating_sub(1);
        self.values.get(moment.min(last)).copied().unwrap_or(f64::NAN)
    }
}

/// The least or the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pick {
    Least,
    Most,
}

impl Pick {
    pub(crate) fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Pick::Least => a.min(b),
            Pick::Most => a.max(b),
        }
    }
    pub(crate) fn nothing(self) -> f64 {
        match self {
            Pick::Least => f64::INFINITY,
            Pick::Most => f64::NEG_INFINITY,
        }
    }
}

/// A signal, by its place among all.
pub(crate) type Id = usize;

/// An extreme over a window of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Over {
    pub(crate) pick: Pick,
    pub(crate) from: f64,
    /// May be infinite.
    pub(crate) to: f64,
    /// Whether the end of the window does not belong to it.
    pub(crate) is_open: bool,
    pub(crate) of: Id,
    pub(crate) table: usize,
}

/// What a signal is between its points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Atom(usize),
    Constant(f64),
    Negative(Id),
    Extreme(Pick, Id, Id),
    Over(Over),
    /// The first moment a while later.
    Later(f64, Id),
    Until(Id, Id),
}

/// Robustness over time.
pub(crate) struct Signal {
    pub(crate) points: Vec<Point>,
    pub(crate) source: Source,
    pub(crate) beyond: f64,
    /// For `Until`: the constant of the section after each point.
    pub(crate) held: Vec<f64>,
}

/// Where a window begins.
#[derive(Clone, Copy)]
pub(crate) enum Start {
    /// Just before the time.
    Before,
    /// At a moment of it.
    At(usize),
    /// Just after it.
    After,
}

/// Where a window ends.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Before,
    Through,
    After,
}

/// Local extrema with their values.
type Turns = Vec<(f64, f64)>;

/// Where nothing is known of an atom: its value is 0 there.
#[derive(Default)]
struct Doubts {
    jumps: Vec<usize>,
    sections: Vec<bool>,
}

impl Doubts {
    fn has(&self, section: Option<usize>) -> bool {
        section.is_some_and(|s| self.sections.get(s).copied().unwrap_or(false))
    }
}

/// Places of a section at which it is looked whether a switch leaves zero.
const LOOKS: usize = 8;

/// All signals of a measurement.
pub(crate) struct Signals<'c, 'f> {
    pub(crate) course: &'c mut dyn Course,
    pub(crate) grid: Grid<'f>,
    pub(crate) atoms: Vec<Atom>,
    /// For each atom and section of the grid: its extrema; `None` where it has no value.
    turns: Vec<Vec<Option<Turns>>>,
    /// For each atom: the switches at which it jumps, and the sections in which errors of the run decide its value.
    doubts: Vec<Doubts>,
    pub(crate) all: Vec<Signal>,
    /// Extremes of 2^k points from each on, for range queries.
    tables: Vec<Vec<Vec<f64>>>,
    pub(crate) end: f64,
}

impl<'c, 'f> Signals<'c, 'f> {
    pub(crate) fn new(course: &'c mut dyn Course, grid: Grid<'f>) -> Self {
        let end = grid.boundaries.last().map_or(0.0, |(t, _)| *t);
        Signals {
            course,
            grid,
            atoms: Vec::new(),
            turns: Vec::new(),
            doubts: Vec::new(),
            all: Vec::new(),
            tables: Vec::new(),
            end,
        }
    }

    pub(crate) fn push(&mut self, points: Vec<Point>, source: Source, beyond: f64) -> Id {
        self.all.push(Signal {
            points,
            source,
            beyond,
            held: Vec::new(),
        });
        self.all.len() - 1
    }

    /// Adds an atom, for [`Signals::atom_signal`].
    pub(crate) fn add_atom(&mut self, mut atom: Atom) -> usize {
        let boundaries = &self.grid.boundaries;
        let mut turns = Vec::new();
        let mut doubts = Doubts {
            jumps: self.grid.switches.jumps_of(atom.operands()),
            sections: Vec::new(),
        };
        for section in 0..boundaries.len().saturating_sub(1) {
            let instant = self.grid.instant_before(section);
            let from = match boundaries[section].1 {
                Boundary::Switch(_, _, after) => after,
                Boundary::Instant(_) => boundaries[section].0,
            };
            let to = match boundaries[section + 1].1 {
                Boundary::Switch(_, before, _) => before,
                Boundary::Instant(_) => boundaries[section + 1].0,
            };
            let course = &mut *self.course;
            let stays = |switch: &usize, course: &mut dyn Course| {
                (0..=LOOKS).all(|k| {
                    course.go_between(instant, from + (to - from) * k as f64 / LOOKS as f64);
                    self.grid.switches.is_doubtful(*switch, course)
                })
            };
            let is_doubtful = doubts.jumps.iter().any(|switch| stays(switch, course));
            doubts.sections.push(is_doubtful);
            if is_doubtful {
                turns.push(Some(Vec::new()));
                continue;
            }
            let mut noise: f64 = 0.0;
            for t in [from, 0.5 * (from + to), to] {
                course.go_between(instant, t);
                atom.value(course);
                noise = noise.max(atom.noise());
            }
            turns.push(extrema(from, to, noise, &mut |t| {
                course.go_between(instant, t);
                atom.value(course)
            }));
        }
        self.atoms.push(atom);
        self.turns.push(turns);
        self.doubts.push(doubts);
        self.atoms.len() - 1
    }

    /// The signal of an atom.
    pub(crate) fn atom_signal(&mut self, atom: usize, beyond: f64) -> Id {
        let mut points = Vec::new();
        let last = self.grid.boundaries.len().saturating_sub(1);
        let known = |value: f64| if value.is_nan() { beyond } else { value };
        for place in 0..=last {
            let (t, _) = self.grid.boundaries[place];
            let Signals {
                grid,
                course,
                atoms,
                doubts,
                ..
            } = self;
            let doubts = &doubts[atom];
            let count = grid.moments(place, *course);
            let value = |moment: usize| {
                let zeros = grid.go(place, moment, *course);
                known(if zeros.is_empty() {
                    atoms[atom].value(*course)
                } else {
                    atoms[atom].value_at_zero(*course, &grid.switches, zeros)
                })
            };
            let mut limits: Vec<f64> = (0..count).map(value).collect();
            let mut values = limits.clone();
            for (moment, value) in values.iter_mut().enumerate() {
                let zeros = grid.go(place, moment, *course);
                let is_among = |zeros: &[Zero], s: usize| zeros.iter().any(|zero| zero.switch == s);
                let doubtful: Vec<usize> = doubts
                    .jumps
                    .iter()
                    .copied()
                    .filter(|s| !is_among(zeros, *s) && grid.switches.is_doubtful(*s, *course))
                    .collect();
                if !doubtful.is_empty() {
                    *value = 0.0;
                }
                // What goes through zero there has clear values on both sides of it; what only comes there has none.
                if doubtful.iter().any(|s| !is_among(grid.zeros_at(place), *s)) {
                    limits[moment] = 0.0;
                }
            }
            let is_known = |section: Option<usize>| {
                section.is_none_or(|s| self.turns[atom].get(s).is_none_or(Option::is_some))
            };
            let side = |section: Option<usize>, value: Option<&f64>| match value {
                _ if doubts.has(section) => 0.0,
                Some(value) if is_known(section) => *value,
                _ => beyond,
            };
            let left = side(place.checked_sub(1), limits.first());
            let right = side((place < last).then_some(place), limits.last());
            let right = if place == last { beyond } else { right };
            points.push(Point {
                t,
                left,
                values,
                right,
            });
            if let Some(Some(turns)) = self.turns[atom].get(place) {
                points.extend(turns.iter().map(|(t, value)| Point::flat(*t, *value)));
            }
        }
        self.push(points, Source::Atom(atom), beyond)
    }

    fn atom_inside(&mut self, atom: usize, beyond: f64, t: f64) -> f64 {
        let section = self.grid.section(t);
        if self.doubts[atom].has(Some(section)) {
            return 0.0;
        }
        if !matches!(self.turns[atom].get(section), Some(Some(_))) {
            return beyond;
        }
        self.course.go_between(self.grid.instant_before(section), t);
        let value = self.atoms[atom].value(self.course);
        if value.is_nan() { beyond } else { value }
    }

    /// A constant.
    pub(crate) fn constant(&mut self, value: f64, beyond: f64) -> Id {
        let start = self.grid.boundaries.first().map_or(0.0, |(t, _)| *t);
        let mut points = vec![Point::flat(start, value)];
        if self.end > start {
            points.push(Point::flat(self.end, value));
        }
        if let Some(last) = points.last_mut() {
            last.right = beyond;
        }
        self.push(points, Source::Constant(value), beyond)
    }

    /// −φ.
    pub(crate) fn negative(&mut self, of: Id) -> Id {
        let points = self.all[of].points.iter().map(|p| p.map(|v| -v)).collect();
        let beyond = -self.all[of].beyond;
        self.push(points, Source::Negative(of), beyond)
    }

    /// The point of a signal at a time, if it has one there up to rounding.
    pub(crate) fn point_near(&self, id: Id, t: f64) -> Option<usize> {
        let points = &self.all[id].points;
        let reach = SNAP * self.end.abs().max(t.abs());
        let next = points.partition_point(|p| p.t < t - reach);
        let mut best: Option<usize> = None;
        for (place, point) in points.iter().enumerate().skip(next) {
            if point.t > t + reach {
                break;
            }
            if best.is_none_or(|b| (point.t - t).abs() < (points[b].t - t).abs()) {
                best = Some(place);
            }
        }
        best
    }

    /// A signal's value at a time: that of the first moment.
    pub(crate) fn at(&mut self, id: Id, t: f64) -> f64 {
        if let Some(place) = self.point_near(id, t) {
            return self.all[id].points[place].value(0);
        }
        if t > self.end {
            return self.all[id].beyond;
        }
        self.inside(id, t)
    }

    /// A signal's value and limits at a time.
    pub(crate) fn point(&mut self, id: Id, t: f64) -> Point {
        if let Some(place) = self.point_near(id, t) {
            return Point {
                t,
                ..self.all[id].points[place].clone()
            };
        }
        let value = self.at(id, t);
        Point::flat(t, value)
    }

    /// A signal's value at a time strictly between its points.
    pub(crate) fn inside(&mut self, id: Id, t: f64) -> f64 {
        let beyond = self.all[id].beyond;
        match self.all[id].source {
            Source::Atom(atom) => self.atom_inside(atom, beyond, t),
            Source::Constant(value) => value,
            Source::Negative(of) => -self.at(of, t),
            Source::Extreme(pick, a, b) => {
                let (a, b) = (self.at(a, t), self.at(b, t));
                pick.of(a, b)
            }
            Source::Over(over) => self.extreme(&over, t, Start::At(0), End::Through),
            Source::Later(by, of) => self.at(of, t + by),
            Source::Until(hold, goal) => {
                let section = self.all[id].points.partition_point(|p| p.t <= t);
                let held = &self.all[id].held;
                let held = held.get(section.saturating_sub(1)).copied().unwrap_or(beyond);
                let (hold, goal) = (self.at(hold, t), self.at(goal, t));
                goal.max(hold.min(held))
            }
        }
    }

    /// The table for range queries of a signal's points.
    pub(crate) fn table(&mut self, of: Id, pick: Pick) -> usize {
        let whole = |p: &Point| {
            p.values
                .iter()
                .fold(pick.of(p.left, p.right), |m, v| pick.of(m, *v))
        };
        let mut levels: Vec<Vec<f64>> = vec![self.all[of].points.iter().map(whole).collect()];
        let mut width = 1;
        while let Some(last) = levels.last().filter(|l| l.len() > width) {
            let next: Vec<f64> = (0..last.len() - width)
                .map(|i| pick.of(last[i], last[i + width]))
                .collect();
            levels.push(next);
            width *= 2;
        }
        self.tables.push(levels);
        self.tables.len() - 1
    }

    /// The extreme of points `first..last`.
    fn range(&self, over: &Over, first: usize, last: usize) -> f64 {
        if first >= last {
            return over.pick.nothing();
        }
        let level = (last - first).ilog2() as usize;
        let row = &self.tables[over.table][level];
        over.pick.of(row[first], row[last - (1 << level)])
    }

    /// The extreme over the window of a time.
    pub(crate) fn extreme(&mut self, over: &Over, t: f64, start: Start, end: End) -> f64 {
        let (pick, of) = (over.pick, over.of);
        let beyond = self.all[of].beyond;
        let first = self.point_near(of, t + over.from);
        let (p, q) = (t + over.from, t + over.to);
        if first.is_none() && p > self.end {
            return beyond;
        }
        if over.from == over.to {
            return self.extreme_at(over, p, first, start);
        }
        let mut found = pick.nothing();
        let next = match first {
            Some(place) => {
                let point = &self.all[of].points[place];
                let from = match start {
                    Start::Before => {
                        found = point.left;
                        0
                    }
                    Start::At(moment) if over.from == 0.0 => moment,
                    Start::At(_) => 0,
                    Start::After => usize::MAX,
                };
                let last = point.values.len().saturating_sub(1);
                let from = if matches!(start, Start::After) {
                    point.values.len()
                } else {
                    from.min(last)
                };
                found = point.values[from..].iter().fold(found, |m, v| pick.of(m, *v));
                found = pick.of(found, point.right);
                place + 1
            }
            None => {
                found = self.inside(of, p);
                self.all[of].points.partition_point(|point| point.t < p)
            }
        };
        let last = match self.point_near(of, q).filter(|_| q.is_finite()) {
            Some(place) => {
                let point = &self.all[of].points[place];
                found = pick.of(found, point.left);
                if matches!(end, End::After) || matches!(end, End::Through) && !over.is_open {
                    found = point.values.iter().fold(found, |m, v| pick.of(m, *v));
                }
                if matches!(end, End::After) {
                    found = pick.of(found, point.right);
                }
                place
            }
            None if q > self.end => {
                found = pick.of(found, beyond);
                self.all[of].points.len()
            }
            None => {
                let value = self.inside(of, q);
                found = pick.of(found, value);
                self.all[of].points.partition_point(|point| point.t < q)
            }
        };
        pick.of(found, self.range(over, next, last))
    }

    /// Over a window of one instant.
    fn extreme_at(&mut self, over: &Over, p: f64, place: Option<usize>, start: Start) -> f64 {
        let Some(place) = place else {
            return self.inside(over.of, p);
        };
        let point = &self.all[over.of].points[place];
        match start {
            Start::Before => point.left,
            Start::After => point.right,
            Start::At(moment) => {
                let moment = if over.from == 0.0 { moment } else { 0 };
                let moment = moment.min(point.values.len().saturating_sub(1));
                let values = point.values[moment..].iter();
                values.fold(over.pick.nothing(), |m, v| over.pick.of(m, *v))
            }
        }
    }

    /// Times between neighbours of `times` at which two functions cross that are monotone there. `sides` has their difference after each time and before the next.
    pub(crate) fn crossings(
        &mut self,
        times: &[f64],
        sides: &[(f64, f64)],
        difference: &mut dyn FnMut(&mut Self, f64) -> f64,
    ) -> Vec<f64> {
        let mut found = Vec::new();
        for (pair, (before, after)) in times.windows(2).zip(sides) {
            if before.is_finite() && after.is_finite() && before * after < 0.0 {
                let (low, high) = bisect(pair[0], pair[1], |t| {
                    (difference(self, t) > 0.0) == (*after > 0.0)
                });
                found.extend([low, high].into_iter().filter(|t| *t > pair[0] && *t < pair[1]));
            }
        }
        found
    }
}
