//! `dyverse simulate`: a run of a model.

mod actors;
pub(crate) mod choices;
mod continued;
mod destination;
mod fmu;

use crate::CommandResult;
use crate::arguments::{Format, Simulate};
use crate::command::progress::{ProgressLine, RunTime};
use crate::files::{ModelFile, is_actor_model, is_fmu, read_model, source_text};
use crate::outcome::{Failure, Outcome, say};
use crate::output::{check_output, was_read, write_beside};
use crate::signals;
use choices::{Chosen, inputs, note_ranges, parameters};
use destination::{Destination, TraceFormat};
use dyverse::export::{impact_gain_text, trace_summary, write_trace_report};
use dyverse::pages::{Page, bodies_page};
use dyverse::time::{Keep, StopReason, Trace, Transition, shown_number};
use dyverse::{RunError, RunOptions, simulate};

/// Pairs whose impacts are spoken of at the most.
const MOST_GAINS: usize = 20;

pub(crate) fn run(options: &Simulate) -> CommandResult {
    let (trace, outcome, written) = traced(options, None)?;
    write_beside(options.output.as_deref(), |out| match options.format {
        Format::Text => out.write_all(trace_summary(&trace).as_bytes()),
        Format::Json => write_trace_report(out, &trace),
    })?;
    written?;
    Ok(outcome)
}

/// A run, what it comes to, and whether its file could be written: if not, what is said about it is not lost too.
type Traced = (Trace, Outcome, Result<(), Failure>);

/// Runs what the call says, and writes what it asks for. `usual` is how long, if neither the call nor the model says: of a run that is to be looked at.
pub(crate) fn traced(options: &Simulate, usual: Option<f64>) -> Result<Traced, Failure> {
    // Whatever is wrong with the call is said before a long run, not after it.
    let begun = ProgressLine::new();
    was_read(&options.file);
    let destination = destination(options, usual.is_some())?;
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
    let written = match (destination, &page) {
        (Some(destination), Some(page)) => destination.write_page(page),
        (Some(destination), None) => destination.write(&trace),
        (None, _) => Ok(()),
    };
    say_late(options, begun.seconds());
    say_gains(&trace);
    let outcome = ended(&trace);
    Ok((trace, outcome, written))
}

fn bodies(
    options: &Simulate,
    destination: Option<&Destination>,
    usual: Option<f64>,
) -> Result<(Option<Page>, Trace), Failure> {
    let line = ProgressLine::new();
    let file = read_model(&options.file, options.format == Format::Json)?;
    let mut run_options = run_options(&file, options)?;
    run_options.keep = keep(options)?;
    run_options.watch = Some(line.watch(time(options, destination)?));
    run_options.until = until(options.until, file.model.horizon(), usual);
    if let Some(path) = &options.continued {
        continued::go_on(&file.model, path, options.from_event, &mut run_options)?;
    }
    check_sampling(&file, &run_options)?;
    note_dense(options, destination);
    let chosen = Chosen {
        parameters: &run_options.parameters,
        inputs: &run_options.inputs,
    };
    note_ranges(&file.model, chosen);
    // Imports and tables are known by now.
    check_output(options.output.as_deref())?;
    let in_work = signals::InWork::begin();
    let run = if destination.is_some_and(Destination::is_page) {
        let source = source_text(&options.file)?;
        bodies_page(&file.model, source, &run_options).map(|(page, trace)| (Some(page), trace))
    } else {
        simulate(&file.model, &run_options).map(|trace| (None, trace))
    };
    drop(in_work);
    line.clear();
    run.map_err(refused)
}

fn destination(options: &Simulate, is_viewed: bool) -> Result<Option<Destination>, Failure> {
    let path = options.output.as_deref();
    // A pipe or a device has no ending to tell the format.
    let streamed = match options.format {
        _ if is_viewed => TraceFormat::Html,
        Format::Json => TraceFormat::Json,
        Format::Text => TraceFormat::Csv,
    };
    path.map(|path| Destination::new(path, streamed)?.with_panels(&options.plot))
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
        say!("note: the model does not say how long to run: {t} s are shown, --until T shows more");
    }
    usual
}

fn run_options(file: &ModelFile, options: &Simulate) -> Result<RunOptions, Failure> {
    let states = dyverse::check::Checkable::Bodies(&file.model).initial_values();
    let set = parameters(file.model.parameters(), &states, &options.set)?;
    let (initial, parameters) = set.into_iter().partition(|(name, _)| states.contains(name));
    Ok(RunOptions {
        until: options.until,
        parameters,
        initial,
        inputs: inputs(file.model.inputs(), &options.input)?,
        sample_every: options.sample_every,
        keep_pieces: options.dense,
        show_nodes: options.show_nodes,
        event_limit: options.max_events,
        max_step: options.max_step,
        contacts: options.contacts.into(),
        contact_step: options.contact_step,
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
    check_sample_count(every, horizon, signals, options.keep)
}

/// The time there is, for the run and what is written of it.
fn time(options: &Simulate, destination: Option<&Destination>) -> Result<RunTime, Failure> {
    let limit = match options.timeout {
        None => f64::INFINITY,
        Some(seconds) if seconds > 0.0 => seconds,
        Some(seconds) => {
            return Err(wrong!("--timeout must be a number above 0, not {seconds}"));
        }
    };
    let writing = destination.map_or(0.0, Destination::seconds_per_byte);
    Ok(RunTime { limit, writing })
}

/// What is kept: no more than what is shown or written.
fn keep(options: &Simulate) -> Result<Keep, Failure> {
    let size = options.max_memory;
    if !(size > 0.0 && size.is_finite()) {
        return Err(wrong!("--max-memory must be a number of GB above 0, not {size}"));
    }
    let is_written = options.output.is_some();
    Ok(Keep {
        samples: is_written,
        transitions: is_written || options.format == Format::Json,
        bytes: (size * 1e9) as usize,
    })
}

fn check_sample_time(every: f64) -> Result<(), Failure> {
    if !(every > 0.0 && every.is_finite()) {
        return Err(wrong!("--sample-every must be a number above 0, not {every:?}"));
    }
    Ok(())
}

fn check_sample_count(every: f64, horizon: f64, signals: usize, keep: Keep) -> Result<(), Failure> {
    let samples = horizon / every;
    let bytes = samples * (size_of::<f64>() * signals) as f64;
    if keep.samples && bytes > keep.bytes as f64 {
        let message = format!(
            "--sample-every {every:?} makes {samples:.0} samples of {signals} signals: more than fit"
        );
        return Err(Failure::call(message)
            .with_help("--max-memory GB allows more; --dense keeps all of the motion in little space (--output FILE.json)"));
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

/// Says where writing took longer than the time there is: what was run is not thrown away for it.
fn say_late(options: &Simulate, seconds: f64) {
    let Some(limit) = options.timeout.filter(|limit| seconds > 1.1 * limit + 1.0) else {
        return;
    };
    say!("note: with what is written it took {seconds:.1} s, more than the {limit} s of --timeout");
    say("  = help: a longer --sample-every and no --dense write less");
}

/// Warns of impacts that added energy, and says where that was kept out: once a pair.
fn say_gains(trace: &Trace) {
    for gain in trace.impact_gains.iter().take(MOST_GAINS) {
        let text = impact_gain_text(gain);
        if gain.is_capped() {
            say!("note: the impact law {text}");
            say("  = help: `uncapped` after the impact policy gives the law as it stands");
        } else {
            say!("warning: the impact law {text}");
            say("  = help: without `uncapped` after the impact policy no impact adds energy");
        }
    }
    let more = trace.impact_gains.len().saturating_sub(MOST_GAINS);
    if more > 0 {
        say!("  … and {more} more pairs");
    }
}

/// How the command ends; a run that did not reach its horizon says why.
fn ended(trace: &Trace) -> Outcome {
    let stop = &trace.stop;
    if let Some(outcome) = signals::outcome() {
        let t = shown_number(stop.time.t());
        if stop.reason == StopReason::Interrupted {
            say!("interrupted at t = {t} s: this is the run so far");
        } else {
            // It came when the run was over and its page was being made.
            say!(
                "interrupted after the run, which ended at t = {t} s: {}",
                stop.reason
            );
        }
        return outcome;
    }
    if stop.reason.is_complete() {
        return Outcome::Done;
    }
    if let StopReason::ModelError { detail } = &stop.reason {
        // A wrong model, as one that is refused before it runs.
        say!("error: {detail}");
        say("  = note: this is the run until then; what is written of it is marked `model_error`");
        return Outcome::Wrong;
    }
    say!("stopped before the horizon: {}", stop.reason);
    say!(
        "  = when: t = {} s, microstep {}",
        shown_number(stop.time.t()),
        stop.time.n()
    );
    let is_edge = |t: &&Transition| !(t.from.is_empty() && t.to.is_empty());
    if let Some(last) = trace.transitions.iter().rfind(is_edge) {
        say!(
            "  = last transition: {} {} → {}",
            last.kind.word(),
            last.from,
            last.to
        );
    }
    if let Some(help) = help(stop.reason.word()) {
        say!("  = help: {help}");
    }
    Outcome::StoppedEarly
}

fn help(reason: &str) -> Option<&'static str> {
    match reason {
        "event_limit" => Some("--max-events N allows more, --until T asks for less"),
        "timeout" => Some("--timeout S allows more, --until T asks for less"),
        "memory_limit" => {
            Some("--max-memory GB allows more; a longer --sample-every, no --dense and no --output need less")
        }
        "sliding" => Some(
            "give the switches a hysteresis: `when x < -1e-6` one way, `when x > 1e-6` back, or a `tolerance`; or hold the surface in a mode of its own",
        ),
        "chattering" => Some(
            "look for a loop through `post`, or for collisions that never end; a mode of its own can end them",
        ),
        "zeno_suspected" => {
            Some("below some threshold another mode is needed, in which the events no longer happen")
        }
        "switching" => Some(
            "give the switch some width, for example tanh(x / 0.001) for sign(x), or let each side push away from where it turns",
        ),
        "not_finite" | "step_too_small" => Some(
            "look for what grows without bound, divides by zero or has no value there, such as the root of a negative number",
        ),
        _ => None,
    }
}
