//! The functions of FMI 3.0. What they mean is in the standard; what is refused, and why, in `machine.rs`.
#![allow(missing_docs, clippy::missing_safety_doc, reason = "the standard says it")]

use crate::both::{get, integer, none_of, real, truth};
use crate::logger::{Logger, Logger3, Sink};
use crate::machine::{
    ALWAYS, ERROR, Failure, Interface, Machine, Outcome, Phase, RUNNING, exported, instantiate,
};
use crate::memory::{put, room, text, values};
use crate::table;
use dyverse_block::Kind;
use std::ffi::{c_char, c_int, c_void};

type Instance3 = *mut c_void;

const INSTANTIATED: &[Phase] = &[Phase::Instantiated];
const EVENT: &[Phase] = &[Phase::Event];
const CONTINUOUS: &[Phase] = &[Phase::ContinuousTime];
const EVALUATED: &[Phase] = &[Phase::Initialization, Phase::Event];
const BETWEEN_EVENTS: &[Phase] = &[Phase::ContinuousTime, Phase::Step];

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

unsafe fn new_instance(
    (name, token, path): (*const c_char, *const c_char, *const c_char),
    interface: Interface,
    logging: bool,
    environment: *mut c_void,
    log: Option<Logger3>,
) -> Instance3 {
    // SAFETY: the importer's texts.
    let (name, token, path) = unsafe { (text(name), text(token), text(path)) };
    let sink = log.map_or(Sink::Nowhere, |log| Sink::Fmi3(environment, log));
    instantiate((&token, &path), interface, Logger::new(sink, &name, logging))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    name: *const c_char,
    token: *const c_char,
    path: *const c_char,
    _visible: bool,
    logging: bool,
    environment: *mut c_void,
    log: Option<Logger3>,
) -> Instance3 {
    // SAFETY: the importer's texts and function.
    unsafe {
        new_instance(
            (name, token, path),
            Interface::ModelExchange,
            logging,
            environment,
            log,
        )
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    name: *const c_char,
    token: *const c_char,
    path: *const c_char,
    _visible: bool,
    logging: bool,
    uses_event_mode: bool,
    may_return_early: bool,
    _intermediate: *const u32,
    _intermediate_count: usize,
    environment: *mut c_void,
    log: Option<Logger3>,
    _update: *const c_void,
) -> Instance3 {
    let interface = Interface::CoSimulation {
        uses_event_mode,
        may_return_early,
    };
    // SAFETY: the importer's texts and function.
    unsafe { new_instance((name, token, path), interface, logging, environment, log) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    name: *const c_char,
    _token: *const c_char,
    _path: *const c_char,
    _visible: bool,
    logging: bool,
    environment: *mut c_void,
    log: Option<Logger3>,
    _clock_update: *const c_void,
    _lock: *const c_void,
    _unlock: *const c_void,
) -> Instance3 {
    let sink = log.map_or(Sink::Nowhere, |log| Sink::Fmi3(environment, log));
    // SAFETY: the importer's text.
    let logger = Logger::new(sink, &unsafe { text(name) }, logging);
    logger.error(ERROR, "scheduled execution is not offered by this FMU");
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3FreeInstance(instance: Instance3) {
    table::remove(instance);
}

exported! { safe:
    fn fmi3SetDebugLogging: (on: bool, _count: usize, _categories: *const *const c_char) in ALWAYS, |m| {
        m.logger.is_on = on;
        Ok(())
    };
    fn fmi3EnterInitializationMode: (_tolerance_defined: bool, _tolerance: f64, start: f64, stop_defined: bool, stop: f64) in INSTANTIATED, |m| {
        m.enter_initialization(start, stop_defined.then_some(stop))
    };
    fn fmi3EnterEventMode: () in BETWEEN_EVENTS, |m| {
        if matches!(m.interface, Interface::CoSimulation { uses_event_mode: false, .. }) {
            return Err(Failure::error("it was instantiated without event mode"));
        }
        m.enter_event_mode()
    };
    fn fmi3EnterContinuousTimeMode: () in EVENT, |m| {
        if m.interface != Interface::ModelExchange {
            return Err(Failure::error("it was instantiated for co-simulation"));
        }
        m.phase = Phase::ContinuousTime;
        Ok(())
    };
    fn fmi3EnterStepMode: () in EVENT, |m| {
        if m.interface == Interface::ModelExchange {
            return Err(Failure::error("it was instantiated for model exchange"));
        }
        m.phase = Phase::Step;
        Ok(())
    };
    fn fmi3GetNumberOfVariableDependencies: (_vr: u32, _count: *mut usize) in ALWAYS, |_m| none_of(1);
    fn fmi3GetVariableDependencies: (
        _dependent: u32,
        _elements: *mut usize,
        _independents: *mut u32,
        _independent_elements: *mut usize,
        _kinds: *mut c_int,
        _count: usize,
    ) in ALWAYS, |_m| none_of(1);
    fn fmi3EnterConfigurationMode: () in ALWAYS, |_m| none_of(1);
    fn fmi3ExitConfigurationMode: () in ALWAYS, |_m| none_of(1);
    fn fmi3EvaluateDiscreteStates: () in EVALUATED, |_m| none_of(1);
    fn fmi3ActivateModelPartition: (_clock: u32, _time: f64) in ALWAYS, |_m| none_of(1);
}

exported! { unsafe:
    fn fmi3GetFloat64: (vr: *const u32, n: usize, value: *mut f64, n_values: usize) in ALWAYS, |m| get(m, (vr, n), (value, n_values), real);
    fn fmi3GetInt32: (vr: *const u32, n: usize, value: *mut i32, n_values: usize) in ALWAYS, |m| {
        integers(m, false, (vr, n), (value, n_values))
    };
    fn fmi3GetInt64: (vr: *const u32, n: usize, value: *mut i64, n_values: usize) in ALWAYS, |m| {
        integers(m, true, (vr, n), (value, n_values))
    };
    fn fmi3GetBoolean: (vr: *const u32, n: usize, value: *mut bool, n_values: usize) in ALWAYS, |m| {
        let mut found = Vec::new();
        m.get(values(vr, n)?, n_values, |_, value| {
            found.push(truth(value)?);
            Some(())
        })?;
        // As bytes: what is there may be no truth value yet.
        let out = room(value.cast::<u8>(), n_values)?;
        out.iter_mut().zip(found).for_each(|(o, f)| *o = u8::from(f));
        Ok(())
    };
    fn fmi3GetString: (vr: *const u32, n: usize, value: *mut *const c_char, n_values: usize) in ALWAYS, |m| {
        m.texts(values(vr, n)?, room(value, n_values)?)
    };
    fn fmi3SetFloat64: (vr: *const u32, n: usize, value: *const f64, n_values: usize) in ALWAYS, |m| {
        m.set(values(vr, n)?, values(value, n_values)?)
    };
    fn fmi3GetDirectionalDerivative: (
        unknown: *const u32,
        unknowns: usize,
        known: *const u32,
        knowns: usize,
        seed: *const f64,
        seeds: usize,
        sensitivity: *mut f64,
        sensitivities: usize,
    ) in RUNNING, |m| {
        let (of, by) = (values(unknown, unknowns)?, values(known, knowns)?);
        m.directional((of, by), values(seed, seeds)?, room(sensitivity, sensitivities)?)
    };
    fn fmi3GetAdjointDerivative: (
        unknown: *const u32,
        unknowns: usize,
        known: *const u32,
        knowns: usize,
        seed: *const f64,
        seeds: usize,
        sensitivity: *mut f64,
        sensitivities: usize,
    ) in RUNNING, |m| {
        let (of, by) = (values(unknown, unknowns)?, values(known, knowns)?);
        let (seed, out) = (values(seed, seeds)?, room(sensitivity, sensitivities)?);
        if seed.len() != of.len() || out.len() != by.len() {
            return Err(Failure::error("seed and sensitivity do not fit the variables"));
        }
        let mut column = vec![0.0; of.len()];
        for (known, out) in by.iter().zip(out.iter_mut()) {
            m.directional((of, &[*known]), &[1.0], &mut column)?;
            *out = column.iter().zip(seed).map(|(c, s)| c * s).sum();
        }
        Ok(())
    };
    fn fmi3UpdateDiscreteStates: (
        needs_update: *mut bool,
        terminate: *mut bool,
        nominals_changed: *mut bool,
        values_changed: *mut bool,
        next_defined: *mut bool,
        next_time: *mut f64,
    ) in EVENT, |m| {
        let made = m.update()?;
        put(needs_update, made.is_more);
        put(terminate, made.is_terminated);
        put(nominals_changed, false);
        put(values_changed, made.has_changed_states);
        put(next_defined, made.next_time.is_some());
        put(next_time, made.next_time.unwrap_or(0.0));
        Ok(())
    };
    fn fmi3CompletedIntegratorStep: (_no_set_prior: bool, enter_event_mode: *mut bool, terminate: *mut bool) in CONTINUOUS, |_m| {
        // Events and the end are never asked for between steps.
        put(enter_event_mode, false);
        put(terminate, false);
        Ok(())
    };
    fn fmi3GetNumberOfEventIndicators: (count: *mut usize) in ALWAYS, |m| {
        put(count, m.instance.source().description.indicators.len());
        Ok(())
    };
    fn fmi3GetNumberOfContinuousStates: (count: *mut usize) in ALWAYS, |m| {
        put(count, m.instance.source().description.states.len());
        Ok(())
    };
    fn fmi3DoStep: (
        from: f64,
        length: f64,
        _no_set_prior: bool,
        needs_event: *mut bool,
        terminate: *mut bool,
        is_early: *mut bool,
        last_time: *mut f64,
    ) in &[Phase::Step], |m| {
        if length <= 0.0 {
            return Err(Failure::error(format!("a step of {length} s: it must be above 0")));
        }
        let stepped = m.step(from, length)?;
        put(needs_event, stepped.needs_event);
        put(terminate, stepped.is_terminated);
        put(is_early, stepped.is_early);
        put(last_time, stepped.t);
        Ok(())
    };
}

/// Integers are 32 bits wide, items of enumerations 64.
unsafe fn integers<T: TryFrom<i64>>(
    m: &mut Machine,
    is_enumeration: bool,
    (vr, n): (*const u32, usize),
    (value, n_values): (*mut T, usize),
) -> Outcome {
    // SAFETY: the importer's arrays, as long as it says.
    let (references, _) = unsafe { (values(vr, n)?, room(value, n_values)?) };
    let variables = &m.instance.source().description.variables;
    let is_wrong = |r: &&u32| {
        let kind = variables.get(**r as usize).map(|v| &v.kind);
        is_enumeration != matches!(kind, Some(Kind::Enumeration(_)))
    };
    if let Some(wrong) = references.iter().find(is_wrong) {
        let name = variables.get(*wrong as usize).map_or("?", |v| &v.name);
        return Err(Failure::error(format!("`{name}` is of another type")));
    }
    // SAFETY: as above.
    unsafe { get(m, (vr, n), (value, n_values), |v| T::try_from(integer(v)?).ok()) }
}

/// Getters and setters of types that no variable of a block has, or that cannot be set: fine for no variables, else refused.
macro_rules! refused {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        exported! { safe:
            fn $name: (_vr: *const u32, n: usize $(, $argument: $type)*) in ALWAYS, |_m| if n == 0 {
                Ok(())
            } else {
                Err(Failure::error("no variable of this model is of this type and can be used so"))
            };
        }
    )*};
}

refused! {
    fmi3GetFloat32(_a: *mut f32, _b: usize);
    fmi3GetInt8(_a: *mut i8, _b: usize);
    fmi3GetUInt8(_a: *mut u8, _b: usize);
    fmi3GetInt16(_a: *mut i16, _b: usize);
    fmi3GetUInt16(_a: *mut u16, _b: usize);
    fmi3GetUInt32(_a: *mut u32, _b: usize);
    fmi3GetUInt64(_a: *mut u64, _b: usize);
    fmi3GetBinary(_a: *mut usize, _b: *mut *const u8, _c: usize);
    fmi3GetClock(_a: *mut bool);
    fmi3SetFloat32(_a: *const f32, _b: usize);
    fmi3SetInt8(_a: *const i8, _b: usize);
    fmi3SetUInt8(_a: *const u8, _b: usize);
    fmi3SetInt16(_a: *const i16, _b: usize);
    fmi3SetUInt16(_a: *const u16, _b: usize);
    fmi3SetInt32(_a: *const i32, _b: usize);
    fmi3SetUInt32(_a: *const u32, _b: usize);
    fmi3SetInt64(_a: *const i64, _b: usize);
    fmi3SetUInt64(_a: *const u64, _b: usize);
    fmi3SetBoolean(_a: *const bool, _b: usize);
    fmi3SetString(_a: *const *const c_char, _b: usize);
    fmi3SetBinary(_a: *const usize, _b: *const *const u8, _c: usize);
    fmi3SetClock(_a: *const bool);
    fmi3GetIntervalDecimal(_a: *mut f64, _b: *mut c_int);
    fmi3GetIntervalFraction(_a: *mut u64, _b: *mut u64, _c: *mut c_int);
    fmi3GetShiftDecimal(_a: *mut f64);
    fmi3GetShiftFraction(_a: *mut u64, _b: *mut u64);
    fmi3SetIntervalDecimal(_a: *const f64);
    fmi3SetIntervalFraction(_a: *const u64, _b: *const u64);
    fmi3SetShiftDecimal(_a: *const f64);
    fmi3SetShiftFraction(_a: *const u64, _b: *const u64);
    fmi3GetOutputDerivatives(_a: *const i32, _b: *mut f64, _c: usize);
}
