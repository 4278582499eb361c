//! Where something is: a position and an orientation, that is, a rigid motion x ↦ R x + p.
//!
//! # Guarantee
//! That of the scalar. Orientations need not have exactly unit length (see `Quaternion`).

use dyverse_num::{Quaternion, Scalar, Vec3};

/// The place of a frame in another: turn by `orientation`, then shift by `position`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement<S> {
    /// Where the frame's origin is.
    pub position: Vec3<S>,
    /// How the frame is turned.
    pub orientation: Quaternion<S>,
}

impl<S: Scalar> Placement<S> {
    /// No motion at all.
    #[must_use]
    pub fn identity() -> Self {
        Self::at(Vec3::zero())
    }

    /// Shifted, not turned.
    #[must_use]
    pub fn at(position: Vec3<S>) -> Self {
        Self {
            position,
            orientation: Quaternion::identity(),
        }
    }

    /// The place, in the outer frame, of something placed at `inner` in this one.
    #[must_use]
    pub fn compose(&self, inner: &Self) -> Self {
        Self {
            position: self.apply(&inner.position),
            orientation: self.orientation.clone() * inner.orientation.clone(),
        }
    }

    /// The outer coordinates of a point given in this frame.
    #[must_use]
    pub fn apply(&self, point: &Vec3<S>) -> Vec3<S> {
        self.orientation.rotate(point) + self.position.clone()
    }

    /// The coordinates in this frame of a point given outside.
    #[must_use]
    pub fn apply_back(&self, point: &Vec3<S>) -> Vec3<S> {
        self.orientation
            .rotate_back(&(point.clone() - self.position.clone()))
    }

    /// The same with every number converted.
    pub fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> Placement<T> {
        Placement {
            position: self.position.map(&mut f),
            orientation: self.orientation.map(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composing_is_applying_one_after_the_other() {
        let turn = |axis: Vec3<f64>, angle: f64| Quaternion::from_axis_angle(&axis, &angle);
        let a = Placement {
            position: Vec3::new(1.0, 2.0, 3.0),
            orientation: turn(Vec3::unit_x(), 0.7),
        };
        let b = Placement {
            position: Vec3::new(-1.0, 0.5, 0.0),
            orientation: turn(Vec3::unit_y(), -1.2),
        };
        let p = Vec3::new(0.3, -0.2, 0.9);
        assert!((a.compose(&b).apply(&p) - a.apply(&b.apply(&p))).norm() < 1e-14);
        assert!((a.apply_back(&a.apply(&p)) - p).norm() < 1e-14);
        assert_eq!(Placement::identity().apply(&p), p);
    }
}
