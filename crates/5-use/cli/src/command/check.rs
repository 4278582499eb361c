//! `dyverse check`: proof and refutation of properties.

mod call;
mod json;
mod search;
mod text;
mod verify;

pub(super) use call::{choices, range};

use crate::CommandResult;
use crate::arguments::{Check, Format};
use crate::command::progress::ProgressLine;
use crate::files::{ModelFile, is_actor_model, read_actor_model, read_model, source_text, write_png};
use crate::outcome::{Failure, Outcome};
use crate::output::{check_output, was_read, write_beside, write_output};
use crate::signals;
use call::{Destination, chosen_properties, options_of};
use dyverse::ActorModel;
use dyverse::check::{CellOutcome, CheckOptions, Checkable, Counterexample, Finding, Verdict};
use dyverse::export::partition_svg;
use dyverse::pages::{CheckAnswer as Answer, check_page, write_page};
use dyverse::proof::Proof;
use search::{Stopped, answers};

/// A model of either kind.
enum ModelOf {
    Bodies(Box<ModelFile>),
    Actors(Box<ActorModel>),
}

impl ModelOf {
    fn read(options: &Check) -> Result<Self, Failure> {
        let as_json = options.format == Format::Json;
        if is_actor_model(&options.file) {
            let model = read_actor_model(&options.file, as_json)?;
            return Ok(ModelOf::Actors(Box::new(model)));
        }
        Ok(ModelOf::Bodies(Box::new(read_model(&options.file, as_json)?)))
    }

    fn checkable(&self) -> Checkable<'_> {
        match self {
            ModelOf::Bodies(file) => Checkable::Bodies(&file.model),
            ModelOf::Actors(model) => Checkable::Actors(model),
        }
    }
}

/// What an answer comes to.
trait Judged {
    fn outcome(&self) -> Outcome;
    fn proof(&self) -> Option<&Proof>;

    fn word(&self) -> &'static str {
        match self.outcome() {
            Outcome::Done => "SAFE",
            Outcome::Unsafe => "UNSAFE",
            _ => "UNKNOWN",
        }
    }
}

impl Judged for Answer {
    fn outcome(&self) -> Outcome {
        match self {
            Answer::Finding(finding) => match finding.verdict {
                Verdict::Safe(_) => Outcome::Done,
                Verdict::Unsafe(_) => Outcome::Unsafe,
                Verdict::Unknown(_) => Outcome::Unknown,
            },
            Answer::Partition(partition) => {
                let has = |outcome| partition.cells.iter().any(|c| c.outcome == outcome);
                if has(CellOutcome::Unsafe) {
                    Outcome::Unsafe
                } else if has(CellOutcome::Undecided) {
                    Outcome::Unknown
                } else {
                    Outcome::Done
                }
            }
        }
    }

    fn proof(&self) -> Option<&Proof> {
        match self {
            Answer::Finding(Finding {
                verdict: Verdict::Safe(proof),
                ..
            }) => Some(proof),
            _ => None,
        }
    }
}

/// For the runs and tubes that a page shows of a check that a signal ended, s.
const SHOWING: f64 = 0.3;

/// Answers, and what ended those that were ended.
type Told<'a> = (&'a [Answer], &'a [Option<Stopped>]);

/// What people may want to know besides.
struct Effort {
    seconds: f64,
    threads: usize,
}

pub(crate) fn run(options: &Check) -> CommandResult {
    let line = ProgressLine::new();
    // Whatever is wrong with the call is said before a long search, not after it.
    was_read(&options.file);
    let destination = Destination::of(options)?;
    // For as long as the program lives: a search that does not end in time is left behind, with the model.
    let model: &'static ModelOf = Box::leak(Box::new(ModelOf::read(options)?));
    let subject = model.checkable();
    let names = chosen_properties(subject, options)?;
    if !options.verify_proof.is_empty() {
        return verify::run(subject, &names, options, &line);
    }
    let check_options = options_of(subject, options)?;
    let limit = call::timeout(options)?;
    // Imports are known by now.
    check_output(options.output.as_deref())?;
    check_output(options.proof.as_deref())?;
    let found = answers(subject, &names, options, &check_options, &line, limit);
    line.clear();
    let (answers, stops) = found?;
    let effort = Effort {
        seconds: line.seconds(),
        threads: check_options.threads,
    };
    // Runs and tubes are made for a page, as far as there is time: next to none for whoever asked for the end.
    let more = match limit {
        _ if stops.contains(&Some(Stopped::Signal)) => SHOWING,
        limit if limit.is_finite() => 0.5 + 0.1 * limit,
        _ => 0.5,
    };
    let until = line.seconds() + more;
    let is_stopped = stops.iter().any(Option::is_some);
    let page_options = CheckOptions {
        interrupt: Some(line.later(if is_stopped { until } else { limit.max(until) })),
        ..check_options
    };
    let proof = match (&options.proof, answers.iter().find_map(Answer::proof)) {
        (Some(path), Some(proof)) => verify::write(path, proof),
        _ => Ok(()),
    };
    let told = (answers.as_slice(), stops.as_slice());
    let shown = write_shown(
        subject,
        told,
        &effort,
        options,
        destination.as_ref(),
        &page_options,
    );
    // What was found is said also where it cannot be kept.
    print(subject, told, &effort, options)?;
    proof?;
    shown?;
    if stops.contains(&Some(Stopped::Signal))
        && let Some(outcome) = signals::outcome()
    {
        return Ok(outcome);
    }
    let rank = |outcome: &Outcome| match outcome {
        Outcome::Unsafe => 2,
        Outcome::Unknown => 1,
        _ => 0,
    };
    let worst = answers.iter().map(Answer::outcome).max_by_key(rank);
    Ok(worst.unwrap_or(Outcome::Done))
}

/// Writes what the call asks for.
fn write_shown(
    subject: Checkable<'_>,
    (answers, stops): Told<'_>,
    effort: &Effort,
    options: &Check,
    destination: Option<&Destination>,
    page_options: &CheckOptions,
) -> Result<(), Failure> {
    match destination {
        Some(Destination::Json(path)) => {
            let text = as_json(subject, (answers, stops), effort, options);
            write_output(Some(path), |out| out.write_all(text.as_bytes()))
        }
        Some(Destination::Svg(path)) => {
            let drawn = drawn(subject, answers);
            write_output(Some(path), |out| out.write_all(drawn.as_bytes()))
        }
        Some(Destination::Png(path)) => write_png(path, &drawn(subject, answers)),
        Some(Destination::Html(path)) => {
            let replay = |found: &Counterexample| text::replay(subject, found, options);
            let source = source_text(&options.file)?;
            let page = check_page(subject, source, page_options, answers, &replay);
            write_output(Some(path), |out| write_page(out, &page))
        }
        None => Ok(()),
    }
}

/// The first partition as a drawing.
fn drawn(subject: Checkable<'_>, answers: &[Answer]) -> String {
    let drawn = answers.iter().find_map(|answer| match answer {
        Answer::Partition(partition) => Some(partition_svg(&text::regions(subject, partition))),
        Answer::Finding(_) => None,
    });
    drawn.unwrap_or_default()
}

fn as_json(subject: Checkable<'_>, told: Told<'_>, effort: &Effort, options: &Check) -> String {
    let value = json::document(subject, told, options, options.stats.then_some(effort));
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    format!("{text}\n")
}

fn print(subject: Checkable<'_>, told: Told<'_>, effort: &Effort, options: &Check) -> Result<(), Failure> {
    let printed = match options.format {
        Format::Text => text::report(subject, told, options, options.stats.then_some(effort)),
        Format::Json => as_json(subject, told, effort, options),
    };
    write_beside(options.output.as_deref(), |out| out.write_all(printed.as_bytes()))
}
