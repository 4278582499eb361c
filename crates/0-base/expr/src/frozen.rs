//! Programs with frozen decisions: between two turns of its switches an expression is a straight line of smooth operations (`decision.rs`).
//!
//! Decisions that hang on the same quantity d share one *surface* d = 0: `x > 1`, `1 >= x` and `abs(x - 1)` turn together. The side of a surface is the sign of d: −1, 0 or 1; of
//! `floor` the integer. Who evaluates says on which side each surface is, or decides there and then.
//!
//! A symbol may have an expression of its own for where nothing else gives it a value, such as an input with a default: its switches are switches of the program.
//!
//! # Guarantee
//! With sides taken from the values (`Decision::of`) the results are those of [`Program::run`], save that |−0| is −0 here, which a division by it shows, and that infinities of one
//! sign do not compare: their d is no number. What is decided by a side that is no number is none. Nothing recurses.

use crate::doubles::on_numbers;
use crate::{BinaryFunction, Decision, NodeId, Op, Program, Reg, SymbolId, UnaryFunction};
use dyverse_num::Scalar;

/// With what a value changes during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It does not.
    Never,
    /// With time alone: it is known in advance.
    WithTime,
    /// With the state, or with what is not known in advance.
    WithState,
}

/// Where a decision turns: d = 0, or for `floor` where d is an integer.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The first of the decisions that hang on it.
    pub decides: NodeId,
    /// Whether the integer below d is decided on, and not its sign.
    pub is_floor: bool,
    /// With what d changes.
    pub change: Change,
    /// Whether d changes while no switch turns.
    pub moves: bool,
    /// Whether d is a polynomial of what it reads while no switch turns.
    pub is_plain: bool,
    /// The symbols that d reads.
    pub reads: Vec<SymbolId>,
    pub(crate) d: Reg,
}

/// What an operation that decides hangs on: a surface, and whether d there has the other sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switch {
    pub(crate) decision: Decision,
    pub(crate) surface: u32,
    pub(crate) is_turned: bool,
}

impl Switch {
    #[inline]
    fn decide(self, side: f64) -> f64 {
        match self.decision {
            _ if side.is_nan() => f64::NAN,
            Decision::Floor => side,
            _ if self.is_turned => self.decision.of(-side),
            _ => self.decision.of(side),
        }
    }
}

/// A program with its decisions as switches.
#[derive(Clone, Debug, Default)]
pub struct Frozen {
    pub(crate) program: Program,
    /// For each operation that decides while time passes: how.
    pub(crate) switches: Vec<Option<Switch>>,
    /// For each input: the register of its own expression.
    pub(crate) own: Vec<Option<Reg>>,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) is_plain: bool,
}

impl Frozen {
    /// Its surfaces, inner ones first.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// Whether all roots are polynomials of what they read while no switch turns.
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Evaluates into a workspace that is used again and again. `symbol` gives `None` where the symbol's own expression counts; `side` gives the side of a surface, from the value
    /// of d there if it likes. Truth values are 1 and 0.
    pub fn evaluate<S: Scalar>(
        &self,
        mut symbol: impl FnMut(SymbolId) -> Option<S>,
        mut side: impl FnMut(usize, &S) -> f64,
        values: &mut Vec<S>,
    ) {
        values.clear();
        for (op, switch) in self.program.ops.iter().zip(&self.switches) {
            let of = |reg: Reg| &values[reg as usize];
            let value = match switch {
                None => on_numbers(*op, values, |input| {
                    let (id, own) = (self.program.inputs[input as usize], self.own[input as usize]);
                    let given = symbol(id).or_else(|| own.map(|own| of(own).clone()));
                    given.unwrap_or_else(|| S::from_f64(f64::NAN))
                }),
                Some(switch) => {
                    let surface = switch.surface as usize;
                    let decided = switch.decide(side(surface, of(self.surfaces[surface].d)));
                    match *op {
                        _ if decided.is_nan() => S::from_f64(f64::NAN),
                        Op::Unary(UnaryFunction::Abs, a) if decided != 0.0 => of(a).clone(),
                        Op::Unary(UnaryFunction::Abs, a) => -of(a).clone(),
                        Op::Binary(function, a, b) => {
                            let is_first = (decided != 0.0) == (function == BinaryFunction::Max);
                            of(if is_first { a } else { b }).clone()
                        }
                        _ => S::from_f64(decided),
                    }
                }
            };
            values.push(value);
        }
    }

    /// The value of a root after [`Frozen::evaluate`].
    pub fn result<'v, S>(&self, values: &'v [S], root: usize) -> &'v S {
        &values[self.program.roots[root] as usize]
    }

    /// d of a surface after [`Frozen::evaluate`].
    pub fn quantity<'v, S>(&self, values: &'v [S], surface: usize) -> &'v S {
        &values[self.surfaces[surface].d as usize]
    }

    /// The side of a surface that a value of d shows: none of what is no number.
    pub fn side_of(&self, surface: usize, d: f64) -> f64 {
        if d.is_nan() {
            d
        } else if self.surfaces[surface].is_floor {
            d.floor()
        } else {
            Decision::Sign.of(d)
        }
    }

    /// For each surface the size of the largest number that d was added up from, after [`Frozen::evaluate`]: its rounding is some 1e-16 of that, however small it is itself.
    /// `symbol` gives the size of a symbol where that is more than its value, such as that of a whole vector.
    pub fn sizes(&self, values: &[f64], symbol: impl Fn(SymbolId) -> f64) -> Vec<f64> {
        let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        for (place, op) in self.program.ops.iter().enumerate() {
            let of = |reg: Reg| sizes[reg as usize];
            sizes[place] = match (*op, self.switches[place]) {
                (Op::Binary(BinaryFunction::Add | BinaryFunction::Subtract, a, b), _)
                | (Op::Binary(BinaryFunction::Min | BinaryFunction::Max, a, b), Some(_)) => of(a).max(of(b)),
                (Op::Binary(BinaryFunction::Multiply, a, b), _) => of(a) * of(b),
                (Op::Unary(UnaryFunction::Negate, a), _) | (Op::Unary(UnaryFunction::Abs, a), Some(_)) => {
                    of(a)
                }
                (Op::Symbol(input), _) => {
                    let own = self.own[input as usize].map_or(0.0, of);
                    own.max(sizes[place])
                        .max(symbol(self.program.inputs[input as usize]))
                }
                _ => continue,
            };
        }
        self.surfaces
            .iter()
            .map(|surface| sizes[surface.d as usize])
            .collect()
    }

    /// Which surfaces the roots hang on as long as no other one turns, after [`Frozen::evaluate`]: not those in branches that are not taken. `is_given` says which symbols
    /// have a value other than that of their own expression.
    pub fn live(&self, values: &[f64], is_given: impl Fn(SymbolId) -> bool) -> Vec<bool> {
        let mut live = vec![false; self.surfaces.len()];
        let mut needed = vec![false; self.program.len()];
        for root in &self.program.roots {
            needed[*root as usize] = true;
        }
        for place in (0..self.program.len()).rev() {
            if !needed[place] {
                continue;
            }
            let holds = |reg: Reg| values[reg as usize] != 0.0;
            let mut need = |reg: Reg| needed[reg as usize] = true;
            match self.program.ops[place] {
                Op::Select(c, a, b) => [c, if holds(c) { a } else { b }].into_iter().for_each(need),
                // What alone decides.
                Op::And(a, _) if !holds(a) => need(a),
                Op::And(_, b) if !holds(b) => need(b),
                Op::Or(a, _) if holds(a) => need(a),
                Op::Or(_, b) if holds(b) => need(b),
                Op::Symbol(input) if is_given(self.program.inputs[input as usize]) => {}
                _ => self.smooth_operands(place).for_each(need),
            }
            if let Some(switch) = self.switches[place] {
                live[switch.surface as usize] = true;
                needed[self.surfaces[switch.surface as usize].d as usize] = true;
            }
        }
        live
    }

    /// The registers that an operation reads while its switch stays: of an input that of its own expression, of what is decided none.
    pub(crate) fn smooth_operands(&self, place: usize) -> impl Iterator<Item = Reg> {
        let op = self.program.ops[place];
        let own = match op {
            Op::Symbol(input) => self.own[input as usize],
            _ => None,
        };
        let is_decided = self.switches[place].is_some_and(|switch| switch.decision != Decision::Side);
        let operands = op.operands().filter(move |_| !is_decided);
        operands.chain(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::random;
    use crate::{Pool, Relation};
    use dyverse_num::{Dual, split_mix};
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    const TIME: SymbolId = SymbolId(0);
    const STATE: SymbolId = SymbolId(1);
    const INPUT: SymbolId = SymbolId(2);

    fn change(id: SymbolId) -> Option<Change> {
        match id {
            TIME => Some(Change::WithTime),
            STATE => Some(Change::WithState),
            INPUT => None,
            _ => Some(Change::Never),
        }
    }

    /// Oracle: the program that decides at every operation, on the expression with the input's own expression put in its place.
    #[test]
    fn decided_where_it_is_evaluated_it_is_the_plain_program() {
        let (mut seed, mut compared, mut undefined) = (7, 0, 0);
        for _ in 0..2000 {
            let mut pool = Pool::new();
            let time = pool.symbol(TIME);
            let own = pool.unary(UnaryFunction::Floor, time);
            let root = random(&mut pool, &mut seed, 4, false);
            let plain = pool.substitute(&[root], &BTreeMap::from([(INPUT, own)]))[0];
            let program = Program::frozen(&mut Cow::Borrowed(&pool), &[root], change, |id| {
                (id == INPUT).then_some(own)
            });
            for _ in 0..8 {
                // Small integers, so that surfaces are met.
                let at: Vec<f64> = (0..4)
                    .map(|_| (split_mix(&mut seed) % 9) as f64 / 2.0 - 2.0)
                    .collect();
                let expected = Program::new(&pool, &[plain]).numbers(|id| at[id.0 as usize])[0];
                let mut values = Vec::new();
                let symbol = |id: SymbolId| (id != INPUT).then(|| at[id.0 as usize]);
                program.evaluate(symbol, |s, d| program.side_of(s, *d), &mut values);
                let found = *program.result(&values, 0);
                if values.iter().any(|value| value.is_infinite()) {
                    continue;
                }
                compared += 1;
                undefined += u32::from(values.iter().any(|value| value.is_nan()));
                assert!(
                    found == expected || found.is_nan() && expected.is_nan(),
                    "{found} {expected}"
                );
                // Frozen at these sides, it is the same; so it is when sides of what is not live are anything.
                let sides: Vec<f64> = (0..program.surfaces().len())
                    .map(|s| program.side_of(s, *program.quantity(&values, s)))
                    .collect();
                let live = program.live(&values, |id| id != INPUT);
                program.evaluate(symbol, |s, _| if live[s] { sides[s] } else { 1.0 }, &mut values);
                let again = *program.result(&values, 0);
                assert!(
                    again == expected || again.is_nan() && expected.is_nan(),
                    "{again} {expected}"
                );
            }
        }
        assert!(compared > 8000 && undefined > 200, "{compared} {undefined}");
    }

    #[test]
    fn one_surface_for_all_that_turns_together() {
        let mut pool = Pool::new();
        let (x, one) = (pool.symbol(STATE), pool.number(1.0));
        let (a, b) = (
            pool.compare(Relation::Greater, x, one),
            pool.compare(Relation::GreaterEqual, one, x),
        );
        let (p, q) = (pool.select(a, x, one), pool.select(b, x, one));
        let d = pool.subtract(one, x);
        let size = pool.unary(UnaryFunction::Abs, d);
        let turned = pool.negate(d);
        let sign = pool.unary(UnaryFunction::Sign, turned);
        let program = Program::frozen(&mut Cow::Borrowed(&pool), &[p, q, size, sign], change, |_| None);
        assert_eq!(program.surfaces().len(), 1);
        assert!(program.surfaces()[0].moves && program.surfaces()[0].is_plain);
        for (at, expected) in [(3.0, [3.0, 1.0, 2.0, 1.0]), (-1.0, [1.0, -1.0, 2.0, -1.0])] {
            let mut values = Vec::new();
            program.evaluate(|_| Some(at), |s, d| program.side_of(s, *d), &mut values);
            let found: Vec<f64> = (0..4).map(|root| *program.result(&values, root)).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_changes_moves_and_is_plain() {
        let mut pool = Pool::new();
        let (t, x) = (pool.symbol(TIME), pool.symbol(STATE));
        let sign = pool.unary(UnaryFunction::Sign, x);
        let half = pool.number(0.5);
        let nested = pool.compare(Relation::Greater, sign, half);
        let sine = pool.unary(UnaryFunction::Sin, t);
        let wave = pool.compare(Relation::Less, sine, half);
        let both = pool.and(nested, wave);
        let root = pool.select(both, x, t);
        let program = Program::frozen(&mut Cow::Borrowed(&pool), &[root], change, |_| None);
        let known: Vec<_> = program
            .surfaces()
            .iter()
            .map(|s| (s.change, s.moves, s.is_plain))
            .collect();
        assert_eq!(
            known,
            [
                (Change::WithTime, true, false),
                (Change::WithState, true, true),
                (Change::WithState, false, true)
            ]
        );
        assert!(program.is_plain());
    }

    /// Oracle: |x|³ has slope 3x|x|, also beyond the surface while it is frozen.
    #[test]
    fn duals_follow_the_frozen_branch() {
        let mut pool = Pool::new();
        let x = pool.symbol(STATE);
        let size = pool.unary(UnaryFunction::Abs, x);
        let root = pool.integer_power(size, 3);
        let program = Program::frozen(&mut Cow::Borrowed(&pool), &[root], change, |_| None);
        let mut values: Vec<Dual<f64>> = Vec::new();
        program.evaluate(|_| Some(Dual::variable(-2.0)), |_, _| 1.0, &mut values);
        assert_eq!(*program.result(&values, 0), Dual::new(-8.0, 12.0));
        program.evaluate(|_| Some(Dual::variable(-2.0)), |_, _| -1.0, &mut values);
        assert_eq!(*program.result(&values, 0), Dual::new(8.0, -12.0));
    }
}
