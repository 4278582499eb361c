//! Parameters as formulas: fixed ones are their expressions, ranged ones unknowns.

use super::fold;
use super::obstacle::obstacle;
use crate::{Obstacle, Unknown, Variables};
use dyverse_actors::{Graph, Symbol};
use dyverse_expr::{Node, NodeId, Pool, Program};
use dyverse_model::ParameterKind;
use dyverse_num::Interval;
use std::collections::BTreeMap;

/// The formula of every parameter, in order. Ranged ones are added to the unknowns.
pub(crate) fn parameters(
    graph: &Graph,
    choices: &[(String, f64, f64)],
    pool: &mut Pool,
    variables: &mut Variables,
) -> Result<Vec<NodeId>, Obstacle> {
    for (name, lower, upper) in choices {
        if !graph.parameters().iter().any(|p| p.name == *name) {
            return Err(obstacle(format!("there is no parameter `{name}` to choose")));
        }
        if !(lower.is_finite() && upper.is_finite() && lower <= upper) {
            return Err(obstacle(format!(
                "`{name}` cannot be chosen from {lower} to {upper}"
            )));
        }
    }
    let mut formulas: Vec<NodeId> = Vec::new();
    for parameter in graph.parameters() {
        let chosen = choices.iter().rev().find(|(name, ..)| *name == parameter.name);
        let formula = match (chosen, parameter.kind) {
            (Some((_, lower, upper)), _) if lower == upper => pool.number(*lower),
            (Some((_, lower, upper)), _) => unknown(pool, variables, &parameter.name, (*lower, *upper)),
            (None, ParameterKind::Fixed(node)) => constant(graph, node, &formulas, pool),
            (None, ParameterKind::Range { lower, upper, .. }) if lower == upper => {
                constant(graph, lower, &formulas, pool)
            }
            (None, ParameterKind::Range { lower, upper, .. }) => {
                let mut end = |node: NodeId| {
                    let formula = constant(graph, node, &formulas, pool);
                    enclose(pool, formula, &parameter.name)
                };
                let ends = (end(lower)?.lo(), end(upper)?.hi());
                unknown(pool, variables, &parameter.name, ends)
            }
        };
        formulas.push(formula);
    }
    Ok(formulas)
}

fn unknown(pool: &mut Pool, variables: &mut Variables, name: &str, (lower, upper): (f64, f64)) -> NodeId {
    variables.unknowns.push(Unknown {
        name: name.to_owned(),
        is_initial: false,
        lower,
        upper,
    });
    pool.symbol(variables.unknown(variables.unknowns.len() - 1))
}

/// An expression over earlier parameters.
fn constant(graph: &Graph, root: NodeId, parameters: &[NodeId], pool: &mut Pool) -> NodeId {
    let mut new: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for id in graph.pool().reachable(&[root]) {
        let formula = match graph.pool().node(id) {
            Node::Symbol(symbol) => match graph.symbol(symbol) {
                // The graph is checked: constants read parameters only, and earlier ones.
                Symbol::Parameter(p) => parameters[p.0 as usize],
                other => unreachable!("bug: a constant reads {other:?}"),
            },
            node => fold::rebuild(pool, node, |old| new[&old]),
        };
        new.insert(id, formula);
    }
    new[&root]
}

/// The end of a range, which must not depend on unknowns.
fn enclose(pool: &Pool, formula: NodeId, name: &str) -> Result<Interval, Obstacle> {
    if !pool.symbols(&[formula]).is_empty() {
        return Err(obstacle(format!(
            "the range of the parameter `{name}` depends on another that is a range itself; choose one of them"
        )));
    }
    let values = Program::new(pool, &[formula]).numbers(|_| Interval::ENTIRE);
    match values.first() {
        Some(value) if value.is_bounded() && !value.is_empty() => Ok(*value),
        _ => Err(obstacle(format!(
            "the range of the parameter `{name}` has an end that is no finite number"
        ))),
    }
}
