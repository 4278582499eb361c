//! Sets of states: polynomials of the unknowns, and a zonotope for what they leave out.
//!
//! > x ∈ { P(p) + Σ_k g_k r_k : r_k ∈ [−1, 1] }, one r for each trajectory
//!
//! P without remainder. A map with slopes in M takes the set to P′ + Σ (M g_k) r_k + d: the middle of M g_k is the new generator; its radius and d become a box, which is
//! one more generator for each state. A linear flow turns generators and wraps nothing. When there are too many, those nearest to a box are made one
//! [Girard 2005].
//!
//! # Guarantee
//! Rigorous: every state of the old set has its image in the new one.

use dyverse_enclose::TaylorModel;
use dyverse_formulas::Constraint;
use dyverse_num::Interval;

use crate::matrix::{Matrix, symmetric};

/// Generators for each state, at the most.
const MOST: usize = 10;

/// A set of states.
#[derive(Clone, Debug)]
pub(crate) struct States {
    pub(crate) nominal: Vec<TaylorModel>,
    generators: Vec<Vec<f64>>,
    /// Known of the states of all trajectories, though not of all states of the set: a formula is exactly zero, not below zero, or not above.
    pub(crate) facts: Vec<Constraint>,
}

/// a + b for sizes, rounded up; what is no number is infinite.
fn up(a: f64, b: f64) -> f64 {
    match (a, b) {
        _ if a.is_nan() || b.is_nan() => f64::INFINITY,
        (0.0, x) | (x, 0.0) => x,
        (a, b) => (a + b).next_up(),
    }
}

/// A box as generators.
fn diagonal(sizes: &[f64]) -> Vec<Vec<f64>> {
    let one = |(place, size): (usize, &f64)| {
        let mut generator = vec![0.0; sizes.len()];
        generator[place] = *size;
        generator
    };
    sizes
        .iter()
        .enumerate()
        .filter(|(_, size)| **size != 0.0)
        .map(one)
        .collect()
}

impl States {
    pub(crate) fn new(models: &[TaylorModel]) -> Self {
        let sizes: Vec<f64> = models.iter().map(|x| x.remainder().magnitude()).collect();
        States {
            nominal: models.iter().map(TaylorModel::polynomial).collect(),
            generators: diagonal(&sizes),
            facts: Vec::new(),
        }
    }

    /// What the states differ from the polynomials by.
    pub(crate) fn error(&self) -> Vec<Interval> {
        let mut sizes = vec![0.0; self.nominal.len()];
        for generator in &self.generators {
            for (total, x) in sizes.iter_mut().zip(generator) {
                *total = up(*total, x.abs());
            }
        }
        sizes.into_iter().map(symmetric).collect()
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
        let Some(time) = self.whole().pop() else {
            unreachable!("bug: a set without time");
        };
        time.bound()
    }

    /// The polynomial of the time.
    pub(crate) fn nominal_time(&self) -> &TaylorModel {
        match self.nominal.last() {
            Some(time) => time,
            None => unreachable!("bug: a set without time"),
        }
    }

    /// The set after a map: `new` is where the polynomials go, its remainders what is added, `map` bounds the slopes.
    pub(crate) fn moved(&self, new: &[TaylorModel], map: &Matrix) -> Self {
        let mut sizes: Vec<f64> = new.iter().map(|x| x.remainder().magnitude()).collect();
        let mut generators = Vec::with_capacity(self.generators.len() + sizes.len());
        for generator in &self.generators {
            let exact: Vec<Interval> = generator.iter().map(|x| Interval::point(*x)).collect();
            let image = map.apply(&exact);
            // What has no middle is not bounded, and its size says so.
            let middle: Vec<f64> = image.iter().map(|y| y.mid().unwrap_or(0.0)).collect();
            for ((total, y), m) in sizes.iter_mut().zip(&image).zip(&middle) {
                let off = *y - Interval::point(*m);
                *total = up(
                    *total,
                    if off.is_empty() {
                        f64::INFINITY
                    } else {
                        off.magnitude()
                    },
                );
            }
            generators.push(middle);
        }
        reduce(&mut generators, &mut sizes);
        generators.extend(diagonal(&sizes));
        States {
            nominal: new.iter().map(TaylorModel::polynomial).collect(),
            generators,
            facts: Vec::new(),
        }
    }
}

/// Generators nearest to a box go into the box.
fn reduce(generators: &mut Vec<Vec<f64>>, sizes: &mut [f64]) {
    let most = MOST * sizes.len();
    let skew = |g: &Vec<f64>| {
        let sum: f64 = g.iter().map(|x| x.abs()).sum();
        sum - g.iter().map(|x| x.abs()).fold(0.0, f64::max)
    };
    let into_box = |g: &[f64], sizes: &mut [f64]| {
        for (total, x) in sizes.iter_mut().zip(g) {
            *total = up(*total, x.abs());
        }
    };
    // What is along an axis loses nothing.
    generators.retain(|g| {
        let is_box = skew(g) == 0.0;
        if is_box {
            into_box(g, sizes);
        }
        !is_box
    });
    if generators.len() <= most {
        return;
    }
    generators.sort_by(|a, b| skew(b).total_cmp(&skew(a)));
    for generator in generators.drain(most - sizes.len()..) {
        into_box(&generator, sizes);
    }
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
