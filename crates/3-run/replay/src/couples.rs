//! Rolling and spinning friction, judged: couples M_s about the normal and M_r across it, |M_s| ≤ ρ_s λ_N and |M_r| ≤ ρ_r λ_N, against ω_s and ω_r where these are not zero.
//!
//! A trace names no couples. In a location they are eliminated with the forces (`forces.rs`): what turns at one end of a stretch has its bound against it, what turns at neither is held. In a contact node, with the normal forces that
//! the trace gives, the couples of what does not turn are those that minimise ½ αᵀIα over their bounds, α the angular accelerations: projected steps, contact after contact.
//!
//! # Guarantee
//! To rounding where a contact is alone with its bodies, to what the sweeps leave otherwise.

use crate::bodies::{Bodies, States};
use dyverse_mech::{ContactColumn, ContactKinematics, GeneralizedForce, GeneralizedVelocity};
use dyverse_num::Vec3;

/// Sweeps at the most, and the change of a couple, relative to its bound, at which they end.
const SWEEPS: usize = 2000;
const SETTLED: f64 = 1e-13;
/// The part of a mobility that contacts leave. (Of a ball that sticks: 2/7.)
const PART_LEFT: f64 = 1e-2;

/// Bounds of the couple of a contact, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    pub(crate) roll: f64,
    pub(crate) spin: f64,
}

/// How a contact turns over a stretch: the direction in which it rolls and the sign with which it spins, none where it does not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turns {
    pub(crate) roll: Option<[f64; 2]>,
    pub(crate) spin: Option<f64>,
}

/// A moment about a direction: with entity 2, against entity 1.
pub(crate) fn couple_column(direction: &Vec3<f64>) -> ContactColumn<f64> {
    let moment = |moment: Vec3<f64>| GeneralizedForce {
        force: Vec3::zero(),
        moment,
    };
    ContactColumn {
        first: moment(-*direction),
        second: moment(*direction),
    }
}

/// n, tx, ty.
pub(crate) fn frame(k: &ContactKinematics<f64>) -> [Vec3<f64>; 3] {
    [k.normal, k.tangents[0], k.tangents[1]]
}

/// (ω_s, ω_r) of a contact, rad/s, and the length by which they are as fast as a slip, m.
pub(crate) fn rates(
    bodies: &Bodies<'_>,
    touch: usize,
    states: &States,
    k: &ContactKinematics<f64>,
) -> ([f64; 3], f64) {
    let (a, b) = bodies.touches[touch].ends;
    let omega = states[b].angular_velocity - states[a].angular_velocity;
    let moving = [(a, 0), (b, 1)]
        .into_iter()
        .filter(|(e, _)| bodies.inertia[*e].is_some());
    let length = moving
        .map(|(_, side)| k.arms[side].norm())
        .fold(f64::INFINITY, f64::min);
    (frame(k).map(|d| d.dot(&omega)), length)
}

/// What its rates gain because the frame turns, rad/s².
pub(crate) fn biases(
    bodies: &Bodies<'_>,
    touch: usize,
    states: &States,
    k: &ContactKinematics<f64>,
) -> [f64; 3] {
    let (a, b) = bodies.touches[touch].ends;
    let omega = states[b].angular_velocity - states[a].angular_velocity;
    k.frame_rates.map(|d| d.dot(&omega))
}

/// What a unit of a moment in a contact surely does to its rates, 1/(kg m²): contacts that stick leave less of what inertia alone gives.
pub(crate) fn mobility(
    bodies: &Bodies<'_>,
    touch: usize,
    states: &States,
    k: &ContactKinematics<f64>,
) -> f64 {
    let (a, b) = bodies.touches[touch].ends;
    let each = frame(k).map(|d| {
        let column = couple_column(&d);
        let first = bodies.pushed(a, states, &column.first);
        let second = bodies.pushed(b, states, &column.second);
        column.dot(&first, &second)
    });
    PART_LEFT * each.into_iter().fold(f64::INFINITY, f64::min)
}

/// How a contact turns between two states: what is as slow as `resting`, m/s, at both ends does not.
pub(crate) fn turns(
    bodies: &Bodies<'_>,
    touch: usize,
    (begin, end): (&States, &States),
    resting: f64,
) -> Turns {
    if bodies.touches[touch].couple.is_none() {
        return Turns::default();
    }
    let mut found = Turns::default();
    let (mut rolls, mut spins) = (resting, resting);
    for states in [begin, end] {
        let Some(k) = bodies.kinematics(touch, states) else {
            continue;
        };
        let ([s, x, y], length) = rates(bodies, touch, states, &k);
        let speed = x.hypot(y);
        if speed * length > rolls {
            (found.roll, rolls) = (Some([x / speed, y / speed]), speed * length);
        }
        if s.abs() * length > spins {
            (found.spin, spins) = (Some(s.signum()), s.abs() * length);
        }
    }
    found
}

/// One couple of a node.
struct Couple<'k> {
    ends: (usize, usize),
    k: &'k ContactKinematics<f64>,
    bias: [f64; 3],
    bounds: [f64; 2],
    /// Which parts are found by the sweeps.
    held: [bool; 2],
    moment: [f64; 3],
    /// What a unit of a moment about each direction of the frame does there, at the most.
    mobility: [f64; 3],
}

/// Adds what the couples of closed contacts do to accelerations, with the normal forces that a trace gives.
pub(crate) fn add_couples(
    bodies: &Bodies<'_>,
    states: &States,
    pressed: &[(usize, f64)],
    kinematics: &[ContactKinematics<f64>],
    accelerations: &mut [GeneralizedVelocity<f64>],
) {
    let resting = crate::SLACK * bodies.model.tolerances().velocity;
    let mut couples = Vec::new();
    for ((touch, normal), k) in pressed.iter().zip(kinematics) {
        let Some(lengths) = bodies.touches[*touch].couple else {
            continue;
        };
        let ends = bodies.touches[*touch].ends;
        let ([s, x, y], length) = rates(bodies, *touch, states, k);
        let bounds = [lengths.spin, lengths.roll].map(|rho| rho * normal.max(0.0));
        let speed = x.hypot(y);
        let turning = [s.abs() * length > resting, speed * length > resting];
        let mut moment = [0.0; 3];
        if turning[0] {
            moment[0] = -bounds[0] * s.signum();
        }
        if turning[1] {
            (moment[1], moment[2]) = (-bounds[1] * x / speed, -bounds[1] * y / speed);
        }
        let mobility = frame(k).map(|d| {
            let column = couple_column(&d);
            let first = bodies.pushed(ends.0, states, &column.first);
            let second = bodies.pushed(ends.1, states, &column.second);
            column.dot(&first, &second)
        });
        let couple = Couple {
            ends,
            k,
            bias: biases(bodies, *touch, states, k),
            bounds,
            held: turning.map(|turns| !turns),
            moment,
            mobility,
        };
        couple.push(bodies, states, moment, accelerations);
        couples.push(couple);
    }
    for _ in 0..SWEEPS {
        let mut moved = 0.0_f64;
        for couple in &mut couples {
            let change = couple.change(accelerations);
            couple.push(bodies, states, change, accelerations);
            for (own, change) in couple.moment.iter_mut().zip(change) {
                *own += change;
            }
            let bound = couple.bounds[0].max(couple.bounds[1]);
            let size = change.iter().map(|m| m.abs()).fold(0.0, f64::max);
            moved = moved.max(if bound > 0.0 { size / bound } else { 0.0 });
        }
        if moved <= SETTLED {
            break;
        }
    }
}

impl Couple<'_> {
    fn push(
        &self,
        bodies: &Bodies<'_>,
        states: &States,
        moment: [f64; 3],
        accelerations: &mut [GeneralizedVelocity<f64>],
    ) {
        let sum = frame(self.k)
            .iter()
            .zip(moment)
            .fold(Vec3::zero(), |sum, (d, m)| sum + d.scale(&m));
        let column = couple_column(&sum);
        let (a, b) = self.ends;
        accelerations[a] = accelerations[a] + bodies.pushed(a, states, &column.first);
        accelerations[b] = accelerations[b] + bodies.pushed(b, states, &column.second);
    }

    /// A projected step of the parts that are held.
    fn change(&self, accelerations: &[GeneralizedVelocity<f64>]) -> [f64; 3] {
        let (a, b) = self.ends;
        let alpha = accelerations[b].angular - accelerations[a].angular;
        let frame = frame(self.k);
        let rate = [0, 1, 2].map(|i: usize| frame[i].dot(&alpha) + self.bias[i]);
        let mut change = [0.0; 3];
        if self.held[0] && self.mobility[0] > 0.0 {
            let taken = (self.moment[0] - rate[0] / self.mobility[0]).clamp(-self.bounds[0], self.bounds[0]);
            change[0] = taken - self.moment[0];
        }
        // The sum of both is not below the larger eigenvalue.
        let across = self.mobility[1] + self.mobility[2];
        if self.held[1] && across > 0.0 {
            let step = [1, 2].map(|i| self.moment[i] - rate[i] / across);
            let size = step[0].hypot(step[1]);
            let share = if size > self.bounds[1] {
                self.bounds[1] / size
            } else {
                1.0
            };
            (change[1], change[2]) = (share * step[0] - self.moment[1], share * step[1] - self.moment[2]);
        }
        change
    }
}
