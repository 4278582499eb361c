//! How a program becomes frozen: which decisions change while time passes, and what they hang on.
//!
//! | of a value | meaning |
//! |---|---|
//! | change | whether it changes at all, with time alone, or with the state |
//! | moves | whether it changes while no switch turns: `sign(x)` does not |
//! | plain | a polynomial of what it reads while no switch turns: such a value has no features that what it reads does not have |
//!
//! Operations stand in the order in which a walk from the roots finds them, because own expressions of symbols, and the differences that decisions hang on, may be newer than
//! what reads them. The order of surfaces is that of their first decisions.

use crate::frozen::{Change, Frozen, Surface, Switch};
use crate::{BinaryFunction, Decision, Node, NodeId, Op, Pool, Program, Reg, SymbolId, UnaryFunction};
use std::borrow::Cow;
use std::collections::BTreeMap;

impl Program {
    /// Prepares `roots` with their decisions as switches. `change` says with what a symbol changes; `None`: as its own expression does, which `own` gives. The pool gets the
    /// differences that decisions hang on; one that is borrowed is copied only for that.
    pub fn frozen(
        pool: &mut Cow<'_, Pool>,
        roots: &[NodeId],
        change: impl Fn(SymbolId) -> Option<Change>,
        own: impl Fn(SymbolId) -> Option<NodeId>,
    ) -> Frozen {
        let mut builder = Builder::default();
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
                    && let Some(hinge) = builder.hangs_on(pool, node)
                    && !builder.places.contains_key(&hinge.d)
                {
                    stack.push(hinge.d);
                }
            }
            if stack.len() == before {
                stack.pop();
                if !builder.places.contains_key(&id) {
                    builder.place(pool, id, &change, &own);
                }
            }
        }
        let places: Vec<Reg> = roots.iter().map(|id| builder.of(*id)).collect();
        let mut frozen = builder.frozen;
        frozen.is_plain = places.iter().all(|root| builder.kinds[*root as usize].is_plain);
        frozen.program.roots = places;
        frozen.find_symbols();
        frozen
    }
}

impl Frozen {
    /// The symbols that each d reads.
    fn find_symbols(&mut self) {
        for number in 0..self.surfaces.len() {
            let mut needed = vec![false; self.program.len()];
            needed[self.surfaces[number].d as usize] = true;
            let mut reads = Vec::new();
            for place in (0..self.program.len()).rev() {
                if !needed[place] {
                    continue;
                }
                if let Op::Symbol(input) = self.program.ops[place] {
                    reads.push(self.program.inputs[input as usize]);
                }
                for operand in self.smooth_operands(place) {
                    needed[operand as usize] = true;
                }
            }
            reads.sort_unstable();
            reads.dedup();
            self.surfaces[number].reads = reads;
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

/// What a decision hangs on.
struct Hinge {
    decision: Decision,
    d: NodeId,
    is_turned: bool,
}

#[derive(Default)]
struct Builder {
    frozen: Frozen,
    kinds: Vec<Kind>,
    places: BTreeMap<NodeId, Reg>,
    /// Surfaces by the node of d, and whether they are of `floor`.
    surfaces: BTreeMap<(NodeId, bool), u32>,
}

impl Builder {
    fn of(&self, id: NodeId) -> Reg {
        self.places.get(&id).copied().unwrap_or(0)
    }

    fn kind(&self, id: NodeId) -> Kind {
        self.kinds[self.of(id) as usize]
    }

    /// What a node that decides something while time passes hangs on. Its operands are placed.
    fn hangs_on(&self, pool: &mut Cow<'_, Pool>, node: Node) -> Option<Hinge> {
        let changes = |id: NodeId| self.kind(id).change > Change::Never;
        let mut difference = |a: NodeId, b: NodeId| pool.to_mut().subtract(a, b);
        let (decision, d) = match node {
            Node::Unary(UnaryFunction::Floor, a) if changes(a) => (Decision::Floor, a),
            Node::Unary(UnaryFunction::Sign, a) if changes(a) => (Decision::Sign, a),
            Node::Unary(UnaryFunction::Abs, a) if changes(a) => (Decision::Side, a),
            Node::Binary(BinaryFunction::Min | BinaryFunction::Max, a, b) if changes(a) || changes(b) => {
                (Decision::Side, difference(a, b))
            }
            Node::Compare(relation, a, b) if changes(a) || changes(b) => {
                (Decision::Compare(relation), difference(a, b))
            }
            _ => return None,
        };
        let (d, is_turned) = match decision {
            Decision::Floor => (d, false),
            _ => upright(pool, d),
        };
        Some(Hinge {
            decision,
            d,
            is_turned,
        })
    }

    fn switch(&mut self, decides: NodeId, hinge: Hinge) -> Switch {
        let is_floor = hinge.decision == Decision::Floor;
        let next = self.frozen.surfaces.len() as u32;
        let surface = *self.surfaces.entry((hinge.d, is_floor)).or_insert(next);
        if surface == next {
            let kind = self.kind(hinge.d);
            self.frozen.surfaces.push(Surface {
                decides,
                is_floor,
                change: kind.change,
                moves: kind.moves,
                is_plain: kind.is_plain,
                reads: Vec::new(),
                d: self.of(hinge.d),
            });
        }
        Switch {
            decision: hinge.decision,
            surface,
            is_turned: hinge.is_turned,
        }
    }

    fn place(
        &mut self,
        pool: &mut Cow<'_, Pool>,
        id: NodeId,
        change: &impl Fn(SymbolId) -> Option<Change>,
        own: &impl Fn(SymbolId) -> Option<NodeId>,
    ) {
        let node = pool.node(id);
        let switch = self.hangs_on(pool, node).map(|hinge| self.switch(id, hinge));
        if let Node::Symbol(symbol) = node {
            let own = own(symbol).map(|own| self.of(own));
            self.frozen.program.inputs.push(symbol);
            self.frozen.own.push(own);
        }
        let newest = self.frozen.program.inputs.len().wrapping_sub(1) as u32;
        let op = node.map(|id| self.of(id), |_| newest);
        self.frozen.switches.push(switch);
        let place = self.frozen.program.push(op, id);
        let kind = self.kind_of(place as usize, change);
        self.kinds.push(kind);
        self.places.insert(id, place);
    }

    fn kind_of(&self, place: usize, symbol: &impl Fn(SymbolId) -> Option<Change>) -> Kind {
        let at = |reg: Reg| self.kinds[reg as usize];
        let parts = || self.frozen.smooth_operands(place).map(at);
        let mut change = parts().map(|k| k.change).max().unwrap_or(Change::Never);
        let any_moves = parts().any(|k| k.moves);
        let all_plain = parts().all(|k| k.is_plain);
        let switch = self.frozen.switches[place];
        if let Some(switch) = switch {
            change = change.max(self.frozen.surfaces[switch.surface as usize].change);
        }
        let (moves, is_plain) = match self.frozen.program.ops[place] {
            Op::Symbol(input) => match symbol(self.frozen.program.inputs[input as usize]) {
                Some(given) => {
                    change = given;
                    (given > Change::Never, all_plain)
                }
                None => (any_moves, all_plain),
            },
            // Truth values and what is decided do not move; nor do comparisons of what never changes.
            Op::Number(_)
            | Op::Pi
            | Op::Boolean(_)
            | Op::Compare(..)
            | Op::Not(_)
            | Op::And(..)
            | Op::Or(..) => (false, true),
            Op::Select(_, a, b) => (at(a).moves || at(b).moves, at(a).is_plain && at(b).is_plain),
            Op::Binary(BinaryFunction::Add | BinaryFunction::Subtract | BinaryFunction::Multiply, ..)
            | Op::Unary(UnaryFunction::Negate, _)
            | Op::Integer(_, 0..) => (any_moves, all_plain),
            _ if switch.is_some() => (any_moves, all_plain),
            Op::Binary(BinaryFunction::Divide, a, b) => (any_moves, at(a).is_plain && !at(b).moves),
            Op::Unary(..) | Op::Binary(..) | Op::Integer(..) => (any_moves, !any_moves),
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
