//! Where a guard is crossed, as a function of the unknowns; and sets carried to it and through resets.
//!
//! # Crossing
//! Given: every state of the set crosses g = 0 exactly once in a window of time, with g′ ≠ 0 throughout. It does so at σ(p) + δ, σ a polynomial found by Newton's method and
//!
//! > δ = −(ρ + ∇g·e) / g′,  x_c = P̂ + e + f δ = P̂ − q ρ + (I − q ∇gᵀ) e,  q = f/g′,
//!
//! P̂(p) the motion of the polynomial at σ(p), ρ the guard there, e what the state differs from it by. The dependence on the unknowns is in P̂; only e, which is small, meets
//! interval matrices.
//!
//! # Reset
//! R(P + Qρ) ∈ R(P) + R′(hull) Q r, R(P) evaluated on Taylor models.
//!
//! # Guarantee
//! Rigorous for all states that cross in the window, or an error.

use dyverse_expr::{NodeId, Pool, Program};
use dyverse_num::Interval;

use crate::along::Along;
use crate::flow::{Failure, Tube};
use crate::gradient::gradients;
use crate::matrix::MidRad;
use crate::ring::{Ring, Undefined};
use crate::series::SeriesRun;
use crate::state_set::StateSet;
use crate::taylor_model::TaylorModel;

/// Formulas of states and unknowns, evaluated on sets.
#[derive(Clone, Debug)]
pub struct Formulas {
    program: Program,
}

impl Formulas {
    /// Prepares formulas.
    #[must_use]
    pub fn new(pool: &Pool, roots: &[NodeId]) -> Self {
        Formulas {
            program: Program::new(pool, roots).expanded(),
        }
    }

    /// Their values as functions of the unknowns.
    ///
    /// # Errors
    /// Where one is not defined or not smooth on the set.
    pub fn on(
        &self,
        states: &[TaylorModel],
        unknowns: &[TaylorModel],
    ) -> Result<Vec<TaylorModel>, Undefined> {
        let Some(like) = states.first().or_else(|| unknowns.first()) else {
            return Err(Undefined::Unsupported("a system without states"));
        };
        crate::series::reads_only(&self.program, states.len() + unknowns.len())?;
        let mut run = SeriesRun::new(&self.program, Ring::constant(like, Interval::ZERO));
        run.advance(|symbol| {
            let symbol = symbol as usize;
            let found = match symbol.checked_sub(states.len()) {
                None => &states[symbol],
                Some(unknown) => &unknowns[unknown],
            };
            found.clone()
        })?;
        let values: Result<Vec<TaylorModel>, Undefined> = (0..self.program.roots().len())
            .map(|root| run.root(root, 0).cloned())
            .collect();
        let values = values?;
        if values.iter().any(|v| !v.is_finite()) {
            return Err(Undefined::Unbounded);
        }
        Ok(values)
    }

    /// Their values over boxes of states and unknowns.
    ///
    /// # Errors
    /// Where one is not defined on all of it.
    pub fn over(&self, states: &[Interval], unknowns: &[Interval]) -> Result<Vec<Interval>, Undefined> {
        let at: Vec<Interval> = states.iter().chain(unknowns).copied().collect();
        crate::gradient::values(&self.program, &at)
    }

    /// Bounds of all slopes with respect to the states, over boxes of states and unknowns: one row for each formula.
    ///
    /// # Errors
    /// Where one is not defined on all of it.
    pub fn slopes(
        &self,
        states: &[Interval],
        unknowns: &[Interval],
    ) -> Result<Vec<Vec<Interval>>, Undefined> {
        let at: Vec<Interval> = states.iter().chain(unknowns).copied().collect();
        let found = gradients(&self.program, &at, states.len())?;
        Ok(found.into_iter().map(|(_, g)| g).collect())
    }

    fn gradients(&self, states: &[Interval], unknowns: &[Interval]) -> Result<MidRad, Undefined> {
        let at: Vec<Interval> = states.iter().chain(unknowns).copied().collect();
        let rows: Vec<Vec<Interval>> = gradients(&self.program, &at, states.len())?
            .into_iter()
            .map(|(_, g)| g)
            .collect();
        Ok(MidRad::from_rows(&rows, states.len()))
    }

    /// A set after a reset given by these formulas, one for each state.
    ///
    /// # Errors
    /// Where one is not defined or not smooth on the set.
    pub fn reset(&self, set: &StateSet, unknowns: &[TaylorModel]) -> Result<StateSet, Failure> {
        let new = self.on(&set.nominal, unknowns)?;
        let ranges: Vec<Interval> = unknowns.iter().map(Ring::range).collect();
        let map = self.gradients(&set.hull(), &ranges)?;
        Ok(set.carried(&new, &map)?)
    }
}

/// A set where it crosses a guard.
#[derive(Clone, Debug)]
pub struct Crossed {
    /// The states there.
    pub set: StateSet,
    /// When, from the beginning of the step, as a function of the unknowns; the remainder holds what the states differ by.
    pub time: TaylorModel,
}

impl Tube {
    /// The set where it crosses a guard (formula and its course along this step) that all states cross within `window`.
    ///
    /// # Errors
    /// When a bound is lost.
    pub fn crossed(
        &self,
        from: &StateSet,
        guard: &Formulas,
        along: &Along,
        window: Interval,
        unknowns: &[TaylorModel],
    ) -> Result<Crossed, Failure> {
        let time = self.newton(along, window)?;
        let ranges: Vec<Interval> = unknowns.iter().map(Ring::range).collect();
        let times = window.hull(&time.range());
        if !times.is_subset(&self.span) {
            return Err(Undefined::Unbounded.into());
        }
        let n = self.states.len();
        let here: Vec<Interval> = self.states.iter().map(|x| x.range_on(times)).collect();
        let arrived: Vec<TaylorModel> = self.nominal.iter().map(|x| x.at_model(&time)).collect();
        let polynomial: Vec<TaylorModel> = arrived.iter().map(TaylorModel::polynomial).collect();
        let value = guard.on(&polynomial, unknowns)?;
        let Some(left) = value.first().map(Ring::range) else {
            return Err(Undefined::Unbounded.into());
        };
        // Hull with the polynomial itself: slopes are between it and the states.
        let here: Vec<Interval> = here
            .iter()
            .zip(&polynomial)
            .map(|(x, p)| x.hull(&Ring::range(p)))
            .collect();
        let gradient = guard.gradients(&here, &ranges)?;
        let rate = along.derivative().range_on(times);
        if rate.is_empty() || rate.contains(0.0) {
            return Err(Undefined::Division.into());
        }
        let q: Vec<Interval> = self
            .states
            .iter()
            .map(|x| x.derivative().range_on(times) / rate)
            .collect();
        let rows: Vec<Vec<Interval>> = (0..n)
            .map(|i| {
                (0..n)
                    .map(|j| {
                        let own = if i == j { Interval::ONE } else { Interval::ZERO };
                        own - q[i] * gradient.entry(0, j)
                    })
                    .collect()
            })
            .collect();
        let salt = MidRad::from_rows(&rows, n);
        let rests: Vec<Interval> = arrived.iter().map(TaylorModel::remainder).collect();
        let turned = salt.apply(&rests);
        let new: Vec<TaylorModel> = polynomial
            .iter()
            .zip(&q)
            .zip(turned)
            .map(|((p, q), r)| p.with_remainder(r - *q * left))
            .collect();
        let moved = self.propagator(times)?;
        let set = from.carried(&new, &salt.times(&moved))?;
        let late = -(along.at_model(&time).range() / rate);
        let time = time.widened(late);
        Ok(Crossed { set, time })
    }

    /// The polynomial σ with g(σ(p)) ≈ 0.
    fn newton(&self, along: &Along, window: Interval) -> Result<TaylorModel, Failure> {
        let rate = along.derivative();
        let Some(first) = along.coefficients().first() else {
            return Err(Undefined::Unbounded.into());
        };
        let Some(middle) = window.mid() else {
            return Err(Undefined::Unbounded.into());
        };
        let mut time = Ring::constant(first, Interval::point(middle));
        for _ in 0..8 {
            let value = along.at_model(&time).polynomial();
            let slope = rate.at_model(&time).polynomial();
            let change = value.times(&slope.reciprocal()?).polynomial();
            time = time.minus(&change).polynomial();
            if !time.is_finite() {
                return Err(Undefined::Unbounded.into());
            }
            if change.spread() + change.centre().abs() <= 1e-16 * (1.0 + window.magnitude()) {
                break;
            }
        }
        Ok(time)
    }
}
