//! Evaluation with frozen decisions: between two turns of its switches an expression is a straight line of smooth operations (`decision.rs`).
//!
//! Decisions that hang on the same quantity d share one *surface* d = 0: `x > 1`, `1 >= x` and `abs(x - 1)` turn together. The side of a surface is the sign of d: −1, 0 or 1; of
//! `floor` the integer. Who evaluates says on which side each surface is, or decides there and then.
//!
//! | of a value | meaning |
//! |---|---|
//! | change | whether it changes at all, with time alone, or with the state |
//! | moves | whether it changes while no switch turns: `sign(x)` does not |
//! | plain | a polynomial of what it reads while no switch turns: such a value has no features that what it reads does not have |
//!
//! A symbol may have an expression of its own for where nothing else gives it a value, such as an input with a default: its switches are switches of the tape.
//!
//! # Guarantee
//! With sides taken from the values (`Decision::of`) the results are those of [`Tape`](crate::Tape), bit for bit. Nothing recurses.

use crate::tape::{binary, compare, unary};
use crate::{BinaryFunction, Decision, Node, NodeId, Pool, Relation, SymbolId, UnaryFunction};
use dyverse_num::{Scalar, Tri};
use std::borrow::Cow;
use std::collections::BTreeMap;

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
    place: u32,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Constant(f64, bool),
    Pi,
    /// With the place of its own expression.
    Symbol(SymbolId, Option<u32>),
    Unary(UnaryFunction, u32),
    Binary(BinaryFunction, u32, u32),
    Integer(u32, i32),
    Compare(Relation, u32, u32),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
    Select(u32, u32, u32),
    Switch(Decision, Hinge),
    Abs(Hinge, u32),
    /// The first of two or the second: the larger of them, or the smaller.
    Choose(Hinge, u32, u32, bool),
}

/// What a decision hangs on: a surface, and whether d there has the other sign.
#[derive(Clone, Copy, Debug)]
struct Hinge {
    surface: u32,
    is_turned: bool,
}

impl Hinge {
    fn decide(self, decision: Decision, side: f64) -> f64 {
        match decision {
            Decision::Floor => side,
            _ if self.is_turned => decision.of(-side),
            _ => decision.of(side),
        }
    }
}

/// What is known of a value before any evaluation.
#[derive(Clone, Copy, Debug)]
struct Kind {
    change: Change,
    moves: bool,
    is_plain: bool,
}

/// The nodes that some roots need, in order of evaluation, with their decisions as switches.
#[derive(Clone, Debug, Default)]
pub struct SwitchedTape {
    steps: Vec<Step>,
    kinds: Vec<Kind>,
    roots: Vec<u32>,
    surfaces: Vec<Surface>,
}

impl SwitchedTape {
    /// Prepares the evaluation of `roots`. `change` says with what a symbol changes; `None`: as its own expression does, which `own` gives. The pool gets the differences that
    /// decisions hang on; one that is borrowed is copied only for that.
    pub fn new(
        pool: &mut Cow<'_, Pool>,
        roots: &[NodeId],
        change: impl Fn(SymbolId) -> Option<Change>,
        own: impl Fn(SymbolId) -> Option<NodeId>,
    ) -> Self {
        let mut builder = Builder {
            tape: SwitchedTape::default(),
            places: BTreeMap::new(),
            hinges: BTreeMap::new(),
        };
        let mut stack: Vec<NodeId> = roots.iter().rev().copied().collect();
        while let Some(id) = stack.last().copied() {
            let node = pool.node(id);
            let before = stack.len();
            if !builder.places.contains_key(&id) {
                let expression = match node {
                    Node::Symbol(symbol) => own(symbol),
                    _ => None,
                };
                let needed = node.operands().chain(expression);
                stack.extend(needed.filter(|o| !builder.places.contains_key(o)));
                if stack.len() == before
                    && let Some((d, _, _)) = builder.hangs_on(pool, node)
                    && !builder.places.contains_key(&d)
                {
                    stack.push(d);
                }
            }
            if stack.len() == before {
                stack.pop();
                if !builder.places.contains_key(&id) {
                    builder.place(pool, id, &change, &own);
                }
            }
        }
        let place = |id: &NodeId| builder.places.get(id).copied().unwrap_or(0);
        let roots = roots.iter().map(place).collect();
        let mut tape = builder.tape;
        tape.roots = roots;
        tape.find_symbols();
        tape
    }

    /// Its surfaces, inner ones first.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// Whether all roots are polynomials of what they read while no switch turns.
    pub fn is_plain(&self) -> bool {
        self.roots.iter().all(|root| self.kinds[*root as usize].is_plain)
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
        for step in &self.steps {
            let of = |place: u32| &values[place as usize];
            let mut decide = |hinge: Hinge, decision: Decision| {
                let surface = hinge.surface as usize;
                let d = of(self.surfaces[surface].place);
                hinge.decide(decision, side(surface, d))
            };
            let value = match *step {
                Step::Constant(value, is_exact) => S::from_literal(value, is_exact),
                Step::Pi => S::pi(),
                Step::Symbol(id, own) => match (symbol(id), own) {
                    (Some(value), _) => value,
                    (None, Some(own)) => of(own).clone(),
                    (None, None) => S::from_f64(f64::NAN),
                },
                Step::Unary(function, a) => unary(function, of(a)),
                Step::Binary(function, a, b) => binary(function, of(a), of(b)),
                Step::Integer(a, n) => of(a).powi(n),
                Step::Compare(relation, a, b) => as_number(compare(relation, of(a), of(b))),
                Step::Not(a) => as_number(!truth(of(a))),
                Step::And(a, b) => as_number(truth(of(a)).and(truth(of(b)))),
                Step::Or(a, b) => as_number(truth(of(a)).or(truth(of(b)))),
                Step::Select(c, a, b) => match truth(of(c)) {
                    Tri::True => of(a).clone(),
                    Tri::False => of(b).clone(),
                    Tri::Unknown => S::select(Tri::Unknown, of(a).clone(), of(b).clone()),
                },
                Step::Switch(decision, hinge) => S::from_f64(decide(hinge, decision)),
                Step::Abs(hinge, a) => {
                    if decide(hinge, Decision::Side) != 0.0 {
                        of(a).clone()
                    } else {
                        -of(a).clone()
                    }
                }
                Step::Choose(hinge, a, b, is_max) => {
                    let is_first = (decide(hinge, Decision::Side) != 0.0) == is_max;
                    of(if is_first { a } else { b }).clone()
                }
            };
            values.push(value);
        }
    }

    /// The value of a root after [`SwitchedTape::evaluate`].
    pub fn result<'v, S>(&self, values: &'v [S], root: usize) -> &'v S {
        &values[self.roots[root] as usize]
    }

    /// d of a surface after [`SwitchedTape::evaluate`].
    pub fn quantity<'v, S>(&self, values: &'v [S], surface: usize) -> &'v S {
        &values[self.surfaces[surface].place as usize]
    }

    /// The side of a surface that a value of d shows.
    pub fn side_of(&self, surface: usize, d: f64) -> f64 {
        if self.surfaces[surface].is_floor {
            d.floor()
        } else {
            Decision::Sign.of(d)
        }
    }

    /// For each surface the size of the largest number that d was added up from, after [`SwitchedTape::evaluate`]: its rounding is some 1e-16 of that, however small it is itself.
    /// `symbol` gives the size of a symbol where that is more than its value, such as that of a whole vector.
    pub fn sizes(&self, values: &[f64], symbol: impl Fn(SymbolId) -> f64) -> Vec<f64> {
        let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        for (place, step) in self.steps.iter().enumerate() {
            let of = |place: u32| sizes[place as usize];
            sizes[place] = match *step {
                Step::Binary(BinaryFunction::Add | BinaryFunction::Subtract, a, b)
                | Step::Choose(_, a, b, _) => of(a).max(of(b)),
                Step::Binary(BinaryFunction::Multiply, a, b) => of(a) * of(b),
                Step::Unary(UnaryFunction::Negate, a) | Step::Abs(_, a) => of(a),
                Step::Symbol(id, own) => {
                    let own = own.map_or(0.0, of);
                    own.max(sizes[place]).max(symbol(id))
                }
                _ => continue,
            };
        }
        let places = self.surfaces.iter().map(|surface| surface.place as usize);
        places.map(|place| sizes[place]).collect()
    }

    /// Which surfaces the roots hang on as long as no other one turns, after [`SwitchedTape::evaluate`]: not those in branches that are not taken. `is_given` says which symbols
    /// have a value other than that of their own expression.
    pub fn live(&self, values: &[f64], is_given: impl Fn(SymbolId) -> bool) -> Vec<bool> {
        let mut live = vec![false; self.surfaces.len()];
        let mut needed = vec![false; self.steps.len()];
        for root in &self.roots {
            needed[*root as usize] = true;
        }
        for place in (0..self.steps.len()).rev() {
            if !needed[place] {
                continue;
            }
            let holds = |place: u32| values[place as usize] != 0.0;
            let mut need = |places: &[u32]| places.iter().for_each(|p| needed[*p as usize] = true);
            match self.steps[place] {
                Step::Select(c, a, b) => need(&[c, if holds(c) { a } else { b }]),
                // What alone decides.
                Step::And(a, _) if !holds(a) => need(&[a]),
                Step::And(_, b) if !holds(b) => need(&[b]),
                Step::Or(a, _) if holds(a) => need(&[a]),
                Step::Or(_, b) if holds(b) => need(&[b]),
                Step::Symbol(id, Some(_)) if is_given(id) => {}
                step => need(&operands(step).into_iter().flatten().collect::<Vec<_>>()),
            }
            if let Step::Switch(_, hinge) | Step::Abs(hinge, _) | Step::Choose(hinge, ..) = self.steps[place]
            {
                live[hinge.surface as usize] = true;
                needed[self.surfaces[hinge.surface as usize].place as usize] = true;
            }
        }
        live
    }

    /// The symbols that each d reads.
    fn find_symbols(&mut self) {
        for number in 0..self.surfaces.len() {
            let mut needed = vec![false; self.steps.len()];
            needed[self.surfaces[number].place as usize] = true;
            let mut reads = Vec::new();
            for place in (0..self.steps.len()).rev() {
                if !needed[place] {
                    continue;
                }
                let step = self.steps[place];
                if let Step::Symbol(id, _) = step {
                    reads.push(id);
                }
                for operand in operands(step).into_iter().flatten() {
                    needed[operand as usize] = true;
                }
            }
            reads.sort_unstable();
            reads.dedup();
            self.surfaces[number].reads = reads;
        }
    }
}

/// The places that a step reads, those of surfaces not among them.
fn operands(step: Step) -> [Option<u32>; 3] {
    match step {
        Step::Constant(..) | Step::Pi | Step::Switch(..) => [None; 3],
        Step::Symbol(_, own) => [own, None, None],
        Step::Unary(_, a) | Step::Integer(a, _) | Step::Not(a) | Step::Abs(_, a) => [Some(a), None, None],
        Step::Binary(_, a, b)
        | Step::Compare(_, a, b)
        | Step::And(a, b)
        | Step::Or(a, b)
        | Step::Choose(_, a, b, _) => [Some(a), Some(b), None],
        Step::Select(c, a, b) => [Some(c), Some(a), Some(b)],
    }
}

struct Builder {
    tape: SwitchedTape,
    places: BTreeMap<NodeId, u32>,
    /// Surfaces by the node of d, and whether they are of `floor`.
    hinges: BTreeMap<(NodeId, bool), u32>,
}

impl Builder {
    fn of(&self, id: NodeId) -> u32 {
        self.places.get(&id).copied().unwrap_or(0)
    }

    fn kind(&self, id: NodeId) -> Kind {
        self.tape.kinds[self.of(id) as usize]
    }

    /// What a node that decides something while time passes hangs on: d, whether with the other sign, and whether by the integer below. Its operands are placed.
    fn hangs_on(&self, pool: &mut Cow<'_, Pool>, node: Node) -> Option<(NodeId, bool, bool)> {
        let changes = |id: NodeId| self.kind(id).change > Change::Never;
        match node {
            Node::Unary(UnaryFunction::Floor, a) if changes(a) => Some((a, false, true)),
            Node::Unary(UnaryFunction::Abs | UnaryFunction::Sign, a) if changes(a) => {
                let (d, is_turned) = upright(pool, a);
                Some((d, is_turned, false))
            }
            Node::Compare(_, a, b) | Node::Binary(BinaryFunction::Min | BinaryFunction::Max, a, b)
                if changes(a) || changes(b) =>
            {
                let difference = pool.to_mut().subtract(a, b);
                let (d, is_turned) = upright(pool, difference);
                Some((d, is_turned, false))
            }
            _ => None,
        }
    }

    fn hinge(&mut self, decides: NodeId, (d, is_turned, is_floor): (NodeId, bool, bool)) -> Hinge {
        let next = self.tape.surfaces.len() as u32;
        let surface = *self.hinges.entry((d, is_floor)).or_insert(next);
        if surface == next {
            let Kind {
                change,
                moves,
                is_plain,
            } = self.kind(d);
            self.tape.surfaces.push(Surface {
                decides,
                is_floor,
                change,
                moves,
                is_plain,
                reads: Vec::new(),
                place: self.of(d),
            });
        }
        Hinge { surface, is_turned }
    }

    fn place(
        &mut self,
        pool: &mut Cow<'_, Pool>,
        id: NodeId,
        change: &impl Fn(SymbolId) -> Option<Change>,
        own: &impl Fn(SymbolId) -> Option<NodeId>,
    ) {
        let node = pool.node(id);
        let hinge = self.hangs_on(pool, node).map(|found| self.hinge(id, found));
        let of = |id: NodeId| self.of(id);
        let step = match (node, hinge) {
            (Node::Unary(UnaryFunction::Abs, a), Some(hinge)) => Step::Abs(hinge, of(a)),
            (Node::Unary(UnaryFunction::Sign, _), Some(hinge)) => Step::Switch(Decision::Sign, hinge),
            (Node::Unary(_, _), Some(hinge)) => Step::Switch(Decision::Floor, hinge),
            (Node::Binary(function, a, b), Some(hinge)) => {
                Step::Choose(hinge, of(a), of(b), function == BinaryFunction::Max)
            }
            (Node::Compare(relation, ..), Some(hinge)) => Step::Switch(Decision::Compare(relation), hinge),
            (Node::Number(literal), _) => Step::Constant(literal.value(), literal.is_exact()),
            (Node::Pi, _) => Step::Pi,
            (Node::Boolean(value), _) => Step::Constant(f64::from(u8::from(value)), true),
            (Node::Symbol(symbol), _) => Step::Symbol(symbol, own(symbol).map(of)),
            (Node::Unary(function, a), None) => Step::Unary(function, of(a)),
            (Node::Binary(function, a, b), None) => Step::Binary(function, of(a), of(b)),
            (Node::Integer(a, n), _) => Step::Integer(of(a), n),
            (Node::Compare(relation, a, b), None) => Step::Compare(relation, of(a), of(b)),
            (Node::Not(a), _) => Step::Not(of(a)),
            (Node::And(a, b), _) => Step::And(of(a), of(b)),
            (Node::Or(a, b), _) => Step::Or(of(a), of(b)),
            (Node::Select(c, a, b), _) => Step::Select(of(c), of(a), of(b)),
        };
        let kind = self.kind_of(step, change);
        self.tape.steps.push(step);
        self.tape.kinds.push(kind);
        self.places.insert(id, self.tape.steps.len() as u32 - 1);
    }

    fn kind_of(&self, step: Step, symbol: &impl Fn(SymbolId) -> Option<Change>) -> Kind {
        let at = |place: u32| self.tape.kinds[place as usize];
        let read = operands(step);
        let parts = || read.into_iter().flatten().map(at);
        let mut change = parts().map(|k| k.change).max().unwrap_or(Change::Never);
        let any_moves = parts().any(|k| k.moves);
        let all_plain = parts().all(|k| k.is_plain);
        match step {
            Step::Constant(..) | Step::Pi => {}
            Step::Symbol(id, own) => {
                let changes = symbol(id).or(own.map(|_| change)).unwrap_or(Change::Never);
                let is_own = symbol(id).is_none();
                return Kind {
                    change: changes,
                    moves: if is_own {
                        any_moves
                    } else {
                        changes > Change::Never
                    },
                    is_plain: all_plain,
                };
            }
            Step::Switch(_, hinge) | Step::Abs(hinge, _) | Step::Choose(hinge, ..) => {
                change = change.max(self.tape.surfaces[hinge.surface as usize].change);
            }
            _ => {}
        }
        let (moves, is_plain) = match step {
            // Truth values and what is decided do not move; nor do comparisons of what never changes.
            Step::Constant(..)
            | Step::Pi
            | Step::Switch(..)
            | Step::Compare(..)
            | Step::Not(_)
            | Step::And(..)
            | Step::Or(..) => (false, true),
            Step::Select(_, a, b) => (at(a).moves || at(b).moves, at(a).is_plain && at(b).is_plain),
            Step::Binary(BinaryFunction::Add | BinaryFunction::Subtract | BinaryFunction::Multiply, ..)
            | Step::Unary(UnaryFunction::Negate, _)
            | Step::Integer(_, 0..)
            | Step::Abs(..)
            | Step::Choose(..)
            | Step::Symbol(..) => (any_moves, all_plain),
            Step::Binary(BinaryFunction::Divide, a, b) => (any_moves, at(a).is_plain && !at(b).moves),
            Step::Unary(..) | Step::Binary(..) | Step::Integer(..) => (any_moves, !any_moves),
        };
        Kind {
            change,
            moves,
            is_plain,
        }
    }
}

/// The same quantity or its negative, whichever is written once for both: −a becomes a, b − a becomes a − b. Whether it was turned round.
fn upright(pool: &mut Cow<'_, Pool>, d: NodeId) -> (NodeId, bool) {
    match pool.node(d) {
        Node::Unary(UnaryFunction::Negate, a) => {
            let (d, is_turned) = match pool.node(a) {
                Node::Binary(BinaryFunction::Subtract, ..) => upright(pool, a),
                _ => (a, false),
            };
            (d, !is_turned)
        }
        Node::Binary(BinaryFunction::Subtract, a, b) if a > b => (pool.to_mut().subtract(b, a), true),
        _ => (d, false),
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
    use crate::Tape;
    use dyverse_num::{Dual, split_mix};

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

    /// A random number, or with `is_truth` a random condition, over four symbols.
    fn random(pool: &mut Pool, seed: &mut u64, depth: u32, is_truth: bool) -> NodeId {
        let pick = |seed: &mut u64, n: u64| split_mix(seed) % n;
        if is_truth {
            let next = |pool: &mut Pool, seed: &mut u64, t| random(pool, seed, depth.saturating_sub(1), t);
            return match if depth == 0 { 0 } else { pick(seed, 5) } {
                0 | 1 => {
                    let (a, b) = (next(pool, seed, false), next(pool, seed, false));
                    let relation = [
                        Relation::Less,
                        Relation::LessEqual,
                        Relation::Greater,
                        Relation::GreaterEqual,
                        Relation::Equal,
                        Relation::NotEqual,
                    ][pick(seed, 6) as usize];
                    pool.compare(relation, a, b)
                }
                2 => {
                    let a = next(pool, seed, true);
                    pool.not(a)
                }
                n => {
                    let (a, b) = (next(pool, seed, true), next(pool, seed, true));
                    if n == 3 { pool.and(a, b) } else { pool.or(a, b) }
                }
            };
        }
        if depth == 0 {
            return match pick(seed, 3) {
                0 => pool.number(pick(seed, 5) as f64 - 2.0),
                _ => {
                    let id = SymbolId(pick(seed, 4) as u32);
                    pool.symbol(id)
                }
            };
        }
        let next = |pool: &mut Pool, seed: &mut u64, t| random(pool, seed, depth - 1, t);
        let a = next(pool, seed, false);
        match pick(seed, 11) {
            0 => pool.unary(UnaryFunction::Abs, a),
            1 => pool.unary(UnaryFunction::Sign, a),
            2 => pool.unary(UnaryFunction::Floor, a),
            3 => pool.unary(UnaryFunction::Sin, a),
            4 => pool.negate(a),
            n => {
                let b = next(pool, seed, false);
                match n {
                    5 => pool.binary(BinaryFunction::Min, a, b),
                    6 => pool.binary(BinaryFunction::Max, a, b),
                    7 => pool.add(a, b),
                    8 => pool.subtract(a, b),
                    9 => pool.multiply(a, b),
                    _ => {
                        let c = next(pool, seed, true);
                        pool.select(c, a, b)
                    }
                }
            }
        }
    }

    /// Oracle: the tape that decides at every step, on the expression with the input's own expression put in its place.
    #[test]
    fn decided_where_it_is_evaluated_it_is_the_plain_tape() {
        let mut seed = 7;
        for _ in 0..2000 {
            let mut pool = Pool::new();
            let time = pool.symbol(TIME);
            let own = pool.unary(UnaryFunction::Floor, time);
            let root = random(&mut pool, &mut seed, 4, false);
            let plain = pool.substitute(&[root], &BTreeMap::from([(INPUT, own)]))[0];
            let tape = SwitchedTape::new(&mut Cow::Borrowed(&pool), &[root], change, |id| {
                (id == INPUT).then_some(own)
            });
            for _ in 0..8 {
                // Small integers, so that surfaces are met.
                let at: Vec<f64> = (0..4)
                    .map(|_| (split_mix(&mut seed) % 9) as f64 / 2.0 - 2.0)
                    .collect();
                let expected = Tape::new(&pool, &[plain]).numbers(|id| at[id.0 as usize])[0];
                let mut values = Vec::new();
                let symbol = |id: SymbolId| (id != INPUT).then(|| at[id.0 as usize]);
                tape.evaluate(symbol, |s, d| tape.side_of(s, *d), &mut values);
                let found = *tape.result(&values, 0);
                assert!(
                    found == expected || found.is_nan() && expected.is_nan(),
                    "{found} {expected}"
                );
                // Frozen at these sides, it is the same; so it is when sides of what is not live are anything.
                let sides: Vec<f64> = (0..tape.surfaces().len())
                    .map(|s| tape.side_of(s, *tape.quantity(&values, s)))
                    .collect();
                let live = tape.live(&values, |id| id != INPUT);
                tape.evaluate(symbol, |s, _| if live[s] { sides[s] } else { 1.0 }, &mut values);
                let again = *tape.result(&values, 0);
                assert!(
                    again == expected || again.is_nan() && expected.is_nan(),
                    "{again} {expected}"
                );
            }
        }
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
        let tape = SwitchedTape::new(&mut Cow::Borrowed(&pool), &[p, q, size, sign], change, |_| None);
        assert_eq!(tape.surfaces().len(), 1);
        assert!(tape.surfaces()[0].moves && tape.surfaces()[0].is_plain);
        for (at, expected) in [(3.0, [3.0, 1.0, 2.0, 1.0]), (-1.0, [1.0, -1.0, 2.0, -1.0])] {
            let mut values = Vec::new();
            tape.evaluate(|_| Some(at), |s, d| tape.side_of(s, *d), &mut values);
            let found: Vec<f64> = (0..4).map(|root| *tape.result(&values, root)).collect();
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
        let tape = SwitchedTape::new(&mut Cow::Borrowed(&pool), &[root], change, |_| None);
        let known: Vec<_> = tape
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
        assert!(tape.is_plain());
    }

    /// Oracle: |x|³ has slope 3x|x|, also beyond the surface while it is frozen.
    #[test]
    fn duals_follow_the_frozen_branch() {
        let mut pool = Pool::new();
        let x = pool.symbol(STATE);
        let size = pool.unary(UnaryFunction::Abs, x);
        let root = pool.integer_power(size, 3);
        let tape = SwitchedTape::new(&mut Cow::Borrowed(&pool), &[root], change, |_| None);
        let mut values: Vec<Dual<f64>> = Vec::new();
        tape.evaluate(|_| Some(Dual::variable(-2.0)), |_, _| 1.0, &mut values);
        assert_eq!(*tape.result(&values, 0), Dual::new(-8.0, 12.0));
        tape.evaluate(|_| Some(Dual::variable(-2.0)), |_, _| -1.0, &mut values);
        assert_eq!(*tape.result(&values, 0), Dual::new(8.0, -12.0));
    }
}
