//! A run of a scene in closed form beside the closed form: every moment of it is in the trace, and nothing else.

use dyverse::time::Trace;
use dyverse::{InputSignal, RunOptions, TickOptions};

use super::closed::course::{Course, Moment};
use super::closed::real::Real;
use super::closed::scene::{Point, Scene};
use super::subject::Subject;

/// What a run may be wrong by, part of the size.
const ERROR: f64 = 1e-6;
/// Times nearer than this are the same, s.
const INSTANT: f64 = 1e-7;

fn table(steps: &[(Real, Real)]) -> InputSignal {
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (place, (t, value)) in steps.iter().enumerate() {
        if place > 0 {
            times.push(t.f64());
            values.push(steps[place - 1].1.f64());
        }
        times.push(t.f64());
        values.push(value.f64());
    }
    InputSignal::Table { times, values }
}

fn simulated(subject: &Subject, scene: &Scene, point: &Point) -> Result<Trace, String> {
    let names = scene.unknowns.iter().map(|u| u.name.clone());
    let values: Vec<(String, f64)> = names.zip(point.values.iter().map(|v| v.f64())).collect();
    let driven = scene.inputs.iter().zip(&point.inputs);
    let inputs = driven.map(|(i, steps)| (i.name.clone(), table(steps))).collect();
    match subject {
        Subject::Bodies(model) => {
            let (initial, parameters) = values.into_iter().partition(|(name, _)| name.contains('.'));
            let options = RunOptions {
                parameters,
                initial,
                inputs,
                event_limit: 1000,
                ..RunOptions::default()
            };
            dyverse::simulate(model, &options).map_err(|error| error.to_string())
        }
        Subject::Actors(model) => {
            let options = TickOptions {
                parameters: values,
                inputs,
                event_limit: 1000,
                ..TickOptions::default()
            };
            dyverse::simulate_actors(model, &options).map_err(|error| error.to_string())
        }
    }
}

/// What a run at a point does that it should not; `None` if all is well, or nothing can be said.
pub(crate) fn wrong_run(subject: &Subject, scene: &Scene, point: &Point) -> Option<String> {
    let courses = (scene.run)(point)?;
    let trace = match simulated(subject, scene, point) {
        Ok(trace) => trace,
        Err(error) => return Some(format!("the run is refused: {error}")),
    };
    if !trace.stop.reason.is_complete() {
        return Some(format!(
            "the run stops at {}: {}",
            trace.stop.time, trace.stop.reason
        ));
    }
    let mut first = None;
    for course in &courses {
        match difference(scene, course, &trace) {
            None => return None,
            found => first = first.or(found),
        }
    }
    first
}

/// Where a trace differs from a course.
fn difference(scene: &Scene, course: &Course, trace: &Trace) -> Option<String> {
    let leaves = scene.words.leaves.iter();
    let ids: Vec<Option<usize>> = leaves
        .map(|leaf| trace.signal(&leaf.text).map(|id| id.0 as usize))
        .collect();
    let differs = |moment: &Moment, values: &[f64]| {
        ids.iter()
            .zip(moment)
            .enumerate()
            .find_map(|(leaf, (id, value))| {
                let (found, wanted) = (*values.get((*id)?)?, (*value)?.f64());
                let is_near = (found - wanted).abs() <= ERROR * (1.0 + wanted.abs());
                (!is_near).then(|| format!("{} is {found}, not {wanted}", scene.words.leaves[leaf].text))
            })
    };
    for sample in &trace.samples {
        let t = sample.time.t();
        let is_event = course.instants.iter().any(|i| (i.t.f64() - t).abs() < INSTANT);
        let Some(span) = course
            .instants
            .windows(2)
            .position(|w| w[0].t.f64() < t && t < w[1].t.f64())
        else {
            continue;
        };
        if is_event {
            continue;
        }
        let Some(there) = course.between(span, Real::from(t)) else {
            continue;
        };
        if let Some(found) = differs(&there, &sample.values) {
            return Some(format!("at t = {t} of the run {found}"));
        }
    }
    for instant in &course.instants {
        let t = instant.t.f64();
        let samples = trace.samples.iter().filter(|s| (s.time.t() - t).abs() < INSTANT);
        let samples: Vec<&[f64]> = samples.map(|s| s.values.as_slice()).collect();
        // Where nothing recorded jumps no sample is needed.
        let jumps = |moment: &Moment| {
            let first = &instant.moments[0];
            let each = ids.iter().zip(first.iter().zip(moment));
            each.filter(|(id, _)| id.is_some()).any(|(_, (a, b))| a != b)
        };
        if !instant.moments.iter().any(jumps) {
            continue;
        }
        for moment in &instant.moments {
            if samples.iter().all(|values| differs(moment, values).is_some()) {
                let nearest = samples.first().and_then(|values| differs(moment, values));
                let nearest = nearest.unwrap_or_else(|| "there is no sample".into());
                return Some(format!("a moment at t = {t} is not in the trace ({nearest})"));
            }
        }
    }
    None
}
