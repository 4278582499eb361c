//! Locations and computation nodes of rigid-body systems, as the exploration names them.

use crate::{Row, SlipDirection};
use dyverse_mech::ReferenceAxis;
use std::fmt;

/// How a closed contact stays closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// dg_T = 0.
    Stick,
    /// It slides the way it moves.
    Slip,
    /// It slides along a tangent (0 or 1), forwards or backwards: across it nothing ever moves.
    SlipAlong(usize, bool),
    /// The same, from rest: friction could not hold it.
    Departs(usize, bool),
}

impl Mode {
    /// As the formulas want it.
    pub(crate) fn closed(self) -> Row<SlipDirection> {
        match self {
            Mode::Stick => Row::Stick,
            Mode::Slip => Row::Along(SlipDirection::OfVelocity),
            Mode::SlipAlong(tangent, is_forward) | Mode::Departs(tangent, is_forward) => {
                let mut direction = [0.0; 2];
                direction[tangent] = if is_forward { 1.0 } else { -1.0 };
                Row::Along(SlipDirection::Fixed(direction))
            }
        }
    }
}

/// A closed contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Closed {
    /// Which.
    pub contact: usize,
    /// The axis that its tangents are made from.
    pub axis: ReferenceAxis,
    /// How it stays closed.
    pub mode: Mode,
}

/// A computation node: it lasts no time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// Before everything.
    Start,
    /// After an impact of these contacts: which of them stay closed?
    AfterImpact(Vec<usize>),
    /// One collision after the other among these contacts; whether one of them was closed before.
    Sequence(Vec<usize>, bool),
    /// These contacts stay closed: how?
    Contact(Vec<usize>),
}

/// Where an evolution is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyPlace {
    /// Closed contacts that nothing happens to, ascending.
    pub closed: Vec<Closed>,
    /// The node it is in; `None`: a dynamical location.
    pub node: Option<Node>,
}

impl BodyPlace {
    pub(crate) fn location(mut closed: Vec<Closed>) -> Self {
        closed.sort_unstable();
        BodyPlace { closed, node: None }
    }
    pub(crate) fn node(closed: Vec<Closed>, node: Node) -> Self {
        BodyPlace {
            closed,
            node: Some(node),
        }
    }
    /// As the formulas want it.
    pub(crate) fn modes(&self) -> Vec<(usize, ReferenceAxis, Row<SlipDirection>)> {
        self.closed
            .iter()
            .map(|c| (c.contact, c.axis, c.mode.closed()))
            .collect()
    }
}

impl fmt::Display for BodyPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.node {
            Some(Node::Start) => return f.write_str("start"),
            Some(Node::AfterImpact(c)) => return write!(f, "after impact of {c:?}"),
            Some(Node::Sequence(c, _)) => return write!(f, "collisions among {c:?}"),
            Some(Node::Contact(c)) => return write!(f, "contact node of {c:?}"),
            None => {}
        }
        if self.closed.is_empty() {
            return f.write_str("free");
        }
        for (place, c) in self.closed.iter().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            let mode = match c.mode {
                Mode::Stick => "stick",
                Mode::Slip | Mode::SlipAlong(..) | Mode::Departs(..) => "slip",
            };
            write!(f, "{comma}{} {mode}", c.contact)?;
        }
        Ok(())
    }
}
