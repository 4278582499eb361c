//! Every body of every instance gets its scope, its signals, its instances and its modes; nothing is defined yet.

use super::scope::{Local, Meaning, ModalDraft, ModeDraft, Part, RegionDraft, Scope, ScopeId, ScopeKind};
use super::{ActorItem, External};
use crate::lower::context::Context;
use crate::lower::definitions::is_taken;
use crate::syntax::ast::{
    Direction, Formal, InstanceOf, Name, PortKind, SourceTree, Statement, StatementKind,
};
use dyverse_actors::{RegionId, SignalId};
use dyverse_diag::{Origin, finding, report};
use std::collections::BTreeMap;

/// A use of an actor: what its scope was made from.
#[derive(Clone)]
pub(crate) struct Use<'t> {
    /// The instance's name.
    pub(crate) name: &'t Name,
    pub(crate) actor: ActorItem<'t>,
    pub(crate) of: InstanceOf,
    /// Where it is used: a scope and its file.
    pub(crate) by: ScopeId,
    pub(crate) tree: usize,
    pub(crate) enable: Option<SignalId>,
    /// Made only to check an actor that nothing uses: what a user would give is not missed.
    pub(crate) is_trial: bool,
}

/// The text of a scope.
#[derive(Clone)]
pub(crate) struct Body<'t> {
    pub(crate) statements: Vec<(usize, &'t Statement)>,
    /// For the body of an instance.
    pub(crate) usage: Option<Use<'t>>,
    /// The instance that it belongs to: the body of an actor, or the model.
    pub(crate) owner: ScopeId,
}

/// Instantiation: scopes and, beside them, the text that they are made from.
pub(crate) struct Instantiation<'c, 'a, 't> {
    pub(crate) context: &'c mut Context<'a>,
    pub(crate) trees: &'t [SourceTree],
    pub(crate) actors: &'c BTreeMap<&'t str, ActorItem<'t>>,
    pub(crate) externals: &'c BTreeMap<Origin, External>,
    pub(crate) bodies: Vec<Body<'t>>,
    /// Bodies that have been declared: the first ones.
    declared: usize,
    model_name: String,
}

impl<'c, 'a, 't> Instantiation<'c, 'a, 't> {
    /// A model whose own body has these statements, each of one of the files.
    pub(crate) fn new(
        context: &'c mut Context<'a>,
        statements: Vec<(usize, &'t Statement)>,
        trees: &'t [SourceTree],
        actors: &'c BTreeMap<&'t str, ActorItem<'t>>,
        externals: &'c BTreeMap<Origin, External>,
        name: &str,
    ) -> Self {
        let root = context.actors.region(RegionDraft::Root);
        context.actors.scopes.push(Scope {
            kind: ScopeKind::Model,
            path: String::new(),
            around: None,
            region: root,
            names: BTreeMap::new(),
            modal: None,
        });
        Instantiation {
            context,
            trees,
            actors,
            externals,
            bodies: vec![Body {
                statements,
                usage: None,
                owner: ScopeId::MODEL,
            }],
            declared: 0,
            model_name: name.to_owned(),
        }
    }

    /// Declares the model's body and, in the order in which they are found, all in it. False if that is too much.
    pub(crate) fn declare_all(&mut self) -> bool {
        while self.declared < self.bodies.len() {
            let next = ScopeId(self.declared);
            if self.context.actors.is_full() {
                self.too_many(next);
                return false;
            }
            self.declare(next);
            self.declared += 1;
        }
        true
    }

    fn too_many(&mut self, scope: ScopeId) {
        let usage = self.bodies[scope.0].usage.as_ref();
        let first = self.bodies[scope.0].statements.first().map(|(_, s)| s.origin);
        let Some(origin) = usage.map(|u| u.name.origin).or(first) else {
            return;
        };
        report!(self.context, A008 at origin, "this model is too big";
            label "instantiation stopped here";
            note "a model has {} signals and bodies at the most", super::scope::MOST_PARTS;
            help "look for an actor that contains several of another which contains several …");
    }

    fn declare(&mut self, scope: ScopeId) {
        let body = self.bodies[scope.0].clone();
        if let Some(usage) = &body.usage {
            for parameter in usage.actor.parameters {
                self.enter(scope, &parameter.name, Meaning::Parameter(None));
            }
        }
        for (_, statement) in &body.statements {
            if let StatementKind::Port {
                direction,
                kind,
                names,
            } = &statement.kind
            {
                self.declare_ports(scope, *direction, *kind, names);
            }
        }
        for (tree, statement) in &body.statements {
            self.declare_statement(scope, *tree, statement);
        }
    }

    fn declare_ports(&mut self, scope: ScopeId, direction: Direction, kind: PortKind, names: &[Formal]) {
        let body_kind = self.context.actors.scope(scope).kind;
        for formal in names {
            if direction == Direction::In && body_kind != ScopeKind::Actor {
                self.context.report(
                    finding!(A010 at formal.name.origin,
                        "only an actor has input ports: `{}`", formal.name.text;
                        label "nobody could bind it")
                    .help(if body_kind == ScopeKind::Model {
                        format!("an input of the whole model is `input {}`", formal.name.text)
                    } else {
                        "a mode reads the signals around it by name".to_owned()
                    }),
                );
                self.enter(scope, &formal.name, Meaning::Broken);
                continue;
            }
            let path = self.context.actors.scope(scope).path_of(&formal.name.text);
            // An input is given from outside: it is there even if the instance is not enabled.
            let region = match (&self.bodies[scope.0].usage, direction) {
                (Some(usage), Direction::In) => self.context.actors.scope(usage.by).region,
                _ => self.context.actors.scope(scope).region,
            };
            let signal =
                self.context
                    .actors
                    .declare(path, Some((direction, kind)), region, formal.name.origin);
            if !self.enter(scope, &formal.name, Meaning::Signal(signal)) {
                self.context.actors.signals.pop();
            }
        }
    }

    /// Gives a name a meaning in a scope; false, and a report, if it has one.
    pub(crate) fn enter(&mut self, scope: ScopeId, name: &Name, meaning: Meaning) -> bool {
        let known = self.context.actors.scope(scope).names.get(&name.text);
        let global = self.context.names.get(&name.text);
        let first = match (known, global) {
            (Some(local), _) => Some(local.origin),
            // The model's own signals stand beside its parameters.
            (None, Some(global)) if scope == ScopeId::MODEL => Some(global.origin),
            _ => None,
        };
        if is_taken(self.context, name, &["time", "pi"]) {
            return false;
        }
        if let Some(first) = first {
            self.declared_twice(name, first);
            return false;
        }
        let local = Local {
            meaning,
            origin: name.origin,
        };
        self.context
            .actors
            .scope_mut(scope)
            .names
            .insert(name.text.clone(), local);
        true
    }

    fn declared_twice(&mut self, name: &Name, first: Origin) {
        report!(self.context, A003 at name.origin, "`{}` is declared twice here", name.text;
            label "declared again";
            also first, "first declared here";
            help "give one of them another name");
    }

    fn declare_statement(&mut self, scope: ScopeId, tree: usize, statement: &'t Statement) {
        match &statement.kind {
            StatementKind::Port { .. } | StatementKind::Transition(_) => {}
            StatementKind::Equation { target, value } => {
                let called = self.trees[tree].as_instance(*value);
                match called.filter(|(actor, _)| self.actors.contains_key(actor.text.as_str())) {
                    Some((actor, arguments)) => {
                        let of = InstanceOf {
                            actor,
                            arguments,
                            enabled: None,
                            bindings: Vec::new(),
                        };
                        self.declare_instance(scope, tree, target, of);
                    }
                    None => self.declare_target(scope, target),
                }
            }
            StatementKind::Integrator { target, .. } => self.declare_target(scope, target),
            StatementKind::Instance { name, of } => self.declare_instance(scope, tree, name, of.clone()),
            StatementKind::File(file) => self.declare_file(scope, &file.name, file.path_origin),
            StatementKind::Modal { name, body } => {
                let region = self.context.actors.scope(scope).region;
                self.declare_inner(scope, tree, name, body, ScopeKind::Modal, region);
            }
            StatementKind::Mode {
                name,
                is_initial,
                body,
            } => self.declare_mode(scope, tree, name, *is_initial, body),
        }
    }

    /// A signal that an equation or integrator defines, unless a declaration made it.
    fn declare_target(&mut self, scope: ScopeId, target: &'t Name) {
        let actors = &self.context.actors;
        let known = actors.find(scope, &target.text);
        let Some((place, local)) = known else {
            self.new_target(scope, target, None);
            return;
        };
        let (place, meaning, origin) = (place, local.meaning.clone(), local.origin);
        match meaning {
            Meaning::Broken => {}
            Meaning::Signal(signal) => {
                let draft = self.context.actors.signal(signal);
                match draft.port {
                    Some((Direction::In, _)) => self.defined_input(target, origin),
                    Some((direction, kind)) if place != scope => {
                        // A mode defines a signal of the body around it.
                        let port = Some((direction, kind));
                        if let Some(own) = self.new_target(scope, target, port) {
                            self.context.actors.signal_mut(signal).merged.push(own);
                        }
                    }
                    // Declared in this body: defined later, once.
                    Some(_) => {}
                    None if place == scope => {}
                    None => self.defined_around(target, origin),
                }
            }
            Meaning::Parameter(_) | Meaning::Part(_) => self.declared_twice(target, origin),
        }
    }

    fn new_target(
        &mut self,
        scope: ScopeId,
        target: &'t Name,
        port: Option<(Direction, PortKind)>,
    ) -> Option<SignalId> {
        let path = self.context.actors.scope(scope).path_of(&target.text);
        let region = self.context.actors.scope(scope).region;
        let port = port.map(|(_, kind)| (Direction::Var, kind));
        let signal = self.context.actors.declare(path, port, region, target.origin);
        if self.enter(scope, target, Meaning::Signal(signal)) {
            return Some(signal);
        }
        self.context.actors.signals.pop();
        None
    }

    fn defined_input(&mut self, target: &Name, declared: Origin) {
        report!(self.context, A011 at target.origin,
            "`{}` is an input: it is given from outside", target.text;
            label "cannot be defined here";
            also declared, "declared as an input here";
            help "declare it `out` or `var`, or remove this line");
    }

    fn defined_around(&mut self, target: &Name, first: Origin) {
        report!(self.context, A005 at target.origin,
            "`{}` is defined for all modes and in this one", target.text;
            label "defined again";
            also first, "defined for all modes here";
            help "declare `var any {}` outside and define it in the modes only", target.text);
    }

    pub(crate) fn new_scope(
        &mut self,
        kind: ScopeKind,
        path: String,
        around: Option<ScopeId>,
        region: RegionId,
    ) -> ScopeId {
        self.context.actors.scopes.push(Scope {
            kind,
            path,
            around,
            region,
            names: BTreeMap::new(),
            modal: None,
        });
        ScopeId(self.context.actors.scopes.len() - 1)
    }

    fn declare_inner(
        &mut self,
        scope: ScopeId,
        tree: usize,
        name: &'t Name,
        body: &'t [Statement],
        kind: ScopeKind,
        region: RegionId,
    ) -> Option<ScopeId> {
        let path = self.context.actors.scope(scope).path_of(&name.text);
        let id = self.new_scope(kind, path, Some(scope), region);
        self.bodies.push(Body {
            statements: body.iter().map(|s| (tree, s)).collect(),
            usage: None,
            owner: self.bodies[scope.0].owner,
        });
        self.enter(scope, name, Meaning::Part(Part::Scope(id)))
            .then_some(id)
    }

    fn declare_mode(
        &mut self,
        scope: ScopeId,
        tree: usize,
        name: &'t Name,
        is_initial: bool,
        body: &'t [Statement],
    ) {
        let outer = self.context.actors.scope(scope);
        let (path, region) = (outer.path.clone(), outer.region);
        let modal = outer.modal.unwrap_or_else(|| {
            let actors = &mut self.context.actors;
            actors.modals.push(ModalDraft {
                name: if path.is_empty() {
                    self.model_name.clone()
                } else {
                    path
                },
                region,
                modes: Vec::new(),
                initial: None,
                transitions: Vec::new(),
                origin: name.origin,
            });
            actors.modals.len() - 1
        });
        self.context.actors.scope_mut(scope).modal = Some(modal);
        let own = self.context.actors.region(RegionDraft::Mode {
            modal,
            parent: region,
        });
        let id = self.declare_inner(scope, tree, name, body, ScopeKind::Mode, own);
        let place = ScopeId(self.context.actors.scopes.len() - 1);
        let draft = &mut self.context.actors.modals[modal];
        let mode = draft.modes.len();
        draft.modes.push(ModeDraft {
            leaving: None,
            name: name.text.clone(),
            scope: id.unwrap_or(place),
            origin: name.origin,
        });
        if is_initial {
            if let Some((_, first)) = draft.initial {
                report!(self.context, A021 at name.origin, "two modes are initial";
                    label "initial as well";
                    also first, "the first";
                    help "remove `initial` from one of them");
            } else {
                draft.initial = Some((mode, name.origin));
            }
        }
    }
}
