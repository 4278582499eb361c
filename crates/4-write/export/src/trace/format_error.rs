//! Why bytes are no trace.

use dyverse_trace::told;

told! {
/// Why bytes are no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TraceFormatError {
    /// Not JSON, or a value is missing or of the wrong kind.
    Json {
        /// What is wrong, with its line and column.
        text: String,
    } => "no trace: {text}";
    /// Some other JSON document, or another version of this one.
    OtherFormat {
        /// What it says it is, if it does.
        found: Option<String>,
    } => "no trace{}", other_format(found.as_deref());
    /// A word or name that means nothing here.
    Unknown {
        /// What it should be, such as `signal`.
        what: &'static str,
        /// The word.
        word: String,
    } => "no trace: `{word}` is no {what}";
    /// Two signals have one name.
    SameName {
        /// The name.
        name: String,
    } => "no trace: two signals are called `{name}`";
    /// A sample does not have one value for each signal.
    WrongLength {
        /// Which sample, from 0.
        sample: usize,
        /// How many values it has.
        found: usize,
        /// How many signals there are.
        expected: usize,
    } => "no trace: sample {sample} has {found} values for {expected} signals";
    /// A reason to stop lacks something that belongs to it.
    Incomplete {
        /// The reason.
        reason: String,
        /// What is missing.
        missing: &'static str,
    } => "no trace: the stop reason `{reason}` has no `{missing}`";
    /// A line of a table is wrong.
    Line {
        /// Which, from 1.
        line: usize,
        /// What it is or has.
        what: String,
    } => "no trace: line {line} {what}";
    /// A table without rows.
    NoSamples => "no trace: there are no samples";
    /// More than is read.
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    } => "no trace: there are more than {most} {what}";
    /// A Parquet file is damaged, or not a table of numbers over time.
    Parquet {
        /// What is wrong.
        text: String,
    } => "no trace: {text}";
}
}

impl TraceFormatError {
    pub(super) fn at_line(line: usize, what: &str) -> Self {
        Self::Line {
            line,
            what: what.to_owned(),
        }
    }
}

fn other_format(found: Option<&str>) -> String {
    match found {
        None => ": it has no `format`".to_owned(),
        Some(found) => format!(
            " of this version: its format is `{found}`, not `{}`",
            super::wire::FORMAT
        ),
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
