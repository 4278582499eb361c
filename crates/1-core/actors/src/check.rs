//! What a graph must satisfy to be executed. The language reports the same mistakes earlier and with more words; this is the last gate, so
//! that the engine can rely on it.

use crate::{Definition, Graph, ModeTransition, RegionId, RegionKind, SignalId, Symbol};
use dyverse_diag::Origin;
use dyverse_expr::NodeId;
use std::collections::BTreeMap;
use std::fmt;

/// Why a graph is none.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphError {
    /// A signal was declared and never defined.
    Undefined {
        /// Its name.
        signal: String,
        /// Where it is declared.
        origin: Option<Origin>,
    },
    /// Two signals have one name.
    SameName {
        /// The name.
        signal: String,
        /// Where the second is declared.
        origin: Option<Origin>,
    },
    /// Something refers to a signal, region, mode or component that is not there.
    Dangling {
        /// What refers.
        what: String,
        /// Where.
        origin: Option<Origin>,
    },
    /// A constant reads something other than parameters.
    NotConstant {
        /// What should be constant.
        what: String,
        /// What it reads.
        reads: String,
        /// Where.
        origin: Option<Origin>,
    },
    /// A modal model has no mode.
    NoModes {
        /// Its name.
        modal: String,
        /// Where.
        origin: Option<Origin>,
    },
    /// A set action sets something that has no state to set.
    NotSettable {
        /// The signal.
        signal: String,
        /// What it is.
        word: &'static str,
        /// Where the transition is.
        origin: Option<Origin>,
    },
    /// An output action gives a value to a signal that is not merged.
    NotMerged {
        /// The signal.
        signal: String,
        /// Where the transition is.
        origin: Option<Origin>,
    },
}

impl GraphError {
    /// Where it is.
    pub fn origin(&self) -> Option<Origin> {
        match self {
            GraphError::Undefined { origin, .. }
            | GraphError::SameName { origin, .. }
            | GraphError::Dangling { origin, .. }
            | GraphError::NotConstant { origin, .. }
            | GraphError::NoModes { origin, .. }
            | GraphError::NotSettable { origin, .. }
            | GraphError::NotMerged { origin, .. } => *origin,
        }
    }
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::Undefined { signal, .. } => {
                write!(f, "`{signal}` is declared but nothing defines it")
            }
            GraphError::SameName { signal, .. } => write!(f, "two signals have the name `{signal}`"),
            GraphError::Dangling { what, .. } => write!(f, "{what} refers to something that is not there"),
            GraphError::NotConstant { what, reads, .. } => {
                write!(f, "{what} must be constant, but reads `{reads}`")
            }
            GraphError::NoModes { modal, .. } => write!(f, "the modal model `{modal}` has no mode"),
            GraphError::NotSettable { signal, word, .. } => {
                write!(
                    f,
                    "a set action needs a state: `{signal}` is {word}, not an integrator, `hold` or `post`"
                )
            }
            GraphError::NotMerged { signal, .. } => {
                write!(
                    f,
                    "an output action needs an output of the modal model: `{signal}` is none"
                )
            }
        }
    }
}

impl std::error::Error for GraphError {}

/// All mistakes of a graph.
pub(crate) fn check(graph: &Graph) -> Vec<GraphError> {
    let mut checker = Checker {
        graph,
        errors: Vec::new(),
    };
    checker.names();
    checker.regions();
    for place in 0..graph.signals.len() {
        checker.signal(SignalId(place as u32));
    }
    checker.modals();
    checker.components();
    checker.errors
}

struct Checker<'a> {
    graph: &'a Graph,
    errors: Vec<GraphError>,
}

impl Checker<'_> {
    fn dangling(&mut self, what: String, origin: Option<Origin>) {
        self.errors.push(GraphError::Dangling { what, origin });
    }

    fn names(&mut self) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for signal in &self.graph.signals {
            let count = seen.entry(&signal.name).or_insert(0);
            *count += 1;
            if *count == 2 {
                self.errors.push(GraphError::SameName {
                    signal: signal.name.clone(),
                    origin: signal.origin,
                });
            }
        }
    }

    fn has_signal(&self, id: SignalId) -> bool {
        (id.0 as usize) < self.graph.signals.len()
    }
    fn has_region(&self, id: RegionId) -> bool {
        (id.0 as usize) < self.graph.regions.len()
    }

    fn regions(&mut self) {
        for (place, region) in self.graph.regions.iter().enumerate() {
            let has_parent = region.parent.is_some_and(|p| (p.0 as usize) < place);
            let is_good = match region.kind {
                RegionKind::Root => place == 0,
                RegionKind::Enabled(signal) => has_parent && self.has_signal(signal),
                RegionKind::Mode(..) | RegionKind::Leaving(..) => has_parent,
            };
            if !is_good {
                self.dangling(format!("the region `{}`", region.name), region.origin);
            }
        }
    }

    /// An expression whose symbols are all known.
    fn expression(&mut self, node: NodeId, what: &str, origin: Option<Origin>) {
        let graph = self.graph;
        let is_good = node.index() < graph.pool.len()
            && graph
                .pool
                .symbols(&[node])
                .into_iter()
                .all(|id| match graph.symbols.get(id.0 as usize) {
                    Some(Symbol::Signal(s)) => self.has_signal(*s),
                    Some(Symbol::Parameter(p)) => (p.0 as usize) < graph.parameters.len(),
                    Some(Symbol::Input(i)) => (i.0 as usize) < graph.inputs.len(),
                    Some(Symbol::Time) => true,
                    None => false,
                });
        if !is_good {
            self.dangling(what.to_owned(), origin);
        }
    }

    fn constant(&mut self, node: NodeId, what: &str, origin: Option<Origin>) {
        let before = self.errors.len();
        self.expression(node, what, origin);
        if self.errors.len() > before {
            return;
        }
        let graph = self.graph;
        let is_parameter = |id| matches!(graph.symbol(id), Symbol::Parameter(_));
        let other = graph
            .pool
            .symbols(&[node])
            .into_iter()
            .find(|id| !is_parameter(*id));
        if let Some(other) = other {
            self.errors.push(GraphError::NotConstant {
                what: what.to_owned(),
                reads: graph.symbol_name(other),
                origin,
            });
        }
    }

    fn signal(&mut self, id: SignalId) {
        let graph = self.graph;
        let signal = graph.signal(id);
        let (name, origin) = (format!("`{}`", signal.name), signal.origin);
        if !self.has_region(signal.region) {
            self.dangling(name.clone(), origin);
        }
        let (signals, expressions, constants) = parts(&signal.definition);
        if signals.into_iter().any(|s| !self.has_signal(s)) {
            self.dangling(name.clone(), origin);
        }
        for node in expressions {
            self.expression(node, &name, origin);
        }
        for node in constants {
            let what = format!("a number of the {} `{}`", signal.definition.word(), signal.name);
            self.constant(node, &what, origin);
        }
        let place = match signal.definition {
            Definition::Output { component, output } => {
                let used = graph.components.get(component.0 as usize);
                Some(used.is_some_and(|c| (output as usize) < c.outputs.len()))
            }
            Definition::Event { component, event } => {
                let used = graph.components.get(component.0 as usize);
                Some(used.is_some_and(|c| (event as usize) < c.events.len()))
            }
            _ => None,
        };
        if place == Some(false) {
            self.dangling(name, origin);
        }
    }

    fn modals(&mut self) {
        for modal in &self.graph.modals {
            if modal.modes.is_empty() {
                self.errors.push(GraphError::NoModes {
                    modal: modal.name.clone(),
                    origin: modal.origin,
                });
                continue;
            }
            let count = modal.modes.len() as u32;
            let is_good = modal.initial.0 < count
                && self.has_region(modal.region)
                && modal
                    .transitions
                    .iter()
                    .all(|t| t.to.0 < count && t.from.is_none_or(|from| from.0 < count));
            if !is_good {
                self.dangling(format!("the modal model `{}`", modal.name), modal.origin);
                continue;
            }
            for transition in &modal.transitions {
                self.transition(&modal.describe(transition), transition);
            }
        }
    }

    fn transition(&mut self, what: &str, transition: &ModeTransition) {
        let graph = self.graph;
        let origin = transition.origin;
        self.expression(transition.guard, what, origin);
        if let Some(tolerance) = transition.tolerance {
            self.constant(tolerance, &format!("the tolerance of {what}"), origin);
        }
        for (signal, node) in transition.sets.iter().chain(&transition.outputs) {
            self.expression(*node, what, origin);
            if !self.has_signal(*signal) {
                self.dangling(what.to_owned(), origin);
                return;
            }
        }
        for (signal, _) in &transition.sets {
            let signal = graph.signal(*signal);
            if !signal.definition.has_settable_state() {
                self.errors.push(GraphError::NotSettable {
                    signal: signal.name.clone(),
                    word: signal.definition.word(),
                    origin,
                });
            }
        }
        for (signal, _) in &transition.outputs {
            let signal = graph.signal(*signal);
            if !matches!(signal.definition, Definition::Merge(_)) {
                self.errors.push(GraphError::NotMerged {
                    signal: signal.name.clone(),
                    origin,
                });
            }
        }
    }

    fn components(&mut self) {
        for component in &self.graph.components {
            let is_good = self.has_region(component.region)
                && component.inputs.iter().all(|(_, s)| self.has_signal(*s));
            if !is_good {
                self.dangling(format!("the component `{}`", component.name), component.origin);
            }
        }
    }
}

/// Signals, expressions and constants of a definition.
pub(crate) fn parts(definition: &Definition) -> (Vec<SignalId>, Vec<NodeId>, Vec<NodeId>) {
    let (mut signals, mut expressions, mut constants) = (Vec::new(), Vec::new(), Vec::new());
    match definition {
        Definition::Expression(node) => expressions.push(*node),
        Definition::Default {
            preferred: a,
            alternate: b,
        }
        | Definition::Inhibit { value: a, inhibit: b }
        | Definition::Sample { value: a, trigger: b } => signals.extend([*a, *b]),
        Definition::Hold { value, init } => {
            signals.push(*value);
            expressions.extend(*init);
        }
        Definition::Post { value, init } => {
            signals.push(*value);
            constants.extend(*init);
        }
        Definition::Cross {
            value,
            level,
            tolerance,
            ..
        } => {
            signals.push(*value);
            constants.push(*level);
            constants.extend(*tolerance);
        }
        Definition::Clock {
            period,
            offset,
            value,
        } => {
            constants.extend([*period, *offset]);
            constants.extend(*value);
        }
        Definition::At { events } => constants.extend(events.iter().flat_map(|(t, v)| [*t, *v])),
        Definition::Delay { value, by } => {
            signals.push(*value);
            constants.push(*by);
        }
        Definition::IsPresent(value) | Definition::IsAbsent(value) | Definition::Before(value) => {
            signals.push(*value);
        }
        Definition::Integrator {
            derivative,
            init,
            impulse,
            reset,
        } => {
            signals.push(*derivative);
            signals.extend(impulse.iter().chain(reset));
            expressions.push(*init);
        }
        Definition::Merge(of) => signals.extend(of),
        Definition::Output { .. } | Definition::Event { .. } => {}
    }
    (signals, expressions, constants)
}
