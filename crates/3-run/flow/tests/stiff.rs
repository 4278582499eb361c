//! Stiff systems against closed forms and published solutions, with bounds on what they cost.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use dyverse_flow::{FlowOptions, Integrator};
use std::convert::Infallible;

fn solved(x: &[f64], until: f64, mut f: impl FnMut(f64, &[f64], &mut [f64])) -> (Vec<f64>, u64, u64) {
    let mut flow = Integrator::new(FlowOptions::default());
    flow.start(0.0, x);
    let mut rhs = |t: f64, x: &[f64], dx: &mut [f64]| {
        f(t, x, dx);
        Ok::<(), Infallible>(())
    };
    flow.advance(until, &mut rhs).unwrap();
    let counters = flow.counters();
    (flow.x().to_vec(), counters.steps, counters.evaluations)
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} is not {expected} ({:e})",
        found - expected
    );
}

/// Oracle: x = cos t, which a fast motion e^(−λt) would lead back to.
#[test]
fn what_follows_a_slow_motion() {
    for stiffness in [1e3, 1e5, 1e7, 1e9] {
        let (x, steps, evaluations) = solved(&[1.0], 10.0, |t, x, dx| {
            dx[0] = -stiffness * (x[0] - t.cos()) - t.sin();
        });
        close(x[0], 10.0_f64.cos(), 1e-11);
        assert!(
            steps < 500 && evaluations < 30_000,
            "{stiffness}: {steps} steps, {evaluations} evaluations"
        );
    }
}

/// Oracle: x = cos t + e^(−λt): the fast motion is resolved while it lasts.
#[test]
fn what_falls_onto_a_slow_motion() {
    for stiffness in [1e4, 1e6] {
        let mut flow = Integrator::new(FlowOptions::default());
        flow.start(0.0, &[2.0]);
        let mut rhs = |t: f64, x: &[f64], dx: &mut [f64]| {
            dx[0] = -stiffness * (x[0] - t.cos()) - t.sin();
            Ok::<(), Infallible>(())
        };
        for units in [0.5, 1.0, 3.0, 10.0, 100.0] {
            let t = units / stiffness;
            flow.advance(t, &mut rhs).unwrap();
            close(flow.x()[0], t.cos() + (-units).exp(), 1e-11);
        }
        flow.advance(2.0, &mut rhs).unwrap();
        close(flow.x()[0], 2.0_f64.cos(), 1e-11);
        let steps = flow.counters().steps;
        assert!(steps < 300, "{stiffness}: {steps} steps");
    }
}

/// A mass on a spring with a damper of 10⁶. Oracle: the closed form of x″ + 2 δ x′ + ω² x = 0 with its slow root.
#[test]
fn an_overdamped_spring() {
    let (damping, spring) = (1e6, 400.0);
    let half: f64 = 0.5 * damping;
    let slow = -spring / (half + (half * half - spring).sqrt());
    let fast = spring / slow;
    let (x, steps, _) = solved(&[1.0, slow], 1000.0, |_, x, dx| {
        dx[0] = x[1];
        dx[1] = -damping * x[1] - spring * x[0];
    });
    close(x[0], (1000.0 * slow).exp(), 1e-11);
    assert!(steps < 100, "{steps} steps, roots {slow} and {fast}");
}

/// Oracle: Robertson's reaction at t = 40 (Hairer, Wanner: Solving ordinary differential equations II, IV.10).
#[test]
fn robertsons_reaction() {
    let (x, steps, evaluations) = solved(&[1.0, 0.0, 0.0], 40.0, |_, x, dx| {
        let (a, b, c) = (0.04 * x[0], 1e4 * x[1] * x[2], 3e7 * x[1] * x[1]);
        dx.copy_from_slice(&[b - a, a - b - c, c]);
    });
    close(x[0], 0.715_827_068_719_39, 1e-11);
    close(x[1], 9.185_534_764_557e-6, 1e-15);
    close(x[2], 0.284_163_745_745_84, 1e-11);
    assert!(steps < 1000, "{steps} steps, {evaluations} evaluations");
}

/// Oracle: van der Pol's oscillator with μ = 1000 at t = 2000 (Hairer, Wanner, IV.10, there with ε = 10⁻⁶ at t = 2).
#[test]
fn van_der_pols_oscillator() {
    let (x, steps, evaluations) = solved(&[2.0, 0.0], 2000.0, |_, x, dx| {
        dx[0] = x[1];
        dx[1] = 1000.0 * (1.0 - x[0] * x[0]) * x[1] - x[0];
    });
    close(x[0], 1.706_167_732_170_48, 1e-8);
    close(x[1], -0.892_809_701_024_8e-3, 1e-11);
    assert!(steps < 3000, "{steps} steps, {evaluations} evaluations");
}

/// A friction that turns against a slip that begins: v′ = F(t) − μ g v/|v|, with a force whose direction turns. The slower it slips, the stiffer its direction is.
#[test]
fn a_slip_that_begins() {
    let (x, steps, _) = solved(&[1e-5, 0.0], 1.0, |t, v, dv| {
        let speed = v[0].hypot(v[1]);
        dv[0] = (5.0 + 4.0 * t) - 5.0 * v[0] / speed;
        dv[1] = -5.0 * v[1] / speed;
    });
    close(x[0], 1e-5 + 2.0, 1e-11);
    close(x[1], 0.0, 1e-15);
    assert!(steps < 120, "{steps} steps");
}
