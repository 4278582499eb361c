//! Backwards: what an operation's range says about its operands.
//!
//! # Method
//! From the goals down, parents before children. An operation is *needed* if the constraints are undefined wherever it is;
//! only needed ones narrow their operands, and only their emptiness is a refutation. So a branch
//! that is not taken may be undefined, and so may a part of `a or b` whose other part decides.
//!
//! # Guarantee
//! Rigorous: at every solution in the box, a needed operation is defined and has its value in its range.

use dyverse_expr::{BinaryFunction, Op, Program, Reg, Relation, UnaryFunction, compare};
use dyverse_num::{Interval, Tri};

use super::constraints::Goal;
use super::forward::Range;
use super::inverse::{
    acosh, asinh, at_least, at_most, atanh, cosine, either_sign, factor, integer_root, non_negative, sine,
    tangent,
};

/// Nothing is left of the box.
struct Refuted;
type Narrowed = Result<(), Refuted>;

struct Backward {
    ranges: Vec<Range>,
    is_needed: Vec<bool>,
    /// What truth values must be.
    required: Vec<Option<bool>>,
}

/// Narrows the sides; `false` if nothing is left.
pub(super) fn revise(program: &Program, goals: &[Goal], ranges: Vec<Range>, sides: &mut [Interval]) -> bool {
    let mut pass = Backward {
        is_needed: vec![false; ranges.len()],
        required: vec![None; ranges.len()],
        ranges,
    };
    pass.run(program, goals, sides).is_ok()
}

impl Backward {
    fn run(&mut self, program: &Program, goals: &[Goal], sides: &mut [Interval]) -> Narrowed {
        for (reg, relation) in goals {
            self.demand_relation(*reg, *relation)?;
        }
        for (place, op) in program.ops().iter().enumerate().rev() {
            if let Some(value) = self.required[place] {
                self.narrow_truth(*op, value)?;
            }
            if self.is_needed[place] {
                let y = self.ranges[place].number;
                match *op {
                    Op::Symbol(side) => {
                        let side = &mut sides[side as usize];
                        *side = side.intersect(&y);
                    }
                    Op::Unary(function, a) => self.narrow_unary(function, a, y)?,
                    Op::Binary(function, a, b) => self.narrow_binary(function, a, b, y)?,
                    Op::Integer(a, n) if n != 0 => self.demand(a, integer_root(self.number(a), n, y))?,
                    Op::Integer(a, _) => self.demand(a, Interval::ENTIRE)?,
                    Op::Select(c, a, b) => self.narrow_select(c, a, b, y)?,
                    _ => {}
                }
            }
        }
        if sides.iter().any(Interval::is_empty) {
            return Err(Refuted);
        }
        Ok(())
    }

    fn number(&self, reg: Reg) -> Interval {
        self.ranges[reg as usize].number
    }

    /// The operation is needed, and its value lies here.
    fn demand(&mut self, reg: Reg, values: Interval) -> Narrowed {
        let number = self.number(reg).intersect(&values);
        self.is_needed[reg as usize] = true;
        self.ranges[reg as usize].number = number;
        if number.is_empty() { Err(Refuted) } else { Ok(()) }
    }

    /// Whether a truth value is this or undefined.
    fn may_only_be(&self, reg: Reg, value: bool) -> bool {
        self.ranges[reg as usize].truth == Tri::from(value) || self.required[reg as usize] == Some(value)
    }

    fn demand_truth(&mut self, reg: Reg, value: bool) -> Narrowed {
        let is_refuted = self.may_only_be(reg, !value);
        self.required[reg as usize] = Some(value);
        if is_refuted { Err(Refuted) } else { Ok(()) }
    }

    /// `expression ∘ 0`, the closure of it, and what only strictness refutes.
    fn demand_relation(&mut self, reg: Reg, relation: Relation) -> Narrowed {
        let values = match relation {
            Relation::Less | Relation::LessEqual => at_most(0.0),
            Relation::Greater | Relation::GreaterEqual => non_negative(),
            Relation::Equal => Interval::ZERO,
            Relation::NotEqual => Interval::ENTIRE,
        };
        self.demand(reg, values)?;
        match compare(relation, &self.number(reg), &Interval::ZERO) {
            Tri::False => Err(Refuted),
            _ => Ok(()),
        }
    }

    fn narrow_truth(&mut self, op: Op, value: bool) -> Narrowed {
        match op {
            Op::Boolean(is) if is != value => Err(Refuted),
            Op::Not(a) => self.demand_truth(a, !value),
            Op::And(a, b) => self.narrow_connective(a, b, value, true),
            Op::Or(a, b) => self.narrow_connective(a, b, value, false),
            Op::Compare(relation, a, b) => {
                let relation = if value { relation } else { relation.negated() };
                self.narrow_compare(relation, a, b)
            }
            _ => Ok(()),
        }
    }

    /// `a and b` (`neutral` true) or `a or b` (`neutral` false). Neutral, both are; otherwise, if one can only be
    /// neutral or undefined, the other is not.
    fn narrow_connective(&mut self, a: Reg, b: Reg, value: bool, neutral: bool) -> Narrowed {
        if value == neutral {
            self.demand_truth(a, neutral)?;
            return self.demand_truth(b, neutral);
        }
        match (self.may_only_be(a, neutral), self.may_only_be(b, neutral)) {
            (true, _) => self.demand_truth(b, !neutral),
            (_, true) => self.demand_truth(a, !neutral),
            _ => Ok(()),
        }
    }

    fn narrow_compare(&mut self, relation: Relation, a: Reg, b: Reg) -> Narrowed {
        let (x, y) = (self.number(a), self.number(b));
        if x.is_empty() || y.is_empty() || compare(relation, &x, &y) == Tri::False {
            return Err(Refuted);
        }
        let (for_a, for_b) = match relation {
            Relation::Less | Relation::LessEqual => (at_most(y.hi()), at_least(x.lo())),
            Relation::Greater | Relation::GreaterEqual => (at_least(y.lo()), at_most(x.hi())),
            Relation::Equal => (y, x),
            Relation::NotEqual => (Interval::ENTIRE, Interval::ENTIRE),
        };
        self.demand(a, for_a)?;
        self.demand(b, for_b)
    }

    fn narrow_select(&mut self, c: Reg, a: Reg, b: Reg, y: Interval) -> Narrowed {
        let is_possible =
            |value: bool, branch: Reg| !self.may_only_be(c, !value) && !self.number(branch).is_disjoint(&y);
        let (taken, branch) = match (is_possible(true, a), is_possible(false, b)) {
            (true, true) => return Ok(()),
            (true, false) => (true, a),
            (false, true) => (false, b),
            (false, false) => return Err(Refuted),
        };
        self.demand_truth(c, taken)?;
        self.demand(branch, y)
    }

    fn narrow_unary(&mut self, function: UnaryFunction, a: Reg, y: Interval) -> Narrowed {
        use UnaryFunction as F;
        let x = self.number(a);
        let narrowed = match function {
            F::Negate => -y,
            F::Sqrt => y.intersect(&non_negative()).squared(),
            F::Sin => sine(x, y),
            F::Cos => cosine(x, y),
            F::Tan => tangent(x, y),
            F::Asin => y.sin(),
            F::Acos => y.cos(),
            F::Atan => y.tan(),
            F::Sinh => asinh(y),
            F::Cosh => either_sign(x, acosh(y)),
            F::Tanh => atanh(y),
            F::Exp => y.ln(),
            F::Ln => y.exp(),
            F::Abs => either_sign(x, y.intersect(&non_negative())),
            F::Sign => arguments_of_sign(y),
            F::Floor => arguments_of_floor(y),
        };
        self.demand(a, narrowed)
    }

    fn narrow_binary(&mut self, function: BinaryFunction, a: Reg, b: Reg, y: Interval) -> Narrowed {
        use BinaryFunction as F;
        let (p, q) = (self.number(a), self.number(b));
        let (for_a, for_b) = match function {
            F::Add => (y - q, y - p),
            F::Subtract => (y + q, p - y),
            F::Multiply => (factor(p, q, y), factor(q, p, y)),
            F::Divide => (y * q, factor(q, y, p)),
            F::Power => (base_of_power(p, q, y), exponent_of_power(p, q, y)),
            F::Min => {
                let rest = at_least(y.lo());
                let is_other = |other: Interval| other.lo() > y.hi();
                (
                    if is_other(q) { y } else { rest },
                    if is_other(p) { y } else { rest },
                )
            }
            F::Max => {
                let rest = at_most(y.hi());
                let is_other = |other: Interval| other.hi() < y.lo();
                (
                    if is_other(q) { y } else { rest },
                    if is_other(p) { y } else { rest },
                )
            }
            F::Atan2 => point_of_angle(y),
        };
        self.demand(a, for_a)?;
        self.demand(b, for_b)
    }
}

/// x with sign x ∈ Y.
fn arguments_of_sign(y: Interval) -> Interval {
    let mut values = Interval::EMPTY;
    for (sign, part) in [(-1.0, at_most(0.0)), (0.0, Interval::ZERO), (1.0, non_negative())] {
        if y.contains(sign) {
            values = values.hull(&part);
        }
    }
    values
}

/// x with ⌊x⌋ ∈ Y: from the first whole number to one above the last.
fn arguments_of_floor(y: Interval) -> Interval {
    let (first, last) = (y.lo().ceil(), y.hi().floor());
    if first > last {
        return Interval::EMPTY;
    }
    match Interval::new(first, last) {
        Ok(whole) => whole.hull(&(whole + Interval::ONE)),
        Err(_) => Interval::ENTIRE,
    }
}

/// x ∈ X with x^e ∈ Y for exponents among which there is no integer: x ≥ 0 and x = y^(1/e).
fn base_of_power(x: Interval, e: Interval, y: Interval) -> Interval {
    let is_integer_possible = e.lo().ceil() <= e.hi();
    if is_integer_possible {
        return x;
    }
    let y = y.intersect(&non_negative());
    let root = y.powf(&(Interval::ONE / e));
    x.intersect(&non_negative()).intersect(&root)
}

/// e ∈ E with x^e ∈ Y for some x ∈ X, if all x are above zero: e · ln x = ln y.
fn exponent_of_power(x: Interval, e: Interval, y: Interval) -> Interval {
    if x.lo() > 0.0 {
        factor(e, x.ln(), y.ln())
    } else {
        e
    }
}

/// (first, second) operand of `atan2` with the angle in Y, coarsely: half planes.
fn point_of_angle(y: Interval) -> (Interval, Interval) {
    let first = if y.lo() > 0.0 {
        non_negative()
    } else if y.hi() < 0.0 {
        at_most(0.0)
    } else {
        Interval::ENTIRE
    };
    let is_right = y.magnitude() < std::f64::consts::FRAC_PI_2;
    let second = if is_right {
        non_negative()
    } else {
        Interval::ENTIRE
    };
    (first, second)
}
