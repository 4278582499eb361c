//! A small dense factorisation: the least-norm solution by rank-revealing QR.
//!
//! Householder QR with column pivoting finds the rank, a second QR of the leading rows takes the least-norm solution among the least-squares ones (complete orthogonal
//! decomposition; Golub and Van Loan, *Matrix Computations*, §5.5).
//!
//! # Guarantee
//! To rounding (backward stable). The rank is a judgement: a pivot below [`RANK_TOLERANCE`] times the
//! first counts as zero. Callers scale rows and columns so that the diagonal of G is one.

/// A pivot this small beside the first one is a redundancy. Contact matrices scaled to unit diagonal have
/// honest pivots down to about 1e-7 (mass ratios 1e6) and redundant ones near 1e-16.
pub(crate) const RANK_TOLERANCE: f64 = 1e-11;

/// A matrix stored by columns.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    rows: usize,
    entries: Vec<f64>,
}

impl Columns {
    pub(crate) fn zero(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            entries: vec![0.0; rows * columns],
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.entries.len().checked_div(self.rows).unwrap_or(0)
    }

    pub(crate) fn column(&self, j: usize) -> &[f64] {
        &self.entries[j * self.rows..(j + 1) * self.rows]
    }

    pub(crate) fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.entries[j * self.rows..(j + 1) * self.rows]
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[j * self.rows + i]
    }

    pub(crate) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.entries[j * self.rows + i] = value;
    }

    fn swap_columns(&mut self, a: usize, b: usize) {
        if a != b {
            for i in 0..self.rows {
                self.entries.swap(a * self.rows + i, b * self.rows + i);
            }
        }
    }
}

/// The solution of a least-squares problem, and the rank it was found with.
#[derive(Clone, Debug)]
pub(crate) struct LeastNorm {
    pub(crate) solution: Vec<f64>,
    pub(crate) rank: usize,
}

/// The shortest x among those that minimise |Ax − y|.
pub(crate) fn solve_least_norm(mut a: Columns, mut y: Vec<f64>) -> LeastNorm {
    let columns = a.count();
    let mut order: Vec<usize> = (0..columns).collect();
    let rank = triangularise(&mut a, &mut y, &mut order);
    let mut leading = y;
    leading.truncate(rank);
    if rank == columns {
        back_substitute(&a, &mut leading);
    } else {
        leading = shortest(&a, rank, columns, leading);
    }
    let mut solution = vec![0.0; columns];
    for (place, value) in order.into_iter().zip(leading) {
        solution[place] = value;
    }
    LeastNorm { solution, rank }
}

/// Householder QR with column pivoting in place, applied to `y` as well. Returns the rank.
fn triangularise(a: &mut Columns, y: &mut [f64], order: &mut [usize]) -> usize {
    let (rows, columns) = (a.rows, a.count());
    let mut first_pivot = 0.0;
    for k in 0..rows.min(columns) {
        let tail = |j: usize| norm_squared(&a.column(j)[k..]);
        let mut best = (k, tail(k));
        for j in k + 1..columns {
            let candidate = tail(j);
            if candidate > best.1 {
                best = (j, candidate);
            }
        }
        a.swap_columns(k, best.0);
        order.swap(k, best.0);
        let size = norm_squared(&a.column(k)[k..]).sqrt();
        if k == 0 {
            first_pivot = size;
        }
        if size <= RANK_TOLERANCE * first_pivot || size == 0.0 {
            return k;
        }
        reflect(a, y, k, size);
    }
    rows.min(columns)
}

/// One reflection that clears column k below its diagonal; later columns and `y` follow. Returns its normal.
fn reflect(a: &mut Columns, y: &mut [f64], k: usize, size: f64) -> Vec<f64> {
    let alpha = if a.at(k, k) > 0.0 { -size } else { size };
    let mut v: Vec<f64> = a.column(k)[k..].to_vec();
    v[0] -= alpha;
    let half = 0.5 * norm_squared(&v);
    let apply = |target: &mut [f64]| {
        let along = inner(&v, target) / half;
        for (value, direction) in target.iter_mut().zip(&v) {
            *value -= along * direction;
        }
    };
    for j in k + 1..a.count() {
        apply(&mut a.column_mut(j)[k..]);
    }
    apply(&mut y[k..]);
    let column = &mut a.column_mut(k)[k..];
    column.fill(0.0);
    column[0] = alpha;
    v
}

fn back_substitute(r: &Columns, y: &mut [f64]) {
    for i in (0..y.len()).rev() {
        let known: f64 = (i + 1..y.len()).map(|j| r.at(i, j) * y[j]).sum();
        y[i] = (y[i] - known) / r.at(i, i);
    }
}

/// The shortest x with R x = y for the leading `rank` rows R of `a`: with Rᵀ = QT, x = Q T⁻ᵀ y.
fn shortest(a: &Columns, rank: usize, columns: usize, y: Vec<f64>) -> Vec<f64> {
    let mut transposed = Columns::zero(columns, rank);
    for i in 0..rank {
        for j in i..columns {
            transposed.set(j, i, a.at(i, j));
        }
    }
    // x = Rᵀ z with (R Rᵀ) z = y would square the condition; the reflections are kept instead.
    let mut reflections: Vec<Vec<f64>> = Vec::with_capacity(rank);
    let mut unused = vec![0.0; columns];
    for k in 0..rank {
        let size = norm_squared(&transposed.column(k)[k..]).sqrt();
        reflections.push(reflect(&mut transposed, &mut unused, k, size));
    }
    let mut x = vec![0.0; columns];
    for i in 0..rank {
        let known: f64 = (0..i).map(|j| transposed.at(j, i) * x[j]).sum();
        x[i] = (y[i] - known) / transposed.at(i, i);
    }
    for (k, v) in reflections.iter().enumerate().rev() {
        let along = 2.0 * inner(v, &x[k..]) / norm_squared(v);
        for (value, direction) in x[k..].iter_mut().zip(v) {
            *value -= along * direction;
        }
    }
    x
}

fn norm_squared(v: &[f64]) -> f64 {
    inner(v, v)
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
