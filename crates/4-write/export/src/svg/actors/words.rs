//! What defines a signal, in one line, as the language would write it.

use dyverse_actors::{Definition, Direction, Graph, Signal, SignalId};
use dyverse_expr::NodeId;

/// Operands without a name are written out so deep; beyond, there is `…`.
const DEEPEST: usize = 4;

/// A signal and its definition, such as `x' = v init 1`; names without `prefix`.
pub(in crate::svg) fn equation(graph: &Graph, signal: &Signal, prefix: &str) -> String {
    let words = Words { graph, prefix };
    let name = words.short(&signal.name);
    match &signal.definition {
        Definition::Integrator {
            derivative,
            init,
            impulse,
            reset,
        } => {
            let mut text = format!("{name}' = {}", words.operand(*derivative, 0));
            text.push_str(&format!(" init {}", words.expression(*init, 0)));
            if let Some(impulse) = impulse {
                text.push_str(&format!(" impulse {}", words.operand(*impulse, 0)));
            }
            if let Some(reset) = reset {
                text.push_str(&format!(" reset {}", words.operand(*reset, 0)));
            }
            text
        }
        Definition::Output { .. } | Definition::Event { .. } => format!("{name}: of the part itself"),
        definition => format!("{name} = {}", words.definition(definition, 0)),
    }
}

/// The right side of a signal's definition.
pub(super) fn right_side(graph: &Graph, signal: &Signal) -> String {
    let words = Words { graph, prefix: "" };
    match &signal.definition {
        Definition::Integrator {
            derivative, impulse, ..
        } => {
            let smooth = format!("∫ {}", words.operand(*derivative, 0));
            match impulse {
                Some(impulse) => format!("{smooth}, impulse {}", words.operand(*impulse, 0)),
                None => smooth,
            }
        }
        definition => words.definition(definition, 0),
    }
}

/// A signal by its name, or what it is if it has none.
pub(super) fn operand(graph: &Graph, id: SignalId) -> String {
    Words { graph, prefix: "" }.operand(id, 0)
}

struct Words<'a> {
    graph: &'a Graph,
    prefix: &'a str,
}

impl Words<'_> {
    fn short(&self, name: &str) -> String {
        name.strip_prefix(self.prefix).unwrap_or(name).to_owned()
    }

    /// A signal by its name, or what it is if it has none.
    fn operand(&self, id: SignalId, depth: usize) -> String {
        let signal = self.graph.signal(id);
        if signal.is_named() {
            self.short(&signal.name)
        } else if depth >= DEEPEST {
            "…".to_owned()
        } else {
            self.definition(&signal.definition, depth + 1)
        }
    }

    /// An expression; operands in it that have no name are written out in brackets.
    fn expression(&self, node: NodeId, depth: usize) -> String {
        let mut text = self.graph.print(node);
        for id in self.graph.signals_of(node) {
            let name = &self.graph.signal(id).name;
            if !self.graph.signal(id).is_named() {
                let operand = self.operand(id, depth);
                let is_all = text == *name;
                text = text.replace(
                    name.as_str(),
                    &if is_all { operand } else { format!("({operand})") },
                );
            } else if name.len() > self.prefix.len()
                && name.starts_with(self.prefix)
                && !self.prefix.is_empty()
            {
                text = text.replace(name.as_str(), &self.short(name));
            }
        }
        text
    }

    fn definition(&self, definition: &Definition, depth: usize) -> String {
        let operand = |id: &SignalId| self.operand(*id, depth);
        let constant = |node: &NodeId| self.graph.print(*node);
        match definition {
            Definition::Expression(node) => self.expression(*node, depth),
            Definition::Default { preferred, alternate } => {
                format!("{} ?? {}", operand(preferred), operand(alternate))
            }
            Definition::Inhibit { value, inhibit } => {
                format!("{} unless {}", operand(value), operand(inhibit))
            }
            Definition::Sample { value, trigger } => format!("{} on {}", operand(value), operand(trigger)),
            Definition::Hold { value, .. } => format!("hold({})", operand(value)),
            Definition::Post { value, .. } => format!("post {}", operand(value)),
            Definition::Cross {
                value,
                level,
                direction,
                ..
            } => {
                let direction = match direction {
                    Direction::Rising => ", rising",
                    Direction::Falling => ", falling",
                    Direction::Both => "",
                };
                format!("cross({}, {}{direction})", operand(value), constant(level))
            }
            Definition::Clock { period, .. } => format!("clock({})", constant(period)),
            Definition::At { events } => match events.as_slice() {
                [(time, value)] => format!("at({}, {})", constant(time), constant(value)),
                events => format!("at {} moments", events.len()),
            },
            Definition::Delay { value, by } => format!("delay({}, {})", operand(value), constant(by)),
            Definition::IsPresent(value) => format!("present {}", operand(value)),
            Definition::IsAbsent(value) => format!("absent {}", operand(value)),
            Definition::Integrator { derivative, .. } => format!("∫ {}", operand(derivative)),
            Definition::Merge(_) | Definition::Before(_) => "as the mode says".to_owned(),
            Definition::Output { .. } => "of the part itself".to_owned(),
            Definition::Event { .. } => "event of the part itself".to_owned(),
        }
    }
}
