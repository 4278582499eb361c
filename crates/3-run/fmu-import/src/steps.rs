//! Co-simulation: an FMU as a component that makes steps of its own (FMI 2.0 §4, FMI 3.0 §4).
//!
//! At each communication point the FMU steps to it with the inputs of the point before, then gets the inputs there; its outputs are held until the next. Points are at multiples
//! of the communication step, at the end of the run, and, for FMUs whose steps may differ in length, where an input jumps. With FMI 3.0 a step that returns early is gone on
//! with, and its events are handled; the trace has them at their own times, outputs change at the next communication point.

use crate::ImportError;
use crate::library::Fmu;
use crate::machine::Machine;
use crate::wiring::{Trouble, Which, Wired, Wiring};
use dyverse_component::{Cause, Component, Fault, Happening, Point, Shape};
use dyverse_trace::{SuperdenseTime, Transition};
use std::rc::Rc;

/// Communication points closer than this part of max(1, t) are one.
const TOGETHER: f64 = 1e-12;
/// Updates of discrete states at one event at the most, and events without progress.
const MOST_UPDATES: usize = 1000;

/// An FMU for co-simulation.
pub(crate) struct Steps {
    fmu: Rc<Fmu>,
    wired: Wired,
    trouble: Trouble,
    until: Option<f64>,
    machine: Box<dyn Machine>,
    is_fresh: bool,
    has_event_mode: bool,
    has_variable_steps: bool,
    step: f64,
    /// The communication point reached.
    t: f64,
    /// Where the run began, and steps of full length since.
    origin: f64,
    count: u64,
    held: Vec<f64>,
    set: Vec<f64>,
    values: Vec<f64>,
    is_echo: bool,
    /// Whether it asks for the end, which comes when its last values are seen.
    is_ending: bool,
}

impl Steps {
    pub(crate) fn new(fmu: &Rc<Fmu>, wiring: &Wiring, trouble: &Trouble) -> Result<Self, ImportError> {
        let wired = Wired::new(fmu, wiring)?;
        let description = fmu.description();
        let offer = description.co_simulation.as_ref();
        let own = description.step_size.or(offer.and_then(|o| o.internal_step));
        let hundredth = wiring.until.map(|until| until / 100.0);
        let step = wiring.step.or(own).or(hundredth).ok_or_else(|| {
            ImportError::new("it does not say how long the steps of co-simulation are")
                .with_help("give the step, or how long to run")
        })?;
        if !(step.is_finite() && step > 0.0) {
            return Err(refused!(
                "the step of co-simulation must be a number above 0, not {step}"
            ));
        }
        Ok(Steps {
            machine: fmu.instantiate(&wiring.name)?,
            has_event_mode: offer.is_some_and(|o| o.has_event_mode),
            has_variable_steps: offer.is_some_and(|o| o.has_variable_steps),
            fmu: fmu.clone(),
            trouble: trouble.clone(),
            until: wiring.until,
            is_fresh: true,
            step,
            t: 0.0,
            origin: 0.0,
            count: 0,
            held: vec![f64::NAN; wired.ports],
            set: Vec::new(),
            values: vec![0.0; wired.outputs.len()],
            is_echo: false,
            is_ending: false,
            wired,
        })
    }

    fn initialise(&mut self, t: f64) -> Result<(), String> {
        if !std::mem::take(&mut self.is_fresh) {
            self.machine = self
                .fmu
                .instantiate(&self.wired.name)
                .map_err(|error| error.message)?;
        }
        self.set.clear();
        (self.t, self.origin, self.count) = (t, t, 0);
        self.wired.set_parameters(self.machine.as_mut())?;
        self.machine.enter_initialization(t, self.until)?;
        self.give_inputs(t, Which::All)?;
        self.machine.exit_initialization()?;
        if self.has_event_mode {
            self.update()?;
        }
        self.read()
    }

    fn give_inputs(&mut self, t: f64, which: Which) -> Result<(), Fault> {
        let inputs = self.wired.inputs(t, t, &self.held);
        let set = &mut self.set;
        self.wired
            .set_inputs(self.machine.as_mut(), &inputs, set, which)?;
        Ok(())
    }

    fn read(&mut self) -> Result<(), String> {
        Ok(self.machine.get(&self.wired.outputs, &mut self.values)?)
    }

    /// In event mode: updates discrete states until they are final, and goes back to steps.
    fn update(&mut self) -> Result<(), String> {
        for _ in 0..MOST_UPDATES {
            let updated = self.machine.update_discrete_states()?;
            if updated.wants_end {
                self.is_ending = true;
                return Ok(());
            }
            if !updated.needs_more {
                return Ok(self.machine.enter_step_mode()?);
            }
        }
        Err(format!(
            "its discrete states still change after {MOST_UPDATES} updates at t = {} s",
            self.t
        ))
    }

    /// Steps to a communication point; the events on the way.
    fn advance(&mut self, to: f64) -> Result<Vec<Transition>, String> {
        let mut events = Vec::new();
        let mut idle = 0;
        while to - self.t > TOGETHER * to.abs().max(1.0) {
            let stepped = self.machine.do_step(self.t, to - self.t)?;
            if stepped.wants_end {
                self.is_ending = true;
                let reached = stepped.t.is_finite() && stepped.t >= self.t && stepped.t <= to;
                self.t = if reached { stepped.t } else { to };
                events.extend(self.transition("the end of its run"));
                return Ok(events);
            }
            idle = if stepped.t > self.t { 0 } else { idle + 1 };
            let is_time =
                stepped.t.is_finite() && stepped.t >= self.t && stepped.t <= to + TOGETHER * to.abs();
            if !is_time || idle > MOST_UPDATES {
                return Err(format!(
                    "a step from {} s to {to} s ended at {} s",
                    self.t, stepped.t
                ));
            }
            self.t = stepped.t;
            if stepped.needs_event && self.has_event_mode {
                self.machine.enter_event_mode()?;
                self.update()?;
                events.extend(self.transition("inside a step"));
            }
        }
        self.t = to;
        Ok(events)
    }

    fn transition(&self, guard: &str) -> Option<Transition> {
        let time = SuperdenseTime::at(self.t)?.next_microstep();
        Some(self.wired.event(time, guard, String::new()))
    }

    /// Gives the inputs of this communication point; those that only change at events, in event mode where there is one.
    fn exchange(&mut self) -> Result<(), String> {
        let inputs = self.wired.inputs(self.t, self.t, &self.held);
        if self.has_event_mode && self.wired.has_discrete_change(&inputs, &self.set) {
            self.machine.enter_event_mode()?;
            self.give_inputs(self.t, Which::All)?;
            return self.update();
        }
        Ok(self.give_inputs(self.t, Which::All)?)
    }

    /// At the end that it asks for: its last values, and one more microstep, which shows them.
    fn ended(&mut self, transitions: Vec<Transition>) -> Result<Happening, String> {
        self.read()?;
        Ok(Happening::new(transitions, true))
    }

    fn grid_point(&self) -> f64 {
        self.origin + (self.count + 1) as f64 * self.step
    }
}

impl Component for Steps {
    fn shape(&self) -> Shape {
        Shape {
            inputs: self.wired.ports,
            outputs: self.values.len(),
            ..Shape::default()
        }
    }

    fn start(&mut self, t: f64, _x: &mut Vec<f64>) -> Result<(), Fault> {
        self.held.fill(f64::NAN);
        Ok(self.initialise(t)?)
    }

    fn rates(&mut self, _at: Point<'_>, _dx: &mut [f64]) -> Result<(), Fault> {
        Ok(self.trouble.check()?)
    }

    fn outputs(&mut self, _at: Point<'_>, y: &mut [f64]) {
        y.copy_from_slice(&self.values);
    }

    fn indicators(&mut self, _at: Point<'_>, _z: &mut [f64]) {}

    fn next_time(&self) -> Option<f64> {
        let next = self.grid_point();
        if !self.has_variable_steps {
            return Some(next);
        }
        let end = self.until.filter(|until| *until > self.t);
        let others = end.into_iter().chain(self.wired.breaks.next(self.t));
        Some(others.fold(next, f64::min))
    }

    fn microstep(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        _x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, Fault> {
        self.trouble.check()?;
        let t = time.t();
        if self.is_ending && cause != Cause::Start {
            self.trouble.end();
            return Ok(Happening::new(None, true));
        }
        let is_quiet = u.iter().zip(&self.held).all(|(a, b)| a.to_bits() == b.to_bits());
        if std::mem::take(&mut self.is_echo) && is_quiet && t == self.t {
            return Ok(Happening::default());
        }
        if cause == Cause::Start {
            self.is_echo = t != self.t || u.iter().any(|value| !value.is_nan());
            if self.is_echo {
                self.held.copy_from_slice(u);
                self.initialise(t)?;
            }
            return Ok(Happening::new(None, self.is_echo || self.is_ending));
        }
        let slack = TOGETHER * t.abs().max(1.0);
        let is_point = t >= self.grid_point() - slack || t - self.t <= slack;
        if !is_point && !self.has_variable_steps {
            // Its steps have one length: it hears of this input at the next communication point.
            return Ok(Happening::default());
        }
        let transitions = self.advance(t)?;
        if self.is_ending {
            return Ok(self.ended(transitions)?);
        }
        while self.grid_point() <= t + slack {
            self.count += 1;
        }
        self.held.copy_from_slice(u);
        self.exchange()?;
        if self.is_ending {
            return Ok(self.ended(transitions)?);
        }
        self.read()?;
        Ok(Happening::new(transitions, false))
    }
}
