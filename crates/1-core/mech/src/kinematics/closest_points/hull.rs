//! A hull of points, rounded or not, with a ball or with any other core.
//!
//! # Method
//! With a ball: the nearest point of the hull to its centre (`polytope/nearest.rs`).
//!
//! With a capsule, a box or another hull as wholes: the nearest points of the two cores by support functions
//! (`separation/convex_convex.rs`). Contacts are those of their features (`feature.rs`); wholes are only asked whether two
//! surfaces are near.
//!
//! # Guarantee
//! With a ball to rounding on doubles, exact derivatives on duals wherever the region does not change. Wholes: to tolerance, on
//! duals with the derivative that the points have in their places. Intervals are refused. A centre inside the
//! hull, and cores that meet, are errors.

use dyverse_num::Vec3;

use super::{ClosestPoints, ContactScalar, Found, NoClosestPointsReason, Placed};
use crate::polytope::Nearest;
use crate::separation::nearest_in_cores;
use crate::{Placement, Polytope, Region};

/// A sphere (radius, centre) and a hull (radius, solid, place).
pub(super) fn with_sphere<S: ContactScalar>(
    (sphere_radius, centre): (&S, &Vec3<S>),
    (radius, solid, at): (&S, &Polytope<S>, &Placement<S>),
) -> Found<S> {
    if S::RIGOROUS {
        return Err(NoClosestPointsReason::Undecided);
    }
    let region = solid.region_of(&at.apply_back(centre));
    let region = region.ok_or(NoClosestPointsReason::CoresOverlap)?;
    on_region((sphere_radius, centre), (radius, solid, at), region)
}

/// As [`with_sphere`], on the plane, line or corner of a region.
pub(in crate::kinematics) fn on_region<S: dyverse_num::Scalar>(
    (sphere_radius, centre): (&S, &Vec3<S>),
    (radius, solid, at): (&S, &Polytope<S>, &Placement<S>),
    region: Region,
) -> Found<S> {
    let nearest = solid.nearest_on(region, &at.apply_back(centre));
    let Nearest {
        point,
        distance,
        outward,
    } = nearest.ok_or(NoClosestPointsReason::CoresOverlap)?;
    if distance.gt(&S::zero()) == dyverse_num::Tri::False && !matches!(region, Region::Face(_)) {
        return Err(NoClosestPointsReason::CoresOverlap);
    }
    Ok(ClosestPoints::swept(
        distance,
        at.orientation.rotate(&-outward),
        (centre.clone(), at.apply(&point)),
        (sphere_radius, radius),
    ))
}

/// Two cores as wholes, at least one of them a hull.
pub(super) fn wholes<S: ContactScalar>(a: Placed<'_, S>, b: Placed<'_, S>) -> Found<S> {
    if S::RIGOROUS {
        return Err(NoClosestPointsReason::Undecided);
    }
    let sample = |(shape, at): Placed<'_, S>| (shape.map(S::sample), at.map(S::sample));
    let ((one, one_at), (two, two_at)) = (sample(a), sample(b));
    let points = nearest_in_cores((&one, &one_at), (&two, &two_at));
    let [p, q] = points.ok_or(NoClosestPointsReason::CoresOverlap)?;
    let x1 = a.1.apply(&Vec3::from_f64(&one_at.apply_back(&p)));
    let x2 = b.1.apply(&Vec3::from_f64(&two_at.apply_back(&q)));
    ClosestPoints::from_cores((x1, x2), (&a.0.swept_radius(), &b.0.swept_radius()))
}
