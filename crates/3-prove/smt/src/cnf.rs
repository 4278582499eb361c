//! Any formula as clauses.
//!
//! # Method
//! A conjunction joins the clauses of its operands. A disjunction distributes over them as long as few clauses
//! come out; beyond that, an operand of several clauses k₁ ∧ k₂ ∧ … gets a name d, with the clauses ¬d ∨ kᵢ, and
//! d takes its place [Tseitin 1968]. One direction is enough, because in negation normal form no part
//! occurs negated [Plaisted, Greenbaum 1986]. What is clausal already is stored as it is.
//!
//! # Guarantee
//! The clauses are satisfied by the same points and values as the formula, names aside. `a ∨ ¬a` is left out if a
//! is Boolean; if a is a constraint it is kept, because it says that a is defined.

use std::fmt;

use crate::formula::Step;
use crate::{Atom, Formula, Literal};

/// A disjunction of literals, in ascending order, each once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clause {
    literals: Vec<Literal>,
}

impl Clause {
    /// `None` if a Boolean variable occurs with its negation: always true.
    pub(crate) fn new(mut literals: Vec<Literal>) -> Option<Self> {
        literals.sort();
        literals.dedup();
        // Opposite literals are neighbours: they are ordered by atom first.
        let is_tautology = literals
            .windows(2)
            .any(|pair| pair[0].atom == pair[1].atom && !pair[0].atom.is_constraint());
        (!is_tautology).then_some(Clause { literals })
    }
    /// Its literals; none: it cannot be satisfied.
    pub fn literals(&self) -> &[Literal] {
        &self.literals
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.literals.is_empty() {
            return write!(f, "⊥");
        }
        for (place, literal) in self.literals.iter().enumerate() {
            let or = if place == 0 { "" } else { " ∨ " };
            write!(f, "{or}{literal}")?;
        }
        Ok(())
    }
}

/// Turns formulas into clauses; names are numbered on from formula to formula.
#[derive(Clone, Debug)]
pub(crate) struct ClauseBuilder {
    /// Clauses that a distribution may give at the most.
    most_distributed: usize,
    next_definition: u32,
}

impl ClauseBuilder {
    pub(crate) fn new(most_distributed: usize) -> Self {
        ClauseBuilder {
            most_distributed,
            next_definition: 0,
        }
    }

    /// The clauses of a formula, those of names included.
    pub(crate) fn clauses(&mut self, formula: &Formula) -> Vec<Clause> {
        let mut definitions = Vec::new();
        let mut stack: Vec<Vec<Clause>> = Vec::new();
        for step in formula.steps() {
            let clauses = match step {
                Step::Literal(literal) => Clause::new(vec![literal.clone()]).into_iter().collect(),
                Step::All(count) => {
                    let from = stack.len().saturating_sub(*count);
                    stack.drain(from..).flatten().collect()
                }
                Step::Any(count) => {
                    let from = stack.len().saturating_sub(*count);
                    let operands = stack.drain(from..).collect();
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
        let mut distributed: Vec<Vec<Literal>> = vec![Vec::new()];
        for operand in operands {
            let operand = if is_small || operand.len() == 1 {
                operand
            } else {
                vec![self.name(&operand, definitions)]
            };
            distributed = distributed
                .iter()
                .flat_map(|left| {
                    operand
                        .iter()
                        .map(|right| [left.as_slice(), right.literals()].concat())
                })
                .collect();
        }
        distributed.into_iter().filter_map(Clause::new).collect()
    }

    /// A new name for these clauses, as a clause.
    fn name(&mut self, clauses: &[Clause], definitions: &mut Vec<Clause>) -> Clause {
        let name = Atom::Definition(self.next_definition);
        self.next_definition += 1;
        for clause in clauses {
            let mut literals = clause.literals.clone();
            literals.push(Literal::negative(name.clone()));
            definitions.extend(Clause::new(literals));
        }
        Clause {
            literals: vec![Literal::positive(name)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(formula: &Formula, most: usize) -> Vec<String> {
        let clauses = ClauseBuilder::new(most).clauses(formula);
        clauses.iter().map(ToString::to_string).collect()
    }
    fn b(name: &str) -> Formula {
        Formula::boolean(name)
    }

    #[test]
    fn what_is_clausal_stays_as_written() {
        // The example of [002 §6].
        let formula = Formula::all([
            b("a"),
            Formula::any([b("b"), b("c")]),
            Formula::any([b("a"), b("c")]),
        ]);
        assert_eq!(shown(&formula, 1), ["a", "b ∨ c", "a ∨ c"]);
    }

    #[test]
    fn small_ones_are_distributed_and_others_named() {
        let formula = Formula::any([b("a"), Formula::all([b("b"), b("c")])]);
        assert_eq!(shown(&formula, 2), ["a ∨ b", "a ∨ c"]);
        assert_eq!(shown(&formula, 1), ["a ∨ d0", "b ∨ ¬d0", "c ∨ ¬d0"]);
    }

    #[test]
    fn truth_falsehood_and_tautologies() {
        assert!(shown(&Formula::truth(), 8).is_empty());
        assert_eq!(shown(&Formula::falsehood(), 8), ["⊥"]);
        assert!(shown(&Formula::any([b("a"), b("a").not()]), 8).is_empty());
        assert!(shown(&Formula::any([b("a"), Formula::truth()]), 8).is_empty());
        assert_eq!(shown(&Formula::any([b("a"), Formula::falsehood()]), 8), ["a"]);
        let constraint = Formula::from(Literal::positive(Atom::constraint(AtomId(3))));
        let defined = Formula::any([constraint.clone(), constraint.not()]);
        assert_eq!(shown(&defined, 8).len(), 1);
    }

    use crate::AtomId;

    #[test]
    fn depth_is_no_danger() {
        let mut formula = b("a");
        for level in 0..300 {
            formula = if level % 2 == 0 {
                Formula::any([formula, b("b")])
            } else {
                Formula::all([formula, b("c")]).not()
            };
        }
        assert!(!shown(&formula, 4).is_empty());
    }
}
