//! Entities: rigid bodies with surfaces [000 Definition 2.1, SPEC §2].

use dyverse_diag::Origin;
use dyverse_expr::NodeId;
use dyverse_num::{Quaternion, Vec3};

pub use dyverse_mech::EntityId;
use dyverse_mech::{Placement, Shape};

/// A surface of an entity: a shape, and where it sits in the entity's frame.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The shape, its sizes expressions over parameters.
    pub shape: Shape<NodeId>,
    /// Where it sits, seen from the centre of mass.
    pub placement: Placement<NodeId>,
    /// Where it is declared.
    pub origin: Origin,
}

/// Where an entity's mass comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// Given.
    Given(NodeId),
    /// Density times the volume of the surfaces.
    Density(NodeId),
    /// The entity does not move.
    Immovable,
}

/// Where an entity's inertia comes from, in its own frame about the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inertia {
    /// The surfaces, filled evenly.
    FromSurfaces,
    /// Given: moments (Ixx, Iyy, Izz) and products (Ixy, Ixz, Iyz) as the tensor's elements.
    Given {
        /// The diagonal.
        moments: [NodeId; 3],
        /// The elements xy, xz, yz.
        products: [NodeId; 3],
    },
}

/// An initial value, or the set it is in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Initial {
    /// Exactly this.
    Value(NodeId),
    /// Anything from the first to the second.
    Range(NodeId, NodeId),
}

/// The initial state of an entity.
#[derive(Clone, Debug)]
pub struct InitialState {
    /// Of the centre of mass.
    pub position: Vec3<Initial>,
    /// Of the entity's frame; normalised when used.
    pub orientation: Quaternion<NodeId>,
    /// Of the centre of mass.
    pub velocity: Vec3<Initial>,
    /// In the world frame.
    pub angular_velocity: Vec3<Initial>,
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Its name.
    pub name: String,
    /// Whether it is immovable.
    pub is_fixed: bool,
    /// Its surfaces, at least one.
    pub surfaces: Vec<Surface>,
    /// Its mass.
    pub mass: Mass,
    /// Its inertia.
    pub inertia: Inertia,
    /// Its initial state.
    pub initial: InitialState,
    /// Where its name is declared.
    pub origin: Origin,
}
