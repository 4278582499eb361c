//! Thousands of random scenes with all shapes: the laws that every run keeps (support/laws.rs).
//!
//! A run may also end early, if it says why: two shapes that lie flat on each other have moments that one contact cannot hold.
//! How many may is written here for each kind of scene; a run that goes on and breaks a law is never allowed.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_simulate::RunOptions;
use std::collections::BTreeMap;
use support::laws::{Seen, check_laws};
use support::scene::{Form, Recipe, Scene, THROWN};
use support::{model, options};

/// One thing that falls into a corner of two walls.
const FALLING: Recipe<'_> = Recipe {
    things: (1, 1),
    walls: 2,
    gravity: 9.81,
    ..THROWN
};

/// One thing of each kind on a wall.
const ON_A_WALL: [&str; 4] = [
    "sphere-wall",
    "capsule-wall",
    "rounded_box-wall",
    "ellipsoid-wall",
];

/// Runs `count` scenes for `until` seconds: none may break a law, and at most `most_stopped` may stop early.
fn try_scenes(count: u64, until: f64, most_stopped: usize, make: impl Fn(u64) -> Scene) -> Seen {
    let mut seen = Seen::default();
    let (mut broken, mut refused) = (Vec::new(), Vec::new());
    let mut stopped: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for seed in 0..count {
        let scene = make(seed);
        let few_samples = RunOptions {
            sample_every: Some(until / 40.0),
            event_limit: 2000,
            ..options(until)
        };
        let model = model(&scene.text());
        let trace = dyverse_simulate::simulate(&model, &few_samples).unwrap();
        if let Some(told) = support::refused(&model, &few_samples, &trace) {
            refused.push(format!("seed {seed}: {told}\nuntil {until} s:\n{}", scene.text()));
        }
        if !trace.stop.reason.is_complete() {
            stopped.entry(trace.stop.reason.word()).or_default().push(seed);
        }
        if let Err(told) = check_laws(&scene, &trace, &mut seen) {
            broken.push((scene, told));
        }
    }
    println!("{seen:?}\nstopped: {stopped:?}");
    if let Some((first, _)) = broken.first() {
        let told: Vec<String> = broken
            .iter()
            .map(|(s, told)| format!("seed {}: {told}", s.seed))
            .collect();
        panic!(
            "{} scenes break a law:\n{}\nthe first, until {until} s:\n{}",
            broken.len(),
            told.join("\n"),
            first.text()
        );
    }
    let count: usize = stopped.values().map(Vec::len).sum();
    assert!(count <= most_stopped, "{count} runs stop early: {stopped:?}");
    println!("{} refused:\n{}", refused.len(), refused.join("\n"));
    assert!(refused.is_empty(), "{} traces are refused", refused.len());
    seen
}

fn expect_impacts(seen: &Seen, kinds: &[&str], least: usize) {
    for kind in kinds {
        let found = seen.impacts.get(*kind).copied().unwrap_or(0);
        assert!(found >= least, "{found} impacts of {kind} seen, {least} expected");
    }
}

/// Restitution for a seed: 1 for every third, else spread over [0.1, 1].
fn restitution(seed: u64) -> f64 {
    if seed.is_multiple_of(3) {
        1.0
    } else {
        0.1 + 0.9 * ((seed * 7) % 100) as f64 / 100.0
    }
}

#[test]
fn thrown_things_without_friction() {
    let kinds = &["sphere", "capsule", "rounded_box"];
    let seen = try_scenes(500, 0.8, 6, |seed| {
        let restitution = restitution(seed);
        Scene::random(
            seed,
            &Recipe {
                kinds,
                restitution,
                ..THROWN
            },
        )
    });
    let pairs = [
        "sphere-sphere",
        "capsule-sphere",
        "capsule-capsule",
        "rounded_box-sphere",
        "capsule-rounded_box",
        "rounded_box-rounded_box",
    ];
    expect_impacts(&seen, &pairs, 50);
}

#[test]
fn thrown_things_with_friction() {
    let kinds = &["sphere", "capsule", "rounded_box"];
    let seen = try_scenes(500, 0.8, 6, |seed| {
        let mut scene = Scene::random(
            1000 + seed,
            &Recipe {
                kinds,
                restitution: restitution(seed),
                friction: 0.1 + 0.002 * seed as f64,
                ..THROWN
            },
        );
        scene.tangential_restitution = [0.0, 0.5, -0.5, 1.0][seed as usize % 4];
        scene
    });
    let pairs = [
        "sphere-sphere",
        "capsule-sphere",
        "capsule-capsule",
        "rounded_box-sphere",
        "capsule-rounded_box",
        "rounded_box-rounded_box",
    ];
    expect_impacts(&seen, &pairs, 50);
}

/// Pairs with an ellipsoid have no closed form.
#[test]
fn thrown_ellipsoids() {
    let seen = try_scenes(120, 0.6, 2, |seed| {
        let friction = if seed.is_multiple_of(2) { 0.0 } else { 0.4 };
        Scene::random(
            seed,
            &Recipe {
                restitution: restitution(seed),
                friction,
                things: (2, 3),
                ..THROWN
            },
        )
    });
    expect_impacts(
        &seen,
        &[
            "ellipsoid-ellipsoid",
            "ellipsoid-sphere",
            "capsule-ellipsoid",
            "ellipsoid-rounded_box",
        ],
        8,
    );
}

#[test]
fn spheres_that_stay_together() {
    let seen = try_scenes(400, 1.0, 0, |seed| {
        let friction = [0.0, 0.2, 0.6, 1.5][seed as usize % 4];
        Scene::random(
            seed,
            &Recipe {
                kinds: &["sphere"],
                restitution: 0.0,
                friction,
                gravity: 9.81,
                ..THROWN
            },
        )
    });
    assert!(seen.settled > 400, "{seen:?}");
}

#[test]
fn falling_into_a_corner_without_friction() {
    let seen = try_scenes(400, 0.6, 1, |seed| {
        let kinds = &[Form::KINDS[seed as usize % Form::KINDS.len()]];
        let restitution = if seed.is_multiple_of(5) {
            0.0
        } else {
            restitution(seed)
        };
        Scene::random(
            seed,
            &Recipe {
                kinds,
                restitution,
                ..FALLING
            },
        )
    });
    expect_impacts(&seen, &ON_A_WALL, 50);
    assert!(seen.settled > 50, "{seen:?}");
}

#[test]
fn falling_into_a_corner_with_friction() {
    let seen = try_scenes(400, 0.6, 4, |seed| {
        let kinds = &[Form::KINDS[seed as usize % Form::KINDS.len()]];
        let restitution = if seed.is_multiple_of(2) {
            0.0
        } else {
            0.5 * restitution(seed)
        };
        Scene::random(
            seed,
            &Recipe {
                kinds,
                restitution,
                friction: 0.1 + 0.001 * seed as f64,
                ..FALLING
            },
        )
    });
    expect_impacts(&seen, &ON_A_WALL, 50);
    assert!(seen.settled > 200, "{seen:?}");
}

/// Shapes with flat parts that come to lie on each other, and roll and slide over each other's edges.
#[test]
fn flat_things_that_stay_together() {
    let seen = try_scenes(60, 0.6, 1, |seed| {
        let friction = if seed.is_multiple_of(2) { 0.0 } else { 0.4 };
        Scene::random(
            seed,
            &Recipe {
                kinds: &["capsule", "rounded_box"],
                restitution: 0.0,
                friction,
                things: (2, 2),
                ..THROWN
            },
        )
    });
    assert!(seen.settled > 30, "{seen:?}");
}
