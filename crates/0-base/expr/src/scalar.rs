//! Programs on any scalar.
//!
//! # Guarantee
//! On intervals the value encloses the value at every point of the operands, in every branch that may be
//! taken. On doubles an undefined operation gives NaN, which the caller must look for.

use crate::{BinaryFunction, NodeId, Op, Pool, Program, Reg, Relation, SymbolId, UnaryFunction};
use dyverse_num::{Scalar, Tri};

/// The value of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<S> {
    /// Of a number.
    Number(S),
    /// Of a truth value.
    Boolean(Tri),
}

impl Program {
    /// The values of the roots, in the order they were given.
    pub fn evaluate<S: Scalar>(&self, mut symbol: impl FnMut(SymbolId) -> S) -> Vec<Value<S>> {
        let mut values: Vec<Value<S>> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let value = apply(*op, &values, |input| symbol(self.inputs[input as usize]));
            values.push(value);
        }
        let root = |root: &Reg| values[*root as usize].clone();
        self.roots.iter().map(root).collect()
    }

    /// The values of roots that are numbers.
    pub fn numbers<S: Scalar>(&self, symbol: impl FnMut(SymbolId) -> S) -> Vec<S> {
        self.evaluate(symbol)
            .into_iter()
            .map(|value| match value {
                Value::Number(number) => number,
                Value::Boolean(_) => unreachable!("bug: a truth value was asked for as a number"),
            })
            .collect()
    }
}

/// The values of all nodes of a growing pool, each computed once.
#[derive(Clone, Debug)]
pub struct Valuation<S> {
    values: Vec<Value<S>>,
}

impl<S: Scalar> Default for Valuation<S> {
    fn default() -> Self {
        Valuation { values: Vec::new() }
    }
}

impl<S: Scalar> Valuation<S> {
    /// Evaluates the nodes that were added to the pool since the last call.
    pub fn update(&mut self, pool: &Pool, symbol: impl FnMut(SymbolId) -> S) {
        self.extend_to(pool, pool.len(), symbol);
    }
    /// Evaluates the nodes up to this one, as far as they have no value yet.
    pub fn update_through(&mut self, pool: &Pool, last: NodeId, symbol: impl FnMut(SymbolId) -> S) {
        self.extend_to(pool, (last.index() + 1).min(pool.len()), symbol);
    }
    fn extend_to(&mut self, pool: &Pool, length: usize, mut symbol: impl FnMut(SymbolId) -> S) {
        for index in self.values.len()..length {
            let op = pool.node(NodeId(index as u32)).map(|id| id.0, |id| id.0);
            let value = apply(op, &self.values, |id| symbol(SymbolId(id)));
            self.values.push(value);
        }
    }
    /// How many nodes have their value.
    pub fn len(&self) -> usize {
        self.values.len()
    }
    /// Whether no node has its value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
    /// The value of a node; `None` if it was added since the last update.
    pub fn get(&self, id: NodeId) -> Option<&Value<S>> {
        self.values.get(id.index())
    }
    /// The value of a node that is a number.
    pub fn number(&self, id: NodeId) -> Option<&S> {
        match self.get(id) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }
}

fn apply<S: Scalar>(op: Op, values: &[Value<S>], input: impl FnOnce(u32) -> S) -> Value<S> {
    let number = |reg: Reg| match &values[reg as usize] {
        Value::Number(number) => number,
        Value::Boolean(_) => unreachable!("bug: a truth value where a number belongs"),
    };
    let truth = |reg: Reg| match &values[reg as usize] {
        Value::Boolean(truth) => *truth,
        Value::Number(_) => unreachable!("bug: a number where a truth value belongs"),
    };
    match op {
        Op::Number(literal) => Value::Number(S::from_literal(literal.value(), literal.is_exact())),
        Op::Pi => Value::Number(S::pi()),
        Op::Boolean(value) => Value::Boolean(Tri::from(value)),
        Op::Symbol(place) => Value::Number(input(place)),
        Op::Unary(function, a) => Value::Number(unary(function, number(a))),
        Op::Binary(function, a, b) => Value::Number(binary(function, number(a), number(b))),
        Op::Integer(a, n) => Value::Number(number(a).powi(n)),
        Op::Compare(relation, a, b) => Value::Boolean(compare(relation, number(a), number(b))),
        Op::Not(a) => Value::Boolean(!truth(a)),
        Op::And(a, b) => Value::Boolean(truth(a).and(truth(b))),
        Op::Or(a, b) => Value::Boolean(truth(a).or(truth(b))),
        Op::Select(c, a, b) => Value::Number(S::select(truth(c), number(a).clone(), number(b).clone())),
    }
}

/// The value of a function of one number, on any scalar.
pub fn unary<S: Scalar>(function: UnaryFunction, a: &S) -> S {
    match function {
        UnaryFunction::Negate => -a.clone(),
        UnaryFunction::Sqrt => a.sqrt(),
        UnaryFunction::Sin => a.sin(),
        UnaryFunction::Cos => a.cos(),
        UnaryFunction::Tan => a.tan(),
        UnaryFunction::Asin => a.asin(),
        UnaryFunction::Acos => a.acos(),
        UnaryFunction::Atan => a.atan(),
        UnaryFunction::Sinh => a.sinh(),
        UnaryFunction::Cosh => a.cosh(),
        UnaryFunction::Tanh => a.tanh(),
        UnaryFunction::Exp => a.exp(),
        UnaryFunction::Ln => a.ln(),
        UnaryFunction::Abs => a.abs(),
        UnaryFunction::Sign => a.sign(),
        UnaryFunction::Floor => a.floor(),
    }
}

/// The value of a function of two numbers, on any scalar.
pub fn binary<S: Scalar>(function: BinaryFunction, a: &S, b: &S) -> S {
    match function {
        BinaryFunction::Add => a.clone() + b.clone(),
        BinaryFunction::Subtract => a.clone() - b.clone(),
        BinaryFunction::Multiply => a.clone() * b.clone(),
        BinaryFunction::Divide => a.clone() / b.clone(),
        BinaryFunction::Power => a.powf(b),
        BinaryFunction::Min => a.min(b),
        BinaryFunction::Max => a.max(b),
        BinaryFunction::Atan2 => a.atan2(b),
    }
}

/// How two numbers compare, on any scalar.
pub fn compare<S: Scalar>(relation: Relation, a: &S, b: &S) -> Tri {
    match relation {
        Relation::Less => a.lt(b),
        Relation::LessEqual => a.le(b),
        Relation::Greater => a.gt(b),
        Relation::GreaterEqual => a.ge(b),
        Relation::Equal => a.eq_tri(b),
        Relation::NotEqual => !a.eq_tri(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Literal;
    use dyverse_num::Interval;

    #[test]
    fn a_force_law_on_doubles_and_on_intervals() {
        // −k (x − 1)² + sin(x) if x > 0, else 3
        let mut pool = Pool::new();
        let (k, x) = (pool.literal(Literal::nearest(0.1)), pool.symbol(SymbolId(7)));
        let (one, zero, three) = (pool.number(1.0), pool.number(0.0), pool.number(3.0));
        let d = pool.subtract(x, one);
        let square = pool.integer_power(d, 2);
        let spring = pool.multiply(k, square);
        let spring = pool.negate(spring);
        let sine = pool.unary(UnaryFunction::Sin, x);
        let sum = pool.add(spring, sine);
        let above = pool.compare(Relation::Greater, x, zero);
        let root = pool.select(above, sum, three);
        let program = Program::new(&pool, &[root, above]);

        let expected = |x: f64| {
            if x > 0.0 {
                -0.1 * (x - 1.0) * (x - 1.0) + x.sin()
            } else {
                3.0
            }
        };
        for x in [-1.0, 0.0, 0.5, 2.0] {
            let Value::Number(y) = program.evaluate(|_| x)[0] else {
                unreachable!()
            };
            assert!((y - expected(x)).abs() < 1e-15, "{x}");
            let mut values = Vec::new();
            program.run(|_| x, &mut values);
            assert_eq!(program.result(&values, 0).to_bits(), y.to_bits(), "{x}");
            assert_eq!(program.result(&values, 1), f64::from(u8::from(x > 0.0)), "{x}");
            let Value::Number(y) = &program.evaluate(|_| Interval::point(x))[0] else {
                unreachable!()
            };
            assert!(y.contains(expected(x)) && y.width() < 1e-14, "{x}: {y:?}");
        }
        let wide = Interval::new(-1.0, 2.0).unwrap();
        let values = program.evaluate(|_| wide);
        assert_eq!(values[1], Value::Boolean(Tri::Unknown));
        let Value::Number(y) = &values[0] else {
            unreachable!()
        };
        assert!(y.contains(3.0) && y.contains(expected(2.0)) && y.contains(expected(0.1)));
    }

    #[test]
    fn a_million_terms_do_not_recurse() {
        let mut pool = Pool::new();
        let x = pool.symbol(SymbolId(0));
        let mut sum = x;
        for i in 0..1_000_000 {
            let term = pool.number(f64::from(i));
            sum = pool.add(sum, term);
        }
        assert_eq!(
            Program::new(&pool, &[sum]).numbers(|_| 0.5),
            vec![499_999_500_000.5]
        );
    }
}
