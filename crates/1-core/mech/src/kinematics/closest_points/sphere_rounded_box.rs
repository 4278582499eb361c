//! A sphere and a rounded box: the point of the inner box nearest to the sphere's centre.
//!
//! In the box's frame every coordinate is clamped on its own: x2 = clamp(p, ±(a, b, c)). The difference p − x2 is
//! formed there and then turned, so that a coordinate that is not clamped contributes exactly nothing.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar. A centre inside the inner box is an error: the shapes then
//! overlap by more than both radii.

use dyverse_num::{Scalar, Tri, Vec3};

use super::{ClosestPoints, Found, NoClosestPointsReason, clamp};
use crate::Placement;

/// A sphere (radius, centre) and a rounded box (radius, inner half extents, place).
pub(super) fn closest_points<S: Scalar>(
    (sphere_radius, centre): (&S, &Vec3<S>),
    (radius, half_extents, at): (&S, &Vec3<S>, &Placement<S>),
) -> Found<S> {
    let rotation = at.orientation.rotation_matrix();
    let local = rotation
        .transpose()
        .apply(&(centre.clone() - at.position.clone()));
    let nearest = local.zip(half_extents, clamp);
    let apart = nearest.zip(&local, |x, p| x.clone() - p.clone());
    let distance = apart.norm();
    if distance.gt(&S::zero()) == Tri::False {
        return Err(NoClosestPointsReason::CoresOverlap);
    }
    let normal = rotation.apply(&apart.map(|c| c.clone() / distance.clone()));
    let on_box = rotation.apply(&nearest) + at.position.clone();
    Ok(ClosestPoints::swept(
        distance,
        normal,
        (centre.clone(), on_box),
        (sphere_radius, radius),
    ))
}
