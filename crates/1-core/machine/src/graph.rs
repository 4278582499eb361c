//! The contact combination graph: a vertex V_k for each contact combination I_k, an edge (k, l) where the
//! system may go straight from I_k to I_l \[SPEC §3\].
//!
//! A combination that contains an *obstruction* (contacts that the geometry never lets close together) is
//! left out, so the family of vertices is closed downwards: with I_k, every subset of I_k is a vertex.
//! Numbers k stay those of the unpruned family, so names do not change when obstructions are added.
//!
//! # Guarantee
//! Exact. Nothing is stored but the obstructions.

use crate::combination::{vertex_index, vertex_set};
use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use crate::revolving_door::{Combinations, Vertices};
use num_bigint::BigUint;
use std::error::Error;
use std::fmt;

/// Which different vertices are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GraphKind {
    /// Every pair, as in the papers' tool.
    #[default]
    Complete,
    /// Only I_k ⊂ I_l or I_l ⊂ I_k.
    Subset,
}

/// Why there is no graph for a list of obstructions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphError {
    /// An obstruction without contacts would rule out even V_0.
    EmptyObstruction {
        /// Its place in the list of obstructions, from 0.
        place: usize,
    },
    /// An obstruction names a contact that the contact list does not have.
    UnknownContact {
        /// The contact named.
        contact: ContactId,
        /// The length of the contact list.
        contacts: u32,
    },
    /// The contact list is longer than contacts can be numbered.
    TooManyContacts {
        /// The length of the contact list.
        contacts: usize,
    },
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyObstruction { place } => {
                write!(
                    f,
                    "obstruction {place} names no contact, so it would rule out every combination"
                )
            }
            Self::UnknownContact { contact, contacts } => {
                let contact = contact.get();
                write!(
                    f,
                    "an obstruction names contact {contact}, but the list has {contacts} (counted from 0)"
                )
            }
            Self::TooManyContacts { contacts } => {
                write!(f, "{contacts} contacts are more than {} can number", u32::MAX)
            }
        }
    }
}

impl Error for GraphError {}

/// The contact combination graph over a number of contacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactCombinationGraph {
    contacts: u32,
    kind: GraphKind,
    obstructions: Vec<ContactSet>,
}

impl ContactCombinationGraph {
    /// The graph over `contacts` contacts, without the combinations that contain an obstruction.
    ///
    /// # Errors
    /// An obstruction that is empty or names an unknown contact; too many contacts to number.
    pub fn new(
        contacts: usize,
        kind: GraphKind,
        mut obstructions: Vec<ContactSet>,
    ) -> Result<Self, GraphError> {
        let contacts = u32::try_from(contacts).map_err(|_| GraphError::TooManyContacts { contacts })?;
        for (place, obstruction) in obstructions.iter().enumerate() {
            let last = obstruction.last().ok_or(GraphError::EmptyObstruction { place })?;
            if last.get() >= contacts {
                return Err(GraphError::UnknownContact {
                    contact: last,
                    contacts,
                });
            }
        }
        obstructions.sort_unstable();
        obstructions.dedup();
        Ok(Self {
            contacts,
            kind,
            obstructions,
        })
    }

    /// P, the number of contacts.
    #[must_use]
    pub fn contacts(&self) -> u32 {
        self.contacts
    }

    /// Which vertices are joined.
    #[must_use]
    pub fn kind(&self) -> GraphKind {
        self.kind
    }

    /// The combinations that the geometry rules out, each once, in the order of [`ContactSet`].
    #[must_use]
    pub fn obstructions(&self) -> &[ContactSet] {
        &self.obstructions
    }

    /// Whether `set` is the contact combination of a vertex.
    #[must_use]
    pub fn is_vertex(&self, set: &ContactSet) -> bool {
        let is_known = set.last().is_none_or(|last| last.get() < self.contacts);
        is_known
            && !self
                .obstructions
                .iter()
                .any(|obstruction| obstruction.is_subset(set))
    }

    /// Whether the system may go straight between the two combinations.
    #[must_use]
    pub fn is_edge(&self, a: &ContactSet, b: &ContactSet) -> bool {
        let joined = match self.kind {
            GraphKind::Complete => a != b,
            GraphKind::Subset => a.is_proper_subset(b) || b.is_proper_subset(a),
        };
        joined && self.is_vertex(a) && self.is_vertex(b)
    }

    /// The contact combination I_k, if V_k is a vertex.
    #[must_use]
    pub fn vertex(&self, k: &BigUint) -> Option<ContactSet> {
        vertex_set(k, self.contacts).filter(|set| self.is_vertex(set))
    }

    /// The number k of the vertex with combination `set`, if it is one.
    #[must_use]
    pub fn index(&self, set: &ContactSet) -> Option<BigUint> {
        self.is_vertex(set).then(|| vertex_index(set, self.contacts))
    }

    /// All vertices in the order of their numbers, in constant memory.
    #[must_use]
    pub fn vertices(&self) -> Vertices<'_> {
        Vertices::new(self.contacts, &self.obstructions)
    }

    /// Π_k, the union of all I_m with (k, m) an edge.
    ///
    /// Since the family is closed downwards a contact outside I_k is in Π_k iff it is in a neighbour with one
    /// contact ({c}, or I_k ∪ {c}), so no walk over the neighbours is needed.
    #[must_use]
    pub fn reachable_contacts(&self, closed: &ContactSet) -> ContactSet {
        if self.obstructions.is_empty() {
            return self.reachable_without_obstructions(closed);
        }
        match self.kind {
            GraphKind::Complete => self.reachable_in_complete(closed),
            GraphKind::Subset => self.reachable_in_subset(closed),
        }
    }

    fn reachable_without_obstructions(&self, closed: &ContactSet) -> ContactSet {
        // One contact, and V_1 is its only vertex but V_0.
        if self.contacts == 1 && !closed.is_empty() {
            return ContactSet::empty();
        }
        ContactSet::full(self.contacts)
    }

    fn reachable_in_complete(&self, closed: &ContactSet) -> ContactSet {
        let in_other = |contact: &ContactId| {
            let single = ContactSet::single(*contact);
            let is_closed_alone = *closed == single;
            self.is_vertex(&single) && (!is_closed_alone || self.extensions(closed).next().is_some())
        };
        self.all_contacts().filter(in_other).collect()
    }

    fn reachable_in_subset(&self, closed: &ContactSet) -> ContactSet {
        let above: ContactSet = self.extensions(closed).collect();
        if closed.len() >= 2 || !above.is_empty() {
            above.union(closed)
        } else {
            above
        }
    }

    /// The contacts that can close beside those of `closed`.
    fn extensions(&self, closed: &ContactSet) -> impl Iterator<Item = ContactId> {
        let is_open = |contact: &ContactId| !closed.contains(*contact);
        let fits = |contact: &ContactId| self.is_vertex(&closed.with(*contact));
        self.all_contacts().filter(is_open).filter(fits)
    }

    fn all_contacts(&self) -> impl Iterator<Item = ContactId> + use<> {
        (0..self.contacts).map(ContactId::new)
    }

    /// The neighbours of V_k with more contacts.
    pub(crate) fn larger_neighbours(&self, closed: &ContactSet) -> Combinations<'_> {
        match self.kind {
            GraphKind::Complete => {
                let sizes = closed.len() as u32 + 1..=self.contacts;
                Combinations::of_all(self.contacts, sizes, &self.obstructions)
            }
            GraphKind::Subset => {
                let open = ContactSet::full(self.contacts).difference(closed);
                Combinations::above(closed, &open, &self.obstructions)
            }
        }
    }

    /// The neighbours of V_k, k > 0, with fewer contacts, but not V_0.
    pub(crate) fn smaller_neighbours(&self, closed: &ContactSet) -> Combinations<'_> {
        let sizes = 1..=(closed.len() as u32).saturating_sub(1);
        match self.kind {
            GraphKind::Complete => Combinations::of_all(self.contacts, sizes, &self.obstructions),
            GraphKind::Subset => Combinations::of_set(closed, sizes, &self.obstructions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(members: &[u32]) -> ContactSet {
        members.iter().copied().map(ContactId::new).collect()
    }

    /// Oracle: the definition, a union over all adjacent vertices.
    fn check_reachable(graph: &ContactCombinationGraph) {
        for k in graph.vertices() {
            let adjacent = graph.vertices().filter(|m| graph.is_edge(&k, m));
            let union = adjacent.fold(ContactSet::empty(), |union, m| union.union(&m));
            assert_eq!(graph.reachable_contacts(&k), union, "Π of {k:?} in {graph:?}");
            let sizes = |m: &ContactSet| m.len();
            let by_walk: Vec<ContactSet> = graph
                .smaller_neighbours(&k)
                .chain(graph.larger_neighbours(&k))
                .collect();
            assert!(by_walk.is_sorted_by_key(sizes));
            let mut by_test: Vec<ContactSet> = graph
                .vertices()
                .filter(|m| graph.is_edge(&k, m) && m.len() != k.len() && !m.is_empty())
                .collect();
            let mut by_walk = by_walk;
            by_walk.sort();
            by_test.sort();
            assert_eq!(by_walk, by_test, "neighbours of {k:?} in {graph:?}");
        }
    }

    #[test]
    fn reachable_contacts_are_the_union_over_the_neighbours() {
        for kind in [GraphKind::Complete, GraphKind::Subset] {
            for contacts in 0..=5 {
                check_reachable(
                    &ContactCombinationGraph::new(contacts, kind, Vec::new()).expect("no obstruction"),
                );
            }
        }
    }

    proptest! {
        #[test]
        fn reachable_contacts_with_obstructions(
            contacts in 1..6_usize,
            is_complete in any::<bool>(),
            seeds in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 1..4), 1..5),
        ) {
            let kind = if is_complete { GraphKind::Complete } else { GraphKind::Subset };
            let member = |seed: &u32| ContactId::new(seed % contacts as u32);
            let obstructions = seeds.iter().map(|seed| seed.iter().map(member).collect()).collect();
            check_reachable(&ContactCombinationGraph::new(contacts, kind, obstructions).expect("all known"));
        }
    }

    #[test]
    fn impossible_obstructions_are_refused() {
        let graph = |obstruction| ContactCombinationGraph::new(2, GraphKind::Complete, vec![obstruction]);
        assert_eq!(graph(set(&[])), Err(GraphError::EmptyObstruction { place: 0 }));
        let unknown = GraphError::UnknownContact {
            contact: ContactId::new(2),
            contacts: 2,
        };
        assert_eq!(graph(set(&[0, 2])), Err(unknown));
    }

    #[test]
    fn numbers_stay_when_vertices_are_left_out() {
        let graph =
            ContactCombinationGraph::new(3, GraphKind::Complete, vec![set(&[0, 1])]).expect("all known");
        let numbers: Vec<BigUint> = graph
            .vertices()
            .filter_map(|vertex| graph.index(&vertex))
            .collect();
        assert_eq!(numbers, [0_u32, 1, 2, 3, 5, 6].map(BigUint::from));
        assert_eq!(graph.vertex(&BigUint::from(4_u32)), None);
    }
}
