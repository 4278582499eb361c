//! Boxes with sharp edges on planes and on each other, against closed forms; their traces are judged by code that shares nothing with the run.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_model::{ContactQuantity, EntityId, Symbol};
use dyverse_num::{Quaternion, Vec3};
use dyverse_simulate::{Contacts, Moment, Observer, RunOptions};
use dyverse_trace::Trace;
use support::scene::Random;
use support::{check, close, impacts, last, model, options, refused, simulate};

const G: f64 = 9.81;
pub(crate) const LAWS: &str = "gravity (0, 0, -9.81)\n";

/// Two floors at height zero: the solid below a plane, and the top of a box.
pub(crate) const FLOORS: [&str; 2] = [
    "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }\n",
    "fixed entity floor { box(size = (20, 20, 2)) position = (0, 0, -1) }\n",
];

/// A run that reaches its horizon and is accepted.
pub(crate) fn judged(text: &str, until: f64) -> Trace {
    let (model, options) = (model(text), options(until));
    let trace = simulate(&model, &options).unwrap();
    check(&trace);
    assert_eq!(refused(&model, &options, &trace), None, "{text}");
    trace
}

fn kinetic_at_end(trace: &Trace) -> f64 {
    trace.balance.kinetic_at_end
}

pub(crate) fn values_at(trace: &Trace, t: f64, signal: &str) -> Vec<f64> {
    let id = trace.signal(signal).unwrap().0 as usize;
    let samples = trace.samples.iter().filter(|s| s.time.t() == t);
    samples.map(|s| s.values[id]).collect()
}

/// Thrown boxes come to rest on a face: no energy is left, and the centre is half of one of their sizes above the floor.
#[test]
fn thrown_boxes_come_to_rest_on_a_face() {
    let mut random = Random(401);
    for case in 0..10 {
        let mut size = || random.between(0.2, 1.0);
        let sizes = [size(), size(), size()];
        let mut some = |far: f64| random.between(-far, far);
        let text = format!(
            "{} entity b {{ box(size = ({}, {}, {})) mass = 1 position = (0, 0, 1.2) velocity = ({}, {}, {})
                angular_velocity = ({}, {}, {}) orientation = rotation(axis = ({}, {}, 1), angle = {}) }}
             contact default {{ restitution = 0.2 friction = 0.5 }} {LAWS}",
            FLOORS[case % 2],
            sizes[0],
            sizes[1],
            sizes[2],
            some(1.0),
            some(1.0),
            some(1.0),
            some(3.0),
            some(3.0),
            some(3.0),
            some(1.0),
            some(1.0),
            some(3.0),
        );
        let trace = judged(&text, 6.0);
        assert!(kinetic_at_end(&trace) < 1e-18, "{text}");
        let z = last(&trace, "b.z");
        let off = sizes.iter().map(|s| (z - 0.5 * s).abs()).fold(1.0, f64::min);
        assert!(off < 1e-9, "{z} {sizes:?} {text}");
    }
}

/// Towers of equal boxes with their corners exactly above each other, dropped onto each other, and with bricks turned or shifted: each box comes to rest on the one below.
#[test]
fn towers_come_to_rest() {
    let stacked = [(0.0, 0.0), (0.3, 0.1), (std::f64::consts::FRAC_PI_2, 0.0)];
    for (floor, levels) in FLOORS.into_iter().zip([2, 3]) {
        for (turn, shift) in stacked {
            let boxes: String = (0..levels)
                .map(|n| {
                    let level = f64::from(n);
                    format!(
                        "entity b{n} {{ box(size = (1, 1, 0.5)) mass = {} position = ({}, 0, {})
                            orientation = rotation(axis = (0, 0, 1), angle = {}) }}\n",
                        1.0 + 0.3 * level,
                        shift * (level % 2.0),
                        0.25 + 0.55 * level,
                        turn * level
                    )
                })
                .collect();
            let text = format!("{floor}{boxes} contact default {{ restitution = 0 friction = 0.5 }} {LAWS}");
            let trace = judged(&text, 1.0);
            assert!(kinetic_at_end(&trace) < 1e-18);
            for n in 0..levels {
                close(last(&trace, &format!("b{n}.z")), 0.25 + 0.5 * f64::from(n), 1e-9);
                close(last(&trace, &format!("b{n}.x")), shift * f64::from(n % 2), 1e-9);
            }
        }
    }
}

/// A plank across the edge of a table stays while its centre is over the table, and tips with m g d/(I + m (b² + d²)) when it is beyond by d: of that of a plane's edge, the same.
#[test]
fn an_overhang_stays_or_tips() {
    for (x, turn) in [
        (-0.2_f64, 0.0_f64),
        (-1e-3, 0.0),
        (-0.05, 0.4),
        (1e-3, 0.0),
        (0.1, 0.0),
        (0.05, 0.3),
    ] {
        let (long, wide, high) = (1.0_f64, 0.3_f64, 0.1_f64);
        let text = format!(
            "fixed entity table {{ box(size = (2, 2, 1)) position = (-1, 0, -0.5) }}
             entity b {{ box(size = ({long}, {wide}, {high})) mass = 2 position = ({x}, 0, {})
                orientation = rotation(axis = (0, 0, 1), angle = {turn}) }}
             contact default {{ restitution = 0 friction = 5 }} {LAWS}",
            0.5 * high
        );
        let until = 0.02;
        let trace = judged(&text, until);
        if x < 0.0 {
            close(last(&trace, "b.z"), 0.5 * high, 1e-12);
            assert!(kinetic_at_end(&trace) < 1e-20);
            continue;
        }
        // About the edge, along y; the plank is turned by `turn` about z.
        let (c, s) = (turn.cos(), turn.sin());
        let about_x = (wide * wide + high * high) / 12.0;
        let about_y = (long * long + high * high) / 12.0;
        let inertia = about_x * s * s + about_y * c * c + 0.25 * high * high + x * x;
        if turn == 0.0 {
            close(
                last(&trace, "b.wy"),
                G * x / inertia * until,
                1e-5 + 0.1 * x * until,
            );
        }
        assert!(last(&trace, "b.wy") > 0.0 && last(&trace, "b.z") < 0.5 * high);
    }
}

/// A block that rocks onto its other corner without a rebound: ω⁺/ω⁻ = 1 − 3/2 sin² α, on a plane and on a box, in line with it and turned.
#[test]
fn a_rocking_block_keeps_its_angular_momentum() {
    let mut random = Random(402);
    for case in 0..8 {
        let a = random.between(0.1, 0.5);
        let b = a * random.between(1.5, 4.0);
        let tilt = random.between(0.02, 0.1);
        let height = b * tilt.cos() + a * tilt.sin();
        let text = format!(
            "{} entity b {{ box(size = ({}, 0.5, {})) density = 3 position = (0, 0, {height}) orientation = rotation(axis = (0, 1, 0), angle = {tilt}) }}
             contact default {{ restitution = 0 friction = 8 }} {LAWS}",
            FLOORS[case % 2],
            2.0 * a,
            2.0 * b
        );
        let trace = judged(&text, 1.0);
        let at = values_at(&trace, impacts(&trace)[0], "b.wy");
        let sine = a / a.hypot(b);
        close(at[at.len() - 1] / at[0], 1.0 - 1.5 * sine * sine, 1e-9);
    }
}

/// On an incline a block of sizes 2a, 2b rests if tan θ < μ and a/b, slides if μ < a/b, tips if a/b < μ: at thresholds told apart by a hundredth. Pushed at its top it tips if F 2b > m g a and F < μ m g.
#[test]
fn a_block_tips_or_slides_at_its_threshold() {
    let (a, b) = (0.2, 0.5);
    for floor in FLOORS {
        for (tangent, friction, x, turns) in [
            (0.99 * a / b, 1.0, false, false),
            (1.01 * a / b, 1.0, false, true),
            (0.29, 0.3, false, false),
            (0.31, 0.3, true, false),
        ] {
            let theta = f64::atan(tangent);
            let text = format!(
                "{floor} entity b {{ box(size = ({}, 0.6, {})) mass = 1 position = (0, 0, {b}) }}
                 contact default {{ restitution = 0 friction = {friction} }} gravity ({}, 0, {})",
                2.0 * a,
                2.0 * b,
                G * theta.sin(),
                -G * theta.cos()
            );
            let until = 0.1;
            let trace = judged(&text, until);
            let slid = if x {
                0.5 * G * (theta.sin() - friction * theta.cos()) * until * until
            } else {
                0.0
            };
            if turns {
                assert!(last(&trace, "b.wy") > 1e-4);
            } else {
                close(last(&trace, "b.wy"), 0.0, 1e-12);
                close(last(&trace, "b.x"), slid, 1e-12);
            }
        }
        for (part, turns) in [(0.99, false), (1.01, true)] {
            let push = part * G * a / (2.0 * b);
            let text = format!(
                "{floor} entity b {{ box(size = ({}, 0.6, {})) mass = 1 position = (0, 0, {b}) }}
                 contact default {{ restitution = 0 friction = 0.9 }} {LAWS} force on b at (0, 0, {b}) = ({push}, 0, 0)",
                2.0 * a,
                2.0 * b
            );
            let trace = judged(&text, 0.1);
            assert_eq!(last(&trace, "b.wy") > 1e-5, turns);
        }
    }
}

/// A box that slides off a table: until its centre is beyond the edge it moves as on a plane. A rounded box with a small radius moves as it does, the more so the smaller the radius.
#[test]
fn rounded_boxes_come_to_be_sharp_as_their_radius_falls() {
    let run = |shape: &str, until: f64| {
        let text = format!(
            "fixed entity table {{ box(size = (2, 2, 1)) position = (-1, 0, -0.5) }}
             entity b {{ {shape} mass = 1 inertia = (0.01, 0.01, 0.01) position = (-0.3, 0, 0.1) velocity = (1.5, 0, 0) angular_velocity = (0, 0, 0.2) }}
             contact default {{ restitution = 0 friction = 0.2 }} {LAWS}"
        );
        let trace = judged(&text, until);
        ["b.x", "b.z", "b.wy"].map(|signal| last(&trace, signal))
    };
    let until = 0.32;
    let sharp = run("box(size = (0.3, 0.2, 0.2))", until);
    assert!(sharp[2] > 0.1, "{sharp:?}");
    let mut before = f64::INFINITY;
    for radius in [1e-2, 1e-3, 1e-4] {
        let rounded = run(
            &format!("rounded_box(size = (0.3, 0.2, 0.2), radius = {radius})"),
            until,
        );
        let off = (0..3).map(|n| (rounded[n] - sharp[n]).abs()).fold(0.0, f64::max);
        assert!(off < 60.0 * radius, "{radius}: {rounded:?} {sharp:?}");
        assert!(off < before);
        before = off;
    }
}

/// The first touch of a sharp box with balls, capsules, rounded boxes and ellipsoids is when their gap is zero, by hand; Newton's law holds for head-on impacts.
#[test]
fn sharp_boxes_strike_what_is_round() {
    for (shape, reach) in [
        ("sphere(0.2)", 0.2),
        ("capsule(radius = 0.1, length = 0.4)", 0.3),
        ("rounded_box(size = (0.3, 0.3, 0.5), radius = 0.05)", 0.25),
        ("ellipsoid(semi_axes = (0.3, 0.2, 0.25))", 0.25),
        ("box(size = (0.3, 0.3, 0.5))", 0.25),
    ] {
        let text = format!(
            "entity a {{ box(size = (1, 0.8, 0.6)) mass = 2 position = (0, 0, 0) }}
             entity b {{ {shape} mass = 1 position = (0, 0, 2) velocity = (0, 0, -1) }}
             contact default {{ restitution = 0.5 friction = 0 }}"
        );
        let model = model(&text);
        let trace = simulate(
            &model,
            &RunOptions {
                until: Some(3.0),
                ..options(3.0)
            },
        )
        .unwrap();
        check(&trace);
        assert_eq!(refused(&model, &options(3.0), &trace), None);
        close(impacts(&trace)[0], 2.0 - 0.3 - reach, 1e-9);
        close(last(&trace, "a.vz"), -0.5, 1e-9);
        close(last(&trace, "b.vz"), 0.0, 1e-9);
    }
}

/// A box that falls into a hole made of four, one that leans on the edge of a wall, one that strikes another with its corner: all come to rest by events alone, and are accepted.
#[test]
fn scenes_of_sharp_boxes() {
    let hole = "fixed entity frame { box(size = (1, 0.2, 0.2), at = (0, 0.4, 0.3)) box(size = (1, 0.2, 0.2), at = (0, -0.4, 0.3))
            box(size = (0.2, 0.6, 0.2), at = (0.4, 0, 0.3)) box(size = (0.2, 0.6, 0.2), at = (-0.4, 0, 0.3)) }
        entity b { box(size = (0.4, 0.4, 0.4)) mass = 1 position = (0.05, 0.12, 1) angular_velocity = (0, 0.3, 0.2) }\n";
    let ladder = "fixed entity wall { box(size = (0.5, 2, 2)) position = (-0.25, 0, 1) }
        entity l { box(size = (0.1, 0.3, 1.5)) mass = 1 position = (0.5, 0, 0.7) orientation = rotation(axis = (0, 1, 0), angle = -0.6) }\n";
    let pushed =
        "entity a { box(size = (0.4, 0.4, 0.4)) mass = 1 position = (0, 0, 0.2) velocity = (3, 0, 0) }
        entity b { box(size = (0.4, 0.4, 0.4)) mass = 1 position = (1, 0.25, 0.2) }\n";
    for (name, scene, until) in [
        ("hole", hole, 0.8),
        ("ladder", ladder, 0.6),
        ("pushed", pushed, 1.0),
    ] {
        let text = format!(
            "{}{scene} contact default {{ restitution = 0.1 friction = 0.4 }} {LAWS}",
            FLOORS[0]
        );
        let (model, options) = (model(&text), options(until));
        let trace = simulate(&model, &options).unwrap();
        check(&trace);
        let balance = &trace.balance;
        assert!(trace.stepping.is_empty());
        assert!(balance.kinetic_at_end < 1e-9, "{name}: {balance:?}");
        assert_eq!(refused(&model, &options, &trace), None, "{name}");
    }
}

/// In steps sharp edges are a little round: what lies flat lies as it does by events, and how deep edges may lie in each other is told.
#[test]
fn steps_round_sharp_edges_and_tell_it() {
    let thing = "entity b { box(size = (0.4, 0.4, 0.4)) mass = 1 position = (0, 0, 0.3) }";
    let asked = RunOptions {
        contacts: dyverse_simulate::Contacts::Stepping,
        ..options(0.5)
    };
    for (floor, depth) in [(FLOORS[0], 0.0), (FLOORS[1], 1e-5)] {
        let text = format!("{floor}{thing} contact default {{ restitution = 0 friction = 0.5 }} {LAWS}");
        let trace = simulate(&model(&text), &asked).unwrap();
        close(last(&trace, "b.z"), 0.2, 1e-6);
        assert!(trace.stepping[0].penetration >= depth, "{:?}", trace.stepping);
    }
}

/// Dominoes, a thrown box on a tower, a box dropped askew on another: where events fail or come too densely steps go on, and all comes to its end without more energy than it had.
#[test]
fn where_events_of_sharp_edges_fail_steps_go_on() {
    let domino = |n: usize| {
        let x = 0.06 * n as f64;
        format!("entity d{n} {{ box(size = (0.02, 0.06, 0.12)) mass = 0.3 position = ({x}, 0, 0.06) }}\n")
    };
    let dominoes: String = (0..4).map(domino).collect();
    let ball =
        "entity s { sphere(radius = 0.03) mass = 0.3 position = (-0.06, 0, 0.1) velocity = (1, 0, 0) }";
    let tower: String = (0..2)
        .map(|n| {
            let z = 0.1 + 0.2 * f64::from(n);
            format!("entity b{n} {{ box(size = (0.2, 0.2, 0.2)) mass = 1 position = (0, 0, {z}) }}\n")
        })
        .collect();
    let thrown = "entity t { box(size = (0.1, 0.2, 0.1)) mass = 1 position = (-0.6, 0.01, 0.3) velocity = (3, 0, 1) angular_velocity = (2, 1, 3) }";
    let dropped = "entity a { box(size = (0.2, 0.2, 0.1)) mass = 1 position = (0, 0, 0.05) }
        entity b { box(size = (0.2, 0.1, 0.1)) mass = 1 position = (0.03, 0.01, 0.4) orientation = rotation(axis = (1, 1, 0), angle = 0.3) }";
    let mut stepped = 0;
    for text in [dominoes + ball, tower + thrown, dropped.to_owned()] {
        let text = format!(
            "{text} {} contact default {{ restitution = 0.3 friction = 0.5 }} {LAWS}",
            FLOORS[0]
        );
        let asked = RunOptions {
            contacts: dyverse_simulate::Contacts::Auto,
            ..options(1.5)
        };
        let trace = dyverse_simulate::simulate(&model(&text), &asked).unwrap();
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        stepped += usize::from(!trace.stepping.is_empty());
        let balance = &trace.balance;
        let given = balance.kinetic_at_start + balance.work_of_loads;
        assert!(balance.kinetic_at_end <= given + 1e-6, "{balance:?}\n{text}");
        assert!(balance.work_of_impacts <= 1e-6, "{balance:?}\n{text}");
        let heights = trace
            .signals
            .iter()
            .enumerate()
            .filter(|(_, s)| s.name.ends_with(".z"));
        for (place, signal) in heights {
            let z = trace.samples.last().unwrap().values[place];
            assert!(z > 0.0099 && z < 0.31, "{} is {z}\n{text}", signal.name);
        }
    }
    assert!(stepped > 0);
}

/// How far two boxes are apart, by projections onto one and the other in turn: nearest points of two convex sets are where these end. Each box: place, orientation, half sizes.
fn apart([a, b]: &[(Vec3<f64>, Quaternion<f64>, [f64; 3]); 2]) -> f64 {
    let onto = |(place, turn, half): &(Vec3<f64>, Quaternion<f64>, [f64; 3]), p: Vec3<f64>| {
        let local = turn.rotate_back(&(p - *place));
        let held = Vec3::new(
            local.x.clamp(-half[0], half[0]),
            local.y.clamp(-half[1], half[1]),
            local.z.clamp(-half[2], half[2]),
        );
        turn.rotate(&held) + *place
    };
    let (mut p, mut q) = (a.0, b.0);
    for _ in 0..20_000 {
        q = onto(b, p);
        p = onto(a, q);
    }
    (p - q).norm()
}

/// The gap of two boxes is their distance, however they are turned: planes of faces and lines of edges go on where these end.
#[test]
fn gaps_are_distances() {
    let mut random = Random(409);
    for _ in 0..40 {
        let mut boxes = String::new();
        let mut solids = Vec::new();
        for name in ["a", "b"] {
            let mut some = |from: f64, to: f64| random.between(from, to);
            let (size, place) = ([some(0.2, 1.0), some(0.2, 1.0), some(0.2, 1.0)], some(1.1, 1.8));
            let place = if name == "a" {
                Vec3::zero()
            } else {
                Vec3::new(place, some(-1.0, 1.0), some(-1.0, 1.0))
            };
            let q = [some(-1.0, 1.0), some(-1.0, 1.0), some(-1.0, 1.0), some(-1.0, 1.0)];
            boxes += &format!(
                "entity {name} {{ box(size = ({}, {}, {})) mass = 1 position = ({}, {}, {}) orientation = quaternion({}, {}, {}, {}) velocity = (0.1, 0, 0) }}\n",
                size[0], size[1], size[2], place.x, place.y, place.z, q[0], q[1], q[2], q[3]
            );
            let turn = Quaternion {
                w: q[0],
                x: q[1],
                y: q[2],
                z: q[3],
            }
            .normalized();
            solids.push((place, turn, size.map(|side| 0.5 * side)));
        }
        let solids: [_; 2] = solids.try_into().unwrap();
        let expected = apart(&solids);
        if expected < 1e-3 {
            continue;
        }
        let model = model(&format!(
            "{boxes} contact default {{ restitution = 0.5 friction = 0.3 }}"
        ));
        let run = options(1.0);
        // Both fly on side by side: nothing closes at the end of the run.
        let trace = simulate(&model, &run).unwrap();
        assert_eq!(trace.transitions.len(), 0, "{boxes}");
        let mut observer = Observer::new(&model, &run).unwrap();
        let at = Moment {
            t: 0.0,
            anchor: 0.0,
            states: &trace.samples[0].values,
            closed: &[],
            struck: &[],
        };
        let gap = Symbol::Contact(ContactQuantity::Gap, EntityId(0), EntityId(1));
        close(observer.value(gap, &at), expected, 1e-6);
    }
}

/// What is struck or falls too fast for a step has a shorter one: rows of dominoes and towers run to their ends, gain no energy and come to rest.
#[test]
fn sharp_boxes_that_are_struck_run_to_their_ends() {
    let floor = FLOORS[0];
    let row: String = (0..5)
        .map(|n| {
            let moves = if n == 0 {
                "velocity = (0.25, 0, 0) angular_velocity = (0, 2.5, 0)"
            } else {
                ""
            };
            format!(
                "entity d{n} {{ box(size = (0.02, 0.1, 0.2)) mass = 0.2 position = ({}, 0, 0.1) {moves} }}\n",
                0.08 * f64::from(n)
            )
        })
        .collect();
    let tower: String = (0..3)
        .map(|n| {
            format!(
                "entity b{n} {{ box(size = (0.3, 0.3, 0.2)) mass = 1 position = (0, 0, {}) }}\n",
                0.1 + 0.2 * f64::from(n)
            )
        })
        .collect();
    let ball =
        "entity ball { sphere(radius = 0.1) mass = 2 position = (-0.6, 0.02, 0.5) velocity = (5, 0, 1) }\n";
    for (text, until) in [(row, 1.5), (tower + ball, 1.0)] {
        let model = model(&format!(
            "{floor}{text} contact default {{ restitution = 0.1 friction = 0.4 }} {LAWS}"
        ));
        let run = RunOptions {
            contacts: Contacts::Auto,
            ..options(until)
        };
        let trace = simulate(&model, &run).unwrap();
        assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
        let balance = &trace.balance;
        assert!(
            balance.work_of_impacts + balance.work_of_friction <= 1e-9,
            "{balance:?}"
        );
    }
}
