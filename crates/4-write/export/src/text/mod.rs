//! The automaton as text: the papers' display file, in their notation \[000 §3.8.1; SPEC §3\].
//!
//! First the head (entities, contacts, graph, sizes, symbols, loads), then a block for each dynamical location and
//! each computation node with the edges that leave it.
//!
//! # Guarantee
//! Every location, edge, guard, reset, domain and vector field of what is selected, once; what an option leaves
//! out is said in the text. Written as it is made, in constant memory. A line holds no control character, whatever
//! the names are.

mod body;
mod head;

use crate::part::Part;
use crate::subject::{ExportError, Subject};
use std::io::{self, BufWriter, Write};

/// What to write.
#[derive(Clone, Debug)]
pub struct TextOptions {
    /// One part only, with a shorter head; everything where there is none.
    pub only: Option<Part>,
    /// Whether the inside of every computation node is written.
    pub node_interiors: bool,
    /// The edges written at the most for one location: the rest are said to be left out. No limit where there
    /// is none.
    pub most_edges: Option<usize>,
}

impl Default for TextOptions {
    /// Everything.
    fn default() -> Self {
        Self {
            only: None,
            node_interiors: true,
            most_edges: None,
        }
    }
}

/// Writes the automaton as text.
///
/// # Errors
/// [`ExportError::Io`] where `out` refuses the bytes.
pub fn write_text(
    out: &mut dyn Write,
    subject: Subject<'_>,
    options: &TextOptions,
) -> Result<(), ExportError> {
    let mut out = BufWriter::new(out);
    let mut lines = Lines { out: &mut out };
    head::write(&mut lines, subject, options)?;
    body::write(&mut lines, subject, options)?;
    out.flush()?;
    Ok(())
}

/// Writes whole lines.
struct Lines<'w> {
    out: &'w mut dyn Write,
}

impl Lines<'_> {
    /// One line, made visible.
    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", visible(text))
    }

    /// An empty line, then a heading.
    fn heading(&mut self, text: &str) -> io::Result<()> {
        self.line("")?;
        self.line(text)
    }

    /// Rows indented by two, their columns aligned.
    fn table<const N: usize>(&mut self, rows: &[[String; N]]) -> io::Result<()> {
        let width = |column: usize| rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
        let widths: Vec<usize> = (0..N).map(width).collect();
        for row in rows {
            let padded = |(cell, width): (&String, &usize)| cell.clone() + &" ".repeat(width - columns(cell));
            let cells = row.iter().zip(&widths).map(padded);
            let line = cells.collect::<Vec<String>>().join("  ");
            self.line(&format!("  {}", line.trim_end()))?;
        }
        Ok(())
    }
}

/// The columns that a text takes: the dot of u̇ stands above its letter, in no column of its own.
fn columns(text: &str) -> usize {
    text.chars()
        .filter(|c| !matches!(c, '\u{300}'..='\u{36f}'))
        .count()
}

/// The text with every character that would break or turn its line shown as `·`.
pub(crate) fn visible(text: &str) -> String {
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_hidden(c) { '·' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn a_name_cannot_break_or_turn_its_line() {
        assert_eq!(visible("a\nb\u{1b}[1m\u{202e}c\u{2028}"), "a·b·[1m·c·");
        assert_eq!(visible("∀n∈{ab}: g̈_T,n"), "∀n∈{ab}: g̈_T,n");
    }
}
