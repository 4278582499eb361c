//! Signed distance of cores that overlap: how far they must be shifted apart.
//!
//! # Method
//! For a unit vector u, b(u) = |u·(q − p) + m_B(u) − m_A(u)| − w_A(u) − w_B(u) is the gap between the shadows of the
//! two cores on the line of u (`support.rs`). The signed distance is the maximum of b
//! over all u. For points, segments, boxes and hulls it is attained at a face normal of the difference of the two
//! cores: a face normal of either, or a cross product of two edges (the separating axis theorem), so trying these
//! is enough. With an ellipsoid the best of these is improved by a compass search on the sphere of
//! directions.
//!
//! # Guarantee
//! Points, segments, boxes, hulls: exact to rounding. With an ellipsoid: a lower bound, since *any* u gives one;
//! usually the value itself to many digits, but a search that climbs can end on the wrong hill, so it is not
//! called exact.

use dyverse_num::{Scalar, Vec3};

use super::GapKind;
use super::support::core_span;
use crate::{Placement, Shape, ShapeKind};

/// Steps of the compass search below this angle (radians) change b by less than rounding.
const SMALLEST_STEP: f64 = 1e-9;
/// Turn of the compass between steps (radians): the golden angle, which never repeats.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
/// Bound on the number of steps in one climb.
const MAX_STEPS: usize = 2000;

/// The signed distance of two overlapping cores; `hint` is one more direction worth trying.
pub(super) fn signed_distance(
    a: &Shape<f64>,
    at_a: &Placement<f64>,
    b: &Shape<f64>,
    at_b: &Placement<f64>,
    hint: &Vec3<f64>,
) -> (f64, GapKind) {
    let (_, bound) = best_direction(a, at_a, b, at_b, hint);
    let is_round = |shape: &Shape<f64>| shape.kind() == ShapeKind::Ellipsoid;
    let kind = if is_round(a) || is_round(b) {
        GapKind::LowerBound
    } else {
        GapKind::Exact
    };
    (bound, kind)
}

/// The unit direction with the greatest gap between the shadows, among those tried, and that gap.
pub(super) fn best_direction(
    a: &Shape<f64>,
    at_a: &Placement<f64>,
    b: &Shape<f64>,
    at_b: &Placement<f64>,
    hint: &Vec3<f64>,
) -> (Vec3<f64>, f64) {
    let centres = at_b.position - at_a.position;
    let shadow_gap = |u: &Vec3<f64>| {
        let ((m_a, w_a), (m_b, w_b)) = (core_span(a, at_a, u), core_span(b, at_b, u));
        (u.dot(&centres) + (m_b - m_a)).abs() - w_a - w_b
    };
    let best = candidates((a, at_a), (b, at_b), &centres, hint)
        .into_iter()
        .map(|u| (u, shadow_gap(&u)))
        .max_by(|p, q| p.1.total_cmp(&q.1))
        .unwrap_or((Vec3::unit_x(), f64::NEG_INFINITY));
    if a.kind() == ShapeKind::Ellipsoid || b.kind() == ShapeKind::Ellipsoid {
        climb(best, shadow_gap)
    } else {
        best
    }
}

/// The directions of faces and of edges of a core, in the world: its axes, unless it is a hull.
fn directions(shape: &Shape<f64>, at: &Placement<f64>) -> [Vec<Vec3<f64>>; 2] {
    let Some(solid) = shape.hull() else {
        let columns = at.orientation.rotation_matrix().transpose().rows;
        let axes = vec![columns.x, columns.y, columns.z];
        return [axes.clone(), axes];
    };
    let turned = |v: Vec3<f64>| at.orientation.rotate(&v);
    let faces = solid.planes.iter().map(|plane| turned(plane.normal));
    let edges = solid.outline.edges.iter().filter_map(|edge| solid.ends(edge));
    [
        faces.collect(),
        edges.map(|[from, to]| turned(*to - *from)).collect(),
    ]
}

/// Normals of faces of both, cross products of their edges, the line of centres and the hint, as unit vectors.
fn candidates(
    a: (&Shape<f64>, &Placement<f64>),
    b: (&Shape<f64>, &Placement<f64>),
    centres: &Vec3<f64>,
    hint: &Vec3<f64>,
) -> Vec<Vec3<f64>> {
    let ([of_a, along_a], [of_b, along_b]) = (directions(a.0, a.1), directions(b.0, b.1));
    let crosses = along_a.iter().flat_map(|p| along_b.iter().map(|q| p.cross(q)));
    let raw = of_a
        .iter()
        .chain(&of_b)
        .copied()
        .chain(crosses)
        .chain([*centres, *hint]);
    // The cross product of nearly parallel axes is noise, but a unit vector of noise is still a valid
    // direction.
    raw.map(|u| u.normalized())
        .filter(|u| u.norm().is_finite())
        .collect()
}

/// Compass search: eight neighbours on the sphere, turned at every step so that no ridge hides between them;
/// a shorter step when none is better.
fn climb((mut u, mut value): (Vec3<f64>, f64), f: impl Fn(&Vec3<f64>) -> f64) -> (Vec3<f64>, f64) {
    let (mut step, mut turn) = (0.3, 0.0_f64);
    for _ in 0..MAX_STEPS {
        if step < SMALLEST_STEP {
            break;
        }
        turn += GOLDEN_ANGLE;
        let seed = if u.x.abs() < 0.6 {
            Vec3::unit_x()
        } else {
            Vec3::unit_y()
        };
        let side = u.cross(&seed).normalized();
        let other = u.cross(&side);
        let neighbours = (0..8).map(|i| {
            let angle = turn + f64::from(i) * std::f64::consts::FRAC_PI_4;
            let (sin, cos) = (Scalar::sin(&angle), Scalar::cos(&angle));
            let moved = (u + (side.scale(&cos) + other.scale(&sin)).scale(&step)).normalized();
            (moved, f(&moved))
        });
        match neighbours.max_by(|p, q| p.1.total_cmp(&q.1)) {
            Some((moved, better)) if better > value => (u, value) = (moved, better),
            _ => step *= 0.7,
        }
    }
    (u, value)
}
