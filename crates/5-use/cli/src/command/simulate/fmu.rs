//! Runs of FMUs.

use super::choices::{inputs_by_name, parameters_by_name};
use super::destination::Destination;
use super::{check_sample_count, check_sample_time, keep, note_dense, time};
use crate::arguments::{Interface, Simulate};
use crate::command::progress::ProgressLine;
use crate::outcome::Failure;
use crate::output::check_output;
use crate::signals::InWork;
use dyverse::TickOptions;
use dyverse::fmu_import::{self, Fmu, ImportError, recorded};
use dyverse::time::Trace;
use std::rc::Rc;

/// Opens and runs an FMU.
pub(super) fn run(options: &Simulate, destination: Option<&Destination>) -> Result<Trace, Failure> {
    check_options(options)?;
    let line = ProgressLine::new();
    let keep = keep(options)?;
    let refused = |error: ImportError| {
        let failure = Failure::call(format!("{}: {}", options.file.display(), error.message));
        match error.help {
            Some(help) => failure.with_help(help),
            None => failure,
        }
    };
    let interface = options.interface.map(|interface| match interface {
        Interface::ModelExchange => fmu_import::Interface::ModelExchange,
        Interface::CoSimulation => fmu_import::Interface::CoSimulation,
    });
    let description = fmu_import::describe(&options.file).map_err(refused)?;
    let settable: Vec<&str> = description.settable().map(|v| v.name.as_str()).collect();
    let driven: Vec<&str> = description.inputs().map(|v| v.name.as_str()).collect();
    let run_options = TickOptions {
        until: options.until,
        parameters: parameters_by_name(&settable, &options.set)?,
        inputs: inputs_by_name(&driven, &options.input)?,
        sample_every: options.sample_every,
        keep_pieces: options.dense,
        keep,
        watch: Some(line.limit(time(options, destination)?)),
        event_limit: options.max_events,
        keep_refused: true,
        ..TickOptions::default()
    };
    let horizon = options.until.or(description.stop_time).unwrap_or(f64::NAN);
    if let Some(every) = options.sample_every {
        check_sample_time(every)?;
        check_sample_count(every, horizon, recorded(&description).len(), keep)?;
    }
    note_dense(options, destination);
    let fmu = Rc::new(Fmu::open(&options.file, interface).map_err(refused)?);
    check_output(options.output.as_deref())?;
    let in_work = InWork::begin();
    let trace = fmu_import::simulate(&fmu, &run_options, options.step, &mut |t| line.tell(t, horizon));
    drop(in_work);
    line.clear();
    trace.map_err(refused)
}

/// Refuses what only models have.
fn check_options(options: &Simulate) -> Result<(), Failure> {
    if options.continued.is_some() {
        return Err(
            wrong!("--continue is for rigid-body models (.drbt): a run of an FMU cannot go on from a trace";
            help "run it from the start, with a later --until"),
        );
    }
    if options.show_nodes {
        return Err(Failure::call(
            "--show-nodes is for rigid-body models (.drbt): an FMU has no computation nodes",
        ));
    }
    Ok(())
}

/// Refuses, for models, what only FMUs have.
pub(super) fn refuse_options(options: &Simulate) -> Result<(), Failure> {
    let given = [
        ("--interface", options.interface.is_some()),
        ("--step", options.step.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(wrong!(
            "{name} is for FMUs (.fmu), and {} is a model",
            options.file.display()
        )),
        None => Ok(()),
    }
}
