//! Keeps closed contacts closed: positions, then velocities, moved onto the constraints by the least change in the metric of the mass matrix
//! [SPEC §5, METHODS 5].
//!
//! Positions: δq = M⁻¹ W_N ν with W_Nᵀ M⁻¹ W_N ν = −g_N, repeated until no gap moves. Velocities: δu = M⁻¹ W ν with Wᵀ(u + δu) = 0 over the normal
//! directions, and over the tangential ones of contacts that stick. Both are the linear system of the forces in a location, with gaps or velocities
//! in place of accelerations.

use crate::couples::{CoupleAt, Turning};
use crate::island::{Active, Evaluation, Fault, pack_all};
use crate::system::System;
use dyverse_mech::law::{CoupleRow, FrozenLaw, Operator, Row, Terms, Work, pushed};
use dyverse_mech::{ContactKinematics, EntityState, Triple};
use dyverse_model::EntityId;
use dyverse_num::{Quaternion, Vec3};

/// Position corrections at the most: each squares the error.
const MOST_ROUNDS: usize = 4;
/// Gaps that need no correction, m, times the scale of lengths.
const CLOSE_ENOUGH: f64 = 1e-15;
/// A correction of gaps that is more than rounding may press other contacts together, m, times the scale of lengths.
pub(crate) const PRESSES: f64 = 1e-13;

/// What a projection did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Projected {
    /// The kinetic energy it added, J.
    pub(crate) work: f64,
    /// The largest gap before it, m.
    pub(crate) gap: f64,
}

/// Moves the states of `entities` onto the constraints of `active`.
pub(crate) fn project(
    system: &System<'_>,
    entities: &[EntityId],
    active: &[Active],
    states: &mut [EntityState<f64>],
) -> Result<Projected, Fault> {
    if active.is_empty() {
        return Ok(Projected::default());
    }
    let gap = project_positions(system, entities, active, states)?;
    let mut at = Evaluation::default();
    evaluate(&mut at, system, entities, active, states)?;
    let couples: Vec<_> = at
        .couples
        .iter()
        .map(|c| c.row_at_rest(&active[c.of].turning))
        .collect();
    let before = kinetic(system, entities, states);
    let rates = at.kinematics.iter().zip(active).map(|(k, contact)| {
        let [x, y] = k.tangential_velocity;
        let row = match contact.slides {
            // A contact that begins to slip begins at rest.
            Some(_) if !is_at_rest(system, contact, k) => Row::Smooth,
            None | Some(_) => Row::Stick,
        };
        ([k.normal_velocity, x, y], row)
    });
    let twists = least_twists(&at, rates, &couples, &mut Work::new())?;
    for (state, twist) in states.iter_mut().zip(twists) {
        add_twist(state, &twist);
    }
    let work = kinetic(system, entities, states) - before;
    Ok(Projected { work, gap })
}

/// What brings the contacts of an evaluation to rest in their normal directions, and those with friction that slip no faster than `slow` across them, by the least change of velocities: impulses by contact
/// (and by couple, where what neither rolls nor spins is to keep so), and what they do to each entity.
pub(crate) fn resting(
    system: &System<'_>,
    at: &Evaluation,
    slow: f64,
    keeps_turns: bool,
) -> Result<(Vec<Triple>, Vec<[f64; 6]>), Fault> {
    let rates = at.kinematics.iter().zip(&at.ids).map(|(k, id)| {
        let [x, y] = k.tangential_velocity;
        let sticks = x.hypot(y) <= slow && !system.contact(*id).is_frictionless();
        let row = if sticks { Row::Stick } else { Row::Smooth };
        ([k.normal_velocity, x, y], row)
    });
    let still = system.tolerances.velocity;
    let couples = at.couples.iter();
    let couples: Vec<_> = couples
        .map(|c| {
            if keeps_turns {
                c.row_at_rest(&Turning::of_rates(&c.data, c.rates, still))
            } else {
                c.row_without()
            }
        })
        .collect();
    let mut work = Work::new();
    let twists = least_twists(at, rates, &couples, &mut work)?;
    Ok((work.forces().to_vec(), twists))
}

/// What brings contacts that all stick to rest, their entities having some twists: the change of each.
pub(crate) fn stopped(at: &Evaluation, twists: &[[f64; 6]]) -> Result<Vec<[f64; 6]>, Fault> {
    let rates = at.directions.iter().take(at.kinematics.len()).map(|directions| {
        let mut rates = [0.0; 3];
        for side in [&directions.first, &directions.second].into_iter().flatten() {
            for (rate, column) in rates.iter_mut().zip(&side.columns) {
                *rate += column
                    .iter()
                    .zip(&twists[side.entity.0])
                    .map(|(c, u)| c * u)
                    .sum::<f64>();
            }
        }
        (rates, Row::Stick)
    });
    let couples: Vec<_> = at.couples.iter().map(CoupleAt::row_without).collect();
    least_twists(at, rates, &couples, &mut Work::new())
}

/// Moves positions so that the gaps of `active` are zero; gives the largest before it.
pub(crate) fn project_positions(
    system: &System<'_>,
    entities: &[EntityId],
    active: &[Active],
    states: &mut [EntityState<f64>],
) -> Result<f64, Fault> {
    let mut at = Evaluation::default();
    let mut work = Work::new();
    let mut first = None;
    for _ in 0..MOST_ROUNDS {
        evaluate(&mut at, system, entities, active, states)?;
        let worst = at.kinematics.iter().map(|k| k.gap.abs()).fold(0.0, f64::max);
        first.get_or_insert(worst);
        if worst <= CLOSE_ENOUGH * system.scales.length {
            break;
        }
        let gaps = at.kinematics.iter().map(|k| ([k.gap, 0.0, 0.0], Row::Smooth));
        let couples: Vec<_> = at.couples.iter().map(CoupleAt::row_without).collect();
        let twists = least_twists(&at, gaps, &couples, &mut work)?;
        for (state, twist) in states.iter_mut().zip(twists) {
            displace(state, &twist);
        }
    }
    Ok(first.unwrap_or(0.0))
}

fn is_at_rest(system: &System<'_>, contact: &Active, k: &ContactKinematics<f64>) -> bool {
    let [x, y] = k.tangential_velocity;
    x.hypot(y) <= system.tolerances.velocity && !system.contact(contact.contact).is_frictionless()
}

fn evaluate(
    at: &mut Evaluation,
    system: &System<'_>,
    entities: &[EntityId],
    active: &[Active],
    states: &[EntityState<f64>],
) -> Result<(), Fault> {
    let contacts = active.iter().map(|a| (a.contact, Some(a.reference)));
    at.unloaded(system, entities, contacts, &pack_all(states))?;
    at.free_motion(system, entities);
    Ok(())
}

/// M⁻¹Wν by entity, for the ν that makes what rows hold zero.
fn least_twists(
    at: &Evaluation,
    contacts: impl Iterator<Item = (Triple, Row<[f64; 2]>)>,
    couples: &[CoupleRow<f64>],
    work: &mut Work<f64>,
) -> Result<Vec<[f64; 6]>, Fault> {
    let friction = 0.0;
    let (terms, rows): (Vec<_>, Vec<_>) = contacts
        .map(|(bias, row)| (Terms { bias, friction }, row))
        .unzip();
    let (masses, directions) = (&at.masses, &at.directions);
    let law = FrozenLaw {
        operator: Operator::Columns { masses, directions },
        terms: &terms,
        rows: &rows,
        couples,
    };
    let pushes = law.least_norm(work).map_err(Fault::Forces)?;
    let total = pushed(masses.len(), directions, pushes);
    Ok(total.iter().zip(masses).map(|(f, mass)| mass.apply(f)).collect())
}

/// Moves and turns an entity by a small twist.
pub(crate) fn displace(state: &mut EntityState<f64>, twist: &[f64; 6]) {
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
pub(crate) fn kinetic(system: &System<'_>, entities: &[EntityId], states: &[EntityState<f64>]) -> f64 {
    entities
        .iter()
        .zip(states)
        .map(|(e, state)| system.bodies[*e].inertia.kinetic_energy(state))
        .sum()
}
