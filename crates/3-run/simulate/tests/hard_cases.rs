//! Where the laws of contact have no answer, or too many: a run says so, or resolves it, and never goes on with a wrong one.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_simulate::RunOptions;
use dyverse_trace::{StopReason, Trace};
use support::scene::Random;
use support::{check, close, last, model, options, simulate};

/// A thin rod of half length 1 (mass 1, inertia 1/3) on its lower tip, at `angle` to the floor, the tip to the right of the centre, moving to the right
/// without spin. Its tip is a sphere of radius 0.001.
fn rod(angle: f64, friction: f64, speed: f64) -> String {
    let (half, r) = (1.0, 0.001);
    // The capsule's axis z turned about y into the plane x-y: first by −angle from x.
    let turn = std::f64::consts::FRAC_PI_4;
    let lean = -0.5 * angle;
    // q = (about z by −angle) (about y by 90°).
    let (a, b) = ((lean.cos(), lean.sin()), (turn.cos(), turn.sin()));
    let q = [a.0 * b.0, -a.1 * b.1, a.0 * b.1, a.1 * b.0];
    format!(
        "entity rod {{ capsule(radius = {r}, length = {}) mass = 1 inertia = (0.3333333333333333, 0.3333333333333333, 0.001)
           position = (0, {}, 0) orientation = quaternion({}, {}, {}, {}) velocity = ({speed}, 0, 0) }}
         fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
         contact rod, floor {{ restitution = 0 friction = {friction} }}
         gravity (0, -9.81, 0)",
        2.0 * half,
        r + half * angle.sin(),
        q[0], q[1], q[2], q[3]
    )
}

fn short(text: &str) -> Trace {
    simulate(&model(text), &options(1e-3)).unwrap()
}

/// Oracle: with the tip in front, sliding has no answer iff μ > (tan² a + 4)/(3 tan a). Below, the tip slips on, and its normal force is
/// m g / (1 + 3 cos a (cos a − μ sin a)) at rest of rotation. Above, the run stops and names the contact.
#[test]
fn painleves_rod_is_refused_and_never_guessed() {
    for angle in [0.6f64, 0.9, 1.1, 1.3] {
        let tan = angle.tan();
        let critical = (tan * tan + 4.0) / (3.0 * tan);
        for factor in [0.5, 0.9, 0.99, 1.01, 1.2, 3.0] {
            let trace = short(&rod(angle, factor * critical, 5.0));
            if factor < 1.0 {
                check(&trace);
                assert!(trace.transitions.is_empty(), "slips on: {:?}", trace.transitions);
                let mu = factor * critical;
                // ddg_N = 0: N (1 + 3 cos a (cos a − μ sin a)) = m g at the start; the friction decelerates by μ N.
                let normal = 9.81 / (1.0 + 3.0 * angle.cos() * (angle.cos() - mu * angle.sin()));
                let lost = 5.0 - last(&trace, "rod.vx");
                close(
                    lost / (mu * normal * 1e-3),
                    1.0,
                    if factor > 0.95 { 0.6 } else { 0.05 },
                );
                continue;
            }
            let StopReason::NoFittingMode { contacts, detail } = &trace.stop.reason else {
                panic!(
                    "angle {angle}, {factor} of the critical friction: {}",
                    trace.stop.reason
                );
            };
            assert_eq!(contacts.len(), 1, "{contacts:?}");
            assert!(
                contacts[0].starts_with("rod") && contacts[0].ends_with("floor"),
                "{contacts:?}"
            );
            assert!(detail.contains("no mode fits"), "{detail}");
            assert_eq!(trace.stop.time.t(), 0.0);
        }
    }
}

/// A rod that strikes with little friction and slips otherwise then, where friction has no answer: the run stops between the impact and the contact node, and what the impact did is told.
#[test]
fn a_run_that_stops_inside_an_impact_keeps_its_reset() {
    let mut random = Random(5);
    for _ in 0..12 {
        let (angle, down) = (random.between(0.6, 1.3), random.between(0.05, 0.3));
        let tan = angle.tan();
        let much = random.between(1.2, 3.0) * (tan * tan + 4.0) / (3.0 * tan);
        let little = random.between(0.05, 0.2);
        let text = rod(angle, 0.0, 5.0)
            .replace(
                "friction = 0",
                &format!("friction = if abs(slip_speed - 5) < 1e-6 then {little} else {much}"),
            )
            .replace("velocity = (5, 0, 0)", &format!("velocity = (5, {}, 0)", -down));
        let trace = short(&text);
        assert!(
            matches!(trace.stop.reason, StopReason::NoFittingMode { .. }),
            "{}\n{text}",
            trace.stop.reason
        );
        let last = trace.transitions.last().unwrap();
        assert!(last.to.starts_with("I_"), "{last:?}\n{text}");
        let of = |name: &str| {
            let signal = trace.signal(name).unwrap();
            last.changes.iter().find(|c| c.signal == signal).unwrap()
        };
        assert!(last.forces.len() == 1 && last.forces[0].normal > 0.0, "{last:?}");
        // m = 1: the impulse is the change of velocity, and the trace ends with what it gives.
        close(of("rod.vy").after + down, last.forces[0].normal, 1e-9);
        close(of("rod.vy").after, support::last(&trace, "rod.vy"), 1e-12);
    }
}

/// With the tip behind, the rod is dragged, and any friction has an answer.
#[test]
fn a_dragged_rod_has_an_answer() {
    for angle in [0.6f64, 1.1] {
        let trace = short(&rod(angle, 5.0, -5.0));
        check(&trace);
        assert!(last(&trace, "rod.vx") > -5.0);
    }
}

/// The same rod begins below the critical angle and turns towards it: a run ends where the answer ends, or in an impact, but it does not pass through the
/// floor nor gain energy.
#[test]
fn a_rod_that_turns_into_the_paradox() {
    for (angle, friction) in [(0.4f64, 1.6), (0.5, 1.5), (1.35, 1.45), (1.4, 1.5)] {
        let trace = simulate(
            &model(&rod(angle, friction, 8.0)),
            &RunOptions {
                event_limit: 5000,
                ..options(0.5)
            },
        )
        .unwrap();
        if trace.stop.reason.is_complete() {
            check(&trace);
        } else {
            let word = trace.stop.reason.word();
            let honest = [
                "no_fitting_mode",
                "forces_not_found",
                "step_too_small",
                "crossing_not_isolated",
            ];
            assert!(honest.contains(&word), "{}", trace.stop.reason);
        }
        assert!(
            trace.statistics.largest_penetration <= 1e-9,
            "{:?}",
            trace.statistics
        );
        let y = trace.signal("rod.y").unwrap().0 as usize;
        assert!(trace.samples.iter().all(|s| s.values[y] > 0.0));
        let energy = |s: &dyverse_trace::Sample| {
            let at = |c: &str| s.values[trace.signal(&format!("rod.{c}")).unwrap().0 as usize];
            0.5 * (at("vx").powi(2) + at("vy").powi(2) + at("wz").powi(2) / 3.0) + 9.81 * at("y")
        };
        let first = energy(&trace.samples[0]);
        for sample in &trace.samples {
            assert!(
                energy(sample) <= first * (1.0 + 1e-9),
                "energy rose at {}",
                sample.time
            );
        }
    }
}

/// Paper 004, 5.4: two masses, the lower on the floor, e = 0, and the upper falls on it. One by one the collisions go on without end: floor and ball hand
/// the motion to each other. All at once it is resolved, and one by one it ends with both at rest or with a reason, in no time.
#[test]
fn two_masses_that_chatter_on_the_floor() {
    for policy in [
        "simultaneous",
        "sequential first",
        "sequential random(7)",
        "poisson",
    ] {
        let text = format!(
            "entity a {{ sphere(radius = 0.5) mass = 1 position = (0, 0.5, 0) }}
             entity b {{ sphere(radius = 0.5) mass = 1 position = (0, 2.5, 0) velocity = (0, -3, 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact default {{ restitution = 0 }}
             gravity (0, -9.81, 0)
             impacts {policy}"
        );
        let trace = simulate(
            &model(&text),
            &RunOptions {
                event_limit: 100_000,
                ..options(2.0)
            },
        )
        .unwrap();
        if trace.stop.reason.is_complete() {
            check(&trace);
            close(last(&trace, "a.y"), 0.5, 1e-9);
            close(last(&trace, "b.y"), 1.5, 1e-9);
            close(last(&trace, "a.vy"), 0.0, 1e-9);
            close(last(&trace, "b.vy"), 0.0, 1e-9);
        } else {
            let word = trace.stop.reason.word();
            assert!(
                ["microstep_limit", "forces_not_found"].contains(&word),
                "{policy}: {}",
                trace.stop.reason
            );
        }
        assert!(policy != "simultaneous" || trace.stop.reason.is_complete());
    }
}

/// A ball in a wedge so narrow that friction can jam it: impulses of any size cancel each other there, and must not drown the motion.
#[test]
fn a_ball_in_a_narrow_wedge() {
    for (half, e) in [(0.2f64, 0.0), (0.2, 0.3), (0.3, 0.0), (0.3, 0.5)] {
        let (c, s) = (half.cos(), half.sin());
        let text = format!(
            "entity ball {{ sphere(radius = 0.3) mass = 2 position = (0.05, 4, 0) angular_velocity = (1, 2, 3) }}
             fixed entity left {{ half_space(normal = ({c}, {s}, 0), offset = 0) }}
             fixed entity right {{ half_space(normal = (-{c}, {s}, 0), offset = 0) }}
             contact default {{ restitution = {e} friction = 0.5 }}
             gravity (0, -9.81, 0)"
        );
        let trace = simulate(
            &model(&text),
            &RunOptions {
                event_limit: 20_000,
                ..options(3.0)
            },
        )
        .unwrap();
        for transition in &trace.transitions {
            for impulse in &transition.forces {
                assert!(impulse.normal.abs() < 1e6, "{half}, {e}: {transition:?}");
            }
        }
        if trace.stop.reason.is_complete() {
            check(&trace);
        } else {
            let word = trace.stop.reason.word();
            let honest = ["forces_not_found", "crossing_not_isolated"];
            assert!(honest.contains(&word), "{half}, {e}: {}", trace.stop.reason);
        }
        let y = last(&trace, "ball.y");
        assert!(y * s >= 0.3 - 1e-9 && y < 4.0, "{half}, {e}: the ball is at {y}");
    }
}

/// What a stopped run shows last is where things were, not where they began. This ball comes into a wedge in which it can be jammed, bouncing: no
/// impulses were found for that.
#[test]
fn a_stopped_run_shows_the_state_at_its_end() {
    let text = "
        contact default { restitution = 0.3 friction = 0.4 }
        gravity (8.629339841845962, -2.026886858264182, 4.202656726134779)
        entity ball { sphere(radius = 0.3922988145571573) mass = 2.9563400441923298
          inertia = (0.1273741844386482, 0.10566097414517883, 0.1039991466634877)
          position = (-0.003181619441081758, -0.024178702581756088, -0.03717710931075098)
          orientation = quaternion(-0.4305924430017334, 0.7583304259817837, -0.4494336881501047, -0.19373815580798723)
          velocity = (1.4467436073160314, 1.1379243658560583, 0.18151232953301932)
          angular_velocity = (2.5892198799453485, 1.5133541894581084, 0.48468790230933845) }
        fixed entity front {
          plane(normal = (-0.6008837216802496, 0.19283008488447684, -0.7757288903883481), offset = -0.7186240492931228) }
        fixed entity back {
          half_space(normal = (0.15284304676819643, -0.5885390419990248, 0.7938896643095217), offset = -0.7601113634281833) }";
    let trace = simulate(&model(text), &options(0.8)).unwrap();
    assert_eq!(
        trace.stop.reason.word(),
        "forces_not_found",
        "in the middle of an instant"
    );
    let t = trace.stop.time.t();
    let sampled = trace.samples.iter().filter(|s| s.time.t() == t);
    let x = trace.signal("ball.x").unwrap().0 as usize;
    let before = trace.samples.iter().rfind(|s| s.time.t() < t).unwrap();
    for sample in sampled {
        close(sample.values[x], before.values[x], 0.02);
    }
    assert!((last(&trace, "ball.x") - trace.samples[0].values[x]).abs() > 0.2);
}

/// A ball that bounces to rest, whatever the horizon: steps that reach far beyond the floor must not blur where it is.
#[test]
fn long_horizons_do_not_blur_contacts() {
    let mut random = support::scene::Random(0x10f6);
    for round in 0..24 {
        let e: f64 = random.between(0.2, 0.9);
        let height = random.between(0.2, 3.0);
        let until = 10f64.powf(random.between(1.5, 12.0));
        let floor = random.between(-2.0, 2.0);
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 position = (0, 0, {}) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = {floor}) }}
             contact default {{ restitution = {e} friction = 0 }}\ngravity (0, 0, -9.81)",
            floor + 0.1 + height
        );
        let trace = simulate(&model(&text), &options(until)).unwrap();
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        let rest = (2.0 * height / 9.81f64).sqrt() * (1.0 + e) / (1.0 - e);
        let found = trace.transitions.last().unwrap().time.t();
        close(found, rest, 1e-6);
        close(last(&trace, "b.z"), floor + 0.1, 1e-9);
        assert!(
            trace.statistics.largest_penetration < 1e-9,
            "{round}: {}\n{text}",
            trace.statistics.largest_penetration
        );
    }
    // Elastic: after n bounces it is where the closed form says.
    for until in [1e2, 1e3, 3e3] {
        let text = "entity b { sphere(radius = 0.1) mass = 1 position = (0, 0, 1.1) }
             fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
             contact default { restitution = 1 friction = 0 }\ngravity (0, 0, -9.81)";
        let trace = simulate(&model(text), &options(until)).unwrap();
        let fall = (2.0 / 9.81f64).sqrt();
        let since = (until - fall) % (2.0 * fall);
        let expected = 0.1 + 9.81 * fall * since - 0.5 * 9.81 * since * since;
        close(last(&trace, "b.z"), expected, 1e-8 * until);
    }
}

/// Loads that are next to nothing at the start, and grow or pulse later, are ordinary ones.
#[test]
fn loads_that_begin_with_nothing_are_ordinary() {
    for start in [0.0, 1e-45, 1e-20, 1e-12, 1e-6] {
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 inertia = (1e9, 1e9, 1e9) position = (0, 0, 0.1) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = 0.3 }}
             gravity (0, 0, -({start:?} + 9.81 * time))\nforce on b = (2 * time^2, 0, 0)\nhorizon 3"
        );
        let trace = simulate(&model(&text), &options(3.0)).unwrap();
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        // It sticks until 2 t² = 0.3 · 9.81 t; then m v′ = 2 t² − 0.3 · 9.81 t.
        let away = 0.15 * 9.81;
        let speed = |t: f64| 2.0 / 3.0 * t.powi(3) - 0.15 * 9.81 * t * t;
        close(last(&trace, "b.vx"), speed(3.0) - speed(away), 1e-6);
    }
    let text = "entity b { sphere(radius = 0.1) mass = 1 }\nforce on b = (1000 * exp(-((time - 0.01) / 0.001)^2), 0, 0)\nhorizon 1";
    let trace = simulate(&model(text), &options(1.0)).unwrap();
    close(last(&trace, "b.vx"), std::f64::consts::PI.sqrt(), 1e-9);
}
