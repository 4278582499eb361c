//! The guards of closed contacts, as functions crossed from above.
//!
//! # Guards of a closed contact [SPEC §3]
//! | guard | function, crossed from above |
//! |---|---|
//! | it opens: λ_N < 0 | λ_N + ε |
//! | a sticking one breaks away: |λ_T| > μ λ_N | (μ λ_N + ε′)² − |λ_T|² |
//! | a slipping one stops: dg_T = 0 | dg_T·e, e its direction at the start of the step |
//!
//! | it does not slip slowly any more | 1 − |dg_T| / (10 v), v the speed below which it does |
//!
//! The last is also that of a contact without friction that is at rest: it is named so until it moves.
//!
//! with ε the force tolerance, and ε′ that and what the contact node needs to see a contact move. Where dg_T·e crosses zero and dg_T is not zero, the contact slips on in a
//! new direction.

use crate::island::{Active, Evaluation, Mode};
use crate::system::System;

/// Guards of a closed contact.
pub(crate) const GUARDS: usize = 3;

/// The guards of a contact of a location whose right-hand side was evaluated last.
pub(crate) fn guards(
    system: &System<'_>,
    at: &Evaluation,
    active: &[Active],
    number: usize,
) -> [f64; GUARDS] {
    let tolerance = system.tolerances.force;
    let [normal, x, y] = at.forces[number];
    let [u, v] = at.kinematics[number].tangential_velocity;
    // The force beyond the limit of friction at which the contact node sees a contact move: there the guard is crossed for good.
    let excess = 4.0 * system.still() / at.tangential_mobility(number);
    let friction = match active[number].mode {
        Mode::Stick => {
            let limit = at.friction[number] * normal + tolerance + excess;
            limit * limit.abs() - (x * x + y * y)
        }
        Mode::Slip(start) => u * start[0] + v * start[1],
    };
    [
        normal + tolerance,
        friction,
        1.0 - u.hypot(v) / (10.0 * system.slow()),
    ]
}
