//! Linear systems of four equations.
//!
//! # Method
//! Doubles: Gauss elimination with the largest pivot of each column. Other scalars: multiply by an approximate inverse C in
//! doubles first; C A is near the identity and is eliminated without exchanging rows. On intervals this is
//! the usual preconditioning [Neumaier 1990, §4.1].
//!
//! # Guarantee
//! To rounding on doubles; on intervals rigorous, C being any matrix. Nothing comes of a singular one.

use dyverse_num::{Scalar, Tri};

use super::ContactScalar;

/// Number of unknowns: a normal and a distance.
pub(super) const N: usize = 4;
/// A vector of unknowns or equations.
pub(super) type Vector<S> = [S; N];
/// Rows of coefficients.
pub(super) type Matrix<S> = [[S; N]; N];

/// A⁻¹, or nothing if A is singular or not finite.
pub(super) fn inverse(matrix: &Matrix<f64>) -> Option<Matrix<f64>> {
    let mut a = *matrix;
    let mut b = [[0.0; N]; N];
    for (i, row) in b.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for k in 0..N {
        let pivot = (k..N).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()))?;
        a.swap(k, pivot);
        b.swap(k, pivot);
        let head = a[k][k];
        if head == 0.0 || !head.is_finite() {
            return None;
        }
        for j in 0..N {
            a[k][j] /= head;
            b[k][j] /= head;
        }
        for i in (0..N).filter(|i| *i != k) {
            let factor = a[i][k];
            for j in 0..N {
                a[i][j] -= factor * a[k][j];
                b[i][j] -= factor * b[k][j];
            }
        }
    }
    Some(b)
}

/// C v for C in doubles.
pub(super) fn apply<S: Scalar>(c: &Matrix<f64>, v: &Vector<S>) -> Vector<S> {
    c.each_ref().map(|row| {
        row.iter()
            .zip(v)
            .fold(S::zero(), |sum, (a, b)| sum + S::from_f64(*a) * b.clone())
    })
}

/// C A for C in doubles and A given by its *columns*; again by columns.
pub(super) fn apply_to_columns<S: Scalar>(c: &Matrix<f64>, columns: &Matrix<S>) -> Matrix<S> {
    columns.each_ref().map(|column| apply(c, column))
}

/// The rows of a matrix given by its columns.
pub(super) fn transposed<S: Clone>(a: &Matrix<S>) -> Matrix<S> {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i].clone()))
}

/// x with A x = b, A given by its columns.
pub(super) fn solve<S: ContactScalar>(columns: &Matrix<S>, b: &Vector<S>) -> Option<Vector<S>> {
    let sampled = columns.each_ref().map(|column| column.each_ref().map(S::sample));
    let c = inverse(&transposed(&sampled))?;
    let mut a = transposed(&apply_to_columns(&c, columns));
    let mut x = apply(&c, b);
    for k in 0..N {
        let (pivot_row, pivot_value) = (a[k].clone(), x[k].clone());
        if pivot_row[k].gt(&S::zero()) != Tri::True {
            return None;
        }
        for (row, value) in a.iter_mut().zip(&mut x).skip(k + 1) {
            let factor = row[k].clone() / pivot_row[k].clone();
            for (entry, pivot) in row.iter_mut().zip(&pivot_row).skip(k + 1) {
                *entry = entry.clone() - factor.clone() * pivot.clone();
            }
            *value = value.clone() - factor * pivot_value.clone();
        }
    }
    for k in (0..N).rev() {
        let known = (k + 1..N).fold(x[k].clone(), |sum, j| sum - a[k][j].clone() * x[j].clone());
        x[k] = known / a[k][k].clone();
    }
    Some(x)
}
