//! Actor models with modes as evolutions.
//!
//! Transitions of different modal models whose guards hold at the same moment are taken together. Where the enclosure cannot tell, every combination is a jump.

use crate::{ActorFormulas, ActorLocation, Condition, Event, Flow, Jump, Obstacle, Variables};
use dyverse_actors::Graph;
use dyverse_expr::{NodeId, Pool};
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
        Ok(Actors {
            formulas,
            requirement,
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
        self.formulas.events(place)
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
        let mut certain = vec![event];
        let mut open = Vec::new();
        for (other, candidate) in events.iter().enumerate().filter(|(other, _)| *other != event) {
            match judge(self.formulas.pool(), &candidate.when) {
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
