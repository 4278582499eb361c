//! An ellipsoid and any bounded shape.
//!
//! # Method
//! The normal n and the distance λ of the cores are the solution of four equations (`implicit.rs`), found in
//! doubles by `homotopy.rs` and carried to the caller's scalar there. Lengths are divided by a power of two
//! near the size of the scene, which is exact.
//!
//! # Guarantee
//! Global to rounding while the cores are apart; for overlaps small against the radii of curvature the point of
//! least depth. Duals: exact derivatives. Intervals: verified, or an error; with a hull always an error.

use dyverse_num::Vec3;

use super::box_convex::box_sizes;
use super::implicit::{ContactScalar, Optimality, OtherCore};
use super::{ClosestPoints, Found, NoClosestPointsReason, Placed, homotopy};
use crate::{FacePlane, Placement, Polytope, Shape};

/// An ellipsoid (semi-axes, place) and a bounded shape.
pub(super) fn closest_points<S: ContactScalar>(
    (semi_axes, at): (&Vec3<S>, &Placement<S>),
    (other, other_at): Placed<'_, S>,
) -> Found<S> {
    if S::RIGOROUS && other.kind().is_hull() {
        return Err(NoClosestPointsReason::Undecided);
    }
    let unit = power_of_two(scene_size(semi_axes, at, other, other_at));
    let metre = S::from_f64(1.0 / unit);
    let core = match (other, other.hull()) {
        (_, Some(solid)) => {
            let corners = solid.corners.iter().map(|c| c.scale(&metre));
            let planes = solid.planes.iter().map(|plane| FacePlane {
                normal: plane.normal.clone(),
                offset: plane.offset.clone() * metre.clone(),
            });
            OtherCore::Hull(Polytope {
                corners: corners.collect(),
                planes: planes.collect(),
                outline: solid.outline.clone(),
            })
        }
        (Shape::Ellipsoid { semi_axes }, _) => OtherCore::Ellipsoid(semi_axes.scale(&metre)),
        _ => OtherCore::Box(box_sizes(other).scale(&metre)),
    };
    let system = Optimality {
        between: (other_at.position.clone() - at.position.clone()).scale(&metre),
        rotation: at.orientation.rotation_matrix(),
        semi_axes: semi_axes.scale(&metre),
        other_rotation: other_at.orientation.rotation_matrix(),
        other: core,
        shrink: S::one(),
    };
    let start = homotopy::solve(&system.map(S::sample))?;
    let [x, y, z, distance] = S::solve_near(&system, &start).ok_or(NoClosestPointsReason::Undecided)?;
    let n = Vec3::new(x, y, z);
    let on_ellipsoid = system.on_ellipsoid(&n);
    let on_other = on_ellipsoid.clone() + n.scale(&distance);
    let unit = S::from_f64(unit);
    let world = |point: &Vec3<S>| at.position.clone() + point.scale(&unit);
    let cores = (world(&on_ellipsoid), world(&on_other));
    let radii = (&S::zero(), &other.swept_radius());
    Ok(ClosestPoints::swept(distance * unit.clone(), n, cores, radii))
}

/// The sum of the distance of the centres and both sizes, in doubles.
fn scene_size<S: ContactScalar>(
    semi_axes: &Vec3<S>,
    at: &Placement<S>,
    other: &Shape<S>,
    other_at: &Placement<S>,
) -> f64 {
    let length = |v: &Vec3<S>| v.map(S::sample).norm();
    let other_size = match (other, other.hull()) {
        (_, Some(solid)) => solid.corners.iter().map(length).fold(0.0, f64::max),
        (Shape::Ellipsoid { semi_axes }, _) => length(semi_axes),
        _ => length(&box_sizes(other)),
    };
    length(&(other_at.position.clone() - at.position.clone())) + length(semi_axes) + other_size
}

/// The greatest power of two not above a positive number; one if there is none in the normal range.
fn power_of_two(size: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let power = f64::from_bits(size.to_bits() & EXPONENT);
    if power.is_normal() && (1.0 / power).is_normal() {
        power
    } else {
        1.0
    }
}
