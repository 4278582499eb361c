//! The impulses of an impact: the reset u⁺ = u⁻ + M⁻¹ W Λ, and the law [SPEC §2 "Impact", §10 "Energy"].
//!
//! With e_N and e_T lessened by one factor s ∈ [0, 1] for a group of contacts that share moving entities: s = 1, or the group keeps its energy exactly. A contact whose bounce would be too low to
//! follow has no restitution.

use crate::bodies::{Bodies, States, When};
use crate::energetic;
use crate::finding::Compared;
use crate::forces::mixed;
use dyverse_mech::{ContactKinematics, GeneralizedVelocity};
use dyverse_model::{EnergyRule, ImpactLaw};

/// What velocities may be wrong by, relative to the largest of the impact.
const PRECISION: f64 = 1e-7;
/// What an impulse by the energetic law may be wrong by, relative to itself.
const COURSE: f64 = 1e-5;
/// Bounces of impacts slower than this may be too low to follow, m/s, times the scale of velocities.
const SLOW_IMPACT: f64 = 1e-2;

/// A contact with its impulse.
pub(crate) struct Struck {
    pub(crate) touch: usize,
    pub(crate) impulse: [f64; 3],
}

/// What one contact did.
struct Seen<'k> {
    /// G of the contact alone.
    operator: [[f64; 3]; 3],
    touch: usize,
    impulse: [f64; 3],
    is_low: bool,
    before: &'k ContactKinematics<f64>,
    at: (When, &'k States),
    normal_after: f64,
    tangential_after: [f64; 2],
}

/// What is wrong, and the numbers compared.
pub(crate) type Wrong = (String, Vec<Compared>);

/// What is wrong with an impact.
pub(crate) fn judge(
    bodies: &Bodies<'_>,
    when: When,
    (before, after): (&States, &States),
    struck: &[Struck],
) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let touches = struck.iter().map(|s| s.touch);
    let kinematics = match bodies.all_kinematics(touches, before, "the contacts of an impact") {
        Ok(kinematics) => kinematics,
        Err(wrong) => return vec![wrong],
    };
    let slack = slack(bodies, (before, after));
    wrong.extend(reset(bodies, (before, after), struck, &kinematics, slack));
    let mut seen = Vec::new();
    for (own, k) in struck.iter().zip(&kinematics) {
        // The frame of the contact is that before the impact: positions do not jump.
        let (a, b) = bodies.touches[own.touch].ends;
        let point = |states: &States| states[b].velocity_at(&k.arms[1]) - states[a].velocity_at(&k.arms[0]);
        let relative = point(after);
        let unit = |i: usize| mixed(k, std::array::from_fn(|j| f64::from(u8::from(i == j))));
        let push = |i: usize| {
            let column = unit(i);
            (
                bodies.pushed(a, before, &column.first),
                bodies.pushed(b, before, &column.second),
            )
        };
        let pushes = [0, 1, 2].map(push);
        seen.push(Seen {
            operator: [0, 1, 2].map(|i| [0, 1, 2].map(|j| unit(i).dot(&pushes[j].0, &pushes[j].1))),
            touch: own.touch,
            impulse: own.impulse,
            is_low: is_low(bodies, when, before, own.touch),
            before: k,
            at: (when, before),
            normal_after: k.normal.dot(&relative),
            tangential_after: [k.tangents[0].dot(&relative), k.tangents[1].dot(&relative)],
        });
    }
    let change = bodies.kinetic_energy(after) - bodies.kinetic_energy(before);
    let energy = bodies.kinetic_energy(before).max(bodies.kinetic_energy(after));
    let is_capped = bodies.model.impact_energy() == EnergyRule::Capped;
    if is_capped {
        wrong.extend(added(
            bodies,
            (before, after),
            "the impact adds energy, and the law may not",
        ));
    }
    for (_, group) in bodies.groups(&seen, |s| s.touch) {
        wrong.extend(law(bodies, &group, slack, (change, energy)));
    }
    wrong
}

/// That a jump adds kinetic energy, if it does.
pub(crate) fn added(bodies: &Bodies<'_>, (before, after): (&States, &States), what: &str) -> Option<Wrong> {
    let (old, new) = (bodies.kinetic_energy(before), bodies.kinetic_energy(after));
    let slack = PRECISION * old.max(new);
    // What is no number holds nothing.
    let holds = new - old <= slack;
    (!holds).then(|| {
        let compared = Compared {
            of: "what is added, J,".into(),
            found: new - old,
            relation: "≤",
            bound: 0.0,
            slack,
        };
        (what.into(), vec![compared])
    })
}

/// What velocities may be wrong by, m/s.
pub(crate) fn slack(bodies: &Bodies<'_>, (before, after): (&States, &States)) -> f64 {
    let speeds = before
        .iter()
        .chain(after)
        .map(|s| s.velocity.norm() + s.angular_velocity.norm());
    PRECISION * speeds.fold(0.0, f64::max) + crate::SLACK * bodies.model.tolerances().velocity
}

/// Where velocities do not jump by u⁺ − u⁻ = M⁻¹ W Λ, or positions do.
pub(crate) fn reset(
    bodies: &Bodies<'_>,
    (before, after): (&States, &States),
    struck: &[Struck],
    kinematics: &[ContactKinematics<f64>],
    slack: f64,
) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let mut pushed = vec![GeneralizedVelocity::zero(); before.len()];
    for (own, k) in struck.iter().zip(kinematics) {
        let column = mixed(k, own.impulse);
        let (a, b) = bodies.touches[own.touch].ends;
        pushed[a] = pushed[a] + bodies.pushed(a, before, &column.first);
        pushed[b] = pushed[b] + bodies.pushed(b, before, &column.second);
    }
    for (entity, push) in pushed.iter().enumerate() {
        let linear = (after[entity].velocity - before[entity].velocity - push.linear).norm();
        let angular =
            (after[entity].angular_velocity - before[entity].angular_velocity - push.angular).norm();
        let moved = (after[entity].position - before[entity].position).norm();
        if linear > slack
            || angular > slack * (1.0 + push.angular.norm())
            || moved > crate::SLACK * bodies.model.tolerances().gap
        {
            let name = &bodies.model.entities()[entity].name;
            let what = format!("the velocity of `{name}` does not jump by what the impulses give");
            let compared = vec![
                Compared::equal(
                    format!("the rest of `{name}`'s velocity, m/s,"),
                    linear,
                    0.0,
                    slack,
                ),
                Compared::equal("that of its turning, rad/s,", angular, 0.0, slack),
                Compared::equal(
                    "its way, m,",
                    moved,
                    0.0,
                    crate::SLACK * bodies.model.tolerances().gap,
                ),
            ];
            wrong.push((what, compared));
        }
    }
    wrong
}

/// Whether a contact with restitution came slowly and does not bounce: the first of a sequence of bounces that is left out.
pub(crate) fn is_left_out(
    bodies: &Bodies<'_>,
    when: When,
    (before, after): (&States, &States),
    own: &Struck,
) -> bool {
    let after = bodies.kinematics(own.touch, after).map(|k| k.normal_velocity);
    let rest = crate::SLACK * bodies.model.tolerances().velocity;
    bodies.touches[own.touch].restitution > 0.0
        && after.is_some_and(|speed| speed.abs() <= rest)
        && is_low(bodies, when, before, own.touch)
}

/// Whether the bounce of a contact is no higher than the gap tolerance, under accelerations of the model's size or what presses it: loads, and how its point moves on the surfaces.
fn is_low(bodies: &Bodies<'_>, when: When, before: &States, touch: usize) -> bool {
    let Some(k) = bodies.kinematics(touch, before) else {
        return false;
    };
    let (scales, tolerances) = (bodies.model.scales(), bodies.model.tolerances());
    let (free, (a, b)) = (
        bodies.free_accelerations(when, before),
        bodies.touches[touch].ends,
    );
    let pressing = -k.normal_column().dot(&free[a], &free[b]) - k.normal_bias;
    let closing = -k.normal_velocity;
    let bounce = bodies.touches[touch].restitution * closing;
    bounce * bounce <= crate::SLACK * scales.acceleration.max(pressing) * tolerances.gap
        || closing <= SLOW_IMPACT * scales.velocity
}

fn law(bodies: &Bodies<'_>, group: &[&Seen<'_>], slack: f64, (change, energy): (f64, f64)) -> Option<Wrong> {
    let label = |s: &Seen<'_>| bodies.touches[s.touch].label.clone();
    // An impulse is a velocity times a mass; how heavy does not matter to the law.
    let size = group
        .iter()
        .flat_map(|s| s.impulse)
        .map(f64::abs)
        .fold(0.0, f64::max);
    let little = PRECISION * size + f64::MIN_POSITIVE;
    for s in group {
        let [one, other] = frictions(bodies, s);
        let mu = one.max(other);
        let [normal, x, y] = s.impulse;
        if normal < -little {
            return Some((
                format!("the impulse at {} pulls", label(s)),
                vec![at_least(format!("Λ_N of {}", label(s)), normal, 0.0, little)],
            ));
        }
        if x.hypot(y) > mu * normal + little * (1.0 + mu) {
            return Some((
                format!(
                    "the tangential impulse at {} is outside the cone of friction",
                    label(s)
                ),
                vec![Compared {
                    of: format!("|Λ_T| of {}", label(s)),
                    found: x.hypot(y),
                    relation: "≤",
                    bound: mu * normal,
                    slack: little * (1.0 + mu),
                }],
            ));
        }
        if s.normal_after < -slack {
            return Some((
                format!("{} still closes after the impact", label(s)),
                vec![at_least(
                    format!("ġ_N of {}", label(s)),
                    s.normal_after,
                    0.0,
                    slack,
                )],
            ));
        }
    }
    let laws = group.iter().map(|s| bodies.touches[s.touch].law);
    let is_one = laws.clone().all(|law| Some(law) == laws.clone().next());
    let first = bodies.touches[group.first()?.touch].law;
    if !is_one || first == ImpactLaw::Energetic {
        let acting: Vec<_> = group.iter().filter(|s| s.impulse[0] > little).collect();
        return match acting[..] {
            [] => None,
            [own] => alone(bodies, own, (slack, little), (change, energy)),
            _ => Some((
                "contacts of different laws, or of the energetic law, collide at once".into(),
                Vec::new(),
            )),
        };
    }
    if first == ImpactLaw::Poisson {
        return None;
    }
    shared(bodies, group, (slack, little), (change, energy))
}

/// A contact that alone has an impulse, by its own law.
fn alone(
    bodies: &Bodies<'_>,
    own: &Seen<'_>,
    (slack, little): (f64, f64),
    energies: (f64, f64),
) -> Option<Wrong> {
    match bodies.touches[own.touch].law {
        ImpactLaw::Energetic => {}
        ImpactLaw::Poisson => return None,
        ImpactLaw::Newton => return shared(bodies, &[own], (slack, little), energies),
    }
    let [x, y] = own.before.tangential_velocity;
    let before = [own.before.normal_velocity, x, y];
    let e = bodies.touches[own.touch].restitution;
    let size: f64 = own.impulse.iter().map(|part| part.abs()).sum();
    let off_by = |e: f64, mu: f64| {
        let found = energetic::impulse(&own.operator, before, e, mu);
        let off = |found: [f64; 3]| (0..3).map(|k| (found[k] - own.impulse[k]).abs()).sum::<f64>();
        found.map_or(f64::INFINITY, off)
    };
    let choices = [Some(e), own.is_low.then_some(0.0)];
    let off = choices
        .into_iter()
        .flatten()
        .flat_map(|e| frictions(bodies, own).map(|mu| off_by(e, mu)));
    let off = off.fold(f64::INFINITY, f64::min);
    let bound = COURSE * size + slack / own.operator[0][0];
    // What is no number holds nothing.
    let holds = off <= bound;
    (!holds).then(|| {
        let label = &bodies.touches[own.touch].label;
        let compared = vec![Compared {
            of: format!("what the impulse of {label} is off, N s,"),
            found: off,
            relation: "≤",
            bound: 0.0,
            slack: bound,
        }];
        (
            format!("the impulse at {label} is not that of the energetic law"),
            compared,
        )
    })
}

/// Newton's law, with a share of restitution that is one for all of a group.
fn shared(
    bodies: &Bodies<'_>,
    group: &[&Seen<'_>],
    (slack, little): (f64, f64),
    (change, energy): (f64, f64),
) -> Option<Wrong> {
    let estimate = group.iter().filter_map(|s| {
        let e = bodies.touches[s.touch].restitution;
        let bounce = -e * s.before.normal_velocity;
        (s.impulse[0] > little && bounce > slack).then(|| s.normal_after / bounce)
    });
    // Where it sticks after the impact, what is left of its slip tells it too.
    let across = group.iter().filter_map(|s| {
        let e = bodies.touches[s.touch].tangential_restitution;
        let [x, y] = s.before.tangential_velocity;
        let size = e * (x * x + y * y);
        let [u, v] = s.tangential_after;
        (size.abs() > slack * slack).then(|| -(u * x + v * y) / size)
    });
    let mut shares = vec![1.0];
    let keeps_energy = change.abs() <= 1e-6 * energy;
    shares.extend(
        estimate
            .chain(across)
            .filter(|s| (0.0..1.0).contains(s) && keeps_energy),
    );
    if keeps_energy {
        shares.push(0.0);
    }
    let fits = |share: f64| group.iter().all(|s| fits(bodies, s, share, slack, little));
    if shares.iter().any(|share| fits(*share)) {
        return None;
    }
    let first = group
        .iter()
        .find(|s| !self::fits(bodies, s, 1.0, slack, little))
        .or(group.first())?;
    Some(not_by_law(bodies, first, slack))
}

fn not_by_law(bodies: &Bodies<'_>, own: &Seen<'_>, slack: f64) -> Wrong {
    let (label, e) = (
        &bodies.touches[own.touch].label,
        bodies.touches[own.touch].restitution,
    );
    (
        format!("impulse and velocities at {label} are not those of the impact law"),
        vec![Compared::equal(
            format!("ġ_N of {label} after the impact"),
            own.normal_after,
            -e * own.before.normal_velocity,
            slack,
        )],
    )
}

fn at_least(of: String, found: f64, bound: f64, slack: f64) -> Compared {
    Compared {
        of,
        found,
        relation: "≥",
        bound,
        slack,
    }
}

fn frictions(bodies: &Bodies<'_>, s: &Seen<'_>) -> [f64; 2] {
    let [x, y] = s.before.tangential_velocity;
    bodies.frictions(s.touch, x.hypot(y), s.at)
}

/// Whether a contact keeps the law with this part of its restitution.
fn fits(bodies: &Bodies<'_>, s: &Seen<'_>, share: f64, slack: f64, little: f64) -> bool {
    let own = &bodies.touches[s.touch];
    let [normal, x, y] = s.impulse;
    let closing = -s.before.normal_velocity;
    let keeps = |e: f64| {
        let left = s.normal_after - e * closing;
        left >= -slack && (normal <= little || left <= slack)
    };
    if !(keeps(share * own.restitution) || s.is_low && keeps(0.0)) {
        return false;
    }
    let left: Vec<f64> = s
        .tangential_after
        .iter()
        .zip(&s.before.tangential_velocity)
        .map(|(after, before)| after + share * own.tangential_restitution * before)
        .collect();
    let slip = left[0].hypot(left[1]);
    // It slips: on the edge of the disc, against what is left.
    let slips = |mu: f64| {
        let off = (x + mu * normal * left[0] / slip).hypot(y + mu * normal * left[1] / slip);
        mu * normal <= little || off <= little * (1.0 + mu) + mu * normal * (slack / slip).min(1e-3)
    };
    slip <= slack || frictions(bodies, s).into_iter().any(slips)
}
