//! Contraction: the part of a box in which constraints may hold together.
//!
//! **In:** constraints over one pool, and a box. **Out:** a smaller box with every solution in it, or the proof
//! that there is none.
//!
//! | file             | what                                                                    |
//! |------------------|-------------------------------------------------------------------------|
//! | `constraints.rs` | constraints as one program, checked once                                |
//! | `forward.rs`     | the range of every operation on a box, and whether it is defined, continuous |
//! | `backward.rs`    | what an operation's range says about its operands                       |
//! | `inverse.rs`     | inverse functions on intervals                                          |
//!
//! # Method
//! HC4-revise [Benhamou, Goualard, Granvilliers, Puget 1999], on the directed acyclic graph of all constraints at
//! once, so what is shared is narrowed by all that use it. Repeated while a side loses a tenth of its width.
//!
//! # Guarantee
//! Rigorous: no point at which all constraints are defined and hold is lost. A point at which a constraint is
//! undefined satisfies it no more than its negation. A branch that is not taken, and an operand that does
//! not matter to a truth value, need not be defined. Not promised: that the box is the smallest.

mod backward;
mod constraints;
mod forward;
mod inverse;

use std::collections::BTreeMap;
use std::fmt;

use dyverse_expr::{Constraint, NodeId, Pool, SymbolId};
use dyverse_num::{Interval, Tri};

use constraints::Constraints;

/// Where variables may be. A symbol that is not in it may be any real number.
pub type VariableBox = BTreeMap<SymbolId, Interval>;

/// A constraint that means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidConstraint {
    /// Its node is not in the pool.
    NotInPool(NodeId),
    /// A truth value where a number belongs.
    NotANumber(NodeId),
    /// A number where a truth value belongs.
    NotATruthValue(NodeId),
}

impl fmt::Display for InvalidConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidConstraint::NotInPool(id) => write!(f, "node {} is not in this pool", id.index()),
            InvalidConstraint::NotANumber(id) => write!(f, "node {} is not a number", id.index()),
            InvalidConstraint::NotATruthValue(id) => write!(f, "node {} is not a truth value", id.index()),
        }
    }
}

impl std::error::Error for InvalidConstraint {}

/// What is left of a box.
#[derive(Clone, Debug, PartialEq)]
pub enum Contracted {
    /// Proved: no point of the box satisfies the constraints.
    Empty,
    /// Every solution in the box that was given is in this one. Symbols that only the constraints know are added.
    Box(VariableBox),
}

/// The part of `region` in which all constraints may hold together.
///
/// # Errors
/// [`InvalidConstraint`] if a constraint means nothing.
pub fn contract(
    pool: &Pool,
    constraints: &[Constraint],
    region: &VariableBox,
) -> Result<Contracted, InvalidConstraint> {
    Ok(Contractor::new(pool, constraints)?.contract(region))
}

/// Rounds of contraction at the most.
const MOST_ROUNDS: usize = 30;
/// A round that leaves more than this of every side is the last.
const SLOW: f64 = 0.9;

/// Constraints prepared for many boxes.
#[derive(Clone, Debug)]
pub struct Contractor {
    constraints: Constraints,
}

impl Contractor {
    /// Prepares constraints.
    ///
    /// # Errors
    /// [`InvalidConstraint`] if one means nothing.
    pub fn new(pool: &Pool, constraints: &[Constraint]) -> Result<Self, InvalidConstraint> {
        Ok(Contractor {
            constraints: Constraints::new(pool, constraints)?,
        })
    }

    /// The part of `region` in which all constraints may hold together.
    pub fn contract(&self, region: &VariableBox) -> Contracted {
        let mut sides = self.sides(region);
        if region.values().any(Interval::is_empty) || !self.narrow(&mut sides) {
            return Contracted::Empty;
        }
        let mut narrowed = region.clone();
        narrowed.extend(self.symbols().iter().copied().zip(sides));
        Contracted::Box(narrowed)
    }

    /// For each constraint: whether it holds at every point of the box, at none, or neither is proved.
    pub fn check(&self, region: &VariableBox) -> Vec<Tri> {
        self.check_sides(&self.sides(region))
    }

    /// The variables that the constraints read, in ascending order.
    pub fn symbols(&self) -> &[SymbolId] {
        self.constraints.symbols()
    }

    fn sides(&self, region: &VariableBox) -> Vec<Interval> {
        let side = |symbol| region.get(symbol).copied().unwrap_or(Interval::ENTIRE);
        self.symbols().iter().map(side).collect()
    }

    /// The same on the sides of a box in the order of [`Contractor::symbols`]; `false` if nothing is left.
    pub(crate) fn narrow(&self, sides: &mut [Interval]) -> bool {
        for _ in 0..MOST_ROUNDS {
            let before = sides.to_vec();
            if !self.constraints.revise(sides) {
                return false;
            }
            let is_slow = |old: &Interval, new: &Interval| {
                old == new || (old.is_bounded() && new.width() > SLOW * old.width())
            };
            if before
                .iter()
                .zip(sides.iter())
                .all(|(old, new)| is_slow(old, new))
            {
                break;
            }
        }
        true
    }

    pub(crate) fn check_sides(&self, sides: &[Interval]) -> Vec<Tri> {
        self.constraints.check(sides)
    }
}
