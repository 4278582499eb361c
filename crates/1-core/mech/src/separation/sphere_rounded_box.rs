//! Gap between a sphere and a rounded box: signed distance of a point from the inner box, less both radii.
//!
//! In the box's frame, with q = |p| − (a, b, c) coordinate by coordinate, the signed distance is
//! |max(q, 0)| outside and max(q_x, q_y, q_z) inside; the sum |max(q, 0)| + min(max(q_x, q_y, q_z), 0) is both.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar; exact depth also when the centre is inside the inner box.

use dyverse_num::{Scalar, Vec3};

use crate::Placement;

/// Gap between a sphere centred at `centre` and a placed rounded box.
pub(super) fn gap<S: Scalar>(
    sphere_radius: &S,
    centre: &Vec3<S>,
    half_extents: &Vec3<S>,
    radius: &S,
    at: &Placement<S>,
) -> S {
    let zero = S::zero();
    let q = at
        .apply_back(centre)
        .zip(half_extents, |p, h| p.abs() - h.clone());
    let outside = q.map(|c| c.max(&zero)).norm();
    let inside = q.x.max(&q.y).max(&q.z).min(&zero);
    outside + inside - sphere_radius.clone() - radius.clone()
}
