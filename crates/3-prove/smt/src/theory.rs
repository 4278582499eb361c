//! What the solver asks of a theory: whether constraints hold together.

use std::fmt;

use crate::AtomId;

/// Why a question was left open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnknownReason {
    /// The theory does not know, for this reason.
    Theory(String),
    /// The iterations of *Satisfy* were used up.
    IterationLimit(u64),
    /// The SAT solver gave up.
    Sat,
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Theory(reason) => write!(f, "{reason}"),
            UnknownReason::IterationLimit(limit) => write!(f, "no answer after {limit} iterations"),
            UnknownReason::Sat => write!(f, "the SAT solver gave up"),
        }
    }
}

/// What a theory says to a conjunction.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision<W> {
    /// Proved: there is a point at which all hold.
    Feasible(W),
    /// Proved: there is none.
    Infeasible {
        /// Places of constraints that are infeasible together: all that the proof used.
        core: Vec<usize>,
    },
    /// Neither was proved.
    Unknown {
        /// For people.
        reason: String,
    },
}

/// A decision procedure for conjunctions of constraints.
///
/// # Contract
/// `Feasible` and `Infeasible` are proofs. What was infeasible stays so while a question is answered. At a point at which it is undefined a constraint does not hold.
pub trait Theory {
    /// Evidence that constraints hold together.
    type Witness;

    /// Do all of these hold together somewhere?
    fn decide(&mut self, constraints: &[AtomId]) -> Decision<Self::Witness>;
}
