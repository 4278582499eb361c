//! Both kinds of model behind one face: their properties, unknowns, simulations and enclosures.

use crate::{CheckError, CheckOptions};
use dyverse_assemble::simulate_actors;
use dyverse_check::{Limits, Outcome, RefineOptions, Refined, explore_point, refine};
use dyverse_falsify::{Experiment, GraphExperiment, InputRange, ModelExperiment};
use dyverse_formulas::{Actors, Bodies, Evolution, Obstacle, Requirement, Switched, Unknown};
use dyverse_lang::ActorModel;
use dyverse_model::{Formula, Model, Parameter, Property, StateComponent};
use dyverse_proof::{Ends, Proof, Question, verify_parallel};
use dyverse_simulate::{RunOptions, Watch};
use dyverse_tick::{TickOptions, TickWatch};

/// A model that can be checked.
#[derive(Clone, Copy, Debug)]
pub enum Checkable<'m> {
    /// A rigid-body system.
    Bodies(&'m Model),
    /// An actor model.
    Actors(&'m ActorModel),
}

/// Ranges: name, least, largest.
pub(super) type Ranges = [(String, f64, f64)];

impl<'m> Checkable<'m> {
    /// The system's name.
    pub fn name(&self) -> &'m str {
        match self {
            Checkable::Bodies(model) => model.name(),
            Checkable::Actors(model) => model.graph.name(),
        }
    }
    /// All properties.
    pub fn properties(&self) -> &'m [Property] {
        match self {
            Checkable::Bodies(model) => model.properties(),
            Checkable::Actors(model) => model.graph.properties(),
        }
    }
    /// How long the model is meant to run, s.
    pub fn horizon(&self) -> Option<f64> {
        match self {
            Checkable::Bodies(model) => model.horizon(),
            Checkable::Actors(model) => model.graph.horizon(),
        }
    }
    /// All parameters.
    pub fn parameters(&self) -> &'m [Parameter] {
        match self {
            Checkable::Bodies(model) => model.parameters(),
            Checkable::Actors(model) => model.graph.parameters(),
        }
    }
    /// The names of all initial values that can be chosen, such as `ball.x`.
    pub fn initial_values(&self) -> Vec<String> {
        let Checkable::Bodies(model) = self else {
            return Vec::new();
        };
        let components = [
            StateComponent::POSITION,
            StateComponent::VELOCITY,
            StateComponent::ANGULAR_VELOCITY,
        ];
        let moving = model.entities().iter().filter(|entity| !entity.is_fixed);
        moving
            .flat_map(|entity| {
                let name = |c: &StateComponent| format!("{}.{}", entity.name, c.name());
                components.iter().flatten().map(name).collect::<Vec<_>>()
            })
            .collect()
    }

    pub(super) fn property(&self, name: &str) -> Result<&'m Property, CheckError> {
        let found = self.properties().iter().find(|p| p.name == name);
        let property = found.ok_or_else(|| CheckError::NoProperty(name.to_owned()))?;
        if self.horizon().is_none() && property.parts.iter().any(looks_on_for_ever) {
            return Err(CheckError::NoHorizon(name.to_owned()));
        }
        Ok(property)
    }

    pub(super) fn check_choices(&self, choices: &Ranges) -> Result<(), CheckError> {
        let initial = self.initial_values();
        for (name, lower, upper) in choices {
            let is_known = self.parameters().iter().any(|p| p.name == *name) || initial.contains(name);
            if !is_known {
                return Err(CheckError::NoUnknown(name.clone()));
            }
            if !(lower.is_finite() && upper.is_finite() && lower <= upper) {
                return Err(CheckError::BadRange(name.clone(), *lower, *upper));
            }
        }
        Ok(())
    }

    /// Runs that differ in the unknowns. `accuracy` multiplies the tolerances of the flow; inputs are unknown signals, constant on so many parts.
    pub(super) fn experiment(
        &self,
        property: &str,
        options: &CheckOptions,
        accuracy: f64,
        (inputs, parts): (&[InputRange], usize),
    ) -> Result<Box<dyn Experiment + 'm>, CheckError> {
        let (values, ranges): (Vec<_>, Vec<_>) = options
            .choices
            .iter()
            .cloned()
            .partition(|(_, low, high)| low == high);
        let is_parameter = |name: &String| self.parameters().iter().any(|p| p.name == *name);
        let (parameters, initial): (Vec<_>, Vec<_>) = values
            .into_iter()
            .map(|(name, value, _)| (name, value))
            .partition(|(name, _)| is_parameter(name));
        match *self {
            Checkable::Bodies(model) => {
                let watch = options.interrupt.clone();
                let mut run = RunOptions {
                    parameters,
                    initial,
                    watch: watch.map(|interrupt| Watch::new(move |_| interrupt.flow())),
                    ..RunOptions::default()
                };
                run.flow.relative *= accuracy;
                run.flow.absolute *= accuracy;
                let made = ModelExperiment::new(model, property, run);
                let made = made.map_err(|error| CheckError::Run(error.to_string()))?;
                Ok(Box::new(made.with_ranges(&ranges).with_inputs(inputs, parts)))
            }
            Checkable::Actors(model) => {
                let watch = options.interrupt.clone();
                let mut run = TickOptions {
                    parameters,
                    watch: watch.map(|interrupt| TickWatch::new(move |_| interrupt.flow())),
                    ..TickOptions::default()
                };
                run.flow.relative *= accuracy;
                run.flow.absolute *= accuracy;
                let simulate = move |options: &TickOptions| simulate_actors(model, options);
                let made = GraphExperiment::new(&model.graph, property, run, simulate);
                let made = made.map_err(|error| CheckError::Run(error.to_string()))?;
                Ok(Box::new(made.with_ranges(&ranges).with_inputs(inputs, parts)))
            }
        }
    }

    /// The unknowns of the formulas.
    pub(super) fn unknowns(
        &self,
        choices: &Ranges,
        requirement: &Requirement,
    ) -> Result<Vec<Unknown>, Obstacle> {
        match *self {
            Checkable::Bodies(model) => {
                let bodies = Bodies::new(model, choices, requirement.clone())?;
                Ok(Evolution::variables(&bodies).unknowns.clone())
            }
            Checkable::Actors(model) => {
                let actors = Actors::new(&model.graph, choices, requirement.clone())?;
                Ok(Evolution::variables(&actors).unknowns.clone())
            }
        }
    }

    /// Boxes of the unknowns, decided.
    pub(super) fn refine(
        &self,
        choices: &Ranges,
        requirement: &Requirement,
        options: &RefineOptions,
        watch: &(dyn Fn(f64, usize) -> bool + Sync),
    ) -> Result<Refined, Obstacle> {
        let horizon = requirement.horizon();
        match *self {
            Checkable::Bodies(model) => {
                let make = || bodies(model, choices, requirement);
                refine(&make, horizon, options, watch)
            }
            Checkable::Actors(model) => {
                let make = || actors(model, choices, requirement);
                refine(&make, horizon, options, watch)
            }
        }
    }

    /// Whether the independent checker accepts a proof.
    pub(super) fn accepts(&self, proof: &Proof, requirement: &Requirement, ends: Ends<'_>) -> bool {
        let question = Question {
            system: self.name().to_owned(),
            property: proof.property.clone(),
            horizon: requirement.horizon(),
            choices: proof.choices.clone(),
            inputs: proof.inputs.clone(),
        };
        let choices = &proof.choices;
        match *self {
            Checkable::Bodies(model) => {
                let make = || bodies(model, choices, requirement);
                verify_parallel(proof, &question, &make, 1, ends).is_ok()
            }
            Checkable::Actors(model) => {
                let make = || actors(model, choices, requirement);
                verify_parallel(proof, &question, &make, 1, ends).is_ok()
            }
        }
    }

    /// The trajectory of one point of the unknowns.
    pub(super) fn explore(
        &self,
        choices: &Ranges,
        requirement: &Requirement,
        limits: Limits,
        values: &[(String, f64)],
    ) -> Result<Outcome, Obstacle> {
        match *self {
            Checkable::Bodies(model) => {
                let make = || bodies(model, choices, requirement);
                explore(&make, requirement.horizon(), limits, values)
            }
            Checkable::Actors(model) => {
                let make = || actors(model, choices, requirement);
                explore(&make, requirement.horizon(), limits, values)
            }
        }
    }
}

/// A rigid-body model as a hybrid system of smooth formulas.
pub(super) fn bodies<'m>(
    model: &'m Model,
    choices: &Ranges,
    requirement: &Requirement,
) -> Result<Switched<Bodies<'m>>, Obstacle> {
    Bodies::new(model, choices, requirement.clone()).map(Switched::new)
}

/// An actor model as a hybrid system of smooth formulas.
pub(super) fn actors(
    model: &ActorModel,
    choices: &Ranges,
    requirement: &Requirement,
) -> Result<Switched<Actors>, Obstacle> {
    Actors::new(&model.graph, choices, requirement.clone()).map(Switched::new)
}

fn explore<E: Evolution>(
    make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
    horizon: f64,
    limits: Limits,
    values: &[(String, f64)],
) -> Result<Outcome, Obstacle> {
    let mut point = Vec::new();
    for unknown in &make()?.variables().unknowns {
        let found = values.iter().find(|(name, _)| *name == unknown.name);
        let (_, value) = found.ok_or_else(|| Obstacle {
            what: format!("`{}` has no value", unknown.name),
        })?;
        point.push(*value);
    }
    explore_point(make, horizon, limits, &point)
}

fn looks_on_for_ever(part: &Formula) -> bool {
    matches!(
        part,
        Formula::Always(None, _) | Formula::Eventually(None, _) | Formula::Until(None, ..)
    )
}
