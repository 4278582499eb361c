//! Vector algebra on nodes: a vector is three of them.

use super::expression::Lowering;
use dyverse_expr::{NodeId, UnaryFunction};

impl Lowering<'_, '_> {
    pub(crate) fn dot(&mut self, a: [NodeId; 3], b: [NodeId; 3]) -> NodeId {
        let pool = &mut self.context.pool;
        let [x, y, z] = [0, 1, 2].map(|i| pool.multiply(a[i], b[i]));
        let sum = pool.add(x, y);
        pool.add(sum, z)
    }

    pub(crate) fn norm(&mut self, v: [NodeId; 3]) -> NodeId {
        let pool = &mut self.context.pool;
        let [x, y, z] = v.map(|a| pool.integer_power(a, 2));
        let sum = pool.add(x, y);
        let sum = pool.add(sum, z);
        pool.unary(UnaryFunction::Sqrt, sum)
    }

    pub(crate) fn cross(&mut self, a: [NodeId; 3], b: [NodeId; 3]) -> [NodeId; 3] {
        let pool = &mut self.context.pool;
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (left, right) = (pool.multiply(a[i], b[j]), pool.multiply(a[j], b[i]));
            pool.subtract(left, right)
        })
    }

    pub(crate) fn difference(&mut self, a: [NodeId; 3], b: [NodeId; 3]) -> [NodeId; 3] {
        let pool = &mut self.context.pool;
        [0, 1, 2].map(|i| pool.subtract(a[i], b[i]))
    }

    pub(crate) fn total(&mut self, a: [NodeId; 3], b: [NodeId; 3]) -> [NodeId; 3] {
        let pool = &mut self.context.pool;
        [0, 1, 2].map(|i| pool.add(a[i], b[i]))
    }

    pub(crate) fn scaled(&mut self, factor: NodeId, v: [NodeId; 3]) -> [NodeId; 3] {
        let pool = &mut self.context.pool;
        v.map(|a| pool.multiply(factor, a))
    }
}
