//! Everything that the command makes of many models, kept, so that a change of the code can be shown to change none of it: `cargo xtask golden --write FILE` and `--against FILE`.
//!
//! | file | |
//! |---|---|
//! | `models.rs` | the models: all shipped ones, and random ones with fixed seeds |
//! | `making.rs` | what is made of each, by calls of the command; bounded by events and boxes, so that it does not depend on the machine's speed |
//! | `comparing.rs` | the lines of FILE, and what differs from them |
//!
//! FILE has a line for each output: its name, a hash, its length, a few telling numbers. The outputs themselves lie beside it, in the folder FILE.d.
//!
//! # Guarantee
//! Equal lines mean equal bytes, but for a hash of 64 bits. What is not made is not compared: properties are only checked as far as [`making::BOXES`] goes, and calls that take longer than
//! [`making::PATIENCE`] are named, as are those that are left out.

mod comparing;
mod making;
mod models;

use comparing::{differences, lines, read, told};
use making::make;
use models::{Model, all, shipped};
use std::path::{Path, PathBuf};

/// The folder with the outputs of a file of lines.
fn folder_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".d");
    name.into()
}

/// Makes everything anew into `file` and its folder.
fn write(file: &Path, models: &[Model], shows_progress: bool) {
    let folder = folder_of(file);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    make(&folder, models, shows_progress);
    std::fs::write(file, told(&lines(&folder))).unwrap();
}

/// The long run: `cargo xtask golden`.
#[test]
#[ignore = "long: cargo xtask golden"]
fn long() {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let only = std::env::var("GOLDEN_ONLY").unwrap_or_default();
    let mut models = all();
    models.retain(|model| model.name.contains(&only));
    if let Some(file) = path("GOLDEN_WRITE") {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        write(&file, &models, true);
        println!("{} models; {}", models.len(), file.display());
    }
    if let Some(kept) = path("GOLDEN_AGAINST") {
        let before = read(&kept, &only);
        assert!(!before.is_empty(), "{} has no lines to compare", kept.display());
        let now = path("GOLDEN_NOW").unwrap();
        write(&now, &models, true);
        let found = differences(
            (&before, &folder_of(&kept)),
            (&read(&now, &only), &folder_of(&now)),
        );
        println!("{}", found.report());
        println!("made now: {}", folder_of(&now).display());
        assert!(found.is_none(), "outputs differ");
    }
}

/// Three examples, made twice: nothing differs, and everything was made. One byte more in one output is found, with its name and its numbers.
#[test]
fn two_makings_in_a_row_are_equal() {
    let names = [
        "sliding_ball.drbt",
        "checks/double_bank.drbt",
        "actors/ball_on_sine.dam",
    ];
    let models: Vec<Model> = shipped()
        .into_iter()
        .filter(|m| names.contains(&m.name.as_str()))
        .collect();
    assert_eq!(models.len(), names.len());
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    write(&first, &models, false);
    write(&second, &models, false);
    let made = |file: &Path| read(file, "");
    let compared = || {
        differences(
            (&made(&first), &folder_of(&first)),
            (&made(&second), &folder_of(&second)),
        )
    };
    assert!(compared().is_none(), "{}", compared().report());
    for name in [
        "trace/sliding_ball.drbt.json",
        "page/actors/ball_on_sine.dam.html",
        "automaton/sliding_ball.drbt.json",
        "check/actors/ball_on_sine.dam.json",
        "c/sliding_ball.drbt/sliding_ball.c",
        "fmu/actors/ball_on_sine.dam.fmi3.xml",
        "replay/sliding_ball.drbt.json",
    ] {
        assert!(
            made(&first).iter().any(|line| line.name == name),
            "no {name}: {}",
            std::fs::read_to_string(&first).unwrap()
        );
    }
    assert!(
        made(&first)
            .iter()
            .any(|line| line.name.starts_with("proof/checks/double_bank.drbt/"))
    );

    let changed = folder_of(&second).join("trace/sliding_ball.drbt.json");
    let text = std::fs::read_to_string(&changed).unwrap();
    std::fs::write(&changed, text.replacen("9.81", "9.82", 1)).unwrap();
    std::fs::remove_file(folder_of(&second).join("page/sliding_ball.drbt.html")).unwrap();
    std::fs::write(&second, told(&lines(&folder_of(&second)))).unwrap();
    let report = compared().report();
    assert!(
        report.contains("trace/sliding_ball.drbt.json: line ")
            && report.contains("9.81")
            && report.contains("9.82"),
        "{report}"
    );
    assert!(
        report.contains("page/sliding_ball.drbt.html: no longer made"),
        "{report}"
    );
    assert!(report.starts_with("2 of "), "{report}");
}
