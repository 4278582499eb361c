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
use dyverse_equations::{Condition, Constraint, Event, Evolution, Jump, Relation};
use dyverse_expr::{Node, NodeId, Pool, SymbolId};
use dyverse_num::{Interval, Tri};
use dyverse_proof::{Branch, Stay, StayEnd, Way, claim};

use crate::boxes::{UnknownBox, degree_for};
use crate::impulses::{Cover, Law, Missing};
use crate::outcome::{Figures, Limits, Outcome, Reason};
use crate::queries::Queries;
use crate::record::Record;
use crate::watch::{Watched, compare, evaluate, told};

/// A location made ready.
pub(crate) struct Room {
    pub(crate) program: FlowProgram,
    pub(crate) events: Vec<Event>,
    pub(crate) safe: Condition,
    pub(crate) watched: Watched,
    pub(crate) known: Vec<Constraint>,
}

/// States at a moment.
#[derive(Clone)]
pub(crate) struct Moment {
    pub(crate) set: StateSet,
    /// What holds of every state there, though the enclosure may not show it: on the boundary of a guard its formula is exactly zero.
    pub(crate) facts: Vec<Constraint>,
}

impl Moment {
    pub(crate) fn new(set: StateSet) -> Self {
        Moment {
            set,
            facts: Vec::new(),
        }
    }

    /// Facts about nothing that a reset changes.
    fn kept(&self, pool: &Pool, reset: &[NodeId]) -> Vec<Constraint> {
        let is_kept = |symbol: &SymbolId| {
            reset
                .get(symbol.0 as usize)
                .is_none_or(|new| pool.node(*new) == Node::Symbol(*symbol))
        };
        let about_kept = |fact: &&Constraint| pool.symbols(&[fact.node]).iter().all(is_kept);
        self.facts.iter().filter(about_kept).copied().collect()
    }
}

/// Explores boxes of one question.
pub struct Explorer<E: Evolution> {
    pub(crate) evolution: E,
    /// The last time that matters.
    pub(crate) horizon: f64,
    /// What steps are short beside.
    pub(crate) scale: f64,
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
    /// Unknowns at which an event that could not be told may happen, or not.
    pub(crate) turning: Vec<Vec<f64>>,
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
    /// For a property that looks at times up to `horizon`: also at every moment there.
    pub fn new(evolution: E, horizon: f64, limits: Limits) -> Self {
        Explorer {
            evolution,
            // It may stand for a decimal that is a little later.
            horizon: horizon.next_up(),
            scale: if horizon > 0.0 { horizon } else { 1.0 },
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
        let start = begun.as_ref().ok().map(|(_, set)| Moment::new(set.clone()));
        let end = begun.and_then(|(place, set)| self.begun_at(&place, Moment::new(set)));
        let end = end.and_then(|end| match (&end, &start) {
            (End::Unsafe { .. }, Some(start)) => self.may_begin(start).map(|()| end),
            _ => Ok(end),
        });
        for queries in std::mem::take(&mut self.queries).into_values() {
            self.figures.questions.add(&queries.statistics(), self.horizon);
        }
        match end {
            Ok(End::Safe(stay)) => Outcome::Safe(stay),
            Ok(End::Unsafe { time, place }) => Outcome::Unsafe { time, place },
            // Whatever is said of the box then comes of that.
            Err(_) if self.basis.as_ref().is_some_and(|basis| basis.was_ended()) => {
                Outcome::Undecided(stopped_here())
            }
            Err(reason) => Outcome::Undecided(reason),
        }
    }

    /// A violation by what no run begins with is none.
    fn may_begin(&mut self, start: &Moment) -> Result<(), Reason> {
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
    fn begun_at(&mut self, place: &E::Place, at: Moment) -> Explored {
        let safe = self.evolution.safe(place).map_err(|o| Reason::Obstacle(o.what))?;
        let truth = self.judge(&at, &safe);
        // At an instant the contacts that will be closed are not known yet, so a violation may be none.
        if truth == Tri::False && !self.evolution.is_instant(place) {
            let now = time_of(&at.set);
            return Ok(End::Unsafe {
                time: (now.lo(), now.hi()),
                place: place.to_string(),
            });
        }
        match self.place(place, at, 0)? {
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

    /// Whether somebody wants it to end.
    pub(crate) fn go_on(&self) -> Result<(), Reason> {
        match &self.limits.interrupt {
            Some(interrupt) if interrupt.is_set() => Err(stopped_here()),
            _ => Ok(()),
        }
    }

    pub(crate) fn place(&mut self, place: &E::Place, at: Moment, depth: usize) -> Explored {
        if depth > self.limits.depth {
            return Err(Reason::Limit(format!(
                "more than {} transitions",
                self.limits.depth
            )));
        }
        if self.evolution.is_instant(place) {
            let now = time_of(&at.set);
            if let Some(record) = &mut self.record {
                record.instant(place, &at.set);
            }
            let found = self.jump(place, None, &at, depth)?;
            Ok(found.map(|ways| Stay {
                place: place.to_string(),
                hull: Vec::new(),
                end: StayEnd::Branches(vec![branch(String::new(), now, ways)]),
            }))
        } else {
            self.location(place, at, depth)
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
        self.evolution.with_pool(|pool| watched.pair(pool));
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

    pub(crate) fn judge(&self, at: &Moment, condition: &Condition) -> Tri {
        self.evolution
            .with_pool(|pool| judge(pool, &at.set.whole(), &self.unknowns, &at.facts, condition))
    }

    fn judge_with(&self, at: &Moment, unknowns: &[TaylorModel], condition: &Condition) -> Tri {
        self.evolution
            .with_pool(|pool| judge(pool, &at.set.whole(), unknowns, &at.facts, condition))
    }

    /// Unknowns, then auxiliaries: as symbols are numbered.
    fn with_auxiliaries(&self, auxiliaries: &[TaylorModel]) -> Vec<TaylorModel> {
        self.unknowns.iter().chain(auxiliaries).cloned().collect()
    }

    /// The auxiliaries of a jump in all solutions of its equations that belong to it; `None` if there are none. Where energy is capped, it is shown not to be added.
    fn auxiliaries(
        &self,
        jump: &Jump<E::Place>,
        at: &Moment,
        covers: &mut Vec<Cover>,
    ) -> Result<Option<Vec<TaylorModel>>, Reason> {
        let Some(impulses) = &jump.impulses else {
            return match jump.auxiliaries.is_empty() {
                true => Ok(Some(Vec::new())),
                false => Err(Reason::Obstacle(format!("{}: no law", jump.label))),
            };
        };
        let time = time_of(&at.set).lo();
        let missing = |why: Missing| match why {
            Missing::Never(what) => Reason::Obstacle(format!("{}: {what}", jump.label)),
            Missing::Wide(what) => Reason::Enclosure { what, time },
        };
        let known = covers.iter().position(|cover| cover.of == impulses.law);
        let cover = match known {
            Some(place) => &covers[place],
            None => {
                let law = self
                    .evolution
                    .with_pool(|pool| Law::new(pool, &impulses.law, &at.set.whole(), &self.unknowns));
                let cover = law.and_then(|law| Cover::new(impulses.law.clone(), law));
                covers.push(cover.map_err(missing)?);
                &covers[covers.len() - 1]
            }
        };
        let Some(found) = cover.auxiliaries(&impulses.rows, jump.auxiliaries.len()) else {
            return Ok(None);
        };
        let with = self.with_auxiliaries(&found);
        if self.judge_with(at, &with, &jump.when) == Tri::False {
            return Ok(None);
        }
        for gain in &impulses.gains {
            let is = |relation: Relation| {
                let atom = Condition::Atom(Constraint {
                    node: *gain,
                    relation,
                });
                self.judge_with(at, &with, &atom)
            };
            let what = || {
                format!(
                    "the {} may add energy, and restitution that is capped there has no formulas",
                    jump.label
                )
            };
            match is(Relation::Positive) {
                Tri::False => {}
                Tri::True if cover.is_certain() => return Err(Reason::Obstacle(what())),
                // Smaller boxes may do.
                _ => return Err(Reason::Enclosure { what: what(), time }),
            }
        }
        Ok(Some(found))
    }

    /// Algorithm 4: every way to go on.
    pub(crate) fn jump(
        &mut self,
        place: &E::Place,
        event: Option<usize>,
        at: &Moment,
        depth: usize,
    ) -> Result<Found<Vec<Way>>, Reason> {
        let now = time_of(&at.set);
        if now.lo() > self.horizon {
            return Ok(Found::Safe(Vec::new()));
        }
        let (whole, unknowns) = (at.set.whole(), self.unknowns.clone());
        let judging =
            |pool: &Pool, condition: &Condition| judge(pool, &whole, &unknowns, &at.facts, condition);
        let jumps = self
            .evolution
            .jumps(place, event, &judging)
            .map_err(|o| Reason::Obstacle(o.what))?;
        let mut unsafe_end = None;
        let mut safe = Vec::new();
        let mut covers = Vec::new();
        for jump in jumps {
            self.go_on()?;
            if self.judge(at, &jump.when) == Tri::False {
                continue;
            }
            let Some(auxiliaries) = self.auxiliaries(&jump, at, &mut covers)? else {
                continue;
            };
            let with = self.with_auxiliaries(&auxiliaries);
            self.figures.jumps += 1;
            // Collisions one by one, each in doubt, branch without any step.
            if self.figures.jumps - self.jumps_before > self.limits.steps {
                return Err(Reason::Limit(format!("more than {} jumps", self.limits.steps)));
            }
            let moments = self.evolution.moments(place, &jump);
            let moments = moments.map_err(|o| Reason::Obstacle(o.what))?;
            let truth = moments.iter().map(|safe| self.judge_with(at, &with, safe));
            let mut truth = truth.fold(Tri::True, Tri::and);
            let (reset, mut facts) = self
                .evolution
                .with_pool(|pool| (Formulas::new(pool, &jump.reset), at.kept(pool, &jump.reset)));
            let set = if auxiliaries.is_empty() {
                reset.reset(&at.set, &self.unknowns)
            } else {
                // Auxiliaries have what the states deviate by in their remainders.
                let all = reset.on(&whole, &with);
                all.map(|models| StateSet::new(&models))
                    .map_err(Failure::Undefined)
            };
            let set = set.map_err(|f| lost(&f, now.lo()))?;
            facts.extend(jump.impulses.iter().flat_map(|impulses| &impulses.after));
            let after = Moment { set, facts };
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
                    impulses: auxiliaries.iter().map(|y| claim(y.bound())).collect(),
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

fn stopped_here() -> Reason {
    Reason::Limit("the search was stopped in this box".into())
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
    facts: &[Constraint],
    condition: &Condition,
) -> Tri {
    evaluate(condition, &|atom| {
        let formulas = Formulas::new(pool, &[atom.node]);
        let range = match formulas.on(states, unknowns) {
            Ok(values) => values.first().map_or(Interval::ENTIRE, TaylorModel::bound),
            Err(_) => return Tri::Unknown,
        };
        compare(atom.relation, told(pool, facts, atom.node, range))
    })
}
