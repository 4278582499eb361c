//! Signals of actor models that only ever have numbers written in the model, truth values or whole numbers from a `floor` or `sign`: what a run shows of them has no error.
//!
//! The largest set of signals of which each is made of exact numbers and of others of the set: a signal that is not is taken out until none is left.

use dyverse_actors::{Definition, Graph, SignalId, Symbol};
use dyverse_expr::{BinaryFunction, Node, NodeId, Sort, UnaryFunction};

/// For each signal, whether it is exact.
pub(crate) fn exact_signals(graph: &Graph) -> Vec<bool> {
    let mut exact = vec![true; graph.signals().len()];
    loop {
        let next: Vec<bool> = (0..exact.len())
            .map(|place| exact[place] && is_exact(graph, SignalId(place as u32), &exact))
            .collect();
        if next == exact {
            return exact;
        }
        exact = next;
    }
}

fn is_exact(graph: &Graph, id: SignalId, exact: &[bool]) -> bool {
    let signal = |id: &SignalId| exact[id.0 as usize];
    let node = |node: &NodeId| is_exact_number(graph, *node, exact);
    let transitions = graph.modals().iter().flat_map(|modal| &modal.transitions);
    let mut written = transitions.flat_map(|t| t.sets.iter().chain(&t.outputs));
    if !written.all(|(target, value)| *target != id || node(value)) {
        return false;
    }
    match &graph.signal(id).definition {
        Definition::Expression(value) => node(value),
        Definition::Default { preferred, alternate } => signal(preferred) && signal(alternate),
        Definition::Inhibit { value, .. } | Definition::Sample { value, .. } => signal(value),
        Definition::Hold { value, init } | Definition::Post { value, init } => {
            signal(value) && init.iter().all(node)
        }
        Definition::Delay { value, .. } | Definition::Before(value) => signal(value),
        Definition::Merge(of) => of.iter().all(signal),
        Definition::IsPresent(_) | Definition::IsAbsent(_) | Definition::Cross { .. } => true,
        Definition::Integrator {
            derivative,
            init,
            impulse,
            reset,
        } => {
            let rests = match graph.signal(*derivative).definition {
                Definition::Expression(rate) => {
                    matches!(graph.pool().node(rate), Node::Number(literal) if literal.value() == 0.0)
                }
                _ => false,
            };
            rests && node(init) && impulse.is_none() && reset.iter().all(signal)
        }
        Definition::Clock { .. }
        | Definition::At { .. }
        | Definition::Output { .. }
        | Definition::Event { .. } => false,
    }
}

fn is_exact_number(graph: &Graph, root: NodeId, exact: &[bool]) -> bool {
    let pool = graph.pool();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if pool.sort(id) == Sort::Boolean {
            continue;
        }
        match pool.node(id) {
            Node::Number(literal) if literal.is_exact() => {}
            Node::Unary(UnaryFunction::Sign | UnaryFunction::Floor, _) => {}
            Node::Unary(UnaryFunction::Negate | UnaryFunction::Abs, a) => open.push(a),
            Node::Binary(BinaryFunction::Min | BinaryFunction::Max, a, b) | Node::Select(_, a, b) => {
                open.extend([a, b]);
            }
            Node::Symbol(symbol) => match graph.symbol(symbol) {
                Symbol::Signal(signal) if exact[signal.0 as usize] => {}
                _ => return false,
            },
            _ => return false,
        }
    }
    true
}
