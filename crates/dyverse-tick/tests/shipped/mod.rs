//! The shipped actor models without components, and a driver that integrates one from outside, as an importer of FMI's model exchange does.
#![allow(dead_code, missing_docs, unreachable_pub)]
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use dyverse_actors::Graph;
use dyverse_flow::{FlowOptions, Integrator};
use dyverse_lang::{Loaded, Loader, read_actors};
use dyverse_tick::{Session, TickError};
use dyverse_time::{StopReason, Transition};
use std::path::PathBuf;

pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/actors")
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
        outcome.time = step.time.t();
        outcome.transitions.extend(step.transitions);
        outcome.stop = step.stop;
        if !step.is_more {
            let mut x = vec![0.0; session.dimension()];
            session.states(&mut x);
            return Ok(x);
        }
    }
}

/// Points of a step at which indicators are looked at.
const LOOKS: usize = 64;

/// Runs a session from outside to `until`: its own integrator, bisection on the signs of the indicators, instants where they or the next time say so.
pub fn drive(session: &mut Session<'_>, until: f64, u: &[f64]) -> Result<Outcome, TickError> {
    let mut outcome = Outcome::default();
    let mut x = vec![0.0; session.dimension()];
    session.begin_instant(0.0, &x, u)?;
    x = finish_instant(session, u, &mut outcome)?;
    let mut t = 0.0;
    let mut z = vec![0.0; session.indicator_count()];
    while t < until && outcome.stop.is_none() {
        let due = session.next_time().unwrap_or(f64::INFINITY);
        session.indicators(t, &x, u, &mut z).unwrap();
        assert!(
            z.iter().all(|z| *z > 0.0),
            "at its event right after one, t = {t}: {z:?}"
        );
        let mut flow = Integrator::new(FlowOptions {
            max_step: until / 50.0,
            ..FlowOptions::default()
        });
        flow.start(t, &x);
        let mut event = None;
        while event.is_none() && flow.t() < due.min(until) {
            flow.step(due.min(until), &mut |t, x, dx| session.derivative(t, x, u, dx))
                .unwrap();
            event = first_event(session, &flow, u);
            if let Some(at) = event {
                flow.truncate(at);
            }
        }
        t = flow.t();
        x = flow.x().to_vec();
        outcome.time = t;
        if event.is_some() || t >= due {
            session.begin_instant(t, &x, u)?;
            x = finish_instant(session, u, &mut outcome)?;
        }
    }
    let mut is_present = vec![false; session.output_names().len()];
    outcome.outputs = vec![0.0; is_present.len()];
    if outcome.stop.is_none() {
        session
            .outputs(t, &x, u, &mut outcome.outputs, &mut is_present)
            .unwrap();
    }
    outcome.modes = session.modes();
    Ok(outcome)
}

/// The first moment of the last step at which an indicator is not positive any more, to a rounding of time.
fn first_event(session: &mut Session<'_>, flow: &Integrator, u: &[f64]) -> Option<f64> {
    let step = flow.last_step();
    let (mut x, mut z) = (vec![0.0; step.dimension()], vec![0.0; session.indicator_count()]);
    let mut is_crossed = |t: f64| {
        step.evaluate(t, &mut x);
        session.indicators(t, &x, u, &mut z).unwrap();
        z.iter().any(|z| *z <= 0.0)
    };
    let (a, b) = (step.t0(), step.t1());
    let points = (1..=LOOKS).map(|k| {
        if k == LOOKS {
            b
        } else {
            a + (b - a) * k as f64 / LOOKS as f64
        }
    });
    let mut before = a;
    for point in points {
        if is_crossed(point) {
            let (mut low, mut high) = (before, point);
            loop {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    return Some(high);
                }
                if is_crossed(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
        }
        before = point;
    }
    None
}
