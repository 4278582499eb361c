//! The continuous part of a model between two events, as a straight line of instructions on numbered registers.
//!
//! Decisions in it (`if`, `abs`, `min`, comparisons) are frozen during a step and their surfaces watched, as [`Decision`] says.

use dyverse_expr::{BinaryFunction, Decision, Relation, UnaryFunction, binary, unary};
use dyverse_num::Scalar;

/// A register.
pub(crate) type Register = u32;

/// One instruction; writes one register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction {
    Unary(UnaryFunction, Register),
    Binary(BinaryFunction, Register, Register),
    Integer(Register, i32),
    Not(Register),
    And(Register, Register),
    Or(Register, Register),
    Select(Register, Register, Register),
    /// A comparison evaluated as it stands.
    Compare(Relation, Register, Register),
    /// A frozen decision by its number; d is in the register.
    Switch(u32, Register),
    /// ±a by a frozen side.
    Abs(u32, Register),
    /// a or b by a frozen side: a if d ≥ 0 is `is_max`.
    Choose(u32, Register, Register, bool),
    /// A table of an input, by its number.
    Table(u32),
    /// An input that is set from outside, by its number; what it is where nobody sets it is in the register.
    Live(u32, Register),
}

/// A straight line of instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) code: Vec<(Register, Instruction)>,
    /// Registers before the first instruction: constants, and places to load.
    pub(crate) registers: Vec<f64>,
    pub(crate) switches: Vec<Decision>,
}

impl Program {
    /// For each register the size of the largest number that its value was added up from: its rounding is some 1e-16 of that, however small it is itself.
    pub(crate) fn sizes(&self, registers: &[f64]) -> Vec<f64> {
        let mut sizes: Vec<f64> = registers.iter().map(|value| value.abs()).collect();
        for (target, instruction) in &self.code {
            let of = |r: Register| sizes[r as usize];
            let size = match *instruction {
                Instruction::Binary(BinaryFunction::Add | BinaryFunction::Subtract, a, b)
                | Instruction::Choose(_, a, b, _)
                | Instruction::Select(_, a, b) => of(a).max(of(b)),
                Instruction::Unary(UnaryFunction::Negate, a) | Instruction::Abs(_, a) => of(a),
                _ => continue,
            };
            sizes[*target as usize] = size;
        }
        sizes
    }
}

/// Evaluates the instructions of a part of the program. Switches have the frozen values, or decide anew. `live` are inputs that are set from outside, NaN where one is not.
pub(crate) fn run(
    code: &[(Register, Instruction)],
    registers: &mut [f64],
    switches: &mut Switches<'_>,
    table: &dyn Fn(u32, f64) -> f64,
    live: &[f64],
) {
    let truth = |holds: bool| f64::from(u8::from(holds));
    for (target, instruction) in code {
        let of = |r: Register| registers[r as usize];
        let value = match *instruction {
            Instruction::Unary(function, a) => unary(function, &of(a)),
            Instruction::Binary(function, a, b) => binary(function, &of(a), &of(b)),
            Instruction::Integer(a, n) => Scalar::powi(&of(a), n),
            Instruction::Not(a) => 1.0 - of(a),
            Instruction::And(a, b) => truth(of(a) != 0.0 && of(b) != 0.0),
            Instruction::Or(a, b) => truth(of(a) != 0.0 || of(b) != 0.0),
            Instruction::Select(c, a, b) => {
                if of(c) != 0.0 {
                    of(a)
                } else {
                    of(b)
                }
            }
            Instruction::Compare(relation, a, b) => Decision::Compare(relation).of(of(a) - of(b)),
            Instruction::Switch(k, d) => switches.value(k, of(d)),
            Instruction::Abs(k, a) => {
                if switches.value(k, of(a)) != 0.0 {
                    of(a)
                } else {
                    -of(a)
                }
            }
            Instruction::Choose(k, a, b, is_max) => {
                if of(a).is_nan() || of(b).is_nan() {
                    f64::NAN
                } else if (switches.value(k, of(a) - of(b)) != 0.0) == is_max {
                    of(a)
                } else {
                    of(b)
                }
            }
            Instruction::Table(input) => table(input, of(TIME)),
            Instruction::Live(input, own) => match live.get(input as usize) {
                Some(value) if !value.is_nan() => *value,
                _ => of(own),
            },
        };
        registers[*target as usize] = value;
    }
}

/// The register of time.
pub(crate) const TIME: Register = 0;

/// Frozen decisions, or new ones being taken.
pub(crate) enum Switches<'a> {
    /// As they were decided.
    Frozen(&'a [f64]),
    /// Decided now, and kept; equalities that met (`met.rs`) are decided at 0 where their difference is within these bounds.
    Deciding(&'a [Decision], &'a mut [f64], &'a [(u32, [f64; 2])]),
}

impl Switches<'_> {
    fn value(&mut self, k: u32, d: f64) -> f64 {
        match self {
            Switches::Frozen(values) => values[k as usize],
            Switches::Deciding(decisions, values, met) => {
                let is_met =
                    |(switch, [low, high]): &(u32, [f64; 2])| *switch == k && *low <= d && d <= *high;
                let d = if met.iter().any(is_met) { 0.0 } else { d };
                let value = decisions[k as usize].of(d);
                values[k as usize] = value;
                value
            }
        }
    }
}
