//! A session as a component: rates, outputs and event indicators for whoever integrates it.
//!
//! Everything here is a function of time, states, inputs and the last event only: asked twice, or for moments out of order, it gives the same bits.
//!
//! # Event indicators
//! An event is where one goes from positive to zero or below. There is a fixed number of them (`layout.rs`); one that watches several quantities is the least of
//! their distances, and one that watches nothing now is 1.
//!
//! | watched | distance, for a value v and a level l |
//! |---|---|
//! | a switch that must stay on one side | ±(v − l) + ε |
//! | a `cross` that is armed: it was beyond on the side it falls from | ±(v − l) + ε |
//! | a `cross` that is not | δ − (±(v − l)): the instant there arms it, and nothing else happens; of one on its level, farther than it started from it |
//! | an equality that does not hold, and one that does (`met.rs`) | ±v + ε; how far its sides must part: ε beyond where they are, less \|v\| |
//! | an indicator of a component | as it is; if it starts at 0 or below, above where it starts by ε |
//!
//! With tolerance τ > 0, ε = τ/2: the event is as far beyond its level, as in `locate.rs`. With τ = 0, ε is [`LIFT`], or the rounding of the value if that is more. It has three
//! uses: what starts on its level is not at its event already; what is crossed is crossed beyond rounding, so the guard holds at the tick; and what is crossed at one moment
//! by several quantities is crossed by all of them at the first event, although their zeros differ by roundings. The price is that an event is late by ε over the rate of its quantity.
//! δ is ε. No indicator is 0 or below right after an event.
//!
//! # Different from a run
//! A run whose model states `max_step` sees events with a tolerance on the grid of those steps (`locate.rs`). There is no grid here: such events are where the quantity is τ/2 beyond.

use crate::engine::Engine;
use crate::flow::{Flow, Watch, Watched};
use crate::level::{LIFT, Standing};
use crate::met::Met;
use crate::plan::Op;
use crate::session::{Phase, Session};
use crate::solver::{ROUNDINGS, is_equal};
use crate::state::State;
use crate::work::{Passage, inputs_of};
use dyverse_actors::Direction;
use dyverse_component::{Cause, Component, Fault, Happening, Passed, Point, Shape};
use dyverse_trace::{ABSENT, SuperdenseTime};

/// A watched quantity at the last final microstep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Threshold {
    pub(crate) start: f64,
    /// The rounding of its value there.
    pub(crate) noise: f64,
}

impl Threshold {
    /// ε, and δ.
    fn margin(self, tolerance: f64) -> f64 {
        if tolerance > 0.0 {
            0.5 * tolerance
        } else {
            LIFT.max(self.noise)
        }
    }
}

impl Engine<'_, '_> {
    /// Where watched quantities are now, right after [`Engine::settle`].
    pub(crate) fn thresholds(&self) -> Vec<Threshold> {
        let watches = self.flow.as_ref().map_or(&[][..], |flow| &flow.watches);
        let sizes = self.flow.as_ref().map(|flow| self.solver.sizes(flow));
        let size_of = |watch: &Watch| sizes.as_ref().map_or(0.0, |sizes| sizes[watch.register as usize]);
        let values = self.solver.start_values().iter().enumerate();
        values
            .map(|(quantity, start)| {
                let size = match watches.get(quantity) {
                    Some(watch) => size_of(watch),
                    None => start.abs(),
                };
                Threshold {
                    start: *start,
                    noise: ROUNDINGS * size,
                }
            })
            .collect()
    }
}

impl Component for Session<'_> {
    fn shape(&self) -> Shape {
        Shape {
            states: self.dimension(),
            inputs: self.inputs.len(),
            outputs: self.engine.plan.record.len(),
            indicators: self.layout.indicator_count(),
        }
    }

    /// States that were never initialised are 0; the first microstep initialises them.
    fn start(&mut self, _t: f64, x: &mut Vec<f64>) -> Result<(), Fault> {
        if self.phase != Phase::New {
            return Err("it has begun: a new session begins anew".into());
        }
        x.clear();
        x.resize(self.dimension(), 0.0);
        self.states(x);
        Ok(())
    }

    /// 0 for states that are not active. Inside an instant they are those of the last tick.
    fn rates(&mut self, at: Point<'_>, dx: &mut [f64]) -> Result<(), Fault> {
        let Point { t, x, u } = at;
        self.check_lengths(x, u, (dx.len(), self.dimension(), "derivatives"))?;
        dx.fill(0.0);
        if self.has_tick() {
            return Ok(self.derivative_of_tick(t, x, dx)?);
        }
        let flow = self.flow()?;
        let engine = &mut self.engine;
        let mut active = Vec::new();
        self.layout.select(&flow, x, &mut active);
        let mut slopes = vec![0.0; active.len()];
        let mut passage = Passage {
            plan: &engine.plan,
            flow: &flow,
            components: &mut engine.components,
        };
        engine.solver.drive(u);
        let outcome = engine.solver.slope(&mut passage, (t, &active), &mut slopes);
        outcome.map_err(|(component, detail)| {
            let name = &engine.plan.graph.components()[component as usize].name;
            format!("component `{name}`: {detail}")
        })?;
        for (signal, slope) in flow.integrators.iter().zip(&slopes) {
            dx[self.layout.place(*signal)] = *slope;
        }
        let mut from = flow.integrators.len();
        for used in &flow.components {
            let place = used.component as usize;
            let part = self.layout.offsets[place]..self.layout.offsets[place + 1];
            let count = part.len();
            dx[part].copy_from_slice(&slopes[from..from + count]);
            from += count;
        }
        Ok(())
    }

    /// Those that are absent are [`ABSENT`]. Inside an instant they are those of the last tick.
    fn outputs(&mut self, at: Point<'_>, y: &mut [f64]) {
        if self.look(at, y).is_err() {
            y.fill(f64::NAN);
        }
    }

    /// In an instant that is open all are 1.
    fn indicators(&mut self, at: Point<'_>, z: &mut [f64]) {
        if self.distances(at, z).is_err() {
            z.fill(f64::NAN);
        }
    }

    fn state_name(&self, state: usize) -> String {
        self.state_names().into_iter().nth(state).unwrap_or_default()
    }

    /// What components say.
    fn longest_step(&mut self, at: Point<'_>) -> f64 {
        let Point { t, x, u } = at;
        let Some(flow) = self.engine.flow.clone().filter(|_| !self.has_tick()) else {
            return f64::INFINITY;
        };
        self.watch(&flow, t, x, u);
        let mut longest = f64::INFINITY;
        for (place, used) in flow.components.iter().enumerate() {
            let inputs = inputs_of(&flow, place, self.engine.solver.registers());
            let place = used.component as usize;
            let part = self.layout.offsets[place]..self.layout.offsets[place + 1];
            let handle = self.engine.plan.graph.components()[place].handle as usize;
            let component = &mut self.engine.components[handle];
            longest = longest.min(component.longest_step(Point {
                t,
                x: &x[part],
                u: &inputs,
            }));
        }
        longest
    }

    /// Clocks, `at`, delays, components, kinks of inputs. None in an instant.
    fn next_time(&self) -> Option<f64> {
        match self.phase {
            Phase::Flowing => self.engine.next_time(),
            _ => None,
        }
    }

    fn enter(&mut self, at: Point<'_>) -> Result<(), Fault> {
        // Where time passed to an event its instant has begun.
        if self.is_in_instant() {
            return Ok(());
        }
        Ok(self.begin_instant(at.t, at.x, at.u)?)
    }

    /// One tick; it counts its microsteps itself.
    fn microstep(
        &mut self,
        time: SuperdenseTime,
        _cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, Fault> {
        self.enter(Point { t: time.t(), x, u })?;
        let happening = Session::microstep(self, u)?;
        self.states(x);
        Ok(happening)
    }

    fn pass(&mut self, until: f64, x: &mut Vec<f64>, u: &[f64]) -> Option<Result<Passed, Fault>> {
        let passed = self.advance(until, u);
        self.states(x);
        Some(passed.map_err(Fault::from))
    }

    fn snapshot(&self) -> Result<Vec<u8>, Fault> {
        Ok(self.keep()?)
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), Fault> {
        Ok(self.go_back(snapshot)?)
    }
}

impl Session<'_> {
    /// x′ at the last tick of an instant that is open.
    fn derivative_of_tick(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), String> {
        let (plan, frame) = (&self.engine.plan, &self.engine.frame);
        for signal in &self.layout.integrators {
            if let Op::Integrator(op) = &plan.ops[*signal as usize]
                && frame.is_present(*signal as usize)
                && frame.is_present(op.derivative as usize)
                && !op.reset.is_some_and(|reset| frame.is_present(reset as usize))
            {
                dx[self.layout.place(*signal)] = frame.value[op.derivative as usize];
            }
        }
        for (place, used) in plan.graph.components().iter().enumerate() {
            if frame.is_present(plan.region_unit(used.region.0)) {
                let inputs = used.inputs.iter().map(|(_, s)| frame.value[s.0 as usize]);
                let inputs: Vec<f64> = inputs.collect();
                let part = self.layout.offsets[place]..self.layout.offsets[place + 1];
                let component = &mut self.engine.components[used.handle as usize];
                let outcome = component.rates(
                    Point {
                        t,
                        x: &x[part.clone()],
                        u: &inputs,
                    },
                    &mut dx[part],
                );
                outcome.map_err(|detail| format!("component `{}`: {detail}", used.name))?;
            }
        }
        Ok(())
    }

    /// Writes the outputs, [`ABSENT`] where absent.
    fn look(&mut self, at: Point<'_>, y: &mut [f64]) -> Result<(), String> {
        let held = self.inputs.clone();
        let Point { t, x, .. } = at;
        let u = if at.u.is_empty() { &held } else { at.u };
        let count = self.engine.plan.record.len();
        self.check_lengths(x, u, (y.len(), count, "outputs"))?;
        if self.has_tick() {
            let frame = &self.engine.frame;
            for (y, signal) in y.iter_mut().zip(&self.engine.plan.record) {
                let is_there = frame.is_present(*signal as usize);
                *y = if is_there {
                    frame.value[*signal as usize]
                } else {
                    ABSENT
                };
            }
            return Ok(());
        }
        let flow = self.flow()?;
        let engine = &mut self.engine;
        let mut active = Vec::new();
        self.layout.select(&flow, x, &mut active);
        let mut passage = Passage {
            plan: &engine.plan,
            flow: &flow,
            components: &mut engine.components,
        };
        engine.solver.drive(u);
        let values = engine.solver.recorded(&mut passage, (t, &active));
        y.copy_from_slice(&values);
        Ok(())
    }

    /// Writes the event indicators.
    fn distances(&mut self, at: Point<'_>, z: &mut [f64]) -> Result<(), String> {
        let Point { t, x, u } = at;
        self.check_lengths(x, u, (z.len(), self.layout.indicator_count(), "indicators"))?;
        z.fill(1.0);
        if self.has_tick() {
            return Ok(());
        }
        let flow = self.flow()?;
        self.watch(&flow, t, x, u);
        let (engine, layout) = (&self.engine, &self.layout);
        for (quantity, watch) in flow.watches.iter().enumerate() {
            let value = engine.solver.quantity(&flow, quantity);
            let distance = self.distance(&flow, watch, quantity, value);
            let slot = &mut z[layout.group(watch)];
            *slot = least(*slot, distance);
        }
        let mut quantity = flow.watches.len();
        for used in &flow.components {
            let place = used.component as usize;
            let (from, end) = (layout.indicators[place], layout.indicators[place + 1]);
            for k in 0..engine.component(place).shape().indicators {
                let value = engine.solver.quantity(&flow, quantity);
                let distance = self.indicator_distance(quantity, value);
                // More than at the start: they count for the last.
                if let Some(last) = end.checked_sub(1).filter(|last| *last >= from) {
                    let slot = &mut z[(from + k).min(last)];
                    *slot = if from + k < end {
                        distance
                    } else {
                        least(*slot, distance)
                    };
                }
                quantity += 1;
            }
        }
        Ok(())
    }

    /// The distance of a watched quantity from its event.
    fn distance(&self, flow: &Flow, watch: &Watch, quantity: usize, value: f64) -> f64 {
        let Some(threshold) = self.thresholds.get(quantity).copied() else {
            return f64::NAN;
        };
        match watch.of {
            Watched::Switch(k) if watch.equality.is_some() => {
                let margin = threshold.margin(watch.tolerance);
                if is_equal(flow, k, &self.engine.solver.work.frozen) {
                    margin + threshold.start.abs() - value.abs()
                } else {
                    threshold.start.signum() * value + margin
                }
            }
            Watched::Switch(k) => {
                let decision = flow.program.switches[k as usize];
                let now = self.engine.solver.frozen(k);
                let sides = decision.sides(now, threshold.start).into_iter().flatten();
                let distances = sides.map(|(sign, level)| sign * (value - level));
                distances.fold(f64::INFINITY, least) + threshold.margin(watch.tolerance)
            }
            Watched::Cross(signal) => self.distance_of_cross(&self.engine.state, signal, threshold, value),
        }
    }

    fn distance_of_cross(&self, state: &State, signal: u32, threshold: Threshold, value: f64) -> f64 {
        let Op::Cross(op) = &self.engine.plan.ops[signal as usize] else {
            return f64::NAN;
        };
        let standing = Standing::of(state.cells[signal as usize].value);
        let (beyond, margin) = (value - op.level, threshold.margin(op.tolerance));
        let falls_from = match (op.direction, standing) {
            (Direction::Falling, _) | (Direction::Both, Standing::Above) => 1.0,
            (Direction::Rising, _) | (Direction::Both, Standing::Below) => -1.0,
            (Direction::Both, _) => return margin + (threshold.start - op.level).abs() - beyond.abs(),
        };
        if standing.is_at_side(falls_from) {
            falls_from * beyond + margin
        } else if matches!(standing, Standing::On(_)) {
            margin + (falls_from * (threshold.start - op.level)).max(0.0) - falls_from * beyond
        } else {
            margin - falls_from * beyond
        }
    }

    fn indicator_distance(&self, quantity: usize, value: f64) -> f64 {
        match self.thresholds.get(quantity) {
            Some(threshold) if threshold.start <= 0.0 => value - threshold.start + threshold.margin(0.0),
            _ => value,
        }
    }

    /// Keeps the indicators of components that are crossed at (t, x, u) and the equalities whose sides meet, for the instant that begins there. What `cross` detectors see, the tick finds itself.
    pub(crate) fn note_indicators(&mut self, t: f64, x: &[f64], u: &[f64]) {
        let Ok(flow) = self.flow() else { return };
        let meets = |watch: &Watch| match watch.of {
            Watched::Switch(k) => {
                watch.equality.is_some() && !is_equal(&flow, k, &self.engine.solver.work.frozen)
            }
            Watched::Cross(_) => false,
        };
        let meeting: Vec<usize> = (0..flow.watches.len())
            .filter(|q| meets(&flow.watches[*q]))
            .collect();
        if flow.components.is_empty() && meeting.is_empty() {
            return;
        }
        self.watch(&flow, t, x, u);
        for quantity in meeting {
            let watch = &flow.watches[quantity];
            let beyond = self.engine.solver.quantity(&flow, quantity);
            if let Some(node) = watch.equality
                && self.distance(&flow, watch, quantity, beyond) <= 0.0
            {
                self.engine.meet(Met { node, beyond });
            }
        }
        let mut quantity = flow.watches.len();
        for used in &flow.components {
            let place = used.component as usize;
            for k in 0..self.engine.component(place).shape().indicators {
                let value = self.engine.solver.quantity(&flow, quantity);
                if self.indicator_distance(quantity, value) <= 0.0 {
                    self.engine.indicators.push((used.component, k));
                }
                quantity += 1;
            }
        }
    }

    /// Evaluates what is watched.
    fn watch(&mut self, flow: &Flow, t: f64, x: &[f64], u: &[f64]) {
        let engine = &mut self.engine;
        let mut active = Vec::new();
        self.layout.select(flow, x, &mut active);
        let mut passage = Passage {
            plan: &engine.plan,
            flow,
            components: &mut engine.components,
        };
        engine.solver.drive(u);
        engine.solver.watch_state(&mut passage, (t, &active));
    }

    /// Whether values are those of a tick: an instant is open, and something was executed in it.
    pub(crate) fn has_tick(&self) -> bool {
        match self.phase {
            Phase::Instant { has_ticked, .. } => has_ticked,
            _ => false,
        }
    }

    fn flow(&self) -> Result<std::rc::Rc<Flow>, String> {
        let nothing = || "nothing has begun: call `begin_instant` and `microstep` at the start".to_owned();
        self.engine.flow.clone().ok_or_else(nothing)
    }

    fn check_lengths(
        &self,
        x: &[f64],
        u: &[f64],
        (given, wanted, what): (usize, usize, &str),
    ) -> Result<(), String> {
        let lists = [
            (x.len(), self.dimension(), "states"),
            (u.len(), self.inputs.len(), "inputs"),
            (given, wanted, what),
        ];
        for (given, wanted, what) in lists {
            if given != wanted {
                return Err(format!("{given} {what} are given, the model has {wanted}"));
            }
        }
        Ok(())
    }
}

/// The smaller of two; NaN if one is.
fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.min(b)
    }
}
