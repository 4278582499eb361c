//! Three-by-three matrices over any scalar, by rows.
//!
//! # Guarantee
//! That of the scalar. The inverse is the adjugate over the determinant: fine for the well-conditioned
//! rotations and inertias it serves, and on intervals rigorous (unbounded or empty when singular).

use crate::{Scalar, Vec3};

/// A matrix of three rows.
///
/// ```
/// use dyverse_num::{Mat3, Vec3};
/// let stretch = Mat3::diagonal(Vec3::new(1.0, 2.0, 4.0));
/// assert_eq!(stretch.determinant(), 8.0);
/// assert_eq!(stretch.apply(&Vec3::new(1.0, 1.0, 1.0)), Vec3::new(1.0, 2.0, 4.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3<S> {
    /// The rows, top to bottom.
    pub rows: Vec3<Vec3<S>>,
}

impl<S: Scalar> Mat3<S> {
    /// The matrix with these rows.
    pub const fn from_rows(first: Vec3<S>, second: Vec3<S>, third: Vec3<S>) -> Self {
        Self {
            rows: Vec3::new(first, second, third),
        }
    }

    /// The matrix with these columns.
    #[must_use]
    pub fn from_columns(first: Vec3<S>, second: Vec3<S>, third: Vec3<S>) -> Self {
        Self::from_rows(first, second, third).transpose()
    }

    /// The matrix with this diagonal and zeros elsewhere.
    #[must_use]
    pub fn diagonal(d: Vec3<S>) -> Self {
        Self::from_rows(
            Vec3::new(d.x, S::zero(), S::zero()),
            Vec3::new(S::zero(), d.y, S::zero()),
            Vec3::new(S::zero(), S::zero(), d.z),
        )
    }

    /// The identity.
    #[must_use]
    pub fn identity() -> Self {
        Self::diagonal(Vec3::new(S::one(), S::one(), S::one()))
    }

    /// The zero matrix.
    #[must_use]
    pub fn zero() -> Self {
        Self::diagonal(Vec3::zero())
    }

    /// a bᵀ.
    #[must_use]
    pub fn outer(a: &Vec3<S>, b: &Vec3<S>) -> Self {
        Self {
            rows: a.map(|c| b.scale(c)),
        }
    }

    /// The matrix of v ↦ w × v.
    #[must_use]
    pub fn cross_matrix(w: &Vec3<S>) -> Self {
        let (x, y, z) = (w.x.clone(), w.y.clone(), w.z.clone());
        Self::from_rows(
            Vec3::new(S::zero(), -z.clone(), y.clone()),
            Vec3::new(z, S::zero(), -x.clone()),
            Vec3::new(-y, x, S::zero()),
        )
    }

    /// Rows and columns exchanged.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let r = &self.rows;
        let column = |pick: fn(&Vec3<S>) -> S| r.map(pick);
        Self::from_rows(
            column(|v| v.x.clone()),
            column(|v| v.y.clone()),
            column(|v| v.z.clone()),
        )
    }

    /// Matrix times vector.
    #[must_use]
    pub fn apply(&self, v: &Vec3<S>) -> Vec3<S> {
        self.rows.map(|row| row.dot(v))
    }

    /// The matrix times a number.
    #[must_use]
    pub fn scale(&self, factor: &S) -> Self {
        Self {
            rows: self.rows.map(|row| row.scale(factor)),
        }
    }

    /// Determinant.
    #[must_use]
    pub fn determinant(&self) -> S {
        self.rows.x.dot(&self.rows.y.cross(&self.rows.z))
    }

    /// Sum of the diagonal.
    #[must_use]
    pub fn trace(&self) -> S {
        self.rows.x.x.clone() + self.rows.y.y.clone() + self.rows.z.z.clone()
    }

    /// Inverse; undefined for a singular matrix (infinite or NaN on doubles).
    #[must_use]
    pub fn inverse(&self) -> Self {
        let r = &self.rows;
        let adjugate = Self::from_columns(r.y.cross(&r.z), r.z.cross(&r.x), r.x.cross(&r.y));
        adjugate.scale(&(S::one() / self.determinant()))
    }

    /// `self · m · selfᵀ`: a tensor turned by the rotation `self`.
    #[must_use]
    pub fn conjugate(&self, m: &Self) -> Self {
        self.clone() * m.clone() * self.transpose()
    }
}

operators! { [S: Scalar] Mat3<S>:
    Add add (a, other) {
        Self {
            rows: a.rows.zip(&other.rows, |a, b| a.clone() + b.clone()),
        }
    }
    Sub sub (a, other) {
        Self {
            rows: a.rows.zip(&other.rows, |a, b| a.clone() - b.clone()),
        }
    }
    Mul mul (a, other) {
        let columns = other.transpose();
        Self {
            rows: a.rows.map(|row| columns.apply(row)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    fn sample() -> Mat3<f64> {
        Mat3::from_rows(
            Vec3::new(2.0, 1.0, 0.0),
            Vec3::new(-1.0, 3.0, 5.0),
            Vec3::new(4.0, 0.0, 1.0),
        )
    }

    #[test]
    fn inverse_times_matrix_is_identity() {
        let product = sample().inverse() * sample();
        let error = product - Mat3::identity();
        for row in error.rows.coordinates() {
            assert!(row.norm() < 1e-15, "{error:?}");
        }
        let wide = Mat3 {
            rows: sample().rows.map(Vec3::<Interval>::from_f64),
        };
        let diagonal = (wide.inverse() * wide).rows.x.x;
        assert!(diagonal.contains(1.0) && diagonal.width() < 1e-14);
    }

    #[test]
    fn determinant_by_hand_and_transposed() {
        assert_eq!(sample().determinant(), 2.0 * 3.0 - (-1.0 - 20.0));
        assert_eq!(sample().transpose().determinant(), sample().determinant());
        assert_eq!(sample().trace(), 6.0);
    }

    #[test]
    fn cross_matrix_is_the_cross_product() {
        let (w, v) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(0.5, 4.0, -1.0));
        assert_eq!(Mat3::cross_matrix(&w).apply(&v), w.cross(&v));
        assert_eq!(Mat3::outer(&w, &v).apply(&w), w.scale(&v.dot(&w)));
    }
}
