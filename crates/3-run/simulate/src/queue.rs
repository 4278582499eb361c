//! The queue of things to come, earliest first.
//!
//! An entry is a prediction from the motions of one or two islands, and holds as long as those have not changed: it carries the versions it was made
//! from, and is passed over when they are old. Equal times are taken in the order crossing, guard, piece, accumulation, switch, end, and then by number, so that a
//! run does not depend on the history of the heap.

use crate::index::{ContactIx, IslandIx};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Coming {
    /// A gap closes.
    Crossing { contact: ContactIx },
    /// A guard of a closed contact of the island: it opens, breaks away or stops.
    Guard { island: IslandIx, contact: ContactIx },
    /// The closest point of a closed contact of the island goes from one part of a surface to the next.
    Piece { island: IslandIx },
    /// Impacts of a contact of the island have accumulated.
    Zeno { island: IslandIx, contact: ContactIx },
    /// A switch of the island's loads turns.
    Switch { island: IslandIx },
    /// The island's step ends.
    End { island: IslandIx },
}

/// A prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) time: f64,
    pub(crate) coming: Coming,
    /// Versions of the islands it was made from; the second is 0 for one island.
    pub(crate) versions: (u64, u64),
}

impl Eq for Entry {}

impl Ord for Entry {
    /// Reversed: the heap gives the largest first.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = other.time.total_cmp(&self.time);
        by_time
            .then_with(|| other.coming.cmp(&self.coming))
            .then_with(|| other.versions.cmp(&self.versions))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The queue.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    heap: BinaryHeap<Entry>,
}

impl Queue {
    pub(crate) fn push(&mut self, entry: Entry) {
        self.heap.push(entry);
    }

    /// The earliest entry that still holds.
    pub(crate) fn pop(&mut self, holds: impl Fn(&Entry) -> bool) -> Option<Entry> {
        while let Some(entry) = self.heap.pop() {
            if holds(&entry) {
                return Some(entry);
            }
        }
        None
    }

    /// The earliest entry that still holds, left in the queue.
    pub(crate) fn peek(&mut self, holds: impl Fn(&Entry) -> bool) -> Option<Entry> {
        let entry = self.pop(&holds)?;
        self.heap.push(entry);
        Some(entry)
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Throws away what does not hold any more.
    pub(crate) fn clean(&mut self, holds: impl Fn(&Entry) -> bool) {
        let kept: Vec<Entry> = self.heap.drain().filter(|entry| holds(entry)).collect();
        self.heap = kept.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Number;

    fn end(island: usize) -> Coming {
        let island = IslandIx::new(island);
        Coming::End { island }
    }

    fn crossing(contact: usize) -> Coming {
        let contact = ContactIx::new(contact);
        Coming::Crossing { contact }
    }

    #[test]
    fn earliest_first_and_ties_by_kind_and_number() {
        let mut queue = Queue::default();
        let entry = |time, coming| Entry {
            time,
            coming,
            versions: (1, 0),
        };
        queue.push(entry(1.0, end(0)));
        queue.push(entry(1.0, crossing(7)));
        queue.push(entry(1.0, crossing(3)));
        queue.push(entry(0.5, end(9)));
        let order: Vec<Coming> = std::iter::from_fn(|| queue.pop(|_| true))
            .map(|e| e.coming)
            .collect();
        assert_eq!(order, [end(9), crossing(3), crossing(7), end(0)]);
    }

    #[test]
    fn old_predictions_are_passed_over() {
        let mut queue = Queue::default();
        let entry = |time, version| Entry {
            time,
            coming: end(0),
            versions: (version, 0),
        };
        queue.push(entry(1.0, 1));
        queue.push(entry(2.0, 2));
        assert_eq!(queue.peek(|e| e.versions.0 == 2).map(|e| e.time), Some(2.0));
        assert_eq!(queue.len(), 1);
    }
}
