//! What an expression of a model file is, once its names are known: numbers, vectors, truth values …

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
            Typed::Broken => "broken",
        }
    }
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self, Typed::Broken)
    }
}
