//! Models from text, and their robustness.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs
)]

use dyverse_falsify::{Robustness, robustness};
use dyverse_lang::{ActorModel, Loaded, NoImports};
use dyverse_model::Model;
use dyverse_simulate::{RunOptions, simulate_with_contacts};

fn loaded(text: &str) -> Loaded {
    Loaded::named("test", text)
}

pub(crate) fn model(text: &str) -> Model {
    let reading = dyverse_lang::read(loaded(text), &mut NoImports);
    let found = format!("{:?}", reading.diagnostics);
    reading.model.expect(&found)
}

pub(crate) fn actors(text: &str) -> ActorModel {
    let reading = dyverse_lang::read_actors(loaded(text), &mut NoImports);
    let found = format!("{:?}", reading.diagnostics);
    reading.model.expect(&found)
}

/// The robustness of the property `p`, on the run up to the model's horizon.
pub(crate) fn measured(text: &str) -> Robustness {
    let model = model(text);
    let options = RunOptions {
        keep_pieces: true,
        ..RunOptions::default()
    };
    let (trace, closed) = simulate_with_contacts(&model, &options).unwrap();
    robustness(&model, "p", &options, &trace, &closed).unwrap()
}

/// A ball thrown up from y = 0 with 10 m/s under 10 m/s², and sideways with 1 m/s: y = 10 t − 5 t², x = t.
pub(crate) fn throw(property: &str) -> String {
    format!(
        "system throw
         entity ball {{ sphere(radius = 0.1)  mass = 1  position = (0, 0, 0)  velocity = (1, 10, 0) }}
         gravity (0, -10, 0)
         horizon 3
         property p: {property}"
    )
}
