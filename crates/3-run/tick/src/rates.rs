//! How fast the registers of a flow change, and what of them is rounding: by the chain rule on the instructions themselves (`dyverse_num::Dual`), so without differences.
//!
//! | of f(a, b) | |
//! |---|---|
//! | rate | f_a a′ + f_b b′ |
//! | rounding | \|f_a\| ρ(a) + \|f_b\| ρ(b) + ε \|f\| |

use crate::program::{Instruction, Program, Register};
use dyverse_expr::{binary, unary};
use dyverse_num::{Dual, Scalar};
use std::ops::Range;

impl Program {
    /// Writes d/dt of what the instructions of a part compute; `values` are the registers after it was run, `rates` hold those of time, states and constants before. NaN where that is not known
    /// (tables).
    pub(crate) fn rates(&self, part: Range<usize>, values: &[f64], rates: &mut [f64]) {
        let all = |rates: &[f64], r: Register| Dual::new(values[r as usize], rates[r as usize]);
        for (target, instruction) in &self.code[part] {
            let of = |r: Register| all(rates, r);
            let rate = |r: Register| rates[r as usize];
            rates[*target as usize] = match *instruction {
                Instruction::Unary(function, a) => unary(function, &of(a)).derivative,
                Instruction::Binary(function, a, b) => binary(function, &of(a), &of(b)).derivative,
                Instruction::Integer(a, n) => Scalar::powi(&of(a), n).derivative,
                Instruction::Select(c, a, b) => rate(if values[c as usize] != 0.0 { a } else { b }),
                Instruction::Abs(_, a) if values[a as usize] == values[*target as usize] => rate(a),
                Instruction::Abs(_, a) => -rate(a),
                Instruction::Choose(_, a, b, _) => rate(if values[a as usize] == values[*target as usize] {
                    a
                } else {
                    b
                }),
                Instruction::Table(_) => f64::NAN,
                Instruction::Live(_, own) if values[own as usize] == values[*target as usize] => rate(own),
                _ => 0.0,
            };
        }
    }

    /// Writes what of the registers that a part computes is rounding; `values` are the registers after it was run, `noise` holds that of time, states and constants before. Infinite where that is not known.
    pub(crate) fn noise(&self, part: Range<usize>, values: &[f64], noise: &mut [f64]) {
        for (target, instruction) in &self.code[part] {
            let of = |r: Register, rate: f64| Dual::new(values[r as usize], rate);
            let own = |r: Register| noise[r as usize];
            // What does not matter is not rounded, however steep it is.
            let through = |slope: f64, noise: f64| if noise == 0.0 { 0.0 } else { slope.abs() * noise };
            let passed = match *instruction {
                Instruction::Unary(function, a) => through(unary(function, &of(a, 1.0)).derivative, own(a)),
                Instruction::Binary(function, a, b) => {
                    let by = |x: f64, y: f64| binary(function, &of(a, x), &of(b, y)).derivative;
                    through(by(1.0, 0.0), own(a)) + through(by(0.0, 1.0), own(b))
                }
                Instruction::Integer(a, n) => through(Scalar::powi(&of(a, 1.0), n).derivative, own(a)),
                Instruction::Select(_, a, b) | Instruction::Choose(_, a, b, _) => own(a).max(own(b)),
                Instruction::Abs(_, a) | Instruction::Live(_, a) => own(a),
                _ => 0.0,
            };
            let all = passed + f64::EPSILON * values[*target as usize].abs();
            noise[*target as usize] = if all.is_nan() { f64::INFINITY } else { all };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Switches, TIME, run};
    use dyverse_expr::{BinaryFunction, UnaryFunction};

    /// Oracle: t sin(t)³ and its derivative by hand.
    #[test]
    fn the_chain_rule_goes_through_a_program() {
        let program = Program {
            code: vec![
                (1, Instruction::Unary(UnaryFunction::Sin, TIME)),
                (2, Instruction::Integer(1, 3)),
                (3, Instruction::Binary(BinaryFunction::Multiply, TIME, 2)),
            ],
            registers: vec![0.0; 4],
            switches: Vec::new(),
        };
        for t in [0.3_f64, 1.1, 4.0] {
            let mut values = vec![t, 0.0, 0.0, 0.0];
            run(
                &program.code,
                &mut values,
                &mut Switches::Frozen(&[]),
                &|_, _| f64::NAN,
                &[],
            );
            let mut rates = vec![1.0, 0.0, 0.0, 0.0];
            program.rates(0..3, &values, &mut rates);
            let expected = t.sin().powi(3) + 3.0 * t * t.sin().powi(2) * t.cos();
            assert!((rates[3] - expected).abs() < 1e-14, "{t}");
        }
    }
}
