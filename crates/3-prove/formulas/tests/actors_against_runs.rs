//! Formulas of actor models, executed by a tiny executor, do what the simulator does.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs
)]

use crate::actor_support;

use actor_support::{compare, example, text};

#[test]
fn the_thermostat() {
    for outside in [-10.0, 5.0] {
        assert!(compare(&example("thermostat"), &[("outside", outside)], 1.0) > 5);
    }
}

#[test]
fn the_bouncing_ball_comes_to_rest() {
    assert!(compare(&example("bouncing_ball_by_transition"), &[], 5e-5) > 20);
}

#[test]
fn the_two_tanks() {
    for inflow in [0.9, 1.05] {
        assert!(compare(&example("two_tanks"), &[("inflow", inflow)], 1e-3) >= 6);
    }
}

#[test]
fn the_ball_on_the_sine() {
    assert!(compare(&example("ball_on_sine"), &[], 1e-3) >= 3);
}

#[test]
fn the_diode_and_the_growth() {
    assert_eq!(compare(&example("diode_oscillator"), &[], 1e-3), 1);
    assert_eq!(compare(&example("growth"), &[], 1e-3), 0);
}

/// A mode in a mode: without history it begins anew, with history it goes on; initial values read signals.
#[test]
fn nested_modes() {
    let model = |flag: &str| {
        text(&format!(
            "clock_' = 1
             total' = machine.rate init 0.5
             modal machine {{
               out cont rate
               initial mode work {{
                 level' = 1 - 0.3 * level init total / 2
                 age' = 1
                 modal gear {{
                   out cont g
                   mode low {{ g = 1  w' = level init age / 20 when w >= 0.4 goto high }}
                   mode high {{ g = 3 * level  when level >= 1.5 goto low }}
                 }}
                 rate = gear.g + level
                 when total >= 6 + clock_ goto pause
                 when age > 5 goto pause
               }}
               mode pause {{
                 rate = -2
                 when total <= clock_ / 3 {flag} goto work {{ age := 0.5 }}
               }}
             }}
             horizon = 20
             record total, machine.rate, machine.work.level, machine.work.gear.low.w, machine.work.age"
        ))
    };
    for flag in ["", "history"] {
        assert!(compare(&model(flag), &[], 1e-3) >= 8, "{flag}");
    }
}

/// Both guards become true at t = 1: each set action reads what the other one has not yet changed.
#[test]
fn two_modal_models_at_once() {
    let graph = text(
        "modal a {
           out cont x
           initial mode one { x' = 1 when x >= 1 goto two { x := b.y + 1 } }
           mode two { x' = -1 when x <= 0 goto one { x := b.y } }
         }
         modal b {
           out cont y
           initial mode one { y' = 2 init -1 when y >= 1 goto two { y := a.x + 3 } }
           mode two { y' = -1.7 when y <= 0 goto one }
         }
         horizon = 6
         record a.x, b.y",
    );
    assert!(compare(&graph, &[], 1e-3) >= 6);
}

/// `immediate`, `default`, `otherwise`: chains of transitions at one moment.
#[test]
fn immediate_and_default_transitions() {
    let graph = text(
        "x' = m.rate init 1
         modal m {
           out cont rate
           initial mode up {
             rate = 1
             n' = 1 init x
             when x >= 2 goto sorting { n := 7 }
             when x >= 1.5 and n > 100 goto down
           }
           mode sorting {
             rate = 0
             n' = 5 init 2
             when time > 3 immediate goto down { k := x }
             when time > 5 goto down
             otherwise immediate goto fast
           }
           mode fast { rate = -3  n' = 1 init time  when x <= 0 goto up }
           mode down { rate = -1  k' = x  when x <= 0.5 default goto up }
         }
         horizon = 8
         record x, m.rate, m.up.n, m.fast.n, m.down.k",
    );
    assert!(compare(&graph, &[], 1e-3) >= 6);
}

/// A preemptive transition beats the others, and the modes inside.
#[test]
fn preemptive_transitions() {
    let graph = text(
        "x' = m.rate init 0
         y' = 1
         modal m {
           out cont rate
           initial mode up {
             rate = inner.r
             modal inner {
               out cont r
               mode slow { r = 1  when x >= 1 goto quick }
               mode quick { r = 2  when x >= 4 goto slow }
             }
             when x >= 2 preempt history goto down
             when x >= 2 goto stop
           }
           mode down { rate = -1  when x <= 1 history goto up  when y > 4.2 and x < 1.5 goto stop }
           mode stop { rate = 0 }
         }
         horizon = 6
         record x, m.rate",
    );
    assert!(compare(&graph, &[], 1e-3) >= 4);
}

/// What the modes decide: `??`, `on`, `unless`, `present`, `hold`, instances that a mode enables, resets.
#[test]
fn presence_decided_by_modes() {
    let graph = text(
        "actor Leak(rate = 1) { in cont u  out cont z  z' = u - rate * z init 0.25 }
         x' = m.rate init 0
         kept = hold(m.only, init = -1)
         other = m.only ?? kept * 2
         gated = x on m.only
         blocked = x unless m.only
         flag = if present m.only then 1 else -1
         leak = Leak(rate = 0.5) enabled by m.switch { u = x + 1 }
         follower' = 1 init 3 reset m.only
         double' = (leak.z ?? 0) + kept
         modal m {
           out cont rate, switch
           out any only
           initial mode a { rate = 1  switch = 0  only = x ^ 2 when x >= 1.25 goto b }
           mode b { rate = -0.5 switch = 1 when x <= 0.3 goto a }
         }
         horizon = 7
         record x, kept, other, gated, blocked, flag, leak.z, follower, double",
    );
    assert!(compare(&graph, &[], 1e-3) >= 3);
}

/// Inputs have their own expression, functions and `if` are formulas, guards may be numbers.
#[test]
fn inputs_functions_and_numbers_as_guards() {
    let graph = text(
        "param k in [1, 2] = 1.5
         param half = k / 2
         input u = sin(2 * time) * half
         fun clip(a) = min(max(a, -0.8), 0.8)
         x' = clip(u) + (if x > 0.6 then 0.9 - x else 0.3) + abs(y) / 2 - x init half
         y' = -x * k - y + atan2(u, 2)
         state = sin(3 * time) > x / 4 and y < 2
         modal m {
           mode a { q' = 1 when not state and time > 1 goto b }
           mode b { q' = -1 when state goto a { q := q } }
         }
         horizon = 6
         record x, y",
    );
    for k in [1.0, 1.7] {
        assert!(compare(&graph, &[("k", k)], 1e-5) >= 2);
    }
}
