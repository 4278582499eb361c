//! Contacts followed by steps, against closed forms and against events; and what rests.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_replay::{ReplayOptions, replay};
use dyverse_simulate::{Contacts, RunOptions};
use dyverse_trace::{SteppingPhase, Trace, Transition, TransitionKind};
use support::scene::Random;
use support::{close, last, model, options, simulate};

pub(crate) const GRAVITY: f64 = 9.81;

pub(crate) fn run(text: &str, until: f64, contacts: Contacts, step: Option<f64>) -> Trace {
    let options = RunOptions {
        contacts,
        contact_step: step,
        ..options(until)
    };
    simulate(&model(text), &options).unwrap()
}

/// Steps each of which is half the one before.
pub(crate) fn halves(first: f64, count: i32) -> impl Iterator<Item = f64> {
    (0..count).map(move |n| first * 0.5_f64.powi(n))
}

/// The errors at some steps.
pub(crate) fn errors(
    text: &str,
    until: f64,
    steps: impl Iterator<Item = f64>,
    error: impl Fn(&Trace) -> f64,
) -> Vec<f64> {
    let at = |step: f64| {
        let trace = run(text, until, Contacts::Stepping, Some(step));
        assert!(trace.stop.reason.is_complete(), "{:?}", trace.stop);
        error(&trace)
    };
    steps.map(at).collect()
}

/// Errors fall as the step does: a sixteenth of the step has less than an eighth of the error, or there is none.
fn assert_first_order(errors: &[f64], size: f64) {
    let (first, last) = (errors[0], errors[4]);
    assert!(last <= 0.125 * first + 1e-9 * size, "{errors:?}");
}

/// Oracle: a box that slides stops after v²/(2 μ g).
#[test]
fn a_sliding_box_stops_where_it_must_as_steps_fall() {
    let mut random = Random(5);
    for _ in 0..4 {
        let (mu, speed) = (random.between(0.2, 0.7), random.between(0.5, 2.0));
        let text = format!(
            "entity b {{ rounded_box(size = (0.4, 0.3, 0.1), radius = 0.01) mass = 2 position = (0, 0, 0.05) velocity = ({speed}, 0, 0) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = {mu} }}
             gravity (0, 0, -{GRAVITY})"
        );
        let way = speed * speed / (2.0 * mu * GRAVITY);
        let until = 1.5 * speed / (mu * GRAVITY);
        let found = errors(&text, until, halves(0.01, 5), |trace| {
            close(last(trace, "b.vx"), 0.0, 1e-9);
            close(last(trace, "b.z"), 0.05, 1e-7);
            (last(trace, "b.x") - way).abs()
        });
        assert_first_order(&found, way);
    }
}

/// Oracle: a ball that slides rolls from 2v/(7 μ g) on, at 5/7 of its speed.
#[test]
fn a_sliding_ball_rolls_as_steps_fall() {
    let mut random = Random(6);
    for _ in 0..4 {
        let (mu, speed) = (random.between(0.1, 0.5), random.between(0.5, 2.0));
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 2 position = (0, 0, 0.1) velocity = ({speed}, 0, 0) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = {mu} }}
             gravity (0, 0, -{GRAVITY})"
        );
        let begins = 2.0 * speed / (7.0 * mu * GRAVITY);
        let until = 2.0 * begins;
        let way = speed * begins - 0.5 * mu * GRAVITY * begins * begins + 5.0 / 7.0 * speed * begins;
        let found = errors(&text, until, halves(0.01, 5), |trace| {
            close(last(trace, "b.vx"), 5.0 / 7.0 * speed, 1e-6);
            (last(trace, "b.x") - way).abs()
        });
        assert_first_order(&found, way);
    }
}

/// Oracle: energy does not grow by more than a step of fall at its speed, which is how well a step in which it strikes tells where it is; and a ball with restitution e comes to rest near √(2h/g) (1 + e)/(1 − e).
#[test]
fn a_bouncing_ball_comes_to_rest_by_steps() {
    for e in [0.0, 0.3, 0.6, 0.8] {
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 0.6) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = {e} friction = 0.3 }}
             gravity (0, 0, -{GRAVITY})"
        );
        let rests = (1.0 / GRAVITY).sqrt() * (1.0 + e) / (1.0 - e);
        let step = 2e-4;
        let trace = run(&text, 2.0 * rests, Contacts::Stepping, Some(step));
        close(last(&trace, "b.z"), 0.1, 1e-7);
        close(last(&trace, "b.vz"), 0.0, 1e-7);
        let signal = |name: &str| trace.signals.iter().position(|s| s.name == name).unwrap();
        let (z, v) = (signal("b.z"), signal("b.vz"));
        let mut least = f64::MAX;
        for sample in &trace.samples {
            let energy = 0.5 * sample.values[v] * sample.values[v] + GRAVITY * sample.values[z];
            assert!(
                energy <= least + GRAVITY * step * (sample.values[v].abs() + 2.0 * GRAVITY * step),
                "e = {e}: {energy} after {least} at {}",
                sample.time
            );
            least = least.min(energy);
        }
    }
}

/// Oracle: momentum stays where nothing is fixed, and with e = 1 energy does not grow.
#[test]
fn steps_keep_momentum() {
    let mut random = Random(8);
    for number in 0..4 {
        let mut text = format!(
            "contact default {{ restitution = {} friction = 0.4 }}\n",
            if number % 2 == 0 { 1.0 } else { 0.3 }
        );
        let (mut momentum, count) = ([0.0; 3], 4);
        for n in 0..count {
            let mass = random.between(0.5, 2.0);
            let v = [0.0; 3].map(|_| random.between(-0.1, 0.1) - if n == 0 { 0.0 } else { 0.5 * n as f64 });
            momentum.iter_mut().zip(v).for_each(|(p, v)| *p += mass * v);
            let at = 0.45 * n as f64;
            text += &format!(
                "entity b{n} {{ sphere(radius = 0.2) mass = {mass} position = ({at}, {at}, {at}) velocity = ({}, {}, {}) }}\n",
                v[0], v[1], v[2]
            );
        }
        let trace = run(&text, 2.0, Contacts::Stepping, None);
        for (axis, p) in ["vx", "vy", "vz"].iter().zip(momentum) {
            let masses = text
                .lines()
                .filter_map(|l| l.split("mass = ").nth(1)?.split(' ').next()?.parse().ok());
            let found: f64 = masses
                .enumerate()
                .map(|(n, mass): (usize, f64)| mass * last(&trace, &format!("b{n}.{axis}")))
                .sum();
            close(found, p, 1e-9);
        }
        let balance = &trace.balance;
        assert!(
            balance.kinetic_at_end <= balance.kinetic_at_start + 1e-9,
            "{balance:?}"
        );
        assert!(!trace.stepping.is_empty());
    }
}

/// Few contacts that are clear are followed by events alone, whatever is allowed.
#[test]
fn what_is_clear_is_followed_by_events() {
    let text = "entity b { rounded_box(size = (0.2, 0.3, 0.2), radius = 0.02) mass = 1 position = (0, 0, 0.5) orientation = rotation(axis = (1, 2, 0), angle = 0.6) }
         fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
         contact default { restitution = 0.3 friction = 0.4 }
         gravity (0, 0, -9.81)";
    let (exact, auto) = (
        run(text, 2.0, Contacts::Exact, None),
        run(text, 2.0, Contacts::Auto, None),
    );
    assert!(auto.stepping.is_empty() && auto.statistics.stepped == 0.0);
    assert_eq!(exact.samples, auto.samples);
}

/// A heap: it begins by events, goes on by steps, and what the trace tells of that is judged.
#[test]
fn a_heap_is_told_as_what_it_is() {
    let mut text = String::from(
        "contact default { restitution = 0.3 friction = 0.4 }
         gravity (0, 0, -9.81)
         fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
         fixed entity west { half_space(normal = (1, 0, 0), offset = 0) }
         fixed entity east { half_space(normal = (-1, 0, 0), offset = -0.45) }
         fixed entity south { half_space(normal = (0, 1, 0), offset = 0) }
         fixed entity north { half_space(normal = (0, -1, 0), offset = -0.45) }\n",
    );
    let mut random = Random(2);
    for n in 0..8 {
        let (x, y, z) = (n % 2, n / 2 % 2, n / 4);
        let mut off = || random.between(-0.01, 0.01);
        text += &format!(
            "entity b{n} {{ sphere(0.1) mass = 1 position = ({}, {}, {}) }}\n",
            0.12 + 0.21 * f64::from(x) + off(),
            0.12 + 0.21 * f64::from(y) + off(),
            0.3 + 0.25 * f64::from(z) + off()
        );
    }
    let model = model(&text);
    let options = RunOptions {
        contacts: Contacts::Stepping,
        ..options(1.5)
    };
    let trace = simulate(&model, &options).unwrap();
    assert!(trace.stop.reason.is_complete(), "{:?}", trace.stop);
    assert!(trace.statistics.stepped > 0.3, "{:?}", trace.statistics);
    for phase in &trace.stepping {
        assert!(phase.from < phase.to && phase.steps > 0, "{phase:?}");
        assert!(phase.penetration <= 1e-6 * 0.1, "{phase:?}");
    }
    let of_steps = |t: &&Transition| t.rule == Transition::BY_STEPS;
    assert!(trace.transitions.iter().filter(of_steps).count() > 0);
    let judging = ReplayOptions::default();
    let judged = replay(&model, &trace, &judging).unwrap();
    assert!(judged.is_accepted(), "{:?}", judged.wrong.first());
    assert!(!judged.open.is_empty());
    // What is false of it is refused.
    let mut deep = trace.clone();
    deep.samples.last_mut().unwrap().values[2] -= 0.01;
    let mut untold = trace.clone();
    untold.stepping.clear();
    let mut kind = trace.clone();
    let place = kind
        .transitions
        .iter()
        .position(|t| t.rule == Transition::BY_STEPS)
        .unwrap();
    kind.transitions[place].kind = TransitionKind::Impact;
    for bad in [deep, untold, kind] {
        assert!(!replay(&model, &bad, &judging).unwrap().is_accepted());
    }
}

/// Oracle: forces that balance leave a stack where it is, for as long as one likes, in one step.
#[test]
fn stacks_rest_in_one_step() {
    for count in [1, 2, 4] {
        let mut text = String::from(
            "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
             contact default { restitution = 0.2 friction = 0.5 }
             gravity (0, 0, -9.81)\n",
        );
        for n in 0..count {
            let (x, z) = (0.02 * f64::from(n), 0.1 * f64::from(n) + 0.05);
            text += &format!(
                "entity b{n} {{ rounded_box(size = (0.3, 0.3, 0.1), radius = 0.005) mass = 1 position = ({x}, 0, {z}) }}\n"
            );
        }
        let trace = run(&text, 1000.0, Contacts::Exact, None);
        assert!(trace.stop.reason.is_complete(), "{:?}", trace.stop);
        assert!(
            trace.transitions.is_empty() && trace.statistics.steps <= 5,
            "{:?}",
            trace.statistics
        );
        for n in 0..count {
            close(last(&trace, &format!("b{n}.z")), 0.1 * f64::from(n) + 0.05, 1e-12);
            close(last(&trace, &format!("b{n}.x")), 0.02 * f64::from(n), 1e-12);
        }
    }
}

/// What rests wakes when it is struck: the same as where a load of nothing, which changes, keeps it awake.
#[test]
fn what_rests_is_woken() {
    let mut random = Random(21);
    for _ in 0..6 {
        let (speed, height, mu) = (
            random.between(1.0, 3.0),
            random.between(0.06, 0.16),
            random.between(0.2, 0.6),
        );
        let text = |force: &str| {
            format!(
                "entity box {{ rounded_box(size = (0.2, 0.2, 0.2), radius = 0.01) mass = 1 position = (0, 0, 0.1) }}
                 entity ball {{ sphere(radius = 0.05) mass = 0.5 position = (-1, 0.01, {height}) velocity = ({speed}, 0, 0) }}
                 fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
                 contact default {{ restitution = 0.3 friction = {mu} }}
                 force on box = (0, 0, -9.81)
                 {force}"
            )
        };
        let until = 1.2 / speed;
        let rests = run(&text(""), until, Contacts::Exact, None);
        let wakes = run(
            &text("force on box = (1e-30*sin(time), 0, 0)"),
            until,
            Contacts::Exact,
            None,
        );
        assert!(rests.transitions.len() > 3);
        for signal in ["box.x", "box.z", "box.vx", "box.wy", "ball.x", "ball.vx"] {
            close(last(&rests, signal), last(&wakes, signal), 1e-8);
        }
    }
}

/// Oracle: a ball that sticks to the floor rolls under any push, at 5/7 of F/m, and slow ones go on.
#[test]
fn small_loads_and_slow_motions_are_no_rest() {
    for exponent in -11..=-2 {
        let push = 10.0_f64.powi(exponent) * GRAVITY;
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 0.1) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = 0.5 }}
             gravity ({push}, 0, -{GRAVITY})"
        );
        let trace = run(&text, 2.0, Contacts::Exact, None);
        let way = 0.5 * 5.0 / 7.0 * push * 4.0;
        close(last(&trace, "b.x"), way, 1e-6 * way + 1e-15);
        let speed = 10.0_f64.powi(exponent);
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 0.1) velocity = ({speed}, 0, 0) angular_velocity = (0, {}, 0) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = 0.5 }}
             gravity (0, 0, -{GRAVITY})",
            10.0 * speed
        );
        let trace = run(&text, 2.0, Contacts::Exact, None);
        close(last(&trace, "b.x"), 2.0 * speed, 1e-6 * speed + 1e-15);
    }
}

/// A box flat on a floor, of 1 kg, with forces.
fn pushed(friction: f64, rest: &str) -> String {
    format!(
        "entity b {{ rounded_box(size = (0.2, 0.2, 0.2), radius = 0.01) mass = 1 position = (0, 0, 0.1) }}
         fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
         contact default {{ restitution = 0 friction = {friction} }}
         gravity (0, 0, -{GRAVITY})
         {rest}"
    )
}

/// Oracle: a push F of d seconds makes a box slide d²(F/m − μg)/2 and, after it, v²/(2μg), however short it is and whenever it comes.
#[test]
fn pulses_are_not_stepped_over() {
    let mut random = Random(31);
    for _ in 0..8 {
        let (mu, from) = (random.between(0.2, 0.5), random.between(0.3, 1.0));
        let (lasts, force) = (random.between(0.005, 0.05), random.between(30.0, 80.0));
        let to = from + lasts;
        let text = pushed(
            mu,
            &format!("force on b = (if time > {from} and time < {to} then {force} else 0, 0, 0)"),
        );
        let speed = (force - mu * GRAVITY) * lasts;
        let way = 0.5 * speed * lasts + speed * speed / (2.0 * mu * GRAVITY);
        let until = to + 1.5 * speed / (mu * GRAVITY);
        let found = errors(&text, until, halves(4e-3, 5), |trace| {
            close(last(trace, "b.vx"), 0.0, 1e-9);
            (last(trace, "b.x") - way).abs()
        });
        assert!(found[4] <= 0.02 * way, "{way}: {found:?}");
        // Steps that choose their lengths themselves.
        let trace = run(&text, until, Contacts::Stepping, None);
        close(last(&trace, "b.x"), way, 0.1 * way);
    }
}

/// Oracle: springs and dampers give no energy, however stiff they are and whatever steps grow to.
#[test]
fn springs_and_dampers_add_no_energy() {
    for (stiffness, damping) in [(1e2, 0.0), (1e4, 0.0), (1e4, 1.0), (1e2, 1e2), (1e4, 1e3)] {
        let text = pushed(
            0.0,
            &format!("force on b = (-{stiffness}*b.x - {damping}*b.vx, 0, 0)"),
        )
        .replace("position = (0, 0, 0.1)", "position = (0.01, 0, 0.1)");
        let trace = run(&text, 2.0, Contacts::Stepping, None);
        assert!(trace.stop.reason.is_complete(), "{:?}", trace.stop);
        let signal = |name: &str| trace.signals.iter().position(|s| s.name == name).unwrap();
        let (x, v) = (signal("b.x"), signal("b.vx"));
        let first = 0.5 * stiffness * 1e-4;
        for sample in &trace.samples {
            let (x, v) = (sample.values[x], sample.values[v]);
            let energy = 0.5 * v * v + 0.5 * stiffness * x * x;
            assert!(
                energy <= 1.02 * first,
                "k = {stiffness}, c = {damping}: {energy} of {first} at {}",
                sample.time
            );
        }
    }
}

/// Steps know Newton's simultaneous impacts only: others are followed by events, whatever is asked for; lengths that get nowhere are refused.
#[test]
fn what_steps_do_not_know_is_not_followed_by_them() {
    let text = "entity a { sphere(radius = 0.1) mass = 1 position = (0, 0, 0.3) }
        fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
        contact default { restitution = 0.5 friction = 0.2 }
        gravity (0, 0, -9.81)\n";
    for law in ["sequential first", "poisson"] {
        let trace = run(&format!("{text}impacts {law}\n"), 1.0, Contacts::Stepping, None);
        assert!(trace.stepping.is_empty(), "{law}: {:?}", trace.stepping);
        assert!(trace.transitions.iter().all(|t| t.rule != Transition::BY_STEPS));
    }
    for step in [0.0, -1.0, 1e-300, f64::NAN, f64::INFINITY] {
        let options = RunOptions {
            contacts: Contacts::Stepping,
            contact_step: Some(step),
            ..options(1.0)
        };
        let refused = dyverse_simulate::simulate(&model(text), &options).unwrap_err();
        assert!(
            refused.to_string().contains("steps that follow contacts"),
            "{refused}"
        );
    }
}

/// Balls thrown into wedges whose walls hold them by friction alone: two contacts whose forces can grow without end and do nothing. Energy does not grow, and nothing goes into the walls.
#[test]
fn balls_in_wedges_gain_nothing() {
    let mut random = Random(79);
    let mut told = 0;
    for number in 0..24 {
        // The walls lean by these angles from the vertical; friction holds a ball between them.
        let angles = [random.between(0.1, 0.6), random.between(0.1, 0.6)];
        let half = 0.5 * (angles[0] + angles[1]);
        let friction = half.tan() + random.between(0.05, 0.6);
        let restitution = random.between(0.0, 0.9);
        let walls: String = angles
            .iter()
            .zip([1.0, -1.0])
            .enumerate()
            .map(|(n, (angle, side))| {
                let (s, c) = angle.sin_cos();
                format!(
                    "fixed entity w{n} {{ half_space(normal = ({}, 0, {s}), offset = 0) }}\n",
                    side * c
                )
            })
            .collect();
        let mut speed = || random.between(-2.0, 2.0);
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 2 position = (0, 0, 3) velocity = ({}, {}, {}) angular_velocity = ({}, {}, {}) }}\n{walls}
             contact default {{ restitution = {restitution} friction = {friction} }} gravity (0, 0, -{GRAVITY})",
            0.2 * speed(), speed(), speed(), 9.0 * speed(), 9.0 * speed(), 9.0 * speed()
        );
        for contacts in [Contacts::Auto, Contacts::Stepping] {
            let options = RunOptions {
                contacts,
                ..options(2.0)
            };
            let trace = dyverse_simulate::simulate(&model(&text), &options).unwrap();
            assert!(
                trace.stop.reason.is_complete(),
                "{number}: {}\n{text}",
                trace.stop.reason
            );
            let mut least = f64::MAX;
            for sample in &trace.samples {
                let at = |c: &str| sample.values[trace.signal(&format!("b.{c}")).unwrap().0 as usize];
                let square = |names: [&str; 3]| names.iter().map(|c| at(c) * at(c)).sum::<f64>();
                let energy = square(["vx", "vy", "vz"])
                    + 0.4 * 0.01 * square(["wx", "wy", "wz"])
                    + 2.0 * GRAVITY * at("z");
                // Energy is that of the ends of steps: in one in which a strike falls velocities are those after it from its beginning on.
                let t = sample.time.t();
                let is_within = |phase: &SteppingPhase| phase.from < t && t < phase.to;
                if !trace.stepping.iter().any(is_within) {
                    assert!(
                        energy <= least + 1e-6,
                        "{number}, {contacts:?}: energy grows by {:e} before {}\n{text}",
                        energy - least,
                        sample.time
                    );
                    (least, told) = (least.min(energy), told + 1);
                }
                for (angle, side) in angles.iter().zip([1.0, -1.0]) {
                    let (s, c) = angle.sin_cos();
                    let gap = side * c * at("x") + s * at("z") - 0.1;
                    assert!(
                        gap > -1e-7,
                        "{number}, {contacts:?}: {gap:e} deep at {}\n{text}",
                        sample.time
                    );
                }
            }
        }
    }
    assert!(told > 2000, "{told}");
}
