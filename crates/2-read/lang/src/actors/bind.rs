//! What an instance is given: values of its parameters, signals for its inputs.

use super::declare::{Instantiation, Use};
use super::scope::{Meaning, ScopeId};
use crate::lower::context::Dependence;
use crate::lower::expression::Scope;
use crate::lower::typed::Typed;
use crate::syntax::ast::{Direction, ExprRef, Field, FieldValue, Formal, Name, PortKind, StatementKind};
use dyverse_actors::{Definition, SignalId};
use dyverse_diag::{Origin, closest, finding, report};
use std::collections::BTreeMap;

// Parameters.
impl<'t> Instantiation<'_, '_, 't> {
    pub(crate) fn bind_parameters(&mut self, scope: ScopeId, usage: &Use<'t>) {
        let formals = usage.actor.parameters;
        let given = self.placed_arguments(usage, formals);
        for formal in formals {
            let typed = match (given.get(formal.name.text.as_str()), formal.default) {
                (Some(expr), _) => self.constant(usage.tree, *expr, usage.by, &formal.name.text),
                (None, Some(expr)) => self.constant(usage.actor.tree, expr, scope, &formal.name.text),
                (None, None) => {
                    if !usage.is_trial {
                        self.missing_parameter(usage, formal);
                    }
                    Typed::Broken
                }
            };
            let names = &mut self.context.actors.scope_mut(scope).names;
            if let Some(local) = names.get_mut(&formal.name.text)
                && matches!(local.meaning, Meaning::Parameter(None))
            {
                local.meaning = Meaning::Parameter(Some(typed));
            }
        }
    }

    /// A value that may depend on parameters only.
    pub(crate) fn constant(&mut self, tree: usize, expr: ExprRef, scope: ScopeId, name: &str) -> Typed {
        let typed = self.lower(tree, expr, Scope::constants(scope));
        let origin = self.trees[tree].origin(expr);
        let nodes = match &typed {
            Typed::Number(node) | Typed::Boolean(node) => vec![*node],
            Typed::Vector(nodes) => nodes.to_vec(),
            Typed::Broken => return Typed::Broken,
            other => {
                report!(self.context, L020 at origin,
                    "the parameter `{name}` cannot be {}", other.describe();
                    label other.describe();
                    help "a parameter is a number, a vector or a truth value");
                return Typed::Broken;
            }
        };
        let place = format!("the parameter `{name}`");
        if self
            .context
            .check_dependence(&nodes, Dependence::PARAMETER, origin, &place)
        {
            typed
        } else {
            Typed::Broken
        }
    }

    fn placed_arguments(&mut self, usage: &Use<'t>, formals: &'t [Formal]) -> BTreeMap<&'t str, ExprRef> {
        let mut given: BTreeMap<&'t str, ExprRef> = BTreeMap::new();
        let actor = &usage.of.actor.text;
        for (position, (name, expr)) in usage.of.arguments.iter().enumerate() {
            let formal = match name {
                Some(name) => formals.iter().find(|f| f.name.text == name.text),
                None => formals.get(position),
            };
            let origin = name
                .as_ref()
                .map_or_else(|| self.trees[usage.tree].origin(*expr), |name| name.origin);
            match (formal, name) {
                (Some(formal), _) => {
                    if given.insert(&formal.name.text, *expr).is_some() {
                        report!(self.context, L015 at origin, "`{}` is given twice", formal.name.text;
                            label "given again";
                            help "remove one of them");
                    }
                }
                (None, Some(name)) => self.unknown_parameter(actor, name, formals),
                (None, None) => {
                    let finding = finding!(A014 at origin,
                        "this is value {} for `{actor}`, which has {} to give", position + 1, formals.len();
                        label "one too many";
                        help parameters_are(formals));
                    self.context.report(finding);
                }
            }
        }
        given
    }

    fn unknown_parameter(&mut self, actor: &str, name: &Name, formals: &[Formal]) {
        let known = formals.iter().map(|f| f.name.text.as_str());
        report!(self.context, A014 at name.origin, "the actor `{actor}` has no parameter `{}`", name.text;
            label "not known";
            near &name.text, known, parameters_are(formals));
    }

    fn missing_parameter(&mut self, usage: &Use<'t>, formal: &Formal) {
        let name = &formal.name.text;
        report!(self.context, A015 at usage.of.actor.origin,
            "`{}` needs a value for `{name}`", usage.of.actor.text;
            label "`{name}` is not given";
            also formal.name.origin, "declared without a default here";
            help "write {}({name} = …)", usage.of.actor.text);
    }
}

fn parameters_are(formals: &[Formal]) -> String {
    let names: Vec<&str> = formals.iter().map(|f| f.name.text.as_str()).collect();
    if names.is_empty() {
        "it has no parameters; inputs are bound in braces, `{ F = 0 }`".to_owned()
    } else {
        format!("parameters are: {}", names.join(", "))
    }
}

// Inputs.
impl<'t> Instantiation<'_, '_, 't> {
    pub(crate) fn bind_inputs(&mut self, scope: ScopeId, usage: &Use<'t>) {
        let mut bound: BTreeMap<&str, Origin> = BTreeMap::new();
        for field in &usage.of.bindings {
            let name = &field.name;
            if let Some(first) = bound.insert(&name.text, name.origin) {
                report!(self.context, A018 at name.origin, "`{}` is bound twice", name.text;
                    label "bound again";
                    also first, "first bound here";
                    help "remove one of them; two signals are joined with `??` or an expression");
                continue;
            }
            let (Some(value), Some(signal)) = (self.binding_value(field), self.input(scope, usage, name))
            else {
                continue;
            };
            self.define_signal(signal, name.origin, usage.tree, value, Scope::body(usage.by));
        }
        for statement in usage.actor.body {
            if let StatementKind::Port {
                direction: Direction::In,
                kind,
                names,
            } = &statement.kind
            {
                for formal in names.iter().filter(|f| !bound.contains_key(f.name.text.as_str())) {
                    self.unbound(scope, usage, *kind, formal);
                }
            }
        }
    }

    /// The expression of `F = e`.
    pub(crate) fn binding_value(&mut self, field: &Field) -> Option<ExprRef> {
        if let FieldValue::Equals(value) = field.value {
            return Some(value);
        }
        report!(self.context, L016 at field.origin, "`{}` needs a value", field.name.text;
            label "wrong form";
            help "write `{} = …`", field.name.text);
        None
    }

    fn input(&mut self, scope: ScopeId, usage: &Use<'t>, name: &Name) -> Option<SignalId> {
        let actor = &usage.of.actor.text;
        if let Some(signal) = self.own_signal(scope, name) {
            match self.context.actors.signal(signal).port {
                Some((Direction::In, _)) => return Some(signal),
                Some((Direction::Out, _)) => {
                    report!(self.context, A017 at name.origin, "`{}` is an output of `{actor}`", name.text;
                        label "cannot be bound";
                        help "read it as `{}.{}`", usage.name.text, name.text);
                    return None;
                }
                _ => {}
            }
        }
        let inputs: Vec<&str> = usage
            .actor
            .body
            .iter()
            .flat_map(|statement| match &statement.kind {
                StatementKind::Port {
                    direction: Direction::In,
                    names,
                    ..
                } => names.as_slice(),
                _ => &[],
            })
            .map(|formal| formal.name.text.as_str())
            .collect();
        let finding = finding!(A016 at name.origin, "the actor `{actor}` has no input `{}`", name.text;
            label "not known");
        let is_parameter = usage.actor.parameters.iter().any(|p| p.name.text == name.text);
        self.context
            .report(match closest(&name.text, inputs.iter().copied()) {
                _ if is_parameter => {
                    finding.help(format!("it is a parameter: write {actor}({} = …)", name.text))
                }
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None if inputs.is_empty() => finding.help("it has no inputs"),
                None => finding.help(format!("inputs are: {}", inputs.join(", "))),
            });
        None
    }

    fn unbound(&mut self, scope: ScopeId, usage: &Use<'t>, kind: PortKind, formal: &Formal) {
        let Some(signal) = self.own_signal(scope, &formal.name) else {
            return;
        };
        match (formal.default, kind) {
            (Some(value), _) => self.define_signal(
                signal,
                formal.name.origin,
                usage.actor.tree,
                value,
                Scope::body(scope),
            ),
            // What is not bound is never there.
            (None, PortKind::Event | PortKind::Any) => {
                self.context.actors.signal_mut(signal).definition = Some(Definition::Merge(Vec::new()));
            }
            (None, PortKind::Cont) if usage.is_trial => {}
            (None, PortKind::Cont) => {
                let name = &formal.name.text;
                report!(self.context, A019 at usage.name.origin,
                    "the input `{name}` of `{}` is not bound", usage.name.text;
                    label "nothing gives `{name}` its value";
                    also formal.name.origin, "declared here";
                    help "bind it, `{{ {name} = … }}`, or give it a default, `in cont {name} = 0`");
            }
        }
    }
}
