//! `dyverse check` as people and programs call it.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use crate::support;

use serde_json::Value;
use std::path::Path;
use std::process::Output;
use support::{code_unread, dyverse, stderr, stdout};

/// Rises to 1 + v²/20: above 2 for v > √20.
const THROW: &str = "
system throw
param v in [1, 6]
entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 1, 0)  velocity = (0, v, 0) }
gravity (0, -10, 0)
property low: always [0, 1] ball.y <= 2
property not_deep: always [0, 1] ball.y >= -4
property rises: eventually [0, 1] ball.y >= 1.04
";

const FOR_EVER: &str = "
system for_ever
entity ball { sphere(radius = 0.1)  mass = 1 }
property still: always ball.x <= 1
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("throw.drbt"), THROW).unwrap();
    std::fs::write(folder.path().join("for_ever.drbt"), FOR_EVER).unwrap();
    let bare = THROW.split("property").next().unwrap();
    std::fs::write(folder.path().join("bare.drbt"), bare).unwrap();
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    dyverse(folder, &[&["check"], arguments].concat())
}

fn json(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = check(folder, &[arguments, &["--format", "json"]].concat());
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    (
        output.status.code().unwrap(),
        serde_json::from_slice(&output.stdout).unwrap(),
    )
}

/// What is told, with counts that another engine may change left out.
fn masked(output: &Output) -> String {
    let text = stdout(output);
    let line = |line: &str| {
        let is_count = ["  evidence ", "  statistics ", "  searched ", "  undecided "];
        if !is_count.iter().any(|head| line.starts_with(head)) {
            return line.to_owned();
        }
        let parts = line.split(|c: char| c.is_ascii_digit());
        let parts: Vec<&str> = parts
            .enumerate()
            .filter(|(i, p)| *i == 0 || !p.is_empty())
            .map(|(_, p)| p)
            .collect();
        parts.join("#")
    };
    text.lines().map(|l| line(l) + "\n").collect()
}

#[test]
fn verdicts_are_told_to_people() {
    let folder = folder();
    let mut told = String::new();
    let calls: [(&[&str], i32); 5] = [
        (&["throw.drbt"], 10),
        (&["throw.drbt", "--property", "low", "--set", "v=[1,4]"], 0),
        (
            &[
                "throw.drbt",
                "--property",
                "low",
                "--set",
                "v=5",
                "--set",
                "ball.x=[0,1]",
            ],
            10,
        ),
        (&["throw.drbt", "--property", "rises", "--budget", "50"], 20),
        (
            &[
                "throw.drbt",
                "--property",
                "low",
                "--partition",
                "v",
                "--width",
                "0.5",
            ],
            10,
        ),
    ];
    for (arguments, code) in calls {
        let output = check(folder.path(), arguments);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?} {}",
            stderr(&output)
        );
        told += &format!("$ dyverse check {}\n{}\n", arguments.join(" "), masked(&output));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn wrong_calls_are_explained() {
    let folder = folder();
    let mut told = String::new();
    let calls: [&[&str]; 17] = [
        &["bare.drbt"],
        &["for_ever.drbt"],
        &["throw.drbt", "--property", "lo"],
        &["throw.drbt", "--property", "zzzzzzzz"],
        &["throw.drbt", "--set", "v=[1"],
        &["throw.drbt", "--set", "v=[2,1]"],
        &["throw.drbt", "--set", "v=[1,x]"],
        &["throw.drbt", "--set", "vv=[1,2]"],
        &["throw.drbt", "--set", "ball.xx=[1,2]"],
        &["throw.drbt", "--set", "v"],
        &[
            "throw.drbt",
            "--property",
            "low",
            "--partition",
            "u",
            "--width",
            "1",
        ],
        &[
            "throw.drbt",
            "--property",
            "low",
            "--partition",
            "ball.x",
            "--width",
            "1",
        ],
        &[
            "throw.drbt",
            "--property",
            "low",
            "--partition",
            "v",
            "--width",
            "-1",
        ],
        &["throw.drbt", "--timeout", "0"],
        &["throw.drbt", "--threads", "0"],
        &["throw.drbt", "--proof", "p"],
        &["throw.drbt", "--property", "low", "--output", "map.svg"],
    ];
    for arguments in calls {
        let output = check(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {}", stdout(&output));
        assert!(output.stdout.is_empty());
        told += &format!("$ dyverse check {}\n{}\n", arguments.join(" "), stderr(&output));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn json_has_what_programs_rely_on() {
    let folder = folder();
    let (code, all) = json(folder.path(), &["throw.drbt"]);
    assert_eq!(code, 10);
    for key in [
        "verdict",
        "witness",
        "boxes",
        "undecided_width",
        "statistics",
        "property",
        "seed",
    ] {
        assert!(all.get(key).is_some(), "{key}");
    }
    assert_eq!(all["verdict"], "UNSAFE");
    assert_eq!(all["property"], "low");
    let witness = &all["witness"];
    let v = witness["parameters"]["v"].as_f64().unwrap();
    assert!(v > 20_f64.sqrt() && v <= 6.0);
    // y = 1 + v t − 5 t² = 2, the first time.
    let t = (v - (v * v - 20.0).sqrt()) / 10.0;
    assert!((witness["time"].as_f64().unwrap() - t).abs() < 1e-9);
    assert_eq!(witness["evidence"], "enclosed");
    let verdicts: Vec<&Value> = all["properties"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["verdict"])
        .collect();
    assert_eq!(verdicts, ["UNSAFE", "SAFE", "UNKNOWN"]);
    assert!(all.get("effort").is_none());

    let (code, safe) = json(
        folder.path(),
        &["throw.drbt", "--property", "not_deep", "--stats"],
    );
    assert_eq!(
        (code, &safe["verdict"], &safe["undecided_width"]),
        (0, &"SAFE".into(), &0.0.into())
    );
    assert_eq!(safe["boxes"][0]["outcome"], "safe");
    assert!(safe["witness"].is_null() && safe["effort"]["seconds"].is_f64());

    let (code, unknown) = json(
        folder.path(),
        &["throw.drbt", "--property", "rises", "--budget", "9"],
    );
    assert_eq!((code, &unknown["verdict"]), (20, &"UNKNOWN".into()));
    assert!(unknown["notes"][0].is_string() && unknown["undecided_share"] == 1.0);
}

/// Oracle: √20.
#[test]
fn a_partition_is_written_and_drawn() {
    let folder = folder();
    let arguments = [
        "throw.drbt",
        "--property",
        "low",
        "--partition",
        "v",
        "--width",
        "1e-3",
    ];
    let (code, all) = json(folder.path(), &arguments);
    assert_eq!(code, 10);
    let cells = all["boxes"].as_array().unwrap();
    let outcomes: Vec<&Value> = cells.iter().map(|c| &c["outcome"]).collect();
    assert_eq!(outcomes[..2], ["safe", "undecided"]);
    assert_eq!(*outcomes[outcomes.len() - 1], "unsafe");
    let open = &cells[1]["sides"]["v"];
    let edge = 20_f64.sqrt();
    assert!(open[0].as_f64().unwrap() <= edge && edge <= open[1].as_f64().unwrap());
    assert!(all["undecided_width"].as_f64().unwrap() < 1e-3);

    let output = check(folder.path(), &[&arguments[..], &["-o", "band.svg"]].concat());
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
    let drawn = std::fs::read_to_string(folder.path().join("band.svg")).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("url(#stripes)") && drawn.contains("class=\"safe\""));
    let output = check(folder.path(), &[&arguments[..], &["-o", "band.json"]].concat());
    assert_eq!(output.status.code(), Some(10));
    let written: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("band.json")).unwrap()).unwrap();
    assert_eq!(written, all);
}

#[test]
fn threads_change_no_byte() {
    let folder = folder();
    let run = |threads: &str| {
        let arguments = [
            "throw.drbt",
            "--format",
            "json",
            "--threads",
            threads,
            "--budget",
            "100",
        ];
        check(folder.path(), &arguments).stdout
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn a_witness_replays() {
    let folder = folder();
    let output = check(folder.path(), &["throw.drbt", "--property", "low"]);
    let text = stdout(&output);
    let line = text
        .lines()
        .find(|l| l.trim_start().starts_with("replay"))
        .unwrap();
    let words: Vec<&str> = line.split_whitespace().skip(2).collect();
    assert_eq!(words[0], "simulate");
    let run = dyverse(folder.path(), &[&words[..], &["--format", "json"]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    // Up to the worst moment, where the ball is above 2.
    let (_, all) = json(folder.path(), &["throw.drbt", "--property", "low"]);
    let until = all["witness"]["worst_time"].to_string();
    let words: Vec<&str> = words.iter().copied().take_while(|w| *w != "--until").collect();
    let run = dyverse(
        folder.path(),
        &[&words[..], &["--until", &until, "--format", "json"]].concat(),
    );
    let run: Value = serde_json::from_slice(&run.stdout).unwrap();
    let height = run["final"]["ball.y"].as_f64().unwrap();
    let robustness = all["witness"]["robustness"].as_f64().unwrap();
    assert!((2.0 - height - robustness).abs() < 1e-9, "{height} {robustness}");
}

#[test]
fn a_run_may_begin_elsewhere() {
    let folder = folder();
    let arguments = [
        "simulate",
        "throw.drbt",
        "--until",
        "1",
        "--set",
        "ball.x=0.25",
        "--set",
        "v=5",
        "--format",
        "json",
    ];
    let run = dyverse(folder.path(), &arguments);
    let run: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(run["final"]["ball.x"], 0.25);
    assert!((run["final"]["ball.y"].as_f64().unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn a_timeout_keeps_what_was_decided() {
    let folder = folder();
    let arguments = [
        "throw.drbt",
        "--property",
        "low",
        "--partition",
        "v",
        "--width",
        "1e-13",
        "--timeout",
        "0.001",
    ];
    let (code, all) = json(folder.path(), &arguments);
    assert!(all["stopped"] == true && (code == 20 || code == 10), "{all}");
    let cells = all["boxes"].as_array().unwrap();
    assert_eq!(
        (
            &cells[0]["sides"]["v"][0],
            &cells[cells.len() - 1]["sides"]["v"][1]
        ),
        (&1.0.into(), &6.0.into())
    );
}

#[test]
fn a_proof_is_written_accepted_and_rejected() {
    let folder = folder();
    let safe = [
        "throw.drbt",
        "--property",
        "low",
        "--set",
        "v=[1,4]",
        "--proof",
        "low.proof",
    ];
    let output = check(folder.path(), &safe);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let call = "dyverse check throw.drbt --property low --set 'v=[1,4]' --verify-proof low.proof";
    assert!(stdout(&output).contains(call), "{}", stdout(&output));
    let question = ["--property", "low", "--set", "v=[1,4]"];
    let verify = |model: &str, proof: &str| {
        check(
            folder.path(),
            &[&[model, "--verify-proof", proof], &question[..]].concat(),
        )
    };
    // It answers for what it was made for, and for nothing else: not the model's range, not its other properties.
    for (less, words) in [
        (
            &["--property", "low"][..],
            "the choice of parameters is v in [1.0, 4.0] in the proof, and none",
        ),
        (
            &["--set", "v=[1,4]"],
            "not_deep: UNKNOWN, no proof of it is accepted",
        ),
        (
            &["--property", "not_deep", "--set", "v=[1,4]"],
            "it is a proof of `low`, and not_deep was asked for",
        ),
        (
            &["--property", "low", "--set", "v=[1,5]"],
            "v in [1.0, 5.0] in the question",
        ),
    ] {
        let output = check(
            folder.path(),
            &[&["throw.drbt", "--verify-proof", "low.proof"], less].concat(),
        );
        assert_eq!(
            output.status.code(),
            Some(20),
            "{} {}",
            stdout(&output),
            stderr(&output)
        );
        assert!(stdout(&output).contains(words), "{}", stdout(&output));
    }
    let (code, all) = json(
        folder.path(),
        &[&["throw.drbt", "--verify-proof", "low.proof"], &question[..]].concat(),
    );
    assert_eq!((code, &all["property"]), (0, &"low".into()));
    assert_eq!(all["choices"]["v"], serde_json::json!([1.0, 4.0]));
    assert_eq!(all["windows"], serde_json::json!([[0.0, 1.0]]));
    // A limit says nothing about the proof.
    let (code, ended) = json(
        folder.path(),
        &[
            &["throw.drbt", "--verify-proof", "low.proof", "--timeout", "1e-9"],
            &question[..],
        ]
        .concat(),
    );
    assert_eq!(
        (code, &ended["proof"], &ended["verdict"]),
        (20, &"not_judged".into(), &"UNKNOWN".into())
    );
    let accepted = verify("throw.drbt", "low.proof");
    assert_eq!(
        accepted.status.code(),
        Some(0),
        "{} {}",
        stdout(&accepted),
        stderr(&accepted)
    );
    assert!(stdout(&accepted).starts_with("low: SAFE, the proof is accepted\n  proved for   v in [1, 4]"));
    // The box grows, and the proof does not cover it any more.
    let path = folder.path().join("low.proof");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut damaged: Value = serde_json::from_str(&text).unwrap();
    damaged["choices"][0][2] = 4.25.into();
    damaged["unknowns"][0][2] = 4.25.into();
    assert_ne!(damaged, serde_json::from_str::<Value>(&text).unwrap());
    std::fs::write(folder.path().join("damaged.proof"), damaged.to_string()).unwrap();
    let rejected = verify("throw.drbt", "damaged.proof");
    assert_eq!(
        rejected.status.code(),
        Some(20),
        "{} {}",
        stdout(&rejected),
        stderr(&rejected)
    );
    assert!(stdout(&rejected).starts_with("proof rejected: "));
    // Of another model, no proof at all, no file.
    for (model, proof) in [
        ("for_ever.drbt", "low.proof"),
        ("throw.drbt", "throw.drbt"),
        ("throw.drbt", "none"),
    ] {
        let output = verify(model, proof);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{model} {proof} {}",
            stdout(&output)
        );
        assert!(stderr(&output).starts_with("error: "));
    }
    // Nothing is written where nothing is proved.
    let output = check(
        folder.path(),
        &["throw.drbt", "--property", "low", "--proof", "broken.proof"],
    );
    assert_eq!(output.status.code(), Some(10));
    assert!(!folder.path().join("broken.proof").exists());
}

/// Whoever closes the output has seen enough; the verdict is in the code all the same.
#[test]
fn the_code_is_the_verdicts_when_nobody_reads() {
    let folder = folder();
    let here = folder.path();
    let single =
        THROW.split("property").next().unwrap().to_owned() + "property deep: always [0, 1] ball.y >= -4\n";
    std::fs::write(here.join("single.drbt"), single).unwrap();
    let proved = check(here, &["single.drbt", "--proof", "deep.proof"]);
    assert_eq!(proved.status.code(), Some(0), "{}", stderr(&proved));
    let proof = std::fs::read_to_string(here.join("deep.proof")).unwrap();
    std::fs::write(here.join("other.proof"), proof.replace("-4", "-3.9")).unwrap();
    let low = ["throw.drbt", "--property", "low"];
    let calls: [(Vec<&str>, Option<i32>); 7] = [
        (low.to_vec(), Some(10)),
        ([&low[..], &["--set", "v=[1,4]"]].concat(), Some(0)),
        (
            vec!["throw.drbt", "--property", "rises", "--budget", "50"],
            Some(20),
        ),
        (
            [&low[..], &["--partition", "v", "--width", "0.5"]].concat(),
            Some(10),
        ),
        (vec!["single.drbt", "--verify-proof", "deep.proof"], Some(0)),
        (vec!["single.drbt", "--verify-proof", "other.proof"], None),
        (vec!["bare.drbt"], Some(2)),
    ];
    for (arguments, expected) in calls {
        for format in ["text", "json"] {
            let call = [&["check"], &arguments[..], &["--format", format]].concat();
            let code = dyverse(here, &call).status.code();
            assert!(
                expected.is_none_or(|expected| code == Some(expected)),
                "{call:?} {code:?}"
            );
            for reads_one in [false, true] {
                assert_eq!(code_unread(here, &call, reads_one), code, "{call:?} {reads_one}");
            }
        }
    }
    // A full disk is no reader that has seen enough.
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dyverse"));
        let status = command
            .args(["check", "throw.drbt"])
            .current_dir(here)
            .stdout(full)
            .status();
        assert_eq!(status.unwrap().code(), Some(3));
    }
}

/// Two constants are not enough for the input to bring the ball there and back: a signal that jumps is, and the printed call replays it.
#[test]
fn a_witness_with_an_input_replays() {
    let folder = folder();
    let model = "
system pushed
input u in [-1, 1]
entity ball { sphere(radius = 0.1)  mass = 1 }
force on ball = (4 * u, 0, 0)
horizon 1
property back: not (eventually [0, 0.5] ball.vx > 0.8 and eventually [0.6, 1] ball.vx < 0.4)
property slow: always ball.vx <= 3
property near: always ball.vx <= 4.5
";
    std::fs::write(folder.path().join("pushed.drbt"), model).unwrap();
    for (property, at) in [("back", "--input u=0:"), ("slow", "--input u=1")] {
        let output = check(folder.path(), &["pushed.drbt", "--property", property]);
        assert_eq!(output.status.code(), Some(10), "{}", stdout(&output));
        let text = stdout(&output);
        let line = text
            .lines()
            .find(|l| l.trim_start().starts_with("replay"))
            .unwrap();
        assert!(line.contains("--input u=") && line.contains(at), "{line}");
        let words: Vec<&str> = line.split_whitespace().skip(2).collect();
        let run = dyverse(folder.path(), &[&words[..], &["--format", "json"]].concat());
        assert!(run.status.success(), "{}", stderr(&run));
        let run: Value = serde_json::from_slice(&run.stdout).unwrap();
        let speed = run["final"]["ball.vx"].as_f64().unwrap();
        assert!(property != "slow" || speed > 3.0, "{speed}");
    }
    // Nothing is proved about signals, and that is said; by default it is, and that too.
    let (code, all) = json(
        folder.path(),
        &["pushed.drbt", "--property", "near", "--budget", "60"],
    );
    assert_eq!(code, 20);
    assert_eq!(
        (&all["reasons"][0]["kind"], &all["reasons"][0]["input"]),
        (&"input".into(), &"u".into())
    );
    let (code, all) = json(
        folder.path(),
        &["pushed.drbt", "--property", "near", "--inputs", "default"],
    );
    assert_eq!((code, &all["inputs"]["default_by_choice"][0]), (0, &"u".into()));
    let page = [
        "pushed.drbt",
        "--property",
        "near",
        "--inputs",
        "default",
        "-o",
        "near.html",
    ];
    assert_eq!(check(folder.path(), &page).status.code(), Some(0));
    let page = std::fs::read_to_string(folder.path().join("near.html")).unwrap();
    assert!(page.contains("as asked by --inputs default: u"));
    let bad = dyverse(
        folder.path(),
        &["simulate", "pushed.drbt", "--input", "u=0.5:1,0.2:-1,0.1:1"],
    );
    assert_eq!(bad.status.code(), Some(2), "{}", stderr(&bad));
}

#[test]
fn nothing_undecided_is_nought() {
    let place = tempfile::tempdir().unwrap();
    let text = "system s\nparam v in [1, 2] = 1\nentity a { sphere(radius = 1) mass = 1 velocity = (v, 0, 0) }\nhorizon 1\nproperty p: always a.x < 9\n";
    std::fs::write(place.path().join("s.drbt"), text).unwrap();
    let call = ["check", "s.drbt", "--partition", "v", "--width", "0.1"];
    let output = dyverse(place.path(), &call);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("width 0 undecided in all"),
        "{}",
        stdout(&output)
    );
    let output = dyverse(place.path(), &[&call[..], &["--format", "json"]].concat());
    assert!(!stdout(&output).contains("-0.0"), "{}", stdout(&output));
}
