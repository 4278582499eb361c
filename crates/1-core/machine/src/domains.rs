//! The domain of every dynamical location \[SPEC §3 "Domains"; 000 §3.6\].
//!
//! ```text
//! Dom(s_k,i):  (∀n∈I_k: λ_N ≥ 0) ∧ (∀n∈Π_k∖I_k: g_N > 0 ∨ ġ_N > 0)
//!            ∧ (∀n∈st: ġ_T = 0 ∧ |λ_T| ≤ μ λ_N) ∧ (∀n∈tr: ġ_T = 0 ∧ g̈_T ≠ 0) ∧ (∀n∈sl: |ġ_T| > 0)
//! ```
//!
//! That no move of the table is made, with what a mode says of velocities and accelerations (the rows of C,ex).
//!
//! # Guarantee
//! Exact, for the locations of the automaton over `graph`.

use crate::condition::{Condition, Predicate, Quantity};
use crate::graph::ContactCombinationGraph;
use crate::guards::{none, others_open};
use crate::location::DynamicalLocation;
use crate::table::{Case, Move, Phase};
use dyverse_num::Relation;

/// The condition under which the system may stay in a dynamical location.
pub type Domain = Condition;

pub(crate) fn domain(graph: &ContactCombinationGraph, location: &DynamicalLocation) -> Domain {
    let closed = location.closed();
    let at_rest = Predicate::zero(Quantity::TangentialSpeed, Relation::Equal);
    let starting = Predicate::zero(Quantity::TangentialAcceleration, Relation::NotEqual);
    let holds = Case::of(Phase::Flow, Move::BreaksAway).negated();
    Condition::all(vec![
        none(closed, Move::Opens),
        others_open(graph, closed, closed),
        Condition::for_all(location.stick(), Predicate::And(vec![at_rest.clone(), holds])),
        Condition::for_all(location.trans().clone(), Predicate::And(vec![at_rest, starting])),
        none(location.slip(), Move::Stops),
    ])
}
