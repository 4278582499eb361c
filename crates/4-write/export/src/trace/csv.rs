//! The samples of a trace as comma-separated values (RFC 4180, lines ending in a line feed).
//!
//! A run that stopped early is marked in a last column, `stop`: empty but for the last row, which says why. A line of comment would be a row of the table to most that read
//! such files, and turn its numbers into texts.

use dyverse_trace::{StopReason, Trace, is_absent};
use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

/// The column that says why the run ended.
const STOP: &str = "stop";

/// Writes the samples: a header `time,microstep,…` with the names of the signals, then a row for each sample.
///
/// A run that did not reach its horizon has one more column, `stop`, with the reason in the last row (`interrupted: it was interrupted`).
///
/// Numbers read back to the same bits; a signal that is absent is an empty field, one that is no number `NaN`, `inf` or `-inf`.
///
/// # Errors
/// Where `out` refuses the bytes.
pub fn write_trace_csv(out: &mut dyn Write, trace: &Trace) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    write!(out, "time,microstep")?;
    for signal in &trace.signals {
        write!(out, ",{}", field(&signal.name))?;
    }
    let stop = (!trace.stop.reason.is_complete()).then(|| stop_text(&trace.stop.reason));
    if stop.is_some() {
        write!(out, ",{}", stop_column(trace))?;
    }
    writeln!(out)?;
    for (place, sample) in trace.samples.iter().enumerate() {
        write!(out, "{:?},{}", sample.time.t(), sample.time.n())?;
        for value in &sample.values {
            if is_absent(*value) {
                write!(out, ",")?;
            } else {
                // The shortest digits that read back to the same bits, with an exponent where that is shorter.
                write!(out, ",{value:?}")?;
            }
        }
        if let Some(text) = &stop {
            let is_last = place + 1 == trace.samples.len();
            write!(out, ",{}", if is_last { field(text) } else { "".into() })?;
        }
        writeln!(out)?;
    }
    out.flush()
}

/// Why a run ended, as tables have it.
pub(super) fn stop_text(reason: &StopReason) -> String {
    match reason {
        StopReason::Told { text } => text.clone(),
        other => format!("{}: {other}", other.word()),
    }
}

/// A name that no signal has.
fn stop_column(trace: &Trace) -> String {
    let mut name = STOP.to_owned();
    while trace.signal(&name).is_some() {
        name.push('_');
    }
    name
}

/// Whether the last column of a table may be the one that says why the run ended.
pub(super) fn is_stop_column(name: &str) -> bool {
    name.trim_end_matches('_') == STOP
}

/// A text as one field: in quotes where it would not be one without.
fn field(text: &str) -> Cow<'_, str> {
    let is_edged = text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace);
    if is_edged || text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn names_stay_in_their_field() {
        for (name, expected) in [
            ("ball.x", "ball.x"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            (" x", "\" x\""),
            ("", ""),
        ] {
            assert_eq!(field(name), expected);
        }
    }
}
