//! The command on actor models: by the ending of the file, with the same formats.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot begin has failed"
)]

mod support;

use support::{dyverse, examples, stderr, stdout};

fn actors() -> std::path::PathBuf {
    examples().join("actors")
}

#[test]
fn a_run_has_a_summary_and_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("run.csv");
    let output = dyverse(
        &actors(),
        &["simulate", "two_balls.dam", "--output", table.to_str().unwrap()],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("two_balls"));
    let text = std::fs::read_to_string(table).unwrap();
    assert!(text.lines().next().unwrap().contains("left.x"), "{text}");
}

#[test]
fn parameters_and_the_horizon_are_chosen_by_the_call() {
    let output = dyverse(
        &actors(),
        &[
            "simulate",
            "oblique_fall.dam",
            "--set",
            "vx0=5",
            "--until",
            "2",
            "--format",
            "json",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report.to_string().contains("\"vx0\""), "{report}");
    let wrong = dyverse(&actors(), &["simulate", "oblique_fall.dam", "--set", "vx=5"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        stderr(&wrong).contains("did you mean `vx0`?"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn what_is_refused_says_its_loop() {
    let before = dyverse(&actors(), &["simulate", "refused_strict_loop.dam"]);
    assert_eq!(before.status.code(), Some(2));
    assert!(
        stderr(&before).contains("f.x -> f.y -> g.a -> g.y -> f.x"),
        "{}",
        stderr(&before)
    );
    let during = dyverse(&actors(), &["simulate", "refused_capacitors.dam"]);
    assert_eq!(during.status.code(), Some(2));
    assert!(
        stderr(&during).contains("causality loop at (1, 1)"),
        "{}",
        stderr(&during)
    );
    assert!(stderr(&during).contains("u.impulse") && stderr(&during).contains("v.impulse"));
}

#[test]
fn chattering_stops_the_run_early() {
    let output = dyverse(&actors(), &["simulate", "stacked_masses_chatter.dam"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("upper.v"), "{}", stderr(&output));
}

#[test]
fn a_new_model_runs_and_is_formatted() {
    let folder = tempfile::tempdir().unwrap();
    assert!(dyverse(folder.path(), &["new", "drop.dam"]).status.success());
    assert_eq!(
        dyverse(folder.path(), &["fmt", "--check", "drop.dam"])
            .status
            .code(),
        Some(0)
    );
    let output = dyverse(folder.path(), &["simulate", "drop.dam"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        dyverse(folder.path(), &["new", "mode.dam"]).status.code(),
        Some(2)
    );
}

#[test]
fn examples_are_found_with_and_without_folder_and_ending() {
    let text = std::fs::read_to_string(actors().join("friction.dam")).unwrap();
    for name in ["friction", "friction.dam", "actors/friction.dam"] {
        assert_eq!(stdout(&dyverse(&actors(), &["examples", name])), text, "{name}");
    }
    let cradle = std::fs::read_to_string(actors().join("newtons_cradle.dam")).unwrap();
    assert_eq!(
        stdout(&dyverse(&actors(), &["examples", "newtons_cradle.dam"])),
        cradle
    );
}
