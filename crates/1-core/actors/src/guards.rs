//! What guards read of signals that their own modal model gives a value on the way.
//!
//! A signal that modes define gets its last value of a tick from the transitions taken: an output action, or the refinement of a mode passed through. Which these are
//! depends on guards. So a guard that reads such a signal would wait for itself. It reads instead what the modes in which the tick began say
//! ([`Definition::Before`]): the refinement comes before the guards, output actions come after them.
//!
//! What lies in the refinement of the guard's own mode is absent to it where the refinement does not run before it: at the tick at which the mode is entered, and where it is
//! preempted.

use crate::graph::BEFORE;
use crate::{Definition, Graph, ModalId, ModeId, RegionId, RegionKind, Signal, SignalId, SignalKind, Symbol};
use dyverse_expr::{NodeId, SymbolId};
use std::collections::{BTreeMap, BTreeSet};

/// Lets guards read signals of their modal model as they were before its transitions.
pub(crate) fn read_before(graph: &mut Graph) {
    let mut made: BTreeMap<SignalId, SignalId> = BTreeMap::new();
    for place in 0..graph.modals.len() {
        let given = given_on_the_way(graph, place);
        if given.is_empty() {
            continue;
        }
        let operands = operands_of_guards(graph, place);
        let guards: Vec<NodeId> = graph.modals[place].transitions.iter().map(|t| t.guard).collect();
        let mut read: BTreeSet<SignalId> = guards.iter().flat_map(|g| graph.signals_of(*g)).collect();
        for operand in &operands {
            read.extend(reads(graph, *operand));
        }
        let mut with: BTreeMap<SignalId, SignalId> = BTreeMap::new();
        for merged in given {
            // The mode's own definition is meant with the signal's name too.
            let mut meant = vec![merged];
            if let Definition::Merge(of) = &graph.signal(merged).definition {
                let modes = &graph.modals[place].modes;
                let is_own = |s: &&SignalId| {
                    let home = graph.signal(**s).region;
                    modes.iter().any(|mode| graph.is_within(home, mode.region))
                };
                meant.extend(of.iter().filter(is_own));
            }
            for signal in meant.into_iter().filter(|s| read.contains(s)) {
                let before = *made.entry(merged).or_insert_with(|| add(graph, merged));
                with.insert(signal, before);
            }
        }
        if with.is_empty() {
            continue;
        }
        for (t, guard) in guards.into_iter().enumerate() {
            let guard = replace_node(graph, guard, &with);
            graph.modals[place].transitions[t].guard = guard;
        }
        for operand in operands {
            replace(graph, operand, &with);
        }
    }
}

/// Signals whose value at a tick may depend on which transitions of a modal model are taken.
fn given_on_the_way(graph: &Graph, place: usize) -> BTreeSet<SignalId> {
    let modal = &graph.modals[place];
    let mut given: BTreeSet<SignalId> = modal
        .transitions
        .iter()
        .flat_map(|t| &t.outputs)
        .map(|(s, _)| *s)
        .collect();
    let numbered = modal.modes.iter().zip(0..);
    let passed = numbered.filter(|(_, id)| modal.can_pass(ModeId(*id)));
    let passed: Vec<RegionId> = passed.map(|(mode, _)| mode.region).collect();
    for (id, signal) in graph.signals.iter().enumerate() {
        if let Definition::Merge(of) = &signal.definition {
            let is_inside = |s: &SignalId| {
                let home = graph.signal(*s).region;
                let goes_out = |region: &&RegionId| {
                    graph.is_within(home, **region) && !graph.is_within(signal.region, **region)
                };
                passed.iter().any(|region| goes_out(&region))
            };
            if of.iter().any(is_inside) {
                given.insert(SignalId(id as u32));
            }
        }
    }
    given
}

/// For each signal: whether it is what a guard is made of, and of which mode.
pub fn guard_operands(graph: &Graph) -> Vec<Option<(ModalId, ModeId)>> {
    let mut homes = vec![None; graph.signals.len()];
    for place in 0..graph.modals.len() {
        for signal in operands_of_guards(graph, place) {
            let mut region = Some(graph.signal(signal).region);
            while let Some(id) = region {
                if let RegionKind::Leaving(modal, mode) = graph.region(id).kind {
                    homes[signal.0 as usize] = Some((modal, mode));
                    break;
                }
                region = graph.region(id).parent;
            }
        }
    }
    homes
}

/// What guards of a modal model are made of, in regions of their own.
fn operands_of_guards(graph: &Graph, place: usize) -> BTreeSet<SignalId> {
    let is_own = |mut region: RegionId| {
        loop {
            match graph.region(region).kind {
                RegionKind::Leaving(modal, _) => return modal.0 as usize == place,
                RegionKind::Enabled(_) => {}
                RegionKind::Root | RegionKind::Mode(..) => return false,
            }
            match graph.region(region).parent {
                Some(parent) => region = parent,
                None => return false,
            }
        }
    };
    let guards = graph.modals[place].transitions.iter().map(|t| t.guard);
    let mut open: Vec<SignalId> = guards.flat_map(|g| graph.signals_of(g)).collect();
    let mut found = BTreeSet::new();
    while let Some(signal) = open.pop() {
        if is_own(graph.signal(signal).region) && found.insert(signal) {
            open.extend(reads(graph, signal));
            let mut region = Some(graph.signal(signal).region);
            while let Some(id) = region {
                if let RegionKind::Enabled(by) = graph.region(id).kind {
                    open.push(by);
                }
                region = graph.region(id).parent;
            }
        }
    }
    found
}

fn reads(graph: &Graph, signal: SignalId) -> Vec<SignalId> {
    let (mut signals, expressions, _) = crate::check::parts(&graph.signal(signal).definition);
    signals.extend(expressions.into_iter().flat_map(|node| graph.signals_of(node)));
    signals
}

fn add(graph: &mut Graph, of: SignalId) -> SignalId {
    let id = SignalId(graph.signals.len() as u32);
    let merged = graph.signal(of);
    let before = Signal {
        name: format!("{}#{BEFORE}", merged.name),
        unit: merged.unit.clone(),
        kind: SignalKind::Any,
        region: merged.region,
        definition: Definition::Before(of),
        origin: merged.origin,
    };
    graph.signals.push(before);
    id
}

fn replace_node(graph: &mut Graph, node: NodeId, with: &BTreeMap<SignalId, SignalId>) -> NodeId {
    let mut map: BTreeMap<SymbolId, NodeId> = BTreeMap::new();
    for (old, new) in with {
        let place = |graph: &Graph, s: SignalId| graph.symbols.iter().position(|k| *k == Symbol::Signal(s));
        let Some(from) = place(graph, *old) else { continue };
        let to = place(graph, *new).unwrap_or_else(|| {
            graph.symbols.push(Symbol::Signal(*new));
            graph.symbols.len() - 1
        });
        let to = graph.pool.symbol(SymbolId(to as u32));
        map.insert(SymbolId(from as u32), to);
    }
    graph
        .pool
        .substitute(&[node], &map)
        .first()
        .copied()
        .unwrap_or(node)
}

fn replace(graph: &mut Graph, operand: SignalId, with: &BTreeMap<SignalId, SignalId>) {
    let mut definition = graph.signal(operand).definition.clone();
    let swap = |s: &mut SignalId| *s = with.get(s).copied().unwrap_or(*s);
    match &mut definition {
        Definition::Expression(node) => *node = replace_node(graph, *node, with),
        Definition::Default {
            preferred: a,
            alternate: b,
        }
        | Definition::Inhibit { value: a, inhibit: b }
        | Definition::Sample { value: a, trigger: b } => {
            swap(a);
            swap(b);
        }
        Definition::Hold { value, init } => {
            swap(value);
            *init = init.map(|node| replace_node(graph, node, with));
        }
        Definition::Post { value: a, .. }
        | Definition::Cross { value: a, .. }
        | Definition::Delay { value: a, .. }
        | Definition::IsPresent(a)
        | Definition::IsAbsent(a) => swap(a),
        Definition::Clock { .. }
        | Definition::At { .. }
        | Definition::Integrator { .. }
        | Definition::Merge(_)
        | Definition::Before(_)
        | Definition::Output { .. }
        | Definition::Event { .. } => {}
    }
    if let Some(signal) = graph.signals.get_mut(operand.0 as usize) {
        signal.definition = definition;
    }
}
