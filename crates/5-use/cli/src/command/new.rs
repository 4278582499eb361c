//! `dyverse new`: a first model.

use crate::CommandResult;
use crate::arguments::{Format, New};
use crate::outcome::{Failure, Outcome};
use crate::output::write_output;
use dyverse::{ACTOR_TEMPLATE, TEMPLATE};
use std::path::PathBuf;

pub(crate) fn run(options: &New) -> CommandResult {
    let (name, ending) = match options.name.strip_suffix(".dam") {
        Some(name) => (name, "dam"),
        None => (
            options.name.strip_suffix(".drbt").unwrap_or(&options.name),
            "drbt",
        ),
    };
    let is_of_actors = ending == "dam";
    let template = if is_of_actors { ACTOR_TEMPLATE } else { TEMPLATE };
    let text = template.replace("NAME", name);
    // What is written must be a model: a name that is none of the language's would break it.
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_model = || {
        if is_of_actors {
            dyverse::read_actors_text("new", &text).model.is_some()
        } else {
            dyverse::read_text("new", &text).model.is_some()
        }
    };
    if !is_name || !is_model() {
        return Err(Failure::call(format!("`{name}` cannot be the name of a system"))
            .with_help("use letters, digits and _, beginning with a letter; not a word of the language"));
    }
    let path = PathBuf::from(format!("{name}.{ending}"));
    if path.exists() && !options.force {
        return Err(wrong!("{} is there already", path.display(); help "`--force` replaces it"));
    }
    write_output(Some(&path), |out| out.write_all(text.as_bytes()))?;
    let said = match options.format {
        Format::Text => format!(
            "wrote {0}; next: dyverse simulate {0}, dyverse check {0}\n",
            path.display()
        ),
        Format::Json => format!(
            "{:#}\n",
            serde_json::json!({ "wrote": path.display().to_string() })
        ),
    };
    write_output(None, |out| out.write_all(said.as_bytes()))?;
    Ok(Outcome::Done)
}
