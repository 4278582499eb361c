//! The number k of a vertex V_k and its contact combination I_k, each from the other \[SPEC §3; 001 Table 1\].
//!
//! Vertices are numbered by N_k, and inside one size in revolving-door order, in which neighbours differ by
//! one contact swapped: for the contacts ab, ac, bc this is ∅, ab, ac, bc, {ab,ac}, {ac,bc}, {ab,bc}, all,
//! as in Table 1 of 001. Written c_1 < … < c_t (contacts from 0), the place inside the size class t is
//!
//! ```text
//! ρ_t = C(c_t + 1, t) − 1 − ρ_{t−1},   ρ_0 = 0          (Knuth, TAOCP 7.2.1.3)
//! ```
//!
//! because the t-subsets below c_t come first, and those with c_t follow with their rest in reverse.
//!
//! # Guarantee
//! Exact for any number of contacts. Up to 64 contacts no big integer is touched but for the result.
//! Both directions take O(P) binomial steps.

use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use num_bigint::BigUint;

/// Up to this number of contacts every binomial fits into 64 bits.
const WORD: u32 = u64::BITS;

/// Pascal's triangle: `PASCAL[n][t]` = C(n, t).
static PASCAL: [[u64; 65]; 65] = pascal();

const fn pascal() -> [[u64; 65]; 65] {
    let mut table = [[0; 65]; 65];
    let mut n = 0;
    while n < 65 {
        table[n][0] = 1;
        let mut t = 1;
        while t <= n {
            table[n][t] = table[n - 1][t - 1] + table[n - 1][t];
            t += 1;
        }
        n += 1;
    }
    table
}

/// The number k of the vertex with the contact combination `set`, among all subsets of `contacts` contacts.
///
/// Every member must be below `contacts`; otherwise the number means nothing.
#[must_use]
pub fn vertex_index(set: &ContactSet, contacts: u32) -> BigUint {
    match set.word() {
        Some(word) if contacts <= WORD => BigUint::from(index_in_words(word, contacts)),
        _ => sizes_below(set.len(), contacts) + place_in_size(set),
    }
}

/// The contact combination of vertex number `k` among all subsets of `contacts` contacts: none from 2^P on.
#[must_use]
pub fn vertex_set(k: &BigUint, contacts: u32) -> Option<ContactSet> {
    if contacts <= WORD {
        set_in_words(u128::try_from(k).ok()?, contacts)
    } else {
        set_in_big(k.clone(), contacts)
    }
}

fn index_in_words(word: u64, contacts: u32) -> u128 {
    let set = ContactSet::from_word(word);
    let row = &PASCAL[contacts as usize];
    let below: u128 = row[..set.len()].iter().map(|&count| u128::from(count)).sum();
    let place = (1..)
        .zip(&set)
        .fold(0, |rest, (t, c): (usize, _)| PASCAL[c.index() + 1][t] - 1 - rest);
    below + u128::from(place)
}

fn set_in_words(mut k: u128, contacts: u32) -> Option<ContactSet> {
    let row = &PASCAL[contacts as usize][..=contacts as usize];
    let size = row.iter().position(|&count| {
        let found = k < u128::from(count);
        if !found {
            k -= u128::from(count);
        }
        found
    })?;
    let (mut place, mut word, mut bound) = (u64::try_from(k).ok()?, 0, contacts as usize);
    for t in (1..=size).rev() {
        while PASCAL[bound - 1][t] > place {
            bound -= 1;
        }
        place = PASCAL[bound][t] - 1 - place;
        bound -= 1;
        word |= 1 << bound;
    }
    Some(ContactSet::from_word(word))
}

/// Σ_{m < size} C(contacts, m).
fn sizes_below(size: usize, contacts: u32) -> BigUint {
    binomials(contacts).take(size).sum()
}

/// C(n, 0), C(n, 1), …, C(n, n).
pub(crate) fn binomials(n: u32) -> impl Iterator<Item = BigUint> {
    (0..=n).scan(BigUint::from(1_u32), move |next, t| {
        let following = &*next * (n - t) / (t + 1);
        Some(std::mem::replace(next, following))
    })
}

/// ρ_t by the formula of the header; C(n, t) is carried along from (0, 0) by steps that keep it positive.
fn place_in_size(set: &ContactSet) -> BigUint {
    let (mut binomial, mut n) = (BigUint::from(1_u32), 0);
    let mut place = BigUint::ZERO;
    for (t, contact) in (1..).zip(set) {
        n += 1;
        binomial = binomial * n / t;
        while n <= contact.get() {
            n += 1;
            binomial = binomial * n / (n - t);
        }
        place = &binomial - 1_u32 - place;
    }
    place
}

fn set_in_big(mut k: BigUint, contacts: u32) -> Option<ContactSet> {
    let (size, mut binomial) = (0..).zip(binomials(contacts)).find(|(_, count)| {
        let found = k < *count;
        if !found {
            k -= count;
        }
        found
    })?;
    let (mut place, mut n, mut members) = (k, contacts, Vec::new());
    for t in (1..=size).rev() {
        // Lower n until C(n − 1, t) ≤ ρ < C(n, t): then c_t = n − 1.
        loop {
            let lower = &binomial * (n - t) / n;
            if lower <= place {
                break;
            }
            (binomial, n) = (lower, n - 1);
        }
        place = &binomial - 1_u32 - place;
        binomial = binomial * t / n;
        n -= 1;
        members.push(ContactId::new(n));
    }
    Some(members.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(members: &[u32]) -> ContactSet {
        members.iter().copied().map(ContactId::new).collect()
    }

    /// Oracle: Table 1 of 001, contacts ab = 0, ac = 1, bc = 2.
    #[test]
    fn three_contacts_are_numbered_as_in_table_1_of_001() {
        let table: [&[u32]; 8] = [&[], &[0], &[1], &[2], &[0, 1], &[1, 2], &[0, 2], &[0, 1, 2]];
        for (k, members) in table.into_iter().enumerate() {
            let k = BigUint::from(k);
            assert_eq!(vertex_index(&set(members), 3), k);
            assert_eq!(vertex_set(&k, 3), Some(set(members)));
            assert_eq!(set_in_big(k, 3), Some(set(members)));
        }
        assert_eq!(vertex_set(&BigUint::from(8_u32), 3), None);
    }

    #[test]
    fn every_vertex_up_to_ten_contacts_has_one_number_and_neighbours_swap_one_contact() {
        for contacts in 0..=10 {
            let sets: Vec<ContactSet> = (0..1_u32 << contacts)
                .map(|k| vertex_set(&BigUint::from(k), contacts).expect("k is below 2^P"))
                .collect();
            for (k, set) in sets.iter().enumerate() {
                assert_eq!(vertex_index(set, contacts), BigUint::from(k));
                assert_eq!(
                    sizes_below(set.len(), contacts) + place_in_size(set),
                    BigUint::from(k)
                );
                assert_eq!(set_in_big(BigUint::from(k), contacts).as_ref(), Some(set));
            }
            for pair in sets.windows(2) {
                let swapped = pair[0].len() == pair[1].len() && pair[0].difference(&pair[1]).len() == 1;
                assert!(
                    swapped || pair[0].len() + 1 == pair[1].len(),
                    "{pair:?} of {contacts}"
                );
            }
        }
    }

    #[test]
    fn numbers_from_two_to_the_p_on_have_no_vertex() {
        for contacts in [0_u32, 5, 64, 65, 1770] {
            let count = BigUint::from(1_u32) << contacts;
            assert_eq!(vertex_set(&count, contacts), None);
            assert_eq!(
                vertex_set(&(count - 1_u32), contacts),
                Some(ContactSet::full(contacts))
            );
        }
    }

    proptest! {
        #[test]
        fn number_and_set_are_inverse(
            contacts in prop_oneof![1..65_u32, 65..400_u32, Just(1770)],
            seed in proptest::collection::vec(any::<u32>(), 0..40),
        ) {
            let set: ContactSet = seed.iter().map(|member| ContactId::new(member % contacts)).collect();
            let k = vertex_index(&set, contacts);
            prop_assert!(k < BigUint::from(1_u32) << contacts);
            prop_assert_eq!(vertex_set(&k, contacts), Some(set));
        }

        #[test]
        fn set_and_number_are_inverse(contacts in 1..200_u32, words in any::<[u32; 7]>()) {
            let k = BigUint::from_slice(&words) % (BigUint::from(1_u32) << contacts);
            let set = vertex_set(&k, contacts).expect("k is below 2^P");
            prop_assert_eq!(vertex_index(&set, contacts), k);
        }
    }
}
