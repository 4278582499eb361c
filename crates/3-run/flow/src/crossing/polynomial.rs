//! The smallest positive root of a polynomial in power form.
//!
//! # Method
//! Roots at zero are divided out exactly; then the first change of sign or touching is searched for in Bernstein form,
//! where a leading coefficient near zero does no harm. The interval is cut at Cauchy's bound.
//!
//! # Guarantee
//! That of `crossing.rs`, for the polynomial as evaluated by Horner's scheme.

use super::bernstein::MAX_DEGREE;
use super::source::Source;
use super::{Beginning, Crossing, CrossingOptions, CrossingSearch};

/// A long interval is searched in parts, each this many times as far as the one before: powers of a far end
/// would drown the coefficients.
const STRETCH: f64 = 16.0;

/// The smallest root in (0, end] of Σ c_k t^k, whichever way the polynomial goes through it.
///
/// `At` holds values of ±p/t^m, positive before the root, m the number of roots at zero. A minimum of |p| of at
/// most `grazing`, in the unit of that quotient, that does not reach zero is `Grazing`. `None` for the zero
/// polynomial. `end` may be infinite.
#[must_use]
pub fn smallest_positive_root(c: &[f64], end: f64, grazing: Option<f64>) -> Crossing {
    let Some(first) = c.iter().position(|&c| c != 0.0) else {
        return Crossing::None;
    };
    let last = c.iter().rposition(|&c| c != 0.0).unwrap_or(first);
    if last - first > MAX_DEGREE {
        return Crossing::NotIsolated { from: 0.0, to: end };
    }
    let degree = last - first;
    let mut work = [0.0; MAX_DEGREE + 1];
    for (work, value) in work.iter_mut().zip(&c[first..=last]) {
        *work = value * c[first].signum();
    }
    let work = &work[..=degree];
    if work.iter().all(|&c| c >= 0.0) {
        return Crossing::None; // Descartes: no change of sign, no positive root.
    }
    let largest = work.iter().fold(0.0_f64, |size, c| size.max(c.abs()));
    let bound = 1.0 + largest / work[degree].abs();
    let mut search = CrossingSearch::new(CrossingOptions {
        grazing,
        ..CrossingOptions::default()
    });
    let (mut from, end) = (0.0, end.min(bound));
    while from < end {
        let to = if end <= STRETCH * from.max(1.0) {
            end
        } else {
            STRETCH * from.max(1.0)
        };
        let mut source = Source::Power { c: work, origin: 0.0 };
        match search.first_of(&mut source, from, to, Beginning::Above) {
            Crossing::None => from = to,
            Crossing::NotFinite { t } => return Crossing::NotIsolated { from: t, to: end },
            found => return found,
        }
    }
    Crossing::None
}
