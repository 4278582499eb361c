//! `dyverse fmt`: tidy model files.

use crate::CommandResult;
use crate::arguments::{Fmt, Format};
use crate::files::read_bytes;
use crate::outcome::{Failure, Outcome};
use crate::output::{write_back, write_output};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(options: &Fmt) -> CommandResult {
    let mut changed: Vec<(String, bool)> = Vec::new();
    let mut first_failure: Option<Failure> = None;
    for path in &options.files {
        match one(path, options.check) {
            Ok(is_changed) => changed.push((path.display().to_string(), is_changed)),
            // One broken file does not keep the others from being formatted.
            Err(failure) => match first_failure.take() {
                None => first_failure = Some(failure),
                Some(earlier) => {
                    first_failure = Some(earlier);
                    failure.report();
                }
            },
        }
    }
    say(&changed, options)?;
    if let Some(failure) = first_failure {
        return Err(failure);
    }
    let would_change = options.check && changed.iter().any(|(_, is_changed)| *is_changed);
    Ok(if would_change {
        Outcome::WouldChange
    } else {
        Outcome::Done
    })
}

/// Formats one file; whether it changed, or would have.
fn one(path: &Path, check: bool) -> Result<bool, Failure> {
    let is_stdin = path == Path::new("-");
    let name = if is_stdin {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let bytes = read_bytes(path)?;
    if bytes.len() > dyverse::LARGEST_FILE {
        return Err(wrong!("{name} is larger than {} bytes", dyverse::LARGEST_FILE));
    }
    let text = String::from_utf8(bytes).map_err(|_| Failure::call(format!("{name} is not UTF-8 text")))?;
    let formatted = dyverse::format(&name, &text).map_err(|error| Failure::Model {
        diagnostics: error.diagnostics,
        sources: error.sources,
        as_json: false,
    })?;
    let is_changed = formatted != text;
    if is_stdin && !check {
        write_output(None, |out| out.write_all(formatted.as_bytes()))?;
    } else if is_changed && !check {
        write_back(path, |out| out.write_all(formatted.as_bytes()))?;
    }
    Ok(is_changed)
}

fn say(changed: &[(String, bool)], options: &Fmt) -> Result<(), Failure> {
    let to_stdout = options.files.iter().any(|path| path == Path::new("-")) && !options.check;
    if to_stdout {
        return Ok(());
    }
    let text: String = match options.format {
        Format::Text => {
            let word = if options.check {
                "would change"
            } else {
                "formatted"
            };
            changed
                .iter()
                .filter(|(_, c)| *c)
                .map(|(name, _)| format!("{word} {name}\n"))
                .collect()
        }
        Format::Json => {
            let rows = changed
                .iter()
                .map(|(name, c)| json!({ "file": name, "changed": c }));
            format!("{:#}\n", Value::from_iter(rows))
        }
    };
    write_output(None, |out| out.write_all(text.as_bytes()))
}
