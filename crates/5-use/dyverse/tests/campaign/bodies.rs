//! Random small rigid-body models.

use super::closed::real::Real;
use super::draft::{Draft, Drafted};
use super::traces::{Body, Shape, words};

/// Writes a model; gives its horizon.
type Family = fn(&mut Draft) -> f64;

/// A model of a family that the seed chooses.
pub(crate) fn random_bodies(seed: u64) -> Drafted {
    let mut draft = Draft::new(seed, true);
    let families: [(&'static str, Family); 10] = [
        ("drop", drop),
        ("drop", drop),
        ("meeting", meeting),
        ("meeting", meeting),
        ("sliding", sliding),
        ("sliding", sliding),
        ("pass", pass),
        ("double", double),
        ("row", row),
        ("lying", lying),
    ];
    let (family, make) = families[draft.random.below(families.len())];
    let horizon = make(&mut draft);
    draft.line(&format!("horizon {horizon}"));
    Drafted {
        text: draft.text(),
        words: words(&draft.shapes, Real::decimal(&horizon.to_string())),
        shapes: draft.shapes,
        family,
    }
}

fn policy(draft: &mut Draft) {
    let policy = *draft.random.pick(&[
        "simultaneous",
        "simultaneous",
        "simultaneous",
        "sequential first",
        "sequential any",
        "sequential random(4)",
        "poisson",
    ]);
    draft.line(&format!("impacts {policy}"));
}

/// One law for all contacts.
fn law(draft: &mut Draft) {
    let r = &mut draft.random;
    let value = *r.pick(&[0.0, 0.3, 0.5, 0.8, 0.9, 1.0]);
    let restitution = draft.limited(value, 0.0, 1.0);
    let value = *draft.random.pick(&[0.0, 0.0, 0.05, 0.2, 0.5, 1.0]);
    let friction = if value > 0.0 {
        draft.limited(value, 0.0, 2.0)
    } else {
        "0".into()
    };
    let value = *draft.random.pick(&[0.0, 0.0, 0.5, -0.5, -1.0]);
    let tangential = draft.limited(value, -1.0, 1.0);
    draft.line(&format!(
        "contact default {{ restitution = {restitution}  friction = {friction}  tangential_restitution = {tangential} }}"
    ));
}

/// Loads on a ball.
fn loads(draft: &mut Draft, ball: &str) {
    if draft.random.often(0.3) {
        let k = draft.random.round(0.5, 10.0);
        let k = draft.limited(k, 0.1, 20.0);
        let place = draft.random.round(-1.0, 1.0);
        match draft.random.below(3) {
            0 => draft.line(&format!("spring {ball}, (0, {place}, 0) {{ stiffness = {k} }}")),
            1 => draft.line(&format!(
                "spring {ball}, ({place}, 3, 0) {{ stiffness = {k}  length = 0.5  damping = 0.3 }}"
            )),
            _ => draft.line(&format!("force on {ball} = (-{k} * x, 0, 0)")),
        }
    }
    if draft.random.often(0.25) {
        let c = draft.random.round(0.05, 1.0);
        let c = draft.limited(c, 0.0, 2.0);
        match draft.random.below(3) {
            0 => draft.line(&format!("force on {ball} = (-{c} * vx, -{c} * vy, -{c} * vz)")),
            1 => draft.line(&format!("force on {ball} = (-{c} * vx * abs(vx), 0, 0)")),
            _ => draft.line(&format!(
                "force on {ball} = -{c} * sqrt(1 + dot(velocity, velocity)) * velocity"
            )),
        }
    }
    if draft.random.often(0.25) {
        let a = draft.random.round(0.2, 4.0);
        let a = draft.limited(a, 0.0, 8.0);
        let w = draft.random.round(1.0, 8.0);
        draft.line(&format!("force on {ball} = ({a} * sin({w} * time), 0, 0)"));
    }
}

/// A fixed plane or half-space with a normal along an axis.
fn flat(draft: &mut Draft, name: &str, kind: &str, normal: [f64; 3], offset: f64) {
    let [x, y, z] = normal;
    draft.line(&format!(
        "fixed entity {name} {{ {kind}(normal = ({x}, {y}, {z}), offset = {offset}) }}"
    ));
    draft.shapes.push(Body {
        name: name.to_owned(),
        shape: Shape::Plane { normal, offset },
    });
}

/// A body whose contacts have no formulas here.
fn other(draft: &mut Draft, name: &str) {
    draft.shapes.push(Body {
        name: name.to_owned(),
        shape: Shape::Other,
    });
}

fn sphere(draft: &mut Draft, name: &str, radius: f64) {
    draft.shapes.push(Body {
        name: name.to_owned(),
        shape: Shape::Sphere { radius },
    });
}

fn ball(draft: &mut Draft, name: &str, radius: f64, position: [f64; 3], velocity: [f64; 3], spin: [f64; 3]) {
    let mass = draft.random.round(0.3, 3.0);
    let mass = draft.limited(mass, 0.1, 5.0);
    let position = draft.field("position", position);
    let velocity = draft.field("velocity", velocity);
    let spin = draft.field("angular_velocity", spin);
    draft.line(&format!(
        "entity {name} {{ sphere(radius = {radius})  mass = {mass}  {position}  {velocity}  {spin} }}"
    ));
    sphere(draft, name, radius);
}

/// One or two balls over a floor, with walls now and then.
fn drop(draft: &mut Draft) -> f64 {
    let count = 1 + draft.random.below(2);
    let names: Vec<&str> = ["a", "b"][..count].to_vec();
    for (place, name) in names.iter().enumerate() {
        let r = &mut draft.random;
        let radius = r.round(0.1, 0.4);
        let is_plain = r.often(0.4);
        let x = place as f64 * 1.2 + r.round(-0.2, 0.2);
        let y = r.round(0.5, 1.5);
        let velocity = [r.round(-2.0, 2.0), r.round(-2.0, 1.0), 0.0];
        let z = if is_plain { 0.0 } else { r.round(-5.0, 5.0) };
        ball(draft, name, radius, [x, y, 0.0], velocity, [0.0, 0.0, z]);
    }
    let kind = *draft.random.pick(&["plane", "half_space"]);
    flat(draft, "floor", kind, [0.0, 1.0, 0.0], 0.0);
    if draft.random.often(0.4) {
        let at = draft.random.round(1.8, 3.0);
        flat(draft, "wall", "half_space", [-1.0, 0.0, 0.0], -at);
    }
    law(draft);
    policy(draft);
    let g = draft.limited(9.81, 1.0, 20.0);
    if draft.random.often(0.2) {
        let tilt = draft.random.round(-3.0, 3.0);
        draft.line(&format!("gravity ({tilt}, -{g}, 0)"));
    } else {
        draft.line(&format!("gravity (0, -{g}, 0)"));
    }
    for name in &names {
        loads(draft, name);
    }
    draft.random.round(0.3, 1.2)
}

/// Two or three balls that fly at each other.
fn meeting(draft: &mut Draft) -> f64 {
    let count = 2 + draft.random.below(2);
    let names: Vec<&str> = ["a", "b", "c"][..count].to_vec();
    let places = [[-1.0, 0.0], [1.0, 0.1], [0.1, 1.7]];
    let is_central = draft.random.often(0.3);
    for (place, name) in names.iter().enumerate() {
        let r = &mut draft.random;
        let radius = r.round(0.2, 0.5);
        let [x, y] = places[place];
        let y = if is_central && place < 2 {
            0.0
        } else {
            y + r.round(-0.3, 0.3)
        };
        let speed = r.round(0.5, 3.0);
        let velocity = if is_central && place < 2 {
            [-x * speed, 0.0, 0.0]
        } else {
            [-x * speed, -y * speed, 0.0]
        };
        let spin = if r.often(0.5) {
            [0.0, 0.0, r.round(-4.0, 4.0)]
        } else {
            [0.0; 3]
        };
        ball(draft, name, radius, [x, y, 0.0], velocity, spin);
    }
    law(draft);
    policy(draft);
    for name in &names {
        loads(draft, name);
    }
    draft.random.round(0.5, 1.5)
}

/// A ball set down on a plane or an incline: it slides, rolls, is pushed, or rests.
fn sliding(draft: &mut Draft) -> f64 {
    let radius = *draft.random.pick(&[0.1, 0.25, 0.5]);
    let r = &mut draft.random;
    let speed = *r.pick(&[0.0, 0.0, 1.0, 2.0, -1.5]);
    let spin = *r.pick(&[0.0, 0.0, 3.0, -8.0]);
    let across = if r.often(0.15) { r.round(-1.0, 1.0) } else { 0.0 };
    ball(
        draft,
        "a",
        radius,
        [0.0, radius, 0.0],
        [speed, 0.0, across],
        [0.0, 0.0, spin],
    );
    let kind = *draft.random.pick(&["plane", "half_space"]);
    flat(draft, "floor", kind, [0.0, 1.0, 0.0], 0.0);
    let mu = *draft.random.pick(&[0.0, 0.05, 0.1, 0.2, 0.4, 0.8]);
    let mu = if mu > 0.0 {
        draft.limited(mu, 0.001, 2.0)
    } else {
        "0".into()
    };
    let e = *draft.random.pick(&[0.0, 0.5]);
    draft.line(&format!(
        "contact default {{ restitution = {e}  friction = {mu} }}"
    ));
    let slope = *draft.random.pick(&[0.0, 0.0, 1.0, 3.0, -2.0]);
    let slope = if slope == 0.0 {
        "0".into()
    } else {
        draft.number(slope)
    };
    let g = draft.limited(9.81, 1.0, 20.0);
    draft.line(&format!("gravity ({slope}, -{g}, 0)"));
    match draft.random.below(5) {
        0 => {
            let a = draft.random.round(0.5, 6.0);
            let a = draft.limited(a, 0.1, 10.0);
            draft.line(&format!("force on a = ({a} * time, 0, 0)"));
        }
        1 => {
            let a = draft.random.round(0.5, 6.0);
            let a = draft.limited(a, 0.1, 10.0);
            draft.line(&format!("force on a = ({a} * sin(4 * time), 0, 0)"));
        }
        2 => {
            let a = draft.random.round(2.0, 20.0);
            let a = draft.limited(a, 0.1, 40.0);
            draft.line(&format!("force on a = (0, {a} * time, 0)"));
        }
        3 => {
            let a = draft.random.round(0.1, 1.0);
            draft.line(&format!("moment on a = (0, 0, {a} * cos(3 * time))"));
        }
        _ => {}
    }
    if draft.random.often(0.3) {
        let at = draft.random.round(0.6, 1.5);
        flat(draft, "wall", "half_space", [-1.0, 0.0, 0.0], -at);
    }
    policy(draft);
    draft.random.round(0.3, 2.0)
}

/// A ball that goes by another, or touches it just so.
fn pass(draft: &mut Draft) -> f64 {
    let r = &mut draft.random;
    let margin = r.between(-0.03, 0.03);
    let margin = (margin * 1e4).round() / 1e4;
    let radius = 0.3;
    let speed = r.round(1.0, 3.0);
    let spin = if r.often(0.4) { r.round(-4.0, 4.0) } else { 0.0 };
    ball(
        draft,
        "a",
        radius,
        [-1.0, 2.0 * radius + margin, 0.0],
        [speed, 0.0, 0.0],
        [0.0, 0.0, spin],
    );
    if draft.random.often(0.5) {
        draft.line("fixed entity b { sphere(radius = 0.3) }");
        draft.shapes.push(Body {
            name: "b".into(),
            shape: Shape::Fixed { radius: 0.3 },
        });
    } else {
        ball(draft, "b", radius, [0.0; 3], [0.0; 3], [0.0; 3]);
    }
    law(draft);
    policy(draft);
    if draft.random.often(0.3) {
        draft.line("gravity (0, -0.5, 0)");
    }
    loads(draft, "a");
    draft.random.round(0.5, 1.2)
}

/// A ball that hits two others almost or exactly together.
fn double(draft: &mut Draft) -> f64 {
    let r = &mut draft.random;
    let offset = *r.pick(&[0.0, 0.0, 1e-6, 0.001, 0.02]);
    let half = r.round(0.55, 0.9);
    let speed = r.round(1.0, 4.0);
    let k = r.round(0.5, 5.0);
    ball(draft, "a", 0.5, [offset, 1.4, 0.0], [0.0, -speed, 0.0], [0.0; 3]);
    draft.line(&format!(
        "entity b {{ sphere(radius = 0.5)  mass = 1  position = (-{half}, 0, 0) }}"
    ));
    sphere(draft, "b", 0.5);
    draft.line(&format!(
        "entity c {{ sphere(radius = 0.5)  mass = 1  position = ({half}, 0, 0) }}"
    ));
    sphere(draft, "c", 0.5);
    law(draft);
    policy(draft);
    if draft.random.often(0.5) {
        let k = draft.limited(k, 0.1, 10.0);
        draft.line(&format!("spring b, (0, 0, 0) {{ stiffness = {k} }}"));
        draft.line(&format!("spring c, (0, 0, 0) {{ stiffness = {k} }}"));
    }
    draft.random.round(0.3, 0.8)
}

/// Balls in a row, touching or nearly, and one that arrives.
fn row(draft: &mut Draft) -> f64 {
    let r = &mut draft.random;
    let apart = *r.pick(&[0.0, 0.0, 1e-4, 0.05]);
    let speed = r.round(0.5, 3.0);
    ball(draft, "a", 0.2, [-1.0, 0.0, 0.0], [speed, 0.0, 0.0], [0.0; 3]);
    ball(draft, "b", 0.2, [0.0; 3], [0.0; 3], [0.0; 3]);
    draft.line(&format!(
        "entity c {{ sphere(radius = 0.2)  mass = 1  position = ({}, 0, 0) }}",
        0.4 + apart
    ));
    sphere(draft, "c", 0.2);
    if draft.random.often(0.3) {
        flat(draft, "wall", "half_space", [-1.0, 0.0, 0.0], -1.1);
    }
    law(draft);
    policy(draft);
    draft.random.round(0.5, 1.5)
}

/// A capsule or a box over a plane, and a ball with a large inertia on it.
fn lying(draft: &mut Draft) -> f64 {
    let r = &mut draft.random;
    let (speed, y) = (r.round(-1.0, 1.0), r.round(0.3, 0.8));
    match r.below(3) {
        0 => {
            let velocity = draft.field("velocity", [speed, -1.0, 0.0]);
            draft.line(&format!(
                "entity a {{ capsule(radius = 0.1, length = 0.4)  mass = 1  position = (0, {y}, 0)  {velocity}
                 orientation = rotation(axis = (1, 0, 0), angle = 0.5) }}"
            ));
            other(draft, "a");
        }
        1 => {
            let velocity = draft.field("velocity", [speed, -1.0, 0.0]);
            draft.line(&format!(
                "entity a {{ rounded_box(size = (0.4, 0.3, 0.2), radius = 0.02)  mass = 1  position = (0, {y}, 0)  {velocity} }}"
            ));
            other(draft, "a");
        }
        _ => {
            let velocity = draft.field("velocity", [speed, 0.0, 0.0]);
            draft.line(&format!(
                "entity a {{ sphere(radius = 0.2)  mass = 1  inertia = (1000, 1000, 1000)  position = (0, 0.2, 0)  {velocity} }}"
            ));
            sphere(draft, "a", 0.2);
        }
    }
    flat(draft, "floor", "half_space", [0.0, 1.0, 0.0], 0.0);
    law(draft);
    draft.line("gravity (0, -9.81, 0)");
    if draft.random.often(0.6) {
        let push = draft.random.round(1.0, 8.0);
        let push = draft.limited(push, 0.5, 12.0);
        draft.line(&format!("force on a = ({push} * time, 0, 0)"));
    }
    draft.random.round(0.3, 1.0)
}
