//! What an expression of a model file is, once its names are known: numbers, vectors, truth values …

use crate::actors::Part;
use dyverse_expr::NodeId;
use dyverse_model::{EntityId, FormulaId};

/// A number or the interval it is in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bounded {
    Value(NodeId),
    Range(NodeId, NodeId),
}

/// A lowered expression with its type.
#[derive(Clone, Debug)]
pub(crate) enum Typed {
    Number(NodeId),
    Vector([NodeId; 3]),
    Orientation([NodeId; 4]),
    Boolean(NodeId),
    Interval(NodeId, NodeId),
    /// A vector some components of which are intervals.
    Box([Bounded; 3]),
    /// A formula with a temporal operator in it: its place among the parts of the property.
    Temporal(FormulaId),
    Entity(EntityId),
    /// Something of an actor model that has members: an instance, a mode, a mechanism.
    Part(Part),
    /// A word that means something to one operator, such as `rising`.
    Word,
    /// Already reported.
    Broken,
}

impl Typed {
    /// The type, for messages.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Typed::Number(_) => "a number",
            Typed::Vector(_) => "a vector",
            Typed::Orientation(_) => "an orientation",
            Typed::Boolean(_) => "true or false",
            Typed::Interval(..) => "an interval",
            Typed::Box(_) => "a vector of intervals",
            Typed::Temporal(_) => "a temporal formula",
            Typed::Entity(_) => "an entity",
            Typed::Part(Part::Scope(_)) => "an instance or a mode",
            Typed::Part(Part::Mechanism(_)) => "a mechanism",
            Typed::Part(Part::Entity(..)) => "an entity",
            Typed::Part(Part::Table(_)) => "a table",
            Typed::Part(Part::Fmu(..)) => "an FMU",
            Typed::Word => "a word",
            Typed::Broken => "broken",
        }
    }
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self, Typed::Broken)
    }
}
