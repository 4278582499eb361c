//! What ends a run early is kept and marked: in every kind of file, whatever the reason.

use crate::support::{dyverse, stderr, stdout};
use serde_json::Value;
use std::path::Path;

/// Models whose mistake shows at t = 1, each with what is said about it.
const MISTAKES: [(&str, &str, &str); 4] = [
    (
        "ambiguous.dam",
        "e = at(1)\nx' = 1\nmodal m { out any s\n mode a { s = 1 when e goto b when present e goto c }\n mode b { s = 2 } mode c { s = 3 } }\nhorizon = 2\nrecord m.s, x\n",
        "two transitions are enabled",
    ),
    (
        "loop.dam",
        "e = at(1)\nx' = 1\nmodal m { out any s\n mode a { y = 1 s = y when (y ?? 0) > 0 and present e preempt goto b }\n mode b { s = 2 } }\nhorizon = 2\nrecord m.s, x\n",
        "causality loop at (1, 1)",
    ),
    (
        "circle.dam",
        "x' = 1\nmodal m { out any s\n mode a { s = 1 when x >= 1 goto b }\n mode b { s = 2 when x > 0 immediate goto c }\n mode c { s = 3 when x > 0 immediate goto b } }\n\
         horizon = 2\nrecord m.s, x\n",
        "go round in a circle",
    ),
    (
        "absent.dam",
        "e = at(2)\nx' = 1\nmodal m { out cont v\n mode a { v' = 0 when x >= 1 goto b { v := e } }\n mode b { v' = 0 } }\nhorizon = 3\nrecord m.v, x\n",
        "is absent",
    ),
];

fn written(folder: &Path, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(folder.join(name)).unwrap()).into_owned()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_mistake_that_shows_during_the_run_keeps_the_run_until_then() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    for (name, text, said) in MISTAKES {
        std::fs::write(folder.join(name), text).unwrap();
        for ending in ["json", "csv", "svg", "png", "html", "parquet"] {
            let file = format!("run.{ending}");
            let output = dyverse(folder, &["simulate", name, "--format", "json", "--output", &file]);
            assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
            assert!(stderr(&output).contains(said), "{name}: {}", stderr(&output));
            let report = json(&stdout(&output));
            assert_eq!(report["stop"]["reason"], "model_error", "{name}");
            assert_eq!(report["stop"]["time"], 1.0, "{name}");
            assert_eq!(report["final"]["x"], 1.0, "{name}: {report:#}");
            let text = written(folder, &file);
            match ending {
                "json" => {
                    let trace = json(&text);
                    assert_eq!(trace["stop"]["reason"], "model_error");
                    assert!(trace["stop"]["text"].as_str().unwrap().contains(said));
                    assert!(trace["samples"].as_array().unwrap().len() > 150);
                }
                "csv" => {
                    let last = text.lines().last().unwrap();
                    assert!(last.starts_with("1.0,") && last.contains(said), "{last}");
                }
                "svg" => assert!(
                    text.contains("stopped before the horizon, at t = 1 s: "),
                    "{text}"
                ),
                "parquet" => assert!(text.contains(said)),
                "html" => assert!(text.contains("model_error") && text.contains(said)),
                _ => {}
            }
            std::fs::remove_file(folder.join(&file)).unwrap();
        }
    }
}

/// Without a tick that is whole there is nothing to keep.
#[test]
fn a_mistake_at_the_start_leaves_no_file() {
    let place = tempfile::tempdir().unwrap();
    let text = "e = at(1)\nx' = 1 init e\nhorizon = 1\nrecord x\n";
    std::fs::write(place.path().join("m.dam"), text).unwrap();
    let output = dyverse(place.path(), &["simulate", "m.dam", "--output", "run.csv"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("at (0, 0)"), "{}", stderr(&output));
    assert!(!place.path().join("run.csv").exists());
}

/// The mark of a run that stopped early is in every file, and does not keep ours from reading it.
#[test]
fn every_file_of_a_run_that_stopped_early_is_marked() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let models = [
        (
            "walls.drbt",
            "system walls\nentity b { sphere(radius = 0.1) mass = 1 velocity = (3, 0, 0) }\n\
             fixed entity l { half_space(normal = (1, 0, 0), offset = -1) }\nfixed entity r { half_space(normal = (-1, 0, 0), offset = -1) }\n\
             contact default { restitution = 1 friction = 0 }\nhorizon 100\n",
        ),
        (
            "swing.dam",
            "model swing\nout cont stop, v\nstop' = v init 1\nv' = -stop\ne = cross(stop)\nhorizon = 100\nrecord stop, v\n",
        ),
    ];
    for (name, text) in models {
        std::fs::write(folder.join(name), text).unwrap();
        for (more, code, mark) in [
            (vec!["--max-events", "7"], 4, Some("more than 7 events")),
            (vec!["--until", "1"], 0, None),
        ] {
            let call = |file: &str| {
                let call = [vec!["simulate", name, "--output", file], more.clone()].concat();
                let output = dyverse(folder, &call);
                assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
                written(folder, file)
            };
            let csv = call("run.csv");
            let mut rows = csv.lines();
            let columns = rows.next().unwrap().split(',').count();
            assert!(rows.all(|row| row.split(',').count() == columns), "{csv}");
            let last = csv.lines().last().unwrap();
            let words = mark.map_or(String::new(), |mark| format!(",event_limit: {mark}"));
            assert!(
                last.ends_with(&words) && last.contains("event_limit") == mark.is_some(),
                "{last}"
            );
            let svg = call("run.svg");
            assert_eq!(
                svg.matches("stopped before the horizon").count(),
                2 * usize::from(mark.is_some())
            );
            let trace = json(&call("run.json"));
            assert_eq!(trace["stop"]["reason"] == "horizon", mark.is_none());
            call("run.parquet");
            call("run.png");
            // Ours read them back, with the mark.
            for file in ["run.csv", "run.parquet", "run.json"] {
                let view = dyverse(folder, &["view", file, "--output", "page.html"]);
                assert_eq!(view.status.code(), Some(0), "{}", stderr(&view));
                let page = written(folder, "page.html");
                assert_eq!(page.contains("more than 7 events"), mark.is_some(), "{file}");
            }
        }
    }
}
