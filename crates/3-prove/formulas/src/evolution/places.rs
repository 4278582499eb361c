//! Locations and computation nodes of rigid-body systems, as the exploration goes through them: a location of the automaton, with a chart.
//!
//! A *chart* is what a proof knows of a closed contact beyond the location: the axis that its tangents are made from, the tangent along which it slides, and whether it has just begun to.
//! Names are those of the automaton ([`NamedPlace`]): a proof names the places that a run goes through.
//!
//! | here | automaton |
//! |---|---|
//! | no node | s_k,i, or S_0 |
//! | [`Node::AfterImpact`] | I_k,ex |
//! | [`Node::Sequence`] | I_k, between two collisions of one instant |
//! | [`Node::Contact`] | C_k |
//! | [`Node::Start`] | before Init |

use crate::{Row, SlipDirection};
use dyverse_machine::{
    ContactId, Elsewhere, FrictionMode, Move, NamedPlace, NodeKind, Stage, Standing, successor,
};
use dyverse_mech::ReferenceAxis;
use std::collections::BTreeMap;
use std::fmt;

/// The chart of a closed contact: what is known of how it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chart {
    /// dg_T = 0.
    AtRest,
    /// It slides the way it moves.
    AsItMoves,
    /// It slides along a tangent (0 or 1), forwards or backwards: across it nothing ever moves.
    Along(usize, bool),
    /// The same, from rest: friction could not hold it.
    FromRest(usize, bool),
}

impl Chart {
    /// As the formulas want it.
    pub(crate) fn closed(self) -> Row<SlipDirection> {
        match self {
            Chart::AtRest => Row::Stick,
            Chart::AsItMoves => Row::Along(SlipDirection::OfVelocity),
            Chart::Along(tangent, is_forward) | Chart::FromRest(tangent, is_forward) => {
                let mut direction = [0.0; 2];
                direction[tangent] = if is_forward { 1.0 } else { -1.0 };
                Row::Along(SlipDirection::Fixed(direction))
            }
        }
    }

    /// The mode of the location, without the chart.
    #[must_use]
    pub fn friction_mode(self) -> FrictionMode {
        match self {
            Chart::AtRest => FrictionMode::Stick,
            Chart::AsItMoves | Chart::Along(..) | Chart::FromRest(..) => FrictionMode::Slip,
        }
    }

    /// What the contact node does with a contact that gets it.
    fn begins(self) -> Move {
        match self {
            Chart::AtRest => Move::Sticks,
            Chart::AsItMoves | Chart::Along(..) => Move::Slips,
            Chart::FromRest(..) => Move::Starts,
        }
    }
}

/// A closed contact with its chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Closed {
    /// Which.
    pub contact: ContactId,
    /// The axis that its tangents are made from.
    pub axis: ReferenceAxis,
    /// What is known of how it moves.
    pub chart: Chart,
}

/// A computation node: it lasts no time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// Before everything.
    Start,
    /// After an impact of these contacts: which of them stay closed?
    AfterImpact(Vec<ContactId>),
    /// One collision after the other among these contacts; whether one of them was closed before.
    Sequence(Vec<ContactId>, bool),
    /// These contacts stay closed: how?
    Contact(Vec<ContactId>),
}

/// A location of the automaton with its chart, or a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Charted {
    /// P, the number of contacts of the system: names need it.
    contacts: u32,
    /// Closed contacts that nothing happens to, ascending.
    pub closed: Vec<Closed>,
    /// The node it is in; `None`: a dynamical location.
    pub node: Option<Node>,
}

impl Charted {
    pub(crate) fn start(contacts: usize) -> Self {
        Charted {
            contacts: u32::try_from(contacts).unwrap_or(u32::MAX),
            closed: Vec::new(),
            node: Some(Node::Start),
        }
    }
    /// A dynamical location of the same system.
    pub(crate) fn location(&self, mut closed: Vec<Closed>) -> Self {
        closed.sort_unstable();
        Charted {
            contacts: self.contacts,
            closed,
            node: None,
        }
    }
    /// A node of the same system.
    pub(crate) fn node(&self, closed: Vec<Closed>, node: Node) -> Self {
        Charted {
            contacts: self.contacts,
            closed,
            node: Some(node),
        }
    }
    /// As the formulas want it.
    pub(crate) fn modes(&self) -> Vec<(ContactId, ReferenceAxis, Row<SlipDirection>)> {
        self.closed
            .iter()
            .map(|c| (c.contact, c.axis, c.chart.closed()))
            .collect()
    }

    /// How the contacts stand that are not open.
    fn standings(&self) -> BTreeMap<ContactId, Standing> {
        let lasting = self
            .closed
            .iter()
            .map(|c| (c.contact, Standing::In(c.chart.friction_mode())));
        let held: &[ContactId] = match &self.node {
            Some(Node::AfterImpact(held) | Node::Sequence(held, _) | Node::Contact(held)) => held,
            Some(Node::Start) | None => &[],
        };
        lasting
            .chain(held.iter().map(|contact| (*contact, Standing::Held)))
            .collect()
    }

    fn stage(&self) -> Stage {
        match self.node {
            None | Some(Node::Start) => Stage::Location,
            Some(Node::AfterImpact(_) | Node::Sequence(..)) => Stage::Exit(NodeKind::Impact),
            Some(Node::Contact(_)) => Stage::Exit(NodeKind::Contact),
        }
    }
}

impl fmt::Display for Charted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.node == Some(Node::Start) {
            return f.write_str("start");
        }
        let name = name(self.stage(), &self.standings(), self.contacts);
        match self.node {
            // Inside a node, not at one of its ends.
            Some(Node::Sequence(..) | Node::Contact(_)) => f.write_str(name.trim_end_matches(",ex")),
            _ => f.write_str(&name),
        }
    }
}

fn name(stage: Stage, stands: &BTreeMap<ContactId, Standing>, contacts: u32) -> String {
    let listed = stands.iter().map(|(contact, stands)| (*contact, *stands));
    let Some(place) = NamedPlace::of(stage, listed) else {
        unreachable!("bug: {stage:?} with {stands:?} is no place of an automaton");
    };
    place.name(contacts)
}

/// The edges of the automaton that a jump of a proof goes along, made move by move.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    contacts: u32,
    stage: Stage,
    stands: BTreeMap<ContactId, Standing>,
    edges: Vec<String>,
}

impl Route {
    /// From a place.
    pub(crate) fn from(place: &Charted) -> Self {
        Route {
            contacts: place.contacts,
            stage: place.stage(),
            stands: place.standings(),
            edges: Vec::new(),
        }
    }

    /// Along the edge that contacts make by their moves, and through the node that it enters.
    pub(crate) fn along(mut self, moves: &[(ContactId, Move)]) -> Self {
        let stood = |contact: ContactId| self.stands.get(&contact).copied().unwrap_or(Standing::Open);
        let part: Vec<(Standing, Move)> = moves
            .iter()
            .map(|(contact, does)| (stood(*contact), *does))
            .collect();
        let others = self
            .stands
            .iter()
            .filter(|(contact, _)| moves.iter().all(|(own, _)| own != *contact));
        let elsewhere = Elsewhere {
            closed: others.clone().count(),
            not_slipping: others
                .filter(|(_, stands)| **stands != Standing::In(FrictionMode::Slip))
                .count(),
        };
        let Some((rule, to)) = successor(self.stage, part.iter().copied(), elsewhere) else {
            unreachable!("bug: {moves:?} are no edge from {:?}", self.stage);
        };
        let before = name(self.stage, &self.stands, self.contacts);
        for ((contact, does), (stood, _)) in moves.iter().zip(&part) {
            match does.leads_to(*stood) {
                Standing::Open => self.stands.remove(contact),
                stands => self.stands.insert(*contact, stands),
            };
        }
        let after = name(to, &self.stands, self.contacts);
        self.edges.push(format!("{before} → {after} ({})", rule.number()));
        self.stage = match to {
            Stage::Entrance(kind) => Stage::Exit(kind),
            stage => stage,
        };
        self
    }

    /// Out of the contact node, with these modes; those that begin to slide go through trans.
    pub(crate) fn settled(mut self, modes: impl Iterator<Item = (ContactId, Chart)> + Clone) -> Self {
        if self.stage != Stage::Exit(NodeKind::Contact) {
            return self;
        }
        let moves: Vec<(ContactId, Move)> = modes.map(|(contact, mode)| (contact, mode.begins())).collect();
        self = self.along(&moves);
        let starting = |(contact, does): &(ContactId, Move)| {
            (*does == Move::Starts).then_some((*contact, Move::BeginsToSlip))
        };
        let starting: Vec<(ContactId, Move)> = moves.iter().filter_map(starting).collect();
        if starting.is_empty() {
            self
        } else {
            self.along(&starting)
        }
    }

    /// Its edges, as they are written.
    pub(crate) fn label(&self) -> String {
        self.edges.join("; ")
    }
}
