//! Many bodies: they run to the end, nothing overlaps, and energy is kept.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use crate::support;

use dyverse_simulate::{Contacts, RunOptions};
use dyverse_trace::Trace;
use std::fmt::Write;
use support::scene::Random;
use support::{check, example, impacts, model, options, simulate};

#[test]
fn a_billiard_break_runs_to_its_end() {
    let model = example("billiard_break");
    let trace = simulate(&model, &options(model.horizon().unwrap())).unwrap();
    check(&trace);
    assert!(impacts(&trace).len() >= 20, "{}", impacts(&trace).len());
    assert!(trace.statistics.largest_penetration < 1e-9);
}

/// `side`³ elastic balls of radius 0.1 in a cube, with velocities from a fixed sequence.
fn box_of_balls(side: usize) -> String {
    let mut state = 20_260_711u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let mut text = String::new();
    let pitch = 0.5;
    for i in 0..side {
        for j in 0..side {
            for k in 0..side {
                let at = |n: usize| pitch * (n as f64 + 0.5);
                let _ = writeln!(
                    text,
                    "entity b{i}_{j}_{k} {{ sphere(radius = 0.1)  mass = 1  position = ({}, {}, {})  velocity = ({}, {}, {}) }}",
                    at(i),
                    at(j),
                    at(k),
                    random(),
                    random(),
                    random()
                );
            }
        }
    }
    let width = pitch * side as f64;
    for (axis, normal) in ["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"].iter().enumerate() {
        let _ = writeln!(
            text,
            "fixed entity low{axis} {{ half_space(normal = {normal}, offset = 0) }}"
        );
        let _ = writeln!(
            text,
            "fixed entity high{axis} {{ half_space(normal = -{normal}, offset = {}) }}",
            -width
        );
    }
    text.push_str("contact default { restitution = 1 }");
    text
}

fn kinetic(values: &[f64], trace: &Trace) -> f64 {
    let is_velocity = |name: &str| name.ends_with(".vx") || name.ends_with(".vy") || name.ends_with(".vz");
    let signals = trace.signals.iter().zip(values);
    signals
        .filter(|(s, _)| is_velocity(&s.name))
        .map(|(_, v)| 0.5 * v * v)
        .sum()
}

/// A thousand balls for ten seconds, with no pair listed. Oracle: energy, summed here; no ball leaves the box or meets another.
#[test]
fn a_thousand_balls_in_a_box() {
    let side = 10;
    let mut options = options(10.0);
    options.sample_every = Some(1.0);
    let trace = simulate(&model(&box_of_balls(side)), &options).unwrap();
    check(&trace);
    assert!(impacts(&trace).len() > 1000, "{}", impacts(&trace).len());
    let first = kinetic(&trace.samples[0].values, &trace);
    for sample in &trace.samples {
        let now = kinetic(&sample.values, &trace);
        assert!((now - first).abs() < 1e-9 * first, "{now} {first}");
        let at = |name: &str| sample.values[trace.signal(name).unwrap().0 as usize];
        let places: Vec<[f64; 3]> = (0..side * side * side)
            .map(|n| {
                let name = format!("b{}_{}_{}", n / (side * side), n / side % side, n % side);
                ["x", "y", "z"].map(|c| at(&format!("{name}.{c}")))
            })
            .collect();
        for (n, p) in places.iter().enumerate() {
            assert!(p.iter().all(|c| *c > 0.1 - 1e-9 && *c < 4.9 + 1e-9), "{p:?}");
            for q in &places[..n] {
                let apart = p
                    .iter()
                    .zip(q)
                    .map(|(a, b)| (a - b) * (a - b))
                    .sum::<f64>()
                    .sqrt();
                assert!(apart > 0.2 - 1e-9, "{p:?} {q:?}");
            }
        }
    }
}

/// A wall of bricks, none over an end: each course has one less than that below.
fn wall(courses: usize, long: usize) -> String {
    let mut text = String::from(
        "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }\ncontact default { friction = 0.6 }\ngravity (0, 0, -9.81)\n",
    );
    for course in 0..courses {
        for place in 0..long - course {
            let (x, z) = (
                0.201 * (place as f64 + 0.5 * course as f64),
                0.05 + 0.1 * course as f64,
            );
            let _ = writeln!(
                text,
                "entity b{course}_{place} {{ rounded_box(size = (0.2, 0.1, 0.1), radius = 0.005)  mass = 1  position = ({x}, 0, {z}) }}"
            );
        }
    }
    text
}

/// Hundreds of contacts that all stick: neither the node at the start nor steps take longer than a person waits, and no brick moves.
#[test]
fn a_wall_of_bricks_stands() {
    let text = wall(8, 10);
    let run = RunOptions {
        sample_every: Some(0.1),
        ..options(0.5)
    };
    let trace = dyverse_simulate::simulate(&model(&text), &run).unwrap();
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    let (first, last) = (&trace.samples[0].values, &trace.samples.last().unwrap().values);
    for (a, b) in first.chunks_exact(13).zip(last.chunks_exact(13)) {
        let off = (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
        let speed = b[3..9].iter().map(|v| v.abs()).fold(0.0, f64::max);
        assert!(off <= 1e-7 && speed <= 1e-6, "{off:e} m, {speed:e} m/s");
    }
}

/// Balls that fall on each other in a bin strike from all sides while they lie on others: steps stay about as long as they begin, and impulses are found.
#[test]
fn steps_of_a_heap_stay_long() {
    for seed in 0..4 {
        let mut random = Random(seed);
        let mut text = String::from(
            "contact default { restitution = 0.3  friction = 0.4 }\ngravity (0, 0, -9.81)\nfixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }\n",
        );
        for (name, normal, offset) in [
            ("west", "(1, 0, 0)", 0.0),
            ("east", "(-1, 0, 0)", -0.36),
            ("south", "(0, 1, 0)", 0.0),
            ("north", "(0, -1, 0)", -0.36),
        ] {
            let _ = writeln!(
                text,
                "fixed entity {name} {{ half_space(normal = {normal}, offset = {offset}) }}"
            );
        }
        for n in 0..27 {
            let mut at = |k: usize| 0.12 * (k as f64 + 0.5) + random.between(-0.005, 0.005);
            let (x, y, z) = (at(n % 3), at(n / 3 % 3), at(n / 9));
            let _ = writeln!(
                text,
                "entity b{n} {{ sphere(radius = 0.05)  mass = 1  position = ({x}, {y}, {z}) }}"
            );
        }
        let run = RunOptions {
            contacts: Contacts::Stepping,
            sample_every: Some(0.01),
            ..options(0.3)
        };
        let trace = dyverse_simulate::simulate(&model(&text), &run).unwrap();
        assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
        let first = 1e-2 * (0.05_f64 / 9.81).sqrt();
        // Those of all balls, from when most of them touch.
        let phase = trace.stepping.last().unwrap();
        let few = 5.0 * (phase.to - phase.from) / first;
        assert!(
            phase.entities.len() == 27 && (phase.steps as f64) < few,
            "{phase:?}"
        );
        assert!(phase.penetration <= 1e-6 * 0.1, "{phase:?}");
        assert!(
            trace.statistics.largest_residual <= 1e-3,
            "{:?}",
            trace.statistics
        );
    }
}
