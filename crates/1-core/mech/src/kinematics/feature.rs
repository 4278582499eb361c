//! Parts of a surface that are contacts of their own.
//!
//! A capsule flat on a plane touches along a line, a box over a face: no single closest point. But a convex
//! hull stays on one side of a plane exactly when its generators do, and a capsule is the hull of its two end
//! spheres, a rounded box that of its eight corner spheres. So each end or corner is a contact with the plane.
//!
//! # Boxes and capsules with each other
//! The cores are polytopes: boxes and segments. The distance of two polytopes that are apart is attained by a
//! vertex of one and any point of the other, or by two edges [Ericson 2005, §5.1]: were both points inside faces
//! or one inside a face and one inside an edge, the faces would be parallel there, and the pair could be moved
//! along them to a vertex or to an edge. So with V, E the vertices and edges of a core
//!
//!   distance = min { V_a to all of b, all of a to V_b, E_a to E_b },
//!
//! and these are the contacts of the pair, each a closed form (sphere with capsule or box, capsule with capsule).
//! Faces that lie on each other touch at the vertices of the polygon that they share: corners of one on the face
//! of the other, and crossings of edges. Where the closest points of two edges are ends of them the pair is the
//! double of a corner: `overshoot.rs` tells.
//!
//! Solids with sharp edges are ones with a radius of zero wherever the other's radius is above zero, or the other is a plane. Two
//! of them have cores that touch, and contacts of their own.
//!
//! With v, e, f corners, edges and faces of a core (2, 1, 0 of a capsule; 8, 12, 6 of a box; those of its hull for a convex):
//!
//! | pair | contacts | |
//! |---|---|---|
//! | two polytopes | v_1 with the other, v_2 with the one, e_1 e_2 pairs of edges | two rounded boxes 160, a capsule and a box 22, two capsules 5 |
//! | two with sharp edges | v_1 on f_2 faces, f_1 faces with v_2, e_1 e_2 pairs of edges (`sharp.rs`) | two boxes 240, two tetrahedra 68 |
//! | polytope, plane | v_1 | a capsule 2, a box 8 |
//! | others | one | |
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar. A feature that the shape does not have is an error.

use dyverse_num::{Quaternion, Scalar, Tri, Vec3};

use super::ContactError;
use crate::{CornerIx, Placement, Polytope, Shape, ShapeKind, Surface};

/// Ends of a capsule, corners and edges of a box.
const ENDS: u8 = 2;
const CORNERS: u8 = 8;
const EDGES: u8 = 12;

/// The part of a surface that a contact is with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// The surface as a whole.
    Whole,
    /// An end sphere of a capsule: 0 at −z, 1 at +z of its own frame.
    End(u8),
    /// A corner sphere of a hull of points, in the order of the points that are corners; or of a box, 0 to 7: bits 0, 1, 2 are the signs of x, y, z; a bit that is set
    /// means plus.
    Corner(u8),
    /// An edge of a hull of points, or of a rounded box, a capsule: 0 to 3 along x, 4 to 7 along y, 8 to 11 along z. Bits 0 and 1 of the
    /// number are the signs of the two other coordinates, in the order x, y, z; a bit that is set means plus.
    Edge(u8),
    /// A face of a hull of points, or of a sharp box, 0 to 5: −x, +x, −y, +y, −z, +z. As a surface it is the solid.
    Face(u8),
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole => f.write_str("whole surface"),
            Self::End(number) => write!(f, "end {number}"),
            Self::Corner(number) => write!(f, "corner {number}"),
            Self::Edge(number) => write!(f, "edge {number}"),
            Self::Face(number) => write!(f, "face {number}"),
        }
    }
}

impl Feature {
    /// The feature as a surface: the surface itself, a sphere at an end or corner, a capsule along an edge.
    ///
    /// # Errors
    /// [`ContactError::NoSuchFeature`] if the shape has no such end, corner or edge.
    pub fn of<S: Scalar>(self, surface: &Surface<S>) -> Result<Surface<S>, ContactError> {
        let (shape, at) = match (self, &surface.shape) {
            (Self::Whole, _) => return Ok(surface.clone()),
            (Self::End(end @ 0..ENDS), Shape::Capsule { radius, half_length }) => {
                let z = signed(half_length, end == 1);
                let radius = radius.clone();
                (
                    Shape::Sphere { radius },
                    Placement::at(Vec3::new(S::zero(), S::zero(), z)),
                )
            }
            (Self::Face(face), Shape::Box { .. } | Shape::Convex { .. })
                if surface
                    .shape
                    .outline()
                    .is_some_and(|o| usize::from(face) < o.faces.len()) =>
            {
                return Ok(surface.clone());
            }
            (Self::Corner(corner), Shape::Convex { solid } | Shape::RoundedConvex { solid, .. })
                if corner < solid.outline.corners =>
            {
                let centre = solid.corner(CornerIx(corner));
                let radius = surface.shape.swept_radius();
                (
                    Shape::Sphere { radius },
                    Placement::at(centre.cloned().unwrap_or_else(Vec3::zero)),
                )
            }
            (Self::Edge(edge), Shape::Convex { solid } | Shape::RoundedConvex { solid, .. })
                if usize::from(edge) < solid.outline.edges.len() =>
            {
                let (half_length, at) = edge_of_hull(solid, edge);
                let radius = surface.shape.swept_radius();
                (Shape::Capsule { radius, half_length }, at)
            }
            (
                Self::Corner(corner @ 0..CORNERS),
                Shape::RoundedBox { half_extents: h, .. } | Shape::Box { half_extents: h },
            ) => {
                let at = |half: &S, bit: u8| signed(half, corner >> bit & 1 == 1);
                let radius = surface.shape.swept_radius();
                (
                    Shape::Sphere { radius },
                    Placement::at(Vec3::new(at(&h.x, 0), at(&h.y, 1), at(&h.z, 2))),
                )
            }
            (
                Self::Edge(edge @ 0..EDGES),
                Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents },
            ) => {
                let (half_length, at) = edge_of(edge, half_extents);
                let radius = surface.shape.swept_radius();
                (Shape::Capsule { radius, half_length }, at)
            }
            _ => {
                return Err(ContactError::NoSuchFeature {
                    shape: surface.shape.kind(),
                    feature: self,
                });
            }
        };
        Ok(Surface {
            shape,
            placement: surface.placement.compose(&at),
        })
    }

    /// The pairs of features through which two shapes touch: the table above.
    #[must_use]
    pub fn touching<S>(first: &Shape<S>, second: &Shape<S>) -> Vec<(Self, Self)> {
        let whole = || vec![Self::Whole];
        let is_flat = |shape: &Shape<S>| !shape.kind().is_bounded();
        let is_polytope = |shape: &Shape<S>| shape.kind().has_polytope_core();
        let all = |left: Vec<Self>, right: Vec<Self>| {
            let pairs = left.into_iter();
            let pairs = pairs.flat_map(|a| right.iter().map(move |b| (a, *b)));
            pairs.collect::<Vec<_>>()
        };
        if is_polytope(first) && is_flat(second) {
            return all(Self::vertices(first), whole());
        }
        if is_flat(first) && is_polytope(second) {
            return all(whole(), Self::vertices(second));
        }
        if !(is_polytope(first) && is_polytope(second)) {
            return all(whole(), whole());
        }
        let is_sharp = first.kind().is_sharp() && second.kind().is_sharp();
        let faces = |shape: &Shape<S>| if is_sharp { Self::faces(shape) } else { whole() };
        let mut pairs = all(Self::vertices(first), faces(second));
        pairs.extend(all(faces(first), Self::vertices(second)));
        pairs.extend(all(Self::edges(first), Self::edges(second)));
        pairs
    }

    /// The vertices of a core.
    fn vertices<S>(shape: &Shape<S>) -> Vec<Self> {
        match (shape.kind(), shape.outline()) {
            (ShapeKind::Capsule, _) => (0..ENDS).map(Self::End).collect(),
            (_, Some(outline)) => (0..outline.corners).map(Self::Corner).collect(),
            _ => Vec::new(),
        }
    }

    /// The edges of a core; a capsule is the whole of its own.
    fn edges<S>(shape: &Shape<S>) -> Vec<Self> {
        match (shape.kind(), shape.outline()) {
            (ShapeKind::Capsule, _) => vec![Self::Whole],
            (_, Some(outline)) => {
                let numbers = (0_u8..).zip(&outline.edges);
                numbers.map(|(n, _)| Self::Edge(n)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The faces of a core.
    fn faces<S>(shape: &Shape<S>) -> Vec<Self> {
        let Some(outline) = shape.outline() else {
            return Vec::new();
        };
        let numbers = (0_u8..).zip(&outline.faces);
        numbers.map(|(n, _)| Self::Face(n)).collect()
    }
}

/// The half length of an edge of a hull, and its place: z of the capsule along the edge.
fn edge_of_hull<S: Scalar>(solid: &Polytope<S>, edge: u8) -> (S, Placement<S>) {
    let ends = solid.outline.edges.get(usize::from(edge));
    let Some([from, to]) = ends.and_then(|edge| solid.ends(edge)) else {
        return (S::zero(), Placement::identity());
    };
    let half = S::from_f64(0.5);
    let way = (to.clone() - from.clone()).scale(&half);
    let half_length = way.norm();
    let d = way.map(|c| c.clone() / half_length.clone());
    // The shortest turn of z to d; to −d, the same for a capsule, where that is less than a quarter.
    let d = if d.z.lt(&S::zero()) == Tri::True { -d } else { d };
    let turn = Quaternion {
        w: S::one() + d.z,
        x: -d.y,
        y: d.x,
        z: S::zero(),
    };
    let at = Placement {
        position: (from.clone() + to.clone()).scale(&half),
        orientation: turn.normalized(),
    };
    (half_length, at)
}

/// The half length of an edge of a box with these half extents, and its place: z of the capsule along the edge.
fn edge_of<S: Scalar>(edge: u8, h: &Vec3<S>) -> (S, Placement<S>) {
    let (low, high) = (edge & 1 == 1, edge >> 1 & 1 == 1);
    let half = |sign: f64| {
        let [w, x, y, z] = [0.5, 0.5 * sign, 0.5 * sign, 0.5 * sign].map(S::from_f64);
        Quaternion { w, x, y, z }
    };
    let zero = S::zero();
    // A third of a turn about (1, 1, 1) takes z to x, and back takes it to y; its doubles are exact.
    let (half_length, position, orientation) = match edge / 4 {
        0 => (
            &h.x,
            Vec3::new(zero, signed(&h.y, low), signed(&h.z, high)),
            half(1.0),
        ),
        1 => (
            &h.y,
            Vec3::new(signed(&h.x, low), zero, signed(&h.z, high)),
            half(-1.0),
        ),
        _ => (
            &h.z,
            Vec3::new(signed(&h.x, low), signed(&h.y, high), zero),
            Quaternion::identity(),
        ),
    };
    let at = Placement {
        position,
        orientation,
    };
    (half_length.clone(), at)
}

fn signed<S: Scalar>(half: &S, plus: bool) -> S {
    if plus { half.clone() } else { -half.clone() }
}
