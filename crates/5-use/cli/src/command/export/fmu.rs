//! FMUs.

use crate::CommandResult;
use crate::arguments::{Export, FmiVersion, Format};
use crate::files::read_source;
use crate::outcome::{Failure, Outcome};
use crate::output::{was_read, write_output};
use dyverse::fmu::{FmuError, Version, identifier, library_name, write_fmu};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(super) fn run(options: &Export) -> CommandResult {
    let as_json = options.format == Format::Json;
    let source = read_source(&options.file, as_json)?;
    let library = library(options.library.as_deref())?;
    let bytes = std::fs::read(&library)
        .map_err(|error| Failure::call(format!("cannot read {}: {error}", library.display())))?;
    was_read(&library);
    let (version, number) = match options.fmi {
        FmiVersion::Two => (Version::Two, "2.0"),
        FmiVersion::Three => (Version::Three, "3.0"),
    };
    let name = identifier(&source.description.name);
    let path = options
        .output
        .clone()
        .unwrap_or(PathBuf::from(format!("{name}.fmu")));
    let mut refused = None;
    write_output(Some(&path), |out| {
        match write_fmu(&source, version, &bytes, out) {
            Ok(()) => Ok(()),
            Err(FmuError::Io(error)) => Err(error),
            Err(other) => {
                refused = Some(other.to_string());
                Err(std::io::ErrorKind::Other.into())
            }
        }
    })
    .map_err(|failure| refused.map_or(failure, Failure::call))?;
    if path == Path::new("-") {
        return Ok(Outcome::Done);
    }
    let description = &source.description;
    if as_json {
        let said = json!({
            "output": path.display().to_string(),
            "fmi": number,
            "model": name,
            "token": source.pack.token(),
            "variables": description.variables.len(),
            "states": description.states.len(),
            "event_indicators": description.indicators.len(),
        });
        write_output(None, |out| writeln!(out, "{said:#}"))?;
    } else {
        say!(
            "wrote {}: FMI {number}, model exchange and co-simulation, {} variables, {} states, {} event indicators",
            path.display(),
            description.variables.len(),
            description.states.len(),
            description.indicators.len()
        );
    }
    Ok(Outcome::Done)
}

/// The library that runs models inside FMUs: the one named, or the one beside this command.
fn library(named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(path.to_owned());
    }
    let file = library_name();
    let command = std::env::current_exe().map_err(|error| Failure::call(error.to_string()))?;
    let folder = command.parent().unwrap_or(Path::new("."));
    // Beside it, where cargo leaves it, and where a package would install it.
    let places = [
        folder.join(&file),
        folder.join("deps").join(&file),
        folder.join("../lib").join(&file),
        folder.join("../lib/dyverse").join(&file),
    ];
    let found = places.iter().find(|place| place.is_file());
    found.cloned().ok_or_else(|| {
        wrong!("the library that runs models inside FMUs, {file}, is not beside {}", command.display();
            help "it lies in target/release/deps where dyverse was built: copy it beside the command, or give its place with --library PATH/{file}")
    })
}
