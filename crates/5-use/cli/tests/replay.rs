//! `dyverse replay` as people and programs call it.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use crate::support;

use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use support::{dyverse, examples, stderr, stdout};

/// Runs a model of the folder, and keeps its trace there as run.json.
fn simulated(folder: &Path, model: &str) -> Value {
    std::fs::copy(examples().join(model), folder.join(model)).unwrap();
    let output = dyverse(folder, &["simulate", model, "-o", "run.json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&std::fs::read(folder.join("run.json")).unwrap()).unwrap()
}

fn write(folder: &Path, name: &str, trace: &Value) {
    std::fs::write(folder.join(name), serde_json::to_vec(trace).unwrap()).unwrap();
}

#[test]
fn traces_of_all_shipped_models_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let mut judged = 0;
    for sub in ["", "checks"] {
        for entry in std::fs::read_dir(examples().join(sub)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "drbt") {
                continue;
            }
            let model = path.display().to_string();
            let has_horizon = std::fs::read_to_string(&path).unwrap().contains("\nhorizon");
            let until: &[&str] = if has_horizon { &[] } else { &["--until", "2"] };
            let output = dyverse(
                folder.path(),
                &[&["simulate", &model, "-o", "run.json"], until].concat(),
            );
            assert!(output.status.success(), "{model}: {}", stderr(&output));
            let output = dyverse(folder.path(), &["replay", "run.json", "--model", &model]);
            let told = stdout(&output) + &stderr(&output);
            assert!(
                output.status.success() && told.contains(": accepted\n"),
                "{model}: {told}"
            );
            judged += 1;
        }
    }
    assert!(judged >= 20, "{judged}");
}

/// An edge, a state, a force, a time made false: each is refused, and what is told says where and by how much.
#[test]
fn what_is_wrong_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let good = simulated(folder.path(), "sliding_ball.drbt");
    let mut told = String::new();
    let mut judge = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut trace = good.clone();
        change(&mut trace);
        write(folder.path(), "changed.json", &trace);
        let output = dyverse(
            folder.path(),
            &["replay", "changed.json", "--model", "sliding_ball.drbt"],
        );
        assert_eq!(stderr(&output), "");
        let code = output.status.code().unwrap();
        assert_eq!(code, if name == "nothing" { 0 } else { 10 }, "{name}");
        let _ = writeln!(told, "{name} changed, exit code {code}\n{}", stdout(&output));
    };
    judge("nothing", &|_| {});
    judge("an edge", &|trace| trace["transitions"][1]["to"] = json!("s_1,3"));
    judge("a rule", &|trace| trace["transitions"][0]["rule"] = json!("7"));
    judge("a state", &|trace| {
        let x = &mut trace["samples"][20]["values"][0];
        *x = json!(x.as_f64().unwrap() + 0.001);
    });
    judge("a force", &|trace| {
        let normal = &mut trace["transitions"][1]["forces"][0]["normal"];
        *normal = json!(0.9 * normal.as_f64().unwrap());
    });
    judge("a time", &|trace| {
        let time = &mut trace["transitions"][0]["time"][0];
        *time = json!(time.as_f64().unwrap() - 1e-6);
    });
    insta::assert_snapshot!(told);
}

#[test]
fn json_has_what_programs_rely_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut trace = simulated(folder.path(), "interception.drbt");
    let call = [
        "replay",
        "run.json",
        "--model",
        "interception.drbt",
        "--format",
        "json",
    ];
    let output = dyverse(folder.path(), &call);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(found["verdict"], "accepted");
    assert_eq!((&found["transitions"], &found["impacts"]), (&json!(4), &json!(2)));
    assert_eq!((&found["wrong"], &found["not_judged"]), (&json!([]), &json!([])));
    assert!(found["stays"].as_u64().unwrap() == 3 && found["largest_difference"].is_f64());
    trace["transitions"][2]["forces"][0]["normal"] = json!(5.0);
    write(folder.path(), "run.json", &trace);
    let output = dyverse(folder.path(), &call);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &found["verdict"]),
        (Some(10), &json!("refused"))
    );
    let first = &found["wrong"][0];
    assert_eq!(first["edge"]["transition"], 2);
    assert!(
        first["time"].is_array() && first["compared"][0]["found"].is_f64(),
        "{first}"
    );
}

#[test]
fn a_start_of_its_own_is_said() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(
        examples().join("bouncing_ball.drbt"),
        folder.path().join("bouncing_ball.drbt"),
    )
    .unwrap();
    let call = [
        "simulate",
        "bouncing_ball.drbt",
        "--set",
        "ball.vx=1",
        "-o",
        "run.json",
    ];
    assert!(dyverse(folder.path(), &call).status.success());
    let output = dyverse(
        folder.path(),
        &["replay", "run.json", "--model", "bouncing_ball.drbt"],
    );
    assert_eq!(output.status.code(), Some(20));
    let told = stdout(&output);
    assert!(
        told.contains("not judged") && told.contains("the start is taken as it is"),
        "{told}"
    );
}

#[test]
fn wrong_calls_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    simulated(folder.path(), "interception.drbt");
    std::fs::copy(
        examples().join("sliding_ball.drbt"),
        folder.path().join("sliding_ball.drbt"),
    )
    .unwrap();
    std::fs::write(folder.path().join("run.csv"), "time,x\n0,1\n").unwrap();
    let mut told = String::new();
    for call in [
        &["replay", "run.csv", "--model", "interception.drbt"][..],
        &["replay", "run.json", "--model", "machine.dam"],
        &["replay", "run.json", "--model", "sliding_ball.drbt"],
        &["replay", "missing.json", "--model", "sliding_ball.drbt"],
        &[
            "replay",
            "run.json",
            "--model",
            "interception.drbt",
            "--precision",
            "0",
        ],
        &[
            "replay",
            "run.json",
            "--model",
            "interception.drbt",
            "--input",
            "v=1",
        ],
    ] {
        let output = dyverse(folder.path(), call);
        assert_eq!(output.status.code(), Some(2), "{call:?}: {}", stdout(&output));
        let _ = writeln!(told, "$ dyverse {}\n{}", call.join(" "), stderr(&output));
    }
    insta::assert_snapshot!(told);
}
