//! Many bodies: they run to the end, nothing overlaps, and energy is kept.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use crate::support;

use dyverse_trace::Trace;
use std::fmt::Write;
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
