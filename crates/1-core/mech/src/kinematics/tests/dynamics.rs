//! Newton and Euler: energy and momenta, along free motions and through impacts.

use dyverse_num::{Dual, Mat3, Scalar, Vec3};

use super::random::{Random, all_pairs, coast};
use crate::{EntityInertia, EntityState, GeneralizedForce, Placement, Shape, ShapeKind, mass_properties};

fn inertia(rng: &mut Random) -> EntityInertia<f64> {
    let shape = rng.shape(ShapeKind::Ellipsoid, 5.0);
    let own = mass_properties(&shape, &rng.between(0.5, 3.0)).unwrap();
    let turned = rng.orientation().rotation_matrix().conjugate(&own.inertia);
    EntityInertia::new(own.mass, turned)
}

/// The state moving under a force: every number with its rate.
fn moving(
    inertia: &EntityInertia<f64>,
    state: &EntityState<f64>,
    force: &GeneralizedForce<f64>,
) -> (EntityInertia<Dual<f64>>, EntityState<Dual<f64>>) {
    let rate = inertia.acceleration(state, force);
    let mut moving = state.coasting();
    moving.velocity = state.velocity.zip(&rate.linear, |a, b| Dual::new(*a, *b));
    moving.angular_velocity = state
        .angular_velocity
        .zip(&rate.angular, |a, b| Dual::new(*a, *b));
    let rows = inertia.inertia().rows.map(|row| row.map(|c| Dual::constant(*c)));
    (
        EntityInertia::new(Dual::constant(*inertia.mass()), Mat3 { rows }),
        moving,
    )
}

/// The derivatives of energy and momenta are the power, the force and the moment; so zero when free.
#[test]
fn energy_and_momenta_change_by_what_is_applied() {
    let mut rng = Random(31);
    for i in 0..3_000 {
        let (inertia, state) = (inertia(&mut rng), rng.state(2.0));
        let force = if i % 2 == 0 {
            GeneralizedForce::zero()
        } else {
            GeneralizedForce {
                force: rng.vec3(3.0),
                moment: rng.vec3(3.0),
            }
        };
        let (carried, moving) = moving(&inertia, &state, &force);
        let power = force.dot(&state.generalized_velocity());
        let tolerance = 1e-13 * (1.0 + inertia.kinetic_energy(&state));
        assert!((carried.kinetic_energy(&moving).derivative - power).abs() < tolerance);
        let spin = carried.angular_momentum(&moving).map(|c| c.derivative);
        assert!((spin - force.moment).norm() < tolerance);
        let push = carried.linear_momentum(&moving).map(|c| c.derivative);
        assert!((push - force.force).norm() < tolerance);
        let inverse = inertia.inverse_inertia_in_world(&state.orientation);
        let error = inertia.inertia_in_world(&state.orientation) * inverse - Mat3::identity();
        assert!(error.rows.coordinates().iter().all(|row| row.norm() < 1e-12));
    }
}

/// Change of kinetic energy in an impact = ½ Λᵀ(dg⁺ + dg⁻), for any impulse.
#[test]
fn impulses_change_the_energy_by_half_their_power() {
    let mut rng = Random(32);
    for kinds in all_pairs() {
        for i in 0..100 {
            let (pair, mut one, two) = rng.contact(kinds, 3.0, 0.0);
            let fixed = i % 3 == 0;
            if fixed {
                one = EntityState::at_rest(one.placement());
            }
            let (mass_1, mass_2) = (inertia(&mut rng), inertia(&mut rng));
            let before = pair.kinematics(&one, &two).unwrap();
            let impulse = rng.vec3(2.0); // Λ_N, Λ_Tx, Λ_Ty
            let [x, y] = before.tangential_columns();
            let columns = [before.normal_column(), x, y];
            let sum = |pick: fn(&crate::ContactColumn<f64>) -> GeneralizedForce<f64>| {
                columns
                    .iter()
                    .zip(impulse.coordinates())
                    .fold(GeneralizedForce::zero(), |sum, (column, size)| {
                        sum + pick(column).scale(size)
                    })
            };
            let after_push = |state: &EntityState<f64>, mass: &EntityInertia<f64>, push| {
                let change = mass.apply_inverse_mass(&state.orientation, &push);
                let mut after = *state;
                after.velocity = after.velocity + change.linear;
                after.angular_velocity = after.angular_velocity + change.angular;
                after
            };
            let one_after = if fixed {
                one
            } else {
                after_push(&one, &mass_1, sum(|c| c.first))
            };
            let two_after = after_push(&two, &mass_2, sum(|c| c.second));
            let after = pair.kinematics(&one_after, &two_after).unwrap();
            let energy = |one: &EntityState<f64>, two: &EntityState<f64>| {
                mass_1.kinetic_energy(one) + mass_2.kinetic_energy(two)
            };
            let mean = |a: f64, b: f64| 0.5 * (a + b);
            let work = impulse.x * mean(before.normal_velocity, after.normal_velocity)
                + impulse.y * mean(before.tangential_velocity[0], after.tangential_velocity[0])
                + impulse.z * mean(before.tangential_velocity[1], after.tangential_velocity[1]);
            let total = energy(&one_after, &two_after);
            let error = total - energy(&one, &two) - work;
            assert!(error.abs() < 1e-12 * (1.0 + total), "{kinds:?}: {error:e}");
        }
    }
}

/// q̇ = ½ w q against the exact turn.
#[test]
fn orientation_rate_is_the_derivative_of_the_turn() {
    let mut rng = Random(33);
    for _ in 0..500 {
        let state = rng.state(1.0);
        let h = 1e-5;
        let (after, before) = (coast(&state, h).orientation, coast(&state, -h).orientation);
        let rate = state.orientation_rate();
        for (a, b, r) in [
            (after.w, before.w, rate.w),
            (after.x, before.x, rate.x),
            (after.y, before.y, rate.y),
            (after.z, before.z, rate.z),
        ] {
            assert!(((a - b) / (2.0 * h) - r).abs() < 1e-9);
        }
        let still = state.derivative(&crate::GeneralizedVelocity::zero());
        assert_eq!((still.position, still.velocity), (state.velocity, Vec3::zero()));
    }
}

#[test]
fn mass_properties_become_an_inertia() {
    let ball = Shape::Sphere { radius: 2.0 };
    let own = mass_properties(&ball, &1.0).unwrap();
    let inertia = EntityInertia::from_mass_properties(&own);
    let state = EntityState {
        angular_velocity: Vec3::new(0.0, 0.0, 3.0),
        ..EntityState::at_rest(Placement::identity())
    };
    let expected = 0.4 * inertia.mass() * 4.0; // 2/5 m r²
    assert!((inertia.angular_momentum(&state).z - 3.0 * expected).abs() < 1e-12 * expected);
    assert_eq!(inertia.gyroscopic_moment(&state).norm(), f64::zero());
}
