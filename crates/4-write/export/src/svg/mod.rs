//! The automaton as a drawing, laid out here \[000 Figure 9; 001 Figure 2\].
//!
//! | automaton                           | drawing                                                    |
//! |-------------------------------------|------------------------------------------------------------|
//! | nothing can touch                   | S_0                                                        |
//! | one contact                         | whole, like Figure 9 of 000 (`whole.rs`)                   |
//! | up to [`MOST_VERTICES`] vertices    | the contact combination graph in layers (`vertices.rs`)    |
//! | more                                | a row for each number of closed contacts (`sizes.rs`)      |
//!
//! # Guarantee
//! Well-formed XML that needs no other file; the same subject gives the same bytes. What is left out is said in the
//! drawing. Guards and resets are in the tooltips.

mod actors;
mod canvas;
mod layout;
mod modes;
mod sizes;
mod style;
#[cfg(test)]
mod tests;
mod vertices;
mod whole;

use crate::count::counted;
use crate::detail::Detail;
use crate::subject::{ExportError, Subject};
pub use actors::write_actors_svg;
use canvas::{Anchor, Canvas, Font};
pub(crate) use canvas::{escaped, short};
use dyverse_machine::{AutomatonSize, BigUint};
pub(crate) use layout::text_width;
use layout::{Ellipse, at, fitted};
pub use modes::modes_svg;
use std::io::Write;

/// Up to so many vertices are drawn one by one.
const MOST_VERTICES: usize = 32;
/// The left margin.
const MARGIN: f64 = 24.0;

/// Writes the automaton as one SVG document.
///
/// # Errors
/// [`ExportError::Io`] where `out` refuses the bytes; [`ExportError::Count`] where the sizes to draw take too long
/// to count.
pub fn write_svg(out: &mut dyn Write, subject: Subject<'_>) -> Result<(), ExportError> {
    out.write_all(draw(subject)?.document().as_bytes())?;
    Ok(())
}

fn draw(subject: Subject<'_>) -> Result<Drawing, ExportError> {
    let size = subject.automaton().size()?;
    Ok(match Detail::of(subject.automaton(), MOST_VERTICES) {
        Detail::Free => free(subject, &size),
        Detail::Whole(closed) => whole::draw(subject, &size, closed),
        Detail::Vertices(vertices) => vertices::draw(subject, &size, &vertices),
        Detail::Sizes => sizes::draw(subject, &size),
    })
}

/// A finished drawing.
struct Drawing {
    canvas: Canvas,
    width: f64,
    height: f64,
    title: String,
    description: String,
}

impl Drawing {
    fn document(&self) -> String {
        self.canvas
            .finish(self.width, self.height, &self.title, &self.description)
    }
}

/// The title of every drawing.
fn title(subject: Subject<'_>) -> String {
    format!("MRB hybrid automaton of {}", subject.model().name())
}

/// The sizes in one line.
fn size_line(size: &AutomatonSize) -> String {
    [
        counted(&BigUint::from(size.contacts()), "contact", "contacts"),
        counted(
            size.dynamical_locations(),
            "dynamical location",
            "dynamical locations",
        ),
        counted(&size.impact_nodes(), "impact node", "impact nodes"),
        counted(&size.contact_nodes(), "contact node", "contact nodes"),
        format!("{} by rules 1–8", counted(&size.edges(), "edge", "edges")),
        format!("{} by rule 4b", counted(&size.all_slip_edges(), "edge", "edges")),
        format!(
            "{} by rule 6b",
            counted(&size.struck_again_edges(), "edge", "edges")
        ),
    ]
    .join(" · ")
}

/// Title and lines of facts at the top; a line too long for one is broken at its dots.
fn head(canvas: &mut Canvas, width: f64, title: &str, lines: &[String]) {
    let room = width - 2.0 * MARGIN;
    let title = fitted(title, Font::Head.size(), room);
    canvas.text(Font::Head, Anchor::Start, at(MARGIN, 34.0), &title);
    let lines = lines.iter().flat_map(|line| broken(line, room));
    for (line, y) in lines.zip([56.0, 74.0, 92.0]) {
        let line = fitted(&line, Font::Small.size(), room);
        canvas.text(Font::Small, Anchor::Start, at(MARGIN, y), &line);
    }
}

/// A line of facts, as the lines that fit into the room.
fn broken(line: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in line.split(" · ") {
        match lines.last_mut() {
            Some(last) if text_width(&format!("{last} · {fact}"), Font::Small.size()) <= room => {
                last.push_str(" · ");
                last.push_str(fact);
            }
            _ => lines.push(fact.to_owned()),
        }
    }
    lines
}

/// The drawing of an automaton in which nothing touches.
fn free(subject: Subject<'_>, size: &AutomatonSize) -> Drawing {
    let (width, title) = (900.0, title(subject));
    let mut canvas = Canvas::default();
    head(&mut canvas, width, &title, &[size_line(size)]);
    let place = Ellipse::new(at(width / 2.0, 150.0), 60.0, 38.0);
    canvas.open_place("S_0", "S_0: M u̇ = h, always");
    canvas.ellipse("location", &place);
    canvas.text(Font::Name, Anchor::Middle, place.center, "S_0");
    canvas.text(Font::Tiny, Anchor::Middle, place.center.moved(0.0, 18.0), "free");
    canvas.close();
    let description = "Nothing can touch: the automaton has the one location S_0 and no edge.".to_owned();
    Drawing {
        canvas,
        width,
        height: 220.0,
        title,
        description,
    }
}
