//! The MRB hybrid automaton, lazily: every part is made when it is asked for \[SPEC §3\].
//!
//! # Guarantee
//! Exact. Stores the contact list and the graph's obstructions, nothing else; the same question always has
//! the same answer.

use crate::contact_list::ContactList;
use crate::contact_set::ContactSet;
use crate::domains::{self, Domain};
use crate::edges::Edge;
use crate::f_vector::CountTooHard;
use crate::graph::{ContactCombinationGraph, GraphError, GraphKind};
use crate::guards::{self, Guard};
use crate::location::{DynamicalLocation, Location};
use crate::notation::Notation;
use crate::out_edges::OutEdges;
use crate::resets::{self, Reset};
use crate::size::AutomatonSize;
use crate::vector_field::VectorField;
use crate::walk::{Edges, Locations};
use num_bigint::BigUint;

/// The hybrid automaton of a contact list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HybridAutomaton {
    contacts: ContactList,
    graph: ContactCombinationGraph,
}

impl HybridAutomaton {
    /// The automaton over `contacts`, without the combinations that contain one of the `obstructions`.
    ///
    /// # Errors
    /// See [`ContactCombinationGraph::new`].
    pub fn new(
        contacts: ContactList,
        kind: GraphKind,
        obstructions: Vec<ContactSet>,
    ) -> Result<Self, GraphError> {
        let graph = ContactCombinationGraph::new(contacts.len(), kind, obstructions)?;
        Ok(Self { contacts, graph })
    }

    /// I, the contact list.
    #[must_use]
    pub fn contacts(&self) -> &ContactList {
        &self.contacts
    }

    /// The contact combination graph.
    #[must_use]
    pub fn graph(&self) -> &ContactCombinationGraph {
        &self.graph
    }

    /// How many of everything there is, without building it.
    ///
    /// # Errors
    /// [`CountTooHard`] where the obstructions make counting too much work.
    pub fn size(&self) -> Result<AutomatonSize, CountTooHard> {
        AutomatonSize::of(&self.graph)
    }

    /// The dynamical location s_k,i, if there is one; S_0 is (0, 1).
    #[must_use]
    pub fn location(&self, k: &BigUint, i: &BigUint) -> Option<DynamicalLocation> {
        DynamicalLocation::from_index(self.graph.vertex(k)?, i)
    }

    /// The numbers (k, i) of a dynamical location, if the automaton has it.
    #[must_use]
    pub fn location_index(&self, location: &DynamicalLocation) -> Option<(BigUint, BigUint)> {
        let k = self.graph.index(location.closed())?;
        Some((k, location.index()))
    }

    /// Whether the location belongs to the automaton.
    #[must_use]
    pub fn has_location(&self, location: &Location) -> bool {
        self.graph.is_vertex(location.closed())
    }

    /// Every location that outer edges join, in order, in constant memory.
    #[must_use]
    pub fn locations(&self) -> Locations<'_> {
        Locations::new(&self.graph)
    }

    /// The edges that leave `location`, in order; none where the automaton does not have the location.
    #[must_use]
    pub fn out_edges(&self, location: &Location) -> OutEdges<'_> {
        OutEdges::new(&self.graph, location.clone())
    }

    /// Every edge by rules 1–8, 4b and 6b, in order, in constant memory.
    #[must_use]
    pub fn edges(&self) -> Edges<'_> {
        Edges::new(&self.graph)
    }

    /// The edge between two locations, if there is one: there are never two.
    #[must_use]
    pub fn edge(&self, from: &Location, to: &Location) -> Option<Edge> {
        Edge::between(&self.graph, from, to)
    }

    /// The guard of an edge of this automaton.
    #[must_use]
    pub fn guard(&self, edge: &Edge) -> Guard {
        guards::guard(&self.graph, edge)
    }

    /// The reset of an edge of this automaton.
    #[must_use]
    pub fn reset(&self, edge: &Edge) -> Reset {
        resets::reset(edge)
    }

    /// The domain of a location of this automaton.
    #[must_use]
    pub fn domain(&self, location: &DynamicalLocation) -> Domain {
        domains::domain(&self.graph, location)
    }

    /// The vector field of a location.
    #[must_use]
    pub fn vector_field(&self, location: &DynamicalLocation) -> VectorField {
        VectorField::of(location)
    }

    /// The papers' notation, with the labels of this contact list.
    #[must_use]
    pub fn notation(&self) -> Notation<'_> {
        Notation::new(&self.contacts)
    }
}
