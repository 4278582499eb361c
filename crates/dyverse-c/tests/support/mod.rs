//! Models exported, compiled and run, beside runs of dyverse.
#![allow(dead_code, clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

pub(crate) mod scenes;

use dyverse_c::CFiles;
use dyverse_model::Model;
use dyverse_run::{RunOptions, simulate};
use dyverse_time::Trace;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Flags under which the C must compile without a warning.
pub(crate) const STRICT: &[&str] = &["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

pub(crate) fn model(text: &str) -> Model {
    let main = dyverse_lang::Loaded::named("test", text);
    let reading = dyverse_lang::read(main, &mut dyverse_lang::NoImports);
    let told = dyverse_diag::render_all(&reading.diagnostics, &reading.sources, Default::default());
    reading.model.unwrap_or_else(|| panic!("{told}\n{text}"))
}

pub(crate) fn example(name: &str) -> Model {
    let path = format!("{}/../../examples/{name}.drbt", env!("CARGO_MANIFEST_DIR"));
    model(&std::fs::read_to_string(path).unwrap())
}

/// Runs a program that must be installed: a missing one is a failure that says so, not a skipped test.
pub(crate) fn tool(program: &str, arguments: &[&str], folder: &Path) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("`{program}` is needed for this test and could not be run: {error}"))
}

/// A compiled model; its folder lives as long as this.
pub(crate) struct Built {
    folder: tempfile::TempDir,
    name: String,
}

/// What a program told: transitions, and the variables at the end.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) transitions: Vec<(f64, u32, String)>,
    pub(crate) names: Vec<String>,
    pub(crate) last: Vec<f64>,
}

/// Writes files into a folder.
pub(crate) fn write(files: &CFiles, folder: &Path) {
    for (name, text) in files.files() {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// Compiles some sources of a folder into `program`.
pub(crate) fn compile(folder: &Path, sources: &[&str], flags: &[&str], program: &str) {
    let arguments: Vec<&str> = [STRICT, flags, sources, &["-o", program, "-lm"]].concat();
    let output = tool("cc", &arguments, folder);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

impl Built {
    pub(crate) fn new(model: &Model, flags: &[&str]) -> Self {
        let files = dyverse_c::write_bodies(model).unwrap_or_else(|obstacle| panic!("{obstacle}"));
        let folder = tempfile::tempdir().unwrap();
        write(&files, folder.path());
        let name = files.name;
        let (source, main) = (format!("{name}.c"), format!("{name}_main.c"));
        compile(folder.path(), &[&source, &main], flags, "program");
        Built { folder, name }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// Runs it with arguments such as `K=3`.
    pub(crate) fn run(&self, arguments: &[String]) -> Told {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = tool(&self.program().to_string_lossy(), &arguments, self.folder());
        let events = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{}: {events}", self.name);
        read(&String::from_utf8(output.stdout).unwrap(), &events)
    }
}

/// Reads what the program printed.
pub(crate) fn read(table: &str, events: &str) -> Told {
    let names = table.lines().next().unwrap().split(',').skip(1);
    let last = table.lines().last().unwrap().split(',').skip(1);
    let transition = |line: &str| {
        let mut parts = line.splitn(3, ' ');
        let t = parts.next().unwrap().parse().unwrap();
        let microstep = parts.next().unwrap().parse().unwrap();
        (t, microstep, parts.next().unwrap().to_owned())
    };
    Told {
        transitions: events.lines().map(transition).collect(),
        names: names.map(str::to_owned).collect(),
        last: last.map(|value| value.parse().unwrap()).collect(),
    }
}

/// Whether two names are of the same place. Beyond 64 contacts a run names those that an edge is about, the C all that are closed: then only the kind of place is compared.
fn is_same_place(own: &str, expected: &str) -> bool {
    let kind = |name: &str| name.chars().next().map(|c| c.to_ascii_lowercase());
    own == expected || expected.contains('{') && kind(own) == kind(expected)
}

/// Asserts that the C did what a run does: every transition at its superdense time (to 1e-9) into its place, and the same states at the end (to 1e-8).
pub(crate) fn assert_same(told: &Told, trace: &Trace) {
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    assert_eq!(told.names.len(), trace.signals.len());
    for (name, signal) in told.names.iter().zip(&trace.signals) {
        assert_eq!(*name, signal.name);
    }
    for (number, (own, other)) in told.transitions.iter().zip(&trace.transitions).enumerate() {
        let expected = (other.time.t(), other.time.n(), &other.to);
        assert!(
            (own.0 - expected.0).abs() <= 1e-9 && own.1 == expected.1 && is_same_place(&own.2, expected.2),
            "{}: transition {number} is {own:?}, that of the run {expected:?}",
            trace.system
        );
    }
    assert_eq!(
        told.transitions.len(),
        trace.transitions.len(),
        "{}",
        trace.system
    );
    let end = &trace.samples.last().unwrap().values;
    for ((name, own), expected) in told.names.iter().zip(&told.last).zip(end) {
        assert!(
            (own - expected).abs() <= 1e-8,
            "{}: {name} ends at {own}, in the run at {expected}",
            trace.system
        );
    }
}

/// Exports, compiles, runs and compares, with these parameters; gives the transitions of the run.
pub(crate) fn check(model: &Model, parameters: &[(&str, f64)]) -> usize {
    check_built(&Built::new(model, &["-O2"]), model, parameters)
}

/// The same for a model that is compiled already.
pub(crate) fn check_built(built: &Built, model: &Model, parameters: &[(&str, f64)]) -> usize {
    let options = RunOptions {
        parameters: parameters
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
        ..RunOptions::default()
    };
    let trace = simulate(model, &options).unwrap();
    let arguments: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value:e}"))
        .collect();
    assert_same(&built.run(&arguments), &trace);
    trace.transitions.len()
}
