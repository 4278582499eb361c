//! One measured run, and how it is timed.

use crate::prepared::{Rack, RackReference, Triple};
use cpu_time::ProcessTime;
use serde::Serialize;
use std::collections::BTreeMap;

/// A run of a scene by an engine.
#[derive(Serialize)]
pub(crate) struct Run {
    pub(crate) engine: &'static str,
    pub(crate) scene: String,
    /// The step, s; none for event-driven runs.
    pub(crate) step: Option<f64>,
    /// The settings that were varied.
    pub(crate) settings: String,
    /// The least processor time of the repetitions, s.
    pub(crate) seconds: f64,
    /// The error that engines are compared by.
    pub(crate) error: Option<f64>,
    /// Whatever else is known.
    pub(crate) more: BTreeMap<&'static str, f64>,
}

/// The result of a computation and its least processor time: at least three repetitions, more while they take less than a second in all,
/// but only one of a computation that takes more than two seconds.
pub(crate) fn timed<T>(mut compute: impl FnMut() -> T) -> (T, f64) {
    let mut least = f64::INFINITY;
    let mut all = 0.0;
    for repetition in 1.. {
        let start = ProcessTime::now();
        let result = compute();
        let seconds = start.elapsed().as_secs_f64();
        least = least.min(seconds);
        all += seconds;
        if all > 2.0 || (repetition >= 3 && all > 1.0) || repetition >= 200 {
            return (result, least);
        }
    }
    unreachable!()
}

/// Errors of the break at its end: the largest error of a position, of a velocity, and those of energy and momentum.
pub(crate) fn errors_of_break(
    scene: &Rack,
    reference: &RackReference,
    positions: &[Triple],
    velocities: &[Triple],
) -> (f64, BTreeMap<&'static str, f64>) {
    let energy: f64 = velocities
        .iter()
        .map(|v| 0.5 * scene.mass * v.iter().map(|c| c * c).sum::<f64>())
        .sum();
    let at_start = 0.5 * scene.mass * scene.speed * scene.speed;
    let momentum: f64 = velocities.iter().map(|v| scene.mass * v[0]).sum();
    let more = BTreeMap::from([
        ("velocity_error", largest(velocities, &reference.velocities)),
        ("energy_error", (energy / at_start - 1.0).abs()),
        (
            "momentum_error",
            (momentum / (scene.mass * scene.speed) - 1.0).abs(),
        ),
    ]);
    (largest(positions, &reference.positions), more)
}

fn largest(found: &[Triple], reference: &[Triple]) -> f64 {
    let distance = |a: &Triple, b: &Triple| a.iter().zip(b).map(|(p, q)| (p - q).powi(2)).sum::<f64>().sqrt();
    found
        .iter()
        .zip(reference)
        .map(|(a, b)| distance(a, b))
        .fold(0.0, f64::max)
}
