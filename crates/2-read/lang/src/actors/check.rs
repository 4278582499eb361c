//! What can be said of modes once everything is defined: signals that they share, ways in, what transitions set.

use super::scope::{Meaning, ModalDraft, Part, ScopeId, ScopeKind};
use crate::lower::context::Context;
use crate::syntax::ast::{Direction, PortKind};
use dyverse_actors::{Definition, ModeId, SignalId};
use dyverse_diag::{Origin, SourceMap, report};
use dyverse_expr::Node;
use std::collections::BTreeMap;

/// Signals that modes or transitions define become merges; those that nothing defines are reported.
pub(crate) fn merges(context: &mut Context<'_>) {
    for place in 0..context.actors.signals.len() {
        let draft = &context.actors.signals[place];
        let Some((Direction::Out | Direction::Var, _)) = draft.port else {
            continue;
        };
        if draft.merged.is_empty() && !draft.is_output {
            if draft.defined.is_none() && draft.definition.is_none() {
                undefined(context, SignalId(place as u32));
            }
            continue;
        }
        if let Some(first) = draft.defined {
            let inner = draft.merged.first().map_or(draft.origin, |id| {
                let part = context.actors.signal(*id);
                part.defined.unwrap_or(part.origin)
            });
            let name = last(&draft.name).to_owned();
            report!(context, A005 at inner, "`{name}` is defined for all modes and in this one";
                label "defined again";
                also first, "defined for all modes here";
                help "remove one of the two");
            continue;
        }
        let merged = draft.merged.clone();
        context.actors.signals[place].definition = Some(Definition::Merge(merged));
    }
    for place in 0..context.actors.scopes.len() {
        coverage(context, ScopeId(place));
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn undefined(context: &mut Context<'_>, id: SignalId) {
    let draft = context.actors.signal(id);
    let (origin, name) = (draft.origin, last(&draft.name).to_owned());
    let word = if matches!(draft.port, Some((Direction::Out, _))) {
        "the output"
    } else {
        "the signal"
    };
    report!(context, A009 at origin, "nothing defines {word} `{name}`";
        label "declared only";
        help "define it, `{name} = …` or `{name}' = …`, here or in modes");
}

/// A signal that is there at all times must be defined in all modes.
fn coverage(context: &mut Context<'_>, scope: ScopeId) {
    let names = context.actors.scope(scope).names.clone();
    for (name, local) in names {
        let Meaning::Signal(signal) = local.meaning else {
            continue;
        };
        let draft = context.actors.signal(signal);
        let is_continuous = matches!(
            draft.port,
            Some((Direction::Out | Direction::Var, PortKind::Cont))
        );
        if !is_continuous || draft.merged.is_empty() && !draft.is_output || draft.defined.is_some() {
            continue;
        }
        if let Some((mode, at)) = uncovered(context, scope, &name) {
            report!(context, A027 at local.origin,
                "`{name}` is `cont`, but the mode `{mode}` does not define it";
                label "must be there at all times";
                also at, "not defined in this mode";
                help "define it there, or declare `any {name}`: absent in that mode");
        }
    }
}

/// A mode in which nothing defines the name; `None` if all do. Nesting is bounded by that of the text.
fn uncovered(context: &Context<'_>, scope: ScopeId, name: &str) -> Option<(String, Origin)> {
    let actors = &context.actors;
    let body = actors.scope(scope);
    let inner_modals = body.names.values().filter_map(|local| match local.meaning {
        Meaning::Part(Part::Scope(id)) if actors.scope(id).kind == ScopeKind::Modal => Some(id),
        _ => None,
    });
    let mut missing: Option<(String, Origin)> = None;
    for modal_scope in body.modal.map(|_| scope).into_iter().chain(inner_modals) {
        let found = match actors.scope(modal_scope).modal {
            Some(modal) if modal_scope == scope => uncovered_mode(context, &actors.modals[modal], name),
            Some(_) => uncovered(context, modal_scope, name),
            None => continue,
        };
        match found {
            None => return None,
            Some(found) => missing = missing.or(Some(found)),
        }
    }
    missing
}

fn uncovered_mode(context: &Context<'_>, modal: &ModalDraft, name: &str) -> Option<(String, Origin)> {
    modal.modes.iter().find_map(|mode| {
        let body = context.actors.scope(mode.scope);
        if body.names.contains_key(name) {
            return None;
        }
        let has_modals = body.modal.is_some()
            || body.names.values().any(|local| {
                matches!(local.meaning, Meaning::Part(Part::Scope(id)) if context.actors.scope(id).kind == ScopeKind::Modal)
            });
        if has_modals {
            uncovered(context, mode.scope, name)
        } else {
            Some((mode.name.clone(), mode.origin))
        }
    })
}

/// Modes and transitions of all modal models.
pub(crate) fn modals(context: &mut Context<'_>, sources: &SourceMap) {
    let mut seen: BTreeMap<Origin, ()> = BTreeMap::new();
    for place in 0..context.actors.modals.len() {
        let modal = context.actors.modals[place].clone();
        settable(context, &modal);
        // The same text, instantiated again, has the same mistakes.
        if seen.insert(modal.origin, ()).is_none() {
            if context.error_count() == 0 {
                ways_in(context, &modal);
            }
            defaults(context, &modal);
            immediate_cycles(context, &modal, sources);
        }
    }
}

fn settable(context: &mut Context<'_>, modal: &ModalDraft) {
    for transition in &modal.transitions {
        for (signal, _) in &transition.sets {
            let draft = context.actors.signal(*signal);
            let Some(definition) = &draft.definition else {
                continue;
            };
            let target = &modal.modes[transition.to.0 as usize];
            if definition.has_settable_state() {
                continue;
            }
            let (name, word) = (draft.name.clone(), definition.word());
            let origin = transition.origin.unwrap_or(modal.origin);
            report!(context, A026 at origin, "`{name}` has no state that could be set";
                label "defined by `{word}`";
                also draft_origin(context, *signal), "defined here";
                note "the transition enters `{}`", target.name;
                help "set an integrator `x' = …`, a `hold` or a `post` of the mode that is entered");
        }
    }
}

fn draft_origin(context: &Context<'_>, signal: SignalId) -> Origin {
    let draft = context.actors.signal(signal);
    draft.defined.unwrap_or(draft.origin)
}

fn ways_in(context: &mut Context<'_>, modal: &ModalDraft) {
    let initial = modal.initial.map_or(0, |(place, _)| place);
    for (place, mode) in modal.modes.iter().enumerate() {
        let id = ModeId(place as u32);
        let is_entered = modal.transitions.iter().any(|t| t.to == id && t.from != Some(id));
        if place != initial && !is_entered {
            report!(context, warning A028 at mode.origin, "nothing goes to the mode `{}`", mode.name;
                label "never entered";
                help "add a transition, `when … goto`, or make it `initial`");
        }
    }
}

fn is_certain(context: &Context<'_>, transition: &dyverse_actors::ModeTransition) -> bool {
    matches!(context.pool.node(transition.guard), Node::Boolean(true))
}

/// Two transitions that are both taken when nothing else is.
fn defaults(context: &mut Context<'_>, modal: &ModalDraft) {
    for (place, _) in modal.modes.iter().enumerate() {
        let id = ModeId(place as u32);
        let leaving = modal
            .transitions
            .iter()
            .filter(|t| t.leaves(id) && t.is_default && !t.is_choice && is_certain(context, t));
        let origins: Vec<Origin> = leaving.filter_map(|t| t.origin).collect();
        if let [first, second, ..] = origins.as_slice() {
            report!(context, A029 at *second, "the mode `{}` has two defaults", modal.modes[place].name;
                label "always true as well";
                also *first, "the first";
                help "give one of them a guard, or mark both as a `choose`");
            return;
        }
    }
}

/// Immediate transitions that are always true and lead round in a circle.
fn immediate_cycles(context: &mut Context<'_>, modal: &ModalDraft, _: &SourceMap) {
    let next = |mode: usize| {
        modal
            .transitions
            .iter()
            .find(|t| t.is_immediate && t.leaves(ModeId(mode as u32)) && is_certain(context, t))
    };
    for start in 0..modal.modes.len() {
        let (mut path, mut at) = (vec![start], start);
        while let Some(transition) = next(at) {
            at = transition.to.0 as usize;
            path.push(at);
            if at == start {
                let names: Vec<&str> = path.iter().map(|m| modal.modes[*m].name.as_str()).collect();
                let chain = names.join(" -> ");
                let origin = transition.origin.unwrap_or(modal.origin);
                report!(context, A039 at origin, "immediate transitions lead round in a circle";
                    label "closes the circle";
                    note chain;
                    help "remove `immediate` from one of them, or give it a guard");
                return;
            }
            if path.len() > modal.modes.len() {
                break;
            }
        }
    }
}
