//! Walks over every location and every edge of an automaton, in constant memory \[SPEC §3\].
//!
//! Vertices come in the order of their numbers; in each, the dynamical locations s_k,1, s_k,2, …, then
//! I_k,en, I_k,ex, C_k,en, C_k,ex. Edges come by the location they leave, in the order of
//! [`OutEdges`].
//!
//! # Guarantee
//! Exact: each location and each edge once.

use crate::contact_set::ContactSet;
use crate::edges::Edge;
use crate::graph::ContactCombinationGraph;
use crate::location::{ComputationNode, Location, Modes, NodeKind};
use crate::out_edges::OutEdges;
use crate::revolving_door::Vertices;

/// Every location that outer edges join, in order.
#[derive(Clone, Debug)]
pub struct Locations<'a> {
    vertices: Vertices<'a>,
    modes: Option<Modes>,
    closed: ContactSet,
    node_ends: std::ops::Range<u8>,
}

impl<'a> Locations<'a> {
    pub(crate) fn new(graph: &'a ContactCombinationGraph) -> Self {
        Self {
            vertices: graph.vertices(),
            modes: None,
            closed: ContactSet::empty(),
            node_ends: 0..0,
        }
    }

    fn node_end(&self, which: u8) -> Location {
        let node = |kind| ComputationNode::of_closed(kind, self.closed.clone());
        match which {
            0 => Location::Entrance(node(NodeKind::Impact)),
            1 => Location::Exit(node(NodeKind::Impact)),
            2 => Location::Entrance(node(NodeKind::Contact)),
            _ => Location::Exit(node(NodeKind::Contact)),
        }
    }
}

impl Iterator for Locations<'_> {
    type Item = Location;

    fn next(&mut self) -> Option<Location> {
        loop {
            if let Some(location) = self.modes.as_mut().and_then(Iterator::next) {
                return Some(Location::Dynamical(location));
            }
            if let Some(which) = self.node_ends.next() {
                return Some(self.node_end(which));
            }
            self.closed = self.vertices.next()?;
            self.modes = Some(Modes::new(self.closed.clone()));
            self.node_ends = if self.closed.is_empty() { 0..0 } else { 0..4 };
        }
    }
}

/// Every edge by rules 1–8, 4b and 6b, in order.
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    graph: &'a ContactCombinationGraph,
    locations: Locations<'a>,
    current: Option<OutEdges<'a>>,
}

impl<'a> Edges<'a> {
    pub(crate) fn new(graph: &'a ContactCombinationGraph) -> Self {
        Self {
            graph,
            locations: Locations::new(graph),
            current: None,
        }
    }
}

impl Edges<'_> {
    /// The next edge where the current location has no node left to lead to.
    #[cold]
    fn next_elsewhere(&mut self) -> Option<Edge> {
        loop {
            if let Some(edge) = self.current.as_mut().and_then(Iterator::next) {
                return Some(edge);
            }
            self.current = Some(OutEdges::new(self.graph, self.locations.next()?));
        }
    }
}

impl Iterator for Edges<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        // As in `OutEdges`, the edge is built where it is returned.
        if let Some(current) = &mut self.current
            && let Some(closed) = current.next_node()
        {
            return Some(current.edge_to_node(closed));
        }
        self.next_elsewhere()
    }

    /// Location by location, so that each is folded as [`OutEdges`] folds.
    #[inline]
    fn fold<B, F: FnMut(B, Edge) -> B>(self, init: B, mut f: F) -> B {
        let begun = self
            .current
            .into_iter()
            .fold(init, |folded, edges| edges.fold(folded, &mut f));
        self.locations.fold(begun, |folded, from| {
            OutEdges::new(self.graph, from).fold(folded, &mut f)
        })
    }
}
