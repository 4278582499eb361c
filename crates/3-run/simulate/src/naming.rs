//! Names of locations, nodes, edges and guards, made from the log of a run when its trace is.
//!
//! Up to [`MOST_CONTACTS`] contacts a location has the number that the automaton gives it, with the guard and the reset of the edge. Vertex numbers of larger systems have thousands of digits, and their
//! guards name every possible contact: there a transition names the contacts that it is about and how they stand, before and after, and says nothing of the others, which stay as they are:
//! `s{a-b: open} → I{a-b},en`, `C{a-b},ex → s{a-b: slip}`.

use crate::index::ContactIx;
use crate::log::{Closed, Taken};
use crate::system::System;
use dyverse_machine::{
    ContactId, FrictionMode, GraphKind, HybridAutomaton, InnerEdge, NamedPlace, NodeKind, Stage, Standing,
};
use dyverse_model::{EntityId, Model};
use dyverse_trace::{ContactForce, Transition, TransitionKind};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::size_of;

/// Contacts up to which locations are numbered.
const MOST_CONTACTS: usize = 64;

/// What stands for the rule where contacts begin to be followed by steps, or cease to.
const BY_STEPS: &str = dyverse_trace::Transition::BY_STEPS;

/// How the contacts stand that are not open.
pub(crate) type Standings = BTreeMap<ContactIx, Standing>;

type Key = (
    (EntityId, EntityId),
    (u32, u32),
    (dyverse_mech::Feature, dyverse_mech::Feature),
);

/// The texts of an edge.
#[derive(Default)]
struct Texts {
    from: String,
    to: String,
    rule: &'static str,
    guard: String,
    reset: String,
}

/// Names transitions.
pub(crate) struct Namer {
    automaton: Option<(HybridAutomaton, BTreeMap<Key, ContactId>)>,
    /// About what the texts of an edge need, bytes.
    text_bytes: usize,
}

impl Namer {
    pub(crate) fn new(model: &Model) -> Self {
        let Some((contacts, list)) = model.contact_list(MOST_CONTACTS) else {
            return Namer {
                automaton: None,
                text_bytes: 100,
            };
        };
        let labels: usize = list.iter().map(|(_, contact)| contact.label().len() + 2).sum();
        let ids = contacts
            .iter()
            .enumerate()
            .map(|(i, c)| ((c.entities, c.surfaces, c.features), ContactId::new(i as u32)))
            .collect();
        let automaton = HybridAutomaton::new(list, GraphKind::Complete, Vec::new());
        Namer {
            automaton: automaton.ok().map(|a| (a, ids)),
            text_bytes: 100 + 2 * labels,
        }
    }

    /// About what an entry needs when it is named, bytes.
    pub(crate) fn bytes(&self, entry: &Taken) -> usize {
        /// A label, or a little more than most.
        const LABEL: usize = size_of::<String>() + 16;
        size_of::<Transition>()
            + self.text_bytes
            + LABEL * entry.contacts.len()
            + (LABEL + 24) * entry.forces.len()
            + size_of::<dyverse_trace::Change>() * entry.changes.len()
    }

    /// A transition of the log; `standings` are those before it, and then those after it.
    pub(crate) fn transition(
        &self,
        system: &System<'_>,
        standings: &mut Standings,
        entry: Taken,
    ) -> Transition {
        let texts = match &self.automaton {
            Some((automaton, ids)) => {
                let place = |stage: Stage, standings: &Standings| numbered(system, ids, stage, standings);
                let from = place(entry.from, standings);
                advance(standings, &entry);
                let to = place(entry.to, standings);
                from.zip(to)
                    .map(|(from, to)| texts(automaton, &entry, &from, &to))
                    .unwrap_or_default()
            }
            None => {
                let from = partial(system, &entry, entry.from, standings);
                advance(standings, &entry);
                let to = partial(system, &entry, entry.to, standings);
                let (guard, reset) = entry.inner.unwrap_or_default();
                Texts {
                    from,
                    to,
                    rule: match (entry.kind, entry.rule) {
                        (TransitionKind::Capture | TransitionKind::Release, _) => BY_STEPS,
                        (_, rule) => rule.map_or(InnerEdge::RULE, |rule| rule.number()),
                    },
                    guard: guard.into(),
                    reset: reset.into(),
                }
            }
        };
        let label = |contact: ContactIx| system.contact(contact).label.clone();
        Transition {
            time: entry.time,
            kind: entry.kind,
            from: texts.from,
            to: texts.to,
            rule: texts.rule,
            contacts: entry.contacts.iter().map(|c| label(*c)).collect(),
            guard: texts.guard,
            reset: texts.reset,
            forces: entry
                .forces
                .iter()
                .map(|(contact, force)| ContactForce {
                    contact: label(*contact),
                    normal: force[0],
                    tangential: [force[1], force[2]],
                })
                .collect(),
            changes: entry.changes,
        }
    }

    /// The name of the location with these closed contacts.
    pub(crate) fn location(&self, system: &System<'_>, closed: &Closed) -> String {
        let Some((automaton, ids)) = &self.automaton else {
            let labels = closed.keys().map(|c| system.contact(*c).label.as_str());
            return match labels.collect::<Vec<_>>() {
                labels if labels.is_empty() => "S_0".into(),
                labels => format!("s{{{}}}", labels.join(", ")),
            };
        };
        let standings = closed.iter().map(|(c, mode)| (*c, Standing::In(*mode))).collect();
        match numbered(system, ids, Stage::Location, &standings) {
            Some(place) => automaton.notation().place(&place),
            None => String::new(),
        }
    }
}

/// What the contacts do on an edge.
pub(crate) fn advance(standings: &mut Standings, entry: &Taken) {
    for moved in &entry.moved {
        if moved.to == Standing::Open {
            standings.remove(&moved.contact);
        } else {
            standings.insert(moved.contact, moved.to);
        }
    }
}

fn numbered(
    system: &System<'_>,
    ids: &BTreeMap<Key, ContactId>,
    stage: Stage,
    standings: &Standings,
) -> Option<NamedPlace> {
    let listed = standings.iter().map(|(contact, stands)| {
        let c = &system.contact(*contact).contact;
        let id = ids.get(&(c.entities, c.surfaces, c.features))?;
        Some((*id, *stands))
    });
    let listed = listed.collect::<Option<Vec<_>>>()?;
    NamedPlace::of(stage, listed.into_iter())
}

fn texts(automaton: &HybridAutomaton, entry: &Taken, from: &NamedPlace, to: &NamedPlace) -> Texts {
    let notation = automaton.notation();
    let mut texts = Texts {
        from: notation.place(from),
        to: notation.place(to),
        ..Texts::default()
    };
    if matches!(entry.kind, TransitionKind::Capture | TransitionKind::Release) {
        texts.rule = BY_STEPS;
    } else if let Some((guard, reset)) = entry.inner {
        (texts.rule, texts.guard, texts.reset) = (InnerEdge::RULE, guard.into(), reset.into());
    } else if let (Some(from), Some(to)) = (from.location(), to.location())
        && let Some(edge) = automaton.edge(&from, &to)
    {
        // The two numbers about what is closed elsewhere tell the rule that the whole location does.
        debug_assert_eq!(Some(edge.rule()), entry.rule, "{entry:?}");
        texts.rule = edge.rule().number();
        texts.guard = notation.condition(&automaton.guard(&edge));
        texts.reset = notation.reset(&automaton.reset(&edge));
    }
    texts
}

/// A place of a system too large for numbers: the contacts that an entry is about, and how they stand there.
fn partial(system: &System<'_>, entry: &Taken, stage: Stage, standings: &Standings) -> String {
    let moved = entry.moved.iter().map(|m| m.contact);
    let about: BTreeSet<ContactIx> = entry.contacts.iter().copied().chain(moved).collect();
    let list = |is_node: bool| {
        let texts = about.iter().filter_map(|contact| {
            let label = &system.contact(*contact).label;
            match (standings.get(contact), is_node) {
                (None, true) => None,
                (Some(_), true) => Some(label.clone()),
                (standing, false) => Some(format!("{label}: {}", word(standing))),
            }
        });
        texts.collect::<Vec<_>>().join(", ")
    };
    let letter = |kind: NodeKind| match kind {
        NodeKind::Impact => "I",
        NodeKind::Contact => "C",
    };
    match stage {
        Stage::Location => format!("s{{{}}}", list(false)),
        Stage::Entrance(kind) => format!("{}{{{}}},en", letter(kind), list(true)),
        Stage::Exit(kind) => format!("{}{{{}}},ex", letter(kind), list(true)),
        Stage::Step(kind, step) => format!("{}{{{}}},{step}", letter(kind), list(true)),
    }
}

fn word(standing: Option<&Standing>) -> &'static str {
    match standing {
        None | Some(Standing::Open) => "open",
        Some(Standing::Held) => "held",
        Some(Standing::In(FrictionMode::Stick)) => "stick",
        Some(Standing::In(FrictionMode::Trans)) => "trans",
        Some(Standing::In(FrictionMode::Slip)) => "slip",
    }
}
