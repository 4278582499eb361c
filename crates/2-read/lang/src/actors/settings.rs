//! What holds for the whole actor model: name, horizon, tolerances; and what a run records.

use super::modes::find_path;
use super::scope::ScopeId;
use crate::lower::context::Context;
use crate::lower::settings::{BLOCK, block_of, horizon, once};
use crate::syntax::ast::{ItemKind, SourceTree};
use dyverse_actors::{Definition, Numerics, SignalId};
use dyverse_diag::Origin;
use std::collections::BTreeSet;

const TOLERANCES: &[&str; 6] = &[
    "crossing",
    "relative",
    "absolute",
    "max_step",
    "microsteps",
    "accumulation",
];

/// The settings said so far, and where.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) name: Option<(String, Origin)>,
    pub(crate) numerics: Option<(Numerics, Origin)>,
    pub(crate) horizon: Option<(f64, Origin)>,
}

impl Settings {
    /// Lowers the settings of one file.
    pub(crate) fn lower(&mut self, context: &mut Context<'_>, tree: &SourceTree) {
        for item in &tree.items {
            match &item.kind {
                ItemKind::System(name) => {
                    let text = name.text.clone();
                    once(context, &mut self.name, text, item.origin, "the model's name");
                }
                ItemKind::Horizon { value } => {
                    horizon(context, tree, *value, item.origin, &mut self.horizon);
                }
                ItemKind::Tolerances { fields } => {
                    let [crossing, relative, absolute, max_step, microsteps, accumulation] =
                        block_of(context, tree, fields, TOLERANCES);
                    let all = Numerics {
                        crossing,
                        relative,
                        absolute,
                        max_step,
                        microsteps: microsteps.map(|n| n.ceil() as usize),
                        accumulation,
                    };
                    once(context, &mut self.numerics, all, item.origin, BLOCK);
                }
                _ => {}
            }
        }
    }
}

/// What a run records: what the model says, or else its own signals, all outputs and all states.
pub(crate) fn record(context: &mut Context<'_>, trees: &[SourceTree]) -> Vec<SignalId> {
    let mut record = Vec::new();
    let mut is_said = false;
    for tree in trees {
        for item in &tree.items {
            let ItemKind::Record { paths } = &item.kind else {
                continue;
            };
            is_said = true;
            for path in paths {
                record.extend(find_path(context, ScopeId::MODEL, path));
            }
        }
    }
    let mut seen = BTreeSet::new();
    if is_said {
        record.retain(|id| seen.insert(*id));
        return record;
    }
    let signals = &context.actors.signals;
    let merged: BTreeSet<SignalId> = signals.iter().flat_map(|d| d.merged.iter().copied()).collect();
    let all = (0..signals.len()).map(|place| SignalId(place as u32));
    all.filter(|id| {
        let draft = context.actors.signal(*id);
        let is_state = matches!(draft.definition, Some(Definition::Integrator { .. }));
        let is_own = !draft.name.contains('.');
        let is_output = context.actors.is_readable(*id);
        draft.is_named && !merged.contains(id) && (is_own || is_output || is_state)
    })
    .collect()
}
