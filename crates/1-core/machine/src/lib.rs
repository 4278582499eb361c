//! The multi-rigid-body (MRB) hybrid automaton H = (S, E, X, Dom, F, Init, G, R) as data \[SPEC §3\].
//!
//! **In:** a [`ContactList`], a [`GraphKind`], and the contact combinations that the geometry rules out.
//! **Out:** a [`HybridAutomaton`], which decodes every location from its index and makes out-edges on
//! demand, or an [`EagerAutomaton`], which holds all of them with guards, resets and domains.
//!
//! | paper            | here                                                            |
//! |------------------|-----------------------------------------------------------------|
//! | I, P             | [`ContactList`], [`ContactList::len`]                           |
//! | I_k              | [`ContactSet`]                                                  |
//! | V_k, (k, l), Π_k | [`ContactCombinationGraph`]                                     |
//! | s_k,i, S_0       | [`DynamicalLocation`]                                           |
//! | I_k, C_k         | [`ComputationNode`], inside: [`InnerLocation`], [`InnerEdge`]   |
//! | E                | [`Edge`], [`Rule`]                                              |
//! | G, Dom           | [`Condition`]                                                   |
//! | R                | [`Reset`]                                                       |
//! | F                | [`VectorField`]                                                 |
//!
//! # Guarantee
//! Exact: every count is an exact integer, every edge of rules 1–8, 4b and 6b comes once, and the same
//! input gives the same order. Where a count would take too long the answer is [`CountTooHard`].
//!
//! # Not here
//! Text, files, numbers of mechanics: a guard says *what* must hold, [`ContactValues`] says whether it does.
//!
//! # Example
//! ```
//! use dyverse_machine::{Contact, ContactList, GraphKind, HybridAutomaton};
//! let contacts = ContactList::new(vec![Contact::new("ab", "a", "b")]);
//! let automaton = HybridAutomaton::new(contacts, GraphKind::Complete, Vec::new())?;
//! assert_eq!(automaton.size()?.edges().to_string(), "11");
//! let first = automaton.edges().next().ok_or("no edge")?;
//! assert_eq!(automaton.notation().edge(&first), "S_0 → I_1,en");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod automaton;
mod combination;
mod condition;
mod contact_list;
mod contact_set;
mod domains;
mod eager;
mod edges;
mod f_vector;
mod graph;
mod guards;
mod location;
mod margin;
mod named;
mod node;
mod notation;
mod out_edges;
mod resets;
mod revolving_door;
mod size;
mod successor;
mod table;
mod vector_field;
mod walk;

pub use automaton::HybridAutomaton;
pub use combination::{vertex_index, vertex_set};
pub use condition::{Atom, Bound, Condition, ContactValues, Predicate, Quantity};
pub use contact_list::{Contact, ContactId, ContactList};
pub use contact_set::{ContactSet, Contacts};
pub use domains::Domain;
pub use dyverse_num::Relation;
pub use eager::{BuildError, BuildLimit, EagerAutomaton, StoredEdge, StoredLocation, TooBig};
pub use edges::{Edge, Rule};
pub use f_vector::CountTooHard;
pub use graph::{ContactCombinationGraph, GraphError, GraphKind};
pub use guards::Guard;
pub use location::{ComputationNode, DynamicalLocation, FrictionMode, Location, Modes, NodeKind};
pub use margin::{ContactQuantities, Thresholds};
pub use named::NamedPlace;
pub use node::{InnerEdge, InnerEdges, InnerLocation};
pub use notation::Notation;
pub use out_edges::OutEdges;
pub use resets::Reset;
pub use revolving_door::Vertices;
pub use size::AutomatonSize;
pub use successor::{Elsewhere, Stage, choices, successor};
pub use table::{Case, Move, Moves, Phase, Standing, TABLE, moves};
pub use vector_field::{ForceTerm, VectorField};
pub use walk::{Edges, Locations};

/// The integers of vertex numbers, location numbers and counts; re-exported so that users share one version.
pub use num_bigint::BigUint;
