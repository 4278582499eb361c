//! The forces that a contact node finds, held against the law by what they do: u̇ = M⁻¹(h + W λ) [SPEC §2 "Sustained contact", §4].
//!
//! | mode | asked |
//! |---|---|
//! | all | λ_N ≥ 0, g̈_N ≥ 0, not both above 0; ∣λ_T∣ ≤ μ λ_N; only λ = 0 of one that leaves its place on the surfaces, whose gap is nobody's |
//! | stick | g̈_T = 0 |
//! | trans | λ_T = −μ λ_N g̈_T/∣g̈_T∣ |
//! | slip | λ_T = −μ λ_N ġ_T/∣ġ_T∣ |
//!
//! # Guarantee
//! Nothing is solved, so forces of redundant contacts, of which there are many, are judged too: by the accelerations that they make.

use crate::bodies::{Bodies, States, When};
use crate::couples::add_couples;
use crate::finding::Compared;
use crate::forces::mixed;
use crate::impact::{Wrong, added, slack};
use crate::moment::{FORCE, SLIP};
use dyverse_machine::FrictionMode;

/// What the energy that is taken may be wrong by, relative to its size.
const ENERGY: f64 = 1e-7;

/// A contact with the force that the trace gives it.
pub(crate) struct Pressed {
    pub(crate) touch: usize,
    /// None where it is closed on average only, or opens at once.
    pub(crate) mode: Option<FrictionMode>,
    pub(crate) force: [f64; 3],
}

/// What is wrong with the forces of a contact node; contacts that are not given share no moving entity with those that are.
pub(crate) fn judge(bodies: &Bodies<'_>, when: When, states: &States, pressed: &[Pressed]) -> Vec<Wrong> {
    let mut accelerations = bodies.free_accelerations(when, states);
    let scales = bodies.model.scales();
    let fall = accelerations.iter().map(|a| a.linear.norm()).fold(0.0, f64::max);
    let loads = bodies.inertia.iter().zip(&accelerations);
    let load = loads.map(|(i, a)| i.as_ref().map_or(0.0, |i| i.mass() * a.linear.norm()));
    let largest = pressed
        .iter()
        .flat_map(|p| p.force)
        .map(f64::abs)
        .chain(load)
        .fold(0.0, f64::max);
    let slack = crate::SLACK * bodies.model.tolerances().force + FORCE * largest;
    let still = SLIP * (scales.acceleration + fall);
    let touches = pressed.iter().map(|p| p.touch);
    let kinematics = match bodies.all_kinematics(touches, states, "closed contacts") {
        Ok(kinematics) => kinematics,
        Err(wrong) => return vec![wrong],
    };
    for (own, k) in pressed.iter().zip(&kinematics) {
        let (a, b) = bodies.touches[own.touch].ends;
        let column = mixed(k, own.force);
        accelerations[a] = accelerations[a] + bodies.pushed(a, states, &column.first);
        accelerations[b] = accelerations[b] + bodies.pushed(b, states, &column.second);
    }
    let normals: Vec<(usize, f64)> = pressed.iter().map(|p| (p.touch, p.force[0])).collect();
    add_couples(bodies, states, &normals, &kinematics, &mut accelerations);
    let mut wrong = Vec::new();
    for (own, k) in pressed.iter().zip(&kinematics) {
        let (a, b) = bodies.touches[own.touch].ends;
        let (normal, across) = k.acceleration(&accelerations[a], &accelerations[b]);
        let seen = Seen {
            label: &bodies.touches[own.touch].label,
            force: own.force,
            mu: 0.0,
            leaves: !bodies.is_own(own.touch, states),
            normal,
            across,
            velocity: k.tangential_velocity,
            resting: crate::SLACK * bodies.model.tolerances().velocity,
        };
        let frictions = bodies.frictions(own.touch, length(k.tangential_velocity), (when, states));
        let judged = frictions.map(|mu| Seen { mu, ..seen }.compared(own.mode, slack, still));
        if judged.iter().all(|compared| !compared.is_empty()) {
            let [compared, _] = judged;
            let what = format!(
                "the forces at {} are not those of a contact that {}",
                seen.label,
                does(own.mode)
            );
            wrong.push((what, compared));
        }
    }
    wrong
}

/// Whether two findings are one, with the same numbers.
pub(crate) fn is_same((what, compared): &Wrong, (other, others): &Wrong) -> bool {
    let numbers = |c: &Compared| (c.of.clone(), c.found.to_bits(), c.bound.to_bits());
    what == other && compared.iter().map(numbers).eq(others.iter().map(numbers))
}

fn does(mode: Option<FrictionMode>) -> &'static str {
    match mode {
        Some(FrictionMode::Stick) => "sticks",
        Some(FrictionMode::Trans) => "begins to slip",
        Some(FrictionMode::Slip) => "slips",
        None => "may open",
    }
}

/// One contact, with the accelerations that the forces make.
#[derive(Clone, Copy)]
struct Seen<'l> {
    label: &'l str,
    force: [f64; 3],
    mu: f64,
    /// Whether its place on the surfaces is another contact's, or becomes that.
    leaves: bool,
    normal: f64,
    across: [f64; 2],
    velocity: [f64; 2],
    /// A slip no faster has no direction that is worth comparing, m/s.
    resting: f64,
}

impl Seen<'_> {
    fn compared(&self, mode: Option<FrictionMode>, slack: f64, still: f64) -> Vec<Compared> {
        let [normal, x, y] = self.force;
        let limit = self.mu * normal;
        let mut wrong = Vec::new();
        let mut ask = |holds: bool, of: &str, found: f64, relation: &'static str, bound: f64, slack: f64| {
            // What is no number holds nothing.
            if !holds {
                wrong.push(Compared {
                    of: format!("{of} of {}", self.label),
                    found,
                    relation,
                    bound,
                    slack,
                });
            }
        };
        ask(normal >= -slack, "λ_N", normal, "≥", 0.0, slack);
        let across = x.hypot(y);
        let loose = slack * (1.0 + self.mu);
        ask(across <= limit + loose, "|λ_T|", across, "≤", limit, loose);
        if normal > slack {
            ask(self.normal.abs() <= still, "g̈_N", self.normal, "=", 0.0, still);
        } else if !self.leaves {
            ask(self.normal >= -still, "g̈_N", self.normal, "≥", 0.0, still);
        }
        if limit <= loose {
            return wrong;
        }
        let along = match mode {
            Some(FrictionMode::Stick) => {
                let off = length(self.across);
                ask(off <= still, "|g̈_T|", off, "=", 0.0, still);
                None
            }
            Some(FrictionMode::Trans) => Some((self.across, still)),
            Some(FrictionMode::Slip) => Some((self.velocity, self.resting)),
            None => None,
        };
        if let Some(([u, v], slow)) = along {
            let size = u.hypot(v);
            if size > slow {
                let off = (x + limit * u / size).hypot(y + limit * v / size);
                let slack = loose + limit * slow / size;
                ask(off <= slack, "|λ_T + μ λ_N d|", off, "=", 0.0, slack);
            }
        }
        wrong
    }
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

/// What is wrong with a jump of velocities with which contacts stop together: before it none of them slips faster than what counts as rest, after it none slips, no energy is added, and what is taken is no
/// more than what friction takes on a way that counts as none.
pub(crate) fn stopped(
    bodies: &Bodies<'_>,
    when: When,
    (before, after): (&States, &States),
    touches: &[usize],
    pressed: &[(usize, [f64; 3])],
) -> Vec<Wrong> {
    let slack = slack(bodies, (before, after));
    let slow = SLIP * bodies.model.scales().velocity;
    let mut wrong = Vec::new();
    for touch in touches {
        let speed = |states: &States| {
            let k = bodies.kinematics(*touch, states);
            k.map_or(f64::NAN, |k| {
                k.tangential_velocity[0].hypot(k.tangential_velocity[1])
            })
        };
        let label = &bodies.touches[*touch].label;
        let (was, is) = (speed(before), speed(after));
        if !(was <= slow + slack && is <= slack) {
            wrong.push((
                format!("{label} stops at once, and was not slow"),
                vec![
                    Compared::equal(format!("|ġ_T| of {label} before"), was, 0.0, slow + slack),
                    Compared::equal(format!("|ġ_T| of {label} after"), is, 0.0, slack),
                ],
            ));
        }
    }
    for (entity, (old, new)) in before.iter().zip(after).enumerate() {
        let jump = (new.velocity - old.velocity).norm();
        if jump > slow + slack {
            let name = &bodies.model.entities()[entity].name;
            wrong.push((
                format!("`{name}` loses more than the last of a slip"),
                vec![Compared::equal(
                    format!("the jump of `{name}`'s velocity, m/s,"),
                    jump,
                    0.0,
                    slow + slack,
                )],
            ));
        }
    }
    let (old, new) = (bodies.kinetic_energy(before), bodies.kinetic_energy(after));
    let grips = pressed.iter().map(|(touch, force)| {
        let [one, other] = bodies.frictions(*touch, 0.0, (when, before));
        one.max(other) * force[0].max(0.0)
    });
    let most = grips.sum::<f64>() * bodies.model.tolerances().gap;
    if old - new > most + ENERGY * old {
        wrong.push((
            "contacts stop at once that friction does not stop".into(),
            vec![Compared {
                of: "what is taken, J,".into(),
                found: old - new,
                relation: "≤",
                bound: most,
                slack: ENERGY * old,
            }],
        ));
    }
    wrong.extend(added(bodies, (before, after), "contacts that stop add energy"));
    wrong
}
