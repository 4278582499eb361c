//! What a caller does with steps: keep, cut, restart, integrate over them; and how failures are told.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use dyverse_flow::{FlowError, FlowOptions, Integrator, NODES, StepObstacle};
use std::convert::Infallible;

fn spin(_: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Infallible> {
    (dx[0], dx[1]) = (x[1], -x[0]);
    Ok(())
}

fn started() -> Integrator {
    let mut flow = Integrator::new(FlowOptions::default());
    flow.start(0.0, &[1.0, 0.0]);
    flow.advance(3.0, &mut spin).unwrap();
    flow
}

#[test]
fn a_kept_step_joins_the_next_bit_for_bit() {
    let mut flow = started();
    let kept = flow.step(20.0, &mut spin).unwrap().clone();
    let mut end = [0.0; 2];
    kept.evaluate(kept.t1(), &mut end);
    assert_eq!(end, flow.x());
    let next = flow.step(20.0, &mut spin).unwrap();
    assert_eq!(next.x0(), end);
    assert_eq!(next.t0(), kept.t1());
    let mut start = [0.0; 2];
    next.evaluate(next.t0(), &mut start);
    assert_eq!(start, end);
}

#[test]
fn a_cut_step_goes_on_from_where_it_was_cut() {
    let mut flow = started();
    let step = flow.step(20.0, &mut spin).unwrap();
    let t = step.t0() + 0.3 * step.span();
    flow.truncate(t);
    assert_eq!((flow.t(), flow.last_step().t1()), (t, t));
    assert!((flow.x()[0] - t.cos()).abs() < 1e-14);
    flow.advance(10.0, &mut spin).unwrap();
    assert!((flow.x()[0] - 10.0_f64.cos()).abs() < 1e-14);
    // After a restart there is nothing to take back.
    flow.restart(10.0, &[0.0, 1.0]);
    flow.truncate(9.0);
    assert_eq!((flow.t(), flow.x()), (10.0, &[0.0, 1.0][..]));
    flow.advance(11.0, &mut spin).unwrap();
    assert!((flow.x()[0] - 1.0_f64.sin()).abs() < 1e-14);
}

#[test]
fn coefficients_derivative_and_component_agree_with_the_value() {
    let mut flow = started();
    let step = flow.step(20.0, &mut spin).unwrap();
    let (mut x, mut dx) = ([0.0; 2], [0.0; 2]);
    for k in 0..=20 {
        let t = step.t0() + step.span() * f64::from(k) / 20.0;
        step.evaluate(t, &mut x);
        step.derivative(t, &mut dx);
        assert_eq!(x[1], step.component(1, t));
        assert!((dx[0] - x[1]).abs() < 1e-11 && (dx[1] + x[0]).abs() < 1e-11);
        let u = 2.0 * (t - step.t0()) / step.span() - 1.0;
        let (mut p0, mut p1, mut sum) = (1.0, u, 0.0);
        for (n, a) in step.state_coefficients(0).iter().enumerate() {
            sum += a * p0;
            let n = n as f64;
            (p0, p1) = (p1, ((2.0 * n + 3.0) * u * p1 - (n + 1.0) * p0) / (n + 2.0));
        }
        assert!((sum - x[0]).abs() < 1e-15, "{sum} {}", x[0]);
    }
    assert_eq!(step.slope_coefficients(0).len(), NODES);
}

/// Oracle: ∫ cos² = (b − a)/2 + (sin 2b − sin 2a)/4.
#[test]
fn work_is_integrated_over_a_part_of_a_step() {
    let mut flow = started();
    let step = flow.step(20.0, &mut spin).unwrap();
    let (a, b) = (step.t0() + 0.1, step.t1() - 0.05);
    let work = step.integrate(a, b, |t| step.component(0, t).powi(2));
    let exact = 0.5 * (b - a) + 0.25 * ((2.0 * b).sin() - (2.0 * a).sin());
    assert!((work - exact).abs() < 1e-14);
}

#[test]
fn the_same_calls_give_the_same_bits() {
    let bits = || started().x().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(), bits());
}

#[test]
fn a_failing_right_hand_side_is_reported_with_what_it_said() {
    let mut flow = Integrator::new(FlowOptions::default());
    flow.start(0.0, &[0.0]);
    let mut wall = |t: f64, _: &[f64], dx: &mut [f64]| {
        dx[0] = 1.0;
        if t > 1.0 { Err("wall") } else { Ok(()) }
    };
    let error = flow.advance(2.0, &mut wall).unwrap_err();
    assert!(matches!(error, FlowError::RightHandSide { source: "wall", t } if t > 1.0 && t < 1.0 + 1e-12));
    assert!(error.to_string().contains("wall"));
    assert!(
        flow.t() <= 1.0 && flow.t() > 1.0 - 1e-12,
        "everything before was done: {}",
        flow.t()
    );
    assert!(flow.counters().evaluations < 10_000);
}

#[test]
fn a_failure_that_a_shorter_step_avoids_is_no_failure() {
    // √x fails for x < 0, which only too long a trial step reaches.
    let mut flow = Integrator::new(FlowOptions {
        first_step: Some(50.0),
        ..FlowOptions::default()
    });
    flow.start(0.0, &[1.0]);
    let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = -x[0] * x[0];
        if x[0] < 0.0 { Err("negative") } else { Ok(()) }
    };
    flow.advance(50.0, &mut rhs).unwrap();
    assert!((flow.x()[0] - 1.0 / 51.0).abs() < 1e-14);
    assert!(flow.counters().failed + flow.counters().slow > 0);
}

#[test]
fn what_is_not_finite_is_reported_with_its_component() {
    let mut flow = Integrator::new(FlowOptions::default());
    flow.start(0.0, &[0.0, 1.0]);
    let mut rhs = |t: f64, _: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
        (dx[0], dx[1]) = (1.0, (0.5 - t).sqrt());
        Ok(())
    };
    let error = flow.advance(2.0, &mut rhs).unwrap_err();
    assert!(
        matches!(error, FlowError::NotFinite { component: 1, t } if (t - 0.5).abs() < 1e-9),
        "{error:?}"
    );
    flow.restart(0.0, &[f64::NAN, 0.0]);
    let error = flow.step(1.0, &mut rhs).unwrap_err();
    assert_eq!(error, FlowError::NotFinite { t: 0.0, component: 0 });
    assert!(error.to_string().contains("component 0"));
}

/// x′ = x² from 1 is infinite at t = 1.
#[test]
fn a_finite_escape_ends_with_an_error_near_it() {
    let mut flow = Integrator::new(FlowOptions {
        min_step: 1e-9,
        ..FlowOptions::default()
    });
    flow.start(0.0, &[1.0]);
    let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
        dx[0] = x[0] * x[0];
        Ok(())
    };
    let error = flow.advance(2.0, &mut rhs).unwrap_err();
    assert!(
        matches!(error, FlowError::StepTooSmall { t, step, .. } if (t - 1.0).abs() < 1e-6 && step < 1e-9)
    );
    assert!(flow.t() < 1.0);
}

/// Sliding on x = 0: no solution of x′ = −sign x leaves it.
#[test]
fn chattering_ends_with_step_too_small() {
    let mut flow = Integrator::new(FlowOptions {
        min_step: 1e-6,
        ..FlowOptions::default()
    });
    flow.start(0.0, &[1.0]);
    let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
        dx[0] = if x[0] > 0.0 { -1.0 } else { 1.0 };
        Ok(())
    };
    let error = flow.advance(2.0, &mut rhs).unwrap_err();
    assert!(
        matches!(error, FlowError::StepTooSmall { t, .. } if (t - 1.0).abs() < 1e-3),
        "{error:?}"
    );
    assert!(matches!(
        error,
        FlowError::StepTooSmall {
            obstacle: StepObstacle::Accuracy | StepObstacle::Convergence,
            ..
        }
    ));
    assert!(error.to_string().contains("would be needed"), "{error}");
}

#[test]
fn there_must_be_time_ahead() {
    let mut flow = started();
    let error = flow.step(3.0, &mut spin).unwrap_err();
    assert_eq!(error, FlowError::NoTimeAhead { t: 3.0, end: 3.0 });
    assert!(flow.step(f64::NAN, &mut spin).is_err() && flow.step(f64::INFINITY, &mut spin).is_err());
}

#[test]
fn a_state_without_components_passes_time() {
    let mut flow = Integrator::new(FlowOptions::default());
    flow.start(0.0, &[]);
    let mut nothing = |_: f64, _: &[f64], _: &mut [f64]| -> Result<(), Infallible> { Ok(()) };
    flow.advance(5.0, &mut nothing).unwrap();
    assert_eq!(flow.t(), 5.0);
}

/// From rest under a load that grows nothing tells how long the first step may be, and its first guess is wild: springs that harden overflow it. Oracle: the same with steps of a thousandth of the time.
#[test]
fn what_a_wild_guess_saw_does_not_count() {
    for case in 0..60_i32 {
        let (load, soft, power) = (
            1.0 + 0.7 * f64::from(case % 7),
            0.3 * f64::from(case % 4),
            3 + 2 * (case % 5),
        );
        let until = 2.0 + f64::from(case % 9);
        let solved = |max_step: f64| {
            let mut flow = Integrator::new(FlowOptions {
                max_step,
                ..FlowOptions::default()
            });
            flow.start(0.0, &[0.0, 0.0]);
            let mut rhs = |t: f64, x: &[f64], dx: &mut [f64]| {
                dx[0] = x[1];
                dx[1] = load * t - soft * x[0] - 40.0 * x[0].powi(power);
                Ok::<(), Infallible>(())
            };
            flow.advance(until, &mut rhs).unwrap();
            flow.x().to_vec()
        };
        let (free, short) = (solved(f64::INFINITY), solved(1e-3 * until));
        for (a, b) in free.iter().zip(&short) {
            assert!(
                (a - b).abs() < 1e-8 * (1.0 + b.abs()),
                "{case}: {free:?} {short:?}"
            );
        }
    }
}
