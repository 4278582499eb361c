//! Which of the contacts of a pair touches; and the gap as far as touching goes.
//!
//! Each place where two polytopes touch is one contact. The overshoot of a contact, m, is not above zero where that
//! place is its own, and tells elsewhere how far it is from being so.
//!
//! # Edges
//! A contact of two edges is one of its own where both closest points lie inside the edges. Elsewhere it is the
//! double of a corner, and where the edges are parallel its points jump. So it is said to touch only where the
//! edges cross in the projection along d × e, their common normal.
//!
//! # Method
//! With the unit axes d, e at an angle θ, b = d·e, w from the middle of the first to that of the second, the
//! lines are closest at s = (w·d − b w·e)/sin²θ and t = (b w·d − w·e)/sin²θ. The first segment reaches the line of
//! the second, in the projection, if |s| ≤ g; the distance by which it does not is measured at a right angle to
//! that line, σ_1 = (|s| − g) sin θ, which has no pole where the segments become parallel:
//!
//!   σ_1 = |w·d − b w·e| / sin θ − g sin θ,   σ_2 = |b w·d − w·e| / sin θ − h sin θ.
//!
//! Edges closer to parallel than θ_min never cross: σ_3 = (g + h)(1 − sin θ/θ_min). The overshoot is the largest of
//! the three: not above zero exactly where the edges cross at an angle of θ_min or more. In quotients sin θ is no
//! less than θ_min / 2, which counts only where σ_3 is above zero anyhow.
//!
//! # Vertices
//! Where a vertex of one meets a vertex of the other there are two contacts of a vertex with the whole of the other.
//! The first counts. So the contact of the whole of the first with a vertex of the second, at p in the frame of the
//! first, has the overshoot min(∣p_i∣ − h_i), or for a hull how far p is within the region of a corner
//! (`polytope/nearest.rs`), which is positive exactly where the closest point is a vertex.
//!
//! # The closing gap
//! It is the gap plus the overshoot where that is positive: the gap itself where the edges cross, and
//! more elsewhere. What is left out is little: edges that cross at an angle below θ_min have ends no farther than
//! g θ_min from the other's line, whose gaps are larger than that of the crossing by (g θ_min)²/(2 (r_1 + r_2)) at
//! the most: 6e-11 m for an edge of a metre with radii of a millimetre.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar; continuous wherever θ > 0, and along any motion that turns
//! through θ = 0 in one plane.

use dyverse_num::{Scalar, Vec3};

use crate::{Placement, Shape};

/// θ_min: the sine of the angle of edges that are parallel. Above the noise of directions (1e-16) by as much as what is left out is below the gap tolerance.
const PARALLEL_EDGES: f64 = 1e-6;

/// σ_1, σ_2 and σ_3 of two segments along z of their frames, by half length and place; with s and t times sin²θ.
pub(crate) fn overshoots_of<S: Scalar>(
    (g, first): (&S, &Placement<S>),
    (h, second): (&S, &Placement<S>),
) -> ([S; 3], [S; 2]) {
    let axes = [first, second].map(|at| at.orientation.rotate(&Vec3::unit_z()));
    let (sine, along) = overshoots_of_axes(&axes, &(second.position.clone() - first.position.clone()));
    (overshoots_across(&along, &sine, (g, h)), along)
}

/// sin θ, and s and t times sin²θ, of two unit axes and the way from the middle of the first to that of the second.
pub(crate) fn overshoots_of_axes<S: Scalar>([d, e]: &[Vec3<S>; 2], w: &Vec3<S>) -> (S, [S; 2]) {
    let (wd, we, b) = (w.dot(d), w.dot(e), d.dot(e));
    let along = [wd.clone() - b.clone() * we.clone(), b * wd - we];
    (d.cross(e).norm(), along)
}

/// The overshoot from s and t times sin²θ, from sin θ and from the half lengths g, h; m.
pub(super) fn overshoot<S: Scalar>(along: &[S; 2], sine: &S, halves: (&S, &S)) -> S {
    let [first, second, parallel] = overshoots_across(along, sine, halves);
    first.max(&second).max(&parallel)
}

/// σ_1, σ_2 and σ_3.
pub(crate) fn overshoots_across<S: Scalar>([first, second]: &[S; 2], sine: &S, (g, h): (&S, &S)) -> [S; 3] {
    let least = S::from_f64(0.5 * PARALLEL_EDGES);
    let divisor = sine.max(&least);
    let short = |across: &S, half: &S| across.abs() / divisor.clone() - half.clone() * sine.clone();
    let slant = sine.clone() / S::from_f64(PARALLEL_EDGES);
    let parallel = (g.clone() + h.clone()) * (S::one() - slant);
    [short(first, g), short(second, h), parallel]
}

/// The overshoot of the whole of a placed capsule, box or hull with a vertex at `centre`; others have none.
pub(crate) fn vertex_overshoot<S: Scalar>(
    (shape, at): (&Shape<S>, &Placement<S>),
    centre: &Vec3<S>,
) -> Option<S> {
    let p = at.apply_back(centre);
    let beyond = |p: &S, half: &S| p.abs() - half.clone();
    match shape {
        Shape::Capsule { half_length, .. } => Some(beyond(&p.z, half_length)),
        Shape::RoundedBox { half_extents: h, .. } | Shape::Box { half_extents: h } => {
            let least = beyond(&p.x, &h.x).min(&beyond(&p.y, &h.y));
            Some(least.min(&beyond(&p.z, &h.z)))
        }
        Shape::Convex { solid } | Shape::RoundedConvex { solid, .. } => Some(solid.at_corners(&p)),
        _ => None,
    }
}

/// The gap plus the overshoot where that is positive.
pub(crate) fn closing_gap<S: Scalar>(gap: &S, overshoot: Option<&S>) -> S {
    match overshoot {
        Some(overshoot) => gap.clone() + overshoot.max(&S::zero()),
        None => gap.clone(),
    }
}
