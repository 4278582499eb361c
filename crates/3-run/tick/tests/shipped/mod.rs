//! The shipped actor models without components, and a driver that integrates one from outside, as an importer of FMI's model exchange does.
#![allow(dead_code, missing_docs, unreachable_pub)]
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use dyverse_actors::Graph;
use dyverse_component::{Cause, Component, Driver, Fault, Happening, Stand};
use dyverse_lang::{Loaded, Loader, read_actors};
use dyverse_tick::{Session, TickError};
use dyverse_trace::{StopReason, Transition};
use std::path::PathBuf;

pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples/actors")
}

struct Examples;

impl Loader for Examples {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let bytes = std::fs::read(folder().join(path)).map_err(|error| error.to_string())?;
        Ok(Loaded::named(path, bytes))
    }
}

/// All shipped models that can be run and have no components; `edit` may change their text.
pub fn graphs(edit: impl Fn(&str) -> String) -> Vec<(String, Graph)> {
    let entries = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries
        .filter(|p| p.extension().is_some_and(|e| e == "dam"))
        .collect();
    paths.sort();
    let mut graphs = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let main = Loaded {
            key: name.clone(),
            name: name.clone(),
            bytes: edit(&std::fs::read_to_string(&path).unwrap()).into_bytes(),
        };
        // A library without a model, and one that is refused before it runs.
        if let Some(model) = read_actors(main, &mut Examples).model
            && model.graph.components().is_empty()
            && model.graph.horizon().is_some()
        {
            graphs.push((name, model.graph));
        }
    }
    assert!(graphs.len() > 20, "{} models", graphs.len());
    graphs
}

/// A model from its text.
pub fn read(text: &str) -> Graph {
    let main = Loaded::named("test", text);
    let reading = read_actors(main, &mut Examples);
    let findings = format!("{:?}", reading.diagnostics);
    reading.model.unwrap_or_else(|| panic!("{findings}")).graph
}

/// A model from its text; nothing if all that is wrong is among these.
pub fn try_read(text: &str, codes: &str) -> Option<Graph> {
    let reading = read_actors(Loaded::named("test", text), &mut Examples);
    let mut errors = reading.diagnostics.iter().filter(|d| d.is_error());
    let is_other = errors.any(|d| !codes.contains(d.code().id()));
    assert!(!is_other, "{:?}\n{text}", reading.diagnostics);
    reading.model.map(|model| model.graph)
}

/// A shipped model by its name.
pub fn graph(name: &str) -> Graph {
    let all = graphs(str::to_owned);
    all.into_iter().find(|(n, _)| n == name).unwrap().1
}

/// What a driver saw.
#[derive(Debug, Default)]
pub struct Outcome {
    pub transitions: Vec<Transition>,
    pub outputs: Vec<f64>,
    pub modes: Vec<usize>,
    pub stop: Option<StopReason>,
    pub time: f64,
    pub instants: usize,
}

/// Executes the microsteps of an instant; the states after it.
pub fn finish_instant(
    session: &mut Session<'_>,
    u: &[f64],
    outcome: &mut Outcome,
) -> Result<Vec<f64>, TickError> {
    outcome.instants += 1;
    loop {
        let step = session.microstep(u)?;
        outcome.time = session.time();
        outcome.transitions.extend(step.transitions);
        outcome.stop = step.stop;
        if !step.is_unfinished {
            let mut x = vec![0.0; session.dimension()];
            session.states(&mut x);
            return Ok(x);
        }
    }
}

/// Runs a session from outside to `until`, as an importer of FMI's model exchange does.
pub fn drive(session: &mut Session<'_>, until: f64, u: &[f64]) -> Result<Outcome, Fault> {
    let mut outcome = Outcome::default();
    let mut stand = Stand::start(session, 0.0)?;
    stand.enter(session, u)?;
    let mut note = |_: &Stand, happening: Happening| outcome.transitions.extend(happening.transitions);
    outcome.stop = stand.finish(session, Cause::Start, u, &mut note)?;
    if outcome.stop.is_none() {
        outcome.stop = Driver::stepping_itself()
            .run(session, &mut stand, (until, u), &mut note)?
            .stop;
    }
    outcome.time = stand.t;
    outcome.outputs = vec![0.0; session.shape().outputs];
    session.outputs(stand.at(u), &mut outcome.outputs);
    outcome.modes = session.modes();
    Ok(outcome)
}

/// How far [`advance`] came.
#[derive(Debug)]
pub struct Advanced {
    pub time: f64,
    pub event_is_due: bool,
    pub transitions: Vec<Transition>,
    pub stop: Option<StopReason>,
}

/// Lets time pass with the session's own solver: through all events, or to the first.
pub fn advance(
    session: &mut Session<'_>,
    until: f64,
    u: &[f64],
    stop_before_event: bool,
) -> Result<Advanced, Fault> {
    let mut stand = session.stand();
    let mut transitions = Vec::new();
    let mut note = |_: &Stand, happening: Happening| transitions.extend(happening.transitions);
    let (mut driver, to) = (Driver::default(), (until, u));
    let passed = if stop_before_event {
        driver.pass(session, &mut stand, to, &mut note)?
    } else {
        driver.run(session, &mut stand, to, &mut note)?
    };
    Ok(Advanced {
        time: passed.t,
        event_is_due: passed.event.is_some(),
        transitions,
        stop: passed.stop,
    })
}
