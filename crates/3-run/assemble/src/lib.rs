//! Actor models put together with what is inside them, and run.
//!
//! **In:** an actor model with its mechanisms and FMUs, [`TickOptions`]. **Out:** a [`Trace`]; of an FMU alone, what it shows to a model.
//!
//! Mechanisms become components (`dyverse_block`), then FMUs (`dyverse_fmu_import`), in the order of their handles; `dyverse_tick` runs them all.
//!
//! # Guarantee
//! As that of `dyverse_tick`. A run in which an FMU failed where it could not say so is refused, or ends with that reason.

mod fmus;

pub use fmus::fmu_interface;

use dyverse_block::components;
use dyverse_lang::ActorModel;
use dyverse_tick::{TickError, TickOptions};
use dyverse_trace::{StopReason, Trace};

/// Runs an actor model.
///
/// # Errors
/// What the model is refused for, before or during the run.
pub fn simulate_actors(model: &ActorModel, options: &TickOptions) -> Result<Trace, TickError> {
    simulate_actors_with_progress(model, options, &mut |_| {})
}

/// Runs an actor model; `progress` is told the model time whenever it has advanced.
///
/// # Errors
/// As [`simulate_actors`].
pub fn simulate_actors_with_progress(
    model: &ActorModel,
    options: &TickOptions,
    progress: &mut dyn FnMut(f64),
) -> Result<Trace, TickError> {
    let mut parts = components(model, options)?;
    let troubles = fmus::add_components(model, options, &mut parts)?;
    let options = &TickOptions {
        watch: fmus::watched(model, &troubles, options.watch.clone()),
        ..options.clone()
    };
    let mut trace = dyverse_tick::simulate_with_progress(&model.graph, &mut parts, options, progress)?;
    if let Err(error) = fmus::check(model, &trace, &troubles) {
        if !options.keep_refused {
            return Err(error);
        }
        let detail = error.to_string();
        trace.stop.reason = StopReason::ModelError { detail };
    }
    Ok(trace)
}
