//! Random scenes of everything that a model may have: all shapes, laws, impact policies, loads, switches, inputs. They are made to be judged, not to be told apart by a closed form.
//!
//! | family | what |
//! |---|---|
//! | thrown | things of all shapes thrown at each other, with walls or none |
//! | fallen | things that fall into walls |
//! | row | spheres in a row, some of which touch, struck by another |
//! | lying | spheres and capsules at rest on a floor and on each other, pushed |
//! | sliding | things that slide down a plane into each other and a wall |

use super::scene::{Form, Random, Recipe, Scene};
use dyverse_trace::InputSignal;
use std::fmt::Write;

pub(crate) struct Varied {
    pub(crate) family: &'static str,
    pub(crate) text: String,
    pub(crate) inputs: Vec<(String, InputSignal)>,
    /// Whether inner steps of nodes are to be shown.
    pub(crate) shows_nodes: bool,
    pub(crate) until: f64,
}

/// The scene of a seed.
pub(crate) fn varied(seed: u64) -> Varied {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x51);
    let law = Law::random(&mut random);
    let families: [(&'static str, Family); 5] = [
        ("thrown", thrown),
        ("fallen", fallen),
        ("row", row),
        ("lying", lying),
        ("sliding", sliding),
    ];
    let (family, make) = families[random.below(families.len())];
    let (mut text, names) = make(&mut random, &law);
    let mut inputs = Vec::new();
    loads(&mut random, &mut text, &names, &mut inputs);
    let policies = [
        "simultaneous",
        "simultaneous",
        "sequential first",
        "sequential any",
        "sequential random(7)",
        "poisson",
    ];
    let policy = policies[random.below(policies.len())];
    let uncapped = if random.often(0.2) { " uncapped" } else { "" };
    writeln!(text, "impacts {policy}{uncapped}").unwrap();
    Varied {
        family,
        text,
        inputs,
        shows_nodes: random.often(0.05),
        until: random.between(0.3, 1.0),
    }
}

/// Writes the bodies and the law; gives the names of those that move.
type Family = fn(&mut Random, &Law) -> (String, Vec<String>);

/// The law of all contacts.
struct Law {
    restitution: f64,
    tangential: f64,
    friction: String,
}

impl Law {
    fn random(random: &mut Random) -> Law {
        let restitution = match random.below(4) {
            0 => 0.0,
            1 => 1.0,
            _ => random.between(0.05, 0.95),
        };
        let tangential = if random.often(0.7) {
            0.0
        } else {
            random.between(-1.0, 1.0)
        };
        let (mu, less) = (random.between(0.05, 0.8), random.between(0.02, 0.5));
        let friction = match random.below(6) {
            0 => "0".to_owned(),
            1 => format!("if slip_speed > 0 then {} else {mu}", mu * less),
            2 => format!("{mu} * (1 + {less} * exp(-slip_speed))"),
            _ => format!("{mu}"),
        };
        Law {
            restitution,
            tangential,
            friction,
        }
    }

    fn text(&self) -> String {
        let Law {
            restitution,
            tangential,
            friction,
        } = self;
        format!(
            "contact default {{ restitution = {restitution}  tangential_restitution = {tangential}  friction = {friction} }}\n"
        )
    }
}

impl Random {
    fn often(&mut self, share: f64) -> bool {
        self.next() < share
    }
}

/// A scene of a recipe, with this law in place of its own.
fn made(random: &mut Random, law: &Law, recipe: &Recipe<'_>) -> (String, Vec<String>) {
    let seed = (random.next() * 1e15) as u64;
    let scene = Scene::random(seed, recipe);
    let names = (0..scene.things.len()).map(|n| format!("b{n}")).collect();
    let text = scene.text();
    let lines = text.lines().filter(|line| !line.starts_with("contact"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    (law.text() + &text, names)
}

// Kinds without sharp edges: where stretches between sharp ones cannot be followed, a state that was made false is not always told.
fn thrown(random: &mut Random, law: &Law) -> (String, Vec<String>) {
    let recipe = Recipe {
        kinds: &Form::ROUND,
        things: (2, 6),
        walls: random.below(3),
        gravity: if random.often(0.5) { 0.0 } else { 9.81 },
        friction: 0.0,
        restitution: 0.0,
    };
    made(random, law, &recipe)
}

fn fallen(random: &mut Random, law: &Law) -> (String, Vec<String>) {
    let kinds: [&[&str]; 4] = [&["sphere"], &["sphere", "capsule"], &["ellipsoid"], &Form::ROUND];
    let recipe = Recipe {
        kinds: kinds[random.below(4)],
        things: (1, 5),
        walls: 1 + random.below(3),
        gravity: 9.81,
        friction: 0.0,
        restitution: 0.0,
    };
    made(random, law, &recipe)
}

fn sphere(text: &mut String, name: &str, radius: f64, mass: f64, position: [f64; 3], motion: [[f64; 3]; 2]) {
    let vector = |[x, y, z]: [f64; 3]| format!("({x}, {y}, {z})");
    writeln!(
        text,
        "entity {name} {{ sphere(radius = {radius})  mass = {mass}  position = {}  velocity = {}  angular_velocity = {} }}",
        vector(position),
        vector(motion[0]),
        vector(motion[1])
    )
    .unwrap();
}

fn row(random: &mut Random, law: &Law) -> (String, Vec<String>) {
    let count = 2 + random.below(5);
    let mut text = law.text();
    let mut names = Vec::new();
    let (mut x, is_equal, is_on_floor) = (0.0, random.often(0.4), random.often(0.4));
    for n in 0..count {
        let name = format!("b{n}");
        let mass = if is_equal { 1.0 } else { random.between(0.3, 3.0) };
        let gap = match n {
            0 => 0.0,
            1 => random.between(0.1, 0.5),
            // Lengths that doubles hold, so that those which touch do.
            _ if random.often(0.7) => 0.0,
            _ => random.between(0.01, 0.2),
        };
        x += if n == 0 { 0.0 } else { 0.5 + gap };
        let speed = if n == 0 { random.between(0.5, 3.0) } else { 0.0 };
        let spin = if random.often(0.3) {
            random.between(-4.0, 4.0)
        } else {
            0.0
        };
        sphere(
            &mut text,
            &name,
            0.25,
            mass,
            [x, 0.25, 0.0],
            [[speed, 0.0, 0.0], [0.0, 0.0, spin]],
        );
        names.push(name);
    }
    if is_on_floor {
        text += "gravity (0, -9.81, 0)\nfixed entity floor { plane(normal = (0, 1, 0), offset = 0) }\n";
    }
    if random.often(0.4) {
        let at = x
            + 0.25
            + if random.often(0.5) {
                0.0
            } else {
                random.between(0.01, 0.3)
            };
        writeln!(
            text,
            "fixed entity end {{ half_space(normal = (-1, 0, 0), offset = {}) }}",
            -at
        )
        .unwrap();
    }
    (text, names)
}

fn lying(random: &mut Random, law: &Law) -> (String, Vec<String>) {
    let mut text = law.text();
    text += "gravity (0, -9.81, 0)\nfixed entity floor { plane(normal = (0, 1, 0), offset = 0) }\n";
    let count = 1 + random.below(4);
    let (mut names, mut x) = (Vec::new(), 0.0);
    for n in 0..count {
        let name = format!("b{n}");
        x += if n == 0 {
            0.0
        } else {
            0.5 + if random.often(0.5) { 0.0 } else { 0.02 }
        };
        let speed = if random.often(0.5) {
            0.0
        } else {
            random.between(-1.0, 1.0)
        };
        let mass = random.between(0.3, 3.0);
        sphere(
            &mut text,
            &name,
            0.25,
            mass,
            [x, 0.25, 0.0],
            [[speed, 0.0, 0.0], [0.0; 3]],
        );
        names.push(name);
    }
    if count >= 2 && random.often(0.6) {
        // One on top of the first two.
        let y = 0.25 + 0.25 * 3f64.sqrt() + if random.often(0.5) { 1e-12 } else { 0.1 };
        sphere(
            &mut text,
            "top",
            0.25,
            random.between(0.3, 3.0),
            [0.25, y + 0.01, 0.0],
            [[0.0; 3], [0.0; 3]],
        );
        names.push("top".into());
    }
    if random.often(0.4) {
        let z = random.between(0.61, 1.0);
        writeln!(
            text,
            "entity rod {{ capsule(radius = 0.125, length = 0.5)  mass = {}  position = (0, 0.125, {z})  velocity = ({}, 0, {}) }}",
            random.between(0.3, 3.0),
            random.between(-1.0, 1.0),
            random.between(-1.0, 0.5)
        )
        .unwrap();
        names.push("rod".into());
    }
    if random.often(0.4) {
        text += "fixed entity end { half_space(normal = (1, 0, 0), offset = -0.25) }\n";
    }
    (text, names)
}

fn sliding(random: &mut Random, law: &Law) -> (String, Vec<String>) {
    let mut text = law.text();
    let angle = random.between(0.05, 0.9);
    writeln!(
        text,
        "gravity ({}, {}, 0)",
        9.81 * angle.sin(),
        -9.81 * angle.cos()
    )
    .unwrap();
    text += "fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }\n";
    let mut names = Vec::new();
    for n in 0..1 + random.below(4) {
        let name = format!("b{n}");
        let (x, speed) = (0.6 * n as f64, random.between(-1.0, 2.0));
        let across = random.between(-0.3, 0.3);
        if random.often(0.6) {
            let spin = [0.0, 0.0, random.between(-6.0, 6.0)];
            let mass = random.between(0.3, 3.0);
            sphere(
                &mut text,
                &name,
                0.25,
                mass,
                [x, 0.25, 0.0],
                [[speed, 0.0, across], spin],
            );
        } else {
            writeln!(
                text,
                "entity {name} {{ ellipsoid(semi_axes = (0.25, 0.2, 0.3))  mass = {}  position = ({x}, 0.2, 0)  velocity = ({speed}, 0, {across}) }}",
                random.between(0.3, 3.0)
            )
            .unwrap();
        }
        names.push(name);
    }
    let at = 0.6 * names.len() as f64 + random.between(0.0, 0.5);
    writeln!(
        text,
        "fixed entity end {{ plane(normal = (-1, 0, 0), offset = {}) }}",
        -at
    )
    .unwrap();
    (text, names)
}

/// Springs, loads that switch, inputs.
fn loads(random: &mut Random, text: &mut String, names: &[String], inputs: &mut Vec<(String, InputSignal)>) {
    if random.often(0.3) {
        let one = &names[random.below(names.len())];
        let other = &names[random.below(names.len())];
        let (k, c) = (random.between(1.0, 60.0), random.between(0.0, 1.0));
        if one == other {
            let at = random.vector(0.4);
            writeln!(
                text,
                "spring {one}, ({}, {}, {}) {{ stiffness = {k} }}",
                at.x, at.y, at.z
            )
            .unwrap();
        } else {
            writeln!(
                text,
                "spring {one}, {other} {{ stiffness = {k}  length = 0.4  damping = {c} }}"
            )
            .unwrap();
        }
    }
    if random.often(0.25) {
        let one = &names[random.below(names.len())];
        let (a, b) = (random.between(0.5, 15.0), random.between(0.1, 0.7));
        let load = match random.below(5) {
            0 => format!("(if time > {b} then {a} else 0, 0, 0)"),
            1 => format!("(if {one}.x > {b} then -{a} else {a}, 0, 0)"),
            2 => format!("({a} * sin(9 * time), 0, {b})"),
            3 => format!("(-{b} * {one}.vx * abs({one}.vx), max(0, {one}.y - {b}) * -{a}, 0)"),
            _ => format!("(0, if abs(time - {b}) < 0.05 then {} else 0, 0)", 3.0 * a),
        };
        writeln!(text, "force on {one} = {load}").unwrap();
    }
    if random.often(0.25) {
        let one = &names[random.below(names.len())];
        let a = random.between(-12.0, 12.0);
        writeln!(
            text,
            "input u = {a} * time\nforce on {one} = (u, 0, {} * u)",
            random.between(-0.5, 0.5)
        )
        .unwrap();
        if random.often(0.7) {
            let b = random.between(0.05, 0.5);
            let signal = InputSignal::Table {
                times: vec![0.0, b, b, b + 0.2],
                values: vec![0.0, 0.5 * a, -a, a],
            };
            inputs.push(("u".into(), signal));
        }
    }
}
