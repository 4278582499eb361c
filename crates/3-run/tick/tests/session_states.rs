//! Snapshots of sessions, inputs that jump, components, and what is asked for in the wrong order.

#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use crate::common;
use crate::shipped;
use common::{Model, close};
use dyverse_actors::{ComponentUse, Definition, Graph, RegionId};
use dyverse_component::{Cause, Component, Described, Fault, Happening, Point, Shape, Slot, Value};
use dyverse_tick::{InputSignal, Session, TickError, TickOptions, simulate};
use dyverse_trace::{StopReason, SuperdenseTime, Transition};
use shipped::{Outcome, advance, finish_instant, graph, graphs};

fn begun<'g>(graph: &'g Graph, u: &[f64]) -> Session<'g> {
    let mut session = Session::new(graph, Vec::new(), &TickOptions::default()).unwrap();
    begin(&mut session, 0.0, u);
    session
}

fn begin(session: &mut Session<'_>, t: f64, u: &[f64]) -> Vec<Transition> {
    let mut outcome = Outcome::default();
    let mut x = vec![0.0; session.dimension()];
    session.states(&mut x);
    session.begin_instant(t, &x, u).unwrap();
    finish_instant(session, u, &mut outcome).unwrap();
    assert_eq!(outcome.stop, None);
    outcome.transitions
}

fn states(session: &Session<'_>) -> Vec<f64> {
    let mut x = vec![0.0; session.dimension()];
    session.states(&mut x);
    x
}

fn outputs(session: &mut Session<'_>, u: &[f64]) -> Vec<f64> {
    let (x, t) = (states(session), session.time());
    let mut y = vec![0.0; session.output_names().len()];
    session.outputs(Point { t, x: &x, u }, &mut y);
    y
}

/// All that is seen of a session from now on, as text with every bit.
fn rest(session: &mut Session<'_>, until: f64, step: f64) -> String {
    let u = vec![f64::NAN; session.input_names().len()];
    let mut text = String::new();
    if session.is_in_instant() {
        let mut outcome = Outcome::default();
        let end = finish_instant(session, &u, &mut outcome);
        text += &format!("{:?} {:?} {:?}\n", outcome.transitions, outcome.stop, end);
        if outcome.stop.is_some() || end.is_err() {
            return text;
        }
    }
    while session.time() < until {
        let target = (session.time() + step).min(until);
        let advanced = advance(session, target, &u, false);
        text += &format!("{advanced:?}\n");
        if !advanced.is_ok_and(|advanced| advanced.stop.is_none()) {
            break;
        }
        let bits: Vec<u64> = outputs(session, &u).iter().map(|y| y.to_bits()).collect();
        text += &format!("{bits:?} {:?}\n", session.modes());
    }
    text
}

#[test]
fn a_restored_session_goes_on_to_the_bit() {
    for (name, graph) in graphs(str::to_owned) {
        let until = graph.horizon().unwrap();
        let u = vec![f64::NAN; graph.inputs().len()];
        for part in [0.11, 0.37, 0.83] {
            let mut session = Session::new(&graph, Vec::new(), &TickOptions::default()).unwrap();
            session.begin_instant(0.0, &states(&session), &u).unwrap();
            let mut outcome = Outcome::default();
            if finish_instant(&mut session, &u, &mut outcome).is_err() || outcome.stop.is_some() {
                continue;
            }
            // To the first event after a part of the run, or into its instant.
            let Ok(there) = advance(&mut session, part * until, &u, false) else {
                continue;
            };
            if there.stop.is_some() {
                continue;
            }
            let further = advance(&mut session, until, &u, true).unwrap();
            let is_due = further.event_is_due;
            if is_due && part > 0.3 {
                session.microstep(&u).unwrap();
            }
            let Ok(kept) = session.snapshot() else {
                assert!(further.stop.is_some(), "{name}");
                continue;
            };
            let step = until / 7.3;
            let expected = rest(&mut session, until, step);
            // Into the same session, which is elsewhere now, and into a new one.
            session.restore(&kept).unwrap();
            assert_eq!(session.snapshot().unwrap(), kept, "{name}");
            assert_eq!(rest(&mut session, until, step), expected, "{name} at {part}");
            let mut other = Session::new(&graph, Vec::new(), &TickOptions::default()).unwrap();
            other.restore(&kept).unwrap();
            assert_eq!(other.snapshot().unwrap(), kept, "{name}");
            assert_eq!(rest(&mut other, until, step), expected, "{name} at {part}, anew");
        }
    }
}

#[test]
fn a_snapshot_between_steps_goes_on_to_the_bit() {
    let graph = graph("friction");
    let mut session = begun(&graph, &[]);
    let mut other = Session::new(&graph, Vec::new(), &TickOptions::default()).unwrap();
    let mut t = 0.0;
    while t < 4.0 {
        t += 0.0617;
        other.restore(&session.snapshot().unwrap()).unwrap();
        let (a, b) = (
            advance(&mut session, t, &[], false).unwrap(),
            advance(&mut other, t, &[], false).unwrap(),
        );
        assert_eq!(format!("{a:?}"), format!("{b:?}"));
        let bits = |x: Vec<f64>| x.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(states(&session)), bits(states(&other)), "at {t}");
    }
}

/// What a session says of bytes that it does not take.
fn refusal(session: &mut Session<'_>, bytes: &[u8]) -> String {
    session.restore(bytes).unwrap_err().to_string()
}

#[test]
fn damaged_snapshots_are_refused() {
    let graph = graph("flyback_diode");
    let mut session = begun(&graph, &[]);
    advance(&mut session, 3.5, &[], false).unwrap();
    let bytes = session.snapshot().unwrap();
    for length in 0..bytes.len() {
        let error = refusal(&mut session, &bytes[..length]);
        assert!(error.contains("damaged") || error.contains("no state"), "{error}");
    }
    for place in 0..bytes.len() {
        for bit in [0x01, 0x80] {
            let mut other = bytes.clone();
            other[place] ^= bit;
            refusal(&mut session, &other);
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(refusal(&mut session, &longer).contains("announced"));
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert!(refusal(&mut session, &newer).contains("version 9"));

    // Of another model, and of other parameters.
    let tanks = shipped::graph("two_tanks");
    let mut foreign = begun(&tanks, &[]);
    assert!(refusal(&mut foreign, &bytes).contains("two_tanks"));
    let options = TickOptions {
        parameters: vec![("drop".into(), 0.5)],
        ..TickOptions::default()
    };
    let mut other = Session::new(&graph, Vec::new(), &options).unwrap();
    assert!(refusal(&mut other, &bytes).contains("other values"));
    // A refusal changes nothing.
    assert_eq!(session.snapshot().unwrap(), bytes);
}

/// Bytes with a checksum that fits, whatever the content is.
fn sealed(content: &[u8]) -> Vec<u8> {
    let mut bytes = b"dyv-tick".to_vec();
    bytes.extend(3_u32.to_le_bytes());
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn forged_snapshots_do_no_harm() {
    let graph = graph("friction_reaction");
    // A forged velocity near zero makes the friction of this model change its sign again and again.
    let options = TickOptions {
        event_limit: 1000,
        ..TickOptions::default()
    };
    let mut session = Session::new(&graph, Vec::new(), &options).unwrap();
    begin(&mut session, 0.0, &[]);
    advance(&mut session, 0.5, &[], false).unwrap();
    let good = session.snapshot().unwrap();
    let content = &good[20..good.len() - 8];
    let mut refused = 0;
    for place in 0..content.len() {
        for value in [0x00, 0x01, 0x7f, 0xff] {
            let mut forged = content.to_vec();
            forged[place] = value;
            match session.restore(&sealed(&forged)) {
                // What is taken must be able to go on, or say why not.
                Ok(()) => {
                    let until = session.time() + 1e-3;
                    drop(advance(&mut session, until, &[], false));
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
            session.restore(&good).unwrap();
        }
    }
    for length in 0..content.len() {
        assert!(session.restore(&sealed(&content[..length])).is_err());
    }
    assert!(refused > 1000, "{refused}");
    assert_eq!(session.snapshot().unwrap(), good);
}

#[test]
fn derivatives_outputs_and_indicators_are_pure() {
    for (name, graph) in graphs(str::to_owned) {
        let u = vec![f64::NAN; graph.inputs().len()];
        let mut session = Session::new(&graph, Vec::new(), &TickOptions::default()).unwrap();
        let mut outcome = Outcome::default();
        session.begin_instant(0.0, &states(&session), &u).unwrap();
        if finish_instant(&mut session, &u, &mut outcome).is_err() || outcome.stop.is_some() {
            continue;
        }
        let base = states(&session);
        let kept = session.snapshot().unwrap();
        let places: Vec<(f64, Vec<f64>)> = (0..7)
            .map(|k| {
                let k = f64::from(k);
                (0.3 * k, base.iter().map(|x| x + (1.7 * k).sin()).collect())
            })
            .collect();
        let mut ask = |(t, x): &(f64, Vec<f64>)| {
            let mut dx = vec![0.0; session.dimension()];
            let mut z = vec![0.0; session.shape().indicators];
            let mut y = vec![0.0; session.shape().outputs];
            let at = Point { t: *t, x, u: &u };
            session.rates(at, &mut dx).unwrap();
            session.indicators(at, &mut z);
            session.outputs(at, &mut y);
            let bits = dx.iter().chain(&z).chain(&y).map(|v| v.to_bits());
            bits.collect::<Vec<u64>>()
        };
        let forwards: Vec<_> = places.iter().map(&mut ask).collect();
        let backwards: Vec<_> = places.iter().rev().map(&mut ask).collect();
        assert!(forwards.iter().eq(backwards.iter().rev()), "{name}");
        assert_eq!(
            session.snapshot().unwrap(),
            kept,
            "{name}: asking changed something"
        );
    }
}

/// y′ = u; a mode `high` while u ≥ 2; n is 1 from where y is above 1. Left alone, u is the time.
fn driven() -> Graph {
    shipped::read(
        "model driven\ninput u = time\ny' = u init 0\nn = hold(1 on cross(y, 1, rising), init = 0)\n\
         modal machine {\n out cont level\n mode low { level = 0\n when u >= 2 goto high }\n\
         mode high { level = 1\n when u < 2 goto low }\n}\n\
         record y, n, machine.level",
    )
}

#[test]
fn inputs_that_jump_make_instants() {
    let graph = driven();
    let mut session = begun(&graph, &[0.5]);
    let at = Point {
        t: 3.5,
        x: &[],
        u: &[],
    };
    assert_eq!(session.input_names(), ["u"]);
    assert_eq!(session.observe(at, Slot::Input(0)), Ok(Value::Real(3.5)));
    let first = advance(&mut session, 1.0, &[0.5], false).unwrap();
    assert!(first.transitions.is_empty() && first.time == 1.0);
    close(outputs(&mut session, &[0.5])[0], 0.5, 1e-14);
    // Jumps to 3 at t = 1: the mode changes there, and y is 1 a sixth later.
    let second = advance(&mut session, 2.0, &[3.0], false).unwrap();
    let seen: Vec<(f64, u32, &str)> = second
        .transitions
        .iter()
        .map(|t| {
            (
                t.time.t(),
                t.time.n(),
                if t.guard.is_empty() { &t.to } else { &t.guard[..] },
            )
        })
        .collect();
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert_eq!((seen[0].0, seen[0].1, seen[0].2), (1.0, 1, "u >= 2"));
    close(seen[1].0, 1.0 + 0.5 / 3.0, 1e-14);
    assert_eq!(session.modes(), [1]);
    let y = outputs(&mut session, &[3.0]);
    close(y[0], 3.5, 1e-14);
    assert_eq!(&y[1..], [1.0, 1.0]);
    // The same input: nothing happens. Then back, seen as an instant of its own.
    assert!(
        advance(&mut session, 2.5, &[3.0], true)
            .unwrap()
            .transitions
            .is_empty()
    );
    session.begin_instant(2.5, &states(&session), &[3.0]).unwrap();
    let left = session.microstep(&[-1.0]).unwrap();
    let at = Point {
        t: 2.5,
        x: &[],
        u: &[],
    };
    assert_eq!(session.observe(at, Slot::Microstep), Ok(Value::Integer(0)));
    assert_eq!((left.is_unfinished, left.transitions.len()), (true, 0));
    let right = session.microstep(&[-1.0]).unwrap();
    assert_eq!(session.observe(at, Slot::Microstep), Ok(Value::Integer(1)));
    assert_eq!(right.transitions.len(), 1);
    let mut outcome = Outcome::default();
    finish_instant(&mut session, &[-1.0], &mut outcome).unwrap();
    // An input that nobody sets any more has its own value, the time: 2.5 ≥ 2 again, at the same instant.
    let back = advance(&mut session, 3.0, &[f64::NAN], false).unwrap();
    assert_eq!(back.transitions.len(), 1);
    assert!(back.transitions[0].time > SuperdenseTime::new(2.5, 2).unwrap());
    assert_eq!(back.transitions[0].time.t(), 2.5);
    close(
        outputs(&mut session, &[f64::NAN])[0],
        3.5 + 1.5 + (9.0 - 6.25) / 2.0,
        1e-13,
    );
}

#[test]
fn an_input_set_in_steps_is_as_its_table() {
    let graph = driven();
    let table = InputSignal::Table {
        times: vec![0.0, 0.7, 0.7, 1.1, 1.1, 3.0],
        values: vec![1.0, 1.0, 2.5, 2.5, 0.25, 0.25],
    };
    let options = TickOptions {
        until: Some(3.0),
        inputs: vec![("u".into(), table)],
        ..TickOptions::default()
    };
    let expected = simulate(&graph, &mut [], &options).unwrap();
    let mut session = begun(&graph, &[1.0]);
    let mut found = Vec::new();
    for (until, u) in [(0.3, 1.0), (0.7, 1.0), (1.1, 2.5), (1.9, 0.25), (3.0, 0.25)] {
        found.extend(advance(&mut session, until, &[u], false).unwrap().transitions);
    }
    assert_eq!(expected.transitions.len(), 3);
    assert_eq!(found.len(), 3);
    for (a, b) in expected.transitions.iter().zip(&found) {
        close(a.time.t(), b.time.t(), 1e-14);
        assert_eq!((a.time.n(), &a.to, &a.guard), (b.time.n(), &b.to, &b.guard));
    }
    close(
        expected.last("y").unwrap(),
        outputs(&mut session, &[0.25])[0],
        1e-14,
    );
    // The same table as what the input is when nobody sets it.
    let mut alone = Session::new(&graph, Vec::new(), &options).unwrap();
    begin(&mut alone, 0.0, &[f64::NAN]);
    let all = advance(&mut alone, 3.0, &[f64::NAN], false).unwrap();
    assert_eq!(all.transitions, expected.transitions);
}

/// A ball that bounces, pushed by its input. What it did is counted, to be kept.
struct Ball {
    bounces: u8,
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
    fn state_name(&self, state: usize) -> String {
        ["y", "v"][state].to_owned()
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
            self.bounces += 1;
            happening.events.push((0, f64::from(self.bounces)));
            x[1] *= -0.9;
        }
        Ok(happening)
    }
    fn snapshot(&self) -> Result<Vec<u8>, Fault> {
        Ok(vec![self.bounces])
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), Fault> {
        match snapshot {
            [bounces] => {
                self.bounces = *bounces;
                Ok(())
            }
            _ => Err(Fault::Refused(format!("{} bytes, not 1", snapshot.len()))),
        }
    }
}

/// A graph with a ball; `n` is how often it bounced.
fn with_ball() -> Graph {
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
    let height = Definition::Output {
        component: ball,
        output: 0,
    };
    m.def("y", height);
    let bounce = Definition::Event {
        component: ball,
        event: 0,
    };
    let bounce = m.def("bounce", bounce);
    let init = Some(m.e("0"));
    m.def("n", Definition::Hold { value: bounce, init });
    m.integrator("area", "y", "0");
    m.graph()
}

#[test]
fn components_are_states_indicators_and_snapshots() {
    let graph = with_ball();
    let options = TickOptions {
        until: Some(2.0),
        ..TickOptions::default()
    };
    let expected = simulate(&graph, &mut [Box::new(Ball { bounces: 0 })], &options).unwrap();
    // From outside.
    let ball = || -> Vec<Box<dyn Component>> { vec![Box::new(Ball { bounces: 0 })] };
    let mut session = Session::new(&graph, ball(), &options).unwrap();
    assert_eq!(session.state_names(), ["area", "ball.y", "ball.v"]);
    assert_eq!(session.shape().indicators, 2);
    let names = session.output_names();
    let of = |name: &str, y: &[f64]| y[names.iter().position(|n| n == name).unwrap()];
    let found = shipped::drive(&mut session, 2.0, &[]).unwrap();
    for name in ["y", "n", "area"] {
        close(of(name, &found.outputs), expected.last(name).unwrap(), 1e-11);
    }
    assert_eq!(
        of("n", &found.outputs),
        3.0,
        "√(2/9.81) (1 + 1.8 + 1.62) is before 2"
    );
    // In pieces, with a snapshot in the middle.
    let mut session = Session::new(&graph, ball(), &options).unwrap();
    begin(&mut session, 0.0, &[]);
    advance(&mut session, 0.9, &[], false).unwrap();
    let kept = session.snapshot().unwrap();
    advance(&mut session, 2.0, &[], false).unwrap();
    let first = outputs(&mut session, &[]);
    close(of("area", &first), expected.last("area").unwrap(), 1e-12);
    assert_eq!(of("n", &first), 3.0);
    session.restore(&kept).unwrap();
    advance(&mut session, 2.0, &[], false).unwrap();
    let again = outputs(&mut session, &[]);
    assert!(
        first
            .iter()
            .zip(&again)
            .all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan())
    );
}

/// A component that says nothing about snapshots.
struct Silent;

impl Component for Silent {
    fn shape(&self) -> Shape {
        Shape::default()
    }
    fn start(&mut self, _t: f64, _x: &mut Vec<f64>) -> Result<(), Fault> {
        Ok(())
    }
    fn rates(&mut self, _at: Point<'_>, _dx: &mut [f64]) -> Result<(), Fault> {
        Ok(())
    }
    fn outputs(&mut self, _at: Point<'_>, y: &mut [f64]) {
        y.fill(0.0);
    }
    fn indicators(&mut self, _at: Point<'_>, _z: &mut [f64]) {}
    fn microstep(
        &mut self,
        _time: SuperdenseTime,
        _cause: Cause,
        _x: &mut Vec<f64>,
        _u: &[f64],
    ) -> Result<Happening, Fault> {
        Ok(Happening::default())
    }
}

#[test]
fn what_cannot_be_kept_is_said() {
    let graph = with_ball();
    let mut session = Session::new(&graph, vec![Box::new(Silent)], &TickOptions::default()).unwrap();
    begin(&mut session, 0.0, &[]);
    let error = session.snapshot().unwrap_err().to_string();
    assert!(
        error.contains("`ball`") && error.contains("no snapshots"),
        "{error}"
    );
    let missing = Session::new(&graph, Vec::new(), &TickOptions::default());
    assert!(matches!(missing, Err(TickError::BadComponent { .. })));
}

#[test]
fn calls_out_of_order_are_refused() {
    let graph = driven();
    let mut session = Session::new(&graph, Vec::new(), &TickOptions::default()).unwrap();
    fn refused<E: std::fmt::Display>(outcome: Result<(), E>, part: &str) {
        let detail = outcome.err().map_or_else(String::new, |error| error.to_string());
        assert!(detail.contains(part), "{detail}");
    }
    let unset = [f64::NAN];
    refused(
        advance(&mut session, 1.0, &unset, false).map(drop),
        "nothing has begun",
    );
    refused(session.microstep(&[0.0]).map(drop), "no instant is open");
    let at = |t: f64, x: &'static [f64]| Point { t, x, u: &[0.0] };
    let early = session.rates(at(0.0, &[0.0]), &mut [0.0]).unwrap_err();
    assert!(early.to_string().contains("nothing has begun"));
    assert_eq!(session.next_time(), None);
    refused(
        session.begin_instant(0.0, &[0.0], &[]),
        "0 inputs are given, the model has 1",
    );
    refused(session.begin_instant(f64::NAN, &[0.0], &[0.0]), "NaN");
    refused(
        session.begin_instant(0.0, &[0.0], &[f64::INFINITY]),
        "`u` cannot be inf",
    );
    session.begin_instant(0.0, &[0.0], &[0.0]).unwrap();
    refused(session.begin_instant(0.0, &[0.0], &[0.0]), "an instant is open");
    refused(
        advance(&mut session, 1.0, &unset, false).map(drop),
        "an instant is open",
    );
    let mut outcome = Outcome::default();
    finish_instant(&mut session, &[0.0], &mut outcome).unwrap();
    advance(&mut session, 1.0, &[0.0], false).unwrap();
    refused(
        advance(&mut session, 0.5, &[0.0], false).map(drop),
        "the present is 1",
    );
    refused(
        session.begin_instant(1.0, &[0.0, 1.0], &[0.0]),
        "2 states are given, the model has 1",
    );
    let wrong = session.rates(at(1.0, &[0.0]), &mut [0.0; 3]).unwrap_err();
    assert!(wrong.to_string().contains("3 derivatives are given"), "{wrong}");
    let mut z = [0.0];
    session.indicators(at(1.0, &[0.0]), &mut z);
    assert!(z[0].is_nan(), "there are more indicators");
    // A refusal does not end it.
    assert_eq!(advance(&mut session, 1.5, &[0.0], false).unwrap().time, 1.5);
}

#[test]
fn what_stopped_stays_stopped_until_it_is_restored() {
    let graph = graph("stacked_masses_chatter");
    let mut session = begun(&graph, &[]);
    let kept = session.snapshot().unwrap();
    let stopped = advance(&mut session, 2.0, &[], false).unwrap();
    assert!(matches!(stopped.stop, Some(StopReason::Chattering { .. })));
    assert_eq!(stopped.time, 1.0);
    let error = advance(&mut session, 2.0, &[], false).unwrap_err();
    assert!(
        error.to_string().contains("it has ended: no final value"),
        "{error}"
    );
    assert!(
        session
            .snapshot()
            .unwrap_err()
            .to_string()
            .contains("it has ended")
    );
    session.restore(&kept).unwrap();
    let again = advance(&mut session, 2.0, &[], false).unwrap();
    assert_eq!(format!("{again:?}"), format!("{stopped:?}"));
}

#[test]
fn the_start_may_be_at_another_time() {
    let graph = shipped::read(
        "model late\nbeat = hold(time on clock(period = 2), init = 0 - 1)\n\
         mark = hold(1 on at(3), init = 0) + hold(10 on at(6), init = 0)\nx' = time init 0\nrecord beat, mark, x",
    );
    let mut session = Session::new(&graph, Vec::new(), &TickOptions::default()).unwrap();
    begin(&mut session, 5.0, &[]);
    assert_eq!(session.next_time(), Some(6.0));
    assert_eq!(outputs(&mut session, &[])[..2], [-1.0, 0.0]);
    advance(&mut session, 7.0, &[], false).unwrap();
    let y = outputs(&mut session, &[]);
    assert_eq!(y[..2], [6.0, 10.0], "what was due before the start is left out");
    close(y[2], 12.0, 1e-13);
    assert_eq!(session.next_time(), Some(8.0));
}

#[test]
fn presence_is_proven_or_left_open() {
    let absent = |name: &str| -> Vec<(String, bool)> {
        let graph = graph(name);
        let session = Session::new(&graph, Vec::new(), &TickOptions::default()).unwrap();
        let description = session.description();
        let has_flag = |name: &String| description.find(&format!("present({name})")).is_some();
        let names = session.output_names().into_iter();
        names.map(|name| (name.clone(), has_flag(&name))).collect()
    };
    let is_not = |list: &[(String, bool)]| list.iter().all(|(_, can)| !can);
    assert!(is_not(&absent("thermostat")) && is_not(&absent("two_tanks")));
    let diode = absent("flyback_diode");
    assert!(
        diode.iter().any(|(name, can)| name == "load.v" && *can),
        "{diode:?}"
    );
    assert!(
        diode.iter().any(|(name, can)| name == "load.i" && !can),
        "{diode:?}"
    );
}
