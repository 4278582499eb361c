//! Names of entities and of their surfaces.
//!
//! Contacts of a problem have no type: a contact is its place in the lists of that problem, which the caller passes, and is called so.
//!
//! # Guarantee
//! Plain numbers: they order and compare, and mean nothing else.

/// The number of an entity in its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub usize);

/// The number of a surface among those of its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceId(pub usize);

/// The place of a moving entity among those of a contact problem: in the list of inverse masses that the caller passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MassId(pub usize);
