//! When a property is broken: the first moment, located to neighbouring numbers, and the one that decides.

use crate::monotone::bisect;
use crate::robustness::{Builder, pick};
use crate::signal::{Id, Pick, Point};
use dyverse_model::{Formula, FormulaId};

/// A time and the place of a moment there.
pub(crate) type At = (f64, usize);

/// The first moment at which something is broken, if it is, and the one that decides.
type Located = (Option<At>, At);

impl Builder<'_, '_> {
    /// Where sign · ρ of a part at the start falls below −`level`.
    pub(crate) fn locate(&mut self, id: FormulaId, sign: f64, level: f64) -> Located {
        let start = (self.start(), 0);
        match self.part(id).clone() {
            Formula::Now(_) => {
                let value = sign * self.at_start(id, sign > 0.0);
                ((value < -level).then_some(start), start)
            }
            Formula::Not(a) => self.locate(a, -sign, level),
            ref part @ (Formula::And(a, b) | Formula::Or(a, b)) => {
                let is_each = (pick(part) == Pick::Least) == (sign > 0.0);
                self.locate_two(a, b, sign, level, is_each)
            }
            ref part @ (Formula::Always(window, a) | Formula::Eventually(window, a)) => {
                let is_each = (pick(part) == Pick::Least) == (sign > 0.0);
                let of = self.signal(a, sign > 0.0);
                let (from, to) = self.window(window);
                let (first, worst) = self.walk(of, (start.0 + from, start.0 + to), sign, level, is_each);
                let end = (start.0 + to).min(self.signals.end);
                if is_each {
                    (first, worst)
                } else {
                    (Some((end, 0)), worst)
                }
            }
            Formula::Until(window, a, _) => {
                let (_, to) = self.window(window);
                let end = ((start.0 + to).min(self.signals.end), 0);
                if sign < 0.0 {
                    return (Some(end), end);
                }
                let hold = self.signal(a, true);
                let (first, _) = self.walk(hold, (start.0, start.0 + to), sign, level, true);
                (Some(first.unwrap_or(end)), first.unwrap_or(end))
            }
        }
    }

    /// `is_each`: both must hold, so the first that fails breaks the whole; else both must fail.
    fn locate_two(&mut self, a: FormulaId, b: FormulaId, sign: f64, level: f64, is_each: bool) -> Located {
        let (va, vb) = (
            sign * self.at_start(a, sign > 0.0),
            sign * self.at_start(b, sign > 0.0),
        );
        let (at_a, at_b) = (self.locate(a, sign, level), self.locate(b, sign, level));
        let worst = if (va <= vb) == is_each { at_a.1 } else { at_b.1 };
        let first_of = |value: f64, first: Option<At>| first.filter(|_| value < -level);
        let (first_a, first_b) = (first_of(va, at_a.0), first_of(vb, at_b.0));
        let first = match (first_a, first_b) {
            (Some(x), Some(y)) if is_each == (x <= y) => Some(x),
            (Some(_), Some(y)) => Some(y),
            (one, other) if is_each => one.or(other),
            _ => None,
        };
        (first, worst)
    }

    /// Goes through a window of a signal.
    fn walk(&mut self, of: Id, (p, q): (f64, f64), sign: f64, level: f64, is_each: bool) -> Located {
        let end = self.signals.end;
        let q = q.min(end);
        if p >= q {
            let at = p.min(end);
            let point = self.signals.point(of, at);
            let broken = (0..point.values.len()).find(|n| sign * point.value(*n) < -level);
            return (broken.filter(|_| p <= end).map(|n| (at, n)), (at, 0));
        }
        let mut stations: Vec<Point> = vec![self.signals.point(of, p)];
        let between = self.signals.all[of].points.iter();
        stations.extend(between.filter(|point| point.t > p && point.t < q).cloned());
        stations.push(self.signals.point(of, q));
        let better = |value: f64, best: f64| if is_each { value < best } else { value > best };
        let mut worst = ((p, 0), if is_each { f64::INFINITY } else { f64::NEG_INFINITY });
        let mut first = None;
        for (place, point) in stations.iter().enumerate() {
            for (n, value) in point.values.iter().enumerate() {
                if better(sign * value, worst.1) {
                    worst = ((point.t, n), sign * value);
                }
                if first.is_none() && sign * value < -level {
                    first = Some((point.t, n));
                }
            }
            let Some(next) = stations.get(place + 1) else {
                break;
            };
            if first.is_none() && sign * next.left < -level {
                let signals = &mut self.signals;
                let (_, after) = bisect(point.t, next.t, |t| sign * signals.at(of, t) < -level);
                first = Some((after, 0));
            }
        }
        (first, worst.0)
    }
}
