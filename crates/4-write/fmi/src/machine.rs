//! The states of an instance, and what may be called in each [FMI 2.0 §3.2.3, §4.2.4; FMI 3.0 §2.3, §3.2, §4.2].
//!
//! ```text
//! instantiated → initialisation → event ⇄ continuous time     (model exchange)
//!                               → event ⇄ step                (co-simulation with event mode)
//!                               → step                        (co-simulation)
//! ```
//! A call in the wrong state is an error and changes nothing.

use crate::logger::{Logger, c_text};
use crate::{resources, table};
use dyverse_block::{Instance, Kind, Value};
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `fmi2Status` and `fmi3Status`.
pub(crate) const OK: c_int = 0;
pub(crate) const DISCARD: c_int = 2;
pub(crate) const ERROR: c_int = 3;
pub(crate) const FATAL: c_int = 4;

/// A step this many times longer than the model's own horizon (or a second) is refused.
const LONGEST_STEP: f64 = 1e6;
/// Communication points may differ from the time reached by this part of it.
const SAME_TIME: f64 = 1e-9;

/// Why a call did not do what was asked.
pub(crate) struct Failure {
    pub(crate) status: c_int,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Failure {
            status: ERROR,
            message: message.into(),
        }
    }

    pub(crate) fn discard(message: impl Into<String>) -> Self {
        Failure {
            status: DISCARD,
            message: message.into(),
        }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::error(message)
    }
}

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// The state of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Instantiated,
    Initialization,
    Event,
    ContinuousTime,
    Step,
    Terminated,
}

impl Phase {
    const ALL: [Phase; 6] = [
        Phase::Instantiated,
        Phase::Initialization,
        Phase::Event,
        Phase::ContinuousTime,
        Phase::Step,
        Phase::Terminated,
    ];

    fn name(self) -> &'static str {
        match self {
            Phase::Instantiated => "instantiated",
            Phase::Initialization => "in initialization mode",
            Phase::Event => "in event mode",
            Phase::ContinuousTime => "in continuous-time mode",
            Phase::Step => "in step mode",
            Phase::Terminated => "terminated",
        }
    }
}

/// When a function may be called.
pub(crate) const ALWAYS: &[Phase] = &Phase::ALL;
pub(crate) const RUNNING: &[Phase] = &[
    Phase::Initialization,
    Phase::Event,
    Phase::ContinuousTime,
    Phase::Step,
    Phase::Terminated,
];

/// What runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    ModelExchange,
    CoSimulation {
        uses_event_mode: bool,
        may_return_early: bool,
    },
}

/// What a step came to.
pub(crate) struct Stepped {
    pub(crate) t: f64,
    pub(crate) needs_event: bool,
    pub(crate) is_early: bool,
    pub(crate) is_terminated: bool,
}

/// What a microstep came to.
pub(crate) struct Updated {
    pub(crate) is_more: bool,
    pub(crate) is_terminated: bool,
    pub(crate) has_changed_states: bool,
    pub(crate) next_time: Option<f64>,
}

/// An instance with its state.
pub(crate) struct Machine {
    pub(crate) instance: Instance<'static>,
    pub(crate) phase: Phase,
    pub(crate) interface: Interface,
    pub(crate) logger: Logger,
    /// Whether the run came to its own end.
    pub(crate) has_ended: bool,
    stop_time: Option<f64>,
    /// Texts that were handed out; they live until the next ones are.
    texts: Vec<CString>,
    saved: BTreeMap<usize, Vec<u8>>,
    next_saved: usize,
    /// What the importer may want to know.
    notes: Vec<String>,
    /// The model; after the instance, which reads it to its end.
    _source: resources::Held,
}

/// Makes an instance of the model in a folder; null if there is none.
pub(crate) fn instantiate(
    (token, location): (&str, &str),
    interface: Interface,
    logger: Logger,
) -> *mut c_void {
    let made = catch_unwind(|| {
        let held = resources::source(&resources::path_of(location), token)?;
        // SAFETY: both go into one machine, whose fields are dropped in their order: the instance first.
        let source = unsafe { held.for_instance() }.ok_or("the model is gone")?;
        Ok((Instance::new(source), held))
    });
    match made {
        Ok(Ok((instance, held))) => table::insert(Machine {
            instance,
            phase: Phase::Instantiated,
            interface,
            logger,
            has_ended: false,
            stop_time: None,
            texts: Vec::new(),
            saved: BTreeMap::new(),
            next_saved: 1,
            notes: Vec::new(),
            _source: held,
        }),
        Ok(Err(message)) => {
            let message: String = message;
            logger.error(ERROR, &message);
            std::ptr::null_mut()
        }
        Err(_) => {
            logger.error(FATAL, "the model cannot be read: an internal error");
            std::ptr::null_mut()
        }
    }
}

/// Does something with an instance; gives the status. Messages are told after the instance is free again.
pub(crate) fn call(
    handle: *mut c_void,
    name: &str,
    allowed: &[Phase],
    then: impl FnOnce(&mut Machine) -> Outcome,
) -> c_int {
    let told = table::with(handle, |machine| {
        let outcome = if allowed.contains(&machine.phase) {
            catch_unwind(AssertUnwindSafe(|| then(machine))).unwrap_or_else(|_| {
                machine.phase = Phase::Terminated;
                Err(Failure {
                    status: FATAL,
                    message: "an internal error".into(),
                })
            })
        } else {
            Err(Failure::error(format!(
                "it cannot be called while the instance is {}",
                machine.phase.name()
            )))
        };
        let notes = std::mem::take(&mut machine.notes);
        let logger = (outcome.is_err() || !notes.is_empty()).then(|| machine.logger.clone());
        (outcome, notes, logger)
    });
    let Some((outcome, notes, logger)) = told else {
        return ERROR;
    };
    if let Some(logger) = &logger {
        notes.iter().for_each(|note| logger.event(note));
        if let Err(failure) = &outcome {
            logger.error(failure.status, &format!("{name}: {}", failure.message));
        }
    }
    outcome.map_or_else(|failure| failure.status, |()| OK)
}

/// Functions for the importer, each under the names that the versions of the standard give it: its arguments after the instance, when it may be called, what it does with
/// the machine. Those that read or write memory of the importer are unsafe.
macro_rules! exported {
    (safe $name:ident ($($argument:ident: $type:ty),* $(,)?), $phases:expr, $machine:ident, $body:expr) => {
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(handle: *mut std::ffi::c_void $(, $argument: $type)*) -> std::ffi::c_int {
            $crate::machine::call(handle, stringify!($name), $phases, |$machine| $body)
        }
    };
    (unsafe $name:ident ($($argument:ident: $type:ty),* $(,)?), $phases:expr, $machine:ident, $body:expr) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(handle: *mut std::ffi::c_void $(, $argument: $type)*) -> std::ffi::c_int {
            // SAFETY: arrays and places are the importer's, as long as it says, or null.
            $crate::machine::call(handle, stringify!($name), $phases, |$machine| unsafe { $body })
        }
    };
    ($safety:tt: $(fn $($name:ident)|+: $arguments:tt in $phases:expr, |$machine:ident| $body:expr;)*) => {
        $($($crate::machine::exported! { $safety $name $arguments, $phases, $machine, $body })+)*
    };
}
pub(crate) use exported;

impl Machine {
    fn note(&mut self, text: impl FnOnce() -> String) {
        if self.logger.is_on {
            self.notes.push(text());
        }
    }

    /// Begins an initialisation.
    pub(crate) fn enter_initialization(&mut self, start: f64, stop: Option<f64>) -> Outcome {
        if stop.is_some_and(|stop| stop.is_nan() || stop < start) {
            return Err(Failure::error("the run would stop before it begins"));
        }
        self.instance.set_start_time(start)?;
        self.stop_time = stop;
        self.phase = Phase::Initialization;
        Ok(())
    }

    /// Ends it: the run begins.
    pub(crate) fn exit_initialization(&mut self) -> Outcome {
        self.instance.begin()?;
        let executes_itself = matches!(
            self.interface,
            Interface::CoSimulation {
                uses_event_mode: false,
                ..
            }
        );
        if executes_itself {
            if let Some(stop) = self.instance.finish_instant()? {
                self.has_ended = true;
                return Err(Failure::error(format!("the run ends where it begins: {stop}")));
            }
            self.phase = Phase::Step;
        } else {
            self.phase = Phase::Event;
        }
        Ok(())
    }

    pub(crate) fn reset(&mut self) -> Outcome {
        self.instance.reset();
        self.has_ended = false;
        self.stop_time = None;
        self.phase = Phase::Instantiated;
        Ok(())
    }

    pub(crate) fn enter_event_mode(&mut self) -> Outcome {
        self.instance.begin_instant()?;
        self.phase = Phase::Event;
        Ok(())
    }

    /// One microstep.
    pub(crate) fn update(&mut self) -> Outcome<Updated> {
        let made = self.instance.microstep()?;
        let t = self.instance.time();
        if let Some(stop) = &made.stop {
            let stop = stop.clone();
            self.note(|| format!("at {t} s the run ends: {stop}"));
        } else {
            self.note(|| format!("microstep at {t} s"));
        }
        Ok(Updated {
            is_more: made.is_more,
            is_terminated: made.stop.is_some(),
            has_changed_states: made.has_changed_states,
            next_time: self.instance.next_time(),
        })
    }

    /// A communication step.
    pub(crate) fn step(&mut self, from: f64, length: f64) -> Outcome<Stepped> {
        let now = self.instance.time();
        if !(from.is_finite() && length.is_finite()) {
            return Err(Failure::error(format!("a step from {from} s of {length} s")));
        }
        if (from - now).abs() > SAME_TIME * now.abs().max(1.0) {
            return Err(Failure::error(format!(
                "the step begins at {from} s, but the instance is at {now} s"
            )));
        }
        if length < 0.0 {
            return Err(Failure::error(format!(
                "a step of {length} s: time does not go back"
            )));
        }
        let horizon = self.instance.source().description.horizon.unwrap_or(1.0);
        if length > LONGEST_STEP * horizon.max(1.0) {
            return Err(Failure::discard(format!("a step of {length} s is too long")));
        }
        let until = from + length;
        if self
            .stop_time
            .is_some_and(|stop| until > stop + SAME_TIME * stop.abs().max(1.0))
        {
            return Err(Failure::error(format!(
                "the step to {until} s leads beyond the stop time"
            )));
        }
        let stops = matches!(
            self.interface,
            Interface::CoSimulation {
                uses_event_mode: true,
                may_return_early: true
            }
        );
        let reached = self.instance.step(until.max(now), stops)?;
        if let Some(stop) = &reached.stop {
            self.has_ended = true;
            let (t, stop) = (reached.t, stop.clone());
            self.note(|| format!("at {t} s the run ends: {stop}"));
        }
        Ok(Stepped {
            t: reached.t,
            needs_event: reached.event.is_some(),
            is_early: reached.t < until,
            is_terminated: reached.stop.is_some(),
        })
    }

    /// Values of variables, each put where it belongs.
    pub(crate) fn get(
        &mut self,
        references: &[u32],
        values: usize,
        mut put: impl FnMut(usize, Value) -> Option<()>,
    ) -> Outcome {
        if references.len() != values {
            return Err(Failure::error(format!(
                "{} variables, but room for {values} values",
                references.len()
            )));
        }
        for (place, reference) in references.iter().enumerate() {
            let value = self.instance.get(*reference as usize)?;
            put(place, value).ok_or_else(|| self.wrong_type(*reference))?;
        }
        Ok(())
    }

    fn wrong_type(&self, reference: u32) -> Failure {
        let variables = &self.instance.source().description.variables;
        let found = variables.get(reference as usize);
        Failure::error(match found {
            Some(variable) => format!(
                "`{}` is {}",
                variable.name,
                match variable.kind {
                    Kind::Real => "a real number",
                    Kind::Integer => "an integer",
                    Kind::Boolean => "a truth value",
                    Kind::Text => "a text",
                    Kind::Enumeration(_) => "of an enumeration",
                }
            ),
            None => format!("there is no variable {reference}"),
        })
    }

    /// Texts, kept until the next ones are asked for.
    pub(crate) fn texts(&mut self, references: &[u32], out: &mut [*const c_char]) -> Outcome {
        let mut texts = Vec::new();
        self.get(references, out.len(), |_, value| match value {
            Value::Text(text) => {
                texts.push(c_text(&text));
                Some(())
            }
            _ => None,
        })?;
        for (out, text) in out.iter_mut().zip(&texts) {
            *out = text.as_ptr();
        }
        self.texts = texts;
        Ok(())
    }

    /// Sets real variables.
    pub(crate) fn set(&mut self, references: &[u32], values: &[f64]) -> Outcome {
        if references.len() != values.len() {
            return Err(Failure::error(format!(
                "{} variables, but {} values",
                references.len(),
                values.len()
            )));
        }
        // All or none: a wrong one among them changes nothing.
        let pairs = || references.iter().map(|r| *r as usize).zip(values.iter().copied());
        pairs().try_for_each(|(variable, value)| self.instance.check(variable, value).map(|_| ()))?;
        pairs().try_for_each(|(variable, value)| self.instance.set(variable, value))?;
        Ok(())
    }

    /// Nothing but real variables can be set.
    pub(crate) fn refuse(&self, references: &[u32]) -> Outcome {
        match references.first() {
            None => Ok(()),
            Some(reference) => {
                let variables = &self.instance.source().description.variables;
                let name = variables.get(*reference as usize).map_or("?", |v| &v.name);
                Err(Failure::error(format!("`{name}` cannot be set")))
            }
        }
    }

    pub(crate) fn directional(
        &mut self,
        (unknowns, knowns): (&[u32], &[u32]),
        seed: &[f64],
        out: &mut [f64],
    ) -> Outcome {
        let places = |list: &[u32]| -> Vec<usize> { list.iter().map(|r| *r as usize).collect() };
        let count = self.instance.source().description.variables.len();
        if unknowns.iter().chain(knowns).any(|r| *r as usize >= count) {
            return Err(Failure::error("there is no such variable"));
        }
        if unknowns.len() != out.len() {
            return Err(Failure::error("there is not room for every sensitivity"));
        }
        let found = self
            .instance
            .directional_derivative(&places(unknowns), &places(knowns), seed)?;
        out.copy_from_slice(&found);
        Ok(())
    }

    /// The whole instance as bytes: the phase, then words.
    fn save(&mut self) -> Outcome<Vec<u8>> {
        let phase = Phase::ALL.iter().position(|p| *p == self.phase).unwrap_or(0);
        let mut bytes = vec![phase as u8];
        for word in self.instance.save()? {
            bytes.extend(word.to_le_bytes());
        }
        Ok(bytes)
    }

    fn load(&mut self, bytes: &[u8]) -> Outcome {
        let (phase, words) = parse(bytes)?;
        self.instance.load(&words)?;
        self.phase = phase;
        Ok(())
    }

    /// Keeps the present state; gives its handle.
    pub(crate) fn keep(&mut self, old: *mut c_void) -> Outcome<*mut c_void> {
        let bytes = self.save()?;
        self.kept(bytes, old)
    }

    fn kept(&mut self, bytes: Vec<u8>, old: *mut c_void) -> Outcome<*mut c_void> {
        // A state that is given again is overwritten.
        let number = if self.saved.contains_key(&(old.addr() / 64)) {
            old.addr() / 64
        } else {
            self.next_saved += 1;
            self.next_saved
        };
        self.saved.insert(number, bytes);
        Ok(std::ptr::without_provenance_mut(number * 64))
    }

    fn find(&self, state: *mut c_void) -> Outcome<&Vec<u8>> {
        let found = self.saved.get(&(state.addr() / 64));
        found.ok_or_else(|| Failure::error("there is no such saved state"))
    }

    pub(crate) fn go_back(&mut self, state: *mut c_void) -> Outcome {
        let bytes = self.find(state)?.clone();
        self.load(&bytes)
    }

    pub(crate) fn forget(&mut self, state: *mut c_void) -> Outcome {
        if state.is_null() {
            return Ok(());
        }
        self.find(state)?;
        self.saved.remove(&(state.addr() / 64));
        Ok(())
    }

    pub(crate) fn serialized(&self, state: *mut c_void) -> Outcome<&[u8]> {
        Ok(self.find(state)?)
    }

    /// Takes bytes for a state, if they are one of this model.
    pub(crate) fn deserialize(&mut self, bytes: &[u8], old: *mut c_void) -> Outcome<*mut c_void> {
        let (_, words) = parse(bytes)?;
        Instance::new(self.instance.source()).load(&words)?;
        self.kept(bytes.to_vec(), old)
    }
}

fn parse(bytes: &[u8]) -> Outcome<(Phase, Vec<u64>)> {
    let bad = || Failure::error("these bytes are no saved state");
    let (phase, words) = bytes.split_first().ok_or_else(bad)?;
    let phase = *Phase::ALL.get(*phase as usize).ok_or_else(bad)?;
    let (words, rest) = words.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(bad());
    }
    Ok((phase, words.iter().map(|w| u64::from_le_bytes(*w)).collect()))
}
