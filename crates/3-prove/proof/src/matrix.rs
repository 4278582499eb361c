//! Interval matrices, and fundamental matrices as the series of Peano and Baker.
//!
//! For Φ′ = J(t) Φ, Φ(0) = I with J(t) in the interval matrix J at all times:
//!
//! > Φ(t) = I + ∫J + ∫∫JJ + … ∈ Σ_{k≤K} tᵏ/k! Jᵏ + R,  |R| ≤ a^{K+1}/(K+1)! · 1/(1 − a/(K+2)),  a = |t|·‖J‖_∞ < K + 2
//!
//! because the k-fold integral is an average of products of matrices of J over a simplex of volume |t|ᵏ/k!.
//!
//! # Guarantee
//! Rigorous. Entries that no power of J can reach are exactly zero.

use dyverse_num::Interval;

/// A square interval matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) rows: Vec<Vec<Interval>>,
}

/// [−r, r]; everything if r is no number.
pub(crate) fn symmetric(r: f64) -> Interval {
    Interval::new(-r, r).unwrap_or(Interval::ENTIRE)
}

/// Terms of the series at the most.
const MOST_TERMS: usize = 40;

impl Matrix {
    pub(crate) fn identity(n: usize) -> Self {
        let entry = |i: usize, j: usize| if i == j { Interval::ONE } else { Interval::ZERO };
        Matrix {
            rows: (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect(),
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let row = |own: &Vec<Interval>| {
            let mut sum = vec![Interval::ZERO; own.len()];
            for (x, theirs) in own.iter().zip(&other.rows) {
                if *x == Interval::ZERO {
                    continue;
                }
                for (total, y) in sum.iter_mut().zip(theirs) {
                    if *y != Interval::ZERO {
                        *total = *total + *x * *y;
                    }
                }
            }
            sum
        };
        Matrix {
            rows: self.rows.iter().map(row).collect(),
        }
    }

    pub(crate) fn apply(&self, vector: &[Interval]) -> Vec<Interval> {
        self.rows.iter().map(|row| dot(row, vector)).collect()
    }

    fn is_zero(&self) -> bool {
        self.rows.iter().flatten().all(|x| *x == Interval::ZERO)
    }

    /// ‖J‖_∞, rounded up.
    fn norm(&self) -> f64 {
        let sum = |row: &Vec<Interval>| row.iter().fold(0.0, |s, x| f64::next_up(s + x.magnitude()));
        self.rows.iter().map(sum).fold(0.0, f64::max)
    }

    /// The fundamental matrices of x′ = J x after any time of an interval; `None` where the series is too long.
    pub(crate) fn fundamental(&self, time: Interval) -> Option<Self> {
        let n = self.size();
        let a = (self.norm() * time.magnitude()).next_up();
        if !a.is_finite() {
            return None;
        }
        let mut sum = Self::identity(n);
        let mut power = Self::identity(n);
        let mut size = 1.0f64;
        for k in 1..=MOST_TERMS {
            power = power.times(self);
            if power.is_zero() {
                return Some(sum);
            }
            let by = Interval::ONE / Interval::point(k as f64);
            power
                .rows
                .iter_mut()
                .flatten()
                .filter(|x| **x != Interval::ZERO)
                .for_each(|x| *x = *x * by);
            let factor = time.powi(k as i32);
            for (total, x) in sum.rows.iter_mut().flatten().zip(power.rows.iter().flatten()) {
                if *x != Interval::ZERO {
                    *total = *total + *x * factor;
                }
            }
            size = (size * a / k as f64).next_up().next_up();
            let next = k as f64 + 1.0;
            if a < 0.5 * next {
                // a^{k+1}/(k+1)! / (1 − a/(k+2)), and the last factor is below 2.
                let rest = (2.0 * (size * a / next)).next_up().next_up();
                if rest < 1e-18 || k == MOST_TERMS {
                    sum.widen_where(&self.reachable(), rest);
                    return Some(sum);
                }
            }
        }
        None
    }

    /// Where some power of this matrix may have an entry.
    fn reachable(&self) -> Vec<Vec<bool>> {
        let n = self.size();
        let mut found: Vec<Vec<bool>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|x| *x != Interval::ZERO).collect())
            .collect();
        for k in 0..n {
            let through = found[k].clone();
            for row in found.iter_mut().filter(|row| row[k]) {
                for (own, more) in row.iter_mut().zip(&through) {
                    *own |= *more;
                }
            }
        }
        found
    }

    fn widen_where(&mut self, places: &[Vec<bool>], by: f64) {
        let more = symmetric(by);
        for (row, wanted) in self.rows.iter_mut().zip(places) {
            for (x, _) in row.iter_mut().zip(wanted).filter(|(_, wanted)| **wanted) {
                *x = *x + more;
            }
        }
    }
}

pub(crate) fn dot(a: &[Interval], b: &[Interval]) -> Interval {
    let mut sum = Interval::ZERO;
    for (x, y) in a.iter().zip(b) {
        if *x != Interval::ZERO && *y != Interval::ZERO {
            sum = sum + *x * *y;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fundamental_matrix_of_an_oscillator_is_a_rotation() {
        let (zero, one) = (Interval::ZERO, Interval::ONE);
        let j = Matrix {
            rows: vec![vec![zero, one], vec![-one, zero]],
        };
        for t in [-1.0f64, 0.3, 2.5] {
            let phi = j.fundamental(Interval::point(t)).unwrap_or(Matrix::identity(2));
            let close = |x: Interval, value: f64| x.widened().contains(value) && x.width() < 1e-13;
            assert!(close(phi.rows[0][0], t.cos()), "{:?}", phi.rows[0][0]);
            assert!(close(phi.rows[0][1], t.sin()));
            assert!(close(phi.rows[1][0], -t.sin()));
        }
    }

    #[test]
    fn free_flight_has_an_exact_one() {
        let mut j = Matrix::identity(3);
        j.rows = vec![vec![Interval::ZERO; 3]; 3];
        j.rows[0][1] = Interval::ONE;
        let phi = j.fundamental(Interval::point(1e6)).unwrap_or(Matrix::identity(3));
        assert_eq!(phi.rows[0][1], Interval::point(1e6));
        assert_eq!(phi.rows[0][0], Interval::ONE);
        assert_eq!(phi.rows[2], Matrix::identity(3).rows[2]);
    }
}
