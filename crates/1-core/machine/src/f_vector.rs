//! How many vertices of each size a contact combination graph has: the f-vector a_0, a_1, … \[SPEC §3\].
//!
//! Without obstructions a_n = C(P, n). With them the vertices are the sets that hold no obstruction, and
//! Σ a_n xⁿ is found by branching on one contact v of the obstructions H:
//!
//! ```text
//! a(H) = a(H without those that hold v) + x · a(H with v struck out of each)
//! ```
//!
//! Obstructions without a contact in common multiply; a contact in none of them is a factor 1 + x.
//! Parts met before are looked up.
//!
//! # Guarantee
//! Exact, or [`CountTooHard`]: the work is bounded (the problem is #P-hard), and a bound that is hit
//! is never turned into a number.

use crate::combination::binomials;
use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use crate::graph::ContactCombinationGraph;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

/// The elementary operations one count may take: chosen to end within seconds.
const WORK_LIMIT: u64 = 30_000_000;

/// How deep branching may go; a guard for the call stack.
const DEPTH_LIMIT: u32 = 400;

/// Beyond this number of contacts the sums alone take more than seconds.
const CONTACT_LIMIT: u32 = 20_000;

/// The size of an automaton was not found within the work allowed; nothing is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountTooHard {
    contacts: u32,
    obstructions: usize,
}

impl CountTooHard {
    /// P, the number of contacts.
    #[must_use]
    pub fn contacts(&self) -> u32 {
        self.contacts
    }

    /// The number of obstructions.
    #[must_use]
    pub fn obstructions(&self) -> usize {
        self.obstructions
    }
}

impl fmt::Display for CountTooHard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            contacts,
            obstructions,
        } = self;
        write!(
            f,
            "counting the combinations of {contacts} contacts that avoid {obstructions} obstructions takes \
             more than the work allowed ({WORK_LIMIT} steps, {CONTACT_LIMIT} contacts)"
        )
    }
}

impl Error for CountTooHard {}

/// a_0, a_1, …, up to the largest size that occurs.
pub(crate) fn f_vector(graph: &ContactCombinationGraph) -> Result<Vec<BigUint>, CountTooHard> {
    let contacts = graph.contacts();
    let too_hard = || CountTooHard {
        contacts,
        obstructions: graph.obstructions().len(),
    };
    if contacts > CONTACT_LIMIT {
        return Err(too_hard());
    }
    if graph.obstructions().is_empty() {
        return Ok(binomials(contacts).collect());
    }
    let mut counter = Counter {
        work_left: WORK_LIMIT,
        known: BTreeMap::new(),
    };
    let all = ContactSet::full(contacts);
    counter
        .count(graph.obstructions().to_vec(), &all, 0)
        .ok_or_else(too_hard)
}

/// A polynomial by its coefficients, the last of which is not zero.
type Polynomial = Vec<BigUint>;

struct Counter {
    work_left: u64,
    /// Counts of connected parts over the contacts they hold.
    known: BTreeMap<Vec<ContactSet>, Polynomial>,
}

impl Counter {
    /// Pays for `work` steps, or stops the count.
    fn pay(&mut self, work: usize) -> Option<()> {
        self.work_left = self.work_left.checked_sub(work as u64 + 1)?;
        Some(())
    }

    /// The subsets of `universe` by size that hold none of the obstructions, all of which lie in it.
    fn count(
        &mut self,
        obstructions: Vec<ContactSet>,
        universe: &ContactSet,
        depth: u32,
    ) -> Option<Polynomial> {
        let obstructions = self.minimal(obstructions)?;
        // Minimal, so a contact ruled out alone is in no other obstruction.
        let (singles, rest): (Vec<_>, Vec<_>) = obstructions.into_iter().partition(|set| set.len() == 1);
        let ruled_out = union_of(&singles);
        let free = universe.difference(&ruled_out).difference(&union_of(&rest));
        let mut product: Polynomial = binomials(free.len() as u32).collect();
        for part in self.parts(rest)? {
            let factor = self.count_part(part, depth)?;
            product = self.multiply(&product, &factor)?;
        }
        Some(product)
    }

    /// The count of one connected part over the contacts it holds.
    fn count_part(&mut self, part: Vec<ContactSet>, depth: u32) -> Option<Polynomial> {
        if let Some(known) = self.known.get(&part) {
            return Some(known.clone());
        }
        if depth >= DEPTH_LIMIT {
            return None;
        }
        self.pay(part.iter().map(ContactSet::len).sum())?;
        let pivot = busiest_contact(&part)?;
        let universe = union_of(&part).without(pivot);
        let open = part.iter().filter(|set| !set.contains(pivot)).cloned().collect();
        let closed = part.iter().map(|set| set.without(pivot)).collect();
        let without = self.count(open, &universe, depth + 1)?;
        let with = self.count(closed, &universe, depth + 1)?;
        let sum = plus_shifted(without, with);
        self.known.insert(part, sum.clone());
        Some(sum)
    }

    /// The obstructions that hold no other one, in a fixed order.
    fn minimal(&mut self, mut obstructions: Vec<ContactSet>) -> Option<Vec<ContactSet>> {
        obstructions.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let mut minimal: Vec<ContactSet> = Vec::new();
        for set in obstructions {
            self.pay(minimal.len())?;
            if !minimal.iter().any(|smaller| smaller.is_subset(&set)) {
                minimal.push(set);
            }
        }
        Some(minimal)
    }

    /// Splits obstructions into parts that have no contact in common.
    fn parts(&mut self, obstructions: Vec<ContactSet>) -> Option<Vec<Vec<ContactSet>>> {
        let mut parts: Vec<(ContactSet, Vec<ContactSet>)> = Vec::new();
        for set in obstructions {
            self.pay(parts.len())?;
            let (apart, touched): (Vec<_>, Vec<_>) = parts
                .into_iter()
                .partition(|(contacts, _)| contacts.is_disjoint(&set));
            parts = apart;
            let mut joined = (set.clone(), vec![set]);
            for (contacts, members) in touched {
                joined.0 = joined.0.union(&contacts);
                joined.1.extend(members);
            }
            parts.push(joined);
        }
        let sorted = |(_, mut members): (ContactSet, Vec<ContactSet>)| {
            members.sort_unstable();
            members
        };
        Some(parts.into_iter().map(sorted).collect())
    }

    fn multiply(&mut self, a: &[BigUint], b: &[BigUint]) -> Option<Polynomial> {
        self.pay(a.len() * b.len())?;
        let mut product = vec![BigUint::ZERO; a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        Some(product)
    }
}

fn union_of(sets: &[ContactSet]) -> ContactSet {
    sets.iter().flatten().collect()
}

/// The contact in the most obstructions, the lowest of several.
fn busiest_contact(part: &[ContactSet]) -> Option<ContactId> {
    let mut uses: BTreeMap<ContactId, usize> = BTreeMap::new();
    for contact in part.iter().flatten() {
        *uses.entry(contact).or_default() += 1;
    }
    uses.into_iter()
        .rev()
        .max_by_key(|(_, count)| *count)
        .map(|(contact, _)| contact)
}

/// p + x · q.
fn plus_shifted(mut p: Polynomial, q: Polynomial) -> Polynomial {
    p.resize(p.len().max(q.len() + 1), BigUint::ZERO);
    for (place, coefficient) in (1..).zip(q) {
        p[place] += coefficient;
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GraphKind;
    use proptest::prelude::*;

    fn graph(contacts: usize, obstructions: Vec<ContactSet>) -> ContactCombinationGraph {
        ContactCombinationGraph::new(contacts, GraphKind::Complete, obstructions).expect("all known")
    }

    fn set(members: &[u32]) -> ContactSet {
        members.iter().copied().map(ContactId::new).collect()
    }

    proptest! {
        /// Oracle: counting the vertices one by one.
        #[test]
        fn counts_are_those_of_the_enumeration(
            contacts in 1..11_usize,
            seeds in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 1..5), 1..9),
        ) {
            let member = |seed: &u32| ContactId::new(seed % contacts as u32);
            let graph = graph(contacts, seeds.iter().map(|seed| seed.iter().map(member).collect()).collect());
            let mut counted = vec![0_u32; contacts + 1];
            for word in 0..1_u64 << contacts {
                let subset = ContactSet::from_word(word);
                counted[subset.len()] += u32::from(graph.is_vertex(&subset));
            }
            while counted.last() == Some(&0) {
                counted.pop();
            }
            let counted: Vec<BigUint> = counted.into_iter().map(BigUint::from).collect();
            prop_assert_eq!(f_vector(&graph).expect("small"), counted);
        }
    }

    /// Oracle: sets without neighbours on a path of n are C(n − m + 1, m) of size m.
    #[test]
    fn a_path_of_two_hundred_obstructed_pairs() {
        let path = (0..200).map(|c| set(&[c, c + 1])).collect();
        let counts = f_vector(&graph(201, path)).expect("a path is easy");
        for (m, count) in (0_u32..).zip(&counts) {
            assert_eq!(
                Some(count),
                binomials(202 - m).nth(m as usize).as_ref(),
                "size {m}"
            );
        }
        assert_eq!(counts.len(), 102);
    }

    #[test]
    fn too_much_work_is_said_and_not_guessed() {
        // A 3-uniform tangle on 90 contacts: no lucky cut exists, and the limit is hit.
        let tangle = (0..90_u32).flat_map(|c| {
            (1..7).map(move |step| {
                set(&[
                    c,
                    (c * 7 + step * 13 + 1) % 90,
                    (c * 31 + step * step * 5 + 2) % 90,
                ])
            })
        });
        let tangle: Vec<ContactSet> = tangle.collect();
        let error = f_vector(&graph(90, tangle)).expect_err("too hard");
        assert_eq!(error.contacts(), 90);
        assert!(f_vector(&graph(30_000, Vec::new())).is_err());
    }
}
