//! Expressions of the model as formulas: the same operations, with other symbols.
//!
//! # Guarantee
//! Comparisons and `if` stay what they are. A symbol without a meaning here makes what reads it not recordable.

use crate::symbolic::{Recorder, Symbolic};
use dyverse_expr::{Node, NodeId, Pool, SymbolId};
use std::collections::BTreeMap;

/// A node of the model's pool in the recorder's.
#[derive(Clone, Debug)]
pub(crate) enum Imported {
    Number(Symbolic),
    /// `None` if it reads something that is not recordable.
    Truth(Option<NodeId>),
}

/// Nodes of the model with what they became.
#[derive(Debug, Default)]
pub(crate) struct Import {
    found: BTreeMap<NodeId, Imported>,
}

impl Import {
    /// Everything that `roots` need, each symbol as `symbol` says; nodes of `truths` are those truth values of the recorder.
    pub(crate) fn new(
        recorder: &Recorder,
        pool: &Pool,
        roots: &[NodeId],
        truths: &BTreeMap<NodeId, NodeId>,
        mut symbol: impl FnMut(SymbolId) -> Symbolic,
    ) -> Self {
        let mut import = Import::default();
        for id in pool.reachable(roots) {
            if let Some(truth) = truths.get(&id) {
                import.found.insert(id, Imported::Truth(Some(*truth)));
                continue;
            }
            let node = import.converted(recorder, pool.node(id), &mut symbol);
            import.found.insert(id, node);
        }
        import
    }

    fn converted(
        &self,
        recorder: &Recorder,
        node: Node,
        symbol: &mut impl FnMut(SymbolId) -> Symbolic,
    ) -> Imported {
        let two = |a, b| Some((self.truth(a)?, self.truth(b)?));
        Imported::Number(match node {
            Node::Number(literal) => recorder.number(recorder.with_pool(|pool| pool.literal(literal))),
            Node::Pi => recorder.number(recorder.with_pool(Pool::pi)),
            Node::Symbol(id) => symbol(id),
            Node::Unary(function, a) => self.number(a).unary(function),
            Node::Binary(function, a, b) => self.number(a).binary(function, &self.number(b)),
            Node::Integer(a, n) => self.number(a).integer_power(n),
            Node::Select(c, a, b) => return Imported::Number(self.selected(recorder, c, a, b)),
            Node::Boolean(value) => {
                return Imported::Truth(Some(recorder.with_pool(|pool| pool.boolean(value))));
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (recorder.node(&self.number(a)), recorder.node(&self.number(b)));
                let compared = a.zip(b);
                return Imported::Truth(
                    compared.map(|(a, b)| recorder.with_pool(|pool| pool.compare(relation, a, b))),
                );
            }
            Node::Not(a) => {
                return Imported::Truth(self.truth(a).map(|a| recorder.with_pool(|pool| pool.not(a))));
            }
            Node::And(a, b) => {
                return Imported::Truth(two(a, b).map(|(a, b)| recorder.with_pool(|pool| pool.and(a, b))));
            }
            Node::Or(a, b) => {
                return Imported::Truth(two(a, b).map(|(a, b)| recorder.with_pool(|pool| pool.or(a, b))));
            }
        })
    }

    fn selected(&self, recorder: &Recorder, condition: NodeId, a: NodeId, b: NodeId) -> Symbolic {
        let (a, b) = (recorder.node(&self.number(a)), recorder.node(&self.number(b)));
        match (self.truth(condition), a, b) {
            (Some(condition), Some(a), Some(b)) => {
                recorder.number(recorder.with_pool(|pool| pool.select(condition, a, b)))
            }
            _ => Symbolic::not_recordable(),
        }
    }

    /// What a number became.
    pub(crate) fn number(&self, id: NodeId) -> Symbolic {
        match self.found.get(&id) {
            Some(Imported::Number(number)) => number.clone(),
            _ => Symbolic::not_recordable(),
        }
    }
    fn truth(&self, id: NodeId) -> Option<NodeId> {
        match self.found.get(&id) {
            Some(Imported::Truth(truth)) => *truth,
            _ => None,
        }
    }
}
