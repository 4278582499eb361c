//! Symbols replaced by expressions: how a function that the model declares is called.

use crate::{Node, NodeId, Pool, SymbolId};
use std::collections::BTreeMap;

impl Pool {
    /// A node with other operands: those that `of` gives for its own.
    pub fn rebuild(&mut self, id: NodeId, of: impl Fn(NodeId) -> NodeId) -> NodeId {
        match self.node(id) {
            Node::Number(_) | Node::Pi | Node::Boolean(_) | Node::Symbol(_) => id,
            Node::Unary(function, a) => self.unary(function, of(a)),
            Node::Binary(function, a, b) => self.binary(function, of(a), of(b)),
            Node::Integer(a, n) => self.integer_power(of(a), n),
            Node::Compare(relation, a, b) => self.compare(relation, of(a), of(b)),
            Node::Not(a) => self.not(of(a)),
            Node::And(a, b) => self.and(of(a), of(b)),
            Node::Or(a, b) => self.or(of(a), of(b)),
            Node::Select(c, a, b) => self.select(of(c), of(a), of(b)),
        }
    }

    /// `roots` with every symbol for which `with` has an expression replaced by it. Shared parts stay shared.
    ///
    /// A replaced symbol stands for a number.
    pub fn substitute(&mut self, roots: &[NodeId], with: &BTreeMap<SymbolId, NodeId>) -> Vec<NodeId> {
        let mut new: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for id in self.reachable(roots) {
            let replaced = match self.node(id) {
                Node::Symbol(symbol) => with.get(&symbol).copied().unwrap_or(id),
                _ => self.rebuild(id, |old| new.get(&old).copied().unwrap_or(old)),
            };
            new.insert(id, replaced);
        }
        roots
            .iter()
            .map(|root| new.get(root).copied().unwrap_or(*root))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Printer;

    #[test]
    fn symbols_are_replaced_everywhere_and_only_they() {
        let mut pool = Pool::new();
        let (x, y) = (pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1)));
        let sum = pool.add(x, y);
        let root = pool.multiply(sum, x);
        let two = pool.number(2.0);
        let new = pool.substitute(&[root], &BTreeMap::from([(SymbolId(0), two)]));
        let name = |id: SymbolId| format!("s{}", id.0);
        assert_eq!(Printer::new(&pool, name).print(new[0]), "(2 + s1) * 2");
        assert_eq!(pool.substitute(&[y], &BTreeMap::from([(SymbolId(0), two)])), [y]);
    }
}
