//! Formulas: constraints under `and` and `or`, in any combination.
//!
//! A formula is stored flat, operands before their operator. So nothing recurses, whatever the depth. There is no `not`: what does not hold where a constraint does not is another constraint.

/// The number by which a theory knows one of its constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// One place of a flat formula; an operator takes that many operands before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Atom(AtomId),
    All(usize),
    Any(usize),
}

/// A combination of constraints.
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
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }
}

impl From<AtomId> for Formula {
    fn from(atom: AtomId) -> Self {
        Formula {
            steps: vec![Step::Atom(atom)],
        }
    }
}
