//! One box of unknowns: what is needed to follow all its discrete evolutions.
//!
//! | paper 002 | here |
//! |---|---|
//! | Algorithm 1, DepthFirstSearch | `depth_first_search.rs` |
//! | Algorithm 2, ExploreDynamicalLocation | `explore_dynamical_location.rs` |
//! | Algorithm 3, CreateRoots | `create_roots.rs` |
//! | Algorithm 4, ExploreCompNode | `explore_comp_node.rs` |
//! | Algorithm 5, Satisfy | `dyverse_smt`, asked by `queries.rs` |
//! | I(x(0)), P | [`UnknownBox`], [`Explorer::explore`] |
//!
//! # Guarantee
//! `Safe`: no trajectory from the box violates the property. `Unsafe`: every trajectory from the box does. Everything else is `Undecided`, with the reason. Limits
//! make it so, never anything else.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use dyverse_enclose::{Basis, Failure, FlowProgram, Formulas, StateSet, TaylorModel};
use dyverse_expr::Pool;
use dyverse_formulas::{Condition, Constraint, Event, Evolution};
use dyverse_num::{Interval, Tri};
use dyverse_proof::Stay;

use crate::boxes::{UnknownBox, degree_for};
use crate::create_roots::RootFormula;
use crate::depth_first_search::{End, Explored, Violation};
use crate::outcome::{Figures, Limits, Outcome, Reason};
use crate::queries::Queries;
use crate::record::Record;
use crate::watch::{Watched, compare, evaluate, told};

/// A location made ready.
pub(crate) struct PreparedLocation {
    pub(crate) program: FlowProgram,
    pub(crate) events: Vec<Event>,
    pub(crate) safe: Condition,
    pub(crate) watched: Watched,
    pub(crate) known: Vec<Constraint>,
}

/// Explores boxes of one question.
pub struct Explorer<E: Evolution> {
    pub(crate) evolution: E,
    /// The last time that matters.
    pub(crate) horizon: f64,
    /// What steps are short beside.
    pub(crate) scale: f64,
    pub(crate) limits: Limits,
    prepared: BTreeMap<E::Place, Rc<PreparedLocation>>,
    pub(crate) formulas: BTreeMap<dyverse_expr::NodeId, Formulas>,
    pub(crate) figures: Figures,
    pub(crate) unknowns: Vec<TaylorModel>,
    pub(crate) ranges: Vec<Interval>,
    basis: Option<Arc<Basis>>,
    /// Steps and jumps before the box at hand.
    pub(crate) steps_before: usize,
    pub(crate) jumps_before: usize,
    pub(crate) sides: Vec<Interval>,
    pub(crate) suspect: Option<(f64, Vec<f64>)>,
    /// Unknowns at which an event that could not be told may happen, or not.
    pub(crate) turning: Vec<Vec<f64>>,
    pub(crate) queries: BTreeMap<E::Place, Queries>,
    /// Where trajectories are, if somebody wants to know.
    pub(crate) record: Option<Record>,
}

impl<E: Evolution> Explorer<E> {
    /// For a property that looks at times up to `horizon`: also at every moment there.
    pub fn new(evolution: E, horizon: f64, limits: Limits) -> Self {
        Explorer {
            evolution,
            // It may stand for a decimal that is a little later.
            horizon: horizon.next_up(),
            scale: if horizon > 0.0 { horizon } else { 1.0 },
            limits,
            prepared: BTreeMap::new(),
            formulas: BTreeMap::new(),
            figures: Figures::default(),
            unknowns: Vec::new(),
            basis: None,
            steps_before: 0,
            jumps_before: 0,
            sides: Vec::new(),
            suspect: None,
            turning: Vec::new(),
            ranges: Vec::new(),
            queries: BTreeMap::new(),
            record: None,
        }
    }

    /// All trajectories with the unknowns in a box.
    pub fn explore(&mut self, unknowns: &UnknownBox) -> Outcome {
        let varying = unknowns.sides.iter().filter(|s| !s.is_point()).count();
        let (basis, models) = unknowns.models(degree_for(varying), self.limits.interrupt.as_ref());
        self.unknowns = models;
        self.sides = unknowns.sides.clone();
        self.suspect = None;
        self.turning.clear();
        self.ranges = self.unknowns.iter().map(TaylorModel::bound).collect();
        self.basis = Some(basis);
        self.steps_before = self.figures.steps;
        self.jumps_before = self.figures.jumps;
        let begun = self.begin();
        let end = begun.and_then(|root| match self.begun_at(root.clone())? {
            end @ End::Unsafe(_) => self.may_begin(&root).map(|()| end),
            end @ End::Safe(_) => Ok(end),
        });
        for queries in std::mem::take(&mut self.queries).into_values() {
            self.figures.questions.add(queries.statistics(), self.horizon);
        }
        match end {
            Ok(End::Safe(stays)) => Outcome::Safe(stays),
            Ok(End::Unsafe(Violation { time, place })) => Outcome::Unsafe { time, place },
            // Whatever is said of the box then comes of that.
            Err(_) if self.basis.as_ref().is_some_and(|basis| basis.was_ended()) => {
                Outcome::Undecided(stopped_here())
            }
            Err(reason) => Outcome::Undecided(reason),
        }
    }

    /// A violation by what no run begins with is none.
    fn may_begin(&mut self, start: &RootFormula<E::Place>) -> Result<(), Reason> {
        let begins = self.evolution.begins().map_err(|o| Reason::Obstacle(o.what))?;
        match self.judge(start, &begins) {
            Tri::True => Ok(()),
            Tri::False => Err(Reason::Obstacle(
                "bodies overlap at the start: no run begins there".into(),
            )),
            Tri::Unknown => Err(Reason::Limit(
                "bodies may overlap at the start: no run begins where they do".into(),
            )),
        }
    }

    /// The start is a moment of its own: an event at once must not hide it.
    fn begun_at(&mut self, root: RootFormula<E::Place>) -> Explored<Vec<Stay>> {
        let place = &root.location;
        let safe = self.evolution.safe(place).map_err(|o| Reason::Obstacle(o.what))?;
        let truth = self.judge(&root, &safe);
        // At an instant the contacts that will be closed are not known yet, so a violation may be none.
        if truth == Tri::False && !self.evolution.is_instant(place) {
            let now = time_of(&root.set);
            return Ok(End::Unsafe(Violation {
                time: (now.lo(), now.hi()),
                place: place.to_string(),
            }));
        }
        match self.depth_first_search(root)? {
            End::Safe(_) if truth != Tri::True => Err(Reason::Property { time: 0.0 }),
            end => Ok(end),
        }
    }

    /// Unknowns of the last box at which the property came closest to breaking, by the polynomials, or at which an event that could not be told may happen: guesses at a
    /// counterexample.
    pub fn suspects(&self) -> Vec<Vec<f64>> {
        let closest = self.suspect.iter().map(|(_, values)| values);
        closest.chain(&self.turning).cloned().collect()
    }

    /// The figures so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    fn begin(&mut self) -> Result<RootFormula<E::Place>, Reason> {
        let (place, states) = self.evolution.start().map_err(|o| Reason::Obstacle(o.what))?;
        let formulas = self.evolution.with_pool(|pool| Formulas::new(pool, &states));
        // Symbols of states do not occur: places are filled so that unknowns have their numbers.
        let Some(basis) = self.basis.clone() else {
            return Err(Reason::Obstacle("there is nothing to explore".into()));
        };
        let blank = TaylorModel::constant(&basis, Interval::ZERO);
        let blanks = vec![blank; states.len()];
        let values = formulas
            .on(&blanks, &self.unknowns)
            .map_err(|u| lost(&Failure::Undefined(u), 0.0))?;
        Ok(RootFormula::new(place, StateSet::new(&values)))
    }

    /// Whether somebody wants it to end.
    pub(crate) fn go_on(&self) -> Result<(), Reason> {
        match &self.limits.interrupt {
            Some(interrupt) if interrupt.is_set() => Err(stopped_here()),
            _ => Ok(()),
        }
    }

    pub(crate) fn prepared(&mut self, place: &E::Place) -> Result<Rc<PreparedLocation>, Reason> {
        if let Some(prepared) = self.prepared.get(place) {
            return Ok(prepared.clone());
        }
        let obstacle = |o: dyverse_formulas::Obstacle| Reason::Obstacle(o.what);
        let flow = self.evolution.flow(place).map_err(obstacle)?;
        let events = self.evolution.events(place).map_err(obstacle)?;
        let safe = self.evolution.safe(place).map_err(obstacle)?;
        let known = self.evolution.known_at_start(place).map_err(obstacle)?;
        let mut watched = Watched::default();
        events.iter().for_each(|event| watched.add(&event.when));
        watched.add(&safe);
        self.evolution.with_pool(|pool| watched.pair(pool));
        let prepared = Rc::new(PreparedLocation {
            program: self
                .evolution
                .with_pool(|pool| FlowProgram::new(pool, &flow.rates, &watched.nodes)),
            events,
            safe,
            watched,
            known,
        });
        self.prepared.insert(place.clone(), prepared.clone());
        Ok(prepared)
    }

    pub(crate) fn judge(&self, at: &RootFormula<E::Place>, condition: &Condition) -> Tri {
        self.evolution
            .with_pool(|pool| judge(pool, &at.set.whole(), &self.unknowns, &at.facts, condition))
    }

    pub(crate) fn judge_with(
        &self,
        at: &RootFormula<E::Place>,
        unknowns: &[TaylorModel],
        condition: &Condition,
    ) -> Tri {
        self.evolution
            .with_pool(|pool| judge(pool, &at.set.whole(), unknowns, &at.facts, condition))
    }

    /// Unknowns, then auxiliaries: as symbols are numbered.
    pub(crate) fn with_auxiliaries(&self, auxiliaries: &[TaylorModel]) -> Vec<TaylorModel> {
        self.unknowns.iter().chain(auxiliaries).cloned().collect()
    }
}

fn stopped_here() -> Reason {
    Reason::Limit("the search was stopped in this box".into())
}

/// The time component of a set: the last.
pub(crate) fn time_of(set: &StateSet) -> Interval {
    match set.hull().last() {
        Some(time) => *time,
        None => unreachable!("bug: a set without time"),
    }
}

pub(crate) fn lost(failure: &Failure, time: f64) -> Reason {
    Reason::Enclosure {
        what: failure.to_string(),
        time,
    }
}

pub(crate) fn judge(
    pool: &Pool,
    states: &[TaylorModel],
    unknowns: &[TaylorModel],
    facts: &[Constraint],
    condition: &Condition,
) -> Tri {
    evaluate(condition, &|atom| {
        let formulas = Formulas::new(pool, &[atom.node]);
        let Ok(values) = formulas.on(states, unknowns) else {
            return Tri::Unknown;
        };
        let [value] = values.as_slice() else {
            unreachable!("bug: one formula has one value");
        };
        compare(atom.relation, told(pool, facts, atom.node, value.bound()))
    })
}
