//! `dyverse demo`: what dyverse is for, on the interception game: a run, a refutation, a proof, a page.
//!
//! It gives the very commands that it shows, so what it shows is what they do.

use crate::CommandResult;
use crate::arguments::{Arguments, Command, Demo};
use crate::outcome::{Failure, Outcome};
use crate::output::{Batch, write_output};
use clap::Parser;
use dyverse::EXAMPLES;
use std::path::Path;

const EXAMPLE: &str = "interception.drbt";

pub(crate) fn run(options: &Demo) -> CommandResult {
    let folder = &options.folder;
    let mut batch = Batch::default();
    batch.folder(folder)?;
    let model = folder.join(EXAMPLE);
    let page = folder.join("interception.html");
    let text = EXAMPLES.iter().find(|e| e.file == EXAMPLE).map_or("", |e| e.text);
    if model.exists() {
        say(&format!("{} is there and is taken as it is.\n", model.display()))?;
    } else {
        batch.add(&model, text.as_bytes())?;
    }
    batch.keep()?;
    let steps: [(&str, &[&str], Outcome); 4] = [
        (
            "Ball 2 must keep ball 1 in the air; K is the gain of its controller, anything from 1 to 3. A run:",
            &["simulate"],
            Outcome::Done,
        ),
        (
            "Is ball 1 kept above the ground for every K?",
            &["check"],
            Outcome::Unsafe,
        ),
        (
            "And for every K from 2 to 3?",
            &["check", "--set", "K=[2,3]"],
            Outcome::Done,
        ),
        ("The run as a page:", &["view", "--output"], Outcome::Done),
    ];
    let mut outcome = Outcome::Done;
    for (about, words, expected) in steps {
        let came = step(about, words, &model, &page)?;
        if let Outcome::Interrupted(_) = came {
            return Ok(came);
        }
        if came != expected && outcome == Outcome::Done {
            outcome = came;
        }
    }
    say(&format!(
        "\nOpen {} in a browser. Change {} and run the commands again, or: dyverse studio {}\n",
        page.display(),
        model.display(),
        folder.display()
    ))?;
    Ok(outcome)
}

/// Shows a command, and runs it.
fn step(about: &str, words: &[&str], model: &Path, page: &Path) -> CommandResult {
    let mut call: Vec<String> = vec!["dyverse".to_owned()];
    call.extend(words.iter().take(1).map(ToString::to_string));
    call.push(model.display().to_string());
    call.extend(words.iter().skip(1).map(ToString::to_string));
    if words.contains(&"--output") {
        call.push(page.display().to_string());
    }
    say(&format!("\n{about}\n$ {}\n", call.join(" ")))?;
    let parsed = Arguments::try_parse_from(&call)
        .map_err(|error| Failure::call(format!("the demonstration has a wrong call: {error}")))?;
    match &parsed.command {
        Command::Simulate(options) => super::simulate::run(options),
        Command::Check(options) => super::check::run(options),
        Command::View(options) => super::view::run(options),
        _ => Ok(Outcome::Done),
    }
}

fn say(text: &str) -> Result<(), Failure> {
    write_output(None, |out| out.write_all(text.as_bytes()))
}
