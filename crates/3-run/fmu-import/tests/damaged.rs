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

/// However much of a library is missing: it is refused before the system maps what is not there.
#[test]
fn a_library_that_is_cut_short_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (library, text) = (compile(folder.path(), "ball2"), description("ball2"));
    let here = place(2, "ball");
    let whole = library.len();
    let steps = (0..40)
        .map(|k| k * whole / 40)
        .chain([1, 3, 4, 10, 63, 64, 65, whole - 1]);
    for kept in steps {
        let said = changed(folder.path(), &text, &[(&here, &library[..kept])]);
        let is_refused = said.contains("cut short") || said.contains("cannot be loaded");
        assert!(is_refused, "{kept} of {whole}: {said}");
    }
    if cfg!(target_os = "linux") {
        let said = changed(folder.path(), &text, &[(&here, &library[..whole / 2])]);
        assert!(said.contains(&format!("it has {} bytes", whole / 2)), "{said}");
    }
    // Whole, with numbers in its header that lead nowhere.
    for at in [32, 40, 54, 56] {
        let mut spoilt = library.clone();
        spoilt[at..at + 2].fill(0xff);
        let said = changed(folder.path(), &text, &[(&here, &spoilt)]);
        assert!(
            said.contains("cut short") || said.contains("cannot be loaded"),
            "{at}: {said}"
        );
    }
}
