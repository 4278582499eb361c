//! What must hold for every graph.

#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use crate::common;
use common::Model;
use dyverse_actors::{Certainty, Definition, Graph, find_loops};
use dyverse_tick::{TickError, TickOptions, simulate};
use proptest::prelude::*;

/// What a random signal is; operands are places among all signals.
#[derive(Clone, Debug)]
enum Kind {
    Number(i8),
    Sum(usize, usize),
    Default(usize, usize),
    Inhibit(usize, usize),
    Sample(usize, usize),
    Hold(usize),
    Post(usize),
    Cross(usize),
    Integrator(usize, Option<usize>),
    At(u8),
    Clock(u8),
    Present(usize),
}

fn kinds(count: usize) -> impl Strategy<Value = Vec<Kind>> {
    let place = 0..count;
    let kind = prop_oneof![
        any::<i8>().prop_map(Kind::Number),
        (place.clone(), place.clone()).prop_map(|(a, b)| Kind::Sum(a, b)),
        (place.clone(), place.clone()).prop_map(|(a, b)| Kind::Default(a, b)),
        (place.clone(), place.clone()).prop_map(|(a, b)| Kind::Inhibit(a, b)),
        (place.clone(), place.clone()).prop_map(|(a, b)| Kind::Sample(a, b)),
        place.clone().prop_map(Kind::Hold),
        place.clone().prop_map(Kind::Post),
        place.clone().prop_map(Kind::Cross),
        (place.clone(), proptest::option::of(place.clone())).prop_map(|(a, b)| Kind::Integrator(a, b)),
        any::<u8>().prop_map(Kind::At),
        any::<u8>().prop_map(Kind::Clock),
        place.prop_map(Kind::Present),
    ];
    proptest::collection::vec(kind, count)
}

fn build(kinds: &[Kind]) -> Graph {
    let mut m = Model::new("random");
    let ids: Vec<_> = (0..kinds.len()).map(|k| m.id(&format!("s{k}"))).collect();
    for (place, kind) in kinds.iter().enumerate() {
        let definition = match kind {
            Kind::Number(value) => Definition::Expression(m.g.pool.number(f64::from(*value))),
            Kind::Sum(a, b) => {
                let (a, b) = (m.g.read(ids[*a]), m.g.read(ids[*b]));
                Definition::Expression(m.g.pool.add(a, b))
            }
            Kind::Default(a, b) => Definition::Default {
                preferred: ids[*a],
                alternate: ids[*b],
            },
            Kind::Inhibit(a, b) => Definition::Inhibit {
                value: ids[*a],
                inhibit: ids[*b],
            },
            Kind::Sample(a, b) => Definition::Sample {
                value: ids[*a],
                trigger: ids[*b],
            },
            Kind::Hold(a) => Definition::Hold {
                value: ids[*a],
                init: Some(m.e("1")),
            },
            Kind::Post(a) => Definition::Post {
                value: ids[*a],
                init: None,
            },
            Kind::Cross(a) => Definition::Cross {
                value: ids[*a],
                level: m.e("0.5"),
                direction: dyverse_actors::Direction::Both,
                tolerance: None,
            },
            Kind::Integrator(a, impulse) => Definition::Integrator {
                derivative: ids[*a],
                init: m.e("0"),
                impulse: impulse.map(|i| ids[i]),
                reset: None,
            },
            Kind::At(t) => Definition::At {
                events: vec![(m.e(&format!("{}", f64::from(*t) / 128.0)), m.e("2"))],
            },
            Kind::Clock(t) => Definition::Clock {
                period: m.e(&format!("{}", 0.25 + f64::from(*t) / 128.0)),
                offset: m.e("0"),
                value: None,
            },
            Kind::Present(a) => Definition::IsPresent(ids[*a]),
        };
        m.g.define(ids[place], definition);
    }
    m.graph()
}

fn options(shuffle: Option<u64>) -> TickOptions {
    TickOptions {
        until: Some(1.0),
        shuffle,
        microstep_limit: Some(40),
        event_limit: 500,
        sample_every: Some(0.1),
        ..TickOptions::default()
    }
}

/// Everything a run shows, with bits for numbers.
fn shown(graph: &Graph, options: &TickOptions) -> String {
    match simulate(graph, &mut [], options) {
        Ok(trace) => {
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            let samples: Vec<_> = trace.samples.iter().map(|s| (s.time, bits(&s.values))).collect();
            format!("{samples:?} {:?}", trace.stop)
        }
        Err(error) => format!("{error:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_evaluation_does_not_matter(kinds in kinds(9), seed in any::<u64>()) {
        let graph = build(&kinds);
        prop_assert_eq!(shown(&graph, &options(None)), shown(&graph, &options(Some(seed))));
    }

    #[test]
    fn a_graph_without_static_loops_is_constructive(kinds in kinds(9)) {
        let graph = build(&kinds);
        let loops = find_loops(&graph);
        let outcome = simulate(&graph, &mut [], &options(None));
        if loops.is_empty() {
            let is_refused = matches!(outcome, Err(TickError::Nonconstructive { .. }));
            prop_assert!(!is_refused);
        }
        if loops.iter().any(|l| l.certainty == Certainty::Inevitable) {
            let is_refused = matches!(outcome, Err(TickError::Nonconstructive { .. }));
            prop_assert!(is_refused);
        }
    }

    #[test]
    fn a_strict_loop_is_always_refused(length in 1_usize..8, extra in kinds(6)) {
        let mut m = Model::new("ring");
        for k in 0..length {
            m.expr(&format!("r{k}"), &format!("r{} + {k}", (k + 1) % length));
        }
        for (k, kind) in extra.iter().enumerate() {
            if let Kind::Number(value) = kind {
                m.expr(&format!("n{k}"), &format!("r0 * {}", f64::from(*value).abs()));
            }
        }
        let error = m.try_run(1.0).expect_err("a loop");
        let TickError::Nonconstructive { ports, .. } = error else { panic!("{error}") };
        prop_assert_eq!(ports.len(), length);
    }

    #[test]
    fn an_integrator_in_the_loop_is_always_accepted(length in 1_usize..8) {
        let mut m = Model::new("ring");
        for k in 1..length {
            m.expr(&format!("r{k}"), &format!("r{}", (k + 1) % length));
        }
        let next = format!("r{}", 1 % length);
        m.integrator("r0", &format!("-1 * {next}"), "1");
        let trace = m.run(1.0);
        prop_assert!((common::last(&trace, "r0") - (-1.0_f64).exp()).abs() < 1e-12);
    }

    #[test]
    fn microstep_zero_is_the_left_limit(kinds in kinds(9)) {
        let graph = build(&kinds);
        let keeping = TickOptions { keep_pieces: true, ..options(None) };
        let Ok(trace) = simulate(&graph, &mut [], &keeping) else { return Ok(()) };
        for piece in &trace.pieces {
            let Some(sample) = trace.samples.iter().find(|s| s.time.t() == piece.to) else { continue };
            prop_assert_eq!(sample.time.n(), 0);
            for (signal, coefficients) in &piece.signals {
                // Legendre polynomials are 1 at the right end.
                let limit: f64 = coefficients.iter().sum();
                let value = sample.values[signal.0 as usize];
                let size = coefficients.iter().fold(1.0, |s: f64, c| s.max(c.abs()));
                prop_assert!((value - limit).abs() <= 1e-9 * size, "{} {limit} {value}", trace.signals[signal.0 as usize].name);
            }
        }
    }
}
