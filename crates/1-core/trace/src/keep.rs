//! What is kept of a run, within which bound, and the count of what is not.

use crate::{Piece, Sample, Transition, TransitionKind};
use std::collections::BTreeMap;
use std::mem::size_of;

/// What a run keeps for its trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Whether samples are kept; if not, only the last one, the state at the stop.
    pub samples: bool,
    /// Whether transitions are kept; if not, only the last few, and the others are counted ([`Tally`]).
    pub transitions: bool,
    /// What all of it may need, bytes: a run that needs more stops there, and keeps what it has.
    pub bytes: usize,
}

impl Keep {
    /// What a trace may need unless something else is said, bytes: 1 GB.
    pub const BYTES: usize = 1_000_000_000;
}

impl Default for Keep {
    fn default() -> Self {
        Keep {
            samples: true,
            transitions: true,
            bytes: Self::BYTES,
        }
    }
}

/// Transitions that were taken and not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many of each kind.
    pub kinds: BTreeMap<TransitionKind, usize>,
    /// How often each change of mode was made, from and to, in the order in which they were first made.
    pub moves: Vec<(String, String, usize)>,
    places: BTreeMap<(String, String), usize>,
}

impl Tally {
    /// Counts a transition of which nothing but its kind is known; that of a change of mode is not enough.
    pub fn count(&mut self, kind: TransitionKind) {
        *self.kinds.entry(kind).or_default() += 1;
    }

    /// Counts a transition.
    pub fn add(&mut self, transition: &Transition) {
        self.count(transition.kind);
        if transition.kind != TransitionKind::Mode {
            return;
        }
        let key = (transition.from.clone(), transition.to.clone());
        let place = self.places.get(&key).copied();
        match place.and_then(|place| self.moves.get_mut(place)) {
            Some((_, _, count)) => *count += 1,
            None => {
                self.moves.push((key.0.clone(), key.1.clone(), 1));
                self.places.insert(key, self.moves.len() - 1);
            }
        }
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.kinds.values().sum()
    }
}

impl Sample {
    /// What it needs in memory, bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Sample>() + size_of::<f64>() * self.values.len()
    }
}

impl Piece {
    /// What it needs in memory, bytes.
    pub fn bytes(&self) -> usize {
        let curve = |c: &Vec<f64>| size_of::<(crate::SignalId, Vec<f64>)>() + size_of::<f64>() * c.len();
        size_of::<Piece>() + self.signals.iter().map(|(_, c)| curve(c)).sum::<usize>()
    }
}

impl Transition {
    /// What it needs in memory, bytes.
    pub fn bytes(&self) -> usize {
        let texts = [&self.from, &self.to, &self.guard, &self.reset];
        let contacts = self.contacts.iter().map(|c| size_of::<String>() + c.len());
        let forces = self
            .forces
            .iter()
            .map(|f| size_of::<crate::ContactForce>() + f.contact.len());
        size_of::<Transition>()
            + texts.iter().map(|text| text.len()).sum::<usize>()
            + contacts.sum::<usize>()
            + forces.sum::<usize>()
            + size_of::<crate::Change>() * self.changes.len()
    }
}

/// What a sample holds where a signal is absent: a NaN with bits of its own, so that nothing computed is taken for it.
pub const ABSENT: f64 = f64::from_bits(0x7ff8_6162_7365_6e74);

/// Whether a value of a sample says that its signal is absent.
pub fn is_absent(value: f64) -> bool {
    value.to_bits() == ABSENT.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SuperdenseTime;

    #[test]
    fn absent_is_no_result_of_a_computation() {
        assert!(is_absent(ABSENT) && ABSENT.is_nan());
        let zero = std::hint::black_box(0.0_f64);
        for nan in [
            f64::NAN,
            -f64::NAN,
            zero / zero,
            f64::INFINITY - f64::INFINITY,
            (-1.0_f64).sqrt(),
        ] {
            assert!(nan.is_nan() && !is_absent(nan));
        }
    }

    #[test]
    fn what_is_not_kept_is_counted() {
        let transition = |kind, to: &str| Transition {
            time: SuperdenseTime::at(0.0).expect("0 is finite"),
            kind,
            from: "m.a".into(),
            to: to.into(),
            rule: "",
            contacts: vec!["a-b".into()],
            guard: String::new(),
            reset: String::new(),
            forces: Vec::new(),
            changes: Vec::new(),
        };
        let mut tally = Tally::default();
        for (kind, to) in [
            (TransitionKind::Mode, "m.c"),
            (TransitionKind::Event, "m.a"),
            (TransitionKind::Mode, "m.b"),
            (TransitionKind::Mode, "m.c"),
        ] {
            tally.add(&transition(kind, to));
        }
        assert_eq!(tally.total(), 4);
        assert_eq!(tally.kinds[&TransitionKind::Mode], 3);
        let text = |s: &str| s.to_owned();
        assert_eq!(
            tally.moves,
            [(text("m.a"), text("m.c"), 2), (text("m.a"), text("m.b"), 1)]
        );
        let one = transition(TransitionKind::Mode, "m.c");
        assert!(one.bytes() >= size_of::<Transition>() + 9);
    }
}
