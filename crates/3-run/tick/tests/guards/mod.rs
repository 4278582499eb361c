//! Guards and actions of random modal models, judged by a small evaluator that follows the rules one after the other.

mod circuits;
mod evaluator;
mod random;

use dyverse_tick::{TickError, TickOptions, simulate};
use dyverse_trace::{Sample, StopReason};
use evaluator::{End, run};
use random::random_model;

/// Rows without those that only repeat the one before.
fn distinct(rows: impl IntoIterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
    let mut found: Vec<Vec<f64>> = Vec::new();
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()));
    for row in rows {
        if !found.last().is_some_and(|last| same(last, &row)) {
            found.push(row);
        }
    }
    found
}

#[derive(Default)]
struct Seen {
    complete: usize,
    errors: usize,
    rows: usize,
    chatters: usize,
}

fn judge(seed: u64, seen: &mut Seen) {
    let model = random_model(seed);
    let text = model.text();
    // Circles of immediate transitions that are always true are refused before they run.
    let Some(graph) = crate::shipped::try_read(&text, "A039") else {
        return;
    };
    let (instants, end) = run(&model);
    let outcome = simulate(&graph, &mut [], &TickOptions::default());
    let context = || format!("seed {seed}\n{text}");
    let trace = match (outcome, end) {
        // Where a tick has both, either may be seen first.
        (
            Err(TickError::Ambiguous { time, .. } | TickError::ImmediateCycle { time, .. }),
            End::Ambiguous | End::Circle,
        ) => {
            let last = instants.last().map_or(0.0, |(t, _)| *t);
            assert!((time.t() - last).abs() < 1e-9, "{time:?} {last}\n{}", context());
            seen.errors += 1;
            return;
        }
        (Err(error), end) => panic!("{error}, not {end:?}\n{}", context()),
        (Ok(trace), End::Chatters) => {
            assert!(
                !matches!(trace.stop.reason, StopReason::HorizonReached),
                "{}",
                context()
            );
            seen.chatters += 1;
            trace
        }
        (Ok(trace), End::Horizon) => {
            assert!(
                matches!(trace.stop.reason, StopReason::HorizonReached),
                "{:?}\n{}",
                trace.stop,
                context()
            );
            seen.complete += 1;
            trace
        }
        (Ok(_), end) => panic!("{end:?} was not seen\n{}", context()),
    };
    for (t, rows) in instants {
        let near = |s: &&Sample| (s.time.t() - t).abs() < 1e-9;
        let found: Vec<Vec<f64>> = trace
            .samples
            .iter()
            .filter(near)
            .map(|s| s.values.clone())
            .collect();
        let (found, expected) = (distinct(found), distinct(rows));
        if found.is_empty() && expected.len() == 1 {
            continue;
        }
        seen.rows += expected.len();
        let names: Vec<String> = model.recorded().into_iter().map(|(path, _)| path).collect();
        assert_eq!(
            format!("{found:?}"),
            format!("{expected:?}"),
            "at t = {t}: {names:?}\n{}",
            context()
        );
    }
}

#[test]
fn guards_and_actions_follow_the_rules() {
    let mut seen = Seen::default();
    for seed in 0..1500 {
        judge(seed, &mut seen);
    }
    assert!(
        seen.complete > 400 && seen.errors > 100 && seen.rows > 9000,
        "{} to the end, {} refused, {} without end, {} rows",
        seen.complete,
        seen.errors,
        seen.chatters,
        seen.rows
    );
}

/// Where everything reads everything: the order of evaluation does not matter, and what is refused as a causality loop was seen before the run.
#[test]
fn wild_models_do_not_depend_on_the_order() {
    let (mut complete, mut loops) = (0, 0);
    for seed in 0..500 {
        let text = random::wild_model(seed).text();
        let reading = crate::shipped::try_read(&text, "A039, A060");
        let Some(graph) = reading else { continue };
        let run = |shuffle| {
            let options = TickOptions {
                shuffle,
                ..TickOptions::default()
            };
            simulate(&graph, &mut [], &options)
        };
        let (first, second) = (run(None), run(Some(seed + 1)));
        let end = |trace: &dyverse_trace::Trace| {
            let rows = trace
                .samples
                .iter()
                .map(|s| format!("{:?} {:?}", s.time, s.values));
            rows.collect::<Vec<_>>()
        };
        match (first, second) {
            (Ok(first), Ok(second)) => {
                assert_eq!(end(&first), end(&second), "seed {seed}\n{text}");
                complete += 1;
            }
            (Err(first), Err(_)) => {
                if let TickError::Nonconstructive { ports, .. } = &first {
                    assert!(
                        !dyverse_actors::find_loops(&graph).is_empty(),
                        "{first}\nseed {seed}\n{text}"
                    );
                    assert!(ports.iter().all(|p| !p.contains('#')), "{ports:?}");
                    loops += 1;
                }
            }
            (first, second) => panic!("{:?} {:?}\nseed {seed}\n{text}", first.err(), second.err()),
        }
    }
    assert!(
        complete > 60 && loops > 60,
        "{complete} to the end, {loops} loops"
    );
}
