//! `dyverse simulate x.fmu` and FMUs inside actor models. Oracle: the model that an FMU was made of, run without FMI.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot begin has failed"
)]

use crate::support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use support::{dyverse, examples, stderr};

/// Exports a model to `folder/NAME.fmu`.
fn export(folder: &Path, model: &Path, version: &str, name: &str) {
    let arguments = [
        "export",
        model.to_str().unwrap(),
        "--to",
        "fmu",
        "--fmi",
        version,
        "-o",
        name,
    ];
    let output = dyverse(folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

struct Run {
    /// Kinds and times of events.
    events: Vec<(String, f64)>,
    last: BTreeMap<String, f64>,
}

impl Run {
    fn times(&self, kind: &str) -> Vec<f64> {
        let found = self.events.iter().filter(|(k, _)| k == kind);
        found.map(|(_, t)| *t).collect()
    }
}

fn run(folder: &Path, file: &str, arguments: &[&str]) -> Run {
    let mut all = vec!["simulate", file, "--format", "json", "--output", "run.csv"];
    all.extend(arguments);
    let output = dyverse(folder, &all);
    assert_eq!(output.status.code(), Some(0), "{file}: {}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let events = report["events"].as_array().unwrap().iter();
    let table = std::fs::read_to_string(folder.join("run.csv")).unwrap();
    let mut lines = table.lines();
    let names = lines.next().unwrap().split(',');
    let values = lines.next_back().unwrap().split(',');
    Run {
        events: events
            .map(|e| (e["kind"].as_str().unwrap().to_owned(), e["t"].as_f64().unwrap()))
            .collect(),
        last: names
            .zip(values)
            .filter_map(|(name, value)| Some((name.trim_matches('"').to_owned(), value.parse().ok()?)))
            .collect(),
    }
}

fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let output = dyverse(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    stderr(&output)
}

/// Every value of the model's last sample is that of the FMU's.
fn check_last(model: &Run, fmu: &Run, tolerance: f64) {
    let mut compared = 0;
    for (name, expected) in model.last.iter().filter(|(name, _)| *name != "microstep") {
        if let Some(found) = fmu.last.get(name) {
            let error = (found - expected).abs();
            assert!(
                error <= tolerance * expected.abs().max(1.0),
                "{name}: {found} {expected}"
            );
            compared += 1;
        }
    }
    assert!(compared > 1, "{:?} {:?}", model.last, fmu.last);
}

/// Each of these moments is one of those, to 1e-9.
fn check_moments(expected: &[f64], found: &[f64]) {
    assert!(!expected.is_empty());
    for t in expected {
        let nearest = found.iter().map(|f| (f - t).abs()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-9, "{t}: {nearest}");
    }
}

fn compare(model: &str, kind: &str, arguments: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = examples().join(model);
    let expected = run(folder.path(), path.to_str().unwrap(), arguments);
    for version in ["2", "3"] {
        export(folder.path(), &path, version, "x.fmu");
        let exchange = run(folder.path(), "x.fmu", arguments);
        check_moments(&expected.times(kind), &exchange.times("event"));
        check_last(&expected, &exchange, 1e-8);
        let mut all = vec!["--interface", "cs", "--step", "0.05"];
        all.extend(arguments);
        check_last(&expected, &run(folder.path(), "x.fmu", &all), 1e-8);
    }
}

#[test]
fn a_ball_that_bounces_and_rests() {
    compare("bouncing_ball.drbt", "impact", &["--set", "e=0.75"]);
}

#[test]
fn the_interception_game() {
    compare("interception.drbt", "impact", &["--set", "K=1.5"]);
}

#[test]
fn a_thermostat() {
    compare(
        "actors/thermostat.dam",
        "mode",
        &["--until", "2000", "--set", "outside=7"],
    );
}

#[test]
fn an_fmu_in_an_actor_model_is_the_mechanism_it_was_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let balls = examples().join("actors/interception_balls.drbt");
    std::fs::copy(&balls, folder.join("interception_balls.drbt")).unwrap();
    let text = std::fs::read_to_string(examples().join("actors/interception.dam")).unwrap();
    std::fs::write(folder.join("mechanism.dam"), &text).unwrap();
    // An FMU has no event `impact`.
    let lines = text.lines().filter(|line| !line.contains("game.impact"));
    let text: Vec<String> = lines
        .map(|line| {
            line.replace(
                "mechanism game = \"interception_balls.drbt\"",
                "fmu game = \"balls.fmu\"",
            )
            .replace(", meetings, impulses", "")
        })
        .collect();
    std::fs::write(folder.join("fmu.dam"), text.join("\n")).unwrap();
    let expected = run(folder, "mechanism.dam", &[]);
    for version in ["2", "3"] {
        export(folder, &balls, version, "balls.fmu");
        let found = run(folder, "fmu.dam", &[]);
        check_moments(&expected.times("impact"), &found.times("event"));
        check_last(&expected, &found, 1e-8);
    }
}

const PLANT: &str =
    "model plant\nparam k = 1\ninput u\nx' = k * (u - x) init 1\ny = x + 2 * u\nrecord x, y\nhorizon 1\n";

#[test]
fn outputs_that_depend_directly_on_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("plant.dam"), PLANT).unwrap();
    export(folder, Path::new("plant.dam"), "3", "plant.fmu");
    // Alone: inputs are known functions of time.
    std::fs::write(folder.join("u.csv"), "0,0\n1,1\n").unwrap();
    let found = run(folder, "plant.fmu", &["--input", "u=u.csv", "--set", "k=2"]);
    let x = 1.5 * (-2.0_f64).exp() + 0.5;
    assert!((found.last["x"] - x).abs() < 1e-9, "{:?}", found.last);
    assert!((found.last["y"] - x - 2.0).abs() < 1e-9, "{:?}", found.last);
    // In a model: piecewise constant inputs.
    let text = "fmu plant = \"plant.fmu\"(k = 2) { u = hold(clock(period = 1, offset = 0.5, value = 3), init = 0) }\ny = plant.y\nx = plant.x\nhorizon 1\n";
    std::fs::write(folder.join("steps.dam"), text).unwrap();
    let found = run(folder, "steps.dam", &[]);
    let x = 3.0 + ((-1.0_f64).exp() - 3.0) * (-1.0_f64).exp();
    assert!((found.last["x"] - x).abs() < 1e-9, "{:?}", found.last);
    assert!((found.last["y"] - x - 6.0).abs() < 1e-9, "{:?}", found.last);
    // Continuous ones are refused where the output is read, and fine where it is not.
    let text = text.replace(
        "hold(clock(period = 1, offset = 0.5, value = 3), init = 0)",
        "sin(time)",
    );
    std::fs::write(folder.join("waves.dam"), &text).unwrap();
    let said = refusal(folder, &["simulate", "waves.dam"]);
    assert!(
        said.contains("its output `y` depends directly on an input"),
        "{said}"
    );
    std::fs::write(folder.join("waves.dam"), text.replace("y = plant.y\n", "")).unwrap();
    let found = run(folder, "waves.dam", &[]);
    // x' = 2 (sin t - x), x(0) = 1.
    let particular = |t: f64| (4.0 * t.sin() - 2.0 * t.cos()) / 5.0;
    let x = particular(1.0) + (1.0 - particular(0.0)) * (-2.0_f64).exp();
    assert!((found.last["x"] - x).abs() < 1e-9, "{:?} {x}", found.last);
}

#[test]
fn an_fmu_in_a_mode_begins_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("plant.dam"), PLANT).unwrap();
    let text = "modal m {
        out cont y
        initial mode waiting { y = 0  when time >= 0.5 goto running }
        mode running { fmu plant = \"plant.fmu\" { u = 0 }  y = plant.x }
    }
    x = m.y
    z' = 0
    horizon 1";
    std::fs::write(folder.join("late.dam"), text).unwrap();
    for version in ["2", "3"] {
        export(folder, Path::new("plant.dam"), version, "plant.fmu");
        let found = run(folder, "late.dam", &[]);
        assert!(
            (found.last["x"] - (-0.5_f64).exp()).abs() < 1e-9,
            "{:?}",
            found.last
        );
    }
}

#[test]
fn wrong_calls_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("plant.dam"), PLANT).unwrap();
    export(folder, Path::new("plant.dam"), "2", "plant.fmu");
    for (arguments, part) in [
        (
            &["simulate", "plant.fmu", "--set", "kk=2"][..],
            "did you mean `k`",
        ),
        (&["simulate", "plant.fmu", "--input", "v=2"], "no input `v`"),
        (&["simulate", "plant.fmu", "--until", "-1"], "not -1"),
        (
            &["simulate", "plant.fmu", "--interface", "cs", "--step", "0"],
            "above 0",
        ),
        (&["simulate", "plant.fmu", "--show-nodes"], "--show-nodes"),
        (
            &["simulate", "plant.dam", "--interface", "cs"],
            "--interface is for FMUs",
        ),
        (&["simulate", "missing.fmu"], "missing.fmu"),
    ] {
        let said = refusal(folder, arguments);
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
    std::fs::write(folder.join("no.fmu"), "text").unwrap();
    assert!(refusal(folder, &["simulate", "no.fmu"]).contains("it is no archive"));
    std::fs::write(
        folder.join("use.dam"),
        "fmu p = \"plant.fmu\" { w = 1 }\ny = p.yy\nhorizon 1\n",
    )
    .unwrap();
    let said = refusal(folder, &["simulate", "use.dam"]);
    assert!(
        said.contains("use.dam:1:23") && said.contains("no input `w`"),
        "{said}"
    );
    assert!(
        said.contains("use.dam:2:7") && said.contains("no variable `yy`"),
        "{said}"
    );
    std::fs::write(
        folder.join("use.dam"),
        "fmu p = \"plant.fmu\"\ny = p.y\nhorizon 1\n",
    )
    .unwrap();
    let said = refusal(folder, &["export", "use.dam", "--to", "fmu"]);
    assert!(said.contains("a block cannot contain an FMU"), "{said}");
}

/// The library of an FMU, loaded and unloaded many times by a program in C: what an instance needed is given back.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_library_that_is_unloaded_leaves_nothing_behind() {
    const ROUNDS: usize = 40;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    export(folder, &examples().join("interception.drbt"), "3", "game.fmu");
    let mut archive = zip::ZipArchive::new(std::fs::File::open(folder.join("game.fmu")).unwrap()).unwrap();
    archive.extract(folder.join("game")).unwrap();
    let library = folder.join(format!(
        "game/binaries/{}-linux/interception.so",
        std::env::consts::ARCH
    ));
    let description = std::fs::read_to_string(folder.join("game/modelDescription.xml")).unwrap();
    let token = description
        .split("instantiationToken=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unload.c");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let made = std::process::Command::new(compiler)
        .args(["-O1", "-o", "unload"])
        .arg(source)
        .arg("-ldl")
        .current_dir(folder)
        .status();
    assert!(made.unwrap().success());
    let output = std::process::Command::new(folder.join("unload"))
        .arg(library)
        .arg(token)
        .arg(folder.join("game/resources/"))
        .arg(ROUNDS.to_string())
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let numbers: Vec<usize> = support::stdout(&output)
        .split_whitespace()
        .map(|number| number.parse().unwrap())
        .collect();
    let [early, late, mapped] = numbers[..] else {
        panic!("{numbers:?}");
    };
    assert_eq!(mapped, 0, "it is still there");
    // The loader itself keeps a little; a model that stays is 40 kB.
    let each = late.saturating_sub(early) / (ROUNDS - 5);
    assert!(each < 8000, "{each} bytes stay of each round");
}
