//! What ideally happens at one moment happens in one instant, in one order, whatever rounding makes of the times: clocks, `at`, delays, crossings, guards, equalities, inputs, the end of the run.
//!
//! Models are drawn at random, the same for the same seed: a moment T between 1e-6 and 1e6 s and several things that happen then by arithmetic on real numbers. Truth: all of them are seen at
//! microstep 1 of one instant, and what transitions change is seen after it.

use crate::shipped::read;
use dyverse_tick::{InputSignal, TickOptions, simulate};
use dyverse_trace::{Trace, TransitionKind};
use std::fmt::Write;

pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (dyverse_num::split_mix(&mut self.0) % count as u64) as usize
    }
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        let part = (dyverse_num::split_mix(&mut self.0) >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * part
    }
    pub(crate) fn sized(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }
}

/// A decimal number, or one with all digits.
fn moment(dice: &mut Dice) -> f64 {
    let t = dice.sized(1e-6, 1e6);
    match dice.below(3) {
        0 => t,
        1 => format!("{t:.1e}").parse().unwrap(),
        _ => format!("{t:.3e}").parse().unwrap(),
    }
}

/// A quantity that rises through `level` at T: its text, what it is called, the level.
fn quantity(dice: &mut Dice, t: f64, name: &str) -> (String, String, f64) {
    let slope = dice.sized(1e-3, 1e3) * [1.0, 1.0 / t][dice.below(2)];
    let from = dice.between(-3.0, 3.0) * slope * t * [0.0, 1.0, 30.0][dice.below(3)];
    match dice.below(5) {
        0 => (
            format!("{name}' = {slope:?} init {from:?}\n"),
            name.to_owned(),
            from + slope * t,
        ),
        1 => (
            String::new(),
            format!("({slope:?} * time + {from:?})"),
            from + slope * t,
        ),
        2 => {
            // Large beside what counts as the level of a search, 1e-12.
            let slope = dice.sized(1e-3, 1e3) / (t * t);
            let from = from.clamp(-30.0 * slope * t * t, 30.0 * slope * t * t);
            (
                format!("{name}v' = {slope:?}\n{name}' = {name}v init {from:?}\n"),
                name.to_owned(),
                from + 0.5 * slope * t * t,
            )
        }
        3 => {
            // Large beside the absolute accuracy of the solver.
            let slope = dice.sized(0.1, 1e3);
            let w = std::f64::consts::FRAC_PI_2 / t;
            (
                format!(
                    "{name}v' = -{:?} * {name} init {:?}\n{name}' = {name}v init {:?}\n",
                    w * w,
                    slope * w,
                    -slope
                ),
                name.to_owned(),
                // −cos ωt + sin ωt at ωt = π/2
                slope,
            )
        }
        _ => {
            let (k, slope) = (dice.between(0.1, 3.0) / t, dice.sized(0.1, 1e3));
            (
                format!("{name}' = {k:?} * {name} init {slope:?}\n"),
                name.to_owned(),
                slope * (k * t).exp(),
            )
        }
    }
}

struct Drawn {
    text: String,
    inputs: Vec<(String, InputSignal)>,
    events: Vec<String>,
    modes: Vec<String>,
}

fn draw(dice: &mut Dice, t: f64) -> Drawn {
    let mut drawn = Drawn {
        text: String::new(),
        inputs: Vec::new(),
        events: Vec::new(),
        modes: Vec::new(),
    };
    for place in 0..2 + dice.below(4) {
        let text = &mut drawn.text;
        match dice.below(8) {
            0 => {
                let count = (1 + dice.below(9)) as f64;
                writeln!(text, "e{place} = clock({:?}, {:?})", t / count, t / count).unwrap();
                drawn.events.push(format!("e{place}"));
            }
            1 => {
                writeln!(text, "e{place} = at({t:?})").unwrap();
                drawn.events.push(format!("e{place}"));
            }
            2 => {
                let first = t * dice.between(0.05, 0.95);
                writeln!(
                    text,
                    "d{place} = at({first:?})\ne{place} = delay(d{place}, {:?})",
                    t - first
                )
                .unwrap();
                drawn.events.push(format!("e{place}"));
            }
            3 => {
                let (made, name, level) = quantity(dice, t, &format!("x{place}"));
                writeln!(
                    text,
                    "{made}y{place} = {name}\ne{place} = cross(y{place}, {level:?}, {})",
                    ["rising", "both"][dice.below(2)]
                )
                .unwrap();
                drawn.events.push(format!("e{place}"));
            }
            4 => {
                let (made, name, level) = quantity(dice, t, &format!("x{place}"));
                writeln!(
                    text,
                    "{made}y{place} = -{name}\ne{place} = cross(y{place}, {:?}, falling)",
                    -level
                )
                .unwrap();
                drawn.events.push(format!("e{place}"));
            }
            kind @ 5..=6 => {
                let (made, name, level) = quantity(dice, t, &format!("x{place}"));
                let guard = match dice.below(6) {
                    0 => format!("{name} >= {level:?}"),
                    1 => format!("{name} > {level:?}"),
                    2 => format!("-{name} <= {:?}", -level),
                    3 => format!("{name} - {level:?} >= 0"),
                    4 => format!("not ({name} < {level:?})"),
                    _ => format!("{name} == {level:?}"),
                };
                let guard = if kind == 5 {
                    guard
                } else {
                    format!("({guard}) and time >= 0")
                };
                writeln!(text, "{made}modal m{place} {{ out cont s\n mode a {{ s = 0  when {guard} goto b }}\n mode b {{ s = 1 }} }}").unwrap();
                drawn.modes.push(format!("m{place}"));
            }
            _ => {
                let name = format!("u{place}");
                writeln!(text, "input {name} = 0\nmodal m{place} {{ out cont s\n mode a {{ s = 0  when {name} > 0.5 goto b }}\n mode b {{ s = 1 }} }}").unwrap();
                drawn.modes.push(format!("m{place}"));
                let table = InputSignal::Table {
                    times: vec![0.0, t, t, 4.0 * t],
                    values: vec![0.0, 0.0, 1.0, 1.0],
                };
                drawn.inputs.push((name, table));
            }
        }
    }
    drawn
}

/// The first moment at which a mode was left.
fn left(trace: &Trace, modal: &str) -> Option<(f64, u32)> {
    let mut all = trace.transitions.iter();
    let found = all.find(|t| t.kind == TransitionKind::Mode && t.from == format!("{modal}.a"));
    found.map(|t| (t.time.t(), t.time.n()))
}

#[test]
fn what_coincides_happens_in_one_instant() {
    let mut dice = Dice(15);
    let mut pairs = 0;
    for round in 0..2000 {
        let t = moment(&mut dice);
        let Drawn {
            mut text,
            inputs,
            events,
            modes,
        } = draw(&mut dice, t);
        // What happens at the end of the run is part of it.
        let until = if dice.below(2) == 0 {
            t
        } else {
            t * dice.between(1.01, 1.9)
        };
        let mut expected = Vec::new();
        for (i, first) in events.iter().enumerate() {
            for (k, second) in events.iter().enumerate().filter(|(k, _)| *k != i) {
                writeln!(text, "w{i}_{k} = hold(3 * {first} on {second}, init = -1)").unwrap();
                expected.push((format!("w{i}_{k}"), 3.0));
            }
            // A clock that ticks again after the modes were left sees that.
            let ticks_again = until > t && text.contains(&format!("{first} = clock"));
            for modal in modes.iter().filter(|_| !ticks_again) {
                writeln!(text, "h{i}_{modal} = hold({modal}.s on {first}, init = -1)").unwrap();
                expected.push((format!("h{i}_{modal}"), 0.0));
            }
        }
        for modal in &modes {
            expected.push((format!("{modal}.s"), 1.0));
        }
        writeln!(text, "horizon = {until:?}").unwrap();
        let graph = read(&text);
        let options = TickOptions {
            inputs,
            until: Some(until),
            ..TickOptions::default()
        };
        let trace = simulate(&graph, &mut [], &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        for (name, value) in &expected {
            assert_eq!(
                trace.last(name),
                Some(*value),
                "{name}, round {round}, T = {t:?}\n{text}"
            );
            pairs += 1;
        }
        let instants: Vec<_> = modes.iter().map(|m| left(&trace, m)).collect();
        assert!(
            instants.windows(2).all(|w| w[0] == w[1]),
            "{instants:?}, round {round}, T = {t:?}\n{text}"
        );
        if let Some(Some((at, _))) = instants.first() {
            assert!((at - t).abs() <= 1e-9 * t.max(1.0), "{at} {t}\n{text}");
        }
    }
    assert!(pairs > 2000, "{pairs}");
}

/// A hundred thousand delays, clocks and timed modes in a row: closed form k · p, to rounding.
#[test]
fn chains_do_not_drift() {
    for (text, period, count) in [
        (
            "s = at(0)\ne = delay(s ?? e, 0.1)\nn' = 0 impulse 1 on e\n",
            0.1,
            100_000,
        ),
        ("e = clock(0.1)\nn' = 0 impulse 1 on e\n", 0.1, 100_000),
        (
            "modal m { out any e\n mode a { e = at(0.1)  when e goto a } }\ne = m.e\nn' = 0 impulse 1 on e\n",
            0.1,
            20_000,
        ),
        (
            "modal m { out any e\n mode a { e = delay(at(0), 0.07)  when e goto b }\n mode b { e = at(0.03)  when e goto a } }\nn' = 0 impulse 1 on m.e\ne = m.e\n",
            0.05,
            20_000,
        ),
    ] {
        let until = period * f64::from(count);
        let graph = read(&format!("{text}horizon = {until:?}\n"));
        let trace = simulate(&graph, &mut [], &TickOptions::default()).unwrap();
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        let n = trace.last("n").unwrap();
        let is_start_counted = text.starts_with("e = clock");
        assert_eq!(n, f64::from(count + i32::from(is_start_counted)), "{text}");
        let last = trace.transitions.last().unwrap().time.t();
        assert!(
            (last - until).abs() <= 2.0 * f64::EPSILON * until,
            "{last} {until}\n{text}"
        );
    }
}

/// Modes that are entered in one instant: each has a guard that ideally holds there, of a signal that goes through its level or of a state that was set to it. Truth: all of them are passed in that instant, one after
/// the other, also at the end of the run.
#[test]
fn modes_entered_in_one_instant_are_passed_in_it() {
    let mut dice = Dice(41);
    for round in 0..1500 {
        let t = moment(&mut dice);
        let (mut text, mut modes) = (String::new(), String::new());
        let count = 2 + dice.below(4);
        let guards: Vec<_> = (0..count).map(|k| entered(&mut dice, t, k, &mut text)).collect();
        for (k, (guard, _, rate)) in guards.iter().enumerate() {
            // What the next guard needs is set on the way to it; what was set rises.
            let set = guards.get(k + 1).map_or("", |next| &next.1);
            let start = if k == 0 { "init 0" } else { "" };
            let state = format!("y' = {rate:?} {start}");
            writeln!(
                modes,
                " mode a{k} {{ s = {k}  {state}  when {guard} goto a{} {{ {set} }} }}",
                k + 1
            )
            .unwrap();
        }
        writeln!(
            text,
            "modal m {{ out cont s, y\n{modes} mode a{count} {{ s = {count}  y' = 0 }} }}"
        )
        .unwrap();
        let until = if dice.below(2) == 0 {
            t
        } else {
            t * dice.between(1.01, 1.9)
        };
        writeln!(text, "horizon = {until:?}").unwrap();
        let graph = read(&text);
        let trace = simulate(&graph, &mut [], &TickOptions::default())
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        let modes = trace
            .transitions
            .iter()
            .filter(|t| t.kind == TransitionKind::Mode);
        let times: Vec<_> = modes.map(|t| (t.time.t(), t.time.n())).collect();
        assert_eq!(times.len(), count, "round {round}: {times:?}\n{text}");
        for (k, time) in times.iter().enumerate() {
            assert_eq!(time.0, times[0].0, "round {round}: {times:?}\n{text}");
            let before = if k == 0 { 0 } else { times[k - 1].1 };
            assert_eq!(time.1, before + 1, "round {round}: {times:?}\n{text}");
        }
        assert!(
            (times[0].0 - t).abs() <= 1e-9 * t.max(1.0),
            "round {round}\n{text}"
        );
        assert_eq!(trace.last("m.s"), Some(count as f64), "round {round}\n{text}");
    }
}

/// A quantity that the solver gets to rounding.
fn exact(dice: &mut Dice, t: f64, name: &str) -> (String, String, f64) {
    loop {
        let (made, name, level) = quantity(dice, t, name);
        if !made.contains("* x") && !made.contains("v' = -") {
            return (made, name, level);
        }
    }
}

/// A guard that holds at T, what must be set on the way to its mode, and how fast that rises.
fn entered(dice: &mut Dice, t: f64, k: usize, text: &mut String) -> (String, String, f64) {
    let kind = dice.below(if k == 0 { 2 } else { 4 });
    let (name, level, set) = match kind {
        0 => ("time".to_owned(), t, String::new()),
        1 => {
            let (made, name, level) = exact(dice, t, &format!("x{k}"));
            text.push_str(&made);
            (name, level, String::new())
        }
        // A state that is set: decimals that are no doubles, and what signals are then.
        2 => {
            let (a, b) = (
                f64::from(1 + dice.below(900) as u32) / 100.0,
                f64::from(1 + dice.below(900) as u32) / 1000.0,
            );
            let level: f64 = format!("{:.3}", a + b).parse().unwrap();
            ("y".to_owned(), level, format!("y := {a:?} + {b:?}"))
        }
        _ => {
            let (made, name, level) = exact(dice, t, &format!("x{k}"));
            let by = dice.between(0.1, 2.0) * level;
            text.push_str(&made);
            ("y".to_owned(), level + by, format!("y := {name} + {by:?}"))
        }
    };
    // What is not set may be past its level by a rounding.
    let guards = if k == 0 || kind == 2 { 5 } else { 4 };
    let guard = match dice.below(guards) {
        0 => format!("{name} >= {level:?}"),
        1 => format!("-{name} <= {:?}", -level),
        2 => format!("{name} - {level:?} >= 0"),
        3 => format!("not ({name} < {level:?})"),
        _ => format!("{name} == {level:?}"),
    };
    let guard = if dice.below(3) == 0 {
        format!("({guard}) and time >= 0")
    } else {
        guard
    };
    let rate = if set.is_empty() {
        0.0
    } else {
        (1.0 + level.abs()) / t
    };
    (guard, set, rate)
}
