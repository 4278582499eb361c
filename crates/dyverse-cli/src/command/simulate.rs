//! `dyverse simulate`: a run of a model.

mod actors;
pub(crate) mod choices;
mod continued;
mod destination;
mod fmu;

use crate::CommandResult;
use crate::arguments::{Format, Simulate};
use crate::command::progress::ProgressLine;
use crate::files::{ModelFile, is_actor_model, is_fmu, read_model, source_text, write_output};
use crate::outcome::{Failure, Outcome, say};
use choices::{Chosen, inputs, note_ranges, parameters};
use destination::{Destination, TraceFormat};
use dyverse::export::{trace_summary, write_trace_report};
use dyverse::pages::{Page, bodies_page};
use dyverse::time::{Trace, Transition};
use dyverse::{RunError, RunOptions, simulate};

/// Numbers in all samples of a run at the most: 2 GB.
const MOST_SAMPLED: f64 = 2.5e8;

pub(crate) fn run(options: &Simulate) -> CommandResult {
    let (trace, outcome) = traced(options, None)?;
    match options.format {
        Format::Text => write_output(None, |out| out.write_all(trace_summary(&trace).as_bytes()))?,
        Format::Json => write_output(None, |out| write_trace_report(out, &trace))?,
    }
    Ok(outcome)
}

/// Runs what the call says, and writes what it asks for. `usual` is how long, if neither the call nor the model says.
pub(crate) fn traced(options: &Simulate, usual: Option<f64>) -> Result<(Trace, Outcome), Failure> {
    // Whatever is wrong with the call is said before a long run, not after it.
    let destination = destination(options)?;
    let destination = destination.as_ref();
    let (page, trace) = if is_fmu(&options.file) {
        (None, fmu::run(options, destination)?)
    } else {
        fmu::refuse_options(options)?;
        if is_actor_model(&options.file) {
            actors::run(options, destination, usual)?
        } else {
            bodies(options, destination, usual)?
        }
    };
    match (destination, &page) {
        (Some(destination), Some(page)) => destination.write_page(page)?,
        (Some(destination), None) => destination.write(&trace)?,
        (None, _) => {}
    }
    let outcome = ended(&trace);
    Ok((trace, outcome))
}

fn bodies(
    options: &Simulate,
    destination: Option<&Destination>,
    usual: Option<f64>,
) -> Result<(Option<Page>, Trace), Failure> {
    let file = read_model(&options.file, options.format == Format::Json)?;
    let mut run_options = run_options(&file, options)?;
    run_options.until = until(options.until, file.model.horizon(), usual);
    if let Some(path) = &options.continued {
        continued::go_on(&file.model, path, options.from_event, &mut run_options)?;
    }
    let line = ProgressLine::new();
    run_options.watch = line.watch();
    check_sampling(&file, &run_options)?;
    note_dense(options, destination);
    let chosen = Chosen {
        parameters: &run_options.parameters,
        inputs: &run_options.inputs,
    };
    note_ranges(&file.model, chosen);
    let run = if destination.is_some_and(Destination::is_page) {
        let source = source_text(&options.file)?;
        bodies_page(&file.model, source, &run_options).map(|(page, trace)| (Some(page), trace))
    } else {
        simulate(&file.model, &run_options).map(|trace| (None, trace))
    };
    line.clear();
    run.map_err(refused)
}

fn destination(options: &Simulate) -> Result<Option<Destination>, Failure> {
    let path = options.output.as_deref();
    path.map(|path| Destination::new(path)?.with_panels(&options.plot))
        .transpose()
}

/// Says where polynomials would not be written.
fn note_dense(options: &Simulate, destination: Option<&Destination>) {
    if options.dense && destination.is_none_or(|d| d.format() != TraceFormat::Json) {
        say("note: --dense is only seen in an --output FILE.json");
    }
}

/// How long to run, if the model does not say.
fn until(chosen: Option<f64>, horizon: Option<f64>, usual: Option<f64>) -> Option<f64> {
    if chosen.is_some() || horizon.is_some() {
        return chosen;
    }
    if let Some(t) = usual {
        say(&format!(
            "note: the model does not say how long to run: {t} s are shown, --until T shows more"
        ));
    }
    usual
}

fn run_options(file: &ModelFile, options: &Simulate) -> Result<RunOptions, Failure> {
    let overwritten = options.output.as_deref();
    let states = dyverse::check::Checkable::Bodies(&file.model).initial_values();
    let set = parameters(file.model.parameters(), &states, &options.set)?;
    let (initial, parameters) = set.into_iter().partition(|(name, _)| states.contains(name));
    Ok(RunOptions {
        until: options.until,
        parameters,
        initial,
        inputs: inputs(file.model.inputs(), &options.input, overwritten)?,
        sample_every: options.sample_every,
        keep_pieces: options.dense,
        show_nodes: options.show_nodes,
        event_limit: options.max_events,
        max_step: options.max_step,
        ..RunOptions::default()
    })
}

/// Refuses a time between samples that is none, or so short that the samples fill the memory.
fn check_sampling(file: &ModelFile, options: &RunOptions) -> Result<(), Failure> {
    let Some(every) = options.sample_every else {
        return Ok(());
    };
    check_sample_time(every)?;
    let horizon = options.until.or(file.model.horizon()).unwrap_or(0.0);
    let signals = 13 * file.model.entities().iter().filter(|e| !e.is_fixed).count();
    check_sample_count(every, horizon, signals)
}

fn check_sample_time(every: f64) -> Result<(), Failure> {
    if !(every > 0.0 && every.is_finite()) {
        return Err(Failure::call(format!(
            "--sample-every must be a number above 0, not {every:?}"
        )));
    }
    Ok(())
}

fn check_sample_count(every: f64, horizon: f64, signals: usize) -> Result<(), Failure> {
    let samples = horizon / every;
    if samples * signals as f64 > MOST_SAMPLED {
        let message = format!(
            "--sample-every {every:?} makes {samples:.0} samples of {signals} signals: more than fit"
        );
        return Err(Failure::call(message)
            .with_help("--dense keeps all of the motion in little space (--output FILE.json)"));
    }
    Ok(())
}

fn refused(error: RunError) -> Failure {
    match error {
        RunError::NoHorizon => Failure::call("the model does not say how long to run")
            .with_help("give --until 10, or write `horizon 10` in the model"),
        RunError::BadHorizon(t) => Failure::call(format!("--until must be a number above 0, not {t}")),
        other => Failure::call(other.to_string()),
    }
}

/// How the command ends; a run that did not reach its horizon says why.
fn ended(trace: &Trace) -> Outcome {
    let stop = &trace.stop;
    if stop.reason.is_complete() {
        return Outcome::Done;
    }
    say(&format!("stopped before the horizon: {}", stop.reason));
    say(&format!(
        "  = when: t = {} s, microstep {}",
        stop.time.t(),
        stop.time.n()
    ));
    let is_edge = |t: &&Transition| !(t.from.is_empty() && t.to.is_empty());
    if let Some(last) = trace.transitions.iter().rfind(is_edge) {
        say(&format!(
            "  = last transition: {} {} → {}",
            last.kind.word(),
            last.from,
            last.to
        ));
    }
    if let Some(help) = help(stop.reason.word()) {
        say(&format!("  = help: {help}"));
    }
    Outcome::StoppedEarly
}

fn help(reason: &str) -> Option<&'static str> {
    match reason {
        "event_limit" => Some("--max-events N allows more, --until T asks for less"),
        "chattering" => Some(
            "look for a loop through `post`, or for collisions that never end; a mode of its own can end them",
        ),
        "zeno_suspected" => {
            Some("below some threshold another mode is needed, in which the events no longer happen")
        }
        "switching" => Some(
            "give the switch some width, for example tanh(x / 0.001) for sign(x), or let each side push away from where it turns",
        ),
        "not_finite" | "step_too_small" => {
            Some("look for a force that grows without bound or divides by zero")
        }
        _ => None,
    }
}
