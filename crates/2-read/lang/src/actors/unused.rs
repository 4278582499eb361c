//! Actors that nothing uses: each is instantiated once in a model of its own, with its defaults, only for what is wrong with it.
//!
//! What a user would give, parameters without default and inputs, is not missed. The model is thrown away; causality is not looked at.

use super::declare::{Body, Instantiation, Use};
use super::scope::{ScopeId, ScopeKind};
use super::{ActorItem, External, check, kinds};
use crate::lower::context::Context;
use crate::lower::definitions;
use crate::syntax::ast::{InstanceOf, SourceTree};
use dyverse_diag::{Diagnostic, Origin};
use std::collections::{BTreeMap, BTreeSet};

/// Checks the bodies of all actors that are not among `used`; reports what is new.
pub(super) fn check(
    context: &mut Context<'_>,
    trees: &[SourceTree],
    actors: &BTreeMap<&str, ActorItem<'_>>,
    externals: &BTreeMap<Origin, External>,
    used: &BTreeSet<String>,
) {
    if context.is_full() || actors.keys().all(|name| used.contains(*name)) {
        return;
    }
    let mut trial = Context::new(context.sources);
    definitions::lower(&mut trial, trees);
    // Reported before.
    trial.diagnostics.clear();

    let mut instantiation = Instantiation::new(&mut trial, Vec::new(), trees, actors, externals, "trial");
    let mut is_whole = instantiation.declare_all();
    let mut seen = used.clone();
    for (name, actor) in in_order(actors) {
        // Those that are inside one another are seen there.
        if is_whole && !seen.contains(name) {
            let first = instantiation.bodies.len();
            instantiation.declare_trial(actor);
            is_whole = instantiation.declare_all();
            seen.extend(instantiation.used_actors(first));
        }
    }
    if is_whole {
        instantiation.define_all();
        check::merges(&mut trial);
        check::modals(&mut trial, context.sources);
        kinds::check(&mut trial);
    }
    report_new(context, trial.diagnostics);
}

/// Actors in the order of the text.
fn in_order<'t>(actors: &BTreeMap<&'t str, ActorItem<'t>>) -> Vec<(&'t str, ActorItem<'t>)> {
    let mut all: Vec<_> = actors.iter().map(|(name, actor)| (*name, *actor)).collect();
    all.sort_by_key(|(_, actor)| actor.name.origin);
    all
}

/// The same text, instantiated again, has the same mistakes: each is told once. Warnings may come from what is not given, such as a guard without
/// a value, and are left out.
fn report_new(context: &mut Context<'_>, findings: Vec<Diagnostic>) {
    let key = |finding: &Diagnostic| (finding.code().id(), finding.primary().origin);
    let mut known: BTreeSet<(&str, Origin)> = context.diagnostics.iter().map(key).collect();
    for finding in findings.into_iter().filter(Diagnostic::is_error) {
        if known.insert(key(&finding)) {
            context.report(finding);
        }
    }
}

impl<'t> Instantiation<'_, '_, 't> {
    /// The names of all actors that have an instance among the bodies from a place on.
    pub(super) fn used_actors(&self, first: usize) -> BTreeSet<String> {
        let uses = self
            .bodies
            .iter()
            .skip(first)
            .filter_map(|body| body.usage.as_ref());
        uses.map(|usage| usage.of.actor.text.clone()).collect()
    }

    /// An instance that nobody can name.
    fn declare_trial(&mut self, actor: ActorItem<'t>) {
        let region = self.context.actors.scope(ScopeId::MODEL).region;
        let id = self.new_scope(ScopeKind::Actor, actor.name.text.clone(), None, region);
        let of = InstanceOf {
            actor: actor.name.clone(),
            arguments: Vec::new(),
            enabled: None,
            bindings: Vec::new(),
        };
        self.bodies.push(Body {
            statements: actor.body.iter().map(|s| (actor.tree, s)).collect(),
            usage: Some(Use {
                name: actor.name,
                actor,
                of,
                by: ScopeId::MODEL,
                tree: actor.tree,
                enable: None,
                is_trial: true,
            }),
            owner: id,
        });
    }
}
