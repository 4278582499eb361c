//! What must hold of every run of a scene, computed from the trace's states by code of the tests' own.
#![allow(dead_code, clippy::panic, clippy::unwrap_used)]

use super::scene::{Form, Q, Scene, State, Thing, V};
use dyverse_mech::{Placement, Polytope, Shape, Side, closest_points};
use dyverse_num::{Quaternion, Vec3};
use dyverse_trace::{Sample, Trace, Transition, TransitionKind};
use std::collections::BTreeMap;

/// A law: what breaks it is told, with the numbers.
macro_rules! law {
    ($kept:expr, $($told:tt)+) => {
        let kept: bool = $kept;
        if !kept {
            return Err(format!($($told)+));
        }
    };
}

/// The gap tolerance of models that give none.
const GAP: f64 = 1e-9;

/// Energy not accounted for, relative, where contacts slip: a step in which several of them stop costs digits.
const FRICTION_BALANCE: f64 = 1e-8;

/// What was seen in the runs of a test, so that none passes without having tested anything.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) scenes: usize,
    /// Impacts by the kinds of shapes.
    pub(crate) impacts: BTreeMap<String, usize>,
    /// Settled contacts: sustained contact was reached.
    pub(crate) settled: usize,
    pub(crate) worst_momentum: f64,
    pub(crate) worst_gap: f64,
    pub(crate) worst_restitution: f64,
}

/// The states of a scene's things in a sample.
pub(crate) fn states(trace: &Trace, names: &str, count: usize, sample: &Sample) -> Vec<State> {
    (0..count)
        .map(|i| {
            let at = |c: &str| {
                let id = trace.signal(&format!("{names}{i}.{c}")).unwrap();
                sample.values[id.0 as usize]
            };
            State {
                position: Vec3::new(at("x"), at("y"), at("z")),
                orientation: Quaternion {
                    w: at("qw"),
                    x: at("qx"),
                    y: at("qy"),
                    z: at("qz"),
                },
                velocity: Vec3::new(at("vx"), at("vy"), at("vz")),
                spin: Vec3::new(at("wx"), at("wy"), at("wz")),
            }
        })
        .collect()
}

fn turned_inertia(thing: &Thing, q: &Q, w: &V) -> V {
    let own = q.rotate_back(w);
    let i = &thing.inertia;
    q.rotate(&Vec3::new(i.x * own.x, i.y * own.y, i.z * own.z))
}

fn kinetic(things: &[Thing], states: &[State]) -> f64 {
    let of = |(thing, s): (&Thing, &State)| {
        0.5 * thing.mass * s.velocity.norm_squared()
            + 0.5 * s.spin.dot(&turned_inertia(thing, &s.orientation, &s.spin))
    };
    things.iter().zip(states).map(of).sum()
}

/// Linear momentum, and angular momentum about the origin.
fn momenta(things: &[Thing], states: &[State]) -> (V, V) {
    let (mut linear, mut angular) = (Vec3::zero(), Vec3::zero());
    for (thing, s) in things.iter().zip(states) {
        let p = s.velocity.scale(&thing.mass);
        linear = linear + p;
        angular = angular + s.position.cross(&p) + turned_inertia(thing, &s.orientation, &s.spin);
    }
    (linear, angular)
}

/// Checks a run of a scene, as far as it went.
pub(crate) fn check_laws(scene: &Scene, trace: &Trace, seen: &mut Seen) -> Result<(), String> {
    // What an instant did is accounted for when it is over.
    let is_complete = trace.stop.reason.is_complete();
    let allowed = if scene.friction == 0.0 {
        1e-8
    } else {
        FRICTION_BALANCE
    };
    law!(
        !is_complete || super::imbalance(trace) <= allowed,
        "energy is not accounted for: {:?}",
        trace.balance
    );
    seen.scenes += 1;
    let statistics = &trace.statistics;
    law!(statistics.largest_residual <= 1e-9, "{statistics:?}");
    law!(statistics.largest_penetration <= GAP, "{statistics:?}");
    let count = scene.things.len();
    let all: Vec<Vec<State>> = trace
        .samples
        .iter()
        .map(|s| states(trace, "b", count, s))
        .collect();
    for (sample, states) in trace.samples.iter().zip(&all) {
        let gap = least_gap(scene, states);
        seen.worst_gap = seen.worst_gap.min(gap);
        law!(gap >= -GAP - 1e-12, "a gap is {gap:e} at {}", sample.time);
    }
    for transition in &trace.transitions {
        match transition.kind {
            // A touch too slow to strike; or the impact in which a run stopped, which has no outcome.
            TransitionKind::Impact if transition.forces.is_empty() => {
                law!(transition.changes.is_empty(), "{transition:?}");
                let at = trace.samples.iter().position(|s| s.time == transition.time);
                let pair = at.and_then(|at| Some((all.get(at)?, all.get(at + 1)?)));
                if let (true, Some((before, after))) = (is_complete, pair) {
                    let is_still = before.iter().zip(after).all(|(b, a)| b.velocity == a.velocity);
                    law!(is_still, "a touch moves something: {transition:?}");
                }
            }
            TransitionKind::Impact => {
                let at = trace
                    .samples
                    .iter()
                    .position(|s| s.time == transition.time)
                    .unwrap();
                law!(
                    trace.samples[at + 1].time.t() == transition.time.t(),
                    "no sample after the jump"
                );
                check_impact(scene, transition, (&all[at], &all[at + 1]), seen)
                    .map_err(|told| format!("at {}: {told}", transition.time))?;
            }
            TransitionKind::Settle => seen.settled += 1,
            _ => {}
        }
    }
    Ok(())
}

fn check_impact(
    scene: &Scene,
    transition: &Transition,
    (before, after): (&[State], &[State]),
    seen: &mut Seen,
) -> Result<(), String> {
    let things = &scene.things;
    for (b, a) in before.iter().zip(after) {
        law!(b.position == a.position, "an impact moves something");
    }
    let impulses = &transition.forces;
    law!(impulses.len() == transition.contacts.len(), "{transition:?}");
    for impulse in impulses {
        let across = impulse.tangential[0].hypot(impulse.tangential[1]);
        law!(impulse.normal >= 0.0, "{impulse:?}");
        law!(
            across <= scene.friction * impulse.normal * (1.0 + 1e-9) + 1e-12,
            "{impulse:?}"
        );
    }
    let is_free = !transition.contacts.iter().any(|c| c.contains("wall"));
    let size = kinetic(things, before).max(0.1);
    if is_free {
        let ((p0, l0), (p1, l1)) = (momenta(things, before), momenta(things, after));
        let worst = (p1 - p0).norm().max((l1 - l0).norm());
        seen.worst_momentum = seen.worst_momentum.max(worst);
        law!(
            worst <= 1e-11 * (1.0 + size),
            "momenta ({p0:?}, {l0:?}) became ({p1:?}, {l1:?})"
        );
    }
    let gained = kinetic(things, after) - kinetic(things, before);
    // With friction the law is capped: to what the solver leaves.
    let allowed = if scene.friction == 0.0 { 1e-12 } else { 1e-8 };
    law!(gained <= allowed * size, "an impact adds {gained} J");
    if let [contact] = &transition.contacts[..] {
        *seen.impacts.entry(kinds(scene, contact)).or_default() += 1;
        check_one_contact(
            scene,
            impulses[0].normal,
            impulses[0].tangential,
            (before, after),
            seen,
        )?;
    }
    Ok(())
}

/// At one contact, the jump of the momenta is W Λ, so dg·Λ before and after is what the jump does on the velocities: with no friction that is
/// Newton's law without any geometry.
fn check_one_contact(
    scene: &Scene,
    normal: f64,
    tangential: [f64; 2],
    (before, after): (&[State], &[State]),
    seen: &mut Seen,
) -> Result<(), String> {
    let size = normal.hypot(tangential[0]).hypot(tangential[1]);
    let (mut rate_before, mut rate_after) = (0.0, 0.0);
    for ((thing, b), a) in scene.things.iter().zip(before).zip(after) {
        let p = (a.velocity - b.velocity).scale(&thing.mass);
        let l = turned_inertia(thing, &b.orientation, &(a.spin - b.spin));
        law!(
            p.norm() == 0.0 || (p.norm() - size).abs() <= 1e-10 * (1.0 + size),
            "{p:?}, impulse {size}"
        );
        rate_before += p.dot(&b.velocity) + l.dot(&b.spin);
        rate_after += p.dot(&a.velocity) + l.dot(&a.spin);
    }
    if scene.friction == 0.0 && size > 1e-6 {
        let (before, after) = (rate_before / size, rate_after / size);
        let error = (after + scene.restitution * before).abs();
        // What bounces no higher than the tolerance does not bounce.
        let bounces = scene.restitution * before.abs() > 1e-2;
        if bounces {
            seen.worst_restitution = seen.worst_restitution.max(error);
        }
        law!(
            before < 0.0 && (error <= 1e-9 || !bounces),
            "dg_N = {before} became {after}"
        );
    }
    Ok(())
}

/// Which kinds of shapes a contact is of: labels are `b0-b1`, `b0-bwall1#2`.
fn kinds(scene: &Scene, label: &str) -> String {
    let mut kinds: Vec<&str> = label
        .split('-')
        .map(|part| {
            let name = part.split(['#', '.']).next().unwrap_or(part);
            match name.trim_start_matches('b').parse::<usize>() {
                Ok(number) => scene.things[number].form.kind(),
                Err(_) => "wall",
            }
        })
        .collect();
    kinds.sort_unstable();
    kinds.join("-")
}

/// A lower bound of the least signed gap, exact but for rounding where something is about to touch.
///
/// For every unit vector n, n·(c2 − c1) − h1(n) − h2(−n) bounds the gap from below. So however n was found, the bound is good.
fn least_gap(scene: &Scene, states: &[State]) -> f64 {
    let mut least = f64::MAX;
    let reach = |i: usize, u: &V| {
        let q = states[i].orientation.normalized();
        scene.things[i].form.reach(&q.rotate_back(u))
    };
    for i in 0..states.len() {
        for wall in &scene.walls {
            let gap = wall.normal.dot(&states[i].position) - wall.offset - reach(i, &-wall.normal);
            least = least.min(gap);
        }
        for j in 0..i {
            let between = states[j].position - states[i].position;
            if between.norm() > 1.4 {
                continue;
            }
            let bound = |n: &V| n.dot(&between) - reach(i, n) - reach(j, &-*n);
            let straight = bound(&between.normalized());
            let gap = if straight >= 0.0 {
                straight
            } else {
                let at = |i: usize| Placement {
                    position: states[i].position,
                    orientation: states[i].orientation.normalized(),
                };
                let (first, second) = (shape(&scene.things[i].form), shape(&scene.things[j].form));
                match (first.polytope(), second.polytope()) {
                    // Where these touch, the closest points have no direction.
                    (Some(one), Some(two)) => {
                        let all = directions((&one, &at(i)), (&two, &at(j)));
                        all.iter()
                            .flat_map(|n| [bound(n), bound(&-*n)])
                            .fold(straight, f64::max)
                    }
                    _ => {
                        let found = closest_points((&first, &at(i)), (&second, &at(j)), Side::Front);
                        found.map_or(straight, |points| bound(&points.normal.normalized()))
                    }
                }
            };
            least = least.min(gap);
        }
    }
    least
}

/// Normals of the faces of two solids, and directions across their edges.
fn directions(first: (&Polytope<f64>, &Placement<f64>), second: (&Polytope<f64>, &Placement<f64>)) -> Vec<V> {
    let normals = |(solid, at): (&Polytope<f64>, &Placement<f64>)| {
        let each = solid
            .planes
            .iter()
            .map(|plane| at.orientation.rotate(&plane.normal));
        each.collect::<Vec<_>>()
    };
    let edges = |(solid, at): (&Polytope<f64>, &Placement<f64>)| {
        let each = solid.outline.edges.iter().filter_map(|edge| solid.ends(edge));
        each.map(|[from, to]| at.orientation.rotate(&(*to - *from)).normalized())
            .collect::<Vec<_>>()
    };
    let mut all = normals(first);
    all.extend(normals(second));
    for d in edges(first) {
        let across = edges(second).into_iter().map(|e| d.cross(&e));
        all.extend(across.filter(|n| n.norm() > 1e-9).map(|n| n.normalized()));
    }
    all
}

fn shape(form: &Form) -> Shape<f64> {
    match *form {
        Form::Sphere { radius } => Shape::Sphere { radius },
        Form::Capsule { radius, length } => Shape::Capsule {
            radius,
            half_length: 0.5 * length,
        },
        Form::RoundedBox { size, radius } => Shape::RoundedBox {
            half_extents: size.map(|s| 0.5 * s - radius),
            radius,
        },
        Form::Ellipsoid { semi_axes } => Shape::Ellipsoid { semi_axes },
        Form::Box { size } => Shape::Box {
            half_extents: size.map(|s| 0.5 * s),
        },
        Form::Convex { corners } => Shape::Convex {
            solid: Polytope::hull(&corners).unwrap().solid.into(),
        },
    }
}
