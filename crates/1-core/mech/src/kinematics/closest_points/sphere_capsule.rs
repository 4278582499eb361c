//! A sphere and a capsule: the point of the capsule's segment nearest to the sphere's centre.
//!
//! With the centre p, the segment's centre q and unit axis e: x2 = q + e · clamp(e·(p − q), ±l).
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar. A sphere centred on the segment has no normal: an error.

use dyverse_num::{Scalar, Vec3};

use super::{ClosestPoints, Found, clamp};
use crate::Placement;

/// A sphere (radius, centre) and a capsule (radius, half length, place).
pub(super) fn closest_points<S: Scalar>(
    (sphere_radius, centre): (&S, &Vec3<S>),
    (radius, half_length, at): (&S, &S, &Placement<S>),
) -> Found<S> {
    let axis = at.orientation.rotate(&Vec3::unit_z());
    let along = clamp(&axis.dot(&(centre.clone() - at.position.clone())), half_length);
    let on_axis = at.position.clone() + axis.scale(&along);
    ClosestPoints::from_cores((centre.clone(), on_axis), (sphere_radius, radius))
}
