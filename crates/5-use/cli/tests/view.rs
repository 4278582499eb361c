//! `dyverse view`, and pages and pictures from other commands, as people call them.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use crate::support;

use serde_json::Value;
use std::path::Path;
use std::process::Output;
use support::{dyverse, examples, stderr, stdout};

fn copy(model: &str, folder: &Path) {
    std::fs::copy(examples().join(model), folder.join(model)).unwrap();
}

/// The document of a page.
fn document(path: &Path) -> Value {
    let html = std::fs::read_to_string(path).unwrap();
    let (_, rest) = html
        .split_once("<script type=\"application/json\" id=\"page\">")
        .unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn good(output: &Output) {
    assert!(output.status.success(), "{}", stderr(output));
}

#[test]
fn a_model_becomes_a_page_named_like_it() {
    let place = tempfile::tempdir().unwrap();
    copy("interception.drbt", place.path());
    let output = dyverse(place.path(), &["view", "interception.drbt"]);
    good(&output);
    assert!(
        stdout(&output).starts_with("wrote interception.html ("),
        "{}",
        stdout(&output)
    );
    let page = document(&place.path().join("interception.html"));
    assert_eq!(page["system"], "interception");
    assert_eq!(page["source"]["name"], "interception.drbt");
    assert_eq!(page["runs"][0]["transitions"].as_array().unwrap().len(), 22);
    let output = dyverse(
        place.path(),
        &[
            "view",
            "interception.drbt",
            "--set",
            "K=1",
            "-o",
            "k.html",
            "--format",
            "json",
        ],
    );
    good(&output);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["output"], "k.html");
    assert_eq!(
        document(&place.path().join("k.html"))["runs"][0]["parameters"][0]["value"],
        1.0
    );
}

#[test]
fn traces_of_every_format_become_pages() {
    let place = tempfile::tempdir().unwrap();
    copy("interception.drbt", place.path());
    let here = place.path();
    for trace in ["run.json", "run.csv", "run.parquet"] {
        good(&dyverse(
            here,
            &["simulate", "interception.drbt", "--output", trace],
        ));
        good(&dyverse(here, &["view", trace, "-o", "alone.html"]));
        let page = document(&here.join("alone.html"));
        assert_eq!(
            page["runs"][0]["signals"].as_array().unwrap().len(),
            26,
            "{trace}"
        );
        assert!(
            page["runs"][0]["bodies"][0]["surfaces"]
                .as_array()
                .unwrap()
                .is_empty()
        );
        let with = ["view", trace, "--model", "interception.drbt", "-o", "with.html"];
        good(&dyverse(here, &with));
        let page = document(&here.join("with.html"));
        assert_eq!(
            page["runs"][0]["bodies"][0]["surfaces"][0]["shape"]["kind"],
            "sphere"
        );
    }
}

#[test]
fn runs_checks_and_automata_become_pages_and_pictures() {
    let place = tempfile::tempdir().unwrap();
    copy("interception.drbt", place.path());
    let here = place.path();
    good(&dyverse(
        here,
        &["simulate", "interception.drbt", "--output", "run.html"],
    ));
    assert_eq!(document(&here.join("run.html"))["runs"][0]["title"], "run");
    let unsafe_page = ["check", "interception.drbt", "--output", "check.html"];
    assert_eq!(dyverse(here, &unsafe_page).status.code(), Some(10));
    let page = document(&here.join("check.html"));
    assert_eq!(page["check"]["answers"][0]["verdict"], "UNSAFE");
    assert_eq!(page["check"]["answers"][0]["witness"]["run"], 0);
    let partition = [
        "check",
        "interception.drbt",
        "--partition",
        "K",
        "--width",
        "0.1",
        "--output",
        "map.png",
    ];
    assert_eq!(dyverse(here, &partition).status.code(), Some(10));
    good(&dyverse(
        here,
        &[
            "simulate",
            "interception.drbt",
            "--output",
            "run.png",
            "--plot",
            "ball1.y",
        ],
    ));
    good(&dyverse(
        here,
        &[
            "automaton",
            "interception.drbt",
            "--format",
            "png",
            "-o",
            "automaton.png",
        ],
    ));
    for picture in ["map.png", "run.png", "automaton.png"] {
        let bytes = std::fs::read(here.join(picture)).unwrap();
        assert!(
            bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 5000,
            "{picture}"
        );
    }
}

#[test]
fn wrong_calls_are_explained() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    copy("interception.drbt", here);
    copy("sliding_ball.drbt", here);
    good(&dyverse(
        here,
        &["simulate", "interception.drbt", "--output", "run.json"],
    ));
    std::fs::write(here.join("broken.csv"), "time,a\n0,1\n1,x\n").unwrap();
    std::fs::write(here.join("broken.json"), "{\"format\": 3}").unwrap();
    let calls: &[&[&str]] = &[
        &["view", "interception.drbt", "-o", "run.pdf"],
        &["view", "interception.drbt", "--model", "interception.drbt"],
        &["view", "run.json", "--set", "K=2"],
        &["view", "run.json", "--model", "sliding_ball.drbt"],
        &["view", "broken.csv"],
        &["view", "broken.json"],
        &["view", "missing.csv"],
        &["automaton", "interception.drbt", "--format", "png"],
        &["check", "interception.drbt", "--output", "x.png"],
    ];
    let mut told = String::new();
    for call in calls {
        let output = dyverse(here, call);
        assert_eq!(output.status.code(), Some(2), "{call:?} {}", stdout(&output));
        told += &format!("$ dyverse {}\n{}\n", call.join(" "), stderr(&output));
    }
    insta::assert_snapshot!(told);
}
