//! Where an ellipsoid is closest to another core: the equations, and their solution in every scalar.
//!
//! | printed | here                  | meaning                                                  |
//! |---------|-----------------------|----------------------------------------------------------|
//! | n, λ    | unknowns `y`          | unit normal from the ellipsoid, distance of the cores    |
//! | x(n)    | `on_ellipsoid`        | σ A²n/|A n| in its frame: its point with outward normal n |
//! | z       | `on_other`            | the closest point of the other core                      |
//! | σ       | `shrink`              | 1, or less while a start is sought (`homotopy.rs`)       |
//! | τ       | [`TAU`]               | any positive length                                      |
//!
//! # Method
//! Optimality: z = x(n) + λ n lies on the other core, whose outward normal there is −n. For an ellipsoid this
//! is z = d + x_B(−n). For a box (segment, point) it says that z is the point of the box nearest to z − τ n,
//! clamped coordinate by coordinate; for a hull by regions (`polytope/nearest.rs`). With |n|² = 1 these are four equations F(y) = 0 in four unknowns; they
//! stay regular when λ is zero or slightly negative, where the distance as a function of points is not.
//! If λ > 0, they are also sufficient, since the problem is convex.
//!
//! *Doubles* bring their solution from `homotopy.rs`. *Duals*: by the implicit function theorem
//! F_y y′ = −F′, where F′ is the dual part of F at constant y: exact derivatives, of any order by nesting.
//! *Intervals*: Krawczyk's operator K(Y) = y₀ − C F(y₀) + (1 − C F_y(Y))(Y − y₀); K(Y) inside Y proves that for
//! every member of the data there is exactly one solution in Y, and that it lies in K(Y) [Krawczyk 1969;
//! Neumaier 1990, §5.2]. Y is widened a few times before giving up.
//!
//! # Guarantee
//! Doubles to rounding; duals exact; intervals rigorous, for the solution next to that of their midpoints.

use dyverse_num::{Dual, Interval, Mat3, Scalar, Vec3};

use super::clamp;
use crate::Polytope;

use super::linear::{Matrix, N, Vector, apply, apply_to_columns, inverse, solve, transposed};

/// τ in units of the scene.
const TAU: f64 = 1.0;
/// How often an interval is widened before giving up, and how often then narrowed.
const WIDENINGS: usize = 30;
const NARROWINGS: usize = 3;

/// A scalar on which all pairs of shapes have closest points: `f64`, `Interval`, and `Dual` of these.
///
/// It cannot be implemented elsewhere: scalars of other crates have the closed forms
/// ([`derive_closest_points`](crate::derive_closest_points)).
pub trait ContactScalar: Scalar {
    /// Do results enclose the exact ones?
    const RIGOROUS: bool;

    /// A double that stands for the number: itself, the midpoint, the value; NaN if there is none.
    fn sample(&self) -> f64;

    /// The unknowns of the equations near `start`, a solution in doubles; `None` if it cannot be verified.
    #[doc(hidden)]
    fn solve_near(system: &Optimality<Self>, start: &Vector<f64>) -> Option<Vector<Self>>;
}

/// The data of the equations, in units of the scene and seen from the ellipsoid's centre.
#[derive(Clone, Debug)]
pub struct Optimality<S> {
    /// d, to the centre of the other core.
    pub(super) between: Vec3<S>,
    pub(super) rotation: Mat3<S>,
    pub(super) semi_axes: Vec3<S>,
    pub(super) other_rotation: Mat3<S>,
    pub(super) other: OtherCore<S>,
    pub(super) shrink: S,
}

/// The other core, in its own frame and in units of the scene.
#[derive(Clone, Debug)]
pub(super) enum OtherCore<S> {
    /// By its semi-axes.
    Ellipsoid(Vec3<S>),
    /// A box, segment or point, by its half sizes.
    Box(Vec3<S>),
    /// A hull of points.
    Hull(Polytope<S>),
}

impl<S: Scalar> OtherCore<S> {
    fn map<T>(&self, f: &mut impl FnMut(&S) -> T) -> OtherCore<T> {
        match self {
            Self::Ellipsoid(sizes) => OtherCore::Ellipsoid(sizes.map(f)),
            Self::Box(sizes) => OtherCore::Box(sizes.map(f)),
            Self::Hull(solid) => OtherCore::Hull(solid.map(f)),
        }
    }

    /// The point of a core with flat faces that is nearest to a point; for an ellipsoid the point itself.
    pub(super) fn nearest(&self, local: &Vec3<S>) -> Vec3<S> {
        match self {
            Self::Ellipsoid(_) => local.clone(),
            Self::Box(sizes) => local.zip(sizes, clamp),
            Self::Hull(solid) => {
                let region = solid.region_of(local);
                let nearest = region.and_then(|region| solid.nearest_on(region, local));
                nearest.map_or_else(|| local.clone(), |nearest| nearest.point)
            }
        }
    }
}

impl<S: Scalar> Optimality<S> {
    /// The same with every number converted.
    pub(super) fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> Optimality<T> {
        Optimality {
            between: self.between.map(&mut f),
            rotation: map_matrix(&self.rotation, &mut f),
            semi_axes: self.semi_axes.map(&mut f),
            other_rotation: map_matrix(&self.other_rotation, &mut f),
            other: self.other.map(&mut f),
            shrink: f(&self.shrink),
        }
    }

    /// x(n).
    pub(super) fn on_ellipsoid(&self, n: &Vec3<S>) -> Vec3<S> {
        support(&self.rotation, &self.semi_axes, n).scale(&self.shrink)
    }

    /// z, where optimality asks it to be, given x(n).
    pub(super) fn on_other(&self, n: &Vec3<S>, distance: &S, x: &Vec3<S>) -> Vec3<S> {
        if let OtherCore::Ellipsoid(sizes) = &self.other {
            let back = support(&self.other_rotation, sizes, n).scale(&self.shrink);
            return self.between.clone() - back;
        }
        let behind = x.clone() + n.scale(&(distance.clone() - S::from_f64(TAU)));
        let local = self
            .other_rotation
            .transpose()
            .apply(&(behind - self.between.clone()));
        self.between.clone() + self.other_rotation.apply(&self.other.nearest(&local))
    }

    /// F(y).
    pub(super) fn residual(&self, y: &Vector<S>) -> Vector<S> {
        let [n_x, n_y, n_z, distance] = y.clone();
        let n = Vec3::new(n_x, n_y, n_z);
        let x = self.on_ellipsoid(&n);
        let apart = x.clone() + n.scale(&distance) - self.on_other(&n, &distance, &x);
        [apart.x, apart.y, apart.z, n.norm_squared() - S::one()]
    }

    /// The columns of F_y(y).
    pub(super) fn jacobian(&self, y: &Vector<S>) -> Matrix<S> {
        let constant = self.map(|c| Dual::constant(c.clone()));
        std::array::from_fn(|k| {
            let mut seeded = y.each_ref().map(|c| Dual::constant(c.clone()));
            seeded[k] = Dual::variable(y[k].clone());
            constant.residual(&seeded).map(|f| f.derivative)
        })
    }
}

fn map_matrix<S: Scalar, T>(matrix: &Mat3<S>, f: &mut impl FnMut(&S) -> T) -> Mat3<T> {
    Mat3 {
        rows: matrix.rows.map(|row| row.map(&mut *f)),
    }
}

/// R A² Rᵀn/|A Rᵀn|: the point of a centred ellipsoid with outward normal n.
fn support<S: Scalar>(rotation: &Mat3<S>, semi_axes: &Vec3<S>, n: &Vec3<S>) -> Vec3<S> {
    let stretched = semi_axes.zip(&rotation.transpose().apply(n), |a, c| a.clone() * c.clone());
    let reach = stretched.norm();
    rotation.apply(&semi_axes.zip(&stretched, |a, c| a.clone() * c.clone() / reach.clone()))
}

impl ContactScalar for f64 {
    const RIGOROUS: bool = false;

    fn sample(&self) -> f64 {
        *self
    }

    fn solve_near(_: &Optimality<Self>, start: &Vector<f64>) -> Option<Vector<Self>> {
        Some(*start)
    }
}

impl<S: ContactScalar> ContactScalar for Dual<S> {
    const RIGOROUS: bool = S::RIGOROUS;

    fn sample(&self) -> f64 {
        self.value.sample()
    }

    fn solve_near(system: &Optimality<Self>, start: &Vector<f64>) -> Option<Vector<Self>> {
        let values = system.map(|c| c.value.clone());
        let y = S::solve_near(&values, start)?;
        let moved = system.residual(&y.each_ref().map(|c| Dual::constant(c.clone())));
        let rates = solve(&values.jacobian(&y), &moved.map(|f| -f.derivative))?;
        let mut pairs = y.into_iter().zip(rates);
        let mut next = || pairs.next().map(|(value, rate)| Dual::new(value, rate));
        Some([next()?, next()?, next()?, next()?])
    }
}

impl ContactScalar for Interval {
    const RIGOROUS: bool = true;

    fn sample(&self) -> f64 {
        self.mid().unwrap_or(f64::NAN)
    }

    fn solve_near(system: &Optimality<Self>, start: &Vector<f64>) -> Option<Vector<Self>> {
        let middle = start.map(Interval::point);
        let sampled = system
            .jacobian(&middle)
            .each_ref()
            .map(|column| column.each_ref().map(Interval::sample));
        let c = inverse(&transposed(&sampled))?;
        let newton = apply(&c, &system.residual(&middle));
        let mut y: Vector<Interval> = std::array::from_fn(|k| widened(&(middle[k] - newton[k])));
        for _ in 0..WIDENINGS {
            let image = krawczyk(system, &c, &middle, &newton, &y);
            if (0..N).all(|k| image[k].is_interior_to(&y[k])) {
                return Some(narrowed(system, &c, &middle, &newton, image));
            }
            y = std::array::from_fn(|k| widened(&image[k].hull(&y[k])));
        }
        None
    }
}

/// A tenth wider on each side, and never a point.
fn widened(y: &Interval) -> Interval {
    let part = Interval::point(0.1 * y.width() + 1e-14 * (1.0 + y.magnitude()));
    let around = Interval::new(-1.0, 1.0).map_or(Interval::ENTIRE, |unit| unit * part);
    *y + around
}

/// K(Y).
fn krawczyk(
    system: &Optimality<Interval>,
    c: &Matrix<f64>,
    middle: &Vector<Interval>,
    newton: &Vector<Interval>,
    y: &Vector<Interval>,
) -> Vector<Interval> {
    let slopes = transposed(&apply_to_columns(c, &system.jacobian(y)));
    std::array::from_fn(|i| {
        (0..N).fold(middle[i] - newton[i], |sum, j| {
            let unit = if i == j { Interval::ONE } else { Interval::ZERO };
            sum + (unit - slopes[i][j]) * (y[j] - middle[j])
        })
    })
}

/// A few more images, each of which holds the solution again.
fn narrowed(
    system: &Optimality<Interval>,
    c: &Matrix<f64>,
    middle: &Vector<Interval>,
    newton: &Vector<Interval>,
    mut y: Vector<Interval>,
) -> Vector<Interval> {
    for _ in 0..NARROWINGS {
        let image = krawczyk(system, c, middle, newton, &y);
        y = std::array::from_fn(|k| y[k].intersect(&image[k]));
    }
    y
}
