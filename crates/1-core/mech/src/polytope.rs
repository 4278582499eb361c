//! Convex solids with flat faces: corners, edges and faces, and which of them meet.
//!
//! Which corners make which edges and faces is an [`Outline`]: integers. With coordinates of the corners it is a
//! [`Polytope`]: of each face the outward unit normal n and the offset n·x, of each edge the two faces that meet there.
//!
//! # Method
//! The normal of a face with corners c_k, counterclockwise seen from outside, is Σ (c_k − c_0) × (c_{k+1} − c_0), of
//! unit length [Newell's sum]; its offset is the mean of n·c_k, so that no corner is preferred.
//!
//! | file | holds |
//! |---|---|
//! | `hull.rs` | the convex hull of points as a polytope |
//! | `nearest.rs` | the point of a polytope that is nearest to another, by regions |
//! | `content.rs` | volume, centroid and second moments |
//! | `inset.rs` | the polytope whose faces lie deeper by a distance |
//!
//! # Guarantee
//! That of the scalar. An outline is meant to be one of a convex solid; that is not checked here. Planes of a hull are
//! those of doubles: what is to be rigorous takes its corners only.

mod content;
mod hull;
mod inset;
mod nearest;

use std::sync::{Arc, LazyLock};

use dyverse_num::{Scalar, Vec3};

pub(crate) use content::Content;
pub use hull::{Hull, HullError, MOST_CORNERS, MOST_POINTS};
pub use nearest::Region;
pub(crate) use nearest::{Nearest, insides};

static BOX: LazyLock<Arc<Outline>> = LazyLock::new(|| Arc::new(Outline::of_box()));

/// A corner of a polytope by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CornerIx(pub u8);

/// A face of a polytope by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaceIx(pub u8);

/// An edge: the corners that it joins, and the faces that meet there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolytopeEdge {
    /// Where it begins and ends.
    pub ends: [CornerIx; 2],
    /// The faces on its two sides.
    pub faces: [FaceIx; 2],
}

/// Which corners make which edges and faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// How many corners there are.
    pub corners: u8,
    /// The edges.
    pub edges: Vec<PolytopeEdge>,
    /// The corners of each face, counterclockwise seen from outside.
    pub faces: Vec<Vec<CornerIx>>,
}

/// n·x ≤ offset holds inside.
#[derive(Clone, Debug, PartialEq)]
pub struct FacePlane<S> {
    /// n, outward and of unit length.
    pub normal: Vec3<S>,
    /// n·x on the face.
    pub offset: S,
}

/// A convex solid with flat faces, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope<S> {
    /// Its corners.
    pub corners: Vec<Vec3<S>>,
    /// The planes of its faces.
    pub planes: Vec<FacePlane<S>>,
    /// What makes what.
    pub outline: Arc<Outline>,
}

impl Outline {
    /// That of a box, see [`Outline::of_box`].
    #[must_use]
    pub fn shared_box() -> Arc<Self> {
        BOX.clone()
    }

    /// That of a box. Corners: bits 0, 1, 2 of the number are the signs of x, y, z, a bit that is set means plus. Edges: 0
    /// to 3 along x, 4 to 7 along y, 8 to 11 along z, bits 0 and 1 the signs of the two other coordinates. Faces: −x, +x,
    /// −y, +y, −z, +z.
    #[must_use]
    pub fn of_box() -> Self {
        let corner = |bits: [(u8, bool); 3]| {
            let set = bits.iter().filter(|(_, is_plus)| *is_plus);
            CornerIx(set.map(|(axis, _)| 1 << axis).sum())
        };
        let mut edges = Vec::new();
        for axis in 0..3_u8 {
            let (low, high) = match axis {
                0 => (1, 2),
                1 => (0, 2),
                _ => (0, 1),
            };
            for number in 0..4_u8 {
                let (plus_low, plus_high) = (number & 1 == 1, number >> 1 & 1 == 1);
                let end = |is_plus| corner([(axis, is_plus), (low, plus_low), (high, plus_high)]);
                edges.push(PolytopeEdge {
                    ends: [end(false), end(true)],
                    faces: [
                        FaceIx(2 * low + u8::from(plus_low)),
                        FaceIx(2 * high + u8::from(plus_high)),
                    ],
                });
            }
        }
        let faces = (0..6_u8).map(|face| {
            let (axis, is_plus) = (face / 2, face % 2 == 1);
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            let at = |u, v| corner([(axis, is_plus), (next, u), (last, v)]);
            let mut around = vec![at(false, false), at(true, false), at(true, true), at(false, true)];
            if !is_plus {
                around.reverse();
            }
            around
        });
        Self {
            corners: 8,
            edges,
            faces: faces.collect(),
        }
    }
}

impl<S> Polytope<S> {
    /// The same with every number converted.
    pub fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> Polytope<T> {
        Polytope {
            corners: self.corners.iter().map(|c| c.map(&mut f)).collect(),
            planes: self
                .planes
                .iter()
                .map(|plane| FacePlane {
                    normal: plane.normal.map(&mut f),
                    offset: f(&plane.offset),
                })
                .collect(),
            outline: self.outline.clone(),
        }
    }
}

impl<S: Scalar> Polytope<S> {
    /// The solid with these corners.
    #[must_use]
    pub fn new(outline: Arc<Outline>, corners: Vec<Vec3<S>>) -> Self {
        let planes = outline.faces.iter().map(|face| {
            let around: Vec<&Vec3<S>> = face
                .iter()
                .filter_map(|c| corners.get(usize::from(c.0)))
                .collect();
            FacePlane::through(&around)
        });
        Self {
            planes: planes.collect(),
            corners,
            outline,
        }
    }

    /// The box with these half extents.
    #[must_use]
    pub fn of_box(half_extents: &Vec3<S>) -> Self {
        let h = half_extents;
        let signed = |half: &S, is_plus: bool| if is_plus { half.clone() } else { -half.clone() };
        let corners = (0..8_u8).map(|corner| {
            let at = |half: &S, bit: u8| signed(half, corner >> bit & 1 == 1);
            Vec3::new(at(&h.x, 0), at(&h.y, 1), at(&h.z, 2))
        });
        let planes = (0..6_u8).map(|face| {
            let (zero, unit) = (S::zero(), signed(&S::one(), face % 2 == 1));
            let (normal, offset) = match face / 2 {
                0 => (Vec3::new(unit, zero.clone(), zero), &h.x),
                1 => (Vec3::new(zero.clone(), unit, zero), &h.y),
                _ => (Vec3::new(zero.clone(), zero, unit), &h.z),
            };
            FacePlane {
                normal,
                offset: offset.clone(),
            }
        });
        Self {
            corners: corners.collect(),
            planes: planes.collect(),
            outline: Outline::shared_box(),
        }
    }

    /// A corner.
    #[must_use]
    pub fn corner(&self, corner: CornerIx) -> Option<&Vec3<S>> {
        self.corners.get(usize::from(corner.0))
    }

    /// The plane of a face.
    #[must_use]
    pub fn plane(&self, face: FaceIx) -> Option<&FacePlane<S>> {
        self.planes.get(usize::from(face.0))
    }

    /// The corners of a face, counterclockwise.
    pub fn around(&self, face: FaceIx) -> impl Iterator<Item = &Vec3<S>> {
        let corners = self.outline.faces.get(usize::from(face.0));
        corners.into_iter().flatten().filter_map(|c| self.corner(*c))
    }

    /// The least of n·x over the solid.
    #[must_use]
    pub fn least_along(&self, n: &Vec3<S>) -> S {
        let along = self.corners.iter().map(|corner| n.dot(corner));
        along.reduce(|least, x| least.min(&x)).unwrap_or_else(S::zero)
    }

    /// The least of n·(x − c) over the corners x that edges join with the corner c.
    #[must_use]
    pub fn lowest_from(&self, corner: CornerIx, n: &Vec3<S>) -> S {
        let Some(own) = self.corner(corner) else {
            return S::zero();
        };
        let joined = self.outline.edges.iter().filter_map(|edge| match edge.ends {
            [from, to] if from == corner => self.corner(to),
            [from, to] if to == corner => self.corner(from),
            _ => None,
        });
        let along = joined.map(|to| n.dot(&(to.clone() - own.clone())));
        along.reduce(|least, x| least.min(&x)).unwrap_or_else(S::zero)
    }

    /// The middle and half of what the solid takes up along a direction.
    #[must_use]
    pub fn span(&self, n: &Vec3<S>) -> (S, S) {
        let half = S::from_f64(0.5);
        let (low, high) = (self.least_along(n), -self.least_along(&-n.clone()));
        ((high.clone() + low.clone()) * half.clone(), (high - low) * half)
    }

    /// The largest distance of a corner from the origin.
    #[must_use]
    pub fn reach(&self) -> S {
        let norms = self.corners.iter().map(Vec3::norm);
        norms.reduce(|most, x| most.max(&x)).unwrap_or_else(S::zero)
    }

    /// Half of the least width across a face.
    #[must_use]
    pub fn half_thickness(&self) -> S {
        let halves = self.planes.iter().map(|plane| self.span(&plane.normal).1);
        halves.reduce(|least, x| least.min(&x)).unwrap_or_else(S::zero)
    }

    /// The ends of an edge.
    #[must_use]
    pub fn ends(&self, edge: &PolytopeEdge) -> Option<[&Vec3<S>; 2]> {
        let [from, to] = edge.ends;
        Some([self.corner(from)?, self.corner(to)?])
    }

    /// How far a point is outside the plane of the face that it is farthest outside of: below zero inside the solid.
    #[must_use]
    pub fn beyond(&self, point: &Vec3<S>) -> S {
        let mut planes = self.planes.iter().map(|plane| plane.above(point));
        let first = planes.next().unwrap_or_else(S::zero);
        planes.fold(first, |most, d| most.max(&d))
    }
}

impl<S: Scalar> FacePlane<S> {
    /// That of corners which are counterclockwise seen from outside.
    fn through(corners: &[&Vec3<S>]) -> Self {
        let Some((first, others)) = corners.split_first() else {
            return Self {
                normal: Vec3::zero(),
                offset: S::zero(),
            };
        };
        let spokes = others.windows(2).map(|two| {
            let [p, q] = [0, 1].map(|n| two[n].clone() - (*first).clone());
            p.cross(&q)
        });
        let normal = spokes.fold(Vec3::zero(), |sum, part| sum + part).normalized();
        let sum = corners.iter().fold(S::zero(), |sum, c| sum + normal.dot(c));
        let count = S::from_f64(corners.len() as f64);
        Self {
            normal,
            offset: sum / count,
        }
    }

    /// How far a point is above the plane.
    #[must_use]
    pub fn above(&self, point: &Vec3<S>) -> S {
        self.normal.dot(point) - self.offset.clone()
    }
}
