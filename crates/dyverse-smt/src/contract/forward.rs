//! Forwards: the range of every step on a box.
//!
//! # Guarantee
//! `number` encloses the value at every point of the box at which the step is defined; `truth` holds at all of
//! them. `is_defined` is proved for the whole box if set; not set says nothing. A
//! conjunction with a false part is false, and a disjunction with a true part true, whatever the other part is.

use dyverse_expr::{BinaryFunction, Relation, UnaryFunction};
use dyverse_num::{Interval, Scalar, Tri};

use super::program::{Goal, Step};

/// What is known of a step on a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) number: Interval,
    pub(super) truth: Tri,
    pub(super) is_defined: bool,
}

impl Range {
    fn number(number: Interval, is_defined: bool) -> Self {
        Range {
            number,
            truth: Tri::Unknown,
            is_defined: is_defined && !number.is_empty(),
        }
    }
    fn truth(truth: Tri, is_defined: bool) -> Self {
        Range {
            number: Interval::EMPTY,
            truth,
            is_defined,
        }
    }
    /// Is it proved to be this, at every point?
    fn certainly(&self, value: bool) -> bool {
        self.is_defined && self.truth == Tri::from(value)
    }
}

/// The ranges of all steps on a box.
pub(super) fn forward(steps: &[Step], sides: &[Interval]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::with_capacity(steps.len());
    for step in steps {
        let of = |place: usize| ranges[place];
        let range = match *step {
            Step::Constant(number) => Range::number(number, true),
            Step::Variable(place) => Range::number(sides[place], true),
            Step::Truth(value) => Range::truth(Tri::from(value), true),
            Step::Unary(function, a) => unary(function, of(a)),
            Step::Binary(function, a, b) => binary(function, of(a), of(b)),
            Step::Integer(a, n) => {
                let (a, number) = (of(a), of(a).number.powi(n));
                let is_defined = a.is_defined && (n >= 0 || a.number.is_nonzero().certainly());
                Range::number(number, is_defined)
            }
            Step::Compare(relation, a, b) => {
                let (a, b) = (of(a), of(b));
                let truth = compare(relation, &a.number, &b.number);
                Range::truth(truth, a.is_defined && b.is_defined)
            }
            Step::Not(a) => Range::truth(!of(a).truth, of(a).is_defined),
            Step::And(a, b) => connective(of(a), of(b), false),
            Step::Or(a, b) => connective(of(a), of(b), true),
            Step::Select(c, a, b) => select(of(c), of(a), of(b)),
        };
        ranges.push(range);
    }
    ranges
}

/// Does the goal hold at every point of the box, at none, or is neither proved?
pub(super) fn holds(goal: Goal, ranges: &[Range]) -> Tri {
    let (truth, range) = match goal {
        Goal::Number(place, relation) => {
            let range = &ranges[place];
            if range.number.is_empty() {
                return Tri::False; // Defined nowhere.
            }
            (compare(relation, &range.number, &Interval::ZERO), range)
        }
        Goal::Truth(place, value) => {
            let range = &ranges[place];
            let truth = if value { range.truth } else { !range.truth };
            (truth, range)
        }
    };
    if truth.certainly() && !range.is_defined {
        Tri::Unknown
    } else {
        truth
    }
}

pub(super) fn compare(relation: Relation, a: &Interval, b: &Interval) -> Tri {
    match relation {
        Relation::Less => a.lt(b),
        Relation::LessEqual => a.le(b),
        Relation::Greater => b.lt(a),
        Relation::GreaterEqual => b.le(a),
        Relation::Equal => a.eq_tri(b),
        Relation::NotEqual => !a.eq_tri(b),
    }
}

/// `and` with `decisive` false, `or` with `decisive` true: one part that is decisive decides.
fn connective(a: Range, b: Range, decisive: bool) -> Range {
    let truth = if decisive {
        a.truth.or(b.truth)
    } else {
        a.truth.and(b.truth)
    };
    let is_decided = a.certainly(decisive) || b.certainly(decisive);
    Range::truth(truth, is_decided || (a.is_defined && b.is_defined))
}

fn select(c: Range, a: Range, b: Range) -> Range {
    let number = Interval::select(c.truth, a.number, b.number);
    let is_defined = match c.truth {
        Tri::True => a.is_defined,
        Tri::False => b.is_defined,
        Tri::Unknown => a.is_defined && b.is_defined,
    };
    Range::number(number, c.is_defined && is_defined)
}

fn unary(function: UnaryFunction, a: Range) -> Range {
    use UnaryFunction as F;
    let x = a.number;
    let number = match function {
        F::Negate => -x,
        F::Sqrt => x.sqrt(),
        F::Sin => x.sin(),
        F::Cos => x.cos(),
        F::Tan => x.tan(),
        F::Asin => x.asin(),
        F::Acos => x.acos(),
        F::Atan => x.atan(),
        F::Sinh => x.sinh(),
        F::Cosh => x.cosh(),
        F::Tanh => x.tanh(),
        F::Exp => x.exp(),
        F::Ln => x.ln(),
        F::Abs => x.abs(),
        F::Sign => x.sign(),
        F::Floor => x.floor(),
    };
    let is_defined = match function {
        F::Sqrt => x.is_sqrt_defined().certainly(),
        F::Ln => x.is_ln_defined().certainly(),
        F::Asin | F::Acos => x.is_arcsine_defined().certainly(),
        F::Tan => number != Interval::ENTIRE, // A pole may be inside.
        _ => true,
    };
    Range::number(number, a.is_defined && is_defined)
}

fn binary(function: BinaryFunction, a: Range, b: Range) -> Range {
    use BinaryFunction as F;
    let (x, y) = (a.number, b.number);
    let number = match function {
        F::Add => x + y,
        F::Subtract => x - y,
        F::Multiply => x * y,
        F::Divide => x / y,
        F::Power => x.powf(&y),
        F::Min => x.min(&y),
        F::Max => x.max(&y),
        F::Atan2 => x.atan2(&y),
    };
    let is_defined = match function {
        F::Divide => y.is_nonzero().certainly(),
        F::Power => x.is_powf_defined(&y).certainly(),
        F::Atan2 => !(x.contains(0.0) && y.contains(0.0)),
        _ => true,
    };
    Range::number(number, a.is_defined && b.is_defined && is_defined)
}
