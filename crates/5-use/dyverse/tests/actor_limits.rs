//! Where runs of actor models end, and what they show there: switches that turn each other back, crossings at rounding, values that are no numbers, the state at the
//! stop, limits. Random models of each kind, with closed forms as the truth; and the files that once went wrong.
#![allow(clippy::panic, clippy::unwrap_used)]

use dyverse::time::{Keep, StopReason, Trace};
use dyverse::{TickOptions, TickWatch, read_actors_text, simulate_actors};
use std::ops::ControlFlow;

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
    /// Of any size in a range: as often below its geometric mean as above.
    fn sized(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }
    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }
}

fn run_with(text: &str, options: &TickOptions) -> Trace {
    let reading = read_actors_text("generated.dam", text);
    let Some(model) = reading.model else {
        let messages: Vec<&str> = reading.diagnostics.iter().map(|d| d.message()).collect();
        panic!("{}\n{text}", messages.join("\n"));
    };
    simulate_actors(&model, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn run(text: &str) -> Trace {
    run_with(text, &TickOptions::default())
}

fn case(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/actors/");
    #[allow(clippy::disallowed_methods, reason = "a test reads its files")]
    std::fs::read_to_string(format!("{folder}{name}.dam")).unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(error <= tolerance, "{found}, expected {expected}: {what}");
}

/// Times at which a crossing was seen.
fn crossings(trace: &Trace, name: &str) -> Vec<f64> {
    let seen = trace.transitions.iter().filter(|t| t.guard == name);
    seen.map(|t| t.time.t()).collect()
}

/// A ball is thrown back where it crosses the floor in any direction: T, T + 2eT, T + 2eT + 2e²T, …, with T = √(2h/g).
#[test]
fn balls_bounce_once_at_each_crossing() {
    let mut random = Random(1);
    for _ in 0..120 {
        let (g, h) = (random.sized(1e-2, 1e3), random.sized(1e-3, 1e4));
        let e = if random.below(2) == 0 {
            1.0
        } else {
            random.between(0.6, 1.0)
        };
        let floor = [0.0, 0.3, -1e3, 1e6, random.between(-9.0, 9.0)][random.below(5)];
        // What rounding leaves of the height must be small beside it.
        let h = h.max(1e-6 * f64::abs(floor));
        let first = (2.0 * h / g).sqrt();
        let mut expected = vec![first];
        let mut pause = 2.0 * first;
        for _ in 0..5 {
            pause *= e;
            expected.push(expected.last().unwrap() + pause);
        }
        let horizon = expected.last().unwrap() + 0.3 * e * pause;
        let (v, x) = ("v", "x");
        let text = match random.below(3) {
            0 => format!(
                "v' = -{g:?} impulse post (-(1 + {e:?}) * v on c)\nx' = v init {:?}\nc = cross(x, {floor:?})\n",
                floor + h
            ),
            1 => format!(
                "v' = -{g:?} impulse post (-(1 + {e:?}) * v on e)\nx' = v init {:?}\nc = cross(x, {floor:?}, falling)
                 d = cross(x, {floor:?}, rising)\ne = c ?? d\n",
                floor + h
            ),
            _ => format!(
                "c = cross(m.x, {floor:?}, both)
                 modal m {{ out cont x
                   mode fall {{ v' = -{g:?}  x' = v init {:?}
                     when present c history goto fall {{ {v} := -{e:?} * {v}  {x} := {x} }} }} }}\n",
                floor + h
            ),
        };
        let text = format!("{text}n' = 0 impulse 1 on c\nhorizon = {horizon:?}\n");
        let trace = run(&text);
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        let times = crossings(&trace, "c");
        assert_eq!(times.len(), expected.len(), "{times:?} {expected:?}\n{text}");
        // A rounding of the floor, or of the height, is so much time.
        let blur = 1e-9 * horizon + 64.0 * f64::EPSILON * floor.abs() / (g * first * e.powi(5));
        for (found, expected) in times.iter().zip(&expected) {
            near(*found, *expected, blur, &text);
        }
    }
}

/// x′ = −a above a threshold, +b below it: from d above, x is there at d/a and would slide. If both sides lead the same way, it passes.
#[test]
fn what_would_slide_stops_where_it_begins() {
    let mut random = Random(2);
    for _ in 0..160 {
        let (a, b) = (random.sized(1e-3, 1e5), random.sized(1e-3, 1e5));
        let level = [0.0, 1.0, random.between(-5.0, 5.0), random.sized(1.0, 1e4)][random.below(4)];
        let d = random.sized(0.1, 10.0) * level.abs().max(1.0);
        let slides = random.below(4) > 0;
        let below = if slides { b } else { -b };
        let begin = level + d;
        let (reached, horizon) = (d / a, 3.0 * d / a);
        let rest = "y' = 1\n";
        let text = match random.below(5) {
            0 => format!("x' = if x > {level:?} then -{a:?} else {below:?} init {begin:?}\n"),
            1 => format!("x' = s init {begin:?}\ns = if x - {level:?} >= 0 then -{a:?} else {below:?}\n"),
            2 => format!(
                "x' = 0.5 * ({below:?} - {a:?}) - 0.5 * ({a:?} + {below:?}) * sign(x - {level:?}) init {begin:?}\n"
            ),
            3 => format!(
                "x = m.x\nmodal m {{ out cont x
                   mode p {{ x' = -{a:?} init {begin:?}  when x < {level:?} goto n {{ x := x }} }}
                   mode n {{ x' = {below:?}  when x > {level:?} goto p {{ x := x }} }} }}\n"
            ),
            _ => format!(
                "x = m.x\nmodal m {{ out cont x
                   mode p {{ x' = -{a:?} init {begin:?}  when x <= {level:?} goto n {{ x := x }} }}
                   mode n {{ x' = {below:?}  when x > {level:?} goto p {{ x := x }} }} }}\n"
            ),
        };
        let text = format!("{text}{rest}horizon = {horizon:?}\n");
        let trace = run(&text);
        let stop = &trace.stop;
        if slides {
            // A sign may come to rest at 0 itself; and if one side is slow, so few switches may be that they are all made.
            let rests = stop.reason.is_complete();
            let StopReason::Sliding { switches, events, .. } = &stop.reason else {
                assert!(rests, "{}\n{text}", stop.reason);
                near(trace.last("x").unwrap(), level, 1e-9 * d, &text);
                continue;
            };
            assert!(!switches.is_empty() && *events >= 64, "{switches:?}");
            near(stop.time.t(), reached, 3e-2 * reached, &text);
            near(trace.last("x").unwrap(), level, 1e-8 * d, &text);
            assert!(
                trace.statistics.steps < 2000,
                "{} steps\n{text}",
                trace.statistics.steps
            );
        } else {
            assert!(stop.reason.is_complete(), "{}\n{text}", stop.reason);
            near(
                trace.last("x").unwrap(),
                level - b * (horizon - reached),
                1e-8 * (d + b * horizon),
                &text,
            );
        }
        near(
            trace.last("y").unwrap(),
            stop.time.t(),
            1e-9 * stop.time.t(),
            &text,
        );
    }
}

/// A hysteresis, or a tolerance, is a way out: x stays in the band.
#[test]
fn a_hysteresis_ends_the_sliding() {
    let modes = "modal m { out cont x
        mode p { x' = -1 init 1  when x < -1e-2 goto n { x := x } }
        mode n { x' = 1  when x > 1e-2 goto p { x := x } } }\nhorizon = 3\n";
    let tolerance = "tolerances { crossing = 2e-2 }\nmodal m { out cont x
        mode p { x' = -1 init 1  when x < 0 goto n { x := x } }
        mode n { x' = 1  when x > 0 goto p { x := x } } }\nhorizon = 3\n";
    for text in [modes, tolerance] {
        let trace = run(text);
        assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
        assert!(trace.last("m.x").unwrap().abs() < 1.1e-2);
        assert!(
            (90..130).contains(&trace.transitions.len()),
            "{}",
            trace.transitions.len()
        );
    }
}

/// Functions that have no finite value from a known moment on, or only at that moment.
#[test]
fn what_is_no_number_ends_the_run_where_it_begins() {
    let mut random = Random(3);
    for round in 0..200 {
        let at = random.sized(1e-2, 1e2);
        let horizon = at * random.between(1.05, 9.0);
        let k = random.sized(0.1, 10.0);
        // Falls through 0 at `at`.
        let (before, argument) = match random.below(4) {
            0 => (String::new(), format!("({at:?} - time)")),
            1 => (format!("u' = -{k:?} init {:?}\n", k * at), "u".to_owned()),
            2 => (
                format!(
                    "u' = w init 0\nw' = -{:?} * u init 1\n",
                    (std::f64::consts::PI / at).powi(2)
                ),
                "u".to_owned(),
            ),
            _ => (format!("u = {k:?} * ({at:?} - time)\n"), "(2 * u)".to_owned()),
        };
        let functions: [&dyn Fn(&str) -> String; 12] = [
            &|u| format!("sqrt({u})"),
            &|u| format!("ln({u})"),
            &|u| format!("({u}) ^ 1.5"),
            &|u| format!("asin(1 - {u})"),
            &|u| format!("acos({u} - 1)"),
            &|u| format!("({u}) / ({u})"),
            &|u| format!("sin({u}) / ({u})"),
            &|u| format!("3 / ({u})"),
            &|u| format!("1 / (({u}) * cos({u}) * ({u}))"),
            &|u| format!("({u}) ^ -2"),
            &|u| format!("1 + tan({} - {u})", std::f64::consts::FRAC_PI_2),
            &|u| format!("max(sqrt({u}), 0.5) + abs({u})"),
        ];
        let place = random.below(functions.len());
        // A state that begins on its level, or an argument that leaves the function's range before, is another question.
        let is_wave = before.contains("w'");
        let is_narrow = [3, 4, 8, 10].contains(&place);
        if (is_wave && place != 6) || is_narrow {
            let is_fit = matches!(place, 0 | 2 | 11) && is_wave;
            let argument = format!("({at:?} - time) / {at:?}");
            let text = if is_fit {
                format!("{before}y = {}\n", functions[place](&argument))
            } else {
                format!("y = {}\n", functions[place](&argument))
            };
            check_end(&text, "", at, horizon, round);
            continue;
        }
        let before = if is_wave { String::new() } else { before };
        let argument = if is_wave {
            format!("({at:?} - time)")
        } else {
            argument
        };
        check_end(
            &format!("y = {}\n", functions[place](&argument)),
            &before,
            at,
            horizon,
            round,
        );
    }
}

#[track_caller]
fn check_end(defined: &str, before: &str, at: f64, horizon: f64, round: u64) {
    // What only reads it is not named; whether it is recorded does not matter.
    let record = ["", "record q\n", "record y, q\n"][(round % 3) as usize];
    let use_ = ["", "z = 2 * y + q\n", "z' = 1 + 0 * q\n"][(round % 3) as usize];
    let text = format!("{before}{defined}{use_}q' = 1\nhorizon = {horizon:?}\n{record}");
    let trace = run(&text);
    let StopReason::NotFinite { what } = &trace.stop.reason else {
        panic!("{} at {:?}\n{text}", trace.stop.reason, trace.stop.time);
    };
    assert!(what.contains("`y`") && !what.contains("`z`"), "{what}\n{text}");
    near(trace.stop.time.t(), at, 1e-6 * at.max(1.0), &text);
    near(trace.last("q").unwrap(), at, 1e-6 * at.max(1.0), &text);
}

/// A decision that turns where the function ends keeps it out of reach.
#[test]
fn a_function_that_is_not_used_where_it_ends_ends_nothing() {
    for (defined, expected) in [
        ("y = if x > 0 then sqrt(x) else 0", 0.0),
        ("y = if x > 0 then sin(x) / x else 1", 1.0),
        ("y = if x >= 1e-3 then ln(x) else x", -1.0),
        ("y = if time < 1 then 1 / (1 - time + 1e-3) else 7", 7.0),
        ("y = sqrt(max(x, 0))", 0.0),
        ("y = asin(sin(time))", std::f64::consts::PI - 2.0),
        ("y = sqrt(1 - cos(time)^2)", 2.0_f64.sin()),
        ("y = 1 / (abs(x) + 1e-9)", 1.0 / (1.0 + 1e-9)),
    ] {
        for form in ["", "\nz' = y"] {
            let text = format!("x' = -1 init 1\n{defined}{form}\nhorizon = 2\n");
            let trace = run(&text);
            assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
            near(trace.last("y").unwrap(), expected, 1e-9, &text);
        }
    }
}

/// An operand that its operator does not take need not be a number: y is seen at ticks of a clock only, and poles, roots and logarithms end between them, now and then where another
/// clock ticks. Where y itself is seen there, the run ends.
#[test]
fn what_nobody_sees_need_not_be_a_number() {
    let mut random = Random(0x0b5e);
    for round in 0..120 {
        let period = 0.25 * (1 + random.below(8)) as f64;
        let ticks = 2 + random.below(4);
        let seen = round % 4 == 3;
        // Where the function ends: at a tick, or between two of them.
        let place = (1 + random.below(ticks)) as f64 - if seen { 0.0 } else { 0.5 };
        let at = place * period;
        // Of a tangent no double is the pole.
        let defined = match random.below(if seen { 2 } else { 3 }) {
            0 => format!("1 / ({at} - time)"),
            1 => format!("1 / ({at} - time)^2"),
            _ => format!("tan({:?} * time)", std::f64::consts::FRAC_PI_2 / at),
        };
        let y = match random.below(4) {
            0 => format!("y = ({defined}) on clock({period})"),
            1 => format!("e = clock({period})\ny = ({defined}) on e"),
            2 => format!("y = (({defined}) unless quiet) on clock({period})\nquiet = at(1e9)"),
            _ => format!("y = (0 on at(1e9)) ?? (({defined}) on clock({period}))"),
        };
        let horizon = (ticks as f64 + 0.25) * period;
        let text = format!(
            "{y}\nother = clock({}, {})\nq' = 1\nhorizon = {horizon}\n",
            0.5 * period,
            0.5 * period
        );
        let trace = run(&text);
        if seen {
            assert!(
                matches!(trace.stop.reason, StopReason::NotFinite { .. }),
                "{}\n{text}",
                trace.stop.reason
            );
            near(trace.stop.time.t(), at, 1e-6 * at.max(1.0), &text);
        } else {
            assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
            near(trace.last("q").unwrap(), horizon, 1e-9, &text);
        }
    }
}

/// A crossing whose value is taken back over the level by what it causes, a microstep later: one crossing a turn, whatever level, rate and jump do to rounding.
#[test]
fn a_jump_off_the_level_is_no_second_crossing() {
    let mut random = Random(0xc105);
    for _ in 0..300 {
        let (rate, jump) = (random.sized(1e-3, 1e3), random.sized(1e-3, 1e3));
        let level = random.between(-3.0, 3.0) * jump;
        // The first crossing after this, then one for each jump.
        let (first, each) = (random.between(0.1, 2.0) * jump / rate, jump / rate);
        let turns = random.below(30) as f64 + random.between(0.01, 0.99);
        let horizon = first + turns * each;
        let direction = ["rising", "both"][random.below(2)];
        let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
        let direction = if sign < 0.0 && direction == "rising" {
            "falling"
        } else {
            direction
        };
        let text = format!(
            "c = cross(x, {:?}, {direction})\nx' = {:?} init {:?} impulse post ({:?} on c)\nn' = 0 impulse 1 on c\nhorizon = {horizon:?}\nrecord x, n\n",
            sign * level,
            sign * rate,
            sign * (level - first * rate),
            -sign * jump
        );
        let trace = run(&text);
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        assert_eq!(trace.last("n"), Some(1.0 + turns.floor()), "{text}");
        let left = sign * (level - jump + (turns - turns.floor()) * jump);
        near(trace.last("x").unwrap(), left, 1e-9 * (level.abs() + jump), &text);
    }
}

/// The last sample is the state at the stop: whatever the samples, and whatever ended the run.
#[test]
fn the_last_sample_is_the_state_at_the_stop() {
    let mut random = Random(4);
    for round in 0..60 {
        let horizon = random.sized(1e-3, 1e3);
        let (k, period) = (
            random.between(0.1, 3.0) / horizon,
            horizon / random.between(3.0, 40.0),
        );
        let ends = [
            String::new(),
            format!("y = sqrt({:?} - time)\n", 0.61 * horizon),
            format!("c = clock({period:?})\nn' = 0 impulse 1 on c\n"),
            format!("s' = if s > 0 then -1 else 1 init {:?}\n", 0.37 * horizon),
        ];
        let text = format!(
            "x' = -{k:?} * x init 2\n{}horizon = {horizon:?}\n",
            ends[round % 4]
        );
        let mut options = TickOptions {
            sample_every: Some(horizon * random.sized(1e-3, 10.0)),
            ..TickOptions::default()
        };
        match random.below(4) {
            0 => options.event_limit = 5,
            1 => {
                options.keep = Keep {
                    samples: false,
                    transitions: false,
                    ..Keep::default()
                }
            }
            2 => {
                let until = 0.53 * horizon;
                options.watch = Some(TickWatch::new(move |t| {
                    if t > until {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                }));
            }
            _ => options.keep.bytes = 5_000,
        }
        let trace = run_with(&text, &options);
        let last = trace.samples.last().unwrap();
        assert_eq!(last.time, trace.stop.time, "{}\n{text}", trace.stop.reason);
        near(
            trace.last("x").unwrap(),
            2.0 * (-k * last.time.t()).exp(),
            1e-9,
            &text,
        );
    }
}

/// Every kind of event counts.
#[test]
fn a_limit_on_events_counts_every_kind() {
    for text in [
        "c = clock(0.01)\nx' = 1\nhorizon = 10\n",
        "x' = if sin(100 * time) > 0 then 1 else 2\nhorizon = 10\n",
        "c = cross(sin(100 * time), 0)\nhorizon = 10\n",
        "c = clock(0.01)\nd = delay(c, 0.005)\nhorizon = 10\n",
        "modal m { out cont s\n mode a { s = 1  when sin(100 * time) > 0 goto b }\n mode b { s = 2  when sin(100 * time) < 0 goto a } }\nhorizon = 10\n",
    ] {
        let options = TickOptions {
            event_limit: 50,
            ..TickOptions::default()
        };
        let trace = run_with(text, &options);
        assert!(
            matches!(trace.stop.reason, StopReason::EventLimit { limit: 50 }),
            "{}\n{text}",
            trace.stop.reason
        );
        // No kind counts more than a few times.
        assert!(
            trace.stop.time.t() > 0.05 && trace.stop.time.t() < 2.0,
            "{}\n{text}",
            trace.stop.time
        );
    }
}

#[test]
fn the_cases_give_their_truth() {
    let trace = run(&case("sliding_mode"));
    assert!(
        matches!(trace.stop.reason, StopReason::Sliding { .. }),
        "{}",
        trace.stop.reason
    );
    near(trace.stop.time.t(), 1.0, 1e-6, "sliding_mode");
    near(trace.last("m.x").unwrap(), 0.0, 1e-6, "sliding_mode");
    let text = trace.stop.reason.to_string();
    assert!(text.contains("m.p.x < 0") && text.contains("m.n.x > 0"), "{text}");

    let trace = run(&case("bounce_both_directions"));
    let fall = (20.0_f64 / 9.8).sqrt();
    let found = crossings(&trace, "c");
    assert_eq!(found.len(), 5);
    for (k, t) in found.iter().enumerate() {
        near(*t, fall * (1.0 + 2.0 * k as f64), 1e-9, "bounce_both_directions");
    }
    assert!(trace.stop.reason.is_complete());

    let trace = run(&case("nan_as_absent"));
    let StopReason::NotFinite { what } = &trace.stop.reason else {
        panic!("{}", trace.stop.reason);
    };
    assert!(what.contains("`y`"), "{what}");
    near(trace.stop.time.t(), 1.0, 1e-9, "nan_as_absent");

    let trace = run(&case("final_state_not_at_stop"));
    assert_eq!(trace.samples.last().unwrap().time, trace.stop.time);
    near(trace.last("x").unwrap(), 0.0, 1e-9, "final_state_not_at_stop");

    let options = TickOptions {
        event_limit: usize::MAX,
        keep: Keep {
            bytes: 3_000_000,
            ..Keep::default()
        },
        ..TickOptions::default()
    };
    let trace = run_with(&case("fast_clock"), &options);
    assert!(
        matches!(trace.stop.reason, StopReason::MemoryLimit { .. }),
        "{}",
        trace.stop.reason
    );
    let (x, t) = (trace.last("x").unwrap(), trace.stop.time.t());
    near(x, 1e9 * t, 1.5, "fast_clock");
    let bytes = trace.samples.iter().map(|s| s.bytes()).sum::<usize>()
        + trace.transitions.iter().map(|t| t.bytes()).sum::<usize>();
    assert!((2_900_000..3_100_000).contains(&bytes), "{bytes}");

    // Two oscillators: 1 − cos t = 2 + cos √2 t first at 1.7694963375.
    for until in [1.7, 2.0, 3.0, 5.0, 10.0, 50.0] {
        let options = TickOptions {
            until: Some(until),
            ..TickOptions::default()
        };
        let trace = run_with(&case("equality_guard"), &options);
        let found: Vec<f64> = trace.transitions.iter().map(|t| t.time.t()).collect();
        if until < 1.75 {
            assert!(found.is_empty(), "{found:?}");
            continue;
        }
        assert!(found.len() == 1 && trace.last("m.s") == Some(1.0), "{found:?}");
        near(found[0], 1.769_496_337_5, 1e-9, "equality_guard");
    }

    // The clock sees the mode as it was before the instant.
    for k in [0.7, 0.1, 0.3, 1.0, 3.3, 1e-3, 123.456, 1e6] {
        let options = TickOptions {
            parameters: vec![("k".into(), k)],
            ..TickOptions::default()
        };
        let trace = run_with(&case("clock_vs_guard_rounding"), &options);
        assert_eq!(trace.last("seen"), Some(0.0), "{k}");
        assert_eq!(trace.transitions.len(), 1, "{k}");
    }

    let trace = run(&case("sixty_one_events"));
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    assert_eq!(trace.transitions.len(), 61);
    assert!(trace.transitions.last().unwrap().to.contains("done"));

    let trace = run(&case("fig17_crossings"));
    let StopReason::ZenoSuspected { limit, events, .. } = &trace.stop.reason else {
        panic!("{}", trace.stop.reason);
    };
    near(*limit, 1.0, 1e-6, "fig17_crossings");
    near(trace.stop.time.t(), 1.0, 1e-2, "fig17_crossings");
    assert_eq!(events.join(""), "`c`");

    // One rule, whatever the level.
    for level in [1.0, 1.01, 1.04, 1.05, 1.25] {
        let options = TickOptions {
            parameters: vec![("lev".into(), level)],
            ..TickOptions::default()
        };
        let trace = run_with(&case("cross_jump_rounding"), &options);
        let expected = 1 + ((20.0_f64 - level) / 0.5 + 1e-9) as usize;
        assert_eq!(crossings(&trace, "c").len(), expected, "{level}");
    }
}

/// A run that keeps nothing needs no memory, and tells the same.
#[test]
fn what_is_not_kept_is_counted() {
    let text = "c = clock(1e-3)\nx' = 0 impulse 1 on c\nmodal m { out cont s\n mode a { s = 1  when sin(9 * time) > 0 goto b }\n mode b { s = 2  when sin(9 * time) < 0 goto a } }\nhorizon = 5\n";
    let whole = run(text);
    let options = TickOptions {
        keep: Keep {
            samples: false,
            transitions: false,
            ..Keep::default()
        },
        ..TickOptions::default()
    };
    let thin = run_with(text, &options);
    assert!(thin.samples.len() == 1 && thin.transitions.len() < 200 && whole.transitions.len() > 4000);
    assert_eq!(
        format!("{:?}", thin.samples.last()),
        format!("{:?}", whole.samples.last())
    );
    assert_eq!(
        dyverse::export::trace_summary(&thin),
        dyverse::export::trace_summary(&whole)
    );
}
