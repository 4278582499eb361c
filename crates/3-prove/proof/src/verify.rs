//! Follows a proof, claim by claim.
//!
//! # Method
//! For every box: the claimed tree is gone through from its root (`walk.rs`). In a location the flow is integrated by Picard's iteration (`picard.rs`); until the events that are
//! claimed to be the first, all others are shown not to happen and the property to hold (`path.rs`); each claimed event is shown to be met (`meeting.rs`), and all ways
//! to go on that are not impossible must be claimed. Times and bounds in the proof only say where to look.
//!
//! # Bounds
//! A claim must contain what is found, and be inside what is found with [`room`] around it. The hull of a stay is looked at twice: up to the event for each
//! unknown (must be inside the claim), and up to the latest time at which it may happen, and twice that window more (the claim must be inside that, with room).
//!
//! # Guarantee
//! `Accepted`: the property holds for all unknowns of the question, whatever the proof says.

use std::collections::BTreeMap;

use dyverse_enclose::{Formulas, TaylorModel, VariableId};
use dyverse_expr::{Node, NodeId, Pool};
use dyverse_formulas::{Condition, Constraint, Event, Evolution, Obstacle, Relation};
use dyverse_num::{Interval, Tri};

use crate::cover::tiles;
use crate::frame::States;
use crate::matrix::Matrix;
use crate::meeting::{Guard, guards, known};
use crate::obvious::without_obvious;
use crate::path::{Atoms, Known, Watched, judge};
use crate::picard::{Clock, Lost};
use crate::proof::{Proof, ProvedBox};
use crate::rejected::{Accepted, Rejected, Why};

/// What a proof must be a proof of, as the model file and the user say it.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The system's name.
    pub system: String,
    /// The property's name.
    pub property: String,
    /// The last time that the property looks at, s.
    pub horizon: f64,
    /// Parameters that were given other values or ranges: name, least, largest.
    pub choices: Vec<(String, f64, f64)>,
    /// Inputs with a range that are asked about with their default values only.
    pub inputs: Vec<String>,
}

/// Checks a proof against a system that the caller made from the model file.
///
/// # Errors
/// Where it is not accepted, and why.
pub fn verify(
    proof: &Proof,
    question: &Question,
    evolution: &mut impl Evolution,
) -> Result<Accepted, Rejected> {
    check_head(proof, question, evolution)?;
    let mut checker = Checker::new(evolution, question.horizon, None);
    let mut accepted = Accepted::default();
    for (number, own) in proof.boxes.iter().enumerate() {
        accepted.add(&checker.check_box(number, own)?);
    }
    Ok(accepted)
}

/// Is asked now and then whether a check is to end.
pub type Ends<'a> = Option<&'a (dyn Fn() -> bool + Sync)>;

/// As [`verify`], with boxes shared among threads; `make` makes the system once for each. Where `ends` says so, the proof is not accepted ([`Why::TimeOver`]).
///
/// # Errors
/// As [`verify`]: the first box that is not accepted, whatever the number of threads.
pub fn verify_parallel<E: Evolution>(
    proof: &Proof,
    question: &Question,
    make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
    threads: usize,
    ends: Ends<'_>,
) -> Result<Accepted, Rejected> {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let obstacle = |o: Obstacle| rejected("the system", Why::Obstacle(o.what));
    check_head(proof, question, &make().map_err(obstacle)?)?;
    let results: Vec<Mutex<Option<Result<Accepted, Rejected>>>> =
        proof.boxes.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let Ok(mut evolution) = make() else { return };
        let mut checker = Checker::new(&mut evolution, question.horizon, ends);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(own) = proof.boxes.get(number) else {
                return;
            };
            let found = checker.check_box(number, own);
            let is_over = found.is_err();
            if let Ok(mut result) = results[number].lock() {
                *result = Some(found);
            }
            if is_over {
                // Boxes before this one are all begun; none after it matters.
                next.store(proof.boxes.len(), Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, proof.boxes.len().max(1)) {
            // A thread that cannot be made leaves its boxes to others, or unchecked.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
    });
    let mut accepted = Accepted::default();
    for (number, result) in results.into_iter().enumerate() {
        let missing = || {
            Err(rejected(
                format!("box {number}"),
                Why::Limit("the box was not checked"),
            ))
        };
        let found = result.into_inner().ok().flatten().unwrap_or_else(missing)?;
        accepted.add(&found);
    }
    Ok(accepted)
}

pub(crate) fn rejected(at: impl Into<String>, why: Why) -> Rejected {
    Rejected { at: at.into(), why }
}

fn check_head(proof: &Proof, question: &Question, evolution: &impl Evolution) -> Result<(), Rejected> {
    let same = |what: &'static str, claimed: String, asked: String| {
        if claimed == asked {
            Ok(())
        } else {
            Err(rejected(
                "the question",
                Why::OtherQuestion { what, claimed, asked },
            ))
        }
    };
    let list = |all: &[(String, f64, f64)]| {
        let one = |(name, lower, upper): &(String, f64, f64)| format!("{name} in [{lower:?}, {upper:?}]");
        if all.is_empty() {
            return "none".to_owned();
        }
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    same("system", proof.system.clone(), question.system.clone())?;
    same("property", proof.property.clone(), question.property.clone())?;
    same(
        "horizon",
        format!("{:?}", proof.horizon),
        format!("{:?}", question.horizon),
    )?;
    same(
        "choice of parameters",
        list(&proof.choices),
        list(&question.choices),
    )?;
    let defaults = |names: &[String]| {
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    };
    same(
        "list of inputs with their default values only",
        defaults(&proof.inputs),
        defaults(&question.inputs),
    )?;
    let unknowns = &evolution.variables().unknowns;
    let asked: Vec<(String, f64, f64)> = unknowns
        .iter()
        .map(|u| (u.name.clone(), u.lower, u.upper))
        .collect();
    same("list of unknowns", list(&proof.unknowns), list(&asked))?;
    if !question.horizon.is_finite() {
        return Err(rejected("the question", Why::Limit("the horizon is no number")));
    }
    let whole: Vec<(f64, f64)> = unknowns.iter().map(|u| (u.lower, u.upper)).collect();
    let boxes: Vec<&[(f64, f64)]> = proof.boxes.iter().map(|b| b.sides.as_slice()).collect();
    tiles(&whole, &boxes).map_err(|what| rejected("the cover", Why::Cover(what)))
}

/// What a claim of a bound may at most be: other polynomials of the same unknowns may be coarser, by a tenth of the range and a thousandth of its size. Nothing that is accepted
/// rests on it; a claim that is wider than that says nothing of the motion.
pub(crate) fn room(found: Interval) -> (f64, f64) {
    let more = 0.1 * found.width() + 1e-3 * (1.0 + found.magnitude());
    (found.lo() - more, found.hi() + more)
}

/// A location made ready.
pub(crate) struct Room {
    pub(crate) rates: Formulas,
    pub(crate) rate_nodes: Vec<NodeId>,
    pub(crate) events: Vec<Event>,
    pub(crate) guards: Vec<Vec<Guard>>,
    pub(crate) safe: Condition,
    pub(crate) atoms: Atoms,
    /// What holds of every motion that enters.
    pub(crate) known: Vec<Known>,
    /// What holds of every motion that is there: no event has happened, or it happens just now.
    pub(crate) held: Vec<Constraint>,
}

/// What holds when a location is entered and whose opposite is an event holds for as long as a motion stays, and when it leaves: rates are finite, so that it is on the border then.
fn held(at_start: &[Constraint], events: &[Event]) -> Vec<Constraint> {
    let ends = |known: &&Constraint| {
        let opposite = Condition::Atom(Constraint {
            relation: known.relation.negated(),
            ..**known
        });
        events.iter().any(|event| event.when == opposite)
    };
    let is_closed =
        |known: &&Constraint| matches!(known.relation, Relation::GreaterEqual | Relation::LessEqual);
    at_start.iter().filter(is_closed).filter(ends).copied().collect()
}

/// What constraints say of some formulas.
pub(crate) fn told<'n>(
    pool: &Pool,
    nodes: impl Iterator<Item = &'n NodeId>,
    facts: &[Constraint],
) -> Vec<Constraint> {
    let about = |node: &NodeId| {
        let node = *node;
        let relations = facts.iter().filter_map(move |fact| fact.about(pool, node));
        relations.map(move |relation| Constraint { node, relation })
    };
    nodes.flat_map(about).collect()
}

/// Checks boxes.
pub(crate) struct Checker<'e, E: Evolution> {
    pub(crate) evolution: &'e mut E,
    pub(crate) horizon: f64,
    rooms: BTreeMap<E::Place, std::rc::Rc<Room>>,
    /// The step that was good last in a location, s.
    pub(crate) reaches: BTreeMap<E::Place, f64>,
    pub(crate) clock: Clock,
    pub(crate) unknowns: Vec<TaylorModel>,
    pub(crate) found: Accepted,
    /// Where it is, for messages.
    pub(crate) trail: Vec<String>,
    ends: Ends<'e>,
}

impl<'e, E: Evolution> Checker<'e, E> {
    pub(crate) fn new(evolution: &'e mut E, horizon: f64, ends: Ends<'e>) -> Self {
        Checker {
            evolution,
            // It may stand for a decimal that is a little later.
            horizon: horizon.next_up(),
            rooms: BTreeMap::new(),
            reaches: BTreeMap::new(),
            clock: Clock::new(0),
            unknowns: Vec::new(),
            found: Accepted::default(),
            trail: Vec::new(),
            ends,
        }
    }

    /// Goes on, unless it is to end.
    pub(crate) fn go_on(&self) -> Result<(), Rejected> {
        match self.ends {
            Some(ends) if ends() => Err(self.fail(Why::TimeOver)),
            _ => Ok(()),
        }
    }

    pub(crate) fn check_box(&mut self, number: usize, own: &ProvedBox) -> Result<Accepted, Rejected> {
        self.trail = vec![format!("box {number}")];
        self.found = Accepted {
            boxes: 1,
            ..Accepted::default()
        };
        self.reaches.clear();
        self.open(&own.sides)?;
        let (place, formulas) = self.evolution.start().map_err(|o| self.obstacle(o))?;
        let start = self.evolution.with_pool(|pool| Formulas::new(pool, &formulas));
        // States do not occur in these formulas: they only have to be counted.
        let blanks = vec![self.clock.constant(0.0); formulas.len()];
        let values = start
            .on(&blanks, &self.unknowns)
            .map_err(|u| self.lost(&u.into(), 0.0))?;
        let set = States::new(&values);
        self.follow_all(place, &set, &own.stays)?;
        Ok(self.found)
    }

    /// The unknowns of a box as Taylor models.
    fn open(&mut self, sides: &[(f64, f64)]) -> Result<(), Rejected> {
        let varying = sides.iter().filter(|(lo, hi)| lo < hi).count();
        self.clock = Clock::new(varying);
        let mut variable = 0;
        self.unknowns.clear();
        for (lo, hi) in sides {
            let Ok(range) = Interval::new(*lo, *hi) else {
                return Err(self.fail(Why::Form("a side of a box is no range")));
            };
            self.unknowns.push(if lo < hi {
                variable += 1;
                TaylorModel::variable(&self.clock.basis, VariableId(variable - 1), range)
            } else {
                TaylorModel::constant(&self.clock.basis, range)
            });
        }
        Ok(())
    }

    pub(crate) fn fail(&self, why: Why) -> Rejected {
        rejected(self.trail.join(", "), why)
    }
    pub(crate) fn obstacle(&self, obstacle: Obstacle) -> Rejected {
        self.fail(Why::Obstacle(obstacle.what))
    }
    pub(crate) fn lost(&self, lost: &Lost, time: f64) -> Rejected {
        self.fail(Why::Enclosure {
            what: lost.to_string(),
            time,
        })
    }

    /// A bound against its claim: inside, and with no more room than `outer` gives.
    pub(crate) fn bound(
        &self,
        what: impl Fn() -> String,
        claimed: (f64, f64),
        inner: Interval,
        outer: Interval,
    ) -> Result<(), Rejected> {
        let most = room(outer);
        let contains = claimed.0 <= inner.lo() && inner.hi() <= claimed.1;
        let is_tight = most.0 <= claimed.0 && claimed.1 <= most.1;
        if contains && is_tight && !inner.is_empty() {
            return Ok(());
        }
        let found = if contains { outer } else { inner };
        Err(self.fail(Why::Bound {
            what: what(),
            claimed,
            found: (found.lo(), found.hi()),
            is_too_wide: contains,
        }))
    }

    pub(crate) fn judge(&self, set: &States, condition: &Condition) -> Tri {
        self.evolution
            .with_pool(|pool| judge(pool, &set.whole(), &self.unknowns, &set.facts, condition))
    }

    pub(crate) fn reset(&mut self, set: &States, reset: &[NodeId]) -> Result<States, Rejected> {
        let formulas = self.evolution.with_pool(|pool| Formulas::new(pool, reset));
        let ranges: Vec<Interval> = self.unknowns.iter().map(TaylorModel::bound).collect();
        let time = set.time().lo();
        let made = formulas.on(&set.nominal, &self.unknowns).and_then(|new| {
            let rows = formulas.slopes(&set.hull(), &ranges)?;
            Ok(set.moved(&new, &Matrix { rows }))
        });
        let mut after = made.map_err(|u| self.lost(&u.into(), time))?;
        after.facts = self.kept(&set.facts, reset);
        if after.whole().iter().all(TaylorModel::is_finite) {
            Ok(after)
        } else {
            Err(self.lost(&Lost::Outside, time))
        }
    }

    /// A reset that reads auxiliaries: they have in their remainders what the states deviate by.
    pub(crate) fn reset_with(
        &mut self,
        set: &States,
        reset: &[NodeId],
        with: &[TaylorModel],
    ) -> Result<States, Rejected> {
        let formulas = self.evolution.with_pool(|pool| Formulas::new(pool, reset));
        let made = formulas.on(&set.whole(), with);
        let made = made.map_err(|u| self.lost(&u.into(), set.time().lo()))?;
        let mut after = States::new(&made);
        after.facts = self.kept(&set.facts, reset);
        Ok(after)
    }

    /// Facts that do not look at anything that a reset changes.
    fn kept(&self, facts: &[Constraint], reset: &[NodeId]) -> Vec<Constraint> {
        self.evolution.with_pool(|pool| {
            let is_kept = |fact: &&Constraint| {
                pool.symbols(&[fact.node]).iter().all(|symbol| {
                    reset
                        .get(symbol.0 as usize)
                        .is_none_or(|new| pool.node(*new) == Node::Symbol(*symbol))
                })
            };
            facts.iter().filter(is_kept).copied().collect()
        })
    }

    pub(crate) fn room(&mut self, place: &E::Place) -> Result<std::rc::Rc<Room>, Rejected> {
        if let Some(room) = self.rooms.get(place) {
            return Ok(room.clone());
        }
        let flow = self.evolution.flow(place).map_err(|o| self.obstacle(o))?;
        let events = self.evolution.events(place).map_err(|o| self.obstacle(o))?;
        let safe = self.evolution.safe(place).map_err(|o| self.obstacle(o))?;
        let at_start = self
            .evolution
            .known_at_start(place)
            .map_err(|o| self.obstacle(o))?;
        let room = self.evolution.with_pool(|pool| {
            let mut atoms = Atoms::new();
            let safe = without_obvious(pool, &safe);
            let conditions = events.iter().map(|e| &e.when).chain([&safe]);
            for atom in conditions.flat_map(Condition::atoms) {
                atoms
                    .entry(atom.node)
                    .or_insert_with(|| Watched::new(pool, atom.node));
            }
            let guards = events
                .iter()
                .map(|e| guards(pool, &e.when, &flow.rates))
                .collect();
            Room {
                rates: Formulas::new(pool, &flow.rates),
                rate_nodes: flow.rates.clone(),
                known: known(pool, &at_start, &flow.rates),
                held: told(pool, atoms.keys(), &held(&at_start, &events)),
                guards,
                atoms,
                safe,
                events: events.clone(),
            }
        });
        let room = std::rc::Rc::new(room);
        self.rooms.insert(place.clone(), room.clone());
        Ok(room)
    }
}
