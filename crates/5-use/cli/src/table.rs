//! Tables of times and values, for inputs: comma-separated values.
//!
//! Two columns are time and value, with or without a header. More columns need a header with `time` and the input's name.

use std::fmt;

/// Values at times, ascending.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) times: Vec<f64>,
    pub(crate) values: Vec<f64>,
}

/// What is wrong with a table, and in which line (from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableError {
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Reads the table of an input; `others` are the model's other inputs, whose columns are not meant.
pub(crate) fn read_table(text: &str, input: &str, others: &[&str]) -> Result<Table, TableError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(place, line)| (place + 1, line));
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty()).peekable();
    let Some(&(first, line)) = lines.peek() else {
        return Err(wrong(1, "the table is empty"));
    };
    let header = fields(line).map_err(|what| wrong(first, what))?;
    let is_header = header.iter().all(|field| field.parse::<f64>().is_err());
    let (time, value) = if is_header {
        lines.next();
        columns(&header, input, others).map_err(|what| wrong(first, what))?
    } else if header.len() == 2 {
        (0, 1)
    } else {
        let what = format!(
            "{} columns need a header with `time` and `{input}`; without one there are two",
            header.len()
        );
        return Err(wrong(first, what));
    };
    let mut table = Table {
        times: Vec::new(),
        values: Vec::new(),
    };
    for (number, line) in lines {
        let row = fields(line).and_then(|row| pick(&row, header.len(), time, value));
        let (t, v) = row.map_err(|what| wrong(number, what))?;
        if let Some(before) = table.times.last().filter(|before| **before > t) {
            return Err(wrong(
                number,
                format!("times must ascend, but {t} comes after {before}"),
            ));
        }
        if table.times.len() > 1 && table.times[table.times.len() - 2] == t {
            return Err(wrong(
                number,
                format!("three values at the time {t}: two say that the input jumps"),
            ));
        }
        table.times.push(t);
        table.values.push(v);
    }
    if table.times.is_empty() {
        return Err(wrong(first, "no values follow the header"));
    }
    Ok(table)
}

fn wrong(line: usize, what: impl Into<String>) -> TableError {
    TableError {
        line,
        what: what.into(),
    }
}

/// The places of time and value in a header.
fn columns(header: &[String], input: &str, others: &[&str]) -> Result<(usize, usize), String> {
    let find = |name: &str| header.iter().position(|field| field == name);
    match (find("time"), find(input), header) {
        (Some(time), Some(value), _) => Ok((time, value)),
        (_, None, [_, second]) if !others.contains(&second.as_str()) => Ok((0, 1)),
        (None, _, _) => Err(format!(
            "no column is called `time`; there are {}",
            header.join(", ")
        )),
        (_, None, _) => Err(format!(
            "no column is called `{input}`; there are {}",
            header.join(", ")
        )),
    }
}

fn pick(row: &[String], columns: usize, time: usize, value: usize) -> Result<(f64, f64), String> {
    match (row.get(time), row.get(value)) {
        (Some(t), Some(v)) if row.len() == columns => Ok((number(t)?, number(v)?)),
        _ => Err(format!("{} fields where there are {columns} columns", row.len())),
    }
}

fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(format!("`{text}` is no finite number")),
        Err(_) if text.is_empty() => Err("a number is missing".to_owned()),
        Err(_) => Err(format!("`{text}` is no number")),
    }
}

/// The fields of a line; those in quotes may hold commas, and quotes written twice.
fn fields(line: &str) -> Result<Vec<String>, String> {
    let mut fields = Vec::new();
    let mut rest = line.trim();
    loop {
        let (field, after) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => quoted_field(quoted)?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                let (field, after) = rest.split_at(end);
                (field.trim().to_owned(), after)
            }
        };
        fields.push(field);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(fields),
            None => return Err(format!("a comma is missing before `{after}`")),
        }
    }
}

/// A field whose opening quote is gone, and what follows it.
fn quoted_field(text: &str) -> Result<(String, &str), String> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let Some((part, after)) = rest.split_once('"') else {
            return Err("a quote is not closed".to_owned());
        };
        field.push_str(part);
        match after.strip_prefix('"') {
            Some(next) => {
                field.push('"');
                rest = next;
            }
            None => return Ok((field, after.trim_start())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(&[f64], &[f64]), &str>) {
        let found = read_table(text, "u1", &["u2"])
            .map(|t| (t.times, t.values))
            .map_err(|e| e.to_string());
        let expected = expected
            .map(|(t, v)| (t.to_vec(), v.to_vec()))
            .map_err(str::to_owned);
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn two_columns_with_and_without_a_header() {
        check("0,1\n2, -3e1\n", Ok((&[0.0, 2.0], &[1.0, -30.0])));
        check(
            "\u{feff}time,value\r\n0,1\r\n\r\n2,5\r\n",
            Ok((&[0.0, 2.0], &[1.0, 5.0])),
        );
        check("t,force\n0,1", Ok((&[0.0], &[1.0])));
        check("u1,time\n7,0\n8,1", Ok((&[0.0, 1.0], &[7.0, 8.0])));
    }

    #[test]
    fn columns_by_name() {
        check(
            "\"u2\",time,\"u1\",\"a, \"\"b\"\"\"\n9,0,1,x\n9,1,2,y",
            Ok((&[0.0, 1.0], &[1.0, 2.0])),
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        check("", Err("line 1: the table is empty"));
        check("time,u1\n", Err("line 1: no values follow the header"));
        check(
            "time,u2\n0,1",
            Err("line 1: no column is called `u1`; there are time, u2"),
        );
        check(
            "a,b,u1\n0,1,2",
            Err("line 1: no column is called `time`; there are a, b, u1"),
        );
        check(
            "0,1,2",
            Err("line 1: 3 columns need a header with `time` and `u1`; without one there are two"),
        );
        check("0,1\n\n1", Err("line 3: 1 fields where there are 2 columns"));
        check(
            "0,1\n2,2\n1,3",
            Err("line 3: times must ascend, but 1 comes after 2"),
        );
        check(
            "0,1\n1,2\n1,3\n1,4",
            Err("line 4: three values at the time 1: two say that the input jumps"),
        );
        check("0,nan", Err("line 1: `nan` is no finite number"));
        check("time,u1\n0,1e999", Err("line 2: `1e999` is no finite number"));
        check("0,one", Err("line 1: `one` is no number"));
        check("0,", Err("line 1: a number is missing"));
        check("time,\"u1\n0,1", Err("line 1: a quote is not closed"));
        check("time,\"u1\"x\n0,1", Err("line 1: a comma is missing before `x`"));
    }
}
