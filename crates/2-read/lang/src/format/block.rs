//! The blocks of an item: what stands between braces, and the blocks in it.

use crate::syntax::ast::{Field, FileKind, Item, ItemKind, Statement, StatementKind};
use dyverse_diag::Origin;

/// Something with a block in braces, the first braces after its beginning.
pub(crate) struct Block {
    /// The whole, with what stands before the braces.
    pub(crate) origin: Origin,
    /// What stands in the braces, in order.
    pub(crate) parts: Vec<Origin>,
    /// The parts that have blocks of their own.
    pub(crate) inner: Vec<Block>,
}

impl Block {
    /// The block of an item.
    pub(crate) fn of_item(item: &Item) -> Option<Block> {
        match &item.kind {
            ItemKind::Entity { fields, .. }
            | ItemKind::Contact { fields, .. }
            | ItemKind::Spring { fields, .. }
            | ItemKind::Damper { fields, .. }
            | ItemKind::Tolerances { fields } => Some(Block::of_fields(item.origin, fields)),
            ItemKind::Actor { body, .. } => Some(Block::of_body(item.origin, body)),
            ItemKind::Statement(statement) => Block::of_statement(statement),
            _ => None,
        }
    }

    fn of_fields(origin: Origin, fields: &[Field]) -> Block {
        Block {
            origin,
            parts: fields.iter().map(|field| field.origin).collect(),
            inner: Vec::new(),
        }
    }

    fn of_body(origin: Origin, body: &[Statement]) -> Block {
        Block {
            origin,
            parts: body.iter().map(|statement| statement.origin).collect(),
            inner: body.iter().filter_map(Block::of_statement).collect(),
        }
    }

    fn of_statement(statement: &Statement) -> Option<Block> {
        let origin = statement.origin;
        match &statement.kind {
            StatementKind::Instance { of, .. } => Some(Block::of_fields(origin, &of.bindings)),
            StatementKind::File(file) if file.kind != FileKind::Table => {
                Some(Block::of_fields(origin, &file.bindings))
            }
            StatementKind::Modal { body, .. } | StatementKind::Mode { body, .. } => {
                Some(Block::of_body(origin, body))
            }
            StatementKind::Transition(transition) => Some(Block {
                origin,
                parts: transition.actions.iter().map(|action| action.origin).collect(),
                inner: Vec::new(),
            }),
            _ => None,
        }
    }

    /// How many parts there are, those of inner blocks included.
    pub(crate) fn parts_within(&self) -> usize {
        let inner: usize = self.inner.iter().map(Block::parts_within).sum();
        self.parts.len() + inner
    }
}
