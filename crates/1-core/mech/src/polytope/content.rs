//! Volume, centroid and second moments of a polytope.
//!
//! # Method
//! Each face is cut into triangles from its first corner, and the solid into tetrahedra from these triangles to the mean m of
//! all corners. With the corners a, b, c of a triangle seen from m, of a tetrahedron
//!
//! V = a·(b × c)/6,   ∫x = V s/4,   ∫x xᵀ = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ)/20,   s = a + b + c.
//!
//! All parts are positive, so nothing cancels.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar, for the solid between the triangles. Corners of a face that are beside its
//! plane by rounding make it differ from the hull by as much.

use dyverse_num::{Mat3, Scalar, Vec3};

use super::Polytope;

/// V, the centroid, and ∫x xᵀ about the centroid.
pub(crate) struct Content<S> {
    pub(crate) volume: S,
    pub(crate) centroid: Vec3<S>,
    pub(crate) second: Mat3<S>,
}

impl<S: Scalar> Polytope<S> {
    pub(crate) fn content(&self) -> Content<S> {
        let sum = self.corners.iter().fold(Vec3::zero(), |sum, c| sum + c.clone());
        let count = S::from_f64(self.corners.len() as f64);
        let mean = sum.map(|c| c.clone() / count.clone());
        let seen: Vec<Vec3<S>> = self.corners.iter().map(|c| c.clone() - mean.clone()).collect();
        let (mut volume, mut first, mut second) = (S::zero(), Vec3::zero(), Mat3::zero());
        for face in &self.outline.faces {
            let mut around = face.iter().filter_map(|c| seen.get(usize::from(c.0)));
            let (Some(a), Some(mut b)) = (around.next(), around.next()) else {
                continue;
            };
            for c in around {
                let part = a.dot(&b.cross(c)) / S::from_f64(6.0);
                let s = a.clone() + b.clone() + c.clone();
                let moments = [a, b, c, &s].map(|v| Mat3::outer(v, v));
                let moments = moments.into_iter().fold(Mat3::zero(), |sum, m| sum + m);
                second = second + moments.scale(&(part.clone() / S::from_f64(20.0)));
                first = first + s.scale(&(part.clone() / S::from_f64(4.0)));
                volume = volume + part;
                b = c;
            }
        }
        let from_mean = first.map(|c| c.clone() / volume.clone());
        let spread = Mat3::outer(&from_mean, &from_mean).scale(&volume);
        Content {
            centroid: mean + from_mean,
            second: second + spread.scale(&-S::one()),
            volume,
        }
    }
}
