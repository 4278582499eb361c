//! The integration tests of this crate, as one program: each links all that it depends on, and a program of its own for each file took minutes.

mod closed_forms;
mod crossings;
mod polynomials;
mod steps;
mod stiff;
