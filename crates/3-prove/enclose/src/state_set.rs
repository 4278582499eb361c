//! Sets of states as functions of the unknowns.
//!
//! | printed          | here                    |
//! |------------------|-------------------------|
//! | x ∈ P(p) + Q r   | [`StateSet`]            |
//!
//! P is a polynomial in the unknowns p, scaled to the cube [−1, 1]ᵐ: how a state depends on parameters and initial values is kept through flow and jumps. What the polynomial
//! leaves out (truncation, rounding) is Q r with an orthogonal Q that turns with the flow [Lohner 1987], so that boxes are not wrapped in boxes at every step.
//!
//! # Guarantee
//! Rigorous: for every p of the cube, the state is P(p) + Q ρ for some ρ in r.

use std::sync::Arc;

use dyverse_num::Interval;

use crate::basis::Basis;
use crate::matrix::{MidRad, orthogonal};
use crate::ring::{Ring, Undefined};
use crate::taylor_model::TaylorModel;

/// A set of states, one for each point of the cube up to a small rest.
#[derive(Clone, Debug)]
pub struct StateSet {
    pub(crate) nominal: Vec<TaylorModel>,
    /// Q, row-major; `None`: the identity.
    pub(crate) frame: Option<Vec<f64>>,
    pub(crate) rest: Vec<Interval>,
}

impl StateSet {
    /// A set given by one Taylor model for each state.
    #[must_use]
    pub fn new(states: &[TaylorModel]) -> Self {
        StateSet {
            nominal: states.iter().map(TaylorModel::polynomial).collect(),
            frame: None,
            rest: states.iter().map(TaylorModel::remainder).collect(),
        }
    }

    /// Number of states.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.nominal.len()
    }

    /// The monomials of its polynomials; `None` if there are no states.
    #[must_use]
    pub fn basis(&self) -> Option<&Arc<Basis>> {
        self.nominal.first().map(TaylorModel::basis)
    }

    /// P, for every state.
    #[must_use]
    pub fn polynomials(&self) -> &[TaylorModel] {
        &self.nominal
    }
    /// Q, row-major; `None` stands for the identity.
    #[must_use]
    pub fn frame(&self) -> Option<&[f64]> {
        self.frame.as_deref()
    }
    /// r.
    #[must_use]
    pub fn rest(&self) -> &[Interval] {
        &self.rest
    }
    /// From its parts.
    #[must_use]
    pub fn from_parts(nominal: Vec<TaylorModel>, frame: Option<Vec<f64>>, rest: Vec<Interval>) -> Self {
        StateSet { nominal, frame, rest }
    }

    /// Q as a matrix.
    pub(crate) fn frame_matrix(&self) -> MidRad {
        let n = self.dimension();
        match &self.frame {
            Some(frame) => MidRad::exact(n, n, frame.clone()),
            None => MidRad::identity(n),
        }
    }

    /// Q r as a box.
    #[must_use]
    pub fn deviation(&self) -> Vec<Interval> {
        match &self.frame {
            None => self.rest.clone(),
            Some(_) => self.frame_matrix().apply(&self.rest),
        }
    }

    /// One Taylor model for each state, Q r in the remainder.
    #[must_use]
    pub fn whole(&self) -> Vec<TaylorModel> {
        let deviation = self.deviation();
        self.nominal
            .iter()
            .zip(deviation)
            .map(|(p, d)| p.widened(d))
            .collect()
    }

    /// The smallest box around it that is easily had.
    #[must_use]
    pub fn hull(&self) -> Vec<Interval> {
        self.whole().iter().map(Ring::range).collect()
    }

    /// The set that `map` (an enclosure of a derivative) makes of the rest, with new polynomials and their remainders:
    /// P′(p) + I + map·Q r.
    pub(crate) fn carried(&self, new: &[TaylorModel], map: &MidRad) -> Result<StateSet, Undefined> {
        let n = new.len();
        if new.iter().any(|state| !state.is_finite()) {
            return Err(Undefined::Unbounded);
        }
        let extra: Vec<Interval> = new.iter().map(TaylorModel::remainder).collect();
        let nominal: Vec<TaylorModel> = new.iter().map(TaylorModel::polynomial).collect();
        let moved = match &self.frame {
            None => map.clone(),
            Some(_) => map.times(&self.frame_matrix()),
        };
        let image = moved.apply(&self.rest);
        let plain: Vec<Interval> = image.iter().zip(&extra).map(|(a, b)| *a + *b).collect();
        if plain.iter().any(|x| x.is_empty() || !x.is_bounded()) {
            return Err(Undefined::Unbounded);
        }
        // States without any rest stay exact: the frame is turned among the others only.
        let active: Vec<usize> = (0..n).filter(|i| plain[*i] != Interval::ZERO).collect();
        let sources: Vec<usize> = (0..self.rest.len())
            .filter(|j| self.rest[*j] != Interval::ZERO)
            .collect();
        let turned = turned(&moved, &self.rest, &active, &sources, &extra, n);
        Ok(match turned {
            Some((frame, rest)) => StateSet {
                nominal,
                frame: Some(frame),
                rest,
            },
            None => StateSet {
                nominal,
                frame: None,
                rest: plain,
            },
        })
    }
}

/// A new frame among the active states, and the rest in it.
fn turned(
    moved: &MidRad,
    rest: &[Interval],
    active: &[usize],
    sources: &[usize],
    extra: &[Interval],
    n: usize,
) -> Option<(Vec<f64>, Vec<Interval>)> {
    let size = active.len();
    if size < 2 || sources.is_empty() {
        return None;
    }
    let part: Vec<f64> = active
        .iter()
        .flat_map(|i| sources.iter().map(move |j| moved.mid[i * moved.columns + j]))
        .collect();
    let lengths: Vec<f64> = sources
        .iter()
        .enumerate()
        .map(|(column, j)| {
            let length: f64 = (0..size)
                .map(|i| part[i * sources.len() + column].powi(2))
                .sum::<f64>()
                .sqrt();
            length * rest[*j].radius()
        })
        .collect();
    let q = orthogonal(&part, size, &lengths)?;
    let mut transposed = vec![0.0; size * size];
    for i in 0..size {
        for j in 0..size {
            transposed[j * size + i] = q[i * size + j];
        }
    }
    let inverse = MidRad::exact(size, size, q.clone()).inverse_near(&transposed)?;
    let rows: Vec<Vec<Interval>> = active
        .iter()
        .map(|i| sources.iter().map(|j| moved.entry(*i, *j)).collect())
        .collect();
    let inner = inverse.times(&MidRad::from_rows(&rows, sources.len()));
    let old: Vec<Interval> = sources.iter().map(|j| rest[*j]).collect();
    let more: Vec<Interval> = active.iter().map(|i| extra[*i]).collect();
    let new: Vec<Interval> = inner
        .apply(&old)
        .iter()
        .zip(inverse.apply(&more))
        .map(|(a, b)| *a + b)
        .collect();
    if new.iter().any(|x| x.is_empty() || !x.is_bounded()) {
        return None;
    }
    let mut frame = vec![0.0; n * n];
    for i in 0..n {
        frame[i * n + i] = 1.0;
    }
    let mut whole = vec![Interval::ZERO; n];
    for (a, i) in active.iter().enumerate() {
        whole[*i] = new[a];
        for (b, j) in active.iter().enumerate() {
            frame[i * n + j] = q[a * size + b];
        }
    }
    Some((frame, whole))
}
