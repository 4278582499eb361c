//! Where output goes: files, links, devices and pipes, what the call reads, what cannot be written.
#![cfg(unix)]

use crate::support::{dyverse, examples, finish, names, start, stderr, stdout};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A folder with `game.drbt`, whose runs take a moment.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::copy(
        examples().join("interception.drbt"),
        place.path().join("game.drbt"),
    )
    .unwrap();
    place
}

/// Every call that writes one file, by where it goes.
fn writers(to: &str) -> Vec<Vec<String>> {
    let words = |call: &str| call.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let (stem, _) = to.rsplit_once('.').unwrap_or((to, ""));
    [
        format!("simulate game.drbt --until 0.1 --output {stem}.csv"),
        format!("simulate game.drbt --until 0.1 --output {stem}.json"),
        format!("simulate game.drbt --until 0.1 --output {stem}.svg"),
        format!("view game.drbt --until 0.1 --output {stem}.html"),
        format!("automaton game.drbt --location S_0 --output {to}"),
        format!("automaton game.drbt --count --output {to}"),
        format!("export game.drbt --to dot --output {to}"),
        format!("export game.drbt --to dreach --output {to}"),
        format!("check game.drbt --set K=2.5 --proof {to}"),
        format!("check game.drbt --set K=2.5 --output {stem}.json"),
        format!("check game.drbt --set K=2.5 --output {stem}.html"),
    ]
    .iter()
    .map(|call| words(call))
    .collect()
}

fn target(call: &[String]) -> &str {
    call.last().unwrap()
}

fn run(folder: &Path, call: &[String]) -> std::process::Output {
    let call: Vec<&str> = call.iter().map(String::as_str).collect();
    dyverse(folder, &call)
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    for call in writers("link.out") {
        let place = place();
        let folder = place.path();
        std::fs::create_dir(folder.join("far")).unwrap();
        let link = folder.join(target(&call));
        symlink("far/real", &link).unwrap();
        for before in [None, Some("old")] {
            if let Some(text) = before {
                std::fs::write(folder.join("far/real"), text).unwrap();
            }
            let output = run(folder, &call);
            assert_eq!(output.status.code(), Some(0), "{call:?}: {}", stderr(&output));
            assert!(link.is_symlink(), "{call:?}");
            assert!(
                std::fs::read(folder.join("far/real")).unwrap().len() > 20,
                "{call:?}"
            );
            assert_eq!(names(&folder.join("far")), ["real"], "{call:?}");
        }
    }
}

#[test]
fn a_device_is_written_into_and_a_full_one_is_a_failure() {
    for call in writers("full.out") {
        let place = place();
        let folder = place.path();
        let link = folder.join(target(&call));
        for (device, code) in [("/dev/null", 0), ("/dev/full", 3)] {
            symlink(device, &link).unwrap();
            let output = run(folder, &call);
            assert_eq!(output.status.code(), Some(code), "{call:?}: {}", stderr(&output));
            assert!(std::fs::metadata(device).unwrap().file_type().is_char_device());
            // What was found is said also where it cannot be kept.
            let is_said = matches!(call[0].as_str(), "simulate" | "check");
            assert!(!is_said || stdout(&output).len() > 50, "{call:?}");
            assert_eq!(
                stderr(&output).contains("cannot write"),
                code == 3,
                "{}",
                stderr(&output)
            );
            std::fs::remove_file(&link).unwrap();
        }
        assert_eq!(names(folder), ["game.drbt"], "{call:?}");
    }
}

#[test]
fn a_pipe_is_written_into() {
    for call in writers("pipe.out") {
        let place = place();
        let folder = place.path();
        let pipe = folder.join(target(&call));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        let output = run(folder, &call);
        assert_eq!(output.status.code(), Some(0), "{call:?}: {}", stderr(&output));
        assert!(reader.join().unwrap().len() > 20, "{call:?}");
        assert!(
            std::fs::metadata(&pipe).unwrap().file_type().is_fifo(),
            "{call:?}"
        );
    }
}

/// A pipe or a device need not have an ending: what is written is then the format that programs read.
#[test]
fn a_stream_without_an_ending_has_a_format() {
    let place = place();
    let folder = place.path();
    let bounce = "system b\nentity a { sphere(radius = 1) mass = 1 position = (0, 3, 0) }\nhorizon 1\nproperty p: always a.y > 0\n";
    std::fs::write(folder.join("b.drbt"), bounce).unwrap();
    let kind = |text: &[u8]| match text {
        text if text.starts_with(b"time,microstep,a.x") => "csv",
        text if serde_json::from_slice::<serde_json::Value>(text).is_ok() => "json",
        text if text.starts_with(b"<!doctype html>") => "html",
        _ => "?",
    };
    let calls: [(&[&str], &str); 5] = [
        (&["simulate", "b.drbt"], "csv"),
        (&["simulate", "b.drbt", "--format", "json"], "json"),
        (&["view", "b.drbt"], "html"),
        (&["check", "b.drbt"], "json"),
        (&["check", "b.drbt", "--format", "json"], "json"),
    ];
    for (call, expected) in calls {
        for to in ["-", "/dev/stdout"] {
            let output = dyverse(folder, &[call, &["--output", to]].concat());
            assert_eq!(output.status.code(), Some(0), "{call:?}: {}", stderr(&output));
            // Nothing but that: what is said besides goes to standard error.
            assert_eq!(
                kind(&output.stdout),
                expected,
                "{call:?} {to}: {}",
                stdout(&output)
            );
        }
        let null = dyverse(folder, &[call, &["--output", "/dev/null"]].concat());
        assert_eq!(null.status.code(), Some(0), "{call:?}: {}", stderr(&null));
        assert!(!null.stdout.is_empty(), "{call:?}");
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        let output = dyverse(folder, &[call, &["--output", "pipe"]].concat());
        assert_eq!(output.status.code(), Some(0), "{call:?}: {}", stderr(&output));
        assert_eq!(kind(&reader.join().unwrap()), expected, "{call:?}");
        std::fs::remove_file(&pipe).unwrap();
        // A file of such a name says nothing of its format.
        let file = dyverse(folder, &[call, &["--output", "nothing"]].concat());
        assert_eq!(file.status.code(), Some(2), "{call:?}");
    }
    assert_eq!(names(folder), ["b.drbt", "game.drbt"]);
}

#[test]
fn standard_output_is_not_taken_away_from_under_the_command() {
    let place = place();
    let folder = place.path();
    let into = std::fs::File::create(folder.join("all.txt")).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_dyverse"))
        .args(["automaton", "game.drbt", "--count", "--output", "/dev/stdout"])
        .current_dir(folder)
        .stdout(into.try_clone().unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    let there = std::fs::metadata(folder.join("all.txt")).unwrap();
    assert_eq!(there.ino(), into.metadata().unwrap().ino());
    let text = std::fs::read_to_string(folder.join("all.txt")).unwrap();
    assert_eq!(
        text,
        stdout(&dyverse(folder, &["automaton", "game.drbt", "--count"]))
    );
}

/// The names that a file has besides its own: a path with `./`, a symbolic link, a hard link.
fn other_names(folder: &Path, file: &str, ending: &str) -> Vec<String> {
    let (soft, hard) = (format!("soft.{ending}"), format!("hard.{ending}"));
    let _ = symlink(file, folder.join(&soft));
    let _ = std::fs::hard_link(folder.join(file), folder.join(&hard));
    vec![
        soft,
        hard,
        format!("./hard.{ending}"),
        format!("../{}/hard.{ending}", folder.file_name().unwrap().display()),
    ]
}

#[test]
fn what_the_call_reads_is_not_written_over() {
    let place = place();
    let folder = place.path();
    let model = std::fs::read(folder.join("game.drbt")).unwrap();
    std::fs::write(folder.join("part.drbt"), "param L = 2\n").unwrap();
    std::fs::write(folder.join("whole.drbt"), "import \"part.drbt\"\nsystem whole\ninput u = 0\nentity a { sphere(radius = L) mass = 1 }\nforce on a = (u, 0, 0)\nhorizon 1\n").unwrap();
    std::fs::write(folder.join("table.csv"), "time,u\n0,1\n1,2\n").unwrap();
    let mut calls: Vec<(Vec<String>, &str)> = Vec::new();
    let words = |call: String| call.split(' ').map(str::to_owned).collect::<Vec<String>>();
    for ending in ["csv", "json", "html", "svg"] {
        for name in other_names(folder, "game.drbt", ending) {
            calls.push((words(format!("simulate game.drbt --output {name}")), "game.drbt"));
        }
    }
    for name in other_names(folder, "game.drbt", "out") {
        calls.push((words(format!("automaton game.drbt --output {name}")), "game.drbt"));
        calls.push((
            words(format!("check game.drbt --set K=2.5 --proof {name}")),
            "game.drbt",
        ));
        calls.push((
            words(format!("export game.drbt --to dreach --output {name}")),
            "game.drbt",
        ));
    }
    calls.push((
        words("automaton game.drbt --output game.drbt".into()),
        "game.drbt",
    ));
    for name in other_names(folder, "part.drbt", "part.csv") {
        calls.push((words(format!("simulate whole.drbt --output {name}")), "part.drbt"));
    }
    calls.push((
        words("simulate whole.drbt --input u=table.csv --output table.csv".into()),
        "table.csv",
    ));
    for (call, file) in calls {
        let before = std::fs::read(folder.join(file)).unwrap();
        let output = run(folder, &call);
        assert_eq!(output.status.code(), Some(2), "{call:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("reads"), "{call:?}: {}", stderr(&output));
        assert_eq!(std::fs::read(folder.join(file)).unwrap(), before, "{call:?}");
    }
    // A model from standard input, into the file behind it.
    let output = Command::new(env!("CARGO_BIN_EXE_dyverse"))
        .args(["automaton", "-", "--output", "game.drbt"])
        .current_dir(folder)
        .stdin(std::fs::File::open(folder.join("game.drbt")).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(std::fs::read(folder.join("game.drbt")).unwrap(), model);
    // A run that goes on, into the trace that it goes on from.
    let made = dyverse(
        folder,
        &["simulate", "game.drbt", "--until", "0.5", "--output", "run.json"],
    );
    assert_eq!(made.status.code(), Some(0));
    let again = [
        "simulate",
        "game.drbt",
        "--until",
        "1",
        "--continue",
        "run.json",
        "--output",
        "run.json",
    ];
    assert_eq!(dyverse(folder, &again).status.code(), Some(2));
    // Formatting is there to change its file: through a link too.
    symlink("game.drbt", folder.join("link.drbt")).unwrap();
    std::fs::write(folder.join("game.drbt"), [model.as_slice(), b"\n\n\n"].concat()).unwrap();
    assert_eq!(dyverse(folder, &["fmt", "link.drbt"]).status.code(), Some(0));
    assert!(folder.join("link.drbt").is_symlink());
    assert_eq!(std::fs::read(folder.join("game.drbt")).unwrap(), model);
}

#[test]
fn permissions_are_kept_and_new_files_have_those_that_the_mask_allows() {
    let place = place();
    let folder = place.path();
    let mode = |name: &str| std::fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o777;
    std::fs::write(folder.join("old.txt"), "").unwrap();
    std::fs::set_permissions(folder.join("old.txt"), PermissionsExt::from_mode(0o640)).unwrap();
    dyverse(
        folder,
        &["automaton", "game.drbt", "--count", "--output", "old.txt"],
    );
    assert_eq!(mode("old.txt"), 0o640);
    let exe = env!("CARGO_BIN_EXE_dyverse");
    for (mask, expected) in [("077", 0o600), ("022", 0o644)] {
        let call = format!("umask {mask}; '{exe}' automaton game.drbt --count --output {mask}.txt");
        assert!(
            Command::new("sh")
                .args(["-c", &call])
                .current_dir(folder)
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(mode(&format!("{mask}.txt")), expected);
    }
}

#[test]
fn places_that_cannot_be_written_are_told_before_the_work() {
    let place = place();
    let folder = place.path();
    std::fs::create_dir(folder.join("folder.csv")).unwrap();
    symlink("loop_b.csv", folder.join("loop_a.csv")).unwrap();
    symlink("loop_a.csv", folder.join("loop_b.csv")).unwrap();
    std::fs::write(folder.join("locked.csv"), "mine").unwrap();
    std::fs::set_permissions(folder.join("locked.csv"), PermissionsExt::from_mode(0o444)).unwrap();
    // For whoever may write everywhere nothing is locked, but the system's own folders are.
    let is_root = std::fs::File::options()
        .write(true)
        .open(folder.join("locked.csv"))
        .is_ok();
    let mut cases = vec![
        ("folder.csv", 3, "it is a folder"),
        ("missing/run.csv", 3, "no folder"),
        ("loop_a.csv", 3, "cannot write"),
    ];
    if is_root {
        cases.push(("/sys/run.csv", 3, "cannot write"));
    } else {
        cases.push(("locked.csv", 3, "cannot write"));
        std::fs::create_dir(folder.join("shut")).unwrap();
        std::fs::set_permissions(folder.join("shut"), PermissionsExt::from_mode(0o555)).unwrap();
        cases.push(("shut/run.csv", 3, "cannot write"));
    }
    for (to, code, what) in cases {
        // A run without an end: what is wrong is said before it.
        let child = start(
            folder,
            &["simulate", "game.drbt", "--until", "1e12", "--output", to],
        );
        let output = finish(child, Duration::from_secs(20));
        assert_eq!(output.status.code(), Some(code), "{to}: {}", stderr(&output));
        assert!(stderr(&output).contains(what), "{to}: {}", stderr(&output));
        assert!(!stderr(&output).contains(".dyverse-"), "{}", stderr(&output));
    }
    assert_eq!(
        std::fs::read_to_string(folder.join("locked.csv")).unwrap(),
        "mine"
    );
    let _ = std::fs::set_permissions(folder.join("shut"), PermissionsExt::from_mode(0o755));
}

#[test]
fn files_that_belong_together_appear_together() {
    let place = place();
    let folder = place.path();
    // The second of them has a folder at its place.
    for (call, blocked) in [
        ("export game.drbt --to c --output out", "out/interception.h"),
        ("export game.drbt --to c --output out", "out/Makefile"),
        (
            "export game.drbt --to spaceex --output out/game.xml --nominal",
            "out/game.cfg",
        ),
        ("examples --write out", "out/interception.drbt"),
        ("examples --write out --force", "out/actors/thermostat.dam"),
    ] {
        std::fs::create_dir_all(folder.join(blocked)).unwrap();
        let words: Vec<&str> = call.split(' ').collect();
        let output = dyverse(folder, &words);
        assert!(
            matches!(output.status.code(), Some(2 | 3)),
            "{call}: {}",
            stderr(&output)
        );
        std::fs::remove_dir(folder.join(blocked)).unwrap();
        let inner = folder.join("out/actors");
        let left = if inner.is_dir() { names(&inner) } else { Vec::new() };
        assert!(left.is_empty(), "{call}: {left:?}");
        let _ = std::fs::remove_dir(inner);
        assert!(
            names(&folder.join("out")).is_empty(),
            "{call}: {:?}",
            names(&folder.join("out"))
        );
        std::fs::remove_dir(folder.join("out")).unwrap();
    }
    // Several files do not go where one fits.
    for to in ["-", "/dev/null", "game.drbt"] {
        let output = dyverse(folder, &["export", "game.drbt", "--to", "c", "--output", to]);
        assert!(
            matches!(output.status.code(), Some(2 | 3)),
            "{to}: {}",
            stderr(&output)
        );
    }
    assert_eq!(names(folder), ["game.drbt"]);
}

/// A file system of its own with little room, where the system allows one.
fn in_small_disk(folder: &Path, call: &str) -> Option<(i32, Vec<String>)> {
    let exe = env!("CARGO_BIN_EXE_dyverse");
    let script = format!(
        "mount -t tmpfs -o size=8k tmpfs small 2>/dev/null || exit 99; '{exe}' {call} >/dev/null 2>&1; code=$?; ls -A small; exit $code"
    );
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
        .current_dir(folder)
        .output()
        .ok()?;
    let code = output.status.code().filter(|code| *code != 99)?;
    let is_refused = String::from_utf8_lossy(&output.stderr).contains("unshare");
    (!is_refused).then(|| (code, stdout(&output).lines().map(str::to_owned).collect()))
}

#[test]
fn a_full_disk_is_a_failure_and_leaves_nothing() {
    let place = place();
    let folder = place.path();
    std::fs::create_dir(folder.join("small")).unwrap();
    for call in [
        "simulate game.drbt --output small/run.csv",
        "view game.drbt --output small/run.html",
        "automaton game.drbt --format json --output small/game.json",
        "export game.drbt --to c --output small/deep/game",
        "examples --write small/models",
        "demo small/demo",
    ] {
        let Some((code, left)) = in_small_disk(folder, call) else {
            eprintln!("skipped: no file system can be mounted here");
            return;
        };
        assert_eq!(code, 3, "{call}");
        let left: Vec<&String> = left.iter().filter(|name| *name != "demo").collect();
        assert!(left.is_empty(), "{call}: {left:?}");
    }
}

/// `ulimit -f`: the system sends a signal where a file becomes too long.
#[test]
fn a_file_that_may_not_grow_is_a_failure_and_leaves_nothing() {
    let place = place();
    let folder = place.path();
    let exe = env!("CARGO_BIN_EXE_dyverse");
    for call in [
        "simulate game.drbt --output run.csv",
        "view game.drbt --output run.html",
        "export game.drbt --to c --output folder",
    ] {
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -f 8; exec '{exe}' {call}")])
            .current_dir(folder)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3), "{call}: {}", stderr(&output));
        assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
        assert_eq!(names(folder), ["game.drbt"], "{call}");
    }
}
