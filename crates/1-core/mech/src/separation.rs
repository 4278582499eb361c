//! The gap between two placed shapes at rest.
//!
//! **In:** two shapes with their places in the world. **Out:** the signed gap: the distance between the
//! solids, or minus the least shift that would part them when they overlap.
//!
//! | file | pairs | guarantee |
//! |---|---|---|
//! | `shape_plane.rs` | any bounded shape with a plane or half-space | closed form |
//! | `sphere_sphere.rs` | sphere, sphere | closed form |
//! | `sphere_capsule.rs` | sphere, capsule | closed form |
//! | `sphere_rounded_box.rs`  | sphere, rounded box or box | closed form |
//! | `capsule_capsule.rs` | capsule, capsule | closed form |
//! | `convex_convex.rs` | any two bounded shapes, by support functions (GJK) | to tolerance |
//! | `overlap.rs` | cores that overlap | see there |
//! | `enclosure.rs` | any two bounded shapes on intervals, from dual bounds | rigorous |
//!
//! # Method
//! Every bounded shape is a core swept by a ball, so gap = distance of the cores − r₁ − r₂; this is also the
//! exact depth of overlap as long as the cores themselves are apart.
//!
//! # Guarantee
//! [`derive_gap`] evaluates a closed form in the caller's scalar. [`separation()`] says whether its answer is
//! exact to rounding or tolerance ([`GapKind::Exact`]) or a lower bound of the signed gap.
//! [`enclose_separation`] is rigorous. A pair of planes has no gap function, and that is an error, never "no
//! contact".

mod capsule_capsule;
mod convex_convex;
mod enclosure;
mod overlap;
mod shape_plane;
mod sphere_capsule;
mod sphere_rounded_box;
mod sphere_sphere;
mod support;

use dyverse_num::{Scalar, Vec3};

pub use enclosure::enclose_separation;
pub use support::support_value;

use crate::{Placement, Shape, ShapeKind};

/// The gap between two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Signed gap in metres; negative when overlapping.
    pub gap: f64,
    /// What `gap` is worth.
    pub kind: GapKind,
}

/// What a computed gap is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapKind {
    /// Exact up to rounding, or to the tolerance of the iteration (1e-12 of the size of the scene).
    Exact,
    /// The true signed gap is this or greater, up to rounding.
    LowerBound,
}

/// No gap is defined for two unbounded shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoGapFunction {
    /// The first shape.
    pub first: ShapeKind,
    /// The second shape.
    pub second: ShapeKind,
}

impl std::fmt::Display for NoGapFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "no gap function for this pair of shapes: {} and {}",
            self.first, self.second
        )
    }
}

impl std::error::Error for NoGapFunction {}

/// The gap between two placed shapes, in doubles. Terminates on every input; on inputs that are not finite
/// the gap is NaN or infinite.
///
/// # Errors
/// [`NoGapFunction`] for two planes or half-spaces.
///
/// ```
/// use dyverse_mech::{Placement, Shape, separation};
/// use dyverse_num::Vec3;
/// let ball = Shape::Sphere { radius: 1.0 };
/// let (left, right) = (Placement::identity(), Placement::at(Vec3::new(3.0, 4.0, 0.0)));
/// assert_eq!(separation(&ball, &left, &ball, &right).map(|s| s.gap), Ok(3.0));
/// ```
pub fn separation(
    first: &Shape<f64>,
    first_at: &Placement<f64>,
    second: &Shape<f64>,
    second_at: &Placement<f64>,
) -> Result<Separation, NoGapFunction> {
    let unbounded = |shape: &Shape<f64>| !shape.kind().is_bounded();
    if unbounded(first) && unbounded(second) {
        return Err(NoGapFunction {
            first: first.kind(),
            second: second.kind(),
        });
    }
    if let Some(gap) = derive_gap(first, first_at, second, second_at) {
        return Ok(Separation {
            gap,
            kind: GapKind::Exact,
        });
    }
    let radii = first.swept_radius() + second.swept_radius();
    let cores = convex_convex::core_distance(first, first_at, second, second_at);
    let (distance, kind) = if cores.overlap {
        overlap::signed_distance(first, first_at, second, second_at, &cores.direction)
    } else if cores.converged {
        (cores.distance, GapKind::Exact)
    } else {
        (cores.lower_bound, GapKind::LowerBound)
    };
    Ok(Separation {
        gap: distance - radii,
        kind,
    })
}

/// The nearest points of two bounded cores in the world, to tolerance; none where they meet.
pub(crate) fn nearest_in_cores(
    first: (&Shape<f64>, &Placement<f64>),
    second: (&Shape<f64>, &Placement<f64>),
) -> Option<[Vec3<f64>; 2]> {
    let cores = convex_convex::core_distance(first.0, first.1, second.0, second.1);
    if cores.overlap || !cores.distance.is_finite() {
        return None;
    }
    let point = |(shape, at): (&Shape<f64>, &Placement<f64>), fractions: &Vec3<f64>| {
        at.apply(&fractions.zip(&support::half_sizes(shape), |f, h| f * h))
    };
    let [on_first, on_second] = &cores.fractions;
    Some([point(first, on_first), point(second, on_second)])
}

/// The gap in closed form over any scalar; `None` if the pair has none (see the table above).
#[must_use]
pub fn derive_gap<S: Scalar>(
    first: &Shape<S>,
    first_at: &Placement<S>,
    second: &Shape<S>,
    second_at: &Placement<S>,
) -> Option<S> {
    let ordered = derive_gap_ordered(first, first_at, second, second_at);
    ordered.or_else(|| derive_gap_ordered(second, second_at, first, first_at))
}

/// The closed forms, each in one order of its two shapes.
fn derive_gap_ordered<S: Scalar>(
    a: &Shape<S>,
    at_a: &Placement<S>,
    b: &Shape<S>,
    at_b: &Placement<S>,
) -> Option<S> {
    let (p, q) = (&at_a.position, &at_b.position);
    match (a, b) {
        (_, Shape::Plane { normal, offset }) if a.kind().is_bounded() => {
            Some(shape_plane::gap_to_plane(a, at_a, normal, offset, at_b))
        }
        (_, Shape::HalfSpace { normal, offset }) if a.kind().is_bounded() => {
            Some(shape_plane::gap_to_half_space(a, at_a, normal, offset, at_b))
        }
        (Shape::Sphere { radius: r }, Shape::Sphere { radius: s }) => Some(sphere_sphere::gap(r, p, s, q)),
        (
            Shape::Sphere { radius },
            Shape::Capsule {
                radius: s,
                half_length,
            },
        ) => Some(sphere_capsule::gap(radius, p, s, half_length, at_b)),
        (
            Shape::Sphere { radius },
            Shape::RoundedBox {
                half_extents,
                radius: s,
            },
        ) => Some(sphere_rounded_box::gap(radius, p, half_extents, s, at_b)),
        (Shape::Sphere { radius }, Shape::Box { half_extents }) => {
            Some(sphere_rounded_box::gap(radius, p, half_extents, &S::zero(), at_b))
        }
        (
            Shape::Capsule {
                radius: r,
                half_length: g,
            },
            Shape::Capsule {
                radius: s,
                half_length: h,
            },
        ) => Some(capsule_capsule::core_distance((g, at_a), (h, at_b)) - r.clone() - s.clone()),
        _ => None,
    }
}
