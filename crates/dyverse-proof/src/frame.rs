//! Sets of states: polynomials of the unknowns, and a rest in a turning frame.
//!
//! > x ∈ { P(p) + Q r : r ∈ rest }, one r for each trajectory
//!
//! P without remainder. A map with slopes in M takes the set to P′ + M Q r + d. The new frame is the orthogonal factor of the middle of M Q, columns in the order of what they
//! carry, so that the rest is not wrapped into boxes again and again [Lohner 1987]. With ε ≥ ‖I − Q′ᵀQ′‖_∞: Q′⁻¹ = (I + E) Q′ᵀ, ‖E‖_∞ ≤ ε/(1 − ε), row by row.
//!
//! # Guarantee
//! Rigorous: every state of the old set has its image in the new one.

use dyverse_enclose::TaylorModel;
use dyverse_num::Interval;

use crate::matrix::{Matrix, dot, symmetric};

/// A set of states.
#[derive(Clone, Debug)]
pub(crate) struct States {
    pub(crate) nominal: Vec<TaylorModel>,
    frame: Vec<Vec<f64>>,
    rest: Vec<Interval>,
}

impl States {
    pub(crate) fn new(models: &[TaylorModel]) -> Self {
        let n = models.len();
        let unit = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
        States {
            nominal: models.iter().map(TaylorModel::polynomial).collect(),
            frame: (0..n).map(unit).collect(),
            rest: models.iter().map(TaylorModel::remainder).collect(),
        }
    }

    fn turned(&self) -> Matrix {
        let row = |row: &Vec<f64>| row.iter().map(|x| Interval::point(*x)).collect();
        Matrix {
            rows: self.frame.iter().map(row).collect(),
        }
    }

    /// What the states differ from the polynomials by.
    pub(crate) fn error(&self) -> Vec<Interval> {
        self.turned().apply(&self.rest)
    }

    /// Polynomials with everything else as remainder.
    pub(crate) fn whole(&self) -> Vec<TaylorModel> {
        let error = self.error();
        self.nominal
            .iter()
            .zip(error)
            .map(|(p, e)| p.with_remainder(e))
            .collect()
    }

    pub(crate) fn hull(&self) -> Vec<Interval> {
        self.whole().iter().map(TaylorModel::bound).collect()
    }

    /// The time, which is the last state.
    pub(crate) fn time(&self) -> Interval {
        self.whole().last().map_or(Interval::ENTIRE, TaylorModel::bound)
    }

    /// The set after a map: `new` is where the polynomials go, its remainders what is added, `map` bounds the slopes.
    pub(crate) fn moved(&self, new: &[TaylorModel], map: &Matrix) -> Self {
        if self.rest.iter().all(|r| *r == Interval::ZERO) {
            return Self::new(new);
        }
        let moved = map.times(&self.turned());
        let frame = orthogonal(&moved, &self.rest);
        let columns = transposed(&frame);
        let more: Vec<Interval> = new.iter().map(TaylorModel::remainder).collect();
        let back = Matrix {
            rows: columns
                .iter()
                .map(|c| c.iter().map(|x| Interval::point(*x)).collect())
                .collect(),
        };
        // Rows of |I − Q′ᵀQ′|, summed.
        let gaps: Vec<f64> = (0..back.size())
            .map(|i| {
                let off = |j: usize| {
                    let own = if i == j { Interval::ONE } else { Interval::ZERO };
                    (own - dot(&back.rows[i], &back.rows[j])).magnitude()
                };
                (0..back.size())
                    .map(off)
                    .fold(0.0, |sum: f64, x| if x == 0.0 { sum } else { (sum + x).next_up() })
            })
            .collect();
        let epsilon = gaps
            .iter()
            .fold(0.0, |e: f64, x| if x.is_finite() { e.max(*x) } else { f64::INFINITY });
        let turned = back.times(&moved).apply(&self.rest);
        let added = back.apply(&more);
        let mut rest: Vec<Interval> = turned.iter().zip(&added).map(|(a, b)| *a + *b).collect();
        let largest = rest.iter().map(Interval::magnitude).fold(0.0, f64::max);
        // E = R + R² + … with R = I − Q′ᵀQ′: a row of zeros in R is one in E.
        for (r, gap) in rest.iter_mut().zip(&gaps).filter(|(_, gap)| **gap != 0.0) {
            let share = if epsilon < 0.5 { 2.0 * gap } else { f64::INFINITY };
            if largest > 0.0 {
                *r = *r + symmetric((share * largest).next_up());
            }
        }
        States {
            nominal: new.iter().map(TaylorModel::polynomial).collect(),
            frame,
            rest,
        }
    }
}

fn transposed(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..a.len())
        .map(|j| a.iter().map(|row| row[j]).collect())
        .collect()
}

/// An orthogonal matrix whose columns follow those of `a`, first those that carry most.
fn orthogonal(a: &Matrix, rest: &[Interval]) -> Vec<Vec<f64>> {
    let n = a.size();
    let mut carried: Vec<(f64, Vec<f64>)> = (0..n)
        .map(|j| {
            let column: Vec<f64> = a.rows.iter().map(|row| row[j].mid().unwrap_or(0.0)).collect();
            let length = column.iter().map(|x| x * x).sum::<f64>().sqrt();
            (length * rest[j].magnitude(), column)
        })
        .collect();
    carried.sort_by(|x, y| y.0.total_cmp(&x.0));
    let units = (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect());
    let candidates = carried
        .into_iter()
        .filter(|(weight, _)| *weight > 0.0)
        .map(|(_, column)| column)
        .chain(units);
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for mut column in candidates {
        if columns.len() == n {
            break;
        }
        let length = |c: &[f64]| c.iter().map(|x| x * x).sum::<f64>().sqrt();
        let before = length(&column);
        if !before.is_finite() || before == 0.0 {
            continue;
        }
        column.iter_mut().for_each(|x| *x /= before);
        for _ in 0..2 {
            for other in &columns {
                let along: f64 = column.iter().zip(other).map(|(x, y)| x * y).sum();
                if along != 0.0 {
                    column.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
                }
            }
        }
        let left = length(&column);
        // What is nearly in the span of the others gives no direction.
        if left < 1e-6 {
            continue;
        }
        column.iter_mut().for_each(|x| *x /= left);
        // Once more: what was left may have been small.
        for other in &columns {
            let along: f64 = column.iter().zip(other).map(|(x, y)| x * y).sum();
            column.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
        }
        columns.push(column);
    }
    while columns.len() < n {
        columns.push(vec![0.0; n]);
    }
    transposed(&columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_enclose::Basis;

    /// Turned a thousand times, a box stays about as large; points stay inside.
    #[test]
    fn turning_does_not_wrap() {
        let basis = Basis::new(1, 1);
        let start: Vec<TaylorModel> = [1e-3, 1e-3]
            .iter()
            .map(|r| TaylorModel::constant(&basis, symmetric(*r)))
            .collect();
        let mut set = States::new(&start);
        let (c, s) = (0.1f64.cos(), 0.1f64.sin());
        let map = Matrix {
            rows: vec![
                vec![Interval::point(c), Interval::point(s)],
                vec![Interval::point(-s), Interval::point(c)],
            ],
        };
        let zero: Vec<TaylorModel> = vec![TaylorModel::constant(&basis, Interval::ZERO); 2];
        let mut corner = [1e-3f64, -1e-3];
        for _ in 0..1000 {
            set = set.moved(&zero, &map);
            corner = [c * corner[0] + s * corner[1], -s * corner[0] + c * corner[1]];
            let hull = set.hull();
            assert!(hull[0].contains(corner[0]) && hull[1].contains(corner[1]));
        }
        assert!(set.hull()[0].magnitude() < 3e-3, "{:?}", set.hull());
    }
}
