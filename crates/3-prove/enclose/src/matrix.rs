//! Matrices of intervals as midpoint and radius [Rump 1999], and orthogonal bases.
//!
//! # Guarantee
//! A product's radius holds |M₁|R₂ + R₁(|M₂| + R₂) and the rounding of the midpoint product, (n + 2)·2⁻⁵³·|M₁||M₂|, each rounded up: rigorous.

use dyverse_num::Interval;

/// More than one rounding of a product, relatively.
const UNIT: f64 = 1.2e-16;
/// Covers the rounding made in computing a radius of sums of terms that are not below zero.
const INFLATE: f64 = 1.0 + 1e-10;
/// Covers underflow.
const TINY: f64 = 1e-290;

/// Row-major midpoints and radii.
#[derive(Clone, Debug)]
pub(crate) struct MidRad {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) mid: Vec<f64>,
    pub(crate) rad: Vec<f64>,
}

impl MidRad {
    pub(crate) fn identity(n: usize) -> Self {
        let mut mid = vec![0.0; n * n];
        for i in 0..n {
            mid[i * n + i] = 1.0;
        }
        MidRad {
            rows: n,
            columns: n,
            mid,
            rad: vec![0.0; n * n],
        }
    }

    pub(crate) fn exact(rows: usize, columns: usize, mid: Vec<f64>) -> Self {
        MidRad {
            rows,
            columns,
            rad: vec![0.0; mid.len()],
            mid,
        }
    }

    pub(crate) fn from_rows(rows: &[Vec<Interval>], columns: usize) -> Self {
        let entries = rows.iter().flat_map(|row| row.iter());
        let (mid, rad) = entries
            .map(|entry| {
                let middle = entry.mid().unwrap_or(f64::NAN);
                let radius = (*entry - Interval::point(middle)).magnitude();
                (middle, if middle.is_nan() { f64::NAN } else { radius })
            })
            .unzip();
        MidRad {
            rows: rows.len(),
            columns,
            mid,
            rad,
        }
    }

    pub(crate) fn entry(&self, i: usize, j: usize) -> Interval {
        let place = i * self.columns + j;
        let (m, r) = (self.mid[place], self.rad[place]);
        if r == 0.0 {
            return Interval::point(m);
        }
        Interval::point(m) + Interval::new(-r, r).unwrap_or(Interval::ENTIRE)
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let (n, m, inner) = (self.rows, other.columns, self.columns);
        let (mut mid, mut rad) = (vec![0.0; n * m], vec![0.0; n * m]);
        let unit = UNIT * (inner as f64 + 2.0);
        for i in 0..n {
            for k in 0..inner {
                let (a, r) = (self.mid[i * inner + k], self.rad[i * inner + k]);
                if a == 0.0 && r == 0.0 {
                    continue;
                }
                let size = a.abs();
                let row = k * m..(k + 1) * m;
                let out = i * m..(i + 1) * m;
                let others = other.mid[row.clone()].iter().zip(&other.rad[row]);
                for ((b, s), (x, y)) in others.zip(mid[out.clone()].iter_mut().zip(&mut rad[out])) {
                    if *b == 0.0 && *s == 0.0 {
                        continue;
                    }
                    *x += a * b;
                    *y += size * s + r * (b.abs() + s) + unit * size * b.abs() + TINY;
                }
            }
        }
        rad.iter_mut().for_each(|r| *r *= INFLATE);
        MidRad {
            rows: n,
            columns: m,
            mid,
            rad,
        }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mid: Vec<f64> = self.mid.iter().zip(&other.mid).map(|(a, b)| a + b).collect();
        let rad = self
            .rad
            .iter()
            .zip(&other.rad)
            .zip(&mid)
            .zip(self.mid.iter().zip(&other.mid));
        let rad = rad.map(|(((r, s), m), (a, b))| {
            let rounding = if *a == 0.0 || *b == 0.0 {
                0.0
            } else {
                UNIT * m.abs()
            };
            (r + s + rounding) * INFLATE
        });
        MidRad {
            rows: self.rows,
            columns: self.columns,
            rad: rad.collect(),
            mid,
        }
    }

    /// Times an interval.
    pub(crate) fn scaled(&self, factor: Interval) -> Self {
        let middle = factor.mid().unwrap_or(f64::NAN);
        let radius = (factor - Interval::point(middle)).magnitude();
        let mid: Vec<f64> = self.mid.iter().map(|m| m * middle).collect();
        let rad = self.mid.iter().zip(&self.rad).zip(&mid).map(|((m, r), product)| {
            if *m == 0.0 && *r == 0.0 {
                0.0
            } else {
                (r * (middle.abs() + radius) + m.abs() * radius + UNIT * product.abs() + TINY) * INFLATE
            }
        });
        MidRad {
            rows: self.rows,
            columns: self.columns,
            rad: rad.collect(),
            mid,
        }
    }

    /// Every entry [−size, size] wider.
    pub(crate) fn widened(mut self, size: f64) -> Self {
        self.rad.iter_mut().for_each(|r| *r = (*r + size) * INFLATE);
        self
    }

    pub(crate) fn apply(&self, x: &[Interval]) -> Vec<Interval> {
        (0..self.rows)
            .map(|i| {
                let mut sum = Interval::ZERO;
                for (j, x) in x.iter().enumerate() {
                    let place = i * self.columns + j;
                    if (self.mid[place] != 0.0 || self.rad[place] != 0.0) && *x != Interval::ZERO {
                        sum = sum + self.entry(i, j) * *x;
                    }
                }
                sum
            })
            .collect()
    }

    /// The largest sum of sizes in a row, rounded up.
    pub(crate) fn norm(&self) -> f64 {
        let row = |i: usize| {
            let entries = i * self.columns..(i + 1) * self.columns;
            let sizes = self.mid[entries.clone()].iter().zip(&self.rad[entries]);
            sizes.map(|(m, r)| m.abs() + r).sum::<f64>()
        };
        let largest = (0..self.rows).map(row).fold(0.0, f64::max);
        if self.mid.iter().chain(&self.rad).any(|x| x.is_nan()) {
            return f64::NAN;
        }
        largest * INFLATE
    }

    /// The largest sum of radii in a row.
    pub(crate) fn norm_of_radii(&self) -> f64 {
        let row = |i: usize| {
            self.rad[i * self.columns..(i + 1) * self.columns]
                .iter()
                .sum::<f64>()
        };
        (0..self.rows).map(row).fold(0.0, f64::max)
    }

    pub(crate) fn is_row_zero(&self, i: usize) -> bool {
        let entries = i * self.columns..(i + 1) * self.columns;
        self.mid[entries.clone()]
            .iter()
            .chain(&self.rad[entries])
            .all(|x| *x == 0.0)
    }

    /// An enclosure of the inverse, from an approximate inverse Y: (I − E)⁻¹Y with E = I − YA and ‖E‖ < 1.
    pub(crate) fn inverse_near(&self, approximate: &[f64]) -> Option<Self> {
        let n = self.rows;
        let y = MidRad::exact(n, n, approximate.to_vec());
        let mut e = y.times(self).scaled(-Interval::ONE);
        for i in 0..n {
            e.mid[i * n + i] += 1.0;
            e.rad[i * n + i] = (e.rad[i * n + i] + UNIT) * INFLATE;
        }
        let size = e.norm();
        if size.is_nan() || size >= 0.5 {
            return None;
        }
        let error = size / (1.0 - size) * y.norm() * INFLATE;
        Some(y.widened(error))
    }
}

/// Fundamental matrices of z′ = A(t) z over a duration in `time`, for any A(t) in `a`: the Peano–Baker series Σ time^k/k! a^k with its tail.
pub(crate) fn propagator(a: &MidRad, time: Interval) -> Option<MidRad> {
    let size = a.norm() * time.magnitude() * INFLATE;
    if size.is_nan() || size > 30.0 {
        return None;
    }
    let step = a.scaled(time);
    let mut term = MidRad::identity(a.rows);
    let mut sum = term.clone();
    let mut bound = 1.0;
    for k in 1..200 {
        // Powers of the same interval time: [time]^k by products is an enclosure.
        term = term
            .times(&step)
            .scaled(Interval::ONE / Interval::point(f64::from(k)));
        sum = sum.plus(&term);
        bound = bound * size / f64::from(k) * INFLATE;
        let next = size / f64::from(k + 1);
        if next < 0.5 && bound < 1e-18 * sum.norm() {
            // The tail is at most bound · (next + next² + …) ≤ 2 bound · next.
            let tail = 2.0 * bound * next * INFLATE + TINY;
            // What is exactly zero stays so: rows and columns that nothing couples.
            for (place, rad) in sum.rad.iter_mut().enumerate() {
                let (i, j) = (place / a.rows, place % a.rows);
                if reaches(a, i, j) {
                    *rad = (*rad + tail) * INFLATE;
                }
            }
            return Some(sum);
        }
        if term.mid.iter().chain(&term.rad).all(|x| *x == 0.0) {
            return Some(sum);
        }
    }
    None
}

/// Whether z_j can act on z_i at all, directly or through others.
fn reaches(a: &MidRad, i: usize, j: usize) -> bool {
    if i == j {
        return !a.is_row_zero(i);
    }
    let mut seen = vec![false; a.rows];
    let mut waiting = vec![i];
    while let Some(row) = waiting.pop() {
        let entries = row * a.columns..(row + 1) * a.columns;
        let acts = a.mid[entries.clone()]
            .iter()
            .zip(&a.rad[entries])
            .map(|(m, r)| *m != 0.0 || *r != 0.0);
        for (column, (acts, seen)) in acts.zip(seen.iter_mut()).enumerate() {
            if acts && column == j {
                return true;
            }
            if acts && !*seen {
                *seen = true;
                waiting.push(column);
            }
        }
    }
    false
}

/// An orthogonal matrix whose first columns span the longest columns of `m`, longest first (Gram–Schmidt, twice); row-major.
pub(crate) fn orthogonal(m: &[f64], n: usize, lengths: &[f64]) -> Option<Vec<f64>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by(|a, b| lengths[*b].total_cmp(&lengths[*a]).then(a.cmp(b)));
    let columns = lengths.len();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let candidates = order
        .iter()
        .map(|j| (0..n).map(|i| m[i * columns + j]).collect::<Vec<f64>>())
        .chain((0..n).map(|j| (0..n).map(|i| f64::from(u8::from(i == j))).collect()));
    for candidate in candidates {
        if basis.len() == n {
            break;
        }
        let own = candidate.iter().map(|x| x * x).sum::<f64>().sqrt();
        if own == 0.0 || !own.is_finite() {
            continue;
        }
        let mut v: Vec<f64> = candidate.iter().map(|x| x / own).collect();
        for _ in 0..2 {
            for b in &basis {
                let along: f64 = b.iter().zip(&v).map(|(x, y)| x * y).sum();
                v.iter_mut().zip(b).for_each(|(x, y)| *x -= along * y);
            }
        }
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 1e-6 {
            basis.push(v.iter().map(|x| x / length).collect());
        }
    }
    if basis.len() < n {
        return None;
    }
    let mut q = vec![0.0; n * n];
    for (j, column) in basis.iter().enumerate() {
        for (i, x) in column.iter().enumerate() {
            q[i * n + j] = *x;
        }
    }
    Some(q)
}
