//! Shipped models in C for other parameters, and against closed forms. (With their own parameters: `conformance` of the crate `dyverse-block`.)
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used
)]

use crate::support;

use support::{Built, check_built, example};

/// Impacts at 0.5922 and 0.9278 for K = 1, at 0.5740, 0.8756 and 1.8090 for K = 3 [SPEC §8]: parameters are parameters in C.
#[test]
fn the_interception_game_for_several_gains() {
    let model = example("interception");
    let built = Built::new(&model, &["-O2"]);
    assert_eq!(check_built(&built, &model, &[]), 4);
    assert_eq!(check_built(&built, &model, &[("K", 1.0)]), 4);
    assert_eq!(check_built(&built, &model, &[("K", 3.0)]), 6);
    let told = built.run(&["K=3".into()]);
    let times: Vec<f64> = told.transitions.iter().step_by(2).map(|t| t.0).collect();
    for (found, expected) in times.iter().zip([0.5740, 0.8756, 1.8090]) {
        assert!((found - expected).abs() < 1e-4, "{times:?}");
    }
}

/// Both contacts close at t = 0.4039047847 for k = 1, at 0.3895205548 for k = 1.5 [SPEC §8].
#[test]
fn three_balls_with_a_double_impact() {
    let model = example("three_balls_002");
    let built = Built::new(&model, &["-O2"]);
    for (k, expected) in [(1.0, 0.403_904_784_7), (1.5, 0.389_520_554_8)] {
        check_built(&built, &model, &[("k", k)]);
        let told = built.run(&[format!("k={k}")]);
        assert!((told.transitions[0].0 - expected).abs() < 1e-9, "{told:?}");
    }
}

/// Oracle: rest at sqrt(2 h/g) (1 + e)/(1 - e), from where the ball is named closed.
#[test]
fn a_bouncing_ball_comes_to_rest() {
    let model = example("bouncing_ball");
    let built = Built::new(&model, &["-O2"]);
    for (h, e) in [(1.0, 0.8), (0.9, 0.7)] {
        assert!(check_built(&built, &model, &[("h", h), ("e", e)]) > 20);
        let told = built.run(&[format!("h={h}"), format!("e={e}")]);
        let rest: f64 = (2.0 * h / 9.81_f64).sqrt() * (1.0 + e) / (1.0 - e);
        let last = told.transitions.last().unwrap();
        assert!((last.0 - rest).abs() < 1e-9, "{last:?}, {rest}");
        assert_eq!(last.2, "s_1,1");
    }
}

/// Oracle: a ball that slides at v0 rolls from t = 2 v0 / (7 mu g) on, at 5/7 of its speed.
#[test]
fn a_sliding_ball_rolls() {
    let model = example("sliding_ball");
    let built = Built::new(&model, &["-O2"]);
    check_built(&built, &model, &[]);
    check_built(&built, &model, &[("mu", 0.1), ("v0", 1.0)]);
    let told = built.run(&[]);
    assert!(
        (told.transitions[0].0 - 4.0 / (7.0 * 0.2 * 9.81)).abs() < 1e-9,
        "{told:?}"
    );
    let vx = told.names.iter().position(|name| name == "ball.vx").unwrap();
    assert!((told.last[vx] - 10.0 / 7.0).abs() < 1e-9, "{told:?}");
}

/// Rolls below tan a = 3.5 mu, slips above.
#[test]
fn a_ball_on_an_incline() {
    let model = example("checks/incline");
    let built = Built::new(&model, &["-O2"]);
    for slope in [0.5, 0.6, 0.65] {
        check_built(&built, &model, &[("a", slope)]);
    }
}

#[test]
fn an_oblique_collision_with_friction() {
    let model = example("checks/oblique_collision");
    let built = Built::new(&model, &["-O2"]);
    for mu in [0.02, 0.06, 0.5] {
        assert_eq!(check_built(&built, &model, &[("mu", mu)]), 2);
    }
}
