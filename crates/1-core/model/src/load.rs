//! Applied forces and moments: the vector h of the equations of motion, less the gyroscopic term.

use crate::EntityId;
use dyverse_diag::Origin;
use dyverse_expr::NodeId;

/// What a load was written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LoadKind {
    Gravity,
    Force,
    Moment,
    Spring,
    Damper,
}

impl LoadKind {
    /// The word that begins its item.
    pub fn word(self) -> &'static str {
        match self {
            LoadKind::Gravity => "gravity",
            LoadKind::Force => "force",
            LoadKind::Moment => "moment",
            LoadKind::Spring => "spring",
            LoadKind::Damper => "damper",
        }
    }
}

/// A force through the centre of mass of one entity and a moment on it, world frame.
#[derive(Clone, Debug)]
pub struct Load {
    /// The entity it acts on.
    pub on: EntityId,
    /// What it was written as.
    pub kind: LoadKind,
    /// Force, N.
    pub force: [NodeId; 3],
    /// Moment about the centre of mass, N m.
    pub moment: [NodeId; 3],
    /// Where it is written.
    pub origin: Origin,
}
