//! A hybrid system whose formulas choose (`if`, `abs`, `min`, `max`, `sign`, `floor`) as one whose formulas do not: every way to choose is a location of its own.
//!
//! A choice hangs on the sign of a formula, its *argument*: a for |a|, a − b for min(a, b) and a < b; a floor on the whole numbers that it lies between. In a location all choices
//! are made, so that formulas are smooth; where an argument crosses a border the location changes and the states do not. On the border itself, if only for an instant,
//! a choice may have a third value (sign 0 = 0): conditions ask for it (`exact.rs`), and so does what a transition there reads.
//!
//! # Staying on a border
//! The flow may have a value of its own on a border too: x′ = sign x has the solution x = 0. Where it may stay there, that is one more way.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use dyverse_expr::{NodeId, Pool};
use dyverse_num::Tri;

use super::choices::{
    Argument, Border, Sign, argument_of, cancels, is_continuous, is_floor, is_same, rewrite,
};
use super::split::split;
use super::{Evolution, Judge};
use crate::{Auxiliary, Condition, Constraint, Event, Flow, Jump, Obstacle, Relation, Variables};

/// Choices of one location, at the most.
const MOST_CHOICES: usize = 64;
/// Choices that may go either way when a location is entered, at the most.
const MOST_OPEN: usize = 6;
/// Values that a floor may have when a location is entered, at the most.
const MOST_LEVELS: i64 = 64;
/// What chooses, for people.
const KINDS: &str = "if, abs, min, max, sign, floor";

/// A location with its choices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SwitchedPlace<P> {
    /// The location without them.
    pub inner: P,
    /// The sign of each argument; `None` while they are being found, or where nothing flows.
    pub signs: Option<Vec<Sign>>,
    /// The arguments that are just leaving a border, ascending.
    pub leaving: Vec<Leaving>,
}

/// An argument leaves a border: both by their places, among the choices of the location and among the borders of its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leaving {
    /// The argument's choice.
    pub choice: usize,
    /// The border.
    pub border: usize,
}

impl<P: fmt::Display> fmt::Display for SwitchedPlace<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)?;
        let Some(signs) = self.signs.as_ref().filter(|s| !s.is_empty()) else {
            return Ok(());
        };
        let text: String = signs.iter().map(Sign::to_string).collect();
        write!(f, " [{text}]")
    }
}

impl<P> SwitchedPlace<P> {
    /// The signs of a place that lasts.
    fn chosen(&self) -> &[Sign] {
        match &self.signs {
            Some(signs) => signs,
            None => unreachable!("bug: choices are open in a place that lasts"),
        }
    }
}

/// A system with its choices made locations.
pub struct Switched<E: Evolution> {
    inner: E,
    choices: BTreeMap<E::Place, Vec<NodeId>>,
}

/// Signs found so far, and under which conditions.
#[derive(Clone, Default)]
struct Way {
    signs: Vec<Sign>,
    conditions: Vec<Condition>,
    leaving: Vec<Leaving>,
}

/// One way that a choice may go.
struct Open {
    sign: Sign,
    /// The border that the argument just leaves.
    leaves: Option<usize>,
}

impl Open {
    fn new(sign: Sign) -> Self {
        Open { sign, leaves: None }
    }
    /// Leaving the border with this number.
    fn leaving(sign: Sign, border: usize) -> Self {
        Open {
            sign,
            leaves: Some(border),
        }
    }
}

type Place<E> = SwitchedPlace<<E as Evolution>::Place>;

/// The choices made, for formulas.
fn made(signs: &[Sign]) -> Vec<Option<Sign>> {
    signs.iter().copied().map(Some).collect()
}

/// The borders of all choices of a location, in the order of their events.
fn all_borders(signs: &[Sign]) -> Vec<(usize, Border)> {
    let of = |(choice, sign): (usize, &Sign)| sign.borders().into_iter().map(move |b| (choice, b));
    signs.iter().enumerate().flat_map(of).collect()
}

impl<E: Evolution> Switched<E> {
    /// A system, its choices made locations.
    pub fn new(inner: E) -> Self {
        Switched {
            inner,
            choices: BTreeMap::new(),
        }
    }

    /// The choices of a location, inner ones first.
    fn choices(&mut self, place: &E::Place) -> Result<Vec<NodeId>, Obstacle> {
        if let Some(known) = self.choices.get(place) {
            return Ok(known.clone());
        }
        let mut roots = self.inner.flow(place)?.rates;
        for event in self.plain_events(place)? {
            roots.extend(event.when.atoms().iter().map(|a| a.node));
        }
        roots.extend(self.plain_safe(place)?.atoms().iter().map(|a| a.node));
        roots.extend(self.inner.known_at_start(place)?.iter().map(|a| a.node));
        let found = self.choices_in(&roots);
        if found.len() > MOST_CHOICES {
            return Err(Obstacle {
                what: format!(
                    "{} choices ({KINDS}) in one location: at most {MOST_CHOICES} are followed",
                    found.len()
                ),
            });
        }
        self.choices.insert(place.clone(), found.clone());
        Ok(found)
    }

    /// The choices that formulas read, inner ones first. Their order names locations, so it must not tell in which order formulas were made.
    fn choices_in(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.inner.with_pool(|pool| {
            let all = pool.in_reading_order(roots).into_iter();
            all.filter(|id| argument_of(pool.node(*id)).is_some()).collect()
        })
    }

    /// Whether a choice is read by formulas.
    fn is_read(&self, choice: NodeId, by: &[NodeId]) -> bool {
        self.inner.with_pool(|pool| pool.reachable(by).contains(&choice))
    }

    /// Events without kinks, where they can be had.
    fn plain_events(&mut self, place: &E::Place) -> Result<Vec<Event>, Obstacle> {
        let mut events = self.inner.events(place)?;
        for event in &mut events {
            event.when = self.inner.change_pool(|pool| split(pool, &event.when));
        }
        Ok(events)
    }

    /// What must hold, without kinks, where that can be had.
    fn plain_safe(&mut self, place: &E::Place) -> Result<Condition, Obstacle> {
        let safe = self.inner.safe(place)?;
        Ok(self.inner.change_pool(|pool| split(pool, &safe)))
    }

    /// A location, on the way in.
    fn enter(&mut self, inner: E::Place) -> Result<Place<E>, Obstacle> {
        let signs = if self.inner.is_instant(&inner) || !self.choices(&inner)?.is_empty() {
            None
        } else {
            Some(Vec::new())
        };
        Ok(SwitchedPlace {
            inner,
            signs,
            leaving: Vec::new(),
        })
    }

    /// Formulas with choices made, as far as there are signs.
    pub(super) fn decided(
        &mut self,
        choices: &[NodeId],
        made: &[Option<Sign>],
        roots: &[NodeId],
    ) -> Vec<NodeId> {
        self.inner.change_pool(|pool| rewrite(pool, roots, choices, made))
    }

    /// The argument of a choice, with the choices before it made.
    pub(super) fn argument(
        &mut self,
        choices: &[NodeId],
        made: &[Option<Sign>],
        choice: usize,
    ) -> Result<NodeId, Obstacle> {
        let Some(id) = choices.get(choice) else {
            return Err(Obstacle {
                what: "a choice that is not there".into(),
            });
        };
        let before = &made[..choice.min(made.len())];
        Ok(self.inner.change_pool(|pool| {
            let node = match argument_of(pool.node(*id)) {
                Some(Argument::Of(a)) => a,
                Some(Argument::Difference(a, b)) => pool.subtract(a, b),
                None => *id,
            };
            let argument = rewrite(pool, &[node], choices, before)[0];
            // What is always zero must not be taken for something that may have either sign.
            if cancels(pool, argument) {
                pool.number(0.0)
            } else {
                argument
            }
        }))
    }

    /// Finds how all choices go: every way that the states at hand allow.
    fn resolve(&mut self, place: &Place<E>, judge: Judge<'_>) -> Result<Vec<Jump<Place<E>>>, Obstacle> {
        let choices = self.choices(&place.inner)?;
        let rates = self.inner.flow(&place.inner)?.rates;
        let mut ways = vec![Way::default()];
        for choice in 0..choices.len() {
            let mut next = Vec::new();
            for way in ways {
                let argument = self.argument(&choices, &made(&way.signs), choice)?;
                for open in self.open_ways(&choices, &rates, &way.signs, argument, judge)? {
                    next.push(self.extend(&way, argument, &open));
                }
            }
            ways = next;
            if ways.len() > 1 << MOST_OPEN {
                return Err(Obstacle {
                    what: format!("too many choices ({KINDS}) may go either way"),
                });
            }
        }
        let reset = self.identity();
        let jump = |way: Way| Jump {
            label: "choices made".to_owned(),
            when: Condition::And(way.conditions),
            auxiliaries: Vec::new(),
            impulses: None,
            reset: reset.clone(),
            target: SwitchedPlace {
                inner: place.inner.clone(),
                signs: Some(way.signs),
                leaving: way.leaving,
            },
        };
        Ok(ways.into_iter().map(jump).collect())
    }

    fn extend(&mut self, way: &Way, argument: NodeId, open: &Open) -> Way {
        let mut longer = way.clone();
        for border in open.sign.borders() {
            let inside = self
                .inner
                .change_pool(|pool| border.is(pool, argument, border.inside));
            longer.conditions.push(inside);
        }
        if let Some(border) = open.leaves {
            let choice = way.signs.len();
            longer.leaving.push(Leaving { choice, border });
        }
        longer.signs.push(open.sign);
        longer
    }

    /// The ways that the next choice may go.
    fn open_ways(
        &mut self,
        choices: &[NodeId],
        rates: &[NodeId],
        signs: &[Sign],
        argument: NodeId,
        judge: Judge<'_>,
    ) -> Result<Vec<Open>, Obstacle> {
        let choice = choices[signs.len()];
        if is_floor(self.inner.with_pool(|pool| pool.node(choice))) {
            return self.open_levels(choices, rates, signs, argument, judge);
        }
        if self.judged(argument, Relation::Equal, judge) == Tri::True {
            let rate = self.rate_on(choices, rates, signs, Sign::Zero, argument);
            return Ok(match self.direction(rate, judge) {
                Some(Relation::Greater) => vec![Open::leaving(Sign::Plus, 0)],
                Some(Relation::Less) => vec![Open::leaving(Sign::Minus, 0)],
                // If it does not stay so, that is an event.
                Some(_) => vec![Open::new(Sign::Zero)],
                None => vec![
                    Open::leaving(Sign::Plus, 0),
                    Open::leaving(Sign::Minus, 0),
                    Open::new(Sign::Zero),
                ],
            });
        }
        let both = [
            (Sign::Plus, Relation::GreaterEqual),
            (Sign::Minus, Relation::LessEqual),
        ];
        let mut open: Vec<Open> = both
            .iter()
            .filter(|(_, r)| self.judged(argument, *r, judge) != Tri::False)
            .map(|(s, _)| Open::new(*s))
            .collect();
        if self.judged(argument, Relation::Equal, judge) != Tri::False
            && self.may_stay(choices, rates, signs, argument, judge)
        {
            open.push(Open::new(Sign::Zero));
        }
        Ok(open)
    }

    /// The levels that a floor may have.
    fn open_levels(
        &mut self,
        choices: &[NodeId],
        rates: &[NodeId],
        signs: &[Sign],
        argument: NodeId,
        judge: Judge<'_>,
    ) -> Result<Vec<Open>, Obstacle> {
        let mut is = |level: i64, relation: Relation| {
            let node = self.inner.change_pool(|pool| {
                let level = pool.number(level as f64);
                pool.subtract(argument, level)
            });
            self.judged(node, relation, judge) == Tri::True
        };
        // The largest number that it is certainly above, and the least that it is certainly below.
        let lowest = last_true(|n| is(n, Relation::Greater));
        let highest = last_true(|n| is(-n, Relation::Less)).map(|n| -n);
        let (Some(lowest), Some(highest)) = (lowest, highest) else {
            return Err(Obstacle {
                what: "a floor of a number that is not bounded".into(),
            });
        };
        if highest - lowest > MOST_LEVELS {
            return Err(Obstacle {
                what: format!("a floor that may be any of more than {MOST_LEVELS} numbers"),
            });
        }
        // Exactly a whole number.
        if highest - lowest == 2 && is(lowest + 1, Relation::Equal) {
            let rate = self.rate_on(choices, rates, signs, Sign::Level(lowest + 1), argument);
            let (up, down) = (
                Open::leaving(Sign::Level(lowest + 1), 0),
                Open::leaving(Sign::Level(lowest), 1),
            );
            return Ok(match self.direction(rate, judge) {
                Some(Relation::Less) => vec![down],
                Some(_) => vec![up],
                None => vec![up, down],
            });
        }
        Ok((lowest..highest).map(|n| Open::new(Sign::Level(n))).collect())
    }

    fn judged(&self, node: NodeId, relation: Relation, judge: Judge<'_>) -> Tri {
        let condition = Condition::Atom(Constraint { node, relation });
        self.inner.with_pool(|pool| judge(pool, &condition))
    }

    /// The rate of an argument with the next choice made.
    fn rate_on(
        &mut self,
        choices: &[NodeId],
        rates: &[NodeId],
        signs: &[Sign],
        next: Sign,
        argument: NodeId,
    ) -> NodeId {
        let mut trial = made(signs);
        trial.push(Some(next));
        let flow = Flow {
            rates: self.decided(choices, &trial, rates),
        };
        self.inner.change_pool(|pool| flow.rate_of(pool, argument))
    }

    /// The sign of a rate, if it is known: above zero, below, or exactly zero.
    fn direction(&self, rate: NodeId, judge: Judge<'_>) -> Option<Relation> {
        [Relation::Greater, Relation::Less, Relation::Equal]
            .into_iter()
            .find(|relation| self.judged(rate, *relation, judge) == Tri::True)
    }

    /// Whether the flow has a value of its own where the argument of the next choice is zero, with which it may stay there.
    fn may_stay(
        &mut self,
        choices: &[NodeId],
        rates: &[NodeId],
        signs: &[Sign],
        argument: NodeId,
        judge: Judge<'_>,
    ) -> bool {
        let choice = choices[signs.len()];
        let node = self.inner.with_pool(|pool| pool.node(choice));
        let has_own = !is_continuous(node)
            && !is_floor(node)
            && !is_same(node, Sign::Zero, Sign::Plus)
            && !is_same(node, Sign::Zero, Sign::Minus);
        if !has_own || !self.is_read(choice, rates) {
            return false;
        }
        let rate = self.rate_on(choices, rates, signs, Sign::Zero, argument);
        self.judged(rate, Relation::Equal, judge) != Tri::False
    }

    /// An argument crosses a border.
    fn crossed(
        &mut self,
        place: &Place<E>,
        signs: &[Sign],
        (choice, border): (usize, Border),
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Place<E>>>, Obstacle> {
        if signs[choice] == Sign::Zero {
            return Ok(Vec::new());
        }
        let choices = self.choices(&place.inner)?;
        let reset = self.identity();
        let jump = |label: &str, signs: Option<Vec<Sign>>, leaving: Vec<Leaving>| Jump {
            label: label.to_owned(),
            when: Condition::Constant(true),
            auxiliaries: Vec::new(),
            impulses: None,
            reset: reset.clone(),
            target: SwitchedPlace {
                inner: place.inner.clone(),
                signs,
                leaving,
            },
        };
        let with = |sign: Sign| {
            let mut signs = signs.to_vec();
            signs[choice] = sign;
            signs
        };
        // What hangs on this choice may go another way too.
        let outer: Vec<NodeId> = choices[choice + 1..].to_vec();
        if self.is_read(choices[choice], &outer) {
            return Ok(vec![jump("the other way", None, Vec::new())]);
        }
        let theirs = border.beyond.borders();
        let left = theirs.iter().position(|b| b.level == border.level);
        let leaving = left
            .map(|border| Leaving { choice, border })
            .into_iter()
            .collect();
        let mut jumps = vec![jump("the other way", Some(with(border.beyond)), leaving)];
        let argument = self.argument(&choices, &made(signs), choice)?;
        let rates = self.inner.flow(&place.inner)?.rates;
        // Later choices stay as they are.
        let later = self.decided(&choices, &later_made(signs, choice), &rates);
        if self.may_stay(&choices, &later, &signs[..choice], argument, judge) {
            jumps.push(jump("stays on the border", Some(with(Sign::Zero)), Vec::new()));
        }
        Ok(jumps)
    }

    /// What transitions read, with all choices made that are possible where they are taken: on a border each side and the border itself, as another computation may have it.
    fn readings(
        &mut self,
        choices: &[NodeId],
        signs: &[Sign],
        roots: &[NodeId],
        judge: Judge<'_>,
    ) -> Result<Vec<Reading>, Obstacle> {
        let read: Vec<bool> = self.inner.with_pool(|pool| {
            let all = pool.reachable(roots);
            choices.iter().map(|c| all.contains(c)).collect()
        });
        let mut readings = vec![Reading::default()];
        for (choice, own) in signs.iter().enumerate() {
            let node = self.inner.with_pool(|pool| pool.node(choices[choice]));
            let mut next = Vec::new();
            for reading in readings {
                let argument = self.argument(choices, &reading.made, choice)?;
                let is_usual = self.argument(choices, &made(signs), choice)? == argument;
                if !read[choice] || is_continuous(node) && is_usual {
                    next.push(reading.with(Some(*own), None));
                    continue;
                }
                if !is_usual {
                    // It hangs on a choice that is made otherwise: left as it is.
                    next.push(reading.with(None, None));
                    continue;
                }
                next.push(reading.with(Some(*own), None));
                for border in own.borders() {
                    let at_border = self
                        .inner
                        .change_pool(|pool| border.is(pool, argument, border.not_inside()));
                    if self.inner.with_pool(|pool| judge(pool, &at_border)) == Tri::False {
                        continue;
                    }
                    for sign in [border.on, border.beyond] {
                        let is_new = !is_same(node, sign, *own)
                            && !next.iter().any(|r: &Reading| {
                                let known = r.made.last().copied().flatten();
                                r.made[..choice] == reading.made[..] && known == Some(sign)
                            });
                        if is_new {
                            let note = format!("choice {} as {sign}", choice + 1);
                            next.push(reading.with(Some(sign), Some((note, at_border.clone()))));
                        }
                    }
                }
            }
            readings = next;
            if readings.len() > 1 << MOST_OPEN {
                return Err(Obstacle {
                    what: format!("a transition reads too many choices ({KINDS}) that may go either way"),
                });
            }
        }
        Ok(readings)
    }

    fn identity(&mut self) -> Vec<NodeId> {
        let variables = self.inner.variables().clone();
        self.inner.change_pool(|pool| variables.identity(pool))
    }
}

/// How choices are made where a transition is taken.
#[derive(Clone, Default)]
struct Reading {
    made: Vec<Option<Sign>>,
    /// Those that are not made as in the location.
    notes: Vec<String>,
    conditions: Vec<Condition>,
}

impl Reading {
    fn with(&self, sign: Option<Sign>, note: Option<(String, Condition)>) -> Self {
        let mut longer = self.clone();
        longer.made.push(sign);
        if let Some((note, condition)) = note {
            longer.notes.push(note);
            longer.conditions.push(condition);
        }
        longer
    }

    fn label(&self, label: &str) -> String {
        if self.notes.is_empty() {
            label.to_owned()
        } else {
            format!("{label} ({})", self.notes.join(", "))
        }
    }
}

/// The choices after one, made as they are; it and those before it are left open.
fn later_made(signs: &[Sign], choice: usize) -> Vec<Option<Sign>> {
    let later = |(number, sign): (usize, &Sign)| (number > choice).then_some(*sign);
    signs.iter().enumerate().map(later).collect()
}

/// The largest whole number for which something is true that is true below some number and not above it; `None` if there is none within reach.
fn last_true(mut is_true: impl FnMut(i64) -> bool) -> Option<i64> {
    const REACH: i64 = 1 << 40;
    let (mut low, mut high) = if is_true(0) { (0, 1) } else { (-1, 0) };
    let mut step = 1;
    while low == -step && !is_true(low) {
        (high, step) = (low, 2 * step);
        low = -step;
        if step > REACH {
            return None;
        }
    }
    while high == step && is_true(high) {
        (low, step) = (high, 2 * step);
        high = step;
        if step > REACH {
            return None;
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_true(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

impl<E: Evolution> Evolution for Switched<E> {
    type Place = SwitchedPlace<E::Place>;

    fn with_pool<T>(&self, read: impl FnOnce(&Pool) -> T) -> T {
        self.inner.with_pool(read)
    }

    fn change_pool<T>(&mut self, change: impl FnOnce(&mut Pool) -> T) -> T {
        self.inner.change_pool(change)
    }

    fn variables(&self) -> &Variables {
        self.inner.variables()
    }

    fn start(&mut self) -> Result<(Self::Place, Vec<NodeId>), Obstacle> {
        let (place, states) = self.inner.start()?;
        Ok((self.enter(place)?, states))
    }

    fn begins(&mut self) -> Result<Condition, Obstacle> {
        self.inner.begins()
    }

    fn is_instant(&self, place: &Self::Place) -> bool {
        place.signs.is_none()
    }

    fn is_seen(&self, place: &Self::Place) -> bool {
        self.inner.is_seen(&place.inner) && (place.signs.is_some() || self.inner.is_instant(&place.inner))
    }

    fn moments(&mut self, place: &Self::Place, jump: &Jump<Self::Place>) -> Result<Vec<Condition>, Obstacle> {
        let inner = Jump {
            label: String::new(),
            when: Condition::Constant(true),
            auxiliaries: Vec::new(),
            impulses: None,
            reset: jump.reset.clone(),
            target: jump.target.inner.clone(),
        };
        let conditions = self.inner.moments(&place.inner, &inner)?;
        let plain = |condition: &Condition| self.inner.change_pool(|pool| split(pool, condition));
        Ok(conditions.iter().map(plain).collect())
    }

    fn flow(&mut self, place: &Self::Place) -> Result<Flow, Obstacle> {
        let rates = self.inner.flow(&place.inner)?.rates;
        let signs = place.chosen();
        let choices = self.choices(&place.inner)?;
        Ok(Flow {
            rates: self.decided(&choices, &made(signs), &rates),
        })
    }

    fn events(&mut self, place: &Self::Place) -> Result<Vec<Event>, Obstacle> {
        let signs = place.chosen();
        let choices = self.choices(&place.inner)?;
        let mut events = Vec::new();
        for event in self.plain_events(&place.inner)? {
            events.push(Event {
                when: self.may(&choices, signs, &event.when)?,
                label: event.label,
            });
        }
        for (choice, border) in all_borders(signs) {
            let argument = self.argument(&choices, &made(signs), choice)?;
            let number = choice + 1;
            events.push(Event {
                label: match border.beyond {
                    Sign::Level(n) => format!("choice {number} becomes {n}"),
                    _ => format!("choice {number} goes the other way"),
                },
                when: self
                    .inner
                    .change_pool(|pool| border.is(pool, argument, border.outside())),
            });
        }
        Ok(events)
    }

    fn jumps(
        &mut self,
        place: &Self::Place,
        event: Option<usize>,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Self::Place>>, Obstacle> {
        if place.signs.is_none() && !self.inner.is_instant(&place.inner) {
            return self.resolve(place, judge);
        }
        let signs = place.signs.clone().unwrap_or_default();
        if let Some(event) = event {
            let inner_events = self.inner.events(&place.inner)?.len();
            if let Some(crossed) = event
                .checked_sub(inner_events)
                .and_then(|n| all_borders(&signs).get(n).copied())
            {
                return self.crossed(place, &signs, crossed, judge);
            }
        }
        let choices = if signs.is_empty() {
            Vec::new()
        } else {
            self.choices(&place.inner)?
        };
        let mut jumps = Vec::new();
        for jump in self.inner.jumps(&place.inner, event, judge)? {
            let target = self.enter(jump.target)?;
            let mut roots = jump.reset.clone();
            let implied = jump.impulses.as_ref().map(|i| i.nodes()).unwrap_or_default();
            roots.extend(&implied);
            roots.extend(jump.auxiliaries.iter().map(|a| a.equation));
            roots.extend(jump.when.atoms().iter().map(|a| a.node));
            for reading in self.readings(&choices, &signs, &roots, judge)? {
                let mut new = self.decided(&choices, &reading.made, &roots);
                let mut rest = new.split_off(jump.reset.len());
                let mut others = rest.split_off(implied.len());
                let atoms = others.split_off(jump.auxiliaries.len());
                let auxiliaries = others.into_iter().map(|equation| Auxiliary { equation });
                let mut conditions = reading.conditions.clone();
                conditions.push(jump.when.with_nodes(atoms));
                jumps.push(Jump {
                    label: reading.label(&jump.label),
                    when: Condition::And(conditions),
                    auxiliaries: auxiliaries.collect(),
                    impulses: jump.impulses.as_ref().map(|i| Rc::new(i.with_nodes(&rest))),
                    reset: new,
                    target: target.clone(),
                });
            }
        }
        Ok(jumps)
    }

    fn known_at_start(&mut self, place: &Self::Place) -> Result<Vec<Constraint>, Obstacle> {
        let signs = place.chosen();
        let choices = self.choices(&place.inner)?;
        let mut known = Vec::new();
        // What is known of the way in was known before any choice went another way.
        if place.leaving.is_empty() {
            for constraint in self.inner.known_at_start(&place.inner)? {
                let node = self.decided(&choices, &made(signs), &[constraint.node])[0];
                known.push(Constraint { node, ..constraint });
            }
        }
        for (choice, sign) in signs.iter().enumerate() {
            let argument = self.argument(&choices, &made(signs), choice)?;
            // Who enters is inside all borders, or on them: that is how choices are made, and a choice that another one's crossing leaves as it is has not gone another way before.
            for border in sign.borders() {
                known.push(Constraint {
                    node: self.inner.change_pool(|pool| border.node(pool, argument)),
                    relation: border.inside,
                });
            }
        }
        Ok(known)
    }

    fn safe(&mut self, place: &Self::Place) -> Result<Condition, Obstacle> {
        let condition = self.plain_safe(&place.inner)?;
        if let Some(signs) = &place.signs {
            let choices = self.choices(&place.inner)?;
            return self.must(&choices, Some(signs), &condition);
        }
        let nodes: Vec<NodeId> = condition.atoms().iter().map(|a| a.node).collect();
        let choices = self.choices_in(&nodes);
        self.must(&choices, None, &condition)
    }
}
