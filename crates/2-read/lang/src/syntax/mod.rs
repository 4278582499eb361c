//! Source text to syntax tree: lexer, parser, tree.

mod actor_item;
pub(crate) mod ast;
mod block;
mod body;
pub(crate) mod dialect;
pub(crate) mod expression;
mod item;
mod number;
pub(crate) mod parser;
pub(crate) mod token;
