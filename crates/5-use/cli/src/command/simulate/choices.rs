//! Parameters and inputs that the call chooses.

use crate::files::read_table_text;
use crate::outcome::Failure;
use crate::table::read_table;
use dyverse::actors::Graph;
use dyverse::check::Steps;
use dyverse::diag::closest;
use dyverse::expr::NodeId;
use dyverse::model::{Input, Model, Parameter, Setting};
use dyverse::{InputSignal, parameter_values};
use std::path::Path;

/// The values of `--set`: of parameters, and of initial values such as `ball.x`.
pub(super) fn parameters(
    declared: &[Parameter],
    initial: &[String],
    given: &[String],
) -> Result<Vec<(String, f64)>, Failure> {
    let mut chosen = Vec::new();
    for text in given {
        let (name, value) = split("--set", "K=2", text)?;
        check_set(declared, initial, name, &chosen)?;
        chosen.push((name.to_owned(), finite("--set", name, value)?));
    }
    Ok(chosen)
}

/// Refuses what `--set` cannot set.
pub(crate) fn check_set<T>(
    declared: &[Parameter],
    initial: &[String],
    name: &str,
    chosen: &[(String, T)],
) -> Result<(), Failure> {
    let mut known: Vec<&str> = declared.iter().map(|p| p.name.as_str()).collect();
    let what = if name.contains('.') && !initial.is_empty() {
        known.extend(initial.iter().map(String::as_str));
        "initial value"
    } else {
        "parameter"
    };
    check_name("--set", what, name, &known, chosen)
}

/// The values of `--set` where only the names of what can be set are known.
pub(super) fn parameters_by_name(known: &[&str], given: &[String]) -> Result<Vec<(String, f64)>, Failure> {
    let mut chosen = Vec::new();
    for text in given {
        let (name, value) = split("--set", "K=2", text)?;
        check_name("--set", "parameter", name, known, &chosen)?;
        chosen.push((name.to_owned(), finite("--set", name, value)?));
    }
    Ok(chosen)
}

/// The signals of `--input`: numbers, or tables from files.
pub(crate) fn inputs(declared: &[Input], given: &[String]) -> Result<Vec<(String, InputSignal)>, Failure> {
    let known: Vec<&str> = declared.iter().map(|i| i.name.as_str()).collect();
    inputs_by_name(&known, given)
}

/// The same where only the names of the inputs are known.
pub(super) fn inputs_by_name(
    known: &[&str],
    given: &[String],
) -> Result<Vec<(String, InputSignal)>, Failure> {
    let mut chosen = Vec::new();
    for text in given {
        let (name, value) = split("--input", "u=2 or u=table.csv", text)?;
        check_name("--input", "input", name, known, &chosen)?;
        let signal = if value.parse::<f64>().is_ok() {
            InputSignal::Constant(finite("--input", name, value)?)
        } else if let Some(steps) = steps(value) {
            let signal = Steps {
                name: name.to_owned(),
                steps,
            };
            let signal = signal.signal();
            if !signal.is_good() {
                return Err(
                    wrong!("--input {name}={value}: times must ascend, and all be finite";
                    help "such as --input {name}=0:1,0.5:-1"),
                );
            }
            signal
        } else {
            table(name, Path::new(value), known)?
        };
        chosen.push((name.to_owned(), signal));
    }
    Ok(chosen)
}

/// `0:1,0.5:-1`: the value 1 from 0 s on, and −1 from 0.5 s on.
fn steps(text: &str) -> Option<Vec<(f64, f64)>> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let step = |part: &str| {
        let (time, value) = part.split_once(':')?;
        Some((number(time)?, number(value)?))
    };
    text.split(',').map(step).collect()
}

fn table(name: &str, path: &Path, known: &[&str]) -> Result<InputSignal, Failure> {
    let text = read_table_text(path).map_err(|failure| {
        failure.with_help(format!(
            "--input {name}=… takes a number or a table of times and values"
        ))
    })?;
    let others: Vec<&str> = known.iter().copied().filter(|other| *other != name).collect();
    let table = read_table(&text, name, &others)
        .map_err(|error| Failure::call(format!("{}, {error}", path.display())))?;
    Ok(InputSignal::Table {
        times: table.times,
        values: table.values,
    })
}

pub(crate) fn split<'a>(option: &str, example: &str, text: &'a str) -> Result<(&'a str, &'a str), Failure> {
    let parts = text
        .split_once('=')
        .map(|(name, value)| (name.trim(), value.trim()));
    parts
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| wrong!("{option} {text} has no name and value"; help "such as {option} {example}"))
}

pub(crate) fn finite(option: &str, name: &str, text: &str) -> Result<f64, Failure> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| Failure::call(format!("{option} {name}={text}: `{text}` is no finite number")))
}

/// The name must be known, and new.
pub(crate) fn check_name<T>(
    option: &str,
    what: &str,
    name: &str,
    known: &[&str],
    chosen: &[(String, T)],
) -> Result<(), Failure> {
    if chosen.iter().any(|(other, _)| other == name) {
        return Err(Failure::call(format!("{option} gives `{name}` twice")));
    }
    if known.contains(&name) {
        return Ok(());
    }
    let failure = Failure::call(format!("the model has no {what} `{name}`"));
    Err(match closest(name, known.iter().copied()) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None if known.is_empty() => failure.with_help(format!("it has no {what}s at all")),
        None => failure.with_help(format!("it has {}", some_of(known))),
    })
}

/// The first names.
fn some_of(names: &[&str]) -> String {
    const MOST: usize = 12;
    let more = if names.len() > MOST { ", …" } else { "" };
    names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ") + more
}

/// What a call chooses: parameters and inputs by name.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'a> {
    pub(super) parameters: &'a [(String, f64)],
    pub(super) inputs: &'a [(String, InputSignal)],
}

impl Chosen<'_> {
    fn parameter(&self, name: &str) -> Option<f64> {
        let found = self.parameters.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| *value)
    }
}

/// Says which values lie outside the ranges that the model declares. Runs may: a range says what is to be verified.
pub(super) fn note_ranges(model: &Model, chosen: Chosen<'_>) {
    let setting = Setting::with(model, f64::NAN, |id, kind, value| {
        let name = model
            .parameters()
            .get(id.0 as usize)
            .map_or("", |p| p.name.as_str());
        chosen.parameter(name).unwrap_or_else(|| value(kind.nominal()))
    });
    note_outside(model.parameters(), model.inputs(), chosen, |node| {
        setting.value(node)
    });
}

/// The same for an actor model.
pub(super) fn note_ranges_of_actors(graph: &Graph, chosen: Chosen<'_>) {
    // Values that are not finite are refused when the run begins.
    let Ok(values) = parameter_values(graph, chosen.parameters) else {
        return;
    };
    note_outside(graph.parameters(), graph.inputs(), chosen, |node| {
        graph.constant(node, &values)
    });
}

fn note_outside(
    parameters: &[Parameter],
    inputs: &[Input],
    chosen: Chosen<'_>,
    value_of: impl Fn(NodeId) -> f64,
) {
    for parameter in parameters {
        if let (Some(value), Some((lower, upper))) =
            (chosen.parameter(&parameter.name), parameter.kind.range())
        {
            note(&parameter.name, value, value, value_of(lower), value_of(upper));
        }
    }
    for (name, signal) in chosen.inputs {
        let range = inputs.iter().find(|i| i.name == *name).and_then(|i| i.range);
        let Some((lower, upper)) = range else { continue };
        let values = match signal {
            InputSignal::Constant(value) => std::slice::from_ref(value),
            InputSignal::Table { values, .. } => values,
        };
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        note(name, least, largest, value_of(lower), value_of(upper));
    }
}

fn note(name: &str, least: f64, largest: f64, lower: f64, upper: f64) {
    for value in [least, largest] {
        if value < lower || value > upper {
            say!("note: {name} = {value} lies outside its range [{lower}, {upper}]");
            return;
        }
    }
}
