//! Runs of actor models.

use super::choices::{Chosen, inputs, note_ranges_of_actors, parameters};
use super::destination::Destination;
use super::{check_sample_count, check_sample_time, keep, note_dense, time, until};
use crate::arguments::{Format, Simulate};
use crate::command::progress::ProgressLine;
use crate::files::{read_actor_model, source_text};
use crate::outcome::Failure;
use crate::output::check_output;
use crate::signals::InWork;
use dyverse::pages::{Page, actors_page};
use dyverse::time::Trace;
use dyverse::{TickError, TickOptions, simulate_actors_with_progress};

/// Reads and runs an actor model.
pub(super) fn run(
    options: &Simulate,
    destination: Option<&Destination>,
    usual: Option<f64>,
) -> Result<(Option<Page>, Trace), Failure> {
    check_options(options)?;
    let line = ProgressLine::new();
    let keep = keep(options)?;
    let model = read_actor_model(&options.file, options.format == Format::Json)?;
    let graph = &model.graph;
    if let Some(every) = options.sample_every {
        check_sample_time(every)?;
        let horizon = options.until.or(graph.horizon()).unwrap_or(0.0);
        check_sample_count(every, horizon, graph.record().len(), keep)?;
    }
    let driven = inputs(graph.inputs(), &options.input)?;
    let set = parameters(graph.parameters(), &[], &options.set)?;
    note_dense(options, destination);
    let chosen = Chosen {
        parameters: &set,
        inputs: &driven,
    };
    note_ranges_of_actors(graph, chosen);
    let run_options = TickOptions {
        until: until(options.until, graph.horizon(), usual),
        parameters: set,
        inputs: driven,
        sample_every: options.sample_every,
        keep_pieces: options.dense,
        keep,
        watch: Some(line.limit(time(options, destination)?)),
        event_limit: options.max_events,
        detect_zeno: !options.no_zeno,
        keep_refused: true,
        ..TickOptions::default()
    };
    let horizon = run_options.until.or(graph.horizon()).unwrap_or(f64::NAN);
    let progress = &mut |t| line.tell(t, horizon);
    // Imports and tables are known by now.
    check_output(options.output.as_deref())?;
    let in_work = InWork::begin();
    let run = if destination.is_some_and(Destination::is_page) {
        let source = source_text(&options.file)?;
        actors_page(&model, source, &run_options, progress).map(|(page, trace)| (Some(page), trace))
    } else {
        simulate_actors_with_progress(&model, &run_options, progress).map(|trace| (None, trace))
    };
    drop(in_work);
    line.clear();
    run.map_err(refused)
}

/// Refuses what only rigid-body models have.
fn check_options(options: &Simulate) -> Result<(), Failure> {
    if options.continued.is_some() {
        return Err(
            wrong!("--continue is for rigid-body models (.drbt): a run of an actor model cannot go on from a trace";
            help "run it from the start, with a later --until"),
        );
    }
    if options.show_nodes {
        return Err(
            wrong!("--show-nodes is for rigid-body models (.drbt): an actor model has no computation nodes";
            help "its events and changes of mode are always in the trace"),
        );
    }
    Ok(())
}

fn refused(error: TickError) -> Failure {
    match error {
        TickError::NoHorizon => Failure::call("the model does not say how long to run")
            .with_help("give --until 10, or write `horizon 10` in the model"),
        TickError::BadHorizon(t) => Failure::call(format!("--until must be a number above 0, not {t}")),
        other => Failure::call(other.to_string()),
    }
}
