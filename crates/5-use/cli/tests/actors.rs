//! The command on actor models: by the ending of the file, with the same formats.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot begin has failed"
)]

use crate::support;

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
fn messages_name_what_the_text_names() {
    let folder = tempfile::tempdir().unwrap();
    let text = "model logarithm\nx' = ln(time - 1)\nhorizon = 3\n";
    std::fs::write(folder.path().join("logarithm.dam"), text).unwrap();
    let output = dyverse(folder.path(), &["simulate", "logarithm.dam"]);
    let said = format!("{}{}", stdout(&output), stderr(&output));
    assert!(said.contains("part of x"), "{said}");
    assert!(!said.contains('#'), "{said}");
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

#[test]
fn a_value_outside_its_range_is_noted() {
    let output = dyverse(
        &actors(),
        &[
            "simulate",
            "oblique_fall.dam",
            "--until",
            "0.1",
            "--set",
            "vx0=11",
        ],
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "note: vx0 = 11 lies outside its range [0, 10]\n");
    let folder = tempfile::tempdir().unwrap();
    let text = "param a = 2\nparam b in [a, 2 * a] = 3\ninput u in [-b, b]\nx' = u init 0\nhorizon = 1\n";
    std::fs::write(folder.path().join("ranges.dam"), text).unwrap();
    let run = |given: &[&str]| {
        let arguments: Vec<&str> = ["simulate", "ranges.dam"].iter().chain(given).copied().collect();
        let output = dyverse(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    };
    assert_eq!(
        run(&["--set", "a=1", "--set", "b=3", "--input", "u=3"]),
        "note: b = 3 lies outside its range [1, 2]\n"
    );
    assert_eq!(
        run(&["--input", "u=-4"]),
        "note: u = -4 lies outside its range [-3, 3]\n"
    );
    assert_eq!(run(&["--set", "b=4", "--input", "u=-4"]), "");
}

#[test]
fn what_only_bodies_have_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("run.json");
    let trace = trace.to_str().unwrap();
    let first = dyverse(&actors(), &["simulate", "friction.dam", "--output", trace]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    for (given, expected) in [
        (
            &["--continue", trace][..],
            "--continue is for rigid-body models (.drbt)",
        ),
        (
            &["--continue", trace, "--from-event", "0"],
            "--continue is for rigid-body models (.drbt)",
        ),
        (&["--show-nodes"], "--show-nodes is for rigid-body models (.drbt)"),
    ] {
        let arguments: Vec<&str> = ["simulate", "friction.dam"]
            .iter()
            .chain(given)
            .copied()
            .collect();
        let output = dyverse(&actors(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    let dense = dyverse(&actors(), &["simulate", "friction.dam", "--dense"]);
    assert_eq!(
        stderr(&dense),
        "note: --dense is only seen in an --output FILE.json\n"
    );
}

#[test]
fn summaries_have_modes_and_no_mechanics() {
    for name in ["friction.dam", "two_balls.dam", "flyback_diode.dam"] {
        let output = dyverse(&actors(), &["simulate", name]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        for word in ["penetration", "residual", "energy", "impacts"] {
            assert!(!text.contains(word), "{text}");
        }
        let named = |start: &str| text.lines().any(|line| line.starts_with(start));
        assert!(
            named("final state") && named("jumps") && named("stopped"),
            "{text}"
        );
        assert_eq!(named("modes"), name != "two_balls.dam", "{text}");
    }
}
