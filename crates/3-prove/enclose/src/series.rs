//! Taylor coefficients of formulas along a motion, order by order.
//!
//! Writing a_k for the k-th Taylor coefficient of a, and with products as convolutions [Moore 1966, ch. 11; Griewank and Walther 2008, ch. 13]:
//!
//! | c        | recurrence                                              |
//! |----------|---------------------------------------------------------|
//! | a b      | c_k = Σ a_i b_{k−i}                                     |
//! | a / b    | c_k = (a_k − Σ_{i<k} c_i b_{k−i}) / b_0                 |
//! | √a       | c_k = (a_k − Σ_{0<i<k} c_i c_{k−i}) / 2c_0              |
//! | exp a    | k c_k = Σ i a_i c_{k−i}                                 |
//! | ln a     | k c_k a_0 = k a_k − Σ_{0<i<k} i c_i a_{k−i}             |
//! | sin, cos | k s_k = Σ i a_i c_{k−i}, k c_k = −Σ i a_i s_{k−i}       |
//! | tan      | k c_k = Σ i a_i w_{k−i}, w = 1 + c²                     |
//! | atan     | k c_k w_0 = k a_k − Σ_{0<i<k} i c_i w_{k−i}, w = 1 + a² |
//! | asin     | the same with w = √(1 − a²)                             |
//!
//! On intervals the k-th coefficient at an interval X encloses f⁽ᵏ⁾(ξ)/k! for all ξ in X.
//!
//! # Guarantee
//! That of the coefficients: rigorous. Decisions hold for all members of the argument, or are an error.

use dyverse_expr::{BinaryFunction, Literal, Op, Program, Reg, SymbolId, UnaryFunction, compare};
use dyverse_num::{Interval, Scalar, Tri};

use crate::ring::{Ring, Undefined};

/// Whether every symbol that a program reads is among so many.
///
/// # Errors
/// If one is not: it has no value.
pub(crate) fn reads_only(program: &Program, symbols: usize) -> Result<(), Undefined> {
    if program.inputs().iter().any(|id| id.0 as usize >= symbols) {
        return Err(Undefined::Unsupported("a symbol without a value"));
    }
    Ok(())
}

/// What an operation has become so far.
#[derive(Clone, Debug)]
enum Growing<R> {
    /// Coefficients, and those of a companion (cos for sin, w for tan, …) and of what the companion is made of.
    Number {
        own: Vec<R>,
        other: Vec<R>,
        third: Vec<R>,
    },
    Truth(bool),
}

/// How the decisions of a program went: for each operation that has one, which way.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Decisions(Vec<(u32, u8)>);

/// The coefficients of all operations of a program without powers, growing with the order.
pub(crate) struct SeriesRun<'p, R> {
    ops: &'p [Op],
    inputs: &'p [SymbolId],
    roots: &'p [Reg],
    values: Vec<Growing<R>>,
    like: R,
    pub(crate) decisions: Decisions,
    order: usize,
}

impl<'p, R: Ring> SeriesRun<'p, R> {
    pub(crate) fn new(program: &'p Program, like: R) -> Self {
        Self::over(program.ops(), program.inputs(), program.roots(), like)
    }

    fn over(ops: &'p [Op], inputs: &'p [SymbolId], roots: &'p [Reg], like: R) -> Self {
        SeriesRun {
            ops,
            inputs,
            roots,
            values: Vec::with_capacity(ops.len()),
            like,
            decisions: Decisions::default(),
            order: 0,
        }
    }

    /// The next coefficient of every operation, from that of every symbol.
    pub(crate) fn advance(&mut self, symbol: impl Fn(u32) -> R) -> Result<(), Undefined> {
        let k = self.order;
        let (ops, inputs) = (self.ops, self.inputs);
        let input = |place: u32| symbol(inputs[place as usize].0);
        for (place, op) in ops.iter().enumerate() {
            if k == 0 {
                let first = self.first(place as Reg, *op, &input)?;
                self.values.push(first);
            } else {
                self.next(place, *op, k, &input)?;
            }
        }
        self.order += 1;
        Ok(())
    }

    /// A coefficient of a root that is a number.
    pub(crate) fn root(&self, root: usize, k: usize) -> Result<&R, Undefined> {
        self.coefficients(self.roots[root])
            .get(k)
            .ok_or(Undefined::Unsupported("a truth value as a number"))
    }

    fn coefficients(&self, reg: Reg) -> &[R] {
        match &self.values[reg as usize] {
            Growing::Number { own, .. } => own,
            Growing::Truth(_) => &[],
        }
    }

    fn value(&self, reg: Reg) -> Result<&R, Undefined> {
        self.coefficients(reg)
            .first()
            .ok_or(Undefined::Unsupported("a truth value as a number"))
    }

    fn truth(&self, reg: Reg) -> Result<bool, Undefined> {
        match &self.values[reg as usize] {
            Growing::Truth(value) => Ok(*value),
            Growing::Number { .. } => Err(Undefined::Unsupported("a number as a truth value")),
        }
    }

    fn decide(&mut self, place: Reg, way: u8) {
        self.decisions.0.push((place, way));
    }

    /// Order zero.
    fn first(&mut self, place: Reg, op: Op, input: &impl Fn(u32) -> R) -> Result<Growing<R>, Undefined> {
        use BinaryFunction as F;
        let plain = |own: R| Growing::Number {
            own: vec![own],
            other: vec![],
            third: vec![],
        };
        let with = |own: R, other: R| Growing::Number {
            own: vec![own],
            other: vec![other],
            third: vec![],
        };
        Ok(match op {
            Op::Number(literal) => {
                let value = Interval::from_literal(literal.value(), literal.is_exact());
                plain(self.like.constant(value))
            }
            Op::Pi => plain(self.like.constant(Interval::PI)),
            Op::Symbol(place) => plain(input(place)),
            Op::Boolean(value) => Growing::Truth(value),
            Op::Binary(F::Add, a, b) => plain(self.value(a)?.plus(self.value(b)?)),
            Op::Binary(F::Subtract, a, b) => plain(self.value(a)?.minus(self.value(b)?)),
            Op::Binary(F::Multiply, a, b) if a == b => plain(self.value(a)?.squared()),
            Op::Binary(F::Multiply, a, b) => plain(self.value(a)?.times(self.value(b)?)),
            Op::Binary(F::Divide, a, b) => {
                let inverse = self.value(b)?.reciprocal()?;
                with(self.value(a)?.times(&inverse), inverse)
            }
            Op::Binary(F::Atan2, ..) => return Err(Undefined::Unsupported("atan2")),
            Op::Binary(function @ (F::Min | F::Max), a, b) => {
                let difference = self.value(a)?.minus(self.value(b)?).range();
                let is_below = decided(Scalar::le(&difference, &Interval::ZERO))?;
                let takes_first = is_below == (function == F::Min);
                self.decide(place, u8::from(takes_first));
                plain(self.value(if takes_first { a } else { b })?.clone())
            }
            Op::Binary(F::Power, ..) | Op::Integer(..) => unreachable!("bug: a program with powers"),
            Op::Compare(relation, a, b) => {
                let difference = self.value(a)?.minus(self.value(b)?).range();
                let truth = decided(compare(relation, &difference, &Interval::ZERO))?;
                self.decide(place, u8::from(truth));
                Growing::Truth(truth)
            }
            Op::Not(a) => Growing::Truth(!self.truth(a)?),
            Op::And(a, b) => Growing::Truth(self.truth(a)? && self.truth(b)?),
            Op::Or(a, b) => Growing::Truth(self.truth(a)? || self.truth(b)?),
            Op::Select(c, a, b) => {
                let takes_first = self.truth(c)?;
                plain(self.value(if takes_first { a } else { b })?.clone())
            }
            Op::Unary(function, a) => {
                let range = self.value(a)?.range();
                match function {
                    // Exactly zero, and nothing else.
                    UnaryFunction::Abs | UnaryFunction::Sign if range == Interval::ZERO => {
                        self.decide(place, 1);
                        plain(self.value(a)?.constant(Interval::ZERO))
                    }
                    UnaryFunction::Abs | UnaryFunction::Sign => {
                        let is_above = decided(Scalar::gt(&range, &Interval::ZERO))?;
                        // On the far side zero itself is excluded as well.
                        if !is_above && range.contains(0.0) {
                            return Err(Undefined::Undecided);
                        }
                        self.decide(place, u8::from(is_above));
                        let sign = if is_above { Interval::ONE } else { -Interval::ONE };
                        let a = self.value(a)?;
                        plain(match function {
                            UnaryFunction::Abs => a.scaled(sign),
                            _ => a.constant(sign),
                        })
                    }
                    UnaryFunction::Floor => {
                        let floor = range.floor();
                        if !floor.is_point() {
                            return Err(Undefined::Undecided);
                        }
                        let way = (floor.lo().rem_euclid(251.0)) as u8;
                        self.decide(place, way);
                        plain(self.like.constant(floor))
                    }
                    _ => self.first_of_function(function, a)?,
                }
            }
        })
    }

    fn first_of_function(&self, function: UnaryFunction, a: Reg) -> Result<Growing<R>, Undefined> {
        let x = self.value(a)?;
        let one = x.constant(Interval::ONE);
        let own = x.apply(function)?;
        let (other, third) = match function {
            UnaryFunction::Sin => (Some(x.apply(UnaryFunction::Cos)?), None),
            UnaryFunction::Cos => (Some(x.apply(UnaryFunction::Sin)?), None),
            UnaryFunction::Sinh => (Some(x.apply(UnaryFunction::Cosh)?), None),
            UnaryFunction::Cosh => (Some(x.apply(UnaryFunction::Sinh)?), None),
            UnaryFunction::Tan => (Some(one.plus(&own.squared())), None),
            UnaryFunction::Tanh => (Some(one.minus(&own.squared())), None),
            UnaryFunction::Atan => {
                let w = one.plus(&x.squared());
                let inverse = w.reciprocal()?;
                (Some(w), Some(inverse))
            }
            UnaryFunction::Asin | UnaryFunction::Acos => {
                let w = one.minus(&x.squared()).apply(UnaryFunction::Sqrt)?;
                (Some(w), None)
            }
            UnaryFunction::Sqrt => (Some(own.scaled(Interval::point(2.0)).reciprocal()?), None),
            UnaryFunction::Ln => (Some(x.reciprocal()?), None),
            _ => (None, None),
        };
        Ok(Growing::Number {
            own: vec![own],
            other: other.into_iter().collect(),
            third: third.into_iter().collect(),
        })
    }

    /// Order k > 0.
    fn next(&mut self, place: usize, op: Op, k: usize, input: &impl Fn(u32) -> R) -> Result<(), Undefined> {
        use BinaryFunction as F;
        if matches!(self.values[place], Growing::Truth(_)) {
            return Ok(());
        }
        let zero = || self.like.constant(Interval::ZERO);
        let at = |operand: Reg| &self.coefficients(operand)[k];
        let own = self.coefficients(place as Reg);
        let chosen = |first: Reg, second: Reg| {
            let way = self
                .decisions
                .0
                .iter()
                .find(|(p, _)| *p == place as u32)
                .is_some_and(|(_, w)| *w == 1);
            at(if way { first } else { second }).clone()
        };
        let value = match op {
            Op::Number(_) | Op::Pi => zero(),
            Op::Symbol(place) => input(place),
            Op::Binary(F::Add, a, b) => at(a).plus(at(b)),
            Op::Binary(F::Subtract, a, b) => at(a).minus(at(b)),
            Op::Binary(F::Multiply, a, b) if a == b => {
                let a = self.coefficients(a);
                let mut sum = self.like.sum();
                for i in 0..k.div_ceil(2) {
                    R::add_product(&mut sum, 2.0, &a[i], &a[k - i]);
                }
                if k.is_multiple_of(2) {
                    R::add_product(&mut sum, 1.0, &a[k / 2], &a[k / 2]);
                }
                R::finish(sum)
            }
            Op::Binary(F::Multiply, a, b) => convolution(self.coefficients(a), self.coefficients(b), k),
            Op::Binary(F::Divide, a, b) => {
                let b = self.coefficients(b);
                let mut sum = self.like.sum();
                R::add_to(&mut sum, 1.0, at(a));
                for i in 0..k {
                    R::add_product(&mut sum, -1.0, &own[i], &b[k - i]);
                }
                R::finish(sum).times(self.companion(place, 0)?)
            }
            Op::Binary(F::Min | F::Max, a, b) => chosen(a, b),
            Op::Select(c, a, b) => at(if self.truth(c)? { a } else { b }).clone(),
            Op::Unary(UnaryFunction::Negate, a) => at(a).negated(),
            Op::Unary(UnaryFunction::Abs, a) => {
                let is_above = self
                    .decisions
                    .0
                    .iter()
                    .any(|(p, w)| *p == place as u32 && *w == 1);
                if is_above { at(a).clone() } else { at(a).negated() }
            }
            Op::Unary(UnaryFunction::Sign | UnaryFunction::Floor, _) => zero(),
            Op::Unary(function, a) => return self.next_of_function(place, function, a, k),
            // Truth values have no coefficients, and what order zero refused has none either.
            Op::Boolean(_)
            | Op::Compare(..)
            | Op::Not(_)
            | Op::And(..)
            | Op::Or(..)
            | Op::Integer(..)
            | Op::Binary(F::Power | F::Atan2, ..) => return Ok(()),
        };
        self.push(place, value, None, None);
        Ok(())
    }

    fn companion(&self, place: usize, k: usize) -> Result<&R, Undefined> {
        match &self.values[place] {
            Growing::Number { other, .. } => other.get(k).ok_or(Undefined::Unbounded),
            Growing::Truth(_) => Err(Undefined::Unbounded),
        }
    }

    fn push(&mut self, place: usize, value: R, companion: Option<R>, next: Option<R>) {
        if let Growing::Number { own, other, third } = &mut self.values[place] {
            own.push(value);
            other.extend(companion);
            third.extend(next);
        }
    }

    fn next_of_function(
        &mut self,
        place: usize,
        function: UnaryFunction,
        argument: Reg,
        k: usize,
    ) -> Result<(), Undefined> {
        let Growing::Number { own, other, third } = &self.values[place] else {
            return Ok(());
        };
        let a = self.coefficients(argument);
        let by_k = Interval::ONE / Interval::point(k as f64);
        // Σ i a_i w_{k−i} / k over 1 ≤ i ≤ k.
        let chain = |w: &[R]| {
            let mut sum = self.like.sum();
            for i in 1..=k {
                R::add_product(&mut sum, i as f64, &a[i], &w[k - i]);
            }
            R::finish(sum).scaled(by_k)
        };
        // (k a_k − Σ i c_i w_{k−i}) / k over 0 < i < k.
        let implicit = |c: &[R], w: &[R]| {
            let mut sum = self.like.sum();
            R::add_to(&mut sum, k as f64, &a[k]);
            for i in 1..k {
                R::add_product(&mut sum, -(i as f64), &c[i], &w[k - i]);
            }
            R::finish(sum).scaled(by_k)
        };
        let square = |c: &[R], newest: &R| {
            let mut all = c.to_vec();
            all.push(newest.clone());
            convolution(&all, &all, k)
        };
        let (value, companion, next) = match function {
            UnaryFunction::Sqrt => {
                let mut sum = self.like.sum();
                R::add_to(&mut sum, 1.0, &a[k]);
                for i in 1..k {
                    R::add_product(&mut sum, -1.0, &own[i], &own[k - i]);
                }
                (R::finish(sum).times(&other[0]), None, None)
            }
            UnaryFunction::Exp => (chain(own), None, None),
            UnaryFunction::Ln => {
                let value = implicit(own, a).times(&other[0]);
                (value, None, None)
            }
            UnaryFunction::Sin => (chain(other), Some(chain(own).negated()), None),
            UnaryFunction::Cos => (chain(other).negated(), Some(chain(own)), None),
            UnaryFunction::Sinh | UnaryFunction::Cosh => (chain(other), Some(chain(own)), None),
            UnaryFunction::Tan => {
                let value = chain(other);
                let w = square(own, &value);
                (value, Some(w), None)
            }
            UnaryFunction::Tanh => {
                let value = chain(other);
                let w = square(own, &value).negated();
                (value, Some(w), None)
            }
            UnaryFunction::Atan => {
                let w = convolution(a, a, k);
                (implicit(own, other).times(&third[0]), Some(w), None)
            }
            UnaryFunction::Asin | UnaryFunction::Acos => {
                // w = √u with u = 1 − a²: w_k = (u_k − Σ_{0<i<k} w_i w_{k−i}) / 2w_0.
                let half = other[0].scaled(Interval::point(2.0)).reciprocal()?;
                let mut sum = self.like.sum();
                R::add_to(&mut sum, -1.0, &convolution(a, a, k));
                for i in 1..k {
                    R::add_product(&mut sum, -1.0, &other[i], &other[k - i]);
                }
                let w = R::finish(sum).times(&half);
                let inverse = other[0].reciprocal()?;
                // The arccosine's coefficients are those of the arcsine with the other sign, from order one on.
                let flip = function == UnaryFunction::Acos;
                let arcsine: Vec<R> = own
                    .iter()
                    .map(|c| if flip { c.negated() } else { c.clone() })
                    .collect();
                let value = implicit(&arcsine, other).times(&inverse);
                (if flip { value.negated() } else { value }, Some(w), None)
            }
            _ => return Err(Undefined::Unsupported("this function")),
        };
        self.push(place, value, companion, next);
        Ok(())
    }
}

fn convolution<R: Ring>(a: &[R], b: &[R], k: usize) -> R {
    let mut sum = a[0].sum();
    for i in 0..=k {
        R::add_product(&mut sum, 1.0, &a[i], &b[k - i]);
    }
    R::finish(sum)
}

fn decided(truth: Tri) -> Result<bool, Undefined> {
    match truth {
        Tri::True => Ok(true),
        Tri::False => Ok(false),
        Tri::Unknown => Err(Undefined::Undecided),
    }
}

/// f⁽ᵏ⁾(X)/k! for k up to `order`; of 1/x where there is no function.
pub(crate) fn expansion(
    function: Option<UnaryFunction>,
    at: Interval,
    order: usize,
) -> Result<Vec<Interval>, Undefined> {
    let ops: &[Op] = match function {
        Some(function) => &[Op::Symbol(0), Op::Unary(function, 0)],
        None => &[
            Op::Symbol(0),
            Op::Number(Literal::exact(1.0)),
            Op::Binary(BinaryFunction::Divide, 1, 0),
        ],
    };
    let roots = [ops.len() as Reg - 1];
    let mut run = SeriesRun::over(ops, &[SymbolId(0)], &roots, Interval::ZERO);
    for k in 0..=order {
        run.advance(|_| match k {
            0 => at,
            1 => Interval::ONE,
            _ => Interval::ZERO,
        })?;
    }
    (0..=order).map(|k| run.root(0, k).copied()).collect()
}
