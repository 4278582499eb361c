//! A model of either kind: what is decided of its boxes, and its runs.

use dyverse::check::Checkable;
use dyverse::model::Model;
use dyverse::{ActorModel, RunOptions, TickOptions};
use dyverse_check::{Limits, RefineOptions, Refined, refine};
use dyverse_equations::{Actors, Bodies, Evolution, Obstacle, Requirement, Switched};
use dyverse_falsify::{Experiment, Failure, GraphExperiment, Measured, ModelExperiment, Unknown};

/// Tolerances of the flow in the thousands of runs, times the usual ones: 1e-10 of the state. What such a run contradicts, an accurate run must contradict too.
const COARSE: f64 = 1000.0;

/// How accurate a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accuracy {
    Usual,
    Coarse,
}

impl Accuracy {
    fn factor(self) -> f64 {
        match self {
            Accuracy::Usual => 1.0,
            Accuracy::Coarse => COARSE,
        }
    }
}

/// A model with one property, `p`.
pub(crate) enum Subject {
    Bodies(Box<Model>),
    Actors(Box<ActorModel>),
}

/// Runs a model with values of its unknowns, by name, and measures `p`.
pub(crate) type Run<'a> = dyn Fn(&[(String, f64)]) -> Result<Measured, Failure> + 'a;

impl Subject {
    pub(crate) fn new(text: &str, is_modal: bool) -> Self {
        if is_modal {
            let reading = dyverse::read_actors_text("random", text);
            let found = format!("{:?}\n{text}", reading.diagnostics);
            Subject::Actors(Box::new(reading.model.expect(&found)))
        } else {
            let reading = dyverse::read_text("random", text);
            let found = format!("{:?}\n{text}", reading.diagnostics);
            Subject::Bodies(Box::new(reading.model.expect(&found)))
        }
    }

    /// `None` if the model is refused.
    pub(crate) fn read(text: &str, is_modal: bool) -> Option<Self> {
        if is_modal {
            let model = dyverse::read_actors_text("random", text).model;
            model.map(|model| Subject::Actors(Box::new(model)))
        } else {
            let model = dyverse::read_text("random", text).model;
            model.map(|model| Subject::Bodies(Box::new(model)))
        }
    }

    pub(crate) fn checkable(&self) -> Checkable<'_> {
        match self {
            Subject::Bodies(model) => Checkable::Bodies(model),
            Subject::Actors(model) => Checkable::Actors(model),
        }
    }

    fn requirement(&self) -> Result<Requirement, Obstacle> {
        let subject = self.checkable();
        Requirement::new(&subject.properties()[0], subject.horizon())
    }

    /// Boxes of the unknowns, decided; and the names of their sides.
    pub(crate) fn decide(&self, options: &RefineOptions) -> Result<(Refined, Vec<String>), Obstacle> {
        let requirement = self.requirement()?;
        match self {
            Subject::Bodies(model) => {
                let make = || Bodies::new(model, &[], requirement.clone()).map(Switched::new);
                decided(&make, requirement.horizon(), options)
            }
            Subject::Actors(model) => {
                let make = || Actors::new(&model.graph, &[], requirement.clone()).map(Switched::new);
                decided(&make, requirement.horizon(), options)
            }
        }
    }

    /// Calls `then` with the unknowns of the runs, and with something that makes one.
    pub(crate) fn with_runs<T>(&self, accuracy: Accuracy, then: impl FnOnce(&[Unknown], &Run<'_>) -> T) -> T {
        match self {
            Subject::Bodies(model) => {
                // Runs that chatter are given up soon.
                let mut options = RunOptions {
                    event_limit: 400,
                    ..RunOptions::default()
                };
                options.flow.relative *= accuracy.factor();
                options.flow.absolute *= accuracy.factor();
                let experiment = ModelExperiment::new(model, "p", options).unwrap();
                let unknowns = experiment.unknowns().to_vec();
                then(&unknowns, &|values| experiment.run(&at(&unknowns, values)))
            }
            Subject::Actors(model) => {
                let mut options = TickOptions::default();
                options.flow.relative *= accuracy.factor();
                options.flow.absolute *= accuracy.factor();
                let simulate = |options: &TickOptions| dyverse::simulate_actors(model, options);
                let experiment = GraphExperiment::new(&model.graph, "p", options, simulate).unwrap();
                let unknowns = experiment.unknowns().to_vec();
                then(&unknowns, &|values| experiment.run(&at(&unknowns, values)))
            }
        }
    }
}

fn decided<E: Evolution>(
    make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
    horizon: f64,
    options: &RefineOptions,
) -> Result<(Refined, Vec<String>), Obstacle> {
    let evolution = make()?;
    let unknowns = evolution.variables().unknowns.iter();
    let names = unknowns.map(|u| u.name.clone()).collect();
    Ok((refine(make, horizon, options, &|_, _| true)?, names))
}

/// One value for each unknown; what is not named has that of the middle.
fn at(unknowns: &[Unknown], values: &[(String, f64)]) -> Vec<f64> {
    let value = |u: &Unknown| {
        let found = values.iter().find(|(name, _)| *name == u.name);
        found.map_or(0.5 * (u.lower + u.upper), |(_, v)| v.clamp(u.lower, u.upper))
    };
    unknowns.iter().map(value).collect()
}

/// Not many boxes, of few steps.
pub(crate) fn modest(boxes: usize) -> RefineOptions {
    RefineOptions {
        smallest: 0.03,
        boxes,
        limits: limits(),
        ..RefineOptions::default()
    }
}

pub(crate) fn limits() -> Limits {
    Limits {
        steps: 60,
        depth: 16,
        ..Limits::default()
    }
}
