//! A trace from comma-separated values: what [`write_trace_csv`](super::write_trace_csv) writes, and tables of other tools.
//!
//! The first line names the columns, the first of which is `time` or `t`. If the second is `microstep` it is that; else rows with one time are the
//! microsteps of that time, in order. A last column `stop` whose last row holds words says why the run ended. Every other column is a signal; a field that is empty is a signal that is absent, `NaN` one that is no number. Fields are separated by
//! commas, or by semicolons or tabs if the first line has no comma; quotes as in RFC 4180; lines that are empty or begin with `#` are passed over.
//!
//! # Guarantee
//! Any bytes: a trace whose samples ascend in superdense time and have one value for each signal, or what is wrong and in which line. Numbers read
//! back to the bits they were written from.

use super::TraceFormatError;
use super::csv::is_stop_column;
use super::samples::Samples;
use dyverse_trace::{ABSENT, StopReason, Trace};
use std::borrow::Cow;

/// Reads a table of samples. The run is taken to have ended at its last row, as a column `stop` says, else whole; a table has no transitions.
///
/// # Errors
/// [`TraceFormatError`] says what is wrong, with the number of its line.
pub fn read_trace_csv(bytes: &[u8]) -> Result<Trace, TraceFormatError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        TraceFormatError::at_line(line, "is no UTF-8 text")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = Records::new(text);
    let Some((line, names)) = records.next_record(None)? else {
        return Err(TraceFormatError::NoSamples);
    };
    if !names.first().is_some_and(|name| is_time(name)) {
        let found = names.first().map_or("", |name| name.as_ref());
        let found: String = found.chars().take(40).collect();
        return Err(TraceFormatError::at_line(
            line,
            &format!("begins with `{found}`: the first column must be `time` or `t`"),
        ));
    }
    let has_microsteps = names.get(1).is_some_and(|name| name == "microstep");
    let first = if has_microsteps { 2 } else { 1 };
    let columns = names.len();
    let stop = stop_of(text, &names)?;
    let signals = names.iter().skip(first).map(|name| name.to_string());
    let signals = signals
        .take(columns - first - usize::from(stop.is_some()))
        .collect();
    let mut samples = Samples::new(signals)?;
    while let Some((line, mut fields)) = records.next_record(Some(columns))? {
        if stop.is_some() {
            fields.pop();
        }
        let t = value(line, fields.first())?;
        let n = match fields.get(1).filter(|_| has_microsteps) {
            None => None,
            Some(field) => Some(field.trim().parse().map_err(|_| {
                TraceFormatError::at_line(line, &format!("`{}` is no microstep", shown(field)))
            })?),
        };
        let values = fields.iter().skip(first).map(|field| value(line, Some(field)));
        let values = values.collect::<Result<Vec<f64>, _>>()?;
        samples
            .push(t, n, values)
            .map_err(|what| TraceFormatError::at_line(line, &what))?;
    }
    let mut trace = samples.finish()?;
    if let Some(text) = stop {
        trace.stop.reason = StopReason::Told { text };
    }
    Ok(trace)
}

/// Why the run ended, if the last column says so: empty fields, and words in the last row. One with numbers is a signal.
fn stop_of(text: &str, names: &[Cow<'_, str>]) -> Result<Option<String>, TraceFormatError> {
    if !names.last().is_some_and(|name| is_stop_column(name)) {
        return Ok(None);
    }
    let mut records = Records::new(text);
    records.next_record(None)?;
    let mut found = None;
    while let Some((_, fields)) = records.next_record(Some(names.len()))? {
        let field = fields.last().map_or("", |field| field.trim());
        if found.is_some() || (!field.is_empty() && value(0, fields.last()).is_ok()) {
            return Ok(None);
        }
        found = (!field.is_empty()).then(|| field.to_owned());
    }
    Ok(found)
}

/// Whether a column is that of time: `time`, `t`, in any case, with or without a unit.
pub(super) fn is_time(name: &str) -> bool {
    let word = name.split(['[', '(', '/']).next().unwrap_or_default().trim();
    word.eq_ignore_ascii_case("time") || word.eq_ignore_ascii_case("t")
}

fn value(line: usize, field: Option<&Cow<'_, str>>) -> Result<f64, TraceFormatError> {
    let text = field.map_or("", |field| field.trim());
    match text {
        "" => Ok(ABSENT),
        "true" | "True" | "TRUE" => Ok(1.0),
        "false" | "False" | "FALSE" => Ok(0.0),
        text => text
            .parse()
            .map_err(|_| TraceFormatError::at_line(line, &format!("`{}` is no number", shown(text)))),
    }
}

/// The beginning of a field, for a message.
fn shown(field: &str) -> String {
    let field = field.trim();
    let cut: String = field.chars().take(40).collect();
    if cut.len() < field.len() { cut + "…" } else { cut }
}

/// The records of a table.
struct Records<'a> {
    rest: &'a str,
    line: usize,
    separator: char,
}

/// The number of a record's first line, and its fields.
type Record<'a> = (usize, Vec<Cow<'a, str>>);

/// A field, and what is left after it: none if the record ends here.
type Field<'a> = (Cow<'a, str>, Option<&'a str>);

impl<'a> Records<'a> {
    fn new(text: &'a str) -> Self {
        let head = text
            .lines()
            .find(|line| !is_passed_over(line))
            .unwrap_or_default();
        let separator = [',', ';', '\t'].into_iter().find(|mark| head.contains(*mark));
        Self {
            rest: text,
            line: 1,
            separator: separator.unwrap_or(','),
        }
    }

    /// The next record with the number of its first line; `columns` is how many fields it must have.
    fn next_record(&mut self, columns: Option<usize>) -> Result<Option<Record<'a>>, TraceFormatError> {
        loop {
            let end = self.rest.find('\n').map_or(self.rest.len(), |end| end + 1);
            let (first, rest) = self.rest.split_at(end);
            if first.is_empty() {
                return Ok(None);
            }
            if !is_passed_over(first) {
                break;
            }
            self.rest = rest;
            self.line += 1;
        }
        let line = self.line;
        let mut fields = Vec::with_capacity(columns.unwrap_or(0));
        let mut rest = Some(self.rest);
        while let Some(text) = rest {
            let (field, after) = self.field(line, text)?;
            fields.push(field);
            rest = after;
            if columns.is_some_and(|columns| fields.len() > columns) {
                break;
            }
        }
        match columns {
            Some(expected) if fields.len() != expected => {
                let found = if fields.len() > expected {
                    "more".to_owned()
                } else {
                    fields.len().to_string()
                };
                let what = format!("has {found} fields for {expected} columns");
                Err(TraceFormatError::at_line(line, &what))
            }
            _ => Ok(Some((line, fields))),
        }
    }

    fn field(&mut self, line: usize, text: &'a str) -> Result<Field<'a>, TraceFormatError> {
        let (field, after) = match text.strip_prefix('"') {
            None => {
                let end = text.find([self.separator, '\n']).unwrap_or(text.len());
                let (field, after) = text.split_at(end);
                (Cow::Borrowed(field.strip_suffix('\r').unwrap_or(field)), after)
            }
            Some(inside) => quoted(inside)
                .ok_or_else(|| TraceFormatError::at_line(line, "has a quote that does not end"))?,
        };
        let after_return = after
            .strip_prefix('\r')
            .filter(|rest| rest.is_empty() || rest.starts_with('\n'));
        let after = after_return.unwrap_or(after);
        if let Some(after) = after.strip_prefix(self.separator) {
            return Ok((field, Some(after)));
        }
        if !after.is_empty() && !after.starts_with('\n') {
            return Err(TraceFormatError::at_line(
                line,
                "has something after a quote that ended",
            ));
        }
        self.rest = after.strip_prefix('\n').unwrap_or(after);
        // A name may hold line breaks.
        self.line += 1 + field.matches('\n').count();
        Ok((field, None))
    }
}

/// A field up to the quote that ends it, and what is left after that.
fn quoted(inside: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut from = 0;
    loop {
        let end = from + inside.get(from..)?.find('"')?;
        let after = inside.get(end + 1..)?;
        if after.starts_with('"') {
            from = end + 2;
            continue;
        }
        let field = inside.get(..end)?;
        return Some(if from == 0 {
            (Cow::Borrowed(field), after)
        } else {
            (Cow::Owned(field.replace("\"\"", "\"")), after)
        });
    }
}

fn is_passed_over(line: &str) -> bool {
    let line = line.trim_end_matches(['\r', '\n']);
    line.is_empty() || line.starts_with('#')
}
