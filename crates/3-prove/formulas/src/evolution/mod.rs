//! Hybrid systems one location at a time: what is asked of them by whoever explores or checks a proof, and both kinds of model as such.
//!
//! Which ways there are to go on depends on the states at hand. They are asked through a judge, so that nothing here knows how sets of states are kept.

mod actors;
mod assignments;
mod bodies;
mod choices;
mod exact;
mod places;
mod quantities;
mod requirement;
mod split;
mod sustained;
mod switched;

pub use actors::Actors;
pub use bodies::Bodies;
pub use choices::Sign;
pub use places::{Chart, Charted, Closed, Node};
pub use requirement::Requirement;
pub use switched::{Leaving, Switched, SwitchedPlace};

use crate::{Condition, Constraint, Event, Flow, Jump, Obstacle, Variables};
use dyverse_expr::Pool;
use dyverse_num::Tri;
use std::fmt::{Debug, Display};

/// Says whether a condition holds of all, of none, or of some of the states at hand.
pub type Judge<'a> = &'a dyn Fn(&Pool, &Condition) -> Tri;

/// A hybrid system whose locations are made when they are asked for.
pub trait Evolution {
    /// A location; some last no time (computation nodes).
    type Place: Clone + Debug + Display + Ord;

    /// Reads the formulas.
    fn with_pool<T>(&self, read: impl FnOnce(&Pool) -> T) -> T;
    /// Adds formulas.
    fn change_pool<T>(&mut self, change: impl FnOnce(&mut Pool) -> T) -> T;
    /// What their symbols stand for.
    fn variables(&self) -> &Variables;
    /// Where it begins, and the states (then time) there.
    ///
    /// # Errors
    /// When something has no formulas.
    fn start(&mut self) -> Result<(Self::Place, Vec<dyverse_expr::NodeId>), Obstacle>;
    /// Does no time pass there?
    fn is_instant(&self, place: &Self::Place) -> bool;
    /// What must hold of the states just before a jump so that the property holds at the moments of the jump itself: just before an impact, just after it, between two
    /// collisions of one instant. (Where the jump leads to a place in which time passes, the state there is a moment of that place.)
    ///
    /// # Errors
    /// When something has no formulas.
    fn moments(
        &mut self,
        _place: &Self::Place,
        _jump: &Jump<Self::Place>,
    ) -> Result<Vec<Condition>, Obstacle> {
        Ok(Vec::new())
    }
    /// Is a state there to be seen, so that a place that lasts no time is a place all the same to whoever writes places down?
    fn is_seen(&self, place: &Self::Place) -> bool {
        !self.is_instant(place)
    }
    /// The flow of a location.
    ///
    /// # Errors
    /// When something has no formulas.
    fn flow(&mut self, place: &Self::Place) -> Result<Flow, Obstacle>;
    /// What ends the stay in a location.
    ///
    /// # Errors
    /// When something has no formulas.
    fn events(&mut self, place: &Self::Place) -> Result<Vec<Event>, Obstacle>;
    /// The ways to go on from where an event is the first (`None`: from a place that lasts no time).
    ///
    /// # Errors
    /// When something has no formulas.
    fn jumps(
        &mut self,
        place: &Self::Place,
        event: Option<usize>,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Self::Place>>, Obstacle>;
    /// What holds exactly of the states with which a location is entered, though an enclosure of them may not show it.
    ///
    /// # Errors
    /// When something has no formulas.
    fn known_at_start(&mut self, _place: &Self::Place) -> Result<Vec<Constraint>, Obstacle> {
        Ok(Vec::new())
    }
    /// What holds of every state that a trajectory may begin with: initial values may be given more room than that, such as bodies that would overlap.
    ///
    /// # Errors
    /// When something has no formulas.
    fn begins(&mut self) -> Result<Condition, Obstacle> {
        Ok(Condition::Constant(true))
    }
    /// What must hold there at all times: the property, with its window.
    ///
    /// # Errors
    /// When something has no formulas.
    fn safe(&mut self, place: &Self::Place) -> Result<Condition, Obstacle>;
}

/// What is certain, with every choice of what is open: which there are then (ascending), and the condition under which that is so.
fn subsets<T: Copy + Ord>(certain: &[T], open: &[(T, Condition)]) -> Vec<(Vec<T>, Condition)> {
    let of = |choice: usize| {
        let mut taken = certain.to_vec();
        let mut conditions = Vec::new();
        for (place, (one, condition)) in open.iter().enumerate() {
            if choice >> place & 1 == 1 {
                taken.push(*one);
                conditions.push(condition.clone());
            } else {
                conditions.push(condition.negated());
            }
        }
        taken.sort_unstable();
        (taken, Condition::And(conditions))
    };
    (0..1usize << open.len()).map(of).collect()
}
