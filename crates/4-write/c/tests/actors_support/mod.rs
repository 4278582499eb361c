//! Exports actor models, compiles and runs them, and compares with a run of dyverse.
#![allow(dead_code, reason = "each test uses a part of it")]

use crate::same;
use dyverse_actors::{Graph, SignalId};
use dyverse_lang::{ActorModel, Loaded, Loader, Reading, read_actors};
use dyverse_tick::{TickError, TickOptions, simulate};
use dyverse_trace::{StopReason, Trace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples/actors")
}

struct Examples;

impl Loader for Examples {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let bytes = match path {
            // A table for `lookup`.
            "steps.csv" => b"0, 1\n0.5, 2\n1.25, -1\n2, 0.5\n".to_vec(),
            _ => std::fs::read(folder().join(path)).map_err(|error| error.to_string())?,
        };
        Ok(Loaded::named(path, bytes))
    }
}

pub(crate) fn read_example(name: &str) -> Reading<ActorModel> {
    let main = Examples.load("", &format!("{name}.dam")).unwrap();
    read_actors(main, &mut Examples)
}

fn reading_of(text: &str) -> Reading<ActorModel> {
    let main = Loaded::named("test.dam", text);
    read_actors(main, &mut Examples)
}

pub(crate) fn try_read_text(text: &str) -> Option<Graph> {
    reading_of(text).model.map(|model| model.graph)
}

pub(crate) fn read_text(text: &str) -> Graph {
    let reading = reading_of(text);
    let found = format!("{:?}\n{text}", reading.diagnostics);
    reading.model.unwrap_or_else(|| panic!("{found}")).graph
}

/// A compiled model.
pub(crate) struct Built {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) program: PathBuf,
}

/// Compiles C99 without warnings.
pub(crate) fn compile(folder: &Path, flags: &[&str], sources: &[String], program: &str) -> PathBuf {
    let path = folder.join(program);
    let output = Command::new("cc")
        .current_dir(folder)
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"])
        .args(flags)
        .arg("-o")
        .arg(&path)
        .args(sources)
        .arg("-lm")
        .output()
        .expect("a C compiler, `cc`");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    path
}

pub(crate) fn build(graph: &Graph) -> Built {
    build_with(graph, &["-O0"])
}

pub(crate) fn build_with(graph: &Graph, flags: &[&str]) -> Built {
    let files = dyverse_c::write_actors(graph).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files.files() {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let driver = include_str!("driver.c").replace("MODEL", &files.name);
    std::fs::write(folder.path().join("driver.c"), driver).unwrap();
    let sources = ["driver.c".to_owned(), format!("{}.c", files.name)];
    let program = compile(folder.path(), flags, &sources, "driver");
    Built { folder, program }
}

/// What a run of the C did.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) events: Vec<(f64, u32)>,
    pub(crate) locations: Vec<String>,
    pub(crate) status: i32,
    pub(crate) time: f64,
    pub(crate) message: String,
    pub(crate) values: BTreeMap<String, f64>,
}

pub(crate) fn run(built: &Built, arguments: &[String]) -> Outcome {
    let output = Command::new(&built.program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    parse(&String::from_utf8_lossy(&output.stdout))
}

/// The same under valgrind, which must have nothing to say.
pub(crate) fn run_checked(built: &Built, arguments: &[String]) -> Outcome {
    let output = Command::new("valgrind")
        .args(["--error-exitcode=9", "--leak-check=full", "-q"])
        .arg(&built.program)
        .args(arguments)
        .output()
        .expect("valgrind");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    parse(&String::from_utf8_lossy(&output.stdout))
}

fn parse(text: &str) -> Outcome {
    let mut outcome = Outcome {
        events: Vec::new(),
        locations: Vec::new(),
        status: 0,
        time: 0.0,
        message: String::new(),
        values: BTreeMap::new(),
    };
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        let real = |place: usize| words[place].parse::<f64>().unwrap();
        match words[0] {
            "E" => {
                outcome.events.push((real(1), words[2].parse().unwrap()));
                outcome.locations.push(words[3..].join(" "));
            }
            "S" => {
                outcome.status = words[1].parse().unwrap();
                outcome.time = real(2);
                outcome.message = words[4..].join(" ");
            }
            _ => {
                outcome.values.insert(words[1].to_owned(), real(2));
            }
        }
    }
    outcome
}

/// The status that C should answer.
pub(crate) fn status_of(result: &Result<Trace, TickError>) -> i32 {
    match result {
        Ok(trace) => match trace.stop.reason {
            StopReason::HorizonReached => 0,
            StopReason::NotFinite { .. } => -4,
            StopReason::StepTooSmall { .. } => -5,
            StopReason::CrossingNotIsolated { .. } => -6,
            StopReason::Chattering { .. } => -19,
            StopReason::ZenoSuspected { .. } => -20,
            StopReason::EventLimit { .. } => -21,
            StopReason::Sliding { .. } => -23,
            _ => -99,
        },
        Err(error) => match error {
            TickError::BadNumber { .. } | TickError::BadParameter(..) => -2,
            TickError::Nonconstructive { .. } => -11,
            TickError::Ambiguous { .. } => -12,
            TickError::ImmediateCycle { .. } => -13,
            TickError::ImpulseAtMicrostepZero { .. } => -14,
            TickError::TwoSources { .. } => -15,
            TickError::NotDiscrete { .. } => -16,
            TickError::ActionReadsAbsent { .. } => -17,
            TickError::InitReadsAbsent { .. } => -18,
            _ => -99,
        },
    }
}

/// A run of dyverse that records every named signal.
pub(crate) fn expected(graph: &Graph, mut options: TickOptions) -> Result<Trace, TickError> {
    let named = (0..graph.signals().len()).filter(|s| graph.signals()[*s].is_named());
    options.record = named.map(|s| SignalId(s as u32)).collect();
    simulate(graph, &mut [], &options)
}

impl Outcome {
    pub(crate) fn told(&self) -> same::Told {
        let event = |(t, n): &(f64, u32)| same::Event {
            t: *t,
            n: Some(*n),
            ..same::Event::default()
        };
        same::Told {
            events: same::Events::All(self.events.iter().map(event).collect()),
            looks: vec![(self.time, self.values.clone())],
            end: self.status.to_string(),
            ..same::Told::new("the C")
        }
    }
}

/// Compares a run of the C with one of dyverse: status, ticks with events, final values.
pub(crate) fn compare(name: &str, outcome: &Outcome, result: &Result<Trace, TickError>) {
    let mut run = match result {
        Ok(trace) => same::Told::by("a run", trace, &[]).ticks(),
        Err(_) => same::Told::new("a run"),
    };
    run.end = status_of(result).to_string();
    let name = format!("{name} (C says {})", outcome.message);
    let Ok(trace) = result else {
        assert_eq!(outcome.status.to_string(), run.end, "{name}");
        return;
    };
    if let same::Events::All(ticks) = &mut run.events
        && outcome.status != 0
        && ticks.len() == outcome.events.len() + 1
    {
        // The tick at which a run stops is no event of the C.
        ticks.pop();
    }
    same::same_at_the_end(&name, &outcome.told(), &run);
    let stop = trace.stop.time.t();
    let is_same = (stop - outcome.time).abs() <= 1e-9 * stop.abs().max(1.0);
    assert!(is_same, "{name}: it stops at {stop}, C at {}", outcome.time);
}
