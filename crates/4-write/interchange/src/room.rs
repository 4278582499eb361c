//! One place: its flow, its events as conjunctions, and its domain.

use crate::facts::{Fact, Plain, follows, is_impossible};
use crate::hindrance::Hindrance;
use crate::polynomial::Polynomial;
use crate::walk::{Place, Walker};
use dyverse_formulas::{Condition, Constraint, Evolution, Flow, Relation};
use std::collections::BTreeMap;

/// Conjunctions of one condition at the most.
const MOST_WAYS: usize = 4096;

/// An event as conjunctions of comparisons: its number, its name, its conjunctions.
pub(crate) type Ways = (usize, String, Vec<Vec<Constraint>>);

/// A place.
pub(crate) struct Room {
    pub(crate) rates: Vec<Polynomial>,
    pub(crate) events: Vec<Ways>,
    /// Holds in all cells.
    pub(crate) base: Vec<Constraint>,
    /// Parts of the base that hold if they hold on entry: event, conjunction, comparison.
    pub(crate) assumed: Vec<(usize, usize, Constraint)>,
    /// One of the cells of each holds.
    pub(crate) splits: Vec<Vec<Vec<Constraint>>>,
}

/// A condition as conjunctions, one of which holds; ≠ is < or >.
pub(crate) fn disjuncts(condition: &Condition) -> Result<Vec<Vec<Constraint>>, Hindrance> {
    let ways = match condition {
        Condition::Constant(true) => vec![Vec::new()],
        Condition::Constant(false) => Vec::new(),
        Condition::Atom(atom) if atom.relation == Relation::NotEqual => {
            let one = |relation| vec![Constraint { relation, ..*atom }];
            vec![one(Relation::Less), one(Relation::Greater)]
        }
        Condition::Atom(atom) => vec![vec![*atom]],
        Condition::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(disjuncts(part)?);
            }
            all
        }
        Condition::And(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let next = disjuncts(part)?;
                let longer = all.iter().flat_map(|head: &Vec<Constraint>| {
                    next.iter().map(move |tail| {
                        let mut both = head.clone();
                        both.extend(tail.iter().filter(|c| !head.contains(c)));
                        both
                    })
                });
                all = longer.collect();
                if all.len() > MOST_WAYS {
                    break;
                }
            }
            all
        }
    };
    let mut once: Vec<Vec<Constraint>> = Vec::new();
    for way in ways {
        if !once.contains(&way) {
            once.push(way);
        }
    }
    if once.len() > MOST_WAYS {
        return Err(Hindrance::new(format!(
            "a condition has more than {MOST_WAYS} conjunctions: too many contacts or transitions together"
        )));
    }
    Ok(once)
}

/// The closure of what holds where a comparison does not; `None`: everything.
fn outside(constraint: &Constraint) -> Option<Constraint> {
    let relation = match constraint.relation.negated() {
        Relation::Greater => Relation::GreaterEqual,
        Relation::Less => Relation::LessEqual,
        Relation::NotEqual => return None,
        closed => closed,
    };
    Some(Constraint {
        relation,
        ..*constraint
    })
}

impl Room {
    pub(crate) fn new<E: Evolution>(
        walker: &mut Walker<'_, E>,
        place: &Place<E>,
        name: &str,
    ) -> Result<Self, Hindrance> {
        let mut room = Room {
            rates: Vec::new(),
            events: Vec::new(),
            base: Vec::new(),
            assumed: Vec::new(),
            splits: Vec::new(),
        };
        if walker.system.is_instant(place) {
            return Ok(room);
        }
        let told = |o| Hindrance::from(o).within(name);
        let flow = walker.system.flow(place).map_err(told)?;
        let events = walker.system.events(place).map_err(told)?;
        let identity = walker.identity();
        room.rates = flow
            .rates
            .iter()
            .map(|n| walker.number(*n, &identity, &[]))
            .collect();
        for (number, event) in events.into_iter().enumerate() {
            let mut ways = disjuncts(&event.when)?;
            ways.retain(|way| room.is_possible(walker, way));
            if !ways.is_empty() {
                room.events.push((number, event.label, ways));
            }
        }
        room.domain(walker, place, &flow);
        Ok(room)
    }

    fn facts<E: Evolution>(&self, walker: &Walker<'_, E>, of: &[Constraint]) -> Vec<Fact> {
        let identity = walker.identity();
        of.iter().map(|c| walker.fact(c, &identity, &[])).collect()
    }

    fn is_possible<E: Evolution>(&self, walker: &Walker<'_, E>, way: &[Constraint]) -> bool {
        let facts = self.facts(walker, way);
        !is_impossible(&walker.algebra.borrow(), &facts)
    }

    /// Where no event is.
    fn domain<E: Evolution>(&mut self, walker: &mut Walker<'_, E>, place: &Place<E>, flow: &Flow) {
        let events = self.events.clone();
        // Events of one comparison first: what they leave makes others simpler.
        for (_, _, ways) in &events {
            for way in ways {
                if let [one] = way.as_slice() {
                    self.base.extend(outside(one));
                }
            }
        }
        for (event, _, ways) in &events {
            for (conjunction, way) in ways.iter().enumerate().filter(|(_, way)| way.len() > 1) {
                self.exclude(walker, place, flow, (*event, conjunction), way);
            }
        }
    }

    fn exclude<E: Evolution>(
        &mut self,
        walker: &mut Walker<'_, E>,
        place: &Place<E>,
        flow: &Flow,
        (event, conjunction): (usize, usize),
        way: &[Constraint],
    ) {
        let base = self.facts(walker, &self.base);
        let mut known = base.clone();
        known.extend(self.facts(walker, way));
        if is_impossible(&walker.algebra.borrow(), &known) {
            return;
        }
        let mut left: Vec<Constraint> = Vec::new();
        for constraint in way {
            let fact = &self.facts(walker, &[*constraint])[0];
            if !follows(&walker.algebra.borrow(), &base, fact) {
                left.push(*constraint);
            }
        }
        if let [one] = left.as_slice() {
            self.base.extend(outside(one));
            return;
        }
        let is_split = walker.split.contains(&(place.clone(), event, conjunction));
        if let (Some(kept), false) = (falling(walker, flow, &left), is_split) {
            self.base.push(kept);
            self.assumed.push((event, conjunction, kept));
            return;
        }
        // Cells: the first that is left, or it holds and the second is left, …
        let mut cells: Vec<Vec<Constraint>> = Vec::new();
        let mut before: Vec<Constraint> = Vec::new();
        for constraint in &left {
            let Some(out) = outside(constraint) else {
                // Nothing keeps one from staying: the event may be taken, and need not be.
                return;
            };
            let mut cell = before.clone();
            cell.push(out);
            let mut all = base.clone();
            all.extend(self.facts(walker, &cell));
            if !is_impossible(&walker.algebra.borrow(), &all) {
                cells.push(cell);
            }
            before.push(closed(constraint));
        }
        if !cells.is_empty() {
            self.splits.push(cells);
        }
    }

    /// Every choice of cells.
    pub(crate) fn all_cells(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for choices in &self.splits {
            let longer = all.iter().flat_map(|head: &Vec<usize>| {
                (0..choices.len()).map(move |c| {
                    let mut both = head.clone();
                    both.push(c);
                    both
                })
            });
            all = longer.collect();
        }
        all
    }

    /// What holds in a cell, beside the base.
    pub(crate) fn cell(&self, cells: &[usize]) -> Vec<Constraint> {
        let chosen = self
            .splits
            .iter()
            .zip(cells)
            .filter_map(|(choices, c)| choices.get(*c));
        chosen.flatten().copied().collect()
    }
}

fn closed(constraint: &Constraint) -> Constraint {
    let relation = match constraint.relation {
        Relation::Greater => Relation::GreaterEqual,
        Relation::Less => Relation::LessEqual,
        same => same,
    };
    Constraint {
        relation,
        ..*constraint
    }
}

/// Of g ≤ 0 ∧ dg/dt < 0 (or ≥, >): g ≥ 0.
fn falling<E: Evolution>(walker: &mut Walker<'_, E>, flow: &Flow, way: &[Constraint]) -> Option<Constraint> {
    let [a, b] = way else {
        return None;
    };
    [(a, b), (b, a)].into_iter().find_map(|(level, slope)| {
        let is_pair = matches!(
            (level.relation, slope.relation),
            (Relation::LessEqual | Relation::Less, Relation::Less)
                | (Relation::GreaterEqual | Relation::Greater, Relation::Greater)
        );
        if !is_pair {
            return None;
        }
        let rate = walker.system.change_pool(|pool| flow.rate_of(pool, level.node));
        let rate = Constraint {
            node: rate,
            relation: slope.relation,
        };
        let identity = walker.identity();
        let forms = [rate, *slope].map(|c| walker.fact(&c, &identity, &[]));
        let algebra = walker.algebra.borrow();
        let [x, y] = forms.map(|fact| fact.plain(&algebra, &BTreeMap::new()));
        (x == y && matches!(x, Plain::Open(_))).then(|| {
            outside(&Constraint {
                relation: closed(level).relation,
                ..*level
            })
        })?
    })
}
