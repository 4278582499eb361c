//! Expressions built with what the modes decide taken out: comparisons of exact numbers, `if` with a known condition.
//!
//! # Guarantee
//! Exact over the reals: only numbers that their doubles hold exactly are compared, and nothing is rounded.

use dyverse_expr::{Node, NodeId, Pool, Relation, Sort};

fn exactly(pool: &Pool, id: NodeId) -> Option<f64> {
    match pool.node(id) {
        Node::Number(literal) if literal.is_exact() => Some(literal.value()),
        _ => None,
    }
}

/// A truth value that is known.
pub(crate) fn truth(pool: &Pool, id: NodeId) -> Option<bool> {
    match pool.node(id) {
        Node::Boolean(value) => Some(value),
        _ => None,
    }
}

fn holds(relation: Relation, a: f64, b: f64) -> bool {
    match relation {
        Relation::Less => a < b,
        Relation::LessEqual => a <= b,
        Relation::Greater => a > b,
        Relation::GreaterEqual => a >= b,
        Relation::Equal => a == b,
        Relation::NotEqual => a != b,
    }
}

/// `if c then 1 else 0` compared with a number is c again, or its opposite.
pub(crate) fn compare(pool: &mut Pool, relation: Relation, a: NodeId, b: NodeId) -> NodeId {
    if let (Some(a), Some(b)) = (exactly(pool, a), exactly(pool, b)) {
        return pool.boolean(holds(relation, a, b));
    }
    // The same formula on both sides, whatever it is.
    if a == b {
        return pool.boolean(holds(relation, 0.0, 0.0));
    }
    if let (Node::Select(c, yes, no), Some(b)) = (pool.node(a), exactly(pool, b))
        && let (Some(yes), Some(no)) = (exactly(pool, yes), exactly(pool, no))
    {
        return match (holds(relation, yes, b), holds(relation, no, b)) {
            (true, false) => c,
            (false, true) => not(pool, c),
            (same, _) => pool.boolean(same),
        };
    }
    pool.compare(relation, a, b)
}

pub(crate) fn not(pool: &mut Pool, a: NodeId) -> NodeId {
    match truth(pool, a) {
        Some(value) => pool.boolean(!value),
        None => pool.not(a),
    }
}

pub(crate) fn and(pool: &mut Pool, a: NodeId, b: NodeId) -> NodeId {
    match (truth(pool, a), truth(pool, b)) {
        (Some(true), _) | (_, Some(false)) => b,
        (Some(false), _) | (_, Some(true)) => a,
        _ => pool.and(a, b),
    }
}

pub(crate) fn or(pool: &mut Pool, a: NodeId, b: NodeId) -> NodeId {
    match (truth(pool, a), truth(pool, b)) {
        (Some(false), _) | (_, Some(true)) => b,
        (Some(true), _) | (_, Some(false)) => a,
        _ => pool.or(a, b),
    }
}

pub(crate) fn select(pool: &mut Pool, c: NodeId, a: NodeId, b: NodeId) -> NodeId {
    match truth(pool, c) {
        Some(true) => a,
        Some(false) => b,
        None => pool.select(c, a, b),
    }
}

/// A truth value as the number that a signal carries: 1 or 0.
pub(crate) fn as_number(pool: &mut Pool, id: NodeId) -> NodeId {
    if pool.sort(id) == Sort::Number {
        return id;
    }
    let (one, zero) = (pool.number(1.0), pool.number(0.0));
    select(pool, id, one, zero)
}

/// A number as a condition: true unless it is 0.
pub(crate) fn as_truth(pool: &mut Pool, id: NodeId) -> NodeId {
    if pool.sort(id) == Sort::Boolean {
        return id;
    }
    let zero = pool.number(0.0);
    compare(pool, Relation::NotEqual, id, zero)
}

/// A node with other operands, and nothing else changed. Symbols stay.
pub(crate) fn rebuild(pool: &mut Pool, node: Node, of: impl Fn(NodeId) -> NodeId) -> NodeId {
    match node {
        Node::Number(literal) => pool.literal(literal),
        Node::Pi => pool.pi(),
        Node::Boolean(value) => pool.boolean(value),
        Node::Symbol(symbol) => pool.symbol(symbol),
        Node::Unary(function, a) => pool.unary(function, of(a)),
        Node::Binary(function, a, b) => pool.binary(function, of(a), of(b)),
        Node::Integer(a, n) => pool.integer_power(of(a), n),
        Node::Compare(relation, a, b) => compare(pool, relation, of(a), of(b)),
        Node::Not(a) => not(pool, of(a)),
        Node::And(a, b) => and(pool, of(a), of(b)),
        Node::Or(a, b) => or(pool, of(a), of(b)),
        Node::Select(c, a, b) => select(pool, of(c), of(a), of(b)),
    }
}
