//! Hulls of points in runs: against boxes, closed forms of prisms that roll over their edges, and where they lie at last; traces are judged by code that shares nothing with the run.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::sharp::{FLOORS, LAWS, judged, values_at};
use crate::support;

use dyverse_mech::{Polytope, Shape, mass_properties};
use dyverse_num::Vec3;
use dyverse_simulate::{Contacts, RunOptions};
use support::scene::Random;
use support::{check, close, impacts, last, model, options, refused, simulate};

fn written(points: &[Vec3<f64>]) -> String {
    let each = points.iter().map(|p| format!("({}, {}, {})", p.x, p.y, p.z));
    format!("convex(points = ({}))", each.collect::<Vec<_>>().join(", "))
}

fn corners_of_box(size: [f64; 3]) -> Vec<Vec3<f64>> {
    let sign = |n: u8, bit: u8| if n >> bit & 1 == 1 { 0.5 } else { -0.5 };
    let corner = |n: u8| Vec3::new(sign(n, 0) * size[0], sign(n, 1) * size[1], sign(n, 2) * size[2]);
    (0..8).map(corner).collect()
}

/// Points of a hull of mass one with its centre of mass at the origin, and the distances of its faces from there.
fn centred(points: &[Vec3<f64>]) -> Option<(Vec<Vec3<f64>>, Vec<f64>)> {
    let hull = Polytope::hull(points).ok()?;
    let shape = Shape::Convex {
        solid: hull.solid.into(),
    };
    let centroid = mass_properties(&shape, &1.0).ok()?.centroid;
    let Shape::Convex { solid } = shape else {
        return None;
    };
    let moved: Vec<Vec3<f64>> = solid.corners.iter().map(|c| *c - centroid).collect();
    let solid = Polytope::hull(&moved).ok()?.solid;
    let depths = solid.planes.iter().map(|plane| plane.offset).collect();
    (solid.half_thickness() > 0.08).then_some((moved, depths))
}

fn gem(random: &mut Random, size: f64) -> (Vec<Vec3<f64>>, Vec<f64>) {
    loop {
        let count = 4 + random.below(6);
        let points: Vec<Vec3<f64>> = (0..count)
            .map(|_| random.direction().scale(&(size * random.between(0.8, 1.2))))
            .collect();
        if let Some(found) = centred(&points) {
            return found;
        }
    }
}

/// A box that is written as the hull of its corners runs as the box: the same impacts, the same end.
#[test]
fn a_box_by_its_corners_runs_as_the_box() {
    let mut random = Random(501);
    for case in 0..8 {
        let mut some = |low: f64, high: f64| random.between(low, high);
        let size = [some(0.3, 0.6), some(0.3, 0.6), some(0.3, 0.6)];
        let state = format!(
            "mass = 1 position = (0, 0, 0.9) velocity = ({}, {}, 0) angular_velocity = ({}, {}, {}) orientation = rotation(axis = (1, {}, 0.2), angle = {})",
            some(-1.0, 1.0),
            some(-1.0, 1.0),
            some(-2.0, 2.0),
            some(-2.0, 2.0),
            some(-2.0, 2.0),
            some(-1.0, 1.0),
            some(-1.0, 1.0)
        );
        let others = [
            "",
            "entity ball { sphere(0.15) mass = 0.5 position = (0.1, 0.05, 1.6) velocity = (0, 0, -1) }",
            "entity rod { capsule(radius = 0.1, length = 0.3) mass = 0.5 position = (0.1, 0.05, 1.7) velocity = (0, 0, -1) angular_velocity = (1, 1, 0) }",
            "entity brick { rounded_box(size = (0.3, 0.2, 0.2), radius = 0.03) mass = 0.5 position = (0.1, 0.05, 1.7) velocity = (0, 0, -1) angular_velocity = (1, 1, 0) }",
        ];
        let run = |shape: &str| {
            let text = format!(
                "{}{} entity b {{ {shape} {state} }} contact default {{ restitution = 0.5 friction = 0.3 }} {LAWS}",
                FLOORS[case % 2],
                others[case / 2]
            );
            judged(&text, 0.7)
        };
        let block = run(&format!("box(size = ({}, {}, {}))", size[0], size[1], size[2]));
        let hull = run(&written(&corners_of_box(size)));
        let (one, two) = (impacts(&block), impacts(&hull));
        assert!(one.len() > 1 && one.len() == two.len(), "{case}: {one:?} {two:?}");
        for (t, u) in one.iter().zip(&two) {
            close(*t, *u, 1e-9);
        }
        for signal in ["b.x", "b.y", "b.z", "b.vx", "b.wy", "b.qw"] {
            close(last(&block, signal), last(&hull, signal), 1e-8);
        }
    }
}

/// A prism over a regular polygon with n corners that falls from one edge onto the next face without a rebound: ω⁺/ω⁻ = (I + m R² cos 2π/n)/(I + m R²), I = m R² (1 − 2/3 sin² π/n)/2, on a plane and on a box.
#[test]
fn a_prism_rolls_over_its_edges() {
    for n in 4..9_u8 {
        let part = 2.0 * std::f64::consts::PI / f64::from(n);
        let radius = 0.5;
        let tilt = 0.05;
        // One edge below the centre, but for the tilt.
        let corner = |k: u8, y: f64| {
            let angle = part * f64::from(k);
            Vec3::new(radius * angle.sin(), y, -radius * angle.cos())
        };
        let points: Vec<Vec3<f64>> = (0..n).flat_map(|k| [corner(k, 0.4), corner(k, -0.4)]).collect();
        let text = format!(
            "{} entity p {{ {} density = 3 position = (0, 0, {}) orientation = rotation(axis = (0, 1, 0), angle = {tilt}) }}
             contact default {{ restitution = 0 friction = 8 }} {LAWS}",
            FLOORS[usize::from(n % 2)],
            written(&points),
            radius * f64::cos(tilt)
        );
        let trace = judged(&text, 1.2);
        let at = values_at(&trace, impacts(&trace)[0], "p.wy");
        let sine = (0.5 * part).sin();
        let own = 0.5 * (1.0 - 2.0 / 3.0 * sine * sine);
        close(at[at.len() - 1] / at[0], (own + part.cos()) / (own + 1.0), 1e-9);
    }
}

/// The shipped example: the fall before the impact too is that of a pendulum about the edge.
#[test]
fn the_rolling_prism() {
    let trace = simulate(&support::example("rolling_prism"), &options(1.2)).unwrap();
    check(&trace);
    let at = values_at(&trace, impacts(&trace)[0], "prism.wy");
    let fallen = f64::cos(0.05) - 0.75_f64.sqrt();
    close(at[0], (2.0 * 9.81 * fallen / (0.5 * 17.0 / 12.0)).sqrt(), 1e-9);
    close(at[at.len() - 1] / at[0], 11.0 / 17.0, 1e-9);
}

/// Thrown gems come to rest on one of their faces, on a plane and on a box: the centre of mass is as high as that face is deep.
#[test]
fn thrown_gems_come_to_rest_on_a_face() {
    let mut random = Random(503);
    for case in 0..10 {
        let (points, depths) = gem(&mut random, 0.4);
        let mut some = |far: f64| random.between(-far, far);
        let text = format!(
            "{} entity g {{ {} mass = 1 position = (0, 0, 1.2) velocity = ({}, {}, {}) angular_velocity = ({}, {}, {}) }}
             contact default {{ restitution = 0.2 friction = 0.5 }} {LAWS}",
            FLOORS[case % 2], written(&points), some(1.0), some(1.0), some(1.0), some(3.0), some(3.0), some(3.0)
        );
        let trace = judged(&text, 6.0);
        assert!(trace.balance.kinetic_at_end < 1e-18, "{text}");
        let z = last(&trace, "g.z");
        let off = depths.iter().map(|d| (z - d).abs()).fold(1.0, f64::min);
        assert!(off < 1e-9, "{z} {depths:?} {text}");
    }
}

/// A tetrahedron that stands on a face bears a quarter of nothing at its top: each of three corners has a third of its weight, and tips where it is pushed at the top by more than its weight times the
/// distance of the edge from its foot by its height.
#[test]
fn a_tetrahedron_stands_and_tips() {
    let side = 0.8_f64;
    let inner = side / 12.0_f64.sqrt();
    let height = side * (2.0_f64 / 3.0).sqrt();
    let points = [
        Vec3::new(-inner, 0.5 * side, -0.25 * height),
        Vec3::new(-inner, -0.5 * side, -0.25 * height),
        Vec3::new(2.0 * inner, 0.0, -0.25 * height),
        Vec3::new(0.0, 0.0, 0.75 * height),
    ];
    for floor in FLOORS {
        for (part, turns) in [(0.99, false), (1.01, true)] {
            // Pushed towards −x: about the side there, which is `inner` from the foot.
            let push = part * 2.0 * 9.81 * inner / height;
            let text = format!(
                "{floor} entity t {{ {} mass = 2 position = (0, 0, {}) }}
                 contact default {{ restitution = 0 friction = 0.9 }} {LAWS} force on t at (0, 0, {}) = ({}, 0, 0)",
                written(&points), 0.25 * height, 0.75 * height, -push
            );
            let trace = judged(&text, 0.1);
            assert_eq!(last(&trace, "t.wy") < -1e-5, turns, "{}", last(&trace, "t.wy"));
        }
    }
}

/// A ball without friction slides down the face of a wedge with g sin α; one that falls on its ridge from above, beside it by d, first touches at the height of its gap.
#[test]
fn balls_meet_wedges() {
    let alpha = 0.4_f64;
    let wedge = [
        Vec3::new(0.0, -2.0, 0.0),
        Vec3::new(0.0, 2.0, 0.0),
        Vec3::new(4.0, -2.0, 0.0),
        Vec3::new(4.0, 2.0, 0.0),
        Vec3::new(0.0, -2.0, 4.0 * alpha.tan()),
        Vec3::new(0.0, 2.0, 4.0 * alpha.tan()),
    ];
    let r = 0.2;
    // On the slope, two metres down from its upper end.
    let (x, z) = (
        2.0 * alpha.cos() + r * alpha.sin(),
        4.0 * alpha.tan() - 2.0 * alpha.sin() + r * alpha.cos(),
    );
    let text = format!(
        "fixed entity wedge {{ {} }} entity b {{ sphere({r}) mass = 1 position = ({x}, 0.3, {z}) }}
         contact default {{ restitution = 0 friction = 0 }} {LAWS}",
        written(&wedge)
    );
    let trace = judged(&text, 0.8);
    let along = 0.5 * 9.81 * alpha.sin() * 0.64;
    close(last(&trace, "b.x"), x + along * alpha.cos(), 1e-9);
    close(last(&trace, "b.z"), z - along * alpha.sin(), 1e-9);
    // The upper end is an edge at x = 0; a ball whose centre is at x = −d meets it √(r² − d²) above.
    let d = 0.12_f64;
    let top = 4.0 * alpha.tan();
    let text = format!(
        "fixed entity wedge {{ {} }} entity b {{ sphere({r}) mass = 1 position = ({}, 0.3, {}) }}
         contact default {{ restitution = 1 friction = 0 }} {LAWS}",
        written(&wedge),
        -d,
        top + 1.0
    );
    let trace = judged(&text, 0.6);
    let fall = 1.0 - (r * r - d * d).sqrt();
    close(impacts(&trace)[0], (2.0 * fall / 9.81).sqrt(), 1e-10);
}

/// Gems strike gems, boxes, capsules and ellipsoids: runs end, lose no energy that is not told, and are accepted.
#[test]
fn gems_strike_what_there_is() {
    let mut random = Random(505);
    for case in 0..12 {
        let (points, _) = gem(&mut random, 0.35);
        let other = match case % 6 {
            0 => written(&gem(&mut random, 0.35).0),
            1 => "box(size = (0.5, 0.4, 0.6))".to_owned(),
            2 => "capsule(radius = 0.15, length = 0.4)".to_owned(),
            3 => "rounded_box(size = (0.5, 0.4, 0.6), radius = 0.05)".to_owned(),
            4 => "ellipsoid(semi_axes = (0.3, 0.2, 0.25))".to_owned(),
            _ => "sphere(0.25)".to_owned(),
        };
        let mut some = |far: f64| random.between(-far, far);
        let text = format!(
            "entity g {{ {} mass = 1 position = (0, 0, 0) velocity = (0.6, 0, 0) angular_velocity = ({}, {}, {}) }}
             entity o {{ {other} mass = 1.5 inertia = (0.03, 0.03, 0.03) position = (1.2, {}, {}) velocity = (-1, 0, 0) angular_velocity = ({}, {}, {}) }}
             contact default {{ restitution = 0.6 friction = 0.3 }}",
            written(&points), some(2.0), some(2.0), some(2.0), some(0.1), some(0.1), some(2.0), some(2.0), some(2.0)
        );
        let trace = judged(&text, 1.5);
        assert!(!impacts(&trace).is_empty(), "{text}");
    }
}

/// Dice, gems and pyramids that are dropped into a heap run to their ends by steps, gain no energy, and lie on the floor.
#[test]
fn heaps_of_gems_run_to_their_ends() {
    let mut random = Random(507);
    for case in 0..3 {
        let things: String = (0..5)
            .map(|n| {
                let (points, _) = gem(&mut random, 0.2);
                let shape = if n == 2 {
                    "box(size = (0.25, 0.2, 0.3))".to_owned()
                } else {
                    written(&points)
                };
                format!(
                    "entity g{n} {{ {shape} mass = 1 position = ({}, {}, {}) }}\n",
                    random.between(-0.1, 0.1),
                    random.between(-0.1, 0.1),
                    0.3 + 0.45 * f64::from(n)
                )
            })
            .collect();
        let text = format!(
            "{}{things} contact default {{ restitution = 0.1 friction = 0.5 }} {LAWS}",
            FLOORS[case % 2]
        );
        let asked = RunOptions {
            contacts: Contacts::Auto,
            ..options(2.0)
        };
        let (model, started) = (model(&text), case);
        let trace = simulate(&model, &asked).unwrap();
        assert!(
            trace.stop.reason.is_complete(),
            "{started} {}\n{text}",
            trace.stop.reason
        );
        let balance = &trace.balance;
        let given = balance.kinetic_at_start + balance.work_of_loads;
        assert!(balance.kinetic_at_end <= given + 1e-6, "{balance:?}\n{text}");
        for n in 0..5 {
            let z = last(&trace, &format!("g{n}.z"));
            assert!(z > 0.02, "{z}\n{text}");
        }
    }
}

/// In steps sharp edges are a little round: what lies flat lies as it does by events. A pyramid, whose top has four faces, too.
#[test]
fn gems_lie_in_steps_as_they_do_by_events() {
    let pyramid = [
        Vec3::new(0.3, 0.3, -0.1),
        Vec3::new(-0.3, 0.3, -0.1),
        Vec3::new(-0.3, -0.3, -0.1),
        Vec3::new(0.3, -0.3, -0.1),
        Vec3::new(0.0, 0.0, 0.3),
    ];
    for (floor, depth) in [(FLOORS[0], 0.0), (FLOORS[1], 1e-5)] {
        let text = format!(
            "{floor} entity b {{ {} mass = 1 position = (0, 0, 0.2) }} contact default {{ restitution = 0 friction = 0.5 }} {LAWS}",
            written(&pyramid)
        );
        let asked = RunOptions {
            contacts: Contacts::Stepping,
            ..options(0.5)
        };
        let model = model(&text);
        let trace = simulate(&model, &asked).unwrap();
        assert!(trace.stop.reason.is_complete());
        close(last(&trace, "b.z"), 0.1, 1e-6);
        assert!(trace.stepping[0].penetration >= depth, "{:?}", trace.stepping);
        let by_events = simulate(&model, &options(0.5)).unwrap();
        check(&by_events);
        assert_eq!(refused(&model, &options(0.5), &by_events), None);
        close(last(&by_events, "b.z"), 0.1, 1e-9);
    }
}
