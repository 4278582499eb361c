//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.

mod convex;
mod features;
mod mass_properties;
mod obstruction;
mod separation;
mod sharp;
