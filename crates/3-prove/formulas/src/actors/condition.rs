//! Boolean expressions as conditions: every comparison a formula compared with zero, negations inside.
//!
//! | expression | constraint |
//! |---|---|
//! | a < b, a > b | b − a > 0, a − b > 0 |
//! | a ≤ b, a ≥ b | b − a ≥ 0, a − b ≥ 0 |
//! | a = b, a ≠ b | a − b = 0, a − b ≠ 0 |
//! | \|e\| ≤ c (and <) | c − e ≥ 0 and c + e ≥ 0 |
//! | \|e\| ≥ c (and >) | e − c ≥ 0 or −e − c ≥ 0 |
//!
//! # Guarantee
//! Equivalent over the reals wherever the expressions are defined.

use super::fold;
use super::obstacle::obstacle;
use crate::{Condition, Constraint, Obstacle, Relation};
use dyverse_expr::{Node, NodeId, Pool, UnaryFunction};
use std::collections::BTreeMap;

/// Constraints of one condition at the most.
const MOST: usize = 4096;

/// A condition with its size.
#[derive(Clone)]
struct Measured {
    condition: Condition,
    atoms: usize,
}

/// A Boolean expression, or a number that is true unless it is 0.
pub(crate) fn condition(pool: &mut Pool, root: NodeId) -> Result<Condition, Obstacle> {
    let root = fold::as_truth(pool, root);
    let mut made: BTreeMap<NodeId, Measured> = BTreeMap::new();
    let mut stack = vec![root];
    while let Some(id) = stack.last().copied() {
        if made.contains_key(&id) {
            stack.pop();
            continue;
        }
        let node = pool.node(id);
        let operands: Vec<NodeId> = match node {
            Node::Not(_) | Node::And(..) | Node::Or(..) => node.operands().collect(),
            _ => Vec::new(),
        };
        let missing = operands.iter().filter(|o| !made.contains_key(o));
        let before = stack.len();
        stack.extend(missing);
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let parts: Vec<Measured> = operands.iter().map(|operand| made[operand].clone()).collect();
        made.insert(id, join(pool, id, parts)?);
    }
    Ok(made[&root].condition.clone())
}

fn join(pool: &mut Pool, id: NodeId, parts: Vec<Measured>) -> Result<Measured, Obstacle> {
    let atoms: usize = parts.iter().map(|p| p.atoms).sum();
    if atoms > MOST {
        return Err(obstacle(format!("a condition of more than {MOST} comparisons")));
    }
    let conditions: Vec<Condition> = parts.into_iter().map(|p| p.condition).collect();
    let condition = match pool.node(id) {
        Node::Boolean(value) => Condition::Constant(value),
        Node::Not(_) => conditions[0].negated(),
        Node::And(..) => all(conditions),
        Node::Or(..) => any(conditions),
        Node::Compare(relation, a, b) => compare(pool, relation, a, b),
        other => unreachable!("bug: {other:?} is a number where a truth value is"),
    };
    let condition = condition.bounded()?;
    Ok(Measured {
        atoms: condition.atoms().len(),
        condition,
    })
}

/// All of them; what is nested is flat, what is known is gone.
pub(crate) fn all(parts: Vec<Condition>) -> Condition {
    let mut flat: Vec<Condition> = Vec::new();
    for part in parts {
        match part {
            Condition::Constant(false) => return Condition::Constant(false),
            Condition::Constant(true) => {}
            Condition::And(inner) => inner.into_iter().for_each(|c| push(&mut flat, c)),
            other => push(&mut flat, other),
        }
    }
    match flat.len() {
        0 => Condition::Constant(true),
        1 => flat.remove(0),
        _ => Condition::And(flat),
    }
}

/// One of them at least.
pub(crate) fn any(parts: Vec<Condition>) -> Condition {
    let mut flat: Vec<Condition> = Vec::new();
    for part in parts {
        match part {
            Condition::Constant(true) => return Condition::Constant(true),
            Condition::Constant(false) => {}
            Condition::Or(inner) => inner.into_iter().for_each(|c| push(&mut flat, c)),
            other => push(&mut flat, other),
        }
    }
    match flat.len() {
        0 => Condition::Constant(false),
        1 => flat.remove(0),
        _ => Condition::Or(flat),
    }
}

fn push(list: &mut Vec<Condition>, condition: Condition) {
    if !list.contains(&condition) {
        list.push(condition);
    }
}

fn atom(node: NodeId, relation: Relation) -> Condition {
    Condition::Atom(Constraint { node, relation })
}

fn compare(pool: &mut Pool, relation: Relation, a: NodeId, b: NodeId) -> Condition {
    let (small, large, is_strict) = match relation {
        Relation::Equal => return atom(pool.subtract(a, b), Relation::Equal),
        Relation::NotEqual => return atom(pool.subtract(a, b), Relation::NotEqual),
        Relation::Less => (a, b, true),
        Relation::LessEqual => (a, b, false),
        Relation::Greater => (b, a, true),
        Relation::GreaterEqual => (b, a, false),
    };
    let relation = if is_strict {
        Relation::Greater
    } else {
        Relation::GreaterEqual
    };
    let magnitude = |node: Node| match node {
        Node::Unary(UnaryFunction::Abs, inside) => Some(inside),
        _ => None,
    };
    if let Some(e) = magnitude(pool.node(small)) {
        let (below, above) = (pool.subtract(large, e), pool.add(large, e));
        return all(vec![atom(below, relation), atom(above, relation)]);
    }
    if let Some(e) = magnitude(pool.node(large)) {
        let negative = pool.negate(e);
        let (above, below) = (pool.subtract(e, small), pool.subtract(negative, small));
        return any(vec![atom(above, relation), atom(below, relation)]);
    }
    atom(pool.subtract(large, small), relation)
}
