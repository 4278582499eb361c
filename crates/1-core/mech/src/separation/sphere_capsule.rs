//! Gap between a sphere and a capsule: distance of a point from a segment, less both radii.
//!
//! In the capsule's frame, with the centre at (x, y, z): √(x² + y² + max(|z| − l, 0)²) − r₁ − r₂.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar.

use dyverse_num::{Scalar, Vec3};

use crate::Placement;

/// Gap between a sphere centred at `centre` and a placed capsule.
pub(super) fn gap<S: Scalar>(
    sphere_radius: &S,
    centre: &Vec3<S>,
    radius: &S,
    half_length: &S,
    at: &Placement<S>,
) -> S {
    let p = at.apply_back(centre);
    let beyond = (p.z.abs() - half_length.clone()).max(&S::zero());
    Vec3::new(p.x, p.y, beyond).norm() - sphere_radius.clone() - radius.clone()
}
