//! Cost of a step and of a crossing search.

use criterion::{Criterion, criterion_group, criterion_main};
use dyverse_flow::{
    Beginning, CrossingOptions, CrossingSearch, FlowOptions, Integrator, smallest_positive_root,
};
use std::convert::Infallible;
use std::hint::black_box;

/// One entity: position, unit quaternion, velocity, angular velocity (13); weight and a constant spin.
fn fly(x: &[f64], dx: &mut [f64], force: [f64; 3]) {
    dx[..3].copy_from_slice(&x[7..10]);
    let (q, w) = (&x[3..7], &x[10..13]);
    dx[3] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    dx[4] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    dx[5] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    dx[6] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    dx[7..10].copy_from_slice(&force);
    dx[9] -= 9.81;
    // Euler's equations with moments of inertia 1, 2, 3.
    (dx[10], dx[11], dx[12]) = (-w[1] * w[2], w[2] * w[0], -w[0] * w[1] / 3.0);
}

const ENTITY: [f64; 13] = [0.0, 0.0, 10.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 3.0, 0.1, 1.0, 0.2];

fn ballistic(_: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Infallible> {
    fly(x, dx, [0.0; 3]);
    Ok(())
}

fn spring_pair(_: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Infallible> {
    let force: [f64; 3] = std::array::from_fn(|i| 20.0 * (x[13 + i] - x[i]));
    fly(&x[..13], &mut dx[..13], force);
    fly(&x[13..], &mut dx[13..], force.map(|f| -f));
    Ok(())
}

fn started(dimension: usize) -> Integrator {
    let mut flow = Integrator::new(FlowOptions::default());
    let mut x = [ENTITY, ENTITY].concat();
    x[13] = 1.0;
    flow.start(0.0, &x[..dimension]);
    flow
}

fn steps(criterion: &mut Criterion) {
    let mut flow = started(13);
    flow.advance(5.0, &mut ballistic).ok();
    criterion.bench_function("step, ballistic entity with spin (13 states)", |bencher| {
        bencher.iter(|| {
            flow.step(black_box(1e9), &mut ballistic)
                .map(|step| step.t1())
                .ok()
        });
    });
    let mut flow = started(26);
    flow.advance(5.0, &mut spring_pair).ok();
    criterion.bench_function("step, spring pair (26 states)", |bencher| {
        bencher.iter(|| {
            flow.step(black_box(1e9), &mut spring_pair)
                .map(|step| step.t1())
                .ok()
        });
    });
    let mut flow = started(13);
    let mut line = |_: f64, x: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
        dx.fill(0.0);
        dx[..3].copy_from_slice(&x[7..10]);
        dx[9] = -9.81;
        Ok(())
    };
    flow.advance(5.0, &mut line).ok();
    criterion.bench_function("step, ballistic entity without spin (13 states)", |bencher| {
        bencher.iter(|| {
            flow.restart(0.0, &ENTITY);
            flow.step(black_box(1.0), &mut line).map(|step| step.t1()).ok()
        });
    });
}

fn crossings(criterion: &mut Criterion) {
    let mut flow = started(13);
    flow.advance(1.0, &mut ballistic).ok();
    let step = match flow.step(10.0, &mut ballistic) {
        Ok(step) => step.clone(),
        Err(_) => return,
    };
    let mut search = CrossingSearch::new(CrossingOptions::default());
    let (t0, t1) = (step.t0(), step.t1());
    let middle = step.component(2, 0.5 * (t0 + t1));
    criterion.bench_function("dense output, one component", |bencher| {
        bencher.iter(|| step.component(2, black_box(t0 + 0.3)));
    });
    criterion.bench_function("search, nothing near", |bencher| {
        bencher.iter(|| search.first(&mut |t| step.component(2, t) + 100.0, t0, t1, Beginning::Fresh));
    });
    criterion.bench_function("search, one crossing", |bencher| {
        bencher.iter(|| search.first(&mut |t| step.component(2, t) - middle, t0, t1, Beginning::Fresh));
    });
    criterion.bench_function("search, leaving the level", |bencher| {
        let start = step.component(2, t0);
        bencher.iter(|| search.first(&mut |t| start - step.component(2, t), t0, t1, Beginning::Fresh));
    });
    let quartic = [3.0, -4.0, 1.5, 0.3, 0.2];
    criterion.bench_function("smallest positive root, quartic without root", |bencher| {
        bencher.iter(|| smallest_positive_root(black_box(&quartic), 3.0, None));
    });
    let quartic = [3.0, -5.0, 1.5, 0.3, 0.2];
    criterion.bench_function("smallest positive root, quartic", |bencher| {
        bencher.iter(|| smallest_positive_root(black_box(&quartic), 3.0, None));
    });
}

criterion_group!(benches, steps, crossings);
criterion_main!(benches);
