//! Constraints as one program and what its roots are to be, sorts checked.

use dyverse_expr::{Node, NodeId, Pool, Program, Reg, Relation, Sort, SymbolId};
use dyverse_num::{Interval, Tri};

use super::forward::{forward, holds};
use super::{Constraint, InvalidConstraint, backward};

/// What a root is to be: how it compares with zero.
pub(super) type Goal = (Reg, Relation);

/// All constraints, ready to be evaluated in both directions.
#[derive(Clone, Debug)]
pub(super) struct Constraints {
    pub(super) program: Program,
    pub(super) goals: Vec<Goal>,
}

/// What an operand of a node must be.
fn sort_of_operand(node: Node, place: usize) -> Sort {
    match node {
        Node::Not(_) | Node::And(..) | Node::Or(..) => Sort::Boolean,
        Node::Select(..) if place == 0 => Sort::Boolean,
        _ => Sort::Number,
    }
}

impl Constraints {
    pub(super) fn new(pool: &Pool, constraints: &[Constraint]) -> Result<Self, InvalidConstraint> {
        let roots: Vec<NodeId> = constraints.iter().map(|constraint| constraint.node).collect();
        if let Some(id) = roots.iter().find(|id| id.index() >= pool.len()) {
            return Err(InvalidConstraint::NotInPool(*id));
        }
        let expect = |id: NodeId, sort: Sort| match (pool.sort(id) == sort, sort) {
            (true, _) => Ok(()),
            (false, Sort::Number) => Err(InvalidConstraint::NotANumber(id)),
            (false, Sort::Boolean) => Err(InvalidConstraint::NotATruthValue(id)),
        };
        let program = Program::new(pool, &roots);
        for node in program.nodes().iter().map(|id| pool.node(*id)) {
            for (place, operand) in node.operands().enumerate() {
                expect(operand, sort_of_operand(node, place))?;
            }
        }
        let goal = |(constraint, root): (&Constraint, &Reg)| {
            let is_number = expect(constraint.node, Sort::Number);
            is_number.map(|()| (*root, constraint.relation))
        };
        let goals = constraints.iter().zip(program.roots()).map(goal);
        Ok(Constraints {
            goals: goals.collect::<Result<_, InvalidConstraint>>()?,
            program,
        })
    }

    /// The variables, in ascending order.
    pub(super) fn symbols(&self) -> &[SymbolId] {
        self.program.inputs()
    }

    /// One pass forwards and one backwards; `false` if nothing is left.
    pub(super) fn revise(&self, sides: &mut [Interval]) -> bool {
        if sides.iter().any(Interval::is_empty) {
            return false;
        }
        let ranges = forward(&self.program, sides);
        backward::revise(&self.program, &self.goals, ranges, sides)
    }

    pub(super) fn check(&self, sides: &[Interval]) -> Vec<Tri> {
        let ranges = forward(&self.program, sides);
        self.goals.iter().map(|goal| holds(*goal, &ranges)).collect()
    }
}
