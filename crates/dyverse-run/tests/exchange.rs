//! A mechanism that something else integrates moves as it does in a run of its own.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used
)]

use crate::support;

use dyverse_flow::{Beginning, Crossing, CrossingOptions, CrossingSearch, FlowOptions, Integrator};
use dyverse_model::Model;
use dyverse_run::{Mechanism, Occasion, RunOptions};
use dyverse_time::{SuperdenseTime, Transition};
use support::{close, example, model, options, simulate};

/// Integrates a mechanism to `until` with inputs `u(t, outputs)`; gives the transitions and the outputs at the end.
fn integrate(
    model: &Model,
    options: &RunOptions,
    until: f64,
    u: impl Fn(f64, &[f64]) -> Vec<f64>,
) -> (Vec<Transition>, Vec<(String, f64)>) {
    let mut mechanism = Mechanism::new(model, options).unwrap();
    let names = mechanism.output_names().to_vec();
    let mut x = vec![0.0; mechanism.dimension()];
    let mut y = vec![0.0; x.len()];
    mechanism.initial(&mut x);
    let inputs = |mechanism: &Mechanism<'_>, t: f64, x: &[f64], y: &mut Vec<f64>| {
        mechanism.outputs(x, y);
        u(t, y)
    };
    let mut transitions = Vec::new();
    let mut event = |mechanism: &mut Mechanism<'_>, t: f64, occasion, x: &mut Vec<f64>| {
        let mut y = vec![0.0; x.len()];
        let u = inputs(mechanism, t, x, &mut y);
        let time = SuperdenseTime::at(t).unwrap();
        transitions.extend(mechanism.event(time, occasion, x, &u).unwrap());
    };
    event(&mut mechanism, 0.0, Occasion::Start, &mut x);
    let mut integrator = Integrator::new(FlowOptions::default());
    integrator.start(0.0, &x);
    let mut events = 0;
    while integrator.t() < until {
        let t = integrator.t();
        let now = inputs(&mechanism, t, integrator.x(), &mut y);
        let longest = mechanism.longest_step(t, integrator.x(), &now);
        let asked = mechanism.next_time().unwrap_or(f64::INFINITY);
        let end = until.min(asked).min(t + longest.max(1e-12));
        let step = integrator
            .step(end, &mut |t, x: &[f64], dx: &mut [f64]| {
                let mut y = vec![0.0; x.len()];
                mechanism.outputs(x, &mut y);
                mechanism.derivative(t, x, &u(t, &y), dx)
            })
            .unwrap()
            .clone();
        let mut first: Option<f64> = None;
        for indicator in 0..mechanism.indicator_count() {
            let mut z = vec![0.0; mechanism.indicator_count()];
            let mut x = vec![0.0; step.dimension()];
            let mut y = vec![0.0; step.dimension()];
            let mut value = |t: f64| {
                step.evaluate(t, &mut x);
                mechanism.outputs(&x, &mut y);
                mechanism.indicators(t, &x, &u(t, &y), &mut z);
                z[indicator]
            };
            let mut search = CrossingSearch::new(CrossingOptions {
                noise: 1e-15,
                ..CrossingOptions::default()
            });
            match search.first(
                &mut value,
                step.t0(),
                first.unwrap_or(step.t1()),
                Beginning::Fresh,
            ) {
                Crossing::At { t, .. } | Crossing::Sinks { t } => first = Some(t),
                Crossing::None | Crossing::Grazing { .. } => {}
                other => panic!("indicator {indicator}: {other:?}"),
            }
        }
        let (at, occasion) = match first {
            Some(t) => (t, Occasion::Crossing),
            None if step.t1() == asked => (asked, Occasion::Time),
            None => continue,
        };
        integrator.truncate(at);
        x.copy_from_slice(integrator.x());
        event(&mut mechanism, at, occasion, &mut x);
        integrator.restart(at, &x);
        events += 1;
        assert!(events < 1000, "no end of events at t = {at}");
    }
    let mut y = vec![0.0; x.len()];
    mechanism.outputs(integrator.x(), &mut y);
    (transitions, names.into_iter().zip(y).collect())
}

fn compare(model: &Model, options: &RunOptions, u: impl Fn(f64, &[f64]) -> Vec<f64>, tolerance: f64) {
    let until = options.until.unwrap();
    let own = simulate(model, options).unwrap();
    assert!(own.stop.reason.is_complete(), "{}", own.stop.reason);
    let (transitions, outputs) = integrate(model, options, until, u);
    let told = |list: &[Transition]| {
        let one = |t: &Transition| (t.kind, t.from.clone(), t.to.clone());
        list.iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(told(&own.transitions), told(&transitions));
    for (a, b) in own.transitions.iter().zip(&transitions) {
        close(b.time.t(), a.time.t(), tolerance);
    }
    assert_eq!(outputs.len(), own.signals.len());
    for (name, value) in outputs {
        close(value, own.last(&name).unwrap(), tolerance);
    }
}

#[test]
fn the_interception_game() {
    let model = example("interception");
    compare(&model, &options(2.0), |_, _| vec![0.0; 3], 1e-9);
}

/// The controller of ball 2 outside the mechanism: the same game.
#[test]
fn a_controller_outside() {
    let inside = example("interception");
    let text = "
        input u1 input u2 input u3
        entity ball1 { sphere(radius = 1)  mass = 1  position = (0, 3, 0)  velocity = (1, 1, 0) }
        entity ball2 { sphere(radius = 1)  mass = 1  position = (1.5, 0, 0) }
        contact ball1, ball2 { restitution = 1  tangential_restitution = -1  friction = 0.5 }
        force on ball1, ball2 = (0, -9.81 * mass, 0)
        force on ball2 = (u1, u2, u3)";
    let outside = model(text);
    let k = 2.0;
    // Outputs: x y z vx vy vz … of ball1, then of ball2.
    let names = Mechanism::new(&outside, &options(2.0))
        .unwrap()
        .output_names()
        .to_vec();
    let at = |name: &str| names.iter().position(|n| n == name).unwrap();
    let (x1, x2, y2) = (at("ball1.x"), at("ball2.x"), at("ball2.y"));
    let (z1, z2) = (at("ball1.z"), at("ball2.z"));
    let controller = |_: f64, y: &[f64]| vec![-k * (y[x2] - y[x1]), -100.0 * y[y2], -100.0 * (y[z2] - y[z1])];
    let (transitions, outputs) = integrate(&outside, &options(2.0), 2.0, controller);
    let own = simulate(&inside, &support::with(2.0, &[("K", k)])).unwrap();
    assert_eq!(own.transitions.len(), transitions.len());
    for (a, b) in own.transitions.iter().zip(&transitions) {
        close(b.time.t(), a.time.t(), 1e-9);
    }
    for (name, value) in outputs {
        close(value, own.last(&name).unwrap(), 1e-8);
    }
}

#[test]
fn a_ball_that_bounces_to_rest() {
    compare(&example("bouncing_ball"), &options(5.0), |_, _| vec![], 1e-9);
}

#[test]
fn a_ball_that_slides_and_rolls() {
    compare(&example("sliding_ball"), &options(2.0), |_, _| vec![], 1e-9);
}

/// Slip that turns as it stops, and starts again.
#[test]
fn an_egg_on_a_rough_floor() {
    let text = "
        entity egg { ellipsoid(semi_axes = (0.2, 0.35, 0.25))  mass = 2  position = (0, 0.5, 0)
                     velocity = (1, 0, 0.5)  angular_velocity = (0, 1, 3) }
        fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
        contact egg, floor { restitution = 0.3  friction = 0.25 }
        gravity (0, -9.81, 0)";
    compare(&model(text), &options(1.2), |_, _| vec![], 1e-7);
}

/// Pulses and jumps over time, a default that switches, a region, dry friction: the same as in a run of its own.
#[test]
fn loads_that_switch_are_events() {
    for load in [
        "force on b = (if time > 0.5 and time < 0.51 then 100 else 0, 0, 0)",
        "force on b = (if abs(b.x - 1) < 0.001 then 1000 else 0, floor(3 * time), 0)",
        "force on b = (-3 * sign(b.vx), 0, max(0, sin(5 * time)))",
        "force on b = (if b.x > 0.3 then -4 else 1, 0, 0)",
    ] {
        let text =
            format!("entity b {{ sphere(radius = 0.2) mass = 1 velocity = (1, 0, 0) }}\n{load}\nhorizon 2");
        let model = model(&text);
        let run = simulate(&model, &options(2.0)).unwrap();
        let (_, outputs) = integrate(&model, &RunOptions::default(), 2.0, |_, _| Vec::new());
        for (name, value) in outputs {
            close(value, run.last(&name).unwrap(), 1e-8);
        }
    }
    let text = "input u = if time > 1 then 3 else 0\nentity b { sphere(radius = 0.2) mass = 1 }\nforce on b = (u, 0, 0)\nhorizon 2";
    let (_, outputs) = integrate(&model(text), &RunOptions::default(), 2.0, |_, _| vec![f64::NAN]);
    let vx = outputs.iter().find(|(name, _)| name == "b.vx").unwrap().1;
    close(vx, 3.0, 1e-10);
}
