//! Runs that go on from the trace of another, and inputs that jump.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use crate::support;

use dyverse_simulate::{InputSignal, NoStart, RunError, RunOptions, Start, Watch};
use dyverse_trace::{StopReason, Trace, TransitionKind};
use std::ops::ControlFlow;
use support::{close, example, last, model, options, run, simulate};

/// Goes on after a transition, and compares everything from there on.
fn goes_on_like(whole: &Trace, text: &str, number: usize, options: &RunOptions, tolerance: f64) {
    let start = Start::after_transition(whole, number).unwrap();
    let options = RunOptions {
        start: Some(start),
        ..options.clone()
    };
    let rest = simulate(&model(text), &options).unwrap();
    assert!(rest.stop.reason.is_complete(), "{}", rest.stop.reason);
    // The rest of the instant is only what is left to do in it; later instants are the same.
    let t = whole.transitions[number].time.t();
    let later = |trace: &Trace| {
        let all = trace.transitions.iter().filter(|x| x.time.t() > t + 1e-9);
        all.map(|x| (x.kind, x.time.t(), x.to.clone()))
            .collect::<Vec<_>>()
    };
    let (expected, found) = (later(whole), later(&rest));
    assert_eq!(
        expected.len(),
        found.len(),
        "after {number}: {expected:?} {found:?}"
    );
    for (e, f) in expected.iter().zip(&found) {
        assert_eq!((e.0, &e.2), (f.0, &f.2), "after {number}");
        close(f.1, e.1, tolerance);
    }
    for (signal, value) in whole.signals.iter().zip(&whole.samples.last().unwrap().values) {
        close(last(&rest, &signal.name), *value, tolerance);
    }
    assert!(rest.samples[0].time.t() == t && rest.balance.error().abs() < 1e-9);
}

const BALL: &str = "
    entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 1.1, 0)  velocity = (1, 0, 0) }
    fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
    contact ball, floor { restitution = 0.5  friction = 0.2 }
    gravity (0, -9.81, 0)";

#[test]
fn a_bouncing_ball_goes_on_from_each_of_its_transitions() {
    let whole = run(BALL, 2.0);
    assert!(whole.transitions.iter().any(|t| t.kind == TransitionKind::Zeno));
    for number in 0..whole.transitions.len() {
        goes_on_like(&whole, BALL, number, &options(2.0), 1e-9);
    }
}

#[test]
fn a_run_goes_on_from_its_end() {
    let first = run(BALL, 0.7);
    let start = Start::at_end(&first).unwrap();
    assert_eq!(start.time.t(), 0.7);
    let rest = RunOptions {
        start: Some(start),
        ..options(2.0)
    };
    let rest = simulate(&model(BALL), &rest).unwrap();
    let whole = run(BALL, 2.0);
    for signal in ["ball.x", "ball.y", "ball.vx", "ball.wz"] {
        close(last(&rest, signal), last(&whole, signal), 1e-9);
    }
}

/// A random order of collisions goes on with the same collisions: its seed counts impacts.
#[test]
fn a_random_order_goes_on_as_it_was() {
    let text = "
        entity a { sphere(radius = 0.5)  mass = 0.2  position = (0, 0, 0)  velocity = (1, 0, 0) }
        entity b { sphere(radius = 0.5)  mass = 1  position = (2, 0, 0) }
        entity c { sphere(radius = 0.5)  mass = 5  position = (4, 0, 0)  velocity = (-1, 0, 0) }
        fixed entity left { half_space(normal = (1, 0, 0), offset = -5) }
        fixed entity right { half_space(normal = (-1, 0, 0), offset = -9) }
        contact default { restitution = 1 }
        impacts sequential random(7)";
    let whole = run(text, 6.0);
    for number in 0..whole.transitions.len() {
        goes_on_like(&whole, text, number, &options(6.0), 1e-8);
    }
}

/// Where states at jumps are not sampled, the polynomials have them.
#[test]
fn polynomials_hold_the_state_too() {
    let mut whole = simulate(
        &model(BALL),
        &RunOptions {
            keep_pieces: true,
            ..options(2.0)
        },
    )
    .unwrap();
    whole.samples.retain(|s| s.time.n() == 0);
    let last_impact = whole
        .transitions
        .iter()
        .rposition(|t| t.kind == TransitionKind::AfterImpact)
        .unwrap();
    let times: Vec<f64> = whole.transitions.iter().map(|t| t.time.t()).collect();
    whole.samples.retain(|s| !times.contains(&s.time.t()));
    goes_on_like(&whole, BALL, 5, &options(2.0), 1e-9);
    goes_on_like(&whole, BALL, last_impact, &options(2.0), 1e-9);
    whole.pieces.clear();
    assert_eq!(
        Start::after_transition(&whole, 5),
        Err(NoStart::NoState { at: Some(5) })
    );
}

#[test]
fn what_cannot_be_continued_is_refused() {
    let whole = run(BALL, 2.0);
    let count = whole.transitions.len();
    let found = Start::after_transition(&whole, count);
    assert_eq!(found, Err(NoStart::NoSuchTransition { asked: count, count }));
    let start = Start::at_end(&whole).unwrap();
    let refused = |start: Start, until| {
        let options = RunOptions {
            start: Some(start),
            ..options(until)
        };
        simulate(&model(BALL), &options).unwrap_err()
    };
    let nothing = RunError::NothingToRun {
        start: 2.0,
        until: 1.0,
    };
    assert_eq!(refused(start.clone(), 1.0), nothing);
    let mut lacking = start.clone();
    lacking.states.remove("ball.vy");
    assert_eq!(refused(lacking, 3.0), RunError::NoStartValue("ball.vy".into()));
    let mut sunk = start;
    sunk.states.insert("ball.y".into(), 0.05);
    assert!(matches!(refused(sunk, 3.0), RunError::Overlap { .. }));
}

#[test]
fn a_run_is_watched_and_can_be_ended() {
    let watch = Watch::new(|progress| {
        assert!(progress.t <= progress.horizon && progress.horizon == 60.0);
        if progress.impacts > 200 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let model = example("between_walls");
    let options = RunOptions {
        watch: Some(watch),
        event_limit: 1_000_000,
        ..options(60.0)
    };
    let trace = simulate(&model, &options).unwrap();
    let is_long = trace.statistics.impacts > 200;
    assert_eq!(trace.stop.reason == StopReason::Cancelled, is_long);
    assert_eq!(trace.stop.reason.is_complete(), !is_long);
}

fn pushed(table: (&[f64], &[f64]), until: f64) -> Trace {
    let text = "
        input push
        entity brick { sphere(radius = 0.1)  mass = 2  inertia = (1e9, 1e9, 1e9)  position = (0, 0.1, 0) }
        fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
        contact brick, floor { restitution = 0  friction = 0.5 }
        gravity (0, -10, 0)
        force on brick = (push, 0, 0)";
    let signal = InputSignal::Table {
        times: table.0.to_vec(),
        values: table.1.to_vec(),
    };
    let options = RunOptions {
        inputs: vec![("push".into(), signal)],
        ..options(until)
    };
    let trace = simulate(&model(text), &options).unwrap();
    support::check(&trace);
    trace
}

/// Oracle, closed form: μ m g = 10 N; 30 N for 1 s gives 10 m/s, 4 N then slows by 3 m/s², and stops after 10/3 s.
#[test]
fn an_input_that_jumps_sets_a_body_moving_and_lets_it_stop() {
    let trace = pushed(
        (&[0.0, 1.0, 1.0, 2.0, 2.0, 9.0], &[4.0, 4.0, 30.0, 30.0, 4.0, 4.0]),
        8.0,
    );
    let at = |t: f64| {
        let sample = trace.samples.iter().rfind(|s| s.time.t() <= t + 1e-12).unwrap();
        sample.values[trace.signal("brick.vx").unwrap().0 as usize]
    };
    // So heavy to turn that it hardly rolls: by 4e-11 m/s in a second.
    close(at(1.0), 0.0, 1e-10);
    close(at(2.0), 10.0, 1e-9);
    let stop = 2.0 + 10.0 / 3.0;
    let stopped = trace.transitions.last().unwrap();
    close(stopped.time.t(), stop, 1e-9);
    close(last(&trace, "brick.x"), 5.0 + 0.5 * 100.0 / 3.0, 1e-8);
    close(last(&trace, "brick.vx"), 0.0, 1e-9);
    let began = &trace.transitions[0];
    close(began.time.t(), 1.0, 0.0);
}

/// A jump that friction bears changes nothing, at no instant.
#[test]
fn a_jump_within_friction_is_no_transition() {
    let trace = pushed((&[0.0, 1.0, 1.0, 2.0], &[0.0, 0.0, 9.9, 9.9]), 2.0);
    assert!(trace.transitions.is_empty(), "{:?}", trace.transitions);
    close(last(&trace, "brick.x"), 0.0, 1e-10);
}

/// Oracle: u jumps from 1 to −3 at t = 1, free flight.
#[test]
fn a_jump_in_free_flight_is_exact() {
    let text = "
        input u
        entity a { sphere(radius = 1)  mass = 2 }
        force on a = (u, 0, 0)";
    let signal = InputSignal::Table {
        times: vec![0.0, 1.0, 1.0],
        values: vec![1.0, 1.0, -3.0],
    };
    let options = RunOptions {
        inputs: vec![("u".into(), signal)],
        ..options(3.0)
    };
    let trace = simulate(&model(text), &options).unwrap();
    close(last(&trace, "a.vx"), 0.5 - 3.0, 1e-14);
    close(last(&trace, "a.x"), 0.25 + 0.5 * 2.0 - 0.75 * 4.0, 1e-13);
    assert!(trace.statistics.steps < 60, "{}", trace.statistics.steps);
}

#[test]
fn bad_tables_and_samplings_are_refused() {
    let refused = |times: &[f64], sample_every| {
        let signal = InputSignal::Table {
            times: times.to_vec(),
            values: vec![0.0; times.len()],
        };
        let options = RunOptions {
            inputs: vec![("u1".into(), signal)],
            sample_every,
            ..options(1.0)
        };
        simulate(&example("interception"), &options).err()
    };
    assert_eq!(refused(&[0.0, 1.0, 1.0], None), None);
    let bad = Some(RunError::BadInput("u1".into()));
    assert_eq!(refused(&[0.0, 1.0, 1.0, 1.0], None), bad);
    assert_eq!(refused(&[1.0, 0.0], None), bad);
    assert_eq!(refused(&[], None), bad);
    assert_eq!(refused(&[0.0], Some(0.0)), Some(RunError::BadSampling(0.0)));
    assert_eq!(refused(&[0.0], Some(-1.0)), Some(RunError::BadSampling(-1.0)));
}
