//! Time passes: the joint flow of all active integrators and components, until something happens.
//!
//! The state is that of the final microstep; the flow is the one that `compile.rs` made for it. Steps are those of `dyverse_flow`; after each, watched quantities are
//! searched (`locate.rs`) and the step is cut at the first event. What is before the cut stays: nothing else was changed by the step, so there is nothing
//! to roll back.

use crate::Component;
use crate::compile::{Flow, Watched, state_register};
use crate::locate::{self, Found, POINTS, Side};
use crate::numbers::{Driven, interpolate};
use crate::plan::{Op, Plan};
use crate::program::{self, Decision, Switches, TIME};
use crate::state::State;
use dyverse_actors::Direction;
use dyverse_flow::{CrossingOptions, CrossingSearch, DenseStep, FlowError, FlowOptions, Integrator};
use dyverse_time::StopReason;

/// Why time stopped passing.
#[derive(Debug)]
pub(crate) enum Passed {
    /// The end asked for is reached.
    Reached,
    /// Watched quantities went through their levels.
    Located(Vec<Located>),
    Stopped(StopReason),
    /// A component failed.
    Failed {
        component: u32,
        detail: String,
    },
}

/// What went through its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Located {
    Cross(u32),
    Switch(usize),
    Indicator { component: u32, indicator: usize },
}

/// Events closer than this part of max(1, t) happen together.
const TOGETHER: f64 = 1e-12;

/// The solver and its work space.
pub(crate) struct Solver {
    pub(crate) integrator: Integrator,
    search: CrossingSearch,
    registers: Vec<f64>,
    frozen: Vec<f64>,
    x: Vec<f64>,
    /// Where the states of active components begin, and the last end.
    offsets: Vec<usize>,
    is_started: bool,
    table: Vec<[f64; 5]>,
    sides: Vec<Side>,
    indicators: Vec<f64>,
}

/// What a step is made with.
pub(crate) struct Passage<'a, 'g> {
    pub(crate) plan: &'a Plan<'g>,
    pub(crate) flow: &'a Flow,
    pub(crate) components: &'a mut [Box<dyn Component>],
}

impl Passage<'_, '_> {
    fn component(&mut self, place: usize) -> &mut dyn Component {
        let used = self.flow.components[place].component as usize;
        let handle = self.plan.graph.components()[used].handle as usize;
        self.components[handle].as_mut()
    }
}

/// Evaluates a part of the program for a state.
fn evaluate(
    passage: &mut Passage<'_, '_>,
    registers: &mut [f64],
    frozen: &mut [f64],
    offsets: &[usize],
    (t, x): (f64, &[f64]),
    code: std::ops::Range<usize>,
    is_deciding: bool,
) {
    let flow = passage.flow;
    registers[TIME as usize] = t;
    let own = flow.integrators.len();
    let first = state_register(0) as usize;
    registers[first..first + own].copy_from_slice(&x[..own]);
    for place in 0..flow.components.len() {
        let part = &x[offsets[place]..offsets[place + 1]];
        let used = flow.components[place].component as usize;
        let mut y = vec![0.0; passage.plan.graph.components()[used].outputs.len()];
        passage.component(place).outputs(t, part, &mut y);
        for (register, output) in &flow.components[place].outputs {
            registers[*register as usize] = y[*output as usize];
        }
    }
    let inputs = &passage.plan.numbers.inputs;
    let table = |input: u32, t: f64| match &inputs[input as usize] {
        Driven::Table { times, values } => interpolate(times, values, t),
        _ => f64::NAN,
    };
    let mut switches = if is_deciding {
        Switches::Deciding(&flow.program.switches, frozen)
    } else {
        Switches::Frozen(frozen)
    };
    program::run(&flow.program.code[code], registers, &mut switches, &table);
}

/// Inputs of a component, NaN where absent.
fn inputs_of(flow: &Flow, place: usize, registers: &[f64]) -> Vec<f64> {
    let inputs = flow.components[place].inputs.iter();
    inputs
        .map(|r| r.map_or(f64::NAN, |r| registers[r as usize]))
        .collect()
}

impl Solver {
    pub(crate) fn new(options: FlowOptions) -> Self {
        Solver {
            integrator: Integrator::new(options),
            search: CrossingSearch::new(CrossingOptions::default()),
            registers: Vec::new(),
            frozen: Vec::new(),
            x: Vec::new(),
            offsets: Vec::new(),
            is_started: false,
            table: Vec::new(),
            sides: Vec::new(),
            indicators: Vec::new(),
        }
    }

    /// Begins at a final microstep.
    pub(crate) fn begin(&mut self, passage: &mut Passage<'_, '_>, state: &State, t: f64, values: &[f64]) {
        let flow = passage.flow;
        self.registers.clone_from(&flow.program.registers);
        for (register, signal) in &flow.loads {
            self.registers[*register as usize] = values[*signal as usize];
        }
        self.frozen.clear();
        self.frozen.resize(flow.program.switches.len(), 0.0);
        self.x.clear();
        self.x
            .extend(flow.integrators.iter().map(|s| values[*s as usize]));
        self.offsets.clear();
        self.offsets.push(self.x.len());
        for used in &flow.components {
            self.x.extend(&state.components[used.component as usize].x);
            self.offsets.push(self.x.len());
        }
        let Solver {
            registers,
            frozen,
            x,
            offsets,
            ..
        } = self;
        evaluate(
            passage,
            registers,
            frozen,
            offsets,
            (t, x),
            0..flow.watching,
            true,
        );
        if std::mem::replace(&mut self.is_started, true) {
            self.integrator.restart(t, &self.x);
        } else {
            self.integrator.start(t, &self.x);
        }
    }

    /// Makes one step, not beyond `end`, and cuts it at the first event.
    pub(crate) fn step(&mut self, passage: &mut Passage<'_, '_>, state: &State, end: f64) -> Passed {
        self.list_sides(passage, state);
        let mut failed: Option<(u32, String)> = None;
        let Solver {
            integrator,
            registers,
            frozen,
            offsets,
            ..
        } = self;
        let made = integrator.step(end, &mut |t, x, dx| {
            let flow = passage.flow;
            evaluate(
                passage,
                registers,
                frozen,
                offsets,
                (t, x),
                0..flow.dynamic,
                false,
            );
            for (slot, derivative) in dx.iter_mut().zip(&flow.derivatives) {
                *slot = derivative.map_or(0.0, |r| registers[r as usize]);
            }
            for place in 0..flow.components.len() {
                let u = inputs_of(flow, place, registers);
                let part = offsets[place]..offsets[place + 1];
                let outcome = passage
                    .component(place)
                    .derivative(t, &x[part.clone()], &u, &mut dx[part]);
                if let Err(detail) = outcome {
                    failed = Some((flow.components[place].component, detail));
                    return Err(());
                }
            }
            Ok(())
        });
        if let Err(error) = made {
            return self.explain(passage, error, failed);
        }
        self.locate(passage)
    }

    fn explain(
        &self,
        passage: &Passage<'_, '_>,
        error: FlowError<()>,
        failed: Option<(u32, String)>,
    ) -> Passed {
        match (error, failed) {
            (FlowError::RightHandSide { .. }, Some((component, detail))) => {
                Passed::Failed { component, detail }
            }
            (FlowError::NotFinite { component, .. }, _) => {
                let names = passage.plan.graph.signals();
                let signal = passage.flow.integrators.get(component);
                let what = signal.map_or_else(
                    || "a component's state".to_owned(),
                    |s| format!("the derivative of `{}`", names[*s as usize].name),
                );
                Passed::Stopped(StopReason::NotFinite { what })
            }
            (FlowError::StepTooSmall { step, .. }, _) => Passed::Stopped(StopReason::StepTooSmall { step }),
            (FlowError::NoTimeAhead { t, end }, _) => {
                Passed::Stopped(StopReason::StepTooSmall { step: end - t })
            }
            (FlowError::RightHandSide { .. }, None) => Passed::Stopped(StopReason::NotFinite {
                what: "a derivative".into(),
            }),
        }
    }

    /// What must not be passed in the next step, from the values at its start.
    fn list_sides(&mut self, passage: &mut Passage<'_, '_>, state: &State) {
        let flow = passage.flow;
        self.sides.clear();
        self.refresh(passage);
        for (quantity, watch) in flow.watches.iter().enumerate() {
            let value = self.registers[watch.register as usize];
            match watch.of {
                Watched::Switch(k) => {
                    let (decision, now) = (flow.program.switches[k as usize], self.frozen[k as usize]);
                    let mut push = |sign: f64, level: f64| {
                        self.sides.push(Side {
                            quantity,
                            sign,
                            level,
                            tolerance: watch.tolerance,
                            is_switch: true,
                            is_above: sign * (value - level) > 0.0,
                        });
                    };
                    if decision == Decision::Floor {
                        push(1.0, now);
                        push(-1.0, now + 1.0);
                        continue;
                    }
                    if decision.of(-1.0) != now || decision.of(0.0) != now && value > 0.0 {
                        push(1.0, 0.0);
                    }
                    if decision.of(1.0) != now || decision.of(0.0) != now && value < 0.0 {
                        push(-1.0, 0.0);
                    }
                }
                Watched::Cross(signal) => {
                    let Op::Cross(op) = &passage.plan.ops[signal as usize] else {
                        continue;
                    };
                    let side = state.cells[signal as usize].value;
                    for (sign, other) in [(1.0, Direction::Rising), (-1.0, Direction::Falling)] {
                        if op.direction != other {
                            self.sides.push(Side {
                                quantity,
                                sign,
                                level: op.level,
                                tolerance: op.tolerance,
                                is_switch: false,
                                is_above: side == sign,
                            });
                        }
                    }
                }
            }
        }
        let mut quantity = flow.watches.len();
        for place in 0..flow.components.len() {
            for _ in 0..passage.component(place).indicator_count() {
                self.sides.push(Side {
                    quantity,
                    sign: 1.0,
                    level: 0.0,
                    tolerance: 0.0,
                    is_switch: false,
                    is_above: self.indicators[quantity - flow.watches.len()] > 0.0,
                });
                quantity += 1;
            }
        }
    }

    /// Registers and indicators at the integrator's present state.
    fn refresh(&mut self, passage: &mut Passage<'_, '_>) {
        let t = self.integrator.t();
        self.x.clear();
        self.x.extend_from_slice(self.integrator.x());
        self.evaluate_watched(passage, t);
    }

    /// Registers and indicators for the state in `self.x`.
    fn evaluate_watched(&mut self, passage: &mut Passage<'_, '_>, t: f64) {
        let flow = passage.flow;
        let Solver {
            registers,
            frozen,
            x,
            offsets,
            indicators,
            ..
        } = self;
        evaluate(
            passage,
            registers,
            frozen,
            offsets,
            (t, x),
            0..flow.watching,
            false,
        );
        indicators.clear();
        for place in 0..flow.components.len() {
            let u = inputs_of(flow, place, registers);
            let from = indicators.len();
            let component = passage.component(place);
            indicators.resize(from + component.indicator_count(), 0.0);
            component.indicators(
                t,
                &x[offsets[place]..offsets[place + 1]],
                &u,
                &mut indicators[from..],
            );
        }
    }

    fn quantity(&self, flow: &Flow, quantity: usize) -> f64 {
        match flow.watches.get(quantity) {
            Some(watch) => self.registers[watch.register as usize],
            None => self.indicators[quantity - flow.watches.len()],
        }
    }

    fn locate(&mut self, passage: &mut Passage<'_, '_>) -> Passed {
        if self.sides.is_empty() {
            return Passed::Reached;
        }
        let flow = passage.flow;
        // The dense step is borrowed from the integrator while registers are written: take it out for the search.
        let step: DenseStep = self.integrator.last_step().clone();
        let (a, b) = (step.t0(), step.t1());
        let quantities = flow.watches.len() + self.indicators.len();
        self.table.clear();
        self.table.resize(quantities, [0.0; 5]);
        self.x.resize(step.dimension(), 0.0);
        for (place, point) in POINTS.iter().enumerate() {
            let t = if place == 4 { b } else { a + point * (b - a) };
            step.evaluate(t, &mut self.x);
            self.evaluate_watched(passage, t);
            for quantity in 0..quantities {
                self.table[quantity][place] = self.quantity(flow, quantity);
            }
        }
        let sides = std::mem::take(&mut self.sides);
        let mut search = std::mem::take(&mut self.search);
        let mut events: Vec<(f64, Located)> = Vec::new();
        let mut trouble = None;
        for side in &sides {
            let v = self.table[side.quantity];
            if locate::is_clear(v.map(|v| side.sign * (v - side.level))) {
                continue;
            }
            let mut value = |t: f64| {
                step.evaluate(t, &mut self.x);
                self.evaluate_watched(passage, t);
                self.quantity(flow, side.quantity)
            };
            match locate::first(&mut search, side, a, b, &mut value) {
                Found::Nothing => {}
                Found::At(t) => events.push((t, self.name(passage, side.quantity))),
                Found::Lost => trouble = Some((side.quantity, false)),
                Found::NotFinite => trouble = Some((side.quantity, true)),
            }
        }
        self.search = search;
        self.sides = sides;
        if let Some((quantity, is_infinite)) = trouble {
            let of = self.describe(passage, quantity);
            return Passed::Stopped(if is_infinite {
                StopReason::NotFinite { what: of }
            } else {
                StopReason::CrossingNotIsolated { of }
            });
        }
        let Some(first) = events.iter().map(|(t, _)| *t).reduce(f64::min) else {
            return Passed::Reached;
        };
        let together = first + TOGETHER * first.abs().max(1.0);
        events.retain(|(t, _)| *t <= together);
        let cut = events.iter().map(|(t, _)| *t).fold(first, f64::max);
        self.integrator.truncate(cut);
        Passed::Located(events.into_iter().map(|(_, what)| what).collect())
    }

    fn name(&self, passage: &mut Passage<'_, '_>, quantity: usize) -> Located {
        let flow = passage.flow;
        if let Some(watch) = flow.watches.get(quantity) {
            return match watch.of {
                Watched::Switch(_) => Located::Switch(quantity),
                Watched::Cross(signal) => Located::Cross(signal),
            };
        }
        let mut indicator = quantity - flow.watches.len();
        for place in 0..flow.components.len() {
            let count = passage.component(place).indicator_count();
            if indicator < count {
                return Located::Indicator {
                    component: flow.components[place].component,
                    indicator,
                };
            }
            indicator -= count;
        }
        Located::Switch(quantity)
    }

    /// What a watched quantity belongs to.
    pub(crate) fn describe(&self, passage: &Passage<'_, '_>, quantity: usize) -> String {
        use crate::compile::Owner;
        let graph = passage.plan.graph;
        match passage.flow.watches.get(quantity).map(|w| w.owner) {
            Some(Owner::Signal(s)) => format!("`{}`", graph.signals()[s as usize].name),
            Some(Owner::Modal(m)) => format!("a guard of `{}`", graph.modals()[m as usize].name),
            None => "an indicator of a component".to_owned(),
        }
    }

    /// Writes the states at the present end of the flow back.
    pub(crate) fn store(&self, flow: &Flow, state: &mut State) {
        let x = self.integrator.x();
        for (signal, value) in flow.integrators.iter().zip(x) {
            state.cells[*signal as usize].value = *value;
        }
        for (place, used) in flow.components.iter().enumerate() {
            let part = &x[self.offsets[place]..self.offsets[place + 1]];
            state.components[used.component as usize].x.clear();
            state.components[used.component as usize]
                .x
                .extend_from_slice(part);
        }
    }

    /// After a whole step without events: on which sides of their levels `cross` detectors are now.
    pub(crate) fn keep_sides(&self, plan: &Plan<'_>, flow: &Flow, state: &mut State) {
        for (quantity, watch) in flow.watches.iter().enumerate() {
            if let Watched::Cross(signal) = watch.of
                && let Op::Cross(op) = &plan.ops[signal as usize]
                && let Some(values) = self.table.get(quantity)
            {
                let beyond = values[4] - op.level;
                if beyond != 0.0 {
                    state.cells[signal as usize].value = beyond.signum();
                }
            }
        }
    }

    /// Values of what is recorded at a moment of the last step, NaN where absent.
    pub(crate) fn sample(&mut self, passage: &mut Passage<'_, '_>, t: f64) -> Vec<f64> {
        let flow = passage.flow;
        self.x.resize(self.integrator.x().len(), 0.0);
        self.integrator.last_step().evaluate(t, &mut self.x);
        let Solver {
            registers,
            frozen,
            x,
            offsets,
            ..
        } = self;
        let code = 0..flow.program.code.len();
        evaluate(passage, registers, frozen, offsets, (t, x), code, false);
        let recorded = flow.recorded.iter();
        recorded
            .map(|r| r.map_or(f64::NAN, |r| registers[r as usize]))
            .collect()
    }
}
