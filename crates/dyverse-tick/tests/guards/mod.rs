//! Guards and actions of random modal models, judged by a small evaluator that follows the rules one after the other.

mod circuits;
mod evaluator;
mod random;

use dyverse_tick::{TickError, TickOptions, simulate};
use dyverse_time::{Sample, StopReason};
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
