//! The function that is searched: a black box, or a polynomial in power or Bernstein form.
//!
//! # Method
//! A black box is interpolated (`chebyshev.rs`). A polynomial is rewritten exactly up to rounding: the power form
//! by Taylor's shift to the left end, then b_j = Σ_k C(j,k)/C(n,k) c_k w^k; the Bernstein form by two cuts.
//!
//! # Guarantee
//! The piece's error covers rounding: 4n ulps of Σ|c_k| |t|^k, of max |b| respectively.

use super::bernstein::{MAX_DEGREE, Piece, evaluate, split};
use super::chebyshev::{Interpolant, interpolate};

/// The function g.
pub(super) enum Source<'a> {
    BlackBox(&'a mut dyn FnMut(f64) -> f64),
    /// Σ c_k (t − origin)^k.
    Power {
        c: &'a [f64],
        origin: f64,
    },
    /// Σ b_j B_j on [from, to].
    Bernstein {
        b: &'a [f64],
        from: f64,
        to: f64,
    },
}

/// sign·g + offset, the form every scan takes.
pub(super) struct Shifted<'a, 'b> {
    pub(super) source: &'b mut Source<'a>,
    pub(super) sign: f64,
    pub(super) offset: f64,
}

impl Source<'_> {
    pub(super) fn value(&mut self, t: f64) -> f64 {
        match self {
            Self::BlackBox(g) => g(t),
            Self::Power { c, origin } => c.iter().rev().fold(0.0, |sum, c| sum * (t - *origin) + c),
            Self::Bernstein { b, from, to } => evaluate(b, (t - *from) / (*to - *from)),
        }
    }
}

impl Shifted<'_, '_> {
    pub(super) fn value(&mut self, t: f64) -> f64 {
        self.sign * self.source.value(t) + self.offset
    }

    /// A polynomial piece on [l, r]; the place where the function is not finite on failure.
    pub(super) fn piece(&mut self, l: f64, r: f64, clear: f64) -> Result<Interpolant, f64> {
        let (sign, offset) = (self.sign, self.offset);
        let made = match self.source {
            Source::BlackBox(g) => return interpolate(&mut |t| sign * g(t) + offset, (l, r), clear),
            Source::Power { c, origin } => from_power(c, l - *origin, r - *origin),
            Source::Bernstein { b, from, to } => from_bernstein(b, (l - *from, r - *from), *to - *from),
        };
        let piece = Piece { l, r, ..made }.shifted(sign, offset);
        let (lowest, highest) = piece.range();
        if !(piece.error.is_finite() && lowest.is_finite() && highest.is_finite()) {
            return Err(l);
        }
        Ok(Interpolant {
            piece,
            tail: 0.0,
            size: highest.max(-lowest),
        })
    }
}

fn rounding(degree: usize) -> f64 {
    4.0 * (degree + 1) as f64 * f64::EPSILON
}

/// Power form about 0, rewritten on [l, r]; degree at most [`MAX_DEGREE`].
fn from_power(c: &[f64], l: f64, r: f64) -> Piece {
    let n = c.len().saturating_sub(1).min(MAX_DEGREE);
    let mut a = [0.0; MAX_DEGREE + 1];
    for (a, c) in a.iter_mut().zip(c) {
        *a = *c;
    }
    let far = l.abs().max(r.abs());
    let size = a[..=n].iter().rev().fold(0.0, |sum, a| sum * far + a.abs());
    for k in 0..n {
        for j in (k..n).rev() {
            a[j] += l * a[j + 1];
        }
    }
    // a_k w^k / C(n,k), then repeated sums give Σ_k C(j,k) of them.
    let (mut power, mut choose) = (1.0, 1.0);
    for (k, a) in a[..=n].iter_mut().enumerate() {
        *a *= power / choose;
        power *= r - l;
        choose *= (n - k) as f64 / (k + 1) as f64;
    }
    for k in 1..=n {
        for j in (k..=n).rev() {
            a[j] += a[j - 1];
        }
    }
    Piece {
        l,
        r,
        degree: n,
        b: a,
        error: rounding(n) * size,
        is_fresh: true,
    }
    .at_least_linear()
}

/// Bernstein form on [0, span], cut to [l, r].
fn from_bernstein(b: &[f64], (l, r): (f64, f64), span: f64) -> Piece {
    let n = b.len().saturating_sub(1).min(MAX_DEGREE);
    let mut work = [0.0; MAX_DEGREE + 1];
    for (work, b) in work.iter_mut().zip(b) {
        *work = *b;
    }
    let size = work.iter().fold(0.0_f64, |size, b| size.max(b.abs()));
    split(&mut work[..=n], r / span, true);
    split(&mut work[..=n], l / r, false);
    Piece {
        l,
        r,
        degree: n,
        b: work,
        error: rounding(n) * size,
        is_fresh: true,
    }
    .at_least_linear()
}

impl Piece {
    /// A constant written as a polynomial of degree 1.
    fn at_least_linear(mut self) -> Self {
        if self.degree == 0 {
            self.degree = 1;
            self.b[1] = self.b[0];
        }
        self
    }
}
