//! What a run looks like to a property: stretches of smooth motion between instants, at each instant one or more moments.
//!
//! The moments of an instant are in order: the first is the limit from the left, the last the one from the right, those between are what the trace shows of its microsteps.

use crate::robustness::{ERROR, Unmeasurable};
use dyverse_expr::{NodeId, Pool, SymbolId};
use dyverse_num::Interval;
use dyverse_trace::{Microstep, Trace};
use std::sync::LazyLock;

/// A run, to be read at its moments.
pub(crate) trait Course {
    /// The instants, ascending: the first is the start, the last the end. Between two neighbours everything is smooth.
    fn instants(&self) -> &[f64];
    /// The microsteps of the moments at an instant; at least one.
    fn microsteps(&self, instant: usize) -> &[Microstep];
    /// From now on symbols have their values at a time between an instant and the next.
    fn go_between(&mut self, instant: usize, t: f64);
    /// From now on symbols have their values at a moment of an instant.
    fn go_to(&mut self, instant: usize, moment: usize);
    /// The value of a symbol; NaN if it has none.
    fn symbol(&mut self, id: SymbolId) -> f64;
    /// Whether the value of a symbol has no error: a parameter, or a signal that only ever has numbers that are written in the model.
    fn is_exact(&self, _id: SymbolId) -> bool {
        false
    }
    /// Of a symbol that is a truth value: a number that is not below 0 exactly where it is true, and continuous between instants; `None` for other symbols.
    fn truth(&mut self, id: SymbolId) -> Option<f64>;
}

/// What the value of a symbol may be where the course is: runs have errors.
pub(crate) fn of_run(id: SymbolId, course: &mut dyn Course) -> Interval {
    let value = course.symbol(id);
    let error = if course.is_exact(id) {
        0.0
    } else {
        ERROR * value.abs().max(1.0)
    };
    Interval::new(value - error, value + error).unwrap_or(Interval::ENTIRE)
}

/// Expressions and the formulas over them.
pub(crate) struct Formulas<'a> {
    pub(crate) pool: &'a Pool,
    /// Operands before operators; the last is the whole.
    pub(crate) parts: &'a [dyverse_model::Formula],
}

impl Formulas<'_> {
    /// The truth values at one moment that the formulas are made of.
    pub(crate) fn truths(&self) -> Vec<NodeId> {
        let parts = self.parts.iter();
        parts
            .filter_map(|part| match part {
                dyverse_model::Formula::Now(node) => Some(*node),
                _ => None,
            })
            .collect()
    }
}

/// Refuses a trace that is none: whoever reads it may have it from a file.
pub(crate) fn check(trace: &Trace) -> Result<(), Unmeasurable> {
    let count = trace.signals.len();
    let is_good = |piece: &dyverse_trace::Piece| {
        piece.from.is_finite()
            && piece.to.is_finite()
            && piece.from < piece.to
            && piece.signals.iter().all(|(id, _)| (id.0 as usize) < count)
    };
    if !trace.pieces.iter().all(is_good) {
        return Err(Unmeasurable::OtherModel("its pieces are in disorder".into()));
    }
    let is_whole = |sample: &dyverse_trace::Sample| sample.values.len() == count;
    let samples = &trace.samples;
    if !samples.iter().all(is_whole) || !samples.is_sorted_by_key(|s| s.time) {
        return Err(Unmeasurable::OtherModel("its samples are in disorder".into()));
    }
    if !trace.transitions.is_sorted_by_key(|t| t.time) {
        return Err(Unmeasurable::OtherModel("its transitions are in disorder".into()));
    }
    Ok(())
}

/// Coefficients whose factors are tabled: more than pieces have.
const TABLED: usize = 32;

/// P_{k+1} = (2k + 1)/(k + 1) x P_k − k/(k + 1) P_{k−1}.
fn factors(k: usize) -> (f64, f64) {
    let next = k as f64 + 1.0;
    ((k as f64 + next) / next, k as f64 / next)
}

/// Σ c_k P_k(x) of a piece's signal at a time in it.
pub(crate) fn on_piece(from: f64, to: f64, coefficients: &[f64], t: f64) -> f64 {
    static FACTORS: LazyLock<[(f64, f64); TABLED]> = LazyLock::new(|| std::array::from_fn(factors));
    let table: &[(f64, f64); TABLED] = &FACTORS;
    let x = 2.0 * (t - from) / (to - from) - 1.0;
    let (mut before, mut p, mut sum) = (0.0, 1.0, 0.0);
    for (k, c) in coefficients.iter().enumerate() {
        sum += c * p;
        let (a, b) = table.get(k).copied().unwrap_or_else(|| factors(k));
        (before, p) = (p, a * x * p - b * before);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oracle: P_k(±1) = (±1)^k, P_2 = (3x² − 1)/2 and P_3 = (5x³ − 3x)/2; and beyond the table P_40(0) = C(40, 20)/2^40.
    #[test]
    fn legendre_sums() {
        let c: Vec<f64> = (0..50).map(f64::from).collect();
        assert!((on_piece(1.0, 3.0, &c, 3.0) - 1225.0).abs() < 1e-9);
        assert!((on_piece(1.0, 3.0, &c, 1.0) + 25.0).abs() < 1e-9);
        let x: f64 = 0.25;
        let cubic = 2.0 * 0.5 * (3.0 * x * x - 1.0) + 3.0 * 0.5 * (5.0 * x.powi(3) - 3.0 * x);
        assert!((on_piece(1.0, 3.0, &[0.0, 0.0, 2.0, 3.0], 2.25) - cubic).abs() < 1e-15);
        let mut last = vec![0.0; 41];
        last[40] = 1.0;
        let middle: f64 = (1..=20).map(|k| f64::from(20 + k) / f64::from(4 * k)).product();
        assert!((on_piece(-1.0, 1.0, &last, 0.0) - middle).abs() < 1e-14);
    }
}
