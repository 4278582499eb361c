//! Models exported, compiled and run, beside runs of dyverse.
#![allow(dead_code, clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

pub(crate) mod scenes;

use crate::same;
use dyverse_c::CFiles;
use dyverse_model::Model;
use dyverse_simulate::{RunOptions, simulate};
use dyverse_trace::Trace;
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
    let path = format!("{}/../../../examples/{name}.drbt", env!("CARGO_MANIFEST_DIR"));
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

/// What a program told: transitions, the variables at the moments of its table, and at the end.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) transitions: Vec<(f64, u32, String)>,
    pub(crate) names: Vec<String>,
    rows: Vec<(f64, Vec<f64>)>,
    pub(crate) last: Vec<f64>,
}

impl Told {
    pub(crate) fn told(&self) -> same::Told {
        let event = |(t, n, to): &(f64, u32, String)| same::Event {
            t: *t,
            n: Some(*n),
            to: Some(to.clone()),
            what: None,
        };
        let values = |row: &(f64, Vec<f64>)| {
            let names = self.names.iter().cloned();
            (row.0, names.zip(row.1.iter().copied()).collect())
        };
        same::Told {
            events: same::Events::All(self.transitions.iter().map(event).collect()),
            looks: self.rows.iter().map(values).collect(),
            ..same::Told::new("the C")
        }
    }
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
    let row = |line: &str| {
        let mut numbers = line.split(',').map(|value| value.parse().unwrap());
        (numbers.next().unwrap(), numbers.collect::<Vec<f64>>())
    };
    let rows: Vec<(f64, Vec<f64>)> = table.lines().skip(1).map(row).collect();
    let transition = |line: &str| {
        let mut parts = line.splitn(3, ' ');
        let t = parts.next().unwrap().parse().unwrap();
        let microstep = parts.next().unwrap().parse().unwrap();
        (t, microstep, parts.next().unwrap().to_owned())
    };
    Told {
        transitions: events.lines().map(transition).collect(),
        names: names.map(str::to_owned).collect(),
        last: rows.last().unwrap().1.clone(),
        rows,
    }
}

/// Asserts that the C did what a run does, and shows the same variables.
pub(crate) fn assert_same(told: &Told, trace: &Trace) {
    let signals: Vec<&str> = trace.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!(told.names, signals);
    let run = same::Told::by("a run", trace, &[]);
    same::same_at_the_end(&trace.system, &told.told(), &run);
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
