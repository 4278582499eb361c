//! FMUs written in C from the text of the standard, run against formulas.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

use crate::support;

use dyverse_fmu_import::{Fmu, ImportError, Interface, simulate};
use dyverse_tick::{InputSignal, TickOptions};
use dyverse_trace::{StopReason, Trace};
use std::path::Path;
use std::rc::Rc;
use support::{ball, decay};

const G: f64 = 9.81;

fn run(
    path: &Path,
    set: &[(&str, f64)],
    change: impl FnOnce(&mut TickOptions),
) -> Result<Trace, ImportError> {
    let fmu = Rc::new(Fmu::open(path, None)?);
    let mut options = TickOptions {
        parameters: set
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
        ..TickOptions::default()
    };
    change(&mut options);
    simulate(&fmu, &options, None, &mut |_| {})
}

/// Values of a signal with their times.
fn values(trace: &Trace, name: &str) -> Vec<(f64, f64)> {
    let place = trace.signal(name).unwrap().0 as usize;
    trace
        .samples
        .iter()
        .map(|s| (s.time.t(), s.values[place]))
        .collect()
}

/// Bounces of a ball that falls from 1 m: times, and speeds after them.
fn bounces(e: f64, until: f64) -> Vec<(f64, f64)> {
    let mut t = (2.0 / G).sqrt();
    let mut v = e * G * t;
    let mut found = Vec::new();
    while t < until {
        found.push((t, v));
        t += 2.0 * v / G;
        v *= e;
    }
    found
}

fn jumps(trace: &Trace) -> Vec<f64> {
    let jumps = trace.transitions.iter().filter(|t| t.reset == "v");
    jumps.map(|t| t.time.t()).collect()
}

#[test]
fn bounces_are_where_the_formula_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = ball(folder.path());
    // Before the bounces accumulate, at sqrt(2/g) (1 + e)/(1 - e).
    for (e, until) in [(0.7, 2.0), (0.5, 1.3)] {
        let trace = run(&path, &[("e", e)], |o| o.until = Some(until)).unwrap();
        assert!(trace.stop.reason.is_complete());
        let expected = bounces(e, until);
        let found = jumps(&trace);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, (expected, _)) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
        let (t, v) = expected[expected.len() - 1];
        let rest = until - t;
        let height = v * rest - 0.5 * G * rest * rest;
        assert!((trace.last("h").unwrap() - height).abs() < 1e-8);
        assert!((trace.last("v").unwrap() - (v - G * rest)).abs() < 1e-8);
        assert_eq!(trace.last("bounces"), Some(expected.len() as f64));
        assert!(trace.last("steps").unwrap() > 0.0);
        assert_eq!(trace.signals[trace.signal("h").unwrap().0 as usize].unit, "m");
    }
}

#[test]
fn start_values_are_set() {
    let folder = tempfile::tempdir().unwrap();
    let trace = run(&ball(folder.path()), &[("h", 5.0), ("v", 1.0)], |o| {
        o.until = Some(0.5)
    })
    .unwrap();
    let height = 5.0 + 0.5 - 0.5 * G * 0.25;
    assert!((trace.last("h").unwrap() - height).abs() < 1e-10);
}

#[test]
fn a_time_event_is_at_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let set = [("kick_time", 0.3), ("kick", 4.0)];
    let trace = run(&ball(folder.path()), &set, |o| o.until = Some(0.4)).unwrap();
    assert_eq!(jumps(&trace), [0.3]);
    assert!((trace.last("v").unwrap() - (4.0 - G * 0.4)).abs() < 1e-10);
}

#[test]
fn an_event_after_a_completed_step_is_soon() {
    let folder = tempfile::tempdir().unwrap();
    let trace = run(&ball(folder.path()), &[("wish", 0.2)], |o| o.until = Some(0.4)).unwrap();
    assert_eq!(trace.last("wishes"), Some(1.0));
    let wished: Vec<f64> = trace
        .transitions
        .iter()
        .filter(|t| t.guard == "completed step")
        .map(|t| t.time.t())
        .collect();
    assert_eq!(wished.len(), 1);
    assert!(wished[0] > 0.2 && wished[0] < 0.4, "{wished:?}");
}

#[test]
fn inputs_drive_states_and_outputs_that_depend_on_them_directly() {
    let folder = tempfile::tempdir().unwrap();
    // A ramp to 2 at 0.1 s, then a jump to 4.
    let u = |t: f64| if t < 0.1 { 20.0 * t } else { 4.0 };
    let table = InputSignal::Table {
        times: vec![0.0, 0.1, 0.1],
        values: vec![0.0, 2.0, 4.0],
    };
    let trace = run(&ball(folder.path()), &[], |o| {
        o.until = Some(0.3);
        o.inputs = vec![("u".into(), table), ("heavy".into(), InputSignal::Constant(1.0))];
    })
    .unwrap();
    // heavy doubles g; the integral of u is 10 t² up to 0.1, then 0.1 + 4 (t - 0.1).
    let v = -2.0 * G * 0.3 + 0.1 + 4.0 * 0.2;
    assert!((trace.last("v").unwrap() - v).abs() < 1e-10);
    let heights = values(&trace, "h");
    for ((t, y), (_, h)) in values(&trace, "y").into_iter().zip(heights) {
        if t != 0.1 {
            assert!((y - h - 2.0 * u(t)).abs() < 1e-12, "{t}");
        }
    }
}

#[test]
fn what_an_fmu_says_is_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = ball(folder.path());
    let error = run(&path, &[("e", 2.0)], |_| {}).unwrap_err();
    assert!(
        error
            .message
            .contains("fmi2SetReal gave the status error: e is 2, more than 1"),
        "{error}"
    );
    let error = run(&path, &[("fail_time", 0.5)], |_| {}).unwrap_err();
    assert!(error.message.contains("100% too late"), "{error}");
    let error = run(&path, &[("nothing", 0.5)], |_| {}).unwrap_err();
    assert!(error.message.contains("no variable `nothing`"), "{error}");
    let error = run(&path, &[("y", 0.5)], |_| {}).unwrap_err();
    assert!(error.message.contains("no parameter"), "{error}");
    let error = Fmu::open(&path, Some(Interface::CoSimulation)).unwrap_err();
    assert!(error.message.contains("does not offer co-simulation"), "{error}");
}

#[test]
fn steps_of_co_simulation_are_exact_at_their_points() {
    let folder = tempfile::tempdir().unwrap();
    let path = decay(folder.path());
    let trace = run(&path, &[("k", 2.0)], |_| {}).unwrap();
    assert!((trace.last("x").unwrap() - (-2.0_f64).exp()).abs() < 1e-14);
    assert_eq!(trace.last("steps"), Some(8.0));
    // Held in between.
    for (t, x) in values(&trace, "x") {
        let point = (t / 0.125).floor() * 0.125;
        let (now, before) = ((-2.0 * point).exp(), (-2.0 * (point - 0.125)).exp());
        let is_held = (x - now).abs() < 1e-14 || (t == point && (x - before).abs() < 1e-14);
        assert!(is_held, "{t}: {x}");
    }
    // The last step is shorter.
    let trace = run(&path, &[("k", 2.0)], |o| o.until = Some(0.3)).unwrap();
    assert!((trace.last("x").unwrap() - (-0.6_f64).exp()).abs() < 1e-14);
    assert_eq!(trace.last("steps"), Some(3.0));
}

#[test]
fn steps_that_return_early_are_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let set = [("refill.time", 0.33), ("refill.amount", 1.0)];
    let trace = run(&decay(folder.path()), &set, |_| {}).unwrap();
    let x = ((-0.33_f64).exp() + 1.0) * (-0.67_f64).exp();
    assert!((trace.last("x").unwrap() - x).abs() < 1e-14);
    assert_eq!(trace.last("events"), Some(1.0));
    let events: Vec<f64> = trace.transitions.iter().map(|t| t.time.t()).collect();
    assert_eq!(events, [0.33]);
}

#[test]
fn inputs_of_co_simulation_are_held_from_point_to_point() {
    let folder = tempfile::tempdir().unwrap();
    let table = InputSignal::Table {
        times: vec![0.2, 0.2],
        values: vec![0.0, 3.0],
    };
    let trace = run(&decay(folder.path()), &[], |o| {
        o.until = Some(0.5);
        o.inputs = vec![("u".into(), table), ("late".into(), InputSignal::Constant(1.0))];
    })
    .unwrap();
    // The jump is a communication point of its own.
    let x = 3.0 + ((-0.2_f64).exp() - 3.0) * (-0.3_f64).exp();
    assert!(
        (trace.last("x").unwrap() - x).abs() < 1e-14,
        "{:?}",
        trace.last("x")
    );
    assert_eq!(trace.last("is[late]"), Some(1.0));
    let error = run(&decay(folder.path()), &[("limit", 0.5)], |_| {}).unwrap_err();
    assert!(
        error
            .message
            .contains("fmi3DoStep gave the status error: the limit is passed"),
        "{error}"
    );
}

/// A run that the FMU ends itself is kept up to there, and says so.
#[test]
fn an_fmu_that_ends_its_run_keeps_its_trace() {
    let folder = tempfile::tempdir().unwrap();
    let ended = |trace: &Trace, name: &str| {
        let reason = StopReason::EndedItself {
            component: name.into(),
        };
        assert_eq!(trace.stop.reason, reason);
    };
    // Model exchange, in an event: at the third bounce.
    let path = ball(folder.path());
    let (t, v) = bounces(0.7, 2.0)[2];
    let trace = run(&path, &[("last_bounce", 3.0)], |_| {}).unwrap();
    ended(&trace, "ball");
    assert!((trace.stop.time.t() - t).abs() < 1e-9, "{:?}", trace.stop);
    assert_eq!(jumps(&trace).len(), 3);
    assert!(
        (trace.last("v").unwrap() - v).abs() < 1e-8,
        "{:?}",
        trace.last("v")
    );
    assert_eq!(trace.last("bounces"), Some(3.0));
    assert!(values(&trace, "h").iter().all(|(at, _)| *at <= t + 1e-9));
    // After a step: at the end of the one that passes the time that it waits for, in free fall before the first bounce.
    let trace = run(&path, &[("last_step", 0.2)], |_| {}).unwrap();
    ended(&trace, "ball");
    let t = trace.stop.time.t();
    assert!(t > 0.2 && t < 0.2 + 0.0401, "{t}");
    assert!((trace.last("h").unwrap() - (1.0 - 0.5 * G * t * t)).abs() < 1e-8);
    // Co-simulation: in the step that reaches it; its values are those there.
    let path = decay(folder.path());
    for last in [0.5, 0.55, 0.0625] {
        let trace = run(&path, &[("k", 2.0), ("last", last)], |_| {}).unwrap();
        ended(&trace, "decay");
        let t = trace.stop.time.t();
        assert!(t >= last - 1e-12 && t < last + 0.126, "{last} {t}");
        assert!((trace.last("x").unwrap() - (-2.0 * last).exp()).abs() < 1e-12);
        let end = trace.transitions.last().unwrap();
        assert!((end.time.t() - last).abs() < 1e-12 && end.guard == "the end of its run");
    }
}

/// Nothing that could be shown: that is said, and what the FMU has instead.
#[test]
fn an_fmu_with_arrays_only_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (library, text) = (
        support::compile(folder.path(), "decay3"),
        support::description("decay3"),
    );
    let kept = |line: &&str| !line.contains("causality=\"output\"");
    let scalar = text.lines().find(|line| line.contains("name=\"x\"")).unwrap();
    let array = |name: &str| {
        scalar
            .replace("/>", "><Dimension start=\"3\"/></Float64>")
            .replace("\"x\"", &format!("\"{name}\""))
    };
    let rest: Vec<&str> = text.lines().filter(kept).collect();
    for (arrays, expected) in [
        (vec!["field"], "`field`"),
        (vec!["p", "q", "r"], "`p` and 2 more"),
    ] {
        let lines: Vec<String> = arrays.iter().map(|name| array(name)).collect();
        let text = rest.join("\n").replace(
            "<ModelVariables>",
            &format!("<ModelVariables>{}", lines.join("\n")),
        );
        let text = text.split("<ModelStructure>").next().unwrap().to_owned()
            + "<ModelStructure/></fmiModelDescription>";
        let path = folder.path().join("arrays.fmu");
        support::pack(
            &path,
            &[
                ("modelDescription.xml", text.as_bytes()),
                (&support::place(3, "decay"), &library),
            ],
        );
        let said = run(&path, &[], |_| {}).unwrap_err();
        assert!(
            said.message.contains("arrays") && said.message.contains(expected),
            "{said:?}"
        );
        assert!(said.help.is_some());
    }
}
