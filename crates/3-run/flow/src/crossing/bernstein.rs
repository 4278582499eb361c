//! Polynomials in Bernstein form on an interval, with a bound on how far the function may be from them.
//!
//! | mathematics                     | here          | meaning                                            |
//! |---------------------------------|---------------|----------------------------------------------------|
//! | p = Σ b_j C(n,j) τ^j (1−τ)^{n−j} | `b[..=n]`    | polynomial of degree n on [l, r], τ = (t−l)/(r−l)  |
//! | \|g − p\| ≤ e                   | `error`       | interpolation, conversion and evaluation           |
//!
//! # Method
//! min b ≤ p ≤ max b; p has at most as many roots as b has changes of sign, p′ as many as the differences
//! of b have (G. Farin, Curves and surfaces for CAGD). Halves by de Casteljau's scheme: averages only, so errors do
//! not grow.
//!
//! # Guarantee
//! Bounds and counts are right for p up to `error`, which is handed on to the halves.

/// Largest degree.
pub(super) const MAX_DEGREE: usize = 24;

/// One polynomial piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) l: f64,
    pub(super) r: f64,
    pub(super) degree: usize,
    pub(super) b: [f64; MAX_DEGREE + 1],
    pub(super) error: f64,
    /// Made for this interval, not a half of a longer one.
    pub(super) is_fresh: bool,
}

/// How a piece runs, as far as it is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Increasing,
    Decreasing,
    OneMinimum,
    OneMaximum,
    Unknown,
}

impl Piece {
    pub(super) fn coefficients(&self) -> &[f64] {
        &self.b[..=self.degree]
    }

    /// Smallest and largest coefficient.
    pub(super) fn range(&self) -> (f64, f64) {
        let fold = |(lo, hi): (f64, f64), &b: &f64| (lo.min(b), hi.max(b));
        self.coefficients()
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), fold)
    }

    /// sign·p + offset.
    pub(super) fn shifted(mut self, sign: f64, offset: f64) -> Self {
        for b in &mut self.b[..=self.degree] {
            *b = sign * *b + offset;
        }
        self.error += f64::EPSILON * offset.abs();
        self
    }

    /// Certain shape of the function: a difference counts if the error cannot turn its sign. The error's own
    /// slope is at most n² e / width (Markov), a difference is 1/n of a slope, hence 2(n+1)e.
    pub(super) fn shape(&self) -> Shape {
        let margin = 2.0 * (self.degree + 1) as f64 * self.error;
        let b = self.coefficients();
        let (mut first, mut last, mut changes) = (0.0, 0.0, 0);
        for pair in b.windows(2) {
            let difference = pair[1] - pair[0];
            if difference.abs() <= margin {
                return Shape::Unknown;
            }
            let sign = difference.signum();
            if first == 0.0 {
                first = sign;
            } else if sign != last {
                changes += 1;
            }
            last = sign;
        }
        match (changes, first > 0.0) {
            (0, true) => Shape::Increasing,
            (0, false) => Shape::Decreasing,
            (1, true) => Shape::OneMaximum,
            (1, false) => Shape::OneMinimum,
            _ => Shape::Unknown,
        }
    }

    /// p on the left and on the right half.
    pub(super) fn halves(&self) -> (Self, Self) {
        let n = self.degree;
        let mid = 0.5 * (self.l + self.r);
        let (mut left, mut right) = (*self, *self);
        (left.r, right.l) = (mid, mid);
        (left.is_fresh, right.is_fresh) = (false, false);
        let work = &mut right.b;
        for k in 1..=n {
            for j in 0..=n - k {
                work[j] = 0.5 * (work[j] + work[j + 1]);
            }
            left.b[k] = work[0];
        }
        (left, right)
    }

    /// The place of the single minimum, by the sign of p′; to 1e-15 of the width.
    pub(super) fn lowest_place(&self) -> f64 {
        let n = self.degree;
        let mut differences = [0.0; MAX_DEGREE + 1];
        for (difference, pair) in differences.iter_mut().zip(self.coefficients().windows(2)) {
            *difference = pair[0] - pair[1];
        }
        let mut fall = |tau: f64| evaluate(&differences[..n], tau);
        let ends = ((0.0, differences[0]), (1.0, differences[n - 1]));
        let tau = match super::bracket::close_bracket(&mut fall, ends.0, ends.1) {
            Ok((_, hi)) => hi.0,
            Err(tau) => tau,
        };
        (self.l + tau * (self.r - self.l)).clamp(self.l, self.r)
    }
}

/// Σ b_j B_j(τ), by repeated linear interpolation.
pub(super) fn evaluate(b: &[f64], tau: f64) -> f64 {
    let mut work = [0.0; MAX_DEGREE + 1];
    let n = b.len().min(MAX_DEGREE + 1);
    work[..n].copy_from_slice(&b[..n]);
    for k in 1..n {
        for j in 0..n - k {
            work[j] = (1.0 - tau) * work[j] + tau * work[j + 1];
        }
    }
    work[0]
}

/// The coefficients on [0, τ] or on [τ, 1], in place.
pub(super) fn split(b: &mut [f64], tau: f64, keep_left: bool) {
    let n = b.len().min(MAX_DEGREE + 1);
    let mut left = [0.0; MAX_DEGREE + 1];
    left[0] = b[0];
    for (k, left) in left.iter_mut().enumerate().take(n).skip(1) {
        for j in 0..n - k {
            b[j] = (1.0 - tau) * b[j] + tau * b[j + 1];
        }
        *left = b[0];
    }
    if keep_left {
        b[..n].copy_from_slice(&left[..n]);
    }
}
