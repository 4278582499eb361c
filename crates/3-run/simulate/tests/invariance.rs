//! A scene in another frame, in another order, under other names: the same events and the same motion.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_num::{Quaternion, Vec3};
use dyverse_simulate::RunOptions;
use dyverse_trace::{Trace, TransitionKind};
use support::laws::states;
use support::scene::{Form, Q, Random, Recipe, Scene, V};
use support::{model, options, simulate};

fn run_text(text: &str, until: f64) -> Trace {
    let few = RunOptions {
        sample_every: Some(until),
        event_limit: 2000,
        ..options(until)
    };
    simulate(&model(text), &few).unwrap()
}

/// When, what, and for each contact how hard.
type Event = (f64, TransitionKind, Vec<(String, f64, f64)>);

/// What happened, without names of locations: when, what, between whom, how hard.
fn events(trace: &Trace, names: &str) -> Vec<Event> {
    // Where two vertices meet, the contact is that of the vertex of the entity declared first: features are left out.
    let entity = |end: &str| end.split('#').next().unwrap_or(end).replacen(names, "", 1);
    let label = |contact: &str| {
        let mut ends: Vec<String> = contact.split('-').map(entity).collect();
        ends.sort();
        ends.join("-")
    };
    trace
        .transitions
        .iter()
        .map(|t| {
            let mut forces: Vec<_> = t
                .forces
                .iter()
                .map(|f| {
                    (
                        label(&f.contact),
                        f.normal,
                        f.tangential[0].hypot(f.tangential[1]),
                    )
                })
                .collect();
            forces.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            (t.time.t(), t.kind, forces)
        })
        .collect()
}

/// How far two runs are from each other; infinite if other things happened.
fn difference(one: &Trace, names: &str, other: &Trace, other_names: &str) -> f64 {
    let (a, b) = (events(one, names), events(other, other_names));
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    let mut worst = 0.0f64;
    for (x, y) in a.iter().zip(&b) {
        let same = x.1 == y.1 && x.2.len() == y.2.len() && x.2.iter().zip(&y.2).all(|(p, q)| p.0 == q.0);
        if !same {
            return f64::INFINITY;
        }
        worst = worst.max((x.0 - y.0).abs());
        for (p, q) in x.2.iter().zip(&y.2) {
            worst = worst.max((p.1 - q.1).abs()).max((p.2 - q.2).abs());
        }
    }
    worst
}

struct Frame {
    rotation: Q,
    shift: V,
    boost: V,
}

/// Runs a scene and its image in another frame: the image of the end must be the end of the image.
fn compare_frames(scene: &Scene, frame: &Frame, until: f64, tolerance: f64) -> Result<usize, String> {
    let moved = scene.moved(&frame.rotation, &frame.shift, &frame.boost);
    let (one, other) = (run_text(&scene.text(), until), run_text(&moved.text(), until));
    if !one.stop.reason.is_complete() || !other.stop.reason.is_complete() {
        let told = (one.stop.reason.word(), other.stop.reason.word());
        return if told.0 == told.1 {
            Ok(0)
        } else {
            Err(format!("one stopped: {told:?}"))
        };
    }
    // Boxes rattle on their corners faster than rounding lets them agree on the order; where they are is the same.
    let rattles = !scene.walls.is_empty() && scene.things.iter().any(|t| t.form.kind() == "rounded_box");
    // Dozens of impacts within milliseconds each amplify what rounding leaves.
    let tolerance = if rattles { 10.0 * tolerance } else { tolerance };
    let mut worst = if rattles {
        0.0
    } else {
        difference(&one, "b", &other, "b")
    };
    let count = scene.things.len();
    let (a, b) = (
        states(&one, "b", count, one.samples.last().unwrap()),
        states(&other, "b", count, other.samples.last().unwrap()),
    );
    for (a, b) in a.iter().zip(&b) {
        let image = a.moved(&frame.rotation, &frame.shift, &frame.boost, until);
        worst = worst.max(image.distance(b));
    }
    if worst > tolerance {
        let (a, b) = (events(&one, "b"), events(&other, "b"));
        return Err(format!(
            "seed {}: off by {worst:e}\n{}\n{}\n{a:?}\n{b:?}",
            scene.seed,
            scene.text(),
            moved.text()
        ));
    }
    Ok(events(&one, "b").len())
}

fn frames(recipe: &Recipe<'_>, seeds: u64, until: f64, tolerance: f64, is_boosted: bool) -> usize {
    let mut seen = 0;
    let mut told = Vec::new();
    for seed in 0..seeds {
        let mut random = Random(99 + seed);
        let scene = Scene::random(seed, recipe);
        let frame = Frame {
            rotation: random.rotation(),
            shift: random.vector(5.0),
            boost: if is_boosted {
                random.vector(2.0)
            } else {
                Vec3::zero()
            },
        };
        match compare_frames(&scene, &frame, until, tolerance) {
            Ok(events) => seen += events,
            Err(error) => told.push(error),
        }
    }
    assert!(
        told.is_empty(),
        "{} of {seeds} scenes differ; the first: {}",
        told.len(),
        told[0]
    );
    seen
}

const THROWN: Recipe<'_> = Recipe {
    kinds: &["sphere", "capsule", "rounded_box"],
    things: (2, 3),
    walls: 0,
    gravity: 0.0,
    friction: 0.3,
    restitution: 0.7,
};

/// Rounding is magnified by every impact, so runs are short.
#[test]
fn thrown_things_in_a_rotated_and_moving_frame() {
    let seen = frames(&THROWN, 150, 0.5, 1e-8, true);
    assert!(seen > 200, "{seen} events");
}

#[test]
fn ellipsoids_in_a_rotated_and_moving_frame() {
    let kinds = &["ellipsoid", "sphere"];
    let seen = frames(&Recipe { kinds, ..THROWN }, 25, 0.4, 1e-8, true);
    assert!(seen > 20, "{seen} events");
}

/// With walls and gravity, which turn with the frame; every shape bounces, and some come to slide or roll.
#[test]
fn falling_things_in_a_rotated_frame() {
    let mut seen = 0;
    for kind in Form::KINDS {
        for restitution in [0.0, 0.6] {
            let recipe = Recipe {
                kinds: &[kind],
                things: (1, 1),
                walls: 1,
                gravity: 9.81,
                restitution,
                ..THROWN
            };
            seen += frames(&recipe, 20, 0.35, 1e-7, false);
        }
    }
    assert!(seen > 200, "{seen} events");
}

/// The order of declarations and the names decide the order of contacts, of sweeps and of ties, and must not be seen in the result.
#[test]
fn order_and_names_of_all_shapes() {
    let mut seen = 0;
    for seed in 0..100 {
        let walls = seed as usize % 2;
        let scene = Scene::random(
            300 + seed,
            &Recipe {
                kinds: &Form::KINDS,
                walls,
                gravity: 9.81 * walls as f64,
                ..THROWN
            },
        );
        let count = scene.things.len();
        let mut order: Vec<usize> = (0..count + walls).collect();
        order.reverse();
        let (one, other) = (
            run_text(&scene.text(), 0.4),
            run_text(&scene.text_as("zeta", &order), 0.4),
        );
        if !one.stop.reason.is_complete() {
            assert_eq!(
                one.stop.reason.word(),
                other.stop.reason.word(),
                "{}",
                scene.text()
            );
            continue;
        }
        let mut worst = difference(&one, "b", &other, "zeta");
        let (a, b) = (
            states(&one, "b", count, one.samples.last().unwrap()),
            states(&other, "zeta", count, other.samples.last().unwrap()),
        );
        for (a, b) in a.iter().zip(&b) {
            worst = worst.max(a.distance(b));
        }
        assert!(worst <= 1e-8, "off by {worst:e}:\n{}", scene.text());
        seen += one.transitions.len();
    }
    assert!(seen > 100, "{seen} events");
}

/// The tests' own change of frame: a rotation and its inverse give back the scene.
#[test]
fn frames_can_be_left_again() {
    let scene = Scene::random(5, &THROWN);
    let q = Random(3).rotation();
    let there = scene.moved(&q, &Vec3::zero(), &Vec3::zero());
    let Quaternion { w, x, y, z } = q;
    let back = Quaternion {
        w,
        x: -x,
        y: -y,
        z: -z,
    };
    let again = there.moved(&back, &Vec3::zero(), &Vec3::zero());
    for (a, b) in scene.things.iter().zip(&again.things) {
        assert!(a.state.distance(&b.state) < 1e-14);
    }
}
