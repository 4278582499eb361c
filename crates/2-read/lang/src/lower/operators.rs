//! Tuples, intervals and operators: what joins what.

use super::expression::{Lowered, Lowering};
use super::typed::{Bounded, Typed};
use crate::syntax::ast::{BinaryOp, NodeIndex, UnaryOp};
use dyverse_diag::{Origin, finding, number, report};
use dyverse_expr::{BinaryFunction, Relation};
use dyverse_model::Formula;
use dyverse_num::Tri;

impl Lowering<'_, '_> {
    pub(crate) fn tuple(&mut self, parts: &[NodeIndex], done: &Lowered<'_>, origin: Origin) -> Typed {
        let typed: Vec<&Typed> = parts.iter().map(|p| done.get(*p)).collect();
        if typed.iter().any(|t| t.is_broken()) {
            return Typed::Broken;
        }
        let bounded: Option<Vec<Bounded>> = typed
            .iter()
            .map(|t| match t {
                Typed::Number(n) => Some(Bounded::Value(*n)),
                Typed::Interval(lower, upper) => Some(Bounded::Range(*lower, *upper)),
                _ => None,
            })
            .collect();
        match bounded.as_deref() {
            Some([Bounded::Value(x), Bounded::Value(y), Bounded::Value(z)]) => Typed::Vector([*x, *y, *z]),
            Some([x, y, z]) => Typed::Box([*x, *y, *z]),
            Some(_) => {
                report!(self.context, L021 at origin, "a vector has 3 components, this has {}", parts.len();
                    label "not a vector";
                    help "write (x, y, z); motion in a plane has a zero");
                Typed::Broken
            }
            None => self.mismatch(
                "the components of a vector are numbers",
                origin,
                "write numbers, as in (0, 1, 0)",
            ),
        }
    }

    pub(crate) fn interval(
        &mut self,
        lower: NodeIndex,
        upper: NodeIndex,
        done: &Lowered<'_>,
        origin: Origin,
    ) -> Typed {
        let (Typed::Number(a), Typed::Number(b)) = (done.get(lower), done.get(upper)) else {
            if done.get(lower).is_broken() || done.get(upper).is_broken() {
                return Typed::Broken;
            }
            return self.mismatch(
                "the ends of an interval are numbers",
                origin,
                "write numbers, as in [0, 1]",
            );
        };
        let (low, high) = (self.context.value(*a), self.context.value(*b));
        if dyverse_num::Scalar::gt(&low, &high) == Tri::True {
            report!(self.context, L012 at origin, "this interval is empty";
                label "its lower end {} is above its upper end {}", number(low.lo()), number(high.hi());
                help "write the smaller end first");
            return Typed::Broken;
        }
        Typed::Interval(*a, *b)
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, operand: &Typed, origin: Origin) -> Typed {
        match (op, operand) {
            (_, Typed::Broken) => Typed::Broken,
            (UnaryOp::Minus, Typed::Number(a)) => Typed::Number(self.context.pool.negate(*a)),
            (UnaryOp::Minus, Typed::Vector(v)) => Typed::Vector(v.map(|a| self.context.pool.negate(a))),
            (UnaryOp::Not, Typed::Temporal(a)) => self.part(Formula::Not(*a)),
            (UnaryOp::Not, other) if self.as_truth(other).is_some() => match self.as_truth(other) {
                Some(truth) => Typed::Boolean(self.context.pool.not(truth)),
                None => Typed::Broken,
            },
            (UnaryOp::Minus, other) => self.mismatch(
                format!("`-` of {}", other.describe()),
                origin,
                "numbers and vectors have a sign",
            ),
            (UnaryOp::Not, other) => self.mismatch(
                format!("`not` of {}", other.describe()),
                origin,
                "compare it, as in `not x > 0`",
            ),
        }
    }

    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Typed,
        right: &Typed,
        origin: Origin,
        operands: (NodeIndex, NodeIndex),
    ) -> Typed {
        if left.is_broken() || right.is_broken() {
            return Typed::Broken;
        }
        let result = match op {
            BinaryOp::Add | BinaryOp::Subtract => self.sum(op, left, right),
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Power => self.product(op, left, right),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => self.connective(op, left, right),
            _ => self.comparison(op, left, right),
        };
        result.unwrap_or_else(|| {
            let (left_at, right_at) = (
                self.tree.nodes[operands.0].origin,
                self.tree.nodes[operands.1].origin,
            );
            let help = advice(op, left, right);
            let mut finding = finding!(L020 at origin,
                "`{}` does not join {} and {}", sign(op), left.describe(), right.describe();
                label "types do not fit";
                also left_at, left.describe();
                also right_at, right.describe());
            if let Some(help) = help {
                finding = finding.help(help);
            }
            self.context.report(finding);
            Typed::Broken
        })
    }

    pub(crate) fn sum(&mut self, op: BinaryOp, left: &Typed, right: &Typed) -> Option<Typed> {
        let function = if op == BinaryOp::Add {
            BinaryFunction::Add
        } else {
            BinaryFunction::Subtract
        };
        let pool = &mut self.context.pool;
        match (left, right) {
            (Typed::Number(a), Typed::Number(b)) => Some(Typed::Number(pool.binary(function, *a, *b))),
            (Typed::Vector(a), Typed::Vector(b)) => Some(Typed::Vector(
                [0, 1, 2].map(|i| pool.binary(function, a[i], b[i])),
            )),
            _ => None,
        }
    }

    pub(crate) fn product(&mut self, op: BinaryOp, left: &Typed, right: &Typed) -> Option<Typed> {
        let function = match op {
            BinaryOp::Multiply => BinaryFunction::Multiply,
            BinaryOp::Divide => BinaryFunction::Divide,
            _ => BinaryFunction::Power,
        };
        let pool = &mut self.context.pool;
        match (left, right) {
            (Typed::Number(a), Typed::Number(b)) => Some(Typed::Number(pool.binary(function, *a, *b))),
            (Typed::Number(a), Typed::Vector(v)) if op == BinaryOp::Multiply => {
                Some(Typed::Vector(v.map(|b| pool.multiply(*a, b))))
            }
            (Typed::Vector(v), Typed::Number(b)) if op != BinaryOp::Power => {
                Some(Typed::Vector(v.map(|a| pool.binary(function, a, *b))))
            }
            _ => None,
        }
    }

    pub(crate) fn comparison(&mut self, op: BinaryOp, left: &Typed, right: &Typed) -> Option<Typed> {
        let relation = match op {
            BinaryOp::Less => Relation::Less,
            BinaryOp::LessEqual => Relation::LessEqual,
            BinaryOp::Greater => Relation::Greater,
            BinaryOp::GreaterEqual => Relation::GreaterEqual,
            BinaryOp::Equal => Relation::Equal,
            _ => Relation::NotEqual,
        };
        match (left, right) {
            (Typed::Number(a), Typed::Number(b)) => {
                Some(Typed::Boolean(self.context.pool.compare(relation, *a, *b)))
            }
            _ => None,
        }
    }

    pub(crate) fn chain(
        &mut self,
        operands: &[NodeIndex],
        ops: &[BinaryOp],
        done: &Lowered<'_>,
        origin: Origin,
    ) -> Typed {
        let mut whole: Option<Typed> = None;
        for (pair, op) in operands.windows(2).zip(ops) {
            let (Some(a), Some(b)) = (pair.first(), pair.last()) else {
                continue;
            };
            let next = self.binary(*op, done.get(*a), done.get(*b), origin, (*a, *b));
            whole = Some(match whole {
                None => next,
                Some(left) => self.binary(BinaryOp::And, &left, &next, origin, (*a, *b)),
            });
        }
        whole.unwrap_or(Typed::Broken)
    }

    pub(crate) fn connective(&mut self, op: BinaryOp, left: &Typed, right: &Typed) -> Option<Typed> {
        if let (Some(a), Some(b)) = (self.as_truth(left), self.as_truth(right)) {
            let pool = &mut self.context.pool;
            return Some(Typed::Boolean(match op {
                BinaryOp::And => pool.and(a, b),
                BinaryOp::Or => pool.or(a, b),
                _ => {
                    let not = pool.not(a);
                    pool.or(not, b)
                }
            }));
        }
        let (a, b) = (self.as_formula(left)?, self.as_formula(right)?);
        Some(match op {
            BinaryOp::And => self.part(Formula::And(a, b)),
            BinaryOp::Or => self.part(Formula::Or(a, b)),
            _ => {
                let Typed::Temporal(not) = self.part(Formula::Not(a)) else {
                    return None;
                };
                self.part(Formula::Or(not, b))
            }
        })
    }

    pub(crate) fn conditional(
        &mut self,
        condition: &Typed,
        then: &Typed,
        otherwise: &Typed,
        origin: Origin,
    ) -> Typed {
        if condition.is_broken() || then.is_broken() || otherwise.is_broken() {
            return Typed::Broken;
        }
        let Some(c) = self.as_truth(condition) else {
            return self.mismatch(
                format!("the condition of `if` is {}", condition.describe()),
                origin,
                "compare it, as in `if x > 0 then …`",
            );
        };
        let pool = &mut self.context.pool;
        match (then, otherwise) {
            (Typed::Number(a), Typed::Number(b)) => Typed::Number(pool.select(c, *a, *b)),
            (Typed::Boolean(a), Typed::Boolean(b)) => {
                let (not, first) = (pool.not(c), pool.and(c, *a));
                let second = pool.and(not, *b);
                Typed::Boolean(pool.or(first, second))
            }
            (Typed::Vector(a), Typed::Vector(b)) => {
                Typed::Vector([0, 1, 2].map(|i| pool.select(c, a[i], b[i])))
            }
            (a, b) => {
                let message = format!("the branches of `if` are {} and {}", a.describe(), b.describe());
                self.mismatch(
                    message,
                    origin,
                    "both must be numbers, both vectors, or both truth values",
                )
            }
        }
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Power => "^",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Implies => "implies",
    }
}

/// A way out of the commonest mistakes of type.
fn advice(op: BinaryOp, left: &Typed, right: &Typed) -> Option<&'static str> {
    match (op, left, right) {
        (BinaryOp::Multiply, Typed::Vector(_), Typed::Vector(_)) => {
            Some("write `dot(a, b)` or `cross(a, b)`")
        }
        (BinaryOp::Add | BinaryOp::Subtract, Typed::Number(_), Typed::Vector(_))
        | (BinaryOp::Add | BinaryOp::Subtract, Typed::Vector(_), Typed::Number(_)) => {
            Some("a number and a vector cannot be added: name a component, as in `v.x`")
        }
        (_, Typed::Entity(_), _) | (_, _, Typed::Entity(_)) => {
            Some("name what of the entity is meant, as in `ball.x`")
        }
        (_, Typed::Vector(_), Typed::Vector(_)) => Some("compare components, or lengths with `norm(v)`"),
        _ => None,
    }
}
