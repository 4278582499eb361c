//! The graph of an actor model as blocks and wires.
//!
//! Hierarchy is gone from the graph, full paths are left: what the first part of a path names is a block, and so is each signal and input of the
//! model itself. An operand that has no name belongs to what it is called after.

use dyverse_actors::{Definition, Graph, RegionKind, SignalId, Symbol};
use dyverse_expr::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// More blocks are not drawn: those with the most wires are.
const MOST_BLOCKS: usize = 48;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An input from outside.
    Input,
    /// A signal of the model itself.
    Signal(SignalId),
    /// An instance, or anything else with parts.
    Part,
    /// A rigid-body system or an FMU.
    Component,
    /// The model's own signals together, where there are too many for a block each.
    Rest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// What one block reads of another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wire {
    /// The names of the signals, in order.
    pub(super) signals: BTreeSet<String>,
    /// Whether some of them are needed at the same moment: else they go through a state or a delay.
    pub(super) is_direct: bool,
}

/// An actor model as blocks and wires.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) blocks: Vec<Block>,
    /// By the places of the block that is read and of the one that reads.
    pub(super) wires: BTreeMap<(usize, usize), Wire>,
    /// How many blocks are not drawn.
    pub(super) left_out: usize,
}

impl Parts {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut parts = Collector::new(graph, false).parts();
        if parts.blocks.len() > MOST_BLOCKS {
            parts = Collector::new(graph, true).parts();
        }
        parts.keep_the_most_wired();
        parts
    }

    fn keep_the_most_wired(&mut self) {
        if self.blocks.len() <= MOST_BLOCKS {
            return;
        }
        let mut degrees = vec![0_usize; self.blocks.len()];
        for (from, to) in self.wires.keys() {
            for end in [from, to] {
                if let Some(degree) = degrees.get_mut(*end) {
                    *degree += 1;
                }
            }
        }
        let mut order: Vec<usize> = (0..self.blocks.len()).collect();
        order.sort_by_key(|place| std::cmp::Reverse(degrees.get(*place).copied()));
        order.truncate(MOST_BLOCKS);
        order.sort_unstable();
        let moved: BTreeMap<usize, usize> = order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        self.left_out = self.blocks.len() - order.len();
        self.blocks = order
            .iter()
            .filter_map(|old| self.blocks.get(*old).cloned())
            .collect();
        let wires = std::mem::take(&mut self.wires);
        let kept = |((from, to), wire)| Some(((*moved.get(&from)?, *moved.get(&to)?), wire));
        self.wires = wires.into_iter().filter_map(kept).collect();
    }
}

/// The name without the part of an operand that has none.
pub(super) fn owner(name: &str) -> &str {
    name.split_once('#').map_or(name, |(owner, _)| owner)
}

/// The first part of a path, if there are more.
pub(super) fn group(path: &str) -> Option<&str> {
    path.split_once('.').map(|(first, _)| first)
}

struct Collector<'a> {
    graph: &'a Graph,
    parts: Parts,
    places: BTreeMap<String, usize>,
    /// Names that are blocks with parts: of instances, modal models, components.
    groups: BTreeSet<&'a str>,
    /// Whether the model's own signals are one block.
    is_merged: bool,
    /// Operands without a name that are read through a state or a delay only.
    is_late: Vec<bool>,
}

/// The block of the model's own signals.
const REST: &str = "signals";

impl<'a> Collector<'a> {
    fn new(graph: &'a Graph, is_merged: bool) -> Self {
        let paths = graph.signals().iter().map(|signal| owner(&signal.name));
        let modals = graph.modals().iter().map(|modal| modal.name.as_str());
        let components = graph.components().iter().map(|component| component.name.as_str());
        let whole = modals.chain(components);
        let groups = paths
            .filter_map(group)
            .chain(whole.map(|path| group(path).unwrap_or(path)));
        Self {
            graph,
            parts: Parts::default(),
            places: BTreeMap::new(),
            groups: groups.collect(),
            is_merged,
            is_late: late_operands(graph),
        }
    }

    fn parts(mut self) -> Parts {
        let graph = self.graph;
        for place in 0..graph.signals().len() {
            self.reads(SignalId(place as u32));
        }
        for region in graph.regions() {
            if let RegionKind::Enabled(enable) = region.kind {
                let to = self.block_of_path(&region.name, None);
                self.wire(enable, to, true);
            }
        }
        for modal in graph.modals() {
            let to = self.block_of_path(&modal.name, None);
            for transition in &modal.transitions {
                self.expression(transition.guard, to, true);
                for (_, value) in transition.sets.iter().chain(&transition.outputs) {
                    self.expression(*value, to, false);
                }
            }
        }
        for component in graph.components() {
            let to = self.block_of_path(&component.name, None);
            for (_, signal) in &component.inputs {
                self.wire(*signal, to, false);
            }
        }
        self.parts
    }

    fn block(&mut self, name: &str, kind: Kind) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.parts.blocks.len();
        self.parts.blocks.push(Block {
            name: name.to_owned(),
            kind,
        });
        self.places.insert(name.to_owned(), place);
        place
    }

    fn block_of_path(&mut self, path: &str, signal: Option<SignalId>) -> usize {
        let path = owner(path);
        let first = group(path).unwrap_or(path);
        if self.groups.contains(first) {
            let is_component = self.graph.components().iter().any(|c| c.name == first);
            return self.block(first, if is_component { Kind::Component } else { Kind::Part });
        }
        match signal.or_else(|| self.graph.find(path)) {
            _ if self.is_merged => self.block(REST, Kind::Rest),
            Some(signal) => self.block(path, Kind::Signal(signal)),
            None => self.block(path, Kind::Part),
        }
    }

    fn block_of(&mut self, signal: SignalId) -> usize {
        let path = owner(&self.graph.signal(signal).name);
        let own = self.graph.signal(signal).is_named().then_some(signal);
        self.block_of_path(path, own)
    }

    fn wire(&mut self, from: SignalId, to: usize, is_direct: bool) {
        let (name, from) = (owner(&self.graph.signal(from).name), self.block_of(from));
        self.join(from, to, name, is_direct);
    }

    fn join(&mut self, from: usize, to: usize, name: &str, is_direct: bool) {
        if from != to {
            let wire = self.parts.wires.entry((from, to)).or_default();
            wire.signals.insert(name.to_owned());
            wire.is_direct |= is_direct;
        }
    }

    fn expression(&mut self, node: NodeId, to: usize, is_direct: bool) {
        let graph = self.graph;
        for id in graph.pool().symbols(&[node]) {
            match graph.symbol(id) {
                Symbol::Signal(signal) => self.wire(signal, to, is_direct),
                Symbol::Input(input) => {
                    let name = graph
                        .inputs()
                        .get(input.0 as usize)
                        .map_or("", |input| input.name.as_str());
                    let from = self.block(name, Kind::Input);
                    self.join(from, to, name, is_direct);
                }
                Symbol::Parameter(_) | Symbol::Time => {}
            }
        }
    }

    fn reads(&mut self, of: SignalId) {
        let to = self.block_of(of);
        // What a mechanism shows depends on its state alone.
        let is_component = self
            .parts
            .blocks
            .get(to)
            .is_some_and(|block| block.kind == Kind::Component);
        let is_late = is_component || self.is_late.get(of.0 as usize).copied().unwrap_or(false);
        for (from, is_direct) in operands(self.graph, of) {
            match from {
                Operand::Signal(from) => self.wire(from, to, is_direct && !is_late),
                Operand::Expression(node) => self.expression(node, to, is_direct && !is_late),
            }
        }
    }
}

enum Operand {
    Signal(SignalId),
    Expression(NodeId),
}

/// What a signal's definition reads, and whether it is needed at the same moment.
fn operands(graph: &Graph, of: SignalId) -> Vec<(Operand, bool)> {
    use Operand::{Expression, Signal};
    match &graph.signal(of).definition {
        Definition::Expression(node) => vec![(Expression(*node), true)],
        Definition::Default {
            preferred: a,
            alternate: b,
        }
        | Definition::Inhibit { value: a, inhibit: b }
        | Definition::Sample { value: a, trigger: b } => vec![(Signal(*a), true), (Signal(*b), true)],
        Definition::Hold { value, init } => {
            let init = init.map(|init| (Expression(init), false));
            std::iter::once((Signal(*value), true)).chain(init).collect()
        }
        Definition::IsPresent(value) | Definition::IsAbsent(value) | Definition::Before(value) => {
            vec![(Signal(*value), true)]
        }
        Definition::Post { value, .. }
        | Definition::Cross { value, .. }
        | Definition::Delay { value, .. } => {
            vec![(Signal(*value), false)]
        }
        Definition::Integrator {
            derivative,
            init,
            impulse,
            reset,
        } => {
            let jumps = impulse.iter().chain(reset).map(|signal| (Signal(*signal), true));
            let smooth = [(Signal(*derivative), false), (Expression(*init), false)];
            smooth.into_iter().chain(jumps).collect()
        }
        Definition::Merge(all) => all.iter().map(|signal| (Signal(*signal), true)).collect(),
        Definition::Clock { .. }
        | Definition::At { .. }
        | Definition::Output { .. }
        | Definition::Event { .. } => Vec::new(),
    }
}

/// Which operands without a name are read through a state or a delay only: then so is what they read.
fn late_operands(graph: &Graph) -> Vec<bool> {
    let mut is_late: Vec<bool> = graph.signals().iter().map(|signal| !signal.is_named()).collect();
    let guards = graph.modals().iter().flat_map(|modal| &modal.transitions);
    let enabling = graph.regions().iter().filter_map(|region| match region.kind {
        RegionKind::Enabled(by) => Some(by),
        RegionKind::Root | RegionKind::Mode(..) | RegionKind::Leaving(..) => None,
    });
    let deciding = guards.flat_map(|transition| graph.signals_of(transition.guard));
    for signal in deciding.chain(enabling) {
        is_late[signal.0 as usize] = false;
    }
    // What has a name or decides is not late, nor is what such a one needs at the same moment, and so on.
    let mut open: Vec<usize> = (0..is_late.len()).filter(|place| !is_late[*place]).collect();
    while let Some(reader) = open.pop() {
        for (operand, is_direct) in operands(graph, SignalId(reader as u32)) {
            let read = match operand {
                Operand::Signal(signal) => vec![signal],
                Operand::Expression(node) => graph.signals_of(node),
            };
            for signal in read.into_iter().filter(|_| is_direct) {
                let place = signal.0 as usize;
                if is_late.get(place).copied().unwrap_or(false) {
                    is_late[place] = false;
                    open.push(place);
                }
            }
        }
    }
    is_late
}
