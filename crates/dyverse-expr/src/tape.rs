//! Evaluation on any scalar: one pass over the nodes that some roots need.
//!
//! # Guarantee
//! On intervals the value encloses the value at every point of the operands, in every branch that may be
//! taken. On doubles an undefined operation gives NaN, which the caller must look for.

use crate::{BinaryFunction, Node, NodeId, Pool, Relation, SymbolId, UnaryFunction};
use dyverse_num::{Scalar, Tri};

/// The value of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<S> {
    /// Of a number.
    Number(S),
    /// Of a truth value.
    Boolean(Tri),
}

/// A step of a tape; operands are places on the tape.
#[derive(Clone, Copy, Debug)]
enum Step {
    Leaf(Node),
    Unary(UnaryFunction, u32),
    Binary(BinaryFunction, u32, u32),
    Integer(u32, i32),
    Compare(Relation, u32, u32),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
    Select(u32, u32, u32),
}

impl Step {
    fn of(node: Node, place: impl Fn(NodeId) -> u32) -> Self {
        match node {
            leaf @ (Node::Number(_) | Node::Pi | Node::Boolean(_) | Node::Symbol(_)) => Step::Leaf(leaf),
            Node::Unary(f, a) => Step::Unary(f, place(a)),
            Node::Binary(f, a, b) => Step::Binary(f, place(a), place(b)),
            Node::Integer(a, n) => Step::Integer(place(a), n),
            Node::Compare(r, a, b) => Step::Compare(r, place(a), place(b)),
            Node::Not(a) => Step::Not(place(a)),
            Node::And(a, b) => Step::And(place(a), place(b)),
            Node::Or(a, b) => Step::Or(place(a), place(b)),
            Node::Select(c, a, b) => Step::Select(place(c), place(a), place(b)),
        }
    }
}

/// The nodes that some roots need, in order of evaluation.
#[derive(Clone, Debug)]
pub struct Tape {
    steps: Vec<Step>,
    roots: Vec<u32>,
    /// Nodes that are comparisons, in order.
    comparisons: Vec<NodeId>,
}

impl Tape {
    /// Prepares the evaluation of `roots`.
    pub fn new(pool: &Pool, roots: &[NodeId]) -> Self {
        let needed = pool.reachable(roots);
        let place = |id: NodeId| needed.binary_search(&id).map_or(u32::MAX, |place| place as u32);
        let steps: Vec<Step> = needed.iter().map(|id| Step::of(pool.node(*id), place)).collect();
        let is_comparison = |step: &Step| matches!(step, Step::Compare(..));
        let places = steps.iter().enumerate().filter(|(_, step)| is_comparison(step));
        Tape {
            comparisons: places.map(|(place, _)| needed[place]).collect(),
            steps,
            roots: roots.iter().map(|id| place(*id)).collect(),
        }
    }

    /// How many operations one evaluation takes.
    pub fn len(&self) -> usize {
        self.steps.len()
    }
    /// Whether there is nothing to evaluate.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The values of the roots, in the order they were given.
    pub fn evaluate<S: Scalar>(&self, mut symbol: impl FnMut(SymbolId) -> S) -> Vec<Value<S>> {
        let mut values: Vec<Value<S>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = apply(*step, &values, &mut symbol);
            values.push(value);
        }
        self.roots
            .iter()
            .map(|root| values[*root as usize].clone())
            .collect()
    }

    /// Evaluates on doubles into a workspace that is used again and again: nothing is allocated after the first call. Truth values
    /// are 1, 0, and NaN for unknown. [`Tape::result`] reads the roots.
    pub fn run(&self, symbol: impl FnMut(SymbolId) -> f64, values: &mut Vec<f64>) {
        self.run_where(symbol, |_, _, _| false, values);
    }

    /// The same, where numbers that are compared may count as equal although they are not: `are_equal` is asked with the node of the comparison and both of them.
    pub fn run_where(
        &self,
        mut symbol: impl FnMut(SymbolId) -> f64,
        mut are_equal: impl FnMut(NodeId, f64, f64) -> bool,
        values: &mut Vec<f64>,
    ) {
        values.clear();
        let mut comparisons = self.comparisons.iter();
        for step in &self.steps {
            let of = |place: u32| values[place as usize];
            let value = match *step {
                Step::Leaf(Node::Symbol(id)) => symbol(id),
                Step::Leaf(Node::Number(literal)) => literal.value(),
                Step::Leaf(Node::Boolean(value)) => f64::from(u8::from(value)),
                Step::Leaf(_) => std::f64::consts::PI,
                Step::Unary(function, a) => unary(function, &of(a)),
                Step::Binary(function, a, b) => binary(function, &of(a), &of(b)),
                Step::Integer(a, n) => Scalar::powi(&of(a), n),
                Step::Compare(relation, a, b) => {
                    let (a, b) = (of(a), of(b));
                    let met = comparisons.next().is_some_and(|node| are_equal(*node, a, b));
                    as_number(compare(relation, &a, if met { &a } else { &b }))
                }
                Step::Not(a) => 1.0 - of(a),
                Step::And(a, b) => as_number(as_truth(of(a)).and(as_truth(of(b)))),
                Step::Or(a, b) => as_number(as_truth(of(a)).or(as_truth(of(b)))),
                Step::Select(c, a, b) => f64::select(as_truth(of(c)), of(a), of(b)),
            };
            values.push(value);
        }
    }

    /// The value of a root after [`Tape::run`].
    pub fn result(&self, values: &[f64], root: usize) -> f64 {
        values[self.roots[root] as usize]
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
            let step = Step::of(pool.node(NodeId(index as u32)), |id| id.0);
            let value = apply(step, &self.values, &mut symbol);
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

fn apply<S: Scalar>(step: Step, values: &[Value<S>], symbol: &mut impl FnMut(SymbolId) -> S) -> Value<S> {
    let number = |place: u32| match &values[place as usize] {
        Value::Number(number) => number,
        Value::Boolean(_) => unreachable!("bug: a truth value where a number belongs"),
    };
    let truth = |place: u32| match &values[place as usize] {
        Value::Boolean(truth) => *truth,
        Value::Number(_) => unreachable!("bug: a number where a truth value belongs"),
    };
    match step {
        Step::Leaf(Node::Boolean(value)) => Value::Boolean(Tri::from(value)),
        Step::Leaf(Node::Symbol(id)) => Value::Number(symbol(id)),
        Step::Leaf(Node::Number(literal)) => {
            Value::Number(S::from_literal(literal.value(), literal.is_exact()))
        }
        Step::Leaf(_) => Value::Number(S::pi()),
        Step::Unary(function, a) => Value::Number(unary(function, number(a))),
        Step::Binary(function, a, b) => Value::Number(binary(function, number(a), number(b))),
        Step::Integer(a, n) => Value::Number(number(a).powi(n)),
        Step::Compare(relation, a, b) => Value::Boolean(compare(relation, number(a), number(b))),
        Step::Not(a) => Value::Boolean(!truth(a)),
        Step::And(a, b) => Value::Boolean(truth(a).and(truth(b))),
        Step::Or(a, b) => Value::Boolean(truth(a).or(truth(b))),
        Step::Select(c, a, b) => Value::Number(S::select(truth(c), number(a).clone(), number(b).clone())),
    }
}

fn as_number(truth: Tri) -> f64 {
    match truth {
        Tri::True => 1.0,
        Tri::False => 0.0,
        Tri::Unknown => f64::NAN,
    }
}

fn as_truth(number: f64) -> Tri {
    if number.is_nan() {
        Tri::Unknown
    } else {
        Tri::from(number != 0.0)
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

pub(crate) fn compare<S: Scalar>(relation: Relation, a: &S, b: &S) -> Tri {
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
        let tape = Tape::new(&pool, &[root, above]);

        let expected = |x: f64| {
            if x > 0.0 {
                -0.1 * (x - 1.0) * (x - 1.0) + x.sin()
            } else {
                3.0
            }
        };
        for x in [-1.0, 0.0, 0.5, 2.0] {
            let Value::Number(y) = tape.evaluate(|_| x)[0] else {
                unreachable!()
            };
            assert!((y - expected(x)).abs() < 1e-15, "{x}");
            let mut values = Vec::new();
            tape.run(|_| x, &mut values);
            assert_eq!(tape.result(&values, 0).to_bits(), y.to_bits(), "{x}");
            assert_eq!(tape.result(&values, 1), f64::from(u8::from(x > 0.0)), "{x}");
            let Value::Number(y) = &tape.evaluate(|_| Interval::point(x))[0] else {
                unreachable!()
            };
            assert!(y.contains(expected(x)) && y.width() < 1e-14, "{x}: {y:?}");
        }
        let wide = Interval::new(-1.0, 2.0).unwrap();
        let values = tape.evaluate(|_| wide);
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
        assert_eq!(Tape::new(&pool, &[sum]).numbers(|_| 0.5), vec![499_999_500_000.5]);
    }
}
