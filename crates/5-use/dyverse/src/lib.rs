//! The pipeline of dyverse, read top to bottom: text → model → automaton, trace, verdict → files; text → actor model → trace, verdict.
//!
//! ```
//! let text = "
//!     system two_balls
//!     entity a { sphere(radius = 1)  mass = 1  position = (0, 0, 0) }
//!     entity b { sphere(radius = 1)  mass = 1  position = (3, 0, 0) }
//!     contact default { restitution = 1  friction = 0.5 }
//! ";
//! let reading = dyverse::read_text("two_balls.drbt", text);
//! let model = reading.model.ok_or("the text is a model")?;
//! let generated = dyverse::generate(&model, &dyverse::GenerateOptions::default())?;
//! let size = generated.automaton.size()?;
//! assert_eq!(size.dynamical_locations().to_string(), "4");
//! assert_eq!(size.edges().to_string(), "11");
//!
//! let run = dyverse::RunOptions { until: Some(1.0), ..Default::default() };
//! let trace = dyverse::simulate(&model, &run)?;
//! assert!(trace.stop.reason.is_complete());
//! assert_eq!(trace.last("b.x"), Some(3.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod examples;

pub use dyverse_actors as actors;
pub use dyverse_assemble::{fmu_interface, simulate_actors, simulate_actors_with_progress};
pub use dyverse_block as block;
pub use dyverse_c as c;
pub use dyverse_diag as diag;
pub use dyverse_export as export;
pub use dyverse_expr as expr;
pub use dyverse_fmu as fmu;
pub use dyverse_fmu_import as fmu_import;
pub use dyverse_generate::{GenerateError, GenerateOptions, Generated, generate};
pub use dyverse_interchange as interchange;
pub use dyverse_lang::{
    ActorModel, FmuInterface, FormatError, LARGEST_FILE, Loaded, Loader, Mechanism, NoImports, Reading,
    format, read, read_actors,
};
pub use dyverse_machine as automaton;
pub use dyverse_mech as mech;
pub use dyverse_model as model;
pub use dyverse_num as num;
pub use dyverse_pages as pages;
pub use dyverse_proof as proof;
pub use dyverse_replay as replay;
pub use dyverse_simulate::{
    Contacts, InputSignal, NoStart, Progress, RunError, RunOptions, Start, Watch, simulate,
};
pub use dyverse_tick::{TickError, TickOptions, TickWatch, parameter_values};
pub use dyverse_trace as time;
pub use dyverse_verdict as check;
pub use dyverse_view as view;
pub use examples::{ACTOR_TEMPLATE, EXAMPLES, Example, TEMPLATE};

/// Reads a model from a text that imports nothing; `name` is for messages.
pub fn read_text(name: &str, text: &str) -> Reading {
    let main = Loaded::named(name, text);
    read(main, &mut NoImports)
}

/// Reads an actor model from a text that imports nothing; `name` is for messages.
pub fn read_actors_text(name: &str, text: &str) -> Reading<ActorModel> {
    let main = Loaded::named(name, text);
    read_actors(main, &mut NoImports)
}
