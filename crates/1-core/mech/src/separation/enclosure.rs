//! Rigorous enclosure of the gap over intervals of sizes and places.
//!
//! # Method
//! Where a closed form exists it is evaluated on intervals. For two bounded shapes without one (or two
//! capsules, whose closed form is wide when they may be parallel), weak duality: a fixed direction u and a
//! fixed pair of points are found in doubles at the middle of all intervals, and then, whatever they are,
//!
//! (u·(q − p) − reach_A(u) − reach_B(u))/|u| − r₁ − r₂ ≤ gap ≤ |y − x| − r₁ − r₂ for x ∈ core A, y ∈ core B,
//!
//! evaluated on intervals. The points are given as fractions f of the half sizes, which keeps them inside
//! the core for *every* size in the intervals: |fᵢ| ≤ 1 for boxes and segments, f/max(1, |f|) for ellipsoids. Of a hull they
//! are the point itself, a mean of at most four corners in doubles: it is off the mean by less than sixteen roundings of its
//! reach, and so much is added.
//!
//! # Guarantee
//! Rigorous for nonnegative sizes; how tight depends on the iteration in doubles, and for overlapping cores
//! the upper end only says that they overlap.

use dyverse_num::{Interval, Vec3};

use super::support::{core_span, half_sizes};
use super::{convex_convex, derive_gap, overlap};
use crate::{Placement, Shape, ShapeKind};

/// The gap over all sizes and places in the given intervals; `None` for two unbounded shapes, and where an
/// interval is empty.
#[must_use]
pub fn enclose_separation(
    first: &Shape<Interval>,
    first_at: &Placement<Interval>,
    second: &Shape<Interval>,
    second_at: &Placement<Interval>,
) -> Option<Interval> {
    let closed = derive_gap(first, first_at, second, second_at);
    let both = (first.kind(), second.kind());
    let gap = match closed {
        Some(gap) if both != (ShapeKind::Capsule, ShapeKind::Capsule) => gap,
        _ if !both.0.is_bounded() || !both.1.is_bounded() => return None,
        _ => {
            let dual = enclose_by_duality(first, first_at, second, second_at)?;
            closed.map_or(dual, |gap| gap.intersect(&dual))
        }
    };
    (!gap.is_empty()).then_some(gap)
}

/// The two bounds above.
fn enclose_by_duality(
    a: &Shape<Interval>,
    at_a: &Placement<Interval>,
    b: &Shape<Interval>,
    at_b: &Placement<Interval>,
) -> Option<Interval> {
    let (u, [on_a, on_b]) = direction_and_points(a, at_a, b, at_b);
    let u = Vec3::<Interval>::from_f64(&u);
    let ((m_a, w_a), (m_b, w_b)) = (core_span(a, at_a, &u), core_span(b, at_b, &u));
    let shadow = u.dot(&(at_b.position - at_a.position)) + (m_b - m_a) - w_a - w_b;
    let below = shadow / u.norm();
    let above = (core_point(b, at_b, &on_b) - core_point(a, at_a, &on_a)).norm() + rounding(a) + rounding(b);
    let radii = a.swept_radius() + b.swept_radius();
    Interval::new((below - radii).lo(), (above - radii).hi()).ok()
}

/// How far a point of a hull may be off it.
fn rounding(shape: &Shape<Interval>) -> Interval {
    match shape.hull() {
        Some(solid) => solid.reach() * Interval::point(16.0 * f64::EPSILON),
        None => Interval::ZERO,
    }
}

/// A good direction from A to B and good points, in doubles.
fn direction_and_points(
    a: &Shape<Interval>,
    at_a: &Placement<Interval>,
    b: &Shape<Interval>,
    at_b: &Placement<Interval>,
) -> (Vec3<f64>, [Vec3<f64>; 2]) {
    let middle = |x: &Interval| x.mid().unwrap_or(0.0);
    let (a, at_a, b, at_b) = (a.map(middle), at_a.map(middle), b.map(middle), at_b.map(middle));
    let cores = convex_convex::core_distance(&a, &at_a, &b, &at_b);
    if !cores.overlap {
        return (cores.direction, cores.fractions);
    }
    let (u, _) = overlap::best_direction(&a, &at_a, &b, &at_b, &cores.direction);
    let middles = core_span(&b, &at_b, &u).0 - core_span(&a, &at_a, &u).0;
    let towards_b = u.dot(&(at_b.position - at_a.position)) + middles >= 0.0;
    (if towards_b { u } else { -u }, cores.fractions)
}

/// A point of the core, whatever its size and place.
fn core_point(shape: &Shape<Interval>, at: &Placement<Interval>, fractions: &Vec3<f64>) -> Vec3<Interval> {
    let inside = if shape.kind() == ShapeKind::Ellipsoid {
        let exact = Vec3::<Interval>::from_f64(fractions);
        let length = exact.norm().max(&Interval::ONE);
        exact.map(|c| *c / length)
    } else if shape.kind().is_hull() {
        fractions.map(|c| Interval::point(*c))
    } else {
        fractions.map(|c| Interval::point(c.clamp(-1.0, 1.0)))
    };
    at.apply(&inside.zip(&half_sizes(shape), |f, h| *f * *h))
}
