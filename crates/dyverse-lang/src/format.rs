//! Tidy text: one item to a line, fields of a long block on lines of their own, one way of spacing.
//!
//! The formatter works on the tokens and comments of a file that parses; the tree only says where items, blocks and fields
//! begin. A block written on one line stays there while it fits; optional `,` and `;` between fields go; blank lines
//! between items and fields stay, at most one.
//!
//! # Guarantee
//! The tokens of the result are those of the input, less optional separators; every comment is kept; formatting twice
//! changes nothing more (tested on all examples and on random mutations of them).

use crate::syntax::ast::{Field, ItemKind};
use crate::syntax::parser::{ITEM_WORDS, RESERVED, parse};
use crate::syntax::token::{Comment, Sign, Token, TokenKind, lex};
use dyverse_diag::{Diagnostic, SourceMap};

/// Columns of a line at the most, where it can be broken.
const WIDTH: usize = 100;
const FIELD_INDENT: usize = 2;
const CONTINUATION_INDENT: usize = 4;

/// A file that cannot be formatted, because it does not parse.
#[derive(Debug)]
pub struct FormatError {
    /// The text, to show the findings in.
    pub sources: SourceMap,
    /// Why it does not parse.
    pub diagnostics: Vec<Diagnostic>,
}

/// Formats a text; `name` is for messages.
///
/// # Errors
/// [`FormatError`] if the text has a mistake of syntax; nothing is then changed.
pub fn format(name: &str, text: &str) -> Result<String, Box<FormatError>> {
    let mut sources = SourceMap::new();
    // A byte order mark is no part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = sources.add(name, text);
    let lexed = lex(text, file);
    let (tokens, comments) = (lexed.tokens.clone(), lexed.comments.clone());
    let (tree, diagnostics) = parse(lexed, &sources);
    if !diagnostics.is_empty() {
        return Err(Box::new(FormatError { sources, diagnostics }));
    }
    let mut layout = Layout {
        text,
        tokens: &tokens,
        roles: vec![Role::Inner; tokens.len()],
    };
    for item in &tree.items {
        layout.mark(item.origin.start(), Role::Item);
        if let Some(fields) = block_fields(&item.kind) {
            layout.mark_block(fields, item.origin.start(), item.origin.end(), &comments);
        }
    }
    Ok(Writer::new(&layout, &comments).write())
}

fn block_fields(kind: &ItemKind) -> Option<&[Field]> {
    match kind {
        ItemKind::Entity { fields, .. }
        | ItemKind::Contact { fields, .. }
        | ItemKind::Spring { fields, .. }
        | ItemKind::Damper { fields, .. }
        | ItemKind::Tolerances { fields } => Some(fields),
        _ => None,
    }
}

/// What a token begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Nothing: it goes on where the last one stopped.
    Inner,
    /// An item: a new line.
    Item,
    /// A field of a block that stays on one line: two spaces.
    FieldInLine,
    /// A field on a line of its own.
    FieldOnLine,
    /// The closing brace of a block over several lines.
    CloseOnLine,
    /// An optional separator, left out.
    Dropped,
}

struct Layout<'a> {
    text: &'a str,
    tokens: &'a [Token],
    roles: Vec<Role>,
}

impl Layout<'_> {
    /// The token that begins at a byte.
    fn index_at(&self, byte: u32) -> usize {
        self.tokens.partition_point(|t| t.origin.start() < byte)
    }

    fn mark(&mut self, byte: u32, role: Role) {
        let index = self.index_at(byte);
        if let Some(slot) = self.roles.get_mut(index) {
            *slot = role;
        }
    }

    fn mark_block(&mut self, fields: &[Field], start: u32, end: u32, comments: &[Comment]) {
        let (first, last) = (self.index_at(start), self.index_at(end).saturating_sub(1));
        let is_brace = |t: &Token| t.kind == TokenKind::Sign(Sign::LeftBrace);
        let Some(open) = (first..=last).find(|i| self.tokens.get(*i).is_some_and(is_brace)) else {
            return;
        };
        let open_end = self.tokens[open].origin.end();
        let inside = &self.text[open_end as usize..end as usize];
        let after = comments.partition_point(|c| c.origin.start() < open_end);
        let has_comment = comments.get(after).is_some_and(|c| c.origin.end() <= end);
        let in_line =
            !has_comment && !inside.contains('\n') && self.width(first, last, fields.len()) <= WIDTH;
        for field in fields {
            self.mark(
                field.origin.start(),
                if in_line {
                    Role::FieldInLine
                } else {
                    Role::FieldOnLine
                },
            );
        }
        if !in_line && !fields.is_empty() {
            self.roles[last] = Role::CloseOnLine;
        }
        for index in open + 1..last {
            let byte = self.tokens[index].origin.start();
            let is_separator = matches!(
                self.tokens[index].kind,
                TokenKind::Sign(Sign::Comma | Sign::Semicolon)
            );
            let before = fields.partition_point(|f| f.origin.start() <= byte);
            let in_field = before
                .checked_sub(1)
                .and_then(|i| fields.get(i))
                .is_some_and(|f| byte < f.origin.end());
            if is_separator && !in_field {
                self.roles[index] = Role::Dropped;
            }
        }
    }

    /// The width of some tokens on one line, roughly from above.
    fn width(&self, first: usize, last: usize, fields: usize) -> usize {
        let lengths = (first..=last).map(|i| {
            let space = usize::from(i > first && self.space_before(i));
            self.snippet(i).chars().count() + space
        });
        lengths.sum::<usize>() + fields
    }

    fn snippet(&self, index: usize) -> &str {
        let origin = self.tokens[index].origin;
        &self.text[origin.start() as usize..origin.end() as usize]
    }

    fn is_keyword(&self, index: usize) -> bool {
        let text = self.snippet(index);
        self.tokens[index].kind == TokenKind::Name && (RESERVED.contains(&text) || ITEM_WORDS.contains(&text))
    }

    /// Whether the token before `index` ends an operand, so that a sign after it joins two.
    fn follows_operand(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        match self.tokens[before].kind {
            TokenKind::Number(_) | TokenKind::Text => true,
            TokenKind::Name => !self.is_keyword(before) || matches!(self.snippet(before), "true" | "false"),
            TokenKind::Sign(sign) => matches!(sign, Sign::RightParen | Sign::RightBracket),
            TokenKind::End => false,
        }
    }

    fn is_unary(&self, index: usize) -> bool {
        matches!(self.tokens[index].kind, TokenKind::Sign(Sign::Minus | Sign::Plus))
            && !self.follows_operand(index)
    }

    /// Whether a space stands between the token before and this one.
    fn space_before(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        let previous = self.tokens[before].kind;
        match previous {
            TokenKind::Sign(Sign::LeftParen | Sign::LeftBracket | Sign::Dot) => return false,
            TokenKind::Sign(Sign::Minus | Sign::Plus) if self.is_unary(before) => return false,
            _ => {}
        }
        match self.tokens[index].kind {
            TokenKind::Sign(
                Sign::Comma
                | Sign::Semicolon
                | Sign::Colon
                | Sign::RightParen
                | Sign::RightBracket
                | Sign::Dot,
            ) => false,
            TokenKind::Sign(Sign::LeftParen) => {
                let touches = self.tokens[before].origin.end() == self.tokens[index].origin.start();
                let after_name = previous == TokenKind::Name && !self.is_keyword(before);
                let is_field = matches!(self.roles[before], Role::FieldInLine | Role::FieldOnLine);
                !(after_name && (touches || is_field))
            }
            TokenKind::Sign(Sign::LeftBracket) => true,
            _ => true,
        }
    }

    /// Whether a long line may be broken before this token.
    fn may_break_before(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        if self.tokens[before].kind == TokenKind::Sign(Sign::Comma) {
            return true;
        }
        match self.tokens[index].kind {
            TokenKind::Sign(sign) => {
                let joins = matches!(sign, Sign::Plus | Sign::Minus | Sign::Star | Sign::Slash);
                joins && !self.is_unary(index)
            }
            TokenKind::Name => matches!(
                self.snippet(index),
                "and" | "or" | "implies" | "until" | "then" | "else"
            ),
            _ => false,
        }
    }

    fn line_breaks(&self, from: u32, to: u32) -> usize {
        self.text[from as usize..to as usize].matches('\n').count()
    }
}

struct Writer<'a> {
    layout: &'a Layout<'a>,
    comments: &'a [Comment],
    next_comment: usize,
    out: String,
    line: String,
    /// Characters of `line`.
    column: usize,
    indent: usize,
    /// A comment ended the line: nothing may follow on it.
    must_break: bool,
    /// The end of what was last written, in the source.
    last_end: u32,
}

impl<'a> Writer<'a> {
    fn new(layout: &'a Layout<'a>, comments: &'a [Comment]) -> Self {
        Writer {
            layout,
            comments,
            next_comment: 0,
            out: String::new(),
            line: String::new(),
            column: 0,
            indent: 0,
            must_break: false,
            last_end: 0,
        }
    }

    fn write(mut self) -> String {
        for index in 0..self.layout.tokens.len() {
            let token = self.layout.tokens[index];
            let role = self.layout.roles[index];
            let is_end = token.kind == TokenKind::End;
            let indent = match role {
                Role::Item => 0,
                Role::FieldOnLine => FIELD_INDENT,
                Role::CloseOnLine | Role::FieldInLine => 0,
                Role::Inner | Role::Dropped => self.indent + CONTINUATION_INDENT,
            };
            self.comments_before(
                token.origin.start(),
                if is_end {
                    0
                } else {
                    self.comment_indent(role, indent)
                },
            );
            if is_end {
                break;
            }
            if role == Role::Dropped {
                self.last_end = token.origin.end();
                continue;
            }
            self.token(index, role, indent);
            self.last_end = token.origin.end();
        }
        self.flush();
        while self.out.ends_with("\n\n") {
            self.out.pop();
        }
        self.out
    }

    /// Comments before a closing brace belong to the fields.
    fn comment_indent(&self, role: Role, indent: usize) -> usize {
        if role == Role::CloseOnLine {
            FIELD_INDENT
        } else {
            indent
        }
    }

    fn token(&mut self, index: usize, role: Role, indent: usize) {
        let text = self.layout.snippet(index);
        let starts_line = matches!(role, Role::Item | Role::FieldOnLine | Role::CloseOnLine);
        if starts_line || self.must_break {
            let start = self.layout.tokens[index].origin.start();
            self.flush();
            if matches!(role, Role::Item | Role::FieldOnLine) {
                self.blank_line_before(start);
            }
            if starts_line {
                self.indent = indent;
            }
            self.indent_line(indent);
            self.push(text);
            return;
        }
        if role == Role::FieldInLine && self.follows_field(index) {
            self.push("  ");
        } else if self.layout.space_before(index) && !self.line.trim().is_empty() {
            let width = self.column + 1 + self.unbreakable_width(index);
            if width > WIDTH && self.layout.may_break_before(index) {
                self.flush();
                self.indent_line(self.indent + CONTINUATION_INDENT);
            } else {
                self.push(" ");
            }
        }
        self.push(text);
    }

    fn push(&mut self, text: &str) {
        self.line.push_str(text);
        self.column += text.chars().count();
    }

    /// Begins the empty line with spaces.
    fn indent_line(&mut self, indent: usize) {
        self.line = " ".repeat(indent);
        self.column = indent;
    }

    /// Whether the token before a field is another field's, not the opening brace.
    fn follows_field(&self, index: usize) -> bool {
        let before = (0..index).rev().find(|i| self.layout.roles[*i] != Role::Dropped);
        before.is_some_and(|i| self.layout.tokens[i].kind != TokenKind::Sign(Sign::LeftBrace))
    }

    /// The width from this token to the next place where the line may be broken.
    fn unbreakable_width(&self, index: usize) -> usize {
        let mut width = self.layout.snippet(index).chars().count();
        for next in index + 1..self.layout.tokens.len() {
            let ends = self.layout.may_break_before(next) || self.layout.roles[next] != Role::Inner;
            if ends || width > WIDTH {
                break;
            }
            width += self.layout.snippet(next).chars().count() + usize::from(self.layout.space_before(next));
        }
        width
    }

    /// Writes the comments that stand before a byte.
    fn comments_before(&mut self, byte: u32, indent: usize) {
        while let Some(comment) = self.comments.get(self.next_comment) {
            if comment.origin.start() >= byte {
                break;
            }
            self.next_comment += 1;
            let text =
                self.layout.text[comment.origin.start() as usize..comment.origin.end() as usize].trim_end();
            let on_line =
                self.last_end > 0 && self.layout.line_breaks(self.last_end, comment.origin.start()) == 0;
            if on_line && !self.must_break {
                self.push("  ");
            } else {
                self.flush();
                self.blank_line_before(comment.origin.start());
                self.indent_line(indent);
            }
            self.push(text);
            self.must_break = true;
            self.last_end = comment.origin.end();
        }
    }

    fn blank_line_before(&mut self, start: u32) {
        let breaks = self.layout.line_breaks(self.last_end, start);
        if breaks >= 2 && !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn flush(&mut self) {
        if !self.line.trim().is_empty() {
            self.out.push_str(self.line.trim_end());
            self.out.push('\n');
        }
        self.line.clear();
        self.column = 0;
        self.must_break = false;
    }
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
