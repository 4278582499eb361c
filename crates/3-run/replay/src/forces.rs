//! The forces of a location, by elimination [SPEC §2 "Forces in a location"].
//!
//! γ = WᵀM⁻¹(h + W λ) + w_a is zero in the normal direction of each closed contact, and in all three where it sticks; where it slips, λ_T = −μ λ_N d with d the direction of the slip.
//! Rolling and spinning friction (`couples.rs`): what turns has its couple with the normal column, what is held is one more row and unknown each.
//! Gaussian elimination with whole pivoting. Where contacts are redundant the forces are the shortest ones (SPEC: by pseudo-inverse), each weighted with the root of its own entry of G so that units do
//! not matter; or those nearest to forces that the last contact node gave. With friction of contacts that slip, another choice is another motion.

use crate::bodies::{Bodies, States, When};
use crate::couples::{Turns, biases, couple_column, frame, rates};
use dyverse_machine::FrictionMode;
use dyverse_mech::{ContactColumn, ContactKinematics, GeneralizedVelocity};
use dyverse_num::Vec3;

/// Pivots below this part of the largest are zero.
const SINGULAR: f64 = 1e-10;

/// The smallest bound of a couple by which it is measured, in arms of the contact.
const LEAST_BOUND: f64 = 1e-3;

/// How a closed contact stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stand {
    pub(crate) touch: usize,
    pub(crate) mode: FrictionMode,
    /// The direction of the slip, in the contact's tangents, where the velocity does not tell.
    pub(crate) direction: Option<[f64; 2]>,
    /// The forces that those of redundant contacts stay near to; zero for the shortest.
    pub(crate) near: [f64; 3],
    /// How it rolls and spins.
    pub(crate) turns: Turns,
}

/// Forces and accelerations.
#[derive(Clone, Debug)]
pub(crate) struct Forces {
    /// λ_N, λ_T of each closed contact.
    pub(crate) forces: Vec<[f64; 3]>,
    /// M_s, M_r of each, N m: of what is held.
    pub(crate) couples: Vec<[f64; 3]>,
    pub(crate) accelerations: Vec<GeneralizedVelocity<f64>>,
    pub(crate) is_redundant: bool,
}

/// One unknown: the contact and the column of W that it pushes along.
struct Unknown {
    contact: usize,
    column: ContactColumn<f64>,
    /// That of its own direction: of the normal where it slips.
    own: ContactColumn<f64>,
    /// Its parts along normal and tangents.
    parts: [f64; 3],
    /// The component of the couple that it is, if it is one.
    turn: Option<usize>,
    /// The bound of a couple for a unit of the normal force that it is measured by, m; else 1.
    bound: f64,
}

/// The forces of closed contacts; `None` where a contact has no kinematics, or a slip no direction.
pub(crate) fn forces(
    bodies: &Bodies<'_>,
    when: When,
    states: &States,
    closed: &[Stand],
    slow: f64,
) -> Option<Forces> {
    let mut accelerations = bodies.free_accelerations(when, states);
    let mut unknowns = Vec::new();
    // What must be zero: the contact, the column, and its bias.
    let mut rows: Vec<(usize, ContactColumn<f64>, f64)> = Vec::new();
    let mut turns = Vec::new();
    for (number, stand) in closed.iter().enumerate() {
        let k = bodies.kinematics(stand.touch, states)?;
        let (normal, tangents) = (k.normal_column(), k.tangential_columns());
        rows.push((number, normal, k.normal_bias));
        // What turns has its couple with its normal force.
        let turning = turning_column(bodies, stand, states, &k, slow);
        if let Some(lengths) = bodies.touches[stand.touch].couple {
            let spins = stand.turns.spin.is_none() && lengths.spin > 0.0;
            let rolls = stand.turns.roll.is_none() && lengths.roll > 0.0;
            let bias = biases(bodies, stand.touch, states, &k);
            for (turn, direction) in frame(&k).iter().enumerate() {
                let is_held = if turn == 0 { spins } else { rolls };
                if is_held {
                    let column = couple_column(direction);
                    // A couple counts as the normal force that would bear it.
                    let rho = if turn == 0 { lengths.spin } else { lengths.roll };
                    let length = rates(bodies, stand.touch, states, &k).1;
                    let held = unknown(number, (column, normal), [0.0; 3]);
                    let held = Unknown {
                        bound: rho.max(LEAST_BOUND * length),
                        turn: Some(turn),
                        ..held
                    };
                    turns.push((held, (number, column, bias[turn])));
                }
            }
        }
        let [x, y] = k.tangential_velocity;
        let speed = x.hypot(y);
        if stand.mode == FrictionMode::Stick && bodies.friction(stand.touch, 0.0, (when, states)) > 0.0 {
            unknowns.push(unknown(number, (sum(normal, turning), normal), [1.0, 0.0, 0.0]));
            for (axis, column) in tangents.into_iter().enumerate() {
                let mut parts = [0.0; 3];
                parts[axis + 1] = 1.0;
                unknowns.push(unknown(number, (column, column), parts));
                rows.push((number, column, k.tangential_bias[axis]));
            }
            continue;
        }
        let mu = bodies.friction_of_slip(stand.touch, speed, (when, states));
        let [dx, dy] = if mu == 0.0 {
            [0.0, 0.0]
        } else if speed > slow {
            [x / speed, y / speed]
        } else {
            stand.direction?
        };
        let parts = [1.0, -mu * dx, -mu * dy];
        unknowns.push(unknown(number, (sum(mixed(&k, parts), turning), normal), parts));
    }
    for (unknown, row) in turns {
        unknowns.push(unknown);
        rows.push(row);
    }
    let ends = |contact: usize| bodies.touches[closed[contact].touch].ends;
    let size = unknowns.len();
    // What each unknown does to its two entities.
    let pushes: Vec<_> = unknowns
        .iter()
        .map(|unknown| {
            let (c, d) = ends(unknown.contact);
            (
                bodies.pushed(c, states, &unknown.column.first),
                bodies.pushed(d, states, &unknown.column.second),
            )
        })
        .collect();
    // (rows | right-hand side)
    let mut matrix = vec![vec![0.0; size + 1]; rows.len()];
    for (i, (contact, row, bias)) in rows.iter().enumerate() {
        let (a, b) = ends(*contact);
        matrix[i][size] = -(row.dot(&accelerations[a], &accelerations[b]) + bias);
        for (j, (unknown, (first, second))) in unknowns.iter().zip(&pushes).enumerate() {
            let (c, d) = ends(unknown.contact);
            let of = |entity: usize| {
                let mut sum = GeneralizedVelocity::zero();
                if entity == c {
                    sum = sum + *first;
                }
                if entity == d {
                    sum = sum + *second;
                }
                sum
            };
            matrix[i][j] = row.dot(&of(a), &of(b));
        }
    }
    let weights: Vec<f64> = unknowns
        .iter()
        .map(|unknown| {
            let (a, b) = ends(unknown.contact);
            let own = unknown.own;
            let (first, second) = (
                bodies.pushed(a, states, &own.first),
                bodies.pushed(b, states, &own.second),
            );
            let size = own.dot(&first, &second);
            let size = if size > 0.0 { size.sqrt() } else { 1.0 };
            size / unknown.bound
        })
        .collect();
    let start: Vec<f64> = unknowns
        .iter()
        .map(|unknown| {
            if unknown.turn.is_some() {
                return 0.0;
            }
            let place = if unknown.parts[0] == 1.0 {
                0
            } else {
                1 + usize::from(unknown.parts[1] == 0.0)
            };
            closed[unknown.contact].near[place]
        })
        .collect();
    for line in &mut matrix {
        let known: f64 = line[..size].iter().zip(&start).map(|(g, y)| g * y).sum();
        line[size] -= known;
    }
    let (mut solution, is_redundant) = shortest(matrix, &weights);
    solution.iter_mut().zip(start).for_each(|(x, y)| *x += y);
    let mut found = vec![[0.0; 3]; closed.len()];
    let mut couples = vec![[0.0; 3]; closed.len()];
    for (unknown, value) in unknowns.iter().zip(&solution) {
        if let Some(turn) = unknown.turn {
            couples[unknown.contact][turn] = *value;
        }
        for (own, part) in found[unknown.contact].iter_mut().zip(unknown.parts) {
            *own += part * value;
        }
        let (a, b) = ends(unknown.contact);
        for (entity, push) in [(a, &unknown.column.first), (b, &unknown.column.second)] {
            accelerations[entity] = accelerations[entity] + bodies.pushed(entity, states, &push.scale(value));
        }
    }
    Some(Forces {
        forces: found,
        couples,
        accelerations,
        is_redundant,
    })
}

fn unknown(
    contact: usize,
    (column, own): (ContactColumn<f64>, ContactColumn<f64>),
    parts: [f64; 3],
) -> Unknown {
    Unknown {
        contact,
        column,
        own,
        parts,
        turn: None,
        bound: 1.0,
    }
}

fn sum(a: ContactColumn<f64>, b: ContactColumn<f64>) -> ContactColumn<f64> {
    ContactColumn {
        first: a.first + b.first,
        second: a.second + b.second,
    }
}

/// The couple of what turns, for a unit of λ_N.
fn turning_column(
    bodies: &Bodies<'_>,
    stand: &Stand,
    states: &States,
    k: &ContactKinematics<f64>,
    slow: f64,
) -> ContactColumn<f64> {
    let mut moment = Vec3::zero();
    if let Some(lengths) = bodies.touches[stand.touch].couple {
        let ([_, x, y], length) = rates(bodies, stand.touch, states, k);
        let speed = x.hypot(y);
        let [n, tx, ty] = frame(k);
        if let Some(sign) = stand.turns.spin {
            moment = moment - n.scale(&(lengths.spin * sign));
        }
        if let Some(told) = stand.turns.roll {
            let [dx, dy] = if speed * length > slow {
                [x / speed, y / speed]
            } else {
                told
            };
            moment = moment - (tx.scale(&dx) + ty.scale(&dy)).scale(&lengths.roll);
        }
    }
    couple_column(&moment)
}

/// The column of a force with these parts along normal and tangents.
pub(crate) fn mixed(k: &ContactKinematics<f64>, parts: [f64; 3]) -> ContactColumn<f64> {
    let direction =
        k.normal.scale(&parts[0]) + k.tangents[0].scale(&parts[1]) + k.tangents[1].scale(&parts[2]);
    k.column(&direction)
}

/// The solution of the equations (rows and unknowns in the same order, with these weights) that is shortest, and whether it is one of many: y = Rᵀ (R Rᵀ)⁻¹ c over the rows R that are independent.
fn shortest(mut matrix: Vec<Vec<f64>>, weights: &[f64]) -> (Vec<f64>, bool) {
    let size = weights.len();
    for (row, own) in matrix.iter_mut().zip(weights) {
        for (value, weight) in row.iter_mut().zip(weights) {
            *value /= own * weight;
        }
        row[size] /= own;
    }
    let (mut found, rows) = eliminated(matrix.clone(), size);
    let is_redundant = rows.len() < size;
    if is_redundant {
        let dot = |a: &[f64], b: &[f64]| a[..size].iter().zip(&b[..size]).map(|(x, y)| x * y).sum::<f64>();
        let gram = rows.iter().map(|i| {
            let products = rows.iter().map(|j| dot(&matrix[*i], &matrix[*j]));
            products.chain([matrix[*i][size]]).collect()
        });
        let (z, _) = eliminated(gram.collect(), rows.len());
        found = (0..size)
            .map(|j| rows.iter().zip(&z).map(|(i, z)| matrix[*i][j] * z).sum())
            .collect();
    }
    found.iter_mut().zip(weights).for_each(|(x, weight)| *x /= weight);
    (found, is_redundant)
}

/// A solution of the equations, and the rows that are independent.
fn eliminated(mut matrix: Vec<Vec<f64>>, size: usize) -> (Vec<f64>, Vec<usize>) {
    let rows = matrix.len();
    let mut columns: Vec<usize> = (0..size).collect();
    let mut order: Vec<usize> = (0..rows).collect();
    let (mut rank, mut largest) = (0, 0.0_f64);
    while rank < rows.min(size) {
        let (mut row, mut column, mut best) = (rank, rank, 0.0);
        for (i, line) in matrix.iter().enumerate().skip(rank) {
            for (j, place) in columns.iter().enumerate().skip(rank) {
                if line[*place].abs() > best {
                    (row, column, best) = (i, j, line[*place].abs());
                }
            }
        }
        largest = largest.max(best);
        if best <= SINGULAR * largest {
            break;
        }
        matrix.swap(rank, row);
        order.swap(rank, row);
        columns.swap(rank, column);
        let (done, below) = matrix.split_at_mut(rank + 1);
        let pivot_row = &done[rank];
        for line in below {
            let factor = line[columns[rank]] / pivot_row[columns[rank]];
            if factor != 0.0 {
                line.iter_mut().zip(pivot_row).for_each(|(x, p)| *x -= factor * p);
            }
        }
        rank += 1;
    }
    let mut solution = vec![0.0; size];
    for step in (0..rank).rev() {
        let line = &matrix[step];
        let known: f64 = columns[step + 1..rank]
            .iter()
            .map(|c| line[*c] * solution[*c])
            .sum();
        solution[columns[step]] = (line[size] - known) / line[columns[step]];
    }
    order.truncate(rank);
    (solution, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_by_hand() {
        // x + y = 3, x − y = 1.
        let (found, many) = shortest(vec![vec![1.0, 1.0, 3.0], vec![1.0, -1.0, 1.0]], &[1.0, 1.0]);
        assert!((found[0] - 2.0).abs() < 1e-14 && (found[1] - 1.0).abs() < 1e-14 && !many);
        // The same equation twice: the shortest of many.
        let (found, many) = shortest(vec![vec![2.0, 2.0, 4.0], vec![2.0, 2.0, 4.0]], &[1.0, 1.0]);
        assert!((found[0] - 1.0).abs() < 1e-14 && (found[1] - 1.0).abs() < 1e-14 && many);
        assert_eq!(shortest(Vec::new(), &[]), (Vec::new(), false));
    }
}
