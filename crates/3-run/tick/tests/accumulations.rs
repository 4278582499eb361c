//! Sequences of events whose distances fall geometrically: finite ones go on to their end, infinite ones stop at their limit. Random ratios, counts and beginnings; closed forms as the truth.

use crate::shipped::read;
use crate::simultaneity::Dice;
use dyverse_tick::{TickOptions, simulate};
use dyverse_trace::{StopReason, Trace, TransitionKind};

fn run(text: &str, detect_zeno: bool) -> Trace {
    let options = TickOptions {
        detect_zeno,
        ..TickOptions::default()
    };
    simulate(&read(text), &mut [], &options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn moves(trace: &Trace) -> usize {
    let modes = trace
        .transitions
        .iter()
        .filter(|t| t.kind == TransitionKind::Mode);
    modes.count()
}

/// A saw whose teeth shrink by r: n of them, counted by a state, by a held signal, or down to a size.
#[test]
fn finite_sequences_go_on() {
    let mut dice = Dice(5);
    for round in 0..120 {
        let r = [dice.between(0.05, 0.5), dice.between(0.5, 0.95)][dice.below(2)];
        let n = 2 + dice.below(90);
        let d = dice.sized(1e-2, 1e2);
        let limit = d / (1.0 - r);
        let (made, ends, counts) = match dice.below(4) {
            0 => (" k' = 0", format!("k >= {n}"), " k := k + 1"),
            1 => (
                " k' = 0 init 7",
                format!("k < {:?}", 7.0 - 0.25 * n as f64 + 0.1),
                " k := k - 0.25",
            ),
            2 => (
                " k' = 0",
                format!("time >= 0 and k > {:?}", n as f64 - 0.5),
                " k := k + 1",
            ),
            _ => {
                // Down to a size that is well above what can be told apart.
                let n = n.min(((1e-6_f64).ln() / r.ln()) as usize);
                ("", format!("top < {:?}", d * r.powi(n as i32) * 1.01), "")
            }
        };
        let text = format!(
            "modal m {{ out cont x
             mode f {{ x' = -1 init {d:?}  top' = 0 init {d:?} {made}
               when x <= 0 and not ({ends}) history goto f {{ x := top * {r:?}  top := top * {r:?} {counts} }}
               when x <= 0 and ({ends}) goto done }}
             mode done {{ x = -5 }} }}\nhorizon = {:?}\n",
            2.0 * limit
        );
        let n = if made.is_empty() {
            n.min(((1e-6_f64).ln() / r.ln()) as usize)
        } else {
            n
        };
        let trace = run(&text, dice.below(4) > 0);
        assert!(
            trace.stop.reason.is_complete(),
            "round {round}: {}\n{text}",
            trace.stop.reason
        );
        assert_eq!(moves(&trace), n + 1, "round {round}\n{text}");
        assert_eq!(trace.last("m.x"), Some(-5.0), "{text}");
        let last = trace.transitions.last().unwrap().time.t();
        let end = d * (1.0 - r.powi(n as i32 + 1)) / (1.0 - r);
        assert!(
            (last - end).abs() <= 1e-9 * limit.max(1.0),
            "{last} {end}\n{text}"
        );
    }
}

/// A ball, and a saw that nothing ends; a counter that nothing reads does not matter.
#[test]
fn infinite_sequences_stop_at_their_limit() {
    let mut dice = Dice(6);
    for round in 0..120 {
        let r = dice.between(0.1, 0.9);
        let d = dice.sized(1e-1, 1e2);
        let (text, limit) = match dice.below(3) {
            0 => {
                let g = 2.0 / (d * d);
                let fall = d;
                (
                    format!(
                        "v' = -{g:?} impulse post (-(1 + {r:?}) * v on c)\nx' = v init 1\nc = cross(x, 0, falling)\nn' = 0 impulse 1 on c\n"
                    ),
                    fall * (1.0 + r) / (1.0 - r),
                )
            }
            1 => (
                format!(
                    "modal m {{ out cont x\n mode f {{ x' = -1 init {d:?}  top' = 0 init {d:?}\n when x <= 0 history goto f {{ x := top * {r:?}  top := top * {r:?} }} }} }}\n"
                ),
                d / (1.0 - r),
            ),
            _ => (
                format!(
                    "modal m {{ out cont x\n mode f {{ x' = -1 init {d:?}  top' = 0 init {d:?}  k' = 0\n when x <= 0 history goto f {{ x := top * {r:?}  top := top * {r:?}  k := k + 1 }} }} }}\n"
                ),
                d / (1.0 - r),
            ),
        };
        let text = format!("{text}horizon = {:?}\n", 3.0 * limit);
        let trace = run(&text, true);
        let StopReason::ZenoSuspected {
            limit: found, ratio, ..
        } = trace.stop.reason
        else {
            panic!("round {round}: {}\n{text}", trace.stop.reason);
        };
        assert!(
            (found - limit).abs() <= 1e-6 * limit.max(1.0),
            "{found} {limit}\n{text}"
        );
        assert!((ratio - r).abs() < 5e-3, "{ratio} {r}\n{text}");
        assert!(trace.stop.time.t() <= found && trace.statistics.steps < 20_000);
    }
}

/// Crossings that accumulate where a function has no value: sin(a/(T − t)) before T.
#[test]
fn crossings_before_a_pole_stop_near_it() {
    for (pole, a, is_guarded) in [
        (1.0, 6.0, true),
        (1.0, 6.0, false),
        (3.7, 20.0, true),
        (0.01, 0.3, false),
    ] {
        let wave = format!("sin({a:?} * time / ({pole:?} - time))");
        let x = if is_guarded {
            format!("if time < {pole:?} then {wave} else 0")
        } else {
            wave
        };
        let text = format!(
            "x = {x}\nc = cross(x, 0)\nn' = 0 impulse 1 on c\nhorizon = {:?}\n",
            2.0 * pole
        );
        let trace = run(&text, true);
        let StopReason::ZenoSuspected { limit, .. } = trace.stop.reason else {
            panic!("{}\n{text}", trace.stop.reason);
        };
        assert!((limit - pole).abs() < 1e-4 * pole, "{limit}\n{text}");
        assert!(
            trace.stop.time.t() > 0.9 * pole && trace.stop.time.t() < pole,
            "{}\n{text}",
            trace.stop.time
        );
    }
    // Faster and faster, but never without end.
    let trace = run(
        "c = cross(sin(exp(4 * time)), 0, rising)\nn' = 0 impulse 1 on c\nhorizon = 2\n",
        true,
    );
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    assert_eq!(
        trace.last("n"),
        Some((8.0_f64.exp() / std::f64::consts::TAU).floor())
    );
}

/// A ball over a floor, thrown back by any part e of its speed: by a `cross` of its height over a floor at any place, or by a transition. It rests after T (1 + e) / (1 − e), and is never below its floor.
#[test]
fn balls_never_fall_through_their_floor() {
    let mut dice = Dice(11);
    for round in 0..300 {
        let e = match dice.below(4) {
            0 => dice.sized(1e-7, 1e-2),
            1 => [0.001, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35][dice.below(8)],
            _ => dice.between(0.01, 0.95),
        };
        let (g, h) = (dice.sized(1e-1, 1e3), dice.sized(1e-2, 1e3));
        let fall = (2.0 * h / g).sqrt();
        let limit = fall * (1.0 + e) / (1.0 - e);
        let is_cross = dice.below(2) == 0;
        let floor = match dice.below(4) {
            0 if is_cross => [0.3, -20.0, 1e3, 1e6][dice.below(4)] * h,
            1 if is_cross => dice.between(-9.0, 9.0) * h,
            _ => 0.0,
        };
        let text = if is_cross {
            let direction = ["falling", "both"][dice.below(2)];
            format!(
                "v' = -{g:?} impulse post (-(1 + {e:?}) * v on c)\nx' = v init {:?}\nc = cross(x, {floor:?}, {direction})\nx0 = x - {floor:?}\n",
                floor + h
            )
        } else {
            format!(
                "modal m {{ out cont x
                 mode f {{ v' = -{g:?}  x' = v init {h:?}
                 when x <= 0 and v < 0 history goto f {{ v := -{e:?}*v }} }} }}\nx0 = m.x\n"
            )
        };
        let text = format!("{text}horizon = {:?}\n", limit * dice.sized(1.5, 30.0));
        let trace = run(&text, true);
        let StopReason::ZenoSuspected {
            limit: found, ratio, ..
        } = trace.stop.reason
        else {
            panic!("round {round}: {}\n{text}", trace.stop.reason);
        };
        // The rounding of the height leaves the moment of a bounce open.
        let open = 1e-7 * limit.max(1.0) + 1e-6 * fall * e;
        assert!((found - limit).abs() <= open, "{found}, expected {limit}\n{text}");
        assert!((ratio - e).abs() <= 0.1 * e, "{ratio}\n{text}");
        let heights = trace.signals.iter().position(|s| s.name == "x0").unwrap();
        let deepest = trace
            .samples
            .iter()
            .map(|s| s.values[heights])
            .fold(0.0, f64::min);
        let rounding = 1e-14 * (h + floor.abs());
        assert!(deepest >= -rounding, "{deepest}\n{text}");
    }
}
