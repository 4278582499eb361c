//! A hybrid system whose formulas are in normal form, with states that never change replaced by their values.
//!
//! Flows, events and what must hold are formulas of a location; formulas of jumps are evaluated by the walk itself.
//!
//! It stands below `Switched`: a distance that is √(s²) shows its |s| there, and becomes two locations instead of a root.

use crate::algebra::{Algebra, Environment};
use dyverse_expr::{Node, NodeId, Pool, UnaryFunction};
use dyverse_formulas::{Condition, Constraint, Event, Evolution, Flow, Judge, Jump, Obstacle, Variables};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A system with simpler formulas.
pub(crate) struct Simplified<E> {
    inner: E,
    algebra: Rc<RefCell<Algebra>>,
    constants: Rc<Environment>,
    known: BTreeMap<NodeId, NodeId>,
}

impl<E: Evolution> Simplified<E> {
    pub(crate) fn new(inner: E, algebra: Rc<RefCell<Algebra>>, constants: Rc<Environment>) -> Self {
        Simplified {
            inner,
            algebra,
            constants,
            known: BTreeMap::new(),
        }
    }

    fn simple(&mut self, node: NodeId) -> NodeId {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let mut algebra = self.algebra.borrow_mut();
        let form = self
            .inner
            .with_pool(|pool| algebra.number(pool, node, &self.constants));
        let made = self.inner.change_pool(|pool| algebra.node(pool, &form));
        let made = made.unwrap_or(node);
        drop(algebra);
        self.known.insert(node, made);
        self.known.insert(made, made);
        made
    }

    fn all(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        nodes.iter().map(|node| self.simple(*node)).collect()
    }

    /// A floor has a location for each whole number, and nobody says how many there are: files have all their locations.
    fn refuse_floor(&self, nodes: &[NodeId], of: impl Fn() -> String) -> Result<(), Obstacle> {
        let has_it = self.inner.with_pool(|pool| {
            let is_floor = |id: NodeId| matches!(pool.node(id), Node::Unary(UnaryFunction::Floor, _));
            pool.reachable(nodes).into_iter().any(is_floor)
        });
        if has_it {
            return Err(Obstacle {
                what: format!("{} has a `floor`", of()),
            });
        }
        Ok(())
    }

    fn condition(&mut self, condition: &Condition) -> Condition {
        condition.map(&mut |atom| Condition::Atom(self.constraint(*atom)))
    }

    fn constraint(&mut self, constraint: Constraint) -> Constraint {
        Constraint {
            node: self.simple(constraint.node),
            relation: constraint.relation,
        }
    }
}

fn nodes(condition: &Condition) -> Vec<NodeId> {
    condition.atoms().iter().map(|atom| atom.node).collect()
}

impl<E: Evolution> Evolution for Simplified<E> {
    type Place = E::Place;

    fn with_pool<T>(&self, read: impl FnOnce(&Pool) -> T) -> T {
        self.inner.with_pool(read)
    }
    fn change_pool<T>(&mut self, change: impl FnOnce(&mut Pool) -> T) -> T {
        self.inner.change_pool(change)
    }
    fn variables(&self) -> &Variables {
        self.inner.variables()
    }
    fn start(&mut self) -> Result<(E::Place, Vec<NodeId>), Obstacle> {
        let (place, states) = self.inner.start()?;
        Ok((place, self.all(&states)))
    }
    fn is_instant(&self, place: &E::Place) -> bool {
        self.inner.is_instant(place)
    }
    fn is_seen(&self, place: &E::Place) -> bool {
        self.inner.is_seen(place)
    }
    fn flow(&mut self, place: &E::Place) -> Result<Flow, Obstacle> {
        let rates = self.inner.flow(place)?.rates;
        for (name, rate) in self.inner.variables().states.iter().zip(&rates) {
            self.refuse_floor(&[*rate], || format!("the flow of `{name}`"))?;
        }
        Ok(Flow {
            rates: self.all(&rates),
        })
    }
    fn events(&mut self, place: &E::Place) -> Result<Vec<Event>, Obstacle> {
        let mut events = self.inner.events(place)?;
        for event in &mut events {
            self.refuse_floor(&nodes(&event.when), || format!("the event `{}`", event.label))?;
            event.when = self.condition(&event.when);
        }
        Ok(events)
    }
    fn jumps(
        &mut self,
        place: &E::Place,
        event: Option<usize>,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<E::Place>>, Obstacle> {
        // Left as they are: after an impact a state has another value than in the location, also one that was taken for a constant.
        self.inner.jumps(place, event, judge)
    }
    fn known_at_start(&mut self, place: &E::Place) -> Result<Vec<Constraint>, Obstacle> {
        let known = self.inner.known_at_start(place)?;
        Ok(known.into_iter().map(|c| self.constraint(c)).collect())
    }
    fn safe(&mut self, place: &E::Place) -> Result<Condition, Obstacle> {
        let safe = self.inner.safe(place)?;
        self.refuse_floor(&nodes(&safe), || "the property".to_owned())?;
        Ok(self.condition(&safe))
    }
}
