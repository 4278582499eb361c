//! What both versions of the standard have under different names, with the same arguments.
//!
//! # Safety
//! Of every function here: arrays and places are the importer's, as long as it says, or null.

use crate::machine::{ALWAYS, Failure, Outcome, Phase, RUNNING, call};
use crate::memory::{put, room, values};
use std::ffi::{c_int, c_void};

type Handle = *mut c_void;

const EXCHANGE: &[Phase] = &[Phase::Event, Phase::ContinuousTime];

pub(crate) fn exit_initialization(handle: Handle, name: &str) -> c_int {
    call(handle, name, &[Phase::Initialization], |m| {
        m.exit_initialization()
    })
}

pub(crate) fn terminate(handle: Handle, name: &str) -> c_int {
    let allowed = [Phase::Event, Phase::ContinuousTime, Phase::Step];
    call(handle, name, &allowed, |m| {
        m.phase = Phase::Terminated;
        Ok(())
    })
}

pub(crate) fn reset(handle: Handle, name: &str) -> c_int {
    call(handle, name, ALWAYS, |m| m.reset())
}

pub(crate) unsafe fn get_state(handle: Handle, name: &str, state: *mut Handle) -> c_int {
    call(handle, name, ALWAYS, |m| {
        // SAFETY: the importer's place for a state.
        let place = unsafe { room(state, 1)? };
        place[0] = m.keep(place[0])?;
        Ok(())
    })
}

pub(crate) fn set_state(handle: Handle, name: &str, state: Handle) -> c_int {
    call(handle, name, ALWAYS, |m| m.go_back(state))
}

pub(crate) unsafe fn free_state(handle: Handle, name: &str, state: *mut Handle) -> c_int {
    call(handle, name, ALWAYS, |m| {
        // SAFETY: the importer's place for a state.
        let place = unsafe { room(state, 1)? };
        m.forget(place[0])?;
        place[0] = std::ptr::null_mut();
        Ok(())
    })
}

pub(crate) unsafe fn state_size(handle: Handle, name: &str, state: Handle, size: *mut usize) -> c_int {
    call(handle, name, ALWAYS, |m| {
        // SAFETY: the importer's place for a number.
        let place = unsafe { room(size, 1)? };
        place[0] = m.serialized(state)?.len();
        Ok(())
    })
}

pub(crate) unsafe fn serialize(
    handle: Handle,
    name: &str,
    state: Handle,
    (bytes, size): (*mut u8, usize),
) -> c_int {
    call(handle, name, ALWAYS, |m| {
        // SAFETY: the importer's array, `size` long.
        let out = unsafe { room(bytes, size)? };
        let saved = m.serialized(state)?;
        let needed = saved.len();
        let Some(out) = out.get_mut(..needed) else {
            return Err(Failure::error(format!("the saved state needs {needed} bytes")));
        };
        out.copy_from_slice(saved);
        Ok(())
    })
}

pub(crate) unsafe fn deserialize(
    handle: Handle,
    name: &str,
    (bytes, size): (*const u8, usize),
    state: *mut Handle,
) -> c_int {
    call(handle, name, ALWAYS, |m| {
        // SAFETY: the importer's array, `size` long, and its place for a state.
        let (bytes, place) = unsafe { (values(bytes, size)?, room(state, 1)?) };
        place[0] = m.deserialize(bytes, place[0])?;
        Ok(())
    })
}

/// Variables, and an array of numbers for them.
pub(crate) type References = (*const u32, usize);
pub(crate) type Numbers = (*const f64, usize);
pub(crate) type Room = (*mut f64, usize);

pub(crate) unsafe fn directional_derivative(
    handle: Handle,
    name: &str,
    (unknowns, knowns): (References, References),
    seed: Numbers,
    sensitivity: Room,
) -> c_int {
    call(handle, name, RUNNING, |m| {
        // SAFETY: the importer's arrays, as long as it says.
        let (of, by, seed, out) = unsafe {
            (
                values(unknowns.0, unknowns.1)?,
                values(knowns.0, knowns.1)?,
                values(seed.0, seed.1)?,
                room(sensitivity.0, sensitivity.1)?,
            )
        };
        m.directional((of, by), seed, out)
    })
}

/// Events and the end are never asked for between steps; `no` is how the version says so.
pub(crate) unsafe fn completed_step<B: Copy>(
    handle: Handle,
    name: &str,
    (enter_event_mode, terminate): (*mut B, *mut B),
    no: B,
) -> c_int {
    call(handle, name, &[Phase::ContinuousTime], |_| {
        // SAFETY: the importer's places for the answers.
        unsafe {
            put(enter_event_mode, no);
            put(terminate, no);
        }
        Ok(())
    })
}

pub(crate) fn set_time(handle: Handle, name: &str, time: f64) -> c_int {
    call(handle, name, EXCHANGE, |m| Ok(m.instance.move_to(time)?))
}

pub(crate) unsafe fn set_states(handle: Handle, name: &str, (x, n): Numbers) -> c_int {
    call(handle, name, EXCHANGE, |m| {
        // SAFETY: the importer's array, `n` long.
        Ok(m.instance.set_states(unsafe { values(x, n)? })?)
    })
}

pub(crate) unsafe fn states(handle: Handle, name: &str, (x, n): Room) -> c_int {
    call(handle, name, RUNNING, |m| {
        // SAFETY: the importer's array, `n` long.
        copy(m.instance.states()?, unsafe { room(x, n)? })
    })
}

pub(crate) unsafe fn nominals(handle: Handle, name: &str, (x, n): Room) -> c_int {
    call(handle, name, RUNNING, |m| {
        let count = m.instance.states()?.len();
        // SAFETY: the importer's array, `n` long.
        copy(&vec![1.0; count], unsafe { room(x, n)? })
    })
}

fn copy(x: &[f64], out: &mut [f64]) -> Outcome {
    if x.len() != out.len() {
        return Err(Failure::error(format!(
            "there are {} states, not {}",
            x.len(),
            out.len()
        )));
    }
    out.copy_from_slice(x);
    Ok(())
}

pub(crate) unsafe fn derivatives(handle: Handle, name: &str, (dx, n): Room) -> c_int {
    call(handle, name, RUNNING, |m| {
        // SAFETY: the importer's array, `n` long.
        Ok(m.instance.derivatives(unsafe { room(dx, n)? })?)
    })
}

pub(crate) unsafe fn indicators(handle: Handle, name: &str, (z, n): Room) -> c_int {
    call(handle, name, RUNNING, |m| {
        // SAFETY: the importer's array, `n` long.
        Ok(m.instance.indicators(unsafe { room(z, n)? })?)
    })
}
