//! Names: all are declared first; then parameters, inputs and definitions get their values in file order.

use super::context::{Context, Declared, Dependence, Global};
use super::expression::{Lowering, Scope};
use super::fields::{FieldReader, Range, is_one};
use super::typed::Typed;
use super::user_function;
use crate::syntax::ast::{ExprRef, ItemKind, Name, SourceTree};
use dyverse_diag::{Diagnostic, Origin, finding, number, report};
use dyverse_model::{EntityId, Input, InputId, Parameter, ParameterId, ParameterKind};
use dyverse_num::Interval;

/// Names that cannot be declared, because they mean something everywhere.
const TAKEN: &[&str] = &["time", "pi", "slip_speed"];

/// Enters the names of all files, then gives parameters, inputs and definitions their values.
pub(crate) fn lower(context: &mut Context<'_>, trees: &[SourceTree]) {
    for tree in trees {
        declare(context, tree);
    }
    for tree in trees {
        define(context, tree);
    }
}

/// Enters every declared name; reports those declared twice.
fn declare(context: &mut Context<'_>, tree: &SourceTree) {
    for item in &tree.items {
        match &item.kind {
            ItemKind::Param { name, .. } | ItemKind::Input { name, .. } => {
                declare_name(context, name, Global::NotYet);
            }
            ItemKind::Let { name, .. } => {
                declare_name(context, name, Global::Definition(None));
            }
            ItemKind::Entity { name, fixed, fields } => {
                let id = EntityId(context.entity_names.len());
                if declare_name(context, name, Global::Entity(id)) {
                    let flag = fields.iter().any(|f| f.name.text == "fixed");
                    context.entity_names.push(name.clone());
                    context.entity_is_fixed.push(*fixed || flag);
                }
            }
            _ => {}
        }
    }
}

/// Whether a name is one of `taken`, which have a meaning already; if so, says it.
pub(crate) fn is_taken(context: &mut Context<'_>, name: &Name, taken: &[&str]) -> bool {
    if !taken.contains(&name.text.as_str()) {
        return false;
    }
    report!(context, L024 at name.origin, "`{}` already has a meaning", name.text;
        label "cannot be declared";
        help "choose another name");
    true
}

fn declare_name(context: &mut Context<'_>, name: &Name, global: Global) -> bool {
    if is_taken(context, name, TAKEN) {
        return false;
    }
    if let Some(first) = context.names.get(&name.text) {
        let first = first.origin;
        report!(context, L001 at name.origin, "`{}` is declared twice", name.text;
            label "declared again";
            also first, "first declared here";
            help "give one of them another name");
        return false;
    }
    context.names.insert(
        name.text.clone(),
        Declared {
            global,
            origin: name.origin,
        },
    );
    true
}

/// Whether this item is the one that holds the name (and not a second declaration of it).
fn is_holder(context: &Context<'_>, name: &Name) -> bool {
    context
        .names
        .get(&name.text)
        .is_some_and(|d| d.origin == name.origin)
}

fn set(context: &mut Context<'_>, name: &Name, global: Global) {
    if let Some(declared) = context.names.get_mut(&name.text) {
        declared.global = global;
    }
}

/// Gives parameters, inputs and definitions their values.
fn define(context: &mut Context<'_>, tree: &SourceTree) {
    for item in &tree.items {
        match &item.kind {
            ItemKind::Param { name, within, equals } if is_holder(context, name) => {
                let global = match parameter(context, tree, name, *within, *equals) {
                    Some((kind, value)) => {
                        let id = ParameterId(context.parameters.len() as u32);
                        context.parameters.push(Parameter {
                            name: name.text.clone(),
                            kind,
                            origin: name.origin,
                        });
                        context.parameter_values.push(value);
                        Global::Parameter(id)
                    }
                    None => Global::Broken,
                };
                set(context, name, global);
            }
            ItemKind::Input { name, within, equals } if is_holder(context, name) => {
                let global = match input(context, tree, name, *within, *equals) {
                    Some(input) => {
                        context.inputs.push(input);
                        Global::Input(InputId(context.inputs.len() as u32 - 1))
                    }
                    None => Global::Broken,
                };
                set(context, name, global);
            }
            ItemKind::Function {
                name,
                parameters,
                value,
            } => user_function::define(context, tree, name, parameters, *value),
            ItemKind::Let { name, value } if is_holder(context, name) => {
                let typed = Lowering::new(context, tree, Scope::default()).lower(*value);
                let typed = match typed {
                    Typed::Temporal(_) | Typed::Entity(_) | Typed::Part(_) | Typed::Word => {
                        report!(context, L025 at tree.origin(*value),
                            "`{}` cannot be {}", name.text, typed.describe();
                            label "not a value";
                            help "`let` names numbers, vectors, truth values and intervals");
                        Typed::Broken
                    }
                    other => other,
                };
                set(context, name, Global::Definition(Some(typed)));
            }
            _ => {}
        }
    }
}

/// A range `[low, high]` of constants.
fn range(
    context: &mut Context<'_>,
    tree: &SourceTree,
    expr: ExprRef,
    name: &str,
) -> Option<[dyverse_expr::NodeId; 2]> {
    let typed = Lowering::new(context, tree, Scope::default()).lower(expr);
    let origin = tree.origin(expr);
    match typed {
        Typed::Interval(lower, upper) => {
            let mut reader = FieldReader { context, tree };
            let lower = reader.constant_node(lower, origin, name, Range::Any)?;
            let upper = reader.constant_node(upper, origin, name, Range::Any)?;
            Some([lower, upper])
        }
        Typed::Broken => None,
        other => {
            report!(context, L020 at origin, "a range is an interval, this is {}", other.describe();
                label other.describe();
                help "write [low, high]");
            None
        }
    }
}

fn parameter(
    context: &mut Context<'_>,
    tree: &SourceTree,
    name: &Name,
    within: Option<ExprRef>,
    equals: Option<ExprRef>,
) -> Option<(ParameterKind, Interval)> {
    let range = match within {
        Some(expr) => Some(range(context, tree, expr, &name.text)?),
        None => None,
    };
    let value = match equals {
        Some(expr) => Some((
            FieldReader { context, tree }.constant(expr, &name.text, Range::Any)?,
            expr,
        )),
        None => None,
    };
    match (range, value) {
        (None, None) => None,
        (None, Some((node, _))) => Some((ParameterKind::Fixed(node), context.value(node))),
        (Some([lower, upper]), None) => {
            let sum = context.pool.add(lower, upper);
            let two = context.pool.number(2.0);
            let nominal = context.pool.divide(sum, two);
            let hull = context.value(lower).hull(&context.value(upper));
            Some((
                ParameterKind::Range {
                    lower,
                    upper,
                    nominal,
                },
                hull,
            ))
        }
        (Some([lower, upper]), Some((nominal, expr))) => {
            let hull = context.value(lower).hull(&context.value(upper));
            let value = context.value(nominal);
            if value.is_disjoint(&hull) {
                report!(context, L019 at tree.origin(expr),
                    "the nominal value of `{}` is outside its range", name.text;
                    label outside(value, hull);
                    help "a simulation takes this value; choose it from the range, or leave it out to take the middle");
                return None;
            }
            Some((
                ParameterKind::Range {
                    lower,
                    upper,
                    nominal,
                },
                hull,
            ))
        }
    }
}

/// Which number is outside which range.
fn outside(value: Interval, range: Interval) -> String {
    let value = if is_one(value) {
        number(value.mid().unwrap_or(f64::NAN))
    } else {
        format!("[{}, {}]", number(value.lo()), number(value.hi()))
    };
    format!(
        "{value} is not in [{}, {}]",
        number(range.lo()),
        number(range.hi())
    )
}

fn input_outside(name: &Name, at: Origin, value: Interval, range: Interval, is_given: bool) -> Diagnostic {
    let middle = range.mid().unwrap_or(0.0);
    let (message, help) = if is_given {
        let message = format!("the value of the input `{}` is outside its range", name.text);
        (
            message,
            "the input has this value while nothing drives it; choose it from the range".to_owned(),
        )
    } else {
        let message = format!(
            "the input `{}` has no value of its own, and 0 is outside its range",
            name.text
        );
        let (low, high) = (number(range.lo()), number(range.hi()));
        (
            message,
            format!(
                "give it one: `input {} in [{low}, {high}] = {}`",
                name.text,
                number(middle)
            ),
        )
    };
    finding!(L019 at at, message; label outside(value, range); help help)
}

fn input(
    context: &mut Context<'_>,
    tree: &SourceTree,
    name: &Name,
    within: Option<ExprRef>,
    equals: Option<ExprRef>,
) -> Option<Input> {
    let range = match within {
        Some(expr) => Some(range(context, tree, expr, &name.text)?),
        None => None,
    };
    let default = match equals {
        Some(expr) => {
            let typed = Lowering::new(context, tree, Scope::default()).lower(expr);
            let origin = tree.origin(expr);
            let Typed::Number(node) = typed else {
                if !typed.is_broken() {
                    report!(context, L020 at origin, "an input is a number, this is {}", typed.describe();
                        label typed.describe());
                }
                return None;
            };
            let allowed = Dependence::PARAMETER.with(Dependence::TIME);
            let place = format!("the input `{}`", name.text);
            context
                .check_dependence(&[node], allowed, origin, &place)
                .then_some(node)?
        }
        None => context.pool.number(0.0),
    };
    if let Some([lower, upper]) = range {
        let hull = context.value(lower).hull(&context.value(upper));
        let value = context.value(default);
        if value.is_disjoint(&hull) {
            let at = equals.map_or(name.origin, |expr| tree.origin(expr));
            context.report(input_outside(name, at, value, hull, equals.is_some()));
            return None;
        }
    }
    Some(Input {
        name: name.text.clone(),
        range: range.map(|[l, u]| (l, u)),
        default,
        origin: name.origin,
    })
}
