//! Actor models of a size that hand-written ones do not have: long chains, deep nests of modes. Results are those of closed forms.
#![allow(clippy::panic, clippy::unwrap_used)]

use dyverse::time::{Trace, TransitionKind};
use dyverse::{TickOptions, read_actors_text, simulate_actors};
use std::fmt::Write;

fn run(text: &str) -> Trace {
    let reading = read_actors_text("generated.dam", text);
    let Some(model) = reading.model else {
        let messages: Vec<&str> = reading.diagnostics.iter().map(|d| d.message()).collect();
        panic!("{}", messages.join("\n"));
    };
    let trace = simulate_actors(&model, &TickOptions::default()).unwrap();
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    assert!((trace.stop.time.t() - 1.0).abs() < 1e-15);
    trace
}

#[track_caller]
fn assert_near(trace: &Trace, signal: &str, expected: f64) {
    let found = trace.last(signal).unwrap();
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(error < 1e-9, "{signal} = {found}, expected {expected}");
}

/// y₀ = t, yₖ = yₖ₋₁ + 1: a chain that is evaluated in one tick.
#[test]
fn a_chain_of_a_thousand_algebraic_actors() {
    let mut text = "model chain
        actor Link { in cont u  out cont y = u + 1 }
        b0 = Link() { u = time }
    "
    .to_owned();
    for i in 1..1000 {
        writeln!(text, "b{i} = Link() {{ u = b{}.y }}", i - 1).unwrap();
    }
    text += "horizon = 1\nrecord b999.y, b499.y\n";
    let trace = run(&text);
    assert_near(&trace, "b499.y", 501.0);
    assert_near(&trace, "b999.y", 1001.0);
}

/// yₖ' = (yₖ₋₁ − yₖ) / T from 0 with y₀ = 1: yₙ = 1 − e^{−t/T} Σ_{k<n} (t/T)ᵏ / k!. Written against the order of the chain.
#[test]
fn a_chain_of_a_thousand_lags() {
    const LINKS: usize = 1000;
    let mut text = "model lags
        param T = 0.25
        actor Lag { in cont u  out cont y  y' = (u - y) / T init 0 }
    "
    .to_owned();
    for i in (1..LINKS).rev() {
        writeln!(text, "b{i} = Lag() {{ u = b{}.y }}", i - 1).unwrap();
    }
    text += "b0 = Lag() { u = 1 }\nhorizon = 1\nrecord b0.y, b1.y, b3.y, b9.y, b999.y\n";
    let trace = run(&text);
    let closed = |links: i32| {
        let mut term = 1.0;
        let mut sum = 0.0;
        for k in 0..links {
            sum += term;
            term *= 4.0 / f64::from(k + 1);
        }
        1.0 - (-4.0_f64).exp() * sum
    };
    for place in [0, 1, 3, 9] {
        assert_near(&trace, &format!("b{place}.y"), closed(place + 1));
    }
    assert_near(&trace, "b999.y", 0.0);
}

/// An event goes through a thousand microstep delays: it arrives a thousand microsteps later, at the same time.
#[test]
fn a_chain_of_a_thousand_microstep_delays() {
    let mut text = "model delays
        actor Later { in event u  out event y = post u }
        b0 = Later() { u = at(0.5, 7) }
    "
    .to_owned();
    for i in 1..1000 {
        writeln!(text, "b{i} = Later() {{ u = b{}.y }}", i - 1).unwrap();
    }
    text += "arrived = hold(b999.y, init = 0)\nhorizon = 1\ntolerances { microsteps = 2000 }\nrecord arrived, b999.y\n";
    let trace = run(&text);
    assert_near(&trace, "arrived", 7.0);
    let b999 = trace.signal("b999.y").unwrap().0 as usize;
    let present: Vec<_> = trace
        .samples
        .iter()
        .filter(|s| !s.values[b999].is_nan())
        .collect();
    assert_eq!(present.len(), 1);
    let time = present[0].time;
    assert!((time.t() - 0.5).abs() < 1e-15 && time.n() == 1001, "{time:?}");
}

/// Modes within modes: level k leaves its mode `ak` for `bk` at (100 − k) / 200, the innermost first, and what was
/// in it is gone. Integrators of modes run while they are active.
#[test]
fn a_hundred_nested_modal_models() {
    const DEPTH: usize = 100;
    let mut text = "model nest\n".to_owned();
    for level in 0..DEPTH {
        let slope = level + 1;
        writeln!(text, "initial mode a{level} {{ x{level}' = {slope} init 0").unwrap();
    }
    for level in (0..DEPTH).rev() {
        let at = (DEPTH - level) as f64 / (2 * DEPTH) as f64;
        let slope = level + 1;
        writeln!(
            text,
            "when time >= {at} goto b{level} }} mode b{level} {{ y{level}' = -{slope} init 3 }}"
        )
        .unwrap();
    }
    text += "horizon = 1\n";
    let trace = run(&text);
    let count = trace
        .transitions
        .iter()
        .filter(|t| t.kind == TransitionKind::Mode)
        .count();
    assert_eq!(count, DEPTH);
    let times: Vec<f64> = trace.transitions.iter().map(|t| t.time.t()).collect();
    for (place, t) in times.iter().enumerate() {
        let expected = (place + 1) as f64 / (2 * DEPTH) as f64;
        assert!((t - expected).abs() < 1e-9, "{place}: {t}");
    }
    // Only `b0` is still active: entered at 0.5, from 3 down for half a second.
    assert_near(&trace, "b0.y0", 2.5);
    for gone in ["a0.x0", "a0.b1.y1", "a0.a1.b2.y2"] {
        assert!(trace.last(gone).unwrap().is_nan(), "{gone}");
    }
    // Lines while they are there: x₁ = 2 t until 0.495, then y₁ = 3 − 2 (t − 0.495) until 0.5.
    assert_line(&trace, "a0.a1.x1", 100, |t| 2.0 * t);
    assert_line(&trace, "a0.b1.y1", 2, |t| 3.0 - 2.0 * (t - 0.495));
    let innermost = format!(
        "{}x99",
        (0..DEPTH).fold(String::new(), |path, k| path + &format!("a{k}."))
    );
    assert_line(&trace, &innermost, 2, |t| 100.0 * t);
}

/// Where a signal is present, it is this line; it is so in at least so many samples.
#[track_caller]
fn assert_line(trace: &Trace, signal: &str, least: usize, line: impl Fn(f64) -> f64) {
    let place = trace.signal(signal).unwrap().0 as usize;
    let present: Vec<_> = trace
        .samples
        .iter()
        .filter(|s| !s.values[place].is_nan())
        .collect();
    assert!(present.len() >= least, "{signal}: {}", present.len());
    for sample in present {
        let (t, value) = (sample.time.t(), sample.values[place]);
        assert!((value - line(t)).abs() < 1e-9, "{signal} = {value} at {t}");
    }
}
