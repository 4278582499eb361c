//! Expressions, by precedence climbing. From loose to tight:
//!
//! ```text
//! always/never/eventually [a,b] φ     reaches as far right as it can
//! if c then a else b                  likewise
//! ?? (right) · on unless              of signals of actor models
//! implies (right) · until · or · and · not · comparisons (chains) · + - · * / · unary - · ^ (right) · .member
//! ```
//! `post a`, `present a`, `absent a` are calls without brackets. `a < b <= c` compares every neighbouring pair. Nodes are pushed children first ([`super::ast`]).

use super::ast::{
    Argument, BinaryOp, ExprRef, Name, Node, NodeIndex, NodeKind, SignalOp, TemporalOp, UnaryOp,
};
use super::dialect::Dialect;
use super::parser::{Broken, MAX_DEPTH, Parsed, Parser, SHAPES};
use super::token::{Sign, TokenKind};
use dyverse_diag::{Origin, finding};

/// Binding strengths, weakest first.
const INSTEAD: u8 = 1;
const SAMPLE: u8 = 2;
const IMPLIES: u8 = 3;
const UNTIL: u8 = 4;
const OR: u8 = 5;
const AND: u8 = 6;
const NOT: u8 = 7;
const COMPARE: u8 = 8;
const SUM: u8 = 9;
const PRODUCT: u8 = 10;
const UNARY: u8 = 11;
const POWER: u8 = 12;

/// Operators of one signal that may stand without brackets.
pub(crate) const PREFIXES: &[&str] = &["post", "present", "absent"];

impl Parser<'_> {
    /// One whole expression.
    pub(crate) fn expression(&mut self) -> Parsed<ExprRef> {
        let first = self.tree.nodes.len();
        let root = self.binary(0)?;
        Ok(ExprRef { first, root })
    }

    fn push(&mut self, kind: NodeKind, origin: Origin) -> NodeIndex {
        self.tree.nodes.push(Node { kind, origin });
        self.tree.nodes.len() - 1
    }

    fn origin_from(&self, start: Origin) -> Origin {
        start.to(self.previous_origin())
    }

    fn node_origin(&self, node: NodeIndex) -> Origin {
        self.tree.nodes[node].origin
    }

    /// Runs a part one level deeper, or reports that it is too deep.
    fn deeper(&mut self, part: impl FnOnce(&mut Self) -> Parsed<NodeIndex>) -> Parsed<NodeIndex> {
        self.nested(
            part,
            "this expression is nested too deeply",
            "name a part of it with `let`",
        )
    }

    /// Runs a part one level deeper, or says what is too deep.
    pub(crate) fn nested<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Parsed<T>,
        message: &str,
        help: &str,
    ) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let origin = self.token().origin;
            self.diagnostics.push(finding!(S011 at origin, message;
                label "more than {MAX_DEPTH} levels";
                help help));
            return Err(Broken);
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn binary_operator(&self) -> Option<(Operator, u8)> {
        use BinaryOp as B;
        Some(match self.token().kind {
            TokenKind::Sign(sign) => match sign {
                Sign::Plus => (Operator::Plain(B::Add), SUM),
                Sign::Minus => (Operator::Plain(B::Subtract), SUM),
                Sign::Star => (Operator::Plain(B::Multiply), PRODUCT),
                Sign::Slash => (Operator::Plain(B::Divide), PRODUCT),
                Sign::Caret => (Operator::Plain(B::Power), POWER),
                Sign::Less => (Operator::Compare(B::Less), COMPARE),
                Sign::LessEqual => (Operator::Compare(B::LessEqual), COMPARE),
                Sign::Greater => (Operator::Compare(B::Greater), COMPARE),
                Sign::GreaterEqual => (Operator::Compare(B::GreaterEqual), COMPARE),
                Sign::Equal => (Operator::Compare(B::Equal), COMPARE),
                Sign::NotEqual => (Operator::Compare(B::NotEqual), COMPARE),
                Sign::Instead => (Operator::Signal(SignalOp::Instead), INSTEAD),
                _ => return None,
            },
            TokenKind::Name => match self.text(self.token()) {
                "and" => (Operator::Plain(B::And), AND),
                "or" => (Operator::Plain(B::Or), OR),
                "implies" => (Operator::Plain(B::Implies), IMPLIES),
                "until" => (Operator::Until, UNTIL),
                "on" if self.dialect == Dialect::Actors => (Operator::Signal(SignalOp::On), SAMPLE),
                "unless" if self.dialect == Dialect::Actors => (Operator::Signal(SignalOp::Unless), SAMPLE),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<NodeIndex> {
        let mut left = self.unary()?;
        while let Some((operator, strength)) = self.binary_operator() {
            if strength < least {
                break;
            }
            self.advance();
            left = match operator {
                Operator::Compare(op) => self.comparison(left, op)?,
                Operator::Signal(op) => {
                    let next = if op == SignalOp::Instead {
                        INSTEAD
                    } else {
                        SAMPLE + 1
                    };
                    let right = self.deeper(|p| p.binary(next))?;
                    let origin = self.origin_from(self.node_origin(left));
                    self.push(NodeKind::Signal { op, left, right }, origin)
                }
                Operator::Until => {
                    let window = self.window()?;
                    let right = self.deeper(|p| p.binary(UNTIL + 1))?;
                    let origin = self.origin_from(self.node_origin(left));
                    self.push(NodeKind::Until { window, left, right }, origin)
                }
                Operator::Plain(op) => {
                    let is_right_associative = matches!(op, BinaryOp::Power | BinaryOp::Implies);
                    let next = if is_right_associative {
                        strength
                    } else {
                        strength + 1
                    };
                    let right = self.deeper(|p| p.binary(next))?;
                    let origin = self.origin_from(self.node_origin(left));
                    self.push(NodeKind::Binary { op, left, right }, origin)
                }
            };
        }
        Ok(left)
    }

    fn comparison(&mut self, left: NodeIndex, op: BinaryOp) -> Parsed<NodeIndex> {
        let start = self.node_origin(left);
        let mut operands = vec![left, self.deeper(|p| p.binary(COMPARE + 1))?];
        let mut ops = vec![op];
        while let Some((Operator::Compare(op), _)) = self.binary_operator() {
            self.advance();
            ops.push(op);
            operands.push(self.deeper(|p| p.binary(COMPARE + 1))?);
        }
        let origin = self.origin_from(start);
        Ok(match (operands.as_slice(), ops.as_slice()) {
            ([left, right], [op]) => self.push(
                NodeKind::Binary {
                    op: *op,
                    left: *left,
                    right: *right,
                },
                origin,
            ),
            _ => self.push(NodeKind::Chain { operands, ops }, origin),
        })
    }

    /// `[a, b]` after a temporal operator.
    fn window(&mut self) -> Parsed<Option<NodeIndex>> {
        if self.at_sign(Sign::LeftBracket) {
            self.interval().map(Some)
        } else {
            Ok(None)
        }
    }

    fn unary(&mut self) -> Parsed<NodeIndex> {
        let start = self.token().origin;
        if self.take_sign(Sign::Minus) {
            let operand = self.deeper(|p| p.binary(UNARY))?;
            let origin = self.origin_from(start);
            return Ok(self.push(
                NodeKind::Unary {
                    op: UnaryOp::Minus,
                    operand,
                },
                origin,
            ));
        }
        if self.take_sign(Sign::Plus) {
            return self.deeper(|p| p.binary(UNARY));
        }
        if self.token().kind == TokenKind::Name {
            match self.text(self.token()) {
                "not" => {
                    self.advance();
                    let operand = self.deeper(|p| p.binary(NOT))?;
                    let origin = self.origin_from(start);
                    return Ok(self.push(
                        NodeKind::Unary {
                            op: UnaryOp::Not,
                            operand,
                        },
                        origin,
                    ));
                }
                "if" => return self.conditional(),
                "always" => return self.temporal(TemporalOp::Always),
                "never" => return self.temporal(TemporalOp::Never),
                "eventually" => return self.temporal(TemporalOp::Eventually),
                word if self.dialect == Dialect::Actors && PREFIXES.contains(&word) => return self.prefix(),
                _ => {}
            }
        }
        self.postfix()
    }

    fn temporal(&mut self, op: TemporalOp) -> Parsed<NodeIndex> {
        let start = self.advance().origin;
        let window = self.window()?;
        let body = self.deeper(|p| p.binary(0))?;
        let origin = self.origin_from(start);
        Ok(self.push(NodeKind::Temporal { op, window, body }, origin))
    }

    /// `post a`, or the call `post(a, …)`.
    fn prefix(&mut self) -> Parsed<NodeIndex> {
        let token = self.advance();
        let function = Name {
            text: self.text(token).to_owned(),
            origin: token.origin,
        };
        if self.at_sign(Sign::LeftParen) && self.touches_previous() {
            return self.call(function);
        }
        let value = self.deeper(|p| p.binary(UNARY))?;
        let origin = self.origin_from(token.origin);
        let arguments = vec![Argument { name: None, value }];
        Ok(self.push(NodeKind::Call { function, arguments }, origin))
    }

    fn conditional(&mut self) -> Parsed<NodeIndex> {
        let start = self.advance().origin;
        let condition = self.deeper(|p| p.binary(0))?;
        if !self.take_word("then") {
            return Err(self.expected("`then`"));
        }
        let then = self.deeper(|p| p.binary(0))?;
        if !self.take_word("else") {
            return Err(self.expected("`else`"));
        }
        let otherwise = self.deeper(|p| p.binary(0))?;
        let origin = self.origin_from(start);
        Ok(self.push(
            NodeKind::If {
                condition,
                then,
                otherwise,
            },
            origin,
        ))
    }

    fn postfix(&mut self) -> Parsed<NodeIndex> {
        let mut node = self.primary()?;
        while self.take_sign(Sign::Dot) {
            let token = self.token();
            if token.kind != TokenKind::Name {
                return Err(self.expected("a member after `.`"));
            }
            self.advance();
            let member = Name {
                text: self.text(token).to_owned(),
                origin: token.origin,
            };
            let origin = self.origin_from(self.node_origin(node));
            node = self.push(NodeKind::Member { of: node, member }, origin);
        }
        Ok(node)
    }

    fn primary(&mut self) -> Parsed<NodeIndex> {
        let token = self.token();
        match token.kind {
            TokenKind::Number(literal) => {
                self.advance();
                Ok(self.push(NodeKind::Number(literal), token.origin))
            }
            TokenKind::Sign(Sign::LeftParen) => self.parenthesised(),
            TokenKind::Sign(Sign::LeftBracket) => self.interval(),
            TokenKind::Name => self.named(),
            _ => Err(self.expected("a value")),
        }
    }

    fn named(&mut self) -> Parsed<NodeIndex> {
        let token = self.token();
        let text = self.text(token).to_owned();
        match text.as_str() {
            "true" | "false" => {
                self.advance();
                return Ok(self.push(NodeKind::Boolean(text == "true"), token.origin));
            }
            word if self.is_word_of_language(word) => {
                return Err(self.expected("a value"));
            }
            _ => {}
        }
        let is_call = self.token_ahead(1).kind == TokenKind::Sign(Sign::LeftParen);
        let is_next_field = self.is_in_block && self.field_certainly_begins();
        let is_shape = self.dialect == Dialect::Bodies && SHAPES.contains(&text.as_str());
        if is_next_field || is_call && is_shape {
            return Err(self.expected("a value"));
        }
        self.advance();
        if is_call && self.touches_previous() {
            return self.call(Name {
                text,
                origin: token.origin,
            });
        }
        if is_call {
            return Err(self.loose_bracket(&text));
        }
        Ok(self.push(NodeKind::Name(text), token.origin))
    }

    /// `sin (x)`, or `m (x + 1)` for a product.
    fn loose_bracket(&mut self, name: &str) -> Broken {
        self.diagnostics.push(finding!(S005 at self.token().origin,
            "a bracket cannot follow `{name}` and a space";
            label "call or product?";
            help "a call has no space, `{name}(…)`; a product needs a sign, `{name} * (…)`"));
        Broken
    }

    /// A call's bracket stands right after its name.
    fn touches_previous(&self) -> bool {
        self.previous_origin().end() == self.token().origin.start()
    }

    fn call(&mut self, function: Name) -> Parsed<NodeIndex> {
        let open = self.advance().origin;
        let mut arguments = Vec::new();
        while !self.at_sign(Sign::RightParen) {
            let name = self.argument_name();
            let value = self.deeper(|p| p.binary(0))?;
            arguments.push(Argument { name, value });
            if !self.take_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_closing(Sign::RightParen, open)?;
        let origin = self.origin_from(function.origin);
        Ok(self.push(NodeKind::Call { function, arguments }, origin))
    }

    fn parenthesised(&mut self) -> Parsed<NodeIndex> {
        let open = self.advance().origin;
        let mut parts = Vec::new();
        while !self.at_sign(Sign::RightParen) {
            parts.push(self.deeper(|p| p.binary(0))?);
            if !self.take_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_closing(Sign::RightParen, open)?;
        match parts.as_slice() {
            [single] => Ok(*single),
            _ => {
                let origin = self.origin_from(open);
                Ok(self.push(NodeKind::Tuple(parts), origin))
            }
        }
    }

    fn interval(&mut self) -> Parsed<NodeIndex> {
        let open = self.advance().origin;
        let lower = self.deeper(|p| p.binary(0))?;
        self.expect_sign(Sign::Comma, "`,` and the upper end")?;
        let upper = self.deeper(|p| p.binary(0))?;
        self.expect_closing(Sign::RightBracket, open)?;
        let origin = self.origin_from(open);
        Ok(self.push(NodeKind::Interval { lower, upper }, origin))
    }
}

/// What stands between two operands.
#[derive(Clone, Copy)]
enum Operator {
    Plain(BinaryOp),
    Compare(BinaryOp),
    Signal(SignalOp),
    Until,
}
