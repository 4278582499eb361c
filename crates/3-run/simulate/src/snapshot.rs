//! What a [`Mechanism`](crate::Mechanism) remembers besides its state vector: which contacts are closed and how, and what the last event left behind.
//!
//! As words of 64 bits: integers as they are, numbers by their bits. So a copy is exact, and a saved one is the same on every machine.
//!
//! # Guarantee
//! A mechanism that is given its snapshot back goes on with the same bits. Words that are no snapshot of a model are refused.

use crate::couples::Turning;
use crate::index::{ContactIx, GroupIx, IndexVec, Number};
use crate::island::{Active, Pace};
use crate::loads::{Order, Stand, Stands};
use crate::log::Closed;
use crate::timeline::Ahead;
use dyverse_machine::FrictionMode;
use dyverse_mech::ReferenceAxis;
use dyverse_trace::SuperdenseTime;

/// What a mechanism remembers.
#[derive(Debug)]
pub(crate) struct MechanismSnapshot {
    pub(crate) active: Vec<Active>,
    pub(crate) lowest: Vec<f64>,
    pub(crate) closed: Closed,
    pub(crate) now: SuperdenseTime,
    pub(crate) impacts: usize,
    pub(crate) empty_closings: usize,
    pub(crate) creeps: usize,
    /// How the switches of loads stand, by group.
    pub(crate) stands: IndexVec<GroupIx, Option<Stands>>,
    /// How the friction of contacts stands.
    pub(crate) grips: IndexVec<ContactIx, Option<Stand>>,
    pub(crate) ahead: IndexVec<GroupIx, Option<Ahead>>,
}

/// Marks the words, with the version of their layout.
const MARK: u64 = 0x6479_6d65_6368_0005;

impl MechanismSnapshot {
    /// As bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let words = self.to_words().into_iter();
        words.flat_map(u64::to_le_bytes).collect()
    }

    /// From bytes; `None` if they are not what [`to_bytes`](Self::to_bytes) wrote for a model with so many contacts.
    pub(crate) fn from_bytes(bytes: &[u8], contacts: usize) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        Self::from_words(&words, contacts).filter(|_| rest.is_empty())
    }

    fn to_words(&self) -> Vec<u64> {
        let mut words = vec![MARK, self.active.len() as u64];
        for active in &self.active {
            let (mode, direction) = match active.slides {
                None => (0, [0.0; 2]),
                Some(direction) => (1, direction),
            };
            let reference = match active.reference {
                ReferenceAxis::X => 0,
                ReferenceAxis::Y => 1,
            };
            let pace = match active.pace {
                Pace::Fast => 0,
                Pace::Starting => 1,
            };
            words.extend([active.contact.number() as u64, mode]);
            words.extend(direction.map(f64::to_bits));
            words.extend([reference, pace]);
            words.extend([
                u64::from(active.zeno_until.is_some()),
                active.zeno_until.unwrap_or(0.0).to_bits(),
            ]);
            words.extend(active.prior.map(f64::to_bits));
            let turning = &active.turning;
            let pace = match turning.pace {
                Pace::Fast => 0,
                Pace::Starting => 1,
            };
            words.extend([u64::from(turning.roll.is_some()), pace]);
            words.extend(turning.roll.unwrap_or_default().map(f64::to_bits));
            words.extend([
                u64::from(turning.spin.is_some()),
                turning.spin.unwrap_or(0.0).to_bits(),
            ]);
            words.extend(turning.prior.map(f64::to_bits));
        }
        words.push(self.lowest.len() as u64);
        words.extend(self.lowest.iter().map(|gap| gap.to_bits()));
        words.push(self.closed.len() as u64);
        for (contact, mode) in &self.closed {
            let mode = match mode {
                FrictionMode::Stick => 0,
                FrictionMode::Trans => 1,
                FrictionMode::Slip => 2,
            };
            words.extend([contact.number() as u64, mode]);
        }
        words.extend([
            self.now.t().to_bits(),
            u64::from(self.now.n()),
            self.impacts as u64,
            self.empty_closings as u64,
            self.creeps as u64,
        ]);
        self.write_switches(&mut words);
        words
    }

    fn write_switches(&self, words: &mut Vec<u64>) {
        words.push(self.stands.len() as u64);
        for stands in &self.stands {
            let Some(stands) = stands else {
                words.push(0);
                continue;
            };
            words.extend([1, stands.stands.len() as u64]);
            for (stand, live) in stands.stands.iter().zip(&stands.live) {
                words.push(u64::from(*live));
                words.extend(stand_words(stand));
            }
        }
        words.push(self.grips.len() as u64);
        for grip in &self.grips {
            words.push(u64::from(grip.is_some()));
            words.extend(grip.iter().flat_map(stand_words));
        }
        words.push(self.ahead.len() as u64);
        for ahead in &self.ahead {
            let (known, until, is_turn) = ahead.map_or((0, 0.0, false), |a| (1, a.until, a.is_turn));
            words.extend([known, until.to_bits(), u64::from(is_turn)]);
        }
    }

    fn from_words(words: &[u64], contacts: usize) -> Option<Self> {
        let mut words = Words(words.iter());
        if words.next()? != MARK {
            return None;
        }
        let mut active = Vec::new();
        for _ in 0..words.below(contacts + 1)? {
            let contact = words.below(contacts).map(ContactIx::new)?;
            let slides = words.below(2)? == 1;
            let direction = [words.number()?, words.number()?];
            let reference = [ReferenceAxis::X, ReferenceAxis::Y][words.below(2)?];
            let pace = [Pace::Fast, Pace::Starting][words.below(2)?];
            let is_accumulating = words.below(2)? == 1;
            let until = words.number()?;
            let prior = [words.number()?, words.number()?, words.number()?];
            let rolls = words.below(2)? == 1;
            let rolling = [Pace::Fast, Pace::Starting][words.below(2)?];
            let roll = [words.number()?, words.number()?];
            let spins = words.below(2)? == 1;
            let spin = words.number()?;
            let turning = Turning {
                roll: rolls.then_some(roll),
                pace: rolling,
                spin: spins.then_some(spin),
                prior: [words.number()?, words.number()?, words.number()?],
            };
            active.push(Active {
                contact,
                slides: slides.then_some(direction),
                reference,
                pace,
                turning,
                prior,
                zeno_until: is_accumulating.then_some(until),
            });
        }
        if words.below(contacts + 1)? != contacts {
            return None;
        }
        let lowest = (0..contacts).map(|_| words.number()).collect::<Option<_>>()?;
        let mut closed = Closed::new();
        for _ in 0..words.below(contacts + 1)? {
            let contact = words.below(contacts).map(ContactIx::new)?;
            let modes = [FrictionMode::Stick, FrictionMode::Trans, FrictionMode::Slip];
            closed.insert(contact, modes[words.below(3)?]);
        }
        let t = words.number()?;
        let now = SuperdenseTime::new(t, u32::try_from(words.next()?).ok()?)?;
        let snapshot = MechanismSnapshot {
            active,
            lowest,
            closed,
            now,
            impacts: words.below(usize::MAX)?,
            empty_closings: words.below(usize::MAX)?,
            creeps: words.below(usize::MAX)?,
            stands: words.stands()?,
            grips: words.grips(contacts)?,
            ahead: words.ahead()?,
        };
        words.next().is_none().then_some(snapshot)
    }
}

/// A stand as words.
fn stand_words(stand: &Stand) -> [u64; 4] {
    let (kind, [a, b, c]) = match *stand {
        Stand::On(side) => (0, [side, 0.0, 0.0]),
        Stand::Along {
            low,
            high,
            part,
            order,
        } => (if order == Order::First { 1 } else { 2 }, [low, high, part]),
    };
    [kind, a.to_bits(), b.to_bits(), c.to_bits()]
}

/// Groups, or switches of a group, in words that are read.
const MOST: usize = 1 << 32;

/// Words being read.
struct Words<'a>(std::slice::Iter<'a, u64>);

impl Words<'_> {
    fn next(&mut self) -> Option<u64> {
        self.0.next().copied()
    }

    /// A finite number.
    fn number(&mut self) -> Option<f64> {
        self.next().map(f64::from_bits).filter(|x| x.is_finite())
    }

    fn stands(&mut self) -> Option<IndexVec<GroupIx, Option<Stands>>> {
        let mut all = IndexVec::default();
        for _ in 0..self.below(MOST)? {
            if self.below(2)? == 0 {
                all.push(None);
                continue;
            }
            let mut found = Stands::default();
            for _ in 0..self.below(MOST)? {
                found.live.push(self.below(2)? == 1);
                found.stands.push(self.stand()?);
            }
            all.push(Some(found));
        }
        Some(all)
    }

    fn stand(&mut self) -> Option<Stand> {
        let kind = self.below(3)?;
        let [low, high, part] = [self.number()?, self.number()?, self.number()?];
        let order = if kind == 2 { Order::Second } else { Order::First };
        Some(match kind {
            0 => Stand::On(low),
            _ => Stand::Along {
                low,
                high,
                part,
                order,
            },
        })
    }

    fn grips(&mut self, contacts: usize) -> Option<IndexVec<ContactIx, Option<Stand>>> {
        let mut all = IndexVec::default();
        for _ in 0..self.below(contacts + 1)? {
            all.push(if self.below(2)? == 1 {
                Some(self.stand()?)
            } else {
                None
            });
        }
        Some(all)
    }

    fn ahead(&mut self) -> Option<IndexVec<GroupIx, Option<Ahead>>> {
        let mut all = IndexVec::default();
        for _ in 0..self.below(MOST)? {
            let is_known = self.below(2)? == 1;
            let until = self.next().map(f64::from_bits).filter(|t| !t.is_nan())?;
            let is_turn = self.below(2)? == 1;
            all.push(is_known.then_some(Ahead { until, is_turn }));
        }
        Some(all)
    }

    /// A count below a limit.
    fn below(&mut self, limit: usize) -> Option<usize> {
        let count = usize::try_from(self.next()?).ok()?;
        (count < limit).then_some(count)
    }
}
