//! Support functions of cores: how far a core reaches in a direction, and where.
//!
//! h(u) = max { u·x : x in the core }. With the centre p and the local axes e₁, e₂, e₃:
//! point u·p; segment u·p + l|u·e₃|; box u·p + Σ aᵢ|u·eᵢ|; ellipsoid u·p + √Σ (aᵢ u·eᵢ)².
//!
//! # Guarantee
//! [`support_value`] has the guarantee of the scalar. [`support_point`] is in doubles, to rounding; it
//! returns the point in fractions of the half sizes too, which `enclosure.rs` uses to rebuild it rigorously.

use dyverse_num::{Scalar, Vec3};

use crate::{Placement, Shape};

/// How far a bounded shape's core reaches beyond its centre in direction `u` (times |u|); zero for unbounded
/// shapes.
pub(super) fn core_reach<S: Scalar>(shape: &Shape<S>, at: &Placement<S>, u: &Vec3<S>) -> S {
    let local = || at.orientation.rotate_back(u);
    match shape {
        Shape::Capsule { half_length, .. } => half_length.clone() * local().z.abs(),
        Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents } => {
            half_extents.dot(&local().map(S::abs))
        }
        Shape::Ellipsoid { semi_axes } => semi_axes.zip(&local(), |a, c| a.clone() * c.clone()).norm(),
        Shape::Sphere { .. } | Shape::Plane { .. } | Shape::HalfSpace { .. } => S::zero(),
    }
}

/// max { u·x : x in the placed shape }, swept radius included; meaningful for bounded shapes only.
#[must_use]
pub fn support_value<S: Scalar>(shape: &Shape<S>, at: &Placement<S>, u: &Vec3<S>) -> S {
    u.dot(&at.position) + core_reach(shape, at, u) + shape.swept_radius() * u.norm()
}

/// Half sizes of the core along its local axes.
pub(super) fn half_sizes<S: Scalar>(shape: &Shape<S>) -> Vec3<S> {
    match shape {
        Shape::Capsule { half_length, .. } => Vec3::new(S::zero(), S::zero(), half_length.clone()),
        Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents } => half_extents.clone(),
        Shape::Ellipsoid { semi_axes } => semi_axes.clone(),
        Shape::Sphere { .. } | Shape::Plane { .. } | Shape::HalfSpace { .. } => Vec3::zero(),
    }
}

/// The farthest point of the core in direction `u`, as fractions of its half sizes in the local frame.
fn support_fractions(shape: &Shape<f64>, local: &Vec3<f64>) -> Vec3<f64> {
    match shape {
        Shape::Ellipsoid { semi_axes } => {
            let stretched = semi_axes.zip(local, |a, c| a * c);
            let length = stretched.norm();
            if length > 0.0 {
                stretched.map(|c| c / length)
            } else {
                Vec3::unit_x()
            }
        }
        _ => local.map(|c| if *c < 0.0 { -1.0 } else { 1.0 }),
    }
}

/// The farthest point of the core in direction `u`: in the world, and as fractions.
pub(super) fn support_point(
    shape: &Shape<f64>,
    at: &Placement<f64>,
    u: &Vec3<f64>,
) -> (Vec3<f64>, Vec3<f64>) {
    let fractions = support_fractions(shape, &at.orientation.rotate_back(u));
    (
        at.apply(&fractions.zip(&half_sizes(shape), |f, h| f * h)),
        fractions,
    )
}
