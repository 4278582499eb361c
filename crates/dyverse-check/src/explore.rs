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
use std::sync::Arc;

use dyverse_enclose::{
    Basis, Failure, FlowProgram, FlowSettings, Formulas, StateSet, Stepper, TaylorModel, Tube,
};
use dyverse_equations::{Condition, Event, Evolution};
use dyverse_expr::Pool;
use dyverse_num::{Interval, Tri};
use dyverse_proof::{Branch, Stay, StayEnd, Way, claim};

use crate::boxes::{UnknownBox, degree_for};
use crate::watch::{Course, Holds, Occurrence, Watched, compare, evaluate};

/// What is known of a box.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// No trajectory violates the property; the tree of all discrete evolutions.
    Safe(Stay),
    /// Every trajectory violates it.
    Unsafe {
        /// A time of the violation, as an interval over the box, s.
        time: (f64, f64),
        /// Where.
        place: String,
    },
    /// Neither is proved.
    Undecided(Reason),
}

/// Why a box is undecided.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The property holds for some of the enclosure only.
    Property {
        /// From about this time on, s.
        time: f64,
    },
    /// Events cannot be told apart, or one may or may not happen (grazing).
    Event {
        /// Which.
        label: String,
        /// At about this time, s.
        time: f64,
    },
    /// An enclosure was lost.
    Enclosure {
        /// Why.
        what: String,
        /// At about this time, s.
        time: f64,
    },
    /// Something has no formulas.
    Obstacle(String),
    /// A limit was reached.
    Limit(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Property { time } => write!(f, "the property may or may not hold at about {time:.6} s"),
            Reason::Event { label, time } => {
                write!(
                    f,
                    "{label} may or may not happen, or not alone, at about {time:.6} s"
                )
            }
            Reason::Enclosure { what, time } => write!(f, "enclosure lost at about {time:.6} s: {what}"),
            Reason::Obstacle(what) | Reason::Limit(what) => f.write_str(what),
        }
    }
}

/// Figures of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Steps of the flow.
    pub steps: usize,
    /// Crossings.
    pub crossings: usize,
    /// Ways gone at nodes.
    pub jumps: usize,
    /// Discrete evolutions followed to their end.
    pub evolutions: usize,
}

impl Figures {
    /// Adds those of another exploration.
    pub fn add(&mut self, other: &Figures) {
        self.steps += other.steps;
        self.crossings += other.crossings;
        self.jumps += other.jumps;
        self.evolutions += other.evolutions;
    }
}

/// Limits of an exploration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Steps of the flow for one box.
    pub steps: usize,
    /// Transitions along one evolution.
    pub depth: usize,
    /// Of the flow.
    pub flow: FlowSettings,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 4000,
            depth: 400,
            flow: FlowSettings::default(),
        }
    }
}

/// A location made ready.
#[derive(Clone)]
struct Room {
    program: FlowProgram,
    events: Vec<Event>,
    safe: Condition,
    watched: Watched,
}

/// Explores boxes of one question.
pub struct Explorer<E: Evolution> {
    evolution: E,
    horizon: f64,
    limits: Limits,
    rooms: BTreeMap<E::Place, Room>,
    formulas: BTreeMap<dyverse_expr::NodeId, Formulas>,
    pub(crate) figures: Figures,
    unknowns: Vec<TaylorModel>,
    basis: Option<Arc<Basis>>,
}

enum End {
    Safe(Stay),
    Unsafe { time: (f64, f64), place: String },
}

type Explored = Result<End, Reason>;

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
        }
    }

    /// All trajectories with the unknowns in a box.
    pub fn explore(&mut self, unknowns: &UnknownBox) -> Outcome {
        let varying = unknowns.sides.iter().filter(|s| !s.is_point()).count();
        let (basis, models) = unknowns.models(degree_for(varying));
        self.unknowns = models;
        self.basis = Some(basis);
        let steps = self.figures.steps;
        let begun = self.begin();
        let end = begun.and_then(|(place, set)| self.place(&place, set, 0, steps));
        match end {
            Ok(End::Safe(stay)) => Outcome::Safe(stay),
            Ok(End::Unsafe { time, place }) => Outcome::Unsafe { time, place },
            Err(reason) => Outcome::Undecided(reason),
        }
    }

    /// The figures so far.
    pub fn figures(&self) -> Figures {
        self.figures
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
        let safe = self
            .evolution
            .safe(&place)
            .map_err(|o| Reason::Obstacle(o.what))?;
        let _ = safe;
        Ok((place, set))
    }

    fn place(&mut self, place: &E::Place, set: StateSet, depth: usize, steps: usize) -> Explored {
        if depth > self.limits.depth {
            return Err(Reason::Limit(format!(
                "more than {} transitions",
                self.limits.depth
            )));
        }
        if self.evolution.is_instant(place) {
            let now = time_of(&set);
            let found = self.jump(place, None, &set, depth, steps)?;
            Ok(found.map(|ways| Stay {
                place: place.to_string(),
                hull: Vec::new(),
                end: branches(vec![branch(String::new(), now, ways)]),
            }))
        } else {
            self.location(place, set, depth, steps)
        }
    }

    fn room(&mut self, place: &E::Place) -> Result<Room, Reason> {
        if let Some(room) = self.rooms.get(place) {
            return Ok(room.clone());
        }
        let obstacle = |o: dyverse_equations::Obstacle| Reason::Obstacle(o.what);
        let flow = self.evolution.flow(place).map_err(obstacle)?;
        let events = self.evolution.events(place).map_err(obstacle)?;
        let safe = self.evolution.safe(place).map_err(obstacle)?;
        let mut watched = Watched::default();
        events.iter().for_each(|event| watched.add(&event.when));
        watched.add(&safe);
        let room = Room {
            program: self
                .evolution
                .with_pool(|pool| FlowProgram::new(pool, &flow.rates, &watched.nodes)),
            events,
            safe,
            watched,
        };
        self.rooms.insert(place.clone(), room.clone());
        Ok(room)
    }

    /// Algorithm 2.
    fn location(&mut self, place: &E::Place, mut set: StateSet, depth: usize, steps: usize) -> Explored {
        let room = self.room(place)?;
        let mut before = 0.0;
        let mut hull: Vec<Interval> = set.hull();
        let stay = |hull: &[Interval], end: StayEnd| Stay {
            place: place.to_string(),
            hull: hull.iter().map(|x| claim(*x)).collect(),
            end,
        };
        loop {
            let now = time_of(&set);
            let left = self.horizon - now.lo();
            if left <= 0.0 {
                self.figures.evolutions += 1;
                return Ok(End::Safe(stay(&hull, StayEnd::Horizon)));
            }
            if self.figures.steps - steps > self.limits.steps {
                return Err(Reason::Limit(format!("more than {} steps", self.limits.steps)));
            }
            self.figures.steps += 1;
            let unknowns = self.unknowns.clone();
            let stepper = Stepper::new(&room.program, &unknowns, self.limits.flow);
            let tube = stepper
                .step(&set, before, left * 1.000_001)
                .map_err(|f| lost(&f, now.lo()))?;
            let course = Course::new(&tube, &room.watched);
            let until = tube.span.hi();
            let found: Vec<Occurrence> = room
                .events
                .iter()
                .map(|event| course.occurrence(&event.when, until))
                .collect();
            match next(&found, until, before) {
                Next::Nothing => {
                    if let Some(end) = self.property(&course, &room.safe, until, now, place)? {
                        return Ok(end);
                    }
                    grow(&mut hull, &tube, until);
                    set = tube.set_at(&set, until).map_err(|f| lost(&f, now.lo()))?;
                    before = 0.0;
                }
                Next::Cut(at) => {
                    if let Some(end) = self.property(&course, &room.safe, at, now, place)? {
                        return Ok(end);
                    }
                    grow(&mut hull, &tube, at);
                    set = tube.set_at(&set, at).map_err(|f| lost(&f, now.lo()))?;
                    before = 0.0;
                }
                Next::Back(by) => before = by,
                Next::Unclear(event) => {
                    return Err(Reason::Event {
                        label: room.events[event].label.clone(),
                        time: now.lo(),
                    });
                }
                Next::AtOnce(event) => {
                    let found = self.jump(place, Some(event), &set, depth, steps)?;
                    let label = room.events[event].label.clone();
                    return Ok(found.map(|ways| stay(&hull, branches(vec![branch(label, now, ways)]))));
                }
                Next::Events(events, last) => {
                    if let Some(end) = self.property(&course, &room.safe, last, now, place)? {
                        return Ok(end);
                    }
                    grow(&mut hull, &tube, last);
                    let found = self.cross(place, &room, &tube, &set, &found, &events, depth, steps)?;
                    return Ok(found.map(|all| stay(&hull, branches(all))));
                }
            }
        }
    }

    fn property(
        &mut self,
        course: &Course<'_>,
        safe: &Condition,
        until: f64,
        now: Interval,
        place: &E::Place,
    ) -> Result<Option<End>, Reason> {
        match course.holds(safe, 0.0, until) {
            Holds::Always => Ok(None),
            Holds::Broken(at) => Ok(Some(End::Unsafe {
                time: (now.lo() + at, now.hi() + at),
                place: place.to_string(),
            })),
            Holds::Open(at) => Err(Reason::Property { time: now.lo() + at }),
        }
    }

    /// Algorithm 3: each event that may be the first, at its boundary.
    #[allow(clippy::too_many_arguments)]
    fn cross(
        &mut self,
        place: &E::Place,
        room: &Room,
        tube: &Tube,
        set: &StateSet,
        found: &[Occurrence],
        events: &[usize],
        depth: usize,
        steps: usize,
    ) -> Result<Found<Vec<Branch>>, Reason> {
        let now = time_of(set);
        let mut unsafe_end = None;
        let mut safe = Vec::new();
        for event in events {
            let Occurrence::Certain { window, node } = &found[*event] else {
                continue;
            };
            let guard = self
                .formulas
                .entry(*node)
                .or_insert_with(|| self.evolution.with_pool(|pool| Formulas::new(pool, &[*node])))
                .clone();
            let course = Course::new(tube, &room.watched);
            let Some(along) = course.along(*node) else {
                return Err(Reason::Limit("a guard that is not watched".into()));
            };
            let crossed = tube
                .crossed(set, &guard, along, *window, &self.unknowns)
                .map_err(|f| lost(&f, now.lo() + window.lo()))?;
            self.figures.crossings += 1;
            // Is another event certainly over by then? Then this one is not the first.
            let is_late = events
                .iter()
                .filter(|other| *other != event)
                .any(|other| self.judge(&crossed.set, &strictly(&room.events[*other].when)) == Tri::True);
            if is_late {
                continue;
            }
            match self.jump(place, Some(*event), &crossed.set, depth, steps)? {
                Found::Safe(ways) => {
                    let label = room.events[*event].label.clone();
                    safe.push(branch(label, time_of(&crossed.set), ways));
                }
                Found::Unsafe(time, place) => unsafe_end = Some((time, place)),
            }
        }
        verdict(safe, unsafe_end, now.lo())
    }

    fn judge(&self, set: &StateSet, condition: &Condition) -> Tri {
        self.evolution
            .with_pool(|pool| judge(pool, &set.whole(), &self.unknowns, condition))
    }

    /// Algorithm 4: every way to go on.
    fn jump(
        &mut self,
        place: &E::Place,
        event: Option<usize>,
        set: &StateSet,
        depth: usize,
        steps: usize,
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
            let reset = self.evolution.with_pool(|pool| Formulas::new(pool, &jump.reset));
            let after = reset.reset(set, &self.unknowns).map_err(|f| lost(&f, now.lo()))?;
            if !self.evolution.is_instant(&jump.target) {
                let safe = self
                    .evolution
                    .safe(&jump.target)
                    .map_err(|o| Reason::Obstacle(o.what))?;
                match self.judge(&after, &safe) {
                    Tri::True => {}
                    Tri::False => {
                        unsafe_end = Some(((now.lo(), now.hi()), jump.target.to_string()));
                        continue;
                    }
                    Tri::Unknown => return Err(Reason::Property { time: now.lo() }),
                }
            }
            match self.place(&jump.target, after, depth + 1, steps)? {
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
enum Found<T> {
    Safe(T),
    Unsafe((f64, f64), String),
}

impl<T> Found<T> {
    fn map(self, stay: impl FnOnce(T) -> Stay) -> End {
        match self {
            Found::Safe(all) => End::Safe(stay(all)),
            Found::Unsafe(time, place) => End::Unsafe { time, place },
        }
    }
}

/// Of several ways, some safe and some not: nothing is proved of the box.
fn verdict<T>(
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

fn branches(all: Vec<Branch>) -> StayEnd {
    StayEnd::Branches(all)
}

fn branch(event: String, time: Interval, ways: Vec<Way>) -> Branch {
    Branch {
        event,
        time: claim(time),
        ways,
    }
}

/// Parts of a step on which states are bounded.
const PARTS: usize = 16;

/// The hull of a stay, with what a step adds up to a time.
fn grow(hull: &mut [Interval], tube: &Tube, until: f64) {
    // In parts: a claim should say where the states are, not where a polynomial is bounded.
    for part in 0..PARTS {
        let at = |number: usize| until * (number as f64 / PARTS as f64);
        let times = Interval::new(at(part), at(part + 1)).unwrap_or(tube.span);
        for (place, own) in hull.iter_mut().enumerate() {
            *own = own.hull(&tube.state(place).range_on(times));
        }
    }
}

/// True only well past the boundary: every constraint strictly.
fn strictly(condition: &Condition) -> Condition {
    use dyverse_equations::{Constraint, Relation};
    match condition {
        Condition::Atom(Constraint { node, relation }) => Condition::Atom(Constraint {
            node: *node,
            relation: match relation {
                Relation::NotNegative => Relation::Positive,
                Relation::NotPositive => Relation::Negative,
                other => *other,
            },
        }),
        Condition::And(parts) => Condition::And(parts.iter().map(strictly).collect()),
        Condition::Or(parts) => Condition::Or(parts.iter().map(strictly).collect()),
        Condition::Constant(value) => Condition::Constant(*value),
    }
}

/// The time component of a set: the last.
pub(crate) fn time_of(set: &StateSet) -> Interval {
    set.hull().last().copied().unwrap_or(Interval::ENTIRE)
}

fn lost(failure: &Failure, time: f64) -> Reason {
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

/// What to do after a step.
enum Next {
    /// Nothing happened.
    Nothing,
    /// End the step here, before something may happen.
    Cut(f64),
    /// Begin the step a little before the states: an event may have been there already.
    Back(f64),
    /// These events, of which each may be the first; the last time one of them may be.
    Events(Vec<usize>, f64),
    AtOnce(usize),
    Unclear(usize),
}

fn next(found: &[Occurrence], until: f64, before: f64) -> Next {
    let mut first_past = f64::INFINITY;
    for occurrence in found {
        if let Occurrence::Certain { window, .. } = occurrence {
            first_past = first_past.min(window.hi());
        }
    }
    if let Some(event) = found.iter().position(|o| *o == Occurrence::AtOnce) {
        return Next::AtOnce(event);
    }
    let begins = |o: &Occurrence| match o {
        Occurrence::Certain { window, .. } => window.lo(),
        Occurrence::Possible(from) => *from,
        _ => f64::INFINITY,
    };
    let rivals: Vec<usize> = (0..found.len())
        .filter(|i| begins(&found[*i]) <= first_past.min(until))
        .collect();
    if rivals.is_empty() {
        return Next::Nothing;
    }
    let unclear = rivals
        .iter()
        .find(|i| matches!(found[**i], Occurrence::Possible(_)));
    if let Some(event) = unclear {
        let earliest = rivals
            .iter()
            .map(|i| begins(&found[*i]))
            .fold(f64::INFINITY, f64::min);
        // A fresh, shorter step may tell more.
        return if earliest > 0.02 * until {
            Next::Cut(earliest)
        } else {
            Next::Unclear(*event)
        };
    }
    if first_past.is_infinite() {
        return Next::Nothing;
    }
    if before == 0.0 && rivals.iter().any(|i| begins(&found[*i]) <= 0.0) {
        return Next::Back(2.0 * first_past);
    }
    Next::Events(rivals, first_past)
}
