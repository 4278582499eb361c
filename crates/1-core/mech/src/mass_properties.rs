//! Mass, centroid and inertia of solids of uniform density.
//!
//! # Method
//! Spheres and capsules are rounded boxes with vanishing half extents, boxes those with a vanishing radius, so two formulas serve all shapes.
//! **Rounded box** (inner half extents a, b, c; radius r), cut into disjoint pieces: the inner box; 6 slabs
//! on its faces; 12 quarter cylinders on its edges; 8 octants of a ball on its corners. Piece by piece:
//!
//! V = 8abc + 8r(ab + bc + ca) + 2πr²(a + b + c) + 4πr³/3,
//!
//! ∫x² dV is the sum of
//! - box 8a³bc/3, slabs on ±y and ±z 8a³(b + c)r/3, slabs on ±x 8bc((a + r)³ − a³)/3;
//! - cylinders along x 2πr²a³/3; along y and z 2(b + c)(πa²r² + 8ar³/3 + πr⁴/4);
//! - octants 4πa²r³/3 + πar⁴ + 4πr⁵/15,
//!
//! from the quarter disc ∫1, ∫u, ∫u² = πr²/4, r³/3, πr⁴/16, and the octant πr³/6, πr⁴/16, πr⁵/30.
//! **Ellipsoid**: V = 4πabc/3, ∫x² dV = V a²/5. Then I_xx = ρ∫(y² + z²) dV; symmetry makes products of
//! inertia zero. **Convex**: see `polytope/content.rs`. Several solids add up after rotation (R I Rᵀ) and Steiner's theorem, I + m(|d|² 1 − d dᵀ).
//!
//! # Guarantee
//! Closed forms with the guarantee of the scalar: rigorous on intervals. Where solids overlap, the
//! common part is counted once for each.

use dyverse_num::{Mat3, Scalar, Vec3};

use crate::polytope::Content;
use crate::{Placement, Shape, ShapeKind};

/// Mass, centroid and inertia about the centroid, in some frame.
#[derive(Clone, Debug, PartialEq)]
pub struct MassProperties<S> {
    /// Mass in kilograms; the volume if the density is one.
    pub mass: S,
    /// Centre of mass.
    pub centroid: Vec3<S>,
    /// Inertia tensor about the centroid, along the axes of the frame.
    pub inertia: Mat3<S>,
}

/// Planes and half-spaces have no finite mass; that of rounded hulls has no form here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMassProperties(
    /// Which kind was asked for.
    pub ShapeKind,
);

impl std::fmt::Display for NoMassProperties {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_bounded() {
            write!(f, "the mass properties of a {} are not known", self.0)
        } else {
            write!(f, "a {} is unbounded and has no mass properties", self.0)
        }
    }
}

impl std::error::Error for NoMassProperties {}

/// The mass properties of a solid of this density in its own frame.
///
/// # Errors
/// [`NoMassProperties`] for planes, half-spaces and rounded hulls.
pub fn mass_properties<S: Scalar>(
    shape: &Shape<S>,
    density: &S,
) -> Result<MassProperties<S>, NoMassProperties> {
    let (volume, second_moments) = match shape {
        Shape::Sphere { radius } => rounded_box(&Vec3::zero(), radius),
        Shape::Capsule { radius, half_length } => {
            rounded_box(&Vec3::new(S::zero(), S::zero(), half_length.clone()), radius)
        }
        Shape::RoundedBox { half_extents, radius } => rounded_box(half_extents, radius),
        Shape::Box { half_extents } => rounded_box(half_extents, &S::zero()),
        Shape::Ellipsoid { semi_axes } => ellipsoid(semi_axes),
        Shape::Convex { solid } => return Ok(hull(&solid.content(), density)),
        Shape::RoundedConvex { .. } | Shape::Plane { .. } | Shape::HalfSpace { .. } => {
            return Err(NoMassProperties(shape.kind()));
        }
    };
    let Vec3 { x, y, z } = second_moments.scale(density);
    let inertia = Vec3::new(y.clone() + z.clone(), z + x.clone(), x + y);
    Ok(MassProperties {
        mass: volume * density.clone(),
        centroid: Vec3::zero(),
        inertia: Mat3::diagonal(inertia),
    })
}

/// I = ρ (tr(J) 1 − J) with J = ∫x xᵀ about the centroid.
fn hull<S: Scalar>(content: &Content<S>, density: &S) -> MassProperties<S> {
    let second = content.second.scale(density);
    MassProperties {
        mass: content.volume.clone() * density.clone(),
        centroid: content.centroid.clone(),
        inertia: Mat3::identity().scale(&second.trace()) - second,
    }
}

/// p / q exactly as an operation on scalars.
fn ratio<S: Scalar>(p: f64, q: f64) -> S {
    S::from_f64(p) / S::from_f64(q)
}

/// V and (∫x², ∫y², ∫z²) of an ellipsoid.
fn ellipsoid<S: Scalar>(semi_axes: &Vec3<S>) -> (S, Vec3<S>) {
    let Vec3 { x, y, z } = semi_axes.clone();
    let volume = ratio::<S>(4.0, 3.0) * S::pi() * x * y * z;
    let moments = semi_axes.map(|a| volume.clone() * a.squared() / S::from_f64(5.0));
    (volume, moments)
}

/// V and (∫x², ∫y², ∫z²) of a rounded box.
fn rounded_box<S: Scalar>(half_extents: &Vec3<S>, radius: &S) -> (S, Vec3<S>) {
    let Vec3 { x: a, y: b, z: c } = half_extents;
    let moments = Vec3::new(
        second_moment(a, b, c, radius),
        second_moment(b, c, a, radius),
        second_moment(c, a, b, radius),
    );
    (rounded_box_volume(a, b, c, radius), moments)
}

fn rounded_box_volume<S: Scalar>(a: &S, b: &S, c: &S, r: &S) -> S {
    let (a, b, c) = (a.clone(), b.clone(), c.clone());
    let eight = S::from_f64(8.0);
    let inner = eight.clone() * a.clone() * b.clone() * c.clone();
    let slabs = eight * r.clone() * (a.clone() * b.clone() + b.clone() * c.clone() + c.clone() * a.clone());
    let cylinders = S::from_f64(2.0) * S::pi() * r.squared() * (a + b + c);
    inner + slabs + cylinders + ratio::<S>(4.0, 3.0) * S::pi() * r.powi(3)
}

/// ∫x² dV of a rounded box whose half extent along x is `a`.
fn second_moment<S: Scalar>(a: &S, b: &S, c: &S, r: &S) -> S {
    let number = S::from_f64;
    let eight_thirds = ratio::<S>(8.0, 3.0);
    let (area, side) = (b.clone() * c.clone(), b.clone() + c.clone());
    // (a + r)³ − a³ without cancellation.
    let shell = r.clone() * (number(3.0) * a.clone() * (a.clone() + r.clone()) + r.squared());

    let inner = eight_thirds.clone() * a.powi(3) * area.clone();
    let slabs_across = eight_thirds.clone() * a.powi(3) * side.clone() * r.clone();
    let slabs_ahead = eight_thirds.clone() * area * shell;
    let cylinders_along = ratio::<S>(2.0, 3.0) * S::pi() * r.squared() * a.powi(3);
    let cross_section = S::pi() * a.squared() * r.squared()
        + eight_thirds * a.clone() * r.powi(3)
        + S::pi() * r.powi(4) / number(4.0);
    let cylinders_across = number(2.0) * side * cross_section;
    let octants = S::pi()
        * (ratio::<S>(4.0, 3.0) * a.squared() * r.powi(3)
            + a.clone() * r.powi(4)
            + ratio::<S>(4.0, 15.0) * r.powi(5));
    inner + slabs_across + slabs_ahead + cylinders_along + cylinders_across + octants
}

impl<S: Scalar> MassProperties<S> {
    /// The same solid seen from the frame in which its own is placed.
    #[must_use]
    pub fn placed(&self, placement: &Placement<S>) -> Self {
        Self {
            mass: self.mass.clone(),
            centroid: placement.apply(&self.centroid),
            inertia: placement.orientation.rotation_matrix().conjugate(&self.inertia),
        }
    }

    /// The same solid with its density changed so that it has this mass.
    #[must_use]
    pub fn with_mass(&self, mass: &S) -> Self {
        let factor = mass.clone() / self.mass.clone();
        Self {
            mass: mass.clone(),
            centroid: self.centroid.clone(),
            inertia: self.inertia.scale(&factor),
        }
    }

    /// Inertia about another point of the frame (Steiner).
    #[must_use]
    pub fn inertia_about(&self, point: &Vec3<S>) -> Mat3<S> {
        let d = self.centroid.clone() - point.clone();
        let spread = Mat3::identity().scale(&d.norm_squared()) - Mat3::outer(&d, &d);
        self.inertia.clone() + spread.scale(&self.mass)
    }

    /// All parts as one; `None` without parts. Divides by the total mass.
    #[must_use]
    pub fn combined(parts: &[Self]) -> Option<Self> {
        if parts.is_empty() {
            return None;
        }
        let mass = parts.iter().fold(S::zero(), |sum, part| sum + part.mass.clone());
        let moment = parts
            .iter()
            .fold(Vec3::zero(), |sum, part| sum + part.centroid.scale(&part.mass));
        let centroid = moment.scale(&(S::one() / mass.clone()));
        let inertia = parts
            .iter()
            .fold(Mat3::zero(), |sum, part| sum + part.inertia_about(&centroid));
        Some(Self {
            mass,
            centroid,
            inertia,
        })
    }
}
