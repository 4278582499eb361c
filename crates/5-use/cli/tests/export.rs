//! `dyverse export` as a user calls it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    missing_docs
)]

use crate::support;

use std::path::Path;
use support::{dyverse, examples, stderr, stdout};

fn example(name: &str) -> String {
    examples().join(name).display().to_string()
}

fn export(folder: &Path, model: &str, more: &[&str]) -> std::process::Output {
    let mut arguments = vec!["export", model];
    arguments.extend(more);
    dyverse(folder, &arguments)
}

#[test]
fn an_fmu_is_written_and_the_same_twice() {
    let folder = tempfile::tempdir().unwrap();
    let model = example("interception.drbt");
    let first = export(folder.path(), &model, &["--to", "fmu", "--format", "json"]);
    assert!(first.status.success(), "{}", stderr(&first));
    let said: serde_json::Value = serde_json::from_slice(&first.stdout).unwrap();
    assert_eq!((&said["fmi"], &said["states"]), (&"3.0".into(), &26.into()));
    let bytes = std::fs::read(folder.path().join("interception.fmu")).unwrap();
    assert_eq!(&bytes[..2], b"PK");
    let again = export(folder.path(), &model, &["--to", "fmu", "-o", "again.fmu"]);
    assert!(again.status.success() && stderr(&again).contains("wrote again.fmu: FMI 3.0"));
    assert_eq!(bytes, std::fs::read(folder.path().join("again.fmu")).unwrap());
    let old = export(
        folder.path(),
        &example("actors/thermostat.dam"),
        &["--to", "fmu", "--fmi", "2"],
    );
    assert!(old.status.success() && folder.path().join("thermostat.fmu").is_file());
}

#[test]
fn a_missing_library_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let model = example("bouncing_ball.drbt");
    let call = export(folder.path(), &model, &["--to", "fmu", "--library", "nowhere.so"]);
    assert_eq!(call.status.code(), Some(2));
    assert!(
        stderr(&call).contains("cannot read nowhere.so"),
        "{}",
        stderr(&call)
    );
    assert!(!folder.path().join("bouncing_ball.fmu").exists());
}

#[test]
fn c_is_written_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    for (model, name) in [
        ("interception.drbt", "interception"),
        ("actors/diode_oscillator.dam", "diode_oscillator"),
    ] {
        let call = export(folder.path(), &example(model), &["--to", "c"]);
        assert!(call.status.success(), "{}", stderr(&call));
        for file in [format!("{name}.c"), format!("{name}.h"), "Makefile".into()] {
            assert!(folder.path().join(name).join(&file).is_file(), "{file}");
        }
    }
    let inside = export(
        folder.path(),
        &example("actors/interception.dam"),
        &["--to", "c", "-o", "inside"],
    );
    assert_eq!(inside.status.code(), Some(2));
    assert!(stderr(&inside).contains("mechanism"), "{}", stderr(&inside));
}

#[test]
fn other_checkers_get_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let drh = export(
        folder.path(),
        &example("interception.drbt"),
        &["--to", "dreach", "--set", "K=[2,3]", "--bound", "ball1.x=[-5,5]"],
    );
    assert!(drh.status.success(), "{}", stderr(&drh));
    let text = stdout(&drh);
    assert!(
        text.contains("[-5") && text.contains("flow:") && text.contains("jump:"),
        "{text}"
    );
    let xml = export(
        folder.path(),
        &example("actors/thermostat.dam"),
        &["--to", "spaceex", "-o", "t.xml"],
    );
    assert!(xml.status.success(), "{}", stderr(&xml));
    assert!(folder.path().join("t.xml").is_file() && folder.path().join("t.cfg").is_file());
    // Nonlinear: says which term, and a way out if there is one.
    let refused = export(folder.path(), &example("interception.drbt"), &["--to", "spaceex"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("affine"), "{}", stderr(&refused));
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let model = example("interception.drbt");
    for (more, name) in [
        (&["--to", "fmu", "--set", "K=2"][..], "--set"),
        (&["--to", "c", "--property", "kept"], "--property"),
        (&["--to", "spaceex", "--bound", "ball1.x=[0,1]"], "--bound"),
        (&["--to", "dot", "--nominal"], "--nominal"),
    ] {
        let call = export(folder.path(), &model, more);
        assert_eq!(call.status.code(), Some(2));
        assert!(stderr(&call).contains(&format!("{name} does nothing here")));
    }
    let dot = export(folder.path(), &model, &["--to", "dot"]);
    assert!(dot.status.success() && stdout(&dot).starts_with("digraph"));
    let thermostat = example("actors/thermostat.dam");
    let modes = export(folder.path(), &thermostat, &["--to", "json"]);
    let modes: serde_json::Value = serde_json::from_slice(&modes.stdout).unwrap();
    let modal = &modes["modal_models"][0];
    let names = modal["modes"].as_array().unwrap();
    assert!(names.contains(&modal["initial"]), "{modes:#}");
    assert!(!modal["transitions"].as_array().unwrap().is_empty());
    let drawn = stdout(&export(folder.path(), &thermostat, &["--to", "dot"]));
    assert!(drawn.contains("subgraph cluster_0") && drawn.contains(" -> "));
    let broken = folder.path().join("broken.drbt");
    std::fs::write(&broken, "system x\nentity a {").unwrap();
    let call = export(folder.path(), "broken.drbt", &["--to", "fmu"]);
    assert!(call.status.code() == Some(2) && stderr(&call).contains("broken.drbt:2"));
}
