//! Runs of actor models that say how far they are.

use crate::simulate_actors;
use dyverse_lang::ActorModel;
use dyverse_tick::{Component, TickError, TickOptions};
use dyverse_time::Trace;

/// Runs an actor model; `progress` is told the model time whenever it has advanced. A model with rigid-body systems in it runs without a word.
///
/// # Errors
/// What the model is refused for, before or during the run.
pub fn simulate_actors_with_progress(
    model: &ActorModel,
    options: &TickOptions,
    progress: &mut dyn FnMut(f64),
) -> Result<Trace, TickError> {
    if !model.mechanisms.is_empty() {
        return simulate_actors(model, options);
    }
    let mut components: Vec<Box<dyn Component>> = Vec::new();
    dyverse_tick::simulate_with_progress(&model.graph, &mut components, options, progress)
}
