//! Runs of models written in the tests.
#![allow(dead_code, clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

pub(crate) mod campaign;
pub(crate) mod crowd;
pub(crate) mod damage;
pub(crate) mod dropped;
pub(crate) mod laws;
pub(crate) mod scene;
pub(crate) mod thrown;
pub(crate) mod varied;

use dyverse_model::Model;
use dyverse_replay::{ReplayError, ReplayOptions, replay};
use dyverse_simulate::{RunError, RunOptions};
use dyverse_trace::Trace;

/// Transitions and samples up to which a trace is judged: tests stay short.
const MOST_JUDGED: usize = 2000;

/// A run, and its trace judged by code that shares nothing with it: every test that makes a trace asks whether it is one of the automaton.
pub(crate) fn simulate(model: &Model, options: &RunOptions) -> Result<Trace, RunError> {
    let trace = dyverse_simulate::simulate(model, options)?;
    if let Some(told) = refused(model, options, &trace) {
        panic!("the trace is refused:\n{told}");
    }
    Ok(trace)
}

/// What is wrong with a trace; none if it is accepted, or too long for a test.
pub(crate) fn refused(model: &Model, options: &RunOptions, trace: &Trace) -> Option<String> {
    if trace.transitions.len() + trace.samples.len() > MOST_JUDGED {
        return None;
    }
    let judging = ReplayOptions {
        inputs: options.inputs.clone(),
        ..ReplayOptions::default()
    };
    match replay(model, trace, &judging) {
        Ok(judged) => {
            let told: Vec<String> = judged.wrong.iter().take(4).map(ToString::to_string).collect();
            (!judged.is_accepted()).then(|| told.join("\n"))
        }
        // Not all of it was kept, or it is of more bodies than are judged.
        Err(ReplayError::NotWhole(_) | ReplayError::TooLarge(_)) => None,
        Err(error) => Some(error.to_string()),
    }
}

pub(crate) fn model(text: &str) -> Model {
    let main = dyverse_lang::Loaded::named("test", text);
    let reading = dyverse_lang::read(main, &mut dyverse_lang::NoImports);
    let told = dyverse_diag::render_all(&reading.diagnostics, &reading.sources, Default::default());
    reading.model.unwrap_or_else(|| panic!("{told}"))
}

pub(crate) fn options(until: f64) -> RunOptions {
    RunOptions {
        until: Some(until),
        ..RunOptions::default()
    }
}

pub(crate) fn with(until: f64, parameters: &[(&str, f64)]) -> RunOptions {
    let parameters = parameters
        .iter()
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect();
    RunOptions {
        parameters,
        ..options(until)
    }
}

/// A run that must reach its horizon, with its energy accounted for.
pub(crate) fn run(text: &str, until: f64) -> Trace {
    let trace = simulate(&model(text), &options(until)).unwrap();
    check(&trace);
    trace
}

pub(crate) fn check(trace: &Trace) {
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    assert!(
        imbalance(trace) <= 1e-8,
        "energy is not accounted for: {:?}",
        trace.balance
    );
}

/// Energy that is not accounted for, relative to what there is.
pub(crate) fn imbalance(trace: &Trace) -> f64 {
    let balance = &trace.balance;
    let size =
        balance.kinetic_at_start.abs() + balance.kinetic_at_end.abs() + balance.work_of_loads.abs() + 0.1;
    balance.error().abs() / size
}

pub(crate) fn example(name: &str) -> Model {
    let path = format!("{}/../../../examples/{name}.drbt", env!("CARGO_MANIFEST_DIR"));
    model(&std::fs::read_to_string(path).unwrap())
}

/// Times at which an impact node is entered.
pub(crate) fn impacts(trace: &Trace) -> Vec<f64> {
    use dyverse_trace::TransitionKind::{Impact, Zeno};
    trace
        .transitions
        .iter()
        .filter(|t| matches!(t.kind, Impact | Zeno))
        .map(|t| t.time.t())
        .collect()
}

pub(crate) fn last(trace: &Trace, signal: &str) -> f64 {
    trace.last(signal).unwrap_or_else(|| panic!("no signal {signal}"))
}

pub(crate) fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} is not {expected} (off by {:e})",
        found - expected
    );
}
