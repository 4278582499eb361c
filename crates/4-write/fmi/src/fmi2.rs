//! The functions of FMI 2.0.4. What they mean is in the standard; what is refused, and why, in `machine.rs`.
#![allow(missing_docs, clippy::missing_safety_doc, reason = "the standard says it")]

use crate::both::{get, integer, none_of, real, truth};
use crate::logger::{Logger, Logger2, Sink};
use crate::machine::{ALWAYS, ERROR, Failure, Interface, OK, Phase, RUNNING, exported, instantiate};
use crate::memory::{put, room, text, values};
use crate::table;
use std::ffi::{c_char, c_int, c_void};

type Component = *mut c_void;
type Boolean = c_int;

/// `fmi2CallbackFunctions`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Callbacks2 {
    logger: Option<Logger2>,
    allocate: *const c_void,
    free: *const c_void,
    step_finished: *const c_void,
    environment: *mut c_void,
}

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct EventInfo2 {
    pub new_discrete_states_needed: Boolean,
    pub terminate_simulation: Boolean,
    pub nominals_changed: Boolean,
    pub values_changed: Boolean,
    pub next_event_time_defined: Boolean,
    pub next_event_time: f64,
}

const INSTANTIATED: &[Phase] = &[Phase::Instantiated];
const EVENT: &[Phase] = &[Phase::Event];
const CONTINUOUS: &[Phase] = &[Phase::ContinuousTime];
const STEP: &[Phase] = &[Phase::Step];

/// `fmi2LastSuccessfulTime`, `fmi2Terminated`.
const LAST_SUCCESSFUL_TIME: c_int = 2;
const TERMINATED: c_int = 3;

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    location: *const c_char,
    functions: *const Callbacks2,
    _visible: Boolean,
    logging: Boolean,
) -> Component {
    // SAFETY: the importer's texts and functions, as the standard has them.
    let (name, guid, location, functions) = unsafe {
        (
            text(name),
            text(guid),
            text(location),
            values(functions, usize::from(!functions.is_null())),
        )
    };
    let functions = functions.ok().and_then(|f| f.first());
    let sink = match functions.and_then(|f| f.logger.map(|log| (f.environment, log))) {
        Some((environment, log)) => Sink::Fmi2(environment, log),
        None => Sink::Nowhere,
    };
    let logger = Logger::new(sink, &name, logging != 0);
    let interface = match kind {
        0 => Interface::ModelExchange,
        1 => Interface::CoSimulation {
            uses_event_mode: false,
            may_return_early: false,
        },
        other => {
            logger.error(ERROR, &format!("fmi2Instantiate: there is no type {other}"));
            return std::ptr::null_mut();
        }
    };
    instantiate((&guid, &location), interface, logger)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2FreeInstance(c: Component) {
    table::remove(c);
}

exported! { safe:
    fn fmi2SetDebugLogging: (on: Boolean, _count: usize, _categories: *const *const c_char) in ALWAYS, |m| {
        m.logger.is_on = on != 0;
        Ok(())
    };
    fn fmi2SetupExperiment: (_tolerance_defined: Boolean, _tolerance: f64, start: f64, stop_defined: Boolean, stop: f64) in INSTANTIATED, |m| {
        m.enter_initialization(start, (stop_defined != 0).then_some(stop))?;
        m.phase = Phase::Instantiated;
        Ok(())
    };
    fn fmi2EnterInitializationMode: () in INSTANTIATED, |m| {
        m.phase = Phase::Initialization;
        Ok(())
    };
    fn fmi2EnterEventMode: () in CONTINUOUS, |m| m.enter_event_mode();
    fn fmi2EnterContinuousTimeMode: () in EVENT, |m| {
        m.phase = Phase::ContinuousTime;
        Ok(())
    };
    fn fmi2SetRealInputDerivatives: (_vr: *const u32, n: usize, _order: *const c_int, _value: *const f64) in STEP, |_m| none_of(n);
    fn fmi2GetRealOutputDerivatives: (_vr: *const u32, n: usize, _order: *const c_int, _value: *mut f64) in STEP, |_m| none_of(n);
    fn fmi2DoStep: (from: f64, length: f64, _no_set_prior: Boolean) in STEP, |m| {
        let stepped = m.step(from, length)?;
        if stepped.is_terminated {
            return Err(Failure::discard(format!("the run ends at {} s", stepped.t)));
        }
        Ok(())
    };
    fn fmi2CancelStep: () in STEP, |_m| Err(Failure::error("no step is under way: steps are finished when they return"));
    fn fmi2GetIntegerStatus: (_kind: c_int, _value: *mut c_int) in STEP, |_m| no_such_status();
    fn fmi2GetStringStatus: (_kind: c_int, _value: *mut *const c_char) in STEP, |_m| no_such_status();
}

exported! { unsafe:
    fn fmi2GetReal: (vr: *const u32, n: usize, value: *mut f64) in ALWAYS, |m| get(m, (vr, n), (value, n), real);
    fn fmi2GetInteger: (vr: *const u32, n: usize, value: *mut c_int) in ALWAYS, |m| {
        get(m, (vr, n), (value, n), |v| Some(c_int::try_from(integer(v)?).unwrap_or(c_int::MAX)))
    };
    fn fmi2GetBoolean: (vr: *const u32, n: usize, value: *mut Boolean) in ALWAYS, |m| {
        get(m, (vr, n), (value, n), |v| truth(v).map(Boolean::from))
    };
    fn fmi2GetString: (vr: *const u32, n: usize, value: *mut *const c_char) in ALWAYS, |m| m.texts(values(vr, n)?, room(value, n)?);
    fn fmi2SetReal: (vr: *const u32, n: usize, value: *const f64) in ALWAYS, |m| m.set(values(vr, n)?, values(value, n)?);
    fn fmi2SetInteger: (vr: *const u32, n: usize, _value: *const c_int) in ALWAYS, |m| m.refuse(values(vr, n)?);
    fn fmi2SetBoolean: (vr: *const u32, n: usize, _value: *const Boolean) in ALWAYS, |m| m.refuse(values(vr, n)?);
    fn fmi2SetString: (vr: *const u32, n: usize, _value: *const *const c_char) in ALWAYS, |m| m.refuse(values(vr, n)?);
    fn fmi2GetDirectionalDerivative: (
        unknown: *const u32,
        unknowns: usize,
        known: *const u32,
        knowns: usize,
        seed: *const f64,
        sensitivity: *mut f64,
    ) in RUNNING, |m| {
        let (of, by) = (values(unknown, unknowns)?, values(known, knowns)?);
        m.directional((of, by), values(seed, knowns)?, room(sensitivity, unknowns)?)
    };
    fn fmi2NewDiscreteStates: (info: *mut EventInfo2) in EVENT, |m| {
        let made = m.update()?;
        let info_now = EventInfo2 {
            new_discrete_states_needed: Boolean::from(made.is_more),
            terminate_simulation: Boolean::from(made.is_terminated),
            nominals_changed: 0,
            values_changed: Boolean::from(made.has_changed_states),
            next_event_time_defined: Boolean::from(made.next_time.is_some()),
            next_event_time: made.next_time.unwrap_or(0.0),
        };
        put(info, info_now);
        Ok(())
    };
    fn fmi2CompletedIntegratorStep: (_no_set_prior: Boolean, enter_event_mode: *mut Boolean, terminate: *mut Boolean) in CONTINUOUS, |_m| {
        // Events and the end are never asked for between steps.
        put(enter_event_mode, 0);
        put(terminate, 0);
        Ok(())
    };
    fn fmi2GetStatus: (_kind: c_int, value: *mut c_int) in STEP, |_m| {
        put(value, OK);
        Err(Failure::discard("no step is pending"))
    };
    fn fmi2GetRealStatus: (kind: c_int, value: *mut f64) in STEP, |m| {
        if kind != LAST_SUCCESSFUL_TIME {
            return no_such_status();
        }
        put(value, m.instance.time());
        Ok(())
    };
    fn fmi2GetBooleanStatus: (kind: c_int, value: *mut Boolean) in STEP, |m| {
        if kind != TERMINATED {
            return no_such_status();
        }
        put(value, Boolean::from(m.has_ended));
        Ok(())
    };
}

fn no_such_status() -> Result<(), Failure> {
    Err(Failure::discard("there is no such status"))
}
