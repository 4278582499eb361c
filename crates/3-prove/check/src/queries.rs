//! Questions about one step of the flow, put to the lazy SMT solver [002, algorithms 2 and 5].
//!
//! | question of algorithm 2 | formula |
//! |---|---|
//! | does the step enter guard j? | step ∧ G_j(x) |
//! | does the step reach the unsafe set inside the domain? | step ∧ Dom(x) ∧ ¬φ(x) |
//!
//! The step x = ODE(f, x⁽ⁱ⁾, s) is a literal that the theory always assumes: [`StepTheory`] decides conjunctions of constraints at one state of the step. The domain is that
//! no guard was entered before, with the boundary.
//!
//! # The theory
//! *Refutation*: the step is cut into pieces of time; on each some constraint is false for every state (Taylor models), or forward-backward contraction on the box of the states
//! there empties it. The constraints used on the pieces are the conflict. *Witness*: a time at which all constraints hold for every state.
//!
//! # Guarantee
//! As the enclosures: rigorous both ways; what is neither is unknown.

use std::collections::{BTreeMap, BTreeSet};

use dyverse_enclose::Tube;
use dyverse_expr::{Pool, SymbolId};
use dyverse_formulas::{Condition, Constraint, Event, Relation};
use dyverse_num::{Interval, Tri};
use dyverse_smt::{
    AtomId, Contracted, Decision, Formula, Outcome, SmtOptions, Solver, Statistics, Theory, VariableBox,
};

use crate::watch::{Course, between};

/// Pieces of time for one conjunction.
const MOST_PIECES: usize = 120;
/// Contractions for one conjunction.
const MOST_CONTRACTIONS: usize = 24;

/// The questions about the steps of one location.
pub(crate) struct Queries {
    solver: Solver,
    atoms: Vec<Constraint>,
    numbers: BTreeMap<Constraint, AtomId>,
    guards: Vec<Formula>,
    domain: Vec<Formula>,
    unsafe_set: Formula,
}

impl Queries {
    pub(crate) fn new(events: &[Event], safe: &Condition) -> Self {
        let mut queries = Queries {
            solver: Solver::new(SmtOptions {
                most_records: 64,
                ..SmtOptions::default()
            }),
            atoms: Vec::new(),
            numbers: BTreeMap::new(),
            guards: Vec::new(),
            domain: Vec::new(),
            unsafe_set: Formula::falsehood(),
        };
        for event in events {
            let guard = queries.formula(&event.when);
            queries.guards.push(guard);
            let outside = queries.formula(&closure(&event.when.negated()));
            queries.domain.push(outside);
        }
        queries.unsafe_set = queries.formula(&safe.negated());
        queries
    }

    fn formula(&mut self, condition: &Condition) -> Formula {
        match condition {
            Condition::Constant(true) => Formula::truth(),
            Condition::Constant(false) => Formula::falsehood(),
            Condition::Atom(constraint) => {
                let next = AtomId(self.atoms.len() as u32);
                let id = *self.numbers.entry(*constraint).or_insert(next);
                if id == next {
                    self.atoms.push(*constraint);
                }
                Formula::from(id)
            }
            Condition::And(parts) => Formula::all(parts.iter().map(|p| self.formula(p)).collect::<Vec<_>>()),
            Condition::Or(parts) => Formula::any(parts.iter().map(|p| self.formula(p)).collect::<Vec<_>>()),
        }
    }

    /// Whether no state of the step enters a guard.
    pub(crate) fn never_enters(&mut self, step: &mut StepTheory<'_>, event: usize, time: f64) -> bool {
        let guard = self.guards[event].clone();
        self.refuted(step, &guard, time)
    }

    /// Whether no state of the step that is still in the domain is unsafe.
    pub(crate) fn never_unsafe(&mut self, step: &mut StepTheory<'_>, time: f64) -> bool {
        let mut parts = self.domain.clone();
        parts.push(self.unsafe_set.clone());
        self.refuted(step, &Formula::all(parts), time)
    }

    fn refuted(&mut self, step: &mut StepTheory<'_>, formula: &Formula, time: f64) -> bool {
        step.atoms = std::mem::take(&mut self.atoms);
        let outcome = self.solver.satisfy(formula, step, Some(time));
        self.atoms = std::mem::take(&mut step.atoms);
        matches!(outcome, Outcome::Unsatisfiable)
    }

    pub(crate) fn statistics(&self) -> &Statistics {
        self.solver.statistics()
    }
}

/// The smallest closed condition around one.
fn closure(condition: &Condition) -> Condition {
    condition.map(&mut |atom| {
        let relation = match atom.relation {
            Relation::Greater => Relation::GreaterEqual,
            Relation::Less => Relation::LessEqual,
            Relation::NotEqual => return Condition::Constant(true),
            closed => closed,
        };
        Condition::Atom(Constraint {
            node: atom.node,
            relation,
        })
    })
}

/// States of one step, up to a time.
pub(crate) struct StepTheory<'a> {
    course: Course<'a>,
    tube: &'a Tube,
    pool: &'a Pool,
    unknowns: &'a [Interval],
    until: f64,
    atoms: Vec<Constraint>,
}

impl<'a> StepTheory<'a> {
    pub(crate) fn new(
        course: Course<'a>,
        tube: &'a Tube,
        pool: &'a Pool,
        unknowns: &'a [Interval],
        until: f64,
    ) -> Self {
        StepTheory {
            course,
            tube,
            pool,
            unknowns,
            until,
            atoms: Vec::new(),
        }
    }

    fn truth(&self, constraint: &Constraint, times: Interval) -> Tri {
        self.course.truth_of(constraint, times)
    }

    /// Whether contraction empties the box of the states in a piece of time.
    fn is_emptied(&self, constraints: &[Constraint], times: Interval) -> bool {
        let count = self.tube.hull().len();
        let states = (0..count).map(|i| self.tube.state(i).range_on(times));
        let all = states.chain(self.unknowns.iter().copied());
        let region: VariableBox = all.enumerate().map(|(i, x)| (SymbolId(i as u32), x)).collect();
        matches!(
            dyverse_smt::contract(self.pool, constraints, &region),
            Ok(Contracted::Empty)
        )
    }
}

impl Theory for StepTheory<'_> {
    /// A time at which all constraints hold, for every state.
    type Witness = f64;

    fn decide(&mut self, asked: &[AtomId]) -> Decision<f64> {
        let unknown = |reason: &str| Decision::Unknown {
            reason: reason.into(),
        };
        let constraints: Vec<Constraint> = asked.iter().map(|id| self.atoms[id.0 as usize]).collect();
        let mut used: BTreeSet<usize> = BTreeSet::new();
        let mut waiting = vec![(0.0, self.until)];
        let (mut pieces, mut contractions) = (0, 0);
        while let Some((a, b)) = waiting.pop() {
            let times = between(a, b);
            pieces += 1;
            if let Some(place) = constraints
                .iter()
                .position(|c| self.truth(c, times) == Tri::False)
            {
                used.insert(place);
                continue;
            }
            let middle = 0.5 * (a + b);
            if constraints
                .iter()
                .all(|c| self.truth(c, Interval::point(middle)) == Tri::True)
            {
                return Decision::Feasible(middle);
            }
            // Contraction is for what time alone does not decide.
            let is_small = b - a < 0.02 * self.until;
            if is_small && contractions < MOST_CONTRACTIONS {
                contractions += 1;
                if self.is_emptied(&constraints, times) {
                    used.extend(0..constraints.len());
                    continue;
                }
            }
            if pieces >= MOST_PIECES || b - a < 1e-4 * self.until {
                return unknown("the step was not decided");
            }
            waiting.push((middle, b));
            waiting.push((a, middle));
        }
        Decision::Infeasible {
            core: used.into_iter().collect(),
        }
    }
}
