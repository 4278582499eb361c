//! Values and gradients of formulas over a box: every slope between two points of the box is in the gradient.
//!
//! Forward accumulation over intervals. Where `abs`, `min` or `max` may go either way the gradient covers both sides, which still bounds all slopes; an `if` that
//! may go either way has none.

use dyverse_expr::{BinaryFunction, Op, Program, Reg, UnaryFunction, compare};
use dyverse_num::{Interval, Scalar, Tri};

use crate::ring::{Ring, Undefined, bounded};

#[derive(Clone, Debug)]
enum Value {
    Number(Interval, Vec<Interval>),
    Truth(Tri),
}

/// Value and gradient of each root of a program without powers over a box; the gradient is with respect to the first `count` symbols. Symbols beyond the box are unknown.
pub(crate) fn gradients(
    program: &Program,
    at: &[Interval],
    count: usize,
) -> Result<Vec<(Interval, Vec<Interval>)>, Undefined> {
    let mut values: Vec<Value> = Vec::with_capacity(program.len());
    for op in program.ops() {
        let symbol = |place: u32| program.inputs()[place as usize].0 as usize;
        let value = apply(*op, &values, symbol, at, count)?;
        if let Value::Number(v, _) = &value {
            bounded(*v)?;
        }
        values.push(value);
    }
    let root = |reg: &Reg| match &values[*reg as usize] {
        Value::Number(v, g) => Ok((*v, padded(g, count))),
        Value::Truth(_) => Err(Undefined::Unsupported("a truth value as a number")),
    };
    program.roots().iter().map(root).collect()
}

/// Values alone.
pub(crate) fn values(program: &Program, at: &[Interval]) -> Result<Vec<Interval>, Undefined> {
    Ok(gradients(program, at, 0)?.into_iter().map(|(v, _)| v).collect())
}

/// A gradient without entries is zero.
fn padded(g: &[Interval], count: usize) -> Vec<Interval> {
    if g.is_empty() {
        vec![Interval::ZERO; count]
    } else {
        g.to_vec()
    }
}

fn combine(a: &[Interval], x: Interval, b: &[Interval], y: Interval) -> Vec<Interval> {
    match (a.is_empty(), b.is_empty()) {
        (true, true) => Vec::new(),
        (false, true) => a.iter().map(|g| *g * x).collect(),
        (true, false) => b.iter().map(|g| *g * y).collect(),
        (false, false) => a.iter().zip(b).map(|(g, h)| *g * x + *h * y).collect(),
    }
}

fn apply(
    op: Op,
    values: &[Value],
    symbol: impl Fn(u32) -> usize,
    at: &[Interval],
    count: usize,
) -> Result<Value, Undefined> {
    use BinaryFunction as F;
    let number = |reg: Reg| match &values[reg as usize] {
        Value::Number(v, g) => Ok((*v, g.as_slice())),
        Value::Truth(_) => Err(Undefined::Unsupported("a truth value as a number")),
    };
    let truth = |reg: Reg| match &values[reg as usize] {
        Value::Truth(t) => Ok(*t),
        Value::Number(..) => Err(Undefined::Unsupported("a number as a truth value")),
    };
    let one = Interval::ONE;
    Ok(match op {
        Op::Number(literal) => {
            let value = Interval::from_literal(literal.value(), literal.is_exact());
            Value::Number(value, Vec::new())
        }
        Op::Pi => Value::Number(Interval::PI, Vec::new()),
        Op::Boolean(value) => Value::Truth(Tri::from(value)),
        Op::Symbol(input) => {
            let place = symbol(input);
            let value = at.get(place).copied().ok_or(Undefined::Unbounded)?;
            let mut own = Vec::new();
            if place < count {
                own = vec![Interval::ZERO; count];
                own[place] = one;
            }
            Value::Number(value, own)
        }
        Op::Binary(F::Add, a, b) => {
            let ((x, g), (y, h)) = (number(a)?, number(b)?);
            Value::Number(x + y, combine(g, one, h, one))
        }
        Op::Binary(F::Subtract, a, b) => {
            let ((x, g), (y, h)) = (number(a)?, number(b)?);
            Value::Number(x - y, combine(g, one, h, -one))
        }
        Op::Binary(F::Multiply, a, b) if a == b => {
            let (x, g) = number(a)?;
            Value::Number(x.squared(), combine(g, Interval::point(2.0) * x, &[], one))
        }
        Op::Binary(F::Multiply, a, b) => {
            let ((x, g), (y, h)) = (number(a)?, number(b)?);
            Value::Number(x * y, combine(g, y, h, x))
        }
        Op::Binary(F::Divide, a, b) => {
            let ((x, g), (y, h)) = (number(a)?, number(b)?);
            let inverse = y.reciprocal()?;
            let quotient = x / y;
            Value::Number(quotient, combine(g, inverse, h, -(quotient * inverse)))
        }
        Op::Binary(F::Atan2, ..) => return Err(Undefined::Unsupported("atan2")),
        Op::Binary(F::Power, ..) | Op::Integer(..) => unreachable!("bug: a program with powers"),
        Op::Binary(function @ (F::Min | F::Max), a, b) => {
            let ((x, g), (y, h)) = (number(a)?, number(b)?);
            let is_minimum = function == F::Min;
            let value = if is_minimum { x.min(&y) } else { x.max(&y) };
            let (g, h) = (padded(g, count), padded(h, count));
            let first = if is_minimum {
                Scalar::le(&x, &y)
            } else {
                Scalar::ge(&x, &y)
            };
            let gradient = match first {
                Tri::True => g,
                Tri::False => h,
                Tri::Unknown => g.iter().zip(&h).map(|(a, b)| a.hull(b)).collect(),
            };
            Value::Number(value, gradient)
        }
        Op::Compare(relation, a, b) => {
            let ((x, _), (y, _)) = (number(a)?, number(b)?);
            Value::Truth(compare(relation, &x, &y))
        }
        Op::Not(a) => Value::Truth(!truth(a)?),
        Op::And(a, b) => Value::Truth(truth(a)?.and(truth(b)?)),
        Op::Or(a, b) => Value::Truth(truth(a)?.or(truth(b)?)),
        Op::Select(c, a, b) => {
            let (x, g) = match truth(c)? {
                Tri::True => number(a)?,
                Tri::False => number(b)?,
                Tri::Unknown => return Err(Undefined::Undecided),
            };
            Value::Number(x, g.to_vec())
        }
        Op::Unary(function, a) => {
            let (x, g) = number(a)?;
            let (value, slope) = slope(function, x)?;
            Value::Number(value, combine(g, slope, &[], one))
        }
    })
}

/// A function's values and slopes over an interval.
fn slope(function: UnaryFunction, x: Interval) -> Result<(Interval, Interval), Undefined> {
    let one = Interval::ONE;
    Ok(match function {
        UnaryFunction::Negate => (-x, -one),
        UnaryFunction::Abs => {
            let sign = match Scalar::ge(&x, &Interval::ZERO) {
                Tri::True => one,
                Tri::False => -one,
                Tri::Unknown => one.hull(&-one),
            };
            (x.abs(), sign)
        }
        UnaryFunction::Sign if !x.contains(0.0) || x == Interval::ZERO => (x.sign(), Interval::ZERO),
        UnaryFunction::Floor if x.floor().is_point() => (x.floor(), Interval::ZERO),
        UnaryFunction::Sign | UnaryFunction::Floor => return Err(Undefined::Undecided),
        _ => {
            let value = x.apply(function)?;
            let slope = match function {
                UnaryFunction::Sqrt => (Interval::point(2.0) * value).reciprocal()?,
                UnaryFunction::Sin => x.cos(),
                UnaryFunction::Cos => -x.sin(),
                UnaryFunction::Tan => one + value.squared(),
                UnaryFunction::Asin => (one - x.squared()).apply(UnaryFunction::Sqrt)?.reciprocal()?,
                UnaryFunction::Acos => -(one - x.squared()).apply(UnaryFunction::Sqrt)?.reciprocal()?,
                UnaryFunction::Atan => (one + x.squared()).reciprocal()?,
                UnaryFunction::Sinh => x.cosh(),
                UnaryFunction::Cosh => x.sinh(),
                UnaryFunction::Tanh => one - value.squared(),
                UnaryFunction::Exp => value,
                _ => x.reciprocal()?,
            };
            (value, bounded(slope)?)
        }
    })
}
