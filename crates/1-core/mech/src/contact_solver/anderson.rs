//! Anderson acceleration of what is repeated until it moves no more: of sweeps, and of others' maps ([`Mixing`]).
//!
//! With a map g, f = g(x) − x and the differences ΔX, ΔF of the last m iterates, the next
//! one is g(x) − (ΔX + ΔF) c, c the least-norm minimiser of |f − ΔF c| (Walker and Ni, 2011, type II).
//! When f grows too much, the memory is emptied and one plain step is taken. A sweep is a map of forces;
//! these are weighted with the square root of the diagonal of G, as everywhere else.
//!
//! # Guarantee
//! Heuristic. Depth 10 solved 32 of 34 published problems where plain sweeps solved 27 \[METHODS 2\].

use std::collections::VecDeque;

use super::delassus::Triple;
use super::problem::ContactProblem;
use super::sorprox::Sweeper;
use crate::law::dense::{Columns, solve_least_norm};

/// Iterates remembered.
const DEPTH: usize = 10;
/// f may grow by this factor over the best seen before the memory is emptied.
const GROWTH: f64 = 10.0;

/// The memory of a repeated map.
#[derive(Debug)]
pub struct Mixing {
    /// (x, f) of the last iterates, oldest first.
    memory: VecDeque<(Vec<f64>, Vec<f64>)>,
    best: f64,
}

impl Default for Mixing {
    fn default() -> Self {
        Self::new()
    }
}

impl Mixing {
    /// With nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self {
            memory: VecDeque::with_capacity(DEPTH + 1),
            best: f64::INFINITY,
        }
    }

    /// The iterate after one that the map took from `before` to `after`.
    #[must_use]
    pub fn next(&mut self, before: Vec<f64>, after: Vec<f64>) -> Vec<f64> {
        let moved: Vec<f64> = after.iter().zip(&before).map(|(new, old)| new - old).collect();
        let size = moved.iter().map(|value| value * value).sum::<f64>().sqrt();
        if size > GROWTH * self.best {
            self.memory.clear();
            self.best = size;
        } else {
            self.best = self.best.min(size);
        }
        self.memory.push_back((before, moved));
        if self.memory.len() > DEPTH + 1 {
            self.memory.pop_front();
        }
        if self.memory.len() > 1 {
            self.extrapolated(after)
        } else {
            after
        }
    }

    /// Forgets all iterates but how near they came.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    fn extrapolated(&self, mut next: Vec<f64>) -> Vec<f64> {
        let Some((_, newest)) = self.memory.back() else {
            return next;
        };
        let mut differences = Columns::zero(next.len(), self.memory.len() - 1);
        for (k, (old, new)) in self.memory.iter().zip(self.memory.iter().skip(1)).enumerate() {
            for (entry, (a, b)) in differences.column_mut(k).iter_mut().zip(new.1.iter().zip(&old.1)) {
                *entry = a - b;
            }
        }
        let coefficients = solve_least_norm(differences, newest.clone()).solution;
        for ((old, new), c) in self
            .memory
            .iter()
            .zip(self.memory.iter().skip(1))
            .zip(coefficients)
        {
            for (i, value) in next.iter_mut().enumerate() {
                *value -= c * (new.0[i] - old.0[i] + new.1[i] - old.1[i]);
            }
        }
        next
    }
}

/// Accelerated sweeps, one at a time.
pub(super) struct Anderson<'a> {
    problem: &'a ContactProblem<'a>,
    sweeper: Sweeper<'a>,
    weights: Vec<f64>,
    mixing: Mixing,
}

impl<'a> Anderson<'a> {
    pub(super) fn new(problem: &'a ContactProblem<'a>, sweeper: Sweeper<'a>) -> Self {
        let weights = (0..problem.contact_count()).flat_map(|j| {
            let diagonal = problem.delassus().diagonal(j);
            let tangential = diagonal.tangential_scale.sqrt();
            [diagonal.normal.sqrt(), tangential, tangential]
        });
        Self {
            problem,
            sweeper,
            weights: weights.collect(),
            mixing: Mixing::new(),
        }
    }

    pub(super) fn forces(&self) -> &[Triple] {
        self.sweeper.forces()
    }

    /// One sweep and one extrapolation.
    pub(super) fn step(&mut self) {
        let before = self.weighted();
        self.sweeper.sweep();
        let next = self.mixing.next(before, self.weighted());
        if self.mixing.memory.len() < 2 {
            return;
        }
        let plain: Vec<f64> = next
            .iter()
            .zip(&self.weights)
            .map(|(value, weight)| value / weight)
            .collect();
        let mut forces: Vec<Triple> = plain.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        if forces.as_flattened().iter().all(|value| value.is_finite()) {
            self.problem.project(&mut forces);
            self.sweeper.set_forces(&forces);
        } else {
            self.mixing.forget();
        }
    }

    fn weighted(&self) -> Vec<f64> {
        let flat = self.sweeper.forces().as_flattened().iter();
        flat.zip(&self.weights)
            .map(|(value, weight)| value * weight)
            .collect()
    }
}
