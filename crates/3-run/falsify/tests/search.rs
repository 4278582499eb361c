//! Searches whose outcome is known.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_falsify::{
    Experiment, Failure, Measured, ModelExperiment, Robustness, SearchEnd, SearchOptions, SearchOutcome,
    Unknown, search,
};
use dyverse_simulate::{RunError, RunOptions};
use dyverse_trace::SuperdenseTime;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::model;

const INTERCEPTION: &str = include_str!("../../../../examples/interception.drbt");
const THREE_BALLS: &str = include_str!("../../../../examples/three_balls_002.drbt");

/// The gain below which the interception game is lost.
const LOST_BELOW: f64 = 1.945_694_206_56;

fn quiet(experiment: &dyn Experiment, options: &SearchOptions) -> SearchOutcome {
    search(experiment, options, &mut |_| ControlFlow::Continue(()))
}

fn budget(budget: usize) -> SearchOptions {
    SearchOptions {
        budget,
        ..SearchOptions::default()
    }
}

fn interception(range: &str) -> dyverse_model::Model {
    model(&INTERCEPTION.replace("param K in [1, 3]", &format!("param K in {range}")))
}

#[test]
fn the_interception_game() {
    let all = model(INTERCEPTION);
    let experiment = ModelExperiment::new(&all, "kept", RunOptions::default()).unwrap();
    let outcome = quiet(&experiment, &budget(60));
    let witness = outcome.found.unwrap();
    assert!(witness.values[0].1 < LOST_BELOW, "{witness:?}");
    assert_eq!(outcome.end, SearchEnd::Found);
    let first = witness.robustness.first.unwrap().t();
    assert!(first > 0.5 && first <= 2.0);

    let won = interception("[1.95, 3]");
    let experiment = ModelExperiment::new(&won, "kept", RunOptions::default()).unwrap();
    let outcome = quiet(&experiment, &budget(150));
    assert!(
        outcome.found.is_none() && outcome.end == SearchEnd::BudgetUsed,
        "{outcome:?}"
    );
    assert_eq!((outcome.simulations, outcome.failures), (149, 0));
    // The nearest miss is at the end of the range.
    assert_eq!(outcome.best.unwrap().values[0].1, 1.95);

    // Lost in a ten-thousandth of the range only.
    let narrow = interception("[1.9456, 3]");
    let experiment = ModelExperiment::new(&narrow, "kept", RunOptions::default()).unwrap();
    let witness = quiet(&experiment, &budget(200)).found.unwrap();
    assert!(witness.values[0].1 < LOST_BELOW, "{witness:?}");
    // Within 1e-9 of the limit on either side, the run knows.
    for (k, is_lost) in [(LOST_BELOW - 1e-7, true), (LOST_BELOW + 1e-7, false)] {
        let measured = experiment.run(&[k]).unwrap();
        assert_eq!(measured.robustness.value < 0.0, is_lost, "{k}: {measured:?}");
    }
}

const DESCENT: &str = "system descent
    param a in [0, 1]
    param b in [0, 1]
    entity ball { sphere(radius = 0.1)  mass = 1  position = (a, b, 0) }
    horizon 1
    property p: always [0, 0.1] (ball.x - 0.3137)^2 + 10 * (ball.y - 0.7071 - 0.3 * ball.x)^2 > 1e-8";

#[test]
fn an_unsafe_set_inside_the_range_takes_a_descent() {
    // |K − K₀| is unsafe below 1e-4: no corner and no sample hits that.
    let model = model(DESCENT);
    let experiment = ModelExperiment::new(&model, "p", RunOptions::default()).unwrap();
    let outcome = quiet(&experiment, &budget(600));
    let witness = outcome.found.unwrap();
    assert!((witness.values[0].1 - 0.3137).abs() < 1e-4, "{witness:?}");
    assert!(
        outcome.simulations > 150 && outcome.history.len() > 5,
        "{}",
        outcome.simulations
    );
}

#[test]
fn three_balls_of_paper_002() {
    let model = model(THREE_BALLS);
    let experiment = ModelExperiment::new(&model, "slow", RunOptions::default()).unwrap();
    let witness = quiet(&experiment, &budget(50)).found.unwrap();
    assert!(witness.values[0].1 > 1.3, "{witness:?}");
    // The limit, by bisection on the robustness.
    let at = |k: f64| experiment.run(&[k]).unwrap().robustness.value;
    let (mut low, mut high) = (1.0, 1.5);
    assert!(at(low) > 0.0 && at(high) < 0.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if at(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    assert!((low - 1.39).abs() < 0.02, "{low}");
    let experiment = ModelExperiment::new(&model, "bounded", RunOptions::default()).unwrap();
    assert!(quiet(&experiment, &budget(50)).found.is_none());
}

/// A ball dropped from h with restitution e: after the second bounce it rises to e⁴ h.
fn bounces(property: &str) -> dyverse_model::Model {
    model(&format!(
        "system bounces
         param e in [0.7, 0.9]
         entity ball {{ sphere(radius = 0.1)  mass = 1  position in (0, [0.9, 1.1], 0) }}
         fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = e  friction = 0 }}
         gravity (0, -10, 0)
         horizon 3
         property p: {property}"
    ))
}

#[test]
fn a_bouncing_ball_with_two_unknowns() {
    // The top of the flight after the second bounce: t = T (1 + 2 e + e²) with T = √(h/5), at 0.1 + e⁴ h. For e ≤ 0.9 and h ≤ 1 it is before 1.65; the first fall is over by 0.45.
    let model = bounces("always [0, 3] (ball.x > -1 and eventually [0, 1] ball.y < 0.7)");
    let experiment = ModelExperiment::new(
        &model,
        "p",
        RunOptions {
            until: Some(4.0),
            ..RunOptions::default()
        },
    )
    .unwrap();
    assert!(quiet(&experiment, &budget(60)).found.is_none());
    let names: Vec<&str> = experiment.unknowns().iter().map(|u| u.name.as_str()).collect();
    assert_eq!(names, ["e", "ball.y"]);
    assert_eq!(
        (experiment.unknowns()[1].lower, experiment.unknowns()[1].upper),
        (0.9, 1.1)
    );

    // The third arc lies in t > 1.15 for every h and e; it is higher than 0.6 only if e⁴ h > 0.5.
    let model = bounces("never [1.15, 3] ball.y > 0.6");
    let experiment = ModelExperiment::new(&model, "p", RunOptions::default()).unwrap();
    let options = SearchOptions {
        stop_at_first: false,
        ..budget(300)
    };
    let outcome = quiet(&experiment, &options);
    let witness = outcome.found.unwrap();
    let (e, h) = (witness.values[0].1, witness.values[1].1 - 0.1);
    // The worst: whatever is highest from 1.15 on, at the corner e = 0.9.
    assert_eq!(e, 0.9);
    let arc = |t: f64| {
        let fall = (h / 5.0).sqrt();
        let (first, second) = (fall * (1.0 + 2.0 * e), fall * (1.0 + 2.0 * e + 2.0 * e * e));
        let speed = 10.0 * fall;
        let (start, up) = if t < first {
            (fall, e * speed)
        } else if t < second {
            (first, e * e * speed)
        } else {
            (second, e * e * e * speed)
        };
        0.1 + up * (t - start) - 5.0 * (t - start) * (t - start)
    };
    let highest = (0..18_500)
        .map(|i| arc(1.15 + 1e-4 * f64::from(i)))
        .fold(0.0, f64::max);
    assert!(
        (witness.robustness.value - (0.6 - highest)).abs() < 1e-6,
        "{witness:?} {highest}"
    );
}

#[test]
fn determinism_whatever_the_threads() {
    let model = model(DESCENT);
    let experiment = ModelExperiment::new(&model, "p", RunOptions::default()).unwrap();
    let with = |threads: usize, seed: u64| {
        let options = SearchOptions {
            seed,
            threads,
            stop_at_first: false,
            ..budget(120)
        };
        quiet(&experiment, &options)
    };
    let (one, two) = (with(1, 5), with(2, 5));
    assert_eq!(one, two);
    assert_eq!(one, with(7, 5));
    assert!(one.simulations <= 120);
    assert_ne!(one.history, with(1, 6).history);
}

/// A test function without simulations, which counts how often it is asked.
struct Function<F> {
    unknowns: Vec<Unknown>,
    calls: AtomicUsize,
    value: F,
}

impl<F: Fn(&[f64]) -> Option<f64> + Sync> Function<F> {
    fn new(range: (f64, f64), count: usize, value: F) -> Self {
        let unknown = |i| Unknown {
            name: format!("x{i}"),
            lower: range.0,
            upper: range.1,
        };
        Function {
            unknowns: (0..count).map(unknown).collect(),
            calls: AtomicUsize::new(0),
            value,
        }
    }
}

impl<F: Fn(&[f64]) -> Option<f64> + Sync> Experiment for Function<F> {
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn run(&self, point: &[f64]) -> Result<Measured, Failure> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let now = SuperdenseTime::at(0.0).unwrap();
        let value = (self.value)(point).ok_or(Failure::Undecided)?;
        let robustness = Robustness {
            value,
            error: 1e-9,
            first: None,
            worst: now,
            reached: now,
        };
        Ok(Measured { robustness })
    }
}

#[test]
fn a_minimum_among_many() {
    // Rastrigin's function, least −0.5 at (1.2, −0.7): its other valleys are above 0.
    let f = |p: &[f64]| {
        let wave = |x: f64| x * x + 10.0 * (1.0 - (std::f64::consts::TAU * x).cos());
        Some(wave(p[0] - 1.2) + wave(p[1] + 0.7) - 0.5)
    };
    let function = Function::new((-5.0, 5.0), 2, f);
    let outcome = quiet(
        &function,
        &SearchOptions {
            stop_at_first: false,
            ..budget(4000)
        },
    );
    let witness = outcome.found.unwrap();
    assert!(witness.robustness.value < -0.499, "{witness:?}");
    // A curved valley in five dimensions.
    let f = |p: &[f64]| {
        let parts = p
            .windows(2)
            .map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2));
        Some(parts.sum::<f64>() - 1e-3)
    };
    let function = Function::new((-2.0, 2.0), 5, f);
    assert!(quiet(&function, &budget(8000)).found.is_some());
}

#[test]
fn budget_and_cancelling_are_honoured() {
    for many in [0, 1, 2, 3, 17, 100] {
        let function = Function::new((0.0, 1.0), 3, |p: &[f64]| Some(1.0 + p[0]));
        let outcome = quiet(&function, &budget(many));
        let calls = function.calls.load(Ordering::Relaxed);
        assert!(calls <= many && calls == outcome.simulations, "{many} {calls}");
        let function = Function::new((0.0, 1.0), 3, |p: &[f64]| Some(p[0] - 0.5));
        let outcome = quiet(
            &function,
            &SearchOptions {
                stop_at_first: false,
                ..budget(many)
            },
        );
        assert!(function.calls.load(Ordering::Relaxed) <= many);
        assert_eq!(outcome.found.is_some(), many > 2, "{many}");
    }
    let function = Function::new((0.0, 1.0), 2, |p: &[f64]| Some(1.0 + p[0]));
    let mut told = 0;
    let outcome = search(&function, &budget(1000), &mut |progress| {
        told += 1;
        if progress.simulations >= 50 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(outcome.end, SearchEnd::Cancelled);
    assert!(outcome.simulations < 80 && told > 2);
}

#[test]
fn failures_are_no_violations() {
    // Half of the box fails; beside it the least value.
    let f = |p: &[f64]| if p[0] < 0.4 { None } else { Some(p[0] - 0.45) };
    let function = Function::new((0.0, 1.0), 1, f);
    let outcome = quiet(
        &function,
        &SearchOptions {
            stop_at_first: false,
            ..budget(500)
        },
    );
    assert!((outcome.found.unwrap().robustness.value + 0.05).abs() < 1e-6);
    assert!(outcome.failures > 0 && matches!(outcome.first_failure, Some((_, Failure::Undecided))));
    let function = Function::new((0.0, 1.0), 1, |_: &[f64]| None);
    let outcome = quiet(&function, &budget(30));
    assert!(outcome.best.is_none() && outcome.found.is_none() && outcome.failures == outcome.simulations);
    // Below zero, but by less than the error.
    let function = Function::new((0.0, 1.0), 1, |_: &[f64]| Some(-1e-10));
    assert!(quiet(&function, &budget(30)).found.is_none());

    // A run that stops before the window of the property: entities that overlap, limits of events.
    let model = bounces("never [1.15, 3] ball.y > 0.6");
    let limited = RunOptions {
        event_limit: 1,
        ..RunOptions::default()
    };
    let experiment = ModelExperiment::new(&model, "p", limited).unwrap();
    assert!(matches!(experiment.run(&[0.9, 1.1]), Err(Failure::Stopped(_))));
    let early = bounces("always [0, 3] ball.vy > -1");
    let limited = RunOptions {
        event_limit: 1,
        ..RunOptions::default()
    };
    let experiment = ModelExperiment::new(&early, "p", limited).unwrap();
    assert!(experiment.run(&[0.9, 1.1]).unwrap().robustness.is_violated());
    let unknown = RunOptions {
        initial: vec![("bell.x".into(), 0.0)],
        ..RunOptions::default()
    };
    let experiment = ModelExperiment::new(&early, "p", unknown).unwrap();
    let outcome = quiet(&experiment, &budget(5));
    let (_, failure) = outcome.first_failure.unwrap();
    assert_eq!(failure, Failure::Bodies(RunError::UnknownState("bell.x".into())));
    assert!(ModelExperiment::new(&early, "q", RunOptions::default()).is_err());
}
