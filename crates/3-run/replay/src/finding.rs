//! What is said about a moment of a trace: when, on which edge, what, and the numbers that were compared.

use dyverse_trace::{SuperdenseTime, Transition};
use std::fmt;

/// Numbers that are shown with a finding, at the most.
pub(crate) const MOST_COMPARED: usize = 6;

/// Something to say about a moment of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// When.
    pub time: SuperdenseTime,
    /// On which edge, if it is about a transition.
    pub edge: Option<FoundEdge>,
    /// What.
    pub what: String,
    /// The numbers that were compared.
    pub compared: Vec<Compared>,
}

/// The edge that a finding is about, as the trace names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundEdge {
    /// Its place among the transitions of the trace, from 0.
    pub number: usize,
    /// The location left.
    pub from: String,
    /// The location entered.
    pub to: String,
    /// The rule that the trace gives.
    pub rule: String,
}

impl FoundEdge {
    pub(crate) fn new(number: usize, taken: &Transition) -> Self {
        FoundEdge {
            number,
            from: taken.from.clone(),
            to: taken.to.clone(),
            rule: taken.rule.to_owned(),
        }
    }
}

/// A comparison that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Of what.
    pub of: String,
    /// The number that is there.
    pub found: f64,
    /// How it should compare: `=`, `≤`, `≥`, `<`, `>`, `≠`.
    pub relation: &'static str,
    /// With what.
    pub bound: f64,
    /// What it may be off by.
    pub slack: f64,
}

impl Compared {
    /// A number that should be another.
    pub(crate) fn equal(of: impl Into<String>, found: f64, bound: f64, slack: f64) -> Self {
        Compared {
            of: of.into(),
            found,
            relation: "=",
            bound,
            slack,
        }
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is {}, should be {} {} (within {:.1e})",
            self.of, self.found, self.relation, self.bound, self.slack
        )
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "t = {} s, microstep {}",
            dyverse_trace::shown_number(self.time.t()),
            self.time.n()
        )?;
        if let Some(edge) = &self.edge {
            write!(f, ", {} → {}", edge.from, edge.to)?;
        }
        write!(f, ": {}", self.what)?;
        self.compared
            .iter()
            .try_for_each(|compared| write!(f, "; {compared}"))
    }
}
