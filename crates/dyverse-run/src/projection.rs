//! Keeps closed contacts closed: positions, then velocities, moved onto the constraints by the least change in the metric of the mass matrix
//! [SPEC §5, METHODS 5].
//!
//! Positions: δq = M⁻¹ W_N ν with W_Nᵀ M⁻¹ W_N ν = −g_N, repeated until no gap moves. Velocities: δu = M⁻¹ W ν with Wᵀ(u + δu) = 0 over the normal
//! directions, and over the tangential ones of contacts that stick. Both are the linear system of the forces in a location, with gaps or velocities
//! in place of accelerations.

use crate::island::{Active, Evaluation, Fault, Mode, pack_all};
use crate::system::System;
use dyverse_mech::{
    ContactDirections, ContactKinematics, EntityState, InverseMass, LocationContact, LocationForces,
    LocationMode, Triple,
};
use dyverse_num::{Quaternion, Vec3};

/// Position corrections at the most: each squares the error.
const MOST_ROUNDS: usize = 4;
/// Gaps that need no correction, m, times the scale of lengths.
const CLOSE_ENOUGH: f64 = 1e-15;

/// Moves the states of `entities` onto the constraints of `active`; gives the kinetic energy it added.
pub(crate) fn project(
    system: &System<'_>,
    entities: &[usize],
    active: &[Active],
    states: &mut [EntityState<f64>],
) -> Result<f64, Fault> {
    if active.is_empty() {
        return Ok(0.0);
    }
    project_positions(system, entities, active, states)?;
    let mut at = Evaluation::default();
    let mut solver = LocationForces::new();
    evaluate(&mut at, system, entities, active, states)?;
    let before = kinetic(system, entities, states);
    let rates: Vec<_> = at
        .kinematics
        .iter()
        .zip(active)
        .map(|(k, contact)| match contact.mode {
            // A contact that begins to slip begins at rest.
            Mode::Slip(_) if !is_at_rest(system, contact, k) => frictionless([k.normal_velocity, 0.0, 0.0]),
            Mode::Stick | Mode::Slip(_) => LocationContact {
                free_acceleration: [
                    k.normal_velocity,
                    k.tangential_velocity[0],
                    k.tangential_velocity[1],
                ],
                friction: 0.0,
                mode: LocationMode::Stick,
            },
        })
        .collect();
    let pushes = solver
        .solve(&at.masses, &at.directions, &rates)
        .map_err(Fault::Forces)?
        .to_vec();
    for (state, twist) in states.iter_mut().zip(twists(&at.masses, &at.directions, &pushes)) {
        add_twist(state, &twist);
    }
    Ok(kinetic(system, entities, states) - before)
}

/// Moves positions so that the gaps of `active` are zero.
fn project_positions(
    system: &System<'_>,
    entities: &[usize],
    active: &[Active],
    states: &mut [EntityState<f64>],
) -> Result<(), Fault> {
    let mut at = Evaluation::default();
    let mut solver = LocationForces::new();
    for _ in 0..MOST_ROUNDS {
        evaluate(&mut at, system, entities, active, states)?;
        let worst = at.kinematics.iter().map(|k| k.gap.abs()).fold(0.0, f64::max);
        if worst <= CLOSE_ENOUGH * system.scales.length {
            break;
        }
        let gaps: Vec<_> = at
            .kinematics
            .iter()
            .map(|k| frictionless([k.gap, 0.0, 0.0]))
            .collect();
        let pushes = solver
            .solve(&at.masses, &at.directions, &gaps)
            .map_err(Fault::Forces)?
            .to_vec();
        for (state, twist) in states.iter_mut().zip(twists(&at.masses, &at.directions, &pushes)) {
            displace(state, &twist);
        }
    }
    Ok(())
}

fn is_at_rest(system: &System<'_>, contact: &Active, k: &ContactKinematics<f64>) -> bool {
    let [x, y] = k.tangential_velocity;
    x.hypot(y) <= system.tolerances.velocity && !system.contact(contact.contact).is_frictionless()
}

fn evaluate(
    at: &mut Evaluation,
    system: &System<'_>,
    entities: &[usize],
    active: &[Active],
    states: &[EntityState<f64>],
) -> Result<(), Fault> {
    let contacts = active.iter().map(|a| (a.contact, Some(a.reference)));
    at.unloaded(system, entities, contacts, &pack_all(states))?;
    at.free_motion(system, entities);
    Ok(())
}

fn frictionless(free_acceleration: Triple) -> LocationContact<f64> {
    LocationContact {
        free_acceleration,
        friction: 0.0,
        mode: LocationMode::Slip {
            direction: [1.0, 0.0],
        },
    }
}

/// M⁻¹Wν by entity.
fn twists(
    masses: &[InverseMass<f64>],
    directions: &[ContactDirections<f64>],
    pushes: &[Triple],
) -> Vec<[f64; 6]> {
    let mut total = vec![[0.0; 6]; masses.len()];
    for (contact, push) in directions.iter().zip(pushes) {
        for side in [&contact.first, &contact.second].into_iter().flatten() {
            for (column, size) in side.columns.iter().zip(push) {
                for (sum, c) in total[side.entity.0].iter_mut().zip(column) {
                    *sum += c * size;
                }
            }
        }
    }
    total.iter().zip(masses).map(|(f, mass)| mass.apply(f)).collect()
}

/// Moves and turns an entity by a small twist.
fn displace(state: &mut EntityState<f64>, twist: &[f64; 6]) {
    state.position = state.position + Vec3::new(twist[0], twist[1], twist[2]);
    let q = state.orientation;
    let turn = Quaternion {
        w: 1.0,
        x: 0.5 * twist[3],
        y: 0.5 * twist[4],
        z: 0.5 * twist[5],
    };
    state.orientation = (turn * q).normalized();
}

/// Adds a change of velocities.
pub(crate) fn add_twist(state: &mut EntityState<f64>, twist: &[f64; 6]) {
    state.velocity = state.velocity + Vec3::new(twist[0], twist[1], twist[2]);
    state.angular_velocity = state.angular_velocity + Vec3::new(twist[3], twist[4], twist[5]);
}

/// The kinetic energy of some entities.
pub(crate) fn kinetic(system: &System<'_>, entities: &[usize], states: &[EntityState<f64>]) -> f64 {
    entities
        .iter()
        .zip(states)
        .map(|(e, state)| system.bodies[*e].inertia.kinetic_energy(state))
        .sum()
}
