//! Motions with known solutions: the integrator against closed forms, at the ends and inside the steps.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use dyverse_flow::{FlowCounters, FlowOptions, Integrator};
use std::convert::Infallible;
use std::f64::consts::{PI, TAU};

type Slope<'a> = &'a mut dyn FnMut(f64, &[f64], &mut [f64]) -> Result<(), Infallible>;

/// Integrates to `end`; largest `error` at the ends of the steps, and at 40 places inside each.
fn run(x: &[f64], end: f64, rhs: Slope<'_>, error: &dyn Fn(f64, &[f64]) -> f64) -> (f64, f64, FlowCounters) {
    let mut flow = Integrator::new(FlowOptions::default());
    flow.start(0.0, x);
    let (mut at_ends, mut inside) = (0.0_f64, 0.0_f64);
    let mut y = vec![0.0; x.len()];
    while flow.t() < end {
        let step = flow.step(end, rhs).unwrap();
        for k in 0..=40 {
            let t = step.t0() + (step.t1() - step.t0()) * f64::from(k) / 40.0;
            step.evaluate(t, &mut y);
            inside = inside.max(error(t, &y).abs());
        }
        at_ends = at_ends.max(error(flow.t(), flow.x()).abs());
    }
    (at_ends, inside, flow.counters())
}

/// Oracle: cos, −sin. The error after 1000 periods is that of rounding alone.
#[test]
fn a_harmonic_oscillator_keeps_its_phase_for_1000_periods() {
    let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| {
        (dx[0], dx[1]) = (x[1], -x[0]);
        Ok(())
    };
    let distance = |t: f64, x: &[f64]| (x[0] - t.cos()).hypot(x[1] + t.sin());
    let mut report = Vec::new();
    for periods in [1.0, 10.0, 100.0, 1000.0] {
        let (ends, inside, counters) = run(&[1.0, 0.0], periods * TAU, &mut rhs, &distance);
        report.push((periods, ends, inside));
        assert!(inside < 1e-13 + 1e-15 * periods, "{report:?}");
        assert!(counters.rejected == 0 && counters.slow == 0, "{counters:?}");
        assert!(
            counters.evaluations as f64 <= 90.0 * periods * TAU + 200.0,
            "{counters:?}"
        );
    }
    println!("harmonic oscillator, (periods, error at ends, error inside): {report:?}");
}

#[test]
fn exponentials_grow_and_decay() {
    for rate in [-1.0, 1.0] {
        let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| {
            dx[0] = rate * x[0];
            Ok(())
        };
        let (ends, inside, _) = run(&[1.0], 10.0, &mut rhs, &|t, x| x[0] / (rate * t).exp() - 1.0);
        assert!(ends < 1e-13 && inside < 5e-13, "{rate}: {ends:e} {inside:e}");
    }
}

/// Oracle: Kepler's equation E − e sin E = t by bisection, x = cos E − e, y = √(1−e²) sin E.
#[test]
fn a_kepler_orbit_of_eccentricity_0_9_follows_keplers_equation() {
    let e = 0.9_f64;
    let exact = |t: f64| {
        let (mut lo, mut hi) = (0.0, TAU);
        for _ in 0..60 {
            let mid = 0.5 * (lo + hi);
            if mid - e * f64::sin(mid) < t {
                lo = mid
            } else {
                hi = mid
            }
        }
        (lo.cos() - e, (1.0 - e * e).sqrt() * lo.sin())
    };
    let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| {
        let r2 = x[0] * x[0] + x[1] * x[1];
        let k = 1.0 / (r2 * r2.sqrt());
        (dx[0], dx[1], dx[2], dx[3]) = (x[2], x[3], -k * x[0], -k * x[1]);
        Ok(())
    };
    let error = |t: f64, x: &[f64]| (x[0] - exact(t).0).hypot(x[1] - exact(t).1);
    let start = [1.0 - e, 0.0, 0.0, ((1.0 + e) / (1.0 - e)).sqrt()];
    let (ends, inside, counters) = run(&start, TAU, &mut rhs, &error);
    // Near the pericentre the speed is 4.4 and one ulp of the time 1e-15.
    assert!(ends < 3e-13 && inside < 5e-13, "{ends:e} {inside:e} {counters:?}");
}

/// Oracle: T = 2π / AGM(1, cos(θ₀/2)).
#[test]
fn a_pendulum_has_the_period_of_the_elliptic_integral() {
    for start in [0.1_f64, 1.0, 2.0, 3.0] {
        let (mut a, mut g) = (1.0_f64, (0.5 * start).cos());
        for _ in 0..8 {
            (a, g) = (0.5 * (a + g), (a * g).sqrt());
        }
        let period = TAU / a;
        let mut flow = Integrator::new(FlowOptions::default());
        flow.start(0.0, &[start, 0.0]);
        let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
            (dx[0], dx[1]) = (x[1], -x[0].sin());
            Ok(())
        };
        flow.advance(10.0 * period, &mut rhs).unwrap();
        assert!(
            (flow.x()[0] - start).abs() < 1e-12 && flow.x()[1].abs() < 5e-12,
            "{start}: {:?}",
            flow.x()
        );
    }
}

/// Oracle: energy and angular momentum of Euler's equations are constant.
#[test]
fn a_free_rigid_body_keeps_energy_and_momentum_for_1000_s() {
    let [a, b, c] = [1.0, 2.0, 3.0];
    let energy = |w: &[f64]| a * w[0] * w[0] + b * w[1] * w[1] + c * w[2] * w[2];
    let momentum = |w: &[f64]| ((a * w[0]).powi(2) + (b * w[1]).powi(2) + (c * w[2]).powi(2)).sqrt();
    let start = [0.1, 1.0, 0.2];
    let (e0, l0) = (energy(&start), momentum(&start));
    let mut rhs = |_: f64, w: &[f64], dw: &mut [f64]| {
        dw[0] = (b - c) / a * w[1] * w[2];
        dw[1] = (c - a) / b * w[2] * w[0];
        dw[2] = (a - b) / c * w[0] * w[1];
        Ok(())
    };
    let drift = |_: f64, w: &[f64]| (energy(w) / e0 - 1.0).abs().max((momentum(w) / l0 - 1.0).abs());
    let (ends, inside, counters) = run(&start, 1000.0, &mut rhs, &drift);
    println!("free rigid body, drift after 1000 s: {ends:e}, inside {inside:e}, {counters:?}");
    assert!(ends < 1e-13 && inside < 1e-12);
}

/// Steps of a quadratic motion are exact to rounding and grow to the longest allowed.
#[test]
fn free_flight_is_exact_and_takes_the_longest_steps() {
    let mut flow = Integrator::new(FlowOptions {
        max_step: 10.0,
        ..FlowOptions::default()
    });
    flow.start(0.0, &[2.0, 3.0]);
    let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
        (dx[0], dx[1]) = (x[1], -9.81);
        Ok(())
    };
    while flow.t() < 100.0 {
        let step = flow.step(100.0, &mut rhs).unwrap();
        for k in 0..=10 {
            let t = step.t0() + step.span() * f64::from(k) / 10.0;
            let exact = 2.0 + t * (3.0 - 4.905 * t);
            assert!(
                (step.component(0, t) - exact).abs() <= 1e-14 * (1.0 + t * t),
                "{t}"
            );
        }
    }
    assert_eq!(flow.proposed_step(), Some(10.0));
    let counters = flow.counters();
    assert!(counters.steps <= 20 && counters.rejected == 0, "{counters:?}");
    assert!(counters.sweeps <= counters.steps + 8, "{counters:?}");
}

/// Oracle: x = (cos t − cos 2t)/3 solves x″ + x = cos 2t from rest.
#[test]
fn a_forced_oscillator_follows_its_force() {
    let mut rhs = |t: f64, x: &[f64], dx: &mut [f64]| {
        (dx[0], dx[1]) = (x[1], (2.0 * t).cos() - x[0]);
        Ok(())
    };
    let (ends, inside, _) = run(&[0.0, 0.0], 50.0, &mut rhs, &|t, x| {
        x[0] - (t.cos() - (2.0 * t).cos()) / 3.0
    });
    assert!(ends < 2e-14 && inside < 1e-13, "{ends:e} {inside:e}");
}

/// Oracle: x′ = −1000 (x − cos t), x(0) = 0.
#[test]
fn a_stiff_relaxation_completes() {
    let l = 1000.0_f64;
    let mut rhs = |t: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = -l * (x[0] - t.cos());
        Ok(())
    };
    let k = l / (l * l + 1.0);
    let exact = |t: f64| k * (l * t.cos() + t.sin()) - k * l * (-l * t).exp();
    let (ends, inside, counters) = run(&[0.0], 1.0, &mut rhs, &|t, x| x[0] - exact(t));
    assert!(ends < 1e-13 && inside < 1e-12, "{ends:e} {inside:e}");
    assert!(counters.evaluations < 100_000, "{counters:?}");
}

/// Oracle: x″ = −x − |x|/2 has ω² = 3/2 above zero and 1/2 below; the period is π/√1.5 + π/√0.5.
#[test]
fn a_kink_in_the_right_hand_side_is_passed() {
    let mut flow = Integrator::new(FlowOptions::default());
    flow.start(0.0, &[1.0, 0.0]);
    let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
        (dx[0], dx[1]) = (x[1], -x[0] - 0.5 * x[0].abs());
        Ok(())
    };
    let period = PI / 1.5_f64.sqrt() + PI / 0.5_f64.sqrt();
    flow.advance(3.0 * period, &mut rhs).unwrap();
    assert!(
        (flow.x()[0] - 1.0).abs() < 1e-11 && flow.x()[1].abs() < 1e-11,
        "{:?}",
        flow.x()
    );
    assert!(flow.counters().evaluations < 20_000, "{:?}", flow.counters());
}

/// Oracle: x″ = −sign x from 1: |x| + v²/2 = 1 is kept. A jump is passed by very short steps.
#[test]
fn a_jump_in_the_right_hand_side_is_passed() {
    let mut rhs = |_: f64, x: &[f64], dx: &mut [f64]| {
        (dx[0], dx[1]) = (x[1], if x[0] > 0.0 { -1.0 } else { 1.0 });
        Ok(())
    };
    let (ends, _, counters) = run(&[1.0, 0.0], 10.0, &mut rhs, &|_, x| {
        x[0].abs() + 0.5 * x[1] * x[1] - 1.0
    });
    assert!(ends < 1e-9, "{ends:e} {counters:?}");
}

/// x′ = −2tx: a looser tolerance needs fewer evaluations and is met.
#[test]
fn a_looser_tolerance_is_cheaper_and_met() {
    let mut before = u64::MAX;
    for relative in [1e-13, 1e-10, 1e-7, 1e-4] {
        let mut flow = Integrator::new(FlowOptions {
            relative,
            absolute: relative,
            ..FlowOptions::default()
        });
        flow.start(0.0, &[1.0]);
        let mut worst = 0.0_f64;
        while flow.t() < 3.0 {
            let mut rhs = |t: f64, x: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
                dx[0] = -2.0 * t * x[0];
                Ok(())
            };
            let step = flow.step(3.0, &mut rhs).unwrap();
            for k in 0..=30 {
                let t = step.t0() + step.span() * f64::from(k) / 30.0;
                worst = worst.max((step.component(0, t) - (-t * t).exp()).abs());
            }
        }
        assert!(worst <= 10.0 * relative, "{relative}: {worst:e}");
        assert!(
            flow.counters().evaluations < before,
            "{relative}: {:?}, {before} before",
            flow.counters()
        );
        before = flow.counters().evaluations;
    }
}
