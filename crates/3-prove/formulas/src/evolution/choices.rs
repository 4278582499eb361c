//! Choices of formulas: what they hang on, how they can go, and where one way ends.
//!
//! | choice | argument | ways, with the values of the argument (closed) | on the border |
//! |---|---|---|---|
//! | sign a, a < b, a = b, … | a, a − b | plus: ≥ 0, minus: ≤ 0, zero: = 0 | zero: a way of its own, with a value of its own |
//! | \|a\|, min(a, b), max(a, b) | a, a − b | the same | the same value from both sides |
//! | floor a | a | level n: from n to n + 1 | level n + 1 at n + 1, level n at n |

use std::collections::BTreeMap;

use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, UnaryFunction};

use crate::actors::fold;
use crate::{Condition, Constraint, Relation};

/// Terms of a sum that are looked at, at the most.
const MOST_TERMS: usize = 64;

/// Which way a choice goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// The argument is above zero, or just leaves it upwards.
    Plus,
    /// Below zero, or just leaves it downwards.
    Minus,
    /// Exactly zero, for as long as one stays.
    Zero,
    /// Its floor is this number.
    Level(i64),
}

/// An end of the range of an argument in which a choice goes one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Border {
    /// The value of the argument there.
    pub(super) level: i64,
    /// What argument − level is inside, the border with it.
    pub(super) inside: Relation,
    /// The way it goes exactly there.
    pub(super) on: Sign,
    /// The way it goes beyond.
    pub(super) beyond: Sign,
}

impl std::fmt::Display for Sign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sign::Plus => f.write_str("+"),
            Sign::Minus => f.write_str("-"),
            Sign::Zero => f.write_str("0"),
            Sign::Level(n) => write!(f, "({n})"),
        }
    }
}

impl Sign {
    /// The ends of the range of the argument.
    pub(super) fn borders(self) -> Vec<Border> {
        let border = |level: i64, inside: Relation, on: Sign, beyond: Sign| Border {
            level,
            inside,
            on,
            beyond,
        };
        match self {
            Sign::Plus => vec![border(0, Relation::GreaterEqual, Sign::Zero, Sign::Minus)],
            Sign::Minus => vec![border(0, Relation::LessEqual, Sign::Zero, Sign::Plus)],
            Sign::Zero => vec![border(0, Relation::Equal, Sign::Zero, Sign::Zero)],
            Sign::Level(n) => {
                let above = n.saturating_add(1);
                vec![
                    border(n, Relation::GreaterEqual, self, Sign::Level(n.saturating_sub(1))),
                    border(above, Relation::LessEqual, Sign::Level(above), Sign::Level(above)),
                ]
            }
        }
    }
}

impl Border {
    /// Beyond the border.
    pub(super) fn outside(&self) -> Relation {
        self.inside.negated()
    }
    /// On the border or beyond it.
    pub(super) fn not_inside(&self) -> Relation {
        match self.inside {
            Relation::GreaterEqual => Relation::LessEqual,
            Relation::LessEqual => Relation::GreaterEqual,
            other => other.negated(),
        }
    }
    /// Argument − level.
    pub(super) fn node(&self, pool: &mut Pool, argument: NodeId) -> NodeId {
        // Whole numbers beyond 2⁵³ are not met: levels are found near the states.
        let level = pool.number(self.level as f64);
        pool.subtract(argument, level)
    }
    /// A constraint on argument − level.
    pub(super) fn is(&self, pool: &mut Pool, argument: NodeId, relation: Relation) -> Condition {
        let node = self.node(pool, argument);
        Condition::Atom(Constraint { node, relation })
    }
}

/// What a choice hangs on: a formula, or the difference of two.
pub(super) enum Argument {
    Of(NodeId),
    Difference(NodeId, NodeId),
}

/// What a choice hangs on; `None` for nodes that choose nothing.
pub(super) fn argument_of(node: Node) -> Option<Argument> {
    match node {
        Node::Unary(UnaryFunction::Abs | UnaryFunction::Sign | UnaryFunction::Floor, a) => {
            Some(Argument::Of(a))
        }
        Node::Binary(BinaryFunction::Min | BinaryFunction::Max, a, b) | Node::Compare(_, a, b) => {
            Some(Argument::Difference(a, b))
        }
        _ => None,
    }
}

/// Whether its ways are whole numbers.
pub(super) fn is_floor(node: Node) -> bool {
    matches!(node, Node::Unary(UnaryFunction::Floor, _))
}

/// Whether a choice has the same value from both sides of a border.
pub(super) fn is_continuous(node: Node) -> bool {
    matches!(
        node,
        Node::Unary(UnaryFunction::Abs, _) | Node::Binary(BinaryFunction::Min | BinaryFunction::Max, ..)
    )
}

/// Whether two ways of a choice give the same, whatever its operands are.
pub(super) fn is_same(node: Node, one: Sign, other: Sign) -> bool {
    match node {
        _ if one == other => true,
        Node::Compare(comparison, ..) => is_true(comparison, one) == is_true(comparison, other),
        _ => false,
    }
}

fn is_true(comparison: Relation, sign: Sign) -> bool {
    match comparison {
        Relation::Less => sign == Sign::Minus,
        Relation::LessEqual => sign != Sign::Plus,
        Relation::Greater => sign == Sign::Plus,
        Relation::GreaterEqual => sign != Sign::Minus,
        Relation::Equal => sign == Sign::Zero,
        Relation::NotEqual => sign != Sign::Zero,
    }
}

/// What a choice gives when it goes this way; the operands are those already rewritten.
fn choose(pool: &mut Pool, node: Node, sign: Sign, of: &impl Fn(NodeId) -> NodeId) -> NodeId {
    match node {
        Node::Unary(UnaryFunction::Abs, a) => match sign {
            Sign::Minus => pool.negate(of(a)),
            _ => of(a),
        },
        Node::Unary(..) => pool.number(match sign {
            Sign::Plus => 1.0,
            Sign::Minus => -1.0,
            Sign::Zero => 0.0,
            Sign::Level(n) => n as f64,
        }),
        Node::Binary(BinaryFunction::Min, a, b) => of(if sign == Sign::Plus { b } else { a }),
        Node::Binary(_, a, b) => of(if sign == Sign::Plus { a } else { b }),
        Node::Compare(comparison, ..) => pool.boolean(is_true(comparison, sign)),
        _ => unreachable!("bug: {node:?} chooses nothing"),
    }
}

/// Whether the terms of a sum cancel, so that it is zero whatever they are.
pub(super) fn cancels(pool: &Pool, sum: NodeId) -> bool {
    let mut counts: BTreeMap<NodeId, i64> = BTreeMap::new();
    let mut open = vec![(sum, 1_i64)];
    while let Some((id, times)) = open.pop() {
        match pool.node(id) {
            Node::Binary(BinaryFunction::Add, a, b) => open.extend([(a, times), (b, times)]),
            Node::Binary(BinaryFunction::Subtract, a, b) => open.extend([(a, times), (b, -times)]),
            Node::Unary(UnaryFunction::Negate, a) => open.push((a, -times)),
            Node::Number(literal) if literal.value() == 0.0 => {}
            _ => *counts.entry(id).or_default() += times,
        }
        if open.len() > MOST_TERMS || counts.len() > MOST_TERMS {
            return false;
        }
    }
    counts.values().all(|count| *count == 0)
}

/// Formulas in which the first choices are made; `None` leaves one as it is.
pub(super) fn rewrite(
    pool: &mut Pool,
    roots: &[NodeId],
    choices: &[NodeId],
    signs: &[Option<Sign>],
) -> Vec<NodeId> {
    if signs.iter().all(Option::is_none) {
        return roots.to_vec();
    }
    let mut new: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for id in pool.reachable(roots) {
        let of = |operand: NodeId| new[&operand];
        let node = pool.node(id);
        let made = choices
            .iter()
            .position(|c| *c == id)
            .and_then(|place| signs.get(place).copied().flatten());
        let rebuilt = match made {
            Some(sign) => choose(pool, node, sign, &of),
            None => fold::rebuild(pool, node, of),
        };
        new.insert(id, rebuilt);
    }
    roots.iter().map(|root| new[root]).collect()
}
