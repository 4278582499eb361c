//! The verbs: from a model of either kind to files.

use crate::automaton::Automaton;
use crate::hindrance::Hindrance;
use crate::spaceex::SpaceExFiles;
use crate::walk::{Task, walk};
use crate::{InterchangeOptions, dreach, spaceex};
use dyverse_actors::Graph;
use dyverse_diag::Origin;
use dyverse_formulas::{Actors, Bodies, Chart, Charted, ContactId, Node, Requirement};
use dyverse_model::{Model, Parameter, ParameterKind, Property, Setting, Tolerances};

/// A model of either kind.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// Rigid bodies (.drbt).
    Bodies(&'a Model),
    /// Actors (.dam).
    Actors(&'a Graph),
}

/// The .drh file of a model.
///
/// # Errors
/// [`Hindrance`] for what has no formulas, what dReal does not know, and for limits.
pub fn write_dreach(source: Source<'_>, options: &InterchangeOptions) -> Result<String, Hindrance> {
    let automaton = automaton(source, options, &options.choices)?;
    dreach::write(&automaton, options, &source.notes(options, &[]))
}

/// The files of a model for SpaceEx.
///
/// # Errors
/// [`Hindrance`] for what has no formulas, for what is not affine, and for limits.
pub fn write_spaceex(source: Source<'_>, options: &InterchangeOptions) -> Result<SpaceExFiles, Hindrance> {
    let mut choices = options.choices.clone();
    let mut fixed: Vec<(String, f64)> = Vec::new();
    loop {
        let automaton = automaton(source, options, &choices)?;
        let hindrance = match spaceex::write(&automaton, &source.notes(options, &fixed)) {
            Ok(files) => return Ok(files),
            Err(hindrance) => hindrance,
        };
        // One parameter more is fixed in every round.
        let next = hindrance
            .parameters
            .iter()
            .find_map(|name| source.nominal(name).map(|v| (name.clone(), v)));
        match next {
            Some((name, value)) if options.takes_nominal => {
                choices.push((name.clone(), value, value));
                fixed.push((name, value));
            }
            _ => {
                let origin = hindrance.parameters.first().and_then(|name| source.origin(name));
                return Err(hindrance.at(origin));
            }
        }
    }
}

impl<'a> Source<'a> {
    fn properties(self) -> &'a [Property] {
        match self {
            Source::Bodies(model) => model.properties(),
            Source::Actors(graph) => graph.properties(),
        }
    }
    fn horizon(self) -> Option<f64> {
        match self {
            Source::Bodies(model) => model.horizon(),
            Source::Actors(graph) => graph.horizon(),
        }
    }
    fn parameters(self) -> &'a [Parameter] {
        match self {
            Source::Bodies(model) => model.parameters(),
            Source::Actors(graph) => graph.parameters(),
        }
    }
    fn origin(self, parameter: &str) -> Option<Origin> {
        let found = self.parameters().iter().find(|p| p.name == parameter);
        found.map(|p| p.origin)
    }
    /// What a simulation takes for a parameter.
    fn nominal(self, name: &str) -> Option<f64> {
        let place = self.parameters().iter().position(|p| p.name == name)?;
        match self {
            Source::Bodies(model) => Some(*Setting::<f64>::nominal(model).parameter(model.parameter(name)?)),
            Source::Actors(graph) => {
                let mut values: Vec<f64> = Vec::new();
                for parameter in graph.parameters() {
                    let node = match parameter.kind {
                        ParameterKind::Fixed(node) | ParameterKind::Range { nominal: node, .. } => node,
                    };
                    values.push(graph.constant(node, &values));
                }
                values.get(place).copied()
            }
        }
    }

    fn notes(self, options: &InterchangeOptions, fixed: &[(String, f64)]) -> Vec<String> {
        let mut notes = Vec::new();
        if let Source::Bodies(_) = self {
            notes.push("Contacts are ideal: closed where the gap is 0; the tolerances of the model are not in this file.".to_owned());
        }
        for (name, lower, upper) in &options.choices {
            notes.push(if lower == upper {
                format!("{name} was chosen: {lower}")
            } else {
                format!("{name} was chosen from {lower} to {upper}")
            });
        }
        for (name, value) in fixed {
            notes.push(format!(
                "{name} has its nominal value {value}: with its range the model is not affine."
            ));
        }
        notes
    }
}

/// What is asked, and until when.
fn question(source: Source<'_>, options: &InterchangeOptions) -> Result<(Requirement, bool, f64), Hindrance> {
    let horizon = options.horizon.or(source.horizon());
    let Some(name) = &options.property else {
        let Some(horizon) = horizon else {
            return Err(Hindrance::new(
                "how long? neither the model nor the call has a horizon",
            ));
        };
        return Ok((Requirement::nothing(), false, horizon));
    };
    let properties = source.properties();
    let Some(property) = properties.iter().find(|p| p.name == *name) else {
        let known: Vec<&str> = properties.iter().map(|p| p.name.as_str()).collect();
        let known = if known.is_empty() {
            "it has none".to_owned()
        } else {
            known.join(", ")
        };
        return Err(Hindrance::new(format!(
            "the model has no property `{name}`: {known}"
        )));
    };
    let requirement = Requirement::new(property, horizon)
        .map_err(|_| {
            Hindrance::new(format!(
                "the property `{name}`: only `always` and `never` over Boolean combinations are questions of reachability within a known time"
            ))
            .at(Some(property.origin))
        })?;
    let end = requirement.horizon();
    Ok((requirement, true, end))
}

fn automaton(
    source: Source<'_>,
    options: &InterchangeOptions,
    choices: &[(String, f64, f64)],
) -> Result<Automaton, Hindrance> {
    let (requirement, is_asked, horizon) = question(source, options)?;
    let needs_time = horizon > 0.0 && horizon.is_finite();
    if !needs_time {
        return Err(Hindrance::new(format!(
            "a horizon of {horizon} s leaves nothing to reach"
        )));
    }
    match source {
        Source::Bodies(model) => {
            let ideal = model.with_tolerances(Tolerances {
                gap: 0.0,
                velocity: 0.0,
                force: 0.0,
                simultaneity: 0.0,
            });
            let labels: Vec<String> = ideal.contacts().map(|c| ideal.contact_label(&c)).collect();
            walk(
                &|| Bodies::new(&ideal, choices, requirement.clone()),
                &Task {
                    name: model.name(),
                    requirement: &requirement,
                    is_asked,
                    horizon,
                    most_locations: options.most_locations,
                    most_work: options.most_work,
                    is_entered_inside: true,
                    describe: &|place| body_place(place, &labels),
                },
            )
        }
        Source::Actors(graph) => walk(
            &|| Actors::new(graph, choices, requirement.clone()),
            &Task {
                name: graph.name(),
                requirement: &requirement,
                is_asked,
                horizon,
                most_locations: options.most_locations,
                most_work: options.most_work,
                is_entered_inside: false,
                describe: &ToString::to_string,
            },
        ),
    }
}

/// A place with the labels of its contacts.
fn body_place(place: &Charted, labels: &[String]) -> String {
    let name = |contact: ContactId| labels.get(contact.index()).map_or("?", String::as_str);
    let all = |contacts: &[ContactId]| {
        let names: Vec<&str> = contacts.iter().map(|c| name(*c)).collect();
        names.join(", ")
    };
    let closed: Vec<String> = place
        .closed
        .iter()
        .map(|c| {
            let mode = match c.chart {
                Chart::AtRest => "stick",
                Chart::AsItMoves => "slip",
                Chart::Along(_, true) | Chart::FromRest(_, true) => "slip forwards",
                Chart::Along(_, false) | Chart::FromRest(_, false) => "slip backwards",
            };
            format!("{} {mode}", name(c.contact))
        })
        .collect();
    let node = match &place.node {
        None if closed.is_empty() => Some("free".to_owned()),
        None => None,
        Some(Node::Start) => Some("start".to_owned()),
        Some(Node::AfterImpact(contacts)) => Some(format!("after the impact of {}", all(contacts))),
        Some(Node::Sequence(contacts, _)) => Some(format!("collisions among {}", all(contacts))),
        Some(Node::Contact(contacts)) => Some(format!("contact node of {}", all(contacts))),
    };
    closed.into_iter().chain(node).collect::<Vec<_>>().join(", ")
}
