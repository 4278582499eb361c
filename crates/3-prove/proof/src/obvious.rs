//! What is true or false of every number, whatever the motion: squares are not below zero, a number is not below zero or not above it.
//!
//! Enclosures reach a rounding beyond what they enclose, so that such things are not shown by them where they are on their border.

use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, UnaryFunction};
use dyverse_formulas::{Condition, Constraint, Relation};

/// Operations within each other that are looked at, at the most.
const MOST_DEEP: usize = 24;

/// The condition without what is obvious.
pub(crate) fn without_obvious(pool: &Pool, condition: &Condition) -> Condition {
    match condition {
        Condition::Constant(_) => condition.clone(),
        Condition::Atom(atom) => of_atom(pool, atom),
        Condition::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|p| without_obvious(pool, p)).collect();
            if parts.contains(&Condition::Constant(false)) {
                Condition::Constant(false)
            } else {
                Condition::And(parts)
            }
        }
        Condition::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|p| without_obvious(pool, p)).collect();
            let atoms: Vec<&Constraint> = parts.iter().filter_map(as_atom).collect();
            let cover = |a: &&Constraint| atoms.iter().any(|b| covers(pool, a, b));
            if parts.contains(&Condition::Constant(true)) || atoms.iter().any(cover) {
                Condition::Constant(true)
            } else {
                Condition::Or(parts)
            }
        }
    }
}

fn as_atom(condition: &Condition) -> Option<&Constraint> {
    match condition {
        Condition::Atom(atom) => Some(atom),
        _ => None,
    }
}

/// Whether every number is one or the other.
fn covers(pool: &Pool, a: &Constraint, b: &Constraint) -> bool {
    use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let Some(other) = b.about(pool, a.node) else {
        return false;
    };
    matches!(
        (a.relation, other),
        (GreaterEqual, LessEqual | Less | NotEqual)
            | (LessEqual, GreaterEqual | Greater | NotEqual)
            | (Greater, LessEqual)
            | (Less, GreaterEqual)
            | (NotEqual, Equal | GreaterEqual | LessEqual)
            | (Equal, NotEqual)
    )
}

fn of_atom(pool: &Pool, atom: &Constraint) -> Condition {
    let truth = match atom.relation {
        Relation::GreaterEqual => is_never_negative(pool, atom.node, 0).then_some(true),
        Relation::Less => is_never_negative(pool, atom.node, 0).then_some(false),
        _ => None,
    };
    truth.map_or_else(|| Condition::Atom(*atom), Condition::Constant)
}

/// Whether a formula is not below zero wherever it has a value.
fn is_never_negative(pool: &Pool, node: NodeId, depth: usize) -> bool {
    if depth > MOST_DEEP {
        return false;
    }
    let of = |id: NodeId| is_never_negative(pool, id, depth + 1);
    match pool.node(node) {
        Node::Number(literal) => literal.value() > 0.0 || literal.is_exact() && literal.value() == 0.0,
        Node::Pi => true,
        Node::Integer(a, n) => n % 2 == 0 || of(a),
        Node::Unary(
            UnaryFunction::Abs | UnaryFunction::Sqrt | UnaryFunction::Exp | UnaryFunction::Cosh,
            _,
        ) => true,
        Node::Binary(BinaryFunction::Multiply, a, b) if a == b => true,
        Node::Binary(
            BinaryFunction::Add | BinaryFunction::Multiply | BinaryFunction::Divide | BinaryFunction::Min,
            a,
            b,
        ) => of(a) && of(b),
        Node::Binary(BinaryFunction::Max, a, b) => of(a) || of(b),
        Node::Select(_, a, b) => of(a) && of(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_expr::SymbolId;

    #[test]
    fn what_is_obvious_and_what_is_not() {
        let mut pool = Pool::new();
        let x = pool.symbol(SymbolId(0));
        let y = pool.symbol(SymbolId(1));
        let minus = pool.negate(x);
        let (square, cube) = (pool.integer_power(x, 2), pool.integer_power(x, 3));
        let two = pool.number(2.0);
        let sum = pool.add(square, two);
        let atom = |node: NodeId, relation: Relation| Condition::Atom(Constraint { node, relation });
        let is = |condition: Condition| without_obvious(&pool, &condition);
        use Relation::{Greater, GreaterEqual, Less, LessEqual};
        for node in [square, sum] {
            assert_eq!(is(atom(node, GreaterEqual)), Condition::Constant(true));
            assert_eq!(is(atom(node, Less)), Condition::Constant(false));
        }
        for kept in [
            atom(square, Greater),
            atom(cube, GreaterEqual),
            atom(x, GreaterEqual),
            Condition::Or(vec![atom(x, Greater), atom(x, Less)]),
            Condition::Or(vec![atom(x, GreaterEqual), atom(y, LessEqual)]),
            Condition::And(vec![atom(x, GreaterEqual), atom(x, LessEqual)]),
        ] {
            assert_eq!(is(kept.clone()), kept);
        }
        for always in [
            Condition::Or(vec![atom(x, GreaterEqual), atom(x, LessEqual)]),
            Condition::Or(vec![atom(x, GreaterEqual), atom(minus, GreaterEqual)]),
            Condition::Or(vec![atom(y, Greater), atom(x, Less), atom(x, GreaterEqual)]),
        ] {
            assert_eq!(is(always), Condition::Constant(true));
        }
    }
}
