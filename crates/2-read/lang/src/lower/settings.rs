//! What holds for the whole model: name, impact policy, tolerances, horizon.

use super::context::Context;
use super::fields::{FieldReader, Fields, Range, extent};
use crate::syntax::ast::{ExprRef, Field, ItemKind, Name, SourceTree};
use dyverse_diag::{Diagnostic, Origin, finding, report};
use dyverse_model::{EnergyRule, GivenTolerances, ImpactOrder, ImpactPolicy};

const POLICIES: &[&str] = &["simultaneous", "sequential", "poisson", "energetic"];
const ORDERS: &[&str] = &["first", "random", "any"];
/// After a policy: its impacts may add energy.
const UNCAPPED: &str = "uncapped";
const TOLERANCES: &[&str; 5] = &["gap", "velocity", "force", "simultaneity", "max_step"];

/// What a block of tolerances is called.
pub(crate) const BLOCK: &str = "the block of tolerances";

/// The settings said so far, and where.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) name: Option<(String, Origin)>,
    pub(crate) impacts: Option<((ImpactPolicy, EnergyRule), Origin)>,
    pub(crate) tolerances: Option<(GivenTolerances, Origin)>,
    pub(crate) horizon: Option<(f64, Origin)>,
    pub(crate) max_step: Option<f64>,
}

impl Settings {
    /// Lowers the settings of one file.
    pub(crate) fn lower(&mut self, context: &mut Context<'_>, tree: &SourceTree) {
        for item in &tree.items {
            match &item.kind {
                ItemKind::System(name) => {
                    once(
                        context,
                        &mut self.name,
                        name.text.clone(),
                        item.origin,
                        "the system's name",
                    );
                }
                ItemKind::Impacts { words, seed } => {
                    let (words, energy) = energy_rule(words);
                    if let Some(policy) = impacts(context, tree, words, *seed) {
                        once(
                            context,
                            &mut self.impacts,
                            (policy, energy),
                            item.origin,
                            "the impact policy",
                        );
                    }
                }
                ItemKind::Tolerances { fields } => {
                    let mut all = GivenTolerances::default();
                    let slots = [
                        &mut all.gap,
                        &mut all.velocity,
                        &mut all.force,
                        &mut all.simultaneity,
                    ];
                    let given = block_of(context, tree, fields, TOLERANCES);
                    for (slot, given) in slots.into_iter().zip(given) {
                        *slot = given;
                    }
                    self.max_step = self.max_step.or(given[4]);
                    once(context, &mut self.tolerances, all, item.origin, BLOCK);
                }
                ItemKind::Horizon { value } => {
                    horizon(context, tree, *value, item.origin, &mut self.horizon);
                }
                _ => {}
            }
        }
    }
}

/// The numbers of a block of tolerances, in the order of their names; `None` where one is not given.
pub(crate) fn block_of<const N: usize>(
    context: &mut Context<'_>,
    tree: &SourceTree,
    fields: &[Field],
    names: &[&'static str; N],
) -> [Option<f64>; N] {
    let mut block = Fields::new(context, fields, BLOCK.into(), names);
    let mut reader = FieldReader { context, tree };
    let values = names.map(|name| {
        let expr = block.take(name).and_then(|field| reader.equals(field))?;
        number(&mut reader, expr, name)
    });
    block.finish(context);
    values
}

/// The horizon, said once.
pub(crate) fn horizon(
    context: &mut Context<'_>,
    tree: &SourceTree,
    value: ExprRef,
    origin: Origin,
    slot: &mut Option<(f64, Origin)>,
) {
    if let Some(horizon) = number(&mut FieldReader { context, tree }, value, "horizon") {
        once(context, slot, horizon, origin, "the horizon");
    }
}

pub(crate) fn once<T>(
    context: &mut Context<'_>,
    slot: &mut Option<(T, Origin)>,
    value: T,
    origin: Origin,
    what: &str,
) {
    if let Some((_, first)) = slot {
        report!(context, L080 at origin, "{what} is said twice";
            label "said again";
            also *first, "first said here";
            help "remove one of them");
        return;
    }
    *slot = Some((value, origin));
}

/// A positive number that no parameter in a range blurs.
pub(crate) fn number(reader: &mut FieldReader<'_, '_>, expr: ExprRef, name: &str) -> Option<f64> {
    let node = reader.constant(expr, name, Range::Positive)?;
    let value = reader.context.value(node);
    if value.width() > 1e-12 * value.magnitude() {
        let origin = reader.origin(expr);
        report!(reader.context, L081 at origin, "`{name}` must be one number";
            label extent(value);
            help "write a number, or a parameter that has one value");
        return None;
    }
    value.mid()
}

/// The words of an impact policy without the one about energy.
fn energy_rule(words: &[Name]) -> (&[Name], EnergyRule) {
    match words {
        [policy @ .., last] if !policy.is_empty() && last.text == UNCAPPED => (policy, EnergyRule::Uncapped),
        _ => (words, EnergyRule::Capped),
    }
}

fn impacts(
    context: &mut Context<'_>,
    tree: &SourceTree,
    words: &[Name],
    seed: Option<ExprRef>,
) -> Option<ImpactPolicy> {
    let policy = words.first()?;
    let order = words.get(1);
    if let Some(word) = words.get(2) {
        context.report(unknown(word, "word of impacts", &[UNCAPPED]));
        return None;
    }
    if !POLICIES.contains(&policy.text.as_str()) {
        let finding = unknown(policy, "impact policy", POLICIES);
        context.report(if policy.text == UNCAPPED {
            finding.note("it comes after a policy, such as `impacts simultaneous uncapped`")
        } else {
            finding
        });
        return None;
    }
    if policy.text != "sequential" && (order.is_some() || seed.is_some()) {
        let origin = order.map_or(policy.origin, |name| name.origin);
        report!(context, L083 at origin, "`{}` has no order", policy.text;
            label "only `sequential` has one";
            note "after any policy `uncapped` may follow";
            help "write `impacts sequential first`, `… any` or `… random(seed)`");
        return None;
    }
    match (policy.text.as_str(), order.map(|name| name.text.as_str()), seed) {
        ("simultaneous", ..) => Some(ImpactPolicy::Simultaneous),
        ("poisson", ..) => Some(ImpactPolicy::Poisson),
        ("energetic", ..) => Some(ImpactPolicy::Energetic),
        ("sequential", None | Some("first"), None) => Some(ImpactPolicy::Sequential(ImpactOrder::First)),
        ("sequential", Some("any"), None) => Some(ImpactPolicy::Sequential(ImpactOrder::Any)),
        ("sequential", Some("random"), Some(seed)) => {
            let mut reader = FieldReader { context, tree };
            let node = reader.constant(seed, "seed", Range::Within(0.0, 9_007_199_254_740_992.0))?;
            let value = reader.context.value(node);
            if !value.is_point() || value.lo().fract() != 0.0 {
                let origin = reader.origin(seed);
                report!(context, L084 at origin, "a seed is one whole number";
                    label extent(value);
                    help "write for example `random(seed = 1)`");
                return None;
            }
            Some(ImpactPolicy::Sequential(ImpactOrder::Random(value.lo() as u64)))
        }
        ("sequential", Some("random"), None) => {
            let origin = order.map_or(policy.origin, |name| name.origin);
            report!(context, L084 at origin, "a random order needs a seed";
                label "no seed: two runs would differ";
                help "write `random(seed = 1)`");
            None
        }
        ("sequential", None | Some("first" | "any"), Some(seed)) => {
            report!(context, L083 at tree.origin(seed), "only a random order has a seed";
                label "has no effect";
                help "remove it, or write `impacts sequential random(seed)`");
            None
        }
        _ => {
            if let Some(order) = order {
                context.report(unknown(order, "order of impacts", ORDERS));
            }
            None
        }
    }
}

fn unknown(name: &Name, what: &str, known: &[&str]) -> Diagnostic {
    finding!(L082 at name.origin, "`{}` is no {what}", name.text;
        label "not known";
        near &name.text, known.iter().copied(), "choose one of: {}", known.join(", "))
}
