//! What a run records of its transitions: typed moves of single contacts, and no names [MACHINE §2 "The whole location is lazy"].
//!
//! A dynamical location is a product of modes of contacts, and an edge changes those of a few: what is recorded is these few, with the stage of the run (in a location, or where in
//! a node). The location itself is known at one moment, the checkpoint before the first entry that is kept; walking on from there gives it before and after every entry (`naming.rs`). So an entry costs
//! what its event costs, however many contacts are closed elsewhere.
//!
//! The rule of an edge depends on what is closed elsewhere through two numbers alone: how many contacts are closed, and how many of them do not slip (the frame lemma, [`successor`](dyverse_machine::successor)).

use crate::index::ContactIx;
use crate::system::System;
use dyverse_machine::{FrictionMode, Rule, Stage, Standing};
use dyverse_mech::Triple;
use dyverse_model::EntityId;
use dyverse_trace::{Change, SuperdenseTime, TransitionKind};
use std::collections::{BTreeMap, BTreeSet};

/// Closed contacts with their modes, by contact of the run.
pub(crate) type Closed = BTreeMap<ContactIx, FrictionMode>;

/// What one contact does on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moved {
    pub(crate) contact: ContactIx,
    pub(crate) from: Standing,
    pub(crate) to: Standing,
}

/// A transition that was taken.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) time: SuperdenseTime,
    pub(crate) kind: TransitionKind,
    /// None for an edge inside a node.
    pub(crate) rule: Option<Rule>,
    pub(crate) from: Stage,
    pub(crate) to: Stage,
    pub(crate) moved: Vec<Moved>,
    /// The contacts it is about.
    pub(crate) contacts: Vec<ContactIx>,
    /// Forces or impulses found, by contact.
    pub(crate) forces: Vec<(ContactIx, Triple)>,
    pub(crate) changes: Vec<Change>,
    /// Guard and reset of an edge inside a node.
    pub(crate) inner: Option<(&'static str, &'static str)>,
}

impl Taken {
    pub(crate) fn new(kind: TransitionKind, now: SuperdenseTime, (from, to): (Stage, Stage)) -> Self {
        Taken {
            time: now,
            kind,
            rule: None,
            from,
            to,
            moved: Vec::new(),
            contacts: Vec::new(),
            forces: Vec::new(),
            changes: Vec::new(),
            inner: None,
        }
    }
}

/// The closed contacts of a run with their modes, and which of them an entity has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modes {
    closed: Closed,
    of_entity: BTreeMap<EntityId, BTreeSet<ContactIx>>,
    not_slipping: usize,
}

impl Modes {
    pub(crate) fn all(&self) -> &Closed {
        &self.closed
    }

    pub(crate) fn get(&self, contact: ContactIx) -> Option<FrictionMode> {
        self.closed.get(&contact).copied()
    }

    /// How many are closed, and how many of these do not slip, without some.
    pub(crate) fn counts(&self, without: &BTreeSet<ContactIx>) -> (usize, usize) {
        let own = without.iter().filter_map(|contact| self.get(*contact));
        let not_slipping = own.clone().filter(|mode| *mode != FrictionMode::Slip).count();
        (self.closed.len() - own.count(), self.not_slipping - not_slipping)
    }

    /// The closed contacts of some entities, ascending.
    pub(crate) fn among(&self, entities: &[EntityId]) -> Closed {
        let own = entities.iter().filter_map(|e| self.of_entity.get(e)).flatten();
        own.filter_map(|id| Some((*id, self.get(*id)?))).collect()
    }

    pub(crate) fn set(&mut self, system: &System<'_>, contact: ContactIx, mode: Option<FrictionMode>) {
        let before = match mode {
            Some(mode) => self.closed.insert(contact, mode),
            None => self.closed.remove(&contact),
        };
        let counts = |mode: Option<FrictionMode>| usize::from(mode.is_some_and(|m| m != FrictionMode::Slip));
        self.not_slipping = self.not_slipping + counts(mode) - counts(before);
        if before.is_some() == mode.is_some() {
            return;
        }
        let (a, b) = system.contact(contact).entities();
        // Fixed entities are never asked for, and may have thousands.
        for entity in [a, b].into_iter().filter(|e| !system.bodies[*e].is_fixed) {
            let own = self.of_entity.entry(entity).or_default();
            if mode.is_some() {
                own.insert(contact);
            } else {
                own.remove(&contact);
            }
        }
    }

    /// These and no others.
    pub(crate) fn replace(&mut self, system: &System<'_>, closed: &Closed) {
        *self = Modes::default();
        for (contact, mode) in closed {
            self.set(system, *contact, Some(*mode));
        }
    }
}

/// Trans lasts an instant and becomes slip.
pub(crate) fn settled(closed: &Closed) -> Closed {
    closed.iter().map(|(id, mode)| (*id, lasting(*mode))).collect()
}

pub(crate) fn lasting(mode: FrictionMode) -> FrictionMode {
    match mode {
        FrictionMode::Trans => FrictionMode::Slip,
        mode => mode,
    }
}
