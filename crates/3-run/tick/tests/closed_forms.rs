//! Each construct in a small graph, against closed forms.

#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use crate::common;
use common::{Model, at, close, last};
use dyverse_actors::{Definition, Direction, RegionId};
use dyverse_tick::{InputSignal, TickError, TickOptions, TickWatch};
use dyverse_trace::{StopReason, TransitionKind};
use std::ops::ControlFlow;

#[test]
fn growth() {
    let mut m = Model::new("growth");
    m.integrator("y", "1 + y", "0");
    let trace = m.run(2.0);
    close(last(&trace, "y"), 2.0_f64.exp() - 1.0, 1e-12);
    assert_eq!(trace.stop.reason, StopReason::HorizonReached);
    assert_eq!(trace.stop.time.t(), 2.0);
}

#[test]
fn a_strict_loop_is_refused_with_its_ports() {
    let mut m = Model::new("strict");
    m.expr("x", "y + 1");
    m.expr("y", "x + z");
    m.expr("z", "1");
    let error = m.try_run(1.0).expect_err("a causality loop");
    let TickError::Nonconstructive {
        time,
        ports,
        remedies,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((time.t(), time.n()), (0.0, 0));
    assert_eq!(ports, &["y", "x"]);
    assert_eq!(remedies.len(), 2);
    assert!(error.to_string().contains("y -> x -> y"), "{error}");
}

#[test]
fn a_microstep_delay_in_the_loop_chatters() {
    let mut m = Model::new("fby");
    m.post("f", "g", Some("0"));
    m.expr("g", "f + h");
    m.expr("h", "1");
    let trace = m.run(1.0);
    let StopReason::Chattering {
        microsteps,
        period,
        changing,
    } = &trace.stop.reason
    else {
        panic!("{:?}", trace.stop)
    };
    assert_eq!((*microsteps, *period), (1000, None));
    let names: Vec<&str> = changing.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["g", "f"]);
    assert_eq!(changing[1].values.last(), Some(&999.0));
    assert_eq!(at(&trace, "f", 0.0)[..3], [0.0, 1.0, 2.0]);
    assert_eq!(at(&trace, "g", 0.0)[..3], [1.0, 2.0, 3.0]);
}

#[test]
fn a_cycle_at_one_instant_is_found_at_once() {
    let mut m = Model::new("flip");
    m.post("f", "1 - f", Some("0"));
    let trace = m.run(1.0);
    let StopReason::Chattering { period, .. } = &trace.stop.reason else {
        panic!("{:?}", trace.stop)
    };
    assert_eq!(*period, Some(2));
    assert!(trace.stop.time.n() < 40);
}

#[test]
fn a_delayed_constant_settles() {
    let mut m = Model::new("settles");
    m.post("f", "3 + 0 * f", Some("0"));
    let trace = m.run(1.0);
    assert_eq!(trace.stop.reason, StopReason::HorizonReached);
    assert_eq!(at(&trace, "f", 0.0), [0.0, 3.0]);
}

#[test]
fn a_delayed_continuous_signal_is_refused() {
    let mut m = Model::new("lag");
    m.integrator("x", "1", "0");
    m.post("f", "x", None);
    let error = m.try_run(1.0).expect_err("steps of the solver would show");
    assert!(matches!(error, TickError::NotDiscrete { .. }), "{error}");
}

/// Two balls of diameter 1 [004 fig. 7].
fn two_balls(tolerance: Option<&str>) -> Model {
    let mut m = Model::new("collision");
    m.pushed("v1", "0", "1", "i1");
    m.integrator("x1", "v1", "0");
    m.pushed("v2", "0", "0", "i2");
    m.integrator("x2", "v2", "5");
    m.cross("hit", "x2 - x1 - 1", Direction::Falling, tolerance);
    let impact = m.enabled("impact", "hit");
    m.within(impact, |m| {
        m.expr("f1", "v2 - v1");
        m.expr("f2", "v1 - v2");
    });
    m.post("i1", "f1", None);
    m.post("i2", "f2", None);
    m
}

#[test]
fn equal_balls_exchange_velocities() {
    let trace = two_balls(None).run(10.0);
    close(last(&trace, "x2"), 11.0, 1e-12);
    close(last(&trace, "x1"), 4.0, 1e-12);
    assert_eq!(at(&trace, "v1", 4.0), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(at(&trace, "v2", 4.0), [0.0, 0.0, 1.0, 1.0]);
    let events: Vec<_> = trace.transitions.iter().map(|t| (t.time.n(), t.kind)).collect();
    assert_eq!(events, [(0, TransitionKind::Event), (2, TransitionKind::Event)]);
    let coarse = two_balls(Some("1e-4")).run(10.0);
    close(last(&coarse, "x2"), 11.0, 1e-4);
    assert!(last(&coarse, "x2") < 11.0 - 1e-6, "the event is beyond the level");
}

#[test]
fn without_the_delay_the_loop_goes_through_the_impulses() {
    let mut m = Model::new("capacitors");
    m.pushed("u", "0", "1", "du");
    m.pushed("v", "0", "0", "dv");
    m.at("close", &[("1", "1")]);
    let switch = m.enabled("switch", "close");
    m.region = switch;
    let du = m.id("half.u");
    let dv = m.id("half.v");
    m.expr("half.u", "(v - u) / 2");
    m.expr("half.v", "(u - v) / 2");
    m.region = RegionId::ROOT;
    m.g.define(m.g.find("du").unwrap(), Definition::Merge(vec![du]));
    m.g.define(m.g.find("dv").unwrap(), Definition::Merge(vec![dv]));
    let loops = dyverse_actors::find_loops(&m.g.clone().finish().unwrap());
    assert!(!loops.is_empty());
    let error = m.try_run(2.0).expect_err("nonconstructive at t = 1");
    let TickError::Nonconstructive {
        time,
        ports,
        remedies,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((time.t(), time.n()), (1.0, 1));
    assert!(
        ports.contains(&"u.impulse".to_owned()) && ports.contains(&"v.impulse".to_owned()),
        "{error}"
    );
    assert_eq!(remedies.len(), 2, "{error}");
}

#[test]
fn with_the_delay_charge_is_kept_and_energy_is_not() {
    let mut m = Model::new("capacitors");
    m.pushed("u", "0", "1", "du");
    m.pushed("v", "0", "0", "dv");
    m.at("close", &[("1", "1")]);
    let switch = m.enabled("switch", "close");
    m.within(switch, |m| {
        m.expr("half.u", "(v - u) / 2");
        m.expr("half.v", "(u - v) / 2");
    });
    m.post("du", "half.u", None);
    m.post("dv", "half.v", None);
    let trace = m.run(2.0);
    assert_eq!((last(&trace, "u"), last(&trace, "v")), (0.5, 0.5));
    assert_eq!(at(&trace, "u", 1.0), [1.0, 1.0, 0.5, 0.5]);
}

#[test]
fn impulses_at_microstep_zero_are_no_discrete_signal() {
    let mut m = Model::new("impulse");
    m.pushed("v", "0", "0", "i");
    m.expr("i", "if(time >= 1, 2, 0)");
    let error = m.try_run(2.0).expect_err("an impulse at microstep 0");
    let TickError::ImpulseAtMicrostepZero { time, weight, .. } = error else {
        panic!("{error}")
    };
    close(time.t(), 1.0, 1e-12);
    assert_eq!((time.n(), weight), (0, 2.0));
}

/// The bouncing ball as a history transition [004 fig. 25].
fn bouncing() -> Model {
    let mut m = Model::new("bounce");
    let ball = m.g.modal(RegionId::ROOT, "ball", None);
    let (falling, region) = m.g.mode(ball, "falling", None);
    m.within(region, |m| {
        m.integrator("v", "-9.8", "0");
        m.integrator("x", "v", "10");
    });
    let mut bounce = m.transition(falling, falling, "x <= 0 and v < 0", &[("v", "-0.8 * v")]);
    bounce.is_history = true;
    m.g.transition(ball, bounce);
    m
}

#[test]
fn a_history_transition_bounces() {
    let trace = bouncing().run(12.0);
    let fall = (20.0_f64 / 9.8).sqrt();
    let times: Vec<f64> = trace.transitions.iter().map(|t| t.time.t()).collect();
    let (mut expected, mut flight) = (fall, 2.0 * fall * 0.8);
    for (k, t) in times.iter().enumerate().take(10) {
        close(*t, expected, 1e-11);
        assert_eq!(trace.transitions[k].kind, TransitionKind::Mode);
        assert_eq!(trace.transitions[k].time.n(), 1);
        expected += flight;
        flight *= 0.8;
    }
    let v = at(&trace, "v", fall);
    close(v[0], -9.8 * fall, 1e-11);
    close(v[2], 0.8 * 9.8 * fall, 1e-11);
}

#[test]
fn an_accumulation_of_events_is_recognised() {
    let trace = bouncing().run(20.0);
    let StopReason::ZenoSuspected { limit, ratio, events } = &trace.stop.reason else {
        panic!("{:?}", trace.stop)
    };
    close(*limit, (20.0_f64 / 9.8).sqrt() * 9.0, 1e-8);
    close(*ratio, 0.8, 1e-3);
    assert_eq!(events.len(), 1);
}

#[test]
fn a_detector_with_a_tolerance_lets_the_ball_tunnel() {
    let mut m = Model::new("tunnel");
    m.pushed("v", "-9.8", "0", "i");
    m.integrator("x", "v", "10");
    m.cross("hit", "x", Direction::Falling, Some("1e-4"));
    let bounce = m.enabled("bounce", "hit");
    m.within(bounce, |m| {
        m.expr("f", "-1.8 * v");
    });
    m.post("i", "f", None);
    let trace = m
        .try_run_with(TickOptions {
            until: Some(14.0),
            max_step: Some(1e-3),
            ..TickOptions::default()
        })
        .unwrap();
    assert_eq!(trace.stop.reason, StopReason::HorizonReached);
    let hits: Vec<f64> = trace
        .transitions
        .iter()
        .filter(|t| !t.guard.is_empty())
        .map(|t| t.time.t())
        .collect();
    close(hits[0], 1.428571, 1e-4);
    close(hits[1], 3.714286, 1e-4);
    close(*hits.last().unwrap(), 12.836, 2e-3);
    assert!(last(&trace, "x") < -6.0, "it tunnels");
}

#[test]
fn the_diode_switches_at_three_quarters_of_pi() {
    let mut m = Model::new("diode");
    let circuit = m.g.modal(RegionId::ROOT, "circuit", None);
    let (forward, inside) = m.g.mode(circuit, "forward", None);
    m.within(inside, |m| {
        m.integrator("f.i", "-f.v", "1");
        m.integrator("f.v", "f.i", "-1");
        m.expr("f.u", "-f.v");
    });
    let (reverse, inside) = m.g.mode(circuit, "reverse", None);
    m.within(inside, |m| {
        m.expr("r.i", "0");
        m.integrator("r.v", "0", "0");
        m.expr("r.w", "-r.v");
    });
    m.merge("i", &["f.i", "r.i"]);
    m.merge("v", &["f.v", "r.v"]);
    m.go(
        circuit,
        forward,
        reverse,
        "f.i <= 0 and time > 0.1",
        &[("r.v", "f.v")],
    );
    let trace = m.run(4.0);
    let switch = 0.75 * std::f64::consts::PI;
    close(trace.transitions[0].time.t(), switch, 1e-12);
    close(last(&trace, "v"), 2.0_f64.sqrt(), 1e-12);
    assert_eq!(last(&trace, "i"), 0.0);
    assert!(last(&trace, "f.v").is_nan() && !last(&trace, "r.w").is_nan());
}

#[test]
fn kinks_of_the_right_hand_side_are_located() {
    // x' = |t − 1|, y' = sign(sin t), z' = min(t, 2), w' = floor(t), q' = if t < 0.5 then 1 else 3
    let mut m = Model::new("kinks");
    m.integrator("x", "abs(time - 1)", "0");
    m.integrator("y", "sign(sin(time))", "0");
    m.integrator("z", "min(time, 2)", "0");
    m.integrator("w", "floor(time)", "0");
    m.integrator("q", "if(time < 0.5, 1, 3)", "0");
    let trace = m.run(4.0);
    close(last(&trace, "x"), 0.5 + 4.5, 1e-12);
    close(last(&trace, "y"), 2.0 * std::f64::consts::PI - 4.0, 1e-11);
    close(last(&trace, "z"), 2.0 + 4.0, 1e-12);
    close(last(&trace, "w"), 6.0, 1e-11);
    close(last(&trace, "q"), 0.5 + 10.5, 1e-11);
}

#[test]
fn sliding_along_a_switch_is_reported() {
    let mut m = Model::new("slides");
    m.integrator("x", "if(x > 0, -1, 1)", "1");
    let trace = m.run(3.0);
    assert!(
        matches!(trace.stop.reason, StopReason::Sliding { .. }),
        "{:?}",
        trace.stop
    );
    close(trace.stop.time.t(), 1.0, 1e-9);
    close(last(&trace, "x"), 0.0, 1e-9);
}

#[test]
fn clocks_hold_sample_and_delays() {
    let mut m = Model::new("clocks");
    m.clock("tick", "0.5", "0.25");
    m.expr("time2", "time * time");
    let (value, trigger) = (m.id("time2"), m.id("tick"));
    let sampled = m.def("sampled", Definition::Sample { value, trigger });
    let init = Some(m.e("-1"));
    m.def("held", Definition::Hold { value: sampled, init });
    let by = m.e("0.1");
    m.def("late", Definition::Delay { value: sampled, by });
    m.integrator("sum", "held", "0");
    let trace = m.run(1.0);
    // −1 · 0.25 + 0.0625 · 0.5 + 0.5625 · 0.25
    close(last(&trace, "sum"), -0.25 + 0.03125 + 0.140625, 1e-12);
    assert!(
        at(&trace, "tick", 0.25)[0].is_nan(),
        "microstep 0 is the left limit"
    );
    assert_eq!(at(&trace, "tick", 0.25)[1], 1.0);
    assert_eq!(at(&trace, "held", 0.75)[..2], [0.0625, 0.5625]);
    let late = at(&trace, "late", 0.25 + 0.1);
    assert!(
        late[0].is_nan() && late[1] == 0.0625 && late[2].is_nan(),
        "{late:?}"
    );
    let error = {
        let mut m = Model::new("delay");
        m.integrator("x", "1", "0");
        let (value, by) = (m.id("x"), m.e("1"));
        m.def("late", Definition::Delay { value, by });
        m.try_run(1.0).expect_err("a continuous signal")
    };
    assert!(matches!(error, TickError::NotDiscrete { .. }));
}

#[test]
fn default_inhibit_and_presence() {
    let mut m = Model::new("default");
    m.at("a", &[("1", "10"), ("2", "11")]);
    m.at("b", &[("1", "20"), ("3", "21")]);
    let (a, b) = (m.id("a"), m.id("b"));
    m.def(
        "either",
        Definition::Default {
            preferred: a,
            alternate: b,
        },
    );
    m.def("only_b", Definition::Inhibit { value: b, inhibit: a });
    m.def("is_a", Definition::IsPresent(a));
    m.def("no_a", Definition::IsAbsent(a));
    m.expr("both", "a + b");
    let trace = m.run(4.0);
    let value = |name: &str, t: f64| at(&trace, name, t)[1];
    assert_eq!(
        (value("either", 1.0), value("either", 2.0), value("either", 3.0)),
        (10.0, 11.0, 21.0)
    );
    assert!(value("only_b", 1.0).is_nan() && value("only_b", 3.0) == 21.0);
    assert_eq!(
        (value("both", 1.0), value("is_a", 2.0), value("no_a", 3.0)),
        (30.0, 1.0, 1.0)
    );
    assert!(value("both", 2.0).is_nan());
}

#[test]
fn parameters_and_tables() {
    let mut m = Model::new("inputs");
    let origin = dyverse_diag_origin();
    let zero = m.g.pool.number(0.0);
    let input = m.g.input(dyverse_model::Input {
        name: "u".into(),
        range: None,
        default: zero,
        origin,
    });
    let two = m.g.pool.number(2.0);
    let k = m.g.parameter(dyverse_model::Parameter {
        name: "k".into(),
        kind: dyverse_model::ParameterKind::Fixed(two),
        origin,
    });
    let (u, k) = (m.g.read_input(input), m.g.read_parameter(k));
    let product = m.g.pool.multiply(u, k);
    let derivative = m.def("dx", Definition::Expression(product));
    m.def(
        "x",
        Definition::Integrator {
            derivative,
            init: zero,
            impulse: None,
            reset: None,
        },
    );
    let graph = m.graph();
    let table = InputSignal::Table {
        times: vec![0.0, 1.0, 2.0],
        values: vec![0.0, 1.0, 0.0],
    };
    let options = TickOptions {
        until: Some(3.0),
        inputs: vec![("u".into(), table)],
        parameters: vec![("k".into(), 5.0)],
        ..TickOptions::default()
    };
    let trace = dyverse_tick::simulate(&graph, &mut [], &options).unwrap();
    close(last(&trace, "x"), 5.0, 1e-12);
    // What is recorded already is not recorded twice, and what is not there not at all.
    let count = trace.signals.len();
    let more = TickOptions {
        record: vec![graph.record()[0], dyverse_actors::SignalId(10_000)],
        ..options
    };
    let again = dyverse_tick::simulate(&graph, &mut [], &more).unwrap();
    assert_eq!(again.signals.len(), count);
    assert_eq!(again, trace);
    let unknown = TickOptions {
        until: Some(1.0),
        parameters: vec![("q".into(), 1.0)],
        ..TickOptions::default()
    };
    assert_eq!(
        dyverse_tick::simulate(&graph, &mut [], &unknown).unwrap_err(),
        TickError::UnknownParameter("q".into())
    );
    assert_eq!(
        dyverse_tick::simulate(&graph, &mut [], &TickOptions::default()).unwrap_err(),
        TickError::NoHorizon
    );
}

fn dyverse_diag_origin() -> dyverse_diag::Origin {
    let mut map = dyverse_diag::SourceMap::default();
    let file = map.add("test", "text");
    dyverse_diag::Origin::new(file, 0, 0)
}

/// Two events 2e-12 s apart: the piece between them is the motion all the same. Oracle: e^(−t).
#[test]
fn a_piece_of_a_few_thousand_roundings() {
    let mut m = Model::new("short");
    m.at("go", &[("0.5", "1"), ("0.500000000002", "1")]);
    m.integrator("x", "-1 * x", "1");
    let options = TickOptions {
        until: Some(1.0),
        keep_pieces: true,
        ..TickOptions::default()
    };
    let trace = m.try_run_with(options).unwrap();
    let x = trace.signals.iter().position(|s| s.name == "x").unwrap();
    let mut shortest = f64::INFINITY;
    for piece in &trace.pieces {
        shortest = shortest.min(piece.to - piece.from);
        let (_, c) = piece.signals.iter().find(|(id, _)| id.0 as usize == x).unwrap();
        // Legendre polynomials are ±1 at the ends.
        let right: f64 = c.iter().sum();
        let left: f64 = c.iter().rev().fold(0.0, |sum, c| c - sum);
        for (t, value) in [(piece.from, left), (piece.to, right)] {
            assert!((value - (-t).exp()).abs() < 1e-12, "{t:?}: {value}");
        }
    }
    assert!(shortest < 1e-11, "{shortest:e}");
}

#[test]
fn a_run_ends_where_its_watch_breaks() {
    let mut m = Model::new("growth");
    m.integrator("y", "1 + y", "0");
    let watch = TickWatch::new(|t| {
        if t > 1.0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let options = TickOptions {
        until: Some(2.0),
        watch: Some(watch),
        ..TickOptions::default()
    };
    let trace = m.try_run_with(options).expect("a run");
    assert_eq!(trace.stop.reason, StopReason::Cancelled);
    let end = trace.stop.time.t();
    assert!(1.0 < end && end < 2.0, "{end}");
    // What was reached is sampled.
    let sample = trace
        .samples
        .iter()
        .rfind(|s| s.time.t() <= 1.0)
        .expect("a sample");
    let y = sample.values[trace.signal("y").expect("y").0 as usize];
    assert!(sample.time.t() > 0.99);
    close(y, sample.time.t().exp() - 1.0, 1e-12);
}
