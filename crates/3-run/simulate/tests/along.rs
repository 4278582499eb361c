//! What is seen along a run, against closed forms and against the run's own balance.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_model::Model;
use dyverse_simulate::{Along, RunOptions, Seen, simulate_with_contacts};
use dyverse_trace::Trace;
use support::{example, model, options};

fn seen(model: &Model, run: RunOptions) -> (Trace, Vec<Seen>) {
    let run = RunOptions {
        keep_pieces: true,
        ..run
    };
    let (trace, closed) = simulate_with_contacts(model, &run).unwrap();
    let seen = Along::new(model, &run, &trace, &closed).unwrap().samples();
    assert_eq!(seen.len(), trace.samples.len());
    (trace, seen)
}

/// The works at the end are the run's own, which are accounted for step by step; along the run nothing is missing.
fn check_energy(trace: &Trace, seen: &[Seen]) {
    let (first, last) = (&seen[0], seen.last().unwrap());
    let balance = &trace.balance;
    let size = balance.kinetic_at_start + balance.kinetic_at_end + balance.work_of_loads.abs() + 1.0;
    for (mine, its) in [
        (last.kinetic, balance.kinetic_at_end),
        (last.loads, balance.work_of_loads),
        (last.friction, balance.work_of_friction),
        (last.impacts, balance.work_of_impacts + balance.work_of_projection),
    ] {
        assert!((mine - its).abs() < 1e-8 * size, "{mine} {its} {balance:?}");
    }
    for at in seen {
        let error = at.kinetic - first.kinetic - at.loads - at.friction - at.impacts;
        assert!(error.abs() < 1e-8 * size, "{error}");
    }
}

#[test]
fn a_sliding_ball_is_held_up_and_slowed() {
    let (trace, seen) = seen(&example("sliding_ball"), options(2.0));
    check_energy(&trace, &seen);
    let rolls = 2.0 * 2.0 / (7.0 * 0.2 * 9.81);
    for (sample, at) in trace.samples.iter().zip(&seen) {
        let Some(forces) = &at.forces else { continue };
        let t = sample.time.t();
        assert_eq!(forces.len(), 1, "{t}");
        let force = &forces[0];
        assert!((force.normal - 9.81).abs() < 1e-9);
        // On the floor, which is the second entity: down, and along with the ball.
        assert!((force.vector.y + 9.81).abs() < 1e-9);
        let friction = if t < rolls - 1e-6 { 0.2 * 9.81 } else { 0.0 };
        if (t - rolls).abs() > 1e-6 {
            assert!((force.friction - friction).abs() < 1e-6, "{t} {}", force.friction);
            assert!((force.vector.x - friction).abs() < 1e-6, "{t} {:?}", force.vector);
        }
        let x = sample.values[trace.signal("ball.x").unwrap().0 as usize];
        assert!((force.point.x - x).abs() < 1e-12 && force.point.y.abs() < 1e-9);
    }
    // 2/7 of the energy at the start: m v0² / 7.
    let lost = seen.last().unwrap().friction;
    assert!((lost + 2.0 * 2.0 / 7.0).abs() < 1e-9, "{lost}");
}

#[test]
fn a_bouncing_ball_loses_its_energy_in_impacts() {
    let (trace, seen) = seen(&example("bouncing_ball"), options(5.0));
    check_energy(&trace, &seen);
    let last = seen.last().unwrap();
    assert!((last.loads - 9.81).abs() < 1e-6 && (last.impacts + 9.81).abs() < 1e-6);
    assert!(seen[0].forces.as_ref().unwrap().is_empty());
    assert_eq!(last.forces.as_ref().unwrap().len(), 1);
}

#[test]
fn shipped_examples_account_for_their_energy() {
    for name in [
        "interception",
        "three_balls_001",
        "three_balls_002",
        "newtons_cradle",
        "billiard_break",
    ] {
        let model = example(name);
        let (trace, seen) = seen(&model, RunOptions::default());
        check_energy(&trace, &seen);
    }
}

#[test]
fn two_islands_are_added_up() {
    let text = "system two
        entity a { sphere(radius = 1) mass = 2 position = (0, 5, 0) velocity = (1, 0, 0) }
        entity b { sphere(radius = 1) mass = 1 position = (9, 1, 0) velocity = (2, 0, 0) }
        fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
        contact default { restitution = 0.5 friction = 0.1 }
        gravity (0, -9.81, 0)";
    let (trace, seen) = seen(&model(text), options(1.5));
    check_energy(&trace, &seen);
    let friction = seen.last().unwrap().friction;
    assert!(friction < -0.1, "{friction}");
}
