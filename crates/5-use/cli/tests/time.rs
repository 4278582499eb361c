//! `--timeout` holds, whatever one box costs; a check has a budget without it; how far it is is told.

use crate::support::{dyverse, examples, finish, start, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// A second and a tenth beyond the limit, and as much again as a slow and busy machine may need.
fn allowed(limit: f64) -> Duration {
    Duration::from_secs_f64(1.1 * limit + 1.0 + 20.0)
}

/// Ten balls in a row: with all their velocities unknown one step of one box takes longer than anybody waits.
fn ten_balls(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(examples().join("10_balls.drbt")).unwrap();
    let text = format!("{text}\nhorizon 10\nproperty up: always [0, 10] a.x < 100\n");
    std::fs::write(folder.join("ten.drbt"), text).unwrap();
    let mut call: Vec<String> = vec!["check".into(), "ten.drbt".into()];
    for ball in "abcdefghij".chars() {
        for component in ["vx", "vy", "vz", "wx", "wy", "wz"] {
            call.push("--set".into());
            call.push(format!("{ball}.{component}=[-0.1,0.1]"));
        }
    }
    call
}

/// Balls that fall in a heap: one simulation takes long.
fn heap(folder: &Path) -> Vec<String> {
    let mut text = String::from(
        "system heap\ngravity (0, 0, -9.81)\ncontact default { restitution = 0.3 friction = 0.4 }\n\
         fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }\n",
    );
    for k in 0..27 {
        let (x, y, z) = (k % 3, k / 3 % 3, k / 9);
        let off = f64::from(k) * 0.0013;
        text += &format!(
            "entity b{k} {{ sphere(radius = 0.1) mass = 1 position = ({}, {}, {}) }}\n",
            0.25 * f64::from(x) + off,
            0.25 * f64::from(y) - off,
            0.3 + 0.25 * f64::from(z)
        );
    }
    text += "horizon 4\nproperty above: always b0.z > -1\n";
    std::fs::write(folder.join("heap.drbt"), text).unwrap();
    vec!["check".into(), "heap.drbt".into()]
}

/// A guard with two ends, in an actor model: a thousand boxes.
fn twice_guarded(folder: &Path) -> Vec<String> {
    let text = "model ball\nparam e in [0.7, 0.9] = 0.8\nparam small = 1e-3\nmodal ball {\n  out cont x, v\n  initial mode falling {\n    v' = -9.81\n    \
                x' = v init 1\n    when abs(x) < small and abs(v) < small goto sitting { x := x }\n    \
                when x <= 0 and v < 0 default history goto falling { v := -e * v }\n  }\n  mode sitting {\n    x' = 0\n    v = 0\n  }\n}\n\
                horizon = 5\nproperty above: always ball.x > -0.01\n";
    std::fs::write(folder.join("ball.dam"), text).unwrap();
    vec!["check".into(), "ball.dam".into()]
}

fn example(name: &'static str, more: &'static str) -> impl Fn(&Path) -> Vec<String> {
    move |folder: &Path| {
        let file = name.rsplit('/').next().unwrap();
        std::fs::copy(examples().join(name), folder.join(file)).unwrap();
        let words = format!("check {file} {more}");
        words.split_whitespace().map(str::to_owned).collect()
    }
}

fn case(name: &'static str, more: &'static str) -> impl Fn(&Path) -> Vec<String> {
    move |folder: &Path| {
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../5-use/dyverse/tests/cases/check");
        std::fs::copy(cases.join(name), folder.join(name)).unwrap();
        let words = format!("check {name} {more}");
        words.split_whitespace().map(str::to_owned).collect()
    }
}

#[test]
fn a_check_ends_in_time() {
    type Made = Box<dyn Fn(&Path) -> Vec<String>>;
    let models: Vec<Made> = vec![
        Box::new(ten_balls),
        Box::new(heap),
        Box::new(twice_guarded),
        Box::new(example("actors/two_tanks.dam", "")),
        Box::new(example("checks/bounce_heights.drbt", "")),
        Box::new(example("bouncing_ball.drbt", "--partition e,h --width 1e-6")),
        Box::new(case("timeout_overshoot.drbt", "--property shares")),
        Box::new(|folder: &Path| {
            [
                ten_balls(folder),
                vec![
                    "--partition".into(),
                    "a.vx".into(),
                    "--width".into(),
                    "1e-3".into(),
                ],
            ]
            .concat()
        }),
        Box::new(|folder: &Path| [heap(folder), vec!["--output".into(), "page.html".into()]].concat()),
        Box::new(|folder: &Path| [twice_guarded(folder), vec!["--proof".into(), "a.proof".into()]].concat()),
    ];
    for made in models {
        let place = tempfile::tempdir().unwrap();
        let mut call = made(place.path());
        call.extend(["--timeout".into(), "1.5".into()]);
        let words: Vec<&str> = call.iter().map(String::as_str).collect();
        let begun = Instant::now();
        // Shown if it does not end at all.
        println!("{words:?}");
        let output = finish(start(place.path(), &words), Duration::from_secs(60));
        let took = begun.elapsed();
        assert!(took < allowed(1.5), "{took:?}: {words:?}");
        // Nobody decides these in that time; one that is decided is right too.
        assert!(
            matches!(output.status.code(), Some(0 | 10 | 20)),
            "{words:?}: {}",
            stderr(&output)
        );
        if output.status.code() == Some(20) {
            assert!(
                stdout(&output).contains("by --timeout"),
                "{words:?}: {}",
                stdout(&output)
            );
        }
    }
}

/// What is written counts too: files of many samples, pages of many events.
#[test]
fn a_run_and_its_file_end_in_time() {
    let swing = "model swing\nout cont x, v\nx' = v init 1\nv' = -x\nhorizon = 1e9\n";
    let walls = "system walls\nentity b { sphere(radius = 0.1) mass = 1 velocity = (300, 0, 0) }\n\
        fixed entity l { half_space(normal = (1, 0, 0), offset = -1) }\nfixed entity r { half_space(normal = (-1, 0, 0), offset = -1) }\n\
        contact default { restitution = 1 friction = 0 }\nhorizon 1e9\n";
    let place = tempfile::tempdir().unwrap();
    for (name, text, more) in [
        (
            "swing.dam",
            swing,
            &["--until", "20000", "--sample-every", "0.001"][..],
        ),
        ("walls.drbt", walls, &[]),
    ] {
        std::fs::write(place.path().join(name), text).unwrap();
        for ending in ["json", "csv", "parquet", "svg", "html"] {
            let file = format!("run.{ending}");
            let call = [&["simulate", name, "--timeout", "2", "--output", &file], more].concat();
            let begun = Instant::now();
            let output = finish(start(place.path(), &call), Duration::from_secs(60));
            let took = begun.elapsed();
            assert!(took < allowed(2.0), "{took:?}: {call:?}");
            assert_eq!(output.status.code(), Some(4), "{call:?}: {}", stderr(&output));
            assert!(
                stdout(&output).contains("it took more than 2 s"),
                "{}",
                stdout(&output)
            );
            assert!(place.path().join(&file).is_file(), "{call:?}");
            std::fs::remove_file(place.path().join(&file)).unwrap();
        }
    }
}

#[test]
fn the_time_is_shared_by_the_properties() {
    let place = tempfile::tempdir().unwrap();
    twice_guarded(place.path());
    let path = place.path().join("ball.dam");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "property short: always [0, 0.3] ball.x > 0\n").unwrap();
    let output = dyverse(
        place.path(),
        &["check", "ball.dam", "--timeout", "6", "--format", "json"],
    );
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let each = answer["properties"].as_array().unwrap();
    assert_eq!(each[0]["stopped_by"], "timeout", "{answer:#}");
    assert_eq!(each[1]["verdict"], "SAFE", "{answer:#}");
}

#[test]
fn a_check_has_a_budget_without_timeout_and_says_so() {
    let place = tempfile::tempdir().unwrap();
    std::fs::copy(
        examples().join("interception.drbt"),
        place.path().join("game.drbt"),
    )
    .unwrap();
    let told = |more: &[&str]| -> Value {
        let call = [
            &["check", "game.drbt", "--set", "K=2.5", "--format", "json"],
            more,
        ]
        .concat();
        serde_json::from_str(&stdout(&dyverse(place.path(), &call))).unwrap()
    };
    assert_eq!(told(&[])["timeout"], 60.0);
    assert_eq!(told(&["--timeout", "7"])["timeout"], 7.0);
    assert_eq!(told(&["--timeout", "inf"])["timeout"], Value::Null);
    let help = stdout(&dyverse(place.path(), &["check", "--help"]));
    assert!(help.contains("60 if left out"), "{help}");
}

#[test]
fn how_far_it_is_is_told_where_nobody_looks_too() {
    let place = tempfile::tempdir().unwrap();
    let mut call = twice_guarded(place.path());
    call.extend(["--timeout".into(), "4".into()]);
    let words: Vec<&str> = call.iter().map(String::as_str).collect();
    let output = dyverse(place.path(), &words);
    let told = stderr(&output);
    let lines: Vec<&str> = told
        .lines()
        .filter(|line| line.starts_with("progress: "))
        .collect();
    assert_eq!(lines.len(), 1, "{told}");
    assert!(
        lines[0].contains("above: ") && lines[0].contains(" boxes"),
        "{told}"
    );
    assert!(!told.contains('\r') && !told.contains('\u{1b}'), "{told}");
}

#[test]
fn a_first_model_is_checked_in_a_moment() {
    let place = tempfile::tempdir().unwrap();
    for name in ["first.drbt", "first.dam"] {
        assert_eq!(dyverse(place.path(), &["new", name]).status.code(), Some(0));
        let begun = Instant::now();
        let output = dyverse(place.path(), &["check", name]);
        assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        assert!(stdout(&output).contains("lower: SAFE"), "{}", stdout(&output));
        // The bound is no empty one: for a ball that bounces higher it is broken.
        let higher = dyverse(place.path(), &["check", name, "--set", "e=[0.7,0.99]"]);
        assert_eq!(higher.status.code(), Some(10), "{}", stdout(&higher));
    }
}
