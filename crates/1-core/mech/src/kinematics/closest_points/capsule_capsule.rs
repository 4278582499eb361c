//! Two capsules: the closest points of two segments.
//!
//! # Method
//! Minimise the convex f(s, t) = |w + t e − s d|² over |s| ≤ g, |t| ≤ h, with w = q − p and unit axes d, e,
//! b = d·e, D = 1 − b². Free of bounds s* = (w·d − b w·e)/D. The best s is found by clamping s*, taking the best
//! t for it, clamped, t = clamp(b s − w·e, h), and then the best s for that t, clamped: for a convex f on a
//! rectangle this is the minimum [Lumelsky 1985; Ericson 2005, §5.1.9].
//! Parallel axes (D = 0) leave a whole line of minima where the segments overlap; its middle is taken.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar. On intervals that leave D > 0 open, s may be anywhere, which
//! covers every minimum. On doubles, axes within 1e-15 rad of each other count as parallel, which changes the
//! gap by less than rounding. Nearly parallel axes make the *points* ill-conditioned, not the gap. Segments
//! that meet have no normal: an error.

use dyverse_num::{Scalar, Tri, Vec3};

use super::overshoot::overshoot;
use super::{ClosestPoints, Found, clamp};
use crate::Placement;

/// D = sin² of the angle between the axes at which doubles cannot tell it from zero.
pub(super) const PARALLEL: f64 = 1e-30;

/// A capsule: radius, half length, place.
type Capsule<'a, S> = (&'a S, &'a S, &'a Placement<S>);

/// Two capsules; axes with D not above `parallel_below` count as parallel.
pub(super) fn closest_points<S: Scalar>(
    (r, g, at_a): Capsule<'_, S>,
    (radius, h, at_b): Capsule<'_, S>,
    parallel_below: f64,
) -> Found<S> {
    let d = at_a.orientation.rotate(&Vec3::unit_z());
    let e = at_b.orientation.rotate(&Vec3::unit_z());
    let w = at_b.position.clone() - at_a.position.clone();
    let (wd, we, b) = (w.dot(&d), w.dot(&e), d.dot(&e));
    let determinant = d.cross(&e).norm_squared(); // 1 − b², without cancellation.
    let along = [
        wd.clone() - b.clone() * we.clone(),
        b.clone() * wd.clone() - we.clone(),
    ];
    let overshoot = overshoot(&along, &determinant.sqrt(), (g, h));
    let [along, _] = along;
    let s = match determinant.gt(&S::from_f64(parallel_below)) {
        Tri::True => clamp(&(along / determinant), g),
        Tri::False => middle_of_overlap(&wd, g, h),
        Tri::Unknown => S::select(Tri::Unknown, -g.clone(), g.clone()),
    };
    let t = clamp(&(b.clone() * s - we), h);
    let s = clamp(&(wd + b * t.clone()), g);
    let x1 = at_a.position.clone() + d.scale(&s);
    let x2 = at_b.position.clone() + e.scale(&t);
    let mut points = ClosestPoints::from_cores((x1, x2), (r, radius))?;
    points.overshoot = Some(overshoot);
    Ok(points)
}

/// The middle of [−g, g] ∩ [c − h, c + h]; a point between them if they do not meet.
fn middle_of_overlap<S: Scalar>(centre: &S, g: &S, h: &S) -> S {
    let from = (centre.clone() - h.clone()).max(&-g.clone());
    let to = (centre.clone() + h.clone()).min(g);
    (from + to) * S::from_f64(0.5)
}
