//! Forces in a dynamical location, modes given: one linear system \[SPEC §2 "Forces in a location"\].
//!
//! Unknowns: λ_N of every closed contact, λ_T of those that stick. With W_sl (and W_tr) the columns
//! −μ W_T d, d = dg_T/|dg_T| (ddg_T/|ddg_T|),
//!
//! > [W_Nᵀ; W_stᵀ] M⁻¹ ((W_N + W_sl + W_tr) λ_N + W_st λ_T) + b = 0,   b = [W_Nᵀ; W_stᵀ] M⁻¹h + w_a.
//!
//! # Method
//! Gaussian elimination with full pivoting. For a scalar other than `f64` the order of pivots is chosen on
//! midpoints, then followed on the scalars, so that derivatives, Taylor coefficients and intervals can run it.
//! Redundant contacts (rank below the number of unknowns) have no unique forces: in doubles the least-norm ones
//! are taken, weighted with √A_jj and √C so that units do not matter; accelerations are the same for all of them.
//! The workspace is reused: after the first call of a size nothing is allocated, except for redundant contacts.
//!
//! # Guarantee
//! [`LocationForces::solve_in_order`]: that of the scalar — rigorous on intervals (no comparison but the check
//! that a pivot is not zero). [`LocationForces::solve`]: to rounding; the rank is a judgement (1e-11).
//! Signs are not looked at: whether the modes are the right ones is a guard's question.

use std::fmt;

use dyverse_num::{Scalar, Tri};

use super::delassus::{ContactDirections, InverseMass, Triple};
use super::dense::{Columns, RANK_TOLERANCE, solve_least_norm};
use crate::EntityId;

/// The mode of a closed contact in a location.
#[derive(Clone, Debug, PartialEq)]
pub enum LocationMode<S> {
    /// ddg_T = 0.
    Stick,
    /// λ_T = −μλ_N d.
    Slip {
        /// d = dg_T/|dg_T|.
        direction: [S; 2],
    },
    /// λ_T = −μλ_N d.
    Trans {
        /// d = ddg_T/|ddg_T|.
        direction: [S; 2],
    },
}

/// A closed contact of a location.
#[derive(Clone, Debug, PartialEq)]
pub struct LocationContact<S> {
    /// WᵀM⁻¹h + w_a: (ddg_N, ddg_Tx, ddg_Ty) without contact forces.
    pub free_acceleration: [S; 3],
    /// μ.
    pub friction: S,
    /// The mode.
    pub mode: LocationMode<S>,
}

/// Why there are no forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationForcesError {
    /// The directions and contacts differ in number.
    LengthMismatch {
        /// Directions given.
        directions: usize,
        /// Contacts given.
        contacts: usize,
    },
    /// A contact names an entity without a mass.
    UnknownEntity {
        /// The entity.
        entity: EntityId,
    },
    /// The constraints are redundant: forces are not unique.
    Redundant {
        /// Unknown forces.
        unknowns: usize,
        /// Independent ones among them.
        rank: usize,
    },
    /// A force is infinite or NaN, because an input is, or is near the limits of doubles.
    NotFinite {
        /// The contact.
        contact: usize,
    },
    /// A pivot cannot be told from zero in this scalar.
    UncertainPivot {
        /// How many pivots were certain.
        certain: usize,
    },
}

impl fmt::Display for LocationForcesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LengthMismatch { directions, contacts } => {
                write!(f, "directions of {directions} contacts, modes of {contacts}")
            }
            Self::UnknownEntity { entity } => write!(f, "entity {} has no mass in the list", entity.0),
            Self::Redundant { unknowns, rank } => {
                write!(
                    f,
                    "redundant contacts: {unknowns} forces, of which {rank} are determined"
                )
            }
            Self::NotFinite { contact } => write!(f, "contact {contact}: its force is not finite"),
            Self::UncertainPivot { certain } => {
                write!(f, "after {certain} pivots none is certainly different from zero")
            }
        }
    }
}

impl std::error::Error for LocationForcesError {}

/// One moving end of an unknown: the row of Wᵀ and the column M⁻¹W that belong to it.
#[derive(Clone, Debug)]
struct End<S> {
    entity: EntityId,
    row: [S; 6],
    response: [S; 6],
}

/// One unknown force and the equation of the same number.
#[derive(Clone, Debug)]
struct Unknown<S> {
    contact: usize,
    component: usize,
    ends: [Option<End<S>>; 2],
    /// √ of the diagonal of G, for scaling; from midpoints.
    weight: f64,
}

/// A workspace that computes the forces in a location, again and again.
#[derive(Clone, Debug)]
pub struct LocationForces<S> {
    unknowns: Vec<Unknown<S>>,
    /// Row-major.
    matrix: Vec<S>,
    right: Vec<S>,
    midpoints: Vec<f64>,
    row_order: Vec<usize>,
    column_order: Vec<usize>,
    solution: Vec<S>,
    forces: Vec<[S; 3]>,
    is_redundant: bool,
}

impl<S: Scalar> Default for LocationForces<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Scalar> LocationForces<S> {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self {
            unknowns: Vec::new(),
            matrix: Vec::new(),
            right: Vec::new(),
            midpoints: Vec::new(),
            row_order: Vec::new(),
            column_order: Vec::new(),
            solution: Vec::new(),
            forces: Vec::new(),
            is_redundant: false,
        }
    }

    /// Whether the contacts solved last are redundant: their forces are one choice of many.
    #[must_use]
    pub fn is_redundant(&self) -> bool {
        self.is_redundant
    }

    /// Solves over any scalar; `midpoint` gives a representative double (the value itself, the middle of an
    /// interval, the constant coefficient of a series).
    ///
    /// # Errors
    /// When contacts are redundant or a pivot is uncertain in this scalar, or the inputs do not fit together.
    pub fn solve_in_order(
        &mut self,
        masses: &[InverseMass<S>],
        directions: &[ContactDirections<S>],
        contacts: &[LocationContact<S>],
        midpoint: impl Fn(&S) -> f64,
    ) -> Result<&[[S; 3]], LocationForcesError> {
        self.assemble(masses, directions, contacts, &midpoint)?;
        self.scale_midpoints(&midpoint);
        let unknowns = self.unknowns.len();
        let rank = self.choose_order();
        self.is_redundant = rank < unknowns;
        if self.is_redundant {
            return Err(LocationForcesError::Redundant { unknowns, rank });
        }
        self.eliminate()?;
        self.distribute(contacts);
        Ok(&self.forces)
    }

    fn assemble(
        &mut self,
        masses: &[InverseMass<S>],
        directions: &[ContactDirections<S>],
        contacts: &[LocationContact<S>],
        midpoint: &impl Fn(&S) -> f64,
    ) -> Result<(), LocationForcesError> {
        if directions.len() != contacts.len() {
            return Err(LocationForcesError::LengthMismatch {
                directions: directions.len(),
                contacts: contacts.len(),
            });
        }
        self.unknowns.clear();
        for (number, (direction, contact)) in directions.iter().zip(contacts).enumerate() {
            let components: &[usize] = match contact.mode {
                LocationMode::Stick => &[0, 1, 2],
                LocationMode::Slip { .. } | LocationMode::Trans { .. } => &[0],
            };
            for &component in components {
                self.unknowns
                    .push(unknown(masses, direction, contact, number, component, midpoint)?);
            }
        }
        self.matrix.clear();
        self.right.clear();
        for row in &self.unknowns {
            let free = &contacts[row.contact].free_acceleration[row.component];
            self.right.push(-free.clone());
            for column in &self.unknowns {
                self.matrix.push(coupling(row, column));
            }
        }
        Ok(())
    }

    /// The midpoints of the matrix, scaled to unit diagonal of G.
    fn scale_midpoints(&mut self, midpoint: &impl Fn(&S) -> f64) {
        let count = self.unknowns.len();
        self.midpoints.clear();
        for (place, entry) in self.matrix.iter().enumerate() {
            let (row, column) = (&self.unknowns[place / count], &self.unknowns[place % count]);
            self.midpoints
                .push(midpoint(entry) / (row.weight * column.weight));
        }
    }

    /// Eliminates on midpoints with full pivoting, to find the order of pivots and the rank.
    fn choose_order(&mut self) -> usize {
        let count = self.unknowns.len();
        self.row_order.clear();
        self.row_order.extend(0..count);
        self.column_order.clear();
        self.column_order.extend(0..count);
        let mut first = 0.0;
        for k in 0..count {
            let (size, row, column) = self.largest_left(k);
            if k == 0 {
                first = size;
            }
            if size <= RANK_TOLERANCE * first {
                return k;
            }
            self.row_order.swap(k, row);
            self.column_order.swap(k, column);
            let pivot_row = self.row_order[k] * count;
            let pivot = self.midpoints[pivot_row + self.column_order[k]];
            for &row in &self.row_order[k + 1..] {
                let factor = self.midpoints[row * count + self.column_order[k]] / pivot;
                if factor != 0.0 {
                    for &column in &self.column_order[k + 1..] {
                        self.midpoints[row * count + column] -= factor * self.midpoints[pivot_row + column];
                    }
                }
            }
        }
        count
    }

    fn largest_left(&self, k: usize) -> (f64, usize, usize) {
        let count = self.unknowns.len();
        let mut best = (0.0, k, k);
        for (i, row) in self.row_order.iter().enumerate().skip(k) {
            for (j, column) in self.column_order.iter().enumerate().skip(k) {
                let size = self.midpoints[row * count + column].abs();
                if size > best.0 {
                    best = (size, i, j);
                }
            }
        }
        best
    }

    /// Elimination on the scalars themselves, in the order chosen.
    fn eliminate(&mut self) -> Result<(), LocationForcesError> {
        let count = self.unknowns.len();
        for k in 0..count {
            let (pivot_row, pivot_column) = (self.row_order[k], self.column_order[k]);
            let pivot = self.matrix[pivot_row * count + pivot_column].clone();
            if pivot.eq_tri(&S::zero()) != Tri::False {
                return Err(LocationForcesError::UncertainPivot { certain: k });
            }
            for &row in &self.row_order[k + 1..] {
                let factor = self.matrix[row * count + pivot_column].clone() / pivot.clone();
                for &column in &self.column_order[k + 1..] {
                    let product = factor.clone() * self.matrix[pivot_row * count + column].clone();
                    let entry = &mut self.matrix[row * count + column];
                    *entry = entry.clone() - product;
                }
                self.right[row] = self.right[row].clone() - factor * self.right[pivot_row].clone();
            }
        }
        self.solution.clear();
        self.solution.resize(count, S::zero());
        for k in (0..count).rev() {
            let row = self.row_order[k];
            let mut value = self.right[row].clone();
            for &column in &self.column_order[k + 1..] {
                value = value - self.matrix[row * count + column].clone() * self.solution[column].clone();
            }
            let column = self.column_order[k];
            self.solution[column] = value / self.matrix[row * count + column].clone();
        }
        Ok(())
    }

    /// Forces by contact from the unknowns.
    fn distribute(&mut self, contacts: &[LocationContact<S>]) {
        self.forces.clear();
        self.forces
            .extend(contacts.iter().map(|_| [S::zero(), S::zero(), S::zero()]));
        for (unknown, value) in self.unknowns.iter().zip(&self.solution) {
            let contact = &contacts[unknown.contact];
            let force = &mut self.forces[unknown.contact];
            force[unknown.component] = value.clone();
            if let LocationMode::Slip { direction } | LocationMode::Trans { direction } = &contact.mode {
                let size = -(contact.friction.clone() * value.clone());
                force[1] = size.clone() * direction[0].clone();
                force[2] = size * direction[1].clone();
            }
        }
    }
}

impl LocationForces<f64> {
    /// Solves in doubles; redundant contacts get the least-norm forces.
    ///
    /// # Errors
    /// When the inputs do not fit together, or a force is not finite.
    pub fn solve(
        &mut self,
        masses: &[InverseMass<f64>],
        directions: &[ContactDirections<f64>],
        contacts: &[LocationContact<f64>],
    ) -> Result<&[Triple], LocationForcesError> {
        self.assemble(masses, directions, contacts, &|value: &f64| *value)?;
        self.scale_midpoints(&|value: &f64| *value);
        self.is_redundant = self.choose_order() < self.unknowns.len() || self.eliminate().is_err();
        if self.is_redundant {
            self.solve_redundant();
        }
        self.distribute(contacts);
        let is_lost = |force: &Triple| force.iter().any(|value| !value.is_finite());
        match self.forces.iter().position(is_lost) {
            Some(contact) => Err(LocationForcesError::NotFinite { contact }),
            None => Ok(&self.forces),
        }
    }

    fn solve_redundant(&mut self) {
        let count = self.unknowns.len();
        let mut scaled = Columns::zero(count, count);
        for (i, row) in self.unknowns.iter().enumerate() {
            for (j, column) in self.unknowns.iter().enumerate() {
                scaled.set(i, j, self.matrix[i * count + j] / (row.weight * column.weight));
            }
        }
        let right = self
            .right
            .iter()
            .zip(&self.unknowns)
            .map(|(value, row)| value / row.weight);
        let found = solve_least_norm(scaled, right.collect()).solution;
        self.solution.clear();
        self.solution.extend(
            found
                .iter()
                .zip(&self.unknowns)
                .map(|(value, unknown)| value / unknown.weight),
        );
    }
}

fn unknown<S: Scalar>(
    masses: &[InverseMass<S>],
    directions: &ContactDirections<S>,
    contact: &LocationContact<S>,
    number: usize,
    component: usize,
    midpoint: &impl Fn(&S) -> f64,
) -> Result<Unknown<S>, LocationForcesError> {
    let mut ends = [None, None];
    let mut diagonal = 0.0;
    for (end, side) in ends.iter_mut().zip([&directions.first, &directions.second]) {
        let Some(side) = side else { continue };
        let entity = side.entity;
        let mass = masses
            .get(entity.0)
            .ok_or(LocationForcesError::UnknownEntity { entity })?;
        let row = side.columns[component].clone();
        let response = mass.apply(&push_direction(&side.columns, contact, component));
        diagonal += match &contact.mode {
            LocationMode::Stick => midpoint(&dot(&row, &response)),
            LocationMode::Slip { .. } | LocationMode::Trans { .. } => midpoint(&dot(&row, &mass.apply(&row))),
        };
        *end = Some(End {
            entity,
            row,
            response,
        });
    }
    let weight = if diagonal > 0.0 { f64::sqrt(diagonal) } else { 1.0 };
    Ok(Unknown {
        contact: number,
        component,
        ends,
        weight,
    })
}

/// The generalized direction of an unknown: W_N − μ W_T d for a contact that slides.
fn push_direction<S: Scalar>(
    columns: &[[S; 6]; 3],
    contact: &LocationContact<S>,
    component: usize,
) -> [S; 6] {
    let own = columns[component].clone();
    let (LocationMode::Slip { direction } | LocationMode::Trans { direction }) = &contact.mode else {
        return own;
    };
    let [x, y] = direction;
    std::array::from_fn(|i| {
        let along = columns[1][i].clone() * x.clone() + columns[2][i].clone() * y.clone();
        own[i].clone() - contact.friction.clone() * along
    })
}

/// The acceleration at a row for a unit of an unknown.
fn coupling<S: Scalar>(row: &Unknown<S>, column: &Unknown<S>) -> S {
    let mut sum: Option<S> = None;
    for of_row in row.ends.iter().flatten() {
        for of_column in column.ends.iter().flatten() {
            if of_row.entity == of_column.entity {
                let part = dot(&of_row.row, &of_column.response);
                sum = Some(match sum {
                    Some(value) => value + part,
                    None => part,
                });
            }
        }
    }
    sum.unwrap_or_else(S::zero)
}

fn dot<S: Scalar>(a: &[S; 6], b: &[S; 6]) -> S {
    let product = |i: usize| a[i].clone() * b[i].clone();
    (product(0) + product(1) + product(2)) + (product(3) + product(4) + product(5))
}
