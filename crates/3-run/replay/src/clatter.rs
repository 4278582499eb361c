//! An accumulation of impacts of a set of contacts, closed at one instant: a jump that stands for all bounces left out.
//!
//! | asked | |
//! |---|---|
//! | each contact touches | g_N within the gap tolerance ε |
//! | each that rises is too low to follow | g_N + ġ_N²/(2a) ≤ ε, a the accelerations of the model, or what loads press it with if that is more |
//! | the jump is one of impulses | u⁺ = u⁻ + M⁻¹ W ν, ν of any sign, and across the normal only where ġ_T is 0 before |
//! | after it each is at rest along its normal, and where ν acts across it | ġ_N⁺ = 0, ġ_T⁺ = 0 |
//! | no energy is added | ½u⁺ᵀMu⁺ ≤ ½u⁻ᵀMu⁻ |
//!
//! # Guarantee
//! The last three say that u⁺ is the nearest velocity to u⁻ in the metric of M at which the contacts rest: of all jumps of such impulses only that one ends there. How contacts press while they bounce is not
//! solved for.

use crate::bodies::{Bodies, States, When};
use crate::finding::Compared;
use crate::impact::{Struck, Wrong, added, reset, slack};
use crate::moment::SLIP;

/// What is wrong with such a jump.
pub(crate) fn judge(
    bodies: &Bodies<'_>,
    when: When,
    (before, after): (&States, &States),
    struck: &[Struck],
) -> Vec<Wrong> {
    let touches = struck.iter().map(|s| s.touch);
    let kinematics = match bodies.all_kinematics(touches, before, "the contacts of an accumulation") {
        Ok(kinematics) => kinematics,
        Err(wrong) => return vec![wrong],
    };
    let slack = slack(bodies, (before, after));
    let mut wrong = reset(bodies, (before, after), struck, &kinematics, slack);
    let (scales, tolerances) = (bodies.model.scales(), bodies.model.tolerances());
    let free = bodies.free_accelerations(when, before);
    for (own, k) in struck.iter().zip(&kinematics) {
        let label = &bodies.touches[own.touch].label;
        let (a, b) = bodies.touches[own.touch].ends;
        let pressing = -k.normal_column().dot(&free[a], &free[b]) - k.normal_bias;
        let rise = k.normal_velocity.max(0.0);
        let height = k.gap + rise * rise / (2.0 * scales.acceleration.max(pressing));
        if height.is_nan() || height > crate::SLACK * tolerances.gap {
            let what = format!("bounces of {label} are left out that are not too low to follow");
            let found = format!("how high {label} rises, m,");
            wrong.push((
                what,
                vec![Compared {
                    of: found,
                    found: height,
                    relation: "≤",
                    bound: tolerances.gap,
                    slack: crate::SLACK * tolerances.gap,
                }],
            ));
        }
        let point = |states: &States| states[b].velocity_at(&k.arms[1]) - states[a].velocity_at(&k.arms[0]);
        let relative = point(after);
        let along = k.normal.dot(&relative);
        if along.is_nan() || along.abs() > slack {
            wrong.push((
                format!("{label} is not at rest after its bounces"),
                vec![Compared::equal(format!("ġ_N of {label}"), along, 0.0, slack)],
            ));
        }
        let [_, x, y] = own.impulse;
        let [u, v] = k.tangential_velocity;
        let across = k.tangents[0].dot(&relative).hypot(k.tangents[1].dot(&relative));
        let still = slack + SLIP * scales.velocity;
        if (x != 0.0 || y != 0.0) && !(across <= slack && u.hypot(v) <= still) {
            wrong.push((
                format!("the bounces left out of {label} push across its normal, and it slips"),
                vec![
                    Compared::equal(format!("|ġ_T| of {label} before"), u.hypot(v), 0.0, still),
                    Compared::equal(format!("|ġ_T| of {label} after"), across, 0.0, slack),
                ],
            ));
        }
    }
    wrong.extend(added(bodies, (before, after), "bounces left out add energy"));
    wrong
}
