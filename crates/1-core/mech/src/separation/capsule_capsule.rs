//! Distance between two segments, the cores of two capsules.
//!
//! # Method
//! Minimise the convex f(s, t) = |w + t e − s d|² over |s| ≤ g, |t| ≤ h, with w = q − p and unit axes d, e.
//! The minimum is at a free stationary point inside the rectangle, or on its boundary, that is, at an end of
//! one segment. So it is the least of five values: f at the stationary point *clamped into* the rectangle (an
//! admissible point always, the minimum if it was inside), and the four distances from an end to the other
//! segment. With b = d·e, D = 1 − b²: s* = (w·d − b w·e)/D, and t* = b s* − w·e. Parallel segments (D = 0)
//! attain the minimum at an end, so there the first value is left out.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar. On intervals that cannot decide whether the segments are
//! parallel the stationary point may be anywhere: sound, but wide (`enclosure.rs` narrows it).

use dyverse_num::{Scalar, Tri, Vec3};

use crate::Placement;

/// Half length and place of a segment along its local z-axis.
type Segment<'a, S> = (&'a S, &'a Placement<S>);

/// Distance between the two segments.
pub(super) fn core_distance<S: Scalar>((g, at_a): Segment<'_, S>, (h, at_b): Segment<'_, S>) -> S {
    let d = at_a.orientation.rotate(&Vec3::unit_z());
    let e = at_b.orientation.rotate(&Vec3::unit_z());
    let w = at_b.position.clone() - at_a.position.clone();

    let end_of_b = |sign: f64| point_segment(&(w.clone() + e.scale(&(h.clone() * S::from_f64(sign)))), g, &d);
    let end_of_a = |sign: f64| point_segment(&(d.scale(&(g.clone() * S::from_f64(sign))) - w.clone()), h, &e);
    let at_ends = end_of_b(1.0)
        .min(&end_of_b(-1.0))
        .min(&end_of_a(1.0))
        .min(&end_of_a(-1.0));

    let (wd, we, b) = (w.dot(&d), w.dot(&e), d.dot(&e));
    let determinant = d.cross(&e).norm_squared(); // 1 − b², without cancellation.
    if determinant.gt(&S::zero()) == Tri::False {
        return at_ends;
    }
    let (s, t) = if determinant.gt(&S::zero()) == Tri::True {
        let s = (wd.clone() - b.clone() * we.clone()) / determinant.clone();
        // The best t for this s, then the best s for this t: the same in exact arithmetic, but errors of s*,
        // large for nearly parallel segments, no longer matter.
        let t = clamp(&(b.clone() * clamp(&s, g) - we), h);
        (clamp(&(wd + b * t.clone()), g), t)
    } else {
        (anywhere(g), anywhere(h))
    };
    (w + e.scale(&t) - d.scale(&s)).norm().min(&at_ends)
}

/// Distance of a point, seen from the segment's centre, from the segment of half length `half` along unit
/// `axis`.
fn point_segment<S: Scalar>(point: &Vec3<S>, half: &S, axis: &Vec3<S>) -> S {
    let along = clamp(&point.dot(axis), half);
    (point.clone() - axis.scale(&along)).norm()
}

fn clamp<S: Scalar>(value: &S, half: &S) -> S {
    value.max(&-half.clone()).min(half)
}

/// A scalar that covers [−half, half].
fn anywhere<S: Scalar>(half: &S) -> S {
    S::select(Tri::Unknown, -half.clone(), half.clone())
}
