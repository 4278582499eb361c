//! A graph made ready to run: constants evaluated, expressions on tapes, and a schedule.
//!
//! What must become known at a tick are *units*: signals, whether regions are active, and for each modal model which transition preempts and which is
//! taken. Units and what they may wait for form a directed graph; its strongly connected parts in topological order are the schedule. A
//! part of one unit is evaluated once; inside a larger part a worklist evaluates a unit again only when something it waits
//! for has become known, so a tick costs at most the number of dependencies.

use crate::numbers::Numbers;
use crate::state::State;
use crate::{TickError, TickOptions};
use dyverse_actors::{
    Definition, Direction, Graph, ModeId, RegionId, RegionKind, SignalId, Symbol, guard_operands,
    loop_operands, strongly_connected,
};
use dyverse_expr::{NodeId, Program};

/// Where the value of a symbol comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Signal(u32),
    Constant(f64),
    Input(u32),
    Time,
}

/// An expression on a tape, and the signals it reads.
#[derive(Debug)]
pub(crate) struct Formula {
    pub(crate) node: NodeId,
    pub(crate) tape: Program,
    pub(crate) signals: Vec<u32>,
}

impl Formula {
    fn new(graph: &Graph, node: NodeId) -> Self {
        Formula {
            node,
            tape: Program::new(graph.pool(), &[node]),
            signals: graph.signals_of(node).into_iter().map(|s| s.0).collect(),
        }
    }
}

/// A definition made ready.
#[derive(Debug)]
pub(crate) enum Op {
    Expression(Formula),
    Default(u32, u32),
    Inhibit {
        value: u32,
        inhibit: u32,
    },
    Sample {
        value: u32,
        trigger: u32,
    },
    Hold {
        value: u32,
        init: Option<Formula>,
    },
    Post {
        value: u32,
        init: Option<f64>,
    },
    Cross(CrossOp),
    Clock {
        period: f64,
        offset: f64,
        value: f64,
    },
    At(Vec<(f64, f64)>),
    Delay {
        value: u32,
        by: f64,
    },
    IsPresent(u32),
    IsAbsent(u32),
    Integrator(IntegratorOp),
    Merge(Vec<u32>),
    /// The sources of the merge.
    Before(Vec<u32>),
    Output {
        component: u32,
        output: u32,
    },
    Event {
        component: u32,
        event: u32,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CrossOp {
    pub(crate) value: u32,
    pub(crate) level: f64,
    pub(crate) direction: Direction,
    pub(crate) tolerance: f64,
}

#[derive(Debug)]
pub(crate) struct IntegratorOp {
    pub(crate) derivative: u32,
    pub(crate) init: Formula,
    pub(crate) impulse: Option<u32>,
    pub(crate) reset: Option<u32>,
}

/// A transition made ready.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) guard: Formula,
    pub(crate) tolerance: f64,
    pub(crate) sets: Vec<(u32, Formula)>,
    pub(crate) outputs: Vec<(u32, Formula)>,
}

/// A graph made ready to run.
#[derive(Debug)]
pub(crate) struct Plan<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) numbers: Numbers,
    /// What is recorded, in order: what the model says, then what the call adds.
    pub(crate) record: Vec<u32>,
    pub(crate) symbols: Vec<Source>,
    /// Expressions of inputs that nothing drives.
    pub(crate) own_inputs: Vec<Option<Formula>>,
    pub(crate) ops: Vec<Op>,
    pub(crate) rules: Vec<Vec<Rule>>,
    /// Modal models whose transitions give a signal a value, for each signal.
    pub(crate) actors_on: Vec<Vec<u32>>,
    /// Signals with times of their own: clocks, `at`, delays.
    pub(crate) timed: Vec<u32>,
    /// Blocks of units, in order: strongly connected parts.
    pub(crate) schedule: Vec<Vec<u32>>,
    /// Units that wait for a unit.
    pub(crate) dependents: Vec<Vec<u32>>,
    /// Which block a unit is in.
    pub(crate) block_of: Vec<u32>,
    pub(crate) crossing: f64,
    /// For each signal: if it is an expression in a loop that need not wait for all of it, what it reads of the loop.
    pub(crate) loop_operands: Vec<Vec<u32>>,
    /// For each signal: if a guard is made of it, the modal model and mode of that guard.
    pub(crate) guard_operands: Vec<Option<(u32, ModeId)>>,
    /// For each signal: if it is the operand of an `on`, `unless` or `??` and has no name of its own, the signal of that operator.
    pub(crate) gates: Vec<Option<u32>>,
    /// For each modal model and mode: whether it can be passed through, whether an immediate transition leaves it.
    on_the_way: Vec<Vec<(bool, bool)>>,
}

impl<'g> Plan<'g> {
    pub(crate) fn new(graph: &'g Graph, options: &TickOptions) -> Result<Self, TickError> {
        let numbers = Numbers::new(graph, options)?;
        let stated = options.crossing_tolerance.or(graph.numerics().crossing);
        let crossing = checked("the tolerance of crossings", stated.unwrap_or(0.0), |v| v >= 0.0)?;
        let mut symbols = Vec::new();
        let count = graph.pool().nodes_from(0).filter_map(|(_, node)| match node {
            dyverse_expr::Node::Symbol(id) => Some(id.0 + 1),
            _ => None,
        });
        for id in 0..count.max().unwrap_or(0) {
            symbols.push(match graph.symbol(dyverse_expr::SymbolId(id)) {
                Symbol::Signal(s) => Source::Signal(s.0),
                Symbol::Parameter(p) => Source::Constant(numbers.parameters[p.0 as usize]),
                Symbol::Input(i) => Source::Input(i.0),
                Symbol::Time => Source::Time,
            });
        }
        let own_inputs = numbers.inputs.iter().map(|driven| match driven {
            crate::numbers::Driven::Own(node) => Some(Formula::new(graph, *node)),
            _ => None,
        });
        let mut record: Vec<u32> = graph.record().iter().map(|s| s.0).collect();
        for SignalId(other) in &options.record {
            if (*other as usize) < graph.signals().len() && !record.contains(other) {
                record.push(*other);
            }
        }
        let mut plan = Plan {
            record,
            own_inputs: own_inputs.collect(),
            symbols,
            ops: Vec::new(),
            rules: Vec::new(),
            actors_on: vec![Vec::new(); graph.signals().len()],
            timed: Vec::new(),
            schedule: Vec::new(),
            dependents: Vec::new(),
            block_of: Vec::new(),
            crossing,
            loop_operands: loop_operands(graph)
                .into_iter()
                .map(|list| list.into_iter().map(|s| s.0).collect())
                .collect(),
            guard_operands: guard_operands(graph)
                .into_iter()
                .map(|home| home.map(|(modal, mode)| (modal.0, mode)))
                .collect(),
            gates: vec![None; graph.signals().len()],
            on_the_way: graph
                .modals()
                .iter()
                .map(|modal| {
                    let modes = (0..modal.modes.len() as u32).map(ModeId);
                    modes
                        .map(|m| (modal.can_pass(m), modal.has_immediate(m)))
                        .collect()
                })
                .collect(),
            graph,
            numbers,
        };
        for place in 0..graph.signals().len() {
            let op = plan.op(SignalId(place as u32))?;
            if matches!(op, Op::Clock { .. } | Op::At(_) | Op::Delay { .. }) {
                plan.timed.push(place as u32);
            }
            if let Op::Inhibit { value, .. } | Op::Sample { value, .. } | Op::Default(_, value) = &op
                && !graph.signals()[*value as usize].is_named()
            {
                plan.gates[*value as usize] = Some(place as u32);
            }
            plan.ops.push(op);
        }
        for (place, modal) in graph.modals().iter().enumerate() {
            let mut rules = Vec::new();
            for transition in &modal.transitions {
                let what = || format!("the tolerance of {}", modal.describe(transition));
                let tolerance = match transition.tolerance {
                    Some(node) => checked(&what(), plan.constant(node), |v| v >= 0.0)?,
                    None => crossing,
                };
                let ready = |list: &[(SignalId, NodeId)]| -> Vec<(u32, Formula)> {
                    list.iter()
                        .map(|(s, node)| (s.0, Formula::new(graph, *node)))
                        .collect()
                };
                for (signal, _) in &transition.outputs {
                    let list = &mut plan.actors_on[signal.0 as usize];
                    if !list.contains(&(place as u32)) {
                        list.push(place as u32);
                    }
                }
                rules.push(Rule {
                    guard: Formula::new(graph, transition.guard),
                    tolerance,
                    sets: ready(&transition.sets),
                    outputs: ready(&transition.outputs),
                });
            }
            plan.rules.push(rules);
        }
        plan.make_schedule();
        Ok(plan)
    }

    fn constant(&self, node: NodeId) -> f64 {
        self.graph.constant(node, &self.numbers.parameters)
    }

    fn op(&self, id: SignalId) -> Result<Op, TickError> {
        let graph = self.graph;
        let formula = |node: NodeId| Formula::new(graph, node);
        let name = graph.signal(id).label();
        let number = |what: &str, node: NodeId, is_good: fn(f64) -> bool| {
            checked(&format!("{what} of `{name}`"), self.constant(node), is_good)
        };
        Ok(match &graph.signal(id).definition {
            Definition::Expression(node) => Op::Expression(formula(*node)),
            Definition::Default { preferred, alternate } => Op::Default(preferred.0, alternate.0),
            Definition::Inhibit { value, inhibit } => Op::Inhibit {
                value: value.0,
                inhibit: inhibit.0,
            },
            Definition::Sample { value, trigger } => Op::Sample {
                value: value.0,
                trigger: trigger.0,
            },
            Definition::Hold { value, init } => Op::Hold {
                value: value.0,
                init: init.map(formula),
            },
            Definition::Post { value, init } => Op::Post {
                value: value.0,
                init: match init {
                    Some(node) => Some(number("the first value", *node, |_| true)?),
                    None => None,
                },
            },
            Definition::Cross {
                value,
                level,
                direction,
                tolerance,
            } => Op::Cross(CrossOp {
                value: value.0,
                level: number("the level", *level, |_| true)?,
                direction: *direction,
                tolerance: match tolerance {
                    Some(node) => number("the tolerance", *node, |v| v >= 0.0)?,
                    None => self.crossing,
                },
            }),
            Definition::Clock {
                period,
                offset,
                value,
            } => Op::Clock {
                period: number("the period", *period, |v| v > 0.0)?,
                offset: number("the offset", *offset, |v| v >= 0.0)?,
                value: match value {
                    Some(node) => number("the value", *node, |_| true)?,
                    None => 1.0,
                },
            },
            Definition::At { events } => {
                let mut list: Vec<(f64, f64)> = Vec::new();
                for (time, value) in events {
                    let time = number("a time", *time, |v| v >= 0.0)?;
                    if list.last().is_some_and(|(before, _)| *before > time) {
                        return Err(TickError::BadNumber {
                            what: format!("a time of `{name}`, which comes after a later one,"),
                            value: time,
                        });
                    }
                    list.push((time, number("a value", *value, |_| true)?));
                }
                Op::At(list)
            }
            Definition::Delay { value, by } => Op::Delay {
                value: value.0,
                by: number("the delay", *by, |v| v > 0.0)?,
            },
            Definition::IsPresent(value) => Op::IsPresent(value.0),
            Definition::IsAbsent(value) => Op::IsAbsent(value.0),
            Definition::Integrator {
                derivative,
                init,
                impulse,
                reset,
            } => Op::Integrator(IntegratorOp {
                derivative: derivative.0,
                init: formula(*init),
                impulse: impulse.map(|s| s.0),
                reset: reset.map(|s| s.0),
            }),
            Definition::Merge(of) => Op::Merge(of.iter().map(|s| s.0).collect()),
            Definition::Before(merged) => match &graph.signal(*merged).definition {
                Definition::Merge(of) => Op::Before(of.iter().map(|s| s.0).collect()),
                _ => Op::Before(vec![merged.0]),
            },
            Definition::Output { component, output } => Op::Output {
                component: component.0,
                output: *output,
            },
            Definition::Event { component, event } => Op::Event {
                component: component.0,
                event: *event,
            },
        })
    }

    pub(crate) fn signal_count(&self) -> usize {
        self.ops.len()
    }
    /// The unit of a region.
    pub(crate) fn region_unit(&self, region: u32) -> usize {
        self.ops.len() + region as usize
    }
    /// The unit of the preempting transition of a modal model.
    pub(crate) fn preempt_unit(&self, modal: u32) -> usize {
        self.ops.len() + self.graph.regions().len() + modal as usize
    }
    /// The unit of the transition that a modal model takes.
    pub(crate) fn choice_unit(&self, modal: u32) -> usize {
        self.preempt_unit(modal) + self.rules.len()
    }
    pub(crate) fn unit_count(&self) -> usize {
        self.choice_unit(self.rules.len() as u32)
    }
    /// The region a signal lives in.
    pub(crate) fn region_of(&self, signal: u32) -> u32 {
        self.graph.signals()[signal as usize].region.0
    }

    /// Whether a mode's refinement, or what its guards are made of, can be active before the mode is current.
    pub(crate) fn is_on_the_way(&self, modal: u32, mode: ModeId, is_refinement: bool) -> bool {
        let (passes, is_left) = self.on_the_way[modal as usize][mode.0 as usize];
        if is_refinement { passes } else { is_left }
    }

    /// Whether a region may be active at a tick, as far as the modes in which it begins tell.
    pub(crate) fn is_reached(&self, region: usize, state: &State) -> bool {
        let mut next = Some(RegionId(region as u32));
        let mut must_be_new = false;
        while let Some(id) = next {
            let region = self.graph.region(id);
            if let RegionKind::Mode(modal, mode) | RegionKind::Leaving(modal, mode) = region.kind {
                let is_refinement = matches!(region.kind, RegionKind::Mode(..));
                if self.is_on_the_way(modal.0, mode, is_refinement) {
                    return true;
                }
                // Inside what is entered as new, modal models begin anew.
                if state.mode(modal.0) != mode {
                    must_be_new = true;
                    if self.graph.modal(modal).initial != mode {
                        return false;
                    }
                }
            }
            next = region.parent;
        }
        !must_be_new
    }

    /// Units that a unit may wait for, in any mode.
    fn needs(&self, unit: usize) -> Vec<u32> {
        let (signals, regions, modals) = (self.ops.len(), self.graph.regions().len(), self.rules.len());
        let mut needs: Vec<u32> = Vec::new();
        if unit < signals {
            needs.push(self.region_unit(self.region_of(unit as u32)) as u32);
            match &self.ops[unit] {
                Op::Expression(formula) => needs.extend(&formula.signals),
                Op::Default(a, b)
                | Op::Inhibit { value: a, inhibit: b }
                | Op::Sample { value: a, trigger: b } => needs.extend([a, b]),
                Op::Hold { value, init } => {
                    needs.push(*value);
                    needs.extend(init.iter().flat_map(|f| &f.signals));
                }
                Op::IsPresent(a) | Op::IsAbsent(a) => needs.push(*a),
                Op::Integrator(op) => {
                    needs.extend(&op.init.signals);
                    needs.extend(op.impulse.iter().chain(&op.reset));
                }
                Op::Before(of) => {
                    needs.extend(of);
                    for source in of {
                        let mut next = Some(RegionId(self.region_of(*source)));
                        while let Some(id) = next {
                            if let RegionKind::Mode(modal, _) = self.graph.region(id).kind {
                                needs.push(self.preempt_unit(modal.0) as u32);
                            }
                            next = self.graph.region(id).parent;
                        }
                    }
                }
                Op::Merge(of) => {
                    needs.extend(of);
                    for modal in &self.actors_on[unit] {
                        needs.push(self.choice_unit(*modal) as u32);
                        let outputs = self.rules[*modal as usize].iter().flat_map(|r| &r.outputs);
                        let mine = outputs.filter(|(s, _)| *s as usize == unit);
                        needs.extend(mine.flat_map(|(_, f)| &f.signals));
                    }
                }
                _ => {}
            }
            // Whether the refinement of a guard's own mode is seen depends on whether it is preempted.
            if let Some((modal, mode)) = self.guard_operands[unit] {
                let refinement = self.graph.modals()[modal as usize].mode(mode).region;
                let is_inside = |s: &u32| {
                    let home = self.graph.signals().get(*s as usize).map(|s| s.region);
                    home.is_some_and(|home| self.graph.is_within(home, refinement))
                };
                if needs.iter().any(is_inside) {
                    needs.push(self.preempt_unit(modal) as u32);
                }
            }
        } else if unit < signals + regions {
            let region = &self.graph.regions()[unit - signals];
            needs.extend(region.parent.map(|p| self.region_unit(p.0) as u32));
            match region.kind {
                RegionKind::Root => {}
                RegionKind::Enabled(signal) => needs.push(signal.0),
                RegionKind::Mode(modal, mode) | RegionKind::Leaving(modal, mode) => {
                    let is_refinement = matches!(region.kind, RegionKind::Mode(..));
                    let is_on_the_way = self.is_on_the_way(modal.0, mode, is_refinement);
                    if is_refinement || is_on_the_way {
                        needs.push(self.preempt_unit(modal.0) as u32);
                    }
                    let model = &self.graph.modals()[modal.0 as usize];
                    for (rule, t) in self.rules[modal.0 as usize].iter().zip(&model.transitions) {
                        if is_on_the_way && (is_refinement || t.from != Some(mode)) {
                            needs.extend(&rule.guard.signals);
                        }
                    }
                }
            }
        } else {
            let is_choice = unit >= signals + regions + modals;
            let modal = (unit - signals - regions) % modals.max(1);
            let model = &self.graph.modals()[modal];
            needs.push(self.region_unit(model.region.0) as u32);
            if is_choice {
                needs.push(self.preempt_unit(modal as u32) as u32);
            }
            for (rule, transition) in self.rules[modal].iter().zip(&model.transitions) {
                if is_choice || transition.is_preemptive {
                    needs.extend(&rule.guard.signals);
                }
            }
        }
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    fn make_schedule(&mut self) {
        let count = self.unit_count();
        let needs: Vec<Vec<u32>> = (0..count).map(|unit| self.needs(unit)).collect();
        let parts = strongly_connected(count, |unit, k| needs[unit].get(k).map(|u| *u as usize));
        let mut schedule = vec![Vec::new(); parts.iter().max().map_or(0, |m| m + 1)];
        for (unit, part) in parts.iter().enumerate() {
            schedule[*part].push(unit as u32);
        }
        let mut dependents = vec![Vec::new(); count];
        for (unit, needs) in needs.iter().enumerate() {
            for need in needs {
                dependents[*need as usize].push(unit as u32);
            }
        }
        self.block_of = parts.into_iter().map(|part| part as u32).collect();
        self.schedule = schedule;
        self.dependents = dependents;
    }
}

fn checked(what: &str, value: f64, is_good: fn(f64) -> bool) -> Result<f64, TickError> {
    if value.is_finite() && is_good(value) {
        Ok(value)
    } else {
        Err(TickError::BadNumber {
            what: what.to_owned(),
            value,
        })
    }
}
