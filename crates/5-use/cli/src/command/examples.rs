//! `dyverse examples`: the shipped models.

use crate::CommandResult;
use crate::arguments::{Examples, Format};
use crate::outcome::{Failure, Outcome};
use crate::output::{Batch, write_output};
use dyverse::diag::closest;
use dyverse::{EXAMPLES, Example};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(options: &Examples) -> CommandResult {
    let chosen: Vec<&Example> = match &options.name {
        None => EXAMPLES.iter().collect(),
        Some(name) => vec![find(name)?],
    };
    match (&options.write, &options.name) {
        (Some(folder), _) => write_all(folder, &chosen, options),
        (None, Some(_)) => {
            let text: String = chosen.iter().map(|e| e.text).collect();
            write_output(None, |out| out.write_all(text.as_bytes()))?;
            Ok(Outcome::Done)
        }
        (None, None) => {
            let text = match options.format {
                Format::Text => {
                    let width = chosen.iter().map(|e| e.file.len()).max().unwrap_or(0);
                    let line = |e: &&Example| format!("{:width$} {}\n", e.file, e.about);
                    chosen.iter().map(line).collect()
                }
                Format::Json => format!(
                    "{:#}\n",
                    Value::from_iter(chosen.iter().map(|e| json!({ "file": e.file, "about": e.about })))
                ),
            };
            write_output(None, |out| out.write_all(text.as_bytes()))?;
            Ok(Outcome::Done)
        }
    }
}

fn find(name: &str) -> Result<&'static Example, Failure> {
    let exact = EXAMPLES
        .iter()
        .find(|e| e.file == name || e.file.rsplit('/').next() == Some(name));
    if let Some(example) = exact {
        return Ok(example);
    }
    let wanted = stem(name);
    EXAMPLES.iter().find(|e| stem(e.file) == wanted).ok_or_else(|| {
        let failure = Failure::call(format!("no example is called {name}"));
        match closest(wanted, EXAMPLES.iter().map(|e| stem(e.file))) {
            Some(near) => failure.with_help(format!("did you mean {near}?")),
            None => failure.with_help("`dyverse examples` lists them"),
        }
    })
}

/// The name without folder and ending.
fn stem(file: &str) -> &str {
    let last = file.rsplit('/').next().unwrap_or(file);
    last.split('.').next().unwrap_or(last)
}

fn write_all(folder: &Path, chosen: &[&Example], options: &Examples) -> CommandResult {
    let mut batch = Batch::default();
    batch.folder(folder)?;
    // All or nothing: what is there is found before anything is written.
    let there = chosen
        .iter()
        .map(|e| folder.join(e.file))
        .find(|path| path.exists());
    if let (Some(path), false) = (there, options.force) {
        return Err(wrong!("{} is there already", path.display(); help "`--force` replaces it"));
    }
    let mut written = Vec::new();
    for example in chosen {
        let path = folder.join(example.file);
        if let Some(inner) = path.parent() {
            batch.folder(inner)?;
        }
        batch.add(&path, example.text.as_bytes())?;
        written.push(path.display().to_string());
    }
    batch.keep()?;
    let said = match options.format {
        Format::Text => written.iter().map(|path| format!("wrote {path}\n")).collect(),
        Format::Json => format!("{:#}\n", json!({ "wrote": written })),
    };
    write_output(None, |out| out.write_all(said.as_bytes()))?;
    Ok(Outcome::Done)
}
