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

use crate::rigid_body::components;
use crate::shown::Shown;
use crate::source::{AnyModel, Source};
use dyverse_component::{
    Cause, Described, Driver, Happening, Passed, Point, Slot, Stand, Value, has_same_bits,
};
use dyverse_lang::ActorModel;
use dyverse_model::Model;
use dyverse_simulate::{Mechanism, RunOptions};
use dyverse_tick::{Session, TickOptions};
use dyverse_trace::{StopReason, SuperdenseTime};

/// The step of differences, part of max(1, size).
const DIFFERENCE: f64 = 1e-4;
/// Marks saved instances, with the version of their layout.
const MARK: u64 = 0x6479_626c_6f63_0002;

/// What one microstep did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Microstep {
    /// Whether another is wanted at this instant.
    pub is_more: bool,
    /// Whether a continuous state jumped.
    pub has_changed_states: bool,
    /// Why the run ends here, if it does.
    pub stop: Option<StopReason>,
}

/// A block that runs.
pub struct Instance<'m> {
    source: &'m Source,
    parameters: Vec<Option<f64>>,
    initial: Vec<Option<f64>>,
    inputs: Vec<f64>,
    stand: Stand,
    shown: Shown,
    driver: Driver,
    component: Option<Box<dyn Described + 'm>>,
    /// Before the first microstep: a component after it, with the inputs that it was given. It shows what that will give.
    twin: Option<(Vec<f64>, Box<dyn Described + 'm>)>,
    is_running: bool,
    /// Whether the next microstep is the first.
    is_start: bool,
}

impl std::fmt::Debug for Instance<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance")
            .field("name", &self.source.description.name)
            .field("t", &self.stand.t)
            .finish_non_exhaustive()
    }
}

/// What goes wrong inside.
type Outcome<T> = Result<T, String>;

/// A rigid-body system as a component.
pub(crate) fn mechanism<'m>(model: &'m Model, options: &RunOptions) -> Outcome<Box<dyn Described + 'm>> {
    let made = Mechanism::new(model, options).map_err(|error| error.to_string())?;
    Ok(Box::new(made))
}

/// An actor model as a component.
pub(crate) fn session<'m>(model: &'m ActorModel, options: &TickOptions) -> Outcome<Box<dyn Described + 'm>> {
    if let Some(fmu) = model.fmus.first() {
        return Err(format!(
            "the model contains the FMU `{}`: a block cannot contain another tool's",
            fmu.name
        ));
    }
    let parts = components(model, options).map_err(|error| error.to_string())?;
    let session = Session::new(&model.graph, parts, options);
    Ok(Box::new(session.map_err(|error| error.to_string())?))
}

impl<'m> Instance<'m> {
    /// A block at rest.
    pub fn new(source: &'m Source) -> Self {
        let all = source.description.variables.iter();
        let count = |of: fn(&Slot) -> bool| all.clone().filter(|v| of(&v.slot)).count();
        Instance {
            parameters: vec![None; count(|s| matches!(s, Slot::Parameter(_)))],
            initial: vec![None; source.description.states.len()],
            inputs: vec![f64::NAN; count(|s| matches!(s, Slot::Input(_)))],
            stand: Stand::default(),
            shown: Shown::default(),
            driver: Driver::default(),
            component: None,
            twin: None,
            is_running: false,
            is_start: true,
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
        self.stand.t
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
        self.stand.t = t;
        (self.component, self.twin) = (None, None);
        Ok(())
    }

    fn make(&self) -> Outcome<Box<dyn Described + 'm>> {
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
                mechanism(model, &options)
            }
            AnyModel::Actors(model) => {
                let options = TickOptions {
                    parameters,
                    ..TickOptions::default()
                };
                session(model, &options)
            }
        }
    }

    /// The component, made if there is none, where it is, and its inputs.
    fn ready(&mut self) -> Outcome<(&mut (dyn Described + 'm), &mut Stand, &[f64])> {
        let component = match self.component.take() {
            Some(component) => component,
            None => {
                let mut component = self.make()?;
                self.stand = Stand::start(component.as_mut(), self.stand.t)?;
                component
            }
        };
        let component = self.component.insert(component);
        Ok((component.as_mut(), &mut self.stand, &self.inputs))
    }

    /// What answers questions, and where: before the first microstep another component, which has executed it.
    fn asked(&mut self) -> Outcome<(&mut (dyn Described + 'm), Point<'_>)> {
        self.ready()?;
        let at = self.stand.at(&self.inputs);
        if !self.is_start {
            let component = self.component.as_mut().ok_or("there is nothing to run")?;
            return Ok((component.as_mut(), at));
        }
        let known = self.twin.take().filter(|(u, _)| has_same_bits(u, &self.inputs));
        let twin = match known {
            Some(twin) => twin,
            None => {
                let mut twin = self.make()?;
                let mut stand = Stand::start(twin.as_mut(), self.stand.t)?;
                stand.enter(twin.as_mut(), &self.inputs)?;
                stand.microstep(twin.as_mut(), Cause::Start, &self.inputs)?;
                (self.inputs.clone(), twin)
            }
        };
        let (_, twin) = self.twin.insert(twin);
        Ok((twin.as_mut(), at))
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
            Slot::Time => Value::Real(self.stand.t),
            Slot::Input(i) if !self.inputs[i].is_nan() => Value::Real(self.inputs[i]),
            Slot::Parameter(_) | Slot::Input(_) => {
                let (component, stand, u) = self.ready()?;
                component.observe(stand.at(u), slot)?
            }
            Slot::State(s) => Value::Real(self.ready()?.1.x[s]),
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
            Slot::Impact(place) => {
                let label = self.source.description.contacts.get(place);
                let is_struck = |label: &String| self.shown.is_struck(label, self.stand.t);
                Value::Boolean(label.is_some_and(is_struck))
            }
            other => self.observe(other)?,
        })
    }

    fn observe(&mut self, slot: Slot) -> Outcome<Value> {
        let to_come = self.shown.impacts_to_come();
        let middle = self.shown.middle().map(|(n, location)| (n, location.to_owned()));
        // Where it is, it is before the first microstep too; what it would show is asked of the twin.
        let is_place = matches!(
            slot,
            Slot::Location | Slot::Microstep | Slot::ImpactCount | Slot::Mode(_)
        );
        let (component, at) = if is_place {
            let (component, stand, u) = self.ready()?;
            (component, stand.at(u))
        } else {
            self.asked()?
        };
        Ok(match (slot, middle) {
            (Slot::Location, Some((_, location))) => Value::Text(location),
            (Slot::Microstep, Some((n, _))) => Value::Integer(n),
            _ => match component.observe(at, slot)? {
                Value::Integer(count) if slot == Slot::ImpactCount => Value::Integer(count - to_come),
                value => value,
            },
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
        (self.component, self.twin) = (None, None);
        Ok(())
    }

    /// The run begins: its first instant, with microsteps to come.
    ///
    /// # Errors
    /// What is wrong with the values that were set.
    pub fn begin(&mut self) -> Outcome<()> {
        self.begin_instant()?;
        self.is_running = true;
        Ok(())
    }

    /// An instant begins: something crossed, an input jumped, a time is there.
    ///
    /// # Errors
    /// Text for people.
    pub fn begin_instant(&mut self) -> Outcome<()> {
        self.shown.finish(&mut self.stand);
        let (component, stand, u) = self.ready()?;
        Ok(stand.enter(component, u)?)
    }

    /// One microstep of the present instant.
    ///
    /// # Errors
    /// Why the run cannot go on.
    pub fn microstep(&mut self) -> Outcome<Microstep> {
        self.ready()?;
        let before = self.stand.x.clone();
        let mut stop = None;
        if !self.shown.is_more() {
            let cause = self.cause();
            let (component, stand, u) = self.ready()?;
            let happening = stand.microstep(component, cause, u)?;
            stop = happening.stop;
            let rest = (happening.is_unfinished, &before[..]);
            self.shown.begin(happening.transitions, rest, &mut self.stand);
        }
        let component = &self.component;
        let place = |signal| {
            component
                .as_ref()
                .and_then(|component| component.state_of(signal))
        };
        let is_more = self.shown.next(&mut self.stand, place);
        Ok(Microstep {
            is_more: is_more && stop.is_none(),
            has_changed_states: !has_same_bits(&before, &self.stand.x),
            stop,
        })
    }

    /// All microsteps of the present instant; why the run ends here, if it does.
    ///
    /// # Errors
    /// Why the run cannot go on.
    pub fn finish_instant(&mut self) -> Outcome<Option<StopReason>> {
        self.ready()?;
        let cause = self.cause();
        let component = self.component.as_mut().ok_or("there is nothing to run")?;
        let (shown, stand) = (&mut self.shown, &mut self.stand);
        shown.finish(stand);
        let note = &mut |_: &Stand, happening: Happening| shown.skip(happening.transitions);
        Ok(stand.finish(component.as_mut(), cause, &self.inputs, note)?)
    }

    /// Why the next microstep is executed, as far as it is known.
    fn cause(&mut self) -> Cause {
        self.twin = None;
        if std::mem::take(&mut self.is_start) {
            Cause::Start
        } else {
            Cause::Input
        }
    }

    /// Moves to a time; states follow with [`set_states`](Self::set_states).
    ///
    /// # Errors
    /// If it is no finite number.
    pub fn move_to(&mut self, t: f64) -> Outcome<()> {
        if !t.is_finite() {
            return Err(format!("time cannot be {t}"));
        }
        self.stand.t = t;
        Ok(())
    }

    /// Replaces the continuous states.
    ///
    /// # Errors
    /// If there are not as many, or one is no finite number.
    pub fn set_states(&mut self, x: &[f64]) -> Outcome<()> {
        self.ready()?;
        if x.len() != self.stand.x.len() {
            return Err(format!(
                "there are {} states, not {}",
                self.stand.x.len(),
                x.len()
            ));
        }
        if let Some(place) = x.iter().position(|x| !x.is_finite()) {
            let name = &self.source.description.variables[self.source.description.states[place]].name;
            return Err(format!("`{name}` cannot be {}", x[place]));
        }
        self.stand.x.copy_from_slice(x);
        Ok(())
    }

    /// The continuous states.
    ///
    /// # Errors
    /// What is wrong with the values that were set.
    pub fn states(&mut self) -> Outcome<&[f64]> {
        self.ready()?;
        Ok(&self.stand.x)
    }

    /// Writes the derivatives of the states.
    ///
    /// # Errors
    /// Where they have no value.
    pub fn derivatives(&mut self, dx: &mut [f64]) -> Outcome<()> {
        let (component, at) = self.asked()?;
        if dx.len() != at.x.len() {
            return Err(format!("there are {} states, not {}", at.x.len(), dx.len()));
        }
        component.rates(at, dx)?;
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
        let (component, at) = self.asked()?;
        component.indicators(at, z);
        Ok(())
    }

    /// When it wants an event whatever happens, if ever.
    pub fn next_time(&self) -> Option<f64> {
        self.component
            .as_ref()
            .and_then(|component| component.next_time())
    }

    /// Lets time pass until `until`. Events are executed on the way, or the step ends at the first of them, before its first microstep.
    ///
    /// # Errors
    /// Why the run cannot go on.
    pub fn step(&mut self, until: f64, stops_at_event: bool) -> Outcome<Passed> {
        self.ready()?;
        if !until.is_finite() || until < self.stand.t {
            return Err(format!("a step cannot lead from {} s to {until} s", self.stand.t));
        }
        let component = self.component.as_mut().ok_or("there is nothing to run")?;
        let (shown, stand) = (&mut self.shown, &mut self.stand);
        shown.finish(stand);
        let to = (until, &self.inputs[..]);
        let note = &mut |_: &Stand, happening: Happening| shown.skip(happening.transitions);
        Ok(if stops_at_event {
            self.driver.pass(component.as_mut(), stand, to, note)?
        } else {
            self.driver.run(component.as_mut(), stand, to, note)?
        })
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
        let before = (self.stand.x.clone(), self.inputs.clone());
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
            self.stand.x.clone_from(&before.0);
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
        (self.stand.x, self.inputs) = before;
        outcome.map(|()| sums)
    }

    fn shift(&mut self, knowns: &[usize], seed: &[f64], by: f64) -> Outcome<()> {
        for (known, seed) in knowns.iter().zip(seed) {
            match self.source.description.variables[*known].slot {
                Slot::State(s) => self.stand.x[s] += by * seed,
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
        let bytes = self.ready()?.0.snapshot()?;
        let mut words = vec![MARK, u64::from(self.is_running), u64::from(self.is_start)];
        for value in self.parameters.iter().chain(&self.initial) {
            words.extend([u64::from(value.is_some()), value.unwrap_or(0.0).to_bits()]);
        }
        let now = self.stand.now;
        words.extend([
            self.stand.t.to_bits(),
            u64::from(now.is_some()),
            now.map_or(0, |now| now.t().to_bits()),
            now.map_or(0, |now| u64::from(now.n())),
        ]);
        for list in [&self.inputs, &self.stand.told, &self.stand.x, self.shown.rest()] {
            words.push(list.len() as u64);
            words.extend(list.iter().map(|value| value.to_bits()));
        }
        words.push(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            words.push(u64::from_le_bytes(word));
        }
        Ok(words)
    }

    /// Goes back to what was saved.
    ///
    /// # Errors
    /// If these are no saved words of this model; nothing has changed then.
    pub fn load(&mut self, words: &[u64]) -> Outcome<()> {
        let mut loaded = Instance::new(self.source);
        let read = loaded.read(&mut words.iter().copied());
        let (bytes, stand) = read.ok_or("these are no saved states of this model")?;
        loaded.ready()?.0.restore(&bytes)?;
        loaded.stand = stand;
        *self = loaded;
        Ok(())
    }

    /// Reads all but what the component remembers: that, and where it is.
    fn read(&mut self, words: &mut dyn Iterator<Item = u64>) -> Option<(Vec<u8>, Stand)> {
        if words.next()? != MARK {
            return None;
        }
        self.is_running = words.next()? == 1;
        self.is_start = words.next()? == 1;
        for value in self.parameters.iter_mut().chain(&mut self.initial) {
            let is_set = words.next()? == 1;
            let number = f64::from_bits(words.next()?);
            *value = is_set.then_some(number);
        }
        let t = f64::from_bits(words.next()?);
        let has_now = words.next()? == 1;
        let now = (f64::from_bits(words.next()?), u32::try_from(words.next()?).ok()?);
        let now = if has_now {
            Some(SuperdenseTime::new(now.0, now.1)?)
        } else {
            None
        };
        let mut lists: [Vec<f64>; 4] = Default::default();
        let (states, inputs) = (self.initial.len(), self.inputs.len());
        for (list, most) in lists.iter_mut().zip([inputs, inputs, states, states]) {
            let count = usize::try_from(words.next()?)
                .ok()
                .filter(|count| *count <= most)?;
            let values = (0..count).map(|_| words.next().map(f64::from_bits));
            *list = values.collect::<Option<_>>()?;
        }
        let [u, told, x, after] = lists;
        let is_whole = u.len() == inputs && x.len() == states && (after.is_empty() || after.len() == states);
        let set = self.parameters.iter().chain(&self.initial).flatten();
        let is_finite = set.chain(&x).chain(&after).chain([&t]).all(|v| v.is_finite())
            && !u.iter().chain(&told).any(|u| u.is_infinite());
        if !(is_whole && is_finite) {
            return None;
        }
        let length = usize::try_from(words.next()?).ok()?;
        let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        if bytes.len() != length.div_ceil(8).saturating_mul(8) {
            return None;
        }
        bytes.truncate(length);
        self.inputs = u;
        self.shown = Shown::cut_short(after);
        self.stand.t = t;
        Some((bytes, Stand { t, x, now, told }))
    }
}
