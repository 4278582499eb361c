//! Outputs as lines (name, hash, length, telling numbers), and what differs between two makings.

use super::making::{LEFT_OUT, TOO_LONG};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) name: String,
    /// Hash, length and telling numbers.
    rest: String,
}

/// FNV-1a, 64 bits: the same for ever, on every machine.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// A line for each file of a folder, by name.
pub(super) fn lines(folder: &Path) -> Vec<Line> {
    let mut names = Vec::new();
    collect(folder, "", &mut names);
    names.sort();
    let line = |name: String| {
        let bytes = std::fs::read(folder.join(&name)).unwrap();
        let rest = format!("{:016x} {}{}", hash(&bytes), bytes.len(), telling(&name, &bytes));
        Line { name, rest }
    };
    names.into_iter().map(line).collect()
}

fn collect(folder: &Path, head: &str, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{head}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), names);
        } else {
            names.push(name);
        }
    }
}

/// Of a trace how it ended, of a check its verdicts, of a replay its verdict, of what is said the exit code.
fn telling(name: &str, bytes: &[u8]) -> String {
    let json = || serde_json::from_slice::<Value>(bytes).unwrap_or_default();
    let mut text = String::new();
    match name.split('/').next() {
        Some("trace" | "nodes") => {
            let trace = json();
            let count = |key: &str| trace[key].as_array().map_or(0, Vec::len);
            let (stop, transitions, samples) = (&trace["stop"], count("transitions"), count("samples"));
            write!(text, " transitions={transitions} samples={samples} stop={stop}").unwrap();
        }
        Some("check") => {
            let answer = json();
            let several = answer["properties"].as_array();
            for one in several.map_or_else(|| vec![&answer], |all| all.iter().collect()) {
                write!(text, " {}={}", word(&one["property"]), word(&one["verdict"])).unwrap();
            }
        }
        Some("replay") => write!(text, " {}", word(&json()["verdict"])).unwrap(),
        Some("said") => {
            let said = String::from_utf8_lossy(bytes);
            write!(text, " {}", said.lines().nth(1).unwrap_or_default()).unwrap();
        }
        _ => {}
    }
    text
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}

/// The file.
pub(super) fn told(lines: &[Line]) -> String {
    lines
        .iter()
        .map(|line| format!("{} {}\n", line.name, line.rest))
        .collect()
}

/// Lines of a file whose names contain a word.
pub(super) fn read(file: &Path, only: &str) -> Vec<Line> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let split = |line: &str| {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (name, rest) = (name.to_owned(), rest.to_owned());
        Line { name, rest }
    };
    text.lines()
        .map(split)
        .filter(|line| line.name.contains(only))
        .collect()
}

/// What differs between two makings.
pub(super) struct Differences {
    compared: usize,
    /// Each begins with a name.
    differ: Vec<String>,
    /// Calls that were left out or took too long in one of them, and which of the two.
    not_compared: Vec<String>,
}

/// The model of what a call says: `said/MODEL.CALL`, the ending of MODEL included.
fn model_of(said: &str) -> &str {
    let name = said.strip_prefix("said/").unwrap_or(said);
    let ends = [".drbt", ".dam"]
        .into_iter()
        .filter_map(|ending| Some(name.find(ending)? + ending.len()));
    ends.min().map_or(name, |end| &name[..end])
}

/// Lines, and the folder with the outputs.
type Made<'a> = (&'a [Line], &'a Path);

pub(super) fn differences(before: Made<'_>, now: Made<'_>) -> Differences {
    let by_name = |made: Made<'_>| -> BTreeMap<String, String> {
        let pair = |line: &Line| (line.name.clone(), line.rest.clone());
        made.0.iter().map(pair).collect()
    };
    let (old, new) = (by_name(before), by_name(now));
    let mut found = Differences {
        compared: 0,
        differ: Vec::new(),
        not_compared: Vec::new(),
    };
    // What such a call would have made is missing for that reason alone.
    let not_made = |rest: &String| [TOO_LONG, LEFT_OUT].into_iter().find(|why| rest.ends_with(why));
    let all = old.iter().chain(&new);
    let stopped = all.filter(|(_, rest)| not_made(rest).is_some());
    let stopped: Vec<&str> = stopped.map(|(name, _)| model_of(name)).collect();
    for name in old
        .keys()
        .chain(new.keys().filter(|name| !old.contains_key(*name)))
    {
        let sides = (old.get(name), new.get(name));
        let both = [sides.0, sides.1].into_iter().flatten();
        if let Some(why) = both.clone().find_map(not_made) {
            found.not_compared.push(format!("{name}: {why}"));
            continue;
        }
        if both.count() == 1 && stopped.iter().any(|model| name.contains(model)) {
            found.not_compared.push(format!(
                "{name}: made by one of the two only, where another call is not compared"
            ));
            continue;
        }
        found.compared += 1;
        match sides {
            (Some(old), Some(new)) if old == new => {}
            (Some(_), None) => found.differ.push(format!("{name}: no longer made")),
            (None, _) => found.differ.push(format!("{name}: not made before")),
            (Some(_), Some(_)) => {
                let text = |folder: &Path| std::fs::read(folder.join(name));
                let told = match (text(before.1), text(now.1)) {
                    (Ok(old), Ok(new)) => first_difference(&old, &new),
                    _ => "differs; the outputs are not beside the file".to_owned(),
                };
                found.differ.push(format!("{name}: {told}"));
            }
        }
    }
    found
}

impl Differences {
    pub(super) fn is_none(&self) -> bool {
        self.differ.is_empty()
    }

    pub(super) fn report(&self) -> String {
        let mut text = format!("{} of {} outputs differ", self.differ.len(), self.compared);
        for one in &self.differ {
            write!(text, "\n{one}").unwrap();
        }
        for name in &self.not_compared {
            write!(text, "\nnot compared: {name}").unwrap();
        }
        text
    }
}

/// Where two texts differ first, and how far their numbers are apart if they are the same but for these.
fn first_difference(old: &[u8], new: &[u8]) -> String {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let line = 1 + old.bytes().take(same).filter(|byte| *byte == b'\n').count();
    let (a, b) = (around(&old, same), around(&new, same));
    let mut text = format!("line {line}\n  before: {a}\n  now:    {b}");
    if let Some(numbers) = numbers_apart(&old, &new) {
        write!(text, "\n  {numbers}").unwrap();
    }
    text
}

/// The line around a place, shortened.
fn around(text: &str, place: usize) -> String {
    let bytes = text.as_bytes();
    let start = bytes
        .iter()
        .take(place)
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let end = bytes
        .iter()
        .skip(place)
        .position(|byte| *byte == b'\n')
        .map_or(bytes.len(), |at| place + at);
    let (from, to) = (start.max(place.saturating_sub(60)), end.min(place + 60));
    let (head, tail) = (
        if from > start { "…" } else { "" },
        if to < end { "…" } else { "" },
    );
    format!("{head}{}{tail}", String::from_utf8_lossy(&bytes[from..to]).trim())
}

/// Says by how much numbers differ, if nothing else does.
fn numbers_apart(old: &str, new: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_.+-".contains(c);
    let (mut a, mut b) = (old.split(|c| !is_part(c)), new.split(|c| !is_part(c)));
    let (mut count, mut most, mut pair) = (0, 0.0, None);
    loop {
        match (a.next(), b.next()) {
            (None, None) => break,
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => {
                let (u, v): (f64, f64) = (x.parse().ok()?, y.parse().ok()?);
                count += 1;
                let apart = (u - v).abs() / (1.0 + u.abs().max(v.abs()));
                if apart >= most {
                    (most, pair) = (apart, Some((x, y)));
                }
            }
            _ => return None,
        }
    }
    let (x, y) = pair?;
    Some(format!(
        "only numbers differ: {count}; farthest apart {x} and {y} ({most:.1e})"
    ))
}
