//! The equations of Newton and Euler for one entity.
//!
//! | printed | here                 | unit  |
//! |---------|----------------------|-------|
//! | m       | `mass`               | kg    |
//! | I₀      | `inertia`            | kg m² |
//! | (F, M)  | [`GeneralizedForce`] | N, N m|
//! | (v, w)  | [`GeneralizedVelocity`] | m/s, rad/s |
//!
//! m v̇ = F, I ẇ = M − w × (I w) with I = R I₀ Rᵀ, everything in the world frame and about the centre of mass
//! [SPEC §2; Goldstein, Poole, Safko 2002, §5.5].
//!
//! # Guarantee
//! That of the scalar. The inverse of I₀ is taken once, at construction.

use dyverse_num::{Mat3, Quaternion, Scalar, Vec3};

use super::EntityState;
use crate::MassProperties;

/// A force and a moment about the centre of mass, in the world frame; or an impulse and its moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralizedForce<S> {
    /// F.
    pub force: Vec3<S>,
    /// M.
    pub moment: Vec3<S>,
}

/// A velocity and an angular velocity, in the world frame; or a change, or a rate, of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralizedVelocity<S> {
    /// Of the centre of mass.
    pub linear: Vec3<S>,
    /// Of the entity's turning.
    pub angular: Vec3<S>,
}

impl<S: Scalar> GeneralizedForce<S> {
    /// No force.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            force: Vec3::zero(),
            moment: Vec3::zero(),
        }
    }

    /// A force whose line of action passes at `arm` from the centre of mass: (F, r × F).
    #[must_use]
    pub fn at(arm: &Vec3<S>, force: Vec3<S>) -> Self {
        Self {
            moment: arm.cross(&force),
            force,
        }
    }

    /// F·v + M·w: the power on a velocity, the pairing Wᵀu.
    #[must_use]
    pub fn dot(&self, velocity: &GeneralizedVelocity<S>) -> S {
        self.force.dot(&velocity.linear) + self.moment.dot(&velocity.angular)
    }

    /// The force times a number.
    #[must_use]
    pub fn scale(&self, factor: &S) -> Self {
        Self {
            force: self.force.scale(factor),
            moment: self.moment.scale(factor),
        }
    }
}

impl<S: Scalar> std::ops::Add for GeneralizedForce<S> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            force: self.force + other.force,
            moment: self.moment + other.moment,
        }
    }
}

impl<S: Scalar> GeneralizedVelocity<S> {
    /// No motion.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            linear: Vec3::zero(),
            angular: Vec3::zero(),
        }
    }
}

impl<S: Scalar> std::ops::Add for GeneralizedVelocity<S> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            linear: self.linear + other.linear,
            angular: self.angular + other.angular,
        }
    }
}

/// Mass and inertia of an entity, about its centre of mass and along the axes of its frame.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityInertia<S> {
    mass: S,
    inertia: Mat3<S>,
    inverse: Mat3<S>,
}

impl<S: Scalar> EntityInertia<S> {
    /// From m and I₀. Both are meant positive (definite): a singular I₀ has no inverse, and accelerations are
    /// then not finite.
    #[must_use]
    pub fn new(mass: S, inertia: Mat3<S>) -> Self {
        Self {
            mass,
            inverse: inertia.inverse(),
            inertia,
        }
    }

    /// From mass properties whose centroid is the origin of the entity's frame.
    #[must_use]
    pub fn from_mass_properties(properties: &MassProperties<S>) -> Self {
        Self::new(properties.mass.clone(), properties.inertia.clone())
    }

    /// m.
    #[must_use]
    pub fn mass(&self) -> &S {
        &self.mass
    }

    /// I₀.
    #[must_use]
    pub fn inertia(&self) -> &Mat3<S> {
        &self.inertia
    }

    /// I = R I₀ Rᵀ.
    #[must_use]
    pub fn inertia_in_world(&self, orientation: &Quaternion<S>) -> Mat3<S> {
        orientation.rotation_matrix().conjugate(&self.inertia)
    }

    /// I⁻¹ = R I₀⁻¹ Rᵀ.
    #[must_use]
    pub fn inverse_inertia_in_world(&self, orientation: &Quaternion<S>) -> Mat3<S> {
        orientation.rotation_matrix().conjugate(&self.inverse)
    }

    /// M⁻¹ times a generalized force: (F/m, I⁻¹ M).
    #[must_use]
    pub fn apply_inverse_mass(
        &self,
        orientation: &Quaternion<S>,
        force: &GeneralizedForce<S>,
    ) -> GeneralizedVelocity<S> {
        GeneralizedVelocity {
            linear: force.force.map(|c| c.clone() / self.mass.clone()),
            angular: turned(orientation, &self.inverse, &force.moment),
        }
    }

    /// −w × (I w), the moment that Euler's equation adds.
    #[must_use]
    pub fn gyroscopic_moment(&self, state: &EntityState<S>) -> Vec3<S> {
        self.angular_momentum(state).cross(&state.angular_velocity)
    }

    /// (v̇, ẇ) under an applied force and moment.
    #[must_use]
    pub fn acceleration(
        &self,
        state: &EntityState<S>,
        applied: &GeneralizedForce<S>,
    ) -> GeneralizedVelocity<S> {
        let total = GeneralizedForce {
            force: applied.force.clone(),
            moment: applied.moment.clone() + self.gyroscopic_moment(state),
        };
        self.apply_inverse_mass(&state.orientation, &total)
    }

    /// ½ m |v|² + ½ w·(I w).
    #[must_use]
    pub fn kinetic_energy(&self, state: &EntityState<S>) -> S {
        let half = S::from_f64(0.5);
        let turning = state.angular_velocity.dot(&self.angular_momentum(state));
        half * (self.mass.clone() * state.velocity.norm_squared() + turning)
    }

    /// m v.
    #[must_use]
    pub fn linear_momentum(&self, state: &EntityState<S>) -> Vec3<S> {
        state.velocity.scale(&self.mass)
    }

    /// I w, about the centre of mass.
    #[must_use]
    pub fn angular_momentum(&self, state: &EntityState<S>) -> Vec3<S> {
        turned(&state.orientation, &self.inertia, &state.angular_velocity)
    }
}

/// R A Rᵀ v without forming R A Rᵀ.
fn turned<S: Scalar>(orientation: &Quaternion<S>, tensor: &Mat3<S>, v: &Vec3<S>) -> Vec3<S> {
    let rotation = orientation.rotation_matrix();
    rotation.apply(&tensor.apply(&rotation.transpose().apply(v)))
}
