//! Names of entities and of their surfaces.
//!
//! # Guarantee
//! Plain numbers: they order and compare, and mean nothing else.

/// The number of an entity in its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub usize);

/// The number of a surface among those of its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceId(pub usize);
