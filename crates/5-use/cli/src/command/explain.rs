//! `dyverse explain`: the long form of a message's code.

use crate::CommandResult;
use crate::arguments::{Explain, Format};
use crate::outcome::{Failure, Outcome};
use crate::output::write_output;
use dyverse::diag::{CATALOGUE, Code, closest, find_code};
use serde_json::{Value, json};

pub(crate) fn run(options: &Explain) -> CommandResult {
    let text = match (&options.code, options.format) {
        (None, Format::Text) => CATALOGUE
            .iter()
            .map(|c| format!("{}  {}\n", c.id(), c.title()))
            .collect(),
        (None, Format::Json) => pretty(&Value::from_iter(CATALOGUE.iter().map(|c| as_json(*c)))),
        (Some(id), format) => {
            let code = find_code(id.trim()).ok_or_else(|| unknown(id))?;
            if format == Format::Json {
                pretty(&as_json(code))
            } else {
                long_form(code)
            }
        }
    };
    write_output(None, |out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Done)
}

fn long_form(code: Code) -> String {
    format!(
        "{}: {} ({})\n\n{}\n",
        code.id(),
        code.title(),
        code.family(),
        code.explanation()
    )
}

fn as_json(code: Code) -> Value {
    json!({
        "code": code.id(),
        "family": code.family().to_string(),
        "title": code.title(),
        "explanation": code.explanation(),
    })
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn unknown(id: &str) -> Failure {
    let failure = Failure::call(format!("no message has the code {id}"));
    match closest(id, CATALOGUE.iter().map(|c| c.id())) {
        Some(near) => failure.with_help(format!("did you mean {near}? `dyverse explain` lists all")),
        None => failure.with_help("`dyverse explain` lists all codes"),
    }
}
