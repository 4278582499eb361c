//! What both versions of the standard have under different names, with the same arguments; and values of variables.
#![allow(missing_docs, clippy::missing_safety_doc, reason = "the standard says it")]

use crate::machine::{ALWAYS, Failure, Machine, Outcome, Phase, RUNNING, exported};
use crate::memory::{room, values};
use dyverse_block::Value;
use std::ffi::c_void;

type Handle = *mut c_void;

const EXCHANGE: &[Phase] = &[Phase::Event, Phase::ContinuousTime];
const BEGUN: &[Phase] = &[Phase::Event, Phase::ContinuousTime, Phase::Step];

exported! { safe:
    fn fmi2ExitInitializationMode | fmi3ExitInitializationMode: () in &[Phase::Initialization], |m| m.exit_initialization();
    fn fmi2Terminate | fmi3Terminate: () in BEGUN, |m| {
        m.phase = Phase::Terminated;
        Ok(())
    };
    fn fmi2Reset | fmi3Reset: () in ALWAYS, |m| m.reset();
    fn fmi2SetFMUstate | fmi3SetFMUState: (state: Handle) in ALWAYS, |m| m.go_back(state);
    fn fmi2SetTime | fmi3SetTime: (time: f64) in EXCHANGE, |m| Ok(m.instance.move_to(time)?);
}

exported! { unsafe:
    fn fmi2GetFMUstate | fmi3GetFMUState: (state: *mut Handle) in ALWAYS, |m| {
        let place = room(state, 1)?;
        place[0] = m.keep(place[0])?;
        Ok(())
    };
    fn fmi2FreeFMUstate | fmi3FreeFMUState: (state: *mut Handle) in ALWAYS, |m| {
        let place = room(state, 1)?;
        m.forget(place[0])?;
        place[0] = std::ptr::null_mut();
        Ok(())
    };
    fn fmi2SerializedFMUstateSize | fmi3SerializedFMUStateSize: (state: Handle, size: *mut usize) in ALWAYS, |m| {
        let place = room(size, 1)?;
        place[0] = m.serialized(state)?.len();
        Ok(())
    };
    fn fmi2SerializeFMUstate | fmi3SerializeFMUState: (state: Handle, bytes: *mut u8, size: usize) in ALWAYS, |m| {
        let out = room(bytes, size)?;
        let saved = m.serialized(state)?;
        let needed = saved.len();
        let Some(out) = out.get_mut(..needed) else {
            return Err(Failure::error(format!("the saved state needs {needed} bytes")));
        };
        out.copy_from_slice(saved);
        Ok(())
    };
    fn fmi2DeSerializeFMUstate | fmi3DeserializeFMUState: (bytes: *const u8, size: usize, state: *mut Handle) in ALWAYS, |m| {
        let (bytes, place) = (values(bytes, size)?, room(state, 1)?);
        place[0] = m.deserialize(bytes, place[0])?;
        Ok(())
    };
    fn fmi2SetContinuousStates | fmi3SetContinuousStates: (x: *const f64, n: usize) in EXCHANGE, |m| {
        Ok(m.instance.set_states(values(x, n)?)?)
    };
    fn fmi2GetContinuousStates | fmi3GetContinuousStates: (x: *mut f64, n: usize) in RUNNING, |m| {
        copy(m.instance.states()?, room(x, n)?)
    };
    fn fmi2GetNominalsOfContinuousStates | fmi3GetNominalsOfContinuousStates: (x: *mut f64, n: usize) in RUNNING, |m| {
        let count = m.instance.states()?.len();
        copy(&vec![1.0; count], room(x, n)?)
    };
    fn fmi2GetDerivatives | fmi3GetContinuousStateDerivatives: (dx: *mut f64, n: usize) in RUNNING, |m| {
        Ok(m.instance.derivatives(room(dx, n)?)?)
    };
    fn fmi2GetEventIndicators | fmi3GetEventIndicators: (z: *mut f64, n: usize) in RUNNING, |m| {
        Ok(m.instance.indicators(room(z, n)?)?)
    };
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

/// Values of variables, as `read` takes them for the importer's type; `None` for those of another type.
///
/// # Safety
/// The arrays are the importer's, as long as it says, or null.
pub(crate) unsafe fn get<T>(
    m: &mut Machine,
    (vr, n): (*const u32, usize),
    (value, n_values): (*mut T, usize),
    read: impl Fn(Value) -> Option<T>,
) -> Outcome {
    // SAFETY: the caller's word.
    let (vr, out) = unsafe { (values(vr, n)?, room(value, n_values)?) };
    m.get(vr, n_values, |place, value| {
        out[place] = read(value)?;
        Some(())
    })
}

pub(crate) fn real(value: Value) -> Option<f64> {
    match value {
        Value::Real(number) => Some(number),
        _ => None,
    }
}

pub(crate) fn integer(value: Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(number),
        _ => None,
    }
}

pub(crate) fn truth(value: Value) -> Option<bool> {
    match value {
        Value::Boolean(truth) => Some(truth),
        _ => None,
    }
}

/// Something that this FMU does not offer: fine as long as nothing is asked.
pub(crate) fn none_of(n: usize) -> Outcome {
    if n == 0 {
        Ok(())
    } else {
        Err(Failure::error("the model description does not offer this"))
    }
}
