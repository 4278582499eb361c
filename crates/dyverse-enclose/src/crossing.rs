//! Where a guard is crossed, as a function of the unknowns; and sets carried to it and through resets.
//!
//! # Crossing
//! For a guard g that is positive before: times until which it certainly is; a time by which it certainly is not; and g′ < 0 between. Then every state of the set crosses
//! exactly once in that window, at σ(p) + δ with σ a polynomial found by Newton's method and
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
//! Rigorous, or an error; a crossing that is not transversal is never called one.

use dyverse_expr::{NodeId, Pool};
use dyverse_num::Interval;

use crate::along::Along;
use crate::flow::{Failure, Tube};
use crate::gradient::gradients;
use crate::matrix::MidRad;
use crate::program::Program;
use crate::ring::{Ring, Undefined};
use crate::series::SeriesRun;
use crate::state_set::StateSet;
use crate::taylor_model::TaylorModel;

/// What a guard does in a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    /// It stays positive.
    Never,
    /// All states cross it, once, downwards, within this window.
    Certain(Interval),
    /// Some state may cross it from this time on; nothing more is known.
    Possible(f64),
}

/// Pieces that a bound is improved on, at the most.
const MOST_PIECES: usize = 400;

/// Looks for the first crossing of a guard between two times of a step. `from_zero`: the guard is known to be zero or more at the first of them, exactly.
#[must_use]
pub fn first_crossing(guard: &Along, from: f64, until: f64, from_zero: bool) -> Crossing {
    let rate = guard.derivative();
    let smallest = 1e-6 * (until - from);
    let mut waiting = vec![(from, until)];
    let mut pieces = 0;
    let mut found = None;
    while let Some((a, b)) = waiting.pop() {
        let Ok(times) = Interval::new(a, b) else {
            return Crossing::Possible(from);
        };
        pieces += 1;
        let value = guard.range_on(times);
        if value.lo() > 0.0 && !value.is_empty() {
            continue;
        }
        if from_zero && a == from {
            let slope = rate.range_on(times);
            if slope.lo() > 0.0 && !slope.is_empty() {
                continue;
            }
        }
        if b - a > smallest && pieces < MOST_PIECES {
            let middle = 0.5 * (a + b);
            waiting.push((middle, b));
            waiting.push((a, middle));
        } else {
            found = Some(a);
            break;
        }
    }
    let Some(first) = found else {
        return Crossing::Never;
    };
    let is_past = |t: f64| {
        let value = guard.at(Interval::point(t)).range();
        value.hi() < 0.0 && !value.is_empty()
    };
    let mut length = smallest;
    let past = loop {
        let t = (first + length).min(until);
        if is_past(t) {
            break t;
        }
        if t >= until {
            return Crossing::Possible(first);
        }
        length *= 1.5;
    };
    match Interval::new(first, past) {
        Ok(window) if is_below(&rate, window) => Crossing::Certain(window),
        _ => Crossing::Possible(first),
    }
}

/// Whether a quantity is certainly below zero at all times of an interval.
fn is_below(quantity: &Along, times: Interval) -> bool {
    let mut waiting = vec![times];
    let mut pieces = 0;
    while let Some(piece) = waiting.pop() {
        pieces += 1;
        let value = quantity.range_on(piece);
        if value.hi() < 0.0 && !value.is_empty() {
            continue;
        }
        if pieces > 60 {
            return false;
        }
        let (left, right) = piece.bisect();
        waiting.push(right);
        waiting.push(left);
    }
    true
}

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
            program: Program::new(pool, roots),
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
        let mut run = SeriesRun::new(&self.program, Ring::constant(like, Interval::ZERO));
        run.advance(|symbol| {
            let symbol = symbol as usize;
            let found = states
                .get(symbol)
                .or_else(|| unknowns.get(symbol.wrapping_sub(states.len())));
            found
                .cloned()
                .unwrap_or_else(|| Ring::constant(like, Interval::EMPTY))
        })?;
        let values: Result<Vec<TaylorModel>, Undefined> = (0..self.program.root_count())
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
        let middle = window.mid().unwrap_or(0.0);
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
