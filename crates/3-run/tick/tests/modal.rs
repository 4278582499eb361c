//! Modal models: order of guards, history, choices, actions; and components.

#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use crate::common;
use common::{Model, at, close, last};
use dyverse_actors::{ComponentUse, Definition, Direction, ModalId, ModeId, RegionId};
use dyverse_component::{Cause, Component, Fault, Happening, Point, Shape};
use dyverse_tick::{TickError, TickOptions, simulate};
use dyverse_trace::{StopReason, SuperdenseTime};

/// A modal model with empty modes.
fn modes(m: &mut Model, names: &[&str]) -> (ModalId, Vec<(ModeId, RegionId)>) {
    let modal = m.g.modal(RegionId::ROOT, "machine", None);
    let modes = names.iter().map(|n| m.g.mode(modal, *n, None)).collect();
    (modal, modes)
}

#[test]
fn two_enabled_transitions_are_an_error_unless_marked() {
    let build = |is_choice: bool| {
        let mut m = Model::new("ambiguous");
        let (machine, list) = modes(&mut m, &["a", "b", "c"]);
        m.at("go", &[("1", "1")]);
        for to in [1, 2] {
            let mut t = m.transition(list[0].0, list[to].0, "go", &[]);
            t.is_choice = is_choice;
            m.g.transition(machine, t);
        }
        m.within(list[1].1, |m| {
            m.expr("in_b", "1");
        });
        m
    };
    let error = build(false).try_run(2.0).expect_err("ambiguous");
    let TickError::Ambiguous { time, first, second } = &error else {
        panic!("{error}")
    };
    assert_eq!((time.t(), time.n()), (1.0, 1));
    assert!(first.contains("a -> b") && second.contains("a -> c"), "{error}");
    let chosen = |seed| {
        let options = TickOptions {
            until: Some(2.0),
            seed,
            ..TickOptions::default()
        };
        let trace = build(true).try_run_with(options).unwrap();
        trace.transitions[0].to.clone()
    };
    let all: std::collections::BTreeSet<String> = (0..32).map(chosen).collect();
    assert_eq!(all.len(), 2, "both are chosen for some seed");
    assert_eq!(chosen(7), chosen(7));
}

#[test]
fn a_default_waits_for_all_others() {
    let run = |x: &str| {
        let mut m = Model::new("default");
        let (machine, list) = modes(&mut m, &["a", "b", "c"]);
        m.at("go", &[("1", "1")]);
        m.at("x", &[("1", x)]);
        m.go(machine, list[0].0, list[1].0, "x > 0", &[]);
        let mut t = m.transition(list[0].0, list[2].0, "go", &[]);
        t.is_default = true;
        m.g.transition(machine, t);
        m.run(2.0).transitions[0].to.clone()
    };
    assert_eq!(run("1"), "machine.b");
    assert_eq!(run("-1"), "machine.c");
}

#[test]
fn a_preemptive_transition_keeps_its_refinement_from_running() {
    let run = |is_preemptive: bool| {
        let mut m = Model::new("preempt");
        let (machine, list) = modes(&mut m, &["a", "b"]);
        m.at("go", &[("1", "1")]);
        m.within(list[0].1, |m| {
            m.expr("inside", "7");
        });
        let mut t = m.transition(list[0].0, list[1].0, "go", &[]);
        t.is_preemptive = is_preemptive;
        m.g.transition(machine, t);
        at(&m.run(2.0), "inside", 1.0)
    };
    let plain = run(false);
    assert!(
        plain[0] == 7.0 && plain[1] == 7.0 && plain[2].is_nan(),
        "{plain:?}"
    );
    let preempted = run(true);
    assert!(
        preempted[0] == 7.0 && preempted[1].is_nan() && preempted[2].is_nan(),
        "{preempted:?}"
    );
}

#[test]
fn immediate_transitions_chain_and_their_circles_are_errors() {
    let build = |is_circle: bool| {
        let mut m = Model::new("chain");
        let (machine, list) = modes(&mut m, &["a", "b", "c"]);
        m.at("go", &[("1", "1")]);
        m.go(machine, list[0].0, list[1].0, "go", &[]);
        for (from, to) in if is_circle {
            vec![(1, 2), (2, 1)]
        } else {
            vec![(1, 2)]
        } {
            let mut t = m.transition(list[from].0, list[to].0, "true", &[]);
            t.is_immediate = true;
            m.g.transition(machine, t);
        }
        m
    };
    let trace = build(false).run(2.0);
    let seen: Vec<_> = trace
        .transitions
        .iter()
        .map(|t| (t.to.as_str(), t.time.n()))
        .collect();
    assert_eq!(seen, [("machine.b", 1), ("machine.c", 1)]);
    let error = build(true).try_run(2.0).expect_err("a circle");
    let TickError::ImmediateCycle { modes, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(modes, &["b", "c", "b"]);
}

#[test]
fn history_keeps_the_state_and_entry_begins_anew() {
    let run = |is_history: bool| {
        let mut m = Model::new("history");
        let (machine, list) = modes(&mut m, &["on", "off"]);
        m.at("flip", &[("1", "1"), ("2", "1")]);
        m.within(list[0].1, |m| {
            m.integrator("x", "1", "0");
            m.clock("tick", "0.75", "0.25");
        });
        m.go(machine, list[0].0, list[1].0, "flip", &[]);
        let mut back = m.transition(list[1].0, list[0].0, "flip", &[]);
        back.is_history = is_history;
        m.g.transition(machine, back);
        m.run(3.0)
    };
    let kept = run(true);
    close(last(&kept, "x"), 2.0, 1e-12);
    // Ticks at local times 0.25, 1 (the mode is left at that very tick), 1.75: the clock stood still from 1 to 2.
    assert_eq!(at(&kept, "tick", 2.75)[1], 1.0);
    let anew = run(false);
    close(last(&anew, "x"), 1.0, 1e-12);
    assert_eq!(at(&anew, "tick", 2.25)[1], 1.0);
}

#[test]
fn output_actions_belong_to_the_tick_and_set_actions_to_the_next() {
    let mut m = Model::new("actions");
    let (machine, list) = modes(&mut m, &["a", "b"]);
    m.at("go", &[("1", "5")]);
    m.within(list[0].1, |m| {
        m.expr("a.y", "1");
    });
    m.within(list[1].1, |m| {
        m.integrator("z", "0", "0");
        m.expr("b.y", "2");
    });
    let y = m.merge("y", &["a.y", "b.y"]);
    m.expr("seen", "10 * y");
    let mut t = m.transition(list[0].0, list[1].0, "go", &[("z", "go + a.y")]);
    t.outputs = vec![(y, m.e("3"))];
    m.g.transition(machine, t);
    let trace = m.run(2.0);
    assert_eq!(at(&trace, "y", 1.0)[..3], [1.0, 3.0, 2.0]);
    assert_eq!(at(&trace, "seen", 1.0)[..3], [10.0, 30.0, 20.0]);
    assert_eq!(last(&trace, "z"), 6.0);
}

#[test]
fn an_action_that_reads_an_absent_signal_is_an_error() {
    let mut m = Model::new("absent");
    let (machine, list) = modes(&mut m, &["a", "b"]);
    m.within(list[1].1, |m| {
        m.integrator("z", "0", "0");
    });
    m.at("go", &[("1", "1")]);
    m.at("other", &[("5", "1")]);
    m.go(machine, list[0].0, list[1].0, "go", &[("z", "other")]);
    let error = m.try_run(2.0).expect_err("`other` is absent");
    assert!(matches!(error, TickError::ActionReadsAbsent { .. }), "{error}");
}

#[test]
fn initial_values_may_read_signals() {
    let mut m = Model::new("init");
    let (machine, list) = modes(&mut m, &["a", "b"]);
    m.integrator("x", "1", "2");
    m.at("go", &[("1", "1")]);
    m.within(list[1].1, |m| {
        m.integrator("z", "0", "10 * x");
    });
    m.go(machine, list[0].0, list[1].0, "go", &[]);
    close(last(&m.run(2.0), "z"), 30.0, 1e-12);
}

/// Three balls in a row, the right two touching, with the collision detector of [004 fig. 10].
#[test]
fn momentum_passes_through_touching_balls() {
    let mut m = Model::new("cradle");
    for (ball, x, v) in [("1", "0", "1"), ("2", "5", "0"), ("3", "6", "0")] {
        m.pushed(&format!("v{ball}"), "0", v, &format!("i{ball}"));
        m.integrator(&format!("x{ball}"), &format!("v{ball}"), x);
    }
    for (pair, a, b) in [("12", "1", "2"), ("23", "2", "3")] {
        m.expr(
            &format!("c{pair}"),
            &format!("x{b} - x{a} - 1 <= 0 and v{a} > v{b}"),
        );
        let region = m.enabled(&format!("impact{pair}"), &format!("c{pair}"));
        m.within(region, |m| {
            m.expr(&format!("f{pair}"), &format!("v{b} - v{a}"));
        });
        m.post(&format!("late{pair}"), &format!("f{pair}"), None);
    }
    let zero = m.expr("zero", "0");
    for pair in ["12", "23"] {
        let preferred = m.id(&format!("late{pair}"));
        m.def(
            &format!("p{pair}"),
            Definition::Default {
                preferred,
                alternate: zero,
            },
        );
    }
    m.expr("i1", "p12");
    m.expr("i2", "p23 - p12");
    m.expr("i3", "-p23");
    let trace = m.run(10.0);
    for (name, x) in [("x1", 4.0), ("x2", 5.0), ("x3", 12.0)] {
        close(last(&trace, name), x, 1e-11);
    }
    assert_eq!(at(&trace, "v2", 4.0)[..3], [0.0, 1.0, 0.0]);
    assert_eq!(at(&trace, "v3", 4.0)[..3], [0.0, 0.0, 1.0]);
}

/// A block on a belt: sticks until the spring is strong enough, slips, sticks again.
#[test]
fn stick_and_slip() {
    let mut m = Model::new("friction");
    let (block, list) = modes(&mut m, &["stick", "slip"]);
    m.within(list[0].1, |m| {
        m.integrator("stick.x", "1", "0");
        m.expr("stick.v", "1");
    });
    m.within(list[1].1, |m| {
        m.integrator("slip.v", "0.2 - slip.x", "1");
        m.integrator("slip.x", "slip.v", "0");
        m.cross("caught", "slip.v - 1", Direction::Rising, None);
    });
    m.merge("x", &["stick.x", "slip.x"]);
    m.merge("v", &["stick.v", "slip.v"]);
    m.go(
        block,
        list[0].0,
        list[1].0,
        "stick.x >= 0.5",
        &[("slip.x", "stick.x"), ("slip.v", "1")],
    );
    m.go(block, list[1].0, list[0].0, "caught", &[("stick.x", "slip.x")]);
    let trace = m.run(10.0);
    // While it slips, x − 0.2 = 0.3 cos s + sin s, v = 1 again when sin s = −0.3 tan-phase: s = 2π − 2 atan 0.3.
    let slips = 2.0 * std::f64::consts::PI - 2.0 * 0.3_f64.atan();
    let times: Vec<f64> = trace
        .transitions
        .iter()
        .filter(|t| t.kind.word() == "mode")
        .map(|t| t.time.t())
        .collect();
    close(times[0], 0.5, 1e-12);
    close(times[1], 0.5 + slips, 1e-11);
    // It sticks at 0.2 − 0.3 and slips again 0.6 later.
    close(times[2], 0.5 + slips + 0.6, 1e-11);
}

/// A ball that bounces on its own.
struct Ball {
    restitution: f64,
}

impl Component for Ball {
    fn shape(&self) -> Shape {
        Shape {
            states: 2,
            inputs: 1,
            outputs: 2,
            indicators: 1,
        }
    }
    fn start(&mut self, _t: f64, x: &mut Vec<f64>) -> Result<(), Fault> {
        *x = vec![1.0, 0.0];
        Ok(())
    }
    fn rates(&mut self, at: Point<'_>, dx: &mut [f64]) -> Result<(), Fault> {
        dx.copy_from_slice(&[at.x[1], -9.81 + at.u[0]]);
        Ok(())
    }
    fn outputs(&mut self, at: Point<'_>, y: &mut [f64]) {
        y.copy_from_slice(at.x);
    }
    fn indicators(&mut self, at: Point<'_>, z: &mut [f64]) {
        z[0] = at.x[0];
    }
    fn microstep(
        &mut self,
        _time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        _u: &[f64],
    ) -> Result<Happening, Fault> {
        let mut happening = Happening::default();
        if cause == Cause::Indicator(0) {
            happening.events.push((0, -x[1]));
            x[1] *= -self.restitution;
        }
        Ok(happening)
    }
}

#[test]
fn a_component_is_integrated_and_its_events_are_located() {
    let mut m = Model::new("component");
    let push = m.expr("push", "0");
    let ball = m.g.component(ComponentUse {
        name: "ball".into(),
        handle: 0,
        region: RegionId::ROOT,
        inputs: vec![("push".into(), push)],
        outputs: vec!["y".into(), "v".into()],
        events: vec!["bounce".into()],
        origin: None,
    });
    for (output, name) in ["y", "v"].into_iter().enumerate() {
        m.def(
            &format!("ball.{name}"),
            Definition::Output {
                component: ball,
                output: output as u32,
            },
        );
    }
    m.def(
        "ball.bounce",
        Definition::Event {
            component: ball,
            event: 0,
        },
    );
    let value = m.id("ball.bounce");
    let init = Some(m.e("0"));
    m.def("speed", Definition::Hold { value, init });
    m.integrator("way", "abs(ball.v)", "0");
    let graph = m.graph();
    let options = TickOptions {
        until: Some(1.0),
        ..TickOptions::default()
    };
    let trace = simulate(&graph, &mut [Box::new(Ball { restitution: 0.5 })], &options).unwrap();
    let fall = (2.0 / 9.81_f64).sqrt();
    let speed = at(&trace, "speed", fall);
    assert_eq!(speed[0], 0.0);
    close(speed[1], 9.81 * fall, 1e-11);
    let v = at(&trace, "ball.v", fall);
    close(v[0], -9.81 * fall, 1e-11);
    close(v[1], 0.5 * 9.81 * fall, 1e-11);
    // One metre down, a quarter up and down, and what is left of the second flight.
    let late = 1.0 - 2.0 * fall;
    let third = 0.25 * 9.81 * fall * late - 0.5 * 9.81 * late * late;
    close(last(&trace, "way"), 1.5 + third.abs(), 1e-9);
    assert_eq!(trace.stop.reason, StopReason::HorizonReached);
    let error = simulate(&graph, &mut [], &options).expect_err("no component given");
    assert!(matches!(error, TickError::BadComponent { .. }));
}
