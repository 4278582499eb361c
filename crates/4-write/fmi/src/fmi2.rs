//! The functions of FMI 2.0.4. What they mean is in the standard; what is refused, and why, in `machine.rs`.
#![allow(missing_docs, clippy::missing_safety_doc, reason = "the standard says it")]

use crate::both;
use crate::logger::{Logger, Logger2, Sink};
use crate::machine::{ALWAYS, ERROR, Failure, Interface, OK, Phase, call, instantiate};
use crate::memory::{put, room, text, values};
use crate::table;
use dyverse_block::Value;
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

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetDebugLogging(
    c: Component,
    on: Boolean,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    call(c, "fmi2SetDebugLogging", ALWAYS, |m| {
        m.logger.is_on = on != 0;
        Ok(())
    })
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

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetupExperiment(
    c: Component,
    _tolerance_defined: Boolean,
    _tolerance: f64,
    start: f64,
    stop_defined: Boolean,
    stop: f64,
) -> c_int {
    call(c, "fmi2SetupExperiment", INSTANTIATED, |m| {
        m.enter_initialization(start, (stop_defined != 0).then_some(stop))?;
        m.phase = Phase::Instantiated;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterInitializationMode(c: Component) -> c_int {
    call(c, "fmi2EnterInitializationMode", INSTANTIATED, |m| {
        m.phase = Phase::Initialization;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2ExitInitializationMode(c: Component) -> c_int {
    both::exit_initialization(c, "fmi2ExitInitializationMode")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Terminate(c: Component) -> c_int {
    both::terminate(c, "fmi2Terminate")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Reset(c: Component) -> c_int {
    both::reset(c, "fmi2Reset")
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(c: Component, vr: *const u32, n: usize, value: *mut f64) -> c_int {
    call(c, "fmi2GetReal", ALWAYS, |m| {
        // SAFETY: the importer's arrays, `n` long.
        let (vr, out) = unsafe { (values(vr, n)?, room(value, n)?) };
        m.get(vr, out.len(), |place, value| match value {
            Value::Real(number) => {
                out[place] = number;
                Some(())
            }
            _ => None,
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetInteger(c: Component, vr: *const u32, n: usize, value: *mut c_int) -> c_int {
    call(c, "fmi2GetInteger", ALWAYS, |m| {
        // SAFETY: the importer's arrays, `n` long.
        let (vr, out) = unsafe { (values(vr, n)?, room(value, n)?) };
        m.get(vr, out.len(), |place, value| match value {
            Value::Integer(number) => {
                out[place] = c_int::try_from(number).unwrap_or(c_int::MAX);
                Some(())
            }
            _ => None,
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBoolean(
    c: Component,
    vr: *const u32,
    n: usize,
    value: *mut Boolean,
) -> c_int {
    call(c, "fmi2GetBoolean", ALWAYS, |m| {
        // SAFETY: the importer's arrays, `n` long.
        let (vr, out) = unsafe { (values(vr, n)?, room(value, n)?) };
        m.get(vr, out.len(), |place, value| match value {
            Value::Boolean(truth) => {
                out[place] = Boolean::from(truth);
                Some(())
            }
            _ => None,
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetString(
    c: Component,
    vr: *const u32,
    n: usize,
    value: *mut *const c_char,
) -> c_int {
    call(c, "fmi2GetString", ALWAYS, |m| {
        // SAFETY: the importer's arrays, `n` long.
        let (vr, out) = unsafe { (values(vr, n)?, room(value, n)?) };
        m.texts(vr, out)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(c: Component, vr: *const u32, n: usize, value: *const f64) -> c_int {
    call(c, "fmi2SetReal", ALWAYS, |m| {
        // SAFETY: the importer's arrays, `n` long.
        let (vr, given) = unsafe { (values(vr, n)?, values(value, n)?) };
        m.set(vr, given)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetInteger(
    c: Component,
    vr: *const u32,
    n: usize,
    _value: *const c_int,
) -> c_int {
    call(c, "fmi2SetInteger", ALWAYS, |m| {
        // SAFETY: the importer's array, `n` long.
        m.refuse(unsafe { values(vr, n)? })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetBoolean(
    c: Component,
    vr: *const u32,
    n: usize,
    _value: *const Boolean,
) -> c_int {
    call(c, "fmi2SetBoolean", ALWAYS, |m| {
        // SAFETY: the importer's array, `n` long.
        m.refuse(unsafe { values(vr, n)? })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetString(
    c: Component,
    vr: *const u32,
    n: usize,
    _value: *const *const c_char,
) -> c_int {
    call(c, "fmi2SetString", ALWAYS, |m| {
        // SAFETY: the importer's array, `n` long.
        m.refuse(unsafe { values(vr, n)? })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(c: Component, state: *mut *mut c_void) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::get_state(c, "fmi2GetFMUstate", state) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetFMUstate(c: Component, state: *mut c_void) -> c_int {
    both::set_state(c, "fmi2SetFMUstate", state)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(c: Component, state: *mut *mut c_void) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::free_state(c, "fmi2FreeFMUstate", state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    c: Component,
    state: *mut c_void,
    size: *mut usize,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::state_size(c, "fmi2SerializedFMUstateSize", state, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    c: Component,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::serialize(c, "fmi2SerializeFMUstate", state, (bytes, size)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    c: Component,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::deserialize(c, "fmi2DeSerializeFMUstate", (bytes, size), state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: Component,
    unknown: *const u32,
    unknowns: usize,
    known: *const u32,
    knowns: usize,
    seed: *const f64,
    sensitivity: *mut f64,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe {
        both::directional_derivative(
            c,
            "fmi2GetDirectionalDerivative",
            ((unknown, unknowns), (known, knowns)),
            (seed, knowns),
            (sensitivity, unknowns),
        )
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterEventMode(c: Component) -> c_int {
    call(c, "fmi2EnterEventMode", CONTINUOUS, |m| m.enter_event_mode())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2NewDiscreteStates(c: Component, info: *mut EventInfo2) -> c_int {
    call(c, "fmi2NewDiscreteStates", EVENT, |m| {
        let made = m.update()?;
        let info_now = EventInfo2 {
            new_discrete_states_needed: Boolean::from(made.is_more),
            terminate_simulation: Boolean::from(made.is_terminated),
            nominals_changed: 0,
            values_changed: Boolean::from(made.has_changed_states),
            next_event_time_defined: Boolean::from(made.next_time.is_some()),
            next_event_time: made.next_time.unwrap_or(0.0),
        };
        // SAFETY: the importer's place for the answer.
        unsafe { put(info, info_now) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterContinuousTimeMode(c: Component) -> c_int {
    call(c, "fmi2EnterContinuousTimeMode", EVENT, |m| {
        m.phase = Phase::ContinuousTime;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    c: Component,
    _no_set_prior: Boolean,
    enter_event_mode: *mut Boolean,
    terminate: *mut Boolean,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::completed_step(c, "fmi2CompletedIntegratorStep", (enter_event_mode, terminate), 0) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetTime(c: Component, time: f64) -> c_int {
    both::set_time(c, "fmi2SetTime", time)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetContinuousStates(c: Component, x: *const f64, n: usize) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::set_states(c, "fmi2SetContinuousStates", (x, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDerivatives(c: Component, dx: *mut f64, n: usize) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::derivatives(c, "fmi2GetDerivatives", (dx, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetEventIndicators(c: Component, z: *mut f64, n: usize) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::indicators(c, "fmi2GetEventIndicators", (z, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetContinuousStates(c: Component, x: *mut f64, n: usize) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::states(c, "fmi2GetContinuousStates", (x, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetNominalsOfContinuousStates(c: Component, x: *mut f64, n: usize) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::nominals(c, "fmi2GetNominalsOfContinuousStates", (x, n)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetRealInputDerivatives(
    c: Component,
    _vr: *const u32,
    n: usize,
    _order: *const c_int,
    _value: *const f64,
) -> c_int {
    call(c, "fmi2SetRealInputDerivatives", STEP, |_| none_of(n))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetRealOutputDerivatives(
    c: Component,
    _vr: *const u32,
    n: usize,
    _order: *const c_int,
    _value: *mut f64,
) -> c_int {
    call(c, "fmi2GetRealOutputDerivatives", STEP, |_| none_of(n))
}

/// Something that this FMU does not offer: fine as long as nothing is asked.
pub(crate) fn none_of(n: usize) -> Result<(), Failure> {
    if n == 0 {
        Ok(())
    } else {
        Err(Failure::error("the model description does not offer this"))
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2DoStep(c: Component, from: f64, length: f64, _no_set_prior: Boolean) -> c_int {
    call(c, "fmi2DoStep", STEP, |m| {
        let stepped = m.step(from, length)?;
        if stepped.is_terminated {
            return Err(Failure::discard(format!("the run ends at {} s", stepped.t)));
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2CancelStep(c: Component) -> c_int {
    call(c, "fmi2CancelStep", STEP, |_| {
        Err(Failure::error(
            "no step is under way: steps are finished when they return",
        ))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStatus(c: Component, _kind: c_int, value: *mut c_int) -> c_int {
    call(c, "fmi2GetStatus", STEP, |_| {
        // SAFETY: the importer's place for the answer.
        unsafe { put(value, OK) };
        Err(Failure::discard("no step is pending"))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(c: Component, kind: c_int, value: *mut f64) -> c_int {
    call(c, "fmi2GetRealStatus", STEP, |m| match kind {
        // fmi2LastSuccessfulTime
        2 => {
            // SAFETY: the importer's place for the answer.
            unsafe { put(value, m.instance.time()) };
            Ok(())
        }
        _ => Err(Failure::discard("there is no such status")),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetIntegerStatus(c: Component, _kind: c_int, _value: *mut c_int) -> c_int {
    call(c, "fmi2GetIntegerStatus", STEP, |_| {
        Err(Failure::discard("there is no such status"))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(c: Component, kind: c_int, value: *mut Boolean) -> c_int {
    call(c, "fmi2GetBooleanStatus", STEP, |m| match kind {
        // fmi2Terminated
        3 => {
            // SAFETY: the importer's place for the answer.
            unsafe { put(value, Boolean::from(m.has_ended)) };
            Ok(())
        }
        _ => Err(Failure::discard("there is no such status")),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetStringStatus(c: Component, _kind: c_int, _value: *mut *const c_char) -> c_int {
    call(c, "fmi2GetStringStatus", STEP, |_| {
        Err(Failure::discard("there is no such status"))
    })
}
