//! An expression compared with zero.

use crate::{BinaryFunction, Node, NodeId, Pool, Relation, UnaryFunction};

/// An expression compared with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constraint {
    /// The expression.
    pub node: NodeId,
    /// How it compares.
    pub relation: Relation,
}

impl Constraint {
    /// What this says of an expression: its relation, if that is this one or its opposite (b − a is the opposite of a − b).
    pub fn about(&self, pool: &Pool, node: NodeId) -> Option<Relation> {
        if node == self.node {
            return Some(self.relation);
        }
        is_opposite(pool, node, self.node).then(|| self.relation.mirrored())
    }
}

/// Whether one expression is written as the opposite of another.
fn is_opposite(pool: &Pool, a: NodeId, b: NodeId) -> bool {
    match (pool.node(a), pool.node(b)) {
        (Node::Unary(UnaryFunction::Negate, inner), _) if inner == b => true,
        (_, Node::Unary(UnaryFunction::Negate, inner)) if inner == a => true,
        (Node::Binary(BinaryFunction::Subtract, x, y), Node::Binary(BinaryFunction::Subtract, u, v)) => {
            x == v && y == u
        }
        _ => false,
    }
}
