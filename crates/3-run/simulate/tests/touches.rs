//! Bodies that turn back exactly on the edge of a region: the region's force would act for one instant, which does nothing.
//!
//! The numbers are decimals whose apex is a decimal too, so that the touch is exact in the model and only rounding takes the body in. Inside, the force pulls the body away for good: one that was
//! taken in ends up elsewhere.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used
)]

use crate::support;

use support::scene::Random;
use support::{check, last, model, options};

/// A run to its horizon. Its trace is not judged: the acceptor has no events of loads, and where a touch is exact its own rounding would decide.
fn run(text: &str, until: f64) -> dyverse_trace::Trace {
    let trace = dyverse_simulate::simulate(&model(text), &options(until)).unwrap();
    check(&trace);
    trace
}

/// n · 10^power as a decimal.
fn decimal(n: i64, power: i32) -> String {
    format!("{n}e{power}")
}

fn value(n: i64, power: i32) -> f64 {
    decimal(n, power).parse().unwrap()
}

fn assert_near(found: f64, expected: f64, size: f64, text: &str) {
    assert!(
        (found - expected).abs() <= 1e-8 * size,
        "{found} is not {expected}\n{text}"
    );
}

/// A region's force, for x beyond an edge on a side.
fn region(random: &mut Random, x: &str, edge: &str, sign: i64, force: &str) -> String {
    let (beyond, within) = if sign > 0 { (">", "<=") } else { ("<", ">=") };
    let (at_or_beyond, inside) = if sign > 0 { (">=", "<") } else { ("<=", ">") };
    match random.below(8) {
        0 => format!("if {x} {beyond} {edge} then {force} else 0"),
        1 => format!("if {x} {at_or_beyond} {edge} then {force} else 0"),
        2 => format!("if not ({x} {within} {edge}) then {force} else 0"),
        3 => format!("if {x} {inside} {edge} then 0 else {force}"),
        4 => format!("{force} * max({sign} * sign({x} - {edge}), 0)"),
        5 => format!("if {sign} * ({x} - {edge}) >= 0 and time >= 0 then {force} else 0"),
        6 => format!("if min({sign} * ({x} - {edge}), 1) > 0 then {force} else 0"),
        _ => format!("{force} * (1 + {sign} * sign({x} - {edge})) / 2"),
    }
}

/// x = x0 ± (v t − a t²/2) with the apex, v²/2a away, on the edge; relative to a body that moves on or not; the way back leads through a region that does act.
#[test]
fn an_apex_on_an_edge_is_no_crossing() {
    let mut random = Random(0x70cc);
    for number in 0..400 {
        // a in 10^q, its time T in 10^r: v = a T, apex a T²/2.
        let (a, time) = (2 * (1 + random.below(400) as i64), 1 + random.below(60) as i64);
        let (q, r) = (random.below(9) as i32 - 5, random.below(5) as i32 - 3);
        let length = q + 2 * r;
        let start = random.below(20_001) as i64 - 10_000;
        let sign = if random.below(2) == 0 { 1 } else { -1 };
        let edge = start + sign * (a * time * time / 2);
        let drift = if random.below(3) == 0 {
            1 + random.below(50) as i64
        } else {
            0
        };
        let mass = 1 + random.below(9) as i64;
        let x = if drift == 0 { "b.x" } else { "b.x - c.x" };
        let pull = decimal(sign * mass * a * 3, q);
        let touched = region(
            &mut random,
            &format!("({x})"),
            &decimal(edge, length),
            sign,
            &pull,
        );
        // On the way back, below where it began: a second region that acts.
        let second = start - sign * (1 + random.below(a as usize * time as usize) as i64);
        let push = random.below(5) as i64 * a;
        let comparison = if sign > 0 { "<" } else { ">" };
        let text = format!(
            "entity b {{ sphere(radius = {size}) mass = {mass} position = ({x0}, 0, 0) velocity = ({v}, 0, 0) }}
             entity c {{ sphere(radius = {size}) mass = 1 position = (0, {apart}, 0) velocity = ({w}, 0, 0) }}
             force on b = ({f}, 0, 0)
             force on b = ({touched}, 0, 0)
             force on b = (if {x} {comparison} {at} then {push} else 0, 0, 0)",
            size = decimal(1, length),
            apart = decimal(1_000_000, length),
            x0 = decimal(start, length),
            v = decimal(sign * a * time + drift, q + r),
            w = decimal(drift, q + r),
            f = decimal(-sign * mass * a, q),
            at = decimal(second, length),
            push = decimal(-sign * mass * push, q),
        );
        let (a, v) = (value(a, q), value(a * time, q + r));
        let until = 4.0 * value(time, r);
        // From the apex it falls to the second edge, and on with another acceleration.
        let fall = value((edge - second).abs(), length);
        let (t, down) = ((2.0 * fall / a).sqrt(), (2.0 * fall * a).sqrt());
        let left = until - v / a - t;
        let (depth, speed) = if left <= 0.0 {
            let t = until - v / a;
            (0.5 * a * t * t, a * t)
        } else {
            let a = a + value(push, q);
            (fall + down * left + 0.5 * a * left * left, down + a * left)
        };
        let (sign, w) = (sign as f64, value(drift, q + r));
        let size = depth + value(edge.abs(), length);
        let trace = run(&text, until);
        let text = format!("{number}: until {until}\n{text}");
        assert_near(
            last(&trace, "b.x"),
            value(edge, length) - sign * depth + w * until,
            size,
            &text,
        );
        assert_near(last(&trace, "b.vx"), w - sign * speed, speed + w, &text);
    }
}

/// Flatter touches: x = E − c (t − T)⁴ under a force of time; and x = E + c (t − T)³, which does go through.
#[test]
fn flat_touches_and_flat_crossings_are_told_apart() {
    let mut random = Random(0xf1a7);
    for _ in 0..120 {
        let (c, at) = (1 + random.below(9) as i64, 1 + random.below(9) as i64);
        let (q, r) = (random.below(7) as i32 - 3, random.below(3) as i32 - 1);
        let is_touch = random.below(2) == 0;
        // In units of 10^q and of 10^r s.
        let (edge, order) = (random.below(200) as i64 - 100, if is_touch { 4 } else { 3 });
        let sign = if is_touch { -1 } else { 1 };
        let x0 = edge + sign * c * (-at).pow(order);
        let v0 = sign * i64::from(order) * c * (-at).pow(order - 1);
        let factor = sign * i64::from(order * (order - 1)) * c;
        let s = format!("(time / {} - {at})", decimal(1, r));
        let power = if is_touch { format!("{s}^2") } else { s };
        let pull = 5 * c;
        let touched = region(
            &mut random,
            "b.x",
            &decimal(edge, q),
            1,
            &decimal(pull, q - 2 * r),
        );
        let text = format!(
            "entity b {{ sphere(radius = {}) mass = 1 position = ({}, 0, 0) velocity = ({}, 0, 0) }}
             force on b = ({} * {power}, 0, 0)\nforce on b = ({touched}, 0, 0)",
            decimal(1, q),
            decimal(x0, q),
            decimal(v0, q - r),
            decimal(factor, q - 2 * r),
        );
        let after = 2.0;
        let until = (at as f64 + after) * value(1, r);
        let inside = if is_touch {
            0.0
        } else {
            0.5 * pull as f64 * after * after
        };
        let expected = edge as f64 + sign as f64 * c as f64 * after.powi(order as i32) + inside;
        let found = last(&run(&text, until), "b.x") / value(1, q);
        // Where it goes through at no speed, its rounding is a good while.
        let off = if is_touch { 1e-8 } else { 1e-3 };
        let size = (x0.abs() + edge.abs()) as f64 + expected.abs();
        assert!(
            (found - expected).abs() < off * size,
            "{found} is not {expected}\nuntil {until}\n{text}"
        );
    }
}
