//! Inputs of a model, and what a question about a property takes them for.
//!
//! | input | taken for |
//! |---|---|
//! | with a range | any signal in it: nothing is proved about a property that may depend on it; a search tries some signals |
//! | with a range, and the question is about defaults only | its default |
//! | without a range | its default |
//!
//! # May a property depend on an input?
//! Of rigid bodies: if the property or any load reads it. Of actors: if what the property reads goes back to it through definitions, initial values, regions, components or any modal
//! model. That is more than really does, and never less.

use crate::subject::Checkable;
use dyverse_actors::{Definition, Graph, RegionId, RegionKind, SignalId};
use dyverse_expr::NodeId;
use dyverse_falsify::InputRange;
use dyverse_model::{Formula, Input, Model, Property, Setting};
use std::collections::BTreeSet;

/// What inputs with a range are taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputChoice {
    /// Any signal in the range.
    #[default]
    Any,
    /// Their default values: a narrower question.
    Default,
}

/// What is assumed of the inputs that a property may depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssumedInputs {
    /// Any signal in its range.
    pub any: Vec<InputRange>,
    /// Its default, because the question is about defaults only.
    pub by_choice: Vec<String>,
    /// Its default, because it has no range.
    pub without_range: Vec<String>,
}

impl AssumedInputs {
    /// In a sentence; `None` if the property depends on no input.
    pub fn sentence(&self) -> Option<String> {
        let list = |names: &[String]| names.join(", ");
        let mut parts = Vec::new();
        for input in &self.any {
            parts.push(format!(
                "{} is any signal in [{}, {}]",
                input.name, input.lower, input.upper
            ));
        }
        if !self.by_choice.is_empty() {
            let names = list(&self.by_choice);
            parts.push(format!("by default only, as asked by --inputs default: {names}"));
        }
        if !self.without_range.is_empty() {
            let names = list(&self.without_range);
            parts.push(format!("by default, for want of a range: {names}"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// Why nothing can be proved; `None` if something can.
    pub fn obstacle(&self) -> Option<String> {
        let first = self.any.first()?;
        Some(format!(
            "the property may depend on the input `{}`, which may be any signal in [{}, {}]: nothing is proved about such signals yet; --inputs default asks about its default value only",
            first.name, first.lower, first.upper
        ))
    }
}

impl Checkable<'_> {
    /// What a question about a property takes inputs for.
    pub fn assumed_inputs(&self, property: &str, choice: InputChoice) -> AssumedInputs {
        let mut assumed = AssumedInputs::default();
        let Some(found) = self.properties().iter().find(|p| p.name == property) else {
            return assumed;
        };
        let (inputs, read) = match self {
            Checkable::Bodies(model) => (model.inputs(), read_by_bodies(model, found)),
            Checkable::Actors(model) => (model.graph.inputs(), read_by_actors(&model.graph, found)),
        };
        let read = inputs
            .iter()
            .enumerate()
            .filter(|(place, _)| read.contains(place));
        for (_, input) in read {
            match (self.range_of(input), choice) {
                (None, _) => assumed.without_range.push(input.name.clone()),
                (Some(_), InputChoice::Default) => assumed.by_choice.push(input.name.clone()),
                (Some(range), InputChoice::Any) => assumed.any.push(range),
            }
        }
        assumed
    }

    /// The values that are in an input's range whatever the parameters are.
    fn range_of(&self, input: &Input) -> Option<InputRange> {
        let (lower, upper) = input.range?;
        let (lower, upper) = match self {
            Checkable::Bodies(model) => {
                let whole = Setting::enclosing(model);
                (whole.value(lower).hi(), whole.value(upper).lo())
            }
            Checkable::Actors(model) => {
                let values = dyverse_tick::parameter_values(&model.graph, &[]).unwrap_or_default();
                let value = |node| model.graph.constant(node, &values);
                (value(lower), value(upper))
            }
        };
        Some(InputRange {
            name: input.name.clone(),
            lower,
            upper: upper.max(lower),
        })
    }
}

fn truths(property: &Property) -> Vec<NodeId> {
    let parts = property.parts.iter();
    parts
        .filter_map(|part| match part {
            Formula::Now(node) => Some(*node),
            _ => None,
        })
        .collect()
}

fn read_by_bodies(model: &Model, property: &Property) -> BTreeSet<usize> {
    let mut roots = truths(property);
    for load in model.loads() {
        roots.extend(load.force);
        roots.extend(load.moment);
    }
    let symbols = model.pool().symbols(&roots).into_iter();
    symbols
        .filter_map(|id| match model.symbol(id) {
            dyverse_model::Symbol::Input(input) => Some(input.0 as usize),
            _ => None,
        })
        .collect()
}

fn read_by_actors(graph: &Graph, property: &Property) -> BTreeSet<usize> {
    let mut back = Back {
        graph,
        nodes: truths(property),
        signals: BTreeSet::new(),
        waiting: Vec::new(),
    };
    // Which of them sets a state, or keeps time from passing, is not looked at: all count.
    for modal in graph.modals() {
        back.region(modal.region);
        for transition in &modal.transitions {
            back.nodes.push(transition.guard);
            let actions = transition.sets.iter().chain(&transition.outputs);
            back.nodes.extend(actions.map(|(_, node)| *node));
        }
    }
    back.follow();
    let symbols = graph.pool().symbols(&back.nodes).into_iter();
    symbols
        .filter_map(|id| match graph.symbol(id) {
            dyverse_actors::Symbol::Input(input) => Some(input.0 as usize),
            _ => None,
        })
        .collect()
}

/// Goes back from what is read to what that reads.
struct Back<'g> {
    graph: &'g Graph,
    nodes: Vec<NodeId>,
    signals: BTreeSet<SignalId>,
    waiting: Vec<SignalId>,
}

impl Back<'_> {
    fn signal(&mut self, id: SignalId) {
        if self.signals.insert(id) {
            self.waiting.push(id);
        }
    }

    fn region(&mut self, id: RegionId) {
        let mut next = Some(id);
        while let Some(id) = next {
            let region = self.graph.region(id);
            // What decides about modes is among the roots.
            if let RegionKind::Enabled(by) = region.kind {
                self.signal(by);
            }
            next = region.parent;
        }
    }

    fn follow(&mut self) {
        let mut looked_at = 0;
        loop {
            while let Some(node) = self.nodes.get(looked_at).copied() {
                looked_at += 1;
                for signal in self.graph.signals_of(node) {
                    self.signal(signal);
                }
            }
            let Some(id) = self.waiting.pop() else { return };
            self.region(self.graph.signal(id).region);
            self.definition(id);
        }
    }

    fn definition(&mut self, id: SignalId) {
        let graph = self.graph;
        match &graph.signal(id).definition {
            Definition::Expression(node) => self.nodes.push(*node),
            Definition::Default {
                preferred: a,
                alternate: b,
            }
            | Definition::Inhibit { value: a, inhibit: b }
            | Definition::Sample { value: a, trigger: b } => {
                self.signal(*a);
                self.signal(*b);
            }
            Definition::Hold { value, init } | Definition::Post { value, init } => {
                self.signal(*value);
                self.nodes.extend(init);
            }
            Definition::Cross { value, .. } | Definition::Delay { value, .. } => self.signal(*value),
            Definition::IsPresent(of) | Definition::IsAbsent(of) | Definition::Before(of) => self.signal(*of),
            Definition::Integrator {
                derivative,
                init,
                impulse,
                reset,
            } => {
                self.nodes.push(*init);
                for signal in [Some(*derivative), *impulse, *reset].into_iter().flatten() {
                    self.signal(signal);
                }
            }
            Definition::Merge(of) => of.iter().for_each(|signal| self.signal(*signal)),
            Definition::Clock { .. } | Definition::At { .. } => {}
            Definition::Output { component, .. } | Definition::Event { component, .. } => {
                if let Some(used) = graph.components().get(component.0 as usize) {
                    self.region(used.region);
                    used.inputs.iter().for_each(|(_, signal)| self.signal(*signal));
                }
            }
        }
    }
}
