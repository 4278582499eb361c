//! Models from text, and boxes of their unknowns.

use dyverse_check::{RefineOptions, Refined, refine};
use dyverse_formulas::{Actors, Bodies, Obstacle, Requirement, Switched};
use dyverse_lang::{ActorModel, Loaded, NoImports};
use dyverse_model::Model;

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

/// A property of a rigid-body model, decided.
pub(crate) fn decide_bodies(
    model: &Model,
    property: &str,
    options: &RefineOptions,
) -> Result<Refined, Obstacle> {
    let property = model.properties().iter().find(|p| p.name == property).unwrap();
    let requirement = Requirement::new(property, model.horizon())?;
    let make = || Bodies::new(model, &[], requirement.clone()).map(Switched::new);
    refine(&make, requirement.horizon(), options, &|_, _| true)
}

/// A property of an actor model, decided.
pub(crate) fn decide_actors(
    model: &ActorModel,
    property: &str,
    options: &RefineOptions,
) -> Result<Refined, Obstacle> {
    let graph = &model.graph;
    let property = graph.properties().iter().find(|p| p.name == property).unwrap();
    let requirement = Requirement::new(property, graph.horizon())?;
    let make = || Actors::new(graph, &[], requirement.clone()).map(Switched::new);
    refine(&make, requirement.horizon(), options, &|_, _| true)
}
