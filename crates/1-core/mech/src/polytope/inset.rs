//! The polytope whose faces lie deeper by a distance r: what a ball of radius r has to be swept over to touch all faces from inside.
//!
//! # Method
//! Seen from the mean of the corners, a face with unit normal n at the offset o is the point n/(o − r). The hull of these points has
//! a corner for each face of the polytope that is sought, a face for each of its corners and an edge for each of its edges
//! [polar duality]. A corner is where the planes of all faces meet that the dual face has as its corners: the point y with
//! y·p = 1 on the plane of the dual face, that is y = N/O with its normal N and offset O.
//!
//! Where more than three faces meet in a corner, the deeper ones meet in several, with short edges between them.
//!
//! # Guarantee
//! To [`MERGED`]: corners that are nearer to each other are one. Nothing comes of an r that makes a face vanish, or of corners that are
//! just as near as that.

use std::sync::Arc;

use dyverse_num::Vec3;

use super::{CornerIx, FaceIx, Outline, Polytope, PolytopeEdge};

/// Dual points that are as near as this to a plane are on it, as a part of their size.
const MERGED: f64 = 1e-8;

impl Polytope<f64> {
    /// The solid, smaller by a factor about the mean of its corners, so that a ball of this radius swept over it stays inside. Faces that
    /// are farther from there than others come to lie deeper by more.
    #[must_use]
    pub fn shrunk(&self, by: f64) -> Self {
        let mean = self.mean();
        let depths = self.planes.iter().map(|plane| -plane.above(&mean));
        let factor = 1.0 - by / depths.fold(f64::INFINITY, f64::min);
        let corners = self.corners.iter().map(|c| mean + (*c - mean).scale(&factor));
        Self::new(self.outline.clone(), corners.collect())
    }

    fn mean(&self) -> Vec3<f64> {
        let sum = self.corners.iter().fold(Vec3::zero(), |sum, c| sum + *c);
        sum.scale(&(1.0 / self.corners.len() as f64))
    }

    /// The solid with all faces deeper by a distance; the numbers of its faces are the same.
    #[must_use]
    pub fn inset(&self, by: f64) -> Option<Self> {
        let mean = self.mean();
        let depths = self.planes.iter().map(|plane| -plane.above(&mean) - by);
        let depths: Vec<f64> = depths.collect();
        if !depths.iter().all(|depth| *depth > 0.0) {
            return None;
        }
        let points: Vec<Vec3<f64>> = self
            .planes
            .iter()
            .zip(&depths)
            .map(|(plane, depth)| plane.normal.scale(&(1.0 / depth)))
            .collect();
        let dual = Self::hull_within(&points, (MERGED, MERGED)).ok()?;
        if dual.corners.len() != self.planes.len() {
            return None;
        }
        let dual = dual.solid;
        let corners: Vec<Vec3<f64>> = dual
            .planes
            .iter()
            .map(|plane| mean + plane.normal.scale(&(1.0 / plane.offset)))
            .collect();
        let face_corner = |face: FaceIx| CornerIx(face.0);
        let edges: Vec<PolytopeEdge> = dual
            .outline
            .edges
            .iter()
            .map(|edge| PolytopeEdge {
                ends: edge.faces.map(face_corner),
                faces: edge.ends.map(|corner| FaceIx(corner.0)),
            })
            .collect();
        let faces = (0..dual.corners.len()).map(|face| around(&dual, CornerIx(face as u8)));
        let outline = Outline {
            corners: u8::try_from(corners.len()).ok()?,
            edges,
            faces: faces.collect::<Option<Vec<_>>>()?,
        };
        Some(Self::new(Arc::new(outline), corners))
    }
}

/// The faces at a corner, counterclockwise seen from outside, as corners of its dual.
fn around(solid: &Polytope<f64>, corner: CornerIx) -> Option<Vec<CornerIx>> {
    // Of the face before: the side that comes to the corner; the side that leaves it belongs to the next face.
    let at = |face: &[CornerIx]| face.iter().position(|c| *c == corner);
    let before = |face: &[CornerIx]| Some(face[(at(face)? + face.len() - 1) % face.len()]);
    let after = |face: &[CornerIx]| Some(face[(at(face)? + 1) % face.len()]);
    let faces = &solid.outline.faces;
    let begin = faces.iter().position(|face| at(face).is_some())?;
    let (mut found, mut here) = (Vec::new(), begin);
    for _ in 0..faces.len() {
        found.push(CornerIx(u8::try_from(here).ok()?));
        // Counterclockwise about the corner: across the side that comes to it.
        let side = before(&faces[here])?;
        here = faces.iter().position(|face| after(face) == Some(side))?;
        if here == begin {
            return Some(found);
        }
    }
    None
}
