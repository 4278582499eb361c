//! `dyverse automaton`: the MRB hybrid automaton of a model.

use crate::CommandResult;
use crate::arguments::{Automaton, AutomatonFormat, Graph};
use crate::files::{ModelFile, read_model, write_png};
use crate::outcome::{Failure, Outcome, say};
use crate::output::{check_output, write_output};
use dyverse::automaton::{AutomatonSize, BigUint, GraphKind};
use dyverse::diag::{Diagnostic, Origin, codes};
use dyverse::export::{
    ExportError, Part, Subject, TextOptions, count_json, count_text, write_dot, write_json, write_svg,
    write_text,
};
use dyverse::{GenerateOptions, Generated, generate};
use std::io::Write;

pub(crate) fn run(options: &Automaton) -> CommandResult {
    let as_json = options.format == AutomatonFormat::Json;
    let file = read_model(&options.file, as_json)?;
    check_output(options.output.as_deref())?;
    let generated = generated(&file, options)?;
    if options.count {
        return count(&file, &generated, options);
    }
    let subject =
        Subject::new(&file.model, &generated.automaton).map_err(|error| Failure::call(error.to_string()))?;
    match (options.format, &options.location) {
        (AutomatonFormat::Text, Some(name)) => {
            let only = part(&generated, name)?;
            let text = TextOptions {
                only: Some(only),
                ..TextOptions::default()
            };
            export(options, |out| write_text(out, subject, &text))
        }
        (_, Some(_)) => Err(Failure::call("--location is for --format text")),
        (AutomatonFormat::Text, None) => {
            refuse_too_big(&file, &generated, options)?;
            export(options, |out| write_text(out, subject, &TextOptions::default()))
        }
        (AutomatonFormat::Json, None) => {
            refuse_too_big(&file, &generated, options)?;
            export(options, |out| write_json(out, subject))
        }
        (AutomatonFormat::Dot, None) => export(options, |out| write_dot(out, subject)),
        (AutomatonFormat::Svg, None) => export(options, |out| write_svg(out, subject)),
        (AutomatonFormat::Png, None) => png(options, subject),
    }
}

fn png(options: &Automaton, subject: Subject<'_>) -> CommandResult {
    let Some(path) = &options.output else {
        return Err(Failure::call("--format png needs a file").with_help("such as --output automaton.png"));
    };
    let mut svg = Vec::new();
    write_svg(&mut svg, subject).map_err(|error| Failure::call(error.to_string()))?;
    write_png(path, &String::from_utf8_lossy(&svg))?;
    Ok(Outcome::Done)
}

fn generated(file: &ModelFile, options: &Automaton) -> Result<Generated, Failure> {
    let graph = match options.graph {
        Graph::Complete => GraphKind::Complete,
        Graph::Subset => GraphKind::Subset,
    };
    let made = generate(
        &file.model,
        &GenerateOptions {
            graph,
            prune: options.prune,
        },
    );
    let generated = made.map_err(|error| refusal(file, codes::G002, error.to_string(), options))?;
    if generated.obstructions.truncated {
        say("note: not all combinations that the geometry rules out were looked for; more could be left out");
    }
    Ok(generated)
}

fn export(
    options: &Automaton,
    write: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
) -> CommandResult {
    let mut refused = None;
    write_output(options.output.as_deref(), |out| match write(out) {
        Ok(()) => Ok(()),
        Err(ExportError::Io(error)) => Err(error),
        Err(other) => {
            refused = Some(other.to_string());
            Err(std::io::ErrorKind::Other.into())
        }
    })
    .map_err(|failure| refused.map_or(failure, Failure::call))?;
    Ok(Outcome::Done)
}

fn part(generated: &Generated, name: &str) -> Result<Part, Failure> {
    Part::named(&generated.automaton, name).ok_or_else(|| {
        wrong!("the automaton has no location or computation node `{name}`";
            help "names are S_0, s_k,i (k from 1 on), I_k, C_k; `--count` says how many there are")
    })
}

fn size(file: &ModelFile, generated: &Generated, options: &Automaton) -> Result<AutomatonSize, Failure> {
    generated
        .automaton
        .size()
        .map_err(|error| refusal(file, codes::G003, error.to_string(), options))
}

fn count(file: &ModelFile, generated: &Generated, options: &Automaton) -> CommandResult {
    let size = size(file, generated, options)?;
    let (name, kind) = (file.model.name(), generated.automaton.graph().kind());
    let text = match options.format {
        AutomatonFormat::Text => count_text(name, kind, &size),
        AutomatonFormat::Json => format!("{:#}\n", count_json(name, kind, &size)),
        AutomatonFormat::Dot | AutomatonFormat::Svg | AutomatonFormat::Png => {
            return Err(wrong!("--count is text or json"; help "leave --count out to draw the automaton"));
        }
    };
    write_output(options.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Done)
}

/// Refuses to write out what nobody can read, with its size and what to do instead.
fn refuse_too_big(file: &ModelFile, generated: &Generated, options: &Automaton) -> Result<(), Failure> {
    let size = size(file, generated, options)?;
    let edges = size.all_edges();
    if edges <= BigUint::from(options.max_edges) {
        return Ok(());
    }
    let message = format!(
        "this automaton has {} dynamical locations and {} edges; {} edges are written at the most",
        shown(size.dynamical_locations()),
        shown(&edges),
        options.max_edges
    );
    Err(refusal(file, codes::G001, message, options))
}

/// A number, or its digits if nobody wants to read it.
fn shown(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() > 40 {
        format!("{}… ({} digits)", &digits[..12], digits.len())
    } else {
        digits
    }
}

fn refusal(file: &ModelFile, code: dyverse::diag::Code, message: String, options: &Automaton) -> Failure {
    let entity = file.model.entities().first().map(|e| e.origin);
    let Some(origin) = entity else {
        return Failure::call(message);
    };
    let start = Origin::new(origin.file(), 0, 0);
    let help = match code.id() {
        "G001" => {
            "--count states the size, --location s_k,i shows one location, --format svg draws a summary; --max-edges N writes it all the same"
        }
        "G003" => "leave --prune out: the size is then known in closed form",
        _ => "exclude pairs that never meet with `no contact a, b`",
    };
    let finding = Diagnostic::error(code, start, message)
        .label(format!(
            "{} possible contacts",
            file.model.contacts().take(1_000_000).count()
        ))
        .help(help);
    Failure::Model {
        diagnostics: vec![finding],
        sources: file.sources.clone(),
        as_json: options.format == AutomatonFormat::Json,
    }
}
