//! The locations of the automaton: dynamical locations s_k,i and the ends of computation nodes \[SPEC §3\].
//!
//! Vertex V_k has 3^N_k dynamical locations, one for each assignment of stick, trans or slip to its closed
//! contacts; V_0 has the one location S_0. The number i = 1 … 3^N_k of a location is one more than the number
//! whose base-3 digits are the modes (stick 0, trans 1, slip 2), the lowest contact being the most
//! significant: s_6,1 (stick, stick), s_6,2 (stick, trans), s_6,3 (stick, slip), as in 001 §5.
//!
//! # Guarantee
//! Exact: number and location determine each other. In a [`DynamicalLocation`] the stick, trans and slip sets
//! are disjoint and their union is the set of closed contacts; the fields are private, so this cannot be broken.

use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use num_bigint::BigUint;

/// What friction does at a closed contact \[SPEC §2\].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrictionMode {
    /// ġ_T = 0 and g̈_T = 0.
    Stick,
    /// ġ_T = 0 but g̈_T ≠ 0; lasts an instant.
    Trans,
    /// |ġ_T| > 0.
    Slip,
}

/// s_k,i: the closed contacts and the friction mode of each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DynamicalLocation {
    closed: ContactSet,
    trans: ContactSet,
    slip: ContactSet,
}

impl DynamicalLocation {
    /// S_0, in which every contact is open.
    #[must_use]
    pub const fn free() -> Self {
        Self {
            closed: ContactSet::empty(),
            trans: ContactSet::empty(),
            slip: ContactSet::empty(),
        }
    }

    /// The location with these stick, trans and slip sets; none where two of them have a contact in common.
    #[must_use]
    pub fn from_modes(stick: &ContactSet, trans: ContactSet, slip: ContactSet) -> Option<Self> {
        let sliding = trans.union(&slip);
        let apart = trans.is_disjoint(&slip) && stick.is_disjoint(&sliding);
        apart.then(|| Self {
            closed: stick.union(&sliding),
            trans,
            slip,
        })
    }

    /// The first location of a vertex: every closed contact sticks.
    #[must_use]
    pub fn all_stick(closed: ContactSet) -> Self {
        Self {
            closed,
            trans: ContactSet::empty(),
            slip: ContactSet::empty(),
        }
    }

    /// The last location of a vertex: every closed contact slips.
    #[must_use]
    pub fn all_slip(closed: ContactSet) -> Self {
        Self {
            slip: closed.clone(),
            closed,
            trans: ContactSet::empty(),
        }
    }

    /// Location number `index` = 1 … 3^N_k of the vertex with these closed contacts.
    #[must_use]
    pub fn from_index(closed: ContactSet, index: &BigUint) -> Option<Self> {
        let count = u32::try_from(closed.len())
            .map(|size| BigUint::from(3_u32).pow(size))
            .ok()?;
        if *index == BigUint::ZERO || *index > count {
            return None;
        }
        let mut digits = (index - 1_u32).to_radix_le(3);
        digits.resize(closed.len(), 0);
        let of_digit = |wanted: u8| {
            let contacts = closed.iter().zip(digits.iter().rev());
            contacts
                .filter(|(_, digit)| **digit == wanted)
                .map(|(contact, _)| contact)
                .collect()
        };
        let (trans, slip) = (of_digit(1), of_digit(2));
        Some(Self { closed, trans, slip })
    }

    /// The number i of this location in its vertex, from 1.
    #[must_use]
    pub fn index(&self) -> BigUint {
        let digits: Vec<u8> = self.modes().map(|(_, mode)| mode as u8).collect();
        BigUint::from_radix_be(&digits, 3).unwrap_or_default() + 1_u32
    }

    /// I_k, the closed contacts.
    #[must_use]
    pub fn closed(&self) -> &ContactSet {
        &self.closed
    }

    /// The contacts that stick.
    #[must_use]
    pub fn stick(&self) -> ContactSet {
        self.closed.difference(&self.trans).difference(&self.slip)
    }

    /// The contacts in transition from stick to slip.
    #[must_use]
    pub fn trans(&self) -> &ContactSet {
        &self.trans
    }

    /// The contacts that slip.
    #[must_use]
    pub fn slip(&self) -> &ContactSet {
        &self.slip
    }

    /// Whether this is S_0.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.closed.is_empty()
    }

    /// The friction mode of a contact; none where it is open.
    #[must_use]
    pub fn mode(&self, contact: ContactId) -> Option<FrictionMode> {
        self.closed
            .contains(contact)
            .then(|| self.mode_of_closed(contact))
    }

    /// The closed contacts, ascending, with their modes.
    pub fn modes(&self) -> impl Iterator<Item = (ContactId, FrictionMode)> {
        self.closed
            .iter()
            .map(|contact| (contact, self.mode_of_closed(contact)))
    }

    fn mode_of_closed(&self, contact: ContactId) -> FrictionMode {
        if self.trans.contains(contact) {
            FrictionMode::Trans
        } else if self.slip.contains(contact) {
            FrictionMode::Slip
        } else {
            FrictionMode::Stick
        }
    }

    /// Where rule 5 leads: every trans contact slips. None without a trans contact.
    pub(crate) fn after_trans(&self) -> Option<Self> {
        (!self.trans.is_empty()).then(|| Self {
            closed: self.closed.clone(),
            trans: ContactSet::empty(),
            slip: self.slip.union(&self.trans),
        })
    }

    /// The location with the next number in the same vertex; none after the last.
    fn successor(&self) -> Option<Self> {
        // Adding one in base 3: trailing slips become stick, the contact before them moves one mode on.
        let mut slip = self.slip.clone();
        for contact in trailing_slips_and_next(self) {
            match self.mode_of_closed(contact) {
                FrictionMode::Slip => slip = slip.without(contact),
                FrictionMode::Trans => {
                    let trans = self.trans.without(contact);
                    return Some(Self {
                        closed: self.closed.clone(),
                        trans,
                        slip: slip.with(contact),
                    });
                }
                FrictionMode::Stick => {
                    let trans = self.trans.with(contact);
                    return Some(Self {
                        closed: self.closed.clone(),
                        trans,
                        slip,
                    });
                }
            }
        }
        None
    }
}

/// The closed contacts from the highest down, up to and with the first that does not slip.
fn trailing_slips_and_next(location: &DynamicalLocation) -> impl Iterator<Item = ContactId> {
    let mut rest = location.closed.clone();
    let mut slipping = true;
    std::iter::from_fn(move || {
        let last = rest.last().filter(|_| slipping)?;
        slipping = location.slip.contains(last);
        rest = rest.without(last);
        Some(last)
    })
}

/// The dynamical locations of one vertex, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Modes(Option<DynamicalLocation>);

impl Modes {
    /// The 3^N_k locations over these closed contacts.
    #[must_use]
    pub fn new(closed: ContactSet) -> Self {
        Self(Some(DynamicalLocation::all_stick(closed)))
    }
}

impl Iterator for Modes {
    type Item = DynamicalLocation;

    fn next(&mut self) -> Option<DynamicalLocation> {
        let location = self.0.take()?;
        self.0 = location.successor();
        Some(location)
    }
}

/// What a computation node computes.
// A whole word: a narrower one is moved in pieces, and walks over edges then wait for the pieces.
#[repr(u64)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// I_k: the impulses of an impact.
    Impact,
    /// C_k: the forces of sustained contact.
    Contact,
}

/// The impact node I_k or the contact node C_k of a vertex with k > 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComputationNode {
    kind: NodeKind,
    closed: ContactSet,
}

impl ComputationNode {
    /// The node of this kind for these contacts; none for no contact.
    #[must_use]
    pub fn new(kind: NodeKind, closed: ContactSet) -> Option<Self> {
        (!closed.is_empty()).then_some(Self { kind, closed })
    }

    /// The node of this kind for contacts known not to be empty.
    #[inline]
    pub(crate) fn of_closed(kind: NodeKind, closed: ContactSet) -> Self {
        debug_assert!(!closed.is_empty(), "bug: V_0 has no computation node");
        Self { kind, closed }
    }

    /// What the node computes.
    #[must_use]
    pub fn kind(&self) -> NodeKind {
        self.kind
    }

    /// I_k, the contacts it computes forces for.
    #[must_use]
    pub fn closed(&self) -> &ContactSet {
        &self.closed
    }
}

/// A location that edges between vertices and nodes join.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// s_k,i, or S_0.
    Dynamical(DynamicalLocation),
    /// I_k,en or C_k,en.
    Entrance(ComputationNode),
    /// I_k,ex or C_k,ex.
    Exit(ComputationNode),
}

/// By hand, so that the copy stays in line: walks copy a location for each edge.
impl Clone for Location {
    #[inline(always)]
    fn clone(&self) -> Self {
        match self {
            Self::Dynamical(DynamicalLocation { closed, trans, slip }) => {
                let (closed, trans, slip) = (closed.clone(), trans.clone(), slip.clone());
                Self::Dynamical(DynamicalLocation { closed, trans, slip })
            }
            Self::Entrance(node) => Self::Entrance(node.clone()),
            Self::Exit(node) => Self::Exit(node.clone()),
        }
    }
}

impl Location {
    /// I_k, the contacts of the location's vertex.
    #[must_use]
    pub fn closed(&self) -> &ContactSet {
        match self {
            Self::Dynamical(location) => location.closed(),
            Self::Entrance(node) | Self::Exit(node) => node.closed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(members: &[u32]) -> ContactSet {
        members.iter().copied().map(ContactId::new).collect()
    }

    /// Oracle: 001 §5, contacts ab and bc of vertex 6.
    #[test]
    fn locations_of_vertex_6_are_numbered_as_in_001() {
        use FrictionMode::{Slip, Stick, Trans};
        let expected = [(Stick, Stick), (Stick, Trans), (Stick, Slip), (Trans, Stick)];
        for (i, (ab, bc)) in (1_u32..).zip(expected) {
            let location = DynamicalLocation::from_index(set(&[0, 2]), &BigUint::from(i)).expect("i ≤ 9");
            assert_eq!(location.mode(ContactId::new(0)), Some(ab), "s_6,{i}");
            assert_eq!(location.mode(ContactId::new(2)), Some(bc), "s_6,{i}");
            assert_eq!(location.mode(ContactId::new(1)), None, "s_6,{i}");
        }
        let last = DynamicalLocation::from_index(set(&[0, 2]), &BigUint::from(9_u32));
        assert_eq!(last, Some(DynamicalLocation::all_slip(set(&[0, 2]))));
    }

    #[test]
    fn numbers_and_locations_are_inverse_and_walked_in_order() {
        for closed in [set(&[]), set(&[3]), set(&[0, 2, 3, 5]), set(&[1, 64, 900])] {
            let count = 3_usize.pow(closed.len() as u32);
            let walked: Vec<DynamicalLocation> = Modes::new(closed.clone()).collect();
            assert_eq!(walked.len(), count);
            for (i, location) in (1_usize..).zip(walked) {
                assert_eq!(location.index(), BigUint::from(i));
                assert_eq!(
                    DynamicalLocation::from_index(closed.clone(), &BigUint::from(i)),
                    Some(location)
                );
            }
            assert_eq!(
                DynamicalLocation::from_index(closed.clone(), &BigUint::ZERO),
                None
            );
            assert_eq!(
                DynamicalLocation::from_index(closed, &BigUint::from(count + 1)),
                None
            );
        }
    }

    #[test]
    fn overlapping_mode_sets_make_no_location() {
        assert_eq!(
            DynamicalLocation::from_modes(&set(&[0]), set(&[0]), set(&[])),
            None
        );
        assert_eq!(
            DynamicalLocation::from_modes(&set(&[]), set(&[1]), set(&[1])),
            None
        );
        let location = DynamicalLocation::from_modes(&set(&[0]), set(&[1]), set(&[2])).expect("disjoint");
        assert_eq!(
            (location.stick(), location.closed()),
            (set(&[0]), &set(&[0, 1, 2]))
        );
    }

    proptest! {
        #[test]
        fn large_locations_round_trip(members in proptest::collection::btree_set(0..1770_u32, 1..120), words in any::<[u32; 4]>()) {
            let closed: ContactSet = members.into_iter().map(ContactId::new).collect();
            let index = BigUint::from_slice(&words) % BigUint::from(3_u32).pow(closed.len() as u32) + 1_u32;
            let location = DynamicalLocation::from_index(closed, &index).expect("in range");
            prop_assert_eq!(location.index(), index);
        }
    }
}
