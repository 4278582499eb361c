//! The samples of a trace as comma-separated values (RFC 4180, lines ending in a line feed).

use dyverse_time::{Trace, is_absent};
use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

/// Writes the samples: a header `time,microstep,…` with the names of the signals, then a row for each sample.
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
    writeln!(out)?;
    for sample in &trace.samples {
        write!(out, "{:?},{}", sample.time.t(), sample.time.n())?;
        for value in &sample.values {
            if is_absent(*value) {
                write!(out, ",")?;
            } else {
                // The shortest digits that read back to the same bits, with an exponent where that is shorter.
                write!(out, ",{value:?}")?;
            }
        }
        writeln!(out)?;
    }
    out.flush()
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
