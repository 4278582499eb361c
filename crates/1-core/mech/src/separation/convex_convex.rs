//! Distance between the cores of any two bounded shapes, by support functions.
//!
//! # Method
//! The iteration of Gilbert, Johnson and Keerthi (GJK, 1988) on M = { y − x : x ∈ core A, y ∈ core B }. It
//! keeps up to four points of M and v, the point of their hull nearest to the origin. The farthest point w
//! of M towards the origin (direction −v) bounds the distance δ from both sides:
//!
//! v·w / |v| ≤ δ ≤ |v|.
//!
//! It stops when the bounds meet, when w brings v no nearer (rounding), when the hull holds the origin (the
//! cores overlap), or after [`MAX_ITERATIONS`]. The nearest point of a hull is found by trying all of its
//! faces (at most 15), which is slower than Johnson's recursion but has no case that loses a face to
//! rounding.
//!
//! # Guarantee
//! To tolerance, and it knows: `converged` only if the two bounds differ by at most [`TOLERANCE`] of the
//! size of the scene. `lower_bound` is a bound up to rounding in any case. Always terminates.

use dyverse_num::Vec3;

use super::support::{core_size, support_point};
use crate::{Placement, Shape};

/// Bound on the iterations. Polyhedral cores take about ten, ellipsoids some dozens.
const MAX_ITERATIONS: usize = 1000;
/// Difference of the two bounds that counts as converged, relative to the size of the scene.
const TOLERANCE: f64 = 1e-12;
/// Difference at which iterating further is pointless, relative to the size of the scene.
const FLOOR: f64 = 1e-15;

/// What the iteration found about two cores.
pub(super) struct CoreDistance {
    /// |v|, the distance from above.
    pub(super) distance: f64,
    /// The best bound from below.
    pub(super) lower_bound: f64,
    /// Do the bounds agree?
    pub(super) converged: bool,
    /// Do the cores share a point, to rounding?
    pub(super) overlap: bool,
    /// From A to B, where the bound from below is best; the zero vector if none was found.
    pub(super) direction: Vec3<f64>,
    /// The nearest points found on A and on B, as fractions of the half sizes.
    pub(super) fractions: [Vec3<f64>; 2],
}

/// A point of M with the points of A and B that made it.
#[derive(Clone, Copy)]
struct Vertex {
    m: Vec3<f64>,
    fractions: [Vec3<f64>; 2],
}

/// The point of a hull nearest to the origin, with the vertices that carry it.
struct Nearest {
    v: Vec3<f64>,
    carriers: Vec<(Vertex, f64)>,
}

/// Runs the iteration.
pub(super) fn core_distance(
    a: &Shape<f64>,
    at_a: &Placement<f64>,
    b: &Shape<f64>,
    at_b: &Placement<f64>,
) -> CoreDistance {
    let support = |u: &Vec3<f64>| {
        let (x, on_a) = support_point(a, at_a, &-*u);
        let (y, on_b) = support_point(b, at_b, u);
        Vertex {
            m: y - x,
            fractions: [on_a, on_b],
        }
    };
    let scale = (at_b.position - at_a.position).norm() + core_size(a) + core_size(b);
    let start = support(&(at_a.position - at_b.position));
    let mut nearest = Nearest {
        v: start.m,
        carriers: vec![(start, 1.0)],
    };
    let (mut lower_bound, mut direction) = (f64::NEG_INFINITY, Vec3::zero());

    for _ in 0..MAX_ITERATIONS {
        let length = nearest.v.norm();
        if nearest.carriers.len() == 4 || length <= FLOOR * scale {
            break;
        }
        let w = support(&-nearest.v);
        let bound = nearest.v.dot(&w.m) / length;
        if bound > lower_bound {
            (lower_bound, direction) = (bound, nearest.v.scale(&(1.0 / length)));
        }
        if length - lower_bound <= FLOOR * scale {
            break;
        }
        match improved(&nearest, w) {
            Some(better) => nearest = better,
            None => break,
        }
    }
    let distance = nearest.v.norm();
    CoreDistance {
        distance,
        lower_bound,
        converged: distance - lower_bound <= TOLERANCE * scale,
        overlap: nearest.carriers.len() == 4 || distance <= FLOOR * scale,
        direction,
        fractions: [0, 1].map(|side| weighted(&nearest.carriers, |vertex| vertex.fractions[side])),
    }
}

fn weighted(carriers: &[(Vertex, f64)], pick: impl Fn(&Vertex) -> Vec3<f64>) -> Vec3<f64> {
    carriers.iter().fold(Vec3::zero(), |sum, (vertex, weight)| {
        sum + pick(vertex).scale(weight)
    })
}

/// The nearest point of the hull with one more vertex, if that is really nearer.
fn improved(nearest: &Nearest, w: Vertex) -> Option<Nearest> {
    let mut vertices: Vec<Vertex> = nearest.carriers.iter().map(|(vertex, _)| *vertex).collect();
    if vertices.iter().any(|vertex| vertex.m == w.m) {
        return None;
    }
    vertices.push(w);
    // Only faces with the new vertex (the last) can be nearer.
    let old = vertices.len() - 1;
    let faces = (0..1_usize << old).filter_map(|mask| {
        let chosen = vertices
            .iter()
            .enumerate()
            .filter(|(i, _)| *i == old || mask >> i & 1 == 1);
        nearest_of_face(chosen.map(|(_, vertex)| *vertex).collect())
    });
    let best = faces.min_by(|p, q| p.v.norm_squared().total_cmp(&q.v.norm_squared()))?;
    (best.v.norm_squared() < nearest.v.norm_squared()).then_some(best)
}

/// The point of the face nearest to the origin, or at least a point of the face.
///
/// It is formed from its weights, not as the foot n (n·a)/|n|² on the normal n: in a sliver n is off by
/// much, and the error of the foot grows with its distance from a, while errors of the weights shift the
/// point within the face, across the line to the origin, where |v| does not feel them.
fn nearest_of_face(vertices: Vec<Vertex>) -> Option<Nearest> {
    let weights = match vertices.iter().map(|vertex| vertex.m).collect::<Vec<_>>()[..] {
        [_] => vec![1.0],
        [a, b] => on_segment(&a, &b),
        [a, b, c] => on_triangle(&a, &b, &c),
        [a, b, c, d] => in_tetrahedron(&a, &b, &c, &d),
        _ => return None,
    };
    // Negative weights (a foot outside the face) count as none: the point is then not the nearest of the
    // plane, but a point of the hull all the same. So no rounding can make a good face vanish at its border.
    let positive: f64 = weights.iter().map(|weight| weight.max(0.0)).sum();
    let kept = vertices
        .into_iter()
        .zip(weights)
        .filter(|(_, weight)| *weight > 0.0);
    let carriers: Vec<_> = kept.map(|(vertex, weight)| (vertex, weight / positive)).collect();
    let v = weighted(&carriers, |vertex| vertex.m);
    (!carriers.is_empty() && v.norm().is_finite()).then_some(Nearest { v, carriers })
}

fn on_segment(a: &Vec3<f64>, b: &Vec3<f64>) -> Vec<f64> {
    let edge = *b - *a;
    shares([b.dot(&edge), -a.dot(&edge)])
}

/// Foot of the origin on the triangle's plane, from one end p of its shortest side: p + s·(q − p) + t·(r −
/// p).
///
/// Near a smooth shape triangles become slivers. Eliminating the long side first leaves all of the error in
/// s, which multiplies the short side. (Weights as areas along the normal were tried and dropped: with them
/// the long side takes the error, and the iteration stalls at 1e-11.)
fn on_triangle(a: &Vec3<f64>, b: &Vec3<f64>, c: &Vec3<f64>) -> Vec<f64> {
    let corners = [a, b, c];
    let length = |i: usize| (*corners[(i + 1) % 3] - *corners[i]).norm_squared();
    let first = if length(0) <= length(1) && length(0) <= length(2) {
        0
    } else if length(1) <= length(2) {
        1
    } else {
        2
    };
    let [p, q, r] = [0, 1, 2].map(|k| corners[(first + k) % 3]);
    let (short, long) = (*q - *p, *r - *p);
    let across = |v: &Vec3<f64>| *v - long.scale(&(v.dot(&long) / long.norm_squared()));
    let side = across(&short);
    let s = -across(p).dot(&side) / side.norm_squared();
    let t = -(*p + short.scale(&s)).dot(&long) / long.norm_squared();
    let mut weights = vec![0.0; 3];
    for (k, weight) in [1.0 - s - t, s, t].into_iter().enumerate() {
        weights[(first + k) % 3] = weight;
    }
    weights
}

/// Weights are volumes seen from the origin.
fn in_tetrahedron(a: &Vec3<f64>, b: &Vec3<f64>, c: &Vec3<f64>, d: &Vec3<f64>) -> Vec<f64> {
    let volume = |p: &Vec3<f64>, q: &Vec3<f64>, r: &Vec3<f64>| p.dot(&q.cross(r));
    shares([volume(b, d, c), volume(a, c, d), volume(a, d, b), volume(a, b, c)])
}

/// Each part of the whole, so that they sum to one even where the parts are inexact; NaN or infinite if the
/// whole is nothing.
fn shares<const N: usize>(parts: [f64; N]) -> Vec<f64> {
    let whole: f64 = parts.iter().sum();
    parts.iter().map(|part| part / whole).collect()
}
