//! The fields of a block: known names, each once, in the right form, of the right type and range.

use super::context::{Context, Dependence};
use super::expression::{Lowering, Scope};
use super::typed::{Bounded, Typed};
use crate::syntax::ast::{ExprRef, Field, FieldValue, Name, SourceTree};
use dyverse_diag::{Origin, closest, finding, number, report};
use dyverse_expr::NodeId;
use dyverse_num::Interval;
use std::collections::BTreeMap;

/// The range that a constant must lie in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Range {
    Any,
    Positive,
    NotNegative,
    Within(f64, f64),
}

impl Range {
    fn describe(self) -> String {
        match self {
            Range::Any => "a finite number".into(),
            Range::Positive => "above 0".into(),
            Range::NotNegative => "0 or above".into(),
            Range::Within(low, high) => format!("from {low} to {high}"),
        }
    }
    /// Whether all of `value` lies in the range. What only the rounding of its bounds puts outside does not count:
    /// 0.3 + 0.7 is 1.
    fn contains(self, value: Interval) -> bool {
        const SLACK: f64 = 1e-12;
        let (low, high) = (value.lo(), value.hi());
        let reaches = |least: f64| low >= least || (high >= least && low >= least - SLACK);
        let stays = |most: f64| high <= most || (low <= most && high <= most + SLACK);
        match self {
            Range::Any => true,
            Range::Positive => low > 0.0,
            Range::NotNegative => reaches(0.0),
            Range::Within(least, most) => reaches(least) && stays(most),
        }
    }
    /// A way out for a value that is not in the range.
    fn advice(self, value: Interval) -> String {
        let range = self.describe();
        if is_one(value) {
            format!("give a number {range}")
        } else {
            format!("narrow its parameters: for all their values it must be {range}")
        }
    }
}

/// The fields of one block. What is asked for is taken out; what is left at the end is unknown.
pub(crate) struct Fields<'t> {
    fields: Vec<&'t Field>,
    /// What the block describes, for messages.
    of: String,
    known: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    /// Sorts out duplicates; `known` are the names that may be asked for.
    pub(crate) fn new(
        context: &mut Context<'_>,
        fields: &'t [Field],
        of: String,
        known: &[&'static str],
    ) -> Self {
        let mut kept: Vec<&'t Field> = Vec::new();
        let mut seen: BTreeMap<&str, &'t Field> = BTreeMap::new();
        for field in fields {
            let first = seen.insert(&field.name.text, field);
            match first {
                Some(first) if !matches!(field.value, FieldValue::Call(_)) => {
                    report!(context, L015 at field.name.origin,
                        "`{}` is given twice", field.name.text;
                        label "given again";
                        also first.name.origin, "first given here";
                        help "remove one of them")
                }
                _ => kept.push(field),
            }
        }
        Fields {
            fields: kept,
            of,
            known: known.to_vec(),
        }
    }

    /// Takes out a field.
    pub(crate) fn take(&mut self, name: &str) -> Option<&'t Field> {
        let place = self.fields.iter().position(|f| f.name.text == name)?;
        Some(self.fields.remove(place))
    }

    /// Takes out all calls, such as `sphere(radius = 1)`.
    pub(crate) fn take_calls(&mut self, names: &[&str]) -> Vec<&'t Field> {
        let (calls, rest) = self
            .fields
            .drain(..)
            .partition(|f| names.contains(&f.name.text.as_str()));
        self.fields = rest;
        calls
    }

    /// Reports what nobody asked for.
    pub(crate) fn finish(self, context: &mut Context<'_>) {
        for field in self.fields {
            if context.is_full() {
                return;
            }
            let name = &field.name;
            report!(context, L014 at name.origin, "{} has no field `{}`", self.of, name.text;
                label "not known";
                near &name.text, self.known.iter().copied(), "fields are: {}", self.known.join(", "));
        }
    }
}

/// Lowers fields of one file.
pub(crate) struct FieldReader<'c, 'a> {
    pub(crate) context: &'c mut Context<'a>,
    pub(crate) tree: &'c SourceTree,
}

impl FieldReader<'_, '_> {
    pub(crate) fn lower(&mut self, expr: ExprRef, scope: Scope) -> Typed {
        Lowering::new(self.context, self.tree, scope).lower(expr)
    }

    pub(crate) fn origin(&self, expr: ExprRef) -> Origin {
        self.tree.origin(expr)
    }

    /// The expression of `name = e`; reports any other form.
    pub(crate) fn equals(&mut self, field: &Field) -> Option<ExprRef> {
        match field.value {
            FieldValue::Equals(expr) => Some(expr),
            FieldValue::Within(_) => {
                self.wrong_form(field, "cannot be a set here");
                None
            }
            FieldValue::Call(_) | FieldValue::Flag => {
                self.wrong_form(field, "needs a value");
                None
            }
        }
    }

    pub(crate) fn wrong_form(&mut self, field: &Field, why: &str) {
        let name = &field.name.text;
        let help = match field.value {
            _ if name == "fixed" => "write `fixed` alone".to_owned(),
            FieldValue::Within(_) if name == "orientation" => {
                "declare `param a in [low, high]` and write `orientation = rotation(axis = …, angle = a)`"
                    .to_owned()
            }
            FieldValue::Within(_) => format!("declare `param p in [low, high]` and write `{name} = p`"),
            FieldValue::Call(_) | FieldValue::Flag | FieldValue::Equals(_) => {
                format!("write `{name} = value`")
            }
        };
        report!(self.context, L016 at field.origin, "`{name}` {why}"; label "wrong form"; help help);
    }

    /// A typed value, or a report that another type was meant.
    fn expected(&mut self, found: &Typed, wanted: &str, name: &str, origin: Origin) {
        if found.is_broken() {
            return;
        }
        // `mass`, but a force.
        let name = if name.contains(' ') {
            name.to_owned()
        } else {
            format!("`{name}`")
        };
        let help = match (wanted, found) {
            ("a vector", Typed::Number(_)) => "write the three components, as in (0, 1, 0)",
            ("a vector", _) => "write three numbers, as in (0, 1, 0)",
            ("an orientation", _) => "write for example rotation(axis = (0, 0, 1), angle = 0.5)",
            (_, Typed::Vector(_)) => "name a component, as in `v.x`, or take its length, `norm(v)`",
            (_, Typed::Interval(..)) => "for a number in a range, declare `param p in [low, high]`",
            _ => "write a number",
        };
        let message = format!("{name} must be {wanted}, this is {}", found.describe());
        let finding = finding!(L020 at origin, message; label found.describe(); help help);
        self.context.report(finding);
    }

    /// A number that may depend on parameters only, and lies in a range for all of them.
    pub(crate) fn constant(&mut self, expr: ExprRef, name: &str, range: Range) -> Option<NodeId> {
        let typed = self.lower(expr, Scope::default());
        let origin = self.origin(expr);
        let Typed::Number(node) = typed else {
            self.expected(&typed, "a number", name, origin);
            return None;
        };
        self.constant_node(node, origin, name, range)
    }

    pub(crate) fn constant_node(
        &mut self,
        node: NodeId,
        origin: Origin,
        name: &str,
        range: Range,
    ) -> Option<NodeId> {
        let place = format!("`{name}`");
        let is_fit = self
            .context
            .check_dependence(&[node], Dependence::PARAMETER, origin, &place)
            && self.context.check_finite(node, origin, &place)
            && self.in_range(node, origin, name, range);
        is_fit.then_some(node)
    }

    fn in_range(&mut self, node: NodeId, origin: Origin, name: &str, range: Range) -> bool {
        let value = self.context.value(node);
        if range.contains(value) {
            return true;
        }
        let finding = finding!(L017 at origin, "`{name}` must be {}", range.describe());
        self.context
            .report(finding.label(extent(value)).help(range.advice(value)));
        false
    }

    /// A constant vector.
    pub(crate) fn constant_vector(&mut self, expr: ExprRef, name: &str, range: Range) -> Option<[NodeId; 3]> {
        let typed = self.lower(expr, Scope::default());
        let origin = self.origin(expr);
        let Typed::Vector(nodes) = typed else {
            self.expected(&typed, "a vector", name, origin);
            return None;
        };
        let all = nodes.map(|node| self.constant_node(node, origin, name, range));
        match all {
            [Some(x), Some(y), Some(z)] => Some([x, y, z]),
            _ => None,
        }
    }

    /// A constant orientation.
    pub(crate) fn orientation(&mut self, expr: ExprRef, name: &str) -> Option<[NodeId; 4]> {
        let typed = self.lower(expr, Scope::default());
        let origin = self.origin(expr);
        let Typed::Orientation(nodes) = typed else {
            self.expected(&typed, "an orientation", name, origin);
            return None;
        };
        for node in nodes {
            self.constant_node(node, origin, name, Range::Any)?;
        }
        Some(nodes)
    }

    /// A vector of the states, inputs, time and parameters.
    pub(crate) fn varying_vector(&mut self, expr: ExprRef, name: &str, scope: Scope) -> Option<[NodeId; 3]> {
        let typed = self.lower(expr, scope);
        let origin = self.origin(expr);
        let Typed::Vector(nodes) = typed else {
            self.expected(&typed, "a vector", name, origin);
            return None;
        };
        let allowed = Dependence::PARAMETER
            .with(Dependence::STATE)
            .with(Dependence::INPUT)
            .with(Dependence::TIME);
        self.context
            .check_dependence(&nodes, allowed, origin, name)
            .then_some(nodes)
    }

    /// `name = vector` or `name in (…)`: an initial value or set.
    pub(crate) fn initial(&mut self, field: &Field) -> Option<[Bounded; 3]> {
        let name = field.name.text.as_str();
        let (FieldValue::Equals(expr) | FieldValue::Within(expr)) = field.value else {
            self.wrong_form(field, "needs a value or a set");
            return None;
        };
        let typed = self.lower(expr, Scope::default());
        let origin = self.origin(expr);
        let components = match (&field.value, &typed) {
            (_, Typed::Vector(nodes)) => nodes.map(Bounded::Value),
            (FieldValue::Within(_), Typed::Box(components)) => *components,
            (_, Typed::Box(_)) => {
                report!(self.context, L018 at field.origin, "`{name}` is given a set with `=`";
                    label "a set";
                    help "write `{name} in …`");
                return None;
            }
            (_, other) => {
                self.expected(other, "a vector", name, origin);
                return None;
            }
        };
        for component in components {
            let ends = match component {
                Bounded::Value(node) => [node, node],
                Bounded::Range(lower, upper) => [lower, upper],
            };
            for node in ends {
                self.constant_node(node, origin, name, Range::Any)?;
            }
        }
        Some(components)
    }
}

/// Whether an interval is one number, up to rounding.
pub(crate) fn is_one(value: Interval) -> bool {
    value.is_point() || value.width() <= 1e-12 * value.magnitude()
}

/// What a constant is, or from where to where its values reach.
pub(crate) fn extent(value: Interval) -> String {
    if is_one(value) {
        format!("it is {}", number(value.mid().unwrap_or(f64::NAN)))
    } else {
        format!("it reaches from {} to {}", number(value.lo()), number(value.hi()))
    }
}

/// Looks up an entity; reports an unknown one with a suggestion.
pub(crate) fn entity(context: &mut Context<'_>, name: &Name) -> Option<dyverse_model::EntityId> {
    use super::context::Global;
    let declared = context.names.get(&name.text).cloned();
    if let Some(Global::Entity(id)) = declared.as_ref().map(|d| &d.global) {
        return Some(*id);
    }
    if context.is_full() {
        return None;
    }
    let may_suggest = context.may_suggest();
    let is_declared = declared.is_some();
    let known = || context.entity_names.iter().map(|n| n.text.as_str());
    let mut finding = finding!(L003 at name.origin, "no entity is called `{}`", name.text;
        label "not an entity");
    if let Some(declared) = declared {
        finding = finding.also(declared.origin, "this is no entity");
    }
    let near = if may_suggest && !is_declared {
        closest(&name.text, known())
    } else {
        None
    };
    let finding = match near {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None if context.entity_names.is_empty() => finding.help("declare it with `entity`"),
        None => finding.help(format!("entities are: {}", shortened_list(known()))),
    };
    context.report(finding);
    None
}

fn shortened_list<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 8;
    let count = names.len();
    let mut text = names.take(MOST).collect::<Vec<_>>().join(", ");
    if count > MOST {
        text.push_str(&format!(", … ({count} in all)"));
    }
    text
}
