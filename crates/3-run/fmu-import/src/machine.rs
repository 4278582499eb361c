//! One interface for the functions of both versions: an instance of an FMU that is told what to do.
//!
//! `fmi2.rs` and `fmi3.rs` translate. The order of calls is the business of `exchange.rs` and `steps.rs`.

use crate::Kind;
use crate::messages::Messages;
use dyverse_component::Fault;
use std::ffi::c_int;

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
    fn set(&mut self, slots: &[Slot], values: &[f64]) -> Result<(), Fault>;
    fn get(&mut self, slots: &[Slot], values: &mut [f64]) -> Result<(), Fault>;
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

/// The functions of a library that are needed.
macro_rules! functions {
    ($(#[$about:meta])* $name:ident { $($field:ident: $symbol:literal fn($($argument:ty),* $(,)?) $(-> $result:ty)?;)* }) => {
        $(#[$about])*
        pub(crate) struct $name {
            $($field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl $name {
            /// Finds them all.
            fn load(library: &libloading::Library) -> Result<Self, $crate::ImportError> {
                Ok($name {
                    // SAFETY: the standard gives the function of this name this type; the library says that it follows the standard.
                    $($field: *unsafe { library.get(concat!($symbol, "\0").as_bytes()) }
                        .map_err(|_| $crate::ImportError::new(concat!("its library has no function ", $symbol)))?,)*
                })
            }
        }
    };
}
pub(crate) use functions;
