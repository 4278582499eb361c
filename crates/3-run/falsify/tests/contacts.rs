//! Contact quantities, impacts and microsteps; robustness beside brute force.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_falsify::{ActorProperty, GraphExperiment, SearchOptions, Unmeasurable, search};
use dyverse_simulate::RunOptions;
use dyverse_tick::TickOptions;
use dyverse_trace::Trace;
use proptest::prelude::*;
use std::ops::ControlFlow;
use support::{actors, measured, model};

/// A ball of radius 0.5 that falls from y = 1.75 on a floor under 10 m/s²: it strikes at t = 0.5 with 5 m/s and leaves with 4 m/s.
fn bounce(property: &str) -> String {
    format!(
        "system bounce
         entity ball {{ sphere(radius = 0.5)  mass = 2  position = (0, 1.75, 0) }}
         fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = 0.8  friction = 0 }}
         gravity (0, -10, 0)
         horizon 0.6
         property p: {property}"
    )
}

#[test]
fn both_sides_of_an_impact_count() {
    let down = measured(&bounce("always ball.vy > -4.9"));
    assert!((down.value + 0.1).abs() < 1e-11 && down.is_violated(), "{down:?}");
    assert!((down.first.unwrap().t() - 0.49).abs() < 1e-11);
    assert_eq!(down.worst.n(), 0, "{down:?}");
    let up = measured(&bounce("always ball.vy < 3.9"));
    assert!((up.value + 0.1).abs() < 1e-11, "{up:?}");
    let first = up.first.unwrap();
    assert!((first.t() - 0.5).abs() < 1e-12 && first.n() > 0, "{up:?}");
    // A speed that is between the two is only jumped over.
    let between = measured(&bounce("always (ball.vy < 0.5 or ball.vy > 0.6)"));
    assert!(
        !between.is_violated() && between.value >= 0.5 - 1e-11,
        "{between:?}"
    );
}

#[test]
fn gaps_and_their_velocities() {
    let gap = measured(&bounce("always [0, 0.4] gap(ball, floor) > 0.5"));
    // 1.25 − 5 · 0.16 = 0.45.
    assert!((gap.value + 0.05).abs() < 1e-11, "{gap:?}");
    let normal = measured(&bounce("always normal_velocity(ball, floor) > -4"));
    assert!((normal.value + 1.0).abs() < 1e-11, "{normal:?}");
    // They touch from a gap of 1e-9 on, which closes at 5 m/s.
    let never = measured(&bounce("never touching(ball, floor)"));
    assert!(
        never.value == -1.0 && (never.first.unwrap().t() - (0.5 - 2e-10)).abs() < 1e-14,
        "{never:?}"
    );
    // Before the impact the gap says how near a touch is.
    let near = measured(&bounce("never [0, 0.4] touching(ball, floor)"));
    assert!((near.value - (0.45 - 1e-9)).abs() < 1e-11, "{near:?}");
    let kept = measured(&bounce("always [0.1, 0.2] touching(ball, floor)"));
    // 1.25 − 5 · 0.01 at the beginning is the farthest.
    assert!(
        (kept.value + 1.2 - 1e-9).abs() < 1e-11 && kept.is_violated(),
        "{kept:?}"
    );
}

/// At the moments before and after an impact a pair touches, with the velocities of the moment.
#[test]
fn touching_at_an_impact() {
    for (property, value) in [
        ("never (touching(ball, floor) and ball.vy < -4.9)", -0.1),
        ("never (touching(ball, floor) and ball.vy > 3.9)", -0.1),
        (
            "never (touching(ball, floor) and normal_velocity(ball, floor) > 3.5)",
            -0.5,
        ),
        ("never (touching(ball, floor) and ball.vy > 4.1)", 0.1),
        ("never (touching(ball, floor) and ball.vy < -5.1)", 0.1),
        // Nothing is held by an impulse.
        (
            "never (touching(ball, floor) and normal_force(ball, floor) > 0.5)",
            0.5,
        ),
    ] {
        let found = measured(&bounce(property));
        assert!((found.value - value).abs() < 1e-8, "{property}: {found:?}");
        assert_eq!(found.is_violated(), value < 0.0, "{property}");
    }
}

/// A block-like ball of mass 2 that lies on the floor and is pulled sideways with a force that grows as 4 t under 10 m/s², μ = 0.5.
fn pulled(property: &str) -> String {
    format!(
        "system pulled
         entity ball {{ sphere(radius = 0.5)  mass = 2  inertia = (1e9, 1e9, 1e9)  position = (0, 0.5, 0) }}
         fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = 0  friction = 0.5 }}
         gravity (0, -10, 0)
         force on ball = (4 * time, 0, 0)
         horizon 4
         property p: {property}"
    )
}

#[test]
fn forces_of_a_contact_that_sticks_and_slips() {
    let normal = measured(&pulled("always abs(normal_force(ball, floor) - 20) < 1e-6"));
    assert!(normal.value > 0.9e-6, "{normal:?}");
    // Friction holds up to 10 N, which the pull reaches at t = 2.5, and stays there.
    let friction = measured(&pulled("always friction_force(ball, floor) < 8"));
    assert!((friction.value + 2.0).abs() < 1e-5, "{friction:?}");
    assert!((friction.first.unwrap().t() - 2.0).abs() < 1e-5, "{friction:?}");
    let below = measured(&pulled("always friction_force(ball, floor) < 10.1"));
    assert!((below.value - 0.1).abs() < 1e-5, "{below:?}");
    // v = (t − 2.5)² from 2.5 on.
    let slips = measured(&pulled("always slip_speed(ball, floor) < 1"));
    assert!((slips.value + 1.25).abs() < 1e-4, "{slips:?}");
    assert!((slips.first.unwrap().t() - 3.5).abs() < 1e-4, "{slips:?}");
    let touching = measured(&pulled("always touching(ball, floor)"));
    assert_eq!(touching.value, 1.0);
    let open = measured(&bounce("always normal_force(ball, floor) < 1"));
    assert!((open.value - 1.0).abs() < 1e-12, "{open:?}");
}

const CRADLE: &str = include_str!("../../../../examples/actors/newtons_cradle.dam");
const BALLS: &str = include_str!("../../../../examples/actors/balls.dam");

fn cradle(property: &str) -> (dyverse_lang::ActorModel, TickOptions, Trace) {
    let recorded = "record left.x, left.v, middle.x, middle.v, right.x, right.v";
    assert!(CRADLE.contains(recorded));
    // Of what the property reads the model records nothing.
    let text = CRADLE
        .replace("import \"balls.dam\"", BALLS)
        .replace(recorded, "record right.x");
    let model = actors(&format!("{text}\nproperty p: {property}\n"));
    let mut options = TickOptions {
        keep_pieces: true,
        ..TickOptions::default()
    };
    let reads = ActorProperty::new(&model.graph, "p").unwrap().reads().to_vec();
    options.record = reads;
    let trace = dyverse_tick::simulate(&model.graph, &mut [], &options).unwrap();
    (model, options, trace)
}

#[test]
fn a_value_of_one_microstep_counts() {
    // The middle ball has the momentum only in the middle of the instant t = 4.
    let (model, options, trace) = cradle("always middle.v < 0.5");
    let found = ActorProperty::new(&model.graph, "p").unwrap();
    let found = found.robustness(&options, &trace).unwrap();
    assert!((found.value + 0.5).abs() < 1e-9, "{found:?}");
    let first = found.first.unwrap();
    assert!((first.t() - 4.0).abs() < 1e-9 && first.n() > 0, "{found:?}");
    // Not before and not after.
    let (model, options, trace) =
        cradle("always [0, 3.999] middle.v < 0.5 and always [4.001, 10] middle.v < 0.5");
    let found = ActorProperty::new(&model.graph, "p").unwrap();
    let found = found.robustness(&options, &trace).unwrap();
    assert!((found.value - 0.5).abs() < 1e-9, "{found:?}");
    assert_eq!(trace.signals.len(), 2);
    // Without what the property reads, and without pieces, nothing is said.
    let poor = |record: bool, keep_pieces: bool| {
        let options = TickOptions {
            record: options.record.iter().copied().filter(|_| record).collect(),
            keep_pieces,
            ..TickOptions::default()
        };
        let trace = dyverse_tick::simulate(&model.graph, &mut [], &options).unwrap();
        ActorProperty::new(&model.graph, "p")
            .unwrap()
            .robustness(&options, &trace)
    };
    assert_eq!(poor(false, true), Err(Unmeasurable::NoSignal("middle.v".into())));
    assert_eq!(poor(true, false), Err(Unmeasurable::NoPieces));
    assert!(poor(true, true).is_ok());
}

const THERMOSTAT: &str = include_str!("../../../../examples/actors/thermostat.dam");

#[test]
fn a_thermostat_that_warms_too_slowly() {
    // T(600) = (o + 40) − (o + 25) e^(−0.3) reaches 20 if o > (e^(−0.3) 25 − 20)/(1 − e^(−0.3)).
    let text = format!(
        "{THERMOSTAT}\nproperty quick: eventually [0, 600] T >= 20\nproperty cool: always [0, 7200] T <= 21.000001\n"
    );
    let model = actors(&text);
    let graph = &model.graph;
    let run = |options: &TickOptions| dyverse_tick::simulate(graph, &mut [], options);
    let decay = (-0.3_f64).exp();
    let limit = (25.0 * decay - 20.0) / (1.0 - decay);
    let experiment = GraphExperiment::new(graph, "quick", TickOptions::default(), run).unwrap();
    let options = SearchOptions {
        budget: 40,
        stop_at_first: false,
        ..SearchOptions::default()
    };
    let outcome = search(&experiment, &options, &mut |_| ControlFlow::Continue(()));
    let witness = outcome.found.unwrap();
    assert_eq!(witness.values, vec![("outside".to_owned(), -10.0)]);
    let expected = 30.0 - 15.0 * decay - 20.0;
    assert!(
        (witness.robustness.value - expected).abs() < 1e-8,
        "{witness:?} {expected}"
    );
    assert_eq!(witness.robustness.first.unwrap().t(), 600.0);
    let fixed = |outside: f64| {
        let options = TickOptions {
            parameters: vec![("outside".into(), outside)],
            ..TickOptions::default()
        };
        let experiment = GraphExperiment::new(graph, "quick", options, run).unwrap();
        search(&experiment, &SearchOptions::default(), &mut |_| {
            ControlFlow::Continue(())
        })
    };
    assert!(fixed(limit - 1e-3).found.is_some() && fixed(limit + 1e-3).found.is_none());
    let experiment = GraphExperiment::new(graph, "cool", TickOptions::default(), run).unwrap();
    let outcome = search(&experiment, &options, &mut |_| ControlFlow::Continue(()));
    assert!(outcome.found.is_none() && outcome.failures == 0, "{outcome:?}");
}

/// A formula in negation normal form.
#[derive(Clone, Debug)]
enum Tree {
    Atom(usize, f64),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Always(f64, f64, Box<Tree>),
    Eventually(f64, f64, Box<Tree>),
    Until(f64, f64, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Tree::Atom(0, c) => format!("(ball.y > {c})"),
            Tree::Atom(1, c) => format!("(ball.vy < {c})"),
            Tree::Atom(2, c) => format!("(abs(ball.vy) > {c})"),
            Tree::Atom(3, c) => format!("(gap(ball, floor) < {c})"),
            Tree::Atom(_, c) => format!("(not (ball.y * ball.vy > {c}))"),
            Tree::And(a, b) => format!("({} and {})", a.text(), b.text()),
            Tree::Or(a, b) => format!("({} or {})", a.text(), b.text()),
            Tree::Always(a, b, f) => format!("(always [{a}, {b}] {})", f.text()),
            Tree::Eventually(a, b, f) => format!("(eventually [{a}, {b}] {})", f.text()),
            Tree::Until(a, b, f, g) => format!("({} until [{a}, {b}] {})", f.text(), g.text()),
        }
    }

    /// At every sample, by the definition, with windows longer for `always` and shorter for `eventually` by `eps` (or the other way round if it is below 0).
    fn brute(&self, samples: &[(f64, f64, f64)], eps: f64) -> Vec<f64> {
        let n = samples.len();
        let time = |i: usize| samples[i].0;
        match self {
            Tree::Atom(kind, c) => samples
                .iter()
                .map(|(_, y, v)| match kind {
                    0 => y - c,
                    1 => c - v,
                    2 => v.abs() - c,
                    3 => c - (y - 0.5),
                    _ => c - y * v,
                })
                .collect(),
            Tree::And(a, b) => pairs(a.brute(samples, eps), b.brute(samples, eps), f64::min),
            Tree::Or(a, b) => pairs(a.brute(samples, eps), b.brute(samples, eps), f64::max),
            Tree::Always(a, b, f) => {
                let f = f.brute(samples, eps);
                let within =
                    |i: usize, j: usize| time(j) >= time(i) + a - eps && time(j) <= time(i) + b + eps;
                let at = |i| {
                    (i..n)
                        .filter(|j| within(i, *j))
                        .map(|j| f[j])
                        .fold(f64::INFINITY, f64::min)
                };
                (0..n).map(at).collect()
            }
            Tree::Eventually(a, b, f) => {
                let f = f.brute(samples, eps);
                let within =
                    |i: usize, j: usize| time(j) >= time(i) + a + eps.min(*a) && time(j) <= time(i) + b - eps;
                let at = |i| {
                    (i..n)
                        .filter(|j| within(i, *j))
                        .map(|j| f[j])
                        .fold(f64::NEG_INFINITY, f64::max)
                };
                (0..n).map(at).collect()
            }
            Tree::Until(a, b, f, g) => {
                let (f, g) = (f.brute(samples, eps), g.brute(samples, eps));
                let at = |i: usize| {
                    let (mut best, mut held) = (f64::NEG_INFINITY, f64::INFINITY);
                    for j in i..n {
                        if time(j) >= time(i) + a + eps.min(*a) && time(j) <= time(i) + b - eps {
                            best = best.max(g[j].min(held));
                        }
                        held = held.min(f[j]);
                    }
                    best
                };
                (0..n).map(at).collect()
            }
        }
    }
}

fn pairs(a: Vec<f64>, b: Vec<f64>, f: fn(f64, f64) -> f64) -> Vec<f64> {
    a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
}

fn tree() -> impl Strategy<Value = Tree> {
    let atom = (0_usize..5, -3.0..3.0).prop_map(|(kind, c)| Tree::Atom(kind, c));
    atom.prop_recursive(3, 12, 2, |inner| {
        let window = (0_u32..5, 1_u32..5).prop_map(|(a, l)| (f64::from(a) / 16.0, f64::from(a + l) / 16.0));
        let boxed = inner.prop_map(Box::new);
        prop_oneof![
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Tree::And(a, b)),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Tree::Or(a, b)),
            (window.clone(), boxed.clone()).prop_map(|((a, b), f)| Tree::Always(a, b, f)),
            (window.clone(), boxed.clone()).prop_map(|((a, b), f)| Tree::Eventually(a, b, f)),
            (window, boxed.clone(), boxed).prop_map(|((a, b), f, g)| Tree::Until(a, b, f, g)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn robustness_is_that_of_brute_force(tree in tree(), y in 0.6..2.0, v in -3.0..3.0, e in 0.3..0.9) {
        let text = format!(
            "system bounce
             entity ball {{ sphere(radius = 0.5)  mass = 1  position = (0, {y}, 0)  velocity = (0, {v}, 0) }}
             fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
             contact ball, floor {{ restitution = {e}  friction = 0 }}
             gravity (0, -10, 0)
             horizon 2
             property p: always [0, 0] {}",
            tree.text()
        );
        let found = measured(&text);
        let model = model(&text);
        let dt = 1.0 / 1024.0;
        let options = RunOptions { sample_every: Some(dt), ..RunOptions::default() };
        let trace = dyverse_simulate::simulate(&model, &options).unwrap();
        let (iy, iv) = (trace.signal("ball.y").unwrap().0 as usize, trace.signal("ball.vy").unwrap().0 as usize);
        let samples: Vec<(f64, f64, f64)> =
            trace.samples.iter().map(|s| (s.time.t(), s.values[iy], s.values[iv])).collect();
        let (low, high) = (tree.brute(&samples, 1.5 * dt)[0], tree.brute(&samples, -1.5 * dt)[0]);
        // The fastest atom, y vy, changes by less than 80 a second.
        let slack = 80.0 * dt;
        prop_assert!(found.value >= low - slack && found.value <= high + slack, "{} {found:?} {low} {high}", tree.text());
    }
}
