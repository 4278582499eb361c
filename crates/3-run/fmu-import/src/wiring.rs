//! How an FMU is connected: parameters, what drives its inputs, which of its variables are read.

use crate::library::Fmu;
use crate::machine::{Machine, Slot};
use crate::{Causality, ImportError, Kind, Variable};
use dyverse_component::Fault;
use dyverse_tick::TickWatch;
use dyverse_trace::{InputBreaks, InputSignal, StopReason, SuperdenseTime, Transition, TransitionKind};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How an FMU is connected.
#[derive(Clone, Debug, Default)]
pub struct Wiring {
    /// What it is called in messages and traces.
    pub name: String,
    /// Parameters and start values.
    pub parameters: Vec<(String, f64)>,
    /// Inputs that are ports of the component, in their order.
    pub ports: Vec<String>,
    /// Inputs that are known functions of time.
    pub signals: Vec<(String, InputSignal)>,
    /// Variables that are outputs of the component, in their order.
    pub outputs: Vec<String>,
    /// When the run ends, s.
    pub until: Option<f64>,
    /// The step of co-simulation, s; if `None`, the FMU's own, else a hundredth of the run.
    pub step: Option<f64>,
}

/// What a component cannot say itself: that something went wrong, that it wants the end of the run.
#[derive(Clone, Debug, Default)]
pub struct Trouble {
    text: Rc<RefCell<Option<String>>>,
    wants_end: Arc<AtomicBool>,
}

impl Trouble {
    /// What went wrong, if anything.
    pub fn get(&self) -> Option<String> {
        self.text.borrow().clone()
    }

    /// A watch that ends the run where the component of this name wants it to; else it is the other one.
    #[must_use]
    pub fn watched(&self, component: &str, other: Option<TickWatch>) -> TickWatch {
        let (wants_end, component) = (Arc::clone(&self.wants_end), component.to_owned());
        TickWatch::weighing(move |t, bytes| {
            if wants_end.load(Ordering::Relaxed) {
                return ControlFlow::Break(StopReason::EndedItself {
                    component: component.clone(),
                });
            }
            match &other {
                Some(other) => other.call(t, bytes),
                None => ControlFlow::Continue(()),
            }
        })
    }

    /// From now on it wants the end.
    pub(crate) fn end(&self) {
        self.wants_end.store(true, Ordering::Relaxed);
    }

    pub(crate) fn wants_end(&self) -> bool {
        self.wants_end.load(Ordering::Relaxed)
    }

    /// Keeps the first.
    pub(crate) fn note(&self, text: impl Into<String>) {
        self.text.borrow_mut().get_or_insert(text.into());
    }

    /// Refuses to go on after something went wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.get().map_or(Ok(()), Err)
    }
}

/// What drives an input.
#[derive(Clone, Debug)]
enum Source {
    Port(usize),
    Signal(InputSignal),
}

/// An input.
#[derive(Clone, Debug)]
struct Driven {
    slot: Slot,
    is_continuous: bool,
    source: Source,
}

/// A wiring with names resolved.
#[derive(Clone, Debug)]
pub(crate) struct Wired {
    pub(crate) name: String,
    parameters: Vec<(Slot, f64)>,
    inputs: Vec<Driven>,
    pub(crate) ports: usize,
    pub(crate) breaks: InputBreaks,
    pub(crate) outputs: Vec<Slot>,
    /// Outputs that may depend on an input directly: name, place.
    pub(crate) fed_through: Vec<(String, usize)>,
}

/// Which inputs are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    All,
    /// Those that may change while time passes.
    Continuous,
}

fn slot(variable: &Variable) -> Slot {
    Slot {
        kind: variable.kind,
        reference: variable.reference,
    }
}

impl Wired {
    pub(crate) fn new(fmu: &Fmu, wiring: &Wiring) -> Result<Self, ImportError> {
        let number = |name: &str| {
            let found = fmu.description().variable(name);
            let found = found.ok_or_else(|| ImportError::new(format!("it has no variable `{name}`")))?;
            if found.is_number() {
                Ok(found)
            } else {
                Err(ImportError::new(format!("its variable `{name}` is no number")))
            }
        };
        let mut parameters = Vec::new();
        for (name, value) in &wiring.parameters {
            let variable = number(name)?;
            if !variable.is_settable || variable.causality == Causality::Input {
                return Err(refused!(
                    "its variable `{name}` is no parameter and no free start value"
                ));
            }
            check_fits(variable, *value)?;
            parameters.push((slot(variable), *value));
        }
        let ports = wiring.ports.iter().enumerate();
        let ports = ports.map(|(place, name)| (name, Source::Port(place)));
        let signals = wiring.signals.iter();
        let signals = signals.map(|(name, signal)| (name, Source::Signal(signal.clone())));
        let mut inputs = Vec::new();
        for (name, source) in ports.chain(signals) {
            let variable = number(name)?;
            if variable.causality != Causality::Input {
                return Err(ImportError::new(format!("its variable `{name}` is no input")));
            }
            inputs.push(Driven {
                slot: slot(variable),
                is_continuous: variable.is_continuous,
                source,
            });
        }
        let (mut outputs, mut fed_through) = (Vec::new(), Vec::new());
        for (place, name) in wiring.outputs.iter().enumerate() {
            let variable = number(name)?;
            outputs.push(slot(variable));
            if variable.may_feed_through {
                fed_through.push((name.clone(), place));
            }
        }
        Ok(Wired {
            name: wiring.name.clone(),
            parameters,
            inputs,
            ports: wiring.ports.len(),
            breaks: InputBreaks::new(wiring.signals.iter().map(|(_, signal)| signal)),
            outputs,
            fed_through,
        })
    }

    /// Sets parameters and start values.
    pub(crate) fn set_parameters(&self, machine: &mut dyn Machine) -> Result<(), Fault> {
        for (slot, value) in &self.parameters {
            machine.set(&[*slot], &[*value])?;
        }
        Ok(())
    }

    /// The inputs at `t` while time passes since `anchor`; NaN where one is absent, and has the value it had.
    pub(crate) fn inputs(&self, t: f64, anchor: f64, ports: &[f64]) -> Vec<f64> {
        let value = |driven: &Driven| match &driven.source {
            Source::Port(place) => ports.get(*place).copied().unwrap_or(f64::NAN),
            Source::Signal(signal) => signal.value(t, anchor),
        };
        self.inputs.iter().map(value).collect()
    }

    /// Sets inputs that differ from those set last. Whether any was set.
    pub(crate) fn set_inputs(
        &self,
        machine: &mut dyn Machine,
        values: &[f64],
        last: &mut Vec<f64>,
        which: Which,
    ) -> Result<bool, Fault> {
        last.resize(self.inputs.len(), f64::NAN);
        let mut is_set = false;
        for (place, driven) in self.inputs.iter().enumerate() {
            let value = values[place];
            let is_new = value.to_bits() != last[place].to_bits() && !value.is_nan();
            if is_new && (which == Which::All || driven.is_continuous) {
                machine.set(&[driven.slot], &[value])?;
                last[place] = value;
                is_set = true;
            }
        }
        Ok(is_set)
    }

    /// An event of it, for the trace.
    pub(crate) fn event(&self, time: SuperdenseTime, guard: &str, reset: String) -> Transition {
        Transition {
            time,
            kind: TransitionKind::Event,
            from: self.name.clone(),
            to: self.name.clone(),
            rule: "",
            contacts: Vec::new(),
            guard: guard.to_owned(),
            reset,
            forces: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Whether an input that only changes at events differs from the one set last.
    pub(crate) fn has_discrete_change(&self, values: &[f64], last: &[f64]) -> bool {
        self.inputs.iter().enumerate().any(|(place, driven)| {
            let last = last.get(place).copied().unwrap_or(f64::NAN);
            !driven.is_continuous && !values[place].is_nan() && values[place].to_bits() != last.to_bits()
        })
    }
}

/// An integer must be one, in the range of its type.
fn check_fits(variable: &Variable, value: f64) -> Result<(), ImportError> {
    let (low, high) = match variable.kind {
        Kind::Float64 | Kind::Float32 | Kind::Other => return Ok(()),
        Kind::Boolean => (0.0, 1.0),
        Kind::Int8 => (f64::from(i8::MIN), f64::from(i8::MAX)),
        Kind::UInt8 => (0.0, f64::from(u8::MAX)),
        Kind::Int16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
        Kind::UInt16 => (0.0, f64::from(u16::MAX)),
        Kind::Int32 | Kind::Enumeration => (f64::from(i32::MIN), f64::from(i32::MAX)),
        Kind::UInt32 => (0.0, f64::from(u32::MAX)),
        // Beyond, doubles are no longer all integers.
        Kind::Int64 => (-9_007_199_254_740_992.0, 9_007_199_254_740_992.0),
        Kind::UInt64 => (0.0, 9_007_199_254_740_992.0),
    };
    if value.fract() == 0.0 && (low..=high).contains(&value) {
        return Ok(());
    }
    Err(refused!(
        "its variable `{}` is an integer from {low} to {high}, not {value}",
        variable.name
    ))
}
