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
//! Every predicate is a row of the table (`table.rs`), or its negation: what is printed is what is executed.
//!
//! # Guarantee
//! Exact, for the edges of the automaton over `graph`.

use crate::condition::Condition;
use crate::contact_set::ContactSet;
use crate::edges::{Edge, Rule};
use crate::graph::ContactCombinationGraph;
use crate::location::{DynamicalLocation, Location};
use crate::table::{Case, Move, Phase};

/// The condition under which an edge may be taken.
pub type Guard = Condition;

pub(crate) fn guard(graph: &ContactCombinationGraph, edge: &Edge) -> Guard {
    let (k, j) = (edge.from().closed(), edge.to().closed());
    match edge.rule() {
        Rule::R1 | Rule::R2 | Rule::R8a => Condition::all(vec![
            every(j, Phase::ImpactExit, Move::Stays),
            every(&k.difference(j), Phase::ImpactExit, Move::Leaves),
        ]),
        Rule::R3 => with_location(edge.from(), |from| leaves_modes(graph, from)),
        Rule::R4 | Rule::R4b => with_location(edge.to(), enters_modes),
        Rule::R5 => with_location(edge.from(), |from| begins_to_slip(graph, from)),
        Rule::R6 | Rule::R8b => closes(graph, k, j),
        Rule::R6b => Condition::all(vec![
            closes(graph, k, j),
            Condition::exists(
                j.clone(),
                Case::of(Phase::ImpactEntrance, Move::Strikes).predicate(),
            ),
        ]),
        Rule::R7 | Rule::R8c => Condition::all(vec![
            none(j, Move::Opens),
            every(&k.difference(j), Phase::Flow, Move::Opens),
        ]),
    }
}

fn closes(graph: &ContactCombinationGraph, k: &ContactSet, j: &ContactSet) -> Guard {
    Condition::all(vec![
        every(j, Phase::Flow, Move::Closes),
        others_open(graph, k, j),
    ])
}

/// Every contact of `over` makes a move.
fn every(over: &ContactSet, phase: Phase, does: Move) -> Condition {
    Condition::for_all(over.clone(), Case::of(phase, does).predicate())
}

/// No contact of `over` makes a move of a location.
pub(crate) fn none(over: &ContactSet, does: Move) -> Condition {
    Condition::for_all(over.clone(), Case::of(Phase::Flow, does).negated())
}

/// ∀n∈Π_k∖`but`: g_N > 0 ∨ ġ_N > 0.
pub(crate) fn others_open(graph: &ContactCombinationGraph, k: &ContactSet, but: &ContactSet) -> Condition {
    none(&graph.reachable_contacts(k).difference(but), Move::Closes)
}

fn with_location(location: &Location, guard: impl Fn(&DynamicalLocation) -> Guard) -> Guard {
    match location {
        Location::Dynamical(location) => guard(location),
        Location::Entrance(_) | Location::Exit(_) => unreachable!("bug: rules 3 to 5 end or begin in s_k,i"),
    }
}

fn leaves_modes(graph: &ContactCombinationGraph, from: &DynamicalLocation) -> Guard {
    let some =
        |over: ContactSet, does: Move| Condition::exists(over, Case::of(Phase::Flow, does).predicate());
    Condition::all(vec![
        none(from.closed(), Move::Opens),
        others_open(graph, from.closed(), from.closed()),
        Condition::any(vec![
            some(from.stick(), Move::BreaksAway),
            some(from.slip().clone(), Move::Stops),
        ]),
    ])
}

fn enters_modes(to: &DynamicalLocation) -> Guard {
    Condition::all(vec![
        every(&to.stick(), Phase::ContactExit, Move::Sticks),
        every(to.trans(), Phase::ContactExit, Move::Starts),
        every(to.slip(), Phase::ContactExit, Move::Slips),
    ])
}

fn begins_to_slip(graph: &ContactCombinationGraph, from: &DynamicalLocation) -> Guard {
    Condition::all(vec![
        every(from.trans(), Phase::Flow, Move::BeginsToSlip),
        others_open(graph, from.closed(), from.closed()),
        none(from.closed(), Move::Opens),
    ])
}
