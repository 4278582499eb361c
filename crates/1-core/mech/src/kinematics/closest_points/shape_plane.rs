//! A bounded shape and a plane or half-space.
//!
//! # Method
//! Let m be the plane's unit normal on the side of the shape, and s the height of the shape's centre over it.
//! The shape's lowest point is its centre minus its support point in direction m: with the local
//! direction c = Rᵀm, the core reaches down by Σ aᵢ|cᵢ| (boxes and segments, at the corner aᵢ sign cᵢ) or by
//! |(aᵢcᵢ)| (ellipsoids, at aᵢ²cᵢ/|(aᵢcᵢ)|) or by the largest −c·x over the corners x of a hull, and the swept ball by r more. So g = s − reach − r, n = −m, and
//! the plane's point is the foot of the shape's.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar, for any depth. A capsule or box exactly flat on the plane takes
//! the middle of what touches; contacts of its ends or corners (see `feature.rs`) say more.

use dyverse_num::{Scalar, Vec3};

use super::{ClosestPoints, Placed, Side};
use crate::{Placement, Shape};

/// A bounded shape and a plane (normal, offset, place), seen from one side.
pub(super) fn closest_points<S: Scalar>(
    (shape, at): Placed<'_, S>,
    (normal, offset, plane_at): (&Vec3<S>, &S, &Placement<S>),
    side: Side,
) -> ClosestPoints<S> {
    let length = normal.norm();
    let unit = normal.map(|c| c.clone() / length.clone());
    let front = plane_at.orientation.rotate(&unit);
    let lift = front.dot(&(at.position.clone() - plane_at.position.clone())) - offset.clone() / length;
    let (up, height) = match side {
        Side::Front => (front, lift),
        Side::Back => (-front, -lift),
    };
    let (reach, to_lowest) = core_below(shape, at, &up);
    let radius = shape.swept_radius();
    let gap = height - reach - radius.clone();
    let lowest = at.position.clone() - to_lowest - up.scale(&radius);
    ClosestPoints {
        on_second: lowest.clone() - up.scale(&gap),
        on_first: lowest,
        gap,
        normal: -up,
        overshoot: None,
    }
}

/// How far the core reaches in the unit direction `up`, and the vector from its centre to the point there.
fn core_below<S: Scalar>(shape: &Shape<S>, at: &Placement<S>, up: &Vec3<S>) -> (S, Vec3<S>) {
    let corner = |sizes: &Vec3<S>| {
        let rotation = at.orientation.rotation_matrix();
        let local = rotation.transpose().apply(up);
        let reach = sizes.dot(&local.map(S::abs));
        (
            reach,
            rotation.apply(&sizes.zip(&local, |a, c| a.clone() * c.sign())),
        )
    };
    match shape {
        Shape::Capsule { half_length, .. } => corner(&Vec3::new(S::zero(), S::zero(), half_length.clone())),
        Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents } => corner(half_extents),
        Shape::Ellipsoid { semi_axes } => {
            let rotation = at.orientation.rotation_matrix();
            let stretched = semi_axes.zip(&rotation.transpose().apply(up), |a, c| a.clone() * c.clone());
            let reach = stretched.norm();
            let point = semi_axes.zip(&stretched, |a, c| a.clone() * c.clone() / reach.clone());
            (reach, rotation.apply(&point))
        }
        Shape::Convex { solid } | Shape::RoundedConvex { solid, .. } => {
            let local = at.orientation.rotate_back(up);
            let heights = solid.corners.iter().map(|c| (local.dot(c), c.clone()));
            let lowest = heights.reduce(|(low, at), (height, corner)| {
                let is_lower = height.lt(&low);
                let point = corner.zip(&at, |c, a| S::select(is_lower, c.clone(), a.clone()));
                (low.min(&height), point)
            });
            let (height, corner) = lowest.unwrap_or_else(|| (S::zero(), Vec3::zero()));
            (-height, at.orientation.rotate(&-corner))
        }
        Shape::Sphere { .. } | Shape::Plane { .. } | Shape::HalfSpace { .. } => (S::zero(), Vec3::zero()),
    }
}
