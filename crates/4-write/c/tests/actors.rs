//! Actor models in C: optimised, under valgrind, against mathematics; the files as a user meets them. (That shipped and random models do what they do in a run: `conformance` of the crate `dyverse-block`.)
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

use crate::actors_support;
use actors_support::{
    build, build_with, compare, compile, expected, read_example, read_text, run, run_checked,
};
use dyverse_c::write_actors;
use dyverse_tick::TickOptions;
use std::process::Command;

#[test]
fn optimised_code_is_the_same_model_and_valgrind_has_nothing_to_say() {
    for name in ["diode_oscillator", "flyback_diode", "capacitors"] {
        let graph = read_example(name).model.unwrap().graph;
        let built = build_with(&graph, &["-O2"]);
        let outcome = run_checked(&built, &["stops=7".to_owned()]);
        let result = expected(&graph, TickOptions::default());
        compare(name, &outcome, &result);
    }
}

#[test]
fn the_circuit_switches_when_mathematics_says() {
    let graph = read_example("diode_oscillator").model.unwrap().graph;
    let outcome = run(&build(&graph), &[]);
    let (t, _) = outcome.events[0];
    assert!((t - 0.75 * std::f64::consts::PI).abs() < 1e-12, "{t}");
    assert_eq!(outcome.locations, ["circuit.reverse_biased"]);
    assert!((outcome.values["circuit.v"] - 2.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn the_makefile_builds_a_program_that_prints() {
    let graph = read_example("diode_oscillator").model.unwrap().graph;
    let files = write_actors(&graph).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files.files() {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let made = Command::new("make")
        .current_dir(folder.path())
        .arg("CFLAGS=-O1 -Werror")
        .output()
        .expect("make");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let printed = Command::new(folder.path().join("diode_oscillator"))
        .args(["until=3", "every=0.5", "L=0.25"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&printed.stdout);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8, "a line of names, seven of values: {text}");
    let column = lines[0].split(',').position(|name| name == "circuit.v").unwrap();
    let last: f64 = lines[7].split(',').nth(column).unwrap().parse().unwrap();
    // L = 1/4: i = 0 where v² = 1 + L i² of the start.
    assert!((last - 1.25_f64.sqrt()).abs() < 1e-12, "{text}");
    let events = String::from_utf8_lossy(&printed.stderr);
    assert!(
        events.trim_end().ends_with("1 circuit.reverse_biased"),
        "{events}"
    );
}

#[test]
fn two_models_link_into_one_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut sources = vec!["both.c".to_owned()];
    for name in ["growth", "two_tanks"] {
        let graph = read_example(name).model.unwrap().graph;
        let files = write_actors(&graph).unwrap();
        for (name, text) in files.files() {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        sources.push(format!("{name}.c"));
    }
    let program = "#include \"growth.h\"\n#include \"two_tanks.h\"\n#include <stdio.h>\n
        static growth one; static two_tanks two;\n
        int main(void)\n{\n    growth_init(&one);\n    two_tanks_init(&two);\n
        if (growth_step(&one, 2.0) != growth_OK || two_tanks_step(&two, 1.0) != two_tanks_OK) return 1;\n
        printf(\"%.17g %.17g\\n\", growth_get(&one, growth_y), two_tanks_time(&two));\n    return 0;\n}\n";
    std::fs::write(folder.path().join("both.c"), program).unwrap();
    let both = compile(folder.path(), &["-O0"], &sources, "both");
    let output = Command::new(both).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().map(|n| n.parse().unwrap()).collect();
    assert!(
        (numbers[0] - (2.0_f64.exp() - 1.0)).abs() < 1e-11 && numbers[1] == 1.0,
        "{text}"
    );
}

#[test]
fn a_mechanism_is_an_obstacle_with_its_name_and_place() {
    let graph = read_example("interception").model.unwrap().graph;
    let obstacle = write_actors(&graph).unwrap_err();
    assert!(obstacle.what.contains("`game` is a mechanism"), "{obstacle}");
    assert!(obstacle.origin.is_some());
}

#[test]
fn the_accuracy_is_what_the_model_states() {
    let text =
        "model rough  x' = y init 1  y' = -x  tolerances { relative = 1e-5  absolute = 1e-5 }  horizon = 20";
    let graph = read_text(text);
    let outcome = run(&build(&graph), &[]);
    let error = (outcome.values["x"] - 20.0_f64.cos()).abs();
    assert!(error > 1e-12 && error < 1e-3, "{error}");
    compare("rough", &outcome, &expected(&graph, TickOptions::default()));
}

#[test]
fn the_header_of_the_circuit() {
    let graph = read_example("diode_oscillator").model.unwrap().graph;
    let header = write_actors(&graph).unwrap().header;
    // What follows are sizes and fields of the runtime, then the functions.
    let (before, rest) = header.split_once("/* the longest name of a location").unwrap();
    assert!(rest.contains("int diode_oscillator_step(diode_oscillator *m, double until);"));
    insta::assert_snapshot!(before);
}
