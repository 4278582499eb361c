//! The edges that leave one location, made one at a time \[SPEC §3, rules 1–8, 4b and 6b\].
//!
//! | from      | edges, in this order                                                                 |
//! |-----------|--------------------------------------------------------------------------------------|
//! | S_0       | 8 to each I_j,en                                                                     |
//! | s_k,i     | 3 to C_k,en or 5 to s_k,j; 6b to I_k,en; 6 to each I_j,en; 7 to each C_j,en; 8 to S_0 |
//! | I_k,ex    | 1 to C_k,en; 2 to each C_j,en; 8 to S_0                                              |
//! | C_k,ex    | 4 to each s_k,i in the order of i; 4b to the last, in which every contact slips      |
//! | any en    | none: its edges are inside the node (see [`InnerEdge`](crate::InnerEdge))            |
//!
//! The targets j come by size. Inside one size they come in the order of their numbers in the complete graph,
//! and in revolving-door order of the contacts that open or close in the subset graph.
//!
//! # Guarantee
//! Exact: each edge once. Constant memory; without obstructions the next edge takes constant time on
//! average, however many contacts there are (beyond 64: time in proportion to the contacts it names).

use crate::contact_set::ContactSet;
use crate::edges::{Edge, Rule};
use crate::graph::ContactCombinationGraph;
use crate::location::{ComputationNode, DynamicalLocation, Location, Modes, NodeKind};
use crate::revolving_door::Combinations;

/// The edges that leave one location.
#[derive(Clone, Debug)]
pub struct OutEdges<'a> {
    graph: &'a ContactCombinationGraph,
    from: Location,
    stage: Stage<'a>,
}

/// What comes next.
#[derive(Clone, Debug)]
enum Stage<'a> {
    /// The edge to the location's own contact node or, by rule 5, to its own vertex.
    Own,
    /// The edge to the location's own impact node.
    Again,
    /// Entrances of nodes of other vertices.
    Nodes {
        kind: NodeKind,
        rule: Rule,
        targets: Combinations<'a>,
    },
    /// Dynamical locations of the contact node's own vertex.
    Modes(Modes),
    /// The edge to S_0.
    Free,
    Finished,
}

impl<'a> OutEdges<'a> {
    pub(crate) fn new(graph: &'a ContactCombinationGraph, from: Location) -> Self {
        let stage = match &from {
            _ if !graph.is_vertex(from.closed()) => Stage::Finished,
            Location::Dynamical(s) if s.is_free() => impacts(graph, s.closed(), Rule::R8b),
            Location::Entrance(_) => Stage::Finished,
            Location::Exit(node) if node.kind() == NodeKind::Contact => {
                Stage::Modes(Modes::new(node.closed().clone()))
            }
            Location::Dynamical(_) | Location::Exit(_) => Stage::Own,
        };
        Self { graph, from, stage }
    }

    /// The vertex of the next node, in a stage that has nodes.
    #[inline]
    pub(crate) fn next_node(&mut self) -> Option<ContactSet> {
        match &mut self.stage {
            Stage::Nodes { targets, .. } => targets.next(),
            _ => None,
        }
    }

    /// The edge to the node of vertex `closed`, in a stage that has nodes.
    #[inline(always)]
    pub(crate) fn edge_to_node(&self, closed: ContactSet) -> Edge {
        let (kind, rule) = match self.stage {
            Stage::Nodes { kind, rule, .. } => (kind, rule),
            _ => unreachable!("bug: only a stage with nodes gives the vertex of one"),
        };
        let node = ComputationNode::of_closed(kind, closed);
        Edge::new(self.from.clone(), Location::Entrance(node), rule)
    }

    /// The next edge where the stage has no node left: from its modes, or from a later stage.
    #[cold]
    pub(crate) fn next_elsewhere(&mut self) -> Option<Edge> {
        loop {
            if let Stage::Modes(modes) = &mut self.stage
                && let Some(location) = modes.next()
            {
                let rule = if location.slip() == location.closed() {
                    Rule::R4b
                } else {
                    Rule::R4
                };
                return Some(Edge::new(self.from.clone(), Location::Dynamical(location), rule));
            }
            let (stage, edge) = self.leave_stage();
            self.stage = stage;
            if edge.is_some() || matches!(self.stage, Stage::Finished) {
                return edge;
            }
            if let Some(closed) = self.next_node() {
                return Some(self.edge_to_node(closed));
            }
        }
    }

    /// The stage after this one, and the edge that this one has left.
    fn leave_stage(&self) -> (Stage<'a>, Option<Edge>) {
        let closed = self.from.closed();
        match &self.stage {
            Stage::Own => match &self.from {
                Location::Dynamical(s) => (Stage::Again, Some(self.own_edge(s))),
                _ => (
                    contacts(self.graph, closed, Rule::R2),
                    Some(self.own_contact_node(Rule::R1)),
                ),
            },
            Stage::Again => (
                impacts(self.graph, closed, Rule::R6),
                Some(self.own_impact_node()),
            ),
            Stage::Nodes { rule: Rule::R6, .. } => (contacts(self.graph, closed, Rule::R7), None),
            Stage::Nodes {
                rule: Rule::R2 | Rule::R7,
                ..
            } => (Stage::Free, None),
            Stage::Free => (Stage::Finished, Some(self.edge_to_free())),
            Stage::Nodes { .. } | Stage::Modes(_) | Stage::Finished => (Stage::Finished, None),
        }
    }

    fn own_edge(&self, s: &DynamicalLocation) -> Edge {
        match s.after_trans() {
            Some(slipping) => Edge::new(self.from.clone(), Location::Dynamical(slipping), Rule::R5),
            None => self.own_contact_node(Rule::R3),
        }
    }

    fn own_contact_node(&self, rule: Rule) -> Edge {
        let node = ComputationNode::of_closed(NodeKind::Contact, self.from.closed().clone());
        Edge::new(self.from.clone(), Location::Entrance(node), rule)
    }

    fn own_impact_node(&self) -> Edge {
        let node = ComputationNode::of_closed(NodeKind::Impact, self.from.closed().clone());
        Edge::new(self.from.clone(), Location::Entrance(node), Rule::R6b)
    }

    fn edge_to_free(&self) -> Edge {
        let rule = if matches!(self.from, Location::Exit(_)) {
            Rule::R8a
        } else {
            Rule::R8c
        };
        Edge::new(
            self.from.clone(),
            Location::Dynamical(DynamicalLocation::free()),
            rule,
        )
    }
}

fn impacts<'a>(graph: &'a ContactCombinationGraph, closed: &ContactSet, rule: Rule) -> Stage<'a> {
    Stage::Nodes {
        kind: NodeKind::Impact,
        rule,
        targets: graph.larger_neighbours(closed),
    }
}

fn contacts<'a>(graph: &'a ContactCombinationGraph, closed: &ContactSet, rule: Rule) -> Stage<'a> {
    Stage::Nodes {
        kind: NodeKind::Contact,
        rule,
        targets: graph.smaller_neighbours(closed),
    }
}

impl Iterator for OutEdges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        // The edge is built where it is returned, and not moved through calls: moves cost more than the step itself.
        match self.next_node() {
            Some(closed) => Some(self.edge_to_node(closed)),
            None => self.next_elsewhere(),
        }
    }

    /// Without the `Option` of `next`, one move of the edge less.
    #[inline]
    fn fold<B, F: FnMut(B, Edge) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        loop {
            while let Some(closed) = self.next_node() {
                folded = f(folded, self.edge_to_node(closed));
            }
            match self.next_elsewhere() {
                Some(edge) => folded = f(folded, edge),
                None => return folded,
            }
        }
    }
}
