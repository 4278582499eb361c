//! A model of either kind: what is decided of its boxes, and its runs.

use dyverse::check::Checkable;
use dyverse::model::Model;
use dyverse::{ActorModel, InputSignal, RunOptions, TickOptions};
use dyverse_check::{Interrupt, Limits, RefineOptions, Refined, refine};
use dyverse_falsify::{Experiment, GraphExperiment, ModelExperiment, Unknown};
use dyverse_formulas::{Actors, Bodies, Evolution, Obstacle, Requirement, Switched};

use std::time::{Duration, Instant};

use super::closed::course::Course;
use super::closed::scene::Words;
use super::traces::{Body, of_actors, of_bodies};

/// A part of a trial is told to end after this, s: what is decided, simulated, proved, judged.
pub(crate) const LIMIT: f64 = 5.0;

/// Ends a part of a trial that began then.
pub(crate) fn over_at(begin: Instant) -> Interrupt {
    let end = begin + Duration::from_secs_f64(LIMIT);
    Interrupt::new(move || Instant::now() > end)
}

/// Samples of a run, beside those of its events.
const SAMPLES: f64 = 60.0;

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

    /// What is open in it, with its ranges.
    pub(crate) fn unknowns(&self) -> Vec<Unknown> {
        match self {
            Subject::Bodies(model) => {
                let experiment = ModelExperiment::new(model, "p", RunOptions::default()).unwrap();
                experiment.unknowns().to_vec()
            }
            Subject::Actors(model) => {
                let simulate = |options: &TickOptions| dyverse::simulate_actors(model, options);
                let options = TickOptions::default();
                let experiment = GraphExperiment::new(&model.graph, "p", options, simulate).unwrap();
                experiment.unknowns().to_vec()
            }
        }
    }

    /// A run with these values, as a course; or why there is none. `wanted` are times to be seen beside samples.
    pub(crate) fn run(
        &self,
        watched: &Watched<'_>,
        values: &[(String, f64)],
        accuracy: Accuracy,
    ) -> Result<Ran, String> {
        match self {
            Subject::Bodies(model) => {
                let is_parameter = |name: &str| model.parameters().iter().any(|p| p.name == name);
                let (parameters, initial) = values.iter().cloned().partition(|v| is_parameter(&v.0));
                let mut options = RunOptions {
                    parameters,
                    initial,
                    inputs: watched.inputs.to_vec(),
                    sample_every: Some(watched.words.horizon.f64() / SAMPLES),
                    keep_pieces: watched.needs_forces || !watched.wanted.is_empty(),
                    // Runs that chatter are given up soon.
                    event_limit: 400,
                    ..RunOptions::default()
                };
                options.flow.relative *= accuracy.factor();
                options.flow.absolute *= accuracy.factor();
                let (trace, closed) = dyverse_simulate::simulate_with_contacts(model, &options)
                    .map_err(|error| error.to_string())?;
                let forces = watched.needs_forces.then_some(closed.as_slice());
                let course = of_bodies(model, &options, (&trace, forces), watched.shapes, watched.wanted);
                Ok(Ran {
                    course,
                    is_complete: trace.stop.reason.is_complete(),
                })
            }
            Subject::Actors(model) => {
                let mut options = TickOptions {
                    parameters: values.to_vec(),
                    inputs: watched.inputs.to_vec(),
                    sample_every: Some(watched.words.horizon.f64() / SAMPLES),
                    keep_pieces: !watched.wanted.is_empty(),
                    event_limit: 400,
                    ..TickOptions::default()
                };
                options.flow.relative *= accuracy.factor();
                options.flow.absolute *= accuracy.factor();
                let trace = dyverse::simulate_actors(model, &options).map_err(|error| error.to_string())?;
                Ok(Ran {
                    course: of_actors(&trace, watched.words, watched.wanted),
                    is_complete: trace.stop.reason.is_complete(),
                })
            }
        }
    }
}

/// What is looked at in a run.
pub(crate) struct Watched<'a> {
    pub(crate) words: &'a Words,
    pub(crate) shapes: &'a [Body],
    pub(crate) inputs: &'a [(String, InputSignal)],
    /// Times to be seen beside samples.
    pub(crate) wanted: &'a [f64],
    pub(crate) needs_forces: bool,
}

/// A run.
pub(crate) struct Ran {
    pub(crate) course: Course,
    /// Whether it went to its horizon.
    pub(crate) is_complete: bool,
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

/// Not many boxes, of few steps, and not for long.
pub(crate) fn modest(boxes: usize) -> RefineOptions {
    RefineOptions {
        smallest: 0.03,
        boxes,
        limits: Limits {
            interrupt: Some(over_at(Instant::now())),
            ..limits()
        },
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
