//! Transitions: where they go, when, and what they do.

use super::declare::Instantiation;
use super::scope::{Meaning, Part, ScopeId, ScopeKind};
use crate::lower::expression::{Lowering, Scope};
use crate::lower::fields::{FieldReader, Range};
use crate::lower::typed::Typed;
use crate::syntax::ast::{Action, Direction, ExprRef, Name, TransitionTo};
use dyverse_actors::{ModeId, ModeTransition, SignalId};
use dyverse_diag::{Origin, finding, report};
use dyverse_expr::NodeId;

impl<'t> Instantiation<'_, '_, 't> {
    pub(crate) fn define_transition(
        &mut self,
        scope: ScopeId,
        tree: usize,
        transition: &'t TransitionTo,
        origin: Origin,
    ) {
        let Some((modal, from)) = self.modal_of(scope, transition) else {
            return;
        };
        let to = self.mode(modal, &transition.target);
        let name = self.context.actors.modals[modal].name.clone();
        let place = self.context.actors.modals[modal].transitions.len() + 1;
        self.context.actors.begin(format!("{name}#when{place}"));
        let leaving = self
            .mode_around(scope)
            .filter(|(own, mode)| (*own, Some(*mode)) == (modal, from));
        let inside = Scope::transition(scope, leaving.map(|(modal, mode)| (modal, mode.0 as usize)));
        self.context.actors.begin_apart();
        let guard = match transition.guard {
            Some(guard) => self.guard(inside, tree, guard),
            None => Some(self.context.pool.boolean(true)),
        };
        let has = |flag: &str| transition.flags.iter().any(|f| f.text == flag);
        let tolerance = transition.tolerance.map(|expr| {
            let typed = self.lower(tree, expr, Scope::constants(scope));
            self.positive(tree, expr, &typed)
        });
        let Some(to) = to else {
            return;
        };
        self.context.actors.begin_apart();
        let target_scope = self.context.actors.modals[modal].modes[to.0 as usize].scope;
        let (mut sets, mut outputs) = (Vec::new(), Vec::new());
        for action in &transition.actions {
            let value = self.action_value(inside, tree, action);
            let list = if action.is_set { &mut sets } else { &mut outputs };
            let signal = if action.is_set {
                self.state_to_set(target_scope, action)
            } else {
                self.output_to_give(scope, action)
            };
            if let (Some(signal), Some(value)) = (signal, value) {
                if list.iter().any(|(known, _)| *known == signal) {
                    self.given_twice(action);
                }
                list.push((signal, value));
            }
        }
        let (Some(guard), Some(tolerance)) = (guard, transpose(tolerance)) else {
            return;
        };
        let text = transition
            .guard
            .map_or("otherwise".to_owned(), |expr| self.snippet(tree, expr));
        let mut new = ModeTransition::new(from, to, guard);
        new.text = text;
        new.is_immediate = has("immediate");
        new.is_preemptive = has("preempt");
        new.is_history = has("history");
        new.is_default = has("default") || transition.guard.is_none();
        new.is_choice = has("choose");
        new.tolerance = tolerance;
        new.sets = sets;
        new.outputs = outputs;
        new.origin = Some(origin);
        self.context.actors.modals[modal].transitions.push(new);
    }

    fn snippet(&self, tree: usize, expr: ExprRef) -> String {
        let text = self.context.sources.snippet(self.trees[tree].origin(expr));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The modal model that a transition belongs to, and the mode it leaves. Written in a mode that has modes itself, it goes
    /// between those if its target is one of them.
    fn modal_of(&mut self, scope: ScopeId, transition: &TransitionTo) -> Option<(usize, Option<ModeId>)> {
        let own = self.context.actors.scope(scope).modal;
        let is_own = |modal: usize| {
            let modes = &self.context.actors.modals[modal].modes;
            modes.iter().any(|mode| mode.name == transition.target.text)
        };
        let around = self.mode_around(scope);
        if let Some(from) = &transition.from {
            let Some(modal) = own else {
                self.no_modes(from.origin);
                return None;
            };
            let mode = self.mode(modal, from)?;
            return Some((modal, Some(mode)));
        }
        match (own, around) {
            (Some(modal), None) => Some((modal, None)),
            (Some(modal), Some(_)) if is_own(modal) => Some((modal, None)),
            (_, Some((modal, mode))) => Some((modal, Some(mode))),
            (None, None) => {
                self.no_modes(transition.target.origin);
                None
            }
        }
    }

    /// The mode that a scope is the body of.
    fn mode_around(&self, scope: ScopeId) -> Option<(usize, ModeId)> {
        let actors = &self.context.actors;
        if actors.scope(scope).kind != ScopeKind::Mode {
            return None;
        }
        let modal = actors.scope(actors.scope(scope).around?).modal?;
        let place = actors.modals[modal].modes.iter().position(|m| m.scope == scope)?;
        Some((modal, ModeId(place as u32)))
    }

    fn no_modes(&mut self, origin: Origin) {
        report!(self.context, A022 at origin, "a transition goes between modes; there are none here";
            label "no mode";
            help "write `mode NAME {{ … }}`, or put the transition where the modes are");
    }

    fn mode(&mut self, modal: usize, name: &Name) -> Option<ModeId> {
        let draft = &self.context.actors.modals[modal];
        if let Some(place) = draft.modes.iter().position(|mode| mode.name == name.text) {
            return Some(ModeId(place as u32));
        }
        let modes: Vec<&str> = draft.modes.iter().map(|mode| mode.name.as_str()).collect();
        let finding = finding!(A020 at name.origin, "`{}` has no mode `{}`", draft.name, name.text;
            label "not known";
            near &name.text, modes.iter().copied(), "modes are: {}", modes.join(", "));
        self.context.report(finding);
        None
    }

    fn guard(&mut self, scope: Scope, tree: usize, guard: ExprRef) -> Option<NodeId> {
        let origin = self.trees[tree].origin(guard);
        let mut lowering = Lowering::new(self.context, &self.trees[tree], scope);
        let typed = lowering.lower(guard);
        if typed.is_broken() {
            return None;
        }
        let truth = lowering.as_truth(&typed);
        if truth.is_none() {
            report!(self.context, A023 at origin, "a guard is true or false, this is {}", typed.describe();
                label typed.describe();
                help "compare it, as in `when x <= 0`, or ask whether it is there: `when present hit`");
        }
        truth
    }

    fn positive(&mut self, tree: usize, expr: ExprRef, typed: &Typed) -> Option<NodeId> {
        let origin = self.trees[tree].origin(expr);
        let mut lowering = Lowering::new(self.context, &self.trees[tree], Scope::default());
        let node = lowering.signal_node(typed, origin)?;
        let mut reader = FieldReader {
            context: self.context,
            tree: &self.trees[tree],
        };
        reader.constant_node(node, origin, "tolerance", Range::Positive)
    }

    fn action_value(&mut self, scope: Scope, tree: usize, action: &Action) -> Option<NodeId> {
        let origin = self.trees[tree].origin(action.value);
        let mut lowering = Lowering::new(self.context, &self.trees[tree], scope);
        let typed = lowering.lower(action.value);
        lowering.signal_node(&typed, origin)
    }

    fn given_twice(&mut self, action: &Action) {
        report!(self.context, L015 at action.origin, "this transition says it twice";
            label "given again";
            help "remove one of the two actions");
    }

    /// `ball.v`, seen from the mode that is entered.
    fn state_to_set(&mut self, target: ScopeId, action: &Action) -> Option<SignalId> {
        let signal = self.path(target, &action.path)?;
        let own = self.own_part(target, signal);
        Some(own.unwrap_or(signal))
    }

    /// Of a signal that modes define, the definition in this one.
    fn own_part(&self, target: ScopeId, signal: SignalId) -> Option<SignalId> {
        let region = self.context.actors.scope(target).region;
        let merged = &self.context.actors.signal(signal).merged;
        let is_inside = |id: &&SignalId| {
            let there = self.context.actors.signal(**id).region;
            self.context.actors.is_within(there, region)
        };
        merged.iter().find(is_inside).copied()
    }

    fn output_to_give(&mut self, scope: ScopeId, action: &Action) -> Option<SignalId> {
        let around = match self.context.actors.scope(scope).kind {
            ScopeKind::Mode => self.context.actors.scope(scope).around.unwrap_or(scope),
            _ => scope,
        };
        let signal = self.path(around, &action.path)?;
        let draft = self.context.actors.signal_mut(signal);
        let is_declared = matches!(draft.port, Some((Direction::Out | Direction::Var, _)));
        if !is_declared || draft.defined.is_some() || draft.definition.is_some() {
            let name = draft.name.clone();
            report!(self.context, A025 at action.origin, "a transition cannot give `{name}` a value";
                label "defined elsewhere";
                note "an output action is for a signal that is declared with `out` or `var` where the modes are, and defined by modes or transitions only";
                help "declare `out any {}` there", last(&action.path));
            return None;
        }
        draft.is_output = true;
        Some(signal)
    }

    /// The signal that a path names, inside instances too.
    pub(crate) fn path(&mut self, scope: ScopeId, path: &[Name]) -> Option<SignalId> {
        find_path(self.context, scope, path)
    }
}

/// The signal that a path names, inside instances too; reports what is not there.
pub(crate) fn find_path(
    context: &mut crate::lower::context::Context<'_>,
    scope: ScopeId,
    path: &[Name],
) -> Option<SignalId> {
    let (first, rest) = path.split_first()?;
    let Some((_, local)) = context.actors.find(scope, &first.text) else {
        unknown(context, scope, first);
        return None;
    };
    let (mut meaning, mut at) = (local.meaning.clone(), first);
    let mut rest = rest.iter();
    loop {
        meaning = match (meaning, rest.next()) {
            (Meaning::Signal(signal), None) => return Some(signal),
            (Meaning::Broken, _) => return None,
            (Meaning::Part(Part::Scope(id)), Some(name)) => {
                at = name;
                match context.actors.scope(id).names.get(&name.text) {
                    Some(local) => local.meaning.clone(),
                    None => {
                        unknown(context, id, name);
                        return None;
                    }
                }
            }
            (Meaning::Part(Part::Fmu(fmu, _)), Some(name)) => {
                return fmu_path(context, fmu, name, rest.as_slice());
            }
            (Meaning::Part(Part::Mechanism(mechanism)), Some(name)) => {
                let entry = &context.actors.mechanisms[mechanism];
                let entity = entry.entity(&name.text);
                match (entity, rest.next()) {
                    (Some(_), Some(state)) if is_state(&state.text) => {
                        let output = format!("{}.{}", name.text, state.text);
                        return context.actors.mechanism_output(mechanism, output);
                    }
                    (None, None) if name.text == "impact" => {
                        return context.actors.mechanism_event(mechanism, "impact".into());
                    }
                    _ => {
                        no_signal(context, name);
                        return None;
                    }
                }
            }
            _ => {
                no_signal(context, at);
                return None;
            }
        };
    }
}

/// The output of an FMU that a path names.
fn fmu_path(
    context: &mut crate::lower::context::Context<'_>,
    fmu: usize,
    first: &Name,
    rest: &[Name],
) -> Option<SignalId> {
    let mut text = first.text.clone();
    for name in rest {
        text.push('.');
        text.push_str(&name.text);
    }
    match context.actors.fmus[fmu].output(&text) {
        Some(output) => context.actors.fmu_output(fmu, output),
        None => {
            no_signal(context, rest.last().unwrap_or(first));
            None
        }
    }
}

fn is_state(name: &str) -> bool {
    dyverse_model::StateComponent::ALL
        .iter()
        .any(|c| c.name() == name)
}

fn no_signal(context: &mut crate::lower::context::Context<'_>, name: &Name) {
    report!(context, A024 at name.origin, "`{}` is no signal", name.text;
        label "not a signal";
        help "name a signal, as in `left.v`");
}

fn unknown(context: &mut crate::lower::context::Context<'_>, scope: ScopeId, name: &Name) {
    let known = context.actors.names_in(scope);
    let finding = finding!(A024 at name.origin, "no signal is called `{}`", name.text;
        label "not known";
        near &name.text, known, "name a signal of this body, or one of its instances' as in `left.v`");
    context.report(finding);
}

fn last(path: &[Name]) -> &str {
    path.last().map_or("y", |name| name.text.as_str())
}

/// `Some(None)` if there is nothing, `None` if it is broken.
fn transpose(value: Option<Option<NodeId>>) -> Option<Option<NodeId>> {
    match value {
        None => Some(None),
        Some(None) => None,
        Some(found) => Some(found),
    }
}
