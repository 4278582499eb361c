//! `dyverse view`: a page of a run, or of a trace that was kept.

use super::simulate::traced;
use crate::CommandResult;
use crate::arguments::{Contacts, Format, Simulate, View};
use crate::files::{is_actor_model, read_model, read_trace, source_text};
use crate::outcome::{Failure, Outcome};
use crate::output::{is_stdout, is_stream, write_output};
use dyverse::pages::{Page, bodies_trace_page, trace_page, write_page};
use serde_json::json;
use std::path::{Path, PathBuf};

/// How long a model is run that does not say, s.
const USUAL: f64 = 1.0;

pub(crate) fn run(options: &View) -> CommandResult {
    let output = output(options)?;
    let outcome = if is_trace(&options.file) {
        refuse_run_options(options)?;
        let page = page_of_trace(options)?;
        write_output(Some(&output), |out| write_page(out, &page))?;
        Outcome::Done
    } else {
        if options.model.is_some() {
            return Err(Failure::call("--model goes with a trace; this is a model")
                .with_help("dyverse view run.json --model game.drbt"));
        }
        let (_, outcome, written) = traced(&simulation(options, &output), Some(USUAL))?;
        written?;
        outcome
    };
    tell(options, &output)?;
    Ok(outcome)
}

/// Whether a file holds a trace, by the ending of its name.
fn is_trace(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    matches!(ending.as_deref(), Some("json" | "csv" | "parquet"))
}

fn output(options: &View) -> Result<PathBuf, Failure> {
    let Some(path) = &options.output else {
        let stem = options
            .file
            .file_stem()
            .filter(|_| options.file != Path::new("-"));
        return match stem {
            Some(stem) => Ok(Path::new(stem).with_extension("html")),
            None => Err(Failure::call("standard input has no name").with_help("give --output run.html")),
        };
    };
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    // A pipe or a device has no ending.
    if matches!(ending.as_deref(), Some("html" | "htm")) || (ending.is_none() && is_stream(path)) {
        return Ok(path.clone());
    }
    Err(Failure::call(format!("{} does not end in .html", path.display()))
        .with_help("`dyverse simulate --output` writes other formats"))
}

/// The same call of `simulate`.
fn simulation(options: &View, output: &Path) -> Simulate {
    Simulate {
        file: options.file.clone(),
        until: options.until,
        set: options.set.clone(),
        input: options.input.clone(),
        output: Some(output.to_owned()),
        plot: Vec::new(),
        sample_every: options.sample_every,
        dense: false,
        continued: None,
        from_event: None,
        show_nodes: false,
        no_zeno: false,
        max_events: options.max_events,
        timeout: options.timeout,
        max_memory: options.max_memory,
        max_step: None,
        contacts: Contacts::Auto,
        contact_step: None,
        interface: None,
        step: None,
        format: options.format,
    }
}

fn refuse_run_options(options: &View) -> Result<(), Failure> {
    let given = [
        ("--until", options.until.is_some()),
        ("--set", !options.set.is_empty()),
        ("--input", !options.input.is_empty()),
        ("--sample-every", options.sample_every.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(wrong!("{name} is for models; a trace is shown as it is")),
        None => Ok(()),
    }
}

fn page_of_trace(options: &View) -> Result<Page, Failure> {
    let trace = read_trace(&options.file)?;
    let Some(path) = &options.model else {
        return Ok(trace_page(&trace));
    };
    if is_actor_model(path) {
        return Err(Failure::call("--model takes a rigid-body model (.drbt)")
            .with_help("a trace of an actor model shows everything it has without it"));
    }
    let file = read_model(path, options.format == Format::Json)?;
    if trace.system != file.model.name() {
        say!(
            "note: {} is a run of `{}`, the model is `{}`",
            options.file.display(),
            trace.system,
            file.model.name()
        );
    }
    let page = bodies_trace_page(&file.model, source_text(path)?, &trace);
    page.map_err(|error| {
        wrong!(
            "{} is no run of {}: {error}",
            options.file.display(),
            path.display()
        )
    })
}

/// Says what was written.
fn tell(options: &View, output: &Path) -> Result<(), Failure> {
    let bytes = std::fs::metadata(output).map_or(0, |m| m.len());
    if is_stdout(Some(output)) {
        return Ok(());
    }
    write_output(None, |out| match options.format {
        Format::Text => writeln!(out, "wrote {} ({:.2} MB)", output.display(), bytes as f64 / 1e6),
        Format::Json => writeln!(
            out,
            "{}",
            json!({ "output": output.display().to_string(), "bytes": bytes })
        ),
    })
}
