//! One tick in formulas: the least fixed point of all primitives' functions, each value an expression over the state [004 §4; SPEC §6].
//!
//! The functions are those of `dyverse-tick`. What differs: a value is a formula, and presence must be decided by the modes. A
//! unit (signal or region) is evaluated when it is asked for, and what it waits for before it; one that waits for itself is a causality loop. So every value
//! found is that of the least fixed point.
//!
//! # Guarantee
//! Formulas are exact over the reals. A construct without formulas is in the way only of what reads it.

use super::obstacle::{absent_init, causality_loop, enabled, impulse, in_loop, primitive, two_sources};
use super::{condition, fold};
use crate::{Condition, Obstacle};
use dyverse_actors::{Definition, Graph, ModalId, ModeId, RegionId, RegionKind, SignalId, Symbol};
use dyverse_expr::{Node, NodeId, Pool};
use std::collections::{BTreeMap, BTreeSet};

/// What is remembered from one tick to the next.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// The mode of each modal model.
    pub(crate) modes: Vec<u32>,
    /// The value of each state.
    pub(crate) cells: Vec<NodeId>,
    /// Whether a state has a value.
    pub(crate) is_there: Vec<bool>,
    pub(crate) time: NodeId,
    /// Modal models whose refinement does not run at this tick.
    pub(crate) preempted: BTreeSet<u32>,
    /// A mode that is being entered, whose immediate transitions are looked at.
    pub(crate) entering: Option<Entering>,
}

/// A mode that is being entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entering {
    pub(crate) modal: ModalId,
    pub(crate) mode: ModeId,
    /// Whether what was left goes on.
    pub(crate) is_history: bool,
}

/// Values found so far. Of a region, present means active.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    units: BTreeMap<Unit, Option<NodeId>>,
    /// Expressions of the graph in formulas.
    translated: BTreeMap<NodeId, NodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Signal(u32),
    Region(u32),
}

/// What an attempt to evaluate a unit gave.
enum Attempt {
    /// A formula, or absent.
    Done(Option<NodeId>),
    /// These must be known first.
    Waits(Vec<Unit>),
}

/// A tick being evaluated.
pub(crate) struct Tick<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) pool: &'a mut Pool,
    pub(crate) parameters: &'a [NodeId],
    /// The state that a signal is the output of.
    pub(crate) places: &'a [Option<u32>],
    /// Whether a signal is an expression that need not wait for all of a loop.
    pub(crate) is_in_loop: &'a [bool],
    /// Truth values that are asked about, each with the name of its property.
    pub(crate) asked: &'a [(String, NodeId)],
    pub(crate) memory: Memory,
    pub(crate) known: Known,
}

impl Tick<'_> {
    /// A signal: a number, or `None` where it is absent.
    pub(crate) fn signal(&mut self, id: SignalId) -> Result<Option<NodeId>, Obstacle> {
        self.solve(Unit::Signal(id.0))
    }
    /// Whether a region is active.
    pub(crate) fn is_active(&mut self, id: RegionId) -> Result<bool, Obstacle> {
        Ok(self.solve(Unit::Region(id.0))?.is_some())
    }
    /// An expression of the graph: `None` if a signal that it reads is absent.
    pub(crate) fn expression(&mut self, node: NodeId) -> Result<Option<NodeId>, Obstacle> {
        let graph = self.graph;
        let mut is_absent = false;
        for signal in graph.signals_of(node) {
            is_absent |= self.signal(signal)?.is_none();
        }
        Ok((!is_absent).then(|| self.translate(node)))
    }
    /// A guard: false if a signal that it reads is absent.
    pub(crate) fn guard(&mut self, node: NodeId) -> Result<Condition, Obstacle> {
        match self.expression(node)? {
            Some(formula) => condition::condition(self.pool, formula),
            None => Ok(Condition::Constant(false)),
        }
    }

    fn solve(&mut self, wanted: Unit) -> Result<Option<NodeId>, Obstacle> {
        let mut stack = vec![wanted];
        let mut open: BTreeSet<Unit> = BTreeSet::new();
        while let Some(unit) = stack.last().copied() {
            if self.known.units.contains_key(&unit) {
                stack.pop();
                continue;
            }
            match self.attempt(unit)? {
                Attempt::Done(value) => {
                    self.known.units.insert(unit, value);
                    open.remove(&unit);
                    stack.pop();
                }
                Attempt::Waits(others) => {
                    open.insert(unit);
                    if let Some(again) = others.iter().find(|o| open.contains(o)) {
                        return Err(self.name_loop(&stack, &open, *again));
                    }
                    stack.extend(others);
                }
            }
        }
        Ok(self.known.units.get(&wanted).copied().flatten())
    }

    fn name_loop(&self, stack: &[Unit], open: &BTreeSet<Unit>, again: Unit) -> Obstacle {
        let path = stack.iter().filter(|u| open.contains(u));
        let around = path.skip_while(|u| **u != again).filter_map(|u| match u {
            Unit::Signal(s) => Some(*s),
            Unit::Region(_) => None,
        });
        causality_loop(self.graph, around)
    }

    fn get(&self, unit: Unit) -> Result<Option<NodeId>, Attempt> {
        let known = self.known.units.get(&unit).copied();
        known.ok_or_else(|| Attempt::Waits(vec![unit]))
    }
    fn read(&self, signal: SignalId) -> Result<Option<NodeId>, Attempt> {
        self.get(Unit::Signal(signal.0))
    }

    fn attempt(&mut self, unit: Unit) -> Result<Attempt, Obstacle> {
        let outcome = match unit {
            Unit::Region(region) => self.region(region)?,
            Unit::Signal(signal) => {
                let region = self.graph.signals()[signal as usize].region;
                match self.get(Unit::Region(region.0)) {
                    Err(waits) => Err(waits),
                    Ok(None) => Ok(None),
                    Ok(Some(_)) => self.function(signal)?,
                }
            }
        };
        Ok(outcome.map_or_else(|waits| waits, Attempt::Done))
    }

    /// A region: its value is no formula, only there or not.
    fn region(&mut self, region: u32) -> Result<Result<Option<NodeId>, Attempt>, Obstacle> {
        let graph = self.graph;
        let region = graph.region(RegionId(region));
        let one = self.pool.number(1.0);
        if let Some(parent) = region.parent {
            match self.get(Unit::Region(parent.0)) {
                Ok(Some(_)) => {}
                other => return Ok(other),
            }
        }
        Ok(Ok(match region.kind {
            RegionKind::Root => Some(one),
            RegionKind::Mode(modal, mode) => {
                let is_current = self.memory.modes.get(modal.0 as usize) == Some(&mode.0);
                (is_current && !self.memory.preempted.contains(&modal.0)).then_some(one)
            }
            RegionKind::Leaving(modal, mode) => {
                let is_current = self.memory.modes.get(modal.0 as usize) == Some(&mode.0);
                let is_entered = |e: Entering| (e.modal, e.mode) == (modal, mode);
                (is_current || self.memory.entering.is_some_and(is_entered)).then_some(one)
            }
            RegionKind::Enabled(by) => match self.read(by) {
                Err(waits) => return Ok(Err(waits)),
                Ok(None) => None,
                Ok(Some(value)) => {
                    let truth = fold::as_truth(self.pool, value);
                    match fold::truth(self.pool, truth) {
                        Some(is_on) => is_on.then_some(one),
                        None => return Err(enabled(region, graph.signal(by))),
                    }
                }
            },
        }))
    }

    /// A strict expression: waits for every signal that it reads.
    fn strict(&mut self, node: NodeId) -> Result<Option<NodeId>, Attempt> {
        let signals = self.graph.signals_of(node);
        let mut is_absent = false;
        let mut waits = Vec::new();
        for signal in signals {
            match self.known.units.get(&Unit::Signal(signal.0)) {
                None => waits.push(Unit::Signal(signal.0)),
                Some(value) => is_absent |= value.is_none(),
            }
        }
        if !waits.is_empty() {
            return Err(Attempt::Waits(waits));
        }
        Ok((!is_absent).then(|| self.translate(node)))
    }

    fn function(&mut self, signal: u32) -> Result<Result<Option<NodeId>, Attempt>, Obstacle> {
        let graph = self.graph;
        let defined = &graph.signals()[signal as usize];
        let outcome = match &defined.definition {
            Definition::Expression(_) if self.is_in_loop[signal as usize] => return Err(in_loop(defined)),
            Definition::Expression(node) => {
                let value = self.strict(*node);
                value.map(|v| v.map(|v| fold::as_number(self.pool, v)))
            }
            Definition::Default { preferred, alternate } => match self.read(*preferred) {
                Ok(None) => self.read(*alternate),
                other => other,
            },
            Definition::Inhibit { value, inhibit } => match self.read(*inhibit) {
                Ok(None) => self.read(*value),
                Ok(Some(_)) => Ok(None),
                waits => waits,
            },
            Definition::Sample { value, trigger } => match self.read(*trigger) {
                Ok(Some(_)) => self.read(*value),
                other => other,
            },
            Definition::Hold { value, init } => match self.read(*value) {
                Ok(None) => return self.remembered(signal, *init),
                other => other,
            },
            Definition::IsPresent(of) | Definition::IsAbsent(of) => {
                let is_wanted = matches!(defined.definition, Definition::IsPresent(_));
                let found = self.read(*of);
                found.map(|v| Some(self.pool.number(f64::from(u8::from(v.is_some() == is_wanted)))))
            }
            Definition::Integrator {
                init,
                impulse: weight,
                reset,
                ..
            } => return self.integrator(signal, *init, *weight, *reset),
            Definition::Merge(of) => return self.merge(signal, of),
            Definition::Before(merged) => {
                let Definition::Merge(of) = &graph.signal(*merged).definition else {
                    return Ok(self.read(*merged));
                };
                let is_current = |s: &SignalId| self.is_current(graph.signal(*s).region, defined.region);
                let of: Vec<SignalId> = of.iter().copied().filter(is_current).collect();
                return self.merge(signal, &of);
            }
            Definition::Post { .. }
            | Definition::Cross { .. }
            | Definition::Clock { .. }
            | Definition::At { .. }
            | Definition::Delay { .. }
            | Definition::Output { .. }
            | Definition::Event { .. } => return Err(primitive(defined)),
        };
        Ok(outcome)
    }

    /// Whether a region's modes inside another are those in which the tick began.
    fn is_current(&self, region: RegionId, around: RegionId) -> bool {
        let mut next = Some(region);
        while let Some(id) = next.filter(|id| *id != around) {
            let region = self.graph.region(id);
            if let RegionKind::Mode(modal, mode) = region.kind
                && self.memory.modes.get(modal.0 as usize) != Some(&mode.0)
            {
                return false;
            }
            next = region.parent;
        }
        true
    }

    /// Whether a region belongs to the guards of a mode that is being entered as new.
    fn is_new(&self, region: RegionId) -> bool {
        let Some(entering) = self.memory.entering.filter(|e| !e.is_history) else {
            return false;
        };
        let own = self.graph.modal(entering.modal).mode(entering.mode).leaving;
        let is_current = self.memory.modes.get(entering.modal.0 as usize) == Some(&entering.mode.0);
        !is_current && own.is_some_and(|own| self.graph.is_within(region, own))
    }

    /// The value of a state; its initial value if it has none; absent if there is neither.
    fn remembered(
        &mut self,
        signal: u32,
        init: Option<NodeId>,
    ) -> Result<Result<Option<NodeId>, Attempt>, Obstacle> {
        let defined = &self.graph.signals()[signal as usize];
        let Some(place) = self.places[signal as usize] else {
            return Err(primitive(defined));
        };
        if self.memory.is_there[place as usize] && !self.is_new(defined.region) {
            return Ok(Ok(Some(self.memory.cells[place as usize])));
        }
        let Some(init) = init else {
            return Ok(Ok(None));
        };
        match self.strict(init) {
            Ok(None) => Err(absent_init(defined)),
            Ok(Some(value)) => Ok(Ok(Some(fold::as_number(self.pool, value)))),
            waits => Ok(waits),
        }
    }

    fn integrator(
        &mut self,
        signal: u32,
        init: NodeId,
        weight: Option<SignalId>,
        reset: Option<SignalId>,
    ) -> Result<Result<Option<NodeId>, Attempt>, Obstacle> {
        let mut pushed = [None; 2];
        for (slot, input) in pushed.iter_mut().zip([reset, weight]) {
            match input.map_or(Ok(None), |s| self.read(s)) {
                Ok(value) => *slot = value,
                waits => return Ok(waits),
            }
        }
        let zero = self.pool.number(0.0);
        if pushed[1].is_some_and(|w| w != zero) {
            return Err(impulse(&self.graph.signals()[signal as usize]));
        }
        match pushed[0] {
            Some(value) => Ok(Ok(Some(value))),
            None => self.remembered(signal, Some(init)),
        }
    }

    fn merge(&mut self, signal: u32, of: &[SignalId]) -> Result<Result<Option<NodeId>, Attempt>, Obstacle> {
        let graph = self.graph;
        let unknown = |s: &&SignalId| !self.known.units.contains_key(&Unit::Signal(s.0));
        let waits: Vec<Unit> = of.iter().filter(unknown).map(|s| Unit::Signal(s.0)).collect();
        if !waits.is_empty() {
            return Ok(Err(Attempt::Waits(waits)));
        }
        let mut found: Option<(SignalId, NodeId)> = None;
        for source in of {
            let Some(Some(value)) = self.known.units.get(&Unit::Signal(source.0)).copied() else {
                continue;
            };
            if let Some((first, _)) = found.replace((*source, value)) {
                let signal = &graph.signals()[signal as usize];
                return Err(two_sources(signal, graph.signal(first), graph.signal(*source)));
            }
        }
        Ok(Ok(found.map(|(_, value)| value)))
    }

    /// An expression of the graph whose signals are all present.
    fn translate(&mut self, root: NodeId) -> NodeId {
        let graph = self.graph;
        let mut roots = vec![root];
        let inputs = graph.pool().symbols(&[root]).into_iter();
        roots.extend(inputs.filter_map(|id| match graph.symbol(id) {
            Symbol::Input(i) => Some(graph.inputs()[i.0 as usize].default),
            _ => None,
        }));
        // An input's own expression reads time and parameters only: it comes first.
        for root in roots.into_iter().rev() {
            for id in graph.pool().reachable(&[root]) {
                if self.known.translated.contains_key(&id) {
                    continue;
                }
                let formula = self.node(graph.pool().node(id));
                self.known.translated.insert(id, formula);
            }
        }
        self.translated(root)
    }

    fn translated(&self, id: NodeId) -> NodeId {
        self.known.translated[&id]
    }

    fn node(&mut self, node: Node) -> NodeId {
        let Node::Symbol(symbol) = node else {
            let translated = &self.known.translated;
            return fold::rebuild(self.pool, node, |id| translated[&id]);
        };
        match self.graph.symbol(symbol) {
            Symbol::Parameter(p) => self.parameters[p.0 as usize],
            Symbol::Input(i) => self.translated(self.graph.inputs()[i.0 as usize].default),
            Symbol::Time => self.memory.time,
            Symbol::Signal(s) => match self.known.units.get(&Unit::Signal(s.0)) {
                Some(Some(value)) => *value,
                _ => unreachable!("bug: an expression reads a signal that is not present"),
            },
        }
    }
}
