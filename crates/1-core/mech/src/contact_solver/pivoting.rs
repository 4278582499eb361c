//! Lemke's method: the certain fall-back for problems without friction discs.
//!
//! With tangential forces zero or along fixed directions, x = λ_N − p solves the linear complementarity problem
//! 0 ≤ x ⊥ Mx + q ≥ 0, M_ij = (G_ij (1, μt_j))_N. Lemke's complementary pivoting with covering vector one and
//! the lexicographic ratio test (Cottle, Pang and Stone, *The Linear Complementarity Problem*, §4.4, 4.9) ends
//! after finitely many pivots; for frictionless contacts M is positive semidefinite, and it ends in a solution
//! whenever one exists. M is scaled to unit diagonal.
//!
//! # Guarantee
//! In exact arithmetic: a solution, if M is positive semidefinite and the problem is feasible — which impacts
//! and forces at rest always are without friction. In doubles: to tolerance; the caller checks the residual.
//! With fixed slip directions M need not be semidefinite, and `None` then proves nothing.

use super::delassus::Triple;
use super::problem::ContactProblem;

/// Entries below this are no pivots (unit diagonal).
const PIVOT_TOLERANCE: f64 = 1e-11;

/// Forces found by pivoting.
#[derive(Clone, Debug)]
pub(super) struct PivotOutcome {
    pub(super) forces: Vec<Triple>,
    pub(super) pivots: usize,
}

/// Solves by pivoting; `None` when it ends on a ray, or does not end within 60 (N + 1) pivots.
pub(super) fn solve_pivoting(problem: &ContactProblem<'_>) -> Option<PivotOutcome> {
    let count = problem.contact_count();
    let weight: Vec<f64> = (0..count)
        .map(|j| problem.delassus().diagonal(j).normal.sqrt())
        .collect();
    let mut at_floor: Vec<Triple> = problem.laws().iter().map(|law| [law.floor, 0.0, 0.0]).collect();
    problem.project(&mut at_floor);
    let free = problem.gap_rates(&at_floor);
    let right = |i: usize| free[i][0] / weight[i];
    let entry = |i: usize, j: usize| {
        let d = problem.laws()[j].normal_direction();
        let row = problem.delassus().block(i, j).map_or([0.0; 3], |block| block[0]);
        (row[0] * d[0] + row[1] * d[1] + row[2] * d[2]) / (weight[i] * weight[j])
    };
    let (extra, pivots) = Tableau::new(count, entry, right).solve(60 * (count + 1))?;
    let mut forces: Vec<Triple> = problem
        .laws()
        .iter()
        .zip(extra.iter().zip(&weight))
        .map(|(law, (x, w))| [law.floor + x / w, 0.0, 0.0])
        .collect();
    problem.project(&mut forces);
    Some(PivotOutcome { forces, pivots })
}

/// Rows of I w − M z − 1 z₀ = q. Columns: w (N), z (N), z₀, q.
struct Tableau {
    count: usize,
    rows: Vec<Vec<f64>>,
    /// The variable that is basic in each row.
    basis: Vec<usize>,
}

impl Tableau {
    fn new(count: usize, entry: impl Fn(usize, usize) -> f64, right: impl Fn(usize) -> f64) -> Self {
        let row = |i: usize| {
            let mut row = vec![0.0; 2 * count + 2];
            row[i] = 1.0;
            for j in 0..count {
                row[count + j] = -entry(i, j);
            }
            row[2 * count] = -1.0;
            row[2 * count + 1] = right(i);
            row
        };
        Self {
            count,
            rows: (0..count).map(row).collect(),
            basis: (0..count).collect(),
        }
    }

    /// z and the number of pivots.
    fn solve(mut self, limit: usize) -> Option<(Vec<f64>, usize)> {
        let artificial = 2 * self.count;
        let worst = (0..self.count).min_by(|&a, &b| self.value(a).total_cmp(&self.value(b)))?;
        if self.value(worst) >= 0.0 {
            return Some((vec![0.0; self.count], 0));
        }
        let mut leaving = self.pivot(worst, artificial);
        for pivots in 2..=limit {
            let entering = (leaving + self.count) % (2 * self.count);
            let row = self.leaving_row(entering)?;
            leaving = self.pivot(row, entering);
            if leaving == artificial {
                return Some((self.z_values(), pivots));
            }
        }
        None
    }

    fn value(&self, row: usize) -> f64 {
        self.rows[row][2 * self.count + 1]
    }

    /// The lexicographically least ratio of (q, B⁻¹) rows; the artificial variable leaves if it may.
    fn leaving_row(&self, entering: usize) -> Option<usize> {
        let artificial = 2 * self.count;
        let mut best: Option<usize> = None;
        for row in 0..self.count {
            if self.rows[row][entering] <= PIVOT_TOLERANCE {
                continue;
            }
            best = match best {
                Some(other) if !self.is_before(row, other, entering) => Some(other),
                _ => Some(row),
            };
        }
        let best = best?;
        let ratio = |row: usize| self.value(row) / self.rows[row][entering];
        let may_leave = |&row: &usize| {
            self.basis[row] == artificial
                && self.rows[row][entering] > PIVOT_TOLERANCE
                && ratio(row) <= ratio(best) + 1e-14
        };
        (0..self.count).find(may_leave).or(Some(best))
    }

    fn is_before(&self, row: usize, other: usize, entering: usize) -> bool {
        let (a, b) = (&self.rows[row], &self.rows[other]);
        let columns = std::iter::once(2 * self.count + 1).chain(0..self.count);
        for column in columns {
            let (left, right) = (a[column] / a[entering], b[column] / b[entering]);
            if (left - right).abs() > 1e-13 * (1.0 + left.abs() + right.abs()) {
                return left < right;
            }
        }
        false
    }

    /// Makes `entering` basic in `row`; returns the variable that was.
    fn pivot(&mut self, row: usize, entering: usize) -> usize {
        let factor = 1.0 / self.rows[row][entering];
        let mut pivot_row = std::mem::take(&mut self.rows[row]);
        pivot_row.iter_mut().for_each(|value| *value *= factor);
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[entering];
            if factor != 0.0 {
                for (value, of_pivot) in other.iter_mut().zip(&pivot_row) {
                    *value -= factor * of_pivot;
                }
            }
        }
        self.rows[row] = pivot_row;
        std::mem::replace(&mut self.basis[row], entering)
    }

    fn z_values(&self) -> Vec<f64> {
        let mut z = vec![0.0; self.count];
        for (row, &variable) in self.basis.iter().enumerate() {
            if (self.count..2 * self.count).contains(&variable) {
                z[variable - self.count] = self.value(row).max(0.0);
            }
        }
        z
    }
}
