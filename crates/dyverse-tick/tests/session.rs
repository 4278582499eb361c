//! Shipped models that something else runs do what a run of their own does.

#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use crate::shipped;
use dyverse_actors::Graph;
use dyverse_tick::{Session, TickError, TickOptions, simulate};
use dyverse_time::{StopReason, Trace, Transition, TransitionKind};
use shipped::{Outcome, drive, finish_instant, graphs};
use std::collections::BTreeMap;

/// The model whose last bounces depend on the steps of whoever integrates it, as docs/CONSTRUCTIVE.md says of figure 18.
const TUNNELS: &str = "bouncing_ball_tunnels";

/// Without the grid of steps on which a run sees events with a tolerance: from outside there is none.
fn without_grid(text: &str) -> String {
    text.replace("tolerances { max_step = 1e-3 }", "")
}

fn unset(graph: &Graph) -> Vec<f64> {
    vec![f64::NAN; graph.inputs().len()]
}

/// The modes after these transitions.
fn modes_after(graph: &Graph, transitions: &[Transition]) -> Vec<String> {
    let mut modes = BTreeMap::new();
    for (place, modal) in graph.modals().iter().enumerate() {
        modes.insert(
            place,
            format!("{}.{}", modal.name, modal.mode(modal.initial).name),
        );
        for taken in transitions.iter().filter(|t| t.kind == TransitionKind::Mode) {
            if taken
                .to
                .rsplit_once('.')
                .is_some_and(|(name, _)| name == modal.name)
            {
                modes.insert(place, taken.to.clone());
            }
        }
    }
    modes.into_values().collect()
}

fn modes_of(session: &Session<'_>) -> Vec<String> {
    let names = session.modal_names();
    let modes = session.modes().into_iter().enumerate();
    modes
        .map(|(modal, mode)| format!("{}.{}", names[modal], session.mode_names(modal)[mode]))
        .collect()
}

/// Asserts that the same happened, up to a difference of time.
#[track_caller]
fn same_events(name: &str, expected: &[Transition], found: &[Transition], tolerance: f64) {
    for (place, (a, b)) in expected.iter().zip(found).enumerate() {
        let late = (a.time.t() - b.time.t()).abs();
        assert!(
            late <= tolerance,
            "{name}: event {place} at {} and {}",
            a.time,
            b.time
        );
        assert_eq!(
            (a.time.n(), a.kind, &a.from, &a.to, &a.guard, &a.reset),
            (b.time.n(), b.kind, &b.from, &b.to, &b.guard, &b.reset),
            "{name}: event {place} at {}",
            a.time
        );
    }
    assert_eq!(expected.len(), found.len(), "{name}: number of events");
}

#[track_caller]
fn same_end(name: &str, expected: &Trace, found: &Outcome, tolerance: f64) {
    if expected.stop.reason != StopReason::HorizonReached {
        // Debug texts, because values of absent signals are not numbers.
        let reason = format!("{:?}", Some(&expected.stop.reason));
        assert_eq!(reason, format!("{:?}", found.stop.as_ref()), "{name}");
        return;
    }
    assert_eq!(found.stop, None, "{name}");
    assert_eq!(found.time, expected.stop.time.t(), "{name}");
    let last = &expected.samples.last().unwrap().values;
    for ((a, b), signal) in last.iter().zip(&found.outputs).zip(&expected.signals) {
        let is_same = (a - b).abs() <= tolerance || a.is_nan() && b.is_nan();
        assert!(is_same, "{name}: {} ends at {b}, not {a}", signal.name);
    }
}

#[test]
fn model_exchange_gives_the_events_of_a_run() {
    for (name, graph) in graphs(without_grid) {
        let options = TickOptions::default();
        let mut session = Session::new(&graph, Vec::new(), &options).unwrap();
        let found = drive(&mut session, graph.horizon().unwrap(), &unset(&graph));
        let expected = match simulate(&graph, &mut [], &options) {
            Ok(expected) => expected,
            Err(error) => {
                assert_eq!(found.unwrap_err(), error, "{name}");
                continue;
            }
        };
        let mut found = found.unwrap();
        if name == TUNNELS {
            let count = expected.transitions.len();
            assert!(
                count > 30 && found.transitions.len() >= count,
                "{}",
                found.transitions.len()
            );
            found.transitions.truncate(count);
            same_events(&name, &expected.transitions, &found.transitions, 1e-9);
            continue;
        }
        same_events(&name, &expected.transitions, &found.transitions, 1e-9);
        same_end(&name, &expected, &found, 1e-9);
        assert_eq!(
            modes_of(&session),
            modes_after(&graph, &expected.transitions),
            "{name}"
        );
    }
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    /// In [0, 1).
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Advances in pieces of random length.
fn advance_all(
    session: &mut Session<'_>,
    until: f64,
    u: &[f64],
    (random, stop_before_event): (&mut Random, bool),
) -> Result<Outcome, TickError> {
    let mut outcome = Outcome::default();
    session.begin_instant(0.0, &vec![0.0; session.dimension()], u)?;
    finish_instant(session, u, &mut outcome)?;
    while session.time() < until && outcome.stop.is_none() {
        let target = (session.time() + until * 0.1 * random.next()).min(until);
        let advanced = session.advance(target, u, stop_before_event)?;
        outcome.transitions.extend(advanced.transitions);
        outcome.stop = advanced.stop;
        outcome.time = advanced.time;
        assert!(stop_before_event || !advanced.event_is_due);
        if advanced.event_is_due {
            assert!(advanced.time <= target && session.is_in_instant());
            finish_instant(session, u, &mut outcome)?;
        } else if outcome.stop.is_none() {
            assert_eq!((advanced.time, session.time()), (target, target));
        }
    }
    if outcome.stop.is_none() {
        let mut x = vec![0.0; session.dimension()];
        session.states(&mut x);
        let count = session.output_names().len();
        outcome.outputs = vec![0.0; count];
        let (mut present, t) = (vec![false; count], session.time());
        session
            .outputs(t, &x, u, &mut outcome.outputs, &mut present)
            .unwrap();
        for (output, is_there) in present.iter().enumerate() {
            assert_eq!(*is_there, !outcome.outputs[output].is_nan());
            assert!(*is_there || session.can_be_absent(output));
        }
    }
    Ok(outcome)
}

#[test]
fn pieces_of_any_length_give_the_events_of_a_run() {
    let mut random = Random(7);
    for (name, graph) in graphs(str::to_owned) {
        let options = TickOptions::default();
        let expected = simulate(&graph, &mut [], &options);
        for stop_before_event in [false, true] {
            let mut session = Session::new(&graph, Vec::new(), &options).unwrap();
            let until = graph.horizon().unwrap();
            let found = advance_all(
                &mut session,
                until,
                &unset(&graph),
                (&mut random, stop_before_event),
            );
            match &expected {
                Ok(expected) => {
                    let found = found.unwrap();
                    same_events(
                        &name,
                        &expected.transitions,
                        &found.transitions,
                        1e-12 * until.max(1.0),
                    );
                    same_end(&name, expected, &found, 1e-10);
                }
                Err(error) => assert_eq!(&found.unwrap_err(), error, "{name}"),
            }
        }
    }
}
