//! The value exactly on a level that was located: x ≤ c is met by x = c, and in that instant functions have their own value there, x < c is false, and what is set is set to c. Random rates,
//! starts and levels, so that rounding would decide otherwise.

use crate::shipped::read;
use crate::simultaneity::Dice;
use dyverse_tick::{TickOptions, simulate};
use dyverse_trace::Trace;

fn run(text: &str) -> Trace {
    let graph = read(text);
    let trace = simulate(&graph, &mut [], &TickOptions::default());
    let trace = trace.unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
    trace
}

#[test]
fn states_are_on_the_levels_that_they_reach() {
    let mut dice = Dice(33);
    for _ in 0..300 {
        let tenths = |dice: &mut Dice| (1 + dice.below(29)) as f64 / 10.0;
        let (rate, above) = (tenths(&mut dice), tenths(&mut dice));
        // Whole levels: floor has a jump there, and what is on it is written exactly.
        let level = dice.below(7) as f64 - 3.0;
        let is_falling = dice.below(2) == 0;
        let (start, slope, reached, beyond) = if is_falling {
            (format!("{level} + {above}"), -rate, "<=", "<")
        } else {
            (format!("{level} - {above}"), rate, ">=", ">")
        };
        let motion = match dice.below(3) {
            0 => format!("x' = {slope:?} init {start}"),
            1 => format!("v' = {slope:?} init 0\nx' = v init {start}"),
            _ => format!("u' = 0 init {slope:?}\nx' = u * (1 + time) init {start}"),
        };
        let text = format!(
            "{motion}\n\
             modal m {{ out cont s\n\
               initial mode A {{ z' = 0  f' = 0  k' = 0  s = 0\n\
                 when x {reached} {level} goto B {{ z := sign(x - {level})  f := floor(x)  k := if x {beyond} {level} then 7 else 5  y := x }} }}\n\
               mode B {{ z' = 0  f' = 0  k' = 0  y' = 0  s = 1  when y {beyond} {level} goto C }}\n\
               mode C {{ z' = 0  f' = 0  k' = 0  s = 2 }} }}\n\
             modal both {{ out cont s\n\
               initial mode A {{ s = 0  when x {reached} {level} goto B  when x {beyond} {level} goto C }}\n\
               mode B {{ s = 1 }}\n  mode C {{ s = 2 }} }}\n\
             horizon = 60\nrecord m.s, both.s, m.B.z, m.B.f, m.B.k, m.B.y\n"
        );
        let trace = run(&text);
        for (name, expected) in [
            ("m.s", 1.0),
            ("both.s", 1.0),
            ("m.B.z", 0.0),
            ("m.B.f", level),
            ("m.B.k", 5.0),
            ("m.B.y", level),
        ] {
            assert_eq!(trace.last(name), Some(expected), "{name}\n{text}");
        }
    }
}

/// A strict guard beside: it is met when the level is passed, not when it is reached.
#[test]
fn what_waits_for_more_than_the_level_happens_after_it() {
    let mut dice = Dice(34);
    for _ in 0..100 {
        let rate = (1 + dice.below(29)) as f64 / 10.0;
        let stops = dice.below(2) == 0;
        let after = if stops { "0" } else { "r" };
        let text = format!(
            "param r = {rate}\n\
             modal t {{ out cont h\n\
               initial mode fill {{ h' = r init 0  when h >= 1 goto next {{ h := h }} }}\n\
               mode next {{ h' = {after} }} }}\n\
             modal alarm {{ out cont a\n  initial mode quiet {{ a = 0  when t.h > 1 goto loud }}\n  mode loud {{ a = 1 }} }}\n\
             horizon = 15\nrecord t.h, alarm.a\n"
        );
        let expected = if stops { 0.0 } else { 1.0 };
        assert_eq!(run(&text).last("alarm.a"), Some(expected), "{text}");
    }
}
