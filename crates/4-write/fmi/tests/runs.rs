//! Runs through the functions of the standard agree with `dyverse_simulate`, in every way the standard offers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::undocumented_unsafe_blocks,
    missing_docs
)]

use crate::support;

use dyverse_block::{AnyModel, Instance, Value};
use dyverse_fmi::*;
use dyverse_simulate::{RunOptions, simulate};
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};
use support::{BALL, Resources, TANK, log, resources};

const OK: i32 = 0;

/// Times of the transitions of a run of its own.
fn expected(of: &Resources) -> (Vec<(f64, String)>, Vec<f64>) {
    let AnyModel::Bodies(model) = &of.source.model else {
        panic!("a rigid-body model")
    };
    let trace = simulate(model, &RunOptions::default()).unwrap();
    let events = trace.transitions.iter();
    let events = events.map(|t| (t.time.t(), t.to.clone())).collect();
    (events, trace.samples.last().unwrap().values.clone())
}

fn text(instance: *mut c_void, reference: u32) -> String {
    let mut out = null();
    assert_eq!(unsafe { fmi3GetString(instance, &reference, 1, &mut out, 1) }, OK);
    unsafe { CStr::from_ptr(out) }.to_str().unwrap().to_owned()
}

/// Co-simulation with event mode: every microstep is seen, at its time, in its location.
#[test]
fn events_are_seen_one_by_one() {
    let of = resources("ball.drbt", BALL);
    let (events, last) = expected(&of);
    let location = of.reference("location");
    let instance = unsafe {
        fmi3InstantiateCoSimulation(
            c"x".as_ptr(),
            of.token.as_ptr(),
            of.path.as_ptr(),
            false,
            false,
            true,
            true,
            null(),
            0,
            null_mut(),
            Some(log),
            null(),
        )
    };
    assert_eq!(
        fmi3EnterInitializationMode(instance, false, 0.0, 0.0, true, 2.0),
        OK
    );
    assert_eq!(fmi3ExitInitializationMode(instance), OK);
    let mut seen: Vec<(f64, String)> = Vec::new();
    let mut t = 0.0;
    let mut before = text(instance, location);
    let update = |t: f64, before: &mut String, seen: &mut Vec<(f64, String)>| {
        loop {
            let (mut more, mut end, mut n, mut v, mut has, mut next) =
                (false, false, false, false, false, 0.0);
            assert_eq!(
                unsafe {
                    fmi3UpdateDiscreteStates(
                        instance, &mut more, &mut end, &mut n, &mut v, &mut has, &mut next,
                    )
                },
                OK
            );
            let now = text(instance, location);
            if now != *before {
                seen.push((t, now.clone()));
                *before = now;
            }
            if !more {
                break;
            }
        }
        assert_eq!(fmi3EnterStepMode(instance), OK);
    };
    update(t, &mut before, &mut seen);
    let mut k = 1;
    while t < 2.0 {
        let until = 2.0_f64.min(f64::from(k) * 0.013);
        let (mut event, mut end, mut early, mut reached) = (false, false, false, 0.0);
        assert_eq!(
            unsafe {
                fmi3DoStep(
                    instance,
                    t,
                    until - t,
                    true,
                    &mut event,
                    &mut end,
                    &mut early,
                    &mut reached,
                )
            },
            OK
        );
        t = reached;
        assert_eq!(early, t < until);
        if event {
            assert_eq!(fmi3EnterEventMode(instance), OK);
            update(t, &mut before, &mut seen);
        }
        if t >= until {
            k += 1;
        }
    }
    assert_eq!(seen.len(), events.len(), "{seen:?}\n{events:?}");
    for ((t, location), (time, name)) in seen.iter().zip(&events) {
        assert!((t - time).abs() < 1e-9, "{t} {time}");
        assert_eq!(location, name);
    }
    for (name, value) in ["ball.x", "ball.y", "ball.z", "ball.vx", "ball.vy"]
        .iter()
        .zip(&last)
    {
        let mut out = f64::NAN;
        let reference = of.reference(name);
        assert_eq!(
            unsafe { fmi3GetFloat64(instance, &reference, 1, &mut out, 1) },
            OK
        );
        assert!((out - value).abs() < 1e-8, "{name}: {out} {value}");
    }
    fmi3FreeInstance(instance);
}

/// FMI 2.0, co-simulation: the same end, whatever the steps.
#[test]
fn steps_do_not_matter() {
    let of = resources("ball.drbt", BALL);
    let (_, last) = expected(&of);
    for steps in [1, 7, 100] {
        let instance =
            unsafe { fmi2Instantiate(c"x".as_ptr(), 1, of.token.as_ptr(), of.uri.as_ptr(), null(), 0, 0) };
        assert!(!instance.is_null());
        assert_eq!(fmi2SetupExperiment(instance, 0, 0.0, 0.0, 1, 2.0), OK);
        assert_eq!(fmi2EnterInitializationMode(instance), OK);
        assert_eq!(fmi2ExitInitializationMode(instance), OK);
        for k in 0..steps {
            let (a, b) = (2.0 * f64::from(k), 2.0 * f64::from(k + 1));
            let (a, b) = (a / f64::from(steps), b / f64::from(steps));
            assert_eq!(fmi2DoStep(instance, a, b - a, 1), OK);
        }
        for (name, value) in ["ball.x", "ball.y", "ball.z", "ball.vx", "ball.vy"]
            .iter()
            .zip(&last)
        {
            let mut out = f64::NAN;
            let reference = of.reference(name);
            assert_eq!(unsafe { fmi2GetReal(instance, &reference, 1, &mut out) }, OK);
            assert!((out - value).abs() < 1e-8, "{name}: {out} {value}");
        }
        fmi2FreeInstance(instance);
    }
}

/// A state that is saved, as bytes too, and given to another instance, goes on with the same bits.
#[test]
fn saved_states_go_on_with_the_same_bits() {
    for (name, text) in [("ball.drbt", BALL), ("tank.dam", TANK)] {
        let of = resources(name, text);
        let mut first = Instance::new(&of.source);
        first.begin().unwrap();
        first.finish_instant().unwrap();
        for until in [0.31, 0.777, 1.5] {
            first.step(until, false).unwrap();
            let words = first.save().unwrap();
            let mut second = Instance::new(&of.source);
            second.load(&words).unwrap();
            let mut third = Instance::new(&of.source);
            third.load(&words).unwrap();
            second.step(2.0, false).unwrap();
            third.step(2.0, false).unwrap();
            let bits = |instance: &mut Instance<'_>| -> Vec<u64> {
                instance.states().unwrap().iter().map(|x| x.to_bits()).collect()
            };
            assert_eq!(bits(&mut second), bits(&mut third), "{name} from {until}");
            assert_eq!(second.save().unwrap(), third.save().unwrap());
        }
    }
}

/// Directional derivatives against formulas known by heart: free flight, and a tank that is filled.
#[test]
fn directional_derivatives_are_right() {
    let of = resources("ball.drbt", BALL);
    let mut instance = Instance::new(&of.source);
    instance.begin().unwrap();
    instance.finish_instant().unwrap();
    let find = |name: &str| of.source.description.find(name).unwrap();
    // d(ball.x)'/d(ball.vx) = 1; d(ball.vx)'/d(push) = 1/m; d(gap)/d(ball.y) = 1.
    for (of, by, expected) in [
        ("der(ball.x)", "ball.vx", 1.0),
        ("der(ball.vx)", "push", 1.0),
        ("der(ball.vy)", "push", 0.0),
        ("gap(ball-floor)", "ball.y", 1.0),
    ] {
        let found = instance
            .directional_derivative(&[find(of)], &[find(by)], &[2.0])
            .unwrap();
        assert!(
            (found[0] - 2.0 * expected).abs() < 1e-9,
            "{of} by {by}: {found:?}"
        );
    }
    let of = resources("tank.dam", TANK);
    let mut instance = Instance::new(&of.source);
    instance.begin().unwrap();
    instance.finish_instant().unwrap();
    let find = |name: &str| of.source.description.find(name).unwrap();
    let derivative = of.source.description.derivatives[0];
    let found = instance.directional_derivative(&[derivative], &[find("inflow")], &[1.0]);
    assert!((found.unwrap()[0] - 1.0).abs() < 1e-9);
    assert_eq!(instance.get(find("mode(level)")), Ok(Value::Integer(1)));
}
