//! One box of unknowns: all discrete evolutions from it, depth first [002, algorithms 1 to 4].
//!
//! | algorithm | here |
//! |---|---|
//! | 1 DepthFirstSearch | [`Explorer::explore`] |
//! | 2 ExploreDynamicalLocation | `Explorer::location`: the tube grows by steps; guards entered, domain exhausted, unsafe reached |
//! | 3 CreateRoots | `Explorer::location`, the crossing: the last step is elastic and ends on the guard's boundary |
//! | 4 ExploreCompNode | `Explorer::jump`: every mode that the contact law may have |
//!
//! # Guarantee
//! `Safe`: no trajectory from the box violates the property. `Unsafe`: every trajectory from the box does. Everything else is `Undecided`, with the reason. Limits
//! make it so, never anything else.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use dyverse_enclose::{Basis, Failure, FlowProgram, Formulas, StateSet, TaylorModel};
use dyverse_equations::{Condition, Constraint, Event, Evolution};
use dyverse_expr::Pool;
use dyverse_num::{Interval, Tri};
use dyverse_proof::{Branch, Stay, StayEnd, Way, claim};

use crate::boxes::{UnknownBox, degree_for};
use crate::outcome::{Figures, Limits, Outcome, Reason};
use crate::queries::Queries;
use crate::record::Record;
use crate::watch::{Watched, compare, evaluate};

/// A location made ready.
pub(crate) struct Room {
    pub(crate) program: FlowProgram,
    pub(crate) events: Vec<Event>,
    pub(crate) safe: Condition,
    pub(crate) watched: Watched,
    pub(crate) known: Vec<Constraint>,
}

/// Explores boxes of one question.
pub struct Explorer<E: Evolution> {
    pub(crate) evolution: E,
    pub(crate) horizon: f64,
    pub(crate) limits: Limits,
    rooms: BTreeMap<E::Place, Rc<Room>>,
    pub(crate) formulas: BTreeMap<dyverse_expr::NodeId, Formulas>,
    pub(crate) figures: Figures,
    pub(crate) unknowns: Vec<TaylorModel>,
    pub(crate) ranges: Vec<Interval>,
    basis: Option<Arc<Basis>>,
    /// Steps and jumps before the box at hand.
    pub(crate) steps_before: usize,
    jumps_before: usize,
    pub(crate) sides: Vec<Interval>,
    pub(crate) suspect: Option<(f64, Vec<f64>)>,
    pub(crate) queries: BTreeMap<E::Place, Queries>,
    /// Where trajectories are, if somebody wants to know.
    pub(crate) record: Option<Record>,
}

pub(crate) enum End {
    Safe(Stay),
    Unsafe { time: (f64, f64), place: String },
}

pub(crate) type Explored = Result<End, Reason>;

impl<E: Evolution> Explorer<E> {
    /// For a property that looks at times up to `horizon`.
    pub fn new(evolution: E, horizon: f64, limits: Limits) -> Self {
        Explorer {
            evolution,
            horizon,
            limits,
            rooms: BTreeMap::new(),
            formulas: BTreeMap::new(),
            figures: Figures::default(),
            unknowns: Vec::new(),
            basis: None,
            steps_before: 0,
            jumps_before: 0,
            sides: Vec::new(),
            suspect: None,
            ranges: Vec::new(),
            queries: BTreeMap::new(),
            record: None,
        }
    }

    /// All trajectories with the unknowns in a box.
    pub fn explore(&mut self, unknowns: &UnknownBox) -> Outcome {
        let varying = unknowns.sides.iter().filter(|s| !s.is_point()).count();
        let (basis, models) = unknowns.models(degree_for(varying));
        self.unknowns = models;
        self.sides = unknowns.sides.clone();
        self.suspect = None;
        self.ranges = self.unknowns.iter().map(TaylorModel::bound).collect();
        self.basis = Some(basis);
        self.steps_before = self.figures.steps;
        self.jumps_before = self.figures.jumps;
        let begun = self.begin();
        let end = begun.and_then(|(place, set)| self.begun_at(&place, set));
        for queries in std::mem::take(&mut self.queries).into_values() {
            self.figures.questions.add(&queries.statistics(), self.horizon);
        }
        match end {
            Ok(End::Safe(stay)) => Outcome::Safe(stay),
            Ok(End::Unsafe { time, place }) => Outcome::Unsafe { time, place },
            Err(reason) => Outcome::Undecided(reason),
        }
    }

    /// The start is a moment of its own: an event at once must not hide it.
    fn begun_at(&mut self, place: &E::Place, set: StateSet) -> Explored {
        let safe = self.evolution.safe(place).map_err(|o| Reason::Obstacle(o.what))?;
        let truth = self.judge(&set, &safe);
        // At an instant the contacts that will be closed are not known yet, so a violation may be none.
        if truth == Tri::False && !self.evolution.is_instant(place) {
            let now = time_of(&set);
            return Ok(End::Unsafe {
                time: (now.lo(), now.hi()),
                place: place.to_string(),
            });
        }
        match self.place(place, set, 0)? {
            End::Safe(_) if truth != Tri::True => Err(Reason::Property { time: 0.0 }),
            end => Ok(end),
        }
    }

    /// The unknowns of the last box at which the property came closest to breaking, by the polynomials: a guess at a counterexample.
    pub fn suspect(&self) -> Option<&[f64]> {
        self.suspect.as_ref().map(|(_, values)| values.as_slice())
    }

    /// The figures so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    fn begin(&mut self) -> Result<(E::Place, StateSet), Reason> {
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
        let set = StateSet::new(&values);
        Ok((place, set))
    }

    pub(crate) fn place(&mut self, place: &E::Place, set: StateSet, depth: usize) -> Explored {
        if depth > self.limits.depth {
            return Err(Reason::Limit(format!(
                "more than {} transitions",
                self.limits.depth
            )));
        }
        if self.evolution.is_instant(place) {
            let now = time_of(&set);
            if let Some(record) = &mut self.record {
                record.instant(place, &set);
            }
            let found = self.jump(place, None, &set, depth)?;
            Ok(found.map(|ways| Stay {
                place: place.to_string(),
                hull: Vec::new(),
                end: StayEnd::Branches(vec![branch(String::new(), now, ways)]),
            }))
        } else {
            self.location(place, set, depth)
        }
    }

    pub(crate) fn room(&mut self, place: &E::Place) -> Result<Rc<Room>, Reason> {
        if let Some(room) = self.rooms.get(place) {
            return Ok(room.clone());
        }
        let obstacle = |o: dyverse_equations::Obstacle| Reason::Obstacle(o.what);
        let flow = self.evolution.flow(place).map_err(obstacle)?;
        let events = self.evolution.events(place).map_err(obstacle)?;
        let safe = self.evolution.safe(place).map_err(obstacle)?;
        let known = self.evolution.known_at_start(place).map_err(obstacle)?;
        let mut watched = Watched::default();
        events.iter().for_each(|event| watched.add(&event.when));
        watched.add(&safe);
        let room = Rc::new(Room {
            program: self
                .evolution
                .with_pool(|pool| FlowProgram::new(pool, &flow.rates, &watched.nodes)),
            events,
            safe,
            watched,
            known,
        });
        self.rooms.insert(place.clone(), room.clone());
        Ok(room)
    }

    pub(crate) fn judge(&self, set: &StateSet, condition: &Condition) -> Tri {
        self.evolution
            .with_pool(|pool| judge(pool, &set.whole(), &self.unknowns, condition))
    }

    /// Algorithm 4: every way to go on.
    pub(crate) fn jump(
        &mut self,
        place: &E::Place,
        event: Option<usize>,
        set: &StateSet,
        depth: usize,
    ) -> Result<Found<Vec<Way>>, Reason> {
        let now = time_of(set);
        if now.lo() > self.horizon {
            return Ok(Found::Safe(Vec::new()));
        }
        let (whole, unknowns) = (set.whole(), self.unknowns.clone());
        let judging = |pool: &Pool, condition: &Condition| judge(pool, &whole, &unknowns, condition);
        let jumps = self
            .evolution
            .jumps(place, event, &judging)
            .map_err(|o| Reason::Obstacle(o.what))?;
        let mut unsafe_end = None;
        let mut safe = Vec::new();
        for jump in jumps {
            if self.judge(set, &jump.when) == Tri::False {
                continue;
            }
            if !jump.auxiliaries.is_empty() {
                return Err(Reason::Obstacle(format!(
                    "{}: impulses without a closed form",
                    jump.label
                )));
            }
            self.figures.jumps += 1;
            // Collisions one by one, each in doubt, branch without any step.
            if self.figures.jumps - self.jumps_before > self.limits.steps {
                return Err(Reason::Limit(format!("more than {} jumps", self.limits.steps)));
            }
            let moments = self.evolution.moments(place, &jump);
            let moments = moments.map_err(|o| Reason::Obstacle(o.what))?;
            let truth = moments.iter().map(|safe| self.judge(set, safe));
            let mut truth = truth.fold(Tri::True, Tri::and);
            let reset = self.evolution.with_pool(|pool| Formulas::new(pool, &jump.reset));
            let after = reset.reset(set, &self.unknowns).map_err(|f| lost(&f, now.lo()))?;
            if !self.evolution.is_instant(&jump.target) {
                let safe = self
                    .evolution
                    .safe(&jump.target)
                    .map_err(|o| Reason::Obstacle(o.what))?;
                truth = truth.and(self.judge(&after, &safe));
            }
            match truth {
                Tri::True => {}
                Tri::False => {
                    unsafe_end = Some(((now.lo(), now.hi()), jump.target.to_string()));
                    continue;
                }
                Tri::Unknown => return Err(Reason::Property { time: now.lo() }),
            }
            match self.place(&jump.target, after, depth + 1)? {
                End::Safe(stay) => safe.push(Way {
                    label: jump.label,
                    stay,
                }),
                End::Unsafe { time, place } => unsafe_end = Some((time, place)),
            }
        }
        verdict(safe, unsafe_end, now.lo())
    }
}

/// What was found of several ways together.
pub(crate) enum Found<T> {
    Safe(T),
    Unsafe((f64, f64), String),
}

impl<T> Found<T> {
    pub(crate) fn map(self, stay: impl FnOnce(T) -> Stay) -> End {
        match self {
            Found::Safe(all) => End::Safe(stay(all)),
            Found::Unsafe(time, place) => End::Unsafe { time, place },
        }
    }
}

/// Of several ways, some safe and some not: nothing is proved of the box.
pub(crate) fn verdict<T>(
    safe: Vec<T>,
    unsafe_end: Option<((f64, f64), String)>,
    time: f64,
) -> Result<Found<Vec<T>>, Reason> {
    match (safe.is_empty(), unsafe_end) {
        (true, Some((time, place))) => Ok(Found::Unsafe(time, place)),
        (false, Some(_)) => Err(Reason::Property { time }),
        (false, None) => Ok(Found::Safe(safe)),
        (true, None) => Err(Reason::Event {
            label: "no way to go on was found: an event".into(),
            time,
        }),
    }
}

pub(crate) fn branch(event: String, time: Interval, ways: Vec<Way>) -> Branch {
    Branch {
        event,
        time: claim(time),
        ways,
    }
}

/// The time component of a set: the last.
pub(crate) fn time_of(set: &StateSet) -> Interval {
    set.hull().last().copied().unwrap_or(Interval::ENTIRE)
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
    condition: &Condition,
) -> Tri {
    evaluate(condition, &|atom| {
        let formulas = Formulas::new(pool, &[atom.node]);
        match formulas.on(states, unknowns) {
            Ok(values) => values
                .first()
                .map_or(Tri::Unknown, |v| compare(atom.relation, v.bound())),
            Err(_) => Tri::Unknown,
        }
    })
}
