//! Syntax trees to model: a visible list of passes.
//!
//! 1. declare all names; 2. give parameters, inputs and definitions their values, in file order; 3. entities;
//! 4. contact laws; 5. loads; 6. settings; 7. properties; 8. mechanics: what the finished model must satisfy.
//!
//! Each pass goes on past mistakes, so that all independent ones are reported in one run.

mod contacts;
pub(crate) mod context;
pub(crate) mod definitions;
mod entities;
pub(crate) mod expression;
pub(crate) mod fields;
pub(crate) mod function;
mod loads;
mod mechanics;
mod neighbours;
mod operators;
mod overlaps;
pub(crate) mod properties;
pub(crate) mod settings;
mod surfaces;
pub(crate) mod symbols;
mod temporal;
pub(crate) mod typed;
mod user_function;
mod vector;

use crate::syntax::ast::SourceTree;
use context::Context;
use dyverse_diag::{Diagnostic, FileId, Origin, SourceMap, report};
use dyverse_model::{ImpactPolicy, Model, ModelParts};
use expression::Scope;

/// Lowers the files of a model, imports before importers; `main` is the file that was asked for. `None` if a
/// mistake leaves no model, or if `is_damaged`: some items are missing, because they did not parse.
pub(crate) fn lower(
    trees: &[SourceTree],
    sources: &SourceMap,
    main: FileId,
    is_damaged: bool,
) -> (Option<Model>, Vec<Diagnostic>) {
    let mut context = Context::new(sources);
    definitions::lower(&mut context, trees);
    let mut entities = Vec::new();
    trees
        .iter()
        .for_each(|tree| entities::lower(&mut context, tree, &mut entities));
    if !trees.iter().any(SourceTree::has_entity) {
        report!(context, L002 at Origin::new(main, 0, 0), "this file declares no entity";
            label "nothing to model";
            help "`dyverse new NAME` writes a first model; `dyverse examples` lists others");
    }
    let mut laws = contacts::Laws::default();
    trees.iter().for_each(|tree| laws.lower(&mut context, tree));
    let mut loads = loads::Loads::default();
    trees.iter().for_each(|tree| loads.lower(&mut context, tree));
    let mut settings = settings::Settings::default();
    trees.iter().for_each(|tree| settings.lower(&mut context, tree));
    let mut properties = properties::Properties::default();
    trees
        .iter()
        .for_each(|tree| properties.lower(&mut context, tree, Scope::default()));
    let impacts = settings
        .impacts
        .as_ref()
        .map_or(ImpactPolicy::Simultaneous, |((policy, _), _)| *policy);
    let (default_law, laws, excluded) = laws.finish(&mut context, impacts.law());

    let mut diagnostics = context.diagnostics;
    if is_damaged || diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let tolerances_at = settings.tolerances.as_ref().map(|(_, origin)| *origin);
    let model = Model::new(ModelParts {
        name: settings
            .name
            .map_or_else(|| stem(sources.file(main).name()), |(name, _)| name),
        pool: context.pool,
        symbols: context.symbols.of_model(),
        parameters: context.parameters,
        inputs: context.inputs,
        entities,
        default_law,
        laws,
        excluded,
        loads: loads.loads,
        impacts,
        impact_energy: settings
            .impacts
            .map(|((_, energy), _)| energy)
            .unwrap_or_default(),
        tolerances: settings.tolerances.map(|(t, _)| t).unwrap_or_default(),
        horizon: settings.horizon.map(|(h, _)| h),
        max_step: settings.max_step,
        properties: properties.properties,
    });
    mechanics::check(&model, tolerances_at, &mut diagnostics);
    let is_sound = !diagnostics.iter().any(Diagnostic::is_error);
    (is_sound.then_some(model), diagnostics)
}

/// The file's name without folder and ending: the name of a system that does not give one.
pub(crate) fn stem(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    last.split('.')
        .next()
        .filter(|s| !s.is_empty())
        .unwrap_or("model")
        .to_owned()
}
