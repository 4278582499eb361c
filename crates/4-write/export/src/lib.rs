//! The MRB hybrid automaton of a model as text, JSON, DOT and SVG; the trace of a run as CSV, JSON and Parquet.
//!
//! **In:** a [`Subject`]: a model and its automaton; or a [`Trace`](dyverse_trace::Trace). **Out:** bytes on any [`std::io::Write`].
//!
//! | format | function                                | shows                                                     |
//! |--------|-----------------------------------------|-----------------------------------------------------------|
//! | text   | [`write_text`]                          | everything, in the papers' notation (000's display file)  |
//! | JSON   | [`write_json`]                          | everything, for programs (docs/AUTOMATON_FORMAT.md)       |
//! | DOT    | [`write_dot`]                           | a graph for Graphviz, in as much detail as can be read    |
//! | SVG    | [`write_svg`]                           | a drawing, in as much detail as can be read               |
//! | keys   | [`lights()`], [`place_text`]              | which parts of a drawing a place of a run lights          |
//! | counts | [`count_text`], [`count_json`]          | sizes, without building anything                          |
//!
//! Actor models: [`write_actors_svg`]; their modal models: [`modes_svg`], [`write_modes_json`], [`write_modes_dot`].
//!
//! Traces: [`write_trace_csv`] and [`read_trace_csv`], [`write_trace_json`] and [`read_trace_json`], `write_trace_parquet` and `read_trace_parquet` (feature `parquet`),
//! [`trace_summary`] for people, [`write_trace_report`] for programs, [`trace_plot`] for the eye. Partitions of parameters: [`partition_svg`].
//!
//! # Guarantee
//! The same subject gives the same bytes. Text and JSON come from the lazy automaton one location at a time, in
//! constant memory, so whoever asks for all of a large automaton gets all of it: look at its size first.
//! Names are escaped: no name can leave its place in the output.
//!
//! # Not here
//! Files and terminals; how a model becomes an automaton.
//!
//! # Example
//! ```
//! use dyverse_machine::{Contact, ContactList, GraphKind, HybridAutomaton};
//! use dyverse_export::{Subject, TextOptions, write_text};
//! use dyverse_lang::{Loaded, NoImports, read};
//! let source = "system pair
//!     entity a { sphere(radius = 1) mass = 1 position = (0, 0, 0) }
//!     entity b { sphere(radius = 1) mass = 1 position = (3, 0, 0) }
//!     contact default { restitution = 1 friction = 0.5 }";
//! let main = Loaded::named("pair", source);
//! let model = read(main, &mut NoImports).model.ok_or("no model")?;
//! let contacts = ContactList::new(vec![Contact::new("ab", "a", "b")]);
//! let automaton = HybridAutomaton::new(contacts, GraphKind::Complete, Vec::new())?;
//! let mut out = Vec::new();
//! write_text(&mut out, Subject::new(&model, &automaton)?, &TextOptions::default())?;
//! assert!(String::from_utf8(out)?.contains("→ I_1,en"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod count;
mod detail;
mod diagnostics;
mod dot;
mod json;
mod lights;
mod modes;
mod part;
mod partition;
mod plot;
#[cfg(feature = "png")]
mod png;
mod subject;
mod svg;
mod text;
mod trace;
mod traffic;

pub use count::{count_json, count_text};
pub use diagnostics::diagnostics_json;
pub use dot::write_dot;
pub use json::write_json;
pub use lights::{lights, place_text};
pub use modes::{write_modes_dot, write_modes_json};
pub use part::Part;
pub use partition::{Region, RegionKind, Regions, partition_svg};
pub use plot::{PlotAxis, PlotError, PlotOptions, trace_plot};
#[cfg(feature = "png")]
pub use png::{PngError, svg_to_png};
pub use subject::{ContactsDiffer, ExportError, Subject};
pub use svg::{modes_svg, write_actors_svg, write_svg};
pub use text::{TextOptions, write_text};
pub use trace::{
    TraceFormatError, impact_gain_text, read_trace_csv, read_trace_json, trace_summary, write_trace_csv,
    write_trace_json, write_trace_report,
};
#[cfg(feature = "parquet")]
pub use trace::{read_trace_parquet, write_trace_parquet};
