//! Functions that a file declares: `fun f(x, y) = …`.
//!
//! The body is lowered once, over symbols for its arguments; a call replaces them. So a chain of functions that each
//! call the one above twice costs what its expression costs, shared parts once, not two to the power of its length.

use super::context::Context;
use super::expression::{Lowering, Scope};
use super::function::Given;
use super::symbols::Meaning;
use super::typed::Typed;
use crate::syntax::ast::{ExprRef, Name, SourceTree};
use dyverse_diag::{Origin, report};
use dyverse_expr::{NodeId, SymbolId};
use std::collections::BTreeMap;

/// Nodes that all calls may look at: beyond it the functions are too big to write out.
const MOST_INLINED: usize = 10_000_000;

/// A declared function.
#[derive(Clone, Debug)]
pub(crate) struct UserFunction {
    parameters: Vec<String>,
    value: Typed,
    /// How many nodes the body has.
    size: usize,
    origin: Origin,
}

/// Declares a function; it may call those above it.
pub(crate) fn define(
    context: &mut Context<'_>,
    tree: &SourceTree,
    name: &Name,
    parameters: &[Name],
    value: ExprRef,
) {
    if !is_free(context, name) {
        return;
    }
    let mut arguments = BTreeMap::new();
    for (place, parameter) in parameters.iter().enumerate() {
        let node = context.read(Meaning::Argument(place as u32));
        if arguments.insert(parameter.text.clone(), node).is_some() {
            report!(context, L001 at parameter.origin, "the argument `{}` is declared twice", parameter.text;
                label "declared again";
                help "give one of them another name");
        }
    }
    context.arguments = arguments;
    let typed = Lowering::new(context, tree, Scope::default()).lower(value);
    context.arguments.clear();
    let typed = match typed {
        Typed::Number(_) | Typed::Boolean(_) | Typed::Vector(_) | Typed::Broken => typed,
        other => {
            report!(context, L025 at tree.origin(value),
                "the value of `{}` cannot be {}", name.text, other.describe();
                label other.describe();
                help "a function gives a number, a vector or a truth value");
            Typed::Broken
        }
    };
    let size = context.pool.reachable(&roots(&typed)).len();
    let function = UserFunction {
        parameters: parameters.iter().map(|p| p.text.clone()).collect(),
        value: typed,
        size,
        origin: name.origin,
    };
    context.functions.insert(name.text.clone(), function);
}

fn is_free(context: &mut Context<'_>, name: &Name) -> bool {
    if super::function::is_built_in(&name.text) {
        report!(context, L024 at name.origin, "`{}` already is a function", name.text;
            label "cannot be declared";
            help "choose another name");
        return false;
    }
    if let Some(first) = context.functions.get(&name.text) {
        let first = first.origin;
        report!(context, L001 at name.origin, "the function `{}` is declared twice", name.text;
            label "declared again";
            also first, "first declared here";
            help "give one of them another name");
        return false;
    }
    true
}

fn roots(typed: &Typed) -> Vec<NodeId> {
    match typed {
        Typed::Number(node) | Typed::Boolean(node) => vec![*node],
        Typed::Vector(nodes) => nodes.to_vec(),
        _ => Vec::new(),
    }
}

impl Lowering<'_, '_> {
    /// The value of a declared function; `None` if there is none of this name.
    pub(crate) fn user_call(&mut self, function: &Name, given: &[Given], origin: Origin) -> Option<Typed> {
        let declared = self.context.functions.get(&function.text)?.clone();
        let names: Vec<&str> = declared.parameters.iter().map(String::as_str).collect();
        let Some(values) = self.arguments(function, given, &names) else {
            return Some(Typed::Broken);
        };
        let mut with: BTreeMap<SymbolId, NodeId> = BTreeMap::new();
        for (place, value) in values.iter().enumerate() {
            let Typed::Number(node) = value else {
                let message = format!("`{}({})` is of numbers", function.text, names.join(", "));
                return Some(self.wrong_argument(function, origin, &message));
            };
            let id = self.context.symbols.id(Meaning::Argument(place as u32));
            with.insert(id, *node);
        }
        self.context.inlined += declared.size;
        if self.context.inlined > MOST_INLINED {
            return Some(self.too_much(function, origin, &declared));
        }
        let pool = &mut self.context.pool;
        let new = pool.substitute(&roots(&declared.value), &with);
        Some(match (&declared.value, new.as_slice()) {
            (Typed::Number(_), [node]) => Typed::Number(*node),
            (Typed::Boolean(_), [node]) => Typed::Boolean(*node),
            (Typed::Vector(_), [x, y, z]) => Typed::Vector([*x, *y, *z]),
            _ => Typed::Broken,
        })
    }

    fn too_much(&mut self, function: &Name, origin: Origin, declared: &UserFunction) -> Typed {
        // Said once: every further call would say the same.
        if self.context.inlined - declared.size <= MOST_INLINED {
            report!(self.context, L033 at origin,
                "the functions are too big to be written out for every call";
                label "`{}` has {} operations", function.text, declared.size;
                note "all calls together have {MOST_INLINED} at the most";
                help "name common parts with `let`, or call fewer functions");
        }
        Typed::Broken
    }
}
