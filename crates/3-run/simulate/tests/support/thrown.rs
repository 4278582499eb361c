//! Things thrown at a floor or at each other with any coefficients, and the energies of their impacts: by masses, inertias and the velocities of the trace.
#![allow(dead_code, clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use super::scene::Random;
use super::{model, options, simulate};
use dyverse_model::{EntityId, Model, Setting};
use dyverse_num::{Quaternion, Vec3};
use dyverse_simulate::RunOptions;
use dyverse_trace::{Sample, Trace, TransitionKind};

/// Kinetic energy in a sample, from the model's numbers alone.
pub(crate) fn kinetic(model: &Model, trace: &Trace, sample: &Sample) -> f64 {
    let setting = Setting::nominal(model);
    let mut energy = 0.0;
    for (number, entity) in model.entities().iter().enumerate().filter(|(_, e)| !e.is_fixed) {
        let at = |c: &str| sample.values[trace.signal(&format!("{}.{c}", entity.name)).unwrap().0 as usize];
        let properties = setting.mass_properties(EntityId(number)).unwrap();
        let q = Quaternion {
            w: at("qw"),
            x: at("qx"),
            y: at("qy"),
            z: at("qz"),
        };
        let v = Vec3::new(at("vx"), at("vy"), at("vz"));
        let w = q
            .normalized()
            .rotate_back(&Vec3::new(at("wx"), at("wy"), at("wz")));
        energy += 0.5 * properties.mass * v.norm_squared() + 0.5 * w.dot(&properties.inertia.apply(&w));
    }
    energy
}

/// Energies before and after each impact.
pub(crate) fn impacts(model: &Model, trace: &Trace) -> Vec<(f64, f64)> {
    let at_impact = trace
        .transitions
        .iter()
        .filter(|t| t.kind == TransitionKind::Impact && !t.forces.is_empty());
    let around = |t: f64| {
        let of = |n: &Sample| n.time.t() == t;
        let first = trace.samples.iter().position(of).unwrap();
        let last = trace.samples.iter().rposition(of).unwrap();
        [first, last].map(|n| kinetic(model, trace, &trace.samples[n]))
    };
    at_impact
        .map(|t| around(t.time.t()))
        .map(|[before, after]| (before, after))
        .collect()
}

fn shape(random: &mut Random, kind: usize) -> String {
    let mut size = |low: f64, high: f64| random.between(low, high);
    match kind {
        0 => format!("sphere(radius = {})", size(0.1, 0.3)),
        1 => format!(
            "capsule(radius = {}, length = {})",
            size(0.04, 0.1),
            size(0.2, 0.5)
        ),
        2 => format!(
            "rounded_box(size = ({}, {}, {}), radius = 0.03)",
            size(0.2, 0.4),
            size(0.1, 0.4),
            size(0.1, 0.4)
        ),
        3 => format!(
            "ellipsoid(semi_axes = ({}, {}, {}))",
            size(0.1, 0.3),
            size(0.1, 0.3),
            size(0.1, 0.3)
        ),
        _ => {
            let (r, d) = (size(0.08, 0.15), size(0.1, 0.25));
            format!("sphere(radius = {r}, at = ({d}, 0, 0))  sphere(radius = {r}, at = (-{d}, 0, 0))")
        }
    }
}

fn vector(v: &Vec3<f64>) -> String {
    format!("({}, {}, {})", v.x, v.y, v.z)
}

/// Something thrown at a floor, or at something else.
pub(crate) fn scene(random: &mut Random, policy: &str) -> String {
    let e = [0.0, 1.0, random.between(0.0, 1.0)][random.below(3)];
    let tangential = [-1.0, 0.0, 1.0, random.between(-1.0, 1.0)][random.below(4)];
    let friction = random.between(0.0, 2.0);
    let mut text = format!(
        "contact default {{ restitution = {e} tangential_restitution = {tangential} friction = {friction} }}\nimpacts {policy}\n"
    );
    let count = 1 + random.below(3);
    for i in 0..count {
        let kind = random.below(5);
        let position = Vec3::new(0.0, 0.0, 0.5 + 0.8 * i as f64) + random.vector(0.05);
        let velocity = random.vector(2.0) - Vec3::new(0.0, 0.0, 1.0 + 2.0 * i as f64);
        let axis = random.direction();
        text += &format!(
            "entity b{i} {{ {} mass = {} position = {} velocity = {} angular_velocity = {} orientation = rotation(axis = {}, angle = {}) }}\n",
            shape(random, kind),
            random.between(0.3, 3.0),
            vector(&position),
            vector(&velocity),
            vector(&random.vector(8.0)),
            vector(&axis),
            random.between(-3.0, 3.0)
        );
    }
    text + "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }\n"
}

/// The rod to which Newton's law as it stands gives energy, thrown.
pub(crate) fn rod() -> String {
    let path = format!(
        "{}/../../5-use/dyverse/tests/cases/run/energy_gain_rod.drbt",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).unwrap()
}

/// As much of a scene as the tests run.
pub(crate) fn few() -> RunOptions {
    RunOptions {
        event_limit: 300,
        ..options(0.5)
    }
}

/// A run of a scene of which no impact may add energy, and how many impacts it has.
pub(crate) fn without_gain(text: &str) -> (Trace, usize) {
    let model = model(text);
    let trace = simulate(&model, &few()).unwrap();
    // Wherever it stops, the last state is the state there: after the impacts that it counts.
    let error = trace.balance.error();
    let last = kinetic(&model, &trace, trace.samples.last().unwrap());
    assert!(
        error.abs() < 1e-7 * (1.0 + last),
        "{error} J not accounted for\n{text}"
    );
    let all = impacts(&model, &trace);
    for (before, after) in &all {
        assert!(
            *after <= before * (1.0 + 1e-8),
            "{before} J became {after} J\n{text}"
        );
    }
    (trace, all.len())
}
