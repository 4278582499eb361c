//! All expressions of a model in one vector.
//!
//! # Guarantee
//! Equal nodes are one node. Simplifications are exact over the reals: `x + 0`, `x · 1`, `x · 0`, `−−x` and
//! the like; numbers are never folded, because folding rounds.

use crate::{BinaryFunction, Literal, Node, NodeId, Relation, Sort, SymbolId, UnaryFunction};
use std::collections::{BTreeMap, BTreeSet};

/// Expressions that share their parts.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    nodes: Vec<Node>,
    index: BTreeMap<Node, NodeId>,
}

impl Pool {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// How many different nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// A node of this pool.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }
    /// The newest node.
    pub fn last(&self) -> Option<NodeId> {
        self.nodes.len().checked_sub(1).map(|index| NodeId(index as u32))
    }
    /// What a node's value is.
    pub fn sort(&self, id: NodeId) -> Sort {
        self.node(id).sort()
    }

    /// The same expressions with other doubles for the decimals that no double is: the next above or below, as `is_up` says of the place of each.
    #[must_use]
    pub fn nudged(&self, is_up: impl Fn(usize) -> bool) -> Self {
        let nudge = |(place, node): (usize, &Node)| match *node {
            Node::Number(literal) if !literal.is_exact() => {
                let value = literal.value();
                Node::Number(Literal::nearest(if is_up(place) {
                    value.next_up()
                } else {
                    value.next_down()
                }))
            }
            node => node,
        };
        let nodes: Vec<Node> = self.nodes.iter().enumerate().map(nudge).collect();
        let numbered = nodes.iter().enumerate().rev();
        let index = numbered
            .map(|(place, node)| (*node, NodeId(place as u32)))
            .collect();
        Pool { nodes, index }
    }

    /// All nodes from the one with this number on, children before parents.
    pub fn nodes_from(&self, first: usize) -> impl Iterator<Item = (NodeId, Node)> + '_ {
        let numbered = self.nodes.iter().enumerate().skip(first);
        numbered.map(|(index, node)| (NodeId(index as u32), *node))
    }

    fn intern(&mut self, node: Node) -> NodeId {
        debug_assert!(
            node.operands().all(|id| id.index() < self.nodes.len()),
            "bug: operand of another pool"
        );
        *self.index.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            NodeId(self.nodes.len() as u32 - 1)
        })
    }

    /// A number as written.
    pub fn literal(&mut self, literal: Literal) -> NodeId {
        self.intern(Node::Number(literal))
    }
    /// Exactly this double.
    pub fn number(&mut self, value: f64) -> NodeId {
        self.literal(Literal::exact(value))
    }
    /// π.
    pub fn pi(&mut self) -> NodeId {
        self.intern(Node::Pi)
    }
    /// A truth value.
    pub fn boolean(&mut self, value: bool) -> NodeId {
        self.intern(Node::Boolean(value))
    }
    /// A symbol.
    pub fn symbol(&mut self, symbol: SymbolId) -> NodeId {
        self.intern(Node::Symbol(symbol))
    }

    fn exactly(&self, id: NodeId) -> Option<f64> {
        match self.node(id) {
            Node::Number(literal) if literal.is_exact() => Some(literal.value()),
            _ => None,
        }
    }

    /// A function of one number.
    pub fn unary(&mut self, function: UnaryFunction, a: NodeId) -> NodeId {
        if function == UnaryFunction::Negate {
            match self.node(a) {
                Node::Unary(UnaryFunction::Negate, inner) => return inner,
                Node::Number(literal) if literal.is_exact() => return self.number(0.0 - literal.value()),
                _ => {}
            }
        }
        self.intern(Node::Unary(function, a))
    }
    /// −a.
    pub fn negate(&mut self, a: NodeId) -> NodeId {
        self.unary(UnaryFunction::Negate, a)
    }

    /// A function of two numbers.
    pub fn binary(&mut self, function: BinaryFunction, a: NodeId, b: NodeId) -> NodeId {
        use BinaryFunction as F;
        match (function, self.exactly(a), self.exactly(b)) {
            (F::Add, Some(0.0), _) | (F::Multiply, Some(1.0), _) => b,
            (F::Add | F::Subtract, _, Some(0.0)) | (F::Multiply | F::Divide, _, Some(1.0)) => a,
            (F::Subtract, Some(0.0), _) => self.negate(b),
            (F::Multiply, Some(0.0), _) | (F::Multiply, _, Some(0.0)) => self.number(0.0),
            (F::Power, _, Some(n)) if n.fract() == 0.0 && n.abs() <= 1024.0 => {
                self.integer_power(a, n as i32)
            }
            _ => self.intern(Node::Binary(function, a, b)),
        }
    }
    /// a + b.
    pub fn add(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.binary(BinaryFunction::Add, a, b)
    }
    /// a − b.
    pub fn subtract(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.binary(BinaryFunction::Subtract, a, b)
    }
    /// a · b.
    pub fn multiply(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.binary(BinaryFunction::Multiply, a, b)
    }
    /// a / b.
    pub fn divide(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.binary(BinaryFunction::Divide, a, b)
    }
    /// aⁿ.
    pub fn integer_power(&mut self, a: NodeId, n: i32) -> NodeId {
        match (n, self.exactly(a)) {
            (0, _) => self.number(1.0),
            (1, _) => a,
            (_, Some(1.0)) => a,
            (_, Some(-1.0)) if n % 2 == 0 => self.number(1.0),
            (2.., Some(0.0)) => a,
            _ => self.intern(Node::Integer(a, n)),
        }
    }
    /// √a.
    pub fn sqrt(&mut self, a: NodeId) -> NodeId {
        self.unary(UnaryFunction::Sqrt, a)
    }

    /// A comparison.
    pub fn compare(&mut self, relation: Relation, a: NodeId, b: NodeId) -> NodeId {
        self.intern(Node::Compare(relation, a, b))
    }
    /// Not a.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        if let Node::Not(inner) = self.node(a) {
            inner
        } else {
            self.intern(Node::Not(a))
        }
    }
    /// a and b.
    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.intern(Node::And(a, b))
    }
    /// a or b.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.intern(Node::Or(a, b))
    }
    /// `if condition then a else b`, of numbers.
    pub fn select(&mut self, condition: NodeId, a: NodeId, b: NodeId) -> NodeId {
        if a == b {
            a
        } else {
            self.intern(Node::Select(condition, a, b))
        }
    }

    /// The nodes that the roots need, children before parents.
    ///
    /// Takes time in the order of their number, however big the rest of the pool is.
    pub fn reachable(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.few_reachable(roots)
            .unwrap_or_else(|| self.many_reachable(roots))
    }

    /// By search; `None` if so much is reachable that a pass over the pool is cheaper.
    fn few_reachable(&self, roots: &[NodeId]) -> Option<Vec<NodeId>> {
        const SEARCH_COST: usize = 8;
        let most = self.nodes.len() / SEARCH_COST;
        let (mut found, mut open) = (BTreeSet::new(), roots.to_vec());
        while let Some(id) = open.pop() {
            if found.insert(id) {
                open.extend(self.node(id).operands());
            }
            if found.len() > most {
                return None;
            }
        }
        Some(found.into_iter().collect())
    }

    fn many_reachable(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let top = roots.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        let mut needed = vec![false; top];
        for root in roots {
            needed[root.index()] = true;
        }
        for index in (0..top).rev() {
            if needed[index] {
                for operand in self.nodes[index].operands() {
                    needed[operand.index()] = true;
                }
            }
        }
        (0..top)
            .filter(|index| needed[*index])
            .map(|index| NodeId(index as u32))
            .collect()
    }

    /// The nodes that the roots need, children before parents, in the order in which the formulas read from left to right: the same for equal formulas, whatever the
    /// pool has held before. (Numbers of nodes, which order [`reachable`](Self::reachable), tell who asked first.)
    pub fn in_reading_order(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open: Vec<(NodeId, bool)> = roots.iter().rev().map(|id| (*id, false)).collect();
        while let Some((id, are_operands_done)) = open.pop() {
            if are_operands_done {
                found.push(id);
            } else if seen.insert(id) {
                open.push((id, true));
                let operands: Vec<NodeId> = self.node(id).operands().collect();
                open.extend(operands.into_iter().rev().map(|operand| (operand, false)));
            }
        }
        found
    }

    /// The symbols that the roots read, each once, in ascending order.
    pub fn symbols(&self, roots: &[NodeId]) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> = self
            .reachable(roots)
            .into_iter()
            .filter_map(|id| match self.node(id) {
                Node::Symbol(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_are_one_node() {
        let mut pool = Pool::new();
        let x = pool.symbol(SymbolId(0));
        let two = pool.number(2.0);
        let a = pool.multiply(two, x);
        let b = pool.multiply(two, x);
        assert_eq!(a, b);
        assert_eq!(pool.len(), 3);
    }

    /// Two formulas made in either order are read in one order; what is needed comes first.
    #[test]
    fn the_reading_order_does_not_tell_who_asked_first() {
        let read = |second_first: bool| {
            let mut pool = Pool::new();
            let [x, y] = [1, 0].map(|i| pool.symbol(SymbolId(i)));
            let makes: [fn(&mut Pool, NodeId) -> NodeId; 2] = [
                |pool, a| pool.unary(UnaryFunction::Abs, a),
                |pool, a| pool.sqrt(a),
            ];
            let (a, b) = if second_first {
                let b = makes[1](&mut pool, y);
                (makes[0](&mut pool, x), b)
            } else {
                (makes[0](&mut pool, x), makes[1](&mut pool, y))
            };
            let sum = pool.add(a, b);
            let order = pool.in_reading_order(&[sum, a]);
            for (place, id) in order.iter().enumerate() {
                assert!(pool.node(*id).operands().all(|o| order[..place].contains(&o)));
            }
            let printer = crate::Printer::new(&pool, |symbol| format!("s{}", symbol.0));
            order.iter().map(|id| printer.print(*id)).collect::<Vec<_>>()
        };
        assert_eq!(read(false), read(true));
        assert_eq!(read(false).len(), 5);
    }

    #[test]
    fn simplifications_keep_inexact_literals() {
        let mut pool = Pool::new();
        let x = pool.symbol(SymbolId(0));
        let nearly_one = pool.literal(Literal::nearest(1.0));
        let product = pool.multiply(nearly_one, x);
        assert_ne!(product, x, "the literal is not one");
        let zero = pool.number(0.0);
        assert_eq!(pool.add(x, zero), x);
        assert_eq!(pool.multiply(x, zero), zero);
        let minus = pool.negate(x);
        assert_eq!(pool.negate(minus), x);
    }

    #[test]
    fn a_doubling_chain_stays_linear() {
        let mut pool = Pool::new();
        let mut x = pool.symbol(SymbolId(0));
        for _ in 0..10_000 {
            x = pool.add(x, x);
        }
        assert_eq!(pool.len(), 10_001);
        assert_eq!(pool.symbols(&[x]), vec![SymbolId(0)]);
    }
}
