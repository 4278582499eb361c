//! The work space of the solver: registers, states and indicators of the moment that is looked at. Nothing is allocated after the first step of a flow.

use crate::TickWatch;
use crate::flow::{Flow, Forced, Watched, state_register};
use crate::met::Met;
use crate::numbers::Driven;
use crate::plan::Plan;
use crate::program::{self, Register, Switches, TIME};
use dyverse_component::{Component, Point};
use dyverse_flow::DenseStep;
use dyverse_trace::{ABSENT, StopReason};
use std::ops::ControlFlow;

/// Registers and states of the moment that is looked at.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) registers: Vec<f64>,
    pub(crate) frozen: Vec<f64>,
    /// Switches that are comparisons of what met, and where their difference then is (`met.rs`).
    pub(crate) met: Vec<(u32, [f64; 2])>,
    pub(crate) x: Vec<f64>,
    /// Where the states of active components begin, and the last end.
    pub(crate) offsets: Vec<usize>,
    pub(crate) indicators: Vec<f64>,
    /// When time began to pass: inputs that jump have two values.
    pub(crate) anchor: f64,
    /// Inputs that are set from outside, NaN where one is not.
    pub(crate) live: Vec<f64>,
    outputs: Vec<f64>,
    /// Is told the time now and then, and may end the run.
    watch: Option<TickWatch>,
    evaluations: u32,
    /// The time that is reached: moments that are looked at may lie ahead.
    pub(crate) now: f64,
    /// Why the run is to end.
    pub(crate) interrupted: Option<StopReason>,
}

/// Evaluations after which whoever watches is told.
const TELL_EVERY: u32 = 16;

/// What a step is made with.
pub(crate) struct Passage<'a, 'g, 'c> {
    pub(crate) plan: &'a Plan<'g>,
    pub(crate) flow: &'a Flow,
    pub(crate) components: &'a mut [Box<dyn Component + 'c>],
}

impl<'c> Passage<'_, '_, 'c> {
    pub(crate) fn component(&mut self, place: usize) -> &mut (dyn Component + 'c) {
        let used = self.flow.components[place].component as usize;
        let handle = self.plan.graph.components()[used].handle as usize;
        self.components[handle].as_mut()
    }
}

impl Work {
    pub(crate) fn watched(watch: Option<TickWatch>) -> Self {
        Work {
            watch,
            ..Work::default()
        }
    }

    /// Evaluates a part of the program for the state `x`.
    pub(crate) fn evaluate(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        at: (f64, &[f64]),
        code: std::ops::Range<usize>,
        is_deciding: bool,
    ) {
        self.place(passage, at);
        self.run(passage, code, is_deciding);
    }

    /// Keeps where the differences of comparisons that met are, from the registers of the present moment.
    pub(crate) fn meet(&mut self, passage: &Passage<'_, '_, '_>, met: &[Met]) {
        let (flow, pool) = (passage.flow, passage.plan.graph.pool());
        let sizes = flow.program.sizes(&self.registers);
        self.met.clear();
        for watch in &flow.watches {
            let (Watched::Switch(k), Some(node)) = (watch.of, watch.node) else {
                continue;
            };
            for met in met {
                if let Some(sign) = met.sign_in(pool, node) {
                    let [low, high] = met.bounds(sizes[watch.register as usize]);
                    let bounds = if sign > 0.0 { [low, high] } else { [-high, -low] };
                    self.met.push((k, bounds));
                }
            }
        }
    }

    /// Evaluates the whole program with its decisions taken anew, and perhaps a register forced to a value. The frozen decisions stay.
    pub(crate) fn evaluate_anew(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        at: (f64, &[f64]),
        forced: Option<Forced>,
    ) {
        let frozen = self.frozen.clone();
        let end = passage.flow.program.code.len();
        self.place(passage, at);
        let begin = forced.and_then(|f| f.after).map_or(0, |place| place + 1);
        self.run(passage, 0..begin, true);
        if let Some(forced) = forced {
            self.registers[forced.register as usize] = forced.value;
        }
        self.run(passage, begin..end, true);
        self.frozen = frozen;
    }

    /// All registers at a moment of a step.
    pub(crate) fn look(&mut self, passage: &mut Passage<'_, '_, '_>, step: &DenseStep, t: f64) {
        let mut x = std::mem::take(&mut self.x);
        x.resize(step.dimension(), 0.0);
        step.evaluate(t, &mut x);
        self.evaluate(passage, (t, &x), 0..passage.flow.program.code.len(), false);
        self.x = x;
    }

    /// Writes time, states and outputs of components.
    fn place(&mut self, passage: &mut Passage<'_, '_, '_>, (t, x): (f64, &[f64])) {
        let flow = passage.flow;
        self.evaluations = self.evaluations.wrapping_add(1);
        if self.evaluations.is_multiple_of(TELL_EVERY)
            && let Some(ControlFlow::Break(reason)) = self.watch.as_ref().map(|watch| watch.call(self.now, 0))
        {
            self.interrupted = Some(reason);
        }
        self.registers[TIME as usize] = t;
        let own = flow.integrators.len();
        let first = state_register(0) as usize;
        self.registers[first..first + own].copy_from_slice(&x[..own]);
        for place in 0..flow.components.len() {
            let part = &x[self.offsets[place]..self.offsets[place + 1]];
            let used = flow.components[place].component as usize;
            self.outputs
                .resize(passage.plan.graph.components()[used].outputs.len(), 0.0);
            // Asked for before inputs are known.
            let at = Point { t, x: part, u: &[] };
            passage.component(place).outputs(at, &mut self.outputs);
            for (register, output) in &flow.components[place].outputs {
                self.registers[*register as usize] = self.outputs[*output as usize];
            }
        }
    }

    /// Runs a part of the program.
    fn run(&mut self, passage: &Passage<'_, '_, '_>, code: std::ops::Range<usize>, is_deciding: bool) {
        let flow = passage.flow;
        let (inputs, anchor) = (&passage.plan.numbers.inputs, self.anchor);
        let table = |input: u32, t: f64| match &inputs[input as usize] {
            Driven::Table(table) => table.value(t, anchor),
            _ => f64::NAN,
        };
        let mut switches = if is_deciding {
            Switches::Deciding(&flow.program.switches, &mut self.frozen, &self.met)
        } else {
            Switches::Frozen(&self.frozen)
        };
        program::run(
            &flow.program.code[code],
            &mut self.registers,
            &mut switches,
            &table,
            &self.live,
        );
    }

    /// Writes x′; or the component that failed, and what it said.
    pub(crate) fn slope(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        (t, x): (f64, &[f64]),
        dx: &mut [f64],
    ) -> Result<(), (u32, String)> {
        let flow = passage.flow;
        if self.interrupted.is_some() {
            return Err((u32::MAX, String::new()));
        }
        self.evaluate(passage, (t, x), 0..flow.dynamic, false);
        let is_finite =
            |register: &Option<Register>| register.is_none_or(|r| self.registers[r as usize].is_finite());
        if !flow.derivatives.iter().all(is_finite) {
            // A trial point beyond a switching surface, where the function that is frozen ends: as it stands it may go on.
            self.evaluate_anew(passage, (t, x), None);
        }
        for (slot, derivative) in dx.iter_mut().zip(&flow.derivatives) {
            *slot = derivative.map_or(0.0, |r| self.registers[r as usize]);
        }
        for place in 0..flow.components.len() {
            let u = inputs_of(flow, place, &self.registers);
            let part = self.offsets[place]..self.offsets[place + 1];
            let component = passage.component(place);
            let outcome = component.rates(
                Point {
                    t,
                    x: &x[part.clone()],
                    u: &u,
                },
                &mut dx[part],
            );
            outcome.map_err(|fault| (flow.components[place].component, fault.into()))?;
        }
        Ok(())
    }

    /// Values of what is recorded for a state, [`ABSENT`] where absent.
    pub(crate) fn recorded(&mut self, passage: &mut Passage<'_, '_, '_>, (t, x): (f64, &[f64])) -> Vec<f64> {
        let flow = passage.flow;
        self.evaluate(passage, (t, x), 0..flow.program.code.len(), false);
        let recorded = flow.recorded.iter();
        recorded
            .map(|r| r.map_or(ABSENT, |r| self.registers[r as usize]))
            .collect()
    }

    /// Registers and indicators at a moment of a step.
    pub(crate) fn watch(&mut self, passage: &mut Passage<'_, '_, '_>, step: &DenseStep, t: f64) {
        let mut x = std::mem::take(&mut self.x);
        x.resize(step.dimension(), 0.0);
        step.evaluate(t, &mut x);
        self.watch_state(passage, (t, &x));
        self.x = x;
    }

    /// The registers that [`Work::watch`] leaves out, at the same moment.
    pub(crate) fn rest(&mut self, passage: &Passage<'_, '_, '_>) {
        let flow = passage.flow;
        self.run(passage, flow.watching..flow.program.code.len(), false);
    }

    /// Registers and indicators for a state.
    pub(crate) fn watch_state(&mut self, passage: &mut Passage<'_, '_, '_>, (t, x): (f64, &[f64])) {
        let flow = passage.flow;
        self.evaluate(passage, (t, x), 0..flow.watching, false);
        self.indicators.clear();
        for place in 0..flow.components.len() {
            let u = inputs_of(flow, place, &self.registers);
            let from = self.indicators.len();
            let component = passage.component(place);
            self.indicators.resize(from + component.shape().indicators, 0.0);
            let part = &x[self.offsets[place]..self.offsets[place + 1]];
            component.indicators(Point { t, x: part, u: &u }, &mut self.indicators[from..]);
        }
    }

    pub(crate) fn quantity(&self, flow: &Flow, quantity: usize) -> f64 {
        match flow.watches.get(quantity) {
            Some(watch) => self.registers[watch.register as usize],
            None => self.indicators[quantity - flow.watches.len()],
        }
    }
}

/// Inputs of a component, NaN where absent.
pub(crate) fn inputs_of(flow: &Flow, place: usize, registers: &[f64]) -> Vec<f64> {
    let inputs = flow.components[place].inputs.iter();
    inputs
        .map(|r| r.map_or(f64::NAN, |r| registers[r as usize]))
        .collect()
}
