//! Parameters and external inputs of a run.

use crate::{InputSignal, TickError, TickOptions};
use dyverse_actors::{Graph, Symbol};
use dyverse_expr::{NodeId, Tape};
use dyverse_model::ParameterKind;

/// An external input.
#[derive(Clone, Debug)]
pub(crate) enum Driven {
    Table {
        times: Vec<f64>,
        values: Vec<f64>,
    },
    Constant(f64),
    /// The input's own expression over time and parameters.
    Own(NodeId),
}

/// Numbers that hold for the whole run.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub(crate) parameters: Vec<f64>,
    pub(crate) inputs: Vec<Driven>,
    /// Times at which an input has a kink, ascending.
    pub(crate) breaks: Vec<f64>,
}

impl Numbers {
    pub(crate) fn new(graph: &Graph, options: &TickOptions) -> Result<Self, TickError> {
        for (name, value) in &options.parameters {
            if !graph.parameters().iter().any(|p| p.name == *name) {
                return Err(TickError::UnknownParameter(name.clone()));
            }
            if !value.is_finite() {
                return Err(TickError::BadParameter(name.clone(), *value));
            }
        }
        let mut parameters = Vec::new();
        for parameter in graph.parameters() {
            let given = options
                .parameters
                .iter()
                .rev()
                .find(|(n, _)| *n == parameter.name);
            let (ParameterKind::Fixed(node) | ParameterKind::Range { nominal: node, .. }) = parameter.kind;
            let value = given.map_or_else(|| constant(graph, node, &parameters), |(_, v)| *v);
            if !value.is_finite() {
                return Err(TickError::BadParameter(parameter.name.clone(), value));
            }
            parameters.push(value);
        }
        let inputs = drive(graph, options)?;
        let mut breaks: Vec<f64> = inputs
            .iter()
            .filter_map(|driven| match driven {
                Driven::Table { times, .. } => Some(times),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        Ok(Numbers {
            parameters,
            inputs,
            breaks,
        })
    }

    /// The next time after `t` at which an input has a kink.
    pub(crate) fn next_break(&self, t: f64) -> Option<f64> {
        let next = self.breaks.partition_point(|b| *b <= t);
        self.breaks.get(next).copied()
    }
}

fn drive(graph: &Graph, options: &TickOptions) -> Result<Vec<Driven>, TickError> {
    for (name, signal) in &options.inputs {
        if !graph.inputs().iter().any(|i| i.name == *name) {
            return Err(TickError::UnknownInput(name.clone()));
        }
        let is_good = match signal {
            InputSignal::Constant(value) => value.is_finite(),
            InputSignal::Table { times, values } => {
                !times.is_empty()
                    && times.len() == values.len()
                    && times.iter().chain(values).all(|v| v.is_finite())
                    && times.is_sorted_by(|a, b| a < b)
            }
        };
        if !is_good {
            return Err(TickError::BadInput(name.clone()));
        }
    }
    let find = |name: &str| options.inputs.iter().rev().find(|(n, _)| n == name);
    Ok(graph
        .inputs()
        .iter()
        .map(|input| match find(&input.name) {
            Some((_, InputSignal::Constant(value))) => Driven::Constant(*value),
            Some((_, InputSignal::Table { times, values })) => Driven::Table {
                times: times.clone(),
                values: values.clone(),
            },
            None => Driven::Own(input.default),
        })
        .collect())
}

/// The value of an expression over parameters.
pub(crate) fn constant(graph: &Graph, node: NodeId, parameters: &[f64]) -> f64 {
    let tape = Tape::new(graph.pool(), &[node]);
    let mut work = Vec::new();
    tape.run(
        |id| match graph.symbol(id) {
            Symbol::Parameter(p) => parameters.get(p.0 as usize).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        },
        &mut work,
    );
    tape.result(&work, 0)
}

/// A table at a time: straight lines between its points.
pub(crate) fn interpolate(times: &[f64], values: &[f64], t: f64) -> f64 {
    let after = times.partition_point(|x| *x <= t);
    match (after.checked_sub(1), times.get(after)) {
        (None, _) => values.first().copied().unwrap_or(f64::NAN),
        (Some(before), None) => values[before],
        (Some(before), Some(next)) => {
            let part = (t - times[before]) / (next - times[before]);
            values[before] + part * (values[after] - values[before])
        }
    }
}
