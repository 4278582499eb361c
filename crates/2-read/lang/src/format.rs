//! Tidy text: one item to a line, fields of a long block on lines of their own, one way of spacing.
//!
//! The formatter works on the tokens and comments of a file that parses; the tree only says where items, blocks and fields
//! begin. A block written on one line stays there while it fits; optional `,` and `;` between fields go; blank lines
//! between items and fields stay, at most one.
//!
//! # Guarantee
//! The tokens of the result are those of the input, less optional separators; every comment is kept; formatting twice
//! changes nothing more (tested on all examples and on random mutations of them).

mod block;
mod layout;
mod writer;

use crate::syntax::dialect::Dialect;
use crate::syntax::parser::parse;
use crate::syntax::token::lex;
use dyverse_diag::{Diagnostic, SourceMap};
use layout::Layout;
use writer::Writer;

/// Columns of a line at the most, where it can be broken.
const WIDTH: usize = 100;
/// Spaces of each level of blocks.
const FIELD_INDENT: usize = 2;
/// Spaces of a line that goes on with the last.
const CONTINUATION_INDENT: usize = 4;

/// A file that cannot be formatted, because it does not parse.
#[derive(Debug)]
pub struct FormatError {
    /// The text, to show the findings in.
    pub sources: SourceMap,
    /// Why it does not parse.
    pub diagnostics: Vec<Diagnostic>,
}

/// Formats a text; `name` is for messages, and says by its ending which language it is: `.dam` is of actors.
///
/// # Errors
/// [`FormatError`] if the text has a mistake of syntax; nothing is then changed.
pub fn format(name: &str, text: &str) -> Result<String, Box<FormatError>> {
    let mut sources = SourceMap::new();
    // A byte order mark is no part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = sources.add(name, text);
    let dialect = Dialect::of_file(name);
    let lexed = lex(text, file, dialect);
    let (tokens, comments) = (lexed.tokens.clone(), lexed.comments.clone());
    let (tree, diagnostics) = parse(lexed, &sources, dialect);
    if !diagnostics.is_empty() {
        return Err(Box::new(FormatError { sources, diagnostics }));
    }
    let layout = Layout::new(text, &tokens, &comments, dialect, &tree.items);
    Ok(Writer::new(&layout, &comments).write())
}

#[cfg(test)]
mod tests {
    use super::format;

    fn check(input: &str, expected: &str) {
        let once = format("t", input).unwrap_or_else(|e| panic!("{:?}", e.diagnostics));
        assert_eq!(once, expected);
        assert_eq!(format("t", &once).unwrap(), once, "not idempotent");
    }

    #[test]
    fn spacing_is_one_way() {
        check(
            "system   a\nparam K in[1,3]\nparam g=-9.81 force on b=(0,-g*mass,-(K-1))",
            "system a\nparam K in [1, 3]\nparam g = -9.81\nforce on b = (0, -g * mass, -(K - 1))\n",
        );
    }

    #[test]
    fn short_blocks_stay_and_long_ones_open() {
        check(
            "entity b{sphere( radius=1 ),mass=1;position=(0,3,0)}",
            "entity b { sphere(radius = 1)  mass = 1  position = (0, 3, 0) }\n",
        );
        check(
            "entity b {\nmass=1 sphere(radius=1)\n}",
            "entity b {\n  mass = 1\n  sphere(radius = 1)\n}\n",
        );
    }

    #[test]
    fn comments_stay_where_they_are() {
        check(
            "# head\n\n\n\nparam a=1 # one\n  # two\nentity b {  # open\n mass=1 # m\n # last\n}\n# end",
            "# head\n\nparam a = 1  # one\n# two\nentity b {  # open\n  mass = 1  # m\n  # last\n}\n# end\n",
        );
    }

    #[test]
    fn long_expressions_are_broken_between_operands() {
        let sum = vec!["abcdefgh"; 30].join("+");
        let once = format("t", &format!("let s={sum}")).unwrap();
        assert!(
            once.lines().all(|l| l.len() <= 100) && once.lines().count() == 4,
            "{once}"
        );
        assert_eq!(format("t", &once).unwrap(), once);
    }

    #[test]
    fn what_does_not_parse_is_left_alone() {
        assert!(format("t", "entity {").is_err());
    }
}
