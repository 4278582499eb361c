//! Readers of both formats, an executor for what they read, and models.
#![allow(
    dead_code,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs
)]

pub(crate) mod drh;
pub(crate) mod expression;
pub(crate) mod sspaceex;
pub(crate) mod system;

use dyverse_interchange::{InterchangeOptions, Source, write_dreach, write_spaceex};
use dyverse_lang::{ActorModel, Loaded, NoImports};
use dyverse_model::Model;
use system::System;

fn loaded(text: &str) -> Loaded {
    Loaded::named("test", text)
}

pub(crate) fn model(text: &str) -> Model {
    let reading = dyverse_lang::read(loaded(text), &mut NoImports);
    let found = format!("{:?}\n{text}", reading.diagnostics);
    reading.model.expect(&found)
}

pub(crate) fn actors(text: &str) -> ActorModel {
    let reading = dyverse_lang::read_actors(loaded(text), &mut NoImports);
    let found = format!("{:?}\n{text}", reading.diagnostics);
    reading.model.expect(&found)
}

fn text(file: &str) -> String {
    let path = format!("{}/../../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path)
}

pub(crate) fn example(name: &str) -> Model {
    model(&text(&format!("{name}.drbt")))
}

pub(crate) fn actor_example(name: &str) -> ActorModel {
    actors(&text(&format!("actors/{name}.dam")))
}

/// Options of a property, with parameters fixed.
pub(crate) fn asking(property: Option<&str>, chosen: &[(&str, f64)]) -> InterchangeOptions {
    InterchangeOptions {
        property: property.map(str::to_owned),
        choices: chosen.iter().map(|(n, v)| ((*n).to_owned(), *v, *v)).collect(),
        ..InterchangeOptions::default()
    }
}

pub(crate) fn dreach(source: Source<'_>, options: &InterchangeOptions) -> System {
    let text = write_dreach(source, options).unwrap_or_else(|h| panic!("{h}"));
    let system = drh::parse(&text);
    system.check();
    system
}

pub(crate) fn spaceex(source: Source<'_>, options: &InterchangeOptions) -> System {
    let files = write_spaceex(source, options).unwrap_or_else(|h| panic!("{h}"));
    let system = sspaceex::parse(&files);
    system.check();
    system
}
