//! Exported files, read by parsers of their grammars and executed by another integrator, do what the simulator does: times of events and states at the end, to 1e-6.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs
)]

use crate::support;

use dyverse_interchange::{InterchangeOptions, Source};
use dyverse_lang::ActorModel;
use dyverse_model::Model;
use dyverse_simulate::RunOptions;
use dyverse_tick::TickOptions;
use dyverse_trace::{Trace, TransitionKind};
use support::system::System;
use support::{actor_example, asking, dreach, example, model, spaceex};

fn once(times: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::new();
    for t in times {
        if found.last().is_none_or(|last| (t - last).abs() > 1e-7) {
            found.push(t);
        }
    }
    found
}

fn bodies(model: &Model, parameters: &[(&str, f64)], until: f64) -> Trace {
    let options = RunOptions {
        until: Some(until),
        parameters: parameters.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect(),
        ..RunOptions::default()
    };
    dyverse_simulate::simulate(model, &options).unwrap()
}

/// Runs a file beside a trace: the number of events they agree on.
fn compare(
    system: &System,
    trace: &Trace,
    constants: &[(&str, f64)],
    until: f64,
    kinds: &[TransitionKind],
) -> usize {
    let run = system.run(constants, until, 4000);
    let transitions = trace.transitions.iter().filter(|t| kinds.contains(&t.kind));
    let events = once(transitions.map(|t| t.time.t()).filter(|t| *t > 0.0));
    let jumps = once(run.jumps.iter().copied());
    assert_eq!(jumps.len(), events.len(), "{jumps:?} {events:?}");
    for (a, b) in jumps.iter().zip(&events) {
        assert!((a - b).abs() < 1e-6, "{jumps:?} {events:?}");
    }
    let mut compared = 0;
    for signal in &trace.signals {
        let name = signal.name.replace('.', "_");
        if let Some(value) = run.end.get(&name) {
            let expected = trace.last(&signal.name).unwrap();
            assert!(
                (value - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                "{name}: {value}, {expected}"
            );
            compared += 1;
        }
    }
    assert!(compared > 0, "no signal in common");
    events.len()
}

const IMPACTS: &[TransitionKind] = &[TransitionKind::Impact];
const MODES: &[TransitionKind] = &[TransitionKind::Mode];

fn until(horizon: f64, options: InterchangeOptions) -> InterchangeOptions {
    InterchangeOptions {
        horizon: Some(horizon),
        ..options
    }
}

#[test]
fn the_bouncing_ball() {
    let model = example("bouncing_ball");
    for (h, e) in [(1.0, 0.8), (0.93, 0.72)] {
        let trace = bodies(&model, &[("h", h), ("e", e)], 2.0);
        let file = dreach(Source::Bodies(&model), &until(2.0, asking(None, &[])));
        assert!(compare(&file, &trace, &[("h", h), ("e", e)], 2.0, IMPACTS) >= 3);
        let affine = spaceex(Source::Bodies(&model), &until(2.0, asking(None, &[("e", e)])));
        assert!(compare(&affine, &trace, &[("h", h)], 2.0, IMPACTS) >= 3);
    }
}

#[test]
fn the_ball_between_walls() {
    let model = example("between_walls");
    for k in [0.5, 1.7] {
        let trace = bodies(&model, &[("k", k)], 6.0);
        let file = dreach(Source::Bodies(&model), &asking(Some("inside"), &[]));
        assert!(compare(&file, &trace, &[("k", k)], 6.0, IMPACTS) >= 6);
        let affine = spaceex(Source::Bodies(&model), &asking(Some("inside"), &[("k", k)]));
        assert!(compare(&affine, &trace, &[], 6.0, IMPACTS) >= 6);
    }
}

/// The property is broken in the file where the run breaks it: K = 1.2 loses, K = 2.5 wins.
#[test]
fn the_interception_game() {
    let model = example("interception");
    let file = dreach(Source::Bodies(&model), &asking(Some("kept"), &[]));
    for k in [1.2, 2.0, 2.5] {
        let trace = bodies(&model, &[("K", k)], 2.0);
        assert!(compare(&file, &trace, &[("K", k)], 2.0, IMPACTS) >= 1);
        let place = trace.signal("ball1.y").unwrap().0 as usize;
        let is_lost = trace.samples.iter().any(|s| s.values[place] <= 0.0);
        assert_eq!(
            file.run(&[("K", k)], 2.0, 4000).broken.is_some(),
            is_lost,
            "K = {k}"
        );
    }
}

/// Collisions that pass on from one ball to the next, and a wall.
#[test]
fn three_balls_on_a_line() {
    let model = model(
        "param v = 2
         entity a { sphere(radius = 0.5)  mass = 1  position = (0, 0, 0)  velocity = (v, 0, 0) }
         entity b { sphere(radius = 0.5)  mass = 2  position = (2, 0, 0) }
         entity c { sphere(radius = 0.5)  mass = 3  position = (4, 0, 0)  velocity = (-0.1, 0, 0) }
         contact default { restitution = 0.9 }
         impacts simultaneous
         horizon 4
         property slow: always [0, 4] c.vx <= 0.9",
    );
    let trace = bodies(&model, &[], 4.0);
    let place = trace.signal("c.vx").unwrap().0 as usize;
    let is_broken = trace.samples.iter().any(|s| s.values[place] > 0.9);
    for file in [
        dreach(Source::Bodies(&model), &asking(Some("slow"), &[])),
        spaceex(Source::Bodies(&model), &asking(Some("slow"), &[])),
    ] {
        assert!(compare(&file, &trace, &[], 4.0, IMPACTS) >= 2);
        assert_eq!(file.run(&[], 4.0, 4000).broken.is_some(), is_broken);
    }
}

#[test]
fn the_ball_slides_then_rolls() {
    let model = example("sliding_ball");
    let file = spaceex(Source::Bodies(&model), &asking(Some("never_slower"), &[]));
    for mu in [0.1, 0.25] {
        // It rolls from 2 v0 / (7 mu g) on, with 5/7 of its speed.
        let run = file.run(&[("mu", mu)], 2.0, 4000);
        assert_eq!(run.jumps.len(), 1);
        assert!((run.jumps[0] - 4.0 / (7.0 * mu * 9.81)).abs() < 1e-6);
        assert!((run.end["ball_vx"] - 10.0 / 7.0).abs() < 1e-6);
        assert_eq!(run.broken, None);
    }
}

fn modes(model: &ActorModel, parameters: &[(&str, f64)], until: f64) -> Trace {
    let options = TickOptions {
        until: Some(until),
        parameters: parameters.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect(),
        ..TickOptions::default()
    };
    dyverse_tick::simulate(&model.graph, &mut [], &options).unwrap()
}

#[test]
fn the_thermostat() {
    let model = actor_example("thermostat");
    let source = Source::Actors(&model.graph);
    for outside in [-10.0, 5.0] {
        let trace = modes(&model, &[("outside", outside)], 7200.0);
        for file in [
            dreach(source, &asking(Some("never_above_20"), &[])),
            spaceex(source, &asking(Some("never_above_20"), &[])),
        ] {
            assert!(compare(&file, &trace, &[("outside", outside)], 7200.0, MODES) > 5);
            assert!(file.run(&[("outside", outside)], 7200.0, 4000).broken.is_some());
        }
        let warm = dreach(source, &asking(Some("warm_enough"), &[]));
        assert_eq!(warm.run(&[("outside", outside)], 7200.0, 4000).broken, None);
    }
}

#[test]
fn the_diode_oscillator() {
    let model = actor_example("diode_oscillator");
    let trace = modes(&model, &[], 5.0);
    for file in [
        dreach(Source::Actors(&model.graph), &asking(None, &[])),
        spaceex(Source::Actors(&model.graph), &asking(None, &[])),
    ] {
        let run = file.run(&[], 5.0, 4000);
        assert_eq!(run.jumps.len(), 1);
        assert!((run.jumps[0] - 0.75 * std::f64::consts::PI).abs() < 1e-6);
        let v = run.end.iter().find(|(n, _)| n.contains("reverse")).unwrap().1;
        assert!((v - 2.0_f64.sqrt()).abs() < 1e-6, "{:?}", run.end);
        assert!((v - trace.last("circuit.v").unwrap()).abs() < 1e-6);
    }
}

#[test]
fn the_two_tanks() {
    let model = actor_example("two_tanks");
    let file = dreach(
        Source::Actors(&model.graph),
        &asking(Some("lower_stays_low"), &[]),
    );
    for inflow in [0.9, 1.05] {
        let trace = modes(&model, &[("inflow", inflow)], 12.0);
        assert!(compare(&file, &trace, &[("inflow", inflow)], 12.0, MODES) >= 6);
    }
}
