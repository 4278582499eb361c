//! How a command ends, and what it says when it cannot go on.

use dyverse::diag::{Diagnostic, RenderOptions, SourceMap, render_all};
use dyverse::export::diagnostics_json;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// A wrong file or call, told in a format with its arguments, and a way out: `wrong!("no file {name}"; help "write one")`.
macro_rules! wrong {
    ($text:literal $(, $argument:expr)* $(,)? $(; help $help:literal $(, $other:expr)* $(,)?)?) => {
        $crate::outcome::Failure::call(format!($text $(, $argument)*))$(.with_help(format!($help $(, $other)*)))?
    };
}

/// A line to people, as a format with its arguments.
macro_rules! say {
    ($($line:tt)+) => {
        $crate::outcome::say(&format!($($line)+))
    };
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// `fmt --check` found a file to format.
    WouldChange,
    /// A wrong file or call.
    Wrong,
    /// The machine failed.
    Broken,
    /// A run stopped before its horizon.
    StoppedEarly,
    /// A property is broken; a trace is no run of its model.
    Unsafe,
    /// A property is neither proved nor refuted; a part of a trace could not be judged.
    Unknown,
    /// A signal with this number ended it.
    Interrupted(u8),
}

impl Outcome {
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Outcome::Done => 0,
            Outcome::WouldChange => 1,
            Outcome::Wrong => 2,
            Outcome::Broken => 3,
            Outcome::StoppedEarly => 4,
            Outcome::Unsafe => 10,
            Outcome::Unknown => 20,
            Outcome::Interrupted(signal) => 128 + signal,
        })
    }
}

/// Why a command could not go on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Findings about a model.
    Model {
        diagnostics: Vec<Diagnostic>,
        sources: SourceMap,
        as_json: bool,
    },
    /// A file that cannot be read, a call that cannot be carried out: what, and a way out.
    Call { message: String, help: Option<String> },
    /// Output that cannot be written, and where.
    Output { to: String, error: std::io::Error },
}

impl Failure {
    pub(crate) fn call(message: impl Into<String>) -> Self {
        Failure::Call {
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn with_help(self, text: impl Into<String>) -> Self {
        match self {
            Failure::Call { message, .. } => Failure::Call {
                message,
                help: Some(text.into()),
            },
            other => other,
        }
    }

    /// Says why, on standard error.
    pub(crate) fn report(self) -> Outcome {
        match self {
            Failure::Model {
                diagnostics,
                sources,
                as_json,
            } => {
                say_diagnostics(&diagnostics, &sources, as_json);
                Outcome::Wrong
            }
            Failure::Call { message, help } => {
                say!("error: {message}");
                if let Some(help) = help {
                    say!("  = help: {help}");
                }
                Outcome::Wrong
            }
            Failure::Output { to, error } => {
                say!("error: cannot write {to}: {error}");
                Outcome::Broken
            }
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Output {
            to: "the output".into(),
            error,
        }
    }
}

/// A line to people. Nothing can be done if even that fails.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Findings to people, or to a program.
pub(crate) fn say_diagnostics(diagnostics: &[Diagnostic], sources: &SourceMap, as_json: bool) {
    if diagnostics.is_empty() {
        return;
    }
    if as_json {
        let value = diagnostics_json(diagnostics, sources);
        say(&serde_json::to_string_pretty(&value).unwrap_or_default());
        return;
    }
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    say(render_all(diagnostics, sources, RenderOptions { color }).trim_end());
}
