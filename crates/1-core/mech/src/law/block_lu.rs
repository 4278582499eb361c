//! Factors of matrices of 6×6 blocks whose pattern is symmetric, one row of blocks for each entity.
//!
//! # Method
//! Entities are eliminated in an order of least degree: one that the fewest others are tied to is next, and those become tied to each other. Chains, stacks and trees have no fill then, and cost what their
//! length is; heaps have little. The order depends on which entities touch, not on numbers. Rows are exchanged within the block of an entity only.
//!
//! # Guarantee
//! To rounding for symmetric matrices that are positive definite; heuristic for others, whose solutions are to be judged by what they do. `false` where a pivot is zero.

use std::collections::BTreeSet;

/// The size of a block.
const SIX: usize = 6;

/// A block, row-major.
pub(crate) type Block = [[f64; SIX]; SIX];

const ZERO: Block = [[0.0; SIX]; SIX];

/// A matrix, then its factors, by places in the order of elimination.
#[derive(Clone, Debug)]
pub(crate) struct BlockLu {
    /// The place of each entity.
    place: Vec<usize>,
    /// By place: the places after it that its column and its row have blocks for, ascending.
    after: Vec<Vec<usize>>,
    /// On the diagonal; of the factors, its inverse.
    diagonal: Vec<Block>,
    /// Below the diagonal, by columns; right of it, by rows.
    below: Vec<Vec<Block>>,
    right: Vec<Vec<Block>>,
}

impl BlockLu {
    /// The pattern of a matrix in which these pairs of entities have blocks.
    pub(crate) fn new(entities: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut tied = vec![BTreeSet::new(); entities];
        for (a, b) in pairs.filter(|(a, b)| a != b) {
            tied[a].insert(b);
            tied[b].insert(a);
        }
        let mut left: BTreeSet<usize> = (0..entities).collect();
        let mut place = vec![0; entities];
        let mut later: Vec<BTreeSet<usize>> = Vec::with_capacity(entities);
        while let Some(next) = left.iter().copied().min_by_key(|e| tied[*e].len()) {
            left.remove(&next);
            place[next] = later.len();
            let own = std::mem::take(&mut tied[next]);
            for a in &own {
                tied[*a].remove(&next);
                tied[*a].extend(own.iter().copied().filter(|b| b != a));
            }
            later.push(own);
        }
        let after: Vec<Vec<usize>> = later
            .iter()
            .map(|own| {
                let mut places: Vec<usize> = own.iter().map(|e| place[*e]).collect();
                places.sort_unstable();
                places
            })
            .collect();
        let blocks: Vec<Vec<Block>> = after.iter().map(|own| vec![ZERO; own.len()]).collect();
        Self {
            place,
            after,
            diagonal: vec![ZERO; entities],
            below: blocks.clone(),
            right: blocks,
        }
    }

    /// The unit matrix.
    pub(crate) fn set_to_unit(&mut self) {
        let unit = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
        self.diagonal.fill(unit);
        for blocks in self.below.iter_mut().chain(&mut self.right) {
            blocks.fill(ZERO);
        }
    }

    /// The block in a row and a column of places.
    fn block(&mut self, row: usize, column: usize) -> &mut Block {
        let (first, last) = (row.min(column), row.max(column));
        if first == last {
            return &mut self.diagonal[row];
        }
        let Ok(at) = self.after[first].binary_search(&last) else {
            unreachable!("bug: a block outside the pattern");
        };
        if row > column {
            &mut self.below[column][at]
        } else {
            &mut self.right[row][at]
        }
    }

    /// Adds a block in the row of one entity and the column of another.
    pub(crate) fn add(&mut self, row: usize, column: usize, block: &Block) {
        let target = self.block(self.place[row], self.place[column]);
        for (target, block) in target.as_flattened_mut().iter_mut().zip(block.as_flattened()) {
            *target += block;
        }
    }

    /// Makes the factors in place.
    pub(crate) fn factorise(&mut self) -> bool {
        for k in 0..self.after.len() {
            let Some(inverse) = inverse_of(&self.diagonal[k]) else {
                return false;
            };
            self.diagonal[k] = inverse;
            let after = std::mem::take(&mut self.after[k]);
            let mut below = std::mem::take(&mut self.below[k]);
            let right = std::mem::take(&mut self.right[k]);
            for block in &mut below {
                *block = product(block, &inverse);
            }
            for (row, left) in after.iter().zip(&below) {
                for (column, right) in after.iter().zip(&right) {
                    let less = product(left, right);
                    let target = self.block(*row, *column).as_flattened_mut().iter_mut();
                    for (target, less) in target.zip(less.as_flattened()) {
                        *target -= less;
                    }
                }
            }
            (self.after[k], self.below[k], self.right[k]) = (after, below, right);
        }
        true
    }

    /// Solves with the factors; `x` holds the right-hand side by entity, and the solution after it.
    pub(crate) fn solve(&self, x: &mut [[f64; SIX]]) {
        let mut y = vec![[0.0; SIX]; x.len()];
        for (entity, place) in self.place.iter().enumerate() {
            y[*place] = x[entity];
        }
        for k in 0..y.len() {
            let own = y[k];
            for (row, block) in self.after[k].iter().zip(&self.below[k]) {
                take(&mut y[*row], block, &own);
            }
        }
        for k in (0..y.len()).rev() {
            let mut own = y[k];
            for (column, block) in self.after[k].iter().zip(&self.right[k]) {
                take(&mut own, block, &y[*column]);
            }
            y[k] = self.diagonal[k].map(|row| dot(&row, &own));
        }
        for (entity, place) in self.place.iter().enumerate() {
            x[entity] = y[*place];
        }
    }
}

fn dot(a: &[f64; SIX], b: &[f64; SIX]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// x −= A y.
fn take(x: &mut [f64; SIX], block: &Block, y: &[f64; SIX]) {
    for (x, row) in x.iter_mut().zip(block) {
        *x -= dot(row, y);
    }
}

fn product(a: &Block, b: &Block) -> Block {
    let mut sum = ZERO;
    for (sum, row) in sum.iter_mut().zip(a) {
        for (entry, row_of_b) in row.iter().zip(b) {
            for (sum, value) in sum.iter_mut().zip(row_of_b) {
                *sum += entry * value;
            }
        }
    }
    sum
}

/// By elimination with exchange of rows.
fn inverse_of(block: &Block) -> Option<Block> {
    let mut left = *block;
    let mut inverse: Block = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
    for k in 0..SIX {
        let pivot = (k..SIX).max_by(|a, b| left[*a][k].abs().total_cmp(&left[*b][k].abs()))?;
        left.swap(k, pivot);
        inverse.swap(k, pivot);
        let scale = 1.0 / left[k][k];
        if !scale.is_finite() {
            return None;
        }
        for row in [&mut left[k], &mut inverse[k]] {
            for entry in row.iter_mut() {
                *entry *= scale;
            }
        }
        for i in (0..SIX).filter(|i| *i != k) {
            let factor = left[i][k];
            for j in 0..SIX {
                left[i][j] -= factor * left[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
    Some(inverse)
}
