//! Pages of traces that someone kept: with the model, shapes and gaps come from it; without, bodies are recognised by the names of their signals.

use super::SourceText;
use super::beginning::Beginning;
use super::bodies::{bare_run, page};
use super::recorded::{one_machine, plain_place, recorded};
use dyverse_model::{Model, StateComponent};
use dyverse_simulate::{RunError, RunOptions};
use dyverse_trace::Trace;
use dyverse_view::{Blobs, Body, Document, Page, PageKind, SignalKind};
use std::fmt;

/// The components of a body's placement.
const PLACEMENT: [&str; 7] = ["x", "y", "z", "qw", "qx", "qy", "qz"];

/// Why a trace is no run of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum OtherModel {
    /// Its signals are not those of the model's bodies: the first that differs, as the trace has it and as the model does.
    Signal(Option<String>, Option<String>),
    /// Its parameters are not the model's.
    Run(RunError),
}

impl fmt::Display for OtherModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |name: &Option<String>| name.as_ref().map_or("no more".into(), |n| format!("`{n}`"));
        match self {
            OtherModel::Signal(trace, model) => write!(
                f,
                "where the model has {}, the trace has {}",
                named(model),
                named(trace)
            ),
            OtherModel::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OtherModel {}

/// The page of a trace of a model: its shapes, gaps and automaton with the trace's motion.
///
/// # Errors
/// [`OtherModel`] if the trace does not belong to the model.
pub fn bodies_trace_page(
    model: &Model,
    source: Option<SourceText>,
    trace: &Trace,
) -> Result<Page, OtherModel> {
    check_signals(model, trace)?;
    let (mut blobs, mut notes) = (Blobs::new(), Vec::new());
    let options = RunOptions {
        parameters: trace.parameters.clone(),
        ..RunOptions::default()
    };
    let beginning = Beginning::of(trace, &[], &mut notes);
    let shown = beginning.as_ref().map_or(trace, |beginning| &beginning.trace);
    let run = bare_run(model, &options, shown, &[], "trace", &mut blobs, &mut notes);
    let mut run = run.map_err(OtherModel::Run)?;
    if let Some(beginning) = &beginning {
        beginning.end(&mut run);
    }
    notes.push("Forces of closed contacts and energies along the run are not in a trace: `dyverse view` of the model shows them.".into());
    Ok(page(model, source, vec![run], blobs, notes))
}

fn check_signals(model: &Model, trace: &Trace) -> Result<(), OtherModel> {
    let free = model.entities().iter().filter(|e| !e.is_fixed);
    let mut expected =
        free.flat_map(|e| StateComponent::ALL.map(|component| format!("{}.{}", e.name, component.name())));
    let mut found = trace.signals.iter().map(|s| s.name.clone());
    loop {
        match (found.next(), expected.next()) {
            (None, None) => return Ok(()),
            (a, b) if a == b => {}
            (a, b) => return Err(OtherModel::Signal(a, b)),
        }
    }
}

/// The page of a trace alone.
pub fn trace_page(trace: &Trace) -> Page {
    let mut blobs = Blobs::new();
    let bodies = bodies(trace);
    let kind = if bodies.is_empty() {
        SignalKind::Signal
    } else {
        SignalKind::State
    };
    let mut notes = Vec::new();
    let beginning = Beginning::of(trace, &[], &mut notes);
    let trace = beginning.as_ref().map_or(trace, |beginning| &beginning.trace);
    let mut run = recorded(trace, "trace", kind, &mut blobs);
    if let Some(beginning) = &beginning {
        beginning.end(&mut run);
    }
    if !bodies.is_empty() {
        notes.push(
            "A trace does not say what bodies look like: give its model with --model to see them.".into(),
        );
    }
    run.bodies = bodies;
    if run.transitions.iter().any(|t| !t.from.is_empty()) {
        let names = one_machine(&mut run);
        run.places = names.into_iter().map(plain_place).collect();
    }
    let document = Document {
        system: trace.system.clone(),
        kind: PageKind::Trace,
        runs: vec![run],
        notes,
        ..Document::default()
    };
    Page { document, blobs }
}

/// Signals `name.x`, `name.y` and `name.z` are the place of a body.
fn bodies(trace: &Trace) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    for signal in &trace.signals {
        let Some(name) = signal.name.strip_suffix(".x") else {
            continue;
        };
        let signals: Vec<Option<String>> = PLACEMENT
            .iter()
            .map(|part| format!("{name}.{part}"))
            .map(|name| trace.signal(&name).map(|_| name))
            .collect();
        if signals.iter().take(3).all(Option::is_some) {
            let start = |place: usize, default: f64| {
                let id = signals[place].as_ref().and_then(|name| trace.signal(name));
                let value = id.and_then(|id| trace.samples.first()?.values.get(id.0 as usize).copied());
                value.unwrap_or(default)
            };
            let placement = (0..7)
                .map(|place| start(place, if place == 3 { 1.0 } else { 0.0 }))
                .collect();
            bodies.push(Body {
                name: name.to_owned(),
                fixed: false,
                signals,
                placement,
                surfaces: Vec::new(),
            });
        }
    }
    bodies
}
