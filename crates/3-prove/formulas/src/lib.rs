//! A model as formulas: the flow, events and jumps of each location, over one list of variables.
//!
//! **In:** a rigid-body model, or an actor graph with modes. **Out:** expressions in one pool, with the meaning of every symbol. What is
//! recorded is what is simulated: mechanics is evaluated on a scalar that writes down what is asked of it.
//!
//! # Not here
//! Numbers: no motion is evaluated, enclosed or integrated. Only what decides the formulas is: ends of ranges, sides of planes, orders of pivots.

mod actors;
mod bodies;
mod evolution;
mod formulas;
mod symbolic;

pub use actors::{ActorFormulas, ActorLocation};
pub use bodies::{
    BodyFormulas, ClosedContact, ContactFormulas, ImpactFormulas, ImpulseFormulas, LocationFormulas,
    RecordedLaw, SlipDirection,
};
pub use dyverse_expr::{Constraint, Relation};
pub use dyverse_machine::ContactId;
pub use dyverse_mech::law::{ImpactRow, Row};
pub use evolution::{
    Actors, Bodies, Chart, Charted, Closed, Evolution, Judge, Leaving, Node, Requirement, Sign, Switched,
    SwitchedPlace,
};
pub use formulas::{
    Auxiliary, Condition, Event, Flow, ImpulseLaw, Impulses, Jump, Obstacle, Unknown, Variables,
};
pub use symbolic::{Recorder, Symbolic};
