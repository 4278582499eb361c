//! Powers as products and roots, for interpreters that have no power.
//!
//! | power | becomes |
//! |---|---|
//! | xⁿ | products by squaring; 1 over them for n < 0 |
//! | xʸ, y a literal multiple of ½ | the same of √x |
//! | other xʸ | exp(y ln x), for x above zero |
//!
//! A square is the product of a register with itself.

use crate::{BinaryFunction, Literal, NodeId, Op, Program, Reg, UnaryFunction};

/// Literal exponents up to this size become products.
const MOST_FACTORS: f64 = 64.0;

impl Program {
    /// The same without powers.
    #[must_use]
    pub fn expanded(self) -> Self {
        let mut expanded = Program {
            inputs: self.inputs,
            ..Program::default()
        };
        let mut places: Vec<Reg> = Vec::with_capacity(self.ops.len());
        for (op, node) in self.ops.iter().zip(&self.nodes) {
            let to = |reg: Reg| places[reg as usize];
            let place = match *op {
                Op::Integer(a, n) => expanded.product(to(a), n, *node),
                Op::Binary(BinaryFunction::Power, a, b) => {
                    let exponent = match self.ops[b as usize] {
                        Op::Number(literal) if literal.is_exact() => Some(literal.value()),
                        _ => None,
                    };
                    expanded.power(to(a), exponent, to(b), *node)
                }
                op => expanded.push(op.map(to, |input| input), *node),
            };
            places.push(place);
        }
        expanded.roots = self.roots.iter().map(|root| places[*root as usize]).collect();
        expanded
    }

    pub(crate) fn push(&mut self, op: Op, node: NodeId) -> Reg {
        self.ops.push(op);
        self.nodes.push(node);
        self.ops.len() as Reg - 1
    }

    fn multiply(&mut self, a: Reg, b: Reg, node: NodeId) -> Reg {
        self.push(Op::Binary(BinaryFunction::Multiply, a, b), node)
    }

    fn one(&mut self, node: NodeId) -> Reg {
        self.push(Op::Number(Literal::exact(1.0)), node)
    }

    /// xⁿ.
    fn product(&mut self, x: Reg, n: i32, node: NodeId) -> Reg {
        let mut rest = n.unsigned_abs();
        if rest == 0 {
            return self.one(node);
        }
        let (mut square, mut product) = (x, None);
        loop {
            if rest & 1 == 1 {
                product = Some(match product {
                    None => square,
                    Some(p) => self.multiply(p, square, node),
                });
            }
            rest >>= 1;
            if rest == 0 {
                break;
            }
            square = self.multiply(square, square, node);
        }
        let product = product.unwrap_or(x);
        if n > 0 {
            return product;
        }
        let one = self.one(node);
        self.push(Op::Binary(BinaryFunction::Divide, one, product), node)
    }

    /// xʸ.
    fn power(&mut self, x: Reg, exponent: Option<f64>, y: Reg, node: NodeId) -> Reg {
        let is_few = |n: f64| n.fract() == 0.0 && n.abs() <= MOST_FACTORS;
        match exponent {
            Some(n) if is_few(n) => return self.product(x, n as i32, node),
            Some(half) if is_few(2.0 * half) => {
                let root = self.push(Op::Unary(UnaryFunction::Sqrt, x), node);
                return self.product(root, (2.0 * half) as i32, node);
            }
            _ => {}
        }
        let ln = self.push(Op::Unary(UnaryFunction::Ln, x), node);
        let product = self.multiply(ln, y, node);
        self.push(Op::Unary(UnaryFunction::Exp, product), node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;
    use crate::{Pool, SymbolId};
    use dyverse_num::{Interval, split_mix};

    /// Oracle: the program with its powers. Both enclose the value, where there is one.
    #[test]
    fn without_powers_the_values_stay() {
        let (mut seed, mut powers, mut compared) = (11, 0, 0);
        let is_power = |op: &&Op| matches!(op, Op::Integer(..) | Op::Binary(BinaryFunction::Power, ..));
        for case in 0..4000_u32 {
            let mut pool = Pool::new();
            let root = random(&mut pool, &mut seed, 1 + case % 4, false);
            let program = Program::new(&pool, &[root]);
            let expanded = program.clone().expanded();
            powers += program.ops().iter().filter(is_power).count();
            assert_eq!(expanded.ops().iter().filter(is_power).count(), 0);
            assert_eq!(program.inputs(), expanded.inputs());
            let at: Vec<f64> = (0..4)
                .map(|_| (split_mix(&mut seed) % 8) as f64 / 4.0 + 0.25)
                .collect();
            let symbol = |id: SymbolId| Interval::point(at[id.0 as usize]);
            let (is, becomes) = (program.numbers(symbol)[0], expanded.numbers(symbol)[0]);
            if is.is_bounded() && !is.is_empty() && !becomes.is_empty() {
                compared += 1;
                assert!(!is.is_disjoint(&becomes), "{is:?} {becomes:?}");
            }
        }
        assert!(powers > 1000 && compared > 2000, "{powers} {compared}");
    }
}
