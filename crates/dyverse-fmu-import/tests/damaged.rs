//! Archives that are no FMUs, are damaged, or are for another machine: an error that says so, and nothing outside of the folder.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

use crate::support;

use dyverse_fmu_import::{Fmu, simulate};
use dyverse_tick::TickOptions;
use std::path::Path;
use std::rc::Rc;
use support::{ball, compile, description, pack, place};

fn refusal(path: &Path) -> String {
    let opened = Fmu::open(path, None).map(Rc::new);
    let run = opened.and_then(|fmu| simulate(&fmu, &TickOptions::default(), None, &mut |_| {}));
    run.unwrap_err().message
}

/// Packs a ball with one thing changed.
fn changed(folder: &Path, text: &str, more: &[(&str, &[u8])]) -> String {
    let path = folder.join("changed.fmu");
    let mut files = vec![("modelDescription.xml", text.as_bytes())];
    files.extend(more);
    pack(&path, &files);
    refusal(&path)
}

#[test]
fn what_is_no_fmu_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert!(refusal(folder.path()).contains("folder"));
    assert!(refusal(&at("missing.fmu")).contains("No such file") || cfg!(not(unix)));
    std::fs::write(at("text.fmu"), "an FMU is a zip archive").unwrap();
    assert!(refusal(&at("text.fmu")).contains("no archive"));
    pack(&at("empty.fmu"), &[("readme.txt", b"nothing")]);
    assert!(refusal(&at("empty.fmu")).contains("no modelDescription.xml"));
}

#[test]
fn every_part_of_the_archive_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let (library, text) = (compile(folder.path(), "ball2"), description("ball2"));
    let here = place(2, "ball");
    let changed = |text: &str, more: &[(&str, &[u8])]| changed(folder.path(), text, more);
    let said = changed(&text, &[]);
    assert!(said.contains("no library for this machine"), "{said}");
    let said = changed(&text, &[("binaries/other64/ball.so", &library)]);
    assert!(said.contains("it has binaries for other64"), "{said}");
    let said = changed(&text, &[(&here, b"no library")]);
    assert!(said.contains("cannot be loaded"), "{said}");
    let said = changed(&text.replace("\"2.0\"", "\"1.0\""), &[(&here, &library)]);
    assert!(said.contains("FMI 1.0"), "{said}");
    let said = changed(&text.replace("{ball}", "{cube}"), &[(&here, &library)]);
    assert!(said.contains("the token is {cube}, not {ball}"), "{said}");
    // The library of a version inside an archive of another.
    let three = text
        .replace("\"2.0\"", "\"3.0\"")
        .replace("guid", "instantiationToken");
    let three = three.split("<ModelVariables>").next().unwrap().to_owned()
        + "<ModelVariables/><ModelStructure/></fmiModelDescription>";
    let said = changed(&three, &[(&place(3, "ball"), &library)]);
    assert!(said.contains("no function fmi3GetVersion"), "{said}");
    let said = changed("<x/>", &[(&here, &library)]);
    assert!(said.contains("fmiModelDescription"), "{said}");
}

#[test]
fn names_that_lead_out_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (library, text) = (compile(folder.path(), "ball2"), description("ball2"));
    let here = place(2, "ball");
    for name in [
        "../escaped.txt",
        "a/../../escaped.txt",
        "/tmp/escaped.txt",
        "..\\escaped.txt",
    ] {
        let said = changed(folder.path(), &text, &[(&here, &library), (name, b"out")]);
        assert!(said.contains("leads out of the archive"), "{name}: {said}");
    }
    let outside = std::env::temp_dir().join("escaped.txt");
    assert!(!outside.exists() && !Path::new("escaped.txt").exists());
}

#[test]
fn damage_at_any_place_is_an_error_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(ball(folder.path())).unwrap();
    let path = folder.path().join("damaged.fmu");
    // Cut off.
    for part in 1..40 {
        std::fs::write(&path, &whole[..whole.len() * part / 40]).unwrap();
        refusal(&path);
    }
    // A byte turned over, in the directory and in the description: opened at the most, never a panic. What is in the library is the FMU's own affair.
    let end = whole.len();
    for at in (0..400).chain(end - 300..end) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        std::fs::write(&path, &bytes).unwrap();
        let _ = dyverse_fmu_import::describe(&path);
    }
}
