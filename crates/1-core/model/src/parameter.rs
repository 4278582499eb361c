//! Parameters and external inputs.

use dyverse_diag::Origin;
use dyverse_expr::NodeId;

/// A parameter of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParameterId(pub u32);

/// How a parameter gets its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// One value, which may be an expression over parameters declared before.
    Fixed(NodeId),
    /// Anything from `lower` to `upper`; a simulation takes `nominal` unless told otherwise.
    Range {
        /// The least value.
        lower: NodeId,
        /// The largest value.
        upper: NodeId,
        /// What a simulation takes.
        nominal: NodeId,
    },
}

impl ParameterKind {
    /// What a simulation takes unless told otherwise.
    pub fn nominal(self) -> NodeId {
        match self {
            ParameterKind::Fixed(node) | ParameterKind::Range { nominal: node, .. } => node,
        }
    }

    /// The least and the largest value, where it is not one.
    pub fn range(self) -> Option<(NodeId, NodeId)> {
        match self {
            ParameterKind::Fixed(_) => None,
            ParameterKind::Range { lower, upper, .. } => Some((lower, upper)),
        }
    }

    /// The newest of its nodes.
    pub(crate) fn last_node(self) -> NodeId {
        match self {
            ParameterKind::Fixed(node) => node,
            ParameterKind::Range {
                lower,
                upper,
                nominal,
            } => lower.max(upper).max(nominal),
        }
    }
}

/// A constant of the model with a name.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// How it gets its value.
    pub kind: ParameterKind,
    /// Where it is declared.
    pub origin: Origin,
}

/// An external input of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputId(pub u32);

/// A signal from outside: an input of the block that the model becomes.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// The values it may take, if limited.
    pub range: Option<(NodeId, NodeId)>,
    /// Its value while nothing drives it; may depend on time.
    pub default: NodeId,
    /// Where it is declared.
    pub origin: Origin,
}
