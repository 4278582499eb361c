//! The functions of FMI 2.0 (§2.1, §3.2, §4.2 of the standard).

use crate::library::{Fmu, Loaded, c_text};
use crate::machine::{Machine, Slot, Stepped, Updated, explain, functions, judge};
use crate::messages::{Messages, dyverse_fmu_import_log, text_of};
use crate::{ImportError, Interface, Kind};
use dyverse_component::Fault;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::Path;
use std::rc::Rc;

type Component = *mut c_void;
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
        instantiate: "fmi2Instantiate" fn(*const c_char, c_int, *const c_char, *const c_char, *const Callbacks, c_int, c_int) -> Component;
        free_instance: "fmi2FreeInstance" fn(Component);
        setup_experiment: "fmi2SetupExperiment" fn(Component, c_int, f64, f64, c_int, f64) -> c_int;
        enter_initialization: "fmi2EnterInitializationMode" fn(Component) -> c_int;
        exit_initialization: "fmi2ExitInitializationMode" fn(Component) -> c_int;
        terminate: "fmi2Terminate" fn(Component) -> c_int;
        get_real: "fmi2GetReal" fn(Component, *const c_uint, usize, *mut f64) -> c_int;
        get_integer: "fmi2GetInteger" fn(Component, *const c_uint, usize, *mut c_int) -> c_int;
        get_boolean: "fmi2GetBoolean" fn(Component, *const c_uint, usize, *mut c_int) -> c_int;
        set_real: "fmi2SetReal" fn(Component, *const c_uint, usize, *const f64) -> c_int;
        set_integer: "fmi2SetInteger" fn(Component, *const c_uint, usize, *const c_int) -> c_int;
        set_boolean: "fmi2SetBoolean" fn(Component, *const c_uint, usize, *const c_int) -> c_int;
    }
}

functions! {
    /// Model exchange.
    Exchange {
        enter_event_mode: "fmi2EnterEventMode" fn(Component) -> c_int;
        new_discrete_states: "fmi2NewDiscreteStates" fn(Component, *mut EventInfo) -> c_int;
        enter_continuous_time: "fmi2EnterContinuousTimeMode" fn(Component) -> c_int;
        completed_step: "fmi2CompletedIntegratorStep" fn(Component, c_int, *mut c_int, *mut c_int) -> c_int;
        set_time: "fmi2SetTime" fn(Component, f64) -> c_int;
        set_states: "fmi2SetContinuousStates" fn(Component, *const f64, usize) -> c_int;
        get_derivatives: "fmi2GetDerivatives" fn(Component, *mut f64, usize) -> c_int;
        get_indicators: "fmi2GetEventIndicators" fn(Component, *mut f64, usize) -> c_int;
        get_states: "fmi2GetContinuousStates" fn(Component, *mut f64, usize) -> c_int;
    }
}

functions! {
    /// Co-simulation.
    Steps {
        do_step: "fmi2DoStep" fn(Component, f64, f64, c_int) -> c_int;
        get_real_status: "fmi2GetRealStatus" fn(Component, c_int, *mut f64) -> c_int;
        get_boolean_status: "fmi2GetBooleanStatus" fn(Component, c_int, *mut c_int) -> c_int;
    }
}

/// `fmi2LastSuccessfulTime`, `fmi2Terminated`, `fmi2Discard`, `fmi2Fatal`.
const LAST_SUCCESSFUL_TIME: c_int = 2;
const TERMINATED: c_int = 3;
const DISCARD: c_int = 2;
const FATAL: c_int = 4;

/// The functions of a library, with what keeps it in memory.
pub(crate) struct Functions {
    common: Common,
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
        if !version.starts_with("2.") {
            return Err(ImportError::new(format!(
                "its description says FMI 2.0, its library {version:?}"
            )));
        }
        let is_exchange = interface == Interface::ModelExchange;
        Ok(Functions {
            exchange: is_exchange.then(|| Exchange::load(library)).transpose()?,
            steps: (!is_exchange).then(|| Steps::load(library)).transpose()?,
            common,
            loaded,
        })
    }
}

/// An instance.
pub(crate) struct Machine2 {
    calls: Rc<Functions>,
    component: Component,
    dimension: usize,
    indicators: usize,
    is_initialised: bool,
    is_dead: bool,
    messages: Rc<Messages>,
    /// The FMU keeps a pointer to them.
    _callbacks: Rc<Callbacks>,
}

impl Machine2 {
    pub(crate) fn new(calls: &Rc<Functions>, fmu: &Fmu, name: &str) -> Result<Self, ImportError> {
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
        // SAFETY: all pointers live during the call, the callbacks until the instance is freed.
        let component = unsafe {
            (calls.common.instantiate)(
                name.as_ptr(),
                kind,
                token.as_ptr(),
                resources.as_ptr(),
                Rc::as_ptr(&callbacks),
                0,
                0,
            )
        };
        if component.is_null() {
            return Err(String::from(explain("fmi2Instantiate gave no instance", &messages)).into());
        }
        Ok(Machine2 {
            calls: calls.clone(),
            component,
            dimension: description.states.len(),
            indicators: description.indicator_count,
            is_initialised: false,
            is_dead: false,
            messages,
            _callbacks: callbacks,
        })
    }

    fn judge(&mut self, function: &str, status: c_int) -> Result<(), Fault> {
        self.is_dead |= status == FATAL;
        judge(function, status, &self.messages)
    }

    /// Refuses calls after a fatal status.
    fn live(&self) -> Result<Rc<Functions>, Fault> {
        if self.is_dead {
            return Err("it gave the status fatal before".into());
        }
        Ok(self.calls.clone())
    }

    fn get_part(&mut self, kind: Kind, references: &[c_uint], values: &mut [f64]) -> Result<(), Fault> {
        let calls = self.live()?;
        let (c, n, r) = (self.component, references.len(), references.as_ptr());
        if kind == Kind::Float64 {
            // SAFETY: the instance lives; both arrays have n entries.
            let status = unsafe { (calls.common.get_real)(c, r, n, values.as_mut_ptr()) };
            return self.judge("fmi2GetReal", status);
        }
        let mut numbers = vec![0; n];
        // SAFETY: as above.
        let (function, status) = unsafe {
            match kind {
                Kind::Boolean => (
                    "fmi2GetBoolean",
                    (calls.common.get_boolean)(c, r, n, numbers.as_mut_ptr()),
                ),
                _ => (
                    "fmi2GetInteger",
                    (calls.common.get_integer)(c, r, n, numbers.as_mut_ptr()),
                ),
            }
        };
        self.judge(function, status)?;
        for (value, number) in values.iter_mut().zip(numbers) {
            *value = f64::from(number);
        }
        Ok(())
    }

    fn set_part(&mut self, kind: Kind, references: &[c_uint], values: &[f64]) -> Result<(), Fault> {
        let calls = self.live()?;
        let (c, n, r) = (self.component, references.len(), references.as_ptr());
        if kind == Kind::Float64 {
            // SAFETY: the instance lives; both arrays have n entries.
            let status = unsafe { (calls.common.set_real)(c, r, n, values.as_ptr()) };
            return self.judge("fmi2SetReal", status);
        }
        let is_boolean = kind == Kind::Boolean;
        let number = |value: &f64| {
            if is_boolean {
                c_int::from(*value != 0.0)
            } else {
                value.round() as c_int
            }
        };
        let numbers: Vec<c_int> = values.iter().map(number).collect();
        // SAFETY: as above.
        let (function, status) = unsafe {
            if is_boolean {
                (
                    "fmi2SetBoolean",
                    (calls.common.set_boolean)(c, r, n, numbers.as_ptr()),
                )
            } else {
                (
                    "fmi2SetInteger",
                    (calls.common.set_integer)(c, r, n, numbers.as_ptr()),
                )
            }
        };
        self.judge(function, status)
    }

    /// Calls a function of model exchange.
    fn exchange(
        &mut self,
        function: &str,
        call: impl FnOnce(&Exchange, Component) -> c_int,
    ) -> Result<(), Fault> {
        let calls = self.live()?;
        let Some(exchange) = &calls.exchange else {
            return Err(Fault::Refused(format!("{function} is for model exchange")));
        };
        let status = call(exchange, self.component);
        self.judge(function, status)
    }
}

impl Drop for Machine2 {
    fn drop(&mut self) {
        if self.is_dead {
            return;
        }
        // SAFETY: the instance lives, and nothing of it is used afterwards.
        unsafe {
            if self.is_initialised {
                (self.calls.common.terminate)(self.component);
            }
            (self.calls.common.free_instance)(self.component);
        }
    }
}

impl Machine for Machine2 {
    fn set(&mut self, slots: &[Slot], values: &[f64]) -> Result<(), Fault> {
        let mut from = 0;
        for part in slots.chunk_by(|a, b| a.kind == b.kind) {
            let references: Vec<c_uint> = part.iter().map(|s| s.reference).collect();
            self.set_part(part[0].kind, &references, &values[from..from + part.len()])?;
            from += part.len();
        }
        Ok(())
    }

    fn get(&mut self, slots: &[Slot], values: &mut [f64]) -> Result<(), Fault> {
        let mut from = 0;
        for part in slots.chunk_by(|a, b| a.kind == b.kind) {
            let references: Vec<c_uint> = part.iter().map(|s| s.reference).collect();
            self.get_part(part[0].kind, &references, &mut values[from..from + part.len()])?;
            from += part.len();
        }
        Ok(())
    }

    fn enter_initialization(&mut self, start: f64, stop: Option<f64>) -> Result<(), Fault> {
        let calls = self.live()?;
        let (has_stop, stop) = (c_int::from(stop.is_some()), stop.unwrap_or(0.0));
        // SAFETY: the instance lives.
        let status =
            unsafe { (calls.common.setup_experiment)(self.component, 0, 0.0, start, has_stop, stop) };
        self.judge("fmi2SetupExperiment", status)?;
        // SAFETY: the instance lives.
        let status = unsafe { (calls.common.enter_initialization)(self.component) };
        self.judge("fmi2EnterInitializationMode", status)
    }

    fn exit_initialization(&mut self) -> Result<(), Fault> {
        let calls = self.live()?;
        // SAFETY: the instance lives.
        let status = unsafe { (calls.common.exit_initialization)(self.component) };
        self.judge("fmi2ExitInitializationMode", status)?;
        self.is_initialised = true;
        Ok(())
    }

    fn enter_event_mode(&mut self) -> Result<(), Fault> {
        // SAFETY: the instance lives.
        self.exchange("fmi2EnterEventMode", |f, c| unsafe { (f.enter_event_mode)(c) })
    }

    fn update_discrete_states(&mut self) -> Result<Updated, Fault> {
        let mut info = EventInfo::default();
        // SAFETY: the instance lives, and so does what is written to.
        self.exchange("fmi2NewDiscreteStates", |f, c| unsafe {
            (f.new_discrete_states)(c, &raw mut info)
        })?;
        Ok(Updated {
            needs_more: info.needs_more != 0,
            wants_end: info.wants_end != 0,
            has_changed_states: info.has_changed_states != 0,
            next_time: (info.has_next_time != 0).then_some(info.next_time),
        })
    }

    fn dimension(&mut self) -> Result<usize, Fault> {
        Ok(self.dimension)
    }

    fn indicator_count(&mut self) -> Result<usize, Fault> {
        Ok(self.indicators)
    }

    fn enter_continuous_time(&mut self) -> Result<(), Fault> {
        // SAFETY: the instance lives.
        self.exchange("fmi2EnterContinuousTimeMode", |f, c| unsafe {
            (f.enter_continuous_time)(c)
        })
    }

    fn set_time(&mut self, t: f64) -> Result<(), Fault> {
        // SAFETY: the instance lives.
        self.exchange("fmi2SetTime", |f, c| unsafe { (f.set_time)(c, t) })
    }

    fn set_states(&mut self, x: &[f64]) -> Result<(), Fault> {
        // SAFETY: the instance lives; the length is that of the array.
        self.exchange("fmi2SetContinuousStates", |f, c| unsafe {
            (f.set_states)(c, x.as_ptr(), x.len())
        })
    }

    fn states(&mut self, x: &mut [f64]) -> Result<(), Fault> {
        // SAFETY: as above.
        self.exchange("fmi2GetContinuousStates", |f, c| unsafe {
            (f.get_states)(c, x.as_mut_ptr(), x.len())
        })
    }

    fn derivatives(&mut self, dx: &mut [f64]) -> Result<(), Fault> {
        // SAFETY: as above.
        self.exchange("fmi2GetDerivatives", |f, c| unsafe {
            (f.get_derivatives)(c, dx.as_mut_ptr(), dx.len())
        })
    }

    fn indicators(&mut self, z: &mut [f64]) -> Result<(), Fault> {
        // SAFETY: as above.
        self.exchange("fmi2GetEventIndicators", |f, c| unsafe {
            (f.get_indicators)(c, z.as_mut_ptr(), z.len())
        })
    }

    fn completed_step(&mut self) -> Result<(bool, bool), Fault> {
        let (mut event, mut end) = (0, 0);
        // SAFETY: the instance lives, and so does what is written to.
        self.exchange("fmi2CompletedIntegratorStep", |f, c| unsafe {
            (f.completed_step)(c, 1, &raw mut event, &raw mut end)
        })?;
        Ok((event != 0, end != 0))
    }

    fn do_step(&mut self, t: f64, length: f64) -> Result<Stepped, Fault> {
        let calls = self.live()?;
        let Some(steps) = &calls.steps else {
            return Err("fmi2DoStep is for co-simulation".into());
        };
        // SAFETY: the instance lives.
        let status = unsafe { (steps.do_step)(self.component, t, length, 1) };
        if status != DISCARD {
            self.judge("fmi2DoStep", status)?;
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
                (steps.get_boolean_status)(self.component, TERMINATED, &raw mut is_over),
                (steps.get_real_status)(self.component, LAST_SUCCESSFUL_TIME, &raw mut reached),
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
