//! Model exchange: an FMU as a component with states, derivatives and event indicators (FMI 2.0 §3, FMI 3.0 §3).
//!
//! # Event indicators
//! FMI's event of an indicator z is a change between z > 0 and z ≤ 0, in either direction. The engine's is from positive to zero or below. So what it sees is s z, where s is the
//! side of z right after the last event: 1 if z > 0, else −1. An indicator within [`LIFT`] of zero there is lifted by it: an event is then where z is as far beyond zero, and what
//! rests on zero makes none.
//!
//! # Event iteration
//! Each update of discrete states is one microstep; the FMU stays in event mode between them.
//!
//! # Inputs
//! While time passes derivatives and indicators see inputs as they are. Outputs are asked for before the inputs of the same moment are known: they see those of the last
//! event. Where a continuous change of an input changes an output directly the run is refused, so no output is ever late. Inputs that are known functions of time
//! are no ports and have no such limit.

use crate::ImportError;
use crate::library::Fmu;
use crate::machine::Machine;
use crate::wiring::{Trouble, Which, Wired, Wiring};
use dyverse_component::{Cause, Component, Fault, Happening, Point, Shape};
use dyverse_trace::{SuperdenseTime, Transition};
use std::rc::Rc;

/// How far from zero an indicator must be right after an event to have a side.
const LIFT: f64 = 1e-14;
/// How late an event is that a completed step asks for, part of max(1, t).
const SOON: f64 = 1e-12;
/// A change of an output that counts, part of 1 + its size.
const SAME: f64 = 1e-9;

/// An FMU for model exchange.
pub(crate) struct Exchange {
    fmu: Rc<Fmu>,
    wired: Wired,
    trouble: Trouble,
    until: Option<f64>,
    machine: Box<dyn Machine>,
    is_fresh: bool,
    dimension: usize,
    indicators: usize,
    needs_completed_steps: bool,
    is_in_event_mode: bool,
    /// Port values at the last event.
    held: Vec<f64>,
    /// When time began to pass.
    anchor: f64,
    /// Inputs that the FMU has.
    set: Vec<f64>,
    /// Time and states that the FMU has.
    point: Option<(f64, Vec<f64>)>,
    /// The outputs where they were asked for last.
    seen: Option<(f64, Vec<f64>, Vec<f64>)>,
    /// Sides and lifts of indicators.
    sides: Vec<(f64, f64)>,
    next_time: Option<f64>,
    /// Why the event that is open began, and the states before it.
    open: Option<(String, Vec<f64>)>,
    /// The last completed step.
    completed: Option<f64>,
    /// When a completed step asked for an event.
    wished: Option<f64>,
    /// Whether the next microstep is only there to show what changed.
    is_echo: bool,
    /// Whether it asks for the end, which comes when its last values are seen.
    is_ending: bool,
}

impl Exchange {
    pub(crate) fn new(fmu: &Rc<Fmu>, wiring: &Wiring, trouble: &Trouble) -> Result<Self, ImportError> {
        let wired = Wired::new(fmu, wiring)?;
        let mut machine = fmu.instantiate(&wiring.name)?;
        let sizes = (machine.dimension(), machine.indicator_count());
        let text = |fault: Fault| ImportError::new(fault.to_string());
        let (dimension, indicators) = (sizes.0.map_err(text)?, sizes.1.map_err(text)?);
        let offer = fmu.description().model_exchange.as_ref();
        Ok(Exchange {
            needs_completed_steps: offer.is_some_and(|o| o.needs_completed_steps),
            fmu: fmu.clone(),
            trouble: trouble.clone(),
            until: wiring.until,
            machine,
            is_fresh: true,
            dimension,
            indicators,
            is_in_event_mode: true,
            held: vec![f64::NAN; wired.ports],
            anchor: 0.0,
            set: Vec::new(),
            point: None,
            seen: None,
            sides: vec![(1.0, 0.0); indicators],
            next_time: None,
            open: None,
            completed: None,
            wished: None,
            is_echo: false,
            is_ending: false,
            wired,
        })
    }

    /// Initialises it at `t`, with the port values that are held.
    fn initialise(&mut self, t: f64) -> Result<(), String> {
        if !std::mem::take(&mut self.is_fresh) {
            self.machine = self
                .fmu
                .instantiate(&self.wired.name)
                .map_err(|error| error.message)?;
        }
        self.set.clear();
        self.anchor = t;
        self.wired.set_parameters(self.machine.as_mut())?;
        self.machine.enter_initialization(t, self.until)?;
        let inputs = self.wired.inputs(t, t, &self.held);
        self.wired
            .set_inputs(self.machine.as_mut(), &inputs, &mut self.set, Which::All)?;
        self.machine.exit_initialization()?;
        self.is_in_event_mode = true;
        (self.point, self.seen, self.next_time) = (None, None, None);
        (self.open, self.completed, self.wished) = (None, None, None);
        Ok(())
    }

    fn read_states(&mut self, x: &mut [f64]) -> Result<(), Fault> {
        if x.is_empty() {
            return Ok(());
        }
        self.machine.states(x)
    }

    /// Gives the FMU time, states and inputs, between events.
    fn place(&mut self, t: f64, x: &[f64], ports: &[f64]) -> Result<(), Fault> {
        if self.is_in_event_mode {
            return Ok(());
        }
        let is_there = self.point.as_ref().is_some_and(|(at, y)| *at == t && y == x);
        if !is_there {
            self.machine.set_time(t)?;
            if !x.is_empty() {
                self.machine.set_states(x)?;
            }
            match &mut self.point {
                Some((at, y)) => {
                    *at = t;
                    y.clear();
                    y.extend_from_slice(x);
                }
                None => self.point = Some((t, x.to_vec())),
            }
        }
        let inputs = self.wired.inputs(t, self.anchor, ports);
        let set = &mut self.set;
        self.wired
            .set_inputs(self.machine.as_mut(), &inputs, set, Which::Continuous)?;
        Ok(())
    }

    fn look(&mut self, at: Point<'_>, y: &mut [f64]) -> Result<(), Fault> {
        let Point { t, x, u } = at;
        if u.is_empty() {
            let held = std::mem::take(&mut self.held);
            let placed = self.place(t, x, &held);
            self.held = held;
            placed?;
        } else {
            self.place(t, x, u)?;
        }
        self.machine.get(&self.wired.outputs, y)?;
        self.seen = Some((t, x.to_vec(), y.to_vec()));
        Ok(())
    }

    /// Refuses outputs that depend directly on an input that changes while time passes; the FMU is at (t, x, u).
    fn check_feed_through(&mut self, t: f64, x: &[f64], u: &[f64]) -> Result<(), String> {
        let is_held = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan();
        if self.wired.fed_through.is_empty() || u.iter().zip(&self.held).all(is_held) {
            return Ok(());
        }
        let Some((at, point, before)) = &self.seen else {
            return Ok(());
        };
        if *at != t || point != x {
            return Ok(());
        }
        let mut now = vec![0.0; self.wired.outputs.len()];
        self.machine.get(&self.wired.outputs, &mut now)?;
        for (name, place) in &self.wired.fed_through {
            let (before, now) = (before[*place], now[*place]);
            if (before - now).abs() > SAME * (1.0 + now.abs()) {
                return Err(format!(
                    "its output `{name}` depends directly on an input that changes while time passes ({before} with the input of the last event, {now} now): \
                     such outputs cannot be read in an actor model. Compute `{name}` outside of the FMU, or read it where the input is constant between events"
                ));
            }
        }
        Ok(())
    }

    fn raw_indicators(&mut self, t: f64, x: &[f64], u: &[f64]) -> Result<Vec<f64>, Fault> {
        let mut raw = vec![0.0; self.indicators];
        if self.indicators > 0 {
            self.place(t, x, u)?;
            self.machine.indicators(&mut raw)?;
        }
        Ok(raw)
    }

    /// Tells the FMU that a step is accepted, once for each moment.
    fn complete(&mut self, t: f64, x: &[f64], u: &[f64]) -> Result<(), String> {
        if !self.needs_completed_steps || self.is_in_event_mode || self.completed == Some(t) {
            return Ok(());
        }
        self.place(t, x, u)?;
        let (wants_event, wants_end) = self.machine.completed_step()?;
        self.completed = Some(t);
        if wants_end {
            self.trouble.end();
        }
        if wants_event {
            self.wished = Some(t);
        }
        Ok(())
    }

    /// Enters the event that begins here, unless it is open; inputs are those right after it begins.
    fn enter_event(&mut self, t: f64, cause: Cause, x: &[f64], u: &[f64]) -> Result<(), String> {
        if self.open.is_none() {
            self.open = Some((self.words(cause), x.to_vec()));
        }
        if !self.is_in_event_mode {
            self.place(t, x, u)?;
            self.complete(t, x, u)?;
            self.machine.enter_event_mode()?;
            self.is_in_event_mode = true;
        }
        self.anchor = t;
        self.held.copy_from_slice(u);
        let inputs = self.wired.inputs(t, t, u);
        let set = &mut self.set;
        self.wired
            .set_inputs(self.machine.as_mut(), &inputs, set, Which::All)?;
        Ok(())
    }

    fn words(&self, cause: Cause) -> String {
        match cause {
            Cause::Start => "start".into(),
            Cause::Indicator(place) if place < self.indicators => format!("event indicator {}", place + 1),
            Cause::Indicator(_) => "completed step".into(),
            Cause::Time => "time".into(),
            Cause::Input => "input".into(),
        }
    }

    /// Leaves event mode: time may pass.
    fn leave_event(&mut self, t: f64, x: &[f64], u: &[f64]) -> Result<(), String> {
        self.machine.enter_continuous_time()?;
        self.is_in_event_mode = false;
        (self.completed, self.wished) = (Some(t), None);
        let side = |z: f64| if z > 0.0 { 1.0 } else { -1.0 };
        let lift = |z: f64| if z.abs() <= LIFT { LIFT } else { 0.0 };
        let raw = self.raw_indicators(t, x, u)?;
        self.sides = raw.iter().map(|z| (side(*z), lift(*z))).collect();
        Ok(())
    }

    /// What the trace shows of the event that ends here.
    fn transition(&mut self, time: SuperdenseTime, x: &[f64]) -> Option<Transition> {
        let (guard, before) = self.open.take()?;
        let changed = (0..x.len()).filter(|k| before.get(*k).is_none_or(|b| b.to_bits() != x[*k].to_bits()));
        let names: Vec<String> = changed.map(|k| self.state_name(k)).collect();
        Some(self.wired.event(time, &guard, names.join(", ")))
    }

    /// At the beginning: initialises it again where ports have values that it does not know yet, or where it begins later than the run. Whether it did.
    fn begin(&mut self, t: f64, x: &mut [f64], u: &[f64]) -> Result<bool, String> {
        if t == self.anchor && u.iter().all(|value| value.is_nan()) {
            return Ok(false);
        }
        self.held.copy_from_slice(u);
        self.initialise(t)?;
        self.read_states(x)?;
        Ok(true)
    }
}

impl Component for Exchange {
    fn shape(&self) -> Shape {
        Shape {
            states: self.dimension,
            inputs: self.wired.ports,
            outputs: self.wired.outputs.len(),
            indicators: self.indicators + usize::from(self.needs_completed_steps),
        }
    }

    fn start(&mut self, t: f64, x: &mut Vec<f64>) -> Result<(), Fault> {
        x.clear();
        x.resize(self.dimension, 0.0);
        self.held.fill(f64::NAN);
        self.initialise(t)?;
        self.read_states(x)
    }

    fn rates(&mut self, at: Point<'_>, dx: &mut [f64]) -> Result<(), Fault> {
        let Point { t, x, u } = at;
        self.trouble.check()?;
        self.place(t, x, u)?;
        self.check_feed_through(t, x, u)?;
        if dx.is_empty() {
            return Ok(());
        }
        self.machine.derivatives(dx)
    }

    fn outputs(&mut self, at: Point<'_>, y: &mut [f64]) {
        if let Err(fault) = self.look(at, y) {
            self.trouble.note(fault);
            y.fill(f64::NAN);
        }
    }

    fn state_name(&self, state: usize) -> String {
        let description = self.fmu.description();
        let place = description.states.get(state).copied().flatten();
        let name = place.map(|p| description.variables[p].name.clone());
        name.unwrap_or_else(|| format!("x{state}"))
    }

    fn indicators(&mut self, at: Point<'_>, z: &mut [f64]) {
        let Point { t, x, u } = at;
        match self.raw_indicators(t, x, u) {
            Ok(raw) => {
                for ((z, raw), (side, lift)) in z.iter_mut().zip(&raw).zip(&self.sides) {
                    *z = side * raw + lift;
                }
            }
            Err(fault) => {
                self.trouble.note(fault);
                z.fill(f64::NAN);
            }
        }
        if self.needs_completed_steps
            && let Some(last) = z.last_mut()
        {
            *last = self
                .wished
                .map_or(1.0, |wished| wished + SOON * wished.abs().max(1.0) - t);
        }
    }

    fn longest_step(&mut self, at: Point<'_>) -> f64 {
        let Point { t, x, u } = at;
        // A step begins here, so the one before it is accepted.
        if let Err(text) = self.complete(t, x, u) {
            self.trouble.note(text);
        }
        if self.trouble.wants_end() {
            // The run ends after this step.
            return SOON * t.abs().max(1.0);
        }
        f64::INFINITY
    }

    fn next_time(&self) -> Option<f64> {
        let of_inputs = self.wired.breaks.next(self.anchor);
        let times = self.next_time.into_iter().chain(of_inputs);
        times.min_by(f64::total_cmp)
    }

    fn microstep(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, Fault> {
        self.trouble.check()?;
        let t = time.t();
        if self.is_ending {
            self.trouble.end();
            return Ok(Happening::new(None, true));
        }
        let is_quiet =
            cause == Cause::Input && u.iter().zip(&self.held).all(|(a, b)| a.to_bits() == b.to_bits());
        if std::mem::take(&mut self.is_echo) && is_quiet {
            return Ok(Happening::default());
        }
        let is_new = cause == Cause::Start && self.begin(t, x, u)?;
        self.enter_event(t, cause, x, u)?;
        let updated = self.machine.update_discrete_states()?;
        if updated.has_changed_states {
            self.read_states(x)?;
        }
        (self.point, self.seen) = (None, None);
        if updated.wants_end {
            self.is_ending = true;
            let transition = self.transition(time, x);
            // One more microstep, which shows what changed.
            return Ok(Happening::new(transition, true));
        }
        self.next_time = updated.next_time.filter(|next| *next > t);
        if updated.needs_more {
            return Ok(Happening::new(None, true));
        }
        self.leave_event(t, x, u)?;
        let transition = self.transition(time, x);
        if cause == Cause::Start {
            self.is_echo = is_new || updated.has_changed_states;
            return Ok(Happening::new(None, self.is_echo));
        }
        Ok(Happening::new(transition, false))
    }
}
