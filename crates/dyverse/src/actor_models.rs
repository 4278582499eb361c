//! Actor models: text to graph, graph to trace.

use dyverse_lang::{ActorModel, Loaded, NoImports, Reading, read_actors};
use dyverse_tick::{Component, TickError, TickOptions};
use dyverse_time::Trace;

/// Reads an actor model from a text that imports nothing; `name` is for messages.
pub fn read_actors_text(name: &str, text: &str) -> Reading<ActorModel> {
    let main = Loaded {
        key: name.into(),
        name: name.into(),
        bytes: text.as_bytes().to_vec(),
    };
    read_actors(main, &mut NoImports)
}

/// Runs an actor model.
///
/// # Errors
/// What the model is refused for, before or during the run.
pub fn simulate_actors(model: &ActorModel, options: &TickOptions) -> Result<Trace, TickError> {
    if let Some(mechanism) = model.mechanisms.first() {
        return Err(TickError::BadComponent {
            component: mechanism.name.clone(),
            detail: "rigid-body systems cannot be run inside actor models yet".into(),
        });
    }
    let mut components: Vec<Box<dyn Component>> = Vec::new();
    dyverse_tick::simulate(&model.graph, &mut components, options)
}
