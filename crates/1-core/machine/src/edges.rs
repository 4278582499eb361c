//! Edges between vertices and computation nodes, and the rules they come from \[SPEC §3\].
//!
//! # Guarantee
//! Exact. S_0 → I_j,en satisfies rules 6 and 8; it is one edge, of rule 8.

use crate::contact_set::ContactSet;
use crate::graph::ContactCombinationGraph;
use crate::location::{DynamicalLocation, Location, NodeKind};

/// The rule that an edge comes from; rule 8 has three parts.
// A whole word, as `NodeKind`: written as a byte and moved as a word, it cost a third of a walk over edges.
#[repr(u64)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// I_k,ex → C_k,en.
    R1,
    /// I_k,ex → C_j,en, N_k > N_j > 0.
    R2,
    /// s_k,i → C_k,en, no trans in i.
    R3,
    /// C_k,ex → s_k,i, some stick or trans in i.
    R4,
    /// C_k,ex → s_k,i, all slip in i; not in the papers, counted apart.
    R4b,
    /// s_k,i → s_k,j, every trans of i slips in j.
    R5,
    /// s_k,i → I_j,en, 0 < N_k < N_j.
    R6,
    /// s_k,i → I_k,en: a closed contact strikes again; not in the papers, counted apart. It happens where flat parts of two surfaces lie on each other: their closest points jump, and where they are now
    /// the surfaces move together.
    R6b,
    /// s_k,i → C_j,en, N_k > N_j > 0.
    R7,
    /// I_k,ex → S_0.
    R8a,
    /// S_0 → I_k,en.
    R8b,
    /// s_k,i → S_0.
    R8c,
}

impl Rule {
    /// All rules, in order.
    pub const ALL: [Self; 12] = [
        Self::R1,
        Self::R2,
        Self::R3,
        Self::R4,
        Self::R4b,
        Self::R5,
        Self::R6,
        Self::R6b,
        Self::R7,
        Self::R8a,
        Self::R8b,
        Self::R8c,
    ];

    /// The number that the specification gives the rule: `1` … `4`, `4b`, `5`, `6`, `6b`, `7`, `8`.
    #[must_use]
    pub const fn number(self) -> &'static str {
        match self {
            Self::R1 => "1",
            Self::R2 => "2",
            Self::R3 => "3",
            Self::R4 => "4",
            Self::R4b => "4b",
            Self::R5 => "5",
            Self::R6 => "6",
            Self::R6b => "6b",
            Self::R7 => "7",
            Self::R8a | Self::R8b | Self::R8c => "8",
        }
    }

    /// What happens on an edge of this rule, in words.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::R1 => "after the impact every contact stays closed",
            Self::R2 => "after the impact some contacts stay closed",
            Self::R3 => "a sticking contact breaks away, or a slipping contact stops",
            Self::R4 => "the forces leave some contact in stick or trans",
            Self::R4b => "the forces leave every contact in slip",
            Self::R5 => "contacts in trans begin to slip",
            Self::R6 => "contacts close while others are closed",
            Self::R6b => "a closed contact strikes again",
            Self::R7 => "some contacts open, others stay closed",
            Self::R8a => "after the impact every contact is open",
            Self::R8b => "contacts close, all were open",
            Self::R8c => "every contact opens",
        }
    }

    /// Whether this is rule 4b or 6b, which the papers do not have: they are counted apart.
    #[must_use]
    pub const fn is_apart(self) -> bool {
        matches!(self, Self::R4b | Self::R6b)
    }
}

/// One edge of the automaton.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    from: Location,
    to: Location,
    rule: Rule,
}

impl Edge {
    #[inline]
    pub(crate) fn new(from: Location, to: Location, rule: Rule) -> Self {
        Self { from, to, rule }
    }

    /// The edge from `from` to `to`, if the automaton over `graph` has one.
    pub(crate) fn between(graph: &ContactCombinationGraph, from: &Location, to: &Location) -> Option<Self> {
        let (k, j) = (from.closed(), to.closed());
        let in_graph = if k == j {
            graph.is_vertex(k)
        } else {
            graph.is_edge(k, j)
        };
        let rule = rule_between(from, to).filter(|_| in_graph)?;
        Some(Self::new(from.clone(), to.clone(), rule))
    }

    /// Where the edge begins.
    #[must_use]
    pub fn from(&self) -> &Location {
        &self.from
    }

    /// Where the edge ends.
    #[must_use]
    pub fn to(&self) -> &Location {
        &self.to
    }

    /// The rule the edge comes from.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// I_j \ I_k: the contacts that close on the edge. Never empty for rules 6 and 8b, since N_k < N_j;
    /// this is the "at least one n not in I_k" of the guard of s_k,i → I_j,en.
    #[must_use]
    pub fn closing(&self) -> ContactSet {
        self.to.closed().difference(self.from.closed())
    }

    /// I_k \ I_j: the contacts that open on the edge.
    #[must_use]
    pub fn opening(&self) -> ContactSet {
        self.from.closed().difference(self.to.closed())
    }
}

/// The rule that joins two locations by kind, size and modes; the graph is asked elsewhere.
fn rule_between(from: &Location, to: &Location) -> Option<Rule> {
    match (from, to) {
        (Location::Exit(node), _) if node.kind() == NodeKind::Impact => after_impact(from, to),
        (Location::Exit(_), Location::Dynamical(s)) => after_contact(from.closed(), s),
        (Location::Dynamical(s), Location::Entrance(node)) => into_node(s, node.kind(), node.closed()),
        (Location::Dynamical(s), Location::Dynamical(free)) if free.is_free() => {
            (!s.is_free()).then_some(Rule::R8c)
        }
        (Location::Dynamical(i), Location::Dynamical(j)) => {
            (i.after_trans().as_ref() == Some(j)).then_some(Rule::R5)
        }
        _ => None,
    }
}

fn after_impact(from: &Location, to: &Location) -> Option<Rule> {
    match to {
        Location::Dynamical(s) => s.is_free().then_some(Rule::R8a),
        Location::Entrance(node) if node.kind() == NodeKind::Contact => {
            if node.closed() == from.closed() {
                Some(Rule::R1)
            } else {
                (node.closed().len() < from.closed().len()).then_some(Rule::R2)
            }
        }
        _ => None,
    }
}

fn after_contact(closed: &ContactSet, to: &DynamicalLocation) -> Option<Rule> {
    let rule = if to.slip() == closed { Rule::R4b } else { Rule::R4 };
    (to.closed() == closed).then_some(rule)
}

fn into_node(from: &DynamicalLocation, kind: NodeKind, j: &ContactSet) -> Option<Rule> {
    let k = from.closed();
    match kind {
        NodeKind::Impact if k.is_empty() => Some(Rule::R8b),
        NodeKind::Impact if k == j => Some(Rule::R6b),
        NodeKind::Impact => (k.len() < j.len()).then_some(Rule::R6),
        NodeKind::Contact if k == j => from.trans().is_empty().then_some(Rule::R3),
        NodeKind::Contact => (k.len() > j.len()).then_some(Rule::R7),
    }
}
