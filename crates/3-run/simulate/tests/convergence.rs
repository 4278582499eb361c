//! How the error of contacts followed by steps falls with their length, and the figure of it in docs/SIMULATING.md.
//!
//! `cargo xtask plots` draws it anew. Each error is how far the first point is from where it must be, m: from a closed form, or from the run by events where there is none.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::stepped::{GRAVITY, errors, halves, run};
use crate::support;

use dyverse_export::{PlotOptions, trace_plot};
use dyverse_simulate::Contacts;
use dyverse_trace::{Sample, Signal, SuperdenseTime, Trace};
use std::path::Path;
use support::{close, last};

/// The longest step, s, and how often it is halved.
const LONGEST: f64 = 0.01;
const COUNT: i32 = 7;

/// A scene whose error is known.
struct Scene {
    name: &'static str,
    text: String,
    until: f64,
    /// Where `b` is in the end, m.
    place: [f64; 3],
}

fn on_a_floor(friction: f64, restitution: f64, things: &str) -> String {
    format!(
        "fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
         contact default {{ restitution = {restitution} friction = {friction} }}
         gravity (0, 0, -{GRAVITY})
         {things}"
    )
}

fn place(trace: &Trace) -> [f64; 3] {
    ["b.x", "b.y", "b.z"].map(|signal| last(trace, signal))
}

/// Oracle: it stops after v²/(2μg).
fn sliding_box() -> Scene {
    let (mu, speed) = (0.3, 1.0);
    Scene {
        name: "a box slides to a stop",
        text: on_a_floor(
            mu,
            0.0,
            &format!(
                "entity b {{ rounded_box(size = (0.2, 0.3, 0.1), radius = 0.01) mass = 1 position = (0, 0, 0.05) velocity = ({speed}, 0, 0) }}"
            ),
        ),
        until: 0.5,
        place: [speed * speed / (2.0 * mu * GRAVITY), 0.0, 0.05],
    }
}

/// Oracle: a ball that slides rolls from 2v/(7μg) on, at 5/7 of its speed.
fn rolling_ball() -> Scene {
    let (mu, speed, until) = (0.3, 1.0, 0.5);
    let begins = 2.0 * speed / (7.0 * mu * GRAVITY);
    let way = speed * begins - 0.5 * mu * GRAVITY * begins * begins + 5.0 / 7.0 * speed * (until - begins);
    Scene {
        name: "a ball slides, then rolls",
        text: on_a_floor(
            mu,
            0.0,
            &format!(
                "entity b {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 0.1) velocity = ({speed}, 0, 0) }}"
            ),
        ),
        until,
        place: [way, 0.0, 0.1],
    }
}

/// Oracle: a box slides a gap and strikes another; they go on together, as momentum says, and stop.
fn pushed_box() -> Scene {
    let (mu, speed, gap, masses) = (0.3, 2.0, 0.15, [1.0f64, 0.5]);
    let strikes = speed * speed - 2.0 * mu * GRAVITY * gap;
    let together = strikes * (masses[0] / (masses[0] + masses[1])).powi(2);
    let from = 0.2 + gap;
    let boxes = format!(
        "entity a {{ rounded_box(size = (0.2, 0.2, 0.1), radius = 0.01) mass = {} position = (0, 0, 0.05) velocity = ({speed}, 0, 0) }}
         entity b {{ rounded_box(size = (0.2, 0.2, 0.1), radius = 0.01) mass = {} position = ({from}, 0, 0.05) }}",
        masses[0], masses[1]
    );
    Scene {
        name: "a box strikes a box and pushes it to a stop",
        text: on_a_floor(mu, 0.0, &boxes),
        until: 1.0,
        place: [from + together / (2.0 * mu * GRAVITY), 0.0, 0.05],
    }
}

/// A box that falls on an edge, slides, turns over on it and lands on its side: as the run by events has it.
fn dropped_box() -> Scene {
    let text = on_a_floor(
        0.7,
        0.0,
        "entity b { rounded_box(size = (0.2, 0.3, 0.1), radius = 0.01) mass = 1 position = (0, 0, 0.25)
           orientation = rotation(axis = (0, 1, 0), angle = 0.3) velocity = (0.3, 0, 0) }",
    );
    let by_events = run(&text, 1.0, Contacts::Exact, None);
    assert!(by_events.stop.reason.is_complete());
    Scene {
        name: "a box is dropped on an edge",
        place: place(&by_events),
        text,
        until: 1.0,
    }
}

impl Scene {
    fn errors(&self) -> Vec<f64> {
        errors(&self.text, self.until, halves(LONGEST, COUNT), |trace| {
            let apart = place(trace)
                .into_iter()
                .zip(self.place)
                .map(|(a, b)| (a - b).powi(2));
            apart.sum::<f64>().sqrt()
        })
    }
}

/// The power of the step with which errors fall, by least squares.
fn order(errors: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> = halves(LONGEST, COUNT)
        .zip(errors)
        .map(|(step, error)| (step.ln(), error.ln()))
        .collect();
    let count = points.len() as f64;
    let middle = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (middle(|p| p.0), middle(|p| p.1));
    let (both, square) = points.iter().fold((0.0, 0.0), |(both, square), p| {
        (both + (p.0 - x) * (p.1 - y), square + (p.0 - x).powi(2))
    });
    both / square
}

/// Errors fall as the step does. With DYVERSE_BLESS in the environment the figure is written, else it must be what the runs give.
#[test]
fn errors_of_steps_fall_as_in_the_figure() {
    let scenes = [sliding_box(), rolling_ball(), pushed_box(), dropped_box()];
    for scene in &scenes[..3] {
        let by_events = run(&scene.text, scene.until, Contacts::Exact, None);
        for (found, expected) in place(&by_events).into_iter().zip(scene.place) {
            close(found, expected, 1e-9);
        }
    }
    let found: Vec<Vec<f64>> = scenes.iter().map(Scene::errors).collect();
    for (scene, errors) in scenes.iter().zip(&found) {
        let order = order(errors);
        assert!(
            (0.8..1.4).contains(&order),
            "{}: order {order}, {errors:?}",
            scene.name
        );
    }
    let drawn = figure(&scenes, &found);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs");
    let path = docs.join("plots/error_of_steps.svg");
    let page = std::fs::read_to_string(docs.join("SIMULATING.md")).unwrap();
    assert!(page.contains("plots/error_of_steps.svg"));
    if std::env::var_os("DYVERSE_BLESS").is_some() {
        std::fs::write(path, drawn).unwrap();
    } else {
        let is_same = std::fs::read_to_string(path).is_ok_and(|old| old == drawn);
        assert!(
            is_same,
            "the figure is out of date: `cargo xtask plots`, and look at it"
        );
    }
}

/// Powers of ten of errors over those of steps, with a line along which an error is a hundredth of a metre for each second of the step.
fn figure(scenes: &[Scene], errors: &[Vec<f64>]) -> String {
    let names = scenes
        .iter()
        .map(|scene| scene.name)
        .chain(["in proportion to the step"]);
    let signals = names.map(|name| Signal {
        name: name.into(),
        unit: String::new(),
    });
    let mut samples: Vec<Sample> = halves(LONGEST, COUNT)
        .enumerate()
        .map(|(n, step)| Sample {
            time: SuperdenseTime::at(step.log10()).unwrap(),
            values: errors
                .iter()
                .map(|of| of[n])
                .chain([0.01 * step])
                .map(f64::log10)
                .collect(),
        })
        .collect();
    samples.reverse();
    let none = run(
        "entity b { sphere(radius = 1) mass = 1 }",
        1.0,
        Contacts::Exact,
        None,
    );
    let table = Trace {
        signals: signals.collect(),
        samples,
        transitions: Vec::new(),
        pieces: Vec::new(),
        ..none
    };
    let options = PlotOptions {
        title: Some("Where a thing ends, by steps: power of ten of the error, m".into()),
        panels: vec![table.signals.iter().map(|signal| signal.name.clone()).collect()],
        panel_height: 260.0,
        axis_label: Some("power of ten of the step, s".into()),
        ..PlotOptions::default()
    };
    trace_plot(&table, &options).unwrap()
}

/// Oracle: what no impulse acts on is exact in steps, so a ball alone bounces where it must, however long they are.
#[test]
fn a_ball_alone_bounces_exactly_by_steps() {
    let text = on_a_floor(
        0.3,
        0.8,
        "entity b { sphere(radius = 0.1) mass = 1 position = (0, 0, 0.6) }",
    );
    let (until, e, first) = (1.5, 0.8, (2.0 * 0.5 / GRAVITY).sqrt());
    // It is in the air for 2v/g after a bounce with v.
    let (mut speed, mut since) = (e * GRAVITY * first, until - first);
    while since > 2.0 * speed / GRAVITY {
        since -= 2.0 * speed / GRAVITY;
        speed *= e;
    }
    let height = 0.1 + speed * since - 0.5 * GRAVITY * since * since;
    let found = errors(&text, until, halves(LONGEST, COUNT), |trace| {
        assert!(!trace.stepping.is_empty());
        (last(trace, "b.z") - height).abs()
    });
    assert!(found.iter().all(|error| *error < 1e-12), "{found:?}");
}
