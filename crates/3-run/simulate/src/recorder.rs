//! Writes the trace of a run: samples, the typed log of transitions (`log.rs`), and what is counted.
//!
//! Names are made when the trace is (`naming.rs`): recording a transition costs what its own contacts cost.

use crate::index::{ContactIx, IndexVec};
use crate::loads::{STATE, pack};
use crate::log::{Closed, Modes, Moved, Taken, lasting};
use crate::naming::{Namer, Standings, advance};
use crate::observe::ClosedContacts;
use crate::system::System;
use dyverse_machine::{Elsewhere, FrictionMode, Move, NodeKind, Rule, Stage, Standing, successor};
use dyverse_mech::{EntityState, Triple};
use dyverse_model::{EntityId, StateComponent};
use dyverse_trace::{
    Balance, Change, ImpactGain, Keep, Piece, Sample, Signal, SignalId, Statistics, StopReason,
    SuperdenseTime, Tally, Transition, TransitionKind,
};
use std::collections::BTreeSet;

/// Entities up to which every jump is also sampled whole.
const MOST_SAMPLED_ENTITIES: usize = 64;

/// Transitions that are there in any case.
const LAST: usize = 64;

/// Into a contact node, and out of it again.
pub(crate) struct Settling<'a> {
    pub(crate) kind: TransitionKind,
    pub(crate) from: Stage,
    /// Closed contacts that are not in `modes` any more open; others, elsewhere, stay as they are.
    pub(crate) inside: &'a Closed,
    /// What the node makes of its contacts.
    pub(crate) modes: &'a Closed,
    /// The contacts it is about, with their forces.
    pub(crate) contacts: &'a [ContactIx],
    pub(crate) forces: &'a [Triple],
}

/// A place in a trace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    transitions: usize,
    samples: usize,
    now: Option<SuperdenseTime>,
}

/// The trace so far.
pub(crate) struct Recorder {
    namer: Namer,
    pub(crate) signals: Vec<Signal>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) pieces: Vec<Piece>,
    /// The closed contacts during each of the pieces.
    pub(crate) closed_during: Vec<ClosedContacts>,
    /// Transitions as they were taken.
    pub(crate) log: Vec<Taken>,
    /// How contacts stood before the first of them.
    checkpoint: Standings,
    /// Transitions that were not kept.
    pub(crate) dropped: Tally,
    keep: Keep,
    /// What all of it needs, bytes.
    bytes: usize,
    pub(crate) balance: Balance,
    /// Where the impact law as it stands adds energy, in order of time.
    pub(crate) impact_gains: Vec<ImpactGain>,
    pub(crate) statistics: Statistics,
    /// Closed contacts in name, with their modes.
    pub(crate) closed: Modes,
    /// Contacts that are closed in the node under way, and not yet in name.
    held: BTreeSet<ContactIx>,
    /// Touches that came to nothing.
    pub(crate) passed_by: usize,
    /// The inner steps of the contact node to be entered next.
    pub(crate) inside_node: Vec<Taken>,
    /// The moment of the last transition.
    pub(crate) now: SuperdenseTime,
    /// Where the log is that of a whole number of events.
    mark: Place,
    /// For each entity: the number of its first signal.
    first_signal: IndexVec<EntityId, Option<u32>>,
    free: Vec<EntityId>,
}

impl Recorder {
    pub(crate) fn new(system: &System<'_>, now: SuperdenseTime, keep: Keep) -> Self {
        let mut signals = Vec::new();
        let mut first_signal = IndexVec::from(vec![None; system.bodies.len()]);
        let mut free = Vec::new();
        for (entity, body) in system.bodies.iter_enumerated() {
            if body.is_fixed {
                continue;
            }
            free.push(entity);
            first_signal[entity] = Some(signals.len() as u32);
            let name = &system.model.entity(entity).name;
            signals.extend(StateComponent::ALL.map(|c| Signal {
                name: format!("{name}.{}", c.name()),
                unit: c.unit().into(),
            }));
        }
        Recorder {
            namer: Namer::new(system.model),
            signals,
            samples: Vec::new(),
            pieces: Vec::new(),
            closed_during: Vec::new(),
            log: Vec::new(),
            checkpoint: Standings::new(),
            dropped: Tally::default(),
            keep,
            bytes: 0,
            balance: Balance::default(),
            impact_gains: Vec::new(),
            statistics: Statistics::default(),
            closed: Modes::default(),
            held: BTreeSet::new(),
            passed_by: 0,
            inside_node: Vec::new(),
            mark: Place::default(),
            now,
            first_signal,
            free,
        }
    }

    /// Whether states just before and after a jump are sampled whole.
    pub(crate) fn samples_jumps(&self) -> bool {
        self.free.len() <= MOST_SAMPLED_ENTITIES
    }

    /// Samples all states.
    pub(crate) fn sample(&mut self, time: SuperdenseTime, state: impl Fn(EntityId) -> EntityState<f64>) {
        if self.samples.last().is_some_and(|last| last.time == time) {
            return;
        }
        let mut values = Vec::with_capacity(self.signals.len());
        for entity in &self.free {
            let mut x = [0.0; STATE];
            pack(&state(*entity), &mut x);
            values.extend(StateComponent::ALL.map(|c| x[c.place()]));
        }
        let sample = Sample { time, values };
        if !self.keep.samples
            && let Some(before) = self.samples.pop()
        {
            self.bytes = self.bytes.saturating_sub(before.bytes());
        }
        self.bytes += sample.bytes();
        self.samples.push(sample);
    }

    /// Whether samples on the grid of times are wanted.
    pub(crate) fn keeps_samples(&self) -> bool {
        self.keep.samples
    }

    /// The motion of a step.
    pub(crate) fn piece(&mut self, piece: Piece, closed: ClosedContacts) {
        self.bytes += piece.bytes();
        self.closed_during.push(closed);
        self.pieces.push(piece);
    }

    /// What is kept so far needs, bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Transitions so far, kept or not.
    pub(crate) fn taken(&self) -> usize {
        self.dropped.total() + self.log.len()
    }

    /// Takes the transitions away, named; samples are forgotten.
    pub(crate) fn take(&mut self, system: &System<'_>) -> Vec<Transition> {
        self.samples.clear();
        self.bytes = 0;
        self.named(system)
    }

    /// The transitions that are kept, named.
    pub(crate) fn named(&mut self, system: &System<'_>) -> Vec<Transition> {
        let log = std::mem::take(&mut self.log);
        let (namer, standings) = (&self.namer, &mut self.checkpoint);
        log.into_iter()
            .map(|entry| namer.transition(system, standings, entry))
            .collect()
    }

    /// The name of the present location.
    pub(crate) fn location(&self, system: &System<'_>) -> String {
        self.namer.location(system, self.closed.all())
    }

    /// The closed contacts are these, without a transition; what was logged is forgotten.
    pub(crate) fn set_closed(&mut self, system: &System<'_>, closed: &Closed) {
        self.closed.replace(system, closed);
        self.log.clear();
        self.held.clear();
        self.checkpoint = closed
            .iter()
            .map(|(id, mode)| (*id, Standing::In(*mode)))
            .collect();
    }

    /// Between two events: counts what is not kept; a reason to stop if the rest needs too much.
    pub(crate) fn check(&mut self) -> Option<StopReason> {
        if !self.keep.transitions && self.log.len() > 2 * LAST {
            let count = self.log.len() - LAST;
            for entry in self.log.drain(..count) {
                self.bytes = self.bytes.saturating_sub(self.namer.bytes(&entry));
                advance(&mut self.checkpoint, &entry);
                self.dropped.count(entry.kind);
            }
        }
        let bytes = self.keep.bytes;
        (self.bytes > bytes).then_some(StopReason::MemoryLimit { bytes })
    }

    /// The signal of a component of an entity.
    pub(crate) fn signal(&self, entity: EntityId, component: StateComponent) -> Option<SignalId> {
        let number = StateComponent::ALL.iter().position(|c| *c == component)? as u32;
        self.first_signal[entity].map(|first| SignalId(first + number))
    }

    /// Moves to a time: microsteps begin anew where time has advanced.
    pub(crate) fn at(&mut self, t: f64) {
        if t > self.now.t()
            && let Some(time) = SuperdenseTime::at(t)
        {
            self.now = time;
        }
    }

    /// What jumped between two states of some entities.
    pub(crate) fn changes(
        &self,
        entities: &[EntityId],
        before: &[EntityState<f64>],
        after: &[EntityState<f64>],
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        for ((entity, before), after) in entities.iter().zip(before).zip(after) {
            let (mut x, mut y) = ([0.0; STATE], [0.0; STATE]);
            pack(before, &mut x);
            pack(after, &mut y);
            for component in StateComponent::VELOCITY
                .into_iter()
                .chain(StateComponent::ANGULAR_VELOCITY)
            {
                let (before, after) = (x[component.place()], y[component.place()]);
                if before != after
                    && let Some(signal) = self.signal(*entity, component)
                {
                    changes.push(Change {
                        signal,
                        before,
                        after,
                    });
                }
            }
        }
        changes
    }

    /// Takes note of an impact at which the law as it stands adds energy.
    pub(crate) fn gain(&mut self, system: &System<'_>, contact: ContactIx, added: f64, share: f64) {
        let (a, b) = system.contact(contact).entities();
        let pair = [a, b].map(|e| system.model.entity(e).name.clone());
        match self.impact_gains.iter_mut().find(|gain| gain.pair == pair) {
            Some(gain) => {
                gain.impacts += 1;
                gain.added += added;
                gain.least_share = gain.least_share.min(share);
            }
            None => self.impact_gains.push(ImpactGain {
                pair,
                first: self.now,
                impacts: 1,
                added,
                least_share: share,
            }),
        }
    }

    /// Records a transition at the next microstep.
    pub(crate) fn push(&mut self, entry: Taken) {
        let entry = Taken {
            time: self.now,
            ..entry
        };
        self.bytes += self.namer.bytes(&entry);
        self.log.push(entry);
        self.now = self.now.next_microstep();
    }

    /// How far the trace is.
    pub(crate) fn place(&self) -> Place {
        Place {
            transitions: self.log.len(),
            samples: self.samples.len(),
            now: Some(self.now),
        }
    }

    /// From here on the log may be taken back to this.
    pub(crate) fn mark(&mut self) {
        self.mark = self.place();
    }

    /// Takes back what was logged since the mark.
    pub(crate) fn roll_back(&mut self, system: &System<'_>) {
        self.roll_back_to(system, self.mark);
    }

    /// Takes back what was logged since a place.
    pub(crate) fn roll_back_to(&mut self, system: &System<'_>, place: Place) {
        self.log.truncate(place.transitions);
        self.samples.truncate(place.samples);
        self.now = place.now.unwrap_or(self.now);
        self.held.clear();
        self.inside_node.clear();
        let mut standings = self.checkpoint.clone();
        self.log.iter().for_each(|entry| advance(&mut standings, entry));
        let closed = standings.into_iter().filter_map(|(id, stands)| match stands {
            Standing::In(mode) => Some((id, mode)),
            _ => None,
        });
        self.closed.replace(system, &closed.collect());
    }

    /// What it is for a contact to be named open.
    pub(crate) fn opened(&self, contact: ContactIx) -> Option<Moved> {
        self.moved(contact, Standing::Open)
    }

    fn standing(&self, contact: ContactIx) -> Standing {
        match self.closed.get(contact) {
            Some(mode) => Standing::In(mode),
            None if self.held.contains(&contact) => Standing::Held,
            None => Standing::Open,
        }
    }

    fn moved(&self, contact: ContactIx, to: Standing) -> Option<Moved> {
        let from = self.standing(contact);
        (from != to).then_some(Moved { contact, from, to })
    }

    /// The edge of contacts that move together; `own` of them are closed in name.
    fn edge(
        &self,
        from: Stage,
        does: impl Iterator<Item = (Standing, Move)> + Clone,
        own: &BTreeSet<ContactIx>,
    ) -> Option<(Rule, Stage)> {
        let (closed, not_slipping) = self.closed.counts(own);
        successor(from, does, Elsewhere { closed, not_slipping })
    }

    /// From the present location into the impact node: contacts close. Gives the stage it leaves from. Where nothing strikes, because they close too slowly, or bounces were left out,
    /// the node has no impulse to find.
    pub(crate) fn enter_impact(&mut self, kind: TransitionKind, touching: &[ContactIx]) -> Stage {
        let is_closing = |id: &ContactIx| self.closed.get(*id).is_none();
        self.held = touching.iter().copied().filter(is_closing).collect();
        // Where none closes, some that are closed already strike again.
        let does = touching.iter().map(|id| match self.standing(*id) {
            Standing::In(mode) if self.held.is_empty() => (Standing::In(mode), Move::Strikes),
            Standing::In(mode) => (Standing::In(mode), Move::Stays),
            _ => (Standing::Open, Move::Closes),
        });
        let own = touching.iter().copied().collect();
        let rule = self.edge(Stage::Location, does, &own).map(|edge| edge.0);
        let stages = (Stage::Location, Stage::Entrance(NodeKind::Impact));
        let closing = self.held.iter().map(|contact| Moved {
            contact: *contact,
            from: Standing::Open,
            to: Standing::Held,
        });
        self.push(Taken {
            rule,
            moved: closing.collect(),
            contacts: touching.to_vec(),
            ..Taken::new(kind, self.now, stages)
        });
        Stage::Exit(NodeKind::Impact)
    }

    /// Into and out of a contact node, where contacts get their modes.
    pub(crate) fn settle(&mut self, system: &System<'_>, settling: &Settling<'_>) {
        let Settling {
            kind,
            from,
            inside,
            modes,
            contacts,
            forces,
        } = *settling;
        let leaving: BTreeSet<ContactIx> = inside
            .keys()
            .chain(&self.held)
            .copied()
            .filter(|id| !modes.contains_key(id))
            .collect();
        let moved: Vec<Moved> = leaving
            .iter()
            .filter_map(|id| self.moved(*id, Standing::Open))
            .collect();
        let own: BTreeSet<ContactIx> = inside.keys().chain(&self.held).copied().collect();
        let does: Vec<(Standing, Move)> = own
            .iter()
            .map(|id| {
                let stands = self.standing(*id);
                (stands, ends(from, stands, modes.get(id).copied()))
            })
            .collect();
        // Where the node gives every contact the mode that it had, one of them turned: its slip ended, and began again.
        let turned = own.iter().map(|id| (self.standing(*id), Move::Stops));
        let edge = self
            .edge(from, does.iter().copied(), &own)
            .or_else(|| self.edge(from, turned, &own));
        let Some((rule, to)) = edge else {
            unreachable!("bug: {from:?} is left by no edge: {inside:?} to {modes:?}");
        };
        for id in &leaving {
            self.held.remove(id);
            self.closed.set(system, *id, None);
        }
        let is_empty = to == Stage::Location;
        self.push(Taken {
            rule: Some(rule),
            moved,
            contacts: contacts.to_vec(),
            ..Taken::new(kind, self.now, (from, to))
        });
        if is_empty {
            return;
        }
        for step in std::mem::take(&mut self.inside_node) {
            self.push(step);
        }
        let exit = Stage::Exit(NodeKind::Contact);
        self.take_modes(system, (TransitionKind::Settle, exit), modes, contacts, forces);
        self.held.clear();
        if modes.values().any(|m| *m == FrictionMode::Trans) {
            let lasting = modes.iter().map(|(id, mode)| (*id, lasting(*mode))).collect();
            let stage = (TransitionKind::Slip, Stage::Location);
            self.take_modes(system, stage, &lasting, contacts, &[]);
        }
    }

    /// Into a location in which contacts have these modes.
    fn take_modes(
        &mut self,
        system: &System<'_>,
        (kind, from): (TransitionKind, Stage),
        modes: &Closed,
        contacts: &[ContactIx],
        forces: &[Triple],
    ) {
        let moved = modes
            .iter()
            .filter_map(|(id, mode)| self.moved(*id, Standing::In(*mode)))
            .collect();
        let own: BTreeSet<ContactIx> = modes.keys().copied().collect();
        let does = modes.iter().map(|(id, mode)| {
            let stands = self.standing(*id);
            (stands, begins(from, stands, *mode))
        });
        let rule = self.edge(from, does, &own).map(|edge| edge.0);
        for (id, mode) in modes {
            self.closed.set(system, *id, Some(*mode));
        }
        self.push(Taken {
            rule,
            moved,
            contacts: contacts.to_vec(),
            forces: contacts.iter().copied().zip(forces.iter().copied()).collect(),
            ..Taken::new(kind, self.now, (from, Stage::Location))
        });
    }
}

/// What a contact does on the edge that enters a contact node, or leads to where nothing is closed; `mode` is what the node gives it, none where it is left out.
fn ends(from: Stage, stands: Standing, mode: Option<FrictionMode>) -> Move {
    match (from, stands, mode) {
        (Stage::Location, _, None) => Move::Opens,
        (_, _, None) => Move::Leaves,
        (Stage::Location, Standing::In(FrictionMode::Stick), Some(now)) if now != FrictionMode::Stick => {
            Move::BreaksAway
        }
        (Stage::Location, Standing::In(FrictionMode::Slip), Some(now)) if now != FrictionMode::Slip => {
            Move::Stops
        }
        _ => Move::Stays,
    }
}

/// What a contact does on the edge that gives it a mode.
fn begins(from: Stage, stands: Standing, mode: FrictionMode) -> Move {
    match (from, mode) {
        (Stage::Location, _) if stands == Standing::In(FrictionMode::Trans) => Move::BeginsToSlip,
        (Stage::Location, _) => Move::Stays,
        (_, FrictionMode::Stick) => Move::Sticks,
        (_, FrictionMode::Trans) => Move::Starts,
        (_, FrictionMode::Slip) => Move::Slips,
    }
}
