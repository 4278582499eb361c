//! The graph, and what its causality says.

use super::scope::RegionDraft;
use super::settings::Settings;
use super::{ActorModel, Fmu, Mechanism};
use crate::lower::context::Context;
use crate::syntax::ast::PortKind;
use dyverse_actors::{
    CausalityLoop, Certainty, ComponentUse, Graph, GraphBuilder, GraphError, LoopStep, ModalId, ModeId,
    SignalId, SignalKind, find_loops,
};
use dyverse_diag::{Diagnostic, Origin, finding};
use dyverse_model::Property;
use std::collections::BTreeMap;

/// Loops reported at the most.
const MOST_LOOPS: usize = 8;

/// Builds the graph from what was collected.
pub(crate) fn finish(
    context: Context<'_>,
    name: String,
    settings: Settings,
    properties: Vec<Property>,
    record: Vec<SignalId>,
) -> (Option<ActorModel>, Vec<Diagnostic>) {
    let mut diagnostics = context.diagnostics;
    let mut builder = GraphBuilder::with_pool(name, context.pool, context.symbols.of_actors());
    builder.numerics = settings.numerics.map(|(n, _)| n).unwrap_or_default();
    builder.horizon = settings.horizon.map(|(h, _)| h);
    for parameter in context.parameters {
        builder.parameter(parameter);
    }
    for input in context.inputs {
        builder.input(input);
    }
    let actors = context.actors;
    for draft in actors.signals {
        let kind = match draft.port {
            Some((_, PortKind::Cont)) => SignalKind::Continuous,
            Some((_, PortKind::Event)) => SignalKind::Event,
            _ => SignalKind::Any,
        };
        let id = builder.declare_in(draft.region, draft.name, kind, draft.origin);
        if let Some(definition) = draft.definition {
            builder.define(id, definition);
        }
    }
    for modal in &actors.modals {
        builder.modal(modal.region, modal.name.clone(), modal.origin);
    }
    let mut next_mode: BTreeMap<usize, usize> = BTreeMap::new();
    for region in actors.regions {
        match region {
            RegionDraft::Root => {}
            RegionDraft::Enabled {
                name,
                parent,
                enable,
                origin,
            } => {
                builder.enabled(parent, name, enable, origin);
            }
            RegionDraft::Mode { modal, .. } => {
                let place = next_mode.entry(modal).or_default();
                if let Some(mode) = actors.modals[modal].modes.get(*place) {
                    builder.mode(ModalId(modal as u32), mode.name.clone(), mode.origin);
                }
                *place += 1;
            }
            RegionDraft::Leaving { modal, mode, .. } => {
                builder.leaving(ModalId(modal as u32), ModeId(mode as u32));
            }
        }
    }
    for (place, modal) in actors.modals.into_iter().enumerate() {
        let id = ModalId(place as u32);
        if let Some((mode, _)) = modal.initial {
            builder.initial(id, ModeId(mode as u32));
        }
        for transition in modal.transitions {
            builder.transition(id, transition);
        }
    }
    let mut mechanisms = Vec::new();
    for (place, entry) in actors.mechanisms.into_iter().enumerate() {
        builder.component(ComponentUse {
            name: entry.path.clone(),
            handle: place as u32,
            region: entry.region,
            inputs: entry.inputs,
            outputs: entry.outputs,
            events: entry.events,
            origin: Some(entry.origin),
        });
        mechanisms.push(Mechanism {
            name: entry.path,
            model: entry.model,
            parameters: entry.parameters,
        });
    }
    let mut fmus = Vec::new();
    for (place, entry) in actors.fmus.into_iter().enumerate() {
        builder.component(ComponentUse {
            name: entry.path.clone(),
            handle: (mechanisms.len() + place) as u32,
            region: entry.region,
            inputs: entry.inputs,
            outputs: entry.outputs,
            events: Vec::new(),
            origin: Some(entry.origin),
        });
        fmus.push(Fmu {
            name: entry.path,
            key: entry.interface.key,
            parameters: entry.parameters,
        });
    }
    for property in properties {
        builder.property(property);
    }
    for signal in record {
        builder.record(signal);
    }
    match builder.finish() {
        Ok(graph) => {
            diagnostics.extend(loops(&graph));
            let is_sound = !diagnostics.iter().any(Diagnostic::is_error);
            let model = ActorModel {
                graph,
                mechanisms,
                fmus,
            };
            (is_sound.then_some(model), diagnostics)
        }
        Err(errors) => {
            diagnostics.extend(errors.iter().map(not_a_graph));
            (None, diagnostics)
        }
    }
}

/// What no earlier check saw: said in the graph's own words.
fn not_a_graph(error: &GraphError) -> Diagnostic {
    let origin = error.origin().unwrap_or_else(no_origin);
    finding!(A090 at origin, error.to_string();
        label "here";
        help "please report this model: the message should be better")
}

fn no_origin() -> Origin {
    let mut map = dyverse_diag::SourceMap::new();
    let file = map.add("", "");
    Origin::new(file, 0, 0)
}

/// Causality loops: certain ones are errors, possible ones warnings.
fn loops(graph: &Graph) -> Vec<Diagnostic> {
    let mut found = find_loops(graph);
    found.sort_by_key(|l| l.certainty);
    let has_certain = found.iter().any(|l| l.certainty == Certainty::Inevitable);
    let shown = found
        .iter()
        .filter(|l| !has_certain || l.certainty == Certainty::Inevitable);
    shown.take(MOST_LOOPS).map(|l| describe(graph, l)).collect()
}

fn describe(graph: &Graph, causality: &CausalityLoop) -> Diagnostic {
    let is_named = |step: &&LoopStep| graph.signal(step.signal).is_named();
    let steps = &causality.steps;
    let place = causality.places_for_delay(graph).first().copied().unwrap_or(0);
    let from_there = steps.iter().cycle().skip(place).take(steps.len());
    let at = from_there.clone().find(is_named).or(steps.first());
    let origin = at
        .and_then(|step| graph.signal(step.signal).origin)
        .unwrap_or_else(no_origin);
    let is_certain = causality.certainty == Certainty::Inevitable;
    let finding = if is_certain {
        let message = "a causality loop: these signals wait for each other";
        finding!(A060 at origin, message)
    } else {
        let message = "a causality loop is possible: these signals may wait for each other";
        finding!(warning A061 at origin, message)
    };
    let mut finding = finding.label("in the loop").note(path(graph, causality));
    if !causality.modes.is_empty() {
        let modes = causality.modes.iter().map(|(modal, mode)| {
            let modal = graph.modal(*modal);
            format!("{} is in {}", modal.name, modal.mode(*mode).name)
        });
        finding = finding.note(format!("while {}", modes.collect::<Vec<_>>().join(", ")));
    }
    finding.help(remedy(graph, causality, place))
}

/// `u -> switch.u -> switch.d -> u.impulse`: operands without a name are left out.
fn path(graph: &Graph, causality: &CausalityLoop) -> String {
    let steps = &causality.steps;
    let name = |signal: SignalId| graph.signal(signal).label();
    let is_named = |signal: SignalId| graph.signal(signal).is_named();
    let start = steps.iter().position(|step| is_named(step.signal)).unwrap_or(0);
    let mut parts = vec![name(steps[start].signal)];
    for place in 0..steps.len() {
        let (step, next) = (
            &steps[(start + place) % steps.len()],
            &steps[(start + place + 1) % steps.len()],
        );
        match step.role.port() {
            "" if is_named(next.signal) => parts.push(name(next.signal)),
            "" => {}
            port => parts.push(format!("{}.{port}", name(next.signal))),
        }
    }
    parts.join(" -> ")
}

/// Where a delay fits.
fn remedy(graph: &Graph, causality: &CausalityLoop, place: usize) -> String {
    let steps = &causality.steps;
    let (step, next) = (&steps[place], &steps[(place + 1) % steps.len()]);
    let (giver, taker) = (graph.signal(step.signal), graph.signal(next.signal));
    let (from, into) = (giver.label(), taker.label());
    let target = match step.role.port() {
        "" => format!("`{into}`"),
        port => format!("the {port} of `{into}`"),
    };
    if !giver.is_named() {
        format!("a microstep delay breaks it: write `post (…)` round {target}")
    } else if !taker.is_named() {
        format!("a microstep delay breaks it: read `post {from}` instead of `{from}`")
    } else {
        format!("a microstep delay breaks it: `post {from}` into {target}")
    }
}
