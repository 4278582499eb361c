//! Writes the trace of a run.

use crate::loads::{STATE, pack};
use crate::naming::{Closed, Namer, Place};
use crate::observe::ClosedContacts;
use crate::system::System;
use dyverse_automaton::{FrictionMode, NodeKind};
use dyverse_mech::{EntityState, Triple};
use dyverse_model::StateComponent;
use dyverse_time::{
    Balance, Change, ContactForce, ImpactGain, Keep, Piece, Sample, Signal, SignalId, Statistics, StopReason,
    SuperdenseTime, Tally, Transition, TransitionKind,
};

/// Entities up to which every jump is also sampled whole.
const MOST_SAMPLED_ENTITIES: usize = 64;

/// Transitions that are there in any case.
const LAST: usize = 64;

/// A transition as it is taken.
pub(crate) struct Taken<'a> {
    pub(crate) kind: TransitionKind,
    pub(crate) from: &'a Place,
    pub(crate) to: &'a Place,
    pub(crate) contacts: &'a [usize],
    /// Forces or impulses found, by contact.
    pub(crate) forces: &'a [Triple],
}

/// The trace so far.
pub(crate) struct Recorder {
    namer: Namer,
    pub(crate) signals: Vec<Signal>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) pieces: Vec<Piece>,
    /// The closed contacts during each of the pieces.
    pub(crate) closed_during: Vec<ClosedContacts>,
    pub(crate) transitions: Vec<Transition>,
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
    pub(crate) closed: Closed,
    /// The inner steps of the contact node to be entered next.
    pub(crate) inside_node: Vec<Transition>,
    /// The moment of the last transition.
    pub(crate) now: SuperdenseTime,
    /// For each entity: the number of its first signal.
    first_signal: Vec<Option<u32>>,
    free: Vec<usize>,
}

impl Recorder {
    pub(crate) fn new(system: &System<'_>, now: SuperdenseTime, keep: Keep) -> Self {
        let mut signals = Vec::new();
        let mut first_signal = vec![None; system.bodies.len()];
        let mut free = Vec::new();
        for (entity, body) in system.bodies.iter().enumerate() {
            if body.is_fixed {
                continue;
            }
            free.push(entity);
            first_signal[entity] = Some(signals.len() as u32);
            let name = &system.model.entities()[entity].name;
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
            transitions: Vec::new(),
            dropped: Tally::default(),
            keep,
            bytes: 0,
            balance: Balance::default(),
            impact_gains: Vec::new(),
            statistics: Statistics::default(),
            closed: Closed::new(),
            inside_node: Vec::new(),
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
    pub(crate) fn sample(&mut self, time: SuperdenseTime, state: impl Fn(usize) -> EntityState<f64>) {
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

    /// Transitions so far, kept or not.
    pub(crate) fn taken(&self) -> usize {
        self.dropped.total() + self.transitions.len()
    }

    /// Takes the transitions away; samples are forgotten.
    pub(crate) fn take(&mut self) -> Vec<Transition> {
        self.samples.clear();
        self.bytes = 0;
        std::mem::take(&mut self.transitions)
    }

    /// Between two events: counts what is not kept; a reason to stop if the rest needs too much.
    pub(crate) fn check(&mut self) -> Option<StopReason> {
        if !self.keep.transitions && self.transitions.len() > 2 * LAST {
            let count = self.transitions.len() - LAST;
            for transition in self.transitions.drain(..count) {
                self.bytes = self.bytes.saturating_sub(transition.bytes());
                self.dropped.add(&transition);
            }
        }
        let bytes = self.keep.bytes;
        (self.bytes > bytes).then_some(StopReason::MemoryLimit { bytes })
    }

    /// The signal of a component of an entity.
    pub(crate) fn signal(&self, entity: usize, component: StateComponent) -> Option<SignalId> {
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
        entities: &[usize],
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
    pub(crate) fn gain(&mut self, system: &System<'_>, contact: usize, added: f64, share: f64) {
        let (a, b) = system.contact(contact).entities();
        let pair = [a, b].map(|e| system.model.entities()[e].name.clone());
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

    /// Records a transition from one place to another, at the next microstep.
    pub(crate) fn transition(&mut self, system: &System<'_>, taken: Taken<'_>) {
        let named = self.namer.edge(system, taken.from, taken.to);
        let label = |contact: &usize| system.contact(*contact).label.clone();
        self.push(Transition {
            time: self.now,
            kind: taken.kind,
            from: named.from,
            to: named.to,
            rule: named.rule,
            contacts: taken.contacts.iter().map(label).collect(),
            guard: named.guard,
            reset: named.reset,
            forces: contact_forces(system, taken.contacts, taken.forces),
            changes: Vec::new(),
        });
    }

    /// Records a transition that is already named, at the next microstep.
    pub(crate) fn push(&mut self, transition: Transition) {
        let transition = Transition {
            time: self.now,
            ..transition
        };
        self.bytes += transition.bytes();
        self.transitions.push(transition);
        self.now = self.now.next_microstep();
    }

    /// The name of a place.
    pub(crate) fn name(&self, system: &System<'_>, place: &Place) -> String {
        self.namer.edge(system, place, place).from
    }

    /// The place of the present location.
    pub(crate) fn here(&self) -> Place {
        Place::At(self.closed.clone())
    }

    /// The present location's closed contacts with others added.
    pub(crate) fn closed_with(&self, others: &[usize]) -> Vec<usize> {
        let mut all: Vec<usize> = self
            .closed
            .keys()
            .copied()
            .chain(others.iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Into and out of the contact node of the present closed contacts, which get their modes there.
    pub(crate) fn settle(
        &mut self,
        system: &System<'_>,
        from: &Place,
        kind: TransitionKind,
        modes: &Closed,
        contacts: &[usize],
        forces: &[Triple],
    ) {
        let all: Vec<usize> = modes.keys().copied().collect();
        if all.is_empty() {
            self.closed.clear();
            let to = Place::At(Closed::new());
            self.transition(
                system,
                Taken {
                    kind,
                    from,
                    to: &to,
                    contacts,
                    forces: &[],
                },
            );
            return;
        }
        let entrance = Place::Entrance(NodeKind::Contact, all.clone());
        self.transition(
            system,
            Taken {
                kind,
                from,
                to: &entrance,
                contacts,
                forces: &[],
            },
        );
        for step in std::mem::take(&mut self.inside_node) {
            self.push(step);
        }
        let exit = Place::Exit(NodeKind::Contact, all);
        self.closed = modes.clone();
        let here = self.here();
        let kind = TransitionKind::Settle;
        self.transition(
            system,
            Taken {
                kind,
                from: &exit,
                to: &here,
                contacts,
                forces,
            },
        );
        if modes.values().any(|m| *m == FrictionMode::Trans) {
            self.closed = settled(modes);
            let next = self.here();
            let kind = TransitionKind::Slip;
            self.transition(
                system,
                Taken {
                    kind,
                    from: &here,
                    to: &next,
                    contacts,
                    forces: &[],
                },
            );
        }
    }
}

/// Trans lasts an instant and becomes slip.
pub(crate) fn settled(closed: &Closed) -> Closed {
    let after = |mode: FrictionMode| {
        if mode == FrictionMode::Trans {
            FrictionMode::Slip
        } else {
            mode
        }
    };
    closed.iter().map(|(id, mode)| (*id, after(*mode))).collect()
}

/// Forces or impulses by contact.
pub(crate) fn contact_forces(
    system: &System<'_>,
    contacts: &[usize],
    forces: &[Triple],
) -> Vec<ContactForce> {
    let named = contacts.iter().zip(forces);
    named
        .map(|(contact, force)| ContactForce {
            contact: system.contact(*contact).label.clone(),
            normal: force[0],
            tangential: [force[1], force[2]],
        })
        .collect()
}
