//! What stands for contacts of sharp edges while these are followed by steps (stepping.rs): the contacts of the same solids with their edges rounded.
//!
//! Gaps of sharp features are signed along normals that jump where a feature ends, and a step goes over many ends at once. A solid whose edges are rounded with a radius r lies inside the sharp one and has the same faces, so what lies flat lies as before; a
//! corner of it is short of the sharp one by less than (c − 1) r, c the largest distance of corners of the two cores by r: √3 for a box, more where a corner is more pointed. Its contacts with another such solid (`feature.rs`) take the first places among those
//! of the two sharp ones, in order; the others have none in a step.
//!
//! Where more than three faces meet in a corner, the faces of the core meet in several corners there, joined by edges as short as the solid is round. Edges of the core between two faces that had none do not meet others: their ends do. There are then no more
//! contacts than of the sharp solids: 2 f_1 − 4 + 2 f_2 − 4 + e_1 e_2 at the most, against v_1 f_2 + f_1 v_2 + e_1 e_2 with v ≥ 4.
//!
//! # Guarantee
//! By how much two such surfaces may lie in each other with their sharp edges, [`Rounded::depth`], is part of the depth that a phase tells.

use std::sync::Arc;

use dyverse_mech::{ContactPair, Feature, Outline, Polytope, Shape, Side, Surface};
use dyverse_num::Vec3;

/// r as a part of half of the thinnest side.
const PART: f64 = 1e-3;
/// How often a smaller r is tried where the core of a solid is not decided; then it is the solid made smaller, whose faces do not all lie as before.
const TRIES: usize = 4;

/// The contact that stands for one of sharp edges.
#[derive(Clone, Debug)]
pub(crate) struct Rounded {
    /// None where another stands for it.
    pub(crate) pair: Option<ContactPair<f64>>,
    /// How deep sharp edges may lie in each other where this one touches, m.
    pub(crate) depth: f64,
}

/// A surface with round edges.
struct Round {
    surface: Surface<f64>,
    /// How far its corners are short of the sharp ones, m.
    short: f64,
    /// By number of its edges: those that have no contacts with edges.
    left_out: Vec<u8>,
}

/// Those of all contacts of two surfaces, in the order of these; none for surfaces that are not sharp on both sides.
pub(crate) fn rounded(first: &Surface<f64>, second: &Surface<f64>, side: Side) -> Vec<Rounded> {
    let (Some(one), Some(two)) = (with_round_edges(first), with_round_edges(second)) else {
        return Vec::new();
    };
    let depth = one.short + two.short;
    let is_kept = |round: &Round, feature: &Feature| match feature {
        Feature::Edge(edge) => !round.left_out.contains(edge),
        _ => true,
    };
    let (a, b) = (&one.surface, &two.surface);
    let pairs = Feature::touching(&a.shape, &b.shape).into_iter();
    let standing = pairs.filter(|(p, q)| is_kept(&one, p) && is_kept(&two, q));
    let standing = standing.map(|(p, q)| Rounded {
        pair: ContactPair::new((a, p), (b, q), side).ok(),
        depth,
    });
    let all = Feature::touching(&first.shape, &second.shape).len();
    let nobody = std::iter::repeat(Rounded { pair: None, depth });
    standing.chain(nobody).take(all).collect()
}

fn with_round_edges(surface: &Surface<f64>) -> Option<Round> {
    let placed = |shape| Surface {
        shape,
        placement: surface.placement,
    };
    match &surface.shape {
        Shape::Box { half_extents } => {
            let radius = PART * half_extents.x.min(half_extents.y).min(half_extents.z);
            let shape = Shape::RoundedBox {
                half_extents: half_extents.map(|half| half - radius),
                radius,
            };
            Some(Round {
                surface: placed(shape),
                short: (3.0_f64.sqrt() - 1.0) * radius,
                left_out: Vec::new(),
            })
        }
        Shape::Convex { solid } => {
            let most = PART * solid.half_thickness();
            let radii = (0..TRIES).map(|n| most * 0.5_f64.powi(n as i32));
            let (core, radius) = radii
                .filter_map(|radius| solid.inset(radius).map(|core| (core, radius)))
                .next()
                .unwrap_or_else(|| (solid.shrunk(most), most));
            let left_out = new_edges(&solid.outline, &core.outline);
            // What meets an edge that is left out is half of it from one of its ends at the most.
            let lengths = left_out.iter().filter_map(|edge| {
                let [from, to] = core.ends(core.outline.edges.get(usize::from(*edge))?)?;
                Some(0.5 * (*to - *from).norm())
            });
            Some(Round {
                short: farthest(solid, &core) - radius + lengths.fold(0.0, f64::max),
                left_out,
                surface: placed(Shape::RoundedConvex {
                    solid: Arc::new(core),
                    radius,
                }),
            })
        }
        _ => None,
    }
}

/// The largest distance of a corner from the nearest one of the core.
fn farthest(solid: &Polytope<f64>, core: &Polytope<f64>) -> f64 {
    let nearest = |c: &Vec3<f64>| {
        let distances = core.corners.iter().map(|d| (*c - *d).norm());
        distances.fold(f64::INFINITY, f64::min)
    };
    solid.corners.iter().map(nearest).fold(0.0, f64::max)
}

/// The edges of the core between faces that have none in common otherwise.
fn new_edges(solid: &Outline, core: &Outline) -> Vec<u8> {
    let is_old = |faces: [_; 2]| {
        let mut known = solid.edges.iter().map(|edge| edge.faces);
        known.any(|[p, q]| faces == [p, q] || faces == [q, p])
    };
    let numbered = (0_u8..).zip(&core.edges);
    let new = numbered.filter(|(_, edge)| !is_old(edge.faces));
    new.map(|(number, _)| number).collect()
}
