//! Symbolic derivatives.
//!
//! Forward, in one pass over the nodes a root needs. `abs`, `min`, `max`, `sign`, `floor` and `if` are
//! differentiated piece by piece; at the seams the derivative of one of the pieces is given.

use crate::{BinaryFunction, Node, NodeId, Pool, Relation, SymbolId, UnaryFunction};
use std::collections::BTreeMap;

impl Pool {
    /// ∂root/∂symbol as a node of this pool. `root` must be a number.
    pub fn derive(&mut self, root: NodeId, symbol: SymbolId) -> NodeId {
        let zero = self.number(0.0);
        let mut derivative: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for id in self.reachable(&[root]) {
            let of = |operand: NodeId| derivative.get(&operand).copied().unwrap_or(zero);
            let node = match self.node(id) {
                Node::Symbol(s) if s == symbol => self.number(1.0),
                Node::Unary(function, a) => self.derive_unary(function, id, a, of(a)),
                Node::Binary(function, a, b) => {
                    let (da, db) = (of(a), of(b));
                    self.derive_binary(function, id, (a, da), (b, db))
                }
                Node::Integer(a, n) => {
                    let da = of(a);
                    let power = self.integer_power(a, n - 1);
                    let n = self.number(f64::from(n));
                    let slope = self.multiply(n, power);
                    self.multiply(slope, da)
                }
                Node::Select(c, a, b) => {
                    let (da, db) = (of(a), of(b));
                    self.select(c, da, db)
                }
                _ => zero,
            };
            if node != zero {
                derivative.insert(id, node);
            }
        }
        derivative.get(&root).copied().unwrap_or(zero)
    }

    fn derive_unary(&mut self, function: UnaryFunction, id: NodeId, a: NodeId, da: NodeId) -> NodeId {
        use UnaryFunction as F;
        let (zero, one, two) = (self.number(0.0), self.number(1.0), self.number(2.0));
        if da == zero {
            return zero;
        }
        let squared = |pool: &mut Pool, a| pool.integer_power(a, 2);
        let slope = match function {
            F::Negate => return self.negate(da),
            F::Sqrt => {
                let twice = self.multiply(two, id);
                return self.divide(da, twice);
            }
            F::Sin => self.unary(F::Cos, a),
            F::Cos => {
                let sine = self.unary(F::Sin, a);
                self.negate(sine)
            }
            F::Tan => {
                let square = squared(self, id);
                self.add(one, square)
            }
            F::Asin | F::Acos => {
                let square = squared(self, a);
                let rest = self.subtract(one, square);
                let root = self.sqrt(rest);
                let slope = self.divide(one, root);
                if function == F::Asin {
                    slope
                } else {
                    self.negate(slope)
                }
            }
            F::Atan => {
                let square = squared(self, a);
                let sum = self.add(one, square);
                return self.divide(da, sum);
            }
            F::Sinh => self.unary(F::Cosh, a),
            F::Cosh => self.unary(F::Sinh, a),
            F::Tanh => {
                let square = squared(self, id);
                self.subtract(one, square)
            }
            F::Exp => id,
            F::Ln => return self.divide(da, a),
            F::Abs => self.unary(F::Sign, a),
            F::Sign | F::Floor => return zero,
        };
        self.multiply(slope, da)
    }

    fn derive_binary(
        &mut self,
        function: BinaryFunction,
        id: NodeId,
        (a, da): (NodeId, NodeId),
        (b, db): (NodeId, NodeId),
    ) -> NodeId {
        use BinaryFunction as F;
        let zero = self.number(0.0);
        if da == zero && db == zero {
            return zero;
        }
        match function {
            F::Add => self.add(da, db),
            F::Subtract => self.subtract(da, db),
            F::Multiply => {
                let (left, right) = (self.multiply(da, b), self.multiply(a, db));
                self.add(left, right)
            }
            F::Divide => {
                // (a/b)' = (a' − (a/b) b') / b
                let rest = self.multiply(id, db);
                let numerator = self.subtract(da, rest);
                self.divide(numerator, b)
            }
            F::Power => {
                // (a^b)' = b a^(b−1) a' + a^b ln(a) b'
                let one = self.number(1.0);
                let less = self.subtract(b, one);
                let power = self.binary(F::Power, a, less);
                let slope = self.multiply(b, power);
                let by_base = self.multiply(slope, da);
                if db == zero {
                    return by_base;
                }
                let logarithm = self.unary(UnaryFunction::Ln, a);
                let by_exponent = self.multiply(id, logarithm);
                let by_exponent = self.multiply(by_exponent, db);
                self.add(by_base, by_exponent)
            }
            F::Min | F::Max => {
                let relation = if function == F::Min {
                    Relation::LessEqual
                } else {
                    Relation::GreaterEqual
                };
                let first = self.compare(relation, a, b);
                self.select(first, da, db)
            }
            F::Atan2 => {
                // atan2(a, b)' = (b a' − a b') / (a² + b²)
                let (left, right) = (self.multiply(b, da), self.multiply(a, db));
                let numerator = self.subtract(left, right);
                let (a2, b2) = (self.integer_power(a, 2), self.integer_power(b, 2));
                let sum = self.add(a2, b2);
                self.divide(numerator, sum)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{BinaryFunction, NodeId, Pool, Program, SymbolId, UnaryFunction};

    /// Oracle: central differences, h = 1e-5, good to about 1e-9 of smooth functions of size one.
    fn check(build: impl Fn(&mut Pool, NodeId) -> NodeId, at: &[f64]) {
        let mut pool = Pool::new();
        let x = pool.symbol(SymbolId(0));
        let root = build(&mut pool, x);
        let slope = pool.derive(root, SymbolId(0));
        let value = |x: f64| Program::new(&pool, &[root]).numbers(|_| x)[0];
        for x in at {
            let expected = (value(x + 1e-5) - value(x - 1e-5)) / 2e-5;
            let found = Program::new(&pool, &[slope]).numbers(|_| *x)[0];
            assert!(
                (found - expected).abs() < 1e-7 * (1.0 + expected.abs()),
                "{found} ≠ {expected} at {x}"
            );
        }
    }

    #[test]
    fn every_function_agrees_with_finite_differences() {
        for function in UnaryFunction::NAMED {
            check(|pool, x| pool.unary(*function, x), &[0.3, 0.7]);
        }
        for function in [
            BinaryFunction::Add,
            BinaryFunction::Subtract,
            BinaryFunction::Multiply,
            BinaryFunction::Divide,
            BinaryFunction::Power,
            BinaryFunction::Min,
            BinaryFunction::Max,
            BinaryFunction::Atan2,
        ] {
            check(
                |pool, x| {
                    let sine = pool.unary(UnaryFunction::Sin, x);
                    let cosh = pool.unary(UnaryFunction::Cosh, x);
                    pool.binary(function, sine, cosh)
                },
                &[0.3, 0.7, 2.0],
            );
        }
        check(|pool, x| pool.integer_power(x, -3), &[0.5, 2.0]);
    }

    #[test]
    fn what_does_not_depend_has_derivative_zero() {
        let mut pool = Pool::new();
        let (x, y) = (pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1)));
        let product = pool.multiply(x, x);
        let zero = pool.number(0.0);
        assert_eq!(pool.derive(product, SymbolId(1)), zero);
        let sum = pool.add(product, y);
        let one = pool.number(1.0);
        assert_eq!(pool.derive(sum, SymbolId(1)), one);
    }
}
