//! The inside of a computation node: SORPROX as locations and edges \[SPEC §3 "Computation nodes", §4; 001 §4\].
//!
//! With N contacts, the i-th of them (ascending) called n:
//!
//! | edge                   | guard               | reset                              |
//! |------------------------|---------------------|------------------------------------|
//! | en → 1                 | true                | λ_N := 0, λ_T := 0                 |
//! | i → i+1                | Φ_N,n ≥ 0           | λ_N,n := Φ_N,n                     |
//! | i → i+1                | Φ_N,n < 0           | λ_N,n := 0                         |
//! | N+i → N+i+1            | ∣Φ_T,n∣ ≤ μ_n λ_N,n | λ_T,n := Φ_T,n                     |
//! | N+i → N+i+1            | ∣Φ_T,n∣ > μ_n λ_N,n | λ_T,n := μ_n λ_N,n Φ_T,n/∣Φ_T,n∣   |
//! | 2N+i → 2N+i+1          | ∣Δλ_N,n∣ < ε        | identity                           |
//! | 2N+i → 1               | ∣Δλ_N,n∣ ≥ ε        | identity                           |
//! | 3N+i → 3N+i+1          | ∣Δλ_T,n∣ < ε        | identity                           |
//! | 3N+i → 1               | ∣Δλ_T,n∣ ≥ ε        | identity                           |
//! | 4N+1 → ex              | true                | impulses or forces are applied     |
//!
//! Δ is the change in the sweep just made. The projection keeps the sign of Φ_T \[SPEC §9.4\].
//!
//! # Guarantee
//! Exact: 4N + 3 locations and 8N + 2 edges, each once, in the order of the table.

use crate::condition::Condition;
use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use crate::location::{ComputationNode, NodeKind};
use crate::resets::Reset;
use crate::table::{Case, Move, Phase};

/// A location inside a computation node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InnerLocation {
    /// en.
    Entrance,
    /// 1 … 4N + 1 of SORPROX; where an impact is a sequence of collisions, as many of them were made.
    Step(usize),
    /// ex.
    Exit,
}

/// An edge inside a computation node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerEdge {
    from: InnerLocation,
    to: InnerLocation,
    guard: Condition,
    reset: Reset,
}

impl InnerEdge {
    /// What stands for the rule of an edge inside a node, where edges outside have the number of theirs.
    pub const RULE: &'static str = "node";

    /// Where the edge begins.
    #[must_use]
    pub fn from(&self) -> InnerLocation {
        self.from
    }

    /// Where the edge ends.
    #[must_use]
    pub fn to(&self) -> InnerLocation {
        self.to
    }

    /// The condition under which the edge is taken.
    #[must_use]
    pub fn guard(&self) -> &Condition {
        &self.guard
    }

    /// What the edge does to the state.
    #[must_use]
    pub fn reset(&self) -> &Reset {
        &self.reset
    }
}

impl ComputationNode {
    /// 4N + 3, the number of locations inside.
    #[must_use]
    pub fn inner_location_count(&self) -> usize {
        4 * self.closed().len() + 3
    }

    /// 8N + 2, the number of edges inside.
    #[must_use]
    pub fn inner_edge_count(&self) -> usize {
        8 * self.closed().len() + 2
    }

    /// en, 1 … 4N + 1, ex.
    pub fn inner_locations(&self) -> impl Iterator<Item = InnerLocation> + use<> {
        let steps = (1..=4 * self.closed().len() + 1).map(InnerLocation::Step);
        std::iter::once(InnerLocation::Entrance)
            .chain(steps)
            .chain([InnerLocation::Exit])
    }

    /// The edges inside, in the order of the locations they leave.
    #[must_use]
    pub fn inner_edges(&self) -> InnerEdges<'_> {
        InnerEdges {
            node: self,
            contacts: self.closed().iter().collect(),
            made: 0,
        }
    }
}

/// The edges inside a computation node.
#[derive(Clone, Debug)]
pub struct InnerEdges<'a> {
    node: &'a ComputationNode,
    contacts: Vec<ContactId>,
    made: usize,
}

impl InnerEdges<'_> {
    /// The edge after `made` others: the first is en → 1, then two leave each step, the last is → ex.
    fn edge(&self, made: usize) -> Option<InnerEdge> {
        let count = self.contacts.len();
        if made == 0 {
            let reset = Reset::ClearForces(self.node.closed().clone());
            return Some(plain(InnerLocation::Entrance, InnerLocation::Step(1), reset));
        }
        let (step, is_second) = ((made - 1) / 2, (made - 1) % 2 == 1);
        if let Some(&contact) = self.contacts.get(step.checked_rem(count)?)
            && step < 4 * count
        {
            return Some(step_edge(step + 1, step / count, contact, is_second));
        }
        (made == 8 * count + 1).then(|| {
            let closed = self.node.closed().clone();
            let reset = match self.node.kind() {
                NodeKind::Impact => Reset::ApplyImpulses(closed),
                NodeKind::Contact => Reset::ApplyForces(closed),
            };
            plain(InnerLocation::Step(4 * count + 1), InnerLocation::Exit, reset)
        })
    }
}

impl Iterator for InnerEdges<'_> {
    type Item = InnerEdge;

    fn next(&mut self) -> Option<InnerEdge> {
        let edge = self.edge(self.made)?;
        self.made += 1;
        Some(edge)
    }
}

fn plain(from: InnerLocation, to: InnerLocation, reset: Reset) -> InnerEdge {
    InnerEdge {
        from,
        to,
        guard: Condition::True,
        reset,
    }
}

/// One of the two edges that leave a step; `block` is 0 … 3, a row pair of the header's table.
fn step_edge(step: usize, block: usize, contact: ContactId, is_second: bool) -> InnerEdge {
    let (phase, [first, second]) = match block {
        0 => (Phase::NormalEstimate, [Move::Takes, Move::TakesZero]),
        1 => (Phase::TangentialEstimate, [Move::Takes, Move::Projects]),
        2 => (Phase::NormalTest, [Move::Converged, Move::Moved]),
        _ => (Phase::TangentialTest, [Move::Converged, Move::Moved]),
    };
    let does = if is_second { second } else { first };
    let reset = match (phase, does) {
        (Phase::NormalEstimate, Move::Takes) => Reset::TakeNormalEstimate(contact),
        (Phase::NormalEstimate, _) => Reset::ZeroNormalForce(contact),
        (Phase::TangentialEstimate, Move::Takes) => Reset::TakeTangentialEstimate(contact),
        (Phase::TangentialEstimate, _) => Reset::ProjectTangentialEstimate(contact),
        _ => Reset::Identity,
    };
    let to = InnerLocation::Step(if does == Move::Moved { 1 } else { step + 1 });
    let guard = Condition::for_all(ContactSet::single(contact), Case::of(phase, does).predicate());
    InnerEdge {
        from: InnerLocation::Step(step),
        to,
        guard,
        reset,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(kind: NodeKind, contacts: u32) -> ComputationNode {
        ComputationNode::new(kind, ContactSet::full(contacts)).expect("at least one contact")
    }

    #[test]
    fn counts_are_four_n_plus_three_and_eight_n_plus_two() {
        for contacts in [1, 2, 3, 7, 70] {
            let node = node(NodeKind::Impact, contacts);
            assert_eq!(node.inner_locations().count(), node.inner_location_count());
            assert_eq!(node.inner_edges().count(), node.inner_edge_count());
            assert_eq!(node.inner_location_count(), 4 * contacts as usize + 3);
            assert_eq!(node.inner_edge_count(), 8 * contacts as usize + 2);
        }
    }

    /// Oracle: the list of inner edges in SPEC §3, by N + i arithmetic.
    #[test]
    fn edges_join_the_locations_of_the_specification() {
        let n = 3;
        let step = InnerLocation::Step;
        let mut expected = vec![(InnerLocation::Entrance, step(1))];
        expected.extend((1..=2 * n).flat_map(|i| [(step(i), step(i + 1)); 2]));
        expected.extend((2 * n + 1..=4 * n).flat_map(|i| [(step(i), step(i + 1)), (step(i), step(1))]));
        expected.push((step(4 * n + 1), InnerLocation::Exit));
        let node = node(NodeKind::Contact, 3);
        let made: Vec<_> = node.inner_edges().map(|edge| (edge.from(), edge.to())).collect();
        assert_eq!(made, expected);
    }

    #[test]
    fn only_the_last_edge_tells_impact_from_contact() {
        let (impact, contact) = (node(NodeKind::Impact, 2), node(NodeKind::Contact, 2));
        let pairs: Vec<_> = impact.inner_edges().zip(contact.inner_edges()).collect();
        let (last, rest) = pairs.split_last().expect("not empty");
        assert!(rest.iter().all(|(a, b)| a == b));
        assert_eq!(*last.0.reset(), Reset::ApplyImpulses(ContactSet::full(2)));
        assert_eq!(*last.1.reset(), Reset::ApplyForces(ContactSet::full(2)));
    }

    #[test]
    fn there_is_no_node_without_contacts() {
        assert_eq!(ComputationNode::new(NodeKind::Impact, ContactSet::empty()), None);
    }
}
