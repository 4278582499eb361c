//! FMUs used as actors: their inputs are ports, their variables signals.
//!
//! Names of an FMU may hold characters that no name of this language does, such as `der(x)` or `tank[1].level`. Here each of these is a `_`; a dot stays one in what is read
//! (`plant.tank_1_.level`), and is a `_` in parameters and inputs. Outputs are made when they are first read.

use super::declare::Instantiation;
use super::scope::{Actors, Part, ScopeId};
use crate::FmuInterface;
use crate::lower::expression::Lowering;
use crate::lower::typed::Typed;
use crate::syntax::ast::{ExprRef, Field, Name};
use dyverse_actors::{ComponentId, Definition, RegionId, SignalId};
use dyverse_diag::{closest, finding, report};
use dyverse_expr::NodeId;
use std::collections::BTreeMap;

/// Names that a message lists at the most.
const MOST_LISTED: usize = 12;

/// An FMU in the making.
#[derive(Clone, Debug)]
pub(crate) struct FmuUse {
    /// Its full path.
    pub(crate) path: String,
    pub(crate) interface: FmuInterface,
    pub(crate) region: RegionId,
    /// Parameters that are given values here, by their names in the FMU: constants of the actor model.
    pub(crate) parameters: Vec<(String, NodeId)>,
    pub(crate) inputs: Vec<(String, SignalId)>,
    pub(crate) outputs: Vec<String>,
    pub(crate) signals: BTreeMap<String, SignalId>,
    /// First parts of names that were read, such as `tank`; the first is empty.
    pub(crate) prefixes: Vec<String>,
    pub(crate) origin: dyverse_diag::Origin,
}

/// A name of an FMU as it is written here, with dots.
fn dotted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    name.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

/// A name of an FMU as it is written here, without dots.
fn flat(name: &str) -> String {
    dotted(name).replace('.', "_")
}

/// The one name that is written so; an exact one first.
fn find<'n>(names: &'n [String], written: &str, form: fn(&str) -> String) -> Option<&'n String> {
    let exact = names.iter().find(|name| *name == written);
    exact.or_else(|| names.iter().find(|name| form(name) == written))
}

/// What to do about a name that is not known.
fn help(written: &str, names: &[String], form: fn(&str) -> String, none: &str) -> String {
    let known: Vec<String> = names.iter().map(|name| form(name)).collect();
    match closest(written, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => none.to_owned(),
        None => {
            let more = if known.len() > MOST_LISTED { ", …" } else { "" };
            let first: Vec<&str> = known.iter().take(MOST_LISTED).map(String::as_str).collect();
            format!("it has: {}{more}", first.join(", "))
        }
    }
}

impl FmuUse {
    /// The variable that is read by this path.
    pub(crate) fn output(&self, written: &str) -> Option<String> {
        find(&self.interface.outputs, written, dotted).cloned()
    }

    /// Whether a variable's path begins so.
    fn has_prefix(&self, written: &str) -> bool {
        let goes_on = |name: &String| {
            let rest = dotted(name);
            rest.strip_prefix(written)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        self.interface.outputs.iter().any(goes_on)
    }
}

impl Actors {
    /// The signal of a variable; made if new.
    pub(crate) fn fmu_output(&mut self, fmu: usize, output: String) -> Option<SignalId> {
        // All mechanisms are declared before anything is read; FMUs follow them.
        let component = ComponentId((self.mechanisms.len() + fmu) as u32);
        let entry = self.fmus.get_mut(fmu)?;
        if let Some(known) = entry.signals.get(&output) {
            return Some(*known);
        }
        let place = entry.outputs.len() as u32;
        entry.outputs.push(output.clone());
        let path = format!("{}.{}", entry.path, dotted(&output));
        let (region, origin) = (entry.region, entry.origin);
        let id = self.declare(path, None, region, origin);
        self.signal_mut(id).definition = Some(Definition::Output {
            component,
            output: place,
        });
        if let Some(entry) = self.fmus.get_mut(fmu) {
            entry.signals.insert(output, id);
        }
        Some(id)
    }
}

impl Lowering<'_, '_> {
    /// `plant.level`, or the next part of `plant.tank.level`.
    pub(crate) fn fmu_member(&mut self, fmu: usize, prefix: usize, member: &Name) -> Typed {
        let Some(entry) = self.context.actors.fmus.get_mut(fmu) else {
            return Typed::Broken;
        };
        let written = match entry.prefixes.get(prefix).filter(|p| !p.is_empty()) {
            Some(prefix) => format!("{prefix}.{}", member.text),
            None => member.text.clone(),
        };
        if let Some(output) = entry.output(&written) {
            let signal = self.context.actors.fmu_output(fmu, output);
            return self.signal_or_broken(signal);
        }
        if entry.has_prefix(&written) {
            let known = entry.prefixes.iter().position(|p| *p == written);
            let place = known.unwrap_or_else(|| {
                entry.prefixes.push(written);
                entry.prefixes.len() - 1
            });
            return Typed::Part(Part::Fmu(fmu, place));
        }
        let help = help(
            &written,
            &entry.interface.outputs,
            dotted,
            "it has no variables that can be read",
        );
        let message = format!("the FMU `{}` has no variable `{written}`", entry.path);
        report!(self.context, L007 at member.origin, message; label "no such member"; help help);
        Typed::Broken
    }
}

impl Instantiation<'_, '_, '_> {
    pub(crate) fn set_fmu_parameter(
        &mut self,
        fmu: usize,
        scope: ScopeId,
        tree: usize,
        name: Option<&Name>,
        expr: ExprRef,
    ) {
        let origin = name.map_or_else(|| self.trees[tree].origin(expr), |name| name.origin);
        let interface = &self.context.actors.fmus[fmu].interface;
        let given = name.map_or("", |name| name.text.as_str());
        let Some(parameter) = find(&interface.parameters, given, flat).cloned() else {
            let finding = finding!(A050 at origin, "the FMU `{}` has no parameter `{given}`", interface.name;
                label "not known";
                help help(given, &interface.parameters, flat, "it has no parameters"));
            return self.context.report(finding);
        };
        if self.context.actors.fmus[fmu]
            .parameters
            .iter()
            .any(|(n, _)| *n == parameter)
        {
            return self.bound_twice(origin, given);
        }
        if let Typed::Number(node) = self.constant(tree, expr, scope, given) {
            self.context.actors.fmus[fmu].parameters.push((parameter, node));
        }
    }

    pub(crate) fn bind_fmu_input(&mut self, fmu: usize, scope: ScopeId, tree: usize, field: &Field) {
        let entry = &self.context.actors.fmus[fmu];
        let name = &field.name;
        let Some(input) = find(&entry.interface.inputs, &name.text, flat).cloned() else {
            let finding = finding!(A051 at name.origin,
                "the FMU `{}` has no input `{}`", entry.interface.name, name.text;
                label "not known";
                help help(&name.text, &entry.interface.inputs, flat, "it has no inputs"));
            return self.context.report(finding);
        };
        if entry.inputs.iter().any(|(bound, _)| *bound == input) {
            return self.bound_twice(name.origin, &name.text);
        }
        let port = (format!("{}.{}", entry.path, name.text), entry.region);
        if let Some(signal) = self.bound_port(port, scope, tree, field) {
            self.context.actors.fmus[fmu].inputs.push((input, signal));
        }
    }
}
