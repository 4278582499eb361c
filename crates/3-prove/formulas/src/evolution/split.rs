//! Conditions without kinks where that costs nothing: |a| ≤ c is a ≤ c and −a ≤ c.
//!
//! Let a constraint's formula depend on u = |a| (or max(a, b), min(a, b)) linearly, with a coefficient whose sign is known. As |a| = max(a, −a), the formula is then the least (or
//! the largest) of two without the kink, and the constraint a conjunction (or disjunction). No choice is left to be made, and none to be undecided about where a is nearly zero.

use std::collections::BTreeMap;

use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, SymbolId, UnaryFunction};

use crate::{Condition, Constraint, Relation};

/// Kinks of one constraint that are taken apart, at the most: each doubles its size.
const MOST_KINKS: usize = 6;
/// Stands for the kink while its coefficient is found.
const STAND_IN: SymbolId = SymbolId(u32::MAX);

/// A condition with kinks taken apart where they can be.
pub(crate) fn split(pool: &mut Pool, condition: &Condition) -> Condition {
    condition.map(&mut |constraint| atom(pool, *constraint, MOST_KINKS))
}

fn atom(pool: &mut Pool, constraint: Constraint, left: usize) -> Condition {
    let plain = Condition::Atom(constraint);
    // Whether the formula must be large.
    let is_lower_bound = match constraint.relation {
        Relation::Greater | Relation::GreaterEqual => true,
        Relation::Less | Relation::LessEqual => false,
        Relation::Equal | Relation::NotEqual => return plain,
    };
    if left == 0 {
        return plain;
    }
    // The outermost first: what is inside it goes along.
    let kinks: Vec<NodeId> = pool
        .in_reading_order(&[constraint.node])
        .into_iter()
        .rev()
        .collect();
    for kink in kinks {
        let (first, second, is_largest) = match pool.node(kink) {
            Node::Unary(UnaryFunction::Abs, a) => (a, pool.negate(a), true),
            Node::Binary(BinaryFunction::Max, a, b) => (a, b, true),
            Node::Binary(BinaryFunction::Min, a, b) => (a, b, false),
            _ => continue,
        };
        let Some(is_rising) = slope_sign(pool, constraint.node, kink) else {
            continue;
        };
        let with = |pool: &mut Pool, node: NodeId| Constraint {
            node: replace(pool, constraint.node, kink, node),
            relation: constraint.relation,
        };
        let (one, other) = (with(pool, first), with(pool, second));
        let parts = vec![atom(pool, one, left - 1), atom(pool, other, left - 1)];
        // The formula is the larger of the two if it rises with a largest, or falls with a least.
        let is_larger = is_rising == is_largest;
        return if is_larger == is_lower_bound {
            Condition::Or(parts)
        } else {
            Condition::And(parts)
        };
    }
    plain
}

/// Whether a formula rises or falls with one of its parts, linearly; `None` if neither is known.
fn slope_sign(pool: &mut Pool, root: NodeId, part: NodeId) -> Option<bool> {
    let stand_in = pool.symbol(STAND_IN);
    let with = replace(pool, root, part, stand_in);
    let slope = pool.derive(with, STAND_IN);
    match pool.node(slope) {
        Node::Number(literal) if literal.value() > 0.0 => Some(true),
        Node::Number(literal) if literal.value() < 0.0 => Some(false),
        Node::Unary(UnaryFunction::Negate, inner) => match pool.node(inner) {
            Node::Number(literal) if literal.value() > 0.0 => Some(false),
            Node::Number(literal) if literal.value() < 0.0 => Some(true),
            _ => None,
        },
        _ => None,
    }
}

/// A formula in which one part is another.
fn replace(pool: &mut Pool, root: NodeId, part: NodeId, by: NodeId) -> NodeId {
    let mut new: BTreeMap<NodeId, NodeId> = BTreeMap::from([(part, by)]);
    for id in pool.reachable(&[root]) {
        if id == part {
            continue;
        }
        let rebuilt = pool.rebuild(id, |operand| new[&operand]);
        new.insert(id, rebuilt);
    }
    new[&root]
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_expr::Program;

    fn holds(pool: &Pool, condition: &Condition, at: &[f64]) -> bool {
        match condition {
            Condition::Constant(value) => *value,
            Condition::Atom(c) => {
                let v = Program::new(pool, &[c.node]).numbers(|id| at[id.0 as usize])[0];
                match c.relation {
                    Relation::Greater => v > 0.0,
                    Relation::GreaterEqual => v >= 0.0,
                    Relation::Less => v < 0.0,
                    Relation::LessEqual => v <= 0.0,
                    Relation::Equal => v == 0.0,
                    Relation::NotEqual => v != 0.0,
                }
            }
            Condition::And(parts) => parts.iter().all(|p| holds(pool, p, at)),
            Condition::Or(parts) => parts.iter().any(|p| holds(pool, p, at)),
        }
    }

    #[test]
    fn the_same_points_without_kinks() {
        let mut pool = Pool::new();
        let [x, y] = [0, 1].map(|i| pool.symbol(SymbolId(i)));
        let (ax, ay) = (
            pool.unary(UnaryFunction::Abs, x),
            pool.unary(UnaryFunction::Abs, y),
        );
        let sum = pool.add(ax, ay);
        let (one, two) = (pool.number(1.0), pool.number(2.0));
        let disc = pool.subtract(one, sum); // 1 − |x| − |y|
        let double = pool.multiply(two, ax);
        let least = pool.binary(BinaryFunction::Min, double, y);
        let mixed = pool.subtract(least, ay); // min(2|x|, y) − |y|
        let product = pool.multiply(ax, y); // not linear with a known sign
        for (node, is_free) in [(disc, true), (sum, true), (mixed, true), (product, false)] {
            for relation in [
                Relation::Greater,
                Relation::GreaterEqual,
                Relation::Less,
                Relation::LessEqual,
            ] {
                let before = Condition::Atom(Constraint { node, relation });
                let after = split(&mut pool, &before);
                let has_kinks = after.atoms().iter().any(|a| {
                    pool.reachable(&[a.node]).iter().any(|id| {
                        matches!(
                            pool.node(*id),
                            Node::Unary(UnaryFunction::Abs, _)
                                | Node::Binary(BinaryFunction::Min | BinaryFunction::Max, ..)
                        )
                    })
                });
                assert_eq!(has_kinks, !is_free, "{relation:?} {after:?}");
                for i in -8..=8 {
                    for j in -8..=8 {
                        let at = [f64::from(i) / 4.0, f64::from(j) / 4.0];
                        assert_eq!(
                            holds(&pool, &before, &at),
                            holds(&pool, &after, &at),
                            "{relation:?} {at:?}"
                        );
                    }
                }
            }
        }
    }
}
