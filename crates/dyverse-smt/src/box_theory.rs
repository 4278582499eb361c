//! A theory: constraints `expression ∘ 0` over real variables in a box.
//!
//! # Method
//! The constraints fall into parts that share no variable; each part is decided by itself. A part is searched by
//! branch and prune: contract a box (`contract.rs`), look for a point in it (`point.rs`), else halve its longest side;
//! widest boxes first. Nothing left of any box is a refutation. A part that is refuted is a core. The largest set of
//! constraints seen to hold at a point stands for the maximal feasible set [002 §6.2].
//!
//! This takes the place of the paper's local minimisation, whose "infeasible" depends on where it starts unless
//! the constraints are convex or concave [002 §6.4]; here no shape is asked for.
//!
//! # Guarantee
//! Rigorous: `Feasible` and `Infeasible` are proved in outward-rounded arithmetic. The limit on boxes, and
//! boxes too small to halve, end in `Unknown`.

mod point;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use dyverse_expr::{Node, NodeId, Pool, Relation, SymbolId};
use dyverse_num::{Interval, Tri};

use crate::contract::opposite;
use crate::{
    Atom, AtomId, Constraint, Contractor, Decision, Formula, InvalidConstraint, Literal, Theory,
    TheoryLiteral, VariableBox,
};
use point::{Equations, inner_point};

/// Limits of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxOptions {
    /// Boxes looked at to decide one part of a conjunction.
    pub most_boxes: usize,
    /// The same to shorten a conflict.
    pub most_boxes_of_conflict: usize,
    /// Sides shorter than this, relative to their place and at least absolutely, are not halved.
    pub smallest_side: f64,
}

impl Default for BoxOptions {
    fn default() -> Self {
        BoxOptions {
            most_boxes: 4096,
            most_boxes_of_conflict: 128,
            smallest_side: 1e-10,
        }
    }
}

/// Constraints over a box; its witness is a box in which there is a point at which all hold.
#[derive(Clone, Debug)]
pub struct BoxTheory {
    pool: Pool,
    region: VariableBox,
    options: BoxOptions,
    constraints: Vec<Constraint>,
    index: BTreeMap<Constraint, AtomId>,
    derivatives: BTreeMap<(NodeId, SymbolId), NodeId>,
    /// Boxes that the last refutation of a whole conjunction took.
    boxes_of_refutation: usize,
}

/// How hard a search tries.
#[derive(Clone, Copy)]
struct Effort {
    most_boxes: usize,
    /// Whether zeros of equations are looked for: not if only a refutation is of use.
    solves_equations: bool,
}

/// What the search of one part found.
enum Found {
    Feasible(Vec<Interval>),
    Infeasible {
        /// The places of the constraints that hold at the best point seen.
        best: BTreeSet<usize>,
        boxes: usize,
    },
    Unknown(String),
}

impl BoxTheory {
    /// No constraints yet; symbols that `region` does not bound may be any real number.
    pub fn new(pool: Pool, region: VariableBox) -> Self {
        Self::with_options(pool, region, BoxOptions::default())
    }
    /// The same with other limits.
    pub fn with_options(pool: Pool, region: VariableBox, options: BoxOptions) -> Self {
        BoxTheory {
            pool,
            region,
            options,
            constraints: Vec::new(),
            index: BTreeMap::new(),
            derivatives: BTreeMap::new(),
            boxes_of_refutation: 0,
        }
    }

    /// The pool, to add expressions.
    pub fn pool_mut(&mut self) -> &mut Pool {
        &mut self.pool
    }
    /// The pool.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
    /// Where variables may be.
    pub fn region(&self) -> &VariableBox {
        &self.region
    }
    /// Moves the bounds. If they come to allow more, conflicts learnt before must be forgotten
    /// ([`Solver::forget_conflicts`](crate::Solver::forget_conflicts)).
    pub fn set_region(&mut self, region: VariableBox) {
        self.region = region;
    }
    /// The constraint that a literal stands for; `None` if it is not of this theory.
    pub fn constraint_of(&self, literal: TheoryLiteral) -> Option<Constraint> {
        let constraint = *self.constraints.get(literal.atom.0 as usize)?;
        Some(if literal.is_positive {
            constraint
        } else {
            constraint.negated()
        })
    }

    /// `expression ∘ 0` as a formula. `<`, `>` and `≠` are the negations of `≥`, `≤` and `=`.
    ///
    /// # Errors
    /// [`InvalidConstraint`] if the expression is no number of the pool.
    pub fn constraint(
        &mut self,
        expression: NodeId,
        relation: Relation,
    ) -> Result<Formula, InvalidConstraint> {
        let is_positive = matches!(
            relation,
            Relation::LessEqual | Relation::GreaterEqual | Relation::Equal
        );
        let relation = if is_positive { relation } else { opposite(relation) };
        let constraint = Constraint::new(expression, relation);
        let symbols = Contractor::new(&self.pool, &[constraint])?.symbols().to_vec();
        let next = AtomId(self.constraints.len() as u32);
        let id = *self.index.entry(constraint).or_insert(next);
        if id == next {
            self.constraints.push(constraint);
        }
        let atom = Atom::constraint(id, &symbols);
        Ok(Formula::from(Literal { atom, is_positive }))
    }

    /// A truth value of the pool as a formula over its comparisons: a guard, a domain, a property.
    ///
    /// # Errors
    /// [`InvalidConstraint`] if it is no truth value of the pool.
    pub fn condition(&mut self, condition: NodeId) -> Result<Formula, InvalidConstraint> {
        Contractor::new(&self.pool, &[Constraint::holds(condition)])?;
        let mut formulas: BTreeMap<NodeId, Formula> = BTreeMap::new();
        for id in self.pool.reachable(&[condition]) {
            let of = |id: NodeId| formulas.get(&id).cloned().unwrap_or_else(Formula::truth);
            let formula = match self.pool.node(id) {
                Node::Boolean(true) => Formula::truth(),
                Node::Boolean(false) => Formula::falsehood(),
                Node::Not(a) => of(a).not(),
                Node::And(a, b) => Formula::all([of(a), of(b)]),
                Node::Or(a, b) => Formula::any([of(a), of(b)]),
                Node::Compare(relation, a, b) => {
                    let difference = self.pool.subtract(a, b);
                    self.constraint(difference, relation)?
                }
                _ => continue,
            };
            formulas.insert(id, formula);
        }
        formulas
            .remove(&condition)
            .ok_or(InvalidConstraint::NotATruthValue(condition))
    }

    /// Decides all parts, each with this effort; counts the boxes of parts that are refuted.
    fn decide_with(
        &mut self,
        literals: &[TheoryLiteral],
        effort: Effort,
        refuting: &mut usize,
    ) -> Decision<VariableBox> {
        if self.region.values().any(Interval::is_empty) {
            return infeasible(vec![Vec::new()], BTreeSet::new());
        }
        let constraints: Option<Vec<Constraint>> = literals.iter().map(|l| self.constraint_of(*l)).collect();
        let Some(constraints) = constraints else {
            return unknown("a constraint of another theory");
        };
        let (mut witness, mut cores) = (self.region.clone(), Vec::new());
        let (mut feasible, mut reason) = (BTreeSet::new(), None);
        for part in self.parts(&constraints) {
            let of_part: Vec<Constraint> = part.iter().map(|place| constraints[*place]).collect();
            let Ok(contractor) = Contractor::new(&self.pool, &of_part) else {
                return unknown("a constraint that means nothing");
            };
            match self.search(&of_part, &contractor, effort) {
                Found::Feasible(sides) => {
                    feasible.extend(&part);
                    witness.extend(contractor.symbols().iter().copied().zip(sides));
                }
                Found::Infeasible { best, boxes } => {
                    *refuting = boxes.max(*refuting);
                    feasible.extend(best.into_iter().map(|place| part[place]));
                    cores.push(part);
                }
                Found::Unknown(why) => reason = reason.or(Some(why)),
            }
        }
        match (cores.is_empty(), reason) {
            (false, _) => infeasible(cores, feasible),
            (true, Some(reason)) => Decision::Unknown { reason },
            (true, None) => Decision::Feasible(witness),
        }
    }

    /// The places of constraints that hang together by variables they share.
    fn parts(&self, constraints: &[Constraint]) -> Vec<Vec<usize>> {
        let mut parts: Vec<(BTreeSet<SymbolId>, Vec<usize>)> = Vec::new();
        for (place, constraint) in constraints.iter().enumerate() {
            let symbols = self.pool.symbols(&[constraint.node()]);
            let mut joined: (BTreeSet<SymbolId>, Vec<usize>) = (symbols.into_iter().collect(), vec![place]);
            let (touching, apart): (Vec<_>, Vec<_>) = parts
                .into_iter()
                .partition(|(symbols, _)| !symbols.is_disjoint(&joined.0));
            for (symbols, places) in touching {
                joined.0.extend(symbols);
                joined.1.extend(places);
            }
            joined.1.sort_unstable();
            parts = apart;
            parts.push(joined);
        }
        parts.into_iter().map(|(_, places)| places).collect()
    }

    /// Branch and prune on one part.
    fn search(&mut self, constraints: &[Constraint], contractor: &Contractor, effort: Effort) -> Found {
        let symbols = contractor.symbols();
        let side = |symbol| self.region.get(symbol).copied().unwrap_or(Interval::ENTIRE);
        let region: Vec<Interval> = symbols.iter().map(side).collect();
        let mut equations: Option<Option<Equations>> = None;
        let mut open = VecDeque::from([region.clone()]);
        let (mut looked_at, mut best, mut too_small) = (0, BTreeSet::new(), false);
        while let Some(mut sides) = open.pop_front() {
            if looked_at == effort.most_boxes {
                return Found::Unknown(format!("undecided after {looked_at} boxes"));
            }
            looked_at += 1;
            if !contractor.narrow(&mut sides) {
                // For the maximal feasible set, a point of what was refuted is as good as any.
                if best.is_empty() {
                    let middle: Vec<Interval> = region.iter().map(|s| Interval::point(split_at(s))).collect();
                    note_best(&contractor.check_sides(&middle), &mut best);
                }
                continue;
            }
            if let Some(point) = inner_point(contractor, &sides, |answers| note_best(answers, &mut best)) {
                return Found::Feasible(point);
            }
            if effort.solves_equations {
                let equations = equations.get_or_insert_with(|| self.equations(constraints, contractor));
                let solved = equations.as_ref().and_then(|e| e.solve_near(&sides, &region));
                let holds = |solution: &Vec<Interval>| holds_in(constraints, contractor, solution);
                if let Some(solution) = solved.filter(holds) {
                    return Found::Feasible(solution);
                }
            }
            match self.halves(&sides, &region) {
                Some(halves) => open.extend(halves),
                None => too_small = true,
            }
        }
        if too_small {
            Found::Unknown(format!(
                "undecided in boxes narrower than {:e}",
                self.options.smallest_side
            ))
        } else {
            Found::Infeasible {
                best,
                boxes: looked_at,
            }
        }
    }

    /// The equations of a part, with derivatives; `None` if there is none.
    fn equations(&mut self, constraints: &[Constraint], contractor: &Contractor) -> Option<Equations> {
        let functions: Vec<NodeId> = constraints.iter().filter_map(|c| equation(*c)).collect();
        let mut slopes = Vec::new();
        for function in &functions {
            for symbol in contractor.symbols() {
                let key = (*function, *symbol);
                let slope = match self.derivatives.get(&key) {
                    Some(slope) => *slope,
                    None => self.pool.derive(*function, *symbol),
                };
                self.derivatives.insert(key, slope);
                slopes.push(slope);
            }
        }
        Equations::new(&self.pool, &functions, &slopes, contractor.symbols())
    }

    /// Halves the longest side, measured by the side of the region; `None` if all are too short.
    fn halves(&self, sides: &[Interval], region: &[Interval]) -> Option<[Vec<Interval>; 2]> {
        let smallest = self.options.smallest_side;
        let can_split = |side: &Interval| {
            let middle = split_at(side);
            side.width() > smallest * side.magnitude().clamp(1.0, f64::MAX)
                && side.lo() < middle
                && middle < side.hi()
        };
        let length = |place: usize| {
            let (side, whole) = (sides[place].width(), region[place].width());
            if whole.is_finite() { side / whole } else { side }
        };
        let longest = (0..sides.len())
            .filter(|place| can_split(&sides[*place]))
            .max_by(|a, b| length(*a).total_cmp(&length(*b)).then(b.cmp(a)))?;
        let middle = split_at(&sides[longest]);
        let (mut left, mut right) = (sides.to_vec(), sides.to_vec());
        left[longest] = Interval::new(sides[longest].lo(), middle).ok()?;
        right[longest] = Interval::new(middle, sides[longest].hi()).ok()?;
        Some([left, right])
    }
}

impl Theory for BoxTheory {
    type Witness = VariableBox;

    fn decide(&mut self, literals: &[TheoryLiteral]) -> Decision<VariableBox> {
        let effort = Effort {
            most_boxes: self.options.most_boxes,
            solves_equations: true,
        };
        let mut boxes = 0;
        let decision = self.decide_with(literals, effort, &mut boxes);
        self.boxes_of_refutation = boxes;
        decision
    }

    /// A part of a conflict is given little more than the whole took: most parts that take longer are feasible.
    fn refutes(&mut self, literals: &[TheoryLiteral]) -> bool {
        let boxes = 2 * self.boxes_of_refutation + 6;
        let effort = Effort {
            most_boxes: boxes.min(self.options.most_boxes_of_conflict),
            solves_equations: false,
        };
        let decision = self.decide_with(literals, effort, &mut 0);
        matches!(decision, Decision::Infeasible { .. })
    }
}

/// Do all constraints but the equations, which have a solution in this box, hold everywhere in it?
fn holds_in(constraints: &[Constraint], contractor: &Contractor, sides: &[Interval]) -> bool {
    let answers = contractor.check_sides(sides);
    let mut pairs = constraints.iter().zip(answers);
    pairs.all(|(constraint, answer)| equation(*constraint).is_some() || answer.certainly())
}

/// The function of an equation.
fn equation(constraint: Constraint) -> Option<NodeId> {
    match constraint {
        Constraint::Number {
            expression,
            relation: Relation::Equal,
        } => Some(expression),
        _ => None,
    }
}

fn unknown(reason: &str) -> Decision<VariableBox> {
    Decision::Unknown {
        reason: reason.to_owned(),
    }
}

fn infeasible(cores: Vec<Vec<usize>>, feasible: BTreeSet<usize>) -> Decision<VariableBox> {
    Decision::Infeasible {
        cores,
        cores_are_proved: true,
        feasible,
    }
}

/// Keeps the larger set of constraints that hold at one point.
fn note_best(answers: &[Tri], best: &mut BTreeSet<usize>) {
    let hold = (0..answers.len()).filter(|place| answers[*place].certainly());
    let hold: BTreeSet<usize> = hold.collect();
    if hold.len() > best.len() {
        *best = hold;
    }
}

/// Where to halve a side: its middle; on an unbounded one ten times further out than its end.
fn split_at(side: &Interval) -> f64 {
    const FURTHER: f64 = 10.0;
    let outwards = |end: f64| (FURTHER * end).clamp(1.0, f64::MAX);
    match (side.lo().is_finite(), side.hi().is_finite()) {
        (true, true) => side.mid().unwrap_or(0.0),
        (true, false) => outwards(side.lo()),
        (false, true) => -outwards(-side.hi()),
        (false, false) => 0.0,
    }
}
