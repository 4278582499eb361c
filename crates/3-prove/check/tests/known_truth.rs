//! Models whose truth is known in closed form: thresholds a little on either side of it, both verdicts.

use crate::support::read::{actors, decide_actors, decide_bodies, model};
use crate::support::verdicts::{
    assert_boundary, assert_mixed, assert_safe, assert_unsafe, bodies, modes, options,
};
use dyverse_check::{Outcome, Reason, RefineOptions};

/// A ball of radius 0.1 dropped from a height h over the floor: the n-th bounce reaches e²ⁿ h, from t = √(2h/g)(1 + 2 Σ_{k<n} eᵏ) on, for 2 eⁿ √(2h/g).
fn bouncing(h: &str, e: &str, property: &str) -> String {
    format!(
        "param h {h}
         param e {e}
         entity ball {{ sphere(radius = 0.1)  mass = 2  position = (0, 0.1 + h, 0) }}
         fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = e }}
         gravity (0, -9.81, 0)
         horizon 3
         property p: {property}"
    )
}

#[test]
fn a_ball_bounces_to_known_heights() {
    let g = 9.81_f64;
    // After n bounces; the window lies within them for all of the box, and holds the top for the largest.
    for (n, h, e) in [(1, 1.0_f64, 0.8_f64), (2, 0.7, 0.9), (3, 1.0, 0.7)] {
        let (h_range, e_range) = ((h - 0.01, h + 0.01), (e - 0.005, e + 0.005));
        let fall = |h: f64| (2.0 * h / g).sqrt();
        let begin = |h: f64, e: f64| fall(h) * (1.0 + 2.0 * (1..n).map(|k| e.powi(k)).sum::<f64>());
        let (from, to) = (
            begin(h_range.1, e_range.1),
            begin(h_range.0, e_range.0) + 2.0 * e_range.0.powi(n) * fall(h_range.0),
        );
        let window = format!("[{}, {}]", from + 1e-6, to - 1e-6);
        let ranges = (
            format!("in [{}, {}]", h_range.0, h_range.1),
            format!("in [{}, {}]", e_range.0, e_range.1),
        );
        let most = 0.1 + h_range.1 * e_range.1.powi(2 * n);
        let least = 0.1 + h_range.0 * e_range.0.powi(2 * n);
        let text = |limit: f64| {
            bouncing(
                &ranges.0,
                &ranges.1,
                &format!("always {window} ball.y <= {limit}"),
            )
        };
        assert_safe(&bodies(&text(most * 1.001)), "above the top");
        assert_unsafe(&bodies(&text(least * 0.999)), "below the top");
    }
    // Over the height alone: e² h > 0.65 beyond h = 0.65 / 0.64.
    let text = bouncing("in [0.9, 1.1]", "= 0.8", "always [0.46, 1.1] ball.y <= 0.75");
    let refined = decide_bodies(&model(&text), "p", &options(60, 1e-3)).unwrap();
    assert_boundary(&refined, 0.65 / 0.64, true, 0.2 * 4e-3);
}

#[test]
fn two_balls_exchange_what_they_must() {
    // u1 = (m1 − e m2) v / (m1 + m2), u2 = m1 (1 + e) v / (m1 + m2).
    let text = |m: &str, e: &str, property: &str| {
        format!(
            "param m {m}
             param e {e}
             entity a {{ sphere(radius = 0.5)  mass = m  position = (-2, 0, 0)  velocity = (3, 0, 0) }}
             entity b {{ sphere(radius = 0.5)  mass = 1  position = (0, 0, 0) }}
             contact a, b {{ restitution = e }}
             horizon 1
             property p: {property}"
        )
    };
    let (m, e) = ("in [0.9, 1.1]", "in [0.7, 0.8]");
    let most = 1.1 * 1.8 * 3.0 / 2.1;
    let least = 0.9 * 1.7 * 3.0 / 1.9;
    assert_safe(
        &bodies(&text(m, e, &format!("always [0, 1] b.vx <= {}", most * 1.001))),
        "fastest",
    );
    assert_unsafe(
        &bodies(&text(m, e, &format!("always [0, 1] b.vx <= {}", least * 0.999))),
        "slowest",
    );
    assert_safe(
        &bodies(&text(m, e, "always [0, 1] abs(m * a.vx + b.vx - 3 * m) <= 1e-6")),
        "momentum",
    );
    // Elastic and alike: a stops.
    assert_safe(
        &bodies(&text("= 1", "= 1", "always [0.4, 1] abs(a.vx) <= 1e-12")),
        "a stops",
    );
    // b.vx = 3 m (1 + e)/(1 + m) = 2.7 with e = 0.8: m = 1.
    let refined = bodies(&text(m, "= 0.8", "always [0, 1] b.vx <= 2.7"));
    assert_boundary(&refined, 1.0, true, 1e-3);
}

fn slider(mu: &str, v0: f64, property: &str) -> String {
    format!(
        "param mu {mu}
         entity ball {{ sphere(radius = 0.1)  mass = 1  position = (0, 0.1, 0)  velocity = ({v0}, 0, 0) }}
         fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = 0  friction = mu }}
         gravity (0, -9.81, 0)
         horizon 2
         property p: {property}"
    )
}

#[test]
fn a_ball_slides_then_rolls() {
    // It rolls from 2 v0 / (7 mu g) on, with 5/7 of its speed.
    let rolls = |mu: f64| 2.0 * 2.0 / (7.0 * mu * 9.81);
    let speed = 10.0 / 7.0;
    let mu = "in [0.1, 0.3]";
    assert_safe(
        &bodies(&slider(
            mu,
            2.0,
            &format!("always [0, 2] ball.vx >= {}", speed * 0.999),
        )),
        "rolls on",
    );
    assert_unsafe(
        &bodies(&slider(
            mu,
            2.0,
            &format!("always [0, 2] ball.vx >= {}", speed * 1.001),
        )),
        "slows",
    );
    let late = rolls(0.1) * 1.001;
    assert_safe(
        &bodies(&slider(
            mu,
            2.0,
            &format!("always [{late}, 2] ball.vx <= {}", speed * 1.0001),
        )),
        "rolls by then",
    );
    // At t = 0.3 it rolls already if mu >= 4 / (7 · 9.81 · 0.3); before, vx = 2 − mu g t.
    let at = |mu: f64| 2.0 - mu * 9.81 * 0.3;
    let limit = at(0.15);
    let refined = bodies(&slider(
        mu,
        2.0,
        &format!("always [0.3, 0.32] ball.vx <= {limit}"),
    ));
    assert_boundary(&refined, 0.15, false, 2e-3);
}

#[test]
fn a_pushed_block_breaks_away() {
    // A ball whose inertia is huge does not turn: it slides from t = mu m g / 5 on.
    let text = |mu: &str, property: &str| {
        format!(
            "param mu {mu}
             entity a {{ sphere(radius = 0.2)  mass = 1  inertia = (1e9, 1e9, 1e9)  position = (0, 0.2, 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact a, floor {{ restitution = 0  friction = mu }}
             gravity (0, -9.81, 0)
             force on a = (5 * time, 0, 0)
             horizon 1
             property p: {property}"
        )
    };
    let breaks = 0.2 * 9.81 / 5.0;
    let t = breaks * 0.999;
    assert_safe(
        &bodies(&text("in [0.2, 0.3]", &format!("always [0, {t}] a.vx <= 1e-7"))),
        "held",
    );
    // Then vx = 2.5 (t − t0)²: at t = 0.8.
    let vx = |mu: f64| 2.5 * (0.8 - mu * 9.81 / 5.0).powi(2);
    assert_safe(
        &bodies(&text(
            "in [0.2, 0.3]",
            &format!("always [0, 0.8] a.vx <= {}", vx(0.2) * 1.001),
        )),
        "slides",
    );
    let refined = bodies(&text(
        "in [0.2, 0.3]",
        &format!("always [0, 0.8] a.vx <= {}", vx(0.25)),
    ));
    assert_boundary(&refined, 0.25, false, 2e-3);
}

#[test]
fn an_oblique_impact_sticks_or_slips() {
    // Sticks if v <= 3.5 mu (1 + e) w: then the ball leaves rolling, with 5/7 v; else v − mu (1 + e) w.
    let text = |v: &str, property: &str| {
        format!(
            "param v {v}
             entity a {{ sphere(radius = 0.2)  mass = 1  position = (0, 0.7, 0)  velocity = (v, -2, 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact a, floor {{ restitution = 0.5  friction = 0.2 }}
             horizon 0.5
             property p: {property}"
        )
    };
    let change = 0.2 * 1.5 * 2.0;
    let limit = 3.5 * change;
    // Where both meet, v − change = 5/7 v.
    let after = |v: f64| if v <= limit { 5.0 / 7.0 * v } else { v - change };
    assert!((after(limit) - 5.0 / 7.0 * limit).abs() < 1e-12);
    let (low, high) = (limit - 0.3, limit + 0.3);
    let range = format!("in [{low}, {high}]");
    assert_safe(
        &bodies(&text(
            &range,
            &format!("always [0.26, 0.5] a.vx <= {}", after(high) * 1.001),
        )),
        "fastest",
    );
    assert_unsafe(
        &bodies(&text(
            &range,
            &format!("always [0.26, 0.5] a.vx <= {}", after(low) * 0.999),
        )),
        "slowest",
    );
    // Rolling: vx + 0.2 wz = 0 after it sticks; slips on else.
    let refined = bodies(&text(&range, "always [0.26, 0.5] a.vx + 0.2 * a.wz <= 1e-3"));
    assert_boundary(&refined, limit + 1e-3, true, 5e-3);
}

#[test]
fn an_oscillator_between_walls() {
    // x = v/ω sin ωt meets the wall at 0.8 with √(v² − 0.64 k), if v² > 0.64 k.
    let text = |k: &str, property: &str| {
        format!(
            "param k {k}
             entity ball {{ sphere(radius = 0.2)  mass = 1  position = (0, 0, 0)  velocity = (3, 0, 0) }}
             fixed entity left {{ half_space(normal = (1, 0, 0), offset = -1) }}
             fixed entity right {{ half_space(normal = (-1, 0, 0), offset = -1) }}
             contact default {{ restitution = 0.9 }}
             spring ball, (0, 0, 0) {{ stiffness = k }}
             horizon 1.2
             property p: {property}"
        )
    };
    let back = |k: f64| 0.9 * (9.0 - 0.64 * k).sqrt();
    // Back at the middle it is a little faster: √(0.81 (9 − 0.64 k) + 0.64 k).
    let middle = |k: f64| (back(k).powi(2) + 0.64 * k).sqrt();
    let ks = "in [0.5, 2]";
    assert_safe(
        &bodies(&text(
            ks,
            &format!("always [0, 0.7] ball.vx >= -{}", middle(2.0) * 1.001),
        )),
        "fast enough",
    );
    assert_unsafe(
        &bodies(&text(
            ks,
            &format!("always [0, 0.7] ball.vx >= -{}", middle(0.5) * 0.999),
        )),
        "too fast",
    );
    let refined = bodies(&text(ks, &format!("always [0, 0.7] ball.vx >= -{}", middle(1.0))));
    assert_boundary(&refined, 1.0, true, 1e-2);
    assert_safe(
        &bodies(&text(
            ks,
            "always [0, 1.2] (ball.x <= 0.8000001 and ball.x >= -0.8000001)",
        )),
        "inside",
    );
}

#[test]
fn a_pendulum_keeps_its_energy() {
    // q″ = −sin q from q = 0 with w: cos of the largest angle is 1 − w²/2.
    let text = |property: &str| {
        format!(
            "model pendulum
             param w in [0.9, 1.1]
             q' = v
             v' = -sin(q) init w
             horizon = 8
             record q, v
             property p: {property}"
        )
    };
    let top = |w: f64| (1.0 - w * w / 2.0).acos();
    assert_safe(
        &modes(&text(&format!("always q <= {}", top(1.1) * 1.001))),
        "highest",
    );
    assert_unsafe(
        &modes(&text(&format!("always q <= {}", top(0.9) * 0.999))),
        "lowest",
    );
    assert_boundary(
        &modes(&text(&format!("always q <= {}", top(1.0)))),
        1.0,
        true,
        1e-2,
    );
    assert_safe(
        &modes(&text("always abs(0.5 * v^2 - cos(q) - 0.5 * w^2 + 1) <= 1e-7")),
        "energy",
    );
}

#[test]
fn a_thermostat_switches_on_time() {
    // T = (o + 40) − (o + 25) exp(−0.0005 t) until 21 is reached.
    let text = |property: &str| {
        format!(
            "model thermostat
             param o in [0, 10]
             T' = heater.power - 0.0005 * (T - o) init 15
             modal heater {{
               out cont power
               initial mode on_ {{ power = 0.02  when T >= 21 goto off }}
               mode off {{ power = 0  when T <= 19 goto on_ }}
             }}
             horizon = 2000
             record T
             property p: {property}"
        )
    };
    let switch = |o: f64| 2000.0 * ((o + 25.0) / (o + 19.0)).ln();
    assert_safe(&modes(&text("always [0, 2000] T <= 21.0000001")), "never above");
    let early = switch(10.0) * 0.999;
    assert_safe(&modes(&text(&format!("always [0, {early}] T < 21"))), "not yet");
    let late = switch(0.0) * 1.001;
    assert_unsafe(
        &modes(&text(&format!("always [0, {late}] T < 20.999"))),
        "by then",
    );
    let between = switch(5.0);
    // Not off yet, then, if it is warmer later.
    let refined = modes(&text(&format!(
        "always [{between}, {}] heater.power <= 0.01",
        between + 1.0
    )));
    assert_boundary(&refined, 5.0, false, 0.1);
}

fn example(name: &str) -> String {
    let interception = include_str!("../../../../examples/interception.drbt");
    let three_balls = include_str!("../../../../examples/three_balls_002.drbt");
    if name == "interception" {
        interception
    } else {
        three_balls
    }
    .to_owned()
}

#[test]
fn three_balls_and_a_double_impact() {
    let text = example("three_balls_002");
    let refined = decide_bodies(&model(&text), "bounded", &options(50, 1e-3)).unwrap();
    assert_safe(&refined, "never above 3");
    let wide = text.replace("position = (0, 2.66, 0)", "position in ([-0.01, 0.01], 2.66, 0)");
    assert!(wide.contains("[-0.01, 0.01]"));
    let refined = decide_bodies(&model(&wide), "bounded", &options(400, 1e-3)).unwrap();
    assert_safe(&refined, "never above 3, off the middle");
    // vy1 after the impact passes 0.5 at about k = 1.388.
    let refined = decide_bodies(&model(&text), "slow", &options(60, 1e-3)).unwrap();
    assert_mixed(&refined, "slow");
    for found in &refined.boxes {
        let k = found.unknowns.sides[0];
        match found.outcome {
            Outcome::Safe(_) => assert!(k.hi() < 1.3895, "{k:?}"),
            Outcome::Unsafe { .. } => assert!(k.lo() > 1.3865, "{k:?}"),
            Outcome::Undecided(_) => assert!(k.width() < 1e-3, "{found:?}"),
        }
    }
}

#[test]
fn the_interception_game() {
    let game = |low: f64| {
        let text = example("interception").replace("param K in [1, 3]", &format!("param K in [{low}, 3]"));
        assert!(text.contains(&format!("[{low}, 3]")));
        text
    };
    for low in [2.0, 1.95] {
        let refined = decide_bodies(&model(&game(low)), "kept", &options(400, 1e-4)).unwrap();
        assert_safe(&refined, "kept");
    }
    let refined = decide_bodies(&model(&game(1.0)), "kept", &options(400, 1e-5)).unwrap();
    assert_boundary(&refined, 1.945_694_206_56, false, 1e-3);
}

#[test]
fn threads_change_nothing() {
    let text = example("interception");
    let model = model(&text);
    let with = |threads: usize| {
        let options = RefineOptions {
            threads,
            ..options(40, 1e-3)
        };
        decide_bodies(&model, "kept", &options).unwrap()
    };
    assert_eq!(with(1), with(2));
    let ball = crate::support::read::model(&bouncing(
        "in [0.9, 1.1]",
        "in [0.7, 0.9]",
        "always [0.46, 1.1] ball.y <= 0.75",
    ));
    let with = |threads: usize| {
        let options = RefineOptions {
            threads,
            ..options(30, 1e-3)
        };
        decide_bodies(&ball, "p", &options).unwrap()
    };
    assert_eq!(with(1), with(2));
}

/// What happens at once does not hide the start.
#[test]
fn the_start_is_a_moment_of_its_own() {
    let text = |limit: f64| {
        format!(
            "model jump
             param a in [0.4, 0.6]
             modal m {{
               out cont x
               initial mode one {{ x' = 0 init a  when x >= 0.1 goto two {{ x := 0 }} }}
               mode two {{ x' = 0 }}
             }}
             horizon = 1
             record m.x
             property p: always [0, 1] m.x <= {limit}"
        )
    };
    assert_safe(&modes(&text(0.61)), "never above");
    assert_unsafe(&modes(&text(0.39)), "above at the start");
    assert_boundary(&modes(&text(0.5)), 0.5, true, 1e-3);
    // A ball that touches the floor at the start and moves into it is turned back at once.
    let text = |limit: f64| {
        format!(
            "param v in [1, 2]
             entity a {{ sphere(radius = 0.5)  mass = 1  position = (0, 0.5, 0)  velocity = (0, -v, 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact a, floor {{ restitution = 0.5 }}
             horizon 0.5
             property p: always [0, 0.5] a.vy >= {limit}"
        )
    };
    assert_safe(&bodies(&text(-2.01)), "never faster");
    let refined = bodies(&text(-0.5));
    assert!(
        refined.share(|o| matches!(o, Outcome::Safe(_))) == 0.0,
        "it moves faster at the start"
    );
}

/// A sawtooth of n teeth has n transitions: as many as are allowed are followed, one fewer is a reason, and neither needs a deep stack.
#[test]
fn long_paths_end_at_their_limit_and_need_no_deep_stack() {
    let decided = |teeth: usize, depth: usize| {
        let text = format!(
            "model saw
             param a in [0.1, 0.2]
             modal m {{
               out cont x
               initial mode one {{ x' = 1 init 0  when x >= 1 goto two {{ x := 0 }} }}
               mode two {{ x' = 1  when x >= 1 goto one {{ x := 0 }} }}
             }}
             horizon = {teeth}.5
             record m.x
             property p: always [0, {teeth}.5] m.x <= 1 + a"
        );
        let mut options = options(1, 1e-3);
        options.limits.depth = depth;
        decide_actors(&actors(&text), "p", &options).unwrap()
    };
    let work = move || {
        for teeth in [3, 40, 171, 399] {
            assert_safe(&decided(teeth, teeth), "as many as there are");
            let limited = decided(teeth, teeth - 1);
            let expected = format!("more than {} transitions", teeth - 1);
            assert!(!limited.boxes.is_empty());
            for part in &limited.boxes {
                assert_eq!(part.outcome, Outcome::Undecided(Reason::Limit(expected.clone())));
            }
        }
    };
    let small = std::thread::Builder::new().stack_size(256 << 10);
    small.spawn(work).unwrap().join().unwrap();
}

/// A ball bounces off the floor at a time T that depends on its unknown height, and another at a fixed time A a little later. Truth: the speed of the first, e g T − g (t − T), is in its band at t = T + s (A − T) ± w/g,
/// between the two impacts. What is claimed of the time of a violation must meet that in the middle of its box.
#[test]
fn the_time_of_a_violation_is_one_at_which_it_is() {
    let mut seed = 53_u64;
    let mut between = |low: f64, high: f64| {
        let part = (dyverse_num::split_mix(&mut seed) >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * part
    };
    let (mut claims, mut early) = (0, 0);
    for round in 0..150 {
        let h = between(0.3, 1.5);
        let to = h * (1.0 + between(0.01, 0.2));
        let impact = |h: f64| (2.0 * h / 9.81_f64).sqrt();
        let (first, last) = (impact(h), impact(to));
        let at = last + between(0.05, 1.0) * (last - first);
        let (share, width) = (between(0.1, 0.9), 9.81 * between(0.05, 0.3) * (last - first));
        let text = format!(
            "param h in [{h:?}, {to:?}]
             entity a {{ sphere(radius = 0.1)  mass = 2  position = (-9, 0.1 + h, 0) }}
             entity c {{ sphere(radius = 0.1)  mass = 2  position = (0, {:?}, 0) }}
             fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
             contact default {{ restitution = 0.5 }}
             gravity (0, -9.81, 0)
             horizon {:?}
             let level = 9.81 * ({:?} * sqrt(2 * h / 9.81) - {:?})
             property p: never (a.vy > level - {width:?} and a.vy < level + {width:?})",
            0.1 + 0.5 * 9.81 * at * at,
            at + 0.1,
            0.5 + share,
            share * at
        );
        let refined = decide_bodies(&model(&text), "p", &options(4, 1e-3)).unwrap();
        for decided in &refined.boxes {
            match &decided.outcome {
                Outcome::Unsafe { time, .. } => {
                    claims += 1;
                    let start = impact(decided.unknowns.middle()[0]);
                    let broken = start + share * (at - start);
                    early += usize::from(broken + width / 9.81 < at);
                    let does_meet =
                        time.0 <= broken + width / 9.81 + 1e-9 && time.1 >= broken - width / 9.81 - 1e-9;
                    assert!(does_meet, "round {round}: {time:?}, broken at {broken}\n{text}");
                }
                Outcome::Safe(_) => panic!("round {round}: it is broken\n{text}"),
                Outcome::Undecided(_) => {}
            }
        }
    }
    assert!(
        claims > 60 && early > 40,
        "{claims} claims, {early} before the impact"
    );
}
