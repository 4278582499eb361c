//! `dyverse simulate` as people and programs call it.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use crate::support;

use serde_json::Value;
use std::path::Path;
use support::{dyverse, examples, stderr, stdout, with_input};

fn simulate(model: &str, arguments: &[&str]) -> Value {
    let mut all = vec!["simulate", model, "--format", "json"];
    all.extend(arguments);
    let output = dyverse(&examples(), &all);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn times_of(run: &Value, kind: &str) -> Vec<f64> {
    let events = run["events"].as_array().unwrap();
    events
        .iter()
        .filter(|e| e["kind"] == kind)
        .map(|e| e["t"].as_f64().unwrap())
        .collect()
}

/// Copies an example to a folder where a test may write.
fn copy(model: &str, folder: &Path) {
    std::fs::copy(examples().join(model), folder.join(model)).unwrap();
}

/// Oracle: paper 000, section 1.3.
#[test]
fn the_interception_game_has_the_papers_impacts() {
    let run = simulate("interception.drbt", &["--set", "K=1"]);
    let impacts = times_of(&run, "impact");
    assert_eq!(impacts.len(), 2, "{impacts:?}");
    for (found, expected) in impacts.iter().zip([0.5922, 0.9278]) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
}

/// Oracle, closed form: at rest from t = √(2h/g)·(1 + e)/(1 − e) on.
#[test]
fn the_bouncing_ball_comes_to_rest() {
    let run = simulate("bouncing_ball.drbt", &[]);
    let last = run["events"].as_array().unwrap().last().unwrap()["t"]
        .as_f64()
        .unwrap();
    assert!((last - 4.063_712_768_8).abs() < 1e-8, "{last}");
    assert_eq!(run["stop"]["reason"], "horizon");
    assert_eq!(run["stop"]["time"], 5.0);
}

#[test]
fn json_has_what_programs_rely_on() {
    let run = simulate("interception.drbt", &[]);
    for key in [
        "stop",
        "events",
        "final",
        "steps",
        "seed",
        "parameters",
        "balance",
        "statistics",
    ] {
        assert!(!run[key].is_null(), "{key}");
    }
    let event = &run["events"][0];
    assert!(event["t"].is_f64() && event["microstep"].is_u64() && event["kind"].is_string());
    assert!(event["edge"]["from"].is_string() && event["contacts"].is_array());
    assert!(run["stop"]["reason"].is_string() && run["stop"]["time"].is_number());
    let states = run["final"].as_object().unwrap();
    assert_eq!(states.len(), 26);
    assert!(states["ball1.x"].is_f64() && states["ball2.qw"].is_f64());
    assert!(run["steps"].as_u64().unwrap() > 0 && run["seed"] == 0);
}

#[test]
fn the_summary_says_what_happened() {
    let output = dyverse(&examples(), &["simulate", "interception.drbt"]);
    let text = stdout(&output);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        stderr(&output)
    );
    for part in [
        "system       interception",
        "at t = 2 s: the horizon was reached",
        "impacts      2",
        "ball1",
        "ball2",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn traces_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    copy("interception.drbt", folder.path());
    let write = |name: &str, more: &[&str]| {
        let output = dyverse(
            folder.path(),
            &[&["simulate", "interception.drbt", "-o", name], more].concat(),
        );
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read(folder.path().join(name)).unwrap()
    };
    let csv = String::from_utf8(write("run.csv", &["--sample-every", "0.5"])).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[0].starts_with("time,microstep,ball1.x,ball1.y,ball1.z,"),
        "{}",
        lines[0]
    );
    assert!(csv.ends_with('\n') && lines.iter().all(|l| l.split(',').count() == 28));
    assert!(lines[1].starts_with("0.0,0,0.0,3.0,") && lines.last().unwrap().starts_with("2.0,0,"));
    let times = lines[1..]
        .iter()
        .map(|l| l.split(',').next().unwrap().parse::<f64>().unwrap());
    assert!(times.is_sorted());

    let json: Value = serde_json::from_slice(&write("run.json", &["--dense", "--show-nodes"])).unwrap();
    assert_eq!(json["format"], "dyverse-trace-2");
    assert!(
        !json["pieces"].as_array().unwrap().is_empty() && !json["samples"].as_array().unwrap().is_empty()
    );
    let guard = json["transitions"][0]["guard"].as_str().unwrap();
    assert!(!guard.is_empty() && json["transitions"][0]["time"].is_array());

    let parquet = write("RUN.PARQUET", &[]);
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        4,
        "nothing else is left behind"
    );
}

#[test]
fn equal_calls_write_equal_bytes() {
    let run = || {
        dyverse(
            &examples(),
            &[
                "simulate",
                "interception.drbt",
                "--format",
                "json",
                "--set",
                "K=2.5",
            ],
        )
        .stdout
    };
    assert_eq!(run(), run());
}

#[test]
fn inputs_drive_the_run() {
    let folder = tempfile::tempdir().unwrap();
    copy("interception.drbt", folder.path());
    std::fs::write(folder.path().join("push.csv"), "time,u1,u3\n0,4,9\n2,4,9\n").unwrap();
    std::fs::write(folder.path().join("pair.csv"), "0,4\n1,4\n").unwrap();
    let last = |arguments: &[&str]| {
        let output = dyverse(
            folder.path(),
            &[&["simulate", "interception.drbt", "--format", "json"], arguments].concat(),
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let run: Value = serde_json::from_slice(&output.stdout).unwrap();
        run["final"]["ball2.x"].as_f64().unwrap()
    };
    let (alone, table) = (last(&[]), last(&["--input", "u1=push.csv"]));
    assert!((alone - table).abs() > 0.1, "{alone} {table}");
    // A table of one value is that value.
    for same in ["u1=pair.csv", "u1=4"] {
        let found = last(&["--input", same]);
        assert!((found - table).abs() < 1e-9, "{same}: {found} {table}");
    }
}

/// Everything that is said about a wrong call.
#[test]
fn wrong_calls_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    copy("interception.drbt", folder.path());
    let still = "system still\nentity a { sphere(radius = 1) mass = 1 }\n";
    std::fs::write(folder.path().join("still.drbt"), still).unwrap();
    std::fs::write(folder.path().join("bad.csv"), "time,u1\n0,1\n1,nan\n").unwrap();
    let mut told = String::new();
    for arguments in [
        &["interception.drbt", "--set", "k2=2"][..],
        &["interception.drbt", "--set", "gain_of_it=2"],
        &["still.drbt", "--until", "1", "--set", "K=2"],
        &["interception.drbt", "--set", "K=much"],
        &["interception.drbt", "--set", "K=inf"],
        &["interception.drbt", "--set", "K"],
        &["interception.drbt", "--set", "K=1", "--set", "K=2"],
        &["interception.drbt", "--input", "u4=1"],
        &["interception.drbt", "--input", "u1=nan"],
        &["interception.drbt", "--input", "u1=missing.csv"],
        &["interception.drbt", "--input", "u1=bad.csv"],
        &[
            "interception.drbt",
            "--input",
            "u1=bad.csv",
            "--output",
            "bad.csv",
        ],
        &["interception.drbt", "--output", "run.xlsx"],
        &["interception.drbt", "--output", "run"],
        &["interception.drbt", "--output", "nowhere/run.csv"],
        &["interception.drbt", "--sample-every", "0"],
        &[
            "interception.drbt",
            "--sample-every",
            "1e-12",
            "--output",
            "run.csv",
        ],
        &["interception.drbt", "--timeout", "0"],
        &["interception.drbt", "--max-memory", "-1"],
        &["interception.drbt", "--until", "-1"],
        &["interception.drbt", "--until", "nan"],
        &["still.drbt"],
    ] {
        let output = dyverse(folder.path(), &[&["simulate"], arguments].concat());
        // A place that is not there is no wrong call.
        let code = if arguments.contains(&"nowhere/run.csv") {
            3
        } else {
            2
        };
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        told += &format!(
            "$ dyverse simulate {}\n{}\n",
            arguments.join(" "),
            stderr(&output)
        );
    }
    insta::assert_snapshot!(told);
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        3,
        "nothing was written"
    );
}

#[test]
fn a_value_outside_its_range_is_noted() {
    let output = dyverse(
        &examples(),
        &["simulate", "interception.drbt", "--until", "0.1", "--set", "K=7"],
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "note: K = 7 lies outside its range [1, 3]\n");
}

#[test]
fn a_run_that_stops_early_is_written_and_exits_with_4() {
    let folder = tempfile::tempdir().unwrap();
    copy("bouncing_ball.drbt", folder.path());
    let call = [
        "simulate",
        "bouncing_ball.drbt",
        "--max-events",
        "8",
        "--format",
        "json",
        "-o",
        "run.json",
    ];
    let output = dyverse(folder.path(), &call);
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("stopped before the horizon: more than 8 events"));
    assert!(stderr(&output).contains("help: --max-events N"));
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(run["stop"]["reason"], "event_limit");
    let trace: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("run.json")).unwrap()).unwrap();
    assert_eq!(trace["stop"], run["stop"]);
}

/// Standard input has no ending: the text tells its language.
#[test]
fn the_language_of_standard_input_is_told_by_its_text() {
    let bodies = "entity a { sphere(radius = 1) mass = 1 }\nhorizon 1\nproperty p: always a.x < 1\n";
    let actors = "x' = 1\nhorizon = 1\nrecord x\nproperty p: always x < 2\n";
    for (text, is_actors) in [
        (bodies.to_owned(), false),
        (format!("# model a\n\n  system s\n{bodies}"), false),
        (actors.to_owned(), true),
        (format!("# system s\n\n  model a\n{actors}"), true),
        (format!("\u{feff}model a\n{actors}"), true),
    ] {
        for command in ["simulate", "check"] {
            let output = with_input(&[command, "-", "--format", "json"], text.as_bytes());
            assert_eq!(output.status.code(), Some(0), "{text}: {}", stderr(&output));
            if command == "simulate" {
                let run: Value = serde_json::from_slice(&output.stdout).unwrap();
                assert_eq!(run["final"]["x"].is_number(), is_actors, "{text}");
            }
        }
    }
    // What is wrong is said in the language that the first word names.
    let wrong = with_input(&["simulate", "-"], b"model a\nx' = \nhorizon = 1\n");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("standard input:2"), "{}", stderr(&wrong));
}

#[test]
fn a_model_from_standard_input_and_a_wrong_one() {
    let text = "system still\nentity a { sphere(radius = 1) mass = 1 }\nhorizon 1\n";
    let output = with_input(&["simulate", "-"], text.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
    let output = with_input(&["simulate", "-", "--format", "json"], b"system wrong\nhorizon\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        serde_json::from_slice::<Value>(&output.stderr).is_ok(),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_run_is_drawn_for_a_file_that_ends_in_svg() {
    let folder = tempfile::tempdir().unwrap();
    copy("bouncing_ball.drbt", folder.path());
    std::fs::copy(
        examples().join("actors/growth.dam"),
        folder.path().join("growth.dam"),
    )
    .unwrap();
    for (model, panels) in [("bouncing_ball.drbt", "ball.y,ball.x"), ("growth.dam", "x, y")] {
        for plot in [&[][..], &["--plot", panels]] {
            let mut call = vec!["simulate", model, "--until", "1", "--output", "run.svg"];
            call.extend(plot);
            let output = dyverse(folder.path(), &call);
            assert!(output.status.success(), "{}", stderr(&output));
            let drawing = std::fs::read_to_string(folder.path().join("run.svg")).unwrap();
            assert!(
                drawing.starts_with("<svg") && drawing.ends_with("</svg>\n"),
                "{drawing}"
            );
            assert!(drawing.contains("class=\"line c0 d0\""), "{drawing}");
        }
    }
    let with = |arguments: &[&str]| {
        let mut call = vec!["simulate", "growth.dam"];
        call.extend(arguments);
        let output = dyverse(folder.path(), &call);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output)
    };
    let unknown = with(&["--output", "other.svg", "--plot", "xx"]);
    assert!(
        unknown.contains("no signal `xx`") && unknown.contains("did you mean `x`?"),
        "{unknown}"
    );
    assert!(!folder.path().join("other.svg").exists());
    let csv = with(&["--output", "run.csv", "--plot", "x"]);
    assert!(csv.contains("--plot needs an --output FILE.svg"), "{csv}");
}

/// Balls of radius 0.2 that bounce for ever side by side, dropped from 1 m and a little more each.
fn elastic(balls: usize) -> String {
    let ball = |k: usize| {
        format!(
            "entity b{k} {{ sphere(radius = 0.2)  mass = 1  position = ({k}, {:?}, 0) }}\ncontact b{k}, floor {{ restitution = 1  friction = 0 }}\n",
            0.2 + drop(k)
        )
    };
    let all: String = (0..balls).map(ball).collect();
    format!(
        "system elastic\nfixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}\n{all}gravity (0, -10, 0)\nhorizon 200\n"
    )
}

/// The height of a drop, m.
fn drop(ball: usize) -> f64 {
    1.0 + 0.013 * ball as f64
}

const TICKING: &str = "c = clock(1e-6)\nx' = 0 init 0 impulse 1 on c\ny' = 1\nhorizon = 1e5\n";

/// A limit ends a run of either kind; what there is of it is written, and its last state is that at the stop.
#[test]
fn limits_end_a_run_and_keep_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("elastic.drbt"), elastic(150)).unwrap();
    std::fs::write(here.join("ticking.dam"), TICKING).unwrap();
    for model in ["elastic.drbt", "ticking.dam"] {
        for (limit, reason) in [
            (["--timeout", "1"], "timeout"),
            (["--max-memory", "0.002"], "memory_limit"),
            (["--max-events", "500"], "event_limit"),
        ] {
            let begun = std::time::Instant::now();
            let more = [
                "--sample-every",
                "1000",
                "--output",
                "run.csv",
                "--format",
                "json",
            ];
            let output = dyverse(here, &[&["simulate", model], &limit[..], &more].concat());
            let seconds = begun.elapsed().as_secs_f64();
            assert_eq!(
                output.status.code(),
                Some(4),
                "{model} {limit:?} {}",
                stderr(&output)
            );
            assert!(seconds < 4.0, "{model} {limit:?} took {seconds} s");
            assert!(stderr(&output).contains("  = help: "), "{}", stderr(&output));
            let run: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(run["stop"]["reason"], reason, "{model}");
            let t = run["stop"]["time"].as_f64().unwrap();
            let table = std::fs::read_to_string(here.join("run.csv")).unwrap();
            let last: f64 = table
                .lines()
                .last()
                .unwrap()
                .split(',')
                .next()
                .unwrap()
                .parse()
                .unwrap();
            assert_eq!(last, t, "the last sample is at the stop");
            let fin = |name: &str| run["final"][name].as_f64().unwrap();
            if model == "ticking.dam" {
                assert!((fin("y") - t).abs() < 1e-9 * t.max(1.0), "{t} {}", fin("y"));
                assert!((fin("x") - t * 1e6).abs() < 2.0, "{t} {}", fin("x"));
            } else {
                for ball in 0..150 {
                    let fall = (0.2 * drop(ball)).sqrt();
                    let phase = (t + fall).rem_euclid(2.0 * fall) - fall;
                    let y = 0.2 + drop(ball) - 5.0 * phase * phase;
                    let found = fin(&format!("b{ball}.y"));
                    assert!((found - y).abs() < 1e-5, "b{ball} at {t}: {found} {y}");
                }
            }
        }
    }
    // The same text comes out whether what is not shown is kept or not.
    let thin = dyverse(here, &["simulate", "ticking.dam", "--max-events", "5000"]);
    let whole = dyverse(
        here,
        &[
            "simulate",
            "ticking.dam",
            "--max-events",
            "5000",
            "--output",
            "run.csv",
        ],
    );
    assert_eq!(stdout(&thin), stdout(&whole));
}

/// The final state of bodies, whatever the samples: x = v t, y = h − g t²/2.
#[test]
fn the_final_state_is_that_at_the_stop() {
    let folder = tempfile::tempdir().unwrap();
    let text = "system thrown\nentity ball { sphere(radius = 0.1)  mass = 1  position = (0, 2, 0)  velocity = (3, 0, 0) }\ngravity (0, -10, 0)\nhorizon 1\n";
    std::fs::write(folder.path().join("thrown.drbt"), text).unwrap();
    let mut seed = 7_u64;
    for _ in 0..8 {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let until = 0.01 + (seed >> 40) as f64 / 4e6;
        for every in ["0.3", "7", "0.0123"] {
            let until = format!("{until:?}");
            let call = [
                "simulate",
                "thrown.drbt",
                "--until",
                &until,
                "--sample-every",
                every,
                "--format",
                "json",
            ];
            let run: Value = serde_json::from_slice(&dyverse(folder.path(), &call).stdout).unwrap();
            let t: f64 = until.parse().unwrap();
            for (name, expected) in [
                ("ball.x", 3.0 * t),
                ("ball.y", 2.0 - 5.0 * t * t),
                ("ball.vy", -10.0 * t),
            ] {
                let found = run["final"][name].as_f64().unwrap();
                assert!(
                    (found - expected).abs() < 1e-10 * (1.0 + t * t),
                    "{name} {found} {expected}"
                );
            }
        }
    }
}
