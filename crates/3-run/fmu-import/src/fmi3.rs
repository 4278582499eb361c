//! The functions of FMI 3.0 (§2.2, §3.2, §4.2 of the standard).

use crate::library::{Fmu, c_text};
use crate::machine::{
    Function, Functions, Handle, Instance, Machine, Standard, Stepped, Updated, alike, call, first_and_last,
    functions,
};
use crate::messages::{Messages, log3};
use crate::{ImportError, Kind};
use dyverse_component::Fault;
use std::ffi::{c_char, c_int, c_void};
use std::rc::Rc;

type Logger = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

functions! {
    /// What both interfaces need.
    Common {
        get_version: "fmi3GetVersion" fn() -> *const c_char;
        free_instance: "fmi3FreeInstance" fn(Handle);
        enter_initialization: "fmi3EnterInitializationMode" fn(Handle, bool, f64, f64, bool, f64) -> c_int;
        exit_initialization: "fmi3ExitInitializationMode" fn(Handle) -> c_int;
        enter_event_mode: "fmi3EnterEventMode" fn(Handle) -> c_int;
        update_discrete_states: "fmi3UpdateDiscreteStates" fn(Handle, *mut bool, *mut bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
        terminate: "fmi3Terminate" fn(Handle) -> c_int;
    }
}

/// Values, type by type: getter and setter of each, how a value is read as a number and a number written as a value.
macro_rules! values {
    ($($kind:pat => $get:ident $getter:literal, $set:ident $setter:literal, $type:ty, $read:expr, $write:expr;)*) => {
        functions! {
            /// Values, type by type.
            Values {
                get_float64: "fmi3GetFloat64" fn(Handle, *const u32, usize, *mut f64, usize) -> c_int;
                $($get: $getter fn(Handle, *const u32, usize, *mut $type, usize) -> c_int;)*
                set_float64: "fmi3SetFloat64" fn(Handle, *const u32, usize, *const f64, usize) -> c_int;
                $($set: $setter fn(Handle, *const u32, usize, *const $type, usize) -> c_int;)*
            }
        }

        impl Instance<Three> {
            fn get_typed(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<(), Fault> {
                let (n, r) = (references.len(), references.as_ptr());
                match kind {
                    Kind::Float64 => call!(self, values.get_float64(r, n, values.as_mut_ptr(), n)),
                    $($kind => {
                        let mut typed = vec![<$type>::default(); n];
                        call!(self, values.$get(r, n, typed.as_mut_ptr(), n))?;
                        let read: fn($type) -> f64 = $read;
                        values.iter_mut().zip(typed).for_each(|(value, typed)| *value = read(typed));
                        Ok(())
                    })*
                    Kind::Other => Err("a value that is no number was asked for".into()),
                }
            }

            fn set_typed(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<(), Fault> {
                let (n, r) = (references.len(), references.as_ptr());
                match kind {
                    Kind::Float64 => call!(self, values.set_float64(r, n, values.as_ptr(), n)),
                    $($kind => {
                        let write: fn(f64) -> $type = $write;
                        let typed: Vec<$type> = values.iter().map(|v| write(*v)).collect();
                        call!(self, values.$set(r, n, typed.as_ptr(), n))
                    })*
                    Kind::Other => Err("a value that is no number cannot be set".into()),
                }
            }
        }
    };
}

values! {
    Kind::Float32 => get_float32 "fmi3GetFloat32", set_float32 "fmi3SetFloat32", f32, f64::from, |v| v as f32;
    Kind::Int8 => get_int8 "fmi3GetInt8", set_int8 "fmi3SetInt8", i8, f64::from, |v| v.round() as i8;
    Kind::UInt8 => get_uint8 "fmi3GetUInt8", set_uint8 "fmi3SetUInt8", u8, f64::from, |v| v.round() as u8;
    Kind::Int16 => get_int16 "fmi3GetInt16", set_int16 "fmi3SetInt16", i16, f64::from, |v| v.round() as i16;
    Kind::UInt16 => get_uint16 "fmi3GetUInt16", set_uint16 "fmi3SetUInt16", u16, f64::from, |v| v.round() as u16;
    Kind::Int32 => get_int32 "fmi3GetInt32", set_int32 "fmi3SetInt32", i32, f64::from, |v| v.round() as i32;
    Kind::UInt32 => get_uint32 "fmi3GetUInt32", set_uint32 "fmi3SetUInt32", u32, f64::from, |v| v.round() as u32;
    Kind::Int64 | Kind::Enumeration => get_int64 "fmi3GetInt64", set_int64 "fmi3SetInt64", i64, |v| v as f64, |v| v.round() as i64;
    Kind::UInt64 => get_uint64 "fmi3GetUInt64", set_uint64 "fmi3SetUInt64", u64, |v| v as f64, |v| v.round() as u64;
    Kind::Boolean => get_boolean "fmi3GetBoolean", set_boolean "fmi3SetBoolean", bool, |v| f64::from(u8::from(v)), |v| v != 0.0;
}

functions! {
    /// Model exchange.
    Exchange {
        instantiate: "fmi3InstantiateModelExchange" fn(*const c_char, *const c_char, *const c_char, bool, bool, *mut c_void, Logger) -> Handle;
        enter_continuous_time: "fmi3EnterContinuousTimeMode" fn(Handle) -> c_int;
        completed_step: "fmi3CompletedIntegratorStep" fn(Handle, bool, *mut bool, *mut bool) -> c_int;
        set_time: "fmi3SetTime" fn(Handle, f64) -> c_int;
        set_states: "fmi3SetContinuousStates" fn(Handle, *const f64, usize) -> c_int;
        get_derivatives: "fmi3GetContinuousStateDerivatives" fn(Handle, *mut f64, usize) -> c_int;
        get_indicators: "fmi3GetEventIndicators" fn(Handle, *mut f64, usize) -> c_int;
        get_states: "fmi3GetContinuousStates" fn(Handle, *mut f64, usize) -> c_int;
        get_indicator_count: "fmi3GetNumberOfEventIndicators" fn(Handle, *mut usize) -> c_int;
        get_dimension: "fmi3GetNumberOfContinuousStates" fn(Handle, *mut usize) -> c_int;
    }
}

functions! {
    /// Co-simulation.
    Steps {
        instantiate: "fmi3InstantiateCoSimulation" fn(*const c_char, *const c_char, *const c_char, bool, bool, bool, bool, *const u32, usize, *mut c_void, Logger, *const c_void) -> Handle;
        enter_step_mode: "fmi3EnterStepMode" fn(Handle) -> c_int;
        do_step: "fmi3DoStep" fn(Handle, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
    }
}

/// FMI 3.0.
pub(crate) struct Three;

impl Standard for Three {
    const VERSION: &str = "3.";
    type Common = Common;
    type Values = Values;
    type Exchange = Exchange;
    type Steps = Steps;
    type Kept = ();

    first_and_last!();
}

impl Instance<Three> {
    pub(crate) fn new(calls: &Rc<Functions<Three>>, fmu: &Fmu, name: &str) -> Result<Self, ImportError> {
        let description = fmu.description();
        let messages = Messages::new();
        // The path ends in a separator.
        let resources = calls.loaded.resources().join("");
        let (name, token) = (c_text(name), c_text(&description.token));
        let resources = c_text(&resources.to_string_lossy());
        let (name, token, resources) = (name.as_ptr(), token.as_ptr(), resources.as_ptr());
        let environment = messages.environment();
        let made = if let Some(exchange) = &calls.exchange {
            let Function { name: function, call } = &exchange.instantiate;
            // SAFETY: all pointers live during the call, the environment until the instance is freed.
            let made = unsafe { call(name, token, resources, false, false, environment, log3) };
            (*function, made)
        } else if let Some(steps) = &calls.steps {
            let offer = description.co_simulation.as_ref();
            let has_events = offer.is_some_and(|o| o.has_event_mode);
            let is_early = offer.is_some_and(|o| o.may_return_early);
            let Function { name: function, call } = &steps.instantiate;
            // SAFETY: as above; no intermediate variables are asked for, and no intermediate update.
            let made = unsafe {
                call(
                    name,
                    token,
                    resources,
                    false,
                    false,
                    has_events,
                    is_early,
                    std::ptr::null(),
                    0,
                    environment,
                    log3,
                    std::ptr::null(),
                )
            };
            (*function, made)
        } else {
            return Err(ImportError::new("it offers no interface"));
        };
        Instance::made(made, calls, messages, ())
    }
}

impl Machine for Instance<Three> {
    alike!();

    fn get_part(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<(), Fault> {
        self.get_typed(kind, references, values)
    }

    fn set_part(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<(), Fault> {
        self.set_typed(kind, references, values)
    }

    fn enter_initialization(&mut self, start: f64, stop: Option<f64>) -> Result<(), Fault> {
        let (has_stop, stop) = (stop.is_some(), stop.unwrap_or(0.0));
        call!(
            self,
            common.enter_initialization(false, 0.0, start, has_stop, stop)
        )
    }

    fn enter_event_mode(&mut self) -> Result<(), Fault> {
        call!(self, common.enter_event_mode())
    }

    fn update_discrete_states(&mut self) -> Result<Updated, Fault> {
        let (mut more, mut end, mut nominals, mut states, mut has_next) = (false, false, false, false, false);
        let mut next = 0.0;
        call!(
            self,
            common.update_discrete_states(
                &raw mut more,
                &raw mut end,
                &raw mut nominals,
                &raw mut states,
                &raw mut has_next,
                &raw mut next,
            )
        )?;
        Ok(Updated {
            needs_more: more,
            wants_end: end,
            has_changed_states: states,
            next_time: has_next.then_some(next),
        })
    }

    fn dimension(&mut self) -> Result<usize, Fault> {
        let mut count = 0;
        call!(self, exchange?.get_dimension(&raw mut count))?;
        Ok(count)
    }

    fn indicator_count(&mut self) -> Result<usize, Fault> {
        let mut count = 0;
        call!(self, exchange?.get_indicator_count(&raw mut count))?;
        Ok(count)
    }

    fn completed_step(&mut self) -> Result<(bool, bool), Fault> {
        let (mut event, mut end) = (false, false);
        call!(self, exchange?.completed_step(true, &raw mut event, &raw mut end))?;
        Ok((event, end))
    }

    fn do_step(&mut self, t: f64, length: f64) -> Result<Stepped, Fault> {
        let (mut event, mut end, mut is_early) = (false, false, false);
        let mut reached = t + length;
        call!(
            self,
            steps?.do_step(
                t,
                length,
                true,
                &raw mut event,
                &raw mut end,
                &raw mut is_early,
                &raw mut reached,
            )
        )?;
        Ok(Stepped {
            t: if is_early || end { reached } else { t + length },
            needs_event: event,
            wants_end: end,
        })
    }

    fn enter_step_mode(&mut self) -> Result<(), Fault> {
        call!(self, steps?.enter_step_mode())
    }
}
