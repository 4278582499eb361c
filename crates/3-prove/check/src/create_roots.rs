//! CreateRoots: the states with which each event that may be the first happens [002, Algorithm 3].
//!
//! | paper | here | unit |
//! |---|---|---|
//! | φ_Ω,j, root formula | [`RootFormula`] | |
//! | [t⁻, t⁺] of Ω_j, ΔT = t⁺ − t⁻ | [`CrossingPeriod`] | s, after the beginning of the step |
//! | x = ODE(f, x, [0, ΔT]) ∧ boundary of G_j | `Tube::crossed`: the last step is elastic and reaches each state's own crossing | |
//!
//! # Done differently
//! - The paper's new time step is a variable that the constraint solver chooses. Here the time of the crossing is a function of the unknowns, a Taylor model τ(p) with g(x(τ(p), p)) = 0,
//!   and the root is x(τ(p), p): all trajectories at once, none twice.
//! - The boundary of a guard is the one formula in it that goes through zero while all others are decided. Its value there is *exactly* zero, which no enclosure shows: so it goes along as
//!   a fact, with what is known of events that have not happened yet.
//! - An event that is certainly over when another happens gives that one no root.
//!
//! # Guarantee
//! Rigorous: every trajectory that leaves the location in the step is in the root of the event by which it leaves. Not promised: that every state of a root is reached.

use std::rc::Rc;

use dyverse_enclose::{Formulas, StateSet, TaylorModel, Tube};
use dyverse_expr::{Node, NodeId, Pool, SymbolId};
use dyverse_formulas::{Condition, Constraint, Evolution, Relation};
use dyverse_num::{Interval, Tri};

use crate::depth_first_search::{Left, Violation};
use crate::explorer::{Explorer, PreparedLocation, lost, time_of};
use crate::outcome::Reason;
use crate::watch::{Course, Holds, Occurrence, between};

/// The formula met by every trajectory that starts in the initial set and takes the same path of edges [002 §4].
///
/// It says: x = P(p) + D for some unknowns p of the box, and the facts. The path itself is who called.
#[derive(Clone)]
pub(crate) struct RootFormula<L> {
    pub(crate) location: L,
    /// The event of the location that happens now; none where the location is entered, or lasts no time.
    pub(crate) event: Option<usize>,
    /// How many edges the path has.
    pub(crate) transitions: usize,
    /// Where the trajectories are, and when.
    pub(crate) set: StateSet,
    /// What holds of every state there, though the enclosure may not show it: on the boundary of a guard its formula is exactly zero.
    pub(crate) facts: Vec<Constraint>,
}

impl<L> RootFormula<L> {
    pub(crate) fn new(location: L, set: StateSet) -> Self {
        RootFormula {
            location,
            event: None,
            transitions: 0,
            set,
            facts: Vec::new(),
        }
    }

    /// Facts about nothing that a reset changes.
    pub(crate) fn kept(&self, pool: &Pool, reset: &[NodeId]) -> Vec<Constraint> {
        let is_kept = |symbol: &SymbolId| {
            reset
                .get(symbol.0 as usize)
                .is_none_or(|new| pool.node(*new) == Node::Symbol(*symbol))
        };
        let about_kept = |fact: &&Constraint| pool.symbols(&[fact.node]).iter().all(is_kept);
        self.facts.iter().filter(about_kept).copied().collect()
    }
}

/// An over-approximation of the time between the first and the last trajectory entering a guard [002 §4].
///
/// Every state enters it, once, within the window (or has before it began), when the formula of the constraint goes through zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CrossingPeriod {
    /// After the beginning of the step, s.
    pub(crate) window: Interval,
    /// The one by which the guard becomes true.
    pub(crate) boundary: Constraint,
}

/// The last step in a location, in which events happen.
pub(crate) struct LastStep<L> {
    pub(crate) location: L,
    pub(crate) transitions: usize,
    pub(crate) prepared: Rc<PreparedLocation>,
    /// The states at its beginning, and what is known of them.
    pub(crate) set: StateSet,
    pub(crate) known: Vec<Constraint>,
    pub(crate) tube: Tube,
    /// What the step makes of every event.
    pub(crate) occurrences: Vec<Occurrence>,
    /// Those that may be the first, each in its period.
    pub(crate) events: Vec<(usize, CrossingPeriod)>,
    /// Whether it is known that no state of the step is unsafe.
    pub(crate) is_safe: bool,
}

impl<L> LastStep<L> {
    pub(crate) fn course(&self) -> Course<'_> {
        Course::new(&self.tube, &self.prepared.watched, &self.known).after()
    }

    /// When the first of its events may happen.
    pub(crate) fn earliest(&self) -> f64 {
        let begins = self.events.iter().map(|(_, period)| period.window.lo());
        begins.fold(f64::INFINITY, f64::min).max(0.0)
    }
}

/// A root, with the name of its event: empty for a location that lasts no time.
pub(crate) type NamedRoot<L> = (String, RootFormula<L>);

/// The roots with which a location is left: made one by one.
pub(crate) enum Roots<L> {
    /// All of them at once, at a time; taken when it was explored.
    One { time: f64, root: Option<NamedRoot<L>> },
    /// One for each event of a step; and which is next.
    Crossings { step: Box<LastStep<L>>, next: usize },
}

impl<L> Roots<L> {
    pub(crate) fn one(label: String, root: RootFormula<L>) -> Self {
        Roots::One {
            time: time_of(&root.set).lo(),
            root: Some((label, root)),
        }
    }

    /// The earliest time at which they begin to be.
    pub(crate) fn time(&self) -> f64 {
        match self {
            Roots::One { time, .. } => *time,
            Roots::Crossings { step, .. } => time_of(&step.set).lo(),
        }
    }
}

impl<E: Evolution> Explorer<E> {
    /// The next root with which a location is left.
    pub(crate) fn next_root(
        &mut self,
        left: &mut Left<E::Place>,
    ) -> Result<Option<NamedRoot<E::Place>>, Reason> {
        let (step, next) = match &mut left.roots {
            Roots::One { root, .. } => return Ok(root.take()),
            Roots::Crossings { step, next } => (step, next),
        };
        while let Some((event, period)) = step.events.get(*next).copied() {
            *next += 1;
            match self.create_roots(step, event, &period, &mut left.open)? {
                Created::Root(root) => {
                    let label = step.prepared.events[event].label.clone();
                    return Ok(Some((label, root)));
                }
                Created::Late => {}
                Created::Unsafe(violation) => left.found.violation = Some(violation),
            }
        }
        Ok(None)
    }

    /// Algorithm 3, of one event of a step. Where the property may be violated before it, the reason goes to `open`.
    fn create_roots(
        &mut self,
        step: &LastStep<E::Place>,
        event: usize,
        period: &CrossingPeriod,
        open: &mut Option<Reason>,
    ) -> Result<Created<E::Place>, Reason> {
        let now = time_of(&step.set);
        let node = period.boundary.node;
        let guard = self
            .formulas
            .entry(node)
            .or_insert_with(|| self.evolution.with_pool(|pool| Formulas::new(pool, &[node])))
            .clone();
        let course = step.course();
        let along = course.along(node);
        let crossed = step
            .tube
            .crossed(&step.set, &guard, along, period.window, &self.unknowns)
            .map_err(|f| lost(&f, now.lo() + period.window.lo()))?;
        self.figures.crossings += 1;
        let root = at_boundary(step, event, period, crossed.set, &crossed.time);
        // Is another event certainly over by then? Then this one is not the first.
        let is_over = |(other, _): &(usize, CrossingPeriod)| {
            let past = || strictly(&step.prepared.events[*other].when);
            *other != event && self.judge(&root, &past()) == Tri::True
        };
        if step.events.iter().any(is_over) {
            return Ok(Created::Late);
        }
        let there = time_of(&root.set);
        let violation = |time: (f64, f64)| {
            Created::Unsafe(Violation {
                time,
                place: step.location.to_string(),
            })
        };
        // On the boundary itself formulas may have values that they have nowhere beside it.
        if self.judge(&root, &step.prepared.safe) == Tri::False {
            return Ok(violation((there.lo(), there.hi())));
        }
        let first = step.earliest();
        let holds = if step.is_safe {
            Holds::Always
        } else {
            course.holds_until(&step.prepared.safe, first, &crossed.time)
        };
        match holds {
            Holds::Always => {}
            Holds::Broken(at) if step.events.len() == 1 => {
                return Ok(violation((now.lo() + at.lo(), now.hi() + at.hi())));
            }
            Holds::Broken(_) | Holds::Open(_) => {
                open.get_or_insert(Reason::Property {
                    time: now.lo() + first,
                });
            }
        }
        Ok(Created::Root(root))
    }
}

/// What becomes of an event.
enum Created<L> {
    Root(RootFormula<L>),
    /// Another is before it.
    Late,
    /// No state that leaves by it was safe until then.
    Unsafe(Violation),
}

/// The states with which an event happens, and what is known of them.
///
/// An event whose window begins with the step may have been true before: then it happens at the beginning, with a state that the flow takes to it from where its guard was
/// crossed. Unless it is known that it was not: of two events that cannot be told apart, the second has not happened when the first does.
fn at_boundary<L: Clone>(
    step: &LastStep<L>,
    event: usize,
    period: &CrossingPeriod,
    crossed: StateSet,
    time: &TaylorModel,
) -> RootFormula<L> {
    let (tube, course) = (&step.tube, step.course());
    let root = |set: StateSet, facts: Vec<Constraint>| RootFormula {
        location: step.location.clone(),
        event: Some(event),
        transitions: step.transitions,
        set,
        facts,
    };
    let earliest = time.bound().lo();
    let is_first = earliest >= 0.0 || period.window.lo() > 0.0 || course.is_not_past(&period.boundary);
    if !is_first {
        let wait = Interval::new(0.0, -earliest).unwrap_or(Interval::ENTIRE);
        let times = between(earliest.max(tube.span.lo()), time.bound().hi().max(0.0));
        let waited = |(number, x): (usize, TaylorModel)| {
            x.widened(tube.state(number).derivative().range_on(times) * wait)
        };
        let states: Vec<TaylorModel> = crossed.whole().into_iter().enumerate().map(waited).collect();
        return root(StateSet::new(&states), Vec::new());
    }
    let mut facts = vec![Constraint {
        node: period.boundary.node,
        relation: Relation::Equal,
    }];
    let others = step.occurrences.iter().enumerate();
    for (_, other) in others.filter(|(number, _)| *number != event) {
        if let Occurrence::Certain(other) = other
            && let Some(relation) = not_yet(other.boundary.relation)
            && course.is_false_between(&other.boundary, period.window.lo(), other.window.lo())
        {
            facts.push(Constraint {
                node: other.boundary.node,
                relation,
            });
        }
    }
    root(crossed, facts)
}

/// What holds of a formula until a constraint on it is met.
pub(crate) fn not_yet(relation: Relation) -> Option<Relation> {
    match relation {
        Relation::Greater | Relation::GreaterEqual => Some(Relation::LessEqual),
        Relation::Less | Relation::LessEqual => Some(Relation::GreaterEqual),
        Relation::Equal | Relation::NotEqual => None,
    }
}

/// True only well past the boundary: every constraint strictly.
fn strictly(condition: &Condition) -> Condition {
    condition.map(&mut |atom| {
        Condition::Atom(Constraint {
            node: atom.node,
            relation: match atom.relation {
                Relation::GreaterEqual => Relation::Greater,
                Relation::LessEqual => Relation::Less,
                other => other,
            },
        })
    })
}
