//! The size of an automaton in closed form, without building it \[SPEC §3\].
//!
//! With a_n vertices of size n (in both graphs the family is closed downwards, so a vertex of size n has
//! C(n, m) vertices of size m below it) each rule's count is one sum over n ≥ 1:
//!
//! | rule | complete                    | subset               |
//! |------|-----------------------------|----------------------|
//! | 1    | Σ a_n                       | the same             |
//! | 2    | Σ a_n Σ_{0<m<n} a_m         | Σ a_n (2ⁿ − 2)       |
//! | 3    | Σ a_n 2ⁿ                    | the same             |
//! | 4    | Σ a_n (3ⁿ − 1)              | the same             |
//! | 4b   | Σ a_n                       | the same             |
//! | 5    | Σ a_n (3ⁿ − 2ⁿ)             | the same             |
//! | 6    | Σ a_n Σ_{0<m<n} a_m 3ᵐ      | Σ a_n (4ⁿ − 3ⁿ − 1)  |
//! | 6b   | Σ a_n 3ⁿ                    | the same             |
//! | 7    | Σ a_n 3ⁿ Σ_{0<m<n} a_m      | Σ a_n 3ⁿ (2ⁿ − 2)    |
//! | 8    | Σ a_n (1 + 1 + 3ⁿ)          | the same             |
//!
//! The inner sums are running totals, so the whole takes O(P) multiplications of big integers.
//! S_0 → I_j,en satisfies rules 6 and 8; it is counted once, under 8.
//!
//! # Guarantee
//! Exact.

use crate::edges::Rule;
use crate::f_vector::{CountTooHard, f_vector};
use crate::graph::{ContactCombinationGraph, GraphKind};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// How many of everything an automaton has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonSize {
    contacts: u32,
    vertices_by_size: Vec<BigUint>,
    vertices: BigUint,
    graph_edges: BigUint,
    dynamical_locations: BigUint,
    by_rule: BTreeMap<Rule, BigUint>,
}

impl AutomatonSize {
    /// The size of the automaton over `graph`.
    ///
    /// # Errors
    /// [`CountTooHard`] where the obstructions make counting too much work.
    pub fn of(graph: &ContactCombinationGraph) -> Result<Self, CountTooHard> {
        let vertices_by_size = f_vector(graph)?;
        let vertices: BigUint = vertices_by_size.iter().sum();
        let mut sums = Sums::default();
        for (n, count) in (1..).zip(&vertices_by_size[1..]) {
            sums.add_size(n, count, graph.kind());
        }
        let graph_edges = match graph.kind() {
            GraphKind::Complete => &vertices * (&vertices - 1_u32) / 2_u32,
            GraphKind::Subset => sums.proper_subsets,
        };
        Ok(Self {
            contacts: graph.contacts(),
            vertices_by_size,
            vertices,
            graph_edges,
            dynamical_locations: sums.locations + 1_u32,
            by_rule: sums.by_rule,
        })
    }

    /// P, the number of contacts.
    #[must_use]
    pub fn contacts(&self) -> u32 {
        self.contacts
    }

    /// The number of vertices of the contact combination graph.
    #[must_use]
    pub fn vertices(&self) -> &BigUint {
        &self.vertices
    }

    /// a_0, a_1, …: the vertices by N_k, up to the largest N_k that occurs.
    #[must_use]
    pub fn vertices_by_size(&self) -> &[BigUint] {
        &self.vertices_by_size
    }

    /// The number of (undirected) edges of the contact combination graph.
    #[must_use]
    pub fn graph_edges(&self) -> &BigUint {
        &self.graph_edges
    }

    /// The number of dynamical locations, S_0 among them.
    #[must_use]
    pub fn dynamical_locations(&self) -> &BigUint {
        &self.dynamical_locations
    }

    /// The number of impact nodes.
    #[must_use]
    pub fn impact_nodes(&self) -> BigUint {
        &self.vertices - 1_u32
    }

    /// The number of contact nodes.
    #[must_use]
    pub fn contact_nodes(&self) -> BigUint {
        &self.vertices - 1_u32
    }

    /// The number of edges by rules 1–8, without rules 4b and 6b, as in Table 2 of 000.
    #[must_use]
    pub fn edges(&self) -> BigUint {
        self.by_rule
            .iter()
            .filter(|(rule, _)| !rule.is_apart())
            .map(|(_, count)| count)
            .sum()
    }

    /// The number of edges by rule 4b, which are not among [`edges`](Self::edges).
    #[must_use]
    pub fn all_slip_edges(&self) -> BigUint {
        self.edges_by_rule(Rule::R4b)
    }

    /// The number of edges by rule 6b, which are not among [`edges`](Self::edges).
    #[must_use]
    pub fn struck_again_edges(&self) -> BigUint {
        self.edges_by_rule(Rule::R6b)
    }

    /// The number of edges by all rules.
    #[must_use]
    pub fn all_edges(&self) -> BigUint {
        self.by_rule.values().sum()
    }

    /// The number of edges by one rule.
    #[must_use]
    pub fn edges_by_rule(&self, rule: Rule) -> BigUint {
        self.by_rule.get(&rule).cloned().unwrap_or_default()
    }
}

/// Running totals over the sizes 1, 2, … seen so far.
#[derive(Default)]
struct Sums {
    vertices: BigUint,
    locations: BigUint,
    proper_subsets: BigUint,
    by_rule: BTreeMap<Rule, BigUint>,
}

impl Sums {
    /// Adds the `count` vertices of size `n` ≥ 1; sizes must come in order.
    fn add_size(&mut self, n: u32, count: &BigUint, kind: GraphKind) {
        let (two, three) = (BigUint::from(1_u32) << n, BigUint::from(3_u32).pow(n));
        let locations = count * &three;
        // Pairs (vertex of this size, smaller neighbour but V_0); the same weighted by the locations of either.
        let (below, below_by_locations, locations_below) = match kind {
            GraphKind::Complete => (
                count * &self.vertices,
                &locations * &self.vertices,
                count * &self.locations,
            ),
            GraphKind::Subset => {
                let four = &two * &two;
                let proper = &two - 2_u32;
                (
                    count * &proper,
                    &locations * &proper,
                    count * (four - &three - 1_u32),
                )
            }
        };
        self.add(Rule::R1, count.clone());
        self.add(Rule::R2, below);
        self.add(Rule::R3, count * &two);
        self.add(Rule::R4, &locations - count);
        self.add(Rule::R4b, count.clone());
        self.add(Rule::R5, &locations - count * &two);
        self.add(Rule::R6, locations_below);
        self.add(Rule::R6b, locations.clone());
        self.add(Rule::R7, below_by_locations);
        self.add(Rule::R8a, count.clone());
        self.add(Rule::R8b, count.clone());
        self.add(Rule::R8c, locations.clone());
        self.vertices += count;
        self.locations += locations;
        self.proper_subsets += count * (two - 1_u32);
    }

    fn add(&mut self, rule: Rule, count: BigUint) {
        *self.by_rule.entry(rule).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(contacts: usize, kind: GraphKind) -> AutomatonSize {
        let graph = ContactCombinationGraph::new(contacts, kind, Vec::new()).expect("no obstruction");
        AutomatonSize::of(&graph).expect("no obstruction")
    }

    /// Oracle: Table 2 of 000 for one to four balls; five and ten balls were computed apart.
    #[test]
    fn complete_graphs_have_the_counts_of_table_2() {
        let table = [
            (0, "1", "0", "0"),
            (1, "4", "1", "11"),
            (3, "64", "7", "524"),
            (6, "4096", "63", "231284"),
            (10, "1048576", "1023", "977904912"),
            (
                45,
                "1237940039285380274899124224",
                "35184372088831",
                "43388660469513740084328850326390955626102",
            ),
        ];
        for (contacts, locations, nodes, edges) in table {
            let size = size(contacts, GraphKind::Complete);
            assert_eq!(
                size.dynamical_locations().to_string(),
                locations,
                "P = {contacts}"
            );
            assert_eq!(size.impact_nodes().to_string(), nodes, "P = {contacts}");
            assert_eq!(size.contact_nodes().to_string(), nodes, "P = {contacts}");
            assert_eq!(size.edges().to_string(), edges, "P = {contacts}");
            assert_eq!(size.all_slip_edges().to_string(), nodes, "P = {contacts}");
        }
    }

    /// Oracle: binomial theorem. Vertices 2^P, locations 4^P, subset pairs 3^P − 2^P,
    /// rule 6 in the subset graph Σ C(P,n)(4ⁿ − 3ⁿ − 1) over n ≥ 1 = 5^P − 4^P − 2^P + 1.
    #[test]
    fn sixty_balls_agree_with_the_binomial_theorem() {
        let power = |base: u32| BigUint::from(base).pow(1770);
        for kind in [GraphKind::Complete, GraphKind::Subset] {
            let size = size(1770, kind);
            assert_eq!(*size.vertices(), power(2));
            assert_eq!(*size.dynamical_locations(), power(4));
            assert_eq!(size.edges_by_rule(Rule::R5), power(4) - power(3));
        }
        let subset = size(1770, GraphKind::Subset);
        assert_eq!(*subset.graph_edges(), power(3) - power(2));
        assert_eq!(
            subset.edges_by_rule(Rule::R6),
            power(5) + 1_u32 - power(4) - power(2)
        );
    }
}
