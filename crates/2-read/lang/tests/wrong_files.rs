//! Every mistake has its file in `wrong/` or `wrong_dam/`, and every file its whole message as a snapshot.
//!
//! A file is named after the code that it shows; those called `several_…` show recovery. To accept changed messages:
//! read them, then `INSTA_UPDATE=always cargo test -p dyverse-lang`.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_diag::{CATALOGUE, Diagnostic, RenderOptions, SourceMap, render_all};
use std::collections::BTreeSet;
use support::{examples, folder, read_bytes, read_dam, read_text, wrong_actor_files, wrong_files};

/// A wrong file, read.
struct Wrong {
    name: String,
    diagnostics: Vec<Diagnostic>,
    sources: SourceMap,
    has_model: bool,
}

impl Wrong {
    fn codes(&self) -> Vec<&'static str> {
        self.diagnostics.iter().map(|d| d.code().id()).collect()
    }
    fn stem(&self) -> &str {
        self.name.split('.').next().unwrap()
    }
}

fn wrong_bodies() -> Vec<Wrong> {
    let read = |(name, text): (String, String)| {
        let reading = read_text(&name, &text);
        Wrong {
            name,
            diagnostics: reading.diagnostics,
            sources: reading.sources,
            has_model: reading.model.is_some(),
        }
    };
    wrong_files().into_iter().map(read).collect()
}

fn wrong_actors() -> Vec<Wrong> {
    let read = |(name, text): (String, String)| {
        let reading = read_dam(&name, text.into_bytes(), "tests/wrong_dam");
        Wrong {
            name,
            diagnostics: reading.diagnostics,
            sources: reading.sources,
            has_model: reading.model.is_some(),
        }
    };
    wrong_actor_files().into_iter().map(read).collect()
}

fn all_wrong() -> Vec<Wrong> {
    wrong_bodies().into_iter().chain(wrong_actors()).collect()
}

fn check_snapshots(files: &[Wrong], path: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(path);
    settings.bind(|| {
        for file in files {
            let shown = render_all(&file.diagnostics, &file.sources, RenderOptions::default());
            insta::assert_snapshot!(file.stem(), shown);
        }
    });
}

#[test]
fn messages_are_those_of_the_snapshots() {
    check_snapshots(&wrong_bodies(), "snapshots");
}

#[test]
fn messages_of_actor_models_are_those_of_the_snapshots() {
    check_snapshots(&wrong_actors(), "snapshots_dam");
}

#[test]
fn no_snapshot_is_without_its_file() {
    for (files, path) in [
        (wrong_bodies(), "tests/snapshots"),
        (wrong_actors(), "tests/snapshots_dam"),
    ] {
        let files: BTreeSet<String> = files.iter().map(|file| format!("{}.snap", file.stem())).collect();
        let snapshots: BTreeSet<String> = std::fs::read_dir(folder(path))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".snap"))
            .collect();
        let odd: Vec<&String> = files.symmetric_difference(&snapshots).collect();
        assert!(odd.is_empty(), "no file, or no snapshot, for {odd:?}");
    }
}

/// `l017_negative_mass` shows L017 and nothing else.
#[test]
fn a_file_shows_the_mistake_it_is_named_for_and_no_other() {
    let mut odd = Vec::new();
    for file in all_wrong() {
        let codes: BTreeSet<&str> = file.codes().into_iter().collect();
        let prefix = file.name.split('_').next().unwrap_or_default().to_uppercase();
        let is_right = if prefix == "SEVERAL" {
            file.codes().len() > 2
        } else {
            codes == BTreeSet::from([prefix.as_str()]) && file.codes().len() == 1
        };
        if !is_right {
            odd.push(format!("{} shows {:?}", file.name, file.codes()));
        }
    }
    assert!(odd.is_empty(), "{odd:#?}");
}

#[test]
fn every_code_of_reading_is_shown_by_some_file() {
    /// What needs several files or bytes that are no text is shown in `imports.rs` and `hostile.rs`, what needs a
    /// huge model in `hostile.rs`; A090 is a gate that nothing should reach.
    const ELSEWHERE: &[&str] = &[
        "S012", "S013", "L031", "L032", "L033", "L076", "M006", "A008", "A090",
    ];
    let files = all_wrong();
    let shown: BTreeSet<&str> = files.iter().flat_map(Wrong::codes).collect();
    let codes = CATALOGUE.iter().map(|code| code.id());
    for code in codes.filter(|id| !id.starts_with('G')) {
        assert_ne!(shown.contains(code), ELSEWHERE.contains(&code), "{code}");
    }
}

#[test]
fn a_wrong_file_has_no_model_and_a_warning_leaves_one() {
    for file in all_wrong() {
        let has_errors = file.diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(!file.has_model, has_errors, "{}", file.name);
    }
}

/// Every message says a place in the text and a way out, or the numbers compared.
#[test]
fn every_message_helps() {
    for file in all_wrong() {
        for finding in file.diagnostics {
            let helps = finding.way_out().is_some() || !finding.notes().is_empty();
            let is_expectation = finding.message().starts_with("expected ");
            assert!(helps || is_expectation, "{}: {}", file.name, finding.message());
            assert!(
                !finding.primary().text.is_empty(),
                "{}: {}",
                file.name,
                finding.message()
            );
        }
    }
}

#[test]
fn the_examples_read_without_a_finding() {
    for path in examples() {
        let reading = read_bytes(&path.display().to_string(), std::fs::read(&path).unwrap());
        assert!(
            reading.diagnostics.is_empty(),
            "{}: {:?}",
            path.display(),
            reading.diagnostics
        );
        assert!(reading.model.is_some());
    }
    assert!(examples().len() >= 15, "{:?}", examples().len());
}

#[test]
fn the_folders_are_big_enough() {
    assert!(wrong_bodies().len() >= 90, "{}", wrong_bodies().len());
    assert!(wrong_actors().len() >= 90, "{}", wrong_actors().len());
}
