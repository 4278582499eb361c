//! Names of locations, nodes, edges and guards in a trace, from the automaton where it is small enough to be named.
//!
//! Vertex numbers of large systems have thousands of digits, and their guards name every possible contact. Beyond [`MOST_CONTACTS`] a location is
//! called by its closed contacts instead.

use crate::system::System;
use dyverse_automaton::{
    ComputationNode, Contact, ContactId, ContactList, ContactSet, DynamicalLocation, FrictionMode, GraphKind,
    HybridAutomaton, Location, NodeKind,
};
use dyverse_model::{EntityId, Model};
use std::collections::BTreeMap;

/// Contacts up to which locations are numbered.
const MOST_CONTACTS: usize = 64;

/// Closed contacts with their modes, by contact of the run.
pub(crate) type Closed = BTreeMap<usize, FrictionMode>;

type Key = (
    (EntityId, EntityId),
    (u32, u32),
    (dyverse_mech::Feature, dyverse_mech::Feature),
);

/// What the ends of an edge are called, and the edge itself.
pub(crate) struct NamedEdge {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) rule: &'static str,
    pub(crate) guard: String,
    pub(crate) reset: String,
}

/// A place in the automaton.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    At(Closed),
    Entrance(NodeKind, Vec<usize>),
    Exit(NodeKind, Vec<usize>),
}

/// Names places.
pub(crate) struct Namer {
    automaton: Option<(HybridAutomaton, BTreeMap<Key, ContactId>)>,
}

impl Namer {
    pub(crate) fn new(model: &Model) -> Self {
        let contacts: Vec<_> = model.contacts().take(MOST_CONTACTS + 1).collect();
        if contacts.len() > MOST_CONTACTS {
            return Namer { automaton: None };
        }
        let name = |id: EntityId| model.entity(id).name.clone();
        let list = contacts
            .iter()
            .map(|c| Contact::new(model.contact_label(c), name(c.entities.0), name(c.entities.1)))
            .collect();
        let ids = contacts
            .iter()
            .enumerate()
            .map(|(i, c)| ((c.entities, c.surfaces, c.features), ContactId::new(i as u32)))
            .collect();
        let automaton = HybridAutomaton::new(ContactList::new(list), GraphKind::Complete, Vec::new());
        Namer {
            automaton: automaton.ok().map(|a| (a, ids)),
        }
    }

    /// The edge between two places.
    pub(crate) fn edge(&self, system: &System<'_>, from: &Place, to: &Place) -> NamedEdge {
        let Some((automaton, ids)) = &self.automaton else {
            let (from, to) = (plain(system, from), plain(system, to));
            return NamedEdge {
                from,
                to,
                rule: "",
                guard: String::new(),
                reset: String::new(),
            };
        };
        let notation = automaton.notation();
        let (from, to) = (located(system, ids, from), located(system, ids, to));
        let (Some(from), Some(to)) = (from, to) else {
            return NamedEdge {
                from: String::new(),
                to: String::new(),
                rule: "",
                guard: String::new(),
                reset: String::new(),
            };
        };
        let edge = automaton.edge(&from, &to);
        NamedEdge {
            rule: edge.as_ref().map_or("", |e| e.rule().number()),
            guard: edge
                .as_ref()
                .map_or_else(String::new, |e| notation.condition(&automaton.guard(e))),
            reset: edge
                .as_ref()
                .map_or_else(String::new, |e| notation.reset(&automaton.reset(e))),
            from: notation.location(&from),
            to: notation.location(&to),
        }
    }
}

fn located(system: &System<'_>, ids: &BTreeMap<Key, ContactId>, place: &Place) -> Option<Location> {
    let id = |contact: &usize| {
        let c = &system.contact(*contact).contact;
        ids.get(&(c.entities, c.surfaces, c.features)).copied()
    };
    let set = |contacts: &mut dyn Iterator<Item = &usize>| -> Option<ContactSet> {
        contacts
            .map(id)
            .collect::<Option<Vec<_>>>()
            .map(|ids| ids.into_iter().collect())
    };
    Some(match place {
        Place::At(closed) => {
            let of =
                |mode: FrictionMode| set(&mut closed.iter().filter(|(_, m)| **m == mode).map(|(c, _)| c));
            let (stick, trans, slip) = (
                of(FrictionMode::Stick)?,
                of(FrictionMode::Trans)?,
                of(FrictionMode::Slip)?,
            );
            Location::Dynamical(DynamicalLocation::from_modes(&stick, trans, slip)?)
        }
        Place::Entrance(kind, contacts) => {
            Location::Entrance(ComputationNode::new(*kind, set(&mut contacts.iter())?)?)
        }
        Place::Exit(kind, contacts) => {
            Location::Exit(ComputationNode::new(*kind, set(&mut contacts.iter())?)?)
        }
    })
}

/// The name of a place in a system too large for numbers.
fn plain(system: &System<'_>, place: &Place) -> String {
    let list = |contacts: &mut dyn Iterator<Item = &usize>| {
        contacts
            .map(|c| system.contact(*c).label.clone())
            .collect::<Vec<_>>()
            .join(", ")
    };
    match place {
        Place::At(closed) if closed.is_empty() => "S_0".into(),
        Place::At(closed) => format!("s{{{}}}", list(&mut closed.keys())),
        Place::Entrance(kind, contacts) => format!("{}{{{}}},en", letter(*kind), list(&mut contacts.iter())),
        Place::Exit(kind, contacts) => format!("{}{{{}}},ex", letter(*kind), list(&mut contacts.iter())),
    }
}

fn letter(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Impact => "I",
        NodeKind::Contact => "C",
    }
}
