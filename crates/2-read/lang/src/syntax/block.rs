//! Blocks: `{ field … }`, and how to go on after a field that is broken.

use super::ast::{ExprRef, Field, FieldValue, Name};
use super::dialect::Dialect;
use super::parser::{Broken, Parsed, Parser, SHAPES};
use super::token::{MOST_MISTAKES, Sign, TokenKind};

impl Parser<'_> {
    /// `{ field … }`. A broken field is reported and skipped; the others are kept.
    pub(crate) fn block(&mut self) -> Parsed<Vec<Field>> {
        let open = self.expect_sign(Sign::LeftBrace, "`{`")?.origin;
        let mut fields = Vec::new();
        loop {
            while self.take_sign(Sign::Semicolon) || self.take_sign(Sign::Comma) {}
            if self.at_sign(Sign::RightBrace) || self.at_end() || self.item_certainly_begins() {
                break;
            }
            let before = self.at;
            match self.field() {
                Ok(field) => fields.push(field),
                Err(Broken) => self.skip_to_field(before),
            }
            if self.diagnostics.len() >= MOST_MISTAKES {
                return Err(Broken);
            }
        }
        self.expect_closing(Sign::RightBrace, open)?;
        Ok(fields)
    }

    /// Inside a block: `entity NAME {` and the like show that the closing brace was forgotten. A field can have
    /// the word of an item as its name, and a field that stands alone can come before another one.
    pub(crate) fn item_certainly_begins(&self) -> bool {
        if !self.starts_item() {
            return false;
        }
        let next = self.token_ahead(1);
        if self.dialect == Dialect::Actors {
            return next.kind != TokenKind::Sign(Sign::Assign) || self.at_word("horizon");
        }
        let is_word = |word: &str| next.kind == TokenKind::Name && self.text(next) == word;
        match self.text(self.token()) {
            "fixed" => is_word("entity"),
            "no" => is_word("contact"),
            "force" | "moment" => is_word("on"),
            "import" => next.kind == TokenKind::Text,
            "tolerances" => next.kind == TokenKind::Sign(Sign::LeftBrace),
            "horizon" => matches!(next.kind, TokenKind::Number(_) | TokenKind::Name),
            "gravity" => next.kind == TokenKind::Sign(Sign::LeftParen),
            _ => next.kind == TokenKind::Name && !is_word("in"),
        }
    }

    /// Inside a block: what can only be the beginning of a field.
    pub(crate) fn field_certainly_begins(&self) -> bool {
        let next = self.token_ahead(1);
        let word = self.text(self.token());
        match next.kind {
            TokenKind::Sign(Sign::Assign | Sign::Prime | Sign::Becomes) => true,
            TokenKind::Sign(Sign::LeftParen) => self.dialect == Dialect::Bodies && SHAPES.contains(&word),
            TokenKind::Name => self.dialect == Dialect::Bodies && self.text(next) == "in",
            _ => false,
        }
    }

    fn field(&mut self) -> Parsed<Field> {
        let name = self.field_name()?;
        self.is_in_block = true;
        let value = self.field_value();
        self.is_in_block = false;
        let value = value?;
        let origin = name.origin.to(self.previous_origin());
        Ok(Field { name, value, origin })
    }

    fn field_value(&mut self) -> Parsed<FieldValue> {
        Ok(if self.take_sign(Sign::Assign) {
            FieldValue::Equals(self.expression()?)
        } else if self.take_word("in") {
            FieldValue::Within(self.expression()?)
        } else if self.at_sign(Sign::LeftParen) {
            FieldValue::Call(self.field_arguments()?)
        } else {
            FieldValue::Flag
        })
    }

    /// A field may have the name of an item, as `force` in tolerances and `fixed` in an entity.
    fn field_name(&mut self) -> Parsed<Name> {
        let token = self.token();
        if token.kind != TokenKind::Name || !self.starts_item() {
            return self.name("a field");
        }
        self.advance();
        Ok(Name {
            text: self.text(token).to_owned(),
            origin: token.origin,
        })
    }

    pub(crate) fn field_arguments(&mut self) -> Parsed<Vec<(Option<Name>, ExprRef)>> {
        let open = self.advance().origin;
        let mut arguments = Vec::new();
        while !self.at_sign(Sign::RightParen) {
            let name = self.argument_name();
            arguments.push((name, self.expression()?));
            if !self.take_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_closing(Sign::RightParen, open)?;
        Ok(arguments)
    }

    /// `NAME =` before an argument.
    pub(crate) fn argument_name(&mut self) -> Option<Name> {
        let token = self.token();
        let named =
            token.kind == TokenKind::Name && self.token_ahead(1).kind == TokenKind::Sign(Sign::Assign);
        named.then(|| {
            self.advance();
            self.advance();
            Name {
                text: self.text(token).to_owned(),
                origin: token.origin,
            }
        })
    }

    /// Skips to something that looks like a field, the closing brace, or an item; at least one token after
    /// `before`.
    fn skip_to_field(&mut self, before: usize) {
        if self.at == before {
            self.advance();
        }
        let mut depth = 0usize;
        while !self.at_end() {
            match self.token().kind {
                TokenKind::Sign(Sign::LeftParen | Sign::LeftBracket) => depth += 1,
                TokenKind::Sign(Sign::RightParen | Sign::RightBracket) => depth = depth.saturating_sub(1),
                TokenKind::Sign(Sign::RightBrace) => return,
                TokenKind::Name if self.item_certainly_begins() => return,
                TokenKind::Name if depth == 0 && self.field_certainly_begins() => return,
                _ => {}
            }
            self.advance();
        }
    }
}
