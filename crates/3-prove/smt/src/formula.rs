//! Formulas: literals under `and`, `or` and `not`, in any combination.
//!
//! A formula is stored flat, operands before their operator, and negation is pushed down to the literals as it
//! is applied (de Morgan). So nothing recurses, whatever the depth.

use std::fmt;
use std::sync::Arc;

/// The number by which a theory knows one of its constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// What a literal says or denies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    /// A Boolean variable.
    Boolean(Arc<str>),
    /// A constraint of the theory, by the number that the theory has chosen.
    Constraint(AtomId),
    /// A variable that stands for part of a formula; only the conversion to clauses makes these.
    Definition(u32),
}

impl Atom {
    /// A Boolean variable of this name.
    pub fn boolean(name: &str) -> Self {
        Atom::Boolean(Arc::from(name))
    }
    /// A constraint of the theory.
    pub fn constraint(id: AtomId) -> Self {
        Atom::Constraint(id)
    }
    /// Is it a constraint of the theory?
    pub fn is_constraint(&self) -> bool {
        matches!(self, Atom::Constraint(_))
    }
}

/// An atom or its negation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal {
    /// What it is about.
    pub atom: Atom,
    /// Whether it says the atom or denies it.
    pub is_positive: bool,
}

impl Literal {
    /// The atom itself.
    pub fn positive(atom: Atom) -> Self {
        Literal {
            atom,
            is_positive: true,
        }
    }
    /// The negation of an atom.
    pub fn negative(atom: Atom) -> Self {
        Literal {
            atom,
            is_positive: false,
        }
    }
    /// The opposite literal.
    #[must_use]
    pub fn negated(&self) -> Self {
        Literal {
            atom: self.atom.clone(),
            is_positive: !self.is_positive,
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_positive { "" } else { "¬" };
        match &self.atom {
            Atom::Boolean(name) => write!(f, "{sign}{name}"),
            Atom::Constraint(id) => write!(f, "{sign}c{}", id.0),
            Atom::Definition(number) => write!(f, "{sign}d{number}"),
        }
    }
}

/// One place of a flat formula; an operator takes that many operands before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Literal(Literal),
    All(usize),
    Any(usize),
}

/// A combination of literals, in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    steps: Vec<Step>,
}

impl Formula {
    /// Always true: the conjunction of nothing.
    pub fn truth() -> Self {
        Self::all([])
    }
    /// Never true: the disjunction of nothing.
    pub fn falsehood() -> Self {
        Self::any([])
    }
    /// A Boolean variable.
    pub fn boolean(name: &str) -> Self {
        Literal::positive(Atom::boolean(name)).into()
    }
    /// All of these hold.
    pub fn all(operands: impl IntoIterator<Item = Formula>) -> Self {
        Self::operator(operands, Step::All)
    }
    /// At least one of these holds.
    pub fn any(operands: impl IntoIterator<Item = Formula>) -> Self {
        Self::operator(operands, Step::Any)
    }
    fn operator(operands: impl IntoIterator<Item = Formula>, step: fn(usize) -> Step) -> Self {
        let (mut steps, mut count) = (Vec::new(), 0);
        for mut operand in operands {
            steps.append(&mut operand.steps);
            count += 1;
        }
        steps.push(step(count));
        Formula { steps }
    }
    /// The negation, down at the literals.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "an operator would hide that it is linear"
    )]
    pub fn not(mut self) -> Self {
        for step in &mut self.steps {
            match step {
                Step::Literal(literal) => literal.is_positive = !literal.is_positive,
                Step::All(count) => *step = Step::Any(*count),
                Step::Any(count) => *step = Step::All(*count),
            }
        }
        self
    }
    /// `self → other`.
    #[must_use]
    pub fn implies(self, other: Formula) -> Self {
        Self::any([self.not(), other])
    }
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }
}

impl From<Literal> for Formula {
    fn from(literal: Literal) -> Self {
        Formula {
            steps: vec![Step::Literal(literal)],
        }
    }
}
