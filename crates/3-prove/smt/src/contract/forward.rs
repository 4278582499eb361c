//! Forwards: the range of every operation on a box.
//!
//! # Guarantee
//! `number` encloses the value at every point of the box at which the operation is defined; `truth` holds at all of
//! them. `is_defined` is proved for the whole box if set; not set says nothing. A
//! conjunction with a false part is false, and a disjunction with a true part true, whatever the other part is.

use dyverse_expr::{BinaryFunction, Op, Program, Reg, UnaryFunction, compare};
use dyverse_num::{Interval, Scalar, Tri};

use super::constraints::Goal;

/// What is known of an operation on a box.
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

/// The ranges of all operations on a box.
pub(super) fn forward(program: &Program, sides: &[Interval]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::with_capacity(program.len());
    for op in program.ops() {
        let of = |reg: Reg| ranges[reg as usize];
        let range = match *op {
            Op::Number(literal) => {
                let number = Interval::from_literal(literal.value(), literal.is_exact());
                Range::number(number, true)
            }
            Op::Pi => Range::number(Interval::PI, true),
            Op::Boolean(value) => Range::truth(Tri::from(value), true),
            Op::Symbol(place) => Range::number(sides[place as usize], true),
            Op::Unary(function, a) => unary(function, of(a)),
            Op::Binary(function, a, b) => binary(function, of(a), of(b)),
            Op::Integer(a, n) => {
                let (a, number) = (of(a), of(a).number.powi(n));
                let is_defined = a.is_defined && (n >= 0 || a.number.is_nonzero().certainly());
                Range::number(number, is_defined)
            }
            Op::Compare(relation, a, b) => {
                let (a, b) = (of(a), of(b));
                let truth = compare(relation, &a.number, &b.number);
                Range::truth(truth, a.is_defined && b.is_defined)
            }
            Op::Not(a) => Range::truth(!of(a).truth, of(a).is_defined),
            Op::And(a, b) => connective(of(a), of(b), false),
            Op::Or(a, b) => connective(of(a), of(b), true),
            Op::Select(c, a, b) => select(of(c), of(a), of(b)),
        };
        ranges.push(range);
    }
    ranges
}

/// Does the goal hold at every point of the box, at none, or is neither proved?
pub(super) fn holds(goal: Goal, ranges: &[Range]) -> Tri {
    let (reg, relation) = goal;
    let range = &ranges[reg as usize];
    if range.number.is_empty() {
        return Tri::False; // Defined nowhere.
    }
    let truth = compare(relation, &range.number, &Interval::ZERO);
    if truth.certainly() && !range.is_defined {
        Tri::Unknown
    } else {
        truth
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
    let number = dyverse_expr::unary(function, &x);
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
    let number = dyverse_expr::binary(function, &x, &y);
    let is_defined = match function {
        F::Divide => y.is_nonzero().certainly(),
        F::Power => x.is_powf_defined(&y).certainly(),
        F::Atan2 => !(x.contains(0.0) && y.contains(0.0)),
        _ => true,
    };
    Range::number(number, a.is_defined && b.is_defined && is_defined)
}
