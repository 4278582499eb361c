//! The functions of FMI 3.0 (§2.2, §3.2, §4.2 of the standard).

use crate::library::{Fmu, Loaded, c_text};
use crate::machine::{Machine, Slot, Stepped, Updated, explain, functions, judge};
use crate::messages::{Messages, log3, text_of};
use crate::{ImportError, Interface, Kind};
use dyverse_component::Fault;
use std::ffi::{c_char, c_int, c_void};
use std::rc::Rc;

type Instance = *mut c_void;
type Logger = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

functions! {
    /// What both interfaces need.
    Common {
        get_version: "fmi3GetVersion" fn() -> *const c_char;
        free_instance: "fmi3FreeInstance" fn(Instance);
        enter_initialization: "fmi3EnterInitializationMode" fn(Instance, bool, f64, f64, bool, f64) -> c_int;
        exit_initialization: "fmi3ExitInitializationMode" fn(Instance) -> c_int;
        enter_event_mode: "fmi3EnterEventMode" fn(Instance) -> c_int;
        update_discrete_states: "fmi3UpdateDiscreteStates" fn(Instance, *mut bool, *mut bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
        terminate: "fmi3Terminate" fn(Instance) -> c_int;
    }
}

functions! {
    /// Values, type by type.
    Values {
        get_float64: "fmi3GetFloat64" fn(Instance, *const u32, usize, *mut f64, usize) -> c_int;
        get_float32: "fmi3GetFloat32" fn(Instance, *const u32, usize, *mut f32, usize) -> c_int;
        get_int8: "fmi3GetInt8" fn(Instance, *const u32, usize, *mut i8, usize) -> c_int;
        get_uint8: "fmi3GetUInt8" fn(Instance, *const u32, usize, *mut u8, usize) -> c_int;
        get_int16: "fmi3GetInt16" fn(Instance, *const u32, usize, *mut i16, usize) -> c_int;
        get_uint16: "fmi3GetUInt16" fn(Instance, *const u32, usize, *mut u16, usize) -> c_int;
        get_int32: "fmi3GetInt32" fn(Instance, *const u32, usize, *mut i32, usize) -> c_int;
        get_uint32: "fmi3GetUInt32" fn(Instance, *const u32, usize, *mut u32, usize) -> c_int;
        get_int64: "fmi3GetInt64" fn(Instance, *const u32, usize, *mut i64, usize) -> c_int;
        get_uint64: "fmi3GetUInt64" fn(Instance, *const u32, usize, *mut u64, usize) -> c_int;
        get_boolean: "fmi3GetBoolean" fn(Instance, *const u32, usize, *mut bool, usize) -> c_int;
        set_float64: "fmi3SetFloat64" fn(Instance, *const u32, usize, *const f64, usize) -> c_int;
        set_float32: "fmi3SetFloat32" fn(Instance, *const u32, usize, *const f32, usize) -> c_int;
        set_int8: "fmi3SetInt8" fn(Instance, *const u32, usize, *const i8, usize) -> c_int;
        set_uint8: "fmi3SetUInt8" fn(Instance, *const u32, usize, *const u8, usize) -> c_int;
        set_int16: "fmi3SetInt16" fn(Instance, *const u32, usize, *const i16, usize) -> c_int;
        set_uint16: "fmi3SetUInt16" fn(Instance, *const u32, usize, *const u16, usize) -> c_int;
        set_int32: "fmi3SetInt32" fn(Instance, *const u32, usize, *const i32, usize) -> c_int;
        set_uint32: "fmi3SetUInt32" fn(Instance, *const u32, usize, *const u32, usize) -> c_int;
        set_int64: "fmi3SetInt64" fn(Instance, *const u32, usize, *const i64, usize) -> c_int;
        set_uint64: "fmi3SetUInt64" fn(Instance, *const u32, usize, *const u64, usize) -> c_int;
        set_boolean: "fmi3SetBoolean" fn(Instance, *const u32, usize, *const bool, usize) -> c_int;
    }
}

functions! {
    /// Model exchange.
    Exchange {
        instantiate: "fmi3InstantiateModelExchange" fn(*const c_char, *const c_char, *const c_char, bool, bool, *mut c_void, Logger) -> Instance;
        enter_continuous_time: "fmi3EnterContinuousTimeMode" fn(Instance) -> c_int;
        completed_step: "fmi3CompletedIntegratorStep" fn(Instance, bool, *mut bool, *mut bool) -> c_int;
        set_time: "fmi3SetTime" fn(Instance, f64) -> c_int;
        set_states: "fmi3SetContinuousStates" fn(Instance, *const f64, usize) -> c_int;
        get_derivatives: "fmi3GetContinuousStateDerivatives" fn(Instance, *mut f64, usize) -> c_int;
        get_indicators: "fmi3GetEventIndicators" fn(Instance, *mut f64, usize) -> c_int;
        get_states: "fmi3GetContinuousStates" fn(Instance, *mut f64, usize) -> c_int;
        get_indicator_count: "fmi3GetNumberOfEventIndicators" fn(Instance, *mut usize) -> c_int;
        get_dimension: "fmi3GetNumberOfContinuousStates" fn(Instance, *mut usize) -> c_int;
    }
}

functions! {
    /// Co-simulation.
    Steps {
        instantiate: "fmi3InstantiateCoSimulation" fn(*const c_char, *const c_char, *const c_char, bool, bool, bool, bool, *const u32, usize, *mut c_void, Logger, *const c_void) -> Instance;
        enter_step_mode: "fmi3EnterStepMode" fn(Instance) -> c_int;
        do_step: "fmi3DoStep" fn(Instance, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
    }
}

/// `fmi3Fatal`.
const FATAL: c_int = 4;

/// The functions of a library, with what keeps it in memory.
pub(crate) struct Functions {
    common: Common,
    values: Values,
    exchange: Option<Exchange>,
    steps: Option<Steps>,
    loaded: Loaded,
}

impl Functions {
    pub(crate) fn load(loaded: Loaded, interface: Interface) -> Result<Self, ImportError> {
        let library = &loaded.library;
        let common = Common::load(library)?;
        // SAFETY: it takes nothing and gives a text that stays.
        let version = unsafe { text_of((common.get_version)()) };
        if !version.starts_with("3.") {
            return Err(ImportError::new(format!(
                "its description says FMI 3.0, its library {version:?}"
            )));
        }
        let is_exchange = interface == Interface::ModelExchange;
        Ok(Functions {
            values: Values::load(library)?,
            exchange: is_exchange.then(|| Exchange::load(library)).transpose()?,
            steps: (!is_exchange).then(|| Steps::load(library)).transpose()?,
            common,
            loaded,
        })
    }
}

/// An instance.
pub(crate) struct Machine3 {
    calls: Rc<Functions>,
    instance: Instance,
    is_initialised: bool,
    is_dead: bool,
    messages: Rc<Messages>,
}

impl Machine3 {
    pub(crate) fn new(calls: &Rc<Functions>, fmu: &Fmu, name: &str) -> Result<Self, ImportError> {
        let description = fmu.description();
        let messages = Messages::new();
        // The path ends in a separator.
        let resources = calls.loaded.resources().join("");
        let (name, token) = (c_text(name), c_text(&description.token));
        let resources = c_text(&resources.to_string_lossy());
        let environment = messages.environment();
        let (function, instance) = if let Some(exchange) = &calls.exchange {
            // SAFETY: all pointers live during the call, the environment until the instance is freed.
            let made = unsafe {
                (exchange.instantiate)(
                    name.as_ptr(),
                    token.as_ptr(),
                    resources.as_ptr(),
                    false,
                    false,
                    environment,
                    log3,
                )
            };
            ("fmi3InstantiateModelExchange", made)
        } else if let Some(steps) = &calls.steps {
            let offer = description.co_simulation.as_ref();
            let has_events = offer.is_some_and(|o| o.has_event_mode);
            let is_early = offer.is_some_and(|o| o.may_return_early);
            // SAFETY: as above; no intermediate variables are asked for, and no intermediate update.
            let made = unsafe {
                (steps.instantiate)(
                    name.as_ptr(),
                    token.as_ptr(),
                    resources.as_ptr(),
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
            ("fmi3InstantiateCoSimulation", made)
        } else {
            return Err(ImportError::new("it offers no interface"));
        };
        if instance.is_null() {
            return Err(String::from(explain(&format!("{function} gave no instance"), &messages)).into());
        }
        Ok(Machine3 {
            calls: calls.clone(),
            instance,
            is_initialised: false,
            is_dead: false,
            messages,
        })
    }

    /// Calls a function, unless the status was fatal before.
    fn call(
        &mut self,
        function: &str,
        call: impl FnOnce(&Functions, Instance) -> c_int,
    ) -> Result<(), Fault> {
        if self.is_dead {
            return Err("it gave the status fatal before".into());
        }
        let calls = self.calls.clone();
        let status = call(&calls, self.instance);
        self.is_dead = status == FATAL;
        judge(function, status, &self.messages)
    }

    /// Calls a function of model exchange.
    fn exchange(
        &mut self,
        function: &str,
        call: impl FnOnce(&Exchange, Instance) -> c_int,
    ) -> Result<(), Fault> {
        let calls = self.calls.clone();
        let Some(exchange) = &calls.exchange else {
            return Err(Fault::Refused(format!("{function} is for model exchange")));
        };
        self.call(function, |_, instance| call(exchange, instance))
    }

    fn get_part(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<(), Fault> {
        let (n, r) = (references.len(), references.as_ptr());
        macro_rules! typed {
            ($function:literal, $field:ident, $zero:expr, $number:expr) => {{
                let mut typed = vec![$zero; n];
                // SAFETY: the instance lives; both arrays have n entries, of scalar variables.
                self.call($function, |f, i| unsafe {
                    (f.values.$field)(i, r, n, typed.as_mut_ptr(), n)
                })?;
                for (value, typed) in values.iter_mut().zip(typed) {
                    *value = $number(typed);
                }
            }};
        }
        match kind {
            Kind::Float64 => {
                // SAFETY: as below.
                self.call("fmi3GetFloat64", |f, i| unsafe {
                    (f.values.get_float64)(i, r, n, values.as_mut_ptr(), n)
                })?;
            }
            Kind::Float32 => typed!("fmi3GetFloat32", get_float32, 0_f32, f64::from),
            Kind::Int8 => typed!("fmi3GetInt8", get_int8, 0_i8, f64::from),
            Kind::UInt8 => typed!("fmi3GetUInt8", get_uint8, 0_u8, f64::from),
            Kind::Int16 => typed!("fmi3GetInt16", get_int16, 0_i16, f64::from),
            Kind::UInt16 => typed!("fmi3GetUInt16", get_uint16, 0_u16, f64::from),
            Kind::Int32 => typed!("fmi3GetInt32", get_int32, 0_i32, f64::from),
            Kind::UInt32 => typed!("fmi3GetUInt32", get_uint32, 0_u32, f64::from),
            Kind::Int64 | Kind::Enumeration => {
                typed!("fmi3GetInt64", get_int64, 0_i64, |v| v as f64)
            }
            Kind::UInt64 => typed!("fmi3GetUInt64", get_uint64, 0_u64, |v| v as f64),
            Kind::Boolean => typed!("fmi3GetBoolean", get_boolean, false, |v| f64::from(u8::from(v))),
            Kind::Other => return Err("a value that is no number was asked for".into()),
        }
        Ok(())
    }

    fn set_part(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<(), Fault> {
        let (n, r) = (references.len(), references.as_ptr());
        macro_rules! typed {
            ($function:literal, $field:ident, $number:expr) => {{
                let typed: Vec<_> = values.iter().map($number).collect();
                // SAFETY: the instance lives; both arrays have n entries, of scalar variables.
                self.call($function, |f, i| unsafe {
                    (f.values.$field)(i, r, n, typed.as_ptr(), n)
                })
            }};
        }
        match kind {
            // SAFETY: as above.
            Kind::Float64 => self.call("fmi3SetFloat64", |f, i| unsafe {
                (f.values.set_float64)(i, r, n, values.as_ptr(), n)
            }),
            Kind::Float32 => typed!("fmi3SetFloat32", set_float32, |v| *v as f32),
            Kind::Int8 => typed!("fmi3SetInt8", set_int8, |v| v.round() as i8),
            Kind::UInt8 => typed!("fmi3SetUInt8", set_uint8, |v| v.round() as u8),
            Kind::Int16 => typed!("fmi3SetInt16", set_int16, |v| v.round() as i16),
            Kind::UInt16 => typed!("fmi3SetUInt16", set_uint16, |v| v.round() as u16),
            Kind::Int32 => typed!("fmi3SetInt32", set_int32, |v| v.round() as i32),
            Kind::UInt32 => typed!("fmi3SetUInt32", set_uint32, |v| v.round() as u32),
            Kind::Int64 | Kind::Enumeration => typed!("fmi3SetInt64", set_int64, |v| v.round() as i64),
            Kind::UInt64 => typed!("fmi3SetUInt64", set_uint64, |v| v.round() as u64),
            Kind::Boolean => typed!("fmi3SetBoolean", set_boolean, |v| *v != 0.0),
            Kind::Other => Err("a value that is no number cannot be set".into()),
        }
    }
}

impl Drop for Machine3 {
    fn drop(&mut self) {
        if self.is_dead {
            return;
        }
        // SAFETY: the instance lives, and nothing of it is used afterwards.
        unsafe {
            if self.is_initialised {
                (self.calls.common.terminate)(self.instance);
            }
            (self.calls.common.free_instance)(self.instance);
        }
    }
}

impl Machine for Machine3 {
    fn set(&mut self, slots: &[Slot], values: &[f64]) -> Result<(), Fault> {
        let mut from = 0;
        for part in slots.chunk_by(|a, b| a.kind == b.kind) {
            let references: Vec<u32> = part.iter().map(|s| s.reference).collect();
            self.set_part(part[0].kind, &references, &values[from..from + part.len()])?;
            from += part.len();
        }
        Ok(())
    }

    fn get(&mut self, slots: &[Slot], values: &mut [f64]) -> Result<(), Fault> {
        let mut from = 0;
        for part in slots.chunk_by(|a, b| a.kind == b.kind) {
            let references: Vec<u32> = part.iter().map(|s| s.reference).collect();
            self.get_part(part[0].kind, &references, &mut values[from..from + part.len()])?;
            from += part.len();
        }
        Ok(())
    }

    fn enter_initialization(&mut self, start: f64, stop: Option<f64>) -> Result<(), Fault> {
        let (has_stop, stop) = (stop.is_some(), stop.unwrap_or(0.0));
        // SAFETY: the instance lives.
        self.call("fmi3EnterInitializationMode", |f, i| unsafe {
            (f.common.enter_initialization)(i, false, 0.0, start, has_stop, stop)
        })
    }

    fn exit_initialization(&mut self) -> Result<(), Fault> {
        // SAFETY: the instance lives.
        self.call("fmi3ExitInitializationMode", |f, i| unsafe {
            (f.common.exit_initialization)(i)
        })?;
        self.is_initialised = true;
        Ok(())
    }

    fn enter_event_mode(&mut self) -> Result<(), Fault> {
        // SAFETY: the instance lives.
        self.call("fmi3EnterEventMode", |f, i| unsafe {
            (f.common.enter_event_mode)(i)
        })
    }

    fn update_discrete_states(&mut self) -> Result<Updated, Fault> {
        let (mut more, mut end, mut nominals, mut states, mut has_next) = (false, false, false, false, false);
        let mut next = 0.0;
        // SAFETY: the instance lives, and so does what is written to.
        self.call("fmi3UpdateDiscreteStates", |f, i| unsafe {
            (f.common.update_discrete_states)(
                i,
                &raw mut more,
                &raw mut end,
                &raw mut nominals,
                &raw mut states,
                &raw mut has_next,
                &raw mut next,
            )
        })?;
        Ok(Updated {
            needs_more: more,
            wants_end: end,
            has_changed_states: states,
            next_time: has_next.then_some(next),
        })
    }

    fn dimension(&mut self) -> Result<usize, Fault> {
        let mut count = 0;
        // SAFETY: the instance lives, and so does what is written to.
        self.exchange("fmi3GetNumberOfContinuousStates", |f, i| unsafe {
            (f.get_dimension)(i, &raw mut count)
        })?;
        Ok(count)
    }

    fn indicator_count(&mut self) -> Result<usize, Fault> {
        let mut count = 0;
        // SAFETY: as above.
        self.exchange("fmi3GetNumberOfEventIndicators", |f, i| unsafe {
            (f.get_indicator_count)(i, &raw mut count)
        })?;
        Ok(count)
    }

    fn enter_continuous_time(&mut self) -> Result<(), Fault> {
        // SAFETY: the instance lives.
        self.exchange("fmi3EnterContinuousTimeMode", |f, i| unsafe {
            (f.enter_continuous_time)(i)
        })
    }

    fn set_time(&mut self, t: f64) -> Result<(), Fault> {
        // SAFETY: the instance lives.
        self.exchange("fmi3SetTime", |f, i| unsafe { (f.set_time)(i, t) })
    }

    fn set_states(&mut self, x: &[f64]) -> Result<(), Fault> {
        // SAFETY: the instance lives; the length is that of the array.
        self.exchange("fmi3SetContinuousStates", |f, i| unsafe {
            (f.set_states)(i, x.as_ptr(), x.len())
        })
    }

    fn states(&mut self, x: &mut [f64]) -> Result<(), Fault> {
        // SAFETY: as above.
        self.exchange("fmi3GetContinuousStates", |f, i| unsafe {
            (f.get_states)(i, x.as_mut_ptr(), x.len())
        })
    }

    fn derivatives(&mut self, dx: &mut [f64]) -> Result<(), Fault> {
        // SAFETY: as above.
        self.exchange("fmi3GetContinuousStateDerivatives", |f, i| unsafe {
            (f.get_derivatives)(i, dx.as_mut_ptr(), dx.len())
        })
    }

    fn indicators(&mut self, z: &mut [f64]) -> Result<(), Fault> {
        // SAFETY: as above.
        self.exchange("fmi3GetEventIndicators", |f, i| unsafe {
            (f.get_indicators)(i, z.as_mut_ptr(), z.len())
        })
    }

    fn completed_step(&mut self) -> Result<(bool, bool), Fault> {
        let (mut event, mut end) = (false, false);
        // SAFETY: the instance lives, and so does what is written to.
        self.exchange("fmi3CompletedIntegratorStep", |f, i| unsafe {
            (f.completed_step)(i, true, &raw mut event, &raw mut end)
        })?;
        Ok((event, end))
    }

    fn do_step(&mut self, t: f64, length: f64) -> Result<Stepped, Fault> {
        let calls = self.calls.clone();
        let Some(steps) = &calls.steps else {
            return Err("fmi3DoStep is for co-simulation".into());
        };
        let (mut event, mut end, mut is_early) = (false, false, false);
        let mut reached = t + length;
        // SAFETY: the instance lives, and so does what is written to.
        self.call("fmi3DoStep", |_, i| unsafe {
            (steps.do_step)(
                i,
                t,
                length,
                true,
                &raw mut event,
                &raw mut end,
                &raw mut is_early,
                &raw mut reached,
            )
        })?;
        Ok(Stepped {
            t: if is_early || end { reached } else { t + length },
            needs_event: event,
            wants_end: end,
        })
    }

    fn enter_step_mode(&mut self) -> Result<(), Fault> {
        let calls = self.calls.clone();
        let Some(steps) = &calls.steps else {
            return Err("fmi3EnterStepMode is for co-simulation".into());
        };
        // SAFETY: the instance lives.
        self.call("fmi3EnterStepMode", |_, i| unsafe { (steps.enter_step_mode)(i) })
    }
}
