//! What textbooks tell of blocks, ladders, belts and stacks, with random numbers: the contact decides between resting, sliding and tipping.

use crate::support::scene::Random;
use crate::support::{self, close, last, run};
use dyverse_trace::Trace;

const G: f64 = 9.81;

/// A block of half width a and half height b between the places where it touches, in a plane of motion x, z.
struct Block {
    a: f64,
    b: f64,
    mass: f64,
    radius: f64,
}

impl Block {
    fn random(random: &mut Random) -> Self {
        let (width, height) = (random.between(0.2, 1.0), random.between(0.2, 1.0));
        let radius = random.between(1e-3, 2e-2);
        Block {
            a: 0.5 * width - radius,
            b: 0.5 * height,
            mass: 10_f64.powf(random.between(-1.0, 2.0)),
            radius,
        }
    }

    /// About y, through the centre; given in the text, so that it is what it is said to be.
    fn inertia(&self) -> f64 {
        self.mass / 3.0 * (self.a * self.a + self.b * self.b)
    }

    /// About a place where it touches.
    fn inertia_at_corner(&self) -> f64 {
        self.inertia() + self.mass * (self.a * self.a + self.b * self.b)
    }

    fn text(&self, rest: &str) -> String {
        let Block { a, b, mass, radius } = self;
        let inertia = self.inertia();
        format!(
            "entity b {{ rounded_box(size = ({}, 0.5, {}), radius = {radius}) mass = {mass} inertia = ({inertia}, {inertia}, {inertia}) {rest} }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}",
            2.0 * (a + radius),
            2.0 * b
        )
    }
}

/// A signal at the first sample from `t` on.
fn value_at(trace: &Trace, t: f64, signal: &str) -> f64 {
    let id = trace.signal(signal).unwrap();
    let sample = trace.samples.iter().find(|s| s.time.t() >= t).unwrap();
    sample.values[id.0 as usize]
}

/// How a block begins to move under a force (along x, down, and moment about y at the centre): rest, sliding along x with an acceleration, or tipping about its corner at +a with an angular acceleration;
/// none where it does both, or where that is not clear.
fn begins(block: &Block, friction: f64, (push, weight, moment): (f64, f64, f64)) -> Option<Begins> {
    let Block { a, b, .. } = block;
    let clear = 0.02 * weight;
    // About the centre, without turning: moment + N x − T b = 0, T the force of friction, x the place of the pressure.
    let slides = push - friction * weight;
    let held = if slides > 0.0 { friction * weight } else { push };
    let tips = moment + held * b - weight * a;
    // Nor over the corner at −a.
    let back = -moment - held * b - weight * a;
    if slides.abs() < clear || tips.abs() < clear * a || back > -clear * a {
        return None;
    }
    match (slides > 0.0, tips > 0.0) {
        (false, false) => Some(Begins::Rests),
        (true, false) => Some(Begins::Slides(slides / block.mass)),
        (_, true) => {
            // About the corner, which must hold.
            let turn = (moment + push * b - weight * a) / block.inertia_at_corner();
            let along = push - block.mass * turn * b;
            let up = weight + block.mass * turn * a;
            let margin = friction * up - along.abs();
            (margin > clear && turn > 0.0).then_some(Begins::Tips(turn))
        }
    }
}

enum Begins {
    Rests,
    Slides(f64),
    Tips(f64),
}

/// Runs a block a little while and compares; which it was.
fn compare(block: &Block, friction: f64, loads: (f64, f64, f64), text: &str) -> Option<usize> {
    let begun = begins(block, friction, loads)?;
    let long = 0.3;
    Some(match begun {
        Begins::Rests => {
            let trace = run(text, long);
            assert!(trace.transitions.is_empty(), "{text}: {:?}", trace.transitions);
            close(last(&trace, "b.x"), 0.0, 1e-15);
            0
        }
        Begins::Slides(acceleration) => {
            let trace = run(text, long);
            close(last(&trace, "b.x"), 0.5 * acceleration * long * long, 1e-10);
            close(last(&trace, "b.wy"), 0.0, 1e-10);
            1
        }
        Begins::Tips(turn) => {
            let short = 1e-3 / turn.sqrt();
            let trace = run(text, short);
            close(last(&trace, "b.wy"), turn * short, 1e-4 * turn * short);
            // The corner neither slides nor sinks: its sphere rolls.
            close(
                last(&trace, "b.vx"),
                block.b * last(&trace, "b.wy"),
                1e-4 * block.b * turn * short,
            );
            2
        }
    })
}

/// On an incline a block rests if tan θ < μ, a/b; slides if μ < tan θ and μ < a/b; tips if a/b < tan θ < μ.
#[test]
fn a_block_on_an_incline_rests_slides_or_tips() {
    let mut random = Random(171);
    let mut seen = [0; 3];
    for _ in 0..60 {
        let block = Block::random(&mut random);
        let (angle, friction) = (random.between(0.05, 1.2), random.between(0.0, 2.0));
        let weight = block.mass * G;
        let loads = (weight * angle.sin(), weight * angle.cos(), 0.0);
        let text = format!(
            "{} contact default {{ restitution = 0 friction = {friction} }} gravity ({}, 0, {})",
            block.text(&format!("position = (0, 0, {})", block.b)),
            G * angle.sin(),
            -G * angle.cos()
        );
        if let Some(kind) = compare(&block, friction, loads, &text) {
            seen[kind] += 1;
        }
    }
    assert!(seen.iter().all(|n| *n >= 5), "{seen:?}");
}

/// Pushed at a height z a block slides or tips: F z against m g a.
#[test]
fn a_block_pushed_at_a_height_slides_or_tips() {
    let mut random = Random(172);
    let mut seen = [0; 3];
    for _ in 0..60 {
        let block = Block::random(&mut random);
        let friction = random.between(0.1, 1.5);
        let weight = block.mass * G;
        let push = weight * random.between(0.0, 1.5);
        let moment = push * random.between(-block.b, block.b);
        let text = format!(
            "{} contact default {{ restitution = 0 friction = {friction} }} gravity (0, 0, -{G})
             force on b = ({push}, 0, 0) moment on b = (0, {moment}, 0)",
            block.text(&format!("position = (0, 0, {})", block.b)),
        );
        if let Some(kind) = compare(&block, friction, (push, weight, moment), &text) {
            seen[kind] += 1;
        }
    }
    assert!(seen.iter().all(|n| *n >= 5), "{seen:?}");
}

/// A block that rocks onto its other corner without a rebound keeps its angular momentum about that: ω⁺/ω⁻ = (I + m(b² − a²)) / (I + m(b² + a²)), that is 1 − 3/2 sin² α with I = m (a² + b²)/3.
#[test]
fn a_rocking_block_keeps_its_angular_momentum() {
    let mut random = Random(173);
    for _ in 0..12 {
        let mut block = Block::random(&mut random);
        // Slender, so that it goes on to the other side.
        block.b = block.a * random.between(1.5, 4.0);
        let tilt = random.between(0.02, 0.1);
        let Block { a, b, radius, .. } = block;
        // On the corner at +a: the centre above the sphere's centre.
        let height = radius + (b - radius) * tilt.cos() + a * tilt.sin();
        let text = format!(
            "{} contact default {{ restitution = 0 friction = 8 }} gravity (0, 0, -{G})",
            block.text(&format!(
                "position = (0, 0, {height}) orientation = rotation(axis = (0, 1, 0), angle = {tilt})"
            )),
        );
        // Until it lies flat and has gone on for a little.
        let trace = run(&text, 2.0);
        let impact = support::impacts(&trace)[0];
        let id = trace.signal("b.wy").unwrap().0 as usize;
        let at: Vec<f64> = trace
            .samples
            .iter()
            .filter(|s| s.time.t() == impact)
            .map(|s| s.values[id])
            .collect();
        let (before, after) = (at[0], at[at.len() - 1]);
        let sine = a / a.hypot(b);
        close(after / before, 1.0 - 1.5 * sine * sine, 1e-9);
    }
}

/// A smooth ladder that slides down leaves the wall when its top is at two thirds of the height that it began from.
#[test]
fn a_ladder_leaves_the_wall_at_two_thirds_of_its_height() {
    let mut random = Random(174);
    for _ in 0..12 {
        let (angle, length) = (random.between(0.5, 1.4), random.between(0.5, 4.0));
        let radius = random.between(1e-3, 2e-2);
        let mass = random.between(0.1, 10.0);
        // A thin rod between the centres of its ends.
        let inertia = mass * length * length / 12.0;
        let (s, c) = angle.sin_cos();
        let text = format!(
            "entity l {{ capsule(radius = {radius}, length = {length}) mass = {mass} inertia = ({inertia}, {inertia}, {inertia})
                position = ({}, 0, {}) orientation = rotation(axis = (0, 1, 0), angle = {}) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             fixed entity wall {{ half_space(normal = (1, 0, 0), offset = 0) }}
             contact default {{ restitution = 0 friction = 0 }} gravity (0, 0, -{G})",
            0.5 * length * c + radius,
            0.5 * length * s + radius,
            angle - std::f64::consts::FRAC_PI_2
        );
        let trace = run(&text, 1.5 * (length / G).sqrt());
        let left = trace
            .transitions
            .iter()
            .find(|t| t.contacts.iter().any(|c| c.contains("wall")));
        let left = left.unwrap_or_else(|| panic!("it never leaves: {text}")).time.t();
        let height = 2.0 * (value_at(&trace, left, "l.z") - radius);
        close(height, length * s * 2.0 / 3.0, 1e-9 * length);
    }
}

/// A block on a belt (a plate on a smooth floor) that is braked too hard slides on, until both have one velocity again.
#[test]
fn a_block_on_a_braked_belt_slides_until_it_is_caught() {
    let mut random = Random(175);
    for _ in 0..8 {
        let (m, plate) = (random.between(0.1, 5.0), random.between(1.0, 10.0));
        let (friction, speed) = (random.between(0.1, 0.5), random.between(1.0, 3.0));
        let braked = random.between(0.1, 0.3);
        let force = (friction * m * G) + plate * friction * G * random.between(1.2, 3.0);
        let text = format!(
            "entity p {{ rounded_box(size = (4, 1, 0.1), radius = 0.01) mass = {plate} position = (0, 0, 0.05) velocity = ({speed}, 0, 0) }}
             entity b {{ rounded_box(size = (0.3, 0.3, 0.1), radius = 0.01) mass = {m} position = (0, 0, 0.15) velocity = ({speed}, 0, 0) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = 0 }}
             contact p, b {{ restitution = 0 friction = {friction} }}
             gravity (0, 0, -{G})
             force on p = (if time < {braked} then -{force} else 0, 0, 0)"
        );
        // By hand: both slow down by what acts on them, then share their momentum.
        let (slow, hard) = (friction * G, (force - friction * m * G) / plate);
        let between = (hard - slow) * braked;
        let caught = braked + between / (slow * (1.0 + m / plate));
        let until = caught + 0.2;
        let common = speed - force * braked / (m + plate);
        let way = speed * caught - 0.5 * slow * caught * caught + common * (until - caught);
        let trace = run(&text, until);
        close(last(&trace, "b.vx"), common, 1e-9);
        close(last(&trace, "p.vx"), common, 1e-9);
        close(last(&trace, "b.x"), way, 1e-8);
    }
}

/// Bricks stand with overhangs of 1/2, 1/4, 1/6 … of their length from the top on, and fall with a little more: all of the tower above some brick tips.
#[test]
fn a_tower_of_bricks_stands_up_to_the_harmonic_overhang() {
    for bricks in 2..=5_usize {
        for (share, stands) in [(0.99, true), (1.01, false)] {
            let (length, radius) = (1.0, 1e-3);
            let half = 0.5 * length - radius;
            let mut x = 0.0;
            let mut text = String::new();
            for level in 0..bricks {
                let z = 0.1 + 0.2 * level as f64;
                text += &format!(
                    "entity b{level} {{ rounded_box(size = ({length}, 0.4, 0.2), radius = {radius}) mass = 1 position = ({x}, 0, {z}) }}\n"
                );
                // The centre of what is above is over the last place that bears it: the edge of this one.
                let above = (bricks - 1 - level) as f64;
                x += share * half / above.max(1.0);
            }
            text += "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
                     contact default { restitution = 0 friction = 0.8 } gravity (0, 0, -9.81)";
            let trace = support::simulate(&support::model(&text), &support::options(0.4)).unwrap();
            assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
            let turned = last(&trace, &format!("b{}.wy", bricks - 1)).abs();
            assert_eq!(turned < 1e-9, stands, "{bricks} bricks, {share}: {turned}");
        }
    }
}

/// Balls that roll on a plate which is pushed over the ground: they are as heavy for it as two sevenths of their mass.
#[test]
fn balls_roll_on_a_plate_that_slides() {
    let mut random = Random(176);
    for side in 1..=3_usize {
        let (mass, friction) = (random.between(5.0, 20.0), random.between(0.1, 0.4));
        let count = (side * side) as f64;
        let weight = (mass + count) * G;
        let push = weight * (friction + random.between(0.02, 0.2));
        let mut text = format!(
            "entity p {{ rounded_box(size = (8, 8, 1), radius = 0.001) mass = {mass} position = (0, 0, 0.5) }}
             fixed entity ground {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = 0.9 }}
             contact p, ground {{ restitution = 0 friction = {friction} }}
             force on p = ({push}, 0, 0) gravity (0, 0, -{G})\n"
        );
        for k in 0..side * side {
            let place = |n: usize| 2.0 * (n as f64 - 0.5 * (side - 1) as f64);
            let (x, y) = (place(k / side), place(k % side));
            text += &format!("entity b{k} {{ sphere(radius = 0.5) mass = 1 position = ({x}, {y}, 1.5) }}\n");
        }
        let acceleration = (push - friction * weight) / (mass + count * 2.0 / 7.0);
        let trace = run(&text, 1.0);
        close(last(&trace, "p.vx"), acceleration, 1e-8);
        for k in 0..side * side {
            close(last(&trace, &format!("b{k}.vx")), acceleration * 2.0 / 7.0, 1e-8);
        }
    }
}
