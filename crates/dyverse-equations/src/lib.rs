//! A model as formulas: the flow, events and jumps of each location, over one list of variables.
//!
//! **In:** a rigid-body model, or an actor graph with modes. **Out:** expressions in one pool, with the meaning of every symbol. What is
//! recorded is what is simulated: mechanics is evaluated on a scalar that writes down what is asked of it.
//!
//! # Not here
//! Numbers: nothing is evaluated, enclosed or integrated.

mod actors;
mod formulas;

pub use actors::{ActorFormulas, ActorLocation};
pub use formulas::{
    Auxiliary, Condition, Constraint, Event, Flow, Jump, Obstacle, Relation, Unknown, Variables,
};
