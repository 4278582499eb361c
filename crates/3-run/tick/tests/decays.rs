//! States that fall for ever: what is never 0 does not cross it, however small it gets beside the accuracy of the solver, and what oscillates on crosses as often as it does. Random systems, closed
//! forms as the truth.

use crate::shipped::read;
use crate::simultaneity::Dice;
use dyverse_tick::{TickOptions, simulate};
use dyverse_trace::Trace;

fn run(text: &str) -> Trace {
    simulate(&read(text), &mut [], &TickOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// e^{−at}; the middle and the end of a chain of them; what is overdamped; e^{−at²/2}: all above 0.
#[test]
fn what_is_never_zero_never_crosses_it() {
    let mut dice = Dice(31);
    for round in 0..150 {
        let (a, b) = (dice.sized(1e-2, 1e2), dice.between(0.2, 0.8));
        let init = dice.sized(1e-6, 1e6);
        let (text, slowest) = match dice.below(4) {
            0 => (format!("x' = -{a:?} * x init {init:?}\n"), a),
            1 => (
                format!(
                    "y' = -{a:?} * y init {init:?}\nx' = {a:?} * y - {:?} * x init {init:?}\n",
                    a * b
                ),
                a * b,
            ),
            2 => (
                // Rates a and ab, from rest.
                format!(
                    "v' = -{:?} * v - {:?} * x\nx' = v init {init:?}\n",
                    a + a * b,
                    a * a * b
                ),
                a * b,
            ),
            _ => (format!("x' = -{a:?} * x / (1 + x^2) init {:?}\n", 1.0 + b), a),
        };
        let horizon = dice.between(20.0, 600.0) / slowest;
        let condition = [
            "x <= 0",
            "x < 0",
            "x == 0",
            "0 >= 3 * x",
            "not (x > 0)",
            "x^3 < 0",
        ][dice.below(6)];
        // The cube of a number below 1e-103 is 0.
        let least = if condition == "x^3 < 0" { 200.0 } else { 600.0 };
        let horizon = horizon.min(least / slowest);
        let text = format!(
            "{text}c = cross(x, 0)\nn' = 0 impulse 1 on c\nmodal m {{ out cont s\n mode a {{ s = 0 when {condition} goto b }}\n mode b {{ s = 1 }} }}\nhorizon = {horizon:?}\n"
        );
        let trace = run(&text);
        assert!(
            trace.stop.reason.is_complete(),
            "round {round}: {}\n{text}",
            trace.stop.reason
        );
        assert_eq!(trace.last("m.s"), Some(0.0), "round {round}\n{text}");
        assert_eq!(trace.last("n"), Some(0.0), "round {round}\n{text}");
        assert!(trace.last("x").unwrap() > 0.0, "round {round}\n{text}");
        assert!(trace.statistics.steps < 20_000, "{}", trace.statistics.steps);
    }
}

/// x = e^{−at} cos(wt), down to 1e-120: 0 at (k + 1/2) π/w.
#[test]
fn what_oscillates_on_crosses_as_often() {
    let mut dice = Dice(32);
    for _ in 0..20 {
        let w = dice.sized(1e-1, 1e1);
        let a = w * dice.between(0.3, 1.5);
        let horizon = dice.between(100.0, 280.0) / a;
        let text = format!(
            "x' = -{a:?} * x - {w:?} * y init 1\ny' = {w:?} * x - {a:?} * y\nc = cross(x, 0)\nn' = 0 impulse 1 on c\nhorizon = {horizon:?}\n"
        );
        let trace = run(&text);
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        let expected = (horizon * w / std::f64::consts::PI - 0.5).floor() + 1.0;
        assert_eq!(trace.last("n"), Some(expected), "{text}");
        let seen = trace
            .transitions
            .iter()
            .filter(|t| t.guard == "c")
            .map(|t| t.time.t());
        for (k, t) in seen.enumerate() {
            let truth = (k as f64 + 0.5) * std::f64::consts::PI / w;
            assert!((t - truth).abs() < 1e-4 * (1.0 / w), "{t} {truth}\n{text}");
        }
    }
}

/// What is only rounding is no reason for shorter and shorter steps.
#[test]
fn states_that_are_rounding_do_not_hold_up_a_run() {
    let trace = run(
        "y' = 1 - (y + 1) init 0.5\nz' = y - 2*z\nw' = sin(time + pi) + sin(time) - w\nu' = w - 3*u\np' = u - p\nq' = p - q\nhorizon = 300\n",
    );
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    assert!(trace.statistics.steps < 1000, "{}", trace.statistics.steps);
    assert!(
        trace.statistics.rejected_steps < 2000,
        "{}",
        trace.statistics.rejected_steps
    );
}
