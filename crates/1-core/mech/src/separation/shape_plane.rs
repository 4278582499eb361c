//! Gap between a bounded shape and a plane or half-space, in closed form.
//!
//! In the plane's unit normal n̂ the shape reaches w beyond its middle on both sides alike (`support.rs`). With s the signed
//! distance of the middle from the plane: half-space gap s − w; plane gap |s| − w.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar; also the exact depth when negative. A plane takes the side
//! on which the middle is.

use dyverse_num::{Scalar, Vec3};

use super::support::core_span;
use crate::{Placement, Shape};

/// (s, w) as above.
fn distance_and_reach<S: Scalar>(
    shape: &Shape<S>,
    at: &Placement<S>,
    (normal, offset, plane_at): (&Vec3<S>, &S, &Placement<S>),
) -> (S, S) {
    let n = plane_at.orientation.rotate(normal);
    let length = normal.norm();
    let height = n.dot(&(at.position.clone() - plane_at.position.clone())) - offset.clone();
    let (middle, half) = core_span(shape, at, &n);
    let reach = half / length.clone() + shape.swept_radius();
    let height = match shape.hull() {
        Some(_) => height + middle,
        None => height,
    };
    (height / length, reach)
}

/// Gap to the surface n·x = offset, from the side of the shape's centre.
pub(super) fn gap_to_plane<S: Scalar>(
    shape: &Shape<S>,
    at: &Placement<S>,
    normal: &Vec3<S>,
    offset: &S,
    plane_at: &Placement<S>,
) -> S {
    let (s, w) = distance_and_reach(shape, at, (normal, offset, plane_at));
    s.abs() - w
}

/// Gap to the solid n·x ≤ offset.
pub(super) fn gap_to_half_space<S: Scalar>(
    shape: &Shape<S>,
    at: &Placement<S>,
    normal: &Vec3<S>,
    offset: &S,
    plane_at: &Placement<S>,
) -> S {
    let (s, w) = distance_and_reach(shape, at, (normal, offset, plane_at));
    s - w
}
