//! The functions of FMI 2.0 (§2.1, §3.2, §4.2 of the standard).

use crate::library::{Fmu, c_text};
use crate::machine::{
    Function, Functions, Group, Handle, Instance, Machine, Standard, Stepped, Updated, alike, call, explain,
    first_and_last, functions, offered,
};
use crate::messages::{Messages, dyverse_fmu_import_log};
use crate::{ImportError, Interface, Kind};
use dyverse_component::Fault;
use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::Path;
use std::rc::Rc;

type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);

/// `fmi2CallbackFunctions`.
#[repr(C)]
struct Callbacks {
    logger: Logger,
    allocate_memory: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    free_memory: unsafe extern "C" fn(*mut c_void),
    step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    environment: *mut c_void,
}

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Default)]
struct EventInfo {
    needs_more: c_int,
    wants_end: c_int,
    has_changed_nominals: c_int,
    has_changed_states: c_int,
    has_next_time: c_int,
    next_time: f64,
}

functions! {
    /// What both interfaces need.
    Common {
        get_version: "fmi2GetVersion" fn() -> *const c_char;
        instantiate: "fmi2Instantiate" fn(*const c_char, c_int, *const c_char, *const c_char, *const Callbacks, c_int, c_int) -> Handle;
        free_instance: "fmi2FreeInstance" fn(Handle);
        setup_experiment: "fmi2SetupExperiment" fn(Handle, c_int, f64, f64, c_int, f64) -> c_int;
        enter_initialization: "fmi2EnterInitializationMode" fn(Handle) -> c_int;
        exit_initialization: "fmi2ExitInitializationMode" fn(Handle) -> c_int;
        terminate: "fmi2Terminate" fn(Handle) -> c_int;
        get_real: "fmi2GetReal" fn(Handle, *const c_uint, usize, *mut f64) -> c_int;
        get_integer: "fmi2GetInteger" fn(Handle, *const c_uint, usize, *mut c_int) -> c_int;
        get_boolean: "fmi2GetBoolean" fn(Handle, *const c_uint, usize, *mut c_int) -> c_int;
        set_real: "fmi2SetReal" fn(Handle, *const c_uint, usize, *const f64) -> c_int;
        set_integer: "fmi2SetInteger" fn(Handle, *const c_uint, usize, *const c_int) -> c_int;
        set_boolean: "fmi2SetBoolean" fn(Handle, *const c_uint, usize, *const c_int) -> c_int;
    }
}

functions! {
    /// Model exchange.
    Exchange {
        enter_event_mode: "fmi2EnterEventMode" fn(Handle) -> c_int;
        new_discrete_states: "fmi2NewDiscreteStates" fn(Handle, *mut EventInfo) -> c_int;
        enter_continuous_time: "fmi2EnterContinuousTimeMode" fn(Handle) -> c_int;
        completed_step: "fmi2CompletedIntegratorStep" fn(Handle, c_int, *mut c_int, *mut c_int) -> c_int;
        set_time: "fmi2SetTime" fn(Handle, f64) -> c_int;
        set_states: "fmi2SetContinuousStates" fn(Handle, *const f64, usize) -> c_int;
        get_derivatives: "fmi2GetDerivatives" fn(Handle, *mut f64, usize) -> c_int;
        get_indicators: "fmi2GetEventIndicators" fn(Handle, *mut f64, usize) -> c_int;
        get_states: "fmi2GetContinuousStates" fn(Handle, *mut f64, usize) -> c_int;
    }
}

functions! {
    /// Co-simulation.
    Steps {
        do_step: "fmi2DoStep" fn(Handle, f64, f64, c_int) -> c_int;
        get_real_status: "fmi2GetRealStatus" fn(Handle, c_int, *mut f64) -> c_int;
        get_boolean_status: "fmi2GetBooleanStatus" fn(Handle, c_int, *mut c_int) -> c_int;
    }
}

/// Values need no functions of their own group.
pub(crate) struct NoValues;

impl Group for NoValues {
    fn load(_library: &Library) -> Result<Self, ImportError> {
        Ok(NoValues)
    }
}

/// `fmi2LastSuccessfulTime`, `fmi2Terminated`, `fmi2Discard`.
const LAST_SUCCESSFUL_TIME: c_int = 2;
const TERMINATED: c_int = 3;
const DISCARD: c_int = 2;

/// FMI 2.0.
pub(crate) struct Two;

/// What an instance needs besides.
pub(crate) struct Kept {
    dimension: usize,
    indicators: usize,
    /// The FMU keeps a pointer to them.
    _callbacks: Rc<Callbacks>,
}

impl Standard for Two {
    const VERSION: &str = "2.";
    type Common = Common;
    type Values = NoValues;
    type Exchange = Exchange;
    type Steps = Steps;
    type Kept = Kept;

    first_and_last!();
}

impl Instance<Two> {
    pub(crate) fn new(calls: &Rc<Functions<Two>>, fmu: &Fmu, name: &str) -> Result<Self, ImportError> {
        let description = fmu.description();
        let messages = Messages::new();
        let callbacks = Rc::new(Callbacks {
            logger: dyverse_fmu_import_log,
            allocate_memory: calloc,
            free_memory: free,
            step_finished: None,
            environment: messages.environment(),
        });
        let resources = c_text(&file_uri(&calls.loaded.resources()));
        let (name, token) = (c_text(name), c_text(&description.token));
        let kind = c_int::from(fmu.interface() == Interface::CoSimulation);
        let Function { name: function, call } = &calls.common.instantiate;
        let (name, token, resources) = (name.as_ptr(), token.as_ptr(), resources.as_ptr());
        // SAFETY: all pointers live during the call, the callbacks until the instance is freed.
        let made = unsafe { call(name, kind, token, resources, Rc::as_ptr(&callbacks), 0, 0) };
        let kept = Kept {
            dimension: description.states.len(),
            indicators: description.indicator_count,
            _callbacks: callbacks,
        };
        Instance::made((function, made), calls, messages, kept)
    }
}

impl Machine for Instance<Two> {
    alike!();

    fn get_part(&mut self, kind: Kind, references: &[c_uint], values: &mut [f64]) -> Result<(), Fault> {
        let (n, r) = (references.len(), references.as_ptr());
        if kind == Kind::Float64 {
            return call!(self, common.get_real(r, n, values.as_mut_ptr()));
        }
        let mut numbers = vec![0; n];
        match kind {
            Kind::Boolean => call!(self, common.get_boolean(r, n, numbers.as_mut_ptr()))?,
            _ => call!(self, common.get_integer(r, n, numbers.as_mut_ptr()))?,
        }
        for (value, number) in values.iter_mut().zip(numbers) {
            *value = f64::from(number);
        }
        Ok(())
    }

    fn set_part(&mut self, kind: Kind, references: &[c_uint], values: &[f64]) -> Result<(), Fault> {
        let (n, r) = (references.len(), references.as_ptr());
        match kind {
            Kind::Float64 => call!(self, common.set_real(r, n, values.as_ptr())),
            Kind::Boolean => {
                let truths: Vec<c_int> = values.iter().map(|v| c_int::from(*v != 0.0)).collect();
                call!(self, common.set_boolean(r, n, truths.as_ptr()))
            }
            _ => {
                let numbers: Vec<c_int> = values.iter().map(|v| v.round() as c_int).collect();
                call!(self, common.set_integer(r, n, numbers.as_ptr()))
            }
        }
    }

    fn enter_initialization(&mut self, start: f64, stop: Option<f64>) -> Result<(), Fault> {
        let (has_stop, stop) = (c_int::from(stop.is_some()), stop.unwrap_or(0.0));
        call!(self, common.setup_experiment(0, 0.0, start, has_stop, stop))?;
        call!(self, common.enter_initialization())
    }

    fn enter_event_mode(&mut self) -> Result<(), Fault> {
        call!(self, exchange?.enter_event_mode())
    }

    fn update_discrete_states(&mut self) -> Result<Updated, Fault> {
        let mut info = EventInfo::default();
        call!(self, exchange?.new_discrete_states(&raw mut info))?;
        Ok(Updated {
            needs_more: info.needs_more != 0,
            wants_end: info.wants_end != 0,
            has_changed_states: info.has_changed_states != 0,
            next_time: (info.has_next_time != 0).then_some(info.next_time),
        })
    }

    fn dimension(&mut self) -> Result<usize, Fault> {
        Ok(self.kept.dimension)
    }

    fn indicator_count(&mut self) -> Result<usize, Fault> {
        Ok(self.kept.indicators)
    }

    fn completed_step(&mut self) -> Result<(bool, bool), Fault> {
        let (mut event, mut end) = (0, 0);
        call!(self, exchange?.completed_step(1, &raw mut event, &raw mut end))?;
        Ok((event != 0, end != 0))
    }

    fn do_step(&mut self, t: f64, length: f64) -> Result<Stepped, Fault> {
        let calls = self.live()?;
        let steps = offered(&calls.steps)?;
        // SAFETY: the instance lives.
        let status = unsafe { (steps.do_step.call)(self.handle, t, length, 1) };
        if status != DISCARD {
            self.judge(steps.do_step.name, status)?;
            return Ok(Stepped {
                t: t + length,
                needs_event: false,
                wants_end: false,
            });
        }
        let (mut reached, mut is_over) = (f64::NAN, 0);
        // SAFETY: the instance lives, and so does what is written to.
        let known = unsafe {
            (
                (steps.get_boolean_status.call)(self.handle, TERMINATED, &raw mut is_over),
                (steps.get_real_status.call)(self.handle, LAST_SUCCESSFUL_TIME, &raw mut reached),
            )
        };
        if known == (0, 0) && is_over != 0 && reached.is_finite() {
            return Ok(Stepped {
                t: reached,
                needs_event: false,
                wants_end: true,
            });
        }
        let what = format!("fmi2DoStep discarded the step from {t} s to {} s", t + length);
        Err(explain(&what, &self.messages))
    }

    fn enter_step_mode(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// A path as the standard wants it: `file:///tmp/x%20y`.
fn file_uri(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') {
        "file://"
    } else {
        "file:///"
    });
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~:".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(file_uri(Path::new("/tmp/a b/ü")), "file:///tmp/a%20b/%C3%BC");
    }
}
