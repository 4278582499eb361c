//! A hybrid system written out: all locations that the discrete structure can reach, and all edges between them.
//!
//! | of the system | of the automaton |
//! |---|---|
//! | place where time passes | location; several (*cells*) where its domain is a union |
//! | computation node | folded into the edges through it: guards and resets are composed |
//! | computation node that the property looks at (one collision after the other) | location in which no time passes |
//! | place of an actor model that is entered where an event holds | a copy of the location in which no time passes |
//! | event, with a jump for each mode of an impact or contact | edges, one for each conjunction of comparisons |
//! | no event has happened | invariant: closure of the negations |
//! | what must hold | edges to the location `broken`, wherever it does not |
//!
//! # Domains
//! An event is the end of the stay, so that the domain of a place is where no event is. Of an event g ≤ 0 ∧ dg/dt < 0 that is g ≥ 0, if the place is entered so: where g became negative, there
//! was a moment with g < 0 and dg/dt < 0. The domain of a rigid-body location is g_N ≥ 0 [001 §3]; of other systems the entry is checked on every edge, and the domain is cut into cells where it is not
//! sure. Cells are convex and overlap at their boundaries only.
//!
//! # States that never change
//! A state is replaced by its initial value if, under that assumption for all such states, its rate is zero everywhere and no edge changes it. The walk is made again without those that do change, until all
//! stay: an induction over the run.
//!
//! # Guarantee
//! Every run of the system, with tolerances zero, is a run of the automaton. Edges are left out only where their guards are impossible, by `facts.rs`. A limit reached is an error.

use crate::algebra::{Algebra, Environment};
use crate::automaton::{Automaton, Constant, Edge, Kind, Location};
use crate::facts::{Fact, follows, is_impossible, settled};
use crate::hindrance::Hindrance;
use crate::polynomial::Polynomial;
use crate::room::{Room, disjuncts};
use crate::simplified::Simplified;
use dyverse_expr::{NodeId, Pool, SymbolId};
use dyverse_formulas::{
    Condition, Constraint, Evolution, Jump, Obstacle, Requirement, Switched, SwitchedPlace,
};
use dyverse_num::Tri;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Computation nodes in a row at the most.
const MOST_NODES: usize = 64;

/// Stands for the cells of a place that is left at once.
const AT_ONCE: usize = usize::MAX;

/// What a walk needs beside the system.
pub(crate) struct Task<'a, P> {
    pub(crate) name: &'a str,
    pub(crate) requirement: &'a Requirement,
    pub(crate) is_asked: bool,
    pub(crate) horizon: f64,
    pub(crate) most_locations: usize,
    /// Terms of polynomials that one walk may touch.
    pub(crate) most_work: u64,
    /// Whether places are entered in their domains.
    pub(crate) is_entered_inside: bool,
    pub(crate) describe: &'a dyn Fn(&P) -> String,
}

pub(crate) type Place<E> = SwitchedPlace<<E as Evolution>::Place>;

/// A conjunction of an event of a place: its domain is not the short one.
pub(crate) type Split<P> = BTreeSet<(P, usize, usize)>;

/// Why a pass has no automaton.
enum Stop {
    Hindrance(Hindrance),
    /// Something that was assumed is not so; the walk is made again.
    Again,
}

impl From<Hindrance> for Stop {
    fn from(hindrance: Hindrance) -> Self {
        Stop::Hindrance(hindrance)
    }
}

/// The automaton of a system; `make` makes the system anew.
pub(crate) fn walk<E: Evolution>(
    make: &dyn Fn() -> Result<E, Obstacle>,
    task: &Task<'_, E::Place>,
) -> Result<Automaton, Hindrance> {
    let mut changing: BTreeSet<SymbolId> = BTreeSet::new();
    let mut split: Split<Place<E>> = Split::new();
    loop {
        let mut walker = Walker::new(make()?, task, &changing, &split)?;
        let outcome = walker.explore();
        // What was found on wrong assumptions counts for nothing, also an obstacle.
        if !walker.found_changing.is_empty() || !walker.found_split.is_empty() {
            changing.append(&mut walker.found_changing);
            split.append(&mut walker.found_split);
            continue;
        }
        match outcome {
            Ok(()) => return Ok(walker.finish()),
            Err(Stop::Hindrance(hindrance)) => return Err(hindrance),
            Err(Stop::Again) => {}
        }
    }
}

/// Where one arrives after computation nodes.
struct Arrival<P> {
    place: P,
    label: String,
    facts: Vec<Fact>,
    values: Environment,
}

pub(crate) struct Walker<'a, E: Evolution> {
    pub(crate) system: Switched<Simplified<E>>,
    pub(crate) algebra: Rc<RefCell<Algebra>>,
    pub(crate) constants: Rc<Environment>,
    pub(crate) split: &'a Split<Place<E>>,
    task: &'a Task<'a, E::Place>,
    rooms: BTreeMap<Place<E>, Rc<Room>>,
    numbers: BTreeMap<(Place<E>, Vec<usize>), usize>,
    keys: Vec<Option<(Place<E>, Vec<usize>)>>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    first: usize,
    start: Vec<Polynomial>,
    found_changing: BTreeSet<SymbolId>,
    found_split: Split<Place<E>>,
}

impl<'a, E: Evolution> Walker<'a, E> {
    fn new(
        inner: E,
        task: &'a Task<'a, E::Place>,
        changing: &BTreeSet<SymbolId>,
        split: &'a Split<Place<E>>,
    ) -> Result<Self, Hindrance> {
        let mut inner = inner;
        let mut algebra = Algebra::default();
        let variables = inner.variables().clone();
        // In this order they stand in every product.
        for symbol in 0..(variables.state_count() + 1 + variables.unknowns.len()) as u32 {
            algebra.symbol(SymbolId(symbol));
        }
        for (place, unknown) in variables.unknowns.iter().enumerate() {
            let ends = decimal_ends(unknown.lower, unknown.upper);
            algebra.set_range(variables.unknown(place), ends.0, ends.1);
        }
        let (_, initial) = inner.start()?;
        let mut constants = Environment::new();
        for (place, node) in initial.iter().enumerate().take(variables.state_count()) {
            let symbol = variables.state(place);
            let value = inner.with_pool(|pool| algebra.number(pool, *node, &Environment::new()));
            if !changing.contains(&symbol) && algebra.symbols(&value).is_empty() {
                constants.insert(symbol, value);
            }
        }
        let (algebra, constants) = (Rc::new(RefCell::new(algebra)), Rc::new(constants));
        let system = Switched::new(Simplified::new(inner, algebra.clone(), constants.clone()));
        Ok(Walker {
            system,
            algebra,
            constants,
            split,
            task,
            rooms: BTreeMap::new(),
            numbers: BTreeMap::new(),
            keys: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            first: 0,
            start: Vec::new(),
            found_changing: BTreeSet::new(),
            found_split: Split::new(),
        })
    }

    fn finish(self) -> Automaton {
        let variables = self.system.variables().clone();
        let fixed = (0..variables.state_count()).map(|p| self.constants.get(&variables.state(p)).cloned());
        let constants = variables.unknowns.iter().enumerate().map(|(place, u)| Constant {
            name: u.name.clone(),
            is_initial: u.is_initial,
            symbol: variables.unknown(place),
            lower: decimal_ends(u.lower, u.upper).0,
            upper: decimal_ends(u.lower, u.upper).1,
        });
        let algebra = self.algebra.borrow().clone();
        Automaton {
            name: self.task.name.to_owned(),
            property: self
                .task
                .is_asked
                .then(|| self.task.requirement.name().to_owned()),
            horizon: self.task.horizon,
            states: variables.states.clone(),
            fixed: fixed.collect(),
            constants: constants.collect(),
            locations: self.locations,
            edges: self.edges,
            first: self.first,
            start: self.start,
            algebra,
        }
    }

    /// A formula over the states at hand, its choices made where what is known makes them.
    pub(crate) fn number(&self, node: NodeId, values: &Environment, known: &[Fact]) -> Polynomial {
        let mut algebra = self.algebra.borrow_mut();
        let p = self.system.with_pool(|pool| algebra.number(pool, node, values));
        settled(&mut algebra, known, &p)
    }

    pub(crate) fn fact(&self, constraint: &Constraint, values: &Environment, known: &[Fact]) -> Fact {
        let number = self.number(constraint.node, values, known);
        Fact::new(number, constraint.relation).tidy(&self.algebra.borrow())
    }

    /// What is known, with more; `None` if it is impossible.
    fn with(&self, known: &[Fact], more: &[Constraint], values: &Environment) -> Option<Vec<Fact>> {
        let mut all = known.to_vec();
        for constraint in more {
            let fact = self.fact(constraint, values, &all);
            all.push(fact);
        }
        (!is_impossible(&self.algebra.borrow(), &all)).then_some(all)
    }

    fn explore(&mut self) -> Result<(), Stop> {
        let (place, nodes) = self.system.start().map_err(Hindrance::from)?;
        let nothing = Environment::new();
        let initial: Vec<Polynomial> = nodes.iter().map(|n| self.number(*n, &nothing, &[])).collect();
        let symbols = (0..).map(SymbolId);
        let values: Environment = symbols.zip(initial.iter().cloned()).collect();
        self.start = initial;
        let mut arrivals = Vec::new();
        self.settle(place, String::new(), Vec::new(), values, &mut arrivals, 0)?;
        self.begin(arrivals)?;
        let mut next = 0;
        while next < self.locations.len() {
            if let Some((place, cells)) = self.keys[next].clone() {
                self.leave(next, &place, &cells)?;
            }
            self.check_assumptions()?;
            next += 1;
        }
        Ok(())
    }

    /// The first location: that of the only arrival, or one of which edges go to all of them.
    fn begin(&mut self, arrivals: Vec<Arrival<Place<E>>>) -> Result<(), Stop> {
        let mut ends = Vec::new();
        for arrival in arrivals {
            let reset: Vec<Polynomial> = arrival.values.values().cloned().collect();
            for (number, facts) in self.cells(&arrival, &[])? {
                ends.push((arrival.label.clone(), number, facts, reset.clone()));
            }
        }
        if let [(_, number, facts, reset)] = ends.as_slice()
            && facts.iter().all(|f| follows(&self.algebra.borrow(), &[], f))
        {
            self.first = *number;
            self.note_changes(reset);
            self.start = reset.clone();
            return Ok(());
        }
        let start = self.add(None, "start".to_owned(), Kind::Urgent, Vec::new(), Vec::new())?;
        self.first = start;
        for (label, to, guard, reset) in ends {
            let edge = Edge {
                from: start,
                to,
                label,
                guard,
                reset,
            };
            self.connect(edge, &[]);
        }
        Ok(())
    }

    fn add(
        &mut self,
        key: Option<(Place<E>, Vec<usize>)>,
        name: String,
        kind: Kind,
        invariant: Vec<Fact>,
        rates: Vec<Polynomial>,
    ) -> Result<usize, Stop> {
        if self.locations.len() >= self.task.most_locations {
            return Err(Stop::Hindrance(Hindrance::locations(self.task.most_locations)));
        }
        let rates = if rates.is_empty() {
            vec![Polynomial::zero(); self.start.len()]
        } else {
            rates
        };
        for (place, rate) in rates.iter().enumerate() {
            let symbol = SymbolId(place as u32);
            if self.constants.contains_key(&symbol) && !rate.is_zero() {
                self.found_changing.insert(symbol);
            }
        }
        // On wrong assumptions the rest is of no use, and may be much.
        self.check_assumptions()?;
        self.keys.push(key);
        self.locations.push(Location {
            name,
            kind,
            invariant,
            rates,
        });
        Ok(self.locations.len() - 1)
    }

    fn check_work(&self, place: &Place<E>) -> Result<(), Stop> {
        let work = self.algebra.borrow().work();
        if work <= self.task.most_work {
            return Ok(());
        }
        let name = (self.task.describe)(&place.inner);
        Err(Stop::Hindrance(Hindrance::too_large(&name, work)))
    }

    fn check_assumptions(&self) -> Result<(), Stop> {
        if self.found_changing.is_empty() && self.found_split.is_empty() {
            Ok(())
        } else {
            Err(Stop::Again)
        }
    }

    /// Remembers which states were taken for constants and are set to something else.
    fn note_changes(&mut self, reset: &[Polynomial]) {
        for (place, value) in reset.iter().enumerate() {
            let symbol = SymbolId(place as u32);
            if self
                .constants
                .get(&symbol)
                .is_some_and(|constant| constant != value)
            {
                self.found_changing.insert(symbol);
            }
        }
    }

    /// An edge, its guard without what follows from the rest; once.
    fn connect(&mut self, edge: Edge, known: &[Fact]) {
        let mut edge = edge;
        self.note_changes(&edge.reset);
        self.leave_out(&mut edge.guard, known);
        let same = |e: &Edge| {
            (e.from, e.to) == (edge.from, edge.to) && e.guard == edge.guard && e.reset == edge.reset
        };
        if !self.edges.iter().any(same) {
            self.edges.push(edge);
        }
    }

    /// Goes through computation nodes.
    fn settle(
        &mut self,
        place: Place<E>,
        label: String,
        facts: Vec<Fact>,
        values: Environment,
        arrivals: &mut Vec<Arrival<Place<E>>>,
        depth: usize,
    ) -> Result<(), Stop> {
        let is_instant = self.system.is_instant(&place);
        if !is_instant || self.system.is_seen(&place) {
            // What is just leaving zero is forgotten: the formulas are the same.
            let place = SwitchedPlace {
                leaving: Vec::new(),
                ..place
            };
            arrivals.push(Arrival {
                place,
                label,
                facts,
                values,
            });
            return Ok(());
        }
        if depth > MOST_NODES {
            return Err(Stop::Hindrance(Hindrance::new(format!(
                "more than {MOST_NODES} computation nodes follow each other, the last of them {}",
                (self.task.describe)(&place.inner)
            ))));
        }
        self.check_work(&place)?;
        let jumps = self.jumps(&place, None, &facts, &values)?;
        for jump in jumps {
            self.follow(jump, &label, &facts, &values, arrivals, depth)?;
        }
        Ok(())
    }

    fn jumps(
        &mut self,
        place: &Place<E>,
        event: Option<usize>,
        facts: &[Fact],
        values: &Environment,
    ) -> Result<Vec<Jump<Place<E>>>, Stop> {
        let algebra = self.algebra.clone();
        let judge = |pool: &Pool, condition: &Condition| judged(&algebra, pool, condition, values, facts);
        let jumps = self.system.jumps(place, event, &judge);
        let name = || (self.task.describe)(&place.inner);
        jumps.map_err(|o| Stop::Hindrance(Hindrance::from(o).within(&name())))
    }

    fn follow(
        &mut self,
        jump: Jump<Place<E>>,
        label: &str,
        facts: &[Fact],
        values: &Environment,
        arrivals: &mut Vec<Arrival<Place<E>>>,
        depth: usize,
    ) -> Result<(), Stop> {
        for conjunction in disjuncts(&jump.when)? {
            self.check_work(&jump.target)?;
            let Some(all) = self.with(facts, &conjunction, values) else {
                continue;
            };
            // Where one assignment of modes has no closed form, the others do not say when they hold.
            if !jump.auxiliaries.is_empty() || jump.impulses.is_some() {
                return Err(Stop::Hindrance(Hindrance::no_closed_form(&jump.label)));
            }
            let after: Vec<Polynomial> = jump.reset.iter().map(|n| self.number(*n, values, &all)).collect();
            let after = (0..).map(SymbolId).zip(after).collect();
            let label = match label {
                "" => jump.label.clone(),
                before if before == jump.label => before.to_owned(),
                before => format!("{before}, {}", jump.label),
            };
            self.settle(jump.target.clone(), label, all, after, arrivals, depth + 1)?;
        }
        Ok(())
    }

    /// The locations of a place in which one may arrive, each with what holds then.
    fn cells(
        &mut self,
        arrival: &Arrival<Place<E>>,
        known: &[Fact],
    ) -> Result<Vec<(usize, Vec<Fact>)>, Stop> {
        let room = self.room(&arrival.place)?;
        for (event, conjunction, domain) in &room.assumed {
            let fact = self.fact(domain, &arrival.values, &arrival.facts);
            let is_sure =
                self.task.is_entered_inside || follows(&self.algebra.borrow(), &arrival.facts, &fact);
            if !is_sure {
                self.found_split
                    .insert((arrival.place.clone(), *event, *conjunction));
            }
        }
        let mut found = Vec::new();
        for cells in room.all_cells() {
            let Some(all) = self.with(&arrival.facts, &room.cell(&cells), &arrival.values) else {
                continue;
            };
            // The domain must hold on entry; what does not is nobody's state.
            if self.with(&all, &room.base, &arrival.values).is_none() {
                continue;
            }
            let number = self.location(&arrival.place, &cells, &room)?;
            found.push((number, all[known.len().min(all.len())..].to_vec()));
        }
        if !self.task.is_entered_inside {
            self.at_once(arrival, known, &room, &mut found)?;
        }
        Ok(found)
    }

    /// Where an event holds on entry it is taken at once: from a copy of the place in which no time passes.
    fn at_once(
        &mut self,
        arrival: &Arrival<Place<E>>,
        known: &[Fact],
        room: &Room,
        found: &mut Vec<(usize, Vec<Fact>)>,
    ) -> Result<(), Stop> {
        for way in room.events.iter().flat_map(|(_, _, ways)| ways) {
            if let Some(all) = self.with(&arrival.facts, way, &arrival.values) {
                let number = self.location(&arrival.place, &[AT_ONCE], room)?;
                found.push((number, all[known.len().min(all.len())..].to_vec()));
            }
        }
        Ok(())
    }

    fn location(&mut self, place: &Place<E>, cells: &[usize], room: &Room) -> Result<usize, Stop> {
        let key = (place.clone(), cells.to_vec());
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let mut name = (self.task.describe)(&place.inner);
        let whole = place.to_string();
        let inner = place.inner.to_string();
        name.push_str(whole.strip_prefix(&inner).unwrap_or(""));
        if cells == [AT_ONCE] {
            name.push_str(" (left at once)");
            let number = self.add(Some(key.clone()), name, Kind::Urgent, Vec::new(), Vec::new())?;
            self.numbers.insert(key, number);
            return Ok(number);
        }
        if !cells.is_empty() {
            let parts: Vec<String> = cells.iter().map(|c| (c + 1).to_string()).collect();
            name.push_str(&format!(" (part {})", parts.join(".")));
        }
        let kind = if self.system.is_instant(place) {
            Kind::Urgent
        } else {
            Kind::Flows
        };
        let invariant = self.invariant(room, cells);
        let number = self.add(Some(key.clone()), name, kind, invariant, room.rates.clone())?;
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// All that holds in a cell, without what follows from the rest.
    fn invariant(&self, room: &Room, cells: &[usize]) -> Vec<Fact> {
        let identity = &self.constants;
        let all = room.base.iter().cloned().chain(room.cell(cells));
        let mut facts: Vec<Fact> = all.map(|c| self.fact(&c, identity, &[])).collect();
        self.leave_out(&mut facts, &[]);
        facts
    }

    /// Leaves out what follows from what is known and from the others.
    fn leave_out(&self, facts: &mut Vec<Fact>, known: &[Fact]) {
        let algebra = self.algebra.borrow();
        let mut place = 0;
        while place < facts.len() {
            let others = facts[..place].iter().chain(&facts[place + 1..]);
            let rest: Vec<Fact> = known.iter().chain(others).cloned().collect();
            if follows(&algebra, &rest, &facts[place]) {
                facts.remove(place);
            } else {
                place += 1;
            }
        }
    }

    fn room(&mut self, place: &Place<E>) -> Result<Rc<Room>, Stop> {
        if let Some(room) = self.rooms.get(place) {
            return Ok(room.clone());
        }
        let room = Rc::new(Room::new(self, place, &(self.task.describe)(&place.inner))?);
        self.rooms.insert(place.clone(), room.clone());
        Ok(room)
    }

    /// All edges out of a location.
    fn leave(&mut self, from: usize, place: &Place<E>, cells: &[usize]) -> Result<(), Stop> {
        let room = self.room(place)?;
        let known = self.locations[from].invariant.clone();
        let identity = self.identity();
        if self.system.is_instant(place) {
            let mut arrivals = Vec::new();
            for jump in self.jumps(place, None, &known, &identity)? {
                self.follow(jump, "", &known, &identity, &mut arrivals, 0)?;
            }
            self.arrive(from, arrivals, &known)?;
        }
        for (event, label, conjunctions) in &room.events {
            for conjunction in conjunctions {
                let Some(facts) = self.with(&known, conjunction, &identity) else {
                    continue;
                };
                let mut arrivals = Vec::new();
                for jump in self.jumps(place, Some(*event), &facts, &identity)? {
                    self.follow(jump, label, &facts, &identity, &mut arrivals, 0)?;
                }
                self.arrive(from, arrivals, &known)?;
            }
        }
        if cells != [AT_ONCE] {
            self.hop(from, place, cells, &room, &known)?;
        }
        self.break_property(from, place, &known)
    }

    fn arrive(&mut self, from: usize, arrivals: Vec<Arrival<Place<E>>>, known: &[Fact]) -> Result<(), Stop> {
        for arrival in arrivals {
            let reset: Vec<Polynomial> = arrival.values.values().cloned().collect();
            for (to, guard) in self.cells(&arrival, known)? {
                let edge = Edge {
                    from,
                    to,
                    label: arrival.label.clone(),
                    guard,
                    reset: reset.clone(),
                };
                self.connect(edge, known);
                self.check_assumptions()?;
            }
        }
        Ok(())
    }

    /// From one cell of a place to the next.
    fn hop(
        &mut self,
        from: usize,
        place: &Place<E>,
        cells: &[usize],
        room: &Room,
        known: &[Fact],
    ) -> Result<(), Stop> {
        let identity = self.identity();
        for (number, choices) in room.splits.iter().enumerate() {
            for choice in 0..choices.len() {
                let mut other = cells.to_vec();
                other[number] = choice;
                if other == cells {
                    continue;
                }
                let Some(facts) = self.with(known, &room.cell(&other), &identity) else {
                    continue;
                };
                let to = self.location(place, &other, room)?;
                let label = "goes on in the next part of its domain".to_owned();
                self.keep((from, to), label, &facts, known);
            }
        }
        Ok(())
    }

    /// Edges to where the property is broken.
    fn break_property(&mut self, from: usize, place: &Place<E>, known: &[Fact]) -> Result<(), Stop> {
        if !self.task.is_asked {
            return Ok(());
        }
        let safe = self.system.safe(place).map_err(Hindrance::from)?;
        let identity = self.identity();
        for conjunction in disjuncts(&safe.negated())? {
            let Some(facts) = self.with(known, &conjunction, &identity) else {
                continue;
            };
            let to = match self.locations.iter().position(|l| l.kind == Kind::Broken) {
                Some(broken) => broken,
                None => self.add(None, "broken".to_owned(), Kind::Broken, Vec::new(), Vec::new())?,
            };
            let label = format!("{} is broken", self.task.requirement.name());
            self.keep((from, to), label, &facts, known);
        }
        Ok(())
    }

    /// An edge that changes no state, where facts hold beyond what is known.
    fn keep(&mut self, (from, to): (usize, usize), label: String, facts: &[Fact], known: &[Fact]) {
        let edge = Edge {
            from,
            to,
            label,
            guard: facts[known.len()..].to_vec(),
            reset: self.identity().values().cloned().collect(),
        };
        self.connect(edge, known);
    }

    /// Every state as itself, then time.
    pub(crate) fn identity(&self) -> Environment {
        let count = self.system.variables().state_count();
        let mut algebra = self.algebra.borrow_mut();
        let symbols = (0..=count as u32).map(SymbolId);
        symbols
            .map(|s| {
                (
                    s,
                    self.constants
                        .get(&s)
                        .cloned()
                        .unwrap_or_else(|| algebra.symbol(s)),
                )
            })
            .collect()
    }
}

/// Ends of a range that were rounded outwards, as the decimals they come from: 0.8999999999999999 was 0.9.
fn decimal_ends(lower: f64, upper: f64) -> (f64, f64) {
    let shortest = |value: f64, inwards: fn(f64) -> f64| {
        let near = std::iter::successors(Some(value), |x| Some(inwards(*x)));
        let length = |x: &f64| format!("{x}").len();
        let best = near.take(4).min_by_key(length).unwrap_or(value);
        if length(&best) + 4 < length(&value) {
            best
        } else {
            value
        }
    };
    let ends = (shortest(lower, f64::next_up), shortest(upper, f64::next_down));
    if ends.0 <= ends.1 { ends } else { (lower, upper) }
}

/// What is known of a condition.
fn judged(
    algebra: &RefCell<Algebra>,
    pool: &Pool,
    condition: &Condition,
    values: &Environment,
    known: &[Fact],
) -> Tri {
    let never = |condition: &Condition| {
        let Ok(ways) = disjuncts(condition) else {
            return false;
        };
        ways.iter().all(|way| {
            let mut all = known.to_vec();
            for constraint in way {
                let mut algebra = algebra.borrow_mut();
                let p = algebra.number(pool, constraint.node, values);
                let p = settled(&mut algebra, &all, &p);
                all.push(Fact::new(p, constraint.relation).tidy(&algebra));
            }
            is_impossible(&algebra.borrow(), &all)
        })
    };
    if never(condition) {
        Tri::False
    } else if never(&condition.negated()) {
        Tri::True
    } else {
        Tri::Unknown
    }
}
