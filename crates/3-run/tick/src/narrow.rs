//! Crossings that are far narrower than a step: interval arithmetic says where there is none, what is left is looked at in ever smaller pieces.
//!
//! # Method
//! Five points and their interpolant (`locate.rs`) do not see a pulse of e^{−((t−5)/0.01)²} between them. A watched quantity with functions in it that may have such features (exponentials, sines, quotients,
//! high powers) is therefore evaluated on intervals: time, states from their middles and how fast they are at the most, then the instructions. The step is halved again and again; pieces on which the quantity stays
//! on its side are left out, the others are looked at at their ends and middles.
//!
//! # Guarantee
//! To tolerance, and as good as the ranges: if [`MOST`] of them are enough, what lasts longer than 2⁻²⁴ of the step is not missed.

use crate::flow::{Flow, state_register};
use crate::locate::Side;
use crate::program::{Instruction, Register, TIME};
use crate::work::Work;
use dyverse_expr::{BinaryFunction, UnaryFunction, binary, unary};
use dyverse_flow::DenseStep;
use dyverse_num::{Interval, Scalar};

/// Halvings at the most.
const LEVELS: u32 = 24;
/// Ranges at the most.
const MOST: usize = 300;
/// Powers that are as smooth as what they are of.
const LOW: i32 = 4;

/// Whether what a register is made of may have narrow features, and nothing of which the range is not known.
pub(crate) fn may_be_narrow(flow: &Flow, register: Register) -> bool {
    let mut needed = vec![false; flow.program.registers.len()];
    needed[register as usize] = true;
    let mut is_narrow = false;
    for (target, instruction) in flow.program.code[..flow.watching].iter().rev() {
        if !needed[*target as usize] {
            continue;
        }
        let mut read = |r: Register| needed[r as usize] = true;
        match *instruction {
            Instruction::Table(_) => return false,
            Instruction::Switch(..) | Instruction::Compare(..) => {}
            Instruction::Unary(function, a) => {
                is_narrow |= !matches!(function, UnaryFunction::Negate | UnaryFunction::Abs);
                read(a);
            }
            Instruction::Binary(function, a, b) => {
                is_narrow |= matches!(
                    function,
                    BinaryFunction::Divide | BinaryFunction::Power | BinaryFunction::Atan2
                );
                read(a);
                read(b);
            }
            Instruction::Integer(a, n) => {
                is_narrow |= !(0..=LOW).contains(&n);
                read(a);
            }
            Instruction::Select(c, a, b) => [c, a, b].into_iter().for_each(read),
            Instruction::And(a, b) | Instruction::Or(a, b) | Instruction::Choose(_, a, b, _) => {
                read(a);
                read(b);
            }
            Instruction::Not(a) | Instruction::Abs(_, a) | Instruction::Live(_, a) => read(a),
        }
    }
    let is_own = |r: &Register| needed[*r as usize];
    let outputs = flow.components.iter().flat_map(|c| &c.outputs);
    is_narrow && !outputs.map(|(r, _)| r).any(is_own)
}

/// Ranges of a watched quantity along a step.
pub(crate) struct Ranges<'a> {
    flow: &'a Flow,
    step: &'a DenseStep,
    /// How fast each state is at the most.
    speeds: Vec<f64>,
    x: Vec<f64>,
    values: Vec<Interval>,
}

impl<'a> Ranges<'a> {
    pub(crate) fn new(flow: &'a Flow, step: &'a DenseStep) -> Self {
        let speed = |i: usize| step.slope_coefficients(i).iter().map(|b| b.abs()).sum::<f64>() / step.span();
        Ranges {
            flow,
            step,
            speeds: (0..step.dimension()).map(speed).collect(),
            x: vec![0.0; step.dimension()],
            values: Vec::new(),
        }
    }

    /// The values of sign · (quantity − level) between two times, or more; frozen decisions are those of `work`.
    fn of(&mut self, work: &Work, side: &Side, register: Register, (from, to): (f64, f64)) -> Interval {
        let flow = self.flow;
        let middle = from + 0.5 * (to - from);
        self.step.evaluate(middle, &mut self.x);
        self.values.clear();
        self.values
            .extend(work.registers.iter().map(|v| Interval::point(*v)));
        self.values[TIME as usize] = Interval::new(from, to).unwrap_or(Interval::ENTIRE);
        let half = Interval::point(0.5 * (to - from));
        for (i, (x, speed)) in self
            .x
            .iter()
            .zip(&self.speeds)
            .enumerate()
            .take(flow.integrators.len())
        {
            let way = Interval::point(*speed) * half;
            let beside = Interval::new(-way.hi(), way.hi()).unwrap_or(Interval::ENTIRE);
            self.values[state_register(i) as usize] = Interval::point(*x) + beside;
        }
        for (target, instruction) in &flow.program.code[..flow.watching] {
            let of = |r: Register| &self.values[r as usize];
            let frozen = |k: u32| work.frozen[k as usize];
            let value = match *instruction {
                Instruction::Unary(function, a) => unary(function, of(a)),
                Instruction::Binary(function, a, b) => binary(function, of(a), of(b)),
                Instruction::Integer(a, n) => Scalar::powi(of(a), n),
                Instruction::Switch(k, _) => Interval::point(frozen(k)),
                Instruction::Abs(k, a) if frozen(k) != 0.0 => *of(a),
                Instruction::Abs(_, a) => -*of(a),
                Instruction::Choose(k, a, b, is_max) => *of(if (frozen(k) != 0.0) == is_max { a } else { b }),
                Instruction::Select(_, a, b) => of(a).hull(of(b)),
                Instruction::Live(input, own) => match work.live.get(input as usize) {
                    Some(value) if !value.is_nan() => Interval::point(*value),
                    _ => *of(own),
                },
                Instruction::Table(_) => Interval::ENTIRE,
                _ => Interval::new(0.0, 1.0).unwrap_or(Interval::ENTIRE),
            };
            self.values[*target as usize] = value;
        }
        let d = self.values[register as usize];
        Interval::point(side.sign) * (d - Interval::point(side.level))
    }

    /// A place in (a, b) at which a quantity that is on its side at `a` is not, with a place before it at which it is; the first that is found.
    pub(crate) fn first_off(
        &mut self,
        work: &mut Work,
        side: &Side,
        register: Register,
        (a, b): (f64, f64),
        g: &mut dyn FnMut(&mut Work, f64) -> f64,
    ) -> Option<(f64, f64)> {
        let mut pieces = vec![(a, b)];
        let mut best: Option<(f64, f64)> = None;
        let mut ranges = 0;
        for _ in 0..LEVELS {
            ranges += pieces.len();
            if ranges > MOST {
                break;
            }
            pieces.retain(|piece| {
                let range = self.of(work, side, register, *piece);
                range.is_empty() || range.lo() <= 0.0
            });
            let mut halves = Vec::with_capacity(2 * pieces.len());
            for (from, to) in &pieces {
                let middle = from + 0.5 * (to - from);
                if !(*from < middle && middle < *to) {
                    continue;
                }
                if g(work, middle) <= 0.0 {
                    if g(work, *from) > 0.0 && best.is_none_or(|best| middle < best.1) {
                        best = Some((*from, middle));
                    }
                    halves.push((*from, middle));
                    break;
                }
                halves.extend([(*from, middle), (middle, *to)]);
            }
            if halves.is_empty() {
                break;
            }
            pieces = halves;
        }
        best
    }
}
