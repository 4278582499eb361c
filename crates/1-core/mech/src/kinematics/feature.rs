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
//! Sharp boxes are boxes with a radius of zero wherever the other's radius is above zero, or the other is a plane. Two
//! of them have cores that touch, and contacts of their own.
//!
//! | pair | contacts |
//! |---|---|
//! | box, box | 8 corners with the other, 8 with the one, 144 pairs of edges: 160 |
//! | capsule, box | 2 ends with the box, 8 corners with the capsule, the axis with 12 edges: 22 |
//! | capsule, capsule | 2 ends with the other, 2 with the one, both axes: 5 |
//! | sharp box, sharp box | 8 corners on 6 faces both ways, 144 pairs of edges: 240 (`sharp.rs`) |
//! | capsule, plane; box, plane | 2 ends; 8 corners |
//! | others | one |
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar. A feature that the shape does not have is an error.

use dyverse_num::{Quaternion, Scalar, Vec3};

use super::ContactError;
use crate::{Placement, Shape, ShapeKind, Surface};

/// Ends of a capsule, corners, edges and faces of a box.
const ENDS: u8 = 2;
const CORNERS: u8 = 8;
const EDGES: u8 = 12;
const FACES: u8 = 6;

/// The part of a surface that a contact is with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// The surface as a whole.
    Whole,
    /// An end sphere of a capsule: 0 at −z, 1 at +z of its own frame.
    End(u8),
    /// A corner sphere of a rounded box, 0 to 7: bits 0, 1, 2 are the signs of x, y, z; a bit that is set
    /// means plus.
    Corner(u8),
    /// An edge of a rounded box, a capsule: 0 to 3 along x, 4 to 7 along y, 8 to 11 along z. Bits 0 and 1 of the
    /// number are the signs of the two other coordinates, in the order x, y, z; a bit that is set means plus.
    Edge(u8),
    /// A face of a sharp box, 0 to 5: −x, +x, −y, +y, −z, +z. As a surface it is the box.
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
            (Self::Face(0..FACES), Shape::Box { .. }) => return Ok(surface.clone()),
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
    pub fn touching(first: ShapeKind, second: ShapeKind) -> Vec<(Self, Self)> {
        use ShapeKind::{HalfSpace, Plane};
        let whole = || vec![Self::Whole];
        let is_flat = |kind: ShapeKind| matches!(kind, Plane | HalfSpace);
        let is_polytope = ShapeKind::has_polytope_core;
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
        let is_sharp = first.is_sharp() && second.is_sharp();
        let faces = |kind: ShapeKind| if is_sharp { Self::faces(kind) } else { whole() };
        let mut pairs = all(Self::vertices(first), faces(second));
        pairs.extend(all(faces(first), Self::vertices(second)));
        pairs.extend(all(Self::edges(first), Self::edges(second)));
        pairs
    }

    /// The vertices of a core.
    fn vertices(kind: ShapeKind) -> Vec<Self> {
        match kind {
            ShapeKind::Capsule => (0..ENDS).map(Self::End).collect(),
            ShapeKind::RoundedBox | ShapeKind::Box => (0..CORNERS).map(Self::Corner).collect(),
            _ => Vec::new(),
        }
    }

    /// The edges of a core; a capsule is the whole of its own.
    fn edges(kind: ShapeKind) -> Vec<Self> {
        match kind {
            ShapeKind::Capsule => vec![Self::Whole],
            ShapeKind::RoundedBox | ShapeKind::Box => (0..EDGES).map(Self::Edge).collect(),
            _ => Vec::new(),
        }
    }

    /// The faces of a sharp solid.
    fn faces(kind: ShapeKind) -> Vec<Self> {
        match kind {
            ShapeKind::Box => (0..FACES).map(Self::Face).collect(),
            _ => Vec::new(),
        }
    }
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
