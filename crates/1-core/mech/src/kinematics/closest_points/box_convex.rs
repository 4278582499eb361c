//! A box, rounded or not, with a capsule or another one.
//!
//! # Method
//! `active_set.rs` finds in doubles which fractions of the two cores are free and which are held. Given that,
//! the closest points are a closed form, evaluated in the caller's scalar. With the part h of the difference
//! that is held, and the free half axes w (at most two, else the cores meet):
//!
//! | free | difference r of the points   | fractions                                            |
//! |------|------------------------------|------------------------------------------------------|
//! | none | h                            |                                                      |
//! | w    | h + f w                      | f = −h·w/|w|²                                        |
//! | w, v | m (m·h)/|m|², m = w × v      | f = −h·(v × m)/|m|², e = −h·(m × w)/|m|²             |
//!
//! # Guarantee
//! To rounding on doubles; exact derivatives on duals wherever the free set does not change. Rigorous on
//! intervals: the conditions of optimality (fractions within bounds, gradients of the right sign) are checked
//! for all members, and an error says so when they are open, as for parallel faces.

use dyverse_num::{Scalar, Tri, Vec3};

use super::active_set::{Fraction, closest_fractions};
use super::{ClosestPoints, ContactScalar, Found, NoClosestPointsReason, Placed};
use crate::{Placement, Shape};

/// The closed form: distance, unit direction and all fractions.
struct Solution<S> {
    distance: S,
    normal: Vec3<S>,
    fractions: [S; 6],
}

/// Two shapes with box-like cores.
pub(super) fn closest_points<S: ContactScalar>(a: Placed<'_, S>, b: Placed<'_, S>) -> Found<S> {
    let (of_a, of_b) = (half_axes(a), half_axes(b));
    let [u, v, w] = of_a.clone().map(|axis| -axis);
    let [x, y, z] = of_b.clone();
    let axes = [u, v, w, x, y, z];
    let d = b.1.position.clone() - a.1.position.clone();
    let sample = |v: &Vec3<S>| v.map(S::sample);
    let found = closest_fractions(&sample(&d), &axes.each_ref().map(sample))
        .ok_or(NoClosestPointsReason::CoresOverlap)?;
    let solution = solve(&d, &axes, &found).ok_or(NoClosestPointsReason::Undecided)?;
    if S::RIGOROUS && !is_optimal(&solution, &axes, &found) {
        return Err(NoClosestPointsReason::Undecided);
    }
    let [f, g, h, i, j, k] = &solution.fractions;
    Ok(ClosestPoints::swept(
        solution.distance.clone(),
        solution.normal.clone(),
        (point(a.1, &of_a, [f, g, h]), point(b.1, &of_b, [i, j, k])),
        (&a.0.swept_radius(), &b.0.swept_radius()),
    ))
}

/// The three half axes of a box-like core, in the world.
fn half_axes<S: Scalar>((shape, at): Placed<'_, S>) -> [Vec3<S>; 3] {
    let sizes = box_sizes(shape);
    let columns = at.orientation.rotation_matrix().transpose().rows;
    [
        columns.x.scale(&sizes.x),
        columns.y.scale(&sizes.y),
        columns.z.scale(&sizes.z),
    ]
}

/// Half sizes of a core as a box; zero for a point.
pub(super) fn box_sizes<S: Scalar>(shape: &Shape<S>) -> Vec3<S> {
    match shape {
        Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents } => half_extents.clone(),
        Shape::Capsule { half_length, .. } => Vec3::new(S::zero(), S::zero(), half_length.clone()),
        _ => Vec3::zero(),
    }
}

/// centre + Σ f axis.
fn point<S: Scalar>(at: &Placement<S>, axes: &[Vec3<S>; 3], fractions: [&S; 3]) -> Vec3<S> {
    axes.iter()
        .zip(fractions)
        .fold(at.position.clone(), |sum, (axis, f)| sum + axis.scale(f))
}

/// The table above; `None` if the direction of the difference is open, or three are free.
fn solve<S: Scalar>(d: &Vec3<S>, axes: &[Vec3<S>; 6], found: &[Fraction; 6]) -> Option<Solution<S>> {
    let mut fractions = found.map(|fraction| S::from_f64(fraction.value()));
    let is_free = |k: &usize| matches!(found[*k], Fraction::Free(_));
    let held = (0..6)
        .filter(|k| !is_free(k))
        .fold(d.clone(), |sum, k| sum + axes[k].scale(&fractions[k]));
    let mut free = (0..6).filter(is_free);
    let r = match (free.next(), free.next(), free.next()) {
        (None, ..) => held,
        (Some(i), None, _) => {
            fractions[i] = -(held.dot(&axes[i]) / axes[i].norm_squared());
            held + axes[i].scale(&fractions[i])
        }
        (Some(i), Some(j), None) => {
            let (w, v) = (&axes[i], &axes[j]);
            let m = w.cross(v);
            let squared = m.norm_squared();
            fractions[i] = -(held.dot(&v.cross(&m)) / squared.clone());
            fractions[j] = -(held.dot(&m.cross(w)) / squared);
            return along(&m, &held, fractions);
        }
        _ => return None,
    };
    let distance = r.norm();
    let normal = r.map(|c| c.clone() / distance.clone());
    (distance.gt(&S::zero()) == Tri::True).then_some(Solution {
        distance,
        normal,
        fractions,
    })
}

/// The difference along ±m: its direction does not come from itself, so it is good even when it is short.
fn along<S: Scalar>(m: &Vec3<S>, held: &Vec3<S>, fractions: [S; 6]) -> Option<Solution<S>> {
    let unit = m.normalized();
    let height = unit.dot(held);
    let (distance, normal) = match height.gt(&S::zero()) {
        Tri::True => (height, unit),
        Tri::False => (-height, -unit),
        Tri::Unknown => return None,
    };
    Some(Solution {
        distance,
        normal,
        fractions,
    })
}

/// Do the conditions of optimality certainly hold?
fn is_optimal<S: Scalar>(solution: &Solution<S>, axes: &[Vec3<S>; 6], found: &[Fraction; 6]) -> bool {
    let (zero, one) = (S::zero(), S::one());
    (0..6).all(|k| {
        let slope = axes[k].dot(&solution.normal);
        let holds = match found[k] {
            _ if axes[k] == Vec3::zero() => Tri::True,
            Fraction::Free(_) => solution.fractions[k].abs().le(&one),
            Fraction::Held(f) if f >= 1.0 => slope.le(&zero),
            Fraction::Held(f) if f <= -1.0 => slope.ge(&zero),
            Fraction::Held(_) => Tri::Unknown,
        };
        holds == Tri::True
    })
}
