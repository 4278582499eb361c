//! The MRB hybrid automaton in memory: every location with domain and vector field, every edge with guard
//! and reset \[SPEC §3\].
//!
//! # Guarantee
//! Holds exactly what the lazy [`HybridAutomaton`] gives, in the same order. Asks for the size first:
//! above the limit, or where the size cannot be found, nothing is built and the error says why.

use crate::automaton::HybridAutomaton;
use crate::condition::{Condition, Predicate};
use crate::domains::Domain;
use crate::edges::Edge;
use crate::f_vector::CountTooHard;
use crate::guards::Guard;
use crate::location::{ComputationNode, DynamicalLocation, Location};
use crate::resets::Reset;
use crate::size::AutomatonSize;
use crate::vector_field::VectorField;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// How big an automaton may be built in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildLimit {
    edges: BigUint,
}

impl BuildLimit {
    /// At most this many edges, those of rules 4b and 6b included.
    #[must_use]
    pub fn edges(edges: u64) -> Self {
        Self {
            edges: BigUint::from(edges),
        }
    }
}

impl Default for BuildLimit {
    /// Two million edges: four balls (231 347) fit, five (977 905 935) do not.
    fn default() -> Self {
        Self::edges(2_000_000)
    }
}

/// The automaton has more edges than the limit; nothing was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooBig {
    locations: BigUint,
    edges: BigUint,
    limit: BigUint,
}

impl TooBig {
    /// The number of dynamical locations it would have.
    #[must_use]
    pub fn locations(&self) -> &BigUint {
        &self.locations
    }

    /// The number of edges it would have, those of rules 4b and 6b included.
    #[must_use]
    pub fn edges(&self) -> &BigUint {
        &self.edges
    }

    /// The number of edges allowed.
    #[must_use]
    pub fn limit(&self) -> &BigUint {
        &self.limit
    }

    /// An estimate, not a bound, of the memory it would take.
    #[must_use]
    pub fn estimated_bytes(&self) -> BigUint {
        &self.edges * BYTES_PER_EDGE + &self.locations * BYTES_PER_LOCATION
    }
}

/// A typical guard: two quantified conditions with two atoms each.
const BYTES_PER_EDGE: usize =
    size_of::<StoredEdge>() + 2 * size_of::<Condition>() + 4 * size_of::<Predicate>();

/// A typical domain: five quantified conditions, and the key of the location among those with out-edges.
const BYTES_PER_LOCATION: usize = size_of::<StoredLocation>()
    + 5 * size_of::<Condition>()
    + 6 * size_of::<Predicate>()
    + size_of::<Location>();

/// Why an automaton was not built in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// It has more edges than the limit.
    TooBig(TooBig),
    /// Its size could not be found.
    CountTooHard(CountTooHard),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooBig(TooBig {
                locations,
                edges,
                limit,
            }) => write!(
                f,
                "the automaton has {locations} dynamical locations and {edges} edges; the limit for building \
                 it in memory is {limit} edges"
            ),
            Self::CountTooHard(error) => {
                write!(f, "the automaton is not built, as its size is unknown: {error}")
            }
        }
    }
}

impl Error for BuildError {}

/// A dynamical location with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredLocation {
    location: DynamicalLocation,
    domain: Domain,
    vector_field: VectorField,
}

impl StoredLocation {
    /// The location.
    #[must_use]
    pub fn location(&self) -> &DynamicalLocation {
        &self.location
    }

    /// Its domain.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Its vector field.
    #[must_use]
    pub fn vector_field(&self) -> &VectorField {
        &self.vector_field
    }
}

/// An edge with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEdge {
    edge: Edge,
    guard: Guard,
    reset: Reset,
}

impl StoredEdge {
    /// The edge.
    #[must_use]
    pub fn edge(&self) -> &Edge {
        &self.edge
    }

    /// Its guard.
    #[must_use]
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Its reset.
    #[must_use]
    pub fn reset(&self) -> &Reset {
        &self.reset
    }
}

/// A whole automaton in memory.
#[derive(Clone, Debug)]
pub struct EagerAutomaton {
    size: AutomatonSize,
    locations: Vec<StoredLocation>,
    nodes: Vec<ComputationNode>,
    edges: Vec<StoredEdge>,
    /// Where in `edges` the out-edges of a location are.
    out_edges: BTreeMap<Location, Range<usize>>,
}

impl EagerAutomaton {
    /// Builds all of `automaton`.
    ///
    /// # Errors
    /// [`BuildError`] where it is bigger than `limit`, or where its size cannot be found.
    pub fn build(automaton: &HybridAutomaton, limit: &BuildLimit) -> Result<Self, BuildError> {
        let size = automaton.size().map_err(BuildError::CountTooHard)?;
        let edges = size.all_edges();
        if edges > limit.edges {
            let locations = size.dynamical_locations().clone();
            return Err(BuildError::TooBig(TooBig {
                locations,
                edges,
                limit: limit.edges.clone(),
            }));
        }
        let (locations, nodes) = (Vec::new(), Vec::new());
        let mut built = Self {
            size,
            locations,
            nodes,
            edges: Vec::new(),
            out_edges: BTreeMap::new(),
        };
        for location in automaton.locations() {
            built.add_out_edges(automaton, &location);
            built.add_location(automaton, location);
        }
        Ok(built)
    }

    fn add_out_edges(&mut self, automaton: &HybridAutomaton, location: &Location) {
        let begin = self.edges.len();
        self.edges
            .extend(automaton.out_edges(location).map(|edge| StoredEdge {
                guard: automaton.guard(&edge),
                reset: automaton.reset(&edge),
                edge,
            }));
        if self.edges.len() > begin {
            self.out_edges.insert(location.clone(), begin..self.edges.len());
        }
    }

    fn add_location(&mut self, automaton: &HybridAutomaton, location: Location) {
        match location {
            Location::Dynamical(location) => self.locations.push(StoredLocation {
                domain: automaton.domain(&location),
                vector_field: automaton.vector_field(&location),
                location,
            }),
            Location::Entrance(node) => self.nodes.push(node),
            Location::Exit(_) => {}
        }
    }

    /// How many of everything there is.
    #[must_use]
    pub fn size(&self) -> &AutomatonSize {
        &self.size
    }

    /// The dynamical locations, in the order of [`HybridAutomaton::locations`].
    #[must_use]
    pub fn locations(&self) -> &[StoredLocation] {
        &self.locations
    }

    /// The computation nodes: for each k > 0 the impact node, then the contact node.
    #[must_use]
    pub fn nodes(&self) -> &[ComputationNode] {
        &self.nodes
    }

    /// The edges, in the order of [`HybridAutomaton::edges`].
    #[must_use]
    pub fn edges(&self) -> &[StoredEdge] {
        &self.edges
    }

    /// The edges that leave `location`; none where the automaton does not have the location.
    #[must_use]
    pub fn out_edges(&self, location: &Location) -> &[StoredEdge] {
        self.out_edges
            .get(location)
            .map_or(&[], |range| &self.edges[range.clone()])
    }
}
