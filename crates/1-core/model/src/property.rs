//! Properties: formulas over states, forces, time and parameters, with bounded temporal operators.

use dyverse_diag::Origin;
use dyverse_expr::NodeId;

/// A place in the formula of a [`Property`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FormulaId(pub u32);

/// From when to when an operator looks, seen from where it stands; both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// From, s.
    pub from: f64,
    /// To, s; at least `from`.
    pub to: f64,
}

/// A part of a formula; its operands come before it.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A truth value at the present time.
    Now(NodeId),
    /// Not.
    Not(FormulaId),
    /// And.
    And(FormulaId, FormulaId),
    /// Or.
    Or(FormulaId, FormulaId),
    /// At all times of the window (without one: from now on).
    Always(Option<Window>, FormulaId),
    /// At some time of the window.
    Eventually(Option<Window>, FormulaId),
    /// The second at some time of the window, and the first until then.
    Until(Option<Window>, FormulaId, FormulaId),
}

/// What must hold, for all initial states and parameters.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its formula, operands before operators; the last is the whole.
    pub parts: Vec<Formula>,
    /// Where it is written.
    pub origin: Origin,
}

impl Property {
    /// The whole formula.
    pub fn root(&self) -> FormulaId {
        FormulaId(self.parts.len().saturating_sub(1) as u32)
    }
    /// A part of the formula.
    pub fn part(&self, id: FormulaId) -> &Formula {
        &self.parts[id.0 as usize]
    }
}
