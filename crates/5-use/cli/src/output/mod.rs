//! Output: the one place that writes files.
//!
//! | where to | what happens |
//! |---|---|
//! | a file, or none yet | appears whole or not at all: it is written beside its place under another name, and then moved there. One that is replaced keeps its permissions |
//! | a link | stays; what it leads to is replaced |
//! | a device, a pipe | is written into |
//! | `-`, `/dev/stdout` | standard output |
//! | a folder; a file that the call has read, by whatever name | is refused |
//! | several files ([`Batch`]) | all appear, or none |
//!
//! What cannot be written is a failure of the machine ([`Failure::Output`], exit code 3).

mod batch;
mod target;
mod temporary;

pub(crate) use batch::Batch;
pub(crate) use target::was_read;
pub(crate) use temporary::forget_everything;

use crate::outcome::Failure;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use target::{Target, check_writable};
use temporary::{Temporary, keep_all};

/// Writes the content of a file.
type Written<'w> = &'w mut dyn Write;

/// Writes to a file, or to standard output.
///
/// Whoever closes standard output or a pipe has seen enough: that is no failure, and what the command came to stands.
pub(crate) fn write_output(
    path: Option<&Path>,
    write: impl FnOnce(Written<'_>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let path = path.unwrap_or(Path::new("-"));
    to_target(&Target::of(path, false)?, path, write)
}

/// Writes over a file that was read, for commands that are there to change it.
pub(crate) fn write_back(
    path: &Path,
    write: impl FnOnce(Written<'_>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    to_target(&Target::of(path, true)?, path, write)
}

/// Says before the work whether its output can be written: where a folder is missing or may not be written to, where it is an input.
pub(crate) fn check_output(path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else {
        return Ok(());
    };
    let tried = Target::of(path, false)?.try_out();
    tried.map_err(|error| cannot(path, error))
}

/// Whether output is written into something and replaces nothing: standard output, a device, a pipe. The name of such a thing need not say what it is given.
pub(crate) fn is_stream(path: &Path) -> bool {
    Target::of(path, true).is_ok_and(|target| target.is_stream())
}

/// Whether output goes where standard output goes: then what is said besides goes elsewhere.
pub(crate) fn is_stdout(path: Option<&Path>) -> bool {
    path.is_some_and(|path| Target::of(path, true).is_ok_and(|target| target.is_stdout()))
}

/// Prints what the command says besides its output: on standard output, unless that is where the output went.
pub(crate) fn write_beside(
    output: Option<&Path>,
    write: impl FnOnce(Written<'_>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    if is_stdout(output) {
        return to_target(&Target::Stderr, Path::new("-"), write);
    }
    write_output(None, write)
}

/// Output that cannot be written.
fn cannot(path: &Path, error: std::io::Error) -> Failure {
    let to = if path == Path::new("-") {
        "the output".to_owned()
    } else {
        path.display().to_string()
    };
    Failure::Output { to, error }
}

fn to_target(
    target: &Target,
    path: &Path,
    write: impl FnOnce(Written<'_>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let written = match target {
        Target::Stdout => into(std::io::stdout().lock(), write),
        Target::Stderr => into(std::io::stderr().lock(), write),
        Target::Stream(stream) => {
            let opened = File::options().write(true).open(stream);
            opened.and_then(|file| into(file, write))
        }
        Target::File(place) => replace(place, write),
    };
    written.map_err(|error| cannot(path, error))
}

/// Writes into what is open.
fn into(open: impl Write, write: impl FnOnce(Written<'_>) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut out = BufWriter::new(open);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) => {
            // What is still in the buffer would be written again when it is dropped.
            let _ = out.into_parts();
            if error.kind() == std::io::ErrorKind::BrokenPipe {
                return Ok(());
            }
            Err(error)
        }
        Ok(()) => Ok(()),
    }
}

/// Writes beside a place, and moves there what is whole.
fn replace(place: &Path, write: impl FnOnce(Written<'_>) -> std::io::Result<()>) -> std::io::Result<()> {
    let temporary = staged(place, write)?;
    keep_all(vec![(temporary, place.to_owned())]).map_err(|(_, error)| error)
}

/// Writes beside a place.
fn staged(
    place: &Path,
    write: impl FnOnce(Written<'_>) -> std::io::Result<()>,
) -> std::io::Result<Temporary> {
    check_writable(place)?;
    let permissions = std::fs::metadata(place).ok().map(|old| old.permissions());
    let mut temporary = Temporary::beside(place, permissions)?;
    into(temporary.file()?, write)?;
    Ok(temporary)
}
