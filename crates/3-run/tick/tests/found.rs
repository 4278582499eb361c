//! Files that once went wrong, with what is true of them; the tests that draw models of their kinds are beside this one.

use crate::shipped::read;
use dyverse_tick::{TickOptions, simulate};
use dyverse_trace::{StopReason, Trace};

/// Runs a file with pieces of its text replaced.
fn run(text: &str, changes: &[(&str, &str)]) -> Trace {
    let text = changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from} in {text}");
        text.replace(from, to)
    });
    simulate(&read(&text), &mut [], &TickOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn a_ball_rests_where_its_bounces_end() {
    let tunnels = include_str!("cases/zeno_tunnels_silently.dam");
    let endless = include_str!("cases/zeno_endless.dam");
    let by_cross = [0.001, 0.05, 0.1, 0.15, 0.2, 0.3].map(|e: f64| (tunnels, "0.2", 10.0, e));
    let by_transition = [0.01, 0.05, 0.25, 0.3, 0.35, 0.5].map(|e: f64| (endless, "0.25", 1.0, e));
    for (text, given, h, e) in by_cross.into_iter().chain(by_transition) {
        let trace = run(
            text,
            &[(&format!("param e = {given}"), &format!("param e = {e}"))],
        );
        let StopReason::ZenoSuspected { limit, .. } = trace.stop.reason else {
            panic!("{e}: {}", trace.stop.reason);
        };
        let expected = (2.0 * h / 9.8_f64).sqrt() * (1.0 + e) / (1.0 - e);
        assert!((limit - expected).abs() < 1e-7, "{limit} {expected}");
    }
}

#[test]
fn what_decays_for_ever_never_crosses_zero() {
    for horizon in ["50", "100", "700"] {
        let change = format!("horizon = {horizon}");
        let trace = run(
            include_str!("cases/decay_crosses_zero.dam"),
            &[("horizon = 100", &change)],
        );
        assert_eq!(trace.last("m.s"), Some(0.0), "{horizon}");
        assert!(trace.last("x").unwrap() > 0.0);
    }
    let trace = run(include_str!("cases/check_false_unsafe_decay.dam"), &[]);
    assert_eq!(trace.last("n"), Some(0.0));
}

#[test]
fn equality_is_met_whatever_its_shape_and_spelling() {
    let abs = include_str!("cases/abs_equality_node.dam");
    for horizon in ["5", "4.9", "5.1", "2", "10", "50"] {
        for guard in ["x == 0", "x <= 0"] {
            let (horizon, guard) = (format!("horizon = {horizon}"), format!("when {guard}"));
            let trace = run(abs, &[("horizon = 5", &horizon), ("when x == 0", &guard)]);
            assert_eq!(trace.last("m.s"), Some(1.0), "{horizon} {guard}");
        }
    }
    for horizon in ["1.5", "2", "3", "5", "10", "100", "1000"] {
        let horizon = format!("horizon = {horizon}");
        for text in [
            include_str!("cases/quartic_touch_missed.dam"),
            include_str!("cases/cubic_equality_endless.dam"),
        ] {
            let trace = run(text, &[("horizon = 2", &horizon)]);
            assert_eq!(trace.last("m.s"), Some(1.0), "{horizon}\n{text}");
        }
    }
    let trace = run(include_str!("cases/equality_opposite_chatters.dam"), &[]);
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    let trace = run(include_str!("cases/equality_other_spelling.dam"), &[]);
    assert_eq!(trace.last("m.s"), Some(2.0));
    let trace = run(include_str!("cases/one_instant_of_two_spellings.dam"), &[]);
    let times: Vec<_> = trace.transitions.iter().map(|t| t.time).collect();
    assert!(
        times.len() == 2 && times[0] == times[1] && times[0].n() == 1,
        "{times:?}"
    );
}

#[test]
fn an_operand_that_is_not_used_need_not_be_a_number() {
    let trace = run(include_str!("cases/guard_unused_nan.dam"), &[]);
    assert_eq!(trace.last("m.s"), Some(1.0), "{}", trace.stop.reason);
    assert!((trace.transitions[0].time.t() - 1.36).abs() < 1e-9);
}

#[test]
fn a_narrow_pulse_is_seen_whatever_the_horizon() {
    for horizon in ["5.5", "6", "7", "8", "9", "10", "15", "20", "30", "50"] {
        let change = format!("horizon = {horizon}");
        let trace = run(
            include_str!("cases/pulse_guard_missed.dam"),
            &[("horizon = 6", &change)],
        );
        assert_eq!(trace.last("m.s"), Some(1.0), "{horizon}");
        let truth = 5.0 - 0.01 * 2.0_f64.ln().sqrt();
        assert!((trace.transitions[0].time.t() - truth).abs() < 1e-9);
    }
}
