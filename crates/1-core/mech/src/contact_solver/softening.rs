//! Proximal steps: the way to a hard problem through softer ones.
//!
//! From forces λₖ to λₖ₊₁, which solve the contacts with G + εD and b − εDλₖ, D the diagonal of G. The added
//! compliance makes forces unique and contacts act less on each other, so sweeps and Newton get there; the shift
//! makes every solution of the original problem a fixed point (Rockafellar, 1976, for monotone problems). ε is
//! halved after a success and tripled after a failure. After each step the modes are tried on the original
//! problem, which finishes as soon as they are right.
//!
//! Tried and dropped: ε alone without the shift, and friction growing from zero to μ. Both ran into points where
//! modes change and no step was small enough; on a toppling stack of thirteen boxes the proximal steps arrive
//! after sixteen.
//!
//! # Guarantee
//! Heuristic with friction. What is returned is judged by the caller on the original problem.

use super::delassus::{Delassus, Triple};
use super::newton::{DirectOutcome, solve_frozen, solve_semismooth};
use super::problem::{ContactLaw, ContactProblem};
use super::solve::SolverOptions;
use super::sorprox::Sweeper;

/// Softer problems solved at most.
const POINTS: usize = 60;
/// Sweeps at each of them before the direct methods.
const SWEEPS: usize = 50;
/// The first ε.
const FIRST_COMPLIANCE: f64 = 0.1;

/// Follows proximal steps from `start`; returns the best forces for the original problem. No more linear systems than `most` are solved.
pub(super) fn follow_softer(
    problem: &ContactProblem<'_>,
    options: &SolverOptions,
    start: &[Triple],
    most: usize,
) -> DirectOutcome {
    let mut forces = start.to_vec();
    let mut compliance = FIRST_COMPLIANCE;
    let mut best = DirectOutcome {
        residual: problem.residual(start),
        forces: start.to_vec(),
        steps: 0,
    };
    for _ in 0..POINTS {
        if best.steps >= most {
            break;
        }
        let left = most - best.steps;
        let Some(found) = solve_softer(problem, options, &forces, compliance, left) else {
            break;
        };
        best.steps += found.steps;
        if found.residual > options.residual_tolerance {
            compliance *= 3.0;
            continue;
        }
        compliance *= 0.5;
        forces = found.forces;
        let found = solve_frozen(problem, options, &forces, most.saturating_sub(best.steps));
        best.steps += found.steps;
        if found.residual < best.residual {
            best.residual = found.residual;
            best.forces = found.forces;
        }
        if best.residual <= options.residual_tolerance {
            break;
        }
    }
    best
}

/// One proximal step, as well as it can be made; `None` if the softer problem cannot be written down.
fn solve_softer(
    problem: &ContactProblem<'_>,
    options: &SolverOptions,
    forces: &[Triple],
    compliance: f64,
    most: usize,
) -> Option<DirectOutcome> {
    let delassus = softened(problem.delassus(), compliance)?;
    let shifted = |(contact, force): (usize, &Triple)| {
        let law = problem.laws()[contact];
        let added = weights(problem.delassus(), contact);
        ContactLaw {
            bias: [0, 1, 2].map(|k| law.bias[k] - compliance * added[k] * force[k]),
            ..law
        }
    };
    let softer = ContactProblem::new(&delassus, forces.iter().enumerate().map(shifted).collect()).ok()?;
    let mut sweeper = Sweeper::new(&softer, options, forces.to_vec());
    (0..SWEEPS).for_each(|_| sweeper.sweep());
    let frozen = solve_frozen(&softer, options, sweeper.forces(), most);
    if frozen.residual <= options.residual_tolerance {
        return Some(frozen);
    }
    let left = most.saturating_sub(frozen.steps);
    let mut found = solve_semismooth(&softer, options, sweeper.forces(), left);
    found.steps += frozen.steps;
    Some(found)
}

/// The diagonal D of one contact.
fn weights(delassus: &Delassus, contact: usize) -> Triple {
    let diagonal = delassus.diagonal(contact);
    [
        diagonal.normal,
        diagonal.tangential_scale,
        diagonal.tangential_scale,
    ]
}

/// G + εD as a dense operator.
fn softened(delassus: &Delassus, compliance: f64) -> Option<Delassus> {
    let count = delassus.contact_count();
    let size = 3 * count;
    let mut matrix = vec![0.0; size * size];
    for i in 0..count {
        for j in 0..count {
            for (row, entries) in delassus.block(i, j).unwrap_or_default().iter().enumerate() {
                let from = (3 * i + row) * size + 3 * j;
                matrix[from..from + 3].copy_from_slice(entries);
            }
        }
        for (row, value) in weights(delassus, i).into_iter().enumerate() {
            matrix[(3 * i + row) * (size + 1)] += compliance * value;
        }
    }
    Delassus::from_dense(count, matrix).ok()
}
