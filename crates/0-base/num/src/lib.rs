//! Numbers for mechanics: one scalar trait, rigorous intervals, three-valued logic, small vectors.
//!
//! **In:** nothing; this is the lowest room. **Out:** the number types every other room computes with.
//!
//! - [`Scalar`]: what mechanics and expressions are written over, once.
//! - [`Interval`]: closed intervals of doubles, rounded outwards.
//! - [`Dual`]: a value with its derivative, over any scalar.
//! - [`Tri`]: `False`, `Unknown`, `True`; the answer of a comparison between intervals.
//! - [`split_mix`]: numbers that look random.
//! - [`Vec3`], [`Mat3`], [`Quaternion`]: geometry over any scalar.
//!
//! # Guarantee
//! Interval results are rigorous; `f64` results are those of correctly rounded elementary functions, so
//! they are the same on every platform. Nothing here does IO, reads a clock or depends on threads.
#![forbid(unsafe_code)]

#[macro_use]
mod operators;
mod dual;
mod interval;
mod mat3;
mod quaternion;
mod random;
mod relation;
mod scalar;
mod tri;
mod vec3;

pub use dual::Dual;
pub use interval::{Interval, InvalidInterval};
pub use mat3::Mat3;
pub use quaternion::Quaternion;
pub use random::split_mix;
pub use relation::Relation;
pub use scalar::Scalar;
pub use tri::Tri;
pub use vec3::Vec3;
