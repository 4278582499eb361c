//! Enumerates contact combinations by size, inside one size in revolving-door order, in constant memory.
//!
//! Knuth's Algorithm R (TAOCP 7.2.1.3) steps from one t-subset c_1 < … < c_t to the next by swapping one
//! member for another. Where a combination holds an obstruction whose lowest member is c_j, every
//! combination with the same c_j < … < c_t holds it too: they stand next to each other in the order, so the
//! walk sets c_1 … c_{j−1} to the last of them and steps on \[SPEC §3: combinations left out\].
//!
//! # Guarantee
//! Exact: each admitted combination comes once, in the order of its vertex number when the whole contact
//! list is enumerated. A size class without a member ends the walk, since larger ones are empty too.
//! Not promised: a bound on the steps between two combinations of an obstructed size class.

use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use std::ops::RangeInclusive;

/// Algorithm R: the t-subsets of 0 … n−1. `c[j]` is c_{j+1}; one more entry holds n.
#[derive(Clone, Debug)]
struct RevolvingDoor {
    c: Vec<u32>,
}

impl RevolvingDoor {
    fn new(n: u32, size: u32) -> Self {
        Self {
            c: (0..size).chain([n]).collect(),
        }
    }

    fn restart(&mut self, n: u32, size: u32) {
        self.c.clear();
        self.c.extend((0..size).chain([n]));
    }

    fn chosen(&self) -> &[u32] {
        &self.c[..self.c.len() - 1]
    }

    /// Steps on: the member that left and the one that came, or nothing after the last subset.
    #[inline]
    fn step(&mut self) -> Option<(u32, u32)> {
        let c = &mut self.c[..];
        let t = c.len() - 1;
        if t == 0 {
            return None;
        }
        let first = c[0];
        if t % 2 == 1 {
            if first + 1 < c[1] {
                c[0] = first + 1;
                return Some((first, first + 1));
            }
        } else if first > 0 {
            c[0] = first - 1;
            return Some((first, first - 1));
        }
        hard_step(c, t % 2 == 1)
    }

    /// Moves to the last subset that agrees with this one in `c[place]` and above.
    fn skip_to_last_with(&mut self, place: usize) {
        let t = self.c.len() - 1;
        let bound = self.c[place];
        for (member, value) in self.c[..place].iter_mut().zip(0..) {
            *member = value;
        }
        let rest_is_reversed = (t - place) % 2 == 1;
        if !rest_is_reversed && place > 0 {
            self.c[place - 1] = bound - 1;
        }
    }
}

/// Steps R4 and R5 of Algorithm R, alternately, from c_2 upwards.
fn hard_step(c: &mut [u32], mut decreasing: bool) -> Option<(u32, u32)> {
    let t = c.len() - 1;
    for j in 1..t {
        let (below, here, lowest) = (c[j - 1], c[j], j as u32 - 1);
        if decreasing && here > j as u32 {
            (c[j - 1], c[j]) = (lowest, below);
            return Some((here, lowest));
        }
        if !decreasing && here + 1 < c[j + 1] {
            (c[j - 1], c[j]) = (here, here + 1);
            return Some((below, here + 1));
        }
        decreasing = !decreasing;
    }
    None
}

/// What the enumerated combinations are chosen from.
#[derive(Clone, Debug)]
enum Ground {
    /// The contacts 0 … n−1.
    All(u32),
    /// These contacts, ascending.
    Listed(Box<[u32]>),
}

impl Ground {
    fn len(&self) -> u32 {
        match self {
            Self::All(contacts) => *contacts,
            Self::Listed(members) => members.len() as u32,
        }
    }

    #[inline]
    fn contact(&self, place: u32) -> u32 {
        match self {
            Self::All(_) => place,
            Self::Listed(members) => members[place as usize],
        }
    }
}

/// The sets `base` ∪ c, c a subset of a ground set with a size in a range, that hold no obstruction.
#[derive(Clone, Debug)]
pub(crate) struct Combinations<'a> {
    obstructions: &'a [ContactSet],
    ground: Ground,
    base: ContactSet,
    largest: u32,
    door: RevolvingDoor,
    /// What the door shows, with the base, in one word; only where everything fits into a word.
    word: Option<u64>,
    progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// The door shows the first subset of a size, not yet looked at.
    SizeBegun,
    /// The last combination found had the size that the door shows.
    SizeFound,
    Finished,
}

impl<'a> Combinations<'a> {
    /// Subsets of the first `contacts` contacts.
    pub(crate) fn of_all(contacts: u32, sizes: RangeInclusive<u32>, obstructions: &'a [ContactSet]) -> Self {
        Self::new(Ground::All(contacts), ContactSet::empty(), sizes, obstructions)
    }

    /// Subsets of `set`.
    pub(crate) fn of_set(
        set: &ContactSet,
        sizes: RangeInclusive<u32>,
        obstructions: &'a [ContactSet],
    ) -> Self {
        let ground = Ground::Listed(set.iter().map(ContactId::get).collect());
        Self::new(ground, ContactSet::empty(), sizes, obstructions)
    }

    /// `base` with between one and all of the contacts of `more`.
    pub(crate) fn above(base: &ContactSet, more: &ContactSet, obstructions: &'a [ContactSet]) -> Self {
        let ground = Ground::Listed(more.iter().map(ContactId::get).collect());
        let sizes = 1..=ground.len();
        Self::new(ground, base.clone(), sizes, obstructions)
    }

    fn new(
        ground: Ground,
        base: ContactSet,
        sizes: RangeInclusive<u32>,
        obstructions: &'a [ContactSet],
    ) -> Self {
        let (smallest, largest) = (*sizes.start(), (*sizes.end()).min(ground.len()));
        let is_small =
            base.word().is_some() && ground.len().checked_sub(1).is_none_or(|n| ground.contact(n) < 64);
        let door = RevolvingDoor::new(ground.len(), if smallest <= largest { smallest } else { 0 });
        let progress = if smallest <= largest {
            Progress::SizeBegun
        } else {
            Progress::Finished
        };
        let mut combinations = Self {
            obstructions,
            ground,
            base,
            largest,
            door,
            word: is_small.then_some(0),
            progress,
        };
        combinations.read_word();
        combinations
    }

    fn read_word(&mut self) {
        if let (Some(word), Some(base)) = (&mut self.word, self.base.word()) {
            let ground = &self.ground;
            *word = self
                .door
                .chosen()
                .iter()
                .fold(base, |word, &place| word | 1 << ground.contact(place));
        }
    }

    /// The combination that the door shows.
    #[inline]
    fn shown(&self) -> ContactSet {
        match self.word {
            Some(word) => ContactSet::from_word(word),
            None => {
                let chosen = self
                    .door
                    .chosen()
                    .iter()
                    .map(|&place| self.ground.contact(place))
                    .collect();
                ContactSet::from_ascending(chosen).union(&self.base)
            }
        }
    }

    /// Turns the door once; false after the last subset of the size.
    #[inline]
    fn turn(&mut self) -> bool {
        let Some((left, came)) = self.door.step() else {
            return false;
        };
        if let Some(word) = &mut self.word {
            *word ^= 1 << self.ground.contact(left) | 1 << self.ground.contact(came);
        }
        true
    }

    fn begin_next_size(&mut self) -> bool {
        let size = self.door.chosen().len() as u32 + 1;
        let found_any = self.progress == Progress::SizeFound;
        if !found_any || size > self.largest {
            self.progress = Progress::Finished;
            return false;
        }
        self.door.restart(self.ground.len(), size);
        self.read_word();
        self.progress = Progress::SizeBegun;
        true
    }

    /// How many of the chosen members, from the highest down, already hold an obstruction.
    fn obstructed_from(&self, shown: &ContactSet) -> Option<usize> {
        let held = self
            .obstructions
            .iter()
            .filter(|obstruction| obstruction.is_subset(shown));
        held.map(|obstruction| self.lowest_place(obstruction)).max()
    }

    /// The place in the door of the lowest chosen member of `obstruction`; the door's size if it has none.
    fn lowest_place(&self, obstruction: &ContactSet) -> usize {
        let chosen = self.door.chosen();
        let of_choice = |place: &u32| obstruction.contains(ContactId::new(self.ground.contact(*place)));
        chosen.iter().position(of_choice).unwrap_or(chosen.len())
    }

    /// Skips what holds an obstruction, beginning with what the door shows.
    fn first_admitted(&mut self) -> Option<ContactSet> {
        loop {
            let shown = self.shown();
            let Some(place) = self.obstructed_from(&shown) else {
                return Some(shown);
            };
            if place == self.door.chosen().len() {
                return None; // The base itself holds an obstruction.
            }
            self.door.skip_to_last_with(place);
            self.read_word();
            if !self.turn() {
                return None;
            }
        }
    }

    #[cold]
    fn next_in_other_size_or_obstructed(&mut self, mut turned: bool) -> Option<ContactSet> {
        loop {
            if turned && let Some(found) = self.first_admitted() {
                self.progress = Progress::SizeFound;
                return Some(found);
            }
            turned = self.begin_next_size();
            if !turned {
                return None;
            }
        }
    }
}

impl Iterator for Combinations<'_> {
    type Item = ContactSet;

    #[inline]
    fn next(&mut self) -> Option<ContactSet> {
        let turned = match self.progress {
            Progress::SizeFound => self.turn(),
            Progress::SizeBegun => true,
            Progress::Finished => return None,
        };
        if turned && self.obstructions.is_empty() {
            self.progress = Progress::SizeFound;
            return Some(self.shown());
        }
        self.next_in_other_size_or_obstructed(turned)
    }
}

/// The vertices of a contact combination graph, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Vertices<'a>(Combinations<'a>);

impl<'a> Vertices<'a> {
    pub(crate) fn new(contacts: u32, obstructions: &'a [ContactSet]) -> Self {
        Self(Combinations::of_all(contacts, 0..=contacts, obstructions))
    }
}

impl Iterator for Vertices<'_> {
    type Item = ContactSet;

    #[inline]
    fn next(&mut self) -> Option<ContactSet> {
        self.0.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combination::vertex_set;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn set(members: &[u32]) -> ContactSet {
        members.iter().copied().map(ContactId::new).collect()
    }

    /// Oracle: unranking, which shares no code with the walk.
    fn vertices_by_number(contacts: u32, obstructions: &[ContactSet]) -> Vec<ContactSet> {
        (0..1_u64 << contacts)
            .filter_map(|k| vertex_set(&BigUint::from(k), contacts))
            .filter(|vertex| {
                !obstructions
                    .iter()
                    .any(|obstruction| obstruction.is_subset(vertex))
            })
            .collect()
    }

    #[test]
    fn vertices_come_in_the_order_of_their_numbers() {
        for contacts in 0..=10 {
            let walked: Vec<ContactSet> = Vertices::new(contacts, &[]).collect();
            assert_eq!(walked, vertices_by_number(contacts, &[]), "{contacts} contacts");
        }
    }

    #[test]
    fn large_contact_lists_begin_at_once_and_agree_with_unranking() {
        let walked = Vertices::new(1770, &[]).take(5000);
        for (k, vertex) in walked.enumerate() {
            assert_eq!(vertex_set(&BigUint::from(k), 1770), Some(vertex));
        }
    }

    #[test]
    fn obstructed_pairs_of_a_large_list_end_after_the_single_contacts() {
        let pairs: Vec<ContactSet> = (0..70).flat_map(|a| (0..a).map(move |b| set(&[b, a]))).collect();
        assert_eq!(Vertices::new(70, &pairs).count(), 71);
    }

    #[test]
    fn sets_above_and_below() {
        let above: Vec<ContactSet> = Combinations::above(&set(&[1]), &set(&[0, 70]), &[]).collect();
        assert_eq!(above, [set(&[0, 1]), set(&[1, 70]), set(&[0, 1, 70])]);
        let below: Vec<ContactSet> = Combinations::of_set(&set(&[0, 3, 70]), 1..=2, &[]).collect();
        assert_eq!(below.len(), 6);
        assert_eq!(below[3..], [set(&[0, 3]), set(&[3, 70]), set(&[0, 70])]);
        assert_eq!(
            Combinations::above(&set(&[0, 1]), &set(&[2]), &[set(&[0, 1])]).count(),
            0
        );
    }

    proptest! {
        #[test]
        fn obstructions_prune_without_changing_the_order(
            contacts in 1..9_u32,
            seeds in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 1..4), 0..6),
        ) {
            let member = |seed: &u32| ContactId::new(seed % contacts);
            let obstructions: Vec<ContactSet> = seeds.iter().map(|seed| seed.iter().map(member).collect()).collect();
            let walked: Vec<ContactSet> = Vertices::new(contacts, &obstructions).collect();
            prop_assert_eq!(walked, vertices_by_number(contacts, &obstructions));
        }
    }
}
