//! One step of the flow: Picard's iteration on Taylor models of unknowns and time [Makino and Berz 2003, *Suppression of the wrapping effect*].
//!
//! The last variable of the basis is the local time s ∈ [−1, 1]; t = h s from the beginning of the step, to both sides.
//!
//! 1. P ← x₀ + h∫₀ˢ f(P) on polynomials until nothing changes.
//! 2. A box W with x₀ + e₀ + h∫₀ˢ f(P + W) ⊂ P + W: then the motion exists for |s| ≤ 1 and is in P + W there (Schauder; f is smooth where it has an enclosure).
//! 3. What the motion differs from P by, e, is kept sharp: with q(s) = x₀ + h∫₀ˢ f(P) − P(s) and slopes J over P + W,
//!
//! > e(t) = Φ(t) e₀ + q + ∫₀ᵗ Φ(t, τ) J q dτ ∈ Φ e₀ + q + t Φ J q.
//!
//! # Guarantee
//! Rigorous, or an error.

use std::sync::Arc;

use dyverse_enclose::{Basis, Formulas, TaylorModel, Undefined, VariableId};
use dyverse_num::Interval;

use crate::frame::States;
use crate::matrix::{Matrix, symmetric};

/// Why there is no step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lost {
    /// A formula has no value on the set.
    Undefined(Undefined),
    /// Picard's operator does not map a box into itself.
    NoContraction,
    /// The polynomials leave out more than is good: this much, relative to the size of the state.
    Residual(f64),
    /// A time outside the step.
    Outside,
}

impl From<Undefined> for Lost {
    fn from(undefined: Undefined) -> Self {
        Lost::Undefined(undefined)
    }
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Lost::Undefined(undefined) => undefined.fmt(f),
            Lost::NoContraction => f.write_str("Picard's iteration does not contract"),
            Lost::Residual(left) => write!(f, "polynomials leave out {left:.1e} of the state"),
            Lost::Outside => f.write_str("a time is outside the step"),
        }
    }
}

/// Monomials with the local time as their last variable.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    pub(crate) basis: Arc<Basis>,
    /// For every monomial: its power of s, and the monomial times s.
    next: Vec<Option<usize>>,
    power: Vec<usize>,
    /// For every monomial: it without s.
    without: Vec<usize>,
}

impl Clock {
    pub(crate) fn new(unknowns: usize) -> Self {
        let degree = match unknowns {
            0 => 14,
            1 => 11,
            2 => 9,
            3 => 7,
            4 => 6,
            _ => 4,
        };
        let basis = Basis::new(unknowns + 1, degree);
        let find = |wanted: &[u8]| (0..basis.len()).find(|i| basis.exponents(*i) == wanted);
        let (mut next, mut power, mut without) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..basis.len() {
            let mut exponents = basis.exponents(i).to_vec();
            power.push(usize::from(exponents[unknowns]));
            exponents[unknowns] += 1;
            next.push(find(&exponents));
            exponents[unknowns] = 0;
            let Some(place) = find(&exponents) else {
                unreachable!("bug: a factor of a monomial is no monomial");
            };
            without.push(place);
        }
        Clock {
            basis,
            next,
            power,
            without,
        }
    }

    /// h ∫₀ˢ.
    fn integral(&self, model: &TaylorModel, h: f64) -> TaylorModel {
        let mut coefficients = vec![0.0; self.basis.len()];
        let mut error = 0.0f64;
        for (i, c) in model.coefficients().iter().enumerate() {
            if *c == 0.0 {
                continue;
            }
            let value = c * h / (self.power[i] + 1) as f64;
            match self.next[i] {
                Some(place) => {
                    coefficients[place] = value;
                    // Two roundings, each below 2⁻⁵³ of the value or what underflow takes.
                    error = (error + (value.abs() * 4.5e-16 + 1e-300)).next_up();
                }
                None => error = (error + value.abs() * (1.0 + 1e-15)).next_up(),
            }
        }
        if coefficients.iter().any(|c| !c.is_finite()) {
            error = f64::INFINITY;
        }
        let rest = model.remainder().magnitude() * h;
        let rest = if rest > 0.0 { rest.next_up() } else { rest };
        TaylorModel::from_parts(&self.basis, coefficients, symmetric(error) + symmetric(rest))
    }

    /// The model with s replaced by another model, whose values must be in [−1, 1].
    pub(crate) fn at(&self, model: &TaylorModel, time: &TaylorModel) -> Result<TaylorModel, Lost> {
        if !is_within(time) {
            return Err(Lost::Outside);
        }
        Ok(self.extrapolated(model, time))
    }

    /// As [`at`](Self::at) for a polynomial, anywhere: it is only a polynomial.
    pub(crate) fn extrapolated(&self, model: &TaylorModel, time: &TaylorModel) -> TaylorModel {
        let mut parts: Vec<Vec<f64>> = vec![Vec::new(); self.basis.degree() + 1];
        let mut highest = 0;
        for (i, c) in model.coefficients().iter().enumerate() {
            if *c == 0.0 {
                continue;
            }
            let (power, place) = (self.power[i], self.without[i]);
            let part = &mut parts[power];
            if part.len() <= place {
                part.resize(place + 1, 0.0);
            }
            part[place] = *c;
            highest = highest.max(power);
        }
        let part = |k: usize| TaylorModel::from_parts(&self.basis, parts[k].clone(), Interval::ZERO);
        let mut value = part(highest);
        for k in (0..highest).rev() {
            value = &(&value * time) + &part(k);
        }
        value.widened(model.remainder())
    }

    pub(crate) fn constant(&self, value: f64) -> TaylorModel {
        TaylorModel::constant(&self.basis, Interval::point(value))
    }

    /// A model whose values are those of an interval, by way of s.
    pub(crate) fn piece(&self, from: f64, until: f64) -> TaylorModel {
        match Interval::new(from, until) {
            Ok(range) => TaylorModel::variable(&self.basis, VariableId(self.basis.variables() - 1), range),
            // No numbers: nothing is known of when.
            Err(_) => TaylorModel::constant(&self.basis, Interval::ENTIRE),
        }
    }
}

/// Are its values in [−1, 1]?
pub(crate) fn is_within(time: &TaylorModel) -> bool {
    let bound = time.bound();
    !bound.is_empty() && bound.magnitude() <= 1.0
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// h.
    pub(crate) reach: f64,
    /// P.
    pub(crate) nominal: Vec<TaylorModel>,
    /// P + W.
    pub(crate) whole: Vec<TaylorModel>,
    residual: Vec<Interval>,
    slopes: Matrix,
}

/// The iteration ends when changes are below this, relative to the size of the state.
const SETTLED: f64 = 1e-16;
/// A residual of the polynomials that is still good, relative to the size of the state.
pub(crate) const GOOD: f64 = 1e-12;

impl Step {
    /// A step of reach h whose residual is below `good`, relative to the size of the state; what there is of it is added in any case.
    pub(crate) fn within(
        clock: &Clock,
        rates: &Formulas,
        set: &States,
        unknowns: &[TaylorModel],
        h: f64,
        good: f64,
    ) -> Result<Self, Lost> {
        let mut nominal = set.nominal.clone();
        for _ in 0..clock.basis.degree() + 2 {
            let new: Vec<TaylorModel> = image(clock, rates, &set.nominal, &nominal, unknowns, h)?
                .iter()
                .map(TaylorModel::polynomial)
                .collect();
            let is_settled = new.iter().zip(&nominal).all(|(a, b)| {
                let change = (a - b).polynomial();
                change.spread() + change.centre().abs() <= SETTLED * (1.0 + a.centre().abs())
            });
            nominal = new;
            if is_settled {
                break;
            }
        }
        let again = image(clock, rates, &set.nominal, &nominal, unknowns, h)?;
        let residual: Vec<Interval> = again.iter().zip(&nominal).map(|(a, b)| (a - b).bound()).collect();
        let relative = |(x, q): (&TaylorModel, &Interval)| q.magnitude() / (1.0 + x.bound().magnitude());
        let left: Vec<f64> = nominal.iter().zip(&residual).map(relative).collect();
        if !(nominal.iter().all(TaylorModel::is_finite) && left.iter().all(|q| q.is_finite())) {
            return Err(Lost::NoContraction);
        }
        let worst = left.into_iter().fold(0.0, f64::max);
        if worst > good {
            return Err(Lost::Residual(worst));
        }
        let whole = contracted(clock, rates, set, &nominal, &residual, unknowns, h)?;
        let hull: Vec<Interval> = whole.iter().map(TaylorModel::bound).collect();
        let ranges: Vec<Interval> = unknowns.iter().map(TaylorModel::bound).collect();
        let slopes = Matrix {
            rows: rates.slopes(&hull, &ranges)?,
        };
        Ok(Step {
            reach: h,
            nominal,
            whole,
            residual,
            slopes,
        })
    }

    /// Fundamental matrices from the beginning to any local time of an interval, and what is added to Φ e₀.
    pub(crate) fn carried(&self, local: Interval) -> Result<(Matrix, Vec<Interval>), Lost> {
        let time = local * Interval::point(self.reach);
        let phi = self.slopes.fundamental(time).ok_or(Lost::NoContraction)?;
        // Φ(t, τ) for τ between 0 and t.
        let between = self
            .slopes
            .fundamental(time.hull(&Interval::ZERO))
            .ok_or(Lost::NoContraction)?;
        let pushed = between.apply(&self.slopes.apply(&self.residual));
        let added = self
            .residual
            .iter()
            .zip(pushed)
            .map(|(q, v)| *q + time * v)
            .collect();
        Ok((phi, added))
    }

    /// The set at a local time that depends on the unknowns.
    pub(crate) fn set_at(&self, clock: &Clock, from: &States, time: &TaylorModel) -> Result<States, Lost> {
        let (phi, added) = self.carried(time.bound())?;
        let mut new = Vec::new();
        for (x, more) in self.nominal.iter().zip(added) {
            new.push(clock.at(x, time)?.widened(more));
        }
        Ok(from.moved(&new, &phi))
    }
}

/// x₀ + h∫₀ˢ f(X).
fn image(
    clock: &Clock,
    rates: &Formulas,
    start: &[TaylorModel],
    path: &[TaylorModel],
    unknowns: &[TaylorModel],
    h: f64,
) -> Result<Vec<TaylorModel>, Undefined> {
    let values = rates.on(path, unknowns)?;
    Ok(start
        .iter()
        .zip(&values)
        .map(|(x, f)| x + &clock.integral(f, h))
        .collect())
}

/// P + W with W mapped into itself.
fn contracted(
    clock: &Clock,
    rates: &Formulas,
    set: &States,
    nominal: &[TaylorModel],
    residual: &[Interval],
    unknowns: &[TaylorModel],
    h: f64,
) -> Result<Vec<TaylorModel>, Lost> {
    let start = set.whole();
    let error = set.error();
    let mut boxes: Vec<Interval> = error
        .iter()
        .zip(residual)
        .map(|(e, q)| (*e + *q).hull(&Interval::ZERO))
        .collect();
    for _ in 0..12 {
        let path: Vec<TaylorModel> = nominal
            .iter()
            .zip(&boxes)
            .map(|(p, w)| p.with_remainder(*w))
            .collect();
        let found = image(clock, rates, &start, &path, unknowns, h)?;
        let needed: Vec<Interval> = found.iter().zip(nominal).map(|(y, p)| (y - p).bound()).collect();
        if needed.iter().any(|w| w.is_empty() || !w.is_bounded()) {
            return Err(Undefined::Unbounded.into());
        }
        if needed.iter().zip(&boxes).all(|(new, old)| new.is_subset(old)) {
            return Ok(path);
        }
        boxes = needed
            .iter()
            .zip(&boxes)
            .map(|(new, old)| {
                if new.is_subset(old) {
                    *old
                } else {
                    let hull = new.hull(old);
                    hull + symmetric(0.1 * hull.width() + 1e-17)
                }
            })
            .collect();
    }
    Err(Lost::NoContraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_expr::{NodeId, Pool, SymbolId};

    /// x, v, …, then an unknown if there is one.
    fn symbols(pool: &mut Pool, count: u32) -> Vec<NodeId> {
        (0..count).map(|i| pool.symbol(SymbolId(i))).collect()
    }

    /// Steps of at most `h` until `time`, each checked at its end by `check`.
    fn run(
        rates: &Formulas,
        clock: &Clock,
        start: &[TaylorModel],
        unknowns: &[TaylorModel],
        (h, time): (f64, f64),
        check: impl Fn(f64, &States),
    ) -> Result<States, Lost> {
        let mut set = States::new(start);
        let steps = (time / h).ceil() as usize;
        for number in 0..steps {
            let step = Step::within(clock, rates, &set, unknowns, h, GOOD)?;
            set = step.set_at(clock, &set, &clock.constant(0.5))?;
            check(0.5 * h * (number + 1) as f64, &set);
        }
        Ok(set)
    }

    /// x″ = −k x, k ∈ [9, 9.1]: x = cos(√k t), for every k of a few.
    #[test]
    fn an_oscillator_follows_its_cosine() {
        let mut pool = Pool::new();
        let s = symbols(&mut pool, 3);
        let pull = pool.multiply(s[2], s[0]);
        let pull = pool.negate(pull);
        let rates = Formulas::new(&pool, &[s[1], pull]);
        let clock = Clock::new(1);
        let k = Interval::new(9.0, 9.1).unwrap_or(Interval::ENTIRE);
        let unknown = TaylorModel::variable(&clock.basis, VariableId(0), k);
        let start = [clock.constant(1.0), clock.constant(0.0)];
        let check = |t: f64, set: &States| {
            for p in [-1.0, -0.3, 0.0, 0.7, 1.0] {
                let omega = (9.05f64 + 0.05 * p).sqrt();
                let point = [Interval::point(p), Interval::ZERO];
                let whole = set.whole();
                let room = symmetric(1e-13);
                assert!(
                    (whole[0].at(&point) + room).contains((omega * t).cos()),
                    "{t} {p}"
                );
                assert!(
                    (whole[1].at(&point) + room).contains(-omega * (omega * t).sin()),
                    "{t} {p}"
                );
            }
        };
        let end = run(&rates, &clock, &start, &[unknown], (0.1, 40.0), check);
        let width = end.map(|set| set.error()[0].width()).unwrap_or(f64::INFINITY);
        assert!(width < 1e-7, "{width}");
    }

    /// x″ = −sin x: v²/2 − cos x does not change, and the set is thin.
    #[test]
    fn a_pendulum_keeps_its_energy() {
        let mut pool = Pool::new();
        let s = symbols(&mut pool, 2);
        let sine = pool.unary(dyverse_expr::UnaryFunction::Sin, s[0]);
        let pull = pool.negate(sine);
        let rates = Formulas::new(&pool, &[s[1], pull]);
        let clock = Clock::new(0);
        let start = [clock.constant(2.0), clock.constant(0.0)];
        let check = |_: f64, set: &States| {
            let hull = set.hull();
            let energy = hull[1].squared() * Interval::point(0.5) - hull[0].cos();
            assert!(
                energy.contains(-(2.0f64.cos())) && energy.width() < 1e-7,
                "{energy:?}"
            );
        };
        assert!(run(&rates, &clock, &start, &[], (0.2, 20.0), check).is_ok());
    }

    /// Free fall is a polynomial: one step of a hundred seconds is right to rounding.
    #[test]
    fn free_fall_takes_one_step() {
        let mut pool = Pool::new();
        let s = symbols(&mut pool, 2);
        let g = pool.number(-10.0);
        let rates = Formulas::new(&pool, &[s[1], g]);
        let clock = Clock::new(0);
        let start = [clock.constant(3.0), clock.constant(7.0)];
        let check = |t: f64, set: &States| {
            let hull = set.hull();
            assert!(hull[0].contains(3.0 + 7.0 * t - 5.0 * t * t) && hull[0].width() < 1e-9);
            assert!(hull[1].contains(7.0 - 10.0 * t) && hull[1].width() < 1e-11);
        };
        assert!(run(&rates, &clock, &start, &[], (100.0, 100.0), check).is_ok());
    }

    /// x′ = x² from 1 has no motion beyond t = 1: no step may say so.
    #[test]
    fn a_motion_that_ends_is_not_enclosed() {
        let mut pool = Pool::new();
        let s = symbols(&mut pool, 1);
        let square = pool.integer_power(s[0], 2);
        let rates = Formulas::new(&pool, &[square]);
        let clock = Clock::new(0);
        let set = States::new(&[clock.constant(1.0)]);
        assert!(Step::within(&clock, &rates, &set, &[], 1.0, GOOD).is_err());
        assert!(Step::within(&clock, &rates, &set, &[], 0.9, GOOD).is_err());
        let step = Step::within(&clock, &rates, &set, &[], 0.05, GOOD);
        let end = step.and_then(|step| step.set_at(&clock, &set, &clock.constant(1.0)));
        let x = end.map(|set| set.hull()[0]).unwrap_or(Interval::EMPTY);
        assert!(x.contains(1.0 / 0.95) && x.width() < 1e-9, "{x:?}");
    }
}
