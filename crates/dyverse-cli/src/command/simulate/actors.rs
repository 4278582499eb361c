//! Runs of actor models.

use super::choices::{inputs, parameters};
use super::{check_sample_count, check_sample_time};
use crate::arguments::{Format, Simulate};
use crate::files::read_actor_model;
use crate::outcome::Failure;
use dyverse::time::Trace;
use dyverse::{TickError, TickOptions, simulate_actors};

/// Reads and runs an actor model.
pub(super) fn run(options: &Simulate) -> Result<Trace, Failure> {
    let model = read_actor_model(&options.file, options.format == Format::Json)?;
    let graph = &model.graph;
    if let Some(every) = options.sample_every {
        check_sample_time(every)?;
        let horizon = options.until.or(graph.horizon()).unwrap_or(0.0);
        check_sample_count(every, horizon, graph.record().len())?;
    }
    let run_options = TickOptions {
        until: options.until,
        parameters: parameters(graph.parameters(), &options.set)?,
        inputs: inputs(graph.inputs(), &options.input, options.output.as_deref())?,
        sample_every: options.sample_every,
        keep_pieces: options.dense,
        event_limit: options.max_events,
        ..TickOptions::default()
    };
    simulate_actors(&model, &run_options).map_err(refused)
}

fn refused(error: TickError) -> Failure {
    match error {
        TickError::NoHorizon => Failure::call("the model does not say how long to run")
            .with_help("give --until 10, or write `horizon 10` in the model"),
        TickError::BadHorizon(t) => Failure::call(format!("--until must be a number above 0, not {t}")),
        other => Failure::call(other.to_string()),
    }
}
