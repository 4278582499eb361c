//! Support functions of cores: how far a core reaches in a direction, and where.
//!
//! h(u) = max { u·x : x in the core }. With the centre p and the local axes e₁, e₂, e₃:
//! point u·p; segment u·p + l|u·e₃|; box u·p + Σ aᵢ|u·eᵢ|; ellipsoid u·p + √Σ (aᵢ u·eᵢ)²; hull u·p + maxₖ u·cₖ over its corners.
//! A core takes up h(u) and −h(−u), that is a middle m beyond its origin and half a width w to both sides; m = 0 for all but hulls.
//!
//! # Guarantee
//! [`support_value`] has the guarantee of the scalar. [`support_point`] is in doubles, to rounding; it
//! returns the point in fractions of the half sizes too, which `enclosure.rs` uses to rebuild it rigorously.

use dyverse_num::{Scalar, Vec3};

use crate::{Placement, Shape};

/// m and w of a bounded shape's core in direction `u` (times |u|), m from its origin; zero for unbounded shapes.
pub(super) fn core_span<S: Scalar>(shape: &Shape<S>, at: &Placement<S>, u: &Vec3<S>) -> (S, S) {
    match shape.hull() {
        Some(solid) => solid.span(&at.orientation.rotate_back(u)),
        None => (S::zero(), core_reach(shape, at, u)),
    }
}

/// w of a core that is symmetric about its origin.
fn core_reach<S: Scalar>(shape: &Shape<S>, at: &Placement<S>, u: &Vec3<S>) -> S {
    let local = || at.orientation.rotate_back(u);
    match shape {
        Shape::Capsule { half_length, .. } => half_length.clone() * local().z.abs(),
        Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents } => {
            half_extents.dot(&local().map(S::abs))
        }
        Shape::Ellipsoid { semi_axes } => semi_axes.zip(&local(), |a, c| a.clone() * c.clone()).norm(),
        Shape::Sphere { .. }
        | Shape::Convex { .. }
        | Shape::RoundedConvex { .. }
        | Shape::Plane { .. }
        | Shape::HalfSpace { .. } => S::zero(),
    }
}

/// max { u·x : x in the placed shape }, swept radius included; meaningful for bounded shapes only.
#[must_use]
pub fn support_value<S: Scalar>(shape: &Shape<S>, at: &Placement<S>, u: &Vec3<S>) -> S {
    let (middle, half) = core_span(shape, at, u);
    u.dot(&at.position) + middle + half + shape.swept_radius() * u.norm()
}

/// How far a core reaches from its origin, at the least as far as it does.
pub(super) fn core_size(shape: &Shape<f64>) -> f64 {
    match shape.hull() {
        Some(solid) => solid.reach(),
        None => half_sizes(shape).norm(),
    }
}

/// Half sizes of the core along its local axes; ones for a hull, whose fractions are its own coordinates.
pub(super) fn half_sizes<S: Scalar>(shape: &Shape<S>) -> Vec3<S> {
    match shape {
        Shape::Capsule { half_length, .. } => Vec3::new(S::zero(), S::zero(), half_length.clone()),
        Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents } => half_extents.clone(),
        Shape::Ellipsoid { semi_axes } => semi_axes.clone(),
        Shape::Convex { .. } | Shape::RoundedConvex { .. } => Vec3::new(S::one(), S::one(), S::one()),
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
        Shape::Convex { solid } | Shape::RoundedConvex { solid, .. } => {
            let heights = solid.corners.iter().map(|c| (local.dot(c), *c));
            let highest = heights.max_by(|a, b| a.0.total_cmp(&b.0));
            highest.map_or_else(Vec3::zero, |(_, corner)| corner)
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
