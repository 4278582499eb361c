//! Random models of all shapes, laws, policies and loads do in C what they do in a run.
//!
//! Horizons are short: where a box or a capsule rattles, rounding grows tenfold with every impact.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used
)]

use crate::support;

use support::scenes::{LOADED, PLAIN, scene};
use support::{Built, check_built, model};

/// Every pair of shapes that can be written.
#[test]
fn all_shapes() {
    let scenes: [(u64, &[&str]); 6] = [
        (1, &["sphere", "capsule", "sphere"]),
        (2, &["box", "sphere"]),
        (3, &["capsule", "capsule"]),
        (4, &["box", "box"]),
        (5, &["dumbbell", "box"]),
        (6, &["ellipsoid"]),
    ];
    let mut transitions = 0;
    for (seed, kinds) in scenes {
        let model = model(&scene(seed, kinds, "simultaneous", PLAIN));
        transitions += check_built(&Built::new(&model, &["-O1"]), &model, &[]);
    }
    assert!(transitions > 60, "{transitions}");
}

/// Impact policies, friction over the slip speed, tangential restitution, loads over time and states.
#[test]
fn all_policies_and_laws() {
    let mut transitions = 0;
    for (seed, policy) in [
        (11, "poisson"),
        (12, "sequential first"),
        (13, "sequential random(7)"),
    ] {
        let model = model(&scene(seed, &["sphere", "sphere", "sphere"], policy, LOADED));
        let built = Built::new(&model, &["-O1"]);
        for e in [0.3, 0.6] {
            transitions += check_built(&built, &model, &[("e", e)]);
        }
    }
    assert!(transitions > 30, "{transitions}");
}

/// A shape that the C does not have is refused by name, whatever it may touch.
#[test]
fn hulls_of_points_are_refused_by_name() {
    let text = "system s\nentity a { convex(points = ((-1, -1, -1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))) mass = 1 }\nhorizon 1";
    let refused = dyverse_c::write_bodies(&model(text)).unwrap_err();
    assert!(refused.to_string().contains("the shape convex"), "{refused}");
}

/// Laws of impact that the C does not have are refused by name; the two that it has are exported, however they are said.
#[test]
fn laws_of_impact_are_refused_by_name() {
    let written = |rest: &str| {
        let text = format!(
            "system s\nentity a {{ sphere(radius = 1) mass = 1 }}\nentity b {{ sphere(radius = 1) mass = 1 position = (3, 0, 0) }}
             entity c {{ sphere(radius = 1) mass = 1 position = (6, 0, 0) }}\n{rest}\nhorizon 1"
        );
        dyverse_c::write_bodies(&model(&text))
    };
    for (rest, named) in [
        ("impacts energetic", "the energetic law of impact"),
        ("contact a, b { law = energetic }", "the energetic law of impact"),
        (
            "contact a, b { law = poisson }",
            "different laws of impact for different pairs",
        ),
        (
            "impacts sequential\ncontact default { law = poisson }",
            "Poisson's law for collisions one after another",
        ),
    ] {
        let refused = written(rest).unwrap_err();
        assert!(refused.to_string().contains(named), "{refused}");
    }
    let policy = |rest: &str| {
        let files = written(rest).unwrap();
        files
            .source
            .lines()
            .find_map(|line| line.strip_prefix("#define POLICY POLICY_").map(str::to_owned))
    };
    assert_eq!(
        policy("contact default { law = poisson }").as_deref(),
        Some("POISSON")
    );
    assert_eq!(
        policy("impacts poisson\ncontact default { law = newton }").as_deref(),
        Some("SIMULTANEOUS")
    );
    assert_eq!(
        policy("contact a, b { law = newton }\nno contact a, c\nno contact b, c").as_deref(),
        Some("SIMULTANEOUS")
    );
}

/// The C has no events for switches of loads: it refuses them by name, also in what an input is by default, and none over parameters alone.
#[test]
fn loads_that_switch_are_refused_by_name() {
    for (load, named) in [
        (
            "force on b = (if time > 0.5 then 1 else 0, 0, 0)",
            "`time > 0.5` switches a force on `b`",
        ),
        (
            "moment on b = (0, sign(b.wy), 0)",
            "`sign(b.wy)` switches a moment on `b`",
        ),
        (
            "input u = floor(3 * time)\nforce on b = (u, 0, 0)",
            "`floor(3 * time)`",
        ),
        ("force on b = (max(0, b.x), 0, 0)", "switches a force on `b`"),
    ] {
        let text = format!("system s\nentity b {{ sphere(radius = 1) mass = 1 }}\n{load}\nhorizon 1");
        let refused = dyverse_c::write_bodies(&model(&text)).unwrap_err();
        assert!(refused.to_string().contains(named), "{refused}");
    }
    // Friction that jumps at a slip speed is a switch too; that of rest is none.
    let slides = |friction: &str| {
        let text = format!(
            "system s\nentity b {{ sphere(radius = 1) mass = 1 position = (0, 0, 1) }}
             fixed entity f {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact b, f {{ friction = {friction} }}\nhorizon 1"
        );
        dyverse_c::write_bodies(&model(&text))
    };
    let refused = slides("if slip_speed > 0.5 then 0.1 else 0.3").unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("`slip_speed > 0.5` switches the friction"),
        "{refused}"
    );
    assert!(slides("if slip_speed > 0 then 0.1 else 0.3").is_ok());
    assert!(slides("0.1 + 0.2 * exp(-slip_speed)").is_ok());
    let text = "param a = 2\nentity b { sphere(radius = 1) mass = 1 }\nforce on b = (if a > 1 then time else 0, 0, 0)\nhorizon 1";
    assert!(dyverse_c::write_bodies(&model(text)).is_ok());
}

/// Couples are not known to the C: it refuses them by name, also where they are those of a range; what is 0 is none.
#[test]
fn rolling_and_spinning_friction_are_refused_by_name() {
    let written = |law: &str| {
        let text = format!(
            "system s\nparam r in [0, 0.1] = 0\nparam none = 0\nentity b {{ sphere(radius = 1) mass = 1 position = (0, 0, 1) }}
             fixed entity f {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact b, f {{ friction = 0.3 {law} }}\nhorizon 1"
        );
        dyverse_c::write_bodies(&model(&text)).map_err(|obstacle| obstacle.to_string())
    };
    for (law, named) in [
        ("rolling_friction = 0.01", "have `rolling_friction`"),
        ("spinning_friction = 0.01", "have `spinning_friction`"),
        ("rolling_friction = r", "have `rolling_friction`"),
    ] {
        let refused = written(law).unwrap_err();
        assert!(refused.contains(named), "{refused}");
    }
    assert!(written("rolling_friction = none spinning_friction = 0").is_ok());
}

/// Impacts that would add energy are capped as in a run, by every policy; and scales of a model reach the C.
#[test]
fn capped_impacts_and_other_scales() {
    let rod = include_str!("../../../5-use/dyverse/tests/cases/run/energy_gain_rod.drbt");
    for policy in ["simultaneous", "poisson", "sequential", "simultaneous uncapped"] {
        let model = model(&format!("system rod\n{rod}\nimpacts {policy}\n"));
        assert_eq!(check_built(&Built::new(&model, &["-O1"]), &model, &[]), 2);
    }
    let law = "contact default { restitution = e  friction = mu  tangential_restitution = -0.9 }";
    let model_of = |seed: u64| model(&scene(seed, &["capsule", "dumbbell"], "simultaneous", law));
    assert!(check_built(&Built::new(&model_of(21), &["-O1"]), &model_of(21), &[("e", 0.9)]) > 2);
    let small = "system small
entity b { sphere(radius = 1e-6) mass = 1e-12 position = (0, 0, 3e-6) velocity = (1e-3, 0, 0) }
fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
contact default { restitution = 0.5 friction = 0.2 }
gravity (0, 0, -9.81)
horizon 5e-3\n";
    let model = model(small);
    assert!(model.scales().length < 1e-5);
    assert!(check_built(&Built::new(&model, &["-O1"]), &model, &[]) > 20);
}

/// Every function and relation of the language, in a load and in the default of an input.
#[test]
fn all_expressions() {
    let text = "
system expressions
param a = 0.7
param b in [1, 3] = 2
param c = a ^ b + sqrt(b) - ln(b) / pi
input u = atan2(sin(a * t), -cos(t)) + floor(a / 4)
entity ball { sphere(radius = 0.1)  mass = a + 1 }
let p = tan(ball.x / 3) + asin(clamp(a / 2, -1, 1)) * ball.vx + acos(ball.y / 50) - atan(ball.vz)
let q = sinh(ball.y / 9) + cosh(ball.vy / 9) - tanh(ball.vz) + exp(-t) + abs(a - 2) * sign(b - 1) * ball.x
let r = min(a, 0.5, b) * u + max(c, b) - t ^ 3 / 10 + (2 + ball.vy ^ 2) ^ 0.5 + (3 + ball.x) ^ -1
let s = if a <= 0.5 or b >= 9 then 1 else if not (a == b and b != 0) then -t else 0
force on ball = (p + u, q - c, r + s * ball.mass)
moment on ball = (0.01 * q, -0.01 * p, 0)
horizon 1
";
    let model = model(text);
    let built = Built::new(&model, &["-O2"]);
    check_built(&built, &model, &[]);
    check_built(&built, &model, &[("a", 1.1), ("b", 1.5)]);
    check_built(&built, &model, &[("c", -0.3)]);
}
