//! Random modal models of the campaign in C, against `dyverse_tick::simulate`.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

#[path = "../../../4-write/c/tests/actors_support/mod.rs"]
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
