//! Lines from tokens: indentation, breaks of long lines, comments where they stood.

use super::layout::{Layout, Role};
use super::{CONTINUATION_INDENT, FIELD_INDENT, WIDTH};
use crate::syntax::token::{Comment, Sign, TokenKind};

/// Writes tokens and comments line by line.
pub(crate) struct Writer<'a> {
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
    pub(crate) fn new(layout: &'a Layout<'a>, comments: &'a [Comment]) -> Self {
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

    pub(crate) fn write(mut self) -> String {
        for index in 0..self.layout.tokens.len() {
            let token = self.layout.tokens[index];
            let role = self.layout.roles[index];
            let is_end = token.kind == TokenKind::End;
            let indent = match role {
                Role::Item => 0,
                Role::FieldOnLine(level) => level * FIELD_INDENT,
                Role::CloseOnLine(level) => (level - 1) * FIELD_INDENT,
                Role::FieldInLine => 0,
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
        match role {
            Role::CloseOnLine(level) => level * FIELD_INDENT,
            _ => indent,
        }
    }

    fn token(&mut self, index: usize, role: Role, indent: usize) {
        let text = self.layout.snippet(index);
        let starts_line = matches!(role, Role::Item | Role::FieldOnLine(_) | Role::CloseOnLine(_));
        if starts_line || self.must_break {
            let start = self.layout.tokens[index].origin.start();
            self.flush();
            if matches!(role, Role::Item | Role::FieldOnLine(_)) {
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
