//! Friction in three dimensions: rolling, spinning, slip that turns, speed-dependent friction, breakaway.
//! Oracles are closed forms, or integrations with tiny steps written here.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_replay::{ReplayOptions, replay};
use dyverse_simulate::{Contacts, RunOptions};
use dyverse_trace::{Trace, TransitionKind};
use support::{check, close, last, model, options, run, simulate};

const G: f64 = 9.81;

/// A ball of radius 0.2 and mass 3 on the floor y = 0.
fn ball(state: &str, friction: &str, gravity: [f64; 3]) -> String {
    let [x, y, z] = gravity;
    format!(
        "entity ball {{ sphere(radius = 0.2) mass = 3 position = (0, 0.2, 0) {state} }}
         fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = 0 friction = {friction} }}
         gravity ({x}, {y}, {z})"
    )
}

fn at(trace: &Trace, signals: [&str; 3]) -> [f64; 3] {
    signals.map(|s| last(trace, &format!("ball.{s}")))
}

fn all_close(found: [f64; 3], expected: [f64; 3], tolerance: f64) {
    for (f, e) in found.iter().zip(expected) {
        close(*f, e, tolerance);
    }
}

/// Rolling down an incline with a velocity across it: 5/7 g sin a downhill, the velocity across is kept, the contact point is at rest.
#[test]
fn a_ball_rolls_obliquely_on_an_incline() {
    let (angle, r) = (0.4f64, 0.2);
    let (vx, vz) = (-0.7, 1.3);
    // Rolling: v = w × (0, r, 0).
    let state = format!(
        "velocity = ({vx}, 0, {vz}) angular_velocity = ({}, 0, {})",
        vz / r,
        -vx / r
    );
    let gravity = [G * angle.sin(), -G * angle.cos(), 0.0];
    let trace = run(&ball(&state, "0.5", gravity), 2.0);
    assert!(trace.transitions.is_empty(), "{:?}", trace.transitions.first());
    let a = 5.0 / 7.0 * G * angle.sin();
    all_close(at(&trace, ["vx", "vy", "vz"]), [vx + 2.0 * a, 0.0, vz], 1e-10);
    all_close(
        at(&trace, ["x", "y", "z"]),
        [2.0 * vx + 2.0 * a, r, 2.0 * vz],
        1e-10,
    );
    all_close(
        at(&trace, ["wx", "wy", "wz"]),
        [vz / r, 0.0, -(vx + 2.0 * a) / r],
        1e-9,
    );
    close(trace.balance.work_of_friction, 0.0, 1e-12);
}

/// A contact point has no moment about the normal: a ball goes on spinning, at rest or rolling.
#[test]
fn a_spinning_ball_goes_on_spinning() {
    for (vx, wz) in [(0.0, 0.0), (1.0, -5.0)] {
        let state = format!("velocity = ({vx}, 0, 0) angular_velocity = (0, 30, {wz})");
        let trace = run(&ball(&state, "0.5", [0.0, -G, 0.0]), 5.0);
        all_close(at(&trace, ["wx", "wy", "wz"]), [0.0, 30.0, wz], 1e-9);
        all_close(at(&trace, ["x", "y", "z"]), [5.0 * vx, 0.2, 0.0], 1e-9);
    }
}

/// A sliding ball with sidespin: the slip u of the contact point keeps its direction, so the path is a parabola until it rolls at
/// t = 2 |u| / (7 μ g), and a straight line from then on.
#[test]
fn a_ball_with_sidespin_curves_until_it_rolls() {
    let (mu, r) = (0.15, 0.2);
    for (v, w) in [
        ([2.0, 0.0, 0.0], [-6.0, 4.0, 3.0]),
        ([1.0, 0.0, -0.5], [8.0, 0.0, 12.0]),
        ([0.0, 0.0, 0.0], [0.0, -3.0, 20.0]),
    ] {
        // u = v + w × (0, −r, 0).
        let u = [v[0] + r * w[2], v[2] - r * w[0]];
        let size = f64::hypot(u[0], u[1]);
        let rolls = 2.0 * size / (7.0 * mu * G);
        let state = format!(
            "velocity = ({}, 0, {}) angular_velocity = ({}, {}, {})",
            v[0], v[2], w[0], w[1], w[2]
        );
        let until = rolls + 0.7;
        let trace = run(&ball(&state, &mu.to_string(), [0.0, -G, 0.0]), until);
        let event = trace.transitions.last().unwrap();
        close(event.time.t(), rolls, 1e-10);
        assert_eq!(event.to, "s_1,1");
        // v loses 2/7 of u.
        let after = [v[0] - 2.0 / 7.0 * u[0], v[2] - 2.0 / 7.0 * u[1]];
        all_close(at(&trace, ["vx", "vy", "vz"]), [after[0], 0.0, after[1]], 1e-10);
        let place = |k: usize, v: f64| {
            v * rolls - 0.5 * mu * G * u[k] / size * rolls * rolls + after[k] * (until - rolls)
        };
        all_close(
            at(&trace, ["x", "y", "z"]),
            [place(0, v[0]), r, place(1, v[2])],
            1e-9,
        );
        close(last(&trace, "ball.wy"), w[1], 1e-9);
    }
}

/// s' = −7/2 μ(s) g for the slip speed s of a ball, and v' = −μ(s) g: by Runge and Kutta with tiny steps.
fn slip_down(mu: impl Fn(f64) -> f64, slip: f64, until: f64) -> (f64, f64) {
    let steps = 200_000;
    let h = until / f64::from(steps);
    let (mut s, mut lost) = (slip, 0.0);
    for _ in 0..steps {
        let k1 = mu(s) * G;
        let k2 = mu(s - 3.5 * 0.5 * h * k1) * G;
        let k3 = mu(s - 3.5 * 0.5 * h * k2) * G;
        let k4 = mu(s - 3.5 * h * k3) * G;
        let mean = (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
        s -= 3.5 * h * mean;
        lost += h * mean;
    }
    (s, lost)
}

/// Friction that falls with speed (Stribeck) and friction that rises with it.
#[test]
fn friction_that_depends_on_speed() {
    type Law = fn(f64) -> f64;
    let laws: [(&str, Law); 3] = [
        ("0.1 + 0.2 * exp(-slip_speed / 0.5)", |s| {
            0.1 + 0.2 * (-s / 0.5).exp()
        }),
        ("0.1 + 0.05 * slip_speed", |s| 0.1 + 0.05 * s),
        ("0.3 / (1 + slip_speed^2)", |s| 0.3 / (1.0 + s * s)),
    ];
    for (text, mu) in laws {
        // Slips along (3, 4)/5 without spin.
        let state = "velocity = (1.8, 0, 2.4)";
        for until in [0.05, 0.2, 0.3] {
            let trace = run(&ball(state, text, [0.0, -G, 0.0]), until);
            let (slip, lost) = slip_down(mu, 3.0, until);
            assert!(slip > 0.0, "still slips");
            assert!(trace.transitions.is_empty());
            let v = 3.0 - lost;
            all_close(at(&trace, ["vx", "vy", "vz"]), [0.6 * v, 0.0, 0.8 * v], 1e-10);
        }
        // Whatever the law, it rolls at 5/7 of its speed in the end.
        let trace = run(&ball(state, text, [0.0, -G, 0.0]), 6.0);
        assert_eq!(trace.transitions.last().unwrap().to, "s_1,1");
        let v = 3.0 * 5.0 / 7.0;
        all_close(at(&trace, ["vx", "vy", "vz"]), [0.6 * v, 0.0, 0.8 * v], 1e-9);
    }
    // Linear friction in closed form: s = (s0 + a/b) e^(−7/2 b g t) − a/b, so slip ends at the t below.
    let (a, b) = (0.1f64, 0.05f64);
    let ends = (1.0 + 3.0 * b / a).ln() / (3.5 * b * G);
    let trace = run(
        &ball(
            "velocity = (1.8, 0, 2.4)",
            "0.1 + 0.05 * slip_speed",
            [0.0, -G, 0.0],
        ),
        6.0,
    );
    close(trace.transitions.last().unwrap().time.t(), ends, 1e-9);
}

/// u' = F(t) − μ g u/|u| for a body that does not turn, by the implicit Euler method, which has a closed form for Coulomb's law; two extrapolations
/// take its errors of first and second order away.
fn pushed(force: impl Fn(f64) -> [f64; 2], limit: f64, until: f64) -> [f64; 2] {
    let euler = |steps: u32| {
        let h = until / f64::from(steps);
        let mut u = [0.0f64; 2];
        for i in 1..=steps {
            let f = force(f64::from(i) * h);
            let free = [u[0] + h * f[0], u[1] + h * f[1]];
            let left = (1.0 - h * limit / free[0].hypot(free[1])).max(0.0);
            u = free.map(|x| x * left);
        }
        u
    };
    let (a, b, c) = (euler(200_000), euler(400_000), euler(800_000));
    [0, 1].map(|k| (8.0 * c[k] - 6.0 * b[k] + a[k]) / 3.0)
}

/// A block-like body (it cannot turn) is pushed by a force that grows and turns: it breaks away at μ m g and slips after the force.
#[test]
fn a_body_pushed_by_a_turning_force() {
    let limit = 0.4 * G;
    for (rate, until) in [
        (0.0, 1.5),
        (1.0, 1.05),
        (1.0, 1.5),
        (5.0, 1.2),
        (5.0, 3.0),
        (-3.0, 2.5),
    ] {
        let text = format!(
            "entity ball {{ sphere(radius = 0.5) mass = 2 inertia = (1e9, 1e9, 1e9) position = (0, 0.5, 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact ball, floor {{ restitution = 0 friction = 0.4 }}
             gravity (0, -{G}, 0)
             force on ball = (2 * {limit} * t * cos({rate} * t), 0, 2 * {limit} * t * sin({rate} * t))"
        );
        let trace = run(&text, until);
        let kinds: Vec<_> = trace
            .transitions
            .iter()
            .map(|t| (t.kind, t.to.as_str()))
            .collect();
        let expected = [
            (TransitionKind::Contact, "C_1,en"),
            (TransitionKind::Settle, "s_1,2"),
            (TransitionKind::Slip, "s_1,3"),
        ];
        assert_eq!(kinds, expected, "stick, trans, slip");
        close(trace.transitions[0].time.t(), 1.0, 1e-8);
        let force = |t: f64| [limit * t * (rate * t).cos(), limit * t * (rate * t).sin()];
        let [x, z] = pushed(force, limit, until);
        all_close(at(&trace, ["vx", "vy", "vz"]), [x, 0.0, z], 5e-9);
    }
}

/// A push that swings to and fro, F = 1.5 μ m g sin t: it breaks away at sin t = 2/3, slips until the impulse is used up, sticks again, and goes back.
#[test]
fn a_body_sticks_and_slips_in_turn() {
    let limit = 0.4 * G;
    let text = format!(
        "entity ball {{ sphere(radius = 0.5) mass = 2 inertia = (1e9, 1e9, 1e9) position = (0, 0.5, 0) }}
         fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = 0 friction = 0.4 }}
         gravity (0, -{G}, 0)
         force on ball = (3 * {limit} * sin(t), 0, 0)"
    );
    let trace = run(&text, 6.0);
    let begins = (2.0f64 / 3.0).asin();
    // 1.5 (cos a − cos b) = b − a.
    let left = |b: f64| 1.5 * (begins.cos() - b.cos()) - (b - begins);
    let (mut low, mut high) = (begins + 0.5, 4.0);
    assert!(left(low) > 0.0 && left(high) < 0.0);
    while high - low > 1e-14 {
        let middle = 0.5 * (low + high);
        if left(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    let events: Vec<(f64, &str)> = trace
        .transitions
        .iter()
        .filter(|t| t.kind == TransitionKind::Settle)
        .map(|t| (t.time.t(), t.to.as_str()))
        .collect();
    let pi = std::f64::consts::PI;
    let expected = [
        (begins, "s_1,2"),
        (low, "s_1,1"),
        (begins + pi, "s_1,2"),
        (low + pi, "s_1,1"),
    ];
    let expected: Vec<_> = expected.into_iter().filter(|(t, _)| *t < 6.0).collect();
    assert_eq!(events.len(), expected.len(), "{events:?}, {expected:?}");
    for ((t, to), (time, location)) in events.iter().zip(&expected) {
        close(*t, *time, 1e-8);
        assert_eq!(to, location);
    }
}

/// Friction of rest that is not the limit of friction at slow slip, however it is written: a block that does not turn sticks until m g μ(0), and slides with μ of slip from then on.
#[test]
fn friction_of_rest_has_its_own_value() {
    let mut random = support::scene::Random(0x57a7);
    for _ in 0..60 {
        let slip = random.between(0.05, 0.3);
        let rest = slip + random.between(0.05, 0.5);
        let friction = match random.below(4) {
            0 => format!("if slip_speed > 0 then {slip} else {rest}"),
            1 => format!("if slip_speed == 0 then {rest} else {slip}"),
            2 => format!("{rest} - {} * sign(slip_speed)", rest - slip),
            _ => format!("if not (slip_speed > 0) then {rest} else {slip}"),
        };
        let block = |force: String| {
            format!(
                "entity b {{ sphere(radius = 0.1) mass = 1 inertia = (1e9, 1e9, 1e9) position = (0, 0, 0.1) }}
                 fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
                 contact default {{ restitution = 0 friction = {friction} }}
                 gravity (0, 0, -{G})\nforce on b = ({force}, 0, 0)"
            )
        };
        let below = block(format!("{}", random.between(slip, rest) * G));
        // Its inertia is finite: it rolls, very slowly.
        close(last(&run(&below, 2.0), "b.vx"), 0.0, 1e-9);
        let above = random.between(1.01, 2.0) * rest * G;
        close(
            last(&run(&block(format!("{above}")), 2.0), "b.vx"),
            2.0 * (above - slip * G),
            1e-6,
        );
        // A load that grows: it breaks away at r t = μ(0) m g.
        let rate = random.between(1.0, 5.0);
        let away = rest * G / rate;
        let trace = run(&block(format!("{rate} * time")), away + 1.0);
        let expected = 0.5 * rate * ((away + 1.0).powi(2) - away * away) - slip * G;
        close(last(&trace, "b.vx"), expected, 1e-4);
    }
}

/// Friction that is constant between some speeds, as text: nested decisions, or sums of steps.
fn stairs(random: &mut support::scene::Random, edges: &[f64], levels: &[f64]) -> String {
    match random.below(4) {
        0 => {
            let mut text = format!("{}", levels[edges.len()]);
            for (edge, level) in edges.iter().zip(levels).rev() {
                text = format!("(if slip_speed < {edge} then {level} else {text})");
            }
            text
        }
        1 => {
            let mut text = format!("{}", levels[0]);
            for (edge, level) in edges.iter().zip(&levels[1..]) {
                text = format!("(if slip_speed >= {edge} then {level} else {text})");
            }
            text
        }
        2 => {
            let mut text = format!("{}", levels[0]);
            for (k, edge) in edges.iter().enumerate() {
                let step = 0.5 * (levels[k + 1] - levels[k]);
                text += &format!(" + ({step}) * (1 + sign(slip_speed - {edge}))");
            }
            // Rounding may take a friction of 0 below 0.
            format!("max({text}, 0)")
        }
        _ => {
            let mut text = format!("{}", levels[edges.len()]);
            for (edge, level) in edges.iter().zip(levels).rev() {
                text = format!("(if abs(slip_speed) - {edge} > 0 then {text} else {level})");
            }
            text
        }
    }
}

/// s and the way of a body that slides under a constant push with stairs of friction, after some time: speed after speed, along an edge where both sides drive to it.
fn slides(edges: &[f64], levels: &[f64], push: f64, (mut s, mut left): (f64, f64)) -> (f64, f64) {
    let mut way = 0.0;
    let mut band = edges.iter().filter(|e| **e < s).count();
    for _ in 0..1000 {
        let a = push - levels[band] * G;
        let target = if a < 0.0 {
            Some(if band > 0 { edges[band - 1] } else { 0.0 })
        } else {
            edges.get(band).copied().filter(|_| a > 0.0)
        };
        let lasts = target.map_or(f64::INFINITY, |e| (e - s) / a);
        if lasts >= left {
            return (s + a * left, way + s * left + 0.5 * a * left * left);
        }
        way += s * lasts + 0.5 * a * lasts * lasts;
        left -= lasts;
        s = target.unwrap();
        if s == 0.0 {
            return (0.0, way);
        }
        let next = if a < 0.0 { band - 1 } else { band + 1 };
        if (push - levels[next] * G) * a < 0.0 {
            // Filippov: it stays.
            return (s, way + s * left);
        }
        band = next;
    }
    panic!("it does not end")
}

/// Friction with jumps over the slip speed, wide and narrow: the block (it does not turn) loses or gains speed as the stairs say, and stays at a speed to which both sides drive it.
#[test]
fn friction_that_jumps_over_the_slip_speed() {
    let mut random = support::scene::Random(0x57e9);
    let (mut stays, mut stops) = (0, 0);
    for number in 0..150 {
        let count = 1 + random.below(4);
        let mut edges: Vec<f64> = (0..count).map(|_| random.between(0.1, 3.0)).collect();
        if random.below(2) == 0 {
            // Far narrower than a step.
            let narrow = edges[0] + 10f64.powf(random.between(-6.0, -2.0));
            edges.push(narrow);
        }
        edges.sort_by(f64::total_cmp);
        let levels: Vec<f64> = (0..=edges.len()).map(|_| random.between(0.05, 0.6)).collect();
        let is_pushed = random.below(2) == 0;
        let push = if is_pushed {
            random.between(0.05, 0.6) * G
        } else {
            0.0
        };
        let begin = random.between(0.05, 4.0);
        let until = random.between(0.2, 2.5);
        let angle = random.between(0.0, std::f64::consts::TAU);
        let (x, y) = (angle.cos(), angle.sin());
        let friction = stairs(&mut random, &edges, &levels);
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 inertia = (1e12, 1e12, 1e12) position = (0, 0, 0.1) velocity = ({}, {}, 0) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = {friction} }}
             gravity (0, 0, -{G})\nforce on b = ({}, {}, 0)",
            begin * x,
            begin * y,
            push * x,
            push * y
        );
        let (s, way) = slides(&edges, &levels, push, (begin, until));
        stays += usize::from(edges.contains(&s));
        stops += usize::from(s == 0.0);
        let trace = run(&text, until);
        assert!(
            trace.stop.reason.is_complete(),
            "{number}: {:?}\n{text}",
            trace.stop
        );
        // Judged apart: nothing is wrong with it, though motion along an edge cannot be judged.
        if number % 5 == 0 {
            let judged = replay(&model(&text), &trace, &ReplayOptions::default()).unwrap();
            let wrong: Vec<String> = judged.wrong.iter().map(ToString::to_string).collect();
            assert!(
                wrong.is_empty(),
                "{number}: {}\nuntil {until}\n{text}",
                wrong.join("\n")
            );
        }
        let found = last(&trace, "b.vx") * x + last(&trace, "b.vy") * y;
        let gone = last(&trace, "b.x") * x + last(&trace, "b.y") * y;
        let size = 1.0 + s + way;
        assert!(
            (found - s).abs() < 1e-8 * size,
            "{number}: {found} is not {s}\nuntil {until}\n{text}"
        );
        assert!(
            (gone - way).abs() < 1e-8 * size,
            "{number}: {gone} is not {way}\nuntil {until}\n{text}"
        );
    }
    assert!(stays > 5 && stops > 20, "{stays} {stops}");
}

/// What many contacts hold and a load that grows pulls away: a box on four corners, a bar on two ends, in any direction. Oracle: with F = r t, the force holds until r t_0 = μ N, and
/// after τ from then the speed is r τ²/(2 m); the motion begins with no acceleration, so nothing but the law itself tells where it goes. By events alone.
#[test]
fn a_load_that_grows_breaks_many_contacts_away() {
    let mut random = support::scene::Random(71);
    for round in 0..24 {
        let (mass, mu) = (random.between(0.1, 20.0), random.between(0.1, 0.8));
        let (angle, begins) = (
            random.between(0.0, std::f64::consts::TAU),
            random.between(0.2, 2.0),
        );
        let rate = mu * mass * G / begins;
        let [a, b] = [random.between(0.3, 1.0), random.between(0.3, 1.0)];
        let high = random.between(0.02, 0.1);
        let (shape, turned) = match round % 3 {
            0 => (format!("box(size = ({a}, {b}, {high}))"), ""),
            1 => (
                format!("rounded_box(size = ({a}, {b}, {high}), radius = {})", 0.2 * high),
                "",
            ),
            _ => (
                format!("capsule(radius = {}, length = {a})", 0.5 * high),
                "orientation = rotation(axis = (0, 1, 0), angle = pi / 2)",
            ),
        };
        // A bar that is pulled across rolls.
        let angle = if round % 3 == 2 { 0.0 } else { angle };
        let (s, c) = f64::sin_cos(angle);
        let text = format!(
            "entity b {{ {shape} mass = {mass} position = (0, 0, {}) {turned} }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact b, floor {{ restitution = 0 friction = {mu} }}
             gravity (0, 0, {})
             force on b = ({} * time, {} * time, 0)",
            0.5 * high,
            -G,
            rate * c,
            rate * s
        );
        let after = random.between(0.1, 1.0) * begins;
        let auto = RunOptions {
            contacts: Contacts::Auto,
            ..options(begins + after)
        };
        let trace = simulate(&model(&text), &auto).unwrap();
        check(&trace);
        assert!(trace.stepping.is_empty(), "by steps: {text}");
        let speed = 0.5 * rate * after * after / mass;
        let way = speed * after / 3.0;
        let scale = rate * after / mass;
        close(last(&trace, "b.vx"), c * speed, 1e-9 * scale.max(1.0));
        close(last(&trace, "b.vy"), s * speed, 1e-9 * scale.max(1.0));
        close(last(&trace, "b.x"), c * way, 1e-9 * scale.max(1.0));
        close(last(&trace, "b.y"), s * way, 1e-9 * scale.max(1.0));
        close(last(&trace, "b.wz"), 0.0, 1e-9);
    }
}

/// A box pushed at its middle by a force that grows, with a moment: pressure moves to its front corners until it tips. Oracle: it stands until F h + M = m g a/2, however its corners share the forces, and then turns
/// about its front edge without slipping: I φ″ = the moment that is too much, so φ′ = k τ²/(2 I) for a short time τ.
#[test]
fn a_push_that_grows_tips_a_box() {
    let mut random = support::scene::Random(72);
    for _ in 0..12 {
        let (mass, a, b, h) = (
            random.between(0.5, 20.0),
            random.between(0.1, 0.4),
            random.between(0.1, 0.4),
            random.between(0.3, 0.9),
        );
        let begins = random.between(0.5, 3.0);
        let share = random.between(0.2, 1.0);
        let rate = 0.5 * mass * G * a / begins;
        let push = share * rate / (0.5 * h);
        let tau = 0.02;
        let text = format!(
            "entity b {{ box(size = ({a}, {b}, {h})) mass = {mass} position = (0, 0, {}) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact b, floor {{ restitution = 0 friction = 2 }}
             gravity (0, 0, {})
             force on b = ({push} * time, 0, 0)
             moment on b = (0, {} * time, 0)",
            0.5 * h,
            -G,
            (1.0 - share) * rate
        );
        let auto = RunOptions {
            contacts: Contacts::Auto,
            ..options(begins + tau)
        };
        let trace = simulate(&model(&text), &auto).unwrap();
        check(&trace);
        assert!(trace.stepping.is_empty(), "by steps: {text}");
        let first = trace.transitions.first().unwrap().time.t();
        close(first, begins, 1e-6 * begins);
        let inertia = mass * (a * a + h * h) / 3.0;
        let speed = 0.5 * rate * tau * tau / inertia;
        close(last(&trace, "b.wy"), speed, 0.02 * speed);
    }
}
