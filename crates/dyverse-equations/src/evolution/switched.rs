//! A hybrid system whose formulas choose (`if`, `abs`, `min`, `max`, `sign`) as one whose formulas do not: every way to choose is a location of its own.
//!
//! A choice hangs on the sign of a formula, its *argument*: a for |a|, a − b for min(a, b) and a < b. In a location all signs are fixed, so that formulas are smooth; where an
//! argument goes through zero the location changes and the states do not. `floor` is left as it is.

use std::collections::BTreeMap;
use std::fmt;

use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, Relation as Comparison, UnaryFunction};
use dyverse_num::Tri;

use super::split::split;
use super::{Evolution, Judge};
use crate::{Condition, Constraint, Event, Flow, Jump, Obstacle, Relation, Variables};

/// Choices of one location, at the most.
const MOST_CHOICES: usize = 64;
/// Choices that may go either way when a location is entered, at the most.
const MOST_OPEN: usize = 6;

/// The sign of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Above zero.
    Plus,
    /// Below zero.
    Minus,
    /// Exactly zero, for as long as one stays.
    Zero,
}

/// A location with its choices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SwitchedPlace<P> {
    /// The location without them.
    pub inner: P,
    /// The sign of each argument; `None` while they are being found, or where nothing flows.
    pub signs: Option<Vec<Sign>>,
    /// The arguments that are just leaving zero, ascending.
    pub leaving: Vec<usize>,
}

impl<P: fmt::Display> fmt::Display for SwitchedPlace<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)?;
        let Some(signs) = self.signs.as_ref().filter(|s| !s.is_empty()) else {
            return Ok(());
        };
        let text: String = signs
            .iter()
            .map(|s| match s {
                Sign::Plus => '+',
                Sign::Minus => '-',
                Sign::Zero => '0',
            })
            .collect();
        write!(f, " [{text}]")
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
    leaving: Vec<usize>,
}

impl Way {
    fn with(&self, choice: usize, sign: Sign, node: NodeId, is_zero: bool) -> Self {
        let mut way = self.clone();
        way.signs.push(sign);
        let relation = match sign {
            Sign::Plus => Relation::NotNegative,
            Sign::Minus => Relation::NotPositive,
            Sign::Zero => Relation::Zero,
        };
        way.conditions
            .push(Condition::Atom(Constraint { node, relation }));
        if is_zero && sign != Sign::Zero {
            way.leaving.push(choice);
        }
        way
    }
}

type Place<E> = SwitchedPlace<<E as Evolution>::Place>;

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
        let found: Vec<NodeId> = self.inner.with_pool(|pool| {
            let all = pool.reachable(&roots).into_iter();
            all.filter(|id| argument_of(pool.node(*id)).is_some()).collect()
        });
        if found.len() > MOST_CHOICES {
            return Err(Obstacle {
                what: format!(
                    "{} choices (if, abs, min, max) in one location: at most {MOST_CHOICES} are followed",
                    found.len()
                ),
            });
        }
        self.choices.insert(place.clone(), found.clone());
        Ok(found)
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
    fn decided(
        &mut self,
        place: &E::Place,
        signs: &[Sign],
        roots: &[NodeId],
    ) -> Result<Vec<NodeId>, Obstacle> {
        let choices = self.choices(place)?;
        Ok(self
            .inner
            .change_pool(|pool| rewrite(pool, roots, &choices, signs)))
    }

    fn decided_condition(&mut self, place: &Place<E>, condition: &Condition) -> Result<Condition, Obstacle> {
        let signs = place.signs.clone().unwrap_or_default();
        let nodes: Vec<NodeId> = condition.atoms().iter().map(|a| a.node).collect();
        let new = self.decided(&place.inner, &signs, &nodes)?;
        let mut new = new.into_iter();
        Ok(condition.map(&mut |atom| {
            Condition::Atom(Constraint {
                node: new.next().unwrap_or(atom.node),
                relation: atom.relation,
            })
        }))
    }

    /// The argument of a choice, with the choices before it made.
    fn argument(&mut self, place: &E::Place, signs: &[Sign], choice: usize) -> Result<NodeId, Obstacle> {
        let choices = self.choices(place)?;
        let Some(id) = choices.get(choice) else {
            return Err(Obstacle {
                what: "a choice that is not there".into(),
            });
        };
        let before = &signs[..choice.min(signs.len())];
        Ok(self.inner.change_pool(|pool| {
            let argument = argument_of(pool.node(*id));
            let node = match argument {
                Some(Argument::Of(a)) => a,
                Some(Argument::Difference(a, b)) => pool.subtract(a, b),
                None => *id,
            };
            rewrite(pool, &[node], &choices, before)[0]
        }))
    }

    /// Finds the signs of all arguments: every way that the states at hand allow.
    fn resolve(&mut self, place: &Place<E>, judge: Judge<'_>) -> Result<Vec<Jump<Place<E>>>, Obstacle> {
        let count = self.choices(&place.inner)?.len();
        let mut ways = vec![Way::default()];
        for choice in 0..count {
            let mut next = Vec::new();
            for way in ways {
                let node = self.argument(&place.inner, &way.signs, choice)?;
                let truth = |this: &Self, relation: Relation| {
                    let condition = Condition::Atom(Constraint { node, relation });
                    this.inner.with_pool(|pool| judge(pool, &condition))
                };
                let is_zero = truth(self, Relation::Zero) == Tri::True;
                let open: Vec<Sign> = if is_zero {
                    self.signs_at_zero(&place.inner, &way.signs, node, judge)?
                } else {
                    let both = [
                        (Sign::Plus, Relation::NotNegative),
                        (Sign::Minus, Relation::NotPositive),
                    ];
                    both.iter()
                        .filter(|(_, r)| truth(self, *r) != Tri::False)
                        .map(|(s, _)| *s)
                        .collect()
                };
                for sign in open {
                    next.push(way.with(choice, sign, node, is_zero));
                }
            }
            ways = next;
            if ways.len() > 1 << MOST_OPEN {
                return Err(Obstacle {
                    what: "too many choices (if, abs, min, max) may go either way".into(),
                });
            }
        }
        let reset = self.identity();
        let jump = |way: Way| Jump {
            label: "choices made".to_owned(),
            when: Condition::And(way.conditions),
            auxiliaries: Vec::new(),
            reset: reset.clone(),
            target: SwitchedPlace {
                inner: place.inner.clone(),
                signs: Some(way.signs),
                leaving: way.leaving,
            },
        };
        Ok(ways.into_iter().map(jump).collect())
    }

    /// The signs that an argument may have which is exactly zero now: where its rate takes it.
    fn signs_at_zero(
        &mut self,
        place: &E::Place,
        signs: &[Sign],
        argument: NodeId,
        judge: Judge<'_>,
    ) -> Result<Vec<Sign>, Obstacle> {
        let mut trial = signs.to_vec();
        trial.push(Sign::Zero);
        let rates = self.inner.flow(place)?.rates;
        let flow = Flow {
            rates: self.decided(place, &trial, &rates)?,
        };
        let rate = self.inner.change_pool(|pool| flow.rate_of(pool, argument));
        let is = |relation: Relation| {
            let condition = Condition::Atom(Constraint { node: rate, relation });
            self.inner.with_pool(|pool| judge(pool, &condition)) == Tri::True
        };
        Ok(if is(Relation::Positive) {
            vec![Sign::Plus]
        } else if is(Relation::Negative) {
            vec![Sign::Minus]
        } else if is(Relation::Zero) {
            // If it does not stay so, that is an event.
            vec![Sign::Zero]
        } else {
            vec![Sign::Plus, Sign::Minus, Sign::Zero]
        })
    }

    fn identity(&mut self) -> Vec<NodeId> {
        let variables = self.inner.variables().clone();
        self.inner.change_pool(|pool| variables.identity(pool))
    }
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
            reset: jump.reset.clone(),
            target: jump.target.inner.clone(),
        };
        let conditions = self.inner.moments(&place.inner, &inner)?;
        let plain = |condition: &Condition| self.inner.change_pool(|pool| split(pool, condition));
        Ok(conditions.iter().map(plain).collect())
    }

    fn flow(&mut self, place: &Self::Place) -> Result<Flow, Obstacle> {
        let rates = self.inner.flow(&place.inner)?.rates;
        let signs = place.signs.clone().unwrap_or_default();
        Ok(Flow {
            rates: self.decided(&place.inner, &signs, &rates)?,
        })
    }

    fn events(&mut self, place: &Self::Place) -> Result<Vec<Event>, Obstacle> {
        let mut events = Vec::new();
        for event in self.plain_events(&place.inner)? {
            events.push(Event {
                when: self.decided_condition(place, &event.when)?,
                label: event.label,
            });
        }
        let signs = place.signs.clone().unwrap_or_default();
        for (choice, sign) in signs.iter().enumerate() {
            let node = self.argument(&place.inner, &signs, choice)?;
            let relation = match sign {
                Sign::Plus => Relation::Negative,
                Sign::Minus => Relation::Positive,
                Sign::Zero => Relation::NotZero,
            };
            events.push(Event {
                label: format!("choice {} goes the other way", choice + 1),
                when: Condition::Atom(Constraint { node, relation }),
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
        let inner_events = match event {
            Some(_) => self.inner.events(&place.inner)?.len(),
            None => 0,
        };
        if let (Some(event), Some(signs)) = (event, &place.signs)
            && event >= inner_events
        {
            let choice = event - inner_events;
            let mut signs = signs.clone();
            signs[choice] = match signs[choice] {
                Sign::Plus => Sign::Minus,
                Sign::Minus => Sign::Plus,
                Sign::Zero => return Ok(Vec::new()),
            };
            return Ok(vec![Jump {
                label: "the other way".to_owned(),
                when: Condition::Constant(true),
                auxiliaries: Vec::new(),
                reset: self.identity(),
                target: SwitchedPlace {
                    inner: place.inner.clone(),
                    signs: Some(signs),
                    leaving: vec![choice],
                },
            }]);
        }
        let mut jumps = Vec::new();
        for jump in self.inner.jumps(&place.inner, event, judge)? {
            let reset = match &place.signs {
                Some(signs) => self.decided(&place.inner, signs, &jump.reset)?,
                None => jump.reset,
            };
            jumps.push(Jump {
                label: jump.label,
                when: jump.when,
                auxiliaries: jump.auxiliaries,
                reset,
                target: self.enter(jump.target)?,
            });
        }
        Ok(jumps)
    }

    fn known_at_start(&mut self, place: &Self::Place) -> Result<Vec<Constraint>, Obstacle> {
        let signs = place.signs.clone().unwrap_or_default();
        let mut known = Vec::new();
        // What is known of the way in was known before any choice went another way.
        for constraint in self.inner.known_at_start(&place.inner)? {
            let node = self.decided(&place.inner, &signs, &[constraint.node])?[0];
            known.push(Constraint { node, ..constraint });
        }
        if !place.leaving.is_empty() {
            known.clear();
        }
        for choice in &place.leaving {
            let node = self.argument(&place.inner, &signs, *choice)?;
            let relation = match signs.get(*choice) {
                Some(Sign::Plus) => Relation::NotNegative,
                _ => Relation::NotPositive,
            };
            known.push(Constraint { node, relation });
        }
        Ok(known)
    }

    fn safe(&mut self, place: &Self::Place) -> Result<Condition, Obstacle> {
        let condition = self.plain_safe(&place.inner)?;
        if place.signs.is_some() {
            self.decided_condition(place, &condition)
        } else {
            Ok(condition)
        }
    }
}

enum Argument {
    Of(NodeId),
    Difference(NodeId, NodeId),
}

/// What a choice hangs on; `None` for nodes that choose nothing.
fn argument_of(node: Node) -> Option<Argument> {
    match node {
        Node::Unary(UnaryFunction::Abs | UnaryFunction::Sign, a) => Some(Argument::Of(a)),
        Node::Binary(BinaryFunction::Min | BinaryFunction::Max, a, b) | Node::Compare(_, a, b) => {
            Some(Argument::Difference(a, b))
        }
        _ => None,
    }
}

/// What a choice gives when its argument has this sign; the operands are those already rewritten.
fn choose(pool: &mut Pool, node: Node, sign: Sign, of: &impl Fn(NodeId) -> NodeId) -> NodeId {
    match node {
        Node::Unary(UnaryFunction::Abs, a) => match sign {
            Sign::Minus => pool.negate(of(a)),
            Sign::Plus | Sign::Zero => of(a),
        },
        Node::Unary(_, _) => pool.number(match sign {
            Sign::Plus => 1.0,
            Sign::Minus => -1.0,
            Sign::Zero => 0.0,
        }),
        Node::Binary(BinaryFunction::Min, a, b) => of(if sign == Sign::Plus { b } else { a }),
        Node::Binary(_, a, b) => of(if sign == Sign::Plus { a } else { b }),
        Node::Compare(comparison, ..) => pool.boolean(match comparison {
            Comparison::Less => sign == Sign::Minus,
            Comparison::LessEqual => sign != Sign::Plus,
            Comparison::Greater => sign == Sign::Plus,
            Comparison::GreaterEqual => sign != Sign::Minus,
            Comparison::Equal => sign == Sign::Zero,
            Comparison::NotEqual => sign != Sign::Zero,
        }),
        _ => pool.boolean(false),
    }
}

/// Formulas in which the first choices are made.
fn rewrite(pool: &mut Pool, roots: &[NodeId], choices: &[NodeId], signs: &[Sign]) -> Vec<NodeId> {
    if signs.is_empty() {
        return roots.to_vec();
    }
    let mut new: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for id in pool.reachable(roots) {
        let of = |operand: NodeId| new.get(&operand).copied().unwrap_or(operand);
        let node = pool.node(id);
        let made = choices
            .iter()
            .position(|c| *c == id)
            .and_then(|place| signs.get(place));
        let rebuilt = match made {
            Some(sign) => choose(pool, node, *sign, &of),
            None => pool.rebuild(id, of),
        };
        new.insert(id, rebuilt);
    }
    roots
        .iter()
        .map(|root| new.get(root).copied().unwrap_or(*root))
        .collect()
}
