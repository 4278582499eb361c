//! Every construct of actor models in C, against `dyverse_tick::simulate`; what stops a run stops the C with the same reason.
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

use crate::actors_support;
use actors_support::{Outcome, build, build_with, compare, expected, read_text, run, status_of};
use dyverse_tick::{InputSignal, TickOptions};

/// Runs a text in C, in one go and in 37 pieces, and in dyverse.
fn check(name: &str, text: &str) -> Outcome {
    let graph = read_text(text);
    let built = build(&graph);
    let result = expected(&graph, TickOptions::default());
    let whole = run(&built, &[]);
    compare(name, &whole, &result);
    compare(
        &format!("{name} in pieces"),
        &run(&built, &["stops=37".to_owned()]),
        &result,
    );
    whole
}

/// A text that must stop for a reason.
fn check_stop(name: &str, status: i32, text: &str) {
    let outcome = check(name, text);
    assert_eq!(outcome.status, status, "{name}: {}", outcome.message);
    assert!(!outcome.message.is_empty(), "{name}");
}

#[test]
fn operators() {
    check(
        "operators",
        "model operators
         param w = 3
         x' = cos(w * time) init 0.2
         e = cross(x, 0.3, rising)
         f = cross(x, 0.1)
         tick = clock(0.35, 0.1, 2)
         once = at(1.2, 5)
         late = delay(tick, 0.13)
         sampled = x on e
         kept = hold(sampled, init = -1)
         both = e ?? f
         only = f unless e
         before = post(kept, init = 7)
         counted' = 0 init 0 impulse tick
         levels' = 0 init 4 reset x * 2 on late
         is_e = present e
         no_e = absent e
         high = gate(x > 0.2)
         area' = hold(high, init = 0) * x
         part = if x > 0.25 and not (time > 2) then abs(x) else max(x, -0.1) + min(x, 0.05)
         steps' = floor(2 * time) + sign(sin(3 * time)) + part
         jumped' = 0 init 1 impulse once
         horizon = 4",
    );
}

#[test]
fn enabled_parts_and_local_time() {
    check(
        "enabled",
        "model enabled_parts
         actor Count(p) { in cont u  out any n  out cont y
           beat = clock(p)
           n' = 0 init u impulse beat
           y' = u init 0
         }
         s = sin(2 * time)
         wave = gate(s > 0.2)
         c = Count(p = 0.1) enabled by wave { u = 1 + time }
         d = Count(p = 0.07) enabled by s { u = 2 }
         seen = hold(c.n, init = -5)
         horizon = 5",
    );
}

#[test]
fn modal_models_with_every_flag() {
    check(
        "flags",
        "model flags
         kick = clock(0.4, 0.2)
         other = clock(0.6, 0.2)
         modal m {
           out cont x
           out event done
           initial mode a {
             x' = 1 init 0
             q' = x
             when x >= 1 goto b { x := x / 2, out done = x }
             when present kick preempt goto c { x := 0.1 }
           }
           mode b {
             x' = -2 * x
             k = clock(0.05)
             n' = 0 impulse k
             when x < 0.1 history goto a { x := x + n }
             when present other preempt history goto a
           }
           mode c {
             x' = 0.5
             modal inner {
               out cont z
               mode up { z' = x  when z > 0.05 goto down { z := z } }
               mode down { z' = -1 init 3  when z <= 0 immediate history goto up }
             }
             when inner.z > 0.04 immediate goto b { x := inner.z + 0.3 }
             otherwise default goto c2
           }
           mode c2 { x' = 1  when x > 0.7 tolerance 1e-3 goto a { x := 0 } }
           from b when present done goto a
         }
         ends = hold(m.done, init = 0)
         horizon = 6",
    );
}

#[test]
fn choices_are_the_same_choices() {
    check(
        "choices",
        "model choices
         beat = clock(0.1)
         modal m {
           out cont x
           initial mode a {
             x' = 1
             when present beat choose goto b { x := x + 1 }
             when present beat choose goto c { x := x - 1 }
             when present beat choose goto a { x := 0.5 * x }
           }
           mode b { x' = -1 init 2  when present beat goto a { x := x } }
           mode c { x' = 0.3 init 1  when present beat choose goto a { x := x }  when x > 0.2 and present beat choose goto b }
         }
         horizon = 5",
    );
}

#[test]
fn tolerances_and_grids() {
    for tolerances in [
        "",
        "tolerances { crossing = 1e-3 }",
        "tolerances { max_step = 1e-2 }",
        "tolerances { crossing = 1e-2  max_step = 3e-3 }",
    ] {
        check(
            "tolerances",
            &format!(
                "model tolerances_of_crossings
                 param g = 9.81
                 v' = -g init 0.5 impulse post bounce
                 x' = v init 1
                 hit = cross(x, 0, falling)
                 bounce = -1.7 * v on hit
                 near = cross(x, 0.25, both, 1e-2)
                 count' = 0 impulse 1 on near
                 modal m {{ out cont y
                   mode a {{ y' = x  when y > 0.3 tolerance 1e-4 goto b {{ y := y }} }}
                   mode b {{ y' = -x init 1  when y < 0.1 goto a {{ y := y }} }}
                 }}
                 {tolerances}
                 horizon = 2"
            ),
        );
    }
}

#[test]
fn loops_that_modes_or_absence_break() {
    check(
        "loops",
        "model loops_broken
         flip = clock(0.5, 0.25)
         modal m { out cont a, b
           mode first { a = time  b = a + 1  when present flip goto second }
           mode second { b = 2 * time  a = b - 1  when present flip goto first }
         }
         p = m.a ?? q
         q = m.b ?? p
         horizon = 2",
    );
}

#[test]
fn inputs_jump_where_they_are_set() {
    let text = "model driven
                input u
                input w = if time < 0.7 then sin(5 * time) else -0.5
                x' = u - 0.2 * x + w
                up = cross(x, 0.5)
                n' = 0 impulse 1 on up
                modal m { out cont y
                  mode a { y' = u  when u > 1.5 goto b { y := y } }
                  mode b { y' = -x  when u < 1 goto a { y := y + 0.1 } }
                }
                horizon = 3";
    let graph = read_text(text);
    let built = build(&graph);
    let table = InputSignal::Table {
        times: vec![0.0, 0.5, 0.5, 1.25, 1.25, 2.0, 2.0, 2.5],
        values: vec![0.5, 0.5, 2.0, 2.0, -1.5, -1.5, 1.75, 1.75],
    };
    let options = TickOptions {
        inputs: vec![("u".into(), table)],
        ..TickOptions::default()
    };
    let arguments = ["u=0.5", "at=0.5", "u=2", "at=1.25", "u=-1.5", "at=2", "u=1.75"];
    let outcome = run(&built, &arguments.map(str::to_owned));
    compare("inputs", &outcome, &expected(&graph, options));
    let own = run(&built, &["stops=5".to_owned()]);
    compare("own inputs", &own, &expected(&graph, TickOptions::default()));
}

#[test]
fn parameters_and_initial_values_are_set_before_the_run() {
    let text = "model given
                param a = 1
                param b = 2 * a
                param late in [0.1, 0.9]
                x' = -a * x init b
                e = at(late, b)
                n' = 0 init 1 impulse e
                level = cross(x, b / 4, falling)
                horizon = 3";
    let graph = read_text(text);
    let built = build(&graph);
    let options = TickOptions {
        parameters: vec![("a".into(), 1.5), ("late".into(), 0.25)],
        ..TickOptions::default()
    };
    let outcome = run(&built, &["a=1.5".to_owned(), "late=0.25".to_owned()]);
    compare("parameters", &outcome, &expected(&graph, options));
    assert_eq!(outcome.values["b"], 3.0, "a parameter that depends on another");
    let begun = run(&built, &["x=5".to_owned()]);
    let exact = 5.0 * (-3.0_f64).exp();
    assert!((begun.values["x"] - exact).abs() < 1e-12, "{begun:?}");
    let refused = run(&built, &["at=0.5".to_owned(), "a=2".to_owned()]);
    assert_eq!(refused.status, -100, "parameters hold for the whole run");
    let bad = run(&built, &["late=-1".to_owned()]);
    let options = TickOptions {
        parameters: vec![("late".into(), -1.0)],
        ..TickOptions::default()
    };
    assert_eq!(bad.status, status_of(&expected(&graph, options)));
    assert_eq!(bad.status, -2, "{}", bad.message);
}

#[test]
fn reasons_to_stop() {
    check_stop(
        "ambiguous",
        -12,
        "model s  x' = 1
         modal m { mode a { when x > 1 goto b  when 2 * x > 2 goto c } mode b { y = 1 } mode c { y = 2 } }
         horizon = 2",
    );
    check_stop(
        "immediate circle",
        -13,
        "model s  x' = 1
         modal m {
           mode a { when x > 1 goto b }
           mode b { y = 1  when x > 0.5 immediate goto c }
           mode c { y = 2  when x > 0.5 immediate goto b }
         }
         horizon = 2",
    );
    check_stop(
        "impulse that is not discrete",
        -14,
        "model s  x' = 1 init 0 impulse 0.1 on gate(time > 0.5)
         horizon = 1",
    );
    check_stop(
        "microstep delay of something continuous",
        -16,
        "model s  x' = 1  y = post x  horizon = 1",
    );
    check_stop(
        "delay of something continuous",
        -16,
        "model s  x' = 1  in_time = gate(x > 0.5)  y = delay(in_time, 0.1)  horizon = 1",
    );
    check_stop(
        "an action reads what is absent",
        -17,
        "model s  x' = 1  e = at(0.2)
         modal m { out cont y  mode a { y' = 1  when x > 0.5 goto b { y := e } } mode b { y' = 2 } }
         horizon = 1",
    );
    check_stop(
        "an initial value reads what is absent",
        -18,
        "model s  e = at(0.2)  x' = 1 init e  horizon = 1",
    );
    check_stop(
        "a loop in one mode only",
        -11,
        "model s  x' = 1
         modal m { out cont a, b
           mode one { a = 1  b = a  when x > 0.5 goto two }
           mode two { a = b + 1  b = a on gate(x > 0) }
         }
         horizon = 1",
    );
    check_stop(
        "chattering with a period",
        -19,
        "model s  x' = 1
         modal m { mode a { when x > 0.5 goto b } mode b { when x > 0.4 goto a } }
         horizon = 1",
    );
    check_stop(
        "chattering at the limit",
        -19,
        "model s  x' = 1  n = post(m, init = 0)  m = n + 1  tolerances { microsteps = 40 }  horizon = 1",
    );
    check_stop(
        "accumulation",
        -20,
        "model s  v' = -9.81 impulse post bounce  x' = v init 1
         hit = cross(x, 0, falling)  bounce = -1.5 * v on hit  horizon = 10",
    );
    check_stop(
        "sliding between two modes",
        -23,
        "model s
         modal m { out cont x
           mode p { x' = -1 init 1  when x < 0 goto n { x := x } }
           mode n { x' = 2  when x > 0 goto p { x := x } } }
         horizon = 3",
    );
    check_stop(
        "sliding along a switch",
        -23,
        "model s  x' = if x > 0 then -1 else 1 init 1  horizon = 3",
    );
    check_stop("blow-up", -5, "model s  x' = 1 + x^2  horizon = 3");
    check_stop(
        "no number",
        -4,
        "model s  x' = -1 init 1  y = sqrt(x)  z' = y  horizon = 3",
    );
}

#[test]
fn names_that_c_or_the_runtime_has_too() {
    for model in [
        "signal", "value", "int", "formula", "MODEL", "flow", "m", "crossing",
    ] {
        check(
            model,
            &format!(
                "model {model}
                 param MODEL = 2
                 param formulas = 1
                 input set
                 kind' = max(-kind, sin(time) * MODEL) init formulas
                 get = if kind > 0.5 then 1 else tanh(kind + set)
                 SIGNALS = sign(get) + min(get, 0.3)
                 double' = SIGNALS
                 modal int {{ out cont OK  mode EVENT {{ OK = 1  when double > 0.1 goto step }} mode step {{ OK = 2 }} }}
                 horizon = 1"
            ),
        );
    }
}

#[test]
fn tables_are_looked_up() {
    check(
        "lookup",
        "model looked_up
         table w = \"steps.csv\"
         x' = lookup(w, time) - 0.1 * x
         y' = lookup(w, 2 * x)
         up = cross(lookup(w, x), 1.3)
         n' = 0 impulse 1 on up
         horizon = 3",
    );
}

#[test]
fn a_delay_with_too_many_events_says_so() {
    let graph = read_text(
        "model waiting  beat = clock(0.1)  late = delay(beat, 0.75)  n' = 0 impulse late  horizon = 2",
    );
    let result = expected(&graph, TickOptions::default());
    compare("delay", &run(&build(&graph), &[]), &result);
    let small = run(&build_with(&graph, &["-O0", "-Dwaiting_QUEUE=4"]), &[]);
    assert_eq!(small.status, -22, "{}", small.message);
    assert!(
        small.message.contains("larger waiting_QUEUE"),
        "{}",
        small.message
    );
    let enough = run(&build_with(&graph, &["-O0", "-Dwaiting_QUEUE=8"]), &[]);
    compare("delay", &enough, &result);
}

/// A bounce in both directions: what is located is on the level, and has to leave it before it crosses again.
#[test]
fn what_is_located_is_on_its_level() {
    for (name, text) in [
        (
            "both directions",
            "model s  v' = -9.8 impulse post (-2 * v on c)  x' = v init 10  c = cross(x, 0)  n' = 0 impulse 1 on c  horizon = 14",
        ),
        (
            "another level, with losses",
            "model s  v' = -3 impulse post (-1.7 * v on c)  x' = v init 2.7  c = cross(x, 0.3)  n' = 0 impulse 1 on c  horizon = 4",
        ),
        (
            "with a tolerance",
            "model s  v' = -9.8 impulse post (-2 * v on c)  x' = v init 1  c = cross(x, 0, both, 1e-6)  n' = 0 impulse 1 on c  horizon = 3",
        ),
        (
            "jumps off the level",
            "model s  x' = 1 impulse post (-0.5 on c)  c = cross(x, 1.05)  n' = 0 impulse 1 on c  horizon = 9",
        ),
        (
            "two detectors",
            "model s  down = cross(x, 0, falling)  up = cross(x, 0, rising)
             x' = hold(1 on down ?? -1 on up, init = -1) init 1  horizon = 3",
        ),
    ] {
        let outcome = check(name, text);
        assert_eq!(outcome.status, 0, "{name}: {}", outcome.message);
    }
}

/// What coincides, equalities, counted sequences, chains of delays: as in a run.
#[test]
fn what_coincides_and_what_is_equal() {
    for (name, text) in [
        (
            "a clock and a guard",
            "model s  x' = 0.3  c = clock(0.5, 0.5)  modal m { out cont s  mode a { s = 0  when x >= 0.3 goto b }  mode b { s = 1 } }
             seen = hold(m.s on c, init = -1)  horizon = 1",
        ),
        (
            "a strict guard and a crossing at the end",
            "model s  x' = 0.7 init 0.1  c = cross(x, 2.2, rising)  k = at(3)  modal m { out cont s  mode a { s = 0  when x > 2.2 goto b }  mode b { s = 1 } }
             seen = hold(m.s on c, init = -1)  both = hold(c on k, init = -1)  horizon = 3",
        ),
        (
            "two oscillators meet",
            "model s  v1' = 1 - p1  v2' = 4 - 2 * p2  p1' = v1 init 0  p2' = v2 init 3
             modal m { out cont s  mode a { s = 0  when p1 == p2 goto b }  mode b { s = 1 } }  horizon = 5",
        ),
        (
            "rest where it is equal",
            "model s  x' = if x == 0.3 then 0 else -1 init 1  c = clock(0.4)  h = hold((if x == 0.3 then 1 else 0) on c, init = -1)  horizon = 3",
        ),
        (
            "sixty-one events",
            "model s  modal m { out cont x  mode f { x' = -1 init 1  k' = 0  top' = 0 init 1
               when x <= 0 and k < 60 history goto f { x := top/2  top := top/2  k := k + 1 }
               when x <= 0 and k >= 60 goto done }  mode done { x = 0 } }  horizon = 5",
        ),
        (
            "a chain of delays",
            "model s  s = at(0)  e = delay(s ?? e, 0.1)  n' = 0 impulse 1 on e  horizon = 100",
        ),
    ] {
        let outcome = check(name, text);
        assert_eq!(outcome.status, 0, "{name}: {}", outcome.message);
    }
}
