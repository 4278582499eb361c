//! Runs whose end is known in closed form [SPEC §8, METHODS 7].
#![allow(clippy::disallowed_methods)]

use crate::support;

use support::{check, close, example, impacts, last, run, simulate, with};

#[test]
fn interception_game_event_times() {
    let game = example("interception");
    let lost = simulate(&game, &with(2.0, &[("K", 1.0)])).unwrap();
    check(&lost);
    close(impacts(&lost)[0], 0.5922, 5e-5);
    close(impacts(&lost)[1], 0.9278, 5e-5);
    assert_eq!(impacts(&lost).len(), 2);
    let kept = simulate(&game, &with(2.0, &[("K", 3.0)])).unwrap();
    for (found, expected) in impacts(&kept).iter().zip([0.5740, 0.8756, 1.8090]) {
        close(*found, expected, 5e-5);
    }
    // Lost at 1.522835: ball 1 is above 0 just before and below just after.
    for (t, is_above) in [(1.522834, true), (1.522836, false)] {
        let trace = simulate(&game, &with(t, &[("K", 1.0)])).unwrap();
        assert_eq!(last(&trace, "ball1.y") > 0.0, is_above, "{t}");
    }
}

/// K* by bisection on the lowest height of ball 1, which is a smooth function of K near K*.
#[test]
fn interception_game_is_lost_below_k_star() {
    let game = example("interception");
    let is_lost = |k: f64| {
        let trace = simulate(&game, &with(2.0, &[("K", k)])).unwrap();
        // The state at t = 2 decides: ball 1 falls through y = 0 after its last impact and does not come back.
        last(&trace, "ball1.y") <= 0.0
    };
    let (mut low, mut high) = (1.5, 2.5);
    assert!(is_lost(low) && !is_lost(high));
    while high - low > 1e-11 {
        let middle = 0.5 * (low + high);
        if is_lost(middle) {
            low = middle
        } else {
            high = middle
        }
    }
    close(low, 1.94569420656, 1e-9);
}

#[test]
fn three_balls_double_impact() {
    let three = example("three_balls_002");
    for (k, time, speed) in [
        (1.0, 0.4039047847, 0.2815877175),
        (1.5, 0.3895205548, 0.5577496416),
    ] {
        let trace = simulate(&three, &with(0.75, &[("k", k)])).unwrap();
        check(&trace);
        close(impacts(&trace)[0], time, 1e-9);
        assert_eq!(impacts(&trace).len(), 1, "both contacts close together");
        close(last(&trace, "ball1.vy"), speed, 1e-9);
    }
}

#[test]
fn paper_001_path_of_locations() {
    let trace = simulate(&example("three_balls_001"), &with(3.0, &[])).unwrap();
    check(&trace);
    let path: Vec<String> = trace
        .transitions
        .iter()
        .map(|t| format!("{} {}", t.from, t.to))
        .collect();
    assert_eq!(path, ["s_1,1 I_6,en", "I_6,ex S_0"]);
}

/// Location by location: the inner steps are there, in order, and end with the same impulses.
#[test]
fn a_node_can_be_seen_from_inside() {
    let game = example("interception");
    let plain = simulate(&game, &with(0.7, &[("K", 1.0)])).unwrap();
    let shown = dyverse_simulate::RunOptions {
        show_nodes: true,
        ..with(0.7, &[("K", 1.0)])
    };
    let shown = simulate(&game, &shown).unwrap();
    let path: Vec<(String, String)> = shown
        .transitions
        .iter()
        .map(|t| (t.from.clone(), t.to.clone()))
        .collect();
    let edge = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    assert_eq!(path[0], edge("S_0", "I_1,en"));
    assert_eq!(path[1], edge("I_1,en", "I_1,1"));
    assert_eq!(path[path.len() - 2], edge("I_1,5", "I_1,ex"));
    assert_eq!(path[path.len() - 1], edge("I_1,ex", "S_0"));
    assert!(path.contains(&edge("I_1,3", "I_1,1")), "a second sweep");
    for (n, transition) in shown.transitions.iter().enumerate() {
        assert_eq!(transition.time.n() as usize, n, "one microstep each");
    }
    let inside = &shown.transitions[path.len() - 2].forces[0];
    close(inside.normal, plain.transitions[0].forces[0].normal, 1e-9);
    assert_eq!(
        shown.samples.last().unwrap().values,
        plain.samples.last().unwrap().values
    );
}

#[test]
fn collisions_on_a_line() {
    for (m1, m2, e) in [
        (1.0, 1.0, 1.0),
        (1.0, 3.0, 0.5),
        (0.2, 5.0, 0.0),
        (1e3, 1.0, 0.9),
        (1.0, 1e6, 0.7),
    ] {
        let text = format!(
            "entity a {{ sphere(radius = 0.5) mass = {m1} position = (0, 0, 0) velocity = (2, 0, 0) }}
             entity b {{ sphere(radius = 0.5) mass = {m2} position = (3, 0, 0) velocity = (-1, 0, 0) }}
             contact a, b {{ restitution = {e} }}"
        );
        let trace = run(&text, 1.0);
        // The gap of 2 closes at a rate of 3.
        close(impacts(&trace)[0], 2.0 / 3.0, 1e-14);
        let common = (2.0 * m1 - m2) / (m1 + m2);
        close(last(&trace, "a.vx"), common - m2 / (m1 + m2) * e * 3.0, 1e-12);
        close(last(&trace, "b.vx"), common + m1 / (m1 + m2) * e * 3.0, 1e-12);
    }
}

#[test]
fn bouncing_ball_comes_to_rest_in_finite_time() {
    for e in [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99] {
        let (h, g) = (1.0f64, 9.81f64);
        let rest = (2.0 * h / g).sqrt() * (1.0 + e) / (1.0 - e);
        let text = format!(
            "entity ball {{ sphere(radius = 0.1) mass = 2 position = (0, 1.1, 0) }}
             fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
             contact ball, floor {{ restitution = {e} friction = 0.3 }}
             gravity (0, -9.81, 0)"
        );
        let trace = run(&text, rest + 1.0);
        let settled = trace.transitions.last().unwrap();
        close(settled.time.t(), rest, 1e-9);
        assert_eq!(settled.to, "s_1,1", "e = {e}");
        close(last(&trace, "ball.y"), 0.1, 1e-12);
        close(last(&trace, "ball.vy"), 0.0, 1e-12);
        assert!(trace.statistics.largest_penetration <= 1e-9);
    }
}

#[test]
fn a_sliding_ball_begins_to_roll() {
    for (v, mu) in [(2.0, 0.2), (5.0, 0.05), (0.3, 0.7)] {
        let text = format!(
            "entity ball {{ sphere(radius = 0.25) mass = 3 position = (0, 0.25, 0) velocity = ({v}, 0, 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact ball, floor {{ restitution = 0 friction = {mu} }}
             gravity (0, -9.81, 0)"
        );
        let rolls = 2.0 * v / (7.0 * mu * 9.81);
        let trace = run(&text, rolls + 1.0);
        let event = trace.transitions.last().unwrap();
        close(event.time.t(), rolls, 1e-11 * (1.0 + rolls));
        assert_eq!(event.to, "s_1,1");
        close(last(&trace, "ball.vx"), 5.0 / 7.0 * v, 1e-10);
        close(last(&trace, "ball.wz"), -5.0 / 7.0 * v / 0.25, 1e-9);
        // Friction took 2/7 of the kinetic energy.
        close(trace.balance.work_of_friction, -2.0 / 7.0 * 1.5 * v * v, 1e-10);
    }
}

/// A sphere hits a plane obliquely, e_T = 0: it sticks when |dg_T| ≤ 3.5 μ (1 + e_N) |dg_N|, else it slips with impulse μ Λ_N.
#[test]
fn oblique_impact_in_both_regimes() {
    let (mu, e, vn, mass) = (0.3, 0.6, 2.0, 1.5);
    let limit = 3.5 * mu * (1.0 + e) * vn;
    for vt in [0.5 * limit, 0.99 * limit, 1.01 * limit, 3.0 * limit] {
        let text = format!(
            "entity ball {{ sphere(radius = 0.5) mass = {mass} position = (0, 1.5, 0) velocity = ({vt}, -{vn}, 0) }}
             fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
             contact ball, floor {{ restitution = {e} tangential_restitution = 0 friction = {mu} }}"
        );
        let trace = run(&text, 1.0);
        close(last(&trace, "ball.vy"), e * vn, 1e-12);
        let (vx, wz) = (last(&trace, "ball.vx"), last(&trace, "ball.wz"));
        if vt <= limit {
            close(vx, 5.0 / 7.0 * vt, 1e-12);
            close(vx + 0.5 * wz, 0.0, 1e-12);
        } else {
            close(vx, vt - mu * (1.0 + e) * vn, 1e-12);
        }
    }
}

#[test]
fn a_ball_on_an_incline_rolls_or_slides() {
    let (g, angle) = (9.81f64, 0.5f64);
    for mu in [0.3, 0.1] {
        let (gx, gy) = (g * angle.sin(), -g * angle.cos());
        let text = format!(
            "entity ball {{ sphere(radius = 0.2) mass = 1 position = (0, 0.2, 0) }}
             fixed entity slope {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact ball, slope {{ restitution = 0 friction = {mu} }}
             gravity ({gx}, {gy}, 0)"
        );
        let trace = run(&text, 2.0);
        let rolls = angle.tan() <= 3.5 * mu;
        let acceleration = if rolls { 5.0 / 7.0 * gx } else { gx + mu * gy };
        close(last(&trace, "ball.vx"), 2.0 * acceleration, 1e-10);
        close(last(&trace, "ball.x"), 2.0 * acceleration, 1e-10);
        close(last(&trace, "ball.y"), 0.2, 1e-12);
    }
}

/// A box on a plane is pulled harder and harder: it breaks away at F = μ m g.
#[test]
fn a_box_breaks_away() {
    let text = "entity box { rounded_box(size = (2, 0.4, 2), radius = 0.05) mass = 2 position = (0, 0.2, 0) }
         fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
         contact box, floor { restitution = 0 friction = 0.4 }
         gravity (0, -9.81, 0)
         force on box = (time, 0, 0)";
    let trace = run(text, 9.0);
    let limit = 0.4 * 2.0 * 9.81;
    let event = trace.transitions.first().unwrap();
    close(event.time.t(), limit, 1e-7);
    // v' = (t − μ m g)/m from then on.
    let dt = 9.0 - limit;
    close(last(&trace, "box.vx"), dt * dt / 4.0, 1e-8);
    close(last(&trace, "box.y"), 0.2, 1e-11);
}

#[test]
fn a_spinning_ball_dropped_straight() {
    let text =
        "entity ball { sphere(radius = 0.3) mass = 1 position = (0, 1.3, 0) angular_velocity = (0, 0, -7) }
         fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
         contact ball, floor { restitution = 0.5 tangential_restitution = 0 friction = 10 }
         gravity (0, -9.81, 0)";
    let trace = run(text, 0.6);
    close(last(&trace, "ball.wz"), -2.0, 1e-12);
    close(last(&trace, "ball.vx"), 2.0 * 0.3, 1e-12);
}

/// Two equal balls, elastic, no friction: the normal components are exchanged, the tangential ones kept.
#[test]
fn two_ball_oblique_elastic_collision() {
    let text = "entity a { sphere(radius = 1) mass = 1 position = (0, 0, 0) velocity = (2, 0, 0) }
         entity b { sphere(radius = 1) mass = 1 position = (5, 1, 0) }
         contact a, b { restitution = 1 }";
    let trace = run(text, 3.0);
    // They touch where the centres' difference is (√3, 1).
    let n = (3f64.sqrt() / 2.0, 0.5);
    close(impacts(&trace)[0], (5.0 - 3f64.sqrt()) / 2.0, 1e-13);
    close(last(&trace, "b.vx"), 2.0 * n.0 * n.0, 1e-12);
    close(last(&trace, "b.vy"), 2.0 * n.0 * n.1, 1e-12);
    close(last(&trace, "a.vx"), 2.0 - 2.0 * n.0 * n.0, 1e-12);
    close(last(&trace, "a.vy"), -2.0 * n.0 * n.1, 1e-12);
}

/// Mass 1 on a spring k = 1 between walls at ±0.8 (for the centre), e = 1: x = 3 sin t until it hits; then to and fro with the same period.
#[test]
fn a_sphere_on_a_spring_between_walls() {
    let between = example("between_walls");
    let trace = simulate(&between, &with(6.0, &[("e", 1.0)])).unwrap();
    check(&trace);
    let quarter = (0.8f64 / 3.0).asin();
    for (n, found) in impacts(&trace).iter().enumerate() {
        close(*found, (2 * n + 1) as f64 * quarter, 1e-10);
    }
    assert_eq!(impacts(&trace).len(), ((6.0 / quarter + 1.0) / 2.0) as usize);
}

#[test]
fn three_balls_in_a_row_all_at_once_and_one_by_one() {
    for (policy, expected) in [
        ("simultaneous", [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
        ("sequential first", [0.0, 0.0, 1.0]),
    ] {
        let text = format!(
            "entity a {{ sphere(radius = 0.5) mass = 1 position = (-2, 0, 0) velocity = (1, 0, 0) }}
             entity b {{ sphere(radius = 0.5) mass = 1 position = (0, 0, 0) }}
             entity c {{ sphere(radius = 0.5) mass = 1 position = (1, 0, 0) }}
             contact default {{ restitution = 1 }}
             impacts {policy}"
        );
        let trace = run(&text, 2.0);
        for (ball, v) in ["a", "b", "c"].iter().zip(expected) {
            close(last(&trace, &format!("{ball}.vx")), v, 1e-12);
        }
    }
}

#[test]
fn newtons_cradle_sends_one_out() {
    let trace = simulate(&example("newtons_cradle"), &with(1.0, &[])).unwrap();
    check(&trace);
    for (ball, v) in [(1, 0.0), (2, 0.0), (3, 0.0), (4, 0.0), (5, 1.0)] {
        close(last(&trace, &format!("ball{ball}.vx")), v, 1e-12);
    }
}

/// Free rotation about the intermediate axis: energy and angular momentum are kept, and the axis flips over and over with the period of the
/// elliptic integral: T = 4 K(k²) / sqrt((I3 − I2)(L² − 2 E I1) / (I1 I2 I3)) between returns.
#[test]
fn a_free_ellipsoid_tumbles() {
    let text = "entity top { ellipsoid(semi_axes = (3, 2, 1)) mass = 5 angular_velocity = (0.01, 1, 0) }
         entity far { sphere(radius = 1) mass = 1 position = (1000, 0, 0) }
         contact default { restitution = 1 }";
    let trace = run(text, 1000.0);
    let (i1, i2, i3) = (
        5.0 / 5.0 * (4.0 + 1.0),
        5.0 / 5.0 * (9.0 + 1.0),
        5.0 / 5.0 * (9.0 + 4.0),
    );
    let (w1, w2) = (0.01f64, 1.0f64);
    let energy2 = i1 * w1 * w1 + i2 * w2 * w2;
    let l2 = i1 * i1 * w1 * w1 + i2 * i2 * w2 * w2;
    close(trace.balance.kinetic_at_end, 0.5 * energy2, 1e-11 * energy2);
    // Angular momentum in the world frame at the end.
    let q = |c: &str| last(&trace, &format!("top.{c}"));
    let turn = dyverse_num::Quaternion {
        w: q("qw"),
        x: q("qx"),
        y: q("qy"),
        z: q("qz"),
    };
    let w = dyverse_num::Vec3::new(q("wx"), q("wy"), q("wz"));
    let own = turn.rotate_back(&w);
    let l = turn.rotate(&dyverse_num::Vec3::new(i1 * own.x, i2 * own.y, i3 * own.z));
    close(l.x, i1 * w1, 1e-9);
    close(l.y, i2 * w2, 1e-9);
    close(l.z, 0.0, 1e-9);
    // Flips: the angular velocity about the intermediate axis changes sign twice a period.
    let rate = ((i3 - i2) * (l2 - energy2 * i1) / (i1 * i2 * i3)).sqrt();
    let k2 = (i2 - i1) * (energy2 * i3 - l2) / ((i3 - i2) * (l2 - energy2 * i1));
    let (rate, k2) = if k2 <= 1.0 {
        (rate, k2)
    } else {
        (
            ((i2 - i1) * (energy2 * i3 - l2) / (i1 * i2 * i3)).sqrt(),
            1.0 / k2,
        )
    };
    let (mut a, mut b) = (1.0f64, (1.0 - k2).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let quarter = std::f64::consts::PI / (2.0 * a) / rate;
    let signs: Vec<(f64, f64)> = trace
        .samples
        .iter()
        .map(|s| {
            let at = |c: &str| s.values[trace.signal(&format!("top.{c}")).unwrap().0 as usize];
            let turn = dyverse_num::Quaternion {
                w: at("qw"),
                x: at("qx"),
                y: at("qy"),
                z: at("qz"),
            };
            let own = turn.rotate_back(&dyverse_num::Vec3::new(at("wx"), at("wy"), at("wz")));
            (s.time.t(), own.y)
        })
        .collect();
    let flips = signs.windows(2).filter(|p| p[0].1 * p[1].1 < 0.0).count();
    let expected = ((1000.0 - quarter) / (2.0 * quarter)) as usize + 1;
    assert!(
        flips.abs_diff(expected) <= 1,
        "{flips} flips, {expected} expected"
    );
}

/// An impact that closed form puts at the horizon is part of the run, whatever rounding makes of either: a ball between two walls at speed v reaches the n-th at
/// (d + (n − 1) w)/v. A microsecond (times the scale) later it is not.
#[test]
fn an_impact_at_the_horizon_is_part_of_the_run() {
    let mut seed = 29;
    for number in 0..300 {
        let mut share = || (dyverse_num::split_mix(&mut seed) >> 11) as f64 / (1u64 << 53) as f64;
        // Decimals, as people write them: most are no doubles.
        let (speed, right, left) = (
            (1.0 + 40.0 * share()).round() / 10.0,
            (1.0 + 30.0 * share()).round() / 10.0,
            (1.0 + 30.0 * share()).round() / 10.0,
        );
        let bounces = (5.0 * share()).floor();
        let is_dropped = number % 3 == 0;
        let (text, until, after) = if is_dropped {
            // From h = g T²/2 it falls for T.
            let fall = (1.0 + 30.0 * share()).round() / 20.0;
            let text = format!(
                "fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}\n\
                 entity a {{ sphere(radius = 0.1) mass = 2 position = (0, {} + 0.1, 0) }}\n\
                 gravity (0, -9.81, 0)\ncontact default {{ restitution = 0.5 friction = 0 }}",
                0.5 * 9.81 * fall * fall
            );
            (text, fall, ("a.vy", 0.5 * 9.81 * fall))
        } else {
            let text = format!(
                "fixed entity r {{ plane(normal = (-1, 0, 0), offset = -({right} + 0.1)) }}\n\
                 fixed entity l {{ plane(normal = (1, 0, 0), offset = -{left} - 0.1) }}\n\
                 entity a {{ sphere(radius = 0.1) mass = 2 velocity = ({speed}, 0, 0) }}\n\
                 contact default {{ restitution = 1 friction = 0 }}"
            );
            let until = (right + bounces * (right + left)) / speed;
            let sign = if bounces % 2.0 == 0.0 { -1.0 } else { 1.0 };
            (text, until, ("a.vx", sign * speed))
        };
        let trace = run(&text, until);
        let told = format!("{text}\nuntil {until}");
        let expected = if is_dropped { 1 } else { bounces as usize + 1 };
        assert_eq!(impacts(&trace).len(), expected, "{told}");
        assert!(trace.stop.time.t() == until && impacts(&trace).iter().all(|t| *t <= until));
        close(last(&trace, after.0), after.1, 1e-6);
        let before = run(&text, until - 1e-6);
        assert_eq!(impacts(&before).len(), expected - 1, "{told}");
    }
}

/// `sequential first` takes the first closing contact of the contact list, which is that of the declarations, wherever the balls lie and however rounding has it: a row of touching balls,
/// declared in any order, beside collisions computed here one by one.
#[test]
fn sequential_first_follows_the_contact_list() {
    let mut seed = 77;
    for _ in 0..200 {
        let mut draw = |count: u64| dyverse_num::split_mix(&mut seed) % count;
        let count = 3 + draw(2) as usize;
        let mut order: Vec<usize> = (0..count).collect();
        (1..count)
            .rev()
            .for_each(|i| order.swap(i, draw(i as u64 + 1) as usize));
        let tenths = |n: u64| n as f64 / 10.0;
        let radii: Vec<f64> = (0..count).map(|_| tenths(1 + draw(3))).collect();
        let mut x = vec![-tenths(draw(20))];
        (1..count).for_each(|i| x.push(x[i - 1] + radii[i - 1] + radii[i]));
        let masses: Vec<f64> = (0..count).map(|_| tenths(5 + draw(20))).collect();
        let mut v: Vec<f64> = (0..count).map(|_| tenths(draw(40)) - 2.0).collect();
        let restitution = [0.5, 0.8, 1.0][draw(3) as usize];
        let mut text = format!(
            "impacts sequential first\ncontact default {{ restitution = {restitution} friction = 0 }}\n"
        );
        for (number, i) in order.iter().enumerate() {
            text += &format!(
                "entity b{i} {{ sphere(radius = {}) mass = {} position = ({}, 0, 0) velocity = ({}, 0, 0) }}\n",
                radii[*i], masses[*i], x[*i], v[*i]
            );
            if number == 1 {
                text += "fixed entity far { plane(normal = (1, 0, 0), offset = -50) }\n";
            }
        }
        let place = |ball: usize| order.iter().position(|o| *o == ball).unwrap();
        let mut list: Vec<usize> = (1..count).collect();
        list.sort_by_key(|i| {
            let (a, b) = (place(i - 1), place(*i));
            (a.min(b), a.max(b))
        });
        let mut collisions = 0;
        // An impact node has the contacts that do not open when it is entered; others come in one of their own after it.
        while list.iter().any(|i| v[i - 1] - v[*i] > 1e-9) {
            let node: Vec<usize> = list
                .iter()
                .copied()
                .filter(|i| v[i - 1] - v[*i] > -1e-9)
                .collect();
            while let Some(i) = node.iter().find(|i| v[*i - 1] - v[**i] > 1e-9) {
                let closing = v[i - 1] - v[*i];
                let impulse = (1.0 + restitution) * closing / (1.0 / masses[i - 1] + 1.0 / masses[*i]);
                v[i - 1] -= impulse / masses[i - 1];
                v[*i] += impulse / masses[*i];
                collisions += 1;
            }
        }
        // Where one may follow a long while after, it is another instant or a bounce too low to follow.
        if collisions > 12 {
            continue;
        }
        let trace = run(&text, 1e-7);
        for (i, expected) in v.iter().enumerate() {
            let found = last(&trace, &format!("b{i}.vx"));
            assert!(
                (found - expected).abs() < 1e-7,
                "b{i}.vx is {found}, not {expected}:\n{text}"
            );
        }
    }
}
