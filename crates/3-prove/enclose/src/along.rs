//! A quantity along a step: a polynomial in time whose coefficients are Taylor models, with Lagrange's remainder.

use std::sync::OnceLock;

use dyverse_num::Interval;

use crate::ring::Ring;
use crate::taylor_model::TaylorModel;

/// g(p, s) ∈ Σ_{k<K} g_k(p) sᵏ + c sᴷ for s in the span, c in `last`.
#[derive(Clone, Debug)]
pub struct Along {
    coefficients: Vec<TaylorModel>,
    last: Interval,
    span: Interval,
    /// Its rate of change, once somebody has asked for it: every bound does.
    rate: OnceLock<Box<Along>>,
}

impl Along {
    pub(crate) fn new(mut coefficients: Vec<TaylorModel>, last: Interval, span: Interval) -> Self {
        if last == Interval::ZERO {
            while coefficients.len() > 1 && coefficients.last().is_some_and(Ring::is_zero) {
                coefficients.pop();
            }
        }
        Along {
            coefficients,
            last,
            span,
            rate: OnceLock::new(),
        }
    }

    /// The times it holds for, from the beginning of the step, s.
    #[must_use]
    pub fn span(&self) -> Interval {
        self.span
    }

    /// Coefficients of powers of time.
    #[must_use]
    pub fn coefficients(&self) -> &[TaylorModel] {
        &self.coefficients
    }

    /// Its rate of change.
    #[must_use]
    pub fn derivative(&self) -> &Along {
        self.rate.get_or_init(|| Box::new(self.differentiated()))
    }

    fn differentiated(&self) -> Along {
        let order = self.coefficients.len();
        if let [only] = self.coefficients.as_slice() {
            // g = g_0 + c s: the rate is c.
            let rate = Ring::constant(only, Interval::ZERO).widened(self.last);
            return Along::new(vec![rate], Interval::ZERO, self.span);
        }
        let scaled = |(k, c): (usize, &TaylorModel)| c.scaled(Interval::point(k as f64));
        let coefficients = self.coefficients.iter().enumerate().skip(1).map(scaled);
        let last = self.last * Interval::point(order as f64);
        Along::new(coefficients.collect(), last, self.span)
    }

    /// The value at a time, as a function of the unknowns; at every time of an interval if it is one.
    #[must_use]
    pub fn at(&self, time: Interval) -> TaylorModel {
        let order = self.coefficients.len() as i32;
        let mut places = self.coefficients.iter().rev();
        let Some(top) = places.next() else {
            unreachable!("bug: a quantity without coefficients")
        };
        let mut value = top.clone();
        for c in places {
            value = value.scaled(time).plus(c);
        }
        if self.last == Interval::ZERO {
            value
        } else {
            value.widened(self.last * time.powi(order))
        }
    }

    /// The value at a time that depends on the unknowns.
    #[must_use]
    pub fn at_model(&self, time: &TaylorModel) -> TaylorModel {
        let order = self.coefficients.len() as i32;
        let mut places = self.coefficients.iter().rev();
        let Some(top) = places.next() else {
            unreachable!("bug: a quantity without coefficients")
        };
        let mut value = top.clone();
        for c in places {
            value = value.times(time).plus(c);
        }
        value.widened(self.last * time.range().powi(order))
    }

    /// All values over an interval of times: the value in the middle, and how far the rate takes it.
    #[must_use]
    pub fn range_on(&self, times: Interval) -> Interval {
        let plain = self.at(times).range();
        if times.is_point() {
            return plain;
        }
        let Some(middle) = times.mid() else { return plain };
        let centred = self.at(Interval::point(middle)).range()
            + self.derivative().at(times).range() * (times - Interval::point(middle));
        plain.intersect(&centred)
    }
}
