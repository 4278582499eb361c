//! The closest points of two placed shapes, with the gap and the normal there.
//!
//! **In:** two shapes with their places in the world. **Out:** [`ClosestPoints`].
//!
//! | file                    | pairs                                            | guarantee        |
//! |-------------------------|--------------------------------------------------|------------------|
//! | `shape_plane.rs`        | any bounded shape with a plane or half-space     | closed form      |
//! | `sphere_sphere.rs`      | sphere, sphere                                   | closed form      |
//! | `sphere_capsule.rs`     | sphere, capsule                                  | closed form      |
//! | `sphere_rounded_box.rs` | sphere, rounded box                              | closed form      |
//! | `capsule_capsule.rs`    | capsule, capsule                                 | closed form      |
//! | `box_convex.rs`         | rounded box with capsule or rounded box          | closed form, once doubles found the features |
//! | `hull.rs`               | hull of points with any bounded shape but an ellipsoid | closed form with a sphere |
//! | `ellipsoid_convex.rs`   | ellipsoid with any bounded shape                 | implicit, see `implicit.rs` |
//!
//! Every bounded shape is a core swept by a ball (`surface.rs`): with the closest points x1, x2 of the cores,
//! their distance λ and the unit vector n from x1 to x2, the surfaces have p1 = x1 + r1 n, p2 = x2 − r2 n and
//! the gap λ − r1 − r2, also when this is negative, as long as the cores are apart.
//!
//! # Guarantee
//! To rounding on doubles, exact derivatives on duals, rigorous on intervals (closed forms, or verified
//! solutions). Ends of capsules and corners of boxes are spheres, edges of boxes capsules (see `feature.rs`). Where a closest pair is
//! not unique (parallel faces or axes) one of them is chosen, deterministically; intervals cover all or give
//! an error. Doubles that are not finite give numbers that are not finite, or an error.

mod active_set;
mod box_convex;
mod capsule_capsule;
mod ellipsoid_convex;
mod homotopy;
mod hull;
mod implicit;
mod linear;
mod overshoot;
mod shape_plane;
mod sphere_capsule;
mod sphere_rounded_box;
mod sphere_sphere;

use dyverse_num::{Scalar, Tri, Vec3};

pub(super) use hull::on_region;
pub use implicit::ContactScalar;
pub(super) use overshoot::{
    closing_gap, overshoots_across, overshoots_of, overshoots_of_axes, vertex_overshoot,
};

use super::Feature;
use crate::{NoGapFunction, Placement, Shape, ShapeKind};

/// The closest points of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints<S> {
    /// g_N = n·(p2 − p1); negative when the shapes overlap.
    pub gap: S,
    /// n, from the first shape to the second, of unit length.
    pub normal: Vec3<S>,
    /// p1, in the world.
    pub on_first: Vec3<S>,
    /// p2, in the world.
    pub on_second: Vec3<S>,
    /// How far the place is from being this contact's own, m; not above zero where it is (`overshoot.rs`). Only where
    /// several contacts of a pair may share a place.
    pub overshoot: Option<S>,
}

/// The side of a plane on which the other entity is, for good: it is decided where a run starts and never
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Where n·x > offset; the only side of a half-space.
    Front,
    /// Where n·x < offset.
    Back,
}

/// Why the closest points of a pair cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoClosestPointsReason {
    /// The pair has no closed form, and only closed forms were asked for.
    NoClosedForm,
    /// The cores touch or overlap: the shapes overlap by more than their rounding radii.
    CoresOverlap,
    /// The iteration did not converge: deep overlap, or sizes and places that are not finite.
    NotConverged,
    /// The intervals are too wide, or the closest points not unique.
    Undecided,
}

/// Why a contact has no kinematics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactError {
    /// Two unbounded shapes.
    NoGapFunction(NoGapFunction),
    /// The shape has no such end or corner.
    NoSuchFeature {
        /// The shape.
        shape: ShapeKind,
        /// What was asked for.
        feature: Feature,
    },
    /// The closest points of this pair cannot be had.
    NoClosestPoints {
        /// The first shape, or the sphere that stands for its feature.
        first: ShapeKind,
        /// The second shape, or the sphere that stands for its feature.
        second: ShapeKind,
        /// Why not.
        reason: NoClosestPointsReason,
    },
}

impl ContactError {
    /// Two unbounded shapes.
    pub(super) fn unbounded(first: ShapeKind, second: ShapeKind) -> Self {
        Self::NoGapFunction(NoGapFunction { first, second })
    }
}

impl std::fmt::Display for NoClosestPointsReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoClosedForm => "the pair has no closed form",
            Self::CoresOverlap => "they overlap by more than their rounding radii",
            Self::NotConverged => "the iteration did not converge",
            Self::Undecided => "the intervals do not decide which points are closest",
        })
    }
}

impl std::fmt::Display for ContactError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoGapFunction(error) => error.fmt(f),
            Self::NoSuchFeature { shape, feature } => write!(f, "a {shape} has no {feature}"),
            Self::NoClosestPoints {
                first,
                second,
                reason,
            } => write!(f, "no closest points of {first} and {second}: {reason}"),
        }
    }
}

impl std::error::Error for ContactError {}

/// A shape with its place in the world.
pub(super) type Placed<'a, S> = (&'a Shape<S>, &'a Placement<S>);
/// Closest points or the reason why not; the caller knows the shapes.
pub(super) type Found<S> = Result<ClosestPoints<S>, NoClosestPointsReason>;

/// The closest points of any pair with a bounded shape.
///
/// # Errors
/// [`ContactError`] for two unbounded shapes, and where the points cannot be had (see the table above).
///
/// ```
/// use dyverse_mech::{Placement, Shape, Side, closest_points};
/// use dyverse_num::Vec3;
/// let ball = Shape::Sphere { radius: 1.0 };
/// let floor = Shape::Plane { normal: Vec3::new(0.0, 0.0, 1.0), offset: 0.0 };
/// let at = Placement::at(Vec3::new(5.0, 0.0, 3.0));
/// let points = closest_points((&floor, &Placement::identity()), (&ball, &at), Side::Front);
/// assert_eq!(points.map(|p| (p.gap, p.on_first.x, p.normal.z)), Ok((2.0, 5.0, 1.0)));
/// ```
pub fn closest_points<S: ContactScalar>(
    first: Placed<'_, S>,
    second: Placed<'_, S>,
    side: Side,
) -> Result<ClosestPoints<S>, ContactError> {
    let parallel_below = if S::RIGOROUS {
        0.0
    } else {
        capsule_capsule::PARALLEL
    };
    match in_either_order(first, second, |a, b| closed_form(a, b, side, parallel_below)) {
        Err(NoClosestPointsReason::NoClosedForm) => in_either_order(first, second, without_closed_form),
        other => other,
    }
    .map_err(|reason| no_closest_points(first, second, reason))
}

/// The closest points in closed form over any scalar.
///
/// # Errors
/// As [`closest_points()`], and for pairs without a closed form.
pub fn derive_closest_points<S: Scalar>(
    first: Placed<'_, S>,
    second: Placed<'_, S>,
    side: Side,
) -> Result<ClosestPoints<S>, ContactError> {
    in_either_order(first, second, |a, b| closed_form(a, b, side, 0.0))
        .map_err(|reason| no_closest_points(first, second, reason))
}

/// The error for this pair.
fn no_closest_points<S>(
    first: Placed<'_, S>,
    second: Placed<'_, S>,
    reason: NoClosestPointsReason,
) -> ContactError {
    let (first, second) = (first.0.kind(), second.0.kind());
    if !first.is_bounded() && !second.is_bounded() {
        return ContactError::unbounded(first, second);
    }
    ContactError::NoClosestPoints {
        first,
        second,
        reason,
    }
}

/// Tries a method that knows each pair in one order only.
fn in_either_order<'a, S: Scalar>(
    first: Placed<'a, S>,
    second: Placed<'a, S>,
    find: impl Fn(Placed<'a, S>, Placed<'a, S>) -> Found<S>,
) -> Found<S> {
    match find(first, second) {
        Err(NoClosestPointsReason::NoClosedForm) => find(second, first).map(ClosestPoints::exchanged),
        other => other,
    }
}

/// The closed forms, each in one order of its two shapes.
fn closed_form<S: Scalar>(
    (a, at_a): Placed<'_, S>,
    (b, at_b): Placed<'_, S>,
    side: Side,
    parallel_below: f64,
) -> Found<S> {
    match (a, b) {
        (_, Shape::Plane { normal, offset }) if a.kind().is_bounded() => Ok(shape_plane::closest_points(
            (a, at_a),
            (normal, offset, at_b),
            side,
        )),
        (_, Shape::HalfSpace { normal, offset }) if a.kind().is_bounded() => Ok(shape_plane::closest_points(
            (a, at_a),
            (normal, offset, at_b),
            Side::Front,
        )),
        (Shape::Sphere { radius: r }, Shape::Sphere { radius: s }) => {
            sphere_sphere::closest_points((r, &at_a.position), (s, &at_b.position))
        }
        (Shape::Sphere { radius: r }, Shape::Capsule { radius, half_length }) => {
            sphere_capsule::closest_points((r, &at_a.position), (radius, half_length, at_b))
        }
        (Shape::Sphere { radius: r }, Shape::RoundedBox { half_extents, radius }) => {
            sphere_rounded_box::closest_points((r, &at_a.position), (radius, half_extents, at_b))
        }
        (Shape::Sphere { radius: r }, Shape::Box { half_extents }) => {
            sphere_rounded_box::closest_points((r, &at_a.position), (&S::zero(), half_extents, at_b))
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
        ) => capsule_capsule::closest_points((r, g, at_a), (s, h, at_b), parallel_below),
        _ => Err(NoClosestPointsReason::NoClosedForm),
    }
}

/// The other pairs, each in one order.
fn without_closed_form<S: ContactScalar>(a: Placed<'_, S>, b: Placed<'_, S>) -> Found<S> {
    match (a.0, b.0) {
        (Shape::Sphere { radius: r }, Shape::Convex { solid } | Shape::RoundedConvex { solid, .. }) => {
            hull::with_sphere((r, &a.1.position), (&b.0.swept_radius(), solid, b.1))
        }
        (
            Shape::Convex { .. } | Shape::RoundedConvex { .. },
            Shape::Capsule { .. }
            | Shape::RoundedBox { .. }
            | Shape::Box { .. }
            | Shape::Convex { .. }
            | Shape::RoundedConvex { .. },
        ) => hull::wholes(a, b),
        (Shape::Ellipsoid { semi_axes }, _) if b.0.kind().is_bounded() => {
            ellipsoid_convex::closest_points((semi_axes, a.1), b)
        }
        (
            Shape::RoundedBox { .. } | Shape::Box { .. },
            Shape::Capsule { .. } | Shape::RoundedBox { .. } | Shape::Box { .. },
        ) => box_convex::closest_points(a, b),
        _ => Err(NoClosestPointsReason::NoClosedForm),
    }
}

impl<S: Scalar> ClosestPoints<S> {
    /// The points of the swept shapes from those of their cores: λ, n, x1, x2 and the radii r1, r2.
    pub(super) fn swept(
        distance: S,
        normal: Vec3<S>,
        (x1, x2): (Vec3<S>, Vec3<S>),
        (r1, r2): (&S, &S),
    ) -> Self {
        Self {
            gap: distance - r1.clone() - r2.clone(),
            on_first: x1 + normal.scale(r1),
            on_second: x2 - normal.scale(r2),
            normal,
            overshoot: None,
        }
    }

    /// As [`ClosestPoints::swept`], with λ and n from the points of the cores, which must be apart.
    pub(super) fn from_cores((x1, x2): (Vec3<S>, Vec3<S>), radii: (&S, &S)) -> Found<S> {
        let apart = x2.clone() - x1.clone();
        let distance = apart.norm();
        if distance.gt(&S::zero()) == Tri::False {
            return Err(NoClosestPointsReason::CoresOverlap);
        }
        let normal = apart.map(|c| c.clone() / distance.clone());
        Ok(Self::swept(distance, normal, (x1, x2), radii))
    }

    /// The same with first and second exchanged.
    pub(super) fn exchanged(self) -> Self {
        Self {
            gap: self.gap,
            normal: -self.normal,
            on_first: self.on_second,
            on_second: self.on_first,
            overshoot: self.overshoot,
        }
    }

    /// The gap as far as touching goes (`overshoot.rs`).
    #[must_use]
    pub fn closing_gap(&self) -> S {
        closing_gap(&self.gap, self.overshoot.as_ref())
    }
}

/// The number nearest to `value` in [−half, half].
fn clamp<S: Scalar>(value: &S, half: &S) -> S {
    value.max(&-half.clone()).min(half)
}
