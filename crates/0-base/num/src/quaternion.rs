//! Quaternions over any scalar; unit ones are orientations.
//!
//! q = w + x i + y j + z k with Hamilton's product (i j = k). A unit quaternion turns v into q v q*; for
//! q = cos(φ/2) + sin(φ/2) a this is the right-handed rotation by φ about the unit axis a.
//!
//! # Guarantee
//! That of the scalar. Rotation divides by |q|², so a quaternion that is not quite of unit length still
//! gives a rotation, not a stretching; the zero quaternion gives none (NaN on doubles).

use std::ops::Mul;

use crate::{Mat3, Scalar, Vec3};

/// w + x i + y j + z k.
///
/// ```
/// use dyverse_num::{Quaternion, Vec3};
/// let half_turn = Quaternion::new(0.0, 0.0, 0.0, 1.0);
/// assert_eq!(half_turn.rotate(&Vec3::new(1.0, 2.0, 3.0)), Vec3::new(-1.0, -2.0, 3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion<S> {
    /// Real part.
    pub w: S,
    /// Coefficient of i.
    pub x: S,
    /// Coefficient of j.
    pub y: S,
    /// Coefficient of k.
    pub z: S,
}

impl<S> Quaternion<S> {
    /// w + x i + y j + z k.
    pub const fn new(w: S, x: S, y: S, z: S) -> Self {
        Self { w, x, y, z }
    }

    /// Applies a function to each of the four coefficients.
    pub fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> Quaternion<T> {
        Quaternion::new(f(&self.w), f(&self.x), f(&self.y), f(&self.z))
    }
}

impl<S: Scalar> Quaternion<S> {
    /// One: no rotation.
    #[must_use]
    pub fn identity() -> Self {
        Self::new(S::one(), S::zero(), S::zero(), S::zero())
    }

    /// Rotation by `angle` radians about `axis`, which need not have unit length, but not length zero.
    #[must_use]
    pub fn from_axis_angle(axis: &Vec3<S>, angle: &S) -> Self {
        let half = angle.clone() * S::from_f64(0.5);
        let v = axis.normalized().scale(&half.sin());
        Self::new(half.cos(), v.x, v.y, v.z)
    }

    /// The vector part (x, y, z).
    #[must_use]
    pub fn vector(&self) -> Vec3<S> {
        Vec3::new(self.x.clone(), self.y.clone(), self.z.clone())
    }

    /// w − x i − y j − z k: for a unit quaternion the opposite rotation.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        Self::new(self.w.clone(), -self.x.clone(), -self.y.clone(), -self.z.clone())
    }

    /// w² + x² + y² + z².
    #[must_use]
    pub fn norm_squared(&self) -> S {
        self.w.squared() + self.vector().norm_squared()
    }

    /// Length.
    #[must_use]
    pub fn norm(&self) -> S {
        self.norm_squared().sqrt()
    }

    /// The quaternion divided by its length.
    #[must_use]
    pub fn normalized(&self) -> Self {
        let norm = self.norm();
        self.map(|c| c.clone() / norm.clone())
    }

    /// The rotated vector.
    #[must_use]
    pub fn rotate(&self, v: &Vec3<S>) -> Vec3<S> {
        self.rotation_matrix().apply(v)
    }

    /// The vector rotated back.
    #[must_use]
    pub fn rotate_back(&self, v: &Vec3<S>) -> Vec3<S> {
        self.rotation_matrix().transpose().apply(v)
    }

    /// The rotation as a matrix; its columns are the turned axes.
    #[must_use]
    pub fn rotation_matrix(&self) -> Mat3<S> {
        let (w, x, y, z) = (self.w.clone(), self.x.clone(), self.y.clone(), self.z.clone());
        let s = S::from_f64(2.0) / self.norm_squared();
        let product = |a: &S, b: &S| s.clone() * (a.clone() * b.clone());
        let square = |a: &S, b: &S| S::one() - s.clone() * (a.squared() + b.squared());
        Mat3::from_rows(
            Vec3::new(
                square(&y, &z),
                product(&x, &y) - product(&z, &w),
                product(&x, &z) + product(&y, &w),
            ),
            Vec3::new(
                product(&x, &y) + product(&z, &w),
                square(&x, &z),
                product(&y, &z) - product(&x, &w),
            ),
            Vec3::new(
                product(&x, &z) - product(&y, &w),
                product(&y, &z) + product(&x, &w),
                square(&x, &y),
            ),
        )
    }
}

impl<S: Scalar> Mul for Quaternion<S> {
    type Output = Self;

    /// Hamilton's product: first the right rotation, then the left one.
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.vector(), other.vector());
        let w = self.w.clone() * other.w.clone() - a.dot(&b);
        let v = b.scale(&self.w) + a.scale(&other.w) + a.cross(&b);
        Self::new(w, v.x, v.y, v.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    fn assert_close(a: &Vec3<f64>, b: &Vec3<f64>) {
        assert!((*a - *b).norm() < 1e-14, "{a:?} vs {b:?}");
    }

    #[test]
    fn quarter_turn_about_z_takes_x_to_y() {
        let q = Quaternion::from_axis_angle(&Vec3::new(0.0, 0.0, 2.0), &(f64::pi() / 2.0));
        assert_close(&q.rotate(&Vec3::unit_x()), &Vec3::unit_y());
        assert_close(&q.rotate_back(&Vec3::unit_y()), &Vec3::unit_x());
    }

    #[test]
    fn product_composes_rotations_and_sandwich_agrees() {
        let p = Quaternion::new(0.3, -0.4, 0.8, 0.1).normalized();
        let q = Quaternion::new(1.0, 2.0, -0.5, 0.7).normalized();
        let v = Vec3::new(0.2, -1.5, 3.0);
        assert_close(&(p * q).rotate(&v), &p.rotate(&q.rotate(&v)));
        let sandwich = q * Quaternion::new(0.0, v.x, v.y, v.z) * q.conjugate();
        assert_close(&sandwich.vector(), &q.rotate(&v));
    }

    #[test]
    fn length_is_forgiven_and_rotations_are_orthogonal() {
        let q = Quaternion::new(1.0, 2.0, -0.5, 0.7);
        let r = q.rotation_matrix();
        assert!((r.determinant() - 1.0).abs() < 1e-14);
        let error = r * r.transpose() - Mat3::identity();
        assert!(error.rows.coordinates().iter().all(|row| row.norm() < 1e-14));
        let wide = q.map(|c| Interval::point(*c)).rotate(&Vec3::unit_x());
        let narrow = q.rotate(&Vec3::unit_x());
        assert!(wide.x.contains(narrow.x) && wide.y.contains(narrow.y) && wide.z.contains(narrow.z));
    }
}
