//! How many edges of the automaton join two vertices: what one line of a drawn graph stands for \[SPEC §3\].
//!
//! For an edge (k, l) of the graph with N_k < N_l, that is I_k the smaller combination:
//!
//! | direction | rules        | edges            |
//! |-----------|--------------|------------------|
//! | up, k = 0 | 8            | 1                |
//! | up, k > 0 | 6            | 3^N_k            |
//! | down      | 2 and 7, or 8 | 1 + 3^N_l       |
//!
//! Vertices of one size are joined in the complete graph, but by no edge of the automaton.
//!
//! # Guarantee
//! Exact; compared with a walk over all edges in the tests.

use dyverse_machine::{BigUint, ContactSet};

/// The automaton's edges between a vertex and a larger one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Traffic {
    /// From the smaller combination to the larger one: contacts close.
    pub(crate) up: BigUint,
    /// From the larger combination to the smaller one: contacts open.
    pub(crate) down: BigUint,
}

impl Traffic {
    /// Between two joined vertices; none where neither combination is larger.
    pub(crate) fn between(one: &ContactSet, other: &ContactSet) -> Option<Self> {
        let (smaller, larger) = (one.len().min(other.len()), one.len().max(other.len()));
        (smaller < larger).then(|| Self {
            up: locations_of(smaller),
            down: locations_of(larger) + 1_u32,
        })
    }
}

/// 3ⁿ, the dynamical locations of a vertex with `n` contacts.
pub(crate) fn locations_of(n: usize) -> BigUint {
    BigUint::from(3_u32).pow(u32::try_from(n).unwrap_or(u32::MAX))
}

/// The edges inside one vertex with `n` contacts, by rules 1, 3, 4, 4b, 5 and 6b: 1 + 2ⁿ + 3ⁿ + (3ⁿ − 2ⁿ) + 3ⁿ.
pub(crate) fn edges_inside(n: usize) -> BigUint {
    if n == 0 {
        return BigUint::ZERO;
    }
    locations_of(n) * 3_u32 + 1_u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_machine::{ContactList, GraphKind, HybridAutomaton};

    /// Oracle: a walk over every edge of three balls.
    #[test]
    fn traffic_is_what_a_walk_over_the_edges_counts() {
        let contacts = ContactList::of_all_pairs(&["a", "b", "c"]);
        for kind in [GraphKind::Complete, GraphKind::Subset] {
            let automaton = HybridAutomaton::new(contacts.clone(), kind, Vec::new()).expect("a graph");
            let walked = |from: &ContactSet, to: &ContactSet| {
                let joins =
                    |edge: &dyverse_machine::Edge| edge.from().closed() == from && edge.to().closed() == to;
                BigUint::from(automaton.edges().filter(joins).count())
            };
            for k in automaton.graph().vertices() {
                assert_eq!(walked(&k, &k), edges_inside(k.len()));
                for l in automaton
                    .graph()
                    .vertices()
                    .filter(|l| automaton.graph().is_edge(&k, l))
                {
                    match Traffic::between(&k, &l) {
                        Some(traffic) if k.len() < l.len() => assert_eq!(walked(&k, &l), traffic.up),
                        Some(traffic) => assert_eq!(walked(&k, &l), traffic.down),
                        None => assert_eq!(walked(&k, &l), BigUint::ZERO),
                    }
                }
            }
        }
    }
}
