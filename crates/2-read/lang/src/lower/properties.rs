//! Properties: formulas checked and put in terms of not, and, or, always, eventually and until.

use super::context::{Context, Dependence};
use super::expression::{Lowering, Scope};
use super::typed::Typed;
use crate::syntax::ast::{ItemKind, SourceTree};
use dyverse_diag::{Origin, report};
use dyverse_expr::NodeId;
use dyverse_model::{Formula, Property};
use std::collections::BTreeMap;

/// Properties so far.
#[derive(Default)]
pub(crate) struct Properties {
    pub(crate) properties: Vec<Property>,
    names: BTreeMap<String, Origin>,
}

impl Properties {
    /// Lowers the properties of one file.
    pub(crate) fn lower(&mut self, context: &mut Context<'_>, tree: &SourceTree, scope: Scope) {
        for item in &tree.items {
            let ItemKind::Property { name, formula } = &item.kind else {
                continue;
            };
            if let Some(first) = self.names.insert(name.text.clone(), name.origin) {
                report!(context, L001 at name.origin, "property `{}` is declared twice", name.text;
                    label "declared again";
                    also first, "first declared here";
                    help "give one of them another name");
                continue;
            }
            let mut lowering = Lowering::new(context, tree, scope);
            let typed = lowering.lower(*formula);
            let origin = tree.origin(*formula);
            let root = lowering.as_formula(&typed);
            let mut parts = std::mem::take(&mut lowering.formula);
            match (typed, root) {
                (Typed::Broken, _) => continue,
                // Without a temporal operator: at all times.
                (Typed::Temporal(_), Some(_)) => {}
                (_, Some(root)) => parts.push(Formula::Always(None, root)),
                (other, None) => {
                    report!(context, L020 at origin,
                        "a property is true or false, this is {}", other.describe();
                        label other.describe();
                        help "compare it, as in `always [0, 2] ball.y > 0`");
                    continue;
                }
            }
            let nodes: Vec<NodeId> = parts
                .iter()
                .filter_map(|p| {
                    if let Formula::Now(node) = p {
                        Some(*node)
                    } else {
                        None
                    }
                })
                .collect();
            let allowed = Dependence::PARAMETER
                .with(Dependence::STATE)
                .with(Dependence::INPUT)
                .with(Dependence::TIME)
                .with(Dependence::CONTACT);
            if context.check_dependence(&nodes, allowed, origin, "a property") {
                self.properties.push(Property {
                    name: name.text.clone(),
                    parts,
                    origin: name.origin,
                });
            }
        }
    }
}
