//! Expressions in a loop: `if`, `and`, `or` do not wait for what they do not need (`dyverse_actors::loop_operands` says which they are and why).
//!
//! All nodes are evaluated with whatever unknown signals hold; a second pass says which results rest on known values only. Where `and` is false because one side is, the other
//! has no influence on it, and so for `or` and `if`: a result that counts as known is right.

use crate::frame::{Fired, Frame, Status};
use crate::plan::{Formula, Op, Plan, Source};
use dyverse_expr::{Node, NodeId};

/// An expression of a loop: strict in what lies outside, and in what it needs inside.
pub(crate) fn in_loop(
    plan: &Plan<'_>,
    frame: &Frame,
    signal: usize,
    formula: &Formula,
    work: &mut Vec<f64>,
) -> Fired {
    let inside = &plan.loop_operands[signal];
    let mut is_absent = false;
    for read in formula.signals.iter().filter(|s| !inside.contains(s)) {
        match frame.status[*read as usize] {
            Status::Unknown => return Fired::Unknown,
            Status::Absent => is_absent = true,
            Status::Present => {}
        }
    }
    if is_absent {
        return Fired::Absent;
    }
    evaluate(plan, frame, formula, work)
}

/// An expression that needs only what `if`, `and`, `or` need.
pub(crate) fn evaluate(plan: &Plan<'_>, frame: &Frame, formula: &Formula, work: &mut Vec<f64>) -> Fired {
    let value = frame.evaluate(plan, formula, work);
    let nodes = plan.graph.pool().reachable(&[formula.node]);
    let known = statuses(plan, frame, &nodes, work);
    match known.last() {
        Some(Status::Present) => Fired::Present(value),
        Some(Status::Absent) => Fired::Absent,
        _ => Fired::Unknown,
    }
}

/// What is known of each node; `values` are those of the same nodes.
fn statuses(plan: &Plan<'_>, frame: &Frame, nodes: &[NodeId], values: &[f64]) -> Vec<Status> {
    let pool = plan.graph.pool();
    let mut known: Vec<Status> = Vec::with_capacity(nodes.len());
    for id in nodes {
        let place = |id: NodeId| nodes.binary_search(&id).unwrap_or(0);
        let of = |id: NodeId| known[place(id)];
        let is = |id: NodeId, value: f64| of(id) == Status::Present && values[place(id)] == value;
        let status = match pool.node(*id) {
            Node::Symbol(symbol) => match plan.symbols[symbol.0 as usize] {
                Source::Signal(s) => frame.status[s as usize],
                _ => Status::Present,
            },
            Node::And(a, b) if is(a, 0.0) || is(b, 0.0) => Status::Present,
            Node::Or(a, b) if is(a, 1.0) || is(b, 1.0) => Status::Present,
            Node::Select(c, a, _) if is(c, 1.0) => of(a),
            Node::Select(c, _, b) if is(c, 0.0) => of(b),
            node => node
                .operands()
                .map(of)
                .fold(Status::Present, |all, one| match (all, one) {
                    (Status::Unknown, _) | (_, Status::Unknown) => Status::Unknown,
                    (Status::Absent, _) | (_, Status::Absent) => Status::Absent,
                    _ => Status::Present,
                }),
        };
        known.push(status);
    }
    known
}

/// The nodes that the value of an expression rests on at this tick, children first; and for each node that stands for one of its operands, which.
pub(crate) fn needed(plan: &Plan<'_>, frame: &Frame, formula: &Formula) -> Vec<(NodeId, Option<NodeId>)> {
    let pool = plan.graph.pool();
    let mut values = Vec::new();
    frame.evaluate(plan, formula, &mut values);
    let nodes = pool.reachable(&[formula.node]);
    let known = statuses(plan, frame, &nodes, &values);
    let place = |id: NodeId| nodes.binary_search(&id).unwrap_or(0);
    let is = |id: NodeId, value: f64| known[place(id)] == Status::Present && values[place(id)] == value;
    let mut is_needed = vec![false; nodes.len()];
    if let Some(root) = is_needed.last_mut() {
        *root = true;
    }
    let mut found = Vec::new();
    for at in (0..nodes.len()).rev() {
        if !is_needed[at] {
            continue;
        }
        let node = pool.node(nodes[at]);
        let mut need = |id: NodeId| is_needed[place(id)] = true;
        let stands_for = match node {
            Node::And(a, b) if is(a, 0.0) || is(b, 0.0) => Some(if is(a, 0.0) { a } else { b }),
            Node::Or(a, b) if is(a, 1.0) || is(b, 1.0) => Some(if is(a, 1.0) { a } else { b }),
            Node::Select(c, a, b) if is(c, 1.0) || is(c, 0.0) => {
                need(c);
                Some(if is(c, 1.0) { a } else { b })
            }
            _ => None,
        };
        match stands_for {
            Some(operand) => need(operand),
            None => node.operands().for_each(need),
        }
        found.push((nodes[at], stands_for));
    }
    found.reverse();
    found
}

/// Which operands expressions in loops rest on: a flow is made for them.
pub(crate) fn choices(plan: &Plan<'_>, frame: &Frame) -> Vec<u8> {
    let mut choices = Vec::new();
    for (signal, operands) in plan.loop_operands.iter().enumerate() {
        if let (false, Op::Expression(formula)) = (operands.is_empty(), &plan.ops[signal])
            && frame.is_present(signal)
        {
            for (node, stands_for) in needed(plan, frame, formula) {
                choices.extend((node.index() as u64).to_le_bytes());
                choices.extend(stands_for.map_or(u64::MAX, |id| id.index() as u64).to_le_bytes());
            }
        }
    }
    choices
}
