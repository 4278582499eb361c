//! Forces of many contacts where no row is `Against`, at a cost that grows with their number where entities are chained, stacked or lie side by side.
//!
//! # Method
//! The system of `linear.rs` is R Q x = r with R the rows of Wᵀ and Q = M⁻¹(W_N + W_sl, W_st), D its weights squared. From the forces x that are given,
//!
//! > x := x + (εD + RQ)⁻¹ (r − RQx)
//!
//! again and again [Rockafellar 1976]: what is determined is refined to rounding, what is redundant stays as near to the start as it can, measured by D. The inverse is that of a matrix by entities,
//!
//! > (E + RQ)⁻¹ = E⁻¹ − E⁻¹R (1 + QE⁻¹R)⁻¹ QE⁻¹,   E = εD,
//!
//! with blocks for the pairs of entities that touch (`block_lu.rs`), in coordinates in which all entities are alike (`mass_root.rs`). It makes rounding larger by 1/ε in what is redundant. Of a change δ that was found so,
//!
//! > (E + RQ)⁻¹ RQ δ = E⁻¹R (1 + QE⁻¹R)⁻¹ Q δ
//!
//! has none of that, and of what is determined all but a part ε; the same of what is left, a few times, gives the change without its noise. Whether forces are redundant is seen by what becomes of RQz for a z that has a part in every direction: what is redundant of it does not come back.
//!
//! # Guarantee
//! To rounding of the equations, which are looked at: where they are not met, nothing is found, and `linear.rs` eliminates. Redundant is also what is determined by less than 1e-6 of the best.

use super::block_lu::{Block, BlockLu};
use super::linear::Unknown;
use super::mass_root::MassRoot;
use super::operator::InverseMass;

/// ε: what is determined by more is found in a few passes. Eliminating an entity that others hang on loses 1e-16/ε² of them, which the next pass makes good.
const COMPLIANCE: f64 = 1e-6;
/// Passes at the most.
const PASSES: usize = 12;
/// Passes that take noise out of redundant forces: each leaves a part ε of what is determined.
const CLEANING_PASSES: usize = 4;
/// What is left of the equations, beside their terms.
const LEFT: f64 = 1e-13;
/// The part of z that does not come back where forces are redundant.
const LOST: f64 = 1e-4;

/// Twists by entity.
type Twists = Vec<[f64; 6]>;

/// One side of an unknown: its row of R and its column of Q for an entity.
#[derive(Clone, Copy)]
struct Side {
    entity: usize,
    row: [f64; 6],
    column: [f64; 6],
}

/// One unknown.
struct Force {
    weight: f64,
    sides: [Option<Side>; 2],
}

/// The system, with its factors.
struct Sparse {
    unknowns: Vec<Force>,
    entities: usize,
    factors: BlockLu,
}

/// Forces and whether they are redundant, from `start`; none where the equations are not met.
pub(super) fn solve_sparse(
    unknowns: &[Unknown<f64>],
    masses: &[InverseMass<f64>],
    right: &[f64],
    start: Vec<f64>,
) -> Option<(Vec<f64>, bool)> {
    let system = Sparse::new(unknowns, masses)?;
    let mut numbers = 0x9e37_79b9_7f4a_7c15_u64;
    let parts: Vec<f64> = unknowns
        .iter()
        .map(|unknown| {
            numbers = numbers
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((numbers >> 11) as f64 / (1_u64 << 52) as f64 - 1.0) / unknown.weight
        })
        .collect();
    let back = system.refine(&system.rates(&parts).0, vec![0.0; parts.len()])?;
    let lost = unknowns
        .iter()
        .zip(parts.iter().zip(&back))
        .map(|(unknown, (z, x))| unknown.weight * (z - x).abs());
    let is_redundant = lost.fold(0.0, f64::max) > LOST;
    let found = system.refine(right, start.clone())?;
    if is_redundant {
        let cleaned = system.without_noise(&start, &found);
        if system.is_met(right, &cleaned) {
            return Some((cleaned, true));
        }
    }
    Some((found, is_redundant))
}

impl Sparse {
    fn new(unknowns: &[Unknown<f64>], masses: &[InverseMass<f64>]) -> Option<Self> {
        let entities = masses.len();
        let roots: Vec<MassRoot> = masses.iter().map(MassRoot::of).collect();
        let force = |unknown: &Unknown<f64>| Force {
            weight: unknown.weight,
            sides: unknown.ends.each_ref().map(|end| {
                end.as_ref().map(|end| Side {
                    entity: end.entity.0,
                    row: roots[end.entity.0].transposed(&end.row),
                    column: roots[end.entity.0].inverse(&end.response),
                })
            }),
        };
        let unknowns: Vec<Force> = unknowns.iter().map(force).collect();
        let both = |force: &Force| match &force.sides {
            [Some(a), Some(b)] => Some((a.entity, b.entity)),
            _ => None,
        };
        let mut factors = BlockLu::new(entities, unknowns.iter().filter_map(both));
        factors.set_to_unit();
        for unknown in &unknowns {
            let scale = 1.0 / (COMPLIANCE * unknown.weight * unknown.weight);
            for push in unknown.sides.iter().flatten() {
                for row in unknown.sides.iter().flatten() {
                    let block: Block = push.column.map(|q| row.row.map(|r| scale * q * r));
                    factors.add(push.entity, row.entity, &block);
                }
            }
        }
        factors.factorise().then_some(Self {
            unknowns,
            entities,
            factors,
        })
    }

    /// Q x.
    fn twists(&self, x: &[f64]) -> Twists {
        let mut twists = vec![[0.0; 6]; self.entities];
        for (unknown, x) in self.unknowns.iter().zip(x) {
            for side in unknown.sides.iter().flatten() {
                for (twist, column) in twists[side.entity].iter_mut().zip(&side.column) {
                    *twist += column * x;
                }
            }
        }
        twists
    }

    /// One row of R with some twists, and the size of what is summed.
    fn rate(unknown: &Force, twists: &[[f64; 6]]) -> (f64, f64) {
        let (mut sum, mut size) = (0.0, 0.0);
        for side in unknown.sides.iter().flatten() {
            for (row, twist) in side.row.iter().zip(&twists[side.entity]) {
                sum += row * twist;
                size += (row * twist).abs();
            }
        }
        (sum, size)
    }

    /// R Q x, and the largest size of what is summed, weighted.
    fn rates(&self, x: &[f64]) -> (Vec<f64>, f64) {
        let twists = self.twists(x);
        let mut largest: f64 = 0.0;
        let rates = self.unknowns.iter().map(|unknown| {
            let (rate, size) = Self::rate(unknown, &twists);
            largest = largest.max(size / unknown.weight);
            rate
        });
        (rates.collect(), largest)
    }

    /// The change from `start` to `x` without what rounding did to it where it is redundant.
    fn without_noise(&self, start: &[f64], x: &[f64]) -> Vec<f64> {
        let mut cleaned = start.to_vec();
        for _ in 0..CLEANING_PASSES {
            let left: Vec<f64> = x.iter().zip(&cleaned).map(|(x, c)| x - c).collect();
            let mut twists = self.twists(&left);
            self.factors.solve(&mut twists);
            for (c, unknown) in cleaned.iter_mut().zip(&self.unknowns) {
                *c += Self::rate(unknown, &twists).0 / (COMPLIANCE * unknown.weight * unknown.weight);
            }
        }
        cleaned
    }

    /// What is left of the equations by unknown, the worst of it and the size of their terms, both weighted.
    fn left(&self, right: &[f64], x: &[f64]) -> (Vec<f64>, f64, f64) {
        let (rates, size) = self.rates(x);
        let left: Vec<f64> = right.iter().zip(&rates).map(|(r, rate)| r - rate).collect();
        let weighted = self.unknowns.iter().zip(&left).map(|(u, r)| (r / u.weight).abs());
        let worst = weighted.fold(0.0, |m: f64, v| if v.is_nan() { f64::NAN } else { m.max(v) });
        let given = self.unknowns.iter().zip(right).map(|(u, r)| (r / u.weight).abs());
        (left, worst, given.fold(size, f64::max))
    }

    fn is_met(&self, right: &[f64], x: &[f64]) -> bool {
        let (_, worst, size) = self.left(right, x);
        worst <= LEFT * size
    }

    /// The passes; none where the equations are not met after them.
    fn refine(&self, right: &[f64], mut x: Vec<f64>) -> Option<Vec<f64>> {
        let mut last = f64::INFINITY;
        for pass in 0..=PASSES {
            let (left, worst, size) = self.left(right, &x);
            // As near as rounding lets it.
            let is_met = worst <= LEFT * size;
            if is_met && (worst <= f64::EPSILON * size || worst > 0.25 * last || pass == PASSES) {
                return Some(x);
            }
            if worst.is_nan() || pass == PASSES {
                return None;
            }
            last = worst;
            let step: Vec<f64> = self
                .unknowns
                .iter()
                .zip(&left)
                .map(|(u, r)| r / (COMPLIANCE * u.weight * u.weight))
                .collect();
            let mut twists = self.twists(&step);
            self.factors.solve(&mut twists);
            for ((x, step), unknown) in x.iter_mut().zip(&step).zip(&self.unknowns) {
                let taken = Self::rate(unknown, &twists).0;
                *x += step - taken / (COMPLIANCE * unknown.weight * unknown.weight);
            }
        }
        None
    }
}
