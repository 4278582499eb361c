//! The nodes of an expression.

use dyverse_num::Relation;
use std::cmp::Ordering;

/// A number as written: its nearest double, and whether that is exactly what was written.
#[derive(Clone, Copy, Debug)]
pub struct Literal {
    value: f64,
    is_exact: bool,
}

impl Literal {
    /// A number that the double holds exactly.
    pub fn exact(value: f64) -> Self {
        Literal {
            value,
            is_exact: true,
        }
    }
    /// A decimal whose nearest double is `value`, and which that double is not.
    pub fn nearest(value: f64) -> Self {
        Literal {
            value,
            is_exact: false,
        }
    }
    /// The nearest double.
    pub fn value(self) -> f64 {
        self.value
    }
    /// Whether the double is the number.
    pub fn is_exact(self) -> bool {
        self.is_exact
    }
    fn key(self) -> (u64, bool) {
        (self.value.to_bits(), self.is_exact)
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl Eq for Literal {}
impl PartialOrd for Literal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Literal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// A symbol; the model knows what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

/// A node of one [`Pool`](crate::Pool).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Its place in the pool: operands come before it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A real number.
    Number,
    /// True or false.
    Boolean,
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum UnaryFunction {
    Negate,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Abs,
    Sign,
    Floor,
}

impl UnaryFunction {
    /// All that are written as calls, in the order they are documented.
    pub const NAMED: &[UnaryFunction] = &[
        UnaryFunction::Sqrt,
        UnaryFunction::Sin,
        UnaryFunction::Cos,
        UnaryFunction::Tan,
        UnaryFunction::Asin,
        UnaryFunction::Acos,
        UnaryFunction::Atan,
        UnaryFunction::Sinh,
        UnaryFunction::Cosh,
        UnaryFunction::Tanh,
        UnaryFunction::Exp,
        UnaryFunction::Ln,
        UnaryFunction::Abs,
        UnaryFunction::Sign,
        UnaryFunction::Floor,
    ];

    /// Its name in model files.
    pub fn name(self) -> &'static str {
        match self {
            UnaryFunction::Negate => "-",
            UnaryFunction::Sqrt => "sqrt",
            UnaryFunction::Sin => "sin",
            UnaryFunction::Cos => "cos",
            UnaryFunction::Tan => "tan",
            UnaryFunction::Asin => "asin",
            UnaryFunction::Acos => "acos",
            UnaryFunction::Atan => "atan",
            UnaryFunction::Sinh => "sinh",
            UnaryFunction::Cosh => "cosh",
            UnaryFunction::Tanh => "tanh",
            UnaryFunction::Exp => "exp",
            UnaryFunction::Ln => "ln",
            UnaryFunction::Abs => "abs",
            UnaryFunction::Sign => "sign",
            UnaryFunction::Floor => "floor",
        }
    }
}

/// Functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum BinaryFunction {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    Atan2,
}

/// One node: its operands come before it in the pool. In a [`Program`](crate::Program) operands are registers, and symbols places of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Node<R = NodeId, S = SymbolId> {
    Number(Literal),
    Pi,
    Boolean(bool),
    Symbol(S),
    Unary(UnaryFunction, R),
    Binary(BinaryFunction, R, R),
    /// An integer power.
    Integer(R, i32),
    Compare(Relation, R, R),
    Not(R),
    And(R, R),
    Or(R, R),
    /// `if condition then first else second`, of numbers.
    Select(R, R, R),
}

impl<R, S> Node<R, S> {
    /// What its value is.
    pub fn sort(self) -> Sort {
        match self {
            Node::Boolean(_) | Node::Compare(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => {
                Sort::Boolean
            }
            _ => Sort::Number,
        }
    }

    /// Its operands.
    pub fn operands(self) -> impl Iterator<Item = R> {
        let operands = match self {
            Node::Number(_) | Node::Pi | Node::Boolean(_) | Node::Symbol(_) => [None, None, None],
            Node::Unary(_, a) | Node::Integer(a, _) | Node::Not(a) => [Some(a), None, None],
            Node::Binary(_, a, b) | Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
                [Some(a), Some(b), None]
            }
            Node::Select(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        operands.into_iter().flatten()
    }

    /// The same of other operands and symbols.
    pub(crate) fn map<T, U>(self, to: impl Fn(R) -> T, symbol: impl FnOnce(S) -> U) -> Node<T, U> {
        match self {
            Node::Number(literal) => Node::Number(literal),
            Node::Pi => Node::Pi,
            Node::Boolean(value) => Node::Boolean(value),
            Node::Symbol(id) => Node::Symbol(symbol(id)),
            Node::Unary(f, a) => Node::Unary(f, to(a)),
            Node::Binary(f, a, b) => Node::Binary(f, to(a), to(b)),
            Node::Integer(a, n) => Node::Integer(to(a), n),
            Node::Compare(r, a, b) => Node::Compare(r, to(a), to(b)),
            Node::Not(a) => Node::Not(to(a)),
            Node::And(a, b) => Node::And(to(a), to(b)),
            Node::Or(a, b) => Node::Or(to(a), to(b)),
            Node::Select(c, a, b) => Node::Select(to(c), to(a), to(b)),
        }
    }
}
