//! Items of actor models: `actor`, `fun`, `record`; and calls that turn out to be instances.

use super::ast::{ExprRef, GivenArguments, ItemKind, Name, NodeKind, SourceTree};
use super::parser::{Parsed, Parser};
use super::token::Sign;

impl Parser<'_> {
    pub(crate) fn actor(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the actor's name")?;
        let parameters = if self.at_sign(Sign::LeftParen) {
            let open = self.advance().origin;
            let parameters = if self.at_sign(Sign::RightParen) {
                Vec::new()
            } else {
                self.formals("a parameter")?
            };
            self.expect_closing(Sign::RightParen, open)?;
            parameters
        } else {
            Vec::new()
        };
        Ok(ItemKind::Actor {
            name,
            parameters,
            body: self.body()?,
        })
    }

    pub(crate) fn function(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the function's name")?;
        let open = self.expect_sign(Sign::LeftParen, "`(`")?.origin;
        let mut parameters = Vec::new();
        while !self.at_sign(Sign::RightParen) {
            parameters.push(self.name("an argument")?);
            if !self.take_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_closing(Sign::RightParen, open)?;
        self.expect_sign(Sign::Assign, "`=`")?;
        Ok(ItemKind::Function {
            name,
            parameters,
            value: self.expression()?,
        })
    }

    pub(crate) fn record(&mut self) -> Parsed<ItemKind> {
        let mut paths = vec![self.path("a signal")?];
        while self.take_sign(Sign::Comma) {
            paths.push(self.path("a signal")?);
        }
        Ok(ItemKind::Record { paths })
    }
}

impl SourceTree {
    /// `Ball(m = 2)` or `Ball`, read as an expression, as an instance: the actor and its arguments.
    pub(crate) fn as_instance(&self, expr: ExprRef) -> Option<(Name, GivenArguments)> {
        let node = self.nodes.get(expr.root)?;
        match &node.kind {
            NodeKind::Name(text) => {
                let name = Name {
                    text: text.clone(),
                    origin: node.origin,
                };
                Some((name, Vec::new()))
            }
            NodeKind::Call { function, arguments } => {
                // Arguments lie one after the other.
                let mut first = expr.first;
                let mut given = Vec::new();
                for argument in arguments {
                    let root = argument.value;
                    given.push((argument.name.clone(), ExprRef { first, root }));
                    first = root + 1;
                }
                Some((function.clone(), given))
            }
            _ => None,
        }
    }
}
