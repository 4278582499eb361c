//! Sets of contacts: the I_k of the papers, and the stick, trans and slip sets \[SPEC §3\].
//!
//! A set whose members all lie below 64 is one machine word; any other set is a sorted list, so a small
//! set costs little even where the contact list has hundreds of thousands of members.
//!
//! # Guarantee
//! Canonical: two sets with the same members are equal, hash equal, and are stored alike.
//! The order of sets (`Ord`) is total, for use as a key; it is *not* the order of vertex numbers.

use crate::contact_list::ContactId;
use std::fmt;

/// Members below this number fit into the one-word form.
const WORD: u32 = u64::BITS;

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Members {
    /// Bit `c` is set iff contact `c` is a member; all members are below 64.
    Word(u64),
    /// Ascending, without repetition; the last is at least 64.
    Sorted(Box<[u32]>),
}

/// By hand, so that copying a word stays in line: walks copy three sets for each edge.
impl Clone for Members {
    #[inline(always)]
    fn clone(&self) -> Self {
        match self {
            Self::Word(word) => Self::Word(*word),
            Self::Sorted(members) => clone_sorted(members),
        }
    }
}

#[cold]
#[inline(never)]
fn clone_sorted(members: &[u32]) -> Members {
    Members::Sorted(members.into())
}

/// A set of contacts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactSet(Members);

impl ContactSet {
    /// The empty set.
    #[must_use]
    pub const fn empty() -> Self {
        Self(Members::Word(0))
    }

    /// The set of the contacts 0, 1, …, `contacts` − 1.
    #[must_use]
    pub fn full(contacts: u32) -> Self {
        if contacts <= WORD {
            Self::from_word(if contacts == WORD {
                u64::MAX
            } else {
                (1 << contacts) - 1
            })
        } else {
            Self(Members::Sorted((0..contacts).collect()))
        }
    }

    /// The set with the one member `contact`.
    #[must_use]
    pub fn single(contact: ContactId) -> Self {
        Self::from_ascending(vec![contact.get()])
    }

    #[inline]
    pub(crate) const fn from_word(word: u64) -> Self {
        Self(Members::Word(word))
    }

    /// The one-word form, where the set has it.
    #[inline]
    pub(crate) const fn word(&self) -> Option<u64> {
        match self.0 {
            Members::Word(word) => Some(word),
            Members::Sorted(_) => None,
        }
    }

    /// The set of these members, which must ascend without repetition.
    pub(crate) fn from_ascending(members: Vec<u32>) -> Self {
        debug_assert!(members.is_sorted_by(|a, b| a < b), "bug: members must ascend");
        match members.last() {
            Some(&last) if last >= WORD => Self(Members::Sorted(members.into_boxed_slice())),
            _ => Self::from_word(members.iter().fold(0, |word, member| word | 1 << member)),
        }
    }

    /// N_k, the number of members.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Members::Word(word) => word.count_ones() as usize,
            Members::Sorted(members) => members.len(),
        }
    }

    /// Whether the set has no member.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Members::Word(0))
    }

    /// Whether `contact` is a member.
    #[inline]
    #[must_use]
    pub fn contains(&self, contact: ContactId) -> bool {
        match &self.0 {
            Members::Word(word) => contact.get() < WORD && word >> contact.get() & 1 == 1,
            Members::Sorted(members) => members.binary_search(&contact.get()).is_ok(),
        }
    }

    /// The members, ascending.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> Contacts<'_> {
        match &self.0 {
            Members::Word(word) => Contacts(Rest::Word(*word)),
            Members::Sorted(members) => Contacts(Rest::Sorted(members.iter())),
        }
    }

    /// The member with the highest place.
    #[must_use]
    pub fn last(&self) -> Option<ContactId> {
        match &self.0 {
            Members::Word(0) => None,
            Members::Word(word) => Some(ContactId::new(word.ilog2())),
            Members::Sorted(members) => members.last().copied().map(ContactId::new),
        }
    }

    /// The members of either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a | b, |left, right| left || right)
    }

    /// The members of both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a & b, |left, right| left && right)
    }

    /// The members of this set that are not in `other`: I_k \ I_j.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a & !b, |left, right| left && !right)
    }

    /// Whether every member is in `other` (equal sets included).
    #[inline]
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Members::Word(a), Members::Word(b)) => a & !b == 0,
            (Members::Sorted(_), Members::Word(_)) => false,
            _ => self.len() <= other.len() && self.iter().all(|contact| other.contains(contact)),
        }
    }

    /// Whether every member is in `other`, and `other` has more.
    #[must_use]
    pub fn is_proper_subset(&self, other: &Self) -> bool {
        self.len() < other.len() && self.is_subset(other)
    }

    /// Whether the sets have no member in common.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Members::Word(a), Members::Word(b)) => a & b == 0,
            _ => self.iter().all(|contact| !other.contains(contact)),
        }
    }

    /// This set with `contact` as a member.
    #[must_use]
    pub fn with(&self, contact: ContactId) -> Self {
        self.union(&Self::single(contact))
    }

    /// This set without `contact`.
    #[must_use]
    pub fn without(&self, contact: ContactId) -> Self {
        self.difference(&Self::single(contact))
    }

    fn combine(&self, other: &Self, words: fn(u64, u64) -> u64, keep: fn(bool, bool) -> bool) -> Self {
        match (&self.0, &other.0) {
            (Members::Word(a), Members::Word(b)) => Self::from_word(words(*a, *b)),
            _ => merge(self, other, keep),
        }
    }
}

/// Walks both sets at once, and keeps the members for which `keep(in first, in second)` holds.
fn merge(first: &ContactSet, second: &ContactSet, keep: fn(bool, bool) -> bool) -> ContactSet {
    let (mut a, mut b) = (first.iter().peekable(), second.iter().peekable());
    let mut kept = Vec::new();
    while let Some(lowest) = [a.peek(), b.peek()].into_iter().flatten().min().copied() {
        let in_first = a.next_if_eq(&lowest).is_some();
        let in_second = b.next_if_eq(&lowest).is_some();
        if keep(in_first, in_second) {
            kept.push(lowest.get());
        }
    }
    ContactSet::from_ascending(kept)
}

impl FromIterator<ContactId> for ContactSet {
    fn from_iter<T: IntoIterator<Item = ContactId>>(contacts: T) -> Self {
        let mut members: Vec<u32> = contacts.into_iter().map(ContactId::get).collect();
        members.sort_unstable();
        members.dedup();
        Self::from_ascending(members)
    }
}

impl fmt::Debug for ContactSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(ContactId::get)).finish()
    }
}

impl<'a> IntoIterator for &'a ContactSet {
    type Item = ContactId;
    type IntoIter = Contacts<'a>;

    fn into_iter(self) -> Contacts<'a> {
        self.iter()
    }
}

/// The members of a [`ContactSet`], ascending.
#[derive(Clone, Debug)]
pub struct Contacts<'a>(Rest<'a>);

#[derive(Clone, Debug)]
enum Rest<'a> {
    Word(u64),
    Sorted(std::slice::Iter<'a, u32>),
}

impl Iterator for Contacts<'_> {
    type Item = ContactId;

    #[inline]
    fn next(&mut self) -> Option<ContactId> {
        match &mut self.0 {
            Rest::Word(0) => None,
            Rest::Word(word) => {
                let lowest = word.trailing_zeros();
                *word &= *word - 1;
                Some(ContactId::new(lowest))
            }
            Rest::Sorted(members) => members.next().copied().map(ContactId::new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(members: &BTreeSet<u32>) -> ContactSet {
        members.iter().copied().map(ContactId::new).collect()
    }

    fn members(set: &ContactSet) -> BTreeSet<u32> {
        set.iter().map(ContactId::get).collect()
    }

    fn any_members() -> impl Strategy<Value = BTreeSet<u32>> {
        let member = prop_oneof![0..70_u32, 60..200_000_u32];
        proptest::collection::btree_set(member, 0..12)
    }

    proptest! {
        /// Oracle: the standard library's ordered sets.
        #[test]
        fn operations_agree_with_ordered_sets(a in any_members(), b in any_members()) {
            let (x, y) = (set(&a), set(&b));
            prop_assert_eq!(members(&x.union(&y)), &a | &b);
            prop_assert_eq!(members(&x.intersection(&y)), &a & &b);
            prop_assert_eq!(members(&x.difference(&y)), &a - &b);
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x.is_disjoint(&y), a.is_disjoint(&b));
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x.last().map(ContactId::get), a.last().copied());
            prop_assert_eq!(x == y, a == b);
            // Canonical: however a set is made, it is stored alike.
            prop_assert_eq!(x.union(&y).difference(&y.difference(&x)), x.clone());
            for contact in a.iter().chain(&b).copied().map(ContactId::new) {
                prop_assert_eq!(x.contains(contact), a.contains(&contact.get()));
                prop_assert!(x.with(contact).contains(contact));
                prop_assert!(!x.without(contact).contains(contact));
            }
        }
    }

    #[test]
    fn full_sets_on_both_sides_of_a_word() {
        for contacts in [0, 1, 63, 64, 65, 1770] {
            let full = ContactSet::full(contacts);
            assert_eq!(members(&full), (0..contacts).collect(), "{contacts} contacts");
            assert_eq!(full.len(), contacts as usize);
        }
        assert_eq!(
            ContactSet::full(65).without(ContactId::new(64)),
            ContactSet::full(64)
        );
    }
}
