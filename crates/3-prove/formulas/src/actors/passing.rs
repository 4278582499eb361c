//! Modes that are passed through: their refinement runs for one microstep, which has no formulas.
//!
//! It leaves no trace where nothing that outlives the microstep, decides or is asked about reads it: the states of integrators wait for no derivative, so a mode that
//! gives rates only can be passed. Everything else is in the way.

use super::obstacle::obstacle;
use crate::Obstacle;
use dyverse_actors::{Definition, Graph, ModalModel, ModeId, RegionKind, SignalId};
use dyverse_expr::NodeId;
use dyverse_model::Formula;
use std::collections::BTreeSet;

/// The truth values of all properties of a model.
pub(crate) fn asked(graph: &Graph) -> Vec<(String, NodeId)> {
    let parts = graph
        .properties()
        .iter()
        .flat_map(|p| p.parts.iter().map(move |part| (p, part)));
    parts
        .filter_map(|(property, part)| match part {
            Formula::Now(node) => Some((property.name.clone(), *node)),
            _ => None,
        })
        .collect()
}

/// An obstacle if passing through a mode leaves a trace. `asked` are the truth values that are asked about.
pub(crate) fn pass_through(
    graph: &Graph,
    asked: &[(String, NodeId)],
    model: &ModalModel,
    mode: ModeId,
) -> Result<(), Obstacle> {
    let refused = |what: String| {
        Err(obstacle(format!(
            "where {} passes through {} by `immediate` its refinement runs for one microstep, and {what}: that has no formulas; with `preempt` on that transition the mode does not run",
            model.name,
            model.mode(mode).name,
        )))
    };
    let region = model.mode(mode).region;
    if let Some(inner) = graph.modals().iter().find(|m| graph.is_within(m.region, region)) {
        return refused(format!("{} in it may take a transition", inner.name));
    }
    let ids = || (0..graph.signals().len() as u32).map(SignalId);
    let inside: BTreeSet<SignalId> = ids()
        .filter(|id| graph.is_within(graph.signal(*id).region, region))
        .collect();
    let returns = model.transitions.iter().any(|t| t.to == mode && t.is_history);
    let is_state = |id: &&SignalId| graph.signal(**id).definition.has_settable_state();
    if let Some(state) = inside.iter().find(is_state).filter(|_| returns) {
        return refused(format!(
            "{} begins there and goes on with `history`",
            graph.signal(*state).label()
        ));
    }
    let seen = seen_from(graph, inside.clone());
    let reads = |node: NodeId| graph.signals_of(node).into_iter().find(|s| seen.contains(s));
    let name = |s: SignalId| graph.signal(s).label();
    for modal in graph.modals() {
        for t in &modal.transitions {
            let actions = t.sets.iter().map(|(_, node)| *node);
            if let Some(signal) = std::iter::once(t.guard).chain(actions).find_map(reads) {
                return refused(format!(
                    "{} reads {}",
                    super::events::describe(modal, t),
                    name(signal)
                ));
            }
        }
    }
    for (property, node) in asked {
        if let Some(signal) = reads(*node) {
            return refused(format!("the property `{property}` reads {}", name(signal)));
        }
    }
    for region in graph.regions() {
        if let RegionKind::Enabled(by) = region.kind
            && seen.contains(&by)
        {
            return refused(format!("{} decides whether a part is active", name(by)));
        }
    }
    for id in ids().filter(|id| !inside.contains(id)) {
        if let Some(signal) = remembered_reads(graph, id).into_iter().find(|s| seen.contains(s)) {
            return refused(format!("{} remembers {}", name(id), name(signal)));
        }
    }
    Ok(())
}

/// These signals and all whose value or presence comes from them at the same tick.
fn seen_from(graph: &Graph, mut seen: BTreeSet<SignalId>) -> BTreeSet<SignalId> {
    loop {
        let before = seen.len();
        for id in (0..graph.signals().len() as u32).map(SignalId) {
            let reads: Vec<SignalId> = match &graph.signal(id).definition {
                Definition::Expression(node) => graph.signals_of(*node),
                Definition::Default {
                    preferred: a,
                    alternate: b,
                }
                | Definition::Inhibit { value: a, inhibit: b }
                | Definition::Sample { value: a, trigger: b } => vec![*a, *b],
                Definition::IsPresent(of) | Definition::IsAbsent(of) => vec![*of],
                Definition::Merge(of) => of.clone(),
                // Without modes that are passed through.
                Definition::Before(_) => Vec::new(),
                // What remembers is refused where it reads one of them.
                Definition::Hold { .. }
                | Definition::Post { .. }
                | Definition::Cross { .. }
                | Definition::Delay { .. }
                | Definition::Integrator { .. } => Vec::new(),
                Definition::Clock { .. }
                | Definition::At { .. }
                | Definition::Output { .. }
                | Definition::Event { .. } => Vec::new(),
            };
            if reads.iter().any(|s| seen.contains(s)) {
                seen.insert(id);
            }
        }
        if seen.len() == before {
            return seen;
        }
    }
}

/// What a primitive that remembers reads at a tick.
fn remembered_reads(graph: &Graph, id: SignalId) -> Vec<SignalId> {
    match &graph.signal(id).definition {
        Definition::Hold { value, .. }
        | Definition::Post { value, .. }
        | Definition::Cross { value, .. }
        | Definition::Delay { value, .. } => vec![*value],
        Definition::Integrator {
            init, impulse, reset, ..
        } => {
            let mut reads = graph.signals_of(*init);
            reads.extend(impulse.iter().chain(reset));
            reads
        }
        _ => Vec::new(),
    }
}
