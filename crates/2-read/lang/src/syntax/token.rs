//! Source text to tokens: one lexer for every file kind.
//!
//! ```text
//! name    = letter { letter | digit | "_" }
//! number  = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]  |  "." digits …
//! string  = '"' … '"'                     (no escapes, ends on its line)
//! comment = "#" to the end of the line
//! ```
//! Line breaks mean nothing to the parser; the formatter looks for them in the text between tokens, and gets
//! the comments as [`Comment`]s.
//!
//! # Guarantee
//! Every byte of the text is in exactly one token, one trivia or one diagnostic. Linear time, no panic. At most
//! [`MOST_MISTAKES`] mistakes are noted.

use super::dialect::Dialect;
use super::number::decimal;
use dyverse_diag::{Diagnostic, FileId, Origin, finding, report};
use dyverse_expr::Literal;
use std::fmt;

/// Mistakes of syntax reported in one file at the most: after that many, the rest is noise.
pub(crate) const MOST_MISTAKES: usize = 100;
/// Characters of a name at the most.
const LONGEST_NAME: usize = 200;

/// Kinds of token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// A name or a keyword: the parser tells them apart by where they stand.
    Name,
    /// A finite number.
    Number(Literal),
    /// A string, quotes included in its origin.
    Text,
    /// An operator or bracket.
    Sign(Sign),
    /// The end of the text.
    End,
}

macro_rules! signs {
    ($($name:ident $text:literal),* $(,)?) => {
        /// Operators and brackets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Sign { $($name),* }
        impl Sign {
            /// Longer signs first, so that `<=` is not read as `<` and `=`.
            const ALL: &[Sign] = &[$(Sign::$name),*];
            pub(crate) fn text(self) -> &'static str {
                match self { $(Sign::$name => $text),* }
            }
        }
    };
}
signs! {
    Becomes ":=", Instead "??", LessEqual "<=", GreaterEqual ">=", Equal "==", NotEqual "!=",
    Less "<", Greater ">", Assign "=", Plus "+", Minus "-", Star "*", Slash "/", Caret "^",
    Comma ",", Semicolon ";", Colon ":", Dot ".", Prime "'",
    LeftParen "(", RightParen ")", LeftBracket "[", RightBracket "]", LeftBrace "{", RightBrace "}",
}

impl Sign {
    fn at_start(text: &str, dialect: Dialect) -> Option<Sign> {
        let first = text.as_bytes().first();
        let is_known = |sign: &Sign| dialect == Dialect::Actors || !sign.is_of_actors();
        let is_here = |sign: &Sign| {
            sign.text().as_bytes().first() == first && text.starts_with(sign.text()) && is_known(sign)
        };
        Sign::ALL.iter().copied().find(is_here)
    }

    /// Whether only actor models have the sign.
    fn is_of_actors(self) -> bool {
        matches!(self, Sign::Becomes | Sign::Instead | Sign::Prime)
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) origin: Origin,
}

/// A comment, and where it stands among the tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub(crate) origin: Origin,
}

/// The tokens of one text (the last is [`TokenKind::End`]), its comments, and what was wrong.
#[derive(Debug)]
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Splits a text into tokens.
pub(crate) fn lex(text: &str, file: FileId, dialect: Dialect) -> Lexed {
    let mut lexer = Lexer {
        text,
        file,
        dialect,
        at: 0,
        out: Lexed {
            tokens: vec![],
            comments: vec![],
            diagnostics: vec![],
        },
    };
    while lexer.step() {}
    lexer.push(TokenKind::End, text.len());
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    dialect: Dialect,
    at: usize,
    out: Lexed,
}

impl Lexer<'_> {
    /// Reads one token or piece of trivia; false at the end.
    fn step(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else {
            return false;
        };
        match c {
            c if c.is_whitespace() => self.at += c.len_utf8(),
            '#' => {
                let length = rest.find('\n').unwrap_or(rest.len());
                let origin = self.origin(self.at, self.at + length);
                self.out.comments.push(Comment { origin });
                self.at += length;
            }
            '"' => self.string(rest),
            '\'' if !self.follows_name() => self.unexpected(rest),
            '/' if rest.starts_with("//") => self.unexpected(rest),
            '.' | '0'..='9' if starts_number(rest) => self.number(rest),
            c if is_name_start(c) => {
                let length = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
                self.name(&rest[..length]);
            }
            _ => match Sign::at_start(rest, self.dialect) {
                Some(sign) => self.push(TokenKind::Sign(sign), self.at + sign.text().len()),
                None => self.unexpected(rest),
            },
        }
        true
    }

    fn origin(&self, start: usize, end: usize) -> Origin {
        Origin::new(self.file, start as u32, end as u32)
    }

    /// Whether a name ends right here: `x'` is a derivative, `'x'` a slip.
    fn follows_name(&self) -> bool {
        let last = self.out.tokens.last();
        let is_derivative = |t: &Token| matches!(t.kind, TokenKind::Name | TokenKind::Sign(Sign::Prime));
        last.is_some_and(|t| is_derivative(t) && t.origin.end() as usize == self.at)
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        let origin = self.origin(self.at, end);
        self.out.tokens.push(Token { kind, origin });
        self.at = end;
    }

    fn report(&mut self, finding: Diagnostic) {
        if self.out.diagnostics.len() < MOST_MISTAKES {
            self.out.diagnostics.push(finding);
        }
    }

    fn name(&mut self, text: &str) {
        let end = self.at + text.len();
        if text.len() > LONGEST_NAME && text.chars().count() > LONGEST_NAME {
            let finding = finding!(S014 at self.origin(self.at, end), "this name is too long";
                label "{} characters; {LONGEST_NAME} are read at the most", text.chars().count();
                help "choose a shorter name");
            self.report(finding);
        }
        self.push(TokenKind::Name, end);
    }

    fn string(&mut self, rest: &str) {
        let end = rest[1..].find(['"', '\n']).map_or(rest.len(), |end| end + 1);
        if rest[end..].starts_with('"') {
            self.push(TokenKind::Text, self.at + end + 1);
            return;
        }
        let end = self.at + rest[..end].trim_end().len();
        let origin = self.origin(self.at, end);
        report!(self, S002 at origin, "this string does not end on its line";
            label "opened here";
            help "close it with `\"`");
        self.push(TokenKind::Text, end);
    }

    fn number(&mut self, rest: &str) {
        let length = number_length(rest);
        // `12abc` and `1.2.3` are slips, not two tokens.
        let tail = rest[length..]
            .find(|c| !(is_name_part(c) || c == '.'))
            .unwrap_or(rest.len() - length);
        let origin = self.origin(self.at, self.at + length + tail);
        let text = &rest[..length + tail];
        let literal = if tail > 0 { None } else { decimal(text) };
        let literal = literal.unwrap_or_else(|| {
            report!(self, S003 at origin, "`{}` is not a number", shortened(text);
                label "cannot be read";
                help "numbers look like 3, 0.5, 1e-3; a product needs `*`");
            Literal::exact(1.0)
        });
        if !literal.value().is_finite() {
            report!(self, S004 at origin, "this number is too large";
                label "beyond 1.7976931348623157e308, the largest double";
                help "choose units in which the number is smaller");
        }
        let literal = if literal.value().is_finite() {
            literal
        } else {
            Literal::exact(1.0)
        };
        self.push(TokenKind::Number(literal), self.at + length + tail);
    }

    /// Reports a run of characters that start no token, as one mistake; where it is clear what was meant, that is taken.
    fn unexpected(&mut self, rest: &str) {
        let first = rest.chars().next().unwrap_or_default();
        let length = match first {
            '“' | '”' | '„' => {
                rest[first.len_utf8()..]
                    .find(['”', '“', '"', '\n'])
                    .map_or(rest.len(), |end| {
                        let end = end + first.len_utf8();
                        end + rest[end..]
                            .chars()
                            .next()
                            .filter(|c| *c != '\n')
                            .map_or(0, char::len_utf8)
                    })
            }
            '%' | '/' => rest.find('\n').unwrap_or(rest.len()),
            _ => {
                let ends =
                    |c: char| c != first && (c.is_whitespace() || c.is_ascii_graphic() || is_name_part(c));
                rest.find(ends).unwrap_or(rest.len())
            }
        };
        let run = rest[..length].trim_end();
        let (help, meant) = look_alike(first);
        let origin = self.origin(self.at, self.at + run.len());
        let message = format!("`{}` has no meaning here", shortened(run).escape_debug());
        if !self.is_same_slip(&message, origin) {
            let finding = finding!(S001 at origin, message);
            self.report(finding.label("not part of the language").help(help));
        }
        match meant {
            Some(kind) if run.chars().count() == 1 || kind == TokenKind::Text => {
                self.push(kind, self.at + run.len())
            }
            _ => self.at += length,
        }
    }

    /// Whether the last finding says the same of the same line: the other bar of `|x|`.
    fn is_same_slip(&self, message: &str, origin: Origin) -> bool {
        self.out.diagnostics.last().is_some_and(|d| {
            let between = d.primary().origin.end() as usize..origin.start() as usize;
            d.message() == message && !self.text[between].contains('\n')
        })
    }
}

/// Advice for characters people type for others, and the token meant where there is no doubt.
fn look_alike(first: char) -> (&'static str, Option<TokenKind>) {
    let sign = |sign: Sign| Some(TokenKind::Sign(sign));
    match first {
        '≤' => ("write `<=`", sign(Sign::LessEqual)),
        '≥' => ("write `>=`", sign(Sign::GreaterEqual)),
        '≠' => ("write `!=`", sign(Sign::NotEqual)),
        '!' => ("write `not`", None),
        '×' | '·' | '∗' => ("write `*`", sign(Sign::Star)),
        '−' | '–' => ("write `-`", sign(Sign::Minus)),
        '∧' | '&' => ("write `and`", None),
        '∨' => ("write `or`", None),
        '|' => (
            "write `or`; for an absolute value `abs(x)`, for a length `norm(v)`",
            None,
        ),
        '“' | '”' | '„' => (
            "strings are in plain double quotes, `\"…\"`",
            Some(TokenKind::Text),
        ),
        '\'' => ("strings are in double quotes, `\"…\"`", None),
        '%' | '/' => ("comments begin with `#`", None),
        c if c.is_control() || !c.is_ascii() && !c.is_alphanumeric() => {
            ("remove it; it may be invisible", None)
        }
        _ => ("remove it", None),
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 {
        text.to_owned()
    } else {
        text.chars().take(40).chain(['…']).collect()
    }
}

fn starts_number(rest: &str) -> bool {
    let digits = rest.strip_prefix('.').unwrap_or(rest);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut at = digits(0);
    if text[at..].starts_with('.') && text[at + 1..].starts_with(|c: char| c.is_ascii_digit()) {
        at += 1 + digits(at + 1);
    } else if text[at..].starts_with('.') {
        at += 1;
    }
    if text[at..].starts_with(['e', 'E']) {
        let sign = usize::from(text[at + 1..].starts_with(['+', '-']));
        let exponent = digits(at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    at
}

pub(crate) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(crate) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_diag::SourceMap;

    fn kinds(text: &str) -> (Vec<String>, usize) {
        let mut map = SourceMap::new();
        let file = map.add("t", text);
        let lexed = lex(text, file, Dialect::Bodies);
        let shown = lexed
            .tokens
            .iter()
            .map(|t| map.snippet(t.origin).to_owned())
            .collect();
        (shown, lexed.diagnostics.len())
    }

    #[test]
    fn signs_are_read_longest_first() {
        assert_eq!(
            kinds("a<=b==-1.5e-3"),
            (
                ["a", "<=", "b", "==", "-", "1.5e-3", ""]
                    .map(String::from)
                    .to_vec(),
                0
            )
        );
    }

    #[test]
    fn members_of_numbers_are_slips() {
        assert_eq!(kinds("1.2.3").1, 1);
        assert_eq!(kinds("12abc").1, 1);
        assert_eq!(kinds("1e").1, 1);
        assert_eq!(kinds("1e999").1, 1);
    }

    #[test]
    fn a_run_of_strange_characters_is_one_mistake() {
        assert_eq!(kinds("a ≤≤≤ b").1, 1);
        assert_eq!(kinds("\0\0\0").1, 1);
        assert_eq!(kinds("$$$ @@").1, 2);
        assert_eq!(kinds("|x| |y|\n|z|").1, 2);
        assert_eq!(kinds("a // b\nc"), (["a", "c", ""].map(String::from).to_vec(), 1));
        assert_eq!(
            kinds("a ≥ b"),
            (["a", "≥", "b", ""].map(String::from).to_vec(), 1)
        );
        assert_eq!(kinds("“a” “b"), (["“a”", "“b", ""].map(String::from).to_vec(), 2));
        assert_eq!(kinds("§é").0, ["é", ""].map(String::from).to_vec());
        assert_eq!(kinds(&"$\n".repeat(10_000)).1, MOST_MISTAKES);
    }

    #[test]
    fn names_are_bounded() {
        assert_eq!(kinds(&"é".repeat(LONGEST_NAME)).1, 0);
        assert_eq!(kinds(&"é".repeat(LONGEST_NAME + 1)).1, 1);
    }

    #[test]
    fn comments_and_strings() {
        assert_eq!(kinds("x # y \"\n\"a\" \"b").1, 1);
        assert_eq!(
            kinds("import \"é\"").0,
            ["import", "\"é\"", ""].map(String::from).to_vec()
        );
    }
}
