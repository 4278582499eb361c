//! What is said about a text: findings, and of a model what can be chosen before a run or a check.

use crate::answer::Failure;
use crate::findings::findings;
use crate::folder::Folder;
use crate::loader::{Place, StudioLoader};
use crate::names::Kind;
use axum::http::StatusCode;
use dyverse::check::Checkable;
use dyverse::diag::SourceMap;
use dyverse::expr::NodeId;
use dyverse::model::{Input, Model, Parameter, ParameterKind, Property, Setting};
use dyverse::{
    ActorModel, GenerateOptions, LARGEST_FILE, Loaded, Reading, parameter_values, read, read_actors,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// A text in the editor.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Text {
    /// Its path below the folder, or among the examples; its ending says what it is.
    pub(crate) name: String,
    /// Whether it is a shipped example.
    #[serde(default)]
    pub(crate) example: bool,
    pub(crate) text: String,
}

/// A model that was read, with its sources.
pub(crate) enum ReadModel {
    Bodies(Box<Model>),
    Actors(Box<ActorModel>),
}

impl ReadModel {
    pub(crate) fn checkable(&self) -> Checkable<'_> {
        match self {
            ReadModel::Bodies(model) => Checkable::Bodies(model),
            ReadModel::Actors(model) => Checkable::Actors(model),
        }
    }

    fn inputs(&self) -> &[Input] {
        match self {
            ReadModel::Bodies(model) => model.inputs(),
            ReadModel::Actors(model) => model.graph.inputs(),
        }
    }
}

/// What reading a text gave.
pub(crate) struct ReadText {
    pub(crate) model: Option<ReadModel>,
    pub(crate) findings: Vec<Value>,
    pub(crate) sources: SourceMap,
    /// Paths of what it imports.
    pub(crate) imports: Vec<String>,
}

impl Text {
    pub(crate) fn kind(&self) -> Result<Kind, Failure> {
        Kind::of(&self.name).ok_or_else(|| Failure::call("a model's file ends in .drbt or .dam"))
    }

    /// Reads it, and what it imports.
    pub(crate) fn read(&self, folder: &Folder) -> Result<ReadText, Failure> {
        let kind = self.kind()?;
        if self.text.len() > LARGEST_FILE {
            let message = format!("a model has {LARGEST_FILE} bytes at the most");
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        let place = if self.example {
            Place::Examples
        } else {
            Place::Folder
        };
        let mut loader = StudioLoader::new(folder, place);
        let main = Loaded::named(&self.name, self.text.as_str());
        let mut read = match kind {
            Kind::Bodies => self.finish(read(main, &mut loader), |m| ReadModel::Bodies(Box::new(m))),
            Kind::Actors => self.finish(read_actors(main, &mut loader), |m| ReadModel::Actors(Box::new(m))),
        };
        read.imports = loader.loaded;
        Ok(read)
    }

    fn finish<M>(&self, reading: Reading<M>, wrap: impl FnOnce(M) -> ReadModel) -> ReadText {
        ReadText {
            findings: findings(&reading.diagnostics, &reading.sources, &self.text),
            model: reading.model.map(wrap),
            sources: reading.sources,
            imports: Vec::new(),
        }
    }

    /// Tidy text, or the findings that are in the way.
    pub(crate) fn format(&self) -> Result<Value, Failure> {
        self.kind()?;
        Ok(match dyverse::format(&self.name, &self.text) {
            Ok(text) => json!({ "text": text }),
            Err(error) => json!({ "findings": findings(&error.diagnostics, &error.sources, &self.text) }),
        })
    }
}

/// The answer to a text: findings, and the model if there is one.
pub(crate) fn describe(text: &Text, folder: &Folder) -> Result<Value, Failure> {
    let read = text.read(folder)?;
    let kind = text.kind()?.word();
    let model = read
        .model
        .as_ref()
        .map(|model| describe_model(model, &read.sources, kind));
    Ok(json!({ "findings": read.findings, "model": model }))
}

fn describe_model(model: &ReadModel, sources: &SourceMap, kind: &str) -> Value {
    let subject = model.checkable();
    let value = values(model);
    let parameters: Vec<Value> = subject
        .parameters()
        .iter()
        .map(|p| parameter(p, &*value))
        .collect();
    let inputs: Vec<Value> = model.inputs().iter().map(|i| input(i, &*value)).collect();
    let properties: Vec<Value> = subject
        .properties()
        .iter()
        .map(|p| property(p, sources))
        .collect();
    json!({
        "kind": kind,
        "name": subject.name(),
        "horizon": subject.horizon(),
        "parameters": parameters,
        "inputs": inputs,
        "properties": properties,
        "facts": facts(model),
    })
}

/// The numbers of a model at its nominal parameters; NaN for what is no constant.
fn values(model: &ReadModel) -> Box<dyn Fn(NodeId) -> f64 + '_> {
    match model {
        ReadModel::Bodies(model) => {
            let setting = Setting::nominal(model);
            Box::new(move |node| setting.value(node))
        }
        ReadModel::Actors(model) => {
            let values = parameter_values(&model.graph, &[]).unwrap_or_default();
            Box::new(move |node| model.graph.constant(node, &values))
        }
    }
}

fn parameter(parameter: &Parameter, value: &dyn Fn(NodeId) -> f64) -> Value {
    let (nominal, range) = match parameter.kind {
        ParameterKind::Fixed(node) => (node, None),
        ParameterKind::Range {
            lower,
            upper,
            nominal,
        } => (nominal, Some([value(lower), value(upper)])),
    };
    json!({ "name": parameter.name, "value": value(nominal), "range": range })
}

fn input(input: &Input, value: &dyn Fn(NodeId) -> f64) -> Value {
    let default = value(input.default);
    let range = input.range.map(|(lower, upper)| [value(lower), value(upper)]);
    // What drives itself as a formula over time has no number.
    json!({ "name": input.name, "value": default.is_finite().then_some(default), "range": range })
}

/// A property with its formula as it is written, up to the end of its line.
fn property(property: &Property, sources: &SourceMap) -> Value {
    let file = sources.file(property.origin.file());
    let rest = file
        .text()
        .get(property.origin.end() as usize..)
        .unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let formula = line
        .split('#')
        .next()
        .unwrap_or_default()
        .trim()
        .trim_start_matches(':');
    json!({ "name": property.name, "formula": formula.trim() })
}

/// How large it is, in words and numbers.
fn facts(model: &ReadModel) -> Vec<Value> {
    let fact = |name: &str, value: String| json!({ "name": name, "value": value });
    match model {
        ReadModel::Bodies(model) => {
            let mut facts = vec![fact("entities", model.entities().len().to_string())];
            let generated = dyverse::generate(model, &GenerateOptions::default()).ok();
            if let Some(size) = generated.and_then(|g| g.automaton.size().ok()) {
                facts.push(fact("contacts", size.contacts().to_string()));
                facts.push(fact("locations", size.dynamical_locations().to_string()));
                facts.push(fact("edges", size.edges().to_string()));
            }
            facts
        }
        ReadModel::Actors(model) => {
            let graph = &model.graph;
            let named = graph.signals().iter().filter(|signal| signal.is_named()).count();
            let modes: usize = graph.modals().iter().map(|modal| modal.modes.len()).sum();
            vec![
                fact("signals", named.to_string()),
                fact("modal models", graph.modals().len().to_string()),
                fact("modes", modes.to_string()),
                fact("mechanisms", model.mechanisms.len().to_string()),
            ]
        }
    }
}
