//! Tubes against runs: whatever is simulated with values inside a box is inside its tube, at every sample, in one and the same step in all its states.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse::check::{CellOutcome, CheckOptions, CheckTube, Checkable, TubeBox, TubeOptions, tubes};
use dyverse::num::split_mix;
use dyverse::time::Trace;
use dyverse::{RunOptions, TickOptions, simulate, simulate_actors};

/// What a run may be wrong by, relative to the size of what is compared (at least 1); and in time, s.
const ERROR: f64 = 1e-7;
const LATE: f64 = 1e-9;
const RUNS: usize = 12;

fn text(file: &str) -> &'static str {
    let example = dyverse::EXAMPLES.iter().find(|e| e.file == file);
    example.unwrap_or_else(|| panic!("{file}")).text
}

/// Values in a box: its corners now and then, so that bounds are tried.
fn values(tube: &CheckTube, random: &mut u64) -> Vec<(String, f64)> {
    let mut share = || match split_mix(random) {
        r if r % 4 == 0 => 0.0,
        r if r % 4 == 1 => 1.0,
        r => (r >> 11) as f64 / (1u64 << 53) as f64,
    };
    let sides = tube.sides.iter();
    sides
        .map(|(name, lower, upper)| {
            (
                name.clone(),
                (lower + share() * (upper - lower)).clamp(*lower, *upper),
            )
        })
        .collect()
}

/// Every sample until the tube ends is in a step. How many there were.
fn is_inside(tube: &CheckTube, trace: &Trace, values: &[(String, f64)]) -> usize {
    let signals: Vec<usize> = tube
        .names
        .iter()
        .map(|name| trace.signal(name).unwrap_or_else(|| panic!("{name}")).0 as usize)
        .collect();
    let end = tube.steps.iter().map(|s| s.from).fold(0.0, f64::max);
    let mut seen = 0;
    for sample in trace.samples.iter().filter(|s| s.time.t() < end) {
        let t = sample.time.t();
        let found = tube
            .steps
            .iter()
            .filter(|s| s.from - LATE <= t && t <= s.to + LATE)
            .any(|step| {
                signals.iter().zip(&step.bounds).all(|(signal, (lower, upper))| {
                    let value = sample.values[*signal];
                    let error = ERROR * value.abs().max(1.0);
                    lower - error <= value && value <= upper + error
                })
            });
        assert!(found, "{values:?} at t = {t}, microstep {}", sample.time.n());
        seen += 1;
    }
    seen
}

fn tube(
    subject: Checkable<'_>,
    property: &str,
    sides: &[(&str, f64, f64)],
    outcome: CellOutcome,
) -> CheckTube {
    let boxes = [TubeBox {
        sides: sides
            .iter()
            .map(|(name, a, b)| ((*name).to_owned(), *a, *b))
            .collect(),
        outcome,
    }];
    let options = CheckOptions::default();
    let found = tubes(subject, property, &options, &boxes, TubeOptions::default()).unwrap();
    assert_eq!((found.tubes.len(), found.left_out), (1, 0));
    let tube = found.tubes.into_iter().next().unwrap();
    assert_eq!(tube.outcome, outcome);
    assert!(!tube.names.is_empty() && !tube.steps.is_empty());
    for step in &tube.steps {
        assert!(step.from <= step.to && step.bounds.len() == tube.names.len());
        assert!(
            step.bounds
                .iter()
                .all(|(a, b)| a <= b && a.is_finite() && b.is_finite())
        );
    }
    tube
}

fn bodies(
    file: &str,
    property: &str,
    sides: &[(&str, f64, f64)],
    outcome: CellOutcome,
    until: f64,
) -> CheckTube {
    let model = dyverse::read_text(file, text(file)).model.unwrap();
    let tube = tube(Checkable::Bodies(&model), property, sides, outcome);
    let mut random = 7;
    for _ in 0..RUNS {
        let values = values(&tube, &mut random);
        let options = RunOptions {
            parameters: values.clone(),
            until: Some(until),
            sample_every: Some(until / 400.0),
            ..RunOptions::default()
        };
        let trace = simulate(&model, &options).unwrap();
        assert!(is_inside(&tube, &trace, &values) > 50);
    }
    tube
}

#[test]
fn interception_with_a_gain_that_keeps_the_ball() {
    let tube = bodies(
        "interception.drbt",
        "kept",
        &[("K", 2.0, 2.1)],
        CellOutcome::Safe,
        2.0,
    );
    assert!(tube.names.iter().any(|name| name == "ball1.y"));
    assert!(
        tube.names.iter().all(|name| name != "ball1.z"),
        "it does not move"
    );
    let end = tube.steps.iter().map(|s| s.to).fold(0.0, f64::max);
    assert!((2.0..2.2).contains(&end), "{end}");
    // Tight enough to be of use: the ball is known to less than its radius.
    let y = tube.names.iter().position(|name| name == "ball1.y").unwrap();
    assert!(tube.steps.iter().all(|s| s.bounds[y].1 - s.bounds[y].0 < 1.0));
}

#[test]
fn interception_with_a_gain_that_does_not() {
    let tube = bodies(
        "interception.drbt",
        "kept",
        &[("K", 1.1, 1.11)],
        CellOutcome::Unsafe,
        2.0,
    );
    let y = tube.names.iter().position(|name| name == "ball1.y").unwrap();
    assert!(
        tube.steps.iter().any(|s| s.bounds[y].1 < 0.05),
        "it is seen to fall through"
    );
}

#[test]
fn a_bouncing_ball_as_far_as_its_bounces_are_followed() {
    let sides = [("h", 0.99, 1.0), ("e", 0.8, 0.805)];
    let tube = bodies(
        "bouncing_ball.drbt",
        "not_higher",
        &sides,
        CellOutcome::Undecided,
        2.0,
    );
    let end = tube.steps.iter().map(|s| s.from).fold(0.0, f64::max);
    assert!(end > 0.8, "past the first bounce: {end}");
}

#[test]
fn a_thermostat() {
    let model = dyverse::read_actors_text("thermostat.dam", text("actors/thermostat.dam"))
        .model
        .unwrap();
    let sides = [("outside", 4.9, 5.1)];
    let tube = tube(Checkable::Actors(&model), "never_hot", &sides, CellOutcome::Safe);
    let mut random = 3;
    for _ in 0..RUNS {
        let values = values(&tube, &mut random);
        let options = TickOptions {
            parameters: values.clone(),
            ..TickOptions::default()
        };
        let trace = simulate_actors(&model, &options).unwrap();
        assert!(is_inside(&tube, &trace, &values) > 20);
    }
}

/// The oracle is none if everything is inside.
#[test]
#[should_panic(expected = "microstep")]
fn a_run_from_outside_the_box_leaves_the_tube() {
    let model = dyverse::read_text("interception.drbt", text("interception.drbt"))
        .model
        .unwrap();
    let tube = tube(
        Checkable::Bodies(&model),
        "kept",
        &[("K", 2.0, 2.1)],
        CellOutcome::Safe,
    );
    let values = vec![("K".to_owned(), 2.12)];
    let options = RunOptions {
        parameters: values.clone(),
        sample_every: Some(0.005),
        ..RunOptions::default()
    };
    is_inside(&tube, &simulate(&model, &options).unwrap(), &values);
}
