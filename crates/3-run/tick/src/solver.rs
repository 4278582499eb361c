//! Time passes: the joint flow of all active integrators and components, until something happens.
//!
//! The state is that of the final microstep; the flow is the one that `compile.rs` made for it. Steps are those of `dyverse_flow`; after each, watched quantities are
//! searched (`cut.rs`, `locate.rs`) and the step is cut at the first event. What is before the cut stays: nothing else was changed by the step, so there is nothing
//! to roll back.

use crate::TickWatch;
use crate::bytes::{Reader, Writer};
use crate::flow::{Flow, Watched, state_register};
use crate::level::Standing;
use crate::locate::Side;
use crate::met::{Met, leaving};
use crate::plan::{Op, Plan};
use crate::program::TIME;
use crate::sliding::Cut;
use crate::state::State;
use crate::together::Ahead;
use crate::work::{Passage, Work, inputs_of};
use dyverse_actors::Direction;
use dyverse_component::Point;
use dyverse_flow::{CrossingOptions, CrossingSearch, FlowError, FlowOptions, Integrator};
use dyverse_trace::StopReason;

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
    /// A `cross` whose level was passed right before, which is not its event.
    Passed(u32),
    Switch(usize),
    Indicator {
        component: u32,
        indicator: usize,
    },
}

/// Whether a switch that is an equality is frozen where its sides are equal.
pub(crate) fn is_equal(flow: &Flow, switch: u32, frozen: &[f64]) -> bool {
    flow.program.switches[switch as usize].of(0.0) == frozen[switch as usize]
}

/// Where time began to pass, and where it is: for snapshots.
#[derive(Debug)]
pub(crate) struct Beginning {
    origin: f64,
    frozen: Vec<f64>,
    pub(crate) start: Vec<f64>,
    largest: Vec<f64>,
    t: f64,
    x: Vec<f64>,
}

impl Beginning {
    pub(crate) fn read(r: &mut Reader<'_>) -> Result<Self, String> {
        let read = Beginning {
            origin: r.number()?,
            frozen: r.numbers()?,
            start: r.numbers()?,
            largest: r.numbers()?,
            t: r.number()?,
            x: r.numbers()?,
        };
        let Beginning { origin, t, .. } = read;
        if origin.is_finite() && t.is_finite() && t >= origin {
            Ok(read)
        } else {
            Err(format!("time has passed from {origin} to {t}"))
        }
    }
}

/// Rounding of a value, part of the largest number that it was added up from.
pub(crate) const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// States below this are small beside the absolute accuracy.
const SMALL: f64 = 1e-7;
/// Slopes through which rounding is followed.
const PASSES: usize = 6;
/// Rounding that is allowed for, in estimates of it.
const OVER: f64 = 64.0;

/// A component cannot ask for shorter steps, s.
const SHORTEST: f64 = 1e-12;

/// Steps of the length asked for that one step of the solver may replace: the largest distance between its twelve nodes is an eighth of it.
const STEPS_IN_ONE: u32 = 8;

/// The solver and its work space.
pub(crate) struct Solver {
    pub(crate) integrator: Integrator,
    pub(crate) search: CrossingSearch,
    pub(crate) work: Work,
    is_started: bool,
    /// The longest step that was asked for, if any.
    pub(crate) longest: Option<f64>,
    /// When time began to pass.
    pub(crate) origin: f64,
    /// The length of the run, if that is known.
    pub(crate) scale: f64,
    /// Watched quantities at the start of the step.
    pub(crate) start: Vec<f64>,
    /// The largest number that each integrator was, by its signal: what is left of it after a difference is rounding of that.
    pub(crate) largest: Vec<f64>,
    /// Watched quantities where the last step was cut.
    pub(crate) arrival: Vec<f64>,
    /// Watched quantities at the points of the step.
    pub(crate) table: Vec<[f64; 5]>,
    /// Arguments of functions that end, at the points of the step.
    pub(crate) domains: Vec<[f64; 5]>,
    pub(crate) sides: Vec<Side>,
    /// How far steps go while what is watched cannot be searched in longer ones (`cut.rs`), s.
    pub(crate) reach: Option<f64>,
    /// What the step must not pass in any case.
    pub(crate) last: f64,
    /// What rounding leaves open of the time at which the last step was cut (`together.rs`), s.
    pub(crate) open: f64,
    /// Whether a strict condition was waited for there: states are a little beyond its level, on purpose.
    pub(crate) is_beyond: bool,
    /// Equalities whose sides met where the last step was cut.
    pub(crate) met: Vec<Met>,
    /// `cross` detectors that came off their levels at the start of the last step and back after a time, s, that cannot be told apart (`excursion.rs`).
    pub(crate) vanished: Vec<(u32, f64)>,
    /// How the quantities of the last cut went through their levels (`sliding.rs`).
    pub(crate) cuts: Vec<Cut>,
    /// Whether every beginning forgets what was learnt of the flow before, so that what comes next depends on the state and the proposed step only.
    pub(crate) is_forgetful: bool,
}

impl Solver {
    /// `longest` is the longest step asked for: the right-hand side is looked at at least that often.
    pub(crate) fn new(
        options: FlowOptions,
        longest: Option<f64>,
        (scale, watch): (f64, Option<TickWatch>),
    ) -> Self {
        let max_step = longest.map_or(options.max_step, |h| {
            options.max_step.min(h * f64::from(STEPS_IN_ONE))
        });
        Solver {
            integrator: Integrator::new(FlowOptions { max_step, ..options }),
            longest,
            origin: 0.0,
            search: CrossingSearch::new(CrossingOptions::default()),
            work: Work::watched(watch),
            is_started: false,
            scale,
            start: Vec::new(),
            largest: Vec::new(),
            arrival: Vec::new(),
            table: Vec::new(),
            domains: Vec::new(),
            sides: Vec::new(),
            reach: None,
            last: f64::INFINITY,
            open: 0.0,
            is_beyond: false,
            met: Vec::new(),
            vanished: Vec::new(),
            cuts: Vec::new(),
            is_forgetful: false,
        }
    }

    /// Begins at a final microstep.
    pub(crate) fn begin(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        state: &State,
        (t, values): (f64, &[f64]),
        met: &[Met],
    ) {
        let flow = passage.flow;
        self.load(flow, t, values);
        self.place_components(flow, state);
        let work = &mut self.work;
        let mut x = std::mem::take(&mut work.x);
        x.clear();
        x.extend(flow.integrators.iter().map(|s| values[*s as usize]));
        for used in &flow.components {
            x.extend(&state.components[used.component as usize].x);
        }
        work.met.clear();
        work.evaluate(passage, (t, &x), 0..flow.watching, true);
        if !met.is_empty() {
            work.meet(passage, met);
            work.evaluate(passage, (t, &x), 0..flow.watching, true);
        }
        work.watch_state(passage, (t, &x));
        let quantities = flow.watches.len() + work.indicators.len();
        self.start.clear();
        self.start.extend((0..quantities).map(|q| work.quantity(flow, q)));
        if self.is_forgetful {
            self.start_afresh(t, &x);
        } else if std::mem::replace(&mut self.is_started, true) {
            self.integrator.restart(t, &x);
        } else {
            self.integrator.start(t, &x);
        }
        self.work.x = x;
    }

    /// For a snapshot; see [`Beginning`].
    pub(crate) fn write(&self, w: &mut Writer) {
        w.number(self.origin);
        w.numbers(&self.work.frozen);
        w.numbers(&self.start);
        w.numbers(&self.largest);
        w.number(self.integrator.t());
        w.numbers(self.integrator.x());
    }

    /// Goes on where a snapshot was made; `values` are those of the last tick before.
    pub(crate) fn begin_from(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        state: &State,
        values: &[f64],
        (from, met): (Beginning, &[Met]),
    ) -> Result<(), String> {
        let flow = passage.flow;
        self.load(flow, from.origin, values);
        self.place_components(flow, state);
        let active = self.work.offsets.last().copied().unwrap_or(0);
        let own = (0..flow.components.len()).map(|place| passage.component(place).shape().indicators);
        let watched = flow.watches.len() + own.sum::<usize>();
        for (found, wanted, what) in [
            (from.frozen.len(), flow.program.switches.len(), "switches"),
            (from.start.len(), watched, "watched quantities"),
            (from.x.len(), active, "active states"),
        ] {
            if found != wanted {
                return Err(format!("the state has {found} {what}, and the model {wanted}"));
            }
        }
        self.work.frozen = from.frozen;
        self.start = from.start;
        self.largest = from.largest;
        self.integrator.start(from.t, &from.x);
        self.work.watch_state(passage, (from.t, &from.x));
        self.work.meet(passage, met);
        Ok(())
    }

    /// Registers at the beginning of a flow.
    fn load(&mut self, flow: &Flow, t: f64, values: &[f64]) {
        self.origin = t;
        let work = &mut self.work;
        work.anchor = t;
        work.registers.clone_from(&flow.program.registers);
        for (register, signal) in &flow.loads {
            work.registers[*register as usize] = values[*signal as usize];
        }
        work.frozen.clear();
        work.frozen.resize(flow.program.switches.len(), 0.0);
    }

    /// Where the states of active components lie.
    fn place_components(&mut self, flow: &Flow, state: &State) {
        let offsets = &mut self.work.offsets;
        offsets.clear();
        let mut end = flow.integrators.len();
        offsets.push(end);
        for used in &flow.components {
            end += state.components[used.component as usize].x.len();
            offsets.push(end);
        }
    }

    fn start_afresh(&mut self, t: f64, x: &[f64]) {
        let step = self.integrator.proposed_step();
        self.integrator.start(t, x);
        if let Some(step) = step {
            self.integrator.propose_step(step);
        }
    }

    /// Goes on from where it is, with inputs from outside.
    pub(crate) fn resume(&mut self, u: &[f64]) {
        self.drive(u);
        let (t, x) = (self.integrator.t(), self.integrator.x().to_vec());
        self.start_afresh(t, &x);
    }

    /// Inputs that are set from outside from now on.
    pub(crate) fn drive(&mut self, u: &[f64]) {
        self.work.live.clear();
        self.work.live.extend_from_slice(u);
    }

    /// Watched quantities at the start of the step.
    pub(crate) fn start_values(&self) -> &[f64] {
        &self.start
    }

    /// The sizes of what the registers were added up from, where they were last looked at.
    pub(crate) fn sizes(&self, flow: &Flow) -> Vec<f64> {
        flow.program.sizes(&self.work.registers)
    }

    /// A frozen decision.
    pub(crate) fn frozen(&self, switch: u32) -> f64 {
        self.work.frozen[switch as usize]
    }

    pub(crate) fn registers(&self) -> &[f64] {
        &self.work.registers
    }

    /// A watched quantity where they were last looked at.
    pub(crate) fn quantity(&self, flow: &Flow, quantity: usize) -> f64 {
        self.work.quantity(flow, quantity)
    }

    /// Looks at watched quantities for a state.
    pub(crate) fn watch_state(&mut self, passage: &mut Passage<'_, '_, '_>, at: (f64, &[f64])) {
        self.work.watch_state(passage, at);
    }

    /// Writes x′ for a state.
    pub(crate) fn slope(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        at: (f64, &[f64]),
        dx: &mut [f64],
    ) -> Result<(), (u32, String)> {
        self.work.slope(passage, at, dx)
    }

    /// Values of what is recorded for a state, `ABSENT` where absent.
    pub(crate) fn recorded(&mut self, passage: &mut Passage<'_, '_, '_>, at: (f64, &[f64])) -> Vec<f64> {
        self.work.recorded(passage, at)
    }

    /// Makes one step to what is ahead, or less far, and cuts it at the first event.
    pub(crate) fn step(&mut self, passage: &mut Passage<'_, '_, '_>, state: &State, ahead: &Ahead) -> Passed {
        let now = self.integrator.t();
        self.work.now = now;
        self.list_sides(passage, state);
        self.keep_largest(passage.flow);
        let mut end = ahead.target(now).min(self.component_end(passage));
        if let Some(reach) = self.reach.filter(|reach| now + reach > now) {
            end = end.min(now + reach);
        }
        self.follow_small_states(passage);
        let mut failed: Option<(u32, String)> = None;
        let Solver { integrator, work, .. } = self;
        let made = integrator.step(end, &mut |t, x, dx| {
            work.slope(passage, (t, x), dx)
                .map_err(|failure| failed = Some(failure))
        });
        let made = made.map(|_| ()).map_err(|error| (error, failed));
        let passed = match made {
            Ok(()) => {
                if self.integrator.t() > ahead.end {
                    self.integrator.truncate(ahead.end);
                }
                self.locate(passage, ahead)
            }
            Err((error, failed)) => self.explain(passage, error, failed),
        };
        match self.work.interrupted.take() {
            Some(reason) => Passed::Stopped(reason),
            None => passed,
        }
    }

    fn keep_largest(&mut self, flow: &Flow) {
        for (signal, x) in flow.integrators.iter().zip(self.integrator.x()) {
            let place = *signal as usize;
            if self.largest.len() <= place {
                self.largest.resize(place + 1, 0.0);
            }
            self.largest[place] = self.largest[place].max(x.abs());
        }
    }

    /// Lets the accuracy of the next step follow states down that are small: what decays for ever must not cross 0 because of it. Down to what is rounding: of a slope, and of a state through
    /// the slopes that read it.
    fn follow_small_states(&mut self, passage: &mut Passage<'_, '_, '_>) {
        let flow = passage.flow;
        let (t, x) = (self.integrator.t(), self.integrator.x().to_vec());
        let own = flow.integrators.len();
        if !x[..own].iter().any(|x| x.abs() < SMALL) {
            self.integrator.set_floors(&[]);
            return;
        }
        self.work.evaluate(passage, (t, &x), 0..flow.dynamic, false);
        let h = self.integrator.proposed_step().unwrap_or(0.0).max(f64::EPSILON);
        let mut floors = vec![0.0; own];
        let mut noise = vec![0.0; self.work.registers.len()];
        for _ in 0..PASSES {
            noise[TIME as usize] = f64::EPSILON * t.abs();
            for (i, (x, floor)) in x.iter().zip(&floors).enumerate() {
                noise[state_register(i) as usize] = f64::EPSILON * x.abs() + floor;
            }
            for (output, _) in flow.components.iter().flat_map(|c| &c.outputs) {
                noise[*output as usize] = f64::INFINITY;
            }
            flow.program
                .noise(0..flow.dynamic, &self.work.registers, &mut noise);
            for (floor, derivative) in floors.iter_mut().zip(&flow.derivatives) {
                *floor = derivative.map_or(0.0, |r| h * noise[r as usize]);
            }
        }
        floors.iter_mut().for_each(|floor| *floor *= OVER);
        // States of components are as accurate as ever.
        floors.resize(x.len(), f64::INFINITY);
        self.integrator.set_floors(&floors);
    }

    /// The end of a step at the latest, for components.
    fn component_end(&mut self, passage: &mut Passage<'_, '_, '_>) -> f64 {
        let flow = passage.flow;
        let (t, x) = (self.integrator.t(), self.integrator.x());
        let mut end = f64::INFINITY;
        if flow.components.is_empty() {
            return end;
        }
        self.work.evaluate(passage, (t, x), 0..flow.dynamic, false);
        for place in 0..flow.components.len() {
            let u = inputs_of(flow, place, &self.work.registers);
            let part = self.work.offsets[place]..self.work.offsets[place + 1];
            let longest = passage.component(place).longest_step(Point {
                t,
                x: &x[part],
                u: &u,
            });
            end = end.min(t + longest.max(SHORTEST));
        }
        end
    }

    fn explain(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
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
            (FlowError::StepTooSmall { step, .. }, _) => {
                let ahead = self.limit_ahead(passage);
                Passed::Stopped(ahead.unwrap_or(StopReason::StepTooSmall { step }))
            }
            (FlowError::NoTimeAhead { t, end }, _) => {
                Passed::Stopped(StopReason::StepTooSmall { step: end - t })
            }
            (FlowError::RightHandSide { .. }, None) => Passed::Stopped(StopReason::NotFinite {
                what: "a derivative".into(),
            }),
        }
    }

    /// What must not be passed in the next step, from the values at its start.
    fn list_sides(&mut self, passage: &mut Passage<'_, '_, '_>, state: &State) {
        let flow = passage.flow;
        let is_fresh = self.integrator.t() == self.origin;
        self.sides.clear();
        for (quantity, watch) in flow.watches.iter().enumerate() {
            let value = self.start[quantity];
            match watch.of {
                Watched::Switch(k) if watch.equality.is_some() => {
                    let size = flow.program.sizes(&self.work.registers)[watch.register as usize];
                    let is_met = is_equal(flow, k, &self.work.frozen);
                    self.sides.extend([1.0, -1.0].map(|sign| Side {
                        quantity,
                        sign,
                        level: if is_met { -sign * leaving(value, size) } else { 0.0 },
                        tolerance: if is_met { 0.0 } else { watch.tolerance },
                        is_switch: true,
                        is_above: is_met || sign * value > 0.0,
                        is_on: false,
                        rounding: 0.0,
                        is_fresh,
                        is_strict: false,
                        meets: !is_met,
                    }));
                }
                Watched::Switch(k) => {
                    let (decision, now) = (flow.program.switches[k as usize], self.work.frozen[k as usize]);
                    let sides = decision.sides(now, value).into_iter().flatten();
                    self.sides.extend(sides.map(|(sign, level)| Side {
                        quantity,
                        sign,
                        level,
                        tolerance: watch.tolerance,
                        is_switch: true,
                        is_above: sign * (value - level) > 0.0,
                        is_on: false,
                        rounding: 0.0,
                        is_fresh,
                        is_strict: decision.of(level) == now,
                        meets: false,
                    }));
                }
                Watched::Cross(signal) => {
                    let Op::Cross(op) = &passage.plan.ops[signal as usize] else {
                        continue;
                    };
                    let standing = Standing::of(state.cells[signal as usize].value);
                    let is_on = matches!(standing, Standing::On(_));
                    let rounding = if is_on {
                        let size = flow.program.sizes(&self.work.registers)[watch.register as usize];
                        ROUNDINGS * size.max(op.level.abs())
                    } else {
                        0.0
                    };
                    for (sign, other) in [(1.0, Direction::Rising), (-1.0, Direction::Falling)] {
                        if op.direction != other {
                            self.sides.push(Side {
                                quantity,
                                sign,
                                level: op.level,
                                tolerance: op.tolerance,
                                is_switch: false,
                                is_above: standing.is_at_side(sign),
                                is_on,
                                rounding,
                                is_fresh,
                                is_strict: false,
                                meets: false,
                            });
                        }
                    }
                }
            }
        }
        let mut quantity = flow.watches.len();
        for place in 0..flow.components.len() {
            for _ in 0..passage.component(place).shape().indicators {
                self.sides.push(Side {
                    quantity,
                    sign: 1.0,
                    level: 0.0,
                    tolerance: 0.0,
                    is_switch: false,
                    is_above: self.start[quantity] > 0.0,
                    is_on: false,
                    rounding: 0.0,
                    is_fresh: false,
                    is_strict: false,
                    meets: false,
                });
                quantity += 1;
            }
        }
    }

    /// Writes the states at the present end of the flow back.
    pub(crate) fn store(&self, flow: &Flow, state: &mut State) {
        let x = self.integrator.x();
        for (signal, value) in flow.integrators.iter().zip(x) {
            state.cells[*signal as usize].value = *value;
        }
        for (place, used) in flow.components.iter().enumerate() {
            let part = &x[self.work.offsets[place]..self.work.offsets[place + 1]];
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
                let cell = &mut state.cells[signal as usize];
                cell.value = Standing::of(cell.value).pass(op, values[4]).number();
            }
        }
    }

    /// Values of what is recorded at a moment of the last step, `ABSENT` where absent.
    pub(crate) fn sample(&mut self, passage: &mut Passage<'_, '_, '_>, t: f64) -> Vec<f64> {
        let Solver { integrator, work, .. } = self;
        let step = integrator.last_step();
        let mut x = std::mem::take(&mut work.x);
        x.resize(step.dimension(), 0.0);
        step.evaluate(t, &mut x);
        let values = work.recorded(passage, (t, &x));
        work.x = x;
        values
    }
}
