//! The state of an entity and how it changes.
//!
//! | printed | here               | unit  |
//! |---------|--------------------|-------|
//! | c       | `position`         | m     |
//! | q       | `orientation`      | 1     |
//! | v       | `velocity`         | m/s   |
//! | w       | `angular_velocity` | rad/s |
//!
//! All in the world frame; c is the centre of mass. Then ċ = v and q̇ = ½ w q, where w is read as the
//! quaternion 0 + w_x i + w_y j + w_z k [SPEC §2; Goldstein, Poole, Safko 2002, §4.5 and §4.9].
//!
//! # Guarantee
//! That of the scalar. q̇ is orthogonal to q, so |q| is kept by exact integration and drifts only by the
//! integrator's error.

use dyverse_num::{Dual, Quaternion, Scalar, Vec3};

use super::GeneralizedVelocity;
use crate::Placement;

/// Where an entity is and how it moves, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityState<S> {
    /// Position c of the centre of mass.
    pub position: Vec3<S>,
    /// Orientation q; meant to have unit length.
    pub orientation: Quaternion<S>,
    /// Velocity v of the centre of mass.
    pub velocity: Vec3<S>,
    /// Angular velocity w.
    pub angular_velocity: Vec3<S>,
}

/// The time derivative of an [`EntityState`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityStateDerivative<S> {
    /// ċ = v.
    pub position: Vec3<S>,
    /// q̇ = ½ w q.
    pub orientation: Quaternion<S>,
    /// v̇.
    pub velocity: Vec3<S>,
    /// ẇ.
    pub angular_velocity: Vec3<S>,
}

impl<S: Scalar> EntityState<S> {
    /// An entity that does not move: the state of every fixed entity.
    #[must_use]
    pub fn at_rest(placement: Placement<S>) -> Self {
        Self {
            position: placement.position,
            orientation: placement.orientation,
            velocity: Vec3::zero(),
            angular_velocity: Vec3::zero(),
        }
    }

    /// Where the entity's frame is.
    #[must_use]
    pub fn placement(&self) -> Placement<S> {
        Placement {
            position: self.position.clone(),
            orientation: self.orientation.clone(),
        }
    }

    /// (v, w).
    #[must_use]
    pub fn generalized_velocity(&self) -> GeneralizedVelocity<S> {
        GeneralizedVelocity {
            linear: self.velocity.clone(),
            angular: self.angular_velocity.clone(),
        }
    }

    /// q̇ = ½ w q.
    #[must_use]
    pub fn orientation_rate(&self) -> Quaternion<S> {
        let w = &self.angular_velocity;
        let spin = Quaternion::new(S::zero(), w.x.clone(), w.y.clone(), w.z.clone());
        let half = S::from_f64(0.5);
        (spin * self.orientation.clone()).map(|c| half.clone() * c.clone())
    }

    /// How the state changes when v̇ and ẇ are these.
    #[must_use]
    pub fn derivative(&self, acceleration: &GeneralizedVelocity<S>) -> EntityStateDerivative<S> {
        EntityStateDerivative {
            position: self.velocity.clone(),
            orientation: self.orientation_rate(),
            velocity: acceleration.linear.clone(),
            angular_velocity: acceleration.angular.clone(),
        }
    }

    /// The state with its time derivative for v̇ = 0, ẇ = 0: what the biases w_a are taken along.
    #[must_use]
    pub fn coasting(&self) -> EntityState<Dual<S>> {
        let moving = |at: &S, rate: &S| Dual::new(at.clone(), rate.clone());
        let (q, rate) = (&self.orientation, self.orientation_rate());
        EntityState {
            position: self.position.zip(&self.velocity, moving),
            orientation: Quaternion::new(
                moving(&q.w, &rate.w),
                moving(&q.x, &rate.x),
                moving(&q.y, &rate.y),
                moving(&q.z, &rate.z),
            ),
            velocity: self.velocity.map(|c| Dual::constant(c.clone())),
            angular_velocity: self.angular_velocity.map(|c| Dual::constant(c.clone())),
        }
    }

    /// The same with every number converted.
    pub fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> EntityState<T> {
        EntityState {
            position: self.position.map(&mut f),
            orientation: self.orientation.map(&mut f),
            velocity: self.velocity.map(&mut f),
            angular_velocity: self.angular_velocity.map(f),
        }
    }

    /// Velocity of the point of the entity at c + `arm`: v + w × r.
    #[must_use]
    pub fn velocity_at(&self, arm: &Vec3<S>) -> Vec3<S> {
        self.velocity.clone() + self.angular_velocity.cross(arm)
    }
}
