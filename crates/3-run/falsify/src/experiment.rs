//! Experiments: choose values for what a model leaves open, simulate, measure a property.

use crate::actors::ActorProperty;
use crate::bodies::robustness;
use crate::inputs::{Driven, InputRange, Steps};
use crate::robustness::{Robustness, Unmeasurable};
use dyverse_actors::Graph;
use dyverse_model::{Formula, Initial, Model, Parameter, ParameterKind, Setting, StateComponent};
use dyverse_simulate::{RunError, RunOptions, simulate_with_contacts};
use dyverse_tick::{TickError, TickOptions, parameter_values};
use dyverse_trace::{Stop, Trace, told};
use std::fmt;

/// Something that a model leaves open.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Its name: of a parameter, or of an initial value such as `ball.x`.
    pub name: String,
    /// Its least value.
    pub lower: f64,
    /// Its largest value.
    pub upper: f64,
}

/// What a simulation showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// How far the run is from breaking the property.
    pub robustness: Robustness,
}

told! {
/// Why a simulation shows nothing about a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The values are not in a range that depends on other values.
    OutOfRange(name: String) => "`{name}` is out of its range";
    /// A rigid-body run cannot begin.
    Bodies(error: RunError) => "{error}";
    /// An actor model was refused, before or during the run.
    Actors(error: TickError) => "{error}";
    /// The run ended before it could show anything.
    Stopped(stop: Stop) => "the run stopped at {}: {}", stop.time, stop.reason;
    /// The run went to its end, and what the property asks is not decided there.
    Undecided => "the run does not go far enough to decide the property";
    /// The property cannot be measured.
    Unmeasurable(error: Unmeasurable) => "{error}";
}
}

impl std::error::Error for Failure {}

/// Runs that differ in the values of unknowns.
pub trait Experiment: Sync {
    /// What is open.
    fn unknowns(&self) -> &[Unknown];
    /// Simulates with these values, one for each unknown, and measures. The same values give the same result.
    ///
    /// # Errors
    /// [`Failure`] if that shows nothing.
    fn run(&self, point: &[f64]) -> Result<Measured, Failure>;
    /// The signals of inputs that a point chooses; the values for them are its last.
    fn signals(&self, _point: &[f64]) -> Vec<Steps> {
        Vec::new()
    }
}

/// How far into the future a formula looks, s; `None`: for ever.
fn reach(parts: &[Formula]) -> Option<f64> {
    let mut reaches: Vec<Option<f64>> = Vec::new();
    for part in parts {
        let of = |id: &dyverse_model::FormulaId| reaches.get(id.0 as usize).copied().flatten();
        let largest = |a, b| Some(f64::max(of(a)?, of(b)?));
        reaches.push(match part {
            Formula::Now(_) => Some(0.0),
            Formula::Not(a) => of(a),
            Formula::And(a, b) | Formula::Or(a, b) => largest(a, b),
            Formula::Always(window, a) | Formula::Eventually(window, a) => {
                window.and_then(|w| Some(w.to + of(a)?))
            }
            Formula::Until(window, a, b) => window.and_then(|w| Some(w.to + largest(a, b)?)),
        });
    }
    reaches.last().copied().flatten()
}

/// How long to run: what the call says, else as far as the property looks, else the model's own horizon.
fn horizon(asked: Option<f64>, parts: &[Formula], own: Option<f64>) -> Option<f64> {
    asked.or(reach(parts).filter(|t| *t > 0.0)).or(own)
}

/// A trace's measurement as the result of an experiment: a run that stopped early counts only for what it shows.
fn judged(trace: &Trace, robustness: Robustness) -> Result<Measured, Failure> {
    if robustness.is_violated() {
        return Ok(Measured { robustness });
    }
    if !trace.stop.reason.is_complete() {
        return Err(Failure::Stopped(trace.stop.clone()));
    }
    if robustness.value == f64::INFINITY || robustness.value.is_nan() {
        return Err(Failure::Undecided);
    }
    Ok(Measured { robustness })
}

/// Runs of a rigid-body model: its ranged parameters and ranged initial values are the unknowns, except for those that the options set.
#[derive(Debug)]
pub struct ModelExperiment<'m> {
    model: &'m Model,
    property: String,
    options: RunOptions,
    unknowns: Vec<Unknown>,
    /// How many of the unknowns are parameters; the rest are initial values.
    parameters: usize,
    /// Those whose ranges are not the model's.
    chosen: Vec<String>,
    /// How many of the unknowns are of no input: they come first.
    own: usize,
    driven: Driven,
}

impl<'m> ModelExperiment<'m> {
    /// Of a property by its name.
    ///
    /// # Errors
    /// [`Unmeasurable::NoProperty`].
    pub fn new(model: &'m Model, property: &str, options: RunOptions) -> Result<Self, Unmeasurable> {
        let found = model.properties().iter().find(|p| p.name == property);
        let found = found.ok_or_else(|| Unmeasurable::NoProperty(property.to_owned()))?;
        let (nominal, whole) = (Setting::nominal(model), Setting::enclosing(model));
        let range = |name: String, lower, upper| {
            let (low, high) = (whole.value(lower).lo(), whole.value(upper).hi());
            Unknown {
                name,
                lower: widened(nominal.value(lower), low),
                upper: widened(nominal.value(upper), high),
            }
        };
        let mut unknowns = Vec::new();
        for parameter in model.parameters() {
            if let ParameterKind::Range { lower, upper, .. } = parameter.kind
                && !options.parameters.iter().any(|(name, _)| *name == parameter.name)
            {
                unknowns.push(range(parameter.name.clone(), lower, upper));
            }
        }
        let parameters = unknowns.len();
        for (name, initial) in initials(model) {
            if let Initial::Range(lower, upper) = initial
                && options.start.is_none()
                && !options.initial.iter().any(|(n, _)| *n == name)
            {
                unknowns.push(range(name, lower, upper));
            }
        }
        let until = horizon(options.until, &found.parts, model.horizon());
        let options = RunOptions {
            until,
            keep_pieces: true,
            // Samples are not read: pieces are.
            sample_every: options.sample_every.or(until),
            ..options
        };
        Ok(ModelExperiment {
            model,
            property: property.to_owned(),
            options,
            unknowns,
            parameters,
            chosen: Vec::new(),
            own: usize::MAX,
            driven: Driven::default(),
        })
    }

    /// Gives parameters and initial values (`ball.x`) these ranges instead of what the model says. Names that it does not have are taken for initial values; its runs refuse them.
    #[must_use]
    pub fn with_ranges(mut self, ranges: &[(String, f64, f64)]) -> Self {
        for (name, lower, upper) in ranges {
            let unknown = Unknown {
                name: name.clone(),
                lower: *lower,
                upper: *upper,
            };
            self.chosen.push(name.clone());
            if let Some(own) = self.unknowns.iter_mut().find(|u| u.name == *name) {
                *own = unknown;
            } else if self.model.parameter(name).is_some() {
                self.unknowns.insert(self.parameters, unknown);
                self.parameters += 1;
            } else {
                self.unknowns.push(unknown);
            }
        }
        self
    }

    /// Makes inputs unknowns too: each is constant on `parts` equal parts of the run. To be called after [`with_ranges`](Self::with_ranges).
    #[must_use]
    pub fn with_inputs(mut self, ranges: &[InputRange], parts: usize) -> Self {
        self.driven = Driven::new(ranges, parts, self.options.until);
        self.own = self.unknowns.len();
        self.unknowns.extend(self.driven.unknowns());
        self
    }

    /// The options of the run with these values, to show it again.
    pub fn options(&self, point: &[f64]) -> RunOptions {
        let mut options = self.options.clone();
        for steps in self.signals(point) {
            options.inputs.push((steps.name.clone(), steps.signal()));
        }
        for (place, (unknown, value)) in self.unknowns.iter().zip(point).enumerate().take(self.own) {
            let named = (unknown.name.clone(), *value);
            if place < self.parameters {
                options.parameters.push(named);
            } else {
                options.initial.push(named);
            }
        }
        options
    }

    /// The first value that is out of a range that depends on other values.
    fn out_of_range(&self, options: &RunOptions) -> Option<String> {
        let chosen = |name: &str| options.parameters.iter().rev().find(|(n, _)| n == name);
        let setting = Setting::with(self.model, f64::NAN, |id, kind, value| {
            let name = &self.model.parameters()[id.0 as usize].name;
            match (chosen(name), kind) {
                (Some((_, chosen)), _) => *chosen,
                (None, ParameterKind::Fixed(node) | ParameterKind::Range { nominal: node, .. }) => {
                    value(node)
                }
            }
        });
        let is_in = |value: f64, lower, upper| {
            let (low, high) = (setting.value(lower), setting.value(upper));
            low.is_nan() || high.is_nan() || (low <= value && value <= high)
        };
        for parameter in self.model.parameters() {
            if let ParameterKind::Range { lower, upper, .. } = parameter.kind
                && self.unknowns.iter().any(|u| u.name == parameter.name)
                && !self.chosen.contains(&parameter.name)
                && let Some((_, value)) = chosen(&parameter.name)
                && !is_in(*value, lower, upper)
            {
                return Some(parameter.name.clone());
            }
        }
        for (name, initial) in initials(self.model) {
            if let Initial::Range(lower, upper) = initial
                && self.unknowns.iter().any(|u| u.name == name)
                && !self.chosen.contains(&name)
                && let Some((_, value)) = options.initial.iter().rev().find(|(n, _)| *n == name)
                && !is_in(*value, lower, upper)
            {
                return Some(name);
            }
        }
        None
    }
}

impl Experiment for ModelExperiment<'_> {
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn signals(&self, point: &[f64]) -> Vec<Steps> {
        self.driven.signals(point.get(self.own..).unwrap_or_default())
    }
    fn run(&self, point: &[f64]) -> Result<Measured, Failure> {
        let options = self.options(point);
        if let Some(name) = self.out_of_range(&options) {
            return Err(Failure::OutOfRange(name));
        }
        let (trace, closed) = simulate_with_contacts(self.model, &options).map_err(Failure::Bodies)?;
        let robustness = robustness(self.model, &self.property, &options, &trace, &closed)
            .map_err(Failure::Unmeasurable)?;
        judged(&trace, robustness)
    }
}

/// All initial values of a model with their names.
fn initials(model: &Model) -> Vec<(String, Initial)> {
    let mut all = Vec::new();
    for entity in model.entities() {
        let initial = &entity.initial;
        let vectors = [
            (StateComponent::POSITION, &initial.position),
            (StateComponent::VELOCITY, &initial.velocity),
            (StateComponent::ANGULAR_VELOCITY, &initial.angular_velocity),
        ];
        for (components, vector) in vectors {
            for (component, value) in components.into_iter().zip(vector.coordinates()) {
                all.push((format!("{}.{}", entity.name, component.name()), *value));
            }
        }
    }
    all
}

/// An end of a range: what a simulation takes, unless other values can move it.
fn widened(nominal: f64, enclosed: f64) -> f64 {
    let is_same = (nominal - enclosed).abs() <= 1e-12 * nominal.abs().max(f64::MIN_POSITIVE);
    if is_same { nominal } else { enclosed }
}

/// Runs of an actor model: its ranged parameters are the unknowns, except for those that the options set.
pub struct GraphExperiment<'g, F> {
    property: ActorProperty<'g>,
    graph: &'g Graph,
    options: TickOptions,
    simulate: F,
    unknowns: Vec<Unknown>,
    /// Those whose ranges are not the model's.
    chosen: Vec<String>,
    /// How many of the unknowns are of no input: they come first.
    own: usize,
    driven: Driven,
}

impl<F> fmt::Debug for GraphExperiment<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GraphExperiment")
            .field("unknowns", &self.unknowns)
            .finish_non_exhaustive()
    }
}

impl<'g, F> GraphExperiment<'g, F>
where
    F: Fn(&TickOptions) -> Result<Trace, TickError> + Sync,
{
    /// Of a property by its name; `simulate` runs the model of the graph, with its components.
    ///
    /// # Errors
    /// [`Failure`] if there is no such property, or the options set what is not there.
    pub fn new(graph: &'g Graph, property: &str, options: TickOptions, simulate: F) -> Result<Self, Failure> {
        let property = ActorProperty::new(graph, property).map_err(Failure::Unmeasurable)?;
        let values = parameter_values(graph, &options.parameters).map_err(Failure::Actors)?;
        let mut unknowns = Vec::new();
        for Parameter { name, kind, .. } in graph.parameters() {
            if let ParameterKind::Range { lower, upper, .. } = kind
                && !options.parameters.iter().any(|(n, _)| n == name)
            {
                unknowns.push(Unknown {
                    name: name.clone(),
                    lower: graph.constant(*lower, &values),
                    upper: graph.constant(*upper, &values),
                });
            }
        }
        let until = horizon(options.until, property.parts(), graph.horizon());
        let mut options = TickOptions {
            until,
            keep_pieces: true,
            // Samples between events are not read: pieces are.
            sample_every: options.sample_every.or(until),
            ..options
        };
        options.record.extend(property.reads());
        Ok(GraphExperiment {
            property,
            graph,
            options,
            simulate,
            unknowns,
            chosen: Vec::new(),
            own: usize::MAX,
            driven: Driven::default(),
        })
    }

    /// Gives parameters these ranges instead of what the model says. Its runs refuse names that it does not have.
    #[must_use]
    pub fn with_ranges(mut self, ranges: &[(String, f64, f64)]) -> Self {
        for (name, lower, upper) in ranges {
            let unknown = Unknown {
                name: name.clone(),
                lower: *lower,
                upper: *upper,
            };
            self.chosen.push(name.clone());
            match self.unknowns.iter_mut().find(|u| u.name == *name) {
                Some(own) => *own = unknown,
                None => self.unknowns.push(unknown),
            }
        }
        self
    }

    /// Makes inputs unknowns too: each is constant on `parts` equal parts of the run. To be called after [`with_ranges`](Self::with_ranges).
    #[must_use]
    pub fn with_inputs(mut self, ranges: &[InputRange], parts: usize) -> Self {
        self.driven = Driven::new(ranges, parts, self.options.until);
        self.own = self.unknowns.len();
        self.unknowns.extend(self.driven.unknowns());
        self
    }

    /// The options of the run with these values, to show it again.
    pub fn options(&self, point: &[f64]) -> TickOptions {
        let mut options = self.options.clone();
        for steps in self.signals(point) {
            options.inputs.push((steps.name.clone(), steps.signal()));
        }
        let named = self.unknowns.iter().zip(point).take(self.own);
        options
            .parameters
            .extend(named.map(|(unknown, value)| (unknown.name.clone(), *value)));
        options
    }
}

impl<F> Experiment for GraphExperiment<'_, F>
where
    F: Fn(&TickOptions) -> Result<Trace, TickError> + Sync,
{
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn signals(&self, point: &[f64]) -> Vec<Steps> {
        self.driven.signals(point.get(self.own..).unwrap_or_default())
    }
    fn run(&self, point: &[f64]) -> Result<Measured, Failure> {
        let options = self.options(point);
        let values = parameter_values(self.graph, &options.parameters).map_err(Failure::Actors)?;
        for (Parameter { name, kind, .. }, value) in self.graph.parameters().iter().zip(&values) {
            if let ParameterKind::Range { lower, upper, .. } = kind
                && self.unknowns.iter().any(|u| u.name == *name)
                && !self.chosen.contains(name)
                && (*value < self.graph.constant(*lower, &values)
                    || *value > self.graph.constant(*upper, &values))
            {
                return Err(Failure::OutOfRange(name.clone()));
            }
        }
        let trace = (self.simulate)(&options).map_err(Failure::Actors)?;
        let robustness = self.property.robustness(&options, &trace);
        judged(&trace, robustness.map_err(Failure::Unmeasurable)?)
    }
}
