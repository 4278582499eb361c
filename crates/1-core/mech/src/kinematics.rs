//! Contact kinematics: gaps, normals, arms, relative velocities and what their derivatives hold.
//!
//! **In:** two surfaces, or features of them, and the states of their entities. **Out:** a
//! [`ContactKinematics`]: all that the laws of contact need to know about geometry.
//!
//! | file                | holds                                                                          |
//! |---------------------|--------------------------------------------------------------------------------|
//! | `state.rs`          | [`EntityState`] and its time derivative                                        |
//! | `newton_euler.rs`   | [`EntityInertia`]: accelerations, M⁻¹, energy, momenta                         |
//! | `feature.rs`        | [`Feature`]: ends of capsules, corners and edges of boxes as contacts of their own |
//! | `closest_points.rs` | [`closest_points()`]: gap, normal and points of every pair of shapes             |
//! | `pieces.rs`         | where the closest point of a contact goes from a face to an edge, and the like |
//! | `sharp.rs`          | contacts of solids with sharp edges: vertices on faces, edges across edges     |
//! | `tangents.rs`       | the tangents tx, ty of a normal                                                |
//! | `contact.rs`        | [`ContactPair`], [`ContactKinematics`]: W, dg, and the biases w_a              |
//!
//! # Guarantee
//! Closed forms have the guarantee of the scalar. Pairs without one are solved in doubles to rounding and
//! carried to other scalars by the implicit function theorem: exact derivatives on duals, verified enclosures
//! on intervals. A pair that cannot be had is an error that names its shapes, never "no contact".
//!
//! # Not here
//! What contacts do (friction, impacts), and projecting positions or velocities onto them.

mod closest_points;
mod contact;
mod feature;
mod newton_euler;
mod pieces;
mod sharp;
mod state;
mod tangents;

#[cfg(test)]
mod tests;

pub use closest_points::{
    ClosestPoints, ContactError, ContactScalar, NoClosestPointsReason, Side, closest_points,
    derive_closest_points,
};
pub use contact::{ContactColumn, ContactKinematics, ContactPair};
pub use feature::Feature;
pub use newton_euler::{EntityInertia, GeneralizedForce, GeneralizedVelocity};
pub use pieces::{MOST_PIECES, Piece};
pub use state::{EntityState, EntityStateDerivative};
pub use tangents::ReferenceAxis;
