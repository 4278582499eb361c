//! What the call asks for, and what is wrong with it.

use super::search::USUAL;
use crate::arguments::{Check, Inputs};
use crate::command::simulate::choices::{check_set, finite, split};
use crate::outcome::Failure;
use crate::output::{check_output, is_stream};
use dyverse::check::{CheckError, CheckOptions, Checkable, InputChoice, PartitionOptions};
use dyverse::diag::closest;
use std::path::{Path, PathBuf};

/// Where the answer goes besides standard output.
pub(super) enum Destination {
    Json(PathBuf),
    Svg(PathBuf),
    Png(PathBuf),
    Html(PathBuf),
}

impl Destination {
    pub(super) fn of(options: &Check) -> Result<Option<Self>, Failure> {
        if let Some(path) = &options.proof {
            if path == Path::new("-") || options.output.as_ref() == Some(path) {
                return Err(wrong!("--proof needs a file of its own"; help "such as --proof kept.proof"));
            }
            check_output(Some(path))?;
        }
        let Some(path) = &options.output else {
            return Ok(None);
        };
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let destination = match ending.as_deref() {
            Some("json") => Destination::Json(path.clone()),
            Some("html" | "htm") => Destination::Html(path.clone()),
            Some(drawn @ ("svg" | "png")) if options.partition.is_none() => {
                return Err(wrong!("only a partition can be drawn as .{drawn}";
                    help "add --partition NAME --width W, or write a .json file"));
            }
            Some("svg") => Destination::Svg(path.clone()),
            Some("png") => Destination::Png(path.clone()),
            None if is_stream(path) => Destination::Json(path.clone()),
            _ => {
                return Err(wrong!("{} has no ending that tells the format", path.display();
                    help "end it in .html or .json, or of a partition in .svg or .png"));
            }
        };
        check_output(Some(path))?;
        Ok(Some(destination))
    }
}

/// The properties to check.
pub(super) fn chosen_properties(subject: Checkable<'_>, options: &Check) -> Result<Vec<String>, Failure> {
    let known: Vec<&str> = subject.properties().iter().map(|p| p.name.as_str()).collect();
    if known.is_empty() {
        return Err(Failure::call("the model has no property")
            .with_help("write one, such as `property low: always [0, 2] ball.y < 3`"));
    }
    for name in &options.property {
        if !known.contains(&name.as_str()) {
            let failure = Failure::call(format!("the model has no property `{name}`"));
            return Err(match closest(name, known.iter().copied()) {
                Some(near) => failure.with_help(format!("did you mean `{near}`?")),
                None => failure.with_help(format!("it has {}", known.join(", "))),
            });
        }
    }
    let mut names: Vec<String> = options.property.clone();
    if names.is_empty() {
        names = known.iter().map(|name| (*name).to_owned()).collect();
    }
    names.dedup();
    let ends_in = |ending: &str| {
        let output = options.output.as_ref().and_then(|path| path.extension());
        output.is_some_and(|own| own.eq_ignore_ascii_case(ending))
    };
    let asked = [
        (options.proof.is_some(), "--proof"),
        (ends_in("svg"), "--output FILE.svg"),
        (ends_in("png"), "--output FILE.png"),
    ];
    for (is_asked, option) in asked {
        if is_asked && names.len() > 1 {
            return Err(wrong!("{option} is about one property"; help "add --property {}", names[0]));
        }
    }
    Ok(names)
}

pub(super) fn threads(options: &Check) -> Result<usize, Failure> {
    match options.threads {
        Some(0) => Err(Failure::call("--threads must be 1 or more")),
        Some(threads) => Ok(threads),
        None => Ok(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
    }
}

pub(super) fn options_of(subject: Checkable<'_>, options: &Check) -> Result<CheckOptions, Failure> {
    let threads = threads(options)?;
    if options.boxes == 0 {
        return Err(Failure::call("--boxes must be 1 or more"));
    }
    Ok(CheckOptions {
        choices: choices(subject, &options.set)?,
        inputs: input_choice(options),
        seed: options.seed,
        budget: options.budget,
        threads,
        boxes: options.boxes,
        firm_proof: options.proof.is_some(),
        ..CheckOptions::default()
    })
}

/// What inputs with a range are taken for.
pub(super) fn input_choice(options: &Check) -> InputChoice {
    match options.inputs {
        Inputs::Any => InputChoice::Any,
        Inputs::Default => InputChoice::Default,
    }
}

/// The values and ranges of `--set`.
pub(in crate::command) fn choices(
    subject: Checkable<'_>,
    given: &[String],
) -> Result<Vec<(String, f64, f64)>, Failure> {
    let initial = subject.initial_values();
    let mut chosen: Vec<(String, (f64, f64))> = Vec::new();
    for text in given {
        let (name, value) = split("--set", "K=2 or K=[2,3]", text)?;
        check_set(subject.parameters(), &initial, name, &chosen)?;
        chosen.push((name.to_owned(), range("--set", name, value)?));
    }
    let flat = chosen.into_iter().map(|(name, (low, high))| (name, low, high));
    Ok(flat.collect())
}

/// A number or a range of an option.
pub(in crate::command) fn range(option: &str, name: &str, text: &str) -> Result<(f64, f64), Failure> {
    let Some(inside) = text.strip_prefix('[') else {
        let value = finite(option, name, text)?;
        return Ok((value, value));
    };
    let ends = inside.strip_suffix(']').and_then(|inside| inside.split_once(','));
    let Some((low, high)) = ends else {
        return Err(wrong!("{option} {name}={text}: `{text}` is no range";
            help "write it as {name}=[2,3]"));
    };
    let (low, high) = (
        finite(option, name, low.trim())?,
        finite(option, name, high.trim())?,
    );
    if low > high {
        return Err(wrong!("{option} {name}={text}: {low} is above {high}";
            help "write it as {name}=[{high},{low}]"));
    }
    Ok((low, high))
}

pub(super) fn partition_of(options: &Check) -> Option<PartitionOptions> {
    let names = options.partition.as_ref()?;
    let names = names.split(',').map(|name| name.trim().to_owned());
    Some(PartitionOptions {
        names: names.collect(),
        width: options.width.unwrap_or(f64::NAN),
    })
}

/// The time there is, s.
pub(super) fn timeout(options: &Check) -> Result<f64, Failure> {
    match options.timeout {
        None => Ok(USUAL),
        Some(seconds) if seconds > 0.0 => Ok(seconds),
        Some(seconds) => Err(wrong!("--timeout must be a number above 0, not {seconds}")),
    }
}

pub(super) fn refused(subject: Checkable<'_>, error: &CheckError) -> Failure {
    let failure = Failure::call(error.to_string());
    match error {
        CheckError::NoHorizon(name) => failure.with_help(format!(
            "write `horizon 10` in the model, or a window: `property {name}: always [0, 10] …`"
        )),
        CheckError::NoUnknown(name) => {
            let initial = subject.initial_values();
            let names = subject.parameters().iter().map(|p| &p.name).chain(&initial);
            match closest(name, names.map(String::as_str)) {
                Some(near) => failure.with_help(format!("did you mean `{near}`?")),
                None => failure,
            }
        }
        CheckError::NotOpen(name) => failure.with_help(format!("give it a range: --set {name}=[a,b]")),
        CheckError::Names(_) => failure.with_help("such as --partition K, or --partition K,e"),
        _ => failure,
    }
}
