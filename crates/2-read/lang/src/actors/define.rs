//! Definitions: equations, integrators, what enables an instance.

use super::declare::{Instantiation, Use};
use super::scope::{Meaning, ScopeId};
use crate::lower::expression::{Lowering, Scope};
use crate::lower::typed::Typed;
use crate::syntax::ast::{Direction, ExprRef, Name, Statement, StatementKind};
use dyverse_actors::{Definition, SignalId};
use dyverse_diag::{Origin, report};

impl<'a, 't> Instantiation<'_, 'a, 't> {
    /// Defines what was declared, users before what they use.
    pub(crate) fn define_all(&mut self) {
        for place in 0..self.bodies.len() {
            let scope = ScopeId(place);
            let body = self.bodies[place].clone();
            if let Some(usage) = &body.usage {
                self.bind_parameters(scope, usage);
                self.define_enable(usage);
                self.bind_inputs(scope, usage);
            }
            for (tree, statement) in &body.statements {
                self.define_statement(scope, *tree, statement);
            }
            if self.context.is_full() || self.context.actors.is_full() {
                return;
            }
        }
    }

    fn lowering(&mut self, tree: usize, scope: Scope) -> Lowering<'_, 'a> {
        Lowering::new(self.context, &self.trees[tree], scope)
    }

    /// Lowers an expression of a body.
    pub(crate) fn lower(&mut self, tree: usize, expr: ExprRef, scope: Scope) -> Typed {
        Lowering::new(self.context, &self.trees[tree], scope).lower(expr)
    }

    fn define_statement(&mut self, scope: ScopeId, tree: usize, statement: &'t Statement) {
        match &statement.kind {
            StatementKind::Port {
                direction: Direction::Out | Direction::Var,
                names,
                ..
            } => {
                for formal in names {
                    if let Some(value) = formal.default {
                        self.define_target(scope, tree, &formal.name, value);
                    }
                }
            }
            StatementKind::Equation { target, value } => {
                let called = self.trees[tree].as_instance(*value);
                let is_instance =
                    called.is_some_and(|(actor, _)| self.actors.contains_key(actor.text.as_str()));
                if !is_instance {
                    self.define_target(scope, tree, target, *value);
                }
            }
            StatementKind::Integrator {
                target,
                derivative,
                init,
                impulse,
                reset,
            } => {
                self.define_integrator(scope, tree, target, *derivative, (*init, *impulse, *reset));
            }
            StatementKind::File(file) => self.define_component(scope, tree, file),
            StatementKind::Transition(transition) => {
                self.define_transition(scope, tree, transition, statement.origin);
            }
            _ => {}
        }
    }

    /// The signal that a name of this very body stands for.
    pub(crate) fn own_signal(&self, scope: ScopeId, name: &Name) -> Option<SignalId> {
        match self.context.actors.scope(scope).names.get(&name.text)?.meaning {
            Meaning::Signal(signal) => Some(signal),
            _ => None,
        }
    }

    fn define_target(&mut self, scope: ScopeId, tree: usize, target: &Name, value: ExprRef) {
        match self.own_signal(scope, target) {
            Some(signal) if !self.is_input(signal) => {
                self.define_signal(signal, target.origin, tree, value, Scope::body(scope));
            }
            // Reported where it was declared; the expression may have mistakes of its own.
            _ => {
                self.lower(tree, value, Scope::body(scope));
            }
        }
    }

    fn is_input(&self, signal: SignalId) -> bool {
        matches!(self.context.actors.signal(signal).port, Some((Direction::In, _)))
    }

    /// Whether a signal is still without definition; reports a second one.
    fn claim(&mut self, signal: SignalId, at: Origin) -> bool {
        let draft = self.context.actors.signal_mut(signal);
        match draft.defined {
            None => {
                draft.defined = Some(at);
                true
            }
            Some(first) => {
                let name = draft.name.clone();
                report!(self.context, A004 at at, "`{name}` is defined twice";
                    label "defined again";
                    also first, "first defined here";
                    help "remove one of them; modes define a signal once each");
                false
            }
        }
    }

    /// Defines a signal by an expression.
    pub(crate) fn define_signal(
        &mut self,
        signal: SignalId,
        at: Origin,
        tree: usize,
        value: ExprRef,
        scope: Scope,
    ) {
        let is_free = self.claim(signal, at);
        let name = self.context.actors.signal_name(signal).to_owned();
        self.context.actors.begin(name);
        let origin = self.trees[tree].origin(value);
        let mut lowering = self.lowering(tree, scope);
        let typed = lowering.lower(value);
        let Some(node) = lowering.signal_node(&typed, origin) else {
            return;
        };
        if !is_free {
            return;
        }
        let operator = self.context.signal_of_node(node);
        let taken = operator.and_then(|operand| self.context.actors.take_operand(operand));
        let definition = taken.unwrap_or(Definition::Expression(node));
        self.context.actors.signal_mut(signal).definition = Some(definition);
    }

    fn define_integrator(
        &mut self,
        scope: ScopeId,
        tree: usize,
        target: &Name,
        derivative: ExprRef,
        (init, impulse, reset): (Option<ExprRef>, Option<ExprRef>, Option<ExprRef>),
    ) {
        let signal = self
            .own_signal(scope, target)
            .filter(|signal| !self.is_input(*signal));
        let is_free = signal.is_some_and(|signal| self.claim(signal, target.origin));
        let name = match signal {
            Some(signal) => self.context.actors.signal_name(signal).to_owned(),
            None => target.text.clone(),
        };
        self.context.actors.begin(name);
        let derivative = self.operand(scope, tree, derivative);
        let init = match init {
            Some(expr) => {
                let origin = self.trees[tree].origin(expr);
                let mut lowering = self.lowering(tree, Scope::constants(scope));
                let typed = lowering.lower(expr);
                lowering.signal_node(&typed, origin)
            }
            None => Some(self.context.pool.number(0.0)),
        };
        let mut optional = |expr: Option<ExprRef>| match expr {
            Some(expr) => self.operand(scope, tree, expr).map(Some),
            None => Some(None),
        };
        let (impulse, reset) = (optional(impulse), optional(reset));
        if let (Some(signal), true, Some(derivative), Some(init), Some(impulse), Some(reset)) =
            (signal, is_free, derivative, init, impulse, reset)
        {
            self.context.actors.signal_mut(signal).definition = Some(Definition::Integrator {
                derivative,
                init,
                impulse,
                reset,
            });
        }
    }

    /// An expression of a body as a signal.
    pub(crate) fn operand(&mut self, scope: ScopeId, tree: usize, expr: ExprRef) -> Option<SignalId> {
        let origin = self.trees[tree].origin(expr);
        let mut lowering = self.lowering(tree, Scope::body(scope));
        let typed = lowering.lower(expr);
        lowering.signal_of(&typed, origin)
    }

    fn define_enable(&mut self, usage: &Use<'t>) {
        if let (Some(enable), Some(expr)) = (usage.enable, usage.of.enabled) {
            self.define_signal(
                enable,
                usage.of.actor.origin,
                usage.tree,
                expr,
                Scope::body(usage.by),
            );
        }
    }
}
