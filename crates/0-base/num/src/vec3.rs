//! Vectors of ordinary space over any scalar.
//!
//! # Guarantee
//! That of the scalar: rigorous on intervals, rounded on doubles. Norms sum squares directly, so on doubles
//! they overflow above 1e154 and lose digits below 1e-154.

use crate::Scalar;

/// A vector or point of three coordinates.
///
/// ```
/// use dyverse_num::Vec3;
/// let n = Vec3::new(1.0, 0.0, 0.0).cross(&Vec3::new(0.0, 1.0, 0.0));
/// assert_eq!(n, Vec3::new(0.0, 0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3<S> {
    /// First coordinate.
    pub x: S,
    /// Second coordinate.
    pub y: S,
    /// Third coordinate.
    pub z: S,
}

impl<S> Vec3<S> {
    /// The vector (x, y, z).
    pub const fn new(x: S, y: S, z: S) -> Self {
        Self { x, y, z }
    }

    /// Applies a function to each coordinate.
    pub fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> Vec3<T> {
        Vec3::new(f(&self.x), f(&self.y), f(&self.z))
    }

    /// Joins two vectors coordinate by coordinate.
    pub fn zip<T, U>(&self, other: &Vec3<T>, mut f: impl FnMut(&S, &T) -> U) -> Vec3<U> {
        Vec3::new(f(&self.x, &other.x), f(&self.y, &other.y), f(&self.z, &other.z))
    }

    /// The coordinates in order, by reference.
    pub fn coordinates(&self) -> [&S; 3] {
        [&self.x, &self.y, &self.z]
    }
}

impl<S: Scalar> Vec3<S> {
    /// The zero vector.
    #[must_use]
    pub fn zero() -> Self {
        Self::new(S::zero(), S::zero(), S::zero())
    }

    /// The unit vector along the first axis.
    #[must_use]
    pub fn unit_x() -> Self {
        Self::new(S::one(), S::zero(), S::zero())
    }

    /// The unit vector along the second axis.
    #[must_use]
    pub fn unit_y() -> Self {
        Self::new(S::zero(), S::one(), S::zero())
    }

    /// The unit vector along the third axis.
    #[must_use]
    pub fn unit_z() -> Self {
        Self::new(S::zero(), S::zero(), S::one())
    }

    /// Exactly these doubles.
    #[must_use]
    pub fn from_f64(v: &Vec3<f64>) -> Self {
        v.map(|c| S::from_f64(*c))
    }

    /// The vector times a number.
    #[must_use]
    pub fn scale(&self, factor: &S) -> Self {
        self.map(|c| c.clone() * factor.clone())
    }

    /// Scalar product.
    #[must_use]
    pub fn dot(&self, other: &Self) -> S {
        let p = self.zip(other, |a, b| a.clone() * b.clone());
        p.x + p.y + p.z
    }

    /// Vector product; right-handed.
    #[must_use]
    pub fn cross(&self, other: &Self) -> Self {
        let minor = |a: &S, b: &S, c: &S, d: &S| a.clone() * b.clone() - c.clone() * d.clone();
        Self::new(
            minor(&self.y, &other.z, &self.z, &other.y),
            minor(&self.z, &other.x, &self.x, &other.z),
            minor(&self.x, &other.y, &self.y, &other.x),
        )
    }

    /// Square of the length.
    #[must_use]
    pub fn norm_squared(&self) -> S {
        self.x.squared() + self.y.squared() + self.z.squared()
    }

    /// Length.
    #[must_use]
    pub fn norm(&self) -> S {
        self.norm_squared().sqrt()
    }

    /// The vector divided by its length; undefined for the zero vector.
    #[must_use]
    pub fn normalized(&self) -> Self {
        self.scale(&(S::one() / self.norm()))
    }
}

operators! { [S: Scalar] Vec3<S>:
    Add add (a, other) {
        Self::new(a.x + other.x, a.y + other.y, a.z + other.z)
    }
    Sub sub (a, other) {
        Self::new(a.x - other.x, a.y - other.y, a.z - other.z)
    }
    Neg neg (a) {
        Self::new(-a.x, -a.y, -a.z)
    }
}
