//! Forces where no row is `Against`: one linear system \[SPEC §2 "Forces in a location"\].
//!
//! Unknowns: λ_N of every closed contact, λ_T of those that stick. With W_sl the columns −μ W_T d,
//!
//! > [W_Nᵀ; W_stᵀ] M⁻¹ ((W_N + W_sl) λ_N + W_st λ_T) + b = 0.
//!
//! # Method
//! Gaussian elimination with full pivoting. The order of pivots is chosen on representatives, scaled to a unit diagonal of G, then followed on
//! the scalars, so that derivatives, intervals and formulas can run it; pivots stay in formulas as divisors.
//! Redundant contacts (rank below the number of unknowns) have no unique forces: in doubles the least-norm ones
//! are taken, or those nearest to given ones, weighted with √A_jj and √C so that units do not matter; accelerations of what sticks are the same for all of them.
//! Doubles with many unknowns are solved by entities instead (`sparse.rs`).
//! The workspace is reused: after the first call of a size nothing is allocated on doubles, except for redundant contacts.
//!
//! # Guarantee
//! [`FrozenLaw::linear`]: that of the scalar — rigorous on intervals (no comparison but the check
//! that a pivot is not zero). [`FrozenLaw::least_norm`]: to rounding; the rank is a judgement (1e-11).
//! Signs are not looked at: whether the rows are the right ones is for margins to say.

use std::fmt;

use dyverse_num::{Scalar, Tri};

use super::couple::{CoupleRow, measure};
use super::dense::{Columns, RANK_TOLERANCE, solve_least_norm};
use super::frozen::{FrozenLaw, edge};
use super::operator::{ContactDirections, Operator};
use super::row::{LawScalar, Row, Terms};
use super::sparse::solve_sparse;
use crate::MassId;

/// Unknowns from which on elimination by entities is faster.
const MANY: usize = 24;
/// Unknowns from which on elimination of all at once takes longer than anyone waits: its time is that of their third power, some of it a second time for redundant ones.
const TOO_MANY: usize = 600;

/// Why there are no forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawError {
    /// The directions and contacts differ in number.
    LengthMismatch {
        /// Directions given.
        directions: usize,
        /// Rows, or terms if there are less, and couples given.
        contacts: usize,
    },
    /// A row is `Against`: its equations are not linear.
    NotLinear {
        /// The contact.
        contact: usize,
    },
    /// A contact names an entity without a mass.
    UnknownEntity {
        /// The entity.
        entity: MassId,
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
    /// Elimination by entities found no forces, and there are too many unknowns to eliminate them all at once.
    TooMany {
        /// Unknown forces.
        unknowns: usize,
    },
}

impl fmt::Display for LawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LengthMismatch { directions, contacts } => {
                write!(f, "directions of {directions} contacts, modes of {contacts}")
            }
            Self::NotLinear { contact } => write!(f, "contact {contact}: where it slips to is not known"),
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
            Self::TooMany { unknowns } => {
                write!(
                    f,
                    "{unknowns} forces that depend on each other are too many to find at once"
                )
            }
        }
    }
}

impl std::error::Error for LawError {}

/// One moving end of an unknown: the row of Wᵀ and the column M⁻¹W that belong to it.
#[derive(Clone, Debug)]
pub(super) struct End<S> {
    pub(super) entity: MassId,
    pub(super) row: [S; 6],
    pub(super) response: [S; 6],
}

/// One unknown force and the equation of the same number.
#[derive(Clone, Debug)]
pub(super) struct Unknown<S> {
    contact: usize,
    component: usize,
    pub(super) ends: [Option<End<S>>; 2],
    /// √ of the diagonal of G, for scaling; from midpoints.
    pub(super) weight: f64,
}

/// What elimination works on, again and again.
#[derive(Clone, Debug)]
pub struct Work<S> {
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
    /// Whether they were found by entities.
    #[cfg(test)]
    pub(crate) by_entities: bool,
}

impl<S> Default for Work<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Work<S> {
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
            #[cfg(test)]
            by_entities: false,
        }
    }

    /// Whether the contacts solved last are redundant: their forces are one choice of many.
    #[must_use]
    pub fn is_redundant(&self) -> bool {
        self.is_redundant
    }

    /// The forces found last, by contact.
    #[must_use]
    pub fn forces(&self) -> &[[S; 3]] {
        &self.forces
    }
}

impl<S: LawScalar> FrozenLaw<'_, S> {
    /// The forces, if no row is `Against`.
    ///
    /// # Errors
    /// When contacts are redundant or a pivot is uncertain in this scalar, a row is not linear, or the parts do not fit together.
    pub fn linear<'w>(&self, work: &'w mut Work<S>) -> Result<&'w [[S; 3]], LawError> {
        self.assemble(work)?;
        let unknowns = work.unknowns.len();
        let rank = work.choose_order();
        work.is_redundant = rank < unknowns;
        if work.is_redundant {
            return Err(LawError::Redundant { unknowns, rank });
        }
        work.eliminate()?;
        self.distribute(work);
        Ok(&work.forces)
    }

    /// The unknowns and the right-hand side.
    fn gather(&self, work: &mut Work<S>) -> Result<(), LawError> {
        let (directions, contacts) = (
            self.operator.contact_count(),
            self.rows.len().min(self.terms.len()) + self.couples.len(),
        );
        // Couples are turns of entities: blocks do not know them.
        let has_turns = self.couples.is_empty() || matches!(self.operator, Operator::Columns { .. });
        if directions != contacts || self.rows.len() != self.terms.len() || !has_turns {
            return Err(LawError::LengthMismatch { directions, contacts });
        }
        work.unknowns.clear();
        for (contact, row) in self.rows.iter().enumerate() {
            if matches!(row, Row::Against) {
                return Err(LawError::NotLinear { contact });
            }
            for component in 0..row.unknowns() {
                work.unknowns.push(self.unknown(contact, component)?);
            }
        }
        for (number, couple) in self.couples.iter().enumerate() {
            for component in couple.held() {
                work.unknowns
                    .push(self.unknown(self.rows.len() + number, component)?);
            }
        }
        work.right.clear();
        for row in &work.unknowns {
            let free = match self.terms.get(row.contact) {
                Some(terms) => &terms.bias[row.component],
                None => &self.couples[row.contact - self.terms.len()].bias[row.component],
            };
            work.right.push(-free.clone());
        }
        Ok(())
    }

    fn assemble(&self, work: &mut Work<S>) -> Result<(), LawError> {
        self.gather(work)?;
        work.matrix.clear();
        work.midpoints.clear();
        for row in &work.unknowns {
            for column in &work.unknowns {
                let entry = self.coupling(row, column);
                work.midpoints
                    .push(entry.representative() / (row.weight * column.weight));
                work.matrix.push(entry);
            }
        }
        Ok(())
    }

    fn unknown(&self, contact: usize, component: usize) -> Result<Unknown<S>, LawError> {
        let (mut ends, mut diagonal) = ([None, None], 0.0);
        match self.operator {
            Operator::Columns { masses, directions } => {
                let own = &directions[contact];
                let pushed = (component == 0).then(|| self.pushed_with(contact)).flatten();
                for (number, (end, side)) in ends.iter_mut().zip([&own.first, &own.second]).enumerate() {
                    let Some(side) = side else { continue };
                    let entity = side.entity;
                    let mass = masses.get(entity.0).ok_or(LawError::UnknownEntity { entity })?;
                    let column = side.columns[component].clone();
                    let mut push = match (self.rows.get(contact), self.terms.get(contact)) {
                        (Some(row), Some(terms)) => push_direction(&side.columns, row, terms, component),
                        _ => column.clone(),
                    };
                    if let Some((place, couple)) = pushed {
                        let turns = [&directions[place].first, &directions[place].second][number];
                        add_edge(&mut push, turns.as_ref().map(|t| &t.columns), couple);
                    }
                    let response = mass.apply(&push);
                    let is_mixed = pushed.is_some() || matches!(self.rows.get(contact), Some(Row::Along(_)));
                    diagonal += if is_mixed {
                        dot(&column, &mass.apply(&column)).representative()
                    } else {
                        dot(&column, &response).representative()
                    };
                    *end = Some(End {
                        entity,
                        row: column,
                        response,
                    });
                }
            }
            Operator::Blocks(blocks) => {
                let own = blocks.block(contact, contact);
                diagonal = own.map_or(0.0, |block| block[component][component].representative());
            }
        }
        if let Some(couple) = contact
            .checked_sub(self.rows.len())
            .and_then(|n| self.couples.get(n))
        {
            let bound = couple.bounds[usize::from(component > 0)];
            let normal = self.normal_diagonal(couple.of);
            if normal > 0.0 {
                diagonal = normal * measure(bound) * measure(bound);
            }
        }
        Ok(Unknown {
            contact,
            component,
            ends,
            weight: if diagonal > 0.0 { f64::sqrt(diagonal) } else { 1.0 },
        })
    }

    /// The rate at a row for a unit of an unknown.
    fn coupling(&self, row: &Unknown<S>, column: &Unknown<S>) -> S {
        let Operator::Blocks(blocks) = self.operator else {
            return through_entities(row, column);
        };
        let Some(block) = blocks.block(row.contact, column.contact) else {
            return S::zero();
        };
        let own = &block[row.component];
        match &self.rows[column.contact] {
            Row::Along(direction) => {
                let [x, y] = edge(&self.terms[column.contact].friction, &S::one(), direction);
                own[0].clone() + own[1].clone() * x + own[2].clone() * y
            }
            _ => own[column.component].clone(),
        }
    }

    /// A_jj.
    fn normal_diagonal(&self, contact: usize) -> f64 {
        let Operator::Columns { masses, directions } = self.operator else {
            return 0.0;
        };
        let sides = directions.get(contact).map(ContactDirections::sides);
        let own = sides.into_iter().flatten().filter_map(|side| {
            let column = &side.columns[0];
            let mass = masses.get(side.entity.0)?;
            Some(dot(column, &mass.apply(column)).representative())
        });
        own.sum()
    }

    /// The couple that grows with the normal force of a contact, and the place of its directions.
    fn pushed_with(&self, contact: usize) -> Option<(usize, &CoupleRow<S>)> {
        let mut all = self.couples.iter().enumerate();
        let (number, couple) = all.find(|(_, couple)| couple.of == contact)?;
        couple.is_pushed().then_some((self.rows.len() + number, couple))
    }

    /// Forces by contact from the unknowns, which stand row by row; those of couples after them.
    fn distribute(&self, work: &mut Work<S>) {
        work.forces.clear();
        let mut at = 0;
        for (row, terms) in self.rows.iter().zip(self.terms) {
            let y = &work.solution[at..at + row.unknowns()];
            at += row.unknowns();
            work.forces.push(row.force(&terms.friction, y));
        }
        for couple in self.couples {
            let normal = match work.forces.get(couple.of) {
                Some([normal, ..]) => normal.clone(),
                None => S::zero(),
            };
            let mut force = couple.edge().map(|e| e * normal.clone());
            for component in couple.held() {
                force[component] = work.solution[at].clone();
                at += 1;
            }
            work.forces.push(force);
        }
    }
}

impl<S: Scalar> Work<S> {
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
    fn eliminate(&mut self) -> Result<(), LawError> {
        let count = self.unknowns.len();
        for k in 0..count {
            let (pivot_row, pivot_column) = (self.row_order[k], self.column_order[k]);
            let pivot = self.matrix[pivot_row * count + pivot_column].clone();
            if pivot.eq_tri(&S::zero()) != Tri::False {
                return Err(LawError::UncertainPivot { certain: k });
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
}

impl FrozenLaw<'_, f64> {
    /// The forces; of redundant contacts those of least norm.
    ///
    /// # Errors
    /// When a row is not linear, the parts do not fit together, or a force is not finite.
    pub fn least_norm<'w>(&self, work: &'w mut Work<f64>) -> Result<&'w [[f64; 3]], LawError> {
        self.nearest(&[], work)
    }

    /// The forces; of redundant contacts those nearest to others (λ⁰; zero where there are none): λ = λ⁰ + δ with the δ of least norm.
    ///
    /// # Errors
    /// As [`FrozenLaw::least_norm`].
    pub fn nearest<'w>(&self, to: &[[f64; 3]], work: &'w mut Work<f64>) -> Result<&'w [[f64; 3]], LawError> {
        let turns = self.couples.iter().map(|couple| couple.held().count());
        let unknowns = self.rows.iter().map(Row::unknowns).chain(turns).sum::<usize>();
        if unknowns < MANY || !self.nearest_of_many(to, work)? {
            if unknowns > TOO_MANY {
                return Err(LawError::TooMany { unknowns });
            }
            self.nearest_of_few(to, work)?;
        }
        self.distribute(work);
        let is_lost = |force: &[f64; 3]| force.iter().any(|value| !value.is_finite());
        match work.forces.iter().position(is_lost) {
            Some(contact) => Err(LawError::NotFinite { contact }),
            None => Ok(&work.forces),
        }
    }

    /// Many unknowns by entities (`sparse.rs`); whether they were found.
    fn nearest_of_many(&self, to: &[[f64; 3]], work: &mut Work<f64>) -> Result<bool, LawError> {
        let Operator::Columns { masses, .. } = self.operator else {
            return Ok(false);
        };
        self.gather(work)?;
        let start = work.start(to);
        let found = solve_sparse(&work.unknowns, masses, &work.right, start);
        #[cfg(test)]
        {
            work.by_entities = found.is_some();
        }
        if let Some((solution, is_redundant)) = found {
            (work.solution, work.is_redundant) = (solution, is_redundant);
            return Ok(true);
        }
        Ok(false)
    }

    fn nearest_of_few(&self, to: &[[f64; 3]], work: &mut Work<f64>) -> Result<(), LawError> {
        self.assemble(work)?;
        work.is_redundant = work.choose_order() < work.unknowns.len();
        if !work.is_redundant && work.eliminate().is_err() {
            // It has worked on the equations.
            self.assemble(work)?;
            work.is_redundant = true;
        }
        if work.is_redundant {
            work.solve_redundant(to);
        }
        Ok(())
    }
}

impl Work<f64> {
    /// The unknowns of given forces.
    fn start(&self, near: &[[f64; 3]]) -> Vec<f64> {
        let of = |unknown: &Unknown<f64>| {
            near.get(unknown.contact)
                .map_or(0.0, |force| force[unknown.component])
        };
        self.unknowns.iter().map(of).collect()
    }

    fn solve_redundant(&mut self, near: &[[f64; 3]]) {
        let count = self.unknowns.len();
        let start = self.start(near);
        if !near.is_empty() {
            for (right, row) in self.right.iter_mut().zip(self.matrix.chunks_exact(count.max(1))) {
                *right -= row.iter().zip(&start).map(|(g, y)| g * y).sum::<f64>();
            }
        }
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
                .zip(&start)
                .map(|((value, unknown), start)| start + value / unknown.weight),
        );
    }
}

/// Adds what a couple does for a unit of λ_N to a direction.
fn add_edge<S: Scalar>(push: &mut [S; 6], turns: Option<&[[S; 6]; 3]>, couple: &CoupleRow<S>) {
    let Some(turns) = turns else { return };
    for (column, e) in turns.iter().zip(couple.edge()) {
        for (sum, c) in push.iter_mut().zip(column) {
            *sum = sum.clone() + c.clone() * e.clone();
        }
    }
}

/// The generalized direction of an unknown: W_N − μ W_T d for a contact that slides.
fn push_direction<S: Scalar>(
    columns: &[[S; 6]; 3],
    row: &Row<[S; 2]>,
    terms: &Terms<S>,
    component: usize,
) -> [S; 6] {
    let own = columns[component].clone();
    let Row::Along([x, y]) = row else {
        return own;
    };
    std::array::from_fn(|i| {
        let along = columns[1][i].clone() * x.clone() + columns[2][i].clone() * y.clone();
        own[i].clone() - terms.friction.clone() * along
    })
}

fn through_entities<S: Scalar>(row: &Unknown<S>, column: &Unknown<S>) -> S {
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
