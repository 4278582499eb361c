//! Initial values of a run, and what an observer sees along its trace.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use crate::support;

use dyverse_model::{ContactQuantity, EntityId, Symbol};
use dyverse_simulate::{InputSignal, Moment, Observer, RunError, RunOptions, simulate_with_contacts};
use dyverse_trace::TransitionKind;
use support::{model, simulate};

#[test]
fn initial_values_of_ones_own() {
    let text = "system thrown
        entity ball { sphere(radius = 0.5)  mass = 1  position in ([0, 1], 3, 0)  velocity = (0, 0, 0) }
        fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
        horizon 1";
    let model = model(text);
    let with = |initial: &[(&str, f64)]| RunOptions {
        initial: initial.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect(),
        ..RunOptions::default()
    };
    let middle = simulate(&model, &with(&[])).unwrap();
    assert_eq!(middle.last("ball.x"), Some(0.5));
    let chosen = simulate(
        &model,
        &with(&[
            ("ball.x", 0.25),
            ("ball.vx", 2.0),
            ("ball.qw", 3.0),
            ("ball.qx", 4.0),
        ]),
    )
    .unwrap();
    assert!((chosen.last("ball.x").unwrap() - 2.25).abs() < 1e-12);
    // An orientation is brought to length one as a whole.
    assert!((chosen.last("ball.qx").unwrap() - 0.8).abs() < 1e-15);
    for (name, value, expected) in [
        ("bell.x", 0.0, RunError::UnknownState("bell.x".into())),
        ("ball.u", 0.0, RunError::UnknownState("ball.u".into())),
        ("floor.vx", 1.0, RunError::UnknownState("floor.vx".into())),
        (
            "ball.x",
            f64::INFINITY,
            RunError::BadState("ball.x".into(), f64::INFINITY),
        ),
    ] {
        assert_eq!(simulate(&model, &with(&[(name, value)])).unwrap_err(), expected);
    }
    let overlap = simulate(&model, &with(&[("ball.y", 0.25)])).unwrap_err();
    assert!(matches!(overlap, RunError::Overlap { .. }), "{overlap:?}");
}

#[test]
fn an_observer_finds_the_forces_of_the_run() {
    // A heavy ball that lies on the floor and is pulled: it sticks, and slips from u = 10 N on (μ m g = 0.5 · 2 · 10).
    let text = "system pulled
        input u = 0
        entity ball { sphere(radius = 0.5)  mass = 2  inertia = (1e9, 1e9, 1e9)  position = (0, 0.5, 0) }
        entity free { sphere(radius = 0.5)  mass = 1  position = (0, 9, 0) }
        fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
        contact default { restitution = 0  friction = 0.5 }
        gravity (0, -10, 0)
        force on ball = (u, 0, 0)
        horizon 1";
    let model = model(text);
    let pull = InputSignal::Table {
        times: vec![0.0, 0.5, 0.5, 1.0],
        values: vec![6.0, 6.0, 30.0, 30.0],
    };
    let options = RunOptions {
        inputs: vec![("u".into(), pull)],
        keep_pieces: true,
        ..RunOptions::default()
    };
    let (trace, closed) = simulate_with_contacts(&model, &options).unwrap();
    assert_eq!(trace, simulate(&model, &options).unwrap());
    assert_eq!(closed.len(), trace.pieces.len());
    let mut observer = Observer::new(&model, &options).unwrap();
    let mut seen = [0, 0];
    for (piece, own) in trace.pieces.iter().zip(&closed) {
        let t = 0.5 * (piece.from + piece.to);
        let mut states = vec![f64::NAN; trace.signals.len()];
        for (signal, value) in piece.values(t) {
            states[signal.0 as usize] = value;
        }
        let at = Moment {
            t,
            anchor: piece.from,
            states: &states,
            closed: &[own],
            struck: &[],
        };
        if own.is_empty() {
            continue;
        }
        let mut of = |quantity| observer.value(Symbol::Contact(quantity, EntityId(0), EntityId(2)), &at);
        let expected = if t < 0.5 { 6.0 } else { 10.0 };
        assert!((of(ContactQuantity::NormalForce) - 20.0).abs() < 1e-9);
        assert!(
            (of(ContactQuantity::FrictionForce) - expected).abs() < 1e-6,
            "{t}"
        );
        assert_eq!(of(ContactQuantity::Touching), 1.0);
        assert!(of(ContactQuantity::Gap).abs() < 1e-12);
        // a = (30 − 10)/2 from 0.5 on.
        let slip = of(ContactQuantity::SlipSpeed);
        assert!((slip - 10.0 * (t - 0.5).max(0.0)).abs() < 1e-6, "{t} {slip}");
        seen[usize::from(t > 0.5)] += 1;
        assert_eq!(
            observer.value(Symbol::Input(dyverse_model::InputId(0)), &at),
            if t < 0.5 { 6.0 } else { 30.0 }
        );
        assert_eq!(observer.value(Symbol::Mass(EntityId(0)), &at), 2.0);
        // A pair that is apart has no force, and what no state is given for has no gap.
        let apart = Symbol::Contact(ContactQuantity::NormalForce, EntityId(1), EntityId(2));
        assert_eq!(observer.value(apart, &at), 0.0);
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
    // The forces that the trace tells of where the contact settles are the same.
    let settled: Vec<_> = trace
        .transitions
        .iter()
        .filter(|t| t.kind == TransitionKind::Settle)
        .collect();
    assert!(
        settled
            .iter()
            .flat_map(|t| &t.forces)
            .all(|f| (f.normal - 20.0).abs() < 1e-9)
    );
}
