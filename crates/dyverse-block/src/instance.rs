//! A block that runs: values in and out, events, time.
//!
//! Before a run parameters, initial values and inputs are set; the engine is made from them when it is first needed, and again when they change. Who runs the block
//! chooses between two ways:
//!
//! | | model exchange | co-simulation |
//! |---|---|---|
//! | time passes | [`Instance::move_to`], derivatives, indicators | [`Instance::step`] |
//! | an event | [`Instance::begin_instant`], [`Instance::microstep`] until no more is wanted | the same, or inside the step |
//!
//! # Guarantee
//! Nothing that is no finite number gets in. What is asked does not change what comes next.

use crate::actors::Actors;
use crate::bodies::Bodies;
use crate::engine::{Advanced, At, Engine, Microstep};
use crate::source::{AnyModel, Source};
use crate::{Slot, Value};
use dyverse_run::RunOptions;
use dyverse_tick::TickOptions;

/// Microsteps at one instant at the most, when the block executes them itself.
const MOST_MICROSTEPS: usize = 100_000;
/// The step of differences, part of max(1, size).
const DIFFERENCE: f64 = 1e-4;
/// Marks saved instances, with the version of their layout.
const MARK: u64 = 0x6479_626c_6f63_0001;

/// A block that runs.
pub struct Instance<'m> {
    source: &'m Source,
    parameters: Vec<Option<f64>>,
    initial: Vec<Option<f64>>,
    inputs: Vec<f64>,
    t: f64,
    x: Vec<f64>,
    engine: Option<Box<dyn Engine + 'm>>,
    is_running: bool,
}

impl std::fmt::Debug for Instance<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance")
            .field("name", &self.source.description.name)
            .field("t", &self.t)
            .finish_non_exhaustive()
    }
}

/// What goes wrong inside.
type Outcome<T> = Result<T, String>;

impl<'m> Instance<'m> {
    /// A block at rest.
    pub fn new(source: &'m Source) -> Self {
        let count = |of: fn(&Slot) -> bool| {
            source
                .description
                .variables
                .iter()
                .filter(|v| of(&v.slot))
                .count()
        };
        let inputs = vec![f64::NAN; count(|s| matches!(s, Slot::Input(_)))];
        Instance {
            parameters: vec![None; count(|s| matches!(s, Slot::Parameter(_)))],
            initial: vec![None; source.description.states.len()],
            inputs,
            t: 0.0,
            x: Vec::new(),
            engine: None,
            is_running: false,
            source,
        }
    }

    /// The model it is an instance of.
    pub fn source(&self) -> &'m Source {
        self.source
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = Instance::new(self.source);
    }

    /// Present time, s.
    pub fn time(&self) -> f64 {
        self.t
    }

    /// When the run begins.
    ///
    /// # Errors
    /// If that is no finite number, or the run is under way.
    pub fn set_start_time(&mut self, t: f64) -> Outcome<()> {
        if !t.is_finite() {
            return Err(format!("a run cannot begin at {t}"));
        }
        if self.is_running {
            return Err("the run is under way".into());
        }
        self.t = t;
        self.engine = None;
        Ok(())
    }

    fn make(&self) -> Outcome<Box<dyn Engine + 'm>> {
        let variables = &self.source.description.variables;
        let chosen = |of: &dyn Fn(&Slot) -> Option<f64>| -> Vec<(String, f64)> {
            let all = variables.iter();
            all.filter_map(|v| of(&v.slot).map(|value| (v.name.clone(), value)))
                .collect()
        };
        let parameters = chosen(&|slot| match slot {
            Slot::Parameter(p) => self.parameters[*p],
            _ => None,
        });
        let initial = chosen(&|slot| match slot {
            Slot::State(s) => self.initial[*s],
            _ => None,
        });
        match &self.source.model {
            AnyModel::Bodies(model) => {
                let options = RunOptions {
                    parameters,
                    initial,
                    ..RunOptions::default()
                };
                Ok(Box::new(Bodies::new(model, &options)?))
            }
            AnyModel::Actors(model) => {
                let options = TickOptions {
                    parameters,
                    ..TickOptions::default()
                };
                Ok(Box::new(Actors::new(model, &options)?))
            }
        }
    }

    /// The engine, made if there is none.
    fn ready(&mut self) -> Outcome<&mut (dyn Engine + 'm)> {
        if self.engine.is_none() {
            let mut engine = self.make()?;
            engine.initial(&mut self.x);
            self.engine = Some(engine);
        }
        match &mut self.engine {
            Some(engine) => Ok(engine.as_mut()),
            None => Err("there is nothing to run".into()),
        }
    }

    /// The engine, and where it is.
    fn parts(&mut self) -> Outcome<(&mut (dyn Engine + 'm), At<'_>)> {
        self.ready()?;
        let at = At {
            t: self.t,
            x: &self.x,
            u: &self.inputs,
        };
        match &mut self.engine {
            Some(engine) => Ok((engine.as_mut(), at)),
            None => Err("there is nothing to run".into()),
        }
    }

    /// The value of a variable, by its place.
    ///
    /// # Errors
    /// Text for people: there is no such variable, or it has no value here.
    pub fn get(&mut self, variable: usize) -> Outcome<Value> {
        let found = self.source.description.variables.get(variable);
        let slot = found
            .ok_or_else(|| format!("there is no variable {variable}"))?
            .slot;
        Ok(match slot {
            Slot::Time => Value::Real(self.t),
            Slot::Parameter(p) => Value::Real(self.ready()?.parameter(p)),
            Slot::Input(i) => {
                let (t, set) = (self.t, self.inputs[i]);
                Value::Real(if set.is_nan() {
                    self.ready()?.input_default(i, t)
                } else {
                    set
                })
            }
            Slot::State(s) => {
                self.ready()?;
                Value::Real(self.x[s])
            }
            Slot::Derivative(s) => {
                let mut dx = vec![0.0; self.source.description.states.len()];
                self.derivatives(&mut dx)?;
                Value::Real(dx[s])
            }
            Slot::Indicator(place) => {
                let mut z = vec![0.0; self.source.description.indicators.len()];
                self.indicators(&mut z)?;
                Value::Real(z[place])
            }
            other => {
                let (engine, at) = self.parts()?;
                engine.observe(at, other)?
            }
        })
    }

    /// Whether a variable can be set to a value now; what it is inside.
    ///
    /// # Errors
    /// Text for people: the variable cannot be set (now), or not to this.
    pub fn check(&self, variable: usize, value: f64) -> Outcome<Slot> {
        let found = self.source.description.variables.get(variable);
        let found = found.ok_or_else(|| format!("there is no variable {variable}"))?;
        let name = &found.name;
        if !value.is_finite() {
            return Err(format!("`{name}` cannot be {value}"));
        }
        match found.slot {
            Slot::Input(_) => Ok(found.slot),
            Slot::Parameter(_) | Slot::State(_) if found.start.is_none() => Err(format!(
                "`{name}` follows from parameters: set those before the run"
            )),
            Slot::Parameter(_) | Slot::State(_) if self.is_running => {
                Err(format!("`{name}` can be set before the run only"))
            }
            Slot::Parameter(_) | Slot::State(_) => Ok(found.slot),
            _ => Err(format!("`{name}` cannot be set")),
        }
    }

    /// Sets a variable: an input, or before the run a parameter or an initial value.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn set(&mut self, variable: usize, value: f64) -> Outcome<()> {
        match self.check(variable, value)? {
            Slot::Input(i) => {
                self.inputs[i] = value;
                return Ok(());
            }
            Slot::Parameter(p) => self.parameters[p] = Some(value),
            Slot::State(s) => self.initial[s] = Some(value),
            _ => {}
        }
        self.engine = None;
        Ok(())
    }

    /// The run begins: its first instant, with microsteps to come.
    ///
    /// # Errors
    /// What is wrong with the values that were set.
    pub fn begin(&mut self) -> Outcome<()> {
        let (engine, at) = self.parts()?;
        engine.begin_instant(at, true)?;
        self.is_running = true;
        Ok(())
    }

    /// An instant begins: something crossed, an input jumped, a time is there.
    ///
    /// # Errors
    /// Text for people.
    pub fn begin_instant(&mut self) -> Outcome<()> {
        let (engine, at) = self.parts()?;
        engine.begin_instant(at, false)
    }

    /// One microstep of the present instant.
    ///
    /// # Errors
    /// Why the run cannot go on.
    pub fn microstep(&mut self) -> Outcome<Microstep> {
        self.ready()?;
        match &mut self.engine {
            Some(engine) => engine.microstep(self.t, &mut self.x, &self.inputs),
            None => Err("there is nothing to run".into()),
        }
    }

    /// All microsteps of the present instant.
    ///
    /// # Errors
    /// Why the run cannot go on.
    pub fn finish_instant(&mut self) -> Outcome<Microstep> {
        let mut has_changed_states = false;
        for _ in 0..MOST_MICROSTEPS {
            let made = self.microstep()?;
            has_changed_states |= made.has_changed_states;
            if !made.is_more || made.stop.is_some() {
                return Ok(Microstep {
                    has_changed_states,
                    ..made
                });
            }
        }
        Err(format!(
            "at {} s there is no end of microsteps: {MOST_MICROSTEPS} are done",
            self.t
        ))
    }

    /// Moves to a time; states follow with [`set_states`](Self::set_states).
    ///
    /// # Errors
    /// If it is no finite number.
    pub fn move_to(&mut self, t: f64) -> Outcome<()> {
        if !t.is_finite() {
            return Err(format!("time cannot be {t}"));
        }
        self.t = t;
        Ok(())
    }

    /// Replaces the continuous states.
    ///
    /// # Errors
    /// If there are not as many, or one is no finite number.
    pub fn set_states(&mut self, x: &[f64]) -> Outcome<()> {
        self.ready()?;
        if x.len() != self.x.len() {
            return Err(format!("there are {} states, not {}", self.x.len(), x.len()));
        }
        if let Some(place) = x.iter().position(|x| !x.is_finite()) {
            let name = &self.source.description.variables[self.source.description.states[place]].name;
            return Err(format!("`{name}` cannot be {}", x[place]));
        }
        self.x.copy_from_slice(x);
        Ok(())
    }

    /// The continuous states.
    ///
    /// # Errors
    /// What is wrong with the values that were set.
    pub fn states(&mut self) -> Outcome<&[f64]> {
        self.ready()?;
        Ok(&self.x)
    }

    /// Writes the derivatives of the states.
    ///
    /// # Errors
    /// Where they have no value.
    pub fn derivatives(&mut self, dx: &mut [f64]) -> Outcome<()> {
        let (engine, at) = self.parts()?;
        if dx.len() != at.x.len() {
            return Err(format!("there are {} states, not {}", at.x.len(), dx.len()));
        }
        engine.derivative(at, dx)?;
        match dx.iter().position(|d| !d.is_finite()) {
            Some(place) => Err(format!("the derivative of state {place} is {}", dx[place])),
            None => Ok(()),
        }
    }

    /// Writes the event indicators.
    ///
    /// # Errors
    /// Where they have no value.
    pub fn indicators(&mut self, z: &mut [f64]) -> Outcome<()> {
        let count = self.source.description.indicators.len();
        if z.len() != count {
            return Err(format!("there are {count} event indicators, not {}", z.len()));
        }
        let (engine, at) = self.parts()?;
        engine.indicators(at, z)
    }

    /// When it wants an event whatever happens, if ever.
    pub fn next_time(&self) -> Option<f64> {
        self.engine.as_ref().and_then(|engine| engine.next_time())
    }

    /// Lets time pass until `until`. Events are executed on the way, or the step ends at the first of them, before its first microstep.
    ///
    /// # Errors
    /// Why the run cannot go on.
    pub fn step(&mut self, until: f64, stops_at_event: bool) -> Outcome<Advanced> {
        self.ready()?;
        if !until.is_finite() || until < self.t {
            return Err(format!("a step cannot lead from {} s to {until} s", self.t));
        }
        loop {
            let Some(engine) = &mut self.engine else {
                return Err("there is nothing to run".into());
            };
            let reached = engine.advance(self.t, until, &mut self.x, &self.inputs)?;
            self.t = reached.t;
            if !reached.is_event || stops_at_event || reached.stop.is_some() {
                return Ok(reached);
            }
            self.begin_instant()?;
            if let Some(stop) = self.finish_instant()?.stop {
                return Ok(self.stopped(stop));
            }
            if self.t >= until && self.next_time().is_none_or(|t| t > until) {
                return Ok(Advanced {
                    is_event: false,
                    ..reached
                });
            }
        }
    }

    fn stopped(&self, stop: String) -> Advanced {
        Advanced {
            t: self.t,
            is_event: false,
            stop: Some(stop),
        }
    }

    /// The derivatives of `unknowns` along the direction `seed` of `knowns` (states and inputs), by differences of fourth order.
    ///
    /// # Errors
    /// If something is no real variable, or has no value near here.
    pub fn directional_derivative(
        &mut self,
        unknowns: &[usize],
        knowns: &[usize],
        seed: &[f64],
    ) -> Outcome<Vec<f64>> {
        if knowns.len() != seed.len() {
            return Err(format!("{} knowns, but {} in the seed", knowns.len(), seed.len()));
        }
        self.ready()?;
        let before = (self.x.clone(), self.inputs.clone());
        let size = knowns
            .iter()
            .try_fold(0.0_f64, |size, known| match self.get(*known)? {
                Value::Real(value) => Ok(size.max(value.abs())),
                _ => Err("only derivatives by real variables exist".to_owned()),
            })?;
        let longest = seed.iter().fold(0.0_f64, |longest, s| longest.max(s.abs()));
        if longest == 0.0 {
            return Ok(vec![0.0; unknowns.len()]);
        }
        let h = DIFFERENCE * size.max(1.0) / longest;
        let mut sums = vec![0.0; unknowns.len()];
        let mut outcome = Ok(());
        for (steps, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            self.x.clone_from(&before.0);
            self.inputs.clone_from(&before.1);
            outcome = self.shift(knowns, seed, steps * h).and_then(|()| {
                for (sum, unknown) in sums.iter_mut().zip(unknowns) {
                    match self.get(*unknown)? {
                        Value::Real(value) => *sum += weight * value / (12.0 * h),
                        _ => return Err("only real variables have derivatives".to_owned()),
                    }
                }
                Ok(())
            });
            if outcome.is_err() {
                break;
            }
        }
        (self.x, self.inputs) = before;
        outcome.map(|()| sums)
    }

    fn shift(&mut self, knowns: &[usize], seed: &[f64], by: f64) -> Outcome<()> {
        for (known, seed) in knowns.iter().zip(seed) {
            match self.source.description.variables[*known].slot {
                Slot::State(s) => self.x[s] += by * seed,
                Slot::Input(i) => {
                    let Value::Real(value) = self.get(*known)? else {
                        continue;
                    };
                    self.inputs[i] = value + by * seed;
                }
                _ => return Err("only derivatives by states and inputs exist".into()),
            }
        }
        Ok(())
    }

    /// Everything, as words.
    ///
    /// # Errors
    /// What is wrong with the values that were set.
    pub fn save(&mut self) -> Outcome<Vec<u64>> {
        self.ready()?;
        let mut words = vec![MARK, u64::from(self.is_running), self.t.to_bits()];
        let options = |list: &[Option<f64>], words: &mut Vec<u64>| {
            for value in list {
                words.extend([u64::from(value.is_some()), value.unwrap_or(0.0).to_bits()]);
            }
        };
        options(&self.parameters, &mut words);
        options(&self.initial, &mut words);
        words.extend(self.inputs.iter().map(|u| u.to_bits()));
        words.push(self.x.len() as u64);
        words.extend(self.x.iter().map(|x| x.to_bits()));
        if let Some(engine) = &self.engine {
            words.extend(engine.snapshot()?);
        }
        Ok(words)
    }

    /// Goes back to what was saved.
    ///
    /// # Errors
    /// If these are no saved words of this model; nothing has changed then.
    pub fn load(&mut self, words: &[u64]) -> Outcome<()> {
        let mut loaded = Instance::new(self.source);
        loaded.read(words)?;
        *self = loaded;
        Ok(())
    }

    fn read(&mut self, words: &[u64]) -> Outcome<()> {
        let bad = || "these are no saved states of this model".to_owned();
        let mut rest = words.iter().copied();
        let mut next = || rest.next().ok_or_else(bad);
        if next()? != MARK {
            return Err(bad());
        }
        let is_running = next()? == 1;
        self.t = Some(f64::from_bits(next()?))
            .filter(|t| t.is_finite())
            .ok_or_else(bad)?;
        for value in self.parameters.iter_mut().chain(&mut self.initial) {
            let is_set = next()? == 1;
            let number = f64::from_bits(next()?);
            *value = is_set.then_some(number);
        }
        for value in &mut self.inputs {
            *value = f64::from_bits(next()?);
        }
        let count = usize::try_from(next()?).map_err(|_| bad())?;
        if count != self.source.description.states.len() {
            return Err(bad());
        }
        let x = (0..count)
            .map(|_| next().map(f64::from_bits))
            .collect::<Outcome<Vec<f64>>>()?;
        let numbers = self.parameters.iter().chain(&self.initial).flatten().chain(&x);
        if numbers.into_iter().any(|v| !v.is_finite()) || self.inputs.iter().any(|u| u.is_infinite()) {
            return Err(bad());
        }
        let rest: Vec<u64> = rest.collect();
        self.ready()?.restore(&rest)?;
        self.x = x;
        self.is_running = is_running;
        Ok(())
    }
}
