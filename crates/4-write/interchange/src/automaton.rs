//! A hybrid automaton all of whose locations and edges are written out, in normal form: what the writers read.

use crate::algebra::Algebra;
use crate::facts::Fact;
use crate::polynomial::Polynomial;
use dyverse_expr::SymbolId;

/// What a location is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Time passes.
    Flows,
    /// A computation node that the property looks at: no time passes.
    Urgent,
    /// The property is broken.
    Broken,
}

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    /// In the model's words.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// All of these hold while one stays.
    pub(crate) invariant: Vec<Fact>,
    /// The rate of every state, then that of time.
    pub(crate) rates: Vec<Polynomial>,
}

/// An edge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// In the model's words.
    pub(crate) label: String,
    /// All of these hold before.
    pub(crate) guard: Vec<Fact>,
    /// Every state after, then time; over the states before.
    pub(crate) reset: Vec<Polynomial>,
}

/// A number that does not change, and of which a range is known.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) is_initial: bool,
    pub(crate) symbol: SymbolId,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// The whole automaton.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    pub(crate) algebra: Algebra,
    /// The model's name.
    pub(crate) name: String,
    /// The property's name; `None` if nothing was asked.
    pub(crate) property: Option<String>,
    pub(crate) horizon: f64,
    /// Names of the states, time not counted.
    pub(crate) states: Vec<String>,
    /// The value of a state that never changes.
    pub(crate) fixed: Vec<Option<Polynomial>>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) locations: Vec<Location>,
    pub(crate) edges: Vec<Edge>,
    /// Where it begins.
    pub(crate) first: usize,
    /// Every state there, over the constants.
    pub(crate) start: Vec<Polynomial>,
}

impl Automaton {
    pub(crate) fn time(&self) -> SymbolId {
        SymbolId(self.states.len() as u32)
    }
    /// The places of the states that are written.
    pub(crate) fn moving(&self) -> Vec<usize> {
        (0..self.states.len())
            .filter(|place| self.fixed[*place].is_none())
            .collect()
    }
    pub(crate) fn has_urgent(&self) -> bool {
        self.locations.iter().any(|l| l.kind == Kind::Urgent)
    }
    pub(crate) fn broken(&self) -> Option<usize> {
        self.locations.iter().position(|l| l.kind == Kind::Broken)
    }
    /// Whether the formulas of the automaton read a constant.
    pub(crate) fn reads(&self, symbol: SymbolId) -> bool {
        let in_facts = |facts: &[Fact]| {
            facts
                .iter()
                .any(|f| self.algebra.symbols(&f.polynomial).contains(&symbol))
        };
        let in_all = |all: &[Polynomial]| all.iter().any(|p| self.algebra.symbols(p).contains(&symbol));
        self.locations
            .iter()
            .any(|l| in_facts(&l.invariant) || in_all(&l.rates))
            || self.edges.iter().any(|e| in_facts(&e.guard) || in_all(&e.reset))
    }
}
