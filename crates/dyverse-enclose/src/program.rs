//! Formulas prepared for enclosures: straight-line steps of a few kinds.
//!
//! Powers are products, division and functions stay. Decisions (`if`, `min`, `max`, `abs`, `sign`, `floor`) are taken at order zero and must be the same for the
//! whole argument.

use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, Relation, UnaryFunction};
use dyverse_num::Interval;

use crate::ring::Undefined;

/// A step; operands are places of earlier steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Constant(Interval),
    Symbol(u32),
    Boolean(bool),
    Add(u32, u32),
    Subtract(u32, u32),
    Multiply(u32, u32),
    Square(u32),
    Divide(u32, u32),
    Function(UnaryFunction, u32),
    Atan2(u32, u32),
    Minimum(u32, u32),
    Maximum(u32, u32),
    Compare(Relation, u32, u32),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
    Select(u32, u32, u32),
}

/// The steps that some roots need.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) steps: Vec<Step>,
    pub(crate) roots: Vec<u32>,
    /// Above the number of every symbol that is read.
    pub(crate) symbols: usize,
}

/// Where a node is among those that roots reach, which are all that are asked for.
fn place_of(needed: &[NodeId], id: NodeId) -> usize {
    match needed.binary_search(&id) {
        Ok(place) => place,
        Err(_) => unreachable!("bug: an operand that no root reaches"),
    }
}

impl Program {
    /// Prepares roots that are numbers.
    #[must_use]
    pub fn new(pool: &Pool, roots: &[NodeId]) -> Self {
        let needed = pool.reachable(roots);
        let mut program = Program {
            steps: Vec::new(),
            roots: Vec::new(),
            symbols: 0,
        };
        let mut places = vec![0u32; needed.len()];
        for (number, id) in needed.iter().enumerate() {
            let place = |id: NodeId| places[place_of(&needed, id)];
            let added = program.add(pool, pool.node(*id), place);
            places[number] = added;
        }
        program.roots = roots.iter().map(|id| places[place_of(&needed, *id)]).collect();
        program
    }

    /// Number of roots.
    #[must_use]
    pub fn root_count(&self) -> usize {
        self.roots.len()
    }

    /// Whether every symbol that is read is among so many.
    ///
    /// # Errors
    /// If one is not: it has no value.
    pub(crate) fn reads_only(&self, symbols: usize) -> Result<(), Undefined> {
        if self.symbols > symbols {
            return Err(Undefined::Unsupported("a symbol without a value"));
        }
        Ok(())
    }

    fn push(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    fn add(&mut self, pool: &Pool, node: Node, place: impl Fn(NodeId) -> u32) -> u32 {
        match node {
            Node::Number(literal) => self.push(Step::Constant(Interval::from_literal(
                literal.value(),
                literal.is_exact(),
            ))),
            Node::Pi => self.push(Step::Constant(Interval::PI)),
            Node::Boolean(value) => self.push(Step::Boolean(value)),
            Node::Symbol(id) => {
                self.symbols = self.symbols.max(id.0 as usize + 1);
                self.push(Step::Symbol(id.0))
            }
            Node::Unary(function, a) => self.push(Step::Function(function, place(a))),
            Node::Binary(function, a, b) => {
                let (x, y) = (place(a), place(b));
                match function {
                    BinaryFunction::Add => self.push(Step::Add(x, y)),
                    BinaryFunction::Subtract => self.push(Step::Subtract(x, y)),
                    BinaryFunction::Multiply if x == y => self.push(Step::Square(x)),
                    BinaryFunction::Multiply => self.push(Step::Multiply(x, y)),
                    BinaryFunction::Divide => self.push(Step::Divide(x, y)),
                    BinaryFunction::Min => self.push(Step::Minimum(x, y)),
                    BinaryFunction::Max => self.push(Step::Maximum(x, y)),
                    BinaryFunction::Atan2 => self.push(Step::Atan2(x, y)),
                    BinaryFunction::Power => self.real_power(pool, x, b, y),
                }
            }
            Node::Integer(a, n) => self.integer_power(place(a), n),
            Node::Compare(relation, a, b) => self.push(Step::Compare(relation, place(a), place(b))),
            Node::Not(a) => self.push(Step::Not(place(a))),
            Node::And(a, b) => self.push(Step::And(place(a), place(b))),
            Node::Or(a, b) => self.push(Step::Or(place(a), place(b))),
            Node::Select(c, a, b) => self.push(Step::Select(place(c), place(a), place(b))),
        }
    }

    /// xⁿ by squaring.
    fn integer_power(&mut self, x: u32, n: i32) -> u32 {
        let mut rest = n.unsigned_abs();
        if rest == 0 {
            return self.push(Step::Constant(Interval::ONE));
        }
        let mut square = x;
        while rest & 1 == 0 {
            square = self.push(Step::Square(square));
            rest >>= 1;
        }
        let mut product = square;
        while rest > 1 {
            square = self.push(Step::Square(square));
            rest >>= 1;
            if rest & 1 == 1 {
                product = self.push(Step::Multiply(product, square));
            }
        }
        if n > 0 {
            return product;
        }
        let one = self.push(Step::Constant(Interval::ONE));
        self.push(Step::Divide(one, product))
    }

    /// xʸ: by roots where y is a literal multiple of ½, else exp(y ln x), for x above zero.
    fn real_power(&mut self, pool: &Pool, x: u32, exponent: NodeId, y: u32) -> u32 {
        if let Node::Number(literal) = pool.node(exponent)
            && literal.is_exact()
        {
            let twice = 2.0 * literal.value();
            if literal.value().fract() == 0.0 && literal.value().abs() <= 64.0 {
                return self.integer_power(x, literal.value() as i32);
            }
            if twice.fract() == 0.0 && twice.abs() <= 64.0 {
                let root = self.push(Step::Function(UnaryFunction::Sqrt, x));
                return self.integer_power(root, twice as i32);
            }
        }
        let ln = self.push(Step::Function(UnaryFunction::Ln, x));
        let product = self.push(Step::Multiply(ln, y));
        self.push(Step::Function(UnaryFunction::Exp, product))
    }
}
