//! Instances: which actor, whether it may stand here, its scope and region.

use super::declare::{Body, Instantiation, Use};
use super::scope::{Meaning, Part, RegionDraft, ScopeId, ScopeKind};
use crate::syntax::ast::{InstanceOf, Name};
use dyverse_diag::report;

/// Actors inside one another at the most.
const MOST_NESTED: usize = 100;

impl<'t> Instantiation<'_, '_, 't> {
    pub(crate) fn declare_instance(&mut self, scope: ScopeId, tree: usize, name: &'t Name, of: InstanceOf) {
        let Some(actor) = self.actors.get(of.actor.text.as_str()).copied() else {
            self.unknown_actor(&of.actor);
            self.enter(scope, name, Meaning::Broken);
            return;
        };
        if !self.may_nest(scope, &of.actor) {
            self.enter(scope, name, Meaning::Broken);
            return;
        }
        let parent = self.context.actors.scope(scope);
        let (path, outer) = (parent.path_of(&name.text), parent.region);
        let actors = &mut self.context.actors;
        let (region, enable) = if of.enabled.is_some() {
            let enable = actors.declare(format!("{path}#enable"), None, outer, of.actor.origin);
            actors.signal_mut(enable).is_named = false;
            let region = actors.region(RegionDraft::Enabled {
                name: path.clone(),
                parent: outer,
                enable,
                origin: name.origin,
            });
            (region, Some(enable))
        } else {
            (outer, None)
        };
        let id = self.new_scope(ScopeKind::Actor, path, None, region);
        let statements = actor.body.iter().map(|s| (actor.tree, s)).collect();
        self.bodies.push(Body {
            statements,
            usage: Some(Use {
                name,
                actor,
                of,
                by: scope,
                tree,
                enable,
                is_trial: false,
            }),
            owner: id,
        });
        self.enter(scope, name, Meaning::Part(Part::Scope(id)));
    }

    /// The instances that a scope lies in, innermost first.
    fn users(&self, scope: ScopeId) -> Vec<&Use<'t>> {
        let mut users = Vec::new();
        let mut owner = self.bodies[scope.0].owner;
        while let Some(usage) = &self.bodies[owner.0].usage {
            users.push(usage);
            owner = self.bodies[usage.by.0].owner;
        }
        users
    }

    fn may_nest(&mut self, scope: ScopeId, actor: &Name) -> bool {
        let users = self.users(scope);
        let names: Vec<&str> = users.iter().map(|u| u.of.actor.text.as_str()).collect();
        if let Some(place) = names.iter().position(|name| *name == actor.text) {
            let chain = names[..=place].iter().rev().copied();
            let chain: Vec<&str> = chain.chain([actor.text.as_str()]).collect();
            let chain = chain.join(" -> ");
            report!(self.context, A007 at actor.origin, "the actor `{}` contains itself", actor.text;
                label "would go on for ever";
                note chain;
                help "an actor cannot be part of itself; write the parts out");
            return false;
        }
        if names.len() >= MOST_NESTED {
            report!(self.context, A008 at actor.origin, "actors are nested too deeply";
                label "more than {MOST_NESTED} inside one another";
                help "put some of them side by side");
            return false;
        }
        true
    }

    fn unknown_actor(&mut self, actor: &Name) {
        if self.context.is_full() {
            return;
        }
        let known = self.actors.keys().copied();
        report!(self.context, A006 at actor.origin, "no actor is called `{}`", actor.text;
            label "not known";
            near &actor.text, known, "declare it, `actor NAME {{ … }}`, or import the file that does");
    }
}
