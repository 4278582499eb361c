//! Parts of a surface that are contacts of their own.
//!
//! A capsule flat on a plane touches along a line, a box over a face: no single closest point. But a convex
//! hull stays on one side of a plane exactly when its generators do, and a capsule is the hull of its two end
//! spheres, a rounded box that of its eight corner spheres. So each end or corner is a contact with the plane.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar. A feature that the shape does not have is an error.

use dyverse_num::{Scalar, Vec3};

use super::ContactError;
use crate::{Placement, Shape, Surface};

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
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole => f.write_str("whole surface"),
            Self::End(number) => write!(f, "end {number}"),
            Self::Corner(number) => write!(f, "corner {number}"),
        }
    }
}

impl Feature {
    /// The feature as a surface: the surface itself, or a sphere at an end or corner.
    ///
    /// # Errors
    /// [`ContactError::NoSuchFeature`] if the shape has no such end or corner.
    pub fn of<S: Scalar>(self, surface: &Surface<S>) -> Result<Surface<S>, ContactError> {
        let (centre, radius) = match (self, &surface.shape) {
            (Self::Whole, _) => return Ok(surface.clone()),
            (Self::End(end @ 0..=1), Shape::Capsule { radius, half_length }) => {
                let z = signed(half_length, end == 1);
                (Vec3::new(S::zero(), S::zero(), z), radius)
            }
            (
                Self::Corner(corner @ 0..=7),
                Shape::RoundedBox {
                    half_extents: h,
                    radius,
                },
            ) => {
                let at = |half: &S, bit: u8| signed(half, corner >> bit & 1 == 1);
                (Vec3::new(at(&h.x, 0), at(&h.y, 1), at(&h.z, 2)), radius)
            }
            _ => {
                return Err(ContactError::NoSuchFeature {
                    shape: surface.shape.kind(),
                    feature: self,
                });
            }
        };
        Ok(Surface {
            shape: Shape::Sphere {
                radius: radius.clone(),
            },
            placement: surface.placement.compose(&Placement::at(centre)),
        })
    }
}

fn signed<S: Scalar>(half: &S, plus: bool) -> S {
    if plus { half.clone() } else { -half.clone() }
}
