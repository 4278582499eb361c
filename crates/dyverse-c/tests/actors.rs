//! Actor models in C do what they do in dyverse: every shipped model, against `dyverse_tick::simulate`.
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

mod actors_support;
use actors_support::{build_with, compare, expected, folder, read_example, run};
use dyverse_tick::TickOptions;

#[test]
fn every_shipped_model() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| {
            entry
                .unwrap()
                .file_name()
                .into_string()
                .unwrap()
                .strip_suffix(".dam")
                .map(str::to_owned)
        })
        .collect();
    names.sort();
    let mut compared = 0;
    for name in names {
        let Some(model) = read_example(&name).model else {
            assert!(name.starts_with("refused") || name == "balls", "{name}");
            continue;
        };
        if !model.mechanisms.is_empty() || model.graph.horizon().is_none() {
            continue;
        }
        let built = build_with(&model.graph, &["-O2"]);
        let outcome = run(&built, &[]);
        let result = expected(&model.graph, TickOptions::default());
        eprintln!(
            "{name}: {} events, status {} {}",
            outcome.events.len(),
            outcome.status,
            outcome.message
        );
        compare(&name, &outcome, &result);
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}
