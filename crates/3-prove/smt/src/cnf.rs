//! Any formula as clauses.
//!
//! # Method
//! A conjunction joins the clauses of its operands. A disjunction distributes over them as long as few clauses
//! come out; beyond that, an operand of several clauses k₁ ∧ k₂ ∧ … gets a name d, with the clauses ¬d ∨ kᵢ, and
//! d takes its place [Tseitin 1968]. One direction is enough, because no part occurs negated
//! [Plaisted, Greenbaum 1986]. What is clausal already is stored as it is.
//!
//! # Guarantee
//! The clauses are satisfied by the same points as the formula, names aside.

use crate::AtomId;
use crate::Formula;
use crate::formula::Step;

/// What a clause has in it: a constraint, or the name of a part of a formula, or that it is not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Literal {
    Constraint(AtomId),
    Name(u32),
    NotName(u32),
}

/// A disjunction of literals, in ascending order, each once; of none: it cannot be satisfied.
pub(crate) type Clause = Vec<Literal>;

/// Turns formulas into clauses; names are numbered on from formula to formula.
#[derive(Clone, Debug)]
pub(crate) struct ClauseBuilder {
    /// Clauses that a distribution may give at the most.
    most_distributed: usize,
    next_name: u32,
}

impl ClauseBuilder {
    pub(crate) fn new(most_distributed: usize) -> Self {
        ClauseBuilder {
            most_distributed,
            next_name: 0,
        }
    }

    /// The clauses of a formula, those of names included.
    pub(crate) fn clauses(&mut self, formula: &Formula) -> Vec<Clause> {
        let mut definitions = Vec::new();
        let mut stack: Vec<Vec<Clause>> = Vec::new();
        for step in formula.steps() {
            let clauses = match step {
                Step::Atom(atom) => vec![vec![Literal::Constraint(*atom)]],
                Step::All(count) => stack.drain(stack.len() - count..).flatten().collect(),
                Step::Any(count) => {
                    let operands = stack.drain(stack.len() - count..).collect();
                    self.disjunction(operands, &mut definitions)
                }
            };
            stack.push(clauses);
        }
        let mut clauses: Vec<Clause> = stack.into_iter().flatten().collect();
        clauses.append(&mut definitions);
        clauses
    }

    fn disjunction(&mut self, operands: Vec<Vec<Clause>>, definitions: &mut Vec<Clause>) -> Vec<Clause> {
        let product = operands
            .iter()
            .try_fold(1_usize, |product, operand| product.checked_mul(operand.len()));
        let is_small = product.is_some_and(|product| product <= self.most_distributed);
        let mut distributed: Vec<Clause> = vec![Vec::new()];
        for operand in operands {
            let operand = if is_small || operand.len() == 1 {
                operand
            } else {
                vec![self.name(&operand, definitions)]
            };
            distributed = distributed
                .iter()
                .flat_map(|left| operand.iter().map(|right| [left.as_slice(), right].concat()))
                .collect();
        }
        distributed.into_iter().map(ordered).collect()
    }

    /// A new name for these clauses, as a clause.
    fn name(&mut self, clauses: &[Clause], definitions: &mut Vec<Clause>) -> Clause {
        let name = self.next_name;
        self.next_name += 1;
        let with_name = |clause: &Clause| ordered([clause.as_slice(), &[Literal::NotName(name)]].concat());
        definitions.extend(clauses.iter().map(with_name));
        vec![Literal::Name(name)]
    }
}

fn ordered(mut clause: Clause) -> Clause {
    clause.sort();
    clause.dedup();
    clause
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(formula: &Formula, most: usize) -> Vec<String> {
        let shown = |literal: &Literal| match literal {
            Literal::Constraint(atom) => format!("c{}", atom.0),
            Literal::Name(name) => format!("d{name}"),
            Literal::NotName(name) => format!("¬d{name}"),
        };
        let clauses = ClauseBuilder::new(most).clauses(formula);
        let all = clauses
            .iter()
            .map(|c| c.iter().map(shown).collect::<Vec<_>>().join(" ∨ "));
        all.collect()
    }
    fn c(number: u32) -> Formula {
        AtomId(number).into()
    }

    #[test]
    fn what_is_clausal_stays_as_written() {
        // The example of [002 §6].
        let formula = Formula::all([c(1), Formula::any([c(2), c(3)]), Formula::any([c(1), c(3)])]);
        assert_eq!(shown(&formula, 1), ["c1", "c2 ∨ c3", "c1 ∨ c3"]);
    }

    #[test]
    fn small_ones_are_distributed_and_others_named() {
        let formula = Formula::any([c(1), Formula::all([c(2), c(3)])]);
        assert_eq!(shown(&formula, 2), ["c1 ∨ c2", "c1 ∨ c3"]);
        assert_eq!(shown(&formula, 1), ["c1 ∨ d0", "c2 ∨ ¬d0", "c3 ∨ ¬d0"]);
    }

    #[test]
    fn truth_and_falsehood() {
        assert!(shown(&Formula::truth(), 8).is_empty());
        assert_eq!(shown(&Formula::falsehood(), 8), [""]);
        assert!(shown(&Formula::any([c(1), Formula::truth()]), 8).is_empty());
        assert_eq!(shown(&Formula::any([c(1), Formula::falsehood()]), 8), ["c1"]);
    }

    #[test]
    fn depth_is_no_danger() {
        let mut formula = c(1);
        for level in 0..300 {
            formula = if level % 2 == 0 {
                Formula::any([formula, c(2)])
            } else {
                Formula::all([formula, c(3)])
            };
        }
        assert!(!shown(&formula, 4).is_empty());
    }
}
