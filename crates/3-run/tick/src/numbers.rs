//! Parameters and external inputs of a run.

use crate::{TickError, TickOptions};
use dyverse_actors::Graph;
use dyverse_expr::NodeId;
use dyverse_trace::{InputBreaks, InputSignal};

/// An external input.
#[derive(Clone, Debug)]
pub(crate) enum Driven {
    Table(InputSignal),
    Constant(f64),
    /// The input's own expression over time and parameters.
    Own(NodeId),
}

/// Numbers that hold for the whole run.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub(crate) parameters: Vec<f64>,
    pub(crate) inputs: Vec<Driven>,
    pub(crate) breaks: InputBreaks,
    /// Whether inputs are set from outside: what they are here is then what they are where nobody sets them.
    pub(crate) is_live: bool,
}

/// The values of a graph's parameters: those given, else the model's own.
///
/// # Errors
/// For a name that no parameter has, and for values that are not finite.
pub fn parameter_values(graph: &Graph, given: &[(String, f64)]) -> Result<Vec<f64>, TickError> {
    for (name, value) in given {
        if !graph.parameters().iter().any(|p| p.name == *name) {
            return Err(TickError::UnknownParameter(name.clone()));
        }
        if !value.is_finite() {
            return Err(TickError::BadParameter(name.clone(), *value));
        }
    }
    let mut parameters = Vec::new();
    for parameter in graph.parameters() {
        let chosen = given.iter().rev().find(|(n, _)| *n == parameter.name);
        let node = parameter.kind.nominal();
        let value = chosen.map_or_else(|| graph.constant(node, &parameters), |(_, v)| *v);
        if !value.is_finite() {
            return Err(TickError::BadParameter(parameter.name.clone(), value));
        }
        parameters.push(value);
    }
    Ok(parameters)
}

impl Numbers {
    pub(crate) fn new(graph: &Graph, options: &TickOptions) -> Result<Self, TickError> {
        let parameters = parameter_values(graph, &options.parameters)?;
        let inputs = drive(graph, options)?;
        let tables = inputs.iter().filter_map(|driven| match driven {
            Driven::Table(table) => Some(table),
            _ => None,
        });
        let breaks = InputBreaks::new(tables);
        Ok(Numbers {
            parameters,
            inputs,
            breaks,
            is_live: false,
        })
    }
}

fn drive(graph: &Graph, options: &TickOptions) -> Result<Vec<Driven>, TickError> {
    for (name, signal) in &options.inputs {
        if !graph.inputs().iter().any(|i| i.name == *name) {
            return Err(TickError::UnknownInput(name.clone()));
        }
        if !signal.is_good() {
            return Err(TickError::BadInput(name.clone()));
        }
    }
    let find = |name: &str| options.inputs.iter().rev().find(|(n, _)| n == name);
    Ok(graph
        .inputs()
        .iter()
        .map(|input| match find(&input.name) {
            Some((_, InputSignal::Constant(value))) => Driven::Constant(*value),
            Some((_, table)) => Driven::Table(table.clone()),
            None => Driven::Own(input.default),
        })
        .collect())
}
