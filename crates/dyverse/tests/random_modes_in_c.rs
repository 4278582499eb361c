//! Random modal models of the campaign in C, against `dyverse_tick::simulate`.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

#[path = "../../dyverse-c/tests/actors_support/mod.rs"]
mod actors_support;

use crate::campaign::modes::random_modes;
use actors_support::{build, compare, expected, read_text, run};
use dyverse_tick::TickOptions;

#[test]
fn random_modes_in_c() {
    for seed in 0..12 {
        let text = random_modes(seed).text;
        let graph = read_text(&text);
        let built = build(&graph);
        let result = expected(&graph, TickOptions::default());
        let outcome = run(&built, &["stops=3".to_owned()]);
        compare(&format!("seed {seed}\n{text}"), &outcome, &result);
    }
}

#[path = "../../dyverse-tick/tests/guards/random.rs"]
#[allow(
    dead_code,
    reason = "the evaluator that judges the simulator reads more of it"
)]
mod guards;

/// Guards and actions of random modal models, with operators, modes in modes and modes passed through.
#[test]
fn random_guards_in_c() {
    let (mut seed, mut compared) = (0, 0);
    while compared < 12 {
        let text = guards::random_model(seed).text();
        seed += 1;
        // What is refused before it runs, or at a tick, is other tests' matter.
        let Some(graph) = dyverse::read_actors_text("generated.dam", &text)
            .model
            .map(|m| m.graph)
        else {
            continue;
        };
        let Ok(result) = dyverse_tick::simulate(&graph, &mut [], &TickOptions::default()) else {
            continue;
        };
        if result.transitions.len() < 8 || !result.stop.reason.is_complete() {
            continue;
        }
        let built = build(&graph);
        let outcome = run(&built, &["stops=3".to_owned()]);
        compare(
            &format!("seed {}\n{text}", seed - 1),
            &outcome,
            &expected(&graph, TickOptions::default()),
        );
        compared += 1;
    }
}
