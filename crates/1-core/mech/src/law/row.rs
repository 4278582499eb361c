//! What a contact obeys once its mode is known: its row, and the numbers that stand in it.

use std::convert::Infallible;
use std::fmt;

use dyverse_num::{Dual, Interval, Scalar};

/// A number that the law can be evaluated on.
pub trait LawScalar: Scalar {
    /// A double near it, by which pivots are chosen: the value itself, the middle of an interval, the value at a sample. NaN if there is none.
    fn representative(&self) -> f64;
}

impl LawScalar for f64 {
    fn representative(&self) -> f64 {
        *self
    }
}

impl LawScalar for Interval {
    fn representative(&self) -> f64 {
        self.mid().unwrap_or(f64::NAN)
    }
}

impl<S: LawScalar> LawScalar for Dual<S> {
    fn representative(&self) -> f64 {
        self.value.representative()
    }
}

/// How a contact meets the law; D says what a direction of slip is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row<D> {
    /// No force.
    Open,
    /// Closed without friction.
    Smooth,
    /// Closed; its tangential rate is zero too.
    Stick,
    /// Closed; friction acts against this unit vector.
    Along(D),
    /// Closed; friction acts against γ_T, which is found with the forces.
    Against,
}

/// The row of a contact in an impact, where no direction is given.
pub type ImpactRow = Row<Infallible>;

impl<D> Row<D> {
    /// How many numbers its forces are made from.
    #[must_use]
    pub fn unknowns(&self) -> usize {
        match self {
            Row::Open => 0,
            Row::Smooth | Row::Along(_) => 1,
            Row::Stick | Row::Against => 3,
        }
    }

    /// How many components of γ it sets to zero, the normal one first.
    #[must_use]
    pub fn held(&self) -> usize {
        match self {
            Row::Open => 0,
            Row::Smooth | Row::Along(_) | Row::Against => 1,
            Row::Stick => 3,
        }
    }

    /// The row of the same contact if its friction is literally zero.
    #[must_use]
    pub fn without_friction(self) -> Self {
        match self {
            Row::Open => Row::Open,
            _ => Row::Smooth,
        }
    }

    /// The same row with other directions.
    pub fn map<E>(self, direction: impl FnOnce(D) -> E) -> Row<E> {
        match self {
            Row::Open => Row::Open,
            Row::Smooth => Row::Smooth,
            Row::Stick => Row::Stick,
            Row::Along(d) => Row::Along(direction(d)),
            Row::Against => Row::Against,
        }
    }
}

/// The papers' word for the mode. (A contact without friction slips.)
impl<D> fmt::Display for Row<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Row::Open => "open",
            Row::Stick => "stick",
            Row::Smooth | Row::Along(_) | Row::Against => "slip",
        })
    }
}

/// The numbers of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms<S> {
    /// b: the rates (normal, tangential, tangential) without contact forces.
    pub bias: [S; 3],
    /// μ.
    pub friction: S,
}
