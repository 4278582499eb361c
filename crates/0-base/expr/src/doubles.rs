//! Programs on numbers alone, and on doubles, for runs.
//!
//! # Guarantee
//! The values are those of [`Program::evaluate`] on doubles, bit for bit. An undefined operation gives NaN, which the caller must look for. Truth values are 1, 0,
//! and NaN for unknown. Nothing is allocated after the first call.

use crate::scalar::{binary, compare, unary};
use crate::{NodeId, Op, Program, Reg, SymbolId};
use dyverse_num::{Scalar, Tri};

impl Program {
    /// Evaluates into a workspace that is used again and again. [`Program::result`] reads the roots.
    pub fn run(&self, symbol: impl FnMut(SymbolId) -> f64, values: &mut Vec<f64>) {
        self.run_where(symbol, |_, _, _| false, values);
    }

    /// The same, where numbers that are compared may count as equal although they are not: `are_equal` is asked with the node of the comparison and both of them.
    pub fn run_where(
        &self,
        mut symbol: impl FnMut(SymbolId) -> f64,
        mut are_equal: impl FnMut(NodeId, f64, f64) -> bool,
        values: &mut Vec<f64>,
    ) {
        values.clear();
        for (op, node) in self.ops.iter().zip(&self.nodes) {
            let of = |reg: Reg| values[reg as usize];
            let value = match *op {
                Op::Compare(relation, a, b) if are_equal(*node, of(a), of(b)) => {
                    as_number(compare(relation, &of(a), &of(a)))
                }
                op => on_numbers(op, values, |input| symbol(self.inputs[input as usize])),
            };
            values.push(value);
        }
    }

    /// The value of a root after [`Program::run`].
    pub fn result(&self, values: &[f64], root: usize) -> f64 {
        values[self.roots[root] as usize]
    }
}

/// An operation on numbers alone: truth values are 1, 0, and no number for unknown. (The body of the loops of runs: a call would cost a sixth of them.)
#[inline(always)]
pub(crate) fn on_numbers<S: Scalar>(op: Op, values: &[S], input: impl FnOnce(u32) -> S) -> S {
    let of = |reg: Reg| &values[reg as usize];
    match op {
        Op::Number(literal) => S::from_literal(literal.value(), literal.is_exact()),
        Op::Pi => S::pi(),
        Op::Boolean(value) => as_number(Tri::from(value)),
        Op::Symbol(place) => input(place),
        Op::Unary(function, a) => unary(function, of(a)),
        Op::Binary(function, a, b) => binary(function, of(a), of(b)),
        Op::Integer(a, n) => of(a).powi(n),
        Op::Compare(relation, a, b) => as_number(compare(relation, of(a), of(b))),
        Op::Not(a) => as_number(!truth(of(a))),
        Op::And(a, b) => as_number(truth(of(a)).and(truth(of(b)))),
        Op::Or(a, b) => as_number(truth(of(a)).or(truth(of(b)))),
        Op::Select(c, a, b) => match truth(of(c)) {
            Tri::True => of(a).clone(),
            Tri::False => of(b).clone(),
            Tri::Unknown => S::select(Tri::Unknown, of(a).clone(), of(b).clone()),
        },
    }
}

fn truth<S: Scalar>(value: &S) -> Tri {
    !value.eq_tri(&S::zero())
}

fn as_number<S: Scalar>(truth: Tri) -> S {
    S::from_f64(match truth {
        Tri::True => 1.0,
        Tri::False => 0.0,
        Tri::Unknown => f64::NAN,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;
    use crate::{Pool, Value};
    use dyverse_num::split_mix;

    /// Oracle: the interpreter on any scalar, on doubles.
    #[test]
    fn doubles_are_the_scalar_bit_for_bit() {
        let (mut seed, mut numbers) = (5, 0);
        for case in 0..4000_u32 {
            let mut pool = Pool::new();
            let roots: Vec<NodeId> = [false, true]
                .map(|is_truth| random(&mut pool, &mut seed, 1 + case % 5, is_truth))
                .into();
            let program = Program::new(&pool, &roots);
            // Small integers and halves, so that comparisons are equalities too.
            let at: Vec<f64> = (0..4)
                .map(|_| (split_mix(&mut seed) % 9) as f64 / 2.0 - 2.0)
                .collect();
            let mut values = Vec::new();
            program.run(|id| at[id.0 as usize], &mut values);
            for (root, expected) in program.evaluate(|id| at[id.0 as usize]).into_iter().enumerate() {
                let expected = match expected {
                    Value::Number(number) => number,
                    Value::Boolean(truth) => as_number(truth),
                };
                let found = program.result(&values, root);
                numbers += u32::from(!found.is_nan());
                let is_same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(is_same, "{found} {expected}");
            }
        }
        assert!(numbers > 5000, "{numbers}");
    }
}
