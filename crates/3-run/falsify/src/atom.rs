//! Atoms: comparisons, as functions of time whose sign says whether they hold [Fainekos, Pappas 2009; Donzé, Maler 2010].
//!
//! | comparison | value |
//! |---|---|
//! | a < b, a ≤ b | b − a |
//! | a > b, a ≥ b | a − b |
//! | a = b | −\|a − b\| |
//! | a ≠ b | \|a − b\| |
//! | touching(a, b) | 1 while they touch, else how far the gap is beyond the tolerance, below zero |
//!
//! So what is strict and what is not have the same value, and where it is 0 it says nothing. Except:
//! - **Equal by construction.** Where a and b are the same number because both are exact (a gear that is 2, sign(0), a truth value) the comparison is true or false beyond doubt,
//!   however little is between them: its value is ±1.
//! - **Passing.** Where a − b goes through zero a = b is true, if only then: its value there is how far a − b goes to either side.
//!
//! Atoms have kinks and jumps where an `abs`, `min`, `max`, `sign`, `floor` or `if` inside them switches. Those places become instants (grid.rs), so that atoms are smooth between
//! instants; where the switch itself is, they have the value that they have exactly there.

use crate::course::{Course, of_run};
use crate::grid::{Switches, Zero};
use crate::monotone::{largest, noise};
use dyverse_expr::{Node, NodeId, Pool, Program, Relation, SymbolId};
use std::collections::BTreeMap;

/// What an atom compares.
enum Kind {
    Compare(Relation),
    Truth(SymbolId),
}

/// A comparison.
pub(crate) struct Atom {
    kind: Kind,
    id: NodeId,
    operands: [NodeId; 2],
    tape: Program,
    work: Vec<f64>,
    /// The same where switches are exactly zero, by their numbers.
    at_zero: BTreeMap<Vec<usize>, Program>,
}

impl Atom {
    /// The comparison `id` of a and b.
    pub(crate) fn new(
        pool: &Pool,
        course: &mut dyn Course,
        id: NodeId,
        (relation, a, b): (Relation, NodeId, NodeId),
    ) -> Self {
        let kind = match (relation, pool.node(a)) {
            (Relation::Equal, Node::Symbol(id)) if course.truth(id).is_some() => Kind::Truth(id),
            _ => Kind::Compare(relation),
        };
        Atom {
            kind,
            id,
            operands: [a, b],
            tape: Program::new(pool, &[a, b]),
            work: Vec::new(),
            at_zero: BTreeMap::new(),
        }
    }

    /// Its value where the course is; NaN if it has none.
    pub(crate) fn value(&mut self, course: &mut dyn Course) -> f64 {
        match self.kind {
            Kind::Truth(id) => match course.truth(id) {
                Some(margin) if margin >= 0.0 => 1.0,
                margin => margin.unwrap_or(f64::NAN),
            },
            Kind::Compare(relation) => compared(relation, &self.tape, course, &mut self.work),
        }
    }

    /// Its value where the course is and switches are exactly zero.
    pub(crate) fn value_at_zero(
        &mut self,
        course: &mut dyn Course,
        switches: &Switches<'_>,
        zeros: &[Zero],
    ) -> f64 {
        let Kind::Compare(relation) = self.kind else {
            return self.value(course);
        };
        if let Some(own) = zeros.iter().find(|zero| switches.has(zero.switch, self.id)) {
            match relation {
                Relation::Equal => return own.depth,
                Relation::NotEqual => return -own.depth,
                _ => {}
            }
        }
        let numbers: Vec<usize> = zeros.iter().map(|zero| zero.switch).collect();
        let operands = self.operands;
        let tape = self
            .at_zero
            .entry(numbers)
            .or_insert_with_key(|numbers| switches.at_zero(numbers, &operands));
        compared(relation, tape, course, &mut self.work)
    }

    /// What it compares.
    pub(crate) fn operands(&self) -> &[NodeId] {
        &self.operands
    }

    /// What rounding of its parts may account for, where it was evaluated last.
    pub(crate) fn noise(&self) -> f64 {
        noise(largest(&self.work))
    }

    /// How large what it compares is where the course is.
    pub(crate) fn size(&mut self, course: &mut dyn Course) -> f64 {
        let (a, b) = operands(&self.tape, course, &mut self.work);
        a.abs().max(b.abs())
    }
}

fn operands(tape: &Program, course: &mut dyn Course, work: &mut Vec<f64>) -> (f64, f64) {
    tape.run(|id| course.symbol(id), work);
    (tape.result(work, 0), tape.result(work, 1))
}

fn compared(relation: Relation, tape: &Program, course: &mut dyn Course, work: &mut Vec<f64>) -> f64 {
    let (a, b) = operands(tape, course, work);
    if a == b && is_exact(tape, course) {
        let is_true = matches!(
            relation,
            Relation::LessEqual | Relation::GreaterEqual | Relation::Equal
        );
        return if is_true { 1.0 } else { -1.0 };
    }
    match relation {
        Relation::Less | Relation::LessEqual => b - a,
        Relation::Greater | Relation::GreaterEqual => a - b,
        Relation::Equal => -(a - b).abs(),
        Relation::NotEqual => (a - b).abs(),
    }
}

/// Whether two numbers that came out equal are so without any rounding, on the way to them too.
fn is_exact(tape: &Program, course: &mut dyn Course) -> bool {
    let values = tape.numbers(|id| of_run(id, course));
    matches!(values.as_slice(), [a, b] if a.is_point() && a == b)
}
