//! Syntax trees to actor graph: a visible list of passes.
//!
//! 1. declare global names, give parameters, inputs, definitions and functions their values; 2. declare every body of every
//!    instance, breadth first: its signals, instances, modes; 3. define them: parameters, bindings, equations, transitions;
//! 4. merge what modes define; 5. kinds; 6. settings, properties, record; 7. the same checks for actors that nothing uses, set aside;
//! 8. the graph, and its causality loops.
//!
//! Names are resolved after all are declared, so that feedback needs no order. Instantiation is a queue, not a recursion, and
//! is bounded ([`scope::MOST_PARTS`]).

mod bind;
mod check;
mod declare;
mod define;
mod finish;
mod fmu;
mod instance;
mod kinds;
mod mechanism;
mod modes;
mod operators;
mod scope;
mod settings;
mod table;
mod unused;

use crate::FmuInterface;
use crate::lower::context::Context;
use crate::lower::expression::Scope as ExpressionScope;
use crate::lower::{definitions, properties};
use crate::syntax::ast::{Formal, ItemKind, Name, SourceTree, Statement};
use declare::Instantiation;
use dyverse_actors::Graph;
use dyverse_diag::{Diagnostic, FileId, Origin, SourceMap, finding, report};
use dyverse_expr::NodeId;
use dyverse_model::{Model, ParameterId};
use std::collections::BTreeMap;

pub(crate) use operators::OPERATORS;
pub(crate) use scope::{Actors, Local, Meaning as LocalMeaning, Part, ScopeId, ScopeKind};
pub(crate) use table::Table;

/// An actor model: the graph, and the rigid-body systems and FMUs that its components are.
#[derive(Clone, Debug)]
pub struct ActorModel {
    /// The graph.
    pub graph: Graph,
    /// The mechanisms, in the order of the graph's components; their handles are places in it.
    pub mechanisms: Vec<Mechanism>,
    /// The FMUs, which follow the mechanisms: their handles go on where those of the mechanisms end.
    pub fmus: Vec<Fmu>,
}

/// An FMU used as an actor.
#[derive(Clone, Debug)]
pub struct Fmu {
    /// Its full path in the actor model.
    pub name: String,
    /// The file, as the loader calls it: [`FmuInterface::key`](crate::FmuInterface::key).
    pub key: String,
    /// Parameters of the FMU that the actor model gives values: constants of the graph's pool.
    pub parameters: Vec<(String, NodeId)>,
}

/// A rigid-body system used as an actor.
#[derive(Clone, Debug)]
pub struct Mechanism {
    /// Its full path in the actor model.
    pub name: String,
    /// The system.
    pub model: Model,
    /// Parameters of the system that the actor model gives values: constants of the graph's pool.
    pub parameters: Vec<(ParameterId, NodeId)>,
}

/// A file that a model uses besides its imports, by the place where it is named.
#[derive(Clone, Debug)]
pub(crate) enum External {
    Mechanism(Box<Model>),
    Fmu(Box<FmuInterface>),
    Table(Table),
    /// Reported when it was read.
    Missing,
}

/// An actor as declared: where, and its parts.
#[derive(Clone, Copy)]
pub(crate) struct ActorItem<'t> {
    tree: usize,
    name: &'t Name,
    parameters: &'t [Formal],
    body: &'t [Statement],
}

/// Lowers the files of an actor model, imports before importers; `main` is the file that was asked for.
pub(crate) fn lower(
    trees: &[SourceTree],
    externals: &BTreeMap<Origin, External>,
    sources: &SourceMap,
    main: FileId,
    is_damaged: bool,
) -> (Option<ActorModel>, Vec<Diagnostic>) {
    let mut context = Context::new(sources);
    definitions::lower(&mut context, trees);
    let actors = declared_actors(&mut context, trees);
    let mut settings = settings::Settings::default();
    trees.iter().for_each(|tree| settings.lower(&mut context, tree));
    let name = settings.name.as_ref().map_or_else(
        || crate::lower::stem(sources.file(main).name()),
        |(n, _)| n.clone(),
    );

    let own = own_statements(trees);
    let mut instantiation = Instantiation::new(&mut context, own, trees, &actors, externals, &name);
    if !instantiation.declare_all() {
        return (None, context.diagnostics);
    }
    instantiation.define_all();
    let used = instantiation.used_actors(0);
    check::merges(&mut context);
    check::modals(&mut context, sources);
    kinds::check(&mut context);

    let mut all_properties = properties::Properties::default();
    context.actors.begin("property".into());
    for tree in trees {
        all_properties.lower(&mut context, tree, ExpressionScope::body(ScopeId::MODEL));
    }
    let record = settings::record(&mut context, trees);
    unused::check(&mut context, trees, &actors, externals, &used);
    if is_damaged || context.diagnostics.iter().any(Diagnostic::is_error) {
        return (None, context.diagnostics);
    }
    if context.actors.signals.is_empty() {
        let finding = finding!(A001 at Origin::new(main, 0, 0), "this model does nothing";
            label "no signal, no instance";
            help "write for example `x' = 1 init 0`, or `ball = Ball() {{ … }}`");
        context.report(finding);
        return (None, context.diagnostics);
    }
    finish::finish(context, name, settings, all_properties.properties, record)
}

/// The statements of the model's own body, each with its file.
fn own_statements(trees: &[SourceTree]) -> Vec<(usize, &Statement)> {
    let mut statements = Vec::new();
    for (tree, source) in trees.iter().enumerate() {
        for item in &source.items {
            if let ItemKind::Statement(statement) = &item.kind {
                statements.push((tree, statement));
            }
        }
    }
    statements
}

/// The actors that all files declare; reports those declared twice.
fn declared_actors<'t>(
    context: &mut Context<'_>,
    trees: &'t [SourceTree],
) -> BTreeMap<&'t str, ActorItem<'t>> {
    let mut actors: BTreeMap<&'t str, ActorItem<'t>> = BTreeMap::new();
    for (tree, source) in trees.iter().enumerate() {
        for item in &source.items {
            let ItemKind::Actor {
                name,
                parameters,
                body,
            } = &item.kind
            else {
                continue;
            };
            if let Some(first) = actors.get(name.text.as_str()) {
                report!(context, A002 at name.origin, "the actor `{}` is declared twice", name.text;
                    label "declared again";
                    also first.name.origin, "first declared here";
                    help "give one of them another name");
                continue;
            }
            actors.insert(
                &name.text,
                ActorItem {
                    tree,
                    name,
                    parameters,
                    body,
                },
            );
        }
    }
    actors
}
