//! `--continue`: a run that goes on from another's trace.

use crate::files::read_bytes;
use crate::outcome::Failure;
use dyverse::export::read_trace_json;
use dyverse::model::Model;
use dyverse::{RunOptions, Start};
use std::path::Path;

/// Sets the start, and the parameters of the trace where the call has no others.
pub(super) fn go_on(
    model: &Model,
    path: &Path,
    event: Option<usize>,
    options: &mut RunOptions,
) -> Result<(), Failure> {
    let bytes = read_bytes(path)?;
    let wrong = |what: String| Failure::call(format!("{}: {what}", path.display()));
    let trace = read_trace_json(&bytes).map_err(|error| {
        wrong(error.to_string())
            .with_help("--continue takes a trace: dyverse simulate FILE --output run.json")
    })?;
    if trace.system != model.name() {
        say!(
            "note: {} is a run of `{}`, this model is `{}`",
            path.display(),
            trace.system,
            model.name()
        );
    }
    let start = match event {
        Some(number) => Start::after_transition(&trace, number),
        None => Start::at_end(&trace),
    };
    let start = start.map_err(|error| wrong(error.to_string()))?;
    for (name, value) in &trace.parameters {
        let is_chosen = options.parameters.iter().any(|(n, _)| n == name);
        if !is_chosen && model.parameter(name).is_some() {
            options.parameters.push((name.clone(), *value));
        }
    }
    options.start = Some(start);
    Ok(())
}
