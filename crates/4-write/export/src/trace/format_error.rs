//! Why bytes are no trace.

use std::fmt;

/// Why bytes are no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TraceFormatError {
    /// Not JSON, or a value is missing or of the wrong kind.
    Json {
        /// What is wrong, with its line and column.
        text: String,
    },
    /// Some other JSON document, or another version of this one.
    OtherFormat {
        /// What it says it is, if it does.
        found: Option<String>,
    },
    /// A word or name that means nothing here.
    Unknown {
        /// What it should be, such as `signal`.
        what: &'static str,
        /// The word.
        word: String,
    },
    /// Two signals have one name.
    SameName {
        /// The name.
        name: String,
    },
    /// A sample does not have one value for each signal.
    WrongLength {
        /// Which sample, from 0.
        sample: usize,
        /// How many values it has.
        found: usize,
        /// How many signals there are.
        expected: usize,
    },
    /// A reason to stop lacks something that belongs to it.
    Incomplete {
        /// The reason.
        reason: String,
        /// What is missing.
        missing: &'static str,
    },
    /// A line of a table is wrong.
    Line {
        /// Which, from 1.
        line: usize,
        /// What it is or has.
        what: String,
    },
    /// A table without rows.
    NoSamples,
    /// More than is read.
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// A Parquet file is damaged, or not a table of numbers over time.
    Parquet {
        /// What is wrong.
        text: String,
    },
}

impl TraceFormatError {
    pub(super) fn at_line(line: usize, what: &str) -> Self {
        Self::Line {
            line,
            what: what.to_owned(),
        }
    }
}

impl fmt::Display for TraceFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { text } => write!(f, "no trace: {text}"),
            Self::OtherFormat { found: None } => write!(f, "no trace: it has no `format`"),
            Self::OtherFormat { found: Some(found) } => {
                write!(
                    f,
                    "no trace of this version: its format is `{found}`, not `{}`",
                    super::wire::FORMAT
                )
            }
            Self::Unknown { what, word } => write!(f, "no trace: `{word}` is no {what}"),
            Self::SameName { name } => write!(f, "no trace: two signals are called `{name}`"),
            Self::WrongLength {
                sample,
                found,
                expected,
            } => {
                write!(
                    f,
                    "no trace: sample {sample} has {found} values for {expected} signals"
                )
            }
            Self::Incomplete { reason, missing } => {
                write!(f, "no trace: the stop reason `{reason}` has no `{missing}`")
            }
            Self::Line { line, what } => write!(f, "no trace: line {line} {what}"),
            Self::NoSamples => write!(f, "no trace: there are no samples"),
            Self::TooLarge { what, most } => write!(f, "no trace: there are more than {most} {what}"),
            Self::Parquet { text } => write!(f, "no trace: {text}"),
        }
    }
}

impl std::error::Error for TraceFormatError {}

impl From<serde_json::Error> for TraceFormatError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json {
            text: error.to_string(),
        }
    }
}
