//! Every mistake has its file in `wrong/`, and every file its whole message as a snapshot.
//!
//! A file is named after the code that it shows; those called `several_…` show recovery. To accept changed messages:
//! read them, then `INSTA_UPDATE=always cargo test -p dyverse-lang`.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

mod support;

use dyverse_diag::{CATALOGUE, RenderOptions, render_all};
use std::collections::BTreeSet;
use std::path::PathBuf;
use support::{examples, folder, read_bytes, read_text, wrong_files};

#[test]
fn messages_are_those_of_the_snapshots() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, text) in wrong_files() {
            let reading = read_text(&name, &text);
            let shown = render_all(&reading.diagnostics, &reading.sources, RenderOptions::default());
            insta::assert_snapshot!(name.trim_end_matches(".drbt"), shown);
        }
    });
}

#[test]
fn no_snapshot_is_without_its_file() {
    let files: BTreeSet<String> = wrong_files()
        .into_iter()
        .map(|(name, _)| name.replace(".drbt", ".snap"))
        .collect();
    let snapshots: BTreeSet<String> = std::fs::read_dir(folder("tests/snapshots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".snap"))
        .collect();
    let odd: Vec<&String> = files.symmetric_difference(&snapshots).collect();
    assert!(odd.is_empty(), "no file, or no snapshot, for {odd:?}");
}

/// `l017_negative_mass` shows L017 and nothing else.
#[test]
fn a_file_shows_the_mistake_it_is_named_for_and_no_other() {
    for (name, text) in wrong_files() {
        let codes: BTreeSet<String> = found(&name, &text).into_iter().collect();
        let prefix = name.split('_').next().unwrap_or_default().to_uppercase();
        if prefix == "SEVERAL" {
            assert!(found(&name, &text).len() > 2, "{name} shows only {codes:?}");
        } else {
            assert_eq!(codes, BTreeSet::from([prefix]), "{name}");
            assert_eq!(
                found(&name, &text).len(),
                1,
                "{name} shows its mistake more than once"
            );
        }
    }
}

#[test]
fn every_code_of_reading_is_shown_by_some_file() {
    /// What needs several files or bytes that are no text is shown in `imports.rs` and `hostile.rs`, what needs a
    /// huge model in `hostile.rs`.
    const ELSEWHERE: &[&str] = &["S012", "S013", "L031", "L032", "L076", "M006"];
    let shown: BTreeSet<String> = wrong_files()
        .iter()
        .flat_map(|(name, text)| found(name, text))
        .collect();
    for code in CATALOGUE
        .iter()
        .map(|code| code.id())
        .filter(|id| !id.starts_with('G'))
    {
        assert_ne!(shown.contains(code), ELSEWHERE.contains(&code), "{code}");
    }
}

#[test]
fn a_wrong_file_has_no_model_and_a_warning_leaves_one() {
    for (name, text) in wrong_files() {
        let reading = read_text(&name, &text);
        let has_errors = reading.diagnostics.iter().any(dyverse_diag::Diagnostic::is_error);
        assert_eq!(reading.model.is_none(), has_errors, "{name}");
    }
}

/// Every message says a place in the text and a way out, or the numbers compared.
#[test]
fn every_message_helps() {
    for (name, text) in wrong_files() {
        for finding in read_text(&name, &text).diagnostics {
            let helps = finding.way_out().is_some() || !finding.notes().is_empty();
            let is_expectation = finding.message().starts_with("expected ");
            assert!(helps || is_expectation, "{name}: {}", finding.message());
            assert!(
                !finding.primary().text.is_empty(),
                "{name}: {}",
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
fn the_folder_is_big_enough() {
    let names: Vec<PathBuf> = wrong_files().into_iter().map(|(name, _)| name.into()).collect();
    assert!(names.len() >= 90, "{}", names.len());
}

fn found(name: &str, text: &str) -> Vec<String> {
    read_text(name, text)
        .diagnostics
        .iter()
        .map(|d| d.code().id().to_owned())
        .collect()
}
