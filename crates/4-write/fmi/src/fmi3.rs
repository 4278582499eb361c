//! The functions of FMI 3.0. What they mean is in the standard; what is refused, and why, in `machine.rs`.
#![allow(missing_docs, clippy::missing_safety_doc, reason = "the standard says it")]

use crate::both;
use crate::fmi2::none_of;
use crate::logger::{Logger, Logger3, Sink};
use crate::machine::{ALWAYS, ERROR, Failure, Interface, Phase, RUNNING, call, instantiate};
use crate::memory::{put, room, text, values};
use crate::table;
use dyverse_block::{Kind, Value};
use std::ffi::{c_char, c_int, c_void};

type Instance3 = *mut c_void;

const EVENT: &[Phase] = &[Phase::Event];

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetDebugLogging(
    instance: Instance3,
    on: bool,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    call(instance, "fmi3SetDebugLogging", ALWAYS, |m| {
        m.logger.is_on = on;
        Ok(())
    })
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

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterInitializationMode(
    instance: Instance3,
    _tolerance_defined: bool,
    _tolerance: f64,
    start: f64,
    stop_defined: bool,
    stop: f64,
) -> c_int {
    call(
        instance,
        "fmi3EnterInitializationMode",
        &[Phase::Instantiated],
        |m| m.enter_initialization(start, stop_defined.then_some(stop)),
    )
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitInitializationMode(instance: Instance3) -> c_int {
    both::exit_initialization(instance, "fmi3ExitInitializationMode")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterEventMode(instance: Instance3) -> c_int {
    let allowed = [Phase::ContinuousTime, Phase::Step];
    call(instance, "fmi3EnterEventMode", &allowed, |m| {
        let has_event_mode = !matches!(
            m.interface,
            Interface::CoSimulation {
                uses_event_mode: false,
                ..
            }
        );
        if !has_event_mode {
            return Err(Failure::error("it was instantiated without event mode"));
        }
        m.enter_event_mode()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3Terminate(instance: Instance3) -> c_int {
    both::terminate(instance, "fmi3Terminate")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3Reset(instance: Instance3) -> c_int {
    both::reset(instance, "fmi3Reset")
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    instance: Instance3,
    vr: *const u32,
    n: usize,
    value: *mut f64,
    n_values: usize,
) -> c_int {
    call(instance, "fmi3GetFloat64", ALWAYS, |m| {
        // SAFETY: the importer's arrays, as long as it says.
        let (vr, out) = unsafe { (values(vr, n)?, room(value, n_values)?) };
        m.get(vr, n_values, |place, value| match value {
            Value::Real(number) => {
                out[place] = number;
                Some(())
            }
            _ => None,
        })
    })
}

/// Integers are 32 bits wide, items of enumerations 64.
unsafe fn integers<T: TryFrom<i64>>(
    instance: Instance3,
    name: &str,
    is_enumeration: bool,
    (vr, n): (*const u32, usize),
    (value, n_values): (*mut T, usize),
) -> c_int {
    call(instance, name, ALWAYS, |m| {
        // SAFETY: the importer's arrays, as long as it says.
        let (vr, out) = unsafe { (values(vr, n)?, room(value, n_values)?) };
        let variables = &m.instance.source().description.variables;
        let is_wrong = |r: &&u32| {
            let kind = variables.get(**r as usize).map(|v| &v.kind);
            is_enumeration != matches!(kind, Some(Kind::Enumeration(_)))
        };
        if let Some(wrong) = vr.iter().find(is_wrong) {
            let name = variables.get(*wrong as usize).map_or("?", |v| &v.name);
            return Err(Failure::error(format!("`{name}` is of another type")));
        }
        m.get(vr, n_values, |place, value| match value {
            Value::Integer(number) => {
                out[place] = T::try_from(number).ok()?;
                Some(())
            }
            _ => None,
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt32(
    instance: Instance3,
    vr: *const u32,
    n: usize,
    value: *mut i32,
    n_values: usize,
) -> c_int {
    // SAFETY: the importer's arrays.
    unsafe { integers(instance, "fmi3GetInt32", false, (vr, n), (value, n_values)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt64(
    instance: Instance3,
    vr: *const u32,
    n: usize,
    value: *mut i64,
    n_values: usize,
) -> c_int {
    // SAFETY: the importer's arrays.
    unsafe { integers(instance, "fmi3GetInt64", true, (vr, n), (value, n_values)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetBoolean(
    instance: Instance3,
    vr: *const u32,
    n: usize,
    value: *mut bool,
    n_values: usize,
) -> c_int {
    call(instance, "fmi3GetBoolean", ALWAYS, |m| {
        // SAFETY: the importer's array; its places are written before they are read.
        let vr = unsafe { values(vr, n)? };
        let mut found = Vec::new();
        m.get(vr, n_values, |_, value| match value {
            Value::Boolean(truth) => {
                found.push(truth);
                Some(())
            }
            _ => None,
        })?;
        // SAFETY: the importer's room, `n_values` long, as bytes: what is there may be no truth value yet.
        let out = unsafe { room(value.cast::<u8>(), n_values)? };
        out.iter_mut().zip(found).for_each(|(o, f)| *o = u8::from(f));
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetString(
    instance: Instance3,
    vr: *const u32,
    n: usize,
    value: *mut *const c_char,
    n_values: usize,
) -> c_int {
    call(instance, "fmi3GetString", ALWAYS, |m| {
        // SAFETY: the importer's arrays, as long as it says.
        let (vr, out) = unsafe { (values(vr, n)?, room(value, n_values)?) };
        m.texts(vr, out)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    instance: Instance3,
    vr: *const u32,
    n: usize,
    value: *const f64,
    n_values: usize,
) -> c_int {
    call(instance, "fmi3SetFloat64", ALWAYS, |m| {
        // SAFETY: the importer's arrays, as long as it says.
        let (vr, given) = unsafe { (values(vr, n)?, values(value, n_values)?) };
        m.set(vr, given)
    })
}

/// Getters and setters of types that no variable of a block has, or that cannot be set: fine for no variables, else refused.
macro_rules! refused {
    ($($name:ident($($argument:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(instance: Instance3, _vr: *const u32, n: usize $(, _: $argument)*) -> c_int {
            call(instance, stringify!($name), ALWAYS, |_| {
                if n == 0 {
                    Ok(())
                } else {
                    Err(Failure::error("no variable of this model is of this type and can be used so"))
                }
            })
        }
    )*};
}

refused! {
    fmi3GetFloat32(*mut f32, usize);
    fmi3GetInt8(*mut i8, usize);
    fmi3GetUInt8(*mut u8, usize);
    fmi3GetInt16(*mut i16, usize);
    fmi3GetUInt16(*mut u16, usize);
    fmi3GetUInt32(*mut u32, usize);
    fmi3GetUInt64(*mut u64, usize);
    fmi3GetBinary(*mut usize, *mut *const u8, usize);
    fmi3GetClock(*mut bool);
    fmi3SetFloat32(*const f32, usize);
    fmi3SetInt8(*const i8, usize);
    fmi3SetUInt8(*const u8, usize);
    fmi3SetInt16(*const i16, usize);
    fmi3SetUInt16(*const u16, usize);
    fmi3SetInt32(*const i32, usize);
    fmi3SetUInt32(*const u32, usize);
    fmi3SetInt64(*const i64, usize);
    fmi3SetUInt64(*const u64, usize);
    fmi3SetBoolean(*const bool, usize);
    fmi3SetString(*const *const c_char, usize);
    fmi3SetBinary(*const usize, *const *const u8, usize);
    fmi3SetClock(*const bool);
    fmi3GetIntervalDecimal(*mut f64, *mut c_int);
    fmi3GetIntervalFraction(*mut u64, *mut u64, *mut c_int);
    fmi3GetShiftDecimal(*mut f64);
    fmi3GetShiftFraction(*mut u64, *mut u64);
    fmi3SetIntervalDecimal(*const f64);
    fmi3SetIntervalFraction(*const u64, *const u64);
    fmi3SetShiftDecimal(*const f64);
    fmi3SetShiftFraction(*const u64, *const u64);
    fmi3GetOutputDerivatives(*const i32, *mut f64, usize);
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetNumberOfVariableDependencies(
    instance: Instance3,
    _vr: u32,
    _count: *mut usize,
) -> c_int {
    call(instance, "fmi3GetNumberOfVariableDependencies", ALWAYS, |_| {
        none_of(1)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVariableDependencies(
    instance: Instance3,
    _dependent: u32,
    _elements: *mut usize,
    _independents: *mut u32,
    _independent_elements: *mut usize,
    _kinds: *mut c_int,
    _count: usize,
) -> c_int {
    call(instance, "fmi3GetVariableDependencies", ALWAYS, |_| none_of(1))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(instance: Instance3, state: *mut *mut c_void) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::get_state(instance, "fmi3GetFMUState", state) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetFMUState(instance: Instance3, state: *mut c_void) -> c_int {
    both::set_state(instance, "fmi3SetFMUState", state)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(instance: Instance3, state: *mut *mut c_void) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::free_state(instance, "fmi3FreeFMUState", state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    instance: Instance3,
    state: *mut c_void,
    size: *mut usize,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::state_size(instance, "fmi3SerializedFMUStateSize", state, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    instance: Instance3,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::serialize(instance, "fmi3SerializeFMUState", state, (bytes, size)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    instance: Instance3,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::deserialize(instance, "fmi3DeserializeFMUState", (bytes, size), state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetDirectionalDerivative(
    instance: Instance3,
    unknown: *const u32,
    unknowns: usize,
    known: *const u32,
    knowns: usize,
    seed: *const f64,
    seeds: usize,
    sensitivity: *mut f64,
    sensitivities: usize,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe {
        both::directional_derivative(
            instance,
            "fmi3GetDirectionalDerivative",
            ((unknown, unknowns), (known, knowns)),
            (seed, seeds),
            (sensitivity, sensitivities),
        )
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetAdjointDerivative(
    instance: Instance3,
    unknown: *const u32,
    unknowns: usize,
    known: *const u32,
    knowns: usize,
    seed: *const f64,
    seeds: usize,
    sensitivity: *mut f64,
    sensitivities: usize,
) -> c_int {
    call(instance, "fmi3GetAdjointDerivative", RUNNING, |m| {
        // SAFETY: the importer's arrays, as long as it says.
        let (of, by, seed, out) = unsafe {
            (
                values(unknown, unknowns)?,
                values(known, knowns)?,
                values(seed, seeds)?,
                room(sensitivity, sensitivities)?,
            )
        };
        if seed.len() != of.len() || out.len() != by.len() {
            return Err(Failure::error("seed and sensitivity do not fit the variables"));
        }
        let mut column = vec![0.0; of.len()];
        for (known, out) in by.iter().zip(out.iter_mut()) {
            m.directional((of, &[*known]), &[1.0], &mut column)?;
            *out = column.iter().zip(seed).map(|(c, s)| c * s).sum();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterConfigurationMode(instance: Instance3) -> c_int {
    call(instance, "fmi3EnterConfigurationMode", ALWAYS, |_| none_of(1))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitConfigurationMode(instance: Instance3) -> c_int {
    call(instance, "fmi3ExitConfigurationMode", ALWAYS, |_| none_of(1))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EvaluateDiscreteStates(instance: Instance3) -> c_int {
    let allowed = [Phase::Initialization, Phase::Event];
    call(instance, "fmi3EvaluateDiscreteStates", &allowed, |_| none_of(1))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    instance: Instance3,
    needs_update: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    values_changed: *mut bool,
    next_defined: *mut bool,
    next_time: *mut f64,
) -> c_int {
    call(instance, "fmi3UpdateDiscreteStates", EVENT, |m| {
        let made = m.update()?;
        // SAFETY: the importer's places for the answers.
        unsafe {
            put(needs_update, made.is_more);
            put(terminate, made.is_terminated);
            put(nominals_changed, false);
            put(values_changed, made.has_changed_states);
            put(next_defined, made.next_time.is_some());
            put(next_time, made.next_time.unwrap_or(0.0));
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterContinuousTimeMode(instance: Instance3) -> c_int {
    call(instance, "fmi3EnterContinuousTimeMode", EVENT, |m| {
        if m.interface != Interface::ModelExchange {
            return Err(Failure::error("it was instantiated for co-simulation"));
        }
        m.phase = Phase::ContinuousTime;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    instance: Instance3,
    _no_set_prior: bool,
    enter_event_mode: *mut bool,
    terminate: *mut bool,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe {
        both::completed_step(
            instance,
            "fmi3CompletedIntegratorStep",
            (enter_event_mode, terminate),
            false,
        )
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetTime(instance: Instance3, time: f64) -> c_int {
    both::set_time(instance, "fmi3SetTime", time)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetContinuousStates(instance: Instance3, x: *const f64, n: usize) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::set_states(instance, "fmi3SetContinuousStates", (x, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStateDerivatives(
    instance: Instance3,
    dx: *mut f64,
    n: usize,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::derivatives(instance, "fmi3GetContinuousStateDerivatives", (dx, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetEventIndicators(instance: Instance3, z: *mut f64, n: usize) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::indicators(instance, "fmi3GetEventIndicators", (z, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStates(instance: Instance3, x: *mut f64, n: usize) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::states(instance, "fmi3GetContinuousStates", (x, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(
    instance: Instance3,
    x: *mut f64,
    n: usize,
) -> c_int {
    // SAFETY: the importer's arrays and places.
    unsafe { both::nominals(instance, "fmi3GetNominalsOfContinuousStates", (x, n)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(instance: Instance3, count: *mut usize) -> c_int {
    call(instance, "fmi3GetNumberOfEventIndicators", ALWAYS, |m| {
        // SAFETY: the importer's place for the answer.
        unsafe { put(count, m.instance.source().description.indicators.len()) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(instance: Instance3, count: *mut usize) -> c_int {
    call(instance, "fmi3GetNumberOfContinuousStates", ALWAYS, |m| {
        // SAFETY: the importer's place for the answer.
        unsafe { put(count, m.instance.source().description.states.len()) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterStepMode(instance: Instance3) -> c_int {
    call(instance, "fmi3EnterStepMode", EVENT, |m| {
        if m.interface == Interface::ModelExchange {
            return Err(Failure::error("it was instantiated for model exchange"));
        }
        m.phase = Phase::Step;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: Instance3,
    from: f64,
    length: f64,
    _no_set_prior: bool,
    needs_event: *mut bool,
    terminate: *mut bool,
    is_early: *mut bool,
    last_time: *mut f64,
) -> c_int {
    call(instance, "fmi3DoStep", &[Phase::Step], |m| {
        if length <= 0.0 {
            return Err(Failure::error(format!(
                "a step of {length} s: it must be above 0"
            )));
        }
        let stepped = m.step(from, length)?;
        // SAFETY: the importer's places for the answers.
        unsafe {
            put(needs_event, stepped.needs_event);
            put(terminate, stepped.is_terminated);
            put(is_early, stepped.is_early);
            put(last_time, stepped.t);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3ActivateModelPartition(instance: Instance3, _clock: u32, _time: f64) -> c_int {
    call(instance, "fmi3ActivateModelPartition", ALWAYS, |_| none_of(1))
}
