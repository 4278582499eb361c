//! The guard of every edge between vertices and nodes \[SPEC §3 "Guards"\].
//!
//! With k the vertex left, j the vertex entered, and Π_k the contacts of the neighbours of k:
//!
//! | edge             | guard                                                                            |
//! |------------------|----------------------------------------------------------------------------------|
//! | I_k,ex → C_k,en  | ∀n∈I_k: ġ_N = 0                                                                  |
//! | I_k,ex → C_j,en  | (∀n∈I_j: ġ_N = 0) ∧ (∀n∈I_k∖I_j: ġ_N > 0)                                        |
//! | I_k,ex → S_0     | ∀n∈I_k: ġ_N > 0                                                                  |
//! | s_k,i → C_k,en   | (∀n∈I_k: λ_N ≥ 0) ∧ quiet ∧ ((∃n∈st: ∣λ_T∣ > μ λ_N) ∨ (∃n∈sl: ġ_T = 0))          |
//! | C_k,ex → s_k,i   | (∀n∈st: g̈_T = 0 ∧ ġ_T = 0) ∧ (∀n∈tr: g̈_T ≠ 0 ∧ ġ_T = 0) ∧ (∀n∈sl: ∣ġ_T∣ > 0)     |
//! | s_k,i → s_k,j    | (∀n∈tr: ∣ġ_T∣ > 0) ∧ quiet ∧ (∀n∈I_k: λ_N ≥ 0)                                   |
//! | s_k,i → I_j,en   | (∀n∈I_j: g_N ≤ 0 ∧ ġ_N ≤ 0) ∧ (∀n∈Π_k∖I_j: g_N > 0 ∨ ġ_N > 0)                    |
//! | s_k,i → I_k,en   | the same with j = k, and ∃n∈I_k: ġ_N < 0                                           |
//! | s_k,i → C_j,en   | (∀n∈I_j: λ_N ≥ 0) ∧ (∀n∈I_k∖I_j: λ_N < 0)                                        |
//! | s_k,i → S_0      | ∀n∈I_k: λ_N < 0                                                                  |
//!
//! *quiet* is ∀n∈Π_k∖I_k: g_N > 0 ∨ ġ_N > 0. In s_k,i → I_j,en at least one n of I_j is not in I_k because
//! N_k < N_j: it is a fact about the edge ([`Edge::closing`]), not a test on the state.
//!
//! # Guarantee
//! Exact, for the edges of the automaton over `graph`.

use crate::condition::{Condition, Predicate, Quantity, Relation};
use crate::contact_set::ContactSet;
use crate::edges::{Edge, Rule};
use crate::graph::ContactCombinationGraph;
use crate::location::{DynamicalLocation, Location};

/// The condition under which an edge may be taken.
pub type Guard = Condition;

pub(crate) fn guard(graph: &ContactCombinationGraph, edge: &Edge) -> Guard {
    let (k, j) = (edge.from().closed(), edge.to().closed());
    match edge.rule() {
        Rule::R1 | Rule::R2 | Rule::R8a => Condition::all(vec![
            every(j, Quantity::NormalVelocity, Relation::Equal),
            every(&k.difference(j), Quantity::NormalVelocity, Relation::Greater),
        ]),
        Rule::R3 => with_location(edge.from(), |from| leaves_modes(graph, from)),
        Rule::R4 | Rule::R4b => with_location(edge.to(), enters_modes),
        Rule::R5 => with_location(edge.from(), |from| begins_to_slip(graph, from)),
        Rule::R6 | Rule::R8b => closes(graph, k, j),
        Rule::R6b => Condition::all(vec![
            closes(graph, k, j),
            Condition::exists(
                j.clone(),
                Predicate::zero(Quantity::NormalVelocity, Relation::Less),
            ),
        ]),
        Rule::R7 | Rule::R8c => Condition::all(vec![
            every(j, Quantity::NormalForce, Relation::AtLeast),
            every(&k.difference(j), Quantity::NormalForce, Relation::Less),
        ]),
    }
}

/// ∀n∈`over`: `quantity` `relation` 0.
fn every(over: &ContactSet, quantity: Quantity, relation: Relation) -> Condition {
    Condition::for_all(over.clone(), Predicate::zero(quantity, relation))
}

/// ∀n∈Π_k∖`but`: g_N > 0 ∨ ġ_N > 0.
pub(crate) fn others_open(graph: &ContactCombinationGraph, k: &ContactSet, but: &ContactSet) -> Condition {
    let open = Predicate::Or(vec![
        Predicate::zero(Quantity::Gap, Relation::Greater),
        Predicate::zero(Quantity::NormalVelocity, Relation::Greater),
    ]);
    Condition::for_all(graph.reachable_contacts(k).difference(but), open)
}

fn with_location(location: &Location, guard: impl Fn(&DynamicalLocation) -> Guard) -> Guard {
    match location {
        Location::Dynamical(location) => guard(location),
        Location::Entrance(_) | Location::Exit(_) => unreachable!("bug: rules 3 to 5 end or begin in s_k,i"),
    }
}

fn leaves_modes(graph: &ContactCombinationGraph, from: &DynamicalLocation) -> Guard {
    let breaks_away = Predicate::friction(Quantity::TangentialForce, Relation::Greater);
    let stops = Predicate::zero(Quantity::TangentialSpeed, Relation::Equal);
    Condition::all(vec![
        every(from.closed(), Quantity::NormalForce, Relation::AtLeast),
        others_open(graph, from.closed(), from.closed()),
        Condition::any(vec![
            Condition::exists(from.stick(), breaks_away),
            Condition::exists(from.slip().clone(), stops),
        ]),
    ])
}

fn enters_modes(to: &DynamicalLocation) -> Guard {
    let at_rest = |acceleration: Relation| {
        Predicate::And(vec![
            Predicate::zero(Quantity::TangentialAcceleration, acceleration),
            Predicate::zero(Quantity::TangentialSpeed, Relation::Equal),
        ])
    };
    Condition::all(vec![
        Condition::for_all(to.stick(), at_rest(Relation::Equal)),
        Condition::for_all(to.trans().clone(), at_rest(Relation::NotEqual)),
        every(to.slip(), Quantity::TangentialSpeed, Relation::Greater),
    ])
}

fn begins_to_slip(graph: &ContactCombinationGraph, from: &DynamicalLocation) -> Guard {
    Condition::all(vec![
        every(from.trans(), Quantity::TangentialSpeed, Relation::Greater),
        others_open(graph, from.closed(), from.closed()),
        every(from.closed(), Quantity::NormalForce, Relation::AtLeast),
    ])
}

fn closes(graph: &ContactCombinationGraph, k: &ContactSet, j: &ContactSet) -> Guard {
    let closing = Predicate::And(vec![
        Predicate::zero(Quantity::Gap, Relation::AtMost),
        Predicate::zero(Quantity::NormalVelocity, Relation::AtMost),
    ]);
    Condition::all(vec![
        Condition::for_all(j.clone(), closing),
        others_open(graph, k, j),
    ])
}
