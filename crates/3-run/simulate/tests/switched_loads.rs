//! Loads that switch, pulse, slide or are not finite, judged by closed forms written here.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used
)]

use crate::support;

use dyverse_model::Model;
use dyverse_simulate::RunOptions;
use dyverse_trace::{StopReason, Trace};
use support::scene::Random;
use support::{close, last, model, options, run, simulate};

/// A function of time that is a straight line between breaks: as text, as itself, and its breaks.
struct Line {
    text: String,
    value: Box<dyn Fn(f64) -> f64>,
    breaks: Vec<f64>,
}

fn random_line(random: &mut Random, until: f64, time: &str) -> Line {
    let c = random.between(-5.0, 5.0);
    let d = random.between(-5.0, 5.0);
    let a = random.between(0.05, 0.9) * until;
    let b = a + 10f64.powf(random.between(-6.0, -1.0));
    let m = 0.5 * (a + b);
    let k = random.between(0.5, 6.0);
    let steps: Vec<f64> = (1..=(k * until) as usize + 1).map(|n| n as f64 / k).collect();
    let line = |text: String, value: Box<dyn Fn(f64) -> f64>, breaks: Vec<f64>| Line { text, value, breaks };
    match random.below(10) {
        0 => line(
            format!("(if {time} > {a} and {time} < {b} then {c} else {d})"),
            Box::new(move |t| if t > a && t < b { c } else { d }),
            vec![a, b],
        ),
        1 => line(
            format!(
                "(if not ({time} < {a} or {b} <= {time}) then (if {m} > {time} then {c} else {d}) else 1)"
            ),
            Box::new(move |t| {
                if t < a || t >= b {
                    1.0
                } else if t < m {
                    c
                } else {
                    d
                }
            }),
            vec![a, m, b],
        ),
        2 => line(
            format!("({c} * sign({time} - {a}))"),
            Box::new(move |t| c * (t - a).signum()),
            vec![a],
        ),
        3 => line(
            format!("({c} * floor({k} * {time}))"),
            Box::new(move |t| c * (k * t).floor()),
            steps,
        ),
        4 => line(
            format!("({c} * abs({time} - {a}))"),
            Box::new(move |t| c * (t - a).abs()),
            vec![a],
        ),
        5 => line(
            format!("({c} * min({time}, {a}) + {d} * max({time}, {b}))"),
            Box::new(move |t| c * t.min(a) + d * t.max(b)),
            vec![a, b],
        ),
        6 => line(
            format!("({c} * clamp({time}, {a}, {b}))"),
            Box::new(move |t| c * t.clamp(a, b)),
            vec![a, b],
        ),
        7 => line(
            format!("(if abs({time} - {m}) < {} then {c} else 0)", 0.5 * (b - a)),
            Box::new(move |t| if (t - m).abs() < 0.5 * (b - a) { c } else { 0.0 }),
            vec![m - 0.5 * (b - a), m + 0.5 * (b - a)],
        ),
        8 => line(
            format!("(if floor({k} * {time}) == 2 then {c} else {d})"),
            Box::new(move |t| if (k * t).floor() == 2.0 { c } else { d }),
            steps,
        ),
        _ => line(
            format!("(if ({time} - {a}) * ({time} - {b}) < 0 then {c} else 0)"),
            Box::new(move |t| if (t - a) * (t - b) < 0.0 { c } else { 0.0 }),
            vec![a, b],
        ),
    }
}

/// Position and velocity at `until` of mass 1 under a sum of lines, from rest at 0.
fn travelled(lines: &[&Line], until: f64) -> (f64, f64) {
    let mut places: Vec<f64> = lines.iter().flat_map(|l| l.breaks.clone()).collect();
    places.retain(|t| *t > 0.0 && *t < until);
    places.extend([0.0, until]);
    places.sort_by(f64::total_cmp);
    let force = |t: f64| lines.iter().map(|l| (l.value)(t)).sum::<f64>();
    let (mut x, mut v) = (0.0, 0.0);
    for ends in places.windows(2) {
        let h = ends[1] - ends[0];
        if h <= 0.0 {
            continue;
        }
        let (p, q) = (force(ends[0] + 0.25 * h), force(ends[0] + 0.75 * h));
        let (a, slope) = (1.5 * p - 0.5 * q, 2.0 * (q - p) / h);
        x += v * h + a * h * h / 2.0 + slope * h * h * h / 6.0;
        v += a * h + slope * h * h / 2.0;
    }
    (x, v)
}

/// Several bodies, one of them held by a floor, with pulse trains over time, some through inputs.
#[test]
fn loads_over_time_act_as_their_integrals() {
    let mut random = Random(11);
    for _ in 0..60 {
        let until = random.between(0.5, 3.0);
        let count = 1 + random.below(3);
        let mut text = String::from(
            "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }\ncontact default { friction = 0 }\n",
        );
        let mut lines: Vec<Vec<Line>> = Vec::new();
        for body in 0..count {
            let held = random.below(2) == 0;
            let z = if held { 0.2 } else { 50.0 };
            text += &format!(
                "entity b{body} {{ sphere(radius = 0.2) mass = 1 position = (0, {}, {z}) }}\n",
                10.0 * body as f64
            );
            if held {
                text += &format!("force on b{body} = (0, 0, -400)\n");
                // Presses less and more, and never lifts.
                let push = random_line(&mut random, until, "time");
                text += &format!("force on b{body} = (0, 0, clamp({}, -300, 300))\n", push.text);
            }
            let mut own = Vec::new();
            for part in 0..1 + random.below(3) {
                let line = random_line(&mut random, until, "time");
                if random.below(3) == 0 {
                    text += &format!("input u{body}_{part} = {}\n", line.text);
                    text += &format!("force on b{body} = (u{body}_{part}, 0, 0)\n");
                } else {
                    text += &format!("force on b{body} = ({}, 0, 0)\n", line.text);
                }
                own.push(line);
            }
            lines.push(own);
        }
        let trace = run(&text, until);
        for (body, own) in lines.iter().enumerate() {
            let (x, v) = travelled(&own.iter().collect::<Vec<_>>(), until);
            let size = 1.0 + x.abs() + v.abs();
            for (found, expected) in [
                (last(&trace, &format!("b{body}.x")), x),
                (last(&trace, &format!("b{body}.vx")), v),
            ] {
                assert!(
                    (found - expected).abs() < 1e-9 * size,
                    "{found} is not {expected}\n{text}"
                );
            }
        }
    }
}

/// A force that is constant between places: motion is parabola after parabola.
fn through_regions(
    places: &[f64],
    forces: &[f64],
    (mut x, mut v): (f64, f64),
    until: f64,
) -> Option<(f64, f64)> {
    let mut t = 0.0;
    let mut region = places.iter().filter(|p| **p < x).count();
    for _ in 0..10_000 {
        let a = forces[region];
        // The first time at which x + v s + a s²/2 reaches an end of the region.
        let mut first: Option<(f64, usize)> = None;
        let ends = [
            (region > 0).then(|| (places[region - 1], region - 1)),
            (region < places.len()).then(|| (places[region], region + 1)),
        ];
        for (place, next) in ends.into_iter().flatten() {
            let d = place - x;
            let roots: Vec<f64> = if a == 0.0 {
                vec![d / v]
            } else {
                let under = v * v + 2.0 * a * d;
                if under < 0.0 {
                    continue;
                }
                let q = v + v.signum() * under.sqrt();
                vec![-q / a, 2.0 * d / q]
            };
            for s in roots {
                // Leaving the end it starts on does not count.
                let there = x + v * s + 0.5 * a * s * s;
                if s > 1e-12
                    && s.is_finite()
                    && (there - place).abs() < 1e-9
                    && first.is_none_or(|(f, _)| s < f)
                {
                    first = Some((s, next));
                }
            }
        }
        let (s, next) = first.unwrap_or((f64::INFINITY, region));
        if t + s >= until {
            let s = until - t;
            return Some((x + v * s + 0.5 * a * s * s, v + a * s));
        }
        let speed = v + a * s;
        // Grazing: which side it goes to is a matter of rounding.
        if speed.abs() < 1e-3 {
            return None;
        }
        x = if next > region {
            places[region]
        } else {
            places[region - 1]
        };
        v = speed;
        t += s;
        region = next;
    }
    None
}

#[test]
fn regions_of_any_width_act() {
    let mut random = Random(5);
    let mut judged = 0;
    for _ in 0..150 {
        let count = 1 + random.below(4);
        let mut places: Vec<f64> = (0..count).map(|_| random.between(-3.0, 3.0)).collect();
        if random.below(2) == 0 {
            places.push(places[0] + 10f64.powf(random.between(-7.0, -2.0)));
        }
        places.sort_by(f64::total_cmp);
        let forces: Vec<f64> = (0..=places.len())
            .map(|_| {
                if random.below(4) == 0 {
                    0.0
                } else {
                    random.between(-4.0, 4.0)
                }
            })
            .collect();
        let (x, v) = (
            random.between(-4.0, 4.0),
            random.between(0.3, 2.0) * if random.below(2) == 0 { 1.0 } else { -1.0 },
        );
        let until = random.between(1.0, 8.0);
        let Some((x1, v1)) = through_regions(&places, &forces, (x, v), until) else {
            continue;
        };
        judged += 1;
        let mut force = forces[places.len()].to_string();
        for n in (0..places.len()).rev() {
            force = match random.below(3) {
                0 => format!("(if b.x < {} then {} else {force})", places[n], forces[n]),
                1 => format!(
                    "(if not (b.x - {} >= 0) then {} else {force})",
                    places[n], forces[n]
                ),
                _ => format!(
                    "(if sign(b.x - {}) > 0 then {force} else {})",
                    places[n], forces[n]
                ),
            };
        }
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 position = ({x}, 0, 0) velocity = ({v}, 0, 0) }}\nforce on b = ({force}, 0, 0)"
        );
        let trace = simulate(&model(&text), &options(until)).unwrap();
        assert!(
            trace.stop.reason.is_complete(),
            "{}\n{text}\nuntil {until}",
            trace.stop.reason
        );
        let size = 1.0 + x1.abs() + v1.abs();
        let (found_x, found_v) = (last(&trace, "b.x"), last(&trace, "b.vx"));
        assert!(
            (found_x - x1).abs() < 1e-8 * size && (found_v - v1).abs() < 1e-8 * size,
            "{found_x} {found_v} is not {x1} {v1}\n{text}\nuntil {until}"
        );
    }
    assert!(judged > 80, "{judged}");
}

/// A region |u − c| < w of place or time, written with functions that are nearly constant away from it, or whose values there are tiny.
#[test]
fn regions_that_functions_hide_act() {
    let mut random = Random(0x1e9);
    for _ in 0..150 {
        let until = 10f64.powf(random.between(-1.0, 2.0));
        let w = until * 10f64.powf(random.between(-5.0, -1.5));
        let c = random.between(0.2, 0.8) * until;
        let in_time = random.below(3) == 0;
        let u = if in_time { "time" } else { "b.x" };
        let inside = match random.below(7) {
            0 => format!("exp(-(({u} - {c:?}) / {w:?})^2) > exp(-1)"),
            1 => format!("1 / (1 + (({u} - {c:?}) / {w:?})^2) >= 0.5"),
            2 => format!("abs(atan(({u} - {c:?}) / {w:?})) < pi / 4"),
            3 => format!("(({u} - {c:?}) / {w:?})^4 < 1"),
            4 => format!("tanh((({u} - {c:?}) / {w:?})^2) < tanh(1)"),
            5 => format!("sqrt(({u} - {c:?})^2) < {w:?}"),
            _ => format!("not (ln(1e-30 + (({u} - {c:?}) / {w:?})^2) > 0)"),
        };
        // Twice as fast when it has passed.
        let force = if in_time { 0.5 / w } else { 0.75 / w };
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 velocity = (1, 0, 0) }}\nforce on b = (if {inside} then {force:?} else 0, 0, 0)"
        );
        let trace = run(&text, until);
        let found = last(&trace, "b.vx");
        assert!((found - 2.0).abs() < 1e-6, "{found}\n{text}\nuntil {until}");
    }
}

#[test]
fn smooth_pulses_are_seen_down_to_the_width_that_is_promised() {
    let mut random = Random(3);
    for _ in 0..25 {
        let until = 10f64.powf(random.between(-2.0, 3.0));
        // Half as high for 1.665 w: a 3200th of the run at the least.
        let w = until / 3200.0 / 1.665 * 10f64.powf(random.between(0.0, 1.5));
        let at = random.between(0.1, 0.9) * until;
        let size = random.between(10.0, 1000.0);
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 1) }}\nforce on b = ({size} * exp(-((time - {at}) / {w})^2), 0, 0)"
        );
        let trace = run(&text, until);
        let expected = size * w * std::f64::consts::PI.sqrt();
        let found = last(&trace, "b.vx");
        assert!(
            (found - expected).abs() < 1e-9 * (1.0 + expected),
            "{found} {expected}\n{text}"
        );
    }
    // Narrower ones with a shorter step.
    let text = "entity b { sphere(radius = 0.1) mass = 1 }\nforce on b = (1e6 * exp(-((time - 3.7) / 1e-5)^2), 0, 0)\ntolerances { max_step = 1e-3 }";
    close(
        last(&run(text, 10.0), "b.vx"),
        10.0 * std::f64::consts::PI.sqrt(),
        1e-8,
    );
}

#[test]
fn a_narrow_bump_in_space_is_seen() {
    // v² = 1 + 2 ∫ F dx
    let text = "entity b { sphere(radius = 0.1) mass = 1 position = (-5, 0, 0) velocity = (1, 0, 0) }\nforce on b = (1000 * exp(-(b.x / 0.004)^2), 0, 0)";
    let expected = (1.0 + 2.0 * 4.0 * std::f64::consts::PI.sqrt()).sqrt();
    close(last(&run(text, 10.0), "b.vx"), expected, 1e-9);
}

/// Every switch counts, and once: the run ends at the first one too many.
#[test]
fn switches_are_events() {
    let to_and_fro = "entity q { sphere(radius = 0.2) mass = 1 position = (1, 0, 0) }\nforce on q = (if q.x > 0 then -1 else 1, 0, 0)";
    let in_time = "entity q { sphere(radius = 0.2) mass = 1 }\n\
                   force on q = ((if time > 1 then 1 else 0) + (if time > 2.5 then 1 else 0), 0, 0)";
    let quarters: Vec<f64> = (0..7).map(|k| f64::from(2 * k + 1) * 2f64.sqrt()).collect();
    for (text, times) in [(to_and_fro, quarters), (in_time, vec![1.0, 2.5])] {
        for limit in 0..=times.len() {
            let limited = RunOptions {
                event_limit: limit,
                ..options(20.0)
            };
            let trace = simulate(&model(text), &limited).unwrap();
            match times.get(limit) {
                Some(t) => {
                    assert_eq!(trace.stop.reason, StopReason::EventLimit { limit }, "{text}");
                    close(trace.stop.time.t(), *t, 1e-9);
                    assert_eq!(trace.statistics.switches, limit + 1, "{text}");
                    assert_eq!(trace.samples.last().unwrap().time, trace.stop.time);
                }
                None => assert_eq!(trace.stop.reason, StopReason::HorizonReached, "{text}"),
            }
        }
    }
}

#[test]
fn a_force_that_switches_back_makes_parabolas() {
    let text = "entity q { sphere(radius = 0.2) mass = 1 position = (1, 0, 0) }\nforce on q = (if q.x > 0 then -1 else 1, 0, 0)";
    // A quarter takes √2; at t = 20 it is 14 quarters and 0.201 on.
    let trace = run(text, 20.0);
    let rest = 20.0 - 14.0 * 2f64.sqrt();
    close(last(&trace, "q.x"), -(1.0 - rest * rest / 2.0), 1e-9);
    close(last(&trace, "q.vx"), rest, 1e-9);
    assert_eq!(trace.statistics.switches, 7);
    // Begun on the surface it stays there, with sign and with if, with a weight to carry too.
    for force in [
        "if q.x > 0 then -1 else 1",
        "-sign(q.x)",
        "(if q.x < 0 then 20 else 0) - 9.81",
        "1 - 3 * floor(q.x + 1)",
    ] {
        let text = format!("entity q {{ sphere(radius = 0.2) mass = 1 }}\nforce on q = ({force}, 0, 0)");
        let trace = run(&text, 3.0);
        close(last(&trace, "q.x"), 0.0, 1e-12);
        close(last(&trace, "q.vx"), 0.0, 1e-12);
    }
}

/// A run along a surface, with its energy accounted for. The judge of traces has no motion along surfaces.
fn along(text: &str, until: f64) -> Trace {
    let trace = dyverse_simulate::simulate(&model(text), &options(until)).unwrap();
    support::check(&trace);
    trace
}

#[test]
fn motion_goes_along_surfaces() {
    // 1 − t² until x + v = 0 at √2 − 1, then x′ = −x.
    let trace = along(
        "entity q { sphere(radius = 0.2) mass = 1 position = (1, 0, 0) }\nforce on q = (-2 * sign(q.x + q.vx), 0, 0)",
        5.0,
    );
    let t1 = 2f64.sqrt() - 1.0;
    close(last(&trace, "q.x"), (1.0 - t1 * t1) * (-(5.0 - t1)).exp(), 1e-10);
    // Dry friction in two directions, and a push that breaks away at 4.5.
    let trace = along(
        "entity q { sphere(radius = 0.2) mass = 1 velocity = (1, 2, 0) }\nforce on q = (-sign(q.vx), -sign(q.vy), 0)\nforce on q = (if time > 4 then 2 * (time - 4) else 0, 0, 0)",
        6.0,
    );
    close(last(&trace, "q.vx"), 2.25, 1e-9);
    close(last(&trace, "q.y"), 2.0, 1e-9);
    // On a floor that holds it: the same.
    let trace = along(
        "entity q { sphere(radius = 0.2) mass = 1 position = (0, 0, 0.2) velocity = (1, 0, 0) }\nfixed entity f { half_space(normal = (0, 0, 1), offset = 0) }\ncontact default { friction = 0 restitution = 0 }\ngravity = (0, 0, -9.81)\nforce on q = (-sign(q.vx) + (if time > 3 then 3 else 0), 0, 0)",
        4.0,
    );
    close(last(&trace, "q.vx"), 2.0, 1e-9);
    close(last(&trace, "q.x"), 0.5 + 1.0, 1e-9);
}

#[test]
fn a_load_that_jumps_breaks_a_sticking_contact_away_and_lifts_a_body() {
    let head = "fixed entity f { half_space(normal = (0, 0, 1), offset = 0) }\ncontact default { friction = 0.5 restitution = 0 }\ngravity = (0, 0, -10)\n";
    let lifted = format!(
        "{head}entity q {{ sphere(radius = 0.2) mass = 1 position = (0, 0, 0.2) }}\nforce on q = (0, 0, if time > 1 then 12 else 0)"
    );
    close(last(&run(&lifted, 2.0), "q.z"), 0.2 + 1.0, 1e-9);
}

#[test]
fn forces_that_are_not_finite_are_named_and_nothing_panics() {
    for (load, what) in [
        (
            "force on a = (1 / a.x, 0, 0)",
            "x component of the force on `a` at t = 0",
        ),
        (
            "force on a = (0, sqrt(-1 - a.x^2), 0)",
            "y component of the force on `a` at t = 0",
        ),
        (
            "moment on a = (0, 0, ln(a.x))",
            "z component of the moment on `a` at t = 0",
        ),
        (
            "spring a, (0, 0, 0) { stiffness = 1  length = 1 }",
            "of a spring on `a`",
        ),
        ("input u = 1 / (time - 1)\nforce on a = (u, 0, 0)", "force on `a`"),
        ("force on a = (0, ln(1 - time), 0)", "force on `a`"),
        ("force on a = (1e308 * (1 + time) * 1e10, 0, 0)", "force on `a`"),
        (
            "force on a = (if a.x > 0 then 1 else 0 / a.x, 0, 0)",
            "force on `a`",
        ),
        ("force on a = (unit(a.velocity).x, 0, 0)", "force on `a`"),
        // What is decided by no number is none.
        (
            "force on a = (if sqrt(-1 - a.x^2) > 1 then 2 else 1, 0, 0)",
            "x component of the force on `a` at t = 0",
        ),
        (
            "force on a = (0, if ln(1 - time) < -1e9 then 2 else 1, 0)",
            "force on `a`",
        ),
        ("force on a = (0, 0, max(1, sqrt(0.5 - a.z)))", "force on `a`"),
        ("force on a = (1, sign(ln(0.3 - a.x)), 0)", "force on `a`"),
    ] {
        for floor in [
            "",
            "fixed entity f { half_space(normal = (0, 0, 1), offset = -1) }\n",
        ] {
            let text = format!("entity a {{ sphere(radius = 1) mass = 1 }}\n{floor}{load}");
            let trace = simulate(&model(&text), &options(2.0)).unwrap();
            let told = trace.stop.reason.to_string();
            assert!(!trace.stop.reason.is_complete(), "{text}");
            assert!(
                trace
                    .samples
                    .iter()
                    .flat_map(|s| &s.values)
                    .all(|v| v.is_finite()),
                "{text}"
            );
            if trace.stop.reason.word() == "not_finite" {
                assert!(told.contains(what), "{told}\n{text}");
            } else {
                assert_eq!(trace.stop.reason.word(), "step_too_small", "{told}\n{text}");
            }
        }
    }
}

/// Loads that switch against each other in every way: they run, or stop with a reason, in bounded effort.
#[test]
fn whatever_switches_ends() {
    let mut random = Random(17);
    let quantities = [
        "q.x",
        "q.vx",
        "q.x + q.vx",
        "q.x - q.y",
        "q.vy + 0.3 * q.y",
        "q.x * q.vx",
        "q.vx - sin(time)",
        "q.y - 0.1",
        "time - 1",
    ];
    for _ in 0..40 {
        let mut text = String::from(
            "entity q { sphere(radius = 0.2) mass = 1 position = (0.5, 0.2, 0) velocity = (0, 1, 0) }\n",
        );
        for _ in 0..1 + random.below(3) {
            let mut one = || {
                let q = quantities[random.below(quantities.len())];
                let c = random.between(-3.0, 3.0);
                match random.below(5) {
                    0 => format!("{c} * sign({q})"),
                    1 => format!("(if {q} > 0 then {c} else {})", -c),
                    2 => format!("{c} * floor(3 * ({q}))"),
                    3 => format!("{c} * abs({q})"),
                    _ => format!("{c} * min({q}, 0.1)"),
                }
            };
            text += &format!("force on q = ({}, {}, 0)\n", one(), one());
        }
        let limited = RunOptions {
            event_limit: 500,
            ..options(3.0)
        };
        // Some run away to 1e14 m in a second, which nobody follows a second time to the same place.
        let trace = dyverse_simulate::simulate(&model(&text), &limited).unwrap();
        let word = trace.stop.reason.word();
        assert!(
            matches!(
                word,
                "horizon" | "event_limit" | "switching" | "step_too_small" | "not_finite"
            ),
            "{word}: {}\n{text}",
            trace.stop.reason
        );
        assert!(
            trace
                .samples
                .iter()
                .flat_map(|s| &s.values)
                .all(|v| v.is_finite()),
            "{text}"
        );
    }
}

#[test]
fn accumulating_switches_end_at_their_limit() {
    // Twisting: every half turn is √(1/3) of the one before; at rest from a finite time on.
    let text = "entity q { sphere(radius = 0.2) mass = 1 position = (1, 0, 0) }\nforce on q = (-2 * sign(q.x) - sign(q.vx), 0, 0)";
    let trace = simulate(&model(text), &options(10.0)).unwrap();
    if trace.stop.reason.is_complete() {
        close(last(&trace, "q.x"), 0.0, 1e-6);
        close(last(&trace, "q.vx"), 0.0, 1e-5);
    } else {
        assert_eq!(trace.stop.reason.word(), "switching", "{}", trace.stop.reason);
    }
}

fn case(name: &str) -> Model {
    let path = format!(
        "{}/../../5-use/dyverse/tests/cases/run/{name}.drbt",
        env!("CARGO_MANIFEST_DIR")
    );
    model(&std::fs::read_to_string(path).unwrap())
}

#[test]
fn the_cases() {
    let until_end = |name: &str| {
        let trace = simulate(&case(name), &RunOptions::default()).unwrap();
        assert!(trace.stop.reason.is_complete(), "{name}: {}", trace.stop.reason);
        trace
    };
    close(last(&until_end("pulse_missed"), "b.vx"), 1.0, 1e-12);
    close(last(&until_end("region_missed"), "b.vx"), 5f64.sqrt(), 1e-10);
    let stiff = until_end("jump_stiff");
    let wz = |t: f64| {
        let sample = stiff.samples.iter().rfind(|s| s.time.t() <= t).unwrap();
        sample.values[stiff.signal("bar.wz").unwrap().0 as usize]
    };
    assert!(
        wz(0.35).abs() < 1e-9 && wz(0.36) > 1.0,
        "{} {}",
        wz(0.35),
        wz(0.36)
    );
    close(last(&until_end("switching_force"), "q.x"), 0.0, 1e-12);
    let stopped = simulate(&case("not_finite_at_start"), &RunOptions::default()).unwrap();
    assert_eq!(stopped.stop.time.t(), 0.0);
    assert!(
        stopped.stop.reason.to_string().contains("force on `a` at t = 0"),
        "{}",
        stopped.stop.reason
    );
}
