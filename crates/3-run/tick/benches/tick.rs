//! What ticks cost: a chain of actors, nested modal models, the bouncing ball of [004 fig. 18] at steps of 1 ms.
#![allow(clippy::panic)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dyverse_actors::{Definition, Direction, Graph, GraphBuilder, ModeTransition, RegionId};
use dyverse_expr::Relation;
use dyverse_tick::{TickOptions, simulate};
use std::hint::black_box;

/// Microsteps of one instant that a run makes.
const TICKS: usize = 100;

/// A counter that chatters, so that every tick is one of a known number.
fn counter(g: &mut GraphBuilder) -> dyverse_actors::SignalId {
    let (count, next) = (g.declare("count"), g.declare("next"));
    let (zero, one, read) = (g.pool.number(0.0), g.pool.number(1.0), g.read(count));
    let sum = g.pool.add(read, one);
    g.define(next, Definition::Expression(sum));
    g.define(
        count,
        Definition::Post {
            value: next,
            init: Some(zero),
        },
    );
    count
}

/// Each actor adds 1 to the one before.
fn chain(length: usize) -> Graph {
    let mut g = GraphBuilder::new("chain");
    let mut before = counter(&mut g);
    for place in 0..length {
        let (read, one) = (g.read(before), g.pool.number(1.0));
        let sum = g.pool.add(read, one);
        before = g.add(format!("a{place}"), Definition::Expression(sum));
    }
    g.record(before);
    g.finish().unwrap_or_else(|e| panic!("{e:?}"))
}

/// Modal models, each in the first mode of the one around it.
fn nested(depth: usize) -> Graph {
    let mut g = GraphBuilder::new("nested");
    let mut value = counter(&mut g);
    let mut region = RegionId::ROOT;
    for level in 0..depth {
        let modal = g.modal(region, format!("m{level}"), None);
        let (first, inside) = g.mode(modal, "first", None);
        let (second, _) = g.mode(modal, "second", None);
        let (read, limit) = (g.read(value), g.pool.number(1e9));
        let guard = g.pool.compare(Relation::Greater, read, limit);
        g.transition(modal, ModeTransition::new(Some(first), second, guard));
        let one = g.pool.number(1.0);
        let sum = g.pool.add(read, one);
        value = g.add_in(inside, format!("x{level}"), Definition::Expression(sum));
        region = inside;
    }
    g.record(value);
    g.finish().unwrap_or_else(|e| panic!("{e:?}"))
}

/// A ball that bounces by impulses, its detector with a tolerance of 1e-4.
fn ball() -> Graph {
    let mut g = GraphBuilder::new("ball");
    let [x, v, force, hit, weight, late] = ["x", "v", "force", "hit", "weight", "late"].map(|n| g.declare(n));
    let (gravity, ten, zero) = (g.pool.number(-9.8), g.pool.number(10.0), g.pool.number(0.0));
    let (factor, tolerance) = (g.pool.number(-1.8), g.pool.number(1e-4));
    g.define(force, Definition::Expression(gravity));
    g.define(
        v,
        Definition::Integrator {
            derivative: force,
            init: zero,
            impulse: Some(late),
            reset: None,
        },
    );
    g.define(
        x,
        Definition::Integrator {
            derivative: v,
            init: ten,
            impulse: None,
            reset: None,
        },
    );
    g.define(
        hit,
        Definition::Cross {
            value: x,
            level: zero,
            direction: Direction::Falling,
            tolerance: Some(tolerance),
        },
    );
    let (read, product) = (g.read(v), g.declare("product"));
    let node = g.pool.multiply(factor, read);
    g.define(product, Definition::Expression(node));
    g.define(
        weight,
        Definition::Sample {
            value: product,
            trigger: hit,
        },
    );
    g.define(
        late,
        Definition::Post {
            value: weight,
            init: None,
        },
    );
    g.record(x);
    g.record(v);
    g.finish().unwrap_or_else(|e| panic!("{e:?}"))
}

fn ticks() -> TickOptions {
    TickOptions {
        until: Some(1.0),
        microstep_limit: Some(TICKS),
        ..TickOptions::default()
    }
}

fn benchmarks(c: &mut Criterion) {
    let run =
        |graph: &Graph, options: &TickOptions| simulate(graph, &mut [], options).map(|t| t.samples.len());
    let mut group = c.benchmark_group("100 ticks of a chain");
    for length in [10, 100, 1000] {
        let graph = chain(length);
        group.bench_function(BenchmarkId::from_parameter(length), |b| {
            b.iter(|| black_box(run(&graph, &ticks())))
        });
    }
    group.finish();
    let deep = nested(100);
    c.bench_function("100 ticks of 100 nested modal models", |b| {
        b.iter(|| black_box(run(&deep, &ticks())))
    });
    let ball = ball();
    for (name, max_step) in [("14 s at 1 ms", Some(1e-3)), ("14 s at free steps", None)] {
        let options = TickOptions {
            until: Some(14.0),
            max_step,
            ..TickOptions::default()
        };
        c.bench_function(&format!("bouncing ball, {name}"), |b| {
            b.iter(|| black_box(run(&ball, &options)))
        });
    }
}

criterion_group!(all, benchmarks);
criterion_main!(all);
