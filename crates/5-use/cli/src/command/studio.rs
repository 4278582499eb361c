//! `dyverse studio`: a page to write, run and check models, served to the browser of this machine.

use crate::CommandResult;
use crate::arguments::Studio as Options;
use crate::outcome::{Failure, Outcome, say};
use crate::output::write_output;
use dyverse_studio::{Studio, StudioError, StudioOptions};
use std::io::ErrorKind;
use std::process::{Command, Stdio};

pub(crate) fn run(options: &Options) -> CommandResult {
    let opened = Studio::open(&StudioOptions {
        folder: options.folder.clone(),
        port: options.port,
        allow_fmu: options.allow_fmu,
    });
    let studio = opened.map_err(|error| refused(&error))?;
    let address = studio.address();
    say!(
        "The studio of {} is open. Its address is the key to it; Ctrl-C closes it.",
        studio.folder().display()
    );
    write_output(None, |out| writeln!(out, "{address}"))?;
    if !options.no_open && !open_browser(&address) {
        say("note: no browser could be started; open the address above in one");
    }
    studio.serve().map_err(|error| refused(&error))?;
    Ok(Outcome::Done)
}

fn refused(error: &StudioError) -> Failure {
    let failure = Failure::call(error.to_string());
    match error {
        StudioError::Folder(_, cause) if cause.kind() == ErrorKind::NotFound => {
            failure.with_help("name a folder that is there; `dyverse examples --write examples` makes one")
        }
        StudioError::Folder(..) => failure.with_help("name a folder, such as `dyverse studio examples`"),
        StudioError::Port(_, cause) if cause.kind() == ErrorKind::AddrInUse => {
            failure.with_help("another program listens there; without --port one that is free is taken")
        }
        _ => failure,
    }
}

/// Whether a program that opens addresses could be started.
fn open_browser(address: &str) -> bool {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(address);
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let Ok(mut child) = quiet.spawn() else {
        return false;
    };
    // It ends by itself; somebody has to take note of it.
    std::thread::spawn(move || child.wait());
    true
}
