//! Friction over place, time and direction, against closed forms of blocks with random numbers; every trace is judged.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_simulate::{Contacts, RunOptions};
use dyverse_trace::Trace;
use support::scene::Random;
use support::{close, last, model, options, run};

const G: f64 = 9.81;

/// A block flat on a plane that falls with `angle` in x, `speed` down it. `friction` is written over `b`.
fn block(random: &mut Random, angle: f64, friction: &str, speed: f64) -> String {
    let [a, b] = [random.between(0.3, 1.0), random.between(0.3, 1.0)];
    let (c, mass) = (random.between(0.02, 0.1), random.between(0.1, 10.0));
    let (s, k) = angle.sin_cos();
    format!(
        "entity b {{ rounded_box(size = ({a}, {b}, {c}), radius = {}) mass = {mass} position = ({}, 0, {})
           orientation = rotation(axis = (0, 1, 0), angle = {angle}) velocity = ({}, 0, {}) }}
         fixed entity plane {{ half_space(normal = ({s}, 0, {k}), offset = 0) }}
         contact b, plane {{ restitution = 0 friction = {friction} }}
         gravity (0, 0, {})",
        0.1 * c,
        0.5 * c * s,
        0.5 * c * k,
        speed * k,
        -speed * s,
        -G
    )
}

/// The way down the plane, and the speed.
fn along(trace: &Trace, angle: f64) -> (f64, f64) {
    let (s, k) = angle.sin_cos();
    let of = |x: &str, z: &str| last(trace, &format!("b.{x}")) * k - last(trace, &format!("b.{z}")) * s;
    (of("x", "z"), of("vx", "vz"))
}

/// Oracle: with μ_1 up to x = d and μ_2 beyond, v² = v_0² − 2 μ_1 g d there, and the block stops where that is used up; ice, glue, or nothing at all on either side.
#[test]
fn a_block_slides_from_one_ground_onto_another() {
    let mut random = Random(61);
    for round in 0..16 {
        let speed = random.between(1.0, 3.0);
        let (first, second) = (random.between(0.05, 0.6), random.between(0.05, 0.6));
        let (first, second) = match round % 4 {
            0 => (0.0, second),
            1 => (first, 0.0),
            _ => (first, second),
        };
        let border = random.between(0.1, 0.9) * speed * speed / (2.0 * first.max(0.1) * G);
        let law = format!("if b.x < {border} then {first} else {second}");
        let until = 1.2 * speed / (G * first.max(second).min(0.3));
        let text = block(&mut random, 0.0, &law, speed);
        let trace = run(&text, until);
        let there = (speed * speed - 2.0 * first * G * border).sqrt();
        let time = border / (0.5 * (speed + there));
        let (x, v) = if second * G * (until - time) < there {
            let rest = until - time;
            (
                border + there * rest - 0.5 * second * G * rest * rest,
                there - second * G * rest,
            )
        } else {
            (border + there * there / (2.0 * second * G), 0.0)
        };
        close(last(&trace, "b.x"), x, 1e-9 * x.max(1.0));
        close(last(&trace, "b.vx"), v, 1e-9 * speed);

        // Steps do not look for the border: they are off by what one step across it is.
        if round % 4 == 3 {
            let by_steps = |step: f64| {
                let how = RunOptions {
                    contacts: Contacts::Stepping,
                    contact_step: Some(step),
                    ..options(until)
                };
                (last(&dyverse_simulate::simulate(&model(&text), &how).unwrap(), "b.x") - x).abs()
            };
            let errors = [4e-3, 1e-3].map(by_steps);
            assert!(errors[0] < 4e-3 * speed && errors[1] < 1e-3 * speed, "{errors:?}");
        }
    }
}

/// Oracle: with μ = k x the square of the speed falls by g k x²: the block stops at v/√(g k).
#[test]
fn friction_grows_with_the_way() {
    let mut random = Random(62);
    for _ in 0..6 {
        let (speed, grows) = (random.between(0.5, 3.0), random.between(0.1, 2.0));
        let trace = run(
            &block(&mut random, 0.0, &format!("{grows} * max(b.x, 0)"), speed),
            3.0 * 1.6 / (G * grows).sqrt(),
        );
        let way = speed / (G * grows).sqrt();
        close(last(&trace, "b.x"), way, 1e-9 * way.max(1.0));
        close(last(&trace, "b.vx"), 0.0, 1e-9);
    }
}

/// Oracle: friction that fades, μ = μ_0 − r t, holds the block until μ = tan α; after a time τ from then its speed is g cos α r τ²/2.
#[test]
fn friction_fades_until_the_block_slides() {
    let mut random = Random(63);
    for _ in 0..8 {
        let angle: f64 = random.between(0.1, 0.6);
        let (spare, rate) = (random.between(0.02, 0.2), random.between(0.1, 0.5));
        let law = format!("max({} - {rate} * time, 0)", angle.tan() + spare);
        let (holds, slides) = (spare / rate, random.between(0.2, 0.6) * angle.tan() / rate);
        let trace = run(&block(&mut random, angle, &law, 0.0), holds + slides);
        let (way, speed) = along(&trace, angle);
        let jerk = G * angle.cos() * rate;
        close(speed, 0.5 * jerk * slides * slides, 1e-8);
        close(way, jerk * slides.powi(3) / 6.0, 1e-8);
    }
}

/// Oracle: rough up the plane and smooth down it, as fur is: thrown up it slows down with g (sin α + μ_1 cos α), and slides back with g (sin α − μ_2 cos α).
#[test]
fn friction_depends_on_direction() {
    let mut random = Random(64);
    for _ in 0..8 {
        let angle: f64 = random.between(0.3, 0.7);
        let (up, down) = (random.between(0.4, 0.9), random.between(0.0, 0.25));
        let speed = random.between(0.5, 2.0);
        let law = format!("if b.vx < 0 then {up} else {down}");
        let (s, k) = angle.sin_cos();
        let (slows, speeds) = (G * (s + up * k), G * (s - down * k));
        let back = random.between(0.1, 0.5);
        let trace = run(&block(&mut random, angle, &law, -speed), speed / slows + back);
        let (way, after) = along(&trace, angle);
        close(after, speeds * back, 1e-8);
        close(
            way,
            0.5 * speeds * back * back - 0.5 * speed * speed / slows,
            1e-8,
        );
    }
}

/// Oracle: Coulomb's law of an impact with the friction of the place where it strikes, and of the moment.
#[test]
fn impacts_have_the_friction_of_their_place() {
    let mut random = Random(65);
    for _ in 0..12 {
        let (vx, vy, e) = (
            random.between(2.0, 4.0),
            random.between(1.0, 2.0),
            random.between(0.0, 0.9),
        );
        let (low, high) = (random.between(0.01, 0.05), random.between(0.06, 0.1));
        let place = random.between(-0.5, 0.5);
        let trace = run(
            &format!(
                "entity ball {{ sphere(radius = 0.1) mass = 2 position = ({}, 1.1, 0) velocity = ({vx}, {}, 0) }}
                 fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
                 contact ball, floor {{ restitution = {e} friction = if ball.x < 0 then {low} else {high} }}",
                place - vx / vy,
                -vy
            ),
            1.0 / vy + 0.01,
        );
        // It slips throughout: 3.5 μ (1 + e) v_y is less than v_x.
        let mu = if place < 0.0 { low } else { high };
        assert!(3.5 * mu * (1.0 + e) * vy < vx);
        close(last(&trace, "ball.vx"), vx - mu * (1.0 + e) * vy, 1e-10);
    }
}
