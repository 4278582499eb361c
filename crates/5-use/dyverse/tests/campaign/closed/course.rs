//! A trajectory on superdense time, in closed form: instants with all their moments, and what lies between them.
//!
//! Between instants leaves are polynomials, or are known at some times only. [`cuts`] finds where anything that an expression decides (a comparison, the kink of `abs`, a
//! jump of `floor`) changes: at those times it has its own value, and between two of them it is smooth and every comparison constant.

use super::formula::{Expr, Truth};
use super::poly::Poly;
use super::real::{EXACT, ONE, Real, ZERO};
use std::cmp::Ordering;

/// The values of all leaves at a moment; `None` where they are not known.
pub(crate) type Moment = Vec<Option<Real>>;

/// A time, and everything that happens at it, in order.
#[derive(Clone, Debug)]
pub(crate) struct Instant {
    pub(crate) t: Real,
    pub(crate) moments: Vec<Moment>,
}

/// What lies between two instants.
#[derive(Clone, Debug)]
pub(crate) enum Span {
    /// Every leaf as a polynomial of the time since the instant before; `None` where it is not known.
    Poly(Vec<Option<Poly>>),
    /// Moments at some times.
    Samples(Vec<(Real, Moment)>),
}

/// From 0 to the horizon: instants, and one span less.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) instants: Vec<Instant>,
    pub(crate) spans: Vec<Span>,
}

impl Course {
    /// The leaves at a time inside a span.
    pub(crate) fn between(&self, span: usize, t: Real) -> Option<Moment> {
        let tau = t - self.instants[span].t;
        match &self.spans[span] {
            Span::Poly(leaves) => Some(leaves.iter().map(|l| l.as_ref().map(|p| p.at(tau))).collect()),
            Span::Samples(_) => None,
        }
    }
}

/// Leaves as polynomials.
pub(crate) type Leaves<'a> = &'a [Option<Poly>];

/// A stretch of τ on which nothing that was looked at changes.
#[derive(Clone, Copy)]
struct Stretch {
    from: Real,
    to: Real,
}

impl Stretch {
    fn middle(&self) -> Real {
        (self.from + self.to) * Real::from(0.5)
    }
}

/// All τ in (0, end), ascending, at which something that a truth value decides may change.
pub(crate) fn cuts(truth: &Truth, leaves: Leaves<'_>, end: Real) -> Vec<Real> {
    let mut found = vec![ZERO, end];
    cuts_of_truth(truth, leaves, &mut found);
    let last = found.len() - 1;
    found[1..last].to_vec()
}

/// Adds the roots that some polynomials have between neighbours.
fn add_roots(found: &mut Vec<Real>, of: &dyn Fn(Stretch) -> Vec<Poly>) {
    let mut more = Vec::new();
    for pair in found.windows(2) {
        let stretch = Stretch {
            from: pair[0],
            to: pair[1],
        };
        for poly in of(stretch) {
            let shifted = poly.shifted(stretch.from);
            let inside = shifted.roots(stretch.to - stretch.from).into_iter();
            more.extend(inside.map(|tau| stretch.from + tau));
        }
    }
    found.extend(more);
    found.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    found.dedup_by(|a, b| (*a - *b).abs().f64() < 1e-18);
}

fn cuts_of_truth(truth: &Truth, leaves: Leaves<'_>, found: &mut Vec<Real>) {
    match truth {
        Truth::Compare(_, a, b) => {
            cuts_of(a, leaves, found);
            cuts_of(b, leaves, found);
            add_roots(found, &|on| difference(a, b, leaves, on));
        }
        Truth::Touching(_, gap) => {
            add_roots(found, &|_| leaves[*gap].iter().cloned().collect());
        }
        Truth::Not(a) => cuts_of_truth(a, leaves, found),
        Truth::And(a, b) | Truth::Or(a, b) | Truth::Implies(a, b) => {
            cuts_of_truth(a, leaves, found);
            cuts_of_truth(b, leaves, found);
        }
        Truth::Always(..) | Truth::Never(..) | Truth::Eventually(..) | Truth::Until(..) => {}
    }
}

fn difference(a: &Expr, b: &Expr, leaves: Leaves<'_>, on: Stretch) -> Vec<Poly> {
    match (poly(a, leaves, on), poly(b, leaves, on)) {
        (Some(a), Some(b)) => vec![a.minus(&b)],
        _ => Vec::new(),
    }
}

fn cuts_of(expr: &Expr, leaves: Leaves<'_>, found: &mut Vec<Real>) {
    match expr {
        Expr::Number(_) | Expr::Leaf(_) => {}
        Expr::Named(_, a) | Expr::Negative(a) | Expr::Smooth(_, _, a) => cuts_of(a, leaves, found),
        Expr::Sum(a, b) | Expr::Difference(a, b) | Expr::Product(a, b) => {
            cuts_of(a, leaves, found);
            cuts_of(b, leaves, found);
        }
        Expr::Abs(a) | Expr::Sign(a) => {
            cuts_of(a, leaves, found);
            add_roots(found, &|on| poly(a, leaves, on).into_iter().collect());
        }
        Expr::Min(a, b) | Expr::Max(a, b) => {
            cuts_of(a, leaves, found);
            cuts_of(b, leaves, found);
            add_roots(found, &|on| difference(a, b, leaves, on));
        }
        Expr::Clamp(a, low, high) => {
            cuts_of(a, leaves, found);
            add_roots(found, &|on| {
                let own = poly(a, leaves, on);
                let levels = [low.value, high.value];
                own.iter()
                    .flat_map(|p| levels.map(|level| p.minus(&Poly::constant(level))))
                    .collect()
            });
        }
        Expr::Floor(a) => {
            cuts_of(a, leaves, found);
            add_roots(found, &|on| {
                poly(a, leaves, on).map_or_else(Vec::new, |p| levels(&p, on))
            });
        }
        Expr::If(c, a, b) => {
            cuts_of_truth(c, leaves, found);
            cuts_of(a, leaves, found);
            cuts_of(b, leaves, found);
        }
    }
}

/// p − k for all whole numbers that p may meet.
fn levels(p: &Poly, on: Stretch) -> Vec<Poly> {
    let count = 24;
    let at = |k: i32| p.at(on.from + (on.to - on.from) * Real::from(f64::from(k) / f64::from(count)));
    let values: Vec<f64> = (0..=count).map(|k| at(k).f64()).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let room = 0.1 * (high - low);
    let (low, high) = ((low - room).floor(), (high + room).ceil());
    if high - low > 200.0 {
        return Vec::new();
    }
    (low as i64..=high as i64)
        .map(|k| p.minus(&Poly::constant(Real::from(k as f64))))
        .collect()
}

/// An expression as a polynomial on a stretch on which it decides nothing anew.
fn poly(expr: &Expr, leaves: Leaves<'_>, on: Stretch) -> Option<Poly> {
    let of = |e: &Expr| poly(e, leaves, on);
    let in_the_middle = |p: &Poly| p.at(on.middle());
    Some(match expr {
        Expr::Smooth(..) => return None,
        Expr::Number(number) => Poly::constant(number.value),
        Expr::Leaf(leaf) => leaves[*leaf].clone()?,
        Expr::Named(_, a) => of(a)?,
        Expr::Negative(a) => of(a)?.scaled(-ONE),
        Expr::Sum(a, b) => of(a)?.plus(&of(b)?),
        Expr::Difference(a, b) => of(a)?.minus(&of(b)?),
        Expr::Product(a, b) => of(a)?.times(&of(b)?),
        Expr::Abs(a) => {
            let a = of(a)?;
            if in_the_middle(&a) < ZERO {
                a.scaled(-ONE)
            } else {
                a
            }
        }
        Expr::Sign(a) => {
            let a = of(a)?;
            if a.is_zero() {
                Poly::constant(ZERO)
            } else if in_the_middle(&a) < ZERO {
                Poly::constant(-ONE)
            } else {
                Poly::constant(ONE)
            }
        }
        Expr::Floor(a) => {
            let a = of(a)?;
            let middle = in_the_middle(&a);
            let near = middle.round();
            let is_below = EXACT.compare(middle, near)? == Ordering::Less;
            Poly::constant(if is_below { near - ONE } else { near })
        }
        Expr::Min(a, b) | Expr::Max(a, b) => {
            let is_min = matches!(expr, Expr::Min(..));
            let (a, b) = (of(a)?, of(b)?);
            if (in_the_middle(&a) < in_the_middle(&b)) == is_min {
                a
            } else {
                b
            }
        }
        Expr::Clamp(a, low, high) => {
            let a = of(a)?;
            let middle = in_the_middle(&a);
            if middle < low.value {
                Poly::constant(low.value)
            } else if middle > high.value {
                Poly::constant(high.value)
            } else {
                a
            }
        }
        Expr::If(c, a, b) => {
            let at: Moment = leaves
                .iter()
                .map(|l| l.as_ref().map(|p| p.at(on.middle())))
                .collect();
            match c.now(&at, &EXACT)? {
                true => of(a)?,
                false => of(b)?,
            }
        }
    })
}
