//! Ctrl-C and SIGTERM: what there is of a run or a check is kept and marked, nothing else stays.
#![cfg(unix)]

use crate::support::{dyverse, examples, finish, names, signal, start, stderr, stdout};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// Generous: the machines that run this are slow and busy.
const SOON: Duration = Duration::from_secs(20);

/// Two runs that take longer than anybody waits.
const ENDLESS: [(&str, &str); 2] = [
    (
        "walls.drbt",
        "system walls\nentity b { sphere(radius = 0.1) mass = 1 velocity = (3, 0, 0) }\n\
         fixed entity l { half_space(normal = (1, 0, 0), offset = -1) }\nfixed entity r { half_space(normal = (-1, 0, 0), offset = -1) }\n\
         contact default { restitution = 1 friction = 0 }\nhorizon 1e9\nproperty inside: always b.x < 2\n",
    ),
    (
        "swing.dam",
        "model swing\nout cont x, v\nx' = v init 1\nv' = -x\nhorizon = 1e9\nproperty inside: always x < 2\n",
    ),
];

fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for (name, text) in ENDLESS {
        std::fs::write(place.path().join(name), text).unwrap();
    }
    place
}

/// Waits until it has said something that holds this.
fn heard(child: &mut Child, what: &str) -> String {
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut all = String::new();
    while !all.contains(what) {
        let mut line = String::new();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "{all}");
        all += &line;
    }
    child.stderr = Some(stderr.into_inner());
    all
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_run_that_is_interrupted_is_kept_and_marked() {
    for (name, _) in ENDLESS {
        for (word, code) in [("INT", 130), ("TERM", 143)] {
            let place = place();
            let mut child = start(place.path(), &["simulate", name, "--output", "run.json"]);
            heard(&mut child, "progress:");
            signal(&child, word);
            let output = finish(child, SOON);
            assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
            assert!(
                stderr(&output).contains("interrupted at t = "),
                "{}",
                stderr(&output)
            );
            assert!(
                stdout(&output).contains("it was interrupted"),
                "{}",
                stdout(&output)
            );
            let trace = json(&place.path().join("run.json"));
            assert_eq!(trace["stop"]["reason"], "interrupted");
            assert!(trace["stop"]["time"].as_f64().unwrap() > 0.0);
            assert_eq!(names(place.path()), ["run.json", "swing.dam", "walls.drbt"]);
        }
    }
}

#[test]
fn a_page_of_a_run_that_is_interrupted_is_written() {
    let place = place();
    let mut child = start(place.path(), &["view", "walls.drbt", "--output", "run.html"]);
    heard(&mut child, "progress:");
    signal(&child, "INT");
    let output = finish(child, SOON);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(place.path().join("run.html").is_file());
}

/// Wherever a signal comes, also when the run is over and its page is being made, it is not forgotten.
#[test]
fn a_signal_counts_while_a_page_is_made() {
    let place = place();
    let call = ["simulate", "walls.drbt", "--timeout", "1", "--output", "run.html"];
    for k in 0..12 {
        let mut child = start(place.path(), &call);
        std::thread::sleep(Duration::from_millis(900 + 40 * k));
        if child.try_wait().unwrap().is_some() {
            continue;
        }
        signal(&child, "TERM");
        let sent = Instant::now();
        let output = finish(child, SOON);
        // One that comes in the last moment is not seen any more.
        let is_missed = output.status.code() == Some(4) && sent.elapsed() < Duration::from_millis(500);
        assert!(
            is_missed || output.status.code() == Some(143),
            "{:?} after {:?}: {}",
            output.status,
            sent.elapsed(),
            stderr(&output)
        );
    }
}

#[test]
fn a_page_of_a_check_that_is_interrupted_does_not_keep_it() {
    for (name, _) in ENDLESS {
        for (word, code) in [("INT", 130), ("TERM", 143)] {
            let place = place();
            let mut child = start(place.path(), &["check", name, "--output", "c.html"]);
            heard(&mut child, "progress:");
            let asked = Instant::now();
            signal(&child, word);
            let output = finish(child, SOON);
            // A second, and as much again as a slow and busy machine may need.
            assert!(
                asked.elapsed() < Duration::from_secs(21),
                "{name}: {:?}",
                asked.elapsed()
            );
            assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
            assert!(place.path().join("c.html").is_file());
        }
    }
}

#[test]
fn a_check_that_is_interrupted_says_what_was_decided() {
    for (name, _) in ENDLESS {
        let place = place();
        let mut child = start(place.path(), &["check", name, "--format", "json"]);
        heard(&mut child, "progress:");
        let asked = Instant::now();
        signal(&child, "INT");
        let output = finish(child, SOON);
        assert!(asked.elapsed() < Duration::from_secs(21), "{:?}", asked.elapsed());
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(
            (&answer["verdict"], &answer["stopped"], &answer["stopped_by"]),
            (&"UNKNOWN".into(), &true.into(), &"interrupt".into())
        );
    }
}

#[test]
fn a_partition_that_is_interrupted_shows_the_parts_that_are_decided() {
    let place = tempfile::tempdir().unwrap();
    std::fs::copy(
        examples().join("bouncing_ball.drbt"),
        place.path().join("ball.drbt"),
    )
    .unwrap();
    let call = [
        "check",
        "ball.drbt",
        "--partition",
        "e",
        "--width",
        "1e-9",
        "--output",
        "map.json",
    ];
    let mut child = start(place.path(), &call);
    heard(&mut child, "progress:");
    signal(&child, "TERM");
    let output = finish(child, SOON);
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("stopped      interrupted"), "{text}");
    let map = json(&place.path().join("map.json"));
    let cells = map["boxes"].as_array().unwrap();
    // They cover the range, whatever is known of each.
    let side = |cell: &Value, end: usize| cell["sides"]["e"][end].as_f64().unwrap();
    let all = map["partition"]["e"].as_array().unwrap();
    assert_eq!(side(&cells[0], 0), all[0].as_f64().unwrap());
    assert_eq!(side(cells.last().unwrap(), 1), all[1].as_f64().unwrap());
    assert!(
        cells
            .windows(2)
            .all(|pair| side(&pair[0], 1) == side(&pair[1], 0))
    );
}

#[test]
fn nothing_stays_of_a_file_that_was_being_written() {
    let place = place();
    let folder = place.path();
    let call = [
        "simulate",
        "walls.drbt",
        "--until",
        "20",
        "--sample-every",
        "1e-4",
        "--output",
        "run.json",
    ];
    let is_long = |name: &String| {
        let size = std::fs::metadata(folder.join(name)).map_or(0, |m| m.len());
        name.starts_with(".dyverse-") && size > 100_000
    };
    let mut was_hit = false;
    for (word, code) in [("INT", 130), ("TERM", 143), ("INT", 130), ("TERM", 143)] {
        let mut child = start(folder, &call);
        let until = Instant::now() + SOON;
        while !names(folder).iter().any(is_long) && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < until);
        }
        let is_over = child.try_wait().unwrap().is_some();
        if !is_over {
            signal(&child, word);
        }
        let output = finish(child, SOON);
        let there = names(folder);
        assert!(there.iter().all(|name| !name.starts_with('.')), "{there:?}");
        if output.status.code() == Some(code) {
            was_hit = true;
            assert!(!there.contains(&"run.json".to_owned()));
        } else {
            assert_eq!(output.status.code(), Some(0));
            std::fs::remove_file(folder.join("run.json")).unwrap();
        }
    }
    assert!(was_hit, "writing was over each time before the signal came");
}

/// A pipe that nobody reads: the first signal ends the run, and the second does not wait for a reader.
#[test]
fn a_second_signal_ends_it_at_once() {
    let place = place();
    let pipe = place.path().join("pipe.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = start(place.path(), &["simulate", "walls.drbt", "--output", "pipe.csv"]);
    heard(&mut child, "progress:");
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none());
    signal(&child, "INT");
    assert_eq!(finish(child, SOON).status.code(), Some(130));
    assert!(pipe.exists());
}

#[test]
fn a_folder_of_files_that_was_being_written_is_taken_away() {
    let place = tempfile::tempdir().unwrap();
    let models = place.path().join("a/b/models");
    let all = || -> Vec<Vec<String>> {
        let inner = ["", "actors", "checks"];
        inner.iter().map(|folder| names(&models.join(folder))).collect()
    };
    let write = ["examples", "--write", "a/b/models"];
    assert_eq!(dyverse(place.path(), &write).status.code(), Some(0));
    let whole = all();
    std::fs::remove_dir_all(place.path().join("a")).unwrap();
    for k in 0..20 {
        let child = start(place.path(), &write);
        std::thread::sleep(Duration::from_micros(300 * k));
        signal(&child, "TERM");
        let code = finish(child, SOON).status.code();
        // Before it hears signals it ends as programs do.
        assert!(matches!(code, Some(0 | 143) | None), "{code:?}");
        // All of them, or nothing.
        if place.path().join("a").exists() {
            assert_eq!(all(), whole);
            std::fs::remove_dir_all(place.path().join("a")).unwrap();
        }
        assert!(names(place.path()).is_empty(), "{:?}", names(place.path()));
    }
}

/// `nohup` says that a closed terminal does not matter.
#[test]
fn a_closed_terminal_ends_a_run_unless_it_is_told_otherwise() {
    let place = place();
    let exe = env!("CARGO_BIN_EXE_dyverse");
    let call = "simulate swing.dam --output run.json --timeout 6 2>said.txt >/dev/null";
    // Whoever runs the tests may have said so too, which no shell can take back.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_heard = ignored.is_some_and(|mask| mask & 1 == 0);
    for (before, reason) in [("", "interrupted"), ("trap '' HUP;", "timeout")] {
        if before.is_empty() && !is_heard {
            continue;
        }
        let script = format!("{before} exec '{exe}' {call}");
        let mut child = Command::new("sh")
            .args(["-c", &script])
            .current_dir(place.path())
            .spawn()
            .unwrap();
        let said = || std::fs::read_to_string(place.path().join("said.txt")).unwrap_or_default();
        while !said().contains("progress:") && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(20));
        }
        signal(&child, "HUP");
        finish(child, SOON);
        assert_eq!(json(&place.path().join("run.json"))["stop"]["reason"], reason);
        std::fs::remove_file(place.path().join("said.txt")).unwrap();
    }
}

#[test]
fn what_is_not_listened_to_does_not_keep_it_from_ending() {
    let place = place();
    // Standard output and standard error that nobody reads, or that are full.
    for to in ["/dev/full", "/dev/null"] {
        let open = || std::fs::File::options().write(true).open(to).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_dyverse"))
            .args(["simulate", "walls.drbt"])
            .current_dir(place.path())
            .stdout(open())
            .stderr(open())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(3));
        assert!(child.try_wait().unwrap().is_none());
        signal(&child, "INT");
        let code = finish(child, SOON).status.code();
        // What cannot be printed is a failure; the run itself was ended.
        assert_eq!(code, Some(if to == "/dev/full" { 3 } else { 130 }), "{to}");
    }
    let output: Output = dyverse(place.path(), &["simulate", "swing.dam", "--until", "1"]);
    assert_eq!(output.status.code(), Some(0));
    let mut rest = String::new();
    output.stderr.as_slice().read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("progress"), "{rest}");
}
