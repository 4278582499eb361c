//! The `dyverse` command: the only place with files, the terminal and exit codes.
//!
//! Data goes to standard output, everything said to people to standard error. Exit codes: 0 done, 1 `fmt --check` found a file to
//! format, 2 a wrong file or call, 3 the machine failed (a full disk, a closed pipe is none), 4 a run stopped before its horizon, 10 a property is broken or a
//! trace no run, 20 it is neither proved nor refuted, 130 and 143 ended by Ctrl-C and by SIGTERM.

#[macro_use]
mod outcome;
mod arguments;
mod command;
mod files;
mod output;
mod signals;
mod table;

use arguments::{Arguments, Command};
use clap::Parser;
use outcome::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // The studio closes in its own way.
    if !matches!(arguments.command, Command::Studio(_)) {
        signals::listen();
    }
    let outcome = match &arguments.command {
        Command::Demo(options) => command::demo::run(options),
        Command::Automaton(options) => command::automaton::run(options),
        Command::Simulate(options) => command::simulate::run(options),
        Command::View(options) => command::view::run(options),
        Command::Replay(options) => command::replay::run(options),
        Command::Check(options) => command::check::run(options),
        Command::Studio(options) => command::studio::run(options),
        Command::Export(options) => command::export::run(options),
        Command::Fmt(options) => command::fmt::run(options),
        Command::New(options) => command::new::run(options),
        Command::Examples(options) => command::examples::run(options),
        Command::Explain(options) => command::explain::run(options),
    };
    outcome.unwrap_or_else(|failure| failure.report()).code()
}

/// What a command comes to.
pub(crate) type CommandResult = Result<Outcome, outcome::Failure>;
