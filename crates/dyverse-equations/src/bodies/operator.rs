//! The operator G = WᵀM⁻¹W as formulas, and linear systems with it.
//!
//! A contact's own block uses that (n, tx, ty) is orthonormal: its forces give δ_ij (1/m1 + 1/m2), and a sphere of isotropic inertia adds
//! R²/I to C_jj alone. Over the reals that is WᵀM⁻¹W; on intervals it is much narrower.
//!
//! Systems are solved by Gaussian elimination with full pivoting, the order of pivots chosen on samples scaled to a unit diagonal (as
//! `LocationForces` does on midpoints). Pivots stay in the formulas as divisors.

use super::BodyFormulas;
use super::contact::{Columns, ContactRecord};
use super::numbers::{Body, InverseInertia};
use crate::symbolic::Symbolic;
use dyverse_mech::GeneralizedVelocity;
use dyverse_num::{Scalar, Vec3};

/// A 3 × 3 block of G.
pub(crate) type Block = [[Symbolic; 3]; 3];

/// Below this share of the first pivot a pivot counts as zero: a judgement on samples.
const RANK_TOLERANCE: f64 = 1e-11;

impl Body {
    /// I⁻¹ M in the world frame.
    pub(crate) fn spin(&self, moment: &Vec3<Symbolic>) -> Vec3<Symbolic> {
        match &self.inverse_inertia {
            InverseInertia::Isotropic(inverse) => moment.scale(inverse),
            InverseInertia::General(inverse) => {
                let rotation = self.state.orientation.rotation_matrix();
                rotation.apply(&inverse.apply(&rotation.transpose().apply(moment)))
            }
        }
    }
}

fn zero_block() -> Block {
    std::array::from_fn(|_| std::array::from_fn(|_| Symbolic::zero()))
}

impl BodyFormulas<'_> {
    /// The blocks of G, by rows.
    pub(crate) fn operator(&self, contacts: &[&ContactRecord]) -> Vec<Vec<Block>> {
        let count = contacts.len();
        let mut blocks = vec![vec![zero_block(); count]; count];
        for i in 0..count {
            blocks[i][i] = self.own_block(contacts[i]);
            for j in i + 1..count {
                let block = self.shared_block(contacts[i], contacts[j]);
                blocks[j][i] = std::array::from_fn(|p| std::array::from_fn(|q| block[q][p].clone()));
                blocks[i][j] = block;
            }
        }
        blocks
    }

    fn own_block(&self, contact: &ContactRecord) -> Block {
        let mut block = zero_block();
        for side in &contact.sides {
            let body = &self.numbers.bodies[side.body];
            for (i, row) in block.iter_mut().enumerate() {
                row[i] = row[i].clone() + body.inverse_mass.clone();
            }
            match (&side.radius, &body.inverse_inertia) {
                (Some(radius), InverseInertia::Isotropic(inverse)) => {
                    let turning = radius.squared() * inverse.clone();
                    for (i, row) in block.iter_mut().enumerate().skip(1) {
                        row[i] = row[i].clone() + turning.clone();
                    }
                }
                _ => self.add_moments(&mut block, side, side),
            }
        }
        block
    }

    fn shared_block(&self, first: &ContactRecord, second: &ContactRecord) -> Block {
        let mut block = zero_block();
        for one in &first.sides {
            for two in second.sides.iter().filter(|two| two.body == one.body) {
                let inverse = &self.numbers.bodies[one.body].inverse_mass;
                for (row, f) in block.iter_mut().zip(&one.forces) {
                    for (entry, g) in row.iter_mut().zip(&two.forces) {
                        *entry = entry.clone() + f.dot(g) * inverse.clone();
                    }
                }
                self.add_moments(&mut block, one, two);
            }
        }
        block
    }

    fn add_moments(&self, block: &mut Block, one: &Columns, two: &Columns) {
        let body = &self.numbers.bodies[one.body];
        let spins = [0, 1, 2].map(|i: usize| body.spin(&two.moments[i]));
        for (row, moment) in block.iter_mut().zip(&one.moments) {
            for (entry, spin) in row.iter_mut().zip(&spins) {
                *entry = entry.clone() + moment.dot(spin);
            }
        }
    }

    /// M⁻¹Wλ of an entity.
    pub(crate) fn response(
        &self,
        entity: usize,
        contacts: &[&ContactRecord],
        forces: &[[Symbolic; 3]],
    ) -> GeneralizedVelocity<Symbolic> {
        let (mut force, mut moment) = (Vec3::zero(), Vec3::zero());
        for (contact, sizes) in contacts.iter().zip(forces) {
            for side in contact.sides.iter().filter(|side| side.body == entity) {
                for (i, size) in sizes.iter().enumerate() {
                    force = force + side.forces[i].scale(size);
                    moment = moment + side.moments[i].scale(size);
                }
            }
        }
        let body = &self.numbers.bodies[entity];
        GeneralizedVelocity {
            linear: force.scale(&body.inverse_mass),
            angular: body.spin(&moment),
        }
    }
}

/// (Gλ)_j of one contact.
pub(crate) fn applied(row: &[Block], forces: &[[Symbolic; 3]]) -> [Symbolic; 3] {
    std::array::from_fn(|p| {
        let mut sum = Symbolic::zero();
        for (block, force) in row.iter().zip(forces) {
            for (entry, size) in block[p].iter().zip(force) {
                sum = sum + entry.clone() * size.clone();
            }
        }
        sum
    })
}

/// The solution of a linear system, or how many of its equations are independent at the sample.
pub(crate) fn eliminate(
    mut matrix: Vec<Vec<Symbolic>>,
    mut right: Vec<Symbolic>,
) -> Result<Vec<Symbolic>, usize> {
    let count = right.len();
    let (rows, columns) = pivot_order(&matrix)?;
    for k in 0..count {
        let pivot = matrix[rows[k]][columns[k]].clone();
        for &row in &rows[k + 1..] {
            let factor = matrix[row][columns[k]].clone() / pivot.clone();
            if factor.is_zero() {
                continue;
            }
            for &column in &columns[k + 1..] {
                let product = factor.clone() * matrix[rows[k]][column].clone();
                matrix[row][column] = matrix[row][column].clone() - product;
            }
            right[row] = right[row].clone() - factor * right[rows[k]].clone();
        }
    }
    let mut solution = vec![Symbolic::zero(); count];
    for k in (0..count).rev() {
        let mut value = right[rows[k]].clone();
        for &column in &columns[k + 1..] {
            value = value - matrix[rows[k]][column].clone() * solution[column].clone();
        }
        solution[columns[k]] = value / matrix[rows[k]][columns[k]].clone();
    }
    Ok(solution)
}

/// Rows and columns in the order of their pivots.
fn pivot_order(matrix: &[Vec<Symbolic>]) -> Result<(Vec<usize>, Vec<usize>), usize> {
    let count = matrix.len();
    let weight = |i: usize| {
        let diagonal = matrix[i][i].sample().abs().sqrt();
        if diagonal > 0.0 { diagonal } else { 1.0 }
    };
    let mut samples: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let scaled = row.iter().enumerate();
            scaled
                .map(|(j, e)| e.sample() / (weight(i) * weight(j)))
                .collect()
        })
        .collect();
    let mut rows: Vec<usize> = (0..count).collect();
    let mut columns = rows.clone();
    let mut first = 0.0;
    for k in 0..count {
        let mut best = (0.0, k, k);
        for i in k..count {
            for j in k..count {
                let size = samples[rows[i]][columns[j]].abs();
                if size > best.0 {
                    best = (size, i, j);
                }
            }
        }
        if k == 0 {
            first = best.0;
        }
        if best.0 <= RANK_TOLERANCE * first {
            return Err(k);
        }
        rows.swap(k, best.1);
        columns.swap(k, best.2);
        let pivot = samples[rows[k]][columns[k]];
        for &row in &rows[k + 1..] {
            let factor = samples[row][columns[k]] / pivot;
            for &column in &columns[k + 1..] {
                samples[row][column] -= factor * samples[rows[k]][column];
            }
        }
    }
    Ok((rows, columns))
}
