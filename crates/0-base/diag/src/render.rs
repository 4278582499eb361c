//! Diagnostics as text for people.
//!
//! ```text
//! error[L004]: no entity, parameter or input is called `bal1`
//!   ┌─ game.drbt:9:11
//! 9 │ force on bal1 = (0, -g, 0)
//!   │          ^^^^ not known
//!   = help: did you mean `ball1`?
//! ```
//!
//! # Guarantee
//! Bounded output whatever the source: long lines are cut to a window around the marks, and control and
//! direction-changing characters are shown as `·`, so that a hostile file cannot disturb a terminal.

use crate::{Diagnostic, FileId, Label, Severity, SourceFile, SourceMap};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Columns of source shown at the most.
const WINDOW: usize = 100;
/// Diagnostics shown at the most in one go.
const MOST: usize = 50;
/// Characters of a message, a label or a note shown at the most; the middle of a longer one is left out.
const LONGEST_TEXT: usize = 600;

/// How to render.
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderOptions {
    /// Whether to colour with ANSI escapes.
    pub color: bool,
}

impl RenderOptions {
    fn paint(self, escape: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{escape}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Renders diagnostics in order, with a closing line that counts them.
pub fn render_all(diagnostics: &[Diagnostic], sources: &SourceMap, options: RenderOptions) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MOST) {
        out.push_str(&render(diagnostic, sources, options));
        out.push('\n');
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let warnings = diagnostics.len() - errors;
    if diagnostics.len() > MOST {
        let _ = writeln!(out, "… and {} more, not shown", diagnostics.len() - MOST);
    }
    if errors > 0 {
        let _ = write!(out, "{}", counted(errors, "error"));
        if warnings > 0 {
            let _ = write!(out, ", {}", counted(warnings, "warning"));
        }
        out.push_str("; `dyverse explain CODE` says more about each code\n");
    }
    out
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}

/// Renders one diagnostic, ending in a line break.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, options: RenderOptions) -> String {
    let (word, colour) = match diagnostic.severity() {
        Severity::Error => ("error", "1;31"),
        Severity::Warning => ("warning", "1;33"),
    };
    let head = options.paint(colour, &format!("{word}[{}]", diagnostic.code().id()));
    let mut out = format!("{head}: {}\n", options.paint("1", &shown(diagnostic.message())));
    let labels = ordered_labels(diagnostic, sources);
    let number_width = labels.iter().map(|l| l.line.to_string().len()).max().unwrap_or(1);
    let mut last_file: Option<FileId> = None;
    for group in labels.chunk_by(Placed::shares_line) {
        let Some(first) = group.first() else { continue };
        if last_file != Some(first.file_id()) {
            let name = shown(first.file.name());
            // The place of the mistake itself, where this file has it.
            let place = labels
                .iter()
                .find(|l| l.is_primary && l.file_id() == first.file_id())
                .unwrap_or(first);
            let _ = writeln!(
                out,
                "{:number_width$} {} {name}:{}:{}",
                "",
                options.paint("34", "┌─"),
                place.line,
                place.column
            );
            last_file = Some(first.file_id());
        }
        source_line(&mut out, group, number_width, options, colour);
    }
    let facts = diagnostic.notes().iter().cloned();
    let help = diagnostic.way_out().map(|text| format!("help: {text}"));
    for line in facts.chain(help) {
        let line = shown(&line.lines().collect::<Vec<_>>().join(" "));
        let _ = writeln!(out, "{:number_width$} {} {line}", "", options.paint("34", "="));
    }
    out
}

struct Placed<'a> {
    file: &'a SourceFile,
    line: usize,
    column: usize,
    /// One past the last marked column of this line.
    end: usize,
    label: &'a Label,
    is_primary: bool,
}

impl Placed<'_> {
    fn file_id(&self) -> FileId {
        self.label.origin.file()
    }
    /// Whether both are shown under one copy of their line; in a long line, which is cut, only near ones.
    fn shares_line(&self, next: &Self) -> bool {
        let is_one_line = self.file_id() == next.file_id() && self.line == next.line;
        let is_short = self.file.line(self.line).len() <= WINDOW;
        is_one_line && (is_short || next.column.abs_diff(self.column) < WINDOW / 4)
    }
}

/// The primary label's file first, then by position; within a line from left to right.
fn ordered_labels<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Placed<'a>> {
    let all = std::iter::once((diagnostic.primary(), true));
    let all = all.chain(diagnostic.secondary().iter().map(|label| (label, false)));
    let mut placed: Vec<Placed<'a>> = all
        .map(|(label, is_primary)| {
            let file = sources.file(label.origin.file());
            let start = file.position(label.origin.start());
            let end = file.position(label.origin.end());
            let length = file.line(start.line).chars().count();
            // A range over several lines is marked on its first.
            let end = if end.line == start.line {
                end.column
            } else {
                length + 1
            };
            Placed {
                file,
                line: start.line,
                column: start.column,
                end: end.max(start.column + 1),
                label,
                is_primary,
            }
        })
        .collect();
    let first_file = diagnostic.primary().origin.file();
    placed.sort_by_key(|p| {
        (
            p.label.origin.file() != first_file,
            p.label.origin.file(),
            p.line,
            p.column,
        )
    });
    placed
}

/// A source line with the marks under it.
fn source_line(
    out: &mut String,
    group: &[Placed<'_>],
    number_width: usize,
    options: RenderOptions,
    colour: &str,
) {
    let Some(first) = group.first() else { return };
    let (text, skipped) = windowed(first.file.line(first.line), first.column);
    let bar = options.paint("34", "│");
    let number = options.paint("34", &format!("{:>number_width$}", first.line));
    let _ = writeln!(out, "{number} {bar} {}", text.trim_end());
    // Labels of one line from the right, so that every one can have its words beside its marks.
    for placed in group.iter().rev() {
        let width = |from: usize, to: usize| -> usize {
            visible(first.file.line(first.line))
                .skip(from - 1)
                .take(to - from)
                .map(|c| c.width().unwrap_or(1))
                .sum()
        };
        let from = placed.column.max(skipped + 1);
        let lead = width(skipped + 1, from.min(skipped + WINDOW + 1)) + usize::from(skipped > 0);
        let marks = width(from, placed.end.min(skipped + WINDOW + 1)).max(1);
        let mark = if placed.is_primary { "^" } else { "-" }.repeat(marks);
        let escape = if placed.is_primary { colour } else { "34" };
        let words = shown(&placed.label.text);
        let line = format!("{mark} {words}");
        let _ = writeln!(
            out,
            "{:number_width$} {bar} {:lead$}{}",
            "",
            "",
            options.paint(escape, line.trim_end())
        );
    }
}

/// The line's visible characters, cut to a window that shows `column`; and how many were skipped.
fn windowed(line: &str, column: usize) -> (String, usize) {
    let length = line.chars().count();
    if length <= WINDOW {
        return (visible(line).collect(), 0);
    }
    let skipped = column.saturating_sub(WINDOW / 3).min(length - WINDOW);
    let mut text: String = if skipped > 0 { "…".into() } else { String::new() };
    text.extend(visible(line).skip(skipped).take(WINDOW));
    if skipped + WINDOW < length {
        text.push('…');
    }
    (text, skipped)
}

/// A text that is safe to print and not too long.
fn shown(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST_TEXT {
        return visible(text).collect();
    }
    let (head, tail) = (2 * LONGEST_TEXT / 3, LONGEST_TEXT / 3);
    visible(text)
        .take(head)
        .chain(['…'])
        .chain(visible(text).skip(length - tail))
        .collect()
}

/// Characters safe to print: a tab becomes a space, what controls a terminal becomes `·`.
fn visible(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().map(|c| match c {
        '\t' => ' ',
        c if c.is_control() || is_invisible_format(c) => '·',
        c => c,
    })
}

/// Characters that reorder, break or hide text: zero-width ones, separators, direction marks, overrides and isolates,
/// tags.
fn is_invisible_format(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, codes};

    fn rendered(text: &str, from: u32, to: u32) -> String {
        let mut map = SourceMap::new();
        let file = map.add("a.drbt", text);
        let d = Diagnostic::error(codes::S001, Origin::new(file, from, to), "what").label("here");
        render(&d, &map, RenderOptions::default())
    }

    #[test]
    fn marks_stand_under_what_they_mark() {
        let shown = rendered("one two\nthree four", 14, 18);
        assert_eq!(
            shown,
            "error[S001]: what\n  ┌─ a.drbt:2:7\n2 │ three four\n  │       ^^^^ here\n"
        );
    }

    #[test]
    fn a_huge_line_is_cut_to_a_window() {
        let text = "x".repeat(1_000_000);
        let shown = rendered(&text, 500_000, 900_000);
        assert!(shown.len() < 1_000, "{} bytes", shown.len());
        assert!(shown.contains("a.drbt:1:500001"));
    }

    #[test]
    fn far_labels_of_one_line_are_each_shown() {
        let mut map = SourceMap::new();
        let file = map.add("a.drbt", format!("first {} last", "x".repeat(100_000)));
        let d = Diagnostic::error(
            codes::S001,
            Origin::new(file, 100_007, 100_011),
            "y".repeat(1_000_000),
        )
        .label("z".repeat(1_000_000))
        .also(Origin::new(file, 0, 5), "here")
        .note("n".repeat(1_000_000));
        let shown = render(&d, &map, RenderOptions::default());
        assert!(
            shown.contains("----- here") && shown.contains("^^^^ zz"),
            "{shown}"
        );
        assert!(shown.len() < 4_000, "{} bytes", shown.len());
    }

    #[test]
    fn files_of_one_name_are_told_apart() {
        let mut map = SourceMap::new();
        let (one, two) = (map.add("a.drbt", "one"), map.add("a.drbt", "two"));
        let d = Diagnostic::error(codes::S001, Origin::new(one, 0, 3), "what")
            .also(Origin::new(two, 0, 3), "other");
        let shown = render(&d, &map, RenderOptions::default());
        assert!(shown.contains("1 │ one") && shown.contains("1 │ two"), "{shown}");
    }

    #[test]
    fn hostile_characters_do_not_reach_the_terminal() {
        let shown = rendered("a\x1b[2J\u{202e}b", 0, 1);
        assert!(!shown.contains('\x1b') && !shown.contains('\u{202e}'), "{shown}");
    }

    #[test]
    fn a_position_past_the_end_is_shown_at_the_end() {
        assert!(rendered("ab", 2, 2).contains("a.drbt:1:3"));
        assert!(rendered("", 0, 0).contains("a.drbt:1:1"));
    }
}
