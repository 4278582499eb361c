//! The operators of the logic on signals [Donzé, Ferrère, Maler 2013].
//!
//! # Until
//! (φ until[a, b] ψ)(t) = sup over t′ ∈ [t + a, t + b] of min(ψ(t′), inf of φ over [t, t′)), and that is the least of
//! - inf of φ over [t, t + a),
//! - sup of ψ over [t + a, t + b],
//! - u(t + a) with u = φ until[0, ∞) ψ.
//!
//! u is found backwards. On a section (s, e) without a crossing of φ and ψ, both monotone: u(t) = max(ψ(t), min(φ(t), w)) with w = u(e⁻) = max(ψ(e⁻), min(φ(e⁻), u(e))); over the moments of an instant:
//! u_n = max(ψ_n, min(φ_n, u_{n+1})). Proof for sections: φ ≤ ψ on all of it gives ψ(t) unless φ lasts to the end; φ ≥ ψ gives the larger of ψ(t) and min(ψ(e⁻), φ(t)), or more if it lasts.

use crate::signal::{End, Id, Over, Pick, Point, Signals, Source, Start};

impl Signals<'_, '_> {
    /// All times at which one of two signals has a point, each once.
    fn union(&self, a: Id, b: Id) -> Vec<f64> {
        let times = |id: Id| self.all[id].points.iter().map(|p| p.t);
        let mut all: Vec<f64> = times(a).chain(times(b)).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    /// `times`, and where two signals cross between them.
    fn with_crossings(&mut self, times: Vec<f64>, a: Id, b: Id) -> Vec<f64> {
        let points: Vec<(Point, Point)> = times
            .iter()
            .map(|t| (self.point(a, *t), self.point(b, *t)))
            .collect();
        let sides: Vec<(f64, f64)> = points
            .windows(2)
            .map(|w| (w[0].0.right - w[0].1.right, w[1].0.left - w[1].1.left))
            .collect();
        let found = self.crossings(&times, &sides, &mut |signals, t| {
            signals.at(a, t) - signals.at(b, t)
        });
        merged(times, found)
    }

    /// min(φ, ψ) or max(φ, ψ).
    pub(crate) fn extreme_of(&mut self, pick: Pick, a: Id, b: Id) -> Id {
        let times = self.with_crossings(self.union(a, b), a, b);
        let mut points = Vec::with_capacity(times.len());
        for t in times {
            let (first, second) = (self.point(a, t), self.point(b, t));
            let count = first.values.len().max(second.values.len());
            points.push(Point {
                t,
                left: pick.of(first.left, second.left),
                values: (0..count)
                    .map(|n| pick.of(first.value(n), second.value(n)))
                    .collect(),
                right: pick.of(first.right, second.right),
            });
        }
        let beyond = self.all[a].beyond;
        self.push(points, Source::Extreme(pick, a, b), beyond)
    }

    /// How to take the extreme of a signal over windows.
    pub(crate) fn over(&mut self, pick: Pick, from: f64, to: f64, of: Id) -> Over {
        let table = self.table(of, pick);
        Over {
            pick,
            from,
            to,
            is_open: false,
            of,
            table,
        }
    }

    /// The extreme of a signal over a window, at all times.
    pub(crate) fn extreme_over(&mut self, over: Over) -> Id {
        let of = over.of;
        let times = self.shifted(of, &[over.from, over.to]);
        let times = if over.to.is_finite() && over.from < over.to {
            let ends: Vec<(Point, Point)> = times
                .iter()
                .map(|t| (self.point(of, t + over.from), self.point(of, t + over.to)))
                .collect();
            let sides: Vec<(f64, f64)> = ends
                .windows(2)
                .map(|w| (w[0].0.right - w[0].1.right, w[1].0.left - w[1].1.left))
                .collect();
            let found = self.crossings(&times, &sides, &mut |signals, t| {
                signals.at(of, t + over.from) - signals.at(of, t + over.to)
            });
            merged(times, found)
        } else {
            times
        };
        let mut points = Vec::with_capacity(times.len());
        for t in times {
            let moments = match self.point_near(of, t).filter(|_| over.from == 0.0) {
                Some(place) => self.all[of].points[place].values.len(),
                None => 1,
            };
            points.push(Point {
                t,
                left: self.extreme(&over, t, Start::Before, End::Before),
                values: (0..moments)
                    .map(|n| self.extreme(&over, t, Start::At(n), End::Through))
                    .collect(),
                right: self.extreme(&over, t, Start::After, End::After),
            });
        }
        let beyond = self.all[of].beyond;
        self.finish(points, Source::Over(over), beyond)
    }

    /// Times at which a signal has a point one of these whiles later, with start and end.
    fn shifted(&self, of: Id, whiles: &[f64]) -> Vec<f64> {
        let start = self.grid.boundaries.first().map_or(0.0, |(t, _)| *t);
        let mut times = vec![start, self.end];
        for point in &self.all[of].points {
            let earlier = whiles.iter().filter(|w| w.is_finite()).map(|w| point.t - w);
            times.extend(earlier.filter(|t| *t > start && *t < self.end));
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    fn finish(&mut self, mut points: Vec<Point>, source: Source, beyond: f64) -> Id {
        if let Some(last) = points.last_mut() {
            last.right = beyond;
        }
        self.push(points, source, beyond)
    }

    /// A signal a while later, at the first moment there.
    fn later(&mut self, by: f64, of: Id) -> Id {
        let mut points = Vec::new();
        for t in self.shifted(of, &[by]) {
            let point = self.point(of, t + by);
            points.push(Point {
                t,
                values: vec![point.value(0)],
                ..point
            });
        }
        let beyond = self.all[of].beyond;
        self.finish(points, Source::Later(by, of), beyond)
    }

    /// φ until[0, ∞) ψ.
    fn until_ever(&mut self, hold: Id, goal: Id) -> Id {
        let times = self.with_crossings(self.union(hold, goal), hold, goal);
        let beyond = self.all[hold].beyond;
        let mut points: Vec<Point> = Vec::new();
        let mut held: Vec<f64> = Vec::new();
        // The value just after the time at hand, and the constant of the section there.
        let (mut after, mut w) = (beyond, beyond);
        for t in times.iter().rev() {
            let (h, g) = (self.point(hold, *t), self.point(goal, *t));
            let right = if *t < self.end {
                g.right.max(h.right.min(w))
            } else {
                after
            };
            let count = h.values.len().max(g.values.len());
            let mut values = vec![0.0; count];
            after = right;
            for n in (0..count).rev() {
                after = g.value(n).max(h.value(n).min(after));
                values[n] = after;
            }
            held.push(w);
            w = g.left.max(h.left.min(after));
            points.push(Point {
                t: *t,
                left: w,
                values,
                right,
            });
        }
        points.reverse();
        held.reverse();
        self.cross_held(hold, goal, points, held, beyond)
    }

    /// Adds the points at which ψ and min(φ, w) cross.
    fn cross_held(&mut self, hold: Id, goal: Id, points: Vec<Point>, held: Vec<f64>, beyond: f64) -> Id {
        let (mut all, mut constants) = (Vec::new(), Vec::new());
        let times: Vec<f64> = points.iter().map(|p| p.t).collect();
        for (place, point) in points.into_iter().enumerate() {
            let w = held[place];
            all.push(point);
            constants.push(w);
            let Some(next) = times.get(place + 1) else { break };
            let (t, ends) = (times[place], [times[place], *next]);
            let side = |h: f64, g: f64| g - h.min(w);
            let (h0, g0) = (self.point(hold, t).right, self.point(goal, t).right);
            let (h1, g1) = (self.point(hold, *next).left, self.point(goal, *next).left);
            let found = self.crossings(&ends, &[(side(h0, g0), side(h1, g1))], &mut |signals, t| {
                signals.at(goal, t) - signals.at(hold, t).min(w)
            });
            for t in found {
                let value = self.at(goal, t).max(self.at(hold, t).min(w));
                all.push(Point::flat(t, value));
                constants.push(w);
            }
        }
        let id = self.push(all, Source::Until(hold, goal), beyond);
        self.all[id].held = constants;
        id
    }

    /// φ until[from, to] ψ.
    pub(crate) fn until(&mut self, from: f64, to: f64, hold: Id, goal: Id) -> Id {
        let mut result = self.until_ever(hold, goal);
        if from > 0.0 {
            result = self.later(from, result);
            let over = self.over(Pick::Least, 0.0, from, hold);
            let kept = self.extreme_over(Over {
                is_open: true,
                ..over
            });
            result = self.extreme_of(Pick::Least, kept, result);
        }
        if to.is_finite() {
            let over = self.over(Pick::Most, from, to, goal);
            let reached = self.extreme_over(over);
            result = self.extreme_of(Pick::Least, reached, result);
        }
        result
    }
}

/// Two lists of times as one, ascending, each once.
fn merged(mut times: Vec<f64>, others: Vec<f64>) -> Vec<f64> {
    if !others.is_empty() {
        times.extend(others);
        times.sort_by(f64::total_cmp);
        times.dedup();
    }
    times
}
