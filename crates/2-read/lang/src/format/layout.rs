//! What every token begins: an item, a field, nothing; and where blanks and breaks may stand.

use super::block::Block;
use super::{FIELD_INDENT, WIDTH};
use crate::syntax::ast::Item;
use crate::syntax::dialect::Dialect;
use crate::syntax::expression::PREFIXES;
use crate::syntax::token::{Comment, Sign, Token, TokenKind};
use dyverse_diag::Origin;

/// What a token begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing: it goes on where the last one stopped.
    Inner,
    /// An item: a new line.
    Item,
    /// A field of a block that stays on one line: two spaces.
    FieldInLine,
    /// A field on a line of its own, in a block of this level.
    FieldOnLine(usize),
    /// The closing brace of a block of this level over several lines.
    CloseOnLine(usize),
    /// An optional separator, left out.
    Dropped,
}

/// The tokens of a text and what each begins.
pub(crate) struct Layout<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token],
    pub(crate) roles: Vec<Role>,
    dialect: Dialect,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(
        text: &'a str,
        tokens: &'a [Token],
        comments: &[Comment],
        dialect: Dialect,
        items: &[Item],
    ) -> Self {
        let mut layout = Layout {
            text,
            tokens,
            roles: vec![Role::Inner; tokens.len()],
            dialect,
        };
        for item in items {
            layout.mark(item.origin.start(), Role::Item);
            if let Some(block) = Block::of_item(item) {
                layout.mark_block(&block, 1, false, comments);
            }
        }
        layout
    }

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

    /// Marks a block of some level and those in it. A block in a block that stays on its line stays there too.
    fn mark_block(&mut self, block: &Block, level: usize, is_outer_in_line: bool, comments: &[Comment]) {
        let (start, end) = (block.origin.start(), block.origin.end());
        let (first, last) = (self.index_at(start), self.index_at(end).saturating_sub(1));
        let is_brace = |t: &Token| t.kind == TokenKind::Sign(Sign::LeftBrace);
        let Some(open) = (first..=last).find(|i| self.tokens.get(*i).is_some_and(is_brace)) else {
            return;
        };
        let in_line = is_outer_in_line || self.fits_on_line(block, level, (first, open, last), comments);
        let role = if in_line {
            Role::FieldInLine
        } else {
            Role::FieldOnLine(level)
        };
        for part in &block.parts {
            self.mark(part.start(), role);
        }
        if !in_line && !block.parts.is_empty() {
            self.roles[last] = Role::CloseOnLine(level);
        }
        self.drop_separators(&block.parts, open + 1, last);
        for inner in &block.inner {
            self.mark_block(inner, level + 1, in_line, comments);
        }
    }

    /// Whether a block was written on one line and may stay there.
    fn fits_on_line(
        &self,
        block: &Block,
        level: usize,
        (first, open, last): (usize, usize, usize),
        comments: &[Comment],
    ) -> bool {
        let (open_end, end) = (self.tokens[open].origin.end(), block.origin.end());
        let inside = &self.text[open_end as usize..end as usize];
        let after = comments.partition_point(|c| c.origin.start() < open_end);
        let has_comment = comments.get(after).is_some_and(|c| c.origin.end() <= end);
        let indent = (level - 1) * FIELD_INDENT;
        !has_comment
            && !inside.contains('\n')
            && indent + self.width(first, last, block.parts_within()) <= WIDTH
    }

    /// Leaves out the separators between parts, among the tokens `from..to`.
    fn drop_separators(&mut self, parts: &[Origin], from: usize, to: usize) {
        for index in from..to {
            let byte = self.tokens[index].origin.start();
            let is_separator = matches!(
                self.tokens[index].kind,
                TokenKind::Sign(Sign::Comma | Sign::Semicolon)
            );
            let before = parts.partition_point(|f| f.start() <= byte);
            let in_part = before
                .checked_sub(1)
                .and_then(|i| parts.get(i))
                .is_some_and(|f| byte < f.end());
            if is_separator && !in_part {
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

    pub(crate) fn snippet(&self, index: usize) -> &str {
        let origin = self.tokens[index].origin;
        &self.text[origin.start() as usize..origin.end() as usize]
    }

    fn is_keyword(&self, index: usize) -> bool {
        let text = self.snippet(index);
        let is_word = || self.dialect.is_word(text);
        self.tokens[index].kind == TokenKind::Name && is_word()
    }

    /// Whether the token before `index` ends an operand, so that a sign after it joins two.
    fn follows_operand(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        match self.tokens[before].kind {
            TokenKind::Number(_) | TokenKind::Text => true,
            TokenKind::Name => !self.is_keyword(before) || matches!(self.snippet(before), "true" | "false"),
            TokenKind::Sign(sign) => {
                matches!(sign, Sign::RightParen | Sign::RightBracket | Sign::Prime)
            }
            TokenKind::End => false,
        }
    }

    fn is_unary(&self, index: usize) -> bool {
        matches!(self.tokens[index].kind, TokenKind::Sign(Sign::Minus | Sign::Plus))
            && !self.follows_operand(index)
    }

    /// Whether a space stands between the token before and this one.
    pub(crate) fn space_before(&self, index: usize) -> bool {
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
                | Sign::Dot
                | Sign::Prime,
            ) => false,
            TokenKind::Sign(Sign::LeftParen) => {
                let touches = self.tokens[before].origin.end() == self.tokens[index].origin.start();
                let is_prefix = self.dialect == Dialect::Actors && PREFIXES.contains(&self.snippet(before));
                let after_name = previous == TokenKind::Name && (is_prefix || !self.is_keyword(before));
                let is_field = matches!(self.roles[before], Role::FieldInLine | Role::FieldOnLine(_));
                let after_file = previous == TokenKind::Text;
                !(after_name && (touches || is_field) || after_file)
            }
            TokenKind::Sign(Sign::LeftBracket) => true,
            _ => true,
        }
    }

    /// Whether a long line may be broken before this token.
    pub(crate) fn may_break_before(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        if self.tokens[before].kind == TokenKind::Sign(Sign::Comma) {
            return true;
        }
        match self.tokens[index].kind {
            TokenKind::Sign(sign) => {
                let joins = matches!(
                    sign,
                    Sign::Plus | Sign::Minus | Sign::Star | Sign::Slash | Sign::Instead
                );
                joins && !self.is_unary(index)
            }
            TokenKind::Name => matches!(
                self.snippet(index),
                "and"
                    | "or"
                    | "implies"
                    | "until"
                    | "then"
                    | "else"
                    | "unless"
                    | "init"
                    | "impulse"
                    | "reset"
                    | "goto"
            ),
            _ => false,
        }
    }

    pub(crate) fn line_breaks(&self, from: u32, to: u32) -> usize {
        self.text[from as usize..to as usize].matches('\n').count()
    }
}
