//! Actor models with modes as evolutions.
//!
//! Transitions of different modal models whose guards hold at the same moment are taken together. Where the enclosure cannot tell, every combination is a jump.
//!
//! # Equality
//! `p == q` of signals that change while time passes holds where they meet, and a run takes it where they come as near as 1e-12 of their size (docs/ACTOR_LANGUAGE.md). So such a guard
//! may hold wherever |p − q| ≤ 1e-12 (1 + p² + q²), which is more; where it may and is not known to hold exactly, nothing is claimed of what follows.

use crate::{
    ActorFormulas, ActorLocation, Condition, Constraint, Event, Flow, Jump, Obstacle, Relation, Variables,
};
use dyverse_actors::Graph;
use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, SymbolId};
use dyverse_num::Tri;

use super::requirement::Requirement;
use super::{Evolution, Judge, subsets};

/// Events that may or may not happen together, at the most.
const MOST_TOGETHER: usize = 6;

/// An actor model with a property.
pub struct Actors {
    formulas: ActorFormulas,
    requirement: Requirement,
}

impl Actors {
    /// A graph with parameters chosen, and what must hold.
    ///
    /// # Errors
    /// When something has no formulas.
    pub fn new(
        graph: &Graph,
        choices: &[(String, f64, f64)],
        requirement: Requirement,
    ) -> Result<Self, Obstacle> {
        let formulas = ActorFormulas::new(graph, choices)?;
        let formulas = formulas.asked_about(requirement.name(), requirement.truths().collect());
        Ok(Actors {
            formulas,
            requirement,
        })
    }
}

fn is_zero(node: Node) -> bool {
    matches!(node, Node::Number(literal) if literal.value() == 0.0)
}

/// How near signals meet, part of 1 + p² + q².
const MEETS: f64 = 1e-12;

impl Actors {
    /// Which states, and time, change while time passes in a location.
    fn moving(&mut self, place: &ActorLocation) -> Result<Vec<bool>, Obstacle> {
        let rates = self.formulas.flow(place)?.rates;
        let pool = self.formulas.pool();
        Ok(rates.iter().map(|rate| !is_zero(pool.node(*rate))).collect())
    }

    /// A condition with every equality of what moves replaced by nearness.
    fn near(&mut self, when: &Condition, moving: &[bool]) -> Condition {
        let pool = self.formulas.pool_mut();
        when.map(&mut |atom| {
            let moves = |symbol: &SymbolId| moving.get(symbol.0 as usize).copied().unwrap_or(false);
            if atom.relation != Relation::Equal || !pool.symbols(&[atom.node]).iter().any(moves) {
                return Condition::Atom(*atom);
            }
            let (p, q) = match pool.node(atom.node) {
                Node::Binary(BinaryFunction::Subtract, p, q) => (p, q),
                _ => (atom.node, atom.node),
            };
            let one = pool.number(1.0);
            let squares = [p, q].map(|x| pool.integer_power(x, 2));
            let size = squares.into_iter().fold(one, |sum, square| pool.add(sum, square));
            let part = pool.number(MEETS);
            let margin = pool.multiply(part, size);
            let (over, under) = (pool.subtract(atom.node, margin), pool.add(atom.node, margin));
            let of = |node: NodeId, relation: Relation| Condition::Atom(Constraint { node, relation });
            Condition::And(vec![
                of(over, Relation::LessEqual),
                of(under, Relation::GreaterEqual),
            ])
        })
    }
}

impl Evolution for Actors {
    type Place = ActorLocation;

    fn with_pool<T>(&self, read: impl FnOnce(&Pool) -> T) -> T {
        read(self.formulas.pool())
    }

    fn change_pool<T>(&mut self, change: impl FnOnce(&mut Pool) -> T) -> T {
        change(self.formulas.pool_mut())
    }

    fn variables(&self) -> &Variables {
        self.formulas.variables()
    }

    fn start(&mut self) -> Result<(ActorLocation, Vec<NodeId>), Obstacle> {
        self.formulas.start()
    }

    fn is_instant(&self, _: &ActorLocation) -> bool {
        false
    }

    fn flow(&mut self, place: &ActorLocation) -> Result<Flow, Obstacle> {
        self.formulas.flow(place)
    }

    fn events(&mut self, place: &ActorLocation) -> Result<Vec<Event>, Obstacle> {
        let mut events = self.formulas.events(place)?;
        let moving = self.moving(place)?;
        for event in &mut events {
            event.when = self.near(&event.when, &moving);
        }
        Ok(events)
    }

    fn jumps(
        &mut self,
        place: &ActorLocation,
        event: Option<usize>,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<ActorLocation>>, Obstacle> {
        let Some(event) = event else {
            return Ok(Vec::new());
        };
        let events = self.formulas.events(place)?;
        let moving = self.moving(place)?;
        let mut certain = vec![event];
        let mut open = Vec::new();
        for (other, candidate) in events.iter().enumerate() {
            let exactly = judge(self.formulas.pool(), &candidate.when);
            let near = self.near(&candidate.when, &moving);
            if near != candidate.when
                && exactly != Tri::True
                && (other == event || judge(self.formulas.pool(), &near) != Tri::False)
            {
                return Err(Obstacle {
                    what: format!("{}: whether signals meet there is not proved", candidate.label),
                });
            }
            match exactly {
                _ if other == event => {}
                Tri::True => certain.push(other),
                Tri::False => {}
                Tri::Unknown => open.push((other, candidate.when.clone())),
            }
        }
        if open.len() > MOST_TOGETHER {
            return Err(Obstacle {
                what: format!("more than {MOST_TOGETHER} transitions may or may not happen together"),
            });
        }
        let mut jumps = Vec::new();
        for (taken, when) in subsets(&certain, &open) {
            for jump in self.formulas.jumps_together(place, &taken)? {
                let when = Condition::And(vec![when.clone(), jump.when]);
                jumps.push(Jump { when, ..jump });
            }
        }
        if jumps.is_empty() {
            return Err(Obstacle {
                what: format!("in [{place}] transitions that exclude each other hold at the same moment"),
            });
        }
        Ok(jumps)
    }

    fn safe(&mut self, place: &ActorLocation) -> Result<Condition, Obstacle> {
        let requirement = self.requirement.clone();
        let formulas = &mut self.formulas;
        let conditions = requirement.condition(&mut |node| formulas.property(node, place))?;
        let time = self.formulas.variables().time();
        Ok(requirement.within_windows(conditions, self.formulas.pool_mut(), time))
    }
}
