//! Contact laws and exclusions.

use super::context::{Context, Dependence};
use super::expression::Scope;
use super::fields::{FieldReader, Fields, Range, entity};
use super::typed::Typed;
use crate::syntax::ast::{ExprRef, Field, ItemKind, LawScope, Name, NodeKind, SourceTree};
use dyverse_diag::{Diagnostic, Origin, finding, number, report};
use dyverse_expr::NodeId;
use dyverse_model::{ContactLaw, EntityId, ImpactLaw};
use std::collections::{BTreeMap, BTreeSet};

const FIELDS: &[&str] = &[
    "restitution",
    "tangential_restitution",
    "friction",
    "rolling_friction",
    "spinning_friction",
    "law",
];
const LAWS: &[ImpactLaw] = &[ImpactLaw::Newton, ImpactLaw::Poisson, ImpactLaw::Energetic];

/// A law as written: what is missing comes from the default law.
#[derive(Clone, Copy, Debug)]
struct Written {
    restitution: Option<NodeId>,
    tangential_restitution: Option<NodeId>,
    friction: Option<NodeId>,
    rolling_friction: Option<NodeId>,
    spinning_friction: Option<NodeId>,
    impact: Option<ImpactLaw>,
    origin: Origin,
}

/// The contact laws of a model.
#[derive(Default)]
pub(crate) struct Laws {
    default: Option<Written>,
    pairs: BTreeMap<(EntityId, EntityId), Written>,
    excluded: BTreeMap<(EntityId, EntityId), Origin>,
}

impl Laws {
    /// Lowers the laws and exclusions of one file.
    pub(crate) fn lower(&mut self, context: &mut Context<'_>, tree: &SourceTree) {
        for item in &tree.items {
            match &item.kind {
                ItemKind::Contact { scope, fields } => {
                    let written = law(context, tree, fields, item.origin);
                    self.add(context, scope, written);
                }
                ItemKind::NoContact { first, second } => {
                    if let Some(pair) = pair(context, first, second) {
                        self.exclude(context, pair, first.origin.to(second.origin));
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, context: &mut Context<'_>, scope: &LawScope, written: Written) {
        match scope {
            LawScope::Default(origin) => {
                if let Some(first) = self.default {
                    context.report(twice(*origin, first.origin, "the default contact law"));
                }
                self.default = Some(written);
            }
            LawScope::Pair(first, second) => {
                let Some(pair) = pair(context, first, second) else {
                    return;
                };
                let origin = first.origin.to(second.origin);
                if let Some(earlier) = self.pairs.get(&pair) {
                    let what = format!("the contact law of `{}` and `{}`", first.text, second.text);
                    context.report(twice(origin, earlier.origin, &what));
                }
                self.pairs.insert(pair, Written { origin, ..written });
            }
        }
    }

    fn exclude(&mut self, context: &mut Context<'_>, pair: (EntityId, EntityId), origin: Origin) {
        if let Some(first) = self.excluded.insert(pair, origin) {
            context.report(twice(origin, first, "that these do not touch"));
        }
    }

    /// Completes laws from the default and the built-in one, whose impacts are by the law `usual`, and reports pairs both excluded and given a law, and laws of impact that
    /// know no tangential restitution but have some.
    #[allow(clippy::type_complexity)]
    pub(crate) fn finish(
        self,
        context: &mut Context<'_>,
        usual: ImpactLaw,
    ) -> (
        ContactLaw,
        BTreeMap<(EntityId, EntityId), ContactLaw>,
        BTreeSet<(EntityId, EntityId)>,
    ) {
        for (pair, origin) in &self.excluded {
            if let Some(law) = self.pairs.get(pair) {
                report!(context, L064 at *origin, "this pair is excluded and has a contact law";
                    label "never touch";
                    also law.origin, "law given here";
                    help "remove one of them");
            }
        }
        let (zero, one) = (context.pool.number(0.0), context.pool.number(1.0));
        let built_in = ContactLaw {
            restitution: one,
            tangential_restitution: zero,
            friction: zero,
            rolling_friction: zero,
            spinning_friction: zero,
            impact: usual,
            origin: None,
        };
        let complete = |written: &Written, rest: &ContactLaw| ContactLaw {
            restitution: written.restitution.unwrap_or(rest.restitution),
            tangential_restitution: written
                .tangential_restitution
                .unwrap_or(rest.tangential_restitution),
            friction: written.friction.unwrap_or(rest.friction),
            rolling_friction: written.rolling_friction.unwrap_or(rest.rolling_friction),
            spinning_friction: written.spinning_friction.unwrap_or(rest.spinning_friction),
            impact: written.impact.unwrap_or(rest.impact),
            origin: Some(written.origin),
        };
        let default = self
            .default
            .as_ref()
            .map_or(built_in, |written| complete(written, &built_in));
        let pairs: BTreeMap<_, _> = self
            .pairs
            .iter()
            .map(|(pair, written)| (*pair, complete(written, &default)))
            .collect();
        for law in std::iter::once(&default).chain(pairs.values()) {
            check_energetic(context, law);
        }
        (default, pairs, self.excluded.into_keys().collect())
    }
}

/// The energetic law has friction as its only tangential force.
fn check_energetic(context: &mut Context<'_>, law: &ContactLaw) {
    let Some(origin) = law.origin.filter(|_| law.impact == ImpactLaw::Energetic) else {
        return;
    };
    let node = law.tangential_restitution;
    let value = context.value(node);
    let is_zero = value.is_point() && value.lo() == 0.0;
    if is_zero && !context.dependence(node).includes(Dependence::PARAMETER) {
        return;
    }
    report!(context, L065 at origin, "the energetic law has no tangential restitution";
        label "collides by the energetic law, with tangential restitution";
        note "its tangential impulse is what Coulomb's friction gives through the course of the impact";
        help "write `tangential_restitution = 0` here, or another law: `law = newton` or `law = poisson`");
}

fn twice(origin: Origin, first: Origin, what: &str) -> Diagnostic {
    finding!(L063 at origin, "{what} is said twice";
        label "said again";
        also first, "first said here";
        help "remove one of them")
}

/// Two different entities, at least one of which moves; the lower id first.
fn pair(context: &mut Context<'_>, first: &Name, second: &Name) -> Option<(EntityId, EntityId)> {
    let (a, b) = (entity(context, first), entity(context, second));
    let (a, b) = (a?, b?);
    let origin = first.origin.to(second.origin);
    if a == b {
        report!(context, L060 at origin, "`{}` has no contact with itself", first.text;
            label "the same entity twice";
            help "name two entities");
        return None;
    }
    if context.entity_is_fixed[a.0] && context.entity_is_fixed[b.0] {
        report!(context, L061 at origin, "`{}` and `{}` are both fixed", first.text, second.text;
            label "neither moves, so they have no contact";
            help "remove this item, or remove `fixed` from one of them");
        return None;
    }
    Some((a.min(b), a.max(b)))
}

fn law(context: &mut Context<'_>, tree: &SourceTree, fields: &[Field], origin: Origin) -> Written {
    let mut block = Fields::new(context, fields, "a contact law".into(), FIELDS);
    let mut reader = FieldReader { context, tree };
    let mut constant = |name: &str, range: Range| {
        let field = block.take(name)?;
        let expr = reader.equals(field)?;
        reader.constant(expr, name, range)
    };
    let restitution = constant("restitution", Range::Within(0.0, 1.0));
    let tangential_restitution = constant("tangential_restitution", Range::Within(-1.0, 1.0));
    let rolling_friction = constant("rolling_friction", Range::NotNegative);
    let spinning_friction = constant("spinning_friction", Range::NotNegative);
    let friction = block.take("friction").and_then(|field| {
        let expr = reader.equals(field)?;
        friction(&mut reader, expr)
    });
    let impact = block.take("law").and_then(|field| {
        let expr = reader.equals(field)?;
        impact_law(&mut reader, expr)
    });
    block.finish(context);
    Written {
        restitution,
        tangential_restitution,
        friction,
        rolling_friction,
        spinning_friction,
        impact,
        origin,
    }
}

/// One of the laws of impact, by its name.
fn impact_law(reader: &mut FieldReader<'_, '_>, expr: ExprRef) -> Option<ImpactLaw> {
    let origin = reader.origin(expr);
    let names = || LAWS.iter().map(|law| law.text());
    let NodeKind::Name(name) = &reader.tree.nodes[expr.root].kind else {
        report!(reader.context, L066 at origin, "`law` is the name of a law of impact";
            label "no name";
            help "write one of: {}", names().collect::<Vec<_>>().join(", "));
        return None;
    };
    let found = LAWS.iter().find(|law| law.text() == name);
    if found.is_none() {
        report!(reader.context, L066 at origin, "`{name}` is no law of impact";
            label "not known";
            near name, names(), "choose one of: {}", names().collect::<Vec<_>>().join(", "));
    }
    found.copied()
}

/// μ: a constant, or a function of the slip speed, or of states, time and inputs, that is not negative.
fn friction(reader: &mut FieldReader<'_, '_>, expr: ExprRef) -> Option<NodeId> {
    let typed = reader.lower(
        expr,
        Scope {
            own: None,
            slip: true,
            ..Scope::default()
        },
    );
    let origin = reader.origin(expr);
    let Typed::Number(node) = typed else {
        if !typed.is_broken() {
            report!(reader.context, L020 at origin,
                "`friction` must be a number, this is {}", typed.describe();
                label typed.describe());
        }
        return None;
    };
    let dependence = reader.context.dependence(node);
    let reads = |what: Dependence| dependence.includes(what);
    let (allowed, over) = if reads(Dependence::SLIP) {
        (Dependence::SLIP, "slip speed")
    } else if [Dependence::STATE, Dependence::TIME, Dependence::INPUT]
        .into_iter()
        .any(reads)
    {
        let loads = Dependence::STATE.with(Dependence::TIME);
        (loads.with(Dependence::INPUT), "state")
    } else {
        return reader.constant_node(node, origin, "friction", Range::NotNegative);
    };
    let allowed = Dependence::PARAMETER.with(allowed);
    if !reader
        .context
        .check_dependence(&[node], allowed, origin, "`friction`")
    {
        return None;
    }
    let value = reader.context.value(node);
    if value.is_empty() || reader.context.dependence(node).includes(Dependence::UNDEFINED) {
        report!(reader.context, L011 at origin, "`friction` has no value at some {over}";
            label "an operation in it is undefined";
            note "{}", any_of(over);
            help "look for a division by zero, or a root or logarithm of a negative number");
        return None;
    }
    if value.lo() < 0.0 {
        report!(reader.context, L062 at origin, "this friction may be negative at some {over}";
            label "its values over all {over}s may reach {}", number(value.lo());
            note "{}; the bound is an interval's, so it may be too careful", any_of(over);
            help "bound it, for example with max(…, 0)");
        return None;
    }
    Some(node)
}

fn any_of(over: &str) -> &'static str {
    match over {
        "slip speed" => "the slip speed is any number from 0 up",
        _ => "states are any numbers, time is from 0 up",
    }
}
