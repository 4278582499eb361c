//! The data of a rigid-body model, as every stage after the language sees it.
//!
//! **In:** what a reader of text found ([`ModelParts`]). **Out:** a finished, immutable [`Model`].
//!
//! Numbers of the model are expressions over parameters (sizes, masses, laws) or over parameters, states,
//! inputs and time (loads, properties); all lie in one [`Pool`](dyverse_expr::Pool). A [`Setting`] gives
//! parameters values of some scalar type, doubles or intervals, and with them the model's numbers.
//!
//! # Not here
//! Text and its syntax; what a contact does; the automaton.

mod contacts;
mod entity;
mod load;
mod model;
mod parameter;
mod property;
mod scales;
mod setting;
mod symbol;

pub use contacts::{
    Contact, ContactLaw, EnergyRule, Feature, FrictionOver, GivenTolerances, ImpactLaw, ImpactOrder,
    ImpactPolicy, Tolerances,
};
pub use entity::{Entity, EntityId, Inertia, Initial, InitialState, Mass, Surface};
pub use load::{Load, LoadKind};
pub use model::{Model, ModelParts};
pub use parameter::{Input, InputId, Parameter, ParameterId, ParameterKind};
pub use property::{Formula, FormulaId, Property, Window};
pub use scales::{Scales, Unresolved};
pub use setting::{InvalidMass, Setting};
pub use symbol::{ContactQuantity, StateComponent, Symbol, SymbolTable};
