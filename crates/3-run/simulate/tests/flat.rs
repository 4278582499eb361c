//! Things that lie flat on each other, against closed forms: one contact for each vertex of what they share.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use crate::support;

use dyverse_simulate::{Moment, Observer, RunOptions, SeenForce, simulate_with_contacts};
use dyverse_trace::Trace;
use support::scene::Random;
use support::{check, close, impacts, last, model, refused, run};

const G: f64 = 9.81;

/// A run that must reach its horizon and be accepted, and the contact forces in the middle of its last piece of each island that has any.
fn forces(text: &str, until: f64) -> (Trace, Vec<SeenForce>) {
    let model = model(text);
    let options = RunOptions {
        until: Some(until),
        keep_pieces: true,
        ..RunOptions::default()
    };
    let (trace, closed) = simulate_with_contacts(&model, &options).unwrap();
    check(&trace);
    assert_eq!(refused(&model, &options, &trace), None);
    let mut observer = Observer::new(&model, &options).unwrap();
    let (piece, own) = trace.pieces.iter().zip(&closed).next_back().unwrap();
    let t = 0.5 * (piece.from + piece.to);
    let mut states = trace.samples.last().unwrap().values.clone();
    for (signal, value) in piece.values(t) {
        states[signal.0 as usize] = value;
    }
    let at = Moment {
        t,
        anchor: piece.from,
        states: &states,
        closed: &[own],
        struck: &[],
    };
    let seen = observer.forces(&at).unwrap();
    (trace, seen)
}

/// Whether an entity is where it was, and at rest, to rounding.
fn rests(trace: &Trace, entity: &str) {
    let first = &trace.samples[0].values;
    for (number, signal) in trace.signals.iter().enumerate() {
        let Some(component) = signal.name.strip_prefix(&format!("{entity}.")) else {
            continue;
        };
        let start = if component.starts_with('v') || component.starts_with('w') {
            0.0
        } else {
            first[number]
        };
        for sample in &trace.samples {
            close(sample.values[number], start, 1e-12);
        }
    }
}

const TABLE: &str =
    "fixed entity table { rounded_box(size = (1, 0.6, 0.2), radius = 0.01) position = (0, 0, -0.1) }
    contact default { restitution = 0 friction = 0.5 }
    gravity (0, 0, -9.81)\n";

/// A box at rest on a fixed one, inside it and beyond its edges, turned about the vertical: forces add up to the weight, and their centre lies below the centre of mass.
#[test]
fn a_box_rests_on_a_fixed_box() {
    for (x, y, angle) in [
        (0.1, 0.05, 0.0),
        (0.1, 0.05, 0.4),
        (0.47, 0.0, 0.0),
        (0.46, 0.27, 0.3),
        (0.4, 0.2, 0.0),
        (-0.45, -0.26, 1.1),
    ] {
        let text = format!(
            "{TABLE} entity crate {{ rounded_box(size = (0.2, 0.2, 0.1), radius = 0.02) mass = 2 position = ({x}, {y}, 0.05)
                orientation = rotation(axis = (0, 0, 1), angle = {angle}) }}"
        );
        let (trace, seen) = forces(&text, 0.5);
        rests(&trace, "crate");
        assert!(seen.len() >= 3, "{seen:?}");
        let total: f64 = seen.iter().map(|f| f.vector.z).sum();
        close(total, 2.0 * G, 1e-9);
        let centre = |of: fn(&SeenForce) -> f64| seen.iter().map(|f| of(f) * f.vector.z).sum::<f64>() / total;
        close(centre(|f| f.point.x), x, 1e-9);
        close(centre(|f| f.point.y), y, 1e-9);
    }
}

/// A crate on a fixed tilted box slides with g (sin θ − μ cos θ), and sticks where tan θ < μ.
#[test]
fn a_crate_slides_on_a_tilted_box() {
    for (theta, mu, v) in [
        (0.4_f64, 0.2, 0.2),
        (0.3, 0.1, 0.1),
        (0.5, 0.3, 0.3),
        (0.2, 0.5, 0.0),
    ] {
        // Its centre lies above the middle of the box, along the tilted z.
        let up = 0.1 + 0.05;
        let (x, z) = (-up * theta.sin(), up * theta.cos());
        let text = format!(
            "fixed entity ramp {{ rounded_box(size = (4, 1, 0.2), radius = 0.01) orientation = rotation(axis = (0, 1, 0), angle = -{theta}) }}
             entity crate {{ rounded_box(size = (0.2, 0.2, 0.1), radius = 0.01) mass = 1 position = ({x}, 0, {z})
                velocity = ({}, 0, {}) orientation = rotation(axis = (0, 1, 0), angle = -{theta}) }}
             contact default {{ restitution = 0 friction = {mu} }}
             gravity (0, 0, -9.81)",
            -v * theta.cos(),
            -v * theta.sin()
        );
        let trace = run(&text, 0.6);
        let a = G * (theta.sin() - mu * theta.cos()).max(0.0);
        let travelled = v * 0.6 + 0.5 * a * 0.36;
        // Downhill is −x and −z.
        close(last(&trace, "crate.x"), x - travelled * theta.cos(), 1e-9);
        close(last(&trace, "crate.z"), z - travelled * theta.sin(), 1e-9);
        assert!(impacts(&trace).is_empty());
    }
}

/// A crate that slides over the edge of a table: it goes on level until its centre of pressure is at the edge, then tips, and nothing overlaps or gains energy.
#[test]
fn a_crate_slides_over_an_edge_and_tips() {
    let text = format!(
        "{TABLE} entity crate {{ rounded_box(size = (0.2, 0.1, 0.1), radius = 0.01) mass = 1 position = (0.35, 0.03, 0.05) velocity = (1.5, 0, 0) }}"
    );
    let trace = run(&text, 0.4);
    assert!(trace.statistics.largest_penetration <= 1e-9);
    let place = |name: &str| trace.signals.iter().position(|s| s.name == name).unwrap();
    let (x, z, turns) = (place("crate.x"), place("crate.z"), place("crate.wy"));
    let v2 = |s: &[f64]| {
        ["vx", "vy", "vz"]
            .map(|c| s[place(&format!("crate.{c}"))].powi(2))
            .iter()
            .sum::<f64>()
    };
    for sample in &trace.samples {
        let s = &sample.values;
        // The core of the table ends at 0.49, and friction takes the centre of pressure ahead by μ times the height of the centre of mass.
        if s[x] < 0.49 - 0.5 * 0.05 {
            close(s[z], 0.05, 1e-9);
            close(s[turns], 0.0, 1e-9);
            // Sliding: v² = v₀² − 2 μ g s.
            close(v2(s), 1.5 * 1.5 - 2.0 * 0.5 * G * (s[x] - 0.35), 1e-8);
        }
    }
    assert!(last(&trace, "crate.x") > 0.5 && last(&trace, "crate.wy") > 0.5);
}

/// Crates that slide and turn on a table, over its edges and corners, and fall off: every run reaches its end, is accepted, and overlaps or gains nothing.
#[test]
fn crates_slide_off_a_table() {
    for seed in 5..10_u32 {
        let part = |k: u32| f64::from((seed * 7919 + k * 104_729) % 1000) / 1000.0;
        let (x, y) = (0.3 + 0.1 * part(1), 0.2 * part(2) - 0.1);
        let (v, w) = (0.6 + 0.6 * part(3), 2.0 * part(4) - 1.0);
        let (angle, mu) = (3.0 * part(5), 0.05 + 0.2 * part(6));
        let text = format!(
            "fixed entity table {{ rounded_box(size = (1, 0.6, 0.2), radius = 0.01) position = (0, 0, -0.1) }}
             entity crate {{ rounded_box(size = (0.2, 0.1, 0.1), radius = 0.01) mass = 1 position = ({x}, {y}, 0.05)
                velocity = ({v}, {}, 0) angular_velocity = (0, 0, {w}) orientation = rotation(axis = (0, 0, 1), angle = {angle}) }}
             contact default {{ restitution = 0 friction = {mu} }}
             gravity (0, 0, -9.81)",
            0.3 * part(7)
        );
        let trace = run(&text, 0.6);
        assert!(trace.statistics.largest_penetration <= 1e-9, "{text}");
        assert!(trace.balance.work_of_friction <= 0.0 && trace.balance.work_of_impacts <= 1e-12);
    }
}

/// Boxes on each other on a floor, aligned, turned and flush: all stay where they are.
#[test]
fn stacks_rest() {
    for (places, until) in [
        (vec![(0.0, 0.0, 0.0), (0.02, 0.01, 0.3)], 0.5),
        (vec![(0.0, 0.0, 0.0), (0.02, 0.0, 0.0)], 0.5),
        (vec![(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)], 0.2),
        (vec![(0.0, 0.0, 0.0), (0.02, 0.01, 0.3), (0.03, -0.02, -0.5)], 0.1),
    ] {
        let mut text = String::from(
            "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
             contact default { restitution = 0 friction = 0.5 }
             gravity (0, 0, -9.81)\n",
        );
        for (n, (x, y, angle)) in places.iter().enumerate() {
            let z = 0.05 + 0.1 * n as f64;
            text.push_str(&format!(
                "entity b{n} {{ rounded_box(size = (0.2, 0.2, 0.1), radius = 0.01) mass = 1 position = ({x}, {y}, {z})
                    orientation = rotation(axis = (0, 0, 1), angle = {angle}) }}\n"
            ));
        }
        let trace = run(&text, until);
        for n in 0..places.len() {
            rests(&trace, &format!("b{n}"));
        }
    }
}

/// Capsules that lie on a box and crosswise on each other.
#[test]
fn capsules_lie_flat() {
    let lying = "orientation = rotation(axis = (1, 0, 0), angle = 1.5707963267948966)";
    let text = format!(
        "{TABLE} entity c {{ capsule(radius = 0.05, length = 0.4) mass = 1 position = (0.1, 0.05, 0.05) {lying} }}"
    );
    let (trace, seen) = forces(&text, 0.5);
    rests(&trace, "c");
    // The two ends, or where an edge of the table cuts it.
    assert_eq!(seen.len(), 2, "{seen:?}");
    close(seen.iter().map(|f| f.vector.z).sum::<f64>(), G, 1e-9);
    for force in &seen {
        close(force.vector.z, 0.5 * G, 1e-9);
    }
    let across = "orientation = rotation(axis = (0, 1, 0), angle = 1.5707963267948966)";
    let text = format!(
        "fixed entity a {{ capsule(radius = 0.05, length = 1) position = (-0.1, 0, 0) {lying} }}
         fixed entity b {{ capsule(radius = 0.05, length = 1) position = (0.1, 0, 0) {lying} }}
         entity c {{ capsule(radius = 0.05, length = 0.4) mass = 1 position = (0, 0.05, 0.1) {across} }}
         contact default {{ restitution = 0 friction = 0.5 }}
         gravity (0, 0, -9.81)"
    );
    let (trace, seen) = forces(&text, 0.5);
    rests(&trace, "c");
    assert_eq!(seen.len(), 2, "{seen:?}");
    for force in &seen {
        close(force.vector.z, 0.5 * G, 1e-9);
    }
}

/// Towers of boxes and balls, what is heavy on what is light: at rest they stay as they are, in one step.
#[test]
fn towers_rest_whatever_the_masses() {
    let mut random = Random(410);
    for number in 0..60 {
        let mut text = String::new();
        let (mut height, count) = (0.0, 2 + random.below(3));
        for n in 0..count {
            let mass = 10f64.powf(random.between(-2.5, 2.5));
            let thick = random.between(0.05, 0.3);
            let is_ball = n + 1 == count && random.next() < 0.3;
            let shape = if is_ball {
                format!("sphere(radius = {})", 0.5 * thick)
            } else {
                format!(
                    "rounded_box(size = ({}, {}, {thick}), radius = 0.01)",
                    random.between(0.2, 0.4),
                    random.between(0.2, 0.4)
                )
            };
            text += &format!(
                "entity b{n} {{ {shape} mass = {mass} position = (0, 0, {}) }}\n",
                height + 0.5 * thick
            );
            height += thick;
        }
        let (restitution, friction) = (random.between(0.0, 0.9), random.between(0.1, 1.0));
        text += &format!(
            "fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = {restitution} friction = {friction} }} gravity (0, 0, -9.81)"
        );
        let options = RunOptions {
            until: Some(10.0),
            ..RunOptions::default()
        };
        let trace = dyverse_simulate::simulate(&model(&text), &options).unwrap();
        assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
        let moved = (0..count).find(|n| {
            let still = ["vx", "vy", "vz", "wx", "wy", "wz"];
            still.iter().any(|v| last(&trace, &format!("b{n}.{v}")) != 0.0)
        });
        assert!(
            moved.is_none() && trace.statistics.steps <= 1,
            "{number}: {} steps, b{moved:?} moves\n{text}",
            trace.statistics.steps
        );
    }
}
