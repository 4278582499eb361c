//! `dyverse export`: a model as a block or a file for another tool.

mod c;
mod checkers;
mod fmu;

use crate::CommandResult;
use crate::arguments::{Automaton, AutomatonFormat, Export, Format, Graph, Target};
use crate::files::{is_actor_model, read_actor_model};
use crate::outcome::{Failure, Outcome};
use crate::output::write_output;
use dyverse::diag::{Diagnostic, Origin, SourceMap, codes};
use dyverse::export::{write_modes_dot, write_modes_json};
use serde_json::json;
use std::path::Path;

pub(crate) fn run(options: &Export) -> CommandResult {
    refuse_idle(options)?;
    match options.to {
        Target::Fmu => fmu::run(options),
        Target::C => c::run(options),
        Target::Dreach => checkers::dreach(options),
        Target::Spaceex => checkers::spaceex(options),
        Target::Json => automaton(options, AutomatonFormat::Json),
        Target::Dot => automaton(options, AutomatonFormat::Dot),
    }
}

/// An option that would do nothing is a mistake.
fn refuse_idle(options: &Export) -> Result<(), Failure> {
    let is_checker = matches!(options.to, Target::Dreach | Target::Spaceex);
    let idle = [
        ("--property", options.property.is_some() && !is_checker),
        ("--set", !options.set.is_empty() && !is_checker),
        (
            "--bound",
            !options.bound.is_empty() && options.to != Target::Dreach,
        ),
        ("--nominal", options.nominal && options.to != Target::Spaceex),
        (
            "--library",
            options.library.is_some() && options.to != Target::Fmu,
        ),
    ];
    match idle.iter().find(|(_, is_idle)| *is_idle) {
        None => Ok(()),
        Some((name, _)) => Err(wrong!("{name} does nothing here";
            help "--property and --set are for dreach and spaceex, --bound for dreach, --nominal for spaceex, --library for fmu; parameters of blocks and C programs are set where they run")),
    }
}

/// What `dyverse automaton` writes; of an actor model its modes.
fn automaton(options: &Export, format: AutomatonFormat) -> CommandResult {
    if is_actor_model(&options.file) {
        let model = read_actor_model(&options.file, options.format == Format::Json)?;
        write_output(options.output.as_deref(), |out| match format {
            AutomatonFormat::Dot => write_modes_dot(out, &model.graph),
            _ => write_modes_json(out, &model.graph),
        })?;
        return Ok(Outcome::Done);
    }
    super::automaton::run(&Automaton {
        file: options.file.clone(),
        graph: Graph::Complete,
        prune: false,
        format,
        count: false,
        location: None,
        max_edges: 2_000_000,
        output: options.output.clone(),
    })
}

/// Something that a format cannot hold, with its place in the model if that is known.
fn obstacle(
    options: &Export,
    (what, origin, help): (String, Option<Origin>, Option<String>),
    sources: SourceMap,
) -> Failure {
    let Some(origin) = origin else {
        let failure = Failure::call(what);
        return match help {
            Some(help) => failure.with_help(help),
            None => failure,
        };
    };
    let finding = Diagnostic::error(codes::G004, origin, what).label("in the way");
    let finding = match help {
        Some(help) => finding.help(help),
        None => finding,
    };
    Failure::Model {
        diagnostics: vec![finding],
        sources,
        as_json: options.format == Format::Json,
    }
}

/// Says which files were written.
fn told(options: &Export, what: &str, files: &[&Path]) -> Result<(), Failure> {
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    if options.format == Format::Json {
        let said = json!({ "to": what, "files": names });
        return write_output(None, |out| writeln!(out, "{said:#}"));
    }
    say!("wrote {}", names.join(", "));
    Ok(())
}
