//! What edges do to the state \[SPEC §3 "Resets", §4\].
//!
//! Every edge between vertices and nodes leaves the state as it is: what changes it is inside the nodes.
//!
//! # Guarantee
//! Exact, as data: no matrix is formed here.

use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use crate::edges::Edge;

/// What an edge does to the state. In an impact node λ is an impulse Λ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reset {
    /// Nothing changes.
    Identity,
    /// λ_N := 0 and λ_T := 0 for these contacts.
    ClearForces(ContactSet),
    /// λ_N := Φ_N.
    TakeNormalEstimate(ContactId),
    /// λ_N := 0.
    ZeroNormalForce(ContactId),
    /// λ_T := Φ_T.
    TakeTangentialEstimate(ContactId),
    /// λ_T := μ λ_N Φ_T/|Φ_T|.
    ProjectTangentialEstimate(ContactId),
    /// u := u + M⁻¹ (W_N Λ_N + W_T Λ_T) over these contacts.
    ApplyImpulses(ContactSet),
    /// u̇ := M⁻¹ (h + W_N λ_N + W_T λ_T) over these contacts, with the forces kept; u stays.
    ApplyForces(ContactSet),
}

/// The reset of an edge between vertices and nodes: none changes the state.
pub(crate) fn reset(_edge: &Edge) -> Reset {
    Reset::Identity
}
