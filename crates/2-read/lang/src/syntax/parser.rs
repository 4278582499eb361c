//! Tokens to syntax tree: looking at tokens, saying what was expected, recovery. Items are in [`super::item`], blocks in
//! [`super::block`], bodies of actors in [`super::body`], expressions in [`super::expression`].
//!
//! Recursive descent over a grammar that one token decides (docs/LANGUAGE.md and docs/ACTOR_LANGUAGE.md have it whole). Recovery: a
//! mistake inside a block skips to the next field or to its closing brace; one outside skips to the next
//! word that begins an item. So independent mistakes are all found in one run.
//!
//! # Guarantee
//! Every loop consumes a token or ends; nesting is bounded by [`MAX_DEPTH`]; no panic.

use super::ast::{Name, SourceTree};
use super::dialect::Dialect;
use super::token::{Lexed, MOST_MISTAKES, Sign, Token, TokenKind};
use dyverse_diag::{Diagnostic, Origin, SourceMap, codes, finding};

/// Brackets, operators and branches inside one another at the most.
pub(crate) const MAX_DEPTH: usize = 200;

/// Shapes of surfaces: as calls they are fields of an entity, never values.
pub(crate) const SHAPES: &[&str] = &[
    "sphere",
    "ellipsoid",
    "capsule",
    "rounded_box",
    "box",
    "convex",
    "plane",
    "half_space",
];

/// A parse that has gone wrong here and has been reported.
pub(crate) struct Broken;
pub(crate) type Parsed<T> = Result<T, Broken>;

pub(crate) struct Parser<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) dialect: Dialect,
    tokens: Vec<Token>,
    pub(crate) at: usize,
    pub(crate) depth: usize,
    /// Tokens before this one are noted as lost, as far as they are.
    noted: usize,
    /// Whether the expression at hand is of a field: a name before `=` is then the next field.
    pub(crate) is_in_block: bool,
    pub(crate) tree: SourceTree,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Parses one file.
pub(crate) fn parse(lexed: Lexed, sources: &SourceMap, dialect: Dialect) -> (SourceTree, Vec<Diagnostic>) {
    let mut parser = Parser {
        sources,
        dialect,
        tokens: lexed.tokens,
        at: 0,
        depth: 0,
        noted: 0,
        is_in_block: false,
        tree: SourceTree::default(),
        diagnostics: lexed.diagnostics,
    };
    let lexical = parser.diagnostics.len();
    while !parser.at_end() && parser.diagnostics.len() < MOST_MISTAKES {
        let before = parser.at;
        if parser.item().is_err() {
            parser.skip_to_item();
            parser.note_lost_words(before);
        }
        if parser.at == before {
            parser.advance();
        }
    }
    parser.note_strange_characters(lexical);
    parser.tree.damage.is_beyond_use = parser.diagnostics.iter().any(|d| d.code() == codes::S014)
        || parser.diagnostics.len() >= MOST_MISTAKES;
    (parser.tree, parser.diagnostics)
}

// Looking at tokens.
impl Parser<'_> {
    pub(crate) fn token(&self) -> Token {
        self.token_ahead(0)
    }
    pub(crate) fn token_ahead(&self, n: usize) -> Token {
        // The last token is `End`, and there always is one.
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }
    pub(crate) fn at_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }
    pub(crate) fn advance(&mut self) -> Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }
    pub(crate) fn previous_origin(&self) -> Origin {
        self.tokens[self.at.saturating_sub(1)].origin
    }
    pub(crate) fn text(&self, token: Token) -> &str {
        self.sources.snippet(token.origin)
    }
    pub(crate) fn at_sign(&self, sign: Sign) -> bool {
        self.token().kind == TokenKind::Sign(sign)
    }
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.token().kind == TokenKind::Name && self.text(self.token()) == word
    }
    pub(crate) fn take_sign(&mut self, sign: Sign) -> bool {
        let found = self.at_sign(sign);
        if found {
            self.advance();
        }
        found
    }
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }
    pub(crate) fn describe(&self, token: Token) -> String {
        match token.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::Name | TokenKind::Number(_) | TokenKind::Text | TokenKind::Sign(_) => {
                let text = self.text(token);
                if text.chars().count() > 30 {
                    format!("`{}…`", text.chars().take(30).collect::<String>())
                } else {
                    format!("`{text}`")
                }
            }
        }
    }

    /// Where something is missing: at this token, or after the last one if this is on another line.
    fn missing_origin(&self) -> Origin {
        let (here, last) = (self.token().origin, self.previous_origin());
        if self.at == 0 {
            return here;
        }
        let between = Origin::new(here.file(), last.end(), here.start());
        let is_on_other_line = self.sources.snippet(between).contains('\n');
        if is_on_other_line {
            Origin::new(here.file(), last.end(), last.end())
        } else {
            here
        }
    }

    /// Reports that something else was expected here.
    pub(crate) fn expected(&mut self, what: &str) -> Broken {
        let token = self.token();
        let found = self.describe(token);
        let code = if token.kind == TokenKind::End {
            codes::S006
        } else {
            codes::S005
        };
        let message = format!("expected {what}, found {found}");
        self.diagnostics
            .push(Diagnostic::error(code, self.missing_origin(), message).label(format!("expected {what}")));
        Broken
    }

    pub(crate) fn expect_sign(&mut self, sign: Sign, what: &str) -> Parsed<Token> {
        if self.at_sign(sign) {
            Ok(self.advance())
        } else {
            Err(self.expected(what))
        }
    }

    /// The closing bracket of `open`, or a message that points at what was opened.
    pub(crate) fn expect_closing(&mut self, sign: Sign, open: Origin) -> Parsed<()> {
        if self.take_sign(sign) {
            return Ok(());
        }
        let token = self.token();
        let found = self.describe(token);
        let opened = self.sources.snippet(open).to_owned();
        let (at, message) = (self.missing_origin(), format!("expected `{sign}`, found {found}"));
        let begins_value = match token.kind {
            TokenKind::Number(_) => true,
            TokenKind::Name => sign != Sign::RightBrace && !self.starts_item(),
            TokenKind::Sign(found) => found == Sign::LeftParen,
            TokenKind::Text | TokenKind::End => false,
        };
        let place = if at == token.origin { "before this" } else { "here" };
        self.diagnostics.push(
            finding!(S007 at at, message;
                label "`{sign}` missing {place}";
                also open, "`{opened}` opened here")
            .help(if begins_value && at == token.origin {
                format!("close it with `{sign}`, or put a `,` or an operator before {found}")
            } else {
                format!("close it with `{sign}`")
            }),
        );
        Err(Broken)
    }

    /// A name that is no reserved word.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.token();
        if token.kind != TokenKind::Name {
            return Err(self.expected(what));
        }
        let text = self.text(token).to_owned();
        if self.is_word_of_language(&text) {
            self.diagnostics.push(
                finding!(S008 at token.origin, "`{text}` is a word of the language";
                    label "cannot be {what}";
                    help "choose another name, for example with a `_` at its end"),
            );
            // Words that start items are where recovery goes on; others are taken as the name meant.
            if self.starts_item() && !self.item_words_follow_as_name() {
                return Err(Broken);
            }
        }
        self.advance();
        Ok(Name {
            text,
            origin: token.origin,
        })
    }

    pub(crate) fn is_word_of_language(&self, text: &str) -> bool {
        self.dialect.is_word(text)
    }

    /// Whether the word here is used like a name: something follows that no item begins with.
    fn item_words_follow_as_name(&self) -> bool {
        matches!(
            self.token_ahead(1).kind,
            TokenKind::Sign(Sign::LeftBrace | Sign::Comma | Sign::Assign | Sign::Colon | Sign::RightParen)
        )
    }
}

// Recovery.
impl Parser<'_> {
    pub(crate) fn starts_item(&self) -> bool {
        self.token().kind == TokenKind::Name && self.dialect.item_words().contains(&self.text(self.token()))
    }

    fn skip_to_item(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            match self.token().kind {
                TokenKind::Sign(Sign::LeftBrace) => depth += 1,
                TokenKind::Sign(Sign::RightBrace) => depth = depth.saturating_sub(1),
                // Inside braces an item's word may be a field.
                TokenKind::Name if self.starts_item() && (depth == 0 || self.item_certainly_begins()) => {
                    return;
                }
                TokenKind::Name if depth == 0 && self.equation_begins() => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// A character without meaning was left out: what does not parse after it on its line is its consequence, and what
    /// seems wrong in its item may be. The first `lexical` findings are the lexer's.
    fn note_strange_characters(&mut self, lexical: usize) {
        let strange: Vec<Origin> = self.diagnostics[..lexical]
            .iter()
            .filter(|d| d.code() == codes::S001)
            .map(|d| d.primary().origin)
            .collect();
        let follows = |d: &Diagnostic| {
            let at = d.primary().origin;
            let before = strange.partition_point(|s| s.start() <= at.start());
            let between = strange[..before]
                .last()
                .map(|s| Origin::new(s.file(), s.start(), at.start()));
            between.is_some_and(|between| !self.sources.snippet(between).contains('\n'))
        };
        let followers: Vec<bool> = self.diagnostics.iter().skip(lexical).map(follows).collect();
        let mut keep = (0..lexical)
            .map(|_| true)
            .chain(followers.into_iter().map(|follows| !follows));
        self.diagnostics.retain(|_| keep.next().unwrap_or(true));
        for at in strange {
            let place = self
                .tree
                .items
                .partition_point(|item| item.origin.start() <= at.start());
            let Some(item) = place.checked_sub(1).and_then(|place| self.tree.items.get(place)) else {
                continue;
            };
            let end = item.origin.end().max(at.end());
            self.tree
                .damage
                .strange
                .push(Origin::new(at.file(), item.origin.start(), end));
        }
    }

    /// Words of an item that was given up, from its first token on.
    pub(crate) fn note_lost_words(&mut self, first: usize) {
        let first = first.max(self.noted).min(self.at);
        self.noted = self.at;
        let words: Vec<String> = self.tokens[first..self.at]
            .iter()
            .filter(|token| token.kind == TokenKind::Name)
            .map(|token| self.text(*token).to_owned())
            .collect();
        self.tree.damage.words.extend(words);
    }
}
