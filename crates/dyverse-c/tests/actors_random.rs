//! Random actor models in C, against `dyverse_tick::simulate`: nets of all operators. (Two modes with guards and resets: `random_modes_in_c` of the crate `dyverse`.)
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

use crate::actors_support;
#[path = "actors_support/nets.rs"]
mod nets;
#[path = "../../dyverse/tests/campaign/random.rs"]
#[allow(dead_code)]
mod random;

use actors_support::{build, compare, expected, run, try_read_text};
use dyverse_tick::TickOptions;

/// Seeds of models: so many, or `DYVERSE_CASES` of them from `DYVERSE_FIRST` on.
fn cases(usual: u64) -> std::ops::Range<u64> {
    let given = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = given("DYVERSE_FIRST").unwrap_or(0);
    first..first + given("DYVERSE_CASES").unwrap_or(usual)
}

#[test]
fn random_nets() {
    let (mut compared, mut finished, mut events) = (0_u64, 0_u64, 0_u64);
    let mut statuses = std::collections::BTreeMap::new();
    // 201 jumps at the horizon.
    for seed in cases(30).chain([201]) {
        let text = nets::random_net(seed);
        // Some are refused: loops that can be seen in the graph.
        let Some(graph) = try_read_text(&text) else {
            continue;
        };
        let built = build(&graph);
        let result = expected(&graph, TickOptions::default());
        let outcome = run(&built, &["stops=3".to_owned()]);
        compare(&format!("seed {seed}\n{text}"), &outcome, &result);
        *statuses.entry(outcome.status).or_insert(0) += 1;
        compared += 1;
        finished += u64::from(outcome.status == 0);
        events += outcome.events.len() as u64;
    }
    eprintln!("{compared} compared, {finished} to the end, {events} events; statuses {statuses:?}");
    assert!(3 * finished > compared && compared > 15 && events > 3 * compared);
}
