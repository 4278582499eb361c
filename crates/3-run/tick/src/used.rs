//! What of a flow is used at a moment: an operand of `and`, `or`, `if` that does not matter need not be a number.
//!
//! `x > 0.25 and sqrt(x) > 0.6` is false where x is negative, whatever the root of x would be. So a watched quantity must be a finite number where the decision it makes is used: from what is read in any case
//! (`Flow::roots`) backwards through the instructions, leaving out the operands that cannot change the result. Where both operands of a false `and` are false one is enough: the first, or the second if
//! the first is no number.

use crate::flow::Flow;
use crate::program::{Instruction, Register};

/// Whether each register is used; `is_first`: of two operands each of which would be enough, the first is.
fn used(flow: &Flow, registers: &[f64], is_first: bool) -> Vec<bool> {
    let mut used = vec![false; registers.len()];
    for root in &flow.roots {
        used[*root as usize] = true;
    }
    for (target, instruction) in flow.program.code.iter().rev() {
        if !used[*target as usize] {
            continue;
        }
        let mut read = |r: Register| used[r as usize] = true;
        let is_true = |r: Register| registers[r as usize] != 0.0;
        match *instruction {
            Instruction::And(a, b) | Instruction::Or(a, b) => {
                let decides = matches!(instruction, Instruction::Or(..));
                match (is_true(a) == decides, is_true(b) == decides) {
                    (true, true) => read(if is_first { a } else { b }),
                    (true, false) => read(a),
                    (false, true) => read(b),
                    (false, false) => {
                        read(a);
                        read(b);
                    }
                }
            }
            Instruction::Select(c, a, b) => {
                read(c);
                read(if is_true(c) { a } else { b });
            }
            Instruction::Binary(_, a, b)
            | Instruction::Compare(_, a, b)
            | Instruction::Choose(_, a, b, _) => {
                read(a);
                read(b);
            }
            Instruction::Unary(_, a)
            | Instruction::Integer(a, _)
            | Instruction::Not(a)
            | Instruction::Switch(_, a)
            | Instruction::Abs(_, a)
            | Instruction::Live(_, a) => read(a),
            Instruction::Table(_) => {}
        }
    }
    used
}

/// Watched quantities that are used and no finite number, by their places.
pub(crate) fn not_finite(flow: &Flow, registers: &[f64]) -> Vec<usize> {
    let is_bad = |place: &usize| !registers[flow.watches[*place].register as usize].is_finite();
    let bad: Vec<usize> = (0..flow.watches.len()).filter(is_bad).collect();
    if bad.is_empty() {
        return bad;
    }
    let mut fewest = bad.clone();
    for is_first in [true, false] {
        let used = used(flow, registers, is_first);
        let is_used = |place: &&usize| flow.watches[**place].target.is_none_or(|r| used[r as usize]);
        fewest = bad.iter().filter(is_used).copied().collect();
        if fewest.is_empty() {
            break;
        }
    }
    fewest
}

/// Whether a watched quantity is not used where frozen decisions are as in these registers, or need not be because another operand is enough.
pub(crate) fn is_idle(flow: &Flow, registers: &[f64], place: usize) -> bool {
    let Some(target) = flow.watches.get(place).and_then(|watch| watch.target) else {
        return false;
    };
    [true, false]
        .iter()
        .any(|is_first| !used(flow, registers, *is_first)[target as usize])
}
