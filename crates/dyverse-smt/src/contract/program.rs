//! Constraints as steps: the nodes they need, operands by their place, sorts checked.

use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, Relation, Sort, SymbolId, UnaryFunction};
use dyverse_num::{Interval, Tri};

use super::forward::{forward, holds};
use super::{Constraint, InvalidConstraint, backward};

/// One node; operands are places of earlier steps.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A number known to lie here.
    Constant(Interval),
    /// The variable of this place.
    Variable(usize),
    Truth(bool),
    Unary(UnaryFunction, usize),
    Binary(BinaryFunction, usize, usize),
    Integer(usize, i32),
    Compare(Relation, usize, usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Select(usize, usize, usize),
}

/// What a root is to be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    Number(usize, Relation),
    Truth(usize, bool),
}

/// All constraints, ready to be evaluated in both directions.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) symbols: Vec<SymbolId>,
    pub(super) steps: Vec<Step>,
    pub(super) goals: Vec<Goal>,
}

impl Program {
    pub(super) fn new(pool: &Pool, constraints: &[Constraint]) -> Result<Self, InvalidConstraint> {
        let roots: Vec<NodeId> = constraints.iter().map(|constraint| constraint.node()).collect();
        if let Some(id) = roots.iter().find(|id| id.index() >= pool.len()) {
            return Err(InvalidConstraint::NotInPool(*id));
        }
        let needed = pool.reachable(&roots);
        let symbols = pool.symbols(&roots);
        let place = |id: NodeId| match needed.binary_search(&id) {
            Ok(place) => place,
            Err(_) => unreachable!("bug: an operand that no root reaches"),
        };
        let variable = |symbol: SymbolId| match symbols.binary_search(&symbol) {
            Ok(place) => Step::Variable(place),
            Err(_) => unreachable!("bug: a symbol that no root reads"),
        };
        let expect = |id: NodeId, sort: Sort| match (pool.sort(id) == sort, sort) {
            (true, _) => Ok(place(id)),
            (false, Sort::Number) => Err(InvalidConstraint::NotANumber(id)),
            (false, Sort::Boolean) => Err(InvalidConstraint::NotATruthValue(id)),
        };
        let number = |id| expect(id, Sort::Number);
        let truth = |id| expect(id, Sort::Boolean);
        let mut steps = Vec::with_capacity(needed.len());
        for id in &needed {
            steps.push(match pool.node(*id) {
                Node::Number(literal) => {
                    Step::Constant(Interval::from_literal(literal.value(), literal.is_exact()))
                }
                Node::Pi => Step::Constant(Interval::PI),
                Node::Boolean(value) => Step::Truth(value),
                Node::Symbol(symbol) => variable(symbol),
                Node::Unary(function, a) => Step::Unary(function, number(a)?),
                Node::Binary(function, a, b) => Step::Binary(function, number(a)?, number(b)?),
                Node::Integer(a, n) => Step::Integer(number(a)?, n),
                Node::Compare(relation, a, b) => Step::Compare(relation, number(a)?, number(b)?),
                Node::Not(a) => Step::Not(truth(a)?),
                Node::And(a, b) => Step::And(truth(a)?, truth(b)?),
                Node::Or(a, b) => Step::Or(truth(a)?, truth(b)?),
                Node::Select(c, a, b) => Step::Select(truth(c)?, number(a)?, number(b)?),
            });
        }
        let goals = constraints
            .iter()
            .map(|constraint| match *constraint {
                Constraint::Number { expression, relation } => {
                    Ok(Goal::Number(number(expression)?, relation))
                }
                Constraint::Truth { condition, value } => Ok(Goal::Truth(truth(condition)?, value)),
            })
            .collect::<Result<_, InvalidConstraint>>()?;
        Ok(Program {
            symbols,
            steps,
            goals,
        })
    }

    /// One pass forwards and one backwards; `false` if nothing is left.
    pub(super) fn revise(&self, sides: &mut [Interval]) -> bool {
        if sides.iter().any(Interval::is_empty) {
            return false;
        }
        let ranges = forward(&self.steps, sides);
        backward::revise(&self.steps, &self.goals, ranges, sides)
    }

    pub(super) fn check(&self, sides: &[Interval]) -> Vec<Tri> {
        let ranges = forward(&self.steps, sides);
        self.goals.iter().map(|goal| holds(*goal, &ranges)).collect()
    }
}
