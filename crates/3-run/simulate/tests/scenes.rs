//! Scenes without a closed form: what must hold of every run.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use crate::support;

use dyverse_simulate::RunOptions;
use dyverse_trace::Trace;
use std::fmt::Write;
use support::{check, close, last, model, options, run, simulate};

#[test]
fn a_stack_of_ten_balls_stays_at_rest() {
    let mut text = String::from(
        "fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
         contact default { restitution = 0.5 friction = 0.4 }
         gravity (0, -9.81, 0)\n",
    );
    for i in 0..10 {
        writeln!(
            text,
            "entity b{i} {{ sphere(radius = 0.5) mass = 1 position = (0, {}, 0) }}",
            0.5 + f64::from(i)
        )
        .unwrap();
    }
    let trace = run(&text, 100.0);
    assert!(trace.transitions.is_empty(), "{:?}", trace.transitions.first());
    for i in 0..10 {
        close(last(&trace, &format!("b{i}.y")), 0.5 + f64::from(i), 1e-10);
        close(last(&trace, &format!("b{i}.x")), 0.0, 1e-9);
    }
}

#[test]
fn a_box_on_a_plane_stays_at_rest() {
    let text =
        "entity box { rounded_box(size = (1, 0.6, 0.8), radius = 0.05) mass = 3 position = (0, 0.3, 0) }
         fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
         contact box, floor { restitution = 0.2 friction = 0.5 }
         gravity (0.5, -9.81, 0.2)";
    let trace = run(text, 100.0);
    for (signal, at) in [
        ("box.x", 0.0),
        ("box.y", 0.3),
        ("box.z", 0.0),
        ("box.qw", 1.0),
        ("box.vx", 0.0),
    ] {
        close(last(&trace, signal), at, 1e-10);
    }
}

/// Four balls fall into a box and settle on the floor, the walls and each other: what presses one contact another bears, and impacts accumulate at
/// several at once.
#[test]
fn a_heap_settles() {
    let mut text = String::from(
        "fixed entity floor { half_space(normal = (0, 1, 0)) }
         fixed entity left { half_space(normal = (1, 0, 0), offset = -1) }
         fixed entity right { half_space(normal = (-1, 0, 0), offset = -1) }
         fixed entity front { half_space(normal = (0, 0, 1), offset = -1) }
         fixed entity back { half_space(normal = (0, 0, -1), offset = -1) }
         contact default { restitution = 0.4 friction = 0.3 }
         gravity (0, -9.81, 0)\n",
    );
    for (i, (x, z)) in [(0.0, 0.0), (0.3, 0.1), (-0.3, 0.05), (0.1, -0.2)]
        .iter()
        .enumerate()
    {
        writeln!(
            text,
            "entity b{i} {{ sphere(radius = 0.4) mass = 1 position = ({x}, {}, {z}) }}",
            i + 1
        )
        .unwrap();
    }
    let limited = RunOptions {
        event_limit: 20_000,
        ..options(6.0)
    };
    let trace = simulate(&model(&text), &limited).unwrap();
    check(&trace);
    assert!(
        trace.statistics.largest_penetration <= 1e-9,
        "{:?}",
        trace.statistics
    );
    assert!(trace.balance.kinetic_at_end < 0.1, "{:?}", trace.balance);
    for i in 0..4 {
        let y = last(&trace, &format!("b{i}.y"));
        assert!(y >= 0.4 - 1e-9, "b{i} is at {y}");
    }
}

/// A small generator (SplitMix64): scenes are the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        (dyverse_num::split_mix(&mut self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// Balls thrown at each other from the corners of a grid, without gravity.
fn thrown_balls(seed: u64, friction: f64, restitution: f64) -> (String, usize) {
    let mut random = Random(seed);
    let count = 3 + (random.next() * 4.0) as usize;
    let mut text = format!("contact default {{ restitution = {restitution} friction = {friction} }}\n");
    for i in 0..count {
        let p = [i % 2, i / 2 % 2, i / 4].map(|c| c as f64 * 3.0 + random.between(-0.3, 0.3));
        let v = p.map(|x| (1.5 - x) * random.between(0.5, 1.5));
        let w: Vec<f64> = (0..3).map(|_| random.between(-3.0, 3.0)).collect();
        writeln!(
            text,
            "entity b{i} {{ sphere(radius = {}) mass = {} position = ({}, {}, {}) velocity = ({}, {}, {}) angular_velocity = ({}, {}, {}) }}",
            random.between(0.4, 0.9), random.between(0.2, 3.0), p[0], p[1], p[2], v[0], v[1], v[2], w[0], w[1], w[2]
        )
        .unwrap();
    }
    (text, count)
}

fn momentum(trace: &Trace, model: &dyverse_model::Model, sample: usize) -> [f64; 3] {
    let setting = dyverse_model::Setting::nominal(model);
    let mut total = [0.0; 3];
    for (index, entity) in model.entities().iter().enumerate() {
        let Ok(properties) = setting.mass_properties(dyverse_model::EntityId(index)) else {
            continue;
        };
        for (axis, name) in ["vx", "vy", "vz"].iter().enumerate() {
            let signal = trace.signal(&format!("{}.{name}", entity.name)).unwrap();
            total[axis] += properties.mass * trace.samples[sample].values[signal.0 as usize];
        }
    }
    total
}

/// Momentum is kept; without friction no energy is gained; nothing penetrates; residuals are small.
#[test]
fn thrown_balls_obey_the_laws() {
    for seed in 0..400 {
        let (friction, restitution) = [(0.0, 1.0), (0.0, 0.4), (0.5, 0.7), (1.0, 0.0)][seed as usize % 4];
        let (text, _) = thrown_balls(seed, friction, restitution);
        let model = model(&text);
        let trace = simulate(&model, &options(3.0)).unwrap();
        check(&trace);
        let (before, after) = (
            momentum(&trace, &model, 0),
            momentum(&trace, &model, trace.samples.len() - 1),
        );
        for (b, a) in before.iter().zip(after) {
            assert!(
                (b - a).abs() < 1e-10,
                "seed {seed}: momentum {before:?} became {after:?}"
            );
        }
        assert!(trace.statistics.largest_penetration <= 1e-9, "seed {seed}");
        assert!(
            trace.statistics.largest_residual <= 1e-9,
            "seed {seed}: {:?}",
            trace.statistics
        );
        if friction == 0.0 {
            assert!(
                trace.balance.work_of_impacts <= 1e-12,
                "seed {seed}: {:?}",
                trace.balance
            );
        }
    }
}

/// The order and names of entities do not matter, nor the frame, up to rounding that impacts magnify.
#[test]
fn names_order_and_frame_do_not_matter() {
    for seed in 0..60 {
        let (text, count) = thrown_balls(1000 + seed, 0.3, 0.8);
        let plain = simulate(&model(&text), &options(1.5)).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1..].reverse();
        let renamed = lines.join("\n").replace("entity b", "entity ball_");
        let other = simulate(&model(&renamed), &options(1.5)).unwrap();
        for i in 0..count {
            for c in ["x", "y", "z", "vx", "vy", "vz"] {
                let (a, b) = (
                    last(&plain, &format!("b{i}.{c}")),
                    last(&other, &format!("ball_{i}.{c}")),
                );
                assert!((a - b).abs() < 1e-9, "seed {seed}: {c} of ball {i}: {a} and {b}");
            }
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let (text, _) = thrown_balls(77, 0.4, 0.7);
    let first = simulate(&model(&text), &options(3.0)).unwrap();
    let second = simulate(&model(&text), &options(3.0)).unwrap();
    assert_eq!(first, second);
}

/// Without gravity at rest, balls in a box keep their energy when everything is elastic, and none leaves.
#[test]
fn many_balls_in_a_box_stay_inside() {
    let text = balls_in_a_box(64, 7);
    let trace = simulate(&model(&text), &options(2.0)).unwrap();
    check(&trace);
    close(
        trace.balance.kinetic_at_end,
        trace.balance.kinetic_at_start,
        1e-9 * trace.balance.kinetic_at_start,
    );
    for i in 0..64 {
        for c in ["x", "y", "z"] {
            let at = last(&trace, &format!("b{i}.{c}"));
            assert!((0.1 - 1e-9..=3.9 + 1e-9).contains(&at), "b{i}.{c} = {at}");
        }
    }
    assert!(trace.statistics.impacts > 50, "{:?}", trace.statistics);
}

/// `count` balls of radius 0.1 in a cube of side 4, elastic, no gravity.
fn balls_in_a_box(count: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from("contact default { restitution = 1 }\n");
    for (name, normal, offset) in [
        ("left", "(1, 0, 0)", 0.0),
        ("right", "(-1, 0, 0)", -4.0),
        ("below", "(0, 1, 0)", 0.0),
        ("above", "(0, -1, 0)", -4.0),
        ("back", "(0, 0, 1)", 0.0),
        ("front", "(0, 0, -1)", -4.0),
    ] {
        writeln!(
            text,
            "fixed entity {name} {{ half_space(normal = {normal}, offset = {offset}) }}"
        )
        .unwrap();
    }
    let side = (count as f64).cbrt().ceil() as usize;
    let pitch = 3.6 / side as f64;
    for i in 0..count {
        let p = [i % side, i / side % side, i / side / side].map(|c| 0.2 + pitch * (c as f64 + 0.5));
        let v = [0; 3].map(|_| random.between(-1.0, 1.0));
        writeln!(
            text,
            "entity b{i} {{ sphere(radius = 0.1) mass = 1 position = ({}, {}, {}) velocity = ({}, {}, {}) }}",
            p[0], p[1], p[2], v[0], v[1], v[2]
        )
        .unwrap();
    }
    text
}

#[test]
fn a_limit_ends_a_run_with_its_reason() {
    let text = balls_in_a_box(27, 1);
    let few = RunOptions {
        event_limit: 10,
        ..options(5.0)
    };
    let trace = simulate(&model(&text), &few).unwrap();
    assert_eq!(trace.stop.reason.word(), "event_limit");
    assert!(trace.stop.time.t() < 5.0);
    let none = simulate(&model(&text), &RunOptions::default());
    assert!(none.is_err_and(|error| error.to_string().contains("horizon")));
}
