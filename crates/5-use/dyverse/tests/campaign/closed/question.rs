//! Random properties, most of them about one moment of the trajectory that is known: broken there and perhaps nowhere else, in a window that
//! begins or ends there.

use super::super::random::Random;
use super::course::{Course, Moment, Span};
use super::formula::{Expr, Literal, Relation, Truth, Window, boxed};
use super::real::{EXACT, Real, ZERO};
use super::scene::{Words, decimal};
use std::cmp::Ordering;

/// How far a bound is from what it is about.
const MARGINS: [f64; 6] = [1e-9, 1e-7, 1e-5, 1e-3, 0.03, 0.3];

struct Drawer<'a> {
    words: &'a Words,
    course: &'a Course,
    random: &'a mut Random,
}

/// A moment of the course: when, and the values at it.
struct Target {
    t: Real,
    values: Moment,
}

/// A random property; `None` if nothing came of it.
pub(crate) fn question(words: &Words, course: &Course, random: &mut Random) -> Option<Truth> {
    let mut drawer = Drawer {
        words,
        course,
        random,
    };
    match drawer.random.below(20) {
        0..=8 => drawer.broken(),
        9..=14 => drawer.bounded(),
        15 | 16 => {
            let (a, b) = (drawer.bounded()?, drawer.bounded()?);
            Some(a.and(b))
        }
        17 => {
            let (a, b) = (drawer.bounded()?, drawer.broken()?);
            Some(a.and(b))
        }
        _ => drawer.nested(),
    }
}

/// A number near another, on a side of it.
fn near(value: Real, by: f64) -> Literal {
    let digits = if by.abs() < 1e-6 { 11 } else { 8 };
    Literal::new(decimal(value.f64() + by, digits))
}

impl Drawer<'_> {
    /// A moment: of an event mostly.
    fn target(&mut self) -> Option<Target> {
        let instants = &self.course.instants;
        let events: Vec<usize> = (0..instants.len())
            .filter(|i| instants[*i].moments.len() > 1)
            .collect();
        if !events.is_empty() && self.random.often(0.6) {
            let place = *self.random.pick(&events);
            return Some(self.at_instant(place));
        }
        if self.random.often(0.3) {
            let place = self.random.below(instants.len());
            return Some(self.at_instant(place));
        }
        let span = self.random.below(self.course.spans.len());
        if let Span::Samples(samples) = &self.course.spans[span] {
            if samples.is_empty() {
                return None;
            }
            let (t, values) = self.random.pick(samples).clone();
            return Some(Target { t, values });
        }
        let (from, to) = (instants[span].t, instants[span + 1].t);
        let t = Real::decimal(&decimal(self.random.between(from.f64(), to.f64()), 2));
        if t <= from || t >= to {
            return None;
        }
        let values = self.course.between(span, t)?;
        Some(Target { t, values })
    }

    fn at_instant(&mut self, place: usize) -> Target {
        let instant = &self.course.instants[place];
        Target {
            t: instant.t,
            values: self.random.pick(&instant.moments).clone(),
        }
    }

    /// A number to speak of, at this moment not unknown.
    fn quantity(&mut self, at: &Target) -> Option<Expr> {
        let named: Vec<usize> = (0..self.words.leaves.len())
            .filter(|l| !self.words.leaves[*l].text.is_empty() && at.values[*l].is_some())
            .collect();
        let plain = if !self.words.quantities.is_empty() && self.random.often(0.25) {
            self.random.pick(&self.words.quantities).clone()
        } else {
            Expr::Leaf(*self.random.pick(&named))
        };
        plain.value(&at.values, &EXACT)?;
        Some(self.wrapped(plain, at))
    }

    /// Perhaps inside a function with a kink or a jump, often just there.
    fn wrapped(&mut self, of: Expr, at: &Target) -> Expr {
        if !self.random.often(0.3) {
            return of;
        }
        let value = of.value(&at.values, &EXACT).unwrap_or(ZERO);
        let level = Expr::written(value).filter(|_| self.random.often(0.6));
        let level = level.unwrap_or_else(|| Expr::number(decimal(self.random.between(-1.0, 1.5), 1)));
        let shifted = of.clone().minus(level.clone());
        let (of, shifted) = (boxed(of), boxed(shifted));
        match self.random.below(8) {
            0 => Expr::Abs(shifted),
            1 => Expr::Sign(shifted),
            2 => Expr::Min(of, boxed(level)),
            3 => Expr::Max(of, boxed(level)),
            4 => {
                let by = near(value, *self.random.pick(&[0.2, 0.5]));
                match level {
                    Expr::Number(low) if low.value < by.value => Expr::Clamp(of, low, by),
                    _ => Expr::Abs(of),
                }
            }
            5 => Expr::Floor(of),
            6 => Expr::Floor(shifted),
            _ => {
                let is_above = Truth::compare(Relation::AtLeast, *of.clone(), level);
                let other = Expr::number(self.random.pick(&["0", "1", "-1"]).to_string());
                Expr::If(boxed(is_above), of, boxed(other))
            }
        }
    }

    /// A statement that is true at a moment, and perhaps only there.
    fn fact(&mut self, at: &Target) -> Option<Truth> {
        let found = self.plain_fact(at)?;
        if self.random.often(0.3) {
            let truths: Vec<&Truth> = self.words.truths.iter().collect();
            if let Some(truth) = (!truths.is_empty()).then(|| *self.random.pick(&truths)) {
                let with = match truth.now(&at.values, &EXACT)? {
                    true => truth.clone(),
                    false => truth.clone().negated(),
                };
                return Some(with.and(found));
            }
        }
        if self.random.often(0.2) {
            return Some(found.and(self.plain_fact(at)?));
        }
        Some(found)
    }

    fn plain_fact(&mut self, at: &Target) -> Option<Truth> {
        let of = self.quantity(at)?;
        let value = of.value(&at.values, &EXACT)?;
        let margin = *self.random.pick(&MARGINS);
        let exact = Expr::written(value);
        let number = |literal: Literal| Expr::Number(literal);
        Some(match (self.random.below(9), exact) {
            (0, Some(exact)) => Truth::compare(Relation::Equal, of, exact),
            (1, Some(exact)) => Truth::compare(Relation::AtLeast, of, exact),
            (2, Some(exact)) => Truth::compare(Relation::AtMost, of, exact),
            (3, Some(exact)) => {
                let sign = Expr::Sign(boxed(of.minus(exact)));
                Truth::compare(Relation::Equal, sign, Expr::number("0"))
            }
            (4, Some(exact)) => {
                let far = Expr::Abs(boxed(of.minus(exact)));
                Truth::compare(Relation::AtMost, far, Expr::number(decimal(margin, 10)))
            }
            (5, Some(exact)) => Truth::compare(Relation::Unequal, of, exact).negated(),
            (6, _) => Truth::compare(Relation::Less, of, number(near(value, margin))),
            (7, _) => {
                let above = Truth::compare(Relation::More, of.clone(), number(near(value, -margin)));
                above.and(Truth::compare(Relation::Less, of, number(near(value, margin))))
            }
            _ => Truth::compare(Relation::More, of, number(near(value, -margin))),
        })
    }

    /// A window that holds a time, often at one of its ends.
    fn window(&mut self, t: Real) -> Option<Window> {
        let horizon = self.words.horizon;
        let zero = Literal::new("0");
        let end = Literal {
            text: horizon.written()?,
            value: horizon,
        };
        let here = t.written().map(|text| Literal { text, value: t });
        let before = Literal::new(decimal(t.f64() * self.random.between(0.0, 0.95), 2));
        let after = Literal::new(decimal(
            t.f64() + (horizon - t).f64() * self.random.between(0.05, 1.0),
            2,
        ));
        let before = if before.value < t { before } else { zero.clone() };
        let after = if after.value > t && after.value < horizon {
            after
        } else {
            end.clone()
        };
        let window = match (self.random.below(9), here) {
            (0, Some(here)) => (zero, here),
            (1, Some(here)) => (here, end),
            (2 | 3, Some(here)) => (here.clone(), here),
            (4, Some(here)) => (before, here),
            (5, Some(here)) => (here, after),
            (6, _) => (before, after),
            _ => (zero, end),
        };
        (window.0.value <= window.1.value).then_some(window)
    }

    /// Something that a moment breaks.
    fn broken(&mut self) -> Option<Truth> {
        let target = self.target()?;
        let fact = self.fact(&target)?;
        let window = if self.random.often(0.1) {
            None
        } else {
            Some(self.window(target.t)?)
        };
        Some(match self.random.below(4) {
            0 => Truth::Always(window, boxed(fact.negated())),
            1 => {
                let other = self.plain_fact(&target)?;
                Truth::Always(window, boxed(Truth::Implies(boxed(other), boxed(fact.negated()))))
            }
            _ => Truth::Never(window, boxed(fact)),
        })
    }

    /// A bound on a number, outside of what was seen of it, or just not.
    fn bounded(&mut self) -> Option<Truth> {
        let target = self.target()?;
        let of = self.quantity(&target)?;
        let window = self.window(target.t)?;
        let mut seen = Vec::new();
        for (number, instant) in self.course.instants.iter().enumerate() {
            seen.extend(instant.moments.iter().filter_map(|m| of.value(m, &EXACT)));
            if number < self.course.spans.len() {
                let next = self.course.instants[number + 1].t;
                for part in [0.25, 0.5, 0.75] {
                    let t = instant.t + (next - instant.t) * Real::from(part);
                    let there = self.course.between(number, t);
                    seen.extend(there.and_then(|m| of.value(&m, &EXACT)));
                }
            }
        }
        let by_size = |a: &Real, b: &Real| a.partial_cmp(b).unwrap_or(Ordering::Equal);
        let most = seen.iter().copied().max_by(by_size)?;
        let least = seen.iter().copied().min_by(by_size)?;
        let size = 0.05 + (most - least).f64().abs();
        let margin = size * *self.random.pick(&[1e-4, 0.01, 0.1, 0.5, 1.0]);
        let margin = if self.random.often(0.85) { margin } else { -margin };
        let bound = |value: Real, by: f64| Expr::Number(near(value, by));
        let holds = match self.random.below(5) {
            0 => Truth::compare(Relation::AtLeast, of, bound(least, -margin)),
            1 => Truth::compare(Relation::More, of, bound(least, -margin)),
            2 => Truth::compare(Relation::Unequal, of, bound(most, margin)),
            3 => Truth::compare(Relation::Less, of, bound(most, margin)),
            _ => Truth::compare(Relation::AtMost, of, bound(most, margin)),
        };
        Some(match self.random.below(4) {
            0 => Truth::Never(Some(window), boxed(holds.negated())),
            1 => {
                let fact = self.plain_fact(&target)?;
                Truth::Always(Some(window), boxed(Truth::Implies(boxed(fact), boxed(holds))))
            }
            _ => Truth::Always(Some(window), boxed(holds)),
        })
    }

    /// Operators that are not proved, and operators in operators.
    fn nested(&mut self) -> Option<Truth> {
        let (one, two) = (self.target()?, self.target()?);
        let (a, b) = (self.fact(&one)?, self.fact(&two)?);
        let horizon = self.words.horizon.f64();
        let part = |random: &mut Random, most: f64| Literal::new(decimal(horizon * most * random.even(), 2));
        let (from, length) = (part(self.random, 0.3), part(self.random, 0.3));
        let to = Literal::new(decimal(
            from.value.f64() + 0.05 + 0.3 * horizon * self.random.even(),
            2,
        ));
        let inner = Some((Literal::new("0"), length));
        let outer = (from, to);
        Some(match self.random.below(6) {
            0 => Truth::Eventually(Some(outer), boxed(a)),
            1 => Truth::Until(outer, boxed(a.negated()), boxed(b)),
            2 => {
                let answered = Truth::Eventually(inner, boxed(b));
                Truth::Always(Some(outer), boxed(Truth::Implies(boxed(a), boxed(answered))))
            }
            3 => Truth::Eventually(Some(outer), boxed(Truth::Always(inner, boxed(a.negated())))),
            4 => Truth::Always(Some(outer), boxed(Truth::Eventually(inner, boxed(a.negated())))),
            _ => {
                let first = Truth::Eventually(Some(outer.clone()), boxed(a));
                Truth::Or(boxed(first), boxed(Truth::Always(Some(outer), boxed(b))))
            }
        })
    }
}
