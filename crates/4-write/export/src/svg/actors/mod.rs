//! An actor model as a drawing: its parts in columns, each to the right of what it needs at the same moment.
//!
//! # What is drawn
//! A *block* is what a person calls an actor: an instance, a modal model, a mechanism, or a signal of the model itself, with the named signals
//! inside it; regions that are active now and then (modes, enabled parts) are boxes in it, and modes have `data-light="masses.stuck"`. A *wire* goes
//! from one block to another that reads it, labelled with the signals it carries. What would lead back runs below the blocks.
//!
//! | file | does |
//! |---|---|
//! | `blocks.rs` | the graph as blocks and wires |
//! | `rows.rs` | what stands inside a block |
//! | `layers.rs` | columns, and the order and height in each |
//! | `paint.rs` | the drawing |
//! | `words.rs` | a signal's definition in one line |
//!
//! # Guarantee
//! The same graph gives the same bytes. Of a graph with very many blocks those with the most wires are drawn; what is left out is said.

mod blocks;
mod layers;
mod paint;
mod rows;
mod words;

use super::{Drawing, MARGIN};
use blocks::Parts;
use dyverse_actors::Graph;
use std::io::{self, Write};
pub(super) use words::equation;

/// Writes the graph of actors as one SVG document.
///
/// # Errors
/// Where `out` refuses the bytes.
pub fn write_actors_svg(out: &mut dyn Write, graph: &Graph) -> io::Result<()> {
    out.write_all(draw(graph).document().as_bytes())
}

pub(super) fn draw(graph: &Graph) -> Drawing {
    let parts = Parts::of(graph);
    paint::paint(graph, &parts)
}
