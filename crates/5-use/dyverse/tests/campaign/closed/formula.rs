//! Properties as the campaign writes and judges them: their text, and their value at one moment.
//!
//! Functions have their own value at a switching point: sign(0) = 0, floor(2) = 2, min and max of equal numbers are that number.

use super::real::{ONE, Real, ZERO, Zones};
use std::cmp::Ordering;

/// Up to this gap a contact touches, and from that on it does not, m.
const TOUCHES: f64 = 1e-10;
const IS_OPEN: f64 = 1e-5;

/// A number with its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Literal {
    pub(crate) text: String,
    pub(crate) value: Real,
}

impl Literal {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let value = Real::decimal(&text);
        Literal { text, value }
    }
}

/// What can be read at a moment: its text in a property.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) text: String,
    /// Whether it changes at events only.
    pub(crate) is_discrete: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

impl Relation {
    fn text(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::More => ">",
            Relation::AtLeast => ">=",
            Relation::Equal => "==",
            Relation::Unequal => "!=",
        }
    }
    pub(crate) fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::More => order.is_gt(),
            Relation::AtLeast => order.is_ge(),
            Relation::Equal => order.is_eq(),
            Relation::Unequal => order.is_ne(),
        }
    }
}

/// A number at a moment.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(Literal),
    /// One of the scene's leaves.
    Leaf(usize),
    /// Written as a name that the model gives it.
    Named(String, Box<Expr>),
    Negative(Box<Expr>),
    Sum(Box<Expr>, Box<Expr>),
    Difference(Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>),
    Abs(Box<Expr>),
    Sign(Box<Expr>),
    Floor(Box<Expr>),
    Min(Box<Expr>, Box<Expr>),
    Max(Box<Expr>, Box<Expr>),
    Clamp(Box<Expr>, Literal, Literal),
    If(Box<Truth>, Box<Expr>, Box<Expr>),
    /// A smooth function, in doubles: for traces.
    Smooth(&'static str, fn(f64) -> f64, Box<Expr>),
}

/// From, to.
pub(crate) type Window = (Literal, Literal);

/// A truth value at a moment; with temporal operators, of what follows.
#[derive(Clone, Debug)]
pub(crate) enum Truth {
    Compare(Relation, Expr, Expr),
    /// Two bodies touch: their text, and the leaf of their gap.
    Touching(String, usize),
    Not(Box<Truth>),
    And(Box<Truth>, Box<Truth>),
    Or(Box<Truth>, Box<Truth>),
    Implies(Box<Truth>, Box<Truth>),
    Always(Option<Window>, Box<Truth>),
    Never(Option<Window>, Box<Truth>),
    Eventually(Option<Window>, Box<Truth>),
    Until(Window, Box<Truth>, Box<Truth>),
}

pub(crate) fn boxed<T>(value: T) -> Box<T> {
    Box::new(value)
}

impl Expr {
    pub(crate) fn number(text: impl Into<String>) -> Self {
        Expr::Number(Literal::new(text))
    }

    /// A number that has a text, if it has one.
    pub(crate) fn written(value: Real) -> Option<Self> {
        let text = value.written()?;
        Some(Expr::Number(Literal { text, value }))
    }

    pub(crate) fn minus(self, other: Expr) -> Self {
        Expr::Difference(boxed(self), boxed(other))
    }

    pub(crate) fn text(&self, leaves: &[Leaf]) -> String {
        let two = |name: &str, a: &Expr, b: &Expr| format!("{name}({}, {})", a.text(leaves), b.text(leaves));
        let one = |name: &str, a: &Expr| format!("{name}({})", a.text(leaves));
        match self {
            Expr::Number(number) if number.text.starts_with('-') => format!("({})", number.text),
            Expr::Number(number) => number.text.clone(),
            Expr::Leaf(leaf) => leaves[*leaf].text.clone(),
            Expr::Named(name, _) => name.clone(),
            Expr::Negative(a) => format!("(-{})", a.text(leaves)),
            Expr::Sum(a, b) => format!("({} + {})", a.text(leaves), b.text(leaves)),
            Expr::Difference(a, b) => format!("({} - {})", a.text(leaves), b.text(leaves)),
            Expr::Product(a, b) => format!("({} * {})", a.text(leaves), b.text(leaves)),
            Expr::Abs(a) => one("abs", a),
            Expr::Sign(a) => one("sign", a),
            Expr::Floor(a) => one("floor", a),
            Expr::Smooth(name, _, a) => one(name, a),
            Expr::Min(a, b) => two("min", a, b),
            Expr::Max(a, b) => two("max", a, b),
            Expr::Clamp(a, low, high) => format!("clamp({}, {}, {})", a.text(leaves), low.text, high.text),
            Expr::If(c, a, b) => format!(
                "(if {} then {} else {})",
                c.text(leaves),
                a.text(leaves),
                b.text(leaves)
            ),
        }
    }

    /// Its value; `None` where something is not known.
    pub(crate) fn value(&self, at: &[Option<Real>], zones: &Zones) -> Option<Real> {
        let of = |e: &Expr| e.value(at, zones);
        let less = |a: Real, b: Real| zones.compare(a, b).map(Ordering::is_lt);
        Some(match self {
            Expr::Number(number) => number.value,
            Expr::Leaf(leaf) => at[*leaf]?,
            Expr::Named(_, a) => of(a)?,
            Expr::Negative(a) => -of(a)?,
            Expr::Sum(a, b) => of(a)? + of(b)?,
            Expr::Difference(a, b) => of(a)? - of(b)?,
            Expr::Product(a, b) => of(a)? * of(b)?,
            // Continuous: the nearest is as good.
            Expr::Abs(a) => of(a)?.abs(),
            Expr::Min(a, b) => of(a)?.min(of(b)?),
            Expr::Max(a, b) => of(a)?.max(of(b)?),
            Expr::Clamp(a, low, high) => of(a)?.max(low.value).min(high.value),
            Expr::Sign(a) => match zones.sign(of(a)?)? {
                Ordering::Less => -ONE,
                Ordering::Equal => ZERO,
                Ordering::Greater => ONE,
            },
            Expr::Floor(a) => {
                let a = of(a)?;
                let near = a.round();
                if less(a, near)? { near - ONE } else { near }
            }
            Expr::If(c, a, b) => match c.now(at, zones)? {
                true => of(a)?,
                false => of(b)?,
            },
            Expr::Smooth(_, f, a) => Real::from(f(of(a)?.f64())),
        })
    }
}

/// How what switches in a formula stands at a moment: where that differs between two moments, it had a value of its own somewhere between them.
#[derive(Default, PartialEq)]
pub(crate) struct Decisions(Vec<Option<i64>>);

impl Decisions {
    fn of_number(&mut self, of: &Expr, at: &[Option<Real>], zones: &Zones) {
        match of {
            Expr::Number(_) | Expr::Leaf(_) => {}
            Expr::Named(_, a)
            | Expr::Negative(a)
            | Expr::Abs(a)
            | Expr::Smooth(_, _, a)
            | Expr::Clamp(a, ..) => {
                self.of_number(a, at, zones);
            }
            Expr::Sum(a, b)
            | Expr::Difference(a, b)
            | Expr::Product(a, b)
            | Expr::Min(a, b)
            | Expr::Max(a, b) => {
                self.of_number(a, at, zones);
                self.of_number(b, at, zones);
            }
            Expr::Sign(a) | Expr::Floor(a) => {
                self.of_number(a, at, zones);
                self.0.push(of.value(at, zones).map(|value| value.f64() as i64));
            }
            Expr::If(c, a, b) => {
                self.of_truth(c, at, zones);
                self.0.push(c.now(at, zones).map(i64::from));
                self.of_number(a, at, zones);
                self.of_number(b, at, zones);
            }
        }
    }

    fn of_truth(&mut self, of: &Truth, at: &[Option<Real>], zones: &Zones) {
        match of {
            Truth::Compare(relation, a, b) => {
                self.of_number(a, at, zones);
                self.of_number(b, at, zones);
                if matches!(relation, Relation::Equal | Relation::Unequal) {
                    let order = a.value(at, zones).zip(b.value(at, zones));
                    let order = order.and_then(|(a, b)| zones.compare(a, b));
                    self.0.push(order.map(|order| order as i64));
                }
            }
            Truth::Touching(..) => self.0.push(of.now(at, zones).map(i64::from)),
            Truth::Not(a) | Truth::Always(_, a) | Truth::Never(_, a) | Truth::Eventually(_, a) => {
                self.of_truth(a, at, zones)
            }
            Truth::And(a, b) | Truth::Or(a, b) | Truth::Implies(a, b) | Truth::Until(_, a, b) => {
                self.of_truth(a, at, zones);
                self.of_truth(b, at, zones);
            }
        }
    }
}

fn windowed(name: &str, window: &Option<Window>, of: &str) -> String {
    match window {
        Some((from, to)) => format!("{name} [{}, {}] {of}", from.text, to.text),
        None => format!("{name} {of}"),
    }
}

impl Truth {
    pub(crate) fn compare(relation: Relation, a: Expr, b: Expr) -> Self {
        Truth::Compare(relation, a, b)
    }

    pub(crate) fn and(self, other: Truth) -> Self {
        Truth::And(boxed(self), boxed(other))
    }

    pub(crate) fn negated(self) -> Self {
        Truth::Not(boxed(self))
    }

    /// The same with the ends of all windows moved out by some time (in, if it is below zero, and as far as there is something in between); none begins before now.
    pub(crate) fn widened(&self, by: Real) -> Truth {
        let of = |t: &Truth| boxed(t.widened(by));
        let wider = |w: &Window| {
            let at = |end: &Literal, value: Real| Literal { value, ..end.clone() };
            let (from, to) = (w.0.value - by, w.1.value + by);
            if from > to {
                return w.clone();
            }
            (at(&w.0, from.max(ZERO)), at(&w.1, to))
        };
        let maybe = |w: &Option<Window>| w.as_ref().map(wider);
        match self {
            Truth::Compare(..) | Truth::Touching(..) => self.clone(),
            Truth::Not(a) => Truth::Not(of(a)),
            Truth::And(a, b) => Truth::And(of(a), of(b)),
            Truth::Or(a, b) => Truth::Or(of(a), of(b)),
            Truth::Implies(a, b) => Truth::Implies(of(a), of(b)),
            Truth::Always(w, a) => Truth::Always(maybe(w), of(a)),
            Truth::Never(w, a) => Truth::Never(maybe(w), of(a)),
            Truth::Eventually(w, a) => Truth::Eventually(maybe(w), of(a)),
            Truth::Until(w, a, b) => Truth::Until(wider(w), of(a), of(b)),
        }
    }

    pub(crate) fn text(&self, leaves: &[Leaf]) -> String {
        let of = |t: &Truth| t.text(leaves);
        match self {
            Truth::Compare(relation, a, b) => {
                format!("({} {} {})", a.text(leaves), relation.text(), b.text(leaves))
            }
            Truth::Touching(text, _) => text.clone(),
            Truth::Not(a) => format!("(not {})", of(a)),
            Truth::And(a, b) => format!("({} and {})", of(a), of(b)),
            Truth::Or(a, b) => format!("({} or {})", of(a), of(b)),
            Truth::Implies(a, b) => format!("({} implies {})", of(a), of(b)),
            Truth::Always(w, a) => format!("({})", windowed("always", w, &of(a))),
            Truth::Never(w, a) => format!("({})", windowed("never", w, &of(a))),
            Truth::Eventually(w, a) => format!("({})", windowed("eventually", w, &of(a))),
            Truth::Until((from, to), a, b) => {
                format!("({} until [{}, {}] {})", of(a), from.text, to.text, of(b))
            }
        }
    }

    /// Its value at one moment; `None` where it is not known, and of temporal operators.
    pub(crate) fn now(&self, at: &[Option<Real>], zones: &Zones) -> Option<bool> {
        let of = |t: &Truth| t.now(at, zones);
        match self {
            Truth::Compare(relation, a, b) => {
                let (a, b) = (a.value(at, zones)?, b.value(at, zones)?);
                zones.compare(a, b).map(|order| relation.holds(order))
            }
            Truth::Touching(_, gap) => match at[*gap]?.f64() {
                gap if gap <= TOUCHES => Some(true),
                gap if gap >= IS_OPEN => Some(false),
                _ => None,
            },
            Truth::Not(a) => of(a).map(|a| !a),
            Truth::And(a, b) => and(of(a), of(b)),
            Truth::Or(a, b) => or(of(a), of(b)),
            Truth::Implies(a, b) => or(of(a).map(|a| !a), of(b)),
            Truth::Always(..) | Truth::Never(..) | Truth::Eventually(..) | Truth::Until(..) => None,
        }
    }

    pub(crate) fn decisions(&self, at: &[Option<Real>], zones: &Zones) -> Decisions {
        let mut found = Decisions::default();
        found.of_truth(self, at, zones);
        found
    }

    /// All comparisons in it.
    pub(crate) fn comparisons<'t>(&'t self, all: &mut Vec<&'t Truth>) {
        match self {
            Truth::Compare(..) | Truth::Touching(..) => all.push(self),
            Truth::Not(a) | Truth::Always(_, a) | Truth::Never(_, a) | Truth::Eventually(_, a) => {
                a.comparisons(all);
            }
            Truth::And(a, b) | Truth::Or(a, b) | Truth::Implies(a, b) | Truth::Until(_, a, b) => {
                a.comparisons(all);
                b.comparisons(all);
            }
        }
    }

    pub(crate) fn is_temporal(&self) -> bool {
        match self {
            Truth::Compare(..) | Truth::Touching(..) => false,
            Truth::Not(a) => a.is_temporal(),
            Truth::And(a, b) | Truth::Or(a, b) | Truth::Implies(a, b) => a.is_temporal() || b.is_temporal(),
            Truth::Always(..) | Truth::Never(..) | Truth::Eventually(..) | Truth::Until(..) => true,
        }
    }
}

pub(crate) fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

pub(crate) fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    and(a.map(|a| !a), b.map(|b| !b)).map(|found| !found)
}
