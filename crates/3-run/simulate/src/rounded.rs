//! What stands for contacts of sharp edges while these are followed by steps (stepping.rs): the contacts of the same solids with their edges rounded.
//!
//! Gaps of sharp features are signed along normals that jump where a feature ends, and a step goes over many ends at once. A box whose edges are rounded with a radius r lies inside the sharp one and has the same faces, so what lies flat lies as before; a
//! corner or an edge of it is short of the sharp one by (√3 − 1) r at the most. Its contacts with another such box (`feature.rs`: 160) take the first places among those of the two sharp boxes (240), in order; the others have none in a step.
//!
//! # Guarantee
//! By how much two such surfaces may lie in each other with their sharp edges, [`Rounded::depth`], is part of the depth that a phase tells.

use dyverse_mech::{ContactPair, Feature, Shape, Side, Surface};

/// r as a part of half of the thinnest side.
const PART: f64 = 1e-3;

/// The contact that stands for one of sharp edges.
#[derive(Clone, Debug)]
pub(crate) struct Rounded {
    /// None where another stands for it.
    pub(crate) pair: Option<ContactPair<f64>>,
    /// How deep sharp edges may lie in each other where this one touches, m.
    pub(crate) depth: f64,
}

/// Those of all contacts of two surfaces, in the order of these; none for surfaces that are not sharp on both sides.
pub(crate) fn rounded(first: &Surface<f64>, second: &Surface<f64>, side: Side) -> Vec<Rounded> {
    let (Some((one, r)), Some((two, q))) = (with_round_edges(first), with_round_edges(second)) else {
        return Vec::new();
    };
    let depth = (3.0_f64.sqrt() - 1.0) * (r + q);
    let pairs = Feature::touching(one.shape.kind(), two.shape.kind()).into_iter();
    let standing = pairs.map(|(a, b)| Rounded {
        pair: ContactPair::new((&one, a), (&two, b), side).ok(),
        depth,
    });
    let all = Feature::touching(first.shape.kind(), second.shape.kind()).len();
    let nobody = std::iter::repeat(Rounded { pair: None, depth });
    standing.chain(nobody).take(all).collect()
}

fn with_round_edges(surface: &Surface<f64>) -> Option<(Surface<f64>, f64)> {
    let Shape::Box { half_extents } = &surface.shape else {
        return None;
    };
    let radius = PART * half_extents.x.min(half_extents.y).min(half_extents.z);
    let shape = Shape::RoundedBox {
        half_extents: half_extents.map(|half| half - radius),
        radius,
    };
    Some((
        Surface {
            shape,
            placement: surface.placement,
        },
        radius,
    ))
}
