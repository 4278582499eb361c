//! Mechanics: the shapes of entities, their mass properties, and the gaps between them.
//!
//! **In:** shapes and placements over any [`Scalar`](dyverse_num::Scalar). **Out:** mass properties, gaps at
//! rest, and sets of contacts that geometry rules out.
//!
//! - [`Shape`], [`Placement`], [`Surface`]: what an entity looks like, and where.
//! - [`mass_properties()`]: mass, centroid and inertia of solids of uniform density.
//! - [`separation()`], [`enclose_separation`]: the gap between two placed shapes, in doubles and rigorously.
//! - [`ContactPair`], [`ContactKinematics`]: gap, W and biases of a contact between moving entities.
//! - [`law`]: the contact law with modes frozen, over any scalar; solvers that propose modes and forces stand beside it.
//! - [`derive_obstructions`]: contacts that can never be closed together.
//!
//! # Never here
//! Text, files, clocks, source positions.
#![forbid(unsafe_code)]

mod contact_solver;
mod entity;
mod kinematics;
pub mod law;
mod mass_properties;
mod obstruction;
mod placement;
mod polytope;
mod separation;
mod surface;

pub use contact_solver::*;
pub use entity::{EntityId, MassId, SurfaceId};
pub use kinematics::{
    ClosestPoints, ContactColumn, ContactError, ContactKinematics, ContactPair, ContactScalar, EntityInertia,
    EntityState, EntityStateDerivative, Feature, GeneralizedForce, GeneralizedVelocity, MOST_PIECES,
    NoClosestPointsReason, Piece, ReferenceAxis, Side, closest_points, derive_closest_points,
};
pub use law::{ContactDirections, EntityColumns, InverseMass};
pub use mass_properties::{MassProperties, NoMassProperties, mass_properties};
pub use obstruction::{
    Obstruction, ObstructionLimits, ObstructionReason, Obstructions, Participant, TouchingPair,
    derive_obstructions,
};
pub use placement::Placement;
pub use polytope::{
    CornerIx, FaceIx, FacePlane, Hull, HullError, MOST_CORNERS, MOST_POINTS, Outline, Polytope, PolytopeEdge,
    Region,
};
pub use separation::{
    GapKind, NoGapFunction, Separation, derive_gap, enclose_separation, separation, support_value,
};
pub use surface::{Shape, ShapeKind, Surface};
