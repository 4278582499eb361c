//! `if`, `and`, `or` do not wait for what they do not need.
//!
//! An expression waits for every signal that it reads, and is absent if one of them is. In a loop that would be a causality loop even where the value does
//! not depend on it: `a = if c then b else 1; b = if c then 2 else a` is constructive whatever c is. So of signals that lie in a loop with the
//! expression (strict dependencies of data, whatever the modes) only those are waited for that are needed:
//!
//! | operator | needs |
//! |---|---|
//! | `if c then a else b` | c, then the branch that it takes |
//! | `a and b` | neither once the other is false |
//! | `a or b` | neither once the other is true |
//! | everything else | all |
//!
//! All are monotonic, so the least fixed point is there and the order of evaluation does not matter. What is not needed may be absent.

use crate::{
    Definition, Dependency, Graph, Role, Signal, SignalId, Symbol, strict_dependencies, strongly_connected,
};
use dyverse_expr::{Node, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// The signals without which an expression never has a value, ascending.
pub fn always_needed(graph: &Graph, root: NodeId) -> Vec<SignalId> {
    let pool = graph.pool();
    let mut found: BTreeMap<NodeId, BTreeSet<SignalId>> = BTreeMap::new();
    let signals = graph.signals_of(root);
    let nodes = pool.reachable(&[root]);
    let decides = |id: &NodeId| matches!(pool.node(*id), Node::And(..) | Node::Or(..) | Node::Select(..));
    if signals.is_empty() || !nodes.iter().any(decides) {
        return signals;
    }
    let none = BTreeSet::new();
    for id in nodes {
        let of = |id: NodeId| found.get(&id).unwrap_or(&none);
        let needed: BTreeSet<SignalId> = match pool.node(id) {
            Node::Symbol(symbol) => match graph.symbol(symbol) {
                Symbol::Signal(signal) => BTreeSet::from([signal]),
                _ => BTreeSet::new(),
            },
            Node::And(a, b) | Node::Or(a, b) => of(a).intersection(of(b)).copied().collect(),
            Node::Select(c, a, b) => {
                let both = of(a).intersection(of(b));
                of(c).iter().chain(both).copied().collect()
            }
            node => node.operands().flat_map(|o| of(o).iter().copied()).collect(),
        };
        found.insert(id, needed);
    }
    found.remove(&root).unwrap_or_default().into_iter().collect()
}

/// For each signal: if it is an expression that need not wait for all signals of a loop that it lies in, those of them that it reads; else nothing.
pub fn loop_operands(graph: &Graph) -> Vec<Vec<SignalId>> {
    let count = graph.signals().len();
    let mut operands = vec![Vec::new(); count];
    let may_skip = |signal: &Signal| match signal.definition {
        Definition::Expression(node) => always_needed(graph, node).len() < graph.signals_of(node).len(),
        _ => false,
    };
    if !graph.signals().iter().any(may_skip) {
        return operands;
    }
    let is_data = |d: &Dependency| !matches!(d.role, Role::Guard | Role::Action);
    let all = strict_dependencies(graph);
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for dependency in all.iter().filter(|d| is_data(d)) {
        out[dependency.from.0 as usize].push(dependency.to.0 as usize);
    }
    let part_of = strongly_connected(count, |v, k| out[v].get(k).copied());
    for dependency in all.iter().filter(|d| d.role == Role::Conditional) {
        let (from, to) = (dependency.from.0 as usize, dependency.to.0 as usize);
        let Definition::Expression(node) = &graph.signals()[to].definition else {
            continue;
        };
        if part_of[from] == part_of[to] && operands[to].is_empty() {
            let read = graph.signals_of(*node).into_iter();
            operands[to] = read.filter(|s| part_of[s.0 as usize] == part_of[to]).collect();
        }
    }
    operands
}
