//! Actor models: text to graph, graph to trace.

use dyverse_block::components;
use dyverse_lang::{ActorModel, Loaded, NoImports, Reading, read_actors};
use dyverse_tick::{TickError, TickOptions};
use dyverse_trace::{StopReason, Trace};

/// Reads an actor model from a text that imports nothing; `name` is for messages.
pub fn read_actors_text(name: &str, text: &str) -> Reading<ActorModel> {
    let main = Loaded::named(name, text);
    read_actors(main, &mut NoImports)
}

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
    let troubles = crate::fmus::add_components(model, options, &mut parts)?;
    let options = &TickOptions {
        watch: crate::fmus::watched(model, &troubles, options.watch.clone()),
        ..options.clone()
    };
    let mut trace = dyverse_tick::simulate_with_progress(&model.graph, &mut parts, options, progress)?;
    if let Err(error) = crate::fmus::check(model, &trace, &troubles) {
        if !options.keep_refused {
            return Err(error);
        }
        let detail = error.to_string();
        trace.stop.reason = StopReason::ModelError { detail };
    }
    Ok(trace)
}
