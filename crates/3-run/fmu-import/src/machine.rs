//! One interface for the functions of both versions: an instance of an FMU that is told what to do.
//!
//! `fmi2.rs` and `fmi3.rs` translate. The order of calls is the business of `exchange.rs` and `steps.rs`.

use crate::library::Loaded;
use crate::messages::{Messages, text_of};
use crate::{ImportError, Interface, Kind};
use dyverse_component::Fault;
use libloading::Library;
use std::ffi::{c_char, c_int, c_void};
use std::rc::Rc;

/// `fmi2Fatal`, `fmi3Fatal`.
const FATAL: c_int = 4;

/// A variable as a library knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) kind: Kind,
    pub(crate) reference: u32,
}

/// What came of an update of discrete states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Updated {
    pub(crate) needs_more: bool,
    pub(crate) wants_end: bool,
    pub(crate) has_changed_states: bool,
    pub(crate) next_time: Option<f64>,
}

/// What came of a step of co-simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stepped {
    /// The time reached.
    pub(crate) t: f64,
    pub(crate) needs_event: bool,
    pub(crate) wants_end: bool,
}

/// An instance of an FMU. It is freed when dropped.
pub(crate) trait Machine {
    /// Variables of one kind.
    fn set_part(&mut self, kind: Kind, references: &[u32], values: &[f64]) -> Result<(), Fault>;
    fn get_part(&mut self, kind: Kind, references: &[u32], values: &mut [f64]) -> Result<(), Fault>;
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
    fn enter_initialization(&mut self, start: f64, stop: Option<f64>) -> Result<(), Fault>;
    fn exit_initialization(&mut self) -> Result<(), Fault>;
    fn enter_event_mode(&mut self) -> Result<(), Fault>;
    fn update_discrete_states(&mut self) -> Result<Updated, Fault>;
    // Model exchange.
    fn dimension(&mut self) -> Result<usize, Fault>;
    fn indicator_count(&mut self) -> Result<usize, Fault>;
    fn enter_continuous_time(&mut self) -> Result<(), Fault>;
    fn set_time(&mut self, t: f64) -> Result<(), Fault>;
    fn set_states(&mut self, x: &[f64]) -> Result<(), Fault>;
    fn states(&mut self, x: &mut [f64]) -> Result<(), Fault>;
    fn derivatives(&mut self, dx: &mut [f64]) -> Result<(), Fault>;
    fn indicators(&mut self, z: &mut [f64]) -> Result<(), Fault>;
    /// Whether it wants an event, and whether it wants the end.
    fn completed_step(&mut self) -> Result<(bool, bool), Fault>;
    // Co-simulation.
    fn do_step(&mut self, t: f64, length: f64) -> Result<Stepped, Fault>;
    fn enter_step_mode(&mut self) -> Result<(), Fault>;
}

/// What a status means; messages that came with it are told.
pub(crate) fn judge(function: &str, status: c_int, messages: &Messages) -> Result<(), Fault> {
    let word = match status {
        0 | 1 => return Ok(()),
        2 => "discard",
        3 => "error",
        4 => "fatal",
        5 => "pending, which was not asked for",
        other => return Err(explain(&format!("{function} gave the status {other}"), messages)),
    };
    Err(explain(&format!("{function} gave the status {word}"), messages))
}

/// A fault with the FMU's own messages.
pub(crate) fn explain(what: &str, messages: &Messages) -> Fault {
    let said = messages.take();
    Fault::Refused(if said.is_empty() {
        format!("{what}, without a message")
    } else {
        format!("{what}: {}", said.join("; "))
    })
}

/// An instance, as its library knows it.
pub(crate) type Handle = *mut c_void;

/// A function of a library, with its name.
pub(crate) struct Function<F> {
    pub(crate) name: &'static str,
    pub(crate) call: F,
}

/// Functions that are found all together or not at all.
pub(crate) trait Group: Sized {
    fn load(library: &Library) -> Result<Self, ImportError>;
}

/// The functions of a library that are needed.
macro_rules! functions {
    ($(#[$about:meta])* $name:ident { $($field:ident: $symbol:literal fn($($argument:ty),* $(,)?) $(-> $result:ty)?;)* }) => {
        $(#[$about])*
        pub(crate) struct $name {
            $($field: $crate::machine::Function<unsafe extern "C" fn($($argument),*) $(-> $result)?>,)*
        }

        impl $crate::machine::Group for $name {
            fn load(library: &libloading::Library) -> Result<Self, $crate::ImportError> {
                Ok($name {
                    $($field: $crate::machine::Function {
                        name: $symbol,
                        // SAFETY: the standard gives the function of this name this type; the library says that it follows the standard.
                        call: *unsafe { library.get(concat!($symbol, "\0").as_bytes()) }
                            .map_err(|_| $crate::ImportError::new(concat!("its library has no function ", $symbol)))?,
                    },)*
                })
            }
        }
    };
}
pub(crate) use functions;

/// A version of the standard: its functions.
pub(crate) trait Standard: Sized {
    /// What its version begins with.
    const VERSION: &str;
    /// What both interfaces need.
    type Common: Group;
    /// Values, where they have functions of their own.
    type Values: Group;
    /// Model exchange.
    type Exchange: Group;
    /// Co-simulation.
    type Steps: Group;
    /// What an instance needs besides.
    type Kept;
    fn version(common: &Self::Common) -> *const c_char;
    /// # Safety
    /// The instance lives.
    unsafe fn terminate(common: &Self::Common, handle: Handle);
    /// # Safety
    /// The instance lives, and nothing of it is used afterwards.
    unsafe fn free(common: &Self::Common, handle: Handle);
}

/// The functions of a library, with what keeps it in memory.
pub(crate) struct Functions<S: Standard> {
    pub(crate) common: S::Common,
    pub(crate) values: S::Values,
    pub(crate) exchange: Option<S::Exchange>,
    pub(crate) steps: Option<S::Steps>,
    pub(crate) loaded: Loaded,
}

impl<S: Standard> Functions<S> {
    pub(crate) fn load(loaded: Loaded, interface: Interface) -> Result<Self, ImportError> {
        let library = &loaded.library;
        let common = S::Common::load(library)?;
        // SAFETY: a text that stays.
        let version = unsafe { text_of(S::version(&common)) };
        if !version.starts_with(S::VERSION) {
            return Err(refused!(
                "its description says FMI {}0, its library {version:?}",
                S::VERSION
            ));
        }
        let is_exchange = interface == Interface::ModelExchange;
        Ok(Functions {
            values: S::Values::load(library)?,
            exchange: is_exchange.then(|| S::Exchange::load(library)).transpose()?,
            steps: (!is_exchange).then(|| S::Steps::load(library)).transpose()?,
            common,
            loaded,
        })
    }
}

/// An instance with the functions of its library.
pub(crate) struct Instance<S: Standard> {
    pub(crate) calls: Rc<Functions<S>>,
    pub(crate) handle: Handle,
    is_initialised: bool,
    is_dead: bool,
    pub(crate) messages: Rc<Messages>,
    pub(crate) kept: S::Kept,
}

impl<S: Standard> Instance<S> {
    /// What the function of this name made.
    pub(crate) fn made(
        (function, handle): (&str, Handle),
        calls: &Rc<Functions<S>>,
        messages: Rc<Messages>,
        kept: S::Kept,
    ) -> Result<Self, ImportError> {
        if handle.is_null() {
            return Err(String::from(explain(&format!("{function} gave no instance"), &messages)).into());
        }
        Ok(Instance {
            calls: calls.clone(),
            handle,
            is_initialised: false,
            is_dead: false,
            messages,
            kept,
        })
    }

    /// The functions, unless the status was fatal before.
    pub(crate) fn live(&self) -> Result<Rc<Functions<S>>, Fault> {
        if self.is_dead {
            return Err("it gave the status fatal before".into());
        }
        Ok(self.calls.clone())
    }

    pub(crate) fn judge(&mut self, function: &str, status: c_int) -> Result<(), Fault> {
        self.is_dead |= status == FATAL;
        judge(function, status, &self.messages)
    }

    /// Calls one of its functions.
    pub(crate) fn call<F: Copy>(
        &mut self,
        function: impl FnOnce(&Functions<S>) -> Result<&Function<F>, Fault>,
        call: impl FnOnce(F, Handle) -> c_int,
    ) -> Result<(), Fault> {
        let calls = self.live()?;
        let function = function(&calls)?;
        let status = call(function.call, self.handle);
        self.judge(function.name, status)
    }

    pub(crate) fn begun(&mut self) {
        self.is_initialised = true;
    }
}

impl<S: Standard> Drop for Instance<S> {
    fn drop(&mut self) {
        if self.is_dead {
            return;
        }
        // SAFETY: the instance lives, and nothing of it is used afterwards.
        unsafe {
            if self.is_initialised {
                S::terminate(&self.calls.common, self.handle);
            }
            S::free(&self.calls.common, self.handle);
        }
    }
}

/// Refuses what the interface that an FMU was opened for does not have.
pub(crate) fn offered<T>(group: &Option<T>) -> Result<&T, Fault> {
    group
        .as_ref()
        .ok_or_else(|| "it was opened for another interface".into())
}

/// Calls a function of an instance: `call!(self, common.reset())`, of an interface `call!(self, exchange?.set_time(t))`.
macro_rules! call {
    ($self:ident, $group:ident.$function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the instance lives; arrays are as long as is said, and so does live what is written to.
        $self.call(|f| Ok(&f.$group.$function), |call, i| unsafe { call(i $(, $argument)*) })
    };
    ($self:ident, $group:ident?.$function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: as above.
        $self.call(|f| Ok(&$crate::machine::offered(&f.$group)?.$function), |call, i| unsafe { call(i $(, $argument)*) })
    };
}
pub(crate) use call;

/// The first and the last calls, which both versions have alike.
macro_rules! first_and_last {
    () => {
        fn version(common: &Common) -> *const c_char {
            // SAFETY: it takes nothing.
            unsafe { (common.get_version.call)() }
        }
        unsafe fn terminate(common: &Common, handle: Handle) {
            // SAFETY: the caller's word.
            unsafe { (common.terminate.call)(handle) };
        }
        unsafe fn free(common: &Common, handle: Handle) {
            // SAFETY: the caller's word.
            unsafe { (common.free_instance.call)(handle) };
        }
    };
}
pub(crate) use first_and_last;

/// What both versions call alike.
macro_rules! alike {
    () => {
        fn exit_initialization(&mut self) -> Result<(), Fault> {
            call!(self, common.exit_initialization())?;
            self.begun();
            Ok(())
        }
        fn enter_continuous_time(&mut self) -> Result<(), Fault> {
            call!(self, exchange?.enter_continuous_time())
        }
        fn set_time(&mut self, t: f64) -> Result<(), Fault> {
            call!(self, exchange?.set_time(t))
        }
        fn set_states(&mut self, x: &[f64]) -> Result<(), Fault> {
            call!(self, exchange?.set_states(x.as_ptr(), x.len()))
        }
        fn states(&mut self, x: &mut [f64]) -> Result<(), Fault> {
            call!(self, exchange?.get_states(x.as_mut_ptr(), x.len()))
        }
        fn derivatives(&mut self, dx: &mut [f64]) -> Result<(), Fault> {
            call!(self, exchange?.get_derivatives(dx.as_mut_ptr(), dx.len()))
        }
        fn indicators(&mut self, z: &mut [f64]) -> Result<(), Fault> {
            call!(self, exchange?.get_indicators(z.as_mut_ptr(), z.len()))
        }
    };
}
pub(crate) use alike;
