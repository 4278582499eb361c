//! Tangents tx, ty to a unit normal n.
//!
//! # Method
//! With a reference axis e of the world: tx = (e − (e·n) n)/|…|, ty = n × tx, so (n, tx, ty) is right-handed
//! and, for a fixed e, a smooth function of n. e is the x-axis unless |n_x| exceeds [`STEEP`], and then the
//! y-axis; |e − (e·n) n| is then never below 0.66. A floor with n = z has tx = x and ty = y.
//!
//! No rule is smooth on the whole sphere (the hairy ball theorem), hence the pieces. Turning T does not change
//! isotropic friction; whoever compares dg_T across a change of piece holds the axis instead.
//!
//! # Guarantee
//! That of the scalar. An interval that cannot decide the rule takes the x-axis if that certainly is no normal
//! (|n_x| < 0.99), else the y-axis; the axis taken is reported.

use dyverse_num::{Scalar, Tri, Vec3};

/// |n_x| above which the x-axis is no longer the reference: 0.75, near 1/√2, exactly representable.
const STEEP: f64 = 0.75;
/// |n_x| above which the x-axis is too near the normal to serve an interval that cannot decide.
const TOO_STEEP: f64 = 0.99;

/// The axis of the world from which the tangents are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceAxis {
    /// The x-axis.
    X,
    /// The y-axis.
    Y,
}

impl ReferenceAxis {
    /// The axis for a unit normal, by the rule above.
    #[must_use]
    pub fn for_normal<S: Scalar>(normal: &Vec3<S>) -> Self {
        let slope = normal.x.abs();
        let is_gentle = match slope.le(&S::from_f64(STEEP)) {
            Tri::Unknown => slope.le(&S::from_f64(TOO_STEEP)),
            decided => decided,
        };
        if is_gentle == Tri::True { Self::X } else { Self::Y }
    }

    /// [tx, ty] for a unit normal that is not the axis.
    #[must_use]
    pub fn tangents<S: Scalar>(self, normal: &Vec3<S>) -> [Vec3<S>; 2] {
        let (axis, along) = match self {
            Self::X => (Vec3::unit_x(), &normal.x),
            Self::Y => (Vec3::unit_y(), &normal.y),
        };
        let tx = (axis - normal.scale(along)).normalized();
        let ty = normal.cross(&tx);
        [tx, ty]
    }
}
