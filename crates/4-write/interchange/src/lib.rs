//! Models as files for other checkers: dReach (.drh) and SpaceEx (XML and cfg).
//!
//! **In:** a rigid-body model or an actor graph, a property, options. **Out:** text; nothing is written to files here.
//!
//! # Method
//! The formulas of `dyverse-formulas` are brought into a normal form (`algebra.rs`), and the places that the discrete structure can reach are written out as one hybrid automaton (`walk.rs`), computation nodes
//! folded into its edges. What a format does not take is a [`Hindrance`], which names the construct.
//!
//! # Guarantee
//! The automaton has every run of the model with real numbers and all tolerances zero (a contact is closed where its gap *is* 0). Nothing is cut: a limit reached is an error.

mod affine;
mod algebra;
mod automaton;
mod dreach;
mod facts;
mod hindrance;
mod names;
mod polynomial;
mod rational;
mod rebuild;
mod room;
mod signs;
mod simplified;
mod source;
mod spaceex;
mod table;
mod text;
mod walk;

pub use hindrance::Hindrance;
pub use source::{Source, write_dreach, write_spaceex};
pub use spaceex::SpaceExFiles;

/// What may be chosen about a file.
#[derive(Clone, Debug, PartialEq)]
pub struct InterchangeOptions {
    /// The property that is asked about, by name; without one the files ask nothing.
    pub property: Option<String>,
    /// Parameters and initial values with another range, or a value where both ends are equal.
    pub choices: Vec<(String, f64, f64)>,
    /// Bounds of states, for dReach, by their names in the model (`ball.x`).
    pub bounds: Vec<(String, f64, f64)>,
    /// Bound of the size of every other state, for dReach.
    pub box_size: f64,
    /// How long, s; without it the end of the property's windows, or the model's horizon.
    pub horizon: Option<f64>,
    /// Locations at the most.
    pub most_locations: usize,
    /// Terms of formulas that may be looked at to tell which edges are possible; the same on every machine.
    pub most_work: u64,
    /// Whether parameters that make a term not affine get their nominal values, for SpaceEx.
    pub takes_nominal: bool,
}

impl Default for InterchangeOptions {
    fn default() -> Self {
        InterchangeOptions {
            property: None,
            choices: Vec::new(),
            bounds: Vec::new(),
            box_size: 1000.0,
            horizon: None,
            most_locations: 4000,
            most_work: 8_000_000,
            takes_nominal: false,
        }
    }
}
